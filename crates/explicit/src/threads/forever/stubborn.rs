//! Which threads have to move from a configuration so that no answer is lost: stubborn sets of threads.
//!
//! A set of threads is *closed* if nobody outside of it may come to touch what the next moves of its members depend on. Of a member that
//! can move nobody else may come to write what its moves read or write, or to read what they write; of one that cannot, nobody else may
//! come to write what it reads. So whatever the others do, the members can still do the same, and it does not matter who is first.
//!
//! *Deadlocks* are kept by any closed set that has a move. *Words* up to repetition, of runs without an end too, are kept as Valmari says
//! (The State Explosion Problem, 1998, conditions D1, D2, V, I, L): if a move of a member may be seen, every thread that may come to do
//! something that is seen is a member; some member has a move that is not seen, unless nobody has; and every cycle has a configuration
//! in which all threads that may come to do something that is seen are members. For the last one the caller looks for moves that close
//! a cycle, and takes the larger of two sets there. Where no member can come back without doing something that is seen there is nothing to
//! look for: on such a cycle somebody does, and there they are all members. Threads in equal states are members together. Nothing is kept of fairness: a
//! thread may stay away that a scheduler would have to serve.

use super::touched::Touched;

/// What must not be lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Keeps {
    /// Nothing is left out.
    Everything,
    /// Configurations in which nobody can go on.
    Deadlocks,
    /// What an observer accepts who does not see repetitions.
    Words,
}

/// What a thread can do next.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Turn {
    /// By its next moves, be they possible or not.
    pub(super) next: Touched,
    /// From now on.
    pub(super) future: Touched,
    pub(super) n_moves: u32,
    /// Some move leads into an atomic region, and nobody else moves then.
    pub(super) leads_inside: bool,
    /// What the observer may see of some move, and sees of every move.
    pub(super) may_change: bool,
    pub(super) does_change: bool,
    /// It may come to do something that is seen.
    pub(super) will_be_seen: bool,
    /// It may come back to where it is without having done something that is seen.
    pub(super) may_return: bool,
    /// The first thread of those that are in the same state.
    pub(super) first: usize,
}

/// Two sets of threads, a bit for each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Choice {
    /// Enough where no move closes a cycle.
    pub(super) members: u64,
    /// Enough everywhere.
    pub(super) closing: u64,
}

impl Choice {
    pub(super) const ALL: Self = Self { members: u64::MAX, closing: u64::MAX };
}

/// Who has to move.
pub(super) fn choose(keeps: Keeps, turns: &[Turn]) -> Choice {
    let sets = Sets { turns, needs: &needs(turns) };
    match keeps {
        Keeps::Everything => Choice::ALL,
        Keeps::Deadlocks => {
            let members = sets.smallest(0, |turn| turn.n_moves > 0, |_| true);
            members.map_or(Choice::ALL, |members| Choice { members, closing: members })
        }
        Keeps::Words => sets.words(),
    }
}

/// For each thread those that must be members if it is.
fn needs(turns: &[Turn]) -> [u64; 64] {
    let mut needs = [0; 64];
    for (n, own) in turns.iter().enumerate() {
        let touches = own.next.reads | own.next.writes;
        for (m, other) in turns.iter().enumerate() {
            let depends = match own.n_moves {
                0 => other.future.writes & own.next.reads != 0,
                _ => other.future.writes & touches != 0 || other.future.reads & own.next.writes != 0,
            };
            needs[n] |= u64::from(depends) << m;
        }
        needs[n] |= 1 << own.first;
    }
    needs
}

struct Sets<'t> {
    turns: &'t [Turn],
    needs: &'t [u64; 64],
}

impl Sets<'_> {
    /// The least closed set with these members.
    fn closure(&self, mut members: u64) -> u64 {
        let mut todo = members;
        while todo != 0 {
            let needed = self.needs[todo.trailing_zeros() as usize] & !members;
            members |= needed;
            todo = todo & (todo - 1) | needed;
        }
        members
    }

    fn members(&self, members: u64) -> impl Iterator<Item = &Turn> {
        let is_member = move |(n, _): &(usize, &Turn)| members >> n & 1 == 1;
        self.turns.iter().enumerate().filter(is_member).map(|(_, turn)| turn)
    }

    /// The moves of a set; those of threads in equal states count once.
    fn n_moves(&self, members: u64) -> u32 {
        let firsts =
            self.turns.iter().enumerate().filter(|(n, turn)| turn.first == *n && members >> n & 1 == 1);
        firsts.map(|(_, turn)| turn.n_moves).sum()
    }

    /// The closed set with the fewest moves that has some members, and one that is asked for, if it is good.
    fn smallest(
        &self,
        with: u64,
        is_one: impl Fn(&Turn) -> bool,
        is_good: impl Fn(&Turn) -> bool,
    ) -> Option<u64> {
        let mut best: Option<(u32, u64)> = None;
        for (n, turn) in self.turns.iter().enumerate() {
            if turn.first != n || !is_one(turn) {
                continue;
            }
            let members = self.closure(with | 1 << n);
            let is_good = |turn: &Turn| turn.n_moves == 0 || (!turn.leads_inside && is_good(turn));
            let n_moves = self.n_moves(members);
            if best.is_none_or(|best| n_moves < best.0) && self.members(members).all(is_good) {
                best = Some((n_moves, members));
            }
        }
        best.map(|best| best.1)
    }

    fn words(&self) -> Choice {
        let will_be_seen =
            self.turns.iter().enumerate().fold(0, |all, (n, turn)| all | u64::from(turn.will_be_seen) << n);
        let is_unseen = |turn: &Turn| turn.n_moves > 0 && !turn.may_change;
        let moves_unseen = self.smallest(0, is_unseen, |turn| !turn.may_change);
        let closing = moves_unseen.map(|members| self.closure(members | will_be_seen));
        match (moves_unseen, closing) {
            (Some(members), _) if self.members(members).all(|turn| turn.n_moves == 0 || !turn.may_return) => {
                Choice { members, closing: members }
            }
            (Some(members), Some(closing)) if self.members(closing).all(|turn| !turn.leads_inside) => {
                Choice { members, closing }
            }
            (Some(members), _) => Choice { members, closing: u64::MAX },
            _ => {
                // Whoever has a move that may not be seen must be there, if somebody has.
                let has_unseen = self.turns.iter().any(|turn| turn.n_moves > 0 && !turn.does_change);
                let is_one = |turn: &Turn| turn.n_moves > 0 && (!has_unseen || !turn.may_change);
                let members = self.smallest(will_be_seen, is_one, |_| true);
                members.map_or(Choice::ALL, |members| Choice { members, closing: members })
            }
        }
    }
}

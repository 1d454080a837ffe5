//! Gluing: the strands of a clause from those of its premises.
//!
//! The clause's variables of states are put into classes, the moments: two are one moment if the clause makes them equal, or if some
//! premise has them as marks with nothing between. Gaps are edges between moments, at most one in and one out of each, and the
//! chains of edges are the strands.

use super::path::{Few, Path, PathId, Paths, Strand, Tail, few};
use crate::known_steps::StateId;
use calculus::system::{System, VarId};
use smallvec::SmallVec;
use solver::Links;
use std::borrow::Cow;

/// A use of a tuple.
pub(super) struct Use {
    /// The step of the derivation that explains it.
    pub step: usize,
    /// The variables that stand for its states.
    pub vars: Few<Option<VarId>>,
    /// It is being explained already.
    pub is_again: bool,
}

/// A piece that begins or ends at a moment, and whether the premise it is from stays at that moment.
type Known = (bool, PathId);

/// What is known of a moment.
#[derive(Clone, Default)]
struct Moment {
    next: Option<(usize, PathId)>,
    has_previous: bool,
    /// Ways from the moment back to itself.
    loops: Few<PathId>,
    before: Few<Known>,
    after: Few<Known>,
}

/// A part of a chain.
enum Item {
    /// A state of the head, by its number.
    Mark(usize),
    Piece(PathId),
}

pub(super) struct Gluing<'g> {
    system: &'g System,
    paths: &'g mut Paths,
    /// The number of each variable; a state that is no variable has one of its own.
    numbers: Few<(VarId, usize)>,
    /// What each number has been put together with.
    parents: Few<usize>,
    /// The strands of the premises, with the numbers of their marks.
    strands: Few<(Few<usize>, Cow<'g, Strand>)>,
    /// The one that comes before the others where two go the same way.
    preferred: Option<usize>,
}

impl<'g> Gluing<'g> {
    pub fn new(system: &'g System, paths: &'g mut Paths, preferred: Option<usize>) -> Self {
        let (numbers, parents, strands) = Default::default();
        Self { system, paths, numbers, parents, strands, preferred }
    }

    fn fresh(&mut self) -> usize {
        self.parents.push(self.parents.len());
        self.parents.len() - 1
    }

    fn number(&mut self, var: VarId) -> usize {
        if let Some(known) = self.numbers.iter().find(|known| known.0 == var) {
            return known.1;
        }
        let number = self.fresh();
        self.numbers.push((var, number));
        number
    }

    /// The moment of a number.
    fn find(&self, mut number: usize) -> usize {
        while self.parents[number] != number {
            number = self.parents[number];
        }
        number
    }

    fn unite(&mut self, one: usize, other: usize) {
        let (one, other) = (self.find(one), self.find(other));
        self.parents[one] = other;
    }

    /// Adds a premise with these strands.
    pub fn add(&mut self, used: &Use, strands: &'g [Strand]) {
        let numbers: Few<usize> = used
            .vars
            .iter()
            .map(|var| match var {
                Some(var) => self.number(*var),
                None => self.fresh(),
            })
            .collect();
        if used.is_again {
            for (column, number) in numbers.iter().enumerate() {
                let after = Some(self.paths.add(Path::Tail(Tail { step: used.step, column })));
                let strand = Strand { marks: few([column]), after, ..Strand::default() };
                self.strands.push((few([*number]), Cow::Owned(strand)));
            }
            return;
        }
        for strand in strands {
            let marks = strand.marks.iter().map(|mark| numbers[*mark]).collect();
            self.strands.push((marks, Cow::Borrowed(strand)));
        }
    }

    /// Puts together what is one moment; `own` has the values of the head's variables.
    pub fn equate(&mut self, links: &Links, own: impl Fn(VarId) -> Option<u32>) {
        let equal = |a: VarId, b: VarId| links.equal.contains(&(a, b)) || links.equal.contains(&(b, a));
        let value = |var: VarId| {
            own(var).or_else(|| links.values.iter().find(|value| value.0 == var).map(|value| value.1))
        };
        for &(a, b) in &links.equal {
            let [x, y] = [a, b].map(|var| &self.system.binders[self.system.vars[var.index()].binder.index()]);
            let are_states = x.type_name == "State" && y.type_name == "State";
            if !are_states || x.leaves[0] != a || y.leaves[0] != b || !equal(x.leaves[1], y.leaves[1]) {
                continue;
            }
            let agree = |(l, r): (&VarId, &VarId)| match (value(*l), value(*r)) {
                (Some(left), Some(right)) => left == right,
                _ => true,
            };
            if x.leaves.iter().zip(&y.leaves).all(agree) {
                let (one, other) = (self.number(a), self.number(b));
                self.unite(one, other);
            }
        }
        for (marks, strand) in std::mem::take(&mut self.strands) {
            for (pair, gap) in marks.windows(2).zip(&strand.gaps) {
                if self.paths.get(*gap) == Path::Empty {
                    self.unite(pair[0], pair[1]);
                }
            }
            self.strands.push((marks, strand));
        }
    }

    /// The strands of the clause, and the premises' strands that are left out; its head's states are these variables.
    pub fn strands(mut self, heads: &[VarId]) -> (Vec<Strand>, Vec<usize>) {
        let heads: Few<usize> = heads.iter().map(|var| self.number(*var)).collect();
        let heads: Few<usize> = heads.into_iter().map(|number| self.find(number)).collect();
        let (moments, left_out) = self.moments();
        let is_moment = |at: &usize| self.find(*at) == *at;
        let first = (0..moments.len()).filter(|at| is_moment(at) && !moments[*at].has_previous);
        let others = (0..moments.len()).filter(|at| is_moment(at) && moments[*at].has_previous);
        let order: Few<usize> = first.chain(others).collect();
        let mut seen: Few<bool> = SmallVec::from_elem(false, moments.len());
        let mut found = Vec::new();
        for root in order {
            if !seen[root] {
                found.extend(self.chain(&moments, &heads, root, &mut seen));
            }
        }
        if found.is_empty() {
            let complete = self.strands.into_iter().filter(|(marks, _)| marks.is_empty());
            found.extend(complete.map(|(_, strand)| strand.into_owned()));
        }
        (found, left_out)
    }

    /// What is known of the moments, and the strands that have a gap for which there is no room.
    fn moments(&self) -> (Vec<Moment>, Vec<usize>) {
        let mut moments: Vec<Moment> = self.parents.iter().map(|_| Moment::default()).collect();
        let mut left_out = Vec::new();
        let others = (0..self.strands.len()).filter(|number| Some(*number) != self.preferred);
        let preferred = self.preferred.filter(|number| *number < self.strands.len());
        for number in preferred.into_iter().chain(others) {
            let (marks, strand) = &self.strands[number];
            let marks: Few<usize> = marks.iter().map(|number| self.find(*number)).collect();
            let Some((&first, &last)) = marks.first().zip(marks.last()) else { continue };
            moments[first].before.extend(strand.before.map(|path| (first == last, path)));
            moments[last].after.extend(strand.after.map(|path| (first == last, path)));
            for (pair, &gap) in marks.windows(2).zip(&strand.gaps) {
                let (a, b) = (pair[0], pair[1]);
                if a == b {
                    if self.paths.get(gap) != Path::Empty {
                        moments[a].loops.push(gap);
                    }
                } else if moments[a].next.is_none() && !moments[b].has_previous {
                    moments[a].next = Some((b, gap));
                    moments[b].has_previous = true;
                } else if moments[a].next != Some((b, gap)) && !left_out.contains(&number) {
                    left_out.push(number);
                }
            }
        }
        (moments, left_out)
    }

    /// The strand of the chain that begins at a moment.
    fn chain(
        &mut self,
        moments: &[Moment],
        heads: &[usize],
        root: usize,
        seen: &mut [bool],
    ) -> Option<Strand> {
        let pick = |known: &[Known]| known.iter().find(|k| k.0).or(known.first()).map(|k| k.1);
        let mut items = Vec::new();
        let mut at = root;
        let end = loop {
            seen[at] = true;
            items.extend(moments[at].loops.iter().map(|path| Item::Piece(*path)));
            let marks = heads.iter().enumerate().filter(|(_, moment)| **moment == at);
            items.extend(marks.map(|(n, _)| Item::Mark(n)));
            match moments[at].next {
                Some((to, path)) if !seen[to] => {
                    items.push(Item::Piece(path));
                    at = to;
                }
                _ => break pick(&moments[at].after),
            }
        };
        let items = self.fold(items);
        self.strand(items, pick(&moments[root].before), end)
    }

    /// Makes one piece of each call that is over, unless a mark of the head lies inside.
    fn fold(&mut self, items: Vec<Item>) -> Vec<Item> {
        let is_return = |item: &Item| match item {
            Item::Piece(path) => matches!(self.paths.get(*path), Path::Return { .. }),
            Item::Mark(_) => false,
        };
        if !items.iter().any(is_return) {
            return items;
        }
        let mut folded: Vec<Item> = Vec::new();
        for item in items {
            if let Item::Piece(path) = &item
                && let Path::Return { call: known, exit, after } = self.paths.get(*path)
                && let Some((at, call, entry)) = self.last_call(&folded)
                && known.is_none_or(|known| known == call)
            {
                let mut inner = self.paths.add(Path::Empty);
                for item in folded.drain(at..).skip(1) {
                    if let Item::Piece(path) = item {
                        inner = self.paths.sequence(inner, path);
                    }
                }
                folded.push(Item::Piece(self.paths.add(Path::Over { call, entry, inner, exit, after })));
                continue;
            }
            folded.push(item);
        }
        folded
    }

    /// The last call with no mark after it: its position, its state and the entry.
    fn last_call(&self, items: &[Item]) -> Option<(usize, StateId, StateId)> {
        for (at, item) in items.iter().enumerate().rev() {
            match item {
                Item::Mark(_) => return None,
                Item::Piece(path) => {
                    if let Path::Call(call, entry) = self.paths.get(*path) {
                        return Some((at, call, entry));
                    }
                }
            }
        }
        None
    }

    /// A chain as a strand; none if it says nothing.
    fn strand(&mut self, items: Vec<Item>, before: Option<PathId>, end: Option<PathId>) -> Option<Strand> {
        let mut strand = Strand { before, ..Strand::default() };
        let mut piece: Option<PathId> = None;
        for item in items {
            match item {
                Item::Piece(path) => piece = self.paths.join(piece, Some(path)),
                Item::Mark(n) if strand.marks.is_empty() => {
                    strand.before = self.paths.join(strand.before, piece.take());
                    strand.marks.push(n);
                }
                Item::Mark(n) => {
                    let gap = piece.take().unwrap_or_else(|| self.paths.add(Path::Empty));
                    strand.gaps.push(gap);
                    strand.marks.push(n);
                }
            }
        }
        let rest = self.paths.join(piece, end);
        if strand.marks.is_empty() {
            strand.before = self.paths.join(strand.before, rest);
            return strand.before.is_some_and(|path| self.paths.starts(path)).then_some(strand);
        }
        strand.after = rest;
        let says = strand.before.is_some() || strand.after.is_some() || strand.marks.len() > 1;
        says.then_some(strand)
    }
}

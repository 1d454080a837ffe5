//! The contexts behind an answer about rounds, found among the facts of its derivation.
//!
//! `#rounds i, t, G, H by Out` says which facts these are: `Out(s, j, X, Y)`, thread s finds X and leaves Y in j rounds. In the last
//! round i the thread t finds what threads to its left have handed on in i rounds, and those to its right have closed the loop in
//! i - 1 rounds: what the first one finds in a round is what the last one has left in the round before. Such chains of facts are
//! searched for, the longest first; whether they are a run is for the replay to say.

use super::contexts::{Contexts, Segment};
use super::question::Question;
use crate::formula::notes::{Counts, RoundsNote};
use calculus::system::{BinderId, VarId};
use rustc_hash::FxHashMap;
use solver::Halt;

/// More chains than this are not looked at.
const MOST_CHAINS: usize = 1 << 12;

/// So many ways to put them together are tried.
const MOST_WAYS: usize = 16;

/// What a thread does in some rounds: for each of them what it finds and what it leaves.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Turns {
    thread: u32,
    finds: Vec<Vec<u64>>,
    leaves: Vec<Vec<u64>>,
}

/// The contexts that may be behind the last answer, the likeliest first; none if the formula has no note about them.
pub(super) fn find(question: &mut Question) -> Result<Vec<Contexts>, Halt> {
    let Some(note) = question.checked.notes.rounds else { return Ok(Vec::new()) };
    let (binders, matrix) = question.checked.matrix();
    let Some(found) = question.solver.found(&binders, matrix)? else { return Ok(Vec::new()) };
    let values: FxHashMap<VarId, u32> = found.into_iter().collect();
    let Some(derivation) = question.solver.explain_found(&binders, matrix)? else { return Ok(Vec::new()) };
    let tuples = derivation.steps.iter().filter(|step| step.relation == note.turns);
    let facts: Vec<&[u32]> = tuples.map(|step| &step.tuple[..]).collect();
    let reader = Reader { question, note, values };
    Ok(reader.contexts(&facts))
}

struct Reader<'q, 'a, 's, 'r> {
    question: &'q Question<'a, 's, 'r>,
    note: RoundsNote,
    /// Those of the query's variables.
    values: FxHashMap<VarId, u32>,
}

impl Reader<'_, '_, '_, '_> {
    fn leaves(&self, binder: BinderId) -> &[VarId] {
        &self.question.checked.system.binders[binder.index()].leaves
    }

    /// The values of a variable of the query.
    fn read(&self, binder: BinderId) -> Vec<u32> {
        self.leaves(binder).iter().map(|leaf| self.values[leaf]).collect()
    }

    /// The shared values of rounds 1 to `n` in a vector.
    fn vector(&self, bits: &[u32], n: u32) -> Vec<Vec<u64>> {
        let width = self.question.templates.slots.shared.len();
        let round = |r: usize| self.question.templates.shared_values(&bits[r * width..(r + 1) * width]);
        (1..=n as usize).map(round).collect()
    }

    /// What a fact says, if it is about so many rounds and the thread changes something.
    fn turns(&self, tuple: &[u32], n: u32) -> Option<Turns> {
        let params = &self.question.checked.system.relation(self.note.turns).params;
        let mut at = 0;
        let mut parts = params.iter().map(|param| {
            let width = self.leaves(*param).len();
            at += width;
            &tuple[at - width..at]
        });
        let (thread, round) = (parts.next()?[0], parts.next()?[0]);
        let (finds, leaves) = (parts.next()?, parts.next()?);
        let turns = (round == n).then(|| Turns {
            thread,
            finds: self.vector(finds, n),
            leaves: self.vector(leaves, n),
        })?;
        (turns.finds != turns.leaves).then_some(turns)
    }

    fn contexts(&self, facts: &[&[u32]]) -> Vec<Contexts> {
        let (thread, round) = (self.read(self.note.thread)[0], self.read(self.note.round)[0]);
        if round == 0 {
            // The target is a thread's first statement.
            let mut contexts = Contexts::default();
            contexts.push(self.instance(thread, &mut Vec::new()), Segment { enters: None, leaves: None });
            return vec![contexts];
        }
        let own = Turns {
            thread,
            finds: self.vector(&self.read(self.note.finds), round),
            leaves: self.vector(&self.read(self.note.leaves), round - 1),
        };
        let of_level = |n: u32| {
            let mut turns: Vec<Turns> = facts.iter().filter_map(|fact| self.turns(fact, n)).collect();
            let mut seen = rustc_hash::FxHashSet::default();
            turns.retain(|turns| seen.insert(turns.clone()));
            turns
        };
        let (left, right) = (of_level(round), if round > 1 { of_level(round - 1) } else { Vec::new() });
        let lefts = self.chains(&left, &own, Side::Left);
        let rights = self.chains(&right, &own, Side::Right);
        let mut ways: Vec<(&Vec<usize>, &Vec<usize>)> = Vec::new();
        for a in &lefts {
            let first = a.first().map_or(&own.finds, |n| &left[*n].finds);
            let closes = |b: &&Vec<usize>| {
                let last = b.last().map_or(&own.leaves, |n| &right[*n].leaves);
                let is_apart =
                    a.iter().all(|x| b.iter().all(|y| self.may_both(left[*x].thread, right[*y].thread)));
                is_apart && first[1..] == last[..]
            };
            ways.extend(rights.iter().filter(closes).map(|b| (a, b)));
        }
        ways.sort_by_key(|(a, b)| std::cmp::Reverse(a.len() + b.len()));
        let pick = |turns: &[Turns], chain: &[usize]| chain.iter().map(|n| turns[*n].clone()).collect();
        let ways = ways.into_iter().take(MOST_WAYS);
        ways.map(|(a, b)| self.arrange(pick(&left, a), own.clone(), pick(&right, b), round as usize))
            .collect()
    }

    /// Two threads may both take part: they differ, or one stands for any number.
    fn may_both(&self, a: u32, b: u32) -> bool {
        a != b || self.threads().instances[a as usize].copy.is_none()
    }

    /// Threads may stand in this order.
    fn may_follow(&self, a: u32, b: u32) -> bool {
        let counts = self.question.checked.notes.bound.as_ref().map(|bound| bound.counts);
        self.may_both(a, b) && (counts == Some(Counts::AnyOrder) || a < b)
    }

    /// All chains of facts that end at, or begin with, what the thread that reaches the target finds, or leaves; the empty one too.
    fn chains(&self, turns: &[Turns], own: &Turns, side: Side) -> Vec<Vec<usize>> {
        let mut chains: Vec<Vec<usize>> = vec![Vec::new()];
        let mut next = 0;
        while let Some(chain) = chains.get(next).cloned() {
            next += 1;
            let end = match (side, chain.first(), chain.last()) {
                (Side::Left, Some(first), _) => (turns[*first].thread, &turns[*first].finds),
                (Side::Right, _, Some(last)) => (turns[*last].thread, &turns[*last].leaves),
                (Side::Left, ..) => (own.thread, &own.finds),
                (Side::Right, ..) => (own.thread, &own.leaves),
            };
            for (n, fact) in turns.iter().enumerate() {
                let fits = match side {
                    Side::Left => fact.leaves == *end.1 && self.may_follow(fact.thread, end.0),
                    Side::Right => fact.finds == *end.1 && self.may_follow(end.0, fact.thread),
                };
                let is_new = chain.iter().all(|m| *m != n && self.may_both(turns[*m].thread, fact.thread));
                if fits && is_new && self.may_both(own.thread, fact.thread) && chains.len() < MOST_CHAINS {
                    let at = if side == Side::Left { 0 } else { chain.len() };
                    let mut longer = chain.clone();
                    longer.insert(at, n);
                    chains.push(longer);
                }
            }
        }
        chains
    }

    fn threads(&self) -> &templates::Threads<'_> {
        self.question.templates.threads.as_ref().expect("a question about threads")
    }

    /// A thread by its block and copy; of a block of any number each time a new one.
    fn instance(&self, thread: u32, used: &mut Vec<usize>) -> (usize, u32) {
        let instance = self.threads().instances[thread as usize];
        let copy = instance.copy.unwrap_or_else(|| {
            used.push(instance.block);
            used.iter().filter(|block| **block == instance.block).count() as u32 - 1
        });
        (instance.block, copy)
    }

    /// Puts the turns of all threads in the order of the run.
    fn arrange(&self, left: Vec<Turns>, own: Turns, right: Vec<Turns>, n_rounds: usize) -> Contexts {
        let initial = left.first().unwrap_or(&own).finds.first().cloned();
        let goal = left.len();
        let mut used = Vec::new();
        let all: Vec<(Turns, (usize, u32))> = left
            .into_iter()
            .chain([own])
            .chain(right)
            .map(|turns| {
                let instance = self.instance(turns.thread, &mut used);
                (turns, instance)
            })
            .collect();
        let mut contexts = Contexts { initial, ..Contexts::default() };
        for round in 0..n_rounds {
            let last = if round + 1 == n_rounds { goal + 1 } else { all.len() };
            for (turns, instance) in &all[..last] {
                let segment = Segment {
                    enters: turns.finds.get(round).cloned(),
                    leaves: turns.leaves.get(round).cloned(),
                };
                contexts.push(*instance, segment);
            }
        }
        contexts
    }
}

/// Where a chain stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// Before the thread that reaches the target.
    Left,
    /// Behind it.
    Right,
}

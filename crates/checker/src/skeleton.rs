//! The shortest way from an initial state to where a derivation leads, through its facts.
//!
//! Calls and returns must match, so this is a small recursive reachability problem over concrete states, solved by
//! cheapest pairs first (Knuth's generalisation of Dijkstra's algorithm). Whatever formula made the derivation, a way that is found
//! here is one of the program; runs of functions that occur twice are shared.

use crate::facts::{Facts, StateId};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A step of a run of one function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SkeletonStep {
    /// A step inside the function, to this state.
    Step(StateId),
    /// A call: the whole run of the callee, and the state after it.
    Call { run: usize, after: StateId },
}

/// A run of one function from its entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SkeletonRun {
    pub entry: StateId,
    pub steps: Vec<SkeletonStep>,
}

/// The way: runs, shared; the last run of `open` is where it ends, each one before it ends at the call that enters the next.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Skeleton {
    pub runs: Vec<SkeletonRun>,
    pub open: Vec<usize>,
    /// If it does not end: where the part begins that is taken again and again.
    pub head: Option<Head>,
}

/// A moment of a way at which a function runs that stays open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Head {
    /// The run, a position in `open`.
    pub open: usize,
    /// How many of its steps have been taken.
    pub steps: usize,
}

impl SkeletonRun {
    /// The state at its end.
    pub fn end(&self) -> StateId {
        match self.steps.last() {
            Some(SkeletonStep::Step(after) | SkeletonStep::Call { after, .. }) => *after,
            None => self.entry,
        }
    }
}

impl Skeleton {
    /// The state at its end.
    pub fn end(&self) -> Option<StateId> {
        self.open.last().map(|run| self.runs[*run].end())
    }

    /// How many steps it has, those of runs that occur twice counted each time.
    pub fn n_steps(&self) -> u128 {
        let mut lengths: Vec<u128> = Vec::with_capacity(self.runs.len());
        for run in &self.runs {
            let length = |step: &SkeletonStep| match step {
                SkeletonStep::Step(_) => 1,
                SkeletonStep::Call { run, .. } => lengths[*run].saturating_add(2),
            };
            lengths.push(run.steps.iter().map(length).fold(0, u128::saturating_add));
        }
        let calls = self.open.len().saturating_sub(1) as u128;
        self.open.iter().map(|run| lengths[*run]).fold(calls, u128::saturating_add)
    }
}

/// An entry and a state of the same run.
type Pair = (StateId, StateId);

/// How a pair was reached.
#[derive(Clone, Copy, Debug)]
enum Parent {
    Start,
    Step(StateId),
    Call { x: StateId, y: StateId, z: StateId },
}

struct Search<'f> {
    facts: &'f Facts,
    steps: FxHashMap<StateId, Vec<StateId>>,
    calls: FxHashMap<StateId, Vec<StateId>>,
    returns: FxHashMap<(StateId, StateId), Vec<StateId>>,
    best: FxHashMap<Pair, (u128, Parent)>,
    settled: FxHashMap<Pair, u128>,
    /// Settled pairs at calls into an entry, and settled pairs of an entry.
    callers: FxHashMap<StateId, Vec<Pair>>,
    of_entry: FxHashMap<StateId, Vec<StateId>>,
    queue: BinaryHeap<Reverse<(u128, Pair)>>,
    runs: FxHashMap<Pair, usize>,
    skeleton: Skeleton,
}

/// The cheapest way to one of some states; `None` if the facts contain none.
pub(crate) fn find(facts: &Facts, ends: &[StateId]) -> Option<Skeleton> {
    let mut search = Search::new(facts);
    search.settle_all();
    search.extract(ends)
}

impl<'f> Search<'f> {
    fn new(facts: &'f Facts) -> Self {
        let mut search = Self {
            facts,
            steps: FxHashMap::default(),
            calls: FxHashMap::default(),
            returns: FxHashMap::default(),
            best: FxHashMap::default(),
            settled: FxHashMap::default(),
            callers: FxHashMap::default(),
            of_entry: FxHashMap::default(),
            queue: BinaryHeap::new(),
            runs: FxHashMap::default(),
            skeleton: Skeleton::default(),
        };
        for &(x, v) in &facts.steps {
            search.steps.entry(x).or_default().push(v);
        }
        for &(x, y) in &facts.calls {
            search.calls.entry(x).or_default().push(y);
        }
        for &(x, z, v) in &facts.returns {
            search.returns.entry((x, z)).or_default().push(v);
        }
        for &u in &facts.initial {
            search.relax((u, u), 0, Parent::Start);
        }
        search
    }

    fn relax(&mut self, pair: Pair, cost: u128, parent: Parent) {
        if self.best.get(&pair).is_none_or(|known| cost < known.0) {
            self.best.insert(pair, (cost, parent));
            self.queue.push(Reverse((cost, pair)));
        }
    }

    fn settle_all(&mut self) {
        while let Some(Reverse((cost, pair))) = self.queue.pop() {
            if self.settled.contains_key(&pair) {
                continue;
            }
            self.settled.insert(pair, cost);
            let (entry, x) = pair;
            self.of_entry.entry(entry).or_default().push(x);
            for v in self.steps.get(&x).cloned().unwrap_or_default() {
                self.relax((entry, v), cost.saturating_add(1), Parent::Step(x));
            }
            for y in self.calls.get(&x).cloned().unwrap_or_default() {
                self.callers.entry(y).or_default().push(pair);
                self.relax((y, y), 0, Parent::Start);
                for z in self.of_entry.get(&y).cloned().unwrap_or_default() {
                    self.come_back(pair, y, z);
                }
            }
            for caller in self.callers.get(&entry).cloned().unwrap_or_default() {
                self.come_back(caller, entry, x);
            }
        }
    }

    /// The run from `y` to `z`, if `z` is an exit, ends the call at the end of `caller`.
    fn come_back(&mut self, caller: Pair, y: StateId, z: StateId) {
        let (entry, x) = caller;
        let Some(after) = self.returns.get(&(x, z)).cloned() else { return };
        let cost = self.settled[&caller].saturating_add(self.settled[&(y, z)]).saturating_add(2);
        for v in after {
            self.relax((entry, v), cost, Parent::Call { x, y, z });
        }
    }

    /// The cheapest chain of entries to a pair at one of the ends.
    fn extract(mut self, ends: &[StateId]) -> Option<Skeleton> {
        let mut cost_of: FxHashMap<StateId, (u128, Option<Pair>)> = FxHashMap::default();
        let mut queue = BinaryHeap::new();
        for &u in &self.facts.initial {
            cost_of.insert(u, (0, None));
            queue.push(Reverse((0u128, u)));
        }
        while let Some(Reverse((cost, entry))) = queue.pop() {
            if cost_of[&entry].0 < cost {
                continue;
            }
            for &x in self.of_entry.get(&entry).into_iter().flatten() {
                let reached = cost.saturating_add(self.settled[&(entry, x)]).saturating_add(1);
                for &y in self.calls.get(&x).into_iter().flatten() {
                    if cost_of.get(&y).is_none_or(|known| reached < known.0) {
                        cost_of.insert(y, (reached, Some((entry, x))));
                        queue.push(Reverse((reached, y)));
                    }
                }
            }
        }
        let mut last: Option<(u128, Pair)> = None;
        for (&entry, &(cost, _)) in &cost_of {
            for &end in ends {
                if let Some(&own) = self.settled.get(&(entry, end)) {
                    let found = (cost.saturating_add(own), (entry, end));
                    last = Some(last.map_or(found, |known| known.min(found)));
                }
            }
        }
        let mut chain = vec![last?.1];
        while let Some(caller) = cost_of[&chain[chain.len() - 1].0].1 {
            chain.push(caller);
        }
        let open: Vec<usize> = chain.into_iter().rev().map(|pair| self.run(pair)).collect();
        self.skeleton.open = open;
        Some(self.skeleton)
    }

    /// The number of the run that a pair stands for; runs that it calls come before it.
    fn run(&mut self, pair: Pair) -> usize {
        let mut stack = vec![pair];
        while let Some(&pair) = stack.last() {
            if self.runs.contains_key(&pair) {
                stack.pop();
                continue;
            }
            let missing: Vec<Pair> =
                self.called(pair).filter(|called| !self.runs.contains_key(called)).collect();
            if missing.is_empty() {
                let run = self.build(pair);
                self.runs.insert(pair, self.skeleton.runs.len());
                self.skeleton.runs.push(run);
                stack.pop();
            } else {
                stack.extend(missing);
            }
        }
        self.runs[&pair]
    }

    /// The pairs on the way to a pair, from the last to the first.
    fn way(&self, pair: Pair) -> impl Iterator<Item = (StateId, Parent)> {
        let mut at = Some(pair.1);
        std::iter::from_fn(move || {
            let state = at?;
            let parent = self.best[&(pair.0, state)].1;
            at = match parent {
                Parent::Start => None,
                Parent::Step(x) | Parent::Call { x, .. } => Some(x),
            };
            Some((state, parent))
        })
    }

    /// The runs that the way to a pair calls.
    fn called(&self, pair: Pair) -> impl Iterator<Item = Pair> {
        self.way(pair).filter_map(|(_, parent)| match parent {
            Parent::Call { y, z, .. } => Some((y, z)),
            _ => None,
        })
    }

    fn build(&self, pair: Pair) -> SkeletonRun {
        let steps = self.way(pair).filter_map(|(state, parent)| match parent {
            Parent::Start => None,
            Parent::Step(_) => Some(SkeletonStep::Step(state)),
            Parent::Call { y, z, .. } => Some(SkeletonStep::Call { run: self.runs[&(y, z)], after: state }),
        });
        let mut steps: Vec<SkeletonStep> = steps.collect();
        steps.reverse();
        SkeletonRun { entry: pair.0, steps }
    }
}

//! Of the runs with the fewest switches or rounds one with the fewest steps.
//!
//! Pairs of a configuration and the thread that is active in it, in the order of what they cost and then of the steps that lead
//! there. Here a move has a length, and there is one more kind: a thread that is not needed any more is left as soon as it may be,
//! instead of where others notice its next step; then it is done. Contract: no run with as few switches, or rounds, has fewer steps,
//! unless calls were left out.

use super::levels::{Search, place};
use super::origins::Pair;
use super::run;
use super::steps::{DONE, START, Steps, Tables};
use super::{AnyNumber, Cost, Question, Settings, counts};
use crate::{Limits, Stopped};
use rsm::interleave::{World, is_free};
use rsm::trace::Trace;
use rsm::{Reductions, ThreadGoal};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

/// A run, and whether none is shorter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shortest {
    /// The run.
    pub trace: Trace,
    /// Calls were left out, so that there may be a shorter one.
    pub is_cut: bool,
}

/// Of the runs to one of the targets with as few switches or rounds as possible one with as few steps as possible.
pub fn shortest(
    question: &Question<'_>,
    settings: Settings,
    limits: &Limits<'_>,
) -> Result<Result<Option<Shortest>, Stopped>, AnyNumber> {
    let all = Settings { reductions: Reductions::NONE, ..settings };
    match shortest_by(question, settings, limits)? {
        // The first values of a variable that does not matter at first may matter later: then all of them are looked at.
        Err(Stopped::Untaken) if settings != all => shortest_by(question, all, limits),
        found => Ok(found),
    }
}

fn shortest_by(
    question: &Question<'_>,
    settings: Settings,
    limits: &Limits<'_>,
) -> Result<Result<Option<Shortest>, Stopped>, AnyNumber> {
    let counts = counts(question)?;
    let goals: Vec<ThreadGoal> = question.targets.iter().flatten().copied().collect();
    let one = Question { targets: &[goals], ..*question };
    // The steps inside a call count, too.
    let settings = Settings { lazy_start: true, summaries: false, ..settings };
    let mut search = Search::new(&one, settings, &counts, false);
    let mut paths = Paths::new(question);
    Ok(paths.find(&mut search, limits).and_then(|hit| match hit {
        None => Ok(None),
        Some((pair, path)) => {
            let trace = run::along(&mut search, path, pair, limits.max_steps)?;
            Ok(trace.map(|trace| Shortest { trace, is_cut: paths.is_cut }))
        }
    }))
}

/// Where a thread may get to, with the number of steps.
#[derive(Default)]
struct Lengths {
    moves: Vec<(u32, u32, u32)>,
    /// The steps to the nearest goal of each copy, or of any.
    goals: Vec<(Option<u32>, u32)>,
    is_cut: bool,
}

impl Lengths {
    /// The steps to the nearest goal of a thread that is this copy.
    fn to_goal(&self, copy: u32) -> Option<u32> {
        let goals = self.goals.iter().filter(|(wanted, _)| wanted.is_none_or(|wanted| wanted == copy));
        goals.map(|(_, length)| *length).min()
    }
}

/// Switches or rounds, then steps.
type Price = (u32, u64);

/// What is looked at next, in order: what it costs, a number that decides between equals, and where.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Next {
    price: Price,
    number: usize,
    is_goal: bool,
}

/// A configuration with the thread that is active in it; none at the start.
struct Node {
    configuration: usize,
    active: Option<usize>,
    /// The node before, and the thread that moved from there.
    from: Option<(usize, usize)>,
}

/// A hit and the moves that lead there: who moved, and where that led.
type Hit = (Pair, Vec<(Pair, usize)>);

/// A search under way.
struct Paths {
    bound: u32,
    cost: Cost,
    nodes: Vec<Node>,
    queue: BinaryHeap<Reverse<Next>>,
    settled: FxHashSet<(usize, Option<usize>)>,
    lengths: FxHashMap<(u32, u32, u32), Rc<Lengths>>,
    is_cut: bool,
    n_looks: u64,
}

impl Paths {
    fn new(question: &Question<'_>) -> Self {
        Self {
            bound: question.bound.unwrap_or(u32::MAX),
            cost: question.cost,
            nodes: Vec::new(),
            queue: BinaryHeap::new(),
            settled: FxHashSet::default(),
            lengths: FxHashMap::default(),
            is_cut: false,
            n_looks: 0,
        }
    }

    fn find(&mut self, search: &mut Search<'_>, limits: &Limits<'_>) -> Result<Option<Hit>, Stopped> {
        search.first_configurations(limits)?;
        for configuration in 0..search.store.len() {
            self.push(Node { configuration, active: None, from: None }, (0, 0), false);
        }
        while let Some(Reverse(Next { price, number, is_goal })) = self.queue.pop() {
            let Node { configuration, active, .. } = self.nodes[number];
            if is_goal {
                return Ok(Some(self.hit(number)));
            }
            if self.settled.insert((configuration, active)) {
                self.expand(search, number, price, limits)?;
            }
        }
        Ok(None)
    }

    fn push(&mut self, node: Node, price: Price, is_goal: bool) {
        if is_goal || !self.settled.contains(&(node.configuration, node.active)) {
            self.queue.push(Reverse(Next { price, number: self.nodes.len(), is_goal }));
            self.nodes.push(node);
        }
    }

    fn expand(
        &mut self,
        search: &mut Search<'_>,
        number: usize,
        (cost, n_steps): Price,
        limits: &Limits<'_>,
    ) -> Result<(), Stopped> {
        let Node { configuration, active, .. } = self.nodes[number];
        let mut numbers = Vec::new();
        search.store.read(configuration, &mut numbers);
        for thread in search.standing(configuration) {
            let (block, copy) = search.roles[thread];
            let lengths = self.lengths(search, (block, numbers[0], numbers[thread + 1]), limits)?;
            self.is_cut |= lengths.is_cut;
            let from = Some((number, thread));
            let spent = self.spent(cost, active, thread);
            if let Some(length) = lengths.to_goal(copy) {
                // Who is at a target before the first round needs none.
                let spent = if length == 0 && active.is_none() { 0 } else { spent };
                if spent <= self.bound {
                    let goal = Node { configuration, active: Some(thread), from };
                    self.push(goal, (spent, n_steps + u64::from(length)), true);
                }
            }
            if spent > self.bound {
                continue;
            }
            search.fit();
            for (shared, local, length) in &lengths.moves {
                let mut after = numbers.clone();
                after[0] = *shared;
                let active = place(&mut after[1..], &search.groups[thread], thread, *local);
                let (configuration, _) = search.store.insert(&after);
                let node = Node { configuration, active: Some(active), from };
                self.push(node, (spent, n_steps + u64::from(*length)), false);
            }
        }
        self.look(search, limits)
    }

    /// What has been spent once the thread goes on in place of another.
    fn spent(&self, cost: u32, active: Option<usize>, thread: usize) -> u32 {
        match (self.cost, active) {
            (Cost::Switches, None) => cost,
            (Cost::Switches, Some(active)) => cost + u32::from(active != thread),
            (Cost::Rounds, None) => cost + 1,
            (Cost::Rounds, Some(active)) => cost + u32::from(thread < active),
        }
    }

    fn look(&mut self, search: &Search<'_>, limits: &Limits<'_>) -> Result<(), Stopped> {
        self.n_looks += 1;
        let n_nodes = self.nodes.len();
        if n_nodes as u64 > limits.max_states {
            return Err(Stopped::States);
        }
        let bytes = n_nodes * (size_of::<Node>() + size_of::<Next>()) + search.store.bytes();
        if bytes as u64 > limits.bytes() {
            return Err(Stopped::Memory);
        }
        match limits.stop.requested() {
            Some(reason) if self.n_looks.is_multiple_of(1 << 8) => Err(Stopped::Requested(reason)),
            _ => Ok(()),
        }
    }

    /// The way to a goal.
    fn hit(&self, goal: usize) -> Hit {
        let (before, thread) = self.nodes[goal].from.expect("somebody reaches the goal");
        let pair = Pair { configuration: self.nodes[before].configuration, thread };
        let (mut path, mut at) = (Vec::new(), before);
        while let Some((from, thread)) = self.nodes[at].from {
            let pair = Pair { configuration: self.nodes[from].configuration, thread };
            path.push((pair, self.nodes[at].configuration));
            at = from;
        }
        path.reverse();
        (pair, path)
    }

    fn lengths(
        &mut self,
        search: &mut Search<'_>,
        key: (u32, u32, u32),
        limits: &Limits<'_>,
    ) -> Result<Rc<Lengths>, Stopped> {
        if let Some(known) = self.lengths.get(&key) {
            return Ok(known.clone());
        }
        let lengths = Rc::new(walk(&mut search.tables, key, limits)?);
        self.lengths.insert(key, lengths.clone());
        Ok(lengths)
    }
}

/// The moves of a thread with the fewest steps of each, breadth first.
fn walk(
    tables: &mut Tables<'_>,
    (block, shared, local): (u32, u32, u32),
    limits: &Limits<'_>,
) -> Result<Lengths, Stopped> {
    let mut found = Lengths::default();
    let mut known: FxHashSet<(World, bool)> = FxHashSet::default();
    let mut reached = FxHashSet::default();
    // A thread that has not run goes on to its first stop, and the move begins there.
    let mut layer: Vec<(World, bool)> =
        tables.beginnings(block, shared, local)?.into_iter().map(|world| (world, local != START)).collect();
    let mut length = 0;
    while !layer.is_empty() {
        let mut next = Vec::new();
        for (world, has_begun) in layer {
            for (_, goal) in tables.goals_at(&world)? {
                if found.goals.iter().all(|(copy, _)| *copy != goal.copy) {
                    found.goals.push((goal.copy, length));
                }
            }
            let is_stop = tables.is_stop(&world);
            let is_moving = has_begun && length > 0;
            if is_moving && is_free(tables.program, &world.threads[0]) {
                // Who is not needed any more is left at once.
                let left = (tables.shared_number(world.shared.clone()), DONE);
                let stop = is_stop.then(|| tables.numbers(world.clone()));
                for (shared, local) in stop.into_iter().chain([left]) {
                    if reached.insert((shared, local)) {
                        found.moves.push((shared, local, length));
                    }
                }
            }
            if is_stop && is_moving {
                continue;
            }
            let Steps { steps, is_cut } = tables.steps(&world)?;
            found.is_cut |= is_cut;
            for (_, after) in steps {
                let after = (after, has_begun || is_stop);
                if known.insert(after.clone()) {
                    next.push(after);
                }
            }
        }
        if let Some(reason) = limits.stop.requested() {
            return Err(Stopped::Requested(reason));
        }
        (layer, length) = (next, length + 1);
    }
    Ok(found)
}

//! Infinite runs of programs with threads: a way to a head, and a cycle after which everything is as it was.
//!
//! The steps from the head on stand for an infinite run if there is at least one, and at the end
//!
//! 1. the shared values and the private values of every thread are those of the head;
//! 2. the stack of every thread is that of the head; or it has the same function on top, at the same node, with the same locals, and
//!    was never lower in between;
//! 3. the thread of the first step may become active in place of that of the last one.
//!
//! Then the same steps can be taken again with the same choices, and so on for ever; what a round leaves on a stack is its growth. What
//! an observer makes of such a run, and what the schedule does to each thread, is said here by definition, step by step.

use super::super::replay::wrong;
use super::super::{End, ReplayError, Trace};
use super::LONGEST;
use crate::concurrent::Concurrent;
use crate::interleave::view::{turn_to, view};
use crate::interleave::{
    InCycle, Scheduler, ThreadId, World, has_move, is_allowed, is_free, is_initial, may_switch,
};
use crate::machine::EdgeId;
use crate::observe::{Letter, Marks, Observer};
use crate::step::State;
use base::Components;
use rustc_hash::FxHashMap;

/// The most states that are looked at to see whether a thread can move.
const MOST_STATES: usize = 1 << 16;

/// What a cycle of threads is like.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThreadCycle {
    /// What happens to each thread.
    pub threads: Vec<InCycle>,
    /// How many frames a round leaves on the stack of each thread.
    pub growth: Vec<usize>,
    /// Somebody is inside an atomic region all the time.
    pub is_inside: bool,
    /// The states of the observer along the run, as it may go along: before the first step, and after each.
    pub observer: Vec<u32>,
}

impl ThreadCycle {
    /// The schedule is one that is allowed.
    pub fn is_fair(&self, scheduler: Scheduler) -> bool {
        self.is_inside || self.threads.iter().all(|thread| scheduler.allows(*thread))
    }

    /// The threads that a scheduler would not allow to be forgotten like this.
    pub fn forgotten(&self, scheduler: Scheduler) -> Vec<ThreadId> {
        let is_forgotten = |thread: &usize| !self.is_inside && !scheduler.allows(self.threads[*thread]);
        (0..self.threads.len()).filter(is_forgotten).map(ThreadId::new).collect()
    }
}

/// A run of threads, step by step.
struct Steps<'a> {
    program: &'a Concurrent,
    world: World,
    active: Option<ThreadId>,
}

impl Steps<'_> {
    /// A step of a thread, which may have to become active first.
    fn take(&mut self, thread: ThreadId, edge: EdgeId, after: &State) -> Result<(), ReplayError> {
        self.activate(thread)?;
        let state = &self.world.threads[thread.index()];
        let seen = view(self.program, state.block, &self.world.shared, &state.private, &state.stack);
        let Some(turn) = turn_to(self.program, &seen, edge, after)? else {
            return wrong("the program cannot take this step");
        };
        self.world.take(self.program, thread, edge, turn, after.clone());
        Ok(())
    }

    fn activate(&mut self, thread: ThreadId) -> Result<(), ReplayError> {
        if thread.index() >= self.world.threads.len() {
            return wrong(format!("there is no thread {}", thread.0));
        }
        let left = self.active.replace(thread).filter(|left| *left != thread);
        if left.is_some_and(|left| !may_switch(self.program, &self.world, left)) {
            return wrong("the thread that is left is in an atomic region");
        }
        match is_allowed(self.program, &self.world, thread)? {
            true => Ok(()),
            false => wrong("the thread cannot become active where its `enforce` fails"),
        }
    }
}

/// A cycle that is gone round.
struct Turning {
    head: World,
    first: ThreadId,
    cycle: ThreadCycle,
    /// Of each thread whether its stack was lower than at the head.
    was_lower: Vec<bool>,
    able: FxHashMap<World, Vec<bool>>,
}

impl Turning {
    fn new(head: &World, first: ThreadId) -> Self {
        let n_threads = head.threads.len();
        let (threads, growth) = (vec![InCycle::default(); n_threads], vec![0; n_threads]);
        let cycle = ThreadCycle { threads, growth, is_inside: true, observer: Vec::new() };
        let was_lower = vec![false; n_threads];
        Self { head: head.clone(), first, cycle, was_lower, able: FxHashMap::default() }
    }

    /// Looks at a world that a step of a thread is about to leave.
    fn look(&mut self, program: &Concurrent, world: &World, thread: ThreadId) -> Result<(), ReplayError> {
        self.cycle.threads[thread.index()].moves = true;
        if !world.threads.iter().all(|thread| is_free(program, thread)) {
            return Ok(());
        }
        self.cycle.is_inside = false;
        if !self.able.contains_key(world) {
            let threads = (0..world.threads.len()).map(ThreadId::new);
            let able: Result<Vec<bool>, _> =
                threads.map(|thread| has_move(program, world, thread, MOST_STATES)).collect();
            self.able.insert(world.clone(), able?);
        }
        for (thread, is_able) in self.cycle.threads.iter_mut().zip(&self.able[world]) {
            thread.can |= is_able;
            thread.cannot |= !is_able;
        }
        Ok(())
    }

    /// Looks at the stack of a thread that has taken a step.
    fn measure(&mut self, world: &World, thread: ThreadId) {
        let height = |world: &World| world.threads[thread.index()].stack.len();
        self.was_lower[thread.index()] |= height(world) < height(&self.head);
    }

    /// The end is as the head.
    fn close(mut self, world: &World) -> Result<ThreadCycle, ReplayError> {
        if world.shared != self.head.shared {
            return wrong("a shared variable has changed at the end of the cycle");
        }
        for (n, (before, after)) in self.head.threads.iter().zip(&world.threads).enumerate() {
            if before.private != after.private || before.stack.last() != after.stack.last() {
                return wrong(format!("thread {n} is somewhere else at the end of the cycle"));
            }
            if self.was_lower[n] && before.stack != after.stack {
                return wrong(format!("a function of thread {n} returns that was called before the cycle"));
            }
            self.cycle.growth[n] = after.stack.len() - before.stack.len();
        }
        Ok(self.cycle)
    }
}

impl Trace {
    /// Checks that this is an infinite run of a program with threads which the observer accepts; says what is wrong otherwise, and what
    /// its cycle is like.
    pub fn thread_cycle(
        &self,
        program: &Concurrent,
        observer: &Observer,
    ) -> Result<ThreadCycle, ReplayError> {
        let End::Cycle { first } = self.end else { return wrong("the run does not go on for ever") };
        let mut steps = self.begin(program)?;
        let mut turning: Option<Turning> = None;
        let (mut letters, mut n_stem) = (Vec::new(), 0);
        let mut walk = self.walk(&program.machine);
        while let Some(visit) = walk.next() {
            let number = walk.n_begun();
            if number > first && turning.is_none() {
                n_stem = letters.len();
                turning = Some(Turning::new(&steps.world, visit.thread));
            }
            if let Some(turning) = &mut turning {
                turning.look(program, &steps.world, visit.thread)?;
            }
            letters.push(observer.letter(program, &steps.world, visit.thread, visit.edge));
            steps
                .take(visit.thread, visit.edge, visit.after)
                .map_err(|e| e.at(format_args!("step {number}")))?;
            if let Some(turning) = &mut turning {
                turning.measure(&steps.world, visit.thread);
            }
        }
        let Some(turning) = turning else { return wrong("the cycle has no steps") };
        steps.activate(turning.first).map_err(|e| e.at("the end of the cycle"))?;
        let Some(observer) = accepted(observer, &letters, n_stem)? else {
            return wrong("the observer does not accept the run");
        };
        Ok(ThreadCycle { observer, ..turning.close(&steps.world)? })
    }

    /// Checks that this is a run of a program with threads after which the observer may be in a target state: its states along such a way,
    /// before the first step and after each.
    pub fn reaches_target(&self, program: &Concurrent, observer: &Observer) -> Result<Vec<u32>, ReplayError> {
        let mut steps = self.begin(program)?;
        // For each moment the states in which it may be, each with the position of the one before.
        let mut moments = vec![observer.initial.iter().map(|state| (*state, 0)).collect::<Vec<_>>()];
        let mut walk = self.walk(&program.machine);
        while let Some(visit) = walk.next() {
            let letter = observer.letter(program, &steps.world, visit.thread, visit.edge);
            let mut next: Vec<(u32, usize)> = Vec::new();
            for (position, (state, _)) in moments[moments.len() - 1].iter().enumerate() {
                let moves = observer.moves(*state, letter)?.into_iter();
                next.extend(moves.map(|(to, _)| (to, position)));
            }
            next.sort_unstable();
            next.dedup_by_key(|(state, _)| *state);
            moments.push(next);
            let number = walk.n_begun();
            steps
                .take(visit.thread, visit.edge, visit.after)
                .map_err(|e| e.at(format_args!("step {number}")))?;
        }
        let is_target = |(state, _): &(u32, usize)| observer.states[*state as usize].is_target;
        let Some(mut at) = moments[moments.len() - 1].iter().position(is_target) else {
            return wrong("the observer is in no target state at the end");
        };
        let mut states = Vec::with_capacity(moments.len());
        for moment in moments.iter().rev() {
            let (state, before) = moment[at];
            states.push(state);
            at = before;
        }
        states.reverse();
        Ok(states)
    }

    fn begin<'a>(&self, program: &'a Concurrent) -> Result<Steps<'a>, ReplayError> {
        let block = |block| self.start.threads.iter().filter(|thread| thread.block == block).count() as u32;
        let counts: Vec<u32> = (0..program.blocks.len() as u32).map(block).collect();
        if !is_initial(program, &counts, &self.start)? {
            return wrong("the program does not start like this");
        }
        if self.n_steps() > LONGEST {
            return Err(ReplayError::Unclear(
                "the run has too many steps to take them one by one".to_owned(),
            ));
        }
        Ok(Steps { program, world: self.start.clone(), active: None })
    }
}

/// How the observer can go along with the letters, those behind the stem again and again, so that every mark comes again and again: its
/// states as far as the end of the first round. Where it may choose, it is soon where it is at the end.
fn accepted(observer: &Observer, letters: &[Letter], n_stem: usize) -> Result<Option<Vec<u32>>, ReplayError> {
    let mut numbers: FxHashMap<(usize, u32), u32> = FxHashMap::default();
    let mut nodes: Vec<(usize, u32)> = Vec::new();
    let mut number = |node: (usize, u32), nodes: &mut Vec<(usize, u32)>| {
        *numbers.entry(node).or_insert_with(|| {
            nodes.push(node);
            nodes.len() as u32 - 1
        })
    };
    for state in &observer.initial {
        number((0, *state), &mut nodes);
    }
    let n_first = nodes.len() as u32;
    let mut edges = Vec::new();
    while let Some(&(at, state)) = nodes.get(edges.len()) {
        let next = if at + 1 == letters.len() { n_stem } else { at + 1 };
        let moves = observer.moves(state, letters[at])?;
        edges.push(
            moves.into_iter().map(|(to, marks)| (number((next, to), &mut nodes), marks)).collect::<Vec<_>>(),
        );
    }
    let of = |node: u32| &edges[node as usize][..];
    let components = Components::new(nodes.len()).list(0..nodes.len() as u32, of, |edge| Some(edge.0));
    let mut component = vec![0; nodes.len()];
    for (n, members) in components.iter().enumerate() {
        members.iter().for_each(|member| component[*member as usize] = n);
    }
    let good = components.iter().enumerate().position(|(n, members)| {
        let all = members.iter().flat_map(|member| of(*member));
        let mut inside = all.filter(|edge| component[edge.0 as usize] == n).peekable();
        inside.peek().is_some() && inside.fold(0, |marks, edge| marks | edge.1) == observer.all_marks()
    });
    let Some(good) = good else { return Ok(None) };
    let leads = leading_to(&edges, |node| component[node as usize] == good);
    let last = nodes[components[good][0] as usize].1;
    let first = (0..n_first).find(|node| leads[*node as usize]);
    let mut node = first.expect("a component is reached from where the observer starts");
    let mut states = vec![nodes[node as usize].1];
    for _ in letters {
        let is_in = component[node as usize] == good;
        let next = || {
            let edges = of(node).iter().map(|edge| edge.0);
            edges.filter(|to| if is_in { component[*to as usize] == good } else { leads[*to as usize] })
        };
        let soon = next().find(|to| nodes[*to as usize].1 == last);
        node = soon.or_else(|| next().next()).expect("the way goes on");
        states.push(nodes[node as usize].1);
    }
    Ok(Some(states))
}

/// The nodes from which some of those are reached that are wanted.
fn leading_to(edges: &[Vec<(u32, Marks)>], is_wanted: impl Fn(u32) -> bool) -> Vec<bool> {
    let mut before = vec![Vec::new(); edges.len()];
    for (from, edges) in (0..).zip(edges) {
        edges.iter().for_each(|edge| before[edge.0 as usize].push(from));
    }
    let mut todo: Vec<u32> = (0..edges.len() as u32).filter(|node| is_wanted(*node)).collect();
    let mut leads = vec![false; edges.len()];
    while let Some(node) = todo.pop() {
        if !std::mem::replace(&mut leads[node as usize], true) {
            todo.extend(&before[node as usize]);
        }
    }
    leads
}

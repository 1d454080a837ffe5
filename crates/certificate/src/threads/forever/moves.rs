//! What one thread can do while somebody watches it, step by step.
//!
//! A move is one step and then all steps that neither others nor the observer notice, up to a *stop*: outside atomic regions where some
//! next step is noticed, or changes what the observer sees, be it possible now or not; inside where what is seen would change for the second
//! time. So what is seen changes at most once in a move. A way on which nothing is possible any more ends, unless it is in an atomic region: such a run is finite.
//! A cycle of unnoticed steps is a thread that spins. Contract: every step of `rsm::interleave`, for all values of what has none.

use super::super::Group;
use super::super::moves::Mover;
use super::Standing;
use crate::outcome::{Fault, refuse};
use base::Components;
use rsm::interleave::{ThreadState, World, has_ended, is_free};
use rsm::observe::{Letter, Observer};
use rustc_hash::{FxHashMap, FxHashSet};

/// The most frames that there are on the stacks of all states that one move passes through.
const MAX_PASSED: usize = 1 << 20;

/// A thread on its way, and who watches it.
pub(super) struct Walker<'a> {
    pub(super) mover: Mover<'a>,
    pub(super) observer: &'a Observer,
    /// Who is able to move matters, so that nothing that this depends on may be left open.
    pub(super) is_fair: bool,
}

/// What a thread can do from where it is.
#[derive(Default)]
pub(super) struct Moves {
    pub(super) list: Vec<Move>,
    /// It has a move in the sense of `rsm::interleave::has_move`; says nothing inside atomic regions.
    pub(super) is_able: bool,
}

/// A move: where it leads, and what the observer sees of its first step itself, were the thread any copy.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct Move {
    pub(super) shared: Vec<u64>,
    pub(super) standing: Standing,
    pub(super) seen: Letter,
}

/// A step, and what the observer sees of it.
struct Step {
    after: World,
    seen: Letter,
}

/// What a state is to a move.
enum Kind {
    /// It ends here.
    End(Standing),
    /// It goes on by these steps.
    Passed(Vec<Step>),
    /// It is stuck where the thread may not be left.
    Stuck,
}

/// States that follow each other.
#[derive(Default)]
struct Passed {
    worlds: Vec<World>,
    numbers: FxHashMap<World, u32>,
    edges: Vec<Vec<u32>>,
    n_frames: usize,
}

impl Passed {
    fn add(&mut self, world: World) -> Result<u32, Fault> {
        if let Some(known) = self.numbers.get(&world) {
            return Ok(*known);
        }
        self.n_frames += world.threads[0].stack.len() + 1;
        if self.n_frames > MAX_PASSED {
            return refuse("a thread passes through too many states before others could notice");
        }
        let number = self.worlds.len() as u32;
        self.numbers.insert(world.clone(), number);
        self.worlds.push(world);
        Ok(number)
    }

    /// The state that comes next to be looked at.
    fn next(&self) -> Option<World> {
        self.worlds.get(self.edges.len()).cloned()
    }

    /// The components in which one can go round.
    fn cycles(&self) -> Vec<Vec<u32>> {
        let edges = |at: u32| &self.edges[at as usize][..];
        let all = 0..self.worlds.len() as u32;
        let mut cycles = Components::new(self.worlds.len()).list(all, edges, |to| Some(*to));
        cycles.retain(|members| members.len() > 1 || edges(members[0]).contains(&members[0]));
        cycles
    }
}

impl Walker<'_> {
    /// The states in which a thread may start, gone on to their first stops beside these shared values.
    pub(super) fn starts(
        &mut self,
        block: u32,
        first: &[u64],
        shared: &[u64],
    ) -> Result<Vec<(Vec<u64>, Standing)>, Fault> {
        let starts = self.mover.starts(block, first)?;
        let beside = |mut world: World| {
            world.shared = shared.to_vec();
            (world, false)
        };
        self.walk(starts.into_iter().map(beside).collect(), None)
    }

    /// Everything that a thread can do.
    pub(super) fn moves(&mut self, shared: &[u64], thread: &ThreadState) -> Result<Moves, Fault> {
        let world = World { shared: shared.to_vec(), threads: vec![thread.clone()] };
        let (steps, began) = (self.steps(&world)?, self.bits(&world));
        let is_able = self.is_fair && self.is_able(&steps)?;
        let mut seen: Vec<Letter> = steps.iter().map(|step| step.seen).collect();
        seen.sort_unstable();
        seen.dedup();
        let mut known = FxHashSet::default();
        for seen in seen {
            let own = steps.iter().filter(|step| step.seen == seen);
            let seeds = own.map(|step| (step.after.clone(), seen != 0)).collect();
            for (shared, standing) in self.walk(seeds, Some(began))? {
                known.insert(Move { shared, standing, seen });
            }
        }
        Ok(Moves { list: known.into_iter().collect(), is_able })
    }

    fn steps(&mut self, world: &World) -> Result<Vec<Step>, Fault> {
        if self.is_fair && self.mover.is_open(world) {
            return refuse("whether a thread can go on depends on values that the certificate leaves open");
        }
        let thread = &world.threads[0];
        let group = Group { block: thread.block, copy: None };
        let found = self.mover.steps_by_edge(group, world)?;
        let (program, observer) = (self.mover.program, self.observer);
        let step = |(edge, after)| Step { after, seen: observer.step_bits(program, thread, edge) };
        Ok(found.into_iter().map(step).collect())
    }

    fn bits(&self, world: &World) -> (Letter, Letter) {
        let thread = self.observer.thread_bits(self.mover.program, &world.threads[0]);
        (thread, self.observer.shared_bits(&world.shared))
    }

    /// From some states on to where the next move begins. Each comes with whether the step to it was seen itself. What was seen where this
    /// one began may change once; at the beginning of a run it may not, since nobody would have seen it.
    fn walk(
        &mut self,
        seeds: Vec<(World, bool)>,
        began: Option<(Letter, Letter)>,
    ) -> Result<Vec<(Vec<u64>, Standing)>, Fault> {
        let seen: FxHashSet<World> = seeds.iter().filter(|seed| seed.1).map(|seed| seed.0.clone()).collect();
        let (mut passed, mut found) = (Passed::default(), Vec::new());
        for (world, _) in seeds {
            passed.add(world)?;
        }
        while let Some(world) = passed.next() {
            let mut edges = Vec::new();
            match self.kind(&world, seen.contains(&world), began)? {
                Kind::End(standing) => found.push((world.shared, standing)),
                Kind::Stuck => {}
                Kind::Passed(steps) => {
                    for step in steps {
                        edges.push(passed.add(step.after)?);
                    }
                }
            }
            passed.edges.push(edges);
        }
        for cycle in passed.cycles() {
            let worlds = cycle.iter().map(|at| &passed.worlds[*at as usize]);
            let Some(world) = worlds.min_by(|a, b| a.shared.cmp(&b.shared)) else { continue };
            let is_inside = !is_free(self.mover.program, &world.threads[0]);
            found.push((world.shared.clone(), Standing::Spin { bits: self.bits(world).0, is_inside }));
        }
        Ok(found)
    }

    /// What a state is to a move; whether the step that led there was seen itself, and what was seen where the move began.
    fn kind(&mut self, world: &World, is_seen: bool, began: Option<(Letter, Letter)>) -> Result<Kind, Fault> {
        let (program, thread) = (self.mover.program, &world.threads[0]);
        let (is_free, bits) = (is_free(program, thread), self.bits(world));
        let rests = |has_ended: bool| match is_free {
            true => Kind::End(Standing::Done { bits: bits.0, has_ended }),
            false => Kind::Stuck,
        };
        if has_ended(program, thread) {
            return Ok(rests(true));
        }
        let is_noticed = match &self.mover.noticed {
            Some(noticed) => is_free && noticed.is_next(thread),
            None => true,
        };
        if is_seen || is_noticed {
            return Ok(Kind::End(Standing::At(thread.clone())));
        }
        let steps = self.steps(world)?;
        if steps.is_empty() {
            return Ok(rests(false));
        }
        let may_change = !is_free && began == Some(bits);
        let changes = |step: &Step| step.seen != 0 || (!may_change && self.bits(&step.after) != bits);
        Ok(match steps.iter().any(changes) {
            true => Kind::End(Standing::At(thread.clone())),
            false => Kind::Passed(steps),
        })
    }

    /// By one of these steps the thread gets to where it may be left, or ends, or goes on for ever.
    fn is_able(&mut self, steps: &[Step]) -> Result<bool, Fault> {
        let mut passed = Passed::default();
        for step in steps {
            passed.add(step.after.clone())?;
        }
        while let Some(world) = passed.next() {
            let thread = &world.threads[0];
            if is_free(self.mover.program, thread) || has_ended(self.mover.program, thread) {
                return Ok(true);
            }
            let mut edges = Vec::new();
            for step in self.steps(&world)? {
                edges.push(passed.add(step.after)?);
            }
            passed.edges.push(edges);
        }
        Ok(!passed.cycles().is_empty())
    }
}

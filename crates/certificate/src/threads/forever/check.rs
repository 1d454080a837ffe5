//! Is a set of configurations with classes a proof that no accepted run goes on for ever?
//!
//! Every run starts in the set and no move leaves it. A move never leads to a class with a larger number; so a run without an end stays, from some
//! moment on, in one class. If nobody starves there, the moves inside of the class lack a mark, and the run is not accepted. If somebody
//! starves, nobody who is in one of these states moves inside of the class, and somebody is in each of them. Under `weak` all of them are able in
//! every configuration outside atomic regions: a run that passes such configurations again and again is unfair. Under `strong` it is
//! unfair if it passes those again and again in which one of them is able. What is left of the class is divided into classes in the same way,
//! and these are within each other finitely often only.
//!
//! Why moves are enough is said in decisions 31 and 40: words are equal up to repetition, and a cycle of an unnoticed way is a thread
//! that spins. Copies that the observer does not name have the same text, and a state starves as a whole: whoever comes to it while others
//! wait there waits with them.

use super::super::check::{START_LIMIT, state_fits};
use super::super::moves::Mover;
use super::super::noticed::Noticed;
use super::super::write::show_state;
use super::moves::Walker;
use super::write::show;
use super::{Class, Endless, Standing};
use crate::Claim;
use crate::outcome::{Fault, refuse};
use base::{Stop, StopReason};
use rsm::interleave::{Scheduler, World, each_mattering_shared, is_free};
use rsm::observe::{Letter, Marks, Observer};
use rsm::values::TooLarge;
use rsm::{Concurrent, Copies, Expr, NodeId, Place};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::{ControlFlow, Range};
use std::rc::Rc;

/// What validation found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// There is no such run.
    Accepted(Figures),
    /// The certificate proves nothing, for this reason.
    Refused(String),
}

/// How much was looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Figures {
    /// Configurations of the certificate.
    pub n_configurations: usize,
    /// Pairs of a configuration and a move, and of a move of the observer.
    pub n_moves: u64,
    /// States of one thread from which steps were taken.
    pub n_steps: u64,
}

/// So many first configurations are looked at.
const MOST_STARTS: usize = 1 << 16;

/// Whether a certificate proves its claim of a program. The observer is the one that the claim asks for: he accepts the runs that there
/// must not be.
pub fn validate(
    program: &Concurrent,
    observer: &Observer,
    endless: &Endless,
    stop: &Stop,
) -> Result<Outcome, StopReason> {
    match check(program, observer, endless, stop) {
        Ok(figures) => Ok(Outcome::Accepted(figures)),
        Err(Fault::Refused(reason)) => Ok(Outcome::Refused(reason)),
        Err(Fault::Stopped(reason)) => Err(reason),
    }
}

fn check(
    program: &Concurrent,
    observer: &Observer,
    endless: &Endless,
    stop: &Stop,
) -> Result<Figures, Fault> {
    if !program.is_whole {
        return refuse(
            "threads that are started at run time are not among those that a certificate speaks of",
        );
    }
    if !endless.stops_everywhere && !observer.ignores_repetition {
        return refuse("steps are merged, and what is claimed depends on how many there are");
    }
    let mut kept = endless.kept.clone();
    kept.watched = watched(program, observer, endless)?;
    let positions = positions(program, observer, endless)?;
    states_fit(program, endless)?;
    starts_are_known(program, endless)?;
    let noticed = (!endless.stops_everywhere).then(|| Noticed::new(program, &kept));
    let is_fair = endless.scheduler != Scheduler::Any;
    let mover = Mover { program, goals: &[], kept: &kept, noticed, stop, n_steps: 0 };
    let mut checker = Checker {
        program,
        endless,
        walker: Walker { mover, observer, is_fair },
        positions,
        facts: facts(program, observer, endless),
        shared_bits: endless.shared.iter().map(|values| observer.shared_bits(values)).collect(),
        index: Index::new(endless)?,
        shared: endless.shared.iter().zip(0..).map(|(values, n)| (values.as_slice(), n)).collect(),
        states: endless.states.iter().zip(0..).map(|((block, known), n)| ((*block, known), n)).collect(),
        known: FxHashMap::default(),
        lists: Vec::new(),
        observed: FxHashMap::default(),
        marks: FxHashMap::default(),
        n_moves: 0,
    };
    checker.starts()?;
    let n_configurations = endless.class_of.len();
    for n in 0..n_configurations {
        if n.is_multiple_of(1 << 10)
            && let Some(reason) = stop.requested()
        {
            return Err(Fault::Stopped(reason));
        }
        checker.configuration(n as u32)?;
    }
    checker.classes_lack_marks()?;
    let (n_moves, n_steps) = (checker.n_moves, checker.walker.mover.n_steps);
    Ok(Figures { n_configurations, n_moves, n_steps })
}

/// The globals that the observer reads: shared ones must have values, private ones have them wherever a thread is.
fn watched(program: &Concurrent, observer: &Observer, endless: &Endless) -> Result<Vec<u32>, Fault> {
    if endless.kept.shared.len() != program.n_shared {
        return refuse("the program has other shared variables");
    }
    for (module, local) in observer.locals() {
        let body = program.machine.module(module);
        let has = |node: usize| {
            let places = endless.kept.points.get(&(module, NodeId::new(node)));
            places.is_some_and(|places| places.contains(&Place::Local(local)))
        };
        if !(0..body.nodes.len()).all(has) {
            let name = &body.locals[local as usize].name;
            return refuse(format!("`{}.{name}` has no values, and the claim is about it", body.name));
        }
    }
    let watched = observer.globals();
    match watched.iter().find(|n| endless.kept.shared.get(**n as usize) == Some(&false)) {
        Some(n) => {
            let name = &program.machine.globals[*n as usize].name;
            refuse(format!("`{name}` has no values, and the claim is about it"))
        }
        None => Ok(watched),
    }
}

/// A thread of a configuration.
struct Position {
    block: u32,
    /// The number of its group, and those that may change places with it.
    number: u32,
    group: Range<usize>,
    /// What of a letter is about it.
    bits: Letter,
}

/// Every thread is in one group, and the observer names nobody who is in a group with others.
fn positions(program: &Concurrent, observer: &Observer, endless: &Endless) -> Result<Vec<Position>, Fault> {
    let mut positions: Vec<Position> = Vec::new();
    let mut all = FxHashSet::default();
    for (number, (block, copies)) in (0..).zip(&endless.groups) {
        let group = positions.len()..positions.len() + copies.len();
        for copy in copies {
            let is_named = observer.names(*block, *copy) && copies.len() > 1;
            if is_named || !all.insert((*block, *copy)) {
                let name = &program.blocks[*block as usize].name;
                return refuse(format!("`{name}[{copy}]` is not told apart from others, and has to be"));
            }
            let bits = observer.bits_of(*block, *copy);
            positions.push(Position { block: *block, number, group: group.clone(), bits });
        }
    }
    for (n, block) in (0..).zip(&program.blocks) {
        let Copies::Number(number) = block.copies else {
            return refuse(format!("there may be any number of threads `{}`", block.name));
        };
        let is_complete = (0..number).all(|copy| all.contains(&(n, copy)));
        if !is_complete || all.iter().any(|(block, copy)| *block == n && *copy >= number) {
            let name = &block.name;
            return refuse(format!("the threads of `{name}` are not those that the certificate speaks of"));
        }
    }
    Ok(positions)
}

/// All states are states of threads of the program.
fn states_fit(program: &Concurrent, endless: &Endless) -> Result<(), Fault> {
    for (block, standing) in &endless.states {
        if let Standing::At(state) = standing {
            state_fits(program, state)?;
            if state.block != *block {
                return refuse("a state is one of another block");
            }
        }
    }
    Ok(())
}

/// The values with which threads start depend on shared variables only that have values.
fn starts_are_known(program: &Concurrent, endless: &Endless) -> Result<(), Fault> {
    for place in program.blocks.iter().flat_map(|block| &block.init).flat_map(Expr::reads) {
        if let Place::Global(n) = place
            && endless.kept.shared.get(n as usize) == Some(&false)
        {
            let name = &program.machine.globals[n as usize].name;
            return refuse(format!("threads start with values that depend on `{name}`, which has none"));
        }
    }
    Ok(())
}

/// What is known of a state by itself.
#[derive(Clone, Copy)]
struct Fact {
    block: u32,
    bits: Letter,
    is_inside: bool,
}

fn facts(program: &Concurrent, observer: &Observer, endless: &Endless) -> Vec<Fact> {
    let fact = |(block, standing): &(u32, Standing)| {
        let (bits, is_inside) = match standing {
            Standing::At(state) => (observer.thread_bits(program, state), !is_free(program, state)),
            Standing::Done { bits, .. } => (*bits, false),
            Standing::Spin { bits, is_inside } => (*bits, *is_inside),
        };
        Fact { block: *block, bits, is_inside }
    };
    endless.states.iter().map(fact).collect()
}

/// Finds configurations.
struct Index<'e> {
    endless: &'e Endless,
    width: usize,
    /// A table with open addressing; 0 where there is nothing, otherwise a position and 1.
    slots: Vec<u32>,
}

impl<'e> Index<'e> {
    fn new(endless: &'e Endless) -> Result<Self, Fault> {
        let (n, width) = (endless.class_of.len(), endless.width());
        let mut index = Self { endless, width, slots: vec![0; (n * 2).next_power_of_two().max(2)] };
        for position in 0..n as u32 {
            let slot = index.slot(index.numbers(position));
            if index.slots[slot] != 0 {
                return refuse(format!("`{}` is there twice", show(index.numbers(position))));
            }
            index.slots[slot] = position + 1;
        }
        Ok(index)
    }

    fn numbers(&self, position: u32) -> &'e [u32] {
        let first = position as usize * self.width;
        &self.endless.configurations[first..first + self.width]
    }

    fn slot(&self, numbers: &[u32]) -> usize {
        const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
        let fold = |hash: u64, n: &u32| (hash ^ u64::from(*n)).wrapping_mul(FACTOR).rotate_left(23);
        let hash = numbers.iter().fold(FACTOR, fold).wrapping_mul(FACTOR);
        let mask = self.slots.len() - 1;
        let mut slot = (hash >> 32) as usize & mask;
        while self.slots[slot] != 0 && self.numbers(self.slots[slot] - 1) != numbers {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn find(&self, numbers: &[u32]) -> Option<u32> {
        self.slots[self.slot(numbers)].checked_sub(1)
    }
}

/// Where the observer may go, and what that marks.
type Observations = [(u32, Marks)];

/// What a thread can do, in the numbers of the certificate.
struct Known {
    /// Shared values, a state, and what is seen of the first step.
    moves: Vec<(u32, u32, Letter)>,
    is_able: bool,
}

/// A check under way.
struct Checker<'a> {
    program: &'a Concurrent,
    endless: &'a Endless,
    walker: Walker<'a>,
    positions: Vec<Position>,
    facts: Vec<Fact>,
    shared_bits: Vec<Letter>,
    index: Index<'a>,
    shared: FxHashMap<&'a [u64], u32>,
    states: FxHashMap<(u32, &'a Standing), u32>,
    /// By shared values and state.
    known: FxHashMap<(u32, u32), u32>,
    lists: Vec<Rc<Known>>,
    observed: FxHashMap<(u32, Letter), Rc<Observations>>,
    /// For each class in which nobody starves the marks of moves inside of it.
    marks: FxHashMap<u32, Marks>,
    n_moves: u64,
}

/// A move between two configurations of the set.
struct Edge {
    from: u32,
    to: u32,
    /// The group and the state of the thread that moves.
    mover: (u32, u32),
    marks: Marks,
}

impl Checker<'_> {
    /// Every configuration in which a run starts is in the set.
    fn starts(&mut self) -> Result<(), Fault> {
        let kept = self.walker.mover.kept;
        let matters = |place| matches!(place, Place::Global(n) if kept.shared[n as usize]);
        let mut first = Vec::new();
        let visited = each_mattering_shared(self.program, &matters, START_LIMIT, &mut |shared| {
            first.push(shared);
            ControlFlow::Continue(())
        });
        visited.or_else(|TooLarge| refuse("there are too many shared values to start with"))?;
        first.iter().try_for_each(|first| self.starts_with(first))
    }

    /// The same with these shared values: one thread after the other goes to its first stop.
    fn starts_with(&mut self, first: &[u64]) -> Result<(), Fault> {
        let world = World { shared: first.to_vec(), threads: Vec::new() };
        let shared = self.walker.mover.kept.project(self.program, world).shared;
        let mut begun: FxHashSet<(Vec<u64>, Vec<u32>)> = FxHashSet::from_iter([(shared, Vec::new())]);
        for place in 0..self.positions.len() {
            let block = self.positions[place].block;
            let mut longer = FxHashSet::default();
            for (shared, states) in begun {
                for (shared, standing) in self.walker.starts(block, first, &shared)? {
                    let mut states = states.clone();
                    states.push(self.state(block, &standing)?);
                    states[self.positions[place].group.start..].sort_unstable();
                    longer.insert((shared, states));
                }
            }
            if longer.len() > MOST_STARTS {
                return refuse("there are too many configurations in which runs start");
            }
            begun = longer;
        }
        for (shared, states) in begun {
            for observer in &self.walker.observer.initial {
                let mut numbers = vec![self.shared_number(&shared)?];
                numbers.extend(states.iter().chain([observer]));
                if self.index.find(&numbers).is_none() {
                    return refuse(format!("a run starts in `{}`, which is not in the set", show(&numbers)));
                }
            }
        }
        Ok(())
    }

    fn shared_number(&self, values: &[u64]) -> Result<u32, Fault> {
        match self.shared.get(values) {
            Some(shared) => Ok(*shared),
            None => refuse("a thread leaves shared values that are not in the certificate"),
        }
    }

    fn state(&self, block: u32, standing: &Standing) -> Result<u32, Fault> {
        if let Some(state) = self.states.get(&(block, standing)) {
            return Ok(*state);
        }
        let name = &self.program.blocks[block as usize].name;
        refuse(match standing {
            Standing::At(state) => {
                let state = show_state(self.program, self.walker.mover.kept, state);
                format!("a thread comes to a state that is not in the certificate: `{state}`")
            }
            Standing::Done { .. } => {
                format!("a thread of `{name}` may come to its end, and no state says so")
            }
            Standing::Spin { .. } => format!("a thread of `{name}` may go on for ever, and no state says so"),
        })
    }

    /// What a thread can do from a state.
    fn known(&mut self, shared: u32, state: u32) -> Result<Rc<Known>, Fault> {
        if let Some(list) = self.known.get(&(shared, state)) {
            return Ok(self.lists[*list as usize].clone());
        }
        let endless = self.endless;
        let (block, standing) = &endless.states[state as usize];
        let known = match standing {
            Standing::Done { .. } => Known { moves: Vec::new(), is_able: false },
            Standing::Spin { .. } => Known { moves: vec![(shared, state, 0)], is_able: true },
            Standing::At(thread) => {
                let found = self.walker.moves(&endless.shared[shared as usize], thread)?;
                let mut moves = Vec::new();
                for to in found.list {
                    moves.push((self.shared_number(&to.shared)?, self.state(*block, &to.standing)?, to.seen));
                }
                moves.sort_unstable();
                Known { moves, is_able: found.is_able }
            }
        };
        self.known.insert((shared, state), self.lists.len() as u32);
        let known = Rc::new(known);
        self.lists.push(known.clone());
        Ok(known)
    }

    /// Where the observer may go.
    fn observe(&mut self, state: u32, letter: Letter) -> Result<Rc<Observations>, Fault> {
        if let Some(known) = self.observed.get(&(state, letter)) {
            return Ok(known.clone());
        }
        let moves = self.walker.observer.moves(state, letter);
        let moves = moves.or_else(|TooLarge| refuse("an edge of the observer has too many values"))?;
        let moves: Rc<Observations> = moves.into();
        self.observed.insert((state, letter), moves.clone());
        Ok(moves)
    }

    /// Every move leads from a configuration to one of the set, and to a class that it may lead to.
    fn configuration(&mut self, from: u32) -> Result<(), Fault> {
        let numbers = self.index.numbers(from);
        let (shared, last) = (numbers[0], numbers.len() - 1);
        let Some(observing) = self.walker.observer.states.get(numbers[last] as usize) else {
            return refuse(format!(
                "in `{}` the observer is in a state that he does not have",
                show(numbers)
            ));
        };
        if matches!(self.endless.claim, Claim::Monitor(_)) && observing.is_target {
            return refuse(format!("in `{}` the monitor is in a target state", show(numbers)));
        }
        let mut letter = self.shared_bits[shared as usize];
        let mut inside = None;
        for (place, position) in self.positions.iter().enumerate() {
            let fact = self.facts[numbers[place + 1] as usize];
            if fact.block != position.block {
                return refuse(format!("in `{}` some state is one of another block", show(numbers)));
            }
            letter |= fact.bits & position.bits;
            inside = inside.or(fact.is_inside.then_some(place));
        }
        let mut moved = numbers.to_vec();
        let mut able = Vec::new();
        for place in 0..self.positions.len() {
            let state = numbers[place + 1];
            let is_first = place == self.positions[place].group.start || numbers[place] != state;
            if !is_first || inside.is_some_and(|inside| inside != place) {
                continue;
            }
            let known = self.known(shared, state).map_err(|fault| located(fault, numbers))?;
            let mover = (self.positions[place].number, state);
            if known.is_able {
                able.push(mover);
            }
            for (to_shared, to_state, seen) in &known.moves {
                let observed = self.observe(numbers[last], letter | seen & self.positions[place].bits)?;
                moved.copy_from_slice(numbers);
                moved[0] = *to_shared;
                put(&mut moved[1..last], self.positions[place].group.clone(), place, *to_state);
                for (state_after, marks) in observed.iter() {
                    moved[last] = *state_after;
                    self.n_moves += 1;
                    let Some(to) = self.index.find(&moved) else {
                        let (from, to) = (show(numbers), show(&moved));
                        return refuse(format!(
                            "a move leads from `{from}` to `{to}`, which is not in the set"
                        ));
                    };
                    self.may_lead(&Edge { from, to, mover, marks: *marks })?;
                }
            }
        }
        let able = if inside.is_some() { None } else { Some(&able[..]) };
        self.may_be_in_classes(from, able)
    }

    /// The class around one in which somebody starves.
    fn class(&self, class: u32) -> Option<&Class> {
        self.endless.classes.get(&class)
    }

    /// The classes of a configuration, the outermost first.
    fn path(&self, configuration: u32) -> Result<Vec<u32>, Fault> {
        let mut path = vec![self.endless.class_of[configuration as usize]];
        while let Some(around) = self.class(path[path.len() - 1]).and_then(|class| class.around) {
            path.push(around);
            if path.len() > self.endless.classes.len() + 1 {
                return refuse(format!("class {around} is a part of itself"));
            }
        }
        path.reverse();
        Ok(path)
    }

    /// A move does not lead to a class with a larger number, and none of those who starve takes it.
    fn may_lead(&mut self, edge: &Edge) -> Result<(), Fault> {
        if matches!(self.endless.claim, Claim::Monitor(_)) {
            return Ok(());
        }
        let class_of = |configuration: u32| self.endless.class_of[configuration as usize];
        let (from, to) = (class_of(edge.from), class_of(edge.to));
        if self.class(from).is_none() && self.class(to).is_none() {
            self.goes_down(edge, from, to)?;
            if from == to {
                *self.marks.entry(from).or_default() |= edge.marks;
            }
            return Ok(());
        }
        let (from, to) = (self.path(edge.from)?, self.path(edge.to)?);
        for (class, next) in from.iter().zip(&to) {
            self.goes_down(edge, *class, *next)?;
            if next < class {
                return Ok(());
            }
            let starved = self.class(*class).map_or(&[][..], |class| &class.starved[..]);
            if starved.is_empty() {
                *self.marks.entry(*class).or_default() |= edge.marks;
                return Ok(());
            }
            if starved.contains(&edge.mover) {
                let at = show(self.index.numbers(edge.from));
                return refuse(format!(
                    "in `{at}` a thread at `l{}` moves, and class {class} says that it starves",
                    edge.mover.1
                ));
            }
        }
        Ok(())
    }

    /// A move does not lead from one class to another one with a larger number.
    fn goes_down(&self, edge: &Edge, class: u32, next: u32) -> Result<(), Fault> {
        if next <= class {
            return Ok(());
        }
        let (a, b) = (show(self.index.numbers(edge.from)), show(self.index.numbers(edge.to)));
        refuse(format!("a move leads from `{a}` in class {class} to `{b}` in class {next}, which is larger"))
    }

    /// Those who starve in the classes of a configuration are there, and it has a further class if it may be passed again and again in
    /// spite of them. Those that are able are known outside atomic regions.
    fn may_be_in_classes(&self, configuration: u32, able: Option<&[(u32, u32)]>) -> Result<(), Fault> {
        if matches!(self.endless.claim, Claim::Monitor(_)) {
            return Ok(());
        }
        if self.class(self.endless.class_of[configuration as usize]).is_none() {
            return Ok(());
        }
        let path = self.path(configuration)?;
        let at = || show(self.index.numbers(configuration));
        for (depth, class) in path.iter().enumerate() {
            let starved = self.class(*class).map_or(&[][..], |class| &class.starved[..]);
            if starved.is_empty() {
                break;
            }
            let numbers = self.index.numbers(configuration);
            let is_there = |(group, state): &(u32, u32)| {
                let mut own = self.positions.iter().zip(&numbers[1..]);
                own.any(|(position, known)| position.number == *group && known == state)
            };
            if let Some((_, absent)) = starved.iter().find(|starved| !is_there(starved)) {
                return refuse(format!(
                    "nobody is at `l{absent}` in `{}`, and class {class} says that somebody starves there",
                    at()
                ));
            }
            let is_passed_rarely = match (self.endless.scheduler, able) {
                (Scheduler::Any, _) => return refuse("somebody starves, and under `any` that is allowed"),
                (_, None) => false,
                (Scheduler::Weak, Some(able)) => match starved.iter().find(|state| !able.contains(state)) {
                    Some((_, state)) => {
                        return refuse(format!(
                            "in `{}` a thread at `l{state}` cannot move, and class {class} says that it starves",
                            at()
                        ));
                    }
                    None => true,
                },
                (Scheduler::Strong, Some(able)) => starved.iter().any(|state| able.contains(state)),
            };
            if !is_passed_rarely && depth + 1 == path.len() {
                return refuse(format!(
                    "`{}` can be passed again and again although somebody starves in class {class}: it lacks a class within that",
                    at()
                ));
            }
        }
        Ok(())
    }

    /// In a class in which nobody starves the observer does not see all that he wants to see again and again.
    fn classes_lack_marks(&self) -> Result<(), Fault> {
        let all = self.walker.observer.all_marks();
        let complete = self.marks.iter().filter(|(_, marks)| **marks == all).map(|(class, _)| *class).min();
        match complete {
            None => Ok(()),
            Some(class) => {
                let of = self.endless.class_of.iter().position(|known| *known == class).unwrap_or(0);
                let at = show(self.index.numbers(of as u32));
                refuse(format!(
                    "a run may stay in class {class} for ever and be accepted, as far as the certificate says; one of its configurations is `{at}`"
                ))
            }
        }
    }
}

fn located(fault: Fault, numbers: &[u32]) -> Fault {
    match fault {
        Fault::Refused(reason) => Fault::Refused(format!("from `{}`: {reason}", show(numbers))),
        stopped => stopped,
    }
}

/// The thread at a position gets another state; those of its group stay in order.
fn put(states: &mut [u32], group: Range<usize>, mut place: usize, state: u32) {
    while place > group.start && states[place - 1] > state {
        states[place] = states[place - 1];
        place -= 1;
    }
    while place + 1 < group.end && states[place + 1] < state {
        states[place] = states[place + 1];
        place += 1;
    }
    states[place] = state;
}

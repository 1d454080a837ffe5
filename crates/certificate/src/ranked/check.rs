//! Do the numbers of states prove that no run passes a goal again and again?
//!
//! 1. Every state in which a run starts is an entry, and an entry is reached from itself.
//! 2. Every step from a state leads to a state of the same entry; it has passed a goal if one of the two has.
//! 3. Every call leads to an entry of the function that is called. Every state from which that function returns, if it is reached from
//!    this entry, leads back to a state of the caller, which has passed a goal if the function has.
//! 4. No step, call or call with its return leads to a larger number. If the state that it leaves is at a goal, or the function that has
//!    returned has passed one, it leads to a smaller number. If the claim is that no run goes on for ever, each of them does.
//!
//! A run without an end is an infinite way along these edges: calls that return are one edge, and those that never return are entered. Every goal
//! that the run passes is where an edge leaves it, or within a call that is one edge; so a run that passes goals again and again would
//! have numbers that shrink for ever. What a function does not assign, nor one that it calls, has the value that it had before the call. Every value
//! that a step depends on must be there: a certificate that leaves one open is refused.

use super::{Ranked, State};
use crate::outcome::{Fault, refuse};
use crate::threads::check::state_fits;
use crate::threads::moves::Mover;
use crate::threads::write::show_state;
use crate::threads::{Group, Kept};
use base::{Sources, Stop, StopReason};
use rsm::interleave::{ThreadId, ThreadState, World, is_allowed, mattering_successors};
use rsm::step::Frame;
use rsm::values::TooLarge;
use rsm::{Action, Concurrent, EdgeId, Expr, Goal, ModuleId, NodeId, Place, Rsm};
use rustc_hash::{FxHashMap, FxHashSet};

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
    /// Entries of functions.
    pub n_entries: usize,
    /// States of the certificate.
    pub n_states: usize,
    /// Steps, calls, and calls with their returns.
    pub n_edges: u64,
}

/// The only thread of a [`World`].
const ALONE: ThreadId = ThreadId(0);

const GROUP: Group = Group { block: 0, copy: None };

/// The most partial valuations that are looked at for one step.
const MAX_OUTCOMES: usize = 1 << 16;

/// Whether a certificate proves that no run of a program is at one of the goals again and again; if there are none, that no run goes on for
/// ever. The sources are only used to say which line a refusal is about.
pub fn validate(
    rsm: &Rsm,
    sources: &Sources,
    goals: Option<&[Goal]>,
    ranked: &Ranked,
    stop: &Stop,
) -> Result<Outcome, StopReason> {
    match check(rsm, sources, goals, ranked, stop) {
        Ok(figures) => Ok(Outcome::Accepted(figures)),
        Err(Fault::Refused(reason)) => Ok(Outcome::Refused(reason)),
        Err(Fault::Stopped(reason)) => Err(reason),
    }
}

fn check(
    rsm: &Rsm,
    sources: &Sources,
    goals: Option<&[Goal]>,
    ranked: &Ranked,
    stop: &Stop,
) -> Result<Figures, Fault> {
    let program = Concurrent::owning(rsm.clone());
    let kept = Kept { waits: waits(rsm, &ranked.kept), ..ranked.kept.clone() };
    let mut checker = Checker {
        program: &program,
        sources,
        goals,
        ranked,
        mover: Mover { program: &program, goals: &[], kept: &kept, noticed: None, stop, n_steps: 0 },
        modified: modified(rsm),
        entries: FxHashMap::default(),
        numbers: FxHashMap::default(),
        callers: vec![Vec::new(); ranked.entries.len()],
        returns: vec![Vec::new(); ranked.entries.len()],
        complete: FxHashSet::default(),
        enforces: program.enforces(),
        n_edges: 0,
    };
    checker.read()?;
    checker.starts()?;
    for state in &ranked.states {
        checker.steps(state)?;
    }
    for entry in 0..ranked.entries.len() {
        checker.summaries(entry)?;
    }
    Ok(Figures { n_entries: ranked.entries.len(), n_states: ranked.states.len(), n_edges: checker.n_edges })
}

/// While a function waits for a call, its locals have the values that they had before.
fn waits(rsm: &Rsm, kept: &Kept) -> FxHashMap<(ModuleId, EdgeId), Vec<Place>> {
    let mut waits = FxHashMap::default();
    for (m, module) in (0..).map(ModuleId).zip(&rsm.modules) {
        for (e, edge) in module.edges.iter().enumerate() {
            if let Some(places) = kept.points.get(&(m, edge.from)) {
                let locals = places.iter().copied().filter(|place| matches!(place, Place::Local(_)));
                waits.insert((m, EdgeId::new(e)), locals.collect());
            }
        }
    }
    waits
}

/// The globals that each function, or one that it calls, assigns.
fn modified(rsm: &Rsm) -> Vec<FxHashSet<u32>> {
    let mut modified: Vec<FxHashSet<u32>> = vec![FxHashSet::default(); rsm.modules.len()];
    for (own, module) in modified.iter_mut().zip(&rsm.modules) {
        for place in module.edges.iter().flat_map(|edge| edge.action.stores()) {
            if let Place::Global(n) = place {
                own.insert(n);
            }
        }
    }
    loop {
        let mut is_closed = true;
        for (m, module) in rsm.modules.iter().enumerate() {
            for edge in &module.edges {
                let Action::Call { callee, .. } = edge.action else { continue };
                let inside = modified[callee.index()].clone();
                is_closed &= inside.is_subset(&modified[m]);
                modified[m].extend(inside);
            }
        }
        if is_closed {
            return modified;
        }
    }
}

/// Who waits for a function: a state, and the call.
type Caller = (usize, EdgeId);

struct Checker<'a> {
    program: &'a Concurrent,
    sources: &'a Sources,
    /// None if every edge counts.
    goals: Option<&'a [Goal]>,
    ranked: &'a Ranked,
    mover: Mover<'a>,
    modified: Vec<FxHashSet<u32>>,
    entries: FxHashMap<&'a ThreadState, u32>,
    /// Positions of states.
    numbers: FxHashMap<(u32, &'a ThreadState, bool), usize>,
    /// For each entry who calls it, and the states from which it returns.
    callers: Vec<Vec<Caller>>,
    returns: Vec<Vec<usize>>,
    /// Calls and the ends of functions between which everything has a value that is handed over.
    complete: FxHashSet<(ModuleId, EdgeId, ModuleId, NodeId)>,
    /// Some function restricts its states.
    enforces: bool,
    n_edges: u64,
}

impl<'a> Checker<'a> {
    /// Everything is of this program, and there once.
    fn read(&mut self) -> Result<(), Fault> {
        let ranked = self.ranked;
        for (n, entry) in (0..).zip(&ranked.entries) {
            self.is_one_frame(entry)?;
            let top = &entry.stack[0];
            if top.node != self.program.machine.module(top.module).entry {
                return refuse(format!("`e{n}` is not where a function is entered"));
            }
            if self.entries.insert(entry, n).is_some() {
                return refuse(format!("`e{n}` is there twice"));
            }
        }
        for (n, known) in ranked.states.iter().enumerate() {
            self.is_one_frame(&known.state)?;
            let Some(entry) = ranked.entries.get(known.entry as usize) else {
                return refuse(format!("`e{}` is not defined", known.entry));
            };
            if entry.stack[0].module != known.state.stack[0].module {
                return refuse(format!("{} is in another function than its entry", self.shown(&known.state)));
            }
            if self.numbers.insert((known.entry, &known.state, known.passed), n).is_some() {
                return refuse(format!("{} is there twice", self.shown(&known.state)));
            }
        }
        Ok(())
    }

    fn is_one_frame(&self, state: &ThreadState) -> Result<(), Fault> {
        if state.stack.len() != 1 {
            return refuse("a state has more than one function");
        }
        state_fits(self.program, state)
    }

    fn shown(&self, state: &ThreadState) -> String {
        let text = show_state(self.program, self.mover.kept, state);
        // Without the name of the only block.
        let text = text.split_once(' ').map_or("", |(_, rest)| rest);
        let node = state.stack.last().map(|top| self.program.machine.module(top.module).node(top.node));
        let line = node.map_or(0, |node| self.sources.line_column(node.span).0);
        format!("`{text}` (line {line})")
    }

    fn is_goal(&self, state: &ThreadState) -> bool {
        let top = &state.stack[0];
        self.goals.is_some_and(|goals| goals.contains(&Goal::At(top.module, top.node)))
    }

    /// The state of an entry, by its position.
    fn find(&self, entry: u32, state: &ThreadState, passed: bool) -> Result<usize, Fault> {
        let passed = passed || self.is_goal(state);
        match self.numbers.get(&(entry, state, passed)) {
            Some(found) => Ok(*found),
            None => {
                let with = if passed { ", past a goal" } else { "" };
                refuse(format!(
                    "{} is reached from `e{entry}`{with}, and is not in the set",
                    self.shown(state)
                ))
            }
        }
    }

    /// The entry in which a function starts, and its first state.
    fn enter(&self, state: &ThreadState) -> Result<(u32, usize), Fault> {
        let Some(entry) = self.entries.get(state) else {
            return refuse(format!("{} is entered, and is no entry of the set", self.shown(state)));
        };
        Ok((*entry, self.find(*entry, state, false)?))
    }

    fn starts(&self) -> Result<(), Fault> {
        for world in self.mover.starts(0, &[])? {
            self.enter(&world.threads[0])?;
        }
        Ok(())
    }

    /// An edge may lead from one state to another; it counts by itself, or because of where it leaves.
    fn may_lead(&mut self, from: &State, to: usize, passed_inside: bool) -> Result<(), Fault> {
        self.n_edges += 1;
        let counts = self.goals.is_none() || passed_inside || self.is_goal(&from.state);
        let to = &self.ranked.states[to];
        let is_fine = if counts { to.number < from.number } else { to.number <= from.number };
        if is_fine {
            return Ok(());
        }
        let (a, b) = (self.shown(&from.state), self.shown(&to.state));
        let than = if counts { "is not smaller" } else { "is larger" };
        refuse(format!(
            "{a} with number {} leads to {b} with number {}, which {than}",
            from.number, to.number
        ))
    }

    /// Every step from a state.
    fn steps(&mut self, from: &'a State) -> Result<(), Fault> {
        let world = World { shared: Vec::new(), threads: vec![from.state.clone()] };
        if self.mover.is_open(&world) || self.reads_next_of_nothing(&from.state) {
            return refuse(format!("{} leaves open what its steps depend on", self.shown(&from.state)));
        }
        let position = self.find(from.entry, &from.state, from.passed)?;
        for (edge, mut after) in self.mover.steps_by_edge(GROUP, &world)? {
            let mut after = after.threads.remove(0);
            match after.stack.len() {
                0 => {
                    let returns = &mut self.returns[from.entry as usize];
                    if returns.last() != Some(&position) {
                        returns.push(position);
                    }
                }
                1 => {
                    let to = self.find(from.entry, &after, from.passed)?;
                    self.may_lead(from, to, false)?;
                }
                _ => {
                    after.stack.remove(0);
                    let (callee, to) = self.enter(&after)?;
                    self.may_lead(from, to, false)?;
                    let callers = &mut self.callers[callee as usize];
                    if callers.last() != Some(&(position, edge)) {
                        callers.push((position, edge));
                    }
                }
            }
        }
        Ok(())
    }

    /// Some step looks at the next value of a variable that it does not store and that has no value.
    fn reads_next_of_nothing(&self, state: &ThreadState) -> bool {
        let top = &state.stack[0];
        let mut edges = self.program.machine.module(top.module).edges_from(top.node);
        edges.any(|(_, edge)| {
            let stores: Vec<Place> = edge.action.stores().collect();
            let mut next = edge.action.expressions().flat_map(Expr::reads_next);
            next.any(|place| !stores.contains(&place) && !self.has(top.module, top.node, place))
        })
    }

    fn has(&self, module: ModuleId, node: NodeId, place: Place) -> bool {
        self.mover.kept.has(self.program, 0, Some((module, node)), place)
    }

    /// Every return from an entry to those who call it.
    fn summaries(&mut self, entry: usize) -> Result<(), Fault> {
        for (caller, call) in self.callers[entry].clone() {
            for exit in self.returns[entry].clone() {
                self.come_back(&self.ranked.states[caller], call, &self.ranked.states[exit])?;
            }
        }
        Ok(())
    }

    fn come_back(&mut self, caller: &'a State, call: EdgeId, exit: &'a State) -> Result<(), Fault> {
        if let Some(reason) = self.mover.stop.requested() {
            return Err(Fault::Stopped(reason));
        }
        let (waiting, ends) = (&caller.state.stack[0], &exit.state.stack[0]);
        if self.complete.insert((waiting.module, call, ends.module, ends.node)) {
            self.hands_over(waiting, call, ends)?;
        }
        let modified = &self.modified[exit.state.stack[0].module.index()];
        let mut state = exit.state.clone();
        for (n, value) in (0..).zip(&caller.state.private) {
            if !modified.contains(&n) {
                state.private[n as usize] = *value;
            }
        }
        state.stack.insert(0, Frame { call: Some(call), ..caller.state.stack[0].clone() });
        let world = World { shared: Vec::new(), threads: vec![state] };
        let large = |TooLarge| Fault::Refused("a step has too many outcomes".to_owned());
        if self.enforces && !is_allowed(self.program, &world, ALONE).map_err(large)? {
            return Ok(());
        }
        let kept = self.mover.kept;
        let matters = |at: Option<(ModuleId, NodeId)>, place| kept.has(self.program, 0, at, place);
        let found =
            mattering_successors(self.program, &world, ALONE, &matters, MAX_OUTCOMES).map_err(large)?;
        for (_, after) in found.into_iter().filter(|(_, after)| after.threads[0].stack.len() == 1) {
            let after = kept.project(self.program, after).threads.remove(0);
            let to = self.find(caller.entry, &after, caller.passed || exit.passed)?;
            self.may_lead(caller, to, exit.passed)?;
        }
        Ok(())
    }

    /// Everything that the caller goes on with has a value: in the caller before the call, or where the function returns.
    fn hands_over(&self, caller: &Frame, call: EdgeId, exit: &Frame) -> Result<(), Fault> {
        let machine = &self.program.machine;
        let (module, function) = (machine.module(caller.module), machine.module(exit.module));
        let edge = module.edge(call);
        let stores: Vec<Place> = edge.action.stores().collect();
        let behind = self.mover.kept.points.get(&(caller.module, edge.to)).into_iter().flatten().copied();
        let enforced = module.enforce.iter().flat_map(Expr::reads);
        let modified = &self.modified[exit.module.index()];
        let is_there = |place: Place| match place {
            _ if stores.contains(&place) => true,
            Place::Global(n) if modified.contains(&n) => self.has(exit.module, exit.node, place),
            _ => self.has(caller.module, caller.node, place),
        };
        let returned = function.edges_from(exit.node).flat_map(|(_, edge)| match &edge.action {
            Action::Return { values } => values.iter().flat_map(Expr::reads).collect(),
            _ => Vec::new(),
        });
        let mut returned = returned.collect::<Vec<Place>>().into_iter();
        let is_complete = behind.chain(enforced).all(is_there)
            && returned.all(|place| self.has(exit.module, exit.node, place));
        match is_complete {
            true => Ok(()),
            false => {
                let name = &function.name;
                refuse(format!("a return from `{name}` hands over values that the certificate leaves open"))
            }
        }
    }
}

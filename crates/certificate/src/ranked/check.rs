//! Do the numbers of states prove that no run passes a goal again and again?
//!
//! 1. Every state in which a run starts is of an entry, and what an entry begins with is reached from it.
//! 2. Every way from a state to the next point leads to a state of the same entry; it has passed a goal if one of the two has. Goals are
//!    points, and so is a node of every cycle.
//! 3. Every call leads from a point to an entry of the function that is called. Every way from a state of that entry to a return
//!    leads back to a state of the caller, at a point, which has passed a goal if the function has.
//! 4. No way, call or call with its return leads to a larger number. If the state that it leaves is at a goal, or the function that has
//!    returned has passed one, it leads to a smaller number. If the claim is that no run goes on for ever, each of them does.
//! 5. Every value that a step depends on is there: `needs`.
//!
//! A run without an end is an infinite sequence of such ways and calls: calls that return are one, and those that never return are entered. Every goal
//! that the run passes is where one leaves it, or within a call that is one; so a run that passes goals again and again would
//! have numbers that shrink for ever.

use super::needs::{Begin, Handed, Needs};
use super::steps::{MOST, Values, by_definition, each_outcome, holds, too_large};
use super::table::{Table, hash};
use super::{Ranked, State};
use crate::names::{Names, escape};
use crate::outcome::{Fault, refuse};
use base::{Sources, Stop, StopReason};
use encode::Slot;
use rsm::interleave::mattering_starts;
use rsm::{Action, Concurrent, Edge, EdgeId, Expr, Goal, ModuleId, NodeId, Place, Rsm};
use rustc_hash::FxHashSet;
use std::fmt::Write;

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
    /// Ways between points, calls, and calls with their returns.
    pub n_edges: u64,
}

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

/// Where a run may be, on the way from point to point: a function, a node, and the values that are needed there.
pub(crate) type Seen = (ModuleId, NodeId, Vec<(Place, u64)>);

/// Visits everything that is passed on the ways from the states of a certificate that was accepted.
pub(crate) fn visit(
    rsm: &Rsm,
    ranked: &Ranked,
    stop: &Stop,
    see: &mut dyn FnMut(Seen),
) -> Result<(), StopReason> {
    let program = Concurrent::owning(rsm.clone());
    let Ok(needs) = Needs::new(rsm, ranked) else { return Ok(()) };
    let mut checker = Checker::new(&program, &needs, ranked, stop, None, Purpose::See(see));
    for position in 0..ranked.states.len() {
        match checker.look(position as u64).and_then(|()| checker.leave(position)) {
            Err(Fault::Stopped(reason)) => return Err(reason),
            Err(Fault::Refused(_)) => return Ok(()),
            Ok(()) => {}
        }
    }
    Ok(())
}

fn check(
    rsm: &Rsm,
    sources: &Sources,
    goals: Option<&[Goal]>,
    ranked: &Ranked,
    stop: &Stop,
) -> Result<Figures, Fault> {
    fits(rsm, ranked)?;
    let program = Concurrent::owning(rsm.clone());
    let needs = Needs::new(rsm, ranked)?;
    let mut checker = Checker::new(&program, &needs, ranked, stop, goals, Purpose::Judge(sources));
    checker.list()?;
    checker.starts()?;
    for position in 0..ranked.states.len() {
        checker.look(position as u64)?;
        checker.leave(position)?;
    }
    for entry in 0..ranked.entries.len() {
        checker.summaries(entry)?;
    }
    Ok(Figures { n_entries: ranked.entries.len(), n_states: ranked.states.len(), n_edges: checker.n_edges })
}

/// Everything that the certificate mentions is there.
fn fits(rsm: &Rsm, ranked: &Ranked) -> Result<(), Fault> {
    let has_place = |module: ModuleId, place: &Place| match place {
        Place::Global(n) => (*n as usize) < rsm.globals.len(),
        Place::Local(n) => (*n as usize) < rsm.module(module).locals.len(),
    };
    let fit = |module: ModuleId, places: &[Place], first: u32| {
        let values = ranked.values.get(first as usize..).and_then(|rest| rest.get(..places.len()));
        let mut pairs = places.iter().zip(values.unwrap_or_default());
        values.is_some() && pairs.all(|(place, value)| *value <= rsm.variable(module, *place).ty.max())
    };
    for (n, point) in ranked.points.iter().enumerate() {
        let has_node = rsm
            .modules
            .get(point.module.index())
            .is_some_and(|module| point.node.index() < module.nodes.len() && point.node != module.exit);
        if !has_node || !point.places.iter().all(|place| has_place(point.module, place)) {
            return refuse(format!("`p{n}` is not of this program"));
        }
    }
    for (n, function) in ranked.functions.iter().enumerate() {
        if !function.places.iter().all(|place| has_place(function.module, place)) {
            return refuse(format!("`f{n}` is not of this program"));
        }
    }
    for (n, entry) in ranked.entries.iter().enumerate() {
        let function = ranked.functions.get(entry.function as usize);
        if !function.is_some_and(|function| fit(function.module, &function.places, entry.first)) {
            return refuse(format!("entry {n} has values that its variables do not have"));
        }
    }
    for (n, state) in ranked.states.iter().enumerate() {
        let point = ranked.points.get(state.point as usize);
        let entry = ranked.entries.get(state.entry as usize);
        let module = entry.map(|entry| ranked.functions[entry.function as usize].module);
        let is_there = |point: &super::Point| {
            module == Some(point.module) && fit(point.module, &point.places, state.first)
        };
        if !point.is_some_and(is_there) {
            return refuse(format!(
                "state {n} is in another function than its entry, or has values that its variables do not have"
            ));
        }
    }
    Ok(())
}

impl Goals {
    fn new(rsm: &Rsm, goals: Option<&[Goal]>) -> Self {
        let Some(goals) = goals else { return Self::Everything };
        let nothing = |module: &rsm::Module| vec![false; module.nodes.len()];
        let mut nodes: Vec<Vec<bool>> = rsm.modules.iter().map(nothing).collect();
        for goal in goals {
            if let Goal::At(module, node) = goal {
                nodes[module.index()][node.index()] = true;
            }
        }
        Self::Nodes(nodes)
    }
}

/// What a function hands over where it returns: whether a goal has been passed, then globals, then results.
type Return = (bool, Vec<u64>);

/// Where a way has come to: a node that is no point, the values there, and how many steps it has taken.
type Way = (NodeId, Values, usize);

/// Why ways are followed.
enum Purpose<'a> {
    /// Is it a proof? Messages say lines.
    Judge(&'a Sources),
    /// Somebody wants to see what is passed.
    See(&'a mut dyn FnMut(Seen)),
}

/// What counts as a goal.
enum Goals {
    /// Everything counts.
    Everything,
    /// For each function and node whether it is one.
    Nodes(Vec<Vec<bool>>),
}

struct Checker<'a> {
    program: &'a Concurrent,
    needs: &'a Needs,
    ranked: &'a Ranked,
    stop: &'a Stop,
    goals: Goals,
    purpose: Purpose<'a>,
    /// Positions of entries and states by what they are.
    entries: Table,
    states: Table,
    /// For each entry the state that it begins with, where there is one only.
    begins: Vec<Option<u32>>,
    /// For each entry who calls it, and what it returns.
    callers: Vec<Vec<(u32, EdgeId)>>,
    returns: Vec<FxHashSet<Return>>,
    /// Ways that have not come to a point.
    ways: Vec<Way>,
    spare: Vec<Values>,
    n_edges: u64,
}

impl<'a> Checker<'a> {
    fn new(
        program: &'a Concurrent,
        needs: &'a Needs,
        ranked: &'a Ranked,
        stop: &'a Stop,
        goals: Option<&[Goal]>,
        purpose: Purpose<'a>,
    ) -> Self {
        Self {
            program,
            needs,
            ranked,
            stop,
            goals: Goals::new(&program.machine, goals),
            purpose,
            entries: Table::for_so_many(ranked.entries.len()),
            states: Table::for_so_many(ranked.states.len()),
            begins: vec![None; ranked.entries.len()],
            callers: vec![Vec::new(); ranked.entries.len()],
            returns: vec![FxHashSet::default(); ranked.entries.len()],
            ways: Vec::new(),
            spare: Vec::new(),
            n_edges: 0,
        }
    }

    fn rsm(&self) -> &'a Rsm {
        &self.program.machine
    }

    /// Everything is there once.
    fn list(&mut self) -> Result<(), Fault> {
        let ranked = self.ranked;
        for (n, entry) in (0u32..).zip(&ranked.entries) {
            let values = ranked.of_entry(entry).iter().copied();
            let hash = hash(u64::from(entry.function), 0, values.clone());
            if self.entry_of(entry.function, hash, values).is_some() {
                return refuse(format!("entry {n} is there twice"));
            }
            self.entries.add(hash, n);
        }
        for (n, state) in (0u32..).zip(&ranked.states) {
            let values = ranked.of_state(state).iter().copied();
            let hash = hash_of(state.entry, state.point, state.passed, values.clone());
            if self.state_of((state.entry, state.point, state.passed), hash, values).is_some() {
                return refuse(format!("{} is there twice", self.shown(state)));
            }
            self.states.add(hash, n);
        }
        Ok(())
    }

    fn entry_of(&self, function: u32, hash: u64, values: impl Iterator<Item = u64> + Clone) -> Option<u32> {
        self.entries.find(hash, |n| {
            let entry = &self.ranked.entries[n as usize];
            entry.function == function && values.clone().eq(self.ranked.of_entry(entry).iter().copied())
        })
    }

    fn state_of(
        &self,
        what: (u32, u32, bool),
        hash: u64,
        values: impl Iterator<Item = u64> + Clone,
    ) -> Option<u32> {
        self.states.find(hash, |n| {
            let state = &self.ranked.states[n as usize];
            (state.entry, state.point, state.passed) == what
                && values.clone().eq(self.ranked.of_state(state).iter().copied())
        })
    }

    /// Looks every now and then whether to go on.
    fn look(&self, n: u64) -> Result<(), Fault> {
        const PATIENCE: u64 = 256;
        match self.stop.requested() {
            Some(reason) if n.is_multiple_of(PATIENCE) => Err(Fault::Stopped(reason)),
            _ => Ok(()),
        }
    }

    /// A state as a message shows it.
    fn shown(&self, state: &State) -> String {
        let point = &self.ranked.points[state.point as usize];
        self.shown_at(
            point.module,
            point.node,
            point.places.iter().copied().zip(self.ranked.of_state(state).iter().copied()),
        )
    }

    fn shown_at(&self, module: ModuleId, node: NodeId, values: impl Iterator<Item = (Place, u64)>) -> String {
        let names = Names::new(self.rsm());
        let own = names.module(module);
        let mut text = format!("{} {}", escape(names.function(module)), node.index());
        for (place, value) in values {
            let _ = write!(text, " {}={value}", escape(&own.word(Slot::Place(place))));
        }
        let span = self.rsm().module(module).node(node).span;
        let line = match self.purpose {
            Purpose::Judge(sources) => sources.line_column(span).0,
            Purpose::See(_) => 0,
        };
        format!("`{text}` (line {line})")
    }

    fn is_goal(&self, module: ModuleId, node: NodeId) -> bool {
        match &self.goals {
            Goals::Everything => false,
            Goals::Nodes(nodes) => nodes[module.index()][node.index()],
        }
    }

    /// The state of an entry at a point, by its position.
    fn find(&self, entry: u32, point: u32, passed: bool, values: &Values) -> Result<u32, Fault> {
        let at = &self.ranked.points[point as usize];
        let passed = passed || self.is_goal(at.module, at.node);
        let kept = at.places.iter().map(|place| values.get(*place));
        let hash = hash_of(entry, point, passed, kept.clone());
        if let Some(found) = self.state_of((entry, point, passed), hash, kept.clone()) {
            return Ok(found);
        }
        let with = if passed { ", past a goal" } else { "" };
        let shown = self.shown_at(at.module, at.node, at.places.iter().copied().zip(kept));
        refuse(format!("{shown} is reached from entry {entry}{with}, and is not in the set"))
    }

    /// The entry in which a function begins with these values.
    fn enter(&self, module: ModuleId, values: &Values) -> Result<u32, Fault> {
        let found = self.needs.function(module).and_then(|function| {
            let places = &self.ranked.functions[function as usize].places;
            let kept = places.iter().map(|place| values.get(*place));
            self.entry_of(function, hash(u64::from(function), 0, kept.clone()), kept)
        });
        match found {
            Some(entry) => Ok(entry),
            None => {
                let entry = self.rsm().module(module).entry;
                let shown = self.shown_at(module, entry, std::iter::empty());
                refuse(format!("{shown} is entered with values that no entry of the set has"))
            }
        }
    }

    /// The point at which a function begins.
    fn first_point(&self, module: ModuleId) -> Result<u32, Fault> {
        match self.needs.point(module, self.rsm().module(module).entry) {
            Some(point) => Ok(point),
            None => refuse(format!("the entry of `{}` is no point", self.rsm().module(module).name)),
        }
    }

    fn starts(&self) -> Result<(), Fault> {
        let main = self.rsm().main;
        let (needed, _) = self.needs.begin(main);
        let matters = |_: Option<(ModuleId, NodeId)>, place| needed.has(place);
        let starts = mattering_starts(self.program, 0, &[], &matters, MOST).map_err(too_large)?;
        for start in starts {
            let values = Values { globals: start.private, locals: start.stack[0].locals.clone() };
            if self.is_allowed(main, &values)? {
                let entry = self.enter(main, &values)?;
                self.find(entry, self.first_point(main)?, false, &values)?;
            }
        }
        Ok(())
    }

    /// What the function enforces can hold.
    fn is_allowed(&self, module: ModuleId, values: &Values) -> Result<bool, Fault> {
        let enforce = self.rsm().module(module).enforce.as_ref();
        enforce.map_or(Ok(true), |condition| holds(condition, values))
    }

    /// One state may lead to another; it counts by itself, or because of where it leaves.
    fn may_lead(&mut self, from: &State, to: u32, passed_inside: bool) -> Result<(), Fault> {
        self.n_edges += 1;
        let at = &self.ranked.points[from.point as usize];
        let counts =
            matches!(self.goals, Goals::Everything) || passed_inside || self.is_goal(at.module, at.node);
        let to = &self.ranked.states[to as usize];
        let is_fine = if counts { to.number < from.number } else { to.number <= from.number };
        if is_fine {
            return Ok(());
        }
        let (a, b) = (self.shown(from), self.shown(to));
        let than = if counts { "is not smaller" } else { "is larger" };
        refuse(format!(
            "{a} with number {} leads to {b} with number {}, which {than}",
            from.number, to.number
        ))
    }

    /// The values of a state.
    fn load(&mut self, state: &State) -> Values {
        let mut values = self.spare.pop().unwrap_or_default();
        let point = &self.ranked.points[state.point as usize];
        values.globals.clear();
        values.globals.resize(self.rsm().globals.len(), 0);
        values.locals.clear();
        values.locals.resize(self.rsm().module(point.module).locals.len(), 0);
        for (place, value) in point.places.iter().zip(self.ranked.of_state(state)) {
            values.set(*place, *value);
        }
        values
    }

    /// Follows every way from a state.
    fn leave(&mut self, position: usize) -> Result<(), Fault> {
        let from = &self.ranked.states[position];
        let point = &self.ranked.points[from.point as usize];
        let values = self.load(from);
        let mut ways = std::mem::take(&mut self.ways);
        ways.push((point.node, values, 0));
        while let Some((node, values, n_steps)) = ways.pop() {
            self.tell(point.module, node, &values);
            let judges = matches!(self.purpose, Purpose::Judge(_));
            for (id, edge) in self.rsm().module(point.module).edges_from(node) {
                match &edge.action {
                    Action::Call { .. } | Action::Return { .. } if !judges => {}
                    Action::Call { .. } if n_steps > 0 => {
                        return refuse(format!(
                            "a call leaves {}, which is no point",
                            self.shown_at(point.module, node, std::iter::empty())
                        ));
                    }
                    Action::Call { callee, args, .. } => {
                        self.call(position, (id, *callee), args, &values)?;
                    }
                    Action::Return { values: results } => self.hand_over(from, results, &values)?,
                    _ => {
                        let arrived = (point.module, id, edge, n_steps + 1);
                        self.step(from, arrived, &values, &mut ways)?;
                    }
                }
            }
            self.spare.push(values);
        }
        self.ways = ways;
        Ok(())
    }

    /// Tells who wants to see it.
    fn tell(&mut self, module: ModuleId, node: NodeId, values: &Values) {
        if let Purpose::See(see) = &mut self.purpose {
            let needed = self.needs.at(module, node).list();
            see((module, node, needed.map(|place| (place, values.get(place))).collect()));
        }
    }

    /// Takes an edge within a function.
    fn step(
        &mut self,
        from: &State,
        (module, id, edge, n_steps): (ModuleId, EdgeId, &Edge, usize),
        values: &Values,
        ways: &mut Vec<Way>,
    ) -> Result<(), Fault> {
        match &edge.action {
            Action::Assume(condition) | Action::Assert(condition) if !holds(condition, values)? => Ok(()),
            Action::Assign { targets, values: assigned, constrain } => {
                if let Some(constrain) = constrain {
                    if constrain.reads_next().next().is_some() {
                        let (at, needed) = ((module, edge.from, id), self.needs.at(module, edge.to));
                        for after in by_definition(self.program, at, values, needed)? {
                            self.arrive(from, (module, edge.to, n_steps), &after, ways)?;
                        }
                        return Ok(());
                    }
                    if !holds(constrain, values)? {
                        return Ok(());
                    }
                }
                let mut after = self.spare.pop().unwrap_or_default();
                after.copy_from(values);
                let computed = self.needs.computed(module, id).iter();
                let stores = computed.map(|n| (targets[*n as usize], &assigned[*n as usize]));
                each_outcome(stores, values, &mut after, &mut |after| {
                    self.arrive(from, (module, edge.to, n_steps), after, ways)
                })?;
                self.spare.push(after);
                Ok(())
            }
            _ => self.arrive(from, (module, edge.to, n_steps), values, ways),
        }
    }

    /// A way has come to a node.
    fn arrive(
        &mut self,
        from: &State,
        (module, node, n_steps): (ModuleId, NodeId, usize),
        values: &Values,
        ways: &mut Vec<Way>,
    ) -> Result<(), Fault> {
        if !self.is_allowed(module, values)? {
            return Ok(());
        }
        if let Some(point) = self.needs.point(module, node) {
            if matches!(self.purpose, Purpose::See(_)) {
                return Ok(());
            }
            let to = self.find(from.entry, point, from.passed, values)?;
            return self.may_lead(from, to, false);
        }
        if self.is_goal(module, node) {
            let shown = self.shown_at(module, node, std::iter::empty());
            return refuse(format!("{shown} is a goal and no point"));
        }
        if n_steps > self.rsm().module(module).nodes.len() {
            let shown = self.shown_at(module, node, std::iter::empty());
            return refuse(format!("{shown} is on a cycle without a point"));
        }
        let mut copy = self.spare.pop().unwrap_or_default();
        copy.copy_from(values);
        ways.push((node, copy, n_steps));
        Ok(())
    }

    /// A call leads to entries, each with what it begins with.
    fn call(
        &mut self,
        position: usize,
        (id, callee): (EdgeId, ModuleId),
        args: &[Expr],
        values: &Values,
    ) -> Result<(), Fault> {
        let (from, module) = (&self.ranked.states[position], self.rsm().module(callee));
        let at = &self.ranked.points[from.point as usize];
        let (needed, how) = self.needs.begin(callee);
        if how == Begin::Chosen {
            for begin in by_definition(self.program, (at.module, at.node, id), values, needed)? {
                let entry = self.enter(callee, &begin)?;
                let to = self.find(entry, self.first_point(callee)?, false, &begin)?;
                self.may_lead(from, to, false)?;
                self.wait(entry, position, id);
            }
            return Ok(());
        }
        let mut begin = self.spare.pop().unwrap_or_default();
        begin.globals.clone_from(&values.globals);
        begin.locals.clear();
        begin.locals.resize(module.locals.len(), 0);
        let stores = (0..).map(Place::Local).zip(args).filter(|(place, _)| needed.has(*place));
        each_outcome(stores, values, &mut begin, &mut |begin| {
            let entry = self.enter(callee, begin)?;
            let to = match self.begins[entry as usize] {
                Some(known) => known,
                None => self.find(entry, self.first_point(callee)?, false, begin)?,
            };
            self.begins[entry as usize] = Some(to);
            self.may_lead(from, to, false)?;
            self.wait(entry, position, id);
            Ok(())
        })?;
        self.spare.push(begin);
        Ok(())
    }

    /// A caller waits for an entry.
    fn wait(&mut self, entry: u32, position: usize, call: EdgeId) {
        let callers = &mut self.callers[entry as usize];
        let caller = (position as u32, call);
        if callers.last() != Some(&caller) {
            callers.push(caller);
        }
    }

    /// A function returns.
    fn hand_over(&mut self, from: &State, results: &[Expr], values: &Values) -> Result<(), Fault> {
        let module = self.ranked.points[from.point as usize].module;
        let Handed { globals, results: needed } = self.needs.handed(module);
        let returns = &mut self.returns[from.entry as usize];
        let mut computed = Values { globals: Vec::new(), locals: vec![0; needed.len()] };
        let stores = (0..).map(Place::Local).zip(needed.iter().map(|n| &results[*n as usize]));
        each_outcome(stores, values, &mut computed, &mut |computed| {
            let handed = globals.iter().map(|n| values.globals[*n as usize]);
            returns.insert((from.passed, handed.chain(computed.locals.iter().copied()).collect()));
            Ok(())
        })
    }

    /// Every return from an entry to those who call it.
    fn summaries(&mut self, entry: usize) -> Result<(), Fault> {
        let callers = std::mem::take(&mut self.callers[entry]);
        let returns = std::mem::take(&mut self.returns[entry]);
        let function = self.ranked.entries[entry].function;
        let callee = self.ranked.functions[function as usize].module;
        for (n, (caller, call)) in (0u64..).zip(&callers) {
            let from = &self.ranked.states[*caller as usize];
            let before = self.load(from);
            for returned in &returns {
                self.look(n)?;
                self.come_back((from, &before), *call, callee, returned)?;
            }
            self.spare.push(before);
        }
        Ok(())
    }

    fn come_back(
        &mut self,
        (from, before): (&State, &Values),
        call: EdgeId,
        callee: ModuleId,
        (passed, returned): &Return,
    ) -> Result<(), Fault> {
        let module = self.ranked.points[from.point as usize].module;
        let edge = self.rsm().module(module).edge(call);
        let Action::Call { results, .. } = &edge.action else { unreachable!("a caller calls") };
        let mut after = self.spare.pop().unwrap_or_default();
        after.copy_from(before);
        let handed = self.needs.handed(callee);
        let (globals, computed) = returned.split_at(handed.globals.len());
        for (n, value) in handed.globals.iter().zip(globals) {
            after.set(Place::Global(*n), *value);
        }
        for (n, value) in handed.results.iter().zip(computed) {
            if let Some(place) = results[*n as usize] {
                after.set(place, *value);
            }
        }
        if self.is_allowed(module, &after)? {
            let Some(point) = self.needs.point(module, edge.to) else {
                let shown = self.shown_at(module, edge.to, std::iter::empty());
                return refuse(format!("{shown} is behind a call that returns, and no point"));
            };
            let to = self.find(from.entry, point, from.passed || *passed, &after)?;
            self.may_lead(from, to, *passed)?;
        }
        self.spare.push(after);
        Ok(())
    }
}

fn hash_of(entry: u32, point: u32, passed: bool, values: impl Iterator<Item = u64>) -> u64 {
    hash(u64::from(entry), u64::from(point) << 1 | u64::from(passed), values)
}

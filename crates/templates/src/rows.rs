//! The rows of the words about all programs.
//!
//! A row is a diagram over what a block reads and assigns, and a frame of equal columns for what it leaves alone. What
//! is dead afterwards is in neither: nothing is known of it any more.

use crate::parameter::{Changed, StateParameter};
use crate::vocabulary::Vocabulary;
use crate::word::{Making, Role, Rows, Word};
use crate::{Templates, entered_twice};
use base::{Adjacency, Components};
use calculus::system::{Formula, RelationId, System, VarId};
use dd::{Bdd, Exhausted, Level};
use encode::{Encoder, Slot};
use rsm::{Goal, ModuleId, Place, ThreadGoal};
use rustc_hash::FxHashMap;
use solver::{FrameId, Given, Halt, Solver};
use symbolic::{Call, PathStep, View};

/// What a row says of a state's module and counter.
type Key = [(VarId, u32); 2];

impl Templates<'_> {
    /// Gives the solver all templates that the system uses, except the target.
    pub fn give(&self, system: &System, words: &Vocabulary, solver: &mut Solver) -> Result<(), Halt> {
        self.give_words(system, words, solver, |role| role != Role::Target)
    }

    /// Gives the solver those of these templates that say nothing about how runs go on.
    pub fn give_plain(&self, system: &System, words: &Vocabulary, solver: &mut Solver) -> Result<(), Halt> {
        self.give_words(system, words, solver, |role| role == Role::Plain)
    }

    fn give_words(
        &self,
        system: &System,
        words: &Vocabulary,
        solver: &mut Solver,
        wanted: impl Fn(Role) -> bool,
    ) -> Result<(), Halt> {
        for word in self.words().iter().filter(|word| wanted(word.role)) {
            let relation = words.template(&word.name).relation;
            if is_used(system, relation) {
                let rows = self.rows(word, words, solver, &[])?;
                solver.give(relation, rows)?;
            }
        }
        Ok(())
    }

    /// Gives the solver the target: some goals, whichever thread gets there.
    pub fn give_target(&self, goals: &[Goal], words: &Vocabulary, solver: &mut Solver) -> Result<(), Halt> {
        self.give_thread_target(&of_any_thread(goals), words, solver)
    }

    /// Gives the solver the target: some goals. Goals that are dead code have no state.
    pub fn give_thread_target(
        &self,
        goals: &[ThreadGoal],
        words: &Vocabulary,
        solver: &mut Solver,
    ) -> Result<(), Halt> {
        for word in self.words().iter().filter(|word| word.role == Role::Target) {
            let rows = self.rows(word, words, solver, goals)?;
            solver.give(words.template(&word.name).relation, rows)?;
        }
        Ok(())
    }

    /// The rows of a word.
    pub(crate) fn rows(
        &self,
        word: &Word,
        words: &Vocabulary,
        solver: &mut Solver,
        goals: &[ThreadGoal],
    ) -> Result<Vec<Given>, Halt> {
        let template = words.template(&word.name);
        let states = template.states.iter().map(|state| StateParameter::new(solver, state)).collect();
        let encoder = &mut Encoder::new(solver.n_levels());
        let frames = FxHashMap::default();
        let mut making = Making { templates: self, words, template, states, goals, encoder, solver, frames };
        let mut rows = (word.rows)(&mut making);
        if self.tells_states_apart() {
            let only_proper =
                |rows: Vec<Given>| rows.into_iter().map(|row| self.only_proper(&mut making, row)).collect();
            rows = rows.and_then(only_proper);
        }
        rows.map_err(|exhausted| solver.stopped(exhausted))
    }
}

/// Goals, whichever thread gets there.
pub(crate) fn of_any_thread(goals: &[Goal]) -> Vec<ThreadGoal> {
    goals.iter().map(|goal| ThreadGoal { goal: *goal, copy: None }).collect()
}

/// Some formula of the system applies the relation, or a directive names it.
pub(crate) fn is_used(system: &System, relation: RelationId) -> bool {
    system.formulas.iter().any(|formula| matches!(formula, Formula::Apply(r, _) if *r == relation))
        || system.items.iter().any(|item| item.action.relation() == Some(relation))
}

/// A row about one state at a point.
pub(crate) fn at(state: &StateParameter, module: ModuleId, counter: u32, diagram: Bdd) -> Given {
    Given::new(state.key(module, counter), diagram)
}

/// A row about states at several points.
fn between<const N: usize>(keys: [Key; N], diagram: Bdd, frame: FrameId) -> Given {
    Given::framed(keys.into_iter().flatten(), diagram, frame)
}

pub(crate) fn program_int(making: &mut Making) -> Rows {
    let program = making.templates;
    let mut rows = Vec::new();
    for m in program.modules() {
        let [before, after] = [0, 1].map(|state| making.states[state].view(&program.slots, m));
        for step in program.steps(m) {
            let (encoder, dd) = making.tools();
            if let Some(relation) = program.relation(encoder, dd, &step, (&before, &after))? {
                let frame = making.frame(changed_by(program, &step, &relation.assigned), [0, 1]);
                let key = [
                    making.states[0].key(m, program.counter_before(&step)),
                    making.states[1].key(m, program.counter(m, step.to)),
                ];
                rows.push(between(key, relation.diagram, frame));
            }
        }
    }
    rows.extend(after_calls(making));
    Ok(rows)
}

/// From the points after calls to the nodes where they go on.
pub(crate) fn after_calls(making: &mut Making) -> Vec<Given> {
    let program = making.templates;
    let frame = making.frame(Changed::new(&program.slots, false), [0, 1]);
    let mut rows = Vec::new();
    for m in program.modules() {
        for &call in program.points.after(m) {
            let call = program.call(m, call);
            let from = making.states[0].key(m, program.counter_after(&call));
            let to = making.states[1].key(m, program.counter(m, call.to));
            rows.push(between([from, to], Bdd::TRUE, frame));
        }
    }
    rows
}

/// The slots that a step does not leave alone: what it assigns, and what is dead afterwards.
pub(crate) fn changed_by(program: &Templates, step: &PathStep, assigned: &[Slot]) -> Changed {
    let PathStep { module: m, from, to, edges } = *step;
    let module = program.rsm.module(m);
    let after = program.live(m, to);
    let mut changed = Changed::new(&program.slots, from.is_none());
    if from.is_none() {
        let given = |place: &&Place| !matches!(place, Place::Local(n) if *n as usize >= module.n_params);
        for &place in after.iter().filter(given) {
            changed.set(&program.slots, m, Slot::Place(place), false);
        }
    } else {
        let before = program.live(m, module.edge(edges[0]).from);
        for &place in before.iter().filter(|place| after.binary_search(place).is_err()) {
            changed.set(&program.slots, m, Slot::Place(place), true);
        }
    }
    if to == module.exit {
        changed.set_locals();
    }
    for &slot in assigned {
        changed.set(&program.slots, m, slot, true);
    }
    changed
}

/// What the function that was asked for last sees of a state: the calls of a function stand together.
#[derive(Default)]
struct Views(Option<(ModuleId, View)>);

impl Views {
    fn of(&mut self, state: &StateParameter, program: &Templates, module: ModuleId) -> &View {
        let known = self.0.take().filter(|(known, _)| *known == module);
        let view = known.unwrap_or_else(|| (module, state.view(&program.slots, module)));
        &self.0.insert(view).1
    }
}

/// All calls of the program.
fn calls<'t, 'r>(program: &'t Templates<'r>) -> impl Iterator<Item = Call<'r>> + use<'t, 'r> {
    program.modules().flat_map(|m| program.calls(m))
}

/// The keys of a state at a call, at the exit of the callee, and after the call.
fn keys(program: &Templates, call: &Call, states: [&StateParameter; 3]) -> [Key; 3] {
    let exit = program.counter(call.callee, program.rsm.module(call.callee).exit);
    [
        states[0].key(call.caller, program.counter(call.caller, call.from)),
        states[1].key(call.callee, exit),
        states[2].key(call.caller, program.counter_after(call)),
    ]
}

pub(crate) fn into_call(making: &mut Making) -> Rows {
    let program = making.templates;
    let mut rows = Vec::new();
    let mut callers = Views::default();
    for call in calls(program) {
        let before = callers.of(&making.states[0], program, call.caller);
        let after = making.states[1].view(&program.slots, call.callee);
        let needs = |n| program.needs_parameter(call.callee, n);
        let (encoder, dd) = making.tools();
        let Some(diagram) = program.arguments(encoder, dd, &call, (before, &after), needs)? else {
            continue;
        };
        let live = program.live(call.callee, program.rsm.module(call.callee).entry);
        let mut changed = Changed::new(&program.slots, true);
        for n in program.part(call.callee).touched.iter().map(|n| Place::Global(*n)) {
            if live.binary_search(&n).is_ok() {
                changed.set(&program.slots, call.callee, Slot::Place(n), false);
            }
        }
        let frame = making.frame(changed, [0, 1]);
        let [x, y] = [0, 1].map(|state| &making.states[state]);
        let [from, ..] = keys(program, &call, [x, x, x]);
        rows.push(between([from, y.key(call.callee, 0)], diagram, frame));
    }
    Ok(rows)
}

pub(crate) fn across(making: &mut Making) -> Rows {
    let row = |call| {
        let [x, v] = [0, 1].map(|state| &making.states[state]);
        let [from, _, to] = keys(making.templates, &call, [x, x, v]);
        between([from, to], Bdd::TRUE, FrameId::default())
    };
    Ok(calls(making.templates).map(row).collect())
}

/// The slots of the caller that a call does not leave alone: what it stores, and what is dead afterwards.
fn overwritten(program: &Templates, call: &Call) -> Changed {
    let (before, after) = (program.live(call.caller, call.from), program.live(call.caller, call.to));
    let mut changed = Changed::new(&program.slots, false);
    let dying = before.iter().copied().filter(|place| after.binary_search(place).is_err());
    for place in dying.chain(program.overwritten(call)) {
        changed.set(&program.slots, call.caller, Slot::Place(place), true);
    }
    changed
}

/// What comes back otherwise than as a result: globals, as a frame.
fn handed_back(program: &Templates, call: &Call) -> Changed {
    let mut changed = Changed::new(&program.slots, true);
    for &(_, source) in call.returned.iter().filter(|(_, source)| matches!(source, Slot::Place(_))) {
        changed.set(&program.slots, call.caller, source, false);
    }
    changed
}

/// The caller allows the state after a call. The numbers are those of the states at the call, at the exit and after the call.
fn allowed_after(making: &mut Making, call: &Call, states: [usize; 3]) -> Result<Bdd, Exhausted> {
    let program = making.templates;
    if program.rsm.module(call.caller).enforce.is_none() {
        return Ok(Bdd::TRUE);
    }
    let [before, exit, after] = states.map(|state| making.states[state].view(&program.slots, call.caller));
    let (encoder, dd) = making.tools();
    program.allowed_after(encoder, dd, call, (&before, &exit, &after))
}

pub(crate) fn return_a(making: &mut Making) -> Rows {
    let program = making.templates;
    let mut rows = Vec::new();
    for call in calls(program) {
        let diagram = allowed_after(making, &call, [0, 1, 1])?;
        let frame = making.frame(overwritten(program, &call), [0, 1]);
        let [before, after] = [0, 1].map(|state| &making.states[state]);
        let [from, _, to] = keys(program, &call, [before, before, after]);
        rows.push(between([from, to], diagram, frame));
    }
    Ok(rows)
}

pub(crate) fn return_b(making: &mut Making) -> Rows {
    let program = making.templates;
    let mut rows = Vec::new();
    let mut callers = Views::default();
    for call in calls(program) {
        let exit = making.states[0].view(&program.slots, call.callee);
        let after = callers.of(&making.states[1], program, call.caller);
        let diagram = program.results(making.solver.diagrams(), &call, (&exit, after))?;
        let frame = making.frame(handed_back(program, &call), [0, 1]);
        let [exit, after] = [0, 1].map(|state| &making.states[state]);
        let [_, from, to] = keys(program, &call, [exit, exit, after]);
        rows.push(between([from, to], diagram, frame));
    }
    Ok(rows)
}

pub(crate) fn return_whole(making: &mut Making) -> Rows {
    let program = making.templates;
    let mut rows = Vec::new();
    let mut callers = Views::default();
    for call in calls(program) {
        let allowed = allowed_after(making, &call, [0, 1, 2])?;
        let exit = making.states[1].view(&program.slots, call.callee);
        let after = callers.of(&making.states[2], program, call.caller);
        let dd = making.solver.diagrams();
        let results = program.results(dd, &call, (&exit, after))?;
        let diagram = dd.and(results, allowed)?;
        let [before, exit, after] = [0, 1, 2].map(|state| &making.states[state]);
        let mut frame = overwritten(program, &call).frame(before, after);
        frame.extend(handed_back(program, &call).frame(exit, after));
        let keys = keys(program, &call, [before, exit, after]);
        rows.push(between(keys, diagram, making.solver.frame(frame)));
    }
    Ok(rows)
}

pub(crate) fn entry(making: &mut Making) -> Rows {
    let program = making.templates;
    let mut rows = Vec::new();
    for m in program.modules() {
        let view = making.states[0].view(&program.slots, m);
        let (encoder, dd) = making.tools();
        let diagram = program.typed(encoder, dd, (m, &view), program.given(m))?;
        rows.push(at(&making.states[0], m, 0, diagram));
    }
    Ok(rows)
}

pub(crate) fn exit(making: &mut Making) -> Rows {
    let program = making.templates;
    let row = |m| at(&making.states[0], m, program.counter(m, program.rsm.module(m).exit), Bdd::TRUE);
    Ok(program.modules().map(row).collect())
}

pub(crate) fn init(making: &mut Making) -> Rows {
    let (program, main) = (making.templates, making.templates.rsm.main);
    let view = making.states[0].view(&program.slots, main);
    let (encoder, dd) = making.tools();
    let mut diagram = program.initial(encoder, dd, &view)?;
    // No run starts where no choice of the locals is allowed.
    if program.rsm.module(main).enforce.is_some() {
        let locals: Vec<Level> = view.locals.iter().flatten().copied().collect();
        let chosen = program.chosen(encoder, dd, (main, &view), diagram)?;
        diagram = encoder.and_exists(dd, chosen, Bdd::TRUE, locals)?;
    }
    Ok(vec![at(&making.states[0], main, 0, diagram)])
}

pub(crate) fn enforce(making: &mut Making) -> Rows {
    let program = making.templates;
    let mut rows = Vec::new();
    for m in program.modules() {
        let module = program.rsm.module(m);
        let view = making.states[0].view(&program.slots, m);
        let (encoder, dd) = making.tools();
        let allowed = encoder.restrict(dd, view.columns(), Bdd::TRUE, &module.enforce)?;
        let exit = program.counter(m, module.exit);
        for (counter, _) in program.counters(m) {
            let is_free = counter == 0 || counter == exit;
            rows.push(at(&making.states[0], m, counter, if is_free { Bdd::TRUE } else { allowed }));
        }
    }
    Ok(rows)
}

/// The functions that a run may enter more than once.
pub(crate) fn entered_twice(making: &mut Making) -> Rows {
    Ok(functions(making, &entered_twice::entered_twice(making.templates)))
}

/// The functions that may be called while they are open.
pub(crate) fn recursive(making: &mut Making) -> Rows {
    let n_modules = making.templates.rsm.modules.len();
    let edges: Vec<(u32, u32)> = calls(making.templates).map(|call| (call.caller.0, call.callee.0)).collect();
    let graph = Adjacency::new(n_modules, edges.iter().copied());
    let components =
        Components::new(n_modules).list(0..n_modules as u32, |module| graph.of(module), |to| Some(*to));
    let mut is_recursive = vec![false; n_modules];
    for component in components {
        let calls_itself = graph.of(component[0]).contains(&component[0]);
        for module in &component {
            is_recursive[*module as usize] = component.len() > 1 || calls_itself;
        }
    }
    Ok(functions(making, &is_recursive))
}

/// Rows for some functions.
fn functions(making: &Making, is_meant: &[bool]) -> Vec<Given> {
    let meant = is_meant.iter().enumerate().filter(|(_, is_meant)| **is_meant);
    meant.map(|(m, _)| Given::new([(making.template.others[0], m as u32)], Bdd::TRUE)).collect()
}

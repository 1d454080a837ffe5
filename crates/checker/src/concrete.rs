//! From a way through the templates to a run of the program.
//!
//! The states of a way say what matters at the points of the reduced program. Here the steps in between are filled in, and the
//! values that do not matter are chosen: sets of states go forward along each block, then one state is picked at its
//! end and traced back. The run of a function depends on the state it is entered in, and is made once for each.

use crate::facts::{Facts, StateId, TemplateState};
use crate::skeleton::{Skeleton, SkeletonStep};
use dd::{Bdd, Exhausted, Image, Level};
use encode::{Encoder, Relation, Slot};
use rsm::interleave::{ThreadId, World};
use rsm::step::State;
use rsm::trace::{Context, Run, Step, Trace};
use rsm::{Action, EdgeId, Expr, Goal, ModuleId, Place};
use rustc_hash::FxHashMap;
use solver::Solver;
use std::rc::Rc;
use templates::{Point, Templates, View, Vocabulary};

/// Why a way is no run.
#[derive(Debug)]
pub(crate) enum Problem {
    Exhausted(Exhausted),
    /// The first step of the derivation that is no step of the program.
    NoStep(String),
}

impl From<Exhausted> for Problem {
    fn from(exhausted: Exhausted) -> Self {
        Self::Exhausted(exhausted)
    }
}

/// Where the concrete run of a function is.
#[derive(Clone)]
enum Cursor {
    /// Entered with these globals and parameters; the other locals are not chosen yet.
    Entry(State),
    /// At a node.
    At(State),
}

/// A run that is being made.
struct Active {
    run: usize,
    key: (usize, State),
    module: ModuleId,
    cursor: Cursor,
    point: StateId,
    start: Option<State>,
    steps: Vec<Step>,
    next: usize,
}

/// The two copies of a function's variables.
struct Views {
    before: View,
    after: View,
}

pub(crate) struct Concretiser<'c, 's, 'r> {
    templates: &'c Templates<'r>,
    words: &'c Vocabulary,
    solver: &'c mut Solver<'s>,
    facts: &'c Facts,
    skeleton: &'c Skeleton,
    encoder: Encoder,
    views: FxHashMap<ModuleId, Rc<Views>>,
    relations: FxHashMap<(ModuleId, EdgeId), Option<Rc<Relation>>>,
    made: FxHashMap<(usize, State), usize>,
    runs: Vec<Run>,
}

impl<'c, 's, 'r> Concretiser<'c, 's, 'r> {
    pub fn new(
        templates: &'c Templates<'r>,
        words: &'c Vocabulary,
        solver: &'c mut Solver<'s>,
        facts: &'c Facts,
        skeleton: &'c Skeleton,
    ) -> Self {
        let encoder = Encoder::new(solver.n_levels());
        let (views, relations, made, runs) = Default::default();
        Self { templates, words, solver, facts, skeleton, encoder, views, relations, made, runs }
    }

    /// The trace of a way to one of the goals.
    pub fn trace(mut self, goals: &[Goal]) -> Result<Trace, Problem> {
        let mut open: Vec<Active> = Vec::new();
        let mut calls: Vec<EdgeId> = Vec::new();
        let mut entry = self.initial()?;
        let n_open = self.skeleton.open.len();
        for (n, &run) in self.skeleton.open.iter().enumerate() {
            let mut active = self.complete(run, entry.clone())?;
            if n + 1 == n_open {
                let goal = self.arrive(&mut active, goals)?;
                open.push(active);
                return Ok(self.written(open, calls, goal));
            }
            let callee = self.facts.state(self.skeleton.runs[self.skeleton.open[n + 1]].entry);
            let edge = self.call_edge(&active, callee.module)?;
            entry = self.enter(&active, edge, callee)?;
            calls.push(edge);
            open.push(active);
        }
        Err(Problem::NoStep("the derivation does not get anywhere".to_owned()))
    }

    /// The trace whose open runs are these, each entered by a call of the one before.
    fn written(self, open: Vec<Active>, calls: Vec<EdgeId>, goal: Goal) -> Trace {
        let mut calls = calls.into_iter();
        let mut steps = Vec::new();
        let mut world = None;
        for active in open {
            let start = active.start.expect("a run that has ended has started");
            match world {
                None => world = Some(World::of_main(self.templates.rsm, start)),
                Some(_) => steps.extend(calls.next().map(|edge| Step { edge, run: None, after: start })),
            }
            steps.extend(active.steps);
        }
        let start = world.expect("a way has an open run");
        let contexts = vec![Context { thread: ThreadId(0), steps }];
        Trace { start, runs: self.runs, contexts, goal: goal.into() }
    }

    /// Keeps a run that is over.
    fn store(&mut self, active: Active) -> usize {
        let start = active.start.expect("a run that has ended has started");
        self.runs.push(Run { module: active.module, start, steps: active.steps });
        self.runs.len() - 1
    }

    fn views(&mut self, module: ModuleId) -> Rc<Views> {
        if let Some(views) = self.views.get(&module) {
            return views.clone();
        }
        let view = |state| self.templates.view(self.solver, self.words, ("ProgramInt", state), module);
        let views = Rc::new(Views { before: view(0), after: view(1) });
        self.views.insert(module, views.clone());
        views
    }

    /// The globals in which `main` is entered; those that do not matter get some value that `init` allows.
    fn initial(&mut self) -> Result<State, Problem> {
        let rsm = self.templates.rsm;
        let views = self.views(rsm.main);
        let way = self.facts.state(self.skeleton.runs[self.skeleton.open[0]].entry);
        let mut states = self.at_entry(rsm.main, way)?;
        for init in &rsm.init {
            let dd = self.solver.diagrams();
            let (holds, _) = self.encoder.condition(dd, views.before.columns(), init)?;
            states = dd.and(states, holds)?;
        }
        for (variable, levels) in rsm.globals.iter().zip(&views.before.globals) {
            let dd = self.solver.diagrams();
            let domain = self.encoder.domain(dd, levels, &variable.ty)?;
            states = dd.and(states, domain)?;
        }
        let picked = self.pick(states, || "no run starts where the derivation starts".to_owned())?;
        Ok(State { globals: values(&views.before.globals, &picked), locals: Vec::new() })
    }

    /// The states that agree with an entry on what matters there.
    fn at_entry(&mut self, module: ModuleId, way: &TemplateState) -> Result<Bdd, Problem> {
        let (rsm, reduced) = (self.templates.rsm, self.templates.reduced);
        let entry = rsm.module(module).entry;
        let n_params = rsm.module(module).n_params;
        let part = &reduced.modules[module.index()];
        let at = part.points.binary_search(&entry).expect("the entry is a point");
        let given = |place: &Place| !matches!(place, Place::Local(n) if *n as usize >= n_params);
        let places: Vec<Place> = part.live[at].iter().copied().filter(given).collect();
        self.agreeing(module, way, &places)
    }

    /// The states that agree with a state of the way on some variables.
    fn agreeing(&mut self, module: ModuleId, way: &TemplateState, places: &[Place]) -> Result<Bdd, Problem> {
        let views = self.views(module);
        let slots = &self.templates.slots;
        let mut literals = Vec::new();
        for &place in places {
            let value = match place {
                Place::Global(n) => way.global(&slots.globals[n as usize]),
                Place::Local(n) => way.local(&slots.modules[module.index()].locals[n as usize]),
            };
            literals.extend(word(views.before.columns().place(place), value));
        }
        Ok(self.solver.diagrams().cube(literals)?)
    }

    fn pick(
        &mut self,
        states: Bdd,
        message: impl FnOnce() -> String,
    ) -> Result<FxHashMap<Level, bool>, Problem> {
        match self.solver.diagrams().pick(states) {
            Some(literals) => Ok(literals.into_iter().collect()),
            None => Err(Problem::NoStep(message())),
        }
    }

    /// Makes a run of the way, entered in a state, and all runs that it calls.
    fn complete(&mut self, run: usize, entry: State) -> Result<Active, Problem> {
        let mut stack = vec![self.activate(run, entry)];
        loop {
            self.solver.poll().map_err(Problem::Exhausted)?;
            let mut active = stack.pop().expect("the stack is left through the return below");
            match self.skeleton.runs[active.run].steps.get(active.next).copied() {
                None if stack.is_empty() => return Ok(active),
                None => {
                    let key = active.key.clone();
                    let number = self.store(active);
                    self.made.insert(key, number);
                }
                Some(SkeletonStep::Step(to)) => {
                    self.step(&mut active, to)?;
                    stack.push(active);
                }
                Some(SkeletonStep::Call { run, after }) => {
                    let callee = self.facts.state(self.skeleton.runs[run].entry).clone();
                    let edge = self.call_edge(&active, callee.module)?;
                    let entry = self.enter(&active, edge, &callee)?;
                    if let Some(&number) = self.made.get(&(run, entry.clone())) {
                        self.come_back(&mut active, edge, number, after)?;
                        stack.push(active);
                    } else {
                        stack.push(active);
                        stack.push(self.activate(run, entry));
                    }
                }
            }
        }
    }

    fn activate(&self, run: usize, entry: State) -> Active {
        let point = self.skeleton.runs[run].entry;
        Active {
            run,
            key: (run, entry.clone()),
            module: self.facts.state(point).module,
            cursor: Cursor::Entry(entry),
            point,
            start: None,
            steps: Vec::new(),
            next: 0,
        }
    }

    /// The states in which a run may be where its cursor is.
    fn states(&mut self, module: ModuleId, cursor: &Cursor) -> Result<Bdd, Problem> {
        let views = self.views(module);
        let (state, chosen) = match cursor {
            Cursor::Entry(state) => (state, false),
            Cursor::At(state) => (state, true),
        };
        let globals = views.before.globals.iter().zip(&state.globals);
        let locals = views.before.locals.iter().zip(&state.locals);
        let literals: Vec<(Level, bool)> =
            globals.chain(locals).flat_map(|(levels, value)| word(levels, *value)).collect();
        let mut states = self.solver.diagrams().cube(literals)?;
        if chosen {
            return Ok(states);
        }
        let machine = self.templates.rsm.module(module);
        let dd = self.solver.diagrams();
        for (variable, levels) in machine.locals.iter().zip(&views.before.locals).skip(machine.n_params) {
            let domain = self.encoder.domain(dd, levels, &variable.ty)?;
            states = dd.and(states, domain)?;
        }
        if let Some(enforce) = &machine.enforce {
            let (allowed, _) = self.encoder.condition(dd, views.before.columns(), enforce)?;
            states = dd.and(states, allowed)?;
        }
        Ok(states)
    }

    /// A block of the reduced program to the next state of the way.
    fn step(&mut self, active: &mut Active, to: StateId) -> Result<(), Problem> {
        let (from, way) = (self.facts.state(active.point).clone(), self.facts.state(to).clone());
        let (rsm, reduced) = (self.templates.rsm, self.templates.reduced);
        let (module, part) = (rsm.module(active.module), &reduced.modules[active.module.index()]);
        let counter = |node| self.templates.points.counter(rsm, active.module, node);
        let mut paths: Vec<&[EdgeId]> = Vec::new();
        let node = match self.templates.points.point(active.module, from.counter) {
            Some(Point::Node(node)) => node,
            _ => module.entry,
        };
        let first = part.blocks.partition_point(|block| block.from < node);
        for block in part.blocks[first..].iter().take_while(|block| block.from == node) {
            let is_call = matches!(module.edge(block.path[0]).action, Action::Call { .. });
            let ends = (counter(block.from), counter(block.to)) == (Some(from.counter), Some(way.counter));
            if !is_call && ends {
                paths.push(&block.path);
            }
        }
        let goes_on = match self.templates.points.point(active.module, from.counter) {
            Some(Point::Entry) => counter(module.entry),
            Some(Point::After(call)) => counter(module.edge(call).to),
            _ => None,
        };
        if goes_on == Some(way.counter) && paths.is_empty() {
            paths.push(&[]);
        }
        // The shortest path first, so that a way of fewest steps becomes a run of as many.
        paths.sort_by_key(|path| path.len());
        for path in paths {
            if self.along(active, path, &way)? {
                active.point = to;
                active.next += 1;
                return Ok(());
            }
        }
        let name = &module.name;
        Err(Problem::NoStep(format!(
            "the derivation goes from point {} to point {} of `{name}`, which is no step of the program",
            from.counter, way.counter
        )))
    }

    /// Goes along a path, if its end can agree with a state of the way.
    fn along(&mut self, active: &mut Active, path: &[EdgeId], way: &TemplateState) -> Result<bool, Problem> {
        let mut sets = vec![self.states(active.module, &active.cursor)?];
        let mut relations = Vec::new();
        for &edge in path {
            let Some(relation) = self.relation(active.module, edge)? else { return Ok(false) };
            sets.push(self.image(active.module, sets[sets.len() - 1], &relation)?);
            relations.push(relation);
        }
        let Some(states) = self.trace_back(active.module, &sets, &relations, path, way)? else {
            return Ok(false);
        };
        let mut states = states.into_iter();
        let first = states.next().expect("a path begins somewhere");
        active.start.get_or_insert_with(|| first.clone());
        let mut last = first;
        for (&edge, after) in path.iter().zip(states) {
            last = after.clone();
            active.steps.push(Step { edge, run: None, after });
        }
        active.cursor = Cursor::At(last);
        Ok(true)
    }

    /// What one step relates; everything is kept.
    fn relation(&mut self, module: ModuleId, edge: EdgeId) -> Result<Option<Rc<Relation>>, Problem> {
        if let Some(known) = self.relations.get(&(module, edge)) {
            return Ok(known.clone());
        }
        let views = self.views(module);
        let action = &self.templates.rsm.module(module).edge(edge).action;
        let mut path =
            self.encoder.path(self.solver.diagrams(), views.before.columns(), views.after.columns());
        self.templates.follow(&mut path, module, action)?;
        let relation = path.finish(|_| true)?.map(Rc::new);
        self.relations.insert((module, edge), relation.clone());
        Ok(relation)
    }

    /// The states after a step. Results, which only a last step has, are left out.
    fn image(&mut self, module: ModuleId, states: Bdd, relation: &Relation) -> Result<Bdd, Problem> {
        let views = self.views(module);
        let (mut old, mut moves) = (Vec::new(), Vec::new());
        for &slot in &relation.assigned {
            let Slot::Place(place) = slot else { continue };
            let (before, after) = (views.before.columns().place(place), views.after.columns().place(place));
            old.extend_from_slice(before);
            moves.extend(after.iter().zip(before).map(|(from, to)| (*from, Image::Level(*to))));
        }
        let dd = self.solver.diagrams();
        let next = self.encoder.and_exists(dd, states, relation.diagram, old)?;
        if moves.is_empty() {
            return Ok(next);
        }
        let id = dd.register_substitution(&moves);
        Ok(dd.substitute(next, id)?)
    }

    /// One state for each set, each leading to the next, the last agreeing with the way; `None` if there are none.
    fn trace_back(
        &mut self,
        module: ModuleId,
        sets: &[Bdd],
        relations: &[Rc<Relation>],
        path: &[EdgeId],
        way: &TemplateState,
    ) -> Result<Option<Vec<State>>, Problem> {
        let views = self.views(module);
        let (mut states, n_open) = match self.returning(module, sets, relations, path, way)? {
            Returning::No => {
                let places = self.live_places(module, way);
                let goal = self.agreeing(module, way, &places)?;
                let last = self.solver.diagrams().and(sets[sets.len() - 1], goal)?;
                let Some(picked) = self.solver.diagrams().pick(last) else { return Ok(None) };
                (vec![state(&views.before, &picked.into_iter().collect())], sets.len() - 1)
            }
            Returning::Impossible => return Ok(None),
            Returning::States(last, results) => (vec![results, last], sets.len() - 2),
        };
        for n in (0..n_open).rev() {
            let next = &states[states.len() - 1];
            let mut literals = Vec::new();
            for place in all_places(next) {
                let assigned = relations[n].assigned.contains(&Slot::Place(place));
                let view = if assigned { &views.after } else { &views.before };
                literals.extend(word(view.columns().place(place), value_of(next, place)));
            }
            let dd = self.solver.diagrams();
            let cube = dd.cube(literals)?;
            let ways = dd.and(sets[n], relations[n].diagram)?;
            let ways = dd.and(ways, cube)?;
            let picked = self.pick(ways, || "a state has no predecessor".to_owned())?;
            states.push(state(&views.before, &picked));
        }
        states.reverse();
        Ok(Some(states))
    }

    /// If the path ends with a return: the state in which it returns, and globals and results afterwards.
    fn returning(
        &mut self,
        module: ModuleId,
        sets: &[Bdd],
        relations: &[Rc<Relation>],
        path: &[EdgeId],
        way: &TemplateState,
    ) -> Result<Returning, Problem> {
        let machine = self.templates.rsm.module(module);
        let Some(&last) = path.last() else { return Ok(Returning::No) };
        let Action::Return { .. } = &machine.edge(last).action else { return Ok(Returning::No) };
        let views = self.views(module);
        let part = &self.templates.reduced.modules[module.index()];
        let results = &self.templates.slots.modules[module.index()].results;
        let places = self.live_places(module, way);
        let mut wanted = self.agreeing(module, way, &places)?;
        let mut literals = Vec::new();
        for &n in &part.results {
            literals.extend(word(&views.after.results[n as usize], way.local(&results[n as usize])));
        }
        let dd = self.solver.diagrams();
        let cube = dd.cube(literals)?;
        wanted = dd.and(wanted, cube)?;
        let ways = dd.and(sets[sets.len() - 2], relations[relations.len() - 1].diagram)?;
        let ways = dd.and(ways, wanted)?;
        let Some(picked) = dd.pick(ways) else { return Ok(Returning::Impossible) };
        let picked = picked.into_iter().collect();
        let before = state(&views.before, &picked);
        let results = values(&views.after.results, &picked);
        let after = State { globals: before.globals.clone(), locals: results };
        Ok(Returning::States(before, after))
    }

    /// The variables that matter where a state of the way is.
    fn live_places(&self, module: ModuleId, way: &TemplateState) -> Vec<Place> {
        let part = &self.templates.reduced.modules[module.index()];
        let node = match self.templates.points.point(module, way.counter) {
            Some(Point::Node(node)) => node,
            Some(Point::After(call)) => self.templates.rsm.module(module).edge(call).to,
            Some(Point::Entry) | None => return Vec::new(),
        };
        let live = part.points.binary_search(&node).map(|at| &part.live[at]);
        let untouched =
            |place: &Place| matches!(place, Place::Global(n) if part.touched.binary_search(n).is_err());
        live.map(|live| live.iter().copied().filter(|place| !untouched(place)).collect()).unwrap_or_default()
    }

    /// The call that leaves the point where a run is.
    fn call_edge(&self, active: &Active, callee: ModuleId) -> Result<EdgeId, Problem> {
        let (rsm, point) = (self.templates.rsm, self.facts.state(active.point));
        let machine = rsm.module(active.module);
        let node = match self.templates.points.point(active.module, point.counter) {
            Some(Point::Node(node)) => node,
            Some(Point::After(call)) => machine.edge(call).to,
            Some(Point::Entry) | None => machine.entry,
        };
        let calls = |action: &Action| matches!(action, Action::Call { callee: c, .. } if *c == callee);
        match machine.edges_from(node).find(|(_, edge)| calls(&edge.action)) {
            Some((edge, _)) => Ok(edge),
            None => Err(Problem::NoStep(format!(
                "the derivation calls `{}` where `{}` does not",
                rsm.module(callee).name,
                machine.name
            ))),
        }
    }

    /// The globals and parameters that a call hands over.
    fn enter(&mut self, active: &Active, edge: EdgeId, way: &TemplateState) -> Result<State, Problem> {
        let rsm = self.templates.rsm;
        let Action::Call { args, .. } = &rsm.module(active.module).edge(edge).action else {
            unreachable!("the edge was found as a call")
        };
        let caller = self.views(active.module);
        let mut callee = self.views(way.module).after.clone();
        callee.results = std::mem::take(&mut callee.locals);
        let here = self.states(active.module, &active.cursor)?;
        let targets: Vec<Slot> = (0..args.len() as u32).map(Slot::Result).collect();
        let dd = self.solver.diagrams();
        let mut path = self.encoder.path(dd, caller.before.columns(), callee.columns());
        path.assign(&targets, args, None)?;
        let handed = path.finish(|_| true)?.map_or(Bdd::FALSE, |relation| relation.diagram);
        let mut literals = Vec::new();
        for place in self.entry_params(way.module) {
            let slots = &self.templates.slots.modules[way.module.index()].locals[place];
            literals.extend(word(&callee.results[place], way.local(slots)));
        }
        let dd = self.solver.diagrams();
        let wanted = dd.cube(literals)?;
        let ways = dd.and(here, handed)?;
        let ways = dd.and(ways, wanted)?;
        let name = &rsm.module(way.module).name;
        let picked = self.pick(ways, || format!("the derivation calls `{name}` with other arguments"))?;
        let Cursor::At(state) = &active.cursor else {
            return Err(Problem::NoStep(format!("the derivation calls `{name}` before anything else")));
        };
        let n_params = args.len();
        let locals = values(&callee.results[..n_params], &picked);
        Ok(State { globals: state.globals.clone(), locals })
    }

    /// The parameters that matter at a function's entry.
    fn entry_params(&self, module: ModuleId) -> Vec<usize> {
        let machine = self.templates.rsm.module(module);
        let part = &self.templates.reduced.modules[module.index()];
        let at = part.points.binary_search(&machine.entry).expect("the entry is a point");
        let params = part.live[at].iter().filter_map(|place| match place {
            Place::Local(n) if (*n as usize) < machine.n_params => Some(*n as usize),
            _ => None,
        });
        params.collect()
    }

    /// A call has returned.
    fn come_back(
        &mut self,
        active: &mut Active,
        edge: EdgeId,
        number: usize,
        after: StateId,
    ) -> Result<(), Problem> {
        let rsm = self.templates.rsm;
        let Action::Call { results, .. } = &rsm.module(active.module).edge(edge).action else {
            unreachable!("the edge was found as a call")
        };
        let Some(last) = self.runs[number].steps.last() else {
            return Err(Problem::NoStep(
                "the derivation returns from a function that did nothing".to_owned(),
            ));
        };
        let Cursor::At(before) = &active.cursor else { unreachable!("calls are not made at the entry") };
        let mut state = State { globals: last.after.globals.clone(), locals: before.locals.clone() };
        for (place, value) in results.iter().zip(&last.after.locals) {
            match place {
                Some(Place::Global(n)) => state.globals[*n as usize] = *value,
                Some(Place::Local(n)) => state.locals[*n as usize] = *value,
                None => {}
            }
        }
        active.steps.push(Step { edge, run: Some(number), after: state.clone() });
        active.cursor = Cursor::At(state);
        active.point = after;
        active.next += 1;
        Ok(())
    }

    /// The goal at which a run has arrived.
    fn arrive(&mut self, active: &mut Active, goals: &[Goal]) -> Result<Goal, Problem> {
        let rsm = self.templates.rsm;
        let machine = rsm.module(active.module);
        let node = match active.steps.last() {
            Some(step) => machine.edge(step.edge).to,
            None => machine.entry,
        };
        let states = self.states(active.module, &active.cursor)?;
        let views = self.views(active.module);
        for &goal in goals {
            let condition: Option<&Expr> = match goal {
                Goal::At(module, at) if (module, at) == (active.module, node) => None,
                Goal::Failure(module, edge) if module == active.module && machine.edge(edge).from == node => {
                    match &machine.edge(edge).action {
                        Action::Assert(expr) => Some(expr),
                        _ => continue,
                    }
                }
                _ => continue,
            };
            let dd = self.solver.diagrams();
            let reached = match condition {
                None => states,
                Some(expr) => {
                    let (_, fails) = self.encoder.condition(dd, views.before.columns(), expr)?;
                    dd.and(states, fails)?
                }
            };
            if let Some(picked) = dd.pick(reached) {
                let picked = picked.into_iter().collect();
                active.start.get_or_insert_with(|| state(&views.before, &picked));
                return Ok(goal);
            }
        }
        Err(Problem::NoStep("the derivation does not end at the target".to_owned()))
    }
}

/// How a path ends.
enum Returning {
    /// Not with a return.
    No,
    /// With a return that cannot lead where the way goes.
    Impossible,
    /// The state before the return; the globals and results after it.
    States(State, State),
}

fn all_places(state: &State) -> impl Iterator<Item = Place> {
    let globals = (0..state.globals.len() as u32).map(Place::Global);
    globals.chain((0..state.locals.len() as u32).map(Place::Local))
}

fn value_of(state: &State, place: Place) -> u64 {
    match place {
        Place::Global(n) => state.globals[n as usize],
        Place::Local(n) => state.locals[n as usize],
    }
}

/// A value as literals, the lowest bit first.
fn word(levels: &[Level], value: u64) -> impl Iterator<Item = (Level, bool)> {
    levels.iter().enumerate().map(move |(bit, level)| (*level, value >> bit & 1 == 1))
}

fn values(words: &[encode::Bits], picked: &FxHashMap<Level, bool>) -> Vec<u64> {
    let bit = |level: &Level| u64::from(picked.get(level).copied().unwrap_or(false));
    words.iter().map(|levels| levels.iter().enumerate().map(|(n, level)| bit(level) << n).sum()).collect()
}

fn state(view: &View, picked: &FxHashMap<Level, bool>) -> State {
    State { globals: values(&view.globals, picked), locals: values(&view.locals, picked) }
}

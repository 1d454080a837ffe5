//! From a way through the templates to a run of the program.
//!
//! The states of a way say what matters at the points of the reduced program. Here the steps in between are filled in, and the
//! values that do not matter are chosen: sets of states go forward along each block, then one state is picked at its
//! end and traced back. The run of a function depends on the state it is entered in, and is made once for each.

use crate::known_steps::{KnownSteps, StateId, TemplateState};
use crate::way::{Head, Way, WayStep};
use dd::{Bdd, Exhausted, Image, Level};
use encode::{Encoder, Relation, Slot};
use rsm::interleave::{ThreadId, World};
use rsm::step::{self, State};
use rsm::trace::{Context, End, Run, Step, Trace};
use rsm::{Action, EdgeId, Goal, ModuleId, Place};
use rustc_hash::FxHashMap;
use solver::Solver;
use std::rc::Rc;
use symbolic::{Point, View};
use templates::{Role, StateParameter, Templates, Vocabulary};

/// Why a way is no run.
#[derive(Debug)]
pub enum NotConcrete {
    /// Stopped, or out of memory.
    Exhausted(Exhausted),
    /// The first step of the derivation that is no step of the program.
    NoStep(String),
}

impl From<Exhausted> for NotConcrete {
    fn from(exhausted: Exhausted) -> Self {
        Self::Exhausted(exhausted)
    }
}

/// What becomes of a return with which a way ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LastReturn {
    /// It is taken.
    Taken,
    /// The caller does not allow it: the run is stuck before it.
    Blocked,
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
    /// How many steps there were after each step of the way.
    marks: Vec<usize>,
}

impl Active {
    /// How many steps there were after so many steps of the way.
    fn mark(&self, n: usize) -> usize {
        n.checked_sub(1).map_or(0, |n| self.marks[n])
    }

    /// The state after so many steps.
    fn state(&self, n: usize) -> Option<&State> {
        match n.checked_sub(1) {
            Some(n) => Some(&self.steps[n].after),
            None => self.start.as_ref(),
        }
    }
}

/// The two copies of a function's variables.
struct Views {
    before: View,
    after: View,
}

/// Fills in a way.
pub struct Concretiser<'c, 's, 'r> {
    templates: &'c Templates<'r>,
    words: &'c Vocabulary,
    solver: &'c mut Solver<'s>,
    known: &'c KnownSteps,
    way: &'c Way,
    encoder: Encoder,
    views: FxHashMap<ModuleId, Rc<Views>>,
    relations: FxHashMap<(ModuleId, EdgeId), Option<Rc<Relation>>>,
    made: FxHashMap<(usize, State), usize>,
    runs: Vec<Run>,
    /// Where an infinite run begins to repeat itself: its end should be the same.
    head: Option<State>,
}

impl<'c, 's, 'r> Concretiser<'c, 's, 'r> {
    /// Of a way whose states are known to a solver with the program.
    pub fn new(
        templates: &'c Templates<'r>,
        words: &'c Vocabulary,
        solver: &'c mut Solver<'s>,
        known: &'c KnownSteps,
        way: &'c Way,
    ) -> Self {
        let encoder = Encoder::new(solver.n_levels());
        let (views, relations, made, runs) = Default::default();
        let head = None;
        Self { templates, words, solver, known, way, encoder, views, relations, made, runs, head }
    }

    /// The trace of a way: to one of the goals if it ends at one.
    pub fn trace(mut self, goals: &[Goal], last: LastReturn) -> Result<Trace, NotConcrete> {
        let mut open: Vec<Active> = Vec::new();
        let mut calls: Vec<EdgeId> = Vec::new();
        let mut entry = self.initial()?;
        let n_open = self.way.open.len();
        for (n, &run) in self.way.open.iter().enumerate() {
            let mut active = self.complete(run, entry.clone())?;
            if n + 1 == n_open {
                let ends = if self.way.head.is_none() { goals } else { &[] };
                let goal = match self.arrive(&mut active, ends) {
                    // Where no choice of the locals is allowed, the function is not entered: the run is stuck at the call.
                    Err(NotConcrete::NoStep(_)) if active.start.is_none() && calls.pop().is_some() => {
                        return Ok(self.written(open, calls, End::Here));
                    }
                    arrived => arrived?,
                };
                let is_over = active.steps.last().is_some_and(|step| {
                    let edge = self.templates.rsm.module(active.module).edge(step.edge);
                    matches!(edge.action, Action::Return { .. })
                });
                if is_over && goal.is_none() && last == LastReturn::Blocked && !calls.is_empty() {
                    active.steps.pop();
                    open.push(active);
                    return Ok(self.written(open, calls, End::Here));
                }
                match (calls.last().copied().filter(|_| is_over && goal.is_none()), open.pop()) {
                    // Where the way ends with a return, the run is back in the caller.
                    (Some(edge), Some(mut caller)) => {
                        calls.pop();
                        let (number, point) = (self.store(active), caller.point);
                        self.come_back(&mut caller, edge, number, point)?;
                        open.push(caller);
                    }
                    (_, caller) => {
                        open.extend(caller);
                        open.push(active);
                    }
                }
                let end = match (self.way.head, goal) {
                    (Some(head), _) => End::Cycle { first: position(&open, head) },
                    (None, Some(goal)) => End::Goal(goal.into()),
                    (None, None) => End::Here,
                };
                return Ok(self.written(open, calls, end));
            }
            if let Some(head) = self.way.head.filter(|head| head.open == n) {
                self.head = active.state(active.mark(head.steps)).cloned();
            }
            let callee = self.known.state(self.way.runs[self.way.open[n + 1]].entry);
            let edge = self.call_edge(&active, callee.module)?;
            entry = self.enter(&active, edge, callee)?;
            calls.push(edge);
            open.push(active);
        }
        Err(NotConcrete::NoStep("the derivation does not get anywhere".to_owned()))
    }

    /// The trace whose open runs are these, each entered by a call of the one before.
    fn written(self, open: Vec<Active>, calls: Vec<EdgeId>, end: End) -> Trace {
        let (n_open, mut calls) = (open.len(), calls.into_iter());
        let mut steps: Vec<Step> = Vec::new();
        let mut world = None;
        for active in open {
            let start = active.start.expect("a run that has ended has started");
            match world {
                None => world = Some(World::of_main(self.templates.rsm, start)),
                Some(_) => steps.extend(calls.next().map(|edge| Step { edge, run: None, after: start })),
            }
            steps.extend(active.steps);
        }
        // A run that ends leaves nothing behind but the globals.
        let is_over = |step: &Step| {
            let main = self.templates.rsm.module(self.templates.rsm.main);
            n_open == 1 && matches!(main.edge(step.edge).action, Action::Return { .. })
        };
        if let Some(last) = steps.last_mut().filter(|step| is_over(step)) {
            last.after.locals.clear();
        }
        let start = world.expect("a way has an open run");
        let contexts = vec![Context { thread: ThreadId(0), steps }];
        Trace { start, runs: self.runs, contexts, end }
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
        let view = |columns| StateParameter::new(self.solver, columns).view(&self.templates.slots, module);
        let [before, after] = &self.words.with_role(Role::Step).states[..] else {
            unreachable!("a step leads from state to state")
        };
        let views = Rc::new(Views { before: view(before), after: view(after) });
        self.views.insert(module, views.clone());
        views
    }

    /// The globals in which `main` is entered; those that do not matter get some value that `init` allows.
    fn initial(&mut self) -> Result<State, NotConcrete> {
        let rsm = self.templates.rsm;
        let views = self.views(rsm.main);
        let way = self.known.state(self.way.runs[self.way.open[0]].entry);
        let places: Vec<Place> = self.templates.given(rsm.main).collect();
        let states = self.agreeing(rsm.main, way, &places)?;
        let globals = (0..rsm.globals.len() as u32).map(Place::Global);
        let (program, dd) = (self.templates, self.solver.diagrams());
        let states = self.encoder.restrict(dd, views.before.columns(), states, &rsm.init)?;
        let typed = program.typed(&mut self.encoder, dd, (rsm.main, &views.before), globals)?;
        let states = dd.and(states, typed)?;
        let picked = self.pick(states, || "no run starts where the derivation starts".to_owned())?;
        Ok(State { globals: values(&views.before.globals, &picked), locals: Vec::new() })
    }

    /// The states that agree with a state of the way on some variables.
    fn agreeing(
        &mut self,
        module: ModuleId,
        way: &TemplateState,
        places: &[Place],
    ) -> Result<Bdd, NotConcrete> {
        let views = self.views(module);
        let mut literals = Vec::new();
        for &place in places {
            let slots = self.templates.slots.bits(module, Slot::Place(place));
            let value = match place {
                Place::Global(_) => way.global(slots),
                Place::Local(_) => way.local(slots),
            };
            literals.extend(word(views.before.columns().place(place), value));
        }
        Ok(self.solver.diagrams().cube(literals)?)
    }

    fn pick(
        &mut self,
        states: Bdd,
        message: impl FnOnce() -> String,
    ) -> Result<FxHashMap<Level, bool>, NotConcrete> {
        match self.solver.diagrams().pick(states) {
            Some(literals) => Ok(literals.into_iter().collect()),
            None => Err(NotConcrete::NoStep(message())),
        }
    }

    /// Makes a run of the way, entered in a state, and all runs that it calls.
    fn complete(&mut self, run: usize, entry: State) -> Result<Active, NotConcrete> {
        let mut stack = vec![self.activate(run, entry)];
        loop {
            self.solver.poll().map_err(NotConcrete::Exhausted)?;
            let mut active = stack.pop().expect("the stack is left through the return below");
            match self.way.runs[active.run].steps.get(active.next).copied() {
                None if stack.is_empty() => return Ok(active),
                None => {
                    let key = active.key.clone();
                    let number = self.store(active);
                    self.made.insert(key, number);
                }
                Some(WayStep::Step(to)) => {
                    self.step(&mut active, to)?;
                    stack.push(active);
                }
                Some(WayStep::Call { run, after }) => {
                    let callee = self.known.state(self.way.runs[run].entry).clone();
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
        let point = self.way.runs[run].entry;
        Active {
            run,
            key: (run, entry.clone()),
            module: self.known.state(point).module,
            cursor: Cursor::Entry(entry),
            point,
            start: None,
            steps: Vec::new(),
            next: 0,
            marks: Vec::new(),
        }
    }

    /// The states in which a run may be where its cursor is.
    fn states(&mut self, module: ModuleId, cursor: &Cursor) -> Result<Bdd, NotConcrete> {
        let views = self.views(module);
        let (state, chosen) = match cursor {
            Cursor::Entry(state) => (state, false),
            Cursor::At(state) => (state, true),
        };
        let globals = views.before.globals.iter().zip(&state.globals);
        let locals = views.before.locals.iter().zip(&state.locals);
        let literals: Vec<(Level, bool)> =
            globals.chain(locals).flat_map(|(levels, value)| word(levels, *value)).collect();
        let dd = self.solver.diagrams();
        let states = dd.cube(literals)?;
        if chosen {
            return Ok(states);
        }
        Ok(self.templates.chosen(&mut self.encoder, dd, (module, &views.before), states)?)
    }

    /// A block of the reduced program to the next state of the way.
    fn step(&mut self, active: &mut Active, to: StateId) -> Result<(), NotConcrete> {
        let (from, way) = (self.known.state(active.point).clone(), self.known.state(to).clone());
        let (rsm, program) = (self.templates.rsm, self.templates);
        let module = rsm.module(active.module);
        let counter = |node| program.points.counter(rsm, active.module, node);
        let mut paths: Vec<&[EdgeId]> = Vec::new();
        let node = match program.points.point(active.module, from.counter) {
            Some(Point::Node(node)) => node,
            _ => module.entry,
        };
        for block in program.blocks_from(active.module, node) {
            let ends = (counter(block.from), counter(block.to)) == (Some(from.counter), Some(way.counter));
            if ends && program.called(active.module, block).is_none() {
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
                active.marks.push(active.steps.len());
                return Ok(());
            }
        }
        let name = &module.name;
        Err(NotConcrete::NoStep(format!(
            "the derivation goes from point {} to point {} of `{name}`, which is no step of the program",
            from.counter, way.counter
        )))
    }

    /// Goes along a path, if its end can agree with a state of the way.
    fn along(
        &mut self,
        active: &mut Active,
        path: &[EdgeId],
        way: &TemplateState,
    ) -> Result<bool, NotConcrete> {
        if let Some(states) = self.decided(active, path) {
            let is_there = self.agrees(active.module, path, &states, way);
            if is_there {
                Self::go(active, path, states);
            }
            return Ok(is_there);
        }
        let mut sets = vec![self.states(active.module, &active.cursor)?];
        let mut relations = Vec::new();
        for &edge in path {
            let Some(relation) = self.relation(active.module, edge)? else { return Ok(false) };
            sets.push(self.image(active.module, sets[sets.len() - 1], &relation)?);
            relations.push(relation);
        }
        let closing = self.closing(active);
        let Some(states) = self.trace_back(active.module, &sets, &relations, path, way, closing.as_ref())?
        else {
            return Ok(false);
        };
        Self::go(active, path, states);
        Ok(true)
    }

    /// Goes along a path, through a state before each step and one at its end.
    fn go(active: &mut Active, path: &[EdgeId], states: Vec<State>) {
        active.cursor = Cursor::At(states.last().expect("a path ends somewhere").clone());
        let mut states = states.into_iter();
        let first = states.next().expect("a path begins somewhere");
        active.start.get_or_insert(first);
        active.steps.extend(path.iter().zip(states).map(|(&edge, after)| Step { edge, run: None, after }));
    }

    /// The states on a path, the first included, if nothing on it leaves a choice.
    fn decided(&self, active: &Active, path: &[EdgeId]) -> Option<Vec<State>> {
        let rsm = self.templates.rsm;
        let module = rsm.module(active.module);
        let first = match &active.cursor {
            Cursor::At(state) => state,
            Cursor::Entry(state) if state.locals.len() == module.locals.len() && module.enforce.is_none() => {
                state
            }
            Cursor::Entry(_) => return None,
        };
        let mut states = Vec::with_capacity(path.len() + 1);
        states.push(first.clone());
        for &edge in path {
            let before = &states[states.len() - 1];
            let after = match &module.edge(edge).action {
                Action::Return { values } => {
                    State { globals: before.globals.clone(), locals: step::decided_values(values, before)? }
                }
                _ => step::decided(rsm, active.module, edge, before)?,
            };
            states.push(after);
        }
        Some(states)
    }

    /// The last of the states on a path agrees with a state of the way on what matters there; one that returns does before.
    fn agrees(&self, module: ModuleId, path: &[EdgeId], states: &[State], way: &TemplateState) -> bool {
        let machine = self.templates.rsm.module(module);
        let slots = &self.templates.slots;
        let returns =
            path.last().is_some_and(|&last| matches!(machine.edge(last).action, Action::Return { .. }));
        let last = &states[states.len() - 1];
        let results = &slots.modules[module.index()].results;
        let mut shown = self.templates.part(module).results.iter().map(|n| *n as usize);
        if returns && !shown.all(|n| last.locals[n] == way.local(&results[n])) {
            return false;
        }
        let there = &states[states.len() - 1 - usize::from(returns)];
        self.live_places(module, way).into_iter().all(|place| {
            let slots = slots.bits(module, Slot::Place(place));
            let wanted = match place {
                Place::Global(_) => way.global(slots),
                Place::Local(_) => way.local(slots),
            };
            there.value(place) == wanted
        })
    }

    /// What one step relates; everything is kept.
    fn relation(&mut self, module: ModuleId, edge: EdgeId) -> Result<Option<Rc<Relation>>, NotConcrete> {
        if let Some(known) = self.relations.get(&(module, edge)) {
            return Ok(known.clone());
        }
        let views = self.views(module);
        let (program, dd) = (self.templates, self.solver.diagrams());
        let views = (&views.before, &views.after);
        let relation = program.edge_relation(&mut self.encoder, dd, (module, edge), views)?.map(Rc::new);
        self.relations.insert((module, edge), relation.clone());
        Ok(relation)
    }

    /// The states after a step. Results, which only a last step has, are left out.
    fn image(&mut self, module: ModuleId, states: Bdd, relation: &Relation) -> Result<Bdd, NotConcrete> {
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
        closing: Option<&State>,
    ) -> Result<Option<Vec<State>>, NotConcrete> {
        let views = self.views(module);
        let (mut states, n_open) = match self.returning(module, sets, relations, path, way)? {
            Returning::No => {
                let places = self.live_places(module, way);
                let goal = self.agreeing(module, way, &places)?;
                let last = self.solver.diagrams().and(sets[sets.len() - 1], goal)?;
                let last = self.like(module, last, closing)?;
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
                literals.extend(word(view.columns().place(place), next.value(place)));
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

    /// If the next step of the way is the last of an infinite run: the state at which it begins to repeat itself.
    fn closing(&self, active: &Active) -> Option<State> {
        let head = self.way.head?;
        let is_last = Some(&active.run) == self.way.open.last();
        if !is_last || active.next + 1 < self.way.runs[active.run].steps.len() {
            return None;
        }
        match head.open + 1 == self.way.open.len() {
            true => active.state(active.mark(head.steps)).cloned(),
            false => self.head.clone(),
        }
    }

    /// Those of some states that agree with one as far as possible: on everything, or on the locals.
    fn like(&mut self, module: ModuleId, states: Bdd, closing: Option<&State>) -> Result<Bdd, NotConcrete> {
        let Some(closing) = closing else { return Ok(states) };
        let views = self.views(module);
        let words = |places: &[encode::Bits], values: &[u64]| -> Vec<(Level, bool)> {
            places.iter().zip(values).flat_map(|(levels, value)| word(levels, *value)).collect()
        };
        let locals = words(&views.before.locals, &closing.locals);
        let all = [locals.clone(), words(&views.before.globals, &closing.globals)].concat();
        for literals in [all, locals] {
            let dd = self.solver.diagrams();
            let cube = dd.cube(literals)?;
            let found = dd.and(states, cube)?;
            if found != Bdd::FALSE {
                return Ok(found);
            }
        }
        Ok(states)
    }

    /// If the path ends with a return: the state in which it returns, and globals and results afterwards.
    fn returning(
        &mut self,
        module: ModuleId,
        sets: &[Bdd],
        relations: &[Rc<Relation>],
        path: &[EdgeId],
        way: &TemplateState,
    ) -> Result<Returning, NotConcrete> {
        let machine = self.templates.rsm.module(module);
        let Some(&last) = path.last() else { return Ok(Returning::No) };
        let Action::Return { .. } = &machine.edge(last).action else { return Ok(Returning::No) };
        let views = self.views(module);
        let part = self.templates.part(module);
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
        match self.templates.node(module, way.counter) {
            Some(node) if way.counter > 0 => self.templates.tracked(module, node).collect(),
            _ => Vec::new(),
        }
    }

    /// The call that leaves the point where a run is.
    fn call_edge(&self, active: &Active, callee: ModuleId) -> Result<EdgeId, NotConcrete> {
        let (rsm, point) = (self.templates.rsm, self.known.state(active.point));
        let machine = rsm.module(active.module);
        let node = self.templates.node(active.module, point.counter).unwrap_or(machine.entry);
        let calls = |action: &Action| matches!(action, Action::Call { callee: c, .. } if *c == callee);
        match machine.edges_from(node).find(|(_, edge)| calls(&edge.action)) {
            Some((edge, _)) => Ok(edge),
            None => Err(NotConcrete::NoStep(format!(
                "the derivation calls `{}` where `{}` does not",
                rsm.module(callee).name,
                machine.name
            ))),
        }
    }

    /// The globals and parameters that a call hands over.
    fn enter(&mut self, active: &Active, edge: EdgeId, way: &TemplateState) -> Result<State, NotConcrete> {
        let rsm = self.templates.rsm;
        if let Some(entered) = self.entered(active, edge, way) {
            return Ok(entered);
        }
        let (caller, callee) = (self.views(active.module), self.views(way.module));
        let here = self.states(active.module, &active.cursor)?;
        let (program, dd) = (self.templates, self.solver.diagrams());
        let call = program.call(active.module, edge);
        let views = (&caller.before, &callee.after);
        let handed = program.arguments(&mut self.encoder, dd, &call, views, |_| true)?.unwrap_or(Bdd::FALSE);
        let parameters = &callee.after.locals[..call.args.len()];
        let mut literals = Vec::new();
        for (n, levels) in (0..).zip(parameters).filter(|(n, _)| program.needs_parameter(way.module, *n)) {
            let slots = program.slots.bits(way.module, Slot::Place(Place::Local(n)));
            literals.extend(word(levels, way.local(slots)));
        }
        let dd = self.solver.diagrams();
        let wanted = dd.cube(literals)?;
        let ways = dd.and(here, handed)?;
        let ways = dd.and(ways, wanted)?;
        let name = &rsm.module(way.module).name;
        let picked = self.pick(ways, || format!("the derivation calls `{name}` with other arguments"))?;
        let Cursor::At(state) = &active.cursor else {
            return Err(NotConcrete::NoStep(format!("the derivation calls `{name}` before anything else")));
        };
        Ok(State { globals: state.globals.clone(), locals: values(parameters, &picked) })
    }

    /// The same if the arguments leave no choice, and are those of the way.
    fn entered(&self, active: &Active, edge: EdgeId, way: &TemplateState) -> Option<State> {
        let (rsm, program) = (self.templates.rsm, self.templates);
        let Cursor::At(state) = &active.cursor else { return None };
        let Action::Call { args, .. } = &rsm.module(active.module).edge(edge).action else { return None };
        let locals = step::decided_values(args, state)?;
        let is_there =
            (0..).zip(&locals).filter(|(n, _)| program.needs_parameter(way.module, *n)).all(|(n, value)| {
                *value == way.local(program.slots.bits(way.module, Slot::Place(Place::Local(n))))
            });
        is_there.then(|| State { globals: state.globals.clone(), locals })
    }

    /// A call has returned.
    fn come_back(
        &mut self,
        active: &mut Active,
        edge: EdgeId,
        number: usize,
        after: StateId,
    ) -> Result<(), NotConcrete> {
        let rsm = self.templates.rsm;
        let Action::Call { results, .. } = &rsm.module(active.module).edge(edge).action else {
            unreachable!("the edge was found as a call")
        };
        let Some(last) = self.runs[number].steps.last() else {
            return Err(NotConcrete::NoStep(
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
        active.marks.push(active.steps.len());
        Ok(())
    }

    /// The goal at which a run has arrived, if it is at one.
    fn arrive(&mut self, active: &mut Active, goals: &[Goal]) -> Result<Option<Goal>, NotConcrete> {
        let rsm = self.templates.rsm;
        let machine = rsm.module(active.module);
        let node = match active.steps.last() {
            Some(step) => machine.edge(step.edge).to,
            None => machine.entry,
        };
        let states = self.states(active.module, &active.cursor)?;
        let views = self.views(active.module);
        for &goal in goals {
            let Some((module, at, condition)) = self.templates.goal(goal) else { continue };
            if (module, at) != (active.module, node) {
                continue;
            }
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
                return Ok(Some(goal));
            }
        }
        if active.start.is_none() {
            let closing = self.closing(active);
            let states = self.like(active.module, states, closing.as_ref())?;
            let name = &machine.name;
            let picked = self.pick(states, || format!("`{name}` allows no state to begin with"))?;
            active.start = Some(state(&views.before, &picked));
        }
        Ok(None)
    }
}

/// The position of a moment of the way among the steps of all open runs.
fn position(open: &[Active], head: Head) -> usize {
    let before: usize = open[..head.open].iter().map(|active| active.steps.len() + 1).sum();
    before + open[head.open].mark(head.steps)
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

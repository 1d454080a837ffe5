//! Why a sequential program has no infinite run of a kind: entries of functions, what is reached from each, and a number for each state.
//!
//! ```text
//! START   Reach(e, e) :- Initial(e).
//! STEP    Reach(e, v) :- Reach(e, u), Step(u, v).
//! CALL    Reach(f, f) :- Reach(e, u), IntoCall(u, f).
//! RETURN  Reach(e, v) :- Reach(e, u), IntoCall(u, f), Reach(f, x), SetReturn(u, x, v).
//! ```
//!
//! The numbers are those of the components of the graph whose edges are these rules: they never grow along an edge, and shrink along one
//! that counts. The states are those of `rsm::step`, what does not matter left out; nothing is merged, so that whoever checks them needs
//! no other rules than these. The search of this crate finds the answer; this goes through all states once more, step by step.

use crate::{Limits, Stopped};
use base::Components;
use rsm::interleave::{ThreadId, ThreadState, World, is_allowed, mattering_starts, mattering_successors};
use rsm::step::Frame;
use rsm::values::TooLarge;
use rsm::{Action, Concurrent, Edge, EdgeId, Expr, Goal, ModuleId, NodeId, Place, Rsm};
use rustc_hash::{FxHashMap, FxHashSet};

/// The only thread.
const ALONE: ThreadId = ThreadId(0);

/// The most partial valuations that are looked at for one step.
const MAX_OUTCOMES: usize = 1 << 16;

/// Why there is no infinite run.
#[derive(Clone, Debug)]
pub struct Ranks {
    /// The variables that have values at each node; all others may have any.
    pub points: Vec<((ModuleId, NodeId), Vec<Place>)>,
    /// The states in which functions are entered.
    pub entries: Vec<ThreadState>,
    /// What is reached from them.
    pub states: Vec<Ranked>,
}

/// A state that is reached from an entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranked {
    /// A position among the entries.
    pub entry: u32,
    /// The state: one frame, and the values of the globals.
    pub state: ThreadState,
    /// A goal has been passed since the entry.
    pub passed: bool,
    /// Its number.
    pub number: u32,
}

/// Why no run is at one of these goals again and again; if there are none, why no run goes on for ever. Nothing if that is not so.
pub fn ranks(rsm: &Rsm, goals: Option<&[Goal]>, limits: &Limits<'_>) -> Result<Option<Ranks>, Stopped> {
    let program = Concurrent::owning(rsm.clone());
    let kept = Kept::new(rsm);
    let mut table = Table {
        program: &program,
        enforces: program.enforces(),
        kept: &kept,
        goals,
        limits,
        entries: Numbers::default(),
        vertices: Numbers::default(),
        callers: Vec::new(),
        returns: Vec::new(),
        edges: Vec::new(),
    };
    table.run()?;
    Ok(table.numbered().map(|numbers| table.ranks(numbers)))
}

/// Things with numbers, in the order in which they came.
struct Numbers<T> {
    list: Vec<T>,
    number_of: FxHashMap<T, u32>,
}

impl<T> Default for Numbers<T> {
    fn default() -> Self {
        Self { list: Vec::new(), number_of: FxHashMap::default() }
    }
}

impl<T: Clone + Eq + std::hash::Hash> Numbers<T> {
    fn number(&mut self, item: T) -> u32 {
        if let Some(number) = self.number_of.get(&item) {
            return *number;
        }
        let number = self.list.len() as u32;
        self.list.push(item.clone());
        self.number_of.insert(item, number);
        number
    }
}

/// A state that is reached from an entry: both, and whether a goal has been passed since.
type Vertex = (u32, ThreadState, bool);

struct Table<'a> {
    program: &'a Concurrent,
    /// Some function restricts its states.
    enforces: bool,
    kept: &'a Kept,
    /// None if every step counts.
    goals: Option<&'a [Goal]>,
    limits: &'a Limits<'a>,
    entries: Numbers<ThreadState>,
    vertices: Numbers<Vertex>,
    /// For each entry who waits for it, and by which call.
    callers: Vec<Vec<(u32, EdgeId)>>,
    /// For each entry the states from which it returns.
    returns: Vec<Vec<u32>>,
    /// Edges, and whether they count.
    edges: Vec<(u32, u32, bool)>,
}

impl Table<'_> {
    fn run(&mut self) -> Result<(), Stopped> {
        let matters = |at: Option<(ModuleId, NodeId)>, place| self.kept.has(at, place);
        let starts = mattering_starts(self.program, 0, &[], &matters, MAX_OUTCOMES);
        for start in starts.map_err(|TooLarge| Stopped::TooLarge)? {
            self.enter(start);
        }
        let mut next = 0;
        while next < self.vertices.list.len() {
            if next % 256 == 255 {
                let states = self.vertices.list.len() as u64;
                self.limits.look(|| crate::Figures { states, ..crate::Figures::default() })?;
            }
            self.expand(next as u32)?;
            next += 1;
        }
        Ok(())
    }

    fn is_goal(&self, state: &ThreadState) -> bool {
        let top = &state.stack[state.stack.len() - 1];
        self.goals.is_some_and(|goals| goals.contains(&Goal::At(top.module, top.node)))
    }

    /// A function is entered.
    fn enter(&mut self, state: ThreadState) -> (u32, u32) {
        let state = self.kept.project(self.program, state);
        let entry = self.entries.number(state.clone());
        self.callers.resize(self.entries.list.len(), Vec::new());
        self.returns.resize(self.entries.list.len(), Vec::new());
        let passed = self.is_goal(&state);
        (entry, self.vertices.number((entry, state, passed)))
    }

    /// A step of the same function.
    fn arrive(&mut self, entry: u32, state: ThreadState, passed: bool) -> u32 {
        let state = self.kept.project(self.program, state);
        let passed = passed || self.is_goal(&state);
        self.vertices.number((entry, state, passed))
    }

    fn note(&mut self, from: u32, to: u32, is_summary_of_goal: Passed) {
        let counts = match self.goals {
            None => true,
            Some(_) => {
                is_summary_of_goal == Passed::Goal || self.is_goal(&self.vertices.list[from as usize].1)
            }
        };
        self.edges.push((from, to, counts));
    }

    fn steps(&self, state: ThreadState) -> Result<Vec<(EdgeId, ThreadState)>, Stopped> {
        let matters = |at: Option<(ModuleId, NodeId)>, place| self.kept.has(at, place);
        let world = World { shared: Vec::new(), threads: vec![state] };
        let is_allowed = || is_allowed(self.program, &world, ALONE).map_err(|TooLarge| Stopped::TooLarge);
        if self.enforces && !is_allowed()? {
            return Ok(Vec::new());
        }
        let found = mattering_successors(self.program, &world, ALONE, &matters, MAX_OUTCOMES);
        let thread = |(edge, mut after): (EdgeId, World)| (edge, after.threads.remove(0));
        Ok(found.map_err(|TooLarge| Stopped::TooLarge)?.into_iter().map(thread).collect())
    }

    fn expand(&mut self, vertex: u32) -> Result<(), Stopped> {
        let (entry, state, passed) = self.vertices.list[vertex as usize].clone();
        for (edge, mut after) in self.steps(state)? {
            match after.stack.len() {
                0 => {
                    if self.returns[entry as usize].last() != Some(&vertex) {
                        self.returns[entry as usize].push(vertex);
                        for (caller, call) in self.callers[entry as usize].clone() {
                            self.come_back(caller, call, vertex)?;
                        }
                    }
                }
                1 => {
                    let to = self.arrive(entry, after, passed);
                    self.note(vertex, to, Passed::Nothing);
                }
                _ => {
                    after.stack.remove(0);
                    let (callee, to) = self.enter(after);
                    self.note(vertex, to, Passed::Nothing);
                    if self.callers[callee as usize].last() != Some(&(vertex, edge)) {
                        self.callers[callee as usize].push((vertex, edge));
                        for exit in self.returns[callee as usize].clone() {
                            self.come_back(vertex, edge, exit)?;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// RETURN: what the function does not modify is as it was before the call.
    fn come_back(&mut self, caller: u32, call: EdgeId, exit: u32) -> Result<(), Stopped> {
        let (entry, waiting, passed) = self.vertices.list[caller as usize].clone();
        let (_, mut state, passed_inside) = self.vertices.list[exit as usize].clone();
        let module = state.stack[0].module;
        for (n, value) in waiting.private.iter().enumerate() {
            if !self.kept.modified[module.index()].contains(&(n as u32)) {
                state.private[n] = *value;
            }
        }
        state.stack.insert(0, Frame { call: Some(call), ..waiting.stack[0].clone() });
        for (_, after) in self.steps(state)? {
            if after.stack.len() == 1 {
                let to = self.arrive(entry, after, passed || passed_inside);
                self.note(caller, to, if passed_inside { Passed::Goal } else { Passed::Nothing });
            }
        }
        Ok(())
    }

    /// The number of each vertex; nothing if an edge that counts leads back.
    fn numbered(&self) -> Option<Vec<u32>> {
        let n = self.vertices.list.len();
        let by_source = base::Adjacency::new(n, self.edges.iter().zip(0..).map(|(edge, n)| (edge.0, n)));
        let target = |edge: &u32| Some(self.edges[*edge as usize].1);
        let components = Components::new(n).list(0..n as u32, |vertex| by_source.of(vertex), target);
        let mut numbers = vec![0; n];
        for (number, members) in (0..).zip(&components) {
            members.iter().for_each(|member| numbers[*member as usize] = number);
        }
        let leads_back = |(from, to, counts): &(u32, u32, bool)| {
            *counts && numbers[*from as usize] == numbers[*to as usize]
        };
        (!self.edges.iter().any(leads_back)).then_some(numbers)
    }

    fn ranks(self, numbers: Vec<u32>) -> Ranks {
        let vertices = self.vertices.list.into_iter().zip(numbers);
        let ranked = |((entry, state, passed), number)| Ranked { entry, state, passed, number };
        let mut points: Vec<_> = self.kept.points.iter().map(|(at, places)| (*at, places.clone())).collect();
        points.sort_unstable_by_key(|(at, _)| *at);
        Ranks { points, entries: self.entries.list, states: vertices.map(ranked).collect() }
    }
}

/// What a call that is one edge passes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Passed {
    Nothing,
    Goal,
}

/// Which variables matter where, looked at one edge after the other.
struct Kept {
    points: FxHashMap<(ModuleId, NodeId), Vec<Place>>,
    /// The globals that each function, or one that it calls, may write.
    modified: Vec<FxHashSet<u32>>,
}

impl Kept {
    fn new(rsm: &Rsm) -> Self {
        let mut kept = Self { points: FxHashMap::default(), modified: modified(rsm) };
        for (m, module) in rsm.modules.iter().enumerate() {
            let enforced: Vec<Place> = module.enforce.iter().flat_map(Expr::reads).collect();
            for node in (0..module.nodes.len()).map(NodeId::new) {
                kept.points.insert((ModuleId::new(m), node), Vec::new());
                for place in &enforced {
                    kept.add((ModuleId::new(m), node), *place);
                }
            }
        }
        let modules = (0..).map(ModuleId).zip(&rsm.modules);
        let edges: Vec<(ModuleId, &Edge)> =
            modules.flat_map(|(m, module)| module.edges.iter().rev().map(move |edge| (m, edge))).collect();
        let mut is_new = true;
        while is_new {
            is_new = false;
            for (m, edge) in &edges {
                is_new |= kept.pass_on(rsm, &edges, *m, edge);
            }
        }
        kept
    }

    fn add(&mut self, at: (ModuleId, NodeId), place: Place) -> bool {
        let places = self.points.entry(at).or_default();
        let is_new = !places.contains(&place);
        if is_new {
            places.push(place);
            places.sort_unstable();
        }
        is_new
    }

    /// What an edge reads matters before it, and what matters behind it unless it is stored; says whether that is new.
    fn pass_on(&mut self, rsm: &Rsm, edges: &[(ModuleId, &Edge)], m: ModuleId, edge: &Edge) -> bool {
        let at = |kept: &Self, module, node| kept.points[&(module, node)].clone();
        let is_global = |place: &Place| matches!(place, Place::Global(_));
        let mut needed: Vec<Place> =
            edge.action.expressions().flat_map(|expr| expr.reads().chain(expr.reads_next())).collect();
        match &edge.action {
            Action::Call { callee, .. } => {
                let inside = at(self, *callee, rsm.module(*callee).entry).into_iter().filter(is_global);
                needed.extend(inside);
                let modified = &self.modified[callee.index()];
                let stores: Vec<Place> = edge.action.stores().collect();
                let is_kept = |place: &Place| match place {
                    _ if stores.contains(place) => false,
                    Place::Global(n) => !modified.contains(n),
                    Place::Local(_) => true,
                };
                needed.extend(at(self, m, edge.to).into_iter().filter(is_kept));
            }
            Action::Return { .. } => {
                for (caller, call) in edges {
                    if matches!(call.action, Action::Call { callee, .. } if callee == m) {
                        let stores: Vec<Place> = call.action.stores().collect();
                        let is_handed = |place: &Place| match place {
                            Place::Global(n) => {
                                self.modified[m.index()].contains(n) && !stores.contains(place)
                            }
                            Place::Local(_) => false,
                        };
                        needed.extend(at(self, *caller, call.to).into_iter().filter(is_handed));
                    }
                }
            }
            action => {
                let stores: Vec<Place> = action.stores().collect();
                needed.extend(at(self, m, edge.to).into_iter().filter(|place| !stores.contains(place)));
            }
        }
        let mut is_new = false;
        for place in needed {
            is_new |= self.add((m, edge.from), place);
        }
        is_new
    }

    fn has(&self, at: Option<(ModuleId, NodeId)>, place: Place) -> bool {
        at.and_then(|at| self.points.get(&at)).is_some_and(|places| places.contains(&place))
    }

    /// The same with 0 in place of all that does not matter; it has one frame.
    fn project(&self, program: &Concurrent, mut state: ThreadState) -> ThreadState {
        let at = state.stack.last().map(|top| (top.module, top.node));
        for (value, place) in state.private.iter_mut().zip(&program.blocks[0].private) {
            if !self.has(at, Place::Global(*place)) {
                *value = 0;
            }
        }
        for frame in &mut state.stack {
            for (n, value) in (0..).zip(&mut frame.locals) {
                if !self.has(at, Place::Local(n)) {
                    *value = 0;
                }
            }
        }
        state
    }
}

/// The globals that each function, or one that it calls, may write.
fn modified(rsm: &Rsm) -> Vec<FxHashSet<u32>> {
    let global = |place| match place {
        Place::Global(n) => Some(n),
        Place::Local(_) => None,
    };
    let own = |module: &rsm::Module| -> FxHashSet<u32> {
        module.edges.iter().flat_map(|edge| edge.action.stores()).filter_map(global).collect()
    };
    let mut modified: Vec<FxHashSet<u32>> = rsm.modules.iter().map(own).collect();
    let mut is_new = true;
    while is_new {
        is_new = false;
        for (m, module) in rsm.modules.iter().enumerate() {
            for edge in &module.edges {
                if let Action::Call { callee, .. } = &edge.action {
                    let inside = modified[callee.index()].clone();
                    is_new |= !inside.is_subset(&modified[m]);
                    modified[m].extend(inside);
                }
            }
        }
    }
    modified
}

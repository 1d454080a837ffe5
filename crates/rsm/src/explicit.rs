//! The textbook twin: reachability, and infinite runs, by tables of concrete states.
//!
//! For every state in which some module is entered the table holds the states of that activation, with the least number
//! of steps from the entry. Where an activation calls, the callee's entry is added; where a callee's return and a caller
//! meet, the caller goes on. These are the rules of the summary algorithm, with concrete states in place of sets:
//!
//! ```text
//! START   Reach(e, e) :- Initial(e).
//! STEP    Reach(e, v) :- Reach(e, u), Within(u, v).
//! CALL    Reach(f, f) :- Reach(e, u), Entering(u, f).
//! RETURN  Reach(e, v) :- Reach(e, u), Entering(u, f), Reach(f, x), Returning(u, x, v).
//! ```
//!
//! What an edge means is taken from `step::meaning`; of variables that cannot matter where a module is entered, one value is
//! tried (`step::needed`). Costs are those of Knuth's generalisation of Dijkstra's algorithm: a
//! call costs one step, the steps of the callee, and its return.

mod infinite;
mod trace;

pub use infinite::{infinite, repeats};
pub use trace::shortest;

use crate::goal::Goal;
use crate::machine::{Action, Edge, EdgeId, ModuleId, NodeId, Rsm};
use crate::step::fails;
use crate::step::meaning::{self, Caller};
use crate::step::needed::Needed;
use crate::step::outcomes::{Outcomes, State};
use crate::values::TooLarge;
use base::{Stop, StopReason};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

base::index_type! {
    /// An entry: a module and the state in which it starts.
    EntryId;
    /// A state that an activation from some entry reaches.
    ReachId;
}

/// How much work is allowed.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The largest number of pairs of an entry and a state, and the largest length of a trace.
    pub max_states: usize,
    /// The largest number of partial valuations that are looked at for one step.
    pub max_outcomes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_states: 1 << 22, max_outcomes: 1 << 16 }
    }
}

/// Why there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unfinished {
    /// There are more states than allowed.
    States,
    /// Some step has more outcomes than allowed.
    TooLarge,
    /// The trace is longer than allowed.
    Length,
    /// Somebody asked to stop.
    Stopped(StopReason),
}

impl From<TooLarge> for Unfinished {
    fn from(TooLarge: TooLarge) -> Self {
        Unfinished::TooLarge
    }
}

/// For each goal, whether some run reaches it.
pub fn reachable(rsm: &Rsm, goals: &[Goal], limits: Limits, stop: &Stop) -> Result<Vec<bool>, Unfinished> {
    let mut wanted: FxHashMap<(ModuleId, NodeId), Vec<usize>> = FxHashMap::default();
    for (n, goal) in goals.iter().enumerate() {
        wanted.entry(place_of(rsm, *goal)).or_default().push(n);
    }
    let mut found = vec![false; goals.len()];
    let mut n_missing = goals.len();
    let mut table = Table::new(rsm, limits)?;
    while n_missing > 0
        && let Some(id) = table.pop(stop)?
    {
        let reach = &table.reached[id.index()];
        for &n in wanted.get(&(table.module_of(id), reach.node)).into_iter().flatten() {
            if !found[n] && is_at(rsm, goals[n], &reach.state)? {
                found[n] = true;
                n_missing -= 1;
            }
        }
        table.expand(id)?;
    }
    Ok(found)
}

/// Where a run is when it has reached the goal.
fn place_of(rsm: &Rsm, goal: Goal) -> (ModuleId, NodeId) {
    match goal {
        Goal::At(module, node) => (module, node),
        Goal::Failure(module, edge) => (module, rsm.module(module).edge(edge).from),
    }
}

/// A state at the place of the goal is one in which it is reached.
fn is_at(rsm: &Rsm, goal: Goal, state: &State) -> Result<bool, TooLarge> {
    match goal {
        Goal::At(..) => Ok(true),
        Goal::Failure(module, edge) => fails(&rsm.module(module).edge(edge).action, state),
    }
}

/// A module and the state in which it starts.
struct Entry {
    module: ModuleId,
    /// The state at the entry, as reached from itself.
    start: ReachId,
    /// The calls that lead here.
    callers: Vec<(ReachId, EdgeId)>,
    /// The returns that are reached from here.
    returns: Vec<(ReachId, EdgeId)>,
}

/// A state that an activation from some entry reaches.
struct Reach {
    entry: EntryId,
    node: NodeId,
    state: State,
    /// The least number of steps from the entry, as far as known.
    cost: u64,
    /// The last of these steps.
    origin: Origin,
    /// Its calls and returns are in the lists of the entries.
    is_listed: bool,
}

/// How a state was reached.
#[derive(Clone, Copy)]
enum Origin {
    /// It is the entry.
    Start,
    /// By a step within the module.
    Step(ReachId, EdgeId),
    /// By a call and the callee's return.
    Return { caller: (ReachId, EdgeId), callee: (ReachId, EdgeId) },
}

/// What has been reached so far.
struct Table<'a> {
    rsm: &'a Rsm,
    needed: Needed,
    limits: Limits,
    entries: Vec<Entry>,
    entry_ids: FxHashMap<(ModuleId, State), EntryId>,
    reached: Vec<Reach>,
    reach_ids: FxHashMap<(EntryId, NodeId, State), ReachId>,
    /// What is to be expanded, the least cost first.
    queue: BinaryHeap<Reverse<(u64, ReachId)>>,
    /// How many entries are those of `main` that START gives; they come first.
    n_initial: usize,
    /// Steps, calls and finished calls, if somebody asks for them.
    log: Option<Vec<Way>>,
}

/// A way from one state to another.
#[derive(Clone, Copy)]
struct Way {
    from: ReachId,
    to: ReachId,
    how: How,
}

/// What makes a way.
#[derive(Clone, Copy)]
enum How {
    Step,
    /// A call; it leads to the start of the callee.
    Call,
    /// A call and all that the callee does, up to the state in which it returns.
    Finished(ReachId),
}

impl<'a> Table<'a> {
    /// START: the table with the initial states.
    fn new(rsm: &'a Rsm, limits: Limits) -> Result<Self, Unfinished> {
        let mut table = Self {
            rsm,
            needed: Needed::new(rsm, std::iter::empty()),
            limits,
            entries: Vec::new(),
            entry_ids: FxHashMap::default(),
            reached: Vec::new(),
            reach_ids: FxHashMap::default(),
            queue: BinaryHeap::new(),
            n_initial: 0,
            log: None,
        };
        let mut starting = meaning::starting(rsm);
        table.needed.restrict(rsm.main, &mut starting);
        for state in starting.all(&mut { limits.max_outcomes })? {
            table.entry(rsm.main, state)?;
        }
        table.n_initial = table.entries.len();
        Ok(table)
    }

    /// The next state to expand.
    fn pop(&mut self, stop: &Stop) -> Result<Option<ReachId>, Unfinished> {
        if let Some(reason) = stop.requested() {
            return Err(Unfinished::Stopped(reason));
        }
        while let Some(Reverse((cost, id))) = self.queue.pop() {
            if self.reached[id.index()].cost == cost {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }

    fn module_of(&self, id: ReachId) -> ModuleId {
        self.entries[self.reached[id.index()].entry.index()].module
    }

    /// Applies all rules to a state.
    fn expand(&mut self, id: ReachId) -> Result<(), Unfinished> {
        let rsm = self.rsm;
        let module = self.module_of(id);
        let Reach { entry, node, ref state, cost, is_listed, .. } = self.reached[id.index()];
        let state = state.clone();
        for (edge, Edge { to, action, .. }) in rsm.module(module).edges_from(node) {
            match action {
                Action::Call { callee, args, .. } => {
                    let mut entering = meaning::entering(rsm, *callee, args, &state)?;
                    self.needed.restrict(*callee, &mut entering);
                    self.expand_call(id, edge, (*callee, entering))?;
                }
                Action::Return { .. } => {
                    if !is_listed {
                        self.entries[entry.index()].returns.push((id, edge));
                    }
                    for caller in self.entries[entry.index()].callers.clone() {
                        self.expand_return(caller, (id, edge))?;
                    }
                }
                // STEP  Reach(e, v) :- Reach(e, u), Within(u, v).
                _ => {
                    let Some(outcomes) = meaning::within(rsm, module, action, &state)? else { continue };
                    for state in outcomes.all(&mut { self.limits.max_outcomes })? {
                        let to =
                            self.reach((entry, *to, state), cost.saturating_add(1), Origin::Step(id, edge))?;
                        self.note(Way { from: id, to, how: How::Step });
                    }
                }
            }
        }
        self.reached[id.index()].is_listed = true;
        Ok(())
    }

    /// CALL  Reach(f, f) :- Reach(e, u), Entering(u, f), and RETURN for what the callee has already reached.
    fn expand_call(
        &mut self,
        id: ReachId,
        edge: EdgeId,
        (callee, outcomes): (ModuleId, Outcomes<'_>),
    ) -> Result<(), Unfinished> {
        // A state is expanded again if a shorter way to it turns up; it is then listed already.
        let is_listed = self.reached[id.index()].is_listed;
        for state in outcomes.all(&mut { self.limits.max_outcomes })? {
            let entry = self.entry(callee, state)?;
            self.note(Way { from: id, to: self.entries[entry.index()].start, how: How::Call });
            if !is_listed {
                self.entries[entry.index()].callers.push((id, edge));
            }
            for callee in self.entries[entry.index()].returns.clone() {
                self.expand_return((id, edge), callee)?;
            }
        }
        Ok(())
    }

    /// RETURN  Reach(e, v) :- Reach(e, u), Entering(u, f), Reach(f, x), Returning(u, x, v).
    fn expand_return(
        &mut self,
        caller: (ReachId, EdgeId),
        callee: (ReachId, EdgeId),
    ) -> Result<(), Unfinished> {
        let rsm = self.rsm;
        let (module, callee_module) = (self.module_of(caller.0), self.module_of(callee.0));
        let call = rsm.module(module).edge(caller.1);
        let back = rsm.module(callee_module).edge(callee.1);
        let (Action::Call { results, .. }, Action::Return { values }) = (&call.action, &back.action) else {
            unreachable!("a caller is at a call and a callee at a return");
        };
        let (u, x) = (&self.reached[caller.0.index()], &self.reached[callee.0.index()]);
        let cost = u.cost.saturating_add(x.cost).saturating_add(2);
        let entry = u.entry;
        let waiting = Caller { module, locals: &u.state.locals, results };
        let outcomes = meaning::returning(rsm, values, &x.state, waiting)?;
        for state in outcomes.all(&mut { self.limits.max_outcomes })? {
            let to = self.reach((entry, call.to, state), cost, Origin::Return { caller, callee })?;
            self.note(Way { from: caller.0, to, how: How::Finished(callee.0) });
        }
        Ok(())
    }

    /// The entry of a module in a state.
    fn entry(&mut self, module: ModuleId, state: State) -> Result<EntryId, Unfinished> {
        if let Some(id) = self.entry_ids.get(&(module, state.clone())) {
            return Ok(*id);
        }
        let id = EntryId::new(self.entries.len());
        self.entry_ids.insert((module, state.clone()), id);
        let start = ReachId::new(self.reached.len());
        self.entries.push(Entry { module, start, callers: Vec::new(), returns: Vec::new() });
        let node = self.rsm.module(module).entry;
        self.reach((id, node, state), 0, Origin::Start)?;
        Ok(id)
    }

    fn note(&mut self, way: Way) {
        if let Some(log) = &mut self.log {
            log.push(way);
        }
    }

    /// Records that a state is reached at this cost.
    fn reach(
        &mut self,
        key: (EntryId, NodeId, State),
        cost: u64,
        origin: Origin,
    ) -> Result<ReachId, Unfinished> {
        if let Some(id) = self.reach_ids.get(&key) {
            let reach = &mut self.reached[id.index()];
            if cost < reach.cost {
                (reach.cost, reach.origin) = (cost, origin);
                self.queue.push(Reverse((cost, *id)));
            }
            return Ok(*id);
        }
        if self.reached.len() >= self.limits.max_states {
            return Err(Unfinished::States);
        }
        let id = ReachId::new(self.reached.len());
        self.reach_ids.insert(key.clone(), id);
        let (entry, node, state) = key;
        self.reached.push(Reach { entry, node, state, cost, origin, is_listed: false });
        self.queue.push(Reverse((cost, id)));
        Ok(id)
    }
}

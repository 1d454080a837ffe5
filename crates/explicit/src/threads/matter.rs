//! What of a program matters to its targets, and what of a thread other threads can notice.
//!
//! Of a variable that does not matter where a thread is, one value stands for all: it is kept as 0. A step is noticed if it reads
//! what another thread may write, or writes what another thread may read or write; or if it enters or leaves an atomic region, or a
//! function that restricts its states.

use rsm::interleave::{ThreadState, World};
use rsm::step::Frame;
use rsm::{
    Action, Concurrent, Edge, Expr, Goal, Module, ModuleId, NodeId, Place, Reduced, Reductions, ThreadGoal,
    reduce_threads,
};

/// Sets of variables, and of steps.
pub(super) struct Matter<'p> {
    program: &'p Concurrent,
    /// Of each shared variable whether it matters anywhere.
    shared: Vec<bool>,
    /// Of each module and node which globals and which locals matter there.
    globals: Vec<Vec<Vec<bool>>>,
    locals: Vec<Vec<Vec<bool>>>,
    enforces: bool,
    /// Of each block what the other threads may do to shared variables.
    others: Vec<Access>,
    /// Of each global whether somebody watches it, wherever a thread is.
    observed: Vec<bool>,
    /// Modules that may be on a stack more than once.
    pub(super) is_recursive: Vec<bool>,
}

/// Shared variables that are read, and that are written.
#[derive(Clone)]
struct Access {
    reads: Vec<bool>,
    writes: Vec<bool>,
}

impl<'p> Matter<'p> {
    /// What matters if there are so many copies of each block.
    pub(super) fn new(
        program: &'p Concurrent,
        goals: &[ThreadGoal],
        counts: &[u32],
        reductions: Reductions,
    ) -> Self {
        let places: Vec<Goal> = goals.iter().map(|goal| goal.goal).collect();
        let reductions = Reductions { jump_chains: false, straight_lines: false, ..reductions };
        let reduced = reduce_threads(program, &places, reductions, false);
        let mut matter = Self {
            program,
            shared: vec![false; program.n_shared],
            globals: Vec::new(),
            locals: Vec::new(),
            enforces: program.enforces(),
            others: Vec::new(),
            observed: vec![false; program.machine.globals.len()],
            is_recursive: recursive(program),
        };
        matter.read(&reduced);
        matter.others = matter.others(counts);
        matter
    }

    fn read(&mut self, reduced: &Reduced) {
        let machine = &self.program.machine;
        for (module, reduced) in machine.modules.iter().zip(&reduced.modules) {
            let mut globals = vec![vec![false; machine.globals.len()]; module.nodes.len()];
            let mut locals = vec![vec![false; module.locals.len()]; module.nodes.len()];
            for (point, live) in reduced.points.iter().zip(&reduced.live) {
                for place in live {
                    match *place {
                        Place::Global(n) => globals[point.index()][n as usize] = true,
                        Place::Local(n) => locals[point.index()][n as usize] = true,
                    }
                }
            }
            // What a function demands of its states it demands wherever it is, also while it waits for a call.
            for place in
                module.enforce.iter().flat_map(|condition| condition.reads().chain(condition.reads_next()))
            {
                match place {
                    Place::Global(n) => globals.iter_mut().for_each(|row| row[n as usize] = true),
                    Place::Local(n) => locals.iter_mut().for_each(|row| row[n as usize] = true),
                }
            }
            for row in &globals {
                self.shared.iter_mut().zip(row).for_each(|(known, new)| *known |= new);
            }
            self.globals.push(globals);
            self.locals.push(locals);
        }
        // A thread that starts late still has to find what its first values depend on.
        for place in self.program.blocks.iter().flat_map(|block| &block.init).flat_map(Expr::reads) {
            if let Place::Global(n) = place
                && let Some(known) = self.shared.get_mut(n as usize)
            {
                *known = true;
            }
        }
    }

    /// Keeps a private global wherever its value may get to a place where it matters. The reductions look at calls one by one, so
    /// that a variable may not matter before a call and matter inside, where nothing depends on it in the end.
    pub(super) fn keep_what_is_passed_on(&mut self) {
        let machine = &self.program.machine;
        let edges = machine
            .modules
            .iter()
            .enumerate()
            .flat_map(|(m, module)| module.edges.iter().map(move |edge| (m, edge)));
        let edges: Vec<(usize, &Edge)> = edges.collect();
        let mut is_new = true;
        while is_new {
            is_new = false;
            for (m, edge) in &edges {
                let to: Vec<(usize, NodeId, Option<&Action>)> = match &edge.action {
                    Action::Call { callee, .. } => {
                        vec![(callee.index(), machine.module(*callee).entry, None)]
                    }
                    Action::Return { .. } => {
                        let calls = edges.iter().filter(|(_, call)| {
                            matches!(call.action, Action::Call { callee, .. } if callee.index() == *m)
                        });
                        calls.map(|(caller, call)| (*caller, call.to, Some(&call.action))).collect()
                    }
                    action => vec![(*m, edge.to, Some(action))],
                };
                for (module, node, stores) in to {
                    for n in self.program.n_shared..machine.globals.len() {
                        let is_stored = || {
                            let place = Place::Global(n as u32);
                            stores.is_some_and(|action| action.stores().any(|stored| stored == place))
                        };
                        if self.globals[module][node.index()][n] && !is_stored() {
                            let known = &mut self.globals[*m][edge.from.index()][n];
                            is_new |= !std::mem::replace(known, true);
                        }
                    }
                }
            }
        }
    }

    /// Keeps a global everywhere, since somebody watches it.
    pub(super) fn keep_observed(&mut self, global: u32) {
        self.observed[global as usize] = true;
        if let Some(known) = self.shared.get_mut(global as usize) {
            *known = true;
        }
    }

    /// Keeps a local wherever its function is, since somebody watches it.
    pub(super) fn keep_observed_local(&mut self, module: ModuleId, local: u32) {
        self.locals[module.index()].iter_mut().for_each(|row| row[local as usize] = true);
    }

    /// The private global or local matters where a thread is at a node.
    pub(super) fn has_at(&self, module: ModuleId, node: NodeId, place: Place) -> bool {
        match place {
            Place::Global(n) => self.globals[module.index()][node.index()][n as usize],
            Place::Local(n) => self.locals[module.index()][node.index()][n as usize],
        }
    }

    /// The local matters while a function waits for a call.
    pub(super) fn has_waiting(&self, module: ModuleId, call: &Edge, place: Place) -> bool {
        let enforces = self.program.machine.module(module).enforce.is_some();
        (enforces && self.has_at(module, call.from, place))
            || (self.has_at(module, call.to, place) && !call.action.stores().any(|stored| stored == place))
    }

    /// The variable matters to a thread of a block that is at a node.
    pub(super) fn has(&self, block: u32, at: Option<(ModuleId, NodeId)>, place: Place) -> bool {
        let is_flag = |n: u32| self.program.blocks[block as usize].flag == Some(n);
        match (place, at) {
            (Place::Global(n), _) if (n as usize) < self.shared.len() => self.shared[n as usize],
            (Place::Global(n), _) if is_flag(n) || self.observed[n as usize] => true,
            (place, Some((module, node))) => self.has_at(module, node, place),
            (_, None) => false,
        }
    }

    /// For each shared variable whether it matters.
    pub(super) fn shared(&self) -> &[bool] {
        &self.shared
    }

    /// The shared variable matters.
    pub(super) fn has_shared(&self, place: Place) -> bool {
        matches!(place, Place::Global(n) if self.shared.get(n as usize).is_some_and(|known| *known))
    }

    /// Shared values with 0 in place of all that does not matter.
    pub(super) fn project_shared(&self, values: &[u64]) -> Vec<u64> {
        self.project(&World { shared: values.to_vec(), threads: Vec::new() }).shared
    }

    /// The same with 0 in place of all that does not matter; there is one thread in it.
    pub(super) fn project(&self, world: &World) -> World {
        let mut world = world.clone();
        let keep = |value: &mut u64, matters: bool| *value = if matters { *value } else { 0 };
        for (value, matters) in world.shared.iter_mut().zip(&self.shared) {
            keep(value, *matters);
        }
        for thread in &mut world.threads {
            let ThreadState { block, copy, private, stack } = thread;
            *copy = 0;
            let at = stack.last().map(|top| (top.module, top.node));
            for (value, place) in private.iter_mut().zip(&self.program.blocks[*block as usize].private) {
                keep(value, self.has(*block, at, Place::Global(*place)));
            }
            for frame in stack {
                self.project_frame(frame);
            }
        }
        world
    }

    fn project_frame(&self, frame: &mut Frame) {
        let module = self.program.machine.module(frame.module);
        let call = frame.call.map(|call| module.edge(call));
        for (n, value) in (0..).zip(&mut frame.locals) {
            let matters = match call {
                Some(call) => self.has_waiting(frame.module, call, Place::Local(n)),
                None => self.has_at(frame.module, frame.node, Place::Local(n)),
            };
            if !matters {
                *value = 0;
            }
        }
    }

    /// What threads beside one of each block may do.
    fn others(&self, counts: &[u32]) -> Vec<Access> {
        let none = Access { reads: vec![false; self.shared.len()], writes: vec![false; self.shared.len()] };
        let of_block = |block: usize| {
            let mut access = none.clone();
            for module in &self.program.blocks[block].modules {
                let module = self.program.machine.module(*module);
                let conditions = module.enforce.iter();
                let exprs = conditions.chain(module.edges.iter().flat_map(|edge| edge.action.expressions()));
                exprs.for_each(|expr| note(&mut access.reads, expr.reads().chain(expr.reads_next())));
                note(&mut access.writes, module.edges.iter().flat_map(|edge| edge.action.stores()));
            }
            access
        };
        let blocks: Vec<Access> = (0..counts.len()).map(of_block).collect();
        let beside = |block: usize| {
            let mut access = none.clone();
            for (other, count) in counts.iter().enumerate() {
                if *count > u32::from(other == block) {
                    union(&mut access.reads, &blocks[other].reads);
                    union(&mut access.writes, &blocks[other].writes);
                }
            }
            access
        };
        (0..counts.len()).map(beside).collect()
    }

    /// Other threads may notice what the thread does next, or it them.
    pub(super) fn is_noticed_next(&self, thread: &ThreadState) -> bool {
        let Some(top) = thread.stack.last() else { return false };
        let module = self.program.machine.module(top.module);
        let waiting = thread.stack.iter().rev().nth(1);
        let caller = waiting.and_then(|frame| {
            let module = self.program.machine.module(frame.module);
            Some((module, module.edge(frame.call?)))
        });
        let mut edges = module.edges_from(top.node);
        edges.any(|(_, edge)| {
            module.enforce.is_some()
                || self.enters_region(module, edge, caller)
                || self.touches(thread.block, edge, caller.map(|(_, call)| call))
        })
    }

    /// Of each block and module whether it is recursive and nobody notices what it does: it and what it calls touch nothing that others
    /// notice, hold none of the goals, enter no atomic region and do not end the thread.
    pub(super) fn summarised(&self, goals: &[ModuleId]) -> Vec<Vec<bool>> {
        let modules = &self.program.machine.modules;
        let is_quiet = |block: u32, number: usize| {
            let module = &modules[number];
            let is_inside = module.nodes.iter().all(|node| node.in_atomic);
            let is_quiet_edge = |edge: &Edge| {
                let enters = !is_inside && self.enters_region(module, edge, None);
                let starts = edge.action.stores().any(|place| self.is_slot(place));
                // What a call stores counts as well: it stores when what it calls returns.
                let touches = self.touches(block, edge, None) || self.stores_noticed(block, edge);
                !enters && !starts && (is_inside || !touches)
            };
            let may_end = (0..module.nodes.len()).any(|node| module.ends_thread(NodeId::new(node)));
            let has_goal = goals.contains(&ModuleId::new(number));
            !self.enforces && !may_end && !has_goal && module.edges.iter().all(is_quiet_edge)
        };
        let of_block = |block: u32| {
            let mut quiet: Vec<bool> = (0..modules.len()).map(|number| is_quiet(block, number)).collect();
            loop {
                let is_loud =
                    |number: usize| quiet[number] && callees(&modules[number]).any(|callee| !quiet[callee]);
                let Some(loud) = (0..modules.len()).find(|number| is_loud(*number)) else { break };
                quiet[loud] = false;
            }
            quiet.iter().zip(&self.is_recursive).map(|(quiet, recursive)| *quiet && *recursive).collect()
        };
        (0..self.program.blocks.len() as u32).map(of_block).collect()
    }

    /// A variable through which threads are started.
    fn is_slot(&self, place: Place) -> bool {
        let mut slots = self.program.slots.iter();
        slots.any(|slot| slot.variables.iter().any(|variable| place == Place::Global(*variable)))
    }

    /// The step, or the return from the call that it is, writes what others notice, or the flag.
    pub(super) fn stores_noticed(&self, block: u32, edge: &Edge) -> bool {
        edge.action.stores().any(|place| self.is_write_noticed(block, place))
    }

    fn is_write_noticed(&self, block: u32, place: Place) -> bool {
        let Place::Global(n) = place else { return false };
        let Access { reads, writes } = &self.others[block as usize];
        let is_flag = self.program.blocks[block as usize].flag == Some(n);
        is_flag || (self.has_shared(place) && (reads[n as usize] || writes[n as usize]))
    }

    /// The step leads into an atomic region, or into or out of a function that may restrict its states.
    fn enters_region(&self, module: &Module, edge: &Edge, caller: Option<(&Module, &Edge)>) -> bool {
        match &edge.action {
            Action::Call { callee, .. } => {
                let callee = self.program.machine.module(*callee);
                self.enforces || callee.node(callee.entry).in_atomic
            }
            Action::Return { .. } => {
                self.enforces || caller.is_some_and(|(module, call)| module.node(call.to).in_atomic)
            }
            _ => module.node(edge.to).in_atomic,
        }
    }

    /// The step reads or writes what others write or read, or changes the flag.
    fn touches(&self, block: u32, edge: &Edge, call: Option<&Edge>) -> bool {
        let others = &self.others[block as usize];
        let is_in = |set: &[bool], place: Place| matches!(place, Place::Global(n) if self.has_shared(place) && set[n as usize]);
        let is_written = |place: Place| self.is_write_noticed(block, place);
        let reads =
            |expr: &Expr| expr.reads().chain(expr.reads_next()).any(|place| is_in(&others.writes, place));
        // What a call stores it stores when it returns.
        let stores = match &edge.action {
            Action::Call { .. } => false,
            Action::Return { .. } => call.is_some_and(|call| call.action.stores().any(is_written)),
            action => action.stores().any(is_written),
        };
        stores || edge.action.expressions().any(reads)
    }
}

fn note(set: &mut [bool], places: impl Iterator<Item = Place>) {
    for place in places {
        if let Place::Global(n) = place
            && let Some(known) = set.get_mut(n as usize)
        {
            *known = true;
        }
    }
}

fn union(set: &mut [bool], other: &[bool]) {
    set.iter_mut().zip(other).for_each(|(known, new)| *known |= new);
}

/// What a module calls.
fn callees(module: &Module) -> impl Iterator<Item = usize> {
    module.edges.iter().filter_map(|edge| match &edge.action {
        Action::Call { callee, .. } => Some(callee.index()),
        _ => None,
    })
}

/// The modules that may call themselves, directly or not.
fn recursive(program: &Concurrent) -> Vec<bool> {
    let modules = &program.machine.modules;
    let callees = |module: usize| callees(&modules[module]);
    let calls_itself = |start: usize| {
        let mut seen = vec![false; modules.len()];
        let mut todo: Vec<usize> = callees(start).collect();
        while let Some(module) = todo.pop() {
            if module == start {
                return true;
            }
            if !std::mem::replace(&mut seen[module], true) {
                todo.extend(callees(module));
            }
        }
        false
    };
    (0..modules.len()).map(calls_itself).collect()
}

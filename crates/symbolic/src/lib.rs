//! A reduced program as decision diagrams: the one place where its steps, calls and states become bits.
//!
//! - In: a machine, reduced.
//! - Out: where the bits of its variables are kept ([`Slots`]), which points it has ([`Points`]), and the diagrams of its steps, calls, returns, entries and goals, over the levels that the caller gives ([`View`]).
//! - Never: depend on who asks; mention what a step leaves alone.
//!
//! [`network`] goes further and
//! arranges all of it for searches that go from point to point. The concrete semantics is `rsm::step`.
//!
//! Invariant: nothing here depends on who asks. The relations of formulas, the checker written by hand, shortest traces and
//! concrete runs are all made of these diagrams; only the validator of certificates has its own.

#![forbid(unsafe_code)]

mod affinity;
mod arrange;
mod slots;

mod points;
mod view;

mod calls;
mod states;
mod steps;

pub mod network;

pub use calls::Call;
pub use points::{Entries, Point, Points};
pub use slots::{Line, ModuleSlots, SlotBits, SlotIndex, Slots};
pub use steps::PathStep;
pub use view::{StateLevels, View};

use rsm::{
    Action, Block, Concurrent, EdgeId, Expr, Mentioned, ModuleId, NodeId, Place, Reduced, ReducedModule,
    Reductions, Rsm,
};

/// A program, what is left of it, and where its bits are.
pub struct SymbolicProgram<'r> {
    /// The program.
    pub rsm: &'r Rsm,
    /// Its reduced form.
    pub reduced: &'r Reduced,
    /// Where the bits of variables are.
    pub slots: Slots,
    /// The program counters.
    pub points: Points,
}

impl<'r> SymbolicProgram<'r> {
    /// Numbers the points and arranges the slots.
    pub fn new(rsm: &'r Rsm, reduced: &'r Reduced) -> Self {
        Self::mentioning(rsm, reduced, Entries::Folded, &[])
    }

    /// The same with these entries, and some conditions speak of variables of functions that the program may not mention.
    pub fn mentioning(
        rsm: &'r Rsm,
        reduced: &'r Reduced,
        entries: Entries,
        conditions: &[(ModuleId, Expr)],
    ) -> Self {
        let points = Points::new(rsm, reduced, entries);
        let mut mentioned = mentioned(rsm, reduced);
        conditions.iter().for_each(|(module, condition)| mentioned.add_condition(*module, condition));
        Self { rsm, reduced, slots: Slots::new(rsm, reduced, &mentioned, None), points }
    }

    /// The same for a view of a program whose bits stand on a line, as they stand there.
    pub fn along(rsm: &'r Rsm, reduced: &'r Reduced, entries: Entries, line: &Line) -> Self {
        let points = Points::new(rsm, reduced, entries);
        Self { rsm, reduced, slots: Slots::along(rsm, &mentioned(rsm, reduced), line), points }
    }

    /// The same for the machine of a program with threads.
    pub fn of_threads(program: &'r Concurrent, reduced: &'r Reduced) -> Self {
        let rsm = &program.machine;
        let points = Points::new(rsm, reduced, Entries::KeptIfRestricted);
        let mut mentioned = mentioned(rsm, reduced);
        for block in &program.blocks {
            block.init.iter().for_each(|condition| mentioned.add_condition(block.main, condition));
            block.flag.iter().for_each(|flag| mentioned.add(block.main, Place::Global(*flag)));
        }
        let slots = Slots::new(rsm, reduced, &mentioned, Some(program.n_shared));
        Self { rsm, reduced, slots, points }
    }

    /// What is left of a module.
    pub fn part(&self, module: ModuleId) -> &'r ReducedModule {
        &self.reduced.modules[module.index()]
    }

    /// The modules that some run may call.
    pub fn modules(&self) -> impl Iterator<Item = ModuleId> + use<'r> {
        let used = self.reduced.modules.iter().enumerate().filter(|(_, part)| part.is_used);
        used.map(|(n, _)| ModuleId::new(n))
    }

    /// The variables that matter at a node, sorted.
    pub fn live(&self, module: ModuleId, node: NodeId) -> &'r [Place] {
        let part = self.part(module);
        part.points.binary_search(&node).map_or(&[], |at| &part.live[at])
    }

    /// The same without the globals that the module does not touch: those are handed past it.
    pub fn tracked(&self, module: ModuleId, node: NodeId) -> impl Iterator<Item = Place> + use<'r> {
        let touched = &self.part(module).touched;
        let is_tracked =
            |place: &Place| !matches!(place, Place::Global(n) if touched.binary_search(n).is_err());
        self.live(module, node).iter().copied().filter(is_tracked)
    }

    /// The variables that matter at the entry of a module and have values there: parameters and globals.
    pub fn given(&self, m: ModuleId) -> impl Iterator<Item = Place> + use<'r> {
        let module = self.rsm.module(m);
        self.live(m, module.entry).iter().copied().filter(|place| has_value_at_entry(module.n_params, *place))
    }

    /// The counter of a point that the reduced program has.
    ///
    /// # Panics
    /// If it does not have the point.
    pub fn counter(&self, module: ModuleId, node: NodeId) -> u32 {
        self.points.counter(self.rsm, module, node).expect("blocks lead from point to point")
    }

    /// The node at which a state with this counter is; for the entry and for a point after a call the node to which they lead on.
    pub fn node(&self, module: ModuleId, counter: u32) -> Option<NodeId> {
        let machine = self.rsm.module(module);
        self.points.point(module, counter).map(|point| match point {
            Point::Entry => machine.entry,
            Point::Node(node) => node,
            Point::After(call) => machine.edge(call).to,
        })
    }

    /// The counters of a module with their nodes.
    pub fn counters(&self, module: ModuleId) -> impl Iterator<Item = (u32, NodeId)> {
        (0..).map_while(move |counter| Some((counter, self.node(module, counter)?)))
    }

    /// The blocks that leave a node.
    pub fn blocks_from(&self, module: ModuleId, node: NodeId) -> &'r [Block] {
        let blocks = &self.part(module).blocks;
        let first = blocks.partition_point(|block| block.from < node);
        let n = blocks[first..].partition_point(|block| block.from == node);
        &blocks[first..first + n]
    }

    /// The call that a block is, if it is one.
    pub fn called(&self, module: ModuleId, block: &Block) -> Option<(EdgeId, ModuleId)> {
        let edge = *block.path.first()?;
        match self.rsm.module(module).edge(edge).action {
            Action::Call { callee, .. } => Some((edge, callee)),
            _ => None,
        }
    }
}

/// All variables of a program on one line, as its steps want them.
pub fn line(rsm: &Rsm) -> Line {
    let reduced = rsm::reduce(rsm, &[], Reductions::NONE);
    Line::of(rsm, &reduced, &all_mentioned(rsm))
}

/// The slots of all variables of a program, mentioned or not, as they stand on its line.
pub fn slots_along(rsm: &Rsm, line: &Line) -> Slots {
    Slots::along(rsm, &all_mentioned(rsm), line)
}

fn all_mentioned(rsm: &Rsm) -> Mentioned {
    let mut mentioned = Mentioned::by_conditions(rsm);
    (0..rsm.globals.len() as u32).for_each(|n| mentioned.add(rsm.main, Place::Global(n)));
    for (m, module) in rsm.modules.iter().enumerate() {
        (0..module.locals.len() as u32).for_each(|n| mentioned.add(ModuleId::new(m), Place::Local(n)));
    }
    mentioned
}

/// The variables that the reduced program mentions; only these get slots. A state of the calculus is copied many times over, so
/// that one which is declared and then forgotten would cost as much as any other.
fn mentioned(rsm: &Rsm, reduced: &Reduced) -> Mentioned {
    let mut mentioned = Mentioned::by_conditions(rsm);
    for (m, (module, part)) in rsm.modules.iter().zip(&reduced.modules).enumerate() {
        let m = ModuleId::new(m);
        for &edge in part.blocks.iter().flat_map(|block| &block.path) {
            mentioned.add_action(m, &module.edge(edge).action);
        }
        // Assertions are read where their failure is the target, be they on a path or not.
        let assertions = module.edges.iter().filter(|edge| matches!(edge.action, Action::Assert(_)));
        assertions.for_each(|edge| mentioned.add_action(m, &edge.action));
    }
    mentioned
}

/// The variable has a value at the entry of a module with so many parameters.
fn has_value_at_entry(n_params: usize, place: Place) -> bool {
    !matches!(place, Place::Local(n) if n as usize >= n_params)
}

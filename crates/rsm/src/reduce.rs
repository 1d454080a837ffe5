//! Reductions: what of a program has to be looked at to find its goals.
//!
//! Input: a machine, the goals, and which reductions are wanted. Output: a view that selects program points, paths between
//! them and variables; the machine itself stays as it is, so that a trace over the view is a trace of the program.
//!
//! Invariants: the ends of every block are points; an edge of live code that leaves a point starts exactly one block; the
//! inner nodes of a block have one way on; every cycle of live code has a point. The goals that can be reached are the
//! same with any selection of reductions, and so is whether there is an infinite run, or one through goals again and again:
//! every cycle has a point, and a block that blocks is no step. What becomes of runs that block is a matter of each reduction:
//! [`Reductions::LIST`] says it. A monitor is looked at by making a machine of it and its program first.

mod switches;

mod constant;
mod dead_code;

mod jump_chains;
mod shape;
mod straight_lines;

mod backward;
mod cone;
mod live_variables;
mod pending;
mod places;
mod touched;

mod bits;
mod groups;

mod show;
mod threads;

use crate::concurrent::Concurrent;
use crate::goal::Goal;
use crate::machine::{EdgeId, ModuleId, NodeId, Place, Rsm};
use cone::Cone;
use dead_code::LiveCode;
use places::Places;
use shape::Shape;
pub use switches::{Reduction, Reductions, UnknownReduction};
use threads::Interference;
use touched::Touched;

/// What is left of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reduced {
    /// One for each module of the machine.
    pub modules: Vec<ReducedModule>,
}

/// What is left of a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReducedModule {
    /// Some run may call it. Otherwise everything else is empty.
    pub is_used: bool,
    /// The nodes that are kept, ascending. The entry, the exit and the end of every call are among them, also if no run
    /// gets there (then no block leaves them); goals are among them unless they are dead code.
    pub points: Vec<NodeId>,
    /// The ways from point to point, by source, then in the order of the text.
    pub blocks: Vec<Block>,
    /// For each point the variables whose value there can matter, sorted. At the exit these are globals, and the results
    /// count as computed. A global that the module does not touch is listed if it matters after a return; an engine
    /// that hands such globals past the module may leave them out.
    pub live: Vec<Box<[Place]>>,
    /// The globals that the module, or one it may call, reads or writes; sorted. For `main` also those `init` reads.
    pub touched: Box<[u32]>,
    /// The globals that the module, or one it may call, may write; sorted.
    pub modified: Box<[u32]>,
    /// The results, by position, that matter to some caller; sorted.
    pub results: Box<[u32]>,
}

/// A way from one point to another that passes no point in between.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// Where it starts.
    pub from: NodeId,
    /// Where it ends.
    pub to: NodeId,
    /// Its edges: either one call, or edges without calls the last of which may be a return.
    pub path: Box<[EdgeId]>,
}

/// Selects what has to be looked at to find out which goals a run can reach.
pub fn reduce(rsm: &Rsm, goals: &[Goal], which: Reductions) -> Reduced {
    select(rsm, goals, which, &[rsm.main], None)
}

/// Selects what has to be looked at to find out which goals a thread can reach. Steps become one block only where no other
/// thread can tell. `keeps_shared` keeps all shared variables, be they in the cone or not.
pub fn reduce_threads(
    program: &Concurrent,
    goals: &[Goal],
    which: Reductions,
    keeps_shared: bool,
) -> Reduced {
    let starts: Vec<ModuleId> = program.blocks.iter().map(|block| block.main).collect();
    select(&program.machine, goals, which, &starts, Some(&Interference::new(program, keeps_shared)))
}

fn select(
    rsm: &Rsm,
    goals: &[Goal],
    which: Reductions,
    starts: &[ModuleId],
    interference: Option<&Interference<'_>>,
) -> Reduced {
    let code = LiveCode::find(rsm, starts, which);
    let shapes = Shape::of_modules(rsm, goals, &code, which, interference);
    let places = Places::new(rsm.globals.len());
    let cone = which.cone.then(|| Cone::find(rsm, &shapes, interference));
    let touched = Touched::find(rsm, &shapes, cone.as_ref(), which, interference);
    let live = if which.live_variables {
        live_variables::find(rsm, &shapes, &code, &touched, places, interference)
    } else {
        live_variables::all(rsm, &shapes, places)
    };
    let modules = shapes.into_iter().enumerate().map(|(module, shape)| ReducedModule {
        is_used: code.is_used[module],
        live: (0..shape.points.len())
            .map(|point| restrict(live.rows[module].row(point), module, places, cone.as_ref()))
            .collect(),
        touched: globals(touched.touched.row(module)),
        modified: globals(touched.modified.row(module)),
        results: needed_results(&live.is_needed[module], module, cone.as_ref()),
        points: shape.points,
        blocks: shape.blocks,
    });
    Reduced { modules: modules.collect() }
}

/// The variables of a set that are in the cone, if there is one.
fn restrict(row: &[u64], module: usize, places: Places, cone: Option<&Cone>) -> Box<[Place]> {
    let listed = bits::members(row).map(|bit| places.place(bit));
    listed.filter(|&place| cone.is_none_or(|cone| cone.has(module, place))).collect()
}

/// The results that are needed and in the cone, if there is one.
fn needed_results(is_needed: &[bool], module: usize, cone: Option<&Cone>) -> Box<[u32]> {
    let needed = (0..is_needed.len()).filter(|&position| is_needed[position]);
    let kept = needed.filter(|&position| cone.is_none_or(|cone| cone.has_result(module, position)));
    kept.map(|position| position as u32).collect()
}

/// A set of globals as a list.
fn globals(row: &[u64]) -> Box<[u32]> {
    bits::members(row).map(|global| global as u32).collect()
}

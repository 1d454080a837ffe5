//! Everything that was looked at, for somebody who wants to check it.
//!
//! Contract: the tables of a search that ended because there was nothing further, in the terms of the program; numbers are positions
//! in these lists.

use super::levels::Search;
use super::steps::{DONE, FIRST, START};
use rsm::interleave::ThreadState;
use rsm::{Action, EdgeId, ModuleId, NodeId, Place};

/// All configurations that runs reach, as far as they are told apart.
#[derive(Clone, Debug)]
pub struct Everything {
    /// Threads are left after every step, also where nobody notices the next one.
    pub stops_everywhere: bool,
    /// Of each shared variable whether it is told apart.
    pub shared_kept: Vec<bool>,
    /// Private globals and locals that are told apart while a thread is at a node.
    pub points: Vec<((ModuleId, NodeId), Vec<Place>)>,
    /// Locals that are told apart while a function waits for a call.
    pub waits: Vec<((ModuleId, EdgeId), Vec<Place>)>,
    /// The block of each group of threads, and which copy it is, if it is told apart from others.
    pub groups: Vec<(u32, Option<u32>)>,
    /// Values of the shared variables, 0 for those that are not told apart.
    pub shared: Vec<Vec<u64>>,
    /// States of threads of all blocks.
    pub states: Vec<ThreadState>,
    /// Positions of shared values, and for each group those of the states of its threads, ascending.
    pub configurations: Vec<(u32, Vec<Vec<Standing>>)>,
}

/// How a thread is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Standing {
    /// It has not run.
    Start,
    /// It does nothing any more.
    Done,
    /// It is in the state at this position.
    At(u32),
}

/// Writes down everything that a search looked at.
pub(super) fn everything(search: &Search<'_>) -> Everything {
    let (mut groups, mut spans) = (Vec::new(), Vec::new());
    let mut thread = 0;
    while thread < search.roles.len() {
        let (span, (block, copy)) = (search.groups[thread].clone(), search.roles[thread]);
        let is_whole = span.len() == search.n_copies(block);
        groups.push((block, (!is_whole).then_some(copy)));
        thread = span.end;
        spans.push(span);
    }
    let program = search.tables.program;
    let (mut states, mut firsts) = (Vec::new(), Vec::new());
    for block in 0..program.blocks.len() {
        firsts.push(states.len() as u32);
        states.extend(search.tables.states(block as u32).cloned());
    }
    let standing = |thread: usize, local: u32| match local {
        START => Standing::Start,
        DONE => Standing::Done,
        _ => Standing::At(firsts[search.roles[thread].0 as usize] + local - FIRST),
    };
    let mut configurations = Vec::with_capacity(search.store.len());
    let mut numbers = Vec::new();
    for position in 0..search.store.len() {
        search.store.read(position, &mut numbers);
        let of_group = |span: &std::ops::Range<usize>| {
            let mut threads: Vec<Standing> =
                span.clone().map(|thread| standing(thread, numbers[thread + 1])).collect();
            threads.sort_unstable();
            threads
        };
        configurations.push((numbers[0], spans.iter().map(of_group).collect()));
    }
    let (points, waits) = kept(search);
    Everything {
        stops_everywhere: !search.tables.visibility,
        shared_kept: (0..program.n_shared)
            .map(|n| search.tables.matter.has_shared(Place::Global(n as u32)))
            .collect(),
        points,
        waits,
        groups,
        shared: search.tables.all_shared().map(<[u64]>::to_vec).collect(),
        states,
        configurations,
    }
}

/// The variables of a place.
type Kept<At> = Vec<((ModuleId, At), Vec<Place>)>;

/// What is told apart at each node, and while waiting for each call.
fn kept(search: &Search<'_>) -> (Kept<NodeId>, Kept<EdgeId>) {
    let (program, matter) = (search.tables.program, &search.tables.matter);
    // Whether a thread is in an atomic region is always told apart.
    let is_private = |module: ModuleId, n: &u32| {
        let mut of = program.blocks.iter().filter(|block| block.modules.contains(&module));
        of.any(|block| block.private.contains(n) && block.flag != Some(*n))
    };
    let (mut points, mut waits) = (Vec::new(), Vec::new());
    for (m, module) in program.machine.modules.iter().enumerate() {
        let m = ModuleId::new(m);
        let locals = (0..module.locals.len()).map(|n| Place::Local(n as u32));
        for node in (0..module.nodes.len()).map(NodeId::new) {
            let globals = (0..program.machine.globals.len() as u32).filter(|n| is_private(m, n));
            let places = globals.map(Place::Global).chain(locals.clone());
            let places = places.filter(|place| matter.has_at(m, node, *place)).collect();
            points.push(((m, node), places));
        }
        for (e, edge) in module.edges.iter().enumerate() {
            if let Action::Call { .. } = edge.action {
                let places = locals.clone().filter(|place| matter.has_waiting(m, edge, *place));
                waits.push(((m, EdgeId::new(e)), places.collect()));
            }
        }
    }
    (points, waits)
}

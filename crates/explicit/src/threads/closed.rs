//! Everything that was looked at, for somebody who wants to check it.
//!
//! Contract: the tables of a search that ended because there was nothing further, in the terms of the program; numbers are positions
//! in these lists.

use super::cover::{Cover, Number};
use super::levels::Search;
use super::matter::Matter;
use super::steps::{DONE, FIRST, START, Tables};
use rsm::interleave::ThreadState;
use rsm::{Action, Concurrent, EdgeId, ModuleId, NodeId, Place};

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
    /// Positions of shared values, and for each group how many of its threads are in which states, ascending.
    pub configurations: Vec<(u32, Vec<Counted>)>,
}

/// How many threads are in which state.
pub type Counted = Vec<(Standing, Number)>;

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
    let firsts = firsts(&search.tables);
    let mut configurations = Vec::with_capacity(search.store.len());
    let mut numbers = Vec::new();
    for position in 0..search.store.len() {
        search.store.read(position, &mut numbers);
        let of_group = |span: &std::ops::Range<usize>| {
            let block = search.roles[span.start].0;
            let mut threads: Vec<Standing> =
                span.clone().map(|thread| standing(&firsts, block, numbers[thread + 1])).collect();
            threads.sort_unstable();
            let same = threads.chunk_by(|a, b| a == b);
            same.map(|same| (same[0], Number::AtMost(same.len() as u32))).collect()
        };
        configurations.push((numbers[0], spans.iter().map(of_group).collect()));
    }
    in_terms_of_program(&search.tables, groups, configurations)
}

/// Writes down what covers everything that any number of threads reach.
pub(super) fn covering(cover: &Cover<'_>) -> Everything {
    let n_blocks = cover.tables.program.blocks.len() as u32;
    let firsts = firsts(&cover.tables);
    let configuration = |(shared, counters): (u32, &[(u32, u32, Number)])| {
        let of_block = |block: u32| {
            let own = counters.iter().filter(|counter| counter.0 == block);
            let own = own.map(|(_, state, number)| (standing(&firsts, block, *state), *number));
            // Those that are done are not counted.
            let mut counted: Counted = own.chain([(Standing::Done, Number::Any)]).collect();
            counted.sort_by_key(|(standing, _)| *standing);
            counted
        };
        (shared, (0..n_blocks).map(of_block).collect())
    };
    let configurations =
        cover.largest().map(|(shared, counters)| configuration((shared, &counters))).collect();
    let groups = (0..n_blocks).map(|block| (block, None)).collect();
    in_terms_of_program(&cover.tables, groups, configurations)
}

/// Where the states of each block begin in the list of all.
fn firsts(tables: &Tables<'_>) -> Vec<u32> {
    let blocks = 0..tables.program.blocks.len() as u32;
    let sums = blocks.scan(0, |sum, block| {
        let first = *sum;
        *sum += tables.states(block).count() as u32;
        Some(first)
    });
    sums.collect()
}

fn standing(firsts: &[u32], block: u32, local: u32) -> Standing {
    match local {
        START => Standing::Start,
        DONE => Standing::Done,
        _ => Standing::At(firsts[block as usize] + local - FIRST),
    }
}

fn in_terms_of_program(
    tables: &Tables<'_>,
    groups: Vec<(u32, Option<u32>)>,
    configurations: Vec<(u32, Vec<Counted>)>,
) -> Everything {
    let program = tables.program;
    let (points, waits) = kept(program, &tables.matter);
    let is_kept = |n: usize| tables.matter.has_shared(Place::Global(n as u32));
    Everything {
        stops_everywhere: !tables.visibility,
        shared_kept: (0..program.n_shared).map(is_kept).collect(),
        points,
        waits,
        groups,
        shared: tables.all_shared().map(<[u64]>::to_vec).collect(),
        states: (0..program.blocks.len() as u32).flat_map(|block| tables.states(block).cloned()).collect(),
        configurations,
    }
}

/// The variables of a place.
pub(super) type Kept<At> = Vec<((ModuleId, At), Vec<Place>)>;

/// What is told apart at each node, and while waiting for each call.
pub(super) fn kept(program: &Concurrent, matter: &Matter<'_>) -> (Kept<NodeId>, Kept<EdgeId>) {
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

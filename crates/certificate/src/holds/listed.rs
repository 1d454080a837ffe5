//! The same of certificates that list states: those of threads, and those about infinite runs.

use super::{Holds, manager, named, operands, places};
use crate::ranked::{Ranked, visit};
use crate::threads::{ClosedSet, Kept, Local};
use crate::words::{self, Named};
use base::{Stop, StopReason};
use dd::{Bdd, Exhausted, Level};
use rsm::interleave::ThreadState;
use rsm::{Concurrent, ModuleId, NodeId, Place, Rsm};
use rustc_hash::{FxHashMap, FxHashSet};

/// More states than this are not put into words.
const MOST: usize = 200_000;

/// Values of some variables at a node; the others may have any.
type Values = Vec<(Place, u64)>;

/// What holds whenever a thread is about to execute a statement, outside of atomic regions, and so is nobody else in one: of a closed set that was accepted. Nothing where
/// threads are left only where others may notice something, since the set says little about the steps between.
pub fn of_threads(program: &Concurrent, closed: &ClosedSet, stop: &Stop) -> Result<Vec<Holds>, StopReason> {
    let n_standings: usize =
        closed.configurations.iter().flat_map(|configuration| &configuration.threads).map(Vec::len).sum();
    if !closed.stops_everywhere || n_standings > MOST {
        return Ok(Vec::new());
    }
    let mut states = States::default();
    for configuration in &closed.configurations {
        let shared: Values = (0..)
            .zip(&closed.shared[configuration.shared as usize])
            .filter(|(n, _)| closed.kept.shared[*n as usize])
            .map(|(n, value)| (Place::Global(n), *value))
            .collect();
        for (group, standings) in closed.groups.iter().zip(&configuration.threads) {
            for (local, _) in standings {
                match local {
                    Local::Done => {}
                    Local::Start => {
                        let main = program.blocks[group.block as usize].main;
                        states.add((main, program.machine.module(main).entry), shared.clone());
                    }
                    Local::At(at) => {
                        states.thread(program, &closed.kept, &closed.states[*at as usize], &shared);
                    }
                }
            }
        }
    }
    states.told(program, Empty::Unknown, stop)
}

/// What holds before each statement: of a certificate about infinite runs of a sequential program that was accepted.
pub fn of_ranked(rsm: &Rsm, ranked: &Ranked, stop: &Stop) -> Result<Vec<Holds>, StopReason> {
    if ranked.states.len() > MOST {
        return Ok(Vec::new());
    }
    let program = Concurrent::owning(rsm.clone());
    let mut states = States::default();
    visit(rsm, ranked, stop, &mut |(module, node, values)| states.add((module, node), values))?;
    states.told(&program, Empty::Never, stop)
}

/// What it means that there is no state at a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Empty {
    /// No run gets there.
    Never,
    /// The set does not say: it is within an atomic region, or a thread there does nothing any more.
    Unknown,
}

/// Values by nodes.
#[derive(Default)]
struct States(FxHashMap<(ModuleId, NodeId), FxHashSet<Values>>);

impl States {
    fn add(&mut self, at: (ModuleId, NodeId), values: Values) {
        self.0.entry(at).or_default().insert(values);
    }

    /// Adds a thread beside shared values.
    fn thread(&mut self, program: &Concurrent, kept: &Kept, thread: &ThreadState, shared: &Values) {
        let Some(top) = thread.stack.last() else { return };
        let at = (top.module, top.node);
        let block = &program.blocks[thread.block as usize];
        let private = block.private.iter().map(|n| Place::Global(*n)).zip(&thread.private);
        let locals = (0..).map(Place::Local).zip(&top.locals);
        let own =
            private.chain(locals).filter(|(place, _)| kept.has(program, thread.block, Some(at), *place));
        let values = shared.iter().copied().chain(own.map(|(place, value)| (place, *value)));
        self.add(at, values.collect());
    }

    fn told(&self, program: &Concurrent, empty: Empty, stop: &Stop) -> Result<Vec<Holds>, StopReason> {
        let rsm = &program.machine;
        let mut told = Vec::new();
        for (module, span, nodes) in places(rsm) {
            let is_end = nodes.contains(&rsm.module(module).exit);
            // Where a function ends is no state of its own.
            if is_end {
                continue;
            }
            let all: Vec<&Values> =
                nodes.iter().filter_map(|node| self.0.get(&(module, *node))).flatten().collect();
            if all.is_empty() && empty == Empty::Unknown {
                continue;
            }
            match tell(program, module, all, stop) {
                Ok((clauses, is_whole)) => {
                    told.push(Holds { module, span, is_end, clauses: operands(clauses), is_whole });
                }
                Err(Exhausted(StopReason::Work | StopReason::Memory)) => break,
                Err(Exhausted(reason)) => return Err(reason),
            }
        }
        Ok(told)
    }
}

/// A module sees a global: what is shared, and what is private to all blocks that it belongs to.
fn sees(program: &Concurrent, module: ModuleId, global: u32) -> bool {
    let mut blocks = program.blocks.iter().filter(|block| block.modules.contains(&module));
    let is_shared = (global as usize) < program.n_shared;
    is_shared || blocks.all(|block| block.private.contains(&global))
}

fn tell(
    program: &Concurrent,
    module: ModuleId,
    all: Vec<&Values>,
    stop: &Stop,
) -> Result<(Vec<String>, bool), Exhausted> {
    let variables = named(&program.machine, module, |global| sees(program, module, global));
    let mut next: Level = 0;
    let levels: Vec<Vec<Level>> = variables
        .iter()
        .map(|(_, _, ty)| {
            next += ty.n_bits();
            (next - ty.n_bits()..next).collect()
        })
        .collect();
    let mut diagrams = manager(stop, next);
    let mut states = Bdd::FALSE;
    for values in all {
        let mut cube = Vec::new();
        for (place, value) in values {
            if let Some(at) = variables.iter().position(|(own, ..)| own == place) {
                cube.extend(
                    levels[at].iter().enumerate().map(|(bit, level)| (*level, value >> bit & 1 == 1)),
                );
            }
        }
        let state = diagrams.dd.cube(cube)?;
        states = diagrams.dd.or(states, state)?;
    }
    for ((_, _, ty), levels) in variables.iter().zip(&levels) {
        let domain = diagrams.encoder.domain(&mut diagrams.dd, levels, ty)?;
        states = diagrams.dd.and(states, domain)?;
    }
    let named: Vec<Named> =
        variables.iter().zip(&levels).map(|((_, name, ty), levels)| Named { name, ty, levels }).collect();
    let told = words::tell(&mut diagrams, states, &named)?;
    Ok((told.clauses, told.is_whole))
}

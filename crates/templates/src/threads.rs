//! The relations of concurrent programs alone: where threads start, where they may be interrupted, which are copies.

use crate::rows::at;
use crate::vocabulary::StateColumns;
use crate::word::{Making, Role, Rows};
use crate::{StateParameter, Templates};
use dd::{Bdd, Exhausted};
use rsm::{Concurrent, Copies, ModuleId, NodeId, Place, ThreadBlock, ThreadGoal};
use solver::Given;
use symbolic::{Point, SlotBits};

/// The threads of a program that a formula speaks of.
#[derive(Clone, Debug)]
pub struct Threads<'r> {
    /// The program.
    pub program: &'r Concurrent,
    /// What each value of the sort `Thread` stands for.
    pub instances: Vec<Instance>,
    /// Copies of a block need not be told apart: they may take their turns in order.
    pub symmetry: bool,
    /// A thread is resumed only where something happens that matters to others.
    pub visibility: bool,
}

/// A thread, or all copies of a block if their number is free.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Instance {
    /// The position of the block.
    pub block: usize,
    /// Which copy; `None` for any number of them.
    pub copy: Option<u32>,
}

impl Threads<'_> {
    /// The threads in the order of the text. A block of any number is this many copies, or one instance for all of them.
    pub fn instances(program: &Concurrent, any: Option<u32>) -> Vec<Instance> {
        let of_block = |(block, text): (usize, &ThreadBlock)| {
            let number = match (text.copies, any) {
                (Copies::Number(number), _) | (Copies::Any, Some(number)) => number,
                (Copies::Any, None) => return vec![Instance { block, copy: None }],
            };
            (0..number).map(|copy| Instance { block, copy: Some(copy) }).collect()
        };
        program.blocks.iter().enumerate().flat_map(of_block).collect()
    }

    fn block(&self, instance: Instance) -> &ThreadBlock {
        &self.program.blocks[instance.block]
    }

    /// The threads that a goal means.
    pub(crate) fn meant(&self, goal: ThreadGoal) -> impl Iterator<Item = u32> {
        let is_meant = move |instance: &Instance| {
            let is_copy = goal.copy.is_none() || instance.copy.is_none() || goal.copy == instance.copy;
            is_copy && self.block(*instance).modules.contains(&goal.goal.module())
        };
        self.instances.iter().zip(0..).filter(move |(instance, _)| is_meant(instance)).map(|(_, t)| t)
    }
}

impl Templates<'_> {
    /// The name of a value of the sort `Thread`: that of its block, and which copy it is if there are several.
    pub fn thread_name(&self, number: u32) -> Option<String> {
        let threads = self.threads.as_ref()?;
        let instance = *threads.instances.get(number as usize)?;
        let block = threads.block(instance);
        Some(match (block.copies, instance.copy) {
            (Copies::Number(1), _) => block.name.clone(),
            (_, Some(copy)) => format!("{}[{copy}]", block.name),
            (_, None) => format!("{}[*]", block.name),
        })
    }

    /// The values of the shared variables, from the values of their slots.
    pub fn shared_values(&self, bits: &[u32]) -> Vec<u64> {
        let n_shared = self.threads.as_ref().map_or(0, |threads| threads.program.n_shared);
        let bit = |slot: &u32| {
            let at = self.slots.shared.binary_search(slot).expect("a shared slot");
            u64::from(bits[at])
        };
        let value = |slots: &SlotBits| slots.iter().rev().fold(0, |value, slot| value << 1 | bit(slot));
        self.slots.globals[..n_shared].iter().map(value).collect()
    }

    /// A step from a node matters to others.
    fn is_visible(&self, threads: &Threads, m: ModuleId, node: NodeId) -> bool {
        let module = self.rsm.module(m);
        let blocks = self.blocks_from(m, node).iter();
        let mut edges = blocks.flat_map(|block| &block.path).map(|edge| module.edge(*edge));
        edges.any(|edge| threads.program.notices(module, edge) || module.node(edge.to).in_atomic)
    }
}

impl<'m, 'r> Making<'m, 'r, '_> {
    /// The threads, which only words about threads ask for.
    fn threads(&self) -> &'m Threads<'r> {
        self.templates.threads.as_ref().expect("the word is about threads")
    }
}

pub(crate) fn start(making: &mut Making) -> Rows {
    let threads = making.threads();
    let mut rows = Vec::new();
    for (t, instance) in threads.instances.iter().enumerate() {
        let block = threads.block(*instance);
        let diagram = start_of(making, block)?;
        let mut row = at(&making.states[0], block.main, 0, diagram);
        row.key.push((making.template.others[0], t as u32));
        rows.push(row);
    }
    Ok(rows)
}

/// The private globals of a thread as they are at the start, as far as they matter.
fn start_of(making: &mut Making, block: &ThreadBlock) -> Result<Bdd, Exhausted> {
    let (program, main) = (making.templates, block.main);
    let view = making.states[0].view(&program.slots, main);
    let (encoder, dd) = making.tools();
    let states = program.typed(encoder, dd, (main, &view), program.given(main))?;
    let states = encoder.restrict(dd, view.columns(), states, &block.init)?;
    let live = program.live(main, program.rsm.module(main).entry);
    let private = block.private.iter().map(|n| Place::Global(*n));
    let dead: Vec<Place> = private.filter(|place| live.binary_search(place).is_err()).collect();
    let typed = program.typed(encoder, dd, (main, &view), dead.iter().copied())?;
    let levels = dead.iter().flat_map(|place| view.columns().place(*place)).copied().collect();
    encoder.and_exists(dd, states, typed, levels)
}

/// The shared values with which runs start: those for which each thread has private values to start with.
pub(crate) fn init(making: &mut Making) -> Rows {
    let (templates, program) = (making.templates, making.threads().program);
    // Private values are looked at while the shared ones are found, in columns of another relation.
    let start = &making.words.with_role(Role::Start).states[0];
    let mut globals = start.globals.clone();
    for (&slot, &column) in templates.slots.shared.iter().zip(&making.template.others) {
        globals[slot as usize] = column;
    }
    let state = StateParameter::new(making.solver, &StateColumns { globals, ..start.clone() });
    let main = templates.rsm.main;
    let view = state.view(&templates.slots, main);
    let (encoder, dd) = making.tools();
    let shared = (0..program.n_shared as u32).map(Place::Global);
    let typed = templates.typed(encoder, dd, (main, &view), shared)?;
    let mut diagram = encoder.restrict(dd, view.columns(), typed, &templates.rsm.init)?;
    for block in program.blocks.iter().filter(|block| block.copies != Copies::Any) {
        let private = || block.private.iter().map(|n| Place::Global(*n));
        let typed = templates.typed(encoder, dd, (main, &view), private())?;
        let holds = encoder.restrict(dd, view.columns(), typed, &block.init)?;
        let levels = private().flat_map(|place| view.columns().place(place)).copied().collect();
        diagram = encoder.and_exists(dd, diagram, holds, levels)?;
    }
    Ok(vec![Given::new([], diagram)])
}

pub(crate) fn free(making: &mut Making) -> Rows {
    let (templates, program) = (making.templates, making.threads().program);
    let state = &making.states[0];
    let mut rows = Vec::new();
    for m in templates.modules() {
        let module = templates.rsm.module(m);
        let view = state.view(&templates.slots, m);
        let runs = |block: &&ThreadBlock| block.modules.contains(&m);
        let flag = program.blocks.iter().find(runs).and_then(|block| block.flag);
        let diagram = match flag {
            Some(flag) => making.solver.diagrams().variable(view.globals[flag as usize][0])?.complement(),
            None => Bdd::TRUE,
        };
        for (counter, node) in templates.counters(m) {
            // A function that has computed its results is on its way to its caller, in one step.
            let is_passing = node == module.exit && !program.blocks.iter().any(|block| block.main == m);
            let is_unset = counter == 0 && module.enforce.is_some();
            if !module.node(node).in_atomic && !is_passing && !is_unset {
                rows.push(at(state, m, counter, diagram));
            }
        }
    }
    Ok(rows)
}

pub(crate) fn visible(making: &mut Making) -> Rows {
    let (templates, threads) = (making.templates, making.threads());
    let mut rows = Vec::new();
    for m in templates.modules() {
        for (counter, node) in templates.counters(m) {
            let is_visible = match templates.points.point(m, counter) {
                Some(Point::After(_)) => false,
                Some(Point::Entry) => {
                    templates.points.folds_entry(m) && templates.is_visible(threads, m, node)
                }
                _ => templates.is_visible(threads, m, node),
            };
            if is_visible || !threads.visibility {
                rows.push(at(&making.states[0], m, counter, Bdd::TRUE));
            }
        }
    }
    Ok(rows)
}

/// Neighbours among the copies of a block, if they need not be told apart.
pub(crate) fn previous(making: &mut Making) -> Rows {
    let threads = making.threads();
    let are_alike = |pair: &[Instance]| pair[0].block == pair[1].block && pair[0].copy.is_some();
    let pairs = threads.instances.windows(2).zip(0..);
    let alike = pairs.filter(|(pair, _)| threads.symmetry && are_alike(pair));
    Ok(alike.map(|(_, t)| numbers(making, [t, t + 1])).collect())
}

pub(crate) fn runs(making: &mut Making) -> Rows {
    Ok((0..making.threads().instances.len() as u32).map(|t| numbers(making, [t, t])).collect())
}

pub(crate) fn follows(making: &mut Making) -> Rows {
    Ok((1..making.threads().instances.len() as u32).map(|t| numbers(making, [t - 1, t])).collect())
}

pub(crate) fn stars(making: &mut Making) -> Rows {
    let instances = making.threads().instances.iter().zip(0..);
    let stars = instances.filter(|(instance, _)| instance.copy.is_none());
    Ok(stars.map(|(_, t)| numbers(making, [t])).collect())
}

/// A row about threads alone.
fn numbers<const N: usize>(making: &Making, threads: [u32; N]) -> Given {
    Given::new(making.template.others.iter().copied().zip(threads), Bdd::TRUE)
}

//! The relations of concurrent programs alone: where threads start, where they may be interrupted, which are copies.

use crate::Templates;
use crate::copy::Copy;
use crate::points::{Point, live};
use crate::slots::SlotBits;
use crate::vocabulary::{StateColumns, Vocabulary};
use calculus::system::VarId;
use dd::{Bdd, Exhausted, Level, Manager};
use encode::Encoder;
use rsm::{Concurrent, Copies, ModuleId, NodeId, Place, ThreadBlock, ThreadGoal};
use solver::{Given, Halt, Solver};

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
}

/// A row that says something of keys only.
fn keys(key: Vec<(VarId, u32)>) -> Given {
    Given { key, diagram: Bdd::TRUE, frame: Vec::new() }
}

impl Templates<'_> {
    /// Gives the solver the relations of threads, except the target.
    pub(crate) fn give_threads(
        &self,
        threads: &Threads,
        words: &Vocabulary,
        solver: &mut Solver,
    ) -> Result<(), Halt> {
        let mut encoder = Encoder::new(solver.n_levels());
        let rows = self.thread_rows(threads, words, solver, &mut encoder);
        for (name, rows) in rows.map_err(|exhausted| solver.stopped(exhausted))? {
            solver.give(words.template(name).relation, rows)?;
        }
        Ok(())
    }

    fn thread_rows(
        &self,
        threads: &Threads,
        words: &Vocabulary,
        solver: &mut Solver,
        encoder: &mut Encoder,
    ) -> Result<[(&'static str, Vec<Given>); 8], Exhausted> {
        let start = words.template("Start");
        let shared = &words.template("Init").others;
        // Private values are looked at while the shared ones are found, in columns of another relation.
        let mut globals = start.states[0].globals.clone();
        for (&slot, &column) in self.slots.shared.iter().zip(shared) {
            globals[slot as usize] = column;
        }
        let init = Copy::new(solver, &StateColumns { globals, ..start.states[0].clone() });
        let entry = Copy::new(solver, &start.states[0]);
        let free = Copy::new(solver, &words.template("Free").states[0]);
        let visible = Copy::new(solver, &words.template("Visible").states[0]);
        let dd = solver.diagrams();
        let mut starts = Vec::new();
        for (t, instance) in threads.instances.iter().enumerate() {
            let block = threads.block(*instance);
            let key = [vec![(start.others[0], t as u32)], entry.key(block.main, 0).to_vec()].concat();
            let diagram = self.start_of(encoder, dd, &entry, block)?;
            starts.push(Given { key, diagram, frame: Vec::new() });
        }
        let init = Given {
            key: Vec::new(),
            diagram: self.initial_shared(threads, encoder, dd, &init)?,
            frame: Vec::new(),
        };
        Ok([
            ("Init", vec![init]),
            ("Start", starts),
            ("Free", self.free(threads, dd, &free)?),
            ("Visible", self.visible(threads, &visible)),
            ("Previous", previous(threads, &words.template("Previous").others)),
            ("Runs", runs(threads, &words.template("Runs").others)),
            ("Follows", follows(threads, &words.template("Follows").others)),
            ("Star", stars(threads, words.template("Star").others[0])),
        ])
    }

    /// The private globals of a thread as they are at the start, as far as they matter.
    fn start_of(
        &self,
        encoder: &mut Encoder,
        dd: &mut Manager,
        copy: &Copy,
        block: &ThreadBlock,
    ) -> Result<Bdd, Exhausted> {
        let view = copy.view(&self.slots, block.main);
        let mut diagram = self.values_exist(encoder, dd, copy, block.main)?;
        for init in &block.init {
            let (holds, _) = encoder.condition(dd, view.columns(), init)?;
            diagram = dd.and(diagram, holds)?;
        }
        let entry = self.rsm.module(block.main).entry;
        let live = live(&self.reduced.modules[block.main.index()], entry);
        let dead = block.private.iter().filter(|n| live.binary_search(&Place::Global(**n)).is_err());
        let mut levels: Vec<Level> = Vec::new();
        for &n in dead {
            let bits = &view.globals[n as usize];
            let domain = encoder.domain(dd, bits, &self.rsm.globals[n as usize].ty)?;
            diagram = dd.and(diagram, domain)?;
            levels.extend(bits);
        }
        encoder.and_exists(dd, diagram, Bdd::TRUE, levels)
    }

    /// The shared values with which a run may start: each thread that there has to be can start as well.
    fn initial_shared(
        &self,
        threads: &Threads,
        encoder: &mut Encoder,
        dd: &mut Manager,
        copy: &Copy,
    ) -> Result<Bdd, Exhausted> {
        let program = threads.program;
        let view = copy.view(&self.slots, self.rsm.main);
        let mut diagram = Bdd::TRUE;
        for (variable, bits) in self.rsm.globals.iter().zip(&view.globals).take(program.n_shared) {
            let domain = encoder.domain(dd, bits, &variable.ty)?;
            diagram = dd.and(diagram, domain)?;
        }
        for init in &self.rsm.init {
            let (holds, _) = encoder.condition(dd, view.columns(), init)?;
            diagram = dd.and(diagram, holds)?;
        }
        for block in program.blocks.iter().filter(|block| block.copies != Copies::Any) {
            let mut holds = Bdd::TRUE;
            for init in &block.init {
                let (part, _) = encoder.condition(dd, view.columns(), init)?;
                holds = dd.and(holds, part)?;
            }
            let mut levels: Vec<Level> = Vec::new();
            for &n in &block.private {
                let bits = &view.globals[n as usize];
                let domain = encoder.domain(dd, bits, &self.rsm.globals[n as usize].ty)?;
                holds = dd.and(holds, domain)?;
                levels.extend(bits);
            }
            diagram = encoder.and_exists(dd, diagram, holds, levels)?;
        }
        Ok(diagram)
    }

    /// The counters of a module with the nodes they stand for.
    fn counters(&self, m: ModuleId) -> Vec<(u32, NodeId)> {
        let mut found = Vec::new();
        let mut counter = 0;
        while let Some(point) = self.points.point(m, counter) {
            let module = self.rsm.module(m);
            let node = match point {
                Point::Entry => module.entry,
                Point::Node(node) => node,
                Point::After(call) => module.edge(call).to,
            };
            found.push((counter, node));
            counter += 1;
        }
        found
    }

    fn free(&self, threads: &Threads, dd: &mut Manager, copy: &Copy) -> Result<Vec<Given>, Exhausted> {
        let mut rows = Vec::new();
        for m in self.used_modules() {
            let module = self.rsm.module(m);
            let view = copy.view(&self.slots, m);
            let runs = |block: &&ThreadBlock| block.modules.contains(&m);
            let flag = threads.program.blocks.iter().find(runs).and_then(|block| block.flag);
            let diagram = match flag {
                Some(flag) => dd.variable(view.globals[flag as usize][0])?.complement(),
                None => Bdd::TRUE,
            };
            for (counter, node) in self.counters(m) {
                // A function that has computed its results is on its way to its caller, in one step.
                let is_passing = node == module.exit && !threads.program.blocks.iter().any(|b| b.main == m);
                let is_unset = counter == 0 && module.enforce.is_some();
                if !module.node(node).in_atomic && !is_passing && !is_unset {
                    rows.push(Given { key: copy.key(m, counter).to_vec(), diagram, frame: Vec::new() });
                }
            }
        }
        Ok(rows)
    }

    fn visible(&self, threads: &Threads, copy: &Copy) -> Vec<Given> {
        let mut rows = Vec::new();
        for m in self.used_modules() {
            for (counter, node) in self.counters(m) {
                let is_visible = match self.points.point(m, counter) {
                    Some(Point::After(_)) => false,
                    Some(Point::Entry) => self.points.folds_entry(m) && self.is_visible(threads, m, node),
                    _ => self.is_visible(threads, m, node),
                };
                if is_visible || !threads.visibility {
                    rows.push(keys(copy.key(m, counter).to_vec()));
                }
            }
        }
        rows
    }

    /// A step from a node matters to others.
    fn is_visible(&self, threads: &Threads, m: ModuleId, node: NodeId) -> bool {
        let module = self.rsm.module(m);
        let blocks = self.reduced.modules[m.index()].blocks.iter().filter(|block| block.from == node);
        let mut edges = blocks.flat_map(|block| &block.path).map(|edge| module.edge(*edge));
        edges.any(|edge| threads.program.notices(module, edge) || module.node(edge.to).in_atomic)
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

    /// Gives the solver the target: some goals. Goals that are dead code have no state.
    pub fn give_thread_target(
        &self,
        goals: &[ThreadGoal],
        words: &Vocabulary,
        solver: &mut Solver,
    ) -> Result<(), Halt> {
        let Some(threads) = &self.threads else { return Ok(()) };
        let template = words.template("Target");
        let copy = Copy::new(solver, &template.states[0]);
        let mut encoder = Encoder::new(solver.n_levels());
        let mut rows = Vec::new();
        for goal in goals {
            let row = self.target(&mut encoder, solver.diagrams(), &copy, goal.goal);
            let found = row.map_err(|exhausted| solver.stopped(exhausted))?;
            let module = goal.goal.module();
            for (t, instance) in threads.instances.iter().enumerate() {
                let is_meant = match (goal.copy, instance.copy) {
                    (Some(wanted), Some(copy)) => wanted == copy,
                    _ => true,
                };
                if is_meant && threads.block(*instance).modules.contains(&module) {
                    rows.extend(found.iter().cloned().map(|mut row| {
                        row.key.push((template.others[0], t as u32));
                        row
                    }));
                }
            }
        }
        solver.give(template.relation, rows)
    }
}

/// Neighbours among the copies of a block, if they need not be told apart.
fn previous(threads: &Threads, columns: &[VarId]) -> Vec<Given> {
    let pairs = threads
        .instances
        .windows(2)
        .enumerate()
        .filter(|(_, pair)| pair[0].block == pair[1].block && pair[0].copy.is_some() && threads.symmetry);
    pairs.map(|(t, _)| keys(vec![(columns[0], t as u32), (columns[1], t as u32 + 1)])).collect()
}

fn runs(threads: &Threads, columns: &[VarId]) -> Vec<Given> {
    let numbers = 0..threads.instances.len() as u32;
    numbers.map(|t| keys(vec![(columns[0], t), (columns[1], t)])).collect()
}

fn follows(threads: &Threads, columns: &[VarId]) -> Vec<Given> {
    let numbers = 1..threads.instances.len() as u32;
    numbers.map(|t| keys(vec![(columns[0], t - 1), (columns[1], t)])).collect()
}

fn stars(threads: &Threads, column: VarId) -> Vec<Given> {
    let stars = threads.instances.iter().enumerate().filter(|(_, instance)| instance.copy.is_none());
    stars.map(|(t, _)| keys(vec![(column, t as u32)])).collect()
}

//! A machine and its reductions as tables for the search.
//!
//! Points of all modules have one numbering, and so have blocks, which lie sorted by source. To the points of the
//! machine come one before the entry of each module whose locals are open there or that enforces something (its
//! block chooses the locals), and two of a module of its own, the root, whose one block chooses
//! the globals and calls `main`. Values that nothing reads are neither computed nor chosen.

mod fixed;
mod needed;

use crate::code::{Code, Condition};
use crate::crew::in_parts;
use crate::layout::{Field, Layout, Used};
use needed::{Plan, Scope, restricted};
use rsm::{Action, EdgeId, Expr, Goal, ModuleId, NodeId, Place, Reduced, Rsm};
use rustc_hash::FxHashMap;

/// A program point.
pub(crate) struct Point {
    /// A position in [`Program::modules`].
    pub(crate) module: u32,
    /// Its blocks, from here …
    pub(crate) first_block: u32,
    /// … to here.
    pub(crate) end_block: u32,
    /// What the state keeps there.
    pub(crate) live: Vec<u64>,
    /// The goals there: their positions, with the assertions that must fail.
    pub(crate) goals: Vec<(usize, Option<Condition>)>,
    /// The node of the machine; none for points that it does not have.
    pub(crate) node: Option<NodeId>,
}

/// A module.
pub(crate) struct Module {
    /// The points where it starts, where its statements start, and where it ends.
    pub(crate) start: u32,
    pub(crate) exit: u32,
    /// What tells one entry from another.
    pub(crate) entry_mask: Vec<u64>,
    /// The globals that it may write.
    pub(crate) modified: Vec<u64>,
    pub(crate) enforce: Option<Condition>,
}

/// One thing that happens in a block.
pub(crate) enum Instruction {
    /// Only if this can hold.
    Assume(Condition),
    /// All values are computed in the old state, then stored; only if this can hold between old and new.
    Assign { stores: Box<[(Field, Code)]>, constrain: Option<Condition> },
}

/// What a block ends with.
pub(crate) enum Kind {
    Step,
    Return,
    /// Where the results are when the callee ends, and where they go.
    Call {
        callee: u32,
        results: Box<[(Field, Field)]>,
    },
}

/// A way from point to point.
pub(crate) struct Block {
    pub(crate) to: u32,
    pub(crate) kind: Kind,
    pub(crate) instructions: Box<[Instruction]>,
    /// Arguments or results, computed at the end.
    pub(crate) tail: Box<[(Field, Code)]>,
    /// The largest value of each choice.
    pub(crate) choices: Box<[u64]>,
    /// The bits of the choices, dealt round: the lowest bits of all choices first.
    pub(crate) dealt: Box<[(u32, u32)]>,
    /// The edges of the machine; for each the positions of the values that are computed, and the instruction that does it.
    pub(crate) path: Box<[EdgeId]>,
    pub(crate) plans: Box<[(Plan, Option<u32>)]>,
    /// The locals that get values at the start of a module, or the globals at the root.
    pub(crate) chosen: Box<[(Place, Code)]>,
}

/// A machine as the search sees it.
pub(crate) struct Program {
    pub(crate) points: Vec<Point>,
    pub(crate) blocks: Vec<Block>,
    pub(crate) modules: Vec<Module>,
    /// The number of `main`.
    pub(crate) main: usize,
    pub(crate) layout: Layout,
    pub(crate) n_goals: usize,
}

impl Program {
    /// The number of the module that calls `main`.
    pub(crate) fn root(&self) -> usize {
        self.modules.len() - 1
    }

    /// Translates the machine as far as the reductions leave it, by so many threads: modules do not depend on each other.
    pub(crate) fn new(rsm: &Rsm, reduced: &Reduced, goals: &[Goal], n_threads: usize) -> Self {
        let modules = || (0..rsm.modules.len()).collect();
        let scopes: Vec<Scope> = in_parts(n_threads, modules(), |n| restricted(rsm, reduced, n));
        let plans = in_parts(n_threads, modules(), |n| needed::plans(rsm, reduced, &scopes, n));
        let used = used(rsm, reduced, &scopes, &plans);
        let layout = Layout::new(rsm, &used);
        let mut compiler =
            Compiler { rsm, reduced, scopes: &scopes, layout, points: Vec::new(), point_of: Vec::new() };
        let modules = compiler.modules();
        let mut blocks = compiler.blocks(&modules, plans, n_threads);
        compiler.set_goals(goals);
        let Compiler { layout, mut points, .. } = compiler;
        blocks.sort_by_key(|(from, _)| *from);
        for (n, (from, _)) in blocks.iter().enumerate() {
            let point = &mut points[*from as usize];
            if point.first_block == point.end_block {
                point.first_block = n as u32;
            }
            point.end_block = n as u32 + 1;
        }
        let blocks = blocks.into_iter().map(|(_, block)| block).collect();
        Self { points, blocks, modules, main: rsm.main.index(), layout, n_goals: goals.len() }
    }
}

/// Everything that needs a field.
fn used(rsm: &Rsm, reduced: &Reduced, scopes: &[Scope], plans: &[Vec<Vec<Plan>>]) -> Used {
    let n = rsm.modules.len();
    let mut used = Used {
        globals: Default::default(),
        locals: vec![Default::default(); n],
        results: reduced.modules.iter().map(|module| module.results.to_vec()).collect(),
    };
    for (module, scope) in scopes.iter().enumerate() {
        scope.live.iter().flatten().for_each(|place| used.add(module, *place));
        scope.start.iter().for_each(|place| used.add(module, *place));
        for plan in plans[module].iter().flatten() {
            plan.uses.iter().for_each(|place| used.add(module, *place));
        }
    }
    rsm.init.iter().flat_map(|init| init.reads()).for_each(|place| used.add(rsm.main.index(), place));
    used
}

struct Compiler<'a> {
    rsm: &'a Rsm,
    reduced: &'a Reduced,
    scopes: &'a [Scope],
    layout: Layout,
    points: Vec<Point>,
    /// For each module of the machine, which node is which point.
    point_of: Vec<Vec<Option<u32>>>,
}

impl Compiler<'_> {
    fn mask(&self, module: usize, places: impl Iterator<Item = Place>) -> Vec<u64> {
        let mut mask = vec![0; self.layout.n_words];
        places.filter_map(|place| self.layout.field(module, place)).for_each(|field| field.cover(&mut mask));
        mask
    }

    fn point(&mut self, module: usize, node: Option<NodeId>, live: Vec<u64>) -> u32 {
        let module = module as u32;
        self.points.push(Point { module, first_block: 0, end_block: 0, live, goals: Vec::new(), node });
        self.points.len() as u32 - 1
    }

    /// Makes the points of all modules, the root last.
    fn modules(&mut self) -> Vec<Module> {
        let (rsm, reduced, scopes) = (self.rsm, self.reduced, self.scopes);
        let mut modules = Vec::new();
        for (n, module) in rsm.modules.iter().enumerate() {
            let mut point_of = vec![None; module.nodes.len()];
            for (position, &node) in reduced.modules[n].points.iter().enumerate() {
                let mut live = self.mask(n, scopes[n].live[position].iter().copied());
                if node == module.exit {
                    let results = &self.layout.results[n];
                    results.iter().flatten().for_each(|field| field.cover(&mut live));
                }
                point_of[node.index()] = Some(self.point(n, Some(node), live));
            }
            let entry_mask = self.mask(n, scopes[n].at_start());
            let entry = point_of[module.entry.index()].unwrap_or(0);
            let has_start = reduced.modules[n].is_used && scopes[n].needs_start(module);
            let start = if has_start { self.point(n, None, entry_mask.clone()) } else { entry };
            let exit = point_of[module.exit.index()].unwrap_or(0);
            let modified = self.mask(n, reduced.modules[n].modified.iter().map(|g| Place::Global(*g)));
            let enforce = module.enforce.as_ref().filter(|_| reduced.modules[n].is_used);
            let enforce = enforce.map(|condition| Condition::new(&self.layout, n, condition));
            modules.push(Module { start, exit, entry_mask, modified, enforce });
            self.point_of.push(point_of);
        }
        let nothing = vec![0; self.layout.n_words];
        let start = self.point(modules.len(), None, nothing.clone());
        let exit = self.point(modules.len(), None, nothing.clone());
        modules.push(Module { start, exit, entry_mask: nothing.clone(), modified: nothing, enforce: None });
        modules
    }

    /// All blocks, each with its source.
    fn blocks(&self, modules: &[Module], plans: Vec<Vec<Vec<Plan>>>, n_threads: usize) -> Vec<(u32, Block)> {
        let plans = plans.into_iter().enumerate();
        let of_module = |(n, plans): (usize, Vec<Vec<Plan>>)| self.blocks_of(n, &modules[n], plans);
        // One thread keeps nothing twice.
        let mut blocks: Vec<(u32, Block)> = match n_threads {
            1 => plans.flat_map(of_module).collect(),
            _ => in_parts(n_threads, plans.collect(), of_module).into_iter().flatten().collect(),
        };
        let root = &modules[self.rsm.modules.len()];
        blocks.push((root.start, self.root_block(root.exit)));
        blocks
    }

    /// Those of a module.
    fn blocks_of(&self, n: usize, module: &Module, plans: Vec<Vec<Plan>>) -> Vec<(u32, Block)> {
        let at = |node: NodeId| self.point_of[n][node.index()].expect("the ends of a block are points");
        let reduced = self.reduced.modules[n].blocks.iter().zip(plans);
        let block = |(block, plans): (&rsm::Block, Vec<Plan>)| {
            (at(block.from), self.block(n, block, plans, at(block.to)))
        };
        let mut blocks: Vec<(u32, Block)> = reduced.map(block).collect();
        let entry = self.point_of[n][self.rsm.modules[n].entry.index()];
        if let Some(entry) = entry.filter(|entry| module.start != *entry) {
            blocks.push((module.start, self.start_block(n, entry)));
        }
        blocks
    }

    /// The block that chooses the locals of a module and sees to it that what is enforced holds.
    fn start_block(&self, module: usize, entry: u32) -> Block {
        let open = self.scopes[module].open(&self.rsm.modules[module]);
        let mut block = self.choose(module, open, &FxHashMap::default());
        block.to = entry;
        let enforce = self.rsm.modules[module].enforce.iter();
        block.assume(enforce.map(|condition| Condition::new(&self.layout, module, condition)));
        block
    }

    /// The block that chooses the globals and calls `main`. Its parameters get any values, too.
    fn root_block(&self, exit: u32) -> Block {
        let (rsm, main) = (self.rsm, self.rsm.main.index());
        let places = (0..rsm.globals.len()).map(|n| Place::Global(n as u32));
        let matters = |place: &Place| {
            let is_read = rsm.init.iter().any(|init| init.reads().any(|read| read == *place));
            is_read || self.scopes[main].start.contains(place)
        };
        let mut block = self.choose(main, places.filter(matters).collect(), &fixed::values(&rsm.init));
        block.to = exit;
        block.assume(rsm.init.iter().map(|condition| Condition::new(&self.layout, main, condition)));
        let params = (0..rsm.modules[main].n_params).map(|n| Place::Local(n as u32));
        let mut choices = block.choices.to_vec();
        let mut tail = Vec::new();
        let mut chosen = block.chosen.to_vec();
        for place in params.filter(|place| self.scopes[main].start.contains(place)) {
            let Some(field) = self.layout.field(main, place) else { continue };
            let any = Expr::choice(rsm.variable(rsm.main, place).ty.clone());
            let code = Code::new(&self.layout, main, &any, &mut choices);
            tail.push((field, code.clone()));
            chosen.push((place, code));
        }
        block.tail = tail.into();
        block.chosen = chosen.into();
        block.kind = Kind::Call { callee: main as u32, results: Box::new([]) };
        block.set_choices(choices);
        block
    }

    /// A block that chooses variables, those apart whose values are fixed.
    fn choose(&self, module: usize, places: Vec<Place>, fixed: &FxHashMap<Place, u64>) -> Block {
        let mut choices = Vec::new();
        let mut stores = Vec::new();
        let mut chosen = Vec::new();
        for place in places {
            let Some(field) = self.layout.field(module, place) else { continue };
            let ty = self.rsm.variable(ModuleId::new(module), place).ty.clone();
            let value = match fixed.get(&place) {
                Some(value) => Expr::constant(*value, ty),
                None => Expr::choice(ty),
            };
            let code = Code::new(&self.layout, module, &value, &mut choices);
            stores.push((field, code.clone()));
            chosen.push((place, code));
        }
        let mut block = Block {
            to: 0,
            kind: Kind::Step,
            instructions: Box::new([Instruction::Assign { stores: stores.into(), constrain: None }]),
            tail: Box::new([]),
            choices: Box::new([]),
            dealt: Box::new([]),
            path: Box::new([]),
            plans: Box::new([]),
            chosen: chosen.into(),
        };
        block.set_choices(choices);
        block
    }

    fn block(&self, module: usize, block: &rsm::Block, plans: Vec<Plan>, to: u32) -> Block {
        let machine = &self.rsm.modules[module];
        let (layout, mut choices) = (&self.layout, Vec::new());
        let (mut instructions, mut kind, mut tail) = (Vec::new(), Kind::Step, Vec::new());
        let mut done = Vec::new();
        for (&id, plan) in block.path.iter().zip(plans) {
            let mut assigns = None;
            match &machine.edge(id).action {
                Action::Skip => {}
                Action::Assume(condition) | Action::Assert(condition) => {
                    if !condition.is_choice() {
                        instructions.push(Instruction::Assume(Condition::new(layout, module, condition)));
                    }
                }
                Action::Assign { targets, values, constrain } => {
                    let kept = plan.kept.iter().map(|n| {
                        let field = layout.field(module, targets[*n]).expect("what is stored is read");
                        (field, Code::new(layout, module, &values[*n], &mut choices))
                    });
                    let stores = kept.collect();
                    let constrain = constrain.as_ref().map(|c| Condition::new(layout, module, c));
                    assigns = Some(instructions.len() as u32);
                    instructions.push(Instruction::Assign { stores, constrain });
                }
                Action::Call { callee, args, results } => {
                    let callee = callee.index();
                    for &n in &plan.kept {
                        let field = layout.locals[callee][n].expect("what is passed is read");
                        tail.push((field, Code::new(layout, module, &args[n], &mut choices)));
                    }
                    let moves = results.iter().enumerate().filter_map(|(n, place)| {
                        Some((layout.results[callee][n]?, layout.field(module, (*place)?)?))
                    });
                    kind = Kind::Call { callee: callee as u32, results: moves.collect() };
                }
                Action::Return { values } => {
                    for &n in &plan.kept {
                        let field = layout.results[module][n].expect("a needed result has a field");
                        tail.push((field, Code::new(layout, module, &values[n], &mut choices)));
                    }
                    kind = Kind::Return;
                }
            }
            let stays = matches!(kind, Kind::Step);
            if let Some(condition) = machine.enforce.as_ref().filter(|_| stays) {
                instructions.push(Instruction::Assume(Condition::new(layout, module, condition)));
            }
            done.push((plan, assigns));
        }
        let mut block = Block {
            to,
            kind,
            instructions: instructions.into(),
            tail: tail.into(),
            choices: Box::new([]),
            dealt: Box::new([]),
            path: block.path.clone(),
            plans: done.into(),
            chosen: Box::new([]),
        };
        block.set_choices(choices);
        block
    }

    fn set_goals(&mut self, goals: &[Goal]) {
        for (n, goal) in goals.iter().enumerate() {
            let module = goal.module().index();
            let (node, fails) = match *goal {
                Goal::At(_, node) => (node, None),
                Goal::Failure(_, edge) => {
                    let edge = self.rsm.modules[module].edge(edge);
                    let Action::Assert(condition) = &edge.action else { continue };
                    (edge.from, Some(condition))
                }
            };
            // The exit is no state of its own.
            let Some(point) = self.point_of[module][node.index()] else { continue };
            if node == self.rsm.modules[module].exit || !self.reduced.modules[module].is_used {
                continue;
            }
            let is_dead = fails.is_some_and(|condition| {
                condition.reads().any(|place| self.layout.field(module, place).is_none())
            });
            if !is_dead {
                let fails = fails.map(|condition| Condition::new(&self.layout, module, condition));
                self.points[point as usize].goals.push((n, fails));
            }
        }
    }
}

impl Block {
    /// Adds conditions behind the instructions.
    fn assume(&mut self, conditions: impl Iterator<Item = Condition>) {
        let old = std::mem::take(&mut self.instructions).into_vec();
        self.instructions = old.into_iter().chain(conditions.map(Instruction::Assume)).collect();
    }

    fn set_choices(&mut self, choices: Vec<u64>) {
        let mut dealt = Vec::new();
        for bit in 0..64 {
            let open = choices.iter().enumerate().filter(|(_, max)| *max >> bit != 0);
            dealt.extend(open.map(|(n, _)| (n as u32, bit)));
        }
        self.dealt = dealt.into();
        self.choices = choices.into();
    }
}

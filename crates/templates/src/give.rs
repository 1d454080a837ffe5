//! The rows of the template relations.
//!
//! A row is a diagram over what a block reads and assigns, and a frame of equal columns for what it leaves alone. What
//! is dead afterwards is in neither: nothing is known of it any more.

use crate::Templates;
use crate::copy::{Changed, Copy, View};
use crate::points::{is_call, live};
use crate::vocabulary::Vocabulary;
use calculus::system::{Formula, RelationId, System};
use dd::{Bdd, Exhausted, Manager};
use encode::{Encoder, Path, Slot};
use rsm::{Action, Block, EdgeId, Expr, Goal, ModuleId, NodeId, Place};
use solver::{Given, Halt, Solver};

/// What a call edge says.
struct Call<'r> {
    module: ModuleId,
    block: &'r Block,
    callee: ModuleId,
    args: &'r [Expr],
    results: &'r [Option<Place>],
}

impl Templates<'_> {
    /// Gives the solver all templates that the system uses, except the target.
    pub fn give(&self, system: &System, words: &Vocabulary, solver: &mut Solver) -> Result<(), Halt> {
        let mut encoder = Encoder::new(solver.n_levels());
        for (name, rows) in Self::MAKERS.iter().filter(|maker| self.threads.is_none() || maker.0 != "Init") {
            let template = words.template(name);
            if !is_used(system, template.relation) {
                continue;
            }
            let copies: Vec<Copy> = template.states.iter().map(|state| Copy::new(solver, state)).collect();
            let rows = rows(self, &mut encoder, solver.diagrams(), &copies);
            let rows = rows.map_err(|exhausted| solver.stopped(exhausted))?;
            solver.give(template.relation, rows)?;
        }
        match &self.threads {
            None => solver.give(words.template("Often").relation, self.often(system, words)),
            Some(threads) => self.give_threads(threads, words, solver),
        }
    }

    /// The functions that a run may enter more than once.
    pub(crate) fn often(&self, system: &System, words: &Vocabulary) -> Vec<Given> {
        let module = system.relation(words.template("Often").relation).columns[0];
        let modules = crate::often::often(self.rsm, self.reduced).into_iter().enumerate();
        let row = |(m, often): (usize, bool)| {
            often.then(|| Given { key: vec![(module, m as u32)], diagram: Bdd::TRUE, frame: Vec::new() })
        };
        modules.filter_map(row).collect()
    }

    /// Gives the solver the target: some goals. Goals that are dead code have no state.
    pub fn give_target(&self, goals: &[Goal], words: &Vocabulary, solver: &mut Solver) -> Result<(), Halt> {
        let template = words.template("Target");
        let copy = Copy::new(solver, &template.states[0]);
        let mut encoder = Encoder::new(solver.n_levels());
        let mut rows = Vec::new();
        for goal in goals {
            let row = self.target(&mut encoder, solver.diagrams(), &copy, *goal);
            rows.extend(row.map_err(|exhausted| solver.stopped(exhausted))?);
        }
        solver.give(template.relation, rows)
    }
}

/// Some formula of the system applies the relation.
pub(crate) fn is_used(system: &System, relation: RelationId) -> bool {
    system.formulas.iter().any(|formula| matches!(formula, Formula::Apply(r, _) if *r == relation))
}

/// Makes the rows of one template.
pub(crate) type Maker<'r> =
    fn(&Templates<'r>, &mut Encoder, &mut Manager, &[Copy]) -> Result<Vec<Given>, Exhausted>;

impl<'r> Templates<'r> {
    pub(crate) const MAKERS: [(&'static str, Maker<'r>); 10] = [
        ("ProgramInt", Self::program_int),
        ("IntoCall", Self::call_arguments),
        ("Across", Self::across),
        ("ReturnA", Self::return_a),
        ("ReturnB", Self::return_b),
        ("Return", Self::return_whole),
        ("Entry", Self::entry),
        ("Exit", Self::exit),
        ("Init", Self::init),
        ("Enforce", Self::enforce),
    ];

    pub(crate) fn used_modules(&self) -> impl Iterator<Item = ModuleId> {
        let used = self.reduced.modules.iter().enumerate().filter(|(_, part)| part.is_used);
        used.map(|(n, _)| ModuleId::new(n))
    }

    /// The counter of a point that the reduced program has.
    fn counter(&self, module: ModuleId, node: NodeId) -> u32 {
        self.points.counter(self.rsm, module, node).expect("blocks lead from point to point")
    }

    /// The counter of the point after a call.
    fn counter_after(&self, call: &Call) -> u32 {
        let counter = self.points.counter_after(self.rsm, call.module, call.block.path[0]);
        counter.expect("a call leads to a point")
    }

    fn program_int(
        &self,
        encoder: &mut Encoder,
        dd: &mut Manager,
        copies: &[Copy],
    ) -> Result<Vec<Given>, Exhausted> {
        let mut rows = Vec::new();
        for m in self.used_modules() {
            let (module, part) = (self.rsm.module(m), &self.reduced.modules[m.index()]);
            let views = [copies[0].view(&self.slots, m), copies[1].view(&self.slots, m)];
            for block in part.blocks.iter().filter(|block| !is_call(module, block)) {
                let starts = self.points.folds_entry(m) && block.from == module.entry;
                let path = encoder.path(dd, views[0].columns(), views[1].columns());
                let from = self.counter(m, block.from);
                rows.extend(self.block(path, copies, m, (from, block.to), &block.path, starts)?);
            }
            if !self.points.folds_entry(m) {
                let path = encoder.path(dd, views[0].columns(), views[1].columns());
                rows.extend(self.block(path, copies, m, (0, module.entry), &[], true)?);
            }
            rows.extend(self.points.after(m).iter().map(|call| self.go_on(copies, m, *call)));
        }
        Ok(rows)
    }

    /// From the point after a call to the node where it goes on.
    fn go_on(&self, copies: &[Copy], m: ModuleId, call: EdgeId) -> Given {
        let to = self.rsm.module(m).edge(call).to;
        let from = self.points.counter_after(self.rsm, m, call).expect("the call has a point after it");
        let key = [copies[0].key(m, from), copies[1].key(m, self.counter(m, to))].concat();
        let frame = Changed::new(&self.slots, false).frame(&copies[0], &copies[1]);
        Given { key, diagram: Bdd::TRUE, frame }
    }

    /// The row of a path. One that starts at the entry chooses the values of the locals first.
    fn block(
        &self,
        mut path: Path,
        copies: &[Copy],
        m: ModuleId,
        (from, to): (u32, NodeId),
        edges: &[EdgeId],
        starts: bool,
    ) -> Result<Option<Given>, Exhausted> {
        let (module, part) = (self.rsm.module(m), &self.reduced.modules[m.index()]);
        if starts {
            self.start(&mut path, m)?;
        }
        for &edge in edges {
            self.follow(&mut path, m, &module.edge(edge).action)?;
        }
        let live_after = live(part, to);
        let keep = |slot: Slot| match slot {
            Slot::Place(place) => live_after.binary_search(&place).is_ok(),
            Slot::Result(n) => part.results.binary_search(&n).is_ok(),
        };
        let Some(relation) = path.finish(keep)? else { return Ok(None) };
        let mut changed = Changed::new(&self.slots, starts);
        if starts {
            let given = |place: &&Place| !matches!(place, Place::Local(n) if *n as usize >= module.n_params);
            for &place in live_after.iter().filter(given) {
                changed.set(&self.slots, m, Slot::Place(place), false);
            }
        } else {
            let before = live(part, edges.first().map_or(to, |edge| module.edge(*edge).from));
            for &place in before.iter().filter(|place| live_after.binary_search(place).is_err()) {
                changed.set(&self.slots, m, Slot::Place(place), true);
            }
        }
        if to == module.exit {
            changed.set_locals();
        }
        for &slot in &relation.assigned {
            changed.set(&self.slots, m, slot, true);
        }
        let key = [copies[0].key(m, from), copies[1].key(m, self.counter(m, to))].concat();
        Ok(Some(Given { key, diagram: relation.diagram, frame: changed.frame(&copies[0], &copies[1]) }))
    }

    /// The function was entered: its locals get any values that it allows.
    fn start(&self, path: &mut Path, m: ModuleId) -> Result<(), Exhausted> {
        let module = self.rsm.module(m);
        for (n, variable) in module.locals.iter().enumerate().skip(module.n_params) {
            path.choose(Place::Local(n as u32), &variable.ty)?;
        }
        module.enforce.iter().try_for_each(|enforce| path.assume(enforce))
    }

    /// Where the bits of a function's variables are in one state of a template.
    pub fn view(
        &self,
        solver: &Solver,
        words: &Vocabulary,
        (template, state): (&str, usize),
        module: ModuleId,
    ) -> View {
        Copy::new(solver, &words.template(template).states[state]).view(&self.slots, module)
    }

    /// Goes along one step, which is no call.
    pub fn follow(&self, path: &mut Path, m: ModuleId, action: &Action) -> Result<(), Exhausted> {
        match action {
            Action::Skip => Ok(()),
            Action::Assume(expr) | Action::Assert(expr) => path.assume(expr),
            Action::Assign { targets, values, constrain } => {
                let targets: Vec<Slot> = targets.iter().map(|place| Slot::Place(*place)).collect();
                path.assign(&targets, values, constrain.as_ref())?;
                self.rsm.module(m).enforce.iter().try_for_each(|enforce| path.assume(enforce))
            }
            Action::Return { values } => {
                let targets: Vec<Slot> = (0..values.len() as u32).map(Slot::Result).collect();
                path.assign(&targets, values, None)
            }
            Action::Call { .. } => unreachable!("a call is a block of its own"),
        }
    }

    /// The calls of the program.
    fn calls(&self) -> impl Iterator<Item = Call<'r>> {
        let (rsm, reduced) = (self.rsm, self.reduced);
        self.used_modules().flat_map(move |module| {
            let blocks = reduced.modules[module.index()].blocks.iter();
            blocks.filter_map(move |block| {
                let edge = rsm.module(module).edge(*block.path.first()?);
                let Action::Call { callee, args, results } = &edge.action else { return None };
                Some(Call { module, block, callee: *callee, args, results })
            })
        })
    }

    fn call_arguments(
        &self,
        encoder: &mut Encoder,
        dd: &mut Manager,
        copies: &[Copy],
    ) -> Result<Vec<Given>, Exhausted> {
        let mut rows = Vec::new();
        for call in self.calls() {
            let (callee, part) = (self.rsm.module(call.callee), &self.reduced.modules[call.callee.index()]);
            let before = copies[0].view(&self.slots, call.module);
            let mut after = copies[1].view(&self.slots, call.callee);
            // Arguments are stored like results: they are no variables of the caller.
            after.results = std::mem::take(&mut after.locals);
            let mut path = encoder.path(dd, before.columns(), after.columns());
            let targets: Vec<Slot> = (0..call.args.len() as u32).map(Slot::Result).collect();
            path.assign(&targets, call.args, None)?;
            let live = live(part, callee.entry);
            let needs = |place: Place| live.binary_search(&place).is_ok();
            let keep = |slot: Slot| matches!(slot, Slot::Result(n) if needs(Place::Local(n)));
            let Some(relation) = path.finish(keep)? else { continue };
            let mut changed = Changed::new(&self.slots, true);
            for &n in part.touched.iter().filter(|n| needs(Place::Global(**n))) {
                changed.set(&self.slots, call.callee, Slot::Place(Place::Global(n)), false);
            }
            let from = copies[0].key(call.module, self.counter(call.module, call.block.from));
            let key = [from, copies[1].key(call.callee, 0)].concat();
            rows.push(Given { key, diagram: relation.diagram, frame: changed.frame(&copies[0], &copies[1]) });
        }
        Ok(rows)
    }

    fn across(&self, _: &mut Encoder, _: &mut Manager, copies: &[Copy]) -> Result<Vec<Given>, Exhausted> {
        let row = |call: Call| {
            let from = copies[0].key(call.module, self.counter(call.module, call.block.from));
            let to = copies[1].key(call.module, self.counter_after(&call));
            Given { key: [from, to].concat(), diagram: Bdd::TRUE, frame: Vec::new() }
        };
        Ok(self.calls().map(row).collect())
    }

    /// What comes back from a call: its results, and the globals that the callee may have changed.
    fn returned(&self, call: &Call) -> Vec<(Slot, Slot)> {
        let part = &self.reduced.modules[call.module.index()];
        let live = live(part, call.block.to);
        let results =
            call.results.iter().zip(0..).filter_map(|(place, n)| Some(((*place)?, Slot::Result(n))));
        let mut pairs: Vec<(Place, Slot)> = results.collect();
        for &n in &self.reduced.modules[call.callee.index()].modified {
            let place = Place::Global(n);
            if !pairs.iter().any(|pair| pair.0 == place) {
                pairs.push((place, Slot::Place(place)));
            }
        }
        pairs.retain(|pair| live.binary_search(&pair.0).is_ok());
        pairs.into_iter().map(|(place, from)| (Slot::Place(place), from)).collect()
    }

    /// The slots of the caller that a call does not leave alone: what it stores, and what is dead afterwards.
    fn overwritten(&self, call: &Call) -> Changed {
        let part = &self.reduced.modules[call.module.index()];
        let (before, after) = (live(part, call.block.from), live(part, call.block.to));
        let mut changed = Changed::new(&self.slots, false);
        let dying = before.iter().copied().filter(|place| after.binary_search(place).is_err());
        let modified = &self.reduced.modules[call.callee.index()].modified;
        let modified = modified.iter().map(|n| Place::Global(*n));
        for place in dying.chain(modified).chain(call.results.iter().flatten().copied()) {
            changed.set(&self.slots, call.module, Slot::Place(place), true);
        }
        changed
    }

    /// The caller allows the state it goes on in. What the call leaves alone is read in the state before it, globals that
    /// the callee may have changed in `exit`, results in the state after it.
    fn allowed_after(
        &self,
        encoder: &mut Encoder,
        dd: &mut Manager,
        call: &Call,
        (before, exit, after): (&Copy, &Copy, &Copy),
    ) -> Result<Bdd, Exhausted> {
        let Some(enforce) = &self.rsm.module(call.module).enforce else { return Ok(Bdd::TRUE) };
        let mut mixed: View = before.view(&self.slots, call.module);
        let changed = exit.view(&self.slots, call.module);
        for &n in &self.reduced.modules[call.callee.index()].modified {
            mixed.globals[n as usize].clone_from(&changed.globals[n as usize]);
        }
        let view = after.view(&self.slots, call.module);
        for place in call.results.iter().flatten().copied() {
            match place {
                Place::Global(n) => mixed.globals[n as usize].clone_from(&view.globals[n as usize]),
                Place::Local(n) => mixed.locals[n as usize].clone_from(&view.locals[n as usize]),
            }
        }
        Ok(encoder.condition(dd, mixed.columns(), enforce)?.0)
    }

    fn return_a(
        &self,
        encoder: &mut Encoder,
        dd: &mut Manager,
        copies: &[Copy],
    ) -> Result<Vec<Given>, Exhausted> {
        let mut rows = Vec::new();
        for call in self.calls() {
            let diagram = self.allowed_after(encoder, dd, &call, (&copies[0], &copies[1], &copies[1]))?;
            let from = copies[0].key(call.module, self.counter(call.module, call.block.from));
            let to = copies[1].key(call.module, self.counter_after(&call));
            let frame = self.overwritten(&call).frame(&copies[0], &copies[1]);
            rows.push(Given { key: [from, to].concat(), diagram, frame });
        }
        Ok(rows)
    }

    /// Results as a diagram, globals as a frame.
    fn handed_back(
        &self,
        dd: &mut Manager,
        call: &Call,
        (exit, after): (&Copy, &Copy),
    ) -> Result<(Bdd, Changed), Exhausted> {
        let from = exit.view(&self.slots, call.callee);
        let to = after.view(&self.slots, call.module);
        let mut diagram = Bdd::TRUE;
        let mut changed = Changed::new(&self.slots, true);
        for (target, source) in self.returned(call) {
            if source == target {
                changed.set(&self.slots, call.module, target, false);
                continue;
            }
            let (to, from) = (to.columns().slot(target), from.columns().slot(source));
            for (&a, &b) in to.iter().zip(from) {
                let (a, b) = (dd.variable(a)?, dd.variable(b)?);
                let equal = dd.iff(a, b)?;
                diagram = dd.and(diagram, equal)?;
            }
        }
        Ok((diagram, changed))
    }

    fn return_b(&self, _: &mut Encoder, dd: &mut Manager, copies: &[Copy]) -> Result<Vec<Given>, Exhausted> {
        let mut rows = Vec::new();
        for call in self.calls() {
            let (diagram, changed) = self.handed_back(dd, &call, (&copies[0], &copies[1]))?;
            let exit = self.counter(call.callee, self.rsm.module(call.callee).exit);
            let from = copies[0].key(call.callee, exit);
            let to = copies[1].key(call.module, self.counter_after(&call));
            rows.push(Given {
                key: [from, to].concat(),
                diagram,
                frame: changed.frame(&copies[0], &copies[1]),
            });
        }
        Ok(rows)
    }

    fn return_whole(
        &self,
        encoder: &mut Encoder,
        dd: &mut Manager,
        copies: &[Copy],
    ) -> Result<Vec<Given>, Exhausted> {
        let [caller, exit, after] = copies else { unreachable!("Return relates three states") };
        let mut rows = Vec::new();
        for call in self.calls() {
            let allowed = self.allowed_after(encoder, dd, &call, (caller, exit, after))?;
            let (results, changed) = self.handed_back(dd, &call, (exit, after))?;
            let mut frame = self.overwritten(&call).frame(caller, after);
            frame.extend(changed.frame(exit, after));
            let exit_node = self.rsm.module(call.callee).exit;
            let key = [
                caller.key(call.module, self.counter(call.module, call.block.from)),
                exit.key(call.callee, self.counter(call.callee, exit_node)),
                after.key(call.module, self.counter_after(&call)),
            ];
            rows.push(Given { key: key.concat(), diagram: dd.and(results, allowed)?, frame });
        }
        Ok(rows)
    }

    fn entry(
        &self,
        encoder: &mut Encoder,
        dd: &mut Manager,
        copies: &[Copy],
    ) -> Result<Vec<Given>, Exhausted> {
        let mut rows = Vec::new();
        for m in self.used_modules() {
            let diagram = self.values_exist(encoder, dd, &copies[0], m)?;
            rows.push(Given { key: copies[0].key(m, 0).to_vec(), diagram, frame: Vec::new() });
        }
        Ok(rows)
    }

    /// The parameters and globals that a function looks at have values of their types.
    pub(crate) fn values_exist(
        &self,
        encoder: &mut Encoder,
        dd: &mut Manager,
        copy: &Copy,
        m: ModuleId,
    ) -> Result<Bdd, Exhausted> {
        let (module, part) = (self.rsm.module(m), &self.reduced.modules[m.index()]);
        let view = copy.view(&self.slots, m);
        let mut diagram = Bdd::TRUE;
        for &place in live(part, module.entry) {
            if matches!(place, Place::Local(n) if n as usize >= module.n_params) {
                continue;
            }
            let ty = &self.rsm.variable(m, place).ty;
            let domain = encoder.domain(dd, view.columns().place(place), ty)?;
            diagram = dd.and(diagram, domain)?;
        }
        Ok(diagram)
    }

    fn exit(&self, _: &mut Encoder, _: &mut Manager, copies: &[Copy]) -> Result<Vec<Given>, Exhausted> {
        let row = |m: ModuleId| {
            let key = copies[0].key(m, self.counter(m, self.rsm.module(m).exit)).to_vec();
            Given { key, diagram: Bdd::TRUE, frame: Vec::new() }
        };
        Ok(self.used_modules().map(row).collect())
    }

    fn init(
        &self,
        encoder: &mut Encoder,
        dd: &mut Manager,
        copies: &[Copy],
    ) -> Result<Vec<Given>, Exhausted> {
        let main = self.rsm.main;
        let view = copies[0].view(&self.slots, main);
        let mut diagram = self.values_exist(encoder, dd, &copies[0], main)?;
        for init in &self.rsm.init {
            let (holds, _) = encoder.condition(dd, view.columns(), init)?;
            diagram = dd.and(diagram, holds)?;
        }
        Ok(vec![Given { key: copies[0].key(main, 0).to_vec(), diagram, frame: Vec::new() }])
    }

    fn enforce(
        &self,
        encoder: &mut Encoder,
        dd: &mut Manager,
        copies: &[Copy],
    ) -> Result<Vec<Given>, Exhausted> {
        let mut rows = Vec::new();
        for m in self.used_modules() {
            let (module, part) = (self.rsm.module(m), &self.reduced.modules[m.index()]);
            let view = copies[0].view(&self.slots, m);
            let allowed = match &module.enforce {
                Some(enforce) => encoder.condition(dd, view.columns(), enforce)?.0,
                None => Bdd::TRUE,
            };
            rows.push(Given { key: copies[0].key(m, 0).to_vec(), diagram: Bdd::TRUE, frame: Vec::new() });
            for &call in self.points.after(m) {
                let counter =
                    self.points.counter_after(self.rsm, m, call).expect("the call has a point after it");
                rows.push(Given {
                    key: copies[0].key(m, counter).to_vec(),
                    diagram: allowed,
                    frame: Vec::new(),
                });
            }
            for &node in &part.points {
                let counter = self.counter(m, node);
                let diagram = if node == module.exit { Bdd::TRUE } else { allowed };
                if counter > 0 {
                    rows.push(Given { key: copies[0].key(m, counter).to_vec(), diagram, frame: Vec::new() });
                }
            }
        }
        Ok(rows)
    }
}

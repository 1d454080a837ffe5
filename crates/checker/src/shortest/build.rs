//! From the reduced program to the network: points, steps, and what is known of entries and goals.

use super::copies::{Copies, Copy};
use super::entries::Known;
use super::interface::{Interface, live};
use super::network::{CallId, Module, Network, Point, PointId, Step, StepId};
use dd::{Bdd, Exhausted, Level, Manager, Map, ProductId};
use encode::{Encoder, Slot};
use rsm::{Action, Block, EdgeId, ModuleId, NodeId, Place};
use rustc_hash::FxHashMap;
use templates::Templates;

/// What a product does besides conjoining: it moves levels of the second operand, forgets levels, moves levels of the
/// result.
type Recipe = (Map, Vec<Level>, Map);

/// What building needs.
pub(super) struct Builder<'t, 'r, 'd> {
    pub templates: &'t Templates<'r>,
    pub copies: Copies<'t>,
    pub interfaces: Vec<Interface>,
    pub encoder: Encoder,
    pub dd: &'d mut Manager,
    pub network: Network,
    products: FxHashMap<Recipe, ProductId>,
}

/// The network of a program.
pub(super) fn network(templates: &Templates, known: Known, dd: &mut Manager) -> Result<Network, Exhausted> {
    let copies = Copies::new(&templates.slots);
    let modules = (0..templates.rsm.modules.len()).map(ModuleId::new);
    let mut builder = Builder {
        templates,
        encoder: Encoder::new(copies.end()),
        copies,
        interfaces: modules.clone().map(|m| Interface::new(templates, m)).collect(),
        dd,
        network: Network::default(),
        products: FxHashMap::default(),
    };
    modules.clone().for_each(|m| builder.points(m));
    for m in modules.filter(|m| templates.reduced.modules[m.index()].is_used) {
        builder.start(m, known.entries[m.index()])?;
        builder.blocks(m)?;
    }
    builder.link();
    for ((m, counter), states) in known.goals {
        let point = builder.network.modules[m.index()].entry.index() + counter as usize;
        builder.network.points[point].goal = states;
    }
    builder.mark_leading();
    Ok(builder.network)
}

impl Builder<'_, '_, '_> {
    /// The product with a recipe.
    pub fn product(&mut self, right: Map, mut forgotten: Vec<Level>, out: Map) -> ProductId {
        forgotten.sort_unstable();
        forgotten.dedup();
        let dd = &mut *self.dd;
        let register =
            |(right, forgotten, out): &Recipe| dd.register_product(&Map::default(), right, forgotten, out);
        *self.products.entry((right, forgotten, out)).or_insert_with_key(register)
    }

    pub fn current(&self, m: ModuleId, place: Place) -> Vec<Level> {
        self.copies.levels(m, Slot::Place(place), Copy::Current)
    }

    /// The point of a node that the reduced program has.
    pub fn point(&self, m: ModuleId, node: NodeId) -> PointId {
        let counter = self.templates.points.counter(self.templates.rsm, m, node);
        let counter = counter.expect("blocks lead from point to point");
        PointId(self.network.modules[m.index()].entry.0 + counter)
    }

    /// Numbers the points of a function: its entry, then the nodes by their counters. A point after a call that has a
    /// counter of its own is left out, since a call can as well lead to the node where it goes on.
    fn points(&mut self, m: ModuleId) {
        let (module, part) = (self.templates.rsm.module(m), &self.templates.reduced.modules[m.index()]);
        let entry = PointId::new(self.network.points.len());
        self.network.modules.push(Module {
            entry,
            exit: entry,
            start: Bdd::FALSE,
            entry_bits: Vec::new(),
            copied: Vec::new(),
            calls: Vec::new(),
            callers: Vec::new(),
            leads_to_goal: false,
        });
        if !part.is_used {
            return;
        }
        let interface = &self.interfaces[m.index()];
        let at_entry: Vec<Place> = interface.all().collect();
        let mut states: Vec<(Vec<Place>, bool)> = vec![(at_entry, false)];
        for &node in &part.points {
            if self.templates.points.counter(self.templates.rsm, m, node) == Some(0) {
                continue;
            }
            let mut places: Vec<Place> =
                live(part, node).chain(interface.read_only.iter().copied()).collect();
            places.sort_unstable();
            places.dedup();
            states.push((places, node == module.exit));
        }
        for (counter, (places, is_exit)) in (0..).zip(states) {
            let mut bits: Vec<Level> = places.iter().flat_map(|place| self.current(m, *place)).collect();
            if is_exit {
                let results = part.results.iter().map(|n| Slot::Result(*n));
                bits.extend(results.flat_map(|slot| self.copies.levels(m, slot, Copy::Current)));
            }
            bits.sort_unstable();
            let (steps, calls) = Default::default();
            self.network.points.push(Point { module: m, counter, bits, steps, calls, goal: Bdd::FALSE });
        }
        self.network.modules[m.index()].exit = self.point(m, module.exit);
    }

    /// The pairs with which a function starts.
    fn start(&mut self, m: ModuleId, entries: Bdd) -> Result<(), Exhausted> {
        let interface = self.interfaces[m.index()].clone();
        let (mut start, mut entry_bits, mut copied) = (entries, Vec::new(), Vec::new());
        for place in interface.all() {
            let is_copied = interface.copied.contains(&place);
            let source = if is_copied { Copy::Entry } else { Copy::Current };
            entry_bits.extend(self.copies.moves(m, Slot::Place(place), Copy::Current, source));
        }
        for &(now, then) in entry_bits.iter().filter(|(now, then)| now != then) {
            let (x, y) = (self.dd.variable(now)?, self.dd.variable(then)?);
            let equal = self.dd.iff(x, y)?;
            start = self.dd.and(start, equal)?;
            copied.push(then);
        }
        let module = &mut self.network.modules[m.index()];
        (module.start, module.entry_bits, module.copied) = (start, entry_bits, copied);
        Ok(())
    }

    fn blocks(&mut self, m: ModuleId) -> Result<(), Exhausted> {
        let (module, part) = (self.templates.rsm.module(m), &self.templates.reduced.modules[m.index()]);
        let folds_entry = self.templates.points.folds_entry(m);
        if !folds_entry {
            self.step(m, self.network.modules[m.index()].entry, module.entry, &[])?;
        }
        for Block { from, to, path } in &part.blocks {
            match &module.edge(path[0]).action {
                Action::Call { .. } => self.call(m, path[0])?,
                _ => self.step(m, self.point(m, *from), *to, path)?,
            }
        }
        Ok(())
    }

    /// The step along some edges. One that starts at the entry chooses the values of the locals first.
    fn step(&mut self, m: ModuleId, from: PointId, to: NodeId, edges: &[EdgeId]) -> Result<(), Exhausted> {
        let (module, part) = (self.templates.rsm.module(m), &self.templates.reduced.modules[m.index()]);
        let (before, after) = (self.copies.view(m, Copy::Current), self.copies.view(m, Copy::Next));
        let mut path = self.encoder.path(self.dd, before.columns(), after.columns());
        if from == self.network.modules[m.index()].entry {
            for (n, variable) in module.locals.iter().enumerate().skip(module.n_params) {
                path.choose(Place::Local(n as u32), &variable.ty)?;
            }
            module.enforce.iter().try_for_each(|enforce| path.assume(enforce))?;
        }
        for &edge in edges {
            self.templates.follow(&mut path, m, &module.edge(edge).action)?;
        }
        let matters: Vec<Place> = live(part, to).collect();
        let keep = |slot: Slot| match slot {
            Slot::Place(place) => matters.binary_search(&place).is_ok(),
            Slot::Result(n) => part.results.binary_search(&n).is_ok(),
        };
        let Some(relation) = path.finish(keep)? else { return Ok(()) };
        let to = self.point(m, to);
        let mut forgotten = self.dying(from, to);
        let mut moves = Vec::new();
        for &slot in &relation.assigned {
            forgotten.extend(self.copies.levels(m, slot, Copy::Current));
            moves.extend(self.copies.moves(m, slot, Copy::Next, Copy::Current));
        }
        let moves = Map::new(moves);
        let image = self.product(Map::default(), forgotten, moves.clone());
        let length = edges.len() as u32;
        self.network.steps.push(Step { from, to, length, relation: relation.diagram, image, moves });
        Ok(())
    }

    /// The bits that a state is about at one point and not at another.
    pub fn dying(&self, from: PointId, to: PointId) -> Vec<Level> {
        let points = &self.network.points;
        let kept = &points[to.index()].bits;
        let before = points[from.index()].bits.iter().copied();
        before.filter(|level| kept.binary_search(level).is_err()).collect()
    }

    /// Lists steps and calls where they are looked for.
    fn link(&mut self) {
        let Network { points, steps, calls, modules } = &mut self.network;
        for (n, step) in steps.iter().enumerate() {
            points[step.from.index()].steps.push(StepId::new(n));
        }
        for (n, call) in calls.iter().enumerate() {
            let from = &mut points[call.from.index()];
            from.calls.push(CallId::new(n));
            modules[from.module.index()].calls.push(CallId::new(n));
            modules[call.callee.index()].callers.push(CallId::new(n));
        }
    }

    /// Finds the functions from which calls lead to a goal.
    fn mark_leading(&mut self) {
        let Network { points, calls, modules, .. } = &mut self.network;
        let with_goal = points.iter().filter(|point| point.goal != Bdd::FALSE);
        let mut pending: Vec<ModuleId> = with_goal.map(|point| point.module).collect();
        while let Some(m) = pending.pop() {
            if !std::mem::replace(&mut modules[m.index()].leads_to_goal, true) {
                let callers = modules[m.index()].callers.iter();
                pending.extend(callers.map(|call| points[calls[call.index()].from.index()].module));
            }
        }
    }
}

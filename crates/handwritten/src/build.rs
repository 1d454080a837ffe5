//! From the reduced program to the network.

mod calls;
mod steps;

use crate::copies::{Copies, Copy};
use crate::interface::Interface;
use crate::network::{CallId, Module, Network, Point, PointId};
use crate::rank::{Ranks, blocks_from, called};
use dd::{Bdd, Exhausted, Level, Manager, Map, ProductId};
use encode::{Encoder, Slot};
use rsm::{Action, Goal, ModuleId, NodeId};
use rustc_hash::FxHashMap;
use templates::{Templates, View};

/// What a product does besides conjoining: it moves levels of its second operand, forgets levels, moves levels of the result.
type Recipe = (Map, Vec<Level>, Map);

/// What building needs.
struct Builder<'t, 'r, 'd> {
    templates: &'t Templates<'r>,
    copies: Copies<'t>,
    ranks: Ranks,
    interfaces: Vec<Interface>,
    encoder: Encoder,
    dd: &'d mut Manager,
    products: FxHashMap<Recipe, ProductId>,
    /// The module whose points are being made, and its variables in the current and in the next copy.
    views: (ModuleId, View, View),
    network: Network,
}

/// The network of a program and its goals.
pub(crate) fn network(templates: &Templates, goals: &[Goal], dd: &mut Manager) -> Result<Network, Exhausted> {
    let rsm = templates.rsm;
    let at: Vec<(ModuleId, NodeId)> = goals.iter().map(|goal| place(templates, *goal)).collect();
    let folds = |m: ModuleId| templates.points.folds_entry(m) && !at.contains(&(m, rsm.module(m).entry));
    let copies = Copies::new(&templates.slots);
    let interface = |m| Interface::new(rsm, templates.reduced, ModuleId::new(m));
    let mut builder = Builder {
        ranks: Ranks::new(templates, folds),
        interfaces: (0..rsm.modules.len()).map(interface).collect(),
        encoder: Encoder::new(copies.end()),
        views: (rsm.main, copies.view(rsm.main, Copy::Current), copies.view(rsm.main, Copy::Next)),
        copies,
        templates,
        dd,
        products: FxHashMap::default(),
        network: Network {
            points: Vec::new(),
            steps: Vec::new(),
            calls: Vec::new(),
            modules: Vec::new(),
            callers_first: Vec::new(),
            main: rsm.main.index(),
            init: Bdd::FALSE,
        },
    };
    builder.modules()?;
    builder.points()?;
    builder.goals(goals)?;
    builder.network.init = builder.init()?;
    Ok(builder.network)
}

/// Where a goal is.
fn place(templates: &Templates, goal: Goal) -> (ModuleId, NodeId) {
    match goal {
        Goal::At(module, node) => (module, node),
        Goal::Failure(module, edge) => (module, templates.rsm.module(module).edge(edge).from),
    }
}

impl Builder<'_, '_, '_> {
    /// The product with a recipe.
    fn product(&mut self, right: Map, mut forgotten: Vec<Level>, out: Map) -> ProductId {
        forgotten.sort_unstable();
        forgotten.dedup();
        let dd = &mut *self.dd;
        let register =
            |(right, forgotten, out): &Recipe| dd.register_product(&Map::default(), right, forgotten, out);
        *self.products.entry((right, forgotten, out)).or_insert_with_key(register)
    }

    /// What does not depend on points.
    fn modules(&mut self) -> Result<(), Exhausted> {
        for m in (0..self.interfaces.len()).map(ModuleId::new) {
            let interface = self.interfaces[m.index()].clone();
            let (mut identity, mut domain) = (Bdd::TRUE, Bdd::TRUE);
            let mut forgotten = Vec::new();
            for place in interface.all() {
                let ty = &self.templates.rsm.variable(m, place).ty;
                let levels: Vec<Level> = self.copies.levels(m, Slot::Place(place), Copy::Current).collect();
                let values = self.encoder.domain(self.dd, &levels, ty)?;
                domain = self.dd.and(domain, values)?;
            }
            for &place in &interface.copied {
                for (a, b) in self.copies.moves(m, Slot::Place(place), (Copy::Entry, Copy::Current)) {
                    let (x, y) = (self.dd.variable(a)?, self.dd.variable(b)?);
                    let equal = self.dd.iff(x, y)?;
                    identity = self.dd.and(identity, equal)?;
                    forgotten.push(a);
                }
            }
            let forget_entry = self.product(Map::default(), forgotten, Map::default());
            self.network.modules.push(Module {
                entry: PointId(0),
                identity,
                domain,
                forget_entry,
                callers: Vec::new(),
                calls: Vec::new(),
                goals: Vec::new(),
            });
        }
        for &m in self.ranks.callees_first.iter().rev() {
            self.network.callers_first.push(m.0);
            self.network.modules[m.index()].entry = self.ranks.entry(m);
        }
        Ok(())
    }

    /// The points with their steps and calls.
    fn points(&mut self) -> Result<(), Exhausted> {
        let (rsm, reduced) = (self.templates.rsm, self.templates.reduced);
        for n in 0..self.ranks.points.len() {
            let (m, node) = self.ranks.points[n];
            let (module, part) = (rsm.module(m), &reduced.modules[m.index()]);
            let id = PointId::new(n);
            let is_entry = id == self.ranks.entry(m);
            if self.views.0 != m {
                self.views = (m, self.copies.view(m, Copy::Current), self.copies.view(m, Copy::Next));
            }
            match node {
                None => self.step(m, None, module.entry, &[])?,
                Some(node) => {
                    for block in blocks_from(part, node) {
                        if called(module, block).is_some() {
                            self.call(m, id, block)?;
                        } else {
                            let from = (!is_entry).then_some(node);
                            self.step(m, from, block.to, &block.path)?;
                        }
                    }
                }
            }
            self.network.points.push(Point {
                module: m.0,
                end_of_steps: self.network.steps.len() as u32,
                end_of_calls: self.network.calls.len() as u32,
                is_exit: node == Some(module.exit),
                goal: Bdd::FALSE,
            });
        }
        for (n, call) in self.network.calls.iter().enumerate() {
            let caller = self.network.points[call.from.index()].module;
            self.network.modules[call.callee as usize].callers.push(CallId::new(n));
            self.network.modules[caller as usize].calls.push(CallId::new(n));
        }
        Ok(())
    }

    /// The states that are goals.
    fn goals(&mut self, goals: &[Goal]) -> Result<(), Exhausted> {
        for &goal in goals {
            let (m, node) = place(self.templates, goal);
            let part = &self.templates.reduced.modules[m.index()];
            let Some(point) = self.ranks.node(part, m, node).filter(|_| part.is_used) else { continue };
            let mut states = Bdd::TRUE;
            if let Goal::Failure(_, edge) = goal
                && let Action::Assert(condition) = &self.templates.rsm.module(m).edge(edge).action
            {
                let view = self.copies.view(m, Copy::Current);
                states = self.encoder.condition(self.dd, view.columns(), condition)?.1;
            }
            let known = &mut self.network.points[point.index()].goal;
            if *known == Bdd::FALSE {
                self.network.modules[m.index()].goals.push(point);
            }
            *known = self.dd.or(*known, states)?;
        }
        Ok(())
    }

    fn init(&mut self) -> Result<Bdd, Exhausted> {
        let main = self.templates.rsm.main;
        let view = self.copies.view(main, Copy::Current);
        let mut states = self.network.modules[main.index()].domain;
        for condition in &self.templates.rsm.init {
            let (holds, _) = self.encoder.condition(self.dd, view.columns(), condition)?;
            states = self.dd.and(states, holds)?;
        }
        Ok(states)
    }
}

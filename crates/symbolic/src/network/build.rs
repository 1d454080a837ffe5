//! From the reduced program to the network: points, steps and goals.

use super::interface::Interface;
use super::versions::{Version, Versions};
use super::{CallId, Image, Module, Network, Point, PointId, Recipe, Step};
use crate::{SymbolicProgram, View, steps};
use dd::{Bdd, Exhausted, Level, Manager, Map};
use encode::{Encoder, Slot};
use rsm::{Goal, ModuleId, NodeId, Place};
use rustc_hash::FxHashMap;

/// What building needs.
pub(super) struct Builder<'t, 'r, 'd> {
    pub program: &'t SymbolicProgram<'r>,
    pub interfaces: Vec<Interface>,
    pub encoder: Encoder,
    pub dd: &'d mut Manager,
    pub network: Network,
    images: FxHashMap<Recipe, Image>,
}

/// The variables of a function now and next.
pub(super) struct Views {
    pub current: View,
    pub next: View,
}

impl SymbolicProgram<'_> {
    /// The network of the program, with some goals.
    pub fn network(&self, goals: &[Goal], dd: &mut Manager) -> Result<Network, Exhausted> {
        let modules = (0..self.rsm.modules.len()).map(ModuleId::new);
        let mut builder = Builder {
            program: self,
            interfaces: modules.clone().map(|m| Interface::new(self, m)).collect(),
            encoder: Encoder::new(Versions::end(&self.slots)),
            dd,
            images: FxHashMap::default(),
            network: Network {
                points: Vec::new(),
                steps: Vec::new(),
                calls: Vec::new(),
                modules: Vec::new(),
                main: self.rsm.main,
                init: Bdd::FALSE,
                versions: Versions::new(&self.slots),
                recipes: Vec::new(),
            },
        };
        modules.clone().try_for_each(|m| builder.module(m))?;
        modules.filter(|m| self.part(*m).is_used).try_for_each(|m| builder.points(m))?;
        builder.link();
        builder.goals(goals)?;
        let view = builder.view(self.rsm.main, Version::Current);
        builder.network.init = self.initial(&mut builder.encoder, builder.dd, &view)?;
        Ok(builder.network)
    }
}

impl Builder<'_, '_, '_> {
    /// The product with a recipe.
    pub fn image(&mut self, right: Map, mut forgotten: Vec<Level>, out: Map) -> Image {
        forgotten.sort_unstable();
        forgotten.dedup();
        let recipe = Recipe { right, forgotten, out };
        if let Some(image) = self.images.get(&recipe) {
            return *image;
        }
        let Recipe { right, forgotten, out } = &recipe;
        let product = self.dd.register_product(&Map::default(), right, forgotten, out);
        let image = Image { product, recipe: self.network.recipes.len() as u32 };
        self.network.recipes.push(recipe.clone());
        self.images.insert(recipe, image);
        image
    }

    pub fn view(&self, m: ModuleId, version: Version) -> View {
        self.network.versions.of(version).view(&self.program.slots, m)
    }

    /// The levels of a variable or a result.
    pub fn levels(&self, m: ModuleId, slot: Slot, version: Version) -> impl Iterator<Item = Level> {
        self.network.versions.of(version).of(&self.program.slots, m, slot)
    }

    /// From the levels of a slot in one version to those in another.
    pub fn moves(
        &self,
        m: ModuleId,
        slot: Slot,
        (from, to): (Version, Version),
    ) -> impl Iterator<Item = (Level, Level)> {
        self.levels(m, slot, from).zip(self.levels(m, slot, to))
    }

    /// The point of a node that the reduced program has.
    pub fn point(&self, m: ModuleId, node: NodeId) -> PointId {
        PointId(self.network.modules[m.index()].entry.0 + self.program.counter(m, node))
    }

    /// What does not depend on points.
    fn module(&mut self, m: ModuleId) -> Result<(), Exhausted> {
        let interface = &self.interfaces[m.index()];
        let (mut entry_bits, mut copied) = (Vec::new(), Vec::new());
        for place in interface.all() {
            let is_copied = interface.copied.contains(&place);
            let source = if is_copied { Version::Entry } else { Version::Current };
            entry_bits.extend(self.moves(m, Slot::Place(place), (Version::Current, source)));
        }
        let places: Vec<Place> = interface.all().collect();
        let view = self.view(m, Version::Current);
        let domain = self.program.typed(&mut self.encoder, self.dd, (m, &view), places)?;
        let mut identity = Bdd::TRUE;
        for &(now, then) in entry_bits.iter().filter(|(now, then)| now != then) {
            let (x, y) = (self.dd.variable(now)?, self.dd.variable(then)?);
            let equal = self.dd.iff(x, y)?;
            identity = self.dd.and(identity, equal)?;
            copied.push(then);
        }
        let forget_entry = self.image(Map::default(), copied.clone(), Map::default());
        let (entry, callers, calls) = (PointId(0), Vec::new(), Vec::new());
        let exit = entry;
        let module =
            Module { entry, exit, identity, domain, entry_bits, copied, forget_entry, callers, calls };
        self.network.modules.push(module);
        Ok(())
    }

    /// The points of a function with their steps and calls.
    fn points(&mut self, m: ModuleId) -> Result<(), Exhausted> {
        let program = self.program;
        self.network.modules[m.index()].entry = PointId::new(self.network.points.len());
        self.network.modules[m.index()].exit = self.point(m, program.rsm.module(m).exit);
        let views = Views { current: self.view(m, Version::Current), next: self.view(m, Version::Next) };
        let mut steps: Vec<steps::PathStep> = program.steps(m).collect();
        steps.sort_by_key(|step| program.counter_before(step));
        let mut steps = steps.iter().peekable();
        let mut calls: Vec<crate::Call> = program.calls(m).collect();
        calls.sort_by_key(|call| program.counter(m, call.from));
        let mut calls = calls.iter().peekable();
        for counter in 0..program.points.n_nodes(m) {
            while let Some(step) = steps.next_if(|step| program.counter_before(step) == counter) {
                self.step(step, &views)?;
            }
            while let Some(call) = calls.next_if(|call| program.counter(m, call.from) == counter) {
                self.call(call, &views)?;
            }
            self.network.points.push(Point {
                module: m,
                counter,
                goal: Bdd::FALSE,
                end_of_steps: self.network.steps.len() as u32,
                end_of_calls: self.network.calls.len() as u32,
            });
        }
        Ok(())
    }

    fn step(&mut self, step: &steps::PathStep, views: &Views) -> Result<(), Exhausted> {
        let (program, m) = (self.program, step.module);
        let views = (&views.current, &views.next);
        let Some(relation) = program.relation(&mut self.encoder, self.dd, step, views)? else {
            return Ok(());
        };
        let mut forgotten = self.dying(m, step.from, step.to);
        let mut moves = Vec::new();
        for &slot in &relation.assigned {
            forgotten.extend(self.levels(m, slot, Version::Current));
            moves.extend(self.moves(m, slot, (Version::Next, Version::Current)));
        }
        let is_still = forgotten.is_empty() && moves.is_empty();
        let image = (!is_still).then(|| self.image(Map::default(), forgotten, Map::new(moves)));
        let from = PointId(self.network.modules[m.index()].entry.0 + program.counter_before(step));
        self.network.steps.push(Step {
            from,
            to: self.point(m, step.to),
            length: step.edges.len() as u32,
            relation: relation.diagram,
            image,
        });
        Ok(())
    }

    /// The current bits that a pair is about at one point, none being the entry, and not at another.
    pub fn dying(&self, m: ModuleId, from: Option<NodeId>, to: NodeId) -> Vec<Level> {
        let (live, interface) = (self.program.live(m, to), &self.interfaces[m.index()]);
        let dies = |place: &Place| live.binary_search(place).is_err() && !interface.read_only.contains(place);
        let levels = |place: Place| self.levels(m, Slot::Place(place), Version::Current);
        match from {
            None => interface.all().filter(dies).flat_map(levels).collect(),
            Some(node) => self.program.tracked(m, node).filter(dies).flat_map(levels).collect(),
        }
    }

    /// Lists calls where they are looked for.
    fn link(&mut self) {
        let Network { points, calls, modules, .. } = &mut self.network;
        for (n, call) in calls.iter().enumerate() {
            let caller = points[call.from.index()].module;
            modules[caller.index()].calls.push(CallId::new(n));
            modules[call.callee.index()].callers.push(CallId::new(n));
        }
    }

    /// The states that are goals.
    fn goals(&mut self, goals: &[Goal]) -> Result<(), Exhausted> {
        for &goal in goals {
            let Some((m, node, assertion)) = self.program.goal(goal) else { continue };
            let at = (m, self.program.counter(m, node));
            let view = self.view(m, Version::Current);
            let states = self.program.goal_states(&mut self.encoder, self.dd, &view, at, assertion)?;
            let point = self.point(m, node).index();
            self.network.points[point].goal = self.dd.or(self.network.points[point].goal, states)?;
        }
        Ok(())
    }
}

impl Network {
    /// The current bits that a state at a point is about, sorted.
    pub fn bits(&self, program: &SymbolicProgram, point: PointId) -> Vec<Level> {
        let Point { module: m, counter, .. } = self.points[point.index()];
        let interface = Interface::new(program, m);
        let current = self.versions.of(Version::Current);
        let mut slots: Vec<Slot> = match program.node(m, counter) {
            Some(node) if counter > 0 => {
                let tracked = program.tracked(m, node).chain(interface.read_only.iter().copied());
                tracked.map(Slot::Place).collect()
            }
            _ => interface.all().map(Slot::Place).collect(),
        };
        if self.is_exit(point) {
            slots.extend(program.part(m).results.iter().map(|n| Slot::Result(*n)));
        }
        let mut bits: Vec<Level> =
            slots.into_iter().flat_map(|slot| current.of(&program.slots, m, slot)).collect();
        bits.sort_unstable();
        bits.dedup();
        bits
    }
}

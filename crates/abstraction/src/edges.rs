//! Steps, calls and the start of the program as assignments to bits.

use crate::activity::Activity;
use crate::factor::{Bit, Cache, Condition, Factor, Parts};
use crate::predicates::Predicate;
use crate::relation;
use integers::ghosts::Ghosted;
use integers::normal::{Atom, Literal, conjuncts, normal};
use integers::{Expr, FunctionId, NodeId, Op, Place, Start, Step};
use rsm::Action;
use rustc_hash::FxHashMap;
use smt::Solver;

/// A function, and where its bits are.
pub(crate) struct View<'a> {
    pub(crate) id: FunctionId,
    pub(crate) predicates: &'a [Predicate],
    /// The local of each predicate.
    pub(crate) bits: Vec<u32>,
    pub(crate) activity: Activity,
    /// Where arguments stand before a call.
    pub(crate) args: u32,
    /// Where results stand after a call.
    pub(crate) results: u32,
    /// All bits together.
    pub(crate) n_locals: u32,
}

impl View<'_> {
    /// The bits that are kept at a node, before a step from there.
    pub(crate) fn known(&self, node: NodeId) -> Vec<(Bit, Expr)> {
        let meaning =
            |&n: &usize| (Bit { local: self.bits[n], next: false }, self.predicates[n].formula.clone());
        self.activity.at(node).iter().map(meaning).collect()
    }

    /// The predicates that are kept at a node, with their bits.
    pub(crate) fn kept(&self, node: NodeId) -> impl Iterator<Item = (u32, &Predicate)> {
        self.activity.at(node).iter().map(|&n| (self.bits[n], &self.predicates[n]))
    }
}

/// What is needed to make relations.
pub(crate) struct Maker<'a> {
    pub(crate) ghosted: &'a Ghosted,
    pub(crate) cache: &'a mut Cache,
    pub(crate) solver: &'a mut dyn Solver,
    pub(crate) n_inexact: usize,
}

/// New values for bits, under construction.
pub(crate) struct Image {
    pub(crate) parts: Parts,
    /// The bits that change, and to what, if that is known; otherwise they are among the chosen ones.
    pub(crate) changed: Vec<(u32, Option<rsm::Expr>)>,
    atoms: FxHashMap<Atom, Bit>,
}

impl Image {
    pub(crate) fn new(known: Vec<(Bit, Expr)>) -> Self {
        let atoms = known.iter().map(|(bit, formula)| (normal(formula).atom, *bit)).collect();
        Self { parts: Parts { known, ..Parts::default() }, changed: Vec::new(), atoms }
    }

    /// A bit gets the truth value of a formula about the state before the step.
    pub(crate) fn set(&mut self, local: u32, formula: &Expr) {
        let Literal { atom, holds } = normal(formula);
        let value = match self.atoms.get(&atom) {
            _ if atom == Atom::True => Some(relation::truth(holds)),
            Some(bit) => Some(relation::literal(*bit, holds)),
            None => None,
        };
        if value.is_none() {
            let formula = Literal { atom, holds }.formula();
            self.parts.chosen.push((Bit { local, next: true }, formula));
        }
        self.changed.push((local, value));
    }

    /// The step is taken only where the formula holds.
    pub(crate) fn require(&mut self, guard: &Expr) {
        self.parts.conditions.extend(conjuncts(guard).into_iter().map(Condition::Holds));
    }

    /// The step is taken only where the terms are defined.
    fn define<'e>(&mut self, terms: impl IntoIterator<Item = &'e Expr>) {
        let partial = terms.into_iter().filter(|term| is_partial(term));
        self.parts.conditions.extend(partial.cloned().map(Condition::Defined));
    }

    /// The action of the machine, and the relation behind it.
    pub(crate) fn finish(self, maker: &mut Maker) -> (Action, Vec<Factor>) {
        let product = self.parts.product(maker.cache, maker.solver);
        maker.n_inexact += usize::from(!product.is_exact);
        let trees = product.factors.iter().map(relation::of_factor).filter(|tree| !tree.is_true());
        let constrain = relation::all(trees);
        let action = match (self.changed.is_empty(), constrain) {
            (true, None) => Action::Skip,
            (true, Some(condition)) => Action::Assume(condition),
            (false, constrain) => Action::Assign {
                targets: self.changed.iter().map(|(local, _)| rsm::Place::Local(*local)).collect(),
                values: self
                    .changed
                    .into_iter()
                    .map(|(_, value)| value.unwrap_or_else(relation::unknown))
                    .collect(),
                constrain,
            },
        };
        (action, product.factors)
    }
}

impl Maker<'_> {
    /// What a step does to the bits.
    pub(crate) fn step(&mut self, view: &View, from: NodeId, to: NodeId, step: &Step) -> Image {
        let mut image = Image::new(view.known(from));
        image.parts.inputs = step.inputs.iter().map(|id| self.ghosted.program.input(*id).ty).collect();
        image.require(&step.guard);
        image.define(step.updates.iter().map(|(_, value)| value));
        let stored: FxHashMap<Place, &Expr> =
            step.updates.iter().map(|(place, value)| (*place, value)).collect();
        for (local, predicate) in view.kept(to) {
            if predicate.places.iter().any(|place| stored.contains_key(place)) {
                let after = predicate.formula.substitute(|op| match op {
                    Op::Read(place) => stored.get(&place).map(|value| (*value).clone()),
                    _ => None,
                });
                image.set(local, &after);
            }
        }
        image
    }

    /// What a function is told when it is called.
    pub(crate) fn enter(&mut self, view: &View, from: NodeId, callee: &View, args: &[Expr]) -> Image {
        let mut image = Image::new(view.known(from));
        image.define(args);
        let entry = self.ghosted.program.function(callee.id).entry;
        for (n, (_, predicate)) in callee.kept(entry).enumerate() {
            let formula = self.ghosted.entered(callee.id, args, &predicate.formula);
            image.set(view.args + n as u32, &formula);
        }
        image
    }

    /// What the caller knows after a call.
    pub(crate) fn leave(
        &mut self,
        view: &View,
        (from, to): (NodeId, NodeId),
        callee: &View,
        args: &[Expr],
        result: Option<Place>,
    ) -> Image {
        let returned = Expr::leaf(Op::Input(0));
        let after = |n: u32| Expr::leaf(Op::Input(n + 1));
        let mut known = view.known(from);
        let exit = self.ghosted.program.function(callee.id).exit;
        for (n, (_, predicate)) in callee.kept(exit).enumerate() {
            let formula = self.ghosted.left(callee.id, args, &predicate.formula, &returned, after);
            known.push((Bit { local: view.results + n as u32, next: false }, formula));
        }
        let mut image = Image::new(known);
        let changed = |place: Place| match place {
            place if Some(place) == result => Some(returned.clone()),
            Place::Global(n) if self.ghosted.effects.may_write(callee.id, n) => Some(after(n)),
            _ => None,
        };
        for (local, predicate) in view.kept(to) {
            if predicate.places.iter().any(|place| changed(*place).is_some()) {
                let formula = predicate.formula.substitute(|op| match op {
                    Op::Read(place) => changed(place),
                    _ => None,
                });
                image.set(local, &formula);
            }
        }
        image
    }

    /// How the program starts; `bit` says where a predicate of `main` is told.
    pub(crate) fn start(&mut self, main: &View, bit: impl Fn(usize, u32) -> u32) -> Image {
        let mut image = Image::new(Vec::new());
        let program = &self.ghosted.program;
        for (n, (local, predicate)) in main.kept(program.function(main.id).entry).enumerate() {
            let formula = predicate.formula.substitute(|op| match op {
                Op::Read(Place::Global(g)) => Some(match program.globals[g as usize].start {
                    Start::Number(number) => Expr::constant(number),
                    Start::Pointer(..) => unreachable!("the program has variables only"),
                    Start::Unknown(_) => Expr::leaf(Op::Unknown(g)),
                }),
                Op::Read(Place::Local(l)) => Some(self.started(main.id, l)),
                _ => None,
            });
            image.set(bit(n, local), &formula);
        }
        image
    }

    /// What a local of `main` holds at first: a ghost what its global does.
    fn started(&self, main: FunctionId, local: u32) -> Expr {
        let ghosts = &self.ghosted.ghosts[main.index()];
        match ghosts.iter().find(|ghost| ghost.local == local).map(|ghost| ghost.of) {
            Some(Place::Global(g)) => match self.ghosted.program.globals[g as usize].start {
                Start::Number(number) => Expr::constant(number),
                Start::Pointer(..) => unreachable!("the program has variables only"),
                Start::Unknown(_) => Expr::leaf(Op::Unknown(g)),
            },
            _ => Expr::constant(0),
        }
    }
}

/// Whether there may be no value.
pub(crate) fn is_partial(expr: &Expr) -> bool {
    !expr.is_total()
}

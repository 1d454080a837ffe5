//! A relation between bits as factors that share no variable of the program, each found by asking for all valuations of its bits.
//!
//! The question about a factor is kept with its variables numbered anew, so that functions which do the same to other variables ask it
//! once; and only factors with new predicates are asked when predicates are added.

use base::Classes;
use integers::smtlib::{conjunction, number, text};
use integers::{Expr, Op, Type};
use rustc_hash::FxHashMap;
use smt::{Cubes, Query, Solver};

/// A bit of the machine: a local of the function, before or after the step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Bit {
    /// A position in the locals of the module.
    pub local: u32,
    /// What it holds after the step.
    pub next: bool,
}

/// A bit and what it stands for in the state before the step.
pub type Meaning = (Bit, Expr);

/// The valuations that some bits can have together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Factor {
    /// The bits.
    pub bits: Vec<Bit>,
    /// Their valuations.
    pub cubes: Vec<Vec<bool>>,
}

/// Something about the state before a step, or the inputs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Condition {
    /// The formula is defined and holds.
    Holds(Expr),
    /// The term is defined.
    Defined(Expr),
    /// A step with this guard that stores these values cannot be taken.
    Refused(Vec<Expr>),
}

impl Condition {
    /// The expressions in it.
    pub(crate) fn exprs(&self) -> &[Expr] {
        match self {
            Condition::Holds(expr) | Condition::Defined(expr) => std::slice::from_ref(expr),
            Condition::Refused(exprs) => exprs,
        }
    }

    /// As a formula of SMT-LIB; none if it always holds.
    pub(crate) fn text(&self, names: &mut Names) -> Option<String> {
        match self {
            Condition::Holds(expr) => Some(text(expr, |op| names.of(op)).holds()),
            Condition::Defined(expr) => text(expr, |op| names.of(op)).defined,
            Condition::Refused(exprs) => {
                let mut taken = vec![text(&exprs[0], |op| names.of(op)).holds()];
                taken.extend(exprs[1..].iter().filter_map(|expr| text(expr, |op| names.of(op)).defined));
                Some(format!("(not {})", conjunction(&taken)))
            }
        }
    }
}

/// What a relation is made of.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// What holds.
    pub conditions: Vec<Condition>,
    /// Bits whose values are known before the step.
    pub known: Vec<Meaning>,
    /// Bits whose values the step chooses.
    pub chosen: Vec<Meaning>,
    /// The types of the inputs.
    pub inputs: Vec<Type>,
}

/// The answers to all questions that were asked.
#[derive(Default, Debug)]
pub struct Cache {
    answers: FxHashMap<Query, Cubes>,
    /// How many questions were answered from here.
    pub n_hits: u64,
    /// How many were passed on.
    pub n_misses: u64,
}

/// More valuations of one factor are not asked for.
pub const MOST: usize = 1 << 10;

impl Cache {
    /// All valuations of the atoms.
    pub fn cubes(&mut self, query: Query, solver: &mut dyn Solver) -> Cubes {
        if let Some(known) = self.answers.get(&query) {
            self.n_hits += 1;
            return known.clone();
        }
        self.n_misses += 1;
        let cubes = solver.cubes(&query, MOST);
        // What was not answered may be, when there is more time.
        if !matches!(cubes, Cubes::Unknown(_)) {
            self.answers.insert(query, cubes.clone());
        }
        cubes
    }
}

/// A relation, and whether it is exact.
#[derive(Clone, Debug)]
pub struct Product {
    /// All of them hold.
    pub factors: Vec<Factor>,
    /// Nothing was left out.
    pub is_exact: bool,
}

impl Parts {
    /// The relation.
    pub fn product(&self, cache: &mut Cache, solver: &mut dyn Solver) -> Product {
        let mut product = Product { factors: Vec::new(), is_exact: true };
        for component in self.components() {
            match cache.cubes(component.query(&self.inputs), solver) {
                Cubes::All(cubes) => product.factors.push(Factor { bits: component.bits(), cubes }),
                _ => {
                    product.is_exact = false;
                    for smaller in component.split() {
                        if let Cubes::All(cubes) = cache.cubes(smaller.query(&self.inputs), solver) {
                            product.factors.push(Factor { bits: smaller.bits(), cubes });
                        }
                    }
                }
            }
        }
        product
    }

    /// Those that share no variable. A component of known bits alone says nothing new.
    pub fn components(&self) -> Vec<Parts> {
        let items = self.items();
        let mut classes = Classes::new(items.len());
        let mut owners: FxHashMap<Op, u32> = FxHashMap::default();
        for (n, item) in items.iter().enumerate() {
            for op in item.exprs().iter().flat_map(leaves) {
                let owner = *owners.entry(op).or_insert(n as u32);
                classes.join(owner, n as u32);
            }
        }
        let mut components: Vec<(u32, Parts)> = Vec::new();
        for (n, item) in items.into_iter().enumerate() {
            let root = classes.find(n as u32);
            let at = components.iter().position(|(known, _)| *known == root).unwrap_or_else(|| {
                components.push((root, Parts { inputs: self.inputs.clone(), ..Parts::default() }));
                components.len() - 1
            });
            components[at].1.push(item);
        }
        let matters = |parts: &Parts| !(parts.conditions.is_empty() && parts.chosen.is_empty());
        components.into_iter().map(|(_, parts)| parts).filter(matters).collect()
    }

    /// All expressions in it.
    pub(crate) fn exprs(&self) -> impl Iterator<Item = &Expr> {
        let meanings = self.known.iter().chain(&self.chosen).map(|(_, expr)| expr);
        self.conditions.iter().flat_map(Condition::exprs).chain(meanings)
    }

    /// The bits, known ones first.
    pub fn bits(&self) -> Vec<Bit> {
        self.known.iter().chain(&self.chosen).map(|(bit, _)| *bit).collect()
    }

    /// Asks for all valuations of the bits.
    pub fn query(&self, inputs: &[Type]) -> Query {
        let mut names = Names::default();
        let conditions = self.conditions.iter();
        let mut asserts: Vec<String> =
            conditions.filter_map(|condition| condition.text(&mut names)).collect();
        let atoms: Vec<String> = self
            .known
            .iter()
            .chain(&self.chosen)
            .map(|(_, formula)| text(formula, |op| names.of(op)).text)
            .collect();
        asserts.extend(names.ranges(inputs));
        Query { variables: names.variables(), asserts, atoms }
    }

    /// Smaller relations that hold as well: of each chosen bit alone, and of the conditions alone, with the known bits that have a variable in common
    /// with these.
    fn split(&self) -> Vec<Parts> {
        let mut out = Vec::new();
        let singles = self.chosen.iter().map(|one| vec![one.clone()]);
        for chosen in singles.chain([Vec::new()]) {
            let mut parts = Parts { chosen, inputs: self.inputs.clone(), ..Parts::default() };
            let mut variables: Vec<Op> = parts.chosen.iter().flat_map(|(_, expr)| leaves(expr)).collect();
            let shares = |expr: &Expr, variables: &[Op]| leaves(expr).any(|op| variables.contains(&op));
            let is_close = |condition: &&Condition| {
                variables.is_empty() || condition.exprs().iter().any(|expr| shares(expr, &variables))
            };
            parts.conditions = self.conditions.iter().filter(is_close).cloned().collect();
            let exprs = parts.conditions.iter().flat_map(Condition::exprs);
            variables.extend(exprs.flat_map(leaves));
            parts.known = self.known.iter().filter(|(_, expr)| shares(expr, &variables)).cloned().collect();
            out.push(parts);
        }
        out
    }

    fn items(&self) -> Vec<Item> {
        let conditions = self.conditions.iter().cloned().map(Item::Condition);
        let known = self.known.iter().cloned().map(Item::Known);
        let chosen = self.chosen.iter().cloned().map(Item::Chosen);
        conditions.chain(known).chain(chosen).collect()
    }

    fn push(&mut self, item: Item) {
        match item {
            Item::Condition(condition) => self.conditions.push(condition),
            Item::Known(meaning) => self.known.push(meaning),
            Item::Chosen(meaning) => self.chosen.push(meaning),
        }
    }
}

/// One thing a relation is made of.
enum Item {
    Condition(Condition),
    Known(Meaning),
    Chosen(Meaning),
}

impl Item {
    fn exprs(&self) -> &[Expr] {
        match self {
            Item::Condition(condition) => condition.exprs(),
            Item::Known((_, expr)) | Item::Chosen((_, expr)) => std::slice::from_ref(expr),
        }
    }
}

/// The variables, inputs and unknowns of an expression, with repetitions.
pub(crate) fn leaves(expr: &Expr) -> impl Iterator<Item = Op> + '_ {
    let is_leaf = |op: &Op| matches!(op, Op::Read(_) | Op::Input(_) | Op::Unknown(_));
    expr.code().iter().copied().filter(is_leaf)
}

/// Numbers variables in the order in which they occur.
#[derive(Default)]
pub(crate) struct Names {
    known: Vec<Op>,
}

impl Names {
    pub(crate) fn of(&mut self, op: Op) -> String {
        let at = self.known.iter().position(|other| *other == op).unwrap_or_else(|| {
            self.known.push(op);
            self.known.len() - 1
        });
        format!("x{at}")
    }

    /// What they stand for.
    pub(crate) fn ops(&self) -> &[Op] {
        &self.known
    }

    pub(crate) fn variables(&self) -> Vec<String> {
        (0..self.known.len()).map(|n| format!("x{n}")).collect()
    }

    /// The inputs among them are of their types.
    pub(crate) fn ranges(&self, inputs: &[Type]) -> Vec<String> {
        let range = |(n, op): (usize, &Op)| match op {
            Op::Input(position) => {
                let ty = *inputs.get(*position as usize)?;
                Some(format!("(<= {} x{n} {})", number(ty.min()), number(ty.max())))
            }
            _ => None,
        };
        self.known.iter().enumerate().filter_map(range).collect()
    }
}

//! A sample of the work, to compare two orders by.
//!
//! How often things occur together says little about formulas such as a pigeonhole problem, where everything occurs with everything. So where
//! the formulas themselves, without the relations they apply, take many nodes, they are built once in the order that was found and once in the given
//! order. Quantifiers and applications are left out: the sample is about size, not about meaning.
//! Contract: bounded by counts of nodes and steps, never by a clock, so two runs choose the same order.

use super::Layout;
use crate::scope::Scope;
use base::Stop;
use calculus::system::{Comparison, Formula, FormulaId, System, Term, VarId};
use dd::{Bdd, Exhausted, Manager};
use rustc_hash::FxHashMap;

/// An order is not questioned if the sample takes no more nodes than this.
const FEW: usize = 1 << 12;
/// The sample ends with so many nodes, or so many operations.
const MANY: usize = 1 << 16;
const STEPS: usize = 1 << 16;
/// Memory for a single operation that explodes.
const BYTES: u64 = 16 << 20;
/// Another order must take less than this share of the nodes.
const MUCH_BETTER: f64 = 0.5;

/// How far a sample came.
struct Extent {
    steps: usize,
    nodes: usize,
}

/// The sample has ended.
struct Over;

/// The layout, or another one if a sample of the work is much smaller in that.
pub(super) fn smaller(
    system: &System,
    scopes: &[Scope],
    layout: Layout,
    other: impl FnOnce() -> Layout,
) -> Layout {
    let extent = Sample::new(system, &layout, STEPS, MANY).run(scopes);
    if extent.nodes <= FEW {
        return layout;
    }
    let other = other();
    let most = (extent.nodes as f64 * MUCH_BETTER) as usize;
    let found = Sample::new(system, &other, extent.steps, most).run(scopes);
    // The number of steps does not depend on the order.
    if found.steps == extent.steps && found.nodes <= most { other } else { layout }
}

struct Sample<'a> {
    system: &'a System,
    layout: &'a Layout,
    dd: Manager,
    values: FxHashMap<FormulaId, Bdd>,
    extent: Extent,
    most_steps: usize,
    most_nodes: usize,
}

impl<'a> Sample<'a> {
    fn new(system: &'a System, layout: &'a Layout, most_steps: usize, most_nodes: usize) -> Self {
        let dd = Manager::new(Stop::default(), Some(BYTES));
        let extent = Extent { steps: 0, nodes: 0 };
        Self { system, layout, dd, values: FxHashMap::default(), extent, most_steps, most_nodes }
    }

    /// Builds what it can of all bodies, in order.
    fn run(mut self, scopes: &[Scope]) -> Extent {
        for scope in scopes {
            let mut formulas = scope.formulas.clone();
            // Operands have smaller ids.
            formulas.sort_unstable();
            self.values.clear();
            for id in formulas {
                match self.build(id) {
                    Ok(Some(value)) => _ = self.values.insert(id, value),
                    Ok(None) => {}
                    Err(Over) => return self.extent,
                }
            }
        }
        self.extent
    }

    /// One operation.
    fn step(&mut self, operation: impl FnOnce(&mut Manager) -> Result<Bdd, Exhausted>) -> Result<Bdd, Over> {
        if self.extent.steps == self.most_steps {
            return Err(Over);
        }
        self.extent.steps += 1;
        let result = operation(&mut self.dd);
        self.extent.nodes = self.dd.n_nodes();
        if self.extent.nodes > self.most_nodes { Err(Over) } else { result.map_err(|_| Over) }
    }

    /// The diagram of a formula whose operands are built; `None` if it is about nothing but keys and relations.
    fn build(&mut self, id: FormulaId) -> Result<Option<Bdd>, Over> {
        let system = self.system;
        let value = |this: &Self, f: &FormulaId| this.values.get(f).copied();
        match system.formula(id) {
            Formula::Constant(_) | Formula::Apply(..) => Ok(None),
            Formula::Variable(v) => self.bit(*v),
            Formula::Compare(comparison, a, b) => self.compare(*comparison, *a, *b),
            Formula::Not(f) => Ok(value(self, f).map(Bdd::complement)),
            Formula::Exists(_, f) | Formula::Forall(_, f) => Ok(value(self, f)),
            Formula::And(parts) => {
                let parts = parts.iter().filter_map(|f| value(self, f)).collect();
                self.combine(parts, Manager::and)
            }
            Formula::Or(parts) => {
                let parts = parts.iter().filter_map(|f| value(self, f)).collect();
                self.combine(parts, Manager::or)
            }
            Formula::Iff(a, b) => match (value(self, a), value(self, b)) {
                (Some(a), Some(b)) => self.combine(vec![a, b], Manager::iff),
                _ => Ok(None),
            },
        }
    }

    fn combine(
        &mut self,
        parts: Vec<Bdd>,
        operation: fn(&mut Manager, Bdd, Bdd) -> Result<Bdd, Exhausted>,
    ) -> Result<Option<Bdd>, Over> {
        let mut parts = parts.into_iter();
        let Some(mut result) = parts.next() else { return Ok(None) };
        for part in parts {
            result = self.step(|dd| operation(dd, result, part))?;
        }
        Ok(Some(result))
    }

    fn bit(&mut self, v: VarId) -> Result<Option<Bdd>, Over> {
        match self.layout.levels(v) {
            &[level] => self.step(|dd| dd.variable(level)).map(Some),
            _ => Ok(None),
        }
    }

    /// Two numbers, or a number and what it equals.
    fn compare(&mut self, comparison: Comparison, a: Term, b: Term) -> Result<Option<Bdd>, Over> {
        let layout = self.layout;
        let (x, y) = match (a, b) {
            (Term::Var(x), Term::Var(y)) => (layout.levels(x), layout.levels(y)),
            (Term::Var(x), Term::Value(value)) | (Term::Value(value), Term::Var(x)) => {
                let levels = layout.levels(x);
                if levels.is_empty() || comparison != Comparison::Equal {
                    return Ok(None);
                }
                let bits = levels.iter().rev().zip(0..).map(|(&level, bit)| (level, value >> bit & 1 == 1));
                return self.step(|dd| dd.cube(bits)).map(Some);
            }
            (Term::Value(_), Term::Value(_)) => return Ok(None),
        };
        if x.is_empty() || y.is_empty() {
            return Ok(None);
        }
        let mut result = Bdd::constant(comparison != Comparison::Less);
        for (&a, &b) in x.iter().zip(y).rev() {
            result = self.step(|dd| {
                let (a, b) = (dd.variable(a)?, dd.variable(b)?);
                let same = dd.iff(a, b)?;
                let rest = dd.and(same, result)?;
                if comparison == Comparison::Equal {
                    return Ok(rest);
                }
                let less = dd.difference(b, a)?;
                dd.or(rest, less)
            })?;
        }
        Ok(Some(result))
    }
}

//! Formulas as diagrams, as they are written: nothing is planned, nothing is indexed, nothing is stored by key.
//!
//! Every variable of the system, explicit or not, has bits of its own. A diagram is right on bit patterns that stand for values
//! and arbitrary elsewhere, so patterns are cut to values where a variable is quantified and where a relation's tuples are
//! collected, and nowhere else.

use super::Textbook;
use crate::fault::Fault;
use crate::layout::n_bits;
use crate::machine::Machine;
use crate::store::table::TableId;
use calculus::system::{Comparison, Formula, FormulaId, RelationId, Term, VarId};
use dd::{Bdd, Image, Level, Map, ProductId, SubstitutionId};
use rustc_hash::FxHashMap;

/// The values of relations, each a diagram over the bits of its columns.
pub(super) type Values = FxHashMap<RelationId, Bdd>;

/// Results of one evaluation; formulas may share operands.
type Memo = FxHashMap<FormulaId, Bdd>;

/// What is prepared once.
#[derive(Default)]
pub(super) struct Prepared {
    /// The levels of each variable, the highest bit first.
    levels: Vec<Vec<Level>>,
    substitutions: FxHashMap<FormulaId, SubstitutionId>,
    quantifications: FxHashMap<Vec<Level>, ProductId>,
}

/// Gives every variable bits of its own. Copies that the solver lets stand at one level stand side by side; keys stand first, those of one
/// sort interleaved.
pub(super) fn prepare(machine: &Machine) -> Prepared {
    let system = machine.store.system;
    let mut places = Vec::new();
    for var in (0..system.vars.len()).map(VarId::new) {
        for bit in 0..n_bits(system.sort_of(var).size()) {
            let place = match machine.store.layout.is_explicit(var) {
                true => (0, system.vars[var.index()].sort.index(), bit),
                false => match machine.store.layout.levels(var).get(bit) {
                    Some(level) => (1, *level as usize, 0),
                    None => (2, 0, bit),
                },
            };
            places.push((place, var, bit));
        }
    }
    places.sort_unstable();
    let mut levels = vec![Vec::new(); system.vars.len()];
    for (level, (_, var, _)) in (0..).zip(&places) {
        levels[var.index()].push(level);
    }
    Prepared { levels, ..Prepared::default() }
}

impl Textbook<'_, '_> {
    /// The tuples that satisfy a formula over the columns of a relation.
    pub(super) fn tuples(
        &mut self,
        relation: RelationId,
        f: FormulaId,
        values: &Values,
    ) -> Result<Bdd, Fault> {
        let value = self.formula(f, values, &mut Memo::default())?;
        let domain = self.all_tuples(relation)?;
        Ok(self.machine.store.dd.and(value, domain)?)
    }

    /// All tuples of a relation's columns.
    pub(super) fn all_tuples(&mut self, relation: RelationId) -> Result<Bdd, Fault> {
        let columns = &self.machine.store.system.relation(relation).columns;
        self.domain(columns)
    }

    fn formula(&mut self, f: FormulaId, values: &Values, memo: &mut Memo) -> Result<Bdd, Fault> {
        if let Some(known) = memo.get(&f) {
            return Ok(*known);
        }
        let system = self.machine.store.system;
        let value = match system.formula(f) {
            Formula::Constant(value) => Bdd::constant(*value),
            Formula::Variable(var) => self.machine.store.dd.variable(self.prepared.levels[var.index()][0])?,
            Formula::Compare(comparison, a, b) => self.comparison(*comparison, *a, *b)?,
            Formula::Apply(relation, terms) => self.application(f, *relation, terms, values[relation])?,
            Formula::Not(inner) => self.formula(*inner, values, memo)?.complement(),
            Formula::Iff(a, b) => {
                let (a, b) = (self.formula(*a, values, memo)?, self.formula(*b, values, memo)?);
                self.machine.store.dd.iff(a, b)?
            }
            Formula::And(parts) => {
                let parts = self.parts(parts, values, memo)?;
                let none: Vec<Bdd> = parts.into_iter().map(Bdd::complement).collect();
                self.union(none)?.complement()
            }
            Formula::Or(parts) => {
                let parts = self.parts(parts, values, memo)?;
                self.union(parts)?
            }
            Formula::Exists(vars, inner) => self.some(vars, *inner, true, values, memo)?,
            Formula::Forall(vars, inner) => self.some(vars, *inner, false, values, memo)?.complement(),
        };
        memo.insert(f, value);
        Ok(value)
    }

    fn parts(&mut self, parts: &[FormulaId], values: &Values, memo: &mut Memo) -> Result<Vec<Bdd>, Fault> {
        parts.iter().map(|&part| self.formula(part, values, memo)).collect()
    }

    /// A union, pairs first: of many small sets it is made much faster that way.
    pub(super) fn union(&mut self, mut parts: Vec<Bdd>) -> Result<Bdd, Fault> {
        while parts.len() > 1 {
            let mut half = Vec::with_capacity(parts.len().div_ceil(2));
            for pair in parts.chunks(2) {
                half.push(match pair {
                    [a, b] => self.machine.store.dd.or(*a, *b)?,
                    _ => pair[0],
                });
            }
            parts = half;
        }
        Ok(parts.first().copied().unwrap_or(Bdd::FALSE))
    }

    /// Some values make the formula true, or false if not `wanted`. The operands of a conjunction are multiplied from left to right, and a
    /// variable is quantified after the last that mentions it.
    fn some(
        &mut self,
        vars: &[VarId],
        f: FormulaId,
        wanted: bool,
        values: &Values,
        memo: &mut Memo,
    ) -> Result<Bdd, Fault> {
        let parts = match self.machine.store.system.formula(f) {
            Formula::And(parts) if wanted => parts.to_vec(),
            Formula::Or(parts) if !wanted => parts.to_vec(),
            _ => vec![f],
        };
        let mut acc = self.domain(vars)?;
        let mut waiting: Vec<VarId> = vars.to_vec();
        for (n, &part) in parts.iter().enumerate() {
            let value = self.formula(part, values, memo)?;
            let value = if wanted { value } else { value.complement() };
            let free = |later: &FormulaId, var: &VarId| {
                self.machine.planner.free.vars(*later).binary_search(var).is_ok()
            };
            let (later, done): (Vec<VarId>, Vec<VarId>) =
                waiting.iter().partition(|var| parts[n + 1..].iter().any(|part| free(part, var)));
            waiting = later;
            let quantify = self.quantification(&done);
            acc = self.machine.store.dd.product(acc, value, quantify)?;
        }
        Ok(acc)
    }

    fn quantification(&mut self, vars: &[VarId]) -> ProductId {
        let mut levels: Vec<Level> =
            vars.iter().flat_map(|var| self.prepared.levels[var.index()].iter().copied()).collect();
        levels.sort_unstable();
        levels.dedup();
        let dd = &mut self.machine.store.dd;
        let known = self.prepared.quantifications.entry(levels);
        *known.or_insert_with_key(|levels| {
            dd.register_product(&Map::default(), &Map::default(), levels, &Map::default())
        })
    }

    /// The bit patterns that stand for values of the variables.
    fn domain(&mut self, vars: &[VarId]) -> Result<Bdd, Fault> {
        let mut all = Bdd::TRUE;
        for &var in vars {
            let size = self.machine.store.system.sort_of(var).size();
            if !size.is_power_of_two() {
                let last =
                    Term::Value(u32::try_from(size - 1).expect("a sort's values are numbers of 32 bits"));
                let below = self.comparison(Comparison::LessEqual, Term::Var(var), last)?;
                all = self.machine.store.dd.and(all, below)?;
            }
        }
        Ok(all)
    }

    fn comparison(&mut self, comparison: Comparison, a: Term, b: Term) -> Result<Bdd, Fault> {
        let width = |term: Term| match term {
            Term::Var(var) => self.prepared.levels[var.index()].len(),
            Term::Value(value) => (u32::BITS - value.leading_zeros()) as usize,
        };
        let width = width(a).max(width(b));
        let (a, b) = (self.bits(a, width)?, self.bits(b, width)?);
        let dd = &mut self.machine.store.dd;
        let (mut less, mut equal) = (Bdd::FALSE, Bdd::TRUE);
        for (a, b) in a.into_iter().zip(b) {
            let smaller = dd.difference(b, a)?;
            let first = dd.and(equal, smaller)?;
            less = dd.or(less, first)?;
            let same = dd.iff(a, b)?;
            equal = dd.and(equal, same)?;
        }
        Ok(match comparison {
            Comparison::Equal => equal,
            Comparison::Less => less,
            Comparison::LessEqual => dd.or(less, equal)?,
        })
    }

    /// The bits of a term, the highest first, with zeros before them.
    fn bits(&mut self, term: Term, width: usize) -> Result<Vec<Bdd>, Fault> {
        let mut bits = Vec::with_capacity(width);
        match term {
            Term::Var(var) => {
                let levels = self.prepared.levels[var.index()].clone();
                bits.resize(width - levels.len(), Bdd::FALSE);
                for level in levels {
                    bits.push(self.machine.store.dd.variable(level)?);
                }
            }
            Term::Value(value) => {
                bits.extend((0..width).rev().map(|bit| Bdd::constant(value >> bit & 1 == 1)));
            }
        }
        Ok(bits)
    }

    /// A relation with terms in the place of its columns.
    fn application(
        &mut self,
        f: FormulaId,
        relation: RelationId,
        terms: &[Term],
        value: Bdd,
    ) -> Result<Bdd, Fault> {
        let id = match self.prepared.substitutions.get(&f) {
            Some(id) => *id,
            None => {
                let columns = &self.machine.store.system.relation(relation).columns;
                let mut images: Vec<(Level, Image)> = Vec::new();
                for (column, term) in columns.iter().zip(terms) {
                    let from = &self.prepared.levels[column.index()];
                    let n = from.len();
                    images.extend(from.iter().enumerate().map(|(bit, &level)| match term {
                        Term::Var(var) => (level, Image::Level(self.prepared.levels[var.index()][bit])),
                        Term::Value(value) => (level, Image::Constant(value >> (n - 1 - bit) & 1 == 1)),
                    }));
                }
                let id = self.machine.store.dd.register_substitution(&images);
                self.prepared.substitutions.insert(f, id);
                id
            }
        };
        Ok(self.machine.store.dd.substitute(value, id)?)
    }

    /// The value that the solver's table has for a relation, over bits of its own.
    pub(super) fn solution(&mut self, relation: RelationId) -> Result<Bdd, Fault> {
        let rows = self.machine.store.expanded_rows(TableId(relation.0))?;
        let shape = self.machine.store.shape(TableId(relation.0)).clone();
        let mut images: Vec<(Level, Image)> = Vec::new();
        for column in &shape.bits {
            let to = self.prepared.levels[column.index()].iter().map(|&level| Image::Level(level));
            images.extend(self.machine.store.layout.levels(*column).iter().copied().zip(to));
        }
        let id = self.machine.store.dd.register_substitution(&images);
        let mut parts = Vec::with_capacity(rows.len());
        for (key, diagram) in rows {
            let bits = shape.keys.iter().zip(key).flat_map(|(column, value)| {
                let levels = &self.prepared.levels[column.index()];
                let n = levels.len();
                levels.iter().enumerate().map(move |(bit, &level)| (level, value >> (n - 1 - bit) & 1 == 1))
            });
            let cube: Vec<(Level, bool)> = bits.collect();
            let cube = self.machine.store.dd.cube(cube)?;
            let diagram = self.machine.store.dd.substitute(diagram, id)?;
            parts.push(self.machine.store.dd.and(cube, diagram)?);
        }
        self.union(parts)
    }
}

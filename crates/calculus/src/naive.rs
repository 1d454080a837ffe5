//! The textbook meaning of a system: sets of tuples and enumeration, nothing clever.
//!
//! Input: a checked [`System`]. Output: the value of a relation, the truth of a closed formula, or the
//! first valuation that makes a formula true (false); for small domains only.
//! Paper: PLDI09 §3, `Evaluate`. Tuned counterpart: the solver, which has to agree with this file.
//!
//! Evaluation recurses over the depth of a formula and over chains of relations: formulas a few
//! thousand levels deep are fine on a thread with the usual stack, deeper ones are not for the twin.

use crate::dependencies::{Dependencies, formula_uses, is_mixed, outermost};
use crate::system::{BinderId, Comparison, Formula, FormulaId, Kind, RelationId, System, Term, VarId};
use base::{Stop, StopReason};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The tuples of a relation, one value for each column.
pub type Tuples = BTreeSet<Vec<u32>>;

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Halt {
    /// Someone asked to stop.
    Stopped(StopReason),
    /// The value of a relation after round `first` is also its value after round `again`, but not after
    /// the rounds between; round 0 is the start.
    NotStabilising {
        /// The relation.
        relation: RelationId,
        /// The earlier round.
        first: u64,
        /// The later round.
        again: u64,
    },
    /// There are too many tuples or valuations to enumerate.
    TooLarge {
        /// What was to be enumerated.
        what: String,
        /// How many there are.
        size: u128,
    },
}

/// The most valuations one enumeration may have.
const LARGEST: u128 = 1 << 24;

/// The values of relations.
type Values = BTreeMap<RelationId, Rc<Tuples>>;

/// A relation fixed to a value, and the values computed since that depend on it.
struct Scope {
    /// The relation and its value; nothing in the first scope.
    fixed: Option<(RelationId, Rc<Tuples>)>,
    /// Values that depend on this relation and on none that is fixed in a later scope.
    known: Values,
}

/// The evaluation of one system. Values are kept from one question to the next.
pub struct Naive<'a> {
    system: &'a System,
    dependencies: Dependencies,
    stop: Stop,
    /// What is fixed at the moment, in the order of fixing.
    scopes: Vec<Scope>,
    /// The values of the variables in scope; those of others are meaningless.
    valuation: Vec<u32>,
    /// Formulas evaluated so far.
    steps: u64,
}

impl<'a> Naive<'a> {
    /// An evaluation in which nothing is known yet.
    pub fn new(system: &'a System, stop: Stop) -> Self {
        Self {
            system,
            dependencies: Dependencies::new(system),
            stop,
            scopes: vec![Scope { fixed: None, known: Values::new() }],
            valuation: vec![0; system.vars.len()],
            steps: 0,
        }
    }

    /// The value of a relation.
    pub fn relation(&mut self, relation: RelationId) -> Result<Rc<Tuples>, Halt> {
        let value = self.value(relation);
        self.scopes.truncate(1);
        value
    }

    /// The truth of a closed formula.
    pub fn holds(&mut self, formula: FormulaId) -> Result<bool, Halt> {
        let values = self.formula_values(formula)?;
        self.eval(formula, &values)
    }

    /// The lexicographically first valuation of the leaves of the binders under which the formula is
    /// `wanted`, if there is one. The formula has no other free variables.
    pub fn witness(
        &mut self,
        binders: &[BinderId],
        formula: FormulaId,
        wanted: bool,
    ) -> Result<Option<Vec<(VarId, u32)>>, Halt> {
        let system = self.system;
        let leaves: Vec<VarId> =
            binders.iter().flat_map(|b| system.binders[b.index()].leaves.iter().copied()).collect();
        let values = self.formula_values(formula)?;
        let found = self.search(&leaves, formula, &values, wanted)?;
        Ok(found.then(|| leaves.iter().map(|&leaf| (leaf, self.valuation[leaf.index()])).collect()))
    }

    /// The values of the relations in a formula, when nothing is fixed.
    fn formula_values(&mut self, formula: FormulaId) -> Result<Values, Halt> {
        let mut values = Values::new();
        for used in formula_uses(self.system, formula) {
            values.insert(used.relation, self.relation(used.relation)?);
        }
        Ok(values)
    }

    /// The value of a relation under what is fixed at the moment.
    fn value(&mut self, relation: RelationId) -> Result<Rc<Tuples>, Halt> {
        let level = self.level(relation);
        if let Some((fixed, value)) = &self.scopes[level].fixed
            && *fixed == relation
        {
            return Ok(value.clone());
        }
        if let Some(value) = self.scopes[level].known.get(&relation) {
            return Ok(value.clone());
        }
        let fixed = self.fixed();
        let component = self.dependencies.component(relation, &fixed);
        let value = if !self.dependencies.is_recursive(&component, &fixed) {
            let values = self.values_used(relation)?;
            self.body(relation, &values)?
        } else if self.dependencies.negative_use(&component).is_some() {
            self.evaluate(relation)?
        } else if is_mixed(self.system, &component) {
            self.mixed(relation, &component)?
        } else {
            let values = self.simultaneous(&component)?;
            // All members depend on the same fixed relations.
            for member in &component {
                self.scopes[level].known.insert(*member, values[member].clone());
            }
            return Ok(values[&relation].clone());
        };
        self.scopes[level].known.insert(relation, value.clone());
        Ok(value)
    }

    /// `Evaluate`: the relation is outermost, the others are evaluated again inside each round.
    fn evaluate(&mut self, relation: RelationId) -> Result<Rc<Tuples>, Halt> {
        let mut value = self.start(relation, self.system.relation(relation).kind)?;
        let mut rounds: BTreeMap<Rc<Tuples>, u64> = BTreeMap::new();
        for round in 0.. {
            if let Some(first) = rounds.insert(value.clone(), round) {
                return Err(Halt::NotStabilising { relation, first, again: round });
            }
            self.scopes.push(Scope { fixed: Some((relation, value.clone())), known: Values::new() });
            let values = self.values_used(relation)?;
            self.scopes.pop();
            let next = self.body(relation, &values)?;
            if next == value {
                break;
            }
            value = next;
        }
        Ok(value)
    }

    /// A member of a positive component with both kinds: the first in the file is outermost.
    fn mixed(&mut self, relation: RelationId, component: &[RelationId]) -> Result<Rc<Tuples>, Halt> {
        let outermost = outermost(self.system, component);
        if relation == outermost {
            return self.evaluate(relation);
        }
        let value = self.value(outermost)?;
        self.scopes.push(Scope { fixed: Some((outermost, value)), known: Values::new() });
        let value = self.value(relation)?;
        self.scopes.pop();
        Ok(value)
    }

    /// A positive component with one kind: all members grow (shrink) together. Other values may be in
    /// the result.
    fn simultaneous(&mut self, component: &[RelationId]) -> Result<Values, Halt> {
        let is_greatest = component.iter().any(|&r| self.system.relation(r).kind == Kind::Nu);
        let kind = if is_greatest { Kind::Nu } else { Kind::Mu };
        let mut values = Values::new();
        for &member in component {
            for used in self.uses(member) {
                // What stands outside the component does not depend on its members.
                if component.binary_search(&used).is_err() {
                    values.insert(used, self.value(used)?);
                }
            }
            values.insert(member, self.start(member, kind)?);
        }
        loop {
            let mut next = values.clone();
            for &member in component {
                next.insert(member, self.body(member, &values)?);
            }
            if next == values {
                return Ok(values);
            }
            values = next;
        }
    }

    /// The values of the relations in the body of a relation, under what is fixed at the moment.
    fn values_used(&mut self, relation: RelationId) -> Result<Values, Halt> {
        let mut values = Values::new();
        for used in self.uses(relation) {
            values.insert(used, self.value(used)?);
        }
        Ok(values)
    }

    fn uses(&self, relation: RelationId) -> BTreeSet<RelationId> {
        self.dependencies.uses(relation).iter().map(|u| u.relation).collect()
    }

    /// Which relations are fixed at the moment.
    fn fixed(&self) -> Vec<bool> {
        let mut fixed = vec![false; self.system.relations.len()];
        for (relation, _) in self.scopes.iter().filter_map(|scope| scope.fixed.as_ref()) {
            fixed[relation.index()] = true;
        }
        fixed
    }

    /// The last scope whose relation the given one uses, directly or through relations that are not
    /// fixed; 0 if there is none. Its value is the same in all later scopes.
    fn level(&self, relation: RelationId) -> usize {
        let scope_of = |relation| {
            self.scopes.iter().position(|scope| scope.fixed.as_ref().is_some_and(|(r, _)| *r == relation))
        };
        let mut level = 0;
        let mut reached = BTreeSet::from([relation]);
        let mut pending = vec![relation];
        while let Some(user) = pending.pop() {
            if let Some(scope) = scope_of(user) {
                level = level.max(scope);
                continue;
            }
            pending.extend(self.uses(user).into_iter().filter(|&used| reached.insert(used)));
        }
        level
    }

    /// Where the iteration of a relation begins: all tuples for `nu`, none otherwise.
    fn start(&mut self, relation: RelationId, kind: Kind) -> Result<Rc<Tuples>, Halt> {
        match kind {
            Kind::Nu => self.tuples(relation, |naive| naive.poll().map(|()| true)),
            Kind::Mu | Kind::Definition => Ok(Rc::default()),
        }
    }

    /// The tuples that make the body of a relation true, given the values of the relations in it.
    fn body(&mut self, relation: RelationId, values: &Values) -> Result<Rc<Tuples>, Halt> {
        let body = self.system.relation(relation).body;
        self.tuples(relation, |naive| naive.eval(body, values))
    }

    /// The tuples of a relation's columns that pass a test.
    fn tuples(
        &mut self,
        relation: RelationId,
        mut test: impl FnMut(&mut Self) -> Result<bool, Halt>,
    ) -> Result<Rc<Tuples>, Halt> {
        let columns = &self.system.relation(relation).columns;
        self.refuse_large(columns, || self.system.relation(relation).name.clone())?;
        let mut tuples = Tuples::new();
        self.first(columns);
        loop {
            if test(self)? {
                tuples.insert(columns.iter().map(|&column| self.valuation[column.index()]).collect());
            }
            if !self.advance(columns) {
                return Ok(Rc::new(tuples));
            }
        }
    }

    /// Leaves the variables at their first valuation that makes the formula `wanted`, if there is one.
    fn search(
        &mut self,
        vars: &[VarId],
        formula: FormulaId,
        values: &Values,
        wanted: bool,
    ) -> Result<bool, Halt> {
        self.refuse_large(vars, || {
            let names: Vec<String> = vars.iter().map(|&var| self.system.var_name(var)).collect();
            names.join(", ")
        })?;
        self.first(vars);
        loop {
            if self.eval(formula, values)? == wanted {
                return Ok(true);
            }
            if !self.advance(vars) {
                return Ok(false);
            }
        }
    }

    /// The truth of a formula under the present valuation, given the values of its relations.
    fn eval(&mut self, formula: FormulaId, values: &Values) -> Result<bool, Halt> {
        self.poll()?;
        match self.system.formula(formula) {
            Formula::Constant(truth) => Ok(*truth),
            Formula::Variable(var) => Ok(self.valuation[var.index()] != 0),
            Formula::Compare(comparison, left, right) => {
                let (left, right) = (self.term(*left), self.term(*right));
                Ok(match comparison {
                    Comparison::Equal => left == right,
                    Comparison::Less => left < right,
                    Comparison::LessEqual => left <= right,
                })
            }
            Formula::Apply(relation, terms) => {
                let tuple: Vec<u32> = terms.iter().map(|&term| self.term(term)).collect();
                Ok(values[relation].contains(&tuple))
            }
            Formula::Not(operand) => Ok(!self.eval(*operand, values)?),
            Formula::And(operands) => self.find(operands, values, false).map(|found| !found),
            Formula::Or(operands) => self.find(operands, values, true),
            Formula::Iff(left, right) => Ok(self.eval(*left, values)? == self.eval(*right, values)?),
            Formula::Exists(vars, operand) => self.quantify(vars, *operand, values, true),
            Formula::Forall(vars, operand) => Ok(!self.quantify(vars, *operand, values, false)?),
        }
    }

    /// Whether some operand is `wanted`.
    fn find(&mut self, operands: &[FormulaId], values: &Values, wanted: bool) -> Result<bool, Halt> {
        for &operand in operands {
            if self.eval(operand, values)? == wanted {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether some valuation of the variables makes the formula `wanted`.
    fn quantify(
        &mut self,
        vars: &[VarId],
        formula: FormulaId,
        values: &Values,
        wanted: bool,
    ) -> Result<bool, Halt> {
        let outer: Vec<u32> = vars.iter().map(|&var| self.valuation[var.index()]).collect();
        let found = self.search(vars, formula, values, wanted)?;
        for (&var, value) in vars.iter().zip(outer) {
            self.valuation[var.index()] = value;
        }
        Ok(found)
    }

    fn term(&self, term: Term) -> u32 {
        match term {
            Term::Var(var) => self.valuation[var.index()],
            Term::Value(value) => value,
        }
    }

    /// Sets variables to their first values.
    fn first(&mut self, vars: &[VarId]) {
        for &var in vars {
            self.valuation[var.index()] = 0;
        }
    }

    /// Sets variables to their next values, the last variable fastest; false after the last valuation.
    fn advance(&mut self, vars: &[VarId]) -> bool {
        for &var in vars.iter().rev() {
            let value = &mut self.valuation[var.index()];
            *value += 1;
            if u64::from(*value) < self.system.sort_of(var).size() {
                return true;
            }
            *value = 0;
        }
        false
    }

    fn refuse_large(&self, vars: &[VarId], what: impl FnOnce() -> String) -> Result<(), Halt> {
        let sizes = vars.iter().map(|&var| u128::from(self.system.sort_of(var).size()));
        let size = sizes.fold(1, u128::saturating_mul);
        if size > LARGEST { Err(Halt::TooLarge { what: what(), size }) } else { Ok(()) }
    }

    fn poll(&mut self) -> Result<(), Halt> {
        self.steps += 1;
        if self.steps.is_multiple_of(1024) {
            self.stop.requested().map_or(Ok(()), |reason| Err(Halt::Stopped(reason)))
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{self, Shape};

    fn load(text: &str) -> System {
        let mut sources = base::Sources::default();
        let file = sources.add("random.mu", text);
        let (file, errors) = crate::parse(&sources, file);
        assert!(errors.is_empty(), "{text}\n{errors:?}");
        match crate::check(&file, &[]) {
            Ok((system, _)) => system,
            Err(errors) => panic!("{text}\n{errors:?}"),
        }
    }

    /// In a positive system the values solve the equations, and where the order of iteration does not
    /// matter by the meaning, `Evaluate` gives the same values.
    #[test]
    fn values_solve_the_equations_in_any_order() {
        for seed in 0..100 {
            let text = random::system(seed, &Shape::default());
            let system = load(&text);
            let mut naive = Naive::new(&system, Stop::default());
            let all = (0..system.relations.len()).map(RelationId::new);
            let mut values = Values::new();
            for relation in all {
                values.insert(relation, naive.relation(relation).expect("a positive system has a value"));
            }
            for (&relation, value) in &values {
                assert_eq!(naive.body(relation, &values).as_ref(), Ok(value), "seed {seed}\n{text}");
                let component = naive.dependencies.component(relation, &[]);
                if system.relation(relation).kind == Kind::Definition {
                    // As the one asked for it starts from the empty relation, also in a cycle of `nu`.
                    continue;
                }
                if naive.dependencies.is_recursive(&component, &[]) && !is_mixed(&system, &component) {
                    assert_eq!(naive.evaluate(relation).as_ref(), Ok(value), "seed {seed}\n{text}");
                }
            }
        }
    }
}

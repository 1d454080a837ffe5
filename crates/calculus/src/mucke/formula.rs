//! Formulas in MUCKE's language. Every operand that is no atom stands in brackets, and a blank stands between operators,
//! since MUCKE takes a run of operator characters for one operator. Nothing recurses over formulas.

use super::Mucke;
use super::relation::Slot;
use crate::system::{Comparison, Formula, FormulaId, RelationId, Term, VarId};

/// What is still to be written.
enum Piece {
    Text(&'static str),
    Owned(String),
    /// A formula; in brackets if it is no atom.
    Operand(FormulaId),
    /// A formula without brackets.
    Open(FormulaId),
}

impl Mucke<'_> {
    /// A formula by itself.
    pub(super) fn text(&self, id: FormulaId) -> String {
        self.write(Piece::Open(id))
    }

    /// A formula as an operand.
    pub(super) fn operand(&self, id: FormulaId) -> String {
        self.write(Piece::Operand(id))
    }

    fn write(&self, root: Piece) -> String {
        let (mut out, mut stack, mut parts) = (String::new(), vec![root], Vec::new());
        while let Some(piece) = stack.pop() {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Owned(text) => out.push_str(&text),
                Piece::Operand(id) if self.needs_brackets(id) => {
                    out.push('(');
                    stack.extend([Piece::Text(")"), Piece::Open(id)]);
                }
                Piece::Operand(id) | Piece::Open(id) => {
                    self.parts(id, &mut parts);
                    stack.extend(parts.drain(..).rev());
                }
            }
        }
        out
    }

    fn needs_brackets(&self, id: FormulaId) -> bool {
        match self.system.formula(id) {
            Formula::Constant(_) | Formula::Variable(_) | Formula::Compare(..) | Formula::Apply(..) => false,
            Formula::Not(_) => false,
            Formula::And(operands) => self.whole_equality(operands).is_none(),
            Formula::Or(_) | Formula::Iff(..) | Formula::Exists(..) | Formula::Forall(..) => true,
        }
    }

    fn parts(&self, id: FormulaId, out: &mut Vec<Piece>) {
        match self.system.formula(id) {
            Formula::Constant(value) => out.push(Piece::Text(if *value { "true" } else { "false" })),
            Formula::Variable(var) => out.push(Piece::Owned(self.leaf(*var))),
            Formula::Compare(comparison, left, right) => {
                out.push(Piece::Owned(self.comparison(*comparison, *left, *right)));
            }
            Formula::Apply(relation, terms) => out.push(Piece::Owned(self.application(*relation, terms))),
            Formula::Not(operand) => {
                let is_not = matches!(self.system.formula(*operand), Formula::Not(_));
                // Two marks in a row would be one operator, and `!` binds more tightly than `=`.
                let is_compared =
                    matches!(self.system.formula(*operand), Formula::Compare(..) | Formula::And(_));
                match (is_not || is_compared) && !self.needs_brackets(*operand) {
                    true => out.extend([Piece::Text("!("), Piece::Open(*operand), Piece::Text(")")]),
                    false => out.extend([Piece::Text("!"), Piece::Operand(*operand)]),
                }
            }
            Formula::And(operands) => match self.whole_equality(operands) {
                Some(text) => out.push(Piece::Owned(text)),
                None => list(operands, " & ", out),
            },
            Formula::Or(operands) => list(operands, " | ", out),
            Formula::Iff(left, right) => list(&[*left, *right], " <-> ", out),
            Formula::Exists(vars, operand) => self.quantified("exists", vars, *operand, out),
            Formula::Forall(vars, operand) => self.quantified("forall", vars, *operand, out),
        }
    }

    fn quantified(&self, word: &str, vars: &[VarId], operand: FormulaId, out: &mut Vec<Piece>) {
        let mut binders: Vec<_> = vars.iter().map(|var| self.system.vars[var.index()].binder).collect();
        binders.dedup();
        let declared = binders
            .into_iter()
            .filter_map(|binder| Some(format!("{} {}", self.type_of(binder)?, self.binders[binder.index()])));
        let declared: Vec<String> = declared.collect();
        out.extend([Piece::Owned(format!("{word} {}. ", declared.join(", "))), Piece::Operand(operand)]);
    }

    /// `s = t`, if that is what the operands of a conjunction say.
    fn whole_equality(&self, operands: &[FormulaId]) -> Option<String> {
        let pair = |id: &FormulaId| match self.system.formula(*id) {
            Formula::Compare(Comparison::Equal, Term::Var(a), Term::Var(b)) => Some((*a, *b)),
            _ => None,
        };
        let pairs: Vec<(VarId, VarId)> = operands.iter().map(pair).collect::<Option<_>>()?;
        let (left, right): (Vec<VarId>, Vec<VarId>) = pairs.into_iter().unzip();
        let (a, b) = (self.whole(&left)?, self.whole(&right)?);
        (a.0 == b.0).then(|| format!("{} = {}", a.1, b.1))
    }

    /// The type and the name of the binder that has exactly these leaves.
    fn whole(&self, leaves: &[VarId]) -> Option<(&str, &str)> {
        let binder = self.system.vars[leaves.first()?.index()].binder;
        let is_whole = self.system.binders[binder.index()].leaves == leaves;
        Some((self.type_of(binder).filter(|_| is_whole)?, &self.binders[binder.index()]))
    }

    fn comparison(&self, comparison: Comparison, left: Term, right: Term) -> String {
        match (comparison, left, right) {
            (Comparison::Equal, Term::Value(a), Term::Value(b)) => (a == b).to_string(),
            // A value on the left would be taken for a variable.
            (Comparison::Equal, value @ Term::Value(_), Term::Var(var))
            | (Comparison::Equal, Term::Var(var), value) => {
                format!("{} = {}", self.leaf(var), self.term(value, var))
            }
            (Comparison::Less, ..) => self.ordering(left, right, false),
            (Comparison::LessEqual, ..) => self.ordering(left, right, true),
        }
    }

    /// A term beside a variable of its sort.
    fn term(&self, term: Term, beside: VarId) -> String {
        match term {
            Term::Var(var) => self.leaf(var),
            Term::Value(value) => self.value(self.system.vars[beside.index()].sort.index(), value),
        }
    }

    fn value(&self, sort: usize, value: u32) -> String {
        let names = &self.values[sort];
        names.get(value as usize).cloned().unwrap_or_else(|| value.to_string())
    }

    /// Numbers are compared bit by bit: at the highest bit where they differ, the smaller one has none.
    fn ordering(&self, left: Term, right: Term, or_equal: bool) -> String {
        let size = [left, right].iter().find_map(|term| match term {
            Term::Var(var) => Some(self.system.sort_of(*var).size()),
            Term::Value(_) => None,
        });
        let n_bits = match (size, left, right) {
            (Some(size), ..) => u64::BITS - (size - 1).leading_zeros(),
            (None, Term::Value(a), Term::Value(b)) => return (a < b || or_equal && a == b).to_string(),
            (None, ..) => 0,
        };
        let bit = |term: Term, bit: u32| match term {
            Term::Var(var) => format!("{}[{bit}]", self.leaf(var)),
            Term::Value(value) => (value >> bit & 1).to_string(),
        };
        let equal = |at: u32| format!("({} <-> {})", bit(left, at), bit(right, at));
        let mut cases: Vec<String> = (0..n_bits)
            .rev()
            .map(|at| {
                let mut parts: Vec<String> = (at + 1..n_bits).rev().map(equal).collect();
                parts.extend([format!("!{}", bit(left, at)), bit(right, at)]);
                format!("({})", parts.join(" & "))
            })
            .collect();
        if or_equal {
            let all: Vec<String> = (0..n_bits).rev().map(equal).collect();
            cases.push(if all.is_empty() { "true".to_owned() } else { format!("({})", all.join(" & ")) });
        }
        if cases.is_empty() { "false".to_owned() } else { format!("({})", cases.join(" | ")) }
    }

    /// An application; parts of records that are no variables get one.
    fn application(&self, relation: RelationId, terms: &[Term]) -> String {
        let home = &self.homes[relation.index()];
        let mut arguments: Vec<Option<String>> = vec![None; home.slots.len()];
        if let Some(number) = home.number {
            arguments[0] = Some(number.to_string());
        }
        let (mut parts, mut rest) = (Parts::default(), terms);
        for (param, slot) in self.system.relation(relation).params.iter().zip(&home.slot_of) {
            let leaves = &self.system.binders[param.index()].leaves;
            let (own, behind) = rest.split_at(leaves.len());
            rest = behind;
            let Some(slot) = *slot else { continue };
            arguments[slot] = Some(match (self.record(*param), own) {
                (None, [term]) => self.term(*term, leaves[0]),
                _ => self.record_argument(leaves, own, &home.slots[slot], &mut parts),
            });
        }
        self.fill(&home.slots, &mut arguments, &mut parts);
        let arguments: Vec<String> = arguments.into_iter().flatten().collect();
        let applied = format!("{}({})", home.name, arguments.join(", "));
        if parts.declared.is_empty() {
            return applied;
        }
        parts.equal.push(applied);
        format!("(exists {}. ({}))", parts.declared.join(", "), parts.equal.join(" & "))
    }

    fn record_argument(&self, leaves: &[VarId], terms: &[Term], slot: &Slot, parts: &mut Parts) -> String {
        let var = |term: &Term| match term {
            Term::Var(var) => Some(*var),
            Term::Value(_) => None,
        };
        let vars: Option<Vec<VarId>> = terms.iter().map(var).collect();
        if let Some((type_name, name)) = vars.as_deref().and_then(|vars| self.whole(vars))
            && type_name == slot.type_name
        {
            return name.to_owned();
        }
        let name = parts.declare(self, slot);
        let record = self.record(self.system.vars[leaves[0].index()].binder);
        for ((member, leaf), term) in record.iter().flat_map(|record| &record.members).zip(leaves).zip(terms)
        {
            parts.equal.push(format!("{name}.{member} = {}", self.term(*term, *leaf)));
        }
        name
    }

    /// What a relation that shares its text with others leaves open gets any value.
    fn fill(&self, slots: &[Slot], arguments: &mut [Option<String>], parts: &mut Parts) {
        for at in 0..slots.len() {
            if arguments[at].is_some() {
                continue;
            }
            let alike = (usize::from(slots.len() > 1)..slots.len())
                .find(|other| slots[*other].type_name == slots[at].type_name && arguments[*other].is_some());
            let is_record = self.records.values().any(|record| record.name == slots[at].type_name);
            arguments[at] = Some(match alike {
                Some(other) => arguments[other].clone().unwrap_or_default(),
                None if is_record => parts.declare(self, &slots[at]),
                None => "0".to_owned(),
            });
        }
    }
}

/// Variables for the parts of one application.
#[derive(Default)]
struct Parts {
    declared: Vec<String>,
    equal: Vec<String>,
}

impl Parts {
    fn declare(&mut self, mucke: &Mucke, slot: &Slot) -> String {
        let name = mucke.fresh.borrow_mut().find("part");
        self.declared.push(format!("{} {name}", slot.type_name));
        name
    }
}

fn list(operands: &[FormulaId], separator: &'static str, out: &mut Vec<Piece>) {
    for (at, operand) in operands.iter().enumerate() {
        if at > 0 {
            out.push(Piece::Text(separator));
        }
        out.push(Piece::Operand(*operand));
    }
}

//! Expressions: their values, over the variables of the program as they are when the translation has come there.
//!
//! Operands are evaluated from left to right. An operand that reads a variable which a later one may change is kept in a variable of its
//! own.

use super::bits;
use super::body::{Builder, Loose};
use super::order::Usage;
use crate::constant;
use crate::syntax::{Binary, ExprId, ExprKind, Storage, Unary, VarId};
use crate::types::{Integer, Ty};
use crate::typing;
use base::Span;
use integers::{Expr, Op, Place};

/// What an expression is worth.
pub(crate) enum Value {
    /// A number of a type.
    Integer(Expr, Integer),
    /// Something that is not represented: its type, and what it is.
    Unknown(Ty, String),
}

impl Builder<'_, '_> {
    fn span(&self, id: ExprId) -> Span {
        self.low.unit.expr(id).span
    }

    fn has_effects(&self, id: ExprId) -> bool {
        self.low.unit.expr(id).has_effects
    }

    fn type_of(&self, id: ExprId) -> Ty {
        typing::type_of(self.low.unit, id, self.low.options.data_model)
    }

    /// The value as a number; what is not represented gets a variable that nobody knows.
    pub(crate) fn integer(&mut self, id: ExprId) -> (Expr, Integer) {
        let value = self.value(id);
        self.as_integer(value, self.span(id))
    }

    pub(crate) fn as_integer(&mut self, value: Value, span: Span) -> (Expr, Integer) {
        match value {
            Value::Integer(expr, ty) => (expr, ty),
            Value::Unknown(ty, construct) => {
                let ty = ty.integer().unwrap_or(Integer::signed(self.low.options.data_model.word()));
                let place = self.temporary(ty.ty, span);
                self.forget(&[place], construct, span);
                (Expr::read(place), ty)
            }
        }
    }

    /// Evaluates for the effects alone.
    pub(crate) fn effect(&mut self, id: ExprId) {
        if !self.has_effects(id) {
            return;
        }
        match self.low.unit.expr(id).kind.clone() {
            ExprKind::Step { by, operand, .. } => {
                self.step_variable(id, by, operand);
            }
            ExprKind::Assign(operator, left, right) => {
                self.assignment(id, operator, left, right);
            }
            ExprKind::Call(function, args) => {
                _ = self.call(id, function, &args, super::call::Wanted::Nothing)
            }
            ExprKind::Binary(Binary::Comma, ..) => {
                for part in self.spine(id, Binary::Comma) {
                    self.effect(part);
                }
            }
            ExprKind::Binary(Binary::And | Binary::Or, ..) => {
                let (mut yes, no) = self.branch(id);
                yes.extend(no);
                self.go_on(yes);
            }
            ExprKind::Cast(_, operand) => self.effect(operand),
            ExprKind::Conditional(condition, Some(yes), no) => {
                let (holds, fails) = self.branch(condition);
                self.go_on(holds);
                self.effect(yes);
                let mut ends = self.leave(self.span(id));
                self.go_on(fails);
                self.effect(no);
                ends.extend(self.leave(self.span(id)));
                self.go_on(ends);
            }
            ExprKind::Block(statements) => self.statements(&statements),
            _ => _ = self.value(id),
        }
    }

    /// The operands of a chain of one operator, from left to right.
    fn spine(&self, id: ExprId, operator: Binary) -> Vec<ExprId> {
        let mut parts = Vec::new();
        let mut at = id;
        while let ExprKind::Binary(found, left, right) = self.low.unit.expr(at).kind
            && found == operator
        {
            parts.push(right);
            at = left;
        }
        parts.push(at);
        parts.reverse();
        parts
    }

    /// Goes where the value is not 0, and where it is.
    pub(crate) fn branch(&mut self, id: ExprId) -> (Loose, Loose) {
        let span = self.span(id);
        match self.low.unit.expr(id).kind {
            ExprKind::Unary(Unary::Not, operand) => {
                let (yes, no) = self.branch(operand);
                (no, yes)
            }
            ExprKind::Binary(operator @ (Binary::And | Binary::Or), ..) if self.has_effects(id) => {
                let (mut decided, mut open) = (Vec::new(), Vec::new());
                for (n, part) in self.spine(id, operator).into_iter().enumerate() {
                    if n > 0 {
                        self.go_on(std::mem::take(&mut open));
                    }
                    let (yes, no) = self.branch(part);
                    let (stays, leaves) = if operator == Binary::And { (yes, no) } else { (no, yes) };
                    decided.extend(leaves);
                    open = stays;
                }
                if operator == Binary::And { (open, decided) } else { (decided, open) }
            }
            _ => {
                let mark = self.mark();
                let condition = self.truth(id);
                let ways = self.split(condition, span);
                self.release(&mark);
                ways
            }
        }
    }

    /// Whether the value is not 0, as a formula.
    pub(crate) fn truth(&mut self, id: ExprId) -> Expr {
        match self.low.unit.expr(id).kind {
            ExprKind::Unary(Unary::Not, operand) => self.truth(operand).not(),
            ExprKind::Binary(operator @ (Binary::And | Binary::Or), ..) if !self.has_effects(id) => {
                let op = if operator == Binary::And { Op::And } else { Op::Or };
                let mut parts = self.spine(id, operator).into_iter();
                let first = parts.next().expect("a chain has operands");
                let mut formula = self.truth(first);
                for part in parts {
                    let right = self.truth(part);
                    formula = formula.binary(op, right);
                }
                formula
            }
            _ => self.integer(id).0.is_nonzero(),
        }
    }

    /// The value of an expression.
    pub(crate) fn value(&mut self, id: ExprId) -> Value {
        let unit = self.low.unit;
        match &unit.expr(id).kind {
            ExprKind::Integer(value, ty) => Value::Integer(Expr::constant(*value), *ty),
            ExprKind::Var(var) => self.read(*var),
            ExprKind::Unary(operator, operand) => self.unary(id, *operator, *operand),
            ExprKind::Binary(Binary::Comma, ..) => {
                let parts = self.spine(id, Binary::Comma);
                let (last, others) = parts.split_last().expect("a chain has operands");
                others.iter().for_each(|part| self.effect(*part));
                self.value(*last)
            }
            ExprKind::Binary(Binary::And | Binary::Or, ..) => self.logical(id),
            ExprKind::Binary(..) => self.operators(id),
            ExprKind::Assign(operator, left, right) => self.assignment(id, *operator, *left, *right),
            ExprKind::Step { by, is_prefix, operand } => {
                if *is_prefix {
                    return self.step_variable(id, *by, *operand);
                }
                let old = match self.place(*operand) {
                    Some((place, ty)) => {
                        Value::Integer(self.kept(Expr::read(place), ty.ty, self.span(id)), ty)
                    }
                    None => self.value(*operand),
                };
                self.step_variable(id, *by, *operand);
                old
            }
            ExprKind::Conditional(condition, yes, no) => self.conditional(id, *condition, *yes, *no),
            ExprKind::Call(function, args) => self.call(id, *function, args, super::call::Wanted::Anywhere),
            ExprKind::Cast(ty, operand) => self.cast(ty, *operand),
            ExprKind::SizeOf(_) => match constant::evaluate(unit, id, self.low.options.data_model) {
                Some((size, ty)) => Value::Integer(Expr::constant(size), ty),
                None => Value::Unknown(self.type_of(id), "the size of an object".to_owned()),
            },
            ExprKind::Block(statements) => self.block_value(statements),
            _ => self.other(id),
        }
    }

    /// What is no integer, or an integer somewhere in memory.
    fn other(&mut self, id: ExprId) -> Value {
        let ty = self.type_of(id);
        let (parts, construct): (Vec<ExprId>, String) = match &self.low.unit.expr(id).kind {
            ExprKind::Index(array, index) => (vec![*array, *index], "an array element".to_owned()),
            ExprKind::Member(record, ..) => (vec![*record], "a member of a structure".to_owned()),
            ExprKind::Compound(_, values) => (values.clone(), "a compound literal".to_owned()),
            ExprKind::Float => (Vec::new(), "a floating-point number".to_owned()),
            ExprKind::Text(_) => (Vec::new(), "a text".to_owned()),
            ExprKind::Function(_) => (Vec::new(), "the address of a function".to_owned()),
            ExprKind::SizeOfUnknown => (Vec::new(), "the size of a type".to_owned()),
            ExprKind::Other(name, _) => (Vec::new(), (*name).to_owned()),
            _ => (Vec::new(), ty.describe().to_owned()),
        };
        parts.into_iter().for_each(|part| self.effect(part));
        Value::Unknown(ty, construct)
    }

    /// A variable.
    fn read(&mut self, var: VarId) -> Value {
        let declared = self.low.unit.var(var);
        let name = self.low.names.text(declared.name);
        match (self.variable_place(var), &declared.ty) {
            (Some((place, ty)), _) => Value::Integer(Expr::read(place), ty),
            (None, Ty::Int(_)) if declared.is_volatile => {
                Value::Unknown(declared.ty.clone(), format!("the volatile variable `{name}`"))
            }
            (None, Ty::Int(_)) => {
                Value::Unknown(declared.ty.clone(), format!("`{name}`, whose address is taken"))
            }
            (None, ty) => Value::Unknown(ty.clone(), format!("`{name}`, {}", ty.describe())),
        }
    }

    fn variable_place(&self, var: VarId) -> Option<(Place, Integer)> {
        let ty = self.low.represented(var)?;
        let local = self.place.get(&var).map(|n| Place::Local(*n));
        Some((local.or_else(|| self.low.global(var))?, ty))
    }

    /// Where an assignment to this expression stores, if the program has the variable.
    fn place(&self, id: ExprId) -> Option<(Place, Integer)> {
        match self.low.unit.expr(id).kind {
            ExprKind::Var(var) => self.variable_place(var),
            _ => None,
        }
    }

    fn unary(&mut self, id: ExprId, operator: Unary, operand: ExprId) -> Value {
        match operator {
            Unary::Not => {
                let formula = if self.has_effects(operand) {
                    self.integer(operand).0.is_nonzero()
                } else {
                    self.truth(operand)
                };
                return Value::Integer(formula.not().unary(Op::Number), Integer::INT);
            }
            Unary::Address | Unary::Deref => {
                self.effect(operand);
                let ty = self.type_of(id);
                let construct =
                    if operator == Unary::Deref { "what a pointer points to" } else { "an address" };
                return Value::Unknown(ty, construct.to_owned());
            }
            _ => {}
        }
        let (expr, ty) = match self.value(operand) {
            Value::Integer(expr, ty) => (expr, ty.promoted()),
            Value::Unknown(_, construct) => return Value::Unknown(self.type_of(id), construct),
        };
        match operator {
            Unary::Plus => Value::Integer(expr, ty),
            Unary::Minus => Value::Integer(arithmetic(expr.unary(Op::Negate), ty), ty),
            _ => Value::Integer(bits::complement(expr, ty), ty),
        }
    }

    /// `&&` or `||` as a number.
    fn logical(&mut self, id: ExprId) -> Value {
        if !self.has_effects(id) {
            return Value::Integer(self.truth(id).unary(Op::Number), Integer::INT);
        }
        let span = self.span(id);
        let place = self.temporary(Integer::INT.ty, span);
        let (yes, no) = self.branch(id);
        self.go_on(yes);
        self.store(place, Expr::constant(1), span);
        let mut ends = self.leave(span);
        self.go_on(no);
        self.store(place, Expr::constant(0), span);
        ends.extend(self.leave(span));
        self.go_on(ends);
        Value::Integer(Expr::read(place), Integer::INT)
    }

    /// A chain of arithmetic operators and comparisons.
    fn operators(&mut self, id: ExprId) -> Value {
        let mut rights = Vec::new();
        let mut at = id;
        while let ExprKind::Binary(operator, left, right) = self.low.unit.expr(at).kind
            && !matches!(operator, Binary::And | Binary::Or | Binary::Comma)
        {
            rights.push((operator, right));
            at = left;
        }
        let mut operands = vec![at];
        operands.extend(rights.iter().rev().map(|(_, right)| *right));
        self.low.unordered(&operands, self.span(id));
        let mut left = self.value(at);
        while let Some((operator, right)) = rights.pop() {
            left = self.protected(left, right);
            let right = self.value(right);
            left = self.binary(operator, left, right);
        }
        left
    }

    /// Keeps a value that what follows may change.
    pub(crate) fn protected(&mut self, value: Value, next: ExprId) -> Value {
        let Value::Integer(expr, ty) = value else { return value };
        if !self.has_effects(next) {
            return Value::Integer(expr, ty);
        }
        let usage = Usage::of(self.low.unit, next);
        let is_changed = |place: Place| match place {
            Place::Global(_) if !usage.calls.is_empty() || usage.has_statements => true,
            _ => {
                let changed =
                    |var: &VarId| self.variable_place(*var).is_some_and(|(other, _)| other == place);
                usage.has_statements || usage.writes.iter().any(changed)
            }
        };
        if expr.reads().any(is_changed) {
            return Value::Integer(self.kept(expr, ty.ty, self.span(next)), ty);
        }
        Value::Integer(expr, ty)
    }

    /// An operator on two values.
    fn binary(&mut self, operator: Binary, left: Value, right: Value) -> Value {
        let (left, left_ty, right, right_ty) = match (left, right) {
            (Value::Integer(left, left_ty), Value::Integer(right, right_ty)) => {
                (left, left_ty, right, right_ty)
            }
            (left, right) => return self.unknown_binary(operator, left, right),
        };
        if let Some((expr, ty)) = bits::operation(operator, (&left, left_ty), (&right, right_ty)) {
            return Value::Integer(expr, ty);
        }
        let ty = left_ty.usual(right_ty);
        let (left, right) = (convert(left, left_ty, ty), convert(right, right_ty, ty));
        let op = match operator {
            Binary::Multiply => Op::Multiply,
            Binary::Divide => Op::Divide,
            Binary::Remainder => Op::Remainder(ty.ty),
            Binary::Add => Op::Add,
            Binary::Subtract => Op::Subtract,
            Binary::Compare(relation) => {
                let formula = left.compare(relation, right);
                return Value::Integer(formula.unary(Op::Number), Integer::INT);
            }
            _ => unreachable!("bit operations and logical ones are elsewhere"),
        };
        let fits = match op {
            Op::Remainder(_) => true,
            Op::Divide => !ty.ty.signed || right.as_constant().is_some_and(|number| number != -1),
            _ => false,
        };
        let result = left.binary(op, right);
        Value::Integer(if fits { result } else { arithmetic(result, ty) }, ty)
    }

    /// An operator of which an operand is not represented.
    fn unknown_binary(&self, operator: Binary, left: Value, right: Value) -> Value {
        let parts = |value: Value| match value {
            Value::Integer(_, ty) => (Ty::Int(ty), None),
            Value::Unknown(ty, construct) => (ty.decayed(), Some(construct)),
        };
        let ((left, one), (right, other)) = (parts(left), parts(right));
        let construct = one.or(other).expect("one operand is not represented");
        Value::Unknown(typing::combined(operator, left, right, self.low.options.data_model), construct)
    }

    fn conditional(&mut self, id: ExprId, condition: ExprId, yes: Option<ExprId>, no: ExprId) -> Value {
        let ty = self.type_of(id);
        let span = self.span(id);
        let Some(integer) = ty.integer() else {
            let parts = [Some(condition), yes, Some(no)];
            parts.into_iter().flatten().for_each(|part| self.effect(part));
            let construct = format!("`?:` of {}", ty.describe());
            return Value::Unknown(ty, construct);
        };
        if !self.has_effects(id) {
            let formula = self.truth(condition);
            let (yes, yes_ty) = self.integer(yes.unwrap_or(condition));
            let (no, no_ty) = self.integer(no);
            let (yes, no) = (convert(yes, yes_ty, integer), convert(no, no_ty, integer));
            return Value::Integer(Expr::choose(formula, yes, no), integer);
        }
        let place = self.temporary(integer.ty, span);
        let mut ends = Loose::new();
        match yes {
            Some(yes) => {
                let (holds, fails) = self.branch(condition);
                self.go_on(holds);
                self.assign(place, integer, yes, span);
                ends.extend(self.leave(span));
                self.go_on(fails);
            }
            // `a ?: b` evaluates `a` once.
            None => {
                let (value, value_ty) = self.integer(condition);
                let value = self.kept(value, value_ty.ty, span);
                let (holds, fails) = self.split(value.clone().is_nonzero(), span);
                self.go_on(holds);
                self.store(place, convert(value, value_ty, integer), span);
                ends.extend(self.leave(span));
                self.go_on(fails);
            }
        }
        self.assign(place, integer, no, span);
        ends.extend(self.leave(span));
        self.go_on(ends);
        Value::Integer(Expr::read(place), integer)
    }

    fn cast(&mut self, ty: &Ty, operand: ExprId) -> Value {
        let Some(integer) = ty.integer() else {
            self.effect(operand);
            return Value::Unknown(ty.clone(), format!("a cast to {}", ty.describe()));
        };
        match self.value(operand) {
            Value::Integer(expr, from) => Value::Integer(convert(expr, from, integer), integer),
            Value::Unknown(_, construct) => Value::Unknown(ty.clone(), construct),
        }
    }

    /// The last expression of a block in parentheses.
    fn block_value(&mut self, statements: &[crate::syntax::Stmt]) -> Value {
        use crate::syntax::StmtKind;
        let Some((last, others)) = statements.split_last() else {
            return Value::Unknown(Ty::Void, "a block without a value".to_owned());
        };
        self.statements(others);
        match last.kind {
            StmtKind::Expr(expr) => self.value(expr),
            _ => {
                self.statement(last);
                Value::Unknown(Ty::Void, "a block without a value".to_owned())
            }
        }
    }

    /// Stores the value of an expression, converted.
    pub(crate) fn assign(&mut self, place: Place, ty: Integer, value: ExprId, span: Span) {
        // The result of a call goes where it belongs at once, if its type is right.
        if let ExprKind::Call(function, args) = &self.low.unit.expr(value).kind {
            let wanted = super::call::Wanted::At(place, ty, span);
            match self.call(value, *function, args, wanted) {
                Value::Integer(expr, _) if expr == Expr::read(place) => {}
                Value::Integer(expr, from) => self.store(place, convert(expr, from, ty), span),
                Value::Unknown(_, construct) => self.forget(&[place], construct, span),
            }
            return;
        }
        match self.value(value) {
            Value::Integer(expr, from) => self.store(place, convert(expr, from, ty), span),
            // Whatever it is, the variable holds a value of its own type.
            Value::Unknown(_, construct) => self.forget(&[place], construct, span),
        }
    }

    fn assignment(&mut self, id: ExprId, operator: Option<Binary>, left: ExprId, right: ExprId) -> Value {
        let span = self.span(id);
        let Some((place, ty)) = self.place(left) else { return self.lost(operator, left, right) };
        if let ExprKind::Var(var) = self.low.unit.expr(left).kind {
            self.low.unordered_assignment(var, operator.is_some(), right, span);
        }
        match operator {
            None => self.assign(place, ty, right, span),
            Some(operator) => {
                let old = self.protected(Value::Integer(Expr::read(place), ty), right);
                let right = self.value(right);
                match self.binary(operator, old, right) {
                    Value::Integer(expr, from) => self.store(place, convert(expr, from, ty), span),
                    Value::Unknown(_, construct) => self.forget(&[place], construct, span),
                }
            }
        }
        Value::Integer(Expr::read(place), ty)
    }

    /// An assignment to something that is not represented.
    fn lost(&mut self, operator: Option<Binary>, left: ExprId, right: ExprId) -> Value {
        if !matches!(self.low.unit.expr(left).kind, ExprKind::Var(_)) {
            self.effect(left);
        }
        let ty = self.type_of(left);
        match (self.value(right), ty.integer()) {
            (Value::Integer(expr, from), Some(integer)) if operator.is_none() && self.storage_keeps(left) => {
                Value::Integer(convert(expr, from, integer), integer)
            }
            _ => Value::Unknown(ty, "the value of an assignment".to_owned()),
        }
    }

    /// Whether what is stored there is what the assignment is worth, as always but for volatile variables.
    fn storage_keeps(&self, left: ExprId) -> bool {
        match self.low.unit.expr(left).kind {
            ExprKind::Var(var) => !self.low.unit.var(var).is_volatile,
            _ => true,
        }
    }

    /// Adds 1 or -1 to a variable; the value is the new one.
    fn step_variable(&mut self, id: ExprId, by: i8, operand: ExprId) -> Value {
        let span = self.span(id);
        let Some((place, ty)) = self.place(operand) else {
            self.effect(operand);
            return Value::Unknown(self.type_of(operand), "a value that is not represented".to_owned());
        };
        let one = Value::Integer(Expr::constant(1), Integer::INT);
        let operator = if by > 0 { Binary::Add } else { Binary::Subtract };
        let old = Value::Integer(Expr::read(place), ty);
        if let Value::Integer(expr, from) = self.binary(operator, old, one) {
            self.store(place, convert(expr, from, ty), span);
        }
        Value::Integer(Expr::read(place), ty)
    }

    /// The variables that functions of other files may change.
    pub(crate) fn visible_globals(&self) -> Vec<Place> {
        let mut visible: Vec<Place> = self
            .low
            .globals
            .iter()
            .filter(|(var, _)| matches!(self.low.unit.var(**var).storage, Storage::Global | Storage::Extern))
            .map(|(_, n)| Place::Global(*n))
            .collect();
        visible.sort_unstable();
        visible
    }
}

/// A result in the type in which C computes it.
pub(super) fn arithmetic(result: Expr, ty: Integer) -> Expr {
    result.unary(if ty.ty.signed { Op::Within(ty.ty) } else { Op::Wrap(ty.ty) })
}

/// A number of one type as one of another.
pub(crate) fn convert(expr: Expr, from: Integer, to: Integer) -> Expr {
    if to.is_bool() && !from.is_bool() {
        return expr.is_nonzero().unary(Op::Number);
    }
    if to.ty.includes(from.ty) { expr } else { expr.unary(Op::Wrap(to.ty)) }
}

//! Expressions: their values, over the variables of the program as they are when the translation has come there.
//!
//! Operands are evaluated from left to right. An operand that reads a variable which a later one may change is kept in a variable of its
//! own.

use super::bits;
use super::body::{Builder, Loose};
use super::memory::{Scalar, Target, is_function};
use super::order::Usage;
use crate::constant;
use crate::points::PointId;
use crate::syntax::{Binary, ExprId, ExprKind, Unary, VarId};
use crate::types::{Integer, Ty};
use crate::typing;
use base::Span;
use integers::{Expr, Op, Place, Relation, Type};

/// What an expression is worth.
pub(crate) enum Value {
    /// A number of a type.
    Integer(Expr, Integer),
    /// A pointer of a type.
    Pointer(Expr, Ty),
    /// A structure: where it is.
    Record(Expr, PointId),
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

    /// Whether evaluating it takes more than an expression of the program.
    fn touches(&self, id: ExprId) -> bool {
        let touches = self.low.touches.get(id.index()).copied();
        touches.unwrap_or_else(|| self.has_effects(id))
    }

    pub(crate) fn type_of(&self, id: ExprId) -> Ty {
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
            Value::Pointer(..) | Value::Record(..) => {
                let ty = Ty::Int(Integer::signed(self.low.options.data_model.word()));
                self.as_integer(Value::Unknown(ty, "a pointer as a number".to_owned()), span)
            }
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
            return self.evaluated(id);
        }
        match self.low.unit.expr(id).kind.clone() {
            ExprKind::Step { by, operand, .. } => {
                let target = self.stepped(id, operand);
                self.step(id, by, &target);
            }
            ExprKind::Assign(operator, left, right) => {
                self.assigned(id, operator, left, right);
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
            ExprKind::Block(statements) => self.block(&statements, self.span(id)),
            _ => self.evaluated(id),
        }
    }

    /// Evaluates, though nobody wants the value: it may be undefined.
    fn evaluated(&mut self, id: ExprId) {
        match self.low.unit.expr(id).kind {
            ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::Conditional(..) => {}
            ExprKind::Index(..) | ExprKind::Member(..) => {}
            ExprKind::Cast(_, operand) => return self.evaluated(operand),
            _ => {
                if self.has_effects(id) {
                    _ = self.value(id);
                }
                return;
            }
        }
        let span = self.span(id);
        let mark = self.mark();
        let (expr, ty) = match self.value(id) {
            Value::Integer(expr, integer) => (expr, integer.ty),
            Value::Pointer(expr, _) => (expr, Type::POINTER),
            Value::Record(..) | Value::Unknown(..) => return self.release(&mark),
        };
        let settled = self.settled(expr, span);
        if !settled.is_quiet() {
            let place = self.temporary(ty, span);
            self.store(place, settled, span);
        }
        self.release(&mark);
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
            ExprKind::Binary(operator @ (Binary::And | Binary::Or), ..) if self.touches(id) => {
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
            ExprKind::Binary(operator @ (Binary::And | Binary::Or), ..) if !self.touches(id) => {
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
            _ => match self.value(id) {
                Value::Pointer(pointer, _) => pointer.compare(Relation::NotEqual, Expr::constant(0)),
                value => self.as_integer(value, self.span(id)).0.is_nonzero(),
            },
        }
    }

    /// The value of an expression.
    pub(crate) fn value(&mut self, id: ExprId) -> Value {
        let unit = self.low.unit;
        match &unit.expr(id).kind {
            ExprKind::Integer(value, ty) => Value::Integer(Expr::constant(*value), *ty),
            ExprKind::Var(_)
            | ExprKind::Index(..)
            | ExprKind::Member(..)
            | ExprKind::Text(_)
            | ExprKind::Compound(..)
            | ExprKind::Unary(Unary::Deref, _) => {
                if matches!(self.type_of(id), Ty::Function(_)) {
                    return self.function_value(id);
                }
                let target = self.target(id);
                self.held(target)
            }
            ExprKind::Function(_) => self.function_value(id),
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
                let target = self.stepped(id, *operand);
                if *is_prefix {
                    self.step(id, *by, &target);
                    return self.held(target);
                }
                let old = self.held(target.clone());
                let old = self.kept_value(old, self.span(id));
                self.step(id, *by, &target);
                old
            }
            ExprKind::Conditional(condition, yes, no) => self.conditional(id, *condition, *yes, *no),
            ExprKind::Call(function, args) => self.call(id, *function, args, super::call::Wanted::Anywhere),
            ExprKind::Cast(ty, operand) => self.cast(id, ty, *operand),
            ExprKind::SizeOf(operand) => self.size(id, *operand),
            ExprKind::Block(statements) => self.block_value(statements),
            _ => self.other(id),
        }
    }

    /// The size of an object, in bytes.
    fn size(&self, id: ExprId, operand: ExprId) -> Value {
        let (unit, model) = (self.low.unit, self.low.options.data_model);
        let size = constant::evaluate(unit, id, model).map(|(size, _)| Expr::constant(size));
        match size.or_else(|| self.variable_size(operand)) {
            Some(size) => Value::Integer(size, Integer::unsigned(model.word())),
            None => Value::Unknown(self.type_of(id), "the size of an object".to_owned()),
        }
    }

    /// What is neither a number nor a pointer.
    fn other(&mut self, id: ExprId) -> Value {
        let ty = self.type_of(id);
        let construct = match &self.low.unit.expr(id).kind {
            ExprKind::Float => "a floating-point number".to_owned(),
            ExprKind::SizeOfUnknown => "the size of a type".to_owned(),
            ExprKind::Other(name, _) => (*name).to_owned(),
            _ => ty.describe().to_owned(),
        };
        Value::Unknown(ty, construct)
    }

    /// A value that nothing changes from here on.
    fn kept_value(&mut self, value: Value, span: Span) -> Value {
        match value {
            Value::Integer(expr, ty) => Value::Integer(self.kept(expr, ty.ty, span), ty),
            Value::Pointer(expr, ty) => {
                let scalar = Scalar::Pointer(ty.clone());
                Value::Pointer(self.kept(expr, scalar.ty(), span), ty)
            }
            value => value,
        }
    }

    /// A function, as what a pointer to it holds.
    fn function_value(&mut self, id: ExprId) -> Value {
        let ty = self.type_of(id).decayed();
        match self.low.unit.expr(id).kind {
            ExprKind::Function(function) => {
                Value::Pointer(Expr::constant(self.low.function_number(function)), ty)
            }
            // `*f` of a pointer is the function again.
            ExprKind::Unary(Unary::Deref | Unary::Address, operand) => match self.value(operand) {
                Value::Pointer(expr, _) => Value::Pointer(expr, ty),
                value => value,
            },
            _ => Value::Unknown(ty, "a function".to_owned()),
        }
    }

    pub(crate) fn variable_place(&self, var: VarId) -> Option<(Place, Scalar)> {
        let ty = self.low.represented(var)?;
        let local = self.place.get(&var).map(|n| Place::Local(*n));
        Some((local.or_else(|| self.low.global(var))?, ty))
    }

    fn unary(&mut self, id: ExprId, operator: Unary, operand: ExprId) -> Value {
        match operator {
            Unary::Not => {
                let formula = if self.touches(operand) && !self.is_pointer(operand) {
                    self.integer(operand).0.is_nonzero()
                } else {
                    self.truth(operand)
                };
                return Value::Integer(formula.not().unary(Op::Number), Integer::INT);
            }
            Unary::Address => return self.address(id, operand),
            _ => {}
        }
        let (expr, ty) = match self.value(operand) {
            Value::Integer(expr, ty) => (expr, ty.promoted()),
            Value::Unknown(_, construct) => return Value::Unknown(self.type_of(id), construct),
            _ => return Value::Unknown(self.type_of(id), "a pointer as a number".to_owned()),
        };
        match operator {
            Unary::Plus => Value::Integer(expr, ty),
            Unary::Minus => Value::Integer(arithmetic(expr.unary(Op::Negate), ty), ty),
            _ => Value::Integer(bits::complement(expr, ty), ty),
        }
    }

    fn is_pointer(&self, id: ExprId) -> bool {
        self.type_of(id).integer().is_none()
    }

    fn address(&mut self, id: ExprId, operand: ExprId) -> Value {
        let ty = self.type_of(id);
        if matches!(self.type_of(operand), Ty::Function(_)) {
            return self.function_value(operand);
        }
        match self.target(operand) {
            Target::Cell { pointer, .. } => Value::Pointer(pointer, ty),
            Target::Lost(_, construct) => Value::Unknown(ty, construct),
            Target::Variable(..) => Value::Unknown(ty, "the address of a variable".to_owned()),
        }
    }

    /// `&&` or `||` as a number.
    fn logical(&mut self, id: ExprId) -> Value {
        if !self.touches(id) {
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
        if !self.has_effects(next) {
            return value;
        }
        let (Value::Integer(expr, _) | Value::Pointer(expr, _)) = &value else { return value };
        let usage = Usage::of(self.low.unit, next);
        let is_changed = |place: Place| match place {
            Place::Global(_) if !usage.calls.is_empty() || usage.has_statements => true,
            _ => {
                let changed =
                    |var: &VarId| self.variable_place(*var).is_some_and(|(other, _)| other == place);
                usage.has_statements || usage.writes.iter().any(changed)
            }
        };
        if expr.has_loads() || expr.reads().any(is_changed) {
            return self.kept_value(value, self.span(next));
        }
        value
    }

    /// An operator on two values.
    pub(crate) fn binary(&mut self, operator: Binary, left: Value, right: Value) -> Value {
        if matches!((&left, &right), (Value::Pointer(..), _) | (_, Value::Pointer(..))) {
            return self.pointers(operator, left, right);
        }
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
            Value::Pointer(_, ty) => (ty, None),
            Value::Record(..) => (Ty::Other, None),
            Value::Unknown(ty, construct) => (ty.decayed(), Some(construct)),
        };
        let ((left, one), (right, other)) = (parts(left), parts(right));
        let construct = one.or(other).unwrap_or_else(|| "a structure as a number".to_owned());
        Value::Unknown(typing::combined(operator, left, right, self.low.options.data_model), construct)
    }

    /// An operator of which an operand is a pointer.
    fn pointers(&mut self, operator: Binary, left: Value, right: Value) -> Value {
        match (operator, left, right) {
            (Binary::Subtract, Value::Pointer(left, ty), Value::Pointer(right, _)) => {
                self.distance(left, right, &ty)
            }
            (Binary::Add, left @ Value::Pointer(..), right) => self.moved(left, right, Op::Add),
            (Binary::Add, left, right) => self.moved(right, left, Op::Add),
            (Binary::Subtract, left, right) => self.moved(left, right, Op::Subtract),
            (Binary::Compare(relation), left, right) => {
                let as_pointer = |value: Value| match value {
                    Value::Pointer(expr, ty) => Ok((expr, Some(ty))),
                    Value::Integer(expr, _) if expr.as_constant() == Some(0) => Ok((expr, None)),
                    Value::Unknown(_, construct) => Err(construct),
                    _ => Err("a pointer as a number".to_owned()),
                };
                match (as_pointer(left), as_pointer(right)) {
                    (Ok((left, one)), Ok((right, other))) => {
                        let is_plain = matches!(relation, Relation::Equal | Relation::NotEqual)
                            || one.or(other).is_none_or(|ty| is_function(&ty));
                        let formula = if is_plain {
                            left.compare(relation, right)
                        } else {
                            left.binary(Op::Difference, right).compare(relation, Expr::constant(0))
                        };
                        Value::Integer(formula.unary(Op::Number), Integer::INT)
                    }
                    (Err(construct), _) | (_, Err(construct)) => {
                        Value::Unknown(Ty::Int(Integer::INT), construct)
                    }
                }
            }
            (_, left, right) => self.unknown_binary(operator, left, right),
        }
    }

    fn conditional(&mut self, id: ExprId, condition: ExprId, yes: Option<ExprId>, no: ExprId) -> Value {
        let ty = self.type_of(id);
        let span = self.span(id);
        let Some(integer) = ty.integer() else { return self.chosen(id, condition, yes, no) };
        if !self.touches(id) {
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
                self.assign(place, &Scalar::Integer(integer), yes, span);
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
        self.assign(place, &Scalar::Integer(integer), no, span);
        ends.extend(self.leave(span));
        self.go_on(ends);
        Value::Integer(Expr::read(place), integer)
    }

    /// `?:` of pointers or structures.
    fn chosen(&mut self, id: ExprId, condition: ExprId, yes: Option<ExprId>, no: ExprId) -> Value {
        let (ty, span) = (self.type_of(id), self.span(id));
        let node = match ty {
            Ty::Record(_) => self.low.points.place(id),
            _ => self.low.points.value(id),
        };
        let lost = node.and_then(|node| self.low.points.lost(node)).map(|lost| lost.construct.clone());
        let is_known = matches!(ty, Ty::Pointer(_) | Ty::Record(_)) && lost.is_none();
        let kept = Scalar::Pointer(if is_function(&ty) { ty.clone() } else { pointer_to_nothing() });
        let place = self.temporary(kept.ty(), span);
        let mut ends = Loose::new();
        let (holds, fails) = match yes {
            Some(_) => self.branch(condition),
            // `a ?: b` evaluates `a` once.
            None => {
                let value = self.value(condition);
                self.choice(place, value, span);
                self.split(Expr::read(place).compare(Relation::NotEqual, Expr::constant(0)), span)
            }
        };
        self.go_on(holds);
        if let Some(yes) = yes {
            let value = self.value(yes);
            self.choice(place, value, span);
        }
        ends.extend(self.leave(span));
        self.go_on(fails);
        let value = self.value(no);
        self.choice(place, value, span);
        ends.extend(self.leave(span));
        self.go_on(ends);
        match (ty, node, is_known) {
            (Ty::Record(_), Some(node), true) => Value::Record(Expr::read(place), node),
            (ty @ Ty::Pointer(_), _, true) => Value::Pointer(Expr::read(place), ty),
            (ty, ..) => {
                let construct = lost.unwrap_or_else(|| format!("`?:` of {}", ty.describe()));
                Value::Unknown(ty, construct)
            }
        }
    }

    /// A branch of `?:` gives a pointer, or where a structure is.
    fn choice(&mut self, place: Place, value: Value, span: Span) {
        match value {
            Value::Pointer(expr, _) | Value::Record(expr, _) => self.store(place, expr, span),
            Value::Integer(expr, _) if expr.as_constant() == Some(0) => self.store(place, expr, span),
            Value::Integer(..) => self.forget(&[place], "a number as a pointer".to_owned(), span),
            Value::Unknown(_, construct) => self.forget(&[place], construct, span),
        }
    }

    fn cast(&mut self, id: ExprId, ty: &Ty, operand: ExprId) -> Value {
        let value = self.value(operand);
        if let Ty::Pointer(_) = ty {
            let lost = self.low.points.value(id).and_then(|node| self.low.points.lost(node));
            return match (lost.map(|lost| lost.construct.clone()), value) {
                (Some(construct), _) if !is_function(ty) => Value::Unknown(ty.clone(), construct),
                (_, Value::Pointer(expr, from)) if is_function(&from) == is_function(ty) => {
                    Value::Pointer(expr, ty.clone())
                }
                (_, Value::Integer(expr, _)) if expr.as_constant() == Some(0) => {
                    Value::Pointer(expr, ty.clone())
                }
                (_, Value::Unknown(_, construct)) => Value::Unknown(ty.clone(), construct),
                _ => Value::Unknown(ty.clone(), "a cast to a pointer".to_owned()),
            };
        }
        let Some(integer) = ty.integer() else {
            return match value {
                Value::Record(pointer, node) => Value::Record(pointer, node),
                _ => Value::Unknown(ty.clone(), format!("a cast to {}", ty.describe())),
            };
        };
        match self.converted(value, &Scalar::Integer(integer)) {
            Ok(expr) => Value::Integer(expr, integer),
            Err(construct) => Value::Unknown(ty.clone(), construct),
        }
    }

    /// The last expression of a block in parentheses.
    fn block_value(&mut self, statements: &[crate::syntax::Stmt]) -> Value {
        use crate::syntax::StmtKind;
        let Some((last, others)) = statements.split_last() else {
            return Value::Unknown(Ty::Void, "a block without a value".to_owned());
        };
        self.open(statements);
        self.statements(others);
        let value = match last.kind {
            // What it is has to be known before the objects of the block end.
            StmtKind::Expr(expr) => match self.value(expr) {
                Value::Integer(value, ty) if value.has_loads() => {
                    self.kept_value(Value::Integer(value, ty), last.span)
                }
                Value::Pointer(value, ty) if value.has_loads() => {
                    self.kept_value(Value::Pointer(value, ty), last.span)
                }
                Value::Record(pointer, node) => {
                    self.scopes.hand_up();
                    return Value::Record(pointer, node);
                }
                value => value,
            },
            _ => {
                self.statement(last);
                Value::Unknown(Ty::Void, "a block without a value".to_owned())
            }
        };
        self.close(last.span);
        value
    }
}

/// A result in the type in which C computes it.
pub(super) fn arithmetic(result: Expr, ty: Integer) -> Expr {
    result.unary(if ty.ty.signed { Op::Within(ty.ty) } else { Op::Wrap(ty.ty) })
}

/// The type of pointers about which nothing else is said.
fn pointer_to_nothing() -> Ty {
    Ty::Pointer(std::rc::Rc::new(Ty::Void.into()))
}

/// A number of one type as one of another.
pub(crate) fn convert(expr: Expr, from: Integer, to: Integer) -> Expr {
    if to.is_bool() && !from.is_bool() {
        return expr.is_nonzero().unary(Op::Number);
    }
    if to.ty.includes(from.ty) { expr } else { expr.unary(Op::Wrap(to.ty)) }
}

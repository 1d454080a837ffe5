//! Types of expressions, and the values of those that are constant.

use crate::syntax::{Binary, ExprId, ExprKind, Unary, Unit};
use crate::types::{DataModel, Integer, Ty};
use integers::Relation;

/// The type of an expression.
pub(crate) fn type_of(unit: &Unit, expr: ExprId, model: DataModel) -> Ty {
    match &unit.expr(expr).kind {
        ExprKind::Integer(_, ty) => Ty::Int(*ty),
        ExprKind::Float => Ty::Float(8),
        ExprKind::Text => Ty::Array(Ty::Int(Integer::signed(8)).into(), None),
        ExprKind::Var(var) => unit.var(*var).ty.clone(),
        ExprKind::Function(function) => Ty::Function(unit.function(*function).signature.clone()),
        ExprKind::Unary(operator, operand) => {
            let operand = type_of(unit, *operand, model);
            match operator {
                Unary::Not => Ty::Int(Integer::INT),
                Unary::Address => Ty::Pointer(operand.into()),
                Unary::Deref => pointed(operand),
                Unary::Plus | Unary::Minus | Unary::Complement => match operand.integer() {
                    Some(integer) => Ty::Int(integer.promoted()),
                    None => operand,
                },
            }
        }
        ExprKind::Binary(operator, ..) => binary_type(unit, expr, *operator, model),
        ExprKind::Assign(_, left, _) => type_of(unit, *left, model),
        ExprKind::Step { operand, .. } => type_of(unit, *operand, model),
        ExprKind::Conditional(condition, yes, no) => {
            let yes = type_of(unit, yes.unwrap_or(*condition), model).decayed();
            let no = type_of(unit, *no, model).decayed();
            match (yes.integer(), no.integer()) {
                (Some(yes), Some(no)) => Ty::Int(yes.usual(no)),
                (Some(_), None) => no,
                _ => yes,
            }
        }
        ExprKind::Call(function, _) => match type_of(unit, *function, model) {
            Ty::Function(signature) => signature.result.clone(),
            Ty::Pointer(inner) => match &*inner {
                Ty::Function(signature) => signature.result.clone(),
                _ => Ty::Other,
            },
            _ => Ty::Other,
        },
        ExprKind::Cast(ty, _) | ExprKind::Compound(ty, _) | ExprKind::Other(_, ty) => ty.clone(),
        ExprKind::SizeOf(_) | ExprKind::SizeOfUnknown => Ty::Int(Integer::unsigned(model.word())),
        ExprKind::Index(array, index) => match pointed(type_of(unit, *array, model)) {
            // `3[a]` is `a[3]`.
            Ty::Other => pointed(type_of(unit, *index, model)),
            element => element,
        },
        ExprKind::Member(record, name, is_arrow) => {
            let record = type_of(unit, *record, model);
            let record = if *is_arrow { pointed(record) } else { record };
            let Ty::Record(record) = record else { return Ty::Int(Integer::INT) };
            let field = record.fields.iter().find(|(field, _)| field == name);
            field.map_or(Ty::Int(Integer::INT), |(_, ty)| ty.clone())
        }
        ExprKind::Block(_) => Ty::Int(Integer::INT),
    }
}

/// What a pointer or an array is made of.
pub(crate) fn pointed(ty: Ty) -> Ty {
    match ty {
        Ty::Pointer(inner) | Ty::Array(inner, _) => (*inner).clone(),
        Ty::Function(_) => ty,
        _ => Ty::Other,
    }
}

/// The type of a chain of binary operators, from left to right.
fn binary_type(unit: &Unit, expr: ExprId, operator: Binary, model: DataModel) -> Ty {
    match operator {
        Binary::Compare(_) | Binary::And | Binary::Or => return Ty::Int(Integer::INT),
        _ => {}
    }
    let mut rights = Vec::new();
    let mut at = expr;
    let mut left = loop {
        match &unit.expr(at).kind {
            ExprKind::Binary(Binary::Compare(_) | Binary::And | Binary::Or, ..) if at != expr => {
                break Ty::Int(Integer::INT);
            }
            ExprKind::Binary(operator, left, right) => {
                rights.push((*operator, *right));
                at = *left;
            }
            _ => break type_of(unit, at, model).decayed(),
        }
    };
    while let Some((operator, right)) = rights.pop() {
        let right = type_of(unit, right, model).decayed();
        left = combined(operator, left, right, model);
    }
    left
}

/// The type of one operator.
fn combined(operator: Binary, left: Ty, right: Ty, model: DataModel) -> Ty {
    match (operator, &left, &right) {
        (Binary::Comma, ..) => right,
        (Binary::ShiftLeft | Binary::ShiftRight, Ty::Int(left), _) => Ty::Int(left.promoted()),
        (_, Ty::Int(left), Ty::Int(right)) => Ty::Int(left.usual(*right)),
        (Binary::Subtract, Ty::Pointer(_), Ty::Pointer(_)) => Ty::Int(Integer::signed(model.word())),
        (_, Ty::Int(_), _) => right,
        _ => left,
    }
}

/// The value of a constant expression, in its type.
pub(crate) fn evaluate(unit: &Unit, expr: ExprId, model: DataModel) -> Option<(i128, Integer)> {
    match &unit.expr(expr).kind {
        ExprKind::Integer(value, ty) => Some((*value, *ty)),
        ExprKind::SizeOf(operand) => {
            let (size, _) = type_of(unit, *operand, model).layout(model)?;
            Some((size.into(), Integer::unsigned(model.word())))
        }
        ExprKind::Unary(operator, operand) => {
            let (value, ty) = evaluate(unit, *operand, model)?;
            let promoted = ty.promoted();
            let (value, ty) = match operator {
                Unary::Plus => (value, promoted),
                Unary::Minus => (-value, promoted),
                Unary::Complement => (-value - 1, promoted),
                Unary::Not => (i128::from(value == 0), Integer::INT),
                Unary::Address | Unary::Deref => return None,
            };
            Some((represented(value, ty)?, ty))
        }
        ExprKind::Binary(..) => chain(unit, expr, model),
        ExprKind::Conditional(condition, yes, no) => {
            let (condition_value, _) = evaluate(unit, *condition, model)?;
            let yes = yes.unwrap_or(*condition);
            let chosen = evaluate(unit, if condition_value != 0 { yes } else { *no }, model)?;
            let ty = type_of(unit, expr, model).integer()?;
            Some((converted(chosen.0, ty), ty))
        }
        ExprKind::Cast(Ty::Int(ty), operand) => {
            let (value, _) = evaluate(unit, *operand, model)?;
            Some((converted(value, *ty), *ty))
        }
        _ => None,
    }
}

/// A chain of binary operators, from left to right.
fn chain(unit: &Unit, expr: ExprId, model: DataModel) -> Option<(i128, Integer)> {
    let mut rights = Vec::new();
    let mut at = expr;
    while let ExprKind::Binary(operator, left, right) = &unit.expr(at).kind {
        rights.push((*operator, *right));
        at = *left;
    }
    let mut left = evaluate(unit, at, model)?;
    while let Some((operator, right)) = rights.pop() {
        left = match (operator, left.0) {
            (Binary::And, 0) => (0, Integer::INT),
            (Binary::Or, value) if value != 0 => (1, Integer::INT),
            _ => binary(operator, left, evaluate(unit, right, model)?)?,
        };
    }
    Some(left)
}

/// An operator on constants, if C gives it a value.
pub(crate) fn binary(
    operator: Binary,
    left: (i128, Integer),
    right: (i128, Integer),
) -> Option<(i128, Integer)> {
    let truth = |value: bool| Some((i128::from(value), Integer::INT));
    let ty = match operator {
        Binary::ShiftLeft | Binary::ShiftRight => left.1.promoted(),
        Binary::And => return truth(left.0 != 0 && right.0 != 0),
        Binary::Or => return truth(left.0 != 0 || right.0 != 0),
        Binary::Comma => return Some(right),
        _ => left.1.usual(right.1),
    };
    let is_shift = matches!(operator, Binary::ShiftLeft | Binary::ShiftRight);
    let a = converted(left.0, ty);
    let b = if is_shift { right.0 } else { converted(right.0, ty) };
    if is_shift && !(0..i128::from(ty.ty.bits)).contains(&b) {
        return None;
    }
    let value = match operator {
        Binary::Multiply => a.checked_mul(b)?,
        Binary::Divide => a.checked_div(b)?,
        Binary::Remainder => a.checked_rem(b)?,
        Binary::Add => a + b,
        Binary::Subtract => a - b,
        Binary::ShiftLeft => a << b,
        Binary::ShiftRight => a >> b,
        Binary::BitAnd => a & b,
        Binary::BitXor => a ^ b,
        Binary::BitOr => a | b,
        Binary::Compare(relation) => return truth(Relation::holds(relation, a, b)),
        Binary::And | Binary::Or | Binary::Comma => return None,
    };
    Some((represented(value, ty)?, ty))
}

/// A result in its type: unsigned arithmetic wraps, and signed arithmetic has no result that does not fit.
fn represented(value: i128, ty: Integer) -> Option<i128> {
    if ty.ty.signed { ty.ty.contains(value).then_some(value) } else { Some(ty.ty.wrap(value)) }
}

/// A value in another type.
pub(crate) fn converted(value: i128, ty: Integer) -> i128 {
    if ty.is_bool { i128::from(value != 0) } else { ty.ty.wrap(value) }
}

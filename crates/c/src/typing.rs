//! Types of expressions, and which of them are places that something can be stored in.

use crate::syntax::{Binary, ExprId, ExprKind, StmtKind, Unary, Unit};
use crate::types::{DataModel, Integer, Qualified, Ty};
use std::rc::Rc;

/// What can be said about an expression as the left side of an assignment.
pub(crate) enum Place {
    /// It is an object of this type.
    Object(Qualified),
    /// It is a value.
    Value,
}

/// The type of an expression.
pub(crate) fn type_of(unit: &Unit, expr: ExprId, model: DataModel) -> Ty {
    match &unit.expr(expr).kind {
        ExprKind::Integer(_, ty) => Ty::Int(*ty),
        ExprKind::Float => Ty::Float(8),
        ExprKind::Text(bytes) => {
            let length = bytes.as_ref().map(|bytes| bytes.len() as u64);
            Ty::Array(Rc::new(Ty::Int(Integer::PLAIN_CHAR).into()), length)
        }
        ExprKind::Function(function) => Ty::Function(unit.function(*function).signature.clone()),
        ExprKind::Unary(operator, operand) => unary_type(unit, *operator, *operand, model),
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
        ExprKind::Call(function, _) => match pointed(type_of(unit, *function, model)).bare {
            Ty::Function(signature) => signature.result.clone(),
            _ => Ty::Other,
        },
        ExprKind::Cast(ty, _) | ExprKind::Compound(ty, _) | ExprKind::Other(_, ty) => ty.clone(),
        ExprKind::SizeOf(_) | ExprKind::SizeOfUnknown => Ty::Int(Integer::unsigned(model.word())),
        ExprKind::Var(_) | ExprKind::Index(..) | ExprKind::Member(..) => match place_of(unit, expr, model) {
            Place::Object(object) => object.bare,
            Place::Value => member_type(unit, expr, model),
        },
        ExprKind::Block(statements) => match statements.last().map(|last| &last.kind) {
            Some(StmtKind::Expr(last)) => type_of(unit, *last, model).decayed(),
            _ => Ty::Void,
        },
    }
}

fn unary_type(unit: &Unit, operator: Unary, operand: ExprId, model: DataModel) -> Ty {
    match operator {
        Unary::Not => Ty::Int(Integer::INT),
        Unary::Address => Ty::Pointer(Rc::new(match place_of(unit, operand, model) {
            Place::Object(object) => object,
            Place::Value => type_of(unit, operand, model).into(),
        })),
        Unary::Deref => pointed(type_of(unit, operand, model)).bare,
        Unary::Plus | Unary::Minus | Unary::Complement => {
            let operand = type_of(unit, operand, model);
            operand.integer().map_or(operand, |integer| Ty::Int(integer.promoted()))
        }
    }
}

/// The type of a member of a value, such as the result of a function.
fn member_type(unit: &Unit, expr: ExprId, model: DataModel) -> Ty {
    match unit.expr(expr).kind {
        ExprKind::Member(record, name, false) => {
            member(unit, &type_of(unit, record, model).into(), name).bare
        }
        _ => Ty::Other,
    }
}

/// Whether an expression is an object, and of which type.
pub(crate) fn place_of(unit: &Unit, expr: ExprId, model: DataModel) -> Place {
    match &unit.expr(expr).kind {
        ExprKind::Var(var) => {
            let var = unit.var(*var);
            let mut object = Qualified::from(resolved(unit, var.ty.clone()));
            (object.is_const, object.is_volatile) = (var.is_const, var.is_volatile);
            Place::Object(object)
        }
        ExprKind::Unary(Unary::Deref, operand) => {
            let mut object = pointed(type_of(unit, *operand, model));
            object.is_const |= is_const_array(unit, *operand, model);
            Place::Object(object)
        }
        ExprKind::Index(array, index) => {
            let mut element = pointed(type_of(unit, *array, model));
            if element.bare == Ty::Other {
                // `3[a]` is `a[3]`.
                element = pointed(type_of(unit, *index, model));
            }
            element.is_const |= is_const_array(unit, *array, model);
            Place::Object(element)
        }
        ExprKind::Member(record, name, true) => {
            let record = pointed(type_of(unit, *record, model));
            Place::Object(member(unit, &record, *name))
        }
        ExprKind::Member(record, name, false) => match place_of(unit, *record, model) {
            Place::Object(record) => Place::Object(member(unit, &record, *name)),
            Place::Value => Place::Value,
        },
        ExprKind::Compound(ty, _) | ExprKind::Other(_, ty) => Place::Object(ty.clone().into()),
        ExprKind::Text(_) => Place::Object(type_of(unit, expr, model).into()),
        _ => Place::Value,
    }
}

/// Whether an expression is an object that others than the program may change.
pub(crate) fn is_volatile(unit: &Unit, expr: ExprId, model: DataModel) -> bool {
    matches!(place_of(unit, expr, model), Place::Object(Qualified { is_volatile: true, .. }))
}

/// Whether it is an array whose elements are not to be changed.
fn is_const_array(unit: &Unit, expr: ExprId, model: DataModel) -> bool {
    match place_of(unit, expr, model) {
        Place::Object(Qualified { bare: Ty::Array(..), is_const, .. }) => is_const,
        _ => false,
    }
}

/// A member of an object; what is done to the object is done to its members.
fn member(unit: &Unit, record: &Qualified, name: crate::token::Name) -> Qualified {
    let found = match record.bare {
        Ty::Record(id) => unit.record(id).fields.iter().flatten().find(|field| field.name == name),
        _ => None,
    };
    let Some(field) = found else { return Ty::Other.into() };
    field.ty.with(resolved(unit, field.ty.bare.clone())).like(record)
}

/// An enumeration that is defined by now is an integer.
pub(crate) fn resolved(unit: &Unit, ty: Ty) -> Ty {
    match ty {
        Ty::Enum(id) => unit.enumeration(id).map_or(ty, Ty::Int),
        _ => ty,
    }
}

/// What a pointer or an array is made of; what a function is, for calls.
pub(crate) fn pointed(ty: Ty) -> Qualified {
    match ty {
        Ty::Pointer(inner) | Ty::Array(inner, _) => (*inner).clone(),
        Ty::Function(_) => ty.into(),
        _ => Ty::Other.into(),
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
pub(crate) fn combined(operator: Binary, left: Ty, right: Ty, model: DataModel) -> Ty {
    match (operator, &left, &right) {
        (Binary::Compare(_) | Binary::And | Binary::Or, ..) => Ty::Int(Integer::INT),
        (Binary::Comma, ..) => right,
        (Binary::ShiftLeft | Binary::ShiftRight, Ty::Int(left), _) => Ty::Int(left.promoted()),
        (_, Ty::Int(left), Ty::Int(right)) => Ty::Int(left.usual(*right)),
        (Binary::Subtract, Ty::Pointer(_), Ty::Pointer(_)) => Ty::Int(Integer::signed(model.word())),
        (_, Ty::Float(left), Ty::Float(right)) => Ty::Float(*left.max(right)),
        (_, Ty::Int(_), _) => right,
        _ => left,
    }
}

//! Small expressions about variables that are not in the text.

use rsm::{Binary, Expr, Operation, Place, Term, Type};

/// The value of a global variable.
pub(super) fn global(place: u32, ty: &Type) -> Expr {
    Expr { code: Box::new([Term { operation: Operation::Read(Place::Global(place)), ty: ty.clone() }]) }
}

/// Two values of one type are the same.
pub(super) fn equal(left: &Expr, right: &Expr) -> Expr {
    binary(Binary::Equal, left, right)
}

/// Both conditions hold.
pub(super) fn and(left: &Expr, right: &Expr) -> Expr {
    binary(Binary::And, left, right)
}

fn binary(operator: Binary, left: &Expr, right: &Expr) -> Expr {
    let operator = Term { operation: Operation::Binary(operator), ty: Type::Bool };
    Expr { code: left.code.iter().chain(&right.code).cloned().chain([operator]).collect() }
}

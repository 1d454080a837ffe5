//! Relations between bits as expressions of the machine.

use crate::factor::{Bit, Factor};
use rsm::{Binary, Expr, Operation, Place, Term, Type};

/// That one of the valuations holds: a decision for each bit, in order.
pub(crate) fn of_factor(factor: &Factor) -> Expr {
    let mut code = Vec::new();
    let cubes: Vec<&[bool]> = factor.cubes.iter().map(Vec::as_slice).collect();
    decide(&factor.bits, &cubes, &mut code);
    Expr { code: code.into() }
}

fn decide(bits: &[Bit], cubes: &[&[bool]], code: &mut Vec<Term>) {
    let Some((&bit, rest)) = bits.split_first().filter(|_| !cubes.is_empty()) else {
        code.push(constant(!cubes.is_empty()));
        return;
    };
    let of = |value: bool| -> Vec<&[bool]> {
        cubes.iter().filter(|cube| cube[0] == value).map(|cube| &cube[1..]).collect()
    };
    let (mut yes, mut no) = (of(true), of(false));
    yes.sort_unstable();
    no.sort_unstable();
    if yes == no {
        return decide(rest, &yes, code);
    }
    match (yes.is_empty(), no.is_empty()) {
        (false, false) => {
            code.push(read(bit));
            decide(rest, &yes, code);
            decide(rest, &no, code);
            code.push(term(Operation::Conditional));
        }
        (is_negated, _) => {
            code.push(read(bit));
            if is_negated {
                code.push(term(Operation::Not));
            }
            let before = code.len();
            decide(rest, if is_negated { &no } else { &yes }, code);
            if code[before..] == [constant(true)] {
                code.truncate(before);
            } else {
                code.push(term(Operation::Binary(Binary::And)));
            }
        }
    }
}

/// All of them hold.
pub(crate) fn all(exprs: impl IntoIterator<Item = Expr>) -> Option<Expr> {
    let mut code: Vec<Term> = Vec::new();
    for expr in exprs {
        let is_first = code.is_empty();
        code.extend(expr.code.iter().cloned());
        if !is_first {
            code.push(term(Operation::Binary(Binary::And)));
        }
    }
    (!code.is_empty()).then(|| Expr { code: code.into() })
}

/// The value of a bit, or the opposite.
pub(crate) fn literal(bit: Bit, holds: bool) -> Expr {
    let mut code = vec![read(bit)];
    if !holds {
        code.push(term(Operation::Not));
    }
    Expr { code: code.into() }
}

/// A truth value.
pub(crate) fn truth(value: bool) -> Expr {
    Expr { code: Box::new([constant(value)]) }
}

/// Any value; nobody knows which.
pub(crate) fn unknown() -> Expr {
    Expr { code: Box::new([term(Operation::Choice(rsm::Freedom::Ignorance))]) }
}

fn read(bit: Bit) -> Term {
    let place = Place::Local(bit.local);
    term(if bit.next { Operation::ReadNext(place) } else { Operation::Read(place) })
}

fn constant(value: bool) -> Term {
    term(Operation::Constant(value.into()))
}

fn term(operation: Operation) -> Term {
    Term { operation, ty: Type::Bool }
}

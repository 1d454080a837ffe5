//! What an expression is, part by part, as code of the machine.
//!
//! The parts of what an expression is made of are gone through one after the other, and for each choice of them the expression is computed with intervals. Where
//! there are too many choices the largest are not looked at, and less is known.

use super::parts::Parts;
use integers::interval::{Interval, operation};
use integers::{Expr, Op, Relation};
use rsm::{Binary, Operation, Term, Type};

/// So many choices of parts are gone through for one expression.
const MOST: usize = 1024;

/// What is known of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Known {
    Number(Interval),
    Truth(Option<bool>),
}

/// Something that an expression reads: how the machine does, and its parts.
pub(super) struct Leaf<'p> {
    pub(super) op: Op,
    pub(super) read: Term,
    pub(super) parts: &'p Parts,
}

/// Decisions about the parts of leaves.
#[derive(PartialEq, Debug)]
pub(super) enum Tree {
    Known(Known),
    /// A leaf, and where its parts lead: up to this one, and so on.
    Decide(usize, Vec<(usize, Tree)>),
}

/// What an expression is, depending on the parts of its leaves.
pub(super) fn tree(expr: &Expr, leaves: &mut Vec<Leaf>) -> Tree {
    leaves.sort_by_key(|leaf| leaf.parts.count());
    let mut product = 1;
    leaves.retain(|leaf| {
        product *= leaf.parts.count();
        product <= MOST
    });
    let mut chosen = Vec::new();
    decide(expr, leaves, &mut chosen)
}

fn decide(expr: &Expr, leaves: &[Leaf], chosen: &mut Vec<(i128, i128)>) -> Tree {
    let Some(leaf) = leaves.get(chosen.len()) else { return Tree::Known(evaluate(expr, leaves, chosen)) };
    let mut runs: Vec<(usize, Tree)> = Vec::new();
    for part in 0..leaf.parts.count() {
        chosen.push(leaf.parts.interval(part));
        let next = decide(expr, leaves, chosen);
        chosen.pop();
        match runs.last_mut() {
            Some((last, before)) if *before == next => *last = part,
            _ => runs.push((part, next)),
        }
    }
    if runs.len() == 1 { runs.swap_remove(0).1 } else { Tree::Decide(chosen.len(), runs) }
}

fn evaluate(expr: &Expr, leaves: &[Leaf], chosen: &[(i128, i128)]) -> Known {
    let of_leaf = |op: Op| {
        let n = leaves.iter().position(|leaf| leaf.op == op)?;
        chosen.get(n).copied()
    };
    expr.fold(|op, operands: Vec<Known>| {
        let number = |n: usize| match operands[n] {
            Known::Number(interval) => interval,
            Known::Truth(_) => None,
        };
        let truth = |n: usize| match operands[n] {
            Known::Truth(truth) => truth,
            Known::Number(_) => None,
        };
        match op {
            Op::Truth(value) => Known::Truth(Some(value)),
            Op::Not => Known::Truth(truth(0).map(|value| !value)),
            Op::And => Known::Truth(joined(truth(0), truth(1), false)),
            Op::Or => Known::Truth(joined(truth(0), truth(1), true)),
            Op::Compare(relation) => Known::Truth(compared(relation, number(0), number(1))),
            Op::Choose => match truth(0) {
                Some(true) => Known::Number(number(1)),
                Some(false) => Known::Number(number(2)),
                None => Known::Number(hull(number(1), number(2))),
            },
            Op::Number => Known::Number(Some(match truth(0) {
                Some(value) => (value.into(), value.into()),
                None => (0, 1),
            })),
            op => {
                let intervals: Vec<Interval> = (0..operands.len()).map(number).collect();
                Known::Number(operation(op, &intervals, of_leaf, |interval, _| interval))
            }
        }
    })
}

/// Two truth values; `decisive` is the one that decides alone.
fn joined(one: Option<bool>, other: Option<bool>, decisive: bool) -> Option<bool> {
    match (one, other) {
        (Some(value), _) | (_, Some(value)) if value == decisive => Some(decisive),
        (Some(_), Some(_)) => Some(!decisive),
        _ => None,
    }
}

fn hull(one: Interval, other: Interval) -> Interval {
    let ((a, b), (c, d)) = (one?, other?);
    Some((a.min(c), b.max(d)))
}

fn compared(relation: Relation, left: Interval, right: Interval) -> Option<bool> {
    let ((a, b), (c, d)) = (left?, right?);
    let always = match relation {
        Relation::Equal => a == b && b == c && c == d,
        Relation::NotEqual => b < c || d < a,
        Relation::Less => b < c,
        Relation::LessEqual => b <= c,
        Relation::Greater => a > d,
        Relation::GreaterEqual => a >= d,
    };
    let never = match relation {
        Relation::Equal => b < c || d < a,
        Relation::NotEqual => a == b && b == c && c == d,
        Relation::Less => a >= d,
        Relation::LessEqual => a > d,
        Relation::Greater => b <= c,
        Relation::GreaterEqual => b < c,
    };
    match (always, never) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

/// The code of a tree, with that of what it knows.
pub(super) fn code(tree: &Tree, leaves: &[Leaf], known: &dyn Fn(Known, &mut Vec<Term>), out: &mut Vec<Term>) {
    match tree {
        Tree::Known(value) => known(*value, out),
        Tree::Decide(n, runs) => {
            let read = &leaves[*n].read;
            let (last, others) = runs.split_last().expect("a decision leads somewhere");
            for (part, next) in others {
                out.push(read.clone());
                out.push(Term { operation: Operation::Constant(*part as u64), ty: read.ty.clone() });
                out.push(boolean(Operation::Binary(Binary::LessEqual)));
                code(next, leaves, known, out);
            }
            code(&last.1, leaves, known, out);
            out.extend(others.iter().map(|_| boolean(Operation::Conditional)));
        }
    }
}

/// An operation whose result is a truth value.
pub(super) fn boolean(operation: Operation) -> Term {
    Term { operation, ty: Type::Bool }
}

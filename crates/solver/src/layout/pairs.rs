//! Constraints that pair the parts of two values: which of two copies comes first.
//!
//! `s < t` between two parameters of one type orders each part of `s` before the same part of `t`, and says nothing about
//! different parts: whatever interleaves the two values stays. Between values of different types, between parts of
//! one parameter, and beside `s ~- t`, the whole left side comes before the whole right side.

use calculus::system::{Allocation, AllocationConstraint, System, VarId};
use rustc_hash::FxHashSet;

/// For each constraint of a system whether it is a `<` that orders part by part.
pub(crate) fn paired(system: &System) -> Vec<bool> {
    let mut separate: FxHashSet<[&[VarId]; 2]> = FxHashSet::default();
    for constraint in system.constraints.iter().filter(|c| c.kind == Allocation::Separate) {
        separate.insert([&constraint.left, &constraint.right]);
        separate.insert([&constraint.right, &constraint.left]);
    }
    let is_paired = |c: &AllocationConstraint| {
        c.kind == Allocation::Before
            && !separate.contains(&[c.left.as_slice(), c.right.as_slice()])
            && c.left.len() == c.right.len()
            && c.left.iter().zip(&c.right).all(|(&a, &b)| same_part(system, a, b, c.left.len() == 1))
    };
    system.constraints.iter().map(is_paired).collect()
}

/// The same part of two parameters of one type, or two numbers of one sort if both sides are `scalar`.
fn same_part(system: &System, a: VarId, b: VarId, scalar: bool) -> bool {
    let (x, y) = (&system.vars[a.index()], &system.vars[b.index()]);
    let type_name = |v: &calculus::system::Var| &system.binders[v.binder.index()].type_name;
    let alike = x.path == y.path && type_name(x) == type_name(y);
    x.binder != y.binder && x.sort == y.sort && (scalar || alike)
}

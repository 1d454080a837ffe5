//! Conditions that can hold in every state, so that they restrict nothing.

use super::{ValueSet, possible_with};
use crate::expr::{Expr, Type};
use crate::machine::Place;

/// So many valuations of what a condition reads are tried at most.
const MOST_VALUATIONS: u64 = 1 << 10;

/// The condition can hold whatever values the variables have. Every condition that constants decide is recognised, such as `T`
/// and `x | T`; others, such as `x | !x`, if they read few bits.
pub fn holds_always(condition: &Expr) -> bool {
    let anything = possible_with(condition, &mut |_, _, ty| ValueSet::all(ty));
    if anything.is_ok_and(|values| !values.contains(0)) {
        return true;
    }
    let Some(variables) = few_variables(condition) else { return false };
    let mut valuation = vec![0; variables.len()];
    loop {
        let value = |place: Place| {
            let at = variables.iter().position(|variable| variable.0 == place);
            valuation[at.expect("a variable of the condition")]
        };
        let values = possible_with(condition, &mut |place, _, ty| ValueSet::single(value(place), ty));
        if !values.is_ok_and(|values| values.contains(1)) {
            return false;
        }
        // Count on, the first variable fastest.
        let Some(next) = (0..variables.len()).find(|&n| valuation[n] < variables[n].1.max()) else {
            return true;
        };
        valuation[next] += 1;
        valuation[..next].fill(0);
    }
}

/// The variables that a condition reads, each once, unless they have too many valuations.
fn few_variables(condition: &Expr) -> Option<Vec<(Place, &Type)>> {
    let mut variables: Vec<(Place, &Type)> = Vec::new();
    let mut n_valuations: u64 = 1;
    for term in &condition.code {
        let crate::expr::Operation::Read(place) = term.operation else { continue };
        if variables.iter().any(|variable| variable.0 == place) {
            continue;
        }
        n_valuations = n_valuations.saturating_mul(term.ty.max().saturating_add(1));
        if n_valuations > MOST_VALUATIONS {
            return None;
        }
        variables.push((place, &term.ty));
    }
    Some(variables)
}

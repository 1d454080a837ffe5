//! Conditions that never hold, whatever the state: expressions of constants only whose value is F.

use crate::expr::{Expr, Operation};
use crate::values::{View, evaluate};

/// The condition reads nothing, chooses nothing, and is false.
pub(super) fn is_never(condition: &Expr) -> bool {
    let is_open = |operation| {
        matches!(
            operation,
            Operation::Read(_) | Operation::ReadNext(_) | Operation::Choice(_) | Operation::Schoose
        )
    };
    // Nearly every expression reads something.
    if condition.code.iter().any(|term| is_open(term.operation)) {
        return false;
    }
    evaluate(condition, &View::new(&[], &[]), &mut |_| unreachable!("nothing is chosen")) == 0
}

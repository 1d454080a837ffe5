//! What holds whenever a thread enters a function.
//!
//! Saying so changes nothing for runs. But an engine that looks at functions for all states in which they could be
//! entered, not only for those in which they are, would otherwise look at threads that have stopped already or run in
//! contexts of others.

use crate::Scheme;
use crate::plan::{Order, Plan};
use crate::statement::equal;

/// The condition.
pub(crate) fn invariant(plan: &Plan) -> String {
    let words = &plan.words;
    let mut parts = vec![format!("!{}", words.stop)];
    match (plan.scheme, plan.order) {
        (Scheme::Eager, Order::Rounds) => parts.push(format!("{} < {}", words.context, plan.n_contexts)),
        (Scheme::Eager, Order::Free) => parts.push(is_own(plan, &words.context)),
        (Scheme::Lazy, _) => {
            parts.push(is_own(plan, &words.context));
            parts.push(is_own(plan, &words.target));
            parts.push(format!("{} <= {}", words.context, words.target));
            if !words.next.is_empty() {
                parts.push(equal(&words.next, &zeros(plan)));
            }
        }
    }
    parts.join(" & ")
}

/// A value for each shared variable, for the time when nothing is left behind.
pub(crate) fn zeros(plan: &Plan) -> Vec<String> {
    plan.words.shared.iter().map(|(_, ty)| ty.value_name(0)).collect()
}

/// The context in a variable belongs to the running thread.
fn is_own(plan: &Plan, context: &str) -> String {
    let owner = |number: usize| match plan.order {
        Order::Free => plan.words.owners[number].clone(),
        Order::Rounds => (number % plan.n_threads()).to_string(),
    };
    let active = &plan.words.active;
    let each: Vec<String> =
        (0..plan.n_contexts).map(|n| format!("{context} = {n} & {active} = {}", owner(n))).collect();
    format!("({})", each.join(" | "))
}

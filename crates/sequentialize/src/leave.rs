//! The part of each function that ends the context of the running thread and begins its next one.
//!
//! It leaves context c, if one has begun, and then looks at the contexts behind it: the first that the thread takes is
//! the next one. Its shared values are those kept for that context. If there is none, the thread stops.
//!
//! A function of its own would be shorter, but what it does would have to be combined with its caller wherever
//! it is called. Two adders and a stopper of Bluetooth, eagerly and within three switches, took 47 seconds that way
//! and half a second this way.

use crate::Scheme;
use crate::plan::{Order, Plan};
use crate::statement::{equal, forget, integers, store};
use crate::text::{Text, line};

/// The variable that remembers where a function leaves a context; there are so many places.
pub(crate) fn declare_place(plan: &Plan, n_places: usize, text: &mut Text) {
    line!(text, "decl {}: {};", plan.words.at, integers(n_places));
}

/// The thread leaves its context at a place.
pub(crate) fn leave_at(plan: &Plan, place: usize) -> String {
    format!("{} := {place}; goto leave;", plan.words.at)
}

/// The label where it goes on.
pub(crate) fn back_at(place: usize) -> String {
    format!("R{place}")
}

/// The end of a function that leaves contexts at these places.
pub(crate) fn leave(plan: &Plan, places: &[usize], text: &mut Text) {
    let words = &plan.words;
    if places.is_empty() {
        return;
    }
    line!(text, "leave:");
    for context in 0..plan.n_contexts {
        text.block(format_args!("if ({} = {context}) then", words.context), "fi", |text| {
            end_context(plan, context, text);
        });
    }
    for context in 0..plan.n_contexts {
        begin_context(plan, context, text);
    }
    line!(text, "{}: {}return;", behind(plan.n_contexts), stop(plan));
    line!(text, "back:");
    for place in places {
        let at = &words.at;
        line!(text, "  if ({at} = {place}) then dead {at}; goto {}; fi", back_at(*place));
    }
    line!(text, "  assume(F);");
}

/// The place where contexts from this one on are looked at.
fn behind(context: usize) -> String {
    format!("from{context}")
}

/// The thread stops; nobody looks at its shared values any more.
fn stop(plan: &Plan) -> String {
    format!("{} := T; {}", plan.words.stop, forget(&plan.shared()))
}

/// The thread is in this context and leaves it.
fn end_context(plan: &Plan, context: usize, text: &mut Text) {
    let words = &plan.words;
    let shared = plan.shared();
    let next = behind(context + 1);
    let is_last = context + 1 == plan.n_contexts;
    match (plan.scheme, plan.order) {
        (Scheme::Eager, Order::Rounds) => {
            line!(text, "{}goto {next};", store(&words.copies[context], &shared));
        }
        // Nobody comes after the last context: whoever reaches a goal in it does not leave.
        _ if is_last => line!(text, "assume(F);"),
        (scheme, _) => {
            if scheme == Scheme::Lazy {
                // The copies themselves stay as they are, so that no summary has to tell old ones from new ones.
                let keep = store(&words.next, &shared);
                line!(text, "if ({} = {context}) then {keep}{}return; fi", words.target, stop(plan));
            }
            line!(text, "assume({}); goto {next};", equal(&shared, &words.copies[context + 1]));
        }
    }
}

/// The thread looks whether this context is its next one.
fn begin_context(plan: &Plan, context: usize, text: &mut Text) {
    let words = &plan.words;
    let (active, copies) = (&words.active, &words.copies[context]);
    let begin = format!("{} := {context}; {}", words.context, store(&plan.shared(), copies));
    let label = behind(context);
    match (plan.scheme, plan.order) {
        (_, Order::Free) => {
            line!(text, "{label}: if ({} = {active}) then {begin}goto back; fi", words.owners[context]);
        }
        (Scheme::Eager, Order::Rounds) => line!(text, "{label}: if (*) then {begin}goto back; fi"),
        (Scheme::Lazy, Order::Rounds) => {
            let owner = context % plan.n_threads();
            text.block(format_args!("{label}: if ({active} = {owner}) then"), "fi", |text| {
                line!(text, "if ({} = {context} | *) then {begin}goto back; fi", words.target);
                // An empty turn.
                if let Some(after) = words.copies.get(context + 1) {
                    line!(text, "assume({});", equal(copies, after));
                }
            });
        }
    }
}

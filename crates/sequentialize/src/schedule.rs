//! `main`: who runs when.
//!
//! Eagerly, each thread runs once, through all its contexts; lazily, each context has a run of its thread. The
//! thread of a context is guessed, or given by the order of rounds.

use crate::Scheme;
use crate::driver::{initialise, private};
use crate::invariant::zeros;
use crate::plan::{Order, Plan};
use crate::statement::{equal, forget, integers, store};
use crate::text::{Text, line};
use rsm::Copies;
use std::ops::Range;

/// The function `main`.
pub(crate) fn main(plan: &Plan, text: &mut Text) {
    text.blank();
    line!(text, "void main()");
    text.block(format_args!("begin"), "end", |text| {
        counters(plan).for_each(|(used, _)| {
            line!(text, "decl {used}: {};", integers(plan.n_threads()));
        });
        // Without a first state of every thread there is no run.
        for block in plan.program.blocks.iter().filter(|block| block.copies != Copies::Any) {
            initialise(plan, block, text);
            line!(text, "{}", forget(&private(plan, block)));
        }
        counters(plan).for_each(|(used, threads)| line!(text, "{used} := {};", threads.start));
        match (plan.scheme, plan.order) {
            (Scheme::Eager, Order::Free) => eager_switches(plan, text),
            (Scheme::Eager, Order::Rounds) => eager_rounds(plan, text),
            (Scheme::Lazy, _) => lazy(plan, text),
        }
    });
}

/// Copies of a block are the same: each one begins only after the one before it. For each block with several, the
/// variable that holds the next one that has not begun, and the threads.
fn counters(plan: &Plan) -> impl Iterator<Item = (&str, &Range<usize>)> {
    let has_copies = |range: &Range<usize>| plan.order == Order::Free && range.len() > 1;
    let counters = plan.words.used.iter().map(String::as_str).zip(&plan.threads);
    counters.filter(move |(_, range)| has_copies(range))
}

/// The thread in a variable owns the next context: copies begin in their order.
fn count(plan: &Plan, thread: &str, text: &mut Text) {
    for (used, threads) in counters(plan) {
        let (first, last) = (threads.start, threads.end - 1);
        let before = if first == 0 { String::new() } else { format!("{thread} < {first} | ") };
        line!(text, "assume({before}{thread} > {last} | {thread} <= {used});");
        line!(text, "if ({thread} = {used} & {used} <= {last}) then {used} := {used} + 1; fi");
    }
}

/// The schedule and all copies are guessed. A number behind those of the threads means nobody: the first contexts are
/// nobody's if fewer are needed.
fn eager_switches(plan: &Plan, text: &mut Text) {
    let words = &plan.words;
    let nobody = plan.n_threads();
    line!(text, "assume({});", equal(&plan.shared(), &words.copies[0]));
    for (context, owner) in words.owners.iter().enumerate() {
        line!(text, "assume({owner} <= {nobody});");
        match words.owners.get(context + 1) {
            None => line!(text, "assume({owner} != {nobody});"),
            Some(next) => {
                let passes = equal(&words.copies[context], &words.copies[context + 1]);
                line!(
                    text,
                    "assume({owner} = {nobody} ? {passes} : {next} != {nobody} & {owner} != {next});"
                );
            }
        }
        count(plan, owner, text);
    }
    run_all(plan, text);
    line!(text, "assume({});", words.hit);
    line!(text, "ERROR: skip;");
}

/// The values at the beginning of each round are guessed; each thread changes them in all rounds. At the end they are
/// those at the beginning of the next round.
fn eager_rounds(plan: &Plan, text: &mut Text) {
    let words = &plan.words;
    line!(text, "{}", store(&words.copies[0], &plan.shared()));
    for (copies, guesses) in words.copies[1..].iter().zip(&words.guesses) {
        line!(text, "{}", store(copies, guesses));
    }
    run_all(plan, text);
    for (copies, guesses) in words.copies.iter().zip(&words.guesses) {
        line!(text, "assume({});", equal(copies, guesses));
    }
    line!(text, "assume({});", words.hit);
    line!(text, "ERROR: skip;");
}

/// One thread after the other runs through its contexts.
fn run_all(plan: &Plan, text: &mut Text) {
    let words = &plan.words;
    line!(text, "{} := F; {}", words.hit, forget(&plan.shared()));
    for (run, threads) in words.runs.iter().zip(&plan.threads) {
        for thread in threads.clone() {
            line!(text, "{} := {thread}; {run}();", words.active);
        }
    }
}

/// Nothing is left behind.
fn reset(plan: &Plan) -> String {
    store(&plan.words.next, &zeros(plan))
}

/// One context after the other is computed.
fn lazy(plan: &Plan, text: &mut Text) {
    let words = &plan.words;
    line!(text, "{}", store(&words.copies[0], &plan.shared()));
    line!(text, "{}{}", forget(&plan.shared()), reset(plan));
    for context in 0..plan.n_contexts {
        line!(text, "{} := {context};", words.target);
        match plan.order {
            Order::Free => lazy_switch(plan, context, text),
            Order::Rounds => lazy_turn(plan, context, text),
        }
        line!(text, "dead {}, {}, {};", words.active, words.context, words.stop);
    }
}

/// Some thread other than the last one owns the context and runs.
fn lazy_switch(plan: &Plan, context: usize, text: &mut Text) {
    let words = &plan.words;
    let active = &words.active;
    line!(text, "{active} := *; assume({active} < {});", plan.n_threads());
    if let Some(before) = context.checked_sub(1) {
        line!(text, "assume({active} != {});", words.owners[before]);
    }
    count(plan, active, text);
    line!(text, "{} := {active};", words.owners[context]);
    for (run, threads) in words.runs.iter().zip(&plan.threads) {
        let begin = if threads.start == 0 { "if" } else { "elsif" };
        line!(text, "{begin} ({active} < {}) then {run}();", threads.end);
    }
    line!(text, "fi");
    if let Some(next) = words.copies.get(context + 1) {
        line!(text, "{}{}", store(next, &words.next), reset(plan));
    }
}

/// The thread whose turn it is runs, or does nothing.
fn lazy_turn(plan: &Plan, context: usize, text: &mut Text) {
    let words = &plan.words;
    let thread = context % plan.n_threads();
    let block = plan.threads.iter().position(|threads| threads.contains(&thread));
    let run = &words.runs[block.expect("every thread is one of a block")];
    let go = format!("{} := {thread}; {run}();", words.active);
    match words.copies.get(context + 1) {
        None => line!(text, "{go}"),
        Some(next) => {
            let pass = store(next, &words.copies[context]);
            let keep = store(next, &words.next);
            line!(text, "if (*) then {pass}else {go} {keep}{}fi", reset(plan));
        }
    }
}

//! Trying all interleavings gives the answers that the generated programs promise.

use generate::concurrent::{
    Count, Variant, bluetooth, bounded_buffer, dekker, lock_free_stack, peterson, philosophers,
    readers_writers, szymanski, ticket_lock,
};
use rsm::interleave::{Limits, declaration_order, least_rounds, least_switches};
use rsm::{Concurrent, Copies, Goal, ModuleId, NodeId, ThreadGoal};
use std::num::NonZeroU32;

/// So many copies stand for any number; more are not needed by the runs that the programs describe.
const COPIES: u32 = 2;

/// The places labelled `ERROR`.
fn questions(program: &Concurrent) -> Vec<ThreadGoal> {
    let mut goals = Vec::new();
    for (i, module) in program.machine.modules.iter().enumerate() {
        for (node, _) in
            module.nodes.iter().enumerate().filter(|(_, node)| node.labels.contains(&"ERROR".into()))
        {
            goals.push(ThreadGoal { goal: Goal::At(ModuleId::new(i), NodeId::new(node)), copy: None });
        }
    }
    goals
}

fn machine(text: &str) -> Concurrent {
    let mut sources = base::Sources::default();
    let (program, _) = bp::load(&mut sources, "threads", text).expect("a correct program");
    bp::lower_threads(&program, bp::ThreadOptions { slots: 0, async_labels: false })
        .expect("threads in blocks")
}

/// The least number of switches and of rounds, up to a bound.
fn least(program: &Concurrent, bound: u32) -> (Option<u32>, Option<u32>) {
    let copies = |copies: Copies| match copies {
        Copies::Number(n) => n,
        Copies::Any => COPIES,
    };
    let counts: Vec<u32> = program.blocks.iter().map(|block| copies(block.copies)).collect();
    let (goals, limits, stop) = (questions(program), Limits::default(), base::Stop::default());
    let switches = least_switches(program, &counts, &goals, bound, limits, &stop).expect("few worlds");
    // Where some block has any number of copies, any order will do; this one is good enough but for readers and writers.
    let mut order = declaration_order(&counts);
    if program.is_parameterised() && program.blocks[0].name == "reader" {
        order.reverse();
    }
    let rounds = least_rounds(program, &counts, &goals, &order, bound, limits, &stop).expect("few worlds");
    assert!(!switches.is_cut && !rounds.is_cut, "nothing here is recursive");
    let first = |least: &[Option<u32>]| least.iter().copied().flatten().min();
    (first(&switches.least), first(&rounds.least))
}

/// What the comments say: every bound with its verdict.
#[track_caller]
fn check_up_to(bound: u32, text: &str) {
    let (switches, rounds) = least(&machine(text), bound);
    let promises: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("// expect")).collect();
    assert!(!promises.is_empty(), "{text}");
    for promise in promises {
        let (question, answer) = promise.split_once(": ").expect("a verdict");
        let verdict = answer.split_once(", because ").expect("a reason").0;
        let is_reached = match question.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
            None => switches.is_some() || rounds.is_some(),
            Some(option) => {
                let (option, bound) = option.split_once(' ').expect("an option with a number");
                let least = if option == "-k" { switches } else { rounds };
                least.is_some_and(|least| least <= bound.parse().expect("a number"))
            }
        };
        let found = if is_reached { "reachable" } else { "unreachable" };
        assert_eq!(found, verdict, "{promise}: {switches:?} switches, {rounds:?} rounds\n{text}");
    }
}

#[track_caller]
fn check(text: &str) {
    check_up_to(u32::MAX, text);
}

fn threads(n: u32) -> NonZeroU32 {
    NonZeroU32::new(n).expect("not 0")
}

fn count(text: &str) -> Count {
    text.parse().expect("a count")
}

#[test]
fn mutual_exclusion_keeps_its_promise() {
    for variant in [Variant::Correct, Variant::Broken] {
        check(&peterson(variant));
        check(&dekker(variant));
        for n in 1..=3 {
            check(&szymanski(threads(n), variant));
        }
        for n in 2..=3 {
            check(&ticket_lock(threads(n), variant));
        }
    }
}

#[test]
fn philosophers_and_buffers_keep_their_promises() {
    for variant in [Variant::Correct, Variant::Broken] {
        check(&philosophers(threads(3), variant));
        check(&bounded_buffer(threads(2), variant));
    }
}

#[test]
fn the_driver_keeps_its_promise() {
    for (adders, stoppers) in [("1", "1"), ("1", "2"), ("2", "1"), ("1", "*"), ("*", "1")] {
        check(&bluetooth(count(adders), count(stoppers), Variant::Broken));
        check(&bluetooth(count(adders), count(stoppers), Variant::Correct));
    }
}

#[test]
fn the_driver_with_several_threads_of_each_kind_keeps_its_promise() {
    for (adders, stoppers) in [("2", "2"), ("*", "*")] {
        check_up_to(3, &bluetooth(count(adders), count(stoppers), Variant::Broken));
        check_up_to(3, &bluetooth(count(adders), count(stoppers), Variant::Correct));
    }
}

#[test]
fn the_stack_keeps_its_promise() {
    for variant in [Variant::Correct, Variant::Broken] {
        check(&lock_free_stack(threads(1), variant));
        check(&lock_free_stack(threads(2), variant));
        check_up_to(2, &lock_free_stack(threads(3), variant));
    }
}

#[test]
fn readers_and_writers_keep_their_promise() {
    for (readers, writers) in [("1", "1"), ("1", "2"), ("2", "1"), ("2", "2"), ("*", "1"), ("2", "*")] {
        check(&readers_writers(count(readers), count(writers), Variant::Correct));
        check(&readers_writers(count(readers), count(writers), Variant::Broken));
    }
}

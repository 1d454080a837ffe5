//! Running out of something is an answer, and every byte is counted.

mod harness;

use base::{Gauge, Stop, StopReason};
use explicit::{Answer, Limits, Settings, Stopped};
use harness::{labelled, limited, machine};

const GRID: &str = "decl x: int<32>, y: int<32>; init x = 0 & y = 0;
    void main() begin while (T) do if (*) then x := x + 1; else y := y + 1; fi if (x > 1000000 & y > 1000000) then L: skip; fi od end";

#[test]
fn memory_that_is_allowed_is_not_exceeded() {
    let rsm = machine(GRID);
    for megabytes in [1, 4, 16] {
        let goals = labelled(&rsm, "L");
        let outcome =
            limited(megabytes << 20, |limits| explicit::reach(&rsm, &goals, Settings::default(), limits));
        assert_eq!(outcome.answer, Answer::Stopped(Stopped::Memory));
        assert!(outcome.figures.bytes as usize <= megabytes << 20, "{:?}", outcome.figures);
        // There is room for at least so many states, and the search came that far.
        assert!(outcome.figures.states as usize > (megabytes << 20) / 80, "{:?}", outcome.figures);
    }
}

#[test]
fn cycles_pay_for_their_edges() {
    let rsm = machine(&GRID.replace("while (T)", "while (x < 1000000)"));
    let outcome = limited(8 << 20, |limits| explicit::infinite(&rsm, Settings::default(), limits));
    assert_eq!(outcome.answer, Answer::Stopped(Stopped::Memory));
    assert!(outcome.figures.bytes <= 8 << 20 && outcome.figures.edges > 10_000, "{:?}", outcome.figures);
}

#[test]
fn a_request_to_stop_is_obeyed() {
    let rsm = machine(GRID);
    let (stop, gauge) = (Stop::default(), Gauge::default());
    stop.request(StopReason::Interrupt);
    let limits =
        Limits { max_bytes: 1 << 30, max_states: u64::MAX, max_steps: 1 << 20, stop: &stop, gauge: &gauge };
    let outcome = explicit::reach(&rsm, &labelled(&rsm, "L"), Settings::default(), &limits);
    assert_eq!(outcome.answer, Answer::Stopped(Stopped::Requested(StopReason::Interrupt)));
}

#[test]
fn a_wide_choice_can_be_stopped_in_every_order() {
    let rsm = machine("decl x: int<64>; void main() begin x := *; if (x = x + 1) then L: skip; fi end");
    for order in harness::ORDERS {
        let (stop, gauge) = (Stop::default(), Gauge::default());
        let limits =
            Limits { max_bytes: 1 << 30, max_states: 30_000, max_steps: 1 << 20, stop: &stop, gauge: &gauge };
        let outcome = explicit::reach(&rsm, &labelled(&rsm, "L"), harness::with(order), &limits);
        assert_eq!(outcome.answer, Answer::Stopped(Stopped::States), "{order:?}");
    }
}

#[test]
fn a_condition_that_is_hard_to_satisfy_is_given_up() {
    let text = "decl x: int<64>, y: int<64>; init x * y = 18446744073709551557 & x > 1 & y > 1 & x != y;
                void main() begin if (x * x * x = y * y + 7) then L: skip; fi end";
    let rsm = machine(text);
    for order in harness::ORDERS {
        let outcome = limited(1 << 22, |limits| {
            explicit::reach(&rsm, &labelled(&rsm, "L"), harness::with(order), limits)
        });
        assert!(matches!(outcome.answer, Answer::Stopped(_)), "{order:?} {:?}", outcome.answer);
    }
}

#[test]
fn a_limit_of_states_is_kept_and_the_gauge_tells() {
    let rsm = machine(GRID);
    let (stop, gauge) = (Stop::default(), Gauge::default());
    let limits =
        Limits { max_bytes: 1 << 30, max_states: 50_000, max_steps: 1 << 20, stop: &stop, gauge: &gauge };
    let outcome = explicit::reach(&rsm, &labelled(&rsm, "L"), Settings::default(), &limits);
    assert_eq!(outcome.answer, Answer::Stopped(Stopped::States));
    assert!((50_000..60_000).contains(&outcome.figures.states), "{:?}", outcome.figures);
    assert!(gauge.read().search.is_some_and(|search| search.states >= 48_000));
}

#[test]
fn a_run_that_is_too_long_is_an_answer_without_a_run() {
    let rsm = machine(
        "decl x: int<16>; init x = 0; void main() begin while (x < 60000) do x := x + 1; od L: skip; end",
    );
    let (stop, gauge) = (Stop::default(), Gauge::default());
    let limits =
        Limits { max_bytes: 1 << 30, max_states: u64::MAX, max_steps: 100, stop: &stop, gauge: &gauge };
    let outcome = explicit::reach(&rsm, &labelled(&rsm, "L"), Settings::default(), &limits);
    assert!(matches!(outcome.answer, Answer::Reached(_, None)));
}

#[test]
fn runs_that_end_or_block_are_noticed() {
    let figures = |text: &str| {
        let rsm = machine(text);
        let outcome = limited(1 << 24, |limits| explicit::infinite(&rsm, Settings::default(), limits));
        (outcome.figures.ends, outcome.figures.blocks)
    };
    assert_eq!(figures("void main() begin skip; end"), (true, false));
    assert_eq!(figures("decl x; void main() begin assume(x); end"), (true, true));
    assert_eq!(figures("void main() begin assume(F); end"), (false, true));
}

#[test]
fn finite_runs_are_looked_for_step_by_step() {
    let found = |text: &str| {
        let rsm = machine(text);
        let finite = limited(1 << 24, |limits| explicit::finite(&rsm, limits));
        assert_eq!(finite.stopped, None, "{text}");
        (finite.ends, finite.blocks)
    };
    assert_eq!(found("void main() begin skip; end"), (true, false));
    assert_eq!(found("void main() begin assume(F); end"), (false, true));
    assert_eq!(found("void main() begin while (T) do skip; od end"), (false, false));
    assert_eq!(found("void main() begin assume(*); end"), (true, false));
    let text = "decl x; init !x; void main() begin if (*) then assume(x); fi END: skip; end";
    assert_eq!(found(text), (true, true), "it blocks within steps that follow each other");
    assert_eq!(found("decl x; init x & !x; void main() begin skip; end"), (false, false), "there is no run");
    assert_eq!(found("void main() begin f(); end void f() begin f(); end"), (false, false));
    let text = "void main() begin f(); end void f() begin if (*) then f(); else assume(F); fi end";
    assert_eq!(found(text), (false, true));
    assert_eq!(found("decl x; init x; void main() begin while (T) do assert(!x); od end"), (false, true));
    assert_eq!(found("void main() begin while (T) do assert(*); od end"), (false, true), "it may fail");
    assert_eq!(
        found("void main() begin f(); end void f() begin assert(schoose[F, F]); f(); end"),
        (false, true)
    );
    assert_eq!(found("decl x; init x; void main() begin while (T) do assert(x | *); od end"), (false, false));
    let text = "decl g; void main() begin enforce g; while (T) do skip; od end";
    assert_eq!(found(text), (false, false), "where the values are not allowed no run begins");
    let text = "void main() begin f(); end void f() begin decl x; enforce x & !x; skip; end";
    assert_eq!(found(text), (false, true), "the callee has no values to begin with");
}

#[test]
fn deep_recursion_needs_no_stack_of_the_host() {
    let rsm = machine(
        "void main() begin f(0); end void f(n: int<20>) begin if (n = 100000) then L: skip; else f(n + 1); fi end",
    );
    let goals = labelled(&rsm, "L");
    let outcome = limited(1 << 29, |limits| explicit::reach(&rsm, &goals, Settings::default(), limits));
    let Answer::Reached(_, Some(trace)) = outcome.answer else { panic!("{:?}", outcome.answer) };
    assert_eq!(trace.walk(&rsm).last().map(|visit| visit.depth), Some(100_001));
    assert!(trace.runs.is_empty());
}

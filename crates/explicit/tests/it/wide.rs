//! Wide integers: values are counted as they are needed and never listed.

use crate::harness::{check_trace, infinite, is_infinite, labelled, machine, reach, with};
use explicit::{Answer, Order, Outcome};
use rsm::Rsm;

fn ask(text: &str, order: Order) -> (Rsm, Outcome) {
    let rsm = machine(text);
    let outcome = reach(&rsm, &labelled(&rsm, "L"), with(order));
    if let Answer::Reached(_, Some(trace)) = &outcome.answer {
        check_trace(&rsm, trace, text);
    }
    (rsm, outcome)
}

/// The label is reached, or not, after so many states at most.
#[track_caller]
fn check(text: &str, reached: bool, max_states: u64) {
    let (_, outcome) = ask(text, Order::Dfs);
    assert_eq!(matches!(outcome.answer, Answer::Reached(..)), reached, "{:?}\n{text}", outcome.answer);
    assert!(reached || outcome.answer == Answer::No, "{:?}\n{text}", outcome.answer);
    assert!(outcome.figures.states <= max_states, "{} states\n{text}", outcome.figures.states);
}

fn quicksort(n: u32) -> Rsm {
    machine(&generate::family("quicksort", n, &generate::Options::default()).unwrap())
}

#[test]
fn the_bug_of_quicksort_costs_the_same_at_every_width() {
    for (order, most) in [(Order::Dfs, 40), (Order::Widen, 12_000)] {
        let mut states = Vec::new();
        for n in [8, 16, 32, 64] {
            let rsm = quicksort(n);
            let outcome = reach(&rsm, &labelled(&rsm, "ERROR"), with(order));
            let Answer::Reached(_, Some(trace)) = &outcome.answer else { panic!("{:?}", outcome.answer) };
            check_trace(&rsm, trace, "quicksort");
            states.push(outcome.figures.states);
        }
        assert!(states.iter().all(|n| *n == states[0] && *n <= most), "{order:?} {states:?}");
    }
}

#[test]
fn the_infinite_run_of_quicksort_costs_the_same_at_every_width() {
    for order in [Order::Dfs, Order::Widen] {
        let mut states = Vec::new();
        for n in [8, 16, 32, 64] {
            let rsm = quicksort(n);
            let outcome = infinite(&rsm, with(order));
            assert!(is_infinite(&rsm, &outcome, &[], "quicksort"));
            states.push(outcome.figures.states);
        }
        assert!(states.iter().all(|n| *n == states[0] && *n <= 128), "{order:?} {states:?}");
    }
}

#[test]
fn a_constraint_is_found_among_all_values() {
    let body = |condition: &str| {
        format!(
            "decl x: int<64>, y: int<64>; void main() begin x, y := *, * constrain {condition};
             if (x < y) then L: skip; fi end"
        )
    };
    check(&body("x' = 12345678901 & y' = x' + 1"), true, 10);
    check(&body("x' > 9223372036854775807 & y' > x'"), true, 10);
    check(&body("x' > 1000000 & x' < 1000003 & y' = x'"), false, 20);
    check(&body("x' * 3 = 7 & y' = 6148914691236517207"), false, 20);
    check(&body("x' * 3 = 7 & y' = 18446744073709551615"), true, 20);
}

#[test]
fn initial_values_are_found_among_all_values() {
    let body = |init: &str| {
        format!(
            "decl a: int<64>, b: int<64>, c: int<64>; {init} void main() begin if (a < b) then L: skip; fi assume(c = 5); end"
        )
    };
    check(&body("init a = 9223372036854775808; init b = a + 1; init c = 18446744073709551615;"), true, 10);
    check(&body("init a = 18446744073709551615; init c = 5; init b = 12345678901234567890;"), false, 10);
    check(&body("init a + b = 7 & a = 7 & c = 1;"), false, 10);
}

#[test]
fn what_is_enforced_is_found_among_all_values() {
    let text = "void main() begin decl x: int<48>, y: int<48>; enforce x > 281474976710650 & y + 3 = x;
                assume(y > 281474976710651); L: skip; end";
    check(text, true, 20);
    let text = "decl g: int<64>; void main() begin g := 5; f(); end
                void f() begin decl x: int<64>; enforce x = g * g + 12345678901; assume(x != 12345678926); L: skip; end";
    check(text, false, 20);
}

#[test]
fn a_value_that_is_compared_behind_its_choice_is_not_counted_up_to() {
    check(
        "void main() begin decl x: int<64>; x := *; assume(x = 1311768467463790320); L: skip; end",
        true,
        20,
    );
}

#[test]
fn what_nothing_reads_is_not_chosen() {
    let text = "decl g: int<64>, h: int<32>; void main() begin decl x: int<64>; x := *; g := x; h := *; g := 3; if (g = 4) then L: skip; fi end";
    check(text, false, 20);
}

#[test]
fn many_words_are_no_problem() {
    let names: Vec<String> = (0..150).map(|n| format!("v{n}")).collect();
    let text = format!(
        "decl {}; {} void main() begin {} if ({}) then L: skip; fi end",
        names.iter().map(|name| format!("{name}: int<64>")).collect::<Vec<_>>().join(", "),
        names.iter().enumerate().map(|(n, name)| format!("init {name} = {n};")).collect::<String>(),
        names.iter().map(|name| format!("{name} := {name} + 1;")).collect::<String>(),
        names
            .iter()
            .enumerate()
            .map(|(n, name)| format!("{name} = {}", n + 1))
            .collect::<Vec<_>>()
            .join(" & "),
    );
    check(&text, true, 20);
}

#[test]
fn conditions_with_wide_choices_are_looked_at_as_sets() {
    let text = "decl x: int<32>; init x = 7; void main() begin if (x + * = 4000000000 & * * 2 = x) then L: skip; fi end";
    check(text, false, 10);
    let text = "decl x: int<32>; init x = 8; void main() begin if (x + * = 4000000000 & * * 2 = x) then L: skip; fi end";
    check(text, true, 10);
}

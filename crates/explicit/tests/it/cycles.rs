//! Infinite runs: one test for each way to be infinite, and not to be.

use crate::harness::{ORDERS, check_lasso, infinite, is_infinite, labelled, machine, repeat, with};
use explicit::{Answer, Order};

/// Whether there is an infinite run, and one through `L` again and again; every order says so.
#[track_caller]
fn check(text: &str, is_endless: bool, repeats: bool) {
    let rsm = machine(text);
    for order in ORDERS {
        let about = format!("{order:?} {text}");
        assert_eq!(is_infinite(&rsm, &infinite(&rsm, with(order)), &[], &about), is_endless, "{about}");
        let goals = labelled(&rsm, "L");
        assert_eq!(is_infinite(&rsm, &repeat(&rsm, &goals, with(order)), &goals, &about), repeats, "{about}");
    }
}

/// The frames that a round through `L` adds.
#[track_caller]
fn growth(text: &str) -> usize {
    let rsm = machine(text);
    let goals = labelled(&rsm, "L");
    let Answer::Infinite(Some(lasso)) = repeat(&rsm, &goals, with(Order::Dfs)).answer else {
        panic!("{text}")
    };
    check_lasso(&rsm, &lasso, &goals, text).growth
}

#[test]
fn recursion_that_grows_for_ever() {
    let text = "void main() begin f(); end void f() begin L: skip; f(); end";
    check(text, true, true);
    assert_eq!(growth(text), 1);
    let text = "void main() begin f(); end void f() begin L: skip; g(); end void g() begin skip; f(); end";
    check(text, true, true);
    assert_eq!(growth(text), 2);
}

#[test]
fn a_cycle_through_a_callee_that_returns() {
    let text = "void main() begin while (T) do f(); od end void f() begin L: skip; end";
    check(text, true, true);
    assert_eq!(growth(text), 0);
    check(
        "decl x; void main() begin L: x := *; while (x) do x := f(); od end bool f() begin return T; end",
        true,
        false,
    );
}

#[test]
fn a_statement_that_is_passed_once_is_not_repeated() {
    check("void main() begin L: skip; while (T) do skip; od end", true, false);
}

#[test]
fn a_callee_that_blocks_repeats_nothing() {
    check(
        "void main() begin while (T) do if (*) then f(); fi od end void f() begin L: skip; assume(F); end",
        true,
        false,
    );
}

#[test]
fn small_loops() {
    check("void main() begin L: goto L; end", true, true);
    check("void main() begin while (T) do od L: skip; end", true, false);
    check("void main() begin L: while (T) do od end", true, true);
}

#[test]
fn a_loop_that_blocks_the_second_time() {
    check("decl x; init !x; void main() begin L: while (T) do assume(!x); x := T; od end", false, false);
}

#[test]
fn bounded_recursion_ends() {
    let text =
        "void main() begin f(0); end void f(n: int<3>) begin L: skip; if (n < 6) then f(n + 1); fi end";
    check(text, false, false);
}

#[test]
fn recursion_through_a_wrapped_counter_grows() {
    let text =
        "void main() begin f(0); end void f(n: int<3>) begin if (n = 5) then L: skip; fi f(n + 1); end";
    check(text, true, true);
    assert_eq!(growth(text), 8);
}

#[test]
fn a_variable_that_does_not_matter_need_not_come_back() {
    let text = "void main() begin decl d: int<64>; d := 0; while (T) do d := d + 1; L: skip; od end";
    check(text, true, true);
    assert_eq!(growth(text), 0);
}

#[test]
fn a_variable_that_matters_has_to_come_back() {
    check(
        "decl d: int<10>; init d = 0; void main() begin L: while (d < 1000) do d := d + 1; od end",
        false,
        false,
    );
    check(
        "decl d: int<10>; init d = 0; void main() begin L: while (d <= 1023) do d := d + 1; od end",
        true,
        true,
    );
}

#[test]
fn locals_of_a_callee_are_chosen_again() {
    let text = "void main() begin f(T); end void f(p) begin decl x: int<8>; enforce x > 3; assume(p & x > 200); L: skip; f(*); end";
    check(text, true, true);
}

/// How many steps the run through `L` for ever has before its cycle and on it.
#[track_caller]
fn lengths(text: &str) -> (u128, u128) {
    let rsm = machine(text);
    let goals = labelled(&rsm, "L");
    let Answer::Infinite(Some(trace)) = repeat(&rsm, &goals, with(Order::Dfs)).answer else {
        panic!("{text}")
    };
    check_lasso(&rsm, &trace, &goals, text);
    (trace.n_stem(), trace.n_round())
}

#[test]
fn a_cycle_begins_as_early_as_it_can() {
    assert_eq!(lengths("decl x; void main() begin x := T; while (x) do skip; L: x := *; od end"), (1, 3));
    assert_eq!(
        lengths("void main() begin while (T) do f(); L: skip; od end void f() begin skip; end"),
        (0, 5)
    );
    // The first time `x` is another one, and it matters.
    let text = "decl x; init !x; void main() begin while (T) do skip; x := x | F = x; L: assume(x); od end";
    assert_eq!(lengths(text), (3, 4));
    // The first call is not the one that is made again and again.
    assert_eq!(lengths("void main() begin f(); end void f() begin L: f(); end"), (1, 1));
}

#[test]
fn an_answer_comes_early() {
    let text = generate::family("driver", 300, &generate::Options::default()).unwrap();
    let rsm = machine(&text);
    let outcome = infinite(&rsm, with(Order::Dfs));
    assert!(is_infinite(&rsm, &outcome, &[], "driver"));
    assert!(outcome.figures.states <= 1024, "{:?}", outcome.figures);
}

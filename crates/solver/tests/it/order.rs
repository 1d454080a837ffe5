//! The variable order: constraints are honoured, copies stand together, contradictions show their cycle.

use crate::common::{load, settings};
use solver::Solver;

/// The order of a system, copies and bits left out where they repeat; or the errors.
fn order(text: &str) -> String {
    let (sources, system) = load(text);
    match Solver::new(&system, settings(false)) {
        Ok(solver) => {
            let order = solver.order();
            let names = order.lines().filter_map(|line| line.split(' ').nth(1)).collect::<Vec<_>>();
            names.join(" ")
        }
        Err(errors) => errors.iter().map(|error| base::render(&sources, error)).collect(),
    }
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(order(text), expected);
}

/// The families in order, each once.
fn families(text: &str) -> Vec<String> {
    let mut names: Vec<String> =
        order(text).split(' ').map(|name| name.split(':').next().expect("a name").to_owned()).collect();
    names.dedup();
    names
}

#[test]
fn copies_of_a_record_are_interleaved() {
    check(
        "class S { bool a, b; };
         bool T(S s, S t) t.a = s.b & t.b = s.a;
         mu bool R(S s) s.a | (exists S t. R(t) & T(t, s));
         exists S s. R(s);",
        "s.a:0.0 s.a:1.0 s.b:0.0 s.b:1.0",
    );
}

#[test]
fn compared_numbers_are_interleaved_bit_by_bit() {
    check("enum N { 0 .. 3 }; bool Less(N a, N b) a < b;", "a:0.0 b:0.0 a:0.1 b:0.1");
}

#[test]
fn a_number_that_must_come_first_stays_interleaved() {
    check("enum N { 0 .. 3 }; bool Same(N a, N b) b < a a = b;", "b:0.0 a:0.0 b:0.1 a:0.1");
}

#[test]
fn a_number_that_must_come_first_and_apart_is_not_interleaved() {
    check("enum N { 0 .. 3 }; bool Same(N a, N b) b < a, a ~- b a = b;", "b:0.0 b:0.1 a:0.0 a:0.1");
}

#[test]
fn the_first_of_interleaved_numbers_is_the_one_that_must_come_first() {
    check("enum N { 0 .. 3 }; bool P(N a, N b) a ~+ b, b < a a = 1 & b = 2;", "b:0.0 a:0.0 b:0.1 a:0.1");
}

#[test]
fn elements_of_one_array_come_one_after_the_other() {
    check(
        "enum N { 0 .. 3 }; bool P(N a[3]) a[i + 1] < a[i] a[0] = a[1] & a[1] = a[2];",
        "a[2]:0.0 a[2]:0.1 a[1]:0.0 a[1]:0.1 a[0]:0.0 a[0]:0.1",
    );
}

#[test]
fn precedence_between_records_of_two_types_moves_all_their_leaves() {
    check(
        "class S { bool a, b; }; class T { bool c, d; }; bool P(S s, T t) t < s s.a & t.d | s.b & t.c;",
        "t.c:0.0 t.d:0.0 s.a:0.0 s.b:0.0",
    );
}

#[test]
fn precedence_between_records_of_one_type_goes_part_by_part() {
    let found = families("class S { bool a, b; }; bool P(S s, S t) t < s (s.a <-> t.b) & (s.b <-> t.a);");
    let at = |name: &str| found.iter().position(|n| n == name).expect("a family of its own");
    assert!(at("t.a") < at("s.a") && at("t.b") < at("s.b"), "{found:?}");
}

#[test]
fn copies_that_a_constraint_orders_stay_interleaved() {
    for constraints in ["t < s", "t < s, s ~+ t", "s ~+ t, s > t"] {
        check(
            &format!("class S {{ bool a, b; }}; bool P(S s, S t) {constraints} s = t;"),
            "s.a:0.0 s.a:1.0 s.b:0.0 s.b:1.0",
        );
    }
}

#[test]
fn copies_that_must_be_apart_and_ordered_stand_one_after_the_other() {
    check("class S { bool a, b; }; bool P(S s, S t) t < s, s ~- t s = t;", "t.a:0.0 t.b:0.0 s.a:0.0 s.b:0.0");
}

#[test]
fn separate_records_stand_one_after_the_other() {
    let found = families(
        "class S { bool a, b, c; };
         bool P(S s, S t) s ~- t (s.a <-> t.c) & (s.b <-> t.b) & (s.c <-> t.a);",
    );
    let records: Vec<&str> = found.iter().map(|name| &name[..1]).collect();
    assert!(
        records == ["s", "s", "s", "t", "t", "t"] || records == ["t", "t", "t", "s", "s", "s"],
        "{found:?}"
    );
}

#[test]
fn what_another_body_rules_out_is_left_aside() {
    let found =
        order("bool P(bool a, bool b) a < b a & b; mu bool R(bool x, bool y) y < x P(x, y) | R(x, y);");
    assert!(found.contains("x:0.0") && found.contains("y:0.0"), "{found}");
}

#[test]
fn wires_of_one_gate_definition_are_not_tied_together() {
    let found = families(
        "class S { bool a, b, c, d; };
         bool Not(bool x, bool y) x <-> !y;
         mu bool R(S s) Not(s.a, s.d) & Not(s.b, s.c) | R(s);",
    );
    let at = |name: &str| found.iter().position(|n| n == name).expect("a family of its own");
    assert_eq!(at("s.a").abs_diff(at("s.d")), 1, "{found:?}");
    assert_eq!(at("s.b").abs_diff(at("s.c")), 1, "{found:?}");
}

#[test]
fn cells_of_one_shape_have_one_inner_order() {
    let cell = |name: &str| {
        format!("Gate({name}.c, {name}.a) & Gate({name}.e, {name}.b) & Gate({name}.d, {name}.c)")
    };
    let found = families(&format!(
        "class Cell {{ bool a, b, c, d, e; }};
         class S {{ Cell l, r; }};
         bool Gate(bool x, bool y) x <-> y;
         mu bool R(S s) {} & {} & Gate(s.l.e, s.r.a) | R(s);",
        cell("s.l"),
        cell("s.r")
    ));
    let inner = |cell: &str| -> Vec<String> {
        found.iter().filter_map(|name| name.strip_prefix(cell)).map(str::to_owned).collect()
    };
    assert_eq!(inner("s.l"), inner("s.r"));
    assert!(found[..5].iter().all(|name| name[..3] == found[0][..3]), "{found:?}");
}

#[test]
fn two_runs_choose_the_same_order() {
    let gates: Vec<String> = (0..30).map(|i| format!("(s.b[{i}] <-> s.b[{}])", (i * 17 + 5) % 30)).collect();
    let text = format!("class S {{ bool b[30]; }}; mu bool R(S s) {} | R(s);", gates.join(" & "));
    assert_eq!(order(&text), order(&text));
}

#[test]
fn a_cycle_lists_its_constraints_and_no_others() {
    let found = order("bool P(bool a, bool b, bool c, bool d) a < b, c < d, b ~+ c, c < a a & b & c & d;");
    assert!(found.starts_with("error: allocation constraints contradict each other"), "{found}");
    for step in ["`a` before `b`", "interleaves `b` with `c`", "`c` before `a`"] {
        assert!(found.contains(step), "{step} is missing in {found}");
    }
    assert!(!found.contains("`d`"), "{found}");
}

#[test]
fn an_order_inside_an_interleaving_can_be_contradictory() {
    let found = order("class S { bool a, b; }; bool P(S s, S t) s ~+ t, s < t, t < s s = t;");
    assert!(found.starts_with("error: allocation constraints contradict each other"), "{found}");
    assert!(found.contains("`s.a` before `t.a`") && found.contains("`t.a` before `s.a`"), "{found}");
    let found = order("class S { bool a, b; }; bool P(S s, S t, S u) s < t, t < u, u < s s = t & t = u;");
    assert!(found.starts_with("error: allocation constraints contradict each other"), "{found}");
}

#[test]
fn what_is_interleaved_cannot_be_separate() {
    let found = order("class S { bool a, b; }; bool P(S s, S t) s ~+ t, s ~- t s = t;");
    assert!(
        found.contains("keeps `s.a` apart from `t.a`") && found.contains("interleaves `t.a` with `s.a`"),
        "{found}"
    );
}

//! The variable order by its effect: how many nodes a system takes. Counts are the same on every machine; the bounds are
//! generous, and far below what a bad order gives.

use crate::common::{load, settings};
use calculus::system::{Action, RelationId};
use solver::Solver;

/// The most nodes that evaluating everything in a text takes.
fn peak(text: &str) -> u64 {
    let (_, system) = load(text);
    let mut solver = Solver::new(&system, settings(false)).expect("no contradiction");
    for relation in 0..system.relations.len() {
        solver.evaluate(RelationId::new(relation)).expect("no limit");
    }
    for item in &system.items {
        if let Action::Query(formula) = item.action {
            solver.query(formula).expect("no limit");
        }
    }
    solver.statistics().peak_nodes
}

#[track_caller]
fn check(text: &str, most: u64) {
    let found = peak(text);
    assert!(found <= most, "{found} nodes, at most {most} expected\n{text}");
}

/// The one-bit variables of the last relation of a text, in order, as a dump names them.
fn variables(text: &str) -> Vec<String> {
    let (_, system) = load(text);
    let mut solver = Solver::new(&system, settings(false)).expect("no contradiction");
    let dump = solver.dump(RelationId::new(system.relations.len() - 1)).expect("no limit");
    let line = dump.lines().find_map(|line| line.strip_prefix(".orderedvarnames ")).expect("names");
    line.split_whitespace().map(|name| name.strip_suffix(":0").expect("one bit").to_owned()).collect()
}

#[test]
fn which_copy_comes_first_does_not_take_copies_apart() {
    for constraints in ["s < t", "t < s", "s ~+ t, s < t", "s ~+ t, t < s"] {
        check(&format!("class S {{ bool b[12]; }}; bool Eq(S s, S t) {constraints} (s = t);"), 200);
        check(&format!("enum N {{ 0 .. 4095 }}; bool Eq(N s, N t) {constraints} (s = t);"), 200);
    }
}

#[test]
fn the_copy_that_must_come_first_does() {
    for (constraints, expected) in
        [("s < t", "s.a t.a s.b t.b"), ("s > t", "t.a s.a t.b s.b"), ("s ~+ t, t < s", "t.a s.a t.b s.b")]
    {
        let text = format!("class S {{ bool a, b; }}; bool Eq(S s, S t) {constraints} (s = t);");
        assert_eq!(variables(&text).join(" "), expected, "{constraints}");
    }
}

#[test]
fn arguments_follow_the_order_that_a_relation_demands() {
    let found = variables(
        "class S { bool a, b; };
         mu bool R(S s, S t) t < s s = t | (exists S p. R(s, p) & p.a & !t.a & p.b = t.b);
         bool Uses(S x, S y) R(x, y) & (x.a | y.b);",
    );
    assert_eq!(found.join(" "), "y.a x.a y.b x.b");
}

#[test]
fn formals_that_must_be_apart_leave_the_copies_of_their_actual_together() {
    check(
        "class S { bool b[18]; };
         bool Near(S left, S right) left ~- right (left.b[0] <-> right.b[1]);
         bool Same(S s, S t) s = t & Near(s, s);",
        400,
    );
    // A ring of two cells: both neighbours of a cell are the other one.
    check(
        "class Cell { bool b[9]; };
         class Ring { Cell c[2]; };
         bool Turn(Cell left, Cell state, Cell next, Cell right)
           state ~+ next, left ~- right, left ~- state, right ~- state
           (left.b[0] | right.b[1] | state = next);
         bool Step(Ring s, Ring t)
           Turn(s.c[1], s.c[0], t.c[0], s.c[1]) & Turn(s.c[0], s.c[1], t.c[1], s.c[0]);",
        2_000,
    );
}

#[test]
fn mu_on_a_relation_that_does_not_need_itself_changes_nothing() {
    let good = |kind: &str| {
        format!(
            "class S {{ bool b[12]; }};
             class P {{ S l, r; }};
             {kind} bool Good(S s) s.b[0];
             {kind} bool Later(S s, S t) Good(s) & Good(t) & s.b[1];
             bool Id(P p, P q) Good(p.l) & Good(q.r) & p = q;"
        )
    };
    let plain = peak(&good(""));
    assert_eq!([peak(&good("mu")), peak(&good("nu"))], [plain, plain]);
}

#[test]
fn numbers_that_must_all_differ_stand_one_after_the_other() {
    let differ: Vec<String> =
        (0..8).flat_map(|i| (0..i).map(move |j| format!("s.h[{i}] != s.h[{j}]"))).collect();
    let text = format!(
        "enum Hole {{ 0 .. 6 }}; class Nest {{ Hole h[8]; }}; bool Fits(Nest s) {}; exists Nest s. Fits(s);",
        differ.join(" & ")
    );
    check(&text, 60_000);
}

#[test]
fn a_restricted_relation_does_not_grow_with_the_one_being_computed() {
    let text = |step: &str, applied: &str| {
        format!(
            "class S {{ bool b[10]; }};
             bool Inc(S s, S t) (t.b[0] <-> !s.b[0])
               & (forall i in 1..9. (t.b[i] <-> !s.b[i]) <-> (s.b[i-1] & !t.b[i-1]));
             bool Step(S s, S t) {step};
             mu bool Reach(S s) (forall i in 0..9. !s.b[i]) | (exists S p. Reach(p) & {applied});
             exists S s. Reach(s) & (forall i in 0..9. s.b[i]);"
        )
    };
    let plain = peak(&text("Inc(s, t)", "Step(p, s)"));
    for (step, applied) in [
        ("Inc(s, t) assume Reach(s)", "Step(p, s)"),
        ("(Inc(s, t) assume Reach(s)) assume Reach(s)", "Step(p, s)"),
        ("Inc(s, t) & Reach(s)", "Step(p, s)"),
        ("Inc(s, t)", "(Step(p, s) assume Reach(p))"),
    ] {
        check(&text(step, applied), plain + plain / 10);
    }
}

/// Eight pigeons, seven holes, a bit for each pair. Everything occurs with everything, and what occurs together stands together by holes.
#[test]
fn the_given_order_stays_where_a_sample_is_much_smaller_in_it() {
    let sits = |pigeon: usize, hole: usize| format!("s.b[{}]", pigeon * 7 + hole);
    let mut parts: Vec<String> =
        (0..8).map(|p| format!("({})", (0..7).map(|h| sits(p, h)).collect::<Vec<_>>().join(" | "))).collect();
    for hole in 0..7 {
        for p in 0..8 {
            parts.extend((p + 1..8).map(|q| format!("!({} & {})", sits(p, hole), sits(q, hole))));
        }
    }
    let text = format!("class S {{ bool b[56]; }}; exists S s. {};", parts.join(" & "));
    check(&text, 50_000);
}

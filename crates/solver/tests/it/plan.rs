//! Plans as text: what a reader of the formulas recognises in them.

use crate::common::{load, settings};
use calculus::system::RelationId;
use solver::Solver;

/// The plans of all relations, in order, in one text each.
fn plans(text: &str) -> Vec<String> {
    let (_, system) = load(text);
    let mut solver = Solver::new(&system, settings(false)).expect("no contradiction");
    (0..system.relations.len()).map(|n| solver.plan(RelationId::new(n)).expect("a plan")).collect()
}

const MACHINE: &str = "enum PC {0..3}; #explicit PC;
    class Data { bool a; bool b; bool c; };
    class State { PC pc; Data d; Data e; };
    bool Step(State x, State y) (x.pc = 0 & y.pc = 1 & x.d = y.d & x.e.a & y.e.b) | (x.pc = 1 & y.pc = 2 & y.d.a & x.e = y.e);
    mu bool Reach(State x);
    mu bool Pair(State x, State y)
        (Reach(x) & x = y)
      | (Reach(x) & x.pc = 2 & y.pc = 3 & x.d = y.d)
      | (exists State z. Pair(x, z) & Step(z, y));
    mu bool Reach(State x) x.pc = 0 | (exists State y. Pair(y, x));";

#[test]
fn columns_and_equalities_of_whole_records_are_named_by_the_record() {
    let pair =
        &plans(MACHINE)[1..].iter().find(|plan| plan.starts_with("Pair: keys ")).cloned().expect("a plan");
    assert!(pair.starts_with("Pair: keys x.pc, y.pc; bits x.d, x.e, y.d, y.e\n"), "{pair}");
    assert!(pair.contains("multiply by (x.d = y.d)\n"), "{pair}");
    assert!(pair.contains("multiply by (x.d = y.d & x.e = y.e)\n"), "{pair}");
    assert!(pair.contains("multiply by Step(z, y), forget z\n"), "{pair}");
    assert!(pair.contains("add to Pair(x, y)\n"), "{pair}");
}

#[test]
fn each_plan_names_its_relation_and_a_component_is_planned_once() {
    let plans = plans(MACHINE);
    let of =
        |name: &str| plans.iter().find(|plan| plan.starts_with(&format!("{name}: keys "))).expect("a plan");
    let with_clauses = ["Reach", "Pair"].map(|name| of(name).matches(" clause ").count());
    assert!(with_clauses.iter().filter(|n| **n > 0).count() == 1, "{plans:#?}");
    let (whole, part) = if with_clauses[0] > 0 { ("Reach", "Pair") } else { ("Pair", "Reach") };
    assert!(of(part).contains(&format!("its clauses are among those of {whole}, above")), "{plans:#?}");
    for name in ["Reach clause 2", "Pair clause 3"] {
        assert!(of(whole).contains(name), "{plans:#?}");
    }
}

#[test]
fn arguments_in_another_order_are_not_taken_for_the_record() {
    let plans = plans(
        "enum K {0..3}; #explicit K; class P { bool a; bool b; };
         bool Swap(bool b, bool a, K k) (a | b) & k = 1;
         mu bool R(P p, K k) (k = 0 & p.a) | (exists K l. R(p, l) & Swap(p.b, p.a, l) & k = 2);",
    );
    let plan = plans.last().expect("a plan");
    assert!(plan.contains("Swap(p.b, p.a, l)"), "{plan}");
    assert!(plan.contains("for new tuples of R(p, l)"), "{plan}");
}

#[test]
fn formulas_inside_a_plan_name_whole_records() {
    let plans = plans(
        "class P { bool a; bool b; bool c; };
         bool Step(P s, P t) s.a & t.b;
         nu bool Always(P s) s.c & (exists P t. Step(s, t) & Always(t));
         nu bool Long(P s) s.a & (exists P t. Step(s, t) & Step(s, s) & Step(t, s) & Step(t, t) & Step(s, t) & !Step(t, s)
           & Long(t) & Long(s) & (Long(t) | Step(s, s)) & (Step(t, t) | Long(s)));",
    );
    assert!(plans[1].contains("evaluate (exists P t. Step(s, t) & Always(t))\n"), "{}", plans[1]);
    assert!(plans[2].contains("…)\n"), "what is cut off is told: {}", plans[2]);
    assert!(plans.iter().all(|plan| !plan.contains("s.b, ") && !plan.contains("[]")), "{plans:#?}");
}

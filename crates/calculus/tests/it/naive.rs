//! The textbook twin against answers computed by hand.

use base::{Sources, Stop, StopReason, render};
use calculus::naive::{Halt, Naive};
use calculus::system::{Action, RelationId, System};

const LINE: &str = "enum N { 0..3 }; bool Edge(N s, N t) s = 0 & t = 1 | s = 1 & t = 2 | s = 2 & t = 1;";

#[track_caller]
fn load(text: &str) -> System {
    let mut sources = Sources::default();
    let file = sources.add("test.mu", text);
    let (file, errors) = calculus::parse(&sources, file);
    let checked = if errors.is_empty() { calculus::check(&file, &[]) } else { Err(errors) };
    match checked {
        Ok((system, _)) => system,
        Err(errors) => panic!("{text}\n{}", errors.iter().map(|e| render(&sources, e)).collect::<String>()),
    }
}

fn find(system: &System, name: &str) -> RelationId {
    let index = system.relations.iter().position(|r| r.name == name);
    RelationId::new(index.unwrap_or_else(|| panic!("no relation {name}")))
}

/// The tuples of a relation, as `0,1 1,2`, or why there are none.
fn show(system: &System, naive: &mut Naive, name: &str) -> String {
    let relation = find(system, name);
    match naive.relation(relation) {
        Ok(tuples) => {
            let columns = &system.relation(relation).columns;
            let show_tuple = |tuple: &Vec<u32>| {
                assert_eq!(tuple.len(), columns.len());
                let values = tuple.iter().zip(columns).map(|(&v, &c)| system.sort_of(c).value_name(v));
                values.collect::<Vec<_>>().join(",")
            };
            tuples.iter().map(show_tuple).collect::<Vec<_>>().join(" ")
        }
        Err(Halt::NotStabilising { relation, first, again }) => {
            format!("{} after round {again} is as after round {first}", system.relation(relation).name)
        }
        Err(halt) => format!("{halt:?}"),
    }
}

#[track_caller]
fn check(text: &str, expected: &[(&str, &str)]) {
    let system = load(text);
    for (name, tuples) in expected {
        let mut naive = Naive::new(&system, Stop::default());
        assert_eq!(show(&system, &mut naive, name), *tuples, "{name}");
    }
    // What is kept from earlier questions changes no answer.
    let mut naive = Naive::new(&system, Stop::default());
    for (name, tuples) in expected.iter().chain(expected.iter().rev()) {
        assert_eq!(show(&system, &mut naive, name), *tuples, "{name}, asked after others");
    }
}

/// The answers of the queries, `#wit` and `#cex` of a text.
fn answers(text: &str) -> Vec<String> {
    let system = load(text);
    let mut naive = Naive::new(&system, Stop::default());
    let mut answers = Vec::new();
    for item in &system.items {
        let found = match &item.action {
            Action::Query(formula) => {
                answers.push(naive.holds(*formula).unwrap().to_string());
                continue;
            }
            Action::Witness(binders, formula) => naive.witness(binders, *formula, true).unwrap(),
            Action::Counterexample(binders, formula) => naive.witness(binders, *formula, false).unwrap(),
            _ => continue,
        };
        answers.push(found.map_or("none".to_owned(), |valuation| {
            let show =
                |&(var, value)| format!("{}={}", system.var_name(var), system.sort_of(var).value_name(value));
            valuation.iter().map(show).collect::<Vec<_>>().join(" ")
        }));
    }
    answers
}

#[test]
fn transitive_closure() {
    for rule in ["R(s, u) & Edge(u, t)", "Edge(s, u) & R(u, t)", "R(s, u) & R(u, t)"] {
        let text = format!("{LINE} mu bool R(N s, N t) Edge(s, t) | (exists N u. {rule});");
        check(&text, &[("Edge", "0,1 1,2 2,1"), ("R", "0,1 0,2 1,1 1,2 2,1 2,2")]);
    }
}

#[test]
fn complements_stay_inside_the_declared_values() {
    let text = "enum E { a, b, c }; enum N { 2..4 };
        bool Not(E x, N n) x != b & !(n < 3);
        nu bool All(E x) All(x);";
    check(text, &[("Not", "a,3 a,4 c,3 c,4"), ("All", "a b c")]);
}

#[test]
fn mutual_recursion_is_solved_together() {
    let text = "enum N { 0..3 };
        bool Next(N s, N t) s = 0 & t = 1 | s = 1 & t = 2 | s = 2 & t = 3;
        mu bool Odd(N s);
        mu bool Even(N s) s = 0 | (exists N t. Next(t, s) & Odd(t));
        mu bool Odd(N s) exists N t. Next(t, s) & Even(t);";
    check(text, &[("Odd", "1 3"), ("Even", "0 2")]);
}

#[test]
fn a_definition_inside_a_cycle_counts_as_its_kind() {
    let text = format!(
        "{LINE} nu bool Forever(N s);
         bool Before(N s) exists N t. Edge(s, t) & Forever(t);
         nu bool Forever(N s) Before(s);"
    );
    check(&text, &[("Before", "0 1 2"), ("Forever", "0 1 2")]);
    check(&text.replace("nu bool", "mu bool"), &[("Before", ""), ("Forever", "")]);
}

/// States 0 and 1 alternate, 2 stays, 3 leads to 0; good is 1 only.
const ALTERNATION: &str = "enum N { 0..3 };
    bool Edge(N s, N t) s = 0 & t = 1 | s = 1 & t = 0 | s = 2 & t = 2 | s = 3 & (t = 0 | t = 2);";

#[test]
fn the_fixed_point_that_stands_first_is_outermost() {
    let always = "nu bool Always(N s) Until(s);";
    let until = "mu bool Until(N s) exists N t. Edge(s, t) & (t = 1 & Always(t) | Until(t));";
    // Infinitely often good.
    let text = format!("{ALTERNATION} nu bool Always(N s); {until} {always}");
    check(&text, &[("Until", "0 1 3"), ("Always", "0 1 3")]);
    // With the least fixed point outermost, Always is Until in each round.
    let text = format!("{ALTERNATION} mu bool Until(N s); {always} {until}");
    check(&text, &[("Always", ""), ("Until", "")]);
}

#[test]
fn fair_runs_of_the_sample() {
    let text = "enum S { start, loop1, loop2, goal };
        bool T(S s, S t)
          case
            s = start : t = loop1 | t = loop2;
            s = loop1 : t = loop1 | t = goal;
            s = loop2 : t = loop2 | t = goal;
            s = goal : t = start;
          esac;
        nu bool EG(S s);
        mu bool EU1(S s) EG(s) & s != loop1 | (exists S t. T(s, t) & EU1(t));
        mu bool EU2(S s) EG(s) & s != loop2 | (exists S t. T(s, t) & EU2(t));
        nu bool EG(S s) exists S t. T(s, t) & EU1(t) & EU2(t);
        nu bool EGnot(S s);
        mu bool EUnot(S s) EGnot(s) & s != loop1 | s != goal & (exists S t. T(s, t) & EUnot(t));
        nu bool EGnot(S s) s != goal & (exists S t. T(s, t) & EUnot(t));";
    // Without the goal, the run that stays in loop2 is fair to loop1.
    check(text, &[("EG", "start loop1 loop2 goal"), ("EGnot", "start loop2"), ("EUnot", "start loop2")]);
}

#[test]
fn a_frontier_is_not_positive_but_stabilises() {
    let text = "enum N { 0..3 };
        bool Edge(N s, N t) s = 0 & t = 1 | s = 1 & t = 2 | s = 3 & t = 3;
        mu bool F(bool old, N s)
          old = 0 & (s = 0 | F(0, s) | (exists N u. F(0, u) & !F(1, u) & Edge(u, s))) |
          old = 1 & F(0, s);";
    check(text, &[("F", "false,0 false,1 false,2 true,0 true,1 true,2")]);
}

#[test]
fn in_a_cycle_that_is_not_positive_the_one_asked_for_is_outermost() {
    let text = "mu bool A(bool x); mu bool B(bool x) !A(x); mu bool A(bool x) !B(x);";
    check(text, &[("A", ""), ("B", "")]);
    check(&text.replace("mu bool", "nu bool"), &[("A", "false true"), ("B", "false true")]);
    // A user of both asks for both.
    let text = format!("{text} bool Both(bool x) A(x) <-> B(x);");
    check(&text, &[("Both", "false true")]);
}

#[test]
fn a_value_that_recurs_is_reported() {
    check("mu bool L(bool x) !L(x);", &[("L", "L after round 2 is as after round 0")]);
    let text = "enum N { 0..3 }; mu bool L(N s) s = 0 | L(0) & !L(s); bool User(N s) s = 1 | L(s);";
    let expected = "L after round 3 is as after round 1";
    check(text, &[("L", expected), ("User", expected)]);
}

#[test]
fn queries_and_first_witnesses() {
    let text = format!(
        "{LINE} class P {{ bool b; N n; }};
         exists N s. Edge(s, s); forall N s. (exists N t. Edge(s, t)) | s = 3; Edge(1, 2);
         #wit exists N s, N t. Edge(s, t) & s > 0;
         #cex forall P p. p.b & p.n = 3 -> Edge(2, p.n) | p.n < 3;
         #wit exists N s. Edge(s, s);
         #cex true;"
    );
    let expected = ["false", "true", "true", "s=1 t=2", "p.b=true p.n=3", "none", "none"];
    assert_eq!(answers(&text), expected);
}

#[test]
fn a_relation_without_parameters_is_a_truth_value() {
    assert_eq!(
        answers("bool Yes() true; mu bool No() No(); Yes(); No(); Yes() & !No();"),
        ["true", "false", "true"]
    );
}

#[test]
fn an_inner_name_hides_an_outer_one() {
    let text = "enum N { 0..2 }; bool R(N s) s = 1 & (exists N s. s = 2) & s = 1;";
    check(text, &[("R", "1")]);
}

#[test]
fn large_domains_are_refused() {
    let system = load("bool Large(bool b[25]) b[0]; bool Inner() exists bool b[26]. b[0];");
    let mut naive = Naive::new(&system, Stop::default());
    let size_of = |halt| match halt {
        Err(Halt::TooLarge { size, .. }) => size,
        other => panic!("{other:?}"),
    };
    assert_eq!(size_of(naive.relation(find(&system, "Large"))), 1 << 25);
    assert_eq!(size_of(naive.relation(find(&system, "Inner"))), 1 << 26);
}

#[test]
fn a_request_to_stop_is_obeyed() {
    let system = load("bool Slow(bool b[20]) b[0] & !b[0];");
    let stop = Stop::default();
    stop.request(StopReason::Time);
    let mut naive = Naive::new(&system, stop);
    assert_eq!(naive.relation(find(&system, "Slow")), Err(Halt::Stopped(StopReason::Time)));
}

#[test]
fn a_formula_of_some_depth_is_evaluated() {
    let text = format!("bool Deep(bool x) {} x;", "! ".repeat(2000));
    check(&text, &[("Deep", "true")]);
}

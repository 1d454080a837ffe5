//! Small systems whose answers are known: text in, counts and truth values out, from the solver, its symbolic mode and
//! the twin alike.

use crate::common::{load, settings};
use base::Stop;
use calculus::naive::Naive;
use calculus::system::Action;
use solver::{Halt, Solver};

/// Checks the answers of a file's queries and `#ons` directives, in order.
#[track_caller]
fn check(text: &str, expect: &str) {
    let (_, system) = load(text);
    for symbolic in [false, true] {
        let mut solver = Solver::new(&system, settings(symbolic)).expect("no contradiction");
        let answers: Vec<String> = system
            .items
            .iter()
            .filter_map(|item| match item.action {
                Action::Query(f) => Some(solver.query(f).map_or_else(short, |b| b.to_string())),
                Action::Count(r) => Some(solver.count(r).map_or_else(short, |n| n.to_string())),
                Action::Reset(r) => {
                    solver.reset(r);
                    None
                }
                _ => None,
            })
            .collect();
        assert_eq!(answers.join(" "), expect, "symbolic: {symbolic}");
    }
    let mut twin = Naive::new(&system, Stop::default());
    let answers: Vec<String> = system
        .items
        .iter()
        .filter_map(|item| match item.action {
            Action::Query(f) => Some(twin.holds(f).map_or("unknown".to_owned(), |b| b.to_string())),
            Action::Count(r) => {
                Some(twin.relation(r).map_or("unknown".to_owned(), |set| set.len().to_string()))
            }
            _ => None,
        })
        .collect();
    assert_eq!(answers.join(" "), expect, "twin");
}

fn short(_: Halt) -> String {
    "unknown".to_owned()
}

#[test]
fn each_member_of_a_negative_cycle_is_outermost_when_it_is_asked_for() {
    check(
        "mu bool B(bool x);
         mu bool A(bool x) !B(x) & x;
         mu bool B(bool x) !A(x) | B(x);
         bool R(bool x) A(x) & B(x);
         bool S(bool x) A(x) | B(x);
         #ons S; #ons R; #ons A; #ons B; #ons S;",
        "1 0 0 1 1",
    );
}

#[test]
fn a_search_that_stopped_early_goes_on_when_more_is_asked() {
    let text = "enum N { 0..40 };
        #explicit N;
        bool Next(N m, N n) m = 0 & n = 1 | m = 1 & n = 2 | m = 2 & n = 3 | m = 3 & n = 0 | m = 7 & n = 8;
        mu bool R(N n, bool b) n = 0 & b | (exists N m. R(m, b) & Next(m, n));
        exists bool b. R(2, b);
        exists bool b. R(8, b);
        #ons R;
        exists bool b. R(3, b);";
    check(text, "true false 4 true");
}

#[test]
fn an_early_stop_does_not_cut_values_short() {
    let text = "enum K {0..3}; #explicit K;
        bool F(K k, K m) k = 0 & m = 1;
        bool N(K j, K k) j = 0 & k = 1 | j = 1 & k = 2;
        mu bool R(K k) k = 0 | (exists K j. N(j,k) & (R(j) & !(exists K m. F(j,m))));
        exists K k. R(k) & k = 0;
        R(1);
        #ons R;";
    check(text, "true false 1");
    let text = "enum K {0..3}; #explicit K;
        bool A(K k) k = 0;
        bool F(K k, K m) k = 2 & m = 1;
        bool V(K k) k = 2 | k = 3;
        bool E(K j, K k) j = 0 & k = 3;
        mu bool R(K k) k = 1 | V(k) & (exists K j. ((R(j) & E(j,k)) | k = 2 & !(exists K m. F(k,m)) & j = 0));
        exists K k. A(k) | R(k);
        R(2);";
    check(text, "true false");
}

#[test]
fn two_queries_that_stop_early_share_one_relation() {
    let text = "enum N { 0..9 };
        mu bool R(N n) n = 0 | (exists N m. R(m) & (m < n & n <= 5));
        R(1);
        R(5);
        R(6);
        forall N n. R(n) -> n <= 5;
        #ons R;";
    check(text, "true true false true 6");
}

#[test]
fn facts_of_one_key_with_different_equalities_are_united() {
    let text = "enum N { 0..3 };
        class D { bool a, b; };
        #explicit N;
        bool T(N m, D c, N n, D d)
            m = 0 & n = 1 & d.a = c.a & d.b = c.b |
            m = 0 & n = 1 & d.a = c.b & d.b = c.a |
            m = 1 & n = 2 & d.a = c.a & c.b |
            m = 2 & n = 0 & d = c;
        mu bool R(N n, D d) n = 0 & d.a & !d.b | (exists N m, D c. R(m, c) & T(m, c, n, d));
        #ons T; #ons R;";
    check(text, "14 8");
}

#[test]
fn a_constant_for_a_column_of_a_framed_relation() {
    let text = "class S { bool x, y; };
        bool Step(bool flip, S s, S t) (flip <-> t.x != s.x) & t.y = s.y;
        mu bool Reach(S s) !s.x & !s.y | (exists S p. Reach(p) & Step(1, p, s));
        #ons Reach; exists S s. Reach(s) & s.y;";
    check(text, "2 false");
}

#[test]
fn a_condition_beside_a_step_that_only_keeps_columns() {
    let text = "class S { bool x, y, z; };
        bool Step(S s, S t) t.y = s.y & t.z = s.z | s.x & t.y & !t.x & t.z;
        mu bool R(S s) s.x & s.y & !s.z | (exists S p. R(p) & Step(p, s) & p.y != p.z);
        #ons R; exists S s. R(s) & !s.y;";
    check(text, "3 false");
}

#[test]
fn a_condition_on_all_keys_is_whole_while_rows_are_ranked() {
    let text = "enum N { 0..1 };
        class S { bool b; N n; };
        #explicit N;
        mu bool All(S s) s.n = 0 | s.b | (exists S q. All(q) & !s.b);
        mu bool Same(S s, S t) s = t & (forall S u. All(u)) | (exists S u. Same(s, u) & u = t);
        #ons All; #ons Same;";
    check(text, "4 4");
}

#[test]
fn a_group_with_new_tuples_drives_the_clause_around_it() {
    let text = "enum P { 0..5 };
        #explicit P;
        bool Step(P x, P y) x = 0 & y = 1 | x = 1 & y = 2 | x = 2 & y = 3;
        mu bool S(P u, P v)
            u = v |
            (exists P x. S(u, x) & Step(x, v)) |
            (exists P x. S(u, x) & (exists P y. Step(x, y) & S(y, v)));
        #ons S;";
    check(text, "12");
}

#[test]
fn universal_quantification_over_keys_filters() {
    let text = "enum N { 0..4 };
        #explicit N;
        bool E(N m, N n) m = 0 & n = 1 | m = 1 & n = 2 | m = 3 & n = 3;
        mu bool Ends(N m) forall N n. E(m, n) -> Ends(n);
        nu bool Runs(N m) exists N n. E(m, n) & Runs(n);
        #ons Ends; #ons Runs; forall N n. Ends(n) <+> Runs(n);";
    check(text, "4 1 true");
}

#[test]
fn a_sort_of_one_value_has_no_bits() {
    check(
        "enum One { only }; bool R(One x, bool b) x = only & b; #ons R; forall One x, One y. x = y; exists One x. R(x, true);",
        "1 true true",
    );
}

#[test]
fn patterns_without_a_value_never_count() {
    let text = "enum E { a, b, c };
        bool All(E x, E y) true;
        bool Some_(E x, E y) x != y;
        nu bool Full(E x) Full(x);
        #ons All; #ons Some_; #ons Full; forall E x. x = a | x = b | x = c; exists E x. !(x = a | x = b | x = c);";
    check(text, "9 6 3 true false");
}

#[test]
fn what_does_not_stabilise_is_unknown_and_the_rest_goes_on() {
    check("mu bool L(bool x) !L(x); bool M(bool x) x; #ons L; #ons M;", "unknown 1");
}

#[test]
fn a_key_that_nothing_binds_is_enumerated_or_too_many() {
    let text = "enum N { 0..9999 }; #explicit N;
        bool Far(N x, N y) x != y;
        bool Near(N x) !(x = 3);
        #ons Near;";
    check(text, "9999");
    let (_, system) = load("enum N { 0..999999 }; #explicit N; bool Far(N x, N y) x != y; #ons Far;");
    let mut solver = Solver::new(&system, settings(false)).expect("no contradiction");
    let far = calculus::system::RelationId(0);
    assert!(matches!(solver.count(far), Err(Halt::TooLarge { .. })));
}

#[test]
fn alternation_three_deep() {
    let text = "enum S { a, b, c, d };
        bool T(S s, S t) s = a & t = b | s = b & t = c | s = c & t = a | s = a & t = d | s = d & t = d;
        nu bool X(S s);
        mu bool Y(S s);
        nu bool Z(S s);
        nu bool X(S s) Y(s);
        mu bool Y(S s) Z(s) & (s = b & X(s) | (exists S t. T(s, t) & Y(t)));
        nu bool Z(S s) exists S t. T(s, t) & Z(t) & (X(s) | Y(s));
        #ons X; #ons Y; #ons Z;";
    let (_, system) = load(text);
    let mut twin = Naive::new(&system, Stop::default());
    let counts: Vec<String> = (0..4)
        .skip(1)
        .map(|n| twin.relation(calculus::system::RelationId(n)).expect("small").len().to_string())
        .collect();
    check(text, &counts.join(" "));
}

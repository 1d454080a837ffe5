//! Certificates: a value that solves the equations of a least or greatest fixed point without being that is refused.
//!
//! Such values are put into the solver's tables by `undump`. The systems are written by hand, and random: there every solution that is not
//! the one that is meant is found by asking the twin about the dual system.

use crate::common::{load, settings};
use base::Stop;
use calculus::naive::Naive;
use calculus::random::{self, Shape};
use calculus::system::{RelationId, System};
use solver::{Finding, Solver};

fn relation(system: &System, name: &str) -> RelationId {
    let at = system.relations.iter().position(|relation| relation.name == name);
    RelationId::new(at.expect("a relation of that name"))
}

/// The finding about a relation of `text` whose value is taken from `other`, where it has the same name and columns.
fn finding(text: &str, other: &str, name: &str, symbolic: bool) -> Finding {
    let ((_, system), (_, donor)) = (load(text), load(other));
    let mut source = Solver::new(&donor, settings(symbolic)).expect("no contradiction");
    let dump = source.dump(relation(&donor, name)).expect("no limits");
    let mut solver = Solver::new(&system, settings(symbolic)).expect("no contradiction");
    let asked = relation(&system, name);
    solver.undump(asked, &dump).expect("no limits").expect("a dump of the same columns");
    let certificate = solver.certify(asked).expect("no limits");
    let of = certificate.relations.iter().find(|certified| certified.relation == name);
    let finding = of.expect("the relation asked for").finding;
    assert_eq!(certificate.holds(), certificate.relations.iter().all(|c| c.finding == Finding::Holds));
    assert!(finding == Finding::Holds || !certificate.holds());
    finding
}

#[track_caller]
fn check(text: &str, other: &str, expect: Finding) {
    for symbolic in [false, true] {
        assert_eq!(finding(text, text, "R", symbolic), Finding::Holds, "its own value, symbolic: {symbolic}");
        assert_eq!(finding(text, other, "R", symbolic), expect, "symbolic: {symbolic}");
    }
}

const RING: &str = "enum N { 0..5 }; #explicit N;
    bool Next(N m, N n) m = 0 & n = 1 | m = 1 & n = 0 | m = 2 & n = 3 | m = 3 & n = 2;";

#[test]
fn a_loop_that_supports_itself_is_not_least() {
    let text = |kind: &str| {
        format!("{RING} {kind} bool R(N n, bool b) n = 0 & b | (exists N m. R(m, b) & Next(m, n));")
    };
    check(&text("mu"), &text("nu"), Finding::NotLeast);
}

#[test]
fn a_loop_that_is_left_out_is_not_greatest() {
    let text = |kind: &str| format!("{RING} {kind} bool R(N n) exists N m. R(m) & Next(n, m);");
    check(&text("nu"), &text("mu"), Finding::NotGreatest);
}

#[test]
fn what_a_clause_derives_must_be_there() {
    let text = |start: &str| {
        format!("{RING} mu bool R(N n) n = {start} | (exists N m. R(m) & Next(m, n)) | n = 2 & R(n);")
    };
    check(&text("0"), &text("4"), Finding::NoSolution);
}

#[test]
fn what_is_inside_is_built_anew_for_each_rank() {
    // A path that never leaves R: the two loops support themselves, but nothing leads from rank 0 to them.
    let stays = |outer: &str| {
        format!(
            "{RING} {outer} bool R(N n); nu bool Stays(N n);
             {outer} bool R(N n) n = 4 | Stays(n);
             nu bool Stays(N n) R(n) & (exists N m. Next(n, m) & Stays(m));"
        )
    };
    check(&stays("mu"), &stays("nu"), Finding::NotLeast);
    // Some path meets the first loop infinitely often. With the other loop in R it is no solution: Until never leads there.
    let often = |inner: &str| {
        format!(
            "{RING} nu bool R(N n); {inner} bool Until(N n);
             nu bool R(N n) exists N m. Next(n, m) & Until(m);
             {inner} bool Until(N n) n < 2 & R(n) | (exists N m. Next(n, m) & Until(m));"
        )
    };
    check(&often("mu"), &often("nu"), Finding::NoSolution);
}

#[test]
fn a_cycle_with_negation_is_what_its_rounds_give() {
    let text = |start: &str| {
        format!(
            "{RING} mu bool R(bool new, N n)
               new & (n = {start} | R(1, n) | (exists N m. R(1, m) & !R(0, m) & Next(m, n))) | !new & R(1, n);"
        )
    };
    check(&text("0"), &text("2"), Finding::NoSolution);
}

/// Of random machines the greatest solutions are given to the least fixed points: where they differ, they are refused.
#[test]
fn greatest_solutions_of_random_systems_are_not_least() {
    let shape = Shape { machine_percent: 100, explicit_percent: 30, n_relations: 3, ..Shape::default() };
    let mut refused = 0;
    for seed in 0..150 {
        let text = random::system(seed, &shape);
        let (least, greatest) = (text.replace("nu bool", "mu bool"), text.replace("mu bool", "nu bool"));
        let ((_, system), (_, dual)) = (load(&least), load(&greatest));
        let (mut twin, mut other) =
            (Naive::new(&system, Stop::default()), Naive::new(&dual, Stop::default()));
        for (n, relation) in system.relations.iter().enumerate() {
            let id = RelationId::new(n);
            let differs = twin.relation(id).expect("small") != other.relation(id).expect("small");
            let expect = if differs { Finding::NotLeast } else { Finding::Holds };
            // What a relation uses has its least value in one system and its greatest in the other; then it may be no solution at all.
            let found = finding(&least, &greatest, &relation.name, seed % 2 == 0);
            let is_right = found == expect || differs && found == Finding::NoSolution;
            assert!(is_right, "{}: {found:?}, seed {seed} in\n{least}", relation.name);
            refused += u32::from(found == Finding::NotLeast);
        }
    }
    assert!(refused >= 30, "{refused} solutions were too large");
}

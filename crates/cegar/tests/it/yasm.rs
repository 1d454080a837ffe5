//! The programs of YASM 2008 with the paper's predicates: what the paper proves, and nothing else.

use abstraction::{Cache, Predicates};
use base::{Sources, Stop};
use cegar::{Analysis, Attempt, Proof, Prover};
use checker::Limits;
use generate::levels_in_c::{Innermost, levels_in_c};
use integers::compose::compose;
use integers::ghosts::Ghosted;
use proof::Statement;
use smt::Pipe;

/// What is said: a target may be reached, one is reached for sure, a run has no end for sure.
type Said = (bool, bool, bool);

fn ask(program: &str, predicates: &str) -> (Said, usize) {
    let mut sources = Sources::default();
    let file = sources.add("test.c", program);
    let program = c::translate(&sources, file, &c::Options::default()).expect("the program is right").program;
    let ghosted = Ghosted::new(&compose(&program).program);
    let file = sources.add("test.pred", predicates);
    let given = integers::read::predicates(&ghosted.program, &sources, file).expect("the file is right");
    let mut predicates = Predicates::new(&ghosted);
    given.iter().for_each(|(function, formula)| _ = predicates.add(&ghosted, *function, formula));
    let solver = smt::find(None).expect("there is a solver");
    let (mut cache, mut pipe) = (Cache::default(), Pipe::new(&solver, Stop::default()));
    let analysis = Analysis::new(&ghosted, &predicates, true, &mut cache, &mut pipe);
    let limits = Limits::default();
    let may = analysis.may_reach(&limits).expect("there are no limits").0;
    let must = analysis.must_reach(&limits).expect("there are no limits");
    let infinite = analysis.runs_for_ever(&limits).expect("there are no limits").0;
    assert_eq!(analysis.abstraction.statistics.n_inexact, 0);
    ((may, must, infinite), predicates.len())
}

#[track_caller]
fn runs_for_ever(program: &str, predicates: &str, n_predicates: usize) {
    let ((_, _, infinite), n) = ask(program, predicates);
    assert!(infinite);
    assert_eq!(n, n_predicates);
}

#[test]
fn ack_with_exactly_five_predicates() {
    let program = include_str!("../programs/ack.c");
    runs_for_ever(program, "ack: x > 0, y > 0, n > 0; main: mx > 0, my > 0;", 5);
    // With fewer it is not known.
    for fewer in ["ack: y > 0, n > 0; main: mx > 0, my > 0;", "ack: x > 0, y > 0, n > 0;"] {
        assert!(!ask(program, fewer).0.2, "{fewer}");
    }
}

#[test]
fn shift_and_quicksort() {
    runs_for_ever(include_str!("../programs/shift.c"), "foo: y <= 0; main: x <= 0, x <= 2;", 3);
    let quicksort = "quicksort: left < right, hi < lo, lo = left, hi = right; main: mleft < mright;";
    runs_for_ever(include_str!("../programs/quicksort.c"), quicksort, 5);
    runs_for_ever(include_str!("../programs/quicksort_rec.c"), quicksort, 5);
}

#[test]
fn the_examples_of_the_text() {
    let ((may, _, infinite), _) = ask(include_str!("../programs/ex0.c"), "main: x > 0, y > 0;");
    assert!(!may && infinite);
    let predicates = "main: x = 2, x = 3, y <= 0, y <= 1, x > 0; f2: z > 0, z = 2, z = 3, z$0 = 3, z$0 > 0, $ret = 2, $ret <= 0, z <= 0, z <= 1;";
    assert!(ask(include_str!("../programs/ex1.c"), predicates).0.2);
}

#[test]
fn levels_of_calls() {
    let (t1, t2) = (Innermost::Negates, Innermost::CallsItself);
    for (n, innermost, expected) in [
        (20, t1, (true, true, false)),
        (21, t1, (false, false, false)),
        (20, t2, (false, false, true)),
        (21, t2, (false, false, true)),
        (300, t1, (true, true, false)),
        (300, t2, (false, false, true)),
    ] {
        assert_eq!(ask(&levels_in_c(n, innermost), "*: g < 0, g <= 0;").0, expected, "{n} {innermost:?}");
    }
}

/// A branch that the predicates do not see: the path of the abstraction may be one that cannot be taken, but all ways lead to the target.
#[test]
fn what_is_reached_for_sure_is_known_without_a_run() {
    let solver = smt::find(None).expect("there is a solver");
    let limits = Limits::default();
    let mut n_sure = 0;
    for condition in ["a == 5", "a != 5"] {
        let text = format!(
            "int f(int x) {{ return x; }} void g(void) {{}}
             int main(void) {{ int a = f(5); int t; if ({condition}) g(); else t = f(2); ERROR: ; }}"
        );
        let mut sources = Sources::default();
        let file = sources.add("test.c", text);
        let program =
            c::translate(&sources, file, &c::Options::default()).expect("the program is right").program;
        let mut attempt = Attempt::new(program, Statement::Unreachable, Some(&[]));
        match attempt.advance(2, &mut Prover::new(solver.clone(), &limits)) {
            Proof::Refuted => n_sure += 1,
            Proof::Run(_) => {}
            proof => panic!("{condition}: {proof:?}"),
        }
    }
    assert_eq!(n_sure, 1);
}

//! A translation is a file of the calculus that evaluates to the verdict, by itself; MUCKE's dialect is one that MUCKE accepts.
//!
//! `GETAFIX_SEED=7` or `GETAFIX_SEED=100..200` chooses the programs.

use crate::mucke::recognise;
use base::{Gauge, Sources, Stop};
use calculus::system::Action;
use checker::{ALGORITHMS, Algorithm, Dialect, Failure, FormulaFile, Options, Programs, Target};
use generate::random::{Shape, program, seeds};
use rsm::{Goal, ModuleId, NodeId, Rsm, explicit};
use solver::{Settings, Solver};
use std::sync::Arc;
use std::time::Duration;
use testing::lower;

fn sequential() -> Vec<Algorithm> {
    ALGORITHMS.into_iter().filter(|algorithm| algorithm.programs == Programs::Sequential).collect()
}

fn translate(rsm: &Rsm, targets: &[Target], algorithm: Algorithm, dialect: Dialect) -> String {
    try_translate(rsm, targets, algorithm.text, dialect).unwrap_or_else(|failure| panic!("{failure:?}"))
}

fn try_translate(rsm: &Rsm, targets: &[Target], text: &str, dialect: Dialect) -> Result<String, Failure> {
    let mut read = |_: &str| Err("nothing is loaded".to_owned());
    let file = FormulaFile { name: "algorithm.mu", text, read: &mut read, params: &[], labels: &[] };
    checker::translate(rsm, targets, file, &Options::default(), &mut Sources::default(), dialect)
}

/// The truth value of the last query of a text.
pub fn evaluate(text: &str) -> bool {
    let mut sources = Sources::default();
    let mut read = |_: &str| Err("nothing is loaded".to_owned());
    let (tree, errors) = calculus::load(&mut sources, "translated.mu", text, &mut read);
    assert!(errors.is_empty(), "{errors:?}\n{text}");
    let (system, _) = calculus::check(&tree, &[]).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let settings = Settings {
        symbolic: false,
        record: false,
        collect_from: solver::COLLECT_FROM,
        memory: None,
        stop: Stop::default(),
        gauge: Arc::new(Gauge::default()),
        clock: || Duration::ZERO,
    };
    let mut solver = Solver::new(&system, settings).unwrap_or_else(|errors| panic!("{errors:?}"));
    let query = system.items.iter().rev().find_map(|item| match item.action {
        Action::Query(query) => Some(query),
        _ => None,
    });
    solver.query(query.expect("a query")).expect("there are no limits")
}

#[test]
fn a_translation_has_the_verdict_of_the_program() {
    let (mut n_compared, mut n_reachable) = (0, 0);
    let seeds = seeds(0..12);
    let n_seeds = seeds.clone().count();
    for seed in seeds {
        let text = program(seed, &Shape::small());
        let rsm = lower(&text);
        for (m, module) in rsm.modules.iter().enumerate() {
            let labelled = module.nodes.iter().enumerate().filter(|(_, node)| !node.labels.is_empty());
            for (n, node) in labelled.step_by(3) {
                let goals = vec![Goal::At(ModuleId::new(m), NodeId::new(n))];
                let limits = explicit::Limits::default();
                let expected = explicit::reachable(&rsm, &goals, limits, &Stop::default()).expect("small");
                let targets = [Target::new(node.labels[0].clone(), goals)];
                let algorithm = sequential()[(seed as usize + n) % sequential().len()];
                for dialect in [Dialect::Calculus, Dialect::Mucke] {
                    let translated = translate(&rsm, &targets, algorithm, dialect);
                    let context = format!("{}, seed {seed}\n{text}\n{translated}", algorithm.name);
                    assert_eq!(evaluate(&translated), expected[0], "{context}");
                    if dialect == Dialect::Mucke {
                        assert_eq!(recognise(&translated), Ok(1), "{context}");
                    }
                }
                n_compared += 1;
                n_reachable += usize::from(expected[0]);
            }
        }
    }
    assert!(
        n_compared >= n_seeds && n_reachable > 0 && n_reachable < n_compared,
        "{n_reachable} of {n_compared}"
    );
}

/// The sequential families with a small size.
fn families() -> Vec<(&'static str, Rsm, Vec<Target>)> {
    let mut found = Vec::new();
    for family in &generate::FAMILIES {
        for reachable in [false, true] {
            let options = generate::Options { reachable, ..generate::Options::default() };
            let size = family.range.1.min(family.range.0 + 1);
            let Ok(text) = generate::family(family.name, size, &options) else { continue };
            let (checked, _) = bp::load(&mut Sources::default(), "p.bp", text).expect("a family is right");
            let Ok(rsm) = bp::lower(&checked) else { continue };
            let Ok(targets) = checker::default_targets(&rsm) else { continue };
            found.push((family.name, rsm, targets));
        }
    }
    found
}

#[test]
fn mucke_accepts_every_algorithm_on_every_family() {
    let families = families();
    assert!(families.len() >= 8, "{}", families.len());
    let (mut n_refused, mut n_compared) = (0, 0);
    for (name, rsm, targets) in &families {
        for algorithm in sequential() {
            // Our own dialect is more than MUCKE's, also without its directives.
            let ours = translate(rsm, targets, algorithm, Dialect::Calculus);
            let lines = ours.lines().filter(|line| !line.starts_with('#'));
            let ours = lines.fold(String::new(), |all, line| all + line + "\n");
            n_refused += usize::from(recognise(&ours).is_err());
            let translated = translate(rsm, targets, algorithm, Dialect::Mucke);
            assert_eq!(recognise(&translated), Ok(1), "{name}, {}\n{translated}", algorithm.name);
        }
        let goals: Vec<Goal> = targets.iter().flat_map(Target::places).collect();
        let limits = explicit::Limits { max_states: 20_000, ..explicit::Limits::default() };
        if let Ok(expected) = explicit::reachable(rsm, &goals, limits, &Stop::default()) {
            let expected = expected.contains(&true);
            let hybrid = checker::algorithm("hybrid").expect("it is shipped");
            let hybrid = translate(rsm, targets, hybrid, Dialect::Mucke);
            assert_eq!(evaluate(&hybrid), expected, "{name}\n{hybrid}");
            n_compared += 1;
        }
    }
    assert!(2 * n_compared > families.len(), "{n_compared} of {} are compared", families.len());
    assert!(2 * n_refused > families.len() * sequential().len(), "{n_refused}");
}

#[test]
fn the_recogniser_refuses_what_mucke_refuses() {
    let mut wrong = Vec::new();
    let types = "enum R { 0..5 }; enum E { a, b }; class S { bool x; R r; };";
    for (text, problem) in [
        ("class L { bool l; }; class T { L l; bool y; } l.l < y;", "expected"),
        ("bool Q(bool x, bool y) (x = !y);", "expected"),
        ("bool Q(bool x, bool y) (x = (!y));", "formula"),
        ("bool Q(bool x, bool y) ((x & y) = y);", "operand"),
        ("bool P(bool x) x; bool Q(bool x) x = P(x);", "formula"),
        ("bool P(bool x) x; bool Q(bool x) P(!x);", "formula"),
        ("bool P(bool x) x; bool Q(bool x) P((!x));", "formula"),
        ("bool Q(bool x, bool y) x &!y;", "the operator `&!`"),
        ("bool Q() true;", "no parameters"),
        ("bool Q(R r) r < 3;", "expected"),
        ("bool Q(R r) 3 = 3;", "neither"),
        ("bool Q(E e) a = e;", "no variable `a`"),
        ("bool Q(R r) r = 6;", "constant"),
        ("bool Q(R r) r[3];", "out of range"),
        ("bool Q(S s) s.y;", "no member"),
        ("bool Q(S s, R r) s = r;", "is no"),
        ("bool Q(bool x) P(x); bool P(bool x) x;", "not declared yet"),
        ("bool Q(bool x); exists bool x. Q(x);", "no definition"),
        ("bool Q(bool show) show;", "expected"),
        ("enum T { 1..3 };", "begin at 0"),
        ("#explicit R;", "expected"),
        ("mu bool P(bool x); bool Q(bool x) P(x); mu bool P(bool x) Q(x); P(1);", "on a cycle"),
        (
            "mu bool P(bool x); mu bool Q(bool x) x | P(x); mu bool P(bool x) Q(x); P(1) & Q(0);",
            "multiple dependencies",
        ),
        ("exists i in 0..1. true;", "expected"),
        ("exists bool x. x", "expected ;"),
    ] {
        let found = recognise(&format!("{types}\n{text}"));
        if !found.as_ref().is_err_and(|found| found.contains(problem)) {
            wrong.push(format!("{text}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let accepted = "#print \"a\", \"b\"; struct T { S s[2]; E e; } s < e;
        mu bool P(T t) t.s[1].x & !(t.e = b) | (EXISTS T u: u = t & P(u) & t.s[0].r[2] <-> 1);
        bool Q(E e, R r) e ~- r case e = a : r = 5; 1 : r != 0; esac;
        exists E e. Q(e, 3); forall T t. P(t); #ons P; #timer; #quit & whatever";
    assert_eq!(recognise(&format!("{types}\n{accepted}")), Ok(2));
}

/// A formula with nearly all that the calculus has and MUCKE has not.
const BEYOND: &str = "
    #param k = 3;
    enum Level { 2..5 };
    enum Colour { u, green, $blue };
    class Pair { State one; Level level[2]; };
    #explicit Colour;
    #strata Level;
    bool Always() exists Level l. l >= 3 & l < 5 & l != 4;
    bool Never(bool b, Colour c) !Always() & b & c = green;
    mu bool Two(Pair part, Level i)
        part.one < i, part ~- i, i < part.level[1]
        (Init(part.one) & part.level[0] = 2 & part.level[i - 2] <= i)
      | (exists State x. ProgramInt(x, part.one) & One(x, part.level[1], u))
      | (forall j in 0..k. One(part.one, part.level[0], 2) & j > 4);
    mu bool One(State s, Level l, Colour c)
        (exists Pair p, State u. p.one = s & u = s & p.level[1] = l & Two(p, l) & c = u)
      | (exists Level up. One(s, up, green) & Never(c != u, c))
      | (exists State w. One(w, l, c) & (IntoCall(w, s) | ProgramInt(w, s)));
    #ons Two;
    exists State s. One(s, 3, u) & Target(s);
    exists State s, Colour show. (One(s, 2, show) | Never(s.pc = 0, show)) & Target(s) & Always();
";

#[test]
fn any_formula_without_alternation_becomes_mucke() {
    let rsm = lower("decl x; void main() begin x := !x; if (x) then L: skip; else M: skip; fi N: skip; end");
    let mut truths = Vec::new();
    for label in ["L", "M", "N"] {
        let targets = [checker::find_target(&rsm, label).expect("a label")];
        let ours = try_translate(&rsm, &targets, BEYOND, Dialect::Calculus).expect("a translation");
        let text = try_translate(&rsm, &targets, BEYOND, Dialect::Mucke).expect("a translation");
        assert_eq!(recognise(&text), Ok(2), "{text}");
        assert!(recognise(&ours).is_err());
        assert_eq!(evaluate(&text), evaluate(&ours), "{label}\n{text}");
        truths.push(evaluate(&text));
    }
    assert!(truths.contains(&true), "{truths:?}");
}

#[test]
fn a_cycle_that_mucke_understands_otherwise_is_refused() {
    let rsm = lower("void main() begin L: skip; end");
    let targets = [checker::find_target(&rsm, "L").expect("a label")];
    let inner = "mu bool B(State s) Target(s) | A(s) | C(s); mu bool C(State s) B(s) & Target(s);";
    for (text, is_right) in [
        (format!("nu bool A(State s); {inner} nu bool A(State s) B(s); exists State s. A(s);"), false),
        ("nu bool A(State s); mu bool B(State s) Target(s) | A(s); nu bool A(State s) B(s); exists State s. A(s);".to_owned(), true),
        ("nu bool A(State s); mu bool B(State s) Target(s) | A(s); nu bool A(State s) B(s); exists State s. B(s);".to_owned(), false),
        ("mu bool A(State s) !B(s); mu bool B(State s) Target(s) & !A(s); exists State s. A(s) & B(s);".to_owned(), false),
    ] {
        match try_translate(&rsm, &targets, &text, Dialect::Mucke) {
            Ok(translated) => {
                assert!(is_right, "{text}");
                assert_eq!(recognise(&translated), Ok(1), "{translated}");
            }
            Err(Failure::Formula(errors)) => {
                assert!(!is_right && errors[0].message.contains("MUCKE would refuse"), "{text}: {errors:?}");
            }
            Err(failure) => panic!("{failure:?}"),
        }
    }
}

#[test]
fn large_diagrams_are_cut_into_predicates() {
    let text = generate::family("multiplier", 5, &generate::Options::default()).expect("a family");
    let rsm = lower(&text);
    let targets = checker::default_targets(&rsm).expect("it has an ERROR");
    for dialect in [Dialect::Calculus, Dialect::Mucke] {
        let translated = translate(&rsm, &targets, ALGORITHMS[0], dialect);
        assert!(translated.contains("bool ProgramInt_0("), "{translated}");
        assert!(!evaluate(&translated));
        assert!(dialect == Dialect::Calculus || recognise(&translated) == Ok(1), "{translated}");
    }
}

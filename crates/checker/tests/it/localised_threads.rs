//! Views of programs with threads have the answers of the program, least bounds included, and their runs replay on it.
//!
//! `GETAFIX_SEED=7` or `GETAFIX_SEED=100..200` chooses the programs.

use crate::localised::all_targets;
use base::Sources;
use checker::{
    Asker, Bound, Engine, Explicit, Formula, Limits, Outcome, Problem, Question, Symbolic, Target,
    ThreadViews, Twin, Verdict, Wanted, WantedTrace,
};
use generate::random::{ConcurrentShape, Threads, concurrent, seeds};
use rsm::Concurrent;
use std::fmt::Write;

/// What the tests have met.
#[derive(Default, Debug)]
struct Counts {
    n_programs: usize,
    n_questions: usize,
    n_answered: usize,
    n_reachable: usize,
    n_within_rounds: usize,
    /// Answers of a formula about views.
    n_of_formula: usize,
    /// Answers that needed another view than the first.
    n_refined: usize,
    /// Answers of views that do not know every variable.
    n_spared: usize,
    most_rounds: u32,
}

fn lower(text: &str) -> Concurrent {
    testing::lower_threads(text, 2)
}

fn problem<'p>(program: &'p Concurrent, targets: &'p [Target], bound: Bound) -> Problem<'p> {
    let wanted = Wanted { trace: WantedTrace::Any, certificate: false };
    let question = Question::Reach;
    Problem { program, question, targets, bound: Some(bound), watch: Default::default(), wanted }
}

fn ask(engine: &dyn Engine, problem: &Problem, most: u64) -> Outcome {
    let limits = Limits::default();
    limits.stop.grant(most);
    let mut asker = Asker { sources: &mut Sources::default(), known: &mut |_, _| {} };
    engine.answer(problem, &limits, &mut asker).unwrap_or_else(|failure| panic!("{failure:?}"))
}

fn views() -> ThreadViews<Explicit> {
    ThreadViews::of_search(Explicit::default())
}

/// The formula that is asked within a bound.
fn formula(bound: Bound) -> Symbolic {
    let name = if matches!(bound, Bound::Rounds(_)) { "rounds" } else { "bounded_contexts" };
    Symbolic::new(Formula::shipped(name).expect("these algorithms are in the list"))
}

/// Each target alone, within a bound, beside the twin.
fn compare(seed: u64, shape: &ConcurrentShape, bound: Bound, counts: &mut Counts) {
    let text = concurrent(seed, shape);
    let program = lower(&text);
    counts.n_programs += 1;
    for target in all_targets(&program.machine).iter().take(4) {
        let targets = std::slice::from_ref(target);
        let problem = problem(&program, targets, bound);
        assert!(ThreadViews::applies(&problem), "seed {seed}\n{text}");
        let context = format!("{} within {bound:?}, seed {seed}\n{text}", target.name);
        let expected = ask(&Twin, &problem, 2_000);
        if expected.finding.verdict.is_unknown() {
            continue;
        }
        counts.n_questions += 1;
        // A formula takes longer than a search, so it has every fourth question.
        let is_of_formula = bound != Bound::Every && counts.n_questions.is_multiple_of(4);
        let found = match is_of_formula {
            true => ask(&ThreadViews::of_formula(formula(bound)), &problem, 100_000),
            false => ask(&views(), &problem, 20_000),
        };
        if found.finding.verdict.is_unknown() {
            continue;
        }
        counts.n_answered += 1;
        counts.n_of_formula += usize::from(is_of_formula);
        counts.n_within_rounds += usize::from(matches!(bound, Bound::Rounds(_)));
        assert_eq!(found.finding.verdict, expected.finding.verdict, "{context}");
        if found.finding.is_yes() {
            counts.n_reachable += 1;
            assert_eq!(found.finding.least, expected.finding.least, "{context}");
            let trace = found.trace.as_ref().unwrap_or_else(|| panic!("no run, {context}"));
            trace.replay(&program, &problem.goals()).unwrap_or_else(|error| panic!("{error}, {context}"));
        }
        let figures = found.figures.localised.expect("the answer is that of a view");
        counts.n_refined += usize::from(figures.n_rounds > 1);
        counts.n_spared += usize::from(figures.n_kept < figures.n_variables);
        counts.most_rounds = counts.most_rounds.max(figures.n_rounds);
    }
}

#[test]
fn views_of_threads_agree_with_the_twin_on_random_programs() {
    let mut counts = Counts::default();
    let mut shape = ConcurrentShape::small(Threads::Fixed);
    shape.private_bits = 3;
    for seed in seeds(0..60) {
        for bound in [Bound::Every, Bound::Switches(2), Bound::Rounds(2)] {
            compare(seed, &shape, bound, &mut counts);
        }
    }
    println!("{counts:?}");
    if testing::is_chosen() {
        return;
    }
    assert!(counts.n_questions >= 100 && 10 * counts.n_answered >= 9 * counts.n_questions, "{counts:?}");
    assert!(counts.n_reachable >= 30 && counts.n_within_rounds >= 30, "{counts:?}");
    assert!(counts.n_refined >= 30 && counts.most_rounds >= 3, "{counts:?}");
    assert!(counts.n_spared >= 50 && counts.n_of_formula >= 15, "{counts:?}");
}

/// Two threads that pass a lock, with private variables that only steer so many branches. Without the lock both are inside at once.
fn steered(n: usize, n_branches: usize, lock: &str) -> String {
    let mut text = "decl lock, inside : int<2>;\ninit !lock & inside = 0;\n".to_owned();
    for thread in 0..2 {
        let names: Vec<String> = (0..n).map(|k| format!("h{k}")).collect();
        let mut branches = String::new();
        for k in 0..n_branches {
            let (a, b, c) = ((k + 1) % n, (3 * k + thread + 2) % n, (5 * k + 1) % n);
            let _ = writeln!(branches, "if (h{k} & !h{a}) then h{b} := h{c}; else h{c} := h{b} ^ h{k}; fi");
        }
        let _ = write!(
            text,
            "thread p{thread}\nbegin\ndecl {};\nvoid main()\nbegin\nwhile (*) do\n{lock}\n{branches}\
             inside := inside + 1;\nif (inside = 2) then ERROR: skip; fi\ninside := inside - 1;\nlock := F;\n{branches}\
             od\nend\nend\n",
            names.join(", ")
        );
    }
    text
}

#[test]
fn private_variables_that_only_steer_branches_are_not_stored() {
    let lock = "atomic begin assume(!lock); lock := T; end";
    for (lock, verdict, least) in [(lock, Verdict::No, None), ("skip;", Verdict::Yes, Some(1))] {
        let program = lower(&steered(24, 3, lock));
        let targets = checker::default_thread_targets(&program).expect("there is a label");
        let problem = problem(&program, &targets, Bound::Every);
        let outcome = ask(&views(), &problem, 20_000);
        assert_eq!((&outcome.finding.verdict, outcome.finding.least), (&verdict, least));
        let figures = outcome.figures.localised.as_ref().expect("the answer is that of a view");
        assert!(figures.n_kept <= 12, "{figures:?}");
        if let Some(trace) = &outcome.trace {
            trace.replay(&program, &problem.goals()).expect("it is a run of the program");
        }
        assert_eq!(outcome.trace.is_some(), verdict == Verdict::Yes);
        // Beside the search of the program it is the first.
        let mut asker = Asker { sources: &mut Sources::default(), known: &mut |_, _| {} };
        let (outcome, work) = views().beside(&problem, &Limits::default(), &mut asker).expect("an answer");
        assert_eq!(outcome.finding.verdict, verdict);
        assert!(work < 1_000_000, "{work}");
    }
}

#[test]
fn branches_over_private_variables_that_contradict_each_other_are_not_looked_at_first() {
    let program = lower(&steered(24, 24, "atomic begin assume(!lock); lock := T; end"));
    let targets = checker::default_thread_targets(&program).expect("there is a label");
    for bound in [Bound::Every, Bound::Switches(2), Bound::Rounds(2)] {
        let problem = problem(&program, &targets, bound);
        let by_search = ask(&views(), &problem, 20_000);
        let by_formula =
            (bound != Bound::Every).then(|| ask(&ThreadViews::of_formula(formula(bound)), &problem, 50_000));
        for outcome in [Some(by_search), by_formula].into_iter().flatten() {
            assert_eq!(outcome.finding.verdict, Verdict::No, "{bound:?}");
            let figures = outcome.figures.localised.as_ref().expect("the answer is that of a view");
            assert!(figures.n_kept <= 2, "{figures:?}");
        }
    }
}

/// What views begin without, and a trial on the program has to know: what the first thread does, the second thread, a value with which its target is not reached, and one with
/// which it is.
const DEMANDS: [(&str, &str, [&str; 2]); 10] = [
    // After an assignment, a call, a return, and where a thread becomes active.
    ("", "void main() begin enforce !x; x := VALUE; ERROR: skip; end", ["T", "F"]),
    ("", "void main() begin f(VALUE); end void f(a) begin enforce !a; ERROR: skip; end", ["T", "F"]),
    (
        "",
        "void main() begin enforce !x; x := f(); ERROR: skip; end bool f() begin return VALUE; end",
        ["T", "F"],
    ),
    ("x := VALUE; y := T;", "void main() begin enforce !x; assume(y); ERROR: skip; end", ["T", "F"]),
    // What is assigned may be, and what an assertion says.
    ("", "void main() begin x := * constrain 'x = VALUE; if (x) then ERROR: skip; fi end", ["F", "T"]),
    ("", "void main() begin x := VALUE; assert(x); end", ["T", "F"]),
    // Parameters in order, private values at the start, and code that nobody interrupts.
    ("", "void main() begin f(T, VALUE); end void f(a, b) begin if (b) then ERROR: skip; fi end", ["F", "T"]),
    ("", "decl h; init h = VALUE; void main() begin if (h) then ERROR: skip; fi end", ["F", "T"]),
    (
        "atomic_begin; x := T; x := VALUE; atomic_end;",
        "void main() begin assume(x); ERROR: skip; end",
        ["F", "T"],
    ),
    ("atomic begin x := T; x := VALUE; end", "void main() begin assume(x); ERROR: skip; end", ["F", "T"]),
];

#[test]
fn runs_of_views_are_tried_with_everything_that_the_program_demands() {
    for (first, second, values) in DEMANDS {
        for (value, verdict) in values.iter().zip([Verdict::No, Verdict::Yes]) {
            let text = format!(
                "decl x, y; init !x & !y;\nthread p\nbegin\nvoid main() begin {first} skip; end\nend\nthread q\nbegin\n{second}\nend\n"
            );
            let text = text.replace("VALUE", value);
            let program = lower(&text);
            let targets = all_targets(&program.machine);
            let problem = problem(&program, &targets, Bound::Every);
            let outcome = ask(&views(), &problem, 20_000);
            assert_eq!(outcome.finding.verdict, verdict, "{text}");
            assert_eq!(outcome.trace.is_some(), verdict == Verdict::Yes, "{text}");
            if let Some(trace) = &outcome.trace {
                trace.replay(&program, &problem.goals()).unwrap_or_else(|error| panic!("{error}\n{text}"));
            }
        }
    }
}

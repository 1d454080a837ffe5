//! The engines, asked the same through [`Engine`]: explicit in all orders, the formula, the twin; every target, every question.
//!
//! `GETAFIX_SEED=7` or `GETAFIX_SEED=100..200` chooses the programs.

use base::Sources;
use checker::{
    Asker, Compare, Engine, Explicit, Failure, Finding, Formula, Limits, Order, Outcome, Problem, Question,
    Symbolic, Target, Twin, Unknown, Verdict, Wanted, WantedTrace, Words,
};
use generate::random::{Shape, program, seeds};
use rsm::{Action, Concurrent, EdgeId, Goal, ModuleId, NodeId, Reductions};

const ORDERS: [Order; 3] = [Order::Dfs, Order::Bfs, Order::Widen];

fn lower(text: &str) -> Concurrent {
    Concurrent::sequential(testing::lower(text))
}

/// Every label, and every assertion if runs end there.
fn targets(program: &Concurrent, question: Question) -> Vec<Target> {
    let mut targets = Vec::new();
    for (m, module) in program.machine.modules.iter().enumerate() {
        let id = ModuleId::new(m);
        let labelled = module.nodes.iter().enumerate().filter(|(_, node)| !node.labels.is_empty());
        targets.extend(labelled.map(|(n, node)| {
            Target::new(format!("{}:{}", module.name, node.labels[0]), [Goal::At(id, NodeId::new(n))])
        }));
        let edges = module.edges.iter().enumerate().filter(|_| question == Question::Reach);
        let assertions = edges.filter(|(_, edge)| matches!(edge.action, Action::Assert(_)));
        targets.extend(assertions.map(|(e, _)| {
            Target::new(format!("{}:assert {e}", module.name), [Goal::Failure(id, EdgeId::new(e))])
        }));
    }
    targets
}

fn ask(engine: &dyn Engine, problem: &Problem) -> Outcome {
    let mut asker = Asker { sources: &mut Sources::default(), known: &mut |_, _| {} };
    engine.answer(problem, &Limits::default(), &mut asker).unwrap_or_else(|failure| panic!("{failure:?}"))
}

fn problem<'p>(
    program: &'p Concurrent,
    question: Question,
    targets: &'p [Target],
    trace: WantedTrace,
) -> Problem<'p> {
    let targets = if question == Question::Infinite { &[] } else { targets };
    Problem {
        program,
        question,
        targets,
        bound: None,
        watch: Default::default(),
        wanted: Wanted { trace, certificate: false },
    }
}

fn explicit(order: Order, reductions: Reductions) -> Explicit {
    Explicit { order, reductions, ..Explicit::default() }
}

/// The run of an outcome is one, and leads to a target that is said to be reachable, or passes one for ever.
#[track_caller]
fn check_run(problem: &Problem, outcome: &Outcome, about: &str) {
    let trace = outcome.trace.as_ref().unwrap_or_else(|| panic!("no run: {about}"));
    trace.replay(problem.program, &problem.goals()).unwrap_or_else(|fault| panic!("{fault}: {about}"));
    for (target, finding) in problem.targets.iter().zip(&outcome.findings) {
        let is_there = match problem.question {
            Question::Reach => target.is_reached_by(trace),
            _ => trace.round(problem.program, &target.goals).is_ok(),
        };
        assert!(!is_there || finding.is_yes(), "{}: {about}", target.name);
    }
}

fn is_selected() -> bool {
    testing::is_chosen()
}

#[test]
fn every_engine_reaches_the_same_targets() {
    let (mut n_compared, mut n_yes, mut n_shortest) = (0, 0, 0);
    for seed in seeds(5000..5040) {
        let text = program(seed, &Shape::small());
        let program = lower(&text);
        let targets = targets(&program, Question::Reach);
        let asked = |trace| problem(&program, Question::Reach, &targets, trace);
        let twin = ask(&Twin, &asked(WantedTrace::Any));
        if twin.finding.verdict.is_unknown() {
            continue;
        }
        let symbolic = ask(&Symbolic::new(Formula::default()), &asked(WantedTrace::None));
        assert_eq!(symbolic.findings, twin.findings, "seed {seed}\n{text}");
        for order in ORDERS {
            for reductions in [Reductions::ALL, Reductions::NONE] {
                let about = format!("seed {seed} {order:?} {reductions}\n{text}");
                let found = ask(&explicit(order, reductions), &asked(WantedTrace::Any));
                assert_eq!(found.findings, twin.findings, "{about}");
                assert_eq!(found.finding, twin.finding, "{about}");
                if found.finding.is_yes() {
                    check_run(&asked(WantedTrace::Any), &found, &about);
                }
                n_compared += 1;
            }
        }
        n_yes += twin.findings.iter().filter(|finding| finding.is_yes()).count();
        if let Some(shortest) = &twin.trace {
            let found = ask(&Explicit::default(), &asked(WantedTrace::Shortest)).trace.expect("there is one");
            assert_eq!(found.n_steps(), shortest.n_steps(), "seed {seed}\n{text}");
            n_shortest += 1;
        }
    }
    let enough = n_compared > 150 && n_yes > 100 && n_shortest > 20;
    assert!(enough || is_selected(), "{n_compared} {n_yes} {n_shortest}");
}

#[test]
fn every_engine_finds_the_same_infinite_runs() {
    let (mut n_compared, mut n_yes, mut n_no, mut n_endless) = (0, 0, 0, 0);
    for seed in seeds(6000..6060) {
        let text = program(seed, &Shape::small());
        let program = lower(&text);
        let targets = targets(&program, Question::Repeat);
        for question in [Question::Repeat, Question::Infinite] {
            let asked = problem(&program, question, &targets, WantedTrace::Any);
            let twin = ask(&Twin, &asked);
            if twin.finding.verdict.is_unknown() {
                continue;
            }
            let formula = Symbolic::new(Formula::for_question(question));
            let about = format!("seed {seed} {question:?} symbolic\n{text}");
            let found = ask(&formula, &asked);
            assert_eq!((&found.findings, &found.finding), (&twin.findings, &twin.finding), "{about}");
            if found.finding.is_yes() {
                check_run(&asked, &found, &about);
            }
            for order in ORDERS {
                let about = format!("seed {seed} {question:?} {order:?}\n{text}");
                let found = ask(&explicit(order, Reductions::ALL), &asked);
                assert_eq!(found.findings, twin.findings, "{about}");
                assert_eq!(found.finding, twin.finding, "{about}");
                assert_eq!(found.asked.words, Words::InfiniteRun);
                if found.finding.is_yes() {
                    check_run(&asked, &found, &about);
                }
                n_compared += 1;
            }
            n_yes += twin.findings.iter().filter(|finding| finding.is_yes()).count();
            n_no += twin.findings.iter().filter(|finding| finding.verdict == Verdict::No).count();
            n_endless += usize::from(question == Question::Infinite && twin.finding.is_yes());
        }
    }
    let enough = n_compared > 200 && n_yes > 40 && n_no > 40 && n_endless > 10;
    assert!(enough || is_selected(), "{n_compared} {n_yes} {n_no} {n_endless}");
}

const TWO_LOOPS: &str = "void main() begin
    if (*) then A: skip; while (T) do B: skip; od else while (T) do C: skip; D: skip; od fi
    E: skip; end";

#[test]
fn each_label_is_repeated_or_not() {
    let program = lower(TWO_LOOPS);
    let targets = targets(&program, Question::Repeat);
    let found = ask(&Explicit::default(), &problem(&program, Question::Repeat, &targets, WantedTrace::Any));
    let yes: Vec<bool> = found.findings.iter().map(Finding::is_yes).collect();
    let names: Vec<&str> = targets.iter().map(|target| target.name.as_str()).collect();
    assert_eq!(names, ["main:A", "main:B", "main:C", "main:D", "main:E"]);
    assert_eq!(yes, [false, true, true, true, false]);
}

#[test]
fn a_target_without_places_is_not_repeated() {
    let program = lower(TWO_LOOPS);
    let mut targets = targets(&program, Question::Repeat);
    targets.push(Target::new("nowhere", []));
    for question in [Question::Repeat, Question::Reach] {
        let asked = problem(&program, question, &targets, WantedTrace::Any);
        for engine in [&Explicit::default() as &dyn Engine, &Twin] {
            let found = ask(engine, &asked);
            assert_eq!(found.findings.last(), Some(&Finding::new(Verdict::No)), "{question:?}");
        }
    }
}

#[test]
fn a_search_that_is_stopped_says_how_far_it_came() {
    let text = "decl x: int<32>, y: int<32>; init x = 0 & y = 0;
        void main() begin while (T) do if (*) then x := x + 1; else y := y + 1; fi
        if (x > 1000000 & y > 1000000) then L: skip; fi od end";
    let program = lower(text);
    let targets = targets(&program, Question::Reach);
    let asked = problem(&program, Question::Reach, &targets, WantedTrace::Any);
    let limits = Limits { memory: Some(1 << 20), ..Limits::default() };
    for order in ORDERS {
        let mut asker = Asker { sources: &mut Sources::default(), known: &mut |_, _| {} };
        let found = explicit(order, Reductions::ALL).answer(&asked, &limits, &mut asker);
        let Verdict::Unknown(Unknown::Stopped(_, reading)) = found.expect("it can be asked").finding.verdict
        else {
            panic!("{order:?}")
        };
        let search = reading.search.expect("it is a search");
        assert!(search.states > 5000 && search.entries > 0 && search.bytes <= 1 << 20, "{search:?}");
        assert_eq!(search.shorter_than.is_some_and(|steps| steps > 10), order == Order::Bfs, "{search:?}");
    }
}

/// Says the opposite of another engine.
struct Liar(Explicit);

impl Engine for Liar {
    fn name(&self) -> &str {
        "liar"
    }

    fn answer(&self, problem: &Problem, limits: &Limits, asker: &mut Asker) -> Result<Outcome, Failure> {
        let mut outcome = self.0.answer(problem, limits, asker)?;
        outcome.finding = Finding::new(if outcome.finding.is_yes() { Verdict::No } else { Verdict::Yes });
        Ok(outcome)
    }
}

#[test]
fn engines_that_disagree_about_all_infinite_runs_are_found_out() {
    let program = lower(TWO_LOOPS);
    let asked = problem(&program, Question::Infinite, &[], WantedTrace::None);
    let (first, liar) = (Explicit::default(), Liar(Explicit::default()));
    let mut asker = Asker { sources: &mut Sources::default(), known: &mut |_, _| {} };
    let compare = Compare { first: &first, others: vec![&Twin], together: Vec::new() };
    assert!(compare.answer(&asked, &Limits::default(), &mut asker).is_ok());
    let compare = Compare { first: &first, others: vec![&Twin, &liar], together: Vec::new() };
    let failure = compare.answer(&asked, &Limits::default(), &mut asker).expect_err("one of them lies");
    let expected = "the explicit engine says infinite run, the liar says no infinite run";
    assert_eq!(failure, Failure::Disagreement(vec![expected.to_owned()]));
}

//! What abstractions say of random programs, against all runs. `GETAFIX_SEED=17` or `GETAFIX_SEED=0..1000` chooses the programs.

use crate::limits::limits;
use abstraction::{Cache, Predicates};
use base::{Random, Stop};
use cegar::{Analysis, Attempt, Candidate, Cegar, Proof, Prover};
use checker::abstraction::Inquiry;
use checker::{
    Arithmetic, Asker, Engine, Execution, Formula, IntegerProgram, Problem, Question, Verdict, Wanted,
    WantedTrace, default_integer_targets,
};
use generate::random::seeds;
use integers::compose::compose;
use integers::enumerate::{Bounds, Enumeration, enumerate};
use integers::ghosts::Ghosted;
use integers::random::{Kinds, program, resolved};
use integers::{Expr, FunctionId, Op, Place, Program, Relation};
use proof::Statement;
use rsm::{Game, Rsm};
use smt::Pipe;
use std::sync::Arc;

const BOUNDS: Bounds = Bounds { number: 12, states: 20_000 };

/// The guards, and some more.
fn predicates(ghosted: &Ghosted, random: &mut Random) -> Predicates {
    let mut predicates = Predicates::of_guards(ghosted);
    for _ in 0..random.index(5) {
        let f = random.index(ghosted.program.functions.len());
        let function = &ghosted.program.functions[f];
        let mut term = || match random.index(5) {
            0 => Expr::constant(random.below(3) as i128 - 1),
            1 => Expr::read(Place::Global(random.index(ghosted.program.globals.len()) as u32)),
            _ => Expr::read(Place::Local(random.index(function.locals.len()) as u32)),
        };
        let (left, right) = (term(), term());
        let relation = *random.pick(&[Relation::Equal, Relation::Less, Relation::LessEqual]);
        let left = if random.chance(30) { left.binary(Op::Add, Expr::constant(1)) } else { left };
        predicates.add(ghosted, FunctionId::new(f), &left.compare(relation, right));
    }
    predicates
}

/// What holds whatever is unknown, as far as some numbers tell.
fn runs(program: &Program) -> Vec<Enumeration> {
    if program.unknowns.is_empty() {
        return vec![enumerate(program, BOUNDS)];
    }
    (-2..=2).map(|number| enumerate(&resolved(program, number), BOUNDS)).collect()
}

/// A random program, its runs, and an abstraction of it.
struct Sample {
    program: Program,
    ghosted: Ghosted,
    predicates: Predicates,
    runs: Vec<Enumeration>,
}

impl Sample {
    fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let kinds = Kinds { unknowns: random.chance(25), divisions: random.chance(25), memory: false };
        let program = program(&mut random, kinds);
        let composed = if random.chance(80) { compose(&program).program } else { program.clone() };
        let ghosted = Ghosted::new(&composed);
        let predicates = predicates(&ghosted, &mut random);
        let runs = runs(&program);
        Self { program, ghosted, predicates, runs }
    }
}

/// What is said of a program: a target may be reached, one is reached for sure, a run has no end for sure, all have for sure.
#[derive(Clone, Copy)]
struct Said {
    may: bool,
    must: bool,
    infinite: bool,
    ends: bool,
}

impl Said {
    /// What is wrong with it, if something is.
    fn wrong(self, runs: &[Enumeration]) -> Option<&'static str> {
        for run in runs {
            if !self.may && run.reaches {
                return Some("unreachable, but it is reached");
            }
            if self.ends && run.is_infinite {
                return Some("every run ends, but one does not");
            }
            if self.must && !run.reaches && run.is_complete {
                return Some("reachable, but it is not");
            }
            if self.infinite && !run.is_infinite && run.is_complete {
                return Some("infinite, but all runs end");
            }
        }
        None
    }
}

fn ask(analysis: &Analysis) -> Said {
    let limits = limits();
    let (may, _) = analysis.may_reach(&limits).expect("there are no limits");
    let must = analysis.must_reach(&limits).expect("there are no limits");
    let (infinite, _) = analysis.runs_for_ever(&limits).expect("there are no limits");
    let ends = !analysis.may_run_for_ever(&limits).expect("there are no limits");
    Said { may, must, infinite, ends }
}

#[test]
fn abstractions_and_all_runs() {
    let solver = smt::find(None).expect("there is a solver");
    let (mut cache, mut pipe) = (Cache::default(), Pipe::new(&solver, Stop::default()));
    let limits = limits();
    let mut prover = Prover::new(solver, &limits);
    let (mut n_unreachable, mut n_reachable, mut n_infinite, mut n_ends, mut n_open) = (0, 0, 0, 0, 0);
    for seed in seeds(0..60) {
        let Sample { program, ghosted, predicates, runs } = Sample::new(seed);
        let analysis = Analysis::new(&ghosted, &predicates, true, &mut cache, &mut pipe);
        let said = ask(&analysis);
        if let Some(wrong) = said.wrong(&runs) {
            panic!("GETAFIX_SEED={seed}: {wrong}: {runs:?}\n{}", integers::show(&program));
        }
        assert!(said.may || !said.must, "GETAFIX_SEED={seed}: what must be reached may be");
        if !said.may {
            // What the abstraction knows is a proof.
            let given: Vec<Candidate> = all(&ghosted, &predicates);
            let mut attempt = Attempt::new(program.clone(), Statement::Unreachable, Some(&given));
            let proof = attempt.advance(1, &mut prover);
            assert!(
                matches!(proof, Proof::Claimed(_)),
                "GETAFIX_SEED={seed}: {proof:?}\n{}",
                integers::show(&compose(&program).program)
            );
        }
        n_unreachable += usize::from(!said.may && !program.targets.is_empty());
        n_reachable += usize::from(said.must);
        n_infinite += usize::from(said.infinite);
        n_ends += usize::from(said.ends);
        n_open += usize::from(said.may && !said.must);
    }
    eprintln!(
        "{n_unreachable} unreachable, {n_reachable} reachable, {n_infinite} infinite, {n_ends} finite, {n_open} open, {} questions",
        cache.n_misses
    );
    if !testing::is_chosen() {
        assert!(
            n_unreachable >= 20 && n_reachable >= 10 && n_infinite >= 5 && n_ends >= 20 && cache.n_hits > 100
        );
    }
}

fn all(ghosted: &Ghosted, predicates: &Predicates) -> Vec<Candidate> {
    let ids = (0..ghosted.program.functions.len()).map(FunctionId::new);
    ids.flat_map(|id| predicates.of(id).iter().map(move |predicate| (id, predicate.formula.clone())))
        .collect()
}

/// Each of these mistakes must be noticed.
type Mistake = (&'static str, fn(&mut Game, &mut Rsm), &'static [(&'static str, &'static str, &'static str)]);

const MISTAKES: [Mistake; 8] = [
    ("nothing is stuck", |game, _| game.modules.iter_mut().for_each(|module| module.stuck.clear()), &[]),
    (
        "a move is made wherever it may be",
        |game, _| {
            let moves = game.modules.iter_mut().flat_map(|module| &mut module.moves);
            moves.for_each(|chosen| chosen.when = rsm::Expr::constant(1, rsm::Type::Bool));
        },
        &[],
    ),
    (
        "a move promises nothing",
        |game, _| {
            for module in &mut game.modules {
                module.moves.iter_mut().for_each(|chosen| chosen.target.clear());
                module.inputs.clear();
            }
        },
        &[],
    ),
    ("predicates of the caller are copied over a call", |_, rsm| copy_over_calls(rsm), &[]),
    (
        "some successor instead of all",
        |_, _| {},
        &[(
            "u_ef",
            "!(exists State v. Forced(s, v) & !A(v, any)))",
            "(exists State v. Forced(s, v) & A(v, any)))",
        )],
    ),
    (
        "what comes after a call is ignored",
        |_, _| {},
        &[("u_eg", "& (exists State v. Over(s, v) & L(v, any)))", "& false)")],
    ),
    ("stuck states go on", |_, _| {}, &[("u_eg", "(Stuck(s) & !Choice(s))", "false")]),
    (
        "a callee that stops is ignored",
        |_, _| {},
        &[("u_eg", "(exists State c. IntoCall(s, c) & L(c, true))", "false")],
    ),
];

/// After a call the caller believes what it did before.
fn copy_over_calls(rsm: &mut Rsm) {
    for module in &mut rsm.modules {
        let after: Vec<rsm::NodeId> = module
            .edges
            .iter()
            .filter(|edge| matches!(edge.action, rsm::Action::Call { .. }))
            .map(|edge| edge.to)
            .collect();
        for edge in module.edges.iter_mut().filter(|edge| after.contains(&edge.from)) {
            edge.action = rsm::Action::Skip;
        }
    }
}

/// Relations go by any names.
#[test]
fn names_of_formulas_are_free() {
    const RENAMED: Mistake = (
        "other names",
        |_, _| {},
        &[
            ("summary", "Summary", "Paths"),
            ("summary", "Reach", "Entered"),
            ("u_ef", "Summary", "Paths"),
            ("u_ef", " A(", " Good("),
            ("u_ef", "!A(", "!Good("),
            ("u_ef", "Calls(", "Waits("),
            ("u_eg", "Summary", "Paths"),
            ("u_eg", "L(", "Bad("),
            ("u_eg", "Region", "Kept"),
        ],
    );
    let solver = smt::find(None).expect("there is a solver");
    let (mut cache, mut pipe) = (Cache::default(), Pipe::new(&solver, Stop::default()));
    for seed in seeds(40..50) {
        let Sample { ghosted, predicates, .. } = Sample::new(seed);
        let analysis = Analysis::new(&ghosted, &predicates, true, &mut cache, &mut pipe);
        let (said, other) = (ask(&analysis), mistaken(&analysis, &RENAMED));
        let all = |said: Said| (said.may, said.must, said.infinite);
        assert_eq!(all(said), all(other), "GETAFIX_SEED={seed}");
    }
}

#[test]
fn mistakes_are_noticed() {
    let solver = smt::find(None).expect("there is a solver");
    let (mut cache, mut pipe) = (Cache::default(), Pipe::new(&solver, Stop::default()));
    let mut is_noticed = [false; MISTAKES.len()];
    for seed in 0..400 {
        if is_noticed.iter().all(|noticed| *noticed) {
            break;
        }
        let Sample { ghosted, predicates, runs, .. } = Sample::new(seed);
        let analysis = Analysis::new(&ghosted, &predicates, true, &mut cache, &mut pipe);
        for (n, mistake) in MISTAKES.iter().enumerate().filter(|(n, _)| !is_noticed[*n]).collect::<Vec<_>>() {
            is_noticed[n] = mistaken(&analysis, mistake).wrong(&runs).is_some();
        }
    }
    for (noticed, (name, ..)) in is_noticed.iter().zip(&MISTAKES) {
        assert!(noticed, "not noticed: {name}");
    }
}

/// What is said if a mistake is made.
fn mistaken(analysis: &Analysis, (_, change, texts): &Mistake) -> Said {
    let (mut game, mut rsm) = (analysis.abstraction.game.clone(), analysis.abstraction.rsm.clone());
    change(&mut game, &mut rsm);
    let game = Arc::new(game);
    let limits = limits();
    let is_true = |name: &str| {
        let mut text = checker::algorithm(name).expect("it comes with the program").text.to_owned();
        for (_, old, new) in texts.iter().filter(|(which, ..)| *which == name) {
            assert!(text.contains(old), "{name} has no {old}");
            text = text.replace(old, new);
        }
        let formula = Formula::own(name, text, |path| Err(format!("there is no {path}")));
        let goals = analysis.goals();
        Inquiry { rsm: &rsm, game: Some(&game), goals, formula: &formula, limits: &limits }
            .is_true()
            .expect("the formula is right")
    };
    Said {
        may: is_true("summary"),
        must: is_true("u_ef"),
        infinite: is_true("u_eg"),
        ends: !is_true("non_termination"),
    }
}

#[test]
fn the_engine_and_all_runs() {
    let solver = smt::find(None).expect("there is a solver");
    // All places of random programs are the beginning of the first text.
    let mut sources = base::Sources::default();
    sources.add("", "");
    let limits = limits();
    let (mut n_proved, mut n_endless, mut n_unknown) = (0, 0, 0);
    for seed in seeds(604..612) {
        let Sample { program, runs, .. } = Sample::new(seed);
        let engine = Cegar {
            // So little is executed that most has to be proved.
            execution: Execution { seed: 0, effort: Some(1 << 8) },
            solver: Some(solver.clone()),
            given: None,
            stages: 2,
            assumes_defined: false,
            jobs: 1,
        };
        let targets = default_integer_targets(&program);
        for question in [Question::Reach, Question::Infinite] {
            let subject = IntegerProgram { program: program.clone(), arithmetic: Arithmetic::Mathematical };
            let targets = if question == Question::Reach { &targets[..] } else { &[] };
            let wanted = Wanted { trace: WantedTrace::Any, certificate: true };
            let problem = Problem { wanted, ..Problem::new(&subject, question, targets) };
            if question == Question::Reach && targets.is_empty() {
                continue;
            }
            let mut asker = Asker { sources: &mut sources, known: &mut |_, _| {} };
            let outcome = engine.answer(&problem, &limits, &mut asker).expect("there is no formula");
            let what =
                || format!("GETAFIX_SEED={seed}: {question:?}, {runs:?}\n{}", integers::show(&program));
            let found = |run: &Enumeration| match question {
                Question::Reach => run.reaches,
                _ => run.is_infinite,
            };
            match outcome.finding.verdict {
                Verdict::Yes => assert!(runs.iter().all(|run| found(run) || !run.is_complete), "{}", what()),
                Verdict::No => assert!(!runs.iter().any(found), "{}", what()),
                Verdict::Unknown(_) => n_unknown += 1,
            }
            assert_eq!(outcome.certificate.is_some(), outcome.integers.proof.claim.is_some(), "{}", what());
            n_proved += usize::from(question == Question::Reach && outcome.integers.proof.claim.is_some());
            n_endless +=
                usize::from(question == Question::Infinite && outcome.integers.proof.claim.is_some());
        }
    }
    eprintln!("{n_proved} proved, {n_endless} endless, {n_unknown} unknown");
    if !testing::is_chosen() {
        assert!(n_proved >= 1 && n_endless >= 2);
    }
}

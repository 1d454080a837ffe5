//! What abstractions say of random programs, against all runs. `GETAFIX_SEED=17` or `GETAFIX_SEED=0..1000` chooses the programs.

use abstraction::{Cache, Predicates};
use base::{Gauge, Random, Stop};
use cegar::Analysis;
use checker::Limits;
use integers::compose::compose;
use integers::enumerate::{Bounds, Enumeration, enumerate};
use integers::ghosts::Ghosted;
use integers::random::{Kinds, program, resolved};
use integers::{Expr, FunctionId, Op, Place, Program, Relation};
use smt::Pipe;
use std::sync::Arc;

const BOUNDS: Bounds = Bounds { number: 12, states: 20_000 };

fn limits() -> Limits {
    Limits {
        memory: None,
        stop: Stop::default(),
        gauge: Arc::new(Gauge::default()),
        clock: || std::time::Duration::ZERO,
    }
}

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

#[derive(Default, Debug)]
struct Counts {
    unreachable: usize,
    reachable: usize,
    infinite: usize,
    open: usize,
}

#[test]
fn abstractions_and_all_runs() {
    let solver = smt::find(None).expect("there is a solver");
    let (mut cache, mut pipe) = (Cache::default(), Pipe::new(&solver, Stop::default()));
    let mut counts = Counts::default();
    for seed in generate::random::seeds(0..60) {
        let mut random = Random::new(seed);
        let kinds = Kinds { unknowns: random.chance(25), divisions: random.chance(25) };
        let program = program(&mut random, kinds);
        let composed = if random.chance(80) { compose(&program).program } else { program.clone() };
        let ghosted = Ghosted::new(&composed);
        let predicates = predicates(&ghosted, &mut random);
        let analysis = Analysis::new(&ghosted, &predicates, true, &mut cache, &mut pipe);
        let limits = limits();
        let (may, _) = analysis.may_reach(&limits).expect("there are no limits");
        let must = analysis.must_reach(&limits).expect("there are no limits");
        let (infinite, _) = analysis.runs_for_ever(&limits).expect("there are no limits");
        assert!(may || !must, "GETAFIX_SEED={seed}: what must be reached may be");
        for run in runs(&program) {
            let what = format!("GETAFIX_SEED={seed}: {run:?}\n{}", integers::show(&program));
            assert!(may || !run.reaches, "unreachable, but it is reached: {what}");
            assert!(!must || run.reaches || !run.is_complete, "reachable, but it is not: {what}");
            assert!(!infinite || run.is_infinite || !run.is_complete, "infinite, but all runs end: {what}");
        }
        counts.unreachable += usize::from(!may && !program.targets.is_empty());
        counts.reachable += usize::from(must);
        counts.infinite += usize::from(infinite);
        counts.open += usize::from(may && !must);
    }
    eprintln!("{counts:?}, {} questions", cache.n_misses);
}

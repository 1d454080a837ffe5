//! All algorithms, all reductions and the twin agree on every label of random programs, and every trace replays.
//!
//! `GETAFIX_SEED=7` or `GETAFIX_SEED=100..200` chooses the programs.

use base::{Sources, Stop};
use certificate::Outcome;
use checker::{
    ALGORITHMS, CertificateReport, FormulaFile, Options, Programs, Report, Target, TraceReport, Verdict,
};
use generate::random::{Shape, program, seeds};
use rsm::{Goal, Reductions, Rsm, explicit};
use testing::lower;

fn sources(text: &str) -> Sources {
    let mut sources = Sources::default();
    sources.add("random.bp", text);
    sources
}

fn ask(rsm: &Rsm, targets: &[Target], algorithm: &str, reductions: Reductions, trace: bool) -> Report {
    let algorithm = checker::algorithm(algorithm).expect("an algorithm of the list");
    let name = format!("algorithms/{}.mu", algorithm.name);
    let mut read = |_: &str| Err("nothing is loaded".to_owned());
    let file = FormulaFile { name: &name, text: algorithm.text, read: &mut read, params: &[], labels: &[] };
    let options = Options { reductions, trace, certificate: true, ..Options::default() };
    let mut sources = sources("");
    checker::check(rsm, targets, file, &options, &mut sources).unwrap_or_else(|failure| panic!("{failure:?}"))
}

fn expected(rsm: &Rsm, targets: &[Target]) -> Option<Vec<Verdict>> {
    let goals: Vec<Goal> = targets.iter().flat_map(Target::places).collect();
    let limits = explicit::Limits { max_states: 200_000, ..explicit::Limits::default() };
    let found = explicit::reachable(rsm, &goals, limits, &Stop::default()).ok()?;
    Some(found.into_iter().map(|r| if r { Verdict::Yes } else { Verdict::No }).collect())
}

/// Compares on one program; says whether it is small enough for the twin.
fn compare(seed: u64, shape: &Shape) -> bool {
    let text = program(seed, shape);
    let rsm = lower(&text);
    let targets = crate::localised::all_targets(&rsm);
    let Some(expected) = expected(&rsm, &targets) else { return false };
    assert_eq!(expected.len(), targets.len(), "seed {seed}\n{text}");
    for algorithm in ALGORITHMS.into_iter().filter(|algorithm| algorithm.programs == Programs::Sequential) {
        let report = ask(&rsm, &targets, algorithm.name, Reductions::ALL, false);
        agree(&expected, &report, &targets, &format!("seed {seed}, {}\n{text}", algorithm.name));
    }
    certify(&rsm, &targets, &expected, &text);
    for reductions in switches() {
        let report = ask(&rsm, &targets, "summary", reductions, false);
        agree(&expected, &report, &targets, &format!("seed {seed}, {reductions:?}\n{text}"));
    }
    for (target, verdict) in targets.iter().zip(&expected) {
        if *verdict == Verdict::Yes {
            let report = ask(&rsm, std::slice::from_ref(target), "hybrid", Reductions::ALL, true);
            let replayed = matches!(report.trace, TraceReport::Replayed(_));
            assert!(replayed, "{:?} for {}, seed {seed}\n{text}", report.trace, target.name);
        }
    }
    true
}

/// At least half of the programs were small enough for the twin.
#[track_caller]
fn enough(n_compared: usize, n_programs: usize) {
    assert!(2 * n_compared >= n_programs, "only {n_compared} of {n_programs} programs were compared");
}

/// The certificate for everything that is unreachable is accepted, and refused where something reachable is asked for.
fn certify(rsm: &Rsm, targets: &[Target], expected: &[Verdict], context: &str) {
    assert_eq!(targets.len(), expected.len(), "{context}");
    let of = |wanted: Verdict| -> Vec<Target> {
        let chosen = targets.iter().zip(expected).filter(|(_, verdict)| **verdict == wanted);
        chosen.map(|(target, _)| target.clone()).collect()
    };
    let (unreachable, reachable) = (of(Verdict::No), of(Verdict::Yes));
    if unreachable.is_empty() {
        return;
    }
    for algorithm in ["hybrid", "summary", "entry_forward", "entry_forward_split"] {
        let report = ask(rsm, &unreachable, algorithm, Reductions::ALL, false);
        let CertificateReport::Written(text) = report.certificate else {
            panic!("no certificate, {context}")
        };
        let certificate =
            certificate::read(&text).unwrap_or_else(|error| panic!("{error}, {context}\n{text}"));
        let sources = sources(context);
        let validate = |targets: &[Target]| {
            let goals: Vec<Goal> = targets.iter().flat_map(Target::places).collect();
            certificate::validate(rsm, &sources, &goals, &certificate, &Stop::default(), None)
        };
        let outcome = validate(&unreachable).expect("there are no limits");
        assert!(matches!(outcome, Outcome::Accepted(_)), "{outcome:?}, {algorithm}, {context}\n{text}");
        for target in &reachable {
            let outcome = validate(std::slice::from_ref(target)).expect("there are no limits");
            assert!(matches!(outcome, Outcome::Refused(_)), "{} is covered, {context}", target.name);
        }
    }
}

fn switches() -> Vec<Reductions> {
    let mut all = vec![Reductions::NONE];
    all.push(Reductions { dead_code: true, ..Reductions::NONE });
    all.push(Reductions { jump_chains: true, ..Reductions::NONE });
    all.push(Reductions { straight_lines: true, ..Reductions::NONE });
    all.push(Reductions { live_variables: true, ..Reductions::NONE });
    all.push(Reductions { cone: true, ..Reductions::NONE });
    all
}

fn agree(expected: &[Verdict], report: &Report, targets: &[Target], context: &str) {
    assert_eq!([expected.len(), report.findings.len()], [targets.len(); 2], "{context}");
    for ((expected, found), target) in expected.iter().zip(&report.findings).zip(targets) {
        assert_eq!(*expected, found.verdict, "{}, {context}", target.name);
    }
}

#[test]
fn everybody_agrees_on_small_programs() {
    let seeds: Vec<u64> = seeds(0..60).collect();
    enough(seeds.iter().filter(|seed| compare(**seed, &Shape::small())).count(), seeds.len());
}

#[test]
fn everybody_agrees_on_medium_programs() {
    let seeds: Vec<u64> = seeds(0..15).collect();
    enough(seeds.iter().filter(|seed| compare(**seed, &Shape::medium())).count(), seeds.len());
}

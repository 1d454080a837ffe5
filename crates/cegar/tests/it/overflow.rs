//! What is said of random C programs whose results may overflow, against a C compiler, once with overflows that trap and once with overflows that wrap.
//!
//! ```text
//! no result overflows     no input makes a run overflow, and none reaches the error
//! it does not matter      no input reaches the error with results that wrap
//! unless one overflows    no input reaches the error before a result overflows
//! reachable               the inputs of the run that is shown reach it, and nothing overflows before
//! ```
//!
//! `GETAFIX_SEED=17` or `GETAFIX_SEED=0..1000` chooses the programs. Without a C compiler nothing is compared, and a note says so.

mod compiler;
mod text;

use crate::limits::limits;
use base::{Random, Sources};
use cegar::{Cegar, STAGES};
use checker::{
    About, Arithmetic, Asker, Engine, Execution, IntegerProgram, Problem, Question, Unknown, Verdict, Wanted,
    WantedTrace, default_integer_targets,
};
use compiler::{Compiled, Ends};
use generate::random::seeds;

/// What may be said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Said {
    NoOverflow,
    Harmless,
    Unless,
    Reachable,
    ReachableOverIntegers,
    Unknown,
}

/// What the engine says, and the inputs of the run that it shows.
fn ask(engine: &Cegar, text: &str, seed: u64) -> (Said, Vec<i128>) {
    let mut sources = Sources::default();
    let file = sources.add("random.c", text.to_owned());
    let translation = c::translate(&sources, file, &c::Options::default());
    let program = translation.unwrap_or_else(|_| panic!("GETAFIX_SEED={seed}\n{text}")).program;
    let targets = default_integer_targets(&program);
    let program = IntegerProgram { program, arithmetic: Arithmetic::Machine };
    let wanted = Wanted { trace: WantedTrace::Any, certificate: false };
    let problem = Problem { wanted, ..Problem::new(&program, Question::Reach, &targets) };
    let mut asker = Asker { sources: &mut sources, known: &mut |_, _| {} };
    let outcome = engine.answer(&problem, &limits(), &mut asker).expect("there is no formula");
    let said = match (&outcome.finding.verdict, outcome.integers.about) {
        (Verdict::No, About::Both) => Said::NoOverflow,
        (Verdict::No, About::Either) => Said::Harmless,
        (Verdict::Unknown(Unknown::UnlessOverflow(_)), About::Assumed) => Said::Unless,
        (Verdict::Yes, About::Both) => Said::Reachable,
        (Verdict::Yes, _) => Said::ReachableOverIntegers,
        (Verdict::Unknown(_), _) => Said::Unknown,
        other => panic!("GETAFIX_SEED={seed}: {other:?}\n{text}"),
    };
    let proof = &outcome.integers.proof;
    if said == Said::Harmless && proof.claim.is_some() {
        assert_eq!(
            proof.arithmetic,
            Arithmetic::Wrapping,
            "GETAFIX_SEED={seed}: the claim is about other integers"
        );
    }
    (said, outcome.integers.account.map(|account| account.inputs).unwrap_or_default())
}

/// What is wrong with what is said, if something is.
fn wrong(said: Said, trapping: Ends, wrapping: Ends) -> Option<&'static str> {
    match said {
        Said::NoOverflow if trapping.n_trapped > 0 => Some("a result overflows"),
        Said::NoOverflow | Said::Unless if trapping.n_errors > 0 => Some("the error is reached"),
        Said::NoOverflow | Said::Harmless if wrapping.n_errors > 0 => Some("the error is reached, wrapping"),
        _ => None,
    }
}

#[test]
fn overflows_and_the_compiler() {
    if !testing::has_c_compiler() {
        return;
    }
    let seeds = seeds(0..24);
    let texts: Vec<String> = seeds.clone().map(|seed| text::program(&mut Random::new(seed))).collect();
    let (traps, wraps) = (Compiled::new(&texts, compiler::TRAPS), Compiled::new(&texts, compiler::WRAPS));
    let solver = smt::find(None).expect("there is a solver");
    let engine = Cegar {
        // So little is executed that most has to be proved.
        execution: Execution { seed: 0, effort: Some(1 << 10) },
        solver: Some(solver),
        given: None,
        stages: STAGES.min(2),
        assumes_defined: false,
        jobs: 1,
    };
    let mut n_said = [0; 6];
    for ((seed, text), n) in seeds.zip(&texts).zip(0..) {
        let ours = text::ours(text);
        let (said, inputs) = ask(&engine, &ours, seed);
        n_said[said as usize] += 1;
        let (trapping, wrapping) = (traps.all(n), wraps.all(n));
        if let Some(wrong) = wrong(said, trapping, wrapping) {
            panic!("GETAFIX_SEED={seed}: {said:?}, but {wrong}: {trapping:?}, {wrapping:?}\n{ours}");
        }
        if said == Said::Reachable {
            let run = traps.one(n, &inputs);
            assert_eq!(run.n_errors, 1, "GETAFIX_SEED={seed}: {inputs:?} do not reach it\n{ours}");
        }
    }
    eprintln!("no overflow, harmless, unless, reachable, over the integers, unknown: {n_said:?}");
    if !testing::is_chosen() {
        assert!(n_said[0] >= 5 && n_said[1] >= 2 && n_said[2] >= 3 && n_said[3] >= 2, "{n_said:?}");
    }
}

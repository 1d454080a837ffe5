//! Runs that are executed ahead are those that would be executed then, and nobody waits for those that are not wanted.

use super::beside;
use crate::overflow::Transfer;
use crate::{Cegar, STAGES};
use base::Sources;
use checker::{
    Arithmetic, Asker, Engine, Execution, IntegerProgram, Limits, Outcome, Problem, Question, Verdict,
    default_integer_targets,
};

/// Some inputs lead to the error, and not the first ones.
const RARE: &str = "extern int __VERIFIER_nondet_int(void);
int main() { int n = 0; while (n < 3) { if (__VERIFIER_nondet_int() > 5) n = n + 1; else n = 0; } ERROR: return 0; }";

const ENDLESS: &str = "extern int __VERIFIER_nondet_int(void);
int main() { int n = 0; while (n >= 0) { n = __VERIFIER_nondet_int() == 3 ? 1 : 0; } ERROR: return 0; }";

const SAFE: &str = "extern int __VERIFIER_nondet_int(void);
int main() { int i = 0, n = __VERIFIER_nondet_int(); while (i < n) i = i + 1; if (n > 0 && i != n) { ERROR: return 1; } return 0; }";

/// Lets somebody ask about a program.
fn about<T>(text: &str, ask: impl FnOnce(&Problem<IntegerProgram>, &Sources) -> T) -> T {
    let mut sources = Sources::default();
    let file = sources.add("test.c", text.to_owned());
    let translation = c::translate(&sources, file, &c::Options::default());
    let program = translation.unwrap_or_else(|_| panic!("it is C: {text}")).program;
    let targets = default_integer_targets(&program);
    let program = IntegerProgram { program, arithmetic: Arithmetic::Machine };
    ask(&Problem::new(&program, Question::Reach, &targets), &sources)
}

fn engine(jobs: usize) -> Cegar {
    let solver = Some(smt::find(None).expect("there is a solver"));
    let execution = Execution::default();
    Cegar { execution, solver, given: None, stages: STAGES, assumes_defined: false, jobs }
}

#[test]
fn what_was_executed_ahead_is_what_is_executed_then() {
    let mut n_found = 0;
    for text in [RARE, ENDLESS, SAFE] {
        about(text, |problem, sources| {
            let (engine, limits) = (engine(2), Limits::default());
            let transfer = Transfer { engine: &engine, problem, limits: &limits, sources };
            for effort in [1 << 8, 1 << 16] {
                let execution = Execution { seed: 0, effort: Some(effort) };
                let other = Execution { seed: 1, effort: Some(effort) };
                let mut told: [Vec<String>; 3] = Default::default();
                let [now, before, beside_other] = &mut told;
                let hear = |told: &mut Vec<String>, outcome: &Outcome| told.push(format!("{outcome:?}"));
                let expected =
                    execution.execute(problem, &limits, sources, &mut |outcome, _| hear(now, outcome));
                let found = beside(Some(execution), &transfer, |ahead| {
                    ahead.execute(execution, &transfer, &mut |outcome, _| hear(before, outcome))
                });
                let not_begun = beside(Some(other), &transfer, |ahead| {
                    ahead.execute(execution, &transfer, &mut |outcome, _| hear(beside_other, outcome))
                });
                let expected_text = format!("{expected:?}");
                assert_eq!(
                    [format!("{found:?}"), format!("{not_begun:?}")],
                    [(); 2].map(|()| expected_text.clone())
                );
                assert!(told[0] == told[1] && told[0] == told[2], "{told:?}");
                n_found += usize::from(expected.finding.is_yes());
            }
        });
    }
    assert!(n_found > 0, "some run is found");
}

#[test]
fn what_nobody_asks_for_is_stopped() {
    about(ENDLESS, |problem, sources| {
        let (engine, limits) = (engine(2), Limits::default());
        let transfer = Transfer { engine: &engine, problem, limits: &limits, sources };
        let for_ever = Execution { seed: 0, effort: None };
        beside(Some(for_ever), &transfer, |_| ());
        assert_eq!(limits.stop.is_requested(), None);
        // Memory is scarce: runs that are executed ahead go first.
        beside(Some(for_ever), &transfer, |_| assert!(limits.stop.relieve()));
        assert!(limits.stop.is_requested().is_none() && !limits.stop.relieve());
    });
}

#[test]
fn the_answer_does_not_depend_on_jobs() {
    let mut outcomes = [1, 2].map(|jobs| {
        about(SAFE, |problem, sources| {
            let mut asker = Asker { sources: &mut sources.clone(), known: &mut |_, _| {} };
            let outcome = engine(jobs).answer(problem, &Limits::default(), &mut asker).expect("no formula");
            assert_eq!(outcome.finding.verdict, Verdict::No);
            outcome
        })
    });
    // What proofs cost may depend on the time that a solver takes.
    outcomes.iter_mut().for_each(|outcome| outcome.figures = Default::default());
    let [one, two] = outcomes.map(|outcome| format!("{outcome:?}"));
    assert_eq!(one, two);
}

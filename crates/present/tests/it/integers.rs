//! Answers about random programs in C: every verdict is confirmed by other means, and can be shown in every form.
//!
//! `GETAFIX_SEED=7` or `GETAFIX_SEED=100..200` chooses the programs.

use base::{Random, Sources};
use c::Options;
use checker::{
    About, Arithmetic, Execution, IntegerProgram, Limits, Outcome, Problem, Question, Target, Verdict,
    Wanted, WantedTrace,
};
use integers::trace::{End, Manner, Reality, confirm, walk};
use integers::{Goal, Integers, Program, Undefined};
use present::answer::{Answer, TraceStyle};
use present::reason::LimitsSet;

const DECLARATIONS: &str = "
int __VERIFIER_nondet_int(void); unsigned __VERIFIER_nondet_uint(void); short __VERIFIER_nondet_short(void);
unsigned char __VERIFIER_nondet_uchar(void); long long __VERIFIER_nondet_longlong(void);
void reach_error(void); long long observed; void observe(long long v) { observed = v; if (v == 3) reach_error(); }
";

fn program(seed: u64) -> (Sources, Program) {
    let text = testing::random_c::program(&mut Random::new(seed), seed);
    let whole = format!("{DECLARATIONS}{text}int main(void) {{ p{seed}_main(); return 0; }}\n");
    let mut sources = Sources::default();
    let file = sources.add("random.c", whole);
    let translation = c::translate(&sources, file, &Options::default()).expect("random programs are right");
    (sources, translation.program)
}

/// The answer says in every form what was found out.
fn present(problem: &Problem<IntegerProgram>, outcome: &Outcome, sources: &Sources) {
    let answer = Answer { problem, outcome, limits: LimitsSet::default(), watching: None, observing: None };
    let word = outcome.asked.words.of(&outcome.finding.verdict).to_uppercase();
    for style in [TraceStyle::None, TraceStyle::Text, TraceStyle::Margin, TraceStyle::Object] {
        let conclusion = answer.conclusion(sources, style);
        assert!(conclusion.text.starts_with(&word), "{}", conclusion.text);
        assert_eq!(
            conclusion.trace.is_object(),
            style == TraceStyle::Object && outcome.integers.account.is_some()
        );
    }
}

/// A run that reaches its target does so by the twin as well, with the integers that the answer names.
fn confirmed(problem: &Problem<IntegerProgram>, outcome: &Outcome, seed: u64) {
    let account = outcome.integers.account.as_ref().expect("a run was asked for");
    let steps = 16 * account.n_steps + 1000;
    match (account.end, outcome.integers.about, problem.program.arithmetic) {
        (End::Target(target), About::Wrapping, Arithmetic::Wrapping) => {
            let wrapped = integers::wrapped(problem.program);
            let reality = confirm(&wrapped, &account.inputs, target, steps);
            assert_eq!(reality, Reality::Machine, "GETAFIX_SEED={seed}");
        }
        (End::Target(target), about, _) => {
            let reality = confirm(problem.program, &account.inputs, target, steps);
            let expected = match about {
                About::Mathematics(why, function, edge) => Reality::IntegersOnly(why, function, edge),
                _ => Reality::Machine,
            };
            assert_eq!(reality, expected, "GETAFIX_SEED={seed}");
        }
        (End::Undefined(Undefined::Overflow(_), ..), About::Both, Arithmetic::Checked) => {
            let manner = Manner { integers: Integers::Machine, goal: Goal::Never, max_steps: steps };
            let mut inputs = account.inputs.iter().copied();
            let end = walk(problem.program, &mut |_| inputs.next(), manner, &mut |_| {});
            assert_eq!(end, account.end, "GETAFIX_SEED={seed}");
        }
        other => panic!("GETAFIX_SEED={seed}: {other:?}"),
    }
}

#[test]
fn what_is_found_is_there_and_can_be_shown() {
    let seeds = generate::random::seeds(0..60);
    let (mut n_yes, mut n_no, mut n_unknown, mut n_only, mut n_overflow) = (0, 0, 0, 0, 0);
    for seed in seeds.clone() {
        let (sources, program) = program(seed);
        for arithmetic in [Arithmetic::Mathematical, Arithmetic::Checked, Arithmetic::Wrapping] {
            let mut targets = checker::default_integer_targets(&program);
            targets.extend((arithmetic == Arithmetic::Checked).then(Target::overflow));
            for question in [Question::Reach, Question::Infinite] {
                let targets = if question == Question::Reach { &targets[..] } else { &[] };
                let program = &IntegerProgram { program: program.clone(), arithmetic };
                let wanted = Wanted { trace: WantedTrace::Any, certificate: false };
                let problem = Problem { wanted, ..Problem::new(program, question, targets) };
                let engine = Execution { seed, effort: Some(100_000) };
                let outcome = engine.execute(&problem, &Limits::default(), &sources, &mut |_, _| {});
                present(&problem, &outcome, &sources);
                match outcome.finding.verdict {
                    Verdict::Yes if question == Question::Reach => {
                        confirmed(&problem, &outcome, seed);
                        n_yes += 1;
                        n_only += u32::from(matches!(outcome.integers.about, About::Mathematics(..)));
                        n_overflow += u32::from(outcome.findings.len() > 1 && outcome.findings[1].is_yes());
                    }
                    Verdict::Yes => {
                        assert!(outcome.integers.account.is_some_and(|account| account.cycle.is_some()))
                    }
                    Verdict::No => n_no += 1,
                    Verdict::Unknown(_) => n_unknown += 1,
                }
            }
        }
    }
    println!(
        "{n_yes} reachable ({n_only} over the integers only, {n_overflow} overflows), {n_no} not, {n_unknown} unknown"
    );
    if seeds.end - seeds.start >= 60 {
        assert!(
            n_yes > 30 && n_no > 10 && n_unknown > 10 && n_only > 0 && n_overflow > 3,
            "too little was compared"
        );
    }
}

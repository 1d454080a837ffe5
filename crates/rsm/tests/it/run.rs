//! Runs that are driven by a script or by a seed.

use crate::harness::{machine, on_a_small_stack, random, script, show};
use base::Random;
use rsm::run::{End, Event, Options, Rest, Run, RunError};
use rsm::step::{initials, is_initial, is_step, successors};

fn options(choices: &str, rest: Rest) -> Options {
    let choices = choices.split(',').filter(|choice| !choice.is_empty()).map(str::to_owned).collect();
    Options { choices, rest, max_steps: 8 }
}

/// The run as lines: each configuration and, before it, what was chosen to get there.
fn trace(text: &str, choices: &str, rest: Rest) -> Result<Vec<String>, RunError> {
    let rsm = machine(text);
    let Some((mut run, chosen)) = Run::start(&rsm, options(choices, rest))? else {
        return Ok(vec!["no start".to_owned()]);
    };
    let mut lines = vec![format!("[{}] {}", script(&rsm, &chosen), show(&rsm, run.configuration()))];
    loop {
        match run.step()? {
            Event::Step { choices, .. } => {
                lines.push(format!("[{}] {}", script(&rsm, &choices), show(&rsm, run.configuration())));
            }
            Event::End(End::Failure { choices, .. }) => {
                lines.push(format!("[{}] failure", script(&rsm, &choices)));
                return Ok(lines);
            }
            Event::End(end) => {
                lines.push(format!("{end:?}, {} unused", run.n_unused_choices()));
                return Ok(lines);
            }
        }
    }
}

#[track_caller]
fn check(text: &str, choices: &str, expected: &[&str]) {
    assert_eq!(trace(text, choices, Rest::Zero).unwrap(), expected);
}

#[track_caller]
fn check_error(text: &str, choices: &str, expected: &str) {
    assert_eq!(trace(text, choices, Rest::Zero).unwrap_err().to_string(), expected);
}

const LOOP: &str = "global a i:3\nmodule main ; x\n0 0 set i := *:3\n0 1 assume a\n1 2 return";

#[test]
fn globals_come_first_then_locals_then_edges_then_stars() {
    check(
        LOOP,
        "T,5,F,0,6,1",
        &[
            "[T,5,F] a=T i=5 | main@0 x=F",
            "[0,6] a=T i=6 | main@0 x=F",
            "[1] a=T i=6 | main@1 x=F",
            "[] a=T i=6",
            "Returned, 0 unused",
        ],
    );
}

#[test]
fn a_single_possibility_consumes_nothing() {
    check(
        "module main\n0 1 skip\n1 2 return",
        "7",
        &["[] | main@0", "[] | main@1", "[] ", "Returned, 1 unused"],
    );
}

#[test]
fn without_a_script_everything_is_zero() {
    check(
        "global i:3\nmodule main\n0 1 set i := *:3\n1 2 return",
        "",
        &["[0] i=0 | main@0", "[0] i=0 | main@1", "[] i=0", "Returned, 0 unused"],
    );
}

#[test]
fn zero_gives_way_to_what_does_not_block() {
    let text = "global i:3\ninit i 4:3 <  !\nmodule main\n0 1 set i := *:3 constrain i' i != i' 2:3 < ! &\n1 2 return";
    check(text, "", &["[4] i=4 | main@0", "[2] i=2 | main@1", "[] i=2", "Returned, 0 unused"]);
}

#[test]
fn locals_of_a_callee_come_after_its_arguments() {
    let text = "module main\n0 1 call f ( * )\n1 2 return\nmodule f p ; c:red/green d\n0 1 return";
    check(
        text,
        "T,green",
        &[
            "[] | main@0",
            "[T,green,F] | main@0 | f@0 p=T c=green d=F",
            "[] | main@1",
            "[] ",
            "Returned, 0 unused",
        ],
    );
}

#[test]
fn a_schoose_is_asked_only_if_neither_side_holds() {
    let text = "global a\nmodule main\n0 1 set a := * F schoose\n1 2 return";
    check(text, "F,T", &["[F] a=F | main@0", "[T] a=T | main@1", "[] a=T", "Returned, 0 unused"]);
    check(text, "F,F,T", &["[F] a=F | main@0", "[F,T] a=T | main@1", "[] a=T", "Returned, 0 unused"]);
}

#[test]
fn an_assertion_that_can_hold_and_fail_is_a_choice() {
    let text = "module main\n0 1 assert *\n1 2 return";
    check(text, "0", &["[] | main@0", "[0] | main@1", "[] ", "Returned, 0 unused"]);
    check(text, "1", &["[] | main@0", "[1] failure"]);
    check("module main\n0 1 assert F\n1 2 return", "", &["[] | main@0", "[] failure"]);
}

#[test]
fn a_run_may_block_or_come_to_its_limit() {
    check("module main\n0 1 assume F\n1 2 return", "", &["[] | main@0", "Blocked, 0 unused"]);
    check("global a\ninit a a ! &\nmodule main\n0 1 return", "", &["no start"]);
    let lines = trace("module main\n0 0 skip\n0 1 assume F\n1 2 return", "", Rest::Zero).unwrap();
    assert_eq!((lines.len(), lines.last().unwrap().as_str()), (10, "StepLimit, 0 unused"));
}

#[test]
fn a_choice_that_cannot_be_made_is_an_error_with_its_position() {
    check_error(LOOP, "T,8", "choice 2: `8` is no value of type int<3>");
    check_error(LOOP, "T,0,T,2", "choice 4: `2` is none of the 2 possibilities 0 … 1");
    check_error(LOOP, "maybe", "choice 1: `maybe` is no value of type bool");
    let text = "global a\ninit a\nmodule main\n0 1 set a := * constrain a'\n1 2 return";
    check_error(text, "F", "choice 1: no run starts with these values");
    check_error(text, "T,F", "choice 2: the step cannot be taken with these choices");
}

#[test]
fn a_script_written_by_a_random_run_replays_it() {
    let seed = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    println!("seed {seed}");
    let mut random = Random::new(seed);
    for n in 0..300 {
        let text = random::machine_text(&mut random);
        let first = trace(&text, "", Rest::Seed(n)).unwrap();
        let choices = first.iter().filter_map(|line| line.strip_prefix('[')?.split(']').next());
        let choices: Vec<&str> = choices.filter(|choices| !choices.is_empty()).collect();
        let second = trace(&text, &choices.join(","), Rest::Zero).unwrap();
        assert_eq!(first, second, "{text}");
    }
}

#[test]
fn every_step_of_a_random_run_is_a_step() {
    let seed = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(2);
    println!("seed {seed}");
    let mut random = Random::new(seed);
    for n in 0..300 {
        let text = random::machine_text(&mut random);
        let rsm = machine(&text);
        let Some((mut run, _)) = Run::start(&rsm, options("", Rest::Seed(n))).unwrap() else {
            assert!(initials(&rsm, 1 << 16).unwrap().is_empty(), "{text}");
            continue;
        };
        assert!(is_initial(&rsm, run.configuration()).unwrap(), "{text}");
        loop {
            let before = run.configuration().clone();
            match run.step().unwrap() {
                Event::Step { edge, .. } => {
                    assert!(is_step(&rsm, &before, edge, run.configuration()).unwrap(), "{text}");
                }
                Event::End(End::Blocked) => {
                    assert!(successors(&rsm, &before, 1 << 16).unwrap().is_empty(), "{text}");
                    break;
                }
                Event::End(_) => break,
            }
        }
    }
}

#[test]
fn a_deep_recursion_runs_on_a_small_stack() {
    on_a_small_stack(|| {
        let rsm =
            machine("module main\n0 1 call f ( )\n1 2 return\nmodule f ; x\n0 1 call f ( )\n1 2 return");
        let options = Options { choices: Vec::new(), rest: Rest::Seed(1), max_steps: 50_000 };
        let (mut run, _) = Run::start(&rsm, options).unwrap().unwrap();
        while !matches!(run.step().unwrap(), Event::End(End::StepLimit)) {}
        assert_eq!(run.configuration().stack.len(), 50_001);
    });
}

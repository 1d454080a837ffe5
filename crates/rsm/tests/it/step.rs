//! The semantics of steps, sentence by sentence.

use crate::harness::{machine, on_a_small_stack, random, script, show};
use base::Random;
use rsm::step::{
    Configuration, explain_initial, explain_step, fails_assertion, initials, is_initial, is_step,
    random_step, successors,
};
use rsm::values::TooLarge;
use rsm::{EdgeId, Rsm};

const LIMIT: usize = 1 << 16;

/// Follows the only initial configuration through the only step, so many times.
fn after(rsm: &Rsm, n_steps: usize) -> Configuration {
    let mut configuration = initials(rsm, LIMIT).unwrap().remove(0);
    for _ in 0..n_steps {
        configuration = successors(rsm, &configuration, LIMIT).unwrap().remove(0).1;
    }
    configuration
}

#[track_caller]
fn check_initials(text: &str, expected: &[&str]) {
    let rsm = machine(text);
    let found = initials(&rsm, LIMIT).unwrap();
    assert!(found.iter().all(|configuration| is_initial(&rsm, configuration).unwrap()));
    assert_eq!(found.iter().map(|configuration| show(&rsm, configuration)).collect::<Vec<_>>(), expected);
}

/// The successors of the configuration that is first after so many steps.
#[track_caller]
fn check_successors(text: &str, n_steps: usize, expected: &[&str]) {
    let rsm = machine(text);
    let before = after(&rsm, n_steps);
    let found = successors(&rsm, &before, LIMIT).unwrap();
    assert!(found.iter().all(|(edge, after)| is_step(&rsm, &before, *edge, after).unwrap()));
    assert_eq!(found.iter().map(|(_, after)| show(&rsm, after)).collect::<Vec<_>>(), expected);
}

#[test]
fn nothing_is_initialised() {
    check_initials(
        "global a\nmodule main ; x\n0 1 return",
        &["a=F | main@0 x=F", "a=F | main@0 x=T", "a=T | main@0 x=F", "a=T | main@0 x=T"],
    );
}

#[test]
fn init_and_enforce_restrict_the_start() {
    check_initials(
        "global a b\ninit a b !=\nmodule main ; x\nenforce x a &\n0 1 return",
        &["a=T b=F | main@0 x=T"],
    );
}

#[test]
fn a_star_in_init_means_can_hold() {
    check_initials("global a\ninit a * |\ninit a\nmodule main\n0 1 return", &["a=T | main@0"]);
}

#[test]
fn a_large_initial_value_is_found_at_once() {
    check_initials(
        "global n:64\ninit n 12345678901:64 =\nmodule main\n0 1 return",
        &["n=12345678901 | main@0"],
    );
}

#[test]
fn too_many_initial_values_are_an_answer() {
    let rsm = machine("global n:64\nmodule main\n0 1 return");
    assert_eq!(initials(&rsm, LIMIT), Err(TooLarge));
}

#[test]
fn right_hand_sides_are_evaluated_in_the_old_state() {
    let text = "global a b\ninit a b ! &\nmodule main\n0 1 set a , b := b , a\n1 2 return";
    check_successors(text, 0, &["a=F b=T | main@1"]);
}

#[test]
fn constrain_sees_old_and_new_values() {
    let text = "global a b\ninit a b ! &\nmodule main\n0 1 set a := * constrain a' a != b' b = &\n1 2 return";
    check_successors(text, 0, &["a=F b=F | main@1"]);
}

#[test]
fn a_constrain_that_nothing_satisfies_blocks() {
    check_successors("global a\ninit a\nmodule main\n0 1 set a := a constrain a' !\n1 2 return", 0, &[]);
}

#[test]
fn assume_blocks_where_it_cannot_hold() {
    let text = "global a\ninit a\nmodule main\n0 1 assume a !\n0 2 assume a * &\n1 3 return\n2 3 return";
    check_successors(text, 0, &["a=T | main@2"]);
}

#[test]
fn a_step_into_a_state_that_violates_enforce_cannot_be_taken() {
    check_successors("global a\nmodule main\nenforce a\n0 1 set a := *\n1 2 return", 0, &["a=T | main@1"]);
}

#[test]
fn a_call_passes_arguments_and_leaves_other_locals_open() {
    let text = "global a\ninit a\nmodule main\n0 1 call f ( a ! )\n1 2 return\nmodule f p ; x\n0 1 return";
    check_successors(text, 0, &["a=T | main@0 | f@0 p=F x=F", "a=T | main@0 | f@0 p=F x=T"]);
}

#[test]
fn the_enforce_of_the_callee_restricts_its_entry() {
    let text = "module main\n0 1 call f ( * )\n1 2 return\nmodule f p ; x\nenforce p x !=\n0 1 return";
    check_successors(text, 0, &["| main@0 | f@0 p=F x=T", "| main@0 | f@0 p=T x=F"]);
}

#[test]
fn a_return_stores_all_results_at_once_in_the_caller() {
    let text = "global a\ninit a\nmodule main ; x\nenforce x a |\n0 1 call x , a := f ( )\n1 2 return\n\
                module f ; ; bool bool\n0 1 return a , a !";
    check_successors(text, 1, &["a=F | main@1 x=T"]);
}

#[test]
fn a_suspended_caller_is_not_restricted_but_the_state_it_returns_to_is() {
    let text = "global a\nmodule main\nenforce a\n0 1 call f ( )\n1 2 return\n\
                module f\n0 1 set a := F\n1 2 return\n1 2 set a := a";
    check_successors(text, 1, &["a=F | main@0 | f@1"]);
    check_successors(text, 2, &["a=F | main@0 | f@2"]);
}

#[test]
fn dropped_results_are_not_computed() {
    let text = "module main ; x\nenforce x\n0 1 call _ , x := f ( )\n1 2 return\nmodule f ; ; bool bool\n\
                0 1 return * , T";
    check_successors(text, 1, &["| main@1 x=T"]);
}

#[test]
fn when_main_returns_the_stack_is_empty_and_nothing_follows() {
    let text = "global a\ninit a\nmodule main\nenforce a\n0 1 return";
    check_successors(text, 0, &["a=T"]);
    check_successors(text, 1, &[]);
}

#[test]
fn an_assertion_can_hold_and_fail() {
    let rsm = machine("module main\n0 1 assert *\n1 2 assert T\n2 3 return");
    let start = after(&rsm, 0);
    assert!(fails_assertion(&rsm, &start, EdgeId(0)).unwrap());
    assert!(!fails_assertion(&rsm, &after(&rsm, 1), EdgeId(1)).unwrap());
    assert!(!fails_assertion(&rsm, &start, EdgeId(1)).unwrap(), "the run is not there");
}

#[test]
fn what_does_not_fit_is_no_step() {
    let rsm = machine("global a\nmodule main\n0 1 set a := *\n1 2 return");
    let before = after(&rsm, 0);
    let (edge, good) = successors(&rsm, &before, LIMIT).unwrap().remove(0);
    let refused = |spoil: &dyn Fn(&mut Configuration)| {
        let mut spoiled = good.clone();
        spoil(&mut spoiled);
        !is_step(&rsm, &before, edge, &spoiled).unwrap() && !is_step(&rsm, &spoiled, edge, &good).unwrap()
    };
    assert!(refused(&|after| after.globals.push(0)));
    assert!(refused(&|after| after.globals[0] = 2));
    assert!(refused(&|after| after.stack[0].locals.push(0)));
    assert!(refused(&|after| after.stack.push(after.stack[0].clone())));
    assert!(refused(&|after| after.stack[0].module.0 = 7));
    assert!(refused(&|after| after.stack[0].call = Some(EdgeId(9))));
    assert!(!is_step(&rsm, &before, EdgeId(1), &good).unwrap());
    assert!(!is_step(&rsm, &before, EdgeId(5), &good).unwrap());
}

#[test]
fn choices_are_told_in_the_order_of_the_text() {
    let rsm = machine(
        "global i:3\nmodule main\n0 1 set i := * 6:3 *:3 if\n1 2 call f ( F F schoose )\n2 3 return\n\
         module f p ; c:red/green\n0 1 return",
    );
    let mut before = initials(&rsm, LIMIT).unwrap().remove(3);
    assert_eq!(script(&rsm, &explain_initial(&rsm, &before)), "6");
    let mut told = Vec::new();
    while let Some((edge, after)) = successors(&rsm, &before, LIMIT).unwrap().pop() {
        let choices = explain_step(&rsm, &before, edge, &after).unwrap().unwrap();
        told.push(format!("{} by {}", show(&rsm, &after), script(&rsm, &choices)));
        before = after;
    }
    let expected =
        ["i=7 | main@1 by F,7", "i=7 | main@1 | f@0 p=T c=green by T,green", "i=7 | main@2 by ", "i=7 by "];
    assert_eq!(told, expected);
}

#[test]
fn a_random_step_is_found_where_few_values_do_not_block() {
    let rsm =
        machine("global n:64\nmodule main\n0 1 set n := *:64 constrain n' 77:64 = n' 78:64 = |\n1 2 return");
    let start = Configuration { globals: vec![0], ..after(&machine("module main\n0 1 return"), 0) };
    let mut random = Random::new(1);
    let (_, after) = random_step(&rsm, &start, &mut |n| random.below(n)).unwrap().unwrap();
    assert!([77, 78].contains(&after.globals[0]));
}

#[test]
fn a_deep_stack_is_no_problem() {
    on_a_small_stack(|| {
        let rsm = machine("module main\n0 1 call f ( )\n1 2 return\nmodule f\n0 1 call f ( )\n1 2 return");
        let mut configuration = initials(&rsm, LIMIT).unwrap().remove(0);
        let frame = successors(&rsm, &configuration, LIMIT).unwrap().remove(0).1.stack.remove(1);
        configuration.stack[0].call = Some(EdgeId(0));
        let waiting = rsm::step::Frame { call: Some(EdgeId(0)), ..frame.clone() };
        configuration.stack.extend(std::iter::repeat_n(waiting, 100_000));
        configuration.stack.push(frame);
        let (edge, after) = successors(&rsm, &configuration, LIMIT).unwrap().remove(0);
        assert!(is_step(&rsm, &configuration, edge, &after).unwrap());
    });
}

/// Configurations that differ from one in a single value, or in where the top is.
fn neighbours(rsm: &Rsm, configuration: &Configuration) -> Vec<Configuration> {
    let mut neighbours = vec![configuration.clone()];
    for n in 0..configuration.globals.len() {
        for value in 0..=rsm.globals[n].ty.max() {
            let mut changed = configuration.clone();
            changed.globals[n] = value;
            neighbours.push(changed);
        }
    }
    let Some(top) = configuration.top() else { return neighbours };
    for n in 0..top.locals.len() {
        for value in 0..=rsm.module(top.module).locals[n].ty.max() {
            let mut changed = configuration.clone();
            changed.stack.last_mut().unwrap().locals[n] = value;
            neighbours.push(changed);
        }
    }
    for n in 0..rsm.module(top.module).nodes.len() {
        let mut changed = configuration.clone();
        changed.stack.last_mut().unwrap().node.0 = n as u32;
        neighbours.push(changed);
    }
    neighbours
}

#[test]
fn enumerated_steps_are_exactly_the_steps() {
    let seed = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    println!("seed {seed}");
    let mut random = Random::new(seed);
    for _ in 0..150 {
        let text = random::machine_text(&mut random);
        let rsm = machine(&text);
        let mut all = initials(&rsm, LIMIT).unwrap();
        if all.is_empty() {
            continue;
        }
        let mut before = all.swap_remove(random.below(all.len() as u64) as usize);
        for _ in 0..12 {
            let found = successors(&rsm, &before, LIMIT).unwrap();
            for (edge, after) in &found {
                for candidate in neighbours(&rsm, after) {
                    let expected = found.contains(&(*edge, candidate.clone()));
                    assert_eq!(is_step(&rsm, &before, *edge, &candidate).unwrap(), expected, "{text}");
                }
                assert!(explain_step(&rsm, &before, *edge, after).unwrap().is_some(), "{text}");
            }
            let picked = random_step(&rsm, &before, &mut |n| random.below(n)).unwrap();
            assert_eq!(picked.is_some(), !found.is_empty(), "{text}");
            let Some(picked) = picked else { break };
            assert!(found.contains(&picked), "{text}");
            before = picked.1;
        }
    }
}

#[test]
fn what_is_no_configuration_has_no_steps() {
    let rsm = machine(
        "global a\ninit a\nmodule main ; x\n0 1 call f ( a )\n1 2 return\nmodule f p\n0 1 skip\n1 2 return",
    );
    let before = after(&rsm, 1);
    let (edge, next) = successors(&rsm, &before, LIMIT).unwrap().remove(0);
    assert!(is_step(&rsm, &before, edge, &next).unwrap());
    let spoilt: [fn(&mut Configuration); 7] = [
        |it| it.globals.push(0),
        |it| it.globals[0] = 2,
        |it| it.stack[1].locals.clear(),
        |it| it.stack[1].call = Some(EdgeId(0)),
        |it| it.stack[0].locals.push(0),
        |it| it.stack[0].call = None,
        |it| it.stack[0].node = rsm::NodeId(1),
    ];
    for (n, spoil) in spoilt.into_iter().enumerate() {
        let (mut from, mut to) = (before.clone(), next.clone());
        for it in [&mut from, &mut to] {
            spoil(it);
        }
        assert_eq!(is_step(&rsm, &from, edge, &to), Ok(false), "{n}");
    }
}

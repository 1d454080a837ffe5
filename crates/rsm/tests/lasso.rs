//! What a lasso is: those that are, and what the others lack.

mod harness;

use harness::machine;
use rsm::lasso::{Fault, Lasso, Moment};
use rsm::step::{Configuration, Frame};
use rsm::{EdgeId, Goal, NodeId, Place, Rsm};

/// Steps from `main`, each as an edge, globals and locals.
fn lasso(rsm: &Rsm, globals: &[u64], locals: &[u64], steps: &[(u32, &[u64], &[u64])], head: usize) -> Lasso {
    let frame = Frame::new(rsm.main, rsm.module(rsm.main).entry, locals.to_vec());
    let moment = |(edge, globals, locals): &(u32, &[u64], &[u64])| Moment {
        edge: EdgeId(*edge),
        globals: globals.to_vec(),
        locals: locals.to_vec(),
    };
    let start = Configuration { globals: globals.to_vec(), stack: vec![frame] };
    Lasso { start, steps: steps.iter().map(moment).collect(), head }
}

#[test]
fn a_loop_that_comes_back() {
    let rsm = machine("global a\ninit a !\nmodule main\n0 1 skip\n1 1 set a := a !\n1 2 return");
    let twice: [(u32, &[u64], &[u64]); 3] = [(0, &[0], &[]), (1, &[1], &[]), (1, &[0], &[])];
    let found = lasso(&rsm, &[0], &[], &twice, 1).check(&rsm, &[]).unwrap();
    assert_eq!((found.growth, found.matters.len()), (0, 0));
    // Nothing reads it, so one round is enough.
    assert!(lasso(&rsm, &[0], &[], &twice[..2], 1).check(&rsm, &[]).is_ok());
}

#[test]
fn what_a_condition_reads_has_to_come_back() {
    let rsm = machine(
        "global a b\ninit a ! b ! &\nmodule main\n0 1 assume a b != T |\n1 0 set a , b := b ! , a\n0 2 return",
    );
    let round: [(u32, &[u64], &[u64]); 2] = [(0, &[0, 0], &[]), (2, &[1, 0], &[])];
    let fault = lasso(&rsm, &[0, 0], &[], &round, 0).check(&rsm, &[]);
    assert_eq!(fault, Err(Fault::Elsewhere(vec![Place::Global(0)])));
    let mut four = round.to_vec();
    four.extend([(0, &[1, 0][..], &[][..]), (2, &[1, 1], &[]), (0, &[1, 1], &[]), (2, &[0, 1], &[])]);
    four.extend([(0, &[0, 1][..], &[][..]), (2, &[0, 0], &[])]);
    let found = lasso(&rsm, &[0, 0], &[], &four, 0).check(&rsm, &[]).unwrap();
    assert_eq!(found.matters.into_iter().collect::<Vec<_>>(), [Place::Global(0), Place::Global(1)]);
}

#[test]
fn choices_are_made_again() {
    // The condition holds because of what is chosen; the old value does not matter.
    let rsm = machine("global a:8\nmodule main\n0 1 set a := *:8\n1 0 assume a 7:8 =\n0 2 return");
    let steps: [(u32, &[u64], &[u64]); 2] = [(0, &[7], &[]), (2, &[7], &[])];
    let found = lasso(&rsm, &[3], &[], &steps, 0).check(&rsm, &[]).unwrap();
    assert!(found.matters.is_empty());
    let wrong: [(u32, &[u64], &[u64]); 2] = [(0, &[6], &[]), (2, &[6], &[])];
    assert_eq!(lasso(&rsm, &[3], &[], &wrong, 0).check(&rsm, &[]), Err(Fault::Step(1)));
}

#[test]
fn recursion_grows_and_its_arguments_matter() {
    let rsm = machine(
        "module main\n0 1 call f ( T )\n1 2 return\nmodule f p\n0 1 assume p\n1 2 call f ( p )\n1 2 call f ( p ! )\n2 3 return",
    );
    let grows: [(u32, &[u64], &[u64]); 3] = [(0, &[], &[1]), (0, &[], &[1]), (1, &[], &[1])];
    let found = lasso(&rsm, &[], &[], &grows, 1).check(&rsm, &[]).unwrap();
    assert_eq!((found.growth, found.matters.into_iter().collect::<Vec<_>>()), (1, vec![Place::Local(0)]));
    let stops: [(u32, &[u64], &[u64]); 3] = [(0, &[], &[1]), (0, &[], &[1]), (2, &[], &[0])];
    let fault = lasso(&rsm, &[], &[], &stops, 1).check(&rsm, &[]);
    assert_eq!(fault, Err(Fault::Elsewhere(vec![Place::Local(0)])));
}

#[test]
fn a_callee_that_returns_is_part_of_a_round() {
    let rsm = machine(
        "global g\ninit g\nmodule main ; x\n0 1 call x := f ( g )\n1 0 assume x\n1 2 return\nmodule f p ; ; bool\n0 1 return p",
    );
    let round: [(u32, &[u64], &[u64]); 3] = [(0, &[1], &[1]), (0, &[1], &[1]), (1, &[1], &[1])];
    let found = lasso(&rsm, &[1], &[0], &round, 0).check(&rsm, &[]).unwrap();
    assert_eq!((found.growth, found.matters.into_iter().collect::<Vec<_>>()), (0, vec![Place::Global(0)]));
}

#[test]
fn goals_have_to_be_on_the_cycle() {
    let rsm = machine("module main\n0 1 skip\n1 2 skip\n2 1 skip\n2 3 return");
    let steps: [(u32, &[u64], &[u64]); 3] = [(0, &[], &[]), (1, &[], &[]), (2, &[], &[])];
    let goal = |node| [Goal::At(rsm.main, NodeId(node))];
    let found = lasso(&rsm, &[], &[], &steps, 1);
    assert!(found.check(&rsm, &goal(1)).is_ok() && found.check(&rsm, &goal(2)).is_ok());
    assert_eq!(found.check(&rsm, &goal(0)), Err(Fault::Unfair));
}

#[test]
fn what_is_no_lasso() {
    let rsm =
        machine("global a\ninit a\nmodule main\n0 0 call f ( )\n0 1 return\nmodule f\n0 0 skip\n0 1 return");
    let none: [(u32, &[u64], &[u64]); 0] = [];
    let check = |globals: &[u64], steps: &[(u32, &[u64], &[u64])], head: usize| {
        lasso(&rsm, globals, &[], steps, head).check(&rsm, &[]).map(|found| found.growth)
    };
    assert_eq!(check(&[1], &none, 0), Err(Fault::Empty));
    assert_eq!(check(&[0], &none, 0), Err(Fault::Start));
    // The head is inside the callee, and the cycle leaves it.
    assert_eq!(check(&[1], &[(0, &[1], &[]), (1, &[1], &[]), (0, &[1], &[])], 1), Err(Fault::Below(1)));
    assert_eq!(check(&[1], &[(0, &[1], &[])], 0), Err(Fault::Elsewhere(Vec::new())));
    assert_eq!(check(&[1], &[(0, &[0], &[])], 0), Err(Fault::Step(0)));
    assert_eq!(check(&[1], &[(9, &[1], &[])], 0), Err(Fault::Step(0)));
    assert_eq!(check(&[1], &[(1, &[1], &[])], 0), Err(Fault::Below(0)));
    assert_eq!(check(&[1], &[(0, &[1], &[]), (1, &[1], &[])], 0), Ok(0));
}

//! What a view promises, on the machine itself: every place that a run of the machine comes to, one of the view comes to; the more a view knows, the fewer these are;
//! and one that knows everything has those of the machine.
//!
//! `GETAFIX_SEED=7` or `GETAFIX_SEED=100..200` chooses the programs.

use base::{Random, Stop};
use generate::random::{Shape, program, seeds};
use rsm::{Goal, Kept, ModuleId, NodeId, Place, Rsm, explicit, localise};
use std::iter::zip;

/// What the test has met.
#[derive(Default, Debug)]
struct Counts {
    n_views: usize,
    /// Views that come to more places than the machine, and that with fewer bits.
    n_wider: usize,
    n_with_bits: usize,
    /// Views to which a variable or a bit made a difference.
    n_narrowed: usize,
}

/// All places, and all assertions that may fail.
fn places(rsm: &Rsm) -> Vec<Goal> {
    let nodes = |(m, module): (usize, &rsm::Module)| {
        let m = ModuleId::new(m);
        (0..module.nodes.len()).map(move |n| Goal::At(m, NodeId::new(n)))
    };
    let failures = testing::all_goals(rsm).into_iter().map(|(_, goal)| goal);
    let failures = failures.filter(|goal| matches!(goal, Goal::Failure(..)));
    rsm.modules.iter().enumerate().flat_map(nodes).chain(failures).collect()
}

/// To which of them runs come, unless there are too many states.
fn reached(rsm: &Rsm, goals: &[Goal]) -> Option<Vec<bool>> {
    let limits = explicit::Limits { max_states: 3_000, ..explicit::Limits::default() };
    explicit::reachable(rsm, goals, limits, &Stop::default()).ok()
}

/// All variables, in some order.
fn variables(rsm: &Rsm, random: &mut Random) -> Vec<(ModuleId, Place)> {
    let globals = (0..rsm.globals.len() as u32).map(|n| (rsm.main, Place::Global(n)));
    let locals = rsm.modules.iter().enumerate().flat_map(|(m, module)| {
        (0..module.locals.len() as u32).map(move |n| (ModuleId::new(m), Place::Local(n)))
    });
    let mut variables: Vec<_> = globals.chain(locals).collect();
    (1..variables.len()).for_each(|n| variables.swap(n, random.index(n + 1)));
    variables
}

/// From the view that knows everything to those that know less and less.
fn compare(seed: u64, counts: &mut Counts) {
    let text = program(seed, &Shape::small());
    let rsm = testing::lower(&text);
    let goals = places(&rsm);
    let Some(of_machine) = reached(&rsm, &goals) else { return };
    let every = Kept::all(&rsm);
    assert_eq!(reached(&localise(&rsm, &every), &goals).as_ref(), Some(&of_machine), "seed {seed}\n{text}");
    let mut random = Random::new(seed);
    let (mut views, mut kept) = (Vec::new(), Kept::nothing(&rsm));
    let n_steps = 3;
    let order = variables(&rsm, &mut random);
    for (n, some) in order.chunks(order.len().div_ceil(n_steps).max(1)).enumerate() {
        kept.bits = 1 + n as u8;
        views.push(kept.clone());
        for (module, place) in some {
            kept.add(*module, *place);
        }
        views.push(kept.clone());
    }
    let mut narrower = of_machine.clone();
    for kept in views.into_iter().rev() {
        let Some(of_view) = reached(&localise(&rsm, &kept), &goals) else { return };
        let is_within = zip(&narrower, &of_view).all(|(known, found)| !known || *found);
        assert!(is_within, "a view with less comes to less: {kept:?}, seed {seed}\n{text}");
        counts.n_views += 1;
        counts.n_wider += usize::from(of_view != of_machine);
        counts.n_with_bits += usize::from(of_view != of_machine && kept.bits > 1);
        counts.n_narrowed += usize::from(of_view != narrower);
        narrower = of_view;
    }
}

#[test]
fn views_come_wherever_the_machine_comes() {
    let mut counts = Counts::default();
    for seed in seeds(0..300) {
        compare(seed, &mut counts);
    }
    println!("{counts:?}");
    if testing::is_chosen() {
        return;
    }
    assert!(counts.n_views >= 500 && counts.n_wider >= 200, "{counts:?}");
    assert!(counts.n_narrowed >= 100 && counts.n_with_bits >= 50, "{counts:?}");
}

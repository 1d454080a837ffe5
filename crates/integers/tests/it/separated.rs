//! More regions do not change what runs do: random programs against the same programs with objects kept apart. `GETAFIX_SEED=17` or `GETAFIX_SEED=0..1000` chooses the programs.

use super::aliased;
use base::Random;
use integers::enumerate::{Bounds, Enumeration, enumerate};
use integers::random::memory::{SHAPES, program};
use integers::{Program, inlined, separated};
use testing::{Counts, is_chosen, seeds};

const BOUNDS: Bounds = Bounds { number: 40, states: 3_000 };

/// What runs show, with more regions and as it was; nothing if there are not more regions, or too many states.
fn compared(before: &Program, seed: u64, counts: &mut Counts) -> Option<Enumeration> {
    let after = separated(before);
    if after.memory.regions.len() <= before.memory.regions.len() {
        counts.count("as it was");
        return None;
    }
    counts.count("more regions");
    let (one, other) = (enumerate(before, BOUNDS), enumerate(&after, BOUNDS));
    if !one.is_complete || !other.is_complete {
        counts.count("too many states");
        return None;
    }
    let shown = || format!("{}\n{}", integers::show(before), integers::show(&after));
    assert_eq!(one, other, "GETAFIX_SEED={seed}\n{}", shown());
    counts.count(if one.reaches { "reached" } else { "not reached" });
    Some(one)
}

/// Calls have been replaced, as they are before a proof.
#[test]
fn more_regions_have_the_same_runs() {
    let mut counts = Counts::default();
    for seed in seeds(0..160) {
        let shape = SHAPES[seed as usize % SHAPES.len()];
        let before = inlined(&program(&mut Random::new(seed), shape));
        if compared(&before, seed, &mut counts).is_some_and(|all| all.misuses) {
            counts.count("misused");
        }
    }
    eprintln!("{counts:?}");
    if !is_chosen() {
        counts.at_least(&[("more regions", 8), ("reached", 2), ("not reached", 2)]);
    }
}

/// Where something is followed of which nobody knows what it points to, it may be anything: nothing is kept apart.
#[test]
fn nothing_is_kept_apart_where_an_unknown_pointer_is_followed() {
    let (mut n_apart, mut n_together) = (0, 0);
    for seed in 0..60 {
        let known = aliased::program(&mut Random::new(seed)).program;
        if separated(&known).memory.regions.len() == known.memory.regions.len() {
            continue;
        }
        n_apart += 1;
        for unknown in aliased::with_unknown_pointers(&known) {
            assert_eq!(
                separated(&unknown).memory.regions.len(),
                known.memory.regions.len(),
                "GETAFIX_SEED={seed}"
            );
            n_together += 1;
        }
    }
    assert!(n_apart > 20 && n_together > 140, "{n_apart} apart, {n_together} together");
}

/// Where pointers are passed on in every way, and nothing is misused, nothing is misused afterwards.
#[test]
fn what_pointers_are_passed_on_to_stays_together() {
    let (mut counts, mut ways) = (Counts::default(), Counts::default());
    for seed in seeds(0..1500) {
        let made = aliased::program(&mut Random::new(seed));
        if let Some(all) = compared(&made.program, seed, &mut counts) {
            assert!(!all.misuses, "GETAFIX_SEED={seed}");
            ways.merge(&made.ways);
        }
    }
    counts.at_least(&[("more regions", 500), ("reached", 80), ("not reached", 400)]);
    ways.at_least(&aliased::WAYS.map(|way| (way, 150)));
}

//! More regions do not change what runs do: random programs, whose calls have been replaced, against the same programs with objects kept apart. `GETAFIX_SEED=17` or `GETAFIX_SEED=0..1000` chooses the programs.

use base::Random;
use integers::enumerate::{Bounds, enumerate};
use integers::random::memory::{SHAPES, program};
use integers::{inlined, separated};
use testing::{Counts, is_chosen, seeds};

const BOUNDS: Bounds = Bounds { number: 40, states: 3_000 };

#[test]
fn more_regions_have_the_same_runs() {
    let mut counts = Counts::default();
    for seed in seeds(0..160) {
        let shape = SHAPES[seed as usize % SHAPES.len()];
        let before = inlined(&program(&mut Random::new(seed), shape));
        let after = separated(&before);
        if after.memory.regions.len() <= before.memory.regions.len() {
            counts.count("as it was");
            continue;
        }
        counts.count("more regions");
        let (one, other) = (enumerate(&before, BOUNDS), enumerate(&after, BOUNDS));
        if !one.is_complete || !other.is_complete {
            counts.count("too many states");
            continue;
        }
        assert_eq!(
            one,
            other,
            "GETAFIX_SEED={seed}\n{}\n{}",
            integers::show(&before),
            integers::show(&after)
        );
        counts.count(if one.reaches { "reached" } else { "not reached" });
        if one.misuses {
            counts.count("misused");
        }
    }
    eprintln!("{counts:?}");
    if !is_chosen() {
        counts.at_least(&[("more regions", 8), ("reached", 2), ("not reached", 2)]);
    }
}

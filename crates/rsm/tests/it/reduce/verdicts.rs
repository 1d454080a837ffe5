//! On random machines, the same goals are reachable in every view.

use super::checker::{Dead, Globals, reachable_goals};
use super::random::{self, SELECTIONS, all_goals};
use super::text;
use rsm::{Goal, Reductions, reduce};
use std::collections::BTreeSet;

#[test]
fn the_same_goals_are_reachable_in_every_view() {
    for seed in testing::seeds(0..2000) {
        let source = random::machine(seed);
        let rsm = text::machine(&source);
        let goals = all_goals(&rsm);
        let whole = reduce(&rsm, &goals, Reductions::NONE);
        let expected = reachable_goals(&rsm, &whole, &goals, Dead::Cleared, Globals::Through);
        // A view may know only some of the goals: with all of them as points nothing would be left to merge.
        let few: Vec<Goal> = goals.iter().copied().skip(seed as usize % 3).step_by(3).collect();
        let wanted: BTreeSet<Goal> = few.iter().copied().filter(|goal| expected.contains(goal)).collect();
        for name in SELECTIONS {
            let which: Reductions = name.parse().expect("a selection");
            let view = reduce(&rsm, &few, which);
            for (dead, globals) in ways(which) {
                let found = reachable_goals(&rsm, &view, &few, dead, globals);
                let shown = view.show(&rsm);
                assert_eq!(found, wanted, "seed {seed}, {name}, {dead:?}, {globals:?}\n{source}\n{shown}");
            }
        }
    }
}

/// The ways to use a view that can make a difference.
pub fn ways(which: Reductions) -> Vec<(Dead, Globals)> {
    if !which.live_variables && !which.cone {
        return vec![(Dead::Cleared, Globals::Through)];
    }
    let ways = [Dead::Cleared, Dead::Set].into_iter();
    ways.flat_map(|dead| [(dead, Globals::Through), (dead, Globals::Past)]).collect()
}

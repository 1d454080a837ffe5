//! On random machines, reductions keep infinite runs and runs that block as they say.

use super::checker::{Dead, Globals, Runs, runs};
use super::random::{self, SELECTIONS, all_goals};
use super::text;
use super::verdicts::ways;
use rsm::{Goal, Reductions, reduce};

/// How many machines had some, and how many none.
#[derive(Default)]
struct Tally {
    some: usize,
    none: usize,
}

impl Tally {
    fn count(&mut self, answer: bool) {
        *if answer { &mut self.some } else { &mut self.none } += 1;
    }
}

#[test]
fn reductions_keep_infinite_and_blocked_runs_as_they_say() {
    let seeds = testing::seeds(0..600);
    let is_whole = seeds.clone().count() >= 600;
    let (mut infinite, mut blocked, mut n_lost) = (Tally::default(), Tally::default(), 0);
    for seed in seeds {
        let source = random::machine(seed);
        let rsm = text::machine(&source);
        let goals = all_goals(&rsm);
        let whole = reduce(&rsm, &goals, Reductions::NONE);
        let expected = runs(&rsm, &whole, Dead::Cleared, Globals::Through);
        infinite.count(expected.infinite);
        blocked.count(expected.blocked);
        let few: Vec<Goal> = goals.iter().copied().skip(seed as usize % 5).step_by(5).collect();
        for name in SELECTIONS {
            let which: Reductions = name.parse().expect("a selection");
            let view = reduce(&rsm, &few, which);
            for (dead, globals) in ways(which) {
                let Runs { infinite, blocked } = runs(&rsm, &view, dead, globals);
                let context =
                    || format!("seed {seed}, {name}, {dead:?}, {globals:?}\n{source}\n{}", view.show(&rsm));
                if which.keeping(|reduction| reduction.keeps_infinite_runs) == which {
                    assert_eq!(infinite, expected.infinite, "infinite runs: {}", context());
                }
                if which.keeping(|reduction| reduction.keeps_blocked_runs) == which {
                    assert_eq!(blocked, expected.blocked, "blocked runs: {}", context());
                } else {
                    n_lost += usize::from(blocked != expected.blocked);
                }
            }
        }
    }
    if is_whole {
        for tally in [&infinite, &blocked] {
            assert!(tally.some > 60 && tally.none > 60, "{} have some, {} none", tally.some, tally.none);
        }
        assert!(n_lost > 0, "reductions that may lose blocked runs never did");
    }
}

#[test]
fn a_question_about_blocked_runs_leaves_out_straight_lines() {
    let which = Reductions::ALL.keeping(|reduction| reduction.keeps_blocked_runs);
    assert_eq!(which.to_string(), "dead-code,jump-chains,live-variables,cone");
    assert_eq!(Reductions::ALL.keeping(|reduction| reduction.keeps_infinite_runs), Reductions::ALL);
}

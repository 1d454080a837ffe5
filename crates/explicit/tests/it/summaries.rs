//! Recursive functions that other threads do not notice: one step for a call and its return.
//!
//! What is said must agree with runs of limited height: what they reach is reachable with as many switches or fewer, and what is said
//! to be reachable has a run, which is replayed. One goal is asked for at a time, since a function that holds one is not summarised.
//!
//! `GETAFIX_SEED=7` or `GETAFIX_SEED=100..200` chooses the programs.

use crate::harness::threads::{all_settings, all_targets, lower, within};
use base::Stop;
use explicit::threads::{Cost, End, Question, Settings, fewest, least};
use generate::random::{ConcurrentShape, Threads, concurrent, seeds};
use rsm::interleave::{self, Limits};
use rsm::{Concurrent, ThreadGoal};

const TWIN: Limits = Limits { max_worlds: 5_000, max_depth: 7, max_outcomes: 1 << 12 };

#[derive(Default, Debug)]
struct Seen {
    compared: usize,
    /// Without summaries the answer is not known.
    needed: usize,
    reached: usize,
    runs: usize,
    higher: usize,
}

fn compare(seed: u64, text: &str, program: &Concurrent, target: &[ThreadGoal], seen: &mut Seen) {
    let targets = [target.to_vec()];
    let question = Question { program, targets: &targets, cost: Cost::Switches, bound: None };
    let every = all_settings(seed);
    let settings = Settings { summaries: true, ..every[seed as usize % every.len()] };
    let without = Settings { summaries: false, ..settings };
    let found = within(|limits| least(&question, settings, limits)).expect("the numbers are known");
    if found.cut.is_some() || matches!(found.end, End::Stopped(_)) {
        return;
    }
    let what = format!("seed {seed}, {target:?}, {settings:?}\n{text}");
    let plain = within(|limits| least(&question, without, limits)).expect("the numbers are known");
    if plain.cut.is_none() && !matches!(plain.end, End::Stopped(_)) {
        assert_eq!(found.least, plain.least, "{what}");
        return;
    }
    seen.needed += 1;
    let counts = explicit::threads::counts(&question).expect("the numbers are known");
    let low = interleave::least_switches(program, &counts, target, 4, TWIN, &Stop::default());
    if let Ok(low) = low {
        seen.compared += 1;
        let low = low.least.into_iter().flatten().min();
        let ours = found.least[0].filter(|least| *least <= 4);
        assert!(low.is_none_or(|low| ours.is_some_and(|ours| ours <= low)), "{ours:?}, {low:?}, {what}");
        seen.higher += usize::from(ours != low);
    }
    if let Some(least) = found.least[0] {
        seen.reached += 1;
        let question = Question { bound: Some(least), ..question };
        let run = within(|limits| fewest(&question, settings, limits)).expect("the numbers are known");
        // A way through a call may be too long to be found.
        if let Ok(Some(run)) = run {
            assert_eq!(run.replay(program, target), Ok(()), "{what}");
            assert_eq!(run.n_switches(), least as usize, "{what}");
            seen.runs += 1;
        }
    }
}

#[test]
fn summaries_agree_with_runs_of_limited_height() {
    let mut seen = Seen::default();
    for seed in seeds(0..120) {
        let shape = ConcurrentShape { recursion: 80, ..ConcurrentShape::small(Threads::Fixed) };
        let text = concurrent(seed, &shape);
        let program = lower(&text, 0);
        for target in all_targets(&program, false) {
            compare(seed, &text, &program, &target, &mut seen);
        }
    }
    eprintln!("{seen:?}");
    assert!(seen.needed >= 10 && seen.compared >= 5 && seen.reached >= 3, "{seen:?}");
    assert!(2 * seen.runs >= seen.reached, "{seen:?}");
}

fn locks(recursive: &str) -> String {
    format!(
        "decl lock, in; init !lock & !in;
         thread p[2] begin
           bool f(n) begin {recursive} end
           void main() begin
             decl x;
             x := *;
             x := f(x);
             if (x) then
               atomic begin assume(!lock); lock := T; end
               if (in) then ERROR: skip; fi
               in := T; x := f(x); in := F; lock := F;
             fi
             if (!x) then OTHER: skip; fi
           end
         end"
    )
}

#[track_caller]
fn says(text: &str, label: &str, expected: Option<u32>) {
    let program = lower(text, 0);
    let goals = crate::harness::goals(&program.machine);
    let is_meant = |goal: &rsm::Goal| match *goal {
        rsm::Goal::At(module, node) => {
            program.machine.module(module).node(node).labels.iter().any(|own| own == label)
        }
        rsm::Goal::Failure(..) => false,
    };
    let targets = [goals.into_iter().filter(is_meant).map(ThreadGoal::from).collect::<Vec<_>>()];
    let question = Question { program: &program, targets: &targets, cost: Cost::Switches, bound: None };
    let found =
        within(|limits| least(&question, Settings::default(), limits)).expect("the numbers are known");
    assert_eq!((found.least[0], found.cut), (expected, None), "{found:?}");
    let without = Settings { summaries: false, ..Settings::default() };
    let cut = within(|limits| least(&question, without, limits)).expect("the numbers are known");
    assert!(cut.cut.is_some() || expected.is_some(), "the function is not recursive: {cut:?}");
    if expected.is_some() {
        let run = within(|limits| fewest(&question, Settings::default(), limits));
        let run = run.expect("the numbers are known").expect("the run is short").expect("there is a run");
        assert_eq!(run.replay(&program, &targets[0]), Ok(()));
    }
}

#[test]
fn a_recursive_function_beside_a_lock_is_decided() {
    let text = locks("decl m; m := *; if (m) then n := f(!n); fi return !n;");
    says(&text, "ERROR", None);
    says(&text, "OTHER", Some(0));
}

#[test]
fn a_call_that_never_returns_leaves_others_alone() {
    let text = "decl x; init !x;
        thread p begin void f() begin f(); end void main() begin x := T; f(); x := F; NEVER: skip; end end
        thread q begin void main() begin if (x) then L: skip; fi end end";
    says(text, "L", Some(1));
    says(text, "NEVER", None);
    // Of two ways one returns.
    let text = "decl x, y; init !x & !y;
        thread p begin
          void f(a) begin if (a) then f(a); fi end
          void main() begin decl a; a := *; x := T; f(a); x := F; y := T; end
        end
        thread q begin void main() begin assume(x); assume(!y); L: skip; assume(y); M: skip; end end";
    says(text, "L", Some(1));
    says(text, "M", Some(3));
}

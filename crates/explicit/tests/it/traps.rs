//! What a search of threads can get wrong, one small program each; the twin says what is right where it can.

use crate::harness::threads::{all_settings, lower, within};
use base::Stop;
use explicit::threads::{Cost, End, Found, Question, Settings, fewest, least};
use rsm::interleave::{self, Limits};
use rsm::{Concurrent, Copies, Goal, ModuleId, NodeId, ThreadGoal};

/// The nodes with this label.
fn label(program: &Concurrent, name: &str) -> Vec<ThreadGoal> {
    let mut goals = Vec::new();
    for (m, module) in program.machine.modules.iter().enumerate() {
        for (n, node) in module.nodes.iter().enumerate() {
            if node.labels.iter().any(|label| label == name) {
                goals.push(ThreadGoal::from(Goal::At(ModuleId::new(m), NodeId::new(n))));
            }
        }
    }
    goals
}

fn search(program: &Concurrent, name: &str, bound: Option<u32>, settings: Settings) -> Found {
    let targets = [label(program, name)];
    let question = Question { program, targets: &targets, cost: Cost::Switches, bound };
    within(|limits| least(&question, settings, limits)).expect("switches are counted")
}

/// Every selection says that so many switches are the least for a label, or that none are enough; and so does the twin, if numbers are
/// given.
#[track_caller]
fn is_least(text: &str, name: &str, expected: Option<u32>) {
    let program = lower(text, 2);
    for settings in all_settings(0) {
        let found = search(&program, name, None, settings);
        let end = if expected.is_some() { End::Found } else { End::Closed };
        assert_eq!((found.least[0], found.end), (expected, end), "{settings:?}");
    }
    let number = |copies: Copies| match copies {
        Copies::Number(number) => Some(number),
        Copies::Any => None,
    };
    let counts: Option<Vec<u32>> = program.blocks.iter().map(|block| number(block.copies)).collect();
    if let Some(counts) = counts {
        let goals = label(&program, name);
        let found =
            interleave::least_switches(&program, &counts, &goals, 9, Limits::default(), &Stop::default());
        assert_eq!(found.expect("the program is small").least.into_iter().flatten().min(), expected);
    }
}

#[test]
fn where_some_thread_cannot_start_no_thread_runs() {
    let sometimes = "decl x; thread p begin void main() begin if (x) then L: skip; else M: skip; fi end end
         thread q begin decl y; init y & !x; void main() begin skip; end end";
    is_least(sometimes, "L", None);
    is_least(sometimes, "M", Some(0));
    let never = "decl x; init x; thread p begin void main() begin L: skip; end end
         thread q begin decl y; init y & !x; void main() begin skip; end end";
    is_least(never, "L", None);
    // Of any number there are none then.
    let any = never.replace("thread q", "thread q[*]");
    is_least(&any, "L", Some(0));
}

#[test]
fn others_run_beside_a_thread_that_loops_or_blocks_unnoticed() {
    let text = |end: &str| {
        format!(
            "decl x; init !x;
             thread p begin decl y; void main() begin x := T; {end} end end
             thread q begin void main() begin if (x) then L: skip; fi end end"
        )
    };
    for end in ["while (T) do y := !y; od", "assume(F);", "y := T; assume(!y);", "skip;"] {
        is_least(&text(end), "L", Some(1));
    }
}

#[test]
fn a_private_test_behind_a_noticed_step_is_no_obstacle() {
    let text = "decl x, z; init !x & !z;
        thread p begin decl y; void main() begin y := *; x := T; assume(y); z := T; end end
        thread q begin void main() begin assume(x & !z); L: skip; assume(z); M: skip; end end";
    is_least(text, "L", Some(1));
    is_least(text, "M", Some(3));
}

#[test]
fn a_thread_that_has_ended_is_in_no_atomic_block() {
    let text = "decl x; init !x;
        thread p begin
          void f() begin x := T; end_thread; end
          void main() begin atomic begin f(); end end
        end
        thread q begin void main() begin if (x) then L: skip; fi end end";
    is_least(text, "L", Some(1));
}

#[test]
fn a_condition_that_always_holds_costs_nothing() {
    let text = |enforce: &str| {
        let main = format!("decl y; void main() begin {enforce} x := T; y := *; y := !y; x := y; end");
        format!(
            "decl x; init !x; thread p[2] begin {main} end thread q begin void main() begin if (x) then L: skip; fi end end"
        )
    };
    let states = |text: &str| search(&lower(text, 0), "L", None, Settings::default()).figures.states;
    assert_eq!(states(&text("enforce T;")), states(&text("")));
    is_least(&text("enforce T;"), "L", Some(1));
}

#[test]
fn values_of_locals_that_never_matter_are_not_chosen() {
    let locals: Vec<String> = (0..40).map(|n| format!("a{n}")).collect();
    let text = format!(
        "decl x; init !x;
         thread p[2] begin
           void f() begin decl {0}; x := !x; end
           void main() begin decl {0}; f(); end
         end
         thread q begin void main() begin if (x) then L: skip; fi end end",
        locals.join(", ")
    );
    let program = lower(&text, 0);
    for settings in [Settings::default(), Settings { lazy_start: false, ..Settings::default() }] {
        let found = search(&program, "L", None, settings);
        assert_eq!((found.least[0], found.end), (Some(1), End::Found));
        assert!(found.figures.states < 100, "{found:?}");
    }
}

#[test]
fn only_stops_have_numbers() {
    // Twenty private steps between two noticed ones are one move.
    let steps = "y := !y; ".repeat(20);
    let text = format!(
        "decl x, e; init !x & !e;
         thread p begin decl y; init !y; void main() begin x := T; {steps} x := F; end end
         thread q begin void main() begin if (x & e) then L: skip; fi end end"
    );
    let found = search(&lower(&text, 0), "L", None, Settings::default());
    assert_eq!(found.end, End::Closed);
    assert!(found.figures.states <= 8, "{found:?}");
}

#[test]
fn what_can_be_repeated_is_repeated_beside_the_same_shared_values_only() {
    let text = |inside: &str| {
        format!(
            "decl lock, in; init !lock & !in;
             thread p[*] begin
               void main() begin
                 atomic begin assume(!lock); {inside} end
                 if (in) then L: skip; fi
                 in := T; in := F; lock := F;
               end
             end"
        )
    };
    is_least(&text("lock := T;"), "L", None);
    is_least(&text(""), "L", Some(1));
}

#[test]
fn threads_with_a_number_stay_that_many_beside_any_number_of_others() {
    let text = |number: u32| {
        format!(
            "decl n: int<2>, go; init n = 0 & !go;
             thread p[{number}] begin void main() begin assume(go); atomic begin n := n + 1; end end end
             thread q[*] begin void main() begin go := T; assume(n = 3); L: skip; end end"
        )
    };
    is_least(&text(2), "L", None);
    is_least(&text(3), "L", Some(4));
}

#[test]
fn of_many_started_threads_any_may_be_those_that_run() {
    let text = "decl x; init !x;
        void f() begin x := T; end
        void g() begin L: skip; if (x) then M: skip; fi end
        void main() begin start_thread f(); start_thread f(); start_thread g(); start_thread f(); end";
    let program = lower(text, 2);
    for settings in all_settings(0) {
        // There is room for one of them, then for two.
        assert_eq!(search(&program, "L", Some(1), settings).least[0], Some(1), "{settings:?}");
        assert_eq!(search(&program, "M", Some(1), settings).least[0], None, "{settings:?}");
        assert_eq!(search(&program, "M", Some(2), settings).least[0], Some(2), "{settings:?}");
    }
}

#[test]
fn who_has_ended_is_not_followed_by_a_new_thread_without_a_switch() {
    let text = "decl x; init !x;
        void g() begin x := T; M: skip; end
        void f() begin start_thread g(); end
        void main() begin start_thread f(); end";
    let program = lower(text, 2);
    for settings in all_settings(0) {
        assert_eq!(search(&program, "M", Some(3), settings).least[0], Some(2), "{settings:?}");
    }
}

#[test]
fn a_dead_variable_of_a_function_that_demands_something_does_not_come_back() {
    // The local of `main` matters nowhere, and `main` waits for a call with a condition that does not read it.
    let text = "decl x; init x;
        void f() begin L: skip; end
        void main() begin decl y; enforce x; y := !y; f(); end";
    let program = lower(&format!("{text} void g() begin start_thread f(); end"), 1);
    let targets = [label(&program, "L")];
    let question = Question { program: &program, targets: &targets, cost: Cost::Switches, bound: Some(1) };
    for settings in all_settings(0) {
        let states = within(|limits| least(&question, settings, limits)).map(|found| found.is_reached[0]);
        assert_eq!(states, Ok(true), "{settings:?}");
        let run = within(|limits| fewest(&question, settings, limits)).expect("switches are counted");
        let run = run.expect("the run is short").expect("there is a run");
        assert_eq!(run.replay(&program, &targets[0]), Ok(()), "{settings:?}");
    }
}

//! A program for each way in which formulas for threads are known to go wrong. The least bounds were found by hand; the twin and
//! every formula agree with them, with all switches on and off.

use base::{Sources, Stop};
use checker::{Bound, FormulaFile, Options, Report, Scheduling, Target, Verdict};
use rsm::interleave::{self, Limits};
use rsm::{Concurrent, Copies, Reductions, ThreadGoal};

/// What is expected: the least number of switches and of rounds in the order of the text, if at most [`MOST`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Least {
    switches: Option<u32>,
    rounds: Option<u32>,
}

const MOST: u32 = 4;

const NEVER: Least = Least { switches: None, rounds: None };

fn within(switches: u32, rounds: u32) -> Least {
    Least { switches: Some(switches), rounds: Some(rounds) }
}

fn ask(
    program: &Concurrent,
    target: &Target,
    bound: Bound,
    text: &str,
    (reductions, scheduling): (Reductions, Scheduling),
) -> Report {
    let mut read = |name: &str| checker::part(name).map(str::to_owned).ok_or("not there".to_owned());
    let file = FormulaFile { name: "formula.mu", text, read: &mut read, params: &[], labels: &[] };
    let options = Options { reductions, trace: true, ..Options::default() };
    let targets = std::slice::from_ref(target);
    checker::check_threads(program, targets, bound, file, scheduling, &options, &mut Sources::default())
        .unwrap_or_else(|failure| panic!("{failure:?}"))
}

fn lower(text: &str) -> Concurrent {
    let (checked, _) = bp::load(&mut Sources::default(), "pitfall.bp", text).expect("a correct program");
    bp::lower_threads(&checked, bp::ThreadOptions { slots: 0, async_labels: false })
        .expect("a program with threads")
}

fn twin(program: &Concurrent, goals: &[ThreadGoal]) -> Least {
    let number = |copies: Copies| match copies {
        Copies::Number(number) => number,
        Copies::Any => 3,
    };
    let counts: Vec<u32> = program.blocks.iter().map(|block| number(block.copies)).collect();
    let order = interleave::declaration_order(&counts);
    let (limits, stop) = (Limits::default(), Stop::default());
    let switches =
        interleave::least_switches(program, &counts, goals, MOST, limits, &stop).expect("few worlds");
    let rounds =
        interleave::least_rounds(program, &counts, goals, &order, MOST, limits, &stop).expect("few worlds");
    assert!(!switches.is_cut && !rounds.is_cut);
    let least = |least: &[Option<u32>]| least.iter().flatten().min().copied();
    Least { switches: least(&switches.least), rounds: least(&rounds.least) }
}

fn is_expected(text: &str, expected: Least) {
    let program = lower(text);
    let target = checker::find_thread_target(&program, "ERROR").expect("a label");
    assert_eq!(twin(&program, &target.goals), expected, "the twin");
    let plain = Scheduling::NONE;
    for how in [(Reductions::ALL, Scheduling::default()), (Reductions::NONE, plain)] {
        let formula = |name: &str| checker::algorithm(name).expect("a formula").text;
        let text = formula("bounded_contexts");
        let switches = ask(&program, &target, Bound::Switches(MOST), text, how).finding.least;
        let rounds = ask(&program, &target, Bound::Rounds(3), formula("rounds"), how).finding.least;
        let found = Least { switches, rounds };
        assert_eq!(found, Least { rounds: expected.rounds.filter(|rounds| *rounds <= 3), ..expected });
    }
}

/// Both formulas for any number of threads say the same.
fn is_expected_of_any_number(text: &str, rounds: Option<u32>) {
    let program = lower(text);
    let target = checker::find_thread_target(&program, "ERROR").expect("a label");
    for name in ["linear_interfaces_lazy", "linear_interfaces_eager"] {
        let formula = checker::algorithm(name).expect("a formula").text;
        let how = (Reductions::ALL, Scheduling::default());
        assert_eq!(ask(&program, &target, Bound::Rounds(2), formula, how).finding.least, rounds, "{name}");
    }
}

#[test]
fn the_shared_values_of_a_resumed_thread_are_those_it_left() {
    // The second thread would have to see x before and after the first has changed it, in one context.
    let text = "decl x, y; init !x & !y;
        thread a begin void main() begin x := T; assume(y); assume(!x); ERROR: skip; end end
        thread b begin void main() begin assume(x); y := T; end end";
    is_expected(text, NEVER);
}

/// The same formula without that condition, as it is printed, finds an error that no run has.
#[test]
fn the_formula_as_printed_is_wrong() {
    let text = generate::concurrent::bluetooth(
        generate::concurrent::Count::number(1).expect("one"),
        generate::concurrent::Count::number(1).expect("one"),
        generate::concurrent::Variant::Broken,
    );
    let program = lower(&text);
    let target = checker::find_thread_target(&program, "ERROR").expect("a label");
    let mended = checker::algorithm("bounded_contexts").expect("a formula").text;
    let printed = mended.replace("& x.G = G[d + 1]", "");
    assert_ne!(mended, printed);
    let how = (Reductions::ALL, Scheduling::default());
    let bound = Bound::Switches(MOST);
    assert_eq!(ask(&program, &target, bound, mended, how).finding.verdict, Verdict::No);
    let report = ask(&program, &target, bound, &printed, how);
    assert_eq!((report.finding.verdict, report.finding.least), (Verdict::Yes, Some(2)));
    assert!(matches!(report.trace, checker::TraceReport::Wrong(_)), "{:?}", report.trace);
}

#[test]
fn a_thread_can_be_interrupted_before_it_enters_an_atomic_block() {
    let text = "decl x, y; init !x & !y;
        thread a begin void main() begin x := T; atomic begin assume(y); ERROR: skip; end; end end
        thread b begin void main() begin assume(x); y := T; end end";
    is_expected(text, within(2, 2));
}

#[test]
fn a_function_called_from_an_atomic_block_is_atomic() {
    let text = "decl x; init !x;
        thread a begin
          void main() begin atomic begin f(); end; end
          void f() begin x := T; x := F; end
        end
        thread b begin void main() begin assume(x); ERROR: skip; end end";
    is_expected(text, NEVER);
}

#[test]
fn a_function_called_from_both_sides_is_atomic_on_one() {
    let text = "decl x; init !x;
        thread a begin
          void main() begin atomic begin f(); end; f(); end
          void f() begin x := T; x := F; end
        end
        thread b begin void main() begin assume(x); ERROR: skip; end end";
    is_expected(text, within(1, 1));
}

#[test]
fn the_atomic_flag_holds_through_calls_and_after_its_thread() {
    let text = "decl x; init !x;
        thread a begin
          void main() begin atomic_begin; f(); end
          void f() begin x := T; end
        end
        thread b begin void main() begin assume(x); ERROR: skip; end end";
    is_expected(text, NEVER);
}

#[test]
fn a_blocked_atomic_block_blocks_everybody() {
    let text = "decl x; init !x;
        thread a begin void main() begin atomic begin x := T; assume(!x); end; end end
        thread b begin void main() begin assume(x); ERROR: skip; end end";
    is_expected(text, NEVER);
}

#[test]
fn the_init_of_a_thread_is_about_the_start_of_the_program() {
    let text = "decl x; init !x;
        thread a begin void main() begin x := T; end end
        thread b begin decl p; init p = x; void main() begin assume(x & p); ERROR: skip; end end";
    is_expected(text, NEVER);
    let text = "decl x; init !x;
        thread a begin void main() begin x := T; end end
        thread b begin decl p; init p = x; void main() begin assume(x & !p); ERROR: skip; end end";
    is_expected(text, within(1, 1));
}

#[test]
fn a_thread_that_cannot_start_leaves_no_run() {
    let text = "decl x; init !x;
        thread a begin void main() begin skip; ERROR: skip; end end
        thread b begin decl p; init p & x; void main() begin skip; end end";
    is_expected(text, NEVER);
}

#[test]
fn private_globals_pass_through_calls_and_stay_across_switches() {
    let text = "decl x; init !x;
        thread a[2] begin
          decl p; init !p;
          void main() begin set(); assume(x); assume(p); ERROR: skip; end
          void set() begin p := !p; end
        end
        thread b begin void main() begin x := T; end end";
    is_expected(text, within(1, 2));
}

#[test]
fn copies_have_private_globals_of_their_own() {
    let text = "decl x; init !x;
        thread a[2] begin
          decl p; init !p;
          void main() begin assume(!p); p := T; assume(x); assume(!p); ERROR: skip; end
        end
        thread b begin void main() begin x := T; end end";
    is_expected(text, NEVER);
}

#[test]
fn results_are_stored_in_the_step_that_returns() {
    // Between the last read of x in f and the store, nobody can run.
    let text = "decl x, seen; init !x & !seen;
        thread a begin
          void main() begin x := f(); if (seen) then assume(!x); ERROR: skip; fi; end
          bool f() begin return x; end
        end
        thread b begin void main() begin x := T; seen := T; end end";
    is_expected(text, NEVER);
}

#[test]
fn recursion_goes_on_across_a_switch() {
    let text = "decl x, y; init !x & !y;
        thread a begin
          void main() begin down(); assume(y); ERROR: skip; end
          void down() begin if (*) then down(); else x := T; assume(!x); fi; end
        end
        thread b begin void main() begin assume(x); x := F; y := T; end end";
    // The twin cannot list stacks of every depth; the recursion of this program needs none.
    let bounded = text.replace("if (*) then down(); else", "if (F) then down(); else");
    is_expected(&bounded, within(2, 2));
    let program = lower(text);
    let target = checker::find_thread_target(&program, "ERROR").expect("a label");
    let how = (Reductions::ALL, Scheduling::default());
    let formula = |name: &str| checker::algorithm(name).expect("a formula").text;
    let switches = ask(&program, &target, Bound::Switches(MOST), formula("bounded_contexts"), how);
    let rounds = ask(&program, &target, Bound::Rounds(3), formula("rounds"), how);
    assert_eq!((switches.finding.least, rounds.finding.least), (Some(2), Some(2)));
}

#[test]
fn a_thread_whose_restriction_is_broken_waits() {
    let text = "decl x, y; init !x & !y;
        thread a begin void main() begin enforce !x; skip; assume(y); ERROR: skip; end end
        thread b begin void main() begin x := T; y := T; x := F; end end";
    is_expected(text, within(1, 2));
    let never = text.replace("x := F;", "skip;");
    is_expected(&never, NEVER);
}

#[test]
fn a_thread_that_can_never_run_does_not_stop_a_round() {
    let text = "decl x; init !x;
        thread a begin void main() begin enforce x; skip; end end
        thread b begin void main() begin skip; ERROR: skip; end end";
    is_expected(text, within(0, 1));
}

#[test]
fn a_thread_that_has_ended_lets_the_round_go_on() {
    let text = "decl n: int<2>; init n = 0;
        thread a begin void main() begin n := n + 1; end end
        thread b begin void main() begin assume(n = 1); n := 2; assume(n = 3); ERROR: skip; end end
        thread c begin void main() begin assume(n = 2); n := 3; end end";
    is_expected(text, within(3, 2));
}

#[test]
fn steps_that_others_could_tell_apart_stay_apart() {
    // A shared step and a step that blocks.
    let text = "decl x; init !x;
        thread a begin void main() begin decl l; x := T; assume(l & !l); end end
        thread b begin void main() begin assume(x); ERROR: skip; end end";
    is_expected(text, within(1, 1));
    // A shared step and the way into an atomic block that never ends.
    let text = "decl x; init !x;
        thread a begin void main() begin x := T; atomic begin while (T) do skip; od end; end end
        thread b begin void main() begin assume(x); ERROR: skip; end end";
    is_expected(text, within(1, 1));
    // What follows an atomic block can be put off, what is in it cannot.
    let text = "decl x; init !x;
        thread a begin
          void main() begin decl l; atomic begin x, l := T, *; l := l & l; end; l := T constrain l; end
        end
        thread b begin void main() begin assume(x); ERROR: skip; end end";
    is_expected(text, within(1, 1));
}

#[test]
fn more_than_two_copies_can_be_needed() {
    let text = "decl n: int<2>; init n = 0;
        thread a[*] begin void main() begin decl c; atomic begin n := n + 1; c := n = 3; end; if (c) then ERROR: skip; fi; end end";
    is_expected_of_any_number(text, Some(1));
    let program = lower(text);
    let target = checker::find_thread_target(&program, "ERROR").expect("a label");
    let how = (Reductions::ALL, Scheduling::default());
    let formula = checker::algorithm("bounded_contexts").expect("a formula").text;
    assert_eq!(ask(&program, &target, Bound::Switches(MOST), formula, how).finding.least, Some(2));
}

#[test]
fn a_single_thread_beside_any_number_is_used_once() {
    let text = "decl n: int<2>; init n = 0;
        thread one begin void main() begin n := n + 1; end end
        thread any[*] begin void main() begin assume(n = 2); ERROR: skip; end end";
    is_expected_of_any_number(text, None);
    let text = "decl x; init !x;
        thread one begin void main() begin assume(!x); x := T; assume(!x); ERROR: skip; end end
        thread any[*] begin void main() begin assume(x); end end";
    is_expected_of_any_number(text, None);
}

#[test]
fn blocks_of_threads_may_be_empty() {
    let text = "decl x; init !x;
        thread one begin void main() begin x := T; ERROR: skip; end end";
    is_expected(text, within(0, 1));
    is_expected_of_any_number(text, Some(1));
}

#[test]
fn threads_to_the_right_are_constrained_in_every_round() {
    // b would have to run before a in round 2 and after it in round 1, with values that a never left.
    let text = "decl n: int<2>; init n = 0;
        thread a begin void main() begin assume(n = 0); n := 1; assume(n = 3); ERROR: skip; end end
        thread b begin void main() begin assume(n = 2); n := 3; end end";
    is_expected(text, NEVER);
    is_expected_of_any_number(text, None);
}

#[test]
fn a_first_statement_is_reached_before_anybody_runs() {
    let text = "decl x; init x;
        thread a begin void main() begin skip; end end
        thread b begin void main() begin ERROR: assume(!x); end end";
    is_expected(text, within(0, 0));
}

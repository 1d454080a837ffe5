//! One sentence of the language each.

use crate::harness::{Bound, Scheme, check_rounds, check_switches, goals, is_reachable, load};
use sequentialize::{SequentializeError, sequentialize};

#[test]
fn a_label_at_a_first_statement_needs_no_switch_and_no_round() {
    let source = "decl x; init !x;
        thread a begin void main() begin x := T; end end
        thread b begin void main() begin L: skip; end end";
    check_switches(source, "L", 0, Some(0));
    check_rounds(source, "L", 0, Some(0));
}

#[test]
fn the_second_statement_needs_a_round() {
    let source = "thread a begin void main() begin skip; L: skip; end end";
    check_switches(source, "L", 0, Some(0));
    check_rounds(source, "L", 1, Some(1));
}

#[test]
fn a_thread_sees_what_another_one_has_stored() {
    let source = "decl x; init !x;
        thread a begin void main() begin assume(x); L: skip; end end
        thread b begin void main() begin x := T; end end";
    check_switches(source, "L", 2, Some(1));
    check_rounds(source, "L", 3, Some(2));
}

#[test]
fn a_switch_keeps_the_stack_and_the_locals() {
    let source = "decl x, turn; init !x & !turn;
        thread a begin
          void main() begin decl d; d := T; down(T); assume(d); assert(x); L: skip; end
          void down(more) begin if (more) then down(F); assume(more); fi turn := T; assume(x); end
        end
        thread b begin void main() begin assume(turn); x := T; end end";
    check_switches(source, "L", 2, Some(2));
    check_switches(source, "assert", 2, None);
}

#[test]
fn nobody_interrupts_an_atomic_block() {
    let source = "decl x; init !x;
        thread a begin void main() begin atomic begin x := T; x := F; end end end
        thread b begin void main() begin assume(x); L: skip; end end";
    check_switches(source, "L", 2, None);
    check_rounds(source, "L", 2, None);
}

#[test]
fn what_an_atomic_block_calls_is_inside() {
    let source = "decl x; init !x;
        thread a begin
          void main() begin atomic begin set(); end end
          void set() begin x := T; x := F; end
        end
        thread b begin void main() begin assume(x); L: skip; end end";
    check_switches(source, "L", 2, None);
    check_switches(&source.replace("atomic begin set(); end", "set();"), "L", 2, Some(1));
}

#[test]
fn a_thread_that_blocks_inside_an_atomic_block_blocks_all() {
    let source = "decl x; init !x;
        thread a begin void main() begin atomic begin x := T; assume(!x); end end end
        thread b begin void main() begin assume(x); L: skip; end end";
    check_switches(source, "L", 2, None);
}

#[test]
fn the_flag_of_a_thread_keeps_others_out_until_it_is_cleared() {
    let source = "decl x, y; init !x & !y;
        thread a begin void main() begin atomic_begin; x := T; x := F; atomic_end; y := T; end end
        thread b begin void main() begin if (x) then L: skip; fi; assume(y); M: skip; end end";
    check_switches(source, "L", 2, None);
    check_switches(source, "M", 2, Some(1));
    check_rounds(source, "M", 2, Some(1));
}

#[test]
fn the_flag_outlives_its_thread() {
    let source = "decl x; init !x;
        thread a begin void main() begin atomic_begin; x := T; end end
        thread b begin void main() begin assume(x); L: skip; end end";
    check_switches(source, "L", 2, None);
    check_rounds(source, "L", 2, None);
}

#[test]
fn a_goal_inside_an_atomic_block_is_reached_there() {
    let source = "decl x; init !x;
        thread a begin void main() begin assume(x); atomic begin skip; L: skip; assume(F); end end end
        thread b begin void main() begin x := T; end end";
    check_switches(source, "L", 2, Some(1));
    check_rounds(source, "L", 2, Some(2));
}

#[test]
fn a_thread_whose_enforce_is_broken_waits() {
    let source = "decl x; init !x;
        thread a begin void main() begin enforce !x; skip; L: skip; end end
        thread b begin void main() begin x := T; M: skip; x := F; N: skip; end end";
    check_switches(source, "L", 1, Some(0));
    let ordered = source.replace("init !x;", "init x;").replace("x := T;", "skip;");
    check_switches(&ordered, "L", 2, Some(1));
    check_rounds(&ordered, "L", 2, Some(2));
}

#[test]
fn an_enforce_restricts_states_not_the_way_back() {
    let source = "decl x, y; init !x & !y;
        thread a begin
          void main() begin enforce !x; f(); assume(y); L: skip; end
          void f() begin x := T; x := F; end
        end
        thread b begin void main() begin y := T; end end";
    check_switches(source, "L", 2, Some(1));
}

#[test]
fn each_copy_has_its_own_private_variables() {
    let source = "decl x: int<2>; init x = 0;
        thread a[2] begin
          decl mine; init !mine;
          void main() begin assume(!mine); mine := T; x := x + 1; if (x = 2) then L: skip; fi; end
        end";
    check_switches(source, "L", 2, Some(1));
    check_rounds(source, "L", 2, Some(1));
    check_switches(&source.replace("a[2]", "a"), "L", 2, None);
}

#[test]
fn what_an_init_says_about_shared_variables_is_about_the_start() {
    let source = "decl x; init !x;
        thread a begin void main() begin x := T; end end
        thread b begin decl p; init p = x; void main() begin if (p) then L: skip; else M: skip; fi; end end";
    check_switches(source, "L", 2, None);
    check_switches(source, "M", 2, Some(0));
}

#[test]
fn without_a_first_state_of_every_thread_there_is_no_run() {
    let source = "thread a begin void main() begin L: skip; end end
        thread b[NUMBER] begin decl p; init p & !p; void main() begin skip; end end";
    check_switches(&source.replace("NUMBER", "2"), "L", 1, None);
    check_rounds(&source.replace("NUMBER", "2"), "L", 1, None);
    check_switches(&source.replace("NUMBER", "*"), "L", 1, Some(0));
}

#[test]
fn results_are_stored_in_the_step_that_returns() {
    let source = "decl x, y; init !x & !y;
        thread a begin
          void main() begin x, y := both(); x, y := F, F; end
          bool<2> both() begin return T, T; end
        end
        thread b begin void main() begin if (x != y) then L: skip; fi; assume(x); M: skip; end end";
    check_switches(source, "L", 3, None);
    check_switches(source, "M", 3, Some(1));
}

#[test]
fn wide_results_arguments_and_enumerators_keep_their_types() {
    let source = "decl x: int<3>, c: enum { red, green }; init x = 6 & c = red;
        thread a begin
          void main() begin decl red: int<3>; red := 1; x, c := next(red + 1); end
          <int<3>, enum { red, green }> next(by: int<3>) begin
            decl end.c: enum { red, green };
            end.c := * ? green : green;
            return x + by + 1, end.c;
          end
        end
        thread b begin void main() begin assume(c = green & -x > 6); L: skip; end end";
    check_switches(source, "L", 1, Some(1));
}

#[test]
fn a_constraint_of_an_assignment_sees_old_and_new_values() {
    let source = "decl x: int<2>; init x = 1;
        thread a begin void main() begin x := * constrain x' > x & x' != 2; end end
        thread b begin void main() begin if (x = 3) then L: skip; elsif (x = 2) then M: skip; fi; end end";
    check_switches(source, "L", 1, Some(1));
    check_switches(source, "M", 1, None);
}

#[test]
fn threads_of_any_number_are_as_many_as_there_are_contexts() {
    let source = "decl x: int<2>; init x = 0;
        thread a[*] begin void main() begin x := x + 1; if (x = 3) then L: skip; fi; end end";
    check_switches(source, "L", 3, Some(2));
}

#[test]
fn rounds_need_a_number_of_copies() {
    let program = load("thread a[*] begin void main() begin L: skip; end end", 0);
    let error = sequentialize(&program, &goals(&program, "L", None), Bound::Rounds(2), Scheme::Lazy);
    assert_eq!(error, Err(SequentializeError::AnyNumber { block: "a".to_owned() }));
}

#[test]
fn a_bound_that_nobody_can_look_at_is_refused() {
    let program = load("decl x; thread a begin void main() begin L: x := T; end end", 0);
    for bound in [Bound::Switches(u32::MAX), Bound::Rounds(u32::MAX)] {
        for scheme in [Scheme::Eager, Scheme::Lazy] {
            let error = sequentialize(&program, &goals(&program, "L", None), bound, scheme);
            assert!(matches!(error, Err(SequentializeError::TooLarge { .. })), "{bound:?}");
        }
    }
}

#[test]
fn a_copy_that_is_named_counts_alone() {
    let source = "decl x; init !x;
        thread a[2] begin void main() begin if (x) then L: skip; fi; x := T; end end";
    let program = load(source, 0);
    for scheme in [Scheme::Eager, Scheme::Lazy] {
        let verdict = |copy, bound| {
            let goals = goals(&program, "L", Some(copy));
            is_reachable(&sequentialize(&program, &goals, bound, scheme).expect("it is small"))
        };
        assert!(verdict(0, Bound::Switches(1)), "{scheme:?}");
        assert!(verdict(1, Bound::Rounds(1)), "{scheme:?}");
        assert!(!verdict(0, Bound::Rounds(1)), "{scheme:?}");
        assert!(!verdict(2, Bound::Switches(1)), "{scheme:?}");
    }
}

#[test]
fn threads_that_are_started_at_run_time_get_their_arguments() {
    let source = "decl x, y; init !x & !y;
        void main() begin start_thread work(T); assume(x & !y); L: skip; end
        void work(first) begin if (first) then x := T; end_thread; M: skip; else y := T; fi; end";
    check_switches(source, "L", 2, Some(2));
    check_switches(source, "M", 2, None);
}

#[test]
fn a_thread_may_begin_at_a_label_with_the_locals_of_its_starter() {
    let source = "decl x; init !x;
        void main() begin decl l; l := T; start_thread goto there; l := F; assume(x); done: skip; return;
          there: if (l) then L: x := T; else M: skip; fi; end";
    check_switches(source, "L", 2, Some(1));
    check_switches(source, "M", 2, None);
    check_switches(source, "done", 2, Some(2));
}

#[test]
fn names_that_cannot_stand_together_are_changed() {
    let source = "decl stop, {x>0}, context: int<1>; init !stop & !{x>0};
        thread a begin decl hit, x; init !hit; void main() begin decl stop; stop := T; {x>0} := stop; hit := T; end end
        thread b begin decl hit, at; init hit; void main() begin assume({x>0} & hit); leave: skip; end end";
    check_switches(source, "leave", 1, Some(1));
}

#[test]
fn the_same_program_gives_the_same_text() {
    let source = "decl x: enum { p, q }, y: enum { q, p };
        thread a[2] begin void main() begin x := q; y := q; L: skip; end end";
    let text = |_| {
        let program = load(source, 0);
        sequentialize(&program, &goals(&program, "L", None), Bound::Switches(2), Scheme::Eager)
            .expect("it is small")
    };
    let texts: Vec<String> = (0..2).map(text).collect();
    assert_eq!(texts[0], texts[1]);
}

#[test]
fn deep_nesting_needs_no_deep_stack() {
    let condition = format!("{}x{}", "!(".repeat(10_000), ")".repeat(10_000));
    let source =
        format!("decl x; init x; thread a begin void main() begin assume({condition}); L: x := F; end end");
    let program = load(&source, 0);
    let text = sequentialize(&program, &goals(&program, "L", None), Bound::Switches(1), Scheme::Lazy);
    assert!(text.expect("it is small").contains("!!!!x"));
}

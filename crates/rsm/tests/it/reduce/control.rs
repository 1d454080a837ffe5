//! Dead code, jump chains, straight lines: which points and blocks are left.

use super::check_reduce;
use rsm::{Goal, ModuleId, NodeId, Reductions, reduce};
use std::fmt::Write;

#[test]
fn without_reductions_the_view_is_the_program() {
    check_reduce(
        "globals g
         module main
         locals x
         0 1 x := g
         1 2 call f
         2 0 skip
         2 3 return
         module f
         0 1 return",
        &[],
        "none",
        "main: touched {g}; modified {g}; results {}
           0 {g, x}
             edge 0 to 1
           1 {g, x}
             edge 1 calls f to 2
           2 {g, x}
             edge 2 to 0
             edge 3 to 3
           3 {g}
         f: touched {g}; modified {g}; results {}
           0 {g}
             edge 0 to 1
           1 {g}",
    );
}

#[test]
fn code_behind_a_constant_false_is_dead() {
    check_reduce(
        "module main
         0 1 assume T ! F |
         0 2 skip
         1 3 skip
         2 1 assert F
         2 3 return",
        &["main:1"],
        "dead-code",
        "main: touched {}; modified {}; results {}
           0 {}
             edge 1 to 2
           2 {}
             edge 4 to 3
           3 {}",
    );
}

#[test]
fn a_condition_that_can_hold_is_not_dead() {
    check_reduce(
        "module main
         0 1 assume F F schoose
         1 2 return",
        &[],
        "dead-code",
        "main: touched {}; modified {}; results {}
           0 {}
             edge 0 to 1
           1 {}
             edge 1 to 2
           2 {}",
    );
}

#[test]
fn a_module_that_only_dead_code_calls_is_not_used() {
    check_reduce(
        "module main
         0 2 return
         1 2 call f
         module f
         0 1 return",
        &[],
        "dead-code",
        "main: touched {}; modified {}; results {}
           0 {}
             edge 0 to 2
           2 {}
         f: not used",
    );
}

#[test]
fn nothing_follows_a_call_that_cannot_return() {
    check_reduce(
        "module main
         0 1 call f
         1 2 skip
         2 3 return
         module f
         0 0 skip
         1 2 return",
        &[],
        "dead-code",
        "main: touched {}; modified {}; results {}
           0 {}
             edge 0 calls f to 1
           1 {}
           3 {}
         f: touched {}; modified {}; results {}
           0 {}
             edge 0 to 0
           2 {}",
    );
}

#[test]
fn recursion_returns_if_some_path_does() {
    check_reduce(
        "module main
         0 1 call f
         1 2 return
         module f
         0 1 call f
         0 2 return
         1 2 return",
        &[],
        "dead-code",
        "main: touched {}; modified {}; results {}
           0 {}
             edge 0 calls f to 1
           1 {}
             edge 1 to 2
           2 {}
         f: touched {}; modified {}; results {}
           0 {}
             edge 0 calls f to 1
             edge 1 to 2
           1 {}
             edge 2 to 2
           2 {}",
    );
}

#[test]
fn every_edge_into_a_jump_chain_goes_to_its_end() {
    check_reduce(
        "module main
         0 1 assume *
         0 2 assume *
         1 2 skip
         2 3 skip
         3 4 return",
        &[],
        "jump-chains",
        "main: touched {}; modified {}; results {}
           0 {}
             edge 0, 2, 3 to 3
             edge 1, 3 to 3
           3 {}
             edge 4 to 4
           4 {}",
    );
}

#[test]
fn a_goal_and_the_end_of_a_call_stay_in_a_jump_chain() {
    check_reduce(
        "module main
         0 1 call f
         1 2 skip
         2 3 skip
         3 4 skip
         4 5 return
         module f
         0 1 return",
        &["main:3"],
        "jump-chains",
        "main: touched {}; modified {}; results {}
           0 {}
             edge 0 calls f to 1
           1 {}
             edge 1, 2 to 3
           3 {}
             edge 3 to 4
           4 {}
             edge 4 to 5
           5 {}
         f: touched {}; modified {}; results {}
           0 {}
             edge 0 to 1
           1 {}",
    );
}

#[test]
fn a_cycle_of_skips_keeps_a_point() {
    check_reduce(
        "module main
         0 1 skip
         1 2 skip
         2 3 skip
         3 2 skip
         4 5 return",
        &[],
        "dead-code,jump-chains,straight-lines",
        "main: touched {}; modified {}; results {}
           0 {}
             edge 0, 1 to 2
           2 {}
             edge 2, 3 to 2
           5 {}",
    );
}

#[test]
fn a_straight_line_is_one_block() {
    check_reduce(
        "globals g
         module main
         0 1 assume g
         1 2 g := g !
         2 3 assert g
         3 4 return",
        &[],
        "straight-lines",
        "main: touched {g}; modified {g}; results {}
           0 {g}
             edge 0, 1, 2, 3 to 4
           4 {g}",
    );
}

#[test]
fn straight_lines_end_at_calls_joins_and_goals() {
    check_reduce(
        "globals g
         module main
         0 1 g := F
         1 2 call f
         2 3 g := T
         3 4 g := F
         4 5 g := T
         4 5 g := F
         5 6 g := T
         6 7 return
         module f
         0 1 return",
        &["main:3"],
        "straight-lines",
        "main: touched {g}; modified {g}; results {}
           0 {g}
             edge 0 to 1
           1 {g}
             edge 1 calls f to 2
           2 {g}
             edge 2 to 3
           3 {g}
             edge 3 to 4
           4 {g}
             edge 4 to 5
             edge 5 to 5
           5 {g}
             edge 6, 7 to 7
           7 {g}
         f: touched {g}; modified {g}; results {}
           0 {g}
             edge 0 to 1
           1 {g}",
    );
}

#[test]
fn a_block_does_not_assign_a_chosen_value_again() {
    check_reduce(
        "globals g h
         module main
         0 1 g := h
         1 2 g := *
         2 3 h := g
         3 4 g := F
         4 5 g := T constrain g'
         5 6 g := T
         6 7 return",
        &[],
        "straight-lines",
        "main: touched {g, h}; modified {g, h}; results {}
           0 {g, h}
             edge 0, 1, 2 to 3
           3 {g, h}
             edge 3, 4 to 5
           5 {g, h}
             edge 5, 6 to 7
           7 {g, h}",
    );
}

#[test]
fn a_cycle_that_nothing_leads_into_keeps_its_first_node() {
    check_reduce(
        "globals g
         module main
         0 3 return
         1 2 g := T
         2 1 g := F",
        &[],
        "straight-lines",
        "main: touched {g}; modified {g}; results {}
           0 {g}
             edge 0 to 3
           1 {g}
             edge 1, 2 to 1
           3 {g}",
    );
}

#[test]
fn long_lines_are_cut_into_blocks_of_64_edges() {
    for action in ["skip", "assume T"] {
        let mut text = "module main\n".to_owned();
        (0..10_000).for_each(|node| writeln!(text, "{node} {} {action}", node + 1).expect("text"));
        let rsm = super::text::machine(&text);
        let view =
            reduce(&rsm, &[], Reductions { jump_chains: true, straight_lines: true, ..Reductions::NONE });
        let longest = view.modules[0].blocks.iter().map(|block| block.path.len()).max();
        assert_eq!((longest, view.modules[0].blocks.len()), (Some(64), 157), "{action}");
    }
}

#[test]
fn the_source_of_an_assertion_that_may_fail_is_a_point() {
    let rsm = super::text::machine(
        "globals g
         module main
         0 1 g := T
         1 2 assert g
         2 3 return",
    );
    let goal = Goal::Failure(ModuleId(0), rsm::EdgeId(1));
    let view = reduce(&rsm, &[goal], Reductions::ALL);
    assert_eq!(view.modules[0].points, [NodeId(0), NodeId(1), NodeId(3)]);
}

#[test]
fn reductions_are_read_as_they_are_printed() {
    let by_name: Vec<String> = Reductions::LIST
        .iter()
        .map(|reduction| reduction.name.parse::<Reductions>().expect("a name").to_string())
        .collect();
    let names: Vec<&str> = Reductions::LIST.iter().map(|reduction| reduction.name).collect();
    assert_eq!(by_name, names);
    assert_eq!(names.join(",").parse(), Ok(Reductions::ALL));
    assert_eq!(Reductions::NONE.to_string().parse(), Ok(Reductions::NONE));
}

#[test]
fn a_name_that_is_no_reduction_is_refused() {
    let error = "cone,bone".parse::<Reductions>().expect_err("no such reduction");
    let known = "dead-code, jump-chains, straight-lines, live-variables, cone";
    assert_eq!(error.to_string(), format!("`bone` is no reduction; there are {known}, and `all`"));
}

//! Live variables and the cone: which variables are left where.

use super::check_reduce;

#[test]
fn a_variable_is_live_until_its_last_test() {
    check_reduce(
        "module main
         locals x y
         0 1 assume x
         1 2 y := x
         2 3 assume y
         3 4 return",
        &[],
        "live-variables",
        "main: touched {}; modified {}; results {}
           0 {x}
             edge 0 to 1
           1 {x}
             edge 1 to 2
           2 {y}
             edge 2 to 3
           3 {}
             edge 3 to 4
           4 {}",
    );
}

#[test]
fn what_only_feeds_itself_is_dead() {
    check_reduce(
        "module main
         locals x y
         0 0 x, y := y, x
         0 1 return",
        &[],
        "live-variables",
        "main: touched {}; modified {}; results {}
           0 {}
             edge 0 to 0
             edge 1 to 1
           1 {}",
    );
}

#[test]
fn a_constrained_assignment_reads_what_its_condition_needs() {
    check_reduce(
        "module main
         locals a b c d
         0 1 a, b := c, d constrain a' d' =
         1 2 return",
        &[],
        "live-variables",
        "main: touched {}; modified {}; results {}
           0 {c, d}
             edge 0 to 1
           1 {}
             edge 1 to 2
           2 {}",
    );
}

#[test]
fn enforce_reads_at_every_node_but_the_exit() {
    check_reduce(
        "globals g
         module main
         enforce g
         0 1 g := T
         1 2 g := F
         2 3 return",
        &[],
        "live-variables,straight-lines",
        "main: touched {g}; modified {g}; results {}
           0 {g}
             edge 0, 1, 2 to 3
           3 {}",
    );
}

#[test]
fn enforce_reads_inside_a_block() {
    check_reduce(
        "module main
         locals x y
         enforce x
         0 1 x := y
         1 2 x := T
         2 3 return",
        &[],
        "live-variables,straight-lines",
        "main: touched {}; modified {}; results {}
           0 {x, y}
             edge 0, 1, 2 to 3
           3 {}",
    );
}

#[test]
fn what_enforce_reads_is_touched() {
    check_reduce(
        "globals g
         module main
         0 1 call f
         1 2 return
         module f
         enforce g
         0 1 return",
        &[],
        "all",
        "main: touched {g}; modified {}; results {}
           0 {g}
             edge 0 calls f to 1
           1 {}
             edge 1 to 2
           2 {}
         f: touched {g}; modified {}; results {}
           0 {g}
             edge 0 to 1
           1 {}",
    );
}

#[test]
fn what_init_reads_is_in_the_cone() {
    check_reduce(
        "globals g h
         init g
         module main
         0 1 return",
        &[],
        "cone",
        "main: touched {g}; modified {g}; results {}
           0 {g}
             edge 0 to 1
           1 {g}",
    );
}

#[test]
fn init_reads_at_the_start() {
    check_reduce(
        "globals g h
         init g
         module main
         0 1 skip
         1 2 return",
        &[],
        "live-variables",
        "main: touched {g}; modified {}; results {}
           0 {g}
             edge 0 to 1
           1 {}
             edge 1 to 2
           2 {}",
    );
}

#[test]
fn an_argument_matters_if_its_parameter_does() {
    check_reduce(
        "module main
         locals x y
         0 1 call f x, y
         1 2 return
         module f
         params p q
         0 1 assume q
         1 2 return",
        &[],
        "live-variables",
        "main: touched {}; modified {}; results {}
           0 {y}
             edge 0 calls f to 1
           1 {}
             edge 1 to 2
           2 {}
         f: touched {}; modified {}; results {}
           0 {q}
             edge 0 to 1
           1 {}
             edge 1 to 2
           2 {}",
    );
}

#[test]
fn a_result_matters_if_some_caller_tests_it() {
    check_reduce(
        "module main
         locals x y
         0 1 call f -> x, y
         1 2 call f -> y, x
         2 3 assume x
         3 4 return
         module f
         locals p q
         results 2
         0 1 return p, q",
        &[],
        "live-variables",
        "main: touched {}; modified {}; results {}
           0 {}
             edge 0 calls f to 1
           1 {}
             edge 1 calls f to 2
           2 {x}
             edge 2 to 3
           3 {}
             edge 3 to 4
           4 {}
         f: touched {}; modified {}; results {1}
           0 {q}
             edge 0 to 1
           1 {}",
    );
}

#[test]
fn a_global_passes_a_callee_that_overwrites_it_only_if_untouched() {
    check_reduce(
        "globals g h
         module main
         0 1 call f
         1 2 assume g
         2 3 assume h
         3 4 return
         module f
         0 1 g := T
         1 2 return",
        &[],
        "live-variables",
        "main: touched {g, h}; modified {g}; results {}
           0 {h}
             edge 0 calls f to 1
           1 {g, h}
             edge 1 to 2
           2 {h}
             edge 2 to 3
           3 {}
             edge 3 to 4
           4 {}
         f: touched {g}; modified {g}; results {}
           0 {h}
             edge 0 to 1
           1 {g, h}
             edge 1 to 2
           2 {g, h}",
    );
}

#[test]
fn an_untouched_global_is_live_before_a_call_only_if_after_this_one() {
    check_reduce(
        "globals g
         module main
         0 1 call f
         1 2 assume g
         2 3 call f
         3 4 return
         module f
         0 1 return",
        &[],
        "live-variables",
        "main: touched {g}; modified {}; results {}
           0 {g}
             edge 0 calls f to 1
           1 {g}
             edge 1 to 2
           2 {}
             edge 2 calls f to 3
           3 {}
             edge 3 to 4
           4 {}
         f: touched {}; modified {}; results {}
           0 {g}
             edge 0 to 1
           1 {g}",
    );
}

#[test]
fn a_module_touches_what_its_callees_touch() {
    check_reduce(
        "globals a b c
         module main
         0 1 call f
         1 2 return
         module f
         0 1 call h -> a
         1 2 return
         module h
         results 1
         0 1 call f
         0 2 return b
         1 2 return *",
        &[],
        "live-variables,straight-lines",
        "main: touched {a, b}; modified {a}; results {}
           0 {}
             edge 0 calls f to 1
           1 {}
             edge 1 to 2
           2 {}
         f: touched {a, b}; modified {a}; results {}
           0 {}
             edge 0 calls h to 1
           1 {}
             edge 1 to 2
           2 {}
         h: touched {a, b}; modified {a}; results {}
           0 {}
             edge 0 calls f to 1
             edge 1 to 2
           1 {}
             edge 2 to 2
           2 {}",
    );
}

#[test]
fn the_cone_follows_assignments_arguments_and_results() {
    check_reduce(
        "globals a b c d
         module main
         locals x y
         0 1 call f a, b -> x, y
         1 2 c := d
         2 3 assume x
         3 4 return
         module f
         params p q
         results 2
         0 1 return p, q",
        &[],
        "cone,jump-chains",
        "main: touched {a}; modified {a}; results {}
           0 {a, x}
             edge 0 calls f to 1
           1 {a, x}
             edge 1 to 2
           2 {a, x}
             edge 2 to 3
           3 {a, x}
             edge 3 to 4
           4 {a}
         f: touched {a}; modified {a}; results {0}
           0 {a, p}
             edge 0 to 1
           1 {a}",
    );
}

#[test]
fn more_globals_than_a_word_has_bits_are_kept_apart() {
    let names: Vec<String> = (0..130).map(|n| format!("g{n}")).collect();
    let program = "
         module main
         locals x
         0 1 x := g64 g129 &
         1 2 assume x
         2 3 return";
    check_reduce(
        &format!("globals {}{program}", names.join(" ")),
        &[],
        "all",
        "main: touched {g64, g129}; modified {}; results {}
           0 {g64, g129}
             edge 0, 1, 2 to 3
           3 {}",
    );
}

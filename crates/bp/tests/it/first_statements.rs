//! Threads whose first statement has labels: where their starters are right behind the start.

use bp::ThreadOptions;

/// What the machine of a program says about modules, atomic blocks and starts.
#[track_caller]
fn check(slots: usize, text: &str, expected: &[&str]) {
    let options = ThreadOptions { slots, async_labels: true };
    let lowered =
        bp::lower_threads(&crate::harness::correct(text), options).expect("the program has no mistakes");
    crate::harness::assert_coherent(&lowered);
    let described = crate::harness::describe_threads(&lowered);
    let modules = described.lines().skip_while(|line| !line.starts_with("module"));
    assert_eq!(modules.collect::<Vec<_>>(), expected, "{text}");
}

#[test]
fn all_ways_to_start_such_a_thread_lead_to_one_place() {
    check(
        1,
        "void f() begin L: skip; end void main() begin start_thread f(); end",
        &[
            "module f()",
            "  entry 0, exit 2",
            "  0: L",
            "  0 -[skip]-> 1",
            "  1 -[return]-> 2",
            "module main(), main",
            "  entry 0, exit 3",
            "  0 -[$slot1 := f constrain $slot1 = $free]-> 2",
            "  0 -[skip]-> 2",
            "  1 -[return]-> 3",
            "  2 -[skip]-> 1",
            "module thread1()",
            "  entry 0, exit 3",
            "  0 -[assume $slot1 = f]-> 1",
            "  1 -[f()]-> 2",
            "  2 -[return]-> 3",
            "call thread1 2: 1 -> module 0",
            "start main 1: 2 of f 0: 0",
        ],
    );
}

#[test]
fn the_place_is_there_without_slots_and_lies_before_the_one_where_threads_end() {
    check(
        0,
        "bool f(a) begin L: M: end_thread; end
         void main() begin ASYNC_1: f(T); start_thread goto K; while (*) do K: start_thread f(F); od end_thread; end",
        &[
            "module f(a: bool) -> bool",
            "  entry 0, exit 2",
            "  0: L, M",
            "  0 -[skip]-> 3",
            "  1 -[return *]-> 2",
            "module main(), main",
            "  entry 0, exit 9",
            "  0: ASYNC_1",
            "  0 -[skip]-> 6",
            "  1 -[skip]-> 7",
            "  2 -[assume *]-> 3",
            "  2 -[assume !*]-> 4",
            "  3: K",
            "  3 -[skip]-> 8",
            "  4 -[skip]-> 10",
            "  5 -[return]-> 9",
            "  6 -[skip]-> 1",
            "  7 -[skip]-> 2",
            "  8 -[skip]-> 2",
            "start main 1: 6 of f 0: 0",
            "start main 1: 7 of main 1: 3",
            "start main 1: 8 of f 0: 0",
        ],
    );
}

#[test]
fn the_place_is_inside_what_goes_on_inside() {
    check(
        0,
        "void f() begin L: skip; end void h() begin start_thread f(); end
         void main() begin atomic begin start_thread f(); h(); start_thread f(); end end",
        &[
            "module f()",
            "  entry 0, exit 2",
            "  0: L",
            "  0 -[skip]-> 1",
            "  1 -[return]-> 2",
            "module h()",
            "  entry 0, exit 3",
            "  0 -[skip]-> 2",
            "  1 -[return]-> 3",
            "  2 -[skip]-> 1",
            "module main(), main",
            "  entry 0, exit 7",
            "  0 -[skip]-> 1",
            "  1 -[skip]-> 5",
            "  2 -[h()]-> 3",
            "  3 -[skip]-> 6",
            "  4 -[return]-> 7",
            "  5 -[skip]-> 2",
            "  6 -[skip]-> 4",
            "module h()",
            "  entry 0, exit 3",
            "  0 -[skip]-> 2",
            "  1 -[return]-> 3",
            "  2 -[skip]-> 1",
            "atomic main 2: 1 2 3 5",
            "call main 2: 2 -> module 3",
            "atomic h 3: 0 1 2 3",
            "start h 1: 2 of f 0: 0",
            "start main 2: 5 of f 0: 0",
            "start main 2: 6 of f 0: 0",
            "start h 3: 2 of f 0: 0",
        ],
    );
}

#[test]
fn starting_a_thread_without_such_a_label_needs_no_place() {
    check(
        0,
        "void e() begin end void f() begin skip; L: skip; end
         void main() begin start_thread e(); start_thread f(); end",
        &[
            "module e()",
            "  entry 0, exit 1",
            "  0 -[return]-> 1",
            "module f()",
            "  entry 0, exit 3",
            "  0 -[skip]-> 1",
            "  1: L",
            "  1 -[skip]-> 2",
            "  2 -[return]-> 3",
            "module main(), main",
            "  entry 0, exit 3",
            "  0 -[skip]-> 1",
            "  1 -[skip]-> 2",
            "  2 -[return]-> 3",
        ],
    );
}

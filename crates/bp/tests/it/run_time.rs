//! From programs that start threads to concurrent machines.

use bp::ThreadOptions;

#[track_caller]
fn check(slots: usize, text: &str, expected: &[&str]) {
    let options = ThreadOptions { slots, async_labels: true };
    crate::harness::check_threads(text, options, expected);
}

#[track_caller]
fn check_refused(text: &str, expected: &[&str]) {
    let options = ThreadOptions { slots: 0, async_labels: true };
    assert_eq!(crate::harness::complaints_with_threads(text, options), expected, "{text}");
}

#[test]
fn a_new_thread_takes_the_first_free_slot_or_never_runs() {
    check(
        2,
        "decl g; void f(a) begin g := a; end void main() begin start_thread f(*); end",
        &[
            "block main[1] main 1 modules 0 1",
            "block thread1[1] main 2 modules 0 1 2",
            "block thread2[1] main 3 modules 0 1 3",
            "shared g $slot1 $slot1.1 $slot2 $slot2.1",
            "global g: bool",
            "global $slot1: enum { $free, f }",
            "global $slot1.1: bool",
            "global $slot2: enum { $free, f }",
            "global $slot2.1: bool",
            "init $slot1 = $free",
            "init $slot1.1 = F",
            "init $slot2 = $free",
            "init $slot2.1 = F",
            "module f(a: bool)",
            "  entry 0, exit 2",
            "  0 -[g := a]-> 1",
            "  1 -[return]-> 2",
            "module main(), main",
            "  entry 0, exit 2",
            "  0 -[$slot1, $slot1.1 := f, * constrain $slot1 = $free]-> 1",
            "  0 -[$slot2, $slot2.1 := f, * constrain $slot2 = $free & !($slot1 = $free)]-> 1",
            "  0 -[skip]-> 1",
            "  1 -[return]-> 2",
            "module thread1()",
            "  entry 0, exit 3",
            "  0 -[assume $slot1 = f]-> 1",
            "  1 -[f($slot1.1)]-> 2",
            "  2 -[return]-> 3",
            "module thread2()",
            "  entry 0, exit 3",
            "  0 -[assume $slot2 = f]-> 1",
            "  1 -[f($slot2.1)]-> 2",
            "  2 -[return]-> 3",
            "call thread1 2: 1 -> module 0",
            "call thread2 3: 1 -> module 0",
        ],
    );
}

#[test]
fn arguments_take_the_same_variables_where_their_types_allow_it() {
    check(
        1,
        "bool f(a, n: int<2>, b) begin decl c; end void e(m: int<2>, k: int<3>) begin end
         void main() begin start_thread f(T, 1, *); start_thread e(2, 5); start_thread f(F, 0, F); end",
        &[
            "block main[1] main 2 modules 0 1 2",
            "block thread1[1] main 3 modules 0 1 2 3",
            "shared $slot1 $slot1.1 $slot1.2 $slot1.3 $slot1.4",
            "global $slot1: enum { $free, f, e }",
            "global $slot1.1: bool",
            "global $slot1.2: int<2>",
            "global $slot1.3: bool",
            "global $slot1.4: int<3>",
            "init $slot1 = $free",
            "init $slot1.1 = F",
            "init $slot1.2 = 0",
            "init $slot1.3 = F",
            "init $slot1.4 = 0",
            "module f(a: bool, n: int<2>, b: bool) -> bool",
            "  local c: bool",
            "  entry 0, exit 1",
            "  0 -[return *]-> 1",
            "module e(m: int<2>, k: int<3>)",
            "  entry 0, exit 1",
            "  0 -[return]-> 1",
            "module main(), main",
            "  entry 0, exit 4",
            "  0 -[$slot1, $slot1.1, $slot1.2, $slot1.3 := f, T, 1, * constrain $slot1 = $free]-> 1",
            "  0 -[skip]-> 1",
            "  1 -[$slot1, $slot1.2, $slot1.4 := e, 2, 5 constrain $slot1 = $free]-> 2",
            "  1 -[skip]-> 2",
            "  2 -[$slot1, $slot1.1, $slot1.2, $slot1.3 := f, F, 0, F constrain $slot1 = $free]-> 3",
            "  2 -[skip]-> 3",
            "  3 -[return]-> 4",
            "module thread1()",
            "  entry 0, exit 4",
            "  0 -[assume $slot1 = f]-> 1",
            "  0 -[assume $slot1 = e]-> 2",
            "  1 -[f($slot1.1, $slot1.2, $slot1.3)]-> 3",
            "  2 -[e($slot1.2, $slot1.4)]-> 3",
            "  3 -[return]-> 4",
            "call thread1 3: 1 -> module 0",
            "call thread1 3: 2 -> module 1",
        ],
    );
}

#[test]
fn without_slots_no_thread_runs() {
    check(
        0,
        "void f(a) begin end void main() begin L: start_thread f(T); start_thread goto L; end",
        &[
            "block main[1] main 1 modules 0 1",
            "shared",
            "module f(a: bool)",
            "  entry 0, exit 1",
            "  0 -[return]-> 1",
            "module main(), main",
            "  entry 0, exit 4",
            "  0: L",
            "  0 -[skip]-> 1",
            "  1 -[skip]-> 3",
            "  2 -[return]-> 4",
            "  3 -[skip]-> 2",
            "start main 1: 3 of main 1: 0",
        ],
    );
}

#[test]
fn a_thread_begins_at_a_label_with_the_locals_of_its_starter() {
    check(
        1,
        "void main() begin decl v; v := *; start_thread goto l2; goto l5;
         l2: PC11: v := 1; end_thread; l5: skip; end",
        &[
            "block main[1] main 0 modules 0",
            "block thread1[1] main 2 modules 0 1 2",
            "shared $slot1 $slot1.1",
            "global $slot1: enum { $free, main:l2 }",
            "global $slot1.1: bool",
            "init $slot1 = $free",
            "init $slot1.1 = F",
            "module main(), main",
            "  local v: bool",
            "  entry 0, exit 8",
            "  0 -[v := *]-> 1",
            "  1 -[$slot1, $slot1.1 := main:l2, v constrain $slot1 = $free]-> 7",
            "  1 -[skip]-> 7",
            "  2 -[skip]-> 5",
            "  3: l2, PC11",
            "  3 -[v := T]-> 4",
            "  4 -[skip]-> 9",
            "  5: l5",
            "  5 -[skip]-> 6",
            "  6 -[return]-> 8",
            "  7 -[skip]-> 2",
            "module main(v: bool)",
            "  entry 3, exit 8",
            "  0 -[v := *]-> 1",
            "  1 -[$slot1, $slot1.1 := main:l2, v constrain $slot1 = $free]-> 7",
            "  1 -[skip]-> 7",
            "  2 -[skip]-> 5",
            "  3: l2, PC11",
            "  3 -[v := T]-> 4",
            "  4 -[skip]-> 9",
            "  5: l5",
            "  5 -[skip]-> 6",
            "  6 -[return]-> 8",
            "  7 -[skip]-> 2",
            "module thread1()",
            "  entry 0, exit 3",
            "  0 -[assume $slot1 = main:l2]-> 1",
            "  1 -[main($slot1.1)]-> 2",
            "  2 -[return]-> 3",
            "call thread1 2: 1 -> module 1",
            "start main 0: 7 of main 0: 3",
            "start main 1: 7 of main 0: 3",
        ],
    );
}

#[test]
fn parameters_are_handed_over_before_the_other_locals() {
    check(
        1,
        "bool f(a, n: int<2>) begin decl b; K: L: start_thread goto L; start_thread goto K; return a; end
         void main() begin f(T, 1); end",
        &[
            "block main[1] main 1 modules 0 1",
            "block thread1[1] main 3 modules 0 1 2 3",
            "shared $slot1 $slot1.1 $slot1.2 $slot1.3",
            "global $slot1: enum { $free, f:L }",
            "global $slot1.1: bool",
            "global $slot1.2: int<2>",
            "global $slot1.3: bool",
            "init $slot1 = $free",
            "init $slot1.1 = F",
            "init $slot1.2 = 0",
            "init $slot1.3 = F",
            "module f(a: bool, n: int<2>) -> bool",
            "  local b: bool",
            "  entry 0, exit 6",
            "  0: K, L",
            "  0 -[$slot1, $slot1.1, $slot1.2, $slot1.3 := f:L, a, n, b constrain $slot1 = $free]-> 4",
            "  0 -[skip]-> 4",
            "  1 -[$slot1, $slot1.1, $slot1.2, $slot1.3 := f:L, a, n, b constrain $slot1 = $free]-> 5",
            "  1 -[skip]-> 5",
            "  2 -[return a]-> 6",
            "  3 -[return *]-> 6",
            "  4 -[skip]-> 1",
            "  5 -[skip]-> 2",
            "module main(), main",
            "  entry 0, exit 2",
            "  0 -[f(T, 1)]-> 1",
            "  1 -[return]-> 2",
            "module f(a: bool, n: int<2>, b: bool) -> bool",
            "  entry 0, exit 6",
            "  0: K, L",
            "  0 -[$slot1, $slot1.1, $slot1.2, $slot1.3 := f:L, a, n, b constrain $slot1 = $free]-> 4",
            "  0 -[skip]-> 4",
            "  1 -[$slot1, $slot1.1, $slot1.2, $slot1.3 := f:L, a, n, b constrain $slot1 = $free]-> 5",
            "  1 -[skip]-> 5",
            "  2 -[return a]-> 6",
            "  3 -[return *]-> 6",
            "  4 -[skip]-> 1",
            "  5 -[skip]-> 2",
            "module thread1()",
            "  entry 0, exit 3",
            "  0 -[assume $slot1 = f:L]-> 1",
            "  1 -[f($slot1.1, $slot1.2, $slot1.3)]-> 2",
            "  2 -[return]-> 3",
            "call main 1: 0 -> module 0",
            "call thread1 3: 1 -> module 2",
            "start f 0: 4 of f 0: 0",
            "start f 0: 5 of f 0: 0",
            "start f 2: 4 of f 0: 0",
            "start f 2: 5 of f 0: 0",
        ],
    );
}

#[test]
fn all_threads_have_the_flag_in_one_place_and_share_clones() {
    check(
        1,
        "decl g; void f() begin atomic_begin; end_thread; end
         void main() begin atomic begin f(); end start_thread f(); end",
        &[
            "block main[1] main 1 modules 0 1 2 private 2:$atomic init !$atomic flag 2",
            "block thread1[1] main 3 modules 0 1 2 3 private 2:$atomic init !$atomic flag 2",
            "shared g $slot1",
            "global g: bool",
            "global $slot1: enum { $free, f }",
            "global $atomic: bool",
            "init $slot1 = $free",
            "module f()",
            "  entry 0, exit 3",
            "  0 -[$atomic := T]-> 1",
            "  1 -[skip]-> 4",
            "  2 -[return]-> 3",
            "module main(), main",
            "  entry 0, exit 4",
            "  0 -[skip]-> 1",
            "  1 -[f()]-> 2",
            "  2 -[$slot1 := f constrain $slot1 = $free]-> 3",
            "  2 -[skip]-> 3",
            "  3 -[return]-> 4",
            "module f()",
            "  entry 0, exit 3",
            "  0 -[$atomic := T]-> 1",
            "  1 -[skip]-> 4",
            "  2 -[return]-> 3",
            "module thread1()",
            "  entry 0, exit 3",
            "  0 -[assume $slot1 = f]-> 1",
            "  1 -[f()]-> 2",
            "  2 -[return]-> 3",
            "atomic main 1: 1",
            "call main 1: 1 -> module 2",
            "atomic f 2: 0 1 2 3",
            "call thread1 3: 1 -> module 0",
        ],
    );
}

#[test]
fn a_label_may_say_that_a_call_does_not_wait() {
    check(
        1,
        "bool f(a) begin end void main() begin decl x; L: ASYNC_1: _ := f(x); x := f(x); end",
        &[
            "block main[1] main 1 modules 0 1",
            "block thread1[1] main 2 modules 0 1 2",
            "shared $slot1 $slot1.1",
            "global $slot1: enum { $free, f }",
            "global $slot1.1: bool",
            "init $slot1 = $free",
            "init $slot1.1 = F",
            "module f(a: bool) -> bool",
            "  entry 0, exit 1",
            "  0 -[return *]-> 1",
            "module main(), main",
            "  local x: bool",
            "  entry 0, exit 3",
            "  0: L, ASYNC_1",
            "  0 -[$slot1, $slot1.1 := f, x constrain $slot1 = $free]-> 1",
            "  0 -[skip]-> 1",
            "  1 -[x := f(x)]-> 2",
            "  2 -[return]-> 3",
            "module thread1()",
            "  entry 0, exit 3",
            "  0 -[assume $slot1 = f]-> 1",
            "  1 -[f($slot1.1)]-> 2",
            "  2 -[return]-> 3",
            "call main 1: 1 -> module 0",
            "call thread1 2: 1 -> module 0",
        ],
    );
}

#[test]
fn waiting_modules_show_what_is_started() {
    let mut sources = base::Sources::default();
    let text = "void f() begin end void main() begin start_thread f(); start_thread goto M; M: L: skip; end";
    let (program, _) = bp::load(&mut sources, "test.bp", text).expect("the program is correct");
    let options = ThreadOptions { slots: 1, async_labels: false };
    let lowered = bp::lower_threads(&program, options).expect("the program has no mistakes");
    let waiting = lowered.machine.module(lowered.blocks[1].main);
    let texts: Vec<&str> = waiting.nodes.iter().map(|node| sources.text(node.span)).collect();
    assert_eq!(texts, ["f", "f", "M", "f", "f"]);
    assert_eq!(sources.line_column(waiting.nodes[2].span), (1, 77));
}

#[test]
fn results_of_a_started_thread_are_not_stored() {
    check_refused(
        "bool<2> f() begin end void main() begin decl x; ASYNC_1: _, x := f(); ASYNC_2: _, _ := f(); ASYNC_3: f(); end",
        &[
            "1:61: results of a started thread cannot be stored: a label that begins with `ASYNC_` makes this call the start of a thread",
        ],
    );
}

#[test]
fn no_thread_begins_inside_an_atomic_block() {
    check_refused(
        "void main() begin start_thread goto L; start_thread goto M; atomic begin L: skip; end M: atomic begin end end",
        &[
            "1:19: starting a thread inside an atomic block is not supported, and `L` lies in one",
            "  1:74: the label is here",
        ],
    );
}

//! From programs with `thread` blocks to concurrent machines.

use bp::{Concurrency, ThreadOptions};

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let options = ThreadOptions { slots: 0, async_labels: false };
    crate::harness::check_threads(text, options, expected);
}

#[track_caller]
fn check_refused(text: &str, expected: &[&str]) {
    let options = ThreadOptions { slots: 1, async_labels: true };
    assert_eq!(crate::harness::complaints_with_threads(text, options), expected, "{text}");
}

#[test]
fn blocks_have_their_own_modules_and_variables() {
    check(
        "decl g; init g; thread p[2] begin decl x; void main() begin x := g; f(); end void f() begin end end
         thread q[*] begin decl y, z: int<2>; void f() begin end void main() begin y := F; dead z; f(); end end
         thread r begin decl x; void main() begin g := x; x := * constrain x' & 'g; end end",
        &["block p[2] main 0 modules 0 1 private 1:x", "block q[*] main 3 modules 2 3 private 2:y private 3:z", "block r[1] main 4 modules 4 private 4:x", "shared g", "global g: bool", "global x: bool", "global y: bool", "global z: int<2>", "global x: bool", "init g", "module main(), main", "  entry 0, exit 3", "  0 -[x := g]-> 1", "  1 -[f()]-> 2", "  2 -[return]-> 3", "module f()", "  entry 0, exit 1", "  0 -[return]-> 1", "module f()", "  entry 0, exit 1", "  0 -[return]-> 1", "module main()", "  entry 0, exit 4", "  0 -[y := F]-> 1", "  1 -[z := *]-> 2", "  2 -[f()]-> 3", "  3 -[return]-> 4", "module main()", "  entry 0, exit 3", "  0 -[g := x]-> 1", "  1 -[x := * constrain x' & g]-> 2", "  2 -[return]-> 3", "call main 0: 1 -> module 1", "call main 3: 2 -> module 2"]
    );
}

#[test]
fn an_initial_condition_is_about_the_values_at_the_start() {
    check(
        "decl g, h: int<2>; init h = 1;
         thread p begin decl x; init x = g | h < 2; init *; void main() begin g := F; end end
         thread q begin decl y; init y => g; void main() begin end end",
        &[
            "block p[1] main 0 modules 0 private 4:x init x = $start.g | $start.h < 2 init *",
            "block q[1] main 1 modules 1 private 5:y init y => $start.g",
            "shared g h $start.g $start.h",
            "global g: bool",
            "global h: int<2>",
            "global $start.g: bool",
            "global $start.h: int<2>",
            "global x: bool",
            "global y: bool",
            "init h = 1",
            "init $start.g = g",
            "init $start.h = h",
            "module main(), main",
            "  entry 0, exit 2",
            "  0 -[g := F]-> 1",
            "  1 -[return]-> 2",
            "module main()",
            "  entry 0, exit 1",
            "  0 -[return]-> 1",
        ],
    );
}

#[test]
fn atomic_begin_and_atomic_end_set_a_flag_of_the_thread() {
    check(
        "decl g; thread p begin decl x; init !x; void main() begin atomic_begin; g := x; atomic_end; end end
         thread q begin void main() begin end end thread r begin void main() begin atomic_end; end end",
        &[
            "block p[1] main 0 modules 0 private 1:x private 2:$atomic init !x init !$atomic flag 2",
            "block q[1] main 1 modules 1",
            "block r[1] main 2 modules 2 private 3:$atomic init !$atomic flag 3",
            "shared g",
            "global g: bool",
            "global x: bool",
            "global $atomic: bool",
            "global $atomic: bool",
            "module main(), main",
            "  entry 0, exit 4",
            "  0 -[$atomic := T]-> 1",
            "  1 -[g := x]-> 2",
            "  2 -[$atomic := F]-> 3",
            "  3 -[return]-> 4",
            "module main()",
            "  entry 0, exit 1",
            "  0 -[return]-> 1",
            "module main()",
            "  entry 0, exit 2",
            "  0 -[$atomic := F]-> 1",
            "  1 -[return]-> 2",
        ],
    );
}

#[test]
fn what_an_atomic_block_calls_is_atomic() {
    check(
        "thread p begin void e() begin end void f() begin L: f(); g(); end void g() begin end
         void main() begin atomic begin f(); end e(); g(); end end",
        &[
            "block p[1] main 3 modules 0 1 2 3 4 5",
            "shared",
            "module e()",
            "  entry 0, exit 1",
            "  0 -[return]-> 1",
            "module f()",
            "  entry 0, exit 3",
            "  0: L",
            "  0 -[f()]-> 1",
            "  1 -[g()]-> 2",
            "  2 -[return]-> 3",
            "module g()",
            "  entry 0, exit 1",
            "  0 -[return]-> 1",
            "module main(), main",
            "  entry 0, exit 5",
            "  0 -[skip]-> 1",
            "  1 -[f()]-> 2",
            "  2 -[e()]-> 3",
            "  3 -[g()]-> 4",
            "  4 -[return]-> 5",
            "module f()",
            "  entry 0, exit 3",
            "  0: L",
            "  0 -[f()]-> 1",
            "  1 -[g()]-> 2",
            "  2 -[return]-> 3",
            "module g()",
            "  entry 0, exit 1",
            "  0 -[return]-> 1",
            "call f 1: 0 -> module 1",
            "call f 1: 1 -> module 2",
            "atomic main 3: 1",
            "call main 3: 1 -> module 4",
            "call main 3: 2 -> module 0",
            "call main 3: 3 -> module 2",
            "atomic f 4: 0 1 2 3",
            "call f 4: 0 -> module 4",
            "call f 4: 1 -> module 5",
            "atomic g 5: 0 1",
        ],
    );
}

#[test]
fn atomic_code_of_one_block_clones_nothing_of_another() {
    check(
        "thread p begin void f() begin end void main() begin f(); end end
         thread q begin void f() begin end void main() begin atomic begin f(); end end end",
        &[
            "block p[1] main 1 modules 0 1",
            "block q[1] main 3 modules 2 3 4",
            "shared",
            "module f()",
            "  entry 0, exit 1",
            "  0 -[return]-> 1",
            "module main(), main",
            "  entry 0, exit 2",
            "  0 -[f()]-> 1",
            "  1 -[return]-> 2",
            "module f()",
            "  entry 0, exit 1",
            "  0 -[return]-> 1",
            "module main()",
            "  entry 0, exit 3",
            "  0 -[skip]-> 1",
            "  1 -[f()]-> 2",
            "  2 -[return]-> 3",
            "module f()",
            "  entry 0, exit 1",
            "  0 -[return]-> 1",
            "call main 1: 0 -> module 0",
            "atomic main 3: 1",
            "call main 3: 1 -> module 4",
            "atomic f 4: 0 1",
        ],
    );
}

#[test]
fn a_clone_keeps_labels_and_places() {
    let mut sources = base::Sources::default();
    let text =
        "thread p begin bool f(a) begin L: return !a; end void main() begin atomic begin f(T); end end end";
    let (program, _) = bp::load(&mut sources, "test.bp", text).expect("the program is correct");
    let options = ThreadOptions { slots: 0, async_labels: false };
    let lowered = bp::lower_threads(&program, options).expect("the program has no mistakes");
    let machine = lowered.machine;
    let (original, clone) = (&machine.modules[0], &machine.modules[2]);
    for module in [original, clone] {
        let nodes: Vec<_> =
            module.nodes.iter().map(|node| (sources.text(node.span), node.labels.join(" "))).collect();
        let expected = [("return !a", "L"), ("end", ""), ("end", "")];
        assert_eq!(nodes, expected.map(|(text, labels)| (text, labels.to_owned())));
        assert_eq!((sources.text(module.span), sources.text(module.edges[0].span)), ("f", "return !a"));
    }
}

#[test]
fn end_thread_leads_to_a_place_without_steps_outside_atomic_blocks() {
    check(
        "thread p begin void f() begin end_thread; end void main() begin atomic begin f(); end end end",
        &[
            "block p[1] main 1 modules 0 1 2",
            "shared",
            "module f()",
            "  entry 0, exit 2",
            "  0 -[skip]-> 3",
            "  1 -[return]-> 2",
            "module main(), main",
            "  entry 0, exit 3",
            "  0 -[skip]-> 1",
            "  1 -[f()]-> 2",
            "  2 -[return]-> 3",
            "module f()",
            "  entry 0, exit 2",
            "  0 -[skip]-> 3",
            "  1 -[return]-> 2",
            "atomic main 1: 1",
            "call main 1: 1 -> module 2",
            "atomic f 2: 0 1 2",
        ],
    );
}

#[test]
fn a_sequential_program_is_one_thread() {
    check(
        "decl g; void main() begin atomic begin g := T; end end",
        &[
            "block main[1] main 0 modules 0",
            "shared g",
            "global g: bool",
            "module main(), main",
            "  entry 0, exit 3",
            "  0 -[skip]-> 1",
            "  1 -[g := T]-> 2",
            "  2 -[return]-> 3",
            "atomic main 0: 1",
        ],
    );
}

#[test]
fn threads_are_counted_and_start_no_others() {
    check_refused(
        "thread p[5000000000] begin void f() begin start_thread f(); end void main() begin ASYNC_a: f(); L: f(); start_thread goto L; end end
         thread q[4294967295] begin void main() begin end_thread; end end",
        &["1:1: a thread has at most 4294967295 copies, found 5000000000", "1:43: a thread of a `thread` block cannot start another one: threads are started at run time in programs without `thread` blocks", "1:92: a thread of a `thread` block cannot start another one: threads are started at run time in programs without `thread` blocks", "1:105: a thread of a `thread` block cannot start another one: threads are started at run time in programs without `thread` blocks"]
    );
}

#[test]
fn mistakes_in_threads_name_the_thread() {
    check_refused(
        "decl x, x$; thread p begin void f() begin end end thread q[0] begin void main() begin x$ := x; sync(); end end",
        &[
            "1:20: the thread `p` has no function `main`",
            "1:51: a thread needs at least one copy, found `[0]`",
            "1:87: `x$` is another thread's copy of a variable, which cannot be assigned",
            "1:96: `sync` is not supported: there is no statement that synchronises threads",
        ],
    );
    check_refused(
        "thread p begin void main() begin sync; end end",
        &["1:34: `sync` is not supported: there is no statement that synchronises threads"],
    );
}

#[test]
fn thread_blocks_make_a_program_concurrent() {
    let concurrency =
        |text: &str, async_labels| bp::concurrency(&crate::harness::correct(text), async_labels);
    let threads = "thread p begin void main() begin end_thread; end end";
    assert_eq!(concurrency(threads, true), Concurrency::Threads);
    let atomic = "void main() begin atomic_begin; atomic begin end ASYNC_: skip; end";
    assert_eq!(concurrency(atomic, true), Concurrency::Sequential);
    for statement in ["start_thread f()", "L: start_thread goto L", "end_thread"] {
        let text = format!("void f() begin end void main() begin {statement}; end");
        assert_eq!(concurrency(&text, false), Concurrency::RunTime);
    }
    let labelled = "void f() begin end void main() begin L: ASYNC_1: f(); end";
    assert_eq!(concurrency(labelled, false), Concurrency::Sequential);
    assert_eq!(concurrency(labelled, true), Concurrency::RunTime);
}

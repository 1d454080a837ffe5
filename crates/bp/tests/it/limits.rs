//! Deep nesting and long lines: every stage works on a small stack.

const DEPTH: usize = 100_000;

/// Runs every stage on `main` with this body, on a stack of 2 MiB.
#[track_caller]
fn survive(body: String) {
    let text = format!("decl x, n: int<4>; void main() begin {body} end");
    let run = move || {
        let program = crate::harness::correct(&text);
        let machine = bp::lower(&program).expect("the program is sequential");
        let printed = bp::print(program.program());
        drop(program);
        let again = bp::lower(&crate::harness::correct(&printed)).expect("the program is sequential");
        assert_eq!(machine.modules[0].edges.len(), again.modules[0].edges.len());
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(run).expect("threads can be started");
    thread.join().expect("no stage overflows the stack");
}

/// The same text many times.
fn many(text: &str) -> String {
    text.repeat(DEPTH)
}

#[test]
fn parentheses_nest_deeply() {
    survive(format!("x := {}x{};", many("("), many(")")));
}

#[test]
fn operators_nest_deeply() {
    survive(format!("x := {}x;", many("!")));
    survive(format!("n := {}n;", many("-")));
    survive(format!("x := {}x;", many("x => ")));
    survive(format!("x := x{};", many(" & x")));
    survive(format!("x := {}x;", many("x ? T : ")));
    survive(format!("x := {}x{};", many("x ? "), many(" : F")));
    survive(format!("x := {}x{};", many("schoose["), many(", *]")));
    survive(format!("x := {}x{};", many("n > ("), many(" ? 1 : 0)")));
}

#[test]
fn blocks_nest_deeply() {
    survive(format!("{}skip;{}", many("if x then "), many(" fi")));
    survive(format!("{}{}", many("if x then else "), many(" fi")));
    survive(format!("if x then {} fi", many(" elsif x then")));
    survive(format!("{}{}", many("while x do "), many(" od")));
    survive(format!("{}{}", many("atomic begin "), many(" end")));
}

#[test]
fn a_statement_may_have_many_labels() {
    let labels: Vec<String> = (0..DEPTH).map(|n| format!("L{n}")).collect();
    survive(format!("{}: skip; goto {};", labels.join(": "), labels.join(", ")));
}

#[test]
fn atomic_blocks_call_deeply() {
    let function = |n: usize| format!("void f{n}() begin start_thread f{n}(); f{}(); end ", n + 1);
    let functions: String = (0..10_000).map(function).collect();
    let text = format!("void f10000() begin end {functions} void main() begin atomic begin f0(); end end");
    let run = move || {
        let options = bp::ThreadOptions { slots: 2, async_labels: false };
        let lowered =
            bp::lower_threads(&crate::harness::correct(&text), options).expect("the program is correct");
        assert_eq!(lowered.machine.modules.len(), 2 * 10_001 + 3);
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(run).expect("threads can be started");
    thread.join().expect("no stage overflows the stack");
}

#[test]
fn what_is_left_open_is_reported_once() {
    let text = format!("void main() begin {}", many("if T then "));
    assert_eq!(crate::harness::complaints(&text).len(), 2);
    let text = format!("void main() begin x := {}; end", many("("));
    assert_eq!(crate::harness::complaints(&text).len(), 1);
}

#[test]
fn hopeless_texts_end_early() {
    let text = format!("void main() begin {} end", many("fi @ "));
    assert!(crate::harness::complaints(&text).len() < 2000);
}

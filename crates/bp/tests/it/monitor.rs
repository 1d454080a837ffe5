//! Monitors: what is read, and what is wrong.

use base::Sources;
use bp::monitor::{Atom, Frame, Monitor};
use rsm::{ModuleId, Operation, Place};

const PROGRAM: &str = "decl x, n: int<3>, f.g, c: enum {red, green};
    void f(y, {y>0}) begin L: skip; end void main() begin decl z, n: int<2>; L: skip; M: f(x, x); end";

fn read(text: &str) -> Result<Monitor, Vec<String>> {
    let program = crate::harness::correct(PROGRAM);
    let mut sources = Sources::default();
    bp::monitor::parse(&mut sources, "test.mon", text, &program)
        .map_err(|diagnostics| crate::harness::lines(&sources, &diagnostics))
}

#[track_caller]
fn check_errors(text: &str, expected: &[&str]) {
    assert_eq!(
        read(text).map(|_| ()),
        Err(expected.iter().map(|line| (*line).to_owned()).collect()),
        "{text}"
    );
}

/// The frame and the variables that the guard of a monitor with one edge reads.
#[track_caller]
fn guard(text: &str) -> (Frame, Vec<Place>, Vec<Atom>) {
    let monitor =
        read(&format!("monitor m begin initial state s: on {text} goto s; end")).expect("it is correct");
    let guard = &monitor.states[0].edges[0].guard;
    (guard.frame, guard.condition.reads().collect(), monitor.atoms)
}

#[test]
fn states_and_edges_are_read_in_order() {
    let monitor = read(
        "monitor m begin initial state a: on T goto b; on x & at(M) goto a; target state b: initial target state c: end",
    )
    .expect("it is correct");
    assert_eq!(monitor.name, "m");
    let states: Vec<_> =
        monitor.states.iter().map(|s| (s.name.as_str(), s.is_initial, s.is_target)).collect();
    assert_eq!(states, [("a", true, false), ("b", false, true), ("c", true, true)]);
    let edges: Vec<u32> = monitor.states[0].edges.iter().map(|edge| edge.to.0).collect();
    assert_eq!(edges, [1, 0]);
    assert!(monitor.states[0].edges[0].guard.condition.is_true());
}

#[test]
fn atoms_are_read_behind_the_globals() {
    let (main, f) = (ModuleId(1), ModuleId(0));
    let (frame, reads, atoms) = guard("at(L) & !at(f:L) & in(main) & call(f) & ret(f)");
    assert_eq!(frame, Frame::Any);
    assert_eq!(reads, (4..9).map(Place::Global).collect::<Vec<_>>());
    let label = || "L".to_owned();
    let expected = [
        Atom::At(vec![f, main], label()),
        Atom::At(vec![f], label()),
        Atom::In(main),
        Atom::Call(f),
        Atom::Ret(f),
    ];
    assert_eq!(atoms, expected);
}

#[test]
fn locals_need_their_function_on_top() {
    assert_eq!(guard("x").0, Frame::Any);
    assert_eq!(
        guard("main.z & x & main.n > 2"),
        (Frame::Only(ModuleId(1)), vec![Place::Local(0), Place::Global(0), Place::Local(1)], vec![])
    );
    assert_eq!(guard("f.{y>0} = f.y").1, [Place::Local(1), Place::Local(0)]);
    assert_eq!(guard("main.z | f.y").0, Frame::Never);
}

#[test]
fn a_global_with_a_dot_is_a_global() {
    assert_eq!(guard("f.g"), (Frame::Any, vec![Place::Global(2)], vec![]));
}

#[test]
fn guards_have_types() {
    let monitor =
        read("monitor m begin initial state s: on c = green & n = 1 + * goto s; end").expect("it is correct");
    let code = &monitor.states[0].edges[0].guard.condition.code;
    assert_eq!(code[1].operation, Operation::Constant(1));
    assert_eq!(code[4].ty, rsm::Type::Int(3));
}

#[test]
fn syntax_errors_are_reported_together() {
    check_errors("moniter m", &["1:1: expected `monitor`, found `moniter`"]);
    check_errors(
        "monitor m begin state s: on x & goto s; on T goto t end",
        &["1:33: expected an expression, found `goto`", "1:53: expected `;`, found `end`"],
    );
    check_errors(
        "monitor m begin initial s: on T goto t; target state u: on g(x) goto u; end x",
        &[
            "1:25: expected `state`, found `s`",
            "1:60: `g(…)` is no atom of a guard: expected `at`, `in`, `call` or `ret`",
            "1:77: expected the end of the file, found `x`",
        ],
    );
}

#[test]
fn names_are_known_and_typed() {
    check_errors(
        "monitor m begin state s: on at(N) | at(f:M) | in(h) | call(f) & y goto t; target state s: end",
        &[
            "1:9: the monitor has no `initial` state",
            "1:32: there is no label `N`",
            "1:42: there is no label `M` in this function",
            "1:50: there is no function `h`",
            "1:65: `y` is not declared",
            "1:72: there is no state `t`",
            "1:88: the state `s` is declared twice",
            "  1:23: the first declaration is here",
        ],
    );
    check_errors(
        "monitor m begin initial state s: on main.n goto s; on n = 8 goto s; on x' goto s; on main.x goto s; end",
        &[
            "1:37: expected `bool`, found `int<2>`",
            "1:59: the number 8 does not fit: `int<3>` goes from 0 to 7",
            "1:72: `x'` is a new value, which only the `constrain` of an assignment can read",
            "1:86: `main.x` is not declared; did you mean `main.n`?",
        ],
    );
}

#[test]
fn a_monitor_can_be_drawn() {
    let program = crate::harness::correct(PROGRAM);
    let mut sources = Sources::default();
    let text = "monitor m begin initial state a: on x &\n at(M) goto b; target state b: end";
    let monitor = bp::monitor::parse(&mut sources, "test.mon", text, &program).expect("it is correct");
    let expected = "digraph \"m\" {\n  0 [label=\"a\", shape=circle];\n  \"to 0\" [label=\"\", shape=point];\n  \"to 0\" -> 0;\n  \
                    1 [label=\"b\", shape=doublecircle];\n  0 -> 1 [label=\"x & at(M)\"];\n}\n";
    assert_eq!(bp::monitor::dot(&monitor, &sources), expected);
}

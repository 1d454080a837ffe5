//! The text and the drawing of machines.

use crate::harness::{code, machine};

/// Postfix code over Booleans a, b and integers i, j as the user writes it.
#[track_caller]
fn check(postfix: &str, expected: &str) {
    let rsm = machine("global a b i:3 j:3 c:red/green\nmodule main\n0 1 return");
    assert_eq!(rsm::show_expr(&rsm, rsm.main, &code(&rsm, postfix)), expected);
}

#[test]
fn parentheses_stand_only_where_they_are_needed() {
    check("a b & a |", "a & b | a");
    check("a b a | &", "a & (b | a)");
    check("i j + i mul", "(i + j) * i");
    check("i j i mul +", "i + j * i");
    check("a ! b & !", "!(!a & b)");
    check("i j < a =", "i < j = a");
    check("a b = a = b =", "a = b = a = b");
}

#[test]
fn operators_associate_to_the_left_and_implication_to_the_right() {
    check("i j - i -", "i - j - i");
    check("i j i - -", "i - (j - i)");
    check("a b a => =>", "a => b => a");
    check("a b => a =>", "(a => b) => a");
}

#[test]
fn a_conditional_binds_least() {
    check("a i j if", "a ? i : j");
    check("a i b j i if if", "a ? i : b ? j : i");
    check("a b a if i j if", "(a ? b : a) ? i : j");
    check("a i j if i +", "(a ? i : j) + i");
}

#[test]
fn values_are_written_in_their_type() {
    check("T a' &", "T & a'");
    check("5:3 i <=", "5 <= i");
    check("c green:red/green !=", "c != green");
    check("i neg neg *:3 - ", "-(-i) - *");
    check("a b | * schoose", "schoose[a | b, *]");
}

const MACHINE: &str = "global a i:3\ninit a\nmodule main ; x\nenforce x a |\nlabel 1 L\nlabel 1 M\n\
    0 1 set a , i := * , i constrain a' a !=\n0 1 assume a\n1 2 call x , _ := f ( a )\n2 3 call f ( a ! )\n3 4 return\n\
    module f p ; ; bool 2\n0 1 assert p\n1 2 return p , 3:2";

#[test]
fn a_machine_is_shown_module_by_module() {
    let expected = "\
global a: bool
global i: int<3>
init a

module main(), main
  local x: bool
  enforce x | a
  entry 0, exit 4
  0 -[a, i := *, i constrain a' != a]-> 1
  0 -[assume a]-> 1
  1: L, M
  1 -[x, _ := f(a)]-> 2
  2 -[f(!a)]-> 3
  3 -[return]-> 4

module f(p: bool) -> bool, int<2>
  entry 0, exit 2
  0 -[assert p]-> 1
  1 -[return p, 3]-> 2
";
    assert_eq!(rsm::show(&machine(MACHINE)), expected);
}

#[test]
fn a_drawing_has_a_cluster_for_each_module_and_dashed_calls() {
    let rsm = machine("module main\nlabel 0 L\n0 1 call f ( )\n1 2 return\nmodule f\n0 1 return");
    let expected = "\
digraph rsm {
  node [shape=circle];
  subgraph cluster_0 {
    label=\"main\";
    m0_0 [label=\"0\\nL\", style=bold];
    m0_1 [label=\"1\"];
    m0_2 [label=\"2\", shape=doublecircle];
    m0_0 -> m0_1 [label=\"f()\", style=dashed];
    m0_1 -> m0_2 [label=\"return\"];
  }
  subgraph cluster_1 {
    label=\"f\";
    m1_0 [label=\"0\", style=bold];
    m1_1 [label=\"1\", shape=doublecircle];
    m1_0 -> m1_1 [label=\"return\"];
  }
  m0_0 -> m1_0 [style=dashed, constraint=false];
}
";
    assert_eq!(rsm::dot(&rsm), expected);
}

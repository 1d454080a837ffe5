//! Programs in, scripts out. That the scripts mean what they should is for a solver to say; here their text is compared.

use rsm::{Action, EdgeId, Goal, ModuleId, NodeId, Reductions, Rsm};
use testing::lower as load;

/// The statements labelled `ERROR`, and all assertions.
fn goals(rsm: &Rsm) -> Vec<Goal> {
    let mut goals = Vec::new();
    for (id, module) in rsm.modules.iter().enumerate().map(|(n, module)| (ModuleId::new(n), module)) {
        let nodes =
            module.nodes.iter().enumerate().filter(|(_, node)| node.labels.contains(&"ERROR".to_owned()));
        goals.extend(nodes.map(|(n, _)| Goal::At(id, NodeId::new(n))));
        let edges = module.edges.iter().enumerate();
        let asserts = edges.filter(|(_, edge)| matches!(edge.action, Action::Assert(_)));
        goals.extend(asserts.map(|(n, _)| Goal::Failure(id, EdgeId::new(n))));
    }
    goals
}

/// Compares the clauses, without the lines around them that are always the same.
#[track_caller]
fn check_clauses(text: &str, which: Reductions, expected: &str) {
    let rsm = load(text);
    let script = horn::translate_with(&rsm, &goals(&rsm), which);
    let clauses = script.split_once("(set-logic HORN)\n").expect("the logic comes first").1;
    let clauses = clauses.strip_suffix("(check-sat)\n").expect("the question comes last");
    assert_eq!(clauses, expected.trim_start());
}

#[track_caller]
fn check(text: &str, expected: &str) {
    check_clauses(text, Reductions::ALL, expected);
}

#[test]
fn a_script_says_what_its_answers_mean() {
    let rsm = load("void main() begin ERROR: skip; end");
    let script = horn::translate(&rsm, &goals(&rsm));
    assert_eq!(
        script,
        "\
; Can a run of the program reach a goal? unsat: yes. sat: no, and a model is a proof of it.
(set-logic HORN)
(declare-fun main@0 () Bool)
(declare-fun main@exit () Bool)
(assert main@0)
(assert (=> main@0 main@exit))
(assert (=> main@0 false))
(check-sat)
"
    );
}

#[test]
fn a_straight_line_is_one_clause() {
    check(
        "decl x, y; void main() begin x := y; y := !x | *; assert(x != y); end",
        "
(declare-fun main@0 (Bool) Bool)
(declare-fun main@2 (Bool Bool) Bool)
(declare-fun main@exit () Bool)
(assert (forall ((y~0 Bool))
  (main@0 y~0)))
(assert (forall ((y~0 Bool) (any~1 Bool) (y~2 Bool))
  (=> (and (main@0 y~0) (= y~2 (or (not y~0) any~1))) (main@2 y~0 y~2))))
(assert (forall ((x~0 Bool) (y~1 Bool))
  (=> (and (main@2 x~0 y~1) (not (= x~0 y~1))) main@exit)))
(assert (forall ((x~0 Bool) (y~1 Bool))
  (=> (and (main@2 x~0 y~1) (not (not (= x~0 y~1)))) false)))
",
    );
}

#[test]
fn without_reductions_each_edge_is_a_clause() {
    check_clauses(
        "decl x; void main() begin x := T; skip; assert(x); end",
        Reductions::NONE,
        "
(declare-fun main@0 (Bool) Bool)
(declare-fun main@1 (Bool) Bool)
(declare-fun main@2 (Bool) Bool)
(declare-fun main@3 (Bool) Bool)
(declare-fun main@exit (Bool) Bool)
(assert (forall ((x~0 Bool))
  (main@0 x~0)))
(assert (forall ((x~0 Bool))
  (=> (main@0 x~0) (main@1 true))))
(assert (forall ((x~0 Bool))
  (=> (main@1 x~0) (main@2 x~0))))
(assert (forall ((x~0 Bool))
  (=> (and (main@2 x~0) x~0) (main@3 x~0))))
(assert (forall ((x~0 Bool))
  (=> (main@3 x~0) (main@exit x~0))))
(assert (forall ((x~0 Bool))
  (=> (and (main@2 x~0) (not x~0)) false)))
",
    );
}

#[test]
fn a_call_uses_the_summary_and_asks_for_goals_inside() {
    check(
        "decl g; void main() begin decl x; x := f(g); assert(x); end
         bool f(p) begin assume(p | g); ERROR: g := !g; return p & g; end",
        "
(declare-fun main@0 (Bool) Bool)
(declare-fun main@1 (Bool) Bool)
(declare-fun main@exit () Bool)
(declare-fun f@0 (Bool Bool Bool) Bool)
(declare-fun f@1 (Bool Bool Bool) Bool)
(declare-fun f@exit (Bool Bool Bool) Bool)
(declare-fun f@bad (Bool Bool) Bool)
(assert (forall ((g~0 Bool))
  (main@0 g~0)))
(assert (forall ((g~0 Bool) (result~1 Bool))
  (=> (and (main@0 g~0) (f@exit g~0 g~0 result~1)) (main@1 result~1))))
(assert (forall ((g~0 Bool))
  (=> (and (main@0 g~0) (f@bad g~0 g~0)) false)))
(assert (forall ((x~0 Bool))
  (=> (and (main@1 x~0) x~0) main@exit)))
(assert (forall ((g~0 Bool) (p~1 Bool))
  (f@0 g~0 p~1 g~0)))
(assert (forall ((g~0 Bool) (p~1 Bool) (g~2 Bool))
  (=> (and (f@0 g~0 p~1 g~2) (or p~1 g~2)) (f@1 g~0 p~1 g~2))))
(assert (forall ((g~0 Bool) (p~1 Bool) (g~2 Bool) (g~3 Bool))
  (=> (and (f@1 g~0 p~1 g~2) (= g~3 (not g~2))) (f@exit g~0 p~1 (and p~1 g~3)))))
(assert (forall ((x~0 Bool))
  (=> (and (main@1 x~0) (not x~0)) false)))
(assert (forall ((g~0 Bool) (p~1 Bool) (g~2 Bool))
  (=> (f@1 g~0 p~1 g~2) (f@bad g~0 p~1))))
",
    );
}

#[test]
fn globals_that_a_function_does_not_touch_are_handed_past_it() {
    check(
        "decl g, h; void main() begin f(); assert(h); end  void f() begin assume(g); end",
        "
(declare-fun main@0 (Bool Bool) Bool)
(declare-fun main@1 (Bool) Bool)
(declare-fun main@exit () Bool)
(declare-fun f@0 (Bool) Bool)
(declare-fun f@exit (Bool) Bool)
(assert (forall ((g~0 Bool) (h~1 Bool))
  (main@0 g~0 h~1)))
(assert (forall ((g~0 Bool) (h~1 Bool))
  (=> (and (main@0 g~0 h~1) (f@exit g~0)) (main@1 h~1))))
(assert (forall ((h~0 Bool))
  (=> (and (main@1 h~0) h~0) main@exit)))
(assert (forall ((g~0 Bool))
  (f@0 g~0)))
(assert (forall ((g~0 Bool))
  (=> (and (f@0 g~0) g~0) (f@exit g~0))))
(assert (forall ((h~0 Bool))
  (=> (and (main@1 h~0) (not h~0)) false)))
",
    );
}

#[test]
fn init_and_enforce_restrict_what_they_should() {
    check(
        "decl g; init g | *; void main() begin f(); assert(g); end
         void f() begin enforce g; g := *; g := !g; end",
        "
(declare-fun main@0 (Bool) Bool)
(declare-fun main@1 (Bool) Bool)
(declare-fun main@exit () Bool)
(declare-fun f@0 (Bool Bool) Bool)
(declare-fun f@1 (Bool Bool) Bool)
(declare-fun f@exit (Bool Bool) Bool)
(assert (forall ((g~0 Bool) (any~1 Bool))
  (=> (or g~0 any~1) (main@0 g~0))))
(assert (forall ((g~0 Bool) (g~1 Bool))
  (=> (and (main@0 g~0) (f@exit g~0 g~1)) (main@1 g~1))))
(assert (forall ((g~0 Bool))
  (=> (and (main@1 g~0) g~0) main@exit)))
(assert (forall ((g~0 Bool))
  (=> g~0 (f@0 g~0 g~0))))
(assert (forall ((g~0 Bool) (g~1 Bool) (any~2 Bool))
  (=> (and (f@0 g~0 g~1) any~2) (f@1 g~0 any~2))))
(assert (forall ((g~0 Bool) (g~1 Bool) (g~2 Bool))
  (=> (and (f@1 g~0 g~1) (= g~2 (not g~1)) g~2) (f@exit g~0 g~2))))
(assert (forall ((g~0 Bool))
  (=> (and (main@1 g~0) (not g~0)) false)))
",
    );
}

#[test]
fn constrain_reads_old_and_new_values() {
    check(
        "decl x, y; void main() begin x := * constrain (x' != x & y' = x'); assert(x); end",
        "
(declare-fun main@0 (Bool Bool) Bool)
(declare-fun main@1 (Bool) Bool)
(declare-fun main@exit () Bool)
(assert (forall ((x~0 Bool) (y~1 Bool))
  (main@0 x~0 y~1)))
(assert (forall ((x~0 Bool) (y~1 Bool) (any~2 Bool))
  (=> (and (main@0 x~0 y~1) (and (not (= any~2 x~0)) (= y~1 any~2))) (main@1 any~2))))
(assert (forall ((x~0 Bool))
  (=> (and (main@1 x~0) x~0) main@exit)))
(assert (forall ((x~0 Bool))
  (=> (and (main@1 x~0) (not x~0)) false)))
",
    );
}

#[test]
fn schoose_chooses_where_neither_side_decides() {
    check(
        "decl x, p, n; void main() begin x := schoose[p, n]; assert(x); end",
        "
(declare-fun main@0 (Bool Bool) Bool)
(declare-fun main@1 (Bool) Bool)
(declare-fun main@exit () Bool)
(assert (forall ((p~0 Bool) (n~1 Bool))
  (main@0 p~0 n~1)))
(assert (forall ((p~0 Bool) (n~1 Bool) (any~2 Bool) (x~3 Bool))
  (=> (and (main@0 p~0 n~1) (= x~3 (or (and any~2 (not n~1)) p~0))) (main@1 x~3))))
(assert (forall ((x~0 Bool))
  (=> (and (main@1 x~0) x~0) main@exit)))
(assert (forall ((x~0 Bool))
  (=> (and (main@1 x~0) (not x~0)) false)))
",
    );
}

#[test]
fn integers_are_bit_vectors() {
    check(
        "decl x: int<3>, y: int<3>; void main() begin
         x := x * y - (x < y ? 5 : -y); assume(x <= y); assert(x > 1); end",
        "
(declare-fun main@0 ((_ BitVec 3) (_ BitVec 3)) Bool)
(declare-fun main@2 ((_ BitVec 3)) Bool)
(declare-fun main@exit () Bool)
(assert (forall ((x~0 (_ BitVec 3)) (y~1 (_ BitVec 3)))
  (main@0 x~0 y~1)))
(assert (forall ((x~0 (_ BitVec 3)) (y~1 (_ BitVec 3)) (x~2 (_ BitVec 3)))
  (=> (and (main@0 x~0 y~1) (= x~2 (bvsub (bvmul x~0 y~1) (ite (bvult x~0 y~1) (_ bv5 3) (bvneg y~1)))) (bvule x~2 y~1)) (main@2 x~2))))
(assert (forall ((x~0 (_ BitVec 3)))
  (=> (and (main@2 x~0) (bvult (_ bv1 3) x~0)) main@exit)))
(assert (forall ((x~0 (_ BitVec 3)))
  (=> (and (main@2 x~0) (not (bvult (_ bv1 3) x~0))) false)))
",
    );
}

#[test]
fn a_free_value_of_an_enum_stays_in_its_range() {
    check(
        "decl x: enum {a, b, c}; decl y: enum {only}; void main() begin x := *; y := *; assert(x != c & y = only); end",
        "
(declare-fun main@0 () Bool)
(declare-fun main@2 ((_ BitVec 2) (_ BitVec 1)) Bool)
(declare-fun main@exit () Bool)
(assert main@0)
(assert (forall ((any~0 (_ BitVec 2)) (any~1 (_ BitVec 1)))
  (=> (and main@0 (bvule any~0 (_ bv2 2)) (bvule any~1 (_ bv0 1))) (main@2 any~0 any~1))))
(assert (forall ((x~0 (_ BitVec 2)) (y~1 (_ BitVec 1)))
  (=> (and (main@2 x~0 y~1) (and (not (= x~0 (_ bv2 2))) (= y~1 (_ bv0 1)))) main@exit)))
(assert (forall ((x~0 (_ BitVec 2)) (y~1 (_ BitVec 1)))
  (=> (and (main@2 x~0 y~1) (not (and (not (= x~0 (_ bv2 2))) (= y~1 (_ bv0 1))))) false)))
",
    );
}

#[test]
fn names_keep_apart_whatever_they_contain() {
    check(
        "decl {a|b}, {a/bb}, {x>0}; void main() begin decl x; assume({a|b}); skip; assert({a/bb} & {x>0} & x); end",
        "
(declare-fun main@0 (Bool Bool Bool Bool) Bool)
(declare-fun main@2 (Bool Bool Bool) Bool)
(declare-fun main@exit () Bool)
(assert (forall ((|{a/bb}~0| Bool) (|{a//bb}~1| Bool) (|{x>0}~2| Bool) (x~3 Bool))
  (main@0 |{a/bb}~0| |{a//bb}~1| |{x>0}~2| x~3)))
(assert (forall ((|{a/bb}~0| Bool) (|{a//bb}~1| Bool) (|{x>0}~2| Bool) (x~3 Bool))
  (=> (and (main@0 |{a/bb}~0| |{a//bb}~1| |{x>0}~2| x~3) |{a/bb}~0|) (main@2 |{a//bb}~1| |{x>0}~2| x~3))))
(assert (forall ((|{a//bb}~0| Bool) (|{x>0}~1| Bool) (x~2 Bool))
  (=> (and (main@2 |{a//bb}~0| |{x>0}~1| x~2) (and (and |{a//bb}~0| |{x>0}~1|) x~2)) main@exit)))
(assert (forall ((|{a//bb}~0| Bool) (|{x>0}~1| Bool) (x~2 Bool))
  (=> (and (main@2 |{a//bb}~0| |{x>0}~1| x~2) (not (and (and |{a//bb}~0| |{x>0}~1|) x~2))) false)))
",
    );
}

#[test]
fn a_function_and_a_variable_may_share_a_name() {
    check(
        "decl main; void main() begin assert(main); end",
        "
(declare-fun main@0 (Bool) Bool)
(declare-fun main@exit () Bool)
(assert (forall ((main~0 Bool))
  (main@0 main~0)))
(assert (forall ((main~0 Bool))
  (=> (and (main@0 main~0) main~0) main@exit)))
(assert (forall ((main~0 Bool))
  (=> (and (main@0 main~0) (not main~0)) false)))
",
    );
}

#[test]
fn goals_in_dead_code_have_no_clause() {
    check(
        "void main() begin return; ERROR: skip; end",
        "
(declare-fun main@0 () Bool)
(declare-fun main@exit () Bool)
(assert main@0)
(assert (=> main@0 main@exit))
",
    );
}

#[test]
fn deep_expressions_need_no_deep_stack() {
    let text = format!("decl x; void main() begin x := {}x; assert(x); end", "!".repeat(10_000));
    let translate = move || {
        let rsm = load(&text);
        horn::translate(&rsm, &goals(&rsm)).matches("(not ").count()
    };
    let thread = std::thread::Builder::new().stack_size(1 << 21).spawn(translate).expect("a thread starts");
    assert_eq!(thread.join().expect("the translation ends"), 10_001);
}

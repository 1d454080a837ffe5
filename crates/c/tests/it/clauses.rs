//! The Horn clauses of small programs, word for word.

use base::Sources;
use c::Options;
use integers::clauses::clauses;
use integers::compose::compose;

#[track_caller]
fn check(text: &str, expected: &str) {
    let mut sources = Sources::default();
    let file = sources.add("test.c", text);
    let program = c::translate(&sources, file, &Options::default()).expect("the program is right").program;
    let script = clauses(&compose(&program).program);
    let lines: Vec<&str> = script.lines().map(str::trim).collect();
    let expected: Vec<&str> = expected.lines().map(str::trim).collect();
    assert_eq!(lines, expected, "\n{script}");
}

#[test]
fn a_loop_with_an_input() {
    check(
        "void reach_error(void); int nondet(void);
         int main(void) { int x = nondet(); while (x / 2 > 3) x = x - 1; if (x == 9) reach_error(); }",
        "; Can a run of the program reach a target, over mathematical integers? sat: no, and a model is a proof of it.
         ; unsat: yes.
         (set-logic HORN)
         (declare-fun main@entry () Bool)
         (declare-fun main@1 (Int) Bool)
         (declare-fun main@4 () Bool)
         (declare-fun main@exit () Bool)
         (assert main@entry)
         (assert (forall ((nondet~0 Int))
         (=> (and main@entry (<= (- 2147483648) nondet~0 2147483647)) (main@1 nondet~0))))
         (assert (forall ((x~0 Int))
         (=> (and (main@1 x~0) (> (ite (>= x~0 0) (div x~0 2) (- (div (- x~0) 2))) 3)) (main@1 (- x~0 1)))))
         (assert (forall ((x~0 Int))
         (=> (and (main@1 x~0) (and (<= (ite (>= x~0 0) (div x~0 2) (- (div (- x~0) 2))) 3) (= x~0 9))) main@4)))
         (assert (forall ((x~0 Int))
         (=> (and (main@1 x~0) (and (<= (ite (>= x~0 0) (div x~0 2) (- (div (- x~0) 2))) 3) (or (< x~0 9) (> x~0 9)))) main@exit)))
         (assert (=> main@4 false))
         (check-sat)",
    );
}

#[test]
fn calls_have_what_the_function_was_started_with() {
    check(
        "void reach_error(void); int g; int f(int a) { if (a % g) a = a + g; return a; }
         int main(void) { g = 2; if (f(3) != 5) reach_error(); }",
        "; Can a run of the program reach a target, over mathematical integers? sat: no, and a model is a proof of it.
         ; unsat: yes.
         (set-logic HORN)
         (declare-fun f@entry (Int Int Int) Bool)
         (declare-fun f@exit (Int Int Int) Bool)
         (declare-fun main@entry () Bool)
         (declare-fun main@1 (Int) Bool)
         (declare-fun main@2 (Int) Bool)
         (declare-fun main@3 () Bool)
         (declare-fun main@exit () Bool)
         (assert main@entry)
         (assert (forall ((g~0 Int) (a$0~1 Int) (a~2 Int))
         (=> (and (f@entry g~0 a$0~1 a~2) (and (not (= g~0 0)) (=> (not (< (ite (>= a~2 0) (mod a~2 g~0) (- (mod (- a~2) g~0))) 0)) (not (= g~0 0)))) (or (< (ite (>= a~2 0) (mod a~2 g~0) (- (mod (- a~2) g~0))) 0) (> (ite (>= a~2 0) (mod a~2 g~0) (- (mod (- a~2) g~0))) 0))) (f@exit g~0 a$0~1 (+ a~2 g~0)))))
         (assert (forall ((g~0 Int) (a$0~1 Int) (a~2 Int))
         (=> (and (f@entry g~0 a$0~1 a~2) (not (= g~0 0)) (= (ite (>= a~2 0) (mod a~2 g~0) (- (mod (- a~2) g~0))) 0)) (f@exit g~0 a$0~1 a~2))))
         (assert (=> main@entry (main@1 2)))
         (assert (forall ((g~0 Int))
         (=> (main@1 g~0) (f@entry g~0 3 3))))
         (assert (forall ((g~0 Int) ($ret~1 Int))
         (=> (and (main@1 g~0) (f@exit g~0 3 $ret~1)) (main@2 $ret~1))))
         (assert (forall (($1~0 Int))
         (=> (and (main@2 $1~0) (or (< $1~0 5) (> $1~0 5))) main@3)))
         (assert (forall (($1~0 Int))
         (=> (and (main@2 $1~0) (= $1~0 5)) main@exit)))
         (assert (=> main@3 false))
         (check-sat)",
    );
}

#[test]
fn a_main_that_is_called_says_what_it_leaves_behind() {
    check(
        "void reach_error(void); int g;
         int main(void) { if (g == 0) { g = 1; main(); if (g == 2) reach_error(); } g = 2; return 0; }",
        "; Can a run of the program reach a target, over mathematical integers? sat: no, and a model is a proof of it.
         ; unsat: yes.
         (set-logic HORN)
         (declare-fun main@entry (Int Int) Bool)
         (declare-fun main@2 (Int Int) Bool)
         (declare-fun main@3 (Int Int) Bool)
         (declare-fun main@4 (Int) Bool)
         (declare-fun main@exit (Int Int Int) Bool)
         (assert (main@entry 0 0))
         (assert (forall ((g$0~0 Int) (g~1 Int))
         (=> (and (main@entry g$0~0 g~1) (= g~1 0)) (main@2 g$0~0 1))))
         (assert (forall ((g$0~0 Int) (g~1 Int))
         (=> (and (main@entry g$0~0 g~1) (or (< g~1 0) (> g~1 0))) (main@exit g$0~0 2 0))))
         (assert (forall ((g$0~0 Int) (g~1 Int))
         (=> (main@2 g$0~0 g~1) (main@entry g~1 g~1))))
         (assert (forall ((g$0~0 Int) (g~1 Int) (g~2 Int) ($ret~3 Int))
         (=> (and (main@2 g$0~0 g~1) (main@exit g~1 g~2 $ret~3)) (main@3 g$0~0 g~2))))
         (assert (forall ((g$0~0 Int) (g~1 Int))
         (=> (and (main@3 g$0~0 g~1) (= g~1 2)) (main@4 g$0~0))))
         (assert (forall ((g$0~0 Int) (g~1 Int))
         (=> (and (main@3 g$0~0 g~1) (or (< g~1 2) (> g~1 2))) (main@exit g$0~0 2 0))))
         (assert (forall ((g$0~0 Int))
         (=> (main@4 g$0~0) false)))
         (check-sat)",
    );
}

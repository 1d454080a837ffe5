//! What is proved of random programs with memory, against all runs with objects; claims are validated, and mutated ones are not. `GETAFIX_SEED=17` or
//! `GETAFIX_SEED=0..1000` chooses the programs.

use crate::limits::limits;
use base::Random;
use cegar::{Attempt, Proof, Prover};
use integers::Expr;
use integers::cells::Choice;
use integers::enumerate::{Bounds, enumerate};
use integers::random::memory::{SHAPES, program};
use proof::Statement;
use testing::{Counts, is_chosen, seeds};

const BOUNDS: Bounds = Bounds { number: 12, states: 20_000 };

#[test]
fn proofs_and_all_runs() {
    let solver = smt::find(None).expect("there is a solver");
    let limits = limits();
    let mut prover = Prover::new(solver, &limits);
    let mut counts = Counts::default();
    for seed in seeds(0..16) {
        let mut random = Random::new(seed);
        let program = program(&mut random, SHAPES[seed as usize % SHAPES.len()]);
        let runs = enumerate(&program, BOUNDS);
        let mut attempt = Attempt::new(program.clone(), Statement::Unreachable, None);
        let Proof::Claimed(claim) = attempt.advance(1, &mut prover).clone() else {
            counts.count("open");
            continue;
        };
        assert!(!runs.reaches, "GETAFIX_SEED={seed}: proved, but reached\n{}", integers::show(&program));
        counts.count("proved");
        let check = |claim: &proof::Claim, prover: &mut Prover| {
            proof::check(&program, claim, &mut prover.solver).is_ok()
        };
        assert!(check(&claim, &mut prover), "GETAFIX_SEED={seed}");
        // A claim about other cells is one about another program, and is no proof by accident only.
        let none = Choice::default();
        if proof::check_with(&program, &none, &claim, &mut prover.solver).is_ok() {
            counts.count("proved without cells");
        }
        let mut mutated = claim.clone();
        let formulas = mutated.formulas.iter_mut().flatten();
        for formula in formulas.filter(|formula| formula.as_truth().is_none()) {
            *formula = Expr::truth(false);
            counts.count("mutated");
        }
        if mutated != claim && !check(&mutated, &mut prover) {
            counts.count("mutated and refused");
        }
    }
    eprintln!("{counts:?}");
    if !is_chosen() {
        counts.at_least(&[("proved", 2), ("open", 2)]);
    }
}

/// Loops over arrays and lists, the declarations left out. What is watched, that loads of one step agree, and where a pointer may point, each is needed for one of them.
const PROVED: [&str; 5] = [
    "int a[100000]; int main(void) { int i; for (i = 0; i < 100000; i++) a[i] = 42;
     for (i = 0; i < 100000; i++) if (a[i] != 42) reach_error(); return 0; }",
    "int a[1000]; int main(void) { int n = nondet(), i, m; if (n < 1 || n > 1000) return 0;
     for (i = 0; i < n; i++) a[i] = nondet();
     m = a[0]; for (i = 1; i < n; i++) if (a[i] > m) m = a[i];
     for (i = 0; i < n; i++) if (a[i] > m) reach_error(); return 0; }",
    "struct node { int v; struct node *next; };
     int main(void) { struct node *h = 0;
     while (nondet()) { struct node *p = malloc(sizeof(struct node)); p->v = 7; p->next = h; h = p; }
     while (h) { if (h->v != 7) reach_error(); h = h->next; } return 0; }",
    "void fill(int *p, int n) { int i; for (i = 0; i < n; i++) p[i] = 1; }
     int main(void) { int a[100], i; fill(a, 100);
     for (i = 0; i < 100; i++) if (a[i] != 1) reach_error(); return 0; }",
    "struct pair { int x, y; }; struct pair p[200];
     int main(void) { int i; for (i = 0; i < 200; i++) { p[i].x = i; p[i].y = -i; }
     for (i = 0; i < 200; i++) if (p[i].x + p[i].y != 0) reach_error(); return 0; }",
];

/// The same with something wrong: a run reaches the error, and nothing is proved.
const REACHED: [&str; 4] = [
    // The last element is left out.
    "int a[60]; int main(void) { int i; for (i = 0; i < 59; i++) a[i] = 42;
     for (i = 0; i < 60; i++) if (a[i] != 42) reach_error(); return 0; }",
    // A local array is new each time.
    "int f(int n) { int a[20]; if (n) { a[n] = 1; return 1; } return a[5] == 1; }
     int main(void) { f(5); if (!f(0)) reach_error(); return 0; }",
    // Both pointers are to the same.
    "int a[20], b[20]; int main(void) { int *p = nondet() ? a : b, *q = nondet() ? a : b; int i = 3;
     p[i] = 1; q[i] = 2; if (p[i] != 1) reach_error(); return 0; }",
    // The end of one array is not the beginning of the next.
    "int a[20], b[20]; int main(void) { int *p = nondet() ? a : b, *q = nondet() ? a : b; p = p + 20;
     if (p != q) reach_error(); return 0; }",
];

fn translated(text: &str) -> integers::Program {
    let mut sources = base::Sources::default();
    let text =
        format!("extern int nondet(void); void reach_error(void); void *malloc(unsigned long);\n{text}");
    let file = sources.add("test.c", text);
    c::translate(&sources, file, &c::Options::default()).expect("the program is right").program
}

#[test]
fn loops_over_arrays_and_lists() {
    let solver = smt::find(None).expect("there is a solver");
    let limits = limits();
    for text in PROVED {
        let mut attempt = Attempt::new(translated(text), Statement::Unreachable, None);
        let proof = attempt.advance(2, &mut Prover::new(solver.clone(), &limits));
        assert!(matches!(proof, Proof::Claimed(_)), "{text}: {proof:?}");
    }
    for text in REACHED {
        let mut attempt = Attempt::new(translated(text), Statement::Unreachable, None);
        let proof = attempt.advance(1, &mut Prover::new(solver.clone(), &limits));
        assert!(!matches!(proof, Proof::Claimed(_)), "{text}: {proof:?}");
    }
}

//! No text makes the front end panic, and what it makes of any text can be executed, composed, checked and printed.
//!
//! Texts are programs with pieces left out, doubled, swapped and put in from elsewhere. `GETAFIX_SEED=7` or `GETAFIX_SEED=100..200` chooses them.

use base::{Sources, render};
use c::Options;
use integers::explore::{Budget, Quest, Random, explore};
use integers::trace::{End, Manner, walk};
use integers::{Goal, Integers, Program, checked, clauses::clauses, compose::compose, dot, show};

const PROGRAMS: [&str; 4] = [
    "extern int __VERIFIER_nondet_int(void); void reach_error(void) __attribute__((__noreturn__));
     typedef unsigned char byte; enum { A = 1, B = A << 3, C }; struct s { int x, *p; byte b : 3; } st = { 1, 0 };
     static int g = 2, h[4] = { [1] = 3, 4 }; int f(int n, long m) { if (n <= 0) return m; else return f(n - 1, m + n); }
     int main(int argc, char *argv[]) { int x = __VERIFIER_nondet_int(), y; byte b = 255; unsigned u = 3u;
       for (int i = 0; i < 10 && x != 5; i++, x--) { if (x % 3 == 1) continue; b += i; if (g++ > B) break; }
       do { u -= 1; } while (u / 2 > 0); while (x > 3) x = x / 2;
       switch (x) { case 1: case 2 ... 4: y = 1; break; default: y = f(x, u) ? A : C; }
       again: if (y-- > 0 && !(x == 4 || b < 3)) goto again;
       { ERROR: if (x + y == 77) reach_error(); } h[1] = st.x; return sizeof(struct s) + (int)u; }",
    "int nondet(void); int lock; void unlock(void); void lockit(void) { if (lock) { ERROR: ; } lock = 1; }
     void unlock(void) { lock = 0; } int main() { int n = 0; do { lockit(); if (nondet()) { unlock(); n++; } } while (n != n + 1 - 1);
       long long q = -9223372036854775807LL - 1; q /= -1; short s = (short)70000; _Bool t = s; assert(t ?: s); exit(0); }",
    "int ack(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
     int main(void) { int r = ack(2, 2), *p = &r, a[3]; a[0] = *p + r; r = ({ int z = 3; z * 2; }); if (a[0]) r = 1.5 + 'x';
       __VERIFIER_assume(r > 0); return (r, a[1]++, ~0 ^ 5) | r << 2; }",
    "int main(void) { int i, j, k = 0; for (i = 0; i < 4; i++) for (j = i; j; j--) k += i * j; if (k == 100) __assert_fail(\"k\", \"f\", 1, \"m\"); }",
];

/// Cuts a text into words, numbers, signs and spaces.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let length =
            if is_word(first) { rest.find(|c| !is_word(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
        pieces.push(&rest[..length]);
        rest = &rest[length..];
    }
    pieces
}

fn mutated(random: &mut Random) -> String {
    let own = PROGRAMS[random.below(PROGRAMS.len() as u64) as usize];
    let other = pieces(PROGRAMS[random.below(PROGRAMS.len() as u64) as usize]);
    let strange = [
        "\0",
        "é",
        "'",
        "\"",
        "/*",
        "#",
        "\\\n",
        "0x",
        "99999999999999999999",
        "(",
        "}",
        "...",
        "case",
        "int",
        "*",
        ":",
        "0",
    ];
    let mut text = pieces(own);
    for _ in 0..random.below(6) {
        let at = random.below(text.len() as u64) as usize;
        match random.below(5) {
            0 => _ = text.remove(at),
            1 => text.insert(at, text[at]),
            2 => text.insert(at, other[random.below(other.len() as u64) as usize]),
            3 => text.insert(at, strange[random.below(strange.len() as u64) as usize]),
            _ => {
                let with = random.below(text.len() as u64) as usize;
                text.swap(at, with);
            }
        }
        if text.is_empty() {
            break;
        }
    }
    text.concat()
}

#[test]
fn no_text_makes_it_panic() {
    let seeds = generate::random::seeds(0..1500);
    let (mut n_programs, mut n_rejected) = (0, 0);
    for seed in seeds.clone() {
        let text = mutated(&mut Random::new(seed));
        let outcome = std::panic::catch_unwind(|| exercise(&text));
        match outcome {
            Ok(true) => n_programs += 1,
            Ok(false) => n_rejected += 1,
            Err(_) => panic!("GETAFIX_SEED={seed}\n{text}"),
        }
    }
    println!("{n_programs} programs, {n_rejected} rejected");
    if seeds.end - seeds.start >= 1500 {
        assert!(
            n_programs > 300 && n_rejected > 300,
            "too one-sided: {n_programs} programs, {n_rejected} rejected"
        );
    }
}

/// Whether the text is a program; if so, it is put to use.
fn exercise(text: &str) -> bool {
    let mut sources = Sources::default();
    let file = sources.add("fuzz.c", text);
    match c::translate(&sources, file, &Options::default()) {
        Ok(translation) => {
            translation.warnings.iter().for_each(|warning| _ = render(&sources, warning));
            let program = translation.program;
            let budget = Budget { instructions: 20_000, runs: 20, cells: 1 << 14, ..Budget::default() };
            explore(&program, Quest::Target(Goal::Any), &budget);
            runs_for_ever(&program, &budget);
            let checked = checked(&program);
            explore(&checked, Quest::Infinite, &budget);
            let composed = compose(&checked).program;
            assert!(
                !show(&composed).is_empty()
                    && !dot(&program).is_empty()
                    && (composed.uses_memory() || !clauses(&composed).is_empty())
            );
            true
        }
        Err(errors) => {
            assert!(!errors.is_empty(), "a rejection has a reason");
            errors.iter().for_each(|error| _ = render(&sources, error));
            false
        }
    }
}

/// A run that is said to be infinite goes on, as far as one looks.
fn runs_for_ever(program: &Program, budget: &Budget) {
    let Some((run, from)) = explore(program, Quest::Infinite, budget).infinite else { return };
    let mut inputs = run.inputs.iter().chain(run.inputs[from..].iter().cycle()).copied();
    let manner = Manner { integers: Integers::Mathematical, goal: Goal::Never, max_steps: 3_000 };
    let end = walk(program, &mut |_| inputs.next(), manner, &mut |_| {});
    assert_eq!(end, End::StepLimit, "inputs {:?}, from {from} on again and again", run.inputs);
}

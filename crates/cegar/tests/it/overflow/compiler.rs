//! Programs as a C compiler runs them: on many inputs, each run for itself, and how these end.

use super::text;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;
use testing::Folder;

/// Overflows end a run.
pub const TRAPS: &[&str] = &["-fsanitize=signed-integer-overflow", "-fsanitize-undefined-trap-on-error"];

/// Overflows keep the low bits.
pub const WRAPS: &[&str] = &["-fwrapv"];

/// Inputs are taken from a list, errors and traps come back to the driver, and so does a run that is too long.
const START: &str = "
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static sigjmp_buf back; static const long long *inputs; static int n_inputs, at; static long ticks;
static long long input(void) { return at < n_inputs ? inputs[at++] : 0; }
static int nondet_int(void) { return input(); } static unsigned char nondet_uchar(void) { return input(); }
static void reach_error(void) { siglongjmp(back, 1); }
static void tick(void) { if (++ticks > 200000) siglongjmp(back, 3); }
static void trapped(int signal) { siglongjmp(back, 2); }
";

/// `PROGRAM` runs a program on all pairs of some numbers, `PROGRAM A B …` on these inputs. It prints how many runs reached the error, and how many trapped.
const END: &str = "
static long n_ends[4];
extern char __start_kept, __stop_kept;
static void once(int n, const long long *numbers, int n_numbers) {
    memset(&__start_kept, 0, &__stop_kept - &__start_kept);
    inputs = numbers; n_inputs = n_numbers; at = 0; ticks = 0;
    switch (sigsetjmp(back, 1)) {
    case 0: run(n); n_ends[0]++; break;
    case 1: n_ends[1]++; break;
    case 2: n_ends[2]++; break;
    default: n_ends[3]++; break;
    }
}
static const long long all[] = { -2147483648LL, -2147483647LL, -65536, -46341, -300, -100, -12, -4, -3, -2, -1, 0, 1, 2, 3, 4, 7, 12, 50, 99, 100, 101,
    255, 300, 46340, 46341, 65536, 1073741823LL, 1073741824LL, 2147483640LL, 2147483646LL, 2147483647LL };
int main(int argc, char **argv) {
    signal(SIGILL, trapped); signal(SIGTRAP, trapped); signal(SIGABRT, trapped);
    int n = atoi(argv[1]), count = sizeof all / sizeof *all;
    if (argc > 2) {
        long long numbers[64]; int k = 0;
        for (; k < 64 && k + 2 < argc; k++) numbers[k] = atoll(argv[k + 2]);
        once(n, numbers, k);
    } else for (int a = 0; a < count; a++) for (int b = 0; b < count; b++) {
        long long numbers[] = { all[a], all[b], all[b], all[a] };
        once(n, numbers, 4);
    }
    printf(\"%ld %ld %ld %ld\\n\", n_ends[0], n_ends[1], n_ends[2], n_ends[3]);
    return 0;
}
";

/// How runs ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ends {
    /// At the error.
    pub n_errors: u64,
    /// With an overflow.
    pub n_trapped: u64,
}

/// All programs, compiled with some options.
pub struct Compiled(PathBuf, #[expect(dead_code, reason = "the program is in it")] Folder);

impl Compiled {
    pub fn new(texts: &[String], options: &[&str]) -> Self {
        let mut file = START.to_owned();
        texts.iter().enumerate().for_each(|(n, text)| file.push_str(&text::theirs(text, n)));
        file.push_str("static void run(int n) { switch (n) {\n");
        for n in 0..texts.len() {
            writeln!(file, "case {n}: p{n}_main(); break;").expect("a string takes everything");
        }
        file = file + "} }\n" + END;
        let folder = Folder::temporary();
        Self(testing::compile_c(folder.path(), &file, options), folder)
    }

    /// A program on all inputs.
    pub fn all(&self, program: usize) -> Ends {
        self.one(program, &[])
    }

    /// A program on these inputs; without any, on all.
    pub fn one(&self, program: usize, inputs: &[i128]) -> Ends {
        let numbers = inputs.iter().map(i128::to_string);
        let output = Command::new(&self.0).arg(program.to_string()).args(numbers).output();
        let text = String::from_utf8(output.expect("the program starts").stdout).expect("it prints numbers");
        let numbers: Vec<u64> =
            text.split_whitespace().map(|number| number.parse().expect("it prints numbers")).collect();
        Ends { n_errors: numbers[1], n_trapped: numbers[2] }
    }
}

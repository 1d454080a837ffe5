//! Families of which little matters: variables that only steer branches beside the target, bits of counters that no test needs, pairs whose equality is all
//! there is to know.
//!
//! A checker that follows all variables from the start meets exponentially many states here; one that asks what the target depends
//! on meets few.

use crate::Options;
use crate::dice::Dice;
use crate::page::Page;

/// How many functions share the branches of `irrelevant`, and how many branches each has.
const FUNCTIONS: usize = 4;
const BRANCHES: usize = 10;

/// How many bits the counters of `nested` have.
const COUNTER_BITS: u32 = 8;

/// How often the loop of `rounds` is passed, unless its counter has too few bits.
const ROUNDS: u64 = 1_000_000;

/// `n` globals that steer branches, and one that the target depends on.
pub fn irrelevant(n: u32, options: &Options) -> String {
    let (n, mut dice) = (n as usize, Dice::new(options.seed));
    let mut page = Page::default();
    head(
        &mut page,
        "irrelevant",
        n,
        "globals that steer branches, and one that matters",
        options,
        ["a branch sets the global that matters", "nobody sets the global that matters"],
    );
    let names: Vec<String> = (0..n).map(|i| format!("g{i}")).collect();
    page.line(format!("decl {};", names.join(", ")));
    page.line("decl matters;");
    page.line("init !matters;");
    page.line("void main()");
    page.open("begin");
    page.open("while (*) do");
    for function in 0..FUNCTIONS {
        page.line(format!("if (*) then step{function}(); fi"));
    }
    page.close("od");
    page.line("if (matters) then ERROR: skip; fi");
    page.close("end");
    let set_in = dice.below(FUNCTIONS);
    for function in 0..FUNCTIONS {
        page.line("");
        page.line(format!("void step{function}()"));
        page.open("begin");
        if options.reachable && function == set_in {
            let a = dice.below(n);
            let b = (a + 1 + dice.below(n - 1)) % n;
            page.when(&format!("g{a} & !g{b}"), &["matters := T;"]);
        }
        for _ in 0..BRANCHES.max(n / FUNCTIONS) {
            let [a, b, c, d, e] = [(); 5].map(|()| dice.below(n));
            page.open(format!("if (g{a} & !g{b}) then"));
            page.line(format!("g{c} := g{d};"));
            page.turn("else");
            page.line(format!("g{d} := g{c} ^ g{e};"));
            page.close("fi");
        }
        page.close("end");
    }
    page.finish()
}

/// `n` pairs of globals that are equal at first, and changed pair by pair.
pub fn copied(n: u32, options: &Options) -> String {
    let (n, mut dice) = (n as usize, Dice::new(options.seed));
    let mut page = Page::default();
    head(
        &mut page,
        "copied",
        n,
        "pairs of globals that are changed pair by pair",
        options,
        ["one pair is changed on one side only", "what is equal stays equal"],
    );
    let list = |prefix: &str| (0..n).map(|i| format!("{prefix}{i}")).collect::<Vec<_>>().join(", ");
    page.line(format!("decl {};", list("a")));
    page.line(format!("decl {};", list("b")));
    (0..n).for_each(|i| page.line(format!("init a{i} = b{i};")));
    page.line("void main()");
    page.open("begin");
    page.open("while (*) do");
    for i in 0..n {
        let (j, k) = (dice.below(n), dice.below(n));
        page.when("*", &[&format!("a{i}, b{i} := a{j} ^ a{k}, b{j} ^ b{k};")]);
    }
    if options.reachable {
        let i = dice.below(n);
        page.when("*", &[&format!("a{i} := !a{i};")]);
    }
    page.close("od");
    let equal: Vec<String> = (0..n).map(|i| format!("a{i} != b{i}")).collect();
    page.line(format!("if ({}) then ERROR: skip; fi", equal.join(" | ")));
    page.close("end");
    page.finish()
}

/// Two counters of `n` bits in step.
pub fn count(n: u32, options: &Options) -> String {
    let mut page = Page::default();
    head(
        &mut page,
        "count",
        n as usize,
        "bits of two counters in step",
        options,
        ["the second counter begins at 1", "both counters take the same steps"],
    );
    page.line(format!("decl c : int<{n}>, d : int<{n}>;"));
    page.line("void main()");
    page.open("begin");
    page.line(format!("c, d := 0, {};", u32::from(options.reachable)));
    page.open(format!("while (c != {}) do", most(n)));
    page.line("c := c + 1;");
    page.line("d := d + 1;");
    page.close("od");
    page.line("if (c != d) then ERROR: skip; fi");
    page.close("end");
    page.finish()
}

/// `n` counters, each running in the loop of the one before.
pub fn nested(n: u32, options: &Options) -> String {
    let mut page = Page::default();
    head(
        &mut page,
        "nested",
        n as usize,
        "counters, each in the loop of the one before",
        options,
        ["the innermost loop sets the flag at once", "nobody sets the flag"],
    );
    let names: Vec<String> = (0..n).map(|i| format!("c{i} : int<{COUNTER_BITS}>")).collect();
    page.line(format!("decl {};", names.join(", ")));
    page.line("decl flag;");
    page.line("void main()");
    page.open("begin");
    page.line("flag := F;");
    for i in 0..n {
        page.line(format!("c{i} := 0;"));
        page.open(format!("while (c{i} != {}) do", most(COUNTER_BITS)));
    }
    if options.reachable {
        page.line("flag := T;");
        page.line("if (flag) then goto ERROR; fi");
    }
    for i in (0..n).rev() {
        page.line(format!("c{i} := c{i} + 1;"));
        page.close("od");
    }
    page.line("if (flag) then goto ERROR; fi");
    page.line("return;");
    page.line("ERROR: skip;");
    page.close("end");
    page.finish()
}

/// `n` locals that are copied to others in another order.
pub fn permuted(n: u32, options: &Options) -> String {
    let (n, mut dice) = (n as usize, Dice::new(options.seed));
    let mut page = Page::default();
    head(
        &mut page,
        "permuted",
        n,
        "locals that are copied to others in another order",
        options,
        ["one of the locals changes afterwards", "copies are equal to what they are copies of"],
    );
    let mut order: Vec<usize> = (0..n).collect();
    dice.shuffle(&mut order);
    let list = |prefix: &str, order: &[usize]| {
        order.iter().map(|i| format!("{prefix}{i}")).collect::<Vec<_>>().join(", ")
    };
    let plain: Vec<usize> = (0..n).collect();
    page.line("void main()");
    page.open("begin");
    page.line(format!("decl {};", list("x", &plain)));
    page.line(format!("decl {};", list("y", &plain)));
    page.line(format!("{} := {};", list("y", &plain), list("x", &order)));
    if options.reachable {
        page.line(format!("x{} := *;", dice.below(n)));
    }
    let differ: Vec<String> = (0..n).map(|i| format!("y{i} != x{}", order[i])).collect();
    page.line(format!("if ({}) then ERROR: skip; fi", differ.join(" | ")));
    page.close("end");
    page.finish()
}

/// A counter of `n` bits that stays even.
pub fn parity(n: u32, options: &Options) -> String {
    let mut page = Page::default();
    head(
        &mut page,
        "parity",
        n as usize,
        "bits of a counter that grows by two",
        options,
        ["the counter begins at 1", "the counter is even"],
    );
    page.line(format!("decl x : int<{n}>;"));
    page.line("void main()");
    page.open("begin");
    page.line(format!("x := {};", u32::from(options.reachable)));
    page.line("while (*) do x := x + 2; od");
    page.line(format!("if (x = {}) then ERROR: skip; fi", most(n).min(7)));
    page.close("end");
    page.finish()
}

/// A counter of `n` bits that only grows.
pub fn growing(n: u32, options: &Options) -> String {
    let mut page = Page::default();
    head(
        &mut page,
        "growing",
        n as usize,
        "bits of a counter that only grows",
        options,
        ["the counter may be set back", "the counter begins at 5"],
    );
    page.line(format!("decl x : int<{n}>;"));
    page.line("void main()");
    page.open("begin");
    page.line("x := 5;");
    page.open(format!("while (x < {}) do", most(n)));
    page.line("x := x + 1;");
    page.line("if (*) then goto CHECK; fi");
    page.close("od");
    if options.reachable {
        page.line("x := 0;");
    }
    page.line("CHECK: if (x < 5) then ERROR: skip; fi");
    page.close("end");
    page.finish()
}

/// A loop that is passed a million times, its counter having `n` bits.
pub fn rounds(n: u32, options: &Options) -> String {
    let rounds = ROUNDS.min(most(n));
    let mut page = Page::default();
    head(
        &mut page,
        "rounds",
        n as usize,
        "bits of a counter that is checked after a long loop",
        options,
        ["the counter goes one step further", "the loop ends where its guard says"],
    );
    page.line(format!("decl x : int<{n}>;"));
    page.line("void main()");
    page.open("begin");
    page.line("x := 0;");
    page.line(format!("while (x != {rounds}) do x := x + 1; od"));
    if options.reachable {
        page.line("x := x + 1;");
    }
    page.line(format!("if (x != {rounds}) then ERROR: skip; fi"));
    page.close("end");
    page.finish()
}

/// What a program is, and what its answer is, for the one of two reasons.
fn head(page: &mut Page, name: &str, n: usize, about: &str, options: &Options, because: [&str; 2]) {
    page.line(format!("// {name}, n = {n}: {about}."));
    let (verdict, because) = match options.reachable {
        true => ("reachable", because[0]),
        false => ("unreachable", because[1]),
    };
    page.line(format!("// expect: {verdict}, because {because}"));
}

/// The largest number of so many bits.
fn most(bits: u32) -> u64 {
    u64::MAX >> (64 - bits)
}

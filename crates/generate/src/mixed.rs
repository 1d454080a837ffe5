//! `mixed`: shapes of which little matters, together in one program.
//!
//! A loop takes parts in any order, some more than once. A part keeps something true, whatever the others do, and the target is that one of these truths
//! is none: pairs that are changed alike, counters in step, a flag that nobody sets inside nested loops, a counter that stays even, what a
//! recursive function returns twice, what `enforce` and `constrain` promise. Which parts there are, and how they are written, the seed decides.
//! Branches over globals that do not matter are everywhere.

use crate::Options;
use crate::dice::Dice;
use crate::page::Page;

/// Each part is one of these.
const SHAPES: [Shape; 7] = [
    Shape::Pairs,
    Shape::Step,
    Shape::Nested,
    Shape::Even,
    Shape::Results,
    Shape::Enforced,
    Shape::Constrained,
];

/// What a part keeps true.
#[derive(Clone, Copy)]
enum Shape {
    /// Pairs of globals are equal.
    Pairs,
    /// Two counters count the same.
    Step,
    /// Nobody sets a flag.
    Nested,
    /// A counter is even.
    Even,
    /// A function that calls itself returns the same twice.
    Results,
    /// What `enforce` says.
    Enforced,
    /// What `constrain` says.
    Constrained,
}

struct Writer {
    /// Declarations.
    head: Page,
    /// The body of the loop.
    steps: Vec<String>,
    /// Functions.
    functions: Page,
    dice: Dice,
    /// Globals that only steer branches.
    n: usize,
    /// The conditions under which a part has failed.
    failures: Vec<String>,
}

/// `n` globals that do not matter, and three to five parts.
pub fn program(n: u32, options: &Options) -> String {
    let mut writer = Writer {
        head: Page::default(),
        steps: Vec::new(),
        functions: Page::default(),
        dice: Dice::new(options.seed),
        n: n as usize,
        failures: Vec::new(),
    };
    let list: Vec<String> = (0..n).map(|i| format!("g{i}")).collect();
    writer.head.line(format!("decl {};", list.join(", ")));
    let n_parts = 3 + writer.dice.below(3);
    let wrong = writer.dice.below(n_parts);
    for part in 0..n_parts {
        let shape = SHAPES[writer.dice.below(SHAPES.len())];
        writer.part(part, shape, options.reachable && part == wrong);
    }
    writer.finish(options)
}

impl Writer {
    fn finish(mut self, options: &Options) -> String {
        let mut page = Page::default();
        page.line(format!(
            "// mixed, n = {}, seed = {}: shapes of which little matters.",
            self.n, options.seed
        ));
        page.line(match options.reachable {
            true => "// expect: reachable, because one of the parts does not keep what it should",
            false => "// expect: unreachable, because each part keeps something true",
        });
        let mut main = Page::default();
        main.line("void main()");
        main.open("begin");
        main.open("while (*) do");
        for step in &self.steps {
            let beside = beside(&mut self.dice, self.n);
            main.when("*", &[step, &beside]);
        }
        main.close("od");
        main.line(format!("if ({}) then ERROR: skip; fi", self.failures.join(" | ")));
        main.close("end");
        page.finish() + &self.head.finish() + &main.finish() + &self.functions.finish()
    }

    fn open(&mut self, head: &str) {
        self.functions.line("");
        self.functions.line(head);
        self.functions.open("begin");
    }

    /// A branch of the present function that does not matter.
    fn noise(&mut self) {
        let line = beside(&mut self.dice, self.n);
        self.functions.line(line);
    }

    fn part(&mut self, i: usize, shape: Shape, is_wrong: bool) {
        self.steps.push(format!("part{i}();"));
        match shape {
            Shape::Pairs => self.pairs(i, is_wrong),
            Shape::Step => self.in_step(i, is_wrong),
            Shape::Nested => self.nested(i, is_wrong),
            Shape::Even => self.even(i, is_wrong),
            Shape::Results => self.results(i, is_wrong),
            Shape::Enforced => self.enforced(i, is_wrong),
            Shape::Constrained => self.constrained(i, is_wrong),
        }
    }

    fn pairs(&mut self, i: usize, is_wrong: bool) {
        let n = 2 + self.n / 4;
        let list = |side: &str| (0..n).map(|k| format!("{side}{i}_{k}")).collect::<Vec<_>>().join(", ");
        self.head.line(format!("decl {};", list("a")));
        self.head.line(format!("decl {};", list("b")));
        (0..n).for_each(|k| self.head.line(format!("init a{i}_{k} = b{i}_{k};")));
        self.open(&format!("void part{i}()"));
        for k in 0..n {
            let (p, q) = (self.dice.below(n), self.dice.below(n));
            let line = format!("a{i}_{k}, b{i}_{k} := a{i}_{p} ^ a{i}_{q}, b{i}_{p} ^ b{i}_{q};");
            self.functions.when("*", &[&line]);
        }
        if is_wrong {
            let k = self.dice.below(n);
            self.functions.when("*", &[&format!("a{i}_{k} := !b{i}_{k};")]);
        }
        self.noise();
        self.functions.close("end");
        self.failures.extend((0..n).map(|k| format!("a{i}_{k} != b{i}_{k}")));
    }

    fn in_step(&mut self, i: usize, is_wrong: bool) {
        let bits = 8 + self.dice.below(25) as u32;
        let by = 1 + self.dice.below(7);
        self.head.line(format!("decl c{i} : int<{bits}>, d{i} : int<{bits}>;"));
        self.head.line(format!("init c{i} = d{i};"));
        self.open(&format!("void part{i}()"));
        let until = u64::MAX >> (64 - bits);
        self.functions.open(format!("while (c{i} != {until}) do"));
        self.functions.line(format!("c{i} := c{i} + {by};"));
        self.noise();
        self.functions.line(format!("d{i} := d{i} + {by};"));
        self.functions.when("*", &["return;"]);
        self.functions.close("od");
        if is_wrong {
            self.functions.line(format!("d{i} := c{i} - 1;"));
        }
        self.functions.close("end");
        self.failures.push(format!("c{i} != d{i}"));
    }

    fn nested(&mut self, i: usize, is_wrong: bool) {
        let n = 2 + self.dice.below(3);
        let list: Vec<String> = (0..n).map(|k| format!("e{k} : int<8>")).collect();
        self.head.line(format!("decl f{i};"));
        self.head.line(format!("init !f{i};"));
        self.open(&format!("void part{i}()"));
        self.functions.line(format!("decl {};", list.join(", ")));
        for k in 0..n {
            self.functions.line(format!("e{k} := 0;"));
            self.functions.open(format!("while (e{k} != 255) do"));
        }
        self.noise();
        if is_wrong {
            self.functions.when("*", &[&format!("f{i} := T;"), "return;"]);
        }
        for k in (0..n).rev() {
            self.functions.line(format!("e{k} := e{k} + 1;"));
            self.functions.close("od");
        }
        self.functions.close("end");
        self.failures.push(format!("f{i}"));
    }

    fn even(&mut self, i: usize, is_wrong: bool) {
        let bits = 8 + self.dice.below(57);
        self.head.line(format!("decl x{i} : int<{bits}>, y{i} : int<{bits}>;"));
        self.head.line(format!("init x{i} = 0;"));
        let by = 2 * (1 + self.dice.below(7)) + usize::from(is_wrong);
        self.open(&format!("void part{i}()"));
        self.functions.line(format!("while (*) do x{i} := x{i} + {by}; od"));
        self.functions.when("*", &[&format!("x{i} := x{i} + y{i} + y{i};"), &format!("y{i} := *;")]);
        self.noise();
        self.functions.close("end");
        self.failures.push(format!("x{i} = 7"));
    }

    fn results(&mut self, i: usize, is_wrong: bool) {
        self.head.line(format!("decl r{i}, s{i};"));
        self.head.line(format!("init r{i} = s{i};"));
        self.open(&format!("void part{i}()"));
        self.functions.line(format!("r{i}, s{i} := twice{i}(r{i}, *);"));
        self.noise();
        self.functions.close("end");
        self.open(&format!("bool<2> twice{i}(p, q)"));
        self.functions.line("decl u, v;");
        self.noise();
        self.functions.open("if (*) then");
        self.functions.line(format!("u, v := twice{i}(p ^ q, q);"));
        self.functions.line("u := v ? T : u;");
        self.functions.line(format!("return u ^ p, {};", if is_wrong { "v" } else { "v ^ p" }));
        self.functions.close("fi");
        self.functions.line("return p, p;");
        self.functions.close("end");
        self.failures.push(format!("r{i} != s{i}"));
    }

    fn enforced(&mut self, i: usize, is_wrong: bool) {
        self.head.line(format!("decl h{i}, k{i};"));
        self.head.line(format!("init h{i} = k{i};"));
        self.open(&format!("void part{i}()"));
        self.functions.line("decl z;");
        self.functions.line(format!("enforce h{i} = k{i} | z;"));
        self.functions.line(format!("z, h{i} := {}, *;", if is_wrong { "*" } else { "F" }));
        self.noise();
        self.functions.line("z := z & *;");
        if is_wrong {
            self.functions.when("z", &["return;"]);
        }
        self.functions.close("end");
        self.failures.push(format!("h{i} != k{i}"));
    }

    fn constrained(&mut self, i: usize, is_wrong: bool) {
        let bits = 4 + self.dice.below(29);
        self.head.line(format!("decl m{i} : int<{bits}>, n{i} : int<{bits}>;"));
        self.head.line(format!("init m{i} <= n{i};"));
        self.open(&format!("void part{i}()"));
        let bound = if is_wrong { format!("m{i}' <= n{i} + 1") } else { format!("m{i}' <= n{i}'") };
        self.functions.line(format!("m{i}, n{i} := *, * constrain {bound};"));
        self.noise();
        self.functions.close("end");
        self.failures.push(format!("m{i} > n{i}"));
    }
}

/// A branch over globals that do not matter.
fn beside(dice: &mut Dice, n: usize) -> String {
    let [a, b, c, d, e] = [(); 5].map(|()| dice.below(n));
    format!("if (g{a} & !g{b}) then g{c} := g{d}; else g{d} := g{c} ^ g{e}; fi")
}

//! Programs with threads that mostly run for ever: what questions about infinite runs are compared on.
//!
//! Each thread is a loop around a few statements: it turns shared variables, waits for them, passes atomic blocks, turns its private
//! variable, calls functions that recur, some of them for ever. Some threads end, some block, and some functions restrict their states.
//! Programs without this shape have hardly any infinite runs that schedulers tell apart. With the text comes what formulas can speak of.

use crate::dice::Dice;
use crate::page::Page;

/// A program, and propositions that make sense for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Looping {
    /// The program.
    pub text: String,
    /// Conditions over shared variables, places, steps and private values.
    pub propositions: Vec<String>,
    /// All labels.
    pub labels: Vec<String>,
}

/// Shared variables.
const SHARED: [&str; 3] = ["x", "y", "z"];

/// The most threads.
const MOST_THREADS: usize = 3;

struct Writer {
    dice: Dice,
    page: Page,
    labels: Vec<String>,
    /// The present `main` has a variable of its own.
    has_local: bool,
    /// What the present thread may call.
    functions: Vec<&'static str>,
    block: usize,
}

/// The program of a seed.
pub fn looping(seed: u64) -> Looping {
    let mut writer = Writer {
        dice: Dice::new(seed),
        page: Page::default(),
        labels: Vec::new(),
        has_local: false,
        functions: Vec::new(),
        block: 0,
    };
    writer.page.line(format!("// threads that run for ever, seed = {seed}"));
    writer.page.line("decl x, y, z;");
    writer.page.line("init !x & !y & !z;");
    let mut propositions: Vec<String> = SHARED.map(str::to_owned).to_vec();
    propositions.push("(x & !y)".to_owned());
    let n_blocks = 1 + writer.dice.below(3);
    let mut left = MOST_THREADS;
    for block in 0..n_blocks {
        let copies = (1 + writer.dice.below(3)).min(left - (n_blocks - 1 - block));
        left -= copies;
        writer.thread(block, copies);
        let copy = writer.dice.below(copies);
        propositions.push(format!("t{block}[{copy}].own"));
        propositions.push(format!("(t{block}[{copy}].own = z)"));
        if writer.functions.contains(&"r") {
            propositions.push(format!("t{block}[{copy}].r.m"));
        }
        if writer.has_local {
            propositions.push(format!("t{block}[{copy}].main.here"));
            propositions.push(format!("(t{block}[{copy}].main.here = y)"));
        }
        for function in &writer.functions {
            propositions.push(format!("in(t{block}.{function})"));
            propositions.push(format!("call(t{block}[{copy}].{function})"));
            propositions.push(format!("ret({function})"));
        }
        for label in writer.labels.iter().filter(|label| label.starts_with(&format!("L{block}_"))) {
            propositions.push(format!("at({label})"));
            propositions.push(format!("at(t{block}:{label})"));
            propositions.push(format!("at(t{block}[{copy}]:{label})"));
        }
    }
    Looping { text: writer.page.finish(), propositions, labels: writer.labels }
}

impl Writer {
    fn line(&mut self, text: impl AsRef<str>) {
        self.page.line(text.as_ref());
    }

    fn thread(&mut self, block: usize, copies: usize) {
        self.block = block;
        self.line(format!("thread t{block}[{copies}]"));
        self.line("begin");
        self.line("  decl own;");
        if self.dice.chance(90) {
            let init = self.dice.pick(&["  init !own;", "  init own;"]);
            self.line(init);
        }
        self.functions.clear();
        if self.dice.chance(25) {
            self.recursive();
        }
        if self.dice.chance(25) {
            self.helper();
        }
        self.line("  void main()");
        self.line("  begin");
        self.has_local = self.dice.chance(30);
        if self.has_local {
            self.line("    decl here;");
        }
        if self.dice.chance(8) {
            self.line("    enforce own | x | !y;");
        }
        if self.has_local && self.dice.chance(80) {
            self.line("    here := F;");
        }
        if self.dice.chance(30) {
            self.statement("    ", 0);
        }
        let head = match self.dice.below(10) {
            0 => "while (*) do",
            1 => "while (!z) do",
            _ => "while (T) do",
        };
        self.line(format!("    {head}"));
        for _ in 0..1 + self.dice.below(3) {
            self.statement("      ", 0);
        }
        if self.has_local {
            let statement =
                self.dice.pick(&["here := !here;", "here := x;", "x := here;", "assume(here | y);"]);
            self.line(format!("      {statement}"));
        }
        self.line("    od");
        self.line("  end");
        self.line("end");
    }

    /// A function that others do not notice, which recurs, perhaps for ever.
    fn recursive(&mut self) {
        self.functions.push("r");
        self.line("  void r()");
        self.line("  begin");
        self.line("    decl m;");
        let body = [
            "    if (*) then own := !own; r(); fi",
            "    if (m) then r(); own := *; fi",
            "    own := !own; if (own) then r(); fi",
            "    r();",
        ];
        let body = self.dice.pick(&body);
        self.line(body);
        self.line("  end");
    }

    /// A function that others may notice.
    fn helper(&mut self) {
        self.functions.push("h");
        self.line("  void h()");
        self.line("  begin");
        for _ in 0..1 + self.dice.below(2) {
            self.statement("    ", 1);
        }
        self.line("  end");
    }

    fn label(&mut self) -> String {
        if !self.dice.chance(40) {
            return String::new();
        }
        let label = format!("L{}_{}", self.block, self.labels.len());
        self.labels.push(label.clone());
        format!("{label}: ")
    }

    fn condition(&mut self) -> String {
        let name = self.dice.pick(&["x", "x", "y", "y", "z", "own"]);
        if self.dice.chance(50) { name.to_owned() } else { format!("!{name}") }
    }

    fn statement(&mut self, indent: &str, nesting: usize) {
        let label = self.label();
        let deeper = format!("{indent}  ");
        let shared = self.dice.pick(&SHARED);
        let condition = self.condition();
        let simple = match self.dice.below(22) {
            0..=4 => format!("{shared} := !{shared};"),
            5 => format!("{shared} := {condition};"),
            6..=9 => format!("assume({condition});"),
            10 => "own := !own;".to_owned(),
            11 => "own := *;".to_owned(),
            12 => "skip;".to_owned(),
            13 if nesting == 0 && !self.functions.is_empty() => {
                format!("{}();", self.dice.pick(&self.functions))
            }
            14 if nesting == 0 => "atomic_begin;".to_owned(),
            15 => "atomic_end;".to_owned(),
            _ if nesting > 1 => format!("own := {condition};"),
            16 | 17 => {
                self.line(format!("{indent}{label}atomic begin"));
                self.body(&deeper, nesting);
                return self.line(format!("{indent}end"));
            }
            18 => {
                self.line(format!("{indent}{label}while ({condition}) do"));
                self.body(&deeper, nesting);
                return self.line(format!("{indent}od"));
            }
            19 => {
                self.line(format!("{indent}{label}while (*) do own := !own; od"));
                return;
            }
            _ => {
                self.line(format!("{indent}{label}if (*) then"));
                self.body(&deeper, nesting);
                return self.line(format!("{indent}fi"));
            }
        };
        self.line(format!("{indent}{label}{simple}"));
    }

    fn body(&mut self, indent: &str, nesting: usize) {
        for _ in 0..1 + self.dice.below(2) {
            self.statement(indent, nesting + 1);
        }
    }
}

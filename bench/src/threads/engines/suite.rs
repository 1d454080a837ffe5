//! The programs: families with threads whose answers are known, and their models for Spin.

use super::promela;
use generate::concurrent::{
    Count, Variant, bluetooth, lock_free_stack, peterson, readers_writers, szymanski,
};
use std::num::NonZeroU32;

/// A program.
pub struct Program {
    /// Its name, with its size.
    pub name: String,
    /// Its text.
    pub text: String,
    /// A model of it.
    pub promela: Option<String>,
    /// The least number of context switches that reach `ERROR`, as the text states it; none if nothing does.
    pub least: Option<u32>,
    /// The number of its threads is free.
    pub is_of_any_number: bool,
}

impl Program {
    fn new(name: String, text: String, promela: Option<String>) -> Self {
        let least = text.lines().find_map(|line| {
            let (number, answer) = line.strip_prefix("// expect(-k ")?.split_once("): ")?;
            answer.starts_with("reachable").then_some(number)?.parse().ok()
        });
        let is_of_any_number = text.contains("[*]");
        Self { name, text, promela, least, is_of_any_number }
    }
}

/// All programs; in a quick look the small ones.
pub fn programs(is_quick: bool) -> Vec<Program> {
    let up_to = |small: u32, large: u32| if is_quick { small } else { large };
    let number = |n: u32| NonZeroU32::new(n).expect("there is at least one");
    let count = |n: u32| Count::Number(number(n));
    let mut programs = Vec::new();
    for (variant, word) in [(Variant::Correct, ""), (Variant::Broken, " bug")] {
        for n in 2..=up_to(3, 6) {
            let text = bluetooth(count(n), count(n), variant);
            let model = promela::bluetooth(n, n, variant);
            programs.push(Program::new(format!("bluetooth {n}+{n}{word}"), text, Some(model)));
        }
        let any = bluetooth(Count::Any, Count::Any, variant);
        programs.push(Program::new(format!("bluetooth *+*{word}"), any, None));
        let model = Some(promela::peterson(variant));
        programs.push(Program::new(format!("peterson{word}"), peterson(variant), model));
        for n in 2..=up_to(3, 6) {
            let model = Some(promela::szymanski(n, variant));
            programs.push(Program::new(format!("szymanski {n}{word}"), szymanski(number(n), variant), model));
        }
        for n in 2..=up_to(2, 4) {
            let text = readers_writers(count(n), count(n), variant);
            let model = Some(promela::readers_writers(n, n, variant));
            programs.push(Program::new(format!("readers_writers {n}+{n}{word}"), text, model));
        }
        for n in 2..=up_to(2, 4) {
            let model = Some(promela::lock_free_stack(n, variant));
            let text = lock_free_stack(number(n), variant);
            programs.push(Program::new(format!("lock_free_stack {n}{word}"), text, model));
        }
    }
    for bits in up_to(8, 8)..=up_to(8, 12) {
        programs.push(Program::new(format!("private_bits {bits}"), private_bits(bits), None));
    }
    for (n, bits) in [(0, 1), (12, 1), (24, 1), (0, 8), (12, 8), (24, 8)] {
        if n <= up_to(12, 24) {
            programs.push(Program::new(format!("steered {n}+{bits}"), steered(n, bits), None));
        }
    }
    programs
}

/// Two threads that pass a lock, with `n` private variables each that only steer branches, and so many bits that they keep.
fn steered(n: u32, bits: u32) -> String {
    let n = n as usize;
    let branch = |thread: usize, k: usize| {
        let [a, b, c] = [7 * k + 1, 3 * k + thread + 2, 5 * k + 3].map(|number| number % n);
        format!("if (h{k} & !h{a}) then h{b} := h{c}; else h{c} := h{b} ^ h{k}; fi\n      ")
    };
    let thread = |thread: usize| {
        let steers: String = (0..n).map(|k| format!("decl h{k};\n  ")).collect();
        let branches: String = (0..n).map(|k| branch(thread, k)).collect();
        format!(
            "thread p{thread} begin
  {steers}void main() begin
    decl mine: int<{bits}>, copy: int<{bits}>;
    copy := mine;
    while (*) do
      atomic begin assume(!lock); lock := T; end
      {branches}inside := inside + 1;
      if (inside = 2 | mine != copy) then ERROR: skip; fi
      inside := inside - 1;
      lock := F;
    od
  end
end
"
        )
    };
    format!("decl lock, inside: int<2>; init !lock & inside = 0;\n{}{}", thread(0), thread(1))
}

/// Two threads with so many bits of their own, any values at first, which they keep while they take turns: as many states as
/// there are pairs of values, and nothing to them for who does not count states.
fn private_bits(bits: u32) -> String {
    let thread = |name: &str| {
        format!(
            "thread {name} begin
  void main() begin
    decl mine: int<{bits}>, copy: int<{bits}>;
    copy := mine;
    shared := !shared;
    shared := !shared;
    if (mine != copy) then ERROR: skip; fi
  end
end
"
        )
    };
    format!("decl shared; init !shared;\n{}{}", thread("p"), thread("q"))
}

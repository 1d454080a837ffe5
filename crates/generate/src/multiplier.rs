//! `multiplier`: a multiplication of integers of `n` bits by doubling and adding, called once with constants.
//!
//! One entry is reachable, and the summary of all entries is the graph of multiplication, whose diagram is
//! exponential under every order: the family separates checkers that look at reachable entries only.

use crate::Options;
use crate::dice::Dice;
use crate::page::Page;

/// Asks whether the product is wrong; the reachable variant, whether it is right.
pub fn program(n: u32, options: &Options) -> String {
    let mut dice = Dice::new(options.seed);
    let mask = u64::MAX >> (64 - n);
    let (left, right) = (dice.number() & mask, dice.number() & mask);
    let product = left.wrapping_mul(right) & mask;
    let mut page = Page::default();
    page.line(format!("// multiplier, n = {n}: {left} times {right} in {n} bits, by doubling and adding."));
    page.line(match options.reachable {
        true => "// expect: reachable, because the product is the one asked for",
        false => "// expect: unreachable, because the product is right",
    });
    page.line("void main()");
    page.open("begin");
    page.line(format!("decl result : int<{n}>;"));
    page.line(format!("result := multiply({left}, {right});"));
    let comparison = if options.reachable { "=" } else { "!=" };
    page.when(&format!("result {comparison} {product}"), &["ERROR: skip;"]);
    page.close("end");
    page.line("");
    page.line(format!("int<{n}> multiply(left : int<{n}>, right : int<{n}>)"));
    page.open("begin");
    page.line(format!("decl sum : int<{n}>;"));
    page.line("sum := 0;");
    for bit in (0..n).rev() {
        let power = 1u64 << bit;
        page.line("sum := sum + sum;");
        page.line(format!("if (right >= {power}) then right, sum := right - {power}, sum + left; fi"));
    }
    page.line("return sum;");
    page.close("end");
    page.finish()
}

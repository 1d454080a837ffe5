//! `counter`: a binary counter, one global and one procedure per bit, increased by nested calls.
//!
//! `bit_i` flips bit `i` and carries to `bit_{i+1}`; `count_i` calls `count_{i+1}` twice, and the innermost
//! `count_n` increases once. From 0 the counter is increased 2^n times, which brings it back to 0. A checker
//! that distinguishes entries sees every procedure entered with every value.

use crate::Options;
use crate::page::Page;

/// Asks whether the counter ends elsewhere than at 0; the reachable variant, whether it ends at 0.
pub fn program(n: u32, options: &Options) -> String {
    let mut page = Page::default();
    page.line(format!("// counter, n = {n}: a counter of {n} bits, increased 2^{n} times by nested calls."));
    page.line(match options.reachable {
        true => "// expect: reachable, because the counter is back at 0 in the end",
        false => "// expect: unreachable, because the counter is back at 0 in the end",
    });
    for i in 0..n {
        page.line(format!("decl b{i};"));
    }
    for i in 0..n {
        page.line(format!("init !b{i};"));
    }
    for i in 0..n {
        bit(&mut page, i, n);
        count(&mut page, i, n);
    }
    page.line("");
    page.line(format!("void count_{n}()"));
    page.open("begin");
    page.line("bit_0();");
    page.close("end");
    main(&mut page, n, options);
    page.finish()
}

fn bit(page: &mut Page, i: u32, n: u32) {
    page.line("");
    page.line(format!("void bit_{i}()"));
    page.open("begin");
    page.line(format!("b{i} := !b{i};"));
    if i + 1 < n {
        page.when(&format!("!b{i}"), &[&format!("bit_{}();", i + 1)]);
    }
    page.close("end");
}

fn count(page: &mut Page, i: u32, n: u32) {
    debug_assert!(i < n, "the innermost procedure counts by itself");
    page.line("");
    page.line(format!("void count_{i}()"));
    page.open("begin");
    page.line(format!("count_{}();", i + 1));
    page.line(format!("count_{}();", i + 1));
    page.close("end");
}

fn main(page: &mut Page, n: u32, options: &Options) {
    let otherwise = if options.reachable { "return;" } else { "goto ERROR;" };
    page.line("");
    page.line("void main()");
    page.open("begin");
    page.line("count_0();");
    for i in 0..n {
        page.line(format!("if (b{i}) then {otherwise} fi"));
    }
    if !options.reachable {
        page.line("return;");
    }
    page.line("ERROR: skip;");
    page.close("end");
}

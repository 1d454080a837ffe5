//! `t1` and `t2`: nested calls that negate a number, abstracted to its sign.
//!
//! Paper: [YASM08], figure 3. The number `g` is arbitrary at first; each level negates it, stops if it is
//! not positive, and otherwise calls the next level, negates, calls again; finally it negates back. What
//! the program does depends on the sign of `g` only, so the Boolean program over `{g<0}` and `{g>0}` has
//! exactly its behaviour.
//!
//! Let `f_i` be what level `i` does to the sign. A sign that is not negative is left alone. In `t1` the
//! innermost level makes `+` of `-`, and `f_i(-) = -f_{i+1}(-)`: with an even number of levels `f_1(-)` is
//! `-`. In `t2` the innermost level calls itself on `-` and never returns.

use crate::Options;
use crate::page::Page;

/// What the innermost level does where the others call the next one.
enum Innermost {
    Stops,
    CallsItself,
}

/// Reachable for even `n`, unreachable for odd `n`.
pub fn t1(n: u32, _: &Options) -> String {
    let verdict = match n % 2 {
        0 => "reachable, because a negative g is turned an even number of times",
        _ => "unreachable, because a negative g is turned an odd number of times",
    };
    program("t1", n, verdict, Innermost::Stops)
}

/// Unreachable: on a negative `g` the innermost level does not return.
pub fn t2(n: u32, _: &Options) -> String {
    let verdict = "unreachable, because the innermost level never returns if g is negative";
    program("t2", n, verdict, Innermost::CallsItself)
}

const NEGATE: &str = "{g<0}, {g>0} := {g>0}, {g<0};";

fn program(name: &str, n: u32, verdict: &str, innermost: Innermost) -> String {
    let mut page = Page::default();
    page.line(format!("// {name}, n = {n}: levels of calls that negate g, of which the sign is kept."));
    page.line(format!("// expect: {verdict}"));
    page.line("decl {g<0}, {g>0};");
    page.line("init !({g<0} & {g>0});");
    for i in 1..=n {
        let next = match innermost {
            _ if i < n => Some(i + 1),
            Innermost::CallsItself => Some(n),
            Innermost::Stops => None,
        };
        level(&mut page, i, next);
    }
    page.line("");
    page.line("void main()");
    page.open("begin");
    page.line("level_1();");
    page.when("{g<0}", &["ERROR: skip;"]);
    page.line("END: skip;");
    page.close("end");
    page.finish()
}

fn level(page: &mut Page, i: u32, next: Option<u32>) {
    page.line("");
    page.line(format!("void level_{i}()"));
    page.open("begin");
    page.line(NEGATE);
    page.open("if (!{g>0}) then");
    page.line("skip;");
    page.turn("else");
    if let Some(next) = next {
        page.line(format!("level_{next}();"));
    }
    page.line(NEGATE);
    if let Some(next) = next {
        page.line(format!("level_{next}();"));
    }
    page.close("fi");
    page.line(NEGATE);
    page.close("end");
}

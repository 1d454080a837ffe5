//! `quicksort`: the control of a quicksort over indices of `n` bits; comparisons of elements are `*`.
//!
//! Papers: [VERA05], section 5, measures it and [YASM08], figure 4, prints it. The partition may let `lo`
//! run past `right` while `hi` stays, and the first recursive call then has the arguments of its caller: an
//! infinite run. (Nor does the loop make progress while neither index has moved.) The fixed variant puts
//! the pivot at the place where the indices meet and leaves it out of both calls, so that every call is on
//! a shorter interval.
//!
//! `ERROR` asks whether a call is about to be made on an interval that is not shorter.

use crate::Options;
use crate::page::Page;

/// The buggy program, or the fixed one.
pub fn program(n: u32, options: &Options) -> String {
    let mut page = Page::default();
    if options.fixed {
        page.line(format!("// quicksort, n = {n}: indices of {n} bits, fixed. Every run is finite."));
        page.line("// expect: unreachable, because the pivot is left out of both intervals");
    } else {
        page.line(format!("// quicksort, n = {n}: indices of {n} bits, with a bug. Some runs are infinite."));
        page.line("// expect: reachable, because lo may pass right while hi stays there");
    }
    page.line("void main()");
    page.open("begin");
    page.line(format!("decl left : int<{n}>, right : int<{n}>;"));
    page.line("quicksort(left, right);");
    page.line("END: skip;");
    page.close("end");
    page.line("");
    page.line(format!("void quicksort(left : int<{n}>, right : int<{n}>)"));
    page.open("begin");
    page.line(format!("decl lo : int<{n}>, hi : int<{n}>;"));
    page.line("if (left >= right) then return; fi");
    page.line("lo, hi := left, right;");
    if options.fixed {
        fixed(&mut page);
    } else {
        buggy(&mut page);
    }
    page.close("end");
    page.finish()
}

fn buggy(page: &mut Page) {
    page.open("while (lo <= hi) do");
    page.open("if (*) then");
    page.line("lo := lo + 1;");
    page.turn("else");
    page.line("if (lo != left | hi != right) then hi := hi - 1; fi");
    page.close("fi");
    page.close("od");
    page.when("hi = right", &["ERROR: skip;"]);
    page.line("quicksort(left, hi);");
    page.line("quicksort(lo, right);");
}

fn fixed(page: &mut Page) {
    page.open("while (lo < hi) do");
    page.line("if (*) then lo := lo + 1; else hi := hi - 1; fi");
    page.close("od");
    page.when("lo != hi | lo < left | lo > right", &["ERROR: skip;"]);
    page.line("if (lo > left) then quicksort(left, lo - 1); fi");
    page.line("if (lo < right) then quicksort(lo + 1, right); fi");
}

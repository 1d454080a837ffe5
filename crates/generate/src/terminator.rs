//! `terminator`: what a termination prover asks about a loop over many flags.
//!
//! The loop clears flags `x0 …`. At some time the flags are copied to `y0 …`; from then on the program
//! looks for an iteration after which a flag was cleared and yet the flags equal their copies, which would
//! refute the ranking function "the number of flags that are set". The flags are declared block by block,
//! each block followed by its copies in another order, so that the order of declaration separates what must
//! be near: the diagram of a block of `w` flags then has about 2^w nodes, and a good order gives about 3w.

use crate::Options;
use crate::dice::Dice;
use crate::page::Page;

/// The most flags in a block.
const WIDEST: usize = 12;

/// Flags that are declared, copied and cleared together.
struct Block {
    flags: Vec<usize>,
    /// The order in which the copies are declared and checked.
    permuted: Vec<usize>,
}

/// `n` flags, `n` copies and five further locals.
pub fn program(n: u32, options: &Options) -> String {
    let blocks = blocks(n as usize, &mut Dice::new(options.seed));
    let mut page = Page::default();
    page.line(format!("// terminator, n = {n}: a ranking function for a loop, over {} locals.", 2 * n + 5));
    page.line("// expect: unreachable, because a flag that was cleared differs from its copy");
    page.line("void main()");
    page.open("begin");
    declarations(&mut page, &blocks);
    page.line("copied, moved := F, F;");
    page.open("while (*) do");
    copy(&mut page, &blocks);
    clear(&mut page, &blocks);
    check(&mut page, &blocks);
    page.close("od");
    page.line("return;");
    page.line("ERROR: skip;");
    page.close("end");
    page.line("");
    page.line("bool choice(may, must)");
    page.open("begin");
    page.line("return schoose[must, !may & !must];");
    page.close("end");
    page.finish()
}

fn blocks(n: usize, dice: &mut Dice) -> Vec<Block> {
    let width = (n / 4).clamp(2, WIDEST);
    let flags: Vec<usize> = (0..n).collect();
    let permute = |flags: &[usize]| {
        let mut permuted = flags.to_vec();
        dice.shuffle(&mut permuted);
        Block { flags: flags.to_vec(), permuted }
    };
    flags.chunks(width).map(permute).collect()
}

/// `x0, x1` and the like.
fn list(prefix: &str, flags: &[usize]) -> String {
    let names: Vec<String> = flags.iter().map(|flag| format!("{prefix}{flag}")).collect();
    names.join(", ")
}

fn declarations(page: &mut Page, blocks: &[Block]) {
    for block in blocks {
        page.line(format!("decl {};", list("x", &block.flags)));
        page.line(format!("decl {};", list("y", &block.permuted)));
    }
    page.line("decl copied, moved, same, may, must;");
}

/// Copies the flags, once.
fn copy(page: &mut Page, blocks: &[Block]) {
    page.open("if (!copied & *) then");
    for block in blocks {
        page.line(format!("{} := {};", list("y", &block.permuted), list("x", &block.permuted)));
    }
    page.line("copied, moved := T, F;");
    page.close("fi");
}

/// Clears some flags of one block.
fn clear(page: &mut Page, blocks: &[Block]) {
    let labels: Vec<String> = (0..blocks.len()).map(|block| format!("B{block}")).collect();
    page.line(format!("goto {};", labels.join(", ")));
    for (label, block) in labels.iter().zip(blocks) {
        page.line(format!("{label}: dead may, must;"));
        for (i, flag) in block.flags.iter().enumerate() {
            let condition = match i % 3 {
                0 => format!("x{flag} & schoose[must, !may]"),
                1 => {
                    page.line("must := choice(may, must);");
                    format!("must & x{flag}")
                }
                _ => format!("x{flag} & *"),
            };
            page.when(&condition, &[&format!("x{flag}, moved := F, T;")]);
        }
        page.line("goto CHECK;");
    }
}

/// Compares the flags with their copies.
fn check(page: &mut Page, blocks: &[Block]) {
    page.line("CHECK: same := T;");
    for block in blocks {
        let equalities: Vec<String> =
            block.permuted.iter().map(|flag| format!("(x{flag} = y{flag})")).collect();
        page.line(format!("same := same & {};", equalities.join(" & ")));
    }
    page.line("if (copied & moved & same) then goto ERROR; fi");
    page.line("dead same;");
}

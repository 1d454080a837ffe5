//! Functions of the library, in C: what a program calls and does not define.
//!
//! The texts are in the folder `library` of this crate. A caller puts them among the sources, with others before them if a user has some, and names them in [`Options::library`]. Of
//! their functions those become part of the program that it calls.

use crate::options::Options;
use crate::places::Places;
use crate::syntax::{ExprKind, FnId, Unit};
use crate::{Text, Tree, parsed};
use base::{Diagnostic, Sources};

/// The files of the library: names and texts.
pub const LIBRARY: [(&str, &str); 5] = [
    ("library/stdlib.c", include_str!("../library/stdlib.c")),
    ("library/stdio.c", include_str!("../library/stdio.c")),
    ("library/ctype.c", include_str!("../library/ctype.c")),
    ("library/string.c", include_str!("../library/string.c")),
    ("library/time.c", include_str!("../library/time.c")),
];

/// The program with what it calls of the library.
pub(crate) fn added(sources: &Sources, tree: Tree, options: &Options) -> Result<Tree, Vec<Diagnostic>> {
    let n_user = tree.unit.exprs.len();
    let own: Vec<bool> = tree.unit.functions.iter().map(|function| function.body.is_some()).collect();
    let mut tree = tree;
    for &file in &options.library {
        let text = &sources.file(file).text;
        if !is_needed(&tree, text) {
            continue;
        }
        let warnings = std::mem::take(&mut tree.warnings);
        tree.linked.is_library = true;
        tree = parsed(tree, &Text { text, places: Places::own(file), file }, options)?;
        // Nobody wants to know how the library is written.
        tree.warnings = warnings;
    }
    if tree.linked.is_library {
        leave_out(&mut tree.unit, n_user, &own);
    }
    Ok(tree)
}

/// Whether a function that is used and not defined may be in a text.
fn is_needed(tree: &Tree, text: &str) -> bool {
    let used = tree.unit.exprs.iter().filter_map(|expr| match expr.kind {
        ExprKind::Function(id) => Some(tree.unit.function(id)),
        _ => None,
    });
    let mut open = used.filter(|function| function.body.is_none());
    open.any(|function| text.contains(&format!("{}(", tree.names.text(function.name))))
}

/// Functions of the library that nobody uses are not there. Expressions up to a number are those of the user, and the first functions, if they have bodies.
fn leave_out(unit: &mut Unit, n_user: usize, own: &[bool]) {
    let mut is_used = vec![false; unit.functions.len()];
    let mut pending: Vec<std::ops::Range<usize>> = std::iter::once(0..n_user).collect();
    while let Some(exprs) = pending.pop() {
        for expr in &unit.exprs[exprs] {
            let ExprKind::Function(id) = expr.kind else { continue };
            let is_new = !std::mem::replace(&mut is_used[id.index()], true);
            pending.extend(unit.function(id).body.as_ref().filter(|_| is_new).map(|body| body.exprs.clone()));
        }
    }
    for n in (0..unit.functions.len()).map(FnId::new) {
        let function = &mut unit.functions[n.index()];
        let is_own = own.get(n.index()).copied().unwrap_or(false);
        if !is_own && !is_used[n.index()] {
            function.body = None;
        }
    }
}

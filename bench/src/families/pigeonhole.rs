//! The pigeonhole principle as a closed formula: n pigeons do not fit into n-1 holes, n-1 do.

use super::{each, exclusive, file};

/// The formula for `n` pigeons, at least 2.
pub fn text(n: usize) -> String {
    let n = n.max(2);
    let body = format!("{}\n{}", query(n, n - 1), query(n - 1, n - 1));
    file(&format!("{n} pigeons and {} holes.", n - 1), &["false".to_owned(), "true".to_owned()], &body)
}

/// Pigeon p sits in hole h if `sits[p * holes + h]`.
fn query(pigeons: usize, holes: usize) -> String {
    let somewhere = each(pigeons, " &\n  ", |p| {
        format!("({})", each(holes, " | ", |h| format!("sits[{}]", p * holes + h)))
    });
    let mut parts = vec![somewhere];
    if pigeons > 1 {
        parts.push(each(holes, " &\n  ", |h| exclusive(pigeons, |p| format!("sits[{}]", p * holes + h))));
    }
    format!("exists bool sits[{}].\n  {};\n", pigeons * holes, parts.join(" &\n  "))
}

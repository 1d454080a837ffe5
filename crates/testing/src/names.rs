//! Names that are changed all at once: whoever makes a [`NameTable`] is asked whether texts stay what they are.

use base::{DeclaredId, NameTable, Role};
use std::collections::HashMap;

/// A text with new names for these declarations, wherever the table says that they stand.
pub fn renamed(text: &str, table: &NameTable, names: &HashMap<DeclaredId, String>) -> String {
    let mut out = text.to_owned();
    for occurrence in table.occurrences().iter().rev() {
        if let Some(name) = names.get(&occurrence.declared) {
            out.replace_range(occurrence.span.start as usize..occurrence.span.end as usize, name);
        }
    }
    out
}

/// Which names mean the same, by their order in the text.
pub fn partition(table: &NameTable) -> Vec<(DeclaredId, Role)> {
    table.occurrences().iter().map(|occurrence| (occurrence.declared, occurrence.role)).collect()
}

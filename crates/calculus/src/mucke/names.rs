//! Names that MUCKE reads as names, each used once.

use rustc_hash::FxHashSet;

/// The words that MUCKE reserves.
const RESERVED: [&str; 27] = [
    "exists",
    "Exists",
    "EXISTS",
    "forall",
    "Forall",
    "FORALL",
    "if",
    "then",
    "else",
    "fi",
    "class",
    "struct",
    "enum",
    "case",
    "esac",
    "true",
    "false",
    "mu",
    "nu",
    "assume",
    "cofactor",
    "show",
    "witcs",
    "witnessconstraint",
    "WitnessConstraint",
    "alloccs",
    "bool",
];
const ALLOCATION: [&str; 2] = ["AllocationConstraint", "allocationConstraint"];

/// The names of one scope.
pub(super) struct Names {
    taken: FxHashSet<String>,
    /// Names with `_` and a number behind one of these are taken, too.
    pub(super) numbered: Vec<String>,
}

impl Names {
    pub(super) fn new() -> Self {
        let taken = RESERVED.iter().chain(&ALLOCATION).map(|word| (*word).to_owned()).collect();
        Self { taken, numbered: Vec::new() }
    }

    /// A name as much like the given one as may be.
    pub(super) fn find(&mut self, wanted: &str) -> String {
        let wanted = match wanted.as_bytes().first() {
            Some(first) if first.is_ascii_alphabetic() || *first == b'_' => wanted.to_owned(),
            _ => format!("_{wanted}"),
        };
        let (mut name, mut number) = (wanted.clone(), 1);
        while self.is_numbered(&name) || !self.taken.insert(name.clone()) {
            number += 1;
            // A number behind a number would be another number.
            let mark = if wanted.ends_with(|last: char| last.is_ascii_digit()) { "'" } else { "" };
            name = format!("{wanted}{mark}{number}");
        }
        name
    }

    /// The name of a sort; that of `bool` is MUCKE's own.
    pub(super) fn sort(&mut self, name: &str) -> String {
        if name == "bool" { name.to_owned() } else { self.find(name) }
    }

    fn is_numbered(&self, name: &str) -> bool {
        let Some((before, behind)) = name.rsplit_once('_') else { return false };
        !behind.is_empty()
            && behind.bytes().all(|byte| byte.is_ascii_digit())
            && self.numbered.iter().any(|known| known == before)
    }
}

/// A member for a leaf: `.L.l0` is `L_l0`, `[2].pc` is `e2_pc`.
pub(super) fn member_name(path: &str) -> String {
    let path = match path.strip_prefix('.') {
        Some(path) => path.to_owned(),
        None => path.replacen('[', "e", 1),
    };
    path.replace(['.', '['], "_").replace(']', "")
}

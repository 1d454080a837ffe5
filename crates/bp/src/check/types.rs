//! The types of a program and the values that enums name.

use crate::ast::{Name, Symbol};
use crate::names::Names;
use base::cut;
use rustc_hash::FxHashMap;
use std::sync::Arc;

base::index_type! {
    /// An enum; enums that list the same names in the same order are one.
    EnumId;
}

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ty {
    Bool,
    Int(u8),
    Enum(EnumId),
    /// There is a mistake, which is reported already.
    Unknown,
}

/// The part of the program that sees a declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Owner {
    /// The thread; nothing for declarations that all threads share.
    pub(crate) unit: Option<u32>,
    /// The function, of a local declaration.
    pub(crate) function: Option<u32>,
}

impl Owner {
    /// Whether what this owns is seen by `other`.
    fn is_seen_by(self, other: Owner) -> bool {
        let is_unit = self.unit.is_none() || self.unit == other.unit;
        is_unit && (self.function.is_none() || self.function == other.function)
    }
}

/// A value of an enum under its name.
#[derive(Clone, Copy, Debug)]
struct Enumerator {
    of: EnumId,
    value: u64,
    owner: Owner,
}

/// The enums of a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Types {
    enums: Vec<Arc<[String]>>,
    by_names: FxHashMap<Vec<Symbol>, EnumId>,
    enumerators: FxHashMap<Symbol, Vec<Enumerator>>,
}

impl Types {
    /// The enum that lists these names, which are different.
    pub(crate) fn declare(&mut self, names: &Names, list: &[Name], owner: Owner) -> EnumId {
        let symbols: Vec<Symbol> = list.iter().map(|name| name.symbol).collect();
        let enums = &mut self.enums;
        let id = *self.by_names.entry(symbols).or_insert_with_key(|symbols| {
            enums.push(symbols.iter().map(|symbol| names.text(*symbol).to_owned()).collect());
            EnumId::new(enums.len() - 1)
        });
        for (value, name) in list.iter().enumerate() {
            let known = self.enumerators.entry(name.symbol).or_default();
            if !known.iter().any(|known| known.of == id && known.owner == owner) {
                known.push(Enumerator { of: id, value: value as u64, owner });
            }
        }
        id
    }

    /// The enum that lists these names, if it is declared.
    pub(crate) fn listing(&self, list: &[Name]) -> Option<EnumId> {
        let symbols: Vec<Symbol> = list.iter().map(|name| name.symbol).collect();
        self.by_names.get(&symbols).copied()
    }

    /// The enums in which a name is a value, among those that `owner` sees.
    pub(crate) fn enums_with(&self, symbol: Symbol, owner: Owner) -> Vec<EnumId> {
        let mut found = Vec::new();
        for enumerator in self.enumerators.get(&symbol).into_iter().flatten() {
            if enumerator.owner.is_seen_by(owner) && !found.contains(&enumerator.of) {
                found.push(enumerator.of);
            }
        }
        found
    }

    /// All names of values that `owner` sees, in no particular order.
    pub(crate) fn visible(&self, owner: Owner) -> impl Iterator<Item = Symbol> {
        let seen = move |list: &&Vec<Enumerator>| list.iter().any(|known| known.owner.is_seen_by(owner));
        self.enumerators.iter().filter(move |(_, list)| seen(list)).map(|(symbol, _)| *symbol)
    }

    /// The value of a name in an enum that has it.
    pub(crate) fn value(&self, symbol: Symbol, of: EnumId) -> Option<u64> {
        self.enumerators.get(&symbol)?.iter().find(|known| known.of == of).map(|known| known.value)
    }

    /// A type for the machine.
    pub(crate) fn lower(&self, ty: Ty) -> rsm::Type {
        match ty {
            Ty::Bool | Ty::Unknown => rsm::Type::Bool,
            Ty::Int(width) => rsm::Type::Int(width),
            Ty::Enum(id) => rsm::Type::Enum(self.enums[id.index()].clone()),
        }
    }

    /// A type as the user writes it.
    pub(crate) fn show(&self, ty: Ty) -> String {
        match ty {
            Ty::Bool | Ty::Unknown => "bool".to_owned(),
            Ty::Int(width) => format!("int<{width}>"),
            Ty::Enum(id) => {
                let shown =
                    self.enums[id.index()].iter().take(20).map(String::as_str).collect::<Vec<_>>().join(", ");
                format!("enum {{{}}}", cut(&shown))
            }
        }
    }
}

//! Several files as one program: what other files see has one meaning in all of them, what is `static` one in each.
//!
//! Files are read one after the other into one tree. Variables and functions are linked by their names, and have to agree, as several declarations in one file have to. Structures of the
//! same tag, or of the same name by `typedef`, are one if they have the same members; otherwise each file has its own.

use super::{Meaning, Parsed, Parser};
use crate::syntax::{FnId, Linkage, Storage, VarId};
use crate::token::{Name, Names};
use crate::types::{Field, Qualified, RecordId, Signature, Ty};
use base::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// What the files that were read have said to others.
#[derive(Default)]
pub(crate) struct Linked {
    functions: FxHashMap<Name, FnId>,
    variables: FxHashMap<Name, (VarId, Span)>,
    /// Structures and unions, by their tags.
    tags: FxHashMap<Name, RecordId>,
    /// Structures and unions without tags, by the names of their types.
    types: FxHashMap<Name, RecordId>,
    /// Names that the program knows something by.
    taken: FxHashSet<Name>,
    /// What is read is a library: it gives way to what is there, and to what is declared otherwise.
    pub(crate) is_library: bool,
}

impl Linked {
    /// A name for something that only its file sees.
    pub(super) fn own_name(&mut self, name: Name, names: &mut Names) -> Name {
        if self.taken.insert(name) {
            return name;
        }
        let text = names.text(name).to_owned();
        let mut numbered = (2..).map(|n| names.number(&format!("{text}.{n}")));
        let free = numbered.find(|other| self.taken.insert(*other));
        free.expect("there are more numbers than names")
    }
}

impl Parser<'_> {
    /// The function of another file that is meant by a name here.
    pub(super) fn linked_function(&self, name: Name) -> Option<FnId> {
        self.linked.functions.get(&name).copied()
    }

    /// Whether a function of another file is the one that is declared here: what a library has is not, if the program says something else of it.
    pub(super) fn is_meant(&self, id: FnId, signature: &Signature) -> bool {
        !self.linked.is_library || self.unit.function(id).signature.is_compatible(signature)
    }

    /// A variable of another file is known from here on, if it has this name.
    pub(super) fn link_variable(&mut self, name: Name) {
        if let Some(&(id, first)) = self.linked.variables.get(&name)
            && !self.scopes[0].names.contains_key(&name)
        {
            self.scopes[0].names.insert(name, (Meaning::Var(id), first));
        }
    }

    /// What one file calls a variable and another one a function.
    pub(super) fn check_kind(&self, name: Name, is_function: bool, span: Span) -> Parsed<()> {
        let (first, how) = if is_function {
            (self.linked.variables.get(&name).map(|(_, first)| *first), "as a variable")
        } else {
            let function = self.linked.functions.get(&name);
            (function.map(|id| self.unit.function(*id).span), "as a function")
        };
        match first {
            Some(first) if !self.linked.is_library => Err(self.conflict(name, span, first, how)),
            _ => Ok(()),
        }
    }

    /// The structure or union of another file that a tag outside of functions speaks of.
    pub(super) fn linked_record(&self, name: Name, is_union: bool) -> Option<RecordId> {
        let id = self.linked.tags.get(&name).copied().filter(|_| self.scopes.len() == 1)?;
        (self.unit.record(id).is_union == is_union).then_some(id)
    }

    /// Whether two structures or unions have the same members. In them each stands for the other.
    pub(super) fn is_same_record(&self, one: RecordId, two: RecordId) -> bool {
        let (a, b) = (self.unit.record(one), self.unit.record(two));
        let (Some(fields), Some(others)) = (&a.fields, &b.fields) else { return false };
        let is_same = |(field, other): (&Field, &Field)| {
            field.name == other.name && self.is_same_object(&field.ty, &other.ty, (one, two))
        };
        let is_alike = a.is_union == b.is_union && a.layout == b.layout && fields.len() == others.len();
        is_alike && fields.iter().zip(others).all(is_same)
    }

    fn is_same_object(&self, one: &Qualified, two: &Qualified, pair: (RecordId, RecordId)) -> bool {
        one.is_const == two.is_const
            && one.is_volatile == two.is_volatile
            && match (&one.bare, &two.bare) {
                (&Ty::Record(one), &Ty::Record(two)) => {
                    let has_no_tag = |id: RecordId| self.unit.record(id).name.is_none();
                    one == two
                        || (one, two) == pair
                        || has_no_tag(one) && has_no_tag(two) && self.is_same_record(one, two)
                }
                (Ty::Pointer(one), Ty::Pointer(two)) => self.is_same_object(one, two, pair),
                (Ty::Array(one, n), Ty::Array(two, m)) => n == m && self.is_same_object(one, two, pair),
                (one, two) => one.is_compatible(two),
            }
    }

    /// A type that another file has given the same name, if it is the same structure or union without a tag.
    pub(super) fn linked_type(&self, name: Name, ty: Qualified) -> Qualified {
        let Ty::Record(id) = ty.bare else { return ty };
        let known = self.linked.types.get(&name).copied().filter(|_| self.scopes.len() == 1);
        let is_open = self.unit.record(id).name.is_none();
        match known.filter(|known| is_open && self.is_same_record(*known, id)) {
            Some(known) => ty.with(Ty::Record(known)),
            None => ty,
        }
    }

    /// The file is read: what others see of it.
    pub(super) fn link(mut self) -> (crate::syntax::Unit, Linked, Vec<base::Diagnostic>) {
        let linked = &mut self.linked;
        for (&name, &id) in &self.functions {
            if self.unit.function(id).linkage != Linkage::Static {
                linked.functions.entry(name).or_insert(id);
                linked.taken.insert(name);
            }
        }
        let scope = &self.scopes[0];
        for (&name, (meaning, span)) in &scope.names {
            match meaning {
                Meaning::Var(id)
                    if matches!(self.unit.var(*id).storage, Storage::Global | Storage::Extern) =>
                {
                    linked.variables.entry(name).or_insert((*id, *span));
                    linked.taken.insert(name);
                }
                Meaning::Type(Qualified { bare: Ty::Record(id), .. })
                    if self.unit.record(*id).name.is_none() =>
                {
                    linked.types.entry(name).or_insert(*id);
                }
                _ => {}
            }
        }
        for (&name, tag) in &scope.tags {
            if let Some(id) = tag.record() {
                linked.tags.entry(name).or_insert(id);
            }
        }
        (self.unit, self.linked, self.warnings)
    }
}

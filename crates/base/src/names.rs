//! Which declaration each name of a text means: what editors need to lead from a use to its declaration and back.
//!
//! Contract: an occurrence is the stretch of a name as it is written, and belongs to one declared thing; occurrences of a file do not overlap. Names that mean
//! nothing, because of a mistake in the text, have none.

use crate::{FileId, Span};

crate::index_type! {
    /// Something that is declared, in a [`NameTable`].
    DeclaredId;
}

/// What sort of thing a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NameKind {
    /// A variable of a program, or a quantified variable of a formula.
    Variable,
    /// A parameter of a function or of a relation.
    Parameter,
    /// A function.
    Function,
    /// A label.
    Label,
    /// A thread.
    Thread,
    /// A value of an enumeration.
    Value,
    /// A type of a formula file.
    Type,
    /// A member of a class.
    Member,
    /// A relation.
    Relation,
    /// A position, `i in 0..k`.
    Position,
    /// A `#param`.
    Number,
    /// A state of a monitor.
    State,
    /// A monitor.
    Monitor,
}

impl NameKind {
    /// What such things are called.
    pub fn word(self) -> &'static str {
        match self {
            NameKind::Variable => "variable",
            NameKind::Parameter => "parameter",
            NameKind::Function => "function",
            NameKind::Label => "label",
            NameKind::Thread => "thread",
            NameKind::Value => "value",
            NameKind::Type => "type",
            NameKind::Member => "member",
            NameKind::Relation => "relation",
            NameKind::Position => "position",
            NameKind::Number => "#param",
            NameKind::State => "state",
            NameKind::Monitor => "monitor",
        }
    }
}

/// Something that is declared.
#[derive(Clone, Debug)]
pub struct Declared {
    /// What it is.
    pub kind: NameKind,
    /// Its name.
    pub name: String,
    /// How it is declared, in the language of the text: `x: int<3>`, `bool Reach(State u, State v)`.
    pub detail: String,
    /// Whose it is: `local of f`; empty if it is everybody's.
    pub owner: String,
    /// The stretch of text in which its name means it; none if that is everywhere.
    pub scope: Option<Span>,
}

/// What an occurrence of a name does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// It declares the thing; some are declared in several places.
    Declares,
    /// It stores a value.
    Assigns,
    /// It uses the thing otherwise.
    Uses,
}

/// A name in a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Occurrence {
    /// Where it stands.
    pub span: Span,
    /// What it means.
    pub declared: DeclaredId,
    /// What it does.
    pub role: Role,
}

/// What is declared in a text and in those that it loads, and all names that mean something.
#[derive(Clone, Default, Debug)]
pub struct NameTable {
    declared: Vec<Declared>,
    /// By place, once the table is finished.
    occurrences: Vec<Occurrence>,
}

impl NameTable {
    /// Adds something that is declared.
    pub fn declare(&mut self, declared: Declared) -> DeclaredId {
        self.declared.push(declared);
        DeclaredId::new(self.declared.len() - 1)
    }

    /// Adds a name.
    pub fn occurs(&mut self, span: Span, declared: DeclaredId, role: Role) {
        self.occurrences.push(Occurrence { span, declared, role });
    }

    /// The same table, ready to be asked. A name that was met twice in one place counts once.
    #[must_use]
    pub fn finish(mut self) -> Self {
        self.occurrences.sort_by_key(|occurrence| (occurrence.span, occurrence.declared));
        self.occurrences.dedup_by_key(|occurrence| occurrence.span);
        self
    }

    /// Something that is declared.
    pub fn declared(&self, id: DeclaredId) -> &Declared {
        &self.declared[id.index()]
    }

    /// All that is declared.
    pub fn all_declared(&self) -> impl Iterator<Item = (DeclaredId, &Declared)> {
        self.declared.iter().enumerate().map(|(n, declared)| (DeclaredId::new(n), declared))
    }

    /// All names, by place.
    pub fn occurrences(&self) -> &[Occurrence] {
        &self.occurrences
    }

    /// The name at a place, or the one that ends there.
    pub fn at(&self, file: FileId, at: usize) -> Option<&Occurrence> {
        let at = u32::try_from(at).ok()?;
        let behind =
            self.occurrences.partition_point(|found| (found.span.file, found.span.start) <= (file, at));
        let found = self.occurrences.get(behind.checked_sub(1)?)?;
        (found.span.file == file && at <= found.span.end).then_some(found)
    }

    /// The names that mean one thing, by place.
    pub fn of(&self, declared: DeclaredId) -> impl Iterator<Item = &Occurrence> {
        self.occurrences.iter().filter(move |occurrence| occurrence.declared == declared)
    }

    /// Where something is declared first.
    pub fn declaration(&self, declared: DeclaredId) -> Option<Span> {
        self.of(declared)
            .find(|occurrence| occurrence.role == Role::Declares)
            .map(|occurrence| occurrence.span)
    }
}

//! What a witness says.
//!
//! The format is that of the competition on software verification, versions 2.0 and 2.1: an entry `violation_sequence` tells of runs that violate
//! the property, an entry `invariant_set` what holds where.

use base::Span;

/// One entry of a file.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Where it comes from, and what it is about.
    pub metadata: Metadata,
    /// What it says.
    pub content: Content,
}

/// What an entry says.
#[derive(Clone, Debug)]
pub enum Content {
    /// Some runs pass these segments, one after the other, and violate the property.
    Violation(Vec<Segment>),
    /// This holds.
    Correctness(Vec<Fact>),
}

/// Where an entry comes from, and what it is about.
#[derive(Clone, Debug)]
pub struct Metadata {
    /// `2.0` or `2.1`.
    pub format_version: Text,
    /// When it was made.
    pub creation_time: String,
    /// Who made it: name and version.
    pub producer: (String, String),
    /// The files of the program, each with its hash, if it is given.
    pub files: Vec<(Text, Option<Text>)>,
    /// The property, as a `.prp` file has it.
    pub specification: Text,
    /// `ILP32` or `LP64`.
    pub data_model: Text,
}

/// A text, and where it was read.
#[derive(Clone, Debug)]
pub struct Text {
    /// The text.
    pub value: String,
    /// Where it was read.
    pub span: Option<Span>,
}

impl Text {
    /// A text that was not read.
    pub fn new(value: impl Into<String>) -> Self {
        Self { value: value.into(), span: None }
    }
}

/// Waypoints: any number that are avoided, and one that is passed.
#[derive(Clone, Debug)]
pub struct Segment {
    /// The waypoints.
    pub waypoints: Vec<Waypoint>,
}

/// What a run has to do with a waypoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// It passes.
    Follow,
    /// It does not pass.
    Avoid,
    /// It passes, again and again.
    Cycle,
}

/// The kinds of waypoints.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WaypointKind {
    /// Before a statement something holds.
    Assumption,
    /// A decision goes this way.
    Branching,
    /// A function is called.
    FunctionEnter,
    /// A function returns something.
    FunctionReturn,
    /// The property is violated.
    Target,
}

/// A place that runs pass.
#[derive(Clone, Debug)]
pub struct Waypoint {
    /// What it is.
    pub kind: WaypointKind,
    /// What to do with it.
    pub action: Action,
    /// Where it is.
    pub location: Location,
    /// When it is passed; empty means always.
    pub constraint: Option<Text>,
}

/// A place of the program.
#[derive(Clone, Debug)]
pub struct Location {
    /// The file.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1, in characters; otherwise the first place of the line that is meant.
    pub column: Option<u32>,
    /// The function.
    pub function: Option<String>,
    /// Where it was read.
    pub span: Option<Span>,
}

/// Something that holds.
#[derive(Clone, Debug)]
pub enum Fact {
    /// A formula at a place.
    Invariant {
        /// Whether the place is a loop, whose condition is about to be evaluated, or a statement that is about to begin.
        is_loop: bool,
        /// Where it holds.
        location: Location,
        /// What holds, in C.
        value: Text,
    },
    /// What holds when a function is called and when it returns.
    Contract {
        /// The function.
        location: Location,
        /// At its entry.
        requires: Text,
        /// At its exit, with `\result` for its result and `\at(x, Old)` for what a parameter held at the entry.
        ensures: Text,
    },
    /// Something of another kind, which is not understood: its name.
    Other(Text),
}

impl WaypointKind {
    pub(crate) const ALL: [(&'static str, WaypointKind); 5] = [
        ("assumption", WaypointKind::Assumption),
        ("branching", WaypointKind::Branching),
        ("function_enter", WaypointKind::FunctionEnter),
        ("function_return", WaypointKind::FunctionReturn),
        ("target", WaypointKind::Target),
    ];
}

impl Action {
    pub(crate) const ALL: [(&'static str, Action); 3] =
        [("follow", Action::Follow), ("avoid", Action::Avoid), ("cycle", Action::Cycle)];
}

/// The word for something.
pub(crate) fn word<T: PartialEq>(all: &[(&'static str, T)], wanted: &T) -> &'static str {
    all.iter().find(|(_, kind)| kind == wanted).map_or("", |(word, _)| word)
}

impl Content {
    /// What an entry of this kind is called.
    pub fn entry_type(&self) -> &'static str {
        match self {
            Content::Violation(_) => "violation_sequence",
            Content::Correctness(_) => "invariant_set",
        }
    }
}

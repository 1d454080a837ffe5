//! What may go wrong in a run without being a place of the program: what is undefined, and memory that is left at the end.

use crate::evaluate::Undefined;
use crate::program::{EdgeId, FunctionId};

/// Which faults are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Faults {
    /// Memory is misused.
    pub memory: bool,
    /// Arithmetic is undefined: a division by 0, a shift out of range.
    pub arithmetic: bool,
    /// `main` returns, and no pointer leads to an object on the heap.
    pub lost: bool,
    /// `main` returns, and an object on the heap is still there.
    pub unfreed: bool,
}

impl Faults {
    /// What is undefined is one of them.
    pub fn includes(self, undefined: Undefined) -> bool {
        match undefined {
            Undefined::Memory(_) => self.memory,
            Undefined::Overflow(_) | Undefined::TooLarge => false,
            _ => self.arithmetic,
        }
    }
}

/// Something that went wrong.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fault {
    /// What this edge computes is undefined.
    Undefined(Undefined, FunctionId, EdgeId),
    /// No pointer leads to what this edge allocated.
    Lost(FunctionId, EdgeId),
    /// What this edge allocated is not released.
    Unfreed(FunctionId, EdgeId),
}

impl Fault {
    /// The edge that it is about.
    pub fn edge(self) -> (FunctionId, EdgeId) {
        match self {
            Fault::Undefined(_, function, edge)
            | Fault::Lost(function, edge)
            | Fault::Unfreed(function, edge) => (function, edge),
        }
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Fault::Undefined(undefined, ..) => undefined.fmt(f),
            Fault::Lost(..) => f.write_str("nothing points to an object that was allocated and not freed"),
            Fault::Unfreed(..) => f.write_str("an object is not freed"),
        }
    }
}

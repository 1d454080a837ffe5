//! The code that runs are executed in: instructions on numbered cells.
//!
//! The cells are one list: the constants of the program, then its globals, then the frames, each with its locals and its
//! intermediate results. A frame starts where that of the caller ends, so arguments are stored where the callee will find them,
//! and the result is read where the callee has left it.

use crate::bits::Bitwise;
use crate::explore::heap::Layouts;
use crate::expr::Relation;
use crate::memory::{Manage, Misuse, RegionId};
use crate::number::Type;
use crate::program::{EdgeId, FunctionId, InputId, NodeId, TargetId, UnknownId};

/// A cell: of the running frame if the highest bit is set, of the constants and globals otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cell(pub(crate) u32);

impl Cell {
    const LOCAL: u32 = 1 << 31;

    /// A cell of the running frame.
    pub(crate) fn local(position: usize) -> Self {
        Self(u32::try_from(position).expect("a frame is small") | Self::LOCAL)
    }

    /// A constant or a global.
    pub(crate) fn fixed(position: usize) -> Self {
        Self(u32::try_from(position).expect("there are few globals and constants"))
    }

    /// Where it is, if the running frame starts at `base`.
    pub(crate) fn at(self, base: usize) -> usize {
        // A mask instead of a branch: the sign extended over the whole word.
        (self.0 & !Self::LOCAL) as usize + (base & ((self.0 as i32) >> 31) as usize)
    }
}

/// A position in the code.
pub(crate) type Address = u32;

/// One instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Instruction {
    Move(Cell, Cell),
    Negate(Cell, Cell),
    Add(Cell, Cell, Cell),
    Subtract(Cell, Cell, Cell),
    Multiply(Cell, Cell, Cell),
    /// The product, of which only the low bits matter.
    MultiplyWrap(Cell, Cell, Cell, Type),
    Divide(Cell, Cell, Cell),
    Remainder(Cell, Cell, Cell, Type),
    /// Bits of two numbers.
    Bits(Bitwise, Cell, Cell, Cell),
    ShiftLeft(Cell, Cell, Cell, Type),
    ShiftRight(Cell, Cell, Cell, Type),
    /// Notes an overflow, if the number does not fit.
    Within(Cell, Type),
    Wrap(Cell, Cell, Type),
    Compare(Relation, Cell, Cell, Cell),
    /// Stores 1 for 0 and 0 for 1.
    Not(Cell, Cell),
    Input(Cell, InputId),
    Unknown(Cell, UnknownId),
    /// Memory is misused: the run ends.
    Misuse(Misuse),
    /// What the cell of a region holds that a pointer points to.
    Load(Cell, Cell, RegionId),
    /// Stores the second where the first points to, in a region.
    Store(Cell, Cell, RegionId),
    /// The pointer to a part: a position in [`Code::members`].
    Member(Cell, Cell, u32),
    /// Memory is misused if nothing was stored in the pointer.
    Initialised(Cell),
    Difference(Cell, Cell, Cell),
    /// Something is done to objects: a position in [`Code::manages`].
    Manage(u32),
    /// Goes on within a step.
    Skip(Address),
    /// A step is done, and the run goes on there.
    Jump(Address),
    /// Goes there unless the relation holds.
    Unless(Relation, Cell, Cell, Address),
    /// Goes there if it is this truth value.
    If(bool, Cell, Address),
    /// A step is done, and the run goes back to a node; every loop does. The running frame has so many locals.
    Back(Address, u32),
    /// Starts a frame behind the present one, which has so many cells.
    Call(Address, u32),
    /// A frame needs so many cells; the locals from one position to another hold 0.
    Enter {
        cells: u32,
        zero: (u32, u32),
    },
    Return,
    /// The run is at a target.
    Target(TargetId),
    Stop,
    Blocked(FunctionId, NodeId),
}

/// Something that is done to objects, with the cells where its expressions are, in the order of [`Manage::exprs`].
#[derive(Debug)]
pub(crate) struct Managed {
    pub(crate) manage: Manage,
    pub(crate) operands: Vec<Cell>,
    pub(crate) result: Option<Cell>,
}

/// A program as code.
#[derive(Debug)]
pub(crate) struct Code {
    pub(crate) instructions: Vec<Instruction>,
    /// What each instruction belongs to.
    pub(crate) origin: Vec<(FunctionId, EdgeId)>,
    /// The constants, then what the globals hold at first.
    pub(crate) fixed: Vec<i128>,
    /// The first global.
    pub(crate) first_global: usize,
    /// Globals that hold something unknown at first.
    pub(crate) unknown_globals: Vec<(usize, UnknownId)>,
    /// Where `main` begins.
    pub(crate) main: Address,
    /// The largest number of parameters.
    pub(crate) max_params: usize,
    /// Whether there is anything unknown.
    pub(crate) has_unknowns: bool,
    /// Strides and starts.
    pub(crate) members: Vec<(u64, u64)>,
    pub(crate) manages: Vec<Managed>,
    /// What memory looks like, if there is any.
    pub(crate) layouts: Option<Layouts>,
    /// For each region, what is asked for where nothing was stored.
    pub(crate) uninitialised: Vec<Option<InputId>>,
    /// Globals that hold pointers.
    pub(crate) pointers: Vec<usize>,
}

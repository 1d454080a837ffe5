//! What memory a program has: classes of objects, their regions, and what pointers are.
//!
//! A run has a table of *objects*. Object 0 is nothing: null points to it. The static objects of the program follow, object `n + 1` for
//! [`ObjectId`] `n`, then those that the run allocates, numbered in the order in which it does so; no number is used twice. A *pointer* is one number,
//! `object * 2^64 + offset` ([`pack`]); the offset may be negative, so the object is that of the nearest multiple of `2^64` ([`unpack`]).
//!
//! A *class* says what objects are made of. An object of a class has a number of elements, and each element has the *cells* that the [`Field`]s of the
//! class name. The cells of one kind, of all objects, are a *region*: a leaf field of a structure, or the elements of an array of numbers. What a pointer may point to has a class as well; it is that of the object,
//! or that of a part of it: a pointer to a member that is a structure, to an array in a structure, to a number in one. The offset of a pointer counts the elements of the class that it is said
//! to point to, from the beginning of the object; [`Op::Member`](crate::Op::Member) leads from an element to a part of it and scales the offset. [`Op::Load`](crate::Op::Load) and
//! stores name a region, and take a pointer whose offset counts the cells of that region. Two fields of a class may be one region: they have different starts.
//!
//! Between the cells of arrays within structures numbers are left out, so that a pointer that runs out of such an array comes to a number that is no cell.

use crate::expr::Expr;
use crate::number::Type;
use crate::program::{FunctionId, InputId, Place, Unknown};
use base::Span;
use std::fmt;

base::index_type! {
    /// A position in [`Memory::regions`].
    RegionId;
    /// A position in [`Memory::classes`].
    ClassId;
    /// A static object: a position in [`Memory::objects`].
    ObjectId;
}

/// The memory of a program; empty if it has variables only.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// The kinds of cells.
    pub regions: Vec<Region>,
    /// What objects are made of, and what pointers point to.
    pub classes: Vec<Class>,
    /// The objects that are there from the beginning, or begin and end with a block of a function that does not call itself.
    pub objects: Vec<Object>,
    /// Accesses that are not represented, so that nobody sees whether they are errors.
    pub unchecked: Vec<Unknown>,
}

/// What a cell holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Content {
    /// An integer of a type.
    Integer(Type),
    /// A pointer to elements of a class, or null.
    Pointer(ClassId),
    /// The number of a function, 1 for the first of the program, or 0: a pointer to it.
    Function,
}

impl Content {
    /// The type of the numbers.
    pub fn ty(self) -> Type {
        match self {
            Content::Integer(ty) => ty,
            Content::Pointer(_) => Type::POINTER,
            Content::Function => Type::unsigned(64),
        }
    }
}

/// All cells of a kind.
#[derive(Clone, Debug)]
pub struct Region {
    /// A name for people: `a`, `node.next`.
    pub name: String,
    /// What a cell holds.
    pub content: Content,
    /// A cell that nothing was stored in holds what the environment chooses when it is first read, and keeps it. A pointer there is [`Misuse::Uninitialised`] when it is read: then there is
    /// no input.
    pub uninitialised: Option<InputId>,
    /// Where it is declared.
    pub span: Span,
}

/// What an element of an object, or of what a pointer points to, is made of.
#[derive(Clone, Debug)]
pub struct Class {
    /// A name for people: the type, or the variable.
    pub name: String,
    /// The cells of an element. A class of numbers has one field, without a name, with stride 1.
    pub fields: Vec<Field>,
}

/// Cells of each element of a class: cell `start + i_1 * stride_1 + … + i_n * stride_n + e * stride` of the region, for element `e` and all `i_k < count_k`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// How C writes it behind an element: nothing, `.next`, `.buffer`, `.point.x`.
    pub path: String,
    /// The region.
    pub region: RegionId,
    /// The first cell of element 0.
    pub start: u64,
    /// How far the cells of one element are from those of the next.
    pub stride: u64,
    /// The arrays that the field is in within an element, outer ones first; no dimension: one cell.
    pub dimensions: Vec<Dimension>,
}

impl Field {
    /// How many cells an element has.
    pub fn n_cells(&self) -> u64 {
        self.dimensions.iter().map(|dimension| dimension.count).product()
    }

    /// The offset in the region of a cell: the element, and the position in it.
    pub fn offset(&self, element: u64, position: u64) -> i64 {
        let mut rest = position;
        let mut offset = self.start + element * self.stride;
        for dimension in self.dimensions.iter().rev() {
            offset += rest % dimension.count * dimension.stride;
            rest /= dimension.count;
        }
        offset as i64
    }

    /// Which cell of its elements an offset in the region is, counting cells that are there only: the element, and the position in it. Nothing, if it is none
    /// of this field.
    pub fn cell(&self, offset: i64) -> Option<(u64, u64)> {
        let offset = u64::try_from(offset).ok()?.checked_sub(self.start)?;
        let element = offset / self.stride;
        let mut rest = offset % self.stride;
        let mut position = 0;
        for Dimension { count, stride } in &self.dimensions {
            let index = rest / stride;
            if index >= *count {
                return None;
            }
            position = position * count + index;
            rest %= stride;
        }
        (rest == 0).then_some((element, position))
    }
}

/// An array within an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dimension {
    /// How many elements it has.
    pub count: u64,
    /// How far they are from each other.
    pub stride: u64,
}

/// When a static object is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lifetime {
    /// In the whole run. Its cells hold 0 at first, but for those that [`Object::cells`] names.
    Static,
    /// From [`Manage::Begin`] to [`Manage::End`] or the return of this function, of which there is never more than one activation. Its cells are uninitialised at each beginning.
    Local(FunctionId),
}

/// What a cell holds at first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Initial {
    /// A number.
    Number(i128),
    /// A pointer to a static object, with its offset.
    Pointer(ObjectId, i64),
}

/// A static object.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its name, or the text of a string.
    pub name: String,
    /// What it is made of.
    pub class: ClassId,
    /// How many elements it has.
    pub count: u64,
    /// When it is there.
    pub lifetime: Lifetime,
    /// Cells that do not hold 0 at first: the region, the offset there, and what it holds.
    pub cells: Vec<(RegionId, i64, Initial)>,
    /// Nothing may be stored in it.
    pub is_constant: bool,
    /// Where it is declared.
    pub span: Span,
}

/// Where an object is allocated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Storage {
    /// On the heap: it is there until it is released.
    Heap,
    /// In the frame of the running function: it is there until it is released, or the function returns. It cannot be freed.
    Frame,
}

/// What is done to objects. All expressions are about the state before; they have neither inputs nor unknowns nor loads. What is not possible is a [`Misuse`].
#[derive(Clone, Debug)]
pub enum Manage {
    /// A local object begins. If it is there already it ends first: its cells are uninitialised again.
    Begin(ObjectId),
    /// A local object ends, if it is there.
    End(ObjectId),
    /// A new object; the result is a pointer to its first element. A negative count, or one above [`MOST`], is [`Misuse::Size`].
    Allocate {
        /// What it is made of.
        class: ClassId,
        /// How many elements it gets.
        count: Expr,
        /// Its cells hold 0; otherwise they are uninitialised.
        is_zeroed: bool,
        /// Where it is.
        storage: Storage,
        /// Where the pointer is stored.
        result: Place,
    },
    /// A new object on the heap with the cells of another one, as many as both have; the other is released. Of null, it is [`Manage::Allocate`].
    Reallocate {
        /// What it is made of.
        class: ClassId,
        /// The other object.
        pointer: Expr,
        /// How many elements it gets.
        count: Expr,
        /// Where the pointer is stored.
        result: Place,
    },
    /// An object ends. The pointer is to its first element, and it was allocated in that storage; null is nothing to release.
    Release {
        /// The object.
        pointer: Expr,
        /// Where it was allocated.
        storage: Storage,
    },
    /// All cells of so many elements, from a pointer on, hold a number; they must be there.
    Fill {
        /// What the pointer points to.
        class: ClassId,
        /// The first element.
        pointer: Expr,
        /// How many.
        count: Expr,
        /// The number.
        value: Expr,
    },
    /// All cells of so many elements are copied, as if at once. They must be there, on both sides. To copy is to read: an uninitialised number is chosen, and its copy is the same; a wild pointer stays one.
    Copy {
        /// What the pointers point to.
        class: ClassId,
        /// The first element that is stored.
        to: Expr,
        /// The first element that is read.
        from: Expr,
        /// How many.
        count: Expr,
    },
}

impl Manage {
    /// The expressions in it.
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            Manage::Begin(_) | Manage::End(_) => Vec::new(),
            Manage::Allocate { count, .. } => vec![count],
            Manage::Reallocate { pointer, count, .. } => vec![pointer, count],
            Manage::Release { pointer, .. } => vec![pointer],
            Manage::Fill { pointer, count, value, .. } => vec![pointer, count, value],
            Manage::Copy { to, from, count, .. } => vec![to, from, count],
        }
    }

    /// The expressions in it, to be changed.
    pub fn exprs_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Manage::Begin(_) | Manage::End(_) => Vec::new(),
            Manage::Allocate { count, .. } => vec![count],
            Manage::Reallocate { pointer, count, .. } => vec![pointer, count],
            Manage::Release { pointer, .. } => vec![pointer],
            Manage::Fill { pointer, count, value, .. } => vec![pointer, count, value],
            Manage::Copy { to, from, count, .. } => vec![to, from, count],
        }
    }

    /// Where it stores a pointer.
    pub fn result(&self) -> Option<Place> {
        match self {
            Manage::Allocate { result, .. } | Manage::Reallocate { result, .. } => Some(*result),
            _ => None,
        }
    }
}

/// The most elements that an object can have.
pub const MOST: i128 = 1 << 32;

/// What is wrong with a use of memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Misuse {
    /// A null pointer is followed.
    Null,
    /// A pointer is followed that points to no cell of its object.
    Bounds,
    /// A pointer is followed whose object is no longer there.
    Freed,
    /// A pointer is used that nothing was stored in.
    Uninitialised,
    /// Something is stored in a constant object.
    Constant,
    /// An object is released that is no longer there.
    DoubleFree,
    /// What is released was not allocated there, or the pointer is not to its beginning.
    BadFree,
    /// Pointers to different objects are subtracted, or compared by size.
    Unrelated,
    /// An object of a size that is not possible.
    Size,
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Misuse::Null => "a null pointer is followed",
            Misuse::Bounds => "an access is outside its object",
            Misuse::Freed => "an object is used that is no longer there",
            Misuse::Uninitialised => "an uninitialised pointer is used",
            Misuse::Constant => "something is stored in a constant",
            Misuse::DoubleFree => "an object is freed twice",
            Misuse::BadFree => "something is freed that was not allocated",
            Misuse::Unrelated => "pointers to different objects are compared or subtracted",
            Misuse::Size => "an object of a size that is not possible",
        })
    }
}

/// A pointer that nothing was stored in: the object before null. It is what pointer variables hold at first.
pub const WILD: i128 = -(1 << 64);

/// The number that a pointer is.
pub fn pack(object: i64, offset: i64) -> i128 {
    (i128::from(object) << 64) + i128::from(offset)
}

/// The object and the offset of a pointer.
///
/// # Panics
/// If the number is no pointer, but far beyond.
pub fn unpack(pointer: i128) -> (i64, i64) {
    let object = (pointer + (1 << 63)) >> 64;
    let offset = pointer - (object << 64);
    let small = |number: i128| i64::try_from(number).expect("a pointer is an object and an offset");
    (small(object), small(offset))
}

/// The pointer to the first element of a static object.
pub fn first(object: ObjectId) -> i128 {
    pack(i64::from(object.0) + 1, 0)
}

/// A part of the element that a pointer points to; nothing, if the number is too large.
pub fn member(pointer: i128, stride: u64, start: u64) -> Option<i128> {
    let object = (pointer + (1 << 63)) >> 64;
    let offset = pointer - (object << 64);
    let scaled = offset.checked_mul(stride.into())?.checked_add(start.into())?;
    (i64::try_from(scaled).is_ok()).then(|| (object << 64) + scaled)
}

/// How far two pointers are from each other.
pub fn difference(left: i128, right: i128) -> Result<i128, Misuse> {
    let object = |pointer: i128| (pointer + (1 << 63)) >> 64;
    match (object(left), object(right)) {
        (-1, _) | (_, -1) => Err(Misuse::Uninitialised),
        (one, other) if one == other => Ok(left - right),
        _ => Err(Misuse::Unrelated),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_are_numbers() {
        for (object, offset) in [(0, 0), (3, 7), (3, -1), (1, i64::MAX), (2, i64::MIN), (-1, 5)] {
            assert_eq!(unpack(pack(object, offset)), (object, offset));
        }
        assert_eq!(unpack(pack(3, 0) - 1 + 1), (3, 0));
        assert_eq!((unpack(0), unpack(WILD)), ((0, 0), (-1, 0)));
        assert_eq!(member(pack(3, 2), 5, 1), Some(pack(3, 11)));
        assert_eq!(difference(pack(3, 2), pack(3, 5)), Ok(-3));
        assert_eq!(difference(pack(3, 2), pack(4, 2)), Err(Misuse::Unrelated));
        assert_eq!(difference(WILD, WILD), Err(Misuse::Uninitialised));
    }

    #[test]
    fn cells_of_a_field() {
        let dimension = |count, stride| Dimension { count, stride };
        let field = |start, stride, dimensions| Field {
            path: String::new(),
            region: RegionId(0),
            start,
            stride,
            dimensions,
        };
        let single = field(0, 1, Vec::new());
        assert_eq!((single.cell(7), single.cell(-1)), (Some((7, 0)), None));
        let pairs = field(10, 100, vec![dimension(3, 20), dimension(2, 1)]);
        assert_eq!(pairs.n_cells(), 6);
        assert_eq!(pairs.cell(10), Some((0, 0)));
        assert_eq!(pairs.cell(131), Some((1, 3)));
        assert_eq!((pairs.cell(9), pairs.cell(12), pairs.cell(70)), (None, None, None));
    }
}

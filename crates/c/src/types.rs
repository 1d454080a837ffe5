//! Types of C, as far as integers need them: widths, signs, sizes, and what is no integer at all.

use crate::token::Name;
use integers::Type;
use std::rc::Rc;

/// How large the types are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DataModel {
    /// `int`, `long` and pointers have 32 bits.
    Ilp32,
    /// `int` has 32 bits, `long` and pointers have 64.
    #[default]
    Lp64,
}

impl DataModel {
    /// The bits of a pointer, and of `long`.
    pub(crate) fn word(self) -> u8 {
        match self {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        }
    }
}

/// A type of C.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Ty {
    Void,
    Int(Integer),
    /// Of so many bytes.
    Float(u8),
    Pointer(Rc<Ty>),
    /// With a number of elements, if it is known.
    Array(Rc<Ty>, Option<u64>),
    Record(Rc<Record>),
    Function(Rc<Signature>),
    /// What extensions have and nobody asks about.
    Other,
}

/// A type of integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Integer {
    /// Its width and sign; `_Bool` is one unsigned bit here.
    pub(crate) ty: Type,
    pub(crate) is_bool: bool,
}

impl Integer {
    pub(crate) const INT: Integer = Integer::signed(32);
    pub(crate) const BOOL: Integer = Integer { ty: Type::unsigned(1), is_bool: true };

    pub(crate) const fn signed(bits: u8) -> Self {
        Self { ty: Type::signed(bits), is_bool: false }
    }

    pub(crate) const fn unsigned(bits: u8) -> Self {
        Self { ty: Type::unsigned(bits), is_bool: false }
    }

    /// The type of arithmetic on it.
    pub(crate) fn promoted(self) -> Self {
        if self.ty.bits < 32 { Self::INT } else { self }
    }

    /// The type of arithmetic on the two.
    pub(crate) fn usual(self, other: Self) -> Self {
        let (a, b) = (self.promoted(), other.promoted());
        match a.ty.bits.cmp(&b.ty.bits) {
            std::cmp::Ordering::Greater => a,
            std::cmp::Ordering::Less => b,
            std::cmp::Ordering::Equal if a.ty.signed => b,
            std::cmp::Ordering::Equal => a,
        }
    }
}

/// A structure or union.
#[derive(Debug)]
pub(crate) struct Record {
    pub(crate) fields: Vec<(Name, Ty)>,
    /// Its size and alignment in bytes, if they are known.
    pub(crate) layout: Option<(u64, u64)>,
}

/// Records are equal if they are the same: the type is never copied by value.
impl PartialEq for Record {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Record {}

/// The type of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Signature {
    pub(crate) result: Ty,
    /// Their types; `None` where `()` leaves them open.
    pub(crate) params: Option<Vec<Ty>>,
    pub(crate) is_variadic: bool,
}

impl Ty {
    /// The integer type, if it is one.
    pub(crate) fn integer(&self) -> Option<Integer> {
        match self {
            Ty::Int(integer) => Some(*integer),
            _ => None,
        }
    }

    /// Size and alignment in bytes, if they are known.
    pub(crate) fn layout(&self, model: DataModel) -> Option<(u64, u64)> {
        let word = u64::from(model.word() / 8);
        match self {
            Ty::Void | Ty::Function(_) => Some((1, 1)),
            Ty::Int(integer) => {
                let size = u64::from(integer.ty.bits).div_ceil(8);
                Some((size, if model == DataModel::Ilp32 { size.min(4) } else { size }))
            }
            Ty::Float(size) => {
                let size = u64::from(*size);
                Some((size, if model == DataModel::Ilp32 { size.min(4) } else { size }))
            }
            Ty::Pointer(_) => Some((word, word)),
            Ty::Array(element, count) => {
                let (size, align) = element.layout(model)?;
                Some((size.checked_mul((*count)?)?, align))
            }
            Ty::Record(record) => record.layout,
            Ty::Other => None,
        }
    }

    /// The type of a value of this type when it is used: arrays and functions become pointers.
    pub(crate) fn decayed(self) -> Ty {
        match self {
            Ty::Array(element, _) => Ty::Pointer(element),
            Ty::Function(_) => Ty::Pointer(Rc::new(self)),
            other => other,
        }
    }

    /// What it is called in messages.
    pub(crate) fn describe(&self) -> &'static str {
        match self {
            Ty::Void => "nothing",
            Ty::Int(_) => "an integer",
            Ty::Float(_) => "a floating-point number",
            Ty::Pointer(_) => "a pointer",
            Ty::Array(..) => "an array",
            Ty::Record(_) => "a structure",
            Ty::Function(_) => "a function",
            Ty::Other => "a value that is no integer",
        }
    }
}

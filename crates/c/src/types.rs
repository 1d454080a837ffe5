//! Types of C, as far as integers need them: widths, signs, sizes, and what is no integer at all.

use crate::token::Name;
use integers::Type;
use rustc_hash::FxHashSet;
use std::rc::Rc;

base::index_type! {
    /// A structure or union: a position in the list of a file.
    RecordId;
    /// An enumeration that was named before it was defined.
    EnumId;
}

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
    /// An integer, or an enumeration, which is one of the integer types.
    Int(Integer),
    /// An enumeration that is not defined yet.
    Enum(EnumId),
    /// Of so many bytes.
    Float(u8),
    Pointer(Rc<Qualified>),
    /// With a number of elements, if it is known.
    Array(Rc<Qualified>, Option<u64>),
    Record(RecordId),
    Function(Rc<Signature>),
    /// What extensions have and nobody asks about.
    Other,
}

/// A type of objects, and what may happen to them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Qualified {
    pub(crate) bare: Ty,
    /// The program does not change them.
    pub(crate) is_const: bool,
    /// Others than the program may change them.
    pub(crate) is_volatile: bool,
    depth: u16,
}

impl From<Ty> for Qualified {
    fn from(bare: Ty) -> Self {
        let depth = bare.depth();
        Self { bare, is_const: false, is_volatile: false, depth }
    }
}

/// A type of integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Integer {
    /// Its width and sign; `_Bool` is one unsigned bit here.
    pub(crate) ty: Type,
    /// Which of the types of that width it is.
    pub(crate) rank: Rank,
}

/// Types of the same width and sign are different types nevertheless; later ones win when they meet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Rank {
    Bool,
    /// A member of a structure that has fewer bits than its type.
    BitField,
    /// `char` without `signed` or `unsigned`.
    PlainChar,
    Char,
    Short,
    Int,
    Long,
    LongLong,
}

impl Integer {
    pub(crate) const INT: Integer = Integer::signed(32);
    pub(crate) const PLAIN_CHAR: Integer = Integer { ty: Type::signed(8), rank: Rank::PlainChar };
    pub(crate) const BOOL: Integer = Integer { ty: Type::unsigned(1), rank: Rank::Bool };

    pub(crate) const fn signed(bits: u8) -> Self {
        Self { ty: Type::signed(bits), rank: usual_rank(bits) }
    }

    pub(crate) const fn unsigned(bits: u8) -> Self {
        Self { ty: Type::unsigned(bits), rank: usual_rank(bits) }
    }

    /// A value is true or false.
    pub(crate) fn is_bool(self) -> bool {
        self.rank == Rank::Bool
    }

    /// A member of so many bits.
    pub(crate) fn narrowed(self, bits: u8) -> Self {
        if self.is_bool() || bits == self.ty.bits {
            return self;
        }
        Self { ty: Type { bits, ..self.ty }, rank: Rank::BitField }
    }

    /// The type of arithmetic on it.
    pub(crate) fn promoted(self) -> Self {
        if self.ty.bits < 32 { Self::INT } else { self }
    }

    /// The type of arithmetic on the two.
    pub(crate) fn usual(self, other: Self) -> Self {
        let (a, b) = (self.promoted(), other.promoted());
        let rank = a.rank.max(b.rank);
        match a.ty.bits.cmp(&b.ty.bits) {
            std::cmp::Ordering::Greater => a,
            std::cmp::Ordering::Less => b,
            std::cmp::Ordering::Equal if a.ty.signed => Self { rank, ..b },
            std::cmp::Ordering::Equal => Self { rank, ..a },
        }
    }
}

/// The type of so many bits that most programs mean.
const fn usual_rank(bits: u8) -> Rank {
    match bits {
        8 => Rank::Char,
        16 => Rank::Short,
        32 => Rank::Int,
        64 => Rank::Long,
        _ => Rank::BitField,
    }
}

/// A structure or union.
#[derive(Debug)]
pub(crate) struct Record {
    /// Its tag.
    pub(crate) name: Option<Name>,
    pub(crate) is_union: bool,
    /// Its members; `None` as long as it is not defined.
    pub(crate) fields: Option<Vec<Field>>,
    /// Its size and alignment in bytes, if they are known.
    pub(crate) layout: Option<(u64, u64)>,
}

/// A member of a structure or union.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: Name,
    pub(crate) ty: Qualified,
    /// It is where others are: the union without a name that it is a member of.
    pub(crate) within: Option<RecordId>,
    /// Where it begins in its structure, in bytes, if that is known.
    pub(crate) offset: Option<u64>,
}

/// The type of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Signature {
    pub(crate) result: Ty,
    /// Their types; `None` where `()` leaves them open.
    pub(crate) params: Option<Vec<Ty>>,
    pub(crate) is_variadic: bool,
    depth: u16,
}

impl Ty {
    /// How deeply pointers, arrays and functions are nested in it.
    pub(crate) fn depth(&self) -> u16 {
        match self {
            Ty::Pointer(inner) | Ty::Array(inner, _) => inner.depth.saturating_add(1),
            Ty::Function(signature) => signature.depth.saturating_add(1),
            _ => 0,
        }
    }

    /// The integer type, if it is one.
    pub(crate) fn integer(&self) -> Option<Integer> {
        match self {
            Ty::Int(integer) => Some(*integer),
            _ => None,
        }
    }

    /// The type of a value of this type when it is used: arrays and functions become pointers.
    pub(crate) fn decayed(self) -> Ty {
        match self {
            Ty::Array(element, _) => Ty::Pointer(element),
            Ty::Function(_) => Ty::Pointer(Rc::new(self.into())),
            other => other,
        }
    }

    /// Whether C takes the two for one type. What is not known about them does not set them apart.
    pub(crate) fn is_compatible(&self, other: &Ty) -> bool {
        Comparison::default().types(self, other)
    }

    /// What it is called in messages.
    pub(crate) fn describe(&self) -> &'static str {
        match self {
            Ty::Void => "nothing",
            Ty::Int(_) => "an integer",
            Ty::Enum(_) => "an enumeration that is not defined",
            Ty::Float(_) => "a floating-point number",
            Ty::Pointer(_) => "a pointer",
            Ty::Array(..) => "an array",
            Ty::Record(_) => "a structure",
            Ty::Function(_) => "a function",
            Ty::Other => "a value that is no integer",
        }
    }
}

impl Qualified {
    /// Another type of objects to which the same may happen.
    pub(crate) fn with(&self, bare: Ty) -> Self {
        Self { is_const: self.is_const, is_volatile: self.is_volatile, ..bare.into() }
    }

    /// To which also happens what may happen to objects of another type.
    pub(crate) fn like(self, other: &Self) -> Self {
        Self {
            is_const: self.is_const || other.is_const,
            is_volatile: self.is_volatile || other.is_volatile,
            ..self
        }
    }

    /// Whether C takes the two for one type.
    pub(crate) fn is_compatible(&self, other: &Self) -> bool {
        Comparison::default().objects(self, other)
    }
}

impl Signature {
    pub(crate) fn new(result: Ty, params: Option<Vec<Ty>>, is_variadic: bool) -> Self {
        let all = params.iter().flatten().chain([&result]);
        let depth = all.map(Ty::depth).max().unwrap_or(0);
        Self { result, params, is_variadic, depth }
    }

    /// Whether both may be declared of one function.
    pub(crate) fn is_compatible(&self, other: &Self) -> bool {
        Comparison::default().functions(self, other)
    }
}

/// The comparison of two types, of which parts may occur very often.
#[derive(Default)]
struct Comparison {
    /// Parts that are the same, by where they are.
    same: FxHashSet<(usize, usize)>,
}

impl Comparison {
    fn types(&mut self, one: &Ty, two: &Ty) -> bool {
        match (one, two) {
            (Ty::Pointer(one), Ty::Pointer(two)) => self
                .once((Rc::as_ptr(one).addr(), Rc::as_ptr(two).addr()), |comparison| {
                    comparison.objects(one, two)
                }),
            (Ty::Array(one, n), Ty::Array(two, m)) => {
                (n == m || n.is_none() || m.is_none()) && self.objects(one, two)
            }
            (Ty::Function(one), Ty::Function(two)) => self
                .once((Rc::as_ptr(one).addr(), Rc::as_ptr(two).addr()), |comparison| {
                    comparison.functions(one, two)
                }),
            (Ty::Enum(one), Ty::Enum(two)) => one == two,
            (Ty::Enum(_), Ty::Int(_)) | (Ty::Int(_), Ty::Enum(_)) => true,
            (Ty::Other, _) | (_, Ty::Other) => true,
            _ => one == two,
        }
    }

    /// Compares two parts, unless they are the same, or have been compared: the first difference ends it all.
    fn once(&mut self, parts: (usize, usize), compare: impl FnOnce(&mut Self) -> bool) -> bool {
        parts.0 == parts.1 || !self.same.insert(parts) || compare(self)
    }

    fn objects(&mut self, one: &Qualified, two: &Qualified) -> bool {
        one.is_const == two.is_const && one.is_volatile == two.is_volatile && self.types(&one.bare, &two.bare)
    }

    fn functions(&mut self, one: &Signature, two: &Signature) -> bool {
        self.types(&one.result, &two.result)
            && match (&one.params, &two.params) {
                (Some(left), Some(right)) => {
                    one.is_variadic == two.is_variadic
                        && left.len() == right.len()
                        && left.iter().zip(right).all(|(left, right)| self.types(left, right))
                }
                (Some(params), None) => !one.is_variadic && params.iter().all(Ty::is_passed_as_it_is),
                (None, Some(params)) => !two.is_variadic && params.iter().all(Ty::is_passed_as_it_is),
                (None, None) => true,
            }
    }
}

impl Ty {
    /// Whether an argument for a parameter of this type stays what it is where the parameters are not known.
    fn is_passed_as_it_is(&self) -> bool {
        match self {
            Ty::Int(integer) => integer.ty.bits >= 32,
            Ty::Float(size) => *size > 4,
            _ => true,
        }
    }
}

//! Expressions as postfix code: operands before operators, so every pass over one is a loop.
//!
//! Invariant: reading the code from left to right with a stack leaves exactly one value. Each occurrence of `*` is an
//! operation of its own, used once; hence the possible values of an expression can be found operand by operand.

use crate::machine::Place;
use std::sync::Arc;

/// The type of a variable or an expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// `bool`: 0 is F, 1 is T.
    Bool,
    /// `int<N>`, 1 ≤ N ≤ 64: 0 … 2^N − 1.
    Int(u8),
    /// `enum { … }`: values are positions in the list.
    Enum(Arc<[String]>),
}

impl Type {
    /// The largest value; values are 0 … this.
    pub fn max(&self) -> u64 {
        match self {
            Type::Bool => 1,
            Type::Int(width) => u64::MAX >> (64 - u32::from(*width)),
            Type::Enum(names) => names.len() as u64 - 1,
        }
    }

    /// How many bits a value takes.
    pub fn n_bits(&self) -> u32 {
        64 - self.max().leading_zeros()
    }

    /// A value as the user writes it.
    pub fn value_name(&self, value: u64) -> String {
        match self {
            Type::Bool => (if value == 0 { "F" } else { "T" }).to_owned(),
            Type::Int(_) => value.to_string(),
            Type::Enum(names) => names[value as usize].clone(),
        }
    }
}

/// Operators with two operands of one type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Binary {
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
    /// `=>`
    Implies,
    /// `<=>`, and `=` of any type
    Equal,
    /// `!=`
    NotEqual,
    /// `<`, unsigned
    Less,
    /// `<=`
    LessEqual,
    /// `+`, wraps
    Add,
    /// `-`, wraps
    Subtract,
    /// `*`, wraps
    Multiply,
}

/// Why a `*` may be any value. Both mean the same to runs; a run that rests on ignorance may be none of the program that the machine
/// stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Freedom {
    /// The value comes from outside, and each of them can come. All that Boolean programs have is of this kind.
    Input,
    /// There is one value, but the machine does not say which: it is an abstraction of something that knows.
    Ignorance,
}

/// An operation of postfix code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operation {
    /// A constant.
    Constant(u64),
    /// The value of a variable.
    Read(Place),
    /// The value of a variable after the assignment, `x'`; only in the `constrain` part of an assignment.
    ReadNext(Place),
    /// `*`: any value of its type.
    Choice(Freedom),
    /// `!`
    Not,
    /// Unary `-`, wraps
    Negate,
    /// An operator with two operands: the left one was pushed first.
    Binary(Binary),
    /// `c ? a : b`, operands pushed in this order.
    Conditional,
    /// `schoose[p, n]`, operands pushed in this order: T if `p`, else F if `n`, else either.
    Schoose,
}

/// One operation and the type of its result. The operands of comparisons have the type of their own results.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Term {
    /// What is done.
    pub operation: Operation,
    /// The type of the result.
    pub ty: Type,
}

/// An expression in postfix code.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Expr {
    /// Operands before operators; never empty.
    pub code: Box<[Term]>,
}

impl Expr {
    /// A constant.
    pub fn constant(value: u64, ty: Type) -> Self {
        Self { code: Box::new([Term { operation: Operation::Constant(value), ty }]) }
    }

    /// The value of a variable.
    pub fn read(place: Place, ty: Type) -> Self {
        Self { code: Box::new([Term { operation: Operation::Read(place), ty }]) }
    }

    /// `*` of a type, an input.
    pub fn choice(ty: Type) -> Self {
        Self { code: Box::new([Term { operation: Operation::Choice(Freedom::Input), ty }]) }
    }

    /// The negation of a Boolean expression.
    pub fn negated(&self) -> Self {
        let mut code = self.code.to_vec();
        code.push(Term { operation: Operation::Not, ty: Type::Bool });
        Self { code: code.into() }
    }

    /// The type of the value.
    pub fn ty(&self) -> &Type {
        &self.code[self.code.len() - 1].ty
    }

    /// The expression is the constant `T`.
    pub fn is_true(&self) -> bool {
        matches!(&*self.code, [Term { operation: Operation::Constant(1), ty: Type::Bool }])
    }

    /// The expression is `*` and nothing else.
    pub fn is_choice(&self) -> bool {
        matches!(&*self.code, [Term { operation: Operation::Choice(_), .. }])
    }

    /// `*` (or `schoose`) occurs in it.
    pub fn has_choice(&self) -> bool {
        self.code.iter().any(|t| matches!(t.operation, Operation::Choice(_) | Operation::Schoose))
    }

    /// The variables whose old values it reads.
    pub fn reads(&self) -> impl Iterator<Item = Place> {
        self.code.iter().filter_map(|t| if let Operation::Read(p) = t.operation { Some(p) } else { None })
    }

    /// The variables whose new values it reads.
    pub fn reads_next(&self) -> impl Iterator<Item = Place> {
        self.code.iter().filter_map(|t| if let Operation::ReadNext(p) = t.operation { Some(p) } else { None })
    }
}

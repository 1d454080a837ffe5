//! What an expression may evaluate to, for all states at once.
//!
//! Each `*` of an expression is used once, so the possible values of an operator's operands are independent of each other,
//! and the possible values of the whole can be found operand by operand. For Booleans that takes two diagrams and no variable for the choice.

use dd::{Bdd, Exhausted, Level, Manager};
use rsm::Type;

/// The possible values of an expression.
#[derive(Clone, Debug)]
pub enum Value {
    /// Of a Boolean: the states in which it can be true, and those in which it can be false.
    Bool {
        /// Can be true.
        yes: Bdd,
        /// Can be false.
        no: Bdd,
    },
    /// Of an integer or an enumeration: alternatives, one of which applies.
    Word(Vec<Alternative>),
}

/// One possible value.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// The states in which it is possible; may depend on `scratch`.
    pub given: Bdd,
    /// The value, the lowest bit first; `None` for any value of the type.
    pub bits: Option<Vec<Bdd>>,
    /// Levels that stand for choices in `given` and `bits`.
    pub scratch: Vec<Level>,
}

impl Alternative {
    /// A value that depends on the state alone.
    pub fn known(bits: Vec<Bdd>) -> Self {
        Self { given: Bdd::TRUE, bits: Some(bits), scratch: Vec::new() }
    }

    /// Any value.
    pub fn any() -> Self {
        Self { given: Bdd::TRUE, bits: None, scratch: Vec::new() }
    }
}

impl Value {
    /// A Boolean without choice.
    pub fn condition(yes: Bdd) -> Self {
        Self::Bool { yes, no: yes.complement() }
    }

    /// A constant.
    pub fn constant(value: u64, ty: &Type) -> Self {
        match ty {
            Type::Bool => Self::condition(Bdd::constant(value != 0)),
            _ => Self::Word(vec![Alternative::known(constant_bits(value, ty))]),
        }
    }

    /// A value given by its bits.
    pub fn of_bits(bits: Vec<Bdd>, ty: &Type) -> Self {
        match ty {
            Type::Bool => Self::condition(bits[0]),
            _ => Self::Word(vec![Alternative::known(bits)]),
        }
    }

    /// The bits, if the value depends on the state alone.
    pub fn function(&self) -> Option<Vec<Bdd>> {
        match self {
            Self::Bool { yes, no } => (*no == yes.complement()).then(|| vec![*yes]),
            Self::Word(alternatives) => match &alternatives[..] {
                [Alternative { given: Bdd::TRUE, bits: Some(bits), scratch }] if scratch.is_empty() => {
                    Some(bits.clone())
                }
                _ => None,
            },
        }
    }

    /// The states in which a Boolean can be true, and can be false.
    ///
    /// # Panics
    /// If the value is no Boolean; expressions are typed.
    pub fn truth(&self) -> (Bdd, Bdd) {
        match self {
            Self::Bool { yes, no } => (*yes, *no),
            Self::Word(_) => panic!("a Boolean was expected"),
        }
    }

    /// The alternatives of an integer or an enumeration.
    ///
    /// # Panics
    /// If the value is a Boolean.
    pub fn word(self) -> Vec<Alternative> {
        match self {
            Self::Word(alternatives) => alternatives,
            Self::Bool { .. } => panic!("an integer was expected"),
        }
    }
}

/// The bits of a constant.
pub(crate) fn constant_bits(value: u64, ty: &Type) -> Vec<Bdd> {
    (0..ty.n_bits()).map(|bit| Bdd::constant(value >> bit & 1 == 1)).collect()
}

/// The variables of some levels.
pub(crate) fn variables(dd: &mut Manager, levels: &[Level]) -> Result<Vec<Bdd>, Exhausted> {
    levels.iter().map(|&level| dd.variable(level)).collect()
}

//! Types, variables and their names.

use crate::dice::Dice;
use std::fmt;

/// The enumerations, which share enumerators in different positions.
const ENUMS: [&[&str]; 3] = [&["idle", "busy"], &["busy", "idle", "done"], &["red", "green", "done"]];

/// What a variable holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    Bool,
    /// An integer of so many bits.
    Int(usize),
    /// One of these names.
    Enum(&'static [&'static str]),
}

impl Type {
    /// A type of at most so many bits; there is at least one.
    pub fn random(dice: &mut Dice, bits: usize) -> Self {
        match dice.below(10) {
            0..=2 => Self::Int(1 + dice.below(bits.min(3))),
            3 if bits >= 2 => Self::Enum(dice.pick(&ENUMS)),
            3 => Self::Enum(ENUMS[0]),
            _ => Self::Bool,
        }
    }

    /// The first of its values.
    pub fn first(self) -> String {
        match self {
            Self::Bool => "F".to_owned(),
            Self::Int(_) => "0".to_owned(),
            Self::Enum(names) => names[0].to_owned(),
        }
    }

    /// One of the others.
    pub fn other(self, dice: &mut Dice) -> String {
        match self {
            Self::Bool => "T".to_owned(),
            Self::Int(width) => (1 + dice.below((1 << width) - 1)).to_string(),
            Self::Enum(names) => dice.pick(&names[1..]).to_owned(),
        }
    }

    pub fn bits(self) -> usize {
        match self {
            Self::Bool => 1,
            Self::Int(width) => width,
            Self::Enum(names) => names.len().next_power_of_two().ilog2() as usize,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool => write!(f, "bool"),
            Self::Int(width) => write!(f, "int<{width}>"),
            Self::Enum(names) => write!(f, "enum {{{}}}", names.join(", ")),
        }
    }
}

/// A global, a local or a parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    pub name: String,
    pub of: Type,
}

impl Variable {
    /// It has a value that it mostly does not have at first.
    pub fn has_changed(&self, dice: &mut Dice) -> String {
        let name = &self.name;
        match (self.of, dice.below(4)) {
            (Type::Bool, 0) => format!("!{name}"),
            (Type::Bool, _) => name.clone(),
            (of, 0) => format!("{name} = {}", of.first()),
            (of, 1) => format!("{name} != {}", of.first()),
            (of, _) => format!("{name} = {}", of.other(dice)),
        }
    }

    /// As it is declared; a Boolean need not say so.
    pub fn declaration(&self, dice: &mut Dice) -> String {
        match self.of {
            Type::Bool if dice.chance(70) => self.name.clone(),
            of => format!("{} : {of}", self.name),
        }
    }
}

/// Some variables with these names, of at most so many bits together.
pub fn variables(dice: &mut Dice, names: &[&str], bits: usize) -> Vec<Variable> {
    let mut left = bits;
    let mut variables = Vec::new();
    for name in names {
        if left == 0 || (!variables.is_empty() && dice.chance(15)) {
            break;
        }
        let of = Type::random(dice, left);
        left -= of.bits();
        variables.push(Variable { name: (*name).to_owned(), of });
    }
    variables
}

//! What variables and cells hold in many runs at once.

use crate::terms::{Bool, Int, NO, Terms, YES};
use integers::memory::unpack;
use std::rc::Rc;

/// Why runs are not followed: something is not represented here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Beyond(pub &'static str);

impl From<crate::terms::TooWide> for Beyond {
    fn from(_: crate::terms::TooWide) -> Self {
        Beyond("a number may have too many bits")
    }
}

/// A pointer that some runs have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Alternative {
    /// Which runs. Those of the alternatives of one pointer exclude each other, and one of them holds.
    pub guard: Bool,
    /// The number of the object: 0 for null, -1 for a pointer that nothing was stored in.
    pub object: i64,
    /// The element.
    pub offset: Int,
}

/// What a variable, a cell or an expression holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// A number; 0 is null as well.
    Number(Int),
    /// A pointer.
    Pointer(Rc<[Alternative]>),
    /// Nobody knows it.
    Unknown,
}

/// More pointers that one variable may hold are not told apart.
const MOST_ALTERNATIVES: usize = 64;

impl Value {
    /// The pointer to an element of an object.
    pub fn pointer(object: i64, offset: Int) -> Self {
        Value::Pointer([Alternative { guard: YES, object, offset }].into())
    }

    /// A number that is known, or the pointer that it is.
    pub fn constant(terms: &mut Terms, number: i128) -> Self {
        if (-(1 << 64) - (1 << 62)..(-(1 << 64) + (1 << 62))).contains(&number) || number >= 1 << 64 {
            let (object, offset) = unpack(number);
            return Value::pointer(object, terms.constant(offset.into()));
        }
        Value::Number(terms.constant(number))
    }

    /// The alternatives of a pointer.
    pub fn alternatives(&self, terms: &Terms) -> Result<Rc<[Alternative]>, Beyond> {
        match self {
            Value::Pointer(alternatives) => Ok(alternatives.clone()),
            Value::Number(int) if terms.known(*int) == Some(0) => {
                Ok([Alternative { guard: YES, object: 0, offset: *int }].into())
            }
            Value::Number(_) => Err(Beyond("a number is used as a pointer")),
            Value::Unknown => Err(Beyond("an unknown pointer is used")),
        }
    }

    /// One value where a condition holds, another where it does not.
    pub fn choose(terms: &mut Terms, condition: Bool, yes: &Value, no: &Value) -> Result<Value, Beyond> {
        if condition == YES || yes == no {
            return Ok(yes.clone());
        }
        if condition == NO {
            return Ok(no.clone());
        }
        match (yes, no) {
            (Value::Unknown, _) | (_, Value::Unknown) => Ok(Value::Unknown),
            (Value::Number(yes), Value::Number(no)) => Ok(Value::Number(terms.choose(condition, *yes, *no))),
            _ => {
                let (yes, no) = (yes.alternatives(terms)?, no.alternatives(terms)?);
                let other = terms.not(condition);
                let mut pointers = Pointers::default();
                for (alternatives, condition) in [(yes, condition), (no, other)] {
                    for alternative in alternatives.iter() {
                        let guard = terms.and(condition, alternative.guard);
                        pointers.add(terms, Alternative { guard, ..*alternative });
                    }
                }
                pointers.value()
            }
        }
    }
}

/// Alternatives that are collected; those of one object are one.
#[derive(Default)]
pub struct Pointers(Vec<Alternative>);

impl Pointers {
    /// Adds one, which excludes the others.
    pub fn add(&mut self, terms: &mut Terms, new: Alternative) {
        if new.guard == NO {
            return;
        }
        match self.0.iter_mut().find(|old| old.object == new.object) {
            Some(old) => {
                old.offset = terms.choose(new.guard, new.offset, old.offset);
                old.guard = terms.or(old.guard, new.guard);
            }
            None => self.0.push(new),
        }
    }

    /// The pointer.
    pub fn value(self) -> Result<Value, Beyond> {
        match self.0.len() {
            1..=MOST_ALTERNATIVES => Ok(Value::Pointer(self.0.into())),
            0 => Err(Beyond("a pointer points nowhere")),
            _ => Err(Beyond("a pointer may point to very many objects")),
        }
    }
}

//! How many threads of a kind there are.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

/// A number of threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// So many.
    Number(NonZeroU32),
    /// Any number, which is written `*`.
    Any,
}

/// A text that is no number of threads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoCount {
    /// The text.
    pub found: String,
}

impl Count {
    /// So many threads; none if there are none.
    pub fn number(n: u32) -> Option<Self> {
        NonZeroU32::new(n).map(Self::Number)
    }

    /// There may be more than one.
    pub(super) fn is_several(self) -> bool {
        match self {
            Self::Number(n) => n.get() > 1,
            Self::Any => true,
        }
    }

    /// `1 adder`, `2 adders`, `any number of adders`.
    pub(super) fn of(self, what: &str) -> String {
        match self {
            Self::Number(n) if n.get() == 1 => format!("1 {what}"),
            Self::Number(n) => format!("{n} {what}s"),
            Self::Any => format!("any number of {what}s"),
        }
    }
}

/// As it stands in brackets after the name of a thread.
impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(n) => write!(f, "{n}"),
            Self::Any => write!(f, "*"),
        }
    }
}

impl FromStr for Count {
    type Err = NoCount;

    fn from_str(text: &str) -> Result<Self, NoCount> {
        match text {
            "*" => Ok(Self::Any),
            _ => text.parse().map(Self::Number).map_err(|_| NoCount { found: text.to_owned() }),
        }
    }
}

impl fmt::Display for NoCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected a number of threads from 1, or `*`, found `{}`", self.found)
    }
}

impl std::error::Error for NoCount {}

//! Values that completion scripts offer where others may be given as well, or are refused later in better words.

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::error::Error;
use clap::{Arg, Command};
use std::ffi::OsStr;

/// Any text, with some that are known.
#[derive(Clone, Copy)]
pub struct Known {
    names: fn() -> Vec<&'static str>,
}

impl Known {
    /// The algorithms; a file is one as well.
    pub const ALGORITHMS: Self =
        Self { names: || checker::ALGORITHMS.iter().map(|algorithm| algorithm.name).collect() };

    /// The families of programs.
    pub const FAMILIES: Self =
        Self { names: || generate::FAMILIES.iter().map(|family| family.name).collect() };

    /// What can be left out; a list with commas as well.
    pub const REDUCTIONS: Self = Self { names: crate::check::reductions };
}

impl TypedValueParser for Known {
    type Value = String;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.names)().into_iter().map(PossibleValue::new)))
    }
}

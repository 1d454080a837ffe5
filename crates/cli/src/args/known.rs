//! Values that completion scripts offer: those of a list, and those beside which others may be given as well, or are refused later in better words.

use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::error::Error;
use clap::{Arg, Command};
use getafix::options::Named;
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
    pub const REDUCTIONS: Self = Self { names: getafix::reductions };
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

/// One of the values that have a name.
pub fn one_of<T: Named>() -> impl TypedValueParser<Value = T> {
    let names = T::ALL.iter().map(|(_, name, about)| PossibleValue::new(*name).help(about.trim()));
    PossibleValuesParser::new(names).map(|name| T::named(&name).expect("it is one of the names"))
}

//! Which reductions are wanted, by name.

use std::fmt;
use std::str::FromStr;

/// A switch for each reduction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reductions {
    /// Drop what no path from the start leads to.
    pub dead_code: bool,
    /// Drop points that only lead on to another point.
    pub jump_chains: bool,
    /// Make one block of steps that always follow each other.
    pub straight_lines: bool,
    /// Forget a variable where its value no longer matters.
    pub live_variables: bool,
    /// Forget variables that no condition depends on.
    pub cone: bool,
}

/// A text names no reduction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownReduction {
    /// What was written.
    pub name: String,
}

impl Reductions {
    /// Every reduction.
    pub const ALL: Self =
        Self { dead_code: true, jump_chains: true, straight_lines: true, live_variables: true, cone: true };

    /// No reduction: the view is the whole program.
    pub const NONE: Self = Self {
        dead_code: false,
        jump_chains: false,
        straight_lines: false,
        live_variables: false,
        cone: false,
    };

    /// The name of each reduction and what it does.
    pub const NAMES: [(&'static str, &'static str); 5] = [
        ("dead-code", "drop statements and functions that no path from the start of main leads to"),
        ("jump-chains", "pass over statements that only lead on to another statement"),
        ("straight-lines", "make one step of statements that always follow each other"),
        ("live-variables", "forget a variable where its value no longer matters"),
        ("cone", "forget variables that no condition depends on"),
    ];

    /// The switch of a reduction, found by its name.
    pub fn switch(&mut self, name: &str) -> Result<&mut bool, UnknownReduction> {
        match name {
            "dead-code" => Ok(&mut self.dead_code),
            "jump-chains" => Ok(&mut self.jump_chains),
            "straight-lines" => Ok(&mut self.straight_lines),
            "live-variables" => Ok(&mut self.live_variables),
            "cone" => Ok(&mut self.cone),
            _ => Err(UnknownReduction { name: name.to_owned() }),
        }
    }
}

/// `all`, `none`, or names with commas between them.
impl FromStr for Reductions {
    type Err = UnknownReduction;

    fn from_str(text: &str) -> Result<Self, UnknownReduction> {
        match text {
            "all" => return Ok(Self::ALL),
            "none" => return Ok(Self::NONE),
            _ => {}
        }
        let mut which = Self::NONE;
        for name in text.split(',') {
            *which.switch(name.trim())? = true;
        }
        Ok(which)
    }
}

/// As it is read.
impl fmt::Display for Reductions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut copy = *self;
        let is_on = |&&(name, _): &&(&str, _)| copy.switch(name).is_ok_and(|switch| *switch);
        let names: Vec<&str> = Self::NAMES.iter().filter(is_on).map(|&(name, _)| name).collect();
        match names.len() {
            0 => f.write_str("none"),
            5 => f.write_str("all"),
            _ => f.write_str(&names.join(",")),
        }
    }
}

impl fmt::Display for UnknownReduction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known: Vec<&str> = Reductions::NAMES.iter().map(|&(name, _)| name).collect();
        write!(f, "`{}` is no reduction; there are {}, and `all`", self.name, known.join(", "))
    }
}

impl std::error::Error for UnknownReduction {}

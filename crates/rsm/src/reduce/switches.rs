//! Which reductions are wanted, by name, and which questions each of them may be used for.

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

/// What is known of a reduction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reduction {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// There is an infinite run with it if there is one without it, to the same goals, as often.
    pub keeps_infinite_runs: bool,
    /// There is a run with it that cannot go on, without having ended, if there is one without it; so questions about all ways on
    /// from a state keep their answers.
    pub keeps_blocked_runs: bool,
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

    /// Every reduction with what it does and what it keeps. All of them keep the goals that can be reached.
    pub const LIST: [Reduction; 5] = [
        Reduction {
            name: "dead-code",
            about: "drop statements and functions that no path from the start of main leads to",
            keeps_infinite_runs: true,
            keeps_blocked_runs: true,
        },
        Reduction {
            name: "jump-chains",
            about: "pass over statements that only lead on to another statement",
            keeps_infinite_runs: true,
            keeps_blocked_runs: true,
        },
        // A run that blocks inside a block gets to no point any more: it is gone.
        Reduction {
            name: "straight-lines",
            about: "make one step of statements that always follow each other",
            keeps_infinite_runs: true,
            keeps_blocked_runs: false,
        },
        Reduction {
            name: "live-variables",
            about: "forget a variable where its value no longer matters",
            keeps_infinite_runs: true,
            keeps_blocked_runs: true,
        },
        Reduction {
            name: "cone",
            about: "forget variables that no condition depends on",
            keeps_infinite_runs: true,
            keeps_blocked_runs: true,
        },
    ];

    /// Those of the selection that keep what a question is about.
    #[must_use]
    pub fn keeping(mut self, keeps: impl Fn(&Reduction) -> bool) -> Self {
        for reduction in Self::LIST.iter().filter(|reduction| !keeps(reduction)) {
            *self.switch(reduction.name).expect("the list has names of reductions") = false;
        }
        self
    }

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
        let is_on = |reduction: &&Reduction| copy.switch(reduction.name).is_ok_and(|switch| *switch);
        let names: Vec<&str> = Self::LIST.iter().filter(is_on).map(|reduction| reduction.name).collect();
        match names.len() {
            0 => f.write_str("none"),
            5 => f.write_str("all"),
            _ => f.write_str(&names.join(",")),
        }
    }
}

impl fmt::Display for UnknownReduction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known: Vec<&str> = Reductions::LIST.iter().map(|reduction| reduction.name).collect();
        write!(f, "`{}` is no reduction; there are {}, and `all`", self.name, known.join(", "))
    }
}

impl std::error::Error for UnknownReduction {}

//! The options that say what is asked about a program, and who answers.

use super::names::named;
use std::path::PathBuf;

/// What is asked, if it is not whether a target can be reached.
#[derive(Clone, Default, Debug)]
pub struct QuestionOptions {
    /// Can a run pass a label for ever? (repeatable)
    pub repeat: Vec<String>,
    /// Is there an infinite run at all?
    pub nonterm: bool,
    /// Threads: can a run come to where nobody can go on?
    pub deadlock: bool,
    /// Can a run take this monitor to a target state?
    pub monitor: Option<PathBuf>,
    /// With --monitor: in an infinite run, again and again
    pub fair: bool,
    /// Does every infinite run satisfy this formula?
    pub ltl: Option<String>,
    /// Threads: which schedules of infinite runs count [default: any]
    pub scheduler: Option<SchedulerName>,
}

impl QuestionOptions {
    /// The option that asks for infinite runs.
    pub fn of_infinite_runs(&self) -> Option<&'static str> {
        self.option().filter(|_| !self.deadlock && (self.monitor.is_none() || self.fair))
    }
    /// The option that asks something else than what can be reached.
    pub fn option(&self) -> Option<&'static str> {
        let given = [
            ("--repeat", !self.repeat.is_empty()),
            ("--nonterm", self.nonterm),
            ("--deadlock", self.deadlock),
            ("--monitor", self.monitor.is_some()),
            ("--ltl", self.ltl.is_some()),
        ];
        given.iter().find(|(_, is_given)| *is_given).map(|(option, _)| *option)
    }
}

named! {
    /// Who answers.
    pub enum EngineName {
        /// The formula, evaluated by the solver
        Symbolic = "symbolic",
        /// States one by one, on the fly
        Explicit = "explicit",
        /// Both side by side: the first answer counts
        Portfolio = "portfolio",
        /// The textbook twin: tables of concrete states, no formula, small programs only
        Twin = "twin",
        /// All of them, which must agree
        Compare = "compare",
    }
}

named! {
    /// Which schedules count.
    pub enum SchedulerName {
        /// Every schedule
        Any = "any",
        /// Those that forget nobody who can always go on
        Weak = "weak",
        /// Those that forget nobody who can go on again and again
        Strong = "strong",
    }
}

named! {
    /// What the explicit engine looks at next.
    pub enum SearchName {
        /// What was found last
        Dfs = "dfs",
        /// What takes the fewest steps
        Bfs = "bfs",
        /// The same, but many values of a choice wait
        Widen = "widen",
    }
}

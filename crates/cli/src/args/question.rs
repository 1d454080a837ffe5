//! The options that say what is asked about a program, and who answers.

use super::heading;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// What is asked, if it is not whether a target can be reached.
#[derive(Args, Clone, Default, Debug)]
#[command(next_help_heading = heading::QUESTION)]
pub struct QuestionOptions {
    /// Can a run pass a label for ever? (repeatable)
    ///
    /// Is there an infinite run that is at the label again and again? `L` is the label L of any function, `f:L` that of function f. The first line is INFINITE RUN or NO INFINITE RUN. Several
    /// labels are answered one by one, too.
    #[arg(long, value_name = "LABEL", group = "question")]
    pub repeat: Vec<String>,

    /// Is there an infinite run at all?
    ///
    /// The first line is INFINITE RUN or NO INFINITE RUN.
    #[arg(long, group = "question")]
    pub nonterm: bool,

    /// Threads: can a run come to where nobody can go on?
    ///
    /// Is there a run after which no thread has a move although some thread has not ended? A move is a whole atomic block: a thread that waits
    /// for `atomic begin assume(!lock); lock := T; end` has none while the lock is held. A thread that spins has one. The first line is
    /// DEADLOCK, with the least number of context switches and who waits where, or NO DEADLOCK. The explicit engine answers, with or without
    /// a bound.
    #[arg(long, group = "question")]
    pub deadlock: bool,

    /// Can a run take this monitor to a target state?
    ///
    /// The first line is REACHABLE or UNREACHABLE. With --fair: is there an infinite run in which the monitor is in target states
    /// again and again? Then it is INFINITE RUN or NO INFINITE RUN.
    #[arg(long, value_name = "FILE", group = "question")]
    pub monitor: Option<PathBuf>,

    /// With --monitor: in an infinite run, again and again
    #[arg(long, requires = "monitor")]
    pub fair: bool,

    /// Does every infinite run satisfy this formula?
    ///
    /// A formula of linear temporal logic. The first line is VIOLATED or HOLDS. Operators are ! & | -> <-> X F G U R W; propositions are at(L), in(f), call(f), ret(f) and
    /// conditions over variables, of threads also `at(p:L)`, `at(p[0]:L)` and `p[1].x`, read in the state that each step leaves. Runs that end or cannot go on violate nothing.
    #[arg(long, value_name = "FORMULA", group = "question", allow_hyphen_values = true)]
    pub ltl: Option<String>,

    /// Threads: which schedules of infinite runs count [default: any]
    ///
    /// `any`: every schedule, also one that forgets a thread for ever. `weak`: a thread that can always go on does so, sooner or later. `strong`: so does one that can go on again and again.
    /// A thread at an `assume` that is false cannot go on; one that stands before the atomic block of another thread can.
    #[arg(long, value_name = "WHICH", hide_short_help = true)]
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

/// Who answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum EngineName {
    /// The formula, evaluated by the solver
    Symbolic,
    /// States one by one, on the fly
    Explicit,
    /// Both side by side: the first answer counts
    Portfolio,
    /// The textbook twin: tables of concrete states, no formula, small programs only
    Twin,
    /// All of them, which must agree
    Compare,
}

/// Which schedules count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum SchedulerName {
    /// Every schedule
    Any,
    /// Those that forget nobody who can always go on
    Weak,
    /// Those that forget nobody who can go on again and again
    Strong,
}

/// What the explicit engine looks at next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum SearchName {
    /// What was found last
    Dfs,
    /// What takes the fewest steps
    Bfs,
    /// The same, but many values of a choice wait
    Widen,
}

//! What is asked: a program, what to reach, within what, and which evidence is wanted.

use crate::outcome::Words;
use crate::target::Target;
use rsm::interleave::Scheduler;
use rsm::observe::Observer;
use rsm::{Concurrent, Goal, ThreadGoal};

/// A question. Every engine answers the same.
#[derive(Clone, Debug)]
pub struct Problem<'p> {
    /// The program; [`Concurrent::sequential`] makes one of a machine.
    pub program: &'p Concurrent,
    /// What is asked about the targets.
    pub question: Question,
    /// The labels it is about.
    pub targets: &'p [Target],
    /// How often threads may take turns; none if the program is sequential.
    pub bound: Option<Bound>,
    /// Who watches the threads, and what is asked of their schedules; of no interest to sequential programs.
    pub watch: Watch<'p>,
    /// What is to come with the answer.
    pub wanted: Wanted,
}

/// What is asked about targets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Question {
    /// Is there a run to one of them? A formula of the user may ask something else.
    #[default]
    Reach,
    /// Is there an infinite run that is at one of them again and again?
    Repeat,
    /// Is there an infinite run at all? There are no targets then.
    Infinite,
    /// Is there a run after which nobody can go on although somebody has not ended? There are no targets then.
    Deadlock,
}

/// How the threads of a program are watched.
#[derive(Clone, Copy, Debug, Default)]
pub struct Watch<'p> {
    /// Somebody who says which runs count. Then the targets have no goals: their names are his.
    pub observer: Option<&'p Observer>,
    /// Which schedules of infinite runs count.
    pub scheduler: Scheduler,
}

/// The evidence that is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Wanted {
    /// A run to a target that is reachable.
    pub trace: WantedTrace,
    /// A certificate if none is.
    pub certificate: bool,
}

/// Which run is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum WantedTrace {
    /// None.
    #[default]
    None,
    /// Any.
    Any,
    /// One with as few steps as possible.
    Shortest,
}

/// How often the threads of a run may take turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// So many context switches, under any schedule.
    Switches(u32),
    /// So many rounds of all threads: in the order of the text, or in some order where the number of threads is free.
    Rounds(u32),
    /// As many context switches as it takes: every schedule.
    Every,
}

impl Question {
    /// The words in which it is answered.
    pub fn words(self) -> Words {
        match self {
            Self::Reach => Words::Reachable,
            Self::Deadlock => Words::Deadlock,
            Self::Repeat | Self::Infinite => Words::InfiniteRun,
        }
    }
}

impl Bound {
    /// The number; the largest one if there is none.
    pub fn number(self) -> u32 {
        match self {
            Self::Switches(number) | Self::Rounds(number) => number,
            Self::Every => u32::MAX,
        }
    }

    /// So many of the same.
    pub fn of(self, number: u32) -> Self {
        match self {
            Self::Switches(_) | Self::Every => Self::Switches(number),
            Self::Rounds(_) => Self::Rounds(number),
        }
    }
}

impl Problem<'_> {
    /// All goals of all targets.
    pub fn goals(&self) -> Vec<ThreadGoal> {
        self.targets.iter().flat_map(|target| target.goals.iter().copied()).collect()
    }

    /// The places of all goals.
    pub fn places(&self) -> Vec<Goal> {
        self.goals().iter().map(|goal| goal.goal).collect()
    }

    /// It is about infinite runs of threads, or somebody watches them: every schedule counts.
    pub fn is_watched(&self) -> bool {
        let is_infinite = matches!(self.question, Question::Repeat | Question::Infinite);
        self.bound.is_some() && (is_infinite || self.watch.observer.is_some())
    }

    /// A trace is wanted.
    pub fn wants_trace(&self) -> bool {
        self.wanted.trace != WantedTrace::None
    }
}

//! What is asked: a program, what to reach, within what, which evidence is wanted, and how much work is allowed.

use crate::outcome::{Unknown, Words};
use crate::target::Target;
use ::explicit::Peers;
use base::{Diagnostic, Gauge, Stop};
use certificate::Claim;
use rsm::interleave::Scheduler;
use rsm::observe::Observer;
use rsm::{Concurrent, Goal, ThreadGoal};
use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

/// What questions are about: a machine with its threads, or an [`IntegerProgram`](crate::IntegerProgram).
pub trait Subject {
    /// What reaches a target in it.
    type Goals: Clone + PartialEq + Eq + Debug;
}

impl Subject for Concurrent {
    type Goals = Vec<ThreadGoal>;
}

/// A question. Every engine for its subject answers the same.
#[derive(Clone, Debug)]
pub struct Problem<'p, S: Subject = Concurrent> {
    /// The program; [`Concurrent::sequential`] makes one of a machine.
    pub program: &'p S,
    /// What is asked about the targets.
    pub question: Question,
    /// The labels it is about.
    pub targets: &'p [Target<S::Goals>],
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
    /// What a certificate is to claim, where the targets do not say it: the formula, or the monitor. It is of interest to sequential
    /// programs, too.
    pub claim: Option<&'p Claim>,
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
}

impl<'p, S: Subject> Problem<'p, S> {
    /// A question without a bound, of which only the verdict is wanted.
    pub fn new(program: &'p S, question: Question, targets: &'p [Target<S::Goals>]) -> Self {
        let (watch, wanted) = (Watch::default(), Wanted::default());
        Self { program, question, targets, bound: None, watch, wanted }
    }

    /// It is about infinite runs of threads, or somebody watches them: every schedule counts.
    pub fn is_watched(&self) -> bool {
        let is_infinite = matches!(self.question, Question::Repeat | Question::Infinite);
        self.bound.is_some() && (is_infinite || self.watch.observer.is_some())
    }

    /// What a certificate claims if there are no infinite runs as these targets say.
    pub fn claim(&self, targets: &[Target]) -> Claim {
        match (self.watch.claim, self.question) {
            (Some(claim), _) => claim.clone(),
            (None, Question::Infinite) => Claim::Nonterm,
            (None, _) => Claim::Repeat(targets.iter().map(|target| target.name.clone()).collect()),
        }
    }

    /// A trace is wanted.
    pub fn wants_trace(&self) -> bool {
        self.wanted.trace != WantedTrace::None
    }
}

/// How much work is allowed, and where progress goes.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes that diagrams may take, or all solvers that are processes of their own together with everything else.
    pub memory: Option<u64>,
    /// When all is over, by the clock. Engines are told by the way to stop; this is for processes that are to end even if nobody tells them.
    pub end: Option<Duration>,
    /// The way to stop.
    pub stop: Stop,
    /// Where progress goes.
    pub gauge: Arc<Gauge>,
    /// Time since some start, for statistics only.
    pub clock: fn() -> Duration,
    /// Other processes that search with this one, all of which are asked the same.
    pub peers: Option<Arc<dyn Peers>>,
}

impl Default for Limits {
    fn default() -> Self {
        let (stop, gauge) = (Stop::default(), Arc::default());
        Self { memory: None, end: None, stop, gauge, clock: || Duration::ZERO, peers: None }
    }
}

impl Limits {
    /// The time that is left, if there is an end.
    pub fn time_left(&self) -> Option<Duration> {
        self.end.map(|end| end.saturating_sub((self.clock)()))
    }
}

/// A question that could not be asked, or an answer that must not be given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The formula file is wrong.
    Formula(Vec<Diagnostic>),
    /// The time or the memory did not suffice to print a stage.
    Stopped(Unknown),
    /// Engines that must agree do not; how.
    Disagreement(Vec<String>),
}

//! Those who look for an answer beside the formula about the program itself, and at what pace each of them follows it.
//!
//! Contract: what each of them comes to, and after how much work, depends on the problem alone, so it does not matter whether they work side by side or one
//! after the other, from the beginning each time. What all of them need is made once.

use super::parts::{self, Parts};
use super::rounds::{Beginning, EDGES_OF_A_UNIT, NoAnswer, Rounds, Viewed, n_edges};
use super::{is_answer, unknown};
use crate::engine::{Asker, Engine, Explicit, Failure, Limits};
use crate::outcome::{Outcome, Unknown};
use crate::problem::Problem;
use crate::target::Target;
use base::{Reading, Sources, Stop, StopReason};
use rsm::{Reductions, Rsm};
use symbolic::Line;

/// What is known of so many variables at so many nodes is found with a unit of work.
const VALUES_OF_A_UNIT: u64 = 50;

/// To arrange the bits of the program takes so much work, and a unit more for so many edges.
const ARRANGEMENT: u64 = 150;

/// What views of one goal may do before those of the next have their turn; then it is several times as much.
const FIRST_SHARE: u64 = 1_000;
const TIMES_THE_SHARE: u64 = 4;

/// A turn is worth while if it may take so many times the work that it takes to begin a round.
const TIMES_THE_BEGINNING: u64 = 3;

/// What the search of single states is called.
const EXPLICIT: &str = "explicit";

/// Who follows the formula about the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Competitor {
    /// Views for each goal alone, if the target has several.
    Goals,
    /// Views for all targets together.
    Targets,
    /// Views that know no test at first, backwards.
    Untested,
    /// The formula that goes backwards, about the program itself.
    Backwards,
    /// A search of single states: products of words have no small diagrams, and programs that compute with a few values need none.
    States,
}

impl Competitor {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Goals, Self::Targets, Self::Untested, Self::Backwards, Self::States];

    /// So many units of work on the program go with one of its own, if it has to know all of the program. Views of goals are paid for those of targets.
    fn pace(self, has_goals: bool) -> u64 {
        match self {
            Self::Targets if has_goals => 48,
            Self::Goals | Self::Targets => 16,
            Self::Untested => 96,
            Self::Backwards => 40,
            Self::States => 128,
        }
    }
}

/// The units of work that it takes to prepare a problem.
pub fn preparation(problem: &Problem) -> u64 {
    let program = &problem.program.machine;
    let of_differences = if uses_more(problem) { rsm::n_values(program) / VALUES_OF_A_UNIT } else { 0 };
    of_differences + ARRANGEMENT + n_edges(program) / EDGES_OF_A_UNIT
}

/// A certificate speaks of the program as it stands, so reasons are not told apart and differences are not used.
fn uses_more(problem: &Problem) -> bool {
    !problem.wanted.certificate
}

/// A problem in which reasons are told apart, and the program that views are views of.
pub struct Prepared<'p> {
    problem: &'p Problem<'p>,
    parts: Option<Parts>,
    /// One with the runs of the program.
    machine: Rsm,
    line: Line,
    reductions: Reductions,
}

impl<'p> Prepared<'p> {
    /// Splits goals, uses known differences, and arranges bits.
    pub fn of(problem: &'p Problem<'p>, reductions: Reductions) -> Self {
        let parts = if uses_more(problem) { Parts::of(problem) } else { None };
        let program = parts.as_ref().map_or(&problem.program.machine, |parts| &parts.program.machine);
        let machine = if uses_more(problem) { rsm::with_known_differences(program) } else { program.clone() };
        let line = symbolic::line(&machine);
        Self { problem, parts, machine, line, reductions }
    }

    /// The answer of one of them, told of the program.
    pub fn answer(
        &self,
        who: Competitor,
        limits: &Limits,
        sources: &mut Sources,
    ) -> Result<Outcome, Failure> {
        let asked = match &self.parts {
            Some(parts) => {
                Problem { program: &parts.program, targets: &parts.targets, ..self.problem.clone() }
            }
            None => self.problem.clone(),
        };
        let alone: Vec<Vec<Target>> = parts::alone(&asked);
        let pace = who.pace(!alone.is_empty());
        limits.stop.change_pace(pace);
        let rounds = |beginning| Rounds::new(self.viewed(&asked, limits), beginning, pace);
        let outcome = match who {
            Competitor::Goals => self.goal_by_goal((&asked, &alone), limits, pace, sources),
            Competitor::Targets => rounds(Beginning::Tests).answer(u64::MAX, sources),
            Competitor::Untested => rounds(Beginning::Nothing).answer(u64::MAX, sources),
            Competitor::Backwards => rounds(Beginning::Everything).answer(u64::MAX, sources),
            Competitor::States => return by_states(self.problem, limits, sources),
        };
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(NoAnswer::Failure(failure)) => return Err(failure),
            Err(NoAnswer::Unknown(reason)) => return Ok(unknown(self.problem, reason)),
        };
        Ok(match &self.parts {
            None => outcome,
            Some(parts) => parts
                .told(self.problem, outcome)
                .unwrap_or_else(|| unknown(self.problem, Unknown::because("its run was not found"))),
        })
    }

    fn viewed<'a>(&'a self, problem: &'a Problem<'a>, limits: &'a Limits) -> Viewed<'a> {
        let Self { machine, line, reductions, .. } = self;
        Viewed { problem, rsm: machine, line, limits, reductions: *reductions }
    }

    fn goal_by_goal(
        &self,
        (asked, alone): (&Problem, &[Vec<Target>]),
        limits: &Limits,
        pace: u64,
        sources: &mut Sources,
    ) -> Result<Outcome, NoAnswer> {
        if alone.is_empty() {
            return Err(Unknown::because("there is one goal").into());
        }
        let alone: Vec<Problem> = alone.iter().map(|targets| Problem { targets, ..asked.clone() }).collect();
        let rounds =
            alone.iter().map(|problem| Rounds::new(self.viewed(problem, limits), Beginning::Tests, pace));
        let mut goals = Goals { open: rounds.collect(), last: None, failed: None };
        let mut share = FIRST_SHARE;
        loop {
            match goals.taken(share, &limits.stop, sources) {
                Err(NoAnswer::Unknown(Unknown::Stopped(StopReason::Work, _)))
                    if limits.stop.is_requested().is_none() =>
                {
                    share = share.saturating_mul(TIMES_THE_SHARE);
                }
                other => return other,
            }
        }
    }
}

/// The answer of a search of single states, if there are few.
fn by_states(problem: &Problem, limits: &Limits, sources: &mut Sources) -> Result<Outcome, Failure> {
    let looking = Limits { gauge: Default::default(), peers: None, ..limits.clone() };
    let mut quiet = Asker { sources, known: &mut |_, _| {} };
    let outcome = Explicit::default().answer(problem, &looking, &mut quiet)?;
    Ok(match is_answer(problem, &outcome) {
        true => Outcome { by: Some(EXPLICIT.to_owned()), ..outcome },
        false => outcome,
    })
}

/// Searches by views for one goal each, which take turns.
struct Goals<'a> {
    /// Those that have come to no end.
    open: Vec<Rounds<'a>>,
    /// What they found that is over, the latest.
    last: Option<Outcome>,
    /// Why one of them has no answer.
    failed: Option<Unknown>,
}

impl Goals<'_> {
    /// The answer, if a share of work for all together leads to it: that of the first that finds a run, or of the last.
    fn taken(&mut self, share: u64, stop: &Stop, sources: &mut Sources) -> Result<Outcome, NoAnswer> {
        let before = stop.work();
        let mut open = Vec::new();
        for mut rounds in std::mem::take(&mut self.open) {
            let left = share.saturating_sub(stop.work() - before);
            // Nothing comes of a turn that is over when the view is there.
            if left < TIMES_THE_BEGINNING * rounds.beginning() {
                open.push(rounds);
                continue;
            }
            match rounds.answer(left, sources) {
                Ok(outcome) if outcome.finding.is_yes() => return Ok(outcome),
                Ok(outcome) => self.last = Some(parts::with_more(outcome, self.last.take())),
                Err(NoAnswer::Unknown(Unknown::Stopped(StopReason::Work, _))) => open.push(rounds),
                // The others may still find a run.
                Err(NoAnswer::Unknown(reason)) => self.failed = Some(reason),
                Err(other) => return Err(other),
            }
        }
        self.open = open;
        match (self.open.is_empty(), self.failed.take(), self.last.take()) {
            (true, None, Some(outcome)) => Ok(outcome),
            (true, Some(reason), _) => Err(reason.into()),
            (_, failed, last) => {
                (self.failed, self.last) = (failed, last);
                Err(Unknown::Stopped(StopReason::Work, Reading::default()).into())
            }
        }
    }
}

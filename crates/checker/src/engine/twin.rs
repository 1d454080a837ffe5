//! The textbook twin: concrete states and worlds, one after the other, without a formula.

use super::explicit::passing;
use super::{Asker, Engine, Failure, Limits};
use crate::outcome::{Finding, Missing, Outcome, Unknown, Verdict};
use crate::problem::{Bound, Problem, Question};
use base::{Reading, Stop};
use rsm::interleave::{self, Least, ThreadId};
use rsm::observe::Observer;
use rsm::trace::Trace;
use rsm::{Copies, Goal, ThreadGoal, explicit};

/// The most blocks of any number that may or may not take part.
const MOST_OPTIONAL: usize = 4;

/// How much is looked at where threads are watched: nothing is merged, and all worlds are kept.
const WATCHED: interleave::Limits =
    interleave::Limits { max_worlds: 1 << 15, max_depth: 1 << 6, max_outcomes: 1 << 12 };

/// Looks at everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Twin;

impl Engine for Twin {
    fn name(&self) -> &str {
        "twin"
    }

    fn answer(&self, problem: &Problem, limits: &Limits, asker: &mut Asker) -> Result<Outcome, Failure> {
        let twin = Looking { problem, stop: &limits.stop };
        if problem.is_watched() {
            return Ok(twin.watched());
        }
        if problem.question != Question::Reach {
            return Ok(twin.infinite());
        }
        let findings = match problem.bound {
            None => twin.states(),
            Some(bound) => twin.worlds(bound),
        };
        let unknown = |reason: Unknown| vec![Finding::unknown(reason); problem.targets.len()];
        let findings = findings.unwrap_or_else(unknown);
        let mut outcome = Outcome::new(Finding::any(&findings), findings);
        (asker.known)(&outcome, outcome.lacks(problem));
        if outcome.finding.is_yes() && problem.wants_trace() {
            let found = match problem.bound {
                None => twin.shortest(&outcome),
                Some(bound) => twin.fewest(bound),
            };
            match found {
                Ok(trace) => outcome.trace = trace,
                Err(reason) => outcome.unfinished.push((Missing::Trace, reason)),
            }
        }
        Ok(outcome)
    }
}

struct Looking<'a> {
    problem: &'a Problem<'a>,
    stop: &'a Stop,
}

impl Looking<'_> {
    /// A finding for each target from what is known of all goals.
    fn findings<T>(&self, goals: &[T], mut finding: impl FnMut(&[T]) -> Finding) -> Vec<Finding> {
        let mut rest = goals;
        let mut findings = Vec::new();
        for target in self.problem.targets {
            let (mine, others) = rest.split_at(target.goals.len());
            findings.push(finding(mine));
            rest = others;
        }
        findings
    }

    /// Every state of a sequential program.
    fn states(&self) -> Result<Vec<Finding>, Unknown> {
        let limits = explicit::Limits::default();
        let machine = &self.problem.program.machine;
        let found = explicit::reachable(machine, &self.problem.places(), limits, self.stop);
        let found = found.map_err(unfinished_states)?;
        Ok(self.findings(&found, |mine| {
            Finding::new(if mine.contains(&true) { Verdict::Yes } else { Verdict::No })
        }))
    }

    /// Infinite runs of a sequential program; they are not written down.
    fn infinite(&self) -> Outcome {
        let (machine, limits) = (&self.problem.program.machine, explicit::Limits::default());
        let verdict = |is_so: bool| Finding::new(if is_so { Verdict::Yes } else { Verdict::No });
        let (finding, findings) = match self.problem.question {
            Question::Deadlock => {
                (Finding::unknown(Unknown::because("the twin looks for no deadlocks")), Vec::new())
            }
            Question::Infinite => {
                let found = explicit::infinite(machine, limits, self.stop);
                (found.map_or_else(|e| Finding::unknown(unfinished_states(e)), verdict), Vec::new())
            }
            _ => match explicit::repeats(machine, &self.problem.places(), limits, self.stop) {
                Ok(found) => {
                    let findings = self.findings(&found, |mine| verdict(mine.contains(&true)));
                    (Finding::any(&findings), findings)
                }
                Err(error) => {
                    let unknown = Finding::unknown(unfinished_states(error));
                    (unknown.clone(), vec![unknown; self.problem.targets.len()])
                }
            },
        };
        let mut outcome = Outcome::new(finding, findings);
        outcome.asked.words = self.problem.question.words();
        if outcome.finding.is_yes() && self.problem.wants_trace() {
            let reason = Unknown::because("the twin does not write infinite runs down");
            outcome.unfinished.push((Missing::Trace, reason));
        }
        outcome
    }

    /// Threads that somebody watches, or whose infinite runs are asked for; they are not written down.
    fn watched(&self) -> Outcome {
        let Problem { question, targets, watch, .. } = *self.problem;
        let observers: Vec<Observer> = match watch.observer {
            Some(observer) => vec![observer.clone()],
            None if question == Question::Infinite => vec![Observer::of_everything()],
            None => targets.iter().map(|target| passing(&target.goals)).collect(),
        };
        let findings: Vec<Finding> = observers.iter().map(|observer| self.observed(observer)).collect();
        let of_targets = if targets.is_empty() { Vec::new() } else { findings.clone() };
        let mut outcome = Outcome::new(Finding::any(&findings), of_targets);
        outcome.asked.words = question.words();
        if outcome.finding.is_yes() && self.problem.wants_trace() {
            let reason = Unknown::because("the twin does not write runs of watched threads down");
            outcome.unfinished.push((Missing::Trace, reason));
        }
        outcome
    }

    fn observed(&self, observer: &Observer) -> Finding {
        let Problem { program, question, watch, .. } = *self.problem;
        let number = |copies: Copies| match copies {
            Copies::Number(number) => number,
            Copies::Any => 0,
        };
        let counts: Vec<u32> = program.blocks.iter().map(|block| number(block.copies)).collect();
        if program.is_parameterised() || !program.is_whole {
            return Finding::unknown(Unknown::because("the twin has to know how many threads there are"));
        }
        match interleave::AllRuns::new(program, &counts, observer, WATCHED) {
            Err(unfinished) => Finding::unknown(unfinished_within(unfinished, WATCHED)),
            Ok(all) => {
                let is_so = match question {
                    Question::Reach => all.reaches(),
                    _ => all.has(watch.scheduler, observer),
                };
                Finding::new(if is_so { Verdict::Yes } else { Verdict::No })
            }
        }
    }

    /// A run of a sequential program with the fewest steps to a target that is reachable.
    fn shortest(&self, outcome: &Outcome) -> Result<Option<Trace>, Unknown> {
        let pairs = self.problem.targets.iter().zip(&outcome.findings);
        let reachable = pairs.filter(|(_, finding)| finding.is_yes());
        let goals: Vec<Goal> = reachable.flat_map(|(target, _)| target.places()).collect();
        let limits = explicit::Limits::default();
        let found = explicit::shortest(&self.problem.program.machine, &goals, limits, self.stop);
        found.map_err(unfinished_states)?.map(|trace| self.replayed(trace)).transpose()
    }

    fn replayed(&self, trace: Trace) -> Result<Trace, Unknown> {
        match trace.replay(self.problem.program, &self.problem.goals()) {
            Ok(()) => Ok(trace),
            Err(error) => Err(Unknown::Because(format!("it cannot be replayed: {error}"))),
        }
    }

    /// Every world of a concurrent program.
    fn worlds(&self, bound: Bound) -> Result<Vec<Finding>, Unknown> {
        let goals = self.problem.goals();
        let mut least: Vec<Option<u32>> = vec![None; goals.len()];
        let mut is_cut = false;
        for counts in self.numbers(bound)? {
            let found = self.least(bound, &counts, &goals).map_err(unfinished_worlds)?;
            is_cut |= found.is_cut;
            for (known, new) in least.iter_mut().zip(found.least) {
                *known = known.iter().copied().chain(new).min();
            }
        }
        Ok(self.findings(&least, |mine| match mine.iter().flatten().min() {
            // Where calls were left out, a smaller number may do.
            Some(least) => Finding { verdict: Verdict::Yes, least: (!is_cut).then_some(*least) },
            None if is_cut => Finding::unknown(unfinished_worlds(interleave::Unfinished::Depth)),
            None => Finding::new(Verdict::No),
        }))
    }

    fn least(
        &self,
        bound: Bound,
        counts: &[u32],
        goals: &[ThreadGoal],
    ) -> Result<Least, interleave::Unfinished> {
        let (program, limits) = (self.problem.program, interleave::Limits::default());
        match bound {
            Bound::Switches(_) | Bound::Every => {
                interleave::least_switches(program, counts, goals, bound.number(), limits, self.stop)
            }
            Bound::Rounds(k) => {
                let order = interleave::declaration_order(counts);
                interleave::least_rounds(program, counts, goals, &order, k, limits, self.stop)
            }
        }
    }

    /// The numbers of copies of each block that have to be tried. Where any number is allowed, as many as there are contexts do
    /// everything that fewer do, except that none of them can start where `init` forbids it; then there are none.
    fn numbers(&self, bound: Bound) -> Result<Vec<Vec<u32>>, Unknown> {
        let mut numbers: Vec<Vec<u32>> = vec![Vec::new()];
        let mut n_optional = 0;
        for block in &self.problem.program.blocks {
            let choices = match (block.copies, bound) {
                (Copies::Number(number), _) => vec![number],
                (Copies::Any, Bound::Switches(k)) if block.init.is_empty() => vec![k + 1],
                (Copies::Any, Bound::Switches(k)) => vec![k + 1, 0],
                (Copies::Any, Bound::Rounds(_) | Bound::Every) => {
                    let reason = "the twin cannot try any number of threads; within context switches it can";
                    return Err(Unknown::because(reason));
                }
            };
            n_optional += choices.len() - 1;
            if n_optional > MOST_OPTIONAL {
                return Err(Unknown::because("there are too many blocks of any number for the twin"));
            }
            let with = |number: &Vec<u32>| -> Vec<Vec<u32>> {
                choices.iter().map(|choice| [&number[..], &[*choice]].concat()).collect()
            };
            numbers = numbers.iter().flat_map(with).collect();
        }
        Ok(numbers)
    }

    /// A run with as few context switches or rounds as possible.
    fn fewest(&self, bound: Bound) -> Result<Option<Trace>, Unknown> {
        let goals = self.problem.goals();
        let mut best: Option<Trace> = None;
        for counts in self.numbers(bound)? {
            let order: Vec<ThreadId> = interleave::declaration_order(&counts);
            let within = match bound {
                Bound::Switches(_) | Bound::Every => interleave::Bound::Switches(bound.number()),
                Bound::Rounds(rounds) => interleave::Bound::Rounds { rounds, order: &order },
            };
            let limits = interleave::Limits::default();
            let found =
                interleave::find_run(self.problem.program, &counts, &goals, within, limits, self.stop);
            let Some(trace) = found.map_err(unfinished_worlds)? else { continue };
            let trace = self.replayed(trace)?;
            if best.as_ref().is_none_or(|best| trace.n_switches() < best.n_switches()) {
                best = Some(trace);
            }
        }
        Ok(best)
    }
}

fn unfinished_states(unfinished: explicit::Unfinished) -> Unknown {
    let limits = explicit::Limits::default();
    match unfinished {
        explicit::Unfinished::States => Unknown::Because(format!(
            "the twin looks at {} states at most, and there are more",
            limits.max_states
        )),
        explicit::Unfinished::TooLarge => Unknown::because("some step has too many outcomes for the twin"),
        explicit::Unfinished::Length => Unknown::because("the shortest trace is too long to be written down"),
        explicit::Unfinished::Stopped(reason) => Unknown::Stopped(reason, Reading::default()),
    }
}

fn unfinished_worlds(unfinished: interleave::Unfinished) -> Unknown {
    unfinished_within(unfinished, interleave::Limits::default())
}

/// Why not all worlds within these limits were looked at.
fn unfinished_within(unfinished: interleave::Unfinished, limits: interleave::Limits) -> Unknown {
    match unfinished {
        interleave::Unfinished::Worlds => Unknown::Because(format!(
            "the twin looks at {} states at most, and there are more",
            limits.max_worlds
        )),
        interleave::Unfinished::Depth => Unknown::Because(format!(
            "the twin looks at stacks of {} calls at most, and some are deeper",
            limits.max_depth
        )),
        interleave::Unfinished::TooLarge => Unknown::because("some step has too many outcomes for the twin"),
        interleave::Unfinished::Stopped(reason) => Unknown::Stopped(reason, Reading::default()),
    }
}

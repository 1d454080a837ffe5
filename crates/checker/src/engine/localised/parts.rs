//! A question about targets as several questions: one for each reason why the test before a target is true.
//!
//! What a program keeps true for one reason has often nothing to do with another reason, so a view that has to know all of it at once is large, and each
//! alone is small. Contract: the answers are those of the program, and a run is told as one of the program.

use crate::outcome::Outcome;
use crate::problem::Problem;
use crate::target::Target;
use rsm::trace::{Context, End, Run, Step, Trace};
use rsm::{Concurrent, ModuleId, Split, ThreadGoal};

/// A problem whose goals have been split.
pub struct Parts {
    /// The program.
    pub program: Concurrent,
    /// The same targets, with more goals.
    pub targets: Vec<Target>,
    split: Split,
}

impl Parts {
    /// The parts of a problem about a sequential program; `None` if there are none.
    pub fn of(problem: &Problem) -> Option<Self> {
        let split = rsm::split_goals(&problem.program.machine, &problem.places())?;
        let mut goals = split.goals.iter();
        let target = |target: &Target| {
            let own = goals.by_ref().take(target.goals.len());
            Target::new(&target.name[..], own.flatten().copied())
        };
        let targets = problem.targets.iter().map(target).collect();
        Some(Self { program: Concurrent::sequential(split.machine.clone()), targets, split })
    }

    /// What was found, told of the program; `None` if its run is none of the program.
    pub fn told(&self, problem: &Problem, mut outcome: Outcome) -> Option<Outcome> {
        if let Some(trace) = outcome.trace.take() {
            let trace = self.run(problem, trace)?;
            trace.replay(problem.program, &problem.goals()).ok()?;
            outcome.trace = Some(trace);
        }
        Some(outcome)
    }

    fn run(&self, problem: &Problem, trace: Trace) -> Option<Trace> {
        let End::Goal(reached) = trace.end else { return None };
        let pairs = problem.goals().into_iter().zip(&self.split.goals);
        let goal = pairs.into_iter().find(|(_, parts)| parts.contains(&reached.goal))?.0;
        let main = self.program.machine.main;
        let runs = trace
            .runs
            .iter()
            .map(|run| Run { steps: self.steps(&mut vec![run.module], &run.steps), ..run.clone() });
        let runs = runs.collect();
        let mut stack = vec![main];
        let contexts = trace.contexts.iter();
        let contexts = contexts
            .map(|context| Context { thread: context.thread, steps: self.steps(&mut stack, &context.steps) });
        let contexts = contexts.collect();
        Some(Trace {
            start: trace.start,
            runs,
            contexts,
            end: End::Goal(ThreadGoal { goal: goal.goal, ..reached }),
        })
    }

    /// Steps without those that stand for nothing; on the stack are the functions that run.
    fn steps(&self, stack: &mut Vec<ModuleId>, steps: &[Step]) -> Vec<Step> {
        let mut told = Vec::with_capacity(steps.len());
        for step in steps {
            let Some(&module) = stack.last() else { break };
            match &self.program.machine.module(module).edge(step.edge).action {
                rsm::Action::Call { callee, .. } if step.run.is_none() => stack.push(*callee),
                rsm::Action::Return { .. } => drop(stack.pop()),
                _ => {}
            }
            told.extend(self.split.origin(module, step.edge).map(|edge| Step { edge, ..step.clone() }));
        }
        told
    }
}

/// The goals of the only target, each as a target; none if there are several targets, or one goal.
pub fn alone(problem: &Problem) -> Vec<Vec<Target>> {
    match problem.targets {
        [target] if target.goals.len() > 1 && target.goals.len() <= MOST && !problem.wanted.certificate => {
            let one = |goal: &ThreadGoal| vec![Target { name: target.name.clone(), goals: vec![*goal] }];
            target.goals.iter().map(one).collect()
        }
        _ => Vec::new(),
    }
}

/// Targets with more goals are not asked for goal by goal.
const MOST: usize = 64;

/// An outcome, with the figures of what was found out before.
pub fn with_more(mut outcome: Outcome, earlier: Option<Outcome>) -> Outcome {
    if let (Some(figures), Some(earlier)) =
        (&mut outcome.figures.localised, earlier.and_then(|earlier| earlier.figures.localised))
    {
        figures.n_rounds += earlier.n_rounds;
        figures.n_kept = figures.n_kept.max(earlier.n_kept);
        figures.bits = figures.bits.max(earlier.bits);
    }
    outcome
}

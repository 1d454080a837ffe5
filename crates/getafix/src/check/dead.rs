//! Targets in dead code: which of those that are unreachable have no path leading to them at all.

use checker::{Outcome, Problem, Target, Verdict};
use rsm::{Goal, Reduced, Reductions, Rsm};

/// A remark for each such target.
pub fn remarks(problem: &Problem, outcome: &Outcome) -> Vec<String> {
    // What threads do that are started at run time is a part of the machine only if the bound lets some of them run.
    let pairs = problem.targets.iter().zip(&outcome.findings);
    let unreachable = pairs.filter(|(_, finding)| finding.verdict == Verdict::No).map(|(target, _)| target);
    let suspects: Vec<&Target> = unreachable.filter(|target| !target.goals.is_empty()).collect();
    if suspects.is_empty() || !problem.program.is_whole {
        return Vec::new();
    }
    let places = problem.places();
    let dead_code = Reductions { dead_code: true, ..Reductions::NONE };
    let reduced = match problem.bound {
        None => rsm::reduce(&problem.program.machine, &places, dead_code),
        Some(_) => rsm::reduce_threads(problem.program, &places, dead_code, false),
    };
    let machine = &problem.program.machine;
    let is_dead = |target: &&&Target| target.places().all(|goal| is_dropped(machine, &reduced, goal));
    let remark =
        |target: &&Target| format!("`{}` is in dead code: no path of the program leads to it", target.name);
    suspects.iter().filter(is_dead).map(remark).collect()
}

/// The place of a goal is dropped with the dead code.
fn is_dropped(rsm: &Rsm, reduced: &Reduced, goal: Goal) -> bool {
    let (module, node) = match goal {
        Goal::At(module, node) => (module, node),
        Goal::Failure(module, edge) => (module, rsm.module(module).edge(edge).from),
    };
    reduced.modules[module.index()].points.binary_search(&node).is_err()
}

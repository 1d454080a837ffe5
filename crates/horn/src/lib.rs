//! Programs as constrained Horn clauses in SMT-LIB, for other solvers.
//!
//! - In: a sequential machine and goals.
//! - Out: a script of logic `HORN` in SMT-LIB, which has a model if and only if no run reaches any of the goals.
//! - Never: ask a solver.
//!
//! A model is `sat`; a refutation, `unsat`, is a run that reaches one. Z3's Spacer solves such scripts.
//!
//! The clauses are those of the summary algorithm, read by need: a summary says from which inputs a module can
//! return what, `bad` from which inputs it can run into a goal, and the solver asks for those inputs that matter. Which points
//! of the program get a predicate, over which variables, is decided by `rsm::reduce`, the same as for our own engines.

#![forbid(unsafe_code)]

mod predicates;
mod rules;

mod walk;

mod express;

mod clause;
mod symbol;

use predicates::Predicates;
use rsm::{Action, Block, Goal, ModuleId, Reduced, Reductions, Rsm};
use rules::Rules;

/// What a reader of the script has to know.
const HEADER: &str = "\
; Can a run of the program reach a goal? unsat: yes. sat: no, and a model is a proof of it.
(set-logic HORN)
";

/// The question whether some run reaches one of the goals, as a script.
pub fn translate(rsm: &Rsm, goals: &[Goal]) -> String {
    translate_with(rsm, goals, Reductions::ALL)
}

/// The same, with a selection of reductions: without any, the script is a judge of the reductions, too.
pub fn translate_with(rsm: &Rsm, goals: &[Goal], which: Reductions) -> String {
    let reduced = rsm::reduce(rsm, goals, which);
    let predicates = (0..rsm.modules.len()).map(ModuleId::new);
    let predicates = predicates.map(|id| Predicates::new(rsm, id, &reduced.modules[id.index()])).collect();
    let rules = Rules { rsm, reduced: &reduced, predicates };
    let may_meet_goal = may_meet_goal(rsm, &reduced, goals);
    let mut out = HEADER.to_owned();
    for (module, predicates) in rules.predicates.iter().enumerate() {
        predicates.declare(&mut out);
        if may_meet_goal[module] && ModuleId::new(module) != rsm.main {
            predicates.declare_bad(&mut out);
        }
    }
    for (module, reduced) in reduced.modules.iter().enumerate().filter(|(_, reduced)| reduced.is_used) {
        let id = ModuleId::new(module);
        rules.entry(id, &mut out);
        for block in &reduced.blocks {
            rules.block(id, block, &mut out);
            if called(rsm, id, block).is_some_and(|callee| may_meet_goal[callee.index()]) {
                rules.inside(id, block, &mut out);
            }
        }
    }
    for &goal in goals {
        rules.goal(goal, &mut out);
    }
    out.push_str("(check-sat)\n");
    out
}

/// For each module whether it, or one that it may call, has a goal.
fn may_meet_goal(rsm: &Rsm, reduced: &Reduced, goals: &[Goal]) -> Vec<bool> {
    let mut callers: Vec<Vec<ModuleId>> = vec![Vec::new(); rsm.modules.len()];
    for (module, reduced) in reduced.modules.iter().enumerate() {
        let caller = ModuleId::new(module);
        for callee in reduced.blocks.iter().filter_map(|block| called(rsm, caller, block)) {
            callers[callee.index()].push(caller);
        }
    }
    let mut may_meet_goal = vec![false; rsm.modules.len()];
    let mut pending: Vec<ModuleId> =
        goals.iter().map(|&(Goal::At(id, _) | Goal::Failure(id, _))| id).collect();
    while let Some(module) = pending.pop() {
        if !std::mem::replace(&mut may_meet_goal[module.index()], true) {
            pending.extend(&callers[module.index()]);
        }
    }
    may_meet_goal
}

/// The module that a block calls, if it is a call.
fn called(rsm: &Rsm, caller: ModuleId, block: &Block) -> Option<ModuleId> {
    match rsm.module(caller).edge(block.path[0]).action {
        Action::Call { callee, .. } => Some(callee),
        _ => None,
    }
}

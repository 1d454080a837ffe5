//! The target: what the question asks for, as states, in programs with threads for each thread that is meant.

use crate::rows::at;
use crate::word::{Making, Rows};
use rsm::ThreadGoal;
use solver::Given;

/// The rows of what the question asks for.
pub(crate) fn target(making: &mut Making) -> Rows {
    goal_rows(making, making.goals)
}

/// The rows of some goals; goals that are dead code have none.
pub(crate) fn goal_rows(making: &mut Making, goals: &[ThreadGoal]) -> Rows {
    let templates = making.templates;
    let mut rows = Vec::new();
    for goal in goals {
        let Some((m, node, assertion)) = templates.goal(goal.goal) else { continue };
        let mut counters = vec![templates.counter(m, node)];
        // A thread that has not begun is at its first statement.
        if templates.threads.is_some() && node == templates.rsm.module(m).entry && counters != [0] {
            counters.push(0);
        }
        let view = making.states[0].view(&templates.slots, m);
        for counter in counters {
            let (encoder, dd) = making.tools();
            let diagram = templates.goal_states(encoder, dd, &view, (m, counter), assertion)?;
            let row = at(&making.states[0], m, counter, diagram);
            let Some(threads) = &templates.threads else {
                rows.push(row);
                continue;
            };
            rows.extend(threads.meant(*goal).map(|t| {
                Given::new(row.key.iter().copied().chain([(making.template.others[0], t)]), diagram)
            }));
        }
    }
    Ok(rows)
}

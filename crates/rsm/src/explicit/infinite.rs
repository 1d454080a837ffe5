//! Infinite runs, by the whole table: every state of every activation, and the ways between them.
//!
//! An infinite run stays in one activation for ever, calls inside it finished, or makes infinitely many calls that do not return.
//! Either way it goes round a cycle of the graph whose edges are steps, calls, and finished calls; and every cycle of the
//! graph is a run, since what a function does depends on its entry only. To be at a goal again and again, the cycle has to pass
//! one, perhaps inside a finished call:
//!
//! ```text
//! PASSED  Passed(v) :- Way(u, v), Goal(u).
//!         Passed(v) :- Way(u, v), Passed(u), unless the way is a call.
//!         Passed(v) :- Finished(u, x, v), Passed(x).
//!         Passed(v) :- Finished(u, x, v), Goal(x).
//! ```
//!
//! `Passed(v)`: some way from the entry of v to v passes a goal before v. Paper: \[VERA05\], section 4.

use super::{How, Limits, ReachId, Table, Unfinished, Way, is_at, place_of};
use crate::goal::Goal;
use crate::machine::Rsm;
use base::Stop;

/// Whether there is an infinite run.
pub fn infinite(rsm: &Rsm, limits: Limits, stop: &Stop) -> Result<bool, Unfinished> {
    let (table, ways) = whole(rsm, limits, stop)?;
    Ok(has_cycle(table.reached.len(), &ways, |_| true))
}

/// For each goal whether there is an infinite run that is there again and again.
pub fn repeats(rsm: &Rsm, goals: &[Goal], limits: Limits, stop: &Stop) -> Result<Vec<bool>, Unfinished> {
    let (table, ways) = whole(rsm, limits, stop)?;
    let mut found = Vec::with_capacity(goals.len());
    for goal in goals {
        let is_goal = at(&table, *goal)?;
        let passed = passed(table.reached.len(), &ways, &is_goal);
        found.push(has_cycle(table.reached.len(), &ways, |way| is_fair(way, &passed, &is_goal)));
    }
    Ok(found)
}

/// Everything that is reached, and all ways.
fn whole<'a>(rsm: &'a Rsm, limits: Limits, stop: &Stop) -> Result<(Table<'a>, Vec<Way>), Unfinished> {
    let mut table = Table::new(rsm, limits)?;
    table.log = Some(Vec::new());
    while let Some(id) = table.pop(stop)? {
        table.expand(id)?;
    }
    let ways = table.log.take().unwrap_or_default();
    Ok((table, ways))
}

/// For each state whether it is at the goal.
fn at(table: &Table<'_>, goal: Goal) -> Result<Vec<bool>, Unfinished> {
    let place = place_of(table.rsm, goal);
    let mut is_goal = Vec::with_capacity(table.reached.len());
    for (n, reach) in table.reached.iter().enumerate() {
        let is_there = (table.module_of(ReachId::new(n)), reach.node) == place;
        is_goal.push(is_there && is_at(table.rsm, goal, &reach.state)?);
    }
    Ok(is_goal)
}

/// Whoever takes this way passes a goal, its end not counted.
fn is_fair(way: &Way, passed: &[bool], is_goal: &[bool]) -> bool {
    let inside = match way.how {
        How::Finished(exit) => passed[exit.index()] || is_goal[exit.index()],
        How::Step | How::Call => false,
    };
    inside || is_goal[way.from.index()]
}

/// For each state whether some way from its entry passes a goal before it.
fn passed(n_states: usize, ways: &[Way], is_goal: &[bool]) -> Vec<bool> {
    let mut passed = vec![false; n_states];
    let within: Vec<&Way> = ways.iter().filter(|way| !matches!(way.how, How::Call)).collect();
    // Whom it concerns that a state is passed: those who go on from there, and those who wait for its return.
    let mut concerned: Vec<Vec<&Way>> = vec![Vec::new(); n_states];
    for way in &within {
        concerned[way.from.index()].push(way);
        if let How::Finished(exit) = way.how {
            concerned[exit.index()].push(way);
        }
    }
    let mut todo: Vec<ReachId> = Vec::new();
    let mark = |passed: &mut Vec<bool>, todo: &mut Vec<ReachId>, to: ReachId| {
        if !std::mem::replace(&mut passed[to.index()], true) {
            todo.push(to);
        }
    };
    for way in within {
        if is_fair(way, &passed, is_goal) {
            mark(&mut passed, &mut todo, way.to);
        }
    }
    while let Some(id) = todo.pop() {
        concerned[id.index()].iter().for_each(|way| mark(&mut passed, &mut todo, way.to));
    }
    passed
}

/// Some way that counts is on a cycle.
fn has_cycle(n_states: usize, ways: &[Way], counts: impl Fn(&Way) -> bool) -> bool {
    let (mut next, mut before) = (vec![Vec::new(); n_states], vec![Vec::new(); n_states]);
    for way in ways {
        next[way.from.index()].push(way.to.index());
        before[way.to.index()].push(way.from.index());
    }
    let mut order = Vec::with_capacity(n_states);
    let mut is_seen = vec![false; n_states];
    (0..n_states).for_each(|root| visit(&next, root, &mut is_seen, &mut order));
    // Backwards, in the order in which they were left last: whatever is met belongs to the component of the root.
    let mut component = vec![n_states; n_states];
    let mut is_seen = vec![false; n_states];
    for root in order.into_iter().rev() {
        let mut members = Vec::new();
        visit(&before, root, &mut is_seen, &mut members);
        members.into_iter().for_each(|member| component[member] = root);
    }
    ways.iter().any(|way| counts(way) && component[way.from.index()] == component[way.to.index()])
}

/// Depth first from a root, without recursion; writes down what has not been seen, in the order in which it is left.
fn visit(next: &[Vec<usize>], root: usize, is_seen: &mut [bool], left: &mut Vec<usize>) {
    if std::mem::replace(&mut is_seen[root], true) {
        return;
    }
    let mut stack = vec![(root, 0)];
    while let Some((at, position)) = stack.last_mut() {
        match next[*at].get(*position) {
            Some(&to) => {
                *position += 1;
                if !std::mem::replace(&mut is_seen[to], true) {
                    stack.push((to, 0));
                }
            }
            None => {
                left.push(*at);
                stack.pop();
            }
        }
    }
}

//! Targets in threads: `L`, `f:L`, `thread.f:L`, `thread[1].f:L`, `assert`.

use crate::target::{self, TargetError};
use rsm::{Concurrent, Copies, Goal, ThreadBlock, ThreadGoal};

/// A target with its goals.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThreadTarget {
    /// As the user wrote it.
    pub name: String,
    /// Reaching any of them reaches the target.
    pub goals: Vec<ThreadGoal>,
}

/// The target that a text names.
pub fn find_thread_target(program: &Concurrent, name: &str) -> Result<ThreadTarget, TargetError> {
    let machine = &program.machine;
    match target::find_target(machine, name) {
        Ok(found) => {
            let any = |goal: Goal| ThreadGoal { goal, copy: None };
            let goals = found.goals.into_iter().map(any).collect();
            Ok(ThreadTarget { name: name.to_owned(), goals })
        }
        Err(error) => match in_thread(program, name) {
            Some(found) => found,
            None => Err(error),
        },
    }
}

/// A target that names a thread; `None` if the text does not.
fn in_thread(program: &Concurrent, name: &str) -> Option<Result<ThreadTarget, TargetError>> {
    let (place, label) = name.split_once(':')?;
    let (thread, function) = place.split_once('.')?;
    let (block, copy) = match thread.strip_suffix(']').and_then(|thread| thread.split_once('[')) {
        Some((block, copy)) => (block, Some(copy.parse::<u32>().ok()?)),
        None => (thread, None),
    };
    let found = program.blocks.iter().find(|candidate| candidate.name == block)?;
    let has_copy = |copy: u32| !matches!(found.copies, Copies::Number(number) if copy >= number);
    if copy.is_some_and(|copy| !has_copy(copy)) {
        return Some(Err(TargetError::NoCopy { name: name.to_owned(), block: block.to_owned() }));
    }
    let goals = goals_in(program, found, function, label);
    let goals: Vec<ThreadGoal> = goals.into_iter().map(|goal| ThreadGoal { goal, copy }).collect();
    match goals.is_empty() {
        true => Some(
            target::find_target(&program.machine, &format!("{function}:{label}"))
                .map(|_| ThreadTarget { name: name.to_owned(), goals: Vec::new() }),
        ),
        false => Some(Ok(ThreadTarget { name: name.to_owned(), goals })),
    }
}

/// The places with a label in the functions of one block.
fn goals_in(program: &Concurrent, block: &ThreadBlock, function: &str, label: &str) -> Vec<Goal> {
    let name = format!("{function}:{label}");
    let everywhere = target::find_target(&program.machine, &name).map(|found| found.goals);
    let goals = everywhere.unwrap_or_default();
    goals.into_iter().filter(|goal| block.modules.contains(&goal.module())).collect()
}

/// What is asked for if nothing is said: failed assertions, and the labels that mark errors by convention.
pub fn default_thread_targets(program: &Concurrent) -> Result<Vec<ThreadTarget>, TargetError> {
    let found = target::default_targets(&program.machine)?;
    let in_any = |goals: Vec<Goal>| goals.into_iter().map(|goal| ThreadGoal { goal, copy: None }).collect();
    Ok(found.into_iter().map(|found| ThreadTarget { name: found.name, goals: in_any(found.goals) }).collect())
}

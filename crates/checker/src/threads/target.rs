//! Targets in threads: `L`, `f:L`, `thread.f:L`, `thread[1].f:L`, `assert`.

use crate::target::{self, Target, TargetError};
use rsm::{Concurrent, Copies, Goal, ThreadBlock, ThreadGoal};
use rustc_hash::FxHashSet;

/// The target that a text names.
pub fn find_thread_target(program: &Concurrent, name: &str) -> Result<Target, TargetError> {
    let machine = &program.machine;
    match target::find_target(machine, name) {
        Ok(found) => Ok(in_any_thread(program, found)),
        Err(error) => match in_thread(program, name) {
            Some(found) => found,
            None => Err(error),
        },
    }
}

/// A target that names a thread; `None` if the text does not.
fn in_thread(program: &Concurrent, name: &str) -> Option<Result<Target, TargetError>> {
    let (place, label) = name.split_once(':')?;
    let (thread, function) = match place.split_once('.') {
        Some((thread, function)) => (thread, Some(function)),
        None => (place, None),
    };
    let (block, copy) = match thread.strip_suffix(']').and_then(|thread| thread.split_once('[')) {
        Some((block, copy)) => (block, Some(copy_number(copy)?)),
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
        true => Some(Err(elsewhere(program, name, function, label))),
        false => Some(Ok(Target { name: name.to_owned(), goals })),
    }
}

/// The number of a copy as it is written: digits, without a sign and without zeros in front.
fn copy_number(text: &str) -> Option<u32> {
    text.parse::<u32>().ok().filter(|number| number.to_string() == text)
}

/// A thread has no such label; others may have.
fn elsewhere(program: &Concurrent, name: &str, function: Option<&str>, label: &str) -> TargetError {
    let has = |block: &&ThreadBlock| !goals_in(program, block, function, label).is_empty();
    let others = program.blocks.iter().filter(has);
    let place = |block: &ThreadBlock| match function {
        Some(function) => format!("{}.{function}:{label}", block.name),
        None => format!("{}:{label}", block.name),
    };
    let nearest: Vec<String> = others.map(place).take(3).collect();
    match target::find_target(&program.machine, &within(function, label)) {
        Err(TargetError::UnknownLabel { nearest, .. }) => {
            TargetError::UnknownLabel { name: name.to_owned(), nearest }
        }
        _ => TargetError::UnknownLabel { name: name.to_owned(), nearest },
    }
}

/// A label, in a function or in whatever function.
fn within(function: Option<&str>, label: &str) -> String {
    function.map_or_else(|| label.to_owned(), |function| format!("{function}:{label}"))
}

/// The places with a label in the functions of one block.
fn goals_in(program: &Concurrent, block: &ThreadBlock, function: Option<&str>, label: &str) -> Vec<Goal> {
    let everywhere = target::find_target(&program.machine, &within(function, label));
    let goals = everywhere.iter().flat_map(Target::places);
    goals.filter(|goal| block.modules.contains(&goal.module())).collect()
}

/// What is asked for if nothing is said: failed assertions, and the labels that mark errors by convention.
pub fn default_thread_targets(program: &Concurrent) -> Result<Vec<Target>, TargetError> {
    let found = target::default_targets(&program.machine)?;
    Ok(found.into_iter().map(|found| in_any_thread(program, found)).collect())
}

/// A target that any thread may reach. The first statement of a thread is reached when the thread is started.
fn in_any_thread(program: &Concurrent, mut target: Target) -> Target {
    let own: FxHashSet<Goal> = target.places().collect();
    let starts = program.starts.iter().filter(|start| own.contains(&Goal::At(start.function, start.first)));
    target.goals.extend(starts.map(|start| ThreadGoal::from(Goal::At(start.module, start.node))));
    target
}

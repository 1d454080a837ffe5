//! What may be reached in an integer program, as the user names it.

use crate::target::Target;
use integers::{Faults, Program, TargetId, TargetKind};

/// Where a target is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum IntegerGoal {
    /// One of these targets of the program.
    Places(Vec<TargetId>),
    /// Any result that does not fit its type.
    Overflow,
    /// Something goes wrong that is no place of the program. Who asks for it asks for nothing else.
    Fault(Faults),
}

impl Target<IntegerGoal> {
    /// Overflows.
    pub fn overflow() -> Self {
        Self { name: "overflow".to_owned(), goals: IntegerGoal::Overflow }
    }

    /// What may go wrong.
    pub fn fault(name: &str, faults: Faults) -> Self {
        Self { name: name.to_owned(), goals: IntegerGoal::Fault(faults) }
    }

    /// Whether a target of the program, perhaps one with overflows as targets, is this one.
    pub fn includes(&self, program: &Program, target: TargetId) -> bool {
        match &self.goals {
            IntegerGoal::Places(places) => places.contains(&target),
            IntegerGoal::Overflow => program.targets[target.index()].kind == TargetKind::Overflow,
            IntegerGoal::Fault(_) => program.targets[target.index()].kind == TargetKind::Undefined,
        }
    }
}

/// What may go wrong, if that is what is asked for.
pub fn faults(targets: &[Target<IntegerGoal>]) -> Option<Faults> {
    targets.iter().find_map(|target| match target.goals {
        IntegerGoal::Fault(faults) => Some(faults),
        IntegerGoal::Places(_) | IntegerGoal::Overflow => None,
    })
}

/// The word for a target of the program.
fn word(target: &integers::Target) -> &str {
    match target.kind {
        TargetKind::Assertion => "assert",
        TargetKind::Call | TargetKind::Label | TargetKind::Overflow | TargetKind::Undefined => &target.name,
    }
}

/// All targets of a program; those with one name are one.
pub fn default_integer_targets(program: &Program) -> Vec<Target<IntegerGoal>> {
    let mut names: Vec<&str> = Vec::new();
    for target in &program.targets {
        if !names.contains(&word(target)) {
            names.push(word(target));
        }
    }
    // Assertions come first, as in programs of other languages.
    names.sort_by_key(|name| *name != "assert");
    names.into_iter().map(|name| named(program, name)).collect()
}

/// The targets with these names.
pub fn named_integer_targets(program: &Program, names: &[String]) -> Vec<Target<IntegerGoal>> {
    names.iter().map(|name| named(program, name)).collect()
}

fn named(program: &Program, name: &str) -> Target<IntegerGoal> {
    let is_meant = |target: &integers::Target| match name.split_once(':') {
        Some((function, label)) => target.function == function && target.name == label,
        None => word(target) == name,
    };
    let targets = program.targets.iter().enumerate();
    let places = targets.filter(|(_, target)| is_meant(target)).map(|(n, _)| TargetId::new(n)).collect();
    Target { name: name.to_owned(), goals: IntegerGoal::Places(places) }
}

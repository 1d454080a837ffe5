//! What may be reached in an integer program, as the user names it.

use integers::{Program, Target, TargetId, TargetKind};

/// A target as the user names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IntegerTarget {
    /// `assert`, `overflow`, a label `L` or `f:L`, or a function whose call is the error.
    pub name: String,
    /// Where it is.
    pub goal: IntegerGoal,
}

/// Where a target is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum IntegerGoal {
    /// One of these targets of the program.
    Places(Vec<TargetId>),
    /// Any result that does not fit its type.
    Overflow,
}

impl IntegerTarget {
    /// Overflows.
    pub fn overflow() -> Self {
        Self { name: "overflow".to_owned(), goal: IntegerGoal::Overflow }
    }

    /// Whether a target of the program, perhaps one with overflows as targets, is this one.
    pub fn includes(&self, program: &Program, target: TargetId) -> bool {
        match &self.goal {
            IntegerGoal::Places(places) => places.contains(&target),
            IntegerGoal::Overflow => program.targets[target.index()].kind == TargetKind::Overflow,
        }
    }
}

/// The word for a target of the program.
fn word(target: &Target) -> &str {
    match target.kind {
        TargetKind::Assertion => "assert",
        TargetKind::Call | TargetKind::Label | TargetKind::Overflow => &target.name,
    }
}

/// All targets of a program; those with one name are one.
pub fn default_integer_targets(program: &Program) -> Vec<IntegerTarget> {
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
pub fn named_integer_targets(program: &Program, names: &[String]) -> Vec<IntegerTarget> {
    names.iter().map(|name| named(program, name)).collect()
}

fn named(program: &Program, name: &str) -> IntegerTarget {
    let is_meant = |target: &Target| match name.split_once(':') {
        Some((function, label)) => target.function == function && target.name == label,
        None => word(target) == name,
    };
    let targets = program.targets.iter().enumerate();
    let places = targets.filter(|(_, target)| is_meant(target)).map(|(n, _)| TargetId::new(n)).collect();
    IntegerTarget { name: name.to_owned(), goal: IntegerGoal::Places(places) }
}

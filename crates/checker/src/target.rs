//! Targets: what the user asks for, as goals of the machine.

use rsm::trace::Trace;
use rsm::{Action, EdgeId, Goal, ModuleId, NodeId, Rsm, ThreadGoal};

/// Labels that are targets if nothing else is said.
const DEFAULT_LABELS: [&str; 3] = ["ERROR", "ERR", "SLIC_ERROR"];

/// A target with its goals.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target<G = Vec<ThreadGoal>> {
    /// As the user wrote it: `assert`, `L`, `f:L`; in threads also `thread.f:L`, `thread[1].f:L`; in integer programs also `overflow`, and
    /// functions whose call is the error.
    pub name: String,
    /// Reaching any of them reaches the target.
    pub goals: G,
}

impl Target {
    /// A target that any thread may reach at these places.
    pub fn new(name: impl Into<String>, places: impl IntoIterator<Item = Goal>) -> Self {
        Self { name: name.into(), goals: places.into_iter().map(ThreadGoal::from).collect() }
    }

    /// A run ends at one of its goals.
    pub fn is_reached_by(&self, trace: &Trace) -> bool {
        trace.goal().is_some_and(|goal| self.goals.contains(&goal))
    }

    /// The places of its goals.
    pub fn places(&self) -> impl Iterator<Item = Goal> + '_ {
        self.goals.iter().map(|goal| goal.goal)
    }
}

/// A target that does not exist.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TargetError {
    /// The program has no such label; the nearest that it has.
    UnknownLabel {
        /// What was asked for.
        name: String,
        /// Names of targets that come near.
        nearest: Vec<String>,
    },
    /// The thread block has fewer copies.
    NoCopy {
        /// What was asked for.
        name: String,
        /// The block.
        block: String,
    },
    /// The program is sequential and has no threads.
    NoThreads(String),
    /// Nothing was asked for, and there is nothing to ask for by default.
    Nothing,
}

impl std::fmt::Display for TargetError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::UnknownLabel { name, nearest } if nearest.is_empty() => {
                write!(f, "there is no label `{name}`: the program has no labels")
            }
            Self::UnknownLabel { name, nearest } if nearest.len() == 1 => {
                write!(f, "there is no label `{name}`; the nearest is `{}`", nearest[0])
            }
            Self::UnknownLabel { name, nearest } => {
                write!(f, "there is no label `{name}`; the nearest are `{}`", nearest.join("`, `"))
            }
            Self::NoCopy { name, block } => {
                write!(
                    f,
                    "`{name}` names a copy that thread `{block}` does not have; copies are counted from 0"
                )
            }
            Self::NoThreads(name) => {
                write!(f, "`{name}` names a thread, but the program has none; write `f:L` or `L`")
            }
            Self::Nothing => write!(
                f,
                "nothing to check: the program has no assertion and no label `ERROR`, `ERR` or `SLIC_ERROR`; \
                 pass `--target LABEL` or `--target FUNCTION:LABEL`"
            ),
        }
    }
}

/// The target that a text names: `assert`, `L` or `f:L`.
pub fn find_target(rsm: &Rsm, name: &str) -> Result<Target, TargetError> {
    if name == "assert" {
        return Ok(Target::new(name, assertions(rsm)));
    }
    let (function, label) = match name.split_once(':') {
        Some((function, label)) => (Some(function), label),
        None => (None, name),
    };
    let goals: Vec<Goal> = labels(rsm)
        .filter(|(f, l, _)| *l == label && function.is_none_or(|function| function == *f))
        .map(|found| found.2)
        .collect();
    if !goals.is_empty() {
        return Ok(Target::new(name, goals));
    }
    let is_function = |f: &str| rsm.modules.iter().any(|module| module.name == f);
    if function.is_some_and(|f| !is_function(f) && (f.contains('.') || f.contains('['))) {
        return Err(TargetError::NoThreads(name.to_owned()));
    }
    Err(TargetError::UnknownLabel { name: name.to_owned(), nearest: nearest(rsm, function, label) })
}

/// What is asked for if nothing is said: failed assertions, and the labels that mark errors by convention.
pub fn default_targets(rsm: &Rsm) -> Result<Vec<Target>, TargetError> {
    let mut targets = Vec::new();
    let failures = assertions(rsm);
    if !failures.is_empty() {
        targets.push(Target::new("assert", failures));
    }
    for name in DEFAULT_LABELS {
        targets.extend(find_target(rsm, name).ok());
    }
    if targets.is_empty() { Err(TargetError::Nothing) } else { Ok(targets) }
}

fn assertions(rsm: &Rsm) -> Vec<Goal> {
    let of_module = |(m, module): (usize, &rsm::Module)| {
        let edges = module.edges.iter().enumerate();
        let asserts = edges.filter(|(_, edge)| matches!(edge.action, Action::Assert(_)));
        asserts.map(|(e, _)| Goal::Failure(ModuleId::new(m), EdgeId::new(e))).collect::<Vec<Goal>>()
    };
    rsm.modules.iter().enumerate().flat_map(of_module).collect()
}

/// All labels with their functions and places.
fn labels(rsm: &Rsm) -> impl Iterator<Item = (&str, &str, Goal)> {
    rsm.modules.iter().enumerate().flat_map(|(m, module)| {
        module.nodes.iter().enumerate().flat_map(move |(n, node)| {
            let goal = Goal::At(ModuleId::new(m), NodeId::new(n));
            node.labels.iter().map(move |label| (module.name.as_str(), label.as_str(), goal))
        })
    })
}

/// The three labels whose names differ least.
fn nearest(rsm: &Rsm, function: Option<&str>, label: &str) -> Vec<String> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let away = |a: &str, b: &str| base::edit_distance(&a.to_lowercase(), &b.to_lowercase());
    for (f, l, _) in labels(rsm) {
        let (distance, name) = match function {
            None => (away(label, l), l.to_owned()),
            Some(function) => (away(label, l) + away(function, f), format!("{f}:{l}")),
        };
        if !found.iter().any(|known| known.1 == name) {
            found.push((distance, name));
        }
    }
    found.sort();
    found.into_iter().take(3).map(|f| f.1).collect()
}

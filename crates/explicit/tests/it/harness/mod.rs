//! What the tests of this crate share: programs as machines, goals, searches, and checks of what they find.
pub mod oracle;
pub mod peers;
pub mod threads;
pub mod watched;

use base::{Gauge, Stop};
use explicit::{Answer, Limits, Order, Outcome, Settings};
use rsm::trace::{Context, End, Round, Step, Trace, Visit};
use rsm::{Action, Concurrent, EdgeId, Goal, ModuleId, NodeId, Rsm, ThreadGoal};
pub use testing::lower as machine;

pub const ORDERS: [Order; 3] = [Order::Dfs, Order::Bfs, Order::Widen];

/// Every label and every assertion.
pub fn goals(rsm: &Rsm) -> Vec<Goal> {
    let mut goals = Vec::new();
    for (n, module) in rsm.modules.iter().enumerate() {
        let id = ModuleId::new(n);
        let labelled = module.nodes.iter().enumerate().filter(|(_, node)| !node.labels.is_empty());
        goals.extend(labelled.map(|(node, _)| Goal::At(id, NodeId::new(node))));
        let edges = module.edges.iter().enumerate();
        let assertions = edges.filter(|(_, edge)| matches!(edge.action, Action::Assert(_)));
        goals.extend(assertions.map(|(edge, _)| Goal::Failure(id, EdgeId::new(edge))));
    }
    goals
}

/// The statements with a label.
pub fn labelled(rsm: &Rsm, label: &str) -> Vec<Goal> {
    let has = |goal: &Goal| match *goal {
        Goal::At(module, node) => rsm.module(module).node(node).labels.iter().any(|l| l == label),
        Goal::Failure(..) => false,
    };
    let found: Vec<Goal> = goals(rsm).into_iter().filter(has).collect();
    assert!(!found.is_empty(), "there is a label {label}");
    found
}

/// Calls something with limits that are rarely met.
pub fn limited<T>(max_bytes: usize, ask: impl FnOnce(&Limits<'_>) -> T) -> T {
    let (stop, gauge) = (Stop::default(), Gauge::default());
    ask(&Limits { max_bytes, max_states: 1 << 24, max_steps: 1 << 18, stop: &stop, gauge: &gauge })
}

pub fn with(order: Order) -> Settings {
    Settings { order, ..Settings::default() }
}

pub fn reach(rsm: &Rsm, goals: &[Goal], settings: Settings) -> Outcome {
    limited(1 << 28, |limits| explicit::reach(rsm, goals, settings, limits))
}

pub fn repeat(rsm: &Rsm, goals: &[Goal], settings: Settings) -> Outcome {
    limited(1 << 28, |limits| explicit::repeat(rsm, goals, settings, limits))
}

pub fn infinite(rsm: &Rsm, settings: Settings) -> Outcome {
    limited(1 << 28, |limits| explicit::infinite(rsm, settings, limits))
}

/// The trace is a run to its goal; how many steps it has.
#[track_caller]
pub fn check_trace(rsm: &Rsm, trace: &Trace, text: &str) -> usize {
    let goal = trace.goal().expect("a trace has a goal");
    let program = Concurrent::sequential(rsm.clone());
    trace.replay(&program, &[goal]).unwrap_or_else(|fault| panic!("{fault}\n{text}\n{trace:#?}"));
    let n_steps = trace.walk(rsm).count();
    assert_eq!(n_steps as u128, trace.n_steps(), "{text}");
    n_steps
}

/// The trace is an infinite run, also with its finished calls written out.
#[track_caller]
pub fn check_lasso(rsm: &Rsm, trace: &Trace, goals: &[Goal], text: &str) -> Round {
    let goals: Vec<ThreadGoal> = goals.iter().map(|goal| (*goal).into()).collect();
    let program = Concurrent::sequential(rsm.clone());
    let round = |trace: &Trace| {
        let found = trace.round(&program, &goals);
        found.unwrap_or_else(|fault| panic!("{fault}\n{text}\n{trace:#?}"))
    };
    let found = round(trace);
    assert_eq!(round(&written_out(rsm, trace)), found, "{text}");
    found
}

/// The infinite run without finished calls as single steps.
fn written_out(rsm: &Rsm, trace: &Trace) -> Trace {
    let step = |visit: Visit<'_>| Step { edge: visit.edge, run: None, after: visit.after.clone() };
    let steps = trace.walk(rsm).map(step).collect();
    let end = End::Cycle { first: trace.n_stem() as usize };
    let context = Context { thread: trace.thread(), steps };
    Trace { start: trace.start.clone(), runs: Vec::new(), contexts: vec![context], end }
}

/// What an outcome says about infinite runs; the lasso is one.
#[track_caller]
pub fn is_infinite(rsm: &Rsm, outcome: &Outcome, goals: &[Goal], text: &str) -> bool {
    match &outcome.answer {
        Answer::Infinite(Some(lasso)) => {
            check_lasso(rsm, lasso, goals, text);
            true
        }
        Answer::No => false,
        other => panic!("{other:?}\n{text}"),
    }
}

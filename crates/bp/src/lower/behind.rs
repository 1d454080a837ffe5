//! The places right behind the starts of threads whose first statement has labels.
//!
//! As soon as such a thread is started it is about to execute a statement that may be a target, though it is not active
//! and may never be. A place of the starter's own, which only this start leads to, tells that the thread is there.
//! Contract: the function has one such node for each of these starts, in the order of the text, behind that of its `end`.

use super::flow::Flow;
use super::start::{Beginning, Starts};
use crate::ast::Function;
use crate::check::Checked;
use rsm::{Concurrent, ModuleId, NodeId, Start};

/// The start of a thread whose first statement has labels.
pub(super) struct Behind {
    /// The position of the statement that starts it.
    pub(super) position: usize,
    /// Where the starter is then.
    pub(super) node: NodeId,
    /// Where the new thread begins.
    begin: Beginning,
}

/// The starts in a function of threads whose first statement has labels.
pub(super) fn find(checked: &Checked, starts: &Starts, function: u32, flow: &Flow) -> Vec<Behind> {
    let program = checked.program();
    let functions = &program.unit.functions;
    let mut found: Vec<Behind> = Vec::new();
    for (position, statement) in functions[function as usize].body.iter().enumerate() {
        let Some(started) = starts.started(program, statement) else { continue };
        let begin = Beginning::new(checked, function, &started);
        if has_labels(&functions[begin.function as usize], begin) {
            let node = NodeId::new(flow.n_nodes + 1 + found.len());
            found.push(Behind { position, node, begin });
        }
    }
    found
}

/// The statement where a thread begins has labels.
fn has_labels(function: &Function, begin: Beginning) -> bool {
    let first = function.body.get(begin.position.unwrap_or(0) as usize);
    first.is_some_and(|statement| !statement.labels.is_empty())
}

/// Tells a machine about these places. `functions` says which function each of its modules is made of, and `flows` where
/// these go.
pub(super) fn record(
    checked: &Checked,
    starts: &Starts,
    flows: &[Flow],
    functions: &[u32],
    machine: &mut Concurrent,
) {
    let of_function = |(flow, function)| find(checked, starts, function, flow);
    let found: Vec<Vec<Behind>> = flows.iter().zip(0..).map(of_function).collect();
    for (module, function) in functions.iter().enumerate() {
        for Behind { node, begin, .. } in &found[*function as usize] {
            let first = begin.node(&flows[begin.function as usize]);
            let (module, function) = (ModuleId::new(module), ModuleId(begin.function));
            machine.starts.push(Start { module, node: *node, function, first });
        }
    }
}

//! The recursive state machine: modules, nodes, edges, typed variables.
//!
//! A node is a program point: about to execute a statement, or the exit of a module. An edge is one step of the
//! program: a statement, one outcome of a test, a call, a return.

use crate::expr::{Expr, Type};
use base::Span;
pub use base::{EdgeId, NodeId, Place};

base::index_type! {
    /// A module: one function.
    ModuleId;
}

/// A variable.
pub type Variable = base::Variable<Type>;

/// One step. A return leads to the exit.
pub type Edge = base::Edge<Action>;

/// A whole sequential program.
#[derive(Clone, Debug)]
pub struct Rsm {
    /// The global variables.
    pub globals: Vec<Variable>,
    /// Restrictions of the initial globals; each can hold.
    pub init: Vec<Expr>,
    /// The functions.
    pub modules: Vec<Module>,
    /// Where execution starts.
    pub main: ModuleId,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Module {
    /// Its name.
    pub name: String,
    /// Where it is defined.
    pub span: Span,
    /// Parameters first, then declared locals.
    pub locals: Vec<Variable>,
    /// How many of the locals are parameters.
    pub n_params: usize,
    /// The types of its results.
    pub results: Vec<Type>,
    /// What every state of it satisfies while it is on top of the stack, if it says so.
    pub enforce: Option<Expr>,
    /// Its nodes.
    pub nodes: Vec<Node>,
    /// Its edges, sorted by source, in the order of the text.
    pub edges: Vec<Edge>,
    /// The node before its first statement. It may have incoming edges.
    pub entry: NodeId,
    /// The node that every return leads to. It has no outgoing edges and is not a state of its own: a return step goes on
    /// to the caller at once (in `main` the run ends there). Nodes with larger numbers are where threads end, see
    /// [`Module::ends_thread`].
    pub exit: NodeId,
}

/// A program point.
#[derive(Clone, Debug)]
pub struct Node {
    /// The labels of the statement.
    pub labels: Vec<String>,
    /// The statement, or where the function ends.
    pub span: Span,
    /// An `atomic` block surrounds it.
    pub in_atomic: bool,
}

/// What a step does.
#[derive(Clone, Debug)]
pub enum Action {
    /// `skip`, `goto`, `print`, entering an atomic block: nothing changes.
    Skip,
    /// Goes on where the condition can hold: `assume`, `constrain`, one outcome of a test.
    Assume(Expr),
    /// Goes on where the condition can hold. Where it can fail, the run may stop here in an assertion failure, which is
    /// a target of its own.
    Assert(Expr),
    /// All values are computed in the old state, then stored.
    Assign {
        /// The variables, all different.
        targets: Vec<Place>,
        /// One value for each. Values that are dropped (`_`) are not among them.
        values: Vec<Expr>,
        /// Only outcomes for which this can hold stay; may read new values.
        constrain: Option<Expr>,
    },
    /// Starts another module.
    Call {
        /// The module.
        callee: ModuleId,
        /// One argument for each parameter, computed in the caller's state.
        args: Vec<Expr>,
        /// Where the results go, `None` for those that are dropped; as many as the callee has results.
        results: Vec<Option<Place>>,
    },
    /// Ends the module with these results, computed in its state.
    Return {
        /// One for each result.
        values: Vec<Expr>,
    },
}

impl Action {
    /// What it evaluates.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        let (list, one): (&[Expr], Option<&Expr>) = match self {
            Action::Skip => (&[], None),
            Action::Assume(condition) | Action::Assert(condition) => (&[], Some(condition)),
            Action::Assign { values, constrain, .. } => (values, constrain.as_ref()),
            Action::Call { args, .. } => (args, None),
            Action::Return { values } => (values, None),
        };
        list.iter().chain(one)
    }

    /// The same, to be changed.
    pub(crate) fn expressions_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        let (list, one): (&mut [Expr], Option<&mut Expr>) = match self {
            Action::Skip => (&mut [], None),
            Action::Assume(condition) | Action::Assert(condition) => (&mut [], Some(condition)),
            Action::Assign { values, constrain, .. } => (values, constrain.as_mut()),
            Action::Call { args, .. } => (args, None),
            Action::Return { values } => (values, None),
        };
        list.iter_mut().chain(one)
    }

    /// What it stores, a call when it has returned.
    pub fn stores(&self) -> impl Iterator<Item = Place> {
        let (targets, results): (&[Place], &[Option<Place>]) = match self {
            Action::Assign { targets, .. } => (targets, &[]),
            Action::Call { results, .. } => (&[], results),
            _ => (&[], &[]),
        };
        targets.iter().copied().chain(results.iter().flatten().copied())
    }
}

impl Rsm {
    /// A module.
    pub fn module(&self, id: ModuleId) -> &Module {
        &self.modules[id.index()]
    }

    /// A variable as a module sees it.
    pub fn variable(&self, module: ModuleId, place: Place) -> &Variable {
        match place {
            Place::Global(n) => &self.globals[n as usize],
            Place::Local(n) => &self.module(module).locals[n as usize],
        }
    }
}

impl Module {
    /// A node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// A thread at this node has ended, whatever waits below on its stack: no step leads on, and the thread is in no atomic
    /// block any more.
    pub fn ends_thread(&self, node: NodeId) -> bool {
        node > self.exit
    }

    /// An edge.
    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.index()]
    }

    /// The edges that leave a node.
    pub fn edges_from(&self, node: NodeId) -> impl Iterator<Item = (EdgeId, &Edge)> {
        base::edges_from(&self.edges, node)
    }
}

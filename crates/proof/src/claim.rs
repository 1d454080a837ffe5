//! What is claimed.

use integers::compose::compose;
use integers::ghosts::Ghosted;
use integers::{Expr, FunctionId, InputId, NodeId, Program, endless};

/// What follows from a claim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Statement {
    /// No run reaches a target.
    Unreachable,
    /// If the environment chooses these numbers, each time it is asked for them, no run ends. Each input occurs once.
    Endless(Vec<(InputId, i128)>),
}

/// A formula for each node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// What follows.
    pub statement: Statement,
    /// For each function and each node of it what holds there, over the variables of the [`subject`].
    pub formulas: Vec<Vec<Expr>>,
}

impl Claim {
    /// No node is ever reached.
    pub fn nowhere(statement: Statement, subject: &Ghosted) -> Self {
        let nodes = |function: &integers::Function| vec![Expr::truth(false); function.nodes.len()];
        Self { statement, formulas: subject.program.functions.iter().map(nodes).collect() }
    }

    /// What holds at a node.
    pub fn at(&self, function: FunctionId, node: NodeId) -> &Expr {
        &self.formulas[function.index()][node.index()]
    }
}

/// The program that a claim speaks of: for [`Statement::Unreachable`] the program itself, whose targets are those that are not to be
/// reached, otherwise the one whose targets are ends; composed, and with ghosts.
pub fn subject(program: &Program, statement: &Statement) -> Ghosted {
    let composed = match statement {
        Statement::Unreachable => compose(program),
        Statement::Endless(inputs) => compose(&endless(program, inputs)),
    };
    Ghosted::new(&composed.program)
}

//! What is claimed.

use integers::cells::{Choice, cells, has_memory};
use integers::compose::compose;
use integers::ghosts::Ghosted;
use integers::plain::plain;
use integers::{EdgeId, Expr, FunctionId, InputId, NodeId, Place, Program, endless, promote, within};

/// What follows from a claim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Statement {
    /// No run reaches a target.
    Unreachable,
    /// If the environment chooses these numbers, each time it is asked for them, no run ends. Each input occurs once.
    Endless(Vec<(InputId, i128)>),
    /// Every run ends: what decreases, in this order. While a claim is being read, nothing.
    Terminating(Vec<Measure>),
}

/// A term that no edge of a cycle makes greater, and that some edges make smaller although it is not negative before, so that no run
/// takes these for ever. Those that come after it need not look at these edges.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Measure {
    /// For runs that stay in a function, whose calls all return.
    Steps {
        /// The function.
        function: FunctionId,
        /// A term over its variables, defined everywhere.
        term: Expr,
        /// The edges that make it smaller.
        edges: Vec<EdgeId>,
    },
    /// For calls inside calls, none of which returns.
    Calls {
        /// For each function of the cycle a term over what it was started with, defined everywhere.
        terms: Vec<(FunctionId, Expr)>,
        /// The calls that make it smaller.
        edges: Vec<(FunctionId, EdgeId)>,
    },
}

/// Whether formulas say that variables hold numbers of their types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Types {
    /// Where they do, it is told.
    Told,
    /// Readers know it.
    Granted,
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

    /// The same in fewer words. Where the types of variables need not be told, they are left out; a claim about what follows without them is none then.
    #[must_use]
    pub fn plain(&self, subject: &Ghosted, types: Types) -> Self {
        let formulas = (0..).map(FunctionId).zip(&self.formulas).map(|(id, formulas)| {
            let granted = |place: Place| match types {
                Types::Told => None,
                Types::Granted => Some(subject.program.variable(id, place).ty),
            };
            formulas.iter().map(|formula| plain(formula, granted)).collect()
        });
        Self { statement: self.statement.clone(), formulas: formulas.collect() }
    }

    /// What holds at a node.
    pub fn at(&self, function: FunctionId, node: NodeId) -> &Expr {
        &self.formulas[function.index()][node.index()]
    }
}

/// The program that a claim speaks of: for [`Statement::Unreachable`] the program itself, whose targets are those that are not to be
/// reached; for [`Statement::Endless`] the one whose targets are ends; for [`Statement::Terminating`] one that has none, and goes on behind them if it can.
/// Of its memory those cells are followed that are the natural ones. It is composed, and has ghosts.
pub fn subject(program: &Program, statement: &Statement) -> Ghosted {
    let program = asked(program, statement);
    followed(&program, statement, &Choice::natural(&program))
}

/// The same, with other cells.
pub fn subject_with(program: &Program, statement: &Statement, choice: &Choice) -> Ghosted {
    followed(&asked(program, statement), statement, choice)
}

/// The program whose cells are chosen.
pub fn asked(program: &Program, statement: &Statement) -> Program {
    let mut program = program.clone();
    let is_about_targets = match statement {
        Statement::Unreachable => true,
        // Those of a program without memory are forgotten later.
        Statement::Endless(_) => !has_memory(&program),
        Statement::Terminating(_) => false,
    };
    if !is_about_targets {
        program.select_targets(|_, _| false);
    }
    match statement {
        // A walk through memory ends where its object does.
        Statement::Terminating(_) if has_memory(&program) && promote(&program).is_none() => within(&program),
        _ => program,
    }
}

fn followed(program: &Program, statement: &Statement, choice: &Choice) -> Ghosted {
    let variables = cells(program, choice);
    let composed = match statement {
        Statement::Endless(inputs) => compose(&endless(&variables, inputs)),
        Statement::Unreachable | Statement::Terminating(_) => compose(&variables),
    };
    Ghosted::new(&composed.program)
}

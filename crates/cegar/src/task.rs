//! What is to be proved: a statement about a program, and what may be taken for granted on the way.

use integers::ghosts::Ghosted;
use integers::ranges::Ranges;
use integers::{Action, Bounds, Expr, FunctionId, NodeId, Program};
use proof::{Claim, Statement, subject};

/// A program and what is to be proved of it.
#[derive(Clone, Debug)]
pub struct Task {
    /// The program that claims are about.
    pub program: Program,
    /// What they say. For [`Statement::Unreachable`] the targets of the program are those that are not to be reached.
    pub statement: Statement,
    /// What abstractions and clauses are made of: the subject of the claims, whose steps can only be taken where the facts hold.
    pub ghosted: Ghosted,
    /// For each function and each node of it what holds there by itself.
    facts: Option<Vec<Vec<Expr>>>,
}

impl Task {
    /// Nothing is taken for granted.
    pub fn new(program: Program, statement: Statement) -> Self {
        let ghosted = subject(&program, &statement);
        Self { program, statement, ghosted, facts: None }
    }

    /// Where the bounds of variables show that numbers are not changed by being converted, they are not converted.
    #[must_use]
    pub fn knowing_bounds(mut self) -> Self {
        let Some(bounds) = Bounds::new(&self.ghosted) else { return self };
        if bounds.simplify(&mut self.ghosted.program) {
            let of = |(n, function): (usize, &integers::Function)| {
                let nodes = (0..function.nodes.len()).map(NodeId::new);
                nodes.map(|node| bounds.formula(FunctionId::new(n), node)).collect()
            };
            self.facts = Some(self.ghosted.program.functions.iter().enumerate().map(of).collect());
        }
        self
    }

    /// Of a program whose overflows are targets, or wrap, it is known that variables hold numbers of their types.
    #[must_use]
    pub fn knowing_types(mut self) -> Self {
        let ranges = Ranges::new(&self.ghosted);
        let ids = (0..self.ghosted.program.functions.len()).map(FunctionId::new);
        let facts: Vec<Vec<Expr>> = ids.map(|id| ranges.formulas(&self.ghosted, id)).collect();
        for (function, facts) in self.ghosted.program.functions.iter_mut().zip(&facts) {
            for edge in &mut function.edges {
                if let Action::Step(step) = &mut edge.action {
                    step.guard = facts[edge.from.index()].clone().and(step.guard.clone());
                }
            }
        }
        self.facts = Some(match self.facts.take() {
            None => facts,
            Some(before) => {
                let both = |(one, other): (Vec<Expr>, Vec<Expr>)| {
                    one.into_iter().zip(other).map(|(one, other)| one.and(other)).collect()
                };
                before.into_iter().zip(facts).map(both).collect()
            }
        });
        self
    }

    /// The claim with what was taken for granted.
    pub fn whole(&self, mut claim: Claim) -> Claim {
        let Some(facts) = &self.facts else { return claim };
        for (formulas, facts) in claim.formulas.iter_mut().zip(facts) {
            for (formula, fact) in formulas.iter_mut().zip(facts) {
                *formula = std::mem::replace(formula, Expr::truth(false)).and(fact.clone());
            }
        }
        claim
    }
}

//! Formulas as they are written: a list of nodes, operands before operators.

use base::Span;

base::index_type! {
    /// A node of a formula.
    FormulaId;
}

/// One node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// T or F.
    Constant(bool),
    /// A proposition, by its number.
    Proposition(u32),
    /// `!`
    Not(FormulaId),
    /// `&`
    And(FormulaId, FormulaId),
    /// `|`
    Or(FormulaId, FormulaId),
    /// `X`: in the next state.
    Next(FormulaId),
    /// `U`: the second holds some time, and the first until then.
    Until(FormulaId, FormulaId),
    /// `R`: the second holds up to and including when the first does, or for ever.
    Release(FormulaId, FormulaId),
}

/// A formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Formula {
    /// Its nodes, operands before operators; the last one is the formula.
    pub nodes: Vec<Node>,
    /// Where each proposition is written.
    pub propositions: Vec<Span>,
}

impl Formula {
    /// The formula itself.
    pub fn root(&self) -> FormulaId {
        FormulaId::new(self.nodes.len() - 1)
    }

    /// Makes its negation of it.
    pub fn negate(&mut self) {
        self.nodes.push(Node::Not(self.root()));
    }

    /// Whether a run satisfies it does not depend on how often a state is repeated, since it has no `X`.
    pub fn ignores_repetition(&self) -> bool {
        !self.nodes.iter().any(|node| matches!(node, Node::Next(_)))
    }

    /// A node.
    pub fn node(&self, id: FormulaId) -> Node {
        self.nodes[id.index()]
    }
}

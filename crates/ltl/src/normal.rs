//! Formulas with negations in front of propositions only, each different one once.

use crate::formula::{Formula, FormulaId, Node};
use rustc_hash::FxHashMap;

base::index_type! {
    /// A formula in normal form.
    NormalId;
}

/// A formula in normal form.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Normal {
    Constant(bool),
    /// The proposition has this value.
    Literal(u32, bool),
    And(NormalId, NormalId),
    Or(NormalId, NormalId),
    Next(NormalId),
    Until(NormalId, NormalId),
    Release(NormalId, NormalId),
}

/// All formulas in normal form.
#[derive(Default)]
pub(crate) struct Normals {
    pub(crate) all: Vec<Normal>,
    known: FxHashMap<Normal, NormalId>,
}

impl Normals {
    /// The normal form of a formula.
    pub(crate) fn of(&mut self, formula: &Formula) -> NormalId {
        let mut pairs: Vec<(NormalId, NormalId)> = Vec::with_capacity(formula.nodes.len());
        for node in &formula.nodes {
            let pair = self.pair(*node, &pairs);
            pairs.push(pair);
        }
        pairs[formula.root().index()].0
    }

    /// A node and its negation.
    fn pair(&mut self, node: Node, pairs: &[(NormalId, NormalId)]) -> (NormalId, NormalId) {
        let of = |id: FormulaId| pairs[id.index()];
        match node {
            Node::Constant(value) => {
                (self.make(Normal::Constant(value)), self.make(Normal::Constant(!value)))
            }
            Node::Proposition(n) => {
                (self.make(Normal::Literal(n, true)), self.make(Normal::Literal(n, false)))
            }
            Node::Not(a) => (of(a).1, of(a).0),
            Node::And(a, b) => {
                (self.make(Normal::And(of(a).0, of(b).0)), self.make(Normal::Or(of(a).1, of(b).1)))
            }
            Node::Or(a, b) => {
                (self.make(Normal::Or(of(a).0, of(b).0)), self.make(Normal::And(of(a).1, of(b).1)))
            }
            Node::Next(a) => (self.make(Normal::Next(of(a).0)), self.make(Normal::Next(of(a).1))),
            Node::Until(a, b) => {
                (self.make(Normal::Until(of(a).0, of(b).0)), self.make(Normal::Release(of(a).1, of(b).1)))
            }
            Node::Release(a, b) => {
                (self.make(Normal::Release(of(a).0, of(b).0)), self.make(Normal::Until(of(a).1, of(b).1)))
            }
        }
    }

    /// The formula, made simpler where a constant or an equal operand decides.
    fn make(&mut self, normal: Normal) -> NormalId {
        let value = |id: NormalId| match self.all[id.index()] {
            Normal::Constant(value) => Some(value),
            _ => None,
        };
        let simple = match normal {
            Normal::And(a, b) if a == b || value(b) == Some(true) || value(a) == Some(false) => Some(a),
            Normal::And(a, b) if value(a) == Some(true) || value(b) == Some(false) => Some(b),
            Normal::Or(a, b) if a == b || value(b) == Some(false) || value(a) == Some(true) => Some(a),
            Normal::Or(a, b) if value(a) == Some(false) || value(b) == Some(true) => Some(b),
            Normal::Next(a) if value(a).is_some() => Some(a),
            Normal::Until(a, b) | Normal::Release(a, b) if a == b || value(b).is_some() => Some(b),
            Normal::Until(a, b) if value(a) == Some(false) => Some(b),
            Normal::Release(a, b) if value(a) == Some(true) => Some(b),
            _ => None,
        };
        if let Some(simple) = simple {
            return simple;
        }
        *self.known.entry(normal).or_insert_with(|| {
            self.all.push(normal);
            NormalId::new(self.all.len() - 1)
        })
    }
}

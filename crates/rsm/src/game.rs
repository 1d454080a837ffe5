//! What an abstraction knows about the program behind it, and its machine cannot say.
//!
//! A state of the machine stands for many of the program. The machine has a step wherever one of them may take one. A game says where all of them can
//! go on, and which steps the environment can bring about by its choice of inputs, whichever of the states it is.

use crate::expr::Expr;
use crate::machine::{EdgeId, ModuleId, NodeId, Place};

/// What is known about the nodes of each module.
#[derive(Clone, Debug, Default)]
pub struct Game {
    /// For each module.
    pub modules: Vec<ModuleGame>,
}

/// What is known about the nodes of a module.
#[derive(Clone, Debug, Default)]
pub struct ModuleGame {
    /// Where some state of the program may have no step without inputs; nodes in order. Calls and exits are not among them.
    pub stuck: Vec<(NodeId, Expr)>,
    /// The edges that read inputs, in order.
    pub inputs: Vec<EdgeId>,
    /// What the environment can bring about, sorted by node.
    pub moves: Vec<Move>,
}

/// Inputs can be chosen so that the step is taken and leads where it should, unless a step without inputs is taken.
#[derive(Clone, Debug)]
pub struct Move {
    /// Where.
    pub node: NodeId,
    /// The step.
    pub edge: EdgeId,
    /// From which states: a condition about the variables before the step.
    pub when: Expr,
    /// To which states: some variables have these values after it.
    pub target: Vec<(Place, bool)>,
}

impl Game {
    /// All conditions, with the modules whose variables they are about.
    pub fn conditions(&self) -> Vec<(ModuleId, Expr)> {
        let mut all = Vec::new();
        for (n, module) in self.modules.iter().enumerate() {
            let stuck = module.stuck.iter().map(|(_, condition)| condition);
            let conditions = stuck.chain(module.moves.iter().map(|chosen| &chosen.when));
            all.extend(conditions.map(|condition| (ModuleId::new(n), condition.clone())));
        }
        all
    }

    /// The most moves that a node has.
    pub fn most_moves(&self) -> usize {
        let of = |module: &ModuleGame| {
            module.moves.chunk_by(|a, b| a.node == b.node).map(<[Move]>::len).max().unwrap_or(0)
        };
        self.modules.iter().map(of).max().unwrap_or(0)
    }
}

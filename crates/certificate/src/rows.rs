//! Building the diagrams of a certificate's rows.

use crate::claims::{Claim, find_slot};
use crate::diagrams::{Diagrams, Program};
use crate::layout::Version;
use crate::names::ModuleNames;
use crate::outcome::{Fault, refuse};
use crate::read::{Certificate, Edge, Node};
use crate::row::Moment;
use dd::{Bdd, Level};
use encode::Slot;
use rsm::{ModuleId, NodeId, Place};
use rustc_hash::{FxHashMap, FxHashSet};

/// The diagrams of one module.
pub(crate) struct Rows {
    pub(crate) entries: Bdd,
    /// Those of the points that are named, in their order.
    pub(crate) nodes: Vec<(NodeId, Bdd)>,
}

/// Which variables a row can speak of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RowKind {
    Entry,
    Inside,
    Exit,
}

/// Builds the rows of one module.
pub(crate) fn build(
    program: Program,
    diagrams: &mut Diagrams,
    certificate: &Certificate,
    names: &ModuleNames,
    (module, claim): (ModuleId, &Claim),
) -> Result<Rows, Fault> {
    let exit = program.rsm.module(module).exit;
    let mut builder = Builder { program, diagrams, certificate, names, module };
    let built = builder.all(&claim.entries, RowKind::Entry)?;
    let entries = builder.union(&built, &claim.entries)?;
    let is_inside = |node: &NodeId| *node != exit;
    let inside: Vec<Edge> = claim
        .nodes
        .iter()
        .filter(|(node, _)| is_inside(node))
        .flat_map(|(_, edges)| edges)
        .copied()
        .collect();
    let inside = builder.all(&inside, RowKind::Inside)?;
    let at_exit = match claim.nodes.get(&exit) {
        Some(edges) => builder.all(edges, RowKind::Exit)?,
        None => FxHashMap::default(),
    };
    let mut nodes = Vec::with_capacity(claim.nodes.len());
    for (&node, edges) in &claim.nodes {
        let built = if node == exit { &at_exit } else { &inside };
        nodes.push((node, builder.union(built, edges)?));
    }
    Ok(Rows { entries, nodes })
}

/// The diagrams of nodes.
type Built = FxHashMap<u32, Bdd>;

struct Builder<'a> {
    program: Program<'a>,
    diagrams: &'a mut Diagrams,
    certificate: &'a Certificate,
    names: &'a ModuleNames<'a>,
    module: ModuleId,
}

impl Builder<'_> {
    /// The diagrams of all nodes below some edges. Nodes refer to earlier ones, so going up their numbers is enough.
    fn all(&mut self, edges: &[Edge], kind: RowKind) -> Result<Built, Fault> {
        let mut seen: FxHashSet<u32> = FxHashSet::default();
        let mut stack: Vec<Edge> = edges.to_vec();
        while let Some(edge) = stack.pop() {
            if let Edge::Node { index, .. } = edge
                && seen.insert(index)
            {
                let node = &self.certificate.nodes[index as usize];
                stack.extend([node.high, node.low]);
            }
        }
        let mut order: Vec<u32> = seen.into_iter().collect();
        order.sort_unstable();
        let mut built = Built::default();
        for index in order {
            let node = &self.certificate.nodes[index as usize];
            let level = self.level(node, kind)?;
            let dd = &mut self.diagrams.dd;
            let variable = dd.variable(level)?;
            let f = dd.ite(variable, diagram(&built, node.high), diagram(&built, node.low))?;
            built.insert(index, f);
        }
        Ok(built)
    }

    fn union(&mut self, built: &Built, edges: &[Edge]) -> Result<Bdd, Fault> {
        let mut all = Bdd::FALSE;
        for &edge in edges {
            all = self.diagrams.dd.or(all, diagram(built, edge))?;
        }
        Ok(all)
    }

    /// The level of a node's bit. The value at entry of a global that the module does not change is its current value.
    fn level(&self, node: &Node, kind: RowKind) -> Result<Level, Fault> {
        let function = &self.program.rsm.module(self.module).name;
        let slot = find_slot(self.names, function, &node.bit)?;
        let name = &node.bit.name;
        let version = match (node.moment, slot, kind) {
            (Moment::Entry, Slot::Place(Place::Global(global)), _) => {
                let is_modified = self.program.modified.is_modified(self.module, global);
                if is_modified { Version::Entry } else { Version::Current }
            }
            (Moment::Entry, Slot::Place(Place::Local(n)), _)
                if (n as usize) < self.program.rsm.module(self.module).n_params =>
            {
                Version::Entry
            }
            (Moment::Entry, ..) => {
                return refuse(format!(
                    "`{name}` is no parameter of `{function}`, so it has no value at entry"
                ));
            }
            (Moment::Current, _, RowKind::Entry) => {
                return refuse(format!(
                    "the entry states of `{function}` speak of a later value of `{name}`"
                ));
            }
            (Moment::Current, Slot::Place(Place::Local(_)), RowKind::Exit) => {
                return refuse(format!("the exit of `{function}` speaks of the local variable `{name}`"));
            }
            (Moment::Current, Slot::Result(_), RowKind::Inside) => {
                return refuse(format!("`{function}` has `{name}` at its exit only"));
            }
            (Moment::Current, ..) => Version::Current,
        };
        Ok(self.program.levels(self.module, slot, version)[node.bit.bit as usize])
    }
}

fn diagram(built: &Built, edge: Edge) -> Bdd {
    match edge {
        Edge::Constant(value) => Bdd::constant(value),
        Edge::Node { index, is_complemented } => {
            let f = built[&index];
            if is_complemented { f.complement() } else { f }
        }
    }
}

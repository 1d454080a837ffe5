//! What a certificate says about each module of a program: its names found in the program, its diagrams not yet built.

use crate::names::Names;
use crate::outcome::{Fault, refuse};
use crate::read::{Bit, Certificate, Edge};
use crate::row::Point;
use encode::Slot;
use rsm::{ModuleId, NodeId, Place, Rsm};
use std::collections::BTreeMap;

/// What is said about one module.
#[derive(Clone, Default)]
pub(crate) struct Claim {
    /// The entry states; none if nothing is said.
    pub(crate) entries: Vec<Edge>,
    /// The summaries of the points that are named.
    pub(crate) nodes: BTreeMap<NodeId, Vec<Edge>>,
    /// The bits of its variables, in the order of the diagrams.
    pub(crate) order: Vec<(Slot, u32)>,
}

/// What a certificate says about a program.
pub(crate) struct Claims {
    /// One for each module.
    pub(crate) modules: Vec<Claim>,
    /// The bits of globals, in the order of the diagrams.
    pub(crate) order: Vec<(u32, u32)>,
}

impl Claim {
    /// The certificate says that no run enters the module.
    pub(crate) fn is_never_entered(&self) -> bool {
        is_empty(&self.entries)
    }

    /// The certificate says that no run gets to the node.
    pub(crate) fn is_never_at(&self, node: NodeId) -> bool {
        self.nodes.get(&node).is_some_and(|edges| is_empty(edges))
    }
}

impl Claims {
    /// Finds the names of a certificate in a program.
    pub(crate) fn find(rsm: &Rsm, names: &Names, certificate: &Certificate) -> Result<Self, Fault> {
        let mut claims = Self { modules: vec![Claim::default(); rsm.modules.len()], order: Vec::new() };
        for bit in &certificate.order {
            let Some(global) = names.find_global(&bit.name) else {
                return refuse(format!("there is no global variable `{}`", bit.name));
            };
            let width = rsm.globals[global as usize].ty.n_bits();
            check_bit(bit, width, &bit.name)?;
            claims.order.push((global, bit.bit));
        }
        for function in &certificate.functions {
            let Some(module) = names.find_function(&function.name) else {
                return refuse(format!("there is no function `{}`", function.name));
            };
            let claim = &mut claims.modules[module.index()];
            for &(point, edge) in &function.rows {
                match point {
                    Point::Entry => claim.entries.push(edge),
                    Point::Node(node) if node.index() < rsm.module(module).nodes.len() => {
                        claim.nodes.entry(node).or_default().push(edge);
                    }
                    Point::Node(node) => {
                        return refuse(format!("function `{}` has no node {}", function.name, node.index()));
                    }
                }
            }
            let own = names.module(module);
            for bit in &function.order {
                claim.order.push((find_slot(&own, &function.name, bit)?, bit.bit));
            }
        }
        Ok(claims)
    }

    pub(crate) fn module(&self, module: ModuleId) -> &Claim {
        &self.modules[module.index()]
    }
}

/// The variable or result that a bit belongs to.
pub(crate) fn find_slot(names: &crate::names::ModuleNames, function: &str, bit: &Bit) -> Result<Slot, Fault> {
    let Some(slot) = names.find(&bit.name) else {
        return refuse(format!("there is no function `{function}` with a variable `{}`", bit.name));
    };
    let what = match slot {
        Slot::Place(Place::Global(_)) => bit.name.clone(),
        _ => format!("{function}:{}", bit.name),
    };
    check_bit(bit, names.ty(slot).n_bits(), &what)?;
    Ok(slot)
}

fn check_bit(bit: &Bit, width: u32, what: &str) -> Result<(), Fault> {
    if bit.bit < width {
        return Ok(());
    }
    refuse(format!("`{what}` has no bit {}", bit.bit))
}

/// Nothing is in any of the rows.
fn is_empty(edges: &[Edge]) -> bool {
    edges.iter().all(|&edge| edge == Edge::Constant(false))
}

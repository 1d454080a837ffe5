//! A reduced program as text: modules, points with what is live there, blocks as lists of edges.

use super::{Block, Reduced, ReducedModule};
use crate::machine::{Action, ModuleId, Place, Rsm};
use std::fmt::{self, Write};

impl Reduced {
    /// The view as text, with the names of the machine it was made from.
    pub fn show(&self, rsm: &Rsm) -> String {
        let mut text = String::new();
        for (index, module) in self.modules.iter().enumerate() {
            show_module(&mut text, rsm, ModuleId::new(index), module).expect("a string takes every text");
        }
        text
    }
}

fn show_module(text: &mut String, rsm: &Rsm, id: ModuleId, module: &ReducedModule) -> fmt::Result {
    let name = &rsm.module(id).name;
    if !module.is_used {
        return writeln!(text, "{name}: not used");
    }
    let globals = |list: &[u32]| names(rsm, id, list.iter().map(|&n| Place::Global(n)));
    write!(text, "{name}: touched {}; modified {}", globals(&module.touched), globals(&module.modified))?;
    let results: Vec<String> = module.results.iter().map(u32::to_string).collect();
    writeln!(text, "; results {{{}}}", results.join(", "))?;
    let mut blocks = module.blocks.iter().peekable();
    for (&point, live) in module.points.iter().zip(&module.live) {
        writeln!(text, "  {} {}", point.0, names(rsm, id, live.iter().copied()))?;
        while let Some(block) = blocks.next_if(|block| block.from == point) {
            show_block(text, rsm, id, block)?;
        }
    }
    Ok(())
}

fn show_block(text: &mut String, rsm: &Rsm, id: ModuleId, block: &Block) -> fmt::Result {
    let edges: Vec<String> = block.path.iter().map(|edge| edge.0.to_string()).collect();
    write!(text, "    edge {}", edges.join(", "))?;
    if let Action::Call { callee, .. } = rsm.module(id).edge(block.path[0]).action {
        write!(text, " calls {}", rsm.module(callee).name)?;
    }
    writeln!(text, " to {}", block.to.0)
}

/// The names of variables, in braces.
fn names(rsm: &Rsm, module: ModuleId, places: impl Iterator<Item = Place>) -> String {
    let names: Vec<&str> = places.map(|place| rsm.variable(module, place).name.as_str()).collect();
    format!("{{{}}}", names.join(", "))
}

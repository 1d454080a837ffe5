//! The words a formula file may use: sorts and relations, as text, and their ids once that text is checked.

use crate::Templates;
use crate::slots::SlotIndex;
use calculus::system::{RelationId, System, VarId};
use std::fmt::Write;

/// The relations with their parameters and what they say. All parameters are states, but for that of `Often`.
pub const NAMES: [(&str, &[&str], &str); 12] = [
    ("ProgramInt", &["x", "v"], "a step inside a function leads from x to v"),
    ("IntoCall", &["x", "y"], "x is a call, y the entry of the function it calls, with the arguments"),
    ("Across", &["x", "v"], "x is at a call, v at the point after it; nothing is said of their data"),
    ("ReturnA", &["x", "v"], "v is after the call at x and has what the call leaves alone"),
    ("ReturnB", &["z", "v"], "z is an exit, v after a call of that function, with its results and globals"),
    ("Return", &["x", "z", "v"], "the call at x, left at the exit z, goes on at v: ReturnA and ReturnB"),
    ("Entry", &["u"], "u is at the entry of a function"),
    ("Exit", &["z"], "z is at the exit of a function"),
    ("Init", &["u"], "a run may start at u, the entry of main"),
    ("Enforce", &["v"], "the function of v allows v; no step leads to a state that is not allowed"),
    ("Target", &["v"], "v is what the question asks for"),
    ("Often", &["m"], "a run may enter the function m more than once"),
];

/// The columns of one state.
#[derive(Clone, Debug)]
pub struct StateColumns {
    /// The module.
    pub module: VarId,
    /// The program counter.
    pub counter: VarId,
    /// The local slots.
    pub locals: Vec<VarId>,
    /// The global slots.
    pub globals: Vec<VarId>,
}

/// A template relation in a checked system.
#[derive(Clone, Debug)]
pub struct Template {
    /// The relation.
    pub relation: RelationId,
    /// The columns of its parameters.
    pub states: Vec<StateColumns>,
}

/// All template relations of a checked system, in the order of [`NAMES`].
#[derive(Clone, Debug)]
pub struct Vocabulary {
    templates: Vec<Template>,
}

impl Vocabulary {
    /// Finds the templates in a system that was checked together with the prelude.
    ///
    /// # Panics
    /// If the prelude is not part of the system.
    pub fn new(system: &System, templates: &Templates) -> Self {
        let find = |name: &str| {
            let at = system.relations.iter().position(|relation| relation.name == name);
            RelationId::new(at.expect("the prelude declares the templates"))
        };
        let found = NAMES.iter().map(|(name, params, _)| {
            let relation = find(name);
            let columns = &system.relation(relation).columns;
            let width = columns.len() / params.len();
            let states =
                columns.chunks(width).filter(|_| *name != "Often").map(|columns| templates.state(columns));
            let states = states.collect();
            Template { relation, states }
        });
        Self { templates: found.collect() }
    }

    /// A template by its name.
    ///
    /// # Panics
    /// If there is none of this name.
    pub fn template(&self, name: &str) -> &Template {
        let at = NAMES.iter().position(|known| known.0 == name).expect("a name of the vocabulary");
        &self.templates[at]
    }

    /// The name of a relation, if it is a template.
    pub fn name(&self, relation: RelationId) -> Option<&'static str> {
        let at = self.templates.iter().position(|template| template.relation == relation)?;
        Some(NAMES[at].0)
    }
}

impl Templates<'_> {
    /// The columns of one state among the columns of a relation.
    pub fn state(&self, columns: &[VarId]) -> StateColumns {
        let (locals, globals) = columns[2..].split_at(self.slots.n_locals as usize);
        StateColumns {
            module: columns[0],
            counter: columns[1],
            locals: locals.to_vec(),
            globals: globals.to_vec(),
        }
    }

    /// The declarations that stand before every formula file.
    pub fn prelude(&self) -> String {
        let mut out =
            String::from("// The relations of the program. Their rows are given to the solver directly.\n");
        self.declare_sorts(&mut out);
        for (name, params, about) in NAMES {
            let sort = if name == "Often" { "Module" } else { "State" };
            let params: Vec<String> = params.iter().map(|param| format!("{sort} {param}")).collect();
            let _ = writeln!(out, "bool {name}({}) false;  // {about}", params.join(", "));
        }
        out
    }

    /// The sorts, with the order of the slots as allocation constraints.
    pub fn declare_sorts(&self, out: &mut String) {
        let list = |prefix: &str, n: u32| -> String {
            (0..n).map(|slot| format!(" bool {prefix}{slot};")).collect()
        };
        let name = |slot: &SlotIndex| match slot {
            SlotIndex::Local(n) => format!("L.l{n}"),
            SlotIndex::Global(n) => format!("G.g{n}"),
        };
        let order: Vec<String> =
            self.slots.order.windows(2).map(|w| format!("{} < {}", name(&w[0]), name(&w[1]))).collect();
        let _ = writeln!(out, "enum Module {{ 0..{} }};", self.rsm.modules.len().max(1) - 1);
        let _ = writeln!(out, "enum PrCount {{ 0..{} }};", self.points.max_counter());
        let _ = writeln!(out, "class Local {{{} }};", list("l", self.slots.n_locals));
        let _ = writeln!(out, "class Global {{{} }};", list("g", self.slots.n_globals));
        let _ = writeln!(
            out,
            "class State {{ Module mod; PrCount pc; Local L; Global G; }} {};",
            order.join(", ")
        );
        out.push_str("#explicit Module, PrCount;\n");
    }
}

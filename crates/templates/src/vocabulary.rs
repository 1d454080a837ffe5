//! The words a formula file may use: sorts and relations, as text, and their ids once that text is checked.

use crate::{Role, Templates};
use calculus::system::{RelationId, System, VarId};
use std::fmt::Write;
use symbolic::SlotIndex;

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
    /// The columns of its parameters that are states.
    pub states: Vec<StateColumns>,
    /// The columns of the other parameters: of threads, modules, shared slots.
    pub others: Vec<VarId>,
    /// What its facts are in a run.
    pub role: Role,
}

/// All template relations of a checked system.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    templates: Vec<(String, Template)>,
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
        let found = templates.words().iter().map(|word| {
            let relation = find(&word.name);
            let mut rest = &system.relation(relation).columns[..];
            let (mut states, mut others) = (Vec::new(), Vec::new());
            for (sort, _) in word.params {
                let columns = rest.split_off(..templates.width(sort)).expect("a column for each slot");
                match *sort {
                    "State" => states.push(templates.state(columns)),
                    _ => others.extend_from_slice(columns),
                }
            }
            (word.name.to_string(), Template { relation, states, others, role: word.role })
        });
        Self { templates: found.collect() }
    }

    /// A template by its name.
    ///
    /// # Panics
    /// If there is none of this name.
    pub fn template(&self, name: &str) -> &Template {
        let found = self.templates.iter().find(|known| known.0 == name);
        &found.expect("a name of the vocabulary").1
    }

    /// The first template with a role.
    ///
    /// # Panics
    /// If there is none.
    pub fn with_role(&self, role: Role) -> &Template {
        let found = self.templates.iter().find(|known| known.1.role == role);
        &found.expect("the program has a word of each role").1
    }

    /// The template that a relation is, if it is one.
    pub fn of_relation(&self, relation: RelationId) -> Option<&Template> {
        self.templates.iter().map(|known| &known.1).find(|template| template.relation == relation)
    }
}

impl Templates<'_> {
    /// How many columns a parameter of a sort has.
    fn width(&self, sort: &str) -> usize {
        match sort {
            "State" => 2 + (self.slots.n_locals + self.slots.n_globals) as usize,
            "Global" => self.slots.shared.len(),
            _ => 1,
        }
    }

    /// The columns of one state among the columns of a relation.
    pub fn state(&self, columns: &[VarId]) -> StateColumns {
        let (locals, rest) = columns[2..].split_at(self.slots.n_locals as usize);
        let slots = self.slots.private.iter().chain(&self.slots.shared);
        let mut globals = rest.to_vec();
        for (&slot, &column) in slots.zip(rest) {
            globals[slot as usize] = column;
        }
        StateColumns { module: columns[0], counter: columns[1], locals: locals.to_vec(), globals }
    }

    /// The declarations that stand before every formula file.
    pub fn prelude(&self) -> String {
        let mut out =
            String::from("// The relations of the program. Their rows are given to the solver directly.\n");
        self.declare_sorts(&mut out);
        for word in self.words() {
            let _ = writeln!(out, "bool {}({}) false;  // {}", word.name, word.declared(), word.about);
        }
        out
    }

    /// The sorts, with the order of the slots as allocation constraints.
    pub fn declare_sorts(&self, out: &mut String) {
        let list = |prefix: &str, slots: &[u32]| -> String {
            slots.iter().map(|n| format!(" bool {prefix}{n};")).collect()
        };
        let name = |slot: &SlotIndex| match slot {
            SlotIndex::Local(n) => format!("L.l{n}"),
            SlotIndex::Global(n) if self.slots.private.contains(n) => format!("P.g{n}"),
            SlotIndex::Global(n) => format!("G.g{n}"),
        };
        let order: Vec<String> =
            self.slots.order.windows(2).map(|w| format!("{} < {}", name(&w[0]), name(&w[1]))).collect();
        let locals: Vec<u32> = (0..self.slots.n_locals).collect();
        let _ = writeln!(out, "enum Module {{ 0..{} }};", self.rsm.modules.len().max(1) - 1);
        let _ = writeln!(out, "enum PrCount {{ 0..{} }};", self.points.max_counter());
        let _ = writeln!(out, "class Local {{{} }};", list("l", &locals));
        let _ = writeln!(out, "class Global {{{} }};", list("g", &self.slots.shared));
        if let Some(variables) = &self.variables {
            let _ =
                writeln!(out, "enum Variable {{ 0..{} }};\n#explicit Variable;", variables.len().max(1) - 1);
        }
        if let Some(game) = &self.game {
            let last = game.most_moves().max(1) - 1;
            let _ = writeln!(out, "enum Move {{ 0..{last} }};\n#explicit Move;");
        }
        let mut members = "Module mod; PrCount pc; Local L; Global G;";
        if let Some(threads) = &self.threads {
            let _ = writeln!(out, "class Private {{{} }};", list("g", &self.slots.private));
            let _ = writeln!(out, "#param threads = {};", threads.instances.len());
            out.push_str(
                "enum Thread { 0..threads - 1 };\nenum Turn { 0..threads - 1 };\n#explicit Thread;\n",
            );
            members = "Module mod; PrCount pc; Local L; Private P; Global G;";
        }
        let _ = writeln!(out, "class State {{ {members} }} {};", order.join(", "));
        out.push_str("#explicit Module, PrCount;\n");
    }
}

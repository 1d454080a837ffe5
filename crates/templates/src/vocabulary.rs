//! The words a formula file may use: sorts and relations, as text, and their ids once that text is checked.

use crate::Templates;
use crate::slots::SlotIndex;
use calculus::system::{RelationId, System, VarId};
use std::fmt::Write;

/// A template relation: how it is declared and what it says.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// Its name.
    pub name: &'static str,
    /// The sort and the name of each parameter.
    pub params: &'static [(&'static str, &'static str)],
    /// What it says.
    pub about: &'static str,
}

/// A word in one line of the tables below.
const fn word(
    name: &'static str,
    params: &'static [(&'static str, &'static str)],
    about: &'static str,
) -> Word {
    Word { name, params, about }
}

/// The relations that every formula file sees.
const COMMON: [Word; 9] = [
    word("ProgramInt", &[("State", "x"), ("State", "v")], "a step inside a function leads from x to v"),
    word(
        "IntoCall",
        &[("State", "x"), ("State", "y")],
        "x is a call, y the entry of the function it calls, with the arguments",
    ),
    word(
        "Across",
        &[("State", "x"), ("State", "v")],
        "x is at a call, v at the point after it; nothing is said of their data",
    ),
    word(
        "ReturnA",
        &[("State", "x"), ("State", "v")],
        "v is after the call at x and has what the call leaves alone",
    ),
    word(
        "ReturnB",
        &[("State", "z"), ("State", "v")],
        "z is an exit, v after a call of that function, with its results and globals",
    ),
    word(
        "Return",
        &[("State", "x"), ("State", "z"), ("State", "v")],
        "the call at x, left at the exit z, goes on at v: ReturnA and ReturnB",
    ),
    word("Entry", &[("State", "u")], "u is at the entry of a function"),
    word("Exit", &[("State", "z")], "z is at the exit of a function"),
    word(
        "Enforce",
        &[("State", "v")],
        "the function of v allows v; no step leads to a state that is not allowed",
    ),
];

/// The relations of sequential programs alone.
const SEQUENTIAL: [Word; 3] = [
    word("Init", &[("State", "u")], "a run may start at u, the entry of main"),
    word("Target", &[("State", "v")], "v is what the question asks for"),
    word("Often", &[("Module", "m")], "a run may enter the function m more than once"),
];

/// The relations of concurrent programs alone.
const THREADS: [Word; 9] = [
    word("Init", &[("Global", "g")], "a run may start with the shared values g"),
    word(
        "Start",
        &[("Thread", "t"), ("State", "u")],
        "u is at the entry of the main function of t, its private globals as they are at the start",
    ),
    word("Free", &[("State", "v")], "at v another thread may go on: no atomic region surrounds v"),
    word(
        "Visible",
        &[("State", "v")],
        "the next step from v may be noticed by others, or may notice them, or enters an atomic region",
    ),
    word("Target", &[("Thread", "t"), ("State", "v")], "t at v is what the question asks for"),
    word(
        "Previous",
        &[("Thread", "s"), ("Thread", "t")],
        "s is the copy before t of the same block; empty if copies are told apart",
    ),
    word("Runs", &[("Thread", "t"), ("Turn", "r")], "r is t, in a schedule"),
    word("Follows", &[("Thread", "s"), ("Thread", "t")], "t is the next thread after s in the text"),
    word("Star", &[("Thread", "t")], "t stands for any number of threads"),
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
    /// The columns of its parameters that are states.
    pub states: Vec<StateColumns>,
    /// The columns of the other parameters: of threads, modules, shared slots.
    pub others: Vec<VarId>,
}

/// All template relations of a checked system.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    templates: Vec<(&'static str, Template)>,
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
        let found = templates.words().map(|word| {
            let relation = find(word.name);
            let mut rest = &system.relation(relation).columns[..];
            let (mut states, mut others) = (Vec::new(), Vec::new());
            for (sort, _) in word.params {
                let columns = rest.split_off(..templates.width(sort)).expect("a column for each slot");
                match *sort {
                    "State" => states.push(templates.state(columns)),
                    _ => others.extend_from_slice(columns),
                }
            }
            (word.name, Template { relation, states, others })
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

    /// The name of a relation, if it is a template.
    pub fn name(&self, relation: RelationId) -> Option<&'static str> {
        let found = self.templates.iter().find(|known| known.1.relation == relation)?;
        Some(found.0)
    }
}

impl Word {
    /// The parameters as they are declared.
    pub(crate) fn declared(&self) -> String {
        let params: Vec<String> = self.params.iter().map(|(sort, name)| format!("{sort} {name}")).collect();
        params.join(", ")
    }
}

impl Templates<'_> {
    /// The relations that a formula file sees.
    pub fn words(&self) -> impl Iterator<Item = &'static Word> {
        let own: &[Word] = if self.threads.is_some() { &THREADS } else { &SEQUENTIAL };
        COMMON.iter().chain(own)
    }

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

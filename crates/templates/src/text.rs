//! The templates as text: definitions of the calculus, one disjunct for each row.
//!
//! A diagram is written as nested choices between its two halves. Where much of it is shared, the shared parts become predicates
//! of their own, so that the text grows with the diagram and not with its paths.

use crate::vocabulary::Vocabulary;
use crate::{Templates, Word};
use calculus::Mucke;
use calculus::system::{System, VarId};
use dd::{Bdd, Level, Manager};
use rsm::ThreadGoal;
use rustc_hash::FxHashMap;
use solver::{Given, Halt, Solver};
use std::fmt::Write;

/// A formula larger than this is cut into predicates.
const LARGEST: f64 = 400.0;

impl Templates<'_> {
    /// The templates that a system uses, as definitions, perhaps in MUCKE's language. Auxiliary predicates come first.
    pub fn definitions(
        &self,
        system: &System,
        words: &Vocabulary,
        solver: &mut Solver,
        goals: &[ThreadGoal],
        mucke: Option<&Mucke>,
    ) -> Result<String, Halt> {
        let mut out = String::new();
        for word in self.words() {
            let Word { name, about, .. } = word;
            if !crate::rows::is_used(system, words.template(name).relation) {
                continue;
            }
            let rows = self.rows(word, words, solver, goals)?;
            let mut page = Page::new(system, solver, word, words, mucke);
            let rows: Vec<String> = rows.iter().map(|row| page.row(solver, row)).collect();
            let _ = writeln!(out, "// {about}\n{}bool {name}({})", page.auxiliary, page.params);
            match rows.is_empty() {
                true => out.push_str("    false;\n\n"),
                false => {
                    let _ = writeln!(out, "    {};\n", rows.join("\n  | "));
                }
            }
        }
        Ok(out)
    }
}

/// The text of one template.
struct Page {
    names: FxHashMap<Level, String>,
    columns: FxHashMap<VarId, String>,
    name: String,
    params: String,
    arguments: String,
    auxiliary: String,
    /// Shared parts that have a predicate.
    known: FxHashMap<Bdd, String>,
}

impl Page {
    fn new(system: &System, solver: &Solver, word: &Word, words: &Vocabulary, mucke: Option<&Mucke>) -> Self {
        let id = words.template(&word.name).relation;
        let relation = system.relation(id);
        let (mut names, mut columns) = (FxHashMap::default(), FxHashMap::default());
        for &column in &relation.columns {
            let text = mucke.map_or_else(|| system.var_name(column), |mucke| mucke.leaf(column));
            if let [level] = solver.levels(column) {
                names.insert(*level, text.clone());
            }
            columns.insert(column, text);
        }
        let binders = relation.params.iter().map(|binder| system.binders[binder.index()].name.as_str());
        let arguments = || binders.collect::<Vec<&str>>().join(", ");
        Self {
            names,
            columns,
            name: word.name.to_string(),
            params: mucke.map_or_else(|| word.declared(), |mucke| mucke.params(id)),
            arguments: mucke.map_or_else(arguments, |mucke| mucke.arguments(id)),
            auxiliary: String::new(),
            known: FxHashMap::default(),
        }
    }

    /// A row as a conjunction.
    fn row(&mut self, solver: &mut Solver, row: &Given) -> String {
        let mut parts: Vec<String> =
            row.key.iter().map(|(column, value)| format!("{} = {value}", self.columns[column])).collect();
        let equal = solver.equal_columns(row.frame).iter();
        parts.extend(equal.map(|(a, b)| format!("{} = {}", self.columns[a], self.columns[b])));
        if row.diagram != Bdd::TRUE {
            parts.push(self.diagram(solver.diagrams(), row.diagram));
        }
        format!("({})", parts.join(" & "))
    }

    fn diagram(&mut self, dd: &Manager, root: Bdd) -> String {
        let mut sizes = FxHashMap::default();
        if tree_size(dd, root, &mut sizes) > LARGEST {
            self.cut(dd, root);
        }
        self.formula(dd, root)
    }

    /// Gives predicates to parts of a large diagram, from the bottom up.
    fn cut(&mut self, dd: &Manager, root: Bdd) {
        let mut todo = vec![(root, false)];
        while let Some((at, done)) = todo.pop() {
            if at.is_constant() || self.known.contains_key(&at) {
                continue;
            }
            let (low, high) = dd.children(at);
            if !done {
                todo.extend([(at, true), (low, false), (high, false)]);
                continue;
            }
            let name = format!("{}_{}", self.name, self.known.len());
            let body = self.choice(dd, at);
            let _ = writeln!(self.auxiliary, "bool {name}({}) {body};", self.params);
            self.known.insert(at, format!("{name}({})", self.arguments));
        }
    }

    fn formula(&self, dd: &Manager, at: Bdd) -> String {
        match at {
            Bdd::TRUE => "true".to_owned(),
            Bdd::FALSE => "false".to_owned(),
            _ => self.known.get(&at).cloned().unwrap_or_else(|| self.choice(dd, at)),
        }
    }

    /// The two halves of a diagram.
    fn choice(&self, dd: &Manager, at: Bdd) -> String {
        let level = dd.level(at).expect("constants have no halves");
        let variable = &self.names[&level];
        let (low, high) = dd.children(at);
        match (low, high) {
            (Bdd::FALSE, Bdd::TRUE) => variable.clone(),
            (Bdd::TRUE, Bdd::FALSE) => format!("!{variable}"),
            (Bdd::FALSE, _) => format!("({variable} & {})", self.formula(dd, high)),
            (_, Bdd::FALSE) => format!("(!{variable} & {})", self.formula(dd, low)),
            (Bdd::TRUE, _) => format!("(!{variable} | {})", self.formula(dd, high)),
            (_, Bdd::TRUE) => format!("({variable} | {})", self.formula(dd, low)),
            _ if high == low.complement() && dd.level(high).is_some_and(|_| self.is_literal(dd, high)) => {
                format!("({variable} <-> {})", self.formula(dd, high))
            }
            _ => {
                let (high, low) = (self.formula(dd, high), self.formula(dd, low));
                format!("(({variable} & {high}) | (!{variable} & {low}))")
            }
        }
    }

    /// The diagram is one variable.
    fn is_literal(&self, dd: &Manager, at: Bdd) -> bool {
        dd.children(at) == (Bdd::FALSE, Bdd::TRUE)
    }
}

/// How large a diagram is when written out.
fn tree_size(dd: &Manager, at: Bdd, sizes: &mut FxHashMap<Bdd, f64>) -> f64 {
    if at.is_constant() {
        return 0.0;
    }
    if let Some(size) = sizes.get(&at) {
        return *size;
    }
    let (low, high) = dd.children(at);
    let size = 1.0 + tree_size(dd, low, sizes) + tree_size(dd, high, sizes);
    sizes.insert(at, size);
    size
}

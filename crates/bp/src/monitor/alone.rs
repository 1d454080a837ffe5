//! A monitor by itself, without the program that it watches: what is wrong with it whatever the program is, what its names mean, and what it says about programs.

use super::{Automaton, Edge, Frame, Guard, Monitor, state_id, state_ids};
use crate::ast::{ExprKind, Name, Program};
use crate::check::{Expressions, Types};
use crate::names::{Names, Word};
use crate::parser::{Atom, AtomKind, Parser};
use base::{Declared, Diagnostic, FileId, NameKind, NameTable, Role, Severity, Sources, Span};
use rsm::{Expr, Type};

/// What is known of a monitor without its program.
#[derive(Clone, Default, Debug)]
pub struct Alone {
    /// Its own names: the monitor and its states.
    pub names: NameTable,
    /// The names of the program.
    pub mentions: Vec<Mention>,
    /// The states with their stretches of text, up to the next state or the end.
    pub states: Vec<(Span, Span)>,
    /// What is wrong.
    pub diagnostics: Vec<Diagnostic>,
}

/// A name of the program in a monitor.
#[derive(Clone, Debug)]
pub struct Mention {
    /// A function, a label or a variable; what looks like a variable may be a value.
    pub kind: NameKind,
    /// The name.
    pub name: String,
    /// The function whose label it is, if that is said.
    pub function: Option<String>,
    /// Where it stands.
    pub span: Span,
}

/// Reads a monitor without its program.
pub fn alone(sources: &Sources, file: FileId) -> Alone {
    let mut names = Names::default();
    // Variables of the program may be called like words.
    Word::ALL.iter().for_each(|word| names.declare_value(*word));
    let mut parser = Parser::new(sources, file, names);
    parser.atoms = Some(Vec::new());
    let parsed = parser.monitor();
    let atoms = parser.atoms.take().unwrap_or_default();
    let (tree, mut diagnostics) = parser.finish();
    let Ok(automaton) = parsed else { return Alone { diagnostics, ..Alone::default() } };
    let mut expressions = Expressions::new(&tree, Types::default());
    let ids = state_ids(&automaton, &mut expressions);
    let mut states = Vec::new();
    for state in &automaton.states {
        let guard = Guard { condition: Expr::constant(1, Type::Bool), frame: Frame::Any };
        let edges = state.edges.iter().filter_map(|edge| {
            let to = state_id(edge.to, &ids, &mut expressions)?;
            Some(Edge { guard: guard.clone(), to, span: edge.start })
        });
        let edges = edges.collect();
        states.push(state.resolved(&tree, edges));
    }
    // What a part of the text is missing from would mislead.
    if diagnostics.is_empty() {
        diagnostics = expressions.diagnostics;
        let name = tree.text(automaton.name).to_owned();
        let monitor = Monitor { name, span: automaton.name.span, states, atoms: Vec::new() };
        let is_wrong = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
        diagnostics.extend((!is_wrong).then(|| super::check_targets(&monitor)).into_iter().flatten());
        diagnostics.sort_by_key(|diagnostic| diagnostic.span.map(|span| span.start));
    }
    let mentions = mentions(&tree, &atoms);
    Alone { names: own(&tree, &automaton), mentions, states: stretches(&automaton), diagnostics }
}

/// The monitor and its states.
fn own(tree: &Program, automaton: &Automaton) -> NameTable {
    let mut table = NameTable::default();
    let declared = |kind: NameKind, name: Name, detail: String| Declared {
        kind,
        name: tree.text(name).to_owned(),
        detail,
        owner: String::new(),
        scope: None,
    };
    let name = automaton.name;
    let id = table.declare(declared(NameKind::Monitor, name, format!("monitor {}", tree.text(name))));
    table.occurs(name.span, id, Role::Declares);
    let mut known = rustc_hash::FxHashMap::default();
    for state in &automaton.states {
        let initial = if state.is_initial { "initial " } else { "" };
        let target = if state.is_target { "target " } else { "" };
        let detail = format!("{initial}{target}state {}", tree.text(state.name));
        let declare = || table.declare(declared(NameKind::State, state.name, detail));
        let id = *known.entry(state.name.symbol).or_insert_with(declare);
        table.occurs(state.name.span, id, Role::Declares);
    }
    for edge in automaton.states.iter().flat_map(|state| &state.edges) {
        if let Some(id) = known.get(&edge.to.symbol) {
            table.occurs(edge.to.span, *id, Role::Uses);
        }
    }
    table.finish()
}

/// The names of the program, in the order in which they are read.
fn mentions(tree: &Program, atoms: &[Atom]) -> Vec<Mention> {
    let mut found = Vec::new();
    for atom in atoms {
        let function = atom.function.map(|name| tree.text(name).to_owned());
        let mention = |kind, name: Name, function: Option<String>| Mention {
            kind,
            name: tree.text(name).to_owned(),
            function,
            span: name.span,
        };
        found.extend(atom.function.map(|name| mention(NameKind::Function, name, None)));
        let label = atom.label.filter(|_| atom.kind == AtomKind::At);
        found.extend(label.map(|name| mention(NameKind::Label, name, function)));
    }
    for expr in &tree.expressions {
        if let ExprKind::Name(symbol) = expr.kind {
            let (kind, name) = (NameKind::Variable, tree.names.text(symbol).to_owned());
            found.push(Mention { kind, name, function: None, span: expr.span });
        }
    }
    found
}

/// The names of the states, and what belongs to each.
fn stretches(automaton: &Automaton) -> Vec<(Span, Span)> {
    let starts = automaton.states.iter().skip(1).map(|state| state.start.start).chain([automaton.end.start]);
    let all = automaton.states.iter().zip(starts);
    all.map(|(state, end)| (state.name.span, Span { end: end.max(state.name.span.end), ..state.start }))
        .collect()
}

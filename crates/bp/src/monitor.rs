//! Monitors: finite automata that watch the steps of a sequential program.
//!
//! Input: the text of a `.mon` file and the program it watches. Output: states and edges whose guards are code of the
//! machine. Guards read globals and the locals of a function as usual; atoms such as `at(L)` are read as Boolean globals
//! behind those of the program: atom n has the place `Place::Global(n_globals + n)`.

mod alone;
mod print;
mod targets;

pub use alone::{Alone, Mention, alone};
pub use print::format;
pub use targets::check_targets;

use crate::ast::{ExprId, ExprKind, Name, Program, Symbol};
use crate::check::{Checked, Expressions, Owner, Primes, Scope, Ty, View, Wanted};
use crate::lexer::{Mark, Token};
use crate::lower::code;
use crate::names::Word;
use crate::parser::{self, AtomKind, Parsed, Parser};
use base::{Diagnostic, Sources, Span};
use rsm::{Expr, ModuleId, Place};
use rustc_hash::FxHashMap;

base::index_type! {
    /// A state of a monitor.
    StateId;
}

/// So many dots of a name are tried as the one between a function and its local: trying one costs a look at the name.
const MAX_DOTS: usize = 100;

/// A monitor.
#[derive(Clone, Debug)]
pub struct Monitor {
    /// Its name.
    pub name: String,
    /// Where its name stands.
    pub span: Span,
    /// Its states; at least one is initial.
    pub states: Vec<State>,
    /// The atoms of all guards.
    pub atoms: Vec<Atom>,
}

/// A state of a monitor.
#[derive(Clone, Debug)]
pub struct State {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// The monitor may start here.
    pub is_initial: bool,
    /// Whether it is reached, or reached again and again, is the question.
    pub is_target: bool,
    /// Its edges, in the order of the text.
    pub edges: Vec<Edge>,
}

/// An edge of a monitor.
#[derive(Clone, Debug)]
pub struct Edge {
    /// When it can be taken.
    pub guard: Guard,
    /// Where it leads.
    pub to: StateId,
    /// The guard in the text.
    pub span: Span,
}

/// The condition of an edge.
#[derive(Clone, Debug)]
pub struct Guard {
    /// Must be able to hold, in the state the program is leaving.
    pub condition: Expr,
    /// The function that must be on top of the stack.
    pub frame: Frame,
}

/// Whose locals a guard mentions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Frame {
    /// Nobody's: any function may be on top.
    Any,
    /// Those of one function, which must be on top; `Place::Local` means its locals.
    Only(ModuleId),
    /// Those of several functions, of which only one can be on top: the guard never holds.
    Never,
}

/// An atom of a guard.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Atom {
    /// `at(L)`: one of these functions is about to execute its statement with this label.
    At(Vec<ModuleId>, String),
    /// `in(f)`: the function is on top of the stack.
    In(ModuleId),
    /// `call(f)`: the step calls the function.
    Call(ModuleId),
    /// `ret(f)`: the step returns from the function.
    Ret(ModuleId),
}

/// What a parser has read, the atoms in it, and the tree.
pub(crate) struct Read<T> {
    pub(crate) read: T,
    pub(crate) atoms: Vec<parser::Atom>,
    pub(crate) tree: Program,
}

/// Reads something in which there may be atoms, or says everything that is wrong with it.
pub(crate) fn read<'s, T>(
    mut parser: Parser<'s>,
    parse: impl FnOnce(&mut Parser<'s>) -> Parsed<T>,
) -> Result<Read<T>, Vec<Diagnostic>> {
    parser.atoms = Some(Vec::new());
    let parsed = parse(&mut parser);
    let atoms = parser.atoms.take().unwrap_or_default();
    let (tree, diagnostics) = parser.finish();
    match parsed {
        Ok(read) if diagnostics.is_empty() => Ok(Read { read, atoms, tree }),
        _ => Err(diagnostics),
    }
}

/// An expression behind which there is nothing.
pub(crate) fn whole_expression(parser: &mut Parser<'_>) -> Parsed<ExprId> {
    let parsed = parser.expression();
    match parsed.is_ok() && parser.token() != Token::End {
        true => parser.unexpected("an operator or the end of the expression"),
        false => parsed,
    }
}

/// Reads a monitor of a program: the monitor, or everything that is wrong with it.
pub fn parse(
    sources: &mut Sources,
    name: &str,
    text: impl Into<String>,
    program: &Checked,
) -> Result<Monitor, Vec<Diagnostic>> {
    let file = sources.add(name, text);
    let parser = Parser::new(sources, file, program.program().names.clone());
    let Read { read: automaton, atoms, tree } = read(parser, Parser::monitor)?;
    sequential(program)?;
    let mut resolver = Resolver::new(program, &tree);
    let atoms = atoms.iter().filter_map(|atom| resolver.atom(atom)).collect();
    let states = resolver.states(&automaton);
    let mut diagnostics = resolver.expressions.diagnostics;
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.map(|span| span.start));
    let (name, span) = (tree.text(automaton.name).to_owned(), automaton.name.span);
    if diagnostics.is_empty() { Ok(Monitor { name, span, states, atoms }) } else { Err(diagnostics) }
}

/// Reads an expression that a guard may have, in a stretch of a file: the guard, or everything that is wrong with it.
pub fn proposition(sources: &Sources, span: Span, program: &Checked) -> Result<Guard, Vec<Diagnostic>> {
    let parser = Parser::within(sources, span, program.program().names.clone());
    let Read { read: root, atoms, tree } = read(parser, whole_expression)?;
    sequential(program)?;
    let mut resolver = Resolver::new(program, &tree);
    for atom in &atoms {
        resolver.atom(atom);
    }
    let guard = resolver.guard(root);
    let diagnostics = resolver.expressions.diagnostics;
    if diagnostics.is_empty() { Ok(guard) } else { Err(diagnostics) }
}

/// A monitor as a drawing, in the language of Graphviz: target states have two rings, guards are as in the text.
pub fn dot(monitor: &Monitor, sources: &Sources) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let mut text = format!("digraph {} {{\n", quoted(&monitor.name));
    for (n, state) in monitor.states.iter().enumerate() {
        let shape = if state.is_target { "doublecircle" } else { "circle" };
        text += &format!("  {n} [label={}, shape={shape}];\n", quoted(&state.name));
        if state.is_initial {
            text += &format!("  \"to {n}\" [label=\"\", shape=point];\n  \"to {n}\" -> {n};\n");
        }
    }
    for (n, state) in monitor.states.iter().enumerate() {
        for edge in &state.edges {
            let guard: Vec<&str> = sources.text(edge.span).split_whitespace().collect();
            text += &format!("  {n} -> {} [label={}];\n", edge.to.0, quoted(&guard.join(" ")));
        }
    }
    text + "}\n"
}

/// A monitor watches a sequential program.
fn sequential(program: &Checked) -> Result<(), Vec<Diagnostic>> {
    match program.program().threads.first() {
        Some(thread) => {
            let message = "a monitor watches a sequential program, and this one has threads";
            Err(vec![Diagnostic::error(thread.head, message)])
        }
        None => Ok(()),
    }
}

/// A monitor as it is written.
pub(crate) struct Automaton {
    pub(crate) name: Name,
    pub(crate) states: Vec<Written>,
    /// Up to its `begin`.
    pub(crate) head: Span,
    pub(crate) end: Span,
}

/// A state as it is written.
pub(crate) struct Written {
    pub(crate) name: Name,
    pub(crate) is_initial: bool,
    pub(crate) is_target: bool,
    pub(crate) edges: Vec<WrittenEdge>,
    /// Its first word.
    pub(crate) start: Span,
}

/// An edge as it is written.
pub(crate) struct WrittenEdge {
    pub(crate) guard: ExprId,
    pub(crate) to: Name,
    /// Its `on`.
    pub(crate) start: Span,
}

impl Parser<'_> {
    pub(crate) fn monitor(&mut self) -> Parsed<Automaton> {
        let start = self.span();
        self.expect_text("monitor")?;
        let name = self.declared_name("the name of the monitor")?;
        self.expect_word(Word::Begin)?;
        let head = self.span_from(start);
        let mut states = Vec::new();
        while !matches!(self.token(), Token::End | Token::Word(Word::End)) {
            if let Ok(state) = self.state() {
                states.push(state);
            }
        }
        let end = self.span();
        self.expect_word(Word::End)?;
        if self.token() != Token::End {
            return self.unexpected("the end of the file");
        }
        Ok(Automaton { name, states, head, end })
    }

    fn state(&mut self) -> Parsed<Written> {
        let start = self.span();
        let is_initial = self.eat_text("initial");
        let is_target = self.eat_text("target");
        let head = self.state_head();
        if head.is_err() {
            self.skip_to(|parser| parser.is_text("state") || parser.is_text("on"));
        }
        let mut edges = Vec::new();
        while self.is_text("on") {
            match self.edge() {
                Ok(edge) => edges.push(edge),
                Err(_) => {
                    self.skip_to(|parser| parser.is_text("on") || parser.is_text("state"));
                }
            }
        }
        head.map(|name| Written { name, is_initial, is_target, edges, start })
    }

    fn state_head(&mut self) -> Parsed<Name> {
        self.expect_text("state")?;
        let name = self.declared_name("the name of the state")?;
        self.expect(Mark::Colon)?;
        Ok(name)
    }

    fn edge(&mut self) -> Parsed<WrittenEdge> {
        let start = self.span();
        self.advance();
        let guard = self.expression()?;
        if !self.eat_word(Word::Goto) {
            return self.unexpected("an operator or `goto`");
        }
        let to = self.name("the name of a state")?;
        self.expect(Mark::Semicolon)?;
        Ok(WrittenEdge { guard, to, start })
    }

    /// Skips at least one token, up to the end of the monitor, behind a semicolon, or to what `is_next` accepts.
    fn skip_to(&mut self, is_next: impl Fn(&Self) -> bool) {
        while !matches!(self.token(), Token::End | Token::Word(Word::End)) {
            let is_end = self.token() == Token::Mark(Mark::Semicolon);
            self.advance();
            if is_end || is_next(self) {
                return;
            }
        }
    }

    fn is_text(&self, text: &str) -> bool {
        matches!(self.token(), Token::Name(symbol) if self.tree.names.text(symbol) == text)
    }

    fn eat_text(&mut self, text: &str) -> bool {
        let found = self.is_text(text);
        if found {
            self.advance();
        }
        found
    }

    fn expect_text(&mut self, text: &str) -> Parsed<()> {
        if self.eat_text(text) { Ok(()) } else { self.unexpected(&format!("`{text}`")) }
    }
}

struct Resolver<'c> {
    program: &'c Checked,
    expressions: Expressions<'c>,
    /// The names of locals, `f.x`, and whose they are.
    owners: FxHashMap<Symbol, ModuleId>,
    locals: Scope,
}

impl<'c> Resolver<'c> {
    /// A resolver for what a tree says about a program.
    fn new(program: &'c Checked, tree: &'c Program) -> Self {
        let mut expressions = Expressions::new(tree, program.types.clone());
        expressions.first_atom = program.shared.variables.len() as u32;
        Self { program, expressions, owners: FxHashMap::default(), locals: Scope::default() }
    }
}

impl Resolver<'_> {
    fn tree(&self) -> &Program {
        self.program.program()
    }

    fn function(&mut self, name: Name) -> Option<ModuleId> {
        let unit = &self.program.units[0];
        let found = unit.by_name.get(&name.symbol);
        if found.is_none() {
            let message =
                format!("there is no function `{}`", self.expressions.tree.names.shown(name.symbol));
            let known: Vec<Symbol> =
                self.tree().unit.functions.iter().map(|function| function.name.symbol).collect();
            self.expressions.unknown(name.span, message, name.symbol, known.into_iter());
        }
        found.map(|position| ModuleId(*position))
    }

    fn atom(&mut self, atom: &parser::Atom) -> Option<Atom> {
        let function = match atom.function {
            Some(function) => Some(self.function(function)?),
            None => None,
        };
        match (atom.kind, function, atom.label) {
            (AtomKind::At, function, Some(label)) => self.at(function, label),
            (AtomKind::In, Some(function), _) => Some(Atom::In(function)),
            (AtomKind::Call, Some(function), _) => Some(Atom::Call(function)),
            (AtomKind::Ret, Some(function), _) => Some(Atom::Ret(function)),
            _ => None,
        }
    }

    /// The functions that have a label.
    fn at(&mut self, function: Option<ModuleId>, label: Name) -> Option<Atom> {
        let all = &self.program.units[0].functions;
        let asked = |n: usize| function.is_none_or(|function| function.index() == n);
        let has = |n: &usize| asked(*n) && all[*n].labels.contains_key(&label.symbol);
        let found: Vec<ModuleId> = (0..all.len()).filter(has).map(ModuleId::new).collect();
        let text = self.expressions.tree.text(label);
        if !found.is_empty() {
            return Some(Atom::At(found, text.to_owned()));
        }
        let place = if function.is_some() { " in this function" } else { "" };
        let message =
            format!("there is no label `{}`{place}", self.expressions.tree.names.shown(label.symbol));
        let known = (0..all.len()).filter(|n| asked(*n)).flat_map(|n| all[n].labels.keys().copied());
        self.expressions.unknown(label.span, message, label.symbol, known);
        None
    }

    fn states(&mut self, automaton: &Automaton) -> Vec<State> {
        let ids = state_ids(automaton, &mut self.expressions);
        let mut states = Vec::new();
        for state in &automaton.states {
            let edges = state.edges.iter().filter_map(|edge| self.edge(edge.guard, edge.to, &ids)).collect();
            states.push(state.resolved(self.expressions.tree, edges));
        }
        states
    }

    fn edge(&mut self, guard: ExprId, to: Name, ids: &StateIds) -> Option<Edge> {
        let span = self.expressions.tree.expression(guard).span;
        let guard = self.guard(guard);
        Some(Edge { guard, to: state_id(to, ids, &mut self.expressions)?, span })
    }

    fn guard(&mut self, root: ExprId) -> Guard {
        let tree = self.expressions.tree;
        let first = tree.expression(root).first;
        let mut frame = Frame::Any;
        for part in &tree.expressions[first.index()..=root.index()] {
            if let ExprKind::Name(symbol) = part.kind
                && let Some(owner) = self.owner(symbol)
            {
                frame = match frame {
                    Frame::Any => Frame::Only(owner),
                    Frame::Only(other) if other == owner => frame,
                    _ => Frame::Never,
                };
            }
        }
        let view = View {
            scopes: &[&self.program.shared.scope, &self.locals],
            owner: Owner { unit: None, function: frame_function(frame) },
        };
        self.expressions.reported.clear();
        self.expressions.check(root, Wanted::Type(Ty::Bool), Primes::Refused, view);
        let condition = code(tree, &self.expressions.terms, &self.expressions.types, root);
        Guard { condition, frame }
    }

    /// The function whose local a name is; its place is remembered. A global is a global, whatever dots it has.
    fn owner(&mut self, symbol: Symbol) -> Option<ModuleId> {
        if self.program.shared.scope.places.contains_key(&symbol) {
            return None;
        }
        if let Some(owner) = self.owners.get(&symbol) {
            return Some(*owner);
        }
        let (owner, place, ty) = self.local(self.expressions.tree.names.text(symbol))?;
        self.locals.places.insert(symbol, (place, ty));
        self.owners.insert(symbol, owner);
        Some(owner)
    }

    /// The local that `f.x` names. Names of functions and variables may have dots themselves: the first one that fits
    /// counts.
    fn local(&self, text: &str) -> Option<(ModuleId, Place, Ty)> {
        let names = &self.tree().names;
        let unit = &self.program.units[0];
        text.match_indices('.').take(MAX_DOTS).find_map(|(dot, _)| {
            let function = *unit.by_name.get(&names.find(&text[..dot])?)?;
            let local = names.find(&text[dot + 1..])?;
            let (place, ty) = *unit.functions[function as usize].scope.places.get(&local)?;
            Some((ModuleId(function), place, ty))
        })
    }
}

fn frame_function(frame: Frame) -> Option<u32> {
    match frame {
        Frame::Only(function) => Some(function.0),
        Frame::Any | Frame::Never => None,
    }
}

/// The numbers of states, by their names, and where they are declared.
pub(crate) type StateIds = FxHashMap<Symbol, (StateId, Span)>;

/// The numbers of the states of a monitor; what is wrong with their names is reported.
pub(crate) fn state_ids(automaton: &Automaton, expressions: &mut Expressions<'_>) -> StateIds {
    let mut ids: StateIds = FxHashMap::default();
    for (n, state) in automaton.states.iter().enumerate() {
        let name = state.name;
        let (first, span) = *ids.entry(name.symbol).or_insert((StateId::new(n), name.span));
        if first.index() != n {
            let shown = expressions.tree.names.shown(name.symbol);
            let diagnostic = Diagnostic::error(name.span, format!("the state `{shown}` is declared twice"));
            expressions.diagnostics.push(diagnostic.note("the first declaration is here", Some(span)));
        }
    }
    if !automaton.states.iter().any(|state| state.is_initial) {
        expressions.error(automaton.name.span, "the monitor has no `initial` state");
    }
    ids
}

/// The state that an edge leads to; one that does not exist is reported.
pub(crate) fn state_id(to: Name, ids: &StateIds, expressions: &mut Expressions<'_>) -> Option<StateId> {
    if let Some((to, _)) = ids.get(&to.symbol) {
        return Some(*to);
    }
    let message = format!("there is no state `{}`", expressions.tree.names.shown(to.symbol));
    expressions.unknown(to.span, message, to.symbol, ids.keys().copied());
    None
}

impl Written {
    /// The state with its edges.
    pub(crate) fn resolved(&self, tree: &Program, edges: Vec<Edge>) -> State {
        State {
            name: tree.text(self.name).to_owned(),
            span: self.name.span,
            is_initial: self.is_initial,
            is_target: self.is_target,
            edges,
        }
    }
}

//! Monitors and propositions about programs with threads: what they say becomes an [`Observer`].
//!
//! Input: the text of a monitor, or of propositions, the program, and its machine. Output: observations, and guards that are code over
//! them. A guard is cut into as few observations as possible: what speaks of shared variables only is one, and so is what speaks of the
//! private variables of one thread; places and steps are others.
//!
//! Names: `x` is a shared variable; `p[1].x` a private one of copy 1 of thread `p`, and `p.x` that of a thread with one copy; `p[1].f.x` is a
//! local of its function `f`, and a condition over it is false where `f` is not on top of the stack. What stands
//! before the colon of `at`, and in `in`, `call` and `ret`, is a thread, `p` or `p[1]`, a function `f` in any thread, or a function of a
//! thread, `p.f` or `p[1].f`. A name of both means the thread. An atom is true if it is true of some thread that is meant.

mod cut;
mod whose;

use crate::ast::{ExprId, ExprKind, Program, Symbol};
use crate::check::{Checked, Expressions, Owner, Primes, Scope, Ty, View, Wanted};
use crate::lower::code;
use crate::monitor::{Edge, Frame, Guard, Monitor, Read, read, state_id, state_ids, whole_expression};
use crate::parser::{self, AtomKind, Parser};
use base::{Diagnostic, Sources, Span};
use cut::Cutter;
use rsm::observe::{Observation, Observed, Observer, ObserverEdge, ObserverState, Who};
use rsm::{Binary, Concurrent, Expr, Operation, Place, Term};
use rustc_hash::FxHashMap;
use whose::{Names, Private};

/// A letter has so many bits.
const MOST_BITS: u32 = 64;

/// Reads a monitor of a program with threads: the monitor, whose guards are conditions over observations, and the observer.
pub fn parse(
    sources: &mut Sources,
    name: &str,
    text: impl Into<String>,
    program: &Checked,
    threads: &Concurrent,
) -> Result<(Monitor, Observer), Vec<Diagnostic>> {
    let file = sources.add(name, text);
    let parser = Parser::new(sources, file, program.program().names.clone());
    let Read { read: automaton, atoms, tree } = read(parser, Parser::monitor)?;
    let mut observations = Observations::new(program, threads);
    let mut resolver = Resolver::new(&mut observations, &tree, &atoms);
    let ids = state_ids(&automaton, &mut resolver.expressions);
    let mut states = Vec::new();
    for state in &automaton.states {
        let mut edges = Vec::new();
        for edge in &state.edges {
            let span = tree.expression(edge.guard).span;
            let condition = resolver.guard(edge.guard);
            let Some(to) = state_id(edge.to, &ids, &mut resolver.expressions) else { continue };
            edges.push(Edge { guard: Guard { condition, frame: Frame::Any }, to, span });
        }
        states.push(state.resolved(&tree, edges));
    }
    let mut diagnostics = resolver.expressions.diagnostics;
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.map(|span| span.start));
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    let (name, span) = (tree.text(automaton.name).to_owned(), automaton.name.span);
    let monitor = Monitor { name, span, states, atoms: Vec::new() };
    let observer = observer(&monitor, observations.finish(span)?);
    Ok((monitor, observer))
}

/// The observer that a monitor is: every step out of a target state is marked.
fn observer(monitor: &Monitor, observations: Vec<Observation>) -> Observer {
    let state = |state: &crate::monitor::State| ObserverState {
        is_target: state.is_target,
        edges: (state.edges.iter())
            .map(|edge| ObserverEdge {
                guard: edge.guard.condition.clone(),
                to: edge.to.0,
                marks: u16::from(state.is_target),
            })
            .collect(),
    };
    let initial = (0..).zip(&monitor.states).filter(|(_, state)| state.is_initial).map(|(n, _)| n).collect();
    Observer {
        observations,
        states: monitor.states.iter().map(state).collect(),
        initial,
        n_marks: 1,
        ignores_repetition: false,
    }
}

/// What guards and propositions see, as far as they have been read.
pub struct Observations<'c> {
    program: &'c Checked,
    threads: &'c Concurrent,
    seen: Vec<Observed>,
}

impl<'c> Observations<'c> {
    /// None so far, of a program and its machine.
    pub fn new(program: &'c Checked, threads: &'c Concurrent) -> Self {
        Self { program, threads, seen: Vec::new() }
    }

    /// Reads a proposition in a stretch of a file: a condition in which observation n is `Place::Global(n)`.
    pub fn proposition(&mut self, sources: &Sources, span: Span) -> Result<Expr, Vec<Diagnostic>> {
        let parser = Parser::within(sources, span, self.program.program().names.clone());
        let Read { read: root, atoms, tree } = read(parser, whole_expression)?;
        let mut resolver = Resolver::new(self, &tree, &atoms);
        let guard = resolver.guard(root);
        let diagnostics = resolver.expressions.diagnostics;
        if diagnostics.is_empty() { Ok(guard) } else { Err(diagnostics) }
    }

    /// All of them, with their bits; an error at the place if they have too many.
    pub fn finish(self, span: Span) -> Result<Vec<Observation>, Vec<Diagnostic>> {
        let mut shift = 0;
        let mut observations = Vec::new();
        for what in self.seen {
            let n_bits = what.ty().n_bits();
            observations.push(Observation { what, shift });
            shift += n_bits;
        }
        if shift <= MOST_BITS {
            return Ok(observations);
        }
        let message =
            format!("this speaks of {shift} bits of the program, and at most {MOST_BITS} can be watched");
        Err(vec![Diagnostic::error(span, message)])
    }

    /// The number of an observation.
    fn number(&mut self, what: Observed) -> u32 {
        let known = self.seen.iter().position(|known| *known == what);
        known.unwrap_or_else(|| {
            self.seen.push(what);
            self.seen.len() - 1
        }) as u32
    }
}

/// Finds out what a tree says.
struct Resolver<'o, 'c, 't> {
    observations: &'o mut Observations<'c>,
    expressions: Expressions<'t>,
    /// For each atom its observation; none if it is wrong.
    atoms: Vec<Option<u32>>,
    /// Private variables by the names that they are called by: `Place::Local(n)` is the n-th of `private`.
    scope: Scope,
    private: Vec<Private>,
    /// For each name that has been looked at which of them it is.
    known: FxHashMap<Symbol, Option<usize>>,
}

impl<'o, 'c, 't> Resolver<'o, 'c, 't> {
    fn new(observations: &'o mut Observations<'c>, tree: &'t Program, atoms: &[parser::Atom]) -> Self {
        let mut expressions = Expressions::new(tree, observations.program.types.clone());
        expressions.first_atom = observations.program.shared.variables.len() as u32;
        let (scope, private, known) = (Scope::default(), Vec::new(), FxHashMap::default());
        let mut resolver = Self { observations, expressions, atoms: Vec::new(), scope, private, known };
        for atom in atoms {
            let number = resolver.atom(atom).map(|what| resolver.observations.number(what));
            resolver.atoms.push(number);
        }
        resolver
    }

    fn names(&self) -> Names<'c> {
        Names { program: self.observations.program, threads: self.observations.threads }
    }

    fn atom(&mut self, atom: &parser::Atom) -> Option<Observed> {
        let names = self.names();
        let found = match (atom.kind, atom.function, atom.label) {
            (AtomKind::At, whose, Some(label)) => {
                let whose = whose.map(|name| (self.expressions.tree.text(name), name.span));
                names.at(whose, (self.expressions.tree.text(label), label.span))
            }
            (kind, Some(name), _) => names.of_function(kind, (self.expressions.tree.text(name), name.span)),
            _ => return None,
        };
        found.map_err(|diagnostic| self.expressions.diagnostics.push(diagnostic)).ok()
    }

    /// A guard as a condition over observations.
    fn guard(&mut self, root: ExprId) -> Expr {
        let tree = self.expressions.tree;
        let first = tree.expression(root).first;
        let mut used = Vec::new();
        for part in &tree.expressions[first.index()..=root.index()] {
            if let ExprKind::Name(symbol) = part.kind {
                used.extend(self.private(symbol, part.span));
            }
        }
        let program = self.observations.program;
        let view = View {
            scopes: &[&program.shared.scope, &self.scope],
            owner: Owner { unit: None, function: None },
        };
        let n_errors = self.expressions.diagnostics.len();
        self.expressions.check(root, Wanted::Type(Ty::Bool), Primes::Refused, view);
        if !self.expressions.reported.is_empty() || self.expressions.diagnostics.len() > n_errors {
            return Expr::constant(0, rsm::Type::Bool);
        }
        let condition = code(tree, &self.expressions.terms, &self.expressions.types, root);
        let mut cutter = Cutter::new(program.shared.variables.len() as u32, &self.atoms, &self.private);
        let condition = cutter.cut(&condition, &mut |what| Place::Global(self.observations.number(what)));
        self.where_there_are(condition, &used)
    }

    /// A condition over locals is false where their function is not on top of the stack.
    fn where_there_are(&mut self, mut condition: Expr, used: &[usize]) -> Expr {
        for (block, copy, modules) in used.iter().map(|n| {
            let Private { block, copy, modules, .. } = &self.private[*n];
            (*block, *copy, modules.clone())
        }) {
            if !modules.is_empty() {
                let who = Who { block: Some(block), copy: Some(copy) };
                let there = Observed::At(who, self.names().places(&modules));
                let place = Place::Global(self.observations.number(there));
                let term = |operation| Term { operation, ty: rsm::Type::Bool };
                let both = [term(Operation::Read(place)), term(Operation::Binary(Binary::And))];
                condition = Expr { code: condition.code.iter().cloned().chain(both).collect() };
            }
        }
        condition
    }

    /// Makes a name known that is that of a private variable of a thread, or of a local; says which it is.
    fn private(&mut self, symbol: Symbol, span: Span) -> Option<usize> {
        if self.observations.program.shared.scope.places.contains_key(&symbol) {
            return None;
        }
        if let Some(known) = self.known.get(&symbol) {
            return *known;
        }
        let found = match self.names().private(self.expressions.tree.names.text(symbol), span) {
            Ok(Some(found)) => {
                self.scope.places.insert(symbol, (Place::Local(self.private.len() as u32), found.ty));
                self.private.push(found);
                Some(self.private.len() - 1)
            }
            // The checker says what is wrong with a name that nobody knows.
            Ok(None) => None,
            Err(diagnostic) => {
                self.expressions.reported.insert(symbol);
                self.expressions.diagnostics.push(diagnostic);
                None
            }
        };
        self.known.insert(symbol, found);
        found
    }
}

//! Parameters and quantified names: their leaves, and which name means what at present.

use super::Checker;
use super::types::Shape;
use crate::syntax::{Declaration, Name, Symbol};
use crate::system::{Binder, BinderId, SortId, Var, VarId};
use base::{Diagnostic, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// More scalar variables than this come from unrolling that nobody wants to wait for.
const MAX_VARS: usize = 10_000_000;

/// What a binder costs beside its leaves.
const BINDER_WORK: usize = 40;

/// What a name in scope stands for.
#[derive(Clone, Copy)]
pub(super) enum Entry {
    /// A variable: its type and its first leaf.
    Variable(Shape, VarId),
    /// A position of `exists i in 0..k`.
    Position(i128),
    /// A variable whose type is wrong; that is already reported.
    Unknown,
}

/// The names in scope, innermost last.
pub(super) struct Scope {
    entries: Vec<Vec<Entry>>,
    order: Vec<Symbol>,
    /// The first so many names are parameters of a relation.
    n_params: usize,
    /// Where names hide parameters; what is unrolled is bound again and again.
    hiding: FxHashSet<Span>,
}

impl Scope {
    pub(super) fn new(n_symbols: usize) -> Self {
        let entries = vec![Vec::new(); n_symbols];
        Self { entries, order: Vec::new(), n_params: 0, hiding: FxHashSet::default() }
    }

    /// What is in scope are the parameters of a relation.
    pub(super) fn begin_body(&mut self) {
        self.n_params = self.order.len();
    }

    /// The parameters leave the scope.
    pub(super) fn end_body(&mut self) {
        self.leave(self.n_params);
        self.n_params = 0;
    }

    /// The first leaf of the parameter that a name hides if it is bound at this place, if that is news.
    fn hidden_parameter(&mut self, name: Name) -> Option<VarId> {
        let is_parameter = self.order[..self.n_params].contains(&name.symbol);
        match self.entries[name.symbol.index()].first() {
            Some(Entry::Variable(_, first)) if is_parameter && self.hiding.insert(name.span) => Some(*first),
            _ => None,
        }
    }

    pub(super) fn enter(&mut self, name: Symbol, entry: Entry) {
        self.entries[name.index()].push(entry);
        self.order.push(name);
    }

    pub(super) fn leave(&mut self, count: usize) {
        for _ in 0..count {
            if let Some(name) = self.order.pop() {
                self.entries[name.index()].pop();
            }
        }
    }

    pub(super) fn get(&self, name: Symbol) -> Option<Entry> {
        self.entries[name.index()].last().copied()
    }

    pub(super) fn position(&self, name: Symbol) -> Option<i128> {
        match self.get(name) {
            Some(Entry::Position(position)) => Some(position),
            _ => None,
        }
    }

    pub(super) fn names(&self) -> impl Iterator<Item = Symbol> + '_ {
        self.order.iter().copied()
    }
}

impl Checker<'_> {
    /// Brings declared names into scope and returns the binders of those whose type is right.
    pub(super) fn bind(&mut self, declarations: &[Declaration]) -> Vec<BinderId> {
        let mut first: FxHashMap<Symbol, Span> = FxHashMap::default();
        let mut binders = Vec::new();
        let mut entries = Vec::new();
        for declaration in declarations {
            let name = declaration.name;
            let span = *first.entry(name.symbol).or_insert(name.span);
            if span != name.span {
                self.duplicate("variable", name, Some(span));
            }
            self.warn_if_hiding(name);
            let shape = self.shape(declaration);
            let binder = shape.and_then(|shape| Some((shape, self.binder(declaration, shape)?)));
            entries.push((
                name.symbol,
                match binder {
                    None => Entry::Unknown,
                    Some((shape, (binder, first))) => {
                        binders.push(binder);
                        Entry::Variable(shape, first)
                    }
                },
            ));
        }
        for (name, entry) in entries {
            self.scope.enter(name, entry);
        }
        binders
    }

    /// A quantified name that hides a parameter is rarely meant.
    pub(super) fn warn_if_hiding(&mut self, name: Name) {
        let Some(first) = self.scope.hidden_parameter(name) else { return };
        let hidden = &self.system.binders[self.system.vars[first.index()].binder.index()];
        let message = format!("`{}` hides the parameter of this name", self.text(name.symbol));
        let warning = Diagnostic::warning(name.span, message);
        self.sink.push(warning.note("the parameter is declared here", Some(hidden.span)));
    }

    fn binder(&mut self, declaration: &Declaration, shape: Shape) -> Option<(BinderId, VarId)> {
        let span = declaration.type_name.span().to(declaration.name.span);
        let layout = self.layout(shape, span)?;
        if self.system.vars.len() + layout.leaves.len() > MAX_VARS {
            self.exhaust(span, format!("{MAX_VARS} variables"));
            return None;
        }
        let length: usize = layout.leaves.iter().map(|(path, _)| path.len()).sum();
        if !self.work(BINDER_WORK + length / 4, span) {
            return None;
        }
        let id = BinderId::new(self.system.binders.len());
        let first = VarId::new(self.system.vars.len());
        for (path, sort) in &layout.leaves {
            self.system.vars.push(Var { path: path.clone(), sort: *sort, binder: id });
        }
        self.system.binders.push(Binder {
            name: self.text(declaration.name.symbol).to_owned(),
            type_name: self.shape_name(shape),
            leaves: (first.0..first.0 + layout.leaves.len() as u32).map(VarId).collect(),
            span,
        });
        self.constrain_binder(first, &layout);
        Some((id, first))
    }

    /// A variable that stands for a Boolean argument.
    pub(super) fn fresh(&mut self, sort: SortId, span: Span) -> VarId {
        self.fresh += 1;
        let binder = BinderId::new(self.system.binders.len());
        let var = VarId::new(self.system.vars.len());
        self.system.vars.push(Var { path: String::new(), sort, binder });
        let type_name = self.system.sorts[sort.index()].name.clone();
        self.system.binders.push(Binder {
            name: format!("${}", self.fresh),
            type_name,
            leaves: vec![var],
            span,
        });
        var
    }

    /// The leaves of some binders, in order.
    pub(super) fn leaves(&self, binders: &[BinderId]) -> Vec<VarId> {
        binders.iter().flat_map(|binder| self.system.binders[binder.index()].leaves.iter().copied()).collect()
    }
}

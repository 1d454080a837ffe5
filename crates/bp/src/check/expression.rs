//! Names and types of expressions.
//!
//! Two loops over the parts of an expression. The first goes from the operands up and finds the types that names
//! bring along; the second goes from the root down and tells each part which type its place wants, so that `*`, numbers
//! and enumerators of several enums take it.

use super::scope::View;
use super::types::{Ty, Types};
use crate::ast::{Binary, ExprId, ExprKind, Program, Symbol};
use base::nearest;
use base::{Diagnostic, Span};
use rsm::{Freedom, Operation, Place};
use rustc_hash::FxHashSet;

/// What an expression means: the operation of the machine and the type of its result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Term {
    pub(crate) operation: Operation,
    pub(crate) ty: Ty,
}

/// What the place of an expression wants.
#[derive(Clone, Copy)]
pub(crate) enum Wanted {
    /// A value of this type.
    Type(Ty),
    /// Any value; nobody looks at it.
    Any,
}

/// Whether new values may be read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Primes {
    Allowed,
    Refused,
}

/// So many unknown names get a suggestion: finding one costs a look at all names.
const MAX_SUGGESTIONS: usize = 20;

/// Checks expressions of one tree and remembers what they mean.
pub(crate) struct Expressions<'p> {
    pub(crate) tree: &'p Program,
    pub(crate) types: Types,
    pub(crate) terms: Vec<Term>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Unknown names that are reported already in the present function.
    pub(crate) reported: FxHashSet<Symbol>,
    /// The place from which the atoms of a guard are read; the others follow.
    pub(crate) first_atom: u32,
    n_suggestions: usize,
    /// For the parts of the present expression: the type that comes from inside, if one does.
    inner: Vec<Option<Ty>>,
    /// For the parts of the present expression: the type that the place wants.
    wanted: Vec<Ty>,
}

impl<'p> Expressions<'p> {
    pub(crate) fn new(tree: &'p Program, types: Types) -> Self {
        let term = Term { operation: Operation::Choice(Freedom::Input), ty: Ty::Unknown };
        Self {
            tree,
            types,
            terms: vec![term; tree.expressions.len()],
            diagnostics: Vec::new(),
            reported: FxHashSet::default(),
            first_atom: 0,
            n_suggestions: 0,
            inner: Vec::new(),
            wanted: Vec::new(),
        }
    }

    pub(crate) fn error(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(span, message));
    }

    /// Reports a name that is not known, with the nearest one that is.
    pub(crate) fn unknown(
        &mut self,
        span: Span,
        message: String,
        name: Symbol,
        known: impl Iterator<Item = Symbol>,
    ) {
        let mut message = message;
        if self.n_suggestions < MAX_SUGGESTIONS {
            self.n_suggestions += 1;
            let names = &self.tree.names;
            if let Some(near) = nearest(names.text(name), known.map(|symbol| names.text(symbol))) {
                message.push_str(&format!("; did you mean `{near}`?"));
            }
        }
        self.error(span, message);
    }

    /// Reports a variable that is not declared, once in each function.
    pub(crate) fn unknown_variable(&mut self, symbol: Symbol, span: Span, view: View) {
        if self.reported.insert(symbol) {
            let message = format!("`{}` is not declared", self.tree.names.shown(symbol));
            let enumerators: Vec<Symbol> = self.types.visible(view.owner).collect();
            self.unknown(span, message, symbol, view.visible().chain(enumerators));
        }
    }

    /// Checks an expression.
    pub(crate) fn check(&mut self, root: ExprId, wanted: Wanted, primes: Primes, view: View) {
        let first = self.tree.expression(root).first;
        self.inner.clear();
        for position in first.index()..=root.index() {
            let inner = self.inner_type(first, position, primes, view);
            self.inner.push(inner);
        }
        self.wanted.clear();
        self.wanted.resize(self.inner.len(), Ty::Unknown);
        let ty = match wanted {
            Wanted::Type(ty) => ty,
            Wanted::Any => {
                self.inner.last().copied().flatten().unwrap_or_else(|| self.any_type(first, root, view))
            }
        };
        *self.wanted.last_mut().expect("an expression has a part") = ty;
        for position in (first.index()..=root.index()).rev() {
            self.hand_down(first, ExprId::new(position), view);
        }
    }

    /// The type that an expression has whatever its place wants.
    fn inner_type(&mut self, first: ExprId, position: usize, primes: Primes, view: View) -> Option<Ty> {
        let expr = &self.tree.expressions[position];
        let inner = |id: ExprId| self.inner[id.index() - first.index()];
        match expr.kind {
            ExprKind::Choice | ExprKind::Number(_) => None,
            ExprKind::Name(symbol) => self.name_type(symbol, expr.span, view),
            ExprKind::Next(symbol) => {
                if primes == Primes::Refused {
                    let name = self.tree.names.shown(symbol);
                    let message = format!(
                        "`{name}'` is a new value, which only the `constrain` of an assignment can read"
                    );
                    self.error(expr.span, message);
                }
                match view.variable(symbol) {
                    Some((_, ty)) => Some(ty),
                    None => {
                        self.unknown_variable(symbol, expr.span, view);
                        Some(Ty::Unknown)
                    }
                }
            }
            ExprKind::Negate(operand) => inner(operand),
            ExprKind::Binary(Binary::Add | Binary::Subtract | Binary::Multiply, left, right) => {
                inner(left).or(inner(right))
            }
            ExprKind::Conditional(_, then, otherwise) => inner(then).or(inner(otherwise)),
            ExprKind::Truth(_)
            | ExprKind::Not(_)
            | ExprKind::Binary(..)
            | ExprKind::Schoose(..)
            | ExprKind::Atom(_) => Some(Ty::Bool),
        }
    }

    /// The type of a variable, or of an enumerator that belongs to one enum only.
    fn name_type(&mut self, symbol: Symbol, span: Span, view: View) -> Option<Ty> {
        if let Some((_, ty)) = view.variable(symbol) {
            return Some(ty);
        }
        match *self.types.enums_with(symbol, view.owner) {
            [] => {
                self.unknown_variable(symbol, span, view);
                Some(Ty::Unknown)
            }
            [id] => Some(Ty::Enum(id)),
            _ => None,
        }
    }

    /// A type for an expression without one whose value nobody looks at: an enum if an enumerator asks for it, an
    /// integer wide enough if numbers do, else `bool`.
    fn any_type(&self, first: ExprId, root: ExprId, view: View) -> Ty {
        let parts = &self.tree.expressions[first.index()..=root.index()];
        let mut largest = 0;
        let mut is_integer = false;
        for (part, inner) in parts.iter().zip(&self.inner) {
            match part.kind {
                ExprKind::Name(symbol) if inner.is_none() => {
                    return Ty::Enum(self.types.enums_with(symbol, view.owner)[0]);
                }
                ExprKind::Number(number) => largest = largest.max(number),
                ExprKind::Negate(_) | ExprKind::Binary(..) => is_integer |= inner.is_none(),
                _ => {}
            }
        }
        let width = (64 - largest.leading_zeros()).max(1) as u8;
        if is_integer || largest > 1 { Ty::Int(width) } else { Ty::Bool }
    }

    /// Decides what an expression means, now that the type its place wants is known, and tells its operands.
    fn hand_down(&mut self, first: ExprId, id: ExprId, view: View) {
        let expr = self.tree.expression(id);
        let at = |id: ExprId| id.index() - first.index();
        let wanted = self.wanted[at(id)];
        let (operation, ty) = match expr.kind {
            ExprKind::Choice => (Operation::Choice(Freedom::Input), wanted),
            ExprKind::Truth(value) => {
                (Operation::Constant(u64::from(value)), self.has(Ty::Bool, wanted, expr.span))
            }
            ExprKind::Number(number) => (Operation::Constant(number), self.number(number, wanted, expr.span)),
            ExprKind::Name(symbol) => self.name(symbol, wanted, expr.span, view),
            ExprKind::Next(symbol) => match view.variable(symbol) {
                Some((place, ty)) => (Operation::ReadNext(place), self.has(ty, wanted, expr.span)),
                None => (Operation::Choice(Freedom::Input), Ty::Unknown),
            },
            ExprKind::Atom(n) => {
                let place = Place::Global(self.first_atom + n);
                (Operation::Read(place), self.has(Ty::Bool, wanted, expr.span))
            }
            ExprKind::Not(operand) => {
                self.wanted[at(operand)] = Ty::Bool;
                (Operation::Not, self.has(Ty::Bool, wanted, expr.span))
            }
            ExprKind::Negate(operand) => {
                let ty = self.arithmetic(self.inner[at(id)], wanted, expr.span, "-");
                self.wanted[at(operand)] = ty;
                (Operation::Negate, ty)
            }
            ExprKind::Schoose(positive, negative) => {
                self.wanted[at(positive)] = Ty::Bool;
                self.wanted[at(negative)] = Ty::Bool;
                (Operation::Schoose, self.has(Ty::Bool, wanted, expr.span))
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let ty = self.has(self.inner[at(id)].unwrap_or(wanted), wanted, expr.span);
                self.wanted[at(condition)] = Ty::Bool;
                self.wanted[at(then)] = ty;
                self.wanted[at(otherwise)] = ty;
                (Operation::Conditional, ty)
            }
            ExprKind::Binary(operator, left, right) => {
                let inner = match self.inner[at(left)] {
                    None | Some(Ty::Unknown) => self.inner[at(right)].or(self.inner[at(left)]),
                    known => known,
                };
                let (operands, ty) = self.binary(operator, inner, wanted, expr.span);
                self.wanted[at(left)] = operands;
                self.wanted[at(right)] = operands;
                (Operation::Binary(lower(operator)), ty)
            }
        };
        self.terms[id.index()] = Term { operation, ty };
    }

    /// The types of an operator's operands and of its result; `inner` is what the operands bring along.
    fn binary(&mut self, operator: Binary, inner: Option<Ty>, wanted: Ty, span: Span) -> (Ty, Ty) {
        match operator {
            Binary::Add | Binary::Subtract | Binary::Multiply => {
                let ty = self.arithmetic(inner, wanted, span, operator.text());
                (ty, ty)
            }
            Binary::Equal | Binary::NotEqual => (inner.unwrap_or(Ty::Bool), self.has(Ty::Bool, wanted, span)),
            Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual => {
                let operands = self.compared(inner, span, operator.text());
                (operands, self.has(Ty::Bool, wanted, span))
            }
            Binary::Iff | Binary::Implies | Binary::Or | Binary::Xor | Binary::And => {
                (Ty::Bool, self.has(Ty::Bool, wanted, span))
            }
        }
    }

    /// The type of the operands of `<` and the like.
    fn compared(&mut self, inner: Option<Ty>, span: Span, operator: &str) -> Ty {
        match inner {
            Some(ty @ (Ty::Int(_) | Ty::Unknown)) => ty,
            Some(ty) => {
                let found = self.types.show(ty);
                self.error(span, format!("`{operator}` compares integers, found `{found}`"));
                Ty::Unknown
            }
            None => {
                let message =
                    format!("nothing says which integers `{operator}` compares: neither side has a type");
                self.error(span, message);
                Ty::Unknown
            }
        }
    }

    /// The type of `+`, `-` and `*`: that of the operands if they have one, else the one wanted.
    fn arithmetic(&mut self, inner: Option<Ty>, wanted: Ty, span: Span, operator: &str) -> Ty {
        let ty = inner.unwrap_or(wanted);
        match ty {
            Ty::Unknown => Ty::Unknown,
            Ty::Int(_) => {
                self.has(ty, wanted, span);
                ty
            }
            _ => {
                let message = match inner {
                    Some(ty) => format!("`{operator}` takes integers, found `{}`", self.types.show(ty)),
                    None => format!(
                        "expected `{}`, found an integer: the result of `{operator}`",
                        self.types.show(ty)
                    ),
                };
                self.error(span, message);
                Ty::Unknown
            }
        }
    }

    /// An expression has a type; it must be the one wanted.
    fn has(&mut self, ty: Ty, wanted: Ty, span: Span) -> Ty {
        if ty != wanted && ty != Ty::Unknown && wanted != Ty::Unknown {
            let message = format!("expected `{}`, found `{}`", self.types.show(wanted), self.types.show(ty));
            self.error(span, message);
        }
        ty
    }

    fn number(&mut self, number: u64, wanted: Ty, span: Span) -> Ty {
        let max = match wanted {
            Ty::Bool => 1,
            Ty::Int(width) => rsm::Type::Int(width).max(),
            Ty::Unknown => u64::MAX,
            Ty::Enum(_) => {
                let message = format!("expected `{}`, found the number {number}", self.types.show(wanted));
                self.error(span, message);
                return Ty::Unknown;
            }
        };
        if number > max {
            let ty = self.types.show(wanted);
            self.error(span, format!("the number {number} does not fit: `{ty}` goes from 0 to {max}"));
        }
        wanted
    }

    /// A variable, or an enumerator of the enum that is wanted.
    fn name(&mut self, symbol: Symbol, wanted: Ty, span: Span, view: View) -> (Operation, Ty) {
        if let Some((place, ty)) = view.variable(symbol) {
            return (Operation::Read(place), self.has(ty, wanted, span));
        }
        if let Ty::Enum(id) = wanted
            && let Some(value) = self.types.value(symbol, id)
        {
            return (Operation::Constant(value), wanted);
        }
        match *self.types.enums_with(symbol, view.owner) {
            [] => {}
            [id] => {
                self.has(Ty::Enum(id), wanted, span);
            }
            _ if wanted == Ty::Unknown => {}
            _ => {
                let name = self.tree.names.shown(symbol);
                let message = match wanted {
                    Ty::Bool => {
                        format!("`{name}` is a value of several enums, and nothing says which is meant")
                    }
                    _ => format!(
                        "expected `{}`, found `{name}`, which is a value of several enums",
                        self.types.show(wanted)
                    ),
                };
                self.error(span, message);
            }
        }
        (Operation::Constant(0), Ty::Unknown)
    }
}

/// The machine has no `>`: the operands are swapped when the code is written.
fn lower(operator: Binary) -> rsm::Binary {
    match operator {
        Binary::Iff | Binary::Equal => rsm::Binary::Equal,
        Binary::Implies => rsm::Binary::Implies,
        Binary::Or => rsm::Binary::Or,
        Binary::Xor => rsm::Binary::Xor,
        Binary::And => rsm::Binary::And,
        Binary::NotEqual => rsm::Binary::NotEqual,
        Binary::Less | Binary::Greater => rsm::Binary::Less,
        Binary::LessEqual | Binary::GreaterEqual => rsm::Binary::LessEqual,
        Binary::Add => rsm::Binary::Add,
        Binary::Subtract => rsm::Binary::Subtract,
        Binary::Multiply => rsm::Binary::Multiply,
    }
}

//! Quantifiers over some values of a type only: those of which a predicate holds.
//!
//! Input: a file, a type and a predicate over it. Output: the file with `exists T x. P(x) & …` for `exists T x. …`, with `forall T x. P(x) -> …`, and
//! with `P(x) & …` as the body of a relation with a parameter `T x`. Where a relation that is known to hold of such values only restricts
//! the variable already, nothing is added; greatest fixed points are not known to, since they begin with everything.

use crate::syntax::{
    Bounds, Connective, Constraint, Directive, ExprId, ExprKind, File, Item, ItemKind, Kind, Name, Printed,
    Quantifier, Relational, Segment, Symbol, TypeName,
};
use base::Span;
use rustc_hash::FxHashSet;

/// Formulas nested deeper than this are taken to restrict nothing, which adds a predicate that is not needed.
const DEEPEST: usize = 100;

/// Restricts all variables of a type to values of which a predicate holds, a relation of one parameter. `is_given` tells the relations, beside
/// those that the file defines, that hold of such values only.
pub fn relativise(file: &mut File, type_name: &str, predicate: &str, is_given: impl Fn(&str) -> bool) {
    let Some(type_symbol) = file.names.find(type_name) else { return };
    let predicate = file.names.intern(predicate);
    let guards = guards(file, &is_given);
    let defined = |item: &Item| match &item.kind {
        ItemKind::Function { name, .. } if !is_given(file.names.text(name.symbol)) => Some(name.symbol),
        _ => None,
    };
    let own: FxHashSet<Symbol> = file.items.iter().filter_map(defined).collect();
    let old = std::mem::take(file);
    let mut new = File::default();
    (new.names, new.paths) = (old.names.clone(), old.paths.clone());
    (new.is_partial, new.remarks) = (old.is_partial, old.remarks.clone());
    let mut rewriting = Rewriting { old, new, ids: Vec::new(), type_symbol, predicate, guards };
    rewriting.exprs();
    rewriting.items(&own);
    *file = rewriting.new;
}

/// Some quantified variable of a type is not known to have values that relations from outside are about.
pub fn is_relative(file: &File, type_name: &str, is_given: impl Fn(&str) -> bool) -> bool {
    let Some(type_symbol) = file.names.find(type_name) else { return true };
    let guards = guards(file, &is_given);
    let (old, new) = (file.clone(), File::default());
    let mut reading = Rewriting { old, new, ids: Vec::new(), type_symbol, predicate: type_symbol, guards };
    // Relations restrict their parameters as far as their bodies do; what one of them does not, others cannot rely on.
    while let Some(broken) = reading.broken_guard(&is_given) {
        reading.guards.remove(&broken);
    }
    (0..reading.old.n_exprs()).map(ExprId::new).all(|id| match reading.old.expr(id).kind {
        ExprKind::Quantified(quantifier, bounds, inner) => reading.free(quantifier, bounds, inner).is_empty(),
        _ => true,
    })
}

/// The relations that may restrict their arguments.
fn guards(file: &File, is_given: impl Fn(&str) -> bool) -> FxHashSet<Symbol> {
    let guard = |item: &Item| match &item.kind {
        ItemKind::Function { kind, name, .. } => {
            (is_given(file.names.text(name.symbol)) || *kind != Kind::Nu).then_some(name.symbol)
        }
        _ => None,
    };
    file.items.iter().filter_map(guard).collect()
}

/// A file on its way into another one.
struct Rewriting {
    old: File,
    new: File,
    /// Where each expression has gone.
    ids: Vec<ExprId>,
    type_symbol: Symbol,
    predicate: Symbol,
    guards: FxHashSet<Symbol>,
}

impl Rewriting {
    /// Copies all expressions; operands stand before who uses them.
    fn exprs(&mut self) {
        for id in (0..self.old.n_exprs()).map(ExprId::new) {
            let expr = self.old.expr(id);
            let kind = self.copied(expr.kind);
            let new = self.new.push(kind, expr.span);
            self.ids.push(new);
        }
    }

    fn id(&self, id: ExprId) -> ExprId {
        self.ids[id.index()]
    }

    fn copied(&mut self, kind: ExprKind) -> ExprKind {
        use ExprKind::{
            And, Apply, Case, Compare, Connect, Constant, If, IfElse, Not, Number, Or, Path, Positions,
            Quantified, Simplify, Sum,
        };
        let operands = |this: &mut Self, of| {
            let ids: Vec<ExprId> = this.old.operands(of).iter().map(|id| this.id(*id)).collect();
            this.new.push_operands(ids.into_iter())
        };
        match kind {
            Constant(_) | Number(_) | Path(_) => kind,
            Sum(a, n) => Sum(self.id(a), n),
            Apply(name, of) => Apply(name, operands(self, of)),
            Not(a) => Not(self.id(a)),
            And(of) => And(operands(self, of)),
            Or(of) => Or(operands(self, of)),
            Case(of) => Case(operands(self, of)),
            Connect(how, a, b) => Connect(how, self.id(a), self.id(b)),
            Compare(how, a, b) => Compare(how, self.id(a), self.id(b)),
            Simplify(how, a, b) => Simplify(how, self.id(a), self.id(b)),
            If(a, b) => If(self.id(a), self.id(b)),
            IfElse(a, b, c) => IfElse(self.id(a), self.id(b), self.id(c)),
            Positions(quantifier, at, inner) => {
                let at = self.new.push_positions(self.old.positions(at));
                Positions(quantifier, at, self.id(inner))
            }
            Quantified(quantifier, bounds, inner) => {
                let declared = self.old.bounds(bounds).to_vec();
                let free = self.free(quantifier, bounds, inner);
                let inner = self.restricted(quantifier, &free, inner);
                Quantified(quantifier, self.new.push_bounds(&declared), inner)
            }
        }
    }

    /// The variables of a quantifier that nothing restricts.
    fn free(&self, quantifier: Quantifier, bounds: Bounds, inner: ExprId) -> Vec<Name> {
        let is_free = |name: &Name| !self.is_bound(quantifier, inner, name.symbol, 0);
        let declared = self.old.bounds(bounds).iter();
        let meant = declared.filter(|d| self.is_meant(d.type_name) && d.length.is_none());
        meant.map(|d| d.name).filter(is_free).collect()
    }

    /// A relation of the file that counts as a guard and does not restrict all its parameters.
    fn broken_guard(&self, is_given: &impl Fn(&str) -> bool) -> Option<Symbol> {
        self.old.items.iter().find_map(|item| match &item.kind {
            ItemKind::Function { name, params, body: Some(body), .. }
                if self.guards.contains(&name.symbol) && !is_given(self.old.names.text(name.symbol)) =>
            {
                let mut meant = params.iter().filter(|p| self.is_meant(p.type_name) && p.length.is_none());
                meant.any(|p| !self.is_restricted(*body, p.name.symbol, 0)).then_some(name.symbol)
            }
            _ => None,
        })
    }

    fn is_meant(&self, type_name: TypeName) -> bool {
        matches!(type_name, TypeName::Named(name) if name.symbol == self.type_symbol)
    }

    /// A formula with the predicate before it, for each of some variables.
    fn restricted(&mut self, quantifier: Quantifier, free: &[Name], inner: ExprId) -> ExprId {
        if free.is_empty() {
            return self.id(inner);
        }
        let expr = self.old.expr(inner);
        let atoms: Vec<ExprId> = free.iter().map(|name| self.atom(*name, expr.span)).collect();
        let rest: Vec<ExprId> = match (quantifier, expr.kind) {
            (Quantifier::Exists, ExprKind::And(of)) => {
                self.old.operands(of).iter().map(|id| self.id(*id)).collect()
            }
            _ => vec![self.id(inner)],
        };
        match quantifier {
            Quantifier::Exists => {
                let all = self.new.push_operands([atoms, rest].concat().into_iter());
                self.new.push(ExprKind::And(all), expr.span)
            }
            Quantifier::Forall => {
                let all = match atoms[..] {
                    [atom] => atom,
                    _ => {
                        let atoms = self.new.push_operands(atoms.into_iter());
                        self.new.push(ExprKind::And(atoms), expr.span)
                    }
                };
                self.new.push(ExprKind::Connect(Connective::Implies, all, rest[0]), expr.span)
            }
        }
    }

    /// The predicate holds of a variable.
    fn atom(&mut self, name: Name, span: Span) -> ExprId {
        let end = u32::try_from(self.new.names.text(name.symbol).len()).unwrap_or(u32::MAX);
        let segment = Segment { symbol: name.symbol, start: 0, end, index: None };
        let path = self.new.paths.intern(&[segment]);
        let variable = self.new.push(ExprKind::Path(path), span);
        let operands = self.new.push_operands([variable].into_iter());
        self.new.push(ExprKind::Apply(self.predicate, operands), span)
    }

    fn items(&mut self, own: &FxHashSet<Symbol>) {
        for item in std::mem::take(&mut self.old.items) {
            let Item { mut kind, span } = item;
            match &mut kind {
                ItemKind::Function { name, params, constraints, body, .. } => {
                    constraints.iter_mut().for_each(|constraint| self.constraint(constraint));
                    if let Some(body) = body {
                        let meant =
                            params.iter().filter(|p| self.is_meant(p.type_name) && p.length.is_none());
                        let meant: Vec<Name> =
                            meant.map(|p| p.name).filter(|_| own.contains(&name.symbol)).collect();
                        *body = self.body(&meant, *body);
                    }
                }
                ItemKind::Class { constraints, .. } => {
                    constraints.iter_mut().for_each(|constraint| self.constraint(constraint));
                }
                ItemKind::Query(expr)
                | ItemKind::Directive(Directive::Expr(_, expr) | Directive::Print(Printed::Expr(expr))) => {
                    *expr = self.id(*expr)
                }
                ItemKind::Enum(..) | ItemKind::Directive(_) => {}
            }
            self.new.items.push(Item { kind, span });
        }
    }

    /// The body of a relation with these parameters, clause by clause.
    fn body(&mut self, params: &[Name], body: ExprId) -> ExprId {
        let clause = |this: &mut Self, clause: ExprId| {
            let is_free = |param: &&Name| !this.is_restricted(clause, param.symbol, 0);
            let free: Vec<Name> = params.iter().filter(is_free).copied().collect();
            this.restricted(Quantifier::Exists, &free, clause)
        };
        let expr = self.old.expr(body);
        let ExprKind::Or(of) = expr.kind else { return clause(self, body) };
        let clauses: Vec<ExprId> = self.old.operands(of).to_vec();
        let clauses: Vec<ExprId> = clauses.into_iter().map(|id| clause(self, id)).collect();
        let operands = self.new.push_operands(clauses.into_iter());
        self.new.push(ExprKind::Or(operands), expr.span)
    }

    fn constraint(&self, constraint: &mut Constraint) {
        constraint.left = constraint.left.map(|left| self.id(left));
        constraint.right = self.id(constraint.right);
    }

    /// The variable that an expression is.
    fn variable(&self, id: ExprId) -> Option<Symbol> {
        let ExprKind::Path(path) = self.old.expr(id).kind else { return None };
        match self.old.paths.segments(path) {
            [Segment { symbol, index: None, .. }] => Some(*symbol),
            _ => None,
        }
    }

    fn binds(&self, bounds: Bounds, variable: Symbol) -> bool {
        self.old.bounds(bounds).iter().any(|declared| declared.name.symbol == variable)
    }

    /// Whether a quantified formula is true does not depend on values that are not meant: they are excluded, or the formula does not mention the
    /// variable, or this is so of its parts.
    fn is_bound(&self, quantifier: Quantifier, id: ExprId, variable: Symbol, depth: usize) -> bool {
        let is_restricted = match quantifier {
            Quantifier::Exists => self.is_restricted(id, variable, depth),
            Quantifier::Forall => self.is_excluded(id, variable, depth),
        };
        if is_restricted || depth > DEEPEST {
            return is_restricted;
        }
        if !self.mentions(id, variable) {
            return true;
        }
        match (quantifier, self.old.expr(id).kind) {
            (Quantifier::Exists, ExprKind::Or(of)) | (Quantifier::Forall, ExprKind::And(of)) => {
                let mut parts = self.old.operands(of).iter();
                parts.all(|part| self.is_bound(quantifier, *part, variable, depth + 1))
            }
            (Quantifier::Exists, ExprKind::And(of)) | (Quantifier::Forall, ExprKind::Or(of)) => {
                let parts = self.old.operands(of).iter().filter(|part| self.mentions(**part, variable));
                match parts.collect::<Vec<&ExprId>>()[..] {
                    [part] => self.is_bound(quantifier, *part, variable, depth + 1),
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// The variable may occur in a formula.
    fn mentions(&self, id: ExprId, variable: Symbol) -> bool {
        let mut todo = vec![id];
        while let Some(id) = todo.pop() {
            match self.old.expr(id).kind {
                ExprKind::Constant(_) | ExprKind::Number(_) => {}
                ExprKind::Path(path) => {
                    let segments = self.old.paths.segments(path);
                    if segments.iter().any(|segment| segment.symbol == variable || segment.index.is_some()) {
                        return true;
                    }
                }
                ExprKind::Apply(_, of) | ExprKind::And(of) | ExprKind::Or(of) | ExprKind::Case(of) => {
                    todo.extend(self.old.operands(of));
                }
                ExprKind::Sum(a, _)
                | ExprKind::Not(a)
                | ExprKind::Quantified(_, _, a)
                | ExprKind::Positions(_, _, a) => todo.push(a),
                ExprKind::Connect(_, a, b)
                | ExprKind::Compare(_, a, b)
                | ExprKind::Simplify(_, a, b)
                | ExprKind::If(a, b) => todo.extend([a, b]),
                ExprKind::IfElse(a, b, c) => todo.extend([a, b, c]),
            }
        }
        false
    }

    /// A formula holds only where the variable has a value that is meant.
    fn is_restricted(&self, id: ExprId, variable: Symbol, depth: usize) -> bool {
        if depth > DEEPEST {
            return false;
        }
        let depth = depth + 1;
        match self.old.expr(id).kind {
            ExprKind::Constant(is_true) => !is_true,
            ExprKind::Apply(name, of) => {
                let is_passed = |id: &ExprId| self.variable(*id) == Some(variable);
                self.guards.contains(&name) && self.old.operands(of).iter().any(is_passed)
            }
            ExprKind::Not(inner) => self.is_excluded(inner, variable, depth),
            ExprKind::And(of) => {
                let parts = self.old.operands(of);
                let equal = parts.iter().filter_map(|part| self.equal_to(*part, variable));
                let variables: Vec<Symbol> = equal.chain([variable]).collect();
                let is_restricted = |part: &ExprId| {
                    variables.iter().any(|variable| self.is_restricted(*part, *variable, depth))
                };
                parts.iter().any(is_restricted)
            }
            ExprKind::Or(of) => {
                self.old.operands(of).iter().all(|part| self.is_restricted(*part, variable, depth))
            }
            ExprKind::Quantified(Quantifier::Exists, bounds, inner) => {
                !self.binds(bounds, variable) && self.is_restricted(inner, variable, depth)
            }
            ExprKind::Simplify(_, a, b) => {
                [a, b].into_iter().any(|part| self.is_restricted(part, variable, depth))
            }
            _ => false,
        }
    }

    /// A formula holds wherever the variable has a value that is not meant.
    fn is_excluded(&self, id: ExprId, variable: Symbol, depth: usize) -> bool {
        if depth > DEEPEST {
            return false;
        }
        let depth = depth + 1;
        match self.old.expr(id).kind {
            ExprKind::Constant(is_true) => is_true,
            ExprKind::Not(inner) => self.is_restricted(inner, variable, depth),
            ExprKind::Or(of) => {
                self.old.operands(of).iter().any(|part| self.is_excluded(*part, variable, depth))
            }
            ExprKind::And(of) => {
                self.old.operands(of).iter().all(|part| self.is_excluded(*part, variable, depth))
            }
            ExprKind::Connect(Connective::Implies, a, b) | ExprKind::Connect(Connective::ImpliedBy, b, a) => {
                self.is_restricted(a, variable, depth) || self.is_excluded(b, variable, depth)
            }
            ExprKind::Quantified(Quantifier::Forall, bounds, inner) => {
                !self.binds(bounds, variable) && self.is_excluded(inner, variable, depth)
            }
            _ => false,
        }
    }

    /// What a formula says that the variable is equal to.
    fn equal_to(&self, id: ExprId, variable: Symbol) -> Option<Symbol> {
        let ExprKind::Compare(Relational::Equal, a, b) = self.old.expr(id).kind else { return None };
        match (self.variable(a)?, self.variable(b)?) {
            (a, b) if a == variable => Some(b),
            (a, b) if b == variable => Some(a),
            _ => None,
        }
    }
}

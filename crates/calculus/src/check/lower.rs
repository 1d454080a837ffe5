//! Formulas: what is sugar becomes what is not.
//!
//! A stack of tasks replaces recursion: visiting an expression plans the visits of its operands and then
//! its own construction, which takes the operands' formulas from a second stack.

use super::Checker;
use super::binders::Entry;
use super::types::Shape;
use crate::syntax::{
    Connective, Expr, ExprId, ExprKind, Name, Positions, PositionsId, Quantifier, Relational,
};
use crate::system::{BOOL, Comparison, Formula, FormulaId, RelationId, Term, VarId};
use base::{Diagnostic, Span};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// A `case` with more arms than this is nested, because each arm carries the negations before it.
const CASE_CHUNK: usize = 64;

/// The unrolled operands of a position quantifier are this many at most.
const MAX_POSITIONS: i128 = 1_000_000;

/// What unrolling one position costs beside its body.
const POSITION_WORK: usize = 8;

enum Task {
    /// Lower an expression.
    Visit(ExprId),
    /// Its operands are lowered: make its formula.
    Build(ExprId),
    /// The body of a quantifier is lowered; its names go out of scope.
    Close(ExprId, Box<[VarId]>),
    /// Lower the body of a position quantifier for the remaining positions.
    Unroll(Box<Unrolling>),
}

/// A position quantifier of which some positions are done.
struct Unrolling {
    expr: ExprId,
    next: i128,
    high: i128,
    done: usize,
}

impl Checker<'_> {
    /// The formula of an expression of type `bool`.
    pub(super) fn lower(&mut self, root: ExprId) -> FormulaId {
        let mut tasks = vec![Task::Visit(root)];
        let mut results: Vec<FormulaId> = Vec::new();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Visit(expr) if self.work(1, self.file.expr(expr).span) => {
                    self.visit(expr, &mut tasks, &mut results);
                }
                Task::Visit(expr) => results.push(self.constant(false, self.file.expr(expr).span)),
                Task::Build(expr) => {
                    let formula = self.build(expr, &mut results);
                    results.push(formula);
                }
                Task::Close(expr, leaves) => {
                    let formula = self.quantify(expr, leaves, &mut results);
                    results.push(formula);
                }
                Task::Unroll(unrolling) => self.unroll(unrolling, &mut tasks, &mut results),
            }
        }
        results.pop().expect("lowering an expression leaves its formula")
    }

    fn visit(&mut self, expr: ExprId, tasks: &mut Vec<Task>, results: &mut Vec<FormulaId>) {
        let file = self.file;
        let Expr { kind, span } = file.expr(expr);
        match kind {
            ExprKind::Constant(_) | ExprKind::Number(_) | ExprKind::Path(_) | ExprKind::Sum(..) => {
                results.push(self.truth(expr));
            }
            ExprKind::Compare(relational, left, right) if self.is_term(left) && self.is_term(right) => {
                results.push(self.comparison(relational, left, right, span));
            }
            ExprKind::Compare(_, left, right)
            | ExprKind::Connect(_, left, right)
            | ExprKind::Simplify(_, left, right) => {
                tasks.extend([Task::Build(expr), Task::Visit(right), Task::Visit(left)]);
            }
            ExprKind::Apply(_, arguments) => {
                tasks.push(Task::Build(expr));
                let arguments = file.operands(arguments).iter().rev();
                tasks.extend(arguments.filter(|a| !self.is_term(**a)).map(|a| Task::Visit(*a)));
            }
            ExprKind::Not(operand) => tasks.extend([Task::Build(expr), Task::Visit(operand)]),
            ExprKind::And(operands) | ExprKind::Or(operands) => {
                tasks.push(Task::Build(expr));
                tasks.extend(file.operands(operands).iter().rev().map(|operand| Task::Visit(*operand)));
            }
            ExprKind::If(condition, then) => {
                tasks.extend([Task::Build(expr), Task::Visit(then), Task::Visit(condition)]);
            }
            ExprKind::IfElse(condition, then, otherwise) => {
                tasks.extend([Task::Build(expr), Task::Visit(otherwise)]);
                tasks.extend([Task::Visit(then), Task::Visit(condition)]);
            }
            ExprKind::Case(arms) => {
                tasks.push(Task::Build(expr));
                tasks.extend(file.operands(arms).iter().rev().map(|part| Task::Visit(*part)));
            }
            ExprKind::Quantified(_, bounds, body) => {
                let binders = self.bind(file.bounds(bounds));
                tasks.extend([Task::Close(expr, self.leaves(&binders).into()), Task::Visit(body)]);
            }
            ExprKind::Positions(_, positions, _) => self.positions(expr, positions, tasks, results),
        }
    }

    /// Plans the unrolling of a position quantifier.
    fn positions(
        &mut self,
        expr: ExprId,
        positions: PositionsId,
        tasks: &mut Vec<Task>,
        results: &mut Vec<FormulaId>,
    ) {
        let Positions { low, high, .. } = self.file.positions(positions);
        let span = self.file.expr(expr).span;
        match (self.number(low), self.number(high)) {
            (Some(low), Some(high)) if high - low < MAX_POSITIONS => {
                tasks.push(Task::Unroll(Box::new(Unrolling { expr, next: low, high, done: 0 })));
            }
            (Some(low), Some(high)) => {
                self.error(span, format!("the positions {low}..{high} are more than {MAX_POSITIONS}"));
                results.push(self.constant(false, span));
            }
            _ => results.push(self.constant(false, span)),
        }
    }

    fn build(&mut self, expr: ExprId, results: &mut Vec<FormulaId>) -> FormulaId {
        let file = self.file;
        let Expr { kind, span } = file.expr(expr);
        match kind {
            ExprKind::Compare(relational, ..) => {
                let [left, right] = take(results);
                self.compare_formulas(relational, left, right, span)
            }
            ExprKind::Connect(connective, ..) => {
                let [left, right] = take(results);
                self.connect(connective, left, right, span)
            }
            ExprKind::Simplify(_, left, right) => {
                let operands = results.split_off(results.len() - 2);
                let operands = self.open_restrictions(&[left, right], operands);
                self.and(operands, span)
            }
            ExprKind::Apply(symbol, arguments) => {
                let name = file.name_at(symbol, span, 0);
                let arguments = file.operands(arguments);
                let n_formulas = arguments.iter().filter(|a| !self.is_term(**a)).count();
                let formulas = results.split_off(results.len() - n_formulas);
                self.apply(name, arguments, formulas, span)
            }
            ExprKind::Not(_) => {
                let [operand] = take(results);
                self.not(operand, span)
            }
            ExprKind::And(operands) => {
                let operands = file.operands(operands);
                let formulas = results.split_off(results.len() - operands.len());
                let formulas = self.open_restrictions(operands, formulas);
                self.and(formulas, span)
            }
            ExprKind::Or(operands) => {
                let operands = results.split_off(results.len() - file.operands(operands).len());
                self.or(operands, span)
            }
            ExprKind::If(..) => {
                let [condition, then] = take(results);
                self.connect(Connective::Implies, condition, then, span)
            }
            ExprKind::IfElse(..) => {
                let [condition, then, otherwise] = take(results);
                let negated = self.not(condition, span);
                let yes = self.and(vec![condition, then], span);
                let no = self.and(vec![negated, otherwise], span);
                self.or(vec![yes, no], span)
            }
            ExprKind::Case(arms) => {
                let formulas = results.split_off(results.len() - file.operands(arms).len());
                self.case(&formulas, span)
            }
            _ => unreachable!("terms and quantifiers are built elsewhere"),
        }
    }

    /// The operands of `assume` join the conjuncts beside it. It says what matters, not what to compute first; as a
    /// group of its own, a static relation restricted to the one being computed would grow with it.
    fn open_restrictions(&self, exprs: &[ExprId], formulas: Vec<FormulaId>) -> Vec<FormulaId> {
        let restricts = |expr: &ExprId| matches!(self.file.expr(*expr).kind, ExprKind::Simplify(..));
        if !exprs.iter().any(restricts) {
            return formulas;
        }
        let mut opened = Vec::new();
        for (expr, formula) in exprs.iter().zip(formulas) {
            match self.system.formula(formula) {
                Formula::And(parts) if restricts(expr) => opened.extend(parts.iter()),
                _ => opened.push(formula),
            }
        }
        self.forget_repeated(&mut opened);
        opened
    }

    /// Of conjuncts that apply one relation to the same arguments, the first is enough.
    pub(super) fn forget_repeated(&self, conjuncts: &mut Vec<FormulaId>) {
        let mut seen = FxHashSet::default();
        conjuncts.retain(|&id| match self.system.formula(id) {
            Formula::Apply(relation, terms) => seen.insert((*relation, terms)),
            _ => true,
        });
    }

    fn compare_formulas(
        &mut self,
        relational: Relational,
        left: FormulaId,
        right: FormulaId,
        span: Span,
    ) -> FormulaId {
        match relational {
            Relational::Equal => self.connect(Connective::Iff, left, right, span),
            Relational::NotEqual => self.connect(Connective::Xor, left, right, span),
            _ => {
                self.error(span, "expected a range type around an ordering, found `bool`");
                self.constant(false, span)
            }
        }
    }

    pub(super) fn connect(
        &mut self,
        connective: Connective,
        left: FormulaId,
        right: FormulaId,
        span: Span,
    ) -> FormulaId {
        match connective {
            Connective::Iff => self.formula(Formula::Iff(left, right), span),
            Connective::Xor => {
                let iff = self.formula(Formula::Iff(left, right), span);
                self.not(iff, span)
            }
            Connective::Implies => {
                let negated = self.not(left, span);
                self.or(vec![negated, right], span)
            }
            Connective::ImpliedBy => {
                let negated = self.not(right, span);
                self.or(vec![left, negated], span)
            }
        }
    }

    /// The first condition that holds decides; `formulas` are conditions and values in turn.
    fn case(&mut self, formulas: &[FormulaId], span: Span) -> FormulaId {
        let arms: Vec<(FormulaId, FormulaId)> =
            formulas.chunks_exact(2).map(|arm| (arm[0], arm[1])).collect();
        let negated: Vec<FormulaId> = arms.iter().map(|(condition, _)| self.not(*condition, span)).collect();
        let mut rest: Option<FormulaId> = None;
        let n_chunks = arms.len().div_ceil(CASE_CHUNK);
        for chunk in (0..n_chunks).rev() {
            let start = chunk * CASE_CHUNK;
            let end = arms.len().min(start + CASE_CHUNK);
            let mut clauses = Vec::new();
            for at in start..end {
                let (condition, value) = arms[at];
                let earlier = (start..at).filter(|&other| !self.excludes(arms[other].0, condition));
                let mut operands: Vec<FormulaId> = earlier.map(|other| negated[other]).collect();
                if *self.system.formula(condition) != Formula::Constant(true) {
                    operands.push(condition);
                }
                operands.push(value);
                let arm = self.system.span(condition).to(self.system.span(value));
                clauses.push(self.and(operands, arm));
            }
            if let Some(rest) = rest {
                let mut operands = negated[start..end].to_vec();
                operands.push(rest);
                clauses.push(self.and(operands, span));
            }
            rest = Some(self.or(clauses, span));
        }
        rest.expect("a `case` has at least one arm")
    }

    /// Whether two conditions obviously exclude each other: one variable, two values.
    fn excludes(&self, one: FormulaId, other: FormulaId) -> bool {
        let value = |id| match *self.system.formula(id) {
            Formula::Compare(Comparison::Equal, Term::Var(var), Term::Value(value)) => Some((var, value)),
            Formula::Compare(Comparison::Equal, Term::Value(value), Term::Var(var)) => Some((var, value)),
            _ => None,
        };
        match (value(one), value(other)) {
            (Some((x, a)), Some((y, b))) => x == y && a != b,
            _ => false,
        }
    }

    /// The body of a quantifier is lowered; its names go out of scope.
    fn quantify(&mut self, expr: ExprId, leaves: Box<[VarId]>, results: &mut Vec<FormulaId>) -> FormulaId {
        let Expr { kind: ExprKind::Quantified(quantifier, bounds, _), span } = self.file.expr(expr) else {
            unreachable!("only quantifiers bind")
        };
        self.scope.leave(self.file.bounds(bounds).len());
        let [body] = take(results);
        match quantifier {
            _ if leaves.is_empty() => body,
            Quantifier::Exists => self.formula(Formula::Exists(leaves, body), span),
            Quantifier::Forall => self.formula(Formula::Forall(leaves, body), span),
        }
    }

    /// One position of `exists i in 0..k`, or the disjunction of all when they are done.
    fn unroll(&mut self, mut unrolling: Box<Unrolling>, tasks: &mut Vec<Task>, results: &mut Vec<FormulaId>) {
        let Unrolling { expr, next, high, done } = *unrolling;
        let Expr { kind: ExprKind::Positions(quantifier, positions, body), span } = self.file.expr(expr)
        else {
            unreachable!("only position quantifiers are unrolled")
        };
        if done > 0 {
            self.scope.leave(1);
        }
        if next <= high && self.work(POSITION_WORK, span) {
            let name = self.file.positions(positions).name;
            self.scope.enter(name.symbol, Entry::Position(next));
            (unrolling.next, unrolling.done) = (next + 1, done + 1);
            tasks.extend([Task::Unroll(unrolling), Task::Visit(body)]);
            return;
        }
        let operands = results.split_off(results.len() - done);
        results.push(match quantifier {
            Quantifier::Exists => self.or(operands, span),
            Quantifier::Forall => self.and(operands, span),
        });
    }

    /// `R(!x, y)` is `exists b. (b <-> !x) & R(b, y)`.
    fn apply(&mut self, name: Name, arguments: &[ExprId], formulas: Vec<FormulaId>, span: Span) -> FormulaId {
        let Some((relation, expected)) = self.applied(name, arguments.len()) else {
            for argument in arguments {
                if self.is_term(*argument) {
                    self.term(*argument, &[]);
                }
            }
            return self.constant(false, span);
        };
        self.uses.push((relation, name.span));
        let mut formulas = formulas.into_iter();
        let mut given = Vec::new();
        let (mut leaves, mut operands) = (Vec::new(), Vec::new());
        for (&argument, &shape) in arguments.iter().zip(&*expected) {
            let formula = if self.is_term(argument) { None } else { formulas.next() };
            let Some(formula) = formula else {
                given.push(None);
                continue;
            };
            let at = self.file.expr(argument).span;
            given.push(Some(match *self.system.formula(formula) {
                Formula::Constant(value) => Term::Value(u32::from(value)),
                _ => {
                    let var = self.fresh(BOOL, at);
                    let variable = self.formula(Formula::Variable(var), at);
                    operands.push(self.formula(Formula::Iff(variable, formula), at));
                    leaves.push(var);
                    Term::Var(var)
                }
            }));
            self.expect_bool(shape, at);
        }
        operands.push(self.application(relation, &expected, arguments, &given, span));
        let body = self.and(operands, span);
        if leaves.is_empty() { body } else { self.formula(Formula::Exists(leaves.into(), body), span) }
    }

    fn expect_bool(&mut self, shape: Option<Shape>, span: Span) {
        let Some(shape) = shape else { return };
        if shape.scalar() != Some(BOOL) {
            let expected = self.shape_name(shape);
            self.error(span, format!("expected `{expected}`, found `bool`"));
        }
    }

    /// The relation an application names, and the types of its parameters.
    fn applied(&mut self, name: Name, n_arguments: usize) -> Option<(RelationId, Rc<[Option<Shape>]>)> {
        let relation = self.relation(name)?;
        let signature = &self.relations[&name.symbol];
        let expected = signature.shapes.clone();
        if expected.len() == n_arguments {
            return Some((relation, expected));
        }
        let declared = signature.span;
        let arguments = match expected.len() {
            1 => "1 argument".to_owned(),
            n => format!("{n} arguments"),
        };
        let text = self.text(name.symbol);
        let message = format!("`{text}` takes {arguments}, but this application passes {n_arguments}");
        self.sink.push(Diagnostic::error(name.span, message).note("it is declared here", Some(declared)));
        None
    }
}

/// The formulas of the last operands, in order.
fn take<const N: usize>(results: &mut Vec<FormulaId>) -> [FormulaId; N] {
    let operands = results.last_chunk().copied();
    results.truncate(results.len().saturating_sub(N));
    operands.expect("every operand is lowered before its expression is built")
}

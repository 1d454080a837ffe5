//! What expressions use and change, and a message where C leaves open in which order it happens.

use super::Lowering;
use crate::syntax::{Binary, ExprId, ExprKind, FnId, Stmt, StmtKind, Unit, VarId};
use base::{Diagnostic, Span};
use integers::Effects;

/// What an expression uses and changes.
#[derive(Clone, Default, Debug)]
pub(crate) struct Usage {
    pub(crate) reads: Vec<VarId>,
    pub(crate) writes: Vec<VarId>,
    pub(crate) calls: Vec<FnId>,
    /// It contains statements.
    pub(crate) has_statements: bool,
}

/// Two operands that C evaluates in any order.
pub(crate) struct Conflict {
    left: Usage,
    right: Usage,
    span: Span,
}

impl Usage {
    /// Goes through an expression.
    pub(crate) fn of(unit: &Unit, expr: ExprId) -> Self {
        let mut usage = Self::default();
        let mut pending = vec![expr];
        while let Some(id) = pending.pop() {
            usage.add(unit, &unit.expr(id).kind, &mut pending);
        }
        usage
    }

    fn add(&mut self, unit: &Unit, kind: &ExprKind, pending: &mut Vec<ExprId>) {
        let var = |id: &ExprId| match unit.expr(*id).kind {
            ExprKind::Var(var) => Some(var),
            _ => None,
        };
        match kind {
            ExprKind::Var(var) => self.reads.push(*var),
            ExprKind::Unary(_, operand) | ExprKind::Cast(_, operand) | ExprKind::Member(operand, ..) => {
                pending.push(*operand);
            }
            ExprKind::Binary(_, left, right) | ExprKind::Index(left, right) => {
                pending.extend([*left, *right])
            }
            ExprKind::Assign(operator, left, right) => {
                pending.push(*right);
                self.writes.extend(var(left));
                if operator.is_some() || var(left).is_none() {
                    pending.push(*left);
                }
            }
            ExprKind::Step { operand, .. } => {
                self.writes.extend(var(operand));
                pending.push(*operand);
            }
            ExprKind::Conditional(condition, yes, no) => {
                pending.extend([*condition, *no]);
                pending.extend(yes);
            }
            ExprKind::Call(function, args) => {
                match unit.expr(*function).kind {
                    ExprKind::Function(function) => self.calls.push(function),
                    _ => pending.push(*function),
                }
                pending.extend(args);
            }
            ExprKind::Compound(_, parts) => pending.extend(parts.iter().flat_map(|part| part.init.values())),
            ExprKind::Block(statements) => {
                self.has_statements = true;
                statements.iter().for_each(|statement| self.statement(statement, pending));
            }
            ExprKind::Integer(..)
            | ExprKind::Float
            | ExprKind::Text(_)
            | ExprKind::Function(_)
            | ExprKind::SizeOf(_)
            | ExprKind::SizeOfUnknown
            | ExprKind::Other(..) => {}
        }
    }

    /// Of the statements in an expression, only simple ones are looked into; the others count as changing everything.
    fn statement(&mut self, statement: &Stmt, pending: &mut Vec<ExprId>) {
        if let StmtKind::Expr(expr) = &statement.kind {
            pending.push(*expr);
        }
    }

    fn merge(&mut self, other: &Usage) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.calls.extend(&other.calls);
        self.has_statements |= other.has_statements;
    }
}

/// So much is compared of a long chain of operands.
const MOST: usize = 200;

impl Lowering<'_> {
    /// Notes operands whose order C leaves open, if one of them has effects.
    pub(crate) fn unordered(&mut self, operands: &[ExprId], span: Span) {
        if !operands.iter().any(|operand| self.unit.expr(*operand).has_effects) {
            return;
        }
        let mut left = Usage::default();
        for (n, &operand) in operands.iter().enumerate() {
            let right = Usage::of(self.unit, operand);
            if n > 0 && left.reads.len() + left.calls.len() < MOST {
                self.conflicts.push(Conflict { left: left.clone(), right: right.clone(), span });
            }
            left.merge(&right);
        }
    }

    /// Notes an assignment whose right side changes the same variable.
    pub(crate) fn unordered_assignment(&mut self, var: VarId, is_read: bool, value: ExprId, span: Span) {
        if !self.unit.expr(value).has_effects {
            return;
        }
        let mut right = Usage::of(self.unit, value);
        let mut left = Usage::default();
        if is_read {
            left.reads.push(var);
        } else {
            // A function that is called has returned before its result is stored.
            right.reads.clear();
            right.calls.clear();
            left.writes.push(var);
        }
        // The value of an assignment or a step is the last thing that it makes.
        if !is_read && matches!(self.unit.expr(value).kind, ExprKind::Binary(Binary::Comma, ..)) {
            return;
        }
        self.conflicts.push(Conflict { left, right, span });
    }

    /// Says where the order matters.
    pub(crate) fn report_conflicts(&mut self) {
        if self.conflicts.is_empty() {
            return;
        }
        let effects = Effects::new(&self.program);
        let mut said: Vec<Span> = Vec::new();
        for conflict in std::mem::take(&mut self.conflicts) {
            let changed = self.changed(&effects, &conflict.left, &conflict.right);
            let changed = changed.or_else(|| self.changed(&effects, &conflict.right, &conflict.left));
            if let Some(var) = changed
                && !said.contains(&conflict.span)
            {
                said.push(conflict.span);
                let name = self.names.text(self.unit.var(var).name);
                let message = format!(
                    "C leaves open in which order the operands are evaluated, and `{name}` is changed by one and used by another"
                );
                let warning = Diagnostic::warning(conflict.span, message);
                self.diagnostics.push(warning.note("they are evaluated from left to right here", None));
            }
        }
    }

    /// A variable that one side changes and the other uses.
    fn changed(&self, effects: &Effects, one: &Usage, other: &Usage) -> Option<VarId> {
        let uses = |var: VarId| other.reads.contains(&var) || other.writes.contains(&var);
        if let Some(var) = one.writes.iter().copied().find(|var| uses(*var)) {
            return Some(var);
        }
        let functions = |usage: &Usage| -> Vec<integers::FunctionId> {
            usage.calls.iter().filter_map(|function| self.functions.get(function)).copied().collect()
        };
        let (callees, others) = (functions(one), functions(other));
        let mut globals: Vec<(VarId, u32)> = self.globals.iter().map(|(var, n)| (*var, *n)).collect();
        globals.sort_unstable();
        globals.into_iter().find_map(|(var, n)| {
            let writes = callees.iter().any(|callee| effects.may_write(*callee, n));
            let reached =
                |callee: &integers::FunctionId| effects.may_read(*callee, n) || effects.may_write(*callee, n);
            (writes && (uses(var) || others.iter().any(reached))).then_some(var)
        })
    }
}

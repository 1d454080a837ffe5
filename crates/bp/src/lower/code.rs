//! Expressions as postfix code of the machine.

use crate::ast::{Binary, ExprId, ExprKind, Program};
use crate::check::{Checked, Types};
use rsm::{Expr, Term};

/// The code of an expression of a tree whose parts have these meanings.
pub(crate) fn code(tree: &Program, terms: &[crate::check::Term], types: &Types, root: ExprId) -> Expr {
    let term = |id: ExprId| {
        let term = terms[id.index()];
        Term { operation: term.operation, ty: types.lower(term.ty) }
    };
    let first = tree.expression(root).first;
    let mut parts = tree.expressions[first.index()..=root.index()].iter();
    if !parts.any(|part| matches!(part.kind, ExprKind::Binary(Binary::Greater | Binary::GreaterEqual, ..))) {
        // Operands stand before operators already.
        return Expr { code: (first.index()..=root.index()).map(|part| term(ExprId::new(part))).collect() };
    }
    // The machine has no `>`: it is `<` with its operands in the other order. The code is written from its end to its
    // beginning: the operator, then its last operand, and so on.
    let mut code = Vec::new();
    let mut rest = vec![root];
    while let Some(id) = rest.pop() {
        code.push(term(id));
        match tree.expression(id).kind {
            ExprKind::Not(operand) | ExprKind::Negate(operand) => rest.push(operand),
            ExprKind::Binary(Binary::Greater | Binary::GreaterEqual, left, right) => {
                rest.extend([right, left])
            }
            ExprKind::Binary(_, left, right) | ExprKind::Schoose(left, right) => rest.extend([left, right]),
            ExprKind::Conditional(condition, then, otherwise) => rest.extend([condition, then, otherwise]),
            ExprKind::Choice
            | ExprKind::Truth(_)
            | ExprKind::Number(_)
            | ExprKind::Name(_)
            | ExprKind::Next(_)
            | ExprKind::Atom(_) => {}
        }
    }
    code.reverse();
    Expr { code: code.into() }
}

impl Checked {
    /// The code of an expression.
    pub(crate) fn code(&self, root: ExprId) -> Expr {
        code(self.program(), &self.terms, &self.types, root)
    }
}

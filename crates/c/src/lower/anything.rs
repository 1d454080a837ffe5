//! What may do anything: assembly, and calls of which nobody knows what is called.
//!
//! A run that comes there depends on something unknown, with its construct and its place. For proofs every target may be reached from there, and
//! the run need not end, so that nothing is proved which is not so.

use super::body::Builder;
use crate::syntax::{ExprKind, Label, Stmt, StmtKind};
use base::Span;
use integers::{Action, Expr, Relation, Role, Step, TargetKind, Type};

impl Builder<'_, '_> {
    /// From here on anything may happen, or the run goes on as if nothing had.
    pub(crate) fn anything(&mut self, construct: &str, span: Span) {
        if !self.is_reachable() {
            return;
        }
        self.unchecked(construct, span);
        let place = self.temporary(Type::signed(32), span);
        self.forget(&[place], construct.to_owned(), span);
        let is = |number: i128| Expr::read(place).compare(Relation::Equal, Expr::constant(number));
        let node = self.here(span).expect("it can be reached");
        for (n, (kind, name)) in (1..).zip(self.asked()) {
            let target = self.low.target(kind, name, self.name, span);
            let end = self.node_at(span);
            self.nodes[end.index()].role = Role::Target(target);
            let edge = self.edge(node, Action::Step(Step::new(is(n), Vec::new())), span);
            self.lead(vec![edge], end);
        }
        let round = self.node_at(span);
        for from in [node, round] {
            let edge = self.edge(from, Action::Step(Step::new(is(-1), Vec::new())), span);
            self.lead(vec![edge], round);
        }
        let edge = self.edge(node, Action::Step(Step::new(is(0), Vec::new())), span);
        self.go_on(vec![edge]);
    }

    /// The kinds and names of all targets of the text.
    fn asked(&self) -> Vec<(TargetKind, String)> {
        let (unit, names, targets) = (self.low.unit, self.low.names, &self.low.options.targets);
        let mut asked: Vec<(TargetKind, String)> = Vec::new();
        let mut add = |kind, name: &str| {
            if !asked.iter().any(|(other, known)| *other == kind && known == name) {
                asked.push((kind, name.to_owned()));
            }
        };
        for expr in &unit.exprs {
            let ExprKind::Function(function) = expr.kind else { continue };
            let name = names.text(unit.function(function).name);
            if targets.has_call(name) {
                add(TargetKind::Call, name);
            } else if targets.has_assertions() && super::call::is_assertion(name) {
                add(TargetKind::Assertion, name);
            }
        }
        for function in &unit.functions {
            let Some(body) = &function.body else { continue };
            let own = names.text(function.name);
            labels(&body.block, &mut |label| {
                let label = names.text(label);
                if targets.has_label(own, label) {
                    add(TargetKind::Label, label);
                }
            });
        }
        asked
    }
}

/// Visits all labels of statements.
fn labels(statements: &[Stmt], visit: &mut dyn FnMut(crate::token::Name)) {
    for statement in statements {
        match &statement.kind {
            StmtKind::Block(block) => labels(block, visit),
            StmtKind::If(arms, otherwise) => {
                arms.iter().for_each(|arm| labels(std::slice::from_ref(&arm.body), visit));
                otherwise.iter().for_each(|otherwise| labels(std::slice::from_ref(otherwise), visit));
            }
            StmtKind::While(_, body)
            | StmtKind::Do(body, _)
            | StmtKind::For(.., body)
            | StmtKind::Switch(_, body) => labels(std::slice::from_ref(body), visit),
            StmtKind::Labelled(all, body) => {
                for label in all {
                    if let Label::Name(name, _) = label {
                        visit(*name);
                    }
                }
                labels(std::slice::from_ref(body), visit);
            }
            _ => {}
        }
    }
}

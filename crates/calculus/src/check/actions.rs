//! Queries and directives.

use super::Checker;
use crate::printer::{print_declaration, print_expr};
use crate::syntax::{
    Directive, ExprId, ExprKind, Item, ItemKind, Name, OnExpr, OnRelation, Printed, Quantifier, Segment,
};
use crate::system::{Action, BinderId, FormulaId, Item as Done, LISTED};
use base::Span;

impl Checker<'_> {
    /// Lowers all items that act.
    pub(super) fn actions(&mut self) {
        let file = self.file;
        for item in &file.items {
            if let Some(action) = self.action(item) {
                self.system.items.push(Done { action, span: item.span });
            }
        }
        self.uses.clear();
    }

    fn action(&mut self, item: &Item) -> Option<Action> {
        let directive = match &item.kind {
            ItemKind::Query(expr) => return Some(Action::Query(self.lower(*expr))),
            ItemKind::Directive(directive) => directive,
            ItemKind::Enum(..) | ItemKind::Class { .. } | ItemKind::Function { .. } => return None,
        };
        match directive {
            Directive::Print(printed) => Some(self.printed(printed)),
            Directive::Relation(what, name) => self.on_relation(*what, *name),
            Directive::List(name, most) => Some(Action::List(self.relation(*name)?, most.unwrap_or(LISTED))),
            Directive::Expr(what, expr) => Some(self.on_expr(*what, *expr)),
            Directive::ResetAll => Some(Action::ResetAll),
            Directive::Timer(timer) => Some(Action::Timer(*timer)),
            Directive::Frontier(_) => Some(Action::Frontier),
            Directive::Verbose(on) => Some(Action::Verbose(on.unwrap_or(true))),
            Directive::Load(_, span) => {
                self.error(*span, "this file is not loaded: `#load` needs the files around it");
                None
            }
            // The parser ends a file here, and a file merged from several ends here too.
            Directive::Quit => None,
            Directive::Note(note) => {
                self.system.notes.push(note.clone());
                None
            }
            Directive::Depth(number, span) => {
                self.depth(*number, *span);
                None
            }
            Directive::Storage(..) | Directive::Strata(_) | Directive::Param(..) => None,
        }
    }

    /// How many choices derivations follow; there is one such number for the whole file.
    fn depth(&mut self, number: u64, span: Span) {
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        match self.system.depth {
            Some(known) if known != number => self.error(span, "the depth is chosen twice, and differently"),
            _ => self.system.depth = Some(number),
        }
    }

    fn printed(&mut self, printed: &Printed) -> Action {
        match printed {
            Printed::Nothing => Action::Print(String::new()),
            Printed::Text(text) => Action::Print(text.clone()),
            Printed::Statistics => Action::Statistics,
            Printed::Expr(expr) => {
                if let Some(declared) = self.declared(*expr) {
                    return Action::Print(declared);
                }
                self.open = Some(false);
                let formula = self.lower(*expr);
                if self.open.take() == Some(true) {
                    return Action::Print(print_expr(self.file, *expr));
                }
                Action::PrintFormula(formula)
            }
        }
    }

    /// The declarations that a name stands for in `#print`: that of a type or a relation, or all of them.
    fn declared(&self, expr: ExprId) -> Option<String> {
        let ExprKind::Path(path) = self.file.expr(expr).kind else { return None };
        let [Segment { symbol, index: None, .. }] = *self.file.paths.segments(path) else { return None };
        let of = |symbol| {
            self.file.items.iter().filter_map(move |item| print_declaration(self.file, item, symbol))
        };
        let mut found: Vec<String> = of(Some(symbol)).collect();
        if found.is_empty() && self.text(symbol) == "symbols" {
            found = of(None).collect();
        }
        found.dedup();
        (!found.is_empty()).then(|| found.join("\n"))
    }

    fn on_relation(&mut self, what: OnRelation, name: Name) -> Option<Action> {
        let relation = self.relation(name)?;
        Some(match what {
            OnRelation::Size => Action::Size(relation),
            OnRelation::Count => Action::Count(relation),
            OnRelation::Visualise => Action::Visualise(relation),
            OnRelation::Dump => Action::Dump(relation),
            OnRelation::Undump => Action::Undump(relation),
            OnRelation::Reset => Action::Reset(relation),
            OnRelation::Certify => Action::Certify(relation),
            OnRelation::Plan => Action::Plan(relation),
        })
    }

    fn on_expr(&mut self, what: OnExpr, expr: ExprId) -> Action {
        match what {
            OnExpr::Witness => {
                let (binders, matrix) = self.peel(Quantifier::Exists, expr);
                Action::Witness(binders, matrix)
            }
            OnExpr::Counterexample => {
                let (binders, matrix) = self.peel(Quantifier::Forall, expr);
                Action::Counterexample(binders, matrix)
            }
            OnExpr::Explain => {
                let (binders, matrix) = self.peel(Quantifier::Exists, expr);
                Action::Explain(binders, matrix)
            }
        }
    }

    /// The outermost variables of a quantifier, and the formula behind them.
    fn peel(&mut self, quantifier: Quantifier, mut expr: ExprId) -> (Vec<BinderId>, FormulaId) {
        let file = self.file;
        let mut binders = Vec::new();
        let mut n_names = 0;
        while let ExprKind::Quantified(found, bounds, body) = file.expr(expr).kind {
            if found != quantifier {
                break;
            }
            let bounds = file.bounds(bounds);
            binders.extend(self.bind(bounds));
            n_names += bounds.len();
            expr = body;
        }
        let matrix = self.lower(expr);
        self.scope.leave(n_names);
        (binders, matrix)
    }
}

//! The rules for statements: arities, types of what is stored and passed, labels, and what may be called.

use super::expression::{Expressions, Primes, Wanted};
use super::scope::View;
use super::types::{Owner, Ty};
use super::{CheckedFunction, CheckedUnit, Globals};
use crate::ast::{Call, ExprId, Function, Name, StatementKind, Symbol, Target};
use crate::parser::SYNC;
use base::{Diagnostic, Span};
use rustc_hash::FxHashMap;

/// Checks the initial conditions and the bodies of all functions.
pub(super) fn check(expressions: &mut Expressions, shared: &Globals, units: &mut [CheckedUnit]) {
    let program = expressions.tree;
    conditions(
        expressions,
        &shared.init,
        View { scopes: &[&shared.scope], owner: Owner { unit: None, function: None } },
    );
    for (number, unit) in units.iter().enumerate() {
        let (owner, functions) = match program.threads.get(number) {
            Some(thread) => (Owner { unit: Some(number as u32), function: None }, &thread.unit.functions),
            None => (Owner { unit: None, function: None }, &program.unit.functions),
        };
        let scopes = [&unit.private.scope, &shared.scope];
        conditions(expressions, &unit.private.init, View { scopes: &scopes, owner });
        for (number, (function, checked)) in functions.iter().zip(&unit.functions).enumerate() {
            expressions.reported.clear();
            let scopes = [&checked.scope, &unit.private.scope, &shared.scope];
            let owner = Owner { function: Some(number as u32), ..owner };
            let view = View { scopes: &scopes, owner };
            Statements {
                expressions,
                view,
                unit,
                functions,
                function: checked,
                assigned: FxHashMap::default(),
            }
            .check(function);
        }
    }
}

fn conditions(expressions: &mut Expressions, conditions: &[ExprId], view: View) {
    expressions.reported.clear();
    for condition in conditions {
        expressions.check(*condition, Wanted::Type(Ty::Bool), Primes::Refused, view);
    }
}

/// One function.
struct Statements<'c, 'p> {
    expressions: &'c mut Expressions<'p>,
    view: View<'c>,
    unit: &'c CheckedUnit,
    functions: &'c [Function],
    function: &'c CheckedFunction,
    /// The variables on the present left side.
    assigned: FxHashMap<Symbol, Span>,
}

impl Statements<'_, '_> {
    fn check(mut self, function: &Function) {
        if let Some((condition, _)) = function.enforce {
            self.condition(condition);
        }
        for statement in &function.body {
            self.statement(&statement.kind, statement.span);
        }
    }

    fn statement(&mut self, kind: &StatementKind, span: Span) {
        match kind {
            StatementKind::Assign { targets, values, constrain } => {
                self.assign(targets, values, span);
                if let Some(constrain) = constrain {
                    self.expressions.check(*constrain, Wanted::Type(Ty::Bool), Primes::Allowed, self.view);
                }
            }
            StatementKind::Call { targets, call } => self.call(targets, call, span),
            StatementKind::StartThread(call) => {
                self.callee(call);
            }
            StatementKind::Return(values) => self.results(values, span),
            StatementKind::Goto(labels) => labels.iter().for_each(|label| self.label(*label)),
            StatementKind::StartThreadGoto(label) => self.label(*label),
            StatementKind::Dead(names) => {
                self.assigned.clear();
                names.iter().for_each(|name| {
                    self.target(name.symbol, name.span);
                });
            }
            StatementKind::Print(values) => {
                for value in values {
                    self.expressions.check(*value, Wanted::Any, Primes::Refused, self.view);
                }
            }
            StatementKind::Assert(condition)
            | StatementKind::Assume(condition)
            | StatementKind::Constrain(condition)
            | StatementKind::If(condition)
            | StatementKind::Elsif(condition)
            | StatementKind::While(condition) => self.condition(*condition),
            StatementKind::Skip
            | StatementKind::EndThread
            | StatementKind::AtomicBegin
            | StatementKind::AtomicEnd
            | StatementKind::Else
            | StatementKind::Fi
            | StatementKind::Od
            | StatementKind::Atomic
            | StatementKind::EndAtomic => {}
        }
    }

    fn condition(&mut self, condition: ExprId) {
        self.value(condition, Ty::Bool);
    }

    fn value(&mut self, value: ExprId, ty: Ty) {
        self.expressions.check(value, Wanted::Type(ty), Primes::Refused, self.view);
    }

    fn assign(&mut self, targets: &[Target], values: &[ExprId], span: Span) {
        let types = self.targets(targets);
        if targets.len() != values.len() {
            let message = format!(
                "{} on the left of `:=`, but {} on the right",
                count(targets.len(), "variable"),
                count(values.len(), "value")
            );
            self.expressions.error(span, message);
        }
        for (n, value) in values.iter().enumerate() {
            // A value too many is looked at for unknown names only.
            let wanted =
                types.get(n).map_or(Wanted::Type(Ty::Unknown), |ty| ty.map_or(Wanted::Any, Wanted::Type));
            self.expressions.check(*value, wanted, Primes::Refused, self.view);
        }
    }

    /// The types of a left side; nothing for `_`.
    fn targets(&mut self, targets: &[Target]) -> Vec<Option<Ty>> {
        self.assigned.clear();
        targets.iter().map(|target| target.symbol.map(|symbol| self.target(symbol, target.span))).collect()
    }

    /// A variable that is assigned.
    fn target(&mut self, symbol: Symbol, span: Span) -> Ty {
        let names = &self.expressions.tree.names;
        let original = names.text(symbol).strip_suffix('$').and_then(|text| names.find(text));
        if original.is_some_and(|original| self.view.variable(original).is_some()) {
            let name = names.shown(symbol);
            let message =
                format!("`{name}` is another thread's copy of a variable, which cannot be assigned");
            self.expressions.error(span, message);
            return Ty::Unknown;
        }
        if let Some(first) = self.assigned.insert(symbol, span) {
            let message = format!("`{}` is assigned twice", names.shown(symbol));
            let diagnostic = Diagnostic::error(span, message).note("the first time is here", Some(first));
            self.expressions.diagnostics.push(diagnostic);
        }
        if let Some((_, ty)) = self.view.variable(symbol) {
            return ty;
        }
        if !self.expressions.types.enums_with(symbol, self.view.owner).is_empty() {
            let message =
                format!("`{}` is a value of an enum, which cannot be assigned", names.shown(symbol));
            self.expressions.error(span, message);
        } else {
            self.expressions.unknown_variable(symbol, span, self.view);
        }
        Ty::Unknown
    }

    fn call(&mut self, targets: &[Target], call: &Call, span: Span) {
        let types = self.targets(targets);
        let Some(callee) = self.callee(call) else { return };
        let results = &self.unit.functions[callee as usize].results;
        if targets.is_empty() {
            return;
        }
        if targets.len() != results.len() {
            let message = format!(
                "`{}` has {}, but {} to the left of `:=`",
                self.expressions.tree.names.shown(call.callee.symbol),
                count(results.len(), "result"),
                stand(targets.len())
            );
            self.expressions.error(span, message);
            return;
        }
        for ((target, ty), result) in targets.iter().zip(&types).zip(results) {
            if let Some(ty) = ty
                && ty != result
                && *ty != Ty::Unknown
                && *result != Ty::Unknown
            {
                let (ty, result) = (self.expressions.types.show(*ty), self.expressions.types.show(*result));
                let message = format!("the result has type `{result}`, but the variable has type `{ty}`");
                self.expressions.error(target.span, message);
            }
        }
    }

    /// Checks the arguments of a call; the position of the function.
    fn callee(&mut self, call: &Call) -> Option<u32> {
        let names = &self.expressions.tree.names;
        let name = names.shown(call.callee.symbol);
        let Some(&callee) = self.unit.by_name.get(&call.callee.symbol) else {
            if name == "sync" {
                self.expressions.error(call.callee.span, SYNC);
            } else {
                let known: Vec<Symbol> = self.functions.iter().map(|function| function.name.symbol).collect();
                let message = format!("there is no function `{name}`");
                self.expressions.unknown(call.callee.span, message, call.callee.symbol, known.into_iter());
            }
            self.arguments(&call.args, &[]);
            return None;
        };
        if name == "main" {
            let message = "`main` cannot be called: execution starts there, once";
            self.expressions.error(call.callee.span, message);
        }
        let params = &self.unit.functions[callee as usize];
        let params: Vec<Ty> = params.locals[..params.n_params].iter().map(|param| param.ty).collect();
        let n_params = self.functions[callee as usize].params.len();
        if n_params != call.args.len() {
            let message = format!(
                "`{name}` takes {}, but this call passes {}",
                count(n_params, "argument"),
                call.args.len()
            );
            self.expressions.error(call.callee.span, message);
        }
        self.arguments(&call.args, &params);
        Some(callee)
    }

    fn arguments(&mut self, args: &[ExprId], params: &[Ty]) {
        for (n, arg) in args.iter().enumerate() {
            self.value(*arg, params.get(n).copied().unwrap_or(Ty::Unknown));
        }
    }

    /// `return` with values returns one for each result; without, any.
    fn results(&mut self, values: &[ExprId], span: Span) {
        let results = &self.function.results;
        if !values.is_empty() && values.len() != results.len() {
            let message = format!(
                "the function has {}, but this statement returns {}",
                count(results.len(), "result"),
                values.len()
            );
            self.expressions.error(span, message);
        }
        for (n, value) in values.iter().enumerate() {
            self.value(*value, results.get(n).copied().unwrap_or(Ty::Unknown));
        }
    }

    fn label(&mut self, label: Name) {
        if !self.function.labels.contains_key(&label.symbol) {
            let shown = self.expressions.tree.names.shown(label.symbol);
            let message = format!("there is no label `{shown}` in this function");
            let known = self.function.labels.keys().copied();
            self.expressions.unknown(label.span, message, label.symbol, known);
        }
    }
}

/// `1 variable`, `2 variables`
fn count(n: usize, what: &str) -> String {
    match n {
        0 => format!("no {what}s"),
        1 => format!("1 {what}"),
        _ => format!("{n} {what}s"),
    }
}

fn stand(n: usize) -> String {
    if n == 1 { "1 variable stands".to_owned() } else { format!("{n} variables stand") }
}

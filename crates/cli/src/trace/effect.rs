//! What a step does to the values, in words.

use super::statement::{Statement, is_test};
use base::Sources;
use rsm::values::{View, choices};
use rsm::{Action, EdgeId, Expr, ModuleId, Place, Rsm};

/// Knows the program and its text.
#[derive(Clone, Copy)]
pub struct Narrator<'a> {
    /// The program.
    pub rsm: &'a Rsm,
    /// Its text.
    pub sources: &'a Sources,
}

/// The values of the globals and of a function's locals.
#[derive(Clone, Copy)]
pub struct Moment<'a> {
    /// Of the globals.
    pub globals: &'a [u64],
    /// Of the locals.
    pub locals: &'a [u64],
}

impl Moment<'_> {
    fn value(&self, place: Place) -> u64 {
        match place {
            Place::Global(n) => self.globals[n as usize],
            Place::Local(n) => self.locals[n as usize],
        }
    }
}

/// Names and values: `x = T, y = 3`.
pub fn list(valuation: &[(String, String)]) -> String {
    let parts: Vec<String> = valuation.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    parts.join(", ")
}

impl Narrator<'_> {
    /// The statement of an edge.
    pub fn statement(&self, module: ModuleId, edge: EdgeId) -> Statement {
        Statement::of_edge(self.sources, self.rsm.module(module), edge)
    }

    /// Some variables with their values. Those that are not in the text, whose names begin with `$`, are left out.
    pub fn valuation(
        &self,
        module: ModuleId,
        places: impl Iterator<Item = Place>,
        moment: Moment,
    ) -> Vec<(String, String)> {
        let named = |place: Place| {
            let variable = self.rsm.variable(module, place);
            let is_in_text = !variable.name.starts_with('$');
            is_in_text.then(|| (variable.name.clone(), variable.ty.value_name(moment.value(place))))
        };
        places.filter_map(named).collect()
    }

    /// What a step within a function assigns.
    pub fn assigned(&self, module: ModuleId, edge: EdgeId, after: Moment) -> Vec<(String, String)> {
        match &self.rsm.module(module).edge(edge).action {
            Action::Assign { targets, .. } => self.valuation(module, targets.iter().copied(), after),
            _ => Vec::new(),
        }
    }

    /// What a call's return stores.
    pub fn stored(&self, module: ModuleId, call: EdgeId, after: Moment) -> Vec<(String, String)> {
        match &self.rsm.module(module).edge(call).action {
            Action::Call { results, .. } => self.valuation(module, results.iter().flatten().copied(), after),
            _ => Vec::new(),
        }
    }

    /// The effect of a step that neither calls nor returns.
    pub fn within(&self, module: ModuleId, edge: EdgeId, before: Moment, after: Moment) -> String {
        let body = self.rsm.module(module);
        let step = body.edge(edge);
        match &step.action {
            Action::Assume(condition) if is_test(body, step) => {
                let is_first = body.edges_from(step.from).next().is_some_and(|first| first.0 == edge);
                let outcome = if is_first { "T" } else { "F" };
                if condition.has_choice() { format!("{outcome}, chosen") } else { outcome.to_owned() }
            }
            Action::Skip if body.edges_from(step.from).nth(1).is_some() => {
                let target = body.node(step.to);
                let text = self.sources.text(step.span);
                let named = target.labels.iter().find(|label| text.contains(label.as_str()));
                named.map_or_else(String::new, |label| format!("to {label}"))
            }
            Action::Assign { targets, values, .. } => {
                let wanted = targets.iter().map(|target| after.value(*target));
                let chosen = self.chosen(values.iter().zip(wanted), before);
                list(&self.assigned(module, edge, after)) + &chosen
            }
            _ => String::new(),
        }
    }

    /// The effect of a call: the arguments, and the locals of the callee that are worth telling.
    pub fn call(
        &self,
        (module, edge): (ModuleId, EdgeId),
        before: Moment,
        start: Moment,
        told: &[u32],
    ) -> String {
        let Action::Call { callee, args, .. } = &self.rsm.module(module).edge(edge).action else {
            return String::new();
        };
        let function = self.rsm.module(*callee);
        let params = (0..function.n_params as u32).map(Place::Local);
        let arguments = list(&self.valuation(*callee, params, start));
        let locals = list(&self.valuation(*callee, told.iter().map(|&n| Place::Local(n)), start));
        let comma = if locals.is_empty() { "" } else { ", " };
        let chosen = self.chosen(args.iter().zip(start.locals.iter().copied()), before);
        format!("{}({arguments}){comma}{locals}{chosen}", function.name)
    }

    /// The effect of a return: what the caller stores.
    pub fn back(
        &self,
        (callee, edge): (ModuleId, EdgeId),
        before: Moment,
        (module, call): (ModuleId, EdgeId),
        after: Moment,
    ) -> String {
        let actions =
            (&self.rsm.module(callee).edge(edge).action, &self.rsm.module(module).edge(call).action);
        let (Action::Return { values }, Action::Call { results, .. }) = actions else {
            return String::new();
        };
        let kept = values.iter().zip(results).filter_map(|(value, place)| Some((value, (*place)?)));
        let chosen = self.chosen(kept.map(|(value, place)| (value, after.value(place))), before);
        let stored = list(&self.stored(module, call, after));
        let colon = if stored.is_empty() { "" } else { ": " };
        format!("back in {}{colon}{stored}{chosen}", self.rsm.module(module).name)
    }

    /// What the `*` of values chose, where the value alone does not tell: ` [* = T]`.
    fn chosen<'e>(&self, values: impl Iterator<Item = (&'e Expr, u64)>, before: Moment) -> String {
        let view = View::new(before.globals, before.locals);
        let mut parts = Vec::new();
        for (value, wanted) in values.filter(|(value, _)| value.has_choice() && !value.is_choice()) {
            // Where there are too many possibilities to find out, the value itself has to do.
            let found = choices(value, &view, wanted).ok().flatten().unwrap_or_default();
            parts.extend(found.iter().map(|star| format!("* = {}", star.ty.value_name(star.value))));
        }
        if parts.is_empty() { String::new() } else { format!(" [{}]", parts.join(", ")) }
    }
}

//! What a step does, from the values before it and after it.

use super::effect::Effect;
use super::statement::{Statement, is_test};
use base::Sources;
use rsm::step::State;
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

/// A variable of the text and its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assignment {
    /// The name of the variable.
    pub name: String,
    /// Its value, as the text writes it.
    pub value: String,
    /// The function whose local it is; none for a global.
    pub function: Option<String>,
    /// What has the value.
    pub of: Holder,
    /// The number of the object that it points to.
    pub to: Option<i64>,
}

/// What has a value that is told.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Holder {
    /// The variable of this name.
    #[default]
    Variable,
    /// The one that is declared there, at a line and perhaps a column: its function has several of this name.
    Declared(String),
    /// A part of memory.
    Memory,
    /// Nothing: it is an input, or the result of a call.
    Nothing,
}

impl<'a> From<&'a State> for Moment<'a> {
    fn from(state: &'a State) -> Self {
        Self { globals: &state.globals, locals: &state.locals }
    }
}

impl Moment<'_> {
    fn value(&self, place: Place) -> u64 {
        match place {
            Place::Global(n) => self.globals[n as usize],
            Place::Local(n) => self.locals[n as usize],
        }
    }
}

impl<'a> Narrator<'a> {
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
    ) -> Vec<Assignment> {
        let assignment = |place: Place| {
            let variable = self.rsm.variable(module, place);
            let function = matches!(place, Place::Local(_)).then(|| self.rsm.module(module).name.clone());
            let value = variable.ty.value_name(moment.value(place));
            let is_in_text = !variable.name.starts_with('$');
            is_in_text.then(|| Assignment {
                name: variable.name.clone(),
                value,
                function,
                of: Holder::Variable,
                to: None,
            })
        };
        places.filter_map(assignment).collect()
    }

    /// The effect of a step that neither calls nor returns.
    pub fn within(&self, module: ModuleId, edge: EdgeId, before: Moment, after: Moment) -> Effect {
        let body = self.rsm.module(module);
        let step = body.edge(edge);
        match &step.action {
            Action::Assume(condition) if is_test(body, step) => {
                let is_first = body.edges_from(step.from).next().is_some_and(|first| first.0 == edge);
                Effect::Test { value: is_first, is_chosen: condition.has_choice() }
            }
            Action::Skip if body.edges_from(step.from).nth(1).is_some() => {
                let text = self.sources.text(step.span);
                let labels = &body.node(step.to).labels;
                let named = labels.iter().find(|label| text.contains(label.as_str()));
                named.map_or(Effect::None, |label| Effect::Jump { label: label.clone() })
            }
            Action::Assign { targets, values, .. } => {
                let wanted = targets.iter().map(|target| after.value(*target));
                let chosen = self.chosen(values.iter().zip(wanted), before);
                Effect::Assign { changes: self.valuation(module, targets.iter().copied(), after), chosen }
            }
            _ => Effect::None,
        }
    }

    /// The effect of a call: the arguments, and the locals of the callee that are worth telling.
    pub fn call(
        &self,
        (module, edge): (ModuleId, EdgeId),
        before: Moment,
        start: Moment,
        told: &[u32],
    ) -> Effect {
        let Action::Call { callee, args, .. } = &self.rsm.module(module).edge(edge).action else {
            return Effect::None;
        };
        let params = (0..self.rsm.module(*callee).n_params as u32).map(Place::Local);
        Effect::Call {
            function: self.rsm.module(*callee).name.clone(),
            arguments: self.valuation(*callee, params, start),
            locals: self.valuation(*callee, told.iter().map(|&n| Place::Local(n)), start),
            chosen: self.chosen(args.iter().zip(start.locals.iter().copied()), before),
        }
    }

    /// The effect of a return: what the caller stores.
    pub fn back(
        &self,
        (callee, edge): (ModuleId, EdgeId),
        before: Moment,
        (module, call): (ModuleId, EdgeId),
        after: Moment,
    ) -> Effect {
        let actions =
            (&self.rsm.module(callee).edge(edge).action, &self.rsm.module(module).edge(call).action);
        let (Action::Return { values }, Action::Call { results, .. }) = actions else { return Effect::None };
        let kept = values.iter().zip(results).filter_map(|(value, place)| Some((value, (*place)?)));
        Effect::Return {
            function: self.rsm.module(module).name.clone(),
            changes: self.valuation(module, results.iter().flatten().copied(), after),
            chosen: self.chosen(kept.map(|(value, place)| (value, after.value(place))), before),
        }
    }

    /// What the `*` of values chose, where the value alone does not tell.
    fn chosen<'e>(&self, values: impl Iterator<Item = (&'e Expr, u64)>, before: Moment) -> Vec<String> {
        let view = View::new(before.globals, before.locals);
        let mut chosen = Vec::new();
        for (value, wanted) in values.filter(|(value, _)| value.has_choice() && !value.is_choice()) {
            // Where there are too many possibilities to find out, the value itself has to do.
            let found = choices(value, &view, wanted).ok().flatten().unwrap_or_default();
            chosen.extend(found.iter().map(|star| star.ty.value_name(star.value)));
        }
        chosen
    }
}

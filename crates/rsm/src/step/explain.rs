//! What was chosen in a step, for people and for replays.
//!
//! The choices of a step are, in this order: what each `*` of the stored values, arguments or results chooses (and each
//! `schoose` neither side of which holds), in the order of the text; then, for a call, the value of each local of the
//! callee that is no parameter. Dropped results are not computed. A `*` in a condition is no choice: it means "can hold".

use super::outcomes::State;
use super::{Configuration, is_step};
use crate::expr::Expr;
use crate::machine::{Action, EdgeId, ModuleId, Place, Rsm};
use crate::values::{Chosen, TooLarge, View, choices};

/// Something that a run chose.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// Which of several things that can happen next; the first is 0.
    Option(usize),
    /// The value of a `*`, or of a `schoose` neither side of which holds.
    Star(Chosen),
    /// The value of a variable that nothing initialises.
    Variable {
        /// The module whose locals are meant.
        module: ModuleId,
        /// The variable.
        place: Place,
        /// Its value.
        value: u64,
    },
}

impl Choice {
    /// The value as the user writes it.
    pub fn text(&self, rsm: &Rsm) -> String {
        match self {
            Choice::Option(index) => index.to_string(),
            Choice::Star(chosen) => chosen.ty.value_name(chosen.value),
            Choice::Variable { module, place, value } => rsm.variable(*module, *place).ty.value_name(*value),
        }
    }
}

/// What an initial configuration chose: the globals, then the locals of `main`.
pub fn explain_initial(rsm: &Rsm, configuration: &Configuration) -> Vec<Choice> {
    let variable = |place: Place, value: &u64| Choice::Variable { module: rsm.main, place, value: *value };
    let globals = configuration.globals.iter().enumerate();
    let locals = configuration.top().into_iter().flat_map(|top| top.locals.iter().enumerate());
    let globals = globals.map(|(n, value)| variable(Place::Global(n as u32), value));
    globals.chain(locals.map(|(n, value)| variable(Place::Local(n as u32), value))).collect()
}

/// What a step chose; `None` if it is no step. Which edge was taken is not among it.
pub fn explain_step(
    rsm: &Rsm,
    before: &Configuration,
    edge: EdgeId,
    after: &Configuration,
) -> Result<Option<Vec<Choice>>, TooLarge> {
    if !is_step(rsm, before, edge, after)? {
        return Ok(None);
    }
    let Some(top) = before.top() else { return Ok(None) };
    explain_action(rsm, before, &rsm.module(top.module).edge(edge).action, &after.state()).map(Some)
}

/// The same for a step that is known to lead to a state, with any action in place of its edge's own.
pub(crate) fn explain_action(
    rsm: &Rsm,
    before: &Configuration,
    action: &Action,
    after: &State,
) -> Result<Vec<Choice>, TooLarge> {
    let state = before.state();
    let new = after.view();
    let mut all = Vec::new();
    match action {
        Action::Skip | Action::Assume(_) | Action::Assert(_) => {}
        Action::Assign { targets, values, .. } => {
            for (target, value) in targets.iter().zip(values) {
                stars(value, &state.view(), new.old(*target), &mut all)?;
            }
        }
        Action::Call { callee, args, .. } => {
            for (n, arg) in args.iter().enumerate() {
                stars(arg, &state.view(), after.locals[n], &mut all)?;
            }
            let n_params = rsm.module(*callee).n_params;
            all.extend(after.locals.iter().enumerate().skip(n_params).map(|(n, value)| Choice::Variable {
                module: *callee,
                place: Place::Local(n as u32),
                value: *value,
            }));
        }
        Action::Return { values } => {
            for (value, place) in values.iter().zip(results(rsm, before)) {
                if let Some(place) = place {
                    stars(value, &state.view(), new.old(*place), &mut all)?;
                }
            }
        }
    }
    Ok(all)
}

/// Where the results of the module on top go; nowhere for `main`.
pub(crate) fn results<'a>(rsm: &'a Rsm, configuration: &Configuration) -> &'a [Option<Place>] {
    let waiting = configuration.stack.iter().rev().nth(1);
    let Some((frame, call)) = waiting.and_then(|frame| Some((frame, frame.call?))) else { return &[] };
    match &rsm.module(frame.module).edge(call).action {
        Action::Call { results, .. } => results,
        _ => &[],
    }
}

/// The choices of one value.
fn stars(value: &Expr, view: &View<'_>, wanted: u64, all: &mut Vec<Choice>) -> Result<(), TooLarge> {
    let chosen = choices(value, view, wanted)?.expect("a step stores possible values");
    all.extend(chosen.into_iter().map(Choice::Star));
    Ok(())
}

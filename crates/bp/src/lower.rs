//! From a checked program to a recursive state machine.
//!
//! Contract: each function becomes one module, see `function`. Function n of a sequential program is module n. A
//! concurrent program may need some functions more than once; the copies keep the names, labels and places of the text.

mod atomic;
mod behind;
mod code;
mod concurrency;
mod condition;
mod flow;
mod function;
mod run_time;
mod setting;
mod start;
mod threads;

use crate::ast::Unit;
use crate::check::{Checked, CheckedUnit, Variable};
use base::Diagnostic;
pub(crate) use code::code;
pub use concurrency::{Concurrency, concurrency};
use function::Lowering;
use rsm::{Module, ModuleId, Rsm};
use setting::Setting;
pub use threads::{ThreadOptions, lower_threads};

/// The machine of a sequential program. A concurrent one is refused, with the first place that makes it so.
pub fn lower(checked: &Checked) -> Result<Rsm, Vec<Diagnostic>> {
    if let Some(diagnostic) = concurrency::refusal(checked) {
        return Err(vec![diagnostic]);
    }
    let unit = &checked.units[0];
    Ok(Rsm {
        globals: variables(checked, &checked.shared.variables),
        init: checked.shared.init.iter().map(|condition| checked.code(*condition)).collect(),
        modules: modules(checked, &checked.program().unit, unit, &Setting::sequential()),
        main: ModuleId(unit.main),
    })
}

/// The modules of the functions of a unit.
fn modules(checked: &Checked, tree: &Unit, unit: &CheckedUnit, setting: &Setting<'_>) -> Vec<Module> {
    let functions = tree.functions.iter().zip(&unit.functions).zip(0..);
    functions
        .map(|((tree, function), number)| {
            Lowering { checked, unit, tree, function, number, setting }.module()
        })
        .collect()
}

fn variables(checked: &Checked, variables: &[Variable]) -> Vec<rsm::Variable> {
    let lower = |variable: &Variable| rsm::Variable {
        name: checked.program().text(variable.name).to_owned(),
        ty: checked.types.lower(variable.ty),
        span: variable.name.span,
    };
    variables.iter().map(lower).collect()
}

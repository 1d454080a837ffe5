//! Shortest runs by the formula that comes with the program and knows which entries runs get to.

use super::session::Options;
use crate::formula::{self, Checked, FormulaFile, algorithm};
use crate::target::Target;
use base::Sources;
use rsm::trace::Trace;
use rsm::{Goal, Rsm};
use runs::{Reached, ShortestError};
use solver::Settings;
use templates::{Templates, Vocabulary};

/// A trace with the fewest steps to any goal of the targets; `None` if no run gets to one.
pub fn shortest(
    rsm: &Rsm,
    targets: &[Target],
    options: &Options,
    sources: &mut Sources,
) -> Result<Option<Trace>, ShortestError> {
    let goals: Vec<Goal> = targets.iter().flat_map(Target::places).collect();
    let reduced = rsm::reduce(rsm, &goals, options.reductions);
    let templates = Templates::new(rsm, &reduced);
    let checked = shipped(&templates, sources);
    let words = Vocabulary::new(&checked.system, &templates);
    let entries = checked.notes.certificate.and_then(|summaries| summaries.entries);
    let entries = entries.expect("the formula names the entries that runs get to");
    let (templates, words, system, query) = (&templates, &words, &checked.system, checked.query);
    let settings = Settings { symbolic: false, ..options.settings(false) };
    runs::shortest(&Reached { templates, words, system, query, entries }, &goals, &settings)
}

/// The formula whose `#certificate` names the entries that runs get to.
fn shipped(templates: &Templates, sources: &mut Sources) -> Checked {
    let algorithm = algorithm("hybrid").expect("the formula is shipped");
    let mut read = |_: &str| Err("the formula loads nothing".to_owned());
    let mut file = FormulaFile {
        name: "algorithms/hybrid.mu",
        text: algorithm.text,
        read: &mut read,
        params: &[],
        labels: &[],
    };
    match formula::check(sources, templates, &mut file, None) {
        Ok(checked) => checked,
        Err(errors) => panic!("a shipped formula is wrong: {errors:?}"),
    }
}

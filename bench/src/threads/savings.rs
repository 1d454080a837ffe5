//! What symmetry, visibility and the variable order are worth: all states of 2A2S with each of them switched off.

use super::cell::{Bench, ratio_text};
use super::question::{Question, Route, Saving};
use crate::report::align;
use checker::Bound;

/// Measures and prints.
pub fn run(bench: &mut Bench) -> Result<(), String> {
    let k = bench.quick_or(4, 5);
    let route = Route::Formula("bounded_contexts");
    let all = Question::new("2A2S".parse()?, Bound::Switches(k), route).complete();
    let mut questions = vec![all];
    questions.extend(Saving::ALL.map(|saving| Question { without: Some(saving), ..all }));
    let cells = bench.measure(&questions)?;
    let mut lines = vec![["switched off", "s", "ratio", "peak nodes", "MiB"].map(str::to_owned).to_vec()];
    for (question, cell) in questions.iter().zip(&cells) {
        lines.push(vec![
            question.without.map_or("nothing", Saving::word).to_owned(),
            cell.time(),
            ratio_text(cell.over(&cells[0])),
            cell.nodes(),
            cell.memory(),
        ]);
    }
    println!("2A2S, all states within {k} context switches.");
    print!("{}", align(&lines));
    Ok(())
}

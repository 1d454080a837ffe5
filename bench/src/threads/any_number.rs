//! Any number of adders and stoppers, within rounds: linear interfaces, lazy and eager.

use super::cell::Bench;
use super::question::{Question, Route};
use crate::report::align;
use checker::Bound;

/// The formulas with the rounds up to which all states are computed, in a quick look and otherwise.
const FORMULAS: [(&str, u32, u32); 2] = [("linear_interfaces_lazy", 2, 3), ("linear_interfaces_eager", 1, 2)];

/// The rounds that the mistake needs.
const ROUNDS: u32 = 2;

/// Measures and prints.
pub fn run(bench: &mut Bench) -> Result<(), String> {
    let heading = ["formula", "rounds", "states", "s", "peak nodes", "MiB", "ERROR", "least"];
    let mut lines = vec![heading.map(str::to_owned).to_vec()];
    for (name, quick, full) in FORMULAS {
        let ask = |rounds: u32| -> Result<Question, String> {
            Ok(Question::new("*A*S".parse()?, Bound::Rounds(rounds), Route::Formula(name)))
        };
        let mut questions = vec![ask(ROUNDS)?, Question { trace: true, ..ask(ROUNDS)? }];
        for rounds in 1..=bench.quick_or(quick, full) {
            questions.push(ask(rounds)?.complete());
        }
        for (question, cell) in questions.iter().zip(bench.measure(&questions)?) {
            lines.push(vec![
                name.to_owned(),
                question.bound.number().to_string(),
                states(question).to_owned(),
                cell.time(),
                cell.nodes(),
                cell.memory(),
                cell.verdict().to_owned(),
                cell.least(),
            ]);
        }
    }
    println!("Any number of adders and stoppers (*A*S).");
    print!("{}", align(&lines));
    Ok(())
}

/// Which states a question is about.
fn states(question: &Question) -> &'static str {
    match (question.complete, question.trace) {
        (true, _) => "all",
        (false, true) => "to ERROR, trace",
        (false, false) => "to ERROR",
    }
}

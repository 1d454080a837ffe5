//! All states of two adders and two stoppers, without stopping at `ERROR`: what the paper's largest configuration costs.

use super::cell::Bench;
use super::question::{Question, Route};
use crate::report::align;
use checker::Bound;

/// Measures and prints.
pub fn run(bench: &mut Bench) -> Result<(), String> {
    let bounds = bench.quick_or(4..=5, 4..=7);
    let mut lines = vec![["k", "s", "peak nodes", "MiB", "ERROR", "least"].map(str::to_owned).to_vec()];
    for k in bounds {
        let route = Route::Formula("bounded_contexts");
        let question = Question::new("2A2S".parse()?, Bound::Switches(k), route).complete();
        let cells = bench.measure(&[question])?;
        let cell = &cells[0];
        lines.push(vec![
            k.to_string(),
            cell.time(),
            cell.nodes(),
            cell.memory(),
            cell.verdict().to_owned(),
            cell.least(),
        ]);
    }
    println!("2A2S, all states within k context switches.");
    print!("{}", align(&lines));
    Ok(())
}

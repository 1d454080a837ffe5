//! The second route: sequential programs that ask the same question, eager and lazy, against the formula for threads.

use super::cell::{Bench, Cell, ratio_text};
use super::question::{Question, Route, SEQUENTIAL};
use crate::report::{align, geometric_mean};
use checker::Bound;
use sequentialize::Scheme;

/// What the columns are.
const HEADING: [&str; 8] =
    ["threads", "bound", "formula s", "eager s", "lazy s", "eager/formula", "lazy/formula", "ERROR"];

/// The bounds of a quick look.
const QUICK: &[Bound] = &[Bound::Switches(2), Bound::Rounds(2)];

/// The bounds that are compared otherwise. Beyond them most sequential programs take minutes.
const FULL: &[Bound] =
    &[Bound::Switches(2), Bound::Switches(3), Bound::Switches(4), Bound::Rounds(2), Bound::Rounds(3)];

/// Measures and prints.
pub fn run(bench: &mut Bench) -> Result<(), String> {
    let mut lines = vec![HEADING.map(str::to_owned).to_vec()];
    let mut ratios = [Vec::new(), Vec::new()];
    for name in ["1A1S", "1A2S", "2A1S", "2A2S"] {
        for &bound in bench.quick_or(QUICK, FULL) {
            let (formula, text) = match bound {
                Bound::Switches(k) => ("bounded_contexts", format!("{k} switches")),
                Bound::Rounds(k) => ("rounds", format!("{k} rounds")),
                Bound::Every => return Err("sequential programs ask within a bound".to_owned()),
            };
            let routes = [
                Route::Formula(formula),
                Route::Sequentialized(Scheme::Eager),
                Route::Sequentialized(Scheme::Lazy),
            ];
            let configuration = name.parse()?;
            let questions = routes.map(|route| Question::new(configuration, bound, route));
            let cells = bench.measure(&questions)?;
            let over = [cells[1].over(&cells[0]), cells[2].over(&cells[0])];
            ratios.iter_mut().zip(over).for_each(|(ratios, over)| ratios.extend(over));
            let mut line = vec![name.to_owned(), text];
            line.extend(cells.iter().map(Cell::time));
            line.extend(over.map(ratio_text));
            line.push(cells[0].verdict().to_owned());
            lines.push(line);
        }
    }
    println!("Seconds, the formula for threads and {SEQUENTIAL} on sequentialised programs.");
    print!("{}", align(&lines));
    for (what, ratios) in ["eager/formula", "lazy/formula"].iter().zip(&ratios) {
        if !ratios.is_empty() {
            println!("{what}: geometric mean {:.2}, {} cells", geometric_mean(ratios), ratios.len());
        }
    }
    Ok(())
}

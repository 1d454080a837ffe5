//! Every schedule at once, by the explicit engine, beside the formula within a few context switches.

use super::cell::{Bench, ratio_text};
use super::question::{Question, Route};
use crate::report::align;
use checker::Bound;

/// The context switches within which the formula is asked.
const SWITCHES: u32 = 4;

/// Measures and prints.
pub fn run(bench: &mut Bench) -> Result<(), String> {
    let heading =
        ["threads", "ERROR", "least", "s explicit", "states", "MiB", "s formula", "formula/explicit"];
    let mut lines = vec![heading.map(str::to_owned).to_vec()];
    for is_fixed in [true, false] {
        for n in 2..=bench.quick_or(4, 6) {
            let configuration = format!("{n}A{n}S").parse()?;
            let ask = |bound, route| Question { is_fixed, ..Question::new(configuration, bound, route) };
            let explicit = ask(Bound::Every, Route::Explicit);
            let formula = ask(Bound::Switches(SWITCHES), Route::Formula("bounded_contexts"));
            let cells = bench.measure(&[explicit, formula])?;
            lines.push(vec![
                format!("{configuration}{}", if is_fixed { ", fixed" } else { "" }),
                cells[0].verdict().to_owned(),
                cells[0].least(),
                cells[0].time(),
                cells[0].nodes(),
                cells[0].memory(),
                cells[1].time(),
                ratio_text(cells[1].over(&cells[0])),
            ]);
        }
    }
    println!("Every schedule, by the explicit engine; the formula within {SWITCHES} context switches.");
    print!("{}", align(&lines));
    Ok(())
}

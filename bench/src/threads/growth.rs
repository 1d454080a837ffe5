//! How time grows: with the number of context switches, and with the number of threads. All states, no stop at `ERROR`.

use super::cell::{Bench, Cell};
use super::plot;
use super::question::{Configuration, Question, Route};
use crate::report::geometric_mean;
use checker::Bound;

/// Measures and prints.
pub fn run(bench: &mut Bench) -> Result<(), String> {
    println!("Seconds for all states; ten marks are a factor of ten.");
    for (name, quick, full) in [("2A2S", 5, 7), ("1A1S", 8, 15)] {
        let bounds: Vec<u32> = (1..=bench.quick_or(quick, full)).collect();
        let configuration: Configuration = name.parse()?;
        let ask = |k: &u32| Question::new(configuration, Bound::Switches(*k), SWITCHES).complete();
        let questions: Vec<Question> = bounds.iter().map(ask).collect();
        let names = bounds.iter().map(|k| format!("k={k}")).collect();
        print(bench, &format!("{name}, by context switches:"), names, &questions)?;
    }
    let numbers: Vec<u32> = (1..=bench.quick_or(3, 4)).collect();
    for (bound, route, what) in [
        (Bound::Switches(3), SWITCHES, "within 3 context switches"),
        (Bound::Rounds(2), Route::Formula("rounds"), "within 2 rounds"),
    ] {
        let mut questions = Vec::new();
        for n in &numbers {
            questions.push(Question::new(format!("{n}A{n}S").parse()?, bound, route).complete());
        }
        let names = questions.iter().map(|question| question.configuration.to_string()).collect();
        print(bench, &format!("{what}, by threads:"), names, &questions)?;
    }
    Ok(())
}

/// The formula for context switches.
const SWITCHES: Route = Route::Formula("bounded_contexts");

fn print(bench: &mut Bench, title: &str, names: Vec<String>, questions: &[Question]) -> Result<(), String> {
    let cells = bench.measure(questions)?;
    let seconds: Vec<Option<f64>> = cells.iter().map(Cell::seconds).collect();
    let points: Vec<(String, Option<f64>)> = names.into_iter().zip(seconds.iter().copied()).collect();
    println!("{title}");
    print!("{}", plot::bars(&points));
    if let Some(factor) = factor(&seconds) {
        println!("mean factor of the last steps: {factor:.1}");
    }
    Ok(())
}

/// So many steps at the end of a series show how it grows; before them constant costs prevail.
const LAST: usize = 3;

/// The mean factor of the last steps; none if there are no two measured points in a row.
fn factor(seconds: &[Option<f64>]) -> Option<f64> {
    let step = |pair: &[Option<f64>]| Some(pair[1]? / pair[0]?);
    let steps: Vec<f64> = seconds.windows(2).filter_map(step).collect();
    let last = &steps[steps.len().saturating_sub(LAST)..];
    (!last.is_empty()).then(|| geometric_mean(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_is_that_of_the_last_steps() {
        let seconds = [Some(1.0), Some(1.0), Some(2.0), Some(8.0), Some(64.0), None];
        assert_eq!(factor(&seconds).map(|factor| format!("{factor:.2}")).as_deref(), Some("4.00"));
        assert_eq!(factor(&[Some(1.0), None]), None);
    }
}

//! What a formula file asks beside its verdict, answered behind it as `getafix mu` would, in terms of the program.

use crate::answer::{Subject, Value};
use crate::lines::Lines;
use crate::render;
use crate::watch::Job;
use base::Sources;
use checker::{Aside, Said};

/// Prints the answers.
pub fn answer(asides: &[Aside], sources: &Sources, job: &Job) {
    let mut lines = Lines::default();
    for aside in asides {
        let place = (sources.file(aside.span.file).name.clone(), lines.line(sources, aside.span));
        let (directive, relation) = (aside.directive, aside.relation.clone());
        job.console.begin(Subject { directive, relation, place });
        job.console.answer(&value(aside, sources, job));
    }
}

fn value(aside: &Aside, sources: &Sources, job: &Job) -> Value {
    match &aside.said {
        Ok(Said::Truth(truth)) => Value::Truth(*truth),
        Ok(Said::Number(digits)) => Value::Number(digits.clone()),
        Ok(Said::Text(text)) => Value::Text(text.clone()),
        Ok(Said::Plan(plan)) => Value::Lines(plan.clone()),
        Ok(Said::Statistics(statistics)) => Value::Lines(render::figures(statistics)),
        Ok(Said::Valuation(valuation)) => Value::Valuation(valuation.clone()),
        Ok(Said::Certificate(relations)) => Value::Certificate(relations.clone()),
        Ok(Said::Derivation(reasons)) => {
            Value::Derivation(reasons.as_ref().map(|reasons| render::reasons(sources, reasons)))
        }
        Ok(Said::List(list)) => Value::List(list.clone()),
        Err(reason) => Value::Unknown(render::limits_set(&job.options).reason(reason)),
    }
}

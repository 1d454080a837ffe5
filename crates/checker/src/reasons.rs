//! Derivations in terms of the program: places and values instead of numbers and bits, clauses by their place in the formula file.
//!
//! Facts about the program are not steps of their own: they are part of what the step that uses them rests on.

use crate::terms::{Cell, Terms};
use base::Span;
use calculus::system::VarId;
use solver::{DerivationStep, Explanation, Premise};
use templates::Vocabulary;

/// More tuples of an answer that rests on no run are only counted.
const MOST: usize = 24;

/// A tuple and why it is in its relation, or why it is not.
#[derive(Clone, Debug)]
pub struct Reason {
    /// The tuple.
    pub fact: String,
    /// The number of the clause and where it is written; none of a fact about the program.
    pub clause: Option<(usize, Span)>,
    /// The values of the clause's existential variables.
    pub choice: Vec<(String, Cell)>,
    /// The numbers of the reasons it uses, from 0.
    pub uses: Vec<usize>,
    /// The numbers of those of a greatest fixed point that it leads back to, from 0.
    pub again: Vec<usize>,
    /// What else the clause rests on.
    pub facts: Vec<String>,
}

/// The reasons of a derivation. Facts about the program are among them only if the query itself uses them.
pub(crate) fn reasons(terms: &Terms, words: &Vocabulary, derivation: &Explanation) -> Vec<Reason> {
    let is_fact = |step: usize| words.of_relation(derivation.steps[step].relation).is_some();
    let mut number = vec![usize::MAX; derivation.steps.len()];
    let told = (0..derivation.steps.len()).filter(|step| !is_fact(*step) || derivation.roots.contains(step));
    let told: Vec<usize> = told.collect();
    told.iter().enumerate().for_each(|(n, step)| number[*step] = n);
    let reason = |at: &usize| {
        let step = &derivation.steps[*at];
        let mut reason = Reason {
            fact: tuple(terms, step),
            clause: (!is_fact(*at)).then_some((step.clause, step.span)),
            choice: choice(terms, step),
            uses: Vec::new(),
            again: Vec::new(),
            facts: Vec::new(),
        };
        for premise in &step.premises {
            match premise {
                Premise::Step(to) if number[*to] == usize::MAX => {
                    reason.facts.push(tuple(terms, &derivation.steps[*to]));
                }
                Premise::Step(to) => reason.uses.push(number[*to]),
                Premise::Again(to) => reason.again.push(number[*to]),
                Premise::Fact(fact) => reason.facts.push(terms.fact(fact)),
            }
        }
        reason
    };
    told.iter().map(reason).collect()
}

/// The lines of the derivation of an answer that rests on no run.
pub(crate) fn lines(terms: &Terms, words: &Vocabulary, derivation: &Explanation) -> Vec<String> {
    let is_own = |step: &&DerivationStep| words.of_relation(step.relation).is_none();
    let own = derivation.steps.iter().filter(is_own).count();
    let mut lines: Vec<String> = Vec::new();
    for step in derivation.steps.iter().filter(is_own).take(MOST) {
        let mut line = tuple(terms, step);
        let facts: Vec<String> = step
            .premises
            .iter()
            .filter_map(|premise| match premise {
                Premise::Step(to) if words.of_relation(derivation.steps[*to].relation).is_some() => {
                    Some(tuple(terms, &derivation.steps[*to]))
                }
                // The values are those of the line.
                Premise::Fact(fact) => Some(fact.text.clone()),
                Premise::Step(_) | Premise::Again(_) => None,
            })
            .collect();
        if !facts.is_empty() {
            line += &format!(", since {}", facts.join(" and "));
        }
        lines.push(line);
    }
    if own > MOST {
        lines.push(format!("… and {} more", own - MOST));
    }
    lines
}

fn tuple(terms: &Terms, step: &DerivationStep) -> String {
    let sign = if step.is_absent { "!" } else { "" };
    format!("{sign}{}", terms.tuple(step.relation, &step.tuple))
}

/// The values of a clause's own variables.
fn choice(terms: &Terms, step: &DerivationStep) -> Vec<(String, Cell)> {
    let columns = &terms.system.relation(step.relation).columns;
    let is_own = |var: &VarId| !columns.contains(var);
    let values: Vec<(VarId, u32)> =
        step.links.values.iter().copied().filter(|value| is_own(&value.0)).collect();
    terms.valuation(&values)
}

//! The derivation of an answer that rests on no run, in terms of the program: a line for each tuple, with places and values.

use crate::facts::TemplateState;
use calculus::system::System;
use rsm::Place;
use solver::{DerivationStep, Explanation, Premise};
use templates::{Templates, Vocabulary};

/// More tuples are only counted.
const MOST: usize = 24;

/// The lines of a derivation. Facts about the program are part of the line that uses them.
pub(crate) fn lines(
    system: &System,
    words: &Vocabulary,
    templates: &Templates,
    derivation: &Explanation,
    sources: &base::Sources,
) -> Vec<String> {
    let teller = Teller { system, templates, sources };
    let is_own = |step: &&DerivationStep| words.of_relation(step.relation).is_none();
    let own = derivation.steps.iter().filter(is_own).count();
    let mut lines: Vec<String> = Vec::new();
    for step in derivation.steps.iter().filter(is_own).take(MOST) {
        let mut line = teller.tuple(step);
        let facts: Vec<String> = step
            .premises
            .iter()
            .filter_map(|premise| match premise {
                Premise::Step(to) if words.of_relation(derivation.steps[*to].relation).is_some() => {
                    Some(teller.tuple(&derivation.steps[*to]))
                }
                // The values are those of the line.
                Premise::Fact(text) => text.split(" where ").next().map(str::to_owned),
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

struct Teller<'a> {
    system: &'a System,
    templates: &'a Templates<'a>,
    sources: &'a base::Sources,
}

impl Teller<'_> {
    /// `Safe(main, line 7: x = T)`.
    fn tuple(&self, step: &DerivationStep) -> String {
        let relation = self.system.relation(step.relation);
        let (mut at, mut parts) = (0, Vec::new());
        for binder in &relation.params {
            let binder = &self.system.binders[binder.index()];
            let values = &step.tuple[at..at + binder.leaves.len()];
            at += binder.leaves.len();
            match binder.type_name.as_str() {
                "State" => parts.push(self.state(values)),
                "Module" => parts.push(self.templates.rsm.modules[values[0] as usize].name.clone()),
                "Variable" => parts.push(self.templates.variable_name(values[0])),
                _ => {
                    let named = binder.leaves.iter().zip(values);
                    parts.extend(named.map(|(leaf, value)| self.system.sort_of(*leaf).value_name(*value)));
                }
            }
        }
        let sign = if step.is_absent { "!" } else { "" };
        format!("{sign}{}({})", relation.name, parts.join("; "))
    }

    fn state(&self, values: &[u32]) -> String {
        let state = TemplateState::new(values, self.templates);
        let (templates, rsm) = (self.templates, self.templates.rsm);
        let module = rsm.module(state.module);
        let Some(node) = templates.node(state.module, state.counter) else { return "nowhere".to_owned() };
        let line = self.sources.line_column(module.node(node).span).0;
        let shown = |place: Place| {
            let bits = templates.slots.bits(state.module, encode::Slot::Place(place));
            let (value, variable) = match place {
                Place::Global(n) => (state.global(bits), &rsm.globals[n as usize]),
                Place::Local(n) => (state.local(bits), &module.locals[n as usize]),
            };
            format!("{} = {}", variable.name, variable.ty.value_name(value.min(variable.ty.max())))
        };
        let places: Vec<Place> = match state.counter {
            0 => templates.given(state.module).collect(),
            _ => templates.tracked(state.module, node).collect(),
        };
        let values: Vec<String> = places.into_iter().map(shown).collect();
        let values = if values.is_empty() { String::new() } else { format!(": {}", values.join(", ")) };
        format!("{}, line {line}{values}", module.name)
    }
}

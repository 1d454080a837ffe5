//! The contexts behind an answer about rounds, read off a derivation.
//!
//! In the last round i the thread t finds values that threads to its left have handed on in i rounds, and that threads to its
//! right have closed the loop with in i - 1 rounds. The derivation of `In` has both as chains of `Out`, one for each thread:
//! `Before` and `Want` grow to the right, `After`, `From`, `Right` and `Block` to the left.

use super::contexts::{Contexts, Segment};
use super::question::Question;
use calculus::system::{RelationId, System};
use solver::{DerivationStep, Explanation, Halt, Premise};

/// The contexts behind the last answer; `None` if the formula does not have these relations.
pub(super) fn find(question: &mut Question) -> Result<Option<Contexts>, Halt> {
    let (binders, matrix) = question.checked.matrix();
    let Some(derivation) = question.solver.explain_found(&binders, matrix)? else { return Ok(None) };
    let reader = Reader { question, derivation: &derivation };
    Ok(reader.contexts())
}

/// The turns of one thread: what it finds and what it leaves.
struct Turns {
    thread: u32,
    finds: Vec<Vec<u64>>,
    leaves: Vec<Vec<u64>>,
}

/// The relations of chains whose last thread is derived last.
const LEFT: [&str; 2] = ["Before", "Want"];
/// The relations of chains whose first thread is derived last.
const RIGHT: [&str; 4] = ["After", "From", "Right", "Block"];

struct Reader<'q, 'a, 's, 'r> {
    question: &'q Question<'a, 's, 'r>,
    derivation: &'q Explanation,
}

impl Reader<'_, '_, '_, '_> {
    fn system(&self) -> &System {
        &self.question.checked.system
    }

    fn name(&self, relation: RelationId) -> &str {
        &self.system().relation(relation).name
    }

    fn named<'d>(&'d self, name: &'d str) -> impl Iterator<Item = &'d DerivationStep> {
        self.derivation.steps.iter().filter(move |step| self.name(step.relation) == name)
    }

    /// The values of a parameter of the step's relation.
    fn read<'d>(&self, step: &'d DerivationStep, param: &str) -> Option<&'d [u32]> {
        let system = self.system();
        let mut at = 0;
        for binder in &system.relation(step.relation).params {
            let binder = &system.binders[binder.index()];
            let width = binder.leaves.len();
            if binder.name == param {
                return step.tuple.get(at..at + width);
            }
            at += width;
        }
        None
    }

    fn number(&self, step: &DerivationStep, param: &str) -> Option<u32> {
        self.read(step, param)?.first().copied()
    }

    /// The shared values of rounds 1 to `n` in a vector of the step.
    fn vector(&self, step: &DerivationStep, param: &str, n: u32) -> Option<Vec<Vec<u64>>> {
        let bits = self.read(step, param)?;
        let width = self.question.templates.slots.shared.len();
        let values = |round: usize| -> Option<Vec<u64>> {
            let bits = bits.get(round * width..(round + 1) * width)?;
            Some(self.question.templates.shared_values(bits))
        };
        (1..=n as usize).map(values).collect()
    }

    fn contexts(&self) -> Option<Contexts> {
        let reached = &self.derivation.steps[0];
        let Some(run) = self.derivation.steps.iter().take(2).find(|step| self.name(step.relation) == "Run")
        else {
            return self.beginning(reached);
        };
        let (thread, round) = (self.number(run, "t")?, self.number(run, "i")?);
        let own =
            Turns { thread, finds: self.vector(run, "G", round)?, leaves: self.vector(run, "H", round - 1)? };
        let (left, right) = self.chains(&own, round)?;
        Some(self.arrange(left, own, right, round as usize))
    }

    /// The target is a thread's first statement.
    fn beginning(&self, reached: &DerivationStep) -> Option<Contexts> {
        let thread = self.number(reached, "t")?;
        let mut contexts = Contexts::default();
        contexts.push(self.instance(thread, &mut Vec::new()), Segment { enters: None, leaves: None });
        Some(contexts)
    }

    /// The threads to the left and to the right of the one that reaches the target.
    fn chains(&self, own: &Turns, round: u32) -> Option<(Vec<Turns>, Vec<Turns>)> {
        if self.named("Block").next().is_some() {
            let left = self.named("Block").find(|step| {
                self.number(step, "i") == Some(round)
                    && self.vector(step, "H", round).as_ref() == Some(&own.finds)
            });
            let right = self.named("Block").find(|step| {
                let before = round - 1;
                self.number(step, "i") == Some(before)
                    && self.vector(step, "G", before).as_ref() == Some(&own.leaves)
            });
            return Some((self.rightward(left?)?, self.rightward(right?)?));
        }
        let found = self.named("In").find(|step| {
            self.number(step, "t") == Some(own.thread)
                && self.number(step, "i") == Some(round)
                && self.vector(step, "G", round).as_ref() == Some(&own.finds)
                && self.vector(step, "H", round - 1).as_ref() == Some(&own.leaves)
        })?;
        let left = self.premise(found, &LEFT).map_or(Some(Vec::new()), |step| self.leftward(step))?;
        let right = self.premise(found, &RIGHT).map_or(Some(Vec::new()), |step| self.rightward(step))?;
        Some((left, right))
    }

    /// A premise of a step that belongs to one of the relations.
    fn premise(&self, step: &DerivationStep, names: &[&str]) -> Option<&DerivationStep> {
        step.premises.iter().find_map(|premise| match premise {
            Premise::Step(number) => {
                let step = &self.derivation.steps[*number];
                names.contains(&self.name(step.relation)).then_some(step)
            }
            _ => None,
        })
    }

    fn turns(&self, out: &DerivationStep) -> Option<Turns> {
        let round = self.number(out, "i")?;
        Some(Turns {
            thread: self.number(out, "t")?,
            finds: self.vector(out, "G", round)?,
            leaves: self.vector(out, "H", round)?,
        })
    }

    /// A chain that grows to the right, its first thread first.
    fn leftward(&self, step: &DerivationStep) -> Option<Vec<Turns>> {
        let (mut chain, mut next) = (Vec::new(), Some(step));
        while let Some(step) = next {
            if let Some(out) = self.premise(step, &["Out"]) {
                chain.push(self.turns(out)?);
            }
            next = self.premise(step, &LEFT);
        }
        chain.reverse();
        Some(chain)
    }

    /// A chain that grows to the left, its first thread first.
    fn rightward(&self, step: &DerivationStep) -> Option<Vec<Turns>> {
        let (mut chain, mut next) = (Vec::new(), Some(step));
        while let Some(step) = next {
            if let Some(out) = self.premise(step, &["Out"]) {
                chain.push(self.turns(out)?);
            }
            next = self.premise(step, &RIGHT);
        }
        Some(chain)
    }

    /// A thread by its block and copy; of a block of any number each time a new one.
    fn instance(&self, thread: u32, used: &mut Vec<usize>) -> (usize, u32) {
        let threads = self.question.templates.threads.as_ref();
        let instance = threads.expect("a question about threads").instances[thread as usize];
        let copy = instance.copy.unwrap_or_else(|| {
            used.push(instance.block);
            used.iter().filter(|block| **block == instance.block).count() as u32 - 1
        });
        (instance.block, copy)
    }

    /// Puts the turns of all threads in the order of the run.
    fn arrange(&self, left: Vec<Turns>, own: Turns, right: Vec<Turns>, n_rounds: usize) -> Contexts {
        let initial = left.first().unwrap_or(&own).finds.first().cloned();
        // A thread that changes nothing need not run at all.
        let acts = |turns: &Turns| turns.finds != turns.leaves;
        let left: Vec<Turns> = left.into_iter().filter(acts).collect();
        let right = right.into_iter().filter(acts);
        let goal = left.len();
        let mut used = Vec::new();
        let all: Vec<(Turns, (usize, u32))> = left
            .into_iter()
            .chain([own])
            .chain(right)
            .map(|turns| {
                let instance = self.instance(turns.thread, &mut used);
                (turns, instance)
            })
            .collect();
        let mut contexts = Contexts { initial, ..Contexts::default() };
        for round in 0..n_rounds {
            let last = if round + 1 == n_rounds { goal + 1 } else { all.len() };
            for (turns, instance) in &all[..last] {
                let segment = Segment {
                    enters: turns.finds.get(round).cloned(),
                    leaves: turns.leaves.get(round).cloned(),
                };
                contexts.push(*instance, segment);
            }
        }
        contexts
    }
}

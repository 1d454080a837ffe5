//! A linear term for one component of a graph: no edge makes it greater, and some edge makes it smaller where it is bounded.
//!
//! Ideas are tried first. Then factors are unknowns of their own: numbers are asked for that are right for some examples of what edges do; an edge
//! for which they are wrong gives another example. Every question is one without quantifiers, and how many there are is limited.

use integers::smtlib::number;
use smt::{Answer, Assumption, Model, Query, Solver};

/// What an edge does: all that satisfies the query, and what stands for the quantities before and after.
pub(crate) struct Arc {
    pub(crate) query: Query,
    pub(crate) before: Vec<(usize, String)>,
    pub(crate) after: Vec<(usize, String)>,
}

/// A component.
pub(crate) struct Cycle {
    /// How many things a term may be made of.
    pub(crate) n_quantities: usize,
    pub(crate) arcs: Vec<Arc>,
    /// Factors of the quantities that may do.
    pub(crate) ideas: Vec<Vec<i128>>,
}

/// A term.
pub(crate) struct Found {
    /// A factor for each quantity.
    pub(crate) factors: Vec<i128>,
    /// What is added, so that it is not negative.
    pub(crate) constant: i128,
    /// The arcs that make it smaller.
    pub(crate) served: Vec<usize>,
}

/// What is not known of an arc.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wanting {
    /// That it makes the term smaller, which is not too small before.
    Decrease,
    /// That it does not make the term greater.
    Keep,
}

/// A term that is never smaller than this, with the other sign, is bounded.
pub(crate) const LOWEST: i128 = 1 << 40;

/// The greatest factors that are looked for, one attempt after the other, and how many examples are asked for.
const ATTEMPTS: [(i128, usize); 3] = [(1, 15), (3, 15), (12, 15)];

/// What an edge did once.
struct Example {
    arc: usize,
    before: Vec<i128>,
    change: Vec<i128>,
}

impl Cycle {
    /// Finds a term that serves some arc.
    pub(crate) fn solve(&self, solver: &mut dyn Solver) -> Option<Found> {
        let (factors, served) = self.guessed(solver).or_else(|| self.synthesised(solver))?;
        let constant = self.constant(&factors, &served, solver);
        Some(Found { factors, constant, served })
    }

    /// For each arc, what has to be known so that a term with these factors serves some of them, unless it is known: it decreases and is not smaller than
    /// `lowest`, or it does not grow. `None` if no arc can be served.
    pub(crate) fn wanting(
        &self,
        factors: &[i128],
        lowest: i128,
        solver: &mut dyn Solver,
    ) -> Option<Vec<Option<Wanting>>> {
        let mut wanting = Vec::new();
        let mut is_served = false;
        for arc in &self.arcs {
            let (before, after) = (linear(factors, &arc.before), linear(factors, &arc.after));
            let decreases =
                format!("(and (< {after} {before}) (>= {before} {lowest}))", lowest = number(lowest));
            let can_decrease = refuted(arc, vec![decreases.clone()], solver) != [true];
            let (bad, wanted) = match can_decrease {
                true => (format!("(not {decreases})"), Wanting::Decrease),
                false => (arc.grows(factors), Wanting::Keep),
            };
            is_served |= can_decrease;
            wanting.push((refuted(arc, vec![bad], solver) != [true]).then_some(wanted));
        }
        is_served.then_some(wanting)
    }

    /// The idea that serves most.
    fn guessed(&self, solver: &mut dyn Solver) -> Option<(Vec<i128>, Vec<usize>)> {
        let mut ideas: Vec<&Vec<i128>> = Vec::new();
        for idea in self.ideas.iter().filter(|idea| idea.iter().any(|factor| *factor != 0)) {
            if !ideas.contains(&idea) {
                ideas.push(idea);
            }
        }
        for arc in &self.arcs {
            let keeps = refuted(arc, ideas.iter().map(|idea| arc.grows(idea)).collect(), solver);
            let mut keeps = keeps.into_iter();
            ideas.retain(|_| keeps.next().unwrap_or(false));
        }
        let mut served: Vec<Vec<usize>> = vec![Vec::new(); ideas.len()];
        for (n, arc) in self.arcs.iter().enumerate() {
            let decreases = refuted(arc, ideas.iter().map(|idea| arc.stays(idea)).collect(), solver);
            for (served, _) in served.iter_mut().zip(decreases).filter(|(_, decreases)| *decreases) {
                served.push(n);
            }
        }
        let most = served.iter().map(Vec::len).max().filter(|most| *most > 0)?;
        let n = served.iter().position(|served| served.len() == most)?;
        Some((ideas[n].clone(), served.swap_remove(n)))
    }

    /// Asks for factors.
    fn synthesised(&self, solver: &mut dyn Solver) -> Option<(Vec<i128>, Vec<usize>)> {
        let mut examples: Vec<Example> = Vec::new();
        for (greatest, rounds) in ATTEMPTS {
            for _ in 0..rounds {
                let Some((factors, chosen)) = self.factors(&examples, greatest, solver) else { break };
                let n_examples = examples.len();
                let mut is_kept = true;
                for (n, arc) in self.arcs.iter().enumerate() {
                    let wrong = if chosen[n] { arc.stays(&factors) } else { arc.grows(&factors) };
                    match self.example(n, wrong, solver) {
                        Ok(None) => {}
                        Ok(Some(example)) => {
                            examples.push(example);
                            is_kept = false;
                        }
                        Err(()) => is_kept = false,
                    }
                }
                if is_kept {
                    let serves = |n: &usize| {
                        let arc = &self.arcs[*n];
                        chosen[*n] || refuted(arc, vec![arc.stays(&factors)], solver) == [true]
                    };
                    let served = (0..self.arcs.len()).filter(serves).collect();
                    return Some((factors, served));
                }
                if examples.len() == n_examples {
                    // The solver does not know, and would say so again.
                    return None;
                }
            }
        }
        None
    }

    /// Factors that are right for all examples, and the arcs that they are to serve.
    fn factors(
        &self,
        examples: &[Example],
        greatest: i128,
        solver: &mut dyn Solver,
    ) -> Option<(Vec<i128>, Vec<bool>)> {
        let factors: Vec<String> = (0..self.n_quantities).map(|n| format!("c{n}")).collect();
        let chosen: Vec<String> = (0..self.arcs.len()).map(|n| format!("s{n}")).collect();
        let mut asserts = Vec::new();
        for factor in &factors {
            asserts.push(format!("(<= (- {greatest}) {factor} {greatest})"));
        }
        chosen.iter().for_each(|chosen| asserts.push(format!("(<= 0 {chosen} 1)")));
        asserts.push(format!("(>= (+ 0 {}) 1)", chosen.join(" ")));
        let product = |numbers: &[i128]| {
            let summands = factors.iter().zip(numbers).filter(|(_, number)| **number != 0);
            let summands = summands.map(|(factor, by)| format!("(* {} {factor})", number(*by)));
            format!("(+ 0 0 {})", summands.collect::<Vec<_>>().join(" "))
        };
        for Example { arc, before, change } in examples {
            let (change, before) = (product(change), product(before));
            asserts.push(format!("(<= {change} 0)"));
            asserts.push(format!(
                "(or (= {} 0) (and (< {change} 0) (>= {before} {})))",
                chosen[*arc],
                number(-LOWEST)
            ));
        }
        let variables: Vec<String> = factors.into_iter().chain(chosen).collect();
        let query = Query { variables: variables.clone(), asserts, atoms: Vec::new() };
        let Model::Sat(mut numbers) = solver.model(&query, &variables) else { return None };
        let chosen = numbers.split_off(self.n_quantities).into_iter().map(|chosen| chosen != 0).collect();
        Some((numbers, chosen))
    }

    /// Something that an arc does where a formula holds.
    fn example(&self, n: usize, formula: String, solver: &mut dyn Solver) -> Result<Option<Example>, ()> {
        let arc = &self.arcs[n];
        let mut query = arc.query.clone();
        query.asserts.push(formula);
        let terms: Vec<String> = arc.before.iter().chain(&arc.after).map(|(_, name)| name.clone()).collect();
        match solver.model(&query, &terms) {
            Model::Unsat => Ok(None),
            Model::Unknown(_) => Err(()),
            Model::Sat(numbers) => {
                let (mut before, mut change) = (vec![0; self.n_quantities], vec![0; self.n_quantities]);
                for ((at, _), number) in arc.before.iter().zip(&numbers) {
                    before[*at] = *number;
                    change[*at] -= number;
                }
                for ((at, _), number) in arc.after.iter().zip(&numbers[arc.before.len()..]) {
                    change[*at] += number;
                }
                Ok(Some(Example { arc: n, before, change }))
            }
        }
    }

    /// The least constant that keeps the term from being negative where it is to decrease.
    fn constant(&self, factors: &[i128], served: &[usize], solver: &mut dyn Solver) -> i128 {
        let mut suffices = |constant: i128| {
            served.iter().all(|n| {
                let arc = &self.arcs[*n];
                let below = format!("(< {} {})", linear(factors, &arc.before), number(-constant));
                refuted(arc, vec![below], solver) == [true]
            })
        };
        if suffices(0) {
            return 0;
        }
        let (mut no, mut yes) = (0, LOWEST);
        while yes - no > 1 {
            let middle = no + (yes - no) / 2;
            if suffices(middle) {
                yes = middle;
            } else {
                no = middle;
            }
        }
        yes
    }
}

impl Arc {
    /// The term becomes greater.
    fn grows(&self, factors: &[i128]) -> String {
        format!("(> {} {})", linear(factors, &self.after), linear(factors, &self.before))
    }

    /// The term does not become smaller, or is not bounded.
    fn stays(&self, factors: &[i128]) -> String {
        let (before, after) = (linear(factors, &self.before), linear(factors, &self.after));
        format!("(or (>= {after} {before}) (< {before} {}))", number(-LOWEST))
    }
}

fn linear(factors: &[i128], names: &[(usize, String)]) -> String {
    let used = names.iter().filter(|(n, _)| factors[*n] != 0);
    let summands = used.map(|(n, name)| match factors[*n] {
        1 => name.clone(),
        factor => format!("(* {} {name})", number(factor)),
    });
    format!("(+ 0 0 {})", summands.collect::<Vec<_>>().join(" "))
}

/// For each formula whether it never holds where the arc is taken.
fn refuted(arc: &Arc, formulas: Vec<String>, solver: &mut dyn Solver) -> Vec<bool> {
    let assumptions: Vec<Vec<Assumption>> =
        (0..formulas.len()).map(|atom| vec![Assumption { atom, holds: true }]).collect();
    let query = Query { atoms: formulas, ..arc.query.clone() };
    solver.check(&query, &assumptions).into_iter().map(|answer| answer == Answer::Unsat).collect()
}

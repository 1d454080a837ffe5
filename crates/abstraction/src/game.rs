//! Where the program surely goes on, and what inputs can bring about: the game beside the machine.
//!
//! A cube at a node is *stuck* if some state of it can take no step without inputs. A *move* is a step with inputs together with bits that it can be made to
//! lead to, from every state of a cube (for all states there are inputs), unless a step without inputs is taken there. What the solver does not confirm
//! is stuck, and is no move.

use crate::edges::{Image, Maker, View, is_partial};
use crate::factor::{Bit, Condition, Factor, Meaning, Names, Parts, leaves};
use crate::relation;
use integers::normal::{Literal, normal};
use integers::smtlib::{conjunction, number, text};
use integers::{Action, Expr, NodeId, Op, Step, UnknownId};
use rustc_hash::FxHashMap;
use smt::{Answer, Assumption, Cubes, Query};

/// No more targets are tried for one part of a step.
const MOST_TARGETS: usize = 64;

/// Values for some of the chosen bits.
type Partial = Vec<Option<bool>>;

/// What one part of a step can be made to lead to: some of its chosen bits have these values; and from which cubes.
struct Outcome {
    target: Vec<(Bit, bool)>,
    from: Vec<Vec<bool>>,
}

impl Maker<'_> {
    /// The cubes at a node with these steps without inputs in which the program may not go on; `None` if there are none.
    pub(crate) fn stuck(&mut self, view: &View, node: NodeId, steps: &[&Step]) -> Option<rsm::Expr> {
        if steps.is_empty() {
            return Some(relation::truth(true));
        }
        if steps.iter().any(|step| always(step)) || opposite(steps) {
            return None;
        }
        self.possible(view, node, refused(steps))
    }

    /// The cubes at a call in which an argument may not be defined.
    pub(crate) fn undefined(&mut self, view: &View, node: NodeId, args: &[Expr]) -> Option<rsm::Expr> {
        if !args.iter().any(is_partial) {
            return None;
        }
        let exprs = std::iter::once(Expr::truth(true)).chain(args.iter().cloned()).collect();
        self.possible(view, node, vec![Condition::Refused(exprs)])
    }

    /// The cubes in which some state meets conditions.
    fn possible(&mut self, view: &View, node: NodeId, conditions: Vec<Condition>) -> Option<rsm::Expr> {
        self.met(view.known(node), conditions)
    }

    /// The valuations of known bits in which some state meets conditions.
    fn met(&mut self, known: Vec<Meaning>, conditions: Vec<Condition>) -> Option<rsm::Expr> {
        let parts = Parts { conditions, known, ..Parts::default() };
        let product = parts.product(self.cache, self.solver);
        if product.factors.iter().any(|factor| factor.cubes.is_empty()) {
            return None;
        }
        let trees = product.factors.iter().map(relation::of_factor);
        Some(relation::all(trees).unwrap_or_else(|| relation::truth(true)))
    }

    /// What a step with inputs can be made to do: conditions and targets. `free` are the steps of the same node without inputs.
    pub(crate) fn moves(
        &mut self,
        image: &Image,
        step: &Step,
        free: &[&Step],
    ) -> Vec<(rsm::Expr, Vec<(rsm::Place, bool)>)> {
        // An unknown may depend on the inputs that were chosen before it.
        if !step.unknowns.is_empty() || free.iter().any(|step| !step.unknowns.is_empty()) {
            return Vec::new();
        }
        let components = if free.is_empty() { image.parts.components() } else { vec![image.parts.clone()] };
        let mut moves = vec![(None, Vec::new())];
        for component in components {
            let outcomes = self.outcomes(&component, &refused(free));
            let known: Vec<Bit> = component.known.iter().map(|(bit, _)| *bit).collect();
            let mut longer = Vec::new();
            for (when, target) in &moves {
                for outcome in &outcomes {
                    let factor = Factor { bits: known.clone(), cubes: outcome.from.clone() };
                    let here = relation::of_factor(&factor);
                    let both = relation::all(Option::<rsm::Expr>::clone(when).into_iter().chain([here]));
                    longer.push((both, [&target[..], &outcome.target].concat()));
                }
            }
            longer.truncate(MOST_TARGETS);
            moves = longer;
        }
        // Where a step without inputs is taken in any case, nothing has to be chosen.
        let known = image.parts.known.clone();
        let open = if free.is_empty() { None } else { Some(self.met(known, refused(free))) };
        let settled = match open {
            None => None,
            Some(None) => Some(relation::truth(true)),
            Some(Some(open)) => Some(open.negated()),
        };
        let place = |(bit, value): (Bit, bool)| (rsm::Place::Local(bit.local), value);
        let finish = |(when, target): (Option<rsm::Expr>, Vec<(Bit, bool)>)| {
            (when.unwrap_or_else(|| relation::truth(true)), target.into_iter().map(place).collect())
        };
        settled.map(|when| (when, Vec::new())).into_iter().chain(moves.into_iter().map(finish)).collect()
    }

    /// The strongest targets of a part, the full ones first, each with the cubes from which no stronger one can be brought about.
    fn outcomes(&mut self, part: &Parts, unless: &[Condition]) -> Vec<Outcome> {
        let n_known = part.known.len();
        let Cubes::All(cubes) = self.cache.cubes(part.query(&part.inputs), self.solver) else {
            return Vec::new();
        };
        let mut sources: Vec<Vec<bool>> = cubes.iter().map(|cube| cube[..n_known].to_vec()).collect();
        sources.dedup();
        let chosen: Vec<Bit> = part.chosen.iter().map(|(bit, _)| *bit).collect();
        let full = cubes.iter().map(|cube| cube[n_known..].iter().copied().map(Some).collect::<Vec<_>>());
        let mut layer: Vec<Partial> = full.collect();
        layer.sort();
        layer.dedup();
        let mut outcomes: Vec<(Partial, Vec<Vec<bool>>)> = Vec::new();
        let mut n_tried = 0;
        while !layer.is_empty() {
            let mut next: Vec<Partial> = Vec::new();
            for target in layer {
                let weaker = (0..target.len()).filter(|n| target[*n].is_some()).map(|n| {
                    let mut weaker = target.clone();
                    weaker[n] = None;
                    weaker
                });
                next.extend(weaker);
                let is_free = target.iter().all(Option::is_none);
                n_tried += 1;
                if n_tried > MOST_TARGETS && !is_free {
                    continue;
                }
                let is_open = |source: &&Vec<bool>| {
                    !outcomes.iter().any(|(known, from)| refines(known, &target) && from.contains(source))
                };
                let open: Vec<Vec<bool>> = sources.iter().filter(is_open).cloned().collect();
                let from = self.forced(part, &target, unless, &open);
                if !from.is_empty() {
                    outcomes.push((target, from));
                }
            }
            next.sort();
            next.dedup();
            layer = next;
        }
        let named = |target: Partial| {
            chosen.iter().copied().zip(target).filter_map(|(bit, value)| Some((bit, value?))).collect()
        };
        outcomes.into_iter().map(|(target, from)| Outcome { target: named(target), from }).collect()
    }

    /// The cubes for all of whose states there are inputs with which the part holds and leads to the target.
    fn forced(
        &mut self,
        part: &Parts,
        target: &[Option<bool>],
        unless: &[Condition],
        sources: &[Vec<bool>],
    ) -> Vec<Vec<bool>> {
        // Questions with quantifiers are answered where everything is linear, and may take for ever elsewhere.
        if sources.is_empty() || part.exprs().chain(unless.iter().flat_map(Condition::exprs)).any(is_hard) {
            return Vec::new();
        }
        let mut names = Names::default();
        let mut done: Vec<String> =
            part.conditions.iter().filter_map(|condition| condition.text(&mut names)).collect();
        for ((_, formula), value) in part.chosen.iter().zip(target) {
            let formula = text(formula, |op| names.of(op)).text;
            match value {
                Some(true) => done.push(formula),
                Some(false) => done.push(format!("(not {formula})")),
                None => {}
            }
        }
        let mut asserts: Vec<String> =
            unless.iter().filter_map(|condition| condition.text(&mut names)).collect();
        let atoms = part.known.iter().map(|(_, formula)| text(formula, |op| names.of(op)).text).collect();
        let is_input = |op: &Op| matches!(op, Op::Input(_));
        let (mut bound, mut variables) = (Vec::new(), Vec::new());
        let done_ops: Vec<Op> = names.ops().to_vec();
        for (name, op) in names.variables().into_iter().zip(&done_ops) {
            match op {
                Op::Input(n) => {
                    let ty = part.inputs[*n as usize];
                    done.push(format!("(<= {} {name} {})", number(ty.min()), number(ty.max())));
                    bound.push(format!("({name} Int)"));
                }
                _ => variables.push(name),
            }
        }
        let never = format!("(not {})", conjunction(&done));
        asserts.push(match done_ops.iter().any(is_input) {
            true => format!("(forall ({}) {never})", bound.join(" ")),
            false => never,
        });
        let query = Query { variables, asserts, atoms };
        let assume = |source: &Vec<bool>| {
            source.iter().enumerate().map(|(atom, &holds)| Assumption { atom, holds }).collect()
        };
        let assumptions: Vec<Vec<Assumption>> = sources.iter().map(assume).collect();
        let answers = self.solver.check(&query, &assumptions);
        let is_forced = |(_, answer): &(&Vec<bool>, Answer)| *answer == Answer::Unsat;
        sources.iter().zip(answers).filter(is_forced).map(|(source, _)| source.clone()).collect()
    }
}

/// The expression is not linear.
fn is_hard(expr: &Expr) -> bool {
    let is_number = |op: Option<&Op>| matches!(op, Some(Op::Constant(_)));
    let code = expr.code();
    code.iter().enumerate().any(|(n, op)| match op {
        Op::Divide | Op::Remainder(_) | Op::ShiftLeft(_) | Op::ShiftRight(_) => !is_number(code[..n].last()),
        Op::Bits(..) => true,
        Op::Multiply => {
            let left = expr_before(code, n);
            let before = left.checked_sub(1).map(|at| &code[at]);
            !is_number(code[..n].last()) && !is_number(before)
        }
        _ => false,
    })
}

/// Where the last operand of the operation at a position begins.
fn expr_before(code: &[Op], at: usize) -> usize {
    let (mut missing, mut start) = (1, at);
    while missing > 0 {
        start -= 1;
        missing = missing - 1 + code[start].n_operands();
    }
    start
}

/// Everything that the second target asks for, the first one does as well.
fn refines(target: &[Option<bool>], other: &[Option<bool>]) -> bool {
    target.iter().zip(other).all(|(one, other)| other.is_none() || one == other)
}

/// The step can always be taken.
fn always(step: &Step) -> bool {
    step.guard.as_truth() == Some(true) && !step.exprs().any(is_partial)
}

/// Two of the guards are opposite, and nothing is undefined.
fn opposite(steps: &[&Step]) -> bool {
    let is_total = |step: &&&Step| !step.exprs().any(is_partial) && step.unknowns.is_empty();
    let guards: Vec<Literal> = steps.iter().filter(is_total).map(|step| normal(&step.guard)).collect();
    guards.iter().any(|one| guards.iter().any(|other| one.atom == other.atom && one.holds != other.holds))
}

/// None of the steps can be taken. What is unknown is the same for all of them, as often as they come to it.
fn refused(steps: &[&Step]) -> Vec<Condition> {
    let mut numbers: FxHashMap<(UnknownId, usize), u32> = FxHashMap::default();
    let mut conditions = Vec::new();
    for step in steps {
        let mut shared: Vec<u32> = Vec::new();
        for (n, id) in step.unknowns.iter().enumerate() {
            let occurrence = step.unknowns[..n].iter().filter(|other| *other == id).count();
            let next = numbers.len() as u32;
            shared.push(*numbers.entry((*id, occurrence)).or_insert(next));
        }
        let renamed = |expr: &Expr| {
            expr.substitute(|op| match op {
                Op::Unknown(n) => Some(Expr::leaf(Op::Unknown(shared[n as usize]))),
                _ => None,
            })
        };
        let values = step.updates.iter().map(|(_, value)| value).filter(|value| is_partial(value));
        let exprs = std::iter::once(&step.guard).chain(values).map(renamed).collect();
        conditions.push(Condition::Refused(exprs));
    }
    conditions
}

/// The steps of a node, those without inputs and those with.
pub(crate) fn steps_of(
    function: &integers::Function,
    node: NodeId,
) -> (Vec<&Step>, Vec<(integers::EdgeId, &Step)>) {
    let (mut free, mut reading) = (Vec::new(), Vec::new());
    for (id, edge) in function.edges_from(node) {
        if let Action::Step(step) = &edge.action {
            let reads = step.exprs().flat_map(leaves).any(|op| matches!(op, Op::Input(_)));
            if reads { reading.push((id, step)) } else { free.push(step) }
        }
    }
    (free, reading)
}

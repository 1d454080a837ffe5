//! A run along a witness: where a waypoint says what an input is, that is what the environment chooses.

use crate::model::{Action, Segment, WaypointKind};
use crate::place::Map;
use crate::product::{Mismatch, Product, equations, returned};
use base::{Random, Span};
use integers::evaluate::{Environment, evaluate};
use integers::step::Configuration;
use integers::trace::{End, Manner, walk_from};
use integers::{Expr, Goal, Input, InputId, Integers, Op, Place, Type, UnknownId, Value};
use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;

/// What became of a run.
#[derive(Clone, Debug)]
pub enum Followed {
    /// It reaches the target.
    Reached(Vec<i128>),
    /// It comes back to a state in which it was, around the cycle: it never ends.
    Endless(Vec<i128>),
    /// It is going on, and these are its inputs, each the same number each time.
    GoingOn(Option<Vec<(InputId, i128)>>),
    /// It goes elsewhere.
    Lost {
        /// How many segments it has passed.
        n_passed: usize,
        /// Why it is over.
        end: End,
        /// The witness leaves an input open: another run may do what this one does not.
        is_free: bool,
    },
}

/// What a variable holds is said by one of so many segments.
const AHEAD: usize = 8;

/// What a waypoint says about what a call returns.
struct Wanted {
    span: Span,
    place: Place,
    formula: Expr,
}

/// Follows a witness through a program.
pub struct Follower<'a> {
    product: &'a Product,
    /// For each segment what is to be returned.
    wanted: Vec<Vec<Wanted>>,
    /// For each segment the variables of which it is said what they hold, by name.
    held: Vec<Vec<(String, i128)>>,
    /// The first segment of the cycle.
    cycle: Option<usize>,
    /// Numbers to try where nothing is said.
    constants: Vec<i128>,
}

impl<'a> Follower<'a> {
    /// For the product of a program and these segments.
    pub fn new(map: &Map, product: &'a Product, segments: &[Segment]) -> Result<Self, Mismatch> {
        let (mut wanted, mut held) = (Vec::new(), Vec::new());
        for segment in segments {
            let (mut here, mut names) = (Vec::new(), Vec::new());
            for waypoint in segment.waypoints.iter().filter(|waypoint| waypoint.action != Action::Avoid) {
                if waypoint.kind == WaypointKind::Assumption {
                    names.extend(equations(map, waypoint)?);
                }
                if waypoint.kind == WaypointKind::FunctionReturn {
                    let found = returned(map, waypoint)?.into_iter();
                    here.extend(found.map(|(span, place, formula)| Wanted { span, place, formula }));
                }
            }
            wanted.push(here);
            held.push(names);
        }
        let is_cycle =
            |segment: &Segment| segment.waypoints.iter().any(|waypoint| waypoint.action == Action::Cycle);
        let cycle = segments.iter().position(is_cycle);
        Ok(Self { product, wanted, held, cycle, constants: constants(product) })
    }

    /// One run; where the witness leaves inputs open, they depend on the number of the attempt.
    pub fn run(&self, attempt: u64, max_steps: u64) -> Followed {
        let program = &self.product.program;
        let count = self.product.count.unwrap_or(0);
        let (segment, is_free) = (Cell::new(0), Cell::new(false));
        let random = RefCell::new(Random::new(attempt));
        let mut choose = |input: &Input| {
            let wanted =
                self.wanted.get(segment.get()).into_iter().flatten().find(|wanted| wanted.span == input.span);
            let said = self.said(input, segment.get());
            let number = wanted.and_then(|wanted| chosen(wanted, input.ty, attempt)).or(said);
            let is_exact = said.is_some() || wanted.is_some_and(|wanted| is_equation(&wanted.formula));
            is_free.set(is_free.get() || number.is_none() || !is_exact);
            Some(number.unwrap_or_else(|| self.open(input.ty, attempt, &mut random.borrow_mut())))
        };
        let (mut inputs, mut by_place) = (Vec::new(), Vec::new());
        let mut remembered: Option<Configuration> = None;
        let (mut n_rounds, mut next, mut is_endless) = (0u64, 1u64, false);
        let mut configuration = Configuration::start(program);
        let manner = Manner { integers: Integers::Machine, goal: Goal::Any, max_steps };
        let end = walk_from(program, &mut configuration, &mut choose, manner, &mut |step, after| {
            inputs.extend(step.inputs.iter().map(|(_, number)| *number));
            by_place.extend(step.inputs.iter().copied().filter(|_| by_place_is_short(&inputs)));
            let Value::Number(now) = after.globals[count as usize] else { return ControlFlow::Break(()) };
            let is_passed = step.stored.iter().any(|(place, _)| *place == Place::Global(count));
            segment.set(usize::try_from(now).unwrap_or(usize::MAX));
            if is_passed && self.cycle == Some(segment.get()) {
                n_rounds += 1;
                is_endless = remembered.as_ref() == Some(after);
                if n_rounds == next {
                    (remembered, next) = (Some(after.clone()), next * 2);
                }
            }
            if is_endless { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        match end {
            _ if is_endless => Followed::Endless(inputs),
            End::Target(_) if self.cycle.is_none() => Followed::Reached(inputs),
            End::StepLimit if self.cycle.is_some() && n_rounds > 0 => Followed::GoingOn(same(&by_place)),
            end => Followed::Lost { n_passed: segment.get(), end, is_free: is_free.get() },
        }
    }

    /// What a variable holds that nothing was stored in, if the next waypoints say it.
    fn said(&self, input: &Input, segment: usize) -> Option<i128> {
        let next = self.held.get(segment..)?.iter().take(AHEAD).flatten();
        let mut numbers = next.filter(|(name, _)| *name == input.name).map(|(_, number)| *number);
        numbers.next().filter(|number| input.ty.contains(*number))
    }

    /// A number where nothing is said: the same for all in the first attempts.
    fn open(&self, ty: Type, attempt: u64, random: &mut Random) -> i128 {
        let number = match attempt {
            0..4 => [0, 1, -1, 2][attempt as usize],
            _ => match random.below(4) {
                0 | 1 if !self.constants.is_empty() => {
                    random.pick(&self.constants) + i128::from(random.below(3)) - 1
                }
                2 => i128::from(random.below(41)) - 20,
                _ => i128::from(random.below(2001)) - 1000,
            },
        };
        ty.wrap(number)
    }
}

/// So many inputs are remembered with their places.
fn by_place_is_short(inputs: &[i128]) -> bool {
    inputs.len() < 100_000
}

/// What each input was, if it was the same each time.
fn same(inputs: &[(InputId, i128)]) -> Option<Vec<(InputId, i128)>> {
    let mut all = inputs.to_vec();
    all.sort_unstable();
    all.dedup();
    all.windows(2).all(|pair| pair[0].0 != pair[1].0).then_some(all)
}

fn is_equation(formula: &Expr) -> bool {
    formula.root() == Op::Compare(integers::Relation::Equal)
}

/// A number of which a formula holds.
fn chosen(wanted: &Wanted, ty: Type, attempt: u64) -> Option<i128> {
    if wanted.formula.reads().any(|place| place != wanted.place) {
        return None;
    }
    let holds = |number: i128| {
        evaluate(&wanted.formula, &Alone(number), Integers::Mathematical) == Value::Number(1)
            && ty.contains(number)
    };
    let mut numbers: Vec<i128> = vec![0, 1, -1, ty.min(), ty.max()];
    for op in wanted.formula.code() {
        if let Op::Constant(number) = op {
            numbers.extend([*number, number.saturating_add(1), number.saturating_sub(1)]);
        }
    }
    numbers.retain(|number| holds(*number));
    numbers.sort_unstable();
    numbers.dedup();
    numbers.sort_by_key(|number| number.unsigned_abs());
    let n = numbers.len().max(1) as u64;
    numbers.get((attempt % n) as usize).copied()
}

/// One number for every variable.
struct Alone(i128);

impl Environment for Alone {
    fn read(&self, _: Place) -> Value {
        Value::Number(self.0)
    }

    fn input(&self, _: u32) -> i128 {
        self.0
    }

    fn unknown(&self, _: u32) -> UnknownId {
        UnknownId(0)
    }
}

/// The numbers in the program and the witness.
fn constants(product: &Product) -> Vec<i128> {
    let mut found = Vec::new();
    for edge in product.program.functions.iter().flat_map(|function| &function.edges) {
        if let integers::Action::Step(step) = &edge.action {
            let code = step.exprs().flat_map(Expr::code);
            found.extend(code.filter_map(|op| match op {
                Op::Constant(number) if number.abs() < 1 << 40 => Some(*number),
                _ => None,
            }));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

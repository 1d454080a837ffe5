//! Who chooses the inputs of the runs: a list, random numbers with a taste for those near the constants of the program, or a count through
//! all possibilities.

use crate::explore::machine::Choices;
use crate::expr::{Expr, Op};
use crate::number::Type;
use crate::program::{Action, InputId, Program};
pub use base::Random;
use rustc_hash::FxHashMap;

/// The constants of a program and their neighbours.
pub(crate) fn tasteful(program: &Program) -> Vec<i128> {
    let mut numbers = vec![0, 1, -1, 2];
    for edge in program.functions.iter().flat_map(|function| &function.edges) {
        let exprs: Vec<&Expr> = match &edge.action {
            Action::Step(step) => step.exprs().collect(),
            Action::Call { args, .. } => args.iter().collect(),
            Action::Manage(manage) => manage.exprs(),
        };
        for op in exprs.iter().flat_map(|expr| expr.code()) {
            if let Op::Constant(number) = *op {
                for near in [number, number + 1, number - 1, -number] {
                    if !numbers.contains(&near) && numbers.len() < MOST {
                        numbers.push(near);
                    }
                }
            }
        }
    }
    numbers
}

/// The largest number of constants that are tried.
const MOST: usize = 400;

/// The first inputs are those of a place in a list of all short combinations, the others are random.
pub(crate) struct Mixed<'p> {
    pub(crate) program: &'p Program,
    pub(crate) tasteful: &'p [i128],
    pub(crate) random: Random,
    /// What is left of the number of the combination; 0 when it is used up.
    pub(crate) combination: u64,
    /// How many of the tasteful numbers combinations are made of.
    pub(crate) breadth: u64,
}

impl Choices for Mixed<'_> {
    fn choose(&mut self, input: InputId) -> Option<i128> {
        let ty = self.program.input(input).ty;
        if self.combination > 0 {
            let digit = (self.combination - 1) % self.breadth;
            self.combination = (self.combination - 1) / self.breadth;
            return Some(into(ty, self.tasteful[digit as usize]));
        }
        let number = match self.random.below(10) {
            0..5 => self.tasteful[self.random.below(self.tasteful.len() as u64) as usize],
            5..8 => i128::from(self.random.below(36)) - 5,
            8 => i128::from(self.random.below(2001)) - 1000,
            // Anything at all, and the limits of the type in particular.
            _ => match self.random.below(4) {
                0 => ty.min() + i128::from(self.random.below(2)),
                1 => ty.max() - i128::from(self.random.below(2)),
                _ => i128::from(self.random.draw()),
            },
        };
        Some(into(ty, number))
    }
}

/// The first input is one number, and all others are 0.
pub(crate) struct Steady<'p> {
    pub(crate) program: &'p Program,
    /// The number, until it is used up.
    pub(crate) first: Option<i128>,
}

impl Choices for Steady<'_> {
    fn choose(&mut self, input: InputId) -> Option<i128> {
        Some(into(self.program.input(input).ty, self.first.take().unwrap_or(0)))
    }
}

/// Each place gets one tasteful number, and the same again and again: such runs come back to a state, if any do.
pub(crate) struct Constant<'p> {
    pub(crate) program: &'p Program,
    pub(crate) tasteful: &'p [i128],
    /// Which numbers these are.
    pub(crate) seed: u64,
    /// How many of the tasteful numbers they are taken from.
    pub(crate) breadth: u64,
}

impl Choices for Constant<'_> {
    fn choose(&mut self, input: InputId) -> Option<i128> {
        let mut random = Random::new(self.seed ^ (u64::from(input.0) << 40));
        let number = self.tasteful[random.below(self.breadth) as usize];
        Some(into(self.program.input(input).ty, number))
    }
}

/// Each place gets one tasteful number again and again, until it gets another one: who fills something, or waits long, does one thing many times.
pub(crate) struct Steadfast<'p> {
    pub(crate) program: &'p Program,
    pub(crate) tasteful: &'p [i128],
    pub(crate) random: Random,
    /// How many of the tasteful numbers they are taken from.
    pub(crate) breadth: u64,
    /// For each place, the last number.
    pub(crate) last: FxHashMap<InputId, i128>,
}

/// One in so many numbers of a place is another one.
const SELDOM: u64 = 24;

impl Choices for Steadfast<'_> {
    fn choose(&mut self, input: InputId) -> Option<i128> {
        let last = self.last.get(&input).copied();
        let number = match last.filter(|_| self.random.below(SELDOM) > 0) {
            Some(last) => last,
            None => self.tasteful[self.random.below(self.breadth) as usize],
        };
        self.last.insert(input, number);
        Some(into(self.program.input(input).ty, number))
    }
}

/// How the numbers of one place go on in a run that reads very many of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Habit {
    /// With 0, after the first.
    Zeros,
    /// Each with one more than the last.
    Up,
    /// Each with one less.
    Down,
}

impl Habit {
    pub(crate) const ALL: [Habit; 3] = [Habit::Zeros, Habit::Up, Habit::Down];
}

/// Each place begins with a number and goes on in a regular way: what programs do with large arrays depends on that, and random numbers never are in order.
pub(crate) struct Habitual<'p> {
    pub(crate) program: &'p Program,
    pub(crate) habit: Habit,
    /// For each place, the last number.
    pub(crate) last: FxHashMap<InputId, i128>,
}

impl Choices for Habitual<'_> {
    fn choose(&mut self, input: InputId) -> Option<i128> {
        let next = match (self.last.get(&input), self.habit) {
            (None, _) => 1,
            (Some(_), Habit::Zeros) => 0,
            (Some(last), Habit::Up) => last + 1,
            (Some(last), Habit::Down) => last - 1,
        };
        self.last.insert(input, next);
        Some(into(self.program.input(input).ty, next))
    }
}

fn into(ty: Type, number: i128) -> i128 {
    if ty.contains(number) { number } else { ty.wrap(number) }
}

/// Counts through all runs of a program whose inputs have few values: the choices of the present run, each with its first and last
/// possibility.
#[derive(Default)]
pub(crate) struct Count {
    chosen: Vec<(i128, i128)>,
    used: usize,
}

impl Count {
    /// Goes on to the next run; `false` when there was none left.
    pub(crate) fn advance(&mut self) -> bool {
        self.chosen.truncate(self.used);
        self.used = 0;
        while let Some((number, last)) = self.chosen.last_mut() {
            if *number < *last {
                *number += 1;
                return true;
            }
            self.chosen.pop();
        }
        false
    }
}

/// A count together with the program that it is about.
pub(crate) struct Counting<'p> {
    pub(crate) program: &'p Program,
    pub(crate) count: &'p mut Count,
}

impl Choices for Counting<'_> {
    fn choose(&mut self, input: InputId) -> Option<i128> {
        let ty = self.program.input(input).ty;
        let count = &mut *self.count;
        if count.used == count.chosen.len() {
            count.chosen.push((ty.min(), ty.max()));
        }
        count.used += 1;
        Some(count.chosen[count.used - 1].0)
    }
}

//! What is looked at next.
//!
//! Depth first: a stack of states, each with where it stands among its successors. By levels: buckets, one for each number of
//! steps from the start of the program. No state is put into a level that has passed, so the first that is taken at a goal
//! has been reached by as few steps as possible.

use crate::Order;
use crate::choice::{Cursor, Number};
use crate::table::{Budget, Full};
use std::collections::VecDeque;

/// The states that have successors left.
pub(crate) enum Agenda {
    Stack(Stack),
    Levels(Order, Levels),
}

/// A state, the cost at which it was put there, and where it stands.
pub(crate) type Item = (u32, u32, Cursor);

/// Frames take eight bytes: the state, the position (8 bits), the number (24 bits). Those that do not fit have theirs aside.
#[derive(Default)]
pub(crate) struct Stack {
    frames: Vec<u64>,
    /// The cursors of the frames that are marked [`ASIDE`], in the same order.
    aside: Vec<Cursor>,
}

/// The number of a frame whose cursor is aside.
const ASIDE: u64 = (1 << 24) - 1;

/// The bit of the position that says that some block could be executed.
const STEPPED: u64 = 1 << 7;

#[derive(Default)]
pub(crate) struct Levels {
    level: u32,
    /// From the present level on.
    buckets: VecDeque<Vec<Item>>,
}

fn packed(cursor: &Cursor) -> Option<u64> {
    let fits = u64::from(cursor.position) < STEPPED
        && cursor.number.low < ASIDE
        && cursor.number.rest.is_empty()
        && !cursor.from_low;
    let stepped = if cursor.has_step { STEPPED } else { 0 };
    fits.then(|| (u64::from(cursor.position) | stepped) << 24 | cursor.number.low)
}

impl Agenda {
    pub(crate) fn new(order: Order) -> Self {
        match order {
            Order::Dfs => Agenda::Stack(Stack::default()),
            _ => Agenda::Levels(order, Levels::default()),
        }
    }

    #[inline(always)]
    pub(crate) fn is_stack(&self) -> bool {
        matches!(self, Agenda::Stack(_))
    }

    #[inline(always)]
    pub(crate) fn order(&self) -> Order {
        match self {
            Agenda::Stack(_) => Order::Dfs,
            Agenda::Levels(order, _) => *order,
        }
    }

    fn stack(&mut self) -> &mut Stack {
        match self {
            Agenda::Stack(stack) => stack,
            Agenda::Levels(..) => unreachable!("depth-first order has a stack"),
        }
    }

    /// A new state.
    #[inline]
    pub(crate) fn push(&mut self, budget: &mut Budget, state: u32) -> Result<(), Full> {
        budget.push(&mut self.stack().frames, u64::from(state) << 32)
    }

    /// The state on top, and where it stands.
    #[inline]
    pub(crate) fn top(&mut self) -> Option<(u32, Cursor)> {
        let stack = self.stack();
        let frame = *stack.frames.last()?;
        let number = frame & ASIDE;
        let cursor = if number == ASIDE {
            std::mem::take(stack.aside.last_mut()?)
        } else {
            let position = (frame >> 24) & 0xFF;
            Cursor {
                position: (position & !STEPPED) as u32,
                has_step: position & STEPPED != 0,
                from_low: false,
                number: Number { low: number, rest: Vec::new() },
            }
        };
        Some(((frame >> 32) as u32, cursor))
    }

    /// The state on top stands elsewhere now.
    #[inline]
    pub(crate) fn replace_top(
        &mut self,
        budget: &mut Budget,
        state: u32,
        cursor: Cursor,
    ) -> Result<(), Full> {
        let stack = self.stack();
        let top = stack.frames.last_mut().expect("there is a state on top");
        let was_aside = *top & ASIDE == ASIDE;
        let packed = packed(&cursor);
        *top = u64::from(state) << 32 | packed.unwrap_or(ASIDE);
        match (packed, was_aside) {
            (None, true) => *stack.aside.last_mut().expect("its cursor is aside") = cursor,
            (None, false) => budget.push(&mut stack.aside, cursor)?,
            (Some(_), true) => drop(stack.aside.pop()),
            (Some(_), false) => {}
        }
        Ok(())
    }

    /// The state on top is done.
    #[inline]
    pub(crate) fn pop(&mut self) {
        let stack = self.stack();
        if stack.frames.pop().is_some_and(|frame| frame & ASIDE == ASIDE) {
            stack.aside.pop();
        }
    }

    /// There is nothing left.
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Agenda::Stack(stack) => stack.frames.is_empty(),
            Agenda::Levels(_, levels) => levels.buckets.iter().all(Vec::is_empty),
        }
    }

    /// The present level.
    pub(crate) fn level(&self) -> u32 {
        match self {
            Agenda::Stack(_) => 0,
            Agenda::Levels(_, levels) => levels.level,
        }
    }

    /// Puts a state into a level, the present one or a later one.
    pub(crate) fn put(&mut self, budget: &mut Budget, level: u32, item: Item) -> Result<(), Full> {
        let Agenda::Levels(_, levels) = self else { unreachable!("levels are for other orders") };
        let at = (level - levels.level) as usize;
        while levels.buckets.len() <= at {
            budget.exchange(size_of::<Vec<Item>>(), 0)?;
            levels.buckets.push_back(Vec::new());
        }
        budget.push(&mut levels.buckets[at], item)
    }

    /// Takes a state from the first level that has one.
    pub(crate) fn take(&mut self, budget: &mut Budget) -> Option<Item> {
        let Agenda::Levels(_, levels) = self else { unreachable!("levels are for other orders") };
        loop {
            if let Some(item) = levels.buckets.front_mut()?.pop() {
                return Some(item);
            }
            let empty = levels.buckets.pop_front()?;
            budget.used -= empty.capacity() * size_of::<Item>() + size_of::<Vec<Item>>();
            levels.level += 1;
        }
    }
}

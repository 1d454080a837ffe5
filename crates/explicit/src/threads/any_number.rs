//! Any number of threads, there from the beginning or started: levels for what is near, counters for all the rest.
//!
//! Within so many switches so many copies and one more do everything that any number of them do, and levels tell the least bound.
//! Counters tell what no number of threads reaches under any schedule, but count no switches. So both take turns, each with a
//! share of what the other has done: what can be reached is found at its least bound, and what cannot is known to be out of reach.

use super::cover::Cover;
use super::levels::Search;
use super::{AnyNumber, Cost, End, Found, Question, Settings};
use crate::{Figures, Limits, Stopped};
use rsm::{Concurrent, Copies, ThreadGoal};

/// The switches that levels look at first if no bound is given.
const FIRST_BOUND: u32 = 3;

/// Counters may look at so many nodes, however little levels did.
const LEAST_SHARE: usize = 1 << 14;

/// The block is that of a slot, which threads take that are started at run time.
pub(super) fn is_slot(program: &Concurrent, block: u32) -> bool {
    program.slots.iter().any(|slot| slot.block == block)
}

/// How many threads of each block are looked at, if there are so many of any number, and started ones.
pub(super) fn counts_of(question: &Question<'_>, any: u32) -> Vec<u32> {
    let program = question.program;
    let number = |(block, copies): (u32, Copies)| match copies {
        // New threads are all of the block of the first slot.
        _ if is_slot(program, block) && program.slots[0].block == block => any,
        _ if is_slot(program, block) => 0,
        Copies::Number(number) => number,
        Copies::Any => any,
    };
    (0..).zip(program.blocks.iter().map(|block| block.copies)).map(number).collect()
}

/// How many copies of each block do everything within so many switches that any number of them do.
pub(super) fn counts_within(question: &Question<'_>, bound: u32) -> Vec<u32> {
    let named = question.targets.iter().flatten().filter_map(|goal| goal.copy).max();
    let number = |copies: Copies| match copies {
        Copies::Number(number) => number,
        Copies::Any => bound.saturating_add(1).max(named.map_or(0, |copy| copy.saturating_add(1))),
    };
    question.program.blocks.iter().map(|block| number(block.copies)).collect()
}

/// For each target the least number of switches, of any number of threads.
pub(super) fn least(
    question: &Question<'_>,
    settings: Settings,
    limits: &Limits<'_>,
) -> Result<Found, AnyNumber> {
    let mut asking = Asking::new(question, settings, limits);
    match (question.cost, question.bound) {
        (Cost::Switches, Some(bound)) => asking.within(bound),
        (Cost::Switches, None) => asking.every(),
        (Cost::Rounds, _) => asking.rounds()?,
    }
    Ok(asking.found)
}

struct Asking<'a, 'p> {
    question: &'a Question<'p>,
    settings: Settings,
    limits: &'a Limits<'a>,
    cover: Cover<'p>,
    /// Counters have looked at everything, or cannot go on.
    is_over: Option<Result<(), Stopped>>,
    found: Found,
}

impl<'a, 'p> Asking<'a, 'p> {
    fn new(question: &'a Question<'p>, settings: Settings, limits: &'a Limits<'a>) -> Self {
        let n_targets = question.targets.len();
        let found = Found {
            least: vec![None; n_targets],
            is_reached: vec![false; n_targets],
            end: End::Bound,
            looked_at: None,
            cut: None,
            figures: Figures::default(),
        };
        Self { question, settings, limits, cover: Cover::new(question, settings), is_over: None, found }
    }

    /// Some number of switches is given; whether more of them would matter is looked at with as much work again.
    fn within(&mut self, bound: u32) {
        self.levels(bound);
        if self.found.end == End::Bound && self.found.cut.is_none() {
            self.counters(self.found.figures.states as usize);
            if self.is_closed() && !self.is_reachable_beyond() {
                self.found.end = End::Closed;
            }
        }
    }

    /// Rounds are not counted: nothing is known unless no number of them is enough.
    fn rounds(&mut self) -> Result<(), AnyNumber> {
        self.counters(usize::MAX);
        match self.is_over {
            Some(Err(stopped)) => self.found.end = End::Stopped(stopped),
            _ if self.is_closed() && !self.is_reachable_beyond() => self.found.end = End::Closed,
            _ => return Err(AnyNumber),
        }
        Ok(())
    }

    /// Levels and counters take turns.
    fn every(&mut self) {
        let mut bound = FIRST_BOUND;
        loop {
            self.levels(bound);
            let end = self.found.end;
            if end == End::Found || matches!(end, End::Stopped(Stopped::Requested(_))) {
                return;
            }
            let is_stuck = end != End::Bound;
            self.counters(if is_stuck { usize::MAX } else { 4 * self.found.figures.states as usize });
            if let Some(Err(stopped @ Stopped::Requested(_))) = self.is_over {
                self.found.end = End::Stopped(stopped);
                return;
            }
            let is_over = self.is_over == Some(Ok(()));
            if is_over && !self.is_reachable_beyond() {
                if self.is_closed() {
                    self.found.end = End::Closed;
                } else {
                    // Calls are missing behind what levels have looked at.
                    self.found.cut = self.found.cut.or(Some(bound.saturating_add(1)));
                }
                return;
            }
            if is_stuck {
                return;
            }
            bound = bound.saturating_add(2.max(bound / 4));
        }
    }

    /// Everything was looked at, and no calls are missing.
    fn is_closed(&self) -> bool {
        self.is_over == Some(Ok(())) && !self.cover.is_cut
    }

    /// Some target can be reached whose least bound is not known.
    fn is_reachable_beyond(&self) -> bool {
        self.found
            .is_reached
            .iter()
            .zip(&self.found.least)
            .any(|(reached, least)| *reached && least.is_none())
    }

    /// Levels up to a bound, for what is not known.
    fn levels(&mut self, bound: u32) {
        let is_out_of_reach = |n: usize| self.is_closed() && !self.found.is_reached[n];
        let open: Vec<usize> = (0..self.found.least.len())
            .filter(|n| self.found.least[*n].is_none() && !is_out_of_reach(*n))
            .collect();
        let targets: Vec<Vec<ThreadGoal>> = open.iter().map(|n| self.question.targets[*n].clone()).collect();
        let question =
            Question { targets: &targets, cost: Cost::Switches, bound: Some(bound), ..*self.question };
        let mut search = match question.program.slots.is_empty() {
            true => Search::new(&question, self.settings, &counts_within(&question, bound), false),
            // As many new threads may run as there are switches.
            false => {
                Search::new(&question, self.settings, &counts_of(&question, bound), false).with_started()
            }
        };
        let found = search.run(self.limits);
        for (n, least) in open.into_iter().zip(found.least) {
            self.found.least[n] = least;
            self.found.is_reached[n] |= least.is_some();
        }
        self.found.cut = self.found.cut.into_iter().chain(found.cut).min();
        self.found.looked_at = self.found.looked_at.max(found.looked_at);
        self.found.end = found.end;
        self.note(found.figures);
    }

    /// Counters, with so much more work at least.
    fn counters(&mut self, share: usize) {
        if self.is_over.is_some() {
            return;
        }
        let most = self.cover.len().saturating_add(share.max(LEAST_SHARE));
        match self.cover.run(most, self.limits) {
            Ok(true) => self.is_over = Some(Ok(())),
            Ok(false) => {}
            Err(stopped) => self.is_over = Some(Err(stopped)),
        }
        for (known, met) in self.found.is_reached.iter_mut().zip(&self.cover.met) {
            *known |= met;
        }
        self.note(self.cover.figures());
    }

    /// The figures are those of the search that took most states.
    fn note(&mut self, figures: Figures) {
        if figures.states >= self.found.figures.states {
            self.found.figures = figures;
        }
    }
}

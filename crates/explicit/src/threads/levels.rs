//! Configurations in the order of what they cost.
//!
//! Switches: a level holds the configurations that need so many and no fewer, each with the threads that are active in it at this
//! cost. All others are active in it at a cost of one more, so the next level begins with them, and an arrival at a configuration of
//! an earlier level is nothing new. Rounds: a configuration that is first reached in the turn of a thread is open to this one
//! and those behind it in the same round, to those before it in the next one.

use super::any_number::is_slot;
use super::mail::Mail;
use super::matter::Matter;
use super::origins::{Origin, Origins, Pair};
use super::steps::{DONE, ENDED_INSIDE, Move, START, Tables};
use super::store::Store;
use super::{Cost, End, Found, Question, Settings};
use crate::search::LOOK;
use crate::{Figures, Limits, Stopped};
use base::Known;
use rsm::{Copies, ThreadGoal};
use std::collections::VecDeque;
use std::ops::Range;

/// A search under way.
pub(super) struct Search<'p> {
    pub(super) tables: Tables<'p>,
    pub(super) store: Store,
    pub(super) origins: Origins,
    /// The block and the copy of each thread.
    pub(super) roles: Vec<(u32, u32)>,
    /// For each thread those that may change places with it.
    pub(super) groups: Vec<Range<usize>>,
    /// What is told to other shares of the search, if there are any.
    pub(super) mail: Option<Box<Mail>>,
    pub(super) cost: Cost,
    pub(super) bound: Option<u32>,
    lazy_start: bool,
    /// The one target is that nobody can go on.
    deadlocks: bool,
    widths: Vec<u32>,
    pub(super) least: Vec<Option<u32>>,
    pub(super) cut: Option<u32>,
    looked_at: Option<u32>,
    pub(super) at: Level,
    n_looks: u64,
}

/// What is looked at: all that has the same cost.
#[derive(Default)]
pub(super) struct Level {
    /// The cost.
    pub(super) number: u32,
    /// The first configuration of the level.
    pub(super) start: usize,
    /// For each configuration of the level a bit for each thread that is active in it.
    pub(super) active: Vec<u64>,
    pub(super) queue: VecDeque<Pair>,
}

/// Why a search goes no further.
pub(super) enum Halt {
    End(End),
    Stopped(Stopped),
}

impl From<Stopped> for Halt {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

impl<'p> Search<'p> {
    /// A search with so many copies of each block.
    pub(super) fn new(question: &Question<'p>, settings: Settings, counts: &[u32], traces: bool) -> Self {
        let goals: Vec<ThreadGoal> = question.targets.iter().flatten().copied().collect();
        let matter = Matter::new(question.program, &goals, counts, settings.reductions);
        let tables = Tables::new(question.program, matter, question.targets, settings.visibility);
        let tables = if settings.summaries { tables.with_summaries() } else { tables };
        let blocks = (0..).zip(counts);
        let roles: Vec<(u32, u32)> =
            blocks.flat_map(|(block, count)| (0..*count).map(move |copy| (block, copy))).collect();
        let is_symmetric = settings.symmetry && question.cost == Cost::Switches;
        let widths = vec![1; roles.len() + 1];
        Self {
            tables,
            store: Store::new(&widths),
            origins: Origins::new(traces),
            groups: groups(question, &goals, counts, is_symmetric),
            roles,
            mail: None,
            cost: question.cost,
            bound: question.bound,
            lazy_start: settings.lazy_start,
            deadlocks: false,
            widths,
            least: vec![None; question.targets.len()],
            cut: None,
            looked_at: None,
            at: Level::default(),
            n_looks: 0,
        }
    }

    /// A search for a deadlock, which takes the place of the one target of the question. First values are chosen at once: who cannot
    /// begin waits, too.
    pub(super) fn for_deadlocks(question: &Question<'p>, settings: Settings, traces: bool) -> Self {
        let settings = Settings { lazy_start: false, summaries: false, ..settings };
        let counts = super::any_number::counts_within(question, 0);
        let search = Self::new(question, settings, &counts, traces);
        Self { deadlocks: true, tables: search.tables.with_deadlocks(), ..search }
    }

    /// A search in which threads that are started are added to what is there.
    pub(super) fn with_started(self) -> Self {
        Self { tables: self.tables.with_started(self.bound), ..self }
    }

    /// Every target has been found. Whoever asks for none wants everything that is reached.
    pub(super) fn has_all(&self) -> bool {
        !self.least.is_empty() && self.least.iter().all(Option::is_some)
    }

    /// How many copies of a block are looked at.
    pub(super) fn n_copies(&self, block: u32) -> usize {
        self.roles.iter().filter(|role| role.0 == block).count()
    }

    /// Looks at everything within the bound.
    pub(super) fn run(&mut self, limits: &Limits<'_>) -> Found {
        let searched = match self.cost {
            Cost::Switches => self.switches(limits),
            Cost::Rounds => self.rounds(limits),
        };
        let end = match searched {
            Ok(end) | Err(Halt::End(end)) => end,
            Err(Halt::Stopped(stopped)) => End::Stopped(stopped),
        };
        let figures = self.figures();
        limits.gauge.searched(figures.searched());
        Found {
            least: self.least.clone(),
            is_reached: self.least.iter().map(Option::is_some).collect(),
            end,
            looked_at: self.looked_at,
            cut: self.cut,
            figures,
        }
    }

    pub(super) fn figures(&self) -> Figures {
        let active = self.at.active.capacity() * 8 + self.at.queue.capacity() * size_of::<Pair>();
        let mail = self.mail.as_ref().map_or(0, |mail| mail.bytes());
        let bytes = self.store.bytes() + self.tables.bytes() + self.origins.bytes() + active + mail;
        Figures {
            states: self.store.len() as u64,
            entries: self.tables.n_entries() as u64,
            bytes: bytes as u64,
            words: self.store.n_words(),
            ..Figures::default()
        }
    }

    fn switches(&mut self, limits: &Limits<'_>) -> Result<End, Halt> {
        self.start(limits)?;
        for configuration in 0..self.store.len() {
            for thread in self.standing(configuration) {
                self.activate(Pair { configuration, thread });
            }
        }
        loop {
            self.drain(limits)?;
            self.level_is_done(limits);
            if self.bound == Some(self.at.number) {
                return Ok(End::Bound);
            }
            let level = self.at.start..self.store.len();
            if level.is_empty() {
                return Ok(End::Closed);
            }
            self.at.number += 1;
            self.at.start = level.end;
            let was_active = std::mem::take(&mut self.at.active);
            let n_words = self.n_words();
            for (configuration, active) in level.zip(was_active.chunks_exact(n_words)) {
                for thread in self.standing(configuration) {
                    if active[thread / 64] >> (thread % 64) & 1 == 0 {
                        self.expand(Pair { configuration, thread }, limits)?;
                        self.drain(limits)?;
                    }
                }
            }
        }
    }

    fn drain(&mut self, limits: &Limits<'_>) -> Result<(), Halt> {
        while let Some(pair) = self.at.queue.pop_front() {
            self.expand(pair, limits)?;
        }
        Ok(())
    }

    fn rounds(&mut self, limits: &Limits<'_>) -> Result<End, Halt> {
        self.start(limits)?;
        let n_threads = self.roles.len();
        for configuration in 0..self.store.len() {
            for thread in self.standing(configuration) {
                self.meet(Pair { configuration, thread }, limits, true)?;
            }
        }
        self.level_is_done(limits);
        if self.bound == Some(0) {
            return Ok(End::Bound);
        }
        // Where the turn of each thread began in the round before: nothing was found then.
        let mut before = vec![0; n_threads + 1];
        loop {
            let first = before[n_threads];
            self.at.number += 1;
            let mut turns = Vec::with_capacity(n_threads + 1);
            for thread in 0..n_threads {
                // What initial configurations begin with belongs to the first turn.
                turns.push(if thread == 0 { first } else { self.store.len() });
                for configuration in before[thread + 1]..first {
                    self.expand(Pair { configuration, thread }, limits)?;
                }
                let mut configuration = first;
                while configuration < self.store.len() {
                    self.expand(Pair { configuration, thread }, limits)?;
                    configuration += 1;
                }
            }
            turns.push(self.store.len());
            self.level_is_done(limits);
            if self.store.len() == first {
                return Ok(End::Closed);
            }
            if self.bound == Some(self.at.number) {
                return Ok(End::Bound);
            }
            before = turns;
        }
    }

    fn level_is_done(&mut self, limits: &Limits<'_>) {
        self.looked_at = Some(self.at.number);
        if self.cut.is_none() && self.least.iter().all(Option::is_none) {
            limits.gauge.tell(Known::SafeWithin(self.at.number));
        }
    }

    /// The configurations in which runs start.
    pub(super) fn start(&mut self, limits: &Limits<'_>) -> Result<(), Halt> {
        if self.has_all() {
            return Err(Halt::End(End::Found));
        }
        let (program, matters) = (self.tables.program, self.tables.matter.shared().to_vec());
        Tables::each_first_shared(program, &matters, limits, &mut |shared| self.start_with(shared, limits))
    }

    /// The configurations in which runs start with these shared values.
    fn start_with(&mut self, shared: Vec<u64>, limits: &Limits<'_>) -> Result<(), Halt> {
        self.look(limits)?;
        let shared = self.tables.shared_number(shared);
        let Some(choices) = self.first_states(shared)? else { return Ok(()) };
        let mut numbers = vec![shared];
        numbers.extend(choices.iter().map(|choice| choice[0]));
        let mut picked = vec![0; choices.len()];
        loop {
            self.fit();
            let mut sorted = numbers.clone();
            self.sort(&mut sorted);
            if self.is_own(&sorted) {
                self.start_in(&sorted, limits)?;
            }
            let next = (0..choices.len()).rev().find(|thread| picked[*thread] + 1 < choices[*thread].len());
            let Some(next) = next else { return Ok(()) };
            picked[next] += 1;
            picked[next + 1..].fill(0);
            for thread in next..choices.len() {
                numbers[thread + 1] = choices[thread][picked[thread]];
            }
        }
    }

    fn start_in(&mut self, numbers: &[u32], limits: &Limits<'_>) -> Result<(), Halt> {
        let (configuration, is_new) = self.store.insert(numbers);
        if is_new {
            self.origins.found(None);
            self.at.active.resize(self.store.len() * self.n_words(), 0);
            self.look(limits)?;
            self.meet_deadlock(configuration, numbers, limits)?;
        }
        Ok(())
    }

    /// Puts the configurations in which runs start into the store, and nothing else.
    pub(super) fn first_configurations(&mut self, limits: &Limits<'_>) -> Result<(), Stopped> {
        match self.start(limits) {
            Err(Halt::Stopped(stopped)) => Err(stopped),
            _ => Ok(()),
        }
    }

    /// How each thread may begin beside these shared values; none if some thread cannot, for then there is no run. Of blocks of any
    /// number there are no copies then.
    fn first_states(&mut self, shared: u32) -> Result<Option<Vec<Vec<u32>>>, Stopped> {
        let mut of_blocks = Vec::new();
        for (block, known) in (0..).zip(&self.tables.program.blocks) {
            let values = self.tables.shared_values(shared).to_vec();
            if self.tables.started.is_some() && is_slot(self.tables.program, block) {
                of_blocks.push(vec![DONE]);
                continue;
            }
            let starts = self.tables.starts(block, &values)?;
            let is_used = self.roles.iter().any(|role| role.0 == block);
            of_blocks.push(match (starts.is_empty(), known.copies) {
                (true, Copies::Number(_)) if is_used => return Ok(None),
                (true, _) => vec![DONE],
                (false, _) if self.lazy_start => vec![START],
                (false, _) => starts.into_iter().map(|world| self.tables.numbers(world).1).collect(),
            });
        }
        Ok(Some(self.roles.iter().map(|role| of_blocks[role.0 as usize].clone()).collect()))
    }

    /// Threads that stand for all that are in the same state, those that are done left out.
    pub(super) fn standing(&self, configuration: usize) -> Vec<usize> {
        let mut numbers = Vec::new();
        self.store.read(configuration, &mut numbers);
        let locals = &numbers[1..];
        let stands = |thread: &usize| {
            let is_first = self.groups[*thread].start == *thread || locals[thread - 1] != locals[*thread];
            locals[*thread] != DONE && is_first
        };
        (0..locals.len()).filter(stands).collect()
    }

    /// A thread is active in a configuration of the present level.
    pub(super) fn activate(&mut self, pair: Pair) -> bool {
        let word = (pair.configuration - self.at.start) * self.n_words() + pair.thread / 64;
        let bit = 1 << (pair.thread % 64);
        let is_new = self.at.active[word] & bit == 0;
        self.at.active[word] |= bit;
        if is_new {
            self.at.queue.push_back(pair);
        }
        is_new
    }

    /// Words for a bit for each thread.
    pub(super) fn n_words(&self) -> usize {
        self.roles.len().div_ceil(64).max(1)
    }

    /// Notes what a thread meets that goes on from a configuration; says where its moves are.
    pub(super) fn meet(
        &mut self,
        pair: Pair,
        limits: &Limits<'_>,
        only_here: bool,
    ) -> Result<Range<usize>, Halt> {
        let mut numbers = Vec::new();
        self.store.read(pair.configuration, &mut numbers);
        self.meet_in(&numbers, pair, limits, only_here)
    }

    fn meet_in(
        &mut self,
        numbers: &[u32],
        pair: Pair,
        limits: &Limits<'_>,
        only_here: bool,
    ) -> Result<Range<usize>, Halt> {
        let (block, copy) = self.roles[pair.thread];
        let number = self.tables.entry((block, numbers[0], numbers[pair.thread + 1]), limits)?;
        let entry = self.tables.entry_at(number);
        let on_the_way = if only_here { &[] } else { &entry.on_the_way[..] };
        for (target, wanted) in entry.here.iter().chain(on_the_way) {
            if wanted.is_none_or(|wanted| wanted == copy) && self.least[*target].is_none() {
                self.least[*target] = Some(self.at.number);
                self.origins.met(pair);
            }
        }
        if entry.is_cut && !only_here {
            self.cut = self.cut.or(Some(self.at.number));
        }
        if self.has_all() { Err(Halt::End(End::Found)) } else { Ok(entry.moves.clone()) }
    }

    /// Takes every move of a thread.
    pub(super) fn expand(&mut self, pair: Pair, limits: &Limits<'_>) -> Result<(), Halt> {
        let mut numbers = Vec::with_capacity(self.widths.len());
        self.store.read(pair.configuration, &mut numbers);
        if numbers[pair.thread + 1] == DONE {
            return Ok(());
        }
        let moves = self.meet_in(&numbers, pair, limits, false)?;
        self.fit();
        let meaning = self.mail.as_mut().map_or(0, |mail| mail.meaning(&self.tables, &numbers));
        let here = (numbers[0], numbers[pair.thread + 1]);
        let mut after = Vec::with_capacity(numbers.len());
        for n in moves {
            let Move { shared, local, started } = self.tables.move_at(n).clone();
            after.clone_from(&numbers);
            after[0] = shared;
            let thread = place(&mut after[1..], &self.groups[pair.thread], pair.thread, local);
            if let Some(mail) = &mut self.mail {
                let meaning = mail.moved(&self.tables, meaning, pair.thread, [here, (shared, local)]);
                let owner = mail.owner(meaning);
                self.reach(&after, owner, thread, pair, limits)?;
                continue;
            }
            if started.is_empty() {
                self.arrive_at(&after, thread, Origin::new(0, pair), limits)?;
                continue;
            }
            for (after, thread) in self.with_new(after.clone(), thread, &started) {
                self.arrive_at(&after, thread, Origin::new(0, pair), limits)?;
            }
        }
        Ok(())
    }

    /// A move leads to a configuration of some share, in which this thread is active.
    fn reach(
        &mut self,
        numbers: &[u32],
        owner: u8,
        thread: usize,
        from: Pair,
        limits: &Limits<'_>,
    ) -> Result<(), Halt> {
        let mail = self.mail.as_mut().expect("there are several shares");
        let origin = Origin::new(mail.share.number, from);
        if owner == mail.share.number {
            return self.arrive_at(numbers, thread, origin, limits);
        }
        let pair = [thread, from.configuration, from.thread].map(|n| n as u32);
        let beside = [pair[0], u32::from(origin.share), pair[1], pair[2]];
        let n_beside = if self.origins.is_wanted() { beside.len() } else { 1 };
        mail.send(owner, &self.tables, numbers, &beside[..n_beside]);
        Ok(())
    }

    /// The configuration belongs to this share.
    fn is_own(&mut self, numbers: &[u32]) -> bool {
        let Some(mail) = &mut self.mail else { return true };
        let meaning = mail.meaning(&self.tables, numbers);
        mail.owner(meaning) == mail.share.number
    }

    /// A move of this share or of another one has led to a configuration of this one.
    pub(super) fn arrive_at(
        &mut self,
        numbers: &[u32],
        thread: usize,
        from: Origin,
        limits: &Limits<'_>,
    ) -> Result<(), Halt> {
        let (configuration, is_new) = self.store.insert(numbers);
        self.arrive(Pair { configuration, thread }, is_new, from);
        if is_new {
            self.look(limits)?;
            self.meet_deadlock(configuration, numbers, limits)?;
        }
        Ok(())
    }

    /// Adds threads that the active one has started. There is room for as many as can run within the bound; if there are more, each of
    /// them may be the one that never runs again.
    fn with_new(&self, numbers: Vec<u32>, thread: usize, started: &[u32]) -> Vec<(Vec<u32>, usize)> {
        let block = self.tables.started.as_ref().map(|started| started.block);
        let room: Vec<usize> =
            (0..self.roles.len()).filter(|thread| Some(self.roles[*thread].0) == block).collect();
        let mut all = vec![(numbers, thread)];
        for new in started {
            let mut next = Vec::new();
            for (numbers, active) in all {
                // Who is active stays so, even if it has ended: nobody takes its place without a switch.
                let mut others = room.iter().copied().filter(|thread| *thread != active);
                let free = others.clone().find(|thread| numbers[thread + 1] == DONE);
                match free {
                    Some(free) => next.push(self.with_one(&numbers, active, free, *new)),
                    None => {
                        next.extend(
                            others.by_ref().map(|thread| self.with_one(&numbers, active, thread, *new)),
                        );
                        next.push((numbers, active));
                    }
                }
            }
            next.sort_unstable();
            next.dedup();
            all = next;
        }
        all
    }

    /// Puts a new thread into a place; says where the active one is then.
    fn with_one(&self, numbers: &[u32], active: usize, at: usize, new: u32) -> (Vec<u32>, usize) {
        let mut numbers = numbers.to_vec();
        let own = numbers[active + 1];
        numbers[at + 1] = new;
        let group = &self.groups[at];
        numbers[group.start + 1..group.end + 1].sort_unstable();
        if !group.contains(&active) {
            return (numbers, active);
        }
        let n_before = numbers[group.start + 1..group.end + 1].iter().filter(|local| **local < own).count();
        let active = if group.len() > 1 { group.start + n_before } else { active };
        (numbers, active)
    }

    /// Notes if nobody can go on from a configuration that is new, and somebody has not ended.
    fn meet_deadlock(
        &mut self,
        configuration: usize,
        numbers: &[u32],
        limits: &Limits<'_>,
    ) -> Result<(), Halt> {
        if !self.deadlocks {
            return Ok(());
        }
        // Once somebody has ended in an atomic region, what the others could do does not count.
        let is_over = numbers[1..].contains(&ENDED_INSIDE);
        let mut all_ended = true;
        for thread in 0..self.roles.len() {
            let state = (self.roles[thread].0, numbers[0], numbers[thread + 1]);
            let number = self.tables.entry(state, limits)?;
            let entry = self.tables.entry_at(number);
            all_ended &= entry.has_ended;
            if entry.can_move && !is_over {
                self.fit();
                return Ok(());
            }
        }
        self.fit();
        if all_ended {
            return Ok(());
        }
        self.least.fill(Some(self.at.number));
        self.origins.met(Pair { configuration, thread: NOBODY });
        Err(Halt::End(End::Found))
    }

    fn arrive(&mut self, to: Pair, is_new: bool, from: Origin) {
        if is_new {
            self.origins.found(Some(from));
        }
        if self.cost == Cost::Rounds {
            return;
        }
        if is_new {
            let n_active = (self.store.len() - self.at.start) * self.n_words();
            self.at.active.resize(n_active, 0);
            self.activate(to);
        } else if to.configuration >= self.at.start && self.activate(to) {
            self.origins.came(to, from);
        }
    }

    /// Makes room for all numbers that there are.
    pub(super) fn fit(&mut self) {
        let (n_shared, n_locals) = self.tables.sizes();
        let bits = |n: usize| (usize::BITS - n.saturating_sub(1).leading_zeros()).max(1);
        let n_locals: Vec<u32> = n_locals.map(bits).collect();
        let blocks = self.roles.iter().map(|role| n_locals[role.0 as usize]);
        let needed = std::iter::once(bits(n_shared)).chain(blocks);
        let mut is_wider = false;
        for (width, needed) in self.widths.iter_mut().zip(needed) {
            is_wider |= needed > *width;
            *width = (*width).max(needed);
        }
        if is_wider {
            self.store.widen(&self.widths);
        }
    }

    /// Brings the copies of each block into order.
    pub(super) fn sort(&self, numbers: &mut [u32]) {
        let mut thread = 0;
        while thread < self.groups.len() {
            let group = &self.groups[thread];
            numbers[group.start + 1..group.end + 1].sort_unstable();
            thread = group.end;
        }
    }

    /// Looks now and then whether to go on.
    fn look(&mut self, limits: &Limits<'_>) -> Result<(), Stopped> {
        self.n_looks += 1;
        if self.store.len() as u64 > limits.max_states {
            return Err(Stopped::States);
        }
        if !self.n_looks.is_multiple_of(LOOK) {
            return Ok(());
        }
        let figures = self.figures();
        let allowed = self.mail.as_ref().map_or_else(|| limits.bytes(), |mail| mail.allowed);
        if self.store.is_full() || figures.bytes > allowed {
            return Err(Stopped::Memory);
        }
        if self.mail.is_none() {
            limits.gauge.searched(figures.searched());
        }
        match limits.stop.requested_after(LOOK / PER_UNIT) {
            Some(reason) => Err(Stopped::Requested(reason)),
            None => Ok(()),
        }
    }
}

/// So many configurations are a unit of work.
const PER_UNIT: u64 = 5;

/// Where nobody can go on, nobody is active.
pub(super) const NOBODY: usize = usize::MAX;

/// Puts the thread into a new state, and into its place among those it may change places with: before all in the same state. Says
/// where that is.
pub(super) fn place(locals: &mut [u32], group: &Range<usize>, thread: usize, local: u32) -> usize {
    let mut at = thread;
    while at > group.start && locals[at - 1] >= local {
        locals[at] = locals[at - 1];
        at -= 1;
    }
    while at + 1 < group.end && locals[at + 1] < local {
        locals[at] = locals[at + 1];
        at += 1;
    }
    locals[at] = local;
    at
}

/// For each thread those that may change places with it: the copies of its block, unless a goal names one.
fn groups(
    question: &Question<'_>,
    goals: &[ThreadGoal],
    counts: &[u32],
    is_symmetric: bool,
) -> Vec<Range<usize>> {
    let mut groups = Vec::new();
    for (block, count) in question.program.blocks.iter().zip(counts) {
        let is_named =
            goals.iter().any(|goal| goal.copy.is_some() && block.modules.contains(&goal.goal.module()));
        let (first, end) = (groups.len(), groups.len() + *count as usize);
        let group = |thread| if is_symmetric && !is_named { first..end } else { thread..thread + 1 };
        groups.extend((first..end).map(group));
    }
    groups
}

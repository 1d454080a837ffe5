//! The search: states of activations, found on the fly, with summaries as they turn up.
//!
//! ```text
//! START   Reach(e, e) :- Initial(e).
//! STEP    Reach(e, v) :- Reach(e, u), Block(u, v).
//! CALL    Reach(f, f) :- Reach(e, u), IntoCall(u, f).
//! RETURN  Reach(e, v) :- Reach(e, u), IntoCall(u, f), Reach(f, x), SetReturn(u, x, v).
//! ```
//!
//! An entry has a list of callers and a list of exits; whoever comes later to the one walks the other. A state remembers its
//! first way: a parent that is older, so that runs can be rebuilt. Nothing recurses. Paper: \[VERA05\], figure 2.

mod expand;
mod letter;
mod owner;
mod room;

use letter::Letter;
pub(crate) use letter::{MOST_BLOCKS, Mail, Site};
use owner::Guests;
pub(crate) use owner::{Share, owner_among};

use crate::cycle::Log;
use crate::order::Agenda;
use crate::program::{Kind, Program};
use crate::table::{Budget, Full, NONE, Record, Table};
use crate::{Figures, Limits, Order, Question, Stopped};
use rsm::values::TooLarge;

/// An entry: a module, and the values with which it starts.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    /// The state at its start.
    pub(crate) start: u32,
    pub(crate) module: u32,
    /// The call that came first: a state and where it calls.
    pub(crate) first: (u32, Site),
    /// Lists: positions in [`Activations::cells`].
    callers: u32,
    exits: u32,
    /// The steps from the start of the program by the first call.
    distance: u32,
}

/// A member of a list: a caller and where it calls, or an exit; and the next one.
struct Cell {
    state: u32,
    site: Site,
    next: u32,
}

/// Masks of the program, in arrays.
pub(crate) struct Masks<const W: usize> {
    /// For each point.
    live: Vec<[u64; W]>,
    /// For each module.
    entry: Vec<[u64; W]>,
    modified: Vec<[u64; W]>,
    globals: [u64; W],
    /// For each point whether there is a goal.
    has_goals: Vec<bool>,
}

impl<const W: usize> Masks<W> {
    fn new(program: &Program) -> Self {
        let words =
            |mask: &Vec<u64>| -> [u64; W] { std::array::from_fn(|n| mask.get(n).copied().unwrap_or(0)) };
        Self {
            live: program.points.iter().map(|point| words(&point.live)).collect(),
            entry: program.modules.iter().map(|module| words(&module.entry_mask)).collect(),
            modified: program.modules.iter().map(|module| words(&module.modified)).collect(),
            globals: words(&program.layout.global_mask),
            has_goals: program.points.iter().map(|point| !point.goals.is_empty()).collect(),
        }
    }

    /// What a state keeps at a point.
    pub(crate) fn live_at(&self, point: u32) -> &[u64; W] {
        &self.live[point as usize]
    }

    /// What tells the entries of a module from each other.
    pub(crate) fn entry_of(&self, module: u32) -> &[u64; W] {
        &self.entry[module as usize]
    }

    /// Where globals are.
    pub(crate) fn globals(&self) -> &[u64; W] {
        &self.globals
    }

    /// RETURN: the values with which a caller goes on, if it can, when an exit leaves these.
    pub(crate) fn returned(
        &self,
        program: &Program,
        caller: &[u64; W],
        block: u32,
        left: &[u64; W],
    ) -> Result<Option<[u64; W]>, Halt> {
        let block = &program.blocks[block as usize];
        let Kind::Call { callee, results } = &block.kind else { unreachable!("a caller calls") };
        let modified = &self.modified[*callee as usize];
        let mut key = *caller;
        for n in 0..W {
            key[n] = (key[n] & !modified[n]) | (left[n] & modified[n]);
        }
        for (result, target) in results {
            target.set(&mut key, result.get(left));
        }
        let module = program.points[block.to as usize].module as usize;
        let holds = match &program.modules[module].enforce {
            Some(condition) => condition.can_hold(&key, &key)?,
            None => true,
        };
        Ok(holds.then_some(key))
    }
}

/// The states that have been found, by number.
pub(crate) struct States<const W: usize> {
    pub(crate) records: Vec<Record<W>>,
    /// For each the one before it and the block, or, with the bit `FAIR`, the caller and the exit.
    pub(crate) parents: Vec<(u32, u32)>,
    /// For each the shares that the one before it and the exit belong to; empty if there is one share only.
    pub(crate) shares: Vec<[u8; 2]>,
    /// For each the steps from its entry; not in depth-first order.
    costs: Vec<u32>,
    table: Table,
}

/// How a state is reached: from the one before it, by a block or, with the bit `FAIR`, by way of an exit. And the shares of both, the first one twice
/// where there is no exit.
#[derive(Clone, Copy)]
pub(crate) struct Origin {
    before: u32,
    how: u32,
    shares: [u8; 2],
}

/// The entries that have been found, by number, with their callers and exits.
pub(crate) struct Activations {
    pub(crate) entries: Vec<Entry>,
    table: Table,
    cells: Vec<Cell>,
}

/// The goals that have been found.
pub(crate) struct Goals {
    /// For each the first state there.
    pub(crate) found: Vec<Option<u32>>,
    n_missing: usize,
}

/// The search, or a share of it.
pub(crate) struct Search<'p, const W: usize> {
    pub(crate) program: &'p Program,
    pub(crate) share: Share,
    /// What the other shares are to be told, by share.
    pub(crate) mail: Vec<Mail<W>>,
    pub(crate) masks: Masks<W>,
    pub(crate) question: Question,
    pub(crate) states: States<W>,
    pub(crate) activations: Activations,
    guests: Guests,
    agenda: Agenda,
    /// The states that the last step added.
    fresh: Vec<u32>,
    pub(crate) log: Log,
    pub(crate) goals: Goals,
    budget: Budget,
    digits: Vec<u64>,
    /// Some state has no step.
    has_blocked: bool,
}

/// Why a search cannot go on.
pub(crate) enum Halt {
    Full,
    TooLarge,
    Stopped(Stopped),
}

impl From<Full> for Halt {
    fn from(Full: Full) -> Self {
        Halt::Full
    }
}

impl From<TooLarge> for Halt {
    fn from(TooLarge: TooLarge) -> Self {
        Halt::TooLarge
    }
}

impl From<Stopped> for Halt {
    fn from(stopped: Stopped) -> Self {
        Halt::Stopped(stopped)
    }
}

impl From<Halt> for Stopped {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Full => Stopped::Memory,
            Halt::TooLarge => Stopped::TooLarge,
            Halt::Stopped(stopped) => stopped,
        }
    }
}

/// After so many steps somebody looks whether to stop.
const PATIENCE: u32 = 1024;

/// So many units of work, as the stop flag counts them, these are: a unit takes a few microseconds.
pub(crate) const LOOK: u64 = 100;

/// So many successors of a state are looked at in one step of an order by levels.
const AT_ONCE: u32 = 64;

impl<'p, const W: usize> Search<'p, W> {
    /// A search that has not begun.
    pub(crate) fn new(
        program: &'p Program,
        share: Share,
        question: Question,
        order: Order,
        limits: &Limits<'_>,
    ) -> Self {
        Self {
            program,
            share,
            mail: (0..share.of).map(|_| Mail::default()).collect(),
            masks: Masks::new(program),
            question,
            states: States {
                records: Vec::new(),
                parents: Vec::new(),
                shares: Vec::new(),
                costs: Vec::new(),
                table: Table::new(),
            },
            activations: Activations { entries: Vec::new(), table: Table::new(), cells: Vec::new() },
            guests: Guests::new(),
            agenda: Agenda::new(order),
            fresh: Vec::new(),
            log: Log::new(question),
            goals: Goals { found: vec![None; program.n_goals], n_missing: program.n_goals },
            budget: Budget { used: 0, allowed: limits.max_bytes },
            digits: Vec::new(),
            has_blocked: false,
        }
    }

    /// Searches until the question is answered, or there is nothing left.
    pub(crate) fn run(&mut self, limits: &Limits<'_>) -> Result<(), Stopped> {
        self.begin()?;
        self.resume(limits)
    }

    /// Goes on after as many states as were allowed.
    pub(crate) fn resume(&mut self, limits: &Limits<'_>) -> Result<(), Stopped> {
        self.work(limits).map_err(Stopped::from)
    }

    fn work(&mut self, limits: &Limits<'_>) -> Result<(), Halt> {
        let mut patience = 0;
        while !self.has_answer() {
            if patience == 0 {
                patience = PATIENCE;
                limits.look(|| self.figures())?;
                self.budget.allowed = usize::try_from(limits.bytes()).unwrap_or(usize::MAX);
            }
            patience -= 1;
            let goes_on = if self.agenda.is_stack() { self.proceed()? } else { self.proceed_by_level()? };
            if !goes_on {
                break;
            }
            if self.states.records.len() >= self.log.due {
                self.check_cycles(limits)?;
            }
        }
        if self.log.is_kept && self.log.cycle.is_none() {
            self.check_cycles(limits)?;
        }
        Ok(())
    }

    /// Enters the root.
    pub(crate) fn begin(&mut self) -> Result<(), Halt> {
        let tables = self.states.table.bytes() + self.activations.table.bytes() + self.guests.table_bytes();
        self.budget.exchange(tables, 0)?;
        let root = self.program.root();
        if self.owner(root, &[0; W]) == self.share.number {
            self.enter(root, [0; W], 0, (NONE, Site::NOWHERE))?;
            self.schedule()?;
        }
        Ok(())
    }

    /// Takes up to so many steps, depth first, unless something is found before; says how many.
    pub(crate) fn slice(&mut self, n_most: u32, limits: &Limits<'_>) -> Result<u32, Halt> {
        for n in 0..n_most {
            if n % PATIENCE == 0
                && let Some(reason) = limits.stop.requested_after(LOOK)
            {
                return Err(Stopped::Requested(reason).into());
            }
            if self.has_answer() || !self.proceed()? {
                return Ok(n);
            }
        }
        Ok(n_most)
    }

    /// Whether something that is asked for has been found.
    pub(crate) fn has_answer(&self) -> bool {
        match self.question {
            Question::Any => self.goals.n_missing < self.goals.found.len(),
            Question::Each => self.goals.n_missing == 0,
            Question::Repeat | Question::Infinite => self.log.cycle.is_some(),
            Question::Finite => {
                let has_failed = self.goals.n_missing < self.goals.found.len();
                (self.has_blocked || has_failed) && self.has_ended()
            }
        }
    }

    fn check_cycles(&mut self, limits: &Limits<'_>) -> Result<(), Halt> {
        let n_states = self.states.records.len();
        let bytes = self.log.bytes_to_check(n_states);
        self.budget.exchange(bytes, bytes)?;
        Ok(self.log.check(n_states, limits.stop)?)
    }

    /// One successor of the state on top of the stack; `false` if there is nothing left.
    fn proceed(&mut self) -> Result<bool, Halt> {
        let Some((state, mut cursor)) = self.agenda.top() else { return Ok(false) };
        if self.advance(state, &mut cursor)? {
            self.agenda.replace_top(&mut self.budget, state, cursor)?;
        } else {
            self.agenda.pop();
        }
        self.schedule()?;
        Ok(true)
    }

    /// The successors of the next state, or in `widen` those whose turn it is.
    fn proceed_by_level(&mut self) -> Result<bool, Halt> {
        let Some((state, cost, mut cursor)) = self.agenda.take(&mut self.budget) else { return Ok(false) };
        if cost != self.states.costs[state as usize] {
            // There was a shorter way.
            return Ok(true);
        }
        if self.agenda.order() == Order::Bfs {
            self.visit(state)?;
        }
        let is_exit = self.is_exit(state);
        let mut is_first = true;
        for _ in 0..AT_ONCE {
            if self.has_answer() {
                return Ok(true);
            }
            let bits = cursor.number.n_bits();
            if self.agenda.order() == Order::Widen && !is_first && bits > 0 && !is_exit {
                // The k-th value waits log2 k levels.
                let level = self.level(state) + bits;
                if level > self.agenda.level() {
                    self.agenda.put(&mut self.budget, level, (state, cost, cursor))?;
                    return Ok(true);
                }
            }
            is_first = false;
            let goes_on = self.advance(state, &mut cursor)?;
            self.schedule()?;
            if !goes_on {
                return Ok(true);
            }
        }
        // There are more, perhaps very many: somebody may want to stop in between.
        let level = self.agenda.level();
        self.agenda.put(&mut self.budget, level, (state, cost, cursor))?;
        Ok(true)
    }

    /// The steps from the start of the program to a state, as far as known.
    fn level(&self, state: u32) -> u32 {
        let entry = self.states.records[state as usize].entry();
        self.distance(entry).saturating_add(self.states.costs[state as usize])
    }

    /// Puts the new states on the agenda.
    fn schedule(&mut self) -> Result<(), Halt> {
        while let Some(state) = self.fresh.pop() {
            if self.agenda.is_stack() {
                self.agenda.push(&mut self.budget, state)?;
            } else {
                let level = self.level(state).max(self.agenda.level());
                let item = (state, self.states.costs[state as usize], Default::default());
                self.agenda.put(&mut self.budget, level, item)?;
            }
        }
        Ok(())
    }

    /// How far it has come.
    pub(crate) fn figures(&self) -> Figures {
        Figures {
            states: self.states.records.len() as u64,
            entries: self.activations.entries.len().saturating_sub(1) as u64,
            edges: self.log.edges.len() as u64,
            checks: self.log.n_checks,
            bytes: self.budget.used as u64,
            words: W,
            shorter_than: (self.agenda.order() == Order::Bfs).then(|| self.agenda.level()),
            ends: self.has_ended(),
            blocks: self.has_blocked,
            sharing: None,
        }
    }
}

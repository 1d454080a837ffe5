//! The successors of one state: steps, calls, returns.

use super::{Cell, Entry, Halt, Letter, Origin, Search, Site};
use crate::choice::{Cursor, Execution, Number};
use crate::program::Kind;
use crate::table::{FAIR, NONE, Record, hash};
use crate::{Order, Question};

impl<const W: usize> Search<'_, W> {
    /// One successor of a state; `false` if there are no more.
    pub(super) fn advance(&mut self, state: u32, cursor: &mut Cursor) -> Result<bool, Halt> {
        let program = self.program;
        let record = self.states.records[state as usize];
        let point = &program.points[record.point() as usize];
        if record.point() == program.modules[point.module as usize].exit {
            return self.advance_exit(state, record.entry(), cursor);
        }
        let number = point.first_block + cursor.position;
        if number < point.end_block {
            let block = &program.blocks[number as usize];
            let mut after = [0; W];
            let globals = &self.masks.globals;
            let execution = Execution { block, globals, before: &record.key, wanted: None };
            if execution.next(cursor, &mut self.digits, &mut after)? {
                self.arrive(state, &record, number, after)?;
                cursor.has_step = true;
                if !block.dealt.is_empty() {
                    cursor.number.count_up();
                    return Ok(true);
                }
            }
        }
        *cursor = Cursor { position: cursor.position + 1, has_step: cursor.has_step, ..Cursor::default() };
        let goes_on = number + 1 < point.end_block;
        self.has_blocked |= !goes_on && !cursor.has_step && self.is_begun(&record);
        Ok(goes_on)
    }

    /// A block leads from a state to these values.
    fn arrive(&mut self, state: u32, record: &Record<W>, number: u32, after: [u64; W]) -> Result<(), Halt> {
        let block = &self.program.blocks[number as usize];
        let cost = self.cost(state);
        let entry = record.entry();
        match &block.kind {
            Kind::Step | Kind::Return => {
                let cost = cost.saturating_add(block.path.len() as u32);
                let origin = Origin { before: state, how: number, shares: [self.share.number; 2] };
                self.reach((entry, block.to), after, record.is_fair(), origin, cost, false)
            }
            Kind::Call { callee, .. } => self.call(state, number, *callee as usize, after),
        }
    }

    /// CALL: a caller enters a module with these values, here or in the share that owns the entry.
    fn call(&mut self, state: u32, number: u32, module: usize, mut key: [u64; W]) -> Result<(), Halt> {
        let mask = &self.masks.entry[module];
        for n in 0..W {
            key[n] &= mask[n];
        }
        let owner = self.owner(module, &key);
        if owner != self.share.number {
            let is_fair = self.log.is_kept && self.leaves_fairly(state, false)?;
            let letter = Letter { from: state, block: number, exit: NONE, is_fair, key };
            return self.send(owner, letter);
        }
        let entry = self.states.records[state as usize].entry();
        let distance = self.distance(entry).saturating_add(self.cost(state));
        let site = Site::new(self.share.number, number);
        let callee = self.enter(module, key, distance.saturating_add(1), (state, site))?;
        let origin = Origin { before: state, how: number, shares: [self.share.number; 2] };
        self.note(origin, self.activations.entries[callee as usize].start, false)?;
        self.wait(state, site, callee)
    }

    /// A caller waits for an entry: for the exits that it has, and for those to come.
    pub(super) fn wait(&mut self, state: u32, site: Site, callee: u32) -> Result<(), Halt> {
        let next = self.activations.entries[callee as usize].callers;
        let last = self.activations.cells.get(next as usize).map(|cell| (cell.state, cell.site));
        if last != Some((state, site)) {
            self.budget.push(&mut self.activations.cells, Cell { state, site, next })?;
            self.activations.entries[callee as usize].callers = self.activations.cells.len() as u32 - 1;
        }
        let mut exits = self.activations.entries[callee as usize].exits;
        while exits != NONE {
            let Cell { state: exit, next, .. } = self.activations.cells[exits as usize];
            self.come_back(state, site, exit)?;
            exits = next;
        }
        Ok(())
    }

    /// An exit meets the next of its callers; those that come later will look for it.
    fn advance_exit(&mut self, state: u32, entry: u32, cursor: &mut Cursor) -> Result<bool, Halt> {
        if cursor.position == 0 {
            let entry = &mut self.activations.entries[entry as usize];
            let cell = Cell { state, site: Site::NOWHERE, next: entry.exits };
            self.budget.push(&mut self.activations.cells, cell)?;
            entry.exits = self.activations.cells.len() as u32 - 1;
            let number = Number { low: u64::from(entry.callers), rest: Vec::new() };
            *cursor = Cursor { position: 1, number, ..Cursor::default() };
        }
        let Some(&Cell { state: caller, site, next }) =
            self.activations.cells.get(cursor.number.low as usize)
        else {
            return Ok(false);
        };
        cursor.number.low = u64::from(next);
        self.come_back(caller, site, state)?;
        Ok(next != NONE)
    }

    /// An exit meets a caller, here or in the share that the caller belongs to.
    fn come_back(&mut self, caller: u32, site: Site, exit: u32) -> Result<(), Halt> {
        let Record { key, .. } = self.states.records[exit as usize];
        let inside = self.states.records[exit as usize].is_fair();
        if site.share() != self.share.number {
            let letter = Letter { from: caller, block: site.block(), exit, is_fair: inside, key };
            return self.send(site.share(), letter);
        }
        let cost = self.cost(caller).saturating_add(self.cost(exit)).saturating_add(1);
        self.go_on(caller, site.block(), (self.share.number, exit, inside), &key, cost)
    }

    /// A caller goes on with what an exit, perhaps of another share, leaves behind.
    pub(super) fn go_on(
        &mut self,
        caller: u32,
        block: u32,
        (share, exit, inside): (u8, u32, bool),
        left: &[u64; W],
        cost: u32,
    ) -> Result<(), Halt> {
        let from = &self.states.records[caller as usize];
        let Some(key) = self.masks.returned(self.program, &from.key, block, left)? else { return Ok(()) };
        let (entry, is_fair) = (from.entry(), from.is_fair() || inside);
        let to = self.program.blocks[block as usize].to;
        let origin = Origin { before: caller, how: exit | FAIR, shares: [self.share.number, share] };
        self.reach((entry, to), key, is_fair, origin, cost, inside)
    }

    /// The steps from its entry to a state; depth first, nobody counts them.
    #[inline]
    fn cost(&self, state: u32) -> u32 {
        self.states.costs.get(state as usize).copied().unwrap_or(0)
    }

    /// The state of an entry at a point: found, or new.
    #[inline]
    pub(super) fn insert(
        &mut self,
        (entry, point): (u32, u32),
        mut key: [u64; W],
        is_fair: bool,
        origin: Origin,
        cost: u32,
    ) -> Result<u32, Halt> {
        let live = &self.masks.live[point as usize];
        for n in 0..W {
            key[n] &= live[n];
        }
        let has_goals = self.masks.has_goals[point as usize];
        let is_repeat = self.question == Question::Repeat;
        let is_fair = is_repeat && (is_fair || (has_goals && self.is_at_goal(point, &key)?));
        let record = Record::new(entry, point, is_fair, key);
        let records = &self.states.records;
        self.budget.make_room(&mut self.states.table, |n| records[n as usize].hash())?;
        let hash = record.hash();
        let line = match self.states.table.find(hash, |n| records[n as usize] == record) {
            Ok(known) => {
                self.improve(known, origin, cost);
                return Ok(known);
            }
            Err(line) => line,
        };
        let number = self.states.records.len() as u32;
        if number >= FAIR - 1 {
            return Err(Halt::Full);
        }
        self.budget.push(&mut self.states.records, record)?;
        self.budget.push(&mut self.states.parents, (origin.before, origin.how))?;
        if self.share.of > 1 {
            self.budget.push(&mut self.states.shares, origin.shares)?;
        }
        if !self.agenda.is_stack() {
            self.budget.push(&mut self.states.costs, cost)?;
        }
        self.states.table.set(line, hash, number);
        self.fresh.push(number);
        if has_goals && self.agenda.order() != Order::Bfs {
            self.visit(number)?;
        }
        Ok(number)
    }

    /// There may be a shorter way to a state; only breadth-first order cares.
    #[inline]
    fn improve(&mut self, state: u32, origin: Origin, cost: u32) {
        if self.agenda.order() == Order::Bfs && cost < self.states.costs[state as usize] {
            self.states.costs[state as usize] = cost;
            self.states.parents[state as usize] = (origin.before, origin.how);
            self.fresh.push(state);
        }
    }

    /// The entry of a module with these values: found, or new.
    pub(super) fn enter(
        &mut self,
        module: usize,
        mut key: [u64; W],
        distance: u32,
        first: (u32, Site),
    ) -> Result<u32, Halt> {
        let mask = &self.masks.entry[module];
        for n in 0..W {
            key[n] &= mask[n];
        }
        let (entries, records) = (&self.activations.entries, &self.states.records);
        let start_of = |n: u32| &records[entries[n as usize].start as usize].key;
        self.budget.make_room(&mut self.activations.table, |n| entries[n as usize].hash(records))?;
        let is_meant = |n: u32| entries[n as usize].module as usize == module && *start_of(n) == key;
        let code = hash(module as u64, &key);
        let line = match self.activations.table.find(code, is_meant) {
            Ok(known) => return Ok(known),
            Err(line) => line,
        };
        let number = self.activations.entries.len() as u32;
        let entry = Entry { start: NONE, module: module as u32, first, callers: NONE, exits: NONE, distance };
        self.budget.push(&mut self.activations.entries, entry)?;
        self.activations.table.set(line, code, number);
        let point = self.program.modules[module].start;
        let origin = Origin { before: NONE, how: NONE, shares: [self.share.number; 2] };
        let start = self.insert((number, point), key, false, origin, 0)?;
        self.activations.entries[number as usize].start = start;
        Ok(number)
    }

    /// Writes down an edge of the graph from a state of this share, if somebody asks for cycles.
    #[inline]
    pub(super) fn note(&mut self, origin: Origin, to: u32, is_fair: bool) -> Result<(), Halt> {
        if !self.log.is_kept {
            return Ok(());
        }
        let is_fair = self.leaves_fairly(origin.before, is_fair)?;
        self.log_edge(origin, to, is_fair)
    }

    /// An edge that leaves a state is fair.
    pub(super) fn leaves_fairly(&self, from: u32, is_fair: bool) -> Result<bool, Halt> {
        let record = &self.states.records[from as usize];
        match self.question {
            Question::Repeat => Ok(is_fair || self.is_at_goal(record.point(), &record.key)?),
            _ => Ok(true),
        }
    }

    /// Writes down an edge, and the shares that it comes from.
    pub(super) fn log_edge(&mut self, origin: Origin, to: u32, is_fair: bool) -> Result<(), Halt> {
        if self.share.of > 1 {
            self.budget.push(&mut self.log.shares, origin.shares)?;
        }
        Ok(self.log.push(&mut self.budget, origin.before, to, is_fair, origin.how)?)
    }

    /// Some goal is reached at a point with these values.
    #[inline]
    pub(crate) fn is_at_goal(&self, point: u32, key: &[u64; W]) -> Result<bool, Halt> {
        for (_, fails) in &self.program.points[point as usize].goals {
            if fails.as_ref().map_or(Ok(true), |condition| condition.can_be(0, key, key))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Writes down the goals that are reached in a state.
    pub(super) fn visit(&mut self, state: u32) -> Result<(), Halt> {
        let Record { key, .. } = self.states.records[state as usize];
        let point = self.states.records[state as usize].point();
        for (goal, fails) in &self.program.points[point as usize].goals {
            let is_new = self.goals.found[*goal].is_none();
            if is_new && fails.as_ref().map_or(Ok(true), |condition| condition.can_be(0, &key, &key))? {
                self.goals.found[*goal] = Some(state);
                self.goals.n_missing -= 1;
            }
        }
        Ok(())
    }

    /// A state at the exit of its module.
    pub(super) fn is_exit(&self, state: u32) -> bool {
        let point = self.states.records[state as usize].point();
        let module = self.program.points[point as usize].module;
        self.program.modules[module as usize].exit == point
    }

    /// Some run has begun where this state is. Before the entry of a function that enforces something its locals have no values yet. If
    /// none is allowed, the caller cannot go on, or no run begins if it is `main`.
    fn is_begun(&self, record: &Record<W>) -> bool {
        let main = &self.program.modules[self.program.main];
        main.enforce.is_none() || record.point() != main.start
    }

    /// The root has been returned to: some run ends.
    pub(super) fn has_ended(&self) -> bool {
        let exit = self.program.modules[self.program.root()].exit;
        [false, true].into_iter().any(|is_fair| {
            let record = Record::new(0, exit, is_fair, [0; W]);
            self.states.table.find(record.hash(), |n| self.states.records[n as usize] == record).is_ok()
        })
    }
}

//! Configurations with a state of the observer: where they lead, who is able to move, and what is marked on the way.
//!
//! A configuration is the number of its shared values, one for the state of each thread, and the state of the observer. The copies of a
//! block that the observer does not name are a group: their states are kept sorted, and of copies in equal states the first moves for
//! all. An edge says which position moved and where it went; those between are shifted by one.

use super::super::mail::{Mail, Told};
use super::super::matter::Matter;
use super::super::store::Store;
use super::super::{Settings, blocking};
use super::stubborn::{Choice, Keeps, Turn, choose};
use super::table::{Local, Move, Table};
use super::touched::unseen_loops;
use crate::table::hash;
use crate::{Figures, Limits, Stopped};
use rsm::interleave::{Stops, World};
use rsm::observe::{Letter, Marks, Observer};
use rsm::{Concurrent, Copies};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;
use std::sync::Arc;

/// A thread: a position of a configuration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Role {
    pub(super) block: u32,
    pub(super) copy: u32,
    /// What of a letter is about it.
    bits: Letter,
}

/// A move of a thread with one of the observer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) to: u32,
    /// The position that moves, and where it is then.
    pub(super) from_place: u8,
    pub(super) to_place: u8,
    pub(super) marks: Marks,
}

impl Edge {
    /// Where the thread at a position is after it.
    pub(super) fn image(self, place: usize) -> usize {
        let (from, to) = (usize::from(self.from_place), usize::from(self.to_place));
        match place {
            _ if place == from => to,
            _ if from < place && place <= to => place - 1,
            _ if to <= place && place < from => place + 1,
            _ => place,
        }
    }
}

/// What is known of a configuration by itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// A bit for each position that is not able to move; says nothing inside.
    pub(super) unable: u64,
    /// Somebody is inside an atomic region.
    pub(super) is_inside: bool,
    /// The observer is in a target state.
    pub(super) is_target: bool,
}

/// Where the observer may go, and what that marks.
type Observations = [(u32, Marks)];

/// Shared values, and the states of the first threads.
type Beginning = (Vec<u64>, Vec<u32>);

/// All configurations so far.
pub(super) struct Graph<'p> {
    pub(super) table: Table<'p>,
    pub(super) store: Store,
    pub(super) roles: Vec<Role>,
    /// For each position those that may change places with it.
    pub(super) groups: Vec<Range<usize>>,
    widths: Vec<u32>,
    observed: FxHashMap<(u32, Letter), Arc<Observations>>,
    /// How runs stop with which the observer has gone along. That somebody ends inside an atomic region before others do is not among it.
    pub(super) stops: Stops,
    /// So many entries of the table have had their numbers fitted in.
    n_fitted: usize,
    /// The numbers of the configuration that is looked at, and of one that it leads to.
    scratch: Vec<u32>,
    moved: Vec<u64>,
    told: Vec<u32>,
    /// The entry of each thread in the configuration that is looked at, of the first of those that are in equal states.
    entries: Vec<u32>,
    turns: Vec<Turn>,
    /// Threads may be left out that need not move.
    is_stubborn: bool,
    /// For each thread the nodes to which it may come back unseen, and what is known of its local states.
    unseen_loops: Vec<Arc<Vec<Vec<bool>>>>,
    may_return: Vec<Vec<Option<bool>>>,
    pub(super) n_edges: u64,
    /// Configurations that were looked at, and those in which threads were left out.
    n_expanded: u64,
    n_reduced: u64,
    /// What is told to other shares of a search, if there are any.
    pub(super) mail: Option<Box<Mail>>,
}

/// A configuration on its way to others.
struct Expanded {
    numbers: Vec<u32>,
    /// What it means, if there are several shares.
    meaning: u64,
    letter: Letter,
    inside: Option<usize>,
    /// That of the observer.
    state: u32,
}

impl<'p> Graph<'p> {
    pub(super) fn new(program: &'p Concurrent, observer: &'p Observer, settings: Settings) -> Self {
        let counts: Vec<u32> = program
            .blocks
            .iter()
            .map(|block| match block.copies {
                Copies::Number(number) => number,
                Copies::Any => 0,
            })
            .collect();
        let settings = blocking(settings);
        let matter = Matter::new(program, &[], &counts, settings.reductions);
        let (roles, groups) = roles(observer, &counts, settings.symmetry);
        let widths = vec![1; roles.len() + 2];
        let is_stubborn = settings.stubborn_sets && may_be_stubborn(program);
        let may_return = vec![Vec::new(); roles.len()];
        let unseen_loops = match is_stubborn {
            true => loops_of(program, observer, &roles),
            false => Vec::new(),
        };
        Self {
            table: Table::new(program, observer, matter, settings),
            store: Store::new(&widths),
            roles,
            groups,
            widths,
            observed: FxHashMap::default(),
            stops: Stops::default(),
            n_fitted: 0,
            scratch: Vec::new(),
            moved: Vec::new(),
            told: Vec::new(),
            entries: Vec::new(),
            turns: Vec::new(),
            is_stubborn,
            unseen_loops,
            may_return,
            n_edges: 0,
            n_expanded: 0,
            n_reduced: 0,
            mail: None,
        }
    }

    /// In a quarter of all configurations threads were left out.
    pub(super) fn is_helped_by_stubborn_sets(&self) -> bool {
        self.n_reduced * 4 >= self.n_expanded
    }

    /// Threads may be left out that need not move. What counts steps counts theirs, too.
    pub(super) fn is_stubborn(&self) -> bool {
        self.is_stubborn && self.table.observer.ignores_repetition
    }

    pub(super) fn n_threads(&self) -> usize {
        self.roles.len()
    }

    /// Some positions may change places.
    pub(super) fn is_symmetric(&self) -> bool {
        self.groups.iter().any(|group| group.len() > 1)
    }

    pub(super) fn figures(&self, bytes: usize) -> Figures {
        Figures {
            states: self.store.len() as u64,
            entries: self.table.n_entries() as u64,
            bytes: (self.store.bytes() + self.table.bytes() + bytes) as u64,
            edges: self.n_edges,
            words: self.store.n_words(),
            ..Figures::default()
        }
    }

    /// Every field is wide enough for the numbers there are.
    fn fit(&mut self) {
        self.n_fitted = self.table.n_entries();
        let bits = |n: usize| (usize::BITS - n.saturating_sub(1).leading_zeros()).max(1);
        let (n_shared, locals) = self.table.sizes();
        let locals: Vec<u32> = locals.map(bits).collect();
        let mut needed = vec![bits(n_shared)];
        needed.extend(self.roles.iter().map(|role| locals[role.block as usize]));
        needed.push(bits(self.table.observer.states.len()));
        if self.widths.iter().zip(&needed).any(|(width, needed)| needed > width) {
            for (width, needed) in self.widths.iter_mut().zip(needed) {
                *width = (*width).max(needed);
            }
            self.store.widen(&self.widths);
        }
    }

    /// The configurations in which runs start, those that belong to other shares left out.
    pub(super) fn initial(&mut self, limits: &Limits<'_>) -> Result<Vec<u32>, Stopped> {
        let mut starts = Vec::new();
        for numbers in self.beginnings(limits)? {
            if self.is_elsewhere(&numbers) {
                continue;
            }
            let (position, is_new) = self.store.insert(&numbers);
            starts.extend(is_new.then_some(position as u32));
        }
        Ok(starts)
    }

    /// A configuration belongs to another share.
    fn is_elsewhere(&mut self, numbers: &[u32]) -> bool {
        let (threads, state) = numbers.split_at(self.roles.len() + 1);
        let Some(mail) = &mut self.mail else { return false };
        let meaning = mail.meaning(&self.table, threads);
        mail.owner(with_state(meaning, state[0])) != mail.share.number
    }

    /// A configuration that another share tells, in the state of the observer that comes with it: its position, and whether it is new.
    pub(super) fn arrive(&mut self, told: &mut Told, state: u32) -> Option<(u32, bool)> {
        if state as usize >= self.table.observer.states.len() || self.store.is_full() {
            return None;
        }
        let mut place = 0;
        while place < self.groups.len() {
            let group = &self.groups[place];
            told.numbers[group.start + 1..group.end + 1].sort_unstable();
            place = group.end;
        }
        if told.has_news {
            self.fit();
        }
        told.numbers.push(state);
        let (position, is_new) = self.store.insert(&told.numbers);
        Some((position as u32, is_new))
    }

    /// The numbers of configurations in which runs start: every thread has gone to its first stop.
    fn beginnings(&mut self, limits: &Limits<'_>) -> Result<Vec<Vec<u32>>, Stopped> {
        let mut found = Vec::new();
        for first in self.table.first_shared()? {
            let shared =
                self.table.matter.project(&World { shared: first.clone(), threads: Vec::new() }).shared;
            let mut lists: Vec<Beginning> = vec![(shared, Vec::new())];
            for role in self.roles.clone() {
                lists = self.with_thread(role.block, &first, lists, limits)?;
            }
            for (shared, mut numbers) in lists {
                numbers.insert(0, self.table.shared_number(shared));
                for state in &self.table.observer.initial {
                    found.push(numbers.iter().copied().chain([*state]).collect::<Vec<u32>>());
                }
            }
        }
        self.fit();
        Ok(found)
    }

    /// Shared values and threads with one thread more at its first stop; copies of a group in order.
    fn with_thread(
        &mut self,
        block: u32,
        first: &[u64],
        lists: Vec<Beginning>,
        limits: &Limits<'_>,
    ) -> Result<Vec<Beginning>, Stopped> {
        let (mut longer, mut known) = (Vec::new(), FxHashSet::default());
        let starts = self.table.starts(block, first)?;
        for (shared, list) in lists {
            let seeds: Vec<(World, bool)> =
                starts.iter().map(|thread| (self.table.project(&shared, thread), false)).collect();
            let walk = self.table.walk(&seeds, None, limits)?;
            for (shared, local) in self.table.ends(&walk) {
                let mut list = list.clone();
                list.push(self.table.local_number(block, local));
                let group = self.groups[list.len() - 1].start;
                list[group..].sort_unstable();
                if known.insert((shared.clone(), list.clone())) {
                    longer.push((shared, list));
                }
            }
            if longer.len() > super::super::steps::MAX_OUTCOMES {
                return Err(Stopped::TooLarge);
            }
        }
        Ok(longer)
    }

    /// What is seen of a configuration, and who is inside an atomic region.
    fn look(&self, numbers: Vec<u32>) -> Expanded {
        let mut letter = self.table.shared_bits(numbers[0]);
        let mut inside = None;
        for (place, (role, local)) in self.roles.iter().zip(&numbers[1..]).enumerate() {
            let fact = self.table.fact(role.block, *local);
            letter |= fact.bits & role.bits;
            if fact.is_inside {
                inside = Some(place);
            }
        }
        let state = numbers[self.roles.len() + 1];
        Expanded { numbers, meaning: 0, letter, inside, state }
    }

    /// The numbers of a configuration.
    pub(super) fn numbers(&self, position: u32) -> Vec<u32> {
        let mut numbers = Vec::with_capacity(self.roles.len() + 2);
        self.store.read(position as usize, &mut numbers);
        numbers
    }

    /// The states of the threads at some positions, each with the first position of its group, each once.
    pub(super) fn states_of(&self, position: u32, places: u64) -> Vec<(usize, u32)> {
        let numbers = self.numbers(position);
        let chosen = (0..self.roles.len()).filter(|place| places >> place & 1 == 1);
        let mut states: Vec<(usize, u32)> =
            chosen.map(|place| (self.groups[place].start, numbers[place + 1])).collect();
        states.dedup();
        states
    }

    /// Of threads in equal states this one moves for all.
    pub(super) fn is_first(&self, numbers: &[u32], place: usize) -> bool {
        place == self.groups[place].start || numbers[place] != numbers[place + 1]
    }

    /// The edges from a configuration.
    pub(super) fn expand(
        &mut self,
        position: u32,
        edges: &mut Vec<Edge>,
        limits: &Limits<'_>,
    ) -> Result<Node, Stopped> {
        self.expand_with(position, limits, |edge, _| edges.push(edge))
    }

    /// The same, each with its move.
    pub(super) fn expand_with(
        &mut self,
        position: u32,
        limits: &Limits<'_>,
        mut take: impl FnMut(Edge, Move),
    ) -> Result<Node, Stopped> {
        let (from, node) = self.look_at(position, limits)?;
        self.follow(position, &from, u64::MAX, &mut take)?;
        self.scratch = from.numbers;
        Ok(node)
    }

    /// Some edges from a configuration, so that what is to be kept is kept; whether an edge closes a cycle the caller knows.
    pub(super) fn expand_some(
        &mut self,
        position: u32,
        keeps: Keeps,
        closes: impl Fn(u32) -> bool,
        edges: &mut Vec<Edge>,
        limits: &Limits<'_>,
    ) -> Result<Node, Stopped> {
        let (from, node) = self.look_at(position, limits)?;
        let Choice { members, closing } = match from.inside {
            Some(_) => Choice::ALL,
            None => self.choose(&from, keeps),
        };
        let begin = edges.len();
        self.n_expanded += 1;
        let is_left_out = |(place, turn): (usize, &Turn)| members >> place & 1 == 0 && turn.n_moves > 0;
        self.n_reduced += u64::from(members != u64::MAX && self.turns.iter().enumerate().any(is_left_out));
        self.follow(position, &from, members, &mut |edge, _| edges.push(edge))?;
        if closing != members && edges[begin..].iter().any(|edge| closes(edge.to)) {
            self.follow(position, &from, closing & !members, &mut |edge, _| edges.push(edge))?;
        }
        self.scratch = from.numbers;
        Ok(node)
    }

    /// Who is able to move in a configuration, and what everybody can do.
    fn look_at(&mut self, position: u32, limits: &Limits<'_>) -> Result<(Expanded, Node), Stopped> {
        let mut numbers = std::mem::take(&mut self.scratch);
        self.store.read(position as usize, &mut numbers);
        let mut from = self.look(numbers);
        let is_target = self.table.observer.states[from.state as usize].is_target;
        let mut node = Node { unable: 0, is_inside: from.inside.is_some(), is_target };
        self.entries.clear();
        for place in 0..self.roles.len() {
            if from.inside.is_some_and(|inside| inside != place) {
                self.entries.push(u32::MAX);
                continue;
            }
            if !self.is_first(&from.numbers, place) {
                node.unable |= (node.unable >> (place - 1) & 1) << place;
                self.entries.push(self.entries[place - 1]);
                continue;
            }
            let block = self.roles[place].block;
            let entry = self.table.entry((block, from.numbers[0], from.numbers[place + 1]), limits)?;
            let known = self.table.entry_at(entry);
            node.unable |= u64::from(!known.is_able) << place;
            self.stops.ended |= known.ends_inside && self.have_ended(&from.numbers, Some(place));
            self.entries.push(entry);
        }
        if self.n_fitted < self.table.n_entries() {
            self.fit();
        }
        self.note_stop(&from, node);
        if let Some(mail) = &mut self.mail {
            from.meaning = mail.meaning(&self.table, &from.numbers[..=self.roles.len()]);
        }
        Ok((from, node))
    }

    /// Who has to move where nobody is inside an atomic region.
    fn choose(&mut self, from: &Expanded, keeps: Keeps) -> Choice {
        if keeps == Keeps::Everything {
            return Choice::ALL;
        }
        self.turns.clear();
        let observed = self.table.reach.observed;
        let values = self.table.shared_true(from.numbers[0]);
        for place in 0..self.roles.len() {
            if !self.is_first(&from.numbers, place) {
                self.turns.push(self.turns[place - 1]);
                continue;
            }
            let may_return = keeps == Keeps::Words && self.may_return(place, from.numbers[place + 1]);
            let role = self.roles[place];
            let entry = self.table.entry_at(self.entries[place]);
            let future = self.table.fact(role.block, from.numbers[place + 1]).future.given(values);
            self.turns.push(Turn {
                next: entry.next,
                future,
                n_moves: entry.moves.len() as u32,
                leads_inside: entry.leads_inside,
                may_change: entry.may_change & role.bits != 0 || entry.next.writes & observed != 0,
                does_change: entry.does_change & role.bits != 0,
                will_be_seen: future.sees & role.bits != 0 || future.writes & observed != 0,
                may_return,
                first: place,
            });
        }
        choose(keeps, &self.turns)
    }

    /// The thread at a position may come back to where it is without doing something that is seen.
    fn may_return(&mut self, place: usize, local: u32) -> bool {
        let known = &mut self.may_return[place];
        if known.len() <= local as usize {
            known.resize(local as usize + 1, None);
        }
        let (table, loops, block) = (&self.table, &self.unseen_loops[place], self.roles[place].block);
        *known[local as usize].get_or_insert_with(|| match table.local(block, local) {
            Local::Stop(thread) => {
                thread.stack.iter().any(|frame| loops[frame.module.index()][frame.node.index()])
            }
            Local::Spin { .. } => true,
            Local::Done { .. } => false,
        })
    }

    /// The moves of some threads; of those in equal states the first moves for all.
    fn follow(
        &mut self,
        position: u32,
        from: &Expanded,
        members: u64,
        take: &mut impl FnMut(Edge, Move),
    ) -> Result<(), Stopped> {
        let observed = self.observe(from.state, from.letter)?;
        for place in 0..self.roles.len() {
            let is_outside = from.inside.is_some_and(|inside| inside != place);
            if members >> place & 1 == 0 || is_outside || !self.is_first(&from.numbers, place) {
                continue;
            }
            for n in self.table.entry_at(self.entries[place]).moves.clone() {
                let step = self.table.move_at(n);
                let seen = step.seen & self.roles[place].bits;
                match seen {
                    0 => self.moved(position, from, place, step, &observed, take)?,
                    _ => {
                        let observed = self.observe(from.state, from.letter | seen)?;
                        self.moved(position, from, place, step, &observed, take)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// A move of a thread, with all that the observer may do.
    fn moved(
        &mut self,
        position: u32,
        from: &Expanded,
        place: usize,
        step: Move,
        observed: &Observations,
        take: &mut impl FnMut(Edge, Move),
    ) -> Result<(), Stopped> {
        let mut words = std::mem::take(&mut self.moved);
        words.clear();
        words.extend_from_slice(self.store.words(position as usize));
        self.store.put(&mut words, 0, step.shared);
        let to_place = self.put_local(&mut words, &from.numbers[1..], place, step.local);
        let (from_place, to_place) = (place as u8, to_place as u8);
        let meaning = self.meaning_after(from, place, step);
        for (state, marks) in observed {
            self.store.put(&mut words, from.numbers.len() - 1, *state);
            self.n_edges += 1;
            if let Some(mail) = &mut self.mail {
                let owner = mail.owner(with_state(meaning, *state));
                if owner != mail.share.number {
                    self.store.unpack(&words, &mut self.told);
                    let threads = &self.told[..=self.roles.len()];
                    mail.send(owner, &self.table, threads, &[position, *state, u32::from(*marks)]);
                    continue;
                }
            }
            if self.store.is_full() {
                return Err(Stopped::Memory);
            }
            let (to, _) = self.store.insert_words(&words);
            take(Edge { to: to as u32, from_place, to_place, marks: *marks }, step);
        }
        self.moved = words;
        Ok(())
    }

    /// What a configuration means after a move of a thread, if there are several shares.
    fn meaning_after(&mut self, from: &Expanded, place: usize, step: Move) -> u64 {
        let Some(mail) = &mut self.mail else { return 0 };
        let before = (from.numbers[0], from.numbers[place + 1]);
        mail.moved(&self.table, from.meaning, place, [before, (step.shared, step.local)])
    }

    /// Puts a thread into a new state, and into its place among those it may change places with; says where that is.
    fn put_local(&self, words: &mut [u64], locals: &[u32], place: usize, local: u32) -> usize {
        let group = &self.groups[place];
        let mut at = place;
        while at > group.start && locals[at - 1] >= local {
            self.store.put(words, at + 1, locals[at - 1]);
            at -= 1;
        }
        while at + 1 < group.end && locals[at + 1] < local {
            self.store.put(words, at + 1, locals[at + 1]);
            at += 1;
        }
        self.store.put(words, at + 1, local);
        at
    }

    /// Nobody can go on here, if that is so.
    fn note_stop(&mut self, from: &Expanded, node: Node) {
        let all = u64::MAX >> (u64::BITS - self.roles.len() as u32);
        if !node.is_inside && node.unable == all {
            let have_ended = self.have_ended(&from.numbers, None);
            self.stops.ended |= have_ended;
            self.stops.deadlock |= !have_ended;
        }
    }

    /// Where the observer may go.
    fn observe(&mut self, state: u32, letter: Letter) -> Result<Arc<Observations>, Stopped> {
        if let Some(known) = self.observed.get(&(state, letter)) {
            return Ok(known.clone());
        }
        let moves = self.table.observer.moves(state, letter).map_err(|_| Stopped::TooLarge)?;
        let moves: Arc<Observations> = moves.into();
        self.observed.insert((state, letter), moves.clone());
        Ok(moves)
    }

    /// All threads have ended, but perhaps one.
    fn have_ended(&self, numbers: &[u32], but: Option<usize>) -> bool {
        let mut threads = self.roles.iter().zip(&numbers[1..]).enumerate();
        threads
            .all(|(place, (role, local))| but == Some(place) || self.table.fact(role.block, *local).has_ended)
    }
}

/// What a configuration means with a state of the observer.
fn with_state(meaning: u64, state: u32) -> u64 {
    meaning.wrapping_add(hash(3, &[u64::from(state)]))
}

/// For each thread the nodes to which it may come back unseen.
fn loops_of(program: &Concurrent, observer: &Observer, roles: &[Role]) -> Vec<Arc<Vec<Vec<bool>>>> {
    let mut known: FxHashMap<Letter, Arc<Vec<Vec<bool>>>> = FxHashMap::default();
    let of = |role: &Role| {
        let found =
            known.entry(role.bits).or_insert_with(|| unseen_loops(program, observer, role.bits).into());
        found.clone()
    };
    roles.iter().map(of).collect()
}

/// What a thread depends on is what it touches: nothing else may stop it.
fn may_be_stubborn(program: &Concurrent) -> bool {
    let has_flags = program.blocks.iter().any(|block| block.flag.is_some());
    program.is_whole && !has_flags && !program.enforces()
}

/// The positions of a configuration, and for each those that may change places with it. Copies that are named stand alone, before the
/// others of their block.
fn roles(observer: &Observer, counts: &[u32], symmetry: bool) -> (Vec<Role>, Vec<Range<usize>>) {
    let (mut roles, mut groups) = (Vec::new(), Vec::new());
    for (block, count) in (0..).zip(counts) {
        let is_single = |copy: &u32| !symmetry || observer.names(block, *copy);
        let (single, group): (Vec<u32>, Vec<u32>) = (0..*count).partition(is_single);
        let role = |copy: u32| Role { block, copy, bits: observer.bits_of(block, copy) };
        groups.extend((0..single.len()).map(|n| roles.len() + n..roles.len() + n + 1));
        roles.extend(single.into_iter().map(role));
        groups.extend(vec![roles.len()..roles.len() + group.len(); group.len()]);
        roles.extend(group.into_iter().map(role));
    }
    (roles, groups)
}

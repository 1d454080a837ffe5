//! One share of the configurations: what it does in a round, and what it tells.

use super::super::super::mail::{Garbled, Letter, Mail, Told as Heard, Words};
use super::super::Wanted;
use super::super::graph::Graph;
use crate::peers::{Reader, Writer};
use crate::search::LOOK;
use crate::shares::{Part, Progress, Report};
use crate::{Figures, Limits, Stopped};
use rsm::observe::Marks;

/// An edge to a configuration of the share that keeps it: where it starts, and in which share, and what is marked on the way.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) share: u8,
    pub(super) marks: Marks,
}

/// A graph of some of the configurations.
pub(super) struct Share<'p> {
    pub(super) graph: Graph<'p>,
    wanted: Wanted,
    /// The next configuration to look at, in the order in which they came.
    next: u32,
    /// Runs start in the first ones, so many; none if it has not begun.
    n_starts: Option<u32>,
    /// Every edge if cycles are looked for, otherwise the first one to each configuration.
    pub(super) edges: Vec<Edge>,
    /// Here the observer is in a target state.
    hit: Option<u32>,
}

impl<'p> Share<'p> {
    pub(super) fn new(graph: Graph<'p>, wanted: Wanted) -> Self {
        Self { graph, wanted, next: 0, n_starts: None, edges: Vec::new(), hit: None }
    }

    pub(super) fn n_states(&self) -> u32 {
        self.graph.store.len() as u32
    }

    pub(super) fn n_starts(&self) -> u32 {
        self.n_starts.unwrap_or_default()
    }

    fn mail(&self) -> &Mail {
        self.graph.mail.as_ref().expect("a share has an outbox")
    }

    fn mail_mut(&mut self) -> &mut Mail {
        self.graph.mail.as_mut().expect("a share has an outbox")
    }

    pub(super) fn number(&self) -> u8 {
        self.mail().share.number
    }

    /// Notes an edge, if it is of interest.
    fn note(&mut self, edge: Edge, is_new: bool) {
        if is_new || self.wanted != Wanted::Target {
            self.edges.push(edge);
        }
    }

    fn read_all(&mut self, letters: &[Letter]) -> Result<u32, Stopped> {
        let (mut n_read, mut heard) = (0, Heard::default());
        for (share, letter) in (0..).zip(letters) {
            let mut words = Words::of(letter);
            loop {
                let Graph { mail, table, .. } = &mut self.graph;
                let mail = mail.as_mut().expect("a share has an outbox");
                let is_told = mail.read(share, &mut words, table, &mut heard);
                if !is_told.map_err(|Garbled| Stopped::Lost(share))? {
                    break;
                }
                let [from, state, marks, _] = heard.beside;
                let (to, is_new) = self.graph.arrive(&mut heard, state).ok_or(Stopped::Memory)?;
                self.note(Edge { from, to, share, marks: marks as Marks }, is_new);
                n_read += 1;
            }
        }
        Ok(n_read)
    }

    /// Looks at the next configuration.
    fn expand(&mut self, limits: &Limits<'_>) -> Result<(), Stopped> {
        let (from, share) = (self.next, self.number());
        let mut n_known = self.n_states();
        let (edges, all) = (&mut self.edges, self.wanted != Wanted::Target);
        let node = self.graph.expand_with(from, limits, |edge, _| {
            let is_new = edge.to >= n_known;
            n_known = n_known.max(edge.to + 1);
            if all || is_new {
                edges.push(Edge { from, to: edge.to, share, marks: edge.marks });
            }
        })?;
        if self.wanted == Wanted::Target && node.is_target {
            self.hit = Some(from);
        }
        self.next += 1;
        Ok(())
    }

    fn look(&self, limits: &Limits<'_>) -> Result<(), Stopped> {
        if self.bytes() > self.mail().allowed {
            return Err(Stopped::Memory);
        }
        limits.stop.requested_after(LOOK).map_or(Ok(()), |reason| Err(Stopped::Requested(reason)))
    }
}

impl Part for Share<'_> {
    type Mail = Letter;

    fn work(&mut self, letters: &[Letter], n_most: u32, limits: &Limits<'_>) -> Result<u32, Stopped> {
        let mut n = self.read_all(letters)?;
        if self.n_starts.is_none() {
            self.n_starts = Some(self.graph.initial(limits)?.len() as u32);
        }
        self.look(limits)?;
        for taken in 0..n_most {
            if self.hit.is_some() || self.next >= self.n_states() {
                break;
            }
            if u64::from(taken) % LOOK == LOOK - 1 {
                self.look(limits)?;
            }
            self.expand(limits)?;
            n += 1;
        }
        Ok(n)
    }

    fn is_idle(&self) -> bool {
        self.n_starts.is_some() && self.next >= self.n_states()
    }

    fn is_answered(&self) -> bool {
        self.hit.is_some()
    }

    fn is_about_to_grow(&self, n_steps: u32) -> bool {
        self.graph.store.is_about_to_grow(n_steps as usize * self.graph.roles.len())
    }

    fn grow_early(&mut self) {
        self.graph.store.grow_early();
    }

    fn bytes(&self) -> u64 {
        let log = self.edges.capacity() * size_of::<Edge>();
        self.graph.figures(log + self.mail().bytes()).bytes
    }

    fn allow(&mut self, bytes: u64) {
        self.mail_mut().allowed = bytes;
    }

    fn take_mail(&mut self, to: u8) -> Letter {
        self.mail_mut().take(to)
    }
}

/// What a process tells the others; or what all have told, put together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Told {
    pub(super) progress: Progress,
    pub(super) edges: u64,
    pub(super) words: u64,
    /// Calls or threads were left out.
    pub(super) is_cut: bool,
    /// How runs stop that are finite.
    pub(super) ended: bool,
    pub(super) deadlock: bool,
    /// A share and a configuration of it in which the observer is in a target state.
    pub(super) hit: Option<(u8, u32)>,
}

impl Told {
    /// What the shares of a process have done.
    pub(super) fn new(shares: &[Share<'_>], stopped: Option<Stopped>) -> Self {
        let told = |share: &Share<'_>| {
            let graph = &share.graph;
            let figures = Figures { bytes: share.bytes(), ..graph.figures(0) };
            Self {
                progress: Progress::of(&figures),
                edges: figures.edges,
                words: figures.words as u64,
                is_cut: graph.table.is_cut,
                ended: graph.stops.ended,
                deadlock: graph.stops.deadlock,
                hit: share.hit.map(|hit| (share.number(), hit)),
            }
        };
        Progress::of_all(shares.iter().map(told), stopped)
    }
}

impl Report for Told {
    fn progress(&mut self) -> &mut Progress {
        &mut self.progress
    }

    fn with(self, other: Self) -> Self {
        Self {
            progress: self.progress.with(other.progress),
            edges: self.edges + other.edges,
            words: self.words.max(other.words),
            is_cut: self.is_cut || other.is_cut,
            ended: self.ended || other.ended,
            deadlock: self.deadlock || other.deadlock,
            hit: self.hit.or(other.hit),
        }
    }

    fn write(&self, writer: &mut Writer) {
        self.progress.write(writer);
        [self.edges, self.words].into_iter().for_each(|n| writer.long(n));
        [self.is_cut, self.ended, self.deadlock, self.hit.is_some()]
            .into_iter()
            .for_each(|flag| writer.byte(u8::from(flag)));
        let (share, position) = self.hit.unwrap_or_default();
        writer.byte(share);
        writer.word(position);
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let progress = Progress::read(reader)?;
        let [edges, words] = reader.longs()?;
        let mut flags = [false; 4];
        for flag in &mut flags {
            *flag = reader.byte()? != 0;
        }
        let [is_cut, ended, deadlock, is_hit] = flags;
        let hit = (reader.byte()?, reader.word()?);
        Some(Self { progress, edges, words, is_cut, ended, deadlock, hit: is_hit.then_some(hit) })
    }
}

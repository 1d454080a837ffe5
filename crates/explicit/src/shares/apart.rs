//! The states of a search whose shares are in several processes.
//!
//! The first process asks for an activation up to a state, and whoever has it hands over its states and how they were found, as far back as they are in
//! the same share; the others wait for what is asked next. Contract: everybody but the first process is in [`serve`] while it asks, and comes back when it has finished.

use super::{Team, code, stopped};
use crate::Stopped;
use crate::peers::{Reader, Writer};
use crate::program::Program;
use crate::search::{Halt, Masks, Search};
use crate::table::Record;
use crate::trace::{At, Entrance, Graph, Here, Move};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// What the first process knows.
pub(super) struct Apart<'s, 'p, const W: usize> {
    here: Here<'s, 'p, W>,
    team: Team<'s>,
    known: RefCell<Told<W>>,
}

/// What others have told.
struct Told<const W: usize> {
    states: FxHashMap<At, Known<W>>,
    /// By the first state of the activation.
    entrances: FxHashMap<At, Entrance>,
}

/// A state, how it was found, and the first state of its activation.
#[derive(Clone, Copy)]
struct Known<const W: usize> {
    record: Record<W>,
    found_by: Option<Move>,
    start: At,
}

/// What the first process says.
const NOTHING: u8 = 0;
const ASKS: u8 = 1;
const FINISHES: u8 = 2;

impl<'s, 'p, const W: usize> Apart<'s, 'p, W> {
    pub(super) fn new(shares: &'s [Search<'p, W>], team: Team<'s>) -> Self {
        let told = Told { states: FxHashMap::default(), entrances: FxHashMap::default() };
        Self { here: Here(shares), team, known: RefCell::new(told) }
    }

    /// Nothing more is asked: there is a run, or a reason why there is none, which is everybody's.
    pub(super) fn finish(&self, stopped: Option<Stopped>) -> Result<(), Halt> {
        self.team.exchange(|_| vec![FINISHES, stopped.map_or(0, code)]).map(drop)
    }

    /// What is known of a state, after asking for it if need be.
    fn known(&self, at: At) -> Result<Known<W>, Halt> {
        if let Some(known) = self.known.borrow().states.get(&at) {
            return Ok(*known);
        }
        let owner = self.team.process_of(at.share);
        self.team.exchange(|process| match process == owner {
            true => [&[ASKS, at.share][..], &at.state.to_le_bytes()].concat(),
            false => vec![NOTHING],
        })?;
        let heard = self.team.exchange(|_| Vec::new())?;
        let mut reader = Reader(&heard[usize::from(owner)]);
        let mut told = self.known.borrow_mut();
        told.read_activation(&mut reader, at.share).ok_or(Stopped::Lost(owner))?;
        told.states.get(&at).copied().ok_or_else(|| Stopped::Lost(owner).into())
    }

    /// The share of this process that a state belongs to.
    fn is_here(&self, at: At) -> bool {
        self.team.here().contains(&at.share)
    }
}

impl<const W: usize> Graph<W> for Apart<'_, '_, W> {
    fn program(&self) -> &Program {
        self.here.program()
    }

    fn masks(&self) -> &Masks<W> {
        self.here.masks()
    }

    fn record(&self, at: At) -> Result<Record<W>, Halt> {
        if self.is_here(at) { self.here.record(at) } else { Ok(self.known(at)?.record) }
    }

    fn found_by(&self, at: At) -> Result<Option<Move>, Halt> {
        if self.is_here(at) { self.here.found_by(at) } else { Ok(self.known(at)?.found_by) }
    }

    fn entrance(&self, at: At) -> Result<Entrance, Halt> {
        let start = if self.is_here(at) { self.here.start(at) } else { self.known(at)?.start };
        if self.is_here(start) {
            return self.here.entrance(start);
        }
        self.known(start)?;
        let known = self.known.borrow().entrances.get(&start).copied();
        known.ok_or_else(|| Stopped::Lost(self.team.process_of(start.share)).into())
    }
}

/// Tells the first process what it asks for, until it has finished; an error if that came to none.
pub(super) fn serve<const W: usize>(shares: &[Search<'_, W>], team: Team<'_>) -> Result<(), Halt> {
    let here = team.here();
    loop {
        let heard = team.exchange(|_| Vec::new())?;
        let mut reader = Reader(&heard[0]);
        let mut answer = Vec::new();
        match reader.byte() {
            Some(FINISHES) => {
                return reader.byte().and_then(stopped).map_or(Ok(()), |why| Err(why.into()));
            }
            Some(ASKS) => {
                let (share, state) = (reader.byte(), reader.word());
                let (Some(share), Some(state)) = (share, state) else { return Err(Stopped::Lost(0).into()) };
                let own = share.checked_sub(here.start).and_then(|n| shares.get(usize::from(n)));
                let own = own.filter(|own| (state as usize) < own.states.records.len());
                answer = activation_text(own.ok_or(Stopped::Lost(0))?, state);
            }
            _ => {}
        }
        team.exchange(|process| if process == 0 { answer.clone() } else { Vec::new() })?;
    }
}

/// An activation up to a state, the last one first, as far as it is in this share.
fn activation_text<const W: usize>(share: &Search<'_, W>, last: u32) -> Vec<u8> {
    let mut writer = Writer::default();
    let start = share.start(last);
    writer.at(start);
    if start.share == share.share.number {
        let Entrance { module, caller, block, .. } = share.entrance(start.state);
        [module, block].into_iter().for_each(|n| writer.word(n));
        writer.at(caller);
    }
    let mut at = Some(last);
    while let Some(state) = at {
        let record = &share.states.records[state as usize];
        [state, record.entry(), record.point()].into_iter().for_each(|n| writer.word(n));
        writer.byte(u8::from(record.is_fair()));
        record.key.iter().for_each(|word| writer.long(*word));
        let found_by = share.found_by(state);
        let own = At { share: share.share.number, state };
        let (kind, before, how) = match found_by {
            None => (0, own, own),
            Some(Move::Block(before, block, _)) => (1, before, At { share: own.share, state: block }),
            Some(Move::Summary(before, exit, _)) => (2, before, exit),
        };
        writer.byte(kind);
        [before, how].into_iter().for_each(|at| writer.at(at));
        at = (kind != 0 && before.share == own.share).then_some(before.state);
    }
    writer.0
}

impl<const W: usize> Told<W> {
    /// The same, read.
    fn read_activation(&mut self, reader: &mut Reader<'_>, share: u8) -> Option<()> {
        let start = reader.at()?;
        if start.share == share {
            let (module, block) = (reader.word()?, reader.word()?);
            let caller = reader.at()?;
            self.entrances.insert(start, Entrance { module, start, caller, block });
        }
        while !reader.0.is_empty() {
            let [state, entry, point] = [reader.word()?, reader.word()?, reader.word()?];
            let is_fair = reader.byte()? != 0;
            let record = Record::new(entry, point, is_fair, reader.longs()?);
            let (kind, before, how, at) = (reader.byte()?, reader.at()?, reader.at()?, At { share, state });
            let found_by = match kind {
                0 => None,
                1 => Some(Move::Block(before, how.state, at)),
                _ => Some(Move::Summary(before, how, at)),
            };
            self.states.insert(at, Known { record, found_by, start });
        }
        Some(())
    }
}

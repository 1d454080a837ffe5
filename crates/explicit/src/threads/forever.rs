//! Runs of threads that never end, as an observer and a scheduler ask for them.
//!
//! ```text
//!  Concurrent, Observer ──table──▶ moves ──graph──▶ configurations ──search──▶ component ──fair──▶ part
//!                                                                        part ──lasso──▶ moves ──fill──▶ Trace
//! ```
//!
//! The state of the observer is one more number of a configuration, and a search for components runs over them on the fly. Contract: the
//! answer is that of `rsm::interleave::AllRuns`, whatever the [`Settings`]; where calls were left out it is only what was found.

mod evidence;
mod fair;
mod family;
mod fill;
mod graph;
mod lasso;
mod search;
mod stubborn;
mod table;
mod together;
mod touched;

pub use family::none_of_any_number;
pub use together::find_together;

use super::{Cost, End, Question, Settings, deadlock};
use crate::{Figures, Limits, Stopped};
use evidence::Ranks;
pub use evidence::{Class, Evidence, Standing};
use fill::Filling;
use graph::Graph;
use rsm::interleave::{Scheduler, Stops};
use rsm::observe::{Observer, Who};
use rsm::trace::Trace;
use rsm::{Concurrent, Copies};
use search::{Aim, Ending, Search};

/// The most threads whose schedules are looked at.
pub const MOST_THREADS: u32 = 64;

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// A run without an end that the observer accepts, under a scheduler.
    Run(Scheduler),
    /// A run after which the observer is in a target state.
    Target,
}

/// The answer.
#[derive(Clone, Debug)]
pub enum Answer {
    /// There is such a run: this one, if it was asked for and could be written down.
    Yes(Option<Box<Trace>>),
    /// There is none.
    No,
    /// There is none as far as it was looked: calls were left out because a stack would become too high.
    Cut,
    /// Something stopped the search.
    Stopped(Stopped),
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Found {
    /// The answer.
    pub answer: Answer,
    /// How runs stop that are finite, if the search has seen all of them.
    pub stops: Option<Stops>,
    /// How far it came.
    pub figures: Figures,
}

/// The program has any number of threads, or more than can be looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooManyThreads;

fn counted(program: &Concurrent) -> Result<(), TooManyThreads> {
    let number = |copies: Copies| match copies {
        Copies::Number(number) => Ok(u64::from(number)),
        Copies::Any => Err(TooManyThreads),
    };
    let counts: Result<Vec<u64>, _> = program.blocks.iter().map(|block| number(block.copies)).collect();
    if counts?.iter().sum::<u64>() <= u64::from(MOST_THREADS) { Ok(()) } else { Err(TooManyThreads) }
}

/// So many copies of a block are named, or precede one that is.
pub fn named(observer: &Observer, block: u32) -> u32 {
    let of_block = |who: &Who| who.block.is_none_or(|named| named == block);
    let copies = observer.observations.iter().filter_map(|seen| seen.what.who());
    copies.filter(of_block).filter_map(|who| who.copy).map(|copy| copy + 1).max().unwrap_or(0)
}

/// Looks for a run; it is written down if it may have steps, see [`Limits::max_steps`].
pub fn find(
    program: &Concurrent,
    observer: &Observer,
    wanted: Wanted,
    settings: Settings,
    limits: &Limits<'_>,
) -> Result<Found, TooManyThreads> {
    counted(program)?;
    let mut graph = Graph::new(program, observer, settings);
    Ok(found(&mut graph, wanted, &mut None, limits))
}

/// The same, and if there is none, why. Calls are looked into.
pub fn find_with_evidence(
    program: &Concurrent,
    observer: &Observer,
    wanted: Wanted,
    settings: Settings,
    limits: &Limits<'_>,
) -> Result<(Found, Option<Evidence>), TooManyThreads> {
    counted(program)?;
    let mut graph = Graph::new(program, observer, super::to_be_checked(settings));
    // Whoever checks this does not know which variables matter.
    graph.table.matter.keep_what_is_passed_on();
    let mut ranks = Some(Ranks::default());
    let found = found(&mut graph, wanted, &mut ranks, limits);
    let evidence = ranks.filter(|_| matches!(found.answer, Answer::No) && program.is_whole);
    Ok((found, evidence.map(|ranks| Evidence::new(&graph, ranks))))
}

fn found(graph: &mut Graph<'_>, wanted: Wanted, ranks: &mut Option<Ranks>, limits: &Limits<'_>) -> Found {
    let (program, observer) = (graph.table.program, graph.table.observer);
    let mut bytes = 0;
    let answer = answer(graph, wanted, ranks, &mut bytes, limits).unwrap_or_else(Answer::Stopped);
    let figures = graph.figures(bytes);
    limits.gauge.searched(figures.searched());
    let is_known = matches!(answer, Answer::No) && is_whole(program, observer);
    Found { answer, stops: is_known.then_some(graph.stops), figures }
}

/// Whoever looks at everything has seen how runs stop that are finite.
fn is_whole(program: &Concurrent, observer: &Observer) -> bool {
    program.is_whole && sees_everything(observer) && !has_flags(program)
}

/// The observer goes along with every run, whatever it guesses meanwhile.
fn sees_everything(observer: &Observer) -> bool {
    let stays = |state: &u32| {
        let mut edges = observer.states[*state as usize].edges.iter();
        edges.any(|edge| edge.to == *state && edge.guard.is_true())
    };
    observer.initial.iter().any(stays)
}

/// Some thread may end inside an atomic region, which stops others wherever they are.
fn has_flags(program: &Concurrent) -> bool {
    program.blocks.iter().any(|block| block.flag.is_some())
}

fn answer(
    graph: &mut Graph<'_>,
    wanted: Wanted,
    ranks: &mut Option<Ranks>,
    bytes: &mut usize,
    limits: &Limits<'_>,
) -> Result<Answer, Stopped> {
    let starts = graph.initial(limits)?;
    let aim = match wanted {
        Wanted::Run(scheduler) => Aim::Cycle(scheduler),
        Wanted::Target => Aim::Target,
    };
    let (ending, met) = match (wanted, &ranks) {
        (Wanted::Run(scheduler), None) if scheduler != Scheduler::Any && graph.is_stubborn() => {
            under_any(graph, &starts, scheduler, bytes, limits)?
        }
        _ => None,
    }
    .map_or_else(
        || {
            let mut search = Search::new(graph, aim);
            search.ranks = ranks.take();
            let ending = search.run(&starts, limits);
            *bytes = search.bytes();
            *ranks = search.ranks.take();
            (ending, search.met)
        },
        |(ending, met)| (Ok(ending), met),
    );
    match ending? {
        Ending::Nothing if graph.table.is_cut => Ok(Answer::Cut),
        Ending::Nothing => Ok(Answer::No),
        _ if limits.max_steps == 0 => Ok(Answer::Yes(None)),
        Ending::Target(position) => {
            let goals = [position].into_iter().collect();
            let (start, stem) = lasso::way_to(graph, &starts, &met, &goals, limits)?;
            Ok(written(Filling::new(graph, start, limits).and_then(|filling| filling.finite(&stem))))
        }
        Ending::Cycle(part) => {
            let Wanted::Run(scheduler) = wanted else {
                unreachable!("a cycle is found where one is asked for")
            };
            let lasso = lasso::find(graph, &starts, &met, &part, scheduler, limits)?;
            let filling = Filling::new(graph, lasso.start, limits);
            Ok(written(filling.and_then(|filling| filling.lasso(&lasso, scheduler))))
        }
    }
}

/// What there is not under any schedule there is not under a fair one, and threads may be left out meanwhile that need not move. If there
/// is a run, the answer is known only if it happens to be fair.
fn under_any(
    graph: &mut Graph<'_>,
    starts: &[u32],
    scheduler: Scheduler,
    bytes: &mut usize,
    limits: &Limits<'_>,
) -> Result<Option<(Ending, Vec<u32>)>, Stopped> {
    let mut search = Search::new(graph, Aim::Cycle(Scheduler::Any));
    let ending = search.run(starts, limits)?;
    *bytes = search.bytes();
    let met = std::mem::take(&mut search.met);
    Ok(match ending {
        Ending::Cycle(part) => {
            let fair = fair::judge(graph, scheduler, part.members, None, limits)?;
            fair.map(|part| (Ending::Cycle(part), met))
        }
        nothing => Some((nothing, met)),
    })
}

/// A run that cannot be written down exists nevertheless.
fn written(trace: Result<Trace, Stopped>) -> Answer {
    Answer::Yes(trace.ok().map(Box::new))
}

/// How runs stop that are finite; nothing if that was not found out.
pub fn stops(program: &Concurrent, settings: Settings, limits: &Limits<'_>) -> Option<Stops> {
    // A slot that nobody takes is no thread that waits.
    counted(program).ok().filter(|()| program.is_whole)?;
    let observer = Observer::of_everything();
    let mut graph = Graph::new(program, &observer, settings);
    let starts = graph.initial(limits).ok()?;
    Search::new(&mut graph, Aim::Everything).run(&starts, limits).ok()?;
    if graph.table.is_cut {
        return None;
    }
    if !has_flags(program) {
        return Some(graph.stops);
    }
    let question = Question { program, targets: &[], cost: Cost::Switches, bound: None };
    let found = deadlock(&question, settings, limits).ok()?;
    let is_known = found.least[0].is_some() || found.end == End::Closed;
    is_known.then(|| Stops { ended: graph.stops.ended, deadlock: found.least[0].is_some() })
}

/// Whether runs end in a deadlock, if that can be told without the number of switches. Who is active plays no part, so that there are fewer
/// configurations, and the first deadlock ends the search.
#[derive(Default)]
pub(super) struct FirstDeadlock {
    pub(super) is_found: bool,
    pub(super) figures: Figures,
}

/// The first deadlock that comes along; nothing if only the number of switches tells.
pub(super) fn first_deadlock(
    program: &Concurrent,
    settings: Settings,
    limits: &Limits<'_>,
) -> Result<Option<FirstDeadlock>, Stopped> {
    if !asks_no_switches(program) {
        return Ok(None);
    }
    let observer = Observer::of_everything();
    let mut graph = Graph::new(program, &observer, settings);
    let starts = graph.initial(limits)?;
    let mut search = Search::new(&mut graph, Aim::Deadlock);
    let ending = search.run(&starts, limits)?;
    let bytes = search.bytes();
    let is_found = matches!(ending, Ending::Target(_));
    let is_known = is_found || !graph.table.is_cut;
    Ok(is_known.then(|| FirstDeadlock { is_found, figures: graph.figures(bytes) }))
}

/// A run to the first deadlock that comes along, of a program in which there is one.
pub fn run_to_deadlock(
    program: &Concurrent,
    settings: Settings,
    limits: &Limits<'_>,
) -> Result<Option<Trace>, Stopped> {
    if !asks_no_switches(program) {
        return Ok(None);
    }
    let observer = Observer::of_everything();
    let mut graph = Graph::new(program, &observer, settings);
    let starts = graph.initial(limits)?;
    let mut search = Search::new(&mut graph, Aim::Deadlock);
    let ending = search.run(&starts, limits)?;
    let met = std::mem::take(&mut search.met);
    let Ending::Target(position) = ending else { return Ok(None) };
    let goals = [position].into_iter().collect();
    let (start, stem) = lasso::way_to(&mut graph, &starts, &met, &goals, limits)?;
    let trace = Filling::new(&mut graph, start, limits)?.finite(&stem)?;
    Ok(Some(Trace { end: rsm::trace::End::Deadlock, ..trace }))
}

/// Threads and their number are known, and nobody may end inside an atomic region, which stops others wherever they are.
fn asks_no_switches(program: &Concurrent) -> bool {
    counted(program).is_ok() && program.is_whole && !has_flags(program)
}

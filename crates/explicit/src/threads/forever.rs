//! Runs of threads that never end, as an observer and a scheduler ask for them.
//!
//! ```text
//!  Concurrent, Observer ──table──▶ moves ──graph──▶ configurations ──search──▶ component ──fair──▶ part
//!                                                                        part ──lasso──▶ moves ──fill──▶ Trace
//! ```
//!
//! The state of the observer is one more number of a configuration, and a search for components runs over them on the fly. Contract: the
//! answer is that of `rsm::interleave::AllRuns`, whatever the [`Settings`]; where calls were left out it is only what was found.

mod fair;
mod fill;
mod graph;
mod lasso;
mod search;
mod table;

use super::{Cost, End, Question, Settings, deadlock};
use crate::{Figures, Limits, Stopped};
use fill::Filling;
use graph::Graph;
use rsm::interleave::{Scheduler, Stops};
use rsm::observe::Observer;
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
    let mut bytes = 0;
    let answer = answer(&mut graph, wanted, &mut bytes, limits).unwrap_or_else(Answer::Stopped);
    let figures = graph.figures(bytes);
    limits.gauge.searched(figures.searched());
    let is_whole = program.is_whole && sees_everything(observer) && !has_flags(program);
    let stops = (is_whole && matches!(answer, Answer::No)).then_some(graph.stops);
    Ok(Found { answer, stops, figures })
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
    bytes: &mut usize,
    limits: &Limits<'_>,
) -> Result<Answer, Stopped> {
    let starts = graph.initial(limits)?;
    let aim = match wanted {
        Wanted::Run(scheduler) => Aim::Cycle(scheduler),
        Wanted::Target => Aim::Target,
    };
    let mut search = Search::new(graph, aim);
    let ending = search.run(&starts, limits);
    *bytes = search.bytes();
    let met = search.met;
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
    let question = Question { program, targets: &[], cost: Cost::Switches, bound: None };
    let found = deadlock(&question, settings, limits).ok()?;
    let is_known = !graph.table.is_cut && (found.least[0].is_some() || found.end == End::Closed);
    is_known.then(|| Stops { ended: graph.stops.ended, deadlock: found.least[0].is_some() })
}

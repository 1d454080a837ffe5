//! What is reached, and where everybody stands then.

use super::effect::list;
use super::hidden::Hidden;
use super::narrator::{Assignment, Moment, Narrator};
use super::story::{Beat, Story, What};
use rsm::interleave::{InCycle, ThreadId, World};
use rsm::step::Frame;
use rsm::trace::{ThreadCycle, Trace};
use rsm::{Concurrent, Copies, Goal, Mentioned, Place};

/// More frames of a stack than twice this are not shown.
const SHOWN: usize = 4;

/// More threads that have not run are only counted.
const NAMED: usize = 8;

/// Where everybody stands at the end.
pub struct Ending {
    /// For each thread the frames that are in the text, callers before callees.
    pub stacks: Vec<Vec<Frame>>,
    /// The shared values.
    pub shared: Vec<u64>,
    /// The same as the semantics sees it.
    pub world: World,
}

impl Ending {
    /// What is reached. Right behind the start of a thread it is what that thread begins with.
    pub fn goal(&self, trace: &Trace, goal: Goal, hidden: &Hidden) -> Beat {
        let begun = match goal {
            Goal::At(module, node) => hidden.begun(module, node),
            Goal::Failure(..) => None,
        };
        let depth = match begun {
            Some(_) => 0,
            None => self.stacks[trace.thread().index()].len().saturating_sub(1),
        };
        let what = What::Goal { goal: begun.unwrap_or(goal), by_started: begun.is_some() };
        Beat { number: None, depth, monitor: None, what, labels: Vec::new() }
    }

    /// The values at the end of a sequential run, as far as the program mentions the variables; none if there are no such.
    pub fn values(&self, program: &Concurrent, narrator: &Narrator) -> Option<Beat> {
        let top = self.stacks.first().filter(|_| program.is_sequential())?.last()?;
        let mentioned = Mentioned::by_anything(&program.machine);
        let globals = (0..self.shared.len() as u32).map(Place::Global);
        let places = globals.chain((0..top.locals.len() as u32).map(Place::Local));
        let places = places.filter(|place| mentioned.has(top.module, *place));
        let values =
            narrator.valuation(top.module, places, Moment { globals: &self.shared, locals: &top.locals });
        let beat = Beat {
            number: None,
            depth: 0,
            monitor: None,
            what: What::Finally(values.clone()),
            labels: Vec::new(),
        };
        (!values.is_empty()).then_some(beat)
    }
}

impl Story<'_> {
    /// Where threads stand at the end: a line for each that has run, and the names of the others.
    pub(super) fn end(&self) -> String {
        if self.is_deadlock() {
            return self.waiting();
        }
        if let Some(schedule) = self.schedule {
            return self.for_ever(schedule);
        }
        let mut out = "-- at the end\n".to_owned();
        for thread in self.threads_that_run() {
            out.push_str(&format!("{}: {}\n", self.name(thread), self.stack(thread)));
        }
        let mut names = self.not_started();
        if !names.is_empty() {
            let n_more = names.len().saturating_sub(NAMED);
            names.truncate(NAMED);
            let more = if n_more > 0 { format!(" and {n_more} more") } else { String::new() };
            out.push_str(&format!("not started: {}{more}\n", names.join(", ")));
        }
        out
    }

    /// What each thread does for ever.
    fn for_ever(&self, schedule: &ThreadCycle) -> String {
        let mut out = "-- for ever\n".to_owned();
        for (n, thread) in schedule.threads.iter().enumerate() {
            let id = ThreadId::new(n);
            let (name, stack) = (self.name(id), self.stack(id));
            let line = match thread {
                _ if self.has_ended(id) => "has ended".to_owned(),
                InCycle { moves: true, .. } => "runs again and again".to_owned(),
                InCycle { cannot: false, can: true, .. } => {
                    format!("never runs, though it always could: {stack}")
                }
                InCycle { can: true, .. } => format!("never runs, though it could again and again: {stack}"),
                InCycle { cannot: true, .. } => format!("waits in {stack}"),
                _ => format!("stands still, since another thread stays in an atomic block: {stack}"),
            };
            out.push_str(&format!("{name}: {line}\n"));
        }
        out
    }

    /// The names of the threads that have not run.
    pub(super) fn not_started(&self) -> Vec<String> {
        let run = self.threads_that_run();
        let is_idle = |thread: &ThreadId| {
            let block = self.thread(*thread).block;
            // Of any number of threads there are as many as run, and a slot that is not taken is no thread.
            let is_free = self.program.blocks[block as usize].copies == Copies::Any;
            !is_free && self.hidden.slot(block).is_none() && run.binary_search(thread).is_err()
        };
        let threads = (0..self.trace.start.threads.len()).map(ThreadId::new);
        threads.filter(is_idle).map(|thread| self.name(thread)).collect()
    }

    pub(super) fn stack(&self, thread: ThreadId) -> String {
        let frames = &self.ending.stacks[thread.index()];
        if frames.is_empty() || (self.schedule.is_some() && self.has_ended(thread)) {
            return "ended".to_owned();
        }
        let n_left_out = frames.len().saturating_sub(2 * SHOWN);
        let mut parts: Vec<String> = Vec::new();
        for (n, frame) in frames.iter().enumerate() {
            match n_left_out > 1 && n >= SHOWN && n < SHOWN + n_left_out {
                true if n == SHOWN => parts.push(format!("… {n_left_out} more …")),
                true => {}
                false => parts.push(self.frame(frame)),
            }
        }
        parts.join(" > ")
    }

    /// `main, line 7 (x = T)`.
    fn frame(&self, frame: &Frame) -> String {
        let module = self.program.machine.module(frame.module);
        let locals = list(&self.locals(frame));
        let locals = if locals.is_empty() { locals } else { format!(" ({locals})") };
        format!("{}, line {}{locals}", module.name, self.line(frame))
    }

    /// The line of the statement that comes next, or of the call that is waited for.
    pub(super) fn line(&self, frame: &Frame) -> usize {
        let module = self.program.machine.module(frame.module);
        let span = frame.call.map_or(module.node(frame.node).span, |call| module.edge(call).span);
        self.narrator.sources.line_column(span).0
    }

    /// The locals of a frame.
    pub(super) fn locals(&self, frame: &Frame) -> Vec<Assignment> {
        let places = (0..frame.locals.len() as u32).map(Place::Local);
        self.narrator.valuation(frame.module, places, Moment { globals: &[], locals: &frame.locals })
    }
}

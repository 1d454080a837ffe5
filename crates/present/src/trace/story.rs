//! A run, told: a chapter for each context, a beat for each step and for each repetition of a call that has been told.

use super::effect::Effect;
use super::ending::Ending;
use super::forever::Cycle;
use super::hidden::Hidden;
use super::narrator::{Assignment, Moment, Narrator};
use super::teller::Teller;
use super::watch::Watch;
use base::Sources;
use bp::monitor::StateId;
use rsm::interleave::{ThreadId, ThreadState};
use rsm::trace::{ThreadCycle, Trace};
use rsm::{Concurrent, Copies, EdgeId, Goal, Mentioned, ModuleId, Place};

/// A run, told. [`Story::text`], [`Story::margin`] and [`Story::object`] show it.
pub struct Story<'a> {
    pub(super) program: &'a Concurrent,
    pub(super) narrator: Narrator<'a>,
    pub(super) trace: &'a Trace,
    pub(super) hidden: Hidden,
    /// The monitor that watches it, if there is one.
    pub(super) watch: Option<Watch<'a>>,
    /// What its schedule does to each thread for ever, if there are threads and it has no end.
    pub(super) schedule: Option<&'a ThreadCycle>,
    mentioned: Mentioned,
    /// How many steps it has, those that are taken again and again counted once.
    pub n_steps: u128,
    /// What of it is taken again and again, if it has no end.
    pub cycle: Option<Cycle>,
    /// One for each context.
    pub chapters: Vec<Chapter>,
    pub(super) ending: Ending,
}

/// A context.
#[derive(Clone, Debug)]
pub struct Chapter {
    /// Who is active.
    pub thread: ThreadId,
    /// The shared values when it begins.
    pub shared: Vec<u64>,
    /// What happens.
    pub beats: Vec<Beat>,
}

/// Something that is told in one line.
#[derive(Clone, Debug)]
pub struct Beat {
    /// The number of its last step; none if it is no step.
    pub number: Option<u128>,
    /// How many callers wait.
    pub depth: usize,
    /// The state of the monitor afterwards, if there is a monitor.
    pub monitor: Option<StateId>,
    /// What it is.
    pub what: What,
    /// The labels of a formula at the place where it begins, or that are passed in what it stands for.
    pub labels: Vec<String>,
}

/// What is told.
#[derive(Clone, Debug)]
pub enum What {
    /// The values at the start of a thread that matter.
    Initially(Vec<Assignment>),
    /// A step.
    Step {
        /// The function that takes it.
        module: ModuleId,
        /// The edge.
        edge: EdgeId,
        /// What it does.
        effect: Effect,
    },
    /// A call that goes on as an earlier one.
    Again {
        /// The number of the first step of that one.
        first: u128,
        /// The number of its last step.
        last: u128,
        /// What the last step does here.
        effect: Effect,
        /// What the globals hold behind it, as far as they held something else before the call.
        globals: Vec<Assignment>,
    },
    /// The values at the end of a sequential run: of the globals, and of the locals of the function that is there.
    Finally(Vec<Assignment>),
    /// The run ends at this place, and a formula has a name for it.
    Stands {
        /// The place.
        goal: Goal,
    },
    /// What is reached.
    Goal {
        /// The place.
        goal: Goal,
        /// By a thread that has just been started and has not run.
        by_started: bool,
    },
}

impl What {
    /// The function and the edge of a step that is told.
    pub(super) fn edge(&self) -> Option<(ModuleId, EdgeId)> {
        match self {
            Self::Step { module, edge, .. } => Some((*module, *edge)),
            _ => None,
        }
    }
}

/// The name of a thread of a run: that of its block, and which copy it is if the block has several.
pub(crate) fn thread_name(program: &Concurrent, trace: &Trace, thread: ThreadId) -> String {
    let ThreadState { block, copy, .. } = &trace.start.threads[thread.index()];
    let block = &program.blocks[*block as usize];
    match block.copies {
        Copies::Number(1) => block.name.clone(),
        _ => format!("{}[{copy}]", block.name),
    }
}

impl<'a> Story<'a> {
    /// Tells a run.
    pub fn new(program: &'a Concurrent, sources: &'a Sources, trace: &'a Trace) -> Self {
        Self::told(program, sources, trace, None)
    }

    /// Tells a run and what a monitor makes of it.
    pub fn watched(
        program: &'a Concurrent,
        sources: &'a Sources,
        trace: &'a Trace,
        watch: Watch<'a>,
    ) -> Self {
        Self::told(program, sources, trace, Some(watch))
    }

    fn told(
        program: &'a Concurrent,
        sources: &'a Sources,
        trace: &'a Trace,
        watch: Option<Watch<'a>>,
    ) -> Self {
        let narrator = Narrator { rsm: &program.machine, sources };
        let hidden = Hidden::new(program);
        let mut teller = Teller::new(program, narrator, trace, &hidden, watch.map(|watch| watch.states));
        let mut chapters: Vec<Chapter> = (0..trace.contexts.len()).map(|n| teller.context(n)).collect();
        let (n_steps, cycle, ending) = (teller.n_steps, teller.cycle(), teller.ending());
        if let Some(last) = chapters.last_mut().filter(|_| cycle.is_none()) {
            last.beats.extend(trace.goal().map(|goal| ending.goal(trace, goal.goal, &hidden)));
            let monitor = last.beats.last().and_then(|beat| beat.monitor);
            last.beats.extend(ending.values(program, &narrator).map(|beat| Beat { monitor, ..beat }));
        }
        let mentioned = Mentioned::by_anything(&program.machine);
        let schedule = None;
        Self {
            program,
            narrator,
            trace,
            hidden,
            watch,
            schedule,
            mentioned,
            n_steps,
            cycle,
            chapters,
            ending,
        }
    }

    /// The same of threads, of which it is known what they do for ever.
    #[must_use]
    pub fn scheduled(self, schedule: &'a ThreadCycle) -> Self {
        Self { schedule: Some(schedule), ..self }
    }

    /// A thread at the start.
    pub(super) fn thread(&self, thread: ThreadId) -> &ThreadState {
        &self.trace.start.threads[thread.index()]
    }

    /// The name of a thread: that of its block, and which copy it is if the block has several.
    pub(super) fn name(&self, thread: ThreadId) -> String {
        thread_name(self.program, self.trace, thread)
    }

    /// The function that a thread was started with, if it was started at run time.
    pub(super) fn started_with(&self, thread: ThreadId, shared: &[u64]) -> Option<String> {
        let slot = self.hidden.slot(self.thread(thread).block)?;
        Some(self.program.machine.globals[slot].ty.value_name(shared[slot]))
    }

    /// Every thread that becomes active, once.
    pub(super) fn threads_that_run(&self) -> Vec<ThreadId> {
        let mut threads: Vec<ThreadId> = self.chapters.iter().map(|chapter| chapter.thread).collect();
        threads.sort();
        threads.dedup();
        threads
    }

    /// Values of the shared globals, as far as the program mentions them.
    pub(super) fn shared(&self, shared: &[u64]) -> Vec<Assignment> {
        let machine = &self.program.machine;
        let places = (0..self.program.n_shared as u32).map(Place::Global);
        let places = places.filter(|place| self.mentioned.has(machine.main, *place));
        self.narrator.valuation(self.program.machine.main, places, Moment { globals: shared, locals: &[] })
    }
}

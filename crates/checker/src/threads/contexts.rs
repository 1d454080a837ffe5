//! What a formula found: which threads run in turn, and the shared values at the ends of their contexts.

use super::question::Question;
use crate::formula::notes::ContextsNote;
use calculus::system::{BinderId, VarId};
use rustc_hash::FxHashMap;
use solver::Halt;

/// The contexts of a run.
#[derive(Debug, Default)]
pub(super) struct Contexts {
    /// The threads that run: block and copy.
    pub threads: Vec<(usize, u32)>,
    /// Who runs, in order.
    pub list: Vec<Context>,
    /// For each thread its contexts in order.
    pub segments: Vec<Vec<Segment>>,
    /// The thread that reaches the target, in the last context.
    pub goal: usize,
    /// The shared values at the start, if the formula says so.
    pub initial: Option<Vec<u64>>,
}

/// A context.
#[derive(Debug)]
pub(super) struct Context {
    /// A position in [`Contexts::threads`].
    pub thread: usize,
}

/// The ends of a context.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    /// The shared values at its beginning; `None` at the beginning of the run.
    pub enters: Option<Vec<u64>>,
    /// Those at its end; `None` at the end of the run.
    pub leaves: Option<Vec<u64>>,
}

impl Segment {
    /// The thread may as well do nothing in this context.
    pub fn is_idle(&self) -> bool {
        self.leaves.is_some() && self.enters == self.leaves
    }
}

impl Contexts {
    /// Appends a context.
    pub fn push(&mut self, thread: (usize, u32), segment: Segment) {
        let known = self.threads.iter().position(|known| *known == thread);
        let thread = known.unwrap_or_else(|| {
            self.threads.push(thread);
            self.segments.push(Vec::new());
            self.threads.len() - 1
        });
        self.list.push(Context { thread });
        self.segments[thread].push(segment);
        self.goal = thread;
    }
}

/// The contexts that may be behind the last answer, the likeliest first; none if the formula has no note about them.
pub(super) fn find(question: &mut Question) -> Result<Vec<Contexts>, Halt> {
    match question.checked.notes.contexts {
        Some(note) => Ok(from_schedule(question, note)?.into_iter().collect()),
        None => super::rounds::find(question),
    }
}

/// Reads the variables of the query that `#contexts c, t, T, G` names: context j is that of thread `T[j]`, the last one that of
/// `t`, and `G[j]` is shared when context j begins.
fn from_schedule(question: &mut Question, note: ContextsNote) -> Result<Option<Contexts>, Halt> {
    let (binders, matrix) = question.checked.matrix();
    let Some(found) = question.solver.found(&binders, matrix)? else { return Ok(None) };
    let values: FxHashMap<VarId, u32> = found.into_iter().collect();
    let system = &question.checked.system;
    let read = |binder: BinderId| -> Vec<u32> {
        system.binders[binder.index()].leaves.iter().map(|leaf| values[leaf]).collect()
    };
    let (last, runs, schedule, shared) =
        (read(note.context), read(note.thread), read(note.schedule), read(note.shared));
    let slots = &question.templates.slots;
    let width = slots.shared.len();
    let Some(threads) = &question.templates.threads else { return Ok(None) };
    let values_at = |context: usize| -> Vec<u64> {
        let bits = &shared[context * width..(context + 1) * width];
        question.templates.shared_values(bits)
    };
    let mut contexts = Contexts::default();
    let last = last[0] as usize;
    let numbers = schedule.into_iter().take(last).chain([runs[0]]);
    for (context, number) in numbers.enumerate() {
        let instance = threads.instances[number as usize];
        let segment = Segment {
            enters: (context > 0).then(|| values_at(context)),
            leaves: (context < last).then(|| values_at(context + 1)),
        };
        contexts.push((instance.block, instance.copy.unwrap_or(0)), segment);
    }
    Ok(Some(contexts))
}

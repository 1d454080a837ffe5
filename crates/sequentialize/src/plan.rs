//! What is to be made: which threads there are, how many contexts, what is kept for each, and what everything is called.
//!
//! Threads are numbered: all copies of the first block, then those of the next one. Within context switches the copies of a
//! block cannot be told apart, and no more of them than there are contexts can run.

use crate::names::joined;
use crate::rename::{Renamed, rename};
use crate::{Bound, Scheme, SequentializeError};
use rsm::{Action, Concurrent, Copies, Goal, ModuleId, Place, ThreadBlock, ThreadGoal};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The largest sum of copies of variables and threads.
const MAX_SIZE: u64 = 1 << 20;

/// Who owns the contexts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// Any thread any context.
    Free,
    /// The threads take turns.
    Rounds,
}

/// Whether threads move at all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Steps {
    /// They do.
    All,
    /// Within 0 rounds they do not: only the first statements of threads are reached.
    None,
}

/// Everything that the parts of the text have to agree about.
pub(crate) struct Plan {
    /// The program with names that can be printed.
    pub(crate) program: Concurrent,
    pub(crate) bound: Bound,
    pub(crate) scheme: Scheme,
    pub(crate) order: Order,
    pub(crate) steps: Steps,
    /// The threads of each block.
    pub(crate) threads: Vec<Range<usize>>,
    /// The number of contexts; if rounds are guessed, that of rounds: then all threads have the same contexts.
    pub(crate) n_contexts: usize,
    pub(crate) goals: Goals,
    pub(crate) words: Words,
}

/// The places to reach, each with the threads that count; with all of them if nothing is said.
pub(crate) type Goals = FxHashMap<Goal, Option<Vec<usize>>>;

/// The names of what the translation adds.
pub(crate) struct Words {
    /// The context that the running thread is in; the number of contexts if it has not started yet.
    pub(crate) context: String,
    /// The context that is being computed.
    pub(crate) target: String,
    /// The running thread.
    pub(crate) active: String,
    /// The running thread has no further context: its functions return.
    pub(crate) stop: String,
    /// A goal is reached.
    pub(crate) hit: String,
    /// The thread of each context.
    pub(crate) owners: Vec<String>,
    /// Counts the copies of each block that have run.
    pub(crate) used: Vec<String>,
    /// The shared variables that somebody changes, with their types: the values that the running thread sees.
    pub(crate) shared: Vec<(String, rsm::Type)>,
    /// The values of those for each context.
    pub(crate) copies: Vec<Vec<String>>,
    /// For each round but the first one, the values that are guessed for its beginning.
    pub(crate) guesses: Vec<Vec<String>>,
    /// The values that a thread leaves behind when it stops.
    pub(crate) next: Vec<String>,
    /// Where a function goes on in the next context.
    pub(crate) at: String,
    /// The function that is called where a goal is reached.
    pub(crate) reached: String,
    /// The functions that run a thread of each block.
    pub(crate) runs: Vec<String>,
}

impl Plan {
    pub(crate) fn new(
        program: &Concurrent,
        goals: &[ThreadGoal],
        bound: Bound,
        scheme: Scheme,
    ) -> Result<Self, SequentializeError> {
        // Within 0 rounds what is reached is reached by the first thread before it moves.
        let (order, steps) = match bound {
            Bound::Switches(_) => (Order::Free, Steps::All),
            Bound::Rounds(0) => (Order::Free, Steps::None),
            Bound::Rounds(_) => (Order::Rounds, Steps::All),
        };
        if let (Bound::Rounds(_), Some(block)) =
            (bound, program.blocks.iter().find(|block| block.copies == Copies::Any))
        {
            return Err(SequentializeError::AnyNumber { block: block.name.clone() });
        }
        let changed = changed(program);
        let (threads, n_contexts) = sizes(program, bound, scheme, changed.len() as u64)?;
        let goals = threads_to_reach(program, goals, order, &threads);
        let mut renamed = rename(program);
        let words = words(&mut renamed, &changed, n_contexts);
        let program = renamed.program;
        Ok(Self { program, bound, scheme, order, steps, threads, n_contexts, goals, words })
    }

    /// The number of threads.
    pub(crate) fn n_threads(&self) -> usize {
        self.threads.last().map_or(0, |range| range.end)
    }

    /// The names of the shared variables that somebody changes.
    pub(crate) fn shared(&self) -> Vec<&str> {
        self.words.shared.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// The module may run in a thread of the block.
    pub(crate) fn block_of(&self, module: ModuleId) -> Option<&ThreadBlock> {
        self.program.blocks.iter().find(|block| block.modules.binary_search(&module).is_ok())
    }

    /// The flag of the threads of a block.
    pub(crate) fn flag(&self, block: &ThreadBlock) -> Option<&str> {
        block.flag.map(|flag| self.program.machine.globals[flag as usize].name.as_str())
    }
}

/// The shared variables that some thread may change, ascending. The others need no copies.
fn changed(program: &Concurrent) -> Vec<u32> {
    let mut is_changed = vec![false; program.machine.globals.len()];
    let mut mark = |place: &Place| {
        if let Place::Global(n) = place {
            is_changed[*n as usize] = true;
        }
    };
    for edge in program.machine.modules.iter().flat_map(|module| &module.edges) {
        match &edge.action {
            Action::Assign { targets, .. } => targets.iter().for_each(&mut mark),
            Action::Call { results, .. } => results.iter().flatten().for_each(&mut mark),
            _ => {}
        }
    }
    (0..program.n_shared as u32).filter(|n| is_changed[*n as usize]).collect()
}

/// The threads of each block and the number of contexts.
fn sizes(
    program: &Concurrent,
    bound: Bound,
    scheme: Scheme,
    n_changed: u64,
) -> Result<(Vec<Range<usize>>, usize), SequentializeError> {
    let limit = match bound {
        Bound::Switches(k) => u64::from(k) + 1,
        Bound::Rounds(0) => 1,
        Bound::Rounds(_) => u64::MAX,
    };
    let count = |block: &ThreadBlock| match block.copies {
        Copies::Number(n) => u64::from(n).min(limit),
        Copies::Any => limit,
    };
    let n_threads: u64 = program.blocks.iter().map(count).fold(0, u64::saturating_add);
    let n_contexts = match (bound, scheme) {
        (Bound::Rounds(rounds @ 1..), Scheme::Lazy) => u64::from(rounds).saturating_mul(n_threads),
        (Bound::Rounds(rounds @ 1..), Scheme::Eager) => u64::from(rounds),
        _ => limit,
    };
    let size = n_contexts.saturating_mul(n_changed + 1).saturating_add(n_threads);
    if size > MAX_SIZE {
        return Err(SequentializeError::TooLarge { n_threads, n_contexts });
    }
    let mut end = 0;
    let mut range = |block| {
        let start = end;
        end += count(block) as usize;
        start..end
    };
    Ok((program.blocks.iter().map(&mut range).collect(), n_contexts as usize))
}

/// The goals with the threads that count for each.
fn threads_to_reach(
    program: &Concurrent,
    goals: &[ThreadGoal],
    order: Order,
    threads: &[Range<usize>],
) -> Goals {
    let mut found = Goals::default();
    for ThreadGoal { goal, copy } in goals {
        let Some(copy) = *copy else {
            found.insert(*goal, None);
            continue;
        };
        let has = |block: &ThreadBlock| {
            let exists = match block.copies {
                Copies::Number(n) => copy < n,
                Copies::Any => true,
            };
            exists && block.modules.binary_search(&goal.module()).is_ok()
        };
        let mut blocks = program.blocks.iter().zip(threads).filter(|(block, _)| has(block)).peekable();
        if blocks.peek().is_none() {
            continue;
        }
        let known = found.entry(*goal).or_insert_with(|| Some(Vec::new()));
        match order {
            Order::Free => *known = None,
            Order::Rounds => {
                if let Some(list) = known {
                    list.extend(blocks.map(|(_, range)| range.start + copy as usize));
                }
            }
        }
    }
    found
}

/// Finds names for everything.
fn words(renamed: &mut Renamed, changed: &[u32], n_contexts: usize) -> Words {
    let Renamed { program, variables, functions } = renamed;
    let globals = &program.machine.globals;
    let shared: Vec<(String, rsm::Type)> =
        changed.iter().map(|n| &globals[*n as usize]).map(|v| (v.name.clone(), v.ty.clone())).collect();
    let mut copies_of = |suffix: String| -> Vec<String> {
        shared.iter().map(|(name, _)| variables.take(&joined(name, &suffix))).collect()
    };
    let copies = (0..n_contexts).map(|context| copies_of(context.to_string())).collect();
    let next = copies_of("next".to_owned());
    let guesses = (1..n_contexts).map(|context| copies_of(format!("guess.{context}"))).collect();
    Words {
        context: variables.take("context"),
        target: variables.take("target"),
        active: variables.take("active"),
        stop: variables.take("stop"),
        hit: variables.take("hit"),
        owners: (0..n_contexts).map(|context| variables.take(&format!("owner.{context}"))).collect(),
        used: program.blocks.iter().map(|block| variables.take(&joined("used", &block.name))).collect(),
        shared,
        copies,
        guesses,
        next,
        at: variables.take("at"),
        reached: functions.take("reached"),
        runs: program.blocks.iter().map(|block| functions.take(&joined(&block.name, "run"))).collect(),
    }
}

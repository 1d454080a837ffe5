//! Which globals each function may read and write, itself or in what it calls.

use crate::program::{Action, FunctionId, Place, Program};

/// The globals that functions use.
#[derive(Clone, Debug)]
pub struct Effects {
    reads: Vec<Set>,
    writes: Vec<Set>,
}

/// A set of globals, as bits.
type Set = Vec<u64>;

impl Effects {
    /// Goes through all functions.
    pub fn new(program: &Program) -> Self {
        let empty = vec![0; program.globals.len().div_ceil(64)];
        let n = program.functions.len();
        let mut effects = Self { reads: vec![empty.clone(); n], writes: vec![empty; n] };
        let mut callers: Vec<Vec<usize>> = vec![Vec::new(); n];
        for id in 0..n {
            effects.own(program, id, &mut callers);
        }
        for caller in &mut callers {
            caller.sort_unstable();
            caller.dedup();
        }
        // What a callee does, its callers do.
        let mut pending: Vec<usize> = (0..n).collect();
        while let Some(callee) = pending.pop() {
            for &caller in &callers[callee] {
                let reads = include(&mut effects.reads, caller, callee);
                let writes = include(&mut effects.writes, caller, callee);
                if reads || writes {
                    pending.push(caller);
                }
            }
        }
        effects
    }

    /// Whether the function may read the global.
    pub fn may_read(&self, function: FunctionId, global: u32) -> bool {
        contains(&self.reads[function.index()], global)
    }

    /// Whether the function may write the global.
    pub fn may_write(&self, function: FunctionId, global: u32) -> bool {
        contains(&self.writes[function.index()], global)
    }

    /// What the function itself does, and who it is called by.
    fn own(&mut self, program: &Program, id: usize, callers: &mut [Vec<usize>]) {
        for edge in &program.functions[id].edges {
            let read = |place| insert(&mut self.reads[id], place);
            match &edge.action {
                Action::Step(step) => {
                    step.exprs().flat_map(|expr| expr.reads()).for_each(read);
                    step.updates.iter().for_each(|(place, _)| insert(&mut self.writes[id], *place));
                }
                Action::Manage(manage) => {
                    manage.exprs().into_iter().flat_map(|expr| expr.reads()).for_each(read);
                    manage.result().iter().for_each(|place| insert(&mut self.writes[id], *place));
                }
                Action::Call { callee, args, result } => {
                    callers[callee.index()].push(id);
                    args.iter().flat_map(|expr| expr.reads()).for_each(read);
                    result.iter().for_each(|place| insert(&mut self.writes[id], *place));
                }
            }
        }
    }
}

fn insert(set: &mut Set, place: Place) {
    if let Place::Global(n) = place {
        set[n as usize / 64] |= 1 << (n % 64);
    }
}

fn contains(set: &Set, global: u32) -> bool {
    set[global as usize / 64] >> (global % 64) & 1 == 1
}

/// Adds the set of one function to that of another; whether it grew.
fn include(sets: &mut [Set], into: usize, from: usize) -> bool {
    let mut grew = false;
    for word in 0..sets[from].len() {
        let new = sets[into][word] | sets[from][word];
        grew |= new != sets[into][word];
        sets[into][word] = new;
    }
    grew
}

/// Which functions are called.
pub(crate) fn called(program: &Program) -> Vec<bool> {
    let mut called = vec![false; program.functions.len()];
    for edge in program.functions.iter().flat_map(|function| &function.edges) {
        if let Action::Call { callee, .. } = edge.action {
            called[callee.index()] = true;
        }
    }
    called
}

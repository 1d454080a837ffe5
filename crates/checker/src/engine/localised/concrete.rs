//! A run along a path that can be taken: states are picked from the sets, one after the other.

use super::backward::{Backward, Known};
use dd::{Bdd, Exhausted, Level};
use encode::Bits;
use rsm::interleave::{ThreadId, World};
use rsm::step::State;
use rsm::trace::{Recorder, Trace};
use rsm::{Action, ModuleId, Place, ThreadGoal};
use rustc_hash::FxHashMap;

/// The values of all variables at some moment.
struct Values {
    globals: Vec<u64>,
    /// The functions that run, with their locals.
    stack: Vec<(ModuleId, Vec<u64>)>,
}

impl Values {
    fn seen(&self) -> State {
        let locals = self.stack.last().map_or_else(Vec::new, |frame| frame.1.clone());
        State { globals: self.globals.clone(), locals }
    }

    fn store(&mut self, place: Place, value: u64) {
        match (place, self.stack.last_mut()) {
            (Place::Global(n), _) => self.globals[n as usize] = value,
            (Place::Local(n), Some(frame)) => frame.1[n as usize] = value,
            (Place::Local(_), None) => {}
        }
    }
}

/// The run whose states lie in these sets, of which none is empty. The path is whole.
pub fn run(path: &mut Backward, sets: &[Bdd]) -> Result<Option<Trace>, Exhausted> {
    let rsm = path.rsm;
    let main = rsm.main;
    let Some(picked) = path.dd.pick(sets[0]) else { return Ok(None) };
    let picked = picked.into_iter().collect();
    let (globals, frame) = (path.globals(), path.frame(main, 0));
    let mut now = Values {
        globals: values(&globals.before, &picked),
        stack: vec![(main, values(&frame.before, &picked))],
    };
    let mut recorder = Recorder::new(rsm, World::of_main(rsm, now.seen()));
    for (event, set) in path.path.events.iter().zip(&sets[1..]) {
        match path.transfer(event)? {
            Known::Impossible => return Ok(None),
            Known::Nothing => {
                if let Action::Return { .. } = path.action(event) {
                    now.stack.pop();
                }
            }
            Known::Transfer(transfer) => {
                let set = path.allowed_after(event, *set)?;
                let here = cube(path, &now, [transfer.diagram, set], &transfer.stored)?;
                let diagram = path.dd.and(transfer.diagram, here)?;
                let ways = path.dd.product(set, diagram, transfer.both)?;
                let ways = path.dd.and(ways, here)?;
                let Some(picked) = path.dd.pick(ways) else { return Ok(None) };
                let picked: FxHashMap<Level, bool> = picked.into_iter().collect();
                match path.action(event) {
                    Action::Call { callee, .. } => {
                        let n_locals = rsm.module(*callee).locals.len();
                        now.stack.push((*callee, vec![0; n_locals]));
                    }
                    Action::Return { .. } => drop(now.stack.pop()),
                    _ => {}
                }
                for (place, bits) in &transfer.stored {
                    now.store(*place, value(bits, &picked));
                }
            }
        }
        recorder.step(ThreadId(0), event.edge, now.seen());
    }
    Ok(Some(recorder.finish(ThreadId(0), ThreadGoal::from(path.path.goal))))
}

/// The present values of what some diagrams depend on, what is stored next left out.
fn cube(
    path: &mut Backward,
    now: &Values,
    diagrams: [Bdd; 2],
    stored: &[(Place, Bits)],
) -> Result<Bdd, Exhausted> {
    let modules: Vec<ModuleId> = now.stack.iter().map(|frame| frame.0).collect();
    let mut wanted: Vec<Level> = diagrams.iter().flat_map(|diagram| path.dd.support(*diagram)).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let is_stored = |level: &Level| stored.iter().any(|(_, bits)| bits.contains(level));
    let mut literals = Vec::with_capacity(wanted.len());
    for level in wanted.into_iter().filter(|level| level % 2 == 0 && !is_stored(level)) {
        let Some((owner, place, depth)) = path.levels.variable(level, &modules) else { continue };
        let (levels, value) = match place {
            Place::Global(n) => (path.globals().before[n as usize].clone(), now.globals[n as usize]),
            Place::Local(n) => {
                let frame = path.frame(owner, depth);
                (frame.before[n as usize].clone(), now.stack[depth].1[n as usize])
            }
        };
        if let Some(bit) = levels.iter().position(|other| *other == level) {
            literals.push((level, value >> bit & 1 == 1));
        }
    }
    path.dd.cube(literals)
}

fn value(bits: &[Level], picked: &FxHashMap<Level, bool>) -> u64 {
    let bit = |level: &Level| u64::from(picked.get(level).copied().unwrap_or(false));
    bits.iter().enumerate().map(|(n, level)| bit(level) << n).sum()
}

fn values(words: &[Bits], picked: &FxHashMap<Level, bool>) -> Vec<u64> {
    words.iter().map(|bits| value(bits, picked)).collect()
}

//! Walking a path: its steps as runs of functions, those that are over shared, those that are open in order.

use super::path::{Path, PathId, Paths, Tail};
use crate::known_steps::StateId;
use crate::way::{Head, Way, WayRun, WayStep};
use rustc_hash::FxHashMap;

/// A function that has been entered and not left.
struct Frame {
    entry: StateId,
    at: StateId,
    /// The call that entered it.
    call: Option<StateId>,
    steps: Vec<WayStep>,
}

/// A tuple of a greatest fixed point at which the run has been.
struct Visit {
    /// Where it was: how many functions were open, and the steps of the last.
    head: Head,
    /// The fewest functions that have been open since, until the next visit.
    low: usize,
    n_steps: usize,
}

enum Work {
    Go(PathId),
    /// The callee of a call that is over has been walked.
    Leave(PathId),
}

pub(super) struct Walk<'p> {
    paths: &'p Paths,
    frames: Vec<Frame>,
    runs: Vec<WayRun>,
    /// The runs of what callees do.
    known: FxHashMap<PathId, usize>,
    visits: Vec<Visit>,
    /// The visits of each tuple.
    rounds: FxHashMap<Tail, Vec<usize>>,
    n_steps: usize,
}

impl<'p> Walk<'p> {
    pub fn new(paths: &'p Paths) -> Self {
        Self {
            paths,
            frames: Vec::new(),
            runs: Vec::new(),
            known: FxHashMap::default(),
            visits: Vec::new(),
            rounds: FxHashMap::default(),
            n_steps: 0,
        }
    }

    /// The function that runs, which is at this state.
    fn top(&mut self, at: StateId) -> Result<&mut Frame, String> {
        let frame = self.frames.last_mut().ok_or("the derivation steps before it starts")?;
        match frame.at == at {
            true => Ok(frame),
            false => Err("the steps of the derivation do not meet".to_owned()),
        }
    }

    fn enter(&mut self, entry: StateId, call: Option<StateId>) {
        self.n_steps += 1;
        self.frames.push(Frame { entry, at: entry, call, steps: Vec::new() });
    }

    /// The function that runs is over.
    fn leave(&mut self) -> Result<(usize, Option<StateId>), String> {
        let frame = self.frames.pop().ok_or("the derivation leaves a function that it has not entered")?;
        if let Some(visit) = self.visits.last_mut() {
            visit.low = visit.low.min(self.frames.len());
        }
        self.runs.push(WayRun { entry: frame.entry, steps: frame.steps });
        Ok((self.runs.len() - 1, frame.call))
    }

    /// The call at a state is over.
    fn come_back(&mut self, call: StateId, run: usize, after: StateId) -> Result<(), String> {
        let top = self.top(call)?;
        top.at = after;
        top.steps.push(WayStep::Call { run, after });
        self.n_steps += 1;
        Ok(())
    }

    /// Walks a path; where it goes on if its end is not known.
    pub fn take(&mut self, path: PathId) -> Result<Option<Tail>, String> {
        let mut todo = vec![Work::Go(path)];
        while let Some(work) = todo.pop() {
            match work {
                Work::Leave(path) => self.end_call(path)?,
                Work::Go(path) => match self.paths.get(path) {
                    Path::Sequence(first, second) => todo.extend([Work::Go(second), Work::Go(first)]),
                    Path::Tail(tail) => return Ok(Some(tail)),
                    Path::Over { call, entry, inner, after, .. } => {
                        match self.known.get(&inner).copied().filter(|run| self.runs[*run].entry == entry) {
                            Some(run) => self.come_back(call, run, after)?,
                            None => {
                                self.top(call)?;
                                self.enter(entry, Some(call));
                                todo.extend([Work::Leave(path), Work::Go(inner)]);
                            }
                        }
                    }
                    other => self.step(other)?,
                },
            }
        }
        Ok(None)
    }

    fn step(&mut self, path: Path) -> Result<(), String> {
        match path {
            Path::Start(_) if !self.frames.is_empty() => return Err("the derivation starts twice".to_owned()),
            Path::Start(u) => self.enter(u, None),
            Path::Step(x, v) => {
                let top = self.top(x)?;
                top.at = v;
                top.steps.push(WayStep::Step(v));
                self.n_steps += 1;
            }
            Path::Call(x, y) => {
                self.top(x)?;
                self.enter(y, Some(x));
            }
            Path::Return { call, exit, after } => {
                self.top(exit)?;
                let (run, from) = self.leave()?;
                let from = from.ok_or("the derivation returns from main")?;
                if call.is_some_and(|call| call != from) {
                    return Err("the derivation returns to another call".to_owned());
                }
                self.come_back(from, run, after)?;
            }
            Path::Empty | Path::Sequence(..) | Path::Over { .. } | Path::Tail(_) => {}
        }
        Ok(())
    }

    fn end_call(&mut self, path: PathId) -> Result<(), String> {
        let Path::Over { call, inner, exit, after, .. } = self.paths.get(path) else {
            unreachable!("only a call that is over is left")
        };
        self.top(exit)?;
        let (run, _) = self.leave()?;
        self.known.insert(inner, run);
        self.come_back(call, run, after)
    }

    /// The walk has come to a tuple of a greatest fixed point. If it has been there before, and nothing that was open then has been
    /// left since, it goes round, and the way is complete.
    pub fn visit(&mut self, tail: Tail) -> Result<Option<Way>, String> {
        let top = self.frames.last().ok_or("the derivation goes round before it starts")?;
        let (open, steps) = (self.frames.len() - 1, top.steps.len());
        let rounds = self.rounds.entry(tail).or_default();
        if rounds.iter().any(|visit| self.visits[*visit].n_steps == self.n_steps) {
            return Err("the infinite run makes no step".to_owned());
        }
        let stays = |visit: &usize| {
            let low = self.visits[*visit..].iter().map(|later| later.low).min();
            low.is_none_or(|low| low > self.visits[*visit].head.open)
        };
        if let Some(&visit) = rounds.iter().find(|visit| stays(visit)) {
            let head = self.visits[visit].head;
            return Ok(Some(Way { head: Some(head), ..self.end() }));
        }
        if rounds.len() > 2 {
            return Err("each round of the infinite run leaves a function that is open".to_owned());
        }
        rounds.push(self.visits.len());
        let (head, low) = (Head { open, steps }, self.frames.len());
        self.visits.push(Visit { head, low, n_steps: self.n_steps });
        Ok(None)
    }

    /// The way of a run that ends.
    pub fn finish(mut self) -> Way {
        self.end()
    }

    fn end(&mut self) -> Way {
        let mut open = Vec::new();
        for frame in std::mem::take(&mut self.frames) {
            self.runs.push(WayRun { entry: frame.entry, steps: frame.steps });
            open.push(self.runs.len() - 1);
        }
        Way { runs: std::mem::take(&mut self.runs), open, head: None }
    }
}

//! From parents to runs.

use super::graph::{At, Entrance, Graph, Move};
use crate::choice::{Cursor, Execution};
use crate::layout::Field;
use crate::program::{Block, Instruction, Kind, Program};
use crate::search::Halt;
use rsm::interleave::{ThreadId, World};
use rsm::step::State;
use rsm::trace::{Context, End, Run, Step, Trace};
use rsm::values::{TooLarge, View, evaluate};
use rsm::{Action, EdgeId, Expr, Goal, ModuleId, Rsm};
use rustc_hash::FxHashMap;

/// Why a run is not written down.
pub(super) enum Failure {
    TooLong,
    Halt(Halt),
}

impl From<Halt> for Failure {
    fn from(halt: Halt) -> Self {
        Failure::Halt(halt)
    }
}

impl From<TooLarge> for Failure {
    fn from(TooLarge: TooLarge) -> Self {
        Failure::Halt(Halt::TooLarge)
    }
}

/// A trace in the making.
pub(super) struct Builder<'s, G, const W: usize> {
    pub(super) graph: &'s G,
    pub(super) rsm: &'s Rsm,
    pub(super) runs: Vec<Run>,
    /// The runs from a state to an exit.
    known: FxHashMap<(At, State), usize>,
    /// How many steps each of the runs has, those of its callees included.
    lengths: Vec<u128>,
    /// So many steps may still be written down.
    n_left: usize,
}

/// A way from the start of the program: finished calls are single steps, the others stay open.
pub(super) struct Way {
    pub(super) start: State,
    pub(super) steps: Vec<Step>,
    /// How many steps there are up to the last call that stays open.
    pub(super) n_called: usize,
}

impl Way {
    /// A function is called that does not return.
    pub(super) fn call(&mut self, edge: EdgeId, after: State) {
        self.steps.push(Step { edge, run: None, after });
        self.n_called = self.steps.len();
    }
}

/// A run in the making.
struct Activation {
    run: Run,
    moves: Vec<Move>,
    at: usize,
    /// The exit that it leads to, and how it starts.
    key: Option<(At, State)>,
}

/// What is seen after some steps.
pub(super) fn last_state<'t>(start: &'t State, steps: &'t [Step]) -> &'t State {
    steps.last().map_or(start, |step| &step.after)
}

/// The run to a state of a share, if it is not longer than allowed.
pub(crate) fn trace<const W: usize>(
    graph: &impl Graph<W>,
    rsm: &Rsm,
    at: At,
    goal: Goal,
    max_steps: usize,
) -> Result<Option<Trace>, Halt> {
    let mut builder = Builder::new(graph, rsm, max_steps);
    match builder.way(at) {
        Ok(way) => Ok(Some(builder.written(way, End::Goal(goal.into())))),
        Err(Failure::TooLong) => Ok(None),
        Err(Failure::Halt(halt)) => Err(halt),
    }
}

impl<'s, G: Graph<W>, const W: usize> Builder<'s, G, W> {
    pub(super) fn new(graph: &'s G, rsm: &'s Rsm, max_steps: usize) -> Self {
        Self {
            graph,
            rsm,
            runs: Vec::new(),
            known: FxHashMap::default(),
            lengths: Vec::new(),
            n_left: max_steps,
        }
    }

    pub(super) fn program(&self) -> &'s Program {
        self.graph.program()
    }

    /// The module of a state.
    pub(super) fn module(&self, at: At) -> Result<ModuleId, Failure> {
        let record = self.graph.record(at)?;
        Ok(ModuleId(self.program().points[record.point() as usize].module))
    }

    /// The run of the program that goes this way.
    pub(super) fn written(self, way: Way, end: End) -> Trace {
        let start = World::of_main(self.rsm, way.start);
        Trace {
            start,
            runs: self.runs,
            contexts: vec![Context { thread: ThreadId(0), steps: way.steps }],
            end,
        }
    }

    /// The way to a state.
    pub(super) fn way(&mut self, state: At) -> Result<Way, Failure> {
        let program = self.program();
        // States, each with the block by which it enters the activation of the one before it, and where that starts.
        let mut chain = vec![(state, None)];
        loop {
            let inside = chain[chain.len() - 1].0;
            let Entrance { start, caller, block, .. } = self.graph.entrance(inside)?;
            chain.push((caller, Some((block, start))));
            if self.graph.entrance(caller)?.module as usize == program.root() {
                break;
            }
        }
        let (root, called) = chain.pop().expect("the chain has been begun");
        let (block, start) = called.expect("the root calls");
        let mut entered = self.initial(root, block, start)?;
        let mut way: Option<Way> = None;
        let mut by = None;
        for (state, called) in chain.into_iter().rev() {
            let run = self.activation(entered.clone(), state)?;
            if let Some((block, callee)) = called {
                let digits = self.call_digits(state, block, callee)?.expect("the first call is one");
                entered = self.called(state, block, &digits, last_state(&run.start, &run.steps))?;
            }
            match (&mut way, by) {
                (Some(way), Some(edge)) => way.call(edge, run.start),
                _ => way = Some(Way { start: run.start, steps: Vec::new(), n_called: 0 }),
            }
            way.iter_mut().for_each(|way| way.steps.extend_from_slice(&run.steps));
            by = called.map(|(block, _)| program.blocks[block as usize].path[0]);
        }
        Ok(way.expect("`main` runs on every way"))
    }

    /// The state in which `main` starts, its locals apart.
    fn initial(&self, root: At, block: u32, start: At) -> Result<State, Failure> {
        let digits = self.call_digits(root, block, start)?.expect("the root calls every entry of main first");
        let main = self.rsm.module(self.rsm.main);
        let mut state =
            State { globals: vec![0; self.rsm.globals.len()], locals: vec![0; main.locals.len()] };
        let chosen = &self.program().blocks[block as usize].chosen;
        chosen.iter().for_each(|(place, code)| *state.slot(*place) = code.value(&[], &[], &digits));
        Ok(state)
    }

    /// The moves from its entry to a state.
    pub(super) fn moves(&self, last: At) -> Result<Vec<Move>, Failure> {
        let mut moves = Vec::new();
        let mut at = last;
        while let Some(by) = self.graph.found_by(at)? {
            let (Move::Block(before, ..) | Move::Summary(before, ..)) = by;
            moves.push(by);
            at = before;
        }
        moves.reverse();
        Ok(moves)
    }

    /// The run of the entry of a state, from how it starts, to this state.
    pub(super) fn activation(&mut self, start: State, last: At) -> Result<Run, Failure> {
        let begun = self.begin(start, last, None)?;
        self.complete(begun)
    }

    /// One move more.
    pub(super) fn follow(&mut self, run: Run, by: Move) -> Result<Run, Failure> {
        self.complete(Activation { run, moves: vec![by], at: 0, key: None })
    }

    /// Makes all moves of a run, and of those that it needs.
    fn complete(&mut self, begun: Activation) -> Result<Run, Failure> {
        let mut stack = vec![begun];
        loop {
            let top = stack.last_mut().expect("the run asked for is on the stack");
            let Some(&next) = top.moves.get(top.at) else {
                let done = stack.pop().expect("there is a run");
                let Some(key) = done.key else { return Ok(done.run) };
                self.known.insert(key, self.runs.len());
                self.runs.push(done.run);
                continue;
            };
            if let Some(callee) = self.go_on(&mut top.run, next)? {
                stack.push(callee);
            } else {
                top.at += 1;
            }
        }
    }

    /// How many steps a step is, if it is a finished call.
    pub(super) fn length(&mut self, step: &Step) -> u128 {
        let Self { runs, lengths, .. } = self;
        let of = |step: &Step, lengths: &[u128]| step.run.map_or(0, |run| lengths[run]).saturating_add(1);
        for run in &runs[lengths.len()..] {
            let length = run.steps.iter().fold(0u128, |sum, step| sum.saturating_add(of(step, lengths)));
            lengths.push(length);
        }
        of(step, lengths)
    }

    fn begin(&self, start: State, last: At, key: Option<(At, State)>) -> Result<Activation, Failure> {
        let module = ModuleId(self.graph.entrance(last)?.module);
        let run = Run { module, start, steps: Vec::new() };
        Ok(Activation { run, moves: self.moves(last)?, at: 0, key })
    }

    /// Makes a move, or says which run has to be known first.
    fn go_on(&mut self, run: &mut Run, next: Move) -> Result<Option<Activation>, Failure> {
        match next {
            Move::Block(from, block, to) => {
                let before = self.here(run)?;
                if let Some(start) = self.block((from, block, to), run.module, &before, &mut run.steps)? {
                    run.start = start;
                }
                Ok(None)
            }
            Move::Summary(caller, exit, to) => {
                let before = self.here(run)?;
                let (block, digits) = self.call_block(caller, exit, to)?;
                let start = self.called(caller, block, &digits, &before)?;
                let key = (exit, start);
                let Some(&callee) = self.known.get(&key) else {
                    return Ok(Some(self.begin(key.1.clone(), exit, Some(key))?));
                };
                let after = self.come_back(run.module, block, &before, callee);
                let edge = self.program().blocks[block as usize].path[0];
                run.steps.push(Step { edge, run: Some(callee), after });
                Ok(None)
            }
        }
    }

    /// Where a run is; it is not too long.
    fn here(&mut self, run: &Run) -> Result<State, Failure> {
        self.n_left = self.n_left.checked_sub(1).ok_or(Failure::TooLong)?;
        Ok(last_state(&run.start, &run.steps).clone())
    }

    /// The state of the caller when the callee has returned.
    pub(super) fn come_back(&self, module: ModuleId, block: u32, before: &State, callee: usize) -> State {
        let last = self.runs[callee].steps.last().expect("a run that returns has steps");
        let mut after = State { globals: last.after.globals.clone(), locals: before.locals.clone() };
        let edge = self.program().blocks[block as usize].path[0];
        if let Action::Call { results, .. } = &self.rsm.module(module).edge(edge).action {
            let results = results.iter().zip(&last.after.locals);
            results
                .filter_map(|(place, value)| Some(((*place)?, *value)))
                .for_each(|(place, value)| *after.slot(place) = value);
        }
        after
    }

    /// The steps of a block. The block before the entry gives values to locals instead.
    pub(super) fn block(
        &self,
        (from, number, to): (At, u32, At),
        module: ModuleId,
        before: &State,
        steps: &mut Vec<Step>,
    ) -> Result<Option<State>, Failure> {
        let block = &self.program().blocks[number as usize];
        let wanted_at = self.graph.record(to)?;
        let live = self.graph.masks().live_at(wanted_at.point());
        let wanted = (&live[..], &wanted_at.key[..]);
        let digits = self.digits(from, number, wanted)?.expect("a parent has a step to its child");
        let mut state = before.clone();
        if block.path.is_empty() {
            block.chosen.iter().for_each(|(place, code)| *state.slot(*place) = code.value(&[], &[], &digits));
            return Ok(Some(state));
        }
        for (edge, (plan, assigns)) in block.path.iter().zip(&block.plans) {
            let packed = self.packed(module, &state);
            match &self.rsm.module(module).edge(*edge).action {
                Action::Assign { targets, values, .. } => {
                    let stores = assigns.map(|n| &block.instructions[n as usize]);
                    let Some(Instruction::Assign { stores, .. }) = stores else {
                        unreachable!("it is an assignment")
                    };
                    let new = self.values(values, &plan.kept, stores, (&packed, &digits), &state);
                    targets.iter().zip(new).for_each(|(target, value)| *state.slot(*target) = value);
                }
                Action::Return { values } => {
                    state.locals = self.values(values, &plan.kept, &block.tail, (&packed, &digits), &state);
                }
                _ => {}
            }
            steps.push(Step { edge: *edge, run: None, after: state.clone() });
        }
        Ok(None)
    }

    /// The values of expressions: those that are kept by the code that the search ran, the others with 0 for each choice.
    fn values(
        &self,
        exprs: &[Expr],
        kept: &[usize],
        codes: &[(Field, crate::code::Code)],
        (packed, digits): (&[u64], &[u64]),
        state: &State,
    ) -> Vec<u64> {
        let view = View::new(&state.globals, &state.locals);
        let value = |(n, expr): (usize, &Expr)| match kept.iter().position(|kept| *kept == n) {
            Some(n) => codes[n].1.value(packed, packed, digits),
            None => evaluate(expr, &view, &mut |_| 0),
        };
        exprs.iter().enumerate().map(value).collect()
    }

    /// The words of a state.
    fn packed(&self, module: ModuleId, state: &State) -> Vec<u64> {
        let layout = &self.program().layout;
        let mut words = vec![0; W];
        let fields = layout.globals.iter().chain(&layout.locals[module.index()]);
        let values = state.globals.iter().chain(&state.locals);
        fields
            .zip(values)
            .filter_map(|(field, value)| Some(((*field)?, *value)))
            .for_each(|(field, value)| field.set(&mut words, value));
        words
    }

    /// What the callee starts with, the locals that nobody sets apart.
    pub(super) fn called(
        &self,
        caller: At,
        number: u32,
        digits: &[u64],
        before: &State,
    ) -> Result<State, Failure> {
        let block = &self.program().blocks[number as usize];
        let module = self.module(caller)?;
        let edge: EdgeId = block.path[0];
        let Action::Call { callee, args, .. } = &self.rsm.module(module).edge(edge).action else {
            unreachable!("a caller is at a call")
        };
        let packed = self.packed(module, before);
        let mut locals = self.values(args, &block.plans[0].0.kept, &block.tail, (&packed, digits), before);
        locals.resize(self.rsm.module(*callee).locals.len(), 0);
        Ok(State { globals: before.globals.clone(), locals })
    }

    /// The call by which a caller went on to a state by way of an exit.
    pub(super) fn call_block(&self, caller: At, exit: At, to: At) -> Result<(u32, Vec<u64>), Failure> {
        let (program, masks) = (self.program(), self.graph.masks());
        let (entrance, wanted) = (self.graph.entrance(exit)?, self.graph.record(to)?);
        let (from, left) = (self.graph.record(caller)?, self.graph.record(exit)?);
        let point = &program.points[from.point() as usize];
        for number in point.first_block..point.end_block {
            let block: &Block = &program.blocks[number as usize];
            let calls = matches!(block.kind, Kind::Call { callee, .. } if callee == entrance.module);
            if !calls || block.to != wanted.point() {
                continue;
            }
            let Some(digits) = self.call_digits(caller, number, entrance.start)? else { continue };
            if let Some(key) = masks.returned(program, &from.key, number, &left.key)? {
                let live = masks.live_at(block.to);
                if (0..W).all(|n| key[n] & live[n] == wanted.key[n]) {
                    return Ok((number, digits));
                }
            }
        }
        unreachable!("a summary is a call and its return")
    }

    /// The choices with which a block of a caller calls the entry that starts there.
    pub(super) fn call_digits(&self, caller: At, block: u32, start: At) -> Result<Option<Vec<u64>>, Failure> {
        let mask = self.graph.masks().entry_of(self.graph.entrance(start)?.module);
        self.digits(caller, block, (mask, &self.graph.record(start)?.key))
    }

    fn digits(&self, from: At, block: u32, wanted: (&[u64], &[u64])) -> Result<Option<Vec<u64>>, Failure> {
        let execution = Execution {
            block: &self.program().blocks[block as usize],
            globals: self.graph.masks().globals(),
            before: &self.graph.record(from)?.key,
            wanted: Some(wanted),
        };
        let (mut digits, mut after) = (Vec::new(), [0; W]);
        let found = execution.next(&mut Cursor::default(), &mut digits, &mut after)?;
        Ok(found.then_some(digits))
    }
}

//! Between which numbers variables are at each point, as far as comparisons with numbers and steps tell.
//!
//! Input: a program with ghosts and without memory, over mathematical integers. Output: for each node an interval for each variable, which holds whenever a run is there: the formulas are inductive by themselves, if this
//! is right, and whoever uses them has them checked. The usual analysis of intervals: nodes are visited until nothing changes, bounds that keep growing jump to the next number of the program, and what was lost thereby is
//! looked for twice again. A function is looked at once for all its callers.

use crate::expr::{Expr, Op, Relation};
use crate::ghosts::Ghosted;
use crate::interval::{Interval, of_type, operation};
use crate::narrow::made;
use crate::program::{Action, Edge, Function, FunctionId, Global, NodeId, Place, Program, Start, Step};

/// No bound: what is this large is not counted.
const NONE: i128 = 1 << 100;
const LARGE: i128 = 1 << 99;

/// The least and the greatest number; [`NONE`] is none.
type Range = (i128, i128);

const ANYTHING: Range = (-NONE, NONE);

/// A node is visited so often before its bounds jump.
const PATIENCE: usize = 3;

/// So often everything is looked at again in the end.
const AGAIN: usize = 2;

/// More variables and nodes are not looked at.
const MOST: usize = 400_000;

/// What a function's variables may hold at a node: globals first, then locals; nothing, if no run comes there.
type State = Option<Vec<Range>>;

/// What variables may hold at each node of each function.
#[derive(Clone, Debug)]
pub struct Bounds {
    n_globals: usize,
    nodes: Vec<Vec<State>>,
}

impl Bounds {
    /// Those of a program. Nothing, if it is large.
    pub fn new(ghosted: &Ghosted) -> Option<Self> {
        let program = &ghosted.program;
        let n_globals = program.globals.len();
        let size = |function: &Function| function.nodes.len() * (n_globals + function.locals.len());
        if program.functions.iter().map(size).sum::<usize>() > MOST {
            return None;
        }
        Some(Self { n_globals, nodes: Analysis::new(ghosted, &numbers(program)).solved() })
    }

    /// What is known at a node.
    pub fn formula(&self, id: FunctionId, node: NodeId) -> Expr {
        let Some(state) = &self.nodes[id.index()][node.index()] else { return Expr::truth(false) };
        let mut formula = Expr::truth(true);
        for (n, (least, most)) in state.iter().enumerate() {
            let place = Expr::read(match n.checked_sub(self.n_globals) {
                Some(local) => Place::Local(local as u32),
                None => Place::Global(n as u32),
            });
            if *least != -NONE {
                formula = formula.and(place.clone().compare(Relation::GreaterEqual, Expr::constant(*least)));
            }
            if *most != NONE {
                formula = formula.and(place.compare(Relation::LessEqual, Expr::constant(*most)));
            }
        }
        formula
    }

    /// The program in which operations are left out that do nothing to the numbers that they meet. Whether there are any.
    pub fn simplify(&self, program: &mut Program) -> bool {
        let mut is_simpler = false;
        for (n, nodes) in self.nodes.iter().enumerate() {
            let mut edges = std::mem::take(&mut program.functions[n].edges);
            for edge in &mut edges {
                let Some(state) = &nodes[edge.from.index()] else { continue };
                let mut change = |expr: &mut Expr, state: &[Range], step: Option<&Step>| {
                    let simpler = self.simpler(program, expr, state, step);
                    is_simpler |= simpler != *expr;
                    *expr = simpler;
                };
                match &mut edge.action {
                    Action::Step(step) => {
                        let before = step.clone();
                        let see = See { program, step: Some(&before), n_globals: self.n_globals };
                        change(&mut step.guard, state, Some(&before));
                        let mut behind = state.clone();
                        if see.refine(&mut behind, &before.guard) {
                            for (_, value) in &mut step.updates {
                                change(value, &behind, Some(&before));
                            }
                        }
                    }
                    Action::Call { args, .. } => args.iter_mut().for_each(|arg| change(arg, state, None)),
                    Action::Manage(_) => {}
                }
            }
            program.functions[n].edges = edges;
        }
        is_simpler
    }

    fn simpler(&self, program: &Program, expr: &Expr, state: &[Range], step: Option<&Step>) -> Expr {
        let matters = |op: &Op| matches!(op, Op::Wrap(_) | Op::Bits(..));
        if !expr.code().iter().any(matters) {
            return expr.clone();
        }
        let see = See { program, step, n_globals: self.n_globals };
        let (simpler, _) = expr.fold(|op, operands: Vec<(Expr, Range)>| {
            let (exprs, ranges): (Vec<Expr>, Vec<Range>) = operands.into_iter().unzip();
            let intervals: Vec<Interval> = ranges.iter().map(|range| finite(*range)).collect();
            let simpler = match op {
                Op::Wrap(_) | Op::Bits(..) => made(op, &exprs, &intervals),
                _ => Expr::of(op, &exprs),
            };
            (simpler, see.operation(op, &ranges, state))
        });
        simpler
    }
}

/// The interval, if it has both ends.
fn finite((least, most): Range) -> Interval {
    (least > -LARGE && most < LARGE).then_some((least, most))
}

/// A bound that is too large is none.
fn limited((least, most): Range) -> Range {
    (if least <= -LARGE { -NONE } else { least }, if most >= LARGE { NONE } else { most })
}

/// The numbers of a program and their neighbours, at which bounds stop for a while. Sorted.
fn numbers(program: &Program) -> Vec<i128> {
    let mut numbers = vec![-NONE, -1, 0, 1, NONE];
    for edge in program.functions.iter().flat_map(|function| &function.edges) {
        let exprs: Vec<&Expr> = match &edge.action {
            Action::Step(step) => step.exprs().collect(),
            Action::Call { args, .. } => args.iter().collect(),
            Action::Manage(_) => Vec::new(),
        };
        for op in exprs.into_iter().flat_map(Expr::code).copied() {
            match op {
                Op::Constant(number) if number.abs() < LARGE => {
                    numbers.extend([number - 1, number, number + 1]);
                }
                Op::Wrap(ty) | Op::Within(ty) => numbers.extend([ty.min(), ty.max()]),
                _ => {}
            }
        }
    }
    for input in &program.inputs {
        numbers.extend([input.ty.min(), input.ty.max()]);
    }
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// What a step sees.
struct See<'a> {
    program: &'a Program,
    step: Option<&'a Step>,
    n_globals: usize,
}

impl See<'_> {
    fn at(&self, place: Place) -> usize {
        match place {
            Place::Global(n) => n as usize,
            Place::Local(n) => self.n_globals + n as usize,
        }
    }

    fn operation(&self, op: Op, operands: &[Range], state: &[Range]) -> Range {
        let of = |interval: Interval| limited(interval.unwrap_or(ANYTHING));
        let leaf = |op: Op| match (op, self.step) {
            (Op::Read(place), _) => Some(state[self.at(place)]),
            (Op::Input(n), Some(step)) => of_type(self.program.input(step.inputs[n as usize]).ty),
            _ => None,
        };
        let is_linear = matches!(op, Op::Add | Op::Subtract | Op::Negate | Op::Multiply | Op::Choose);
        let intervals = operands.iter().map(|range| if is_linear { Some(*range) } else { finite(*range) });
        let intervals: Vec<Interval> = intervals.collect();
        match op {
            Op::Within(_) | Op::Initialised => operands[0],
            Op::Load(_) | Op::Object(_) | Op::Misuse(_) | Op::Member(..) | Op::Difference => ANYTHING,
            _ if op.is_formula() => ANYTHING,
            _ => of(operation(op, &intervals, leaf, |interval, _| interval)),
        }
    }

    fn term(&self, term: &Expr, state: &[Range]) -> Range {
        term.fold(|op, operands: Vec<Range>| self.operation(op, &operands, state))
    }

    /// Keeps what satisfies a formula; whether there may be anything.
    fn refine(&self, state: &mut Vec<Range>, formula: &Expr) -> bool {
        let operands = formula.operands();
        match (formula.root(), &operands[..]) {
            (Op::Truth(value), _) => value,
            (Op::And, [left, right]) => self.refine(state, left) && self.refine(state, right),
            (Op::Or, [left, right]) => {
                let mut other = state.clone();
                match (self.refine(state, left), self.refine(&mut other, right)) {
                    (true, true) => {
                        for (one, other) in state.iter_mut().zip(other) {
                            *one = (one.0.min(other.0), one.1.max(other.1));
                        }
                        true
                    }
                    (false, is_left) => {
                        *state = other;
                        is_left
                    }
                    (true, false) => true,
                }
            }
            (Op::Not, [inner]) => match (inner.root(), &inner.operands()[..]) {
                (Op::And, [left, right]) => {
                    self.refine(state, &left.clone().not().binary(Op::Or, right.clone().not()))
                }
                (Op::Or, [left, right]) => {
                    self.refine(state, &left.clone().not()) && self.refine(state, &right.clone().not())
                }
                (Op::Compare(relation), [left, right]) => {
                    self.compared(state, relation.negated(), left, right)
                }
                _ => true,
            },
            (Op::Compare(relation), [left, right]) => self.compared(state, relation, left, right),
            _ => true,
        }
    }

    fn compared(&self, state: &mut [Range], relation: Relation, left: &Expr, right: &Expr) -> bool {
        let (one, other) = (self.term(left, state), self.term(right, state));
        let below = |(_, most): Range, by: i128| limited((-NONE, most - by));
        let above = |(least, _): Range, by: i128| limited((least + by, NONE));
        let (left_in, right_in) = match relation {
            Relation::Equal => (other, one),
            Relation::NotEqual => (beside(one, other), beside(other, one)),
            Relation::Less => (below(other, 1), above(one, 1)),
            Relation::LessEqual => (below(other, 0), above(one, 0)),
            Relation::Greater => (above(other, 1), below(one, 1)),
            Relation::GreaterEqual => (above(other, 0), below(one, 0)),
        };
        self.within(state, left, left_in) && self.within(state, right, right_in)
    }

    /// Keeps the states in which a term is in a range: one variable, and perhaps a number that is added.
    fn within(&self, state: &mut [Range], term: &Expr, range: Range) -> bool {
        let operands = term.operands();
        match (term.root(), &operands[..]) {
            (Op::Read(place), _) => {
                let known = &mut state[self.at(place)];
                *known = (known.0.max(range.0), known.1.min(range.1));
                known.0 <= known.1
            }
            (Op::Within(_), [inner]) => self.within(state, inner, range),
            (Op::Wrap(ty), [inner]) => {
                // Where it changes nothing.
                let is_same = finite(self.term(inner, state))
                    .is_some_and(|(least, most)| ty.contains(least) && ty.contains(most));
                !is_same || self.within(state, inner, range)
            }
            (op @ (Op::Add | Op::Subtract), [left, right]) => match (left.as_constant(), right.as_constant())
            {
                (_, Some(number)) => {
                    let by = if op == Op::Add { -number } else { number };
                    self.within(state, left, limited((range.0 + by, range.1 + by)))
                }
                (Some(number), None) if op == Op::Add => {
                    self.within(state, right, limited((range.0 - number, range.1 - number)))
                }
                _ => true,
            },
            _ => true,
        }
    }
}

/// A range without a number, if that is one of its ends.
fn beside((least, most): Range, other: Range) -> Range {
    match other {
        (number, same) if number != same => ANYTHING,
        (number, _) if number == least => (least + 1, NONE),
        (number, _) if number == most => (-NONE, most - 1),
        _ => ANYTHING,
    }
}

/// A node of a function.
type At = (FunctionId, NodeId);

/// The analysis of a whole program.
struct Analysis<'a> {
    ghosted: &'a Ghosted,
    steps: &'a [i128],
    /// For each function the nodes from which it is called.
    calls: Vec<Vec<At>>,
}

impl<'a> Analysis<'a> {
    fn new(ghosted: &'a Ghosted, steps: &'a [i128]) -> Self {
        let mut calls: Vec<Vec<At>> = vec![Vec::new(); ghosted.program.functions.len()];
        for (n, function) in ghosted.program.functions.iter().enumerate() {
            for edge in &function.edges {
                if let Action::Call { callee, .. } = edge.action {
                    calls[callee.index()].push((FunctionId::new(n), edge.from));
                }
            }
        }
        Self { ghosted, steps, calls }
    }

    /// What variables hold where the program begins.
    fn start(&self) -> Vec<Range> {
        let program = &self.ghosted.program;
        let global = |global: &Global| match global.start {
            Start::Number(number) => limited((number, number)),
            _ => ANYTHING,
        };
        let n_locals = program.function(program.main).locals.len();
        let globals = program.globals.iter().map(global);
        let mut state: Vec<Range> = globals.chain((0..n_locals).map(|_| (0, 0))).collect();
        self.remember(program.main, &mut state);
        state
    }

    /// Ghosts hold what their variables do.
    fn remember(&self, id: FunctionId, state: &mut [Range]) {
        let see = self.see(None);
        for ghost in &self.ghosted.ghosts[id.index()] {
            state[see.at(Place::Local(ghost.local))] = state[see.at(ghost.of)];
        }
    }

    fn see<'s>(&'s self, step: Option<&'s Step>) -> See<'s> {
        let program = &self.ghosted.program;
        See { program, step, n_globals: program.globals.len() }
    }

    fn empty(&self) -> Vec<Vec<State>> {
        self.ghosted.program.functions.iter().map(|function| vec![None; function.nodes.len()]).collect()
    }

    fn solved(&self) -> Vec<Vec<State>> {
        let program = &self.ghosted.program;
        let mut states = self.empty();
        let mut visits: Vec<Vec<usize>> =
            program.functions.iter().map(|function| vec![0; function.nodes.len()]).collect();
        let first = (program.main, program.function(program.main).entry);
        states[first.0.index()][first.1.index()] = Some(self.start());
        let mut pending = vec![first];
        while let Some((id, node)) = pending.pop() {
            for (_, edge) in program.function(id).edges_from(node) {
                for (at, after) in self.flows(&states, id, edge) {
                    let (f, to) = (at.0.index(), at.1.index());
                    let joined = match &states[f][to] {
                        None => after,
                        Some(before) => {
                            let is_patient = visits[f][to] < PATIENCE;
                            let pairs = before.iter().zip(&after);
                            pairs.map(|(before, after)| self.joined(*before, *after, is_patient)).collect()
                        }
                    };
                    if states[f][to].as_ref() == Some(&joined) {
                        continue;
                    }
                    states[f][to] = Some(joined);
                    visits[f][to] += 1;
                    let is_exit = program.function(at.0).exit == at.1;
                    let back = if is_exit { &self.calls[f][..] } else { &[] };
                    for next in std::iter::once(&at).chain(back) {
                        if !pending.contains(next) {
                            pending.push(*next);
                        }
                    }
                }
            }
        }
        for _ in 0..AGAIN {
            states = self.again(&states);
        }
        states
    }

    fn joined(&self, before: Range, after: Range, is_patient: bool) -> Range {
        let (least, most) = (before.0.min(after.0), before.1.max(after.1));
        if is_patient {
            return (least, most);
        }
        let least = if least < before.0 {
            self.steps.iter().rev().find(|step| **step <= least).copied().unwrap_or(-NONE)
        } else {
            least
        };
        let most = if most > before.1 {
            self.steps.iter().find(|step| **step >= most).copied().unwrap_or(NONE)
        } else {
            most
        };
        limited((least, most))
    }

    /// What follows from all states once more, which is no more than they say.
    fn again(&self, states: &[Vec<State>]) -> Vec<Vec<State>> {
        let program = &self.ghosted.program;
        let mut next = self.empty();
        let entry = program.function(program.main).entry;
        next[program.main.index()][entry.index()] = Some(self.start());
        for (n, function) in program.functions.iter().enumerate() {
            for edge in &function.edges {
                for ((id, to), after) in self.flows(states, FunctionId::new(n), edge) {
                    let state = &mut next[id.index()][to.index()];
                    *state = Some(match state.take() {
                        None => after,
                        Some(before) => {
                            before.iter().zip(after).map(|(a, b)| (a.0.min(b.0), a.1.max(b.1))).collect()
                        }
                    });
                }
            }
        }
        next
    }

    /// Where an edge leads to, and what holds there.
    fn flows(&self, states: &[Vec<State>], id: FunctionId, edge: &Edge) -> Vec<(At, Vec<Range>)> {
        let Some(mut state) = states[id.index()][edge.from.index()].clone() else { return Vec::new() };
        let program = &self.ghosted.program;
        let n_globals = program.globals.len();
        match &edge.action {
            Action::Step(step) => {
                let see = self.see(Some(step));
                if !see.refine(&mut state, &step.guard) {
                    return Vec::new();
                }
                let values: Vec<Range> =
                    step.updates.iter().map(|(_, value)| see.term(value, &state)).collect();
                for ((place, _), value) in step.updates.iter().zip(values) {
                    state[see.at(*place)] = value;
                }
                vec![((id, edge.to), state)]
            }
            Action::Call { callee, args, result } => {
                let see = self.see(None);
                let called = program.function(*callee);
                let mut entered: Vec<Range> = state[..n_globals].to_vec();
                entered.extend(args.iter().map(|arg| see.term(arg, &state)));
                entered.resize(n_globals + called.locals.len(), (0, 0));
                self.remember(*callee, &mut entered);
                let mut flows = vec![((*callee, called.entry), entered)];
                if let Some(left) = &states[callee.index()][called.exit.index()] {
                    for n in 0..n_globals {
                        if self.ghosted.effects.may_write(*callee, n as u32) {
                            state[n] = left[n];
                        }
                    }
                    if let Some(place) = result {
                        let returned = called.result.map(|local| left[see.at(Place::Local(local))]);
                        state[see.at(*place)] = returned.unwrap_or(ANYTHING);
                    }
                    flows.push(((id, edge.to), state));
                }
                flows
            }
            Action::Manage(_) => unreachable!("the program has variables only"),
        }
    }
}

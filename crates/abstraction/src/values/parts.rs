//! The parts of the integers that a program tells apart, for each of its variables.

use base::Classes;
use integers::ghosts::Ghosted;
use integers::normal::{Atom, normal};
use integers::trace::Event;
use integers::{Action, EdgeId, Expr, FunctionId, Op, Place, Relation, Start, Step};
use rustc_hash::{FxHashMap, FxHashSet};

/// A variable with more parts is not followed.
const MOST: usize = 250;

/// Numbers of which nothing better is known are not larger.
const LARGEST: i128 = 1 << 100;

/// Intervals that make up the integers, in order; they are counted from 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parts {
    /// The first numbers of all parts but the lowest.
    cuts: Vec<i128>,
}

impl Parts {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.cuts.len() + 1
    }

    /// The part that a number is in.
    pub fn of(&self, number: i128) -> usize {
        self.cuts.partition_point(|cut| *cut <= number)
    }

    /// The least and the greatest number of a part, if there are such.
    pub fn bounds(&self, part: usize) -> (Option<i128>, Option<i128>) {
        let least = part.checked_sub(1).map(|n| self.cuts[n]);
        (least, self.cuts.get(part).map(|cut| cut - 1))
    }

    /// The same, where the outermost parts end somewhere.
    pub(super) fn interval(&self, part: usize) -> (i128, i128) {
        let (least, most) = self.bounds(part);
        (least.unwrap_or(-LARGEST), most.unwrap_or(LARGEST))
    }

    /// That a term is in one of these parts, which are in order.
    pub fn formula(&self, term: &Expr, parts: &[usize]) -> Expr {
        if parts.len() == self.count() {
            return Expr::truth(true);
        }
        // All but one number is told by that number.
        if parts.len() + 1 == self.count() {
            let missing = (0..self.count()).find(|part| !parts.contains(part)).expect("one is missing");
            if let (Some(least), Some(most)) = self.bounds(missing)
                && least == most
            {
                return term.clone().compare(Relation::NotEqual, Expr::constant(least));
            }
        }
        let mut formula: Option<Expr> = None;
        for run in parts.chunk_by(|one, next| one + 1 == *next) {
            let least = self.bounds(run[0]).0;
            let most = self.bounds(run[run.len() - 1]).1;
            let compare = |relation, number| term.clone().compare(relation, Expr::constant(number));
            let inside = match (least, most) {
                (Some(least), Some(most)) if least == most => compare(Relation::Equal, least),
                (Some(least), Some(most)) => {
                    compare(Relation::GreaterEqual, least).and(compare(Relation::LessEqual, most))
                }
                (Some(least), None) => compare(Relation::GreaterEqual, least),
                (None, Some(most)) => compare(Relation::LessEqual, most),
                (None, None) => Expr::truth(true),
            };
            formula = Some(match formula {
                Some(formula) => formula.binary(Op::Or, inside),
                None => inside,
            });
        }
        formula.unwrap_or_else(|| Expr::truth(false))
    }
}

/// Something that holds a number: a variable, or what comes from outside in a step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Holder {
    Global(u32),
    Local(FunctionId, u32),
    Input(FunctionId, EdgeId, u32),
    Unknown(FunctionId, EdgeId, u32),
}

impl Holder {
    pub(super) fn of(function: FunctionId, edge: EdgeId, op: Op) -> Option<Self> {
        match op {
            Op::Read(Place::Global(n)) => Some(Holder::Global(n)),
            Op::Read(Place::Local(n)) => Some(Holder::Local(function, n)),
            Op::Input(n) => Some(Holder::Input(function, edge, n)),
            Op::Unknown(n) => Some(Holder::Unknown(function, edge, n)),
            _ => None,
        }
    }

    pub(super) fn at(function: FunctionId, place: Place) -> Self {
        match place {
            Place::Global(n) => Holder::Global(n),
            Place::Local(n) => Holder::Local(function, n),
        }
    }
}

/// Sets of variables that have the same parts.
#[derive(Clone, Debug)]
pub struct Partition {
    numbers: FxHashMap<Holder, usize>,
    /// For each holder its set, and the parts of each set that can be followed.
    sets: Vec<usize>,
    parts: FxHashMap<usize, Parts>,
    /// Sets of which the program alone says what they hold: numbers, copies, and what is a little more or less.
    own: FxHashSet<usize>,
    /// The sets that are followed.
    followed: FxHashSet<usize>,
}

impl Partition {
    /// The sets of a program; those are followed of which it says itself what they hold.
    pub fn new(ghosted: &Ghosted) -> Self {
        let mut survey = Survey::default();
        survey.program(ghosted);
        let mut partition = survey.partition();
        partition.followed = partition.own.clone();
        partition
    }

    /// Follows more sets, since a path cannot be taken, and without its last step can: those that matter in that step; if there are none, those that matter several times before. Whether there are any.
    pub fn follow(&mut self, ghosted: &Ghosted, path: &[Event]) -> bool {
        let mut counts: FxHashMap<usize, usize> = FxHashMap::default();
        let mut last: FxHashSet<usize> = FxHashSet::default();
        let mut stack = vec![ghosted.program.main];
        for event in path {
            let Event::Taken(id) = event else {
                stack.pop();
                continue;
            };
            let function = *stack.last().expect("somebody is running");
            let action = &ghosted.program.function(function).edge(*id).action;
            last = self.met(function, *id, action);
            last.iter().for_each(|set| *counts.entry(*set).or_default() += 1);
            if let Action::Call { callee, .. } = action {
                stack.push(*callee);
            }
        }
        let is_new = |set: &usize| self.parts.contains_key(set) && !self.followed.contains(set);
        last.retain(is_new);
        if last.is_empty() {
            let several = counts.into_iter().filter(|(_, count)| *count > 1).map(|(set, _)| set);
            last.extend(several.filter(is_new));
        }
        let is_more = !last.is_empty();
        self.followed.extend(last);
        is_more
    }

    /// The sets that something reads.
    fn met(&self, function: FunctionId, id: EdgeId, action: &Action) -> FxHashSet<usize> {
        let mut met = FxHashSet::default();
        let mut meet = |expr: &Expr| {
            let holders = expr.code().iter().filter_map(|op| Holder::of(function, id, *op));
            met.extend(holders.filter_map(|holder| self.numbers.get(&holder)).map(|n| self.sets[*n]));
        };
        match action {
            Action::Step(step) => {
                meet(&step.guard);
                step.updates.iter().for_each(|(_, value)| meet(value));
            }
            Action::Call { args, .. } => args.iter().for_each(&mut meet),
            Action::Manage(_) => {}
        }
        met
    }

    /// The set of a holder and its parts, if it is followed.
    pub(super) fn of(&self, holder: Holder) -> Option<(usize, &Parts)> {
        let set = self.sets[*self.numbers.get(&holder)?];
        Some((set, self.parts.get(&set)?)).filter(|_| self.followed.contains(&set))
    }
}

/// What the program does with its holders.
#[derive(Default)]
struct Survey {
    numbers: FxHashMap<Holder, usize>,
    same: Vec<(usize, usize)>,
    /// The first numbers of parts that comparisons tell apart.
    cuts: Vec<(usize, i128)>,
    /// Numbers that are stored.
    stored: Vec<(usize, i128)>,
    /// Holders that are compared with others.
    compared: FxHashSet<usize>,
    /// Holders that get what the program does not say.
    foreign: Vec<usize>,
}

impl Survey {
    fn number(&mut self, holder: Holder) -> usize {
        let next = self.numbers.len();
        *self.numbers.entry(holder).or_insert(next)
    }

    fn program(&mut self, ghosted: &Ghosted) {
        let program = &ghosted.program;
        for (n, global) in (0..).zip(&program.globals) {
            let holder = self.number(Holder::Global(n));
            match global.start {
                Start::Number(number) => self.stored.push((holder, number)),
                _ => self.foreign.push(holder),
            }
        }
        for id in (0..program.functions.len()).map(FunctionId::new) {
            for (n, edge) in program.function(id).edges.iter().enumerate() {
                let at = (id, EdgeId::new(n));
                match &edge.action {
                    Action::Step(step) => self.step(at, step),
                    Action::Call { callee, args, result } => {
                        for (n, arg) in (0..).zip(args) {
                            let param = Holder::Local(*callee, n);
                            self.flow(at, param, arg);
                        }
                        if let (Some(place), Some(local)) = (result, program.function(*callee).result) {
                            let to = self.number(Holder::at(id, *place));
                            let from = self.number(Holder::Local(*callee, local));
                            self.same.push((from, to));
                        }
                    }
                    Action::Manage(_) => {}
                }
            }
        }
    }

    fn step(&mut self, at: (FunctionId, EdgeId), step: &Step) {
        self.conditions(at, &step.guard);
        for (place, value) in &step.updates {
            self.flow(at, Holder::at(at.0, *place), value);
        }
    }

    /// A value is stored.
    fn flow(&mut self, at: (FunctionId, EdgeId), to: Holder, value: &Expr) {
        self.conditions(at, value);
        let to = self.number(to);
        let carried = carried(value);
        if carried.is_empty() && !is_counted(value) {
            self.foreign.push(to);
        }
        for part in carried {
            match Holder::of(at.0, at.1, part) {
                Some(holder) => {
                    let from = self.number(holder);
                    if matches!(holder, Holder::Input(..) | Holder::Unknown(..)) {
                        self.foreign.push(from);
                    }
                    self.same.push((from, to));
                }
                None => {
                    if let Op::Constant(number) = part {
                        self.stored.push((to, number));
                    }
                }
            }
        }
    }

    /// What is compared inside an expression.
    fn conditions(&mut self, at: (FunctionId, EdgeId), expr: &Expr) {
        for atom in integers::normal::atoms(expr) {
            let (sum, equal, number) = match normal(&atom).atom {
                Atom::AtMost(sum, most) => (sum, false, most),
                Atom::Equal(sum, value) => (sum, true, value),
                Atom::True | Atom::Other(_) => continue,
            };
            let holder = |term: &Expr| match carried(term)[..] {
                [op] => Holder::of(at.0, at.1, op),
                _ => None,
            };
            match &sum[..] {
                [(term, 1)] => {
                    if let Some(holder) = holder(term) {
                        let holder = self.number(holder);
                        self.cuts.push((holder, number.saturating_add(1)));
                        self.cuts.extend(equal.then_some((holder, number)));
                    }
                }
                [(one, 1), (other, -1)] if number == 0 => {
                    if let (Some(one), Some(other)) = (holder(one), holder(other)) {
                        let (one, other) = (self.number(one), self.number(other));
                        self.compared.insert(one);
                        self.same.push((one, other));
                    }
                }
                _ => {}
            }
        }
    }

    fn partition(self) -> Partition {
        let n = self.numbers.len();
        let mut union = Classes::new(n);
        for (one, other) in &self.same {
            union.join(*one as u32, *other as u32);
        }
        let sets: Vec<usize> = (0..n as u32).map(|holder| union.find(holder) as usize).collect();
        let mut cuts: FxHashMap<usize, Vec<i128>> = FxHashMap::default();
        for (holder, cut) in self.cuts {
            cuts.entry(sets[holder]).or_default().push(cut);
        }
        for holder in self.compared {
            cuts.entry(sets[holder]).or_default();
        }
        let mut stored: FxHashMap<usize, Vec<i128>> = FxHashMap::default();
        for (holder, number) in self.stored {
            let both = [number, number.saturating_add(1)];
            stored.entry(sets[holder]).or_default().extend(both);
        }
        let mut parts = FxHashMap::default();
        for (set, mut cuts) in cuts {
            sorted(&mut cuts);
            let mut all = [&cuts[..], stored.get(&set).map_or(&[][..], |stored| stored)].concat();
            sorted(&mut all);
            let chosen = if all.len() < MOST { all } else { cuts };
            if (1..MOST).contains(&chosen.len()) {
                parts.insert(set, Parts { cuts: chosen });
            }
        }
        let foreign: FxHashSet<usize> = self.foreign.into_iter().map(|holder| sets[holder]).collect();
        let own = parts.keys().copied().filter(|set| !foreign.contains(set)).collect();
        Partition { numbers: self.numbers, sets, parts, own, followed: FxHashSet::default() }
    }
}

/// Whether a value is a little more or less than another.
fn is_counted(value: &Expr) -> bool {
    let operands = value.operands();
    match (value.root(), &operands[..]) {
        (Op::Within(_) | Op::Wrap(_), [inner]) => is_counted(inner),
        (Op::Add | Op::Subtract, [left, right]) => {
            left.as_constant().is_some() || right.as_constant().is_some()
        }
        _ => false,
    }
}

fn sorted(numbers: &mut Vec<i128>) {
    numbers.sort_unstable();
    numbers.dedup();
}

/// The leaves whose value the value of a term may be.
fn carried(term: &Expr) -> Vec<Op> {
    term.fold(|op, operands: Vec<Vec<Op>>| match op {
        Op::Constant(_) | Op::Read(_) | Op::Input(_) | Op::Unknown(_) => vec![op],
        Op::Within(_) | Op::Wrap(_) => operands.into_iter().next().unwrap_or_default(),
        Op::Choose => operands.into_iter().skip(1).flatten().collect(),
        Op::Number => vec![Op::Constant(0), Op::Constant(1)],
        _ => Vec::new(),
    })
}

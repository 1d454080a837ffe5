//! A checker over views, slow and plain: which goals can be reached if only the view is looked at.
//!
//! A state is a module, a point and the bits of the variables, globals first. Whatever the view calls dead is forgotten at
//! every point, in one of several ways; what a callee does not touch or modify may be handed past it. If the view is
//! right, none of this shows.

use rsm::{Action, Binary, Block, Expr, Goal, ModuleId, NodeId, Operation, Place, Reduced, Rsm};
use std::collections::{BTreeMap, BTreeSet};

/// What becomes of the value of a dead variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dead {
    /// It turns to F.
    Cleared,
    /// It turns to T.
    Set,
}

/// How globals get from a call to the point after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Globals {
    /// Through the callee.
    Through,
    /// Past the callee, if it does not modify them; and it does not see those it does not touch.
    Past,
}

/// The goals that can be reached.
pub fn reachable_goals(
    rsm: &Rsm,
    view: &Reduced,
    goals: &[Goal],
    dead: Dead,
    globals: Globals,
) -> BTreeSet<Goal> {
    let mut search = Search { rsm, view, dead, globals, ..Search::new(rsm, view) };
    search.start();
    while let Some(path) = search.pending.pop() {
        search.step(path);
    }
    goals.iter().copied().filter(|&goal| search.seen.iter().any(|path| search.is_at(path, goal))).collect()
}

/// What runs there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Runs {
    /// Some run is infinite: something that was reached leads back to itself, calls that are never left included.
    pub infinite: bool,
    /// Some run cannot go on and has not left `main`.
    pub blocked: bool,
}

/// What runs there are if only the view is looked at.
pub fn runs(rsm: &Rsm, view: &Reduced, dead: Dead, globals: Globals) -> Runs {
    let mut search = Search { rsm, view, dead, globals, ..Search::new(rsm, view) };
    search.start();
    while let Some(path) = search.pending.pop() {
        search.step(path);
    }
    let goes_on: BTreeSet<&Path> = search.ways.iter().map(|(from, _)| from).collect();
    let is_stuck = |path: &Path| path.2 != rsm.module(path.0).exit && !goes_on.contains(path);
    let blocked = search.is_refused || search.seen.iter().any(is_stuck);
    Runs { infinite: has_cycle(&search.seen, &search.ways), blocked }
}

/// Whether the pairs lead from something back to it: what nothing leads to any more is taken away until nothing is left, or a cycle.
fn has_cycle(all: &BTreeSet<Path>, ways: &BTreeSet<(Path, Path)>) -> bool {
    let mut left = all.clone();
    loop {
        let reached: BTreeSet<&Path> =
            ways.iter().filter(|(from, _)| left.contains(from)).map(|(_, to)| to).collect();
        let still: BTreeSet<Path> = left.iter().filter(|path| reached.contains(path)).cloned().collect();
        if still.len() == left.len() {
            return !still.is_empty();
        }
        left = still;
    }
}

/// The values of the variables a module sees, one bit each.
type Values = u32;

/// A module, its values at the entry, a point, the values there; at the exit, results are kept as well.
type Path = (ModuleId, Values, NodeId, Values, Vec<bool>);

/// Values and, after a return, results.
type Outcome = (Values, Vec<bool>);

/// A call that waits: the path to it and the block.
type Waiting = (Path, usize);

struct Search<'a> {
    rsm: &'a Rsm,
    view: &'a Reduced,
    dead: Dead,
    globals: Globals,
    seen: BTreeSet<Path>,
    pending: Vec<Path>,
    waiting: BTreeMap<(ModuleId, Values), BTreeSet<Waiting>>,
    exits: BTreeMap<(ModuleId, Values), Vec<Outcome>>,
    /// What leads to what: by a step, by a call that is over, and from a call to the entry.
    ways: BTreeSet<(Path, Path)>,
    /// Some call cannot go on after it was left.
    is_refused: bool,
}

impl<'a> Search<'a> {
    fn new(rsm: &'a Rsm, view: &'a Reduced) -> Self {
        Self {
            rsm,
            view,
            dead: Dead::Cleared,
            globals: Globals::Through,
            seen: BTreeSet::new(),
            pending: Vec::new(),
            waiting: BTreeMap::new(),
            exits: BTreeMap::new(),
            ways: BTreeSet::new(),
            is_refused: false,
        }
    }

    fn start(&mut self) {
        let main = self.rsm.main;
        for values in 0..1 << self.n_variables(main) {
            let is_initial =
                self.rsm.init.iter().all(|condition| self.can_be(condition, values, values, true));
            if is_initial && self.is_allowed(main, values) {
                let entry = self.forget(main, self.rsm.module(main).entry, values);
                self.add((main, entry, self.rsm.module(main).entry, entry, Vec::new()));
            }
        }
    }

    fn lead(&mut self, from: &Path, to: Path) {
        self.ways.insert((from.clone(), to.clone()));
        self.add(to);
    }

    fn add(&mut self, path: Path) {
        if self.seen.insert(path.clone()) {
            self.pending.push(path);
        }
    }

    fn step(&mut self, path: Path) {
        let (module, entry, point, values, ref results) = path;
        if point == self.rsm.module(module).exit {
            self.exits.entry((module, entry)).or_default().push((values, results.clone()));
            for (caller, block) in self.waiting.get(&(module, entry)).cloned().unwrap_or_default() {
                self.come_back(&caller, block, values, results);
            }
        }
        let view = self.view;
        for (index, block) in view.modules[module.index()].blocks.iter().enumerate() {
            if block.from != point {
                continue;
            }
            if let Action::Call { callee, args, .. } = &self.rsm.module(module).edge(block.path[0]).action {
                self.call(&path, index, *callee, args);
            } else {
                for (values, results) in self.run(module, block, values) {
                    let values = self.forget(module, block.to, values);
                    self.lead(&path, (module, entry, block.to, values, results));
                }
            }
        }
    }

    /// The outcomes of a block without calls.
    fn run(&self, module: ModuleId, block: &Block, values: Values) -> BTreeSet<Outcome> {
        let mut states = BTreeSet::from([(values, Vec::new())]);
        for &id in &block.path {
            let edge = self.rsm.module(module).edge(id);
            let after = states.iter().flat_map(|(values, _)| self.act(&edge.action, *values));
            let is_exit = edge.to == self.rsm.module(module).exit;
            states = after.filter(|(values, _)| is_exit || self.is_allowed(module, *values)).collect();
        }
        states
    }

    /// The outcomes of an edge.
    fn act(&self, action: &Action, values: Values) -> Vec<Outcome> {
        match action {
            Action::Skip => vec![(values, Vec::new())],
            Action::Assume(condition) | Action::Assert(condition) => {
                let can_hold = self.can_be(condition, values, values, true);
                can_hold.then_some((values, Vec::new())).into_iter().collect()
            }
            Action::Assign { targets, values: stored, constrain } => {
                let outcomes = self.all_values(stored, values).into_iter();
                let outcomes = outcomes.map(|stored| {
                    assert_eq!(targets.len(), stored.len());
                    targets.iter().zip(stored).fold(values, |now, (target, bit)| self.set(now, *target, bit))
                });
                let is_kept = |next: &Values| {
                    constrain.iter().all(|condition| self.can_be(condition, values, *next, true))
                };
                outcomes.filter(is_kept).map(|next| (next, Vec::new())).collect()
            }
            Action::Return { values: returned } => {
                self.all_values(returned, values).into_iter().map(|results| (values, results)).collect()
            }
            Action::Call { .. } => panic!("a call inside a block"),
        }
    }

    fn call(&mut self, path: &Path, block: usize, callee: ModuleId, args: &[Expr]) {
        let n_globals = self.rsm.globals.len();
        let values = path.3;
        let mut shared = values & ((1 << n_globals) - 1);
        if self.globals == Globals::Past {
            shared &= mask(&self.view.modules[callee.index()].touched);
        }
        let n_free = self.rsm.module(callee).locals.len() - args.len();
        for args in self.all_values(args, values) {
            for free in 0..1 << n_free {
                let mut entry = shared | free << (n_globals + args.len());
                for (position, &bit) in args.iter().enumerate() {
                    entry = self.set(entry, Place::Local(position as u32), bit);
                }
                if self.is_allowed(callee, entry) {
                    self.enter(path, block, callee, entry);
                }
            }
        }
    }

    fn enter(&mut self, path: &Path, block: usize, callee: ModuleId, values: Values) {
        let node = self.rsm.module(callee).entry;
        let entry = self.forget(callee, node, values);
        self.lead(path, (callee, entry, node, entry, Vec::new()));
        if !self.waiting.entry((callee, entry)).or_default().insert((path.clone(), block)) {
            return;
        }
        for (values, results) in self.exits.get(&(callee, entry)).cloned().unwrap_or_default() {
            self.come_back(path, block, values, &results);
        }
    }

    /// Goes on after a call.
    fn come_back(&mut self, caller: &Path, block: usize, values: Values, results: &[bool]) {
        let &(module, entry, _, before, _) = caller;
        let block = &self.view.modules[module.index()].blocks[block];
        let Action::Call { callee, results: targets, .. } =
            &self.rsm.module(module).edge(block.path[0]).action
        else {
            panic!("only calls wait")
        };
        let taken = match self.globals {
            Globals::Through => (1 << self.rsm.globals.len()) - 1,
            Globals::Past => mask(&self.view.modules[callee.index()].modified),
        };
        let mut after = before & !taken | values & taken;
        assert_eq!(targets.len(), results.len());
        for (target, &bit) in targets.iter().zip(results) {
            after = target.map_or(after, |place| self.set(after, place, bit));
        }
        if self.is_allowed(module, after) {
            let values = self.forget(module, block.to, after);
            self.lead(caller, (module, entry, block.to, values, Vec::new()));
        } else {
            self.is_refused = true;
        }
    }

    fn is_at(&self, path: &Path, goal: Goal) -> bool {
        let &(module, _, point, values, _) = path;
        match goal {
            Goal::At(goal_module, node) => module == goal_module && point == node,
            Goal::Failure(goal_module, id) => {
                let edge = self.rsm.module(goal_module).edge(id);
                let Action::Assert(condition) = &edge.action else { panic!("only assertions fail") };
                module == goal_module && point == edge.from && self.can_be(condition, values, values, false)
            }
        }
    }

    /// The values that stand for the given ones at a point, dead variables being forgotten.
    fn forget(&self, module: ModuleId, point: NodeId, values: Values) -> Values {
        let view = &self.view.modules[module.index()];
        let position = view.points.binary_search(&point).expect("a point");
        let live: Values = view.live[position].iter().map(|&place| 1 << self.bit(place)).sum();
        match self.dead {
            Dead::Cleared => values & live,
            Dead::Set => values | !live & ((1 << self.n_variables(module)) - 1),
        }
    }

    fn n_variables(&self, module: ModuleId) -> usize {
        self.rsm.globals.len() + self.rsm.module(module).locals.len()
    }

    fn bit(&self, place: Place) -> usize {
        match place {
            Place::Global(n) => n as usize,
            Place::Local(n) => self.rsm.globals.len() + n as usize,
        }
    }

    fn set(&self, values: Values, place: Place, bit: bool) -> Values {
        values & !(1 << self.bit(place)) | Values::from(bit) << self.bit(place)
    }

    fn is_allowed(&self, module: ModuleId, values: Values) -> bool {
        self.rsm.module(module).enforce.iter().all(|condition| self.can_be(condition, values, values, true))
    }

    fn can_be(&self, expr: &Expr, old: Values, new: Values, wanted: bool) -> bool {
        self.evaluate(expr, old, new)[usize::from(wanted)]
    }

    /// All values that a list of expressions can have together.
    fn all_values(&self, exprs: &[Expr], values: Values) -> Vec<Vec<bool>> {
        let mut lists = vec![Vec::new()];
        for expr in exprs {
            let can_be = self.evaluate(expr, values, values);
            let longer = |list: &Vec<bool>, bit: bool| list.iter().copied().chain([bit]).collect();
            let choices = [false, true].into_iter().filter(|&bit| can_be[usize::from(bit)]);
            lists = choices
                .flat_map(|bit| lists.iter().map(move |list| longer(list, bit)).collect::<Vec<_>>())
                .collect();
        }
        lists
    }

    /// Whether an expression can be F, and whether it can be T. Each `*` occurs once, so operands are independent.
    fn evaluate(&self, expr: &Expr, old: Values, new: Values) -> [bool; 2] {
        let exactly = |bit: bool| [!bit, bit];
        let mut stack: Vec<[bool; 2]> = Vec::new();
        for term in &expr.code {
            let mut pop = || stack.pop().expect("an operand");
            let result = match term.operation {
                Operation::Constant(value) => exactly(value == 1),
                Operation::Read(place) => exactly(old >> self.bit(place) & 1 == 1),
                Operation::ReadNext(place) => exactly(new >> self.bit(place) & 1 == 1),
                Operation::Choice(_) => [true, true],
                Operation::Not => {
                    let [can_fail, can_hold] = pop();
                    [can_hold, can_fail]
                }
                Operation::Binary(operator) => {
                    let right = pop();
                    combine(pop(), right, |left, right| exactly(apply(operator, left, right)))
                }
                Operation::Schoose => {
                    let negative = pop();
                    combine(pop(), negative, |positive, negative| [!positive, positive || !negative])
                }
                Operation::Negate | Operation::Conditional => panic!("not in these tests"),
            };
            stack.push(result);
        }
        stack[0]
    }
}

fn mask(globals: &[u32]) -> Values {
    globals.iter().map(|&global| 1 << global).sum()
}

fn apply(operator: Binary, left: bool, right: bool) -> bool {
    match operator {
        Binary::And => left && right,
        Binary::Or => left || right,
        Binary::Xor => left != right,
        Binary::Equal => left == right,
        _ => panic!("not in these tests"),
    }
}

fn combine(left: [bool; 2], right: [bool; 2], apply: impl Fn(bool, bool) -> [bool; 2]) -> [bool; 2] {
    let mut result = [false, false];
    for (l, r) in [(false, false), (false, true), (true, false), (true, true)] {
        if left[usize::from(l)] && right[usize::from(r)] {
            let [can_fail, can_hold] = apply(l, r);
            result = [result[0] || can_fail, result[1] || can_hold];
        }
    }
    result
}

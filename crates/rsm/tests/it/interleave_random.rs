//! The twin for threads against the definition of switches and rounds, on random programs.

use crate::harness::random::machine_text;
use crate::harness::{code, machine};
use base::Random;
use base::{FileId, Span, Stop};
use rsm::interleave::{
    Bound, Least, Limits, ThreadId, Unfinished, World, declaration_order, find_run, initials, is_allowed,
    is_at, is_initial, is_step, least_rounds, least_switches, may_switch, successors,
};
use rsm::{
    Action, Concurrent, Copies, Edge, EdgeId, Expr, Goal, ModuleId, NodeId, Rsm, ThreadBlock, ThreadGoal,
};
use std::collections::HashSet;

const N_PROGRAMS: u64 = 40;
const BOUND: u32 = 3;
const MOST_STARTS: usize = 64;
const LIMITS: Limits = Limits { max_worlds: 200, max_depth: 3, max_outcomes: 1 << 12 };

/// A random program: threads of two blocks, `b` and `i` shared, `a` private and in half of the cases the flag.
fn program(random: &mut Random) -> (Concurrent, Vec<u32>) {
    let text = machine_text(random).replace("global a b i:2", "global b i:2 a");
    let mut machine = machine(&text);
    machine.init = vec![code(&machine, "b ! i 0:2 = &")];
    add_assertions(&mut machine);
    for module in &mut machine.modules {
        // Where a call starts, more often: the callee inherits it.
        let is_call = |edge: &&Edge| matches!(edge.action, Action::Call { .. });
        let calls: HashSet<NodeId> = module.edges.iter().filter(is_call).map(|edge| edge.from).collect();
        for (n, node) in module.nodes.iter_mut().enumerate().skip(1) {
            let odds = if calls.contains(&NodeId::new(n)) { 2 } else { 6 };
            node.in_atomic = random.below(odds) == 0;
        }
    }
    let has_flag = random.below(2) == 0;
    let counts = vec![1, 1 + random.below(2) as u32];
    let block = |machine: &Rsm, main: usize| ThreadBlock {
        name: machine.modules[main].name.clone(),
        span: Span { file: FileId(0), start: 0, end: 0 },
        copies: Copies::Number(counts[main / 2]),
        main: ModuleId::new(main),
        modules: (0..machine.modules.len()).map(ModuleId::new).collect(),
        private: vec![2],
        init: vec![code(machine, "a !")],
        flag: has_flag.then_some(2),
    };
    let blocks = vec![block(&machine, 0), block(&machine, 2)];
    (
        Concurrent { machine, n_shared: 2, blocks, is_whole: true, slots: Vec::new(), starts: Vec::new() },
        counts,
    )
}

/// At every node, assertions that the shared globals do not have certain values: reaching a node alone says little about
/// who may interfere with whom.
fn add_assertions(machine: &mut Rsm) {
    let values = (0..4).flat_map(|i| ["b", "b !"].map(|b| format!("{b} i {i}:2 = & !")));
    let conditions: Vec<Expr> = values.map(|text| code(machine, &text)).collect();
    for module in &mut machine.modules {
        let exit = module.exit;
        for node in (0..module.nodes.len()).map(NodeId::new).filter(|node| *node != exit) {
            let actions = conditions.iter().cloned().map(Action::Assert);
            module.edges.extend(actions.map(|action| Edge {
                from: node,
                to: node,
                action,
                span: module.span,
            }));
        }
        module.edges.sort_by_key(|edge| edge.from);
    }
}

/// Every node and every assertion.
fn all_goals(program: &Concurrent) -> Vec<ThreadGoal> {
    let mut goals = Vec::new();
    for (n, module) in program.machine.modules.iter().enumerate() {
        let id = ModuleId::new(n);
        goals.extend((0..module.nodes.len()).map(|node| Goal::At(id, NodeId::new(node))));
        let edges = module.edges.iter().enumerate();
        let assertions = edges.filter(|(_, edge)| matches!(edge.action, Action::Assert(_)));
        goals.extend(assertions.map(|(edge, _)| Goal::Failure(id, EdgeId::new(edge))));
    }
    let copies = [None, Some(0), Some(1)];
    goals.iter().flat_map(|goal| copies.map(|copy| ThreadGoal { goal: *goal, copy })).collect()
}

/// The definition, on sets of worlds.
struct Definition<'a> {
    program: &'a Concurrent,
    goals: &'a [ThreadGoal],
    answer: Least,
}

impl<'a> Definition<'a> {
    fn new(program: &'a Concurrent, goals: &'a [ThreadGoal]) -> Self {
        Self { program, goals, answer: Least { least: vec![None; goals.len()], is_cut: false } }
    }

    /// The worlds that a thread reaches alone if it becomes active in one of these.
    fn context(&mut self, worlds: &HashSet<World>, thread: ThreadId, cost: u32) -> HashSet<World> {
        let is_active = |world: &&World| is_allowed(self.program, world, thread).unwrap();
        let mut todo: Vec<World> = worlds.iter().filter(is_active).cloned().collect();
        let mut reached: HashSet<World> = todo.iter().cloned().collect();
        while let Some(world) = todo.pop() {
            self.note(&world, thread, cost);
            for (edge, after) in successors(self.program, &world, thread, 1 << 12).unwrap() {
                assert_eq!(is_step(self.program, &world, thread, edge, &after), Ok(true));
                if after.threads[thread.index()].stack.len() > LIMITS.max_depth {
                    self.answer.is_cut = true;
                } else if reached.insert(after.clone()) {
                    todo.push(after);
                }
            }
        }
        reached
    }

    /// Notes the goals that an active thread has reached.
    fn note(&mut self, world: &World, thread: ThreadId, cost: u32) {
        let Some(top) = world.threads[thread.index()].stack.last() else { return };
        for (goal, least) in self.goals.iter().zip(&mut self.answer.least) {
            let (Goal::At(module, _) | Goal::Failure(module, _)) = goal.goal;
            if module != top.module {
                continue;
            }
            if least.is_none_or(|least| cost < least) && is_at(self.program, world, thread, *goal).unwrap() {
                *least = Some(cost);
            }
        }
    }

    /// The worlds in which another thread may become active.
    fn left(&self, worlds: HashSet<World>, thread: ThreadId) -> HashSet<World> {
        worlds.into_iter().filter(|world| may_switch(self.program, world, thread)).collect()
    }

    fn switches(mut self, starts: &HashSet<World>, n_threads: usize) -> Least {
        let mut inputs = vec![starts.clone(); n_threads];
        for cost in 0..=BOUND {
            let mut outputs = Vec::new();
            for (n, input) in inputs.iter().enumerate() {
                let reached = self.context(input, ThreadId::new(n), cost);
                outputs.push(self.left(reached, ThreadId::new(n)));
            }
            for (n, input) in inputs.iter_mut().enumerate() {
                let others = outputs.iter().enumerate().filter(|(other, _)| *other != n);
                *input = others.flat_map(|(_, worlds)| worlds.iter().cloned()).collect();
            }
        }
        self.answer
    }

    fn rounds(mut self, starts: &HashSet<World>, order: &[ThreadId]) -> Least {
        for thread in order {
            for world in starts.iter().filter(|world| is_allowed(self.program, world, *thread).unwrap()) {
                self.note(world, *thread, 0);
            }
        }
        let mut worlds = starts.clone();
        for round in 1..=BOUND {
            for thread in order {
                let reached = self.context(&worlds, *thread, round);
                // A thread may do nothing in its turn.
                worlds.extend(self.left(reached, *thread));
            }
        }
        self.answer
    }
}

/// Compares one program; says whether it is small enough.
fn compare(seed: u64) -> bool {
    let mut random = Random::new(seed);
    let (program, counts) = program(&mut random);
    let goals = all_goals(&program);
    let stop = Stop::default();
    let mut order = declaration_order(&counts);
    if random.below(2) == 0 {
        order.reverse();
    }
    let switches = least_switches(&program, &counts, &goals, BOUND, LIMITS, &stop);
    let rounds = least_rounds(&program, &counts, &goals, &order, BOUND, LIMITS, &stop);
    let (switches, rounds) = match (switches, rounds) {
        (Ok(switches), Ok(rounds)) => (switches, rounds),
        (Err(Unfinished::Worlds), _) | (_, Err(Unfinished::Worlds)) => return false,
        other => panic!("seed {seed}: {other:?}"),
    };
    let starts: HashSet<World> = initials(&program, &counts, 1 << 12).unwrap().into_iter().collect();
    // The twin passes over values that nothing reads; the definition tries all of them.
    if starts.len() > MOST_STARTS {
        return false;
    }
    assert!(starts.iter().all(|world| is_initial(&program, &counts, world).unwrap()));
    let expected = Definition::new(&program, &goals).switches(&starts, order.len());
    assert_eq!(switches, expected, "switches, seed {seed}");
    let expected = Definition::new(&program, &goals).rounds(&starts, &order);
    assert_eq!(rounds, expected, "rounds, seed {seed}");
    assert_eq!(goals.len(), switches.least.len(), "seed {seed}");
    for (goal, least) in goals.iter().zip(&switches.least).step_by(101) {
        let Some(least) = least else { continue };
        let bound = Bound::Switches(*least);
        let run = find_run(&program, &counts, &[*goal], bound, LIMITS, &stop).unwrap().unwrap();
        assert_eq!(run.replay(&program, &[*goal]), Ok(()), "seed {seed}");
        assert_eq!(run.n_switches(), *least as usize, "seed {seed}");
    }
    true
}

#[test]
fn the_twin_agrees_with_the_definition() {
    let n_small = (0..N_PROGRAMS).filter(|seed| compare(*seed)).count() as u64;
    assert!(n_small > N_PROGRAMS / 5, "only {n_small} programs are small enough");
}

//! What a monitor sees, by definition: configurations of the program and states of the monitor, all of them, one by one.

use bp::monitor::{Atom, Frame, Monitor};
use rsm::step::{Configuration, initials, successors};
use rsm::values::{View, can_hold};
use rsm::{Action, Edge, Rsm};
use std::collections::HashMap;

/// So many outcomes a step may have.
const LIMIT: usize = 1 << 12;

/// The graph of a program and its monitor.
pub struct Watched {
    /// Where the monitor is in a target state.
    targets: Vec<bool>,
    next: Vec<Vec<usize>>,
}

fn holds(atom: &Atom, rsm: &Rsm, before: &Configuration, edge: &Edge) -> bool {
    let top = before.top().expect("something runs");
    match atom {
        Atom::At(modules, label) => {
            modules.contains(&top.module) && rsm.module(top.module).node(top.node).labels.contains(label)
        }
        Atom::In(function) => *function == top.module,
        Atom::Call(function) => matches!(edge.action, Action::Call { callee, .. } if callee == *function),
        Atom::Ret(function) => *function == top.module && matches!(edge.action, Action::Return { .. }),
    }
}

/// The states to which the monitor may go when the program takes an edge.
fn moves(
    rsm: &Rsm,
    monitor: &Monitor,
    state: usize,
    before: &Configuration,
    edge: &Edge,
) -> Option<Vec<usize>> {
    let top = before.top()?;
    let mut globals = before.globals.clone();
    globals.extend(monitor.atoms.iter().map(|atom| u64::from(holds(atom, rsm, before, edge))));
    let mut all = Vec::new();
    for step in &monitor.states[state].edges {
        let fits = match step.guard.frame {
            Frame::Any => true,
            Frame::Only(function) => function == top.module,
            Frame::Never => false,
        };
        if fits && can_hold(&step.guard.condition, &View::new(&globals, &top.locals)).ok()? {
            all.push(step.to.index());
        }
    }
    Some(all)
}

impl Watched {
    /// `None` if there are too many configurations.
    pub fn new(rsm: &Rsm, monitor: &Monitor) -> Option<Self> {
        let mut numbers: HashMap<(Configuration, usize), usize> = HashMap::new();
        let mut todo = Vec::new();
        let initial = (0..monitor.states.len()).filter(|n| monitor.states[*n].is_initial);
        let starts = initials(rsm, LIMIT).ok()?;
        let mut graph = Self { targets: Vec::new(), next: Vec::new() };
        for state in initial {
            for start in &starts {
                graph.number((start.clone(), state), monitor, &mut numbers, &mut todo);
            }
        }
        while let Some((number, (before, state))) = todo.pop() {
            if numbers.len() > 3000 || before.stack.len() > 8 {
                return None;
            }
            let Some(top) = before.top() else { continue };
            let module = rsm.module(top.module);
            for (edge, after) in successors(rsm, &before, LIMIT).ok()? {
                for to in moves(rsm, monitor, state, &before, module.edge(edge))? {
                    let to = graph.number((after.clone(), to), monitor, &mut numbers, &mut todo);
                    graph.next[number].push(to);
                }
            }
        }
        Some(graph)
    }

    #[allow(clippy::type_complexity)]
    fn number(
        &mut self,
        key: (Configuration, usize),
        monitor: &Monitor,
        numbers: &mut HashMap<(Configuration, usize), usize>,
        todo: &mut Vec<(usize, (Configuration, usize))>,
    ) -> usize {
        if let Some(number) = numbers.get(&key) {
            return *number;
        }
        let number = self.targets.len();
        numbers.insert(key.clone(), number);
        self.targets.push(monitor.states[key.1].is_target);
        self.next.push(Vec::new());
        todo.push((number, key));
        number
    }

    /// A target state is reached.
    pub fn reaches(&self) -> bool {
        self.targets.contains(&true)
    }

    /// There is an infinite run in target states again and again.
    pub fn repeats(&self) -> bool {
        (0..self.next.len()).filter(|n| self.targets[*n]).any(|target| {
            let mut seen = vec![false; self.next.len()];
            let mut todo = self.next[target].clone();
            while let Some(at) = todo.pop() {
                if at == target {
                    return true;
                }
                if !std::mem::replace(&mut seen[at], true) {
                    todo.extend(&self.next[at]);
                }
            }
            false
        })
    }
}

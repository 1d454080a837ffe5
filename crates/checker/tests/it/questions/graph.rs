//! Questions by brute force: all configurations up to a height of the stack.

use rsm::step::{Configuration, initials, successors};
use rsm::{Action, Goal, ModuleId, Place, Rsm};
use std::collections::{HashMap, HashSet, VecDeque};

/// The highest stack that is looked at.
const HIGHEST: usize = 5;

/// More configurations are not looked at.
const MOST: usize = 2500;

/// The configurations of a program and the steps between them.
pub struct Graph {
    pub nodes: Vec<Configuration>,
    pub next: Vec<Vec<usize>>,
    pub starts: usize,
    /// Of each configuration whether all its steps are there.
    pub is_whole: Vec<bool>,
}

/// The locals that an action stores.
fn stored(action: &Action) -> u64 {
    let local = |place: Place| if let Place::Local(n) = place { 1 << n } else { 0 };
    action.stores().map(local).sum()
}

/// An answer as far as it can be told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    Yes,
    No,
    /// The part that was looked at does not tell.
    Unclear,
}

impl Graph {
    /// The part of a program with stacks of at most some height; none if it is too large.
    pub fn new(rsm: &Rsm) -> Option<Self> {
        let mut numbers: HashMap<Configuration, usize> = HashMap::new();
        let mut graph = Self { nodes: Vec::new(), next: Vec::new(), starts: 0, is_whole: Vec::new() };
        let mut todo = VecDeque::new();
        for start in initials(rsm, 1 << 10).ok()? {
            numbers.entry(start.clone()).or_insert_with(|| graph.add(start, &mut todo));
        }
        graph.starts = graph.nodes.len();
        while let Some(at) = todo.pop_front() {
            let mut next = Vec::new();
            for (_, after) in successors(rsm, &graph.nodes[at].clone(), 1 << 10).ok()? {
                if after.stack.len() > HIGHEST {
                    graph.is_whole[at] = false;
                    continue;
                }
                if graph.nodes.len() > MOST {
                    return None;
                }
                next.push(match numbers.get(&after) {
                    Some(number) => *number,
                    None => {
                        let number = graph.add(after.clone(), &mut todo);
                        numbers.insert(after, number);
                        number
                    }
                });
            }
            graph.next[at] = next;
        }
        Some(graph)
    }

    fn add(&mut self, configuration: Configuration, todo: &mut VecDeque<usize>) -> usize {
        self.nodes.push(configuration);
        self.next.push(Vec::new());
        self.is_whole.push(true);
        todo.push_back(self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    pub fn is_at(&self, node: usize, goal: Goal) -> bool {
        let Goal::At(module, at) = goal else { return false };
        self.nodes[node].top().is_some_and(|top| (top.module, top.node) == (module, at))
    }

    /// What is reached from some configurations through those that are allowed.
    fn reached(&self, from: impl Iterator<Item = usize>, allowed: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut seen = vec![false; self.nodes.len()];
        let mut todo: Vec<usize> = from.filter(|node| allowed(*node)).collect();
        while let Some(node) = todo.pop() {
            if !std::mem::replace(&mut seen[node], true) {
                todo.extend(self.next[node].iter().copied().filter(|next| allowed(*next)));
            }
        }
        seen
    }

    /// Nothing is missing among some configurations.
    fn is_all(&self, nodes: &[bool]) -> bool {
        nodes.iter().zip(&self.is_whole).all(|(is_in, is_whole)| !is_in || *is_whole)
    }

    fn answer(&self, is_found: bool, looked_at: &[bool]) -> Answer {
        match is_found {
            true => Answer::Yes,
            false if self.is_all(looked_at) => Answer::No,
            false => Answer::Unclear,
        }
    }

    /// Is there a run that passes a place, and then another one?
    pub fn after(&self, first: Goal, then: Goal) -> Answer {
        let all = self.reached(0..self.starts, |_| true);
        let passed = (0..self.nodes.len()).filter(|node| all[*node] && self.is_at(*node, first));
        let later = self.reached(passed, |_| true);
        let is_found = (0..self.nodes.len()).any(|node| later[node] && self.is_at(node, then));
        self.answer(is_found, &all)
    }

    /// Is there a run to a place that does not pass another one?
    pub fn without(&self, gate: Goal, target: Goal) -> Answer {
        let around = self.reached(0..self.starts, |node| !self.is_at(node, gate));
        let is_found = (0..self.nodes.len()).any(|node| around[node] && self.is_at(node, target));
        self.answer(is_found, &around)
    }

    /// Is there a state of a function in which a variable has a value other than 0?
    pub fn holds(&self, module: ModuleId, place: Place) -> Answer {
        let all = self.reached(0..self.starts, |_| true);
        let is_found = self.nodes.iter().zip(&all).any(|(configuration, is_reached)| {
            let top = configuration.top().filter(|top| *is_reached && top.module == module);
            top.is_some_and(|top| match place {
                Place::Global(n) => configuration.globals[n as usize] != 0,
                Place::Local(n) => top.locals[n as usize] != 0,
            })
        });
        self.answer(is_found, &all)
    }

    /// Is there a run that reads a local variable, no parameter, that it has not written since the function was entered?
    pub fn reads_unwritten(&self, rsm: &Rsm) -> Answer {
        // For each open function the locals that have been written.
        let mut todo: Vec<(Configuration, Vec<u64>)> =
            self.nodes[..self.starts].iter().map(|start| (start.clone(), vec![0])).collect();
        let mut seen: HashSet<(Configuration, Vec<u64>)> = todo.iter().cloned().collect();
        let mut is_whole = true;
        while let Some((at, written)) = todo.pop() {
            let Some(top) = at.top() else { continue };
            let module = rsm.module(top.module);
            for (edge, after) in successors(rsm, &at, 1 << 10).unwrap_or_default() {
                let action = &module.edge(edge).action;
                let own = *written.last().expect("a function is open");
                let is_unwritten = |place: Place| match place {
                    Place::Local(n) => n as usize >= module.n_params && own >> n & 1 == 0,
                    Place::Global(_) => false,
                };
                if action.expressions().any(|expr| expr.reads().any(is_unwritten)) {
                    return Answer::Yes;
                }
                let mut next = written.clone();
                match action {
                    Action::Call { .. } => next.push(0),
                    Action::Return { .. } => {
                        next.pop();
                        // The caller stores the results.
                        let caller = at.stack.len().checked_sub(2).map(|n| &at.stack[n]);
                        if let (Some(caller), Some(own)) = (caller, next.last_mut()) {
                            let call = caller.call.expect("it waits for a call");
                            *own |= stored(&rsm.module(caller.module).edge(call).action);
                        }
                    }
                    _ => *next.last_mut().expect("a function is open") |= stored(action),
                }
                if after.stack.len() > HIGHEST || seen.len() > 4 * MOST {
                    is_whole = false;
                } else if seen.insert((after.clone(), next.clone())) {
                    todo.push((after, next));
                }
            }
        }
        if is_whole { Answer::No } else { Answer::Unclear }
    }

    /// How many calls must be nested at least on the way to a place.
    pub fn depth(&self, target: Goal) -> Option<usize> {
        (1..=HIGHEST)
            .find(|height| {
                let low = self.reached(0..self.starts, |node| self.nodes[node].stack.len() <= *height);
                (0..self.nodes.len()).any(|node| low[node] && self.is_at(node, target))
            })
            .map(|height| height - 1)
    }

    /// Is there an infinite run through allowed configurations, which is at some of them again and again?
    fn cycle(&self, allowed: impl Fn(usize) -> bool, often: impl Fn(usize) -> bool) -> (bool, Vec<bool>) {
        let all = self.reached(0..self.starts, &allowed);
        let is_found = (0..self.nodes.len()).any(|node| {
            let comes_back = || {
                let next = self.next[node].iter().copied();
                self.reached(next, &allowed)[node]
            };
            all[node] && often(node) && comes_back()
        });
        (is_found, all)
    }

    /// Is there an infinite run, with a place on it again and again if one is given?
    pub fn infinite(&self, often: Option<Goal>) -> Answer {
        let (is_found, all) = self.cycle(|_| true, |node| often.is_none_or(|goal| self.is_at(node, goal)));
        self.answer(is_found, &all)
    }

    /// Is there a run, to its end if it has one, that misses a place?
    pub fn misses(&self, target: Goal) -> Answer {
        let allowed = |node: usize| !self.is_at(node, target);
        let (is_found, all) = self.cycle(allowed, |_| true);
        let ends = |node: usize| all[node] && self.is_whole[node] && self.next[node].is_empty();
        self.answer(is_found || (0..self.nodes.len()).any(ends), &all)
    }
}

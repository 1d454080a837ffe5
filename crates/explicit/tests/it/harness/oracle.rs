//! Infinite runs by definition, slowly: heads, summaries and cycles over the successors that `rsm::step` gives.
//!
//! A head is what is on top of a stack, and the globals. `Sum(h, k, b)` says that a run from `h` comes to `k` in the same
//! activation, and whether it passed a goal on the way, `h` included and `k` not. It is saturated by brute force, without
//! reductions, entries or packed states. An infinite run exists if some head that is reached has a way to itself,
//! by `Sum` and by calls that do not return, through a goal.

use rsm::step::{Configuration, Frame, initials, successors};
use rsm::{Goal, Rsm};
use std::collections::{HashMap, HashSet};

/// The globals and the frame on top.
type Head = (Vec<u64>, Frame);

/// So many outcomes a step may have.
const LIMIT: usize = 1 << 14;

/// What is known of a program.
pub struct Oracle {
    /// Heads by number.
    heads: Vec<Head>,
    /// Edges: from, to, and a step (`None`) or a call that did not return, or a summary with the exit head.
    edges: HashSet<(usize, usize, Option<usize>)>,
    /// For each head the one where its activation began.
    pairs: HashSet<(usize, usize)>,
    goal: Vec<bool>,
}

struct Saturation<'a> {
    rsm: &'a Rsm,
    numbers: HashMap<Head, usize>,
    heads: Vec<Head>,
    /// `(entry, head)`: the head is reached in the activation of the entry.
    pairs: HashSet<(usize, usize)>,
    todo: Vec<(usize, usize)>,
    /// `(entry, head of the caller, entry of the callee)`.
    calls: HashSet<(usize, usize, usize)>,
    /// `(entry, head that returns)`.
    returns: HashSet<(usize, usize)>,
    edges: HashSet<(usize, usize, Option<usize>)>,
}

fn head(configuration: &Configuration) -> Head {
    let mut top = configuration.stack[configuration.stack.len() - 1].clone();
    top.call = None;
    (configuration.globals.clone(), top)
}

impl Saturation<'_> {
    fn number(&mut self, head: Head) -> usize {
        *self.numbers.entry(head).or_insert_with_key(|head| {
            self.heads.push(head.clone());
            self.heads.len() - 1
        })
    }

    fn add(&mut self, entry: usize, head: usize) {
        if self.pairs.insert((entry, head)) {
            self.todo.push((entry, head));
        }
    }

    /// Everything that one pair gives; `None` if there is too much.
    fn expand(&mut self, entry: usize, at: usize) -> Option<()> {
        let (globals, frame) = self.heads[at].clone();
        let alone = Configuration { globals, stack: vec![frame] };
        for (edge, after) in successors(self.rsm, &alone, LIMIT).ok()? {
            match after.stack.len() {
                0 => {
                    let _ = edge;
                    self.returns.insert((entry, at));
                }
                1 => {
                    let to = self.number(head(&after));
                    self.edges.insert((at, to, None));
                    self.add(entry, to);
                }
                _ => {
                    let callee = self.number(head(&after));
                    self.edges.insert((at, callee, None));
                    self.calls.insert((entry, at, callee));
                    self.add(callee, callee);
                }
            }
        }
        Some(())
    }

    /// Every return into every caller.
    fn come_back(&mut self) -> Option<()> {
        for (entry, at, callee) in self.calls.clone() {
            for (_, exit) in self.returns.clone().into_iter().filter(|(entry, _)| *entry == callee) {
                let (globals, top) = self.heads[exit].clone();
                let caller = self.heads[at].1.clone();
                for (edge, _) in self.rsm.module(caller.module).edges_from(caller.node) {
                    let calls = matches!(self.rsm.module(caller.module).edge(edge).action,
                        rsm::Action::Call { callee, .. } if callee == top.module);
                    if !calls {
                        continue;
                    }
                    let waiting = Frame { call: Some(edge), ..caller.clone() };
                    if !self.leads_to(at, edge, callee)? {
                        continue;
                    }
                    let both = Configuration { globals: globals.clone(), stack: vec![waiting, top.clone()] };
                    for (_, after) in successors(self.rsm, &both, LIMIT).ok()? {
                        if after.stack.len() == 1 {
                            let to = self.number(head(&after));
                            self.edges.insert((at, to, Some(exit)));
                            self.add(entry, to);
                        }
                    }
                }
            }
        }
        Some(())
    }

    /// The call starts that entry.
    fn leads_to(&self, at: usize, edge: rsm::EdgeId, callee: usize) -> Option<bool> {
        let (globals, frame) = self.heads[at].clone();
        let alone = Configuration { globals, stack: vec![frame] };
        let all = successors(self.rsm, &alone, LIMIT).ok()?;
        Some(all.iter().any(|(taken, after)| {
            *taken == edge && after.stack.len() == 2 && head(after) == self.heads[callee]
        }))
    }
}

impl Oracle {
    /// `None` if the program is too large for it.
    pub fn new(rsm: &Rsm) -> Option<Self> {
        let mut all = Saturation {
            rsm,
            numbers: HashMap::new(),
            heads: Vec::new(),
            pairs: HashSet::new(),
            todo: Vec::new(),
            calls: HashSet::new(),
            returns: HashSet::new(),
            edges: HashSet::new(),
        };
        for start in initials(rsm, LIMIT).ok()? {
            let entry = all.number(head(&start));
            all.add(entry, entry);
        }
        loop {
            while let Some((entry, at)) = all.todo.pop() {
                all.expand(entry, at)?;
                if all.pairs.len() > 1500 || all.calls.len() > 300 {
                    return None;
                }
            }
            let n_pairs = all.pairs.len();
            all.come_back()?;
            if all.pairs.len() == n_pairs {
                break;
            }
        }
        Some(Self { goal: Vec::new(), heads: all.heads, edges: all.edges, pairs: all.pairs })
    }

    /// There is an infinite run.
    pub fn is_infinite(&mut self) -> bool {
        self.goal = vec![true; self.heads.len()];
        self.has_cycle()
    }

    /// There is an infinite run that is at the goal again and again.
    pub fn repeats(&mut self, goals: &[Goal]) -> bool {
        let is_at = |(_, frame): &Head| goals.contains(&Goal::At(frame.module, frame.node));
        self.goal = self.heads.iter().map(is_at).collect();
        self.has_cycle()
    }

    /// For each exit, from each entry, whether a run between them passes a goal: the least solution, over all pairs.
    fn fair_pairs(&self) -> HashSet<(usize, usize)> {
        let mut fair: HashSet<(usize, usize)> = HashSet::new();
        let mut edges_of: HashMap<usize, Vec<(usize, Option<usize>)>> = HashMap::new();
        for (from, to, exit) in &self.edges {
            edges_of.entry(*from).or_default().push((*to, *exit));
        }
        loop {
            let n_fair = fair.len();
            for &(entry, at) in &self.pairs {
                if self.goal[at] {
                    fair.insert((entry, at));
                }
                for &(to, exit) in edges_of.get(&at).into_iter().flatten() {
                    if !self.pairs.contains(&(entry, to)) {
                        continue;
                    }
                    // A step or a summary within the activation. The entry of the callee is whichever leads to the exit.
                    let inside = exit.is_some_and(|exit| {
                        fair.iter().any(|(_, x)| *x == exit) && self.passes(at, exit, &fair)
                    });
                    if fair.contains(&(entry, at)) || inside {
                        fair.insert((entry, to));
                    }
                }
            }
            if fair.len() == n_fair {
                return fair;
            }
        }
    }

    /// Some callee of a head comes to the exit through a goal.
    fn passes(&self, at: usize, exit: usize, fair: &HashSet<(usize, usize)>) -> bool {
        let callees = self.edges.iter().filter(|(from, _, how)| *from == at && how.is_none());
        callees.into_iter().any(|(_, callee, _)| fair.contains(&(*callee, exit)))
    }

    /// Some edge that is fair leads to where its start can be reached from.
    fn has_cycle(&self) -> bool {
        let fair = self.fair_pairs();
        let mut next: Vec<Vec<usize>> = vec![Vec::new(); self.heads.len()];
        self.edges.iter().for_each(|(from, to, _)| next[*from].push(*to));
        let is_fair = |(from, _, exit): &&(usize, usize, Option<usize>)| {
            self.goal[*from] || exit.is_some_and(|exit| self.passes(*from, exit, &fair))
        };
        self.edges.iter().filter(is_fair).any(|(from, to, _)| {
            let mut seen = HashSet::from([*to]);
            let mut todo = vec![*to];
            while let Some(at) = todo.pop() {
                if at == *from {
                    return true;
                }
                todo.extend(next[at].iter().copied().filter(|to| seen.insert(*to)));
            }
            false
        })
    }
}

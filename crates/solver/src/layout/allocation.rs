//! Contradictory allocation constraints: errors of the text that show the cycle.
//!
//! Input: a system and its scopes. Output: nothing, or one error for each body whose own constraints no order satisfies.
//! Constraints of different bodies never contradict each other: there the layout keeps what fits.
//! A constraint between two records is one vertex of a graph, between the leaves that must come before it and those
//! that must come after, so the work is linear in the number of leaves. A constraint that orders part by part
//! ([`paired`]) is one vertex for each pair; inside an interleaving it orders the leaves and not what they are interleaved with.

use super::pairs::paired;
use crate::scope::Scope;
use base::{Classes, Diagnostic};
use calculus::system::{Allocation, AllocationConstraint, System, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Constraints of one scope that no order satisfies.
pub(super) fn contradictions(system: &System, scopes: &[Scope]) -> Result<(), Vec<Diagnostic>> {
    if is_an_order(system) {
        return Ok(());
    }
    let mut scope_of: Vec<Option<usize>> = vec![None; system.binders.len()];
    for (n, scope) in scopes.iter().enumerate() {
        scope.binders.iter().for_each(|b| scope_of[b.index()] = Some(n));
    }
    let mut by_scope: BTreeMap<usize, Vec<Demand>> = BTreeMap::new();
    for (constraint, paired) in system.constraints.iter().zip(paired(system)) {
        let binder = constraint.left.first().map(|v| system.vars[v.index()].binder);
        if let Some(scope) = binder.and_then(|b| scope_of[b.index()]) {
            by_scope.entry(scope).or_default().push(Demand { constraint, paired });
        }
    }
    let mut errors: Vec<Diagnostic> =
        by_scope.values().filter_map(|demands| Leaves::new(system, demands).contradiction()).collect();
    // A constraint of a class stands in many bodies.
    let mut reported = FxHashSet::default();
    errors.retain(|error| reported.insert(error.span));
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// There are precedences only, and even all together, one side whole before the other, they close no cycle.
fn is_an_order(system: &System) -> bool {
    if system.constraints.iter().any(|constraint| constraint.kind != Allocation::Before) {
        return false;
    }
    // A vertex for each variable, and one between the sides of each constraint.
    let n_vars = system.vars.len();
    let n = n_vars + system.constraints.len();
    let mut first = vec![0u32; n + 1];
    let mut waits = vec![0u32; n];
    for (hinge, constraint) in (n_vars..).zip(&system.constraints) {
        constraint.left.iter().for_each(|var| first[var.index() + 1] += 1);
        constraint.right.iter().for_each(|var| waits[var.index()] += 1);
        first[hinge + 1] = constraint.right.len() as u32;
        waits[hinge] = constraint.left.len() as u32;
    }
    (0..n).for_each(|at| first[at + 1] += first[at]);
    let (mut next, mut after) = (first.clone(), vec![0u32; first[n] as usize]);
    let mut link = |from: usize, to: usize| {
        after[next[from] as usize] = to as u32;
        next[from] += 1;
    };
    for (hinge, constraint) in (n_vars..).zip(&system.constraints) {
        constraint.left.iter().for_each(|var| link(var.index(), hinge));
        constraint.right.iter().for_each(|var| link(hinge, var.index()));
    }
    let mut ready: Vec<usize> = (0..n).filter(|at| waits[*at] == 0).collect();
    let mut n_done = 0;
    while let Some(at) = ready.pop() {
        n_done += 1;
        for &to in &after[first[at] as usize..first[at + 1] as usize] {
            waits[to as usize] -= 1;
            if waits[to as usize] == 0 {
                ready.push(to as usize);
            }
        }
    }
    n_done == n
}

/// A constraint, and whether it orders part by part.
struct Demand<'a> {
    constraint: &'a AllocationConstraint,
    paired: bool,
}

/// The leaves that the constraints of one scope speak of, numbered.
struct Leaves<'a> {
    system: &'a System,
    demands: &'a [Demand<'a>],
    vars: Vec<VarId>,
    numbers: FxHashMap<VarId, u32>,
    /// Classes of interleaved leaves.
    classes: Classes,
    /// The interleavings as a forest: neighbours, and the constraint that says so.
    links: Vec<Vec<(u32, usize)>>,
}

/// One precedence: the vertices that come before and those that come after, each with a leaf.
struct Hinge {
    demand: usize,
    sides: [FxHashMap<u32, u32>; 2],
}

/// One constraint on a cycle with the two leaves that matter.
struct Link {
    constraint: usize,
    from: u32,
    to: u32,
}

impl<'a> Leaves<'a> {
    fn new(system: &'a System, demands: &'a [Demand<'a>]) -> Self {
        let mut this = Self {
            system,
            demands,
            vars: Vec::new(),
            numbers: FxHashMap::default(),
            classes: Classes::default(),
            links: Vec::new(),
        };
        let constraints = || demands.iter().map(|demand| demand.constraint);
        for &var in constraints().flat_map(|c| c.left.iter().chain(&c.right)) {
            this.numbers.entry(var).or_insert_with(|| {
                this.vars.push(var);
                this.vars.len() as u32 - 1
            });
        }
        this.classes = Classes::new(this.vars.len());
        this.links = vec![Vec::new(); this.vars.len()];
        for (n, constraint) in constraints().enumerate() {
            if constraint.kind == Allocation::Interleaved && this.pairs_up(constraint) {
                for (a, b) in constraint.left.iter().zip(&constraint.right) {
                    this.interleave(this.numbers[a], this.numbers[b], n);
                }
            }
        }
        this
    }

    /// Values of different types are interleaved as far as they go, which promises nothing about their parts.
    fn pairs_up(&self, constraint: &AllocationConstraint) -> bool {
        let path = |v: &VarId| &self.system.vars[v.index()].path;
        let binder = |v: &VarId| &self.system.binders[self.system.vars[v.index()].binder.index()];
        let type_name = |v: &VarId| &binder(v).type_name;
        let (left, right) = (&constraint.left, &constraint.right);
        left != right
            && left.len() == right.len()
            && (left.len() == 1
                || left.iter().zip(right).all(|(a, b)| path(a) == path(b) && type_name(a) == type_name(b)))
    }

    fn interleave(&mut self, a: u32, b: u32, constraint: usize) {
        if self.classes.join(a, b) {
            self.links[a as usize].push((b, constraint));
            self.links[b as usize].push((a, constraint));
        }
    }

    /// The vertices on the two sides of a constraint, each with one leaf. A vertex is a class of interleaved leaves.
    fn sides(&mut self, constraint: &AllocationConstraint) -> [FxHashMap<u32, u32>; 2] {
        [&constraint.left, &constraint.right].map(|side| {
            let mut leaves = FxHashMap::default();
            for var in side {
                let leaf = self.numbers[var];
                leaves.entry(self.classes.find(leaf)).or_insert(leaf);
            }
            leaves
        })
    }

    /// The pairs of a constraint that orders part by part. Inside a class the vertices are the leaves themselves, numbered
    /// after the classes.
    fn pairs(&mut self, demand: usize) -> Vec<Hinge> {
        let n = self.vars.len() as u32;
        let constraint = self.demands[demand].constraint;
        let mut hinges = Vec::new();
        for (a, b) in constraint.left.iter().zip(&constraint.right) {
            let (a, b) = (self.numbers[a], self.numbers[b]);
            let (x, y) = (self.classes.find(a), self.classes.find(b));
            let (x, y) = if x == y { (n + a, n + b) } else { (x, y) };
            hinges.push(Hinge { demand, sides: [[(x, a)], [(y, b)]].map(FxHashMap::from_iter) });
        }
        hinges
    }

    /// What must come before what; or a constraint that contradicts interleavings.
    fn hinges(&mut self) -> Result<Vec<Hinge>, Link> {
        let mut hinges = Vec::new();
        for (n, &Demand { constraint, paired }) in self.demands.iter().enumerate() {
            let one = constraint.kind == Allocation::Separate && constraint.left == constraint.right;
            if constraint.kind == Allocation::Interleaved || one {
                continue;
            }
            if paired {
                hinges.append(&mut self.pairs(n));
                continue;
            }
            let sides = self.sides(constraint);
            let both = constraint.left.iter().map(|v| self.numbers[v]);
            let both = both.filter_map(|from| Some((from, *sides[1].get(&self.classes.root(from))?))).next();
            if let Some((from, to)) = both {
                return Err(Link { constraint: n, from, to });
            }
            if constraint.kind == Allocation::Before {
                hinges.push(Hinge { demand: n, sides });
            }
        }
        Ok(hinges)
    }

    /// The first contradiction.
    fn contradiction(mut self) -> Option<Diagnostic> {
        let hinges = match self.hinges() {
            Ok(hinges) => hinges,
            Err(step) => return Some(self.report(&[step])),
        };
        let n = 2 * self.vars.len();
        let mut after: Vec<Vec<u32>> = vec![Vec::new(); n + hinges.len()];
        for (h, Hinge { sides: [left, right], .. }) in hinges.iter().enumerate() {
            left.keys().for_each(|&vertex| after[vertex as usize].push((n + h) as u32));
            after[n + h].extend(right.keys());
        }
        let cycle = cycle(&mut after)?;
        let hinge = |v: u32| (v as usize).checked_sub(n).map(|h| &hinges[h]);
        let at = cycle.iter().position(|&v| hinge(v).is_some())?;
        let round: Vec<u32> = cycle[at..].iter().chain(&cycle[..at]).copied().collect();
        let mut steps = Vec::new();
        for (k, &vertex) in round.iter().enumerate() {
            let Some(Hinge { demand, sides: [left, right] }) = hinge(vertex) else { continue };
            let from = left[&round[(k + round.len() - 1) % round.len()]];
            let to = right[&round[(k + 1) % round.len()]];
            steps.push(Link { constraint: *demand, from, to });
        }
        Some(self.report(&steps))
    }

    /// The interleavings that lead from one leaf of a class to another.
    fn path(&self, from: u32, to: u32) -> Vec<Link> {
        let mut came: FxHashMap<u32, (u32, usize)> = FxHashMap::default();
        let mut queue = vec![to];
        let mut at = 0;
        while at < queue.len() && queue[at] != from {
            for &(next, constraint) in &self.links[queue[at] as usize] {
                if next != to && !came.contains_key(&next) {
                    came.insert(next, (queue[at], constraint));
                    queue.push(next);
                }
            }
            at += 1;
        }
        let mut steps = Vec::new();
        let mut leaf = from;
        while let Some(&(next, constraint)) = came.get(&leaf) {
            steps.push(Link { constraint, from: leaf, to: next });
            leaf = next;
        }
        steps
    }

    /// The constraints along a cycle of steps, with the interleavings between them.
    fn report(&self, steps: &[Link]) -> Diagnostic {
        let say = |step: &Link| {
            let name = |leaf: u32| self.system.var_name(self.vars[leaf as usize]);
            let (a, b) = (name(step.from), name(step.to));
            match self.demands[step.constraint].constraint.kind {
                Allocation::Before => format!("this puts `{a}` before `{b}`"),
                Allocation::Interleaved => format!("this interleaves `{a}` with `{b}`"),
                Allocation::Separate => format!("this keeps `{a}` apart from `{b}`"),
            }
        };
        let span = |step: &Link| self.demands[step.constraint].constraint.span;
        let mut diagnostic =
            Diagnostic::error(span(&steps[0]), "allocation constraints contradict each other");
        for (n, step) in steps.iter().enumerate() {
            diagnostic = diagnostic.note(say(step), Some(span(step)));
            for link in self.path(step.to, steps[(n + 1) % steps.len()].from) {
                diagnostic = diagnostic.note(say(&link), Some(span(&link)));
            }
        }
        diagnostic
    }
}

/// The vertices of some cycle, in order.
fn cycle(after: &mut [Vec<u32>]) -> Option<Vec<u32>> {
    // The lists come from hash maps.
    after.iter_mut().for_each(|list| list.sort_unstable());
    let mut state = vec![0_u8; after.len()];
    let (open, done) = (1, 2);
    for start in 0..after.len() as u32 {
        let mut path: Vec<(u32, usize)> = Vec::new();
        if state[start as usize] == 0 {
            state[start as usize] = open;
            path.push((start, 0));
        }
        while let Some((at, next)) = path.last_mut() {
            let Some(&to) = after[*at as usize].get(*next) else {
                state[*at as usize] = done;
                path.pop();
                continue;
            };
            *next += 1;
            if state[to as usize] == open {
                let from = path.iter().position(|p| p.0 == to)?;
                return Some(path[from..].iter().map(|p| p.0).collect());
            }
            if state[to as usize] == 0 {
                state[to as usize] = open;
                path.push((to, 0));
            }
        }
    }
    None
}

//! Scopes: the bodies of a system, each with the binders that live in it.
//!
//! A scope is the body of one relation or the formula of one query. Copy numbers are given per scope: two
//! binders that may meet in one conjunction get different numbers, and numbers rise along the columns of applied relations.

use base::Diagnostic;
use calculus::system::{
    Action, Allocation, AllocationConstraint, BinderId, Formula, FormulaId, System, Term, VarId,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// One body.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    /// Its formulas, each once.
    pub formulas: Vec<FormulaId>,
    /// Its binders, parameters first, then in order of appearance.
    pub binders: Vec<BinderId>,
    /// The copy number of each binder.
    pub copies: FxHashMap<BinderId, u32>,
}

/// All scopes of a system.
pub(crate) fn scopes(system: &System) -> Vec<Scope> {
    let relations = system.relations.iter().map(|r| (r.params.clone(), r.body));
    let items = system.items.iter().filter_map(|item| match &item.action {
        Action::Query(f) | Action::PrintFormula(f) => Some((Vec::new(), *f)),
        Action::Witness(binders, f) | Action::Counterexample(binders, f) | Action::Explain(binders, f) => {
            Some((binders.clone(), *f))
        }
        _ => None,
    });
    relations.chain(items).map(|(params, body)| scope(system, params, body)).collect()
}

/// Where a binder stands: a branch in [`Branches`], or several places.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Branch(u32),
    Several,
}

/// The branches of disjunctions as a tree: each entry is a parent, a depth, and which branch of which disjunction.
struct Branches(Vec<(u32, u32, FormulaId, u32)>);

impl Branches {
    const ROOT: u32 = 0;

    fn below(&mut self, parent: u32, formula: FormulaId, branch: usize) -> u32 {
        let depth = self.0[parent as usize].1 + 1;
        self.0.push((parent, depth, formula, branch as u32));
        self.0.len() as u32 - 1
    }

    /// The two places never meet in one conjunction: a disjunction separates them.
    fn apart(&self, a: Place, b: Place) -> bool {
        let (Place::Branch(mut a), Place::Branch(mut b)) = (a, b) else { return false };
        let at = |n: u32| self.0[n as usize];
        while at(a).1 > at(b).1 {
            a = at(a).0;
        }
        while at(b).1 > at(a).1 {
            b = at(b).0;
        }
        while a != b && at(a).0 != at(b).0 {
            (a, b) = (at(a).0, at(b).0);
        }
        a != b && at(a).2 == at(b).2
    }
}

fn scope(system: &System, params: Vec<BinderId>, body: FormulaId) -> Scope {
    let mut scope = Scope { binders: params, ..Scope::default() };
    let mut branches = Branches(vec![(0, 0, body, 0)]);
    let mut places: FxHashMap<BinderId, Place> = FxHashMap::default();
    let mut visited: FxHashSet<FormulaId> = FxHashSet::default();
    let mut stack = vec![(body, true, Branches::ROOT)];
    while let Some((id, positive, branch)) = stack.pop() {
        if !visited.insert(id) {
            shade(system, id, &mut places);
            continue;
        }
        scope.formulas.push(id);
        match system.formula(id) {
            Formula::Exists(vars, f) | Formula::Forall(vars, f) => {
                for var in vars {
                    let binder = system.vars[var.index()].binder;
                    if places.insert(binder, Place::Branch(branch)).is_none() {
                        scope.binders.push(binder);
                    }
                }
                stack.push((*f, positive, branch));
            }
            Formula::Not(f) => stack.push((*f, !positive, branch)),
            Formula::Iff(a, b) => stack.extend([(*b, positive, branch), (*a, positive, branch)]),
            Formula::And(parts) | Formula::Or(parts) => {
                let splits = matches!(system.formula(id), Formula::Or(_)) == positive;
                for (n, &part) in parts.iter().enumerate().rev() {
                    let branch = if splits { branches.below(branch, id, n) } else { branch };
                    stack.push((part, positive, branch));
                }
            }
            Formula::Constant(_) | Formula::Variable(_) | Formula::Compare(..) | Formula::Apply(..) => {}
        }
    }
    number(system, &mut scope, &branches, &places);
    scope
}

/// Every binder below a formula that occurs twice stands in several places.
fn shade(system: &System, id: FormulaId, places: &mut FxHashMap<BinderId, Place>) {
    let mut stack = vec![id];
    let mut seen = FxHashSet::default();
    while let Some(id) = stack.pop() {
        if !seen.insert(id) {
            continue;
        }
        match system.formula(id) {
            Formula::Exists(vars, f) | Formula::Forall(vars, f) => {
                for var in vars {
                    places.insert(system.vars[var.index()].binder, Place::Several);
                }
                stack.push(*f);
            }
            Formula::Not(f) => stack.push(*f),
            Formula::Iff(a, b) => stack.extend([*a, *b]),
            Formula::And(parts) | Formula::Or(parts) => stack.extend(parts.iter()),
            Formula::Constant(_) | Formula::Variable(_) | Formula::Compare(..) | Formula::Apply(..) => {}
        }
    }
}

/// Above this many binders in one scope, copies follow the text.
const MANY: usize = 1500;

/// Copy numbers: along the columns of applications, different for binders that may meet.
fn number(system: &System, scope: &mut Scope, branches: &Branches, places: &FxHashMap<BinderId, Place>) {
    if scope.binders.len() > MANY {
        scope.copies = scope.binders.iter().enumerate().map(|(n, &b)| (b, n as u32)).collect();
        return;
    }
    let order = linear_order(system, scope);
    let place = |binder: &BinderId| places.get(binder).copied().unwrap_or(Place::Several);
    for (n, binder) in order.iter().enumerate() {
        let met = order[..n].iter().filter(|other| !branches.apart(place(binder), place(other)));
        let copy = met.map(|other| scope.copies[other] + 1).max();
        scope.copies.insert(*binder, copy.unwrap_or(0));
    }
}

/// The binders in an order that follows the columns of the applications, the body's own parameters included.
/// Demands that contradict earlier ones are dropped.
fn linear_order(system: &System, scope: &Scope) -> Vec<BinderId> {
    let n = scope.binders.len();
    let place: FxHashMap<BinderId, usize> = scope.binders.iter().enumerate().map(|(n, &b)| (b, n)).collect();
    let mut demands: Vec<(usize, usize)> = Vec::new();
    for &id in &scope.formulas {
        let Formula::Apply(_, terms) = system.formula(id) else { continue };
        let mut args: Vec<usize> = Vec::new();
        for term in terms {
            if let Term::Var(v) = term {
                let at = place.get(&system.vars[v.index()].binder).copied();
                if let Some(at) = at.filter(|at| args.last() != Some(at)) {
                    args.push(at);
                }
            }
        }
        demands.extend(args.windows(2).map(|pair| (pair[0], pair[1])));
    }
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); n];
    for (a, b) in demands {
        if a != b && !after[a].contains(&b) && !reaches(&after, b, a) {
            after[a].push(b);
        }
    }
    let mut waits = vec![0; n];
    after.iter().flatten().for_each(|&b| waits[b] += 1);
    let mut ready: std::collections::BTreeSet<usize> = (0..n).filter(|&b| waits[b] == 0).collect();
    let mut order = Vec::with_capacity(n);
    while let Some(at) = ready.pop_first() {
        order.push(scope.binders[at]);
        for &next in &after[at] {
            waits[next] -= 1;
            if waits[next] == 0 {
                ready.insert(next);
            }
        }
    }
    order
}

fn reaches(after: &[Vec<usize>], from: usize, to: usize) -> bool {
    let mut seen = vec![false; after.len()];
    let mut stack = vec![from];
    while let Some(at) = stack.pop() {
        if at == to {
            return true;
        }
        if !std::mem::replace(&mut seen[at], true) {
            stack.extend(&after[at]);
        }
    }
    false
}

/// Constraints of one scope that no order satisfies, as errors that show the cycle.
pub(crate) fn contradictions(system: &System, scopes: &[Scope]) -> Result<(), Vec<Diagnostic>> {
    let mut scope_of: FxHashMap<BinderId, usize> = FxHashMap::default();
    for (n, scope) in scopes.iter().enumerate() {
        scope_of.extend(scope.binders.iter().map(|&b| (b, n)));
    }
    let mut by_scope: std::collections::BTreeMap<usize, Vec<&AllocationConstraint>> = Default::default();
    for constraint in &system.constraints {
        let binder = constraint.left.first().map(|v| system.vars[v.index()].binder);
        if let Some(&scope) = binder.and_then(|b| scope_of.get(&b)) {
            by_scope.entry(scope).or_default().push(constraint);
        }
    }
    let mut errors: Vec<Diagnostic> = by_scope.values().filter_map(|cs| contradiction(system, cs)).collect();
    errors.dedup_by(|a, b| a.span == b.span);
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// One contradiction among the constraints of a scope.
fn contradiction(system: &System, constraints: &[&AllocationConstraint]) -> Option<Diagnostic> {
    let mut class: FxHashMap<VarId, VarId> = FxHashMap::default();
    fn find(class: &FxHashMap<VarId, VarId>, mut v: VarId) -> VarId {
        while let Some(&up) = class.get(&v) {
            v = up;
        }
        v
    }
    // Values of different types are interleaved as far as they go, which promises nothing about their parts.
    let alike = |c: &&&AllocationConstraint| {
        let same = |(a, b): (&VarId, &VarId)| system.vars[a.index()].path == system.vars[b.index()].path;
        c.left.len() == c.right.len() && (c.left.len() == 1 || c.left.iter().zip(&c.right).all(same))
    };
    for constraint in
        constraints.iter().filter(|c| c.kind == Allocation::Interleaved && c.left != c.right).filter(alike)
    {
        for (&a, &b) in constraint.left.iter().zip(&constraint.right) {
            let (a, b) = (find(&class, a), find(&class, b));
            if a != b {
                class.insert(a, b);
            }
        }
    }
    let mut edges: Vec<(VarId, VarId, usize)> = Vec::new();
    for (n, constraint) in constraints.iter().enumerate().filter(|(_, c)| c.left != c.right) {
        if constraint.kind == Allocation::Interleaved {
            continue;
        }
        for &a in &constraint.left {
            for &b in &constraint.right {
                let (x, y) = (find(&class, a), find(&class, b));
                if x == y {
                    return Some(report(constraints, &[n]));
                }
                if constraint.kind == Allocation::Before {
                    edges.push((x, y, n));
                }
            }
        }
    }
    cycle(&edges).map(|cycle| report(constraints, &cycle))
}

/// The constraints along a cycle of precedences.
fn cycle(edges: &[(VarId, VarId, usize)]) -> Option<Vec<usize>> {
    let mut out: FxHashMap<VarId, Vec<(VarId, usize)>> = FxHashMap::default();
    for &(a, b, n) in edges {
        out.entry(a).or_default().push((b, n));
    }
    let mut done: FxHashSet<VarId> = FxHashSet::default();
    for &(start, _, _) in edges {
        let mut path: Vec<(VarId, usize, usize)> = vec![(start, 0, usize::MAX)];
        while let Some(&mut (at, ref mut next, _)) = path.last_mut() {
            let step = out.get(&at).and_then(|edges| edges.get(*next)).copied();
            *next += 1;
            match step {
                None => {
                    done.insert(at);
                    path.pop();
                }
                Some((to, n)) => {
                    if let Some(from) = path.iter().position(|p| p.0 == to) {
                        let mut cycle: Vec<usize> = path[from + 1..].iter().map(|p| p.2).chain([n]).collect();
                        cycle.dedup();
                        return Some(cycle);
                    }
                    if !done.contains(&to) {
                        path.push((to, 0, n));
                    }
                }
            }
        }
    }
    None
}

fn report(constraints: &[&AllocationConstraint], cycle: &[usize]) -> Diagnostic {
    let first = constraints[cycle[0]];
    let mut diagnostic = Diagnostic::error(first.span, "allocation constraints contradict each other");
    for &n in &cycle[1..] {
        diagnostic = diagnostic.note("and this one", Some(constraints[n].span));
    }
    for constraint in constraints.iter().filter(|c| c.kind == Allocation::Interleaved) {
        if cycle.len() == 1 {
            diagnostic = diagnostic.note("which interleaves them", Some(constraint.span));
        }
    }
    diagnostic
}

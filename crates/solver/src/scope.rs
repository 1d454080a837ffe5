//! Scopes: the bodies of a system, each with the binders that live in it.
//!
//! A scope is the body of one relation or the formula of one query. Copy numbers are given per scope: two
//! binders that may meet in one conjunction get different numbers, and numbers rise along the columns of applied relations.
//! Where `s < t` orders two parameters of one type, the numbers follow it, also those of the arguments.

use crate::layout::pairs::paired;
use crate::layout::precedence::Precedence;
use calculus::system::{Action, BinderId, Formula, FormulaId, System, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// One body.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    /// Its formulas, each once.
    pub formulas: Vec<FormulaId>,
    /// Its binders, parameters first, then in order of appearance.
    pub binders: Vec<BinderId>,
    /// The copy number of each binder.
    pub copies: Vec<u32>,
}

/// All scopes of a system: one for each relation, in order, then one for each query.
pub(crate) fn scopes(system: &System) -> Vec<Scope> {
    let relations = system.relations.iter().map(|r| (r.params.clone(), r.body));
    let items = system.items.iter().filter_map(|item| match &item.action {
        Action::Query(f) | Action::PrintFormula(f) => Some((Vec::new(), *f)),
        Action::Witness(binders, f) | Action::Counterexample(binders, f) | Action::Explain(binders, f) => {
            Some((binders.clone(), *f))
        }
        _ => None,
    });
    let wishes = Wishes::new(system);
    relations.chain(items).map(|(params, body)| scope(system, &wishes, params, body)).collect()
}

/// What constraints say about the order of parameters.
#[derive(Default)]
struct Wishes {
    /// For each parameter those that come after it.
    after: FxHashMap<BinderId, Vec<BinderId>>,
    /// For the parameters of relations with such constraints, the places they are put in.
    ranks: FxHashMap<BinderId, u32>,
}

impl Wishes {
    fn new(system: &System) -> Self {
        let mut this = Self::default();
        for (constraint, _) in system.constraints.iter().zip(paired(system)).filter(|(_, paired)| *paired) {
            let [first, second] =
                [&constraint.left, &constraint.right].map(|side| system.vars[side[0].index()].binder);
            this.after.entry(first).or_default().push(second);
        }
        for relation in &system.relations {
            if relation.params.iter().any(|param| this.after.contains_key(param)) {
                let precedence = this.precedence(&relation.params);
                for (rank, place) in (0..).zip(precedence.sorted(|v| v)) {
                    this.ranks.insert(relation.params[place as usize], rank);
                }
            }
        }
        this
    }

    /// The wishes as precedences between the places of binders.
    fn precedence(&self, binders: &[BinderId]) -> Precedence {
        let mut precedence = Precedence::new(binders.len());
        if self.after.is_empty() {
            return precedence;
        }
        let place: FxHashMap<BinderId, u32> = (0..).zip(binders).map(|(n, &b)| (b, n)).collect();
        for (first, binder) in (0..).zip(binders) {
            for second in self.after.get(binder).into_iter().flatten().filter_map(|b| place.get(b)) {
                precedence.add(first, *second);
            }
        }
        precedence
    }
}

/// Where a binder stands: a branch in [`Branches`], or several places.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    Branch(u32),
    Several,
}

/// One branch of a disjunction, and the highest copies seen in it. A copy is counted from 1 here; 0 is none.
struct Branch {
    parent: u32,
    /// Which disjunction it is a branch of.
    formula: FormulaId,
    /// The highest copy directly in this branch.
    own: u32,
    /// The disjunction below this branch with the highest copy, and that copy.
    best: (FormulaId, u32),
    /// The highest copy in any other disjunction below this branch.
    second: u32,
}

/// The branches of disjunctions as a tree. Two places never meet in one conjunction if they lie in different branches
/// of one disjunction.
struct Branches {
    tree: Vec<Branch>,
    /// The highest copy of a binder with several places, and of any binder.
    several: u32,
    any: u32,
}

impl Branches {
    const ROOT: u32 = 0;

    fn new(body: FormulaId) -> Self {
        let mut this = Self { tree: Vec::new(), several: 0, any: 0 };
        this.below(Self::ROOT, body);
        this
    }

    fn below(&mut self, parent: u32, formula: FormulaId) -> u32 {
        self.tree.push(Branch { parent, formula, own: 0, best: (formula, 0), second: 0 });
        self.tree.len() as u32 - 1
    }

    /// The highest copy of the binders so far that a binder at `place` may meet.
    fn highest_met(&self, place: Standing) -> u32 {
        let Standing::Branch(mut at) = place else { return self.any };
        let branch = &self.tree[at as usize];
        let mut highest = self.several.max(branch.own).max(branch.best.1);
        while at != Self::ROOT {
            let formula = self.tree[at as usize].formula;
            at = self.tree[at as usize].parent;
            let branch = &self.tree[at as usize];
            let beside = if branch.best.0 == formula { branch.second } else { branch.best.1 };
            highest = highest.max(branch.own).max(beside);
        }
        highest
    }

    /// Counts a binder in.
    fn count(&mut self, place: Standing, copy: u32) {
        self.any = self.any.max(copy);
        let Standing::Branch(mut at) = place else {
            self.several = self.several.max(copy);
            return;
        };
        self.tree[at as usize].own = self.tree[at as usize].own.max(copy);
        while at != Self::ROOT {
            let formula = self.tree[at as usize].formula;
            at = self.tree[at as usize].parent;
            let branch = &mut self.tree[at as usize];
            if branch.best.0 == formula {
                branch.best.1 = branch.best.1.max(copy);
            } else if copy > branch.best.1 {
                branch.second = branch.best.1;
                branch.best = (formula, copy);
            } else {
                branch.second = branch.second.max(copy);
            }
        }
    }
}

fn scope(system: &System, wishes: &Wishes, params: Vec<BinderId>, body: FormulaId) -> Scope {
    let mut scope = Scope { binders: params, ..Scope::default() };
    let mut branches = Branches::new(body);
    let mut places: FxHashMap<BinderId, Standing> =
        scope.binders.iter().map(|&b| (b, Standing::Branch(Branches::ROOT))).collect();
    let mut visited: FxHashSet<FormulaId> = FxHashSet::default();
    let mut shaded: FxHashSet<FormulaId> = FxHashSet::default();
    let mut stack = vec![(body, true, Branches::ROOT)];
    while let Some((id, positive, branch)) = stack.pop() {
        if !visited.insert(id) {
            shade(system, id, &mut shaded, &mut places);
            continue;
        }
        scope.formulas.push(id);
        match system.formula(id) {
            Formula::Exists(vars, f) | Formula::Forall(vars, f) => {
                for var in vars {
                    let binder = system.vars[var.index()].binder;
                    match places.insert(binder, Standing::Branch(branch)) {
                        None => scope.binders.push(binder),
                        Some(before) if before != Standing::Branch(branch) => {
                            places.insert(binder, Standing::Several);
                        }
                        Some(_) => {}
                    }
                }
                stack.push((*f, positive, branch));
            }
            Formula::Not(f) => stack.push((*f, !positive, branch)),
            Formula::Iff(a, b) => stack.extend([(*b, positive, branch), (*a, positive, branch)]),
            Formula::And(parts) | Formula::Or(parts) => {
                let splits = matches!(system.formula(id), Formula::Or(_)) == positive;
                for &part in parts.iter().rev() {
                    let branch = if splits { branches.below(branch, id) } else { branch };
                    stack.push((part, positive, branch));
                }
            }
            Formula::Constant(_) | Formula::Variable(_) | Formula::Compare(..) | Formula::Apply(..) => {}
        }
    }
    let order = linear_order(system, wishes, &scope);
    number(&mut scope, &order, branches, &places);
    scope
}

/// Every binder below a formula that occurs twice stands in several places.
fn shade(
    system: &System,
    id: FormulaId,
    shaded: &mut FxHashSet<FormulaId>,
    places: &mut FxHashMap<BinderId, Standing>,
) {
    let mut stack = vec![id];
    while let Some(id) = stack.pop() {
        if !shaded.insert(id) {
            continue;
        }
        match system.formula(id) {
            Formula::Exists(vars, f) | Formula::Forall(vars, f) => {
                for var in vars {
                    places.insert(system.vars[var.index()].binder, Standing::Several);
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

/// Copy numbers: in the given order of the binders' places, different for binders that may meet.
fn number(scope: &mut Scope, order: &[u32], mut branches: Branches, places: &FxHashMap<BinderId, Standing>) {
    scope.copies = vec![0; scope.binders.len()];
    for &at in order {
        let place = places[&scope.binders[at as usize]];
        let copy = branches.highest_met(place);
        scope.copies[at as usize] = copy;
        branches.count(place, copy + 1);
    }
}

/// The places of the binders in an order that follows the body's constraints and the columns of the applications, the
/// body's own parameters included. Demands that contradict earlier ones are dropped.
fn linear_order(system: &System, wishes: &Wishes, scope: &Scope) -> Vec<u32> {
    let place: FxHashMap<BinderId, u32> = (0..).zip(&scope.binders).map(|(n, &b)| (b, n)).collect();
    let mut precedence = wishes.precedence(&scope.binders);
    let mut args: Vec<(u32, u32)> = Vec::new();
    for &id in &scope.formulas {
        let Formula::Apply(relation, terms) = system.formula(id) else { continue };
        args.clear();
        for (term, column) in terms.iter().zip(&system.relation(*relation).columns) {
            let Term::Var(v) = term else { continue };
            let Some(&at) = place.get(&system.vars[v.index()].binder) else { continue };
            let rank = wishes.ranks.get(&system.vars[column.index()].binder).copied().unwrap_or(0);
            if args.last() != Some(&(rank, at)) {
                args.push((rank, at));
            }
        }
        args.sort_by_key(|&(rank, _)| rank);
        for pair in args.windows(2) {
            precedence.add(pair[0].1, pair[1].1);
        }
    }
    precedence.sorted(|v| v)
}

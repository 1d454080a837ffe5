//! Whether a formula tells states apart: then each state that it sees has to be one of the program, and each of the program one.
//!
//! Reductions make one of states that differ in what does not matter any more, and bits that a function does not use have any value. Who
//! follows runs cannot tell: what can happen from such states is the same. Two kinds of formulas can.
//!
//! - One that looks into states: at a bit, at `L` or `G` alone, or at two points of a function.
//! - One that asks whether a state is *not* among those that steps lead to, or not equal to another. "Some `y` is arrived at that is not
//!   arrived at otherwise" is such a question, and so is "all that are arrived at are equal". So of a variable that exists it must be said that
//!   it is arrived at, or is equal to another, and never that it is not; of one that stands for all states the other way round. What is
//!   said of a state as the beginning of steps is harmless in both ways.

use calculus::system::{
    Action, BOOL, BinderId, Comparison, Formula, FormulaId, Item, RelationId, SortKind, System, Term, VarId,
};
use rustc_hash::{FxHashMap, FxHashSet};
use templates::{Role, Vocabulary};

/// Whether it is said of a variable that it is arrived at, and that it is not.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Arrivals {
    said: bool,
    denied: bool,
}

impl Arrivals {
    fn flipped(self) -> Self {
        Self { said: self.denied, denied: self.said }
    }

    fn add(&mut self, other: Self) -> bool {
        let before = *self;
        self.said |= other.said;
        self.denied |= other.denied;
        *self != before
    }
}

/// How a system speaks of states.
struct Speech<'s> {
    system: &'s System,
    words: &'s Vocabulary,
    /// Of each parameter and each quantified name.
    arrivals: Vec<Arrivals>,
}

/// Something that a file asks beside its verdict: a formula, and the variables before it that values are looked for.
pub(crate) struct Asked {
    pub formula: FormulaId,
    /// Those of which there are some.
    exists: Vec<BinderId>,
    /// Those that stand for all.
    forall: Vec<BinderId>,
}

impl Asked {
    /// What the file of a query asks beside it.
    pub fn beside(system: &System, query: FormulaId) -> Vec<Self> {
        let none = Vec::new;
        let asked = |item: &Item| match &item.action {
            Action::Query(formula) | Action::PrintFormula(formula) => {
                Some(Self { formula: *formula, exists: none(), forall: none() })
            }
            Action::Witness(binders, formula) | Action::Explain(binders, formula) => {
                Some(Self { formula: *formula, exists: binders.clone(), forall: none() })
            }
            Action::Counterexample(binders, formula) => {
                Some(Self { formula: *formula, exists: none(), forall: binders.clone() })
            }
            _ => None,
        };
        items(system, query).filter_map(asked).filter(|asked| asked.formula != query).collect()
    }
}

/// What the author of a query says about it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Claimed {
    /// It is about runs, however that is computed.
    Runs,
    Nothing,
}

/// Some formula of a file, which has this last query and asks something beside it, tells states apart.
pub(crate) fn tells_states_apart(
    system: &System,
    words: &Vocabulary,
    (query, claimed): (FormulaId, Claimed),
    beside: &[Asked],
) -> bool {
    let others = || beside.iter().map(|asked| asked.formula);
    let all = roots(system, words, others().chain([query]));
    let denying =
        roots(system, words, others().chain([query].into_iter().filter(|_| claimed == Claimed::Nothing)));
    let speech = Speech { system, words, arrivals: Vec::new() };
    all.iter().any(|root| speech.looks_into(*root))
        || denies_states(system, words, &denying, beside)
        || names_proper_states(system, words, &all)
        || counts_states(system, query)
}

/// The items of the file in which a query stands.
fn items(system: &System, query: FormulaId) -> impl Iterator<Item = &Item> {
    let home = system.span(query).file;
    system.items.iter().filter(move |item| item.span.file == home)
}

/// A file asks how many states, or tuples of them, there are.
fn counts_states(system: &System, query: FormulaId) -> bool {
    let is_state = |binder: &BinderId| system.binders[binder.index()].type_name.starts_with("State");
    items(system, query).any(|item| match item.action {
        Action::Count(relation) => system.relation(relation).params.iter().any(is_state),
        _ => false,
    })
}

/// Formulas ask whether states are not arrived at, or not equal.
fn denies_states(system: &System, words: &Vocabulary, roots: &[FormulaId], beside: &[Asked]) -> bool {
    let mut speech = Speech { system, words, arrivals: vec![Arrivals::default(); system.binders.len()] };
    let mut has_grown = true;
    while has_grown {
        has_grown = false;
        for root in roots {
            speech.walk(*root, |speech, formula, is_said| {
                has_grown |= speech.hear(formula, is_said);
            });
        }
    }
    let mut denies = beside.iter().any(|asked| {
        let of = |binder: &BinderId| speech.arrivals[binder.index()];
        asked.exists.iter().any(|binder| of(binder).denied)
            || asked.forall.iter().any(|binder| of(binder).said)
    });
    for root in roots {
        speech.walk(*root, |speech, formula, is_said| denies |= speech.is_denied(formula, is_said));
    }
    denies
}

/// Formulas speak of the states of the program by that name.
fn names_proper_states(system: &System, words: &Vocabulary, roots: &[FormulaId]) -> bool {
    let proper = words.template(templates::PROPER).relation;
    let is_proper = |used: &calculus::dependencies::Use| used.relation == proper;
    roots.iter().any(|root| calculus::dependencies::formula_uses(system, *root).iter().any(is_proper))
}

/// The formulas, and the bodies of the relations that they depend on.
fn roots(system: &System, words: &Vocabulary, formulas: impl Iterator<Item = FormulaId>) -> Vec<FormulaId> {
    let mut seen: FxHashSet<RelationId> = FxHashSet::default();
    let mut roots: Vec<FormulaId> = formulas.collect();
    let mut at = 0;
    while at < roots.len() {
        for used in calculus::dependencies::formula_uses(system, roots[at]) {
            if words.of_relation(used.relation).is_none() && seen.insert(used.relation) {
                roots.push(system.relation(used.relation).body);
            }
        }
        at += 1;
    }
    roots
}

impl Speech<'_> {
    /// Visits the parts of a formula, each with whether it is said or denied. Equations between whole states are visited as one.
    fn walk(&mut self, root: FormulaId, mut visit: impl FnMut(&mut Self, FormulaId, bool)) {
        let mut seen = FxHashSet::default();
        let mut todo = vec![(root, true)];
        while let Some((formula, is_said)) = todo.pop() {
            if !seen.insert((formula, is_said)) {
                continue;
            }
            visit(self, formula, is_said);
            match self.system.formula(formula) {
                Formula::Not(inner) => todo.push((*inner, !is_said)),
                Formula::And(parts) | Formula::Or(parts) => {
                    todo.extend(parts.iter().map(|part| (*part, is_said)));
                }
                Formula::Iff(left, right) => {
                    todo.extend([*left, *right].iter().flat_map(|part| [(*part, true), (*part, false)]));
                }
                Formula::Exists(_, inner) | Formula::Forall(_, inner) => todo.push((*inner, is_said)),
                Formula::Constant(_) | Formula::Variable(_) | Formula::Compare(..) | Formula::Apply(..) => {}
            }
        }
    }

    /// Takes down what a formula says of its variables; whether that is news.
    fn hear(&mut self, formula: FormulaId, is_said: bool) -> bool {
        let mut has_grown = false;
        let mut add = |speech: &mut Self, binder: BinderId, arrivals: Arrivals| {
            let arrivals = if is_said { arrivals } else { arrivals.flipped() };
            has_grown |= speech.arrivals[binder.index()].add(arrivals);
        };
        match self.system.formula(formula) {
            Formula::Compare(Comparison::Equal, Term::Var(a), Term::Var(b)) => {
                for var in [a, b] {
                    let binder = self.system.vars[var.index()].binder;
                    if self.is_state(binder) && self.is_data(*var) {
                        add(self, binder, Arrivals { said: true, denied: false });
                    }
                }
            }
            Formula::Apply(relation, terms) => {
                for (n, binder) in self.passed(*relation, terms).into_iter().enumerate() {
                    if let Some(binder) = binder {
                        let arrivals = self.arrivals_at(*relation, n);
                        add(self, binder, arrivals);
                    }
                }
            }
            _ => {}
        }
        has_grown
    }

    /// A quantified variable of the formula is spoken of in the wrong way.
    fn is_denied(&self, formula: FormulaId, is_said: bool) -> bool {
        let (vars, exists) = match self.system.formula(formula) {
            Formula::Exists(vars, _) => (vars, is_said),
            Formula::Forall(vars, _) => (vars, !is_said),
            _ => return false,
        };
        vars.iter().any(|var| {
            let arrivals = self.arrivals[self.system.vars[var.index()].binder.index()];
            if exists { arrivals.denied } else { arrivals.said }
        })
    }

    /// What a relation says of a parameter.
    fn arrivals_at(&self, relation: RelationId, n: usize) -> Arrivals {
        let Some(template) = self.words.of_relation(relation) else {
            let binder = self.system.relation(relation).params[n];
            return self.arrivals[binder.index()];
        };
        // The parameters that are states stand together in all words for steps.
        let params = &self.system.relation(relation).params;
        let is_state = |binder: &BinderId| self.is_state(*binder);
        let is_last = params.iter().rposition(is_state) == Some(n);
        let said = match template.role {
            Role::Start | Role::Step | Role::Call | Role::Return | Role::Around => is_last,
            Role::Target | Role::Plain => false,
        };
        Arrivals { said, denied: false }
    }

    /// For each parameter of a relation the variable that is passed as a whole, if it is a state.
    fn passed(&self, relation: RelationId, terms: &[Term]) -> Vec<Option<BinderId>> {
        let mut rest = terms;
        let params = self.system.relation(relation).params.iter().map(|param| {
            let n_leaves = self.system.binders[param.index()].leaves.len();
            let (own, others) = rest.split_at(n_leaves);
            rest = others;
            let Some(Term::Var(first)) = own.first() else { return None };
            let binder = self.system.vars[first.index()].binder;
            let leaves = self.system.binders[binder.index()].leaves.iter().map(|leaf| Term::Var(*leaf));
            (self.is_state(binder) && leaves.eq(own.iter().copied())).then_some(binder)
        });
        params.collect()
    }

    fn is_state(&self, binder: BinderId) -> bool {
        self.system.binders[binder.index()].type_name == "State"
    }

    /// The variable is a bit of the program's variables.
    fn is_data(&self, var: VarId) -> bool {
        let var = &self.system.vars[var.index()];
        let name = var.path.rsplit('.').next().unwrap_or_default();
        let digits = name.strip_prefix(['l', 'g']);
        let is_slot =
            digits.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()));
        var.sort == BOOL && is_slot
    }

    /// The variable is the point of a state.
    fn is_point(&self, var: VarId) -> bool {
        let of = &self.system.vars[var.index()];
        let is_range = matches!(self.system.sort_of(var).kind, SortKind::Range { .. });
        is_range && of.path == ".pc" && self.is_state(of.binder)
    }

    /// A formula looks at parts of states.
    fn looks_into(&self, root: FormulaId) -> bool {
        let mut seen = FxHashSet::default();
        let mut todo = vec![root];
        while let Some(formula) = todo.pop() {
            if !seen.insert(formula) {
                continue;
            }
            match self.system.formula(formula) {
                Formula::Constant(_) => {}
                Formula::Variable(var) if self.is_data(*var) => return true,
                Formula::Variable(_) => {}
                Formula::Compare(_, a, b) => {
                    if self.is_part(*a, *b) {
                        return true;
                    }
                }
                Formula::Apply(relation, terms) => {
                    if self.passes_parts(*relation, terms) {
                        return true;
                    }
                }
                Formula::And(parts) => {
                    let whole = self.whole_equations(parts);
                    todo.extend(parts.iter().filter(|part| !whole.contains(part)));
                }
                Formula::Or(parts) => todo.extend(parts),
                Formula::Iff(left, right) => todo.extend([left, right]),
                Formula::Not(inner) | Formula::Exists(_, inner) | Formula::Forall(_, inner) => {
                    todo.push(*inner);
                }
            }
        }
        false
    }

    /// A comparison by itself is one of bits, or of two points.
    fn is_part(&self, a: Term, b: Term) -> bool {
        let is = |term: Term, is: &dyn Fn(VarId) -> bool| matches!(term, Term::Var(var) if is(var));
        let (data, point) = (|var| self.is_data(var), |var| self.is_point(var));
        is(a, &data) || is(b, &data) || (is(a, &point) && is(b, &point))
    }

    /// A bit is passed without the state that it belongs to.
    fn passes_parts(&self, relation: RelationId, terms: &[Term]) -> bool {
        let whole: Vec<BinderId> = self.passed(relation, terms).into_iter().flatten().collect();
        terms.iter().any(|term| match term {
            Term::Var(var) => self.is_data(*var) && !whole.contains(&self.system.vars[var.index()].binder),
            Term::Value(_) => false,
        })
    }

    /// The equations among the parts of a conjunction that say together that two states are equal, leaf by leaf.
    fn whole_equations(&self, parts: &[FormulaId]) -> FxHashSet<FormulaId> {
        let mut pairs: FxHashMap<(BinderId, BinderId), Vec<(u32, FormulaId)>> = FxHashMap::default();
        for part in parts {
            let Formula::Compare(Comparison::Equal, Term::Var(a), Term::Var(b)) = self.system.formula(*part)
            else {
                continue;
            };
            let [of_a, of_b] = [a, b].map(|var| self.system.vars[var.index()].binder);
            let offset = |var: &VarId, of: BinderId| var.0 - self.system.binders[of.index()].leaves[0].0;
            let is_same = offset(a, of_a) == offset(b, of_b);
            if self.is_state(of_a) && self.is_state(of_b) && is_same {
                let pair = (of_a.min(of_b), of_a.max(of_b));
                pairs.entry(pair).or_default().push((offset(a, of_a), *part));
            }
        }
        let mut whole = FxHashSet::default();
        for ((binder, _), equations) in pairs {
            let offsets: FxHashSet<u32> = equations.iter().map(|equation| equation.0).collect();
            if offsets.len() == self.system.binders[binder.index()].leaves.len() {
                whole.extend(equations.iter().map(|equation| equation.1));
            }
        }
        whole
    }
}

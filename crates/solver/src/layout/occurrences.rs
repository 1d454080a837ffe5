//! Which leaves occur together: the hyperedges of the co-occurrence order.
//!
//! Input: a system and its scopes. Output: the support of every sub-expression that is small enough to say something,
//! with how much it counts. Definitions are seen through: an application contributes the sub-expressions of the body,
//! read with its arguments, because one definition may stand for many places (one gate, many wires).

use crate::scope::Scope;
use calculus::system::{Comparison, Formula, FormulaId, Kind, RelationId, System, Term, VarId};
use rustc_hash::FxHashMap;

/// A support above this many leaves says nothing about who is close to whom.
const LARGE: usize = 64;
/// A definition with more sub-expressions than this is not seen through.
const DEEP: usize = 512;
/// So many leaves may be read through applications, in all.
const BUDGET: usize = 2_000_000;

/// Leaves that occur together, and how often.
#[derive(Clone, Debug)]
pub(super) struct Occurrence {
    pub vars: Vec<VarId>,
    pub times: f64,
}

/// All occurrences of a system, in a fixed order.
pub(super) fn occurrences(system: &System, scopes: &[Scope], explicit: &[bool]) -> Vec<Occurrence> {
    let mut reader = Reader {
        system,
        explicit,
        supports: vec![None; system.formulas.len()],
        columns: vec![None; system.vars.len()],
        read: vec![None; system.relations.len()],
        exported: vec![None; system.relations.len()],
        budget: BUDGET,
    };
    for relation in &system.relations {
        for (n, column) in relation.columns.iter().enumerate() {
            reader.columns[column.index()] = Some(n as u32);
        }
    }
    let (order, applied) = used_first(system, scopes);
    let mut all: Vec<Occurrence> = Vec::new();
    for n in order {
        let mut formulas = scopes[n].formulas.clone();
        // Operands have smaller ids.
        formulas.sort_unstable();
        reader.support(&formulas);
        let mut found = reader.scope(&formulas);
        let is_definition = system.relations.get(n).is_some_and(|r| r.kind == Kind::Definition);
        if is_definition && applied[n] && reader.export(RelationId::new(n), &found) {
            // Every application repeats these for its own arguments; the columns alone would only repeat them for
            // the family they happen to be in. What speaks of a local variable is said nowhere else.
            found.retain(|o| o.vars.iter().any(|v| reader.columns[v.index()].is_none()));
        }
        all.append(&mut found);
    }
    all
}

/// The scopes, those of definitions before those that apply them, and which relations are applied at all.
fn used_first(system: &System, scopes: &[Scope]) -> (Vec<usize>, Vec<bool>) {
    let mut applied = vec![false; system.relations.len()];
    let uses: Vec<Vec<usize>> = scopes
        .iter()
        .map(|scope| {
            let mut uses: Vec<usize> = Vec::new();
            for &id in &scope.formulas {
                let Formula::Apply(relation, _) = system.formula(id) else { continue };
                applied[relation.index()] = true;
                if system.relation(*relation).kind == Kind::Definition {
                    uses.push(relation.index());
                }
            }
            uses.sort_unstable();
            uses.dedup();
            uses
        })
        .collect();
    let mut order = Vec::with_capacity(scopes.len());
    let mut seen = vec![false; scopes.len()];
    for start in 0..scopes.len() {
        let mut path: Vec<(usize, usize)> = Vec::new();
        if !std::mem::replace(&mut seen[start], true) {
            path.push((start, 0));
        }
        while let Some((at, next)) = path.last_mut() {
            if let Some(&used) = uses[*at].get(*next) {
                *next += 1;
                if !std::mem::replace(&mut seen[used], true) {
                    path.push((used, 0));
                }
            } else {
                order.push(*at);
                path.pop();
            }
        }
    }
    (order, applied)
}

/// The symbolic variables of a formula, sorted; `None` if there are too many to say something.
type Support = Option<Box<[VarId]>>;

/// Column numbers that occur together in the body of a definition, and how often.
type Exported = Vec<(Vec<u32>, f64)>;

struct Reader<'a> {
    system: &'a System,
    explicit: &'a [bool],
    supports: Vec<Support>,
    /// For each variable which column of its relation it is, if it is one.
    columns: Vec<Option<u32>>,
    /// For each definition read so far which columns its body reads.
    read: Vec<Option<Box<[bool]>>>,
    exported: Vec<Option<Exported>>,
    budget: usize,
}

impl Reader<'_> {
    /// The supports of the formulas of one scope, given bottom-up.
    fn support(&mut self, formulas: &[FormulaId]) {
        let mut vars: Vec<VarId> = Vec::new();
        for &id in formulas {
            vars.clear();
            let fits = match self.system.formula(id) {
                Formula::Constant(_) => true,
                Formula::Variable(v) => self.gather(&[Term::Var(*v)], &mut vars),
                Formula::Compare(_, a, b) => self.gather(&[*a, *b], &mut vars),
                Formula::Apply(relation, terms) => match &self.read[relation.index()] {
                    None => self.gather(terms, &mut vars),
                    Some(read) => {
                        let terms = terms.iter().zip(read).filter(|(_, read)| **read).map(|(term, _)| term);
                        self.gather(terms, &mut vars)
                    }
                },
                Formula::Not(f) => self.union(&[*f], &mut vars),
                Formula::And(parts) | Formula::Or(parts) => self.union(parts, &mut vars),
                Formula::Iff(a, b) => self.union(&[*a, *b], &mut vars),
                Formula::Exists(bound, f) | Formula::Forall(bound, f) => {
                    let fits = self.union(&[*f], &mut vars);
                    vars.retain(|v| !bound.contains(v));
                    fits
                }
            };
            self.supports[id.index()] = fits.then(|| vars.as_slice().into());
        }
    }

    /// The symbolic variables among terms; `false` if there are too many.
    fn gather<'t>(&self, terms: impl IntoIterator<Item = &'t Term>, vars: &mut Vec<VarId>) -> bool {
        vars.extend(terms.into_iter().filter_map(variable).filter(|v| !self.explicit[v.index()]));
        tidy(vars);
        vars.len() <= LARGE
    }

    /// The union of supports; `false` if it is too large.
    fn union(&self, parts: &[FormulaId], vars: &mut Vec<VarId>) -> bool {
        for part in parts {
            let Some(support) = &self.supports[part.index()] else { return false };
            vars.extend(support);
            if vars.len() > 4 * LARGE {
                tidy(vars);
                if vars.len() > LARGE {
                    return false;
                }
            }
        }
        tidy(vars);
        vars.len() <= LARGE
    }

    /// The occurrences of one body, equal ones added up.
    fn scope(&mut self, formulas: &[FormulaId]) -> Vec<Occurrence> {
        let mut found = Collection::default();
        for &id in formulas {
            let times = match self.system.formula(id) {
                Formula::Compare(Comparison::Equal, ..) => 2.0,
                Formula::Compare(..) | Formula::And(_) | Formula::Or(_) | Formula::Iff(..) => 1.0,
                Formula::Apply(relation, terms) => {
                    self.see_through(*relation, terms, &mut found);
                    1.0
                }
                _ => continue,
            };
            if let Some(vars) = &self.supports[id.index()] {
                found.add(vars, times);
            }
        }
        found.list
    }

    /// The occurrences of a definition's body, read with the arguments of an application.
    fn see_through(&mut self, relation: RelationId, terms: &[Term], found: &mut Collection) {
        for (columns, times) in self.exported[relation.index()].iter().flatten() {
            if self.budget < columns.len() {
                return;
            }
            self.budget -= columns.len();
            let mut vars: Vec<VarId> = columns.iter().filter_map(|&c| variable(&terms[c as usize])).collect();
            tidy(&mut vars);
            found.add(&vars, *times);
        }
    }

    /// Keeps what a definition's users see; `false` if that is too much.
    fn export(&mut self, relation: RelationId, found: &[Occurrence]) -> bool {
        let definition = self.system.relation(relation);
        if let Some(support) = &self.supports[definition.body.index()] {
            let read = definition.columns.iter().map(|c| support.binary_search(c).is_ok());
            self.read[relation.index()] = Some(read.collect());
        }
        if found.len() > DEEP {
            return false;
        }
        let column = |v: &VarId| self.columns[v.index()];
        let seen = found.iter().map(|o| (o.vars.iter().filter_map(column).collect::<Vec<u32>>(), o.times));
        self.exported[relation.index()] = Some(seen.filter(|(columns, _)| columns.len() > 1).collect());
        true
    }
}

fn tidy(vars: &mut Vec<VarId>) {
    vars.sort_unstable();
    vars.dedup();
}

fn variable(term: &Term) -> Option<VarId> {
    match term {
        Term::Var(v) => Some(*v),
        Term::Value(_) => None,
    }
}

/// Occurrences in order of appearance, equal ones added up.
#[derive(Default)]
struct Collection {
    list: Vec<Occurrence>,
    places: FxHashMap<Vec<VarId>, usize>,
}

impl Collection {
    fn add(&mut self, vars: &[VarId], times: f64) {
        if vars.len() < 2 {
            return;
        }
        if let Some(&at) = self.places.get(vars) {
            self.list[at].times += times;
        } else {
            self.places.insert(vars.to_vec(), self.list.len());
            self.list.push(Occurrence { vars: vars.to_vec(), times });
        }
    }
}

//! Families of leaves: variables that are copies of one another stand side by side.
//!
//! Input: a system and its scopes. Output: for each symbolic leaf its family and its copy number.
//! Ties are taken from the surest to the least sure: applications of fixed points, interleaved records, equated
//! records, records handed on whole, and last the columns of definitions. A definition may be applied to unrelated
//! arguments (one gate, many wires), so its columns follow the arguments of most applications but never
//! tie the arguments of two applications to each other.
//! Invariant: no two leaves of one binder are in one family, nor two that `~-` keeps apart. Otherwise the constraint of one
//! body would keep apart all copies of a record that happens to be handed to both places.

use crate::layout::n_bits;
use crate::scope::Scope;
use base::Classes;
use calculus::system::{
    Allocation, BinderId, Comparison, Formula, FormulaId, Kind, Relation, System, Term, VarId,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Families of the symbolic leaves.
#[derive(Debug, Default)]
pub(crate) struct Families {
    /// How many there are.
    pub count: usize,
    /// How many copies each has.
    pub copies: Vec<u32>,
    /// How many bits a member has.
    pub bits: Vec<usize>,
    /// A member's name, for people.
    pub names: Vec<String>,
    /// That member.
    pub leaves: Vec<VarId>,
    places: Vec<Option<(u32, u32)>>,
}

impl Families {
    /// Family and copy of a variable; `None` if it is explicit or lives in no scope.
    pub fn place(&self, var: VarId) -> Option<(u32, u32)> {
        self.places[var.index()]
    }

    /// Renumbers each family's copies 0, 1, … without gaps.
    fn compact(&mut self) {
        let mut used: Vec<Vec<u32>> = vec![Vec::new(); self.count];
        for &(family, copy) in self.places.iter().flatten() {
            used[family as usize].push(copy);
        }
        for copies in &mut used {
            copies.sort_unstable();
            copies.dedup();
        }
        for (family, copy) in self.places.iter_mut().flatten() {
            *copy = used[*family as usize].binary_search(copy).expect("a used copy") as u32;
        }
        self.copies = used.iter().map(|copies| copies.len() as u32).collect();
    }
}

/// Groups the symbolic leaves of all scopes.
pub(crate) fn families(system: &System, scopes: &[Scope], explicit: &[bool]) -> Families {
    let mut union = Union::new(system, explicit);
    let applications: Vec<FormulaId> = scopes
        .iter()
        .flat_map(|s| &s.formulas)
        .copied()
        .filter(|&id| matches!(system.formula(id), Formula::Apply(..)))
        .collect();
    // Fixed points first: their applications are the ones in the inner loop.
    for &id in &applications {
        let (relation, terms) = application(system, id);
        if relation.kind != Kind::Definition {
            arguments(terms, relation).for_each(|(argument, column)| _ = union.join(argument, column));
        }
    }
    interleaved_records(&mut union);
    equated_records(&mut union, scopes);
    let mut tied = vec![false; system.vars.len()];
    for &id in &applications {
        let (relation, terms) = application(system, id);
        for (argument, column) in arguments(terms, relation) {
            if alike(system, argument, column) && union.join(argument, column) {
                tied[column.index()] = true;
            }
        }
    }
    definition_columns(&mut union, &applications, &tied);
    union.finish(scopes)
}

fn application(system: &System, id: FormulaId) -> (&Relation, &[Term]) {
    let Formula::Apply(relation, terms) = system.formula(id) else { unreachable!("an application") };
    (system.relation(*relation), terms)
}

/// The variables among the arguments of an application, each with its column.
fn arguments<'a>(terms: &'a [Term], relation: &'a Relation) -> impl Iterator<Item = (VarId, VarId)> + 'a {
    terms.iter().zip(&relation.columns).filter_map(|(term, &column)| match term {
        Term::Var(v) => Some((*v, column)),
        Term::Value(_) => None,
    })
}

/// The same part of two records of one type.
fn alike(system: &System, a: VarId, b: VarId) -> bool {
    let (x, y) = (&system.vars[a.index()], &system.vars[b.index()]);
    let type_of = |v: BinderId| &system.binders[v.index()].type_name;
    !x.path.is_empty() && x.path == y.path && type_of(x.binder) == type_of(y.binder)
}

/// `s ~+ t` for records of one type says that one is a copy of the other.
fn interleaved_records(union: &mut Union) {
    let system = union.system;
    for constraint in system.constraints.iter().filter(|c| c.kind == Allocation::Interleaved) {
        for (&a, &b) in constraint.left.iter().zip(&constraint.right) {
            if a != b && alike(system, a, b) {
                union.join(a, b);
            }
        }
    }
}

/// So does `s.x = t.x`.
fn equated_records(union: &mut Union, scopes: &[Scope]) {
    let system = union.system;
    for &id in scopes.iter().flat_map(|s| &s.formulas) {
        if let Formula::Compare(Comparison::Equal, Term::Var(a), Term::Var(b)) = system.formula(id)
            && alike(system, *a, *b)
        {
            union.join(*a, *b);
        }
    }
}

/// Ties each column of a definition to the family that most of its applications put there. Users before what they
/// use, so that the families of the arguments are settled.
fn definition_columns(union: &mut Union, applications: &[FormulaId], tied: &[bool]) {
    let system = union.system;
    let mut of_relation: Vec<Vec<&[Term]>> = vec![Vec::new(); system.relations.len()];
    for &id in applications {
        if let Formula::Apply(relation, terms) = system.formula(id) {
            of_relation[relation.index()].push(terms);
        }
    }
    for (relation, applied) in system.relations.iter().zip(&of_relation).rev() {
        if relation.kind != Kind::Definition {
            continue;
        }
        for (n, &column) in relation.columns.iter().enumerate() {
            if tied[column.index()] || union.explicit[column.index()] {
                continue;
            }
            // How many applications want a family, and the first that does.
            let mut votes: FxHashMap<u32, (usize, VarId)> = FxHashMap::default();
            let mut roots: Vec<u32> = Vec::new();
            for terms in applied {
                let Term::Var(argument) = terms[n] else { continue };
                let root = union.classes.find(argument.0);
                let vote = votes.entry(root).or_insert_with(|| {
                    roots.push(root);
                    (0, argument)
                });
                vote.0 += 1;
            }
            roots.sort_by_key(|root| std::cmp::Reverse(votes[root].0));
            roots.iter().take(8).any(|root| union.join(votes[root].1, column));
        }
    }
}

/// What keeps two classes apart: a mark of one that is the foe of a mark of the other.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Mark {
    /// A leaf of this binder is in the class.
    Binder(BinderId),
    /// A leaf on this side of a constraint `a ~- b` is in the class.
    Left(u32),
    Right(u32),
}

impl Mark {
    fn foe(self) -> Self {
        match self {
            Self::Binder(binder) => Self::Binder(binder),
            Self::Left(constraint) => Self::Right(constraint),
            Self::Right(constraint) => Self::Left(constraint),
        }
    }
}

/// Classes of variables that never put together what must stay apart.
struct Union<'a> {
    system: &'a System,
    explicit: &'a [bool],
    classes: Classes,
    /// For each leaf that `~-` keeps apart from others its marks.
    separate: FxHashMap<u32, Vec<Mark>>,
    /// The marks of each class of two leaves or more, by its root.
    marks: FxHashMap<u32, Vec<Mark>>,
    /// The same as pairs.
    has: FxHashSet<(u32, Mark)>,
}

impl<'a> Union<'a> {
    fn new(system: &'a System, explicit: &'a [bool]) -> Self {
        let mut separate: FxHashMap<u32, Vec<Mark>> = FxHashMap::default();
        for (n, constraint) in (0..).zip(&system.constraints) {
            if constraint.kind == Allocation::Separate && constraint.left != constraint.right {
                constraint.left.iter().for_each(|v| separate.entry(v.0).or_default().push(Mark::Left(n)));
                constraint.right.iter().for_each(|v| separate.entry(v.0).or_default().push(Mark::Right(n)));
            }
        }
        Self {
            system,
            explicit,
            classes: Classes::new(system.vars.len()),
            separate,
            marks: FxHashMap::default(),
            has: FxHashSet::default(),
        }
    }

    /// The marks of a class; a root that never joined has its own.
    fn take_marks(&mut self, root: u32) -> Vec<Mark> {
        self.marks.remove(&root).unwrap_or_else(|| {
            let mut marks = self.separate.get(&root).cloned().unwrap_or_default();
            marks.push(Mark::Binder(self.system.vars[root as usize].binder));
            self.has.extend(marks.iter().map(|&mark| (root, mark)));
            marks
        })
    }

    /// Puts two leaves together; `false` if they must stay apart.
    fn join(&mut self, a: VarId, b: VarId) -> bool {
        if self.explicit[a.index()] || self.explicit[b.index()] {
            return false;
        }
        let (mut a, mut b) = (self.classes.find(a.0), self.classes.find(b.0));
        if a == b {
            return true;
        }
        if self.system.vars[a as usize].sort != self.system.vars[b as usize].sort {
            return false;
        }
        let (mut large, mut small) = (self.take_marks(a), self.take_marks(b));
        if large.len() < small.len() {
            std::mem::swap(&mut a, &mut b);
            std::mem::swap(&mut large, &mut small);
        }
        let fits = small.iter().all(|mark| !self.has.contains(&(a, mark.foe())));
        if fits {
            self.has.extend(small.iter().map(|&mark| (a, mark)));
            large.append(&mut small);
            self.classes.put_below(b, a);
        } else {
            self.marks.insert(b, small);
        }
        self.marks.insert(a, large);
        fits
    }

    /// Numbers the families as they appear: fixed points first, then users before what they use, so that the order
    /// of a family follows the record that the system is about.
    fn finish(mut self, scopes: &[Scope]) -> Families {
        let system = self.system;
        let mut families = Families { places: vec![None; system.vars.len()], ..Families::default() };
        let mut number: Vec<Option<u32>> = vec![None; system.vars.len()];
        let recursive = |n: &usize| system.relations.get(*n).is_some_and(|r| r.kind != Kind::Definition);
        let others = (0..scopes.len()).rev().filter(|n| !recursive(n));
        for n in (0..scopes.len()).filter(recursive).chain(others) {
            let scope = &scopes[n];
            for (&binder, &copy) in scope.binders.iter().zip(&scope.copies) {
                for &leaf in &system.binders[binder.index()].leaves {
                    if self.explicit[leaf.index()] {
                        continue;
                    }
                    let root = self.classes.find(leaf.0) as usize;
                    let family = *number[root].get_or_insert_with(|| {
                        families.bits.push(n_bits(system.sort_of(leaf).size()));
                        families.names.push(system.var_name(leaf));
                        families.leaves.push(leaf);
                        families.count += 1;
                        families.count as u32 - 1
                    });
                    families.places[leaf.index()] = Some((family, copy));
                }
            }
        }
        families.compact();
        families
    }
}

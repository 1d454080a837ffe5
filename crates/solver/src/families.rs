//! Families of leaves: variables that relation applications tie together stand side by side.

use crate::layout::n_bits;
use crate::scope::Scope;
use calculus::system::{BinderId, Comparison, Formula, Kind, System, Term, VarId};
use rustc_hash::FxHashSet;

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
    let mut union = Union::new(system);
    // Fixed points first: their applications are the ones in the inner loop.
    for recursive in [true, false] {
        for &id in scopes.iter().flat_map(|s| &s.formulas) {
            let Formula::Apply(relation, terms) = system.formula(id) else { continue };
            let relation = system.relation(*relation);
            if (relation.kind != Kind::Definition) == recursive {
                for (term, &column) in terms.iter().zip(&relation.columns) {
                    if let Term::Var(v) = term {
                        union.join(*v, column);
                    }
                }
            }
        }
    }
    for &id in scopes.iter().flat_map(|s| &s.formulas) {
        let Formula::Compare(Comparison::Equal, Term::Var(a), Term::Var(b)) = system.formula(id) else {
            continue;
        };
        let (x, y) = (&system.vars[a.index()], &system.vars[b.index()]);
        let of = |v: BinderId| &system.binders[v.index()].type_name;
        if x.path == y.path && of(x.binder) == of(y.binder) && !x.path.is_empty() {
            union.join(*a, *b);
        }
    }
    union.finish(system, scopes, explicit)
}

/// Union-find over variables that never puts two leaves of one binder together.
struct Union<'a> {
    system: &'a System,
    parent: Vec<u32>,
    binders: Vec<FxHashSet<BinderId>>,
}

impl<'a> Union<'a> {
    fn new(system: &'a System) -> Self {
        Self {
            system,
            parent: (0..system.vars.len() as u32).collect(),
            binders: system.vars.iter().map(|v| FxHashSet::from_iter([v.binder])).collect(),
        }
    }

    fn find(&mut self, var: u32) -> u32 {
        let mut root = var;
        while self.parent[root as usize] != root {
            root = self.parent[root as usize];
        }
        let mut at = var;
        while self.parent[at as usize] != root {
            at = std::mem::replace(&mut self.parent[at as usize], root);
        }
        root
    }

    fn join(&mut self, a: VarId, b: VarId) {
        let (mut a, mut b) = (self.find(a.0), self.find(b.0));
        if a == b || self.system.vars[a as usize].sort != self.system.vars[b as usize].sort {
            return;
        }
        if self.binders[a as usize].len() < self.binders[b as usize].len() {
            std::mem::swap(&mut a, &mut b);
        }
        let small = std::mem::take(&mut self.binders[b as usize]);
        if small.iter().any(|binder| self.binders[a as usize].contains(binder)) {
            self.binders[b as usize] = small;
            return;
        }
        self.binders[a as usize].extend(small);
        self.parent[b as usize] = a;
    }

    fn finish(mut self, system: &System, scopes: &[Scope], explicit: &[bool]) -> Families {
        let mut families = Families { places: vec![None; system.vars.len()], ..Families::default() };
        let mut number: Vec<Option<u32>> = vec![None; system.vars.len()];
        for scope in scopes {
            for &binder in &scope.binders {
                let copy = scope.copies[&binder];
                for &leaf in &system.binders[binder.index()].leaves {
                    if explicit[leaf.index()] {
                        continue;
                    }
                    let root = self.find(leaf.0) as usize;
                    let family = *number[root].get_or_insert_with(|| {
                        families.bits.push(n_bits(system.sort_of(leaf).size()));
                        families.names.push(system.var_name(leaf));
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

//! Where the bits of every variable stand in the diagrams: the one place that decides the variable order.
//!
//! Input: a system. Output: a level for each bit of each symbolic variable.
//!
//! Leaves that a relation's applications tie together form a *family* (the copies of one program variable, say); a
//! family's copies are interleaved. Within one body (*scope*) every binder gets a copy number of its own, numbered so that
//! applying a relation keeps the order of its columns wherever possible: then reading a table through an
//! application is a renaming that keeps the order of levels. Families are arranged by allocation constraints and by how
//! often they occur together in sub-expressions ([`crate::order`]).

use crate::families::{Families, families};
use crate::order::{Edge, arrange};
use crate::scope::{Scope, scopes};
use base::Diagnostic;
use calculus::system::{Allocation, Comparison, Formula, Storage, System, Term, VarId};
use dd::Level;
use rustc_hash::FxHashMap;

/// The levels of all variables.
#[derive(Debug)]
pub(crate) struct Layout {
    /// Stored as a key rather than as bits.
    explicit: Vec<bool>,
    /// For each variable the levels of its bits, most significant first.
    levels: Vec<Box<[Level]>>,
    /// For each level the family it belongs to, the copy and the bit, as text.
    names: Vec<String>,
}

impl Layout {
    /// Lays out a system; with `symbolic` no sort is explicit.
    pub fn new(system: &System, symbolic: bool) -> Result<Self, Vec<Diagnostic>> {
        let explicit: Vec<bool> = (0..system.vars.len())
            .map(|v| !symbolic && system.sort_of(VarId::new(v)).storage == Storage::Explicit)
            .collect();
        let scopes = scopes(system);
        crate::scope::contradictions(system, &scopes)?;
        let families = families(system, &scopes, &explicit);
        Ok(Arrangement::new(system, &scopes, families, &explicit).finish(explicit))
    }

    /// The variable is stored as a key.
    pub fn is_explicit(&self, var: VarId) -> bool {
        self.explicit[var.index()]
    }

    /// The levels of a symbolic variable's bits, most significant first; none for an explicit one.
    pub fn levels(&self, var: VarId) -> &[Level] {
        &self.levels[var.index()]
    }

    /// The number of levels.
    pub fn n_levels(&self) -> usize {
        self.names.len()
    }

    /// What a level stands for.
    pub fn name(&self, level: Level) -> &str {
        &self.names[level as usize]
    }
}

/// The number of bits for the values of a sort.
pub(crate) fn n_bits(size: u64) -> usize {
    (64 - (size - 1).leading_zeros()) as usize
}

/// The units of the order: a family with all its copies, or one copy of a family whose copies a constraint keeps apart.
struct Arrangement<'a> {
    system: &'a System,
    families: Families,
    /// For each family the unit of each copy.
    units: Vec<Vec<u32>>,
    /// For each unit its family and, if it is a single copy, which.
    members: Vec<(u32, Option<u32>)>,
    /// Interleaved units share a group.
    group: Vec<u32>,
    before: Vec<(u32, u32)>,
    edges: FxHashMap<Vec<u32>, f64>,
}

impl<'a> Arrangement<'a> {
    fn new(system: &'a System, scopes: &[Scope], families: Families, explicit: &[bool]) -> Self {
        let mut this = Self {
            system,
            units: vec![Vec::new(); families.count],
            families,
            members: Vec::new(),
            group: Vec::new(),
            before: Vec::new(),
            edges: FxHashMap::default(),
        };
        this.make_units();
        this.constrain();
        this.interleave_compared(explicit);
        this.count_occurrences(scopes);
        this
    }

    fn unit(&self, var: VarId) -> Option<u32> {
        let (family, copy) = self.families.place(var)?;
        Some(self.units[family as usize][copy as usize])
    }

    /// One unit for each family, or one for each copy if a constraint separates copies of the family.
    fn make_units(&mut self) {
        let mut split = vec![false; self.families.count];
        for constraint in self.system.constraints.iter().filter(|c| c.kind != Allocation::Interleaved) {
            let of = |vars: &[VarId]| {
                vars.iter().filter_map(|&v| self.families.place(v)).map(|p| p.0).collect::<Vec<_>>()
            };
            if constraint.left != constraint.right {
                let right = of(&constraint.right);
                of(&constraint.left)
                    .into_iter()
                    .filter(|f| right.contains(f))
                    .for_each(|f| split[f as usize] = true);
            }
        }
        for family in 0..self.families.count {
            for copy in 0..self.families.copies[family] {
                if copy == 0 || split[family] {
                    self.members.push((family as u32, split[family].then_some(copy)));
                }
                self.units[family].push(self.members.len() as u32 - 1);
            }
        }
        self.group = (0..self.members.len() as u32).collect();
    }

    fn find(&self, mut unit: u32) -> u32 {
        while self.group[unit as usize] != unit {
            unit = self.group[unit as usize];
        }
        unit
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        let (low, high) = (a.min(b), a.max(b));
        self.group[high as usize] = low;
    }

    /// Applies allocation constraints: interleavings first, then precedences that fit. What another body's constraint
    /// rules out is left aside: constraints are hints.
    fn constrain(&mut self) {
        let system = self.system;
        for constraint in system.constraints.iter().filter(|c| c.kind == Allocation::Interleaved) {
            let one = constraint.left == constraint.right;
            let left =
                if one { &constraint.left[..1.min(constraint.left.len())] } else { &constraint.left[..] };
            for (i, &b) in constraint.right.iter().enumerate() {
                let a = if one { left.first() } else { left.get(i) };
                if let (Some(a), Some(b)) = (a.and_then(|&a| self.unit(a)), self.unit(b)) {
                    self.join(a, b);
                }
            }
        }
        for constraint in system.constraints.iter().filter(|c| c.kind == Allocation::Before) {
            for &a in &constraint.left {
                for &b in &constraint.right {
                    if let (Some(a), Some(b)) = (self.unit(a), self.unit(b)) {
                        self.precede(a, b);
                    }
                }
            }
        }
    }

    fn precede(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        if a != b && !self.before.contains(&(a, b)) && !self.reaches(b, a) {
            self.before.push((a, b));
        }
    }

    fn reaches(&self, from: u32, to: u32) -> bool {
        let mut seen = vec![from];
        let mut at = 0;
        while at < seen.len() {
            if seen[at] == to {
                return true;
            }
            for &(a, b) in &self.before {
                if a == seen[at] && !seen.contains(&b) {
                    seen.push(b);
                }
            }
            at += 1;
        }
        false
    }

    /// Numbers that are compared with each other are interleaved bit by bit, unless a constraint orders them.
    fn interleave_compared(&mut self, explicit: &[bool]) {
        let system = self.system;
        let separate = |a: VarId, b: VarId| {
            system.constraints.iter().any(|c| {
                c.kind != Allocation::Interleaved
                    && (c.left.contains(&a) && c.right.contains(&b)
                        || c.left.contains(&b) && c.right.contains(&a))
            })
        };
        for formula in &system.formulas {
            let &Formula::Compare(_, Term::Var(a), Term::Var(b)) = formula else { continue };
            if explicit[a.index()] || n_bits(system.sort_of(a).size()) < 2 {
                continue;
            }
            let (Some(x), Some(y)) = (self.unit(a), self.unit(b)) else { continue };
            let (x, y) = (self.find(x), self.find(y));
            if x != y && !separate(a, b) && !self.reaches(x, y) && !self.reaches(y, x) {
                self.join(x, y);
                let (low, high) = (x.min(y), x.max(y));
                for pair in &mut self.before {
                    let move_to = |v: &mut u32| {
                        if *v == high {
                            *v = low;
                        }
                    };
                    move_to(&mut pair.0);
                    move_to(&mut pair.1);
                }
            }
        }
    }

    /// A hyperedge for the support of every sub-expression.
    fn count_occurrences(&mut self, scopes: &[Scope]) {
        for scope in scopes {
            for &id in &scope.formulas {
                let (vars, times): (Vec<VarId>, f64) = match self.system.formula(id) {
                    Formula::Compare(Comparison::Equal, Term::Var(a), Term::Var(b)) => (vec![*a, *b], 2.0),
                    Formula::Compare(_, Term::Var(a), Term::Var(b)) => (vec![*a, *b], 1.0),
                    Formula::Apply(_, terms) => (terms.iter().filter_map(variable).collect(), 1.0),
                    Formula::And(parts) | Formula::Or(parts) => (self.shallow_support(parts), 1.0),
                    Formula::Iff(a, b) => (self.shallow_support(&[*a, *b]), 1.0),
                    _ => continue,
                };
                let mut groups: Vec<u32> =
                    vars.iter().filter_map(|&v| self.unit(v)).map(|u| self.find(u)).collect();
                groups.sort_unstable();
                groups.dedup();
                if (2..=24).contains(&groups.len()) {
                    *self.edges.entry(groups).or_insert(0.0) += times;
                }
            }
        }
    }

    /// The variables of a small formula; nothing if it is large, since a large edge says little.
    fn shallow_support(&self, parts: &[calculus::system::FormulaId]) -> Vec<VarId> {
        let mut vars = Vec::new();
        let mut stack: Vec<_> = parts.to_vec();
        let mut visited = 0;
        while let Some(id) = stack.pop() {
            visited += 1;
            if visited > 64 {
                return Vec::new();
            }
            match self.system.formula(id) {
                Formula::Constant(_) => {}
                Formula::Variable(v) => vars.push(*v),
                Formula::Compare(_, a, b) => vars.extend([a, b].into_iter().filter_map(variable)),
                Formula::Apply(_, terms) => vars.extend(terms.iter().filter_map(variable)),
                Formula::Not(f) | Formula::Exists(_, f) | Formula::Forall(_, f) => stack.push(*f),
                Formula::And(fs) | Formula::Or(fs) => stack.extend(fs.iter()),
                Formula::Iff(a, b) => stack.extend([*a, *b]),
            }
        }
        vars
    }

    /// Arranges the groups and numbers the levels.
    fn finish(self, explicit: Vec<bool>) -> Layout {
        let roots: Vec<u32> = (0..self.members.len() as u32).filter(|&u| self.find(u) == u).collect();
        let dense: FxHashMap<u32, u32> = roots.iter().enumerate().map(|(n, &u)| (u, n as u32)).collect();
        let mut edges: Vec<Edge> = self
            .edges
            .iter()
            .map(|(groups, times)| {
                let mut vertices: Vec<u32> = groups.iter().map(|g| dense[&self.find(*g)]).collect();
                vertices.sort_unstable();
                vertices.dedup();
                let k = (vertices.len() as f64 - 1.0).max(1.0);
                Edge { weight: times.sqrt() / (k * k), vertices }
            })
            .collect();
        edges.sort_by(|a, b| a.vertices.cmp(&b.vertices));
        let before: Vec<(u32, u32)> =
            self.before.iter().map(|&(a, b)| (dense[&self.find(a)], dense[&self.find(b)])).collect();
        let mut of_group: Vec<Vec<u32>> = vec![Vec::new(); roots.len()];
        for unit in 0..self.members.len() as u32 {
            of_group[dense[&self.find(unit)] as usize].push(unit);
        }
        let mut names = Vec::new();
        let mut level_of: FxHashMap<(u32, u32, usize), Level> = FxHashMap::default();
        for group in arrange(roots.len(), &edges, &before) {
            self.number(&of_group[group as usize], &mut names, &mut level_of);
        }
        let levels = (0..explicit.len())
            .map(|v| match self.families.place(VarId::new(v)) {
                Some((family, copy)) => (0..self.families.bits[family as usize])
                    .map(|bit| level_of[&(family, copy, bit)])
                    .collect(),
                None => Box::default(),
            })
            .collect();
        Layout { explicit, levels, names }
    }

    /// Interleaves the bits of a group of units.
    fn number(
        &self,
        units: &[u32],
        names: &mut Vec<String>,
        level_of: &mut FxHashMap<(u32, u32, usize), Level>,
    ) {
        let bits = |unit: u32| self.families.bits[self.members[unit as usize].0 as usize];
        let most = units.iter().map(|&u| bits(u)).max().unwrap_or(0);
        for bit in 0..most {
            for &unit in units.iter().filter(|&&u| bit < bits(u)) {
                let (family, single) = self.members[unit as usize];
                let copies = single.map_or(0..self.families.copies[family as usize], |copy| copy..copy + 1);
                for copy in copies {
                    level_of.insert((family, copy, bit), names.len() as Level);
                    names.push(format!("{}:{copy}.{bit}", self.families.names[family as usize]));
                }
            }
        }
    }
}

fn variable(term: &Term) -> Option<VarId> {
    match term {
        Term::Var(v) => Some(*v),
        Term::Value(_) => None,
    }
}

//! Units and groups: what the order arranges, and what constraints demand of it.
//!
//! A *unit* is a family with all its copies, or one copy of a family whose copies a constraint keeps apart. A *group* is a set of
//! units whose bits are interleaved: by `~+`, or because they are numbers that are compared with each other.
//! Constraints are hints: what another body's constraint rules out is left aside.

use super::cliques::cliques;
use super::pairs::paired;
use super::precedence::Precedence;
use super::{Families, n_bits};
use crate::order::Graph;
use base::Classes;
use calculus::system::{Allocation, Formula, System, Term, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The units of a system and how they are grouped.
#[derive(Debug)]
pub(super) struct Groups {
    pub families: Families,
    /// For each family the unit of each copy.
    units: Vec<Vec<u32>>,
    /// For each unit its family and, if it is a single copy, which.
    of_unit: Vec<(u32, Option<u32>)>,
    /// The groups as classes of units.
    classes: Classes,
    /// Precedences between roots; vertices from the number of units on stand for one constraint each.
    precedence: Precedence,
    /// Units of which one comes before the other, bit by bit if they are interleaved; sorted by the first.
    pairs: Vec<(u32, u32)>,
}

impl Groups {
    /// Makes units and groups.
    pub fn new(system: &System, families: Families, explicit: &[bool]) -> Self {
        let mut this = Self {
            units: Vec::new(),
            families,
            of_unit: Vec::new(),
            classes: Classes::default(),
            precedence: Precedence::default(),
            pairs: Vec::new(),
        };
        let paired = paired(system);
        this.make_units(system, &paired);
        this.interleave(system);
        this.precede(system, &paired);
        this.interleave_compared(system, explicit, &paired);
        this.pair(system, &paired);
        this
    }

    /// The unit of a variable; `None` if it is explicit.
    pub fn unit(&self, var: VarId) -> Option<u32> {
        let (family, copy) = self.families.place(var)?;
        Some(self.units[family as usize][copy as usize])
    }

    /// The number of units.
    pub fn n_units(&self) -> usize {
        self.classes.len()
    }

    /// The family of a unit and the copies in it.
    pub fn family(&self, unit: u32) -> (u32, std::ops::Range<u32>) {
        let (family, single) = self.of_unit[unit as usize];
        (family, single.map_or(0..self.families.copies[family as usize], |copy| copy..copy + 1))
    }

    /// The root of a unit's group.
    pub fn find(&self, unit: u32) -> u32 {
        self.classes.root(unit)
    }

    /// The groups of some variables, sorted.
    pub fn roots(&self, vars: &[VarId]) -> Vec<u32> {
        let mut roots: Vec<u32> =
            vars.iter().filter_map(|&v| self.unit(v)).map(|unit| self.find(unit)).collect();
        roots.sort_unstable();
        roots.dedup();
        roots
    }

    /// The units of each group; the groups in the order of [`Groups::graph`].
    pub fn members(&self) -> Vec<Vec<u32>> {
        let mut vertex = vec![0; self.n_units()];
        let mut members: Vec<Vec<u32>> = Vec::new();
        for unit in 0..self.n_units() as u32 {
            // The root of a group is its first unit.
            let root = self.find(unit);
            if root == unit {
                vertex[unit as usize] = members.len();
                members.push(Vec::new());
            }
            members[vertex[root as usize]].push(unit);
        }
        members
    }

    /// A graph whose vertices are the groups, with their precedences, and the vertex of each root.
    pub fn graph(&self) -> (Graph, Vec<u32>) {
        let mut vertices = vec![u32::MAX; self.n_units()];
        let roots = (0..self.n_units() as u32).filter(|&unit| self.find(unit) == unit);
        let mut n = 0;
        for root in roots {
            vertices[root as usize] = n;
            n += 1;
        }
        let mut graph = Graph::new(n as usize);
        let ends = |side: &[u32]| {
            let mut ends: Vec<u32> = side.iter().map(|&v| vertices[self.find(v) as usize]).collect();
            ends.sort_unstable();
            ends.dedup();
            ends
        };
        let hinges = self.n_units() as u32..self.precedence.len() as u32;
        let mut demands: Vec<(Vec<u32>, Vec<u32>)> = hinges
            .map(|hinge| (ends(self.precedence.before(hinge)), ends(self.precedence.after(hinge))))
            .collect();
        let mut known = FxHashSet::default();
        for &(first, second) in &self.pairs {
            let [first, second] = [first, second].map(|unit| vertices[self.find(unit) as usize]);
            if first != second && known.insert((first, second)) {
                demands.push((vec![first], vec![second]));
            }
        }
        graph.put_in_order(demands);
        (graph, vertices)
    }

    /// The pairs with a unit that comes before the other.
    pub fn pairs_of(&self, unit: u32) -> &[(u32, u32)] {
        let from = self.pairs.partition_point(|pair| pair.0 < unit);
        let length = self.pairs[from..].partition_point(|pair| pair.0 == unit);
        &self.pairs[from..from + length]
    }

    /// The root of a unit, or the constraint itself.
    fn end(&self, vertex: u32) -> u32 {
        if (vertex as usize) < self.n_units() { self.find(vertex) } else { vertex }
    }

    /// One unit for each family, or one for each copy if a constraint separates copies of the family.
    fn make_units(&mut self, system: &System, paired: &[bool]) {
        let mut split = vec![false; self.families.count];
        let mut side = FxHashSet::default();
        for (constraint, paired) in system.constraints.iter().zip(paired) {
            if constraint.kind != Allocation::Interleaved && !paired && constraint.left != constraint.right {
                let family = |v: &VarId| self.families.place(*v).map(|place| place.0);
                side.clear();
                side.extend(constraint.left.iter().filter_map(family));
                let both = constraint.right.iter().filter_map(family).filter(|f| side.contains(f));
                both.for_each(|f| split[f as usize] = true);
            }
        }
        for (family, &split) in split.iter().enumerate() {
            let mut units = Vec::new();
            for copy in 0..self.families.copies[family] {
                if copy == 0 || split {
                    self.of_unit.push((family as u32, split.then_some(copy)));
                }
                units.push(self.of_unit.len() as u32 - 1);
            }
            self.units.push(units);
        }
        self.classes = Classes::new(self.of_unit.len());
    }

    /// `a ~+ b` pairs the parts of two values; `~+ a` puts all parts of one value together.
    fn interleave(&mut self, system: &System) {
        for constraint in system.constraints.iter().filter(|c| c.kind == Allocation::Interleaved) {
            let one = constraint.left == constraint.right;
            for (i, &b) in constraint.right.iter().enumerate() {
                let a = constraint.left.get(if one { 0 } else { i });
                if let (Some(a), Some(b)) = (a.and_then(|&a| self.unit(a)), self.unit(b)) {
                    self.classes.join(a, b);
                }
            }
        }
    }

    /// `a < b`: one vertex between the parts of `a` and the parts of `b`. A part of `a` that must come after some
    /// part of `b` is left out.
    fn precede(&mut self, system: &System, paired: &[bool]) {
        self.precedence = Precedence::new(self.n_units());
        let (mut known, mut hinges) = (FxHashSet::default(), Vec::new());
        // Constraints of a class stand in many bodies, and mostly say of two leaves what has been said of their copies.
        let mut pairs: FxHashSet<[Option<u32>; 2]> = FxHashSet::default();
        for (constraint, paired) in system.constraints.iter().zip(paired) {
            if constraint.kind != Allocation::Before || *paired {
                continue;
            }
            if let (&[a], &[b]) = (&constraint.left[..], &constraint.right[..])
                && !pairs.insert([self.unit(a), self.unit(b)])
            {
                continue;
            }
            let sides = (self.roots(&constraint.left), self.roots(&constraint.right));
            if !sides.0.is_empty() && !sides.1.is_empty() && known.insert(sides.clone()) {
                hinges.push(sides);
            }
        }
        self.precedence.add_hinges(&hinges);
    }

    /// `s < t` for values of one type, part by part. Copies in one unit are in order by their numbers.
    fn pair(&mut self, system: &System, paired: &[bool]) {
        let mut known = FxHashSet::default();
        for (constraint, _) in system.constraints.iter().zip(paired).filter(|(_, paired)| **paired) {
            for (&a, &b) in constraint.left.iter().zip(&constraint.right) {
                let (Some(a), Some(b)) = (self.unit(a), self.unit(b)) else { continue };
                if a != b && known.insert((a, b)) {
                    self.pairs.push((a, b));
                }
            }
        }
        self.pairs.sort_by_key(|pair| pair.0);
    }

    /// Numbers that are compared with each other are interleaved bit by bit, unless a constraint keeps them apart.
    fn interleave_compared(&mut self, system: &System, explicit: &[bool], paired: &[bool]) {
        if compared(system, explicit).next().is_none() {
            return;
        }
        let separated = separations(system, paired);
        let apart = |a: VarId, b: VarId| {
            let sides = |v| separated.get(&v).map_or(&[][..], Vec::as_slice);
            sides(a).iter().any(|&(constraint, left)| sides(b).contains(&(constraint, !left)))
        };
        let loose = self.loose(system, explicit);
        let mut tried = FxHashSet::default();
        let mut members: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for unit in 0..self.n_units() as u32 {
            members.entry(self.find(unit)).or_default().push(unit);
        }
        for (a, b) in compared(system, explicit) {
            let (Some(x), Some(y)) = (self.unit(a), self.unit(b)) else { continue };
            if loose.contains(&x) && loose.contains(&y) {
                continue;
            }
            let (x, y) = (self.find(x), self.find(y));
            let (x, y) = (x.min(y), x.max(y));
            if x == y || apart(a, b) || !tried.insert((x, y)) {
                continue;
            }
            if !self.reaches(&members, x, y) && !self.reaches(&members, y, x) {
                self.classes.join(x, y);
                let mut moved = members.remove(&y).expect("a root has members");
                members.get_mut(&x).expect("a root has members").append(&mut moved);
            }
        }
    }

    /// The units that are compared with many others and are better kept one after the other.
    fn loose(&self, system: &System, explicit: &[bool]) -> FxHashSet<u32> {
        let mut pairs: FxHashSet<(u32, u32)> = FxHashSet::default();
        for (a, b) in compared(system, explicit) {
            if let (Some(x), Some(y)) = (self.unit(a), self.unit(b))
                && x != y
            {
                pairs.insert((x.min(y), x.max(y)));
            }
        }
        let leaf = |unit: u32| self.families.leaves[self.of_unit[unit as usize].0 as usize];
        cliques(&pairs, |unit| system.sort_of(leaf(unit)).size())
    }

    /// One group must come before the other.
    fn reaches(&self, members: &FxHashMap<u32, Vec<u32>>, from: u32, to: u32) -> bool {
        let mut seen: FxHashSet<u32> = FxHashSet::from_iter([from]);
        let mut stack = vec![from];
        while let Some(at) = stack.pop() {
            if at == to {
                return true;
            }
            let hinge = [at];
            for &member in members.get(&at).map_or(&hinge[..], Vec::as_slice) {
                let next = self.precedence.after(member).iter().map(|&v| self.end(v));
                stack.extend(next.filter(|&v| seen.insert(v)));
            }
        }
        false
    }
}

/// The numbers of several bits that are compared with each other.
fn compared<'a>(system: &'a System, explicit: &'a [bool]) -> impl Iterator<Item = (VarId, VarId)> + 'a {
    system.formulas.iter().filter_map(|formula| match *formula {
        Formula::Compare(_, Term::Var(a), Term::Var(b)) => {
            let several = !explicit[a.index()] && n_bits(system.sort_of(a).size()) > 1;
            several.then_some((a, b))
        }
        _ => None,
    })
}

/// For each variable the constraints that keep it apart from others, and whether it is on the left.
fn separations(system: &System, paired: &[bool]) -> FxHashMap<VarId, Vec<(usize, bool)>> {
    let mut separated: FxHashMap<VarId, Vec<(usize, bool)>> = FxHashMap::default();
    for (n, constraint) in system.constraints.iter().enumerate() {
        if constraint.kind != Allocation::Interleaved && !paired[n] {
            constraint.left.iter().for_each(|&v| separated.entry(v).or_default().push((n, true)));
            constraint.right.iter().for_each(|&v| separated.entry(v).or_default().push((n, false)));
        }
    }
    separated
}

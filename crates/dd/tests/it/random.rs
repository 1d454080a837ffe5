//! Random sequences of all operations against truth tables, with collections in between.

use crate::truth::manager;
use base::Random;
use dd::{Bdd, Image, Level, Manager, Map};
use std::collections::HashMap;

/// One bit for each row; the length is fixed by the number of variables.
type Table = Vec<bool>;

/// Diagrams next to their tables.
struct Pool {
    m: Manager,
    n_variables: usize,
    random: Random,
    members: Vec<(Bdd, Table)>,
}

impl Pool {
    fn new(n_variables: usize, seed: u64) -> Self {
        Self { m: manager(), n_variables, random: crate::truth::random(seed), members: Vec::new() }
    }

    fn rows(&self) -> usize {
        1 << self.n_variables
    }

    fn add_variables(&mut self) {
        for i in 0..self.n_variables {
            let f = self.m.variable(i as Level).unwrap();
            self.members.push((f, (0..self.rows()).map(|row| row >> i & 1 == 1).collect()));
        }
    }

    fn pick(&mut self) -> (Bdd, Table) {
        let at = self.random.index(self.members.len());
        self.members[at].clone()
    }

    /// Checks the diagram row by row and keeps it.
    fn add(&mut self, f: Bdd, table: Table) {
        for (row, value) in table.iter().enumerate() {
            assert_eq!(self.m.evaluate(f, |level| row >> level & 1 == 1), *value, "row {row}");
        }
        let some: Vec<Level> = (0..self.n_variables as Level).filter(|_| self.random.index(3) == 0).collect();
        let support = self.m.support(f);
        assert_eq!(self.m.mentions(f, &some), some.iter().any(|level| support.contains(level)), "{some:?}");
        self.members.push((f, table));
    }

    fn connective(&mut self) {
        let ((f, a), (g, b), (h, c)) = (self.pick(), self.pick(), self.pick());
        let rows = 0..self.rows();
        let m = &mut self.m;
        let (result, table): (_, Table) = match self.random.index(7) {
            0 => (m.and(f, g), rows.map(|r| a[r] && b[r]).collect()),
            1 => (m.or(f, g), rows.map(|r| a[r] || b[r]).collect()),
            2 => (m.xor(f, g), rows.map(|r| a[r] ^ b[r]).collect()),
            3 => (m.iff(f, g), rows.map(|r| a[r] == b[r]).collect()),
            4 => (m.difference(f, g), rows.map(|r| a[r] && !b[r]).collect()),
            5 => (Ok(f.complement()), rows.map(|r| !a[r]).collect()),
            _ => (m.ite(f, g, h), rows.map(|r| if a[r] { b[r] } else { c[r] }).collect()),
        };
        self.add(result.unwrap(), table);
    }

    /// Conjoins and quantifies, with every level moved down and back up.
    fn product(&mut self) {
        let ((f, a), (g, b)) = (self.pick(), self.pick());
        let n = self.n_variables as Level;
        let mask = self.random.index(self.rows()) & self.random.index(self.rows());
        let offset = n * self.random.index(2) as Level;
        let quantified: Vec<Level> = (0..n).filter(|i| mask >> i & 1 == 1).map(|i| i + offset).collect();
        let down = Map::new((0..n).map(|i| (i, i + offset)));
        let up = Map::new((0..n).map(|i| (i + offset, i)));
        let id = self.m.register_product(&down, &down, &quantified, &up);
        let mut table: Table = (0..self.rows()).map(|r| a[r] && b[r]).collect();
        for i in (0..self.n_variables).filter(|i| mask >> i & 1 == 1) {
            table = (0..self.rows()).map(|r| table[r] || table[r ^ 1 << i]).collect();
        }
        let result = self.m.product(f, g, id).unwrap();
        self.add(result, table);
    }

    fn substitution(&mut self) {
        let (f, a) = self.pick();
        let n = self.n_variables;
        let images: Vec<Image> = (0..n)
            .map(|i| match self.random.index(8) {
                0 => Image::Constant(false),
                1 => Image::Constant(true),
                2..=4 => Image::Level(self.random.index(n) as Level),
                _ => Image::Level(i as Level),
            })
            .collect();
        let moves: Vec<_> = images.iter().enumerate().map(|(i, image)| (i as Level, *image)).collect();
        let id = self.m.register_substitution(&moves);
        let bit = |row: usize, image: &Image| match image {
            Image::Constant(value) => usize::from(*value),
            Image::Level(to) => row >> to & 1,
        };
        let read = |row: usize| -> usize { images.iter().enumerate().map(|(i, m)| bit(row, m) << i).sum() };
        let table = (0..self.rows()).map(|row| a[read(row)]).collect();
        let result = self.m.substitute(f, id).unwrap();
        self.add(result, table);
    }

    /// Forgets about half of the members and collects; the others must keep handle and value.
    fn collect(&mut self) {
        let before = self.m.n_nodes();
        let mut kept = Vec::new();
        for member in std::mem::take(&mut self.members) {
            if self.random.index(2) == 0 {
                kept.push(member);
            }
        }
        let roots: Vec<Bdd> = kept.iter().map(|k| k.0).collect();
        self.m.collect(roots.iter().copied());
        assert!(self.m.n_nodes() <= before);
        assert_eq!(self.m.n_nodes() as u64, self.m.count_nodes(roots) + 1, "only what the roots need stays");
        for (f, table) in kept {
            self.add(f, table);
        }
        self.add_variables();
    }

    /// Equal tables, and only they, have equal handles.
    fn check_canonical(&self) {
        let mut handles: HashMap<&Table, Bdd> = HashMap::new();
        let mut tables: HashMap<Bdd, &Table> = HashMap::new();
        for (f, table) in &self.members {
            assert_eq!(*handles.entry(table).or_insert(*f), *f);
            assert_eq!(*tables.entry(*f).or_insert(table), table);
        }
    }

    fn run(&mut self, n_steps: usize) {
        self.add_variables();
        for step in 0..n_steps {
            match self.random.index(8) {
                0 => self.product(),
                1 => self.substitution(),
                _ => self.connective(),
            }
            if step % 40 == 39 {
                self.check_canonical();
                self.collect();
            }
        }
        self.check_canonical();
    }
}

#[test]
fn eight_variables() {
    for seed in 1..=10 {
        Pool::new(8, seed).run(800);
    }
}

#[test]
fn ten_variables() {
    Pool::new(10, 2026).run(1500);
}

/// What is computed again after a collection is what was there before, and nothing dead comes back.
#[test]
fn the_computed_table_does_not_resurrect_dead_nodes() {
    let mut m = manager();
    let n: Level = 12;
    let sum = |m: &mut Manager, from: Level| {
        let mut f = Bdd::FALSE;
        for level in from..n {
            let x = m.variable(level).unwrap();
            f = m.xor(f, x).unwrap();
        }
        f
    };
    let kept = sum(&mut m, 0);
    for round in 0..50 {
        let mut dead = Bdd::TRUE;
        for level in 0..n / 2 {
            let (x, y) = (m.variable(level).unwrap(), m.variable(level + n / 2).unwrap());
            let same = if round % 2 == 0 { m.iff(x, y) } else { m.or(x, y) }.unwrap();
            dead = m.and(dead, same).unwrap();
        }
        let expected = if round % 2 == 0 { 1u32 << (n / 2) } else { 3u32.pow(n / 2) };
        let levels: Vec<Level> = (0..n).collect();
        assert_eq!(m.count(dead, &levels), expected.into());
        assert_eq!(sum(&mut m, 0), kept);
        m.collect([kept]);
        assert_eq!(m.n_nodes(), n as usize + 1);
    }
}

#[test]
fn collecting_without_roots_empties_the_store() {
    let mut m = manager();
    m.cube([(0, true), (1, false)]).unwrap();
    m.collect([]);
    assert_eq!((m.n_nodes(), m.peak_nodes(), m.n_collections()), (1, 3, 1));
}

/// Thousands of nodes that share their larger child: the unique table has to find room for them.
#[test]
fn many_parents_of_one_node_are_found_again() {
    let mut m = manager();
    let cubes: Vec<Bdd> =
        (0..20_000u32).map(|n| m.cube((0..15).map(|bit| (1 + bit, n >> bit & 1 == 1))).unwrap()).collect();
    let (top, shared) = (m.variable(0).unwrap(), m.variable(20).unwrap());
    let parents: Vec<Bdd> = cubes.iter().map(|cube| m.ite(top, shared, *cube).unwrap()).collect();
    let n_nodes = m.n_nodes();
    m.collect(parents.iter().copied().chain([top]));
    assert!(m.n_nodes() <= n_nodes);
    for (cube, parent) in cubes.iter().zip(&parents) {
        assert_eq!(m.ite(top, shared, *cube), Ok(*parent));
    }
}

/// A level below all others.
const LAST: Level = 27;

/// A random function of the variables at these levels.
fn function(m: &mut Manager, random: &mut Random, levels: &[Level]) -> Bdd {
    let Some((&first, rest)) = levels.split_first() else { return Bdd::constant(random.index(2) == 0) };
    let (low, high) = (function(m, random, rest), function(m, random, rest));
    let variable = m.variable(first).unwrap();
    m.ite(variable, high, low).unwrap()
}

#[test]
fn levels_are_looked_for_in_small_and_large_diagrams() {
    let (mut n_found, mut n_late, mut n_small, mut n_large) = (0, 0, 0, 0);
    for seed in 0..40 {
        let (mut random, mut m) = (Random::new(seed), manager());
        let levels: Vec<Level> = (1..=1 + random.index(12) as Level).map(|n| 2 * n).collect();
        // What is looked at last has a level of its own.
        let [first, second] = [0, 1].map(|_| function(&mut m, &mut random, &levels));
        let [top, last] = [0, LAST].map(|level| m.variable(level).unwrap());
        let second = m.and(second, last).unwrap();
        let f = m.ite(top, second, first).unwrap();
        let (support, n_nodes) = (m.support(f), m.count_nodes([f]));
        for _ in 0..20 {
            let is_asked = |n: &Level| random.index(if n.is_multiple_of(2) { 40 } else { 3 }) == 0;
            let some: Vec<Level> = (0..=LAST).filter(is_asked).collect();
            let there: Vec<Level> = some.iter().copied().filter(|level| support.contains(level)).collect();
            assert_eq!(m.mentions(f, &some), !there.is_empty(), "seed {seed}: {some:?}");
            n_found += u32::from(!there.is_empty());
            n_late += u32::from(there == [LAST] && n_nodes > 1000);
            n_small += u32::from(there.is_empty() && n_nodes < 100);
            n_large += u32::from(there.is_empty() && n_nodes > 400);
        }
    }
    let is_enough = n_found > 40 && n_late > 4 && n_small > 100 && n_large > 40;
    assert!(is_enough, "found {n_found}, late {n_late}, small {n_small}, large {n_large}");
}

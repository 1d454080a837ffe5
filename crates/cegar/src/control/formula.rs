//! Regions of a machine about parts, as formulas about the variables of the program.
//!
//! A region is a diagram over bits. It becomes one over variables, each of which leads somewhere for each of its parts; then a formula, which says once what all its states have in common: where every way
//! comes through one point of the diagram, what is before and what is behind are two conjuncts.

use abstraction::values::{Parts, ValueMachine};
use checker::abstraction::Region;
use integers::ghosts::Ghosted;
use integers::{Expr, FunctionId, Op, Place};
use rustc_hash::FxHashMap;

/// Longer formulas are given up, in operations.
const LONGEST: usize = 1 << 15;

/// More points of a diagram are given up.
const MOST: usize = 20_000;

const FALSE: u32 = 0;
const TRUE: u32 = 1;

/// A variable of the machine, at the entry of its function or now.
type Key = (bool, rsm::Place);

/// The formula of a region, unless it is too long.
pub(super) fn formula(ghosted: &Ghosted, machine: &ValueMachine, region: &Region) -> Option<Expr> {
    let function = FunctionId::new(region.module.index());
    let mut bits = Bits::default();
    let mut known = vec![FALSE, TRUE];
    for &(bit, no, yes) in &region.states.nodes {
        let (no, yes) = (known[no as usize], known[yes as usize]);
        known.push(bits.node(((bit.at_entry, bit.place), bit.number), no, yes));
    }
    let mut builder = Builder {
        meaning: Meaning { ghosted, machine, function },
        bits,
        points: Vec::new(),
        known: FxHashMap::default(),
    };
    let root = builder.point(known[region.states.root as usize])?;
    builder.between(root, TRUE)
}

/// What variables of the machine are.
struct Meaning<'a> {
    ghosted: &'a Ghosted,
    machine: &'a ValueMachine,
    function: FunctionId,
}

impl<'a> Meaning<'a> {
    /// The term, if there is one, and the parts; nothing if it is something within a step.
    fn of(&self, (at_entry, place): Key) -> Option<(Option<Expr>, &'a Parts)> {
        let (place, parts) = match place {
            rsm::Place::Global(n) => &self.machine.globals[n as usize],
            rsm::Place::Local(n) => self.machine.locals[self.function.index()].get(n as usize)?,
        };
        let term = if at_entry { self.entered(*place) } else { Some(Expr::read(*place)) };
        Some((term, parts))
    }

    /// What a variable held at the entry, if somebody keeps it.
    fn entered(&self, place: Place) -> Option<Expr> {
        let f = self.function.index();
        if !self.ghosted.is_called[f] {
            return None;
        }
        if let Some(ghost) = self.ghosted.ghosts[f].iter().find(|ghost| ghost.of == place) {
            return Some(Expr::read(Place::Local(ghost.local)));
        }
        let n_params = self.ghosted.program.function(self.function).n_params;
        match place {
            Place::Local(n) if n as usize >= n_params => None,
            place => Some(Expr::read(place)),
        }
    }
}

/// A diagram over bits.
#[derive(Default)]
struct Bits {
    /// Counted from 2.
    nodes: Vec<((Key, u32), u32, u32)>,
    unique: FxHashMap<((Key, u32), u32, u32), u32>,
}

impl Bits {
    fn node(&mut self, bit: (Key, u32), no: u32, yes: u32) -> u32 {
        if no == yes {
            return no;
        }
        let next = self.nodes.len() as u32 + 2;
        let number = *self.unique.entry((bit, no, yes)).or_insert(next);
        if number == next {
            self.nodes.push((bit, no, yes));
        }
        number
    }

    fn get(&self, node: u32) -> Option<((Key, u32), u32, u32)> {
        self.nodes.get(node.checked_sub(2)? as usize).copied()
    }

    /// What is left of a diagram if these bits are known.
    fn restrict(
        &mut self,
        node: u32,
        value: &dyn Fn((Key, u32)) -> Option<bool>,
        known: &mut FxHashMap<u32, u32>,
    ) -> u32 {
        let Some((bit, no, yes)) = self.get(node) else { return node };
        if let Some(&found) = known.get(&node) {
            return found;
        }
        let found = match value(bit) {
            Some(true) => self.restrict(yes, value, known),
            Some(false) => self.restrict(no, value, known),
            None => {
                let no = self.restrict(no, value, known);
                let yes = self.restrict(yes, value, known);
                self.node(bit, no, yes)
            }
        };
        known.insert(node, found);
        found
    }

    /// What is left if a variable is in a part.
    fn in_part(&mut self, node: u32, key: Key, part: u64) -> u32 {
        let value = |(other, bit): (Key, u32)| (other == key).then_some(part >> bit & 1 == 1);
        self.restrict(node, &value, &mut FxHashMap::default())
    }

    /// One or the other.
    fn or(&mut self, one: u32, other: u32, known: &mut FxHashMap<(u32, u32), u32>) -> u32 {
        match (one, other) {
            (TRUE, _) | (_, TRUE) => return TRUE,
            (FALSE, node) | (node, FALSE) => return node,
            _ if one == other => return one,
            _ => {}
        }
        if let Some(&found) = known.get(&(one, other)) {
            return found;
        }
        let (bit, no, yes) = self.get(one).expect("it is no constant");
        let [without, with] = [false, true].map(|truth| {
            let value = |own: (Key, u32)| (own == bit).then_some(truth);
            self.restrict(other, &value, &mut FxHashMap::default())
        });
        let no = self.or(no, without, known);
        let yes = self.or(yes, with, known);
        let found = self.node(bit, no, yes);
        known.insert((one, other), found);
        found
    }
}

/// A point of the diagram over variables.
struct PointNode {
    term: Expr,
    parts: Parts,
    /// Which parts lead where; none of it is false.
    ways: Vec<(Vec<usize>, u32)>,
}

struct Builder<'a> {
    meaning: Meaning<'a>,
    bits: Bits,
    /// Counted from 2; those that a point leads to come before it.
    points: Vec<PointNode>,
    known: FxHashMap<u32, u32>,
}

impl Builder<'_> {
    /// The point of a node of the diagram over bits.
    fn point(&mut self, node: u32) -> Option<u32> {
        let Some(((key, _), ..)) = self.bits.get(node) else { return Some(node) };
        if let Some(&point) = self.known.get(&node) {
            return Some(point);
        }
        if self.points.len() > MOST || self.bits.nodes.len() > MOST * 16 {
            return None;
        }
        let point = match self.meaning.of(key) {
            Some((Some(term), parts)) => self.ways(node, key, term, parts)?,
            meaning => {
                // Nobody keeps it: any value will do.
                let values = meaning.map_or(256, |(_, parts)| parts.count() as u64);
                let left = self.without(node, key, values);
                self.point(left)?
            }
        };
        self.known.insert(node, point);
        Some(point)
    }

    fn ways(&mut self, node: u32, key: Key, term: Expr, parts: &Parts) -> Option<u32> {
        let mut ways: Vec<(Vec<usize>, u32)> = Vec::new();
        for part in 0..parts.count() {
            let left = self.bits.in_part(node, key, part as u64);
            let next = self.point(left)?;
            match ways.iter_mut().find(|(_, other)| *other == next) {
                Some((parts, _)) => parts.push(part),
                None => ways.push((vec![part], next)),
            }
        }
        if let [(_, next)] = ways[..] {
            return Some(next);
        }
        ways.retain(|(_, next)| *next != FALSE);
        self.points.push(PointNode { term, parts: parts.clone(), ways });
        Some(self.points.len() as u32 + 1)
    }

    /// What is left if a variable may have any of its values.
    fn without(&mut self, node: u32, key: Key, values: u64) -> u32 {
        let mut all = FALSE;
        for value in 0..values {
            let left = self.bits.in_part(node, key, value);
            all = self.bits.or(all, left, &mut FxHashMap::default());
        }
        all
    }

    /// That a state leads from one point to another that is behind it on every way.
    fn between(&self, from: u32, to: u32) -> Option<Expr> {
        if from == to {
            return Some(Expr::truth(true));
        }
        if from == FALSE {
            return Some(Expr::truth(false));
        }
        let mut formula = Expr::truth(true);
        let mut at = from;
        for next in self.passed(from, to).into_iter().chain([to]) {
            formula = formula.and(self.one_way(at, next)?);
            at = next;
        }
        (formula.code().len() <= LONGEST).then_some(formula)
    }

    /// One of the ways from a point.
    fn one_way(&self, from: u32, to: u32) -> Option<Expr> {
        let PointNode { term, parts, ways } = &self.points[from as usize - 2];
        let mut formula: Option<Expr> = None;
        for (inside, next) in ways {
            let way = parts.formula(term, inside).and(self.between(*next, to)?);
            formula = Some(match formula {
                Some(formula) => formula.binary(Op::Or, way),
                None => way,
            });
            if formula.as_ref().is_some_and(|formula| formula.code().len() > LONGEST) {
                return None;
            }
        }
        formula
    }

    /// The points that every way from one to another passes, in order.
    fn passed(&self, from: u32, to: u32) -> Vec<u32> {
        // How many ways lead to the end and from the beginning; counted modulo 2^64, and whoever is wrong makes a claim that is refused.
        let n = from as usize + 1;
        let mut ahead = vec![0u64; n.max(2)];
        ahead[to as usize] = 1;
        for at in (to as usize + 1).max(2)..n {
            ahead[at] = self.points[at - 2]
                .ways
                .iter()
                .map(|(_, next)| ahead[*next as usize])
                .fold(0, u64::wrapping_add);
        }
        let mut behind = vec![0u64; n.max(2)];
        behind[from as usize] = 1;
        let mut passed = Vec::new();
        for at in ((to as usize + 1).max(2)..n).rev() {
            for (_, next) in &self.points[at - 2].ways {
                behind[*next as usize] = behind[*next as usize].wrapping_add(behind[at]);
            }
            let is_inside = at != from as usize && behind[at] != 0;
            if is_inside && behind[at].wrapping_mul(ahead[at]) == ahead[from as usize] {
                passed.push(at as u32);
            }
        }
        passed
    }
}

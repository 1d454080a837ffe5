//! A set of states in the language of the program: conditions that all hold in each of its states.
//!
//! Contract: every clause is an expression of the language over the variables that are handed in, and holds in every state of the set. Together they are
//! the set exactly, or it is said that they are not. First what single variables can be, then which of them are equal, then prime implicates of the
//! rest, of which only so many are told.

use crate::diagrams::{Diagrams, Shape};
use dd::{Bdd, Exhausted, Level};
use rsm::Type;

/// A variable that clauses can speak of.
pub(crate) struct Named<'n> {
    pub(crate) name: &'n str,
    pub(crate) ty: &'n Type,
    /// The lowest bit first.
    pub(crate) levels: &'n [Level],
}

/// What is said of a set.
pub(crate) struct Told {
    pub(crate) clauses: Vec<String>,
    /// The clauses are the set.
    pub(crate) is_whole: bool,
}

/// The most clauses about several variables.
const MOST: usize = 12;

/// The most variables among which equal ones are looked for.
const MOST_COMPARED: usize = 24;

/// Values of types with more bits are not listed one by one.
const LISTED_BITS: usize = 5;

/// The most values, or values that are not taken, in one clause.
const MOST_VALUES: usize = 4;

/// Says what holds in all states of a set, which speaks of no other variables.
pub(crate) fn tell(diagrams: &mut Diagrams, states: Bdd, variables: &[Named]) -> Result<Told, Exhausted> {
    if states == Bdd::FALSE {
        return Ok(Told { clauses: vec!["F".to_owned()], is_whole: true });
    }
    let mut teller = Teller { diagrams, states, known: Bdd::TRUE, fixed: Vec::new(), clauses: Vec::new() };
    let support = teller.diagrams.dd.support(states);
    let all: Vec<Level> = variables.iter().flat_map(|variable| variable.levels.iter().copied()).collect();
    let mentions = |variable: &&Named| variable.levels.iter().any(|level| support.contains(level));
    let mut open = Vec::new();
    for variable in variables.iter().filter(mentions) {
        let others: Vec<Level> =
            support.iter().copied().filter(|level| !variable.levels.contains(level)).collect();
        let values = teller.forget(states, others)?;
        if !teller.single(variable, values)? {
            open.push(variable);
        }
    }
    teller.clauses.splice(0..0, std::mem::take(&mut teller.fixed));
    teller.equal(&open)?;
    let is_whole = teller.rest(&open, &all)?;
    Ok(Told { clauses: teller.clauses, is_whole })
}

struct Teller<'a> {
    diagrams: &'a mut Diagrams,
    states: Bdd,
    /// What the clauses say so far.
    known: Bdd,
    /// Variables with one value.
    fixed: Vec<String>,
    clauses: Vec<String>,
}

impl Teller<'_> {
    fn forget(&mut self, f: Bdd, quantified: Vec<Level>) -> Result<Bdd, Exhausted> {
        self.diagrams.product(f, Bdd::TRUE, Shape { quantified, ..Shape::default() })
    }

    /// Adds a clause, if it says something new.
    fn add(&mut self, text: String, meaning: Bdd) -> Result<(), Exhausted> {
        let known = self.diagrams.dd.and(self.known, meaning)?;
        if known != self.known {
            self.known = known;
            self.clauses.push(text);
        }
        Ok(())
    }

    /// Says which values a variable has; whether it is only one.
    fn single(&mut self, variable: &Named, values: Bdd) -> Result<bool, Exhausted> {
        let domain = self.domain(variable)?;
        let mut sorted = variable.levels.to_vec();
        sorted.sort_unstable();
        let is_one = self.diagrams.dd.count(values, &sorted) == 1u32.into();
        self.known = self.diagrams.dd.and(self.known, domain)?;
        let of_type = self.diagrams.dd.and(values, domain)?;
        // All values of its type, or none that a text could list.
        let told = if of_type == domain { None } else { self.values(variable, of_type)? };
        let Some((text, meaning)) = told else { return Ok(false) };
        self.known = self.diagrams.dd.and(self.known, meaning)?;
        if is_one {
            self.fixed.push(text)
        } else {
            self.clauses.push(text)
        }
        Ok(is_one)
    }

    /// The bits are a value.
    fn domain(&mut self, variable: &Named) -> Result<Bdd, Exhausted> {
        let Diagrams { dd, encoder, .. } = self.diagrams;
        encoder.domain(dd, variable.levels, variable.ty)
    }

    /// A text for some values of a variable, and what it means: at least these.
    fn values(&mut self, variable: &Named, values: Bdd) -> Result<Option<(String, Bdd)>, Exhausted> {
        let Named { name, ty, levels } = variable;
        if **ty == Type::Bool {
            let is_true = self.diagrams.dd.variable(levels[0])?;
            let text = if values == is_true { (*name).to_owned() } else { format!("!{name}") };
            return Ok((!values.is_constant()).then_some((text, values)));
        }
        if levels.len() > LISTED_BITS {
            return self.range(variable, values);
        }
        let is_in = |n: &u64| {
            let bit = |level: Level| levels.iter().position(|own| *own == level);
            self.diagrams.dd.evaluate(values, |level| bit(level).is_some_and(|bit| n >> bit & 1 == 1))
        };
        let (taken, left): (Vec<u64>, Vec<u64>) = (0..=ty.max()).partition(is_in);
        let Some((&first, &last)) = taken.first().zip(taken.last()) else { return Ok(None) };
        let is_run = last - first + 1 == taken.len() as u64;
        let word = |n: &u64| ty.value_name(*n);
        let list = |sign: &str, of: &[u64], between: &str| {
            of.iter().map(|n| format!("{name} {sign} {}", word(n))).collect::<Vec<_>>().join(between)
        };
        let is_number = matches!(ty, Type::Int(_));
        let text = match (taken.len(), left.len()) {
            (_, 0) => return Ok(None),
            (1, _) => list("=", &taken, ""),
            (_, 1) => list("!=", &left, ""),
            _ if is_number && is_run && first == 0 => format!("{name} <= {last}"),
            _ if is_number && is_run && last == ty.max() => format!("{name} >= {first}"),
            _ if is_number && is_run => format!("{name} >= {first} & {name} <= {last}"),
            (n, _) if n <= MOST_VALUES => list("=", &taken, " | "),
            (_, n) if n <= MOST_VALUES => list("!=", &left, " & "),
            _ => list("=", &taken, " | "),
        };
        Ok(Some((text, values)))
    }

    /// The same of a type with many values: the least and the largest.
    fn range(&mut self, variable: &Named, values: Bdd) -> Result<Option<(String, Bdd)>, Exhausted> {
        let Named { name, ty, levels } = variable;
        let (least, largest) = (self.extreme(levels, values, false)?, self.extreme(levels, values, true)?);
        let text = match (least, largest) {
            (0, last) if last == ty.max() => return Ok(None),
            (first, last) if first == last => format!("{name} = {}", ty.value_name(first)),
            // Only numbers have an order.
            _ if !matches!(ty, Type::Int(_)) => return Ok(None),
            (0, last) => format!("{name} <= {last}"),
            (first, last) if last == ty.max() => format!("{name} >= {first}"),
            (first, last) => format!("{name} >= {first} & {name} <= {last}"),
        };
        let mut meaning = Bdd::TRUE;
        for (bound, is_upper) in [(least, false), (largest, true)] {
            let part = self.bounded(levels, bound, is_upper)?;
            meaning = self.diagrams.dd.and(meaning, part)?;
        }
        Ok(Some((text, meaning)))
    }

    /// The least or the largest value, which is there.
    fn extreme(&mut self, levels: &[Level], mut values: Bdd, is_largest: bool) -> Result<u64, Exhausted> {
        let mut extreme = 0;
        for (bit, level) in levels.iter().enumerate().rev() {
            let literal = self.diagrams.dd.cube([(*level, is_largest)])?;
            let part = self.diagrams.dd.and(values, literal)?;
            let is_there = part != Bdd::FALSE;
            extreme |= u64::from(is_there == is_largest) << bit;
            values = if is_there { part } else { values };
        }
        Ok(extreme)
    }

    /// At most, or at least, so much.
    fn bounded(&mut self, levels: &[Level], bound: u64, is_upper: bool) -> Result<Bdd, Exhausted> {
        let mut all = Bdd::TRUE;
        let mut order: Vec<(usize, Level)> = levels.iter().copied().enumerate().collect();
        order.sort_unstable();
        for (bit, level) in order {
            let x = self.diagrams.dd.variable(level)?;
            let dd = &mut self.diagrams.dd;
            all = match (bound >> bit & 1 == 1, is_upper) {
                (true, true) => dd.ite(x, all, Bdd::TRUE)?,
                (false, true) => dd.ite(x, Bdd::FALSE, all)?,
                (true, false) => dd.ite(x, all, Bdd::FALSE)?,
                (false, false) => dd.ite(x, Bdd::TRUE, all)?,
            };
        }
        Ok(all)
    }

    /// Says which variables are equal, and which truth values are opposites.
    fn equal(&mut self, open: &[&Named]) -> Result<(), Exhausted> {
        let open = &open[..open.len().min(MOST_COMPARED)];
        for (n, one) in open.iter().enumerate() {
            for other in &open[n + 1..] {
                if one.ty != other.ty {
                    continue;
                }
                let mut same = Bdd::TRUE;
                for (a, b) in one.levels.iter().zip(other.levels) {
                    let dd = &mut self.diagrams.dd;
                    let (a, b) = (dd.variable(*a)?, dd.variable(*b)?);
                    let bit = dd.iff(a, b)?;
                    same = dd.and(same, bit)?;
                }
                for (sign, meaning) in [("=", same), ("!=", same.complement())] {
                    if self.diagrams.dd.difference(self.states, meaning)? == Bdd::FALSE {
                        self.add(format!("{} {sign} {}", one.name, other.name), meaning)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Says what is left; whether that is all.
    fn rest(&mut self, open: &[&Named], all: &[Level]) -> Result<bool, Exhausted> {
        let outside = self.diagrams.dd.difference(self.known, self.states)?;
        if outside == Bdd::FALSE {
            return Ok(true);
        }
        // Bits that stand for no value need not be ruled out.
        let upper = self.states.complement();
        let mut cubes = Cubes { most: MOST, path: Vec::new(), found: Vec::new() };
        cubes.cover(self.diagrams, outside, upper)?;
        for cube in cubes.found {
            self.implicate(&cube, open, all)?;
        }
        Ok(self.diagrams.dd.difference(self.known, self.states)? == Bdd::FALSE)
    }

    /// Says that a cube, in which no state is, is none.
    fn implicate(&mut self, cube: &[(Level, bool)], open: &[&Named], all: &[Level]) -> Result<(), Exhausted> {
        debug_assert!(cube.iter().all(|(level, _)| all.contains(level)));
        let (mut parts, mut meaning) = (Vec::new(), Bdd::FALSE);
        for variable in open {
            let own: Vec<(Level, bool)> =
                cube.iter().copied().filter(|(level, _)| variable.levels.contains(level)).collect();
            if own.is_empty() {
                continue;
            }
            let inside = self.diagrams.dd.cube(own)?;
            let domain = self.domain(variable)?;
            let outside = self.diagrams.dd.difference(domain, inside)?;
            let (then, otherwise) =
                (self.values_of(variable, inside, domain)?, self.values(variable, outside)?);
            // A variable with too many values to be told.
            let (Some((inside, _)), Some((outside, told))) = (then, otherwise) else { return Ok(()) };
            parts.push((inside, outside));
            meaning = self.diagrams.dd.or(meaning, told)?;
        }
        let is_sound = self.diagrams.dd.difference(self.states, meaning)? == Bdd::FALSE;
        let text = match &parts[..] {
            [] => return Ok(()),
            [(_, only)] => only.clone(),
            [(inside, _), (_, outside)] => format!("{} => {}", grouped(inside), grouped(outside)),
            parts => parts.iter().map(|(_, outside)| grouped(outside)).collect::<Vec<_>>().join(" | "),
        };
        if is_sound { self.add(text, meaning) } else { Ok(()) }
    }

    fn values_of(
        &mut self,
        variable: &Named,
        values: Bdd,
        domain: Bdd,
    ) -> Result<Option<(String, Bdd)>, Exhausted> {
        let values = self.diagrams.dd.and(values, domain)?;
        self.values(variable, values)
    }
}

/// A part of a larger text.
pub(crate) fn grouped(text: &str) -> String {
    let is_one = [" | ", " & ", " => "].iter().all(|sign| !text.contains(sign));
    if is_one { text.to_owned() } else { format!("({text})") }
}

/// Prime cubes that cover a set (Minato and Morreale).
struct Cubes {
    most: usize,
    path: Vec<(Level, bool)>,
    found: Vec<Vec<(Level, bool)>>,
}

impl Cubes {
    /// Covers all of `lower`, and nothing outside `upper`, as long as there may be more cubes. What is covered then.
    fn cover(&mut self, diagrams: &mut Diagrams, lower: Bdd, upper: Bdd) -> Result<Bdd, Exhausted> {
        if lower == Bdd::FALSE || self.found.len() >= self.most {
            return Ok(Bdd::FALSE);
        }
        if upper == Bdd::TRUE {
            self.found.push(self.path.clone());
            return Ok(Bdd::TRUE);
        }
        let dd = &mut diagrams.dd;
        let levels = [lower, upper].map(|f| dd.level(f).unwrap_or(Level::MAX));
        let level = levels[0].min(levels[1]);
        let parts = |f: Bdd, own: Level| if own == level { dd.children(f) } else { (f, f) };
        let ((l0, l1), (u0, u1)) = (parts(lower, levels[0]), parts(upper, levels[1]));
        let (only0, only1) = (dd.difference(l0, u1)?, dd.difference(l1, u0)?);
        let c0 = self.with((level, false), diagrams, only0, u0)?;
        let c1 = self.with((level, true), diagrams, only1, u1)?;
        let dd = &mut diagrams.dd;
        let (rest0, rest1) = (dd.difference(l0, c0)?, dd.difference(l1, c1)?);
        let (rest, both) = (dd.or(rest0, rest1)?, dd.and(u0, u1)?);
        let either = self.cover(diagrams, rest, both)?;
        let dd = &mut diagrams.dd;
        let (c0, c1, variable) = (dd.or(c0, either)?, dd.or(c1, either)?, dd.variable(level)?);
        dd.ite(variable, c1, c0)
    }

    fn with(
        &mut self,
        literal: (Level, bool),
        diagrams: &mut Diagrams,
        lower: Bdd,
        upper: Bdd,
    ) -> Result<Bdd, Exhausted> {
        self.path.push(literal);
        let covered = self.cover(diagrams, lower, upper);
        self.path.pop();
        covered
    }
}

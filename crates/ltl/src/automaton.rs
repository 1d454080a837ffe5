//! From a formula to an automaton: a tableau of obligations.
//!
//! A state is a set of formulas that have to hold from now on. To expand it means to say what has to hold of the present
//! state, literals, and what from the next one on:
//!
//! ```text
//! a U b  =  b,  or  a & X(a U b), postponed
//! a R b  =  a & b,  or  b & X(a R b)
//! ```
//!
//! A run is accepted if no `U` is postponed for ever. Who looks for marks on edges gets one for each `U`: that it is not postponed
//! ([`translate_marked`]). For others a counter asks for one `U` after the other that is not postponed; when it has been through all of
//! them, the state is a target, and it begins again ([`translate`]).

use crate::formula::Formula;
use crate::normal::{Normal, NormalId, Normals};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::hash::Hash;

/// A proposition and the value that it must have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Literal {
    /// Its number.
    pub proposition: u32,
    /// T or F.
    pub value: bool,
}

/// A state of an automaton.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// Runs are accepted that are here, or in other such states, again and again.
    pub is_target: bool,
    /// What has to hold in the present state, and where the automaton goes then.
    pub edges: Vec<(Vec<Literal>, usize)>,
}

/// An automaton; it starts in its first state. A run that it has no edge for is not accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Automaton {
    /// Its states; at least one.
    pub states: Vec<State>,
}

/// An automaton whose edges carry marks; it starts in its first state. A run is accepted if every mark comes again and again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Marked {
    /// Its states; at least one.
    pub states: Vec<Vec<MarkedEdge>>,
    /// Marks are numbered from 0.
    pub n_marks: u32,
}

/// An edge with marks.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MarkedEdge {
    /// What has to hold in the present state.
    pub literals: Vec<Literal>,
    /// Where the automaton goes then.
    pub to: usize,
    /// A bit for each mark.
    pub marks: u64,
}

/// The automaton has too many edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

/// So many edges an automaton may have.
pub(crate) const MAX_EDGES: usize = 20_000;

/// So many edges a state may have.
const MAX_WAYS: usize = 500;

/// So many steps the expansion of a state may take.
const MAX_STEPS: usize = 50_000;

type Set = BTreeSet<NormalId>;

/// One way to fulfil obligations.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Way {
    literals: BTreeSet<Literal>,
    next: Set,
    postponed: Set,
}

impl Way {
    /// It asks for no more than another one.
    fn covers(&self, other: &Way) -> bool {
        self.literals.is_subset(&other.literals)
            && self.next.is_subset(&other.next)
            && self.postponed.is_subset(&other.postponed)
    }
}

/// An automaton, and what has to hold from each of its states on.
pub(crate) struct Told {
    pub(crate) automaton: Automaton,
    pub(crate) normals: Normals,
    /// The obligations of each state; of equal states those of the first.
    pub(crate) obligations: Vec<Vec<NormalId>>,
}

/// The automaton of the infinite words that satisfy a formula.
pub fn translate(formula: &Formula) -> Result<Automaton, TooLarge> {
    told(formula).map(|told| told.automaton)
}

/// The same, with the obligations.
pub(crate) fn told(formula: &Formula) -> Result<Told, TooLarge> {
    let mut normals = Normals::default();
    let root = normals.of(formula);
    let untils: Vec<NormalId> = (0..normals.all.len())
        .map(NormalId::new)
        .filter(|id| matches!(normals.all[id.index()], Normal::Until(..)))
        .collect();
    // To begin with, all are asked for anew, or all have been seen: one of these may give fewer states.
    let first = tableau(&normals, root, &untils, 0)?;
    let second = tableau(&normals, root, &untils, untils.len())?;
    let (automaton, sets) = if second.0.states.len() < first.0.states.len() { second } else { first };
    let obligations = sets.into_iter().map(|set| set.into_iter().collect()).collect();
    Ok(Told { automaton, normals, obligations })
}

/// An automaton with marks, and what has to hold from each of its states on.
pub(crate) struct ToldMarked {
    pub(crate) automaton: Marked,
    pub(crate) normals: Normals,
    /// The obligations of each state; of equal states those of the first.
    pub(crate) obligations: Vec<Vec<NormalId>>,
}

/// The same with a mark for each `U`; too large as well if there are more than `most_marks` of them.
pub fn translate_marked(formula: &Formula, most_marks: u32) -> Result<Marked, TooLarge> {
    told_marked(formula, most_marks).map(|told| told.automaton)
}

/// The same, with the obligations.
pub(crate) fn told_marked(formula: &Formula, most_marks: u32) -> Result<ToldMarked, TooLarge> {
    let mut normals = Normals::default();
    let root = normals.of(formula);
    let mut numbers: FxHashMap<Set, usize> = FxHashMap::default();
    let mut todo = vec![Set::from([root])];
    numbers.insert(todo[0].clone(), 0);
    let (mut states, mut n_edges) = (Vec::new(), 0);
    while let Some(set) = todo.get(states.len()).cloned() {
        let ways = expand(&normals, &set)?;
        n_edges += ways.len();
        if n_edges > MAX_EDGES {
            return Err(TooLarge);
        }
        let edges = ways.into_iter().map(|way| {
            let number = *numbers.entry(way.next).or_insert_with_key(|to| {
                todo.push(to.clone());
                todo.len() - 1
            });
            (way.literals.into_iter().collect::<Vec<Literal>>(), way.postponed, number)
        });
        states.push(((), edges.collect::<Vec<_>>()));
    }
    let (states, origins) = reduced(states);
    // Only what is postponed somewhere needs a mark.
    let postponed = states.iter().flat_map(|(_, edges)| edges.iter().flat_map(|edge| &edge.1));
    let untils: Vec<NormalId> = postponed.copied().collect::<Set>().into_iter().collect();
    if untils.len() > most_marks as usize {
        return Err(TooLarge);
    }
    let marks = |postponed: &Set| {
        let is_done = untils.iter().map(|until| u64::from(!postponed.contains(until)));
        is_done.enumerate().fold(0, |marks, (n, mark)| marks | mark << n)
    };
    let edge = |(literals, postponed, to): (Vec<Literal>, Set, usize)| MarkedEdge {
        literals,
        to,
        marks: marks(&postponed),
    };
    let states = states.into_iter().map(|(_, edges)| edges.into_iter().map(edge).collect()).collect();
    let automaton = Marked { states, n_marks: untils.len() as u32 };
    let obligations = origins.into_iter().map(|n| todo[n].iter().copied().collect()).collect();
    Ok(ToldMarked { automaton, normals, obligations })
}

/// The tableau from a formula, with the counter at a level, and the obligations of its states.
fn tableau(
    normals: &Normals,
    root: NormalId,
    untils: &[NormalId],
    level: usize,
) -> Result<(Automaton, Vec<Set>), TooLarge> {
    let mut numbers: FxHashMap<(Set, usize), usize> = FxHashMap::default();
    let mut todo = vec![(Set::from([root]), level)];
    numbers.insert(todo[0].clone(), 0);
    let (mut states, mut n_edges, mut at) = (Vec::new(), 0, 0);
    while let Some((set, level)) = todo.get(at).cloned() {
        at += 1;
        let ways = expand(normals, &set)?;
        n_edges += ways.len();
        if n_edges > MAX_EDGES {
            return Err(TooLarge);
        }
        let edges = ways.into_iter().map(|way| {
            let to = (way.next, next_level(untils, level, &way.postponed));
            let number = *numbers.entry(to).or_insert_with_key(|to| {
                todo.push(to.clone());
                todo.len() - 1
            });
            (way.literals.into_iter().collect(), (), number)
        });
        states.push((level == untils.len(), edges.collect()));
    }
    let edge = |(literals, (), to): (Vec<Literal>, (), usize)| (literals, to);
    let state = |(is_target, edges): (bool, Vec<_>)| State {
        is_target,
        edges: edges.into_iter().map(edge).collect(),
    };
    let (states, origins) = reduced(states);
    let sets = origins.into_iter().map(|n| todo[n].0.clone()).collect();
    Ok((Automaton { states: states.into_iter().map(state).collect() }, sets))
}

/// How far the counter comes.
fn next_level(untils: &[NormalId], level: usize, postponed: &Set) -> usize {
    let from = if level == untils.len() { 0 } else { level };
    let waits = untils[from..].iter().position(|until| postponed.contains(until));
    waits.map_or(untils.len(), |n| from + n)
}

/// A way that is being tried: what is left to do, what has been done.
type Attempt = (Vec<NormalId>, Set, Way);

/// All ways to fulfil obligations, without those that another one covers.
fn expand(normals: &Normals, set: &Set) -> Result<Vec<Way>, TooLarge> {
    let mut ways: Vec<Way> = Vec::new();
    let mut attempts: Vec<Attempt> = vec![(set.iter().copied().collect(), Set::new(), Way::default())];
    let mut n_tried = 0;
    while let Some((mut todo, mut done, mut way)) = attempts.pop() {
        n_tried += 1;
        if n_tried > MAX_STEPS || ways.len() > MAX_WAYS {
            return Err(TooLarge);
        }
        let Some(id) = todo.pop() else {
            if !ways.iter().any(|other| other.covers(&way)) {
                ways.retain(|other| !way.covers(other));
                ways.push(way);
            }
            continue;
        };
        if !done.insert(id) {
            attempts.push((todo, done, way));
            continue;
        }
        match normals.all[id.index()] {
            Normal::Constant(false) => continue,
            Normal::Constant(true) => {}
            Normal::Literal(proposition, value) => {
                if way.literals.contains(&Literal { proposition, value: !value }) {
                    continue;
                }
                way.literals.insert(Literal { proposition, value });
            }
            Normal::And(a, b) => todo.extend([a, b]),
            Normal::Next(a) => drop(way.next.insert(a)),
            Normal::Or(a, b) => {
                let mut other = todo.clone();
                other.push(b);
                attempts.push((other, done.clone(), way.clone()));
                todo.push(a);
            }
            Normal::Until(a, b) => {
                let (mut other, mut later) = (todo.clone(), way.clone());
                other.push(a);
                later.next.insert(id);
                later.postponed.insert(id);
                attempts.push((other, done.clone(), later));
                todo.push(b);
            }
            Normal::Release(a, b) => {
                let (mut other, mut later) = (todo.clone(), way.clone());
                other.push(b);
                later.next.insert(id);
                attempts.push((other, done.clone(), later));
                todo.extend([a, b]);
            }
        }
        attempts.push((todo, done, way));
    }
    Ok(ways)
}

/// A state and its edges, each with what is said of it.
type Stated<S, E> = (S, Vec<(Vec<Literal>, E, usize)>);

/// States without those that lead nowhere, and with equal ones once, and which of the given ones each of them is; the first is the first.
fn reduced<S: Clone + Eq + Hash, E: Clone + Ord + Hash>(
    mut states: Vec<Stated<S, E>>,
) -> (Vec<Stated<S, E>>, Vec<usize>) {
    let mut origins: Vec<usize> = (0..states.len()).collect();
    loop {
        let is_dead: Vec<bool> = states.iter().map(|(_, edges)| edges.is_empty()).collect();
        let mut numbers: FxHashMap<Stated<S, E>, usize> = FxHashMap::default();
        let mut of: Vec<usize> = Vec::new();
        for (n, state) in states.iter_mut().enumerate() {
            state.1.retain(|(_, _, to)| !is_dead[*to]);
            state.1.sort();
            state.1.dedup();
            of.push(*numbers.entry(state.clone()).or_insert(n));
        }
        // The first of equal states stays. What is not reached any more goes.
        let mut kept = vec![of[0]];
        let mut is_kept = vec![false; of.len()];
        is_kept[of[0]] = true;
        let mut at = 0;
        while let Some((_, edges)) = kept.get(at).map(|n| &states[*n]) {
            for to in edges.iter().map(|edge| of[edge.2]) {
                if !std::mem::replace(&mut is_kept[to], true) {
                    kept.push(to);
                }
            }
            at += 1;
        }
        if kept.len() == states.len() {
            return (states, origins);
        }
        let mut new = vec![0; of.len()];
        kept.iter().enumerate().for_each(|(number, old)| new[*old] = number);
        let smaller = kept.iter().map(|n| {
            let (said, edges) = states[*n].clone();
            (said, edges.into_iter().map(|(literals, own, to)| (literals, own, new[of[to]])).collect())
        });
        states = smaller.collect();
        origins = kept.iter().map(|n| origins[*n]).collect();
    }
}

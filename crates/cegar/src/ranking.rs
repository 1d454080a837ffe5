//! Looks for measures that show that every run ends: linear terms, one component of a graph at a time, until no cycle is left.
//!
//! Source: lexicographic linear ranking functions (Bradley, Manna, Sipma 2005; Alias, Darte, Feautrier, Gonnord 2010), found by guessing what guards bound, and
//! else by [`crate::synthesis`]. What comes out is a claim to be checked, not to be believed.

use crate::synthesis::{Arc, Cycle, Found};
use integers::normal::{Atom, atoms, normal};
use integers::{Action, Edge, EdgeId, Expr, FunctionId, Op, Place};
use proof::{Measure, Rules, Transition, cycles};
use smt::Solver;

/// More variables are not looked at together.
const MOST_PLACES: usize = 10;

/// More of them are not paired.
const MOST_PAIRED: usize = 6;

/// An edge of the graph of a function, or of calls.
pub(crate) type Way = (FunctionId, EdgeId);

/// A component for which nothing was found.
pub(crate) struct Open {
    /// It is one of the graph of calls.
    pub(crate) is_nested: bool,
    /// Its edges.
    pub(crate) ways: Vec<Way>,
}

/// Measures for the whole program, or a component for which there are none.
pub(crate) fn measures(
    rules: &Rules<'_>,
    solver: &mut dyn Solver,
    is_stopped: &dyn Fn() -> bool,
) -> Result<Vec<Measure>, Open> {
    let program = &rules.subject.program;
    let mut found = Vec::new();
    let mut calls = Vec::new();
    for (f, function) in program.functions.iter().enumerate() {
        let id = FunctionId::new(f);
        let mut ways = Vec::new();
        for (n, edge) in function.edges.iter().enumerate() {
            let way = (id, EdgeId::new(n));
            if !is_taken(rules, way) {
                continue;
            }
            ways.push((way, (edge.from.0, edge.to.0)));
            if let Action::Call { callee, .. } = edge.action {
                calls.push((way, (id.0, callee.0)));
            }
        }
        let mut serve = |ways: &[Way]| Problem::new(rules, ways, false).measure(ways, solver, &mut found);
        exhaust(function.nodes.len(), ways, is_stopped, &mut serve)
            .map_err(|ways| Open { is_nested: false, ways })?;
    }
    let mut serve = |ways: &[Way]| Problem::new(rules, ways, true).measure(ways, solver, &mut found);
    exhaust(program.functions.len(), calls, is_stopped, &mut serve)
        .map_err(|ways| Open { is_nested: true, ways })?;
    Ok(found)
}

/// A run may be where the edge begins.
fn is_taken(rules: &Rules<'_>, (id, edge): Way) -> bool {
    let edge = rules.subject.program.function(id).edge(edge);
    rules.at(id, edge.from).as_truth() != Some(false)
}

/// Serves the ways of each component, until there is no cycle, or one that is not served.
fn exhaust(
    n_vertices: usize,
    mut ways: Vec<(Way, (u32, u32))>,
    is_stopped: &dyn Fn() -> bool,
    serve: &mut dyn FnMut(&[Way]) -> Option<Vec<Way>>,
) -> Result<(), Vec<Way>> {
    loop {
        let ends: Vec<(u32, u32)> = ways.iter().map(|(_, ends)| *ends).collect();
        let components = cycles(n_vertices, &ends);
        let Some(first) = components.iter().position(Option::is_some) else { return Ok(()) };
        let inside = components.iter().zip(&ways).filter(|(component, _)| **component == components[first]);
        let inside: Vec<Way> = inside.map(|(_, (way, _))| *way).collect();
        match if is_stopped() { None } else { serve(&inside) } {
            Some(served) if !served.is_empty() => ways.retain(|(way, _)| !served.contains(way)),
            _ => return Err(inside),
        }
    }
}

/// What a term may be made of: a variable of a function, or 1.
type Quantity = (FunctionId, Option<Place>);

/// A component, and the quantities that its terms are made of.
pub(crate) struct Problem {
    pub(crate) cycle: Cycle,
    is_nested: bool,
    functions: Vec<FunctionId>,
    quantities: Vec<Quantity>,
}

impl Problem {
    /// The component with these edges, in the graph of calls or in that of a function.
    pub(crate) fn new(rules: &Rules<'_>, ways: &[Way], is_nested: bool) -> Self {
        if is_nested { Self::nested(rules, ways) } else { Self::steps(rules, ways) }
    }

    /// Adds a measure, and gives the edges that it serves.
    fn measure(&self, ways: &[Way], solver: &mut dyn Solver, found: &mut Vec<Measure>) -> Option<Vec<Way>> {
        let Found { factors, constant, served } = self.cycle.solve(solver)?;
        let term = |id: FunctionId| self.term(id, &factors, constant);
        let served: Vec<Way> = served.iter().map(|n| ways[*n]).collect();
        found.push(if self.is_nested {
            let terms = self.functions.iter().map(|id| (*id, term(*id))).collect();
            Measure::Calls { terms, edges: served.clone() }
        } else {
            let function = self.functions[0];
            let edges = served.iter().map(|(_, edge)| *edge).collect();
            Measure::Steps { function, term: term(function), edges }
        });
        Some(served)
    }

    /// The term of a function with some factors.
    pub(crate) fn term(&self, id: FunctionId, factors: &[i128], constant: i128) -> Expr {
        let own = self.quantities.iter().zip(factors).filter(|((other, _), _)| *other == id);
        let summand = |((_, place), factor): (&Quantity, &i128)| {
            (place.map_or_else(|| Expr::constant(1), Expr::read), *factor)
        };
        sum(own.map(summand), constant)
    }

    fn steps(rules: &Rules<'_>, ways: &[Way]) -> Self {
        let id = ways[0].0;
        let function = rules.subject.program.function(id);
        let edges: Vec<&Edge> = ways.iter().map(|(_, edge)| function.edge(*edge)).collect();
        let places = places(&edges);
        let arcs = ways.iter().map(|(id, edge)| {
            let Transition { query, before, after, .. } = rules.taken(*id, *edge, &places);
            Arc { query, before: numbered(before), after: numbered(after) }
        });
        let mut ideas = guarded(&edges, &places);
        ideas.extend(combinations(places.len()));
        let cycle = Cycle { n_quantities: places.len(), arcs: arcs.collect(), ideas };
        let quantities = places.iter().map(|place| (id, Some(*place))).collect();
        Self { cycle, is_nested: false, functions: vec![id], quantities }
    }

    fn nested(rules: &Rules<'_>, ways: &[Way]) -> Self {
        let mut functions: Vec<FunctionId> = ways.iter().map(|(id, _)| *id).collect();
        functions.sort_unstable();
        functions.dedup();
        let mut quantities: Vec<Quantity> = Vec::new();
        let mut begins = Vec::new();
        for id in &functions {
            let places = started(rules, *id, &functions);
            begins.push((quantities.len(), places.clone()));
            quantities.extend(places.iter().map(|place| (*id, Some(*place))).chain([(*id, None)]));
        }
        let of = |id: FunctionId| {
            let n = functions.iter().position(|other| *other == id).expect("a component is closed");
            &begins[n]
        };
        let named = |id: FunctionId, names: Vec<String>| -> Vec<(usize, String)> {
            let names = names.into_iter().chain(["1".to_owned()]);
            names.enumerate().map(|(n, name)| (of(id).0 + n, name)).collect()
        };
        let arc = |(id, edge): &Way| {
            let Action::Call { callee, .. } = rules.subject.program.function(*id).edge(*edge).action else {
                unreachable!("the edges of the graph of calls are calls")
            };
            let Transition { query, before, after, .. } =
                rules.entered(*id, *edge, &of(*id).1, &of(callee).1);
            Arc { query, before: named(*id, before), after: named(callee, after) }
        };
        let arcs = ways.iter().map(arc).collect();
        let ideas = aligned(&quantities, &functions);
        let cycle = Cycle { n_quantities: quantities.len(), arcs, ideas };
        Self { cycle, is_nested: true, functions, quantities }
    }
}

fn numbered(names: Vec<String>) -> Vec<(usize, String)> {
    names.into_iter().enumerate().collect()
}

/// What edges look at and change: first what guards do.
fn places(edges: &[&Edge]) -> Vec<Place> {
    let mut found: Vec<Place> = Vec::new();
    let mut add = |place: Place| {
        if !found.contains(&place) {
            found.push(place);
        }
    };
    for edge in edges {
        if let Action::Step(step) = &edge.action {
            step.guard.reads().for_each(&mut add);
        }
    }
    for edge in edges {
        match &edge.action {
            Action::Manage(_) => unreachable!("the program has variables only"),
            Action::Step(step) => {
                for (place, value) in &step.updates {
                    add(*place);
                    value.reads().for_each(&mut add);
                }
            }
            Action::Call { args, result, .. } => {
                result.iter().copied().for_each(&mut add);
                args.iter().flat_map(Expr::reads).for_each(&mut add);
            }
        }
    }
    found.truncate(MOST_PLACES);
    found
}

/// What the comparisons in guards bound, from either side.
fn guarded(edges: &[&Edge], places: &[Place]) -> Vec<Vec<i128>> {
    let mut ideas: Vec<Vec<i128>> = Vec::new();
    for edge in edges {
        let Action::Step(step) = &edge.action else { continue };
        for atom in atoms(&step.guard) {
            let (Atom::AtMost(sum, _) | Atom::Equal(sum, _)) = normal(&atom).atom else { continue };
            let mut idea = vec![0; places.len()];
            let is_told = sum.iter().all(|(term, factor)| {
                let known = places.iter().position(|place| *term == Expr::read(*place));
                known.is_some_and(|n| {
                    idea[n] = *factor;
                    true
                })
            });
            if is_told {
                ideas.push(idea.iter().map(|factor| -factor).collect());
                ideas.push(idea);
            }
        }
    }
    ideas
}

/// Single quantities, sums and differences of two.
fn combinations(n: usize) -> Vec<Vec<i128>> {
    let mut ideas = Vec::new();
    let mut idea = |chosen: &[(usize, i128)]| {
        let mut factors = vec![0; n];
        chosen.iter().for_each(|&(at, factor)| factors[at] = factor);
        ideas.push(factors);
    };
    for first in 0..n {
        [1, -1].iter().for_each(|&sign| idea(&[(first, sign)]));
    }
    for first in 0..n.min(MOST_PAIRED) {
        for second in first + 1..n.min(MOST_PAIRED) {
            for signs in [(1, -1), (-1, 1), (1, 1), (-1, -1)] {
                idea(&[(first, signs.0), (second, signs.1)]);
            }
        }
    }
    ideas
}

/// Where a function keeps what it was started with: its parameters, then globals that one of the functions uses.
fn started(rules: &Rules<'_>, id: FunctionId, functions: &[FunctionId]) -> Vec<Place> {
    let subject = rules.subject;
    let params = (0..subject.program.function(id).n_params as u32).map(Place::Local);
    let is_used = |n: &u32| {
        functions.iter().any(|id| subject.effects.may_read(*id, *n) || subject.effects.may_write(*id, *n))
    };
    let globals = (0..subject.program.globals.len() as u32).filter(is_used).map(Place::Global);
    let ghosts = &subject.ghosts[id.index()];
    let kept = |place: Place| {
        let ghost = ghosts.iter().find(|ghost| ghost.of == place);
        ghost.map_or(place, |ghost| Place::Local(ghost.local))
    };
    params.chain(globals).map(kept).take(MOST_PLACES).collect()
}

/// Single quantities, sums and differences of two, the same for all functions: those at the same position.
fn aligned(quantities: &[Quantity], functions: &[FunctionId]) -> Vec<Vec<i128>> {
    let of = |id: FunctionId| {
        let own =
            quantities.iter().enumerate().filter(move |(_, (other, place))| *other == id && place.is_some());
        own.map(|(n, _)| n).collect::<Vec<usize>>()
    };
    let all: Vec<Vec<usize>> = functions.iter().map(|id| of(*id)).collect();
    let n = all.iter().map(Vec::len).min().unwrap_or(0);
    let spread = |idea: Vec<i128>| {
        let mut factors = vec![0; quantities.len()];
        for own in &all {
            own.iter().zip(&idea).for_each(|(at, factor)| factors[*at] = *factor);
        }
        factors
    };
    combinations(n).into_iter().map(spread).collect()
}

/// A sum with factors.
fn sum(summands: impl Iterator<Item = (Expr, i128)>, constant: i128) -> Expr {
    let mut whole: Option<Expr> = None;
    let mut constant = constant;
    for (term, factor) in summands.filter(|(_, factor)| *factor != 0) {
        if let Some(number) = term.as_constant() {
            constant += number * factor;
            continue;
        }
        let (op, size) = (if factor < 0 { Op::Subtract } else { Op::Add }, factor.abs());
        let product = if size == 1 { term } else { Expr::constant(size).binary(Op::Multiply, term) };
        whole = Some(match whole {
            None if op == Op::Add => product,
            None => product.unary(Op::Negate),
            Some(left) => left.binary(op, product),
        });
    }
    match whole {
        None => Expr::constant(constant),
        Some(whole) if constant == 0 => whole,
        Some(whole) => whole.binary(Op::Add, Expr::constant(constant)),
    }
}

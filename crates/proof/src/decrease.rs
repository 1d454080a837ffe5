//! Whether measures show that every run ends.
//!
//! A run without end stays in some function from a moment on, all calls inside returning, or calls are nested without end. So there are two kinds of graphs: that
//! of each function, along whose edges its variables change, and that of all calls, from function to function, along which what
//! functions are started with changes. From some moment on, such a run uses only edges of one component.
//!
//! ```text
//! KEEP      in a component that has an edge of the measure, no edge makes it greater.
//! DECREASE  an edge of the measure makes it smaller, by at least 1, and it is not negative before.
//! ```
//!
//! Then no run takes an edge of the measure for ever, and these can be left out. When all measures have been looked at there is no cycle left.

use crate::check::{Checker, Reason, Refused, Rule, malformed};
use crate::claim::Measure;
use crate::rules::{Rules, Transition};
use base::{Adjacency, Components};
use integers::{Action, EdgeId, Expr, FunctionId, Op, Place, smtlib};

/// For each edge of a graph the component whose cycles it is part of; `None` if there are none.
pub fn cycles(n_vertices: usize, edges: &[(u32, u32)]) -> Vec<Option<usize>> {
    let graph = Adjacency::new(n_vertices, edges.iter().copied());
    let components =
        Components::new(n_vertices).list(0..n_vertices as u32, |vertex| graph.of(vertex), |to| Some(*to));
    let mut number = vec![0; n_vertices];
    for (n, component) in components.iter().enumerate() {
        component.iter().for_each(|vertex| number[*vertex as usize] = n);
    }
    let component = |&(from, to): &(u32, u32)| {
        let (from, to) = (number[from as usize], number[to as usize]);
        (from == to).then_some(from)
    };
    edges.iter().map(component).collect()
}

/// Measures are about functions and edges of the program, and are terms over what they may speak of.
pub(crate) fn well_formed(rules: &Rules<'_>, measures: &[Measure]) -> Result<(), Refused> {
    let program = &rules.subject.program;
    let is_function = |id: &FunctionId| id.index() < program.functions.len();
    let is_edge = |id: &FunctionId, edge: &EdgeId| edge.index() < program.function(*id).edges.len();
    let is_call = |(id, edge): &(FunctionId, EdgeId)| {
        is_function(id)
            && is_edge(id, edge)
            && matches!(program.function(*id).edge(*edge).action, Action::Call { .. })
    };
    for measure in measures {
        let is_sound = match measure {
            Measure::Steps { function, term, edges } => {
                is_function(function)
                    && is_measure(rules, *function, term)
                    && edges.iter().all(|edge| is_edge(function, edge))
            }
            Measure::Calls { terms, edges } => {
                let is_term = |(id, term): &(FunctionId, Expr)| {
                    is_function(id)
                        && is_measure(rules, *id, term)
                        && term.reads().all(|place| rules.is_kept(*id, place))
                };
                let is_once = |n: usize| terms[..n].iter().all(|(id, _)| *id != terms[n].0);
                terms.iter().all(is_term) && (0..terms.len()).all(is_once) && edges.iter().all(is_call)
            }
        };
        if !is_sound {
            return Err(malformed(program.main, "a measure is none of this program".to_owned()));
        }
    }
    Ok(())
}

/// A term that is defined everywhere, over variables of the function.
fn is_measure(rules: &Rules<'_>, id: FunctionId, term: &Expr) -> bool {
    let program = &rules.subject.program;
    let is_there = |op: &Op| match *op {
        Op::Read(Place::Global(n)) => (n as usize) < program.globals.len(),
        Op::Read(Place::Local(n)) => (n as usize) < program.function(id).locals.len(),
        Op::Input(_) | Op::Unknown(_) => false,
        _ => true,
    };
    !term.is_formula() && term.is_total() && term.code().iter().all(is_there)
}

/// An edge of one of the graphs.
type Way = (FunctionId, EdgeId);

/// What is left of a graph.
struct Graph {
    n_vertices: usize,
    ways: Vec<Way>,
    ends: Vec<(u32, u32)>,
}

impl Graph {
    /// The ways of the components in which there are some of these, with whether they are.
    fn around(&self, served: &[Way]) -> Vec<(Way, bool)> {
        let components = cycles(self.n_vertices, &self.ends);
        let all = || self.ways.iter().zip(&components);
        let is_met = |component: &Option<usize>| {
            component.is_some() && all().any(|(way, other)| served.contains(way) && other == component)
        };
        all().filter(|(_, other)| is_met(other)).map(|(way, _)| (*way, served.contains(way))).collect()
    }

    fn remove(&mut self, served: &[Way]) {
        let mut is_left = self.ways.iter().map(|way| !served.contains(way)).collect::<Vec<_>>().into_iter();
        let mut again = is_left.clone();
        self.ways.retain(|_| is_left.next().expect("each way is looked at"));
        self.ends.retain(|_| again.next().expect("each way is looked at"));
    }

    /// A way that is part of a cycle.
    fn cycle(&self) -> Option<Way> {
        let components = cycles(self.n_vertices, &self.ends);
        let found = components.iter().position(Option::is_some);
        found.map(|n| self.ways[n])
    }
}

impl Checker<'_> {
    /// KEEP and DECREASE for all measures, and that no cycle is left.
    pub(crate) fn decreases(&mut self, measures: &[Measure]) -> Result<(), Refused> {
        let ids = || (0..self.program.functions.len()).map(FunctionId::new);
        let mut functions: Vec<Graph> = ids().map(|id| self.steps(id)).collect();
        let mut calls = self.calls();
        for measure in measures {
            match measure {
                Measure::Steps { function, term, edges } => {
                    let graph = &mut functions[function.index()];
                    let served: Vec<Way> = edges.iter().map(|edge| (*function, *edge)).collect();
                    for (way, is_served) in graph.around(&served) {
                        self.step_measured(way, term, is_served)?;
                    }
                    graph.remove(&served);
                }
                Measure::Calls { terms, edges } => {
                    for (way, is_served) in calls.around(edges) {
                        self.call_measured(way, terms, is_served)?;
                    }
                    calls.remove(edges);
                }
            }
        }
        let stays = functions.iter().find_map(Graph::cycle).map(|way| (way, Rule::Measure(way.1)));
        let nests = calls.cycle().map(|way| (way, Rule::Nested(way.1)));
        match stays.or(nests) {
            None => Ok(()),
            Some(((function, edge), rule)) => {
                let node = self.program.function(function).edge(edge).from;
                Err(Refused { function, node, rule, reason: Reason::Cycle })
            }
        }
    }

    /// The edges of a function on which a run may be.
    fn steps(&self, id: FunctionId) -> Graph {
        let function = self.program.function(id);
        let (ways, ends) = function
            .edges
            .iter()
            .enumerate()
            .filter(|(_, edge)| self.claim.at(id, edge.from).as_truth() != Some(false))
            .map(|(n, edge)| ((id, EdgeId::new(n)), (edge.from.0, edge.to.0)))
            .unzip();
        Graph { n_vertices: function.nodes.len(), ways, ends }
    }

    /// The calls that a run may make.
    fn calls(&self) -> Graph {
        let mut graph =
            Graph { n_vertices: self.program.functions.len(), ways: Vec::new(), ends: Vec::new() };
        for (f, function) in self.program.functions.iter().enumerate() {
            let id = FunctionId::new(f);
            for (n, edge) in function.edges.iter().enumerate() {
                if let Action::Call { callee, .. } = edge.action
                    && self.claim.at(id, edge.from).as_truth() != Some(false)
                {
                    graph.ways.push((id, EdgeId::new(n)));
                    graph.ends.push((id.0, callee.0));
                }
            }
        }
        graph
    }

    fn step_measured(&mut self, (id, edge): Way, term: &Expr, is_served: bool) -> Result<(), Refused> {
        let places: Vec<Place> = term.reads().collect();
        let transition = self.rules.taken(id, edge, &places);
        let before = named(term, &places, &transition.before);
        let after = named(term, &places, &transition.after);
        self.measured((id, edge), Rule::Measure(edge), transition, (&before, &after), is_served)
    }

    fn call_measured(
        &mut self,
        (id, edge): Way,
        terms: &[(FunctionId, Expr)],
        is_served: bool,
    ) -> Result<(), Refused> {
        let Action::Call { callee, .. } = self.program.function(id).edge(edge).action else {
            unreachable!("the edges of the graph of calls are calls")
        };
        let of = |id: FunctionId| terms.iter().find(|(other, _)| *other == id).map(|(_, term)| term);
        let (Some(own), Some(theirs)) = (of(id), of(callee)) else {
            let how = "a measure of calls has no term for a function that it needs one for".to_owned();
            return Err(malformed(id, how));
        };
        let (here, there): (Vec<Place>, Vec<Place>) = (own.reads().collect(), theirs.reads().collect());
        let transition = self.rules.entered(id, edge, &here, &there);
        let before = named(own, &here, &transition.before);
        let after = named(theirs, &there, &transition.after);
        self.measured((id, edge), Rule::Nested(edge), transition, (&before, &after), is_served)
    }

    fn measured(
        &mut self,
        (id, edge): Way,
        rule: Rule,
        transition: Transition,
        (before, after): (&str, &str),
        is_served: bool,
    ) -> Result<(), Refused> {
        let Transition { mut query, meanings, .. } = transition;
        query.asserts.push(match is_served {
            true => format!("(or (>= {after} {before}) (< {before} 0))"),
            false => format!("(> {after} {before})"),
        });
        let node = self.program.function(id).edge(edge).from;
        self.confirm((id, node, rule), query, &meanings)
    }
}

/// A term, whose variables have names.
fn named(term: &Expr, places: &[Place], names: &[String]) -> String {
    let leaf = |op: Op| match op {
        Op::Read(place) => {
            let n = places.iter().position(|other| *other == place).expect("it reads what it reads");
            names[n].clone()
        }
        _ => unreachable!("{op:?} has a translation of its own"),
    };
    smtlib::text(term, leaf).text
}

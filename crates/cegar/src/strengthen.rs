//! What would have to hold so that a term decreases, proved by the solver's engine for clauses.
//!
//! A term that may do is chosen, and the program is given targets: wherever an edge of the component is taken and the term does not do what it should. A proof that they are
//! not reached says what holds where; that is what was wanting.

use crate::prover::{Prover, share};
use crate::ranking::{Open, Problem, Way};
use crate::synthesis::{LOWEST, Wanting};
use integers::ghosts::Ghosted;
use integers::{
    Action, Edge, Expr, FunctionId, Node, NodeId, Op, Place, Relation, Role, Step, Target, TargetId,
    TargetKind,
};
use proof::{Rules, Statement};
use refine::invariants::{Found, Search};
use smt::Manner;

/// So many terms are tried for a component.
const MOST_TERMS: usize = 8;

/// Formulas for all nodes, together with which there is more to be found for a component.
pub(crate) fn strengthened(
    rules: &Rules<'_>,
    open: &Open,
    effort: u64,
    prover: &mut Prover,
) -> Option<Vec<Vec<Expr>>> {
    let problem = Problem::new(rules, &open.ways, open.is_nested);
    let mut plans: Vec<(usize, Vec<(Way, Expr)>)> = Vec::new();
    for lowest in [0, -LOWEST] {
        for idea in &problem.cycle.ideas {
            let Some(wanting) = problem.cycle.wanting(idea, lowest, &mut prover.quick) else { continue };
            let n_wanting = wanting.iter().flatten().count();
            let obligations =
                open.ways.iter().zip(&wanting).filter_map(|(way, wanting)| Some((*way, (*wanting)?)));
            let bad = |(way, wanting): (Way, Wanting)| {
                let (before, after) = terms(rules, &problem, open.is_nested, way, idea)?;
                Some((way, bad(before, after, wanting, lowest)))
            };
            if let Some(plan) = obligations.map(bad).collect::<Option<Vec<_>>>()
                && !plan.is_empty()
                && plans.iter().all(|(_, other)| *other != plan)
            {
                plans.push((n_wanting, plan));
            }
        }
    }
    // Those of which least is wanting come first.
    plans.sort_by_key(|(n_wanting, _)| *n_wanting);
    for (_, plan) in plans.into_iter().take(MOST_TERMS) {
        if prover.limits.stop.requested().is_some() {
            return None;
        }
        if let Some(formulas) = proved(rules, &plan, effort, prover) {
            return Some(formulas);
        }
    }
    None
}

/// The term before and after an edge, over what its source knows; `None` if that is not known before.
fn terms(
    rules: &Rules<'_>,
    problem: &Problem,
    is_nested: bool,
    (id, edge): Way,
    idea: &[i128],
) -> Option<(Expr, Expr)> {
    let before = problem.term(id, idea, 0);
    match &rules.subject.program.function(id).edge(edge).action {
        Action::Manage(_) => unreachable!("the program has variables only"),
        Action::Step(step) => {
            let after = before.substitute(|op| match op {
                Op::Read(place) => {
                    let stored = step.updates.iter().find(|(other, _)| *other == place);
                    stored.map(|(_, value)| value.clone())
                }
                _ => None,
            });
            Some((before, after))
        }
        Action::Call { callee, args, .. } if is_nested => {
            let after = rules.subject.entered(*callee, args, &problem.term(*callee, idea, 0));
            Some((before, after))
        }
        Action::Call { callee, result, .. } => {
            let is_changed = |place: Place| match place {
                _ if Some(place) == *result => true,
                Place::Global(n) => rules.subject.effects.may_write(*callee, n),
                Place::Local(_) => false,
            };
            let is_same = !before.reads().any(is_changed);
            is_same.then(|| (before.clone(), before))
        }
    }
}

fn bad(before: Expr, after: Expr, wanting: Wanting, lowest: i128) -> Expr {
    match wanting {
        Wanting::Keep => after.compare(Relation::Greater, before),
        Wanting::Decrease => {
            let low = before.clone().compare(Relation::Less, Expr::constant(lowest));
            after.compare(Relation::GreaterEqual, before).binary(Op::Or, low)
        }
    }
}

/// What holds where, such that nothing bad happens.
fn proved(
    rules: &Rules<'_>,
    plan: &[(Way, Expr)],
    effort: u64,
    prover: &mut Prover,
) -> Option<Vec<Vec<Expr>>> {
    let watched = watched(rules.subject, plan);
    let start = |global| {
        let manner = Manner { global, effort, ..share(prover.limits).of_horn() };
        Search::about(&prover.path, watched.clone(), Statement::Unreachable, manner)
    };
    let mut searches = [true, false].map(start);
    for search in &mut searches {
        if let Found::Claim(claim) = search.wait(&prover.limits.stop) {
            let mut formulas = claim.formulas;
            for (new, old) in formulas.iter_mut().zip(rules.formulas) {
                new.truncate(old.len());
                for (new, old) in new.iter_mut().zip(old) {
                    *new = if new == old { old.clone() } else { old.clone().and(new.clone()) };
                }
            }
            return Some(formulas);
        }
    }
    None
}

/// The program with targets where something bad happens on an edge. Nodes keep their numbers; new ones come behind.
fn watched(subject: &Ghosted, plan: &[(Way, Expr)]) -> Ghosted {
    let mut watched = subject.clone();
    let program = &mut watched.program;
    let mut added: Vec<(FunctionId, Edge)> = Vec::new();
    for ((id, edge), bad) in plan {
        let function = &mut program.functions[id.index()];
        let Edge { from, action, span, .. } = function.edges[edge.index()].clone();
        let target = TargetId::new(program.targets.len());
        let name = function.name.clone();
        program.targets.push(Target {
            kind: TargetKind::Label,
            name: "bad".to_owned(),
            function: name,
            span,
        });
        let mut node = |role| {
            function.nodes.push(Node { role, span });
            NodeId::new(function.nodes.len() - 1)
        };
        let to = node(Role::Target(target));
        let step = match &action {
            Action::Manage(_) => unreachable!("the program has variables only"),
            Action::Step(step) => Step {
                guard: step.guard.clone().and(bad.clone()),
                updates: Vec::new(),
                stores: Vec::new(),
                inputs: step.inputs.clone(),
                unknowns: step.unknowns.clone(),
            },
            Action::Call { .. } => {
                // A call keeps its point for itself.
                let before = node(Role::Plain);
                function.edges[edge.index()].from = before;
                let goes_on = Action::Step(Step::new(bad.clone().not(), Vec::new()));
                added.push((*id, Edge { from, to: before, action: goes_on, span }));
                Step::new(bad.clone(), Vec::new())
            }
        };
        added.push((*id, Edge { from, to, action: Action::Step(step), span }));
    }
    for (id, edge) in added {
        program.functions[id.index()].edges.push(edge);
    }
    program.functions.iter_mut().for_each(integers::Function::sort_edges);
    watched
}

//! Local objects that somebody keeps a pointer to, and whether they are there: a variable for each.

use super::bases::behind;
use crate::expr::{Expr, Op};
use crate::memory::{Lifetime, Manage, ObjectId};
use crate::number::Type;
use crate::program::{Action, Edge, Global, Place, Program, Start, Step, Variable};

/// For each object the variable that is 1 while it is there; none, if it is there whenever it can be named.
pub(super) type There = Vec<Option<Place>>;

/// Adds the variables.
pub(super) fn told(program: &mut Program) -> There {
    let kept = kept(program);
    let mut there: There = vec![None; program.memory.objects.len()];
    for object in kept {
        let Lifetime::Local(owner) = program.memory.objects[object.index()].lifetime else { continue };
        // Nothing of `main` ends before the run, but for what blocks end.
        if owner == program.main && !has_end(program, object) {
            continue;
        }
        let place = Place::Global(program.globals.len() as u32);
        there[object.index()] = Some(place);
        let span = program.memory.objects[object.index()].span;
        let name = format!("{}$there", program.memory.objects[object.index()].name);
        let variable = Variable { name, ty: Type::unsigned(1), span };
        program.globals.push(Global { variable, start: Start::Number(0) });
        for (n, function) in program.functions.iter_mut().enumerate() {
            let is_owner = n == owner.index();
            for at in 0..function.edges.len() {
                let is = match &function.edges[at].action {
                    Action::Manage(Manage::Begin(begun)) if *begun == object => 1,
                    Action::Manage(Manage::End(ended)) if *ended == object => 0,
                    _ if is_owner && function.edges[at].to == function.exit => 0,
                    _ => continue,
                };
                let update = vec![(place, Expr::constant(is))];
                behind(function, at, Step::new(Expr::truth(true), update));
            }
            function.sort_edges();
        }
    }
    there
}

/// Whether the object may end while its function goes on.
fn has_end(program: &Program, object: ObjectId) -> bool {
    let mut edges = program.functions.iter().flat_map(|function| &function.edges);
    edges.any(|edge: &Edge| matches!(edge.action, Action::Manage(Manage::End(id)) if id == object))
}

/// The objects whose addresses are used for anything but to follow them at once. Sorted.
fn kept(program: &Program) -> Vec<ObjectId> {
    let mut kept: Vec<ObjectId> = Vec::new();
    for edge in program.functions.iter().flat_map(|function| &function.edges) {
        match &edge.action {
            Action::Step(step) => {
                kept.extend(flows(&step.guard));
                step.updates.iter().for_each(|(_, value)| kept.extend(flows(value)));
                step.stores.iter().for_each(|(.., value)| kept.extend(flows(value)));
            }
            Action::Call { args, .. } => args.iter().for_each(|arg| kept.extend(flows(arg))),
            Action::Manage(manage) => manage.exprs().into_iter().for_each(|expr| kept.extend(flows(expr))),
        }
    }
    kept.sort_unstable();
    kept.dedup();
    kept
}

/// The objects whose addresses an expression may be.
fn flows(expr: &Expr) -> Vec<ObjectId> {
    expr.fold(|op, operands: Vec<Vec<ObjectId>>| match op {
        Op::Object(object) => vec![object],
        Op::Load(_) => Vec::new(),
        _ => operands.concat(),
    })
}

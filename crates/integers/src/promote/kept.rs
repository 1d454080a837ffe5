//! Whether a pointer to an object may be left when the object has ended.

use crate::expr::{Expr, Op};
use crate::memory::{Content, Manage, ObjectId, RegionId};
use crate::number::Type;
use crate::program::{Action, Program};

/// Whether a pointer to the object is put anywhere but into local variables and parameters, or the object ends before its function does and a pointer to it is put anywhere at all.
pub(super) fn is_kept(program: &Program, object: ObjectId) -> bool {
    let edges = || program.functions.iter().flat_map(|function| &function.edges);
    let ends = edges().any(|edge| matches!(edge.action, Action::Manage(Manage::End(id)) if id == object));
    let is_passed = edges().any(|edge| match &edge.action {
        Action::Step(step) => {
            let updates = step.updates.iter().map(|(_, value)| value);
            updates.chain(step.stores.iter().map(|(.., value)| value)).any(|value| is_value(value, object))
        }
        Action::Call { args, .. } => args.iter().any(|arg| is_value(arg, object)),
        Action::Manage(_) => false,
    });
    if !is_passed {
        return false;
    }
    ends || is_pointed_to(program, object)
}

/// Whether the address of the object is part of a value.
fn is_value(expr: &Expr, object: ObjectId) -> bool {
    expr.fold(|op, operands: Vec<bool>| match op {
        Op::Object(id) => id == object,
        Op::Load(_) | Op::Compare(_) | Op::Difference => false,
        _ => operands.contains(&true),
    })
}

/// Whether there are global variables, results or cells that a pointer to it may be in.
fn is_pointed_to(program: &Program, object: ObjectId) -> bool {
    let in_globals = program.globals.iter().any(|global| global.variable.ty == Type::POINTER);
    let in_results = program.functions.iter().any(|function| {
        function.result.is_some_and(|local| function.locals[local as usize].ty == Type::POINTER)
    });
    let memory = &program.memory;
    let own = &memory.classes[memory.objects[object.index()].class.index()].fields;
    let is_own = |region: RegionId| own.iter().any(|field| field.region == region);
    let in_cells = memory.regions.iter().any(|region| match region.content {
        Content::Pointer(class) => {
            memory.classes[class.index()].fields.iter().any(|field| is_own(field.region))
        }
        _ => false,
    });
    in_globals || in_results || in_cells
}

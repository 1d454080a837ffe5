//! Few cells as variables, beside memory that stays what it is: for proofs about programs of which not all cells are known beforehand.
//!
//! Contract: the same runs among those that misuse no memory. A region becomes variables if all its cells belong to static objects and there are few of them; the others stay regions, and pointers stay
//! what they are. A load of a region with one cell is that cell.

use super::address::Address;
use super::cells::{Cell, Cells};
use super::{is_ended, kept};
use crate::expr::{Expr, Op};
use crate::memory::{Initial, Manage, ObjectId, RegionId, WILD};
use crate::program::{
    Action, Edge, Function, Global, Input, InputId, InputKind, Node, NodeId, Place, Program, Role, Start,
    Step, Variable,
};

/// The most cells of a region that become variables.
const MOST: u64 = 8;

/// The most cells of all regions together.
const MOST_LISTED: usize = 256;

/// The program in which regions with few cells are variables.
pub(crate) fn promote_partly(program: &Program) -> Program {
    let cells = chosen(program);
    if cells.is_empty() {
        return program.clone();
    }
    let mut result = program.clone();
    let places = cells.iter().map(|cell| variable(program, cell, &mut result)).collect();
    let promotion = Partly { program, cells, places };
    for (n, function) in program.functions.iter().enumerate() {
        for (at, edge) in function.edges.iter().enumerate() {
            let changed = &mut result.functions[n];
            match &edge.action {
                Action::Step(step) => changed.edges[at].action = Action::Step(promotion.step(step)),
                Action::Call { callee, args, result } => {
                    let args = args.iter().map(|arg| promotion.value(arg)).collect();
                    changed.edges[at].action = Action::Call { callee: *callee, args, result: *result };
                }
                Action::Manage(manage) => {
                    let mut managed = manage.clone();
                    managed.exprs_mut().into_iter().for_each(|expr| *expr = promotion.value(expr));
                    changed.edges[at].action = Action::Manage(managed);
                    if let Manage::Begin(object) = manage {
                        let step = promotion.begin(*object, &mut result.inputs);
                        before(&mut result.functions[n], at, step);
                    }
                }
            }
        }
        result.functions[n].sort_edges();
    }
    result
}

/// The cells that become variables.
fn chosen(program: &Program) -> Vec<Cell> {
    let memory = &program.memory;
    let mut is_open = vec![false; memory.regions.len()];
    let mut close = |class: crate::memory::ClassId| {
        memory.classes[class.index()].fields.iter().for_each(|field| is_open[field.region.index()] = true);
    };
    for edge in program.functions.iter().flat_map(|function| &function.edges) {
        if let Action::Manage(
            Manage::Allocate { class, .. }
            | Manage::Reallocate { class, .. }
            | Manage::Fill { class, .. }
            | Manage::Copy { class, .. },
        ) = &edge.action
        {
            close(*class);
        }
    }
    for (n, object) in memory.objects.iter().enumerate() {
        let id = ObjectId::new(n);
        if object.is_constant || is_ended(program, id) && kept::is_kept(program, id) {
            close(object.class);
        }
    }
    let mut count = vec![0u64; memory.regions.len()];
    for object in &memory.objects {
        for field in &memory.classes[object.class.index()].fields {
            let count = &mut count[field.region.index()];
            *count = count.saturating_add(object.count.saturating_mul(field.n_cells()));
        }
    }
    let is_small = |region: RegionId| !is_open[region.index()] && count[region.index()] <= MOST;
    Cells::listed(program, MOST_LISTED, &is_small).unwrap_or_default()
}

/// The variable of a cell.
fn variable(program: &Program, cell: &Cell, result: &mut Program) -> Place {
    let object = &program.memory.objects[cell.object.index()];
    let name = match object.lifetime {
        crate::memory::Lifetime::Local(function) => {
            format!("{}.{}", program.function(function).name, cell.name)
        }
        crate::memory::Lifetime::Static => cell.name.clone(),
    };
    let ty = program.memory.regions[cell.region.index()].content.ty();
    let at_first = object.cells.iter().find(|(region, at, _)| (*region, *at) == (cell.region, cell.offset));
    let start = match at_first {
        Some((.., Initial::Number(number))) => Start::Number(*number),
        Some((.., Initial::Pointer(to, offset))) => Start::Pointer(*to, *offset),
        None => Start::Number(0),
    };
    result.globals.push(Global { variable: Variable { name, ty, span: object.span }, start });
    Place::Global(result.globals.len() as u32 - 1)
}

struct Partly<'a> {
    program: &'a Program,
    cells: Vec<Cell>,
    places: Vec<Place>,
}

impl Partly<'_> {
    fn step(&self, step: &Step) -> Step {
        let mut updates: Vec<(Place, Expr)> =
            step.updates.iter().map(|(place, value)| (*place, self.value(value))).collect();
        let mut stores = Vec::new();
        for (region, pointer, value) in &step.stores {
            let value = self.value(value);
            if !self.is_chosen(*region) {
                stores.push((*region, self.value(pointer), value));
                continue;
            }
            let targets = self.targets(*region, pointer);
            let is_only = targets.len() == 1;
            for (place, condition) in targets {
                let at = updates.iter().position(|(other, _)| *other == place);
                let old = at.map_or_else(|| Expr::read(place), |at| updates[at].1.clone());
                let new = if is_only { value.clone() } else { Expr::choose(condition, value.clone(), old) };
                match at {
                    Some(at) => updates[at].1 = new,
                    None => updates.push((place, new)),
                }
            }
        }
        updates.sort_by_key(|(place, _)| *place);
        Step { guard: self.value(&step.guard), updates, stores, ..step.clone() }
    }

    fn is_chosen(&self, region: RegionId) -> bool {
        self.cells.iter().any(|cell| cell.region == region)
    }

    /// An expression without loads from what is variables.
    fn value(&self, expr: &Expr) -> Expr {
        let is_plain = |op: &Op| !matches!(op, Op::Load(region) if self.is_chosen(*region));
        if expr.code().iter().all(is_plain) {
            return expr.clone();
        }
        let operands = expr.operands();
        match (expr.root(), &operands[..]) {
            (Op::Load(region), [pointer]) if self.is_chosen(region) => {
                let mut targets = self.targets(region, pointer).into_iter().rev();
                // Elsewhere the pointer is not, since memory is not misused.
                let last = targets.next().map(|(place, _)| Expr::read(place));
                let last = last.unwrap_or_else(|| Expr::constant(0));
                targets.fold(last, |otherwise, (place, condition)| {
                    Expr::choose(condition, Expr::read(place), otherwise)
                })
            }
            (op, operands) => {
                let operands: Vec<Expr> = operands.iter().map(|operand| self.value(operand)).collect();
                Expr::of(op, &operands)
            }
        }
    }

    /// The variables that a pointer may point to, each with the condition under which it does.
    fn targets(&self, region: RegionId, pointer: &Expr) -> Vec<(Place, Expr)> {
        let address = Address::of(pointer, &|expr| Some(self.value(expr))).expect("every part has a value");
        let known = address.known().map(|(object, _)| object);
        let is_meant =
            |cell: &Cell| cell.region == region && known.is_none_or(|object| object == cell.object);
        let targets = self.cells.iter().zip(&self.places).filter(|(cell, _)| is_meant(cell));
        let targets = targets
            .map(|(cell, place)| (*place, address.is_cell(cell.object, cell.element, cell.rest, cell.scale)));
        targets.filter(|(_, condition)| condition.as_truth() != Some(false)).collect()
    }

    /// The cells of an object hold anything, since it begins.
    fn begin(&self, object: ObjectId, inputs: &mut Vec<Input>) -> Step {
        let mut step = Step::new(Expr::truth(true), Vec::new());
        for (cell, place) in self.cells.iter().zip(&self.places).filter(|(cell, _)| cell.object == object) {
            let value = match self.program.memory.regions[cell.region.index()].uninitialised {
                Some(input) => {
                    let Input { ty, span, .. } = *self.program.input(input);
                    let kind = InputKind::Uninitialised;
                    inputs.push(Input { name: cell.name.clone(), ty, kind, span });
                    step.inputs.push(InputId::new(inputs.len() - 1));
                    Expr::leaf(Op::Input(step.inputs.len() as u32 - 1))
                }
                None => Expr::constant(WILD),
            };
            step.updates.push((*place, value));
        }
        step
    }
}

/// A step before an edge that is the only one of its node.
fn before(function: &mut Function, at: usize, step: Step) {
    if step.updates.is_empty() {
        return;
    }
    let Edge { from, span, .. } = function.edges[at];
    let middle = NodeId::new(function.nodes.len());
    function.nodes.push(Node { role: Role::Plain, span });
    function.edges[at].from = middle;
    function.edges.push(Edge { from, to: middle, action: Action::Step(step), span });
}

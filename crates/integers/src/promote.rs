//! Memory as variables: a program whose few cells are all known beforehand, as one that has variables only.
//!
//! Contract: the same runs, node by node and edge by edge but for what is allocated, errors included: what is a [`Misuse`] in the one is one in the other. Each cell of a static object becomes a variable; a pointer stays the
//! number that it is, and what it points to is chosen by comparing it with the cells. What cannot be done exactly is not done: then there is no such program.

mod address;
mod cells;
mod kept;
mod once;
mod partly;

use crate::expr::{Expr, Op};
use crate::memory::{self, Initial, Lifetime, Manage, Memory, Misuse, ObjectId, RegionId, WILD};
use crate::program::{
    Action, FunctionId, Global, Input, InputId, InputKind, Place, Program, Start, Step, Variable,
};
use address::Address;
use cells::{Cell, Cells};
pub(crate) use once::once;
pub(crate) use partly::promote_partly;

/// The most cells that a pointer may have to be compared with.
const MOST: usize = 8;

/// The most cells of one object that an index may have to be compared with.
const MOST_INDEXED: usize = 16;

/// The program with variables only, if there is one. Objects of which a pointer may be left when they have ended stay objects.
pub fn promote(program: &Program) -> Option<Program> {
    let program = once(program);
    let cells = Cells::of(&program)?;
    let is_left = |object| is_ended(&program, object) && kept::is_kept(&program, object);
    if cells.objects().any(is_left) {
        return None;
    }
    let mut promotion = Promotion { places: Vec::new(), program: program.clone(), cells };
    promotion.variables();
    for id in (0..program.functions.len()).map(FunctionId::new) {
        let edges = &program.function(id).edges;
        for (n, edge) in edges.iter().enumerate() {
            let action = promotion.action(&edge.action)?;
            promotion.program.functions[id.index()].edges[n].action = action;
        }
    }
    promotion.program.memory = Memory::default();
    Some(promotion.program)
}

/// Whether an object may end before the run does.
fn is_ended(program: &Program, object: ObjectId) -> bool {
    let Lifetime::Local(function) = program.memory.objects[object.index()].lifetime else { return false };
    let edges = program.functions.iter().flat_map(|function| &function.edges);
    let mut ends =
        edges.filter(|edge| matches!(edge.action, Action::Manage(Manage::End(id)) if id == object));
    function != program.main || ends.next().is_some()
}

struct Promotion {
    program: Program,
    cells: Cells,
    /// The variable of each cell.
    places: Vec<Place>,
}

/// What a step stores in the variables of cells, so far.
type Stored = Vec<(Place, Expr)>;

impl Promotion {
    /// Makes a variable of each cell.
    fn variables(&mut self) {
        for n in 0..self.cells.all.len() {
            let cell = self.cells.all[n].clone();
            let memory = &self.program.memory;
            let (object, region) =
                (&memory.objects[cell.object.index()], &memory.regions[cell.region.index()]);
            let ty = region.content.ty();
            let name = match (self.cells.owner(cell.object), object.lifetime) {
                (None, Lifetime::Local(function)) => {
                    format!("{}.{}", self.program.function(function).name, cell.name)
                }
                _ => cell.name.clone(),
            };
            let variable = Variable { name, ty, span: object.span };
            let found =
                object.cells.iter().find(|(other, at, _)| (*other, *at) == (cell.region, cell.offset));
            let start = match found {
                Some((.., Initial::Number(number))) => Start::Number(*number),
                Some((.., Initial::Pointer(to, offset))) => {
                    Start::Number(memory::first(*to) + i128::from(*offset))
                }
                None => Start::Number(0),
            };
            let place = match self.cells.owner(cell.object) {
                Some(function) => {
                    let locals = &mut self.program.functions[function.index()].locals;
                    locals.push(variable);
                    Place::Local(locals.len() as u32 - 1)
                }
                None => {
                    self.program.globals.push(Global { variable, start });
                    Place::Global(self.program.globals.len() as u32 - 1)
                }
            };
            self.places.push(place);
        }
        for global in &mut self.program.globals {
            if let Some(number) = global.start.number() {
                global.start = Start::Number(number);
            }
        }
    }

    fn action(&mut self, action: &Action) -> Option<Action> {
        Some(match action {
            Action::Step(step) => Action::Step(self.step(step)?),
            Action::Call { callee, args, result } => {
                let args = args.iter().map(|arg| self.value(arg)).collect::<Option<_>>()?;
                Action::Call { callee: *callee, args, result: *result }
            }
            Action::Manage(manage) => Action::Step(self.manage(manage)?),
        })
    }

    fn step(&mut self, step: &Step) -> Option<Step> {
        let guard = self.value(&step.guard)?;
        let mut updates: Stored = step
            .updates
            .iter()
            .map(|(place, value)| Some((*place, self.value(value)?)))
            .collect::<Option<_>>()?;
        for (region, pointer, value) in &step.stores {
            let value = self.value(value)?;
            let pointer = self.address(pointer)?;
            self.store(&mut updates, *region, &pointer, &value)?;
        }
        Some(Step { guard, updates, stores: Vec::new(), ..step.clone() })
    }

    fn address(&self, pointer: &Expr) -> Option<Address> {
        Address::of(pointer, &|expr| self.value(expr))
    }

    /// An expression over variables only.
    fn value(&self, expr: &Expr) -> Option<Expr> {
        let is_plain = |op: &Op| {
            !matches!(op, Op::Load(_) | Op::Object(_) | Op::Member(..) | Op::Initialised | Op::Difference)
        };
        if expr.code().iter().all(is_plain) {
            return Some(expr.clone());
        }
        let operands = expr.operands();
        match (expr.root(), &operands[..]) {
            (Op::Object(object), _) => Some(Expr::constant(memory::first(object))),
            (Op::Load(region), [pointer]) => self.load(region, &self.address(pointer)?),
            (Op::Member(..), _) => self.address(expr)?.number(),
            (Op::Initialised, [pointer]) => {
                let pointer = self.value(pointer)?;
                let is_wild = pointer.clone().compare(crate::Relation::Equal, Expr::constant(WILD));
                Some(Expr::choose(is_wild, misuse(Misuse::Uninitialised), pointer))
            }
            (Op::Difference, [left, right]) => self.difference(left, right),
            (op, operands) => {
                let operands: Vec<Expr> =
                    operands.iter().map(|operand| self.value(operand)).collect::<Option<_>>()?;
                Some(Expr::of(op, &operands))
            }
        }
    }

    fn difference(&self, left: &Expr, right: &Expr) -> Option<Expr> {
        let (one, two) = (self.address(left)?, self.address(right)?);
        if let (Some((one, left)), Some((two, right))) = (one.known(), two.known()) {
            let difference = left.binary(Op::Subtract, right);
            return Some(if one == two { difference } else { misuse(Misuse::Unrelated) });
        }
        let difference = one.number()?.binary(Op::Subtract, two.number()?);
        let bound = |relation, number| difference.clone().compare(relation, Expr::constant(number));
        let is_near =
            bound(crate::Relation::GreaterEqual, -(1 << 63)).and(bound(crate::Relation::Less, 1 << 63));
        Some(Expr::choose(is_near, difference, misuse(Misuse::Unrelated)))
    }

    /// The cells of a region that a pointer may point to, each with the condition under which it does.
    fn targets(&self, region: RegionId, pointer: &Address) -> Option<Vec<(usize, Expr)>> {
        let known = pointer.known();
        let mut targets = Vec::new();
        for (n, cell) in self.cells.all.iter().enumerate() {
            if cell.region != region || known.as_ref().is_some_and(|(object, _)| *object != cell.object) {
                continue;
            }
            let condition = pointer.is_at(cell.object, cell.offset);
            if condition.as_truth() != Some(false) {
                targets.push((n, condition));
            }
        }
        let most = if known.is_some() { MOST_INDEXED } else { MOST };
        (targets.len() <= most).then_some(targets)
    }

    fn load(&self, region: RegionId, pointer: &Address) -> Option<Expr> {
        let targets = self.targets(region, pointer)?;
        let otherwise = wrong(pointer)?;
        let choices = targets.into_iter().rev();
        Some(choices.fold(otherwise, |otherwise, (n, condition)| {
            Expr::choose(condition, Expr::read(self.places[n]), otherwise)
        }))
    }

    fn store(&self, updates: &mut Stored, region: RegionId, pointer: &Address, value: &Expr) -> Option<()> {
        let targets = self.targets(region, pointer)?;
        let is_constant =
            |n: usize| self.program.memory.objects[self.cells.all[n].object.index()].is_constant;
        // What is wrong is so for the first of them, if there is any.
        let mut otherwise = wrong(pointer)?;
        for (_, condition) in targets.iter().rev().filter(|(n, _)| is_constant(*n)) {
            otherwise = Expr::choose(condition.clone(), misuse(Misuse::Constant), otherwise);
        }
        let targets: Vec<_> = targets.into_iter().filter(|(n, _)| !is_constant(*n)).collect();
        let Some(((first, condition), others)) = targets.split_first() else {
            // Nothing can be stored there; some variable has no value then.
            let place = self.places.first().copied()?;
            updates.push((place, otherwise));
            return Some(());
        };
        for (n, condition) in others {
            let old = self.old(updates, *n);
            self.set(updates, *n, Expr::choose(condition.clone(), value.clone(), old));
        }
        let old = self.old(updates, *first);
        let elsewhere = others.iter().map(|(_, condition)| condition.clone());
        let elsewhere = elsewhere.reduce(|one, other| one.binary(Op::Or, other));
        let otherwise = match elsewhere {
            Some(elsewhere) => Expr::choose(elsewhere, old, otherwise),
            None => otherwise,
        };
        self.set(updates, *first, Expr::choose(condition.clone(), value.clone(), otherwise));
        Some(())
    }

    /// What a cell holds, with what the step has stored so far.
    fn old(&self, updates: &Stored, cell: usize) -> Expr {
        let place = self.places[cell];
        let stored = updates.iter().find(|(other, _)| *other == place);
        stored.map_or_else(|| Expr::read(place), |(_, value)| value.clone())
    }

    fn set(&self, updates: &mut Stored, cell: usize, value: Expr) {
        let place = self.places[cell];
        updates.retain(|(other, _)| *other != place);
        updates.push((place, value));
    }

    fn manage(&mut self, manage: &Manage) -> Option<Step> {
        let mut step = Step::new(Expr::truth(true), Vec::new());
        match manage {
            Manage::Begin(object) => self.begin(*object, &mut step),
            Manage::End(_) => {}
            Manage::Release { pointer, .. } => {
                // There is nothing that could be released.
                let pointer = self.value(pointer)?;
                let is_null = pointer.compare(crate::Relation::Equal, Expr::constant(0));
                let wrong = misuse(Misuse::BadFree).compare(crate::Relation::Equal, Expr::constant(0));
                step.guard = is_null.binary(Op::Or, wrong);
            }
            Manage::Fill { class, pointer, count, value } => {
                let (object, first) = self.constant_address(pointer)?;
                let value = self.value(value)?;
                let cells = self.covered(*class, object, first, count)?;
                cells.iter().for_each(|n| self.set(&mut step.updates, *n, value.clone()));
            }
            Manage::Copy { class, to, from, count } => {
                let (to, first) = self.constant_address(to)?;
                let (from, second) = self.constant_address(from)?;
                let stored = self.covered(*class, to, first, count)?;
                let read = self.covered(*class, from, second, count)?;
                for (to, from) in stored.into_iter().zip(read) {
                    let value = Expr::read(self.places[from]);
                    self.set(&mut step.updates, to, value);
                }
            }
            Manage::Allocate { .. } | Manage::Reallocate { .. } => return None,
        }
        Some(step)
    }

    fn begin(&mut self, object: ObjectId, step: &mut Step) {
        for n in 0..self.cells.all.len() {
            let Cell { object: of, region, ref name, .. } = self.cells.all[n];
            if of != object {
                continue;
            }
            let region = &self.program.memory.regions[region.index()];
            let value = match region.uninitialised {
                Some(input) => {
                    let Input { ty, .. } = *self.program.input(input);
                    let span = self.program.memory.objects[object.index()].span;
                    let kind = InputKind::Uninitialised;
                    self.program.inputs.push(Input { name: name.clone(), ty, kind, span });
                    step.inputs.push(InputId::new(self.program.inputs.len() - 1));
                    Expr::leaf(Op::Input(step.inputs.len() as u32 - 1))
                }
                None => Expr::constant(WILD),
            };
            step.updates.push((self.places[n], value));
        }
    }

    fn constant_address(&self, pointer: &Expr) -> Option<(ObjectId, i64)> {
        let (object, offset) = self.address(pointer)?.known()?;
        Some((object, i64::try_from(offset.as_constant()?).ok()?))
    }

    /// The cells of so many elements of a class, which are there.
    fn covered(
        &self,
        class: memory::ClassId,
        object: ObjectId,
        first: i64,
        count: &Expr,
    ) -> Option<Vec<usize>> {
        let count = i64::try_from(count.as_constant()?).ok()?;
        let mut covered = Vec::new();
        for element in first..first + count {
            for field in &self.program.memory.classes[class.index()].fields {
                for offset in cells::offsets(field, u64::try_from(element).ok()?) {
                    let is_it = |cell: &Cell| {
                        (cell.object, cell.region, cell.offset) == (object, field.region, offset)
                    };
                    covered.push(self.cells.all.iter().position(is_it)?);
                }
            }
        }
        Some(covered)
    }
}

/// A pointer that points to no cell.
fn wrong(pointer: &Address) -> Option<Expr> {
    if pointer.known().is_some() {
        return Some(misuse(Misuse::Bounds));
    }
    let base = pointer.base();
    let is = |number: i128| base.clone().compare(crate::Relation::Equal, Expr::constant(number));
    let wild = Expr::choose(is(WILD), misuse(Misuse::Uninitialised), misuse(Misuse::Bounds));
    Some(Expr::choose(is(0), misuse(Misuse::Null), wild))
}

fn misuse(misuse: Misuse) -> Expr {
    Expr::leaf(Op::Misuse(misuse))
}

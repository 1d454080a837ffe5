//! Wrong uses of memory as targets, where that can be said of pointers: an index of an array that is declared, a pointer to what is allocated one by one.
//!
//! Output: a program in which every use of memory that would be wrong leads to a target instead, or nothing, if some use cannot be judged. It is for proofs: none of its targets is reached if and
//! only if no run misuses memory. Which objects that are allocated are still there is kept in a region of its own, which is 1 for those that are.
//!
//! Judged are: elements of objects that the text names, by comparison of the index; pointers that nobody counts with, to objects of one element that are allocated on the heap: not null, and there.

mod kept;

use crate::cells::counted_classes;
use crate::expr::{Expr, Op, Relation};
use crate::inline::inlined;
use crate::memory::{ClassId, Content, Field, Manage, ObjectId, Region, RegionId, Storage, WILD};
use crate::number::Type;
use crate::program::{
    Action, Edge, Function, Node, NodeId, Program, Role, Step, Target, TargetId, TargetKind,
};
use kept::There;

/// The program with targets of a kind; nothing, if some use of memory cannot be judged.
pub fn accesses(program: &Program, kind: TargetKind) -> Option<Program> {
    if !program.memory.unchecked.is_empty() {
        return None;
    }
    let mut result = program.clone();
    let there = kept::told(&mut result);
    let mut result = inlined(&result);
    let judge = Judge::new(&mut result, there)?;
    let mut functions = std::mem::take(&mut result.functions);
    for function in &mut functions {
        judge.function(function, &mut result, kind)?;
    }
    result.functions = functions;
    Some(result)
}

/// What is known of classes.
struct Judge {
    /// For each region whose pointers can be judged, the region that tells what is there; none, if nothing is released.
    heap: Vec<Option<Option<RegionId>>>,
    /// The classes whose objects are told of.
    told: Vec<(ClassId, RegionId)>,
    /// Whether local objects are there.
    there: There,
}

/// What makes a use wrong, one after the other, and what makes it right.
struct Verdict {
    wrong: Vec<Expr>,
    right: Expr,
}

impl Judge {
    fn new(program: &mut Program, there: There) -> Option<Self> {
        let counted = counted_classes(program);
        let mut is_heap = vec![true; program.memory.classes.len()];
        let mut is_allocated = vec![false; program.memory.classes.len()];
        for class in counted {
            is_heap[class.index()] = false;
        }
        for object in &program.memory.objects {
            is_heap[object.class.index()] = false;
        }
        let mut releases = false;
        for edge in program.functions.iter().flat_map(|function| &function.edges) {
            let Action::Manage(manage) = &edge.action else { continue };
            match manage {
                Manage::Allocate { class, count, storage, .. } => {
                    is_allocated[class.index()] = true;
                    is_heap[class.index()] &= count.as_constant() == Some(1) && *storage == Storage::Heap;
                }
                Manage::Release { storage: Storage::Heap, .. } => releases = true,
                Manage::Begin(_) | Manage::End(_) => {}
                Manage::Release { .. }
                | Manage::Reallocate { .. }
                | Manage::Fill { .. }
                | Manage::Copy { .. } => return None,
            }
        }
        let is_plain = |class: &crate::memory::Class| {
            let is_plain =
                |field: &Field| (field.stride, field.start) == (1, 0) && field.dimensions.is_empty();
            class.fields.iter().all(is_plain)
        };
        let mut told = Vec::new();
        for n in 0..program.memory.classes.len() {
            is_heap[n] &= is_plain(&program.memory.classes[n]);
            if releases && is_heap[n] && is_allocated[n] {
                let region = RegionId::new(program.memory.regions.len());
                let class = &mut program.memory.classes[n];
                let name = format!("{}.is_there", class.name);
                let span = program.functions[program.main.index()].span;
                let content = Content::Integer(Type::unsigned(1));
                program.memory.regions.push(Region { name, content, uninitialised: None, span });
                let (path, dimensions) = (".is_there".to_owned(), Vec::new());
                class.fields.push(Field { path, region, start: 0, stride: 1, dimensions });
                told.push((ClassId::new(n), region));
            }
        }
        // A region is judged by its only owner.
        let heap = (0..program.memory.regions.len()).map(RegionId::new).map(|region| {
            let has = |n: &usize| {
                program.memory.classes[*n].fields.iter().any(|field| field.region == region)
                    && (is_allocated[*n]
                        || program.memory.objects.iter().any(|object| object.class.index() == *n))
            };
            let owners: Vec<usize> = (0..program.memory.classes.len()).filter(has).collect();
            match owners[..] {
                [only] if is_heap[only] => {
                    Some(told.iter().find(|(class, _)| class.index() == only).map(|(_, region)| *region))
                }
                _ => None,
            }
        });
        let heap = heap.collect();
        Some(Self { heap, told, there })
    }

    fn function(&self, function: &mut Function, program: &mut Program, kind: TargetKind) -> Option<()> {
        for n in 0..function.edges.len() {
            match function.edges[n].action.clone() {
                Action::Step(step) => self.step(function, n, step, program, kind)?,
                Action::Manage(manage) => self.manage(function, n, &manage, program, kind)?,
                Action::Call { args, .. } if args.iter().any(is_partial) => return None,
                Action::Call { .. } => {}
            }
        }
        function.sort_edges();
        Some(())
    }

    fn step(
        &self,
        function: &mut Function,
        n: usize,
        step: Step,
        program: &mut Program,
        kind: TargetKind,
    ) -> Option<()> {
        let mut right = step.guard.clone();
        let mut wrong: Vec<Expr> = Vec::new();
        let mut add = |verdict: Verdict| {
            for bad in verdict.wrong {
                wrong.push(right.clone().and(bad));
            }
            right = right.clone().and(verdict.right);
        };
        if is_partial(&step.guard) {
            return None;
        }
        for expr in step.exprs() {
            self.expr(expr, program, &mut add)?;
        }
        for (region, pointer, _) in &step.stores {
            add(self.access(*region, pointer, program)?);
        }
        if wrong.is_empty() {
            return Some(());
        }
        let Edge { from, span, .. } = function.edges[n];
        for bad in wrong {
            let mut step = Step { guard: bad, updates: Vec::new(), stores: Vec::new(), ..step.clone() };
            step.guard = step.guard.simplified();
            if step.guard.as_truth() != Some(false) {
                target(function, program, kind, from, step, span);
            }
        }
        function.edges[n].action = Action::Step(Step { guard: right, ..step });
        Some(())
    }

    /// All uses in an expression, inner ones first.
    fn expr(&self, expr: &Expr, program: &Program, add: &mut dyn FnMut(Verdict)) -> Option<()> {
        let mut is_judged = true;
        expr.fold(|op, operands: Vec<Expr>| {
            match op {
                Op::Load(region) => match self.access(region, &operands[0], program) {
                    Some(verdict) => add(verdict),
                    None => is_judged = false,
                },
                Op::Initialised => {
                    let is_wild = operands[0].clone().compare(Relation::Equal, Expr::constant(WILD));
                    add(Verdict { right: is_wild.clone().not(), wrong: vec![is_wild] });
                }
                Op::Misuse(_) | Op::Difference => is_judged = false,
                _ => {}
            }
            Expr::of(op, &operands)
        });
        is_judged.then_some(())
    }

    /// One use.
    fn access(&self, region: RegionId, pointer: &Expr, program: &Program) -> Option<Verdict> {
        if let Some(right) = self.inside(region, pointer, program) {
            return Some(Verdict { wrong: vec![right.clone().not()], right });
        }
        let there = self.heap.get(region.index()).copied().flatten()?;
        let pointer = plain(pointer)?;
        Some(verdict(&pointer, there))
    }

    /// The condition under which a pointer into an object that the text names is to one of its cells.
    fn inside(&self, region: RegionId, pointer: &Expr, program: &Program) -> Option<Expr> {
        let (object, offset, part) = element(pointer)?;
        let is_there = match self.there.get(object.index())? {
            Some(place) => Expr::read(*place).compare(Relation::Equal, Expr::constant(1)),
            None => Expr::truth(true),
        };
        let object = &program.memory.objects[object.index()];
        let class = &program.memory.classes[object.class.index()];
        let mut fields = class.fields.iter().filter(|field| field.region == region);
        let (field, None) = (fields.next()?, fields.next()) else { return None };
        let between = |index: Expr, count: u64| {
            let low = index.clone().compare(Relation::GreaterEqual, Expr::constant(0));
            low.and(index.compare(Relation::Less, Expr::constant(count.into())))
        };
        let whole = is_there.and(between(offset, object.count));
        match (part, &field.dimensions[..]) {
            (None, []) if (field.stride, field.start) == (1, 0) => Some(whole),
            (Some((stride, start, index)), dimensions) if (stride, start) == (field.stride, field.start) => {
                match dimensions {
                    [] => Some(whole.and(index.compare(Relation::Equal, Expr::constant(0)))),
                    [only] if only.stride == 1 => Some(whole.and(between(index, only.count))),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn manage(
        &self,
        function: &mut Function,
        n: usize,
        manage: &Manage,
        program: &mut Program,
        kind: TargetKind,
    ) -> Option<()> {
        if manage.exprs().into_iter().any(is_partial) {
            return None;
        }
        let Edge { from, to, span, .. } = function.edges[n];
        match manage {
            Manage::Allocate { class, count, result, .. } => {
                if count.as_constant().is_none_or(|count| !(0..=crate::memory::MOST).contains(&count)) {
                    return None;
                }
                if let Some((_, there)) = self.told.iter().find(|(told, _)| told == class) {
                    let middle = node(function, span);
                    function.edges[n].to = middle;
                    let store = (*there, Expr::read(*result), Expr::constant(1));
                    let step = Step { stores: vec![store], ..Step::new(Expr::truth(true), Vec::new()) };
                    function.edges.push(Edge { from: middle, to, action: Action::Step(step), span });
                }
            }
            Manage::Release { pointer, .. } => {
                let pointer = plain(pointer)?;
                // Only one class may be meant.
                let [(_, there)] = self.told[..] else { return None };
                let verdict = verdict(&pointer, Some(there));
                let is_null = pointer.clone().compare(Relation::Equal, Expr::constant(0));
                for bad in verdict.wrong {
                    let guard = is_null.clone().not().and(bad).simplified();
                    target(function, program, kind, from, Step::new(guard, Vec::new()), span);
                }
                let nothing = Action::Step(Step::new(is_null.clone(), Vec::new()));
                let released = Step {
                    stores: vec![(there, pointer, Expr::constant(0))],
                    ..Step::new(is_null.not().and(verdict.right), Vec::new())
                };
                function.edges[n].action = nothing;
                function.edges.push(Edge { from, to, action: Action::Step(released), span });
            }
            Manage::Begin(_) | Manage::End(_) => {}
            _ => return None,
        }
        Some(())
    }
}

/// A pointer to something that is allocated: null, wild, and not there any more are wrong.
fn verdict(pointer: &Expr, there: Option<RegionId>) -> Verdict {
    let is = |number: i128| pointer.clone().compare(Relation::Equal, Expr::constant(number));
    let mut right = is(0).not().and(is(WILD).not());
    let mut wrong = vec![is(0), is(WILD)];
    if let Some(region) = there {
        let told = pointer.clone().unary(Op::Load(region));
        let is_there = told.compare(Relation::Equal, Expr::constant(1));
        wrong.push(right.clone().and(is_there.clone().not()));
        right = right.and(is_there);
    }
    Verdict { wrong, right }
}

/// A pointer as it is in a variable or in memory.
fn plain(pointer: &Expr) -> Option<Expr> {
    match pointer.root() {
        Op::Read(_) | Op::Load(_) => Some(pointer.clone()),
        Op::Initialised | Op::Member(1, 0) => plain(&pointer.operands()[0]),
        _ => None,
    }
}

/// A part of an element: stride, start, and the index behind.
type Part = Option<(u64, u64, Expr)>;

/// An object, an offset in it, and a part of that.
fn element(pointer: &Expr) -> Option<(ObjectId, Expr, Part)> {
    let operands = pointer.operands();
    match pointer.root() {
        Op::Object(object) => Some((object, Expr::constant(0), None)),
        Op::Initialised => element(&operands[0]),
        Op::Add => {
            let (object, offset, part) = element(&operands[0])?;
            let more = operands[1].clone();
            Some(match part {
                None => (object, plus(offset, more), None),
                Some((stride, start, index)) => (object, offset, Some((stride, start, plus(index, more)))),
            })
        }
        Op::Member(1, 0) => element(&operands[0]),
        Op::Member(stride, start) => match element(&operands[0])? {
            (object, offset, None) => Some((object, offset, Some((stride, start, Expr::constant(0))))),
            _ => None,
        },
        _ => None,
    }
}

fn plus(left: Expr, right: Expr) -> Expr {
    if left.as_constant() == Some(0) { right } else { left.binary(Op::Add, right) }
}

/// Misuse that is not judged here may be in it.
fn is_partial(expr: &Expr) -> bool {
    expr.code().iter().any(|op| matches!(op, Op::Misuse(_) | Op::Difference | Op::Load(_)))
}

fn node(function: &mut Function, span: base::Span) -> NodeId {
    function.nodes.push(Node { role: Role::Plain, span });
    NodeId::new(function.nodes.len() - 1)
}

fn target(
    function: &mut Function,
    program: &mut Program,
    kind: TargetKind,
    from: NodeId,
    step: Step,
    span: base::Span,
) {
    let target = TargetId::new(program.targets.len());
    let (name, function_name) = ("memory".to_owned(), function.name.clone());
    program.targets.push(Target { kind, name, function: function_name, span });
    let to = node(function, span);
    function.nodes[to.index()].role = Role::Target(target);
    function.edges.push(Edge { from, to, action: Action::Step(step), span });
}

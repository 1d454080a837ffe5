//! Wrong uses of memory as targets, where that can be said of pointers: what they point to is named, or allocated one by one, or two variables beside the pointer tell of it.
//!
//! Output: a program in which every use of memory that would be wrong leads to a target instead, or nothing, if some use cannot be judged. It is for proofs: none of its targets is reached if and
//! only if no run misuses memory. Which objects that are allocated are still there is kept in a region of its own, which is 1 for the first element of those that are. Or a program that has no such targets, whose steps
//! can only be taken where memory is not misused, as far as that can be judged.
//!
//! Judged are: elements of objects that the text names, by comparison of the index; pointers that nobody counts with, to objects of one element that are allocated on the heap: not null, and there; others
//! by where their object begins and how many elements it has ([`bases`]). Cells of pointers that nothing was stored in hold what pointer variables hold then, so that a load of one can be told. Where what is read decides how a run goes on, as the end of a string does, a target looks at the last element of the object: a run that goes behind it
//! has read that before.

mod bases;
mod classes;
mod kept;
mod manage;

use crate::compose::compose_defined;
use crate::expr::{Expr, Op, Relation};
use crate::inline::{inlined, inlined_exactly};
use crate::memory::{Content, ObjectId, RegionId, WILD};
use crate::number::Type;
use crate::program::{
    Action, Edge, Function, FunctionId, Global, Node, NodeId, Place, Program, Role, Start, Step, Target,
    TargetId, TargetKind, Variable,
};
use crate::promote::once;
use bases::{Bases, Extent, based};
use classes::Classes;
use kept::There;

/// The program with targets of a kind; nothing, if some use of memory cannot be judged. If somebody asks for it, it is one as well that `main` returns and something is not freed.
pub fn accesses(program: &Program, kind: TargetKind, is_freed: bool) -> Option<Program> {
    if !program.memory.unchecked.is_empty() || classes::leaves_frames(program) {
        return None;
    }
    // What has to be freed is not there from the beginning.
    let is_counted = is_freed && classes::allocates(program);
    let mut result = if is_counted { program.clone() } else { once(program) };
    let there = kept::told(&mut result);
    let mut result = inlined_exactly(&result);
    let mut judge = Judge::new(&mut result, there, Some(kind))?;
    if is_counted {
        judge.live = Some(counter(&mut result));
    }
    judge.functions(&mut result)?;
    Some(result)
}

/// The program whose steps are taken where memory is not misused.
pub fn within(program: &Program) -> Program {
    let mut result = inlined(&once(program));
    let there = vec![None; result.memory.objects.len()];
    let judged = Judge::new(&mut result, there, None).and_then(|judge| judge.functions(&mut result));
    judged.expect("what cannot be judged is left as it is");
    result
}

/// A variable that counts what is allocated and not freed.
fn counter(program: &mut Program) -> Place {
    let span = program.function(program.main).span;
    let variable = Variable { name: "$live".to_owned(), ty: Type::signed(64), span };
    program.globals.push(Global { variable, start: Start::Number(0) });
    Place::Global(program.globals.len() as u32 - 1)
}

/// What is known of pointers, and what is to be done.
struct Judge {
    classes: Classes,
    /// Whether local objects are there.
    there: There,
    bases: Bases,
    /// The regions whose cells decide how the program goes on.
    decides: Vec<bool>,
    /// How many objects are allocated and not freed, if somebody asks.
    live: Option<Place>,
    /// Wrong uses become targets of this kind. Otherwise nothing is asked but that uses are right, where that is known.
    targets: Option<TargetKind>,
}

/// What makes a use wrong, one after the other, and what makes it right.
struct Verdict {
    wrong: Vec<Expr>,
    right: Expr,
}

impl Judge {
    fn new(program: &mut Program, there: There, targets: Option<TargetKind>) -> Option<Self> {
        let mut classes = Classes::new(program);
        let lines = compose_defined(program).program;
        let edges = || lines.functions.iter().flat_map(|function| &function.edges);
        let decides = (0..program.memory.regions.len()).map(RegionId::new).map(|region| {
            edges().any(|edge| match &edge.action {
                Action::Step(step) => step.guard.code().contains(&Op::Load(region)),
                _ => false,
            })
        });
        let decides = decides.collect();
        if targets.is_some() {
            classes.tell(program)?;
        }
        let bases = based(program, &|id, place| classes.needs_base(id, place));
        Some(Self { classes, there, bases, decides, live: None, targets })
    }

    fn functions(&self, program: &mut Program) -> Option<()> {
        let mut functions = std::mem::take(&mut program.functions);
        for (n, function) in functions.iter_mut().enumerate() {
            self.function(FunctionId::new(n), function, program)?;
        }
        if let (Some(live), Some(kind)) = (self.live, self.targets) {
            at_end(&mut functions[program.main.index()], program, kind, live);
        }
        program.functions = functions;
        Some(())
    }

    fn function(&self, id: FunctionId, function: &mut Function, program: &mut Program) -> Option<()> {
        for n in 0..function.edges.len() {
            match function.edges[n].action.clone() {
                Action::Step(step) => self.step(id, function, n, step, program)?,
                Action::Manage(manage) if self.targets.is_some() => {
                    self.manage(id, function, n, &manage, program)?;
                }
                Action::Call { args, .. } if self.targets.is_some() && args.iter().any(is_partial) => {
                    return None;
                }
                Action::Manage(_) | Action::Call { .. } => {}
            }
        }
        function.sort_edges();
        Some(())
    }

    fn step(
        &self,
        id: FunctionId,
        function: &mut Function,
        n: usize,
        step: Step,
        program: &mut Program,
    ) -> Option<()> {
        let mut right = step.guard.clone();
        let mut wrong: Vec<Expr> = Vec::new();
        let mut add = |verdict: Verdict| {
            for bad in verdict.wrong {
                wrong.push(right.clone().and(bad));
            }
            right = right.clone().and(verdict.right);
        };
        if self.targets.is_some() && is_partial(&step.guard) {
            return None;
        }
        for expr in step.exprs() {
            self.expr(id, expr, program, &mut add)?;
        }
        for (region, pointer, _) in &step.stores {
            match self.access(id, *region, pointer, program) {
                Some(verdict) => add(verdict),
                None if self.targets.is_some() => return None,
                None => {}
            }
        }
        if wrong.is_empty() {
            return Some(());
        }
        let Edge { from, span, .. } = function.edges[n];
        if let Some(kind) = self.targets {
            for bad in wrong {
                let mut step = Step { guard: bad, updates: Vec::new(), stores: Vec::new(), ..step.clone() };
                step.guard = step.guard.simplified();
                if step.guard.as_truth() != Some(false) {
                    target(function, program, kind, from, step, span);
                }
            }
        }
        function.edges[n].action = Action::Step(Step { guard: right, ..step });
        Some(())
    }

    /// All uses in an expression, inner ones first.
    fn expr(
        &self,
        id: FunctionId,
        expr: &Expr,
        program: &Program,
        add: &mut dyn FnMut(Verdict),
    ) -> Option<()> {
        let mut is_judged = true;
        expr.fold(|op, operands: Vec<Expr>| {
            let verdict = match op {
                Op::Load(region) => self.access(id, region, &operands[0], program),
                Op::Difference => self.related(id, &operands[0], &operands[1]),
                Op::Initialised => {
                    let is_wild = operands[0].clone().compare(Relation::Equal, Expr::constant(WILD));
                    Some(Verdict { right: is_wild.clone().not(), wrong: vec![is_wild] })
                }
                Op::Misuse(_) => None,
                _ => return Expr::of(op, &operands),
            };
            match verdict {
                Some(verdict) => add(verdict),
                None => is_judged = false,
            }
            let value = Expr::of(op, &operands);
            if let Op::Load(region) = op
                && self.targets.is_some()
                && is_pointer(program, region)
            {
                add(uninitialised(&value));
            }
            value
        });
        (is_judged || self.targets.is_none()).then_some(())
    }

    /// Pointers that are subtracted, or compared by size: they point into one object.
    fn related(&self, id: FunctionId, left: &Expr, right: &Expr) -> Option<Verdict> {
        let (one, other) = (self.bases.extent(id, left)?, self.bases.extent(id, right)?);
        let is_set = |pointer: &Expr| pointer.clone().compare(Relation::NotEqual, Expr::constant(WILD));
        let same = one.base.clone().compare(Relation::Equal, other.base);
        let right = same.and(is_set(&one.base));
        Some(Verdict { wrong: vec![right.clone().not()], right })
    }

    /// One use.
    fn access(&self, id: FunctionId, region: RegionId, pointer: &Expr, program: &Program) -> Option<Verdict> {
        if let Some((right, last)) = self.inside(region, pointer, program) {
            return Some(Verdict { wrong: vec![self.behind(region, right.clone().not(), last)], right });
        }
        if let Some(there) = self.classes.heap(region)
            && let Some(pointer) = plain(pointer)
        {
            return Some(verdict(&pointer, there));
        }
        self.based(id, region, pointer, program)
    }

    /// A pointer of which it is known where its object begins.
    fn based(&self, id: FunctionId, region: RegionId, pointer: &Expr, program: &Program) -> Option<Verdict> {
        let (element, part) = parted(pointer);
        let extent = self.bases.extent(id, &element)?;
        let offset = element.binary(Op::Difference, extent.base.clone());
        let mut right = between(offset, extent.size.clone());
        for class in self.classes.owners(program, region) {
            let mut fields = program.memory.classes[class.index()].fields.iter();
            let mut fields = fields.by_ref().filter(|field| field.region == region);
            let (field, None) = (fields.next()?, fields.next()) else { return None };
            match (&part, &field.dimensions[..]) {
                (None, []) if (field.stride, field.start) == (1, 0) => {}
                (Some((stride, start, index)), dimensions)
                    if (*stride, *start) == (field.stride, field.start) =>
                {
                    let inside = match dimensions {
                        [] => index.clone().compare(Relation::Equal, Expr::constant(0)),
                        [only] if only.stride == 1 => {
                            between(index.clone(), Expr::constant(only.count.into()))
                        }
                        _ => return None,
                    };
                    right = right.and(inside);
                }
                _ => return None,
            }
        }
        let last = part.is_none().then(|| last(&extent));
        let mut wrong = vec![self.behind(region, right.clone().not(), last)];
        if self.targets.is_some() {
            let is_there = self.is_there(region, &extent, program)?;
            if is_there.as_truth() != Some(true) {
                wrong.push(right.clone().and(is_there.clone().not()));
                right = right.and(is_there);
            }
        }
        Some(Verdict { wrong, right })
    }

    /// Whether an object is there, into which a pointer points that is used for a region.
    fn is_there(&self, region: RegionId, extent: &Extent, program: &Program) -> Option<Expr> {
        let owners = self.classes.owners(program, region);
        let mut is_there = Expr::truth(true);
        for (n, object) in program.memory.objects.iter().enumerate() {
            let Some(place) = self.there[n].filter(|_| owners.contains(&object.class)) else { continue };
            let other =
                extent.base.clone().compare(Relation::NotEqual, Expr::leaf(Op::Object(ObjectId::new(n))));
            let stays = Expr::read(place).compare(Relation::Equal, Expr::constant(1));
            is_there = is_there.and(other.binary(Op::Or, stays));
        }
        for class in owners {
            if !self.classes.ends(class) {
                continue;
            }
            let there = self.classes.told(class)?;
            let told = extent.base.clone().unary(Op::Load(there));
            let mut here = told.compare(Relation::Equal, Expr::constant(1));
            for (n, _) in
                program.memory.objects.iter().enumerate().filter(|(_, object)| object.class == class)
            {
                let object = Expr::leaf(Op::Object(ObjectId::new(n)));
                here = extent.base.clone().compare(Relation::Equal, object).binary(Op::Or, here);
            }
            is_there = is_there.and(here);
        }
        Some(is_there)
    }

    /// The condition of a wrong use, which looks at the last element of the object, if elements decide how the program goes on.
    fn behind(&self, region: RegionId, wrong: Expr, last: Option<Expr>) -> Expr {
        match last {
            Some(last) if self.targets.is_some() && self.decides.get(region.index()) == Some(&true) => {
                let load = last.unary(Op::Load(region));
                let some = load.clone().compare(Relation::Less, Expr::constant(1));
                let other = load.compare(Relation::Greater, Expr::constant(0));
                wrong.and(some.binary(Op::Or, other))
            }
            _ => wrong,
        }
    }

    /// The condition under which a pointer into an object that the text names is to one of its cells, and its last element.
    fn inside(&self, region: RegionId, pointer: &Expr, program: &Program) -> Option<(Expr, Option<Expr>)> {
        let (id, offset, part) = element(pointer)?;
        let is_there = match self.there.get(id.index())? {
            Some(place) => Expr::read(*place).compare(Relation::Equal, Expr::constant(1)),
            None => Expr::truth(true),
        };
        let object = &program.memory.objects[id.index()];
        let class = &program.memory.classes[object.class.index()];
        let mut fields = class.fields.iter().filter(|field| field.region == region);
        let (field, None) = (fields.next()?, fields.next()) else { return None };
        let count = |count: u64| Expr::constant(count.into());
        let whole = is_there.and(between(offset, count(object.count)));
        match (part, &field.dimensions[..]) {
            (None, []) if (field.stride, field.start) == (1, 0) => {
                let behind = Expr::leaf(Op::Object(id));
                Some((whole, Some(behind.binary(Op::Add, Expr::constant(i128::from(object.count) - 1)))))
            }
            (Some((stride, start, index)), dimensions) if (stride, start) == (field.stride, field.start) => {
                let right = match dimensions {
                    [] => whole.and(index.compare(Relation::Equal, Expr::constant(0))),
                    [only] if only.stride == 1 => whole.and(between(index, count(only.count))),
                    _ => return None,
                };
                Some((right, None))
            }
            _ => None,
        }
    }
}

/// Not negative, and below a limit.
fn between(index: Expr, limit: Expr) -> Expr {
    let low = index.clone().compare(Relation::GreaterEqual, Expr::constant(0));
    low.and(index.compare(Relation::Less, limit))
}

/// The last element of an object.
fn last(extent: &Extent) -> Expr {
    let behind = extent.base.clone().binary(Op::Add, extent.size.clone());
    behind.binary(Op::Subtract, Expr::constant(1))
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

/// A pointer that is loaded from where nothing was stored.
fn uninitialised(loaded: &Expr) -> Verdict {
    let is_wild = loaded.clone().compare(Relation::Equal, Expr::constant(WILD));
    Verdict { right: is_wild.clone().not(), wrong: vec![is_wild] }
}

fn is_pointer(program: &Program, region: RegionId) -> bool {
    matches!(program.memory.regions[region.index()].content, Content::Pointer(_))
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

/// An element that a pointer points to, and a part of that.
fn parted(pointer: &Expr) -> (Expr, Part) {
    let operands = pointer.operands();
    match pointer.root() {
        Op::Member(1, 0) | Op::Initialised => parted(&operands[0]),
        Op::Member(stride, start) => (operands[0].clone(), Some((stride, start, Expr::constant(0)))),
        op @ (Op::Add | Op::Subtract) => match parted(&operands[0]) {
            (_, None) => (pointer.clone(), None),
            (element, Some((stride, start, index))) => {
                (element, Some((stride, start, index.binary(op, operands[1].clone()))))
            }
        },
        _ => (pointer.clone(), None),
    }
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

/// A target where `main` returns and something is not freed.
fn at_end(main: &mut Function, program: &mut Program, kind: TargetKind, live: Place) {
    let span = main.span;
    let last = node(main, span);
    let exit = main.exit;
    main.edges.iter_mut().filter(|edge| edge.to == exit).for_each(|edge| edge.to = last);
    let is_free = Expr::read(live).compare(Relation::Equal, Expr::constant(0));
    target(main, program, kind, last, Step::new(is_free.clone().not(), Vec::new()), span);
    main.edges.push(Edge {
        from: last,
        to: exit,
        action: Action::Step(Step::new(is_free, Vec::new())),
        span,
    });
    main.sort_edges();
}

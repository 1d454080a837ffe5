//! The objects of the text: variables in memory, texts, compound literals, what they hold at first, and allocations.

use super::Lowering;
use super::body::Builder;
use super::expression::Value;
use super::memory::{Home, Scalar, Target, address};
use crate::points::initial::{self, Into, Leaf, scale};
use crate::points::regions::element_size;
use crate::points::{PointId, count, is_in_memory};
use crate::syntax::{ExprId, ExprKind, FnId, Init, Storage, VarId};
use crate::types::{Integer, Ty};
use base::Span;
use integers::evaluate::{Environment, evaluate};
use integers::memory::{Initial, Lifetime, Object, Storage as Where, unpack};
use integers::{
    Action, Expr, Input, InputKind, Integers, Manage, ObjectId, Op, Place, RegionId, Step, Type, UnknownId,
};

/// Since when an object of a block is there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Begun {
    Now,
    /// Since the block was entered.
    Before,
}

/// What is constant has neither variables nor inputs.
struct Nothing;

impl Environment for Nothing {
    fn read(&self, _: Place) -> integers::Value {
        integers::Value::Undefined(integers::Undefined::TooLarge)
    }

    fn input(&self, _: u32) -> i128 {
        0
    }

    fn unknown(&self, _: u32) -> UnknownId {
        UnknownId(0)
    }
}

impl Lowering<'_> {
    /// Makes the objects that the text names and that are there from the beginning.
    pub(crate) fn objects(&mut self) {
        for id in (0..self.unit.vars.len()).map(VarId::new) {
            let var = self.unit.var(id);
            let name = self.names.text(var.name).to_owned();
            let Some(node) = self.points.var(id) else { continue };
            if !is_in_memory(self.unit, id) || self.points.lost(node).is_some() {
                continue;
            }
            let (name, lifetime) = match var.storage {
                Storage::StaticLocal(function) => {
                    let function = self.names.text(self.unit.function(function).name);
                    (format!("{function}.{name}"), Lifetime::Static)
                }
                Storage::Local | Storage::Parameter => continue,
                _ => (name, Lifetime::Static),
            };
            let Some(count) = count(&var.ty) else { continue };
            let is_constant = var.is_const || has_constant_elements(&var.ty);
            let object = self.object(node, &name, count, lifetime, is_constant, var.span);
            self.homes.insert(id, Home::Static(object));
        }
    }

    pub(crate) fn object(
        &mut self,
        node: PointId,
        name: &str,
        count: u64,
        lifetime: Lifetime,
        is_constant: bool,
        span: Span,
    ) -> ObjectId {
        self.regions.name(&self.points, node, name, span);
        let class = self.class(node);
        let name = name.to_owned();
        let cells = Vec::new();
        let objects = &mut self.program.memory.objects;
        objects.push(Object { name, class, count, lifetime, cells, is_constant, span });
        ObjectId::new(objects.len() - 1)
    }

    /// What global objects hold at first.
    pub(crate) fn initial_cells(&mut self) {
        let globals = self.unit.globals.clone();
        for id in globals {
            let var = self.unit.var(id);
            let (Some(Home::Static(object)), Some(init)) = (self.homes.get(&id).copied(), &var.init) else {
                continue;
            };
            let node = self.points.var(id).expect("every variable has a node");
            match initial::leaves(self.unit, &var.ty, init, self.options.data_model) {
                Some(leaves) => {
                    leaves.iter().for_each(|leaf| self.constant_leaf(object, node, &var.ty, leaf))
                }
                None => self.error(var.span, "this initial value is not understood"),
            }
        }
    }

    /// Stores the bytes of a text in the cells of an object.
    pub(crate) fn text_cells(
        &mut self,
        object: ObjectId,
        region: RegionId,
        first: i64,
        bytes: &[u8],
        most: u64,
    ) {
        let ty = self.program.memory.regions[region.index()].content.ty();
        let cells = bytes.iter().take(usize::try_from(most).unwrap_or(usize::MAX)).enumerate();
        let cells: Vec<_> = cells
            .filter(|(_, byte)| **byte != 0)
            .map(|(n, byte)| (region, first + n as i64, Initial::Number(ty.wrap((*byte).into()))))
            .collect();
        self.program.memory.objects[object.index()].cells.extend(cells);
    }

    /// An expression that is constant.
    pub(crate) fn constant_value(&mut self, value: ExprId, scalar: &Scalar) -> Option<i128> {
        let span = self.unit.expr(value).span;
        let mut builder = Builder::new(self, "", integers::FunctionId(0));
        let node = builder.node_at(span);
        builder.point = super::body::Point::At(node);
        let value = builder.value(value);
        let value = builder.converted(value, scalar).ok()?;
        if !builder.edges.is_empty() || value.has_loads() {
            return None;
        }
        match evaluate(&value, &Nothing, Integers::Mathematical) {
            integers::Value::Number(number) => Some(number),
            _ => None,
        }
    }

    /// A part of a global object that is given something.
    fn constant_leaf(&mut self, object: ObjectId, node: PointId, ty: &Ty, leaf: &Leaf) {
        let span = self.unit.expr(leaf.value).span;
        let (pointer, node) = self.way(Expr::constant(0), node, ty, &leaf.path);
        let Some(offset) = pointer.as_constant().and_then(|offset| i64::try_from(offset).ok()) else {
            return;
        };
        if self.points.lost(node).is_some() {
            return;
        }
        if let (Ty::Array(_, length), ExprKind::Text(Some(bytes))) =
            (&leaf.ty, &self.unit.expr(leaf.value).kind)
        {
            let region = self.region(node);
            let bytes = bytes.clone();
            self.text_cells(object, region, offset, &bytes, length.unwrap_or(bytes.len() as u64));
            return;
        }
        let scalar = match &leaf.ty {
            Ty::Int(integer) => Scalar::Integer(*integer),
            Ty::Pointer(_) => Scalar::Pointer(leaf.ty.clone()),
            _ => return self.error(span, "this initial value is not understood"),
        };
        // Nobody knows what a pointer points to that is no address of an object, and whoever reads it is told so.
        let content = self.points.known_content(node).filter(|_| matches!(leaf.ty, Ty::Pointer(_)));
        let is_unknown = content.is_some_and(|content| self.points.lost(content).is_some());
        let region = self.region(node);
        let content = self.program.memory.regions[region.index()].content;
        let initial = match self.constant_value(leaf.value, &scalar) {
            Some(0) => return,
            Some(number) if content.ty() == Type::POINTER => {
                let (object, offset) = unpack(number);
                let Ok(object) = usize::try_from(object - 1) else { return };
                Initial::Pointer(ObjectId::new(object), offset)
            }
            Some(number) => Initial::Number(content.ty().wrap(number)),
            None if is_unknown => return,
            None => return self.error(span, "the initial value of a global variable is constant"),
        };
        self.program.memory.objects[object.index()].cells.push((region, offset, initial));
    }

    /// Where a part of an object of this type is, as an offset or a pointer.
    pub(crate) fn way(&mut self, pointer: Expr, node: PointId, ty: &Ty, path: &[Into]) -> (Expr, PointId) {
        let (mut pointer, mut node, mut ty) = (pointer, node, ty.clone());
        for into in path {
            match (into, &ty) {
                (Into::Element(n), Ty::Array(element, _)) => {
                    let by = i128::from(*n) * i128::from(scale(&element.bare));
                    if by != 0 {
                        pointer = pointer.binary(Op::Add, Expr::constant(by));
                    }
                    ty = element.bare.clone();
                }
                (Into::Member(name), Ty::Record(id)) => {
                    pointer = self.part(pointer, node, *name);
                    node = self.points.known_field(node, *name).unwrap_or(node);
                    let fields = self.unit.record(*id).fields.iter().flatten();
                    let found = fields.into_iter().find(|field| field.name == *name);
                    ty = found.map_or(Ty::Other, |field| field.ty.bare.clone());
                }
                _ => {}
            }
            ty = crate::typing::resolved(self.unit, ty);
        }
        (pointer, node)
    }
}

/// Whether a type is an array of what is constant: `const` is said of its elements then.
fn has_constant_elements(ty: &Ty) -> bool {
    match ty {
        Ty::Array(element, _) => element.is_const || has_constant_elements(&element.bare),
        _ => false,
    }
}

impl Builder<'_, '_> {
    /// An object of the running function begins.
    pub(crate) fn begin(&mut self, id: VarId, span: Span, is_begun: Begun) -> Option<(Expr, PointId)> {
        let unit = self.low.unit;
        let var = unit.var(id);
        let node = self.low.points.var(id)?;
        if self.low.points.lost(node).is_some() {
            return None;
        }
        let name = self.low.names.text(var.name).to_owned();
        if let Some(length) = var.length {
            return self.variable_length(id, node, &name, length, span);
        }
        let count = count(&var.ty)?;
        let home = match self.home(id) {
            Some(home) => home,
            None if self.low.is_recursive(self.function) => {
                self.low.regions.name(&self.low.points, node, &name, var.span);
                Home::Frame(self.local(&format!("&{name}"), Type::POINTER, var.span))
            }
            None => {
                let lifetime = Lifetime::Local(self.id);
                Home::Static(self.low.object(node, &name, count, lifetime, false, var.span))
            }
        };
        self.homes.insert(id, home);
        match home {
            Home::Static(object) => self.manage(Manage::Begin(object), span),
            // It is the same object, however often its declaration is passed.
            Home::Frame(_) if is_begun == Begun::Before => {}
            Home::Frame(local) => {
                let class = self.low.class(node);
                let count = Expr::constant(count.into());
                let (storage, result) = (Where::Frame, Place::Local(local));
                self.manage(Manage::Allocate { class, count, is_zeroed: false, storage, result }, span);
            }
        }
        if var.is_addressed || matches!(var.ty, Ty::Array(..)) {
            self.scopes.ends_here(home, false);
        }
        Some((address(home), node))
    }

    fn variable_length(
        &mut self,
        id: VarId,
        node: PointId,
        name: &str,
        length: ExprId,
        span: Span,
    ) -> Option<(Expr, PointId)> {
        let Ty::Array(element, None) = &self.low.unit.var(id).ty else { return None };
        let scale = count(&element.bare)?;
        self.low.regions.name(&self.low.points, node, name, span);
        let (length, _) = self.integer(length);
        let length = self.settled(length, span);
        let local = match self.home(id) {
            Some(Home::Frame(local)) => local,
            _ => {
                let local = self.local(&format!("&{name}"), Type::POINTER, span);
                self.local(&format!("$length of {name}"), Type::signed(64), span);
                local
            }
        };
        self.homes.insert(id, Home::Frame(local));
        if self.low.unit.var(id).is_measured {
            self.store(Place::Local(local + 1), length.clone(), span);
        }
        let count =
            if scale == 1 { length } else { length.binary(Op::Multiply, Expr::constant(scale.into())) };
        let class = self.low.class(node);
        let (storage, result) = (Where::Frame, Place::Local(local));
        self.manage(Manage::Allocate { class, count, is_zeroed: false, storage, result }, span);
        self.scopes.ends_here(Home::Frame(local), true);
        Some((Expr::read(result), node))
    }

    /// How many bytes an array of variable length has, which has been declared.
    pub(crate) fn variable_size(&self, operand: ExprId) -> Option<Expr> {
        let ExprKind::Var(id) = self.low.unit.expr(operand).kind else { return None };
        let var = self.low.unit.var(id);
        let (Ty::Array(element, None), Some(_), Some(Home::Frame(local))) =
            (&var.ty, var.length, self.home(id))
        else {
            return None;
        };
        let (size, _) = self.low.unit.layout(&element.bare, self.low.options.data_model)?;
        Some(Expr::read(Place::Local(local + 1)).binary(Op::Multiply, Expr::constant(size.into())))
    }

    /// A variable in memory is declared.
    pub(crate) fn declare_object(&mut self, id: VarId) {
        let var = self.low.unit.var(id);
        let is_begun = if self.is_hoisted(id) { Begun::Before } else { Begun::Now };
        let Some((pointer, node)) = self.begin(id, var.whole, is_begun) else {
            var.init.iter().flat_map(Init::values).for_each(|value| self.effect(value));
            return;
        };
        if let Some(init) = &var.init {
            self.initialise(pointer, node, &var.ty, init, var.whole);
        }
    }

    /// An object gets what its initial value says.
    pub(crate) fn initialise(&mut self, pointer: Expr, node: PointId, ty: &Ty, init: &Init, span: Span) {
        let Some(leaves) = initial::leaves(self.low.unit, ty, init, self.low.options.data_model) else {
            return;
        };
        let is_whole =
            matches!(ty, Ty::Record(_)) && matches!(leaves[..], [Leaf { ref path, .. }] if path.is_empty());
        let is_scalar = !matches!(ty, Ty::Array(..) | Ty::Record(_));
        // What is not mentioned holds 0.
        if !is_whole && !is_scalar {
            let class = self.low.class(node);
            let count = Expr::constant(count(ty).unwrap_or(1).into());
            let (pointer, value) = (pointer.clone(), Expr::constant(0));
            self.manage(Manage::Fill { class, pointer, count, value }, span);
        }
        for leaf in &leaves {
            self.leaf(pointer.clone(), node, ty, leaf, span);
        }
    }

    fn leaf(&mut self, pointer: Expr, node: PointId, ty: &Ty, leaf: &Leaf, span: Span) {
        let (pointer, node) = self.low.way(pointer, node, ty, &leaf.path);
        if self.low.points.lost(node).is_some() {
            return self.effect(leaf.value);
        }
        if let (Ty::Array(_, length), ExprKind::Text(bytes)) =
            (&leaf.ty, &self.low.unit.expr(leaf.value).kind)
        {
            let Some(bytes) = bytes.clone() else { return };
            let region = self.low.region(node);
            let ty = self.low.program.memory.regions[region.index()].content.ty();
            let most = usize::try_from(length.unwrap_or(bytes.len() as u64)).unwrap_or(usize::MAX);
            let shown = bytes.iter().take(most).enumerate().filter(|(_, byte)| **byte != 0);
            let stores: Vec<_> = shown
                .map(|(n, byte)| {
                    let at = pointer.clone().binary(Op::Add, Expr::constant(n as i128));
                    (region, at, Expr::constant(ty.wrap((*byte).into())))
                })
                .collect();
            if !stores.is_empty() {
                self.act(Action::Step(Step { stores, ..Step::new(Expr::truth(true), Vec::new()) }), span);
            }
            return;
        }
        let value = self.value(leaf.value);
        // A zero is there already.
        if leaf.path.is_empty()
            || !matches!(&value, Value::Integer(number, _) if number.as_constant() == Some(0))
        {
            self.put(&Target::Cell { pointer, node, ty: leaf.ty.clone() }, value, span);
        }
    }

    /// The object of a text or compound literal.
    pub(crate) fn literal(&mut self, id: ExprId, ty: &Ty) -> Result<Expr, String> {
        let unit = self.low.unit;
        let span = unit.expr(id).span;
        let Some(node) = self.low.points.literal(id) else { return Err("a literal".to_owned()) };
        if let Some(lost) = self.low.points.lost(node) {
            return Err(lost.construct.clone());
        }
        match &unit.expr(id).kind {
            ExprKind::Text(Some(bytes)) => {
                if let Some(&object) = self.low.literals.get(&id) {
                    return Ok(Expr::leaf(Op::Object(object)));
                }
                let text = String::from_utf8_lossy(&bytes[..bytes.len() - 1]).into_owned();
                let name = format!("{text:?}");
                let object = self.low.object(node, &name, bytes.len() as u64, Lifetime::Static, true, span);
                let region = self.low.region(node);
                self.low.text_cells(object, region, 0, bytes, u64::MAX);
                self.low.literals.insert(id, object);
                Ok(Expr::leaf(Op::Object(object)))
            }
            ExprKind::Compound(_, parts) => {
                let Some(n) = count(ty) else { return Err("a compound literal".to_owned()) };
                let home = self.compound_home(id, node, n, span);
                match home {
                    Home::Static(object) => {
                        self.manage(Manage::Begin(object), span);
                        self.scopes.ends_here(home, false);
                    }
                    Home::Frame(local) => {
                        let class = self.low.class(node);
                        let (storage, result) = (Where::Frame, Place::Local(local));
                        let count = Expr::constant(n.into());
                        self.manage(
                            Manage::Allocate { class, count, is_zeroed: false, storage, result },
                            span,
                        );
                    }
                }
                self.initialise(address(home), node, ty, &Init::List(parts.clone()), span);
                Ok(address(home))
            }
            _ => Err("a text".to_owned()),
        }
    }

    fn compound_home(&mut self, id: ExprId, node: PointId, n: u64, span: Span) -> Home {
        if self.low.is_recursive(self.function) {
            return Home::Frame(self.local("&literal", Type::POINTER, span));
        }
        let known = self.low.literals.get(&id).copied();
        let object = known
            .unwrap_or_else(|| self.low.object(node, "literal", n, Lifetime::Local(self.id), false, span));
        self.low.literals.insert(id, object);
        Home::Static(object)
    }

    /// The variable in which a pointer is kept that is not initialised.
    pub(crate) fn uninitialised(&mut self, place: Place, scalar: &Scalar, name: String, span: Span) {
        match scalar {
            Scalar::Integer(integer) => {
                let input = Input { name, ty: integer.ty, kind: InputKind::Uninitialised, span };
                self.read_input(place, input, span);
            }
            Scalar::Pointer(_) => self.store(place, Expr::constant(integers::memory::WILD), span),
        }
    }

    /// How many elements of a node so many bytes are.
    fn elements(&mut self, bytes: ExprId, node: PointId) -> (Expr, bool) {
        let span = self.low.unit.expr(bytes).span;
        let size = element_size(&self.low.points, self.low.unit, self.low.options.data_model, node);
        let (value, _) = self.integer(bytes);
        let size = match (self.low.points.element(node), size) {
            (None, _) => 1,
            (_, Some(size)) => i128::from(size),
            (_, None) => 0,
        };
        let value = self.settled(value, span);
        match (divided(&value, size), size) {
            (Some(count), _) => (count, true),
            (None, 0) => {
                let unknown = Value::Unknown(Ty::Int(Integer::INT), "the size of a type".to_owned());
                (self.as_integer(unknown, span).0, true)
            }
            (None, _) => (value.binary(Op::Divide, Expr::constant(size)), false),
        }
    }

    /// `malloc` and its kind.
    pub(crate) fn allocation(
        &mut self,
        id: ExprId,
        name: &str,
        args: &[ExprId],
        span: Span,
    ) -> Option<Value> {
        let ty = Ty::Pointer(std::rc::Rc::new(Ty::Void.into()));
        let node = self.low.points.literal(id)?;
        if let Some(lost) = self.low.points.lost(node).cloned() {
            args.iter().for_each(|arg| self.effect(*arg));
            return Some(Value::Unknown(ty, lost.construct));
        }
        let class = self.low.class(node);
        let result = self.temporary(Type::POINTER, span);
        match (name, args) {
            ("malloc" | "kmalloc" | "kzalloc" | "alloca" | "__builtin_alloca", [bytes, ..]) => {
                let (count, _) = self.elements(*bytes, node);
                let storage = if name.ends_with("alloca") { Where::Frame } else { Where::Heap };
                let is_zeroed = name == "kzalloc";
                self.manage(Manage::Allocate { class, count, is_zeroed, storage, result }, span);
            }
            ("calloc", [count, size]) => {
                let (per, _) = self.elements(*size, node);
                let (n, _) = self.integer(*count);
                let n = self.settled(n, span);
                let count = if per.as_constant() == Some(1) { n } else { n.binary(Op::Multiply, per) };
                let storage = Where::Heap;
                self.manage(Manage::Allocate { class, count, is_zeroed: true, storage, result }, span);
            }
            ("realloc", [old, bytes]) => {
                let pointer = self.pointer(*old).ok()?;
                let pointer = self.settled(pointer, span);
                let (count, _) = self.elements(*bytes, node);
                self.manage(Manage::Reallocate { class, pointer, count, result }, span);
            }
            _ => return None,
        }
        Some(Value::Pointer(Expr::read(result), ty))
    }

    /// `free`.
    pub(crate) fn release_heap(&mut self, pointer: ExprId, span: Span) {
        match self.pointer(pointer) {
            Ok(pointer) => {
                let pointer = self.settled(pointer, span);
                self.manage(Manage::Release { pointer, storage: Where::Heap }, span);
            }
            Err(construct) => self.unchecked(&construct, span),
        }
    }

    /// `memset`, `memcpy` and `memmove`, by elements; nothing, if that is not possible.
    pub(crate) fn bulk(&mut self, name: &str, args: &[ExprId], span: Span) -> Option<Value> {
        let [to, other, bytes] = args else { return None };
        let node = self.low.points.value(*to)?;
        let class = self.class_of(node)?;
        let ty = self.type_of(*to).decayed();
        let pointer = self.pointer(*to).ok()?;
        let pointer = self.settled(pointer, span);
        let pointer = self.kept(pointer, Type::POINTER, span);
        if name.ends_with("memset") {
            let (byte, _) = self.integer(*other);
            let value = match (byte.as_constant(), self.low.points.element(node)) {
                (Some(0), _) => Expr::constant(0),
                (_, Some(crate::points::Element::Integer(integer))) if integer.ty.bits == 8 => {
                    self.settled(byte.unary(Op::Wrap(integer.ty)), span)
                }
                (Some(255 | -1), Some(crate::points::Element::Integer(integer))) => {
                    Expr::constant(if integer.ty.signed { -1 } else { integer.ty.max() })
                }
                _ => {
                    let unknown = Value::Unknown(Ty::Int(Integer::INT), "bytes of numbers".to_owned());
                    self.as_integer(unknown, span).0
                }
            };
            let count = self.whole(*bytes, node);
            self.manage(Manage::Fill { class, pointer: pointer.clone(), count, value }, span);
        } else {
            let from = self.pointer(*other).ok()?;
            let from = self.settled(from, span);
            let count = self.whole(*bytes, node);
            self.manage(Manage::Copy { class, to: pointer.clone(), from, count }, span);
        }
        Some(Value::Pointer(pointer, ty))
    }

    /// How many whole elements so many bytes are; unknown, if some may be parts.
    fn whole(&mut self, bytes: ExprId, node: PointId) -> Expr {
        let span = self.low.unit.expr(bytes).span;
        match self.elements(bytes, node) {
            (count, true) => count,
            (_, false) => {
                let unknown = Value::Unknown(Ty::Int(Integer::INT), "bytes of numbers".to_owned());
                self.as_integer(unknown, span).0
            }
        }
    }
}

/// A number of bytes divided by a size, where it is clear that nothing is left over. What does not fit a size is refused when it is allocated, so that nothing wraps here.
fn divided(bytes: &Expr, size: i128) -> Option<Expr> {
    if size == 1 {
        return Some(bytes.clone());
    }
    if let Some(number) = bytes.as_constant() {
        return (size > 0 && number % size == 0).then(|| Expr::constant(number / size));
    }
    let operands = bytes.operands();
    match (bytes.root(), &operands[..]) {
        (Op::Wrap(ty), [inner]) if ty.bits >= 32 => divided(inner, size),
        (Op::Within(_), [inner]) => divided(inner, size),
        (Op::Multiply, [left, right]) => {
            if let Some(count) = divided(right, size) {
                return Some(product(unwrapped(left), count));
            }
            divided(left, size).map(|count| product(unwrapped(right), count))
        }
        (Op::Add, [left, right]) => Some(divided(left, size)?.binary(Op::Add, divided(right, size)?)),
        _ => None,
    }
}

fn product(left: Expr, right: Expr) -> Expr {
    match (left.as_constant(), right.as_constant()) {
        (Some(1), _) => right,
        (_, Some(1)) => left,
        _ => left.binary(Op::Multiply, right),
    }
}

/// A number that is converted to a size: one that is negative would become too large, and is refused as it is.
fn unwrapped(expr: &Expr) -> Expr {
    match (expr.root(), &expr.operands()[..]) {
        (Op::Wrap(ty), [inner]) if ty.bits == 64 => inner.clone(),
        _ => expr.clone(),
    }
}

/// A function of which there may be several activations at once.
pub(crate) fn recursive(
    unit: &crate::syntax::Unit,
    taken: &[FnId],
    model: crate::types::DataModel,
) -> Vec<bool> {
    let n = unit.functions.len();
    let mut calls: Vec<(u32, u32)> = Vec::new();
    let mut is_recursive = vec![false; n];
    for (caller, function) in unit.functions.iter().enumerate() {
        let Some(body) = &function.body else { continue };
        for expr in &unit.exprs[body.exprs.clone()] {
            let ExprKind::Call(function, args) = &expr.kind else { continue };
            let mut at = *function;
            while let ExprKind::Unary(_, operand) = unit.expr(at).kind {
                at = operand;
            }
            let callees = match unit.expr(at).kind {
                ExprKind::Function(callee) => vec![callee],
                _ => crate::points::constraints::candidates(unit, taken, *function, args.len(), model),
            };
            for callee in callees {
                is_recursive[caller] |= callee.index() == caller;
                calls.push((caller as u32, callee.0));
            }
        }
    }
    let graph = base::Adjacency::new(n, calls.iter().copied());
    let components =
        base::Components::new(n).list(0..n as u32, |function| graph.of(function), |to| Some(*to));
    for component in components.iter().filter(|component| component.len() > 1) {
        component.iter().for_each(|function| is_recursive[*function as usize] = true);
    }
    is_recursive
}

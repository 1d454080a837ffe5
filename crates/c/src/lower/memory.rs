//! Objects in memory: where expressions are, what is read there, and what is stored.

use super::body::Builder;
use super::expression::{Value, convert};
use crate::points::{Element, PointId, count};
use crate::syntax::{ExprId, ExprKind, Unary, VarId};
use crate::token::Name;
use crate::types::{Integer, Ty};
use crate::typing::pointed;
use base::Span;
use integers::{Action, ClassId, Expr, Manage, ObjectId, Op, Place, RegionId, Step, Type, Unknown};

/// What a variable of the program holds, in terms of C.
#[derive(Clone, Debug)]
pub(crate) enum Scalar {
    Integer(Integer),
    /// A pointer of this type.
    Pointer(Ty),
}

impl Scalar {
    /// What a machine can keep in it.
    pub(crate) fn ty(&self) -> Type {
        match self {
            Scalar::Integer(integer) => integer.ty,
            Scalar::Pointer(ty) if is_function(ty) => Type::unsigned(64),
            Scalar::Pointer(_) => Type::POINTER,
        }
    }
}

/// Whether it is a pointer to a function.
pub(crate) fn is_function(ty: &Ty) -> bool {
    matches!(ty, Ty::Pointer(inner) if matches!(inner.bare, Ty::Function(_)))
}

/// Where an object of the text is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Home {
    Static(ObjectId),
    /// A local variable points to it.
    Frame(u32),
}

/// Where something can be stored.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    Variable(Place, Scalar),
    /// An object of this type that a pointer points to.
    Cell {
        pointer: Expr,
        node: PointId,
        ty: Ty,
    },
    /// Somewhere that is not represented: its type, and why.
    Lost(Ty, String),
}

impl Builder<'_, '_> {
    /// The node of the objects that an expression is, if they are represented; otherwise why not.
    fn node(&self, id: ExprId) -> Result<PointId, String> {
        let Some(node) = self.low.points.place(id) else { return Err("an object".to_owned()) };
        self.known(node)
    }

    fn known(&self, node: PointId) -> Result<PointId, String> {
        match self.low.points.lost(node) {
            Some(lost) => Err(lost.construct.clone()),
            None => Ok(node),
        }
    }

    /// Where an expression is.
    pub(crate) fn target(&mut self, id: ExprId) -> Target {
        let unit = self.low.unit;
        let ty = self.type_of(id);
        let found = match &unit.expr(id).kind {
            ExprKind::Var(var) => return self.variable_target(*var, ty),
            ExprKind::Unary(Unary::Deref, operand) => self.pointer(*operand),
            ExprKind::Index(array, index) => self.element(*array, *index),
            ExprKind::Member(record, name, is_arrow) => self.member(*record, *name, *is_arrow),
            ExprKind::Text(_) | ExprKind::Compound(..) => self.literal(id, &ty),
            _ => match self.value(id) {
                Value::Record(pointer, node) => return Target::Cell { pointer, node, ty },
                Value::Unknown(_, construct) => Err(construct),
                _ => Err("a value that is no object".to_owned()),
            },
        };
        match found.and_then(|pointer| Ok((pointer, self.node(id)?))) {
            Ok((pointer, node)) => Target::Cell { pointer, node, ty },
            Err(construct) => {
                // Where it was lost tells more than where it is used.
                let lost = self.low.points.place(id).and_then(|node| self.low.points.lost(node));
                let span = lost.map_or(unit.expr(id).span, |lost| lost.span);
                self.unchecked(&construct, span);
                Target::Lost(ty, construct)
            }
        }
    }

    /// An access that nobody sees whether it is right.
    pub(crate) fn unchecked(&mut self, construct: &str, span: Span) {
        if self.is_reachable() {
            let construct = construct.to_owned();
            self.low.program.memory.unchecked.push(Unknown { construct, span });
        }
    }

    fn variable_target(&mut self, var: VarId, ty: Ty) -> Target {
        if let Some((place, scalar)) = self.variable_place(var) {
            return Target::Variable(place, scalar);
        }
        let lost = self.low.points.var(var).and_then(|node| self.low.points.lost(node).cloned());
        if let Some(lost) = lost {
            return Target::Lost(ty, lost.construct);
        }
        match (self.home(var), self.low.points.var(var)) {
            (Some(home), Some(node)) => Target::Cell { pointer: address(home), node, ty },
            _ => Target::Lost(ty, self.low.unrepresented(var)),
        }
    }

    /// Where a variable is that is an object in memory.
    pub(crate) fn home(&self, var: VarId) -> Option<Home> {
        self.homes.get(&var).or_else(|| self.low.homes.get(&var)).copied()
    }

    /// The value of an expression that is a pointer.
    pub(crate) fn pointer(&mut self, id: ExprId) -> Result<Expr, String> {
        match self.value(id) {
            Value::Pointer(pointer, _) => Ok(pointer),
            Value::Integer(number, _) if number.as_constant() == Some(0) => Ok(number),
            Value::Unknown(_, construct) => Err(construct),
            _ => Err("a number as a pointer".to_owned()),
        }
    }

    fn element(&mut self, array: ExprId, index: ExprId) -> Result<Expr, String> {
        // `3[a]` is `a[3]`.
        let is_swapped = self.type_of(array).integer().is_some();
        let left = self.value(array);
        let left = self.protected(left, index);
        let right = self.value(index);
        let (pointer, index) = if is_swapped { (right, left) } else { (left, right) };
        match self.moved(pointer, index, Op::Add) {
            Value::Pointer(pointer, _) => Ok(pointer),
            Value::Unknown(_, construct) => Err(construct),
            _ => Err("a number as a pointer".to_owned()),
        }
    }

    /// A pointer moved by a number of elements.
    pub(crate) fn moved(&mut self, pointer: Value, by: Value, op: Op) -> Value {
        let (pointer, ty) = match pointer {
            Value::Pointer(pointer, ty) => (pointer, ty),
            Value::Integer(number, _) if number.as_constant() == Some(0) => {
                (number, Ty::Pointer(std::rc::Rc::new(Ty::Void.into())))
            }
            Value::Unknown(ty, construct) => return Value::Unknown(ty, construct),
            _ => return Value::Unknown(Ty::Other, "a number as a pointer".to_owned()),
        };
        let (by, integer) = match by {
            Value::Integer(by, integer) => (by, integer),
            Value::Unknown(_, construct) => return Value::Unknown(ty, construct),
            _ => return Value::Unknown(ty, "a pointer as a number".to_owned()),
        };
        // What is added to an address wraps.
        let word = self.low.options.data_model.word();
        let by = if !integer.ty.signed && integer.ty.bits >= word && by.as_constant().is_none() {
            by.unary(Op::Wrap(Type::signed(word)))
        } else {
            by.as_constant().map_or(by, |number| Expr::constant(Type::signed(word).wrap(number)))
        };
        let Some(scale) = count(&pointed(ty.clone()).bare) else {
            return Value::Unknown(ty, "an array whose length is not constant".to_owned());
        };
        let by = if scale == 1 { by } else { by.binary(Op::Multiply, Expr::constant(scale.into())) };
        if by.as_constant() == Some(0) {
            return Value::Pointer(pointer, ty);
        }
        Value::Pointer(pointer.binary(op, by), ty)
    }

    /// How many elements one pointer is behind another.
    pub(crate) fn distance(&mut self, left: Expr, right: Expr, ty: &Ty) -> Value {
        let integer = Integer::signed(self.low.options.data_model.word());
        let difference = left.binary(Op::Difference, right);
        match count(&pointed(ty.clone()).bare) {
            Some(1) => Value::Integer(difference, integer),
            Some(scale) => {
                Value::Integer(difference.binary(Op::Divide, Expr::constant(scale.into())), integer)
            }
            None => Value::Unknown(Ty::Int(integer), "an array whose length is not constant".to_owned()),
        }
    }

    fn member(&mut self, record: ExprId, name: Name, is_arrow: bool) -> Result<Expr, String> {
        let (pointer, node) = if is_arrow {
            let pointer = self.pointer(record)?;
            let node = self.low.points.value(record).ok_or("a number as a pointer")?;
            (pointer, self.known(node)?)
        } else {
            match self.target(record) {
                Target::Cell { pointer, node, .. } => (pointer, node),
                Target::Lost(_, construct) => return Err(construct),
                Target::Variable(..) => return Err("a member of a number".to_owned()),
            }
        };
        Ok(self.low.part(pointer, node, name))
    }

    /// What an object holds.
    pub(crate) fn held(&mut self, target: Target) -> Value {
        match target {
            Target::Variable(place, Scalar::Integer(integer)) => Value::Integer(Expr::read(place), integer),
            Target::Variable(place, Scalar::Pointer(ty)) => Value::Pointer(Expr::read(place), ty),
            Target::Lost(ty, construct) => Value::Unknown(ty, construct),
            Target::Cell { pointer, node, ty } => match &ty {
                Ty::Array(..) => Value::Pointer(pointer, ty.decayed()),
                Ty::Record(_) => Value::Record(pointer, node),
                Ty::Int(integer) => match self.region(node) {
                    Some((region, from)) => {
                        let load = pointer.unary(Op::Load(region));
                        Value::Integer(convert(load, from, *integer), *integer)
                    }
                    None => Value::Unknown(ty, "a number that is something else".to_owned()),
                },
                Ty::Pointer(_) => {
                    let lost = self.low.points.known_content(node).map(|content| self.known(content));
                    match (lost, is_function(&ty)) {
                        (Some(Err(construct)), false) => Value::Unknown(ty, construct),
                        _ => {
                            let region = self.low.region(node);
                            Value::Pointer(pointer.unary(Op::Load(region)), ty)
                        }
                    }
                }
                _ => {
                    let construct = ty.describe().to_owned();
                    Value::Unknown(ty, construct)
                }
            },
        }
    }

    /// The region of a node whose elements are integers, and their type.
    fn region(&mut self, node: PointId) -> Option<(RegionId, Integer)> {
        let Some(Element::Integer(integer)) = self.low.points.element(node) else { return None };
        Some((self.low.region(node), integer))
    }

    /// Stores a value where it belongs.
    pub(crate) fn put(&mut self, target: &Target, value: Value, span: Span) {
        match target {
            Target::Lost(..) => {}
            Target::Variable(place, scalar) => match self.converted(value, scalar) {
                Ok(value) => self.store(*place, value, span),
                Err(construct) => self.forget(&[*place], construct, span),
            },
            Target::Cell { pointer, node, ty } => self.put_cell(pointer, *node, ty, value, span),
        }
    }

    fn put_cell(&mut self, pointer: &Expr, node: PointId, ty: &Ty, value: Value, span: Span) {
        if let (Ty::Record(_), value) = (ty, &value) {
            match value {
                Value::Record(from, _) => self.copy(node, pointer.clone(), from.clone(), span),
                // Nothing is known about it from here on.
                _ => self.unchecked("a structure that is assigned something that is not represented", span),
            }
            return;
        }
        let (region, scalar) = match ty {
            Ty::Int(_) => match self.region(node) {
                Some((region, integer)) => (region, Scalar::Integer(integer)),
                None => return,
            },
            Ty::Pointer(_) => (self.low.region(node), Scalar::Pointer(ty.clone())),
            _ => return,
        };
        // A number is first converted to the type of the object, then to that of its region.
        let value = match (self.converted_first(value, ty), &scalar) {
            (Value::Integer(expr, from), Scalar::Integer(to)) => Ok(convert(expr, from, *to)),
            (value, scalar) => self.converted(value, scalar),
        };
        match value {
            Ok(value) => self.store_cell(region, pointer.clone(), value, span),
            Err(construct) => {
                let place = self.temporary(scalar.ty(), span);
                self.forget(&[place], construct, span);
                self.store_cell(region, pointer.clone(), Expr::read(place), span);
            }
        }
    }

    fn converted_first(&mut self, value: Value, ty: &Ty) -> Value {
        match (value, ty) {
            (Value::Integer(expr, from), Ty::Int(to)) => Value::Integer(convert(expr, from, *to), *to),
            (Value::Pointer(expr, _), Ty::Int(to)) if to.is_bool() => {
                let truth = expr.compare(integers::Relation::NotEqual, Expr::constant(0));
                Value::Integer(truth.unary(Op::Number), *to)
            }
            (value, _) => value,
        }
    }

    fn store_cell(&mut self, region: RegionId, pointer: Expr, value: Expr, span: Span) {
        let step =
            Step { stores: vec![(region, pointer, value)], ..Step::new(Expr::truth(true), Vec::new()) };
        self.act(Action::Step(step), span);
    }

    /// A value as a variable of the program holds it; or why that is not possible.
    pub(crate) fn converted(&mut self, value: Value, scalar: &Scalar) -> Result<Expr, String> {
        match (value, scalar) {
            (Value::Integer(expr, from), Scalar::Integer(to)) => Ok(convert(expr, from, *to)),
            (Value::Pointer(expr, _), Scalar::Integer(to)) if to.is_bool() => {
                let truth = expr.compare(integers::Relation::NotEqual, Expr::constant(0));
                Ok(truth.unary(Op::Number))
            }
            (Value::Pointer(..), Scalar::Integer(_)) => Err("a pointer as a number".to_owned()),
            (Value::Pointer(expr, _), Scalar::Pointer(_)) => Ok(expr),
            (Value::Integer(expr, _), Scalar::Pointer(_)) if expr.as_constant() == Some(0) => Ok(expr),
            (Value::Integer(..), Scalar::Pointer(_)) => Err("a number as a pointer".to_owned()),
            (Value::Record(..), _) => Err("a structure as a number".to_owned()),
            (Value::Unknown(_, construct), _) => Err(construct),
        }
    }

    /// Copies a structure.
    pub(crate) fn copy(&mut self, node: PointId, to: Expr, from: Expr, span: Span) {
        let class = self.low.class(node);
        let (to, from) = (self.settled(to, span), self.settled(from, span));
        self.manage(Manage::Copy { class, to, from, count: Expr::constant(1) }, span);
    }

    pub(crate) fn manage(&mut self, manage: Manage, span: Span) {
        self.act(Action::Manage(manage), span);
    }

    /// An expression without loads: what it loads is kept in variables.
    pub(crate) fn settled(&mut self, expr: Expr, span: Span) -> Expr {
        if !expr.has_loads() {
            return expr;
        }
        let mut kept: Vec<(Expr, Place)> = Vec::new();
        let settled = expr.fold(|op, operands: Vec<Expr>| {
            if let Op::Load(region) = op {
                let ty = self.low.program.memory.regions[region.index()].content.ty();
                let load = Expr::of(op, &operands);
                if let Some((_, place)) = kept.iter().find(|(other, _)| *other == load) {
                    return Expr::read(*place);
                }
                let place = self.temporary(ty, span);
                kept.push((load, place));
                return Expr::read(place);
            }
            Expr::of(op, &operands)
        });
        // A load within another reads the variable of the inner one, which comes first.
        for (load, place) in kept {
            self.store(place, load, span);
        }
        settled
    }

    /// The class of the objects that a pointer points to.
    pub(crate) fn class_of(&mut self, node: PointId) -> Option<ClassId> {
        self.low.points.lost(node).is_none().then(|| self.low.class(node))
    }
}

/// The pointer to the first element of an object.
pub(crate) fn address(home: Home) -> Expr {
    match home {
        Home::Static(object) => Expr::leaf(Op::Object(object)),
        Home::Frame(local) => Expr::read(Place::Local(local)),
    }
}

//! Assignments, to variables and to objects in memory.

use super::body::Builder;
use super::expression::{Value, convert};
use super::memory::{Scalar, Target};
use crate::syntax::{Binary, ExprId, ExprKind, Storage};
use crate::types::{Integer, Ty};
use crate::typing;
use base::Span;
use integers::{Expr, Place};

impl Builder<'_, '_> {
    /// Stores the value of an expression in a variable, converted.
    pub(crate) fn assign(&mut self, place: Place, scalar: &Scalar, value: ExprId, span: Span) {
        // The result of a call goes where it belongs at once, if its type is right.
        let value = match &self.low.unit.expr(value).kind {
            ExprKind::Call(function, args) => {
                let wanted = super::call::Wanted::At(place, scalar.ty(), span);
                self.call(value, *function, args, wanted)
            }
            _ => self.value(value),
        };
        match self.converted(value, scalar) {
            Ok(expr) if expr == Expr::read(place) => {}
            Ok(expr) => self.store(place, expr, span),
            // Whatever it is, the variable holds a value of its own type.
            Err(construct) => self.forget(&[place], construct, span),
        }
    }

    /// An assignment; its value is that of the left side afterwards.
    pub(crate) fn assignment(
        &mut self,
        id: ExprId,
        operator: Option<Binary>,
        left: ExprId,
        right: ExprId,
    ) -> Value {
        let target = self.assigned(id, operator, left, right);
        self.held(target)
    }

    /// An assignment for its effect.
    pub(crate) fn assigned(
        &mut self,
        id: ExprId,
        operator: Option<Binary>,
        left: ExprId,
        right: ExprId,
    ) -> Target {
        let span = self.low.unit.expr(id).span;
        if let ExprKind::Var(var) = self.low.unit.expr(left).kind {
            self.low.unordered_assignment(var, operator.is_some(), right, span);
        } else {
            self.low.unordered(&[left, right], span);
        }
        let target = self.target(left);
        match (target, operator) {
            (Target::Variable(place, scalar), None) => {
                self.assign(place, &scalar, right, span);
                Target::Variable(place, scalar)
            }
            (Target::Variable(place, scalar), Some(operator)) => {
                let old = self.held(Target::Variable(place, scalar.clone()));
                let old = self.protected(old, right);
                let right = self.value(right);
                let new = self.binary(operator, old, right);
                let target = Target::Variable(place, scalar);
                self.put(&target, new, span);
                target
            }
            (Target::Cell { pointer, node, ty }, operator) => {
                // The pointer is what it was when the left side was evaluated.
                let has_effects = self.low.unit.expr(right).has_effects;
                let pointer = match has_effects {
                    true => self.kept(pointer, integers::Type::POINTER, span),
                    false => self.settled(pointer, span),
                };
                let target = Target::Cell { pointer, node, ty };
                let new = match operator {
                    None => self.value(right),
                    Some(operator) => {
                        let old = self.held(target.clone());
                        let old = self.protected(old, right);
                        let right = self.value(right);
                        self.binary(operator, old, right)
                    }
                };
                self.put(&target, new, span);
                target
            }
            (Target::Lost(ty, construct), operator) => {
                let is_volatile = typing::is_volatile(self.low.unit, left, self.low.options.data_model);
                let is_kept = operator.is_none() && !is_volatile;
                self.lost(is_kept, right, ty, construct, span)
            }
        }
    }

    /// An assignment to something that is not represented: what it is worth is known nevertheless.
    fn lost(&mut self, is_kept: bool, right: ExprId, ty: Ty, construct: String, span: Span) -> Target {
        match (self.value(right), ty.integer()) {
            (Value::Integer(expr, from), Some(integer)) if is_kept => {
                let place = self.temporary(integer.ty, span);
                self.store(place, convert(expr, from, integer), span);
                Target::Variable(place, Scalar::Integer(integer))
            }
            _ => Target::Lost(ty, construct),
        }
    }

    /// Adds 1 or -1 to a variable or object.
    pub(crate) fn step(&mut self, id: ExprId, by: i8, target: &Target) {
        let span = self.low.unit.expr(id).span;
        let one = Value::Integer(Expr::constant(1), Integer::INT);
        let operator = if by > 0 { Binary::Add } else { Binary::Subtract };
        let old = self.held(target.clone());
        let new = self.binary(operator, old, one);
        self.put(target, new, span);
    }

    /// Where a step operates; its pointer stays what it is.
    pub(crate) fn stepped(&mut self, id: ExprId, operand: ExprId) -> Target {
        let span = self.low.unit.expr(id).span;
        match self.target(operand) {
            Target::Cell { pointer, node, ty } => {
                let pointer = self.settled(pointer, span);
                Target::Cell { pointer, node, ty }
            }
            target => target,
        }
    }

    /// The variables that functions of other files may change.
    pub(crate) fn visible_globals(&self) -> Vec<Place> {
        let mut visible: Vec<Place> = self
            .low
            .globals
            .iter()
            .filter(|(var, _)| matches!(self.low.unit.var(**var).storage, Storage::Global | Storage::Extern))
            .map(|(_, n)| Place::Global(*n))
            .collect();
        visible.sort_unstable();
        visible
    }
}

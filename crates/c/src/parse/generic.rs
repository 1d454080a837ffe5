//! Choices that are made while the program is read, and which expressions something can be stored in.

use super::{Parsed, Parser};
use crate::constant;
use crate::syntax::{ExprId, ExprKind};
use crate::types::{Qualified, Ty};
use crate::typing::{self, Place};

/// What is done to the place that an expression is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Store,
    Address,
}

impl Parser<'_> {
    /// `_Generic(expression, type: expression, default: expression)`: the expression whose type it is.
    pub(crate) fn generic(&mut self) -> Parsed<ExprId> {
        let first = self.at;
        self.at += 1;
        self.expect("(")?;
        let control = self.assignment()?;
        let control = typing::type_of(&self.unit, control, self.model).decayed();
        if matches!(control, Ty::Other | Ty::Enum(_)) {
            let message = "the type of this expression is not known here, so `_Generic` cannot choose by it";
            return Err(self.error(self.since(first + 2), message));
        }
        let mut types: Vec<Ty> = Vec::new();
        let (mut chosen, mut default) = (None, None);
        while self.take(",") {
            let at = self.at;
            let is_default = self.take_word(&["default"]);
            let ty = if is_default { None } else { Some(self.nested(|parser| parser.type_name())?) };
            let span = self.since(at);
            self.expect(":")?;
            let value = self.assignment()?;
            match ty {
                None if default.is_some() => {
                    return Err(self.error(span, "there is another `default` before"));
                }
                None => default = Some(value),
                Some(ty) => {
                    if types.iter().any(|other| other.is_compatible(&ty.bare)) {
                        return Err(self.error(span, "there is another choice for this type before"));
                    }
                    // A value has no qualifiers, so none is of a type that has some.
                    if !ty.is_const && !ty.is_volatile && ty.bare.is_compatible(&control) {
                        chosen = Some(value);
                    }
                    types.push(ty.bare);
                }
            }
        }
        self.expect(")")?;
        chosen.or(default).ok_or_else(|| {
            self.error(
                self.since(first),
                "no choice is for the type of the expression, and there is no `default`",
            )
        })
    }

    /// `__builtin_choose_expr(constant, expression, expression)`
    pub(crate) fn choose(&mut self) -> Parsed<ExprId> {
        self.at += 1;
        self.expect("(")?;
        let first = self.at;
        let condition = self.assignment()?;
        let span = self.since(first);
        self.expect(",")?;
        let yes = self.assignment()?;
        self.expect(",")?;
        let no = self.assignment()?;
        self.expect(")")?;
        match constant::evaluate(&self.unit, condition, self.model) {
            Some((value, _)) => Ok(if value != 0 { yes } else { no }),
            None => Err(self.error(span, "this is no constant, so that nothing can be chosen by it")),
        }
    }

    /// Something is stored in the place that an expression is, or its address is taken: it has to be one.
    pub(crate) fn expect_place(&self, expr: ExprId, access: Access) -> Parsed<()> {
        let span = self.unit.expr(expr).span;
        let ty = match typing::place_of(&self.unit, expr, self.model) {
            Place::Object(object) => object,
            Place::Value if access == Access::Address => {
                if matches!(self.unit.expr(expr).kind, ExprKind::Function(_)) {
                    return Ok(());
                }
                return Err(self.error(span, "this is a value, and has no address"));
            }
            Place::Value => return Err(self.no_place(expr)),
        };
        if access == Access::Address {
            return Ok(());
        }
        if let Ty::Array(..) | Ty::Function(_) = ty.bare {
            let message = format!("nothing can be stored in {} as a whole", ty.bare.describe());
            return Err(self.error(span, message));
        }
        if !self.is_const(&ty) {
            return Ok(());
        }
        match self.unit.expr(expr).kind {
            ExprKind::Var(var) => {
                let var = self.unit.var(var);
                let message =
                    format!("nothing can be stored in `{}`: it is `const`", self.names.text(var.name));
                Err(Box::new(self.error(span, message).note("it is declared here", Some(var.span))))
            }
            _ => Err(self.error(span, "nothing can be stored here: it is `const`")),
        }
    }

    fn no_place(&self, expr: ExprId) -> Box<base::Diagnostic> {
        let expr = self.unit.expr(expr);
        let message = match expr.kind {
            ExprKind::Function(_) => "nothing can be stored in a function",
            _ => {
                "nothing can be stored in a value; expected a variable, an element, a member or what a pointer points to"
            }
        };
        self.error(expr.span, message)
    }

    /// Whether an object is not to be changed, as a whole or in part.
    fn is_const(&self, ty: &Qualified) -> bool {
        let mut pending = vec![ty.clone()];
        let mut seen = Vec::new();
        while let Some(ty) = pending.pop() {
            if ty.is_const {
                return true;
            }
            match ty.bare {
                Ty::Array(element, _) => pending.push((*element).clone()),
                Ty::Record(id) if !seen.contains(&id) => {
                    seen.push(id);
                    let fields = self.unit.record(id).fields.iter().flatten();
                    pending.extend(fields.map(|field| field.ty.clone()));
                }
                _ => {}
            }
        }
        false
    }
}

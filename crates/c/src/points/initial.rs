//! Initial values in braces, taken apart: which expression belongs to which part of an object.

use super::count;
use crate::syntax::{Designator, ExprId, ExprKind, Init, Part, Unit};
use crate::token::Name;
use crate::types::{DataModel, Ty};
use crate::typing::{resolved, type_of};

/// A way into an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Into {
    Member(Name),
    /// So many elements of the array.
    Element(u64),
}

/// A part of an object, and the expression that it is given: a number, a pointer, a whole structure, or a text for an array.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    pub(crate) path: Vec<Into>,
    pub(crate) ty: Ty,
    pub(crate) value: ExprId,
}

/// The parts of an object of a type that are given something; nothing, if it cannot be told.
pub(crate) fn leaves(unit: &Unit, ty: &Ty, init: &Init, model: DataModel) -> Option<Vec<Leaf>> {
    let mut taken = Taken { unit, model, path: Vec::new(), leaves: Vec::new() };
    taken.fill(ty, init)?;
    Some(taken.leaves)
}

struct Taken<'u> {
    unit: &'u Unit,
    model: DataModel,
    path: Vec<Into>,
    leaves: Vec<Leaf>,
}

/// The most elements that a range of designators names.
const MOST: u64 = 1 << 16;

impl Taken<'_> {
    fn leaf(&mut self, ty: &Ty, value: ExprId) {
        self.leaves.push(Leaf { path: self.path.clone(), ty: ty.clone(), value });
    }

    fn fill(&mut self, ty: &Ty, init: &Init) -> Option<()> {
        let ty = resolved(self.unit, ty.clone());
        let is_aggregate = matches!(ty, Ty::Array(..) | Ty::Record(_));
        match init {
            Init::Value(value) if !is_aggregate || self.is_whole(&ty, *value) => self.leaf(&ty, *value),
            Init::Value(_) => return None,
            Init::List(parts) => match &parts[..] {
                [] => {}
                // A text may have braces around it.
                [Part { at, init: Init::Value(value) }]
                    if at.is_empty() && is_aggregate && self.is_whole(&ty, *value) =>
                {
                    self.leaf(&ty, *value);
                }
                [Part { init, .. }, ..] if !is_aggregate => self.fill(&ty, init)?,
                _ => {
                    let mut rest = &parts[..];
                    self.aggregate(&ty, &mut rest, true)?;
                }
            },
        }
        Some(())
    }

    /// Whether an expression is all of an array or structure.
    fn is_whole(&self, ty: &Ty, value: ExprId) -> bool {
        match ty {
            Ty::Record(_) => type_of(self.unit, value, self.model) == *ty,
            Ty::Array(element, _) => {
                matches!(self.unit.expr(value).kind, ExprKind::Text(_))
                    && matches!(&element.bare, Ty::Int(integer) if integer.ty.bits == 8)
            }
            _ => true,
        }
    }

    /// The part at a position, and its type.
    fn part(&self, ty: &Ty, position: u64) -> Option<(Into, Ty)> {
        match ty {
            Ty::Array(element, length) => {
                let is_in = length.is_none_or(|length| position < length);
                is_in.then(|| (Into::Element(position), element.bare.clone()))
            }
            Ty::Record(id) => {
                let record = self.unit.record(*id);
                let field = record.fields.as_ref()?.get(usize::try_from(position).ok()?)?;
                let is_in = !record.is_union || position == 0;
                is_in.then(|| (Into::Member(field.name), field.ty.bare.clone()))
            }
            _ => None,
        }
    }

    /// Goes through the parts of an array or structure; without braces it takes what it needs.
    fn aggregate(&mut self, ty: &Ty, rest: &mut &[Part], has_braces: bool) -> Option<()> {
        let mut position = 0;
        while let [part, others @ ..] = *rest {
            if let Some((first, deeper)) = part.at.split_first() {
                if !has_braces {
                    return Some(());
                }
                *rest = others;
                position = self.designated(ty, first, deeper, &part.init)?;
                continue;
            }
            let Some((into, sub)) = self.part(ty, position) else {
                // There is more than there is room for; without braces it belongs to what is around.
                return if has_braces { None } else { Some(()) };
            };
            self.path.push(into);
            self.next(&sub, rest)?;
            self.path.pop();
            position += 1;
        }
        Some(())
    }

    /// The next value, or several of them, for a part of this type.
    fn next(&mut self, ty: &Ty, rest: &mut &[Part]) -> Option<()> {
        let ty = resolved(self.unit, ty.clone());
        let [part, others @ ..] = *rest else { return Some(()) };
        let is_spread = match &part.init {
            Init::Value(value) => matches!(ty, Ty::Array(..) | Ty::Record(_)) && !self.is_whole(&ty, *value),
            Init::List(_) => false,
        };
        if is_spread {
            return self.aggregate(&ty, rest, false);
        }
        *rest = others;
        self.fill(&ty, &part.init)
    }

    /// What designators lead to; gives the position behind it.
    fn designated(&mut self, ty: &Ty, first: &Designator, deeper: &[Designator], init: &Init) -> Option<u64> {
        let (from, to) = match (first, ty) {
            (Designator::Member(name), Ty::Record(id)) => {
                let fields = self.unit.record(*id).fields.as_ref()?;
                let at = fields.iter().position(|field| field.name == *name)? as u64;
                (at, at)
            }
            (Designator::Elements(range), Ty::Array(..)) => (*range)?,
            _ => return None,
        };
        if to.checked_sub(from)? > MOST {
            return None;
        }
        for position in from..=to {
            let (into, sub) = match (ty, first) {
                // Of a union any member may be named.
                (Ty::Record(id), Designator::Member(name)) => {
                    let field = self.unit.record(*id).fields.as_ref()?.get(position as usize)?;
                    (Into::Member(*name), field.ty.bare.clone())
                }
                _ => self.part(ty, position)?,
            };
            self.path.push(into);
            match deeper.split_first() {
                Some((next, deeper)) => _ = self.designated(&sub, next, deeper, init)?,
                None => self.fill(&sub, init)?,
            }
            self.path.pop();
        }
        Some(to + 1)
    }
}

/// How many elements of the innermost kind a way into an array passes.
pub(crate) fn scale(ty: &Ty) -> u64 {
    count(ty).unwrap_or(1)
}

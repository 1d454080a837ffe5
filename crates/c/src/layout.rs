//! How large objects are, and where the members of a structure lie.

use crate::syntax::Unit;
use crate::types::{DataModel, Ty};

impl Unit {
    /// Size and alignment of a type in bytes, if they are known.
    pub(crate) fn layout(&self, ty: &Ty, model: DataModel) -> Option<(u64, u64)> {
        let word = u64::from(model.word() / 8);
        let aligned = |size: u64| (size, if model == DataModel::Ilp32 { size.min(4) } else { size });
        match ty {
            Ty::Void | Ty::Function(_) => Some((1, 1)),
            Ty::Int(integer) => Some(aligned(u64::from(integer.ty.bits).div_ceil(8))),
            Ty::Enum(id) => self.layout(&Ty::Int(self.enumeration(*id)?), model),
            Ty::Float(16) if model == DataModel::Ilp32 => Some((12, 4)),
            Ty::Float(size) => Some(aligned((*size).into())),
            Ty::Pointer(_) => Some((word, word)),
            Ty::Array(element, count) => {
                let (size, align) = self.layout(&element.bare, model)?;
                Some((size.checked_mul((*count)?)?, align))
            }
            Ty::Record(id) => self.record(*id).layout,
            Ty::Other => None,
        }
    }
}

/// The layout of a structure or union while its members are read.
pub(crate) struct Placement {
    is_union: bool,
    /// Size and alignment so far, if they are known.
    layout: Option<(u64, u64)>,
}

impl Placement {
    pub(crate) fn new(is_union: bool) -> Self {
        Self { is_union, layout: Some((0, 1)) }
    }

    /// Adds a member of this size and alignment; where it begins, if that is known.
    pub(crate) fn add(&mut self, member: Option<(u64, u64)>) -> Option<u64> {
        let begins = match (self.layout, member) {
            (Some((size, _)), Some((_, at))) if !self.is_union => size.checked_next_multiple_of(at),
            (Some(_), Some(_)) => Some(0),
            _ => None,
        };
        self.layout = match (self.layout, member) {
            (Some((size, align)), Some((more, at))) if self.is_union => Some((size.max(more), align.max(at))),
            (Some((size, align)), Some((more, at))) => {
                let from = size.checked_next_multiple_of(at);
                from.and_then(|from| from.checked_add(more)).map(|size| (size, align.max(at)))
            }
            _ => None,
        };
        begins
    }

    /// Size and alignment of the whole.
    pub(crate) fn whole(self) -> Option<(u64, u64)> {
        let (size, align) = self.layout?;
        Some((size.checked_next_multiple_of(align)?, align))
    }
}

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
    /// Size in bits, and alignment in bytes, so far, if they are known.
    layout: Option<(u64, u64)>,
}

impl Placement {
    pub(crate) fn new(is_union: bool) -> Self {
        Self { is_union, layout: Some((0, 1)) }
    }

    /// Adds a member of this size and alignment, in bytes; the byte where it begins, if that is known.
    pub(crate) fn add(&mut self, member: Option<(u64, u64)>) -> Option<u64> {
        let begins = match (self.layout, member) {
            (Some((size, _)), Some((_, at))) if !self.is_union => {
                size.div_ceil(8).checked_next_multiple_of(at)
            }
            (Some(_), Some(_)) => Some(0),
            _ => None,
        };
        self.layout = begins.and_then(|begins| {
            let ((size, align), (more, at)) = (self.layout?, member?);
            Some((size.max(begins.checked_add(more)?.checked_mul(8)?), align.max(at)))
        });
        begins
    }

    /// Adds so many bits of a type of this size and alignment in bytes, as compilers for Unix do: they lie in one object of their type, behind one another as far as that allows. None of them end the object. Bits without a name do not align what
    /// is around them.
    pub(crate) fn add_bits(&mut self, unit: Option<(u64, u64)>, bits: u64, has_name: bool) {
        self.layout = self.layout.zip(unit).and_then(|((size, align), (unit, at))| {
            let align = if has_name { align.max(at) } else { align };
            if self.is_union {
                return Some((size.max(bits), align));
            }
            let step = at.checked_mul(8)?;
            let is_within = (size % step).checked_add(bits)? <= unit.checked_mul(8)?;
            let begins = if bits == 0 || !is_within { size.checked_next_multiple_of(step)? } else { size };
            Some((begins.checked_add(bits)?, align))
        });
    }

    /// Size and alignment of the whole, in bytes.
    pub(crate) fn whole(self) -> Option<(u64, u64)> {
        let (size, align) = self.layout?;
        Some((size.div_ceil(8).checked_next_multiple_of(align)?, align))
    }
}

//! Paths: which part of which variable, which number, or which enumerator a path means.
//!
//! An index may be a variable of range sort. Then the path has no meaning by itself: the atom around it is
//! split by the values of the index, and the path is resolved again under each of them.

use super::Checker;
use super::binders::Entry;
use super::types::{Base, Shape};
use crate::syntax::{ExprId, ExprKind, IndexBase, Name, PathId, Segment, Symbol};
use crate::system::{SortId, SortKind, VarId};
use base::{Diagnostic, Span};
use std::ops::Range;

/// An enumerator of more sorts than this is described by the first of them.
const MAX_SORTS: usize = 5;

/// A part of a variable: a contiguous stretch of its leaves.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) shape: Shape,
    pub(super) first: VarId,
}

/// The values of index variables in one branch of a split.
pub(super) type Assumed = [(VarId, u32)];

/// What a path means.
pub(super) enum Meaning {
    Place(Place),
    /// A bit of the number of a scalar's value, the least significant one being 0.
    Bit(VarId, u32),
    /// A number; one that is written out or a `#param` must fit its place, a position need not.
    Number(i128, Written),
    /// `true` or `false`.
    Truth(bool),
    Enumerator(Symbol),
    /// An index is outside its array: the atom is false.
    Outside,
    /// The meaning depends on an index: these are the values for which it is inside its array.
    Split(VarId, Range<u32>),
    /// An error is reported.
    Wrong,
}

/// Where a number comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Written {
    Literally,
    AsPosition,
    /// By adding to a variable of this sort, which it is in.
    AsSum(SortId),
}

/// A path whose index is being resolved.
struct Waiting<'f> {
    segments: &'f [Segment],
    at: usize,
    place: Option<Place>,
    span: Span,
}

impl Waiting<'_> {
    /// The place of a part of the path.
    fn part(&self, start: u32, end: u32) -> Span {
        let shift = |n: u32| self.span.start.saturating_add(n);
        Span { start: shift(start), end: shift(end), ..self.span }
    }
}

impl<'f> Checker<'f> {
    /// The meaning of an expression that may be a term.
    pub(super) fn term(&mut self, expr: ExprId, assumed: &Assumed) -> Meaning {
        match self.file.expr(expr).kind {
            ExprKind::Number(number) => Meaning::Number(i128::from(number), Written::Literally),
            ExprKind::Constant(value) => Meaning::Truth(value),
            ExprKind::Path(path) => self.path(path, self.file.expr(expr).span, assumed),
            ExprKind::Sum(operand, added) => self.sum(operand, added, assumed),
            _ => unreachable!("only numbers, constants, paths and sums are terms"),
        }
    }

    /// The meaning of a term where a value of a type is expected. As in MUCKE, a name that is both a value of that type and a
    /// variable is the value here.
    pub(super) fn term_of(&mut self, expr: ExprId, shape: Shape, assumed: &Assumed) -> Meaning {
        let (file, Some(sort)) = (self.file, shape.scalar()) else { return self.term(expr, assumed) };
        if let ExprKind::Path(path) = file.expr(expr).kind
            && let [Segment { symbol, index: None, .. }] = *file.paths.segments(path)
            && self.scope.get(symbol).is_some()
            && self.types.enumerators.get(&symbol).is_some_and(|known| known.of(sort).is_some())
        {
            let (name, sort) = (self.text(symbol), &self.system.sorts[sort.index()].name);
            let message = format!("`{name}` is the value of `{sort}` here, not the variable of that name");
            self.sink.push(Diagnostic::warning(file.expr(expr).span, message));
            return Meaning::Enumerator(symbol);
        }
        self.term(expr, assumed)
    }

    /// Whether an expression is a term; anything else is a formula.
    pub(super) fn is_term(&self, expr: ExprId) -> bool {
        matches!(
            self.file.expr(expr).kind,
            ExprKind::Number(_) | ExprKind::Constant(_) | ExprKind::Path(_) | ExprKind::Sum(..)
        )
    }

    /// A number with something added to it. That of a variable is outside where it leaves the variable's range.
    fn sum(&mut self, operand: ExprId, added: i64, assumed: &Assumed) -> Meaning {
        let meaning = self.term(operand, assumed);
        let place = match meaning {
            Meaning::Number(number, written) => {
                return Meaning::Number(number + i128::from(added), written);
            }
            Meaning::Outside | Meaning::Split(..) | Meaning::Wrong => return meaning,
            Meaning::Place(place) => Some(place),
            Meaning::Bit(..) | Meaning::Truth(_) | Meaning::Enumerator(_) => None,
        };
        let sort = place.and_then(|place| Some((place.first, place.shape.scalar()?)));
        let range = sort.map(|(_, sort)| &self.system.sorts[sort.index()].kind);
        let (Some((var, sort)), Some(&SortKind::Range { low, high })) = (sort, range) else {
            let found = self.describe(&meaning);
            let message = format!("expected a number or a variable of range type, found {found}");
            self.error(self.file.expr(operand).span, message);
            return Meaning::Wrong;
        };
        let (low, added) = (i128::from(low), i128::from(added));
        let size = i128::from(high) - low + 1;
        let inside = (-added).clamp(0, size)..(size - added).clamp(0, size);
        match assumed.iter().find(|(known, _)| *known == var) {
            Some((_, value)) if !inside.contains(&i128::from(*value)) => Meaning::Outside,
            Some((_, value)) => Meaning::Number(low + i128::from(*value) + added, Written::AsSum(sort)),
            None => {
                // A range of 2^32 values ends one past the largest value number.
                let clip = |n: i128| u32::try_from(n).unwrap_or(u32::MAX);
                Meaning::Split(var, clip(inside.start)..clip(inside.end))
            }
        }
    }

    /// Walks a path; indices are paths again and wait on a stack.
    fn path(&mut self, path: PathId, span: Span, assumed: &Assumed) -> Meaning {
        let file = self.file;
        let open = |path, span| Waiting { segments: file.paths.segments(path), at: 0, place: None, span };
        let mut stack: Vec<Waiting<'f>> = Vec::new();
        let mut path = open(path, span);
        let mut inner: Option<Meaning> = None;
        loop {
            let segment = path.segments[path.at];
            let index_now = match segment.index {
                None => None,
                Some(index) => {
                    let span = path.part(index.start, index.end);
                    let meaning = match (index.base, inner.take()) {
                        (IndexBase::Number(number), _) => {
                            Meaning::Number(i128::from(number), Written::Literally)
                        }
                        (IndexBase::Path(_), Some(meaning)) => meaning,
                        (IndexBase::Path(inner), None) => {
                            stack.push(path);
                            path = open(inner, span);
                            continue;
                        }
                    };
                    Some((meaning, index.offset, span))
                }
            };
            let meaning = match self.step(&path, segment) {
                Meaning::Place(place) => match index_now {
                    None => Meaning::Place(place),
                    Some((index, offset, span)) => self.element(place, index, offset, span, assumed),
                },
                Meaning::Wrong => Meaning::Wrong,
                number if index_now.is_none() && path.segments.len() == 1 => number,
                _ => self.no_array(file.name_at(segment.symbol, path.span, segment.start)),
            };
            match meaning {
                Meaning::Place(place) if path.at + 1 < path.segments.len() => {
                    path.at += 1;
                    path.place = Some(place);
                    continue;
                }
                Meaning::Bit(..) if path.at + 1 < path.segments.len() => {
                    let next = path.segments[path.at + 1];
                    let message = format!("a bit has no member `{}`", self.text(next.symbol));
                    self.error(path.part(next.start, next.end), message);
                    return Meaning::Wrong;
                }
                Meaning::Outside | Meaning::Split(..) | Meaning::Wrong => return meaning,
                _ => {}
            }
            let Some(outer) = stack.pop() else { return meaning };
            inner = Some(meaning);
            path = outer;
        }
    }

    /// The value a segment names, before its index: a variable at the beginning, then members.
    fn step(&mut self, path: &Waiting<'f>, segment: Segment) -> Meaning {
        let Some(place) = path.place else { return self.variable(path, segment) };
        match place.shape {
            Shape { base: Base::Class(class), length: None } => {
                let class = self.types.class(class);
                match class.by_name.get(&segment.symbol) {
                    Some(&member) => {
                        let member = class.members[member];
                        let first = shifted(place.first, member.offset);
                        Meaning::Place(Place { shape: member.shape, first })
                    }
                    None => {
                        self.no_member(place, self.file.name_at(segment.symbol, path.span, segment.start))
                    }
                }
            }
            shape => {
                let found = self.shape_name(shape);
                let place = path.span;
                let message = match shape.length {
                    Some(_) => format!(
                        "expected an index, found member `{}` of the array `{found}`",
                        self.text(segment.symbol)
                    ),
                    None => {
                        format!("`{found}` is not a class and has no member `{}`", self.text(segment.symbol))
                    }
                };
                self.error(place, message);
                Meaning::Wrong
            }
        }
    }

    fn variable(&mut self, path: &Waiting<'f>, segment: Segment) -> Meaning {
        let symbol = segment.symbol;
        match self.scope.get(symbol) {
            Some(Entry::Variable(shape, first)) => return Meaning::Place(Place { shape, first }),
            Some(Entry::Position(position)) => return Meaning::Number(position, Written::AsPosition),
            Some(Entry::Unknown) => return Meaning::Wrong,
            None => {}
        }
        if let Some(value) = self.params.get(&symbol) {
            return Meaning::Number(i128::from(*value), Written::Literally);
        }
        if self.types.enumerators.contains_key(&symbol) {
            return Meaning::Enumerator(symbol);
        }
        self.undefined_variable(self.file.name_at(symbol, path.span, segment.start));
        Meaning::Wrong
    }

    fn undefined_variable(&mut self, name: Name) {
        if let Some(is_open) = &mut self.open {
            *is_open = true;
            return;
        }
        let (file, text) = (self.file, self.text(name.symbol));
        if file.is_partial {
            return;
        }
        if self.relations.contains_key(&name.symbol) {
            let message = format!("`{text}` is a relation: expected its arguments in brackets behind it");
            return self.error(name.span, message);
        }
        let scope = self.scope.names().chain(self.params.keys().copied());
        let known = scope.chain(self.types.enumerators.keys().copied()).map(|s| file.names.text(s));
        let near = self.sink.suggestion(text, known);
        self.error(name.span, format!("there is no variable or enumerator `{text}`{near}"));
    }

    fn no_member(&mut self, place: Place, name: Name) -> Meaning {
        let Base::Class(class) = place.shape.base else { return Meaning::Wrong };
        let (file, text) = (self.file, self.text(name.symbol));
        let class = &self.types.classes[class.index()];
        let known = class.members.iter().map(|member| file.names.text(member.name));
        let near = self.sink.suggestion(text, known);
        let message = format!("the class `{}` has no member `{text}`{near}", file.names.text(class.name));
        let declared = class.span;
        self.sink.push(Diagnostic::error(name.span, message).note("it is declared here", Some(declared)));
        Meaning::Wrong
    }

    /// A number or an enumerator was used as if it were a variable with parts.
    fn no_array(&mut self, name: Name) -> Meaning {
        let message = format!("`{}` is a constant and has no parts", self.text(name.symbol));
        self.error(name.span, message);
        Meaning::Wrong
    }

    /// The element of an array.
    fn element(
        &mut self,
        array: Place,
        index: Meaning,
        offset: i64,
        span: Span,
        assumed: &Assumed,
    ) -> Meaning {
        let bits = self.n_bits(array.shape);
        let Some(length) = array.shape.length.or(bits) else {
            let found = self.shape_name(array.shape);
            self.error(span, format!("`{found}` is not an array and has no elements"));
            return Meaning::Wrong;
        };
        let (number, written) = match index {
            Meaning::Number(number, written) => (number, written),
            Meaning::Place(place) => match self.index_variable(place, offset, length, span, assumed) {
                Ok(number) => (number, Written::AsPosition),
                Err(meaning) => return meaning,
            },
            _ => {
                self.error(span, "expected a number or a variable of range type as index");
                return Meaning::Wrong;
            }
        };
        let number = number + i128::from(offset);
        if (0..i128::from(length)).contains(&number) {
            if bits.is_some() {
                return Meaning::Bit(array.first, number as u32);
            }
            let shape = Shape { length: None, ..array.shape };
            let size = self.types.base_size(shape.base);
            let offset = size.saturating_mul(u64::try_from(number).unwrap_or(0));
            return Meaning::Place(Place { shape, first: shifted(array.first, offset) });
        }
        if written == Written::AsPosition {
            return Meaning::Outside;
        }
        let found = self.shape_name(array.shape);
        let message = match bits {
            Some(1) => format!("the index {number} is outside `{found}`, whose values have 1 bit"),
            Some(bits) => format!("the index {number} is outside `{found}`, whose values have {bits} bits"),
            None => format!("the index {number} is outside the array `{found}`"),
        };
        self.error(span, message);
        Meaning::Wrong
    }

    /// How many bits the numbers of a range's or enumeration's values have.
    fn n_bits(&self, shape: Shape) -> Option<u64> {
        let sort = &self.system.sorts[shape.scalar()?.index()];
        match sort.kind {
            SortKind::Bool => None,
            SortKind::Enum(_) | SortKind::Range { .. } => {
                Some(u64::from(u64::BITS - (sort.size() - 1).leading_zeros()))
            }
        }
    }

    /// The number an index variable stands for in this branch, or what must be known first.
    fn index_variable(
        &mut self,
        place: Place,
        offset: i64,
        length: u64,
        span: Span,
        assumed: &Assumed,
    ) -> Result<i128, Meaning> {
        let range = place.shape.scalar().map(|sort| &self.system.sorts[sort.index()].kind);
        let Some(&SortKind::Range { low, high }) = range else {
            let found = self.shape_name(place.shape);
            self.error(
                span,
                format!("expected a number or a variable of range type as index, found `{found}`"),
            );
            return Err(Meaning::Wrong);
        };
        let low = i128::from(low);
        if let Some((_, value)) = assumed.iter().find(|(var, _)| *var == place.first) {
            return Ok(low + i128::from(*value));
        }
        // low + value + offset must lie in 0..length.
        let size = i128::from(high) - low + 1;
        let start = (-low - i128::from(offset)).clamp(0, size);
        let end = (i128::from(length) - low - i128::from(offset)).clamp(start, size);
        // A range of 2^32 values ends one past the largest value number.
        let clip = |n: i128| u32::try_from(n).unwrap_or(u32::MAX);
        Err(Meaning::Split(place.first, clip(start)..clip(end)))
    }

    /// What was found, for messages.
    pub(super) fn describe(&self, meaning: &Meaning) -> String {
        match meaning {
            Meaning::Place(place) => format!("`{}`", self.shape_name(place.shape)),
            Meaning::Number(_, Written::AsSum(sort)) => {
                format!("`{}`", self.system.sorts[sort.index()].name)
            }
            Meaning::Number(number, _) => format!("the number {number}"),
            Meaning::Truth(_) | Meaning::Bit(..) => "`bool`".to_owned(),
            Meaning::Enumerator(name) => {
                let known = self.types.enumerators[name].all();
                let mut sorts: Vec<String> = known
                    .iter()
                    .take(MAX_SORTS)
                    .map(|(sort, _)| format!("`{}`", self.system.sorts[sort.index()].name))
                    .collect();
                if known.len() > MAX_SORTS {
                    sorts.push(format!("{} more", known.len() - MAX_SORTS));
                }
                format!("`{}` of {}", self.text(*name), sorts.join(" and "))
            }
            Meaning::Outside | Meaning::Split(..) | Meaning::Wrong => "nothing".to_owned(),
        }
    }
}

/// The leaf that stands so many behind `first`. Only classes that no binder may have are too large for this.
fn shifted(first: VarId, by: u64) -> VarId {
    VarId(u32::try_from(u64::from(first.0).saturating_add(by)).unwrap_or(u32::MAX))
}

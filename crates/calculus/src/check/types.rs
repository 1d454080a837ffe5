//! Sorts, classes and how their values are laid out in leaves.
//!
//! Invariant: the leaves of a value are numbered in declaration order, so every part of a value is a
//! contiguous stretch of its leaves.

use super::Checker;
use crate::syntax::{Const, Declaration, Directive, ItemKind, Name, Symbol, TypeName, Values};
use crate::system::{Allocation, BOOL, Sort, SortId, SortKind, Storage};
use base::{Diagnostic, Span};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::rc::Rc;

/// A value with more leaves than this is refused.
const MAX_LEAVES: u64 = 1_000_000;

/// So is one whose leaves' paths are longer than this, all together: it takes classes nested very deeply.
const MAX_PATHS: u64 = 1 << 26;

base::index_type! {
    /// A class.
    ClassId;
}

/// A type that has a name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Base {
    Sort(SortId),
    Class(ClassId),
}

/// The type of a value: a named type or an array of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Shape {
    pub(super) base: Base,
    pub(super) length: Option<u64>,
}

impl Shape {
    pub(super) fn scalar(self) -> Option<SortId> {
        match self {
            Shape { base: Base::Sort(sort), length: None } => Some(sort),
            _ => None,
        }
    }
}

pub(super) struct Class {
    pub(super) name: Symbol,
    pub(super) span: Span,
    pub(super) members: Vec<Member>,
    pub(super) by_name: FxHashMap<Symbol, usize>,
    /// The number of leaves.
    pub(super) size: u64,
    /// The lengths of their paths, all together and at most.
    pub(super) paths: u64,
    pub(super) constraints: Vec<ClassConstraint>,
}

#[derive(Clone, Copy)]
pub(super) struct Member {
    pub(super) name: Symbol,
    pub(super) span: Span,
    pub(super) shape: Shape,
    /// The number of leaves before it.
    pub(super) offset: u64,
}

/// An allocation constraint between stretches of a class's leaves.
#[derive(Clone)]
pub(super) struct ClassConstraint {
    pub(super) kind: Allocation,
    pub(super) left: Range<u64>,
    pub(super) right: Range<u64>,
    pub(super) span: Span,
}

/// The leaves of a shape, and where classes with constraints stand in it.
pub(super) struct Layout {
    pub(super) leaves: Vec<(String, SortId)>,
    pub(super) constrained: Vec<(ClassId, u64)>,
}

/// In which sorts a name is an enumerator, and its value there.
pub(super) enum Enumerator {
    One(SortId, u32),
    Several(Vec<(SortId, u32)>),
}

impl Enumerator {
    /// All sorts with their values, ordered by sort.
    pub(super) fn all(&self) -> Vec<(SortId, u32)> {
        match self {
            Enumerator::One(sort, value) => vec![(*sort, *value)],
            Enumerator::Several(all) => all.clone(),
        }
    }

    pub(super) fn of(&self, sort: SortId) -> Option<u32> {
        match self {
            Enumerator::One(one, value) => (*one == sort).then_some(*value),
            Enumerator::Several(all) => {
                all.binary_search_by_key(&sort, |(one, _)| *one).ok().map(|at| all[at].1)
            }
        }
    }

    /// Adds a sort behind all that are known.
    fn add(&mut self, sort: SortId, value: u32) {
        match self {
            Enumerator::One(first, first_value) => {
                *self = Enumerator::Several(vec![(*first, *first_value), (sort, value)]);
            }
            Enumerator::Several(all) => all.push((sort, value)),
        }
    }
}

#[derive(Default)]
pub(super) struct Types {
    pub(super) by_name: FxHashMap<Symbol, Base>,
    pub(super) classes: Vec<Class>,
    pub(super) enumerators: FxHashMap<Symbol, Enumerator>,
    layouts: FxHashMap<Shape, Rc<Layout>>,
}

impl Types {
    pub(super) fn class(&self, id: ClassId) -> &Class {
        &self.classes[id.index()]
    }

    pub(super) fn base_size(&self, base: Base) -> u64 {
        match base {
            Base::Sort(_) => 1,
            Base::Class(class) => self.class(class).size,
        }
    }

    /// The lengths of the paths of all leaves together, at most `u64::MAX`.
    fn paths(&self, shape: Shape) -> u64 {
        let inner = match shape.base {
            Base::Sort(_) => 0,
            Base::Class(class) => self.class(class).paths,
        };
        let Some(length) = shape.length else { return inner };
        // An index is two brackets and the digits of at most the length.
        let index = u64::from(length.checked_ilog10().unwrap_or(0)) + 3;
        inner.saturating_mul(length).saturating_add(self.size(shape).saturating_mul(index))
    }

    /// The number of leaves, at most `u64::MAX`.
    pub(super) fn size(&self, shape: Shape) -> u64 {
        self.base_size(shape.base).saturating_mul(shape.length.unwrap_or(1))
    }
}

impl Checker<'_> {
    /// Declares `bool`, the enums and the classes.
    pub(super) fn types(&mut self) {
        self.system.sorts.push(Sort {
            name: "bool".to_owned(),
            kind: SortKind::Bool,
            storage: Storage::Symbolic,
        });
        let file = self.file;
        let mut places: FxHashMap<Symbol, Span> = FxHashMap::default();
        for item in &file.items {
            let (name, values) = match &item.kind {
                ItemKind::Enum(name, values) => (*name, Some(values)),
                ItemKind::Class { name, .. } => (*name, None),
                _ => continue,
            };
            let first = places.entry(name.symbol).or_insert(name.span);
            if *first != name.span {
                let first = *first;
                self.duplicate("type", name, Some(first));
                continue;
            }
            let base = match values {
                Some(values) => Base::Sort(self.enumeration(name, values)),
                None => Base::Class(self.empty_class(name)),
            };
            self.types.by_name.insert(name.symbol, base);
        }
        for item in &file.items {
            let ItemKind::Class { name, members, .. } = &item.kind else { continue };
            let Some(Base::Class(class)) = self.types.by_name.get(&name.symbol).copied() else { continue };
            if self.types.class(class).span == name.span {
                self.members(class, members);
            }
        }
        self.class_sizes();
        for (name, span) in &self.param_places {
            if self.types.enumerators.contains_key(name) {
                let message = format!("`{}` is both a `#param` and an enumerator", file.names.text(*name));
                self.sink.push(Diagnostic::error(*span, message));
            }
        }
    }

    fn enumeration(&mut self, name: Name, values: &Values) -> SortId {
        let sort = SortId::new(self.system.sorts.len());
        let kind = match values {
            Values::Named(names) => self.enumerators(sort, names),
            Values::Range(low, high) => self.range(name, *low, *high),
        };
        let name = self.text(name.symbol).to_owned();
        self.system.sorts.push(Sort { name, kind, storage: Storage::Symbolic });
        sort
    }

    fn enumerators(&mut self, sort: SortId, names: &[Name]) -> SortKind {
        for (value, name) in names.iter().enumerate() {
            let value = u32::try_from(value).unwrap_or(u32::MAX);
            match self.types.enumerators.get_mut(&name.symbol) {
                None => {
                    self.types.enumerators.insert(name.symbol, Enumerator::One(sort, value));
                }
                Some(known) => match known.of(sort) {
                    None => known.add(sort, value),
                    Some(first) => self.duplicate("enumerator", *name, Some(names[first as usize].span)),
                },
            }
        }
        SortKind::Enum(names.iter().map(|name| self.text(name.symbol).to_owned()).collect())
    }

    fn range(&mut self, name: Name, low: Const, high: Const) -> SortKind {
        let (Some(from), Some(to)) = (self.number(low), self.number(high)) else {
            return SortKind::Range { low: 0, high: 0 };
        };
        let span = low.span.to(high.span);
        let text = self.text(name.symbol);
        if from > to {
            self.error(span, format!("the enum `{text}` has no values: {from} is larger than {to}"));
        } else if from < 0 || to - from > i128::from(u32::MAX) || to > i128::from(u64::MAX) {
            let message = format!("the values {from}..{to} of `{text}` are not at most 2^32 natural numbers");
            self.error(span, message);
        } else if let (Ok(low), Ok(high)) = (u64::try_from(from), u64::try_from(to)) {
            return SortKind::Range { low, high };
        }
        SortKind::Range { low: 0, high: u64::from(u32::MAX) }
    }

    fn empty_class(&mut self, name: Name) -> ClassId {
        let id = ClassId::new(self.types.classes.len());
        self.types.classes.push(Class {
            name: name.symbol,
            span: name.span,
            members: Vec::new(),
            by_name: FxHashMap::default(),
            size: 0,
            paths: 0,
            constraints: Vec::new(),
        });
        id
    }

    fn members(&mut self, class: ClassId, declarations: &[Declaration]) {
        for declaration in declarations {
            let name = declaration.name;
            let Some(shape) = self.shape(declaration) else { continue };
            let known = &self.types.classes[class.index()];
            if let Some(&first) = known.by_name.get(&name.symbol) {
                let first = known.members[first].span;
                self.duplicate("member", name, Some(first));
                continue;
            }
            let known = &mut self.types.classes[class.index()];
            known.by_name.insert(name.symbol, known.members.len());
            known.members.push(Member { name: name.symbol, span: name.span, shape, offset: 0 });
        }
    }

    /// The type of a declaration, unless it is unknown.
    pub(super) fn shape(&mut self, declaration: &Declaration) -> Option<Shape> {
        let length = match declaration.length {
            None => None,
            Some(length) => {
                let number = self.number(length)?;
                match u64::try_from(number) {
                    Ok(number) => Some(number),
                    Err(_) => {
                        self.error(length.span, format!("the length {number} of an array is negative"));
                        return None;
                    }
                }
            }
        };
        Some(Shape { base: self.base(declaration.type_name)?, length })
    }

    pub(super) fn base(&mut self, type_name: TypeName) -> Option<Base> {
        let name = match type_name {
            TypeName::Bool(_) => return Some(Base::Sort(BOOL)),
            TypeName::Named(name) => name,
        };
        if let Some(base) = self.types.by_name.get(&name.symbol) {
            return Some(*base);
        }
        let (file, text) = (self.file, self.text(name.symbol));
        if file.is_partial {
            return None;
        }
        let known = self.types.by_name.keys().map(|symbol| file.names.text(*symbol));
        let near = self.sink.suggestion(text, known.chain(["bool"]));
        self.error(name.span, format!("there is no type `{text}`{near}"));
        None
    }

    /// Numbers the leaves of all classes, members first; a class inside itself is an error.
    fn class_sizes(&mut self) {
        #[derive(Clone, Copy, PartialEq)]
        enum Visit {
            New,
            Open,
            Done,
        }
        let mut states = vec![Visit::New; self.types.classes.len()];
        for root in 0..self.types.classes.len() {
            if states[root] != Visit::New {
                continue;
            }
            // The classes being sized, each with the member that is looked at.
            let mut stack = vec![(root, 0)];
            states[root] = Visit::Open;
            while let Some((class, at)) = stack.last().copied() {
                let Some(member) = self.types.classes[class].members.get(at).copied() else {
                    states[class] = Visit::Done;
                    stack.pop();
                    continue;
                };
                match member.shape.base {
                    Base::Class(inner) if states[inner.index()] == Visit::New => {
                        states[inner.index()] = Visit::Open;
                        stack.push((inner.index(), 0));
                        continue;
                    }
                    Base::Class(inner) if states[inner.index()] == Visit::Open => {
                        let inner = self.text(self.types.class(inner).name);
                        self.error(member.span, format!("the class `{inner}` contains itself"));
                        self.types.classes[class].members[at].shape.base = Base::Sort(BOOL);
                    }
                    _ => {}
                }
                let Member { name, shape, .. } = self.types.classes[class].members[at];
                let (size, inner) = (self.types.size(shape), self.types.paths(shape));
                let step = self.text(name).len() as u64 + 1;
                let known = &mut self.types.classes[class];
                known.members[at].offset = known.size;
                known.size = known.size.saturating_add(size);
                known.paths = known.paths.saturating_add(size.saturating_mul(step)).saturating_add(inner);
                if let Some(top) = stack.last_mut() {
                    top.1 += 1;
                }
            }
        }
    }

    /// A type as the user writes it.
    pub(super) fn shape_name(&self, shape: Shape) -> String {
        let base = match shape.base {
            Base::Sort(sort) => self.system.sorts[sort.index()].name.clone(),
            Base::Class(class) => self.text(self.types.class(class).name).to_owned(),
        };
        match shape.length {
            Some(length) => format!("{base}[{length}]"),
            None => base,
        }
    }

    /// The leaves of a shape; none if there are too many.
    pub(super) fn layout(&mut self, shape: Shape, span: Span) -> Option<Rc<Layout>> {
        if let Some(layout) = self.types.layouts.get(&shape) {
            return Some(layout.clone());
        }
        let size = self.types.size(shape);
        if size > MAX_LEAVES {
            let name = self.shape_name(shape);
            self.error(span, format!("a value of `{name}` has {size} parts, more than {MAX_LEAVES}"));
            return None;
        }
        let paths = self.types.paths(shape);
        if paths > MAX_PATHS {
            let name = self.shape_name(shape);
            let message = format!("the names of all parts of `{name}` take more than {MAX_PATHS} characters");
            self.error(span, message);
            return None;
        }
        let layout = Rc::new(self.flatten(shape));
        self.types.layouts.insert(shape, layout.clone());
        Some(layout)
    }

    fn flatten(&self, shape: Shape) -> Layout {
        /// What a part adds to the path of the whole.
        enum Part {
            Nothing,
            Member(Symbol),
            Element(u64),
        }
        let mut layout = Layout { leaves: Vec::new(), constrained: Vec::new() };
        let mut path = String::new();
        // Members without leaves need no visit, so empty classes cost nothing however often they occur.
        let mut inhabited: FxHashMap<ClassId, Vec<Member>> = FxHashMap::default();
        let mut stack = vec![(0, Part::Nothing, shape)];
        stack.retain(|(.., shape)| self.types.size(*shape) > 0);
        while let Some((length, step, shape)) = stack.pop() {
            path.truncate(length);
            match step {
                Part::Nothing => {}
                Part::Member(name) => path.extend([".", self.text(name)]),
                Part::Element(n) => path.push_str(&format!("[{n}]")),
            }
            if let Some(length) = shape.length {
                let element = Shape { length: None, ..shape };
                stack.extend((0..length).rev().map(|n| (path.len(), Part::Element(n), element)));
                continue;
            }
            match shape.base {
                Base::Sort(sort) => layout.leaves.push((path.clone(), sort)),
                Base::Class(id) => {
                    let class = self.types.class(id);
                    if !class.constraints.is_empty() {
                        layout.constrained.push((id, layout.leaves.len() as u64));
                    }
                    let members = inhabited.entry(id).or_insert_with(|| {
                        let members = class.members.iter().copied();
                        members.filter(|member| self.types.size(member.shape) > 0).collect()
                    });
                    stack.extend(members.iter().rev().map(|m| (path.len(), Part::Member(m.name), m.shape)));
                }
            }
        }
        layout
    }

    /// `#explicit` and `#symbolic`. Naming an enum itself outweighs naming a class that contains it.
    pub(super) fn storage(&mut self) {
        let mut chosen: FxHashMap<SortId, (Storage, bool, Span)> = FxHashMap::default();
        // A class inside a class chosen before has nothing new for the same choice.
        let mut is_seen = [Storage::Explicit, Storage::Symbolic]
            .map(|storage| (storage, vec![false; self.types.classes.len()]));
        let file = self.file;
        for item in &file.items {
            let ItemKind::Directive(Directive::Storage(storage, types)) = &item.kind else { continue };
            for type_name in types {
                let Some(base) = self.base(*type_name) else { continue };
                let is_direct = matches!(base, Base::Sort(_));
                let Some((_, is_seen)) = is_seen.iter_mut().find(|(known, _)| known == storage) else {
                    continue;
                };
                for sort in self.enums_in(base, is_seen) {
                    let (old, old_direct, old_span) =
                        *chosen.entry(sort).or_insert((*storage, is_direct, type_name.span()));
                    if is_direct && !old_direct {
                        chosen.insert(sort, (*storage, is_direct, type_name.span()));
                    } else if old != *storage && is_direct == old_direct {
                        let name = &self.system.sorts[sort.index()].name;
                        let message = format!("the storage of `{name}` is chosen twice, and differently");
                        let diagnostic = Diagnostic::error(type_name.span(), message);
                        self.sink.push(diagnostic.note("the other choice is here", Some(old_span)));
                    }
                }
            }
        }
        for (sort, (storage, ..)) in chosen {
            self.system.sorts[sort.index()].storage = storage;
        }
    }

    /// `#strata`.
    pub(super) fn strata(&mut self) {
        let file = self.file;
        for item in &file.items {
            let ItemKind::Directive(Directive::Strata(type_name)) = &item.kind else { continue };
            match self.base(*type_name) {
                Some(Base::Sort(sort)) if self.system.strata.is_none_or(|known| known == sort) => {
                    self.system.strata = Some(sort);
                }
                Some(Base::Sort(_)) => {
                    self.error(type_name.span(), "the strata are chosen twice, and differently")
                }
                Some(Base::Class(_)) => {
                    self.error(
                        type_name.span(),
                        "the strata are the values of an enumeration or a range, not of a class",
                    );
                }
                None => {}
            }
        }
    }

    /// The sort itself, or all enums of a class's leaves, but for those in classes that were seen.
    fn enums_in(&self, base: Base, is_seen: &mut [bool]) -> Vec<SortId> {
        let mut found = Vec::new();
        let mut stack = vec![base];
        while let Some(next) = stack.pop() {
            match next {
                Base::Sort(sort) if sort != BOOL || base == next => found.push(sort),
                Base::Sort(_) => {}
                Base::Class(class) if is_seen[class.index()] => {}
                Base::Class(class) => {
                    is_seen[class.index()] = true;
                    stack.extend(self.types.class(class).members.iter().map(|m| m.shape.base));
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

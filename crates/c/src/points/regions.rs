//! From nodes to the classes and regions of the program: where the members of structures are among the numbers of their regions.

use super::{Element, PointId, Points, count};
use crate::syntax::Unit;
use crate::token::{Name, Names};
use crate::types::Ty;
use crate::types::{DataModel, Integer};
use base::Span;
use integers::memory::{Dimension, Field};
use integers::{Class, ClassId, Content, Input, InputId, InputKind, Memory, Region, RegionId, Type};
use rustc_hash::FxHashMap;

/// The classes and regions that have been asked for.
#[derive(Default)]
pub(crate) struct Regions {
    classes: FxHashMap<PointId, ClassId>,
    regions: FxHashMap<PointId, RegionId>,
    layouts: FxHashMap<PointId, Layout>,
    /// Names for people.
    named: FxHashMap<PointId, (String, Span)>,
}

/// How an element of a node is made.
#[derive(Clone, Debug, Default)]
struct Layout {
    /// Where the elements of each member are: so many for each element, from that one on.
    members: FxHashMap<Name, (u64, u64)>,
    /// The cells.
    fields: Vec<Field>,
}

/// So many numbers at least are left out behind an array in a structure.
const GAP: u64 = 1024;

/// What the program is under construction.
pub(crate) struct Context<'a> {
    pub(crate) unit: &'a Unit,
    pub(crate) names: &'a Names,
    pub(crate) points: &'a Points,
    pub(crate) memory: &'a mut Memory,
    pub(crate) inputs: &'a mut Vec<Input>,
    pub(crate) span: Span,
}

impl Regions {
    /// Names a node, if it has no name yet.
    pub(crate) fn name(&mut self, points: &Points, node: PointId, name: &str, span: Span) {
        self.named.entry(points.find(node)).or_insert_with(|| (name.to_owned(), span));
    }

    /// Names the members of a node that is named.
    fn name_of(&self, context: &Context<'_>, node: PointId) -> (String, Span) {
        if let Some(named) = self.named.get(&node) {
            return named.clone();
        }
        let name = match context.points.element(node) {
            Some(Element::Record(id)) => match context.unit.record(id).name {
                Some(name) => context.names.text(name).to_owned(),
                None => "struct".to_owned(),
            },
            Some(Element::Integer(Integer { ty, .. })) => ty.to_string(),
            Some(Element::Pointer) => "pointer".to_owned(),
            Some(Element::Function) => "function".to_owned(),
            None => "void".to_owned(),
        };
        (name, context.span)
    }

    /// The class of a node that is not lost.
    pub(crate) fn class(&mut self, context: &mut Context<'_>, node: PointId) -> ClassId {
        let node = context.points.find(node);
        if let Some(&known) = self.classes.get(&node) {
            return known;
        }
        let id = ClassId::new(context.memory.classes.len());
        self.classes.insert(node, id);
        let (name, _) = self.name_of(context, node);
        context.memory.classes.push(Class { name, fields: Vec::new() });
        let fields = self.layout(context, node).fields;
        context.memory.classes[id.index()].fields = fields;
        id
    }

    /// The region of a node whose elements are numbers.
    pub(crate) fn region(&mut self, context: &mut Context<'_>, node: PointId) -> RegionId {
        let node = context.points.find(node);
        if let Some(&known) = self.regions.get(&node) {
            return known;
        }
        let id = RegionId::new(context.memory.regions.len());
        self.regions.insert(node, id);
        let (name, span) = self.name_of(context, node);
        let content = Content::Integer(Type::signed(32));
        context.memory.regions.push(Region { name: name.clone(), content, uninitialised: None, span });
        let content = match context.points.element(node) {
            Some(Element::Integer(integer)) => Content::Integer(integer.ty),
            Some(Element::Function) | None | Some(Element::Record(_)) => Content::Function,
            Some(Element::Pointer) => match context.points.known_content(node) {
                Some(content) => Content::Pointer(self.class(context, content)),
                // Only null is ever stored there.
                None => Content::Function,
            },
        };
        let uninitialised = match content {
            Content::Integer(ty) => {
                let kind = InputKind::Uninitialised;
                context.inputs.push(Input { name, ty, kind, span });
                Some(InputId::new(context.inputs.len() - 1))
            }
            _ => None,
        };
        let region = &mut context.memory.regions[id.index()];
        (region.content, region.uninitialised) = (content, uninitialised);
        id
    }

    /// How a pointer to an element of a node becomes one to a member: the factor of its offset, and what is added.
    pub(crate) fn member(&mut self, context: &mut Context<'_>, node: PointId, name: Name) -> (u64, u64) {
        let node = context.points.find(node);
        self.layout(context, node).members.get(&name).copied().unwrap_or((1, 0))
    }

    fn layout(&mut self, context: &mut Context<'_>, node: PointId) -> Layout {
        if let Some(known) = self.layouts.get(&node) {
            return known.clone();
        }
        let layout = match context.points.element(node) {
            Some(Element::Record(id)) => self.record(context, node, id),
            None => Layout::default(),
            Some(_) => {
                let region = self.region(context, node);
                let field =
                    Field { path: String::new(), region, start: 0, stride: 1, dimensions: Vec::new() };
                Layout { members: FxHashMap::default(), fields: vec![field] }
            }
        };
        self.layouts.insert(node, layout.clone());
        layout
    }

    fn record(&mut self, context: &mut Context<'_>, node: PointId, id: crate::types::RecordId) -> Layout {
        // Nobody comes back here while it is made: a structure does not contain itself.
        let declared = context.unit.record(id).fields.clone().unwrap_or_default();
        let (whole, span) = self.name_of(context, node);
        let mut parts: Vec<(Name, u64, Layout)> = Vec::new();
        for field in &declared {
            let Some(child) = context.points.known_field(node, field.name) else { continue };
            if context.points.lost(child).is_some() {
                continue;
            }
            let text = context.names.text(field.name);
            self.name(context.points, child, &format!("{whole}.{text}"), span);
            let Some(n) = count(&field.ty.bare) else { continue };
            let layout = self.layout(context, child);
            parts.push((field.name, n, layout));
        }
        let mut layout = Layout::default();
        let shared = shared(&parts);
        let room = |n: u64| if n == 1 { 1 } else { n + n.max(GAP) };
        let widest = parts.iter().zip(&shared).filter(|(_, shared)| **shared);
        let widest = widest.map(|((_, n, _), _)| room(*n)).max().unwrap_or(1);
        let n_shared = shared.iter().filter(|shared| **shared).count() as u64;
        let mut position = 0;
        for ((name, n, part), is_shared) in parts.into_iter().zip(shared) {
            let (factor, start) = if is_shared {
                position += 1;
                (n_shared * widest, (position - 1) * widest)
            } else {
                (room(n), 0)
            };
            layout.members.insert(name, (factor, start));
            for field in part.fields {
                let dimension = Dimension { count: n, stride: field.stride };
                let dimensions = (n > 1).then_some(dimension).into_iter().chain(field.dimensions).collect();
                layout.fields.push(Field {
                    path: format!(".{}{}", context.names.text(name), field.path),
                    region: field.region,
                    start: start * field.stride + field.start,
                    stride: factor * field.stride,
                    dimensions,
                });
            }
        }
        layout
    }

    /// Whether the members of a node can be told apart by numbers: where two members have cells of one region, these are equally far from each other in both.
    pub(crate) fn is_sound(&mut self, context: &mut Context<'_>, node: PointId) -> bool {
        let node = context.points.find(node);
        let fields = self.layout(context, node).fields;
        fields.iter().all(|field| {
            fields.iter().all(|other| field.region != other.region || field.stride == other.stride)
        })
    }
}

/// Which members have cells in regions in which other members have some, too.
fn shared(parts: &[(Name, u64, Layout)]) -> Vec<bool> {
    let regions = |n: usize| parts[n].2.fields.iter().map(|field| field.region);
    let is_shared = |n: usize| {
        let others = (0..parts.len()).filter(|other| *other != n);
        others.into_iter().any(|other| regions(n).any(|one| regions(other).any(|two| one == two)))
    };
    (0..parts.len()).map(is_shared).collect()
}

/// The size of an element of a node in bytes, if it is known.
pub(crate) fn element_size(points: &Points, unit: &Unit, model: DataModel, node: PointId) -> Option<u64> {
    let ty = match points.element(node)? {
        Element::Integer(integer) => Ty::Int(integer),
        Element::Pointer | Element::Function => return Some(u64::from(model.word() / 8)),
        Element::Record(id) => Ty::Record(id),
    };
    unit.layout(&ty, model).map(|(size, _)| size)
}

//! What pointers may point to: a points-to analysis by unification, by field.
//!
//! A *node* stands for objects that the program cannot tell apart: whatever one pointer may point to is one node. The elements of an array have the node of the array; a structure has a node for each
//! member that is used. A node whose objects hold pointers has a *content*, the node of what these point to. Whatever passes a pointer on unifies contents. A node is *lost* where the text does something that its
//! numbers do not follow, such as a cast between structures: then nothing is known about its objects, nor about those that their pointers point to. Near linear.

pub(crate) mod constraints;
pub(crate) mod initial;
pub(crate) mod regions;

use crate::syntax::{ExprId, FnId, Unit, VarId};
use crate::token::Name;
use crate::types::{Integer, RecordId, Ty};
use crate::typing;
use base::Span;
use rustc_hash::FxHashMap;

base::index_type! {
    /// Objects that the program cannot tell apart.
    PointId;
}

/// What an element of an object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Element {
    Integer(Integer),
    Pointer,
    /// A pointer to a function.
    Function,
    Record(RecordId),
}

impl Element {
    /// Whether numbers of the one can be taken for numbers of the other.
    fn agrees(self, other: Self) -> bool {
        match (self, other) {
            (Element::Integer(one), Element::Integer(two)) => {
                one.ty.bits == two.ty.bits && one.is_bool() == two.is_bool()
            }
            _ => self == other,
        }
    }
}

/// Why nothing is known about objects.
#[derive(Clone, Debug)]
pub(crate) struct Lost {
    pub(crate) construct: String,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
struct Node {
    /// Another node that it is one with.
    same: Option<PointId>,
    element: Option<Element>,
    fields: Vec<(Name, PointId)>,
    content: Option<PointId>,
    lost: Option<Lost>,
}

/// The result of the analysis.
#[derive(Default)]
pub(crate) struct Points {
    nodes: Vec<Node>,
    vars: FxHashMap<VarId, PointId>,
    results: FxHashMap<FnId, PointId>,
    /// Of texts, compound literals and allocations.
    literals: FxHashMap<ExprId, PointId>,
    /// What the value of an expression points to.
    values: FxHashMap<ExprId, Option<PointId>>,
    /// The objects that an expression is.
    places: FxHashMap<ExprId, PointId>,
    /// Functions that may be called through pointers.
    pub(crate) taken: Vec<FnId>,
    /// What is done while nodes are unified.
    pending: Vec<(PointId, PointId)>,
}

impl Points {
    fn fresh(&mut self) -> PointId {
        self.nodes.push(Node { same: None, element: None, fields: Vec::new(), content: None, lost: None });
        PointId::new(self.nodes.len() - 1)
    }

    /// The node that stands for all that are one with it.
    pub(crate) fn find(&self, id: PointId) -> PointId {
        let mut at = id;
        while let Some(same) = self.nodes[at.index()].same {
            at = same;
        }
        at
    }

    /// The same, and the way is short the next time.
    fn shorten(&mut self, id: PointId) -> PointId {
        let root = self.find(id);
        let mut at = id;
        while let Some(same) = self.nodes[at.index()].same {
            self.nodes[at.index()].same = Some(root);
            at = same;
        }
        root
    }

    fn node(&self, id: PointId) -> &Node {
        &self.nodes[self.find(id).index()]
    }

    fn node_mut(&mut self, id: PointId) -> &mut Node {
        let id = self.shorten(id);
        &mut self.nodes[id.index()]
    }

    pub(crate) fn element(&self, id: PointId) -> Option<Element> {
        self.node(id).element
    }

    /// Why nothing is known about its objects, if that is so.
    pub(crate) fn lost(&self, id: PointId) -> Option<&Lost> {
        self.node(id).lost.as_ref()
    }

    /// The members that are used.
    pub(crate) fn fields(&self, id: PointId) -> &[(Name, PointId)] {
        &self.node(id).fields
    }

    /// The node of a member, if it is used.
    pub(crate) fn known_field(&self, id: PointId, name: Name) -> Option<PointId> {
        let found = self.node(id).fields.iter().find(|(other, _)| *other == name);
        found.map(|(_, field)| self.find(*field))
    }

    /// What its pointers point to, if there are any.
    pub(crate) fn known_content(&self, id: PointId) -> Option<PointId> {
        self.node(id).content.map(|content| self.find(content))
    }

    /// The node of a variable.
    pub(crate) fn var(&self, id: VarId) -> Option<PointId> {
        self.vars.get(&id).map(|node| self.find(*node))
    }

    /// The node of what a function gives.
    pub(crate) fn result(&self, id: FnId) -> Option<PointId> {
        self.results.get(&id).map(|node| self.find(*node))
    }

    /// What the value of an expression points to, if it is a pointer to objects.
    pub(crate) fn value(&self, id: ExprId) -> Option<PointId> {
        self.values.get(&id).copied().flatten().map(|node| self.find(node))
    }

    /// The node of the objects that an expression is.
    pub(crate) fn place(&self, id: ExprId) -> Option<PointId> {
        self.places.get(&id).map(|node| self.find(*node))
    }

    /// The node of a text, a compound literal, or an allocation.
    pub(crate) fn literal(&self, id: ExprId) -> Option<PointId> {
        self.literals.get(&id).map(|node| self.find(*node))
    }

    /// The nodes of structures of which something is known.
    pub(crate) fn records(&self) -> impl Iterator<Item = PointId> + '_ {
        let nodes = self.nodes.iter().zip(0..);
        nodes
            .filter(|(node, _)| {
                node.same.is_none() && node.lost.is_none() && matches!(node.element, Some(Element::Record(_)))
            })
            .map(|(_, n)| PointId(n))
    }

    /// Nothing is known about its objects, as is found out later.
    pub(crate) fn forget(&mut self, id: PointId, construct: &str, span: Span) {
        self.lose(id, construct, span);
    }

    fn content(&mut self, id: PointId) -> PointId {
        if let Some(content) = self.node(id).content {
            return self.shorten(content);
        }
        let content = self.fresh();
        let lost = self.node(id).lost.clone();
        self.nodes[content.index()].lost = lost;
        self.node_mut(id).content = Some(content);
        content
    }

    /// Nothing is known about its objects.
    fn lose(&mut self, id: PointId, construct: &str, span: Span) {
        let lost = Lost { construct: construct.to_owned(), span };
        self.spread(id, &lost);
    }

    fn spread(&mut self, id: PointId, lost: &Lost) {
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            let node = self.node_mut(id);
            if node.lost.is_none() {
                node.lost = Some(lost.clone());
                pending.extend(node.content);
                pending.extend(node.fields.iter().map(|(_, field)| *field));
            }
        }
    }

    /// Its objects are elements of this type, or arrays of them.
    fn set_type(&mut self, unit: &Unit, id: PointId, ty: &Ty, span: Span) {
        let element = match typing::resolved(unit, stripped(ty)) {
            Ty::Int(integer) => Element::Integer(integer),
            Ty::Pointer(inner) if matches!(inner.bare, Ty::Function(_)) => Element::Function,
            Ty::Pointer(_) => Element::Pointer,
            Ty::Record(record) => Element::Record(record),
            Ty::Void | Ty::Function(_) => return,
            other @ (Ty::Float(_) | Ty::Enum(_) | Ty::Other | Ty::Array(..)) => {
                return self.lose(id, other.describe(), span);
            }
        };
        match self.element(id) {
            None => self.node_mut(id).element = Some(element),
            Some(known) if known.agrees(element) => {}
            Some(_) => self.lose(id, "an object that is used as one of another type", span),
        }
    }

    /// The node of a member.
    fn field(&mut self, unit: &Unit, id: PointId, name: Name, span: Span) -> PointId {
        if let Some(known) = self.known_field(id, name) {
            return known;
        }
        let field = self.fresh();
        let lost = self.node(id).lost.clone();
        self.nodes[field.index()].lost = lost;
        let Some(Element::Record(record)) = self.element(id) else {
            self.lose(field, "a member of something that has none", span);
            return field;
        };
        let is_union = unit.record(record).is_union;
        let found = unit.record(record).fields.iter().flatten().find(|field| field.name == name);
        let Some(declared) = found else {
            self.lose(field, "a member that is not known", span);
            return field;
        };
        self.set_type(unit, field, &declared.ty.bare, span);
        if declared.ty.is_volatile {
            self.lose(field, "a volatile member", span);
        }
        if has_open_array(&declared.ty.bare) {
            self.lose(field, "an array without a length in a structure", span);
        }
        // What lies at the same place can be told apart only if it is alone.
        let others = self.fields(id).to_vec();
        let shares = |other: &Name| {
            let all = unit.record(record).fields.iter().flatten();
            let other = all.clone().find(|field| field.name == *other);
            is_union || (declared.within.is_some() && other.and_then(|other| other.within) == declared.within)
        };
        let others: Vec<PointId> =
            others.iter().filter(|(other, _)| shares(other)).map(|(_, node)| *node).collect();
        self.node_mut(id).fields.push((name, field));
        for other in others {
            self.lose(field, "a union of which several members are used", span);
            self.lose(other, "a union of which several members are used", span);
        }
        field
    }

    /// Two nodes are one from here on.
    fn unify(&mut self, unit: &Unit, one: PointId, two: PointId, span: Span) {
        self.pending.push((one, two));
        while let Some((one, two)) = self.pending.pop() {
            let (one, two) = (self.shorten(one), self.shorten(two));
            if one != two {
                self.join(unit, one, two, span);
            }
        }
    }

    fn join(&mut self, unit: &Unit, one: PointId, two: PointId, span: Span) {
        // The one with more members stays.
        let (one, two) =
            if self.node(one).fields.len() < self.node(two).fields.len() { (two, one) } else { (one, two) };
        let Node { element, fields, content, lost, .. } = self.nodes[two.index()].clone();
        self.nodes[two.index()].same = Some(one);
        let other = match (&self.nodes[one.index()].lost, &lost) {
            (None, Some(lost)) => Some(lost.clone()),
            (Some(lost), None) => {
                // What is known of the second is lost, too.
                let lost = lost.clone();
                content.iter().for_each(|content| self.spread(*content, &lost));
                fields.iter().for_each(|(_, field)| self.spread(*field, &lost));
                None
            }
            _ => None,
        };
        if let Some(lost) = other {
            self.spread(one, &lost);
        }
        match (self.nodes[one.index()].element, element) {
            (None, _) => self.nodes[one.index()].element = element,
            (Some(known), Some(element)) if !known.agrees(element) => {
                self.lose(one, "a pointer to objects of different types", span);
            }
            _ => {}
        }
        match (self.nodes[one.index()].content, content) {
            (Some(one), Some(two)) => self.pending.push((one, two)),
            (None, content) => self.nodes[one.index()].content = content,
            (Some(_), None) => {}
        }
        for (name, field) in fields {
            // Making it anew notices unions.
            let mine = self.field(unit, one, name, span);
            self.pending.push((mine, field));
        }
    }
}

/// What an array is made of, in the end.
pub(crate) fn stripped(ty: &Ty) -> Ty {
    let mut ty = ty;
    while let Ty::Array(element, _) = ty {
        ty = &element.bare;
    }
    ty.clone()
}

/// How many elements a type has: 1, if it is no array.
pub(crate) fn count(ty: &Ty) -> Option<u64> {
    let mut total = 1u64;
    let mut ty = ty;
    while let Ty::Array(element, length) = ty {
        total = total.checked_mul((*length)?)?;
        ty = &element.bare;
    }
    Some(total)
}

fn has_open_array(ty: &Ty) -> bool {
    count(ty).is_none()
}

/// Whether a variable is an object in memory.
pub(crate) fn is_in_memory(unit: &Unit, id: VarId) -> bool {
    let var = unit.var(id);
    var.is_addressed || matches!(var.ty, Ty::Array(..) | Ty::Record(_))
}

//! Relations: prototypes, definitions and their agreement.

use super::Checker;
use super::types::Shape;
use crate::syntax::{ItemKind, Kind, Name, Symbol};
use crate::system::{Relation, RelationId};
use base::{Diagnostic, Span};
use std::rc::Rc;

/// What an application must agree with.
pub(super) struct Signature {
    pub(super) kind: Kind,
    /// The types of the parameters, where they are known.
    pub(super) shapes: Rc<[Option<Shape>]>,
    /// Where its prototype or definition stands, whichever is first.
    pub(super) span: Span,
    /// The rank of that place.
    pub(super) position: u32,
    /// The definition, once there is one, and its place.
    pub(super) defined: Option<(RelationId, Span)>,
}

impl Checker<'_> {
    /// Collects prototypes and definitions.
    pub(super) fn signatures(&mut self) {
        let file = self.file;
        let mut n_definitions = 0;
        for (position, item) in file.items.iter().enumerate() {
            let ItemKind::Function { kind, name, params, body, .. } = &item.kind else { continue };
            let shapes: Rc<[Option<Shape>]> = params.iter().map(|param| self.shape(param)).collect();
            let defined = body.map(|_| (RelationId::new(n_definitions), name.span));
            n_definitions += usize::from(body.is_some());
            let position = u32::try_from(position).unwrap_or(u32::MAX);
            let new = Signature { kind: *kind, shapes, span: name.span, position, defined };
            match self.relations.get(&name.symbol) {
                None => {
                    self.relations.insert(name.symbol, new);
                }
                Some(_) => self.agree(*name, &new),
            }
        }
    }

    /// A relation is declared again: by a prototype, which must agree, or by its definition.
    fn agree(&mut self, name: Name, new: &Signature) {
        let Some(old) = self.relations.get_mut(&name.symbol) else { return };
        let first = old.span;
        if let (Some((_, place)), Some(_)) = (old.defined, new.defined) {
            return self.duplicate("relation", name, Some(place));
        }
        let kind_differs = old.kind != new.kind;
        let shapes_differ = old.shapes.len() != new.shapes.len()
            || old.shapes.iter().zip(&*new.shapes).any(|(a, b)| a.is_some() && b.is_some() && a != b);
        old.defined = old.defined.or(new.defined);
        let text = self.text(name.symbol);
        let message = match (kind_differs, shapes_differ) {
            (true, _) => format!("prototype and definition of `{text}` disagree on `mu` or `nu`"),
            (_, true) => {
                format!("prototype and definition of `{text}` disagree on the types of the parameters")
            }
            _ => return,
        };
        self.sink.push(Diagnostic::error(name.span, message).note("the other one is here", Some(first)));
    }

    /// The relation behind a name.
    pub(super) fn relation(&mut self, name: Name) -> Option<RelationId> {
        let (file, text) = (self.file, self.text(name.symbol));
        match self.relations.get(&name.symbol) {
            Some(Signature { defined: Some((relation, _)), .. }) => Some(*relation),
            _ if file.is_partial => None,
            Some(Signature { span, .. }) => {
                let message = format!("the relation `{text}` has a prototype but no definition");
                let span = Some(*span);
                self.sink.push(Diagnostic::error(name.span, message).note("its prototype is here", span));
                None
            }
            None => {
                let known = self.relations.keys().map(|symbol: &Symbol| file.names.text(*symbol));
                let near = self.sink.suggestion(text, known);
                self.error(name.span, format!("there is no relation `{text}`{near}"));
                None
            }
        }
    }

    /// Lowers the bodies of all relations.
    pub(super) fn definitions(&mut self) {
        let file = self.file;
        for item in &file.items {
            let ItemKind::Function { kind, name, params, constraints, body: Some(body) } = &item.kind else {
                continue;
            };
            let binders = self.bind(params);
            self.scope.begin_body();
            self.relation_constraints(constraints);
            let body = self.lower(*body);
            self.scope.end_body();
            let position = self.relations.get(&name.symbol).map_or(0, |signature| signature.position);
            self.system.relations.push(Relation {
                name: self.text(name.symbol).to_owned(),
                kind: *kind,
                columns: self.leaves(&binders),
                params: binders,
                body,
                span: name.span,
                position,
            });
            let uses = std::mem::take(&mut self.uses);
            self.uses_of.push(uses);
        }
    }
}

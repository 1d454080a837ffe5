//! Structures, unions and enumerations: what `struct tag`, `union tag` and `enum tag` mean.
//!
//! Tags have scopes as names have. An enumeration is an integer type, the one that gcc takes: `unsigned int`, or `int` if a value is negative,
//! or a wider type where the values need it. Its constants are of type `int` where they fit, of the type of the enumeration otherwise.

use super::attributes::Attributes;
use super::{Meaning, Parsed, Parser};
use crate::constant;
use crate::layout::Placement;
use crate::token::{Name, Token};
use crate::types::{EnumId, Field, Integer, Qualified, Record, RecordId, Ty};
use base::Span;

/// What a tag stands for.
#[derive(Clone, Copy)]
pub(crate) struct Tag {
    kind: Kind,
    span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Record(RecordId),
    Enum(Integer),
    /// Named, but not defined.
    Forward(EnumId),
}

impl Tag {
    /// The structure or union that it stands for.
    pub(super) fn record(&self) -> Option<RecordId> {
        match self.kind {
            Kind::Record(id) => Some(id),
            _ => None,
        }
    }
}

impl Parser<'_> {
    /// What a tag stands for, if some block around declares it.
    fn tag(&self, name: Name) -> Option<Tag> {
        self.scopes.iter().rev().find_map(|scope| scope.tags.get(&name)).copied()
    }

    /// What a tag stands for in the innermost block.
    fn own_tag(&self, name: Name) -> Option<Tag> {
        self.scopes.last().and_then(|scope| scope.tags.get(&name)).copied()
    }

    fn declare_tag(&mut self, name: Name, kind: Kind, span: Span) {
        self.scopes.last_mut().expect("there is a scope").tags.insert(name, Tag { kind, span });
    }

    /// The tag that a word such as `struct` speaks of: where it stands alone before `;`, one of this block.
    fn referred(&self, name: Name) -> Option<Tag> {
        if self.is(";") && self.is_alone() { self.own_tag(name) } else { self.tag(name) }
    }

    /// Whether the declaration consists of the word and the tag that have just been read.
    fn is_alone(&self) -> bool {
        let before = self.at.checked_sub(3).map(|at| self.tokens[at].token);
        matches!(before, None | Some(Token::Sign(";" | "{" | "}")))
    }

    fn wrong_kind(&self, name: Name, span: Span, first: Span) -> Box<base::Diagnostic> {
        let message = format!("`{}` is the tag of something else", self.names.text(name));
        Box::new(self.error(span, message).note("first here", Some(first)))
    }

    fn defined_twice(&self, name: Name, span: Span, first: Span) -> Box<base::Diagnostic> {
        let message = format!("`{}` is defined twice", self.names.text(name));
        Box::new(self.error(span, message).note("first here", Some(first)))
    }

    /// `struct` or `union`, with or without members.
    pub(crate) fn record(&mut self) -> Parsed<Ty> {
        let is_union = self.word() == Some("union");
        self.at += 1;
        let mut attributes = self.attributes()?;
        let span = self.here();
        let name = self.name();
        if !self.is("{") {
            let Some(name) = name else { return Err(self.unexpected("a name or `{`")) };
            return match self.referred(name) {
                Some(Tag { kind: Kind::Record(id), .. }) if self.unit.record(id).is_union == is_union => {
                    Ok(Ty::Record(id))
                }
                Some(tag) => Err(self.wrong_kind(name, span, tag.span)),
                None => Ok(Ty::Record(self.mentioned_record(name, is_union, span))),
            };
        }
        let linked = name.and_then(|name| self.linked_record(name, is_union));
        let linked = linked.filter(|id| self.unit.record(*id).fields.is_some());
        let own = name.and_then(|name| Some((name, self.own_tag(name)?)));
        let id = match own {
            // Another file defines it, too: the two are compared as soon as this one is read.
            Some((name, tag)) if linked.is_some() && tag.record() == linked => {
                self.new_record(Some(name), is_union, span)
            }
            Some((name, tag)) => match tag.kind {
                Kind::Record(id) if self.unit.record(id).is_union != is_union => {
                    return Err(self.wrong_kind(name, span, tag.span));
                }
                Kind::Record(id) if self.unit.record(id).fields.is_some() => {
                    return Err(self.defined_twice(name, span, tag.span));
                }
                Kind::Record(id) => {
                    self.declare_tag(name, tag.kind, span);
                    id
                }
                _ => return Err(self.wrong_kind(name, span, tag.span)),
            },
            None => match name.filter(|_| linked.is_none()) {
                Some(name) => self.mentioned_record(name, is_union, span),
                None => self.new_record(name, is_union, span),
            },
        };
        self.at += 1;
        let mut fields = Vec::new();
        let mut placement = Placement::new(is_union);
        while !self.take("}") {
            if self.take(";") || self.static_assert()? {
                continue;
            }
            self.nested(|parser| parser.members(&mut fields, &mut placement))?;
        }
        attributes = attributes.and(self.attributes()?);
        let is_usual = !attributes.is_packed && !attributes.is_aligned && !self.has_packing;
        let record = &mut self.unit.records[id.index()];
        record.layout = placement.whole().filter(|_| is_usual);
        record.fields = Some(fields);
        match (linked, name) {
            (Some(known), Some(name)) => {
                let is_mentioned = own.is_some_and(|(_, tag)| tag.record() == linked);
                self.settle_record(name, (known, id), is_mentioned, span).map(Ty::Record)
            }
            _ => Ok(Ty::Record(id)),
        }
    }

    /// A structure or union of which another file, or nobody, has spoken before.
    fn mentioned_record(&mut self, name: Name, is_union: bool, span: Span) -> RecordId {
        match self.linked_record(name, is_union) {
            Some(id) => {
                self.declare_tag(name, Kind::Record(id), span);
                id
            }
            None => self.new_record(Some(name), is_union, span),
        }
    }

    /// Two files define a structure or union of this tag: it is one, if they agree.
    fn settle_record(
        &mut self,
        name: Name,
        (known, own): (RecordId, RecordId),
        is_mentioned: bool,
        span: Span,
    ) -> Parsed<RecordId> {
        if self.is_same_record(known, own) {
            self.declare_tag(name, Kind::Record(known), span);
            return Ok(known);
        }
        if is_mentioned {
            // What was said about it before is about the other.
            let message = format!("another file defines `{}` otherwise", self.names.text(name));
            return Err(self.error(span, message));
        }
        Ok(own)
    }

    /// A structure or union about which nothing is known yet.
    fn new_record(&mut self, name: Option<Name>, is_union: bool, span: Span) -> RecordId {
        let id = RecordId::new(self.unit.records.len());
        self.unit.records.push(Record { name, is_union, fields: None, layout: None });
        if let Some(name) = name {
            self.declare_tag(name, Kind::Record(id), span);
        }
        id
    }

    /// One declaration of members.
    fn members(&mut self, fields: &mut Vec<Field>, placement: &mut Placement) -> Parsed<()> {
        let specifiers = self.specifiers()?;
        if self.take(";") {
            // A record without a name: its members are members of this one.
            let begins = placement.add(self.unit.layout(&specifiers.ty.bare, self.model));
            if let Ty::Record(id) = specifiers.ty.bare {
                let is_union = self.unit.record(id).is_union;
                let inner = self.unit.record(id).fields.clone().unwrap_or_default();
                for field in inner {
                    let within = field.within.or(is_union.then_some(id));
                    let offset =
                        begins.zip(field.offset).and_then(|(begins, offset)| begins.checked_add(offset));
                    self.add_field(fields, Field { within, offset, ..field }, self.since(self.at - 1))?;
                }
            }
            return Ok(());
        }
        loop {
            let mut ty = specifiers.ty.clone();
            let mut name = None;
            let mut span = self.here();
            let mut attributes = Attributes::default();
            if !self.is(":") {
                let declarator = self.declarator(ty)?;
                (name, ty, span) = (declarator.name, declarator.ty, declarator.span);
                attributes = declarator.attributes;
            }
            // The type that a member of some bits is written with, and how many bits.
            let mut bits = None;
            if self.take(":") {
                let unit = self.unit.layout(&ty.bare, self.model);
                let narrowed = self.bit_field(ty.bare)?;
                bits = Some((unit, narrowed.1));
                ty.bare = narrowed.0;
            }
            let attributes = attributes.and(self.attributes()?);
            ty.bare = attributes.applied(ty.bare);
            let layout = self.unit.layout(&ty.bare, self.model);
            let all = attributes.and(specifiers.attributes);
            let is_usual = !all.is_aligned && !all.is_packed;
            let offset = match bits {
                Some((unit, bits)) => {
                    placement.add_bits(unit.filter(|_| is_usual), bits, name.is_some());
                    None
                }
                None => placement.add(layout.filter(|_| is_usual)),
            };
            if let Some(name) = name {
                self.add_field(fields, Field { name, ty, within: None, offset }, span)?;
            }
            if !self.take(",") {
                return self.expect(";");
            }
        }
    }

    fn add_field(&self, fields: &mut Vec<Field>, field: Field, span: Span) -> Parsed<()> {
        if fields.iter().any(|other| other.name == field.name) {
            let name = self.names.text(field.name);
            return Err(self.error(span, format!("there is another member `{name}`")));
        }
        if field.ty.bare == Ty::Void {
            let name = self.names.text(field.name);
            return Err(self.error(span, format!("`{name}` cannot be `void`")));
        }
        fields.push(field);
        Ok(())
    }

    /// The type of a member of so many bits, which are read here, and their number.
    fn bit_field(&mut self, ty: Ty) -> Parsed<(Ty, u64)> {
        let first = self.at;
        let width = self.conditional()?;
        let span = self.since(first);
        let Some((width, _)) = constant::evaluate(&self.unit, width, self.model) else {
            return Err(self.error(span, "the number of bits is not constant"));
        };
        let Ty::Int(integer) = ty else { return Ok((ty, u64::try_from(width).unwrap_or(0))) };
        match u8::try_from(width) {
            Ok(0) => Ok((ty, 0)),
            Ok(bits) if bits <= integer.ty.bits => Ok((Ty::Int(integer.narrowed(bits)), bits.into())),
            _ => Err(self.error(span, format!("a member of this type cannot have {width} bits"))),
        }
    }

    /// `enum`, with or without its constants.
    pub(crate) fn enumeration(&mut self) -> Parsed<Ty> {
        self.at += 1;
        let attributes = self.attributes()?;
        let span = self.here();
        let name = self.name();
        if !self.is("{") {
            let Some(name) = name else { return Err(self.unexpected("a name or `{`")) };
            return match self.referred(name).map(|tag| (tag.kind, tag.span)) {
                Some((Kind::Enum(integer), _)) => Ok(Ty::Int(integer)),
                Some((Kind::Forward(id), _)) => Ok(Ty::Enum(id)),
                Some((Kind::Record(_), first)) => Err(self.wrong_kind(name, span, first)),
                None => {
                    let id = EnumId::new(self.unit.enums.len());
                    self.unit.enums.push(None);
                    self.declare_tag(name, Kind::Forward(id), span);
                    Ok(Ty::Enum(id))
                }
            };
        }
        let forward = match name.and_then(|name| Some((name, self.own_tag(name)?))) {
            None => None,
            Some((_, Tag { kind: Kind::Forward(id), .. })) => Some(id),
            Some((name, Tag { kind: Kind::Enum(_), span: first })) => {
                return Err(self.defined_twice(name, span, first));
            }
            Some((name, tag)) => return Err(self.wrong_kind(name, span, tag.span)),
        };
        self.at += 1;
        let constants = self.constants()?;
        let attributes = attributes.and(self.attributes()?);
        let integer = self.enumeration_type(&constants, attributes);
        let ty = attributes.applied(Ty::Int(integer));
        let integer = ty.integer().unwrap_or(integer);
        self.settle_constants(&constants, integer);
        if let Some(id) = forward {
            self.complete(id, integer);
        }
        if let Some(name) = name {
            self.declare_tag(name, Kind::Enum(integer), span);
        }
        Ok(Ty::Int(integer))
    }

    /// The constants of an enumeration, up to the closing brace, with their values.
    fn constants(&mut self) -> Parsed<Vec<(Name, i128)>> {
        let mut constants = Vec::new();
        // The value that comes next by itself, in its type; none if there is none.
        let mut next = Some((0, Integer::INT));
        loop {
            let span = self.here();
            let Some(name) = self.name() else { return Err(self.unexpected("the name of a constant")) };
            self.attributes()?;
            let value = if self.take("=") { Some(self.enumerator()?) } else { next };
            let Some((value, ty)) = value else {
                let name = self.names.text(name);
                let message =
                    format!("the value of `{name}` does not fit the type of the constant before it");
                return Err(self.error(span, message));
            };
            let ty = if Integer::INT.ty.contains(value) { Integer::INT } else { ty };
            self.declare(name, Meaning::Constant(value, ty), span)?;
            constants.push((name, value));
            next = Some((value + 1, ty)).filter(|(next, ty)| ty.ty.contains(*next));
            if self.take("}") {
                return Ok(constants);
            }
            self.expect(",")?;
            if self.take("}") {
                return Ok(constants);
            }
        }
    }

    /// The value that is written behind a constant, in its type.
    fn enumerator(&mut self) -> Parsed<(i128, Integer)> {
        let first = self.at;
        let value = self.conditional()?;
        constant::evaluate(&self.unit, value, self.model)
            .ok_or_else(|| self.error(self.since(first), "this is no constant integer"))
    }

    /// The type of an enumeration with these values: as narrow as it can be, but no narrower than `int` unless it is packed.
    fn enumeration_type(&self, constants: &[(Name, i128)], attributes: Attributes) -> Integer {
        let is_signed = constants.iter().any(|(_, value)| *value < 0);
        let of = |bits| if is_signed { Integer::signed(bits) } else { Integer::unsigned(bits) };
        let widths: &[u8] = if attributes.is_packed { &[8, 16, 32] } else { &[32] };
        let fits = |bits: &&u8| constants.iter().all(|(_, value)| of(**bits).ty.contains(*value));
        widths.iter().find(fits).map_or_else(|| self.widest(of(64)), |bits| of(*bits))
    }

    /// With 32 bits of `long` the type of 64 bits is `long long`.
    fn widest(&self, integer: Integer) -> Integer {
        if self.model.word() == 64 {
            integer
        } else {
            Integer { rank: crate::types::Rank::LongLong, ..integer }
        }
    }

    /// Outside of the definition, constants that are no `int` have the type of the enumeration.
    fn settle_constants(&mut self, constants: &[(Name, i128)], integer: Integer) {
        for &(name, value) in constants {
            if !Integer::INT.ty.contains(value) {
                let meaning = Meaning::Constant(constant::converted(value, integer), integer);
                self.redefine(name, meaning);
            }
        }
    }

    /// An enumeration that was named before is defined now: what was declared of that type is known.
    fn complete(&mut self, id: EnumId, integer: Integer) {
        self.unit.enums[id.index()] = Some(integer);
        let settle = |ty: &mut Ty| {
            if *ty == Ty::Enum(id) {
                *ty = Ty::Int(integer);
            }
        };
        self.unit.vars.iter_mut().for_each(|var| settle(&mut var.ty));
        for function in &mut self.unit.functions {
            let mut signature = (*function.signature).clone();
            settle(&mut signature.result);
            signature.params.iter_mut().flatten().for_each(settle);
            function.signature = signature.into();
        }
    }

    /// An object needs a type whose size is known, by the end of the file if it is global.
    pub(crate) fn is_incomplete(&self, ty: &Qualified) -> bool {
        match ty.bare {
            Ty::Enum(id) => self.unit.enumeration(id).is_none(),
            Ty::Record(id) => self.unit.record(id).fields.is_none(),
            _ => false,
        }
    }
}

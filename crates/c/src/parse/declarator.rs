//! Declarators: pointers, arrays, functions and parentheses around a name, and types without one.

use super::attributes::Attributes;
use super::{Parsed, Parser, Scope};
use crate::constant;
use crate::syntax::{Designator, ExprKind, Init, Part};
use crate::token::{Name, Token};
use crate::types::{Qualified, Signature, Ty};
use base::Span;
use std::rc::Rc;

/// How deeply pointers, arrays and functions may be nested in a type.
const DEEPEST_TYPE: u16 = 500;

/// A name with its type.
pub(crate) struct Declarator {
    pub(crate) name: Option<Name>,
    pub(crate) ty: Qualified,
    /// The name.
    pub(crate) span: Span,
    /// The token at which it begins.
    pub(crate) first: usize,
    /// The parameters of the function that the name stands for.
    pub(crate) params: Vec<Param>,
    /// The tags and constants that are declared between its parentheses.
    pub(crate) scope: Scope,
    /// How the parameters are written.
    pub(crate) style: Style,
    /// What is said about the name.
    pub(crate) attributes: Attributes,
    /// There is nothing but the name, and parentheses around it.
    is_bare: bool,
}

/// A parameter of a function.
#[derive(Clone)]
pub(crate) struct Param {
    pub(crate) name: Option<Name>,
    pub(crate) ty: Qualified,
    pub(crate) span: Span,
}

/// How parameters are written.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Style {
    /// With their types.
    #[default]
    Typed,
    /// `()`
    Empty,
    /// Names without types.
    Untyped,
}

/// What the braces around initial values look like.
#[derive(Clone, Copy, Default)]
pub(crate) struct Shape {
    n_parts: u64,
    /// Those of the parts that have braces of their own.
    n_lists: u64,
    has_designators: bool,
    has_texts: bool,
    /// The most elements, counted from where designators say.
    longest: u64,
}

/// What stands behind a name.
enum Suffix {
    Array(Option<u64>),
    Function(Parameters),
}

/// What stands between the parentheses of a function.
#[derive(Default)]
struct Parameters {
    params: Option<Vec<Param>>,
    /// Names without types, as they were written before 1989.
    names: Vec<Param>,
    is_variadic: bool,
    style: Style,
    scope: Scope,
}

impl Parser<'_> {
    /// A declarator, of a name or of none.
    pub(crate) fn declarator(&mut self, base: Qualified) -> Parsed<Declarator> {
        self.nested(|parser| parser.declarator_inside(base))
    }

    fn declarator_inside(&mut self, base: Qualified) -> Parsed<Declarator> {
        let first = self.at;
        let mut base = base;
        let mut is_bare = true;
        let mut attributes = Attributes::default();
        loop {
            attributes = attributes.and(self.attributes()?);
            if self.take("*") {
                self.limit_type(&base, first)?;
                base = Ty::Pointer(Rc::new(base)).into();
                is_bare = false;
            } else if !self.qualifier(&mut base) {
                break;
            }
        }
        if self.is("(") && self.is_parenthesised() {
            // What stands behind the parentheses belongs to the type inside, so it is read first.
            let inside = self.at + 1;
            self.skip_parentheses()?;
            let (ty, function) = self.suffixes(base)?;
            let behind = std::mem::replace(&mut self.at, inside);
            let mut declarator = self.declarator(ty)?;
            attributes = attributes.and(self.attributes()?);
            self.expect(")")?;
            self.at = behind;
            declarator.attributes = declarator.attributes.and(attributes);
            // `int (f)(int a)`: the name itself is the function.
            if let (true, Some(function)) = (declarator.is_bare, function) {
                declarator.is_bare = false;
                declarator.take_parameters(function);
            }
            declarator.is_bare &= is_bare;
            declarator.first = first;
            return Ok(declarator);
        }
        let span = self.here();
        let name = self.name();
        attributes = attributes.and(self.attributes()?);
        let suffixed = self.at;
        let (ty, function) = self.suffixes(base)?;
        is_bare &= self.at == suffixed;
        let (params, scope, style) = (Vec::new(), Scope::default(), Style::Typed);
        let mut declarator = Declarator { name, ty, span, first, params, scope, style, attributes, is_bare };
        if let Some(function) = function {
            declarator.take_parameters(function);
        }
        Ok(declarator)
    }

    /// Types are not nested too deeply.
    pub(crate) fn limit_type(&self, ty: &Qualified, first: usize) -> Parsed<()> {
        if ty.bare.depth() > DEEPEST_TYPE {
            return Err(self.error(self.since(first), "this type is nested too deeply"));
        }
        Ok(())
    }

    /// Whether parentheses surround a declarator and not parameters.
    fn is_parenthesised(&self) -> bool {
        match self.peek_second() {
            Token::Sign("*" | "(") => true,
            Token::Name(name) => {
                let word = self.names.text(name);
                let is_type = matches!(self.meaning(name), Some(super::Meaning::Type(_)));
                let is_word = super::is_keyword(word) || word.starts_with("__");
                word.starts_with("__attribute") || (!is_type && !is_word)
            }
            _ => false,
        }
    }

    /// Arrays and parameters behind a name; those of the first function are given, too.
    fn suffixes(&mut self, base: Qualified) -> Parsed<(Qualified, Option<Parameters>)> {
        let first = self.at;
        let mut suffixes = Vec::new();
        loop {
            if self.take("[") {
                suffixes.push(Suffix::Array(self.bound()?));
            } else if self.is("(") {
                suffixes.push(Suffix::Function(self.parameters()?));
            } else {
                break;
            }
        }
        let mut ty = base;
        let mut function = None;
        for suffix in suffixes.into_iter().rev() {
            self.limit_type(&ty, first)?;
            function = None;
            ty = match suffix {
                Suffix::Array(bound) => {
                    if matches!(ty.bare, Ty::Function(_) | Ty::Void) {
                        return Err(self.error(self.since(first), "there are no arrays of this type"));
                    }
                    Ty::Array(Rc::new(ty), bound).into()
                }
                Suffix::Function(parameters) => {
                    if matches!(ty.bare, Ty::Function(_) | Ty::Array(..)) {
                        let message = format!("a function cannot give {}", ty.bare.describe());
                        return Err(self.error(self.since(first), message));
                    }
                    let types =
                        |params: &Vec<Param>| params.iter().map(|param| param.ty.bare.clone()).collect();
                    let params = parameters.params.as_ref().map(types);
                    let signature = Signature::new(ty.bare, params, parameters.is_variadic);
                    function = Some(parameters);
                    Ty::Function(Rc::new(signature)).into()
                }
            };
        }
        Ok((ty, function))
    }

    /// The size of an array, up to its bracket.
    fn bound(&mut self) -> Parsed<Option<u64>> {
        while self.take_word(&["static", "const", "restrict", "__restrict", "volatile"]) {}
        if self.take("]") {
            return Ok(None);
        }
        if self.is("*") && matches!(self.peek_second(), Token::Sign("]")) {
            self.at += 2;
            return Ok(None);
        }
        let bound = self.assignment()?;
        self.expect("]")?;
        let value = constant::evaluate(&self.unit, bound, self.model);
        if value.is_none() {
            self.length = Some(bound);
        }
        Ok(value.and_then(|(value, _)| u64::try_from(value).ok()))
    }

    fn parameters(&mut self) -> Parsed<Parameters> {
        self.expect("(")?;
        if self.take(")") {
            return Ok(Parameters { style: Style::Empty, ..Parameters::default() });
        }
        // Parameters are a scope of their own.
        self.scopes.push(Scope::default());
        let parameters = self.nested(|parser| parser.parameter_list());
        let mut scope = self.scopes.pop().expect("the scope was put there");
        scope.names.retain(|_, (meaning, _)| !matches!(meaning, super::Meaning::Var(_)));
        Ok(Parameters { scope, ..parameters? })
    }

    fn parameter_list(&mut self) -> Parsed<Parameters> {
        if !self.is_declaration() && matches!(self.peek(), Token::Name(_)) {
            let mut names = Vec::new();
            loop {
                let span = self.here();
                let Some(name) = self.name() else { return Err(self.unexpected("the name of a parameter")) };
                let ty = Ty::Int(crate::types::Integer::INT).into();
                names.push(Param { name: Some(name), ty, span });
                if !self.take(",") {
                    break;
                }
            }
            self.expect(")")?;
            return Ok(Parameters { names, style: Style::Untyped, ..Parameters::default() });
        }
        let mut params = Vec::new();
        let mut is_variadic = false;
        loop {
            if self.take("...") {
                is_variadic = true;
                break;
            }
            let specifiers = self.specifiers()?;
            let declarator = self.declarator(specifiers.ty)?;
            let attributes = declarator.attributes.and(self.attributes()?);
            let Declarator { name, ty, span, .. } = declarator;
            let ty = ty.with(attributes.applied(ty.bare.clone().decayed()));
            if let Some(name) = name {
                self.prototype(name, ty.clone(), span)?;
            }
            params.push(Param { name, ty, span });
            if !self.take(",") {
                break;
            }
        }
        self.expect(")")?;
        if let [Param { name: None, ty, .. }] = &params[..]
            && ty.bare == Ty::Void
        {
            params.clear();
        }
        if let Some(param) = params.iter().find(|param| param.ty.bare == Ty::Void) {
            return Err(self.error(param.span, "a parameter cannot be `void`"));
        }
        Ok(Parameters { params: Some(params), is_variadic, ..Parameters::default() })
    }

    /// A type without a name.
    pub(crate) fn type_name(&mut self) -> Parsed<Qualified> {
        let specifiers = self.specifiers()?;
        let declarator = self.declarator(specifiers.ty)?;
        match declarator.name {
            None => Ok(declarator.ty),
            Some(_) => Err(self.error(declarator.span, "a type has no name here")),
        }
    }

    /// An initial value, or several in braces, and what the braces look like.
    pub(crate) fn initializer(&mut self) -> Parsed<(Init, Shape)> {
        if !self.is("{") {
            return Ok((Init::Value(self.assignment()?), Shape::default()));
        }
        let (parts, shape) = self.nested(|parser| parser.braces())?;
        Ok((Init::List(parts), shape))
    }

    pub(crate) fn braces(&mut self) -> Parsed<(Vec<Part>, Shape)> {
        self.expect("{")?;
        let (mut parts, mut shape) = (Vec::new(), Shape::default());
        while !self.take("}") {
            let at = self.designators()?;
            shape.has_designators |= !at.is_empty();
            shape.n_parts += 1;
            let (init, _) = self.nested(|parser| parser.initializer())?;
            match &init {
                Init::Value(value) => {
                    shape.has_texts |= matches!(self.unit.expr(*value).kind, ExprKind::Text(_));
                }
                Init::List(_) => shape.n_lists += 1,
            }
            if let [Designator::Elements(Some((_, last))), ..] = at[..] {
                shape.n_parts = last.saturating_add(1);
            }
            shape.longest = shape.longest.max(shape.n_parts);
            parts.push(Part { at, init });
            if !self.take(",") {
                self.expect("}")?;
                break;
            }
        }
        Ok((parts, shape))
    }

    /// `.member =`, `[3] =`, `member:`.
    fn designators(&mut self) -> Parsed<Vec<Designator>> {
        if let (Token::Name(name), Token::Sign(":")) = (self.peek(), self.peek_second()) {
            self.at += 2;
            return Ok(vec![Designator::Member(name)]);
        }
        let mut all = Vec::new();
        let first = self.at;
        loop {
            if self.take(".") {
                let Some(name) = self.name() else { return Err(self.unexpected("the name of a member")) };
                all.push(Designator::Member(name));
            } else if self.take("[") {
                let first = self.conditional()?;
                let last = if self.take("...") { self.conditional()? } else { first };
                let value = |id| {
                    let (value, _) = constant::evaluate(&self.unit, id, self.model)?;
                    u64::try_from(value).ok()
                };
                all.push(Designator::Elements(value(first).zip(value(last))));
                self.expect("]")?;
            } else {
                break;
            }
        }
        let is_there = self.at > first;
        if is_there {
            self.expect("=")?;
        }
        Ok(all)
    }
}

impl Shape {
    /// How many elements an array has that is given this, if that is clear.
    pub(crate) fn length(self, element: &Ty) -> Option<u64> {
        let is_scalar = !matches!(element, Ty::Array(..) | Ty::Record(_) | Ty::Other);
        let is_pointer = matches!(element, Ty::Pointer(_));
        let is_one_each = self.n_lists == self.n_parts
            || (self.n_lists == 0 && is_scalar && (!self.has_texts || is_pointer));
        (is_one_each || (self.has_designators && is_scalar)).then_some(self.longest)
    }
}

impl Declarator {
    /// It is the name of a function with these parameters.
    fn take_parameters(&mut self, function: Parameters) {
        self.params = function.params.unwrap_or(function.names);
        self.scope = function.scope;
        self.style = function.style;
    }
}

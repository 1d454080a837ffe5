//! Declarations of variables, types and functions, and function definitions.

use super::attributes::Attributes;
use super::declarator::{Declarator, Param, Style};
use super::specifiers::{Class, Specifiers};
use super::{Meaning, Parsed, Parser};
use crate::constant;
use crate::syntax::{Body, ExprKind, Init, Linkage, Stmt, StmtKind, Storage, VarId};
use crate::token::{Name, Token};
use crate::types::{Signature, Ty};
use std::rc::Rc;

impl Parser<'_> {
    /// A declaration or a function definition outside of functions.
    pub(crate) fn external(&mut self) -> Parsed<()> {
        if self.take(";") {
            return Ok(());
        }
        // Assembly outside of functions defines what other files would.
        if self.take_word(&["asm", "__asm__", "__asm"]) {
            self.take_word(&["volatile", "__volatile__"]);
            self.skip_parentheses()?;
            return self.expect(";");
        }
        if self.static_assert()? {
            return Ok(());
        }
        let specifiers = self.specifiers()?;
        if self.take(";") {
            return Ok(());
        }
        let declarator = self.declarator(specifiers.ty.clone())?;
        let attributes = declarator.attributes.and(self.attributes()?);
        if let Ty::Function(signature) = &declarator.ty.bare {
            let signature = signature.clone();
            if declarator.style == Style::Untyped && !self.is(";") && !self.is(",") {
                let (declarator, signature) = self.typed_behind(declarator, &signature)?;
                return self.definition(&specifiers, declarator, signature);
            }
            if self.is("{") {
                return self.definition(&specifiers, declarator, signature);
            }
        }
        self.rest(&specifiers, declarator, attributes, &mut Vec::new())
    }

    /// The types of parameters that stand between the parentheses and the body; what is not among them is an `int`.
    fn typed_behind(
        &mut self,
        mut declarator: Declarator,
        signature: &Signature,
    ) -> Parsed<(Declarator, Rc<Signature>)> {
        while !self.is("{") {
            let specifiers = self.specifiers()?;
            loop {
                let declared = self.declarator(specifiers.ty.clone())?;
                let attributes = declared.attributes.and(self.attributes()?);
                let ty = declared.ty.with(attributes.applied(declared.ty.bare.clone().decayed()));
                match declarator.params.iter_mut().find(|param| param.name == declared.name) {
                    Some(param) => *param = Param { name: declared.name, ty, span: declared.span },
                    None => return Err(self.error(declared.span, "this is no parameter of the function")),
                }
                if !self.take(",") {
                    break;
                }
            }
            self.expect(";")?;
        }
        let types = declarator.params.iter().map(|param| param.ty.bare.clone()).collect();
        let signature = Rc::new(Signature::new(signature.result.clone(), Some(types), false));
        declarator.ty = Ty::Function(signature.clone()).into();
        Ok((declarator, signature))
    }

    /// A declaration in a block.
    pub(crate) fn local_declaration(&mut self) -> Parsed<Stmt> {
        let first = self.at;
        if self.static_assert()? {
            return Ok(Stmt { kind: StmtKind::Empty, span: self.since(first) });
        }
        let specifiers = self.specifiers()?;
        let mut vars = Vec::new();
        if !self.take(";") {
            self.length = None;
            let declarator = self.declarator(specifiers.ty.clone())?;
            let attributes = declarator.attributes.and(self.attributes()?);
            if self.is("{") && matches!(declarator.ty.bare, Ty::Function(_)) {
                return Err(self.error(declarator.span, "functions inside functions are not supported"));
            }
            self.rest(&specifiers, declarator, attributes, &mut vars)?;
        }
        Ok(Stmt { kind: StmtKind::Declare(vars), span: self.since(first) })
    }

    /// `_Static_assert`, which has to hold as far as we can tell; whether there is one.
    pub(crate) fn static_assert(&mut self) -> Parsed<bool> {
        let is_called = matches!(self.peek_second(), Token::Sign("("));
        if !is_called || !self.take_word(&["_Static_assert", "static_assert"]) {
            return Ok(false);
        }
        self.expect("(")?;
        let first = self.at;
        let condition = self.conditional()?;
        let span = self.since(first);
        if let Some((0, _)) = constant::evaluate(&self.unit, condition, self.model) {
            return Err(self.error(span, "this static assertion fails"));
        }
        if self.take(",") {
            if !matches!(self.peek(), Token::Text(_)) {
                return Err(self.unexpected("a text"));
            }
            while matches!(self.peek(), Token::Text(_)) {
                self.at += 1;
            }
        }
        self.expect(")")?;
        self.expect(";")?;
        Ok(true)
    }

    /// The declarators of a declaration, the first of which has been read.
    fn rest(
        &mut self,
        specifiers: &Specifiers,
        first: Declarator,
        attributes: Attributes,
        vars: &mut Vec<VarId>,
    ) -> Parsed<()> {
        let mut declarator = first;
        let mut attributes = attributes;
        loop {
            declarator.ty.bare = attributes.applied(declarator.ty.bare);
            self.declared(specifiers, declarator, attributes, vars)?;
            if !self.take(",") {
                return self.expect(";");
            }
            self.attributes()?;
            self.length = None;
            declarator = self.declarator(specifiers.ty.clone())?;
            attributes = declarator.attributes.and(self.attributes()?);
        }
    }

    /// One declarator with its initial value.
    fn declared(
        &mut self,
        specifiers: &Specifiers,
        declarator: Declarator,
        attributes: Attributes,
        vars: &mut Vec<VarId>,
    ) -> Parsed<()> {
        let Some(name) = declarator.name else {
            return Err(self.error(declarator.span, "a name is missing here"));
        };
        if specifiers.class == Class::Typedef {
            let ty = self.linked_type(name, declarator.ty);
            return self.declare(name, Meaning::Type(ty), declarator.span);
        }
        if let Ty::Function(signature) = &declarator.ty.bare {
            let linkage = linkage(specifiers.class);
            let id = self.function(name, signature.clone(), declarator.span, linkage)?;
            self.unit.functions[id.index()].is_pure |= specifiers.attributes.is_pure || attributes.is_pure;
            return self.declare(name, Meaning::Function(id), declarator.span);
        }
        if self.current.is_some() && specifiers.class == Class::Extern && self.is("=") {
            let message = "a variable that is declared `extern` in a block has no initial value there";
            return Err(self.error(declarator.span, message));
        }
        if specifiers.is_deduced {
            vars.push(self.deduced(name, &declarator)?);
            return Ok(());
        }
        let storage = self.storage(specifiers.class);
        let length = self.length.take().filter(|_| matches!(declarator.ty.bare, Ty::Array(_, None)));
        let id = self.variable(name, declarator.ty, storage, declarator.span)?;
        self.unit.vars[id.index()].length = length;
        if self.is("=") {
            self.initial(id, declarator.first)?;
        }
        vars.push(id);
        Ok(())
    }

    /// `__auto_type`: a variable has the type of its initial value.
    fn deduced(&mut self, name: Name, declarator: &Declarator) -> Parsed<VarId> {
        self.expect("=")?;
        let value = self.assignment()?;
        let whole = self.since(declarator.first);
        let ty = crate::typing::type_of(&self.unit, value, self.model).decayed();
        let storage = self.storage(Class::None);
        let id = self.variable(name, ty.into(), storage, declarator.span)?;
        let var = &mut self.unit.vars[id.index()];
        (var.init, var.whole) = (Some(Init::Value(value)), whole);
        Ok(id)
    }

    /// The initial value of a variable whose declarator begins at a token.
    fn initial(&mut self, id: VarId, first: usize) -> Parsed<()> {
        if self.unit.var(id).init.is_some() {
            let name = self.names.text(self.unit.var(id).name);
            let message = format!("`{name}` has got an initial value before");
            let before = self.unit.var(id).whole;
            return Err(Box::new(self.error(self.here(), message).note("first here", Some(before))));
        }
        self.at += 1;
        let (init, shape) = self.initializer()?;
        let whole = self.since(first);
        if let Ty::Array(element, None) = self.unit.var(id).ty.clone() {
            let length = match init {
                Init::Value(value) => match &self.unit.expr(value).kind {
                    ExprKind::Text(bytes) => bytes.as_ref().map(|bytes| bytes.len() as u64),
                    _ => None,
                },
                Init::List(_) => shape.length(&element.bare),
            };
            self.unit.vars[id.index()].ty = Ty::Array(element, length);
        }
        let var = &mut self.unit.vars[id.index()];
        var.init = Some(init);
        var.whole = whole;
        Ok(())
    }

    /// A function with a body.
    fn definition(
        &mut self,
        specifiers: &Specifiers,
        declarator: Declarator,
        signature: Rc<Signature>,
    ) -> Parsed<()> {
        let Some(name) = declarator.name else {
            return Err(self.error(declarator.span, "a name is missing here"));
        };
        if specifiers.class == Class::Typedef {
            return Err(self.error(declarator.span, "a type has no body"));
        }
        let linkage = linkage(specifiers.class);
        let id = self.function(name, signature.clone(), declarator.span, linkage)?;
        let is_replaced = self.linked.is_library && self.unit.function(id).body.is_some();
        if self.unit.function(id).body.is_some() && !is_replaced {
            let message = format!("`{}` is defined twice", self.names.text(name));
            let first = self.unit.function(id).span;
            return Err(Box::new(self.error(declarator.span, message).note("first here", Some(first))));
        }
        if !is_replaced {
            self.unit.functions[id.index()].signature = signature;
            self.unit.functions[id.index()].span = declarator.span;
        }
        self.declare(name, Meaning::Function(id), declarator.span)?;
        self.current = Some(id);
        self.scopes.push(declarator.scope);
        let mut params = Vec::new();
        for Param { name, ty, span } in declarator.params {
            // A parameter without a name cannot be used.
            let name = name.unwrap_or_else(|| self.names.number(""));
            params.push(self.variable(name, ty, Storage::Parameter, span)?);
        }
        let first = self.unit.exprs.len();
        let block = self.block()?;
        let end = self.since(self.at - 1);
        self.leave_scope();
        self.current = None;
        let scopes = std::mem::take(&mut self.visible);
        if !is_replaced {
            let exprs = first..self.unit.exprs.len();
            self.unit.functions[id.index()].body = Some(Body { params, block, end, exprs, scopes });
        }
        Ok(())
    }

    /// The next word, if it is a name.
    pub(crate) fn name(&mut self) -> Option<Name> {
        let Token::Name(name) = self.peek() else { return None };
        if super::is_keyword(self.names.text(name)) {
            return None;
        }
        self.at += 1;
        Some(name)
    }

    /// What is declared of a type that never gets defined has no size.
    pub(crate) fn incomplete_globals(&self) -> Parsed<()> {
        let incomplete = self.unit.globals.iter().map(|id| self.unit.var(*id)).find(|var| {
            matches!(var.ty, Ty::Enum(_)) && matches!(var.storage, Storage::Global | Storage::StaticGlobal)
        });
        match incomplete {
            Some(var) => {
                let name = self.names.text(var.name);
                Err(self.error(var.span, format!("the type of `{name}` is not defined")))
            }
            None => Ok(()),
        }
    }
}

fn linkage(class: Class) -> Linkage {
    if class == Class::Static { Linkage::Static } else { Linkage::Declared }
}

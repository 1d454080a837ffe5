//! What names mean, and what happens when a name is declared again: several declarations of one global or function are one, if they
//! agree; everything else is a mistake, with both places.

use super::specifiers::Class;
use super::{Meaning, Parsed, Parser};
use crate::syntax::{FnId, Function, Linkage, Storage, Var, VarId};
use crate::token::Name;
use crate::types::{Integer, Qualified, Signature, Ty};
use base::{Diagnostic, Span};
use std::rc::Rc;

impl Parser<'_> {
    /// A name means something from here on, unless it means something else in this block already.
    pub(crate) fn declare(&mut self, name: Name, meaning: Meaning, span: Span) -> Parsed<()> {
        let scope = self.scopes.last_mut().expect("there is a scope");
        if let Some((known, first)) = scope.names.get(&name) {
            let is_same = match (known, &meaning) {
                (Meaning::Type(known), Meaning::Type(new)) => known.is_compatible(new),
                (Meaning::Var(known), Meaning::Var(new)) => known == new,
                (Meaning::Function(known), Meaning::Function(new)) => known == new,
                _ => false,
            };
            if !is_same {
                let first = *first;
                return Err(self.declared_twice(name, span, first));
            }
        }
        scope.names.insert(name, (meaning, span));
        Ok(())
    }

    /// A name of this block means something else from here on.
    pub(crate) fn redefine(&mut self, name: Name, meaning: Meaning) {
        let scope = self.scopes.last_mut().expect("there is a scope");
        if let Some((known, _)) = scope.names.get_mut(&name) {
            *known = meaning;
        }
    }

    fn declared_twice(&self, name: Name, span: Span, first: Span) -> Box<Diagnostic> {
        let message = format!("`{}` is declared twice here", self.names.text(name));
        Box::new(self.error(span, message).note("first here", Some(first)))
    }

    /// Two declarations do not agree.
    pub(super) fn conflict(&self, name: Name, span: Span, first: Span, how: &str) -> Box<Diagnostic> {
        let message = format!("`{}` was declared {how} before", self.names.text(name));
        Box::new(self.error(span, message).note("first here", Some(first)))
    }

    /// Declares a variable. Several declarations of a global are one variable.
    pub(crate) fn variable(
        &mut self,
        name: Name,
        ty: Qualified,
        storage: Storage,
        span: Span,
    ) -> Parsed<VarId> {
        if ty.bare == Ty::Void {
            return Err(self.error(span, format!("`{}` cannot be `void`", self.names.text(name))));
        }
        if matches!(storage, Storage::Local | Storage::StaticLocal(_) | Storage::Parameter)
            && self.is_incomplete(&ty)
        {
            let name = self.names.text(name);
            return Err(self.error(span, format!("the type of `{name}` is not defined here")));
        }
        if matches!(storage, Storage::Global | Storage::Extern) {
            self.check_kind(name, false, span)?;
            self.link_variable(name);
        }
        if has_linkage(storage)
            && let Some((Meaning::Var(id), first)) = self.scopes[0].names.get(&name).cloned()
            && self.unit.var(id).storage != Storage::Undeclared
        {
            self.declare_again(name, id, &ty, storage, (span, first))?;
            self.declare(name, Meaning::Var(id), span)?;
            return Ok(id);
        }
        let id = self.new_variable(name, ty, storage, span);
        if storage == Storage::StaticGlobal {
            self.unit.vars[id.index()].name = self.linked.own_name(name, self.names);
        }
        if has_linkage(storage) {
            self.unit.globals.push(id);
            if self.scopes.len() > 1 {
                self.declare_outside(name, id, span)?;
            }
        }
        if let Storage::StaticLocal(_) = storage {
            self.unit.globals.push(id);
        }
        // A parameter without a name has nothing that could be declared.
        if !self.names.text(name).is_empty() {
            self.declare(name, Meaning::Var(id), span)?;
        }
        Ok(id)
    }

    /// A parameter of a function that has no body here: the others may speak of it.
    pub(crate) fn prototype(&mut self, name: Name, ty: Qualified, span: Span) -> Parsed<()> {
        let id = self.new_variable(name, ty, Storage::Parameter, span);
        self.declare(name, Meaning::Var(id), span)
    }

    fn new_variable(&mut self, name: Name, ty: Qualified, storage: Storage, span: Span) -> VarId {
        let id = VarId::new(self.unit.vars.len());
        let Qualified { bare, is_const, is_volatile, .. } = ty;
        self.unit.vars.push(Var {
            name,
            ty: bare,
            storage,
            is_addressed: false,
            is_volatile,
            is_const,
            init: None,
            length: None,
            is_measured: false,
            span,
            whole: span,
        });
        id
    }

    /// A block speaks of a global that nothing outside of functions has declared so far.
    fn declare_outside(&mut self, name: Name, id: VarId, span: Span) -> Parsed<()> {
        match self.scopes[0].names.get(&name) {
            Some((Meaning::Var(_), _)) | None => {
                self.scopes[0].names.insert(name, (Meaning::Var(id), span));
                Ok(())
            }
            Some((_, first)) => Err(self.declared_twice(name, span, *first)),
        }
    }

    /// A global is declared once more.
    fn declare_again(
        &mut self,
        name: Name,
        id: VarId,
        ty: &Qualified,
        storage: Storage,
        (span, first): (Span, Span),
    ) -> Parsed<()> {
        let var = self.unit.var(id);
        let is_same = var.ty.is_compatible(&ty.bare)
            && var.is_const == ty.is_const
            && var.is_volatile == ty.is_volatile;
        if !is_same {
            return Err(self.conflict(name, span, first, "with another type"));
        }
        match (var.storage, storage) {
            (Storage::StaticGlobal, Storage::Global) => {
                return Err(self.conflict(name, span, first, "as `static`"));
            }
            (Storage::Global | Storage::Extern, Storage::StaticGlobal) => {
                return Err(self.conflict(name, span, first, "without `static`"));
            }
            _ => {}
        }
        let var = &mut self.unit.vars[id.index()];
        if storage != Storage::Extern {
            var.storage = storage;
        }
        if matches!(var.ty, Ty::Array(_, None) | Ty::Other | Ty::Enum(_)) {
            var.ty = ty.bare.clone();
        }
        Ok(())
    }

    /// A variable that is used but not declared: it is as if some header were missing.
    pub(crate) fn undeclared(&mut self, name: Name, span: Span) -> VarId {
        let id = self.new_variable(name, Ty::Int(Integer::INT).into(), Storage::Undeclared, span);
        self.unit.globals.push(id);
        self.scopes[0].names.insert(name, (Meaning::Var(id), span));
        id
    }

    /// Declares a function; the most telling signature counts.
    pub(crate) fn function(
        &mut self,
        name: Name,
        signature: Rc<Signature>,
        span: Span,
        linkage: Linkage,
    ) -> Parsed<FnId> {
        if linkage != Linkage::Static && !self.functions.contains_key(&name) {
            self.check_kind(name, true, span)?;
            if let Some(id) = self
                .linked_function(name)
                .filter(|id| linkage == Linkage::Implicit || self.is_meant(*id, &signature))
            {
                self.functions.insert(name, id);
            }
        }
        let Some(&id) = self.functions.get(&name) else {
            let id = FnId::new(self.unit.functions.len());
            self.functions.insert(name, id);
            let is_own = linkage == Linkage::Static || self.linked.is_library && linkage != Linkage::Implicit;
            let name = if is_own { self.linked.own_name(name, self.names) } else { name };
            let function = Function { name, signature, span, body: None, is_pure: false, linkage };
            self.unit.functions.push(function);
            return Ok(id);
        };
        let known = self.unit.function(id);
        if linkage == Linkage::Implicit {
            return Ok(id);
        }
        let first = known.span;
        // Whoever calls a function before it is declared says that it gives an `int`; compilers let it give nothing.
        let is_void_after_call = known.linkage == Linkage::Implicit && signature.result == Ty::Void;
        if !known.signature.is_compatible(&signature) && !is_void_after_call {
            let how = if known.linkage == Linkage::Implicit {
                "by a call, as a function that gives an `int`,"
            } else {
                "with another type"
            };
            return Err(self.conflict(name, span, first, how));
        }
        if known.linkage == Linkage::Declared && linkage == Linkage::Static {
            return Err(self.conflict(name, span, first, "without `static`"));
        }
        let function = &mut self.unit.functions[id.index()];
        if function.linkage == Linkage::Implicit {
            function.linkage = linkage;
        }
        if function.body.is_none() && (signature.params.is_some() || function.signature.params.is_none()) {
            function.signature = signature;
        }
        Ok(id)
    }

    /// What a storage class means here.
    pub(crate) fn storage(&self, class: Class) -> Storage {
        match (self.current, class) {
            (_, Class::Extern) if !self.is("=") => Storage::Extern,
            (None, Class::Static) => Storage::StaticGlobal,
            (None, _) => Storage::Global,
            (Some(function), Class::Static) => Storage::StaticLocal(function),
            (Some(_), _) => Storage::Local,
        }
    }
}

/// Several declarations may mean the same variable.
fn has_linkage(storage: Storage) -> bool {
    matches!(storage, Storage::Global | Storage::StaticGlobal | Storage::Extern)
}

//! Declarators: pointers, arrays, functions and parentheses around a name, and types without one.

use super::{Parsed, Parser};
use crate::constant;
use crate::syntax::Init;
use crate::token::{Name, Token};
use crate::types::{Signature, Ty};
use base::Span;
use std::rc::Rc;

/// A name with its type.
pub(crate) struct Declarator {
    pub(crate) name: Option<Name>,
    pub(crate) ty: Ty,
    pub(crate) span: Span,
    /// The parameters of the function that the name stands for.
    pub(crate) params: Vec<(Option<Name>, Ty, Span)>,
    /// Between its parentheses there are names without types.
    pub(crate) is_old_style: bool,
}

/// What stands behind a name.
enum Suffix {
    Array(Option<u64>),
    Function { params: Option<Vec<(Option<Name>, Ty, Span)>>, is_variadic: bool, is_old_style: bool },
}

impl Parser<'_> {
    /// A declarator, of a name or of none.
    pub(crate) fn declarator(&mut self, base: Ty) -> Parsed<Declarator> {
        self.nested(|parser| parser.declarator_inside(base))
    }

    fn declarator_inside(&mut self, base: Ty) -> Parsed<Declarator> {
        let mut base = base;
        loop {
            self.attributes()?;
            if self.take("*") {
                base = Ty::Pointer(Rc::new(base));
            } else if !self.take_word(&[
                "const",
                "__const",
                "volatile",
                "__volatile__",
                "restrict",
                "__restrict",
                "__restrict__",
                "_Atomic",
            ]) {
                break;
            }
        }
        if self.is("(") && self.is_parenthesised() {
            // What stands behind the parentheses belongs to the type inside, so it is read first.
            let inside = self.at + 1;
            self.skip_parentheses()?;
            let (ty, _) = self.suffixes(base)?;
            let behind = std::mem::replace(&mut self.at, inside);
            let declarator = self.declarator(ty)?;
            self.attributes()?;
            self.expect(")")?;
            self.at = behind;
            return Ok(declarator);
        }
        let span = self.here();
        let name = self.name();
        self.attributes()?;
        let (ty, function) = self.suffixes(base)?;
        let (params, is_old_style) = function.unwrap_or_default();
        Ok(Declarator { name, ty, span, params, is_old_style })
    }

    /// Whether parentheses surround a declarator and not parameters.
    fn is_parenthesised(&self) -> bool {
        match self.peek_second() {
            Token::Sign("*" | "(" | "^") => true,
            Token::Name(name) => {
                let word = self.names.text(name);
                let is_type = !matches!(
                    self.meaning(name),
                    None | Some(super::Meaning::Var(_) | super::Meaning::Function(_))
                );
                let is_word = super::declaration::is_keyword(word) || word.starts_with("__");
                word.starts_with("__attribute") || (!is_type && !is_word)
            }
            _ => false,
        }
    }

    /// Arrays and parameters behind a name; those of the first function are given, too.
    #[expect(clippy::type_complexity, reason = "it is taken apart at once")]
    fn suffixes(&mut self, base: Ty) -> Parsed<(Ty, Option<(Vec<(Option<Name>, Ty, Span)>, bool)>)> {
        let mut suffixes = Vec::new();
        loop {
            if self.take("[") {
                suffixes.push(Suffix::Array(self.bound()?));
            } else if self.is("(") {
                suffixes.push(self.parameters()?);
            } else {
                break;
            }
        }
        let mut ty = base;
        let mut function = None;
        let count = suffixes.len();
        for (n, suffix) in suffixes.into_iter().rev().enumerate() {
            ty = match suffix {
                Suffix::Array(bound) => Ty::Array(Rc::new(ty), bound),
                Suffix::Function { params, is_variadic, is_old_style } => {
                    let types =
                        params.as_ref().map(|params| params.iter().map(|(_, ty, _)| ty.clone()).collect());
                    if n + 1 == count {
                        function = Some((params.unwrap_or_default(), is_old_style));
                    }
                    Ty::Function(Rc::new(Signature { result: ty, params: types, is_variadic }))
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
        Ok(value.and_then(|(value, _)| u64::try_from(value).ok()))
    }

    fn parameters(&mut self) -> Parsed<Suffix> {
        self.expect("(")?;
        if self.take(")") {
            return Ok(Suffix::Function { params: None, is_variadic: false, is_old_style: true });
        }
        // Parameters are a scope of their own.
        self.scopes.push(super::Scope::default());
        let suffix = self.nested(|parser| parser.parameter_list());
        self.scopes.pop();
        suffix
    }

    fn parameter_list(&mut self) -> Parsed<Suffix> {
        if !self.is_declaration() && matches!(self.peek(), Token::Name(_)) {
            while self.name().is_some() && self.take(",") {}
            self.expect(")")?;
            return Ok(Suffix::Function { params: None, is_variadic: false, is_old_style: true });
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
            self.attributes()?;
            params.push((declarator.name, declarator.ty.decayed(), declarator.span));
            if !self.take(",") {
                break;
            }
        }
        self.expect(")")?;
        if let [(None, Ty::Void, _)] = &params[..] {
            params.clear();
        }
        Ok(Suffix::Function { params: Some(params), is_variadic, is_old_style: false })
    }

    /// A type without a name.
    pub(crate) fn type_name(&mut self) -> Parsed<Ty> {
        let specifiers = self.specifiers()?;
        let declarator = self.declarator(specifiers.ty)?;
        match declarator.name {
            None => Ok(declarator.ty),
            Some(_) => Err(self.error(declarator.span, "a type has no name here")),
        }
    }

    /// An initial value, or several in braces.
    pub(crate) fn initializer(&mut self) -> Parsed<Init> {
        if !self.is("{") {
            return Ok(Init::Value(self.assignment()?));
        }
        let mut values = Vec::new();
        self.nested(|parser| parser.braces(&mut values))?;
        Ok(Init::List(values))
    }

    pub(crate) fn braces(&mut self, values: &mut Vec<crate::syntax::ExprId>) -> Parsed<()> {
        self.expect("{")?;
        while !self.take("}") {
            self.designators()?;
            match self.nested(|parser| parser.initializer())? {
                Init::Value(value) => values.push(value),
                Init::List(list) => values.extend(list),
            }
            if !self.take(",") {
                return self.expect("}");
            }
        }
        Ok(())
    }

    /// `.member =`, `[3] =`, `member:`
    fn designators(&mut self) -> Parsed<()> {
        if matches!((self.peek(), self.peek_second()), (Token::Name(_), Token::Sign(":"))) {
            self.at += 2;
            return Ok(());
        }
        let first = self.at;
        loop {
            if self.take(".") {
                if self.name().is_none() {
                    return Err(self.unexpected("the name of a member"));
                }
            } else if self.take("[") {
                self.conditional()?;
                if self.take("...") {
                    self.conditional()?;
                }
                self.expect("]")?;
            } else {
                break;
            }
        }
        if self.at > first {
            self.expect("=")?;
        }
        Ok(())
    }
}

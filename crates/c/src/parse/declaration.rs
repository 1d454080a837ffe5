//! Declarations: specifiers, records, enumerations, variables, functions.

use super::{Meaning, Parsed, Parser, Scope};
use crate::constant;
use crate::parse::declarator::Declarator;
use crate::syntax::{Body, FnId, Function, Init, Stmt, StmtKind, Storage, Var, VarId};
use crate::token::{Name, Token};
use crate::types::{Integer, Record, Signature, Ty};
use base::Span;
use std::rc::Rc;

/// What stands before the names of a declaration.
#[derive(Clone)]
pub(crate) struct Specifiers {
    pub(crate) ty: Ty,
    pub(crate) class: Class,
    is_volatile: bool,
    is_pure: bool,
}

/// The storage class.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    None,
    Typedef,
    Extern,
    Static,
}

/// How often the words of arithmetic types occur.
#[derive(Default)]
struct Words {
    void: u8,
    char: u8,
    short: u8,
    int: u8,
    long: u8,
    signed: u8,
    unsigned: u8,
    bool: u8,
    float: u8,
    double: u8,
    other: u8,
    named: Option<Ty>,
}

const QUALIFIERS: [&str; 12] = [
    "const",
    "__const",
    "__const__",
    "restrict",
    "__restrict",
    "__restrict__",
    "_Atomic",
    "__extension__",
    "register",
    "auto",
    "_Thread_local",
    "__thread",
];
const INLINE: [&str; 6] = ["inline", "__inline", "__inline__", "_Noreturn", "__forceinline", "__noreturn__"];

impl Parser<'_> {
    /// Whether a declaration begins here.
    pub(crate) fn is_declaration(&self) -> bool {
        let Token::Name(name) = self.peek() else { return false };
        if self.is_type_word() || matches!(self.meaning(name), Some(Meaning::Type(_))) {
            // A label may have the name of a type.
            return !matches!(self.peek_second(), Token::Sign(":"));
        }
        let words = ["typedef", "extern", "static", "_Static_assert", "_Alignas", "volatile", "__volatile__"];
        let word = self.names.text(name);
        words.contains(&word) || QUALIFIERS.contains(&word) || INLINE.contains(&word) || is_attribute(word)
    }

    /// Whether a type begins here.
    pub(crate) fn is_type(&self) -> bool {
        let Token::Name(name) = self.peek() else { return false };
        let word = self.names.text(name);
        self.is_type_word()
            || matches!(self.meaning(name), Some(Meaning::Type(_)))
            || (QUALIFIERS.contains(&word) && word != "__extension__")
            || matches!(word, "volatile" | "__volatile__")
    }

    fn is_type_word(&self) -> bool {
        self.word().is_some_and(|word| {
            matches!(
                word,
                "void"
                    | "char"
                    | "short"
                    | "int"
                    | "long"
                    | "signed"
                    | "__signed__"
                    | "__signed"
                    | "unsigned"
                    | "_Bool"
                    | "float"
                    | "double"
                    | "_Complex"
                    | "__complex__"
                    | "struct"
                    | "union"
                    | "enum"
                    | "typeof"
                    | "__typeof__"
                    | "__typeof"
                    | "__int128"
                    | "__int128_t"
                    | "__uint128_t"
                    | "_Float16"
                    | "_Float32"
                    | "_Float64"
                    | "_Float128"
                    | "__float128"
                    | "_Float32x"
                    | "_Float64x"
            )
        })
    }

    /// A declaration or a function definition outside of functions.
    pub(crate) fn external(&mut self) -> Parsed<()> {
        if self.take(";") {
            return Ok(());
        }
        if self.word().is_some_and(|word| matches!(word, "asm" | "__asm__" | "__asm")) {
            return Err(self.error(self.here(), "assembly is not supported"));
        }
        if self.static_assert()? {
            return Ok(());
        }
        let specifiers = self.specifiers()?;
        if self.take(";") {
            return Ok(());
        }
        let declarator = self.declarator(specifiers.ty.clone())?;
        self.attributes()?;
        if let Ty::Function(signature) = &declarator.ty {
            let signature = signature.clone();
            if self.is("{") {
                return self.definition(&specifiers, declarator, signature);
            }
            if declarator.is_old_style && !self.is(";") && !self.is(",") {
                let message = "the types of the parameters are missing: K&R declarations are not supported";
                let error = self.error(declarator.span, message);
                return Err(Box::new(
                    error.note("write them between the parentheses, as in `int f(int x)`", None),
                ));
            }
        }
        self.rest(&specifiers, declarator, &mut Vec::new())
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
            let declarator = self.declarator(specifiers.ty.clone())?;
            self.attributes()?;
            if self.is("{") && matches!(declarator.ty, Ty::Function(_)) {
                return Err(self.error(declarator.span, "functions inside functions are not supported"));
            }
            self.rest(&specifiers, declarator, &mut vars)?;
        }
        Ok(Stmt { kind: StmtKind::Declare(vars), span: self.since(first) })
    }

    fn static_assert(&mut self) -> Parsed<bool> {
        if !self.take_word(&["_Static_assert", "static_assert"]) {
            return Ok(false);
        }
        self.skip_parentheses()?;
        self.expect(";")?;
        Ok(true)
    }

    /// The declarators of a declaration, the first of which has been read.
    fn rest(&mut self, specifiers: &Specifiers, first: Declarator, vars: &mut Vec<VarId>) -> Parsed<()> {
        let mut declarator = first;
        loop {
            self.declared(specifiers, declarator, vars)?;
            if !self.take(",") {
                return self.expect(";");
            }
            self.attributes()?;
            declarator = self.declarator(specifiers.ty.clone())?;
            self.attributes()?;
        }
    }

    /// One declarator with its initial value.
    fn declared(
        &mut self,
        specifiers: &Specifiers,
        declarator: Declarator,
        vars: &mut Vec<VarId>,
    ) -> Parsed<()> {
        let Some(name) = declarator.name else {
            return Err(self.error(declarator.span, "a name is missing here"));
        };
        if specifiers.class == Class::Typedef {
            self.declare(name, Meaning::Type(declarator.ty));
            return Ok(());
        }
        if let Ty::Function(signature) = &declarator.ty {
            let id = self.function(name, signature.clone(), declarator.span);
            self.unit.functions[id.index()].is_pure |= specifiers.is_pure;
            self.declare(name, Meaning::Function(id));
            return Ok(());
        }
        let storage = match (self.current, specifiers.class) {
            (_, Class::Extern) if !self.is("=") => Storage::Extern,
            (None, Class::Static) => Storage::StaticGlobal,
            (None, _) => Storage::Global,
            (Some(function), Class::Static) => Storage::StaticLocal(function),
            (Some(_), _) => Storage::Local,
        };
        let id = self.variable(name, declarator.ty, storage, declarator.span, specifiers.is_volatile);
        if self.take("=") {
            let init = self.initializer()?;
            let var = &mut self.unit.vars[id.index()];
            if let (Ty::Array(element, None), Init::List(values)) = (&var.ty, &init) {
                var.ty = Ty::Array(element.clone(), Some(values.len() as u64));
            }
            var.init = Some(init);
        }
        vars.push(id);
        Ok(())
    }

    /// Declares a variable that is given from outside.
    pub(crate) fn parameter(&mut self, name: Name, ty: Ty, span: Span) -> VarId {
        self.variable(name, ty, Storage::Parameter, span, false)
    }

    /// Declares a variable. Several declarations of a global are one variable.
    fn variable(&mut self, name: Name, ty: Ty, storage: Storage, span: Span, is_volatile: bool) -> VarId {
        let is_global =
            |storage| matches!(storage, Storage::Global | Storage::StaticGlobal | Storage::Extern);
        let known = match storage {
            // A declaration of a global that some other scope has, too.
            Storage::Extern => self.scopes[0].names.get(&name).cloned(),
            _ if is_global(storage) => self.scopes[0].names.get(&name).cloned(),
            _ => None,
        };
        if let Some(Meaning::Var(id)) = known
            && is_global(self.unit.var(id).storage)
        {
            let var = &mut self.unit.vars[id.index()];
            if storage != Storage::Extern {
                var.storage = if var.storage == Storage::StaticGlobal { var.storage } else { storage };
            }
            if matches!(var.ty, Ty::Array(_, None)) || !matches!(ty, Ty::Array(_, None)) {
                var.ty = ty;
            }
            self.declare(name, Meaning::Var(id));
            return id;
        }
        let id = VarId::new(self.unit.vars.len());
        let init = None;
        self.unit.vars.push(Var { name, ty, storage, is_addressed: false, is_volatile, init, span });
        if is_global(storage) {
            self.unit.globals.push(id);
            if self.scopes.len() > 1 {
                self.scopes[0].names.insert(name, Meaning::Var(id));
            }
        }
        if let Storage::StaticLocal(_) = storage {
            self.unit.globals.push(id);
        }
        self.declare(name, Meaning::Var(id));
        id
    }

    /// A variable that is used but not declared: it is as if some header were missing.
    pub(crate) fn undeclared(&mut self, name: Name, span: Span) -> VarId {
        let id = VarId::new(self.unit.vars.len());
        let ty = Ty::Int(Integer::INT);
        let var = Var {
            name,
            ty,
            storage: Storage::Undeclared,
            is_addressed: false,
            is_volatile: false,
            init: None,
            span,
        };
        self.unit.vars.push(var);
        self.unit.globals.push(id);
        self.scopes[0].names.insert(name, Meaning::Var(id));
        id
    }

    /// Declares a function; the most telling signature counts.
    pub(crate) fn function(&mut self, name: Name, signature: Rc<Signature>, span: Span) -> FnId {
        if let Some(&id) = self.functions.get(&name) {
            let function = &mut self.unit.functions[id.index()];
            if function.body.is_none() && (signature.params.is_some() || function.signature.params.is_none())
            {
                function.signature = signature;
            }
            return id;
        }
        let id = FnId::new(self.unit.functions.len());
        self.unit.functions.push(Function { name, signature, span, body: None, is_pure: false });
        self.functions.insert(name, id);
        id
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
        let id = self.function(name, signature.clone(), declarator.span);
        if self.unit.function(id).body.is_some() {
            let message = format!("`{}` is defined twice", self.names.text(name));
            let first = self.unit.function(id).span;
            return Err(Box::new(self.error(declarator.span, message).note("first here", Some(first))));
        }
        self.unit.functions[id.index()].signature = signature;
        self.unit.functions[id.index()].span = declarator.span;
        self.declare(name, Meaning::Function(id));
        self.current = Some(id);
        self.scopes.push(Scope::default());
        let mut params = Vec::new();
        for (param, ty, span) in declarator.params {
            // A parameter without a name cannot be used.
            let param = param.unwrap_or_else(|| self.names.number(""));
            params.push(self.variable(param, ty, Storage::Parameter, span, false));
        }
        let block = self.block()?;
        let end = self.since(self.at - 1);
        self.leave_scope();
        self.current = None;
        self.unit.functions[id.index()].body = Some(Body { params, block, end });
        Ok(())
    }

    /// What stands before the names.
    pub(crate) fn specifiers(&mut self) -> Parsed<Specifiers> {
        let first = self.at;
        let mut words = Words::default();
        let mut class = Class::None;
        let (mut is_volatile, mut is_pure) = (false, false);
        loop {
            is_pure |= self.attributes()?;
            if self.take_word(&["typedef"]) {
                class = Class::Typedef;
            } else if self.take_word(&["extern"]) {
                class = Class::Extern;
            } else if self.take_word(&["static"]) {
                class = Class::Static;
            } else if self.take_word(&["volatile", "__volatile__", "__volatile"]) {
                is_volatile = true;
            } else if self.take_word(&QUALIFIERS) || self.take_word(&INLINE) {
            } else if self.take_word(&["_Alignas"]) {
                self.skip_parentheses()?;
            } else if !self.type_word(&mut words)? {
                break;
            }
        }
        let is_empty = self.at == first;
        let ty = match self.combined(words) {
            Some(ty) => ty,
            None if is_empty => {
                let is_type_wanted =
                    matches!((self.peek(), self.peek_second()), (Token::Name(_), Token::Name(_)));
                return Err(self.unexpected(if is_type_wanted { "a type" } else { "a declaration" }));
            }
            // Old programs leave out `int`.
            None if class != Class::None || self.is("*") || matches!(self.peek(), Token::Name(_)) => {
                Ty::Int(Integer::INT)
            }
            None => return Err(self.error(self.since(first), "this is no type of C")),
        };
        Ok(Specifiers { ty, class, is_volatile, is_pure })
    }

    /// Takes one word of a type, if there is one.
    fn type_word(&mut self, words: &mut Words) -> Parsed<bool> {
        let Token::Name(name) = self.peek() else { return Ok(false) };
        let count = match self.names.text(name) {
            "void" => &mut words.void,
            "char" => &mut words.char,
            "short" => &mut words.short,
            "int" => &mut words.int,
            "long" => &mut words.long,
            "signed" | "__signed__" | "__signed" => &mut words.signed,
            "unsigned" => &mut words.unsigned,
            "_Bool" => &mut words.bool,
            "float" | "_Float16" | "_Float32" => &mut words.float,
            "double" | "_Float64" | "_Float32x" => &mut words.double,
            "_Complex" | "__complex__" | "__int128" | "__int128_t" | "__uint128_t" | "_Float128"
            | "__float128" | "_Float64x" => &mut words.other,
            "struct" | "union" => {
                words.named = Some(self.record()?);
                return Ok(true);
            }
            "enum" => {
                words.named = Some(self.enumeration()?);
                return Ok(true);
            }
            "typeof" | "__typeof__" | "__typeof" => {
                words.named = Some(self.type_of()?);
                return Ok(true);
            }
            _ => {
                let has_type = words.named.is_some() || words.any();
                let Some(Meaning::Type(ty)) = self.meaning(name).filter(|_| !has_type) else {
                    return Ok(false);
                };
                words.named = Some(ty.clone());
                self.at += 1;
                return Ok(true);
            }
        };
        *count = count.saturating_add(1);
        self.at += 1;
        Ok(true)
    }

    /// The type that the words name together.
    fn combined(&self, words: Words) -> Option<Ty> {
        if let Some(ty) = words.named {
            return Some(ty);
        }
        if !words.any() {
            return None;
        }
        let bits = if words.other > 0 {
            return Some(Ty::Other);
        } else if words.void > 0 {
            return Some(Ty::Void);
        } else if words.float > 0 {
            return Some(Ty::Float(4));
        } else if words.double > 0 {
            return Some(Ty::Float(if words.long > 0 { 16 } else { 8 }));
        } else if words.bool > 0 {
            return Some(Ty::Int(Integer::BOOL));
        } else if words.char > 0 {
            8
        } else if words.short > 0 {
            16
        } else if words.long >= 2 {
            64
        } else if words.long == 1 {
            self.model.word()
        } else {
            32
        };
        Some(Ty::Int(if words.unsigned > 0 { Integer::unsigned(bits) } else { Integer::signed(bits) }))
    }

    fn type_of(&mut self) -> Parsed<Ty> {
        self.at += 1;
        self.expect("(")?;
        let ty = if self.is_type() {
            self.type_name()?
        } else {
            let expr = self.expression()?;
            constant::type_of(&self.unit, expr, self.model)
        };
        self.expect(")")?;
        Ok(ty)
    }

    /// `struct` or `union`, with or without members.
    fn record(&mut self) -> Parsed<Ty> {
        let is_union = self.word() == Some("union");
        self.at += 1;
        self.attributes()?;
        let name = self.name();
        if !self.take("{") {
            let Some(name) = name else { return Err(self.unexpected("a name or `{`")) };
            return Ok(match self.tag(name) {
                Some(ty) => ty.clone(),
                None => {
                    let ty = Self::unknown_record();
                    self.declare_tag(name, ty.clone());
                    ty
                }
            });
        }
        let mut fields = Vec::new();
        let mut layout = Some((0u64, 1u64));
        while !self.take("}") {
            if self.take(";") || self.static_assert()? {
                continue;
            }
            self.nested(|parser| parser.members(is_union, &mut fields, &mut layout))?;
        }
        self.attributes()?;
        let layout = layout.map(|(size, align)| (size.div_ceil(align) * align, align));
        let ty = Ty::Record(Rc::new(Record { fields, layout }));
        if let Some(name) = name {
            self.declare_tag(name, ty.clone());
        }
        Ok(ty)
    }

    /// One declaration of members.
    fn members(
        &mut self,
        is_union: bool,
        fields: &mut Vec<(Name, Ty)>,
        layout: &mut Option<(u64, u64)>,
    ) -> Parsed<()> {
        let specifiers = self.specifiers()?;
        let mut place = |ty: &Ty, model| {
            *layout = match (*layout, ty.layout(model)) {
                (Some((size, align)), Some((more, at))) if is_union => Some((size.max(more), align.max(at))),
                (Some((size, align)), Some((more, at))) => {
                    (size.div_ceil(at) * at).checked_add(more).map(|size| (size, align.max(at)))
                }
                _ => None,
            };
        };
        if self.take(";") {
            // A record without a name: its members are members of this one.
            if let Ty::Record(record) = &specifiers.ty {
                fields.extend(record.fields.iter().cloned());
            }
            place(&specifiers.ty, self.model);
            return Ok(());
        }
        loop {
            let mut ty = specifiers.ty.clone();
            if !self.is(":") {
                let declarator = self.declarator(ty)?;
                ty = declarator.ty;
                place(&ty, self.model);
                fields.extend(declarator.name.map(|name| (name, ty.clone())));
            }
            if self.take(":") {
                self.conditional()?;
                place(&Ty::Other, self.model);
            }
            self.attributes()?;
            if !self.take(",") {
                return self.expect(";");
            }
        }
    }

    /// `enum`, with or without its constants.
    fn enumeration(&mut self) -> Parsed<Ty> {
        self.at += 1;
        self.attributes()?;
        let name = self.name();
        if !self.take("{") {
            if name.is_none() {
                return Err(self.unexpected("a name or `{`"));
            }
            return Ok(Ty::Int(Integer::unsigned(32)));
        }
        let mut next: i128 = 0;
        let mut has_negative = false;
        let mut is_wide = false;
        while !self.take("}") {
            let span = self.here();
            let Some(constant) = self.name() else { return Err(self.unexpected("the name of a constant")) };
            self.attributes()?;
            if self.take("=") {
                let value = self.conditional()?;
                let Some((value, _)) = constant::evaluate(&self.unit, value, self.model) else {
                    return Err(self.error(span, "the value of this constant is not constant"));
                };
                next = value;
            }
            has_negative |= next < 0;
            is_wide |= !Integer::INT.ty.contains(next);
            let ty = if is_wide { Integer::signed(64) } else { Integer::INT };
            self.declare(constant, Meaning::Constant(next, ty));
            next += 1;
            if !self.take(",") {
                self.expect("}")?;
                break;
            }
        }
        self.attributes()?;
        let bits = if is_wide { 64 } else { 32 };
        Ok(Ty::Int(if has_negative { Integer::signed(bits) } else { Integer::unsigned(bits) }))
    }

    /// The next word, if it is a name.
    pub(crate) fn name(&mut self) -> Option<Name> {
        let Token::Name(name) = self.peek() else { return None };
        if is_keyword(self.names.text(name)) {
            return None;
        }
        self.at += 1;
        Some(name)
    }

    /// Skips attributes and the names that assembly uses; whether one says that a function has no effects.
    pub(crate) fn attributes(&mut self) -> Parsed<bool> {
        let mut is_pure = false;
        loop {
            let Some(word) = self.word() else { return Ok(is_pure) };
            if matches!(word, "__extension__") {
                self.at += 1;
            } else if is_attribute(word) || matches!(word, "asm" | "__asm__" | "__asm") {
                self.at += 1;
                self.take_word(&["volatile", "__volatile__"]);
                let first = self.at;
                self.skip_parentheses()?;
                let is_effectless = |token: &crate::token::Placed| match token.token {
                    Token::Name(name) => {
                        matches!(self.names.text(name), "const" | "__const__" | "pure" | "__pure__")
                    }
                    _ => false,
                };
                is_pure |= self.tokens[first..self.at].iter().any(is_effectless);
            } else {
                return Ok(is_pure);
            }
        }
    }

    /// A bracketed piece that nobody looks into.
    pub(crate) fn skip_parentheses(&mut self) -> Parsed<()> {
        self.expect("(")?;
        let mut open = 1;
        while open > 0 {
            match self.advance() {
                Token::Sign("(") => open += 1,
                Token::Sign(")") => open -= 1,
                Token::End => return Err(self.unexpected("`)`")),
                _ => {}
            }
        }
        Ok(())
    }
}

impl Words {
    fn any(&self) -> bool {
        let counts = [
            self.void,
            self.char,
            self.short,
            self.int,
            self.long,
            self.signed,
            self.unsigned,
            self.bool,
            self.float,
            self.double,
            self.other,
        ];
        counts.iter().any(|count| *count > 0)
    }
}

fn is_attribute(word: &str) -> bool {
    matches!(word, "__attribute__" | "__attribute" | "__declspec")
}

/// Words that cannot be names.
pub(crate) fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "auto"
            | "break"
            | "case"
            | "char"
            | "const"
            | "continue"
            | "default"
            | "do"
            | "double"
            | "else"
            | "enum"
            | "extern"
            | "float"
            | "for"
            | "goto"
            | "if"
            | "inline"
            | "int"
            | "long"
            | "register"
            | "restrict"
            | "return"
            | "short"
            | "signed"
            | "sizeof"
            | "static"
            | "struct"
            | "switch"
            | "typedef"
            | "union"
            | "unsigned"
            | "void"
            | "volatile"
            | "while"
            | "_Bool"
            | "_Alignof"
            | "_Generic"
            | "__attribute__"
            | "__extension__"
            | "__typeof__"
            | "typeof"
    )
}

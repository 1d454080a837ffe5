//! From tokens to the tree of a file, in one pass: C declares before it uses.
//!
//! Understands C11 and those extensions of GNU that preprocessed headers have. Stops at the first mistake: what follows one is guesswork in C.
//! Nesting is limited, so that no text exhausts the stack.

mod attributes;
mod declaration;
mod declarator;
mod declared;
mod expression;
mod generic;
mod keywords;
mod link;
mod scan;
mod specifiers;
mod statement;
mod tags;

use crate::options::Options;
use crate::places::Places;
use crate::syntax::{Expr, ExprId, ExprKind, FnId, Storage, Unit, VarId};
use crate::token::{Name, Names, Placed, Token};
use crate::types::{DataModel, Qualified, Ty};
use base::{Diagnostic, Span};
use rustc_hash::FxHashMap;

/// What a parser function gives.
pub(crate) type Parsed<T> = Result<T, Box<Diagnostic>>;

/// How deeply brackets and operators may be nested.
const DEEPEST: u16 = 200;

/// How deeply statements may be nested.
const DEEPEST_STATEMENT: u16 = 1000;

/// What a name means.
#[derive(Clone)]
pub(crate) enum Meaning {
    Type(Qualified),
    Var(VarId),
    Function(FnId),
    Constant(i128, crate::types::Integer),
}

/// A block of declarations.
#[derive(Default)]
pub(crate) struct Scope {
    /// What names mean, and where that is said.
    names: FxHashMap<Name, (Meaning, Span)>,
    tags: FxHashMap<Name, tags::Tag>,
}

pub(crate) struct Parser<'t> {
    pub(crate) text: &'t str,
    pub(crate) tokens: &'t [Placed],
    pub(crate) at: usize,
    pub(crate) names: &'t mut Names,
    pub(crate) places: &'t Places,
    pub(crate) model: DataModel,
    pub(crate) options: &'t Options,
    pub(crate) unit: Unit,
    pub(crate) scopes: Vec<Scope>,
    pub(crate) functions: FxHashMap<Name, FnId>,
    /// How many brackets and operators are open.
    nesting: u16,
    /// How many statements are open.
    open_statements: u16,
    /// The function whose body is read.
    pub(crate) current: Option<FnId>,
    /// The variables of the function that have been declared in it, with their scopes.
    pub(crate) visible: Vec<(VarId, Span)>,
    pub(crate) warnings: Vec<Diagnostic>,
    /// A pragma says how structures are laid out.
    pub(crate) has_packing: bool,
    /// The last length of an array that is not constant.
    pub(crate) length: Option<ExprId>,
    /// What other files have said.
    pub(crate) linked: Linked,
}

pub(crate) use keywords::is_keyword;
pub(crate) use link::Linked;

/// Reads an expression by itself. Its variables get the first numbers, in order.
pub(crate) fn alone(
    text: &str,
    tokens: &[Placed],
    names: &mut Names,
    places: &Places,
    options: &Options,
    variables: Vec<(&str, Ty)>,
) -> Parsed<(Unit, ExprId)> {
    let mut parser = Parser::new(text, tokens, names, places, options);
    for (name, ty) in variables {
        let (name, span) = (parser.names.number(name), parser.here());
        parser.variable(name, ty.into(), Storage::Parameter, span)?;
    }
    let expr = parser.expression()?;
    if parser.peek() != Token::End {
        return Err(parser.unexpected("an operator or the end of the expression"));
    }
    Ok((parser.unit, expr))
}

/// Reads a file into a tree in which others may be already.
pub(crate) fn parse(
    (unit, linked): (Unit, Linked),
    text: &str,
    tokens: &[Placed],
    names: &mut Names,
    places: &Places,
    options: &Options,
) -> Parsed<(Unit, Linked, Vec<Diagnostic>)> {
    let mut parser = Parser { unit, linked, ..Parser::new(text, tokens, names, places, options) };
    while parser.peek() != Token::End {
        parser.external()?;
    }
    parser.incomplete_globals()?;
    Ok(parser.link())
}

impl<'t> Parser<'t> {
    fn new(
        text: &'t str,
        tokens: &'t [Placed],
        names: &'t mut Names,
        places: &'t Places,
        options: &'t Options,
    ) -> Self {
        let mut parser = Parser {
            text,
            tokens,
            at: 0,
            names,
            places,
            model: options.data_model,
            options,
            unit: Unit::default(),
            scopes: vec![Scope::default()],
            functions: FxHashMap::default(),
            nesting: 0,
            open_statements: 0,
            current: None,
            visible: Vec::new(),
            warnings: Vec::new(),
            has_packing: has_packing(text),
            length: None,
            linked: Linked::default(),
        };
        parser.builtin_types();
        parser
    }
}

impl Parser<'_> {
    pub(crate) fn peek(&self) -> Token {
        self.tokens[self.at].token
    }

    pub(crate) fn peek_second(&self) -> Token {
        self.tokens[(self.at + 1).min(self.tokens.len() - 1)].token
    }

    pub(crate) fn advance(&mut self) -> Token {
        let token = self.peek();
        if token != Token::End {
            self.at += 1;
        }
        token
    }

    /// Whether the next token is this sign.
    pub(crate) fn is(&self, sign: &str) -> bool {
        matches!(self.peek(), Token::Sign(found) if found == sign)
    }

    /// Takes a sign, if it is next.
    pub(crate) fn take(&mut self, sign: &str) -> bool {
        let is_next = self.is(sign);
        self.at += usize::from(is_next);
        is_next
    }

    pub(crate) fn expect(&mut self, sign: &str) -> Parsed<()> {
        if self.take(sign) {
            return Ok(());
        }
        Err(self.unexpected(&format!("`{sign}`")))
    }

    /// The word that comes next, if it is one.
    pub(crate) fn word(&self) -> Option<&str> {
        match self.peek() {
            Token::Name(name) => Some(self.names.text(name)),
            _ => None,
        }
    }

    /// Takes a word, if it is next.
    pub(crate) fn take_word(&mut self, words: &[&str]) -> bool {
        let is_next = self.word().is_some_and(|word| words.contains(&word));
        self.at += usize::from(is_next);
        is_next
    }

    /// The place of the next token.
    pub(crate) fn here(&self) -> Span {
        let Placed { start, end, .. } = self.tokens[self.at];
        self.places.span(self.text, start as usize, (end as usize).max(start as usize))
    }

    /// The place from a token to the one that was taken last.
    pub(crate) fn since(&self, first: usize) -> Span {
        let last = self.at.max(first + 1) - 1;
        let (start, end) = (self.tokens[first].start, self.tokens[last].end);
        self.places.span(self.text, start as usize, end.max(start) as usize)
    }

    pub(crate) fn error(&self, span: Span, message: impl Into<String>) -> Box<Diagnostic> {
        Box::new(Diagnostic::error(span, message))
    }

    /// Something else was expected here.
    pub(crate) fn unexpected(&self, expected: &str) -> Box<Diagnostic> {
        let found = match self.peek() {
            Token::End => "the end of the file".to_owned(),
            _ => {
                let Placed { start, end, .. } = self.tokens[self.at];
                let found: String = self.text[start as usize..end as usize].chars().take(40).collect();
                format!("`{found}`")
            }
        };
        self.error(self.here(), format!("expected {expected}, found {found}"))
    }

    /// Goes one level deeper, if that is allowed.
    pub(crate) fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.nesting >= DEEPEST {
            return Err(self.error(self.here(), "this is nested too deeply"));
        }
        self.nesting += 1;
        let result = inner(self);
        self.nesting -= 1;
        result
    }

    /// Goes into a statement inside another one, if that is allowed.
    pub(crate) fn nested_statement<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.open_statements >= DEEPEST_STATEMENT {
            let message = format!("statements are nested too deeply: at most {DEEPEST_STATEMENT} levels");
            return Err(self.error(self.here(), message));
        }
        self.open_statements += 1;
        let result = inner(self);
        self.open_statements -= 1;
        result
    }

    /// A new expression, from the token at which it starts.
    pub(crate) fn expression_at(
        &mut self,
        first: usize,
        kind: ExprKind,
        operands: &[ExprId],
        has_effects: bool,
    ) -> Parsed<ExprId> {
        let span = self.since(first);
        let mut has_effects = has_effects;
        let mut depth = 0;
        for (n, &operand) in operands.iter().enumerate() {
            let operand = self.unit.expr(operand);
            has_effects |= operand.has_effects;
            let is_spine = n == 0 && matches!(kind, ExprKind::Binary(..));
            depth = depth.max(operand.depth + u16::from(!is_spine));
        }
        if depth > 2 * DEEPEST {
            return Err(self.error(span, "this is nested too deeply"));
        }
        self.unit.exprs.push(Expr { kind, span, has_effects, depth });
        Ok(ExprId::new(self.unit.exprs.len() - 1))
    }

    /// What a name means here.
    pub(crate) fn meaning(&self, name: Name) -> Option<&Meaning> {
        self.scopes.iter().rev().find_map(|scope| scope.names.get(&name)).map(|(meaning, _)| meaning)
    }

    /// The innermost block is over: its names mean nothing any more.
    pub(crate) fn leave_scope(&mut self) {
        let scope = self.scopes.pop().expect("there is a scope");
        if self.current.is_none() {
            return;
        }
        let end = self.since(self.at.max(1) - 1);
        for (meaning, _) in scope.names.values() {
            if let Meaning::Var(id) = *meaning {
                self.visible.push((id, self.unit.var(id).span.to(end)));
            }
        }
    }

    fn builtin_types(&mut self) {
        for word in ["__builtin_va_list", "__gnuc_va_list"] {
            let name = self.names.number(word);
            let span = self.here();
            self.scopes[0].names.insert(name, (Meaning::Type(Ty::Other.into()), span));
        }
    }
}

/// Whether a pragma changes how structures are laid out.
fn has_packing(text: &str) -> bool {
    text.lines().any(|line| {
        let pragma = line.trim_start().strip_prefix('#').map(str::trim_start);
        pragma.and_then(|rest| rest.strip_prefix("pragma")).is_some_and(|rest| rest.contains("pack"))
    })
}

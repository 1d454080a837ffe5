//! From tokens to the syntax tree: items, declarations and directives.
//!
//! Contract: all errors of the file are reported; after one, parsing goes on behind the next `;` that ends
//! an item. Nothing here recurses, so nesting is bounded by memory only. Nothing after `#quit` is read.

mod expression;

use crate::lexer::{Token, Word, lex};
use crate::syntax::*;
use base::{Diagnostic, FileId, Sources, Span};

/// The syntax tree of one file and what is wrong with its text.
pub fn parse(sources: &Sources, file: FileId) -> (File, Vec<Diagnostic>) {
    let mut tree = File::default();
    let (items, diagnostics) = parse_into(&mut tree, sources, file);
    tree.items = items;
    (tree, diagnostics)
}

/// The items of one file, with their expressions and names added to `tree`.
pub(crate) fn parse_into(tree: &mut File, sources: &Sources, file: FileId) -> (Vec<Item>, Vec<Diagnostic>) {
    let text = &sources.file(file).text;
    let (tokens, diagnostics) = lex(text, file, &mut tree.names);
    let mut parser = Parser { text, tokens, at: 0, tree, diagnostics };
    let items = parser.file();
    let Parser { mut diagnostics, .. } = parser;
    tree.is_partial |= !diagnostics.is_empty();
    diagnostics.sort_by_key(|d| d.span.map(|span| span.start));
    (items, diagnostics)
}

/// The error behind this is already reported.
struct Reported;

type Parsed<T> = Result<T, Reported>;

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<(Token, Span)>,
    at: usize,
    tree: &'t mut File,
    diagnostics: Vec<Diagnostic>,
}

impl Parser<'_> {
    fn file(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        while self.token() != Token::End {
            let start = self.at;
            match self.item() {
                Ok(kind) => {
                    let span = self.span_from(start);
                    let quits = matches!(kind, ItemKind::Directive(Directive::Quit));
                    items.push(Item { kind, span });
                    if quits {
                        // The lexer has read on; what it found behind `#quit` is nobody's business.
                        self.diagnostics.retain(|d| d.span.is_none_or(|s| s.start < span.end));
                        break;
                    }
                }
                Err(Reported) => self.recover(start),
            }
        }
        items
    }

    fn item(&mut self) -> Parsed<ItemKind> {
        let kind = match self.token() {
            Token::Word(Word::Enum) => self.enumeration()?,
            Token::Word(Word::Class) => self.class()?,
            Token::Word(Word::Mu | Word::Nu | Word::Bool) => self.function()?,
            Token::Directive => ItemKind::Directive(self.directive()?),
            _ => ItemKind::Query(self.expression()?),
        };
        self.expect(";")?;
        Ok(kind)
    }

    /// Skips to where the next item probably begins: behind a `;` outside `case`, or at a word that only
    /// an item begins with.
    fn recover(&mut self, start: usize) {
        let is = |token: &(Token, Span), word| token.0 == Token::Word(word);
        let read = &self.tokens[start..self.at];
        let mut cases = read.iter().filter(|t| is(t, Word::Case)).count();
        cases = cases.saturating_sub(read.iter().filter(|t| is(t, Word::Esac)).count());
        if self.at == start {
            self.at += 1;
        }
        while self.at < self.tokens.len() && self.token() != Token::End {
            if self.begins_item() {
                return;
            }
            match self.token() {
                Token::Word(Word::Case) => cases += 1,
                Token::Word(Word::Esac) => cases = cases.saturating_sub(1),
                Token::Mark(";") if cases == 0 => {
                    self.at += 1;
                    return;
                }
                _ => {}
            }
            self.at += 1;
        }
        self.at = self.at.min(self.tokens.len() - 1);
    }

    /// Whether only an item can begin like this. `bool x` also stands behind quantifiers and in classes.
    fn begins_item(&self) -> bool {
        match self.token() {
            Token::Word(Word::Mu | Word::Nu | Word::Enum | Word::Class) | Token::Directive => true,
            Token::Word(Word::Bool) => {
                matches!(self.peek(1), Token::Name(_)) && self.peek(2) == Token::Mark("(")
            }
            _ => false,
        }
    }

    // Tokens.

    fn token(&self) -> Token {
        self.tokens[self.at].0
    }

    fn peek(&self, ahead: usize) -> Token {
        self.tokens.get(self.at + ahead).map_or(Token::End, |t| t.0)
    }

    fn span(&self) -> Span {
        self.tokens[self.at].1
    }

    /// From the token at `start` to the last one read.
    fn span_from(&self, start: usize) -> Span {
        let last = self.at.saturating_sub(1).max(start);
        self.tokens[start].1.to(self.tokens[last].1)
    }

    fn advance(&mut self) {
        if self.token() != Token::End {
            self.at += 1;
        }
    }

    fn eat(&mut self, mark: &'static str) -> bool {
        let found = self.token() == Token::Mark(mark);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, mark: &'static str) -> Parsed<()> {
        if self.eat(mark) { Ok(()) } else { Err(self.expected(&format!("`{mark}`"))) }
    }

    /// The present token as messages show it.
    fn found(&self) -> String {
        let span = self.span();
        match self.token() {
            Token::End => "the end of the file".to_owned(),
            Token::Text => "a text".to_owned(),
            _ => format!("`{}`", &self.text[span.start as usize..span.end as usize]),
        }
    }

    fn expected(&mut self, what: &str) -> Reported {
        let message = format!("expected {what}, found {}", self.found());
        self.error(self.span(), message)
    }

    fn error(&mut self, span: Span, message: impl Into<String>) -> Reported {
        self.diagnostics.push(Diagnostic::error(span, message));
        Reported
    }

    fn name(&mut self, what: &str) -> Parsed<Name> {
        let Token::Name(symbol) = self.token() else { return Err(self.expected(what)) };
        let span = self.span();
        self.advance();
        Ok(Name { symbol, span })
    }

    fn number(&mut self) -> Parsed<u64> {
        let Token::Number(number) = self.token() else { return Err(self.expected("a number")) };
        self.advance();
        Ok(number)
    }

    /// Whether the present token is the name `word`, which is reserved only where it is expected.
    fn is_word(&self, word: &str) -> bool {
        matches!(self.token(), Token::Name(symbol) if self.tree.names.text(symbol) == word)
    }

    // Declarations.

    fn enumeration(&mut self) -> Parsed<ItemKind> {
        self.advance();
        let name = self.name("the name of the enum")?;
        self.expect("{")?;
        // A lone name may be a `#param` that begins a range.
        let is_range =
            matches!(self.token(), Token::Number(_)) || matches!(self.peek(1), Token::Mark(".." | "+" | "-"));
        let values = if is_range {
            let low = self.constant()?;
            self.expect("..")?;
            Values::Range(low, self.constant()?)
        } else {
            let mut values = vec![self.name("an enumerator or a number")?];
            while self.eat(",") {
                values.push(self.name("an enumerator")?);
            }
            Values::Named(values)
        };
        self.expect("}")?;
        Ok(ItemKind::Enum(name, values))
    }

    fn class(&mut self) -> Parsed<ItemKind> {
        self.advance();
        let name = self.name("the name of the class")?;
        self.expect("{")?;
        let mut members = Vec::new();
        while !self.eat("}") {
            let type_name = self.type_name("a type or `}`")?;
            loop {
                members.push(self.declared(type_name)?);
                if !self.eat(",") {
                    break;
                }
            }
            self.expect(";")?;
        }
        let mut constraints = Vec::new();
        if self.token() != Token::Mark(";") {
            constraints.push(self.constraint()?);
            while self.eat(",") {
                constraints.push(self.constraint()?);
            }
        }
        Ok(ItemKind::Class { name, members, constraints })
    }

    fn function(&mut self) -> Parsed<ItemKind> {
        let kind = match self.token() {
            Token::Word(Word::Mu) => Kind::Mu,
            Token::Word(Word::Nu) => Kind::Nu,
            _ => Kind::Definition,
        };
        if kind != Kind::Definition {
            self.advance();
        }
        if self.token() != Token::Word(Word::Bool) {
            return Err(self.expected("`bool`"));
        }
        self.advance();
        let name = self.name("the name of the relation")?;
        self.expect("(")?;
        let mut params = Vec::new();
        if self.token() != Token::Mark(")") {
            params.push(self.declaration("a type or `)`")?);
            while self.eat(",") {
                params.push(self.declaration("a type")?);
            }
        }
        self.expect(")")?;
        if self.token() == Token::Mark(";") {
            return Ok(ItemKind::Function { kind, name, params, constraints: Vec::new(), body: None });
        }
        let constraints = self.constraints_before_body()?;
        let body = Some(self.expression()?);
        Ok(ItemKind::Function { kind, name, params, constraints, body })
    }

    fn type_name(&mut self, what: &str) -> Parsed<TypeName> {
        if self.token() == Token::Word(Word::Bool) {
            let span = self.span();
            self.advance();
            return Ok(TypeName::Bool(span));
        }
        self.name(what).map(TypeName::Named)
    }

    fn declaration(&mut self, what: &str) -> Parsed<Declaration> {
        let type_name = self.type_name(what)?;
        self.declared(type_name)
    }

    /// The name and the length behind a type.
    fn declared(&mut self, type_name: TypeName) -> Parsed<Declaration> {
        let name = self.name("a name behind the type")?;
        let mut length = None;
        if self.eat("[") {
            length = Some(self.constant()?);
            self.expect("]")?;
        }
        Ok(Declaration { type_name, name, length })
    }

    fn constant(&mut self) -> Parsed<Const> {
        let start = self.at;
        let base = match self.token() {
            Token::Number(number) => {
                self.advance();
                ConstBase::Number(number)
            }
            _ => ConstBase::Param(self.name("a number or a `#param`")?),
        };
        let offset = self.offset()?;
        Ok(Const { base, offset, span: self.span_from(start) })
    }

    /// `+ 2`, `- 2` or nothing.
    fn offset(&mut self) -> Parsed<i64> {
        let sign = match self.token() {
            Token::Mark("+") => 1,
            Token::Mark("-") => -1,
            _ => return Ok(0),
        };
        self.advance();
        let span = self.span();
        let number = self.number()?;
        match i64::try_from(number) {
            Ok(number) => Ok(sign * number),
            Err(_) => Err(self.error(span, format!("this number is larger than {}", i64::MAX))),
        }
    }

    // Allocation constraints.

    fn demand(&self) -> Option<Demand> {
        match self.token() {
            Token::Mark("<") => Some(Demand::Before),
            Token::Mark(">") => Some(Demand::After),
            Token::Mark("~+") => Some(Demand::Interleaved),
            Token::Mark("~-") => Some(Demand::Separate),
            _ => None,
        }
    }

    fn constraint(&mut self) -> Parsed<Constraint> {
        let start = self.at;
        let left = match self.demand() {
            Some(Demand::Interleaved | Demand::Separate) => None,
            _ => Some(self.path("an allocation constraint")?),
        };
        let Some(demand) = self.demand() else { return Err(self.expected("`<`, `>`, `~+` or `~-`")) };
        self.advance();
        let right = self.path("a path")?;
        Ok(Constraint { demand, left, right, span: self.span_from(start) })
    }

    /// The constraints between parameters and body. `a < b` is one only if more than `;` follows: a comma,
    /// or something an expression begins with. In a body it is followed by an operator or by `;`.
    fn constraints_before_body(&mut self) -> Parsed<Vec<Constraint>> {
        let mut constraints = Vec::new();
        loop {
            let is_first = constraints.is_empty();
            if is_first && !matches!(self.token(), Token::Name(_) | Token::Mark("~+" | "~-")) {
                return Ok(constraints);
            }
            let (at, exprs, errors) = (self.at, self.tree.exprs.len(), self.diagnostics.len());
            match self.constraint() {
                Ok(c) if !is_first || self.goes_on_after(c.demand) => constraints.push(c),
                Err(Reported) if !is_first || !self.reads_as_body(at) => return Err(Reported),
                Ok(_) | Err(Reported) => {
                    self.at = at;
                    self.tree.exprs.truncate(exprs);
                    self.diagnostics.truncate(errors);
                    return Ok(constraints);
                }
            }
            if !self.eat(",") {
                return Ok(constraints);
            }
        }
    }

    fn goes_on_after(&self, demand: Demand) -> bool {
        let is_sure = matches!(demand, Demand::Interleaved | Demand::Separate);
        is_sure || self.token() == Token::Mark(",") || self.begins_expression()
    }

    /// Whether the tokens from `start` to here, where a constraint went wrong, may still be a body.
    fn reads_as_body(&self, start: usize) -> bool {
        let read = &self.tokens[start..self.at];
        !read.iter().any(|t| matches!(t.0, Token::Mark("~+" | "~-")))
    }

    fn begins_expression(&self) -> bool {
        match self.token() {
            Token::Name(_) | Token::Number(_) | Token::Mark("(" | "!") => true,
            Token::Word(word) => {
                matches!(word, Word::Exists | Word::Forall | Word::If | Word::Case | Word::True | Word::False)
            }
            _ => false,
        }
    }

    // Directives.

    fn directive(&mut self) -> Parsed<Directive> {
        let span = self.span();
        let word = &self.text[span.start as usize..span.end as usize];
        self.advance();
        let relation = |parser: &mut Self, what| {
            parser.name("the name of a relation").map(|name| Directive::Relation(what, name))
        };
        let expr = |parser: &mut Self, what| parser.expression().map(|e| Directive::Expr(what, e));
        match word {
            "#load" => self.load(),
            "#print" => self.print().map(Directive::Print),
            "#size" => relation(self, OnRelation::Size),
            "#ons" | "#onsetsize" => relation(self, OnRelation::Count),
            "#vis" => relation(self, OnRelation::Visualise),
            "#dump" => relation(self, OnRelation::Dump),
            "#undump" => relation(self, OnRelation::Undump),
            "#certify" => relation(self, OnRelation::Certify),
            "#plan" => relation(self, OnRelation::Plan),
            "#reset" if self.is_word("all") => {
                self.advance();
                Ok(Directive::ResetAll)
            }
            "#reset" => relation(self, OnRelation::Reset),
            "#wit" => expr(self, OnExpr::Witness),
            "#cex" => expr(self, OnExpr::Counterexample),
            "#explain" => expr(self, OnExpr::Explain),
            "#timer" => self.timer().map(Directive::Timer),
            "#frontier" => self.frontier().map(Directive::Frontier),
            "#verbose" => Ok(Directive::Verbose),
            "#quit" => Ok(Directive::Quit),
            "#explicit" => self.storage(Storage::Explicit),
            "#symbolic" => self.storage(Storage::Symbolic),
            "#param" => self.param(),
            _ => Err(self.unknown_directive(span, word)),
        }
    }

    fn unknown_directive(&mut self, span: Span, word: &str) -> Reported {
        const WORDS: [&str; 21] = [
            "#load",
            "#print",
            "#size",
            "#ons",
            "#onsetsize",
            "#vis",
            "#dump",
            "#undump",
            "#certify",
            "#plan",
            "#reset",
            "#wit",
            "#cex",
            "#explain",
            "#timer",
            "#frontier",
            "#verbose",
            "#quit",
            "#explicit",
            "#symbolic",
            "#param",
        ];
        let mut message = format!("there is no directive `{word}`");
        if let Some(near) = crate::nearest::nearest(word, WORDS.into_iter()) {
            message.push_str(&format!("; did you mean `{near}`?"));
        }
        self.error(span, message)
    }

    fn load(&mut self) -> Parsed<Directive> {
        let span = self.span();
        let text = &self.text[span.start as usize..span.end as usize];
        let name = match self.token() {
            Token::FileName => text.to_owned(),
            Token::Text => unquoted(text).to_owned(),
            _ => return Err(self.expected("a file name")),
        };
        self.advance();
        Ok(Directive::Load(name, span))
    }

    fn print(&mut self) -> Parsed<Printed> {
        let span = self.span();
        if self.token() == Token::Mark(";") {
            return Ok(Printed::Nothing);
        }
        if self.token() == Token::Text {
            let text = &self.text[span.start as usize..span.end as usize];
            self.advance();
            return Ok(Printed::Text(unquoted(text).to_owned()));
        }
        if self.is_word("statistics") && self.peek(1) == Token::Mark(";") {
            self.advance();
            return Ok(Printed::Statistics);
        }
        self.expression().map(Printed::Expr)
    }

    fn timer(&mut self) -> Parsed<Timer> {
        let timer = match self.token() {
            Token::Mark(";") => return Ok(Timer::Show),
            _ if self.is_word("go") => Timer::Go,
            _ if self.is_word("stop") => Timer::Stop,
            _ if self.is_word("reset") => Timer::Reset,
            _ => return Err(self.expected("`go`, `stop`, `reset` or `;`")),
        };
        self.advance();
        Ok(timer)
    }

    fn frontier(&mut self) -> Parsed<Option<bool>> {
        let on = match self.token() {
            Token::Mark(";") => return Ok(None),
            _ if self.is_word("on") => true,
            _ if self.is_word("off") => false,
            _ => return Err(self.expected("`on`, `off` or `;`")),
        };
        self.advance();
        Ok(Some(on))
    }

    fn storage(&mut self, storage: Storage) -> Parsed<Directive> {
        let mut types = vec![self.type_name("a type")?];
        while self.eat(",") {
            types.push(self.type_name("a type")?);
        }
        Ok(Directive::Storage(storage, types))
    }

    fn param(&mut self) -> Parsed<Directive> {
        let name = self.name("the name of the parameter")?;
        self.expect("=")?;
        Ok(Directive::Param(name, self.number()?))
    }
}

fn unquoted(text: &str) -> &str {
    let text = text.strip_prefix('"').unwrap_or(text);
    text.strip_suffix('"').unwrap_or(text)
}

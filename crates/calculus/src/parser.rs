//! From tokens to the syntax tree: items, declarations and directives.
//!
//! Contract: all errors of the file are reported; after one, parsing goes on behind the next `;` that ends
//! an item. Nothing here recurses, so nesting is bounded by memory only. Nothing after `#quit` is read.

mod attribute;
mod expression;

use crate::lexer::{Lexer, Mark, Token, Word};
use crate::syntax::*;
use base::{Diagnostic, FileId, Sources, Span};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

/// The words of directives that are no notes, with their sign.
pub const DIRECTIVES: [&str; 27] = [
    "#load",
    "#print",
    "#size",
    "#ons",
    "#onsetsize",
    "#vis",
    "#visualize",
    "#dump",
    "#undump",
    "#certify",
    "#plan",
    "#list",
    "#reset",
    "#wit",
    "#witness",
    "#cex",
    "#counterexample",
    "#explain",
    "#timer",
    "#frontier",
    "#verbose",
    "#quit",
    "#explicit",
    "#symbolic",
    "#strata",
    "#depth",
    "#param",
];

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
    let mut lexer = Lexer::new(text, file);
    let current = lexer.next(&mut tree.names);
    let mut parser = Parser {
        text,
        lexer,
        current,
        ahead: VecDeque::new(),
        last: current.1,
        tree,
        pending: Vec::new(),
        segments: Vec::new(),
        attributed: Vec::new(),
        types: FxHashSet::default(),
        more: Vec::new(),
        diagnostics: Vec::new(),
    };
    let items = parser.file();
    let Parser { mut lexer, diagnostics: found, .. } = parser;
    let mut diagnostics = std::mem::take(lexer.diagnostics());
    diagnostics.extend(found);
    tree.is_partial |= !diagnostics.is_empty();
    diagnostics.sort_by_key(|d| d.span.map(|span| span.start));
    (items, diagnostics)
}

/// The error behind this is already reported.
struct Reported;

type Parsed<T> = Result<T, Reported>;

struct Parser<'t> {
    text: &'t str,
    lexer: Lexer<'t>,
    /// The token to be looked at.
    current: (Token, Span),
    /// Tokens behind it that were looked at already.
    ahead: VecDeque<(Token, Span)>,
    /// The place of the token before.
    last: Span,
    tree: &'t mut File,
    /// The operands of the lists being read, innermost last.
    pending: Vec<ExprId>,
    /// The segments of the path being read.
    segments: Vec<Segment>,
    /// The allocation constraints in attributes of the item being read.
    attributed: Vec<Constraint>,
    /// The types declared so far.
    types: FxHashSet<Symbol>,
    /// What else the directive being read does, after its first part.
    more: Vec<Directive>,
    diagnostics: Vec<Diagnostic>,
}

impl<'t> Parser<'t> {
    fn file(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        while self.token() != Token::End {
            let start = self.span();
            match self.item() {
                Ok(None) => {}
                Ok(Some(kind)) => {
                    let span = self.span_from(start);
                    let quits = matches!(kind, ItemKind::Directive(Directive::Quit));
                    if let ItemKind::Enum(name, _) | ItemKind::Class { name, .. } = &kind {
                        self.types.insert(name.symbol);
                    }
                    items.push(Item { kind, span });
                    let more = self.more.drain(..);
                    items.extend(more.map(|directive| Item { kind: ItemKind::Directive(directive), span }));
                    if quits {
                        // The lexer may have read on; what it found behind `#quit` is nobody's business.
                        self.lexer.diagnostics().retain(|d| d.span.is_none_or(|s| s.start < span.end));
                        break;
                    }
                }
                Err(Reported) => {
                    self.more.clear();
                    self.recover(start);
                }
            }
            self.attributed.clear();
        }
        items
    }

    /// An item, unless it declares nothing.
    fn item(&mut self) -> Parsed<Option<ItemKind>> {
        if self.begins_variable() {
            return self.variable().map(|()| None);
        }
        let kind = match self.token() {
            Token::Word(Word::Enum) => self.enumeration()?,
            Token::Word(Word::Class) => self.class()?,
            Token::Word(Word::Mu | Word::Nu | Word::Bool) => self.function()?,
            Token::Directive => ItemKind::Directive(self.directive()?),
            _ => ItemKind::Query(self.expression()?),
        };
        // MUCKE stops reading right behind `#quit`.
        if !matches!(kind, ItemKind::Directive(Directive::Quit))
            || self.token() == Token::Mark(Mark::Semicolon)
        {
            self.expect(Mark::Semicolon)?;
        }
        Ok(Some(kind))
    }

    /// Whether `bool x;` or `S x, y[3];` follows, which MUCKE reads without making use of it. Other names than those of types
    /// declared before are mistakes.
    fn begins_variable(&mut self) -> bool {
        let is_type = match self.token() {
            Token::Word(Word::Bool) => true,
            Token::Name(symbol) => self.types.contains(&symbol),
            _ => false,
        };
        is_type
            && matches!(self.peek(1), Token::Name(_))
            && matches!(self.peek(2), Token::Mark(Mark::Semicolon | Mark::Comma | Mark::OpenSquare))
    }

    fn variable(&mut self) -> Parsed<()> {
        let start = self.span();
        let type_name = self.type_name("a type")?;
        loop {
            self.declared(type_name)?;
            if !self.eat(Mark::Comma) {
                break;
            }
        }
        self.expect(Mark::Semicolon)?;
        let message = "a variable by itself says nothing: formulas know parameters and quantified names";
        self.tree.remarks.push(Diagnostic::warning(self.span_from(start), message));
        Ok(())
    }

    /// Skips to where the next item probably begins: behind a `;` outside `case`, or at a word that only
    /// an item begins with.
    fn recover(&mut self, start: Span) {
        let mut cases = 0usize;
        let count = |cases: &mut usize, token| match token {
            Token::Word(Word::Case) => *cases += 1,
            Token::Word(Word::Esac) => *cases = cases.saturating_sub(1),
            _ => {}
        };
        let is_stuck = self.span() == start;
        self.read_again(start, |token| count(&mut cases, token));
        if is_stuck {
            self.advance();
        }
        while self.token() != Token::End && !self.begins_item() {
            let token = self.token();
            count(&mut cases, token);
            self.advance();
            if token == Token::Mark(Mark::Semicolon) && cases == 0 {
                return;
            }
        }
    }

    /// Looks at the tokens from `start` up to the present one once more.
    fn read_again(&mut self, start: Span, mut look: impl FnMut(Token)) {
        let (stop, last) = (self.span().start, self.last);
        self.go_back(start);
        while self.span().start < stop {
            look(self.token());
            self.advance();
        }
        self.last = last;
    }

    /// Goes back to a token.
    fn go_back(&mut self, token: Span) {
        self.ahead.clear();
        self.lexer.go_to(token);
        self.current = self.lexer.next(&mut self.tree.names);
    }

    /// Whether only an item can begin like this. `bool x` also stands behind quantifiers and in classes.
    fn begins_item(&mut self) -> bool {
        match self.token() {
            Token::Word(Word::Mu | Word::Nu | Word::Enum | Word::Class) | Token::Directive => true,
            Token::Word(Word::Bool) => {
                matches!(self.peek(1), Token::Name(_)) && self.peek(2) == Token::Mark(Mark::Open)
            }
            _ => false,
        }
    }

    // Tokens.

    fn token(&self) -> Token {
        self.current.0
    }

    fn peek(&mut self, ahead: usize) -> Token {
        while self.ahead.len() < ahead {
            self.ahead.push_back(self.lexer.next(&mut self.tree.names));
        }
        self.ahead[ahead - 1].0
    }

    fn span(&self) -> Span {
        self.current.1
    }

    /// From the token at `start` to the last one read.
    fn span_from(&self, start: Span) -> Span {
        if self.last.start < start.start { start } else { start.to(self.last) }
    }

    fn advance(&mut self) {
        if self.token() != Token::End {
            self.last = self.span();
            self.current = match self.ahead.pop_front() {
                Some(token) => token,
                None => self.lexer.next(&mut self.tree.names),
            };
        }
    }

    /// The text of a token.
    fn text(&self, span: Span) -> &'t str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    fn eat(&mut self, mark: Mark) -> bool {
        let found = self.token() == Token::Mark(mark);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, mark: Mark) -> Parsed<()> {
        if self.eat(mark) { Ok(()) } else { Err(self.expected(&format!("`{}`", mark.text()))) }
    }

    /// The present token as messages show it.
    fn found(&self) -> String {
        let span = self.span();
        match self.token() {
            Token::End => "the end of the file".to_owned(),
            Token::Text => "a text".to_owned(),
            _ => format!("`{}`", self.text(span)),
        }
    }

    fn expected(&mut self, what: &str) -> Reported {
        let message = format!("expected {what}, found {}", self.found());
        self.error(self.span(), message)
    }

    /// No expression begins here. Doubled operators of other languages get a hint.
    fn no_expression(&mut self) -> Reported {
        let reported = self.expected("an expression");
        let adjacent = self.last.end == self.span().start;
        let hint = match (self.text(self.last), self.text(self.span())) {
            ("=", "=") => "equality is written `=`",
            ("&", "&") => "conjunction is written `&`",
            ("|", "|") => "disjunction is written `|`",
            ("<", ">") => "inequality is written `!=`",
            _ => return reported,
        };
        if let Some(diagnostic) = self.diagnostics.last_mut()
            && adjacent
        {
            diagnostic.notes.push((hint.to_owned(), None));
        }
        reported
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
        self.expect(Mark::OpenBrace)?;
        // A lone name may be a `#param` that begins a range.
        let is_range = matches!(self.token(), Token::Number(_))
            || matches!(self.peek(1), Token::Mark(Mark::Dots | Mark::Plus | Mark::Minus));
        let values = if is_range {
            let low = self.constant()?;
            self.dots()?;
            Values::Range(low, self.constant()?)
        } else {
            let mut values = vec![self.name("an enumerator or a number")?];
            while self.eat(Mark::Comma) {
                values.push(self.name("an enumerator")?);
            }
            Values::Named(values)
        };
        self.expect(Mark::CloseBrace)?;
        Ok(ItemKind::Enum(name, values))
    }

    /// `..` or `...`, which MUCKE also reads with blanks between the dots.
    fn dots(&mut self) -> Parsed<()> {
        if self.eat(Mark::Dot) {
            return if self.eat(Mark::Dots) {
                Ok(())
            } else {
                self.expect(Mark::Dot).map(|()| _ = self.eat(Mark::Dot))
            };
        }
        self.expect(Mark::Dots)?;
        self.eat(Mark::Dot);
        Ok(())
    }

    fn class(&mut self) -> Parsed<ItemKind> {
        self.advance();
        let name = self.name("the name of the class")?;
        self.expect(Mark::OpenBrace)?;
        let mut members = Vec::new();
        while !self.eat(Mark::CloseBrace) {
            let type_name = self.type_name("a type or `}`")?;
            loop {
                members.push(self.declared(type_name)?);
                if !self.eat(Mark::Comma) {
                    break;
                }
            }
            self.expect(Mark::Semicolon)?;
        }
        let mut constraints = Vec::new();
        if self.token() != Token::Mark(Mark::Semicolon) {
            constraints.push(self.constraint()?);
            while self.eat(Mark::Comma) {
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
        self.expect(Mark::Open)?;
        let mut params = Vec::new();
        if self.token() != Token::Mark(Mark::Close) {
            params.push(self.declaration("a type or `)`")?);
            while self.eat(Mark::Comma) {
                params.push(self.declaration("a type")?);
            }
        }
        self.expect(Mark::Close)?;
        if self.token() == Token::Mark(Mark::Semicolon) {
            return Ok(ItemKind::Function { kind, name, params, constraints: Vec::new(), body: None });
        }
        let mut constraints = self.constraints_before_body()?;
        let body = Some(self.expression()?);
        constraints.extend(self.constraints_of_attributes(&params));
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
        if self.eat(Mark::OpenSquare) {
            length = Some(self.constant()?);
            self.expect(Mark::CloseSquare)?;
        }
        Ok(Declaration { type_name, name, length })
    }

    fn constant(&mut self) -> Parsed<Const> {
        let start = self.span();
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
            Token::Mark(Mark::Plus) => 1,
            Token::Mark(Mark::Minus) => -1,
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
            Token::Mark(Mark::Less) => Some(Demand::Before),
            Token::Mark(Mark::Greater) => Some(Demand::After),
            Token::Mark(Mark::Interleaved) => Some(Demand::Interleaved),
            Token::Mark(Mark::Separate) => Some(Demand::Separate),
            _ => None,
        }
    }

    fn constraint(&mut self) -> Parsed<Constraint> {
        let start = self.span();
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
            if is_first
                && !matches!(self.token(), Token::Name(_) | Token::Mark(Mark::Interleaved | Mark::Separate))
            {
                return Ok(constraints);
            }
            let (start, last) = (self.span(), self.last);
            let (n_exprs, n_errors) = (self.tree.n_exprs(), self.diagnostics.len());
            match self.constraint() {
                Ok(c) if !is_first || self.goes_on_after(c.demand) => constraints.push(c),
                Err(Reported) if !is_first || !self.reads_as_body(start) => return Err(Reported),
                Ok(_) | Err(Reported) => {
                    self.go_back(start);
                    self.last = last;
                    self.tree.truncate(n_exprs);
                    self.diagnostics.truncate(n_errors);
                    return Ok(constraints);
                }
            }
            if !self.eat(Mark::Comma) {
                return Ok(constraints);
            }
        }
    }

    fn goes_on_after(&self, demand: Demand) -> bool {
        let is_sure = matches!(demand, Demand::Interleaved | Demand::Separate);
        is_sure || self.token() == Token::Mark(Mark::Comma) || self.begins_expression()
    }

    /// Whether the tokens from `start` to here, where a constraint went wrong, may still be a body.
    fn reads_as_body(&mut self, start: Span) -> bool {
        let mut is_body = true;
        self.read_again(start, |token| {
            is_body &= !matches!(token, Token::Mark(Mark::Interleaved | Mark::Separate));
        });
        is_body
    }

    fn begins_expression(&self) -> bool {
        match self.token() {
            Token::Name(_) | Token::Number(_) | Token::Mark(Mark::Open | Mark::Not) => true,
            Token::Word(word) => {
                matches!(word, Word::Exists | Word::Forall | Word::If | Word::Case | Word::True | Word::False)
            }
            _ => false,
        }
    }

    // Directives.

    fn directive(&mut self) -> Parsed<Directive> {
        let span = self.span();
        let word = self.text(span);
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
            "#vis" | "#visualize" => relation(self, OnRelation::Visualise),
            "#dump" => relation(self, OnRelation::Dump),
            "#undump" => relation(self, OnRelation::Undump),
            "#certify" => relation(self, OnRelation::Certify),
            "#plan" => relation(self, OnRelation::Plan),
            "#list" => self.listed(),
            "#reset" if self.is_word("all") => {
                self.advance();
                Ok(Directive::ResetAll)
            }
            "#reset" => relation(self, OnRelation::Reset),
            "#wit" | "#witness" => expr(self, OnExpr::Witness),
            "#cex" | "#counterexample" => expr(self, OnExpr::Counterexample),
            "#explain" => expr(self, OnExpr::Explain),
            "#timer" => self.timer().map(Directive::Timer),
            "#frontier" => self.on_or_off().map(Directive::Frontier),
            "#verbose" => self.on_or_off().map(Directive::Verbose),
            "#quit" => Ok(Directive::Quit),
            "#explicit" => self.storage(Storage::Explicit),
            "#symbolic" => self.storage(Storage::Symbolic),
            "#strata" => self.type_name("a type").map(Directive::Strata),
            "#depth" => {
                let span = self.span();
                self.number().map(|number| Directive::Depth(number, span))
            }
            "#param" => self.param(),
            _ => match NOTES.into_iter().find(|note| *note == word) {
                Some(word) => self.note(word, span).map(Directive::Note),
                None => Err(self.unknown_directive(span, word)),
            },
        }
    }

    fn unknown_directive(&mut self, span: Span, word: &str) -> Reported {
        let mut message = format!("there is no directive `{word}`");
        if let Some(near) = base::nearest(word, DIRECTIVES.into_iter().chain(NOTES)) {
            message.push_str(&format!("; did you mean `{near}`?"));
        }
        self.error(span, message)
    }

    /// Everything up to the end of the directive. What begins another item shows that the end is missing.
    fn note(&mut self, word: &'static str, start: Span) -> Parsed<Note> {
        let mut parts: Vec<NotePart> = Vec::new();
        loop {
            let kind = match self.token() {
                Token::Mark(Mark::Semicolon) => break,
                Token::Name(_) if matches!(self.peek(1), Token::Mark(Mark::Open)) => {
                    return Err(self.endless_note(word));
                }
                Token::Mark(Mark::Comma | Mark::Equal | Mark::Minus) => NoteKind::Mark,
                Token::Mark(_) | Token::Directive | Token::End => return Err(self.endless_note(word)),
                Token::Word(
                    Word::Bool
                    | Word::Enum
                    | Word::Class
                    | Word::Mu
                    | Word::Nu
                    | Word::Exists
                    | Word::Forall
                    | Word::If
                    | Word::Case,
                ) => return Err(self.endless_note(word)),
                Token::Name(_) | Token::Word(_) => NoteKind::Name,
                Token::Number(_) => NoteKind::Number,
                Token::Text | Token::FileName => NoteKind::Text,
            };
            let span = self.span();
            let text = self.text(span);
            let text = if kind == NoteKind::Text { unquoted(text) } else { text };
            parts.push(NotePart { kind, text: text.to_owned(), span });
            self.advance();
        }
        let end = parts.last().map_or(start, |last| last.span);
        Ok(Note { word, span: Span { end: end.end, ..start }, parts })
    }

    /// The `;` at the end of a note is missing: it belongs behind the last token.
    fn endless_note(&mut self, word: &str) -> Reported {
        let message = format!("expected `;` at the end of `{word}`, found {}", self.found());
        let place = Span { start: self.last.end.saturating_sub(1), ..self.last };
        self.error(place, message)
    }

    /// `#list R` or `#list R 20`.
    fn listed(&mut self) -> Parsed<Directive> {
        let name = self.name("the name of a relation")?;
        let most = match self.token() {
            Token::Number(_) => Some(self.number()?),
            _ => None,
        };
        Ok(Directive::List(name, most))
    }

    /// `#load a, b`; MUCKE reads the last file first.
    fn load(&mut self) -> Parsed<Directive> {
        let mut files = vec![self.file_name()?];
        while self.eat(Mark::Comma) {
            files.push(self.file_name()?);
        }
        let mut loads = files.into_iter().rev().map(|(name, span)| Directive::Load(name, span));
        let first = loads.next();
        self.more.extend(loads);
        first.ok_or(Reported)
    }

    fn file_name(&mut self) -> Parsed<(String, Span)> {
        let span = self.span();
        let text = self.text(span);
        let name = match self.token() {
            Token::FileName => text.to_owned(),
            Token::Text => unquoted(text).to_owned(),
            _ => return Err(self.expected("a file name")),
        };
        self.advance();
        Ok((name, span))
    }

    /// `#print a, b`: texts that follow each other are one line, with a blank between them.
    fn print(&mut self) -> Parsed<Printed> {
        if self.token() == Token::Mark(Mark::Semicolon) {
            return Ok(Printed::Nothing);
        }
        let mut parts = vec![self.printed()?];
        while self.eat(Mark::Comma) {
            let part = self.printed()?;
            match (parts.last_mut(), part) {
                (Some(Printed::Text(line)), Printed::Text(text)) => {
                    line.push(' ');
                    line.push_str(&text);
                }
                (_, part) => parts.push(part),
            }
        }
        let mut parts = parts.into_iter();
        let first = parts.next();
        self.more.extend(parts.map(Directive::Print));
        first.ok_or(Reported)
    }

    fn printed(&mut self) -> Parsed<Printed> {
        if self.token() == Token::Text {
            let text = self.text(self.span());
            self.advance();
            return Ok(Printed::Text(unquoted(text).to_owned()));
        }
        if self.is_word("statistics") && matches!(self.peek(1), Token::Mark(Mark::Semicolon | Mark::Comma)) {
            self.advance();
            return Ok(Printed::Statistics);
        }
        self.expression().map(Printed::Expr)
    }

    fn timer(&mut self) -> Parsed<Timer> {
        let timer = match self.token() {
            Token::Mark(Mark::Semicolon) => return Ok(Timer::Show),
            _ if self.is_word("go") => Timer::Go,
            _ if self.is_word("stop") => Timer::Stop,
            _ if self.is_word("reset") => Timer::Reset,
            _ => return Err(self.expected("`go`, `stop`, `reset` or `;`")),
        };
        self.advance();
        Ok(timer)
    }

    fn on_or_off(&mut self) -> Parsed<Option<bool>> {
        let on = match self.token() {
            Token::Mark(Mark::Semicolon) => return Ok(None),
            _ if self.is_word("on") => true,
            _ if self.is_word("off") => false,
            _ => return Err(self.expected("`on`, `off` or `;`")),
        };
        self.advance();
        Ok(Some(on))
    }

    fn storage(&mut self, storage: Storage) -> Parsed<Directive> {
        let mut types = vec![self.type_name("a type")?];
        while self.eat(Mark::Comma) {
            types.push(self.type_name("a type")?);
        }
        Ok(Directive::Storage(storage, types))
    }

    fn param(&mut self) -> Parsed<Directive> {
        let name = self.name("the name of the parameter")?;
        self.expect(Mark::Equal)?;
        Ok(Directive::Param(name, self.number()?))
    }
}

fn unquoted(text: &str) -> &str {
    let text = text.strip_prefix('"').unwrap_or(text);
    text.strip_suffix('"').unwrap_or(text)
}

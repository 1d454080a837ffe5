//! From tokens to the syntax tree: declarations, functions and threads.
//!
//! Contract: all errors of the text are reported, up to a limit; after one, parsing goes on at the next place where a
//! statement or a declaration can begin. Nothing here recurses, so nesting is bounded by memory only.

mod expression;
mod habits;
mod statement;

use crate::ast::*;
use crate::lexer::{Lexer, Mark, Token};
use crate::names::Word;
use base::{Diagnostic, FileId, Sources, Span, cut};
pub(crate) use expression::{Atom, AtomKind};
pub(crate) use statement::SYNC;

/// After so many errors nothing further is read: the text is something else.
const MAX_ERRORS: usize = 1000;

/// The syntax tree of one file and what is wrong with its text.
pub fn parse(sources: &Sources, file: FileId) -> (Program, Vec<Diagnostic>) {
    let mut parser = Parser::new(sources, file, Names::default());
    parser.program();
    parser.finish()
}

/// The present construct cannot be understood; why is reported already.
pub(crate) struct Failed;

pub(crate) type Parsed<T> = Result<T, Failed>;

pub(crate) struct Parser<'t> {
    text: &'t str,
    lexer: Lexer<'t>,
    current: (Token, Span),
    ahead: Option<(Token, Span)>,
    /// The last token that was consumed.
    last: Span,
    diagnostics: Vec<Diagnostic>,
    pub(crate) tree: Program,
    /// The operators whose operands are not complete; empty between expressions.
    frames: Vec<expression::Frame>,
    /// The atoms of a monitor's guards; nothing where atoms are not allowed.
    pub(crate) atoms: Option<Vec<Atom>>,
}

impl<'t> Parser<'t> {
    /// A parser that begins with these names.
    pub(crate) fn new(sources: &'t Sources, file: FileId, names: Names) -> Self {
        let text = sources.file(file).text.as_str();
        Self::begin(Lexer::new(text, file), text, file, names)
    }

    /// A parser of a stretch of a file.
    pub(crate) fn within(sources: &'t Sources, span: Span, names: Names) -> Self {
        let text = sources.file(span.file).text.as_str();
        Self::begin(Lexer::within(text, span), text, span.file, names)
    }

    fn begin(lexer: Lexer<'t>, text: &'t str, file: FileId, names: Names) -> Self {
        let tree = Program {
            file,
            names,
            expressions: Vec::new(),
            unit: Unit::default(),
            threads: Vec::new(),
            comments: Vec::new(),
            paragraphs: Vec::new(),
        };
        let start = Span::new(file, 0..0);
        let mut parser = Self {
            text,
            lexer,
            current: (Token::End, start),
            ahead: None,
            last: start,
            diagnostics: Vec::new(),
            tree,
            frames: Vec::new(),
            atoms: None,
        };
        parser.current = parser.lexer.next(&mut parser.tree.names);
        parser
    }

    /// The tree and all errors, by place.
    pub(crate) fn finish(mut self) -> (Program, Vec<Diagnostic>) {
        self.tree.comments = std::mem::take(&mut self.lexer.comments);
        self.tree.paragraphs = std::mem::take(&mut self.lexer.paragraphs);
        self.diagnostics.append(self.lexer.diagnostics());
        self.diagnostics.sort_by_key(|diagnostic| diagnostic.span.map(|span| span.start));
        (self.tree, self.diagnostics)
    }

    fn program(&mut self) {
        let mut unit = Unit::default();
        while self.token() != Token::End {
            if self.token() == Token::Word(Word::Thread) {
                if let Ok(thread) = self.thread() {
                    self.tree.threads.push(thread);
                }
            } else {
                let is_behind = !self.tree.threads.is_empty();
                self.unit_item(&mut unit, is_behind, "a declaration, a function or a thread");
            }
        }
        if let (Some(function), Some(_)) = (unit.functions.first(), self.tree.threads.first()) {
            let message = "a program consists of functions or of threads, not of both: this function belongs into a thread";
            self.diagnostics.push(Diagnostic::error(function.name.span, message));
        }
        self.tree.unit = unit;
    }

    /// One declaration or function of a unit; anything else is an error and is skipped.
    fn unit_item(&mut self, unit: &mut Unit, is_behind: bool, expected: &str) {
        let start = self.span();
        let is_late = is_behind || !unit.functions.is_empty();
        match self.token() {
            Token::Word(Word::Decl) => {
                self.late(is_late, start);
                if let Ok(variables) = self.variables() {
                    unit.declarations.push(Declaration::Variables(variables));
                }
            }
            Token::Word(Word::Init) => {
                self.late(is_late, start);
                if let Ok(init) = self.init() {
                    unit.declarations.push(init);
                }
            }
            _ if self.begins_function() => {
                if let Ok(function) = self.function() {
                    unit.functions.push(function);
                }
            }
            _ => {
                let _ = self.unexpected::<()>(expected);
                self.skip_to_item();
            }
        }
    }

    fn late(&mut self, is_late: bool, span: Span) {
        if is_late {
            let message = "declarations and initial conditions stand before the functions and threads";
            self.diagnostics.push(Diagnostic::error(span, message));
        }
    }

    /// Skips a token and all that follow up to one with which a declaration, a function or a thread begins.
    fn skip_to_item(&mut self) {
        self.advance();
        while self.token() != Token::End && !self.begins_item() && self.token() != Token::Word(Word::End) {
            self.advance();
        }
    }

    /// `<`, with which a function may begin, is too frequent in expressions to go by.
    fn begins_item(&self) -> bool {
        let is_declaration = matches!(self.token(), Token::Word(Word::Decl | Word::Init | Word::Thread));
        is_declaration || self.begins_function() && self.token() != Token::Mark(Mark::Less)
    }

    /// A type at the beginning of an item or a statement begins a function. `<` never begins a statement.
    fn begins_function(&self) -> bool {
        matches!(
            self.token(),
            Token::Word(Word::Void | Word::Bool | Word::Int | Word::Enum) | Token::Mark(Mark::Less)
        )
    }

    /// Skips the rest of a declaration.
    fn skip_declaration<T>(&mut self, parsed: Parsed<T>) -> Parsed<T> {
        if parsed.is_err() {
            while self.token() != Token::End && !self.begins_statement() {
                let token = self.token();
                self.advance();
                if token == Token::Mark(Mark::Semicolon) {
                    break;
                }
            }
        }
        parsed
    }

    /// `decl …;`
    fn variables(&mut self) -> Parsed<Variables> {
        let start = self.span();
        self.advance();
        let parsed = self.list(Self::variable).and_then(|variables| {
            self.expect(Mark::Semicolon)?;
            Ok(Variables { variables, span: self.span_from(start) })
        });
        self.skip_declaration(parsed)
    }

    /// `init …;`
    fn init(&mut self) -> Parsed<Declaration> {
        let start = self.span();
        self.advance();
        let parsed = self.expression().and_then(|condition| {
            self.expect(Mark::Semicolon)?;
            Ok(Declaration::Init { condition, span: self.span_from(start) })
        });
        self.skip_declaration(parsed)
    }

    /// A name with an optional type.
    fn variable(&mut self) -> Parsed<Variable> {
        if self.begins_with_type() {
            return self.type_first();
        }
        let name = self.declared_value("the name of a variable")?;
        let ty = if self.eat(Mark::Colon) { Some(self.ty()?) } else { None };
        self.no_value(name)?;
        Ok(Variable { name, ty })
    }

    fn ty(&mut self) -> Parsed<Type> {
        let start = self.span();
        let kind = match self.token() {
            Token::Word(Word::Bool) => {
                self.advance();
                TypeKind::Bool
            }
            Token::Word(Word::Int) => {
                self.advance();
                self.width_follows(start)?;
                let width = self.number("the width of the integer")?;
                self.expect(Mark::Greater)?;
                TypeKind::Int(width)
            }
            Token::Word(Word::Enum) => {
                self.advance();
                self.expect(Mark::OpenBrace)?;
                let names = self.list(|parser| parser.declared_value("the name of a value"))?;
                self.expect(Mark::CloseBrace)?;
                TypeKind::Enum(names)
            }
            _ => return self.unexpected("a type (`bool`, `int<N>` or `enum { … }`)"),
        };
        Ok(Type { kind, span: self.span_from(start) })
    }

    fn thread(&mut self) -> Parsed<Thread> {
        let start = self.span();
        self.advance();
        let parsed = self.thread_head();
        let Ok((name, copies)) = parsed else {
            self.skip_to_item();
            return Err(Failed);
        };
        let head = self.span_from(start);
        let mut unit = Unit::default();
        while !matches!(self.token(), Token::End | Token::Word(Word::End | Word::Thread)) {
            self.unit_item(&mut unit, false, "a declaration, a function or `end`");
        }
        let end = self.span();
        if !self.eat_word(Word::End) {
            self.unclosed("`end`", head, "the thread begins here");
        }
        Ok(Thread { name, copies, unit, head, end })
    }

    fn thread_head(&mut self) -> Parsed<(Name, Copies)> {
        let name = self.declared_name("the name of the thread")?;
        let mut copies = Copies::Single;
        if self.eat(Mark::OpenSquare) {
            copies = if self.eat(Mark::Star) {
                Copies::Any
            } else {
                Copies::Fixed(self.number("a number of threads or `*`")?)
            };
            self.expect(Mark::CloseSquare)?;
        }
        self.expect_word(Word::Begin)?;
        Ok((name, copies))
    }

    fn function(&mut self) -> Parsed<Function> {
        let start = self.span();
        let Ok((results, name, params)) = self.function_head() else {
            self.skip_to_item();
            return Err(Failed);
        };
        let head = self.span_from(start);
        let mut function = Function {
            results,
            name,
            params,
            head,
            locals: Vec::new(),
            enforce: None,
            body: Vec::new(),
            end: head,
        };
        self.word_as_name();
        while self.token() == Token::Word(Word::Decl) {
            if let Ok(variables) = self.variables() {
                function.locals.push(variables);
            }
            self.word_as_name();
        }
        if self.token() == Token::Word(Word::Enforce) {
            let start = self.span();
            self.advance();
            let parsed =
                self.expression().and_then(|condition| self.expect(Mark::Semicolon).map(|()| condition));
            function.enforce = self.skip_declaration(parsed).ok().map(|e| (e, self.span_from(start)));
        }
        self.body(&mut function);
        Ok(function)
    }

    fn function_head(&mut self) -> Parsed<(Results, Name, Vec<Variable>)> {
        let start = self.span();
        let results = self.results()?;
        let name = self.function_name()?;
        self.no_variable(start, name)?;
        self.expect(Mark::Open)?;
        let is_empty = self.token() == Token::Mark(Mark::Close);
        let params = if is_empty { Vec::new() } else { self.list(Self::variable)? };
        self.expect(Mark::Close)?;
        // A missing `begin` is no reason to lose the body.
        let _ = self.expect_word(Word::Begin);
        Ok((results, name, params))
    }

    /// The name of a function: no word with which a statement begins that looks like a call.
    fn function_name(&mut self) -> Parsed<Name> {
        match self.token() {
            Token::Word(word) if word.takes_parenthesis() => self.reserved(word, "the name of a function"),
            _ => self.declared_name("the name of a function"),
        }
    }

    fn results(&mut self) -> Parsed<Results> {
        let start = self.span();
        if self.eat_word(Word::Void) {
            return Ok(Results::Void);
        }
        if self.eat(Mark::Less) {
            let types = self.list(Self::ty)?;
            self.expect(Mark::Greater)?;
            return Ok(Results::Many(types));
        }
        let ty = self.ty()?;
        if matches!(ty.kind, TypeKind::Bool) && self.eat(Mark::Less) {
            let n_results = self.number("the number of results")?;
            self.expect(Mark::Greater)?;
            return Ok(Results::Bools(n_results, self.span_from(start)));
        }
        Ok(Results::One(ty))
    }

    // Tokens.

    pub(crate) fn token(&self) -> Token {
        self.current.0
    }

    pub(crate) fn peek(&mut self) -> Token {
        let ahead = match self.ahead {
            Some(ahead) => ahead,
            None => self.lexer.next(&mut self.tree.names),
        };
        self.ahead = Some(ahead);
        ahead.0
    }

    pub(crate) fn span(&self) -> Span {
        self.current.1
    }

    /// From the token at `start` to the last one read.
    pub(crate) fn span_from(&self, start: Span) -> Span {
        if self.last.start < start.start { start } else { start.to(self.last) }
    }

    pub(crate) fn advance(&mut self) {
        if self.token() == Token::End {
            return;
        }
        self.last = self.span();
        self.current = match self.ahead.take() {
            Some(token) => token,
            None => self.lexer.next(&mut self.tree.names),
        };
        if self.diagnostics.len() + self.lexer.diagnostics().len() > MAX_ERRORS {
            let end = Span::new(self.tree.file, self.text.len()..self.text.len());
            self.current = (Token::End, end);
        }
    }

    pub(crate) fn eat(&mut self, mark: Mark) -> bool {
        let found = self.token() == Token::Mark(mark);
        if found {
            self.advance();
        }
        found
    }

    pub(crate) fn eat_word(&mut self, word: Word) -> bool {
        let found = self.token() == Token::Word(word);
        if found {
            self.advance();
        }
        found
    }

    pub(crate) fn expect(&mut self, mark: Mark) -> Parsed<()> {
        if self.eat(mark) { Ok(()) } else { self.unexpected(&format!("`{}`", mark.text())) }
    }

    pub(crate) fn expect_word(&mut self, word: Word) -> Parsed<()> {
        if self.eat_word(word) { Ok(()) } else { self.unexpected(&format!("`{}`", word.text())) }
    }

    /// At the beginning of a statement: a word that is followed by what can only follow a name is a name.
    pub(crate) fn word_as_name(&mut self) {
        let Token::Word(word) = self.token() else { return };
        if !word.may_be_name() {
            return;
        }
        let is_name = match self.peek() {
            Token::Mark(Mark::Becomes | Mark::Comma | Mark::Colon) => true,
            Token::Mark(Mark::Open) => !word.takes_parenthesis(),
            _ => false,
        };
        if is_name {
            self.current.0 = Token::Name(word.symbol());
        }
    }

    /// In an expression: a word that a variable or a value is called is a name.
    pub(crate) fn declared_word_as_name(&mut self) {
        if let Token::Word(word) = self.token()
            && self.tree.names.is_value(word)
            // Nothing else in an expression has `[` behind it.
            && self.peek() != Token::Mark(Mark::OpenSquare)
        {
            self.current.0 = Token::Name(word.symbol());
        }
    }

    /// A name that occurs where nothing but a name can stand.
    pub(crate) fn name(&mut self, expected: &str) -> Parsed<Name> {
        let symbol = match self.token() {
            Token::Name(symbol) => symbol,
            Token::Word(word) if word.may_be_name() => word.symbol(),
            _ => return self.unexpected(expected),
        };
        let span = self.span();
        self.advance();
        Ok(Name { symbol, span })
    }

    /// A name that is declared.
    pub(crate) fn declared_name(&mut self, expected: &str) -> Parsed<Name> {
        match self.token() {
            Token::Word(word) if !word.may_be_name() => self.reserved(word, expected),
            _ => self.name(expected),
        }
    }

    /// The name of a variable or of a value of an enumeration, which from now on may occur in expressions.
    fn declared_value(&mut self, expected: &str) -> Parsed<Name> {
        if let Token::Word(word) = self.token() {
            self.tree.names.declare_value(word);
        }
        self.declared_name(expected)
    }

    /// Reports a word in the place of a name that is declared.
    fn reserved(&mut self, word: Word, expected: &str) -> Parsed<Name> {
        let span = self.span();
        let message = match word {
            Word::Underscore => "`_` cannot be declared".to_owned(),
            _ => format!("expected {expected}, found `{}`, which is a reserved word", word.text()),
        };
        self.report(Diagnostic::error(span, message));
        // If a declaration goes on behind it, the word is meant as a name.
        let is_name = matches!(
            self.peek(),
            Token::Mark(
                Mark::Comma | Mark::Semicolon | Mark::Colon | Mark::Open | Mark::Close | Mark::CloseBrace
            )
        );
        if !is_name {
            return Err(Failed);
        }
        self.advance();
        Ok(Name { symbol: word.symbol(), span })
    }

    fn number(&mut self, expected: &str) -> Parsed<u64> {
        let Token::Number(number) = self.token() else { return self.unexpected(expected) };
        self.advance();
        Ok(number)
    }

    /// One or more, with commas between them.
    fn list<T>(&mut self, mut element: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut list = vec![element(self)?];
        while self.eat(Mark::Comma) {
            list.push(element(self)?);
        }
        Ok(list)
    }

    // Errors.

    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    pub(crate) fn fail<T>(&mut self, diagnostic: Diagnostic) -> Parsed<T> {
        self.report(diagnostic);
        Err(Failed)
    }

    /// The present token, as messages call it.
    pub(crate) fn found(&self) -> String {
        let span = self.span();
        match self.token() {
            Token::End => "the end of the file".to_owned(),
            _ => format!("`{}`", cut(&self.text[span.start as usize..span.end as usize])),
        }
    }

    pub(crate) fn unexpected<T>(&mut self, expected: &str) -> Parsed<T> {
        let message = format!("expected {expected}, found {}", self.found());
        self.fail(Diagnostic::error(self.span(), message))
    }

    /// Something is missing that would close what was opened elsewhere.
    pub(crate) fn unclosed(&mut self, expected: &str, opened: Span, note: &str) {
        let message = format!("expected {expected}, found {}", self.found());
        self.report(Diagnostic::error(self.span(), message).note(note, Some(opened)));
    }
}

//! Statements: one loop over the body of a function, with a stack of the blocks that are open.

use super::{Parsed, Parser};
use crate::ast::*;
use crate::lexer::{Mark, Token};
use crate::names::Word;
use base::{Diagnostic, Span};

/// A block that is not closed yet.
#[derive(Clone, Copy)]
struct Block {
    kind: BlockKind,
    /// The word that opened it.
    opened: Span,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum BlockKind {
    /// Behind `if` or `elsif`.
    If,
    /// Behind `else`.
    Else,
    While,
    Atomic,
}

impl BlockKind {
    /// The word that closes it.
    fn closer(self) -> Word {
        match self {
            BlockKind::If | BlockKind::Else => Word::Fi,
            BlockKind::While => Word::Od,
            BlockKind::Atomic => Word::End,
        }
    }

    fn closing(self) -> StatementKind {
        match self {
            BlockKind::If | BlockKind::Else => StatementKind::Fi,
            BlockKind::While => StatementKind::Od,
            BlockKind::Atomic => StatementKind::EndAtomic,
        }
    }
}

/// The statements of a function and the blocks that are open behind the last of them.
struct Body<'f> {
    statements: &'f mut Vec<Statement>,
    blocks: Vec<Block>,
    /// Declarations in the wrong place.
    late: Vec<Variables>,
}

impl Body<'_> {
    fn push(&mut self, labels: Vec<Name>, kind: StatementKind, span: Span) {
        self.statements.push(Statement { labels, kind, span });
    }

    fn open(&mut self, labels: Vec<Name>, statement: (StatementKind, Span), kind: BlockKind, opened: Span) {
        self.push(labels, statement.0, statement.1);
        self.blocks.push(Block { kind, opened });
    }

    fn close(&mut self, span: Span) {
        if let Some(block) = self.blocks.pop() {
            self.push(Vec::new(), block.kind.closing(), span);
        }
    }
}

impl Parser<'_> {
    /// The statements of a function and its `end`.
    pub(super) fn body(&mut self, function: &mut Function) {
        let mut statements = Vec::new();
        let mut body = Body { statements: &mut statements, blocks: Vec::new(), late: Vec::new() };
        let head = function.head;
        loop {
            let labels = self.labels();
            let start = self.span();
            match self.token() {
                Token::Word(word @ (Word::End | Word::Fi | Word::Od | Word::Else | Word::Elsif)) => {
                    if let Some(last) = labels.last() {
                        let span = last.span;
                        body.push(labels, StatementKind::Skip, span);
                    }
                    if self.closing_word(word, &mut body) {
                        function.end = start;
                        break;
                    }
                }
                _ if self.token() == Token::End || self.is_behind_body() => {
                    self.missing_end(&mut body, head);
                    function.end = self.last;
                    break;
                }
                _ => self.statement(labels, &mut body),
            }
        }
        // The names count as declared, so that their uses are no further errors.
        function.locals.append(&mut body.late);
        function.body = statements;
    }

    /// A function or a thread begins where a statement should.
    fn is_behind_body(&self) -> bool {
        self.token() == Token::Word(Word::Thread) || self.begins_function()
    }

    fn missing_end(&mut self, body: &mut Body, head: Span) {
        match body.blocks.last() {
            Some(block) => {
                let closer = format!("a statement or `{}`", block.kind.closer().text());
                self.unclosed(&closer, block.opened, "the block begins here");
            }
            None if matches!(self.token(), Token::Word(Word::Bool | Word::Int | Word::Enum)) => {
                let note =
                    "the function begins here; variables are declared by `decl`, before its statements";
                self.unclosed("a statement or `end`", head, note);
            }
            None => self.unclosed("a statement or `end`", head, "the function begins here"),
        }
        while !body.blocks.is_empty() {
            body.close(self.last);
        }
    }

    /// The labels of a statement. Behind them a word with which the statement begins is a keyword.
    fn labels(&mut self) -> Vec<Name> {
        let mut labels = Vec::new();
        self.word_as_name();
        self.value_as_label();
        while let Token::Name(symbol) = self.token() {
            let span = self.span();
            if self.peek() != Token::Mark(Mark::Colon) {
                break;
            }
            self.advance();
            self.advance();
            labels.push(Name { symbol, span });
            self.word_as_name();
            self.value_as_label();
        }
        labels
    }

    /// Consumes a word that ends a block, or one of its parts; whether the function ends with it.
    fn closing_word(&mut self, word: Word, body: &mut Body) -> bool {
        self.close_inner(word, body);
        let span = self.span();
        let top = body.blocks.last().copied();
        match (word, top) {
            (Word::End, None) => {
                self.advance();
                return true;
            }
            (Word::Elsif, Some(Block { kind: BlockKind::If, .. })) => {
                self.advance();
                let condition = self.condition(Word::Then);
                body.push(Vec::new(), StatementKind::Elsif(condition), self.span_from(span));
                return false;
            }
            (Word::Else, Some(Block { kind: BlockKind::If, .. })) => {
                body.push(Vec::new(), StatementKind::Else, span);
                body.blocks.last_mut().expect("an `if` is open").kind = BlockKind::Else;
                self.advance();
                return false;
            }
            (_, Some(block)) if block.kind.closer() == word => {
                self.advance();
                body.close(span);
                self.eat(Mark::Semicolon);
                return false;
            }
            (Word::Else | Word::Elsif, Some(Block { kind: BlockKind::Else, opened })) => {
                let message =
                    format!("expected `fi`, found `{}`: `else` is the last part of an `if`", word.text());
                self.report(Diagnostic::error(span, message).note("the `if` is here", Some(opened)));
            }
            _ => {
                let opener = if word == Word::Od { "while" } else { "if" };
                let message = format!("`{}` without `{opener}`", word.text());
                self.report(Diagnostic::error(span, message));
            }
        }
        self.advance();
        if word == Word::Elsif {
            self.condition(Word::Then);
        }
        self.eat(Mark::Semicolon);
        false
    }

    /// If a word closes a block further out, the inner ones are reported and closed.
    fn close_inner(&mut self, word: Word, body: &mut Body) {
        let closes = |block: &Block| match word {
            Word::Else | Word::Elsif => block.kind.closer() == Word::Fi,
            _ => block.kind.closer() == word,
        };
        let outer = body.blocks.iter().rposition(closes);
        // `end` closes the function if it closes no atomic block.
        let n_kept = match outer {
            Some(position) => position + 1,
            None if word == Word::End => 0,
            None => return,
        };
        if n_kept < body.blocks.len() {
            let block = body.blocks[body.blocks.len() - 1];
            let closer = format!("`{}`", block.kind.closer().text());
            self.unclosed(&closer, block.opened, "the block begins here");
        }
        while body.blocks.len() > n_kept {
            body.close(self.last);
        }
    }

    /// The test of an `if` or a `while` and the word behind it.
    fn condition(&mut self, word: Word) -> ExprId {
        let parsed = self.expression().and_then(|condition| {
            if self.eat_word(word) {
                return Ok(condition);
            }
            self.unexpected(&format!("an operator or `{}`", word.text()))
        });
        parsed.unwrap_or_else(|_| {
            while !self.begins_statement()
                && !matches!(self.token(), Token::End | Token::Mark(Mark::Semicolon))
            {
                self.advance();
            }
            self.eat_word(word);
            self.placeholder()
        })
    }

    /// One statement that is no closing word.
    fn statement(&mut self, labels: Vec<Name>, body: &mut Body) {
        let start = self.span();
        match self.token() {
            Token::Word(Word::If) => {
                self.advance();
                let condition = self.condition(Word::Then);
                let statement = (StatementKind::If(condition), self.span_from(start));
                body.open(labels, statement, BlockKind::If, start);
            }
            Token::Word(Word::While) => {
                self.advance();
                let condition = self.condition(Word::Do);
                let statement = (StatementKind::While(condition), self.span_from(start));
                body.open(labels, statement, BlockKind::While, start);
            }
            Token::Word(Word::Atomic) => {
                self.advance();
                if self.expect_word(Word::Begin).is_err() {
                    self.recover();
                    return;
                }
                let statement = (StatementKind::Atomic, self.span_from(start));
                body.open(labels, statement, BlockKind::Atomic, start);
            }
            Token::Word(Word::Decl) => {
                let message = "declarations stand before the statements of a function";
                self.report(Diagnostic::error(start, message));
                body.late.extend(self.variables().ok());
            }
            _ => match self.simple() {
                Ok(kind) => {
                    body.push(labels, kind, self.span_from(start));
                    self.semicolon();
                }
                Err(_) => {
                    // The labels stay, so that a jump to them is no further error.
                    body.push(labels, StatementKind::Skip, start);
                    self.recover_from(start);
                }
            },
        }
    }

    /// The semicolon behind a simple statement; the last of a block needs none.
    fn semicolon(&mut self) {
        if self.eat(Mark::Semicolon) || self.begins_closing() {
            return;
        }
        if self.unexpected::<()>("`;`").is_err() && !self.begins_statement() {
            self.recover();
        }
    }

    fn begins_closing(&self) -> bool {
        matches!(self.token(), Token::Word(Word::End | Word::Fi | Word::Od | Word::Else | Word::Elsif))
    }

    /// The present token is a word with which a statement or a bracket begins.
    pub(super) fn begins_statement(&self) -> bool {
        let Token::Word(word) = self.token() else { return false };
        !matches!(
            word,
            Word::Bool
                | Word::Int
                | Word::Enum
                | Word::Begin
                | Word::Underscore
                | Word::T
                | Word::F
                | Word::True
                | Word::False
                | Word::Schoose
                | Word::Choose
                | Word::Constrain
                | Word::Call
        )
    }

    fn recover_from(&mut self, start: Span) {
        if self.span() == start && !self.is_behind_body() {
            self.advance();
        }
        self.recover();
    }

    /// Skips the rest of a statement: behind the next semicolon, or to a word with which something new begins.
    fn recover(&mut self) {
        while self.token() != Token::End && !self.begins_statement() {
            if self.eat(Mark::Semicolon) {
                return;
            }
            self.advance();
        }
        // What belongs to the head of a block that was not understood is skipped with it.
        if matches!(self.token(), Token::Word(Word::Then | Word::Do)) {
            self.advance();
        }
    }

    fn simple(&mut self) -> Parsed<StatementKind> {
        let Token::Word(word) = self.token() else { return self.assignment_or_call() };
        match word {
            Word::Underscore | Word::Call => return self.assignment_or_call(),
            Word::Enforce => {
                let message = "`enforce` stands once, between the declarations and the statements";
                return self.fail(Diagnostic::error(self.span(), message));
            }
            _ if !self.begins_statement() && word != Word::Constrain => return self.no_statement(),
            Word::Then | Word::Do | Word::Void | Word::Init | Word::Thread => return self.no_statement(),
            _ => self.advance(),
        }
        Ok(match word {
            Word::Skip => StatementKind::Skip,
            Word::Return if self.token() == Token::Mark(Mark::Semicolon) || self.begins_closing() => {
                StatementKind::Return(Vec::new())
            }
            Word::Return => StatementKind::Return(self.list(Self::expression)?),
            Word::Goto => StatementKind::Goto(self.list(Self::label)?),
            Word::Assert => StatementKind::Assert(self.expression()?),
            Word::Assume => StatementKind::Assume(self.expression()?),
            Word::Constrain => StatementKind::Constrain(self.expression()?),
            Word::Dead => StatementKind::Dead(self.list(|parser| parser.name("the name of a variable"))?),
            Word::Print => StatementKind::Print(self.arguments()?),
            Word::StartThread if self.starts_at_label() => {
                self.advance();
                StatementKind::StartThreadGoto(self.label()?)
            }
            Word::StartThread => StatementKind::StartThread(self.call("the name of a function or `goto`")?),
            Word::EndThread => StatementKind::EndThread,
            Word::AtomicBegin => StatementKind::AtomicBegin,
            Word::AtomicEnd => StatementKind::AtomicEnd,
            _ => unreachable!("`{}` begins no simple statement", word.text()),
        })
    }

    /// Behind `start_thread`: `goto` and a label, and not a function of that name.
    fn starts_at_label(&mut self) -> bool {
        self.token() == Token::Word(Word::Goto) && self.peek() != Token::Mark(Mark::Open)
    }

    fn no_statement<T>(&mut self) -> Parsed<T> {
        self.unexpected("a statement")
    }

    /// A statement that begins with a name, `_` or `call`.
    fn assignment_or_call(&mut self) -> Parsed<StatementKind> {
        if self.eat_word(Word::Call) {
            return Ok(StatementKind::Call {
                targets: Vec::new(),
                call: self.call("the name of a function")?,
            });
        }
        if let Token::Name(symbol) = self.token() {
            let follows = self.peek();
            if follows == Token::Mark(Mark::Open) {
                return Ok(StatementKind::Call { targets: Vec::new(), call: self.call("a name")? });
            }
            let is_target = matches!(follows, Token::Mark(Mark::Becomes | Mark::Comma));
            if !is_target && self.tree.names.text(symbol) == "sync" {
                return self.fail(Diagnostic::error(self.span(), SYNC));
            }
        } else if self.token() != Token::Word(Word::Underscore) {
            return self.no_statement();
        }
        let targets = self.list(Self::target)?;
        if !self.eat(Mark::Becomes) {
            self.no_assignment(&targets)?;
            return self.unexpected(if targets.len() == 1 { "`:=`, `,`, `(` or `:`" } else { "`:=` or `,`" });
        }
        if self.calls() {
            self.advance();
            return Ok(StatementKind::Call { targets, call: self.call("the name of a function")? });
        }
        let is_name = match self.token() {
            Token::Name(_) => true,
            Token::Word(word) => word.may_be_name(),
            _ => false,
        };
        if is_name && self.peek() == Token::Mark(Mark::Open) {
            return Ok(StatementKind::Call { targets, call: self.call("a name")? });
        }
        let values = self.list(Self::expression)?;
        let constrain = if self.eat_word(Word::Constrain) { Some(self.expression()?) } else { None };
        Ok(StatementKind::Assign { targets, values, constrain })
    }

    /// The word `call` with the name of a function behind it, and not a variable or a function called so.
    fn calls(&mut self) -> bool {
        if self.token() != Token::Word(Word::Call) || self.peek() == Token::Mark(Mark::Open) {
            return false;
        }
        match self.peek() {
            Token::Name(_) => true,
            Token::Word(word) => word.may_be_name() && word != Word::Constrain,
            _ => !self.tree.names.is_value(Word::Call),
        }
    }

    fn target(&mut self) -> Parsed<Target> {
        let span = self.span();
        if self.eat_word(Word::Underscore) {
            return Ok(Target { symbol: None, span });
        }
        let name = self.name("the name of a variable or `_`")?;
        Ok(Target { symbol: Some(name.symbol), span })
    }

    fn call(&mut self, expected: &str) -> Parsed<Call> {
        let callee = self.name(expected)?;
        Ok(Call { callee, args: self.arguments()? })
    }

    /// Expressions in parentheses.
    fn arguments(&mut self) -> Parsed<Vec<ExprId>> {
        let open = self.span();
        self.expect(Mark::Open)?;
        if self.eat(Mark::Close) {
            return Ok(Vec::new());
        }
        let arguments = self.list(Self::expression)?;
        if !self.eat(Mark::Close) {
            self.unclosed("`,` or `)`", open, "the parenthesis is opened here");
            return Err(super::Failed);
        }
        Ok(arguments)
    }
}

/// Boom's statement that this tool does not know.
pub(crate) const SYNC: &str = "`sync` is not supported: there is no statement that synchronises threads";

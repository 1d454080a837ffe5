//! Statements and blocks.

use super::{Parsed, Parser, Scope};
use crate::syntax::{Arm, ExprId, Label, Stmt, StmtKind};
use crate::token::Token;

impl Parser<'_> {
    /// Statements in braces. The scope is the caller's business.
    pub(crate) fn block(&mut self) -> Parsed<Vec<Stmt>> {
        self.expect("{")?;
        let mut statements = Vec::new();
        while !self.take("}") {
            if self.peek() == Token::End {
                return Err(self.unexpected("`}`"));
            }
            if self.take_word(&["__label__"]) {
                while self.advance() != Token::Sign(";") && self.peek() != Token::End {}
                continue;
            }
            if self.is_declaration() {
                statements.push(self.local_declaration()?);
            } else {
                statements.push(self.statement()?);
            }
        }
        Ok(statements)
    }

    fn scoped<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.scopes.push(Scope::default());
        let result = self.nested_statement(inner);
        self.leave_scope();
        result
    }

    pub(crate) fn statement(&mut self) -> Parsed<Stmt> {
        let first = self.at;
        if self.is("{") {
            let block = self.scoped(|parser| parser.block())?;
            return Ok(Stmt { kind: StmtKind::Block(block), span: self.since(first) });
        }
        if self.take(";") {
            return Ok(Stmt { kind: StmtKind::Empty, span: self.since(first) });
        }
        let labels = self.labels()?;
        if !labels.is_empty() {
            let span = self.since(first);
            // A label may stand at the end of a block, or before a declaration.
            let body = if self.is("}") {
                Stmt { kind: StmtKind::Empty, span }
            } else if self.is_declaration() {
                self.local_declaration()?
            } else {
                self.nested_statement(|parser| parser.statement())?
            };
            return Ok(Stmt { kind: StmtKind::Labelled(labels, Box::new(body)), span });
        }
        let kind = match self.word() {
            Some("if") => self.conditional_statement()?,
            Some("while") => {
                self.at += 1;
                let condition = self.condition()?;
                StmtKind::While(condition, self.body()?)
            }
            Some("do") => {
                self.at += 1;
                let body = self.body()?;
                if !self.take_word(&["while"]) {
                    return Err(self.unexpected("`while`"));
                }
                let condition = self.condition()?;
                self.expect(";")?;
                StmtKind::Do(body, condition)
            }
            Some("for") => self.scoped(|parser| parser.for_statement())?,
            Some("switch") => {
                self.at += 1;
                let value = self.condition()?;
                StmtKind::Switch(value, self.body()?)
            }
            Some("goto" | "break" | "continue" | "return") => self.jump()?,
            Some("asm" | "__asm__" | "__asm") => {
                self.at += 1;
                while self.take_word(&["volatile", "__volatile__", "inline", "goto"]) {}
                let inside = self.at + 1;
                self.skip_parentheses()?;
                // An empty text keeps compilers from moving things, and does nothing, unless something is written down as a result.
                let is_barrier = matches!(self.tokens[inside].token, Token::Text(_))
                    && self.tokens[inside].end - self.tokens[inside].start == 2
                    && !self.has_operands(inside + 1);
                self.expect(";")?;
                if is_barrier { StmtKind::Empty } else { StmtKind::Assembly }
            }
            Some("else") => return Err(self.error(self.here(), "this `else` has no `if`")),
            _ => {
                let expr = self.expression()?;
                self.expect(";")?;
                StmtKind::Expr(expr)
            }
        };
        Ok(Stmt { kind, span: self.since(first) })
    }

    /// All labels before a statement.
    fn labels(&mut self) -> Parsed<Vec<Label>> {
        let mut labels = Vec::new();
        loop {
            let span = self.here();
            match (self.peek(), self.peek_second()) {
                (Token::Name(name), Token::Sign(":")) if !super::is_keyword(self.names.text(name)) => {
                    self.at += 2;
                    self.attributes()?;
                    labels.push(Label::Name(name, span));
                }
                (Token::Name(name), _) if self.names.text(name) == "case" => {
                    self.at += 1;
                    let from = self.conditional()?;
                    let to = if self.take("...") { Some(self.conditional()?) } else { None };
                    self.expect(":")?;
                    labels.push(Label::Case(from, to));
                }
                (Token::Name(name), _) if self.names.text(name) == "default" => {
                    self.at += 1;
                    self.expect(":")?;
                    labels.push(Label::Default(span));
                }
                _ => return Ok(labels),
            }
        }
    }

    fn condition(&mut self) -> Parsed<ExprId> {
        self.expect("(")?;
        let condition = self.expression()?;
        self.expect(")")?;
        Ok(condition)
    }

    fn body(&mut self) -> Parsed<Box<Stmt>> {
        // A block is a scope of its own already.
        if self.is("{") {
            return Ok(Box::new(self.statement()?));
        }
        Ok(Box::new(self.scoped(|parser| parser.statement())?))
    }

    /// A whole chain of `else if`, however long.
    fn conditional_statement(&mut self) -> Parsed<StmtKind> {
        let mut arms = Vec::new();
        loop {
            let first = self.at;
            self.at += 1;
            let condition = self.condition()?;
            let body = *self.body()?;
            arms.push(Arm { span: self.since(first), condition, body });
            if !self.take_word(&["else"]) {
                return Ok(StmtKind::If(arms, None));
            }
            if self.word() != Some("if") {
                return Ok(StmtKind::If(arms, Some(self.body()?)));
            }
        }
    }

    fn for_statement(&mut self) -> Parsed<StmtKind> {
        self.at += 1;
        self.expect("(")?;
        let first = self.at;
        let start = if self.take(";") {
            None
        } else if self.is_declaration() {
            Some(Box::new(self.local_declaration()?))
        } else {
            let expr = self.expression()?;
            let span = self.since(first);
            self.expect(";")?;
            Some(Box::new(Stmt { kind: StmtKind::Expr(expr), span }))
        };
        let condition = if self.is(";") { None } else { Some(self.expression()?) };
        self.expect(";")?;
        let step = if self.is(")") { None } else { Some(self.expression()?) };
        self.expect(")")?;
        Ok(StmtKind::For(start, condition, step, self.body()?))
    }

    /// Whether assembly names something of the program: there is an operand in parentheses, from here to its end.
    fn has_operands(&self, from: usize) -> bool {
        self.tokens[from..self.at - 1].iter().any(|placed| placed.token == Token::Sign("("))
    }

    fn jump(&mut self) -> Parsed<StmtKind> {
        let kind = match self.word() {
            Some("goto") => {
                self.at += 1;
                if self.take("*") {
                    let address = self.expression()?;
                    self.expect(";")?;
                    return Ok(StmtKind::Computed(address));
                }
                let span = self.here();
                let Some(name) = self.name() else { return Err(self.unexpected("the name of a label")) };
                StmtKind::Goto(name, span)
            }
            Some("break") => {
                self.at += 1;
                StmtKind::Break
            }
            Some("continue") => {
                self.at += 1;
                StmtKind::Continue
            }
            _ => {
                self.at += 1;
                StmtKind::Return(if self.is(";") { None } else { Some(self.expression()?) })
            }
        };
        self.expect(";")?;
        Ok(kind)
    }
}

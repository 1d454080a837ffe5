//! What people write who know other languages, told what to write instead.
//!
//! Contract: nothing here accepts a text. Each function looks at one mistake, reports it with what is meant, and goes on as if that had been written,
//! where it can.

use super::{Parsed, Parser};
use crate::ast::*;
use crate::lexer::{Mark, Token};
use crate::names::Word;
use base::{Diagnostic, Span};

impl Parser<'_> {
    /// A type stands where a variable is declared. A variable may be called like it.
    pub(super) fn begins_with_type(&mut self) -> bool {
        let is_type = matches!(self.token(), Token::Word(Word::Bool | Word::Int | Word::Enum));
        is_type
            && !matches!(
                self.peek(),
                Token::Mark(Mark::Comma | Mark::Semicolon | Mark::Colon | Mark::Close) | Token::End
            )
    }

    /// `int<3> n`: the type stands before the name.
    pub(super) fn type_first(&mut self) -> Parsed<Variable> {
        let start = self.span();
        let ty = self.ty()?;
        let name = self.declared_value("the name of a variable")?;
        let right = format!("{}: {}", self.tree.text(name), self.source(ty.span));
        let message = format!("the type of a variable stands behind its name: `{right}`");
        self.report(Diagnostic::error(self.span_from(start), message));
        self.no_value(name)?;
        Ok(Variable { name, ty: Some(ty) })
    }

    /// `int` alone, or with another bracket behind it.
    pub(super) fn width_follows(&mut self, int: Span) -> Parsed<()> {
        if self.eat(Mark::Less) {
            return Ok(());
        }
        let found = self.found();
        let message = format!(
            "expected the width of the integer, `int<N>`, found {found}: the values of `int<3>` are 0 to 7"
        );
        self.fail(Diagnostic::error(int, message))
    }

    /// Behind a variable that is declared: a value, or a number of elements.
    pub(super) fn no_value(&mut self, name: Name) -> Parsed<()> {
        let name = self.tree.names.shown(name.symbol);
        let message = match self.token() {
            Token::Mark(Mark::Equal | Mark::Becomes) => format!(
                "a declaration gives no value: a global has one by `init {name} = …;`, a local by a statement `{name} := …;`"
            ),
            Token::Mark(Mark::OpenSquare) => {
                "there are no arrays: a variable is `bool`, `int<N>` or `enum { … }`".to_owned()
            }
            _ => return Ok(()),
        };
        self.fail(Diagnostic::error(self.span(), message))
    }

    /// `bool x;` in the place of a function.
    pub(super) fn no_variable(&mut self, ty: Span, name: Name) -> Parsed<()> {
        let is_variable = matches!(
            self.token(),
            Token::Mark(Mark::Semicolon | Mark::Comma | Mark::Equal | Mark::Becomes | Mark::OpenSquare)
        );
        if !is_variable {
            return Ok(());
        }
        let message = format!(
            "expected `(`, found {}: a variable is declared by `decl {}: TYPE;`, or without a type if it is Boolean",
            self.found(),
            self.tree.names.shown(name.symbol),
        );
        self.fail(Diagnostic::error(ty.to(name.span), message))
    }

    /// A value in the place of a label: `F:`.
    pub(super) fn value_as_label(&mut self) {
        if let Token::Word(word @ (Word::T | Word::F | Word::True | Word::False)) = self.token()
            && self.peek() == Token::Mark(Mark::Colon)
        {
            self.report_label(word);
            self.current.0 = Token::Name(word.symbol());
        }
    }

    /// The label that a jump leads to.
    pub(super) fn label(&mut self) -> Parsed<Name> {
        match self.token() {
            Token::Word(word @ (Word::T | Word::F | Word::True | Word::False)) => {
                self.report_label(word);
                let span = self.span();
                self.advance();
                Ok(Name { symbol: word.symbol(), span })
            }
            _ => self.name("a label"),
        }
    }

    fn report_label(&mut self, word: Word) {
        let text = word.text();
        let value = if matches!(word, Word::T | Word::True) { "true" } else { "false" };
        let message = format!(
            "`{text}` is the value {value} and cannot be a label: call the label something else, such as `L_{text}`"
        );
        self.report(Diagnostic::error(self.span(), message));
    }

    /// Behind the left side of an assignment: `x = T`, `x++`, or a statement of other languages.
    pub(super) fn no_assignment(&mut self, targets: &[Target]) -> Parsed<()> {
        let [Target { symbol: Some(symbol), .. }] = targets else { return Ok(()) };
        let (name, found) = (self.tree.names.shown(*symbol), self.found());
        let message = match self.token() {
            Token::Mark(Mark::Equal) => {
                format!("expected `:=`, found {found}: an assignment is `{name} := …`, and `=` compares")
            }
            Token::Mark(Mark::Plus | Mark::Minus) => {
                format!(
                    "expected `:=`, found {found}: an assignment is `{name} := {name} {} …`",
                    found.trim_matches('`')
                )
            }
            Token::Mark(Mark::Semicolon) if matches!(name.as_str(), "break" | "continue") => {
                format!("there is no `{name}`: `goto` and a label lead out of a loop")
            }
            _ => return Ok(()),
        };
        self.fail(Diagnostic::error(self.span(), message))
    }

    /// The text of a stretch of the source.
    fn source(&self, span: Span) -> &str {
        &self.text[span.start as usize..span.end as usize]
    }
}

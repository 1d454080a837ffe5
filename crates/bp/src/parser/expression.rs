//! Expressions: operator precedence with a stack of incomplete operators instead of recursion.

use super::{Failed, Parsed, Parser};
use crate::ast::*;
use crate::lexer::{Mark, Token};
use crate::names::Word;
use base::{Diagnostic, Span};

/// An atom of a monitor's guard.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Atom {
    pub(crate) kind: AtomKind,
    /// The function; nothing in `at(L)`.
    pub(crate) function: Option<Name>,
    /// The label of `at`.
    pub(crate) label: Option<Name>,
}

/// The kinds of atoms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AtomKind {
    At,
    In,
    Call,
    Ret,
}

/// A complete operand: the expression and its place with the parentheses around it.
#[derive(Clone, Copy)]
pub(super) struct Operand {
    id: ExprId,
    span: Span,
}

/// Something that waits for its next operand.
pub(super) enum Frame {
    Prefix {
        is_minus: bool,
        start: Span,
    },
    Binary {
        operator: Binary,
        left: Operand,
    },
    /// Behind `(`.
    Parenthesis {
        open: Span,
    },
    /// Behind `c ?`.
    Then {
        condition: Operand,
    },
    /// Behind `c ? a :`.
    Else {
        condition: Operand,
        then: ExprId,
    },
    /// Behind `schoose[`.
    SchooseFirst {
        start: Span,
    },
    /// Behind `schoose[p,`.
    SchooseSecond {
        start: Span,
        first: ExprId,
    },
}

impl Parser<'_> {
    /// One expression, as long as it goes.
    pub(crate) fn expression(&mut self) -> Parsed<ExprId> {
        let parsed = self.operands();
        self.frames.clear();
        parsed
    }

    fn operands(&mut self) -> Parsed<ExprId> {
        loop {
            let Some(mut operand) = self.operand()? else { continue };
            while let Some(after) = self.after_operand(operand)? {
                match after {
                    After::Operand(next) => operand = next,
                    After::Next => break,
                    After::End(id) => return Ok(id),
                }
            }
        }
    }

    /// The beginning of an operand: a whole one, or something that waits for one.
    fn operand(&mut self) -> Parsed<Option<Operand>> {
        self.declared_word_as_name();
        let start = self.span();
        let frame = match self.token() {
            Token::Mark(Mark::Not) => Frame::Prefix { is_minus: false, start },
            Token::Mark(Mark::Minus) => Frame::Prefix { is_minus: true, start },
            Token::Mark(Mark::Open) => Frame::Parenthesis { open: start },
            Token::Word(Word::Schoose | Word::Choose) => {
                self.advance();
                self.expect(Mark::OpenSquare)?;
                self.frames.push(Frame::SchooseFirst { start });
                return Ok(None);
            }
            _ => return self.leaf().map(Some),
        };
        self.advance();
        self.frames.push(frame);
        Ok(None)
    }

    fn leaf(&mut self) -> Parsed<Operand> {
        let start = self.span();
        let kind = match self.token() {
            Token::Mark(Mark::Star | Mark::Question) => ExprKind::Choice,
            Token::Word(Word::T | Word::True) => ExprKind::Truth(true),
            Token::Word(Word::F | Word::False) => ExprKind::Truth(false),
            Token::Number(number) => ExprKind::Number(number),
            Token::Mark(Mark::Quote) => {
                self.advance();
                let name = self.name("a name behind `'`")?;
                // Like a name with the mark behind it, this stands where its name begins.
                return Ok(self.node(ExprKind::Next(name.symbol), name.span, None));
            }
            Token::Name(symbol) => return self.named(symbol),
            Token::Word(Word::Call) if self.atoms.is_some() => return self.atom(AtomKind::Call),
            _ => return self.unexpected("an expression"),
        };
        self.advance();
        Ok(self.node(kind, start, None))
    }

    /// A name in an expression: a variable, `x'`, or an atom of a guard.
    fn named(&mut self, symbol: Symbol) -> Parsed<Operand> {
        let start = self.span();
        if self.peek() == Token::Mark(Mark::Open) {
            let atom = match self.tree.names.text(symbol) {
                "at" => Some(AtomKind::At),
                "in" => Some(AtomKind::In),
                "call" => Some(AtomKind::Call),
                "ret" => Some(AtomKind::Ret),
                _ => None,
            };
            if let (Some(kind), Some(_)) = (atom, &self.atoms) {
                return self.atom(kind);
            }
            let name = self.tree.names.shown(symbol);
            let message = match &self.atoms {
                Some(_) => format!("`{name}(…)` is no atom of a guard: expected `at`, `in`, `call` or `ret`"),
                None => format!("a call stands alone: `{name}(…)` cannot be part of an expression"),
            };
            return self.fail(Diagnostic::error(start, message));
        }
        self.advance();
        if self.eat(Mark::Quote) {
            return Ok(self.node(ExprKind::Next(symbol), self.span_from(start), None));
        }
        let symbol = self.of_copy(symbol)?;
        let symbol = self.local_in_braces(symbol);
        Ok(self.node(ExprKind::Name(symbol), self.span_from(start), None))
    }

    /// In a guard, `f.` with a name in braces behind it is one name: `f.{x>0}`.
    fn local_in_braces(&mut self, symbol: Symbol) -> Symbol {
        let Token::Name(local) = self.token() else { return symbol };
        let (function, local) = (self.tree.names.text(symbol), self.tree.names.text(local));
        let is_adjacent = self.last.end == self.span().start;
        if self.atoms.is_none() || !is_adjacent || !function.ends_with('.') || !local.starts_with('{') {
            return symbol;
        }
        let text = format!("{function}{local}");
        self.advance();
        self.tree.names.intern(&text)
    }

    /// In a guard, a name with the number of a copy behind it, and perhaps what belongs to that copy, is one name: `p[1]`, `p[1].x`.
    fn of_copy(&mut self, symbol: Symbol) -> Parsed<Symbol> {
        if self.atoms.is_none() || self.token() != Token::Mark(Mark::OpenSquare) {
            return Ok(symbol);
        }
        self.advance();
        let Token::Number(number) = self.token() else {
            return self.unexpected("the number of a copy");
        };
        let mut text = format!("{}[{number}]", self.tree.names.text(symbol));
        self.advance();
        self.expect(Mark::CloseSquare)?;
        if self.eat(Mark::Dot) {
            let name = self.name("the name of a variable or a function")?;
            text += &format!(".{}", self.tree.text(name));
        }
        Ok(self.tree.names.intern(&text))
    }

    /// The name of a function, or of a thread, or of a function of a thread.
    fn whose(&mut self, expected: &str) -> Parsed<Name> {
        let Name { symbol, span } = self.name(expected)?;
        Ok(Name { symbol: self.of_copy(symbol)?, span: self.span_from(span) })
    }

    /// `at(L)`, `at(f:L)`, `in(f)`, `call(f)`, `ret(f)`
    fn atom(&mut self, kind: AtomKind) -> Parsed<Operand> {
        let start = self.span();
        self.advance();
        self.expect(Mark::Open)?;
        let is_at = kind == AtomKind::At;
        let first = self.whose(if is_at { "a label" } else { "the name of a function" })?;
        let (mut function, mut label) = (Some(first), None);
        if is_at {
            let second = if self.eat(Mark::Colon) { Some(self.name("a label")?) } else { None };
            (function, label) = second.map_or((None, Some(first)), |second| (Some(first), Some(second)));
        }
        self.expect(Mark::Close)?;
        let atoms = self.atoms.get_or_insert_default();
        atoms.push(Atom { kind, function, label });
        let number = atoms.len() as u32 - 1;
        Ok(self.node(ExprKind::Atom(number), self.span_from(start), None))
    }

    /// What stands behind a complete operand.
    fn after_operand(&mut self, operand: Operand) -> Parsed<Option<After>> {
        if let Token::Mark(mark) = self.token() {
            if let Some(operator) = binary(mark) {
                let left = self.reduce(operand, |frame| frame.is_tighter(operator));
                self.advance();
                self.frames.push(Frame::Binary { operator, left });
                return Ok(Some(After::Next));
            }
            if mark == Mark::Question {
                let condition = self.reduce(operand, |frame| frame.is_operator());
                self.advance();
                self.frames.push(Frame::Then { condition });
                return Ok(Some(After::Next));
            }
        }
        let operand =
            self.reduce(operand, |frame| frame.is_operator() || matches!(frame, Frame::Else { .. }));
        self.close(operand).map(Some)
    }

    /// Behind an operand that no operator follows: what the innermost bracket or `?` waits for, or the end.
    fn close(&mut self, operand: Operand) -> Parsed<After> {
        let Some(frame) = self.frames.pop() else { return Ok(After::End(operand.id)) };
        match frame {
            Frame::Parenthesis { open } => {
                if !self.eat(Mark::Close) {
                    self.unclosed("an operator or `)`", open, "the parenthesis is opened here");
                    return Err(Failed);
                }
                Ok(After::Operand(Operand { id: operand.id, span: self.span_from(open) }))
            }
            Frame::Then { condition } => {
                self.expect(Mark::Colon)?;
                self.frames.push(Frame::Else { condition, then: operand.id });
                Ok(After::Next)
            }
            Frame::SchooseFirst { start } => {
                self.expect(Mark::Comma)?;
                self.frames.push(Frame::SchooseSecond { start, first: operand.id });
                Ok(After::Next)
            }
            Frame::SchooseSecond { start, first } => {
                self.expect(Mark::CloseSquare)?;
                let kind = ExprKind::Schoose(first, operand.id);
                Ok(After::Operand(self.node(kind, self.span_from(start), Some(first))))
            }
            Frame::Prefix { .. } | Frame::Binary { .. } | Frame::Else { .. } => {
                unreachable!("operators are reduced before a bracket is closed")
            }
        }
    }

    /// Completes the operators on top of the stack whose last operand this is.
    fn reduce(&mut self, mut operand: Operand, is_complete: impl Fn(&Frame) -> bool) -> Operand {
        while let Some(frame) = self.frames.pop_if(|frame| is_complete(frame)) {
            let id = operand.id;
            operand = match frame {
                Frame::Prefix { is_minus, start } => {
                    let kind = if is_minus { ExprKind::Negate(id) } else { ExprKind::Not(id) };
                    self.node(kind, start.to(operand.span), Some(id))
                }
                Frame::Binary { operator, left } => {
                    let kind = ExprKind::Binary(operator, left.id, id);
                    self.node(kind, left.span.to(operand.span), Some(left.id))
                }
                Frame::Else { condition, then } => {
                    let kind = ExprKind::Conditional(condition.id, then, id);
                    self.node(kind, condition.span.to(operand.span), Some(condition.id))
                }
                frame => {
                    self.frames.push(frame);
                    return operand;
                }
            };
        }
        operand
    }

    /// Adds an expression whose leftmost operand is given.
    fn node(&mut self, kind: ExprKind, span: Span, leftmost: Option<ExprId>) -> Operand {
        let id = ExprId::new(self.tree.expressions.len());
        let first = leftmost.map_or(id, |left| self.tree.expression(left).first);
        self.tree.expressions.push(Expr { kind, first, span });
        Operand { id, span }
    }

    /// An expression in the place of one that could not be read.
    pub(super) fn placeholder(&mut self) -> ExprId {
        self.node(ExprKind::Choice, self.last, None).id
    }
}

/// How reading goes on behind an operand.
enum After {
    /// A larger operand is complete.
    Operand(Operand),
    /// Another operand must follow.
    Next,
    /// The expression is complete.
    End(ExprId),
}

impl Frame {
    fn is_operator(&self) -> bool {
        matches!(self, Frame::Prefix { .. } | Frame::Binary { .. })
    }

    /// Whether its operand ends before this operator.
    fn is_tighter(&self, next: Binary) -> bool {
        match self {
            Frame::Prefix { .. } => true,
            // Only `=>` associates to the right.
            Frame::Binary { operator: Binary::Implies, .. } => next.level() < Binary::Implies.level(),
            Frame::Binary { operator, .. } => operator.level() >= next.level(),
            _ => false,
        }
    }
}

fn binary(mark: Mark) -> Option<Binary> {
    Some(match mark {
        Mark::Iff => Binary::Iff,
        Mark::Implies => Binary::Implies,
        Mark::Or => Binary::Or,
        Mark::Xor => Binary::Xor,
        Mark::And => Binary::And,
        Mark::Equal => Binary::Equal,
        Mark::NotEqual => Binary::NotEqual,
        Mark::Less => Binary::Less,
        Mark::LessEqual => Binary::LessEqual,
        Mark::Greater => Binary::Greater,
        Mark::GreaterEqual => Binary::GreaterEqual,
        Mark::Plus => Binary::Add,
        Mark::Minus => Binary::Subtract,
        Mark::Star => Binary::Multiply,
        _ => return None,
    })
}

//! Expressions: an operator-precedence parser with its own stack.
//!
//! Contract: linear time and no recursion, whatever the nesting. The body of a quantifier and of an `if`
//! extends as far to the right as possible, also when the quantifier is an operand.

use super::{Parsed, Parser, Reported};
use crate::lexer::{Token, Word};
use crate::syntax::*;
use base::Span;

/// A construct that waits for the expression being read.
enum Frame {
    Bracket(Span),
    Arguments(Name, Vec<ExprId>),
    IfCondition(Span),
    CaseCondition(Span, Vec<(ExprId, ExprId)>),
    CaseValue(Span, Vec<(ExprId, ExprId)>, ExprId),
    IfThen(Span, ExprId),
    IfElse(Span, ExprId, ExprId),
    Quantified(Span, Quantifier, Box<[Declaration]>),
    Positions(Span, Box<(Quantifier, Name, Const, Const)>),
    Connect(Connective, ExprId),
    Or(Vec<ExprId>),
    And(Vec<ExprId>),
    Not(Span),
    Compare(Relational, ExprId),
    Simplify(Simplifier, ExprId),
}

/// How tightly a construct binds: `DELIMITED` ends only at its own closing token.
type Level = u8;
const DELIMITED: Level = 0;
const OPEN: Level = 1;
const CONNECT: Level = 2;
const OR: Level = 3;
const AND: Level = 4;
const NOT: Level = 5;
const COMPARE: Level = 6;
const SIMPLIFY: Level = 7;

impl Frame {
    fn level(&self) -> Level {
        match self {
            Frame::Bracket(_) | Frame::Arguments(..) | Frame::IfCondition(_) => DELIMITED,
            Frame::CaseCondition(..) | Frame::CaseValue(..) => DELIMITED,
            Frame::IfThen(..) | Frame::IfElse(..) | Frame::Quantified(..) | Frame::Positions(..) => OPEN,
            Frame::Connect(..) => CONNECT,
            Frame::Or(_) => OR,
            Frame::And(_) => AND,
            Frame::Not(_) => NOT,
            Frame::Compare(..) => COMPARE,
            Frame::Simplify(..) => SIMPLIFY,
        }
    }
}

/// What follows an operand.
enum Next {
    /// An operator was read: another operand is due.
    Operand,
    /// A construct was completed and is itself an operand.
    Completed(ExprId),
    /// The whole expression is read.
    Done(ExprId),
}

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parsed<ExprId> {
        let mut stack = Vec::new();
        loop {
            let Some(mut value) = self.operand(&mut stack)? else { continue };
            loop {
                match self.behind_operand(&mut stack, value)? {
                    Next::Operand => break,
                    Next::Completed(completed) => value = completed,
                    Next::Done(done) => return Ok(done),
                }
            }
        }
    }

    fn push(&mut self, kind: ExprKind, span: Span) -> ExprId {
        let id = ExprId::new(self.tree.exprs.len());
        self.tree.exprs.push(Expr { kind, span });
        id
    }

    fn span_of(&self, id: ExprId) -> Span {
        self.tree.expr(id).span
    }

    /// Reads an operand, or the beginning of one, for which a frame is pushed.
    fn operand(&mut self, stack: &mut Vec<Frame>) -> Parsed<Option<ExprId>> {
        let span = self.span();
        let kind = match self.token() {
            Token::Name(symbol) if self.peek(1) == Token::Mark("(") => {
                self.at += 2;
                let name = Name { symbol, span };
                if !self.eat(")") {
                    stack.push(Frame::Arguments(name, Vec::new()));
                    return Ok(None);
                }
                let span = span.to(self.tokens[self.at - 1].1);
                return Ok(Some(self.push(ExprKind::Apply(name, Box::default()), span)));
            }
            Token::Name(_) => return self.path("an expression").map(Some),
            Token::Number(number) => ExprKind::Number(number),
            Token::Word(Word::True) => ExprKind::Constant(true),
            Token::Word(Word::False) => ExprKind::Constant(false),
            _ => {
                let frame = self.prefix(stack)?;
                stack.push(frame);
                return Ok(None);
            }
        };
        self.advance();
        Ok(Some(self.push(kind, span)))
    }

    /// Reads what stands before an operand and makes it part of something larger.
    fn prefix(&mut self, stack: &[Frame]) -> Parsed<Frame> {
        let span = self.span();
        let is_open =
            matches!(self.token(), Token::Mark("!") | Token::Word(Word::Exists | Word::Forall | Word::If));
        if is_open && stack.last().is_some_and(|frame| frame.level() >= COMPARE) {
            let message = format!("{} needs brackets behind a comparison or `assume`", self.found());
            return Err(self.error(span, message));
        }
        let token = self.token();
        match token {
            Token::Mark("(" | "!") | Token::Word(Word::Case) => self.advance(),
            _ => {}
        }
        match token {
            Token::Mark("(") => Ok(Frame::Bracket(span)),
            Token::Mark("!") => Ok(Frame::Not(span)),
            Token::Word(Word::Case) => Ok(Frame::CaseCondition(span, Vec::new())),
            Token::Word(Word::Exists) => self.quantifier(Quantifier::Exists),
            Token::Word(Word::Forall) => self.quantifier(Quantifier::Forall),
            Token::Word(Word::If) => {
                self.advance();
                self.expect("(")?;
                Ok(Frame::IfCondition(span))
            }
            _ => Err(self.expected("an expression")),
        }
    }

    fn quantifier(&mut self, quantifier: Quantifier) -> Parsed<Frame> {
        let span = self.span();
        self.advance();
        if self.is_position() {
            let name = self.name("the name of a position")?;
            self.advance();
            let low = self.constant()?;
            self.expect("..")?;
            let high = self.constant()?;
            self.dot("`.` or `:`")?;
            return Ok(Frame::Positions(span, Box::new((quantifier, name, low, high))));
        }
        let mut bounds = vec![self.declaration("a type")?];
        while self.eat(",") {
            bounds.push(self.declaration("a type")?);
        }
        self.dot("`.`, `:` or `,`")?;
        Ok(Frame::Quantified(span, quantifier, bounds.into()))
    }

    fn dot(&mut self, what: &str) -> Parsed<()> {
        if self.eat(".") || self.eat(":") { Ok(()) } else { Err(self.expected(what)) }
    }

    /// Whether `i in 0..k` follows; `in` is an ordinary name elsewhere, as in `exists T in. e`.
    fn is_position(&self) -> bool {
        let names_in = matches!(self.peek(1), Token::Name(symbol) if self.tree.names.text(symbol) == "in");
        names_in
            && matches!(self.token(), Token::Name(_))
            && matches!(self.peek(2), Token::Number(_) | Token::Name(_))
    }

    fn behind_operand(&mut self, stack: &mut Vec<Frame>, value: ExprId) -> Parsed<Next> {
        match self.token() {
            Token::Mark("&") => {
                let value = self.reduce(stack, value, AND);
                match stack.last_mut() {
                    Some(Frame::And(operands)) => operands.push(value),
                    _ => stack.push(Frame::And(vec![value])),
                }
            }
            Token::Mark("|") => {
                let value = self.reduce(stack, value, OR);
                match stack.last_mut() {
                    Some(Frame::Or(operands)) => operands.push(value),
                    _ => stack.push(Frame::Or(vec![value])),
                }
            }
            Token::Mark("<->") => self.connect(stack, value, Connective::Iff)?,
            Token::Mark("<+>") => self.connect(stack, value, Connective::Xor)?,
            Token::Mark("->") => self.connect(stack, value, Connective::Implies)?,
            Token::Mark("<-") => self.connect(stack, value, Connective::ImpliedBy)?,
            Token::Mark("=") => self.compare(stack, value, Relational::Equal)?,
            Token::Mark("!=") => self.compare(stack, value, Relational::NotEqual)?,
            Token::Mark("<") => self.compare(stack, value, Relational::Less)?,
            Token::Mark("<=") => self.compare(stack, value, Relational::LessEqual)?,
            Token::Mark(">") => self.compare(stack, value, Relational::Greater)?,
            Token::Mark(">=") => self.compare(stack, value, Relational::GreaterEqual)?,
            Token::Word(Word::Assume) => self.simplify(stack, value, Simplifier::Assume)?,
            Token::Word(Word::Cofactor) => self.simplify(stack, value, Simplifier::Cofactor)?,
            Token::Word(Word::Else) => return self.behind_then(stack, value),
            _ => return self.close(stack, value),
        }
        self.advance();
        Ok(Next::Operand)
    }

    fn connect(&mut self, stack: &mut Vec<Frame>, value: ExprId, connective: Connective) -> Parsed<()> {
        let value = self.reduce(stack, value, CONNECT);
        if matches!(stack.last(), Some(Frame::Connect(..))) {
            let message =
                format!("a second {} needs brackets: `->`, `<-`, `<->`, `<+>` do not chain", self.found());
            return Err(self.error(self.span(), message));
        }
        stack.push(Frame::Connect(connective, value));
        Ok(())
    }

    fn compare(&mut self, stack: &mut Vec<Frame>, value: ExprId, relational: Relational) -> Parsed<()> {
        let value = self.reduce(stack, value, COMPARE);
        if matches!(stack.last(), Some(Frame::Compare(..))) {
            let message = format!("a second {} needs brackets: comparisons do not chain", self.found());
            return Err(self.error(self.span(), message));
        }
        stack.push(Frame::Compare(relational, value));
        Ok(())
    }

    fn simplify(&mut self, stack: &mut Vec<Frame>, value: ExprId, simplifier: Simplifier) -> Parsed<()> {
        if matches!(stack.last(), Some(Frame::Simplify(..))) {
            let message = format!("a second {} needs brackets: it does not chain", self.found());
            return Err(self.error(self.span(), message));
        }
        stack.push(Frame::Simplify(simplifier, value));
        Ok(())
    }

    /// `else` belongs to the nearest `if` without one.
    fn behind_then(&mut self, stack: &mut Vec<Frame>, mut value: ExprId) -> Parsed<Next> {
        while let Some(frame) = stack.pop() {
            if let Frame::IfThen(span, condition) = frame {
                self.advance();
                stack.push(Frame::IfElse(span, condition, value));
                return Ok(Next::Operand);
            }
            if frame.level() == DELIMITED {
                stack.push(frame);
                break;
            }
            value = self.finish(frame, value);
        }
        Err(self.error(self.span(), "this `else` has no `if`"))
    }

    /// The token ends the innermost delimited construct, or the expression.
    fn close(&mut self, stack: &mut Vec<Frame>, value: ExprId) -> Parsed<Next> {
        let value = self.reduce(stack, value, DELIMITED);
        let Some(frame) = stack.pop() else { return Ok(Next::Done(value)) };
        match (frame, self.token()) {
            (Frame::Bracket(_), Token::Mark(")")) => {
                self.advance();
                Ok(Next::Completed(value))
            }
            (Frame::Arguments(name, mut arguments), Token::Mark(mark @ (")" | ","))) => {
                arguments.push(value);
                let span = name.span.to(self.span());
                self.advance();
                if mark == ")" {
                    return Ok(Next::Completed(self.push(ExprKind::Apply(name, arguments.into()), span)));
                }
                stack.push(Frame::Arguments(name, arguments));
                Ok(Next::Operand)
            }
            (Frame::IfCondition(span), Token::Mark(")")) => {
                self.advance();
                stack.push(Frame::IfThen(span, value));
                Ok(Next::Operand)
            }
            (Frame::CaseCondition(span, arms), Token::Mark(":")) => {
                self.advance();
                stack.push(Frame::CaseValue(span, arms, value));
                Ok(Next::Operand)
            }
            (Frame::CaseValue(span, mut arms, condition), Token::Mark(";")) => {
                arms.push((condition, value));
                self.advance();
                if self.token() == Token::Word(Word::Esac) {
                    let span = span.to(self.span());
                    self.advance();
                    return Ok(Next::Completed(self.push(ExprKind::Case(arms.into()), span)));
                }
                stack.push(Frame::CaseCondition(span, arms));
                Ok(Next::Operand)
            }
            (frame, _) => Err(self.unclosed(&frame)),
        }
    }

    fn unclosed(&mut self, frame: &Frame) -> Reported {
        let (what, opened) = match frame {
            Frame::Bracket(span) => ("`)` or an operator", *span),
            Frame::Arguments(name, _) => ("`,`, `)` or an operator", name.span),
            Frame::IfCondition(span) => ("`)` or an operator", *span),
            Frame::CaseCondition(span, _) => ("`:` or an operator", *span),
            Frame::CaseValue(span, ..) => ("`;` or an operator", *span),
            _ => unreachable!("only delimited constructs remain when an expression is closed"),
        };
        let reported = self.expected(what);
        if let Some(diagnostic) = self.diagnostics.last_mut() {
            diagnostic.notes.push(("it would close what begins here".to_owned(), Some(opened)));
        }
        reported
    }

    /// Completes every construct that binds more tightly than `level`.
    fn reduce(&mut self, stack: &mut Vec<Frame>, mut value: ExprId, level: Level) -> ExprId {
        while stack.last().is_some_and(|frame| frame.level() > level) {
            if let Some(frame) = stack.pop() {
                value = self.finish(frame, value);
            }
        }
        value
    }

    /// The expression a construct makes of its last operand.
    fn finish(&mut self, frame: Frame, value: ExprId) -> ExprId {
        let end = self.span_of(value);
        let (kind, start) = match frame {
            Frame::Not(span) => (ExprKind::Not(value), span),
            Frame::And(mut operands) => {
                let start = self.span_of(operands[0]);
                operands.push(value);
                (ExprKind::And(operands.into()), start)
            }
            Frame::Or(mut operands) => {
                let start = self.span_of(operands[0]);
                operands.push(value);
                (ExprKind::Or(operands.into()), start)
            }
            Frame::Connect(connective, left) => {
                (ExprKind::Connect(connective, left, value), self.span_of(left))
            }
            Frame::Compare(relational, left) => {
                (ExprKind::Compare(relational, left, value), self.span_of(left))
            }
            Frame::Simplify(simplifier, left) => {
                (ExprKind::Simplify(simplifier, left, value), self.span_of(left))
            }
            Frame::Quantified(span, quantifier, bounds) => {
                (ExprKind::Quantified(quantifier, bounds, value), span)
            }
            Frame::Positions(span, positions) => {
                let (quantifier, name, low, high) = *positions;
                (ExprKind::Positions { quantifier, name, low, high, body: value }, span)
            }
            Frame::IfThen(span, condition) => (ExprKind::If(condition, value, None), span),
            Frame::IfElse(span, condition, then) => (ExprKind::If(condition, then, Some(value)), span),
            Frame::Bracket(_) | Frame::Arguments(..) | Frame::IfCondition(_) => {
                unreachable!("brackets end only at their closing token")
            }
            Frame::CaseCondition(..) | Frame::CaseValue(..) => {
                unreachable!("`case` ends only at `esac`")
            }
        };
        self.push(kind, start.to(end))
    }

    /// A path. An index is a path again, so unfinished paths wait on a stack.
    pub(super) fn path(&mut self, what: &str) -> Parsed<ExprId> {
        let mut waiting: Vec<Vec<Segment>> = Vec::new();
        let mut path: Vec<Segment> = Vec::new();
        loop {
            let what = match (path.is_empty(), waiting.is_empty()) {
                (false, _) => "the name of a member",
                (true, true) => what,
                (true, false) => "a number or a variable as index",
            };
            let name = self.name(what)?;
            let mut index = None;
            if self.eat("[") {
                let span = self.span();
                if let Token::Number(number) = self.token() {
                    self.advance();
                    self.expect("]")?;
                    index = Some(Index::Number(number, span));
                } else {
                    path.push(Segment { name, index });
                    waiting.push(std::mem::take(&mut path));
                    continue;
                }
            }
            path.push(Segment { name, index });
            while !self.eat(".") {
                let span = path[0].name.span.to(self.span_from(self.at.saturating_sub(1)));
                let id = self.push(ExprKind::Path(std::mem::take(&mut path).into()), span);
                let Some(outer) = waiting.pop() else { return Ok(id) };
                path = outer;
                let offset = self.offset()?;
                self.expect("]")?;
                if let Some(segment) = path.last_mut() {
                    segment.index = Some(Index::Path { path: id, offset });
                }
            }
        }
    }
}

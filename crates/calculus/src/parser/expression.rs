//! Expressions: an operator-precedence parser with its own stack.
//!
//! Contract: linear time and no recursion, whatever the nesting. The body of a quantifier and of an `if`
//! extends as far to the right as possible, also when the quantifier is an operand.

use super::{Parsed, Parser, Reported};
use crate::level::{AND, COMPARE, CONNECT, DELIMITED, Level, NOT, OPEN, OR, SIMPLIFY};
use crate::lexer::{Mark, Token, Word};
use crate::syntax::*;
use base::Span;

/// A construct that waits for the expression being read. Where it is a list, the operands read so far are the
/// pending ones from a place on.
enum Frame {
    Bracket(Span),
    Arguments(Name, usize),
    IfCondition(Span),
    CaseCondition(Span, usize),
    CaseValue(Span, usize),
    IfThen(Span, ExprId),
    IfElse(Span, ExprId, ExprId),
    Quantified(Span, Quantifier, Bounds),
    Positions(Span, Quantifier, PositionsId),
    Connect(Connective, ExprId),
    Or(usize),
    And(usize),
    Not(Span),
    Compare(Relational, ExprId),
    Simplify(Simplifier, ExprId),
    /// `{ assume …`, behind an operand.
    Attribute(Span, Simplifier, ExprId),
}

impl Frame {
    fn level(&self) -> Level {
        match self {
            Frame::Bracket(_) | Frame::Arguments(..) | Frame::IfCondition(_) => DELIMITED,
            Frame::CaseCondition(..) | Frame::CaseValue(..) | Frame::Attribute(..) => DELIMITED,
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
        let result = self.operators();
        self.pending.clear();
        result
    }

    fn operators(&mut self) -> Parsed<ExprId> {
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
        self.tree.push(kind, span)
    }

    /// The pending operands from a place on become a list.
    fn list(&mut self, start: usize) -> Operands {
        self.tree.push_operands(self.pending.drain(start..))
    }

    fn span_of(&self, id: ExprId) -> Span {
        self.tree.expr(id).span
    }

    /// Reads an operand, or the beginning of one, for which a frame is pushed.
    fn operand(&mut self, stack: &mut Vec<Frame>) -> Parsed<Option<ExprId>> {
        let span = self.span();
        if let Some(quantifier) = self.capital_quantifier() {
            let frame = self.prefix(Some(quantifier), stack)?;
            stack.push(frame);
            return Ok(None);
        }
        let kind = match self.token() {
            Token::Name(symbol) => {
                self.advance();
                let name = Name { symbol, span };
                if !self.eat(Mark::Open) {
                    let path = self.path_from(name)?;
                    return self.sum(path).map(Some);
                }
                if !self.eat(Mark::Close) {
                    stack.push(Frame::Arguments(name, self.pending.len()));
                    return Ok(None);
                }
                let none = self.list(self.pending.len());
                return Ok(Some(self.push(ExprKind::Apply(symbol, none), span.to(self.last))));
            }
            Token::Number(number) => ExprKind::Number(number),
            Token::Word(Word::True) => ExprKind::Constant(true),
            Token::Word(Word::False) => ExprKind::Constant(false),
            _ => {
                let frame = self.prefix(None, stack)?;
                stack.push(frame);
                return Ok(None);
            }
        };
        self.advance();
        let operand = self.push(kind, span);
        self.sum(operand).map(Some)
    }

    /// What is added to a path or a number that has just been read, if something is.
    fn sum(&mut self, operand: ExprId) -> Parsed<ExprId> {
        if !matches!(self.token(), Token::Mark(Mark::Plus | Mark::Minus)) {
            return Ok(operand);
        }
        let offset = self.offset()?;
        let span = self.span_of(operand).to(self.last);
        Ok(self.push(ExprKind::Sum(operand, offset), span))
    }

    /// MUCKE's capitals for quantifiers. Unlike `exists` and `forall` they are names where no declaration follows.
    fn capital_quantifier(&mut self) -> Option<Quantifier> {
        let Token::Name(symbol) = self.token() else { return None };
        let quantifier = match self.tree.names.text(symbol) {
            "Exists" | "EXISTS" => Quantifier::Exists,
            "Forall" | "FORALL" => Quantifier::Forall,
            _ => return None,
        };
        matches!(self.peek(1), Token::Name(_) | Token::Word(Word::Bool)).then_some(quantifier)
    }

    /// Reads what stands before an operand and makes it part of something larger.
    fn prefix(&mut self, quantifier: Option<Quantifier>, stack: &[Frame]) -> Parsed<Frame> {
        let span = self.span();
        let is_open = quantifier.is_some()
            || matches!(
                self.token(),
                Token::Mark(Mark::Not) | Token::Word(Word::Exists | Word::Forall | Word::If)
            );
        if is_open && stack.last().is_some_and(|frame| frame.level() >= COMPARE) {
            let message = format!("{} needs brackets behind a comparison or `assume`", self.found());
            return Err(self.error(span, message));
        }
        if let Some(quantifier) = quantifier {
            return self.quantifier(quantifier);
        }
        let token = self.token();
        match token {
            Token::Mark(Mark::Open | Mark::Not) | Token::Word(Word::Case) => self.advance(),
            _ => {}
        }
        match token {
            Token::Mark(Mark::Open) => Ok(Frame::Bracket(span)),
            Token::Mark(Mark::Not) => Ok(Frame::Not(span)),
            Token::Word(Word::Case) => Ok(Frame::CaseCondition(span, self.pending.len())),
            Token::Word(Word::Exists) => self.quantifier(Quantifier::Exists),
            Token::Word(Word::Forall) => self.quantifier(Quantifier::Forall),
            Token::Word(Word::If) => {
                self.advance();
                self.expect(Mark::Open)?;
                Ok(Frame::IfCondition(span))
            }
            _ => Err(self.no_expression()),
        }
    }

    fn quantifier(&mut self, quantifier: Quantifier) -> Parsed<Frame> {
        let span = self.span();
        self.advance();
        if self.is_position() {
            let name = self.name("the name of a position")?;
            self.advance();
            let low = self.constant()?;
            self.expect(Mark::Dots)?;
            let high = self.constant()?;
            self.dot("`.` or `:`")?;
            let positions = self.tree.push_positions(Positions { name, low, high });
            return Ok(Frame::Positions(span, quantifier, positions));
        }
        let mut bounds = vec![self.declaration("a type")?];
        while self.eat(Mark::Comma) {
            bounds.push(self.declaration("a type")?);
        }
        self.dot("`.`, `:` or `,`")?;
        Ok(Frame::Quantified(span, quantifier, self.tree.push_bounds(&bounds)))
    }

    fn dot(&mut self, what: &str) -> Parsed<()> {
        if self.eat(Mark::Dot) || self.eat(Mark::Colon) { Ok(()) } else { Err(self.expected(what)) }
    }

    /// Whether `i in 0..k` follows; `in` is an ordinary name elsewhere, as in `exists T in. e`.
    fn is_position(&mut self) -> bool {
        matches!(self.token(), Token::Name(_))
            && matches!(self.peek(1), Token::Name(symbol) if self.tree.names.text(symbol) == "in")
            && matches!(self.peek(2), Token::Number(_) | Token::Name(_))
    }

    fn behind_operand(&mut self, stack: &mut Vec<Frame>, value: ExprId) -> Parsed<Next> {
        match self.token() {
            Token::Mark(Mark::And) => {
                let value = self.reduce(stack, value, AND);
                if !matches!(stack.last(), Some(Frame::And(_))) {
                    stack.push(Frame::And(self.pending.len()));
                }
                self.pending.push(value);
            }
            Token::Mark(Mark::Or) => {
                let value = self.reduce(stack, value, OR);
                if !matches!(stack.last(), Some(Frame::Or(_))) {
                    stack.push(Frame::Or(self.pending.len()));
                }
                self.pending.push(value);
            }
            Token::Mark(Mark::Iff) => self.connect(stack, value, Connective::Iff)?,
            Token::Mark(Mark::Xor) => self.connect(stack, value, Connective::Xor)?,
            Token::Mark(Mark::Implies) => self.connect(stack, value, Connective::Implies)?,
            Token::Mark(Mark::ImpliedBy) => self.connect(stack, value, Connective::ImpliedBy)?,
            Token::Mark(Mark::Equal) => self.compare(stack, value, Relational::Equal)?,
            Token::Mark(Mark::NotEqual) => self.compare(stack, value, Relational::NotEqual)?,
            Token::Mark(Mark::Less) => self.compare(stack, value, Relational::Less)?,
            Token::Mark(Mark::LessEqual) => self.compare(stack, value, Relational::LessEqual)?,
            Token::Mark(Mark::Greater) => self.compare(stack, value, Relational::Greater)?,
            Token::Mark(Mark::GreaterEqual) => self.compare(stack, value, Relational::GreaterEqual)?,
            Token::Word(Word::Assume) => self.simplify(stack, value, Simplifier::Assume)?,
            Token::Word(Word::Cofactor) => self.simplify(stack, value, Simplifier::Cofactor)?,
            Token::Word(Word::Else) => return self.behind_then(stack, value),
            Token::Mark(Mark::OpenBrace) => {
                let span = self.span();
                let Some(simplifier) = self.attribute()? else { return Ok(Next::Completed(value)) };
                stack.push(Frame::Attribute(span, simplifier, value));
                return Ok(Next::Operand);
            }
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
            (Frame::Bracket(_), Token::Mark(Mark::Close)) => {
                self.advance();
                Ok(Next::Completed(value))
            }
            (Frame::Arguments(name, first), Token::Mark(mark @ (Mark::Close | Mark::Comma))) => {
                self.pending.push(value);
                let span = name.span.to(self.span());
                self.advance();
                if mark == Mark::Close {
                    let kind = ExprKind::Apply(name.symbol, self.list(first));
                    return Ok(Next::Completed(self.push(kind, span)));
                }
                stack.push(Frame::Arguments(name, first));
                Ok(Next::Operand)
            }
            (Frame::Attribute(_, simplifier, left), Token::Mark(Mark::CloseBrace)) => {
                let span = self.span_of(left).to(self.span());
                self.advance();
                Ok(Next::Completed(self.push(ExprKind::Simplify(simplifier, left, value), span)))
            }
            (Frame::IfCondition(span), Token::Mark(Mark::Close)) => {
                self.advance();
                stack.push(Frame::IfThen(span, value));
                Ok(Next::Operand)
            }
            (Frame::CaseCondition(span, first), Token::Mark(Mark::Colon)) => {
                self.pending.push(value);
                self.advance();
                stack.push(Frame::CaseValue(span, first));
                Ok(Next::Operand)
            }
            (Frame::CaseValue(span, first), Token::Mark(Mark::Semicolon)) => {
                self.pending.push(value);
                self.advance();
                if self.token() == Token::Word(Word::Esac) {
                    let span = span.to(self.span());
                    self.advance();
                    let kind = ExprKind::Case(self.list(first));
                    return Ok(Next::Completed(self.push(kind, span)));
                }
                stack.push(Frame::CaseCondition(span, first));
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
            Frame::Attribute(span, ..) => ("`}` or an operator", *span),
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
            Frame::And(first) => {
                let start = self.span_of(self.pending[first]);
                self.pending.push(value);
                (ExprKind::And(self.list(first)), start)
            }
            Frame::Or(first) => {
                let start = self.span_of(self.pending[first]);
                self.pending.push(value);
                (ExprKind::Or(self.list(first)), start)
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
            Frame::Positions(span, quantifier, positions) => {
                (ExprKind::Positions(quantifier, positions, value), span)
            }
            Frame::IfThen(span, condition) => (ExprKind::If(condition, value), span),
            Frame::IfElse(span, condition, then) => (ExprKind::IfElse(condition, then, value), span),
            Frame::Bracket(_) | Frame::Arguments(..) | Frame::IfCondition(_) => {
                unreachable!("brackets end only at their closing token")
            }
            Frame::Attribute(..) => unreachable!("braces end only at their closing token"),
            Frame::CaseCondition(..) | Frame::CaseValue(..) => {
                unreachable!("`case` ends only at `esac`")
            }
        };
        self.push(kind, start.to(end))
    }

    /// A path.
    pub(super) fn path(&mut self, what: &str) -> Parsed<ExprId> {
        let name = self.name(what)?;
        self.path_from(name)
    }

    /// A path whose first name is read. An index is a path again, so unfinished paths wait on a stack.
    fn path_from(&mut self, mut name: Name) -> Parsed<ExprId> {
        // Where the path being read begins, in the text and among the segments; the same of those around it.
        let (mut first, mut at) = (name.span, 0);
        let mut around = Vec::new();
        let mut segments = std::mem::take(&mut self.segments);
        segments.clear();
        loop {
            let (from, to) = (name.span.start - first.start, name.span.end - first.start);
            segments.push(Segment { symbol: name.symbol, start: from, end: to, index: None });
            if self.eat(Mark::OpenSquare) {
                let span = self.span();
                let Token::Number(number) = self.token() else {
                    name = self.name("a number or a variable as index")?;
                    around.push((first, at));
                    (first, at) = (name.span, segments.len());
                    continue;
                };
                self.advance();
                self.index(&mut segments, first.start, IndexBase::Number(number), span, 0)?;
            }
            while !self.eat(Mark::Dot) {
                let id = self.tree.paths.intern(&segments[at..]);
                let span = first.to(self.last);
                segments.truncate(at);
                let Some(outer) = around.pop() else {
                    self.segments = segments;
                    return Ok(self.push(ExprKind::Path(id), span));
                };
                (first, at) = outer;
                let offset = self.offset()?;
                self.index(&mut segments, first.start, IndexBase::Path(id), span, offset)?;
            }
            name = self.name("the name of a member")?;
        }
    }

    /// The bracket behind an index ends the segment.
    fn index(
        &mut self,
        segments: &mut [Segment],
        start: u32,
        base: IndexBase,
        span: Span,
        offset: i64,
    ) -> Parsed<()> {
        self.expect(Mark::CloseSquare)?;
        if let Some(segment) = segments.last_mut() {
            segment.end = self.last.end - start;
            segment.index = Some(Index { base, offset, start: span.start - start, end: span.end - start });
        }
        Ok(())
    }
}

//! Formulas over the variables of a function, as people write them.
//!
//! The language is that of expressions in C, over mathematical integers: `+ - * / %`, `& | ^ ~ << >>`, comparisons, `&& || !`, `c ? a : b`, numbers, `true`,
//! `false`. `=` means `==`; comparisons do not chain, and operands of `&`, `|`, `^` and of comparisons that are the other have parentheses. `uint8(t)` is the number of that type that is equal to `t` modulo its size;
//! `&`, `|` and `^` of two terms, of which none is a number, are those of the low 64 bits. `shl32(s, t)` and `shr32(s, t)` are shifts of 32 bits, which are not defined
//! where `t` is not less than 32, as `s << t` and `s >> t` are not where it is not less than 64. Variables go by
//! the names of [`Names`]. What [`Names::show`] prints is read as a formula that means the same.
//!
//! A file of predicates is a list of `f: formula, formula;`, with `*` for all functions in which the names mean something.
//! Comments begin with `//` or `#`.

mod token;

use crate::bits::Bitwise;
use crate::expr::{Expr, Op, Relation};
use crate::names::{Misnamed, Names};
use crate::number::Type;
use crate::program::{FunctionId, Program};
use base::{Diagnostic, FileId, Sources, Span};
use token::{Token, Word, tokens};

/// The type of operations that do not say another one.
const LONG: Type = Type::signed(64);

/// Reads formulas and what is between them.
pub struct Reader {
    tokens: Vec<Token>,
    at: usize,
}

impl Reader {
    /// Reads a file, or a part of one.
    pub fn new(sources: &Sources, span: Span) -> Result<Self, Diagnostic> {
        Ok(Self { tokens: tokens(sources, span)?, at: 0 })
    }

    /// A whole file.
    pub fn file(sources: &Sources, file: FileId) -> Result<Self, Diagnostic> {
        Self::new(sources, Span::new(file, 0..sources.file(file).text.len()))
    }

    /// Whether everything has been read.
    pub fn is_at_end(&self) -> bool {
        self.peek() == &Word::End
    }

    /// Where the next word is.
    pub fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    /// The next word, if it is this sign.
    pub fn accept(&mut self, sign: &'static str) -> bool {
        let is_there = self.peek() == &Word::Sign(sign);
        self.at += usize::from(is_there);
        is_there
    }

    /// The next word, which has to be this sign.
    pub fn expect(&mut self, sign: &'static str) -> Result<Span, Diagnostic> {
        let span = self.span();
        if self.accept(sign) { Ok(span) } else { Err(self.unexpected(&format!("`{sign}`"))) }
    }

    /// The next word, if it is this name and a number follows.
    pub fn accept_name_and_number(&mut self, name: &str) -> bool {
        let is_there = matches!(self.peek(), Word::Name(other) if other == name)
            && matches!(self.tokens.get(self.at + 1), Some(Token { word: Word::Number(_), .. }));
        self.at += usize::from(is_there);
        is_there
    }

    /// The next word, if it is this name.
    pub fn accept_name(&mut self, name: &str) -> bool {
        let is_there = matches!(self.peek(), Word::Name(other) if other == name);
        self.at += usize::from(is_there);
        is_there
    }

    /// Whether the next word is a number.
    pub fn is_at_number(&self) -> bool {
        matches!(self.peek(), Word::Number(_))
    }

    /// A name.
    pub fn name(&mut self) -> Result<(String, Span), Diagnostic> {
        let span = self.span();
        let Word::Name(name) = self.peek() else { return Err(self.unexpected("a name")) };
        let name = name.clone();
        self.at += 1;
        Ok((name, span))
    }

    /// A number, possibly with a minus.
    pub fn number(&mut self) -> Result<i128, Diagnostic> {
        let is_negative = self.accept("-");
        let Word::Number(number) = *self.peek() else { return Err(self.unexpected("a number")) };
        self.at += 1;
        Ok(if is_negative { number.wrapping_neg() } else { number })
    }

    /// A formula.
    pub fn formula(&mut self, names: &Names) -> Result<Expr, Diagnostic> {
        self.expression(names).map(truth)
    }

    /// A term.
    pub fn term(&mut self, names: &Names) -> Result<Expr, Diagnostic> {
        self.expression(names).map(number)
    }

    /// What was expected instead of the next word.
    pub fn unexpected(&self, expected: &str) -> Diagnostic {
        let found = match self.peek() {
            Word::End => "the end".to_owned(),
            Word::Name(name) => format!("`{name}`"),
            Word::Number(number) => format!("`{number}`"),
            Word::Sign(sign) => format!("`{sign}`"),
        };
        Diagnostic::error(self.span(), format!("expected {expected}, found {found}"))
    }

    fn peek(&self) -> &Word {
        &self.tokens[self.at].word
    }

    /// An expression, with what is not finished on a stack of its own: it may be nested as deeply as it likes.
    fn expression(&mut self, names: &Names) -> Result<Expr, Diagnostic> {
        let mut pending: Vec<Pending> = Vec::new();
        loop {
            let Some(mut value) = self.operand(names, &mut pending)? else { continue };
            loop {
                value = signed(value, &mut pending);
                if let Some((binding, op)) = self.operator() {
                    let left = self.reduced(value, &mut pending, binding, op)?;
                    self.at += 1;
                    pending.push(Pending::Binary(left, op, binding));
                    break;
                }
                // `c ? a : d ? b : e` is `c ? a : (d ? b : e)`.
                if self.accept("?") {
                    while let Some(Pending::Binary(..)) = pending.last() {
                        value = joined(value, &mut pending);
                    }
                    pending.push(Pending::Condition(truth(value)));
                    break;
                }
                value = all_reduced(value, &mut pending);
                match (pending.pop(), self.peek()) {
                    (Some(Pending::Open), Word::Sign(")")) => self.at += 1,
                    (Some(Pending::Wrap(ty)), Word::Sign(")")) => {
                        self.at += 1;
                        value = number(value).unary(Op::Wrap(ty));
                    }
                    (Some(Pending::Shift(op, None)), Word::Sign(",")) => {
                        self.at += 1;
                        pending.push(Pending::Shift(op, Some(number(value))));
                        break;
                    }
                    (Some(Pending::Shift(op, Some(left))), Word::Sign(")")) => {
                        self.at += 1;
                        value = left.binary(op, number(value));
                    }
                    (Some(Pending::Shift(_, None)), _) => return Err(self.unexpected("`,`")),
                    (Some(Pending::Condition(condition)), Word::Sign(":")) => {
                        self.at += 1;
                        pending.push(Pending::Otherwise(condition, value));
                        break;
                    }
                    (None, _) => return Ok(value),
                    (Some(Pending::Condition(_)), _) => return Err(self.unexpected("`:`")),
                    (Some(_), _) => return Err(self.unexpected("`)`")),
                }
            }
        }
    }

    /// Joins what binds at least as tightly as the operator that is next.
    fn reduced(
        &self,
        mut value: Expr,
        pending: &mut Vec<Pending>,
        binding: u8,
        op: Op,
    ) -> Result<Expr, Diagnostic> {
        while let Some(Pending::Binary(_, other, _)) =
            pending.last().filter(|top| matches!(top, Pending::Binary(_, _, other) if *other >= binding))
        {
            if let (Op::Compare(_), Op::Bits(..)) = (other, op) {
                return Err(self.unclear());
            }
            if let (Op::Compare(_), Op::Compare(_)) = (other, op) {
                let error = Diagnostic::error(self.span(), "comparisons do not chain");
                return Err(error.note("write `a < b && b < c`, or parentheses", None));
            }
            value = joined(value, pending);
        }
        if let (Some(Pending::Binary(_, Op::Bits(..), _)), Op::Compare(_)) = (pending.last(), op) {
            return Err(self.unclear());
        }
        Ok(value)
    }

    /// `x & 1 == 0` is something else in C than what many think.
    fn unclear(&self) -> Diagnostic {
        let error = Diagnostic::error(self.span(), "it is not clear what is compared");
        error.note("write parentheses, as in `(x & 1) == 0`", None)
    }

    /// The operator that is next, and how tightly it binds.
    fn operator(&self) -> Option<(u8, Op)> {
        let Word::Sign(sign) = *self.peek() else { return None };
        // In C equations bind less than other comparisons; they do not chain here, so that this does not show.
        Some(match sign {
            "||" => (1, Op::Or),
            "&&" => (2, Op::And),
            "|" => (3, Op::Bits(Bitwise::Or, LONG)),
            "^" => (4, Op::Bits(Bitwise::Xor, LONG)),
            "&" => (5, Op::Bits(Bitwise::And, LONG)),
            "==" | "=" => (6, Op::Compare(Relation::Equal)),
            "!=" => (6, Op::Compare(Relation::NotEqual)),
            "<" => (6, Op::Compare(Relation::Less)),
            "<=" => (6, Op::Compare(Relation::LessEqual)),
            ">" => (6, Op::Compare(Relation::Greater)),
            ">=" => (6, Op::Compare(Relation::GreaterEqual)),
            "<<" => (7, Op::ShiftLeft(LONG)),
            ">>" => (7, Op::ShiftRight(LONG)),
            "+" => (8, Op::Add),
            "-" => (8, Op::Subtract),
            "*" => (9, Op::Multiply),
            "/" => (9, Op::Divide),
            "%" => (9, Op::Remainder(LONG)),
            _ => return None,
        })
    }

    /// A variable or a number; nothing if something was opened or is to be negated first.
    fn operand(&mut self, names: &Names, pending: &mut Vec<Pending>) -> Result<Option<Expr>, Diagnostic> {
        let span = self.span();
        let word = self.peek().clone();
        let opened = match &word {
            Word::Sign("(") => Some(Pending::Open),
            Word::Sign(sign @ ("-" | "!" | "+" | "~")) => Some(Pending::Sign(sign)),
            _ => None,
        };
        if opened.is_none() && !matches!(word, Word::Number(_) | Word::Name(_)) {
            return Err(self.unexpected("a variable or a number"));
        }
        self.at += 1;
        pending.extend(opened);
        match word {
            Word::Number(value) => Ok(Some(Expr::constant(value))),
            Word::Name(name) if name == "true" || name == "false" => Ok(Some(Expr::truth(name == "true"))),
            Word::Name(name) if self.peek() == &Word::Sign("(") => {
                let opened = match (type_named(&name), shift_named(&name)) {
                    (Some(ty), _) => Pending::Wrap(ty),
                    (None, Some(shift)) => Pending::Shift(shift, None),
                    (None, None) => {
                        let message = format!("`{name}` is no type, and functions are not called here");
                        return Err(Diagnostic::error(span, message));
                    }
                };
                self.at += 1;
                pending.push(opened);
                Ok(None)
            }
            Word::Name(name) => match names.place(&name) {
                Ok(place) => Ok(Some(Expr::read(place))),
                Err(misnamed) => Err(unnamed(&name, span, misnamed, names)),
            },
            Word::Sign(_) | Word::End => Ok(None),
        }
    }
}

/// What waits for the rest of an expression.
enum Pending {
    /// `-`, `!`, `~` or `+`, for an operand.
    Sign(&'static str),
    /// A left operand and an operator, for the right one.
    Binary(Expr, Op, u8),
    /// `(`
    Open,
    /// A type and `(`.
    Wrap(Type),
    /// A shift and `(`, for the second operand if the first is there.
    Shift(Op, Option<Expr>),
    /// `c ?`
    Condition(Expr),
    /// `c ? a :`
    Otherwise(Expr, Expr),
}

/// Applies the signs before an operand.
fn signed(mut value: Expr, pending: &mut Vec<Pending>) -> Expr {
    while let Some(Pending::Sign(sign)) = pending.last() {
        value = match *sign {
            "-" => number(value).unary(Op::Negate),
            "!" => truth(value).not(),
            "~" => Expr::constant(-1).binary(Op::Subtract, number(value)),
            _ => number(value),
        };
        pending.pop();
    }
    value
}

/// Joins an operand with what waits for it: an operator or a choice.
fn joined(value: Expr, pending: &mut Vec<Pending>) -> Expr {
    match pending.pop() {
        Some(Pending::Binary(left, op @ (Op::And | Op::Or), _)) => truth(left).binary(op, truth(value)),
        Some(Pending::Binary(left, Op::Bits(bitwise, _), _)) => bits(bitwise, number(left), number(value)),
        Some(Pending::Binary(left, op, _)) => number(left).binary(op, number(value)),
        Some(Pending::Otherwise(condition, yes)) => Expr::choose(condition, number(yes), number(value)),
        other => {
            pending.extend(other);
            value
        }
    }
}

/// Bits of two terms; with a number they are those of all widths.
fn bits(bitwise: Bitwise, left: Expr, right: Expr) -> Expr {
    match (left.as_constant(), right.as_constant()) {
        (_, Some(number)) => left.unary(Op::BitsWith(bitwise, number)),
        (Some(number), None) => right.unary(Op::BitsWith(bitwise, number)),
        (None, None) => left.binary(Op::Bits(bitwise, LONG), right),
    }
}

/// Joins everything up to what is open.
fn all_reduced(mut value: Expr, pending: &mut Vec<Pending>) -> Expr {
    while let Some(Pending::Binary(..) | Pending::Otherwise(..)) = pending.last() {
        value = joined(value, pending);
    }
    value
}

/// The formulas of a file of predicates, each with its function, in order.
pub fn predicates(
    program: &Program,
    sources: &Sources,
    file: FileId,
) -> Result<Vec<(FunctionId, Expr)>, Diagnostic> {
    let mut reader = Reader::file(sources, file)?;
    let ids = || (0..program.functions.len()).map(FunctionId::new);
    let all: Vec<Names> = ids().map(|id| Names::new(program, id)).collect();
    let mut predicates = Vec::new();
    while !reader.is_at_end() {
        let meant: Vec<FunctionId> = if reader.accept("*") {
            ids().collect()
        } else {
            let (name, span) = reader.name()?;
            vec![function_named(program, &name, span)?]
        };
        reader.expect(":")?;
        loop {
            let start = reader.at;
            // A line for all functions is for those in which it means something, of which there is one at least.
            let mut refused = None;
            let mut end = None;
            for &id in &meant {
                reader.at = start;
                match reader.formula(&all[id.index()]) {
                    Ok(formula) => {
                        end = Some(reader.at);
                        predicates.push((id, formula));
                    }
                    Err(error) => refused = refused.or(Some(error)),
                }
            }
            match (end, refused) {
                (Some(end), _) => reader.at = end,
                (None, Some(error)) => return Err(error),
                (None, None) => return Err(reader.unexpected("a formula")),
            }
            if !reader.accept(",") {
                break;
            }
        }
        reader
            .expect(";")
            .map_err(|error| error.note("predicates are separated by `,` and end with `;`", None))?;
    }
    Ok(predicates)
}

/// A function by its name.
pub fn function_named(program: &Program, name: &str, span: Span) -> Result<FunctionId, Diagnostic> {
    let found = program.functions.iter().position(|function| function.name == name);
    found.map(FunctionId::new).ok_or_else(|| {
        let error = Diagnostic::error(span, format!("there is no function `{name}`"));
        match base::nearest(name, program.functions.iter().map(|function| function.name.as_str())) {
            Some(other) => error.note(format!("did you mean `{other}`?"), None),
            None => error,
        }
    })
}

fn unnamed(name: &str, span: Span, misnamed: Misnamed, names: &Names) -> Diagnostic {
    match misnamed {
        Misnamed::Several(several) => {
            Diagnostic::error(span, format!("`{name}` is one of `{}`", several.join("`, `")))
        }
        Misnamed::Nothing => {
            let error = Diagnostic::error(span, format!("there is no variable `{name}` here"));
            match base::nearest(name, names.all()) {
                Some(other) => error.note(format!("did you mean `{other}`?"), None),
                None => error,
            }
        }
    }
}

/// `int8` to `uint64`.
fn type_named(name: &str) -> Option<Type> {
    let (signed, bits) = match name.strip_prefix("uint") {
        Some(bits) => (false, bits),
        None => (true, name.strip_prefix("int")?),
    };
    let bits: u8 = bits.parse().ok().filter(|bits| (1..=64).contains(bits))?;
    Some(Type { bits, signed })
}

/// `shl1` to `shr64`.
fn shift_named(name: &str) -> Option<Op> {
    let (op, bits): (fn(Type) -> Op, &str) = match name.strip_prefix("shl") {
        Some(bits) => (Op::ShiftLeft, bits),
        None => (Op::ShiftRight, name.strip_prefix("shr")?),
    };
    let bits: u8 = bits.parse().ok().filter(|bits| (1..=64).contains(bits))?;
    Some(op(Type::signed(bits)))
}

/// A number as a truth value, as in C.
fn truth(expr: Expr) -> Expr {
    if expr.is_formula() { expr } else { expr.is_nonzero() }
}

/// A truth value as a number, as in C.
fn number(expr: Expr) -> Expr {
    if expr.is_formula() { expr.unary(Op::Number) } else { expr }
}

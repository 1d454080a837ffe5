//! Formulas over the variables of a function, as people write them.
//!
//! The language is that of expressions in C, over mathematical integers: `+ - * / %`, comparisons, `&& || !`, `c ? a : b`, numbers, `true`,
//! `false`. `=` means `==`; comparisons do not chain. `uint8(t)` is the number of that type that is equal to `t` modulo its size. Variables go by
//! the names of [`Names`]. What [`Names::show`] prints is read as a formula that means the same.
//!
//! A file of predicates is a list of `f: formula, formula;`, with `*` for all functions in which the names mean something.
//! Comments begin with `//` or `#`.

mod token;

use crate::expr::{Expr, Op, Relation};
use crate::names::{Misnamed, Names};
use crate::number::Type;
use crate::program::{FunctionId, Program};
use base::{Diagnostic, FileId, Sources, Span};
use token::{Token, Word, tokens};

/// Deeper parentheses are not read.
const DEEPEST: usize = 400;

/// Reads formulas and what is between them.
pub struct Reader {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
}

impl Reader {
    /// Reads a file, or a part of one.
    pub fn new(sources: &Sources, span: Span) -> Result<Self, Diagnostic> {
        Ok(Self { tokens: tokens(sources, span)?, at: 0, depth: 0 })
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

    /// `c ? a : b`, which binds least.
    fn expression(&mut self, names: &Names) -> Result<Expr, Diagnostic> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Diagnostic::error(
                self.span(),
                format!("more than {DEEPEST} expressions inside each other"),
            ));
        }
        let condition = self.binary(names, 0)?;
        let read = if self.accept("?") {
            let yes = self.expression(names)?;
            self.expect(":")?;
            let no = self.expression(names)?;
            Expr::choose(truth(condition), number(yes), number(no))
        } else {
            condition
        };
        self.depth -= 1;
        Ok(read)
    }

    /// Operators that bind at least so tightly.
    fn binary(&mut self, names: &Names, least: u8) -> Result<Expr, Diagnostic> {
        let mut left = self.unary(names)?;
        let mut compared = None;
        while let Some((binding, op)) = self.operator().filter(|(binding, _)| *binding >= least) {
            let span = self.span();
            self.at += 1;
            let right = self.binary(names, binding + 1)?;
            left = match op {
                Op::And | Op::Or => truth(left).binary(op, truth(right)),
                _ => number(left).binary(op, number(right)),
            };
            if matches!(op, Op::Compare(_)) {
                if compared.is_some() {
                    let error = Diagnostic::error(span, "comparisons do not chain");
                    return Err(error.note("write `a < b && b < c`, or parentheses", None));
                }
                compared = Some(span);
            } else {
                compared = None;
            }
        }
        Ok(left)
    }

    /// The operator that is next, and how tightly it binds.
    fn operator(&self) -> Option<(u8, Op)> {
        let Word::Sign(sign) = *self.peek() else { return None };
        // In C equations bind less than other comparisons; they do not chain here, so that this does not show.
        Some(match sign {
            "||" => (1, Op::Or),
            "&&" => (2, Op::And),
            "==" | "=" => (3, Op::Compare(Relation::Equal)),
            "!=" => (3, Op::Compare(Relation::NotEqual)),
            "<" => (3, Op::Compare(Relation::Less)),
            "<=" => (3, Op::Compare(Relation::LessEqual)),
            ">" => (3, Op::Compare(Relation::Greater)),
            ">=" => (3, Op::Compare(Relation::GreaterEqual)),
            "+" => (4, Op::Add),
            "-" => (4, Op::Subtract),
            "*" => (5, Op::Multiply),
            "/" => (5, Op::Divide),
            "%" => (5, Op::Remainder(Type::signed(64))),
            _ => return None,
        })
    }

    fn unary(&mut self, names: &Names) -> Result<Expr, Diagnostic> {
        let mut signs = Vec::new();
        while let Word::Sign(sign @ ("-" | "!" | "+")) = *self.peek() {
            signs.push(sign);
            self.at += 1;
        }
        let mut read = self.primary(names)?;
        for sign in signs.into_iter().rev() {
            read = match sign {
                "-" => number(read).unary(Op::Negate),
                "!" => truth(read).not(),
                _ => number(read),
            };
        }
        Ok(read)
    }

    fn primary(&mut self, names: &Names) -> Result<Expr, Diagnostic> {
        let span = self.span();
        match self.peek().clone() {
            Word::Number(value) => {
                self.at += 1;
                Ok(Expr::constant(value))
            }
            Word::Sign("(") => {
                self.at += 1;
                let inside = self.expression(names)?;
                self.expect(")")?;
                Ok(inside)
            }
            Word::Name(name) => {
                self.at += 1;
                match &name[..] {
                    "true" => return Ok(Expr::truth(true)),
                    "false" => return Ok(Expr::truth(false)),
                    _ => {}
                }
                if self.peek() == &Word::Sign("(") {
                    let ty = type_named(&name).ok_or_else(|| {
                        Diagnostic::error(
                            span,
                            format!("`{name}` is no type, and functions are not called here"),
                        )
                    })?;
                    self.at += 1;
                    let inside = self.expression(names)?;
                    self.expect(")")?;
                    return Ok(number(inside).unary(Op::Wrap(ty)));
                }
                names.place(&name).map(Expr::read).map_err(|misnamed| unnamed(&name, span, misnamed, names))
            }
            _ => Err(self.unexpected("a variable or a number")),
        }
    }
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
                (reader.at, reader.depth) = (start, 0);
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

/// A number as a truth value, as in C.
fn truth(expr: Expr) -> Expr {
    if expr.is_formula() { expr } else { expr.is_nonzero() }
}

/// A truth value as a number, as in C.
fn number(expr: Expr) -> Expr {
    if expr.is_formula() { expr.unary(Op::Number) } else { expr }
}

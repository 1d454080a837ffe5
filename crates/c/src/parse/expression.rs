//! Expressions, by precedence.

use super::generic::Access;
use super::{Meaning, Parsed, Parser, Scope};
use crate::constant;
use crate::syntax::{Binary, ExprId, ExprKind, Linkage, Unary};
use crate::token::{Name, Token};
use crate::types::{Integer, Rank, Signature, Ty};
use base::Diagnostic;
use integers::Relation;
use std::rc::Rc;

/// How tightly an operator binds.
fn binary(sign: &str) -> Option<(u8, Binary)> {
    Some(match sign {
        "*" => (10, Binary::Multiply),
        "/" => (10, Binary::Divide),
        "%" => (10, Binary::Remainder),
        "+" => (9, Binary::Add),
        "-" => (9, Binary::Subtract),
        "<<" => (8, Binary::ShiftLeft),
        ">>" => (8, Binary::ShiftRight),
        "<" => (7, Binary::Compare(Relation::Less)),
        "<=" => (7, Binary::Compare(Relation::LessEqual)),
        ">" => (7, Binary::Compare(Relation::Greater)),
        ">=" => (7, Binary::Compare(Relation::GreaterEqual)),
        "==" => (6, Binary::Compare(Relation::Equal)),
        "!=" => (6, Binary::Compare(Relation::NotEqual)),
        "&" => (5, Binary::BitAnd),
        "^" => (4, Binary::BitXor),
        "|" => (3, Binary::BitOr),
        "&&" => (2, Binary::And),
        "||" => (1, Binary::Or),
        _ => return None,
    })
}

/// `x op= y`; the outer option says whether it is an assignment at all.
fn assignment(sign: &str) -> Option<Option<Binary>> {
    match sign {
        "=" => Some(None),
        "<<=" | ">>=" | "*=" | "/=" | "%=" | "+=" | "-=" | "&=" | "^=" | "|=" => {
            binary(&sign[..sign.len() - 1]).map(|(_, operator)| Some(operator))
        }
        _ => None,
    }
}

impl Parser<'_> {
    /// An expression with commas.
    pub(crate) fn expression(&mut self) -> Parsed<ExprId> {
        let first = self.at;
        let mut left = self.assignment()?;
        while self.take(",") {
            let right = self.assignment()?;
            left = self.expression_at(
                first,
                ExprKind::Binary(Binary::Comma, left, right),
                &[left, right],
                false,
            )?;
        }
        Ok(left)
    }

    /// An expression without commas.
    pub(crate) fn assignment(&mut self) -> Parsed<ExprId> {
        self.nested(|parser| {
            let first = parser.at;
            let left = parser.conditional_inside()?;
            let Token::Sign(sign) = parser.peek() else { return Ok(left) };
            let Some(operator) = assignment(sign) else { return Ok(left) };
            parser.expect_place(left, Access::Store)?;
            parser.at += 1;
            let right = parser.assignment()?;
            parser.expression_at(first, ExprKind::Assign(operator, left, right), &[left, right], true)
        })
    }

    /// An expression without commas and assignments.
    pub(crate) fn conditional(&mut self) -> Parsed<ExprId> {
        self.nested(|parser| parser.conditional_inside())
    }

    fn conditional_inside(&mut self) -> Parsed<ExprId> {
        let first = self.at;
        let condition = self.operators(1)?;
        if !self.take("?") {
            return Ok(condition);
        }
        let yes = if self.is(":") { None } else { Some(self.expression()?) };
        self.expect(":")?;
        let no = self.conditional()?;
        let operands: Vec<ExprId> = [Some(condition), yes, Some(no)].into_iter().flatten().collect();
        self.expression_at(first, ExprKind::Conditional(condition, yes, no), &operands, false)
    }

    /// Operators that bind at least so tightly.
    fn operators(&mut self, least: u8) -> Parsed<ExprId> {
        let first = self.at;
        let mut left = self.cast()?;
        while let Token::Sign(sign) = self.peek()
            && let Some((binding, operator)) = binary(sign)
            && binding >= least
        {
            self.at += 1;
            let right = self.operators(binding + 1)?;
            left =
                self.expression_at(first, ExprKind::Binary(operator, left, right), &[left, right], false)?;
        }
        Ok(left)
    }

    /// A cast, or what it is applied to.
    fn cast(&mut self) -> Parsed<ExprId> {
        if !self.is_type_next() {
            return self.unary();
        }
        let first = self.at;
        self.at += 1;
        let ty = self.nested(|parser| parser.type_name())?.bare;
        self.expect(")")?;
        if self.is("{") {
            let (parts, shape) = self.nested(|parser| parser.braces())?;
            let values: Vec<ExprId> = parts.iter().flat_map(|part| part.init.values()).collect();
            let ty = match ty {
                Ty::Array(element, None) => {
                    let length = shape.length(&element.bare);
                    Ty::Array(element, length)
                }
                ty => ty,
            };
            let kind = ExprKind::Compound(ty, parts);
            let compound = self.expression_at(first, kind, &values, false)?;
            return self.postfix(first, compound);
        }
        let operand = self.nested(|parser| parser.cast())?;
        self.expression_at(first, ExprKind::Cast(ty, operand), &[operand], false)
    }

    /// Whether a type in parentheses comes next.
    fn is_type_next(&mut self) -> bool {
        let is_open = self.take("(");
        let is_type = is_open && self.is_type();
        self.at -= usize::from(is_open);
        is_type
    }

    fn unary(&mut self) -> Parsed<ExprId> {
        let first = self.at;
        let Token::Sign(sign) = self.peek() else { return self.word_or_literal() };
        let operator = match sign {
            "++" | "--" => {
                self.at += 1;
                let operand = self.nested(|parser| parser.unary())?;
                self.expect_place(operand, Access::Store)?;
                let by = if sign == "++" { 1 } else { -1 };
                let kind = ExprKind::Step { by, is_prefix: true, operand };
                return self.expression_at(first, kind, &[operand], true);
            }
            "+" => Unary::Plus,
            "-" => Unary::Minus,
            "!" => Unary::Not,
            "~" => Unary::Complement,
            "&" => Unary::Address,
            "*" => Unary::Deref,
            "&&" => {
                self.at += 1;
                if self.name().is_none() {
                    return Err(self.unexpected("the name of a label"));
                }
                let ty = Ty::Pointer(Rc::new(Ty::Void.into()));
                let kind = ExprKind::Other("the address of a label", ty);
                return self.expression_at(first, kind, &[], false);
            }
            _ => return self.word_or_literal(),
        };
        self.at += 1;
        let operand = self.nested(|parser| parser.cast())?;
        if operator == Unary::Address {
            self.expect_place(operand, Access::Address)?;
            self.take_address(operand);
        }
        self.expression_at(first, ExprKind::Unary(operator, operand), &[operand], false)
    }

    /// Whoever has the address of a variable may change it.
    fn take_address(&mut self, operand: ExprId) {
        let mut operand = operand;
        loop {
            match self.unit.expr(operand).kind {
                ExprKind::Var(var) => {
                    self.unit.vars[var.index()].is_addressed = true;
                    return;
                }
                ExprKind::Member(inner, _, false) | ExprKind::Index(inner, _) => operand = inner,
                _ => return,
            }
        }
    }

    fn word_or_literal(&mut self) -> Parsed<ExprId> {
        let first = self.at;
        if self.take_word(&["__extension__"]) {
            return self.nested(|parser| parser.cast());
        }
        if self.take_word(&["sizeof", "_Alignof", "__alignof__", "__alignof"]) {
            return self.size_of(first);
        }
        let primary = self.primary()?;
        self.postfix(first, primary)
    }

    fn size_of(&mut self, first: usize) -> Parsed<ExprId> {
        let is_alignment =
            matches!(self.tokens[first].token, Token::Name(name) if self.names.text(name) != "sizeof");
        let layout = if self.is_type_next() {
            self.at += 1;
            let ty = self.nested(|parser| parser.type_name())?.bare;
            self.expect(")")?;
            if self.is("{") {
                // It is a literal in braces, and what follows it belongs to it.
                self.at = first + 1;
                return self.size_of_operand(first);
            }
            self.unit.layout(&ty, self.model)
        } else {
            if !is_alignment {
                return self.size_of_operand(first);
            }
            self.nested(|parser| parser.unary())?;
            None
        };
        let ty = Integer::unsigned(self.model.word());
        let kind = match layout {
            Some((size, align)) => ExprKind::Integer(i128::from(if is_alignment { align } else { size }), ty),
            None => ExprKind::SizeOfUnknown,
        };
        self.expression_at(first, kind, &[], false)
    }

    /// Where a member begins: a structure, and a way to the member by names and constant indices.
    fn offset_of(&mut self) -> Parsed<ExprId> {
        let first = self.at;
        self.at += 1;
        self.expect("(")?;
        let mut ty = self.nested(|parser| parser.type_name())?.bare;
        self.expect(",")?;
        let mut offset = Some(0u64);
        loop {
            let more = if self.take("[") {
                let index = self.nested(|parser| parser.conditional())?;
                self.expect("]")?;
                let index = constant::evaluate(&self.unit, index, self.model);
                let element = match ty {
                    Ty::Array(element, _) => element.bare.clone(),
                    _ => return Err(self.error(self.since(first), "this is no array")),
                };
                let size = self.unit.layout(&element, self.model).map(|(size, _)| size);
                ty = element;
                index
                    .and_then(|(index, _)| u64::try_from(index).ok())
                    .zip(size)
                    .and_then(|(n, size)| n.checked_mul(size))
            } else {
                let span = self.here();
                let Some(name) = self.name() else { return Err(self.unexpected("a member")) };
                let Ty::Record(id) = ty else { return Err(self.error(span, "this is no structure")) };
                let fields = self.unit.record(id).fields.as_deref().unwrap_or_default();
                let Some(field) = fields.iter().find(|field| field.name == name) else {
                    return Err(self.error(span, format!("there is no member `{}`", self.names.text(name))));
                };
                ty = field.ty.bare.clone();
                field.offset
            };
            offset = offset.zip(more).and_then(|(offset, more)| offset.checked_add(more));
            if !self.take(".") && !self.is("[") {
                break;
            }
        }
        self.expect(")")?;
        let kind = match offset {
            Some(offset) => ExprKind::Integer(offset.into(), Integer::unsigned(self.model.word())),
            None => ExprKind::SizeOfUnknown,
        };
        self.expression_at(first, kind, &[], false)
    }

    /// The size of an object, which is not evaluated.
    fn size_of_operand(&mut self, first: usize) -> Parsed<ExprId> {
        let is_literal = self.is_type_next();
        let operand = self.nested(|parser| if is_literal { parser.cast() } else { parser.unary() })?;
        if let ExprKind::Var(var) = self.unit.expr(operand).kind {
            self.unit.vars[var.index()].is_measured = true;
        }
        self.expression_at(first, ExprKind::SizeOf(operand), &[], false)
    }

    fn primary(&mut self) -> Parsed<ExprId> {
        let first = self.at;
        let kind = match self.peek() {
            Token::Integer { value, is_decimal, is_unsigned, n_long } => {
                self.at += 1;
                match self.literal_type(value, is_decimal, is_unsigned, n_long) {
                    Some(ty) => ExprKind::Integer(value.into(), ty),
                    None => ExprKind::Other("a number that is too large for `long long`", Ty::Other),
                }
            }
            Token::Character(value, ty) => {
                self.at += 1;
                ExprKind::Integer(value.into(), ty)
            }
            Token::Float => {
                self.at += 1;
                ExprKind::Float
            }
            Token::Text(_) => {
                let mut bytes = Some(Vec::new());
                while let Token::Text(more) = self.peek() {
                    let more = more.map(|more| self.names.text(more).chars().map(|c| c as u8));
                    bytes = bytes.zip(more).map(|(bytes, more)| bytes.into_iter().chain(more).collect());
                    self.at += 1;
                }
                // The zero at the end.
                ExprKind::Text(bytes.map(|bytes: Vec<u8>| bytes.into_iter().chain([0]).collect()))
            }
            Token::Sign("(") => return self.parenthesised(first),
            Token::Name(name) => return self.named(first, name),
            Token::Sign(_) | Token::End => return Err(self.unexpected("an expression")),
        };
        self.expression_at(first, kind, &[], false)
    }

    fn parenthesised(&mut self, first: usize) -> Parsed<ExprId> {
        self.at += 1;
        if self.is("{") {
            self.scopes.push(Scope::default());
            let block = self.nested(|parser| parser.block())?;
            self.leave_scope();
            self.expect(")")?;
            return self.expression_at(first, ExprKind::Block(block), &[], true);
        }
        let inner = self.expression()?;
        self.expect(")")?;
        Ok(inner)
    }

    /// The type of a number: the first that can hold it; none if there is none.
    fn literal_type(&self, value: u64, is_decimal: bool, is_unsigned: bool, n_long: u8) -> Option<Integer> {
        let all = [(32, Rank::Int), (self.model.word(), Rank::Long), (64, Rank::LongLong)];
        for &(bits, rank) in &all[usize::from(n_long)..] {
            let (signed, unsigned) = (integers::Type::signed(bits), integers::Type::unsigned(bits));
            if !is_unsigned && signed.contains(value.into()) {
                return Some(Integer { ty: signed, rank });
            }
            if (is_unsigned || !is_decimal) && unsigned.contains(value.into()) {
                return Some(Integer { ty: unsigned, rank });
            }
        }
        None
    }

    /// A name, or a word that begins something special.
    fn named(&mut self, first: usize, name: Name) -> Parsed<ExprId> {
        let word = self.names.text(name).to_owned();
        match word.as_str() {
            "__builtin_offsetof" => return self.offset_of(),
            "__builtin_va_arg" | "__builtin_types_compatible_p" => {
                self.at += 1;
                self.skip_parentheses()?;
                return self.expression_at(
                    first,
                    ExprKind::Other("a builtin function", Ty::Int(Integer::INT)),
                    &[],
                    false,
                );
            }
            "_Generic" => return self.generic(),
            "__builtin_choose_expr" => return self.choose(),
            "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__" => {
                self.at += 1;
                return self.expression_at(first, ExprKind::Text(None), &[], false);
            }
            _ => {}
        }
        if super::is_keyword(&word) {
            return Err(self.unexpected("an expression"));
        }
        self.at += 1;
        let kind = match self.meaning(name).cloned() {
            Some(Meaning::Var(var)) => ExprKind::Var(var),
            Some(Meaning::Function(function)) => ExprKind::Function(function),
            Some(Meaning::Constant(value, ty)) => ExprKind::Integer(value, ty),
            Some(Meaning::Type(_)) => {
                self.at -= 1;
                return Err(self.unexpected("an expression, not the name of a type"));
            }
            None if self.is("(") => {
                let signature = Rc::new(Signature::new(Ty::Int(Integer::INT), None, false));
                let span = self.since(first);
                ExprKind::Function(self.function(name, signature, span, Linkage::Implicit)?)
            }
            None => self.undeclared_name(first, name),
        };
        self.expression_at(first, kind, &[], false)
    }

    /// A name that is not declared: one of those that we are told about, or unknown.
    fn undeclared_name(&mut self, first: usize, name: Name) -> ExprKind {
        let span = self.since(first);
        let word = self.names.text(name);
        let known = self.options.constants.iter().find(|(constant, _)| constant == word);
        let value = known.map(|(_, value)| *value);
        let meaning = match value {
            Some(value) => format!("it is taken to be {value}"),
            None => "its value is unknown".to_owned(),
        };
        self.warnings.push(Diagnostic::warning(span, format!("`{word}` is not declared; {meaning}")));
        match value {
            Some(value) => {
                let ty = self.literal_type(value.unsigned_abs(), true, false, 0).unwrap_or(Integer::INT);
                self.scopes[0].names.insert(name, (Meaning::Constant(value.into(), ty), span));
                ExprKind::Integer(value.into(), ty)
            }
            None => ExprKind::Var(self.undeclared(name, span)),
        }
    }

    /// What stands behind an operand.
    fn postfix(&mut self, first: usize, operand: ExprId) -> Parsed<ExprId> {
        let mut operand = operand;
        loop {
            let Token::Sign(sign) = self.peek() else { return Ok(operand) };
            operand = match sign {
                "[" => {
                    self.at += 1;
                    let index = self.expression()?;
                    self.expect("]")?;
                    self.expression_at(first, ExprKind::Index(operand, index), &[operand, index], false)?
                }
                "(" => {
                    self.at += 1;
                    let tokens = self.at;
                    let args = self.arguments()?;
                    if let Some(scanned) = self.scanned(first, operand, &args, tokens)? {
                        operand = scanned;
                        continue;
                    }
                    let mut operands = vec![operand];
                    operands.extend(&args);
                    self.expression_at(first, ExprKind::Call(operand, args), &operands, true)?
                }
                "." | "->" => {
                    self.at += 1;
                    let Some(member) = self.name() else {
                        return Err(self.unexpected("the name of a member"));
                    };
                    let kind = ExprKind::Member(operand, member, sign == "->");
                    self.expression_at(first, kind, &[operand], false)?
                }
                "++" | "--" => {
                    self.expect_place(operand, Access::Store)?;
                    self.at += 1;
                    let by = if sign == "++" { 1 } else { -1 };
                    let kind = ExprKind::Step { by, is_prefix: false, operand };
                    self.expression_at(first, kind, &[operand], true)?
                }
                _ => return Ok(operand),
            };
        }
    }

    fn arguments(&mut self) -> Parsed<Vec<ExprId>> {
        let mut args = Vec::new();
        if self.take(")") {
            return Ok(args);
        }
        loop {
            args.push(self.assignment()?);
            if !self.take(",") {
                self.expect(")")?;
                return Ok(args);
            }
        }
    }
}

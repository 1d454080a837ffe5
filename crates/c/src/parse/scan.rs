//! `scanf` with a format that is written down: a chain of functions of the library, one for each conversion, of which each stores a number or gives up.

use super::{Parsed, Parser};
use crate::syntax::{ExprId, ExprKind, FnId, Linkage};
use crate::token::Token;
use crate::types::{Integer, Signature, Ty};

/// Functions that read, and which of their arguments is the format.
const SCANS: [(&str, usize); 6] = [
    ("scanf", 0),
    ("__isoc99_scanf", 0),
    ("fscanf", 1),
    ("__isoc99_fscanf", 1),
    ("sscanf", 1),
    ("__isoc99_sscanf", 1),
];

impl Parser<'_> {
    /// What a call of `scanf` does, if its format says so. The tokens of its arguments begin at a position.
    pub(super) fn scanned(
        &mut self,
        first: usize,
        function: ExprId,
        args: &[ExprId],
        tokens: usize,
    ) -> Parsed<Option<ExprId>> {
        let ExprKind::Function(id) = self.unit.expr(function).kind else { return Ok(None) };
        let name = self.names.text(self.unit.function(id).name);
        let Some(&(_, at)) = SCANS.iter().find(|(scan, _)| *scan == name) else { return Ok(None) };
        if self.options.library.is_empty() || self.unit.function(id).body.is_some() || args.len() <= at {
            return Ok(None);
        }
        let Some(functions) = self.format(args[at], tokens).as_deref().and_then(conversions) else {
            return Ok(None);
        };
        let targets = &args[at + 1..];
        if functions.len() != targets.len() || functions.is_empty() {
            return Ok(None);
        }
        let mut rest = self.count(first, functions.len())?;
        for (n, (function, target)) in functions.iter().zip(targets).enumerate().rev() {
            let stored = self.library_call(first, function, vec![*target])?;
            let fails = match n {
                0 => self.library_call(first, "__scanf_nothing", Vec::new())?,
                n => self.count(first, n)?,
            };
            let kind = ExprKind::Conditional(stored, Some(rest), fails);
            rest = self.expression_at(first, kind, &[stored, rest, fails], true)?;
        }
        Ok(Some(rest))
    }

    /// The letters of a format: one text, as it is written.
    fn format(&self, format: ExprId, tokens: usize) -> Option<String> {
        let ExprKind::Text(_) = self.unit.expr(format).kind else { return None };
        let written =
            self.tokens[tokens..self.at].iter().filter(|token| matches!(token.token, Token::Text(_)));
        let mut written = written.map(|token| &self.text[token.start as usize..token.end as usize]);
        let (only, None) = (written.next()?, written.next()) else { return None };
        Some(only.strip_prefix('"')?.strip_suffix('"')?.to_owned())
    }

    fn count(&mut self, first: usize, n: usize) -> Parsed<ExprId> {
        self.expression_at(first, ExprKind::Integer(n as i128, Integer::INT), &[], false)
    }

    fn library_call(&mut self, first: usize, name: &str, args: Vec<ExprId>) -> Parsed<ExprId> {
        let name = self.names.number(name);
        let signature = Signature::new(Ty::Int(Integer::INT), None, false);
        let id: FnId = self.function(name, signature.into(), self.since(first), Linkage::Implicit)?;
        let callee = self.expression_at(first, ExprKind::Function(id), &[], false)?;
        let operands: Vec<ExprId> = std::iter::once(callee).chain(args.iter().copied()).collect();
        self.expression_at(first, ExprKind::Call(callee, args), &operands, true)
    }
}

/// The functions for the conversions of a format; nothing, if one of them is about something else than a number or a letter.
fn conversions(format: &str) -> Option<Vec<&'static str>> {
    let mut functions = Vec::new();
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        rest = &rest[at + 1..];
        if let Some(literal) = rest.strip_prefix('%') {
            rest = literal;
            continue;
        }
        let end = rest.find(|c: char| !"hlLjzt".contains(c))?;
        let (size, conversion) = (&rest[..end], rest[end..].chars().next()?);
        rest = &rest[end + 1..];
        functions.push(match (size, conversion) {
            ("", 'c') | ("hh", 'd' | 'i') => "__scanf_char",
            ("h", 'd' | 'i') => "__scanf_short",
            ("h", 'u' | 'x' | 'o') => "__scanf_ushort",
            ("", 'd' | 'i') => "__scanf_int",
            ("", 'u' | 'x' | 'o') => "__scanf_uint",
            ("l", 'd' | 'i') => "__scanf_long",
            ("l" | "z", 'u' | 'x' | 'o') => "__scanf_ulong",
            ("ll", 'd' | 'i') => "__scanf_longlong",
            ("ll", 'u' | 'x' | 'o') => "__scanf_ulonglong",
            _ => return None,
        });
    }
    Some(functions)
}

//! Attributes: what MUCKE lets a formula say about itself in braces.
//!
//! Contract: an attribute belongs to the operand right before it. `{ assume f }` and `{ cofactor f }` are the operators of
//! the same names; the others concern witnesses and the order of bits, never a truth value, and leave no trace in the tree
//! but constraints of the relation around them.

use super::{Parsed, Parser};
use crate::lexer::{Mark, Token, Word};
use crate::syntax::*;
use base::Diagnostic;

const WITNESS: [&str; 3] = ["witcs", "witnessconstraint", "WitnessConstraint"];
const ALLOCATION: [&str; 3] = ["alloccs", "allocationConstraint", "AllocationConstraint"];

impl Parser<'_> {
    /// An attribute of `value`, from its opening brace on. An `assume` goes on with a formula; it is the caller's to read
    /// that and the closing brace.
    pub(super) fn attribute(&mut self) -> Parsed<Option<Simplifier>> {
        let start = self.span();
        self.expect(Mark::OpenBrace)?;
        let simplifier = match self.token() {
            Token::Word(Word::Assume) => Some(Simplifier::Assume),
            Token::Word(Word::Cofactor) => Some(Simplifier::Cofactor),
            _ => None,
        };
        if simplifier.is_some() {
            self.advance();
            return Ok(simplifier);
        }
        if self.is_word("show") {
            self.advance();
            self.shown()?;
        } else if ALLOCATION.iter().any(|word| self.is_word(word)) {
            self.advance();
            self.attributed_constraints()?;
        } else if WITNESS.iter().any(|word| self.is_word(word)) {
            self.advance();
            self.witness_constraints()?;
            let message = "constraints on witnesses are not heeded: a witness is any tuple that there is";
            self.tree.remarks.push(Diagnostic::warning(self.span_from(start), message));
        } else {
            return Err(self.expected("`show`, `alloccs`, `witcs`, `assume` or `cofactor`"));
        }
        self.expect(Mark::CloseBrace)?;
        Ok(None)
    }

    /// `"label", s, t.pc`: witnesses show everything anyway.
    fn shown(&mut self) -> Parsed<()> {
        if self.token() == Token::Text {
            self.advance();
            if !self.eat(Mark::Comma) {
                return Ok(());
            }
        }
        let n_exprs = self.tree.n_exprs();
        loop {
            self.path("a variable or a text")?;
            if !self.eat(Mark::Comma) {
                self.tree.truncate(n_exprs);
                return Ok(());
            }
        }
    }

    fn attributed_constraints(&mut self) -> Parsed<()> {
        loop {
            let constraint = self.constraint()?;
            self.attributed.push(constraint);
            if !self.eat(Mark::Comma) {
                return Ok(());
            }
        }
    }

    /// `1 > 2, f, 3, g`: formulas for places in a derivation. The formulas end at commas and braces, which no formula
    /// has outside brackets but in attributes of its own.
    fn witness_constraints(&mut self) -> Parsed<()> {
        let mut depth = 0usize;
        loop {
            match self.token() {
                Token::Mark(Mark::CloseBrace) if depth == 0 => return Ok(()),
                Token::Mark(Mark::OpenBrace) => depth += 1,
                Token::Mark(Mark::CloseBrace) => depth -= 1,
                Token::Mark(Mark::Semicolon) | Token::End => return Err(self.expected("`}`")),
                _ => {}
            }
            self.advance();
        }
    }

    /// The constraints found in attributes of a body that are about the relation's parameters. Those about quantified names
    /// have no place in the order of the relation and are left out; they are hints.
    pub(super) fn constraints_of_attributes(&mut self, params: &[Declaration]) -> Vec<Constraint> {
        let attributed = std::mem::take(&mut self.attributed);
        let is_param = |tree: &File, path: ExprId| match tree.expr(path).kind {
            ExprKind::Path(path) => {
                let first = tree.paths.segments(path)[0].symbol;
                params.iter().any(|param| param.name.symbol == first)
            }
            _ => false,
        };
        let tree = &*self.tree;
        attributed
            .into_iter()
            .filter(|c| is_param(tree, c.right) && c.left.is_none_or(|left| is_param(tree, left)))
            .collect()
    }
}

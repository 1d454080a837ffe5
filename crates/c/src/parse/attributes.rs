//! Attributes of GNU C: most say nothing about what a program does; those that do are told to whoever asks, or refused.

use super::{Parsed, Parser};
use crate::token::{Name, Token};
use crate::types::{Integer, Ty};

/// What attributes say.
#[derive(Clone, Copy, Default)]
pub(crate) struct Attributes {
    /// A function has no effects.
    pub(crate) is_pure: bool,
    /// Members lie side by side, an enumeration is as small as it can be.
    pub(crate) is_packed: bool,
    /// Objects lie where they would not lie otherwise.
    pub(crate) is_aligned: bool,
    /// The type is that of so many bits.
    mode: Option<u8>,
    /// The type is a vector of that type.
    is_vector: bool,
}

impl Attributes {
    /// What either of the two says.
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            is_pure: self.is_pure | other.is_pure,
            is_packed: self.is_packed | other.is_packed,
            is_aligned: self.is_aligned | other.is_aligned,
            mode: other.mode.or(self.mode),
            is_vector: self.is_vector | other.is_vector,
        }
    }

    /// A type with these attributes.
    pub(crate) fn applied(self, ty: Ty) -> Ty {
        match (self.mode, ty) {
            _ if self.is_vector => Ty::Other,
            (Some(bits), Ty::Int(integer)) if (8..=64).contains(&bits) => {
                Ty::Int(if integer.ty.signed { Integer::signed(bits) } else { Integer::unsigned(bits) })
            }
            (Some(_), _) => Ty::Other,
            (None, ty) => ty,
        }
    }
}

impl Parser<'_> {
    /// Reads attributes and the names that assembly uses, if there are any.
    pub(crate) fn attributes(&mut self) -> Parsed<Attributes> {
        let mut attributes = Attributes::default();
        loop {
            let Some(word) = self.word() else { return Ok(attributes) };
            if matches!(word, "__extension__") {
                self.at += 1;
            } else if is_attribute(word) {
                self.at += 1;
                attributes = attributes.and(self.attribute_list()?);
            } else if matches!(word, "asm" | "__asm__" | "__asm") {
                self.at += 1;
                self.take_word(&["volatile", "__volatile__"]);
                self.skip_parentheses()?;
            } else {
                return Ok(attributes);
            }
        }
    }

    /// What stands in the parentheses of `__attribute__`.
    fn attribute_list(&mut self) -> Parsed<Attributes> {
        let first = self.at;
        self.skip_parentheses()?;
        let mut attributes = Attributes::default();
        for at in first..self.at {
            let Token::Name(name) = self.tokens[at].token else { continue };
            match self.names.text(name).trim_matches('_') {
                "const" | "pure" => attributes.is_pure = true,
                "packed" => attributes.is_packed = true,
                "aligned" | "align" => attributes.is_aligned = true,
                "vector_size" | "ext_vector_type" => attributes.is_vector = true,
                "mode" => attributes.mode = self.mode(at),
                "constructor" | "destructor" | "cleanup" => {
                    let span = self.places.span(
                        self.text,
                        self.tokens[at].start as usize,
                        self.tokens[at].end as usize,
                    );
                    let message = "functions that are called without a call are not supported";
                    return Err(self.error(span, message));
                }
                _ => {}
            }
        }
        Ok(attributes)
    }

    /// The bits of a type that is named by its mode; 0 if it is no integer that we know.
    fn mode(&self, at: usize) -> Option<u8> {
        let name = |token: Token| match token {
            Token::Name(name) => Some(name),
            _ => None,
        };
        let mode: Option<Name> = self.tokens.get(at + 2).and_then(|placed| name(placed.token));
        Some(match mode.map(|mode| self.names.text(mode).trim_matches('_')) {
            Some("QI" | "byte") => 8,
            Some("HI") => 16,
            Some("SI") => 32,
            Some("DI") => 64,
            Some("word" | "pointer") => self.model.word(),
            _ => 0,
        })
    }

    /// A bracketed piece that nobody looks into.
    pub(crate) fn skip_parentheses(&mut self) -> Parsed<()> {
        self.expect("(")?;
        let mut open = 1;
        while open > 0 {
            match self.advance() {
                Token::Sign("(") => open += 1,
                Token::Sign(")") => open -= 1,
                Token::End => return Err(self.unexpected("`)`")),
                _ => {}
            }
        }
        Ok(())
    }
}

pub(crate) fn is_attribute(word: &str) -> bool {
    matches!(word, "__attribute__" | "__attribute" | "__declspec")
}

//! An expression of C by itself, over variables of a program: what others say that holds at a point.

use crate::lex;
use crate::lower;
use crate::options::Options;
use crate::parse;
use crate::places::Places;
use crate::syntax::VarId;
use crate::token::{Names, Token};
use crate::types::{DataModel, Integer, Ty};
use base::{Diagnostic, Span};
use integers::{Expr, Place, Type};

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// A variable.
    Variable(Place, Type),
    /// Something of which the program has no number.
    Unrepresented,
    /// Nothing.
    Nothing,
}

/// The formula that an expression without effects is. Diagnostics are about the place, of which the text is the whole, or which it was made from.
pub fn condition(
    text: &str,
    place: Span,
    model: DataModel,
    meaning: &mut dyn FnMut(&str) -> Meaning,
) -> Result<Expr, Diagnostic> {
    let places = Places::within(place, text);
    let mut names = Names::default();
    let tokens = lex::lex(text, &mut names, &places)?;
    let mut declared: Vec<(String, Place, Type)> = Vec::new();
    for token in &tokens {
        let Token::Name(name) = token.token else { continue };
        let word = names.text(name);
        if parse::is_keyword(word) || declared.iter().any(|(other, ..)| other == word) {
            continue;
        }
        let span = places.span(text, token.start as usize, token.end as usize);
        match meaning(word) {
            Meaning::Variable(place, ty) => declared.push((word.to_owned(), place, ty)),
            Meaning::Unrepresented => {
                return Err(Diagnostic::error(
                    span,
                    format!("`{word}` is no integer variable of the program"),
                ));
            }
            Meaning::Nothing => {
                return Err(Diagnostic::error(span, format!("there is no variable `{word}` here")));
            }
        }
    }
    let options = Options { data_model: model, ..Options::default() };
    let variables = declared.iter().map(|(name, _, ty)| (name.as_str(), Ty::Int(integer(*ty))));
    let parsed = parse::alone(text, &tokens, &mut names, &places, &options, variables.collect());
    let (unit, expr) = parsed.map_err(|error| *error)?;
    let whole = unit.expr(expr).span;
    if unit.expr(expr).has_effects {
        return Err(Diagnostic::error(
            whole,
            "this changes something or calls a function; expected a condition",
        ));
    }
    let places: Vec<(VarId, Place)> =
        declared.iter().enumerate().map(|(n, (_, place, _))| (VarId::new(n), *place)).collect();
    lower::formula(&unit, &names, &options, expr, &places)
        .ok_or_else(|| Diagnostic::error(whole, "this is about more than integers"))
}

fn integer(ty: Type) -> Integer {
    match (ty.bits, ty.signed) {
        (1, false) => Integer::BOOL,
        (bits, true) => Integer::signed(bits),
        (bits, false) => Integer::unsigned(bits),
    }
}

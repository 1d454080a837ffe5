//! Expressions of a wanted type, as text with few parentheses.
//!
//! Contract: the text of an [`Expression`] parses as the tree it was made of, because operands that bind
//! less tightly are put into parentheses; and it has the type that was asked for, because comparisons are
//! given an operand whose type is known.

use super::types::{Type, Variable};
use crate::dice::Dice;

/// How tightly the operators bind, as the language says.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Strength {
    Conditional,
    Equivalence,
    Implication,
    Or,
    Xor,
    And,
    Equality,
    Comparison,
    Sum,
    Product,
    Unary,
    Atom,
}

/// A text, and what must be known to use it as an operand.
#[derive(Clone, Debug)]
pub struct Expression {
    pub text: String,
    strength: Strength,
    /// Its type is known from itself, without the place it stands in.
    typed: bool,
}

impl Expression {
    fn untyped(text: impl Into<String>) -> Self {
        Self { text: text.into(), strength: Strength::Atom, typed: false }
    }

    fn typed(text: impl Into<String>) -> Self {
        Self { typed: true, ..Self::untyped(text) }
    }

    /// As an operand of something of this strength.
    fn within(self, least: Strength) -> String {
        if self.strength < least { format!("({})", self.text) } else { self.text }
    }

    /// As an operand that stands where the operator would otherwise take its neighbour.
    fn above(self, strength: Strength) -> String {
        if self.strength <= strength { format!("({})", self.text) } else { self.text }
    }
}

/// The variables in sight, and whether new values may be named.
#[derive(Clone, Copy)]
pub struct Scope<'a> {
    pub variables: &'a [Variable],
    pub primes: bool,
}

/// An expression of this type, nested at most so deep.
pub fn expression(dice: &mut Dice, scope: Scope<'_>, of: Type, depth: usize) -> Expression {
    let made = match of {
        Type::Bool => boolean(dice, scope, depth),
        Type::Int(width) => integer(dice, scope, width, depth),
        Type::Enum(names) => enumerator(dice, scope, names, depth),
    };
    if dice.chance(8) {
        return Expression { text: format!("({})", made.text), strength: Strength::Atom, ..made };
    }
    made
}

/// A variable of this type, with its old or new value.
fn variable(dice: &mut Dice, scope: Scope<'_>, of: Type) -> Option<Expression> {
    let fitting: Vec<&Variable> = scope.variables.iter().filter(|variable| variable.of == of).collect();
    if fitting.is_empty() {
        return None;
    }
    let name = &fitting[dice.below(fitting.len())].name;
    let text = match dice.below(4) {
        0 if scope.primes => format!("'{name}"),
        1 if scope.primes => format!("{name}'"),
        _ => name.clone(),
    };
    Some(Expression::typed(text))
}

fn boolean(dice: &mut Dice, scope: Scope<'_>, depth: usize) -> Expression {
    if depth == 0 || dice.chance(20) {
        return boolean_leaf(dice, scope);
    }
    let part = |dice: &mut Dice| boolean(dice, scope, depth - 1);
    match dice.below(14) {
        0 | 1 => {
            let operator = dice.pick(&["!", "~"]);
            unary(operator, part(dice))
        }
        2 | 3 => binary(dice, Strength::And, &["&", "&&"], part),
        4 | 5 => binary(dice, Strength::Or, &["|", "||"], part),
        6 => binary(dice, Strength::Xor, &["^"], part),
        7 => binary(dice, Strength::Implication, &["=>"], part),
        8 => binary(dice, Strength::Equivalence, &["<=>"], part),
        9 => {
            let word = dice.pick(&["schoose", "choose"]);
            Expression::typed(format!("{word}[{}, {}]", part(dice).text, part(dice).text))
        }
        10 => conditional(dice, scope, Type::Bool, depth),
        _ => comparison(dice, scope, depth),
    }
}

fn boolean_leaf(dice: &mut Dice, scope: Scope<'_>) -> Expression {
    if dice.chance(75)
        && let Some(variable) = variable(dice, scope, Type::Bool)
    {
        return variable;
    }
    match dice.below(10) {
        0..=2 => Expression::untyped("*"),
        3 => Expression::untyped("?"),
        4 => Expression::untyped(dice.pick(&["0", "1"])),
        _ => Expression::typed(dice.pick(&["T", "F", "true", "false"])),
    }
}

/// Two values of one type compared. Only a variable in sight makes a type other than Boolean worth it.
fn comparison(dice: &mut Dice, scope: Scope<'_>, depth: usize) -> Expression {
    let of = match scope.variables {
        [] => Type::Bool,
        variables => variables[dice.below(variables.len())].of,
    };
    let strength = match of {
        Type::Int(_) if dice.chance(60) => Strength::Comparison,
        _ => Strength::Equality,
    };
    let operators: &[&str] =
        if strength == Strength::Comparison { &["<", "<=", ">", ">="] } else { &["=", "==", "!="] };
    let mut left = expression(dice, scope, of, depth - 1);
    let right = expression(dice, scope, of, depth - 1);
    if !left.typed && !right.typed && of != Type::Bool {
        left = variable(dice, scope, of).expect("the type is that of a variable in sight");
    }
    let operator = dice.pick(operators);
    let text = format!("{} {operator} {}", left.within(strength), right.above(strength));
    Expression { text, strength, typed: true }
}

fn integer(dice: &mut Dice, scope: Scope<'_>, width: usize, depth: usize) -> Expression {
    if depth == 0 || dice.chance(35) {
        if dice.chance(60)
            && let Some(variable) = variable(dice, scope, Type::Int(width))
        {
            return variable;
        }
        return Expression::untyped(match dice.below(6) {
            0 => "*".to_owned(),
            1 => "?".to_owned(),
            _ => dice.below(1 << width).to_string(),
        });
    }
    let part = |dice: &mut Dice| integer(dice, scope, width, depth - 1);
    match dice.below(6) {
        0 => unary("-", part(dice)),
        1 => binary(dice, Strength::Product, &["*"], part),
        2 => conditional(dice, scope, Type::Int(width), depth),
        _ => binary(dice, Strength::Sum, &["+", "-"], part),
    }
}

fn enumerator(dice: &mut Dice, scope: Scope<'_>, names: &'static [&'static str], depth: usize) -> Expression {
    if depth > 0 && dice.chance(20) {
        return conditional(dice, scope, Type::Enum(names), depth);
    }
    if dice.chance(50)
        && let Some(variable) = variable(dice, scope, Type::Enum(names))
    {
        return variable;
    }
    // A name may belong to several enumerations, so it does not tell its type.
    Expression::untyped(if dice.chance(15) { dice.pick(&["*", "?"]) } else { dice.pick(names) })
}

fn conditional(dice: &mut Dice, scope: Scope<'_>, of: Type, depth: usize) -> Expression {
    let condition = boolean(dice, scope, depth - 1);
    let (yes, no) = (expression(dice, scope, of, depth - 1), expression(dice, scope, of, depth - 1));
    let typed = yes.typed && no.typed;
    let text = format!("{} ? {} : {}", condition.above(Strength::Conditional), yes.text, no.text);
    Expression { text, strength: Strength::Conditional, typed }
}

fn unary(operator: &str, operand: Expression) -> Expression {
    let typed = operand.typed || operator != "-";
    let text = format!("{operator}{}", operand.within(Strength::Unary));
    Expression { text, strength: Strength::Unary, typed }
}

/// All operators associate to the left but the implication.
fn binary(
    dice: &mut Dice,
    strength: Strength,
    operators: &[&str],
    mut part: impl FnMut(&mut Dice) -> Expression,
) -> Expression {
    let (left, right) = (part(dice), part(dice));
    let operator = dice.pick(operators);
    let typed = left.typed || right.typed || strength < Strength::Comparison;
    let text = match strength {
        Strength::Implication => format!("{} {operator} {}", left.above(strength), right.within(strength)),
        _ => format!("{} {operator} {}", left.within(strength), right.above(strength)),
    };
    Expression { text, strength, typed }
}

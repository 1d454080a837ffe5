//! Terms of SMT-LIB over integers as expressions.

use integers::{Bitwise, Expr, Op, Place, Relation, Type};
use rustc_hash::FxHashMap;
use smt::sexpr::Sexpr;

/// A `define-fun` of a predicate over integers.
pub(super) struct Definition<'m> {
    pub(super) name: &'m str,
    parameters: Vec<&'m str>,
    body: &'m Sexpr,
}

impl<'m> Definition<'m> {
    /// Reads one; `None` if it is something else.
    pub(super) fn new(said: &'m Sexpr) -> Option<Self> {
        let [word, name, Sexpr::List(parameters), sort, body] = said.list()? else { return None };
        if word.atom() != Some("define-fun") || sort.atom() != Some("Bool") {
            return None;
        }
        let parameter = |said: &'m Sexpr| match said.list()? {
            [name, sort] if sort.atom() == Some("Int") => name.atom(),
            _ => None,
        };
        let parameters = parameters.iter().map(parameter).collect::<Option<_>>()?;
        Some(Self { name: name.atom()?, parameters, body })
    }
}

/// Longer formulas are of no use.
const LONGEST: usize = 100_000;

/// The formula of a definition about these variables.
pub(super) fn translate(definition: &Definition, arguments: &[Place]) -> Option<Expr> {
    if definition.parameters.len() != arguments.len() {
        return None;
    }
    let values = arguments.iter().map(|place| Expr::read(*place));
    let mut scope = Scope { values: definition.parameters.iter().copied().zip(values).collect(), length: 0 };
    scope.expr(definition.body).filter(Expr::is_formula).map(|formula| plain(&formula))
}

struct Scope<'m> {
    values: FxHashMap<&'m str, Expr>,
    /// How much has been built.
    length: usize,
}

impl<'m> Scope<'m> {
    fn expr(&mut self, said: &'m Sexpr) -> Option<Expr> {
        let built = match said {
            Sexpr::Atom(atom) => self.atom(atom)?,
            Sexpr::List(list) => self.application(list)?,
        };
        self.length += built.code().len();
        (self.length <= LONGEST).then_some(built)
    }

    fn atom(&self, atom: &str) -> Option<Expr> {
        match atom {
            "true" => Some(Expr::truth(true)),
            "false" => Some(Expr::truth(false)),
            _ => self
                .values
                .get(atom)
                .cloned()
                .or_else(|| Sexpr::Atom(atom.to_owned()).number().map(Expr::constant)),
        }
    }

    fn application(&mut self, list: &'m [Sexpr]) -> Option<Expr> {
        let [head, operands @ ..] = list else { return None };
        if let Some(indexed) = head.list() {
            return self.divisible(indexed, operands);
        }
        let head = head.atom()?;
        if head == "let" {
            return self.bound(operands);
        }
        let operands: Vec<Expr> = operands.iter().map(|operand| self.expr(operand)).collect::<Option<_>>()?;
        match head {
            "and" => joined(operands, Op::And, true),
            "or" => joined(operands, Op::Or, false),
            "not" => only(operands).filter(Expr::is_formula).map(Expr::not),
            "=>" => implication(operands),
            "=" | "distinct" | "<=" | "<" | ">=" | ">" => comparison(head, operands),
            "ite" => choice(operands),
            "+" | "-" | "*" => arithmetic(head, operands),
            "div" | "mod" => division(head, operands),
            _ => None,
        }
    }

    /// `(let ((name term) …) body)`: the terms do not see each other.
    fn bound(&mut self, operands: &'m [Sexpr]) -> Option<Expr> {
        let [Sexpr::List(bindings), body] = operands else { return None };
        let mut new = Vec::new();
        for binding in bindings {
            let [name, term] = binding.list()? else { return None };
            new.push((name.atom()?, self.expr(term)?));
        }
        let old: Vec<(&str, Option<Expr>)> =
            new.into_iter().map(|(name, value)| (name, self.values.insert(name, value))).collect();
        let body = self.expr(body);
        for (name, value) in old.into_iter().rev() {
            match value {
                Some(value) => self.values.insert(name, value),
                None => self.values.remove(name),
            };
        }
        body
    }

    /// `((_ divisible 3) t)`
    fn divisible(&mut self, indexed: &'m [Sexpr], operands: &'m [Sexpr]) -> Option<Expr> {
        let ([underscore, word, by], [term]) = (indexed, operands) else { return None };
        if (underscore.atom(), word.atom()) != (Some("_"), Some("divisible")) {
            return None;
        }
        let term = self.expr(term)?;
        let rest = division("mod", vec![term, Expr::constant(by.number()?)])?;
        Some(rest.compare(Relation::Equal, Expr::constant(0)))
    }
}

fn is_term(expr: &Expr) -> bool {
    !expr.is_formula()
}

fn only(operands: Vec<Expr>) -> Option<Expr> {
    <[Expr; 1]>::try_from(operands).ok().map(|[only]| only)
}

fn joined(operands: Vec<Expr>, op: Op, neutral: bool) -> Option<Expr> {
    if !operands.iter().all(Expr::is_formula) {
        return None;
    }
    let joined = operands.into_iter().reduce(|left, right| left.binary(op, right));
    Some(joined.unwrap_or_else(|| Expr::truth(neutral)))
}

fn implication(operands: Vec<Expr>) -> Option<Expr> {
    let [left, right] = <[Expr; 2]>::try_from(operands).ok()?;
    joined(vec![left.is_formula().then(|| left.not())?, right], Op::Or, false)
}

/// Comparisons of numbers, possibly of several; equations of truth values.
fn comparison(word: &str, operands: Vec<Expr>) -> Option<Expr> {
    let relation = match word {
        "=" => Relation::Equal,
        "distinct" => Relation::NotEqual,
        "<=" => Relation::LessEqual,
        "<" => Relation::Less,
        ">=" => Relation::GreaterEqual,
        _ => Relation::Greater,
    };
    if operands.len() < 2 || (word == "distinct" && operands.len() > 2) {
        return None;
    }
    if operands.iter().all(Expr::is_formula) && matches!(word, "=" | "distinct") {
        let numbers: Vec<Expr> = operands.into_iter().map(|operand| operand.unary(Op::Number)).collect();
        return comparison(word, numbers);
    }
    if !operands.iter().all(is_term) {
        return None;
    }
    let pairs = operands.windows(2).map(|pair| pair[0].clone().compare(relation, pair[1].clone()));
    joined(pairs.collect(), Op::And, true)
}

fn choice(operands: Vec<Expr>) -> Option<Expr> {
    let [condition, yes, no] = <[Expr; 3]>::try_from(operands).ok()?;
    match (condition.is_formula(), yes.is_formula(), no.is_formula()) {
        (true, false, false) => Some(Expr::choose(condition, yes, no)),
        (true, true, true) => {
            let otherwise = condition.clone().not().and(no);
            Some(condition.and(yes).binary(Op::Or, otherwise))
        }
        _ => None,
    }
}

fn arithmetic(word: &str, operands: Vec<Expr>) -> Option<Expr> {
    if operands.is_empty() || !operands.iter().all(is_term) {
        return None;
    }
    let op = match word {
        "+" => Op::Add,
        "*" => Op::Multiply,
        _ if operands.len() == 1 => return only(operands).map(|operand| operand.unary(Op::Negate)),
        _ => Op::Subtract,
    };
    operands.into_iter().reduce(|left, right| combined(op, left, right))
}

/// `-1 * x` and `a + -x` in the words of people.
fn combined(op: Op, left: Expr, right: Expr) -> Expr {
    match (op, left.as_constant()) {
        (Op::Multiply, Some(-1)) => right.unary(Op::Negate),
        (Op::Add, _) if right.root() == Op::Negate => left.binary(Op::Subtract, operand(&right)),
        (Op::Add, _) if left.root() == Op::Negate => right.binary(Op::Subtract, operand(&left)),
        _ => left.binary(op, right),
    }
}

/// What an operation with one operand is applied to.
fn operand(expr: &Expr) -> Expr {
    let mut operands = operands(expr);
    operands.pop().expect("it has one operand")
}

/// What the last operation is applied to.
fn operands(expr: &Expr) -> Vec<Expr> {
    let mut parts: Vec<Expr> = Vec::new();
    expr.fold(|op, operands: Vec<Expr>| {
        parts.clone_from(&operands);
        built(op, operands)
    });
    parts
}

fn built(op: Op, operands: Vec<Expr>) -> Expr {
    let mut operands = operands.into_iter();
    let mut next = || operands.next().expect("the operation has this operand");
    match op.n_operands() {
        0 => Expr::leaf(op),
        1 => next().unary(op),
        2 => next().binary(op, next()),
        _ => Expr::choose(next(), next(), next()),
    }
}

/// Comparisons as people write them: `x >= 0` for `x > -1`, `x <= y` for `x - y < 1`.
fn plain(formula: &Expr) -> Expr {
    formula.fold(|op, operands: Vec<Expr>| match (op, &operands[..]) {
        (Op::Compare(relation), [left, right]) if is_term(left) && is_term(right) => {
            compared(relation, left, right)
        }
        _ => built(op, operands),
    })
}

fn compared(relation: Relation, left: &Expr, right: &Expr) -> Expr {
    let (relation, right) = match (relation, right.as_constant()) {
        (Relation::Less, Some(1)) => (Relation::LessEqual, Expr::constant(0)),
        (Relation::Greater, Some(-1)) => (Relation::GreaterEqual, Expr::constant(0)),
        (Relation::LessEqual, Some(-1)) => (Relation::Less, Expr::constant(0)),
        (Relation::GreaterEqual, Some(1)) => (Relation::Greater, Expr::constant(0)),
        _ => (relation, right.clone()),
    };
    if right.as_constant() == Some(0) && left.root() == Op::Subtract {
        let mut sides = operands(left);
        let (taken, from) = (sides.pop(), sides.pop());
        if let (Some(from), Some(taken)) = (from, taken) {
            return from.compare(relation, taken);
        }
    }
    left.clone().compare(relation, right)
}

/// Division by a constant as SMT-LIB has it, where remainders are never negative, in terms of the program's, which truncates.
fn division(word: &str, operands: Vec<Expr>) -> Option<Expr> {
    let [left, right] = <[Expr; 2]>::try_from(operands).ok()?;
    let by = right.as_constant().filter(|by| *by != 0 && *by != i128::MIN)?;
    if left.is_formula() {
        return None;
    }
    // By a power of two it is a matter of bits, which round down, too.
    if by.count_ones() == 1 && by > 1 && by <= 1 << 62 {
        return Some(match word {
            "mod" => left.unary(Op::BitsWith(Bitwise::And, by - 1)),
            _ => {
                let distance = Expr::constant(by.trailing_zeros().into());
                left.binary(Op::ShiftRight(Type::signed(64)), distance)
            }
        });
    }
    let size = Expr::constant(by.abs());
    let rest = left.clone().binary(Op::Remainder(Type::signed(64)), size.clone());
    let is_negative = rest.clone().compare(Relation::Less, Expr::constant(0));
    let rest = Expr::choose(is_negative, rest.clone().binary(Op::Add, size), rest);
    match word {
        "mod" => Some(rest),
        _ => Some(left.binary(Op::Subtract, rest).binary(Op::Divide, Expr::constant(by))),
    }
}

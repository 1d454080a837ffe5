//! What a claim says about cells, as a person would write it: `for every k, 0 <= k < i: a[k] == 42`.
//!
//! A formula holds for every number of the cells that are followed, since nobody chose them. What is only about numbers of cells and variables is a condition; the rest is
//! what holds under it. This is for people: claims are written and read as they are.

use integers::{Expr, Names, Op, Place, Program, Relation};

/// The letters for cells, one after the other.
const LETTERS: [&str; 6] = ["k", "l", "m", "n", "r", "s"];

/// A formula in words. One without cells is told as it is.
pub(crate) fn shown(program: &Program, names: &Names, formula: &Expr) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut plain: Option<Expr> = None;
    for conjunct in split(formula, Op::And) {
        if conjunct.reads().any(|place| is_cell(program, place)) {
            parts.push(quantified(program, names, &conjunct));
        } else {
            plain = Some(match plain {
                Some(before) => before.and(conjunct),
                None => conjunct,
            });
        }
    }
    let plain = plain.map(|plain| names.show(&plain));
    plain.into_iter().chain(parts).collect::<Vec<String>>().join("; ")
}

/// The parts that an operation joins.
fn split(formula: &Expr, op: Op) -> Vec<Expr> {
    if formula.root() == op {
        return formula.operands().iter().flat_map(|part| split(part, op)).collect();
    }
    // What is not a conjunction is a disjunction, and the other way round.
    if formula.root() == Op::Not
        && let [inner] = &formula.operands()[..]
    {
        let other = if op == Op::And { Op::Or } else { Op::And };
        if inner.root() == other {
            return inner.operands().iter().flat_map(|part| split(&part.clone().not(), op)).collect();
        }
    }
    vec![formula.clone()]
}

fn name(program: &Program, place: Place) -> &str {
    match place {
        Place::Global(n) => &program.globals[n as usize].variable.name,
        Place::Local(_) => "",
    }
}

/// `a$k`
fn is_index(program: &Program, place: Place) -> bool {
    let name = name(program, place);
    let mark = name.rsplit('$').next().unwrap_or_default();
    let is_cell = mark.strip_prefix('k').is_some_and(|n| n.chars().all(|c| c.is_ascii_digit()));
    name.contains('$') && !name.contains('[') && is_cell
}

/// `a[a$k]`
fn is_content(program: &Program, place: Place) -> bool {
    name(program, place).contains('[')
}

fn is_cell(program: &Program, place: Place) -> bool {
    is_index(program, place) || is_content(program, place)
}

/// Conditions first, then what holds.
fn quantified(program: &Program, names: &Names, conjunct: &Expr) -> String {
    let mut letters: Vec<(String, String)> = Vec::new();
    for place in conjunct.reads() {
        let name = name(program, place);
        let index = match name.split_once('[') {
            Some((_, rest)) => rest.trim_end_matches(']'),
            None if is_index(program, place) => name,
            None => continue,
        };
        if letters.iter().all(|(known, _)| known != index) {
            let letter = LETTERS.get(letters.len()).map_or(index, |letter| letter);
            letters.push((index.to_owned(), letter.to_owned()));
        }
    }
    let say = |expr: &Expr| {
        let mut text = names.show(expr);
        for (index, letter) in &letters {
            text = text.replace(index.as_str(), letter);
        }
        text
    };
    let (mut conditions, mut rest): (Vec<Expr>, Vec<Expr>) = (Vec::new(), Vec::new());
    for literal in split(conjunct, Op::Or) {
        let is_condition = !literal.reads().any(|place| is_content(program, place));
        if is_condition { conditions.push(literal.not()) } else { rest.push(literal) }
    }
    if rest.is_empty() {
        // It is about numbers of cells alone.
        rest = std::mem::take(&mut conditions).into_iter().map(Expr::not).collect();
    }
    let holds = rest.into_iter().reduce(|one, other| one.binary(Op::Or, other));
    let holds = holds.map(|holds| say(&holds)).unwrap_or_default();
    let letters: Vec<&str> = letters.iter().map(|(_, letter)| letter.as_str()).collect();
    let conditions = chained(program, &conditions, &say);
    let conditions = if conditions.is_empty() { String::new() } else { format!(", {conditions}") };
    format!("for every {}{conditions}: {holds}", letters.join(", "))
}

/// `0 <= k` and `k < i` are `0 <= k < i`.
fn chained(program: &Program, conditions: &[Expr], say: &dyn Fn(&Expr) -> String) -> String {
    let mut told: Vec<String> = Vec::new();
    let mut is_told = vec![false; conditions.len()];
    for n in 0..conditions.len() {
        if is_told[n] {
            continue;
        }
        is_told[n] = true;
        let Some((index, low, relation)) = bound(program, &conditions[n]) else {
            told.push(say(&conditions[n]));
            continue;
        };
        let is_low = matches!(relation, Relation::GreaterEqual | Relation::Greater);
        let other = (n + 1..conditions.len()).find(|m| {
            bound(program, &conditions[*m]).is_some_and(|(other, _, relation)| {
                other == index && is_low != matches!(relation, Relation::GreaterEqual | Relation::Greater)
            })
        });
        let Some(m) = other else {
            told.push(say(&conditions[n]));
            continue;
        };
        is_told[m] = true;
        let Some((_, high, other)) = bound(program, &conditions[m]) else { continue };
        let (low, below, above, high) =
            if is_low { (low, relation, other, high) } else { (high, other, relation, low) };
        let sign = |relation: Relation| match relation {
            Relation::Less | Relation::Greater => "<",
            _ => "<=",
        };
        let index = say(&Expr::read(index));
        told.push(format!("{} {} {index} {} {}", say(&low), sign(below), sign(above), say(&high)));
    }
    told.join(" && ")
}

/// A comparison of the number of a cell with something else: `k`, the other side, and how `k` is compared with it.
fn bound(program: &Program, condition: &Expr) -> Option<(Place, Expr, Relation)> {
    let Op::Compare(relation) = condition.root() else { return None };
    let [left, right] = <[Expr; 2]>::try_from(condition.operands()).ok()?;
    let flipped = match relation {
        Relation::Less => Relation::Greater,
        Relation::LessEqual => Relation::GreaterEqual,
        Relation::Greater => Relation::Less,
        Relation::GreaterEqual => Relation::LessEqual,
        Relation::Equal | Relation::NotEqual => return None,
    };
    let index = |expr: &Expr| match expr.root() {
        Op::Read(place) if is_index(program, place) => Some(place),
        _ => None,
    };
    match (index(&left), index(&right)) {
        (Some(place), None) => Some((place, right, relation)),
        (None, Some(place)) => Some((place, left, flipped)),
        _ => None,
    }
}

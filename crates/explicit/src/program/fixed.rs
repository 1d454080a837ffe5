//! Variables whose initial values are fixed: `init x = 5 & !b;` says so, and nothing has to be chosen.

use rsm::{Binary, Expr, Operation, Place, Term};
use rustc_hash::FxHashMap;

/// The values that conditions, all of which hold, give to variables outright. If they contradict each other, the conditions are
/// still there to say so.
pub(super) fn values(conditions: &[Expr]) -> FxHashMap<Place, u64> {
    let mut values = FxHashMap::default();
    let mut parts: Vec<&[Term]> = conditions.iter().map(|condition| &*condition.code).collect();
    while let Some(part) = parts.pop() {
        let operations: Vec<Operation> = part.iter().take(4).map(|term| term.operation).collect();
        match operations[..] {
            [Operation::Read(place)] => drop(values.insert(place, 1)),
            [Operation::Read(place), Operation::Not] => drop(values.insert(place, 0)),
            [Operation::Read(place), Operation::Constant(value), Operation::Binary(Binary::Equal)]
            | [Operation::Constant(value), Operation::Read(place), Operation::Binary(Binary::Equal)] => {
                values.insert(place, value);
            }
            _ => {
                if let Some((Term { operation: Operation::Binary(Binary::And), .. }, operands)) =
                    part.split_last()
                {
                    let (left, right) = operands.split_at(start_of_last(operands));
                    parts.extend([left, right]);
                }
            }
        }
    }
    values
}

/// Where the last expression of some code begins.
fn start_of_last(code: &[Term]) -> usize {
    let mut n_missing = 1;
    for (at, term) in code.iter().enumerate().rev() {
        n_missing -= 1;
        n_missing += match term.operation {
            Operation::Constant(_) | Operation::Read(_) | Operation::ReadNext(_) | Operation::Choice(_) => 0,
            Operation::Not | Operation::Negate => 1,
            Operation::Binary(_) | Operation::Schoose => 2,
            Operation::Conditional => 3,
        };
        if n_missing == 0 {
            return at;
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    use rsm::Type;

    fn term(operation: Operation) -> Term {
        Term { operation, ty: Type::Bool }
    }

    #[test]
    fn conjunctions_are_taken_apart() {
        let (x, y, z) = (Place::Global(0), Place::Global(1), Place::Global(2));
        let and = Operation::Binary(Binary::And);
        let equal = Operation::Binary(Binary::Equal);
        let or = Operation::Binary(Binary::Or);
        let code = [
            Operation::Read(x),
            Operation::Constant(7),
            equal,
            Operation::Read(y),
            Operation::Not,
            and,
            Operation::Read(z),
            Operation::Read(x),
            or,
            and,
        ];
        let expr = Expr { code: code.into_iter().map(term).collect() };
        assert_eq!(values(&[expr]), [(x, 7), (y, 0)].into_iter().collect());
    }
}

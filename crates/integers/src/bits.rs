//! Operations on the bits of numbers: what they are, and between which numbers their results lie.
//!
//! Numbers are mathematical, so that their bits go on for ever to the left: 0 in front of what is not negative, 1 in front of what is, which is two's complement in
//! every width at once. A shift multiplies by a power of two, or divides by one and rounds down.

use crate::number::Type;

/// What is done with each pair of bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Bitwise {
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
}

impl Bitwise {
    /// The number whose bits are made of those of the two.
    pub fn apply(self, left: i128, right: i128) -> i128 {
        match self {
            Bitwise::And => left & right,
            Bitwise::Or => left | right,
            Bitwise::Xor => left ^ right,
        }
    }

    /// How it is written.
    pub fn sign(self) -> &'static str {
        match self {
            Bitwise::And => "&",
            Bitwise::Or => "|",
            Bitwise::Xor => "^",
        }
    }

    /// Between which numbers the result lies if the operands lie between these.
    pub fn between(self, left: (i128, i128), right: (i128, i128)) -> (i128, i128) {
        // All of them have as many bits as the widest of the four numbers.
        let widest = [left.0, left.1, right.0, right.1].map(magnitude).into_iter().max().unwrap_or(0);
        let (least, most) = (-1 - widest, widest);
        match (self, left.0 >= 0, right.0 >= 0) {
            (Bitwise::And, true, true) => (0, left.1.min(right.1)),
            (Bitwise::And, true, false) => (0, left.1),
            (Bitwise::And, false, true) => (0, right.1),
            // Nothing is below both, and what is negative has a bit that stays.
            (Bitwise::And, false, false) => (least, left.1.max(right.1)),
            (Bitwise::Or, true, true) => (left.0.max(right.0), most),
            (Bitwise::Or, ..) => (left.0.min(right.0), if left.1 < 0 || right.1 < 0 { -1 } else { most }),
            (Bitwise::Xor, true, true) => (0, most),
            (Bitwise::Xor, ..) => (least, most),
        }
    }
}

/// The least number of ones that is as wide as the number.
fn magnitude(number: i128) -> i128 {
    let positive = if number < 0 { !number } else { number };
    match positive.leading_zeros() {
        0 | 1 => i128::MAX,
        zeros => (1 << (128 - zeros)) - 1,
    }
}

/// The runs of ones in a number that is not negative: where each begins, and how long it is.
pub(crate) fn runs(number: i128) -> Vec<(u32, u32)> {
    let mut runs = Vec::new();
    let (mut rest, mut at) = (number, 0);
    while rest > 0 {
        let zeros = rest.trailing_zeros();
        let ones = (rest >> zeros).trailing_ones();
        runs.push((at + zeros, ones));
        at += zeros + ones;
        rest >>= zeros + ones;
    }
    runs
}

/// A shift to the left by a distance in range, if the result has less than 128 bits.
pub(crate) fn left(number: i128, distance: i128) -> Option<i128> {
    let shifted = number.checked_shl(u32::try_from(distance).ok()?)?;
    (shifted >> distance == number).then_some(shifted)
}

/// A shift to the right by a distance in range: a quotient, rounded down.
pub(crate) fn right(number: i128, distance: i128) -> i128 {
    number >> distance.clamp(0, 127)
}

/// Whether a number of the type can be shifted so far.
pub(crate) fn is_distance(ty: Type, distance: i128) -> bool {
    0 <= distance && distance < i128::from(ty.bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_lie_where_they_are_said_to() {
        let range = -9..9;
        let mut n_tight = 0;
        for op in [Bitwise::And, Bitwise::Or, Bitwise::Xor] {
            for (a, b) in range.clone().flat_map(|a| (a..9).map(move |b| (a, b))) {
                for (c, d) in range.clone().flat_map(|c| (c..9).map(move |d| (c, d))) {
                    let (least, most) = op.between((a, b), (c, d));
                    let results = (a..=b).flat_map(|x| (c..=d).map(move |y| op.apply(x, y)));
                    let results: Vec<i128> = results.collect();
                    assert!(results.iter().all(|n| (least..=most).contains(n)), "{op:?} {a} {b} {c} {d}");
                    n_tight += usize::from(results.contains(&least) && results.contains(&most));
                }
            }
        }
        assert!(n_tight > 20_000, "{n_tight}");
    }

    #[test]
    fn ones_come_in_runs() {
        assert_eq!(runs(0), []);
        assert_eq!(runs(0b1101_1000), [(3, 2), (6, 2)]);
        assert_eq!(runs(u64::MAX.into()), [(0, 64)]);
    }

    #[test]
    fn shifts_multiply_and_divide() {
        assert_eq!((left(-3, 2), left(1, 126), left(1, 127)), (Some(-12), Some(1 << 126), None));
        assert_eq!((right(-3, 1), right(7, 1), right(-1, 63)), (-2, 3, -1));
    }
}

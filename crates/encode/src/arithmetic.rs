//! Arithmetic and comparisons of bit vectors of diagrams, the lowest bit first.

use dd::{Bdd, Exhausted, Manager};

/// `a + b + carry`, as wide as the operands.
pub(crate) fn add(dd: &mut Manager, a: &[Bdd], b: &[Bdd], mut carry: Bdd) -> Result<Vec<Bdd>, Exhausted> {
    let mut sum = Vec::with_capacity(a.len());
    for (&x, &y) in a.iter().zip(b) {
        let half = dd.xor(x, y)?;
        sum.push(dd.xor(half, carry)?);
        let both = dd.and(x, y)?;
        let passed = dd.and(half, carry)?;
        carry = dd.or(both, passed)?;
    }
    Ok(sum)
}

/// `a - b`.
pub(crate) fn subtract(dd: &mut Manager, a: &[Bdd], b: &[Bdd]) -> Result<Vec<Bdd>, Exhausted> {
    let inverted: Vec<Bdd> = b.iter().map(|bit| bit.complement()).collect();
    add(dd, a, &inverted, Bdd::TRUE)
}

/// `-a`.
pub(crate) fn negate(dd: &mut Manager, a: &[Bdd]) -> Result<Vec<Bdd>, Exhausted> {
    subtract(dd, &vec![Bdd::FALSE; a.len()], a)
}

/// `a * b`, cut to the width of the operands.
pub(crate) fn multiply(dd: &mut Manager, a: &[Bdd], b: &[Bdd]) -> Result<Vec<Bdd>, Exhausted> {
    let width = a.len();
    let mut product = vec![Bdd::FALSE; width];
    for (shift, &bit) in b.iter().enumerate() {
        if bit == Bdd::FALSE {
            continue;
        }
        let mut row = Vec::with_capacity(width - shift);
        for &x in &a[..width - shift] {
            row.push(dd.and(x, bit)?);
        }
        let upper = add(dd, &product[shift..], &row, Bdd::FALSE)?;
        product.splice(shift.., upper);
    }
    Ok(product)
}

/// `a = b`.
pub(crate) fn equal(dd: &mut Manager, a: &[Bdd], b: &[Bdd]) -> Result<Bdd, Exhausted> {
    let mut result = Bdd::TRUE;
    for (&x, &y) in a.iter().zip(b).rev() {
        let same = dd.iff(x, y)?;
        result = dd.and(result, same)?;
    }
    Ok(result)
}

/// `a < b`, unsigned.
pub(crate) fn less(dd: &mut Manager, a: &[Bdd], b: &[Bdd]) -> Result<Bdd, Exhausted> {
    let mut result = Bdd::FALSE;
    for (&x, &y) in a.iter().zip(b) {
        let below = dd.difference(y, x)?;
        let same = dd.iff(x, y)?;
        let kept = dd.and(same, result)?;
        result = dd.or(below, kept)?;
    }
    Ok(result)
}

/// `c ? a : b`, bit by bit.
pub(crate) fn select(dd: &mut Manager, c: Bdd, a: &[Bdd], b: &[Bdd]) -> Result<Vec<Bdd>, Exhausted> {
    a.iter().zip(b).map(|(&x, &y)| dd.ite(c, x, y)).collect()
}

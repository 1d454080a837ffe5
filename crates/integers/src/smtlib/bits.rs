//! Operations on bits as arithmetic: quotients and remainders by powers of two, which SMT-LIB rounds down.

use super::number;
use crate::bits::{Bitwise, runs};
use crate::number::Type;

/// Bits of a number and of one that is given: exact for every number.
pub(super) fn with(bitwise: Bitwise, operand: &str, given: i128) -> String {
    bound([("$bits", operand)], |[operand]| match bitwise {
        Bitwise::And => masked(operand, given),
        // What both have is counted twice.
        Bitwise::Or => format!("(- (+ {operand} {}) {})", number(given), masked(operand, given)),
        Bitwise::Xor => format!("(- (+ {operand} {}) (* 2 {}))", number(given), masked(operand, given)),
    })
}

/// The bits of a number where the mask has ones.
fn masked(operand: &str, mask: i128) -> String {
    if mask < 0 {
        // All bits but a few.
        return match masked(operand, !mask).as_str() {
            "0" => operand.to_owned(),
            taken => format!("(- {operand} {taken})"),
        };
    }
    let run = |(first, length): &(u32, u32)| {
        let low = format!("(mod {} {})", quotient(operand, *first), power(*length));
        if *first == 0 { low } else { format!("(* {} {low})", power(*first)) }
    };
    sum(runs(mask).iter().map(run).collect())
}

/// The number of a type whose bits are made of those of two numbers, one after the other.
pub(super) fn bitwise(bitwise: Bitwise, ty: Type, left: &str, right: &str) -> String {
    bound([("$left", left), ("$right", right)], |[left, right]| {
        let bit = |of: &str, n: u32| format!("(= (mod {} 2) 1)", quotient(of, n));
        let word = match bitwise {
            Bitwise::And => "and",
            Bitwise::Or => "or",
            Bitwise::Xor => "xor",
        };
        let weight = |n: u32| match ty.signed && n + 1 == u32::from(ty.bits) {
            true => format!("(- {})", power(n)),
            false => power(n),
        };
        let one = |n: u32| format!("(ite ({word} {} {}) {} 0)", bit(left, n), bit(right, n), weight(n));
        sum((0..ty.bits.into()).map(one).collect())
    })
}

/// A shift: by a constant, or by one of the distances that the type allows.
pub(super) fn shift(is_left: bool, ty: Type, operand: &str, distance: &str) -> String {
    let by = |operand: &str, n: u32| match (is_left, n) {
        (_, 0) => operand.to_owned(),
        (true, n) => format!("(* {} {operand})", power(n)),
        (false, n) => quotient(operand, n),
    };
    if let Some(n) = distance.parse::<u32>().ok().filter(|n| *n < ty.bits.into()) {
        return by(operand, n);
    }
    bound([("$shifted", operand), ("$by", distance)], |[operand, distance]| {
        let last = by(operand, u32::from(ty.bits) - 1);
        (0..u32::from(ty.bits) - 1)
            .rev()
            .fold(last, |others, n| format!("(ite (= {distance} {n}) {} {others})", by(operand, n)))
    })
}

/// That a shift goes so far as the type allows; `None` if that is plain to see.
pub(super) fn is_distance(ty: Type, distance: &str) -> Option<String> {
    let is_right = distance.parse::<u32>().is_ok_and(|n| n < ty.bits.into());
    (!is_right).then(|| format!("(<= 0 {distance} {})", ty.bits - 1))
}

fn quotient(operand: &str, n: u32) -> String {
    if n == 0 { operand.to_owned() } else { format!("(div {operand} {})", power(n)) }
}

fn power(n: u32) -> String {
    number(1 << n)
}

fn sum(terms: Vec<String>) -> String {
    match &terms[..] {
        [] => "0".to_owned(),
        [only] => only.clone(),
        all => format!("(+ {})", all.join(" ")),
    }
}

/// A text about operands, which are written once, so that it stays linear.
fn bound<const N: usize>(operands: [(&str, &str); N], text: impl FnOnce([&str; N]) -> String) -> String {
    let named = operands.map(|(name, operand)| if operand.starts_with('(') { name } else { operand });
    let bindings: Vec<String> = operands
        .iter()
        .filter(|(_, operand)| operand.starts_with('('))
        .map(|(name, operand)| format!("({name} {operand})"))
        .collect();
    match bindings.is_empty() {
        true => text(named),
        false => format!("(let ({}) {})", bindings.join(" "), text(named)),
    }
}

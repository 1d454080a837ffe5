//! Types of machine integers: a number of bits, with or without a sign.

use std::fmt;

/// The values a machine can keep in so many bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Type {
    /// From 1 to 64; more for pointers only.
    pub bits: u8,
    /// In two's complement, if there are negative values.
    pub signed: bool,
}

impl Type {
    /// Pointers, as [`crate::memory`] numbers them. No arithmetic is done in it.
    pub const POINTER: Self = Self { bits: 126, signed: true };

    /// A type with negative values.
    pub const fn signed(bits: u8) -> Self {
        Self { bits, signed: true }
    }

    /// A type without negative values.
    pub const fn unsigned(bits: u8) -> Self {
        Self { bits, signed: false }
    }

    /// The least value.
    pub fn min(self) -> i128 {
        if self.signed { -(1 << (self.bits - 1)) } else { 0 }
    }

    /// The greatest value.
    pub fn max(self) -> i128 {
        let bits = if self.signed { self.bits - 1 } else { self.bits };
        (1 << bits) - 1
    }

    /// The number of values.
    pub fn count(self) -> i128 {
        1 << self.bits
    }

    /// Whether the machine can keep the number.
    pub fn contains(self, number: i128) -> bool {
        self.min() <= number && number <= self.max()
    }

    /// Whether every value of the other type is one of this type.
    pub fn includes(self, other: Type) -> bool {
        self.min() <= other.min() && other.max() <= self.max()
    }

    /// The value that agrees with the number in the low bits.
    pub fn wrap(self, number: i128) -> i128 {
        let low = number & (self.count() - 1);
        if low > self.max() { low - self.count() } else { low }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::POINTER {
            return f.write_str("pointer");
        }
        write!(f, "{}{}", if self.signed { "int" } else { "uint" }, self.bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_of_types() {
        let int = Type::signed(32);
        assert_eq!((int.min(), int.max()), (-2_147_483_648, 2_147_483_647));
        assert_eq!(int.wrap(2_147_483_648), -2_147_483_648);
        assert_eq!(Type::unsigned(64).wrap(-1), i128::from(u64::MAX));
        assert_eq!(Type::signed(64).wrap(1 << 63), i128::from(i64::MIN));
        assert_eq!((Type::unsigned(1).max(), Type::unsigned(8).wrap(300)), (1, 44));
        assert!(int.includes(Type::unsigned(16)) && !int.includes(Type::unsigned(32)));
    }
}

//! How tightly the constructs of expressions bind, for the parser and the printer alike: what one writes the other reads back.

/// A construct stands without brackets where at most its own level is demanded.
pub(crate) type Level = u8;

/// Ends only at its own closing token.
pub(crate) const DELIMITED: Level = 0;
/// Reaches as far as it can: quantifiers, `if`.
pub(crate) const OPEN: Level = 1;
/// `->`, `<->` and their like.
pub(crate) const CONNECT: Level = 2;
pub(crate) const OR: Level = 3;
pub(crate) const AND: Level = 4;
pub(crate) const NOT: Level = 5;
pub(crate) const COMPARE: Level = 6;
/// `assume`, `cofactor`.
pub(crate) const SIMPLIFY: Level = 7;
/// A name, a constant, an application, or anything in brackets.
pub(crate) const BASIC: Level = 8;

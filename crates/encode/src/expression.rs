//! Evaluating postfix code on diagrams.

use crate::arithmetic;
use crate::value::{Alternative, Value, constant_bits, variables};
use crate::{Columns, Encoder};
use dd::{Bdd, Exhausted, Level, Manager};
use rsm::{Binary, Expr, Operation, Place, Term, Type};

/// Gives the bits of variables, old and new.
pub(crate) trait Read {
    fn old(&mut self, dd: &mut Manager, place: Place) -> Result<Vec<Bdd>, Exhausted>;
    fn next(&mut self, dd: &mut Manager, place: Place) -> Result<Vec<Bdd>, Exhausted>;
}

/// Reads the present state only.
struct Present<'c>(Columns<'c>);

impl Read for Present<'_> {
    fn old(&mut self, dd: &mut Manager, place: Place) -> Result<Vec<Bdd>, Exhausted> {
        variables(dd, self.0.place(place))
    }

    fn next(&mut self, dd: &mut Manager, place: Place) -> Result<Vec<Bdd>, Exhausted> {
        self.old(dd, place)
    }
}

/// What combining two alternatives gives.
type Combine = fn(&mut Manager, &[Bdd], &[Bdd]) -> Result<Vec<Bdd>, Exhausted>;

/// Whether two words compare, and whether they do not; a missing word is any value.
type Test =
    fn(&mut Encoder, &mut Manager, Option<&[Bdd]>, Option<&[Bdd]>, &Type) -> Result<(Bdd, Bdd), Exhausted>;

/// Products with a factor of so few bits have small diagrams.
const SMALL_FACTOR: usize = 6;

impl Encoder {
    /// The states in which a condition can hold, and those in which it can fail.
    pub fn condition(
        &mut self,
        dd: &mut Manager,
        columns: Columns,
        expr: &Expr,
    ) -> Result<(Bdd, Bdd), Exhausted> {
        let mut scratch = self.scratch;
        self.care = Bdd::TRUE;
        Ok(self.evaluate(dd, expr, &mut Present(columns), &mut scratch)?.truth())
    }

    /// The states of a set in which each of some conditions can hold.
    pub fn restrict<'e>(
        &mut self,
        dd: &mut Manager,
        columns: Columns,
        mut states: Bdd,
        conditions: impl IntoIterator<Item = &'e Expr>,
    ) -> Result<Bdd, Exhausted> {
        for condition in conditions {
            let (holds, _) = self.condition(dd, columns, condition)?;
            states = dd.and(states, holds)?;
        }
        Ok(states)
    }

    /// The bit patterns at some levels that are values of a type. Of a variable that has no levels nothing is said.
    pub fn domain(&mut self, dd: &mut Manager, levels: &[Level], ty: &Type) -> Result<Bdd, Exhausted> {
        let max = ty.max();
        if levels.is_empty() || max == u64::MAX || (max + 1).is_power_of_two() {
            return Ok(Bdd::TRUE);
        }
        let bits = variables(dd, levels)?;
        let above = arithmetic::less(dd, &constant_bits(max, ty), &bits)?;
        Ok(above.complement())
    }

    /// The possible values of an expression. `scratch` is the next free level for choices.
    pub(crate) fn evaluate(
        &mut self,
        dd: &mut Manager,
        expr: &Expr,
        read: &mut impl Read,
        scratch: &mut Level,
    ) -> Result<Value, Exhausted> {
        let mut stack: Vec<(Value, &Type)> = Vec::new();
        for Term { operation, ty } in &expr.code {
            let mut pop = || stack.pop().expect("postfix code has its operands");
            let value = match operation {
                Operation::Constant(value) => Value::constant(*value, ty),
                Operation::Read(place) => Value::of_bits(read.old(dd, *place)?, ty),
                Operation::ReadNext(place) => Value::of_bits(read.next(dd, *place)?, ty),
                Operation::Choice(_) if *ty == Type::Bool => Value::Bool { yes: Bdd::TRUE, no: Bdd::TRUE },
                Operation::Choice(_) => Value::Word(vec![Alternative::any()]),
                Operation::Not => {
                    let (yes, no) = pop().0.truth();
                    Value::Bool { yes: no, no: yes }
                }
                Operation::Negate => Value::Word(self.negate(dd, pop().0.word())?),
                Operation::Binary(binary) => {
                    let ((b, _), (a, operands)) = (pop(), pop());
                    self.binary(dd, *binary, a, b, operands, scratch)?
                }
                Operation::Conditional => {
                    let ((b, _), (a, _), (c, _)) = (pop(), pop(), pop());
                    self.conditional(dd, c.truth(), a, b)?
                }
                Operation::Schoose => {
                    let ((n, _), (p, _)) = (pop(), pop());
                    let ((p_yes, p_no), (_, n_no)) = (p.truth(), n.truth());
                    let free = dd.and(p_no, n_no)?;
                    Value::Bool { yes: dd.or(p_yes, free)?, no: p_no }
                }
            };
            stack.push((value, ty));
        }
        Ok(stack.pop().expect("postfix code leaves a value").0)
    }

    fn negate(&mut self, dd: &mut Manager, a: Vec<Alternative>) -> Result<Vec<Alternative>, Exhausted> {
        a.into_iter()
            .map(|alternative| {
                let bits = alternative.bits.map(|bits| arithmetic::negate(dd, &bits)).transpose()?;
                Ok(Alternative { bits, ..alternative })
            })
            .collect()
    }

    fn binary(
        &mut self,
        dd: &mut Manager,
        binary: Binary,
        a: Value,
        b: Value,
        operands: &Type,
        scratch: &mut Level,
    ) -> Result<Value, Exhausted> {
        if *operands == Type::Bool {
            return self.connective(dd, binary, a.truth(), b.truth());
        }
        let (a, b) = (a.word(), b.word());
        match binary {
            Binary::Add => self.sum(dd, a, b, |dd, a, b| arithmetic::add(dd, a, b, Bdd::FALSE)),
            Binary::Subtract => self.sum(dd, a, b, arithmetic::subtract),
            Binary::Multiply => self.product(dd, a, b, operands, scratch),
            Binary::Equal => self.compare(dd, a, b, operands, Self::equal_words),
            Binary::NotEqual => {
                let (yes, no) = self.compare(dd, a, b, operands, Self::equal_words)?.truth();
                Ok(Value::Bool { yes: no, no: yes })
            }
            Binary::Less => self.compare(dd, a, b, operands, Self::less_words),
            Binary::LessEqual => {
                let (yes, no) = self.compare(dd, b, a, operands, Self::less_words)?.truth();
                Ok(Value::Bool { yes: no, no: yes })
            }
            Binary::And | Binary::Or | Binary::Xor | Binary::Implies => {
                unreachable!("connectives have Boolean operands")
            }
        }
    }

    /// Connectives, and comparisons of Booleans.
    fn connective(
        &mut self,
        dd: &mut Manager,
        binary: Binary,
        (a_yes, a_no): (Bdd, Bdd),
        (b_yes, b_no): (Bdd, Bdd),
    ) -> Result<Value, Exhausted> {
        let (a, b) = ((a_yes, a_no), (b_yes, b_no));
        let swap = |(yes, no): (Bdd, Bdd)| (no, yes);
        let and = |dd: &mut Manager, a: (Bdd, Bdd), b: (Bdd, Bdd)| -> Result<(Bdd, Bdd), Exhausted> {
            Ok((dd.and(a.0, b.0)?, dd.or(a.1, b.1)?))
        };
        let same = |dd: &mut Manager, a: (Bdd, Bdd), b: (Bdd, Bdd)| -> Result<(Bdd, Bdd), Exhausted> {
            let (both, neither) = (dd.and(a.0, b.0)?, dd.and(a.1, b.1)?);
            let (first, second) = (dd.and(a.0, b.1)?, dd.and(a.1, b.0)?);
            Ok((dd.or(both, neither)?, dd.or(first, second)?))
        };
        let (yes, no) = match binary {
            Binary::And => and(dd, a, b)?,
            Binary::Or => swap(and(dd, swap(a), swap(b))?),
            Binary::Implies | Binary::LessEqual => swap(and(dd, a, swap(b))?),
            Binary::Less => and(dd, swap(a), b)?,
            Binary::Equal => same(dd, a, b)?,
            Binary::NotEqual | Binary::Xor => swap(same(dd, a, b)?),
            Binary::Add | Binary::Subtract | Binary::Multiply => {
                unreachable!("arithmetic has integer operands")
            }
        };
        Ok(Value::Bool { yes, no })
    }

    fn conditional(
        &mut self,
        dd: &mut Manager,
        (c_yes, c_no): (Bdd, Bdd),
        a: Value,
        b: Value,
    ) -> Result<Value, Exhausted> {
        if let (Value::Bool { yes: a_yes, no: a_no }, Value::Bool { yes: b_yes, no: b_no }) = (&a, &b) {
            let mut either = |a, b| -> Result<Bdd, Exhausted> {
                let (first, second) = (dd.and(c_yes, a)?, dd.and(c_no, b)?);
                dd.or(first, second)
            };
            return Ok(Value::Bool { yes: either(*a_yes, *b_yes)?, no: either(*a_no, *b_no)? });
        }
        if let (true, Some(x), Some(y)) = (c_no == c_yes.complement(), a.function(), b.function()) {
            return Ok(Value::Word(vec![Alternative::known(arithmetic::select(dd, c_yes, &x, &y)?)]));
        }
        let mut result = Vec::new();
        for (guard, word) in [(c_yes, a.word()), (c_no, b.word())] {
            for alternative in word {
                let given = dd.and(guard, alternative.given)?;
                if given != Bdd::FALSE {
                    result.push(Alternative { given, ..alternative });
                }
            }
        }
        Ok(Value::Word(result))
    }

    /// Sums and differences: with any value on one side, any value comes out.
    fn sum(
        &mut self,
        dd: &mut Manager,
        a: Vec<Alternative>,
        b: Vec<Alternative>,
        combine: Combine,
    ) -> Result<Value, Exhausted> {
        self.pairs(dd, &a, &b, |dd, x, y| match (x, y) {
            (Some(x), Some(y)) => Ok(Some(combine(dd, x, y)?)),
            _ => Ok(None),
        })
    }

    /// Products: any value is written out on scratch levels, unless both sides are any value.
    fn product(
        &mut self,
        dd: &mut Manager,
        mut a: Vec<Alternative>,
        mut b: Vec<Alternative>,
        ty: &Type,
        scratch: &mut Level,
    ) -> Result<Value, Exhausted> {
        let any = |word: &[Alternative]| word.iter().all(|alternative| alternative.bits.is_none());
        if !(any(&a) && any(&b)) {
            for alternative in a.iter_mut().chain(&mut b).filter(|alternative| alternative.bits.is_none()) {
                let levels: Vec<Level> = (*scratch..*scratch + ty.n_bits()).collect();
                *scratch += ty.n_bits();
                alternative.bits = Some(variables(dd, &levels)?);
                alternative.scratch.extend(levels);
            }
        }
        self.constrain_factors(dd, &a, &mut b)?;
        self.pairs(dd, &a, &b, |dd, x, y| match (x, y) {
            (Some(x), Some(y)) => Ok(Some(arithmetic::multiply(dd, x, y)?)),
            _ => Ok(None),
        })
    }

    /// The second factors of products whose diagrams may be large are constrained before the product is built: they are 0 in states that do not matter, and have few bits if
    /// that is wanted.
    fn constrain_factors(
        &mut self,
        dd: &mut Manager,
        a: &[Alternative],
        b: &mut [Alternative],
    ) -> Result<(), Exhausted> {
        let words = |side: &[Alternative]| -> Vec<Bdd> {
            side.iter().filter_map(|alternative| alternative.bits.clone()).flatten().collect()
        };
        let is_large = |side: &[Alternative]| {
            words(side).iter().filter(|bit| !matches!(**bit, Bdd::FALSE | Bdd::TRUE)).count() > SMALL_FACTOR
        };
        if !is_large(a) || !is_large(b) {
            return Ok(());
        }
        let care = self.care_for(dd, words(a).into_iter().chain(words(b)))?;
        for alternative in b {
            let Some(bits) = &mut alternative.bits else { continue };
            for bit in bits.iter_mut() {
                *bit = dd.and(*bit, care)?;
            }
            for bit in bits.iter_mut().skip(self.narrow.unwrap_or(usize::MAX)) {
                alternative.given = dd.and(alternative.given, bit.complement())?;
                *bit = Bdd::FALSE;
            }
        }
        Ok(())
    }

    /// What matters, as far as some diagrams can tell.
    fn care_for(&mut self, dd: &mut Manager, bits: impl Iterator<Item = Bdd>) -> Result<Bdd, Exhausted> {
        if self.care == Bdd::TRUE {
            return Ok(Bdd::TRUE);
        }
        let mut seen: Vec<Level> = bits.flat_map(|bit| dd.support(bit)).collect();
        seen.sort_unstable();
        let mut others = dd.support(self.care);
        others.retain(|level| seen.binary_search(level).is_err());
        self.and_exists(dd, self.care, Bdd::TRUE, others)
    }

    /// Combines each alternative of one side with each of the other.
    fn pairs(
        &mut self,
        dd: &mut Manager,
        a: &[Alternative],
        b: &[Alternative],
        mut combine: impl FnMut(
            &mut Manager,
            Option<&[Bdd]>,
            Option<&[Bdd]>,
        ) -> Result<Option<Vec<Bdd>>, Exhausted>,
    ) -> Result<Value, Exhausted> {
        let mut result = Vec::new();
        for x in a {
            for y in b {
                let given = dd.and(x.given, y.given)?;
                if given != Bdd::FALSE {
                    let bits = combine(dd, x.bits.as_deref(), y.bits.as_deref())?;
                    let scratch = x.scratch.iter().chain(&y.scratch).copied().collect();
                    result.push(Alternative { given, bits, scratch });
                }
            }
        }
        Ok(Value::Word(result))
    }

    /// Whether some alternatives compare, and whether some do not; the choices are quantified.
    fn compare(
        &mut self,
        dd: &mut Manager,
        a: Vec<Alternative>,
        b: Vec<Alternative>,
        ty: &Type,
        test: Test,
    ) -> Result<Value, Exhausted> {
        let (mut yes, mut no) = (Bdd::FALSE, Bdd::FALSE);
        for x in &a {
            for y in &b {
                let given = dd.and(x.given, y.given)?;
                let (holds, fails) = test(self, dd, x.bits.as_deref(), y.bits.as_deref(), ty)?;
                let scratch: Vec<Level> = x.scratch.iter().chain(&y.scratch).copied().collect();
                let holds = self.and_exists(dd, given, holds, scratch.clone())?;
                let fails = self.and_exists(dd, given, fails, scratch)?;
                yes = dd.or(yes, holds)?;
                no = dd.or(no, fails)?;
            }
        }
        Ok(Value::Bool { yes, no })
    }

    fn equal_words(
        &mut self,
        dd: &mut Manager,
        a: Option<&[Bdd]>,
        b: Option<&[Bdd]>,
        ty: &Type,
    ) -> Result<(Bdd, Bdd), Exhausted> {
        match (a, b) {
            (Some(a), Some(b)) => {
                let equal = arithmetic::equal(dd, a, b)?;
                Ok((equal, equal.complement()))
            }
            _ => Ok((Bdd::TRUE, Bdd::constant(ty.max() > 0))),
        }
    }

    fn less_words(
        &mut self,
        dd: &mut Manager,
        a: Option<&[Bdd]>,
        b: Option<&[Bdd]>,
        ty: &Type,
    ) -> Result<(Bdd, Bdd), Exhausted> {
        match (a, b) {
            (Some(a), Some(b)) => {
                let less = arithmetic::less(dd, a, b)?;
                Ok((less, less.complement()))
            }
            // 0 is below everything but 0, and nothing is below 0.
            (None, Some(b)) => {
                let zero = arithmetic::equal(dd, b, &constant_bits(0, ty))?;
                Ok((zero.complement(), Bdd::TRUE))
            }
            (Some(a), None) => {
                let largest = arithmetic::equal(dd, a, &constant_bits(ty.max(), ty))?;
                Ok((largest.complement(), Bdd::TRUE))
            }
            (None, None) => Ok((Bdd::constant(ty.max() > 0), Bdd::TRUE)),
        }
    }
}

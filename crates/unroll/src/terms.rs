//! Numbers and truth values that depend on inputs, each kept once.
//!
//! A number is a mathematical integer, and between which limits it lies is known, so that it has a width in bits in which nothing is lost. What is
//! decided by constants or by limits is decided when a term is made.

use integers::{Bitwise, Relation, Type};
use rustc_hash::FxHashMap;

base::index_type! {
    /// A number: a position in [`Terms`].
    Int;
    /// A truth value: a position in [`Terms`].
    Bool;
}

/// How a number is made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Number {
    /// It is known.
    Constant(i128),
    /// The environment chose it: the how manyth input.
    Input(u32),
    /// `a + b`
    Add(Int, Int),
    /// `a - b`
    Subtract(Int, Int),
    /// `a * b`
    Multiply(Int, Int),
    /// `a / b`, truncated; whatever, if `b` is 0.
    Divide(Int, Int),
    /// `a % b` with the sign of `a`; whatever, if `b` is 0.
    Remainder(Int, Int),
    /// Bits of both.
    Bits(Bitwise, Int, Int),
    /// `a` times 2 to the power of `b`; whatever, if `b` is negative or above 63.
    ShiftLeft(Int, Int),
    /// `a` by 2 to the power of `b`, rounded down; whatever, if `b` is negative or above 63.
    ShiftRight(Int, Int),
    /// The low bits, as a value of the type.
    Wrap(Type, Int),
    /// One or the other.
    Choose(Bool, Int, Int),
}

/// How a truth value is made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Truth {
    /// It is known.
    Constant(bool),
    /// Nobody knows it: the how manyth of these.
    Open(u32),
    /// `a == b`
    Equal(Int, Int),
    /// `a < b`
    Less(Int, Int),
    /// It does not hold.
    Not(Bool),
    /// Both hold.
    And(Bool, Bool),
    /// One of them holds.
    Or(Bool, Bool),
}

/// All terms of a question.
#[derive(Debug)]
pub struct Terms {
    numbers: Vec<(Number, (i128, i128))>,
    truths: Vec<Truth>,
    known_numbers: FxHashMap<Number, Int>,
    known_truths: FxHashMap<Truth, Bool>,
    /// All of them, in the order in which they were made: whatever a term is made of comes before it.
    made: Vec<Made>,
    /// The types of the inputs.
    inputs: Vec<Type>,
    n_open: u32,
}

/// A term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Made {
    /// A number.
    Number(Int),
    /// A truth value.
    Truth(Bool),
}

/// The truth value that holds.
pub const YES: Bool = Bool(0);
/// The one that does not.
pub const NO: Bool = Bool(1);

/// What is not computed: a number may have more than 126 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooWide;

/// Numbers beyond are not computed.
const WIDEST: i128 = 1 << 125;

impl Default for Terms {
    fn default() -> Self {
        let truths = vec![Truth::Constant(true), Truth::Constant(false)];
        let known_truths = truths.iter().enumerate().map(|(n, truth)| (*truth, Bool::new(n))).collect();
        Self {
            numbers: Vec::new(),
            truths,
            known_numbers: FxHashMap::default(),
            known_truths,
            made: vec![Made::Truth(YES), Made::Truth(NO)],
            inputs: Vec::new(),
            n_open: 0,
        }
    }
}

impl Terms {
    /// All of them: whatever a term is made of comes before it.
    pub fn made(&self) -> &[Made] {
        &self.made
    }

    /// The types of the inputs.
    pub fn inputs(&self) -> &[Type] {
        &self.inputs
    }

    /// How a number is made.
    pub fn number(&self, int: Int) -> Number {
        self.numbers[int.index()].0
    }

    /// The least and the greatest value of a number.
    pub fn limits(&self, int: Int) -> (i128, i128) {
        self.numbers[int.index()].1
    }

    /// How a truth value is made.
    pub fn truth(&self, bool: Bool) -> Truth {
        self.truths[bool.index()]
    }

    /// The number, if it is known.
    pub fn known(&self, int: Int) -> Option<i128> {
        match self.number(int) {
            Number::Constant(number) => Some(number),
            _ => None,
        }
    }

    fn keep(&mut self, number: Number, (least, most): (i128, i128)) -> Int {
        let number = if least == most { Number::Constant(least) } else { number };
        if let Some(known) = self.known_numbers.get(&number) {
            return *known;
        }
        let int = Int::new(self.numbers.len());
        self.numbers.push((number, (least, most)));
        self.made.push(Made::Number(int));
        self.known_numbers.insert(number, int);
        int
    }

    fn keep_truth(&mut self, truth: Truth) -> Bool {
        if let Some(known) = self.known_truths.get(&truth) {
            return *known;
        }
        let bool = Bool::new(self.truths.len());
        self.truths.push(truth);
        self.made.push(Made::Truth(bool));
        self.known_truths.insert(truth, bool);
        bool
    }

    /// A number that is known.
    pub fn constant(&mut self, number: i128) -> Int {
        self.keep(Number::Constant(number), (number, number))
    }

    /// What the environment chooses from a type.
    pub fn input(&mut self, ty: Type) -> Int {
        let position = self.inputs.len() as u32;
        self.inputs.push(ty);
        self.keep(Number::Input(position), (ty.min(), ty.max()))
    }

    /// A truth value that nobody knows.
    pub fn open(&mut self) -> Bool {
        self.n_open += 1;
        self.keep_truth(Truth::Open(self.n_open - 1))
    }

    /// `a + b`
    pub fn add(&mut self, left: Int, right: Int) -> Result<Int, TooWide> {
        let ((a, b), (c, d)) = (self.limits(left), self.limits(right));
        match (self.known(left), self.known(right)) {
            (_, Some(0)) => Ok(left),
            (Some(0), _) => Ok(right),
            _ => {
                let limits = limits(a.checked_add(c), b.checked_add(d))?;
                Ok(self.keep(Number::Add(left, right), limits))
            }
        }
    }

    /// `a - b`
    pub fn subtract(&mut self, left: Int, right: Int) -> Result<Int, TooWide> {
        if left == right {
            return Ok(self.constant(0));
        }
        let ((a, b), (c, d)) = (self.limits(left), self.limits(right));
        match self.known(right) {
            Some(0) => Ok(left),
            _ => {
                let limits = limits(a.checked_sub(d), b.checked_sub(c))?;
                Ok(self.keep(Number::Subtract(left, right), limits))
            }
        }
    }

    /// `a * b`
    pub fn multiply(&mut self, left: Int, right: Int) -> Result<Int, TooWide> {
        let ((a, b), (c, d)) = (self.limits(left), self.limits(right));
        match (self.known(left), self.known(right)) {
            (_, Some(1)) | (Some(0), _) => return Ok(left),
            (Some(1), _) | (_, Some(0)) => return Ok(right),
            _ => {}
        }
        let products: Option<Vec<i128>> =
            [a.checked_mul(c), a.checked_mul(d), b.checked_mul(c), b.checked_mul(d)].into_iter().collect();
        let products = products.ok_or(TooWide)?;
        let limits = limits(products.iter().copied().min(), products.iter().copied().max())?;
        Ok(self.keep(Number::Multiply(left, right), limits))
    }

    /// The low bits of a product, as a value of a type.
    pub fn wrapped_product(&mut self, ty: Type, left: Int, right: Int) -> Int {
        if let Ok(product) = self.multiply(left, right) {
            return self.wrap(ty, product);
        }
        if let (Some(left), Some(right)) = (self.known(left), self.known(right)) {
            return self.constant(ty.wrap(left.wrapping_mul(right)));
        }
        // Nobody but the next term sees the product, and of that only low bits.
        let product = self.keep(Number::Multiply(left, right), (-WIDEST, WIDEST));
        self.keep(Number::Wrap(ty, product), (ty.min(), ty.max()))
    }

    /// `a / b`, truncated.
    pub fn divide(&mut self, left: Int, right: Int) -> Int {
        let (a, b) = self.limits(left);
        match (self.known(left), self.known(right)) {
            (Some(left), Some(right)) if right != 0 => return self.constant(left / right),
            (_, Some(1)) => return left,
            (_, Some(right)) if right > 1 => {
                return self.keep(Number::Divide(left, self.known_constant(right)), (a / right, b / right));
            }
            _ => {}
        }
        let most = a.abs().max(b.abs());
        let least = if a >= 0 && self.limits(right).0 >= 0 { 0 } else { -most };
        self.keep(Number::Divide(left, right), (least, most))
    }

    fn known_constant(&self, number: i128) -> Int {
        self.known_numbers[&Number::Constant(number)]
    }

    /// `a % b`, with the sign of `a`.
    pub fn remainder(&mut self, left: Int, right: Int) -> Int {
        let ((a, b), (c, d)) = (self.limits(left), self.limits(right));
        if let (Some(left), Some(right)) = (self.known(left), self.known(right))
            && right != 0
        {
            return self.constant(left % right);
        }
        // By zero it may be anything that is between the limits.
        let divisor = c.abs().max(d.abs()).max(1) - 1;
        if c > b && a >= 0 {
            return left;
        }
        let least = if a >= 0 { 0 } else { -divisor.min(-a) };
        let most = if b <= 0 { 0 } else { divisor.min(b) };
        self.keep(Number::Remainder(left, right), (least, most))
    }

    /// Bits of two numbers.
    pub fn bits(&mut self, bitwise: Bitwise, left: Int, right: Int) -> Int {
        if let (Some(left), Some(right)) = (self.known(left), self.known(right)) {
            return self.constant(bitwise.apply(left, right));
        }
        match (bitwise, self.known(right)) {
            (Bitwise::Xor | Bitwise::Or, Some(0)) | (Bitwise::And, Some(-1)) => return left,
            (Bitwise::And, Some(0)) => return right,
            _ => {}
        }
        if left == right {
            return if bitwise == Bitwise::Xor { self.constant(0) } else { left };
        }
        let limits = bitwise.between(self.limits(left), self.limits(right));
        self.keep(Number::Bits(bitwise, left, right), limits)
    }

    /// `a` times 2 to the power of `b`, which is from 0 to 63 where it matters.
    pub fn shift_left(&mut self, left: Int, right: Int) -> Result<Int, TooWide> {
        let ((a, b), (_, d)) = (self.limits(left), self.limits(right));
        if let Some(distance) = self.known(right).filter(|distance| (0..64).contains(distance)) {
            let power = self.constant(1 << distance);
            return self.multiply(left, power);
        }
        let most = 1i128 << d.clamp(0, 63);
        let limits = limits(a.min(0).checked_mul(most), b.max(0).checked_mul(most))?;
        Ok(self.keep(Number::ShiftLeft(left, right), limits))
    }

    /// The low bits of what [`Terms::shift_left`] gives, as a value of a type.
    pub fn wrapped_shift(&mut self, ty: Type, left: Int, right: Int) -> Int {
        if let Ok(shifted) = self.shift_left(left, right) {
            return self.wrap(ty, shifted);
        }
        let shifted = self.keep(Number::ShiftLeft(left, right), (-WIDEST, WIDEST));
        self.keep(Number::Wrap(ty, shifted), (ty.min(), ty.max()))
    }

    /// `a` by 2 to the power of `b`, rounded down; `b` is from 0 to 63 where it matters.
    pub fn shift_right(&mut self, left: Int, right: Int) -> Int {
        let (a, b) = self.limits(left);
        match (self.known(right).filter(|distance| (0..64).contains(distance)), self.known(left)) {
            (Some(0), _) => left,
            (Some(distance), Some(left)) => self.constant(left >> distance),
            (Some(distance), _) => self.keep(Number::ShiftRight(left, right), (a >> distance, b >> distance)),
            _ => self.keep(Number::ShiftRight(left, right), (a.min(0), b.max(0))),
        }
    }

    /// The low bits, as a value of the type.
    pub fn wrap(&mut self, ty: Type, int: Int) -> Int {
        let (least, most) = self.limits(int);
        if ty.contains(least) && ty.contains(most) {
            return int;
        }
        match self.number(int) {
            Number::Constant(number) => self.constant(ty.wrap(number)),
            Number::Wrap(inner, int) if inner.bits >= ty.bits => self.wrap(ty, int),
            _ => self.keep(Number::Wrap(ty, int), (ty.min(), ty.max())),
        }
    }

    /// One number where a condition holds, another where it does not.
    pub fn choose(&mut self, condition: Bool, yes: Int, no: Int) -> Int {
        match self.truth(condition) {
            _ if yes == no => return yes,
            Truth::Constant(true) => return yes,
            Truth::Constant(false) => return no,
            Truth::Not(condition) => return self.choose(condition, no, yes),
            _ => {}
        }
        // What is asked again is known.
        let yes = match self.number(yes) {
            Number::Choose(inner, first, _) if inner == condition => first,
            _ => yes,
        };
        let no = match self.number(no) {
            Number::Choose(inner, _, second) if inner == condition => second,
            _ => no,
        };
        let ((a, b), (c, d)) = (self.limits(yes), self.limits(no));
        self.keep(Number::Choose(condition, yes, no), (a.min(c), b.max(d)))
    }

    /// Two numbers, compared.
    pub fn compare(&mut self, relation: Relation, left: Int, right: Int) -> Bool {
        match relation {
            Relation::Equal => self.equal(left, right),
            Relation::NotEqual => {
                let equal = self.equal(left, right);
                self.not(equal)
            }
            Relation::Less => self.less(left, right),
            Relation::GreaterEqual => {
                let less = self.less(left, right);
                self.not(less)
            }
            Relation::Greater => self.less(right, left),
            Relation::LessEqual => {
                let less = self.less(right, left);
                self.not(less)
            }
        }
    }

    /// `a == b`
    pub fn equal(&mut self, left: Int, right: Int) -> Bool {
        let ((a, b), (c, d)) = (self.limits(left), self.limits(right));
        if left == right {
            return YES;
        }
        if b < c || d < a {
            return NO;
        }
        self.compared(Truth::Equal(left.min(right), left.max(right)), left, right)
    }

    /// `a < b`
    pub fn less(&mut self, left: Int, right: Int) -> Bool {
        let ((a, b), (c, d)) = (self.limits(left), self.limits(right));
        if b < c {
            return YES;
        }
        if a >= d || left == right {
            return NO;
        }
        self.compared(Truth::Less(left, right), left, right)
    }

    /// A comparison that limits do not decide; if one side is a choice and the other a number, perhaps its branches do.
    fn compared(&mut self, truth: Truth, left: Int, right: Int) -> Bool {
        if let Some(known) = self.known_truths.get(&truth) {
            return *known;
        }
        let is_equal = matches!(truth, Truth::Equal(..));
        let sides = [(left, right, false), (right, left, true)];
        for (side, other, is_right) in sides {
            let (Number::Choose(condition, yes, no), Some(_)) = (self.number(side), self.known(other)) else {
                continue;
            };
            let branch = |terms: &mut Self, branch: Int| match (is_equal, is_right) {
                (true, _) => terms.equal(branch, other),
                (false, false) => terms.less(branch, other),
                (false, true) => terms.less(other, branch),
            };
            let is_leaf = |terms: &Self, int: Int| !matches!(terms.number(int), Number::Choose(..));
            // Of a chain of choices one branch is short.
            if !is_leaf(self, yes) && !is_leaf(self, no) {
                continue;
            }
            let (yes, no) = (branch(self, yes), branch(self, no));
            if yes.index() < 2 || no.index() < 2 {
                let decided = self.either(condition, yes, no);
                self.known_truths.insert(truth, decided);
                return decided;
            }
        }
        self.keep_truth(truth)
    }

    /// One truth value where a condition holds, another where it does not.
    pub fn either(&mut self, condition: Bool, yes: Bool, no: Bool) -> Bool {
        if yes == no {
            return yes;
        }
        let first = self.and(condition, yes);
        let other = self.not(condition);
        let second = self.and(other, no);
        self.or(first, second)
    }

    /// It does not hold.
    pub fn not(&mut self, bool: Bool) -> Bool {
        match self.truth(bool) {
            Truth::Constant(value) => {
                if value {
                    NO
                } else {
                    YES
                }
            }
            Truth::Not(inner) => inner,
            _ => self.keep_truth(Truth::Not(bool)),
        }
    }

    /// Both hold.
    pub fn and(&mut self, left: Bool, right: Bool) -> Bool {
        if left == NO || right == NO {
            return NO;
        }
        if left == YES || left == right {
            return right;
        }
        if right == YES {
            return left;
        }
        let opposite = self.not(right);
        if left == opposite {
            return NO;
        }
        // What has been asked on the way is not asked again.
        let mut rest = left;
        for _ in 0..8 {
            match self.truth(rest) {
                Truth::And(_, last) if last == right => return left,
                Truth::And(_, last) if last == opposite => return NO,
                Truth::And(before, _) => rest = before,
                _ => break,
            }
        }
        self.keep_truth(Truth::And(left, right))
    }

    /// One of them holds.
    pub fn or(&mut self, left: Bool, right: Bool) -> Bool {
        if left == YES || right == YES {
            return YES;
        }
        if left == NO || left == right {
            return right;
        }
        if right == NO {
            return left;
        }
        let opposite = self.not(right);
        if left == opposite {
            return YES;
        }
        if let Some((before, _)) = self.parted(left, right) {
            return before;
        }
        // What holds in one way with something beside it holds.
        match (self.truth(left), self.truth(right)) {
            (Truth::And(a, b), _) if a == right || b == right => return right,
            (_, Truth::And(a, b)) if a == left || b == left => return left,
            _ => {}
        }
        self.keep_truth(Truth::Or(left.min(right), left.max(right)))
    }

    /// What two ways have in common, and the condition for the first, if they part there: `p && c` and `p && !c`.
    pub fn parted(&mut self, left: Bool, right: Bool) -> Option<(Bool, Bool)> {
        let opposite = self.not(right);
        if left == opposite {
            return Some((YES, left));
        }
        let (Truth::And(before, condition), Truth::And(other, last)) = (self.truth(left), self.truth(right))
        else {
            return None;
        };
        let opposite = self.not(last);
        (before == other && condition == opposite).then_some((before, condition))
    }
}

/// Limits that are narrow enough.
fn limits(least: Option<i128>, most: Option<i128>) -> Result<(i128, i128), TooWide> {
    match (least, most) {
        (Some(least), Some(most)) if -WIDEST <= least && most <= WIDEST => Ok((least, most)),
        _ => Err(TooWide),
    }
}

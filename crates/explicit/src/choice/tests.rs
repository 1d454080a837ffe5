//! Counting with numbers passed over, against counting all of them.

use super::{Cursor, Execution};
use crate::program::Program;
use base::Sources;
use generate::dice::Dice;
use generate::random::seeds;
use rsm::{Reductions, reduce};
use std::collections::BTreeSet;

/// A random expression over `a`, `b` and `c`, of type `int<5>` or Boolean.
fn expression(dice: &mut Dice, depth: usize, is_truth: bool) -> String {
    let both = |dice: &mut Dice, is_truth: bool| {
        let left = expression(dice, depth.saturating_sub(1), is_truth);
        (left, expression(dice, depth.saturating_sub(1), is_truth))
    };
    match (is_truth, depth) {
        (false, 0) => match dice.below(5) {
            // A number alone has no type to be compared in.
            0 => format!("(0 * c + {})", dice.below(32)),
            _ => dice.pick(&["a", "b", "c"]).to_owned(),
        },
        (false, _) => {
            let (left, right) = both(dice, false);
            format!("({left} {} {right})", dice.pick(&["+", "-", "*"]))
        }
        (true, 0 | 1) => {
            let (left, right) = both(dice, false);
            format!("({left} {} {right})", dice.pick(&["=", "=", "<", "<=", "!="]))
        }
        (true, _) if dice.chance(15) => format!("!{}", expression(dice, depth - 1, true)),
        (true, _) => {
            let (left, right) = both(dice, true);
            format!("({left} {} {right})", dice.pick(&["&", "&", "|"]))
        }
    }
}

/// The program that begins with some values of three variables.
fn program(condition: &str) -> Program {
    let text = format!(
        "decl a: int<5>, b: int<5>, c: int<5>; init {condition};
         void main() begin assume(a < b | b < c | c <= a); end"
    );
    let mut sources = Sources::default();
    let (checked, _) = bp::load(&mut sources, "test.bp", text).expect("the program is right");
    let rsm = bp::lower(&checked).expect("the program is right");
    Program::new(&rsm, &reduce(&rsm, &[], Reductions::ALL), &[], 1)
}

#[test]
fn no_number_is_passed_over_that_counts() {
    let (mut n_solutions, mut n_passed, mut n_changed) = (0, 0, 0);
    for seed in seeds(0..60) {
        let mut dice = Dice::new(seed);
        let condition = expression(&mut dice, 3, true);
        let program = program(&condition);
        let start = &program.points[program.modules[program.root()].start as usize];
        let block = &program.blocks[start.first_block as usize];
        let zero = vec![0; program.layout.n_words];
        let execution =
            Execution { block, globals: &program.layout.global_mask, before: &zero, wanted: None };
        let (mut digits, mut after) = (Vec::new(), zero.clone());
        let mut expected = Vec::new();
        for number in 0..1u64 << block.dealt.len() {
            let mut cursor = Cursor::default();
            cursor.number.low = number;
            if execution.decode(&cursor, &mut digits) && execution.execute(&digits, &mut after).unwrap() {
                expected.push(number);
            }
        }
        for from_low in [false, true] {
            let mut cursor = Cursor { from_low, ..Cursor::default() };
            let mut found = Vec::new();
            while execution.next(&mut cursor, &mut digits, &mut after).unwrap() {
                found.push((cursor.number.low, digits.clone()));
                cursor.number.count_up();
            }
            let about = format!("seed {seed} {condition}");
            let different: BTreeSet<&Vec<u64>> = found.iter().map(|(_, digits)| digits).collect();
            assert_eq!(different.len(), expected.len(), "{about}");
            if from_low || !cursor.from_low {
                assert_eq!(found.len(), expected.len(), "{about}");
            } else {
                // It has begun anew from the low bits.
                n_changed += 1;
            }
            if !from_low && !cursor.from_low {
                assert!(found.iter().map(|(number, _)| number).eq(&expected), "{about}");
            }
        }
        n_solutions += expected.len();
        n_passed += (1usize << block.dealt.len()) - expected.len();
    }
    let enough = n_solutions > 8_000 && n_passed > 50_000 && n_changed > 0 && n_changed < 20;
    assert!(enough || std::env::var("GETAFIX_SEED").is_ok(), "{n_solutions} {n_passed} {n_changed}");
}

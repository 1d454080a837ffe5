//! Every function of three variables against its truth table.

use crate::truth::{build_all, manager, table_of};
use dd::{Bdd, Image, Level};
use num_bigint::BigUint;

const LEVELS: [Level; 3] = [2, 3, 7];

/// What the substituted variable reads: a level of `LEVELS`, or a constant.
type Moves = [(usize, Result<usize, bool>)];

#[test]
fn equal_tables_have_equal_handles() {
    let mut m = manager();
    let all = build_all(&mut m, LEVELS);
    let again = build_all(&mut m, LEVELS);
    assert_eq!(all, again);
    for table in 0..256 {
        let rows: Vec<bool> = (0..8).map(|row| table >> row & 1 == 1).collect();
        assert_eq!(table_of(&m, all[table], &LEVELS), rows);
        assert_eq!(all[table].complement(), all[255 - table]);
        assert_eq!(all.iter().filter(|f| **f == all[table]).count(), 1);
    }
}

#[test]
fn binary_connectives() {
    let mut m = manager();
    let all = build_all(&mut m, LEVELS);
    for a in 0..256 {
        for b in 0..256 {
            let (f, g) = (all[a], all[b]);
            assert_eq!(m.and(f, g), Ok(all[a & b]));
            assert_eq!(m.or(f, g), Ok(all[a | b]));
            assert_eq!(m.xor(f, g), Ok(all[a ^ b]));
            assert_eq!(m.iff(f, g), Ok(all[!(a ^ b) & 255]));
            assert_eq!(m.difference(f, g), Ok(all[a & !b]));
        }
    }
}

#[test]
fn if_then_else() {
    let mut m = manager();
    let all = build_all(&mut m, LEVELS);
    let mut random = crate::truth::random(11);
    for a in 0..256 {
        for b in 0..256 {
            for c in [a, b, 255 - a, 255 - b, 0, 255, random.index(256), random.index(256)] {
                let expected = a & b | !a & 255 & c;
                assert_eq!(m.ite(all[a], all[b], all[c]), Ok(all[expected]), "ite({a}, {b}, {c})");
                let expected = a & c | !a & 255 & b;
                assert_eq!(m.ite(all[a], all[c], all[b]), Ok(all[expected]), "ite({a}, {c}, {b})");
            }
        }
    }
}

#[test]
fn count_pick_support() {
    let mut m = manager();
    let all = build_all(&mut m, LEVELS);
    for (table, &f) in all.iter().enumerate() {
        let table = table as u8;
        assert_eq!(m.count(f, &LEVELS), BigUint::from(table.count_ones()));
        assert_eq!(m.count(f, &[0, 2, 3, 5, 7, 9]), BigUint::from(table.count_ones() * 8));
        let matters = |i: usize| (0..8).any(|row| (table >> row ^ table >> (row ^ 1 << i)) & 1 == 1);
        let support: Vec<Level> = (0..3).filter(|i| matters(*i)).map(|i| LEVELS[i]).collect();
        assert_eq!(m.support(f), support);
        // The smallest solution: variable 0 is the most significant, false comes before true.
        let reversed = |row: usize| (row & 1) << 2 | row & 2 | row >> 2;
        let smallest = (0..8).map(reversed).find(|row| table >> row & 1 == 1);
        let picked = m.pick(f).map(|literals| {
            let bit = |(level, value): &(Level, bool)| {
                usize::from(*value) << LEVELS.iter().position(|l| l == level).unwrap()
            };
            literals.iter().map(bit).sum()
        });
        assert_eq!(picked, smallest, "pick of {table:08b}");
    }
}

#[test]
fn cubes_hold_in_one_row_whatever_the_order_of_literals() {
    let mut m = manager();
    let all = build_all(&mut m, LEVELS);
    for row in 0..8usize {
        let literal = |i: usize| (LEVELS[i], row >> i & 1 == 1);
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
            assert_eq!(m.cube(order.map(literal)), Ok(all[1 << row]));
        }
    }
    assert_eq!(m.cube([]), Ok(Bdd::TRUE));
}

#[test]
fn a_cube_may_repeat_or_contradict_a_literal() {
    let mut m = manager();
    let x = m.variable(3).unwrap();
    assert_eq!(m.cube([(3, true), (3, true)]), Ok(x));
    assert_eq!(m.cube([(3, true), (5, false), (3, false)]), Ok(Bdd::FALSE));
}

#[track_caller]
fn check_substitution(moves: &Moves) {
    let mut m = manager();
    let all = build_all(&mut m, LEVELS);
    let image = |to: Result<usize, bool>| to.map_or_else(Image::Constant, |i| Image::Level(LEVELS[i]));
    let images: Vec<_> = moves.iter().map(|&(from, to)| (LEVELS[from], image(to))).collect();
    let id = m.register_substitution(&images);
    // The row that the table reads when the result is asked for `row`.
    let read = |row: usize| {
        let bit = |i: usize| match moves.iter().find(|m| m.0 == i) {
            Some((_, Ok(to))) => row >> to & 1,
            Some((_, Err(value))) => usize::from(*value),
            None => row >> i & 1,
        };
        bit(0) | bit(1) << 1 | bit(2) << 2
    };
    for table in 0..256usize {
        let expected: usize = (0..8).map(|row| (table >> read(row) & 1) << row).sum();
        assert_eq!(m.substitute(all[table], id), Ok(all[expected]), "{table:08b} under {moves:?}");
    }
}

#[test]
fn every_substitution_of_variables_and_constants() {
    let images = [Ok(0), Ok(1), Ok(2), Err(false), Err(true)];
    for a in images {
        for b in images {
            for c in images {
                check_substitution(&[(0, a), (1, b), (2, c)]);
            }
        }
    }
    check_substitution(&[]);
    check_substitution(&[(2, Ok(0))]);
    check_substitution(&[(0, Ok(2)), (2, Ok(0))]);
}

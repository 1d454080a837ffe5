//! The fused product against truth tables: rename, conjoin, quantify, rename.

use crate::truth::{build_all, manager, table_of};
use base::Random;
use dd::{Level, Manager, Map};

/// Levels of an operand and, position by position, where they go.
struct Renaming {
    from: [Level; 3],
    to: [Level; 3],
}

fn keep(levels: [Level; 3]) -> Renaming {
    Renaming { from: levels, to: levels }
}

fn rename(from: [Level; 3], to: [Level; 3]) -> Renaming {
    Renaming { from, to }
}

impl Renaming {
    fn map(&self) -> Map {
        Map::rising(self.from.into_iter().zip(self.to).collect()).expect("the order is kept")
    }
}

/// The table in which the variables in `mask` are quantified.
fn exists(table: usize, mask: usize) -> usize {
    let mut table = table;
    for (i, low) in [0x55, 0x33, 0x0F].into_iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1) {
        let joined = (table | table >> (1 << i)) & low;
        table = joined | joined << (1 << i);
    }
    table
}

/// All pairs of functions and all quantifications; left, right and out meet in the same three levels.
#[track_caller]
fn check_all(left: &Renaming, right: &Renaming, out: &Renaming) {
    assert!(left.to == right.to && left.to == out.from);
    let mut m = manager();
    let fs = build_all(&mut m, left.from);
    let gs = build_all(&mut m, right.from);
    let results = build_all(&mut m, out.to);
    for mask in 0..8 {
        let quantified: Vec<Level> = (0..3).filter(|i| mask >> i & 1 == 1).map(|i| left.to[i]).collect();
        let id = m.register_product(&left.map(), &right.map(), &quantified, &out.map());
        let quantify: Vec<usize> = (0..256).map(|table| exists(table, mask)).collect();
        for a in 0..256 {
            for b in 0..256 {
                let found = m.product(fs[a], gs[b], id).unwrap();
                assert!(
                    found == results[quantify[a & b]],
                    "tables {a:08b}, {b:08b}, quantified {quantified:?}"
                );
            }
        }
    }
}

#[test]
fn nothing_moves() {
    check_all(&keep([0, 1, 2]), &keep([0, 1, 2]), &keep([0, 1, 2]));
}

#[test]
fn the_left_operand_moves_and_the_result_moves_back() {
    check_all(&rename([0, 1, 2], [3, 4, 5]), &keep([3, 4, 5]), &rename([3, 4, 5], [0, 1, 2]));
}

#[test]
fn the_right_operand_moves_between_interleaved_levels() {
    check_all(&keep([0, 2, 4]), &rename([1, 3, 5], [0, 2, 4]), &rename([0, 2, 4], [1, 3, 5]));
}

#[test]
fn both_operands_move_alike() {
    check_all(&rename([3, 4, 5], [0, 1, 2]), &rename([3, 4, 5], [0, 1, 2]), &rename([0, 1, 2], [10, 11, 12]));
}

#[test]
fn both_operands_move_differently() {
    check_all(&rename([6, 7, 8], [0, 1, 2]), &rename([1, 4, 5], [0, 1, 2]), &keep([0, 1, 2]));
}

#[test]
fn one_level_moves_below_the_others() {
    check_all(&rename([0, 1, 2], [0, 1, 9]), &rename([0, 3, 9], [0, 1, 9]), &rename([0, 1, 9], [0, 2, 3]));
}

/// Overlapping supports, checked row by row over the four or five levels that occur.
#[track_caller]
fn check_overlap(m: &mut Manager, random: &mut Random, left: &Renaming, right: &Renaming, shift: Level) {
    let fs = build_all(m, left.from);
    let gs = build_all(m, right.from);
    let mut work: Vec<Level> = left.to.into_iter().chain(right.to).collect();
    work.sort_unstable();
    work.dedup();
    let out = Map::new(work.iter().map(|&level| (level, level + shift)));
    let written: Vec<Level> = work.iter().map(|level| level + shift).collect();
    for mask in 0..1usize << work.len() {
        let quantified: Vec<Level> =
            (0..work.len()).filter(|i| mask >> i & 1 == 1).map(|i| work[i]).collect();
        let id = m.register_product(&left.map(), &right.map(), &quantified, &out);
        for _ in 0..200 {
            let (a, b) = (random.index(256), random.index(256));
            let bit = |row: usize, level: Level| row >> work.iter().position(|l| *l == level).unwrap() & 1;
            let read = |row: usize, to: &[Level; 3]| -> usize { (0..3).map(|i| bit(row, to[i]) << i).sum() };
            let holds = |row: usize| a >> read(row, &left.to) & 1 == 1 && b >> read(row, &right.to) & 1 == 1;
            let rows = 1..1 << work.len();
            let some = |row: usize| (0..rows.end).any(|other| (row ^ other) & !mask == 0 && holds(other));
            let expected: Vec<bool> = (0..rows.end).map(some).collect();
            let found = m.product(fs[a], gs[b], id).unwrap();
            assert_eq!(table_of(m, found, &written), expected, "tables {a:08b}, {b:08b}, {quantified:?}");
        }
    }
}

#[test]
fn operands_that_share_some_levels() {
    let mut m = manager();
    let mut random = crate::truth::random(5);
    check_overlap(&mut m, &mut random, &keep([0, 1, 2]), &keep([1, 2, 3]), 0);
    check_overlap(&mut m, &mut random, &keep([0, 2, 4]), &rename([0, 2, 4], [1, 3, 4]), 3);
    check_overlap(&mut m, &mut random, &rename([4, 5, 6], [0, 2, 3]), &rename([0, 1, 2], [2, 3, 4]), 1);
    check_overlap(&mut m, &mut random, &rename([0, 1, 2], [1, 3, 5]), &keep([0, 3, 4]), 20);
}

#[test]
fn a_map_rises_on_the_levels_it_orders() {
    assert_eq!(Map::rising(vec![(2, 5), (0, 4), (6, 6), (2, 5)]), Some(Map::new([(0, 4), (2, 5)])));
    assert_eq!(Map::rising(vec![(0, 4), (3, 3)]), None, "0 goes below 3");
    assert_eq!(Map::rising(vec![(0, 4), (4, 4)]), None, "0 and 4 would meet");
    let map = Map::new([(0, 4), (2, 5), (3, 3)]);
    assert_eq!((map.apply(2), map.apply(3), map.unapply(5), map.unapply(1)), (5, 3, 2, 1));
    assert!(Map::new([(3, 3)]).is_identity());
}

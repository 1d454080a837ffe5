//! Any number of threads, looked at as a few: what questions about them have in common.

use rsm::{Concurrent, Copies};

/// Of each block of any number at most so many threads are looked at, and of all of them together so many more than must be there.
const MOST_COPIES: u32 = 6;
const MOST_THREADS: u32 = 8;

/// Few threads are looked at as long as there are no more configurations than this in all.
pub(super) const MOST_STATES: u64 = 1 << 19;

/// Counters that are exact up to a number, and have so many nodes at most.
#[derive(Clone, Copy)]
pub(super) struct Counters {
    pub(super) exact: u32,
    pub(super) max_nodes: u64,
}

/// What is tried before few threads are looked at, and what after that.
pub(super) const BEFORE: Counters = Counters { exact: 1, max_nodes: 1 << 14 };
pub(super) const AFTER: [Counters; 3] = [
    Counters { exact: 1, max_nodes: 1 << 18 },
    Counters { exact: 2, max_nodes: 1 << 18 },
    Counters { exact: 3, max_nodes: 1 << 18 },
];

/// The program with so many threads of each block.
pub(super) fn instance(program: &Concurrent, counts: &[u32]) -> Concurrent {
    let mut program = program.clone();
    for (block, count) in program.blocks.iter_mut().zip(counts) {
        block.copies = Copies::Number(*count);
    }
    program
}

/// Numbers of threads, few before many: every selection for the blocks of any number, if there are not too many of them. Of each block there
/// are at least so many.
pub(super) fn small_numbers(program: &Concurrent, least: impl Fn(u32) -> u32) -> Vec<Vec<u32>> {
    let mut all: Vec<Vec<u32>> = vec![Vec::new()];
    let n_free = program.blocks.iter().filter(|block| block.copies == Copies::Any).count();
    for (n, block) in (0..).zip(&program.blocks) {
        let least = least(n);
        let numbers: Vec<u32> = match block.copies {
            Copies::Number(number) => vec![number],
            Copies::Any if n_free <= 3 => (least..=MOST_COPIES.max(least)).collect(),
            Copies::Any => vec![least, least + 1],
        };
        let with = |counts: &Vec<u32>| {
            let longer = |number: &u32| counts.iter().copied().chain([*number]).collect::<Vec<u32>>();
            numbers.iter().map(longer).collect::<Vec<Vec<u32>>>()
        };
        all = all.iter().flat_map(with).collect();
    }
    let fewest: u32 = all.first().map_or(0, |counts| counts.iter().sum());
    let is_few = |n: u32| n > 0 && n <= fewest.saturating_add(MOST_THREADS);
    all.retain(|counts| is_few(counts.iter().sum()));
    all.sort_by_key(|counts| (counts.iter().sum::<u32>(), counts.clone()));
    all
}

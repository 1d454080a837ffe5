//! Truth tables, the naive twin of diagrams, and what the tests share.
//!
//! Row `r` of a table over `n` variables is the assignment that gives variable `i` the bit `i` of `r`.
use base::{Random, Stop};
use dd::{Bdd, Level, Manager};

/// A manager that nobody stops.
pub fn manager() -> Manager {
    Manager::new(Stop::default(), None)
}

/// The diagram of an eight-row table over three levels, which are sorted.
pub fn build(m: &mut Manager, table: u8, levels: [Level; 3]) -> Bdd {
    let mut result = Bdd::FALSE;
    for row in (0..8).filter(|row| table >> row & 1 == 1) {
        let literals = (0..3).map(|i| (levels[i], row >> i & 1 == 1));
        let cube = m.cube(literals).unwrap();
        result = m.or(result, cube).unwrap();
    }
    result
}

/// The diagrams of all 256 tables over three levels.
pub fn build_all(m: &mut Manager, levels: [Level; 3]) -> Vec<Bdd> {
    (0..=255).map(|table| build(m, table, levels)).collect()
}

/// The table of a diagram over these levels, one bit for each row.
pub fn table_of(m: &Manager, f: Bdd, levels: &[Level]) -> Vec<bool> {
    let value = |row: usize, level: Level| {
        let at = levels.iter().position(|l| *l == level).expect("the levels contain the support");
        row >> at & 1 == 1
    };
    (0..1 << levels.len()).map(|row| m.evaluate(f, |level| value(row, level))).collect()
}

/// The numbers of this seed, or of the one in the environment variable `GETAFIX_SEED`. It is printed.
pub fn random(default: u64) -> Random {
    let given = std::env::var("GETAFIX_SEED").ok().and_then(|s| s.parse().ok());
    let seed = given.unwrap_or(default);
    println!("GETAFIX_SEED={seed}");
    Random::new(seed)
}

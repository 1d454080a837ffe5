//! Classes against naming all members anew. `GETAFIX_SEED=17` chooses one sequence of joins.

use base::{Classes, Random};

#[test]
fn what_is_joined_has_one_root() {
    let only: Option<u64> =
        std::env::var("GETAFIX_SEED").ok().map(|seed| seed.parse().expect("GETAFIX_SEED is a number"));
    let (mut n_joined, mut n_known) = (0, 0);
    for seed in only.map_or(0..300, |seed| seed..seed + 1) {
        let random = &mut Random::new(seed);
        let n = 1 + random.index(40);
        let mut classes = Classes::new(n);
        // The twin: for each number the least of its class.
        let mut least: Vec<u32> = (0..n as u32).collect();
        for _ in 0..random.index(2 * n) {
            let (a, b) = (random.index(n) as u32, random.index(n) as u32);
            let (x, y) = (least[a as usize], least[b as usize]);
            least.iter_mut().filter(|name| **name == x.max(y)).for_each(|name| *name = x.min(y));
            assert_eq!(classes.join(a, b), x != y, "GETAFIX_SEED={seed}: {a} and {b}");
            *(if x == y { &mut n_known } else { &mut n_joined }) += 1;
            let number = random.index(n) as u32;
            assert_eq!(classes.root(number), least[number as usize], "GETAFIX_SEED={seed}: {number}");
            assert_eq!(classes.find(number), least[number as usize], "GETAFIX_SEED={seed}: {number}");
        }
    }
    assert!(n_joined > 1000 && n_known > 300 || only.is_some(), "{n_joined} {n_known}");
}

#[test]
fn the_caller_may_choose_the_root() {
    let mut classes = Classes::new(4);
    classes.put_below(0, 2);
    classes.put_below(2, 3);
    assert_eq!([0, 1, 2, 3].map(|number| classes.find(number)), [3, 1, 3, 3]);
}

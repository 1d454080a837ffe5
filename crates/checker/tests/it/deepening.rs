//! Which bounds are asked for before the one that is meant.

use checker::Scheduling;

fn numbers(deepening: Option<u32>, most: u32) -> Vec<u32> {
    Scheduling { deepening, ..Scheduling::NONE }.bounds(most)
}

#[test]
fn bounds_double_up_to_the_one_that_is_meant() {
    assert_eq!(numbers(None, 64), [64]);
    assert_eq!(numbers(Some(4), 7), [7]);
    assert_eq!(numbers(Some(4), 8), [4, 8]);
    assert_eq!(numbers(Some(4), 64), [4, 8, 16, 32, 64]);
    assert_eq!(numbers(Some(4), u32::MAX).last(), Some(&u32::MAX));
    assert_eq!(numbers(Some(1), 3), [1, 3]);
    assert_eq!(numbers(Some(1), 0), [0]);
}

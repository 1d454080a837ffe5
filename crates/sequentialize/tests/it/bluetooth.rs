//! The driver of the Bluetooth example: adders and a stopper that race.

use crate::harness::{check_rounds, check_switches};

const ONE_ONE: &str = include_str!("programs/1adders_1stoppers.bp");
const ONE_TWO: &str = include_str!("programs/1adders_2stoppers.bp");
const TWO_ONE: &str = include_str!("programs/2adders_1stoppers.bp");
const TWO_TWO: &str = include_str!("programs/2adders_2stoppers.bp");

#[test]
fn one_adder_and_one_stopper_are_safe_within_four_switches() {
    check_switches(ONE_ONE, "ERROR", 4, None);
}

#[test]
fn one_adder_and_two_stoppers_need_three_switches() {
    check_switches(ONE_TWO, "ERROR", 3, Some(3));
}

#[test]
fn two_adders_and_one_stopper_need_four_switches() {
    check_switches(TWO_ONE, "ERROR", 4, Some(4));
}

#[test]
fn two_adders_and_two_stoppers_need_three_switches() {
    check_switches(TWO_TWO, "ERROR", 3, Some(3));
}

#[test]
fn the_least_rounds_are_two_three_and_two() {
    check_rounds(ONE_ONE, "ERROR", 2, None);
    check_rounds(ONE_TWO, "ERROR", 2, Some(2));
    check_rounds(TWO_ONE, "ERROR", 3, Some(3));
    check_rounds(TWO_TWO, "ERROR", 2, Some(2));
}

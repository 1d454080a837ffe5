//! Bits of ranges and enumerations are those of the numbers of their values, for every size.

use base::{Sources, Stop};
use calculus::naive::Naive;
use calculus::system::Action;
use std::fmt::Write;

/// The truth values of all queries of a text.
fn answers(text: &str) -> Vec<bool> {
    let mut sources = Sources::default();
    let file = sources.add("bits.mu", text);
    let (tree, errors) = calculus::parse(&sources, file);
    assert!(errors.is_empty(), "{errors:?}\n{text}");
    let (system, _) = calculus::check(&tree, &[]).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let mut naive = Naive::new(&system, Stop::default());
    let queries = system.items.iter().filter_map(|item| match item.action {
        Action::Query(query) => Some(query),
        _ => None,
    });
    queries.map(|query| naive.holds(query).expect("it has a value")).collect()
}

#[test]
fn every_value_has_the_bits_of_its_number() {
    for size in 1..=40u32 {
        let names: Vec<String> = (0..size).map(|n| format!("v{n}")).collect();
        let (low, high) = (size % 3, size % 3 + size - 1);
        let mut text = format!("enum E {{ {} }};\nenum R {{ {low}..{high} }};\n", names.join(", "));
        let n_bits = (0..32).take_while(|bit| size > 1 << bit).count() as u32;
        let mut expected = Vec::new();
        for number in 0..size {
            for bit in 0..n_bits {
                let _ = writeln!(text, "forall E e. e = v{number} -> e[{bit}];");
                let _ = writeln!(text, "exists R r. r = {} & r[{bit}] = 1;", low + number);
                expected.extend([number >> bit & 1 == 1; 2]);
            }
        }
        assert_eq!(answers(&text), expected, "{text}");
    }
}

//! Programs as people write them: sorting, searching, queues, lists, strings, bits, state machines, right ones and wrong ones. The first line of each says the verdict, and the options with which it is asked for.
//!
//! The truth comes from reasoning and from a compiler with sanitizers. No answer may be wrong; whether a time limit is enough is no matter of a test, so an answer that is missing counts, and there may be few of them.
//! `GETAFIX_USERS=all` asks for all programs, which takes minutes; otherwise those are asked for that are decided at once.

use crate::harness::Sandbox;
use std::path::Path;
use testing::Counts;

/// The programs of which one of each kind is decided at once.
const QUICK: [&str; 21] = [
    "average_overflow_bug",
    "checksum_xor",
    "copy_array",
    "double_free_bug",
    "endian_swap",
    "list_insert_bug",
    "list_positive",
    "list_use_after_free",
    "lock_bug",
    "matrix_transpose",
    "null_bug",
    "queue_fifo",
    "reverse_array",
    "ring_buffer_bug",
    "selection_sort_safe",
    "stack_lifo",
    "string_copy_overflow_bug",
    "string_length_input",
    "struct_nested",
    "sum_inputs",
    "swap_xor_pointers",
];

#[test]
fn answers_are_right() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/users");
    let asks_all = std::env::var("GETAFIX_USERS").is_ok_and(|which| which == "all");
    let names = testing::expected::names(&folder, ".c");
    assert!(names.len() >= 100, "there are {} programs", names.len());
    let mut counts = Counts::default();
    for name in names {
        let name = name.trim_end_matches(".c");
        if !asks_all && !QUICK.contains(&name) {
            continue;
        }
        let text = std::fs::read_to_string(folder.join(format!("{name}.c"))).expect("it can be read");
        let expected = text.lines().next().and_then(|line| line.strip_prefix("// expect: "));
        let mut words = expected.unwrap_or_else(|| panic!("{name}: no verdict is expected")).split(' ');
        let verdict = words.next().expect("there is a verdict");
        let options: Vec<&str> = words.collect();
        let sandbox = Sandbox::new();
        sandbox.file("p.c", &text);
        let outcome =
            sandbox.run(&[&["check", "p.c", "--timeout", "100", "--trace", "none"], &options[..]].concat());
        let first = outcome.stdout.lines().next().unwrap_or_default();
        assert!(matches!(outcome.code, 0 | 5 | 10), "{name}: {}{}", outcome.stdout, outcome.stderr);
        match outcome.code {
            5 => {
                println!("{name}: {first}");
                counts.count("open");
            }
            _ => {
                assert_eq!(first.split(' ').next(), Some(verdict), "{name}: {}", outcome.stdout);
                counts.count(if verdict == "REACHABLE" { "reachable" } else { "unreachable" });
            }
        }
    }
    println!("{counts:?}");
    match asks_all {
        true => counts.at_least(&[("reachable", 33), ("unreachable", 70)]),
        false => counts.at_least(&[("reachable", 8), ("unreachable", 10)]),
    }
}

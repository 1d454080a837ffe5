//! Programs with threads: their parameters, and that the random ones leave nothing out.

use generate::concurrent::{Count, Variant, bluetooth, peterson, readers_writers};
use generate::random::{self, ConcurrentShape, Threads};

/// A piece of text for each construct of threads in blocks.
const IN_BLOCKS: [&str; 17] = [
    "thread t0\n",
    "thread t1[1]\n",
    "[2]\n",
    "thread t2",
    "  decl own",
    "  decl {own>0}",
    "  init ",
    "\ninit ",
    "atomic begin",
    "atomic_begin",
    "atomic_end",
    "enforce ",
    "assume ",
    "assert ",
    "constrain ",
    "dead ",
    "schoose[",
];

fn count(text: &str) -> Count {
    text.parse().expect("a count")
}

/// Of many seeds.
fn texts(threads: Threads) -> Vec<String> {
    (0..300).map(|seed| random::concurrent(seed, &ConcurrentShape::small(threads))).collect()
}

#[track_caller]
fn check_width(adders: &str, stoppers: &str, expected: &str) {
    let text = bluetooth(count(adders), count(stoppers), Variant::Correct);
    assert!(text.contains(&format!("decl pendingIo: {expected}, ")), "{text}");
}

#[test]
fn a_count_is_a_number_or_a_star() {
    assert_eq!(count("*"), Count::Any);
    assert_eq!(Some(count("12")), Count::number(12));
    assert_eq!(Count::number(0), None);
    for wrong in ["0", "-1", "", "any", "4294967296"] {
        let error = wrong.parse::<Count>().expect_err("no count").to_string();
        assert_eq!(error, format!("expected a number of threads from 1, or `*`, found `{wrong}`"));
    }
}

#[test]
fn the_counter_of_the_driver_is_wide_enough() {
    check_width("1", "1", "int<3>");
    check_width("2", "3", "int<3>");
    check_width("3", "2", "int<4>");
    check_width("*", "*", "int<3>");
    check_width("4294967295", "4294967295", "int<34>");
}

#[test]
fn the_shipped_examples_are_generated() {
    let examples = [
        ("bluetooth.bp", bluetooth(count("2"), count("2"), Variant::Broken)),
        ("peterson.bp", peterson(Variant::Correct)),
    ];
    for (name, text) in examples {
        let path = format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"));
        let shipped = std::fs::read_to_string(&path).expect("a file of the repository is readable");
        assert!(shipped == text, "{name} is not what the generator writes:\n{text}");
    }
}

#[test]
fn the_reader_of_any_number_waits_where_the_counter_would_wrap() {
    let text = readers_writers(Count::Any, count("1"), Variant::Correct);
    assert!(text.contains("n_readers := n_readers + 1 constrain n_readers != 3;"), "{text}");
    assert!(text.contains("thread reader[*]"), "{text}");
}

#[test]
fn random_threads_use_every_construct() {
    let all: String = texts(Threads::Fixed).concat();
    let missing: Vec<&str> = IN_BLOCKS.into_iter().filter(|construct| !all.contains(construct)).collect();
    assert_eq!(missing, Vec::<&str>::new());
    let all: String = texts(Threads::Started).concat();
    for construct in ["start_thread goto L", "start_thread f0(", "end_thread", ": ASYNC_L", "atomic begin"] {
        assert!(all.contains(construct), "{construct}");
    }
}

#[test]
fn threads_come_from_where_they_should() {
    for text in texts(Threads::Fixed) {
        let n_blocks = text.matches("thread t").count();
        let n_threads = n_blocks + text.matches("[2]").count();
        assert!((2..=3).contains(&n_threads) && !text.contains("[*]"), "{text}");
    }
    for text in texts(Threads::Parameterised) {
        assert!(text.contains("[*]\n") && !text.contains("start_thread"), "{text}");
    }
    for text in texts(Threads::Started) {
        assert!(text.contains("start_thread ") && !text.contains("thread t"), "{text}");
    }
}

#[test]
fn the_same_seed_gives_the_same_threads() {
    for threads in [Threads::Fixed, Threads::Parameterised, Threads::Started] {
        assert_eq!(texts(threads), texts(threads));
    }
}

#[test]
fn a_random_program_with_threads_asks_one_question() {
    for threads in [Threads::Fixed, Threads::Parameterised, Threads::Started] {
        for text in texts(threads) {
            assert_eq!(text.matches("ERROR:").count(), 1, "{text}");
        }
    }
}

#[test]
fn without_recursion_no_function_calls_one_before_it() {
    let shape = ConcurrentShape { recursion: 0, ..ConcurrentShape::small(Threads::Fixed) };
    for seed in 0..300 {
        let text = random::concurrent(seed, &shape);
        let mut running = "";
        for line in text.lines() {
            let head = ["main(", "f0(", "f1("].iter().find(|name| line.contains(*name));
            match head {
                Some(name) if line.starts_with("  ") && !line.starts_with("   ") => running = name,
                Some(callee) => assert!(running == "main(" || (running, *callee) == ("f0(", "f1("), "{text}"),
                None => {}
            }
        }
    }
}

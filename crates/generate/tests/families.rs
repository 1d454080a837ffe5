//! What every family keeps, and that the random programs leave no construct out.

use generate::random::{self, Shape};
use generate::{Error, FAMILIES, Family, Options, family};

/// A piece of text for each construct of the sequential language.
const CONSTRUCTS: [&str; 73] = [
    "init ",
    "enforce ",
    ": bool",
    "int<1>",
    "int<2>",
    "enum {",
    "{x>0}",
    "{i<=j}",
    "m.lock",
    "h$1",
    "void ",
    "bool<2>",
    "<bool, ",
    " := call ",
    "  call ",
    "_, ",
    ", _ := ",
    "goto ",
    "if ",
    "elsif ",
    "else\n",
    "fi;\n",
    "fi\n",
    "while ",
    "od;\n",
    "atomic begin",
    "atomic_begin",
    "atomic_end",
    "schoose[",
    "[*, ",
    " choose[",
    " constrain ",
    ": constrain ",
    "'{x>0}",
    "{x>0}'",
    "assume ",
    "assert ",
    "dead ",
    "print(",
    "skip;",
    "return;",
    "return *",
    "return T",
    ":\n",
    " ? ",
    " : ",
    "!",
    "~",
    "-",
    " * ",
    " + ",
    " - ",
    " < ",
    " <= ",
    " > ",
    " >= ",
    " = ",
    " == ",
    " != ",
    " & ",
    " && ",
    " ^ ",
    " | ",
    " || ",
    " => ",
    " <=> ",
    "true",
    "false",
    " ?;",
    " *;",
    "busy",
    "done",
    "ERROR: ",
];

#[track_caller]
fn program(name: &str, n: u32, options: &Options) -> String {
    family(name, n, options).expect("a program")
}

/// A program of about this size.
#[track_caller]
fn sized(one: &Family, n: u32, options: &Options) -> String {
    program(one.name, n.clamp(one.range.0, one.range.1), options)
}

fn plain() -> Options {
    Options::default()
}

/// The verdict a program says it expects.
#[track_caller]
fn expected(name: &str, n: u32, options: &Options) -> String {
    let text = program(name, n, options);
    let line = text.lines().find_map(|line| line.strip_prefix("// expect: ")).expect("a verdict");
    line.split_once(", because ").expect("a reason").0.to_owned()
}

#[test]
fn the_same_request_gives_the_same_bytes() {
    for one in FAMILIES {
        let options = Options { seed: 7, ..plain() };
        assert_eq!(sized(&one, 12, &options), sized(&one, 12, &options), "{}", one.name);
    }
}

#[test]
fn the_seed_matters_where_something_is_random() {
    for name in ["driver", "multiplier", "random", "terminator"] {
        let other = Options { seed: 1, ..plain() };
        assert_ne!(program(name, 24, &plain()), program(name, 24, &other), "{name}");
    }
}

#[test]
fn every_program_says_what_it_is_and_has_the_label() {
    for one in FAMILIES {
        let text = sized(&one, 5, &plain());
        assert!(text.starts_with(&format!("// {}, ", one.name)), "{text}");
        assert!(text.contains("ERROR: "), "{text}");
        assert_eq!(text.contains("// expect"), one.name != "random", "{text}");
    }
}

#[test]
fn sizes_are_linear() {
    for name in ["counter", "driver", "t1", "t2", "terminator"] {
        let once = program(name, 1000, &plain()).lines().count();
        let twice = program(name, 2000, &plain()).lines().count();
        assert!(twice * 10 > once * 18 && twice * 10 < once * 22, "{name}: {once} lines, then {twice}");
    }
}

#[test]
fn four_thousand_procedures_are_about_a_hundred_thousand_lines() {
    let lines = program("driver", 4000, &plain()).lines().count();
    assert!((90_000..120_000).contains(&lines), "{lines} lines");
}

#[test]
fn t1_is_reachable_for_even_sizes_as_the_arithmetic_says() {
    for n in 1..8 {
        let verdict = if level(1, n, -1) == -1 { "reachable" } else { "unreachable" };
        assert_eq!(expected("t1", n, &plain()), verdict, "n = {n}");
    }
    assert_eq!(expected("t1", 20, &plain()), "reachable");
    assert_eq!(expected("t1", 21, &plain()), "unreachable");
    assert_eq!(expected("t2", 20, &plain()), "unreachable");
}

/// The program the family abstracts: what level `i` of `n` does to the number.
fn level(i: u32, n: u32, g: i32) -> i32 {
    if -g <= 0 {
        return g;
    }
    let next = |g| if i < n { level(i + 1, n, g) } else { g };
    -next(-next(-g))
}

#[test]
fn options_choose_the_variant() {
    for name in ["counter", "driver", "multiplier"] {
        assert_eq!(expected(name, 4, &plain()), "unreachable");
        assert_eq!(expected(name, 4, &Options { reachable: true, ..plain() }), "reachable");
    }
    assert_eq!(expected("quicksort", 4, &plain()), "reachable");
    assert_eq!(expected("quicksort", 4, &Options { fixed: true, ..plain() }), "unreachable");
    let wide = program("driver", 4, &Options { globals: 3, ..plain() });
    assert!(wide.contains("decl mode, flag, g0, g1, g2;"), "{wide}");
}

#[test]
fn a_wrong_request_is_refused() {
    let refused = |name: &str, n: u32, options: &Options| family(name, n, options).expect_err("no program");
    let unknown = refused("sort", 1, &plain()).to_string();
    assert!(
        unknown.starts_with("no family is called `sort`; there are bluetooth, bounded_buffer, "),
        "{unknown}"
    );
    assert_eq!(
        refused("multiplier", 65, &plain()).to_string(),
        "`multiplier` needs n from 1 to 64, found 65"
    );
    let option = refused("t1", 4, &Options { fixed: true, ..plain() });
    assert_eq!(option, Error::UnknownOption { family: "t1", option: "fixed" });
}

#[test]
fn random_programs_use_every_construct() {
    let mut all = String::new();
    for seed in 0..200 {
        all.push_str(&random::program(seed, &Shape::medium()));
    }
    let missing: Vec<&str> = CONSTRUCTS.into_iter().filter(|construct| !all.contains(construct)).collect();
    assert_eq!(missing, Vec::<&str>::new());
}

#[test]
fn a_random_program_asks_one_question() {
    for seed in 0..100 {
        let text = random::program(seed, &Shape::small());
        assert_eq!(text.matches("ERROR: ").count() + text.matches("ERROR:\n").count(), 1, "{text}");
    }
}

//! Witnesses that are made to do harm: whatever is deep, repeated, large or broken is refused soon, with a place, and means no more than its text.

use base::{Random, Sources, render};

/// What is said about a text; it is not accepted.
#[track_caller]
fn refused(text: &str) -> String {
    let mut sources = Sources::default();
    let file = sources.add("w.yml", text);
    let error = witness::read(&sources, file).expect_err("it is no witness");
    render(&sources, &error)
}

#[track_caller]
fn says(text: &str, message: &str, place: &str) {
    let said = refused(text);
    assert!(said.starts_with(&format!("error: {message}")), "{said}");
    assert!(said.contains(&format!("w.yml:{place}\n")), "{said}");
}

#[test]
fn nesting_has_an_end() {
    let deep = "this is nested too deeply";
    says(&"[".repeat(100_000), deep, "1:256");
    let keyed: String = (0..100_000).map(|_| "{a:\n [b,\n").collect();
    says(&keyed, deep, "256:2");
    says(&format!("{}a", "- ".repeat(100_000)), deep, "1:121");
    says(&"{a: ".repeat(100_000), deep, "1:1021");
    let stairs: String = (0..2000).map(|n| format!("{}a:\n", " ".repeat(n))).collect();
    says(&stairs, deep, "61:61");
    says(&format!("{}1{}", "[".repeat(60), "]".repeat(60)), "expected an entry", "1:2");
}

#[test]
fn nothing_is_repeated_by_its_name() {
    let names = "anchors and aliases are not supported";
    let mut laughs = "a0: &a0 [ha, ha, ha]\n".to_owned();
    for n in 1..30 {
        laughs.push_str(&format!("a{n}: &a{n} [*a{0}, *a{0}, *a{0}]\n", n - 1));
    }
    says(&laughs, names, "1:5");
    says("- &a [*a]\n", names, "1:3");
    says("- entry_type: *a\n", names, "1:15");
    says("- <<: *a\n", names, "1:7");
    says("- &a\n  b: c\n", names, "1:3");
    says("&é é: 1\n", names, "1:1");
}

#[test]
fn tags_and_strange_keys_are_refused() {
    says("- !!python/object/apply:os.system [ls]\n", "tags are not supported", "1:3");
    says("!a\n- b\n", "tags are not supported", "1:1");
    says("- ? [a, b]\n  : c\n", "expected a word as key", "1:5");
    says("- {[a]: b}\n", "expected a word as key", "1:4");
}

#[test]
fn a_key_is_there_once() {
    says("- a: 1\n  b: 2\n  a: 3\n", "the key `a` is there twice", "3:3");
    says("- {a: 1, \"a\": 2}\n", "the key `a` is there twice", "1:11");
    says("- ~: 1\n  ~: 2\n", "the key `~` is there twice", "2:3");
}

#[test]
fn a_file_is_one_document() {
    says("- a\n---\n- b\n", "expected the end of the file", "2:1");
    says("--- 1\n--- 2\n", "expected the end of the file", "2:1");
}

/// Each takes time that grows with its length, or this test does not end.
#[test]
fn long_texts_are_read_once() {
    let n = 100_000;
    let keys: String = (0..n).map(|key| format!("k{key}: v\n")).collect();
    for text in [
        keys,
        "- a\n".repeat(n),
        "a ".repeat(n),
        "a\n".repeat(n),
        format!("\"{}\"", "\\n\n".repeat(n)),
        format!("|\n{}", " a\n".repeat(n)),
        format!("{{{}}}", (0..n).map(|key| format!("k{key}: 1, ")).collect::<String>()),
        format!("[{}]", "é, ".repeat(n)),
        "# comment\n".repeat(n),
        "\n".repeat(n),
        " ".repeat(n),
        "? ".repeat(n),
        "%TAG ! !\n".repeat(n),
        "--- ".repeat(n),
        "'".repeat(n),
        "\u{feff}".repeat(n),
    ] {
        assert!(refused(&text).contains("w.yml:"), "{}", &text[..40]);
    }
}

#[test]
fn broken_texts_have_places() {
    for (text, place) in [
        ("- \"a\n", "1:3"),
        ("- a: b: c\n", "1:7"),
        ("- [a, b\n", "2:1"),
        ("- {a: b\n", "2:1"),
        ("- a\n b: c\n", "2:3"),
        ("- \"\\q\"\n", "1:3"),
        ("- \"\\ud800\"\n", "1:3"),
        ("- @a\n", "1:3"),
        ("- a\n}\n", "2:1"),
        ("{---", "1:5"),
        ("- é: é: é\n", "1:7"),
    ] {
        let said = refused(text);
        assert!(
            said.contains("this is no YAML") && said.contains(&format!("w.yml:{place}\n")),
            "{text}: {said}"
        );
    }
}

/// Words of YAML in no order.
#[test]
fn noise_is_refused() {
    const WORDS: [&str; 40] = [
        "[",
        "]",
        "{",
        "}",
        ",",
        ":",
        ": ",
        "- ",
        "-",
        "? ",
        "?",
        "&a ",
        "*a ",
        "!t ",
        "!!str ",
        "|",
        ">",
        "|2-\n",
        "'",
        "\"",
        "\\",
        "#",
        " #",
        "%",
        "@",
        "`",
        "---",
        "...",
        "\n",
        "\n  ",
        "\n\t",
        " ",
        "\r",
        "\r\n",
        "a",
        "é",
        "\u{feff}",
        "\0",
        "\u{85}",
        "\u{10ffff}",
    ];
    let mut n_other = 0;
    for seed in generate::random::seeds(0..20_000) {
        let mut random = Random::new(seed);
        let text: String =
            (0..1 + random.below(24)).map(|_| WORDS[random.below(WORDS.len() as u64) as usize]).collect();
        match std::panic::catch_unwind(|| refused(&text)) {
            Ok(said) => n_other += usize::from(!said.contains("this is no YAML")),
            Err(_) => panic!("GETAFIX_SEED={seed}: {text:?}"),
        }
    }
    println!("{n_other} of them are YAML, or are refused for what they use");
    assert!(n_other > 100 || testing::is_chosen(), "{n_other}");
}

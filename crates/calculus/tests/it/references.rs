//! The table of names: every name of a correct file is in it, and files stay what they are when everything gets a new name.

use base::{FileId, NameTable, Random, Role, Sources};
use calculus::random::{self, Shape};
use calculus::syntax::File;
use std::collections::HashMap;
use testing::{Counts, partition, renamed, seeds};

fn parse(text: &str) -> (File, NameTable) {
    let mut sources = Sources::default();
    let file = sources.add("random.mu", text);
    let (file, errors) = calculus::parse(&sources, file);
    assert!(errors.is_empty(), "{text}\n{errors:?}");
    let table = calculus::references(&file);
    (file, table)
}

/// The names of a text that are no words, comments and directives' own names left out: the twin of the table.
fn names(text: &str) -> Vec<usize> {
    let words: Vec<&str> = calculus::reserved_words().collect();
    let (mut found, mut at) = (Vec::new(), 0);
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        }
        let inside = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let length = |text: &str| text.find(|letter| !inside(letter)).unwrap_or(text.len());
        match rest.chars().next() {
            Some('#') => at += 1 + length(&rest[1..]),
            Some(letter) if inside(letter) => {
                let word = &rest[..length(rest)];
                // `in` is a word where positions are declared, and nowhere else.
                if !letter.is_ascii_digit() && !words.contains(&word) && word != "in" {
                    found.push(at);
                }
                at += word.len();
            }
            _ => at += 1,
        }
    }
    found
}

/// What a file says: its formulas, without names and places.
fn formulas(file: &File) -> String {
    let (system, _) = calculus::check(file, &[]).unwrap_or_else(|errors| panic!("{errors:?}"));
    format!("{:?}", system.formulas)
}

#[test]
fn random_files_stay_what_they_are_under_new_names() {
    let mut counts = Counts::default();
    for seed in seeds(0..300) {
        let text = random::system(seed, &Shape::default());
        let (file, table) = parse(&text);
        let starts: Vec<usize> = table.occurrences().iter().map(|o| o.span.start as usize).collect();
        assert_eq!(starts, names(&text), "seed {seed}\n{text}");
        // All at once, or one by one.
        let mut fresh: HashMap<_, _> =
            table.all_declared().map(|(id, _)| (id, format!("fresh{}", id.index()))).collect();
        let mut random = Random::new(seed);
        if random.chance(50) {
            fresh.retain(|_, _| random.chance(50));
        }
        let renamed = renamed(&text, &table, &fresh);
        let (again, same) = parse(&renamed);
        assert!(partition(&table) == partition(&same), "seed {seed}\n{text}\n{renamed}");
        assert!(formulas(&file) == formulas(&again), "seed {seed}\n{text}\n{renamed}");
        table.all_declared().for_each(|(_, declared)| counts.count(declared.kind.word()));
        counts.add("uses", table.occurrences().iter().filter(|o| o.role != Role::Declares).count() as u64);
    }
    let least = [
        ("variable", 500),
        ("parameter", 500),
        ("relation", 1000),
        ("type", 300),
        ("value", 200),
        ("member", 100),
    ];
    counts.at_least(&least);
    counts.at_least(&[("uses", 5000), ("position", 20)]);
}

/// What the name behind the `$` of a text means, and in which columns it stands.
#[track_caller]
fn meaning(marked: &str) -> String {
    let at = marked.find('$').expect("a mark");
    let text = marked.replacen('$', "", 1);
    let mut sources = Sources::default();
    let file = sources.add("demo.mu", text.as_str());
    let (file, _) = calculus::parse(&sources, file);
    let table = calculus::references(&file);
    let Some(found) = table.at(FileId(0), at) else { return "nothing".to_owned() };
    let declared = table.declared(found.declared);
    let place = |o: &base::Occurrence| sources.line_column(o.span).1.to_string();
    let places: Vec<String> = table.of(found.declared).map(place).collect();
    format!("{} {}, at {}", declared.kind.word(), declared.detail, places.join(" "))
}

#[test]
fn members_belong_to_their_class() {
    let text = "class A { bool x; }; class B { A a[2]; bool x; }; bool R(B b) b.a[1].$x | b.x;";
    assert_eq!(meaning(text), "member bool x, at 16 70");
    let text = "class A { bool x; }; class B { A a[2]; bool x; }; bool R(B b) b.a[1].x | b.$x;";
    assert_eq!(meaning(text), "member bool x, at 45 76");
}

#[test]
fn a_quantified_name_hides_a_parameter() {
    let text = "bool R(bool x) x & (exists bool x. $x) & x;";
    assert_eq!(meaning(text), "variable bool x, at 33 36");
    assert_eq!(meaning("bool R(bool x) $x & (exists bool x. x) & x;"), "parameter bool x, at 13 16 41");
}

#[test]
fn where_a_value_is_expected_a_name_is_the_value() {
    let text = "enum E { a, b }; bool R(E a) a = $a;";
    assert_eq!(meaning(text), "value enum E { a, b }, at 10 34");
    let text = "enum E { a, b }; bool R(E a) $a = a;";
    assert_eq!(meaning(text), "parameter E a, at 27 30");
    let text = "enum E { a, b }; bool S(E e) true; bool R(E a) S($a);";
    assert_eq!(meaning(text), "value enum E { a, b }, at 10 50");
}

#[test]
fn positions_and_numbers_are_told_apart() {
    let text = "#param k = 3; bool R(bool x[k]) exists i in 0..k - 1. x[$i];";
    assert_eq!(meaning(text), "position , at 40 57");
    let text = "#param $k = 3; bool R(bool x[k]) exists i in 0..k - 1. x[i];";
    assert_eq!(meaning(text), "#param #param k = 3, at 8 29 48");
    let text = "class C { bool x[3]; } x[i] < x[$i + 1];";
    assert_eq!(meaning(text), "position , at 26 33");
}

#[test]
fn notes_name_relations_variables_and_numbers() {
    let text = "#param k = 1; #bound $k switches; bool R(bool x) x; exists bool x. R(x);";
    assert_eq!(meaning(text), "#param #param k = 1, at 8 22");
    let text = "#certificate $R; bool R(bool x) x; exists bool x. R(x);";
    assert_eq!(meaning(text), "relation bool R(bool x), at 14 22 50");
    let text = "enum N { 0..3 }; bool R(N n) true; #verdict reachable within $n \"calls\"; exists N n. R(n);";
    assert_eq!(meaning(text), "variable N n, at 62 82 87");
}

#[test]
fn a_file_with_mistakes_has_a_table_of_what_is_right() {
    assert_eq!(meaning("bool R(bool x) $x & y & S(x);"), "parameter bool x, at 13 16 26");
    assert_eq!(meaning("bool R(bool x) x & $y;"), "nothing");
    assert_eq!(meaning("bool R(bool x) x & ; bool S(bool x) $x;"), "parameter bool x, at 34 37");
}

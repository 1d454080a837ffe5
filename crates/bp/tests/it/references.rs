//! The table of names: every name of a correct program is in it, and programs stay what they are when everything gets a new name.

use base::{DeclaredId, FileId, NameKind, NameTable, Role, Sources};
use bp::ast::Program;
use generate::random::{self, ConcurrentShape, Shape, Threads};
use std::collections::HashMap;
use testing::{Counts, partition, renamed, seeds};

fn parse(text: &str) -> (Program, NameTable) {
    let mut sources = Sources::default();
    let file = sources.add("random.bp", text);
    let (program, errors) = bp::parse(&sources, file);
    assert!(errors.is_empty(), "{text}\n{errors:?}");
    let table = bp::references(&program);
    (program, table)
}

/// The names of a text that are no words, comments left out: the twin of the table.
fn names(text: &str) -> Vec<(usize, &str)> {
    let words: Vec<&str> = bp::reserved_words().collect();
    let (mut found, mut at) = (Vec::new(), 0);
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        }
        // A name in braces, unless they list the values of an enumeration.
        if rest.starts_with('{') && !text[..at].trim_end().ends_with("enum") {
            let length = rest.find('}').expect("braces are closed") + 1;
            found.push((at, &rest[..length]));
            at += length;
            continue;
        }
        let begins = rest.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_');
        let inside = |letter: char| letter.is_ascii_alphanumeric() || "_$.".contains(letter);
        let length = rest.find(|letter| !inside(letter)).unwrap_or(rest.len()).max(1);
        if begins && !words.contains(&&rest[..length]) {
            found.push((at, &rest[..length]));
        }
        at += if begins || rest.starts_with(|letter: char| letter.is_ascii_digit()) { length } else { 1 };
    }
    found
}

/// What names are called, everything by its number but what has a meaning of its own.
fn fresh(table: &NameTable) -> HashMap<DeclaredId, String> {
    let keeps = |name: &str| matches!(name, "main" | "ERROR") || name.starts_with("ASYNC_");
    let name = |(id, declared): (DeclaredId, &base::Declared)| match keeps(&declared.name) {
        true => (id, declared.name.clone()),
        false => (id, format!("fresh{}", id.index())),
    };
    table.all_declared().map(name).collect()
}

/// What a program does, without names and places.
fn steps(program: Program) -> Vec<String> {
    let (checked, _) = bp::check(program).unwrap_or_else(|errors| panic!("{errors:?}"));
    let options = bp::ThreadOptions { slots: 2, async_labels: false };
    let machine = match bp::lower(&checked) {
        Ok(machine) => machine,
        Err(_) => bp::lower_threads(&checked, options).expect("a program that was lowered before").machine,
    };
    let edges = machine.modules.iter().flat_map(|module| &module.edges);
    edges.map(|edge| without_values(&format!("{:?} {:?} {:?}", edge.from, edge.to, edge.action))).collect()
}

/// A text without the lists of values that types have.
fn without_values(text: &str) -> String {
    let pieces = text.split("Enum([").enumerate();
    pieces
        .map(|(n, piece)| if n == 0 { piece } else { piece.split_once("])").map_or("", |cut| cut.1) })
        .collect()
}

fn program(seed: u64) -> String {
    match seed % 4 {
        0 => random::concurrent(seed, &ConcurrentShape::small(Threads::Fixed)),
        1 => random::concurrent(seed, &ConcurrentShape::small(Threads::Started)),
        _ => random::program(seed, &Shape::medium()),
    }
}

#[test]
fn random_programs_stay_what_they_are_under_new_names() {
    let mut counts = Counts::default();
    for seed in seeds(0..400) {
        let text = program(seed);
        let (tree, table) = parse(&text);
        let found = table
            .occurrences()
            .iter()
            .map(|o| (o.span.start as usize, &text[o.span.start as usize..o.span.end as usize]));
        assert_eq!(found.collect::<Vec<_>>(), names(&text), "seed {seed}\n{text}");
        let renamed = renamed(&text, &table, &fresh(&table));
        let (again, same) = parse(&renamed);
        assert_eq!(partition(&table), partition(&same), "seed {seed}\n{text}\n{renamed}");
        assert!(steps(tree) == steps(again), "seed {seed}\n{text}\n{renamed}");
        for (_, declared) in table.all_declared() {
            counts.count(declared.kind.word());
        }
        counts.add("uses", table.occurrences().iter().filter(|o| o.role != Role::Declares).count() as u64);
    }
    let least = [
        ("variable", 800),
        ("parameter", 100),
        ("function", 400),
        ("label", 800),
        ("thread", 100),
        ("value", 100),
    ];
    counts.at_least(&least);
    counts.at_least(&[("uses", 5000)]);
}

/// What the name at the first `|` means, and where else it stands: `x: bool, local of f, at 3:7 4:9`.
#[track_caller]
fn meaning(marked: &str) -> String {
    let at = marked.find('|').expect("a mark");
    let text = marked.replacen('|', "", 1);
    let mut sources = Sources::default();
    let file = sources.add("demo.bp", text.as_str());
    let (program, _) = bp::parse(&sources, file);
    let table = bp::references(&program);
    let Some(found) = table.at(FileId(0), at) else { return "nothing".to_owned() };
    let declared = table.declared(found.declared);
    let place = |o: &base::Occurrence| {
        let (line, column) = sources.line_column(o.span);
        format!("{line}:{column}")
    };
    let places: Vec<String> = table.of(found.declared).map(place).collect();
    format!("{}, {}, at {}", declared.detail, declared.owner, places.join(" "))
}

#[test]
fn a_name_means_the_innermost_declaration() {
    let text = "decl x; void main() begin x := T; end\nvoid f() begin decl x: int<2>; x| := 1; end";
    assert_eq!(meaning(text), "x: int<2>, local of f, at 2:21 2:32");
    let text = "decl |x; void main() begin x := T; end\nvoid f() begin decl x: int<2>; x := 1; end";
    assert_eq!(meaning(text), "x: bool, global, at 1:6 1:27");
}

#[test]
fn a_new_value_has_the_name_without_its_mark() {
    let text = "decl x; void main() begin x := * constrain |x' = x; end";
    assert_eq!(meaning(text), "x: bool, global, at 1:6 1:27 1:44 1:49");
}

#[test]
fn enumerations_that_list_the_same_are_one() {
    let text = "decl a: enum {P, Q}; void main() begin decl b: enum {P, Q}; b := a; b := |P; end";
    assert_eq!(meaning(text), "enum {P, Q}, , at 1:15 1:54 1:74");
    // The type that is wanted says which one is meant.
    let text = "decl a: enum {P, Q}, b: enum {R, P}; void main() begin b := |P; a := P; end";
    assert_eq!(meaning(text), "enum {R, P}, , at 1:34 1:61");
}

#[test]
fn labels_and_functions_belong_to_their_function_and_thread() {
    let text = "void main() begin L: goto |L; end\nvoid f() begin L: goto L; end";
    assert_eq!(meaning(text), "L:, of main, at 1:19 1:27");
    let text = "thread p begin void f() begin end void main() begin |f(); end end\nthread q begin void f() begin end void main() begin f(); end end";
    assert_eq!(meaning(text), "void f(), of thread p, at 1:21 1:53");
}

#[test]
fn a_program_with_mistakes_has_a_table_of_what_is_right() {
    let text = "decl x; void main() begin x := y; goto M; |x := T + 1; f(x); end";
    assert_eq!(meaning(text), "x: bool, global, at 1:6 1:27 1:43 1:57");
    assert_eq!(meaning("decl x; void main() begin x := |y; end"), "nothing");
    let text = "decl x; void main() begin x := ; |x := T; end";
    assert_eq!(meaning(text), "x: bool, global, at 1:6 1:34");
    let (program, table) = parse("decl x, x; void main() begin skip; end void main() begin x := x; end");
    assert!(bp::check(program).is_err());
    assert!(table.all_declared().all(|(_, declared)| declared.kind != NameKind::Label));
}

//! Names that a text cannot hold as they are: they are written as one word each, no two alike, and found again.

use crate::accepted::LOCK;
use crate::program::{Program, load};
use crate::summaries::{certificate, exact};
use certificate::{read, write};
use dd::Manager;
use rsm::Rsm;

/// A certificate without rows, for these targets.
fn about(program: &Program, targets: &[&str]) -> String {
    let targets: Vec<String> = targets.iter().map(|&target| target.to_owned()).collect();
    let dd = Manager::new(base::Stop::default(), None);
    write(&program.rsm, &program.sources, &targets, &dd, &[], |_, _| unreachable!("there are no rows"))
}

#[test]
fn every_target_is_read_back() {
    let names =
        ["a b", "#a", "a#b", "a\\b", "\\20;", "a\tb", "a\nb", "a\u{7f}b", "é", "\u{a0}", "a;b", "main:ERROR"];
    let program = load(LOCK);
    for name in names {
        let text = about(&program, &[name]);
        assert_eq!(read(&text).expect("it is well formed").targets(), [name], "{text}");
    }
}

#[test]
fn only_what_has_to_be_is_written_in_code() {
    let program = load(LOCK);
    let word = |name: &str| {
        let text = about(&program, &[name]);
        let line = text.lines().find_map(|line| line.strip_prefix("target ").map(str::to_owned));
        line.expect("a target")
    };
    assert_eq!(word("a b"), "a\\20;b");
    assert_eq!(word("#a#b"), "\\23;a#b", "a `#` begins a remark where a word begins");
    assert_eq!(word("a\\b"), "a\\5c;b");
    assert_eq!(word("a\u{1}é;"), "a\\1;é;");
}

/// The program with other names for its functions, its globals and the locals of its first function, in turn.
fn renamed(functions: [&str; 3], globals: [&str; 2], local: &str) -> Program {
    let mut program = load(LOCK);
    let Rsm { modules, globals: variables, .. } = &mut program.rsm;
    modules.iter_mut().zip(functions).for_each(|(module, name)| module.name = name.to_owned());
    variables.iter_mut().zip(globals).for_each(|(variable, name)| variable.name = name.to_owned());
    modules[0].locals[0].name = local.to_owned();
    program
}

#[test]
fn a_certificate_is_about_what_it_names_whatever_the_names() {
    for (functions, globals, local) in [
        (["main", "lock", "unlock"], ["locked", "other"], "x"),
        (["f", "f", "f"], ["x", "x"], "x"),
        (["f", "f@1", "f"], ["x", "x@1"], "x"),
        (["f@2", "f@1", "f"], ["x@global", "x"], "x"),
        (["a b", "#", "\\"], ["x y", "#x"], "x y"),
        (["entry", "node", "function"], ["entry", "result.0"], "entry"),
        (["f", "g", "h"], ["x", "x@global"], "x@global"),
    ] {
        let program = renamed(functions, globals, local);
        let text = certificate(&program, &exact(&program.rsm));
        assert_eq!(program.verdict(&text), "accepted", "{functions:?} {globals:?} {local}\n{text}");
    }
}

#[test]
fn what_is_not_there_is_not_found() {
    let program = renamed(["f", "f", "f"], ["x", "x"], "x");
    for rows in ["function f@7\nentry = T", "n1 = entry y ? T : F\nfunction f\nentry = n1"] {
        let verdict = program.verdict(&format!("getafix certificate 1\n{rows}\n"));
        assert!(verdict != "accepted", "{rows}: {verdict}");
    }
}

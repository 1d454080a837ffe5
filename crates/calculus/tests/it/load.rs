//! `#load` with files that exist only here.

use base::{Sources, render};

/// The merged text, or the errors.
fn load(files: &[(&str, &str)]) -> String {
    let mut sources = Sources::default();
    let (name, text) = files[0];
    let mut read = |path: &str| {
        let found = files.iter().find(|(name, _)| *name == path);
        found.map(|(_, text)| (*text).to_owned()).ok_or_else(|| "no such file".to_owned())
    };
    let (file, diagnostics) = calculus::load(&mut sources, name, text, &mut read);
    if diagnostics.is_empty() {
        return calculus::print(&file);
    }
    diagnostics.iter().map(|d| render(&sources, d)).collect()
}

#[test]
fn items_stand_where_the_load_stood() {
    let files = [("m.mu", "a; #load x; b;"), ("x.mu", "c; #load \"y\"; d;"), ("y", "e;")];
    assert_eq!(load(&files), "a;\nc;\ne;\nd;\nb;\n");
}

#[test]
fn names_are_relative_to_the_loading_file() {
    let files = [
        ("p/m.mu", "#load q/x.mu; #load ../r;"),
        ("p/q/x.mu", "#load y; a;"),
        ("p/q/y.mu", "b;"),
        ("p/../r", "c;"),
    ];
    assert_eq!(load(&files), "b;\na;\nc;\n");
    assert_eq!(load(&[("p/m.mu", "#load /x;"), ("/x.mu", "a;")]), "a;\n");
}

#[test]
fn the_plain_name_comes_first() {
    assert_eq!(load(&[("m", "#load x;"), ("x", "plain;"), ("x.mu", "suffix;")]), "plain;\n");
}

#[test]
fn quit_ends_everything() {
    let files = [("m", "a; #load x; b;"), ("x", "c; #quit; d; ) oops")];
    assert_eq!(load(&files), "a;\nc;\n#quit;\n");
}

#[test]
fn a_missing_file_is_an_error_at_the_directive() {
    let expected = "\
error: cannot load `x`
  --> p/m.mu:2:7
 2 | #load x;
   |       ^
note: `p/x`: no such file
note: `p/x.mu`: no such file
";
    assert_eq!(load(&[("p/m.mu", "a;\n#load x;\n")]), expected);
}

#[test]
fn a_cycle_is_an_error_at_the_directive() {
    let files = [("p/m.mu", "#load x;"), ("p/x.mu", "a; #load ../p/./m;")];
    let expected = "\
error: `p/m.mu` loads itself: p/m.mu → p/x.mu → p/m.mu
  --> p/x.mu:1:10
 1 | a; #load ../p/./m;
   |          ^^^^^^^^
";
    assert_eq!(load(&files), expected);
}

#[test]
fn errors_of_all_files_are_reported() {
    let files = [("m", "#load x; a b;"), ("x.mu", "c d;")];
    let expected = "\
error: expected `;`, found `b`
  --> m:1:12
 1 | #load x; a b;
   |            ^
error: expected `;`, found `d`
  --> x.mu:1:3
 1 | c d;
   |   ^
";
    assert_eq!(load(&files), expected);
}

#[test]
fn a_file_loaded_twice_declares_once_and_acts_twice() {
    let files = [
        ("m", "#load x; #load y; R();"),
        ("x", "#load z; a;"),
        ("y", "#load z; b;"),
        ("z", "bool R() true; #size R;"),
    ];
    assert_eq!(load(&files), "bool R()\n  true;\n#size R;\na;\n#size R;\nb;\nR();\n");
}

#[test]
fn above_the_root_there_is_the_root() {
    let files = [("/m", "#load ../x;"), ("/../x", "a; #load ../m;")];
    assert!(load(&files).starts_with("error: `/m` loads itself: /m → /x → /m\n"));
}

#[test]
fn an_error_of_a_file_loaded_twice_is_reported_once() {
    let files = [("m", "#load x; #load x; #load x;"), ("x", "#load nothing;")];
    assert_eq!(load(&files).matches("error:").count(), 1);
}

/// Here every directory has the same file.
#[test]
fn ever_longer_paths_come_to_an_end() {
    let mut sources = Sources::default();
    let mut read = |_: &str| Ok("#load ../m;".to_owned());
    let (_, diagnostics) = calculus::load(&mut sources, "m", "#load ../m;", &mut read);
    assert!(diagnostics.iter().any(|d| d.message == "the path of this file is longer than 4096 bytes"));
}

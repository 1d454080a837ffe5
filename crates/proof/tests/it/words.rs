//! Claims in words: what is written is read again, which cells may be chosen, and what is told of every cell.

use base::Sources;
use integers::Program;
use proof::{CellsOf, Draft, Header, Statement, asked, chosen, outline, subject, subject_with, told, write};

fn translate(text: &str) -> (Program, Sources) {
    let mut sources = Sources::default();
    let file = sources.add("test.c", format!("void reach_error(void); int nondet(void);\n{text}"));
    let translation = c::translate(&sources, file, &c::Options::default());
    (translation.unwrap_or_else(|_| panic!("{text}")).program, sources)
}

fn draft(text: &str) -> Draft {
    let mut sources = Sources::default();
    let file = sources.add("claim", text);
    Draft::read(&sources, file).unwrap_or_else(|error| panic!("{}", base::render(&sources, &error)))
}

#[test]
fn what_is_written_is_read_again() {
    let (program, sources) = translate(
        "int f(int n) { return n; }
        int main(void) { int i = f(nondet()); while (i < 9) i = i + 1; if (i < 9) reach_error(); return 0; }",
    );
    let formulas = "main @entry: true; main @2: i <= 9 || i > 12; main @exit: true; f @entry: n <= 7;";
    for statement in ["unreachable reach_error;", "endless;", "terminating;"] {
        let draft = draft(&format!("getafix claim 1; program 0; integers math; {statement} {formulas}"));
        let header = draft.header.clone();
        let subject = subject(&program, &header.statement);
        assert!(!draft.is_about(&subject));
        let claim = draft.finish(&subject).unwrap_or_else(|error| panic!("{error:?}"));
        let text = write(&header, &claim, &subject, &sources);
        assert_eq!(text.matches(" @").count(), 4, "{text}");
        let again = self::draft(&text);
        assert!(again.is_about(&subject));
        assert_eq!(again.header, Header { cells: header.cells, ..again.header.clone() });
        assert_eq!(again.finish(&subject).unwrap_or_else(|error| panic!("{error:?}")), claim, "{text}");
    }
}

/// Two arrays, one filled from the other.
const COPIED: &str = "int a[9]; int b[9];
    int main(void) {
        int i = 0;
        while (i < 9) { b[i] = a[i]; i = i + 1; }
        int j = nondet();
        if (j >= 0 && j < 9 && b[j] != a[j]) reach_error();
        return 0;
    }";

fn cells(region: &str, n_cells: usize, at: Option<&str>) -> CellsOf {
    CellsOf { region: region.to_owned(), n_cells, at: at.map(str::to_owned), watched: Vec::new(), span: None }
}

#[test]
fn which_cells_may_be_chosen() {
    let (program, sources) = translate(COPIED);
    let program = asked(&program, &Statement::Unreachable);
    let good = [cells("a", 2, None), cells("b", 2, Some("a"))];
    let choice = chosen(&program, &good, &sources).unwrap_or_else(|error| panic!("{error:?}"));
    assert_eq!(told(&program, &choice, &sources), good);
    let wrong = |all: &[CellsOf]| chosen(&program, all, &sources).expect_err("it is wrong").message;
    let none = "`a` is no region before it that has cells of its own";
    assert_eq!(wrong(&[cells("b", 2, Some("a"))]), none);
    assert_eq!(
        wrong(&[cells("b", 1, None), cells("a", 1, Some("b")), cells("c", 1, None)]),
        "the program has no memory called `c`"
    );
    assert_eq!(wrong(&[cells("a", 1, None), cells("a", 1, None)]), "the cells of `a` are chosen twice");
    assert_eq!(
        wrong(&[cells("a", 1, None), cells("b", 2, Some("a"))]),
        "`a` has fewer cells than are to be followed of `b`"
    );
    assert!(wrong(&[cells("a", 0, None)]).starts_with("from 1 to "));
    let watched = CellsOf { watched: vec![1], ..cells("a", 1, None) };
    assert_eq!(wrong(&[watched]), "no load of `a` on line 1 decides whether a target is reached");
}

/// An array that is filled.
const FILLED: &str = "int a[100];
    int main(void) {
        int i = 0;
        while (i < 100) { a[i] = 42; i = i + 1; }
        int j = nondet();
        if (j >= 0 && j < 100 && a[j] != 42) reach_error();
        return 0;
    }";

#[test]
fn what_holds_of_every_cell() {
    let (program, sources) = translate(FILLED);
    let text = "getafix claim 2; program 0; integers math; cells a; unreachable reach_error;
        main @1: (a$k >= i || a$k <= -1 || a[a$k] == 42) && (a$k > 30 || a[a$k] <= 50) && i <= 100;";
    let draft = draft(text);
    let asked = asked(&program, &draft.header.statement);
    let choice = chosen(&asked, &draft.header.cells, &sources).unwrap_or_else(|error| panic!("{error:?}"));
    let subject = subject_with(&program, &draft.header.statement, &choice);
    let claim = draft.finish(&subject).unwrap_or_else(|error| panic!("{error:?}"));
    let told = outline(&claim, &subject, &sources);
    let said: Vec<(usize, &str)> = told.iter().map(|it| (it.line, it.formula.as_str())).collect();
    let words = "i <= 100; for every k, -1 < k < i: a[k] == 42; for every k, k <= 30: a[k] <= 50";
    assert_eq!(said, [(5, words)]);
}

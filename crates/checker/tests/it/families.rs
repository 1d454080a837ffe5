//! The families that are used for measurements have the verdicts they promise, with traces and certificates.

use base::{Sources, Stop};
use certificate::Outcome;
use checker::{CertificateReport, FormulaFile, Options, TraceReport, Verdict};
use rsm::Goal;

fn check(family: &str, n: u32, reachable: bool) {
    let has_variants = ["driver", "counter", "multiplier"].contains(&family);
    let options = generate::Options { reachable: reachable && has_variants, ..Default::default() };
    let text = generate::family(family, n, &options).expect("a family of the list");
    let context = format!("{family} {n}");
    if let Some(certificate) = check_text(&text, reachable, &context) {
        validate(&text, &certificate, &context);
    }
}

/// The certificate shows its own program right.
fn validate(text: &str, certificate: &str, context: &str) {
    let mut sources = Sources::default();
    let (program, _) = bp::load(&mut sources, "family.bp", text).expect("the program is right");
    let rsm = bp::lower(&program).expect("the program is sequential");
    let targets = checker::default_targets(&rsm).expect("it has an ERROR");
    let certificate = certificate::read(certificate).expect("a certificate can be read");
    let goals: Vec<Goal> = targets.iter().flat_map(checker::Target::places).collect();
    let outcome = certificate::validate(&rsm, &sources, &goals, &certificate, &Stop::default(), None);
    assert!(matches!(outcome, Ok(Outcome::Accepted(_))), "{context}: {outcome:?}");
}

/// The verdict is right, and comes with a trace or a certificate, which is returned.
fn check_text(text: &str, reachable: bool, context: &str) -> Option<String> {
    let mut sources = Sources::default();
    let (program, _) = bp::load(&mut sources, "family.bp", text).expect("the program is right");
    let rsm = bp::lower(&program).expect("the program is sequential");
    let targets = checker::default_targets(&rsm).expect("it has an ERROR");
    let algorithm = checker::algorithm(checker::DEFAULT).expect("the default exists");
    let mut read = |_: &str| Err("nothing is loaded".to_owned());
    let file =
        FormulaFile { name: algorithm.name, text: algorithm.text, read: &mut read, params: &[], labels: &[] };
    let options = Options { trace: true, certificate: true, ..Options::default() };
    let report = checker::check(&rsm, &targets, file, &options, &mut sources).expect("the formula is right");
    if reachable {
        assert_eq!(report.finding.verdict, Verdict::Yes, "{context}");
        assert!(matches!(report.trace, TraceReport::Replayed(_)), "{context}: {:?}", report.trace);
        return None;
    }
    assert_eq!(report.finding.verdict, Verdict::No, "{context}");
    let CertificateReport::Written(text) = report.certificate else { panic!("{context}: no certificate") };
    Some(text)
}

#[test]
fn programs_of_few_functions() {
    check("t1", 6, true);
    check("t1", 7, false);
    check("t2", 6, false);
    check("driver", 8, true);
    check("driver", 8, false);
    check("counter", 5, true);
    check("counter", 5, false);
    check("quicksort", 3, true);
    check("multiplier", 4, true);
    check("multiplier", 4, false);
    check("terminator", 8, false);
}

#[test]
fn programs_of_many_functions() {
    check("t1", 30, true);
    check("t1", 31, false);
    check("t2", 30, false);
    check("driver", 60, true);
    check("driver", 60, false);
    check("counter", 8, true);
    check("counter", 20, false);
}

#[test]
fn wide_words_stay_aligned_where_they_move() {
    let swap = "void main() begin decl a: int<32>, b: int<32>; a, b := b, a; assert(a <= b); end";
    check_text(swap, true, swap);
    let rotate = "void main() begin decl a: int<32>, b: int<32>, c: int<32>;
        c := a; a := b; b := c; assert(a <= b); end";
    check_text(rotate, true, rotate);
    let result = "int<64> id(n: int<64>) begin return n; end
        void main() begin decl q: int<64>; q := id(5); assert(q = 5); end";
    check_text(result, false, result);
    let two = "<int<32>, int<32>> f(n: int<32>) begin decl r: int<32>; r := n + 1; return r, n; end
        void main() begin decl p: int<32>, q: int<32>; p, q := f(q); assert(p = q + 1); end";
    check_text(two, false, two);
}

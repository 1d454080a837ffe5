//! Reading certificates: what is malformed, what is hostile, and what stops.

use crate::accepted::LOCK;
use crate::program::{Program, load};
use crate::summaries::{certificate, exact};
use base::Random;
use base::{Stop, StopReason};
use certificate::{Certificate, Figures, Outcome, ReadError, read, validate};

#[track_caller]
fn rejects(text: &str, line: usize, message: &str) {
    assert_eq!(read(text), Err(ReadError { line, message: message.to_owned() }));
}

fn run(
    program: &Program,
    certificate: &Certificate,
    stop: &Stop,
    memory: Option<u64>,
) -> Result<Outcome<Figures>, StopReason> {
    validate(&program.rsm, &program.sources, &program.goals(), certificate, stop, memory)
}

#[test]
fn malformed_text_is_rejected_with_its_line() {
    rejects("", 1, "expected `getafix certificate 1`");
    rejects("# nothing\n\n", 2, "expected `getafix certificate 1`");
    rejects("function f", 1, "expected `getafix certificate 1`");
    rejects("getafix certificate 2", 1, "certificates of version `2` are not known");
    let body = |line: &str, message: &str| rejects(&format!("getafix certificate 1\n\n{line}\n"), 3, message);
    body("entry = T", "expected `function` before the first row");
    body("n1 = x ? n1 : T", "`n1` is not defined above");
    body("n1 = x ? T : !n7", "`n7` is not defined above");
    body("n1 = x ? T : !T", "expected a node such as `n1`, found `T`");
    body("m1 = x ? T : F", "expected a node such as `n1`, found `m1`");
    body("n99999999999999999999 = x ? T : F", "the number `99999999999999999999` is too large");
    body("n1 = x[4294967296] ? T : F", "the number `4294967296` is too large");
    body("node 4294967296 = T", "the number `4294967296` is too large");
    body("node -1 = T", "expected a number, found `-1`");
    body("n1 = x\\ ? T : F", "`x\\` has a `\\` without a character code");
    body("n1 = x y ? T : F", "expected a target, an order, a function, a row or a node, found `n1`");
    rejects("getafix certificate 1\nn1 = x ? T : F\nn1 = x ? F : T", 3, "`n1` is defined twice");
}

#[test]
fn targets_are_read_back() {
    let certificate = read("getafix certificate 1\ntarget main:ERROR\ntarget a\\20;b # remark").unwrap();
    assert_eq!(certificate.targets(), ["main:ERROR", "a b"]);
}

#[test]
fn a_certificate_is_written_in_the_same_bytes_each_time() {
    let program = load(LOCK);
    let summaries = exact(&program.rsm);
    assert_eq!(certificate(&program, &summaries), certificate(&program, &summaries));
}

#[test]
fn deep_diagrams_need_no_deep_stack() {
    let mut text = String::from("getafix certificate 1\nn0 = entry locked ? T : F\n");
    for n in 1..100_000 {
        let (name, below) = (["locked", "other"][n % 2], n - 1);
        text += &format!("n{n} = entry {name} ? n{below} : !n{below}\n");
    }
    text += "function main\nentry = n99999\n";
    assert!(run(&load(LOCK), &read(&text).unwrap(), &Stop::default(), None).is_ok());
}

#[test]
fn a_stop_and_a_lack_of_memory_are_no_verdicts() {
    let program = load(LOCK);
    let text = certificate(&program, &exact(&program.rsm));
    let certificate = read(&text).unwrap();
    let stop = Stop::default();
    assert_eq!(run(&program, &certificate, &stop, Some(1000)), Err(StopReason::Memory));
    stop.request(StopReason::Time);
    assert_eq!(run(&program, &certificate, &stop, None), Err(StopReason::Time));
}

#[test]
fn spoilt_text_never_makes_anything_panic() {
    let program = load(LOCK);
    let text = certificate(&program, &exact(&program.rsm));
    let mut random = Random::new(1);
    for _ in 0..3000 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..=random.index(3) {
            let (at, other) = (random.index(bytes.len()), random.index(bytes.len()));
            match random.index(4) {
                0 => bytes[at] = bytes[other],
                1 => bytes[at] = random.index(256) as u8,
                2 => drop(bytes.drain(at.min(other)..at.max(other))),
                _ => bytes.insert(at, bytes[other]),
            }
            bytes.push(b'\n');
        }
        if let Ok(certificate) = read(&String::from_utf8_lossy(&bytes)) {
            assert!(run(&program, &certificate, &Stop::default(), None).is_ok());
        }
    }
}

#[test]
fn what_was_named_and_what_was_recomputed_is_counted() {
    let program = load("void main() begin skip; assume F; ERROR: skip; end");
    let counted = |rows: &str| {
        let certificate = read(&format!("getafix certificate 1\nfunction main\nentry = T\n{rows}"));
        match run(&program, &certificate.expect("it is one"), &Stop::default(), None) {
            Ok(Outcome::Accepted(figures)) => (figures.n_named, figures.n_recomputed),
            other => panic!("{other:?}"),
        }
    };
    // Behind `assume F` there are no states, and nothing is counted there.
    assert_eq!(counted(""), (0, 2));
    assert_eq!(counted("node 1 = T\n"), (1, 1));
    assert_eq!(counted("node 2 = F\n"), (1, 2));
}

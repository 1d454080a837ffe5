//! What is made of a question about threads beside its answer: certificates of every schedule, stages, translations.

use crate::harness::Sandbox;
use crate::harness::program::check;
use crate::threads::{HANDOVER, STARTED};

/// What no schedule reaches has a certificate, whatever was left out of the search; it is one of this program and these targets.
#[test]
fn every_schedule_has_a_certificate() {
    let sandbox = Sandbox::new();
    let peterson =
        std::fs::read_to_string(crate::harness::root().join("examples/peterson.bp")).expect("an example");
    sandbox.file("safe.bp", &peterson).file("bad.bp", peterson.replacen("turn = 1", "turn = 0", 1));
    for options in [&[][..], &["--without", "visibility"], &["--without", "symmetry,live-variables"]] {
        let check = [&["check", "safe.bp", "--certificate", "proof"], options].concat();
        let outcome = sandbox.run(&check);
        assert!(
            outcome.code == 0 && outcome.stdout.starts_with("UNREACHABLE for every schedule"),
            "{outcome:?}"
        );
        let accepted = sandbox.run(&["validate", "safe.bp", "proof"]);
        assert_eq!((accepted.code, accepted.stdout.as_str()), (0, "ACCEPTED\nno schedule reaches ERROR\n"));
        let bad = sandbox.run(&["validate", "bad.bp", "proof"]);
        assert!(bad.code == 10 && bad.stdout.starts_with("REFUSED: "), "{bad:?}");
        let other = sandbox.run(&["validate", "safe.bp", "proof", "-t", "WAIT"]);
        assert!(other.code == 10 && other.stdout.contains("gets to a target"), "{other:?}");
    }
    let outcome = sandbox.run(&["check", "safe.bp", "-k", "1", "--certificate", "none"]);
    assert!(
        outcome.stdout.contains("there is no certificate: a certificate is about every schedule"),
        "{outcome:?}"
    );
    let outcome =
        sandbox.run(&["check", "safe.bp", "-k", "1", "--certificate", "none", "--engine", "symbolic"]);
    assert!(outcome.code == 2 && outcome.stderr.contains("those of the explicit engine"), "{outcome:?}");
    sandbox.file("sequential.bp", "void main() begin assert(T); end").file("word", "nothing");
    sandbox.run(&["check", "sequential.bp", "--certificate", "summaries"]);
    for (program, proof, code, word) in [
        ("safe.bp", "summaries", 10, "about a sequential program"),
        ("sequential.bp", "proof", 10, "about threads"),
        ("safe.bp", "word", 2, "word:1: expected `getafix certificate of threads 1`"),
    ] {
        let outcome = sandbox.run(&["validate", program, proof]);
        assert_eq!(outcome.code, code, "{outcome:?}");
        assert!(format!("{}{}", outcome.stdout, outcome.stderr).contains(word), "{word}: {outcome:?}");
    }
}

/// What the formula sees, how it is evaluated, and all of it as one file that says the same.
#[test]
fn stages_of_the_formula_can_be_shown() {
    for (stage, word) in [
        ("relations", "bool Target(Thread t, State v)"),
        ("formula", "#param k = 2;"),
        ("plan", "Reach clause"),
        ("order", "v.G.g0"),
        ("reduced", "    edge 0, 1 to 2\n"),
    ] {
        let outcome = check(&["-k", "2", "--show", stage], HANDOVER);
        assert_eq!(outcome.code, 0, "{stage}: {outcome:?}");
        assert!(outcome.stdout.contains(word), "{stage}: {}", outcome.stdout);
    }
    let outcome = check(&["--show", "plan"], HANDOVER);
    assert!(outcome.code == 2 && outcome.stderr.contains("a bound is needed"), "{outcome:?}");
}

#[test]
fn a_translation_says_what_the_formula_says() {
    let sandbox = Sandbox::new();
    for name in ["bluetooth.bp", "peterson.bp"] {
        sandbox.file(
            name,
            std::fs::read_to_string(crate::harness::root().join("examples").join(name)).expect("an example"),
        );
    }
    for (program, options, truth) in [
        ("bluetooth.bp", &["-k", "2"][..], "false\n"),
        ("bluetooth.bp", &["-k", "3"], "true\n"),
        ("bluetooth.bp", &["--rounds", "1"], "false\n"),
        ("bluetooth.bp", &["--rounds", "2"], "true\n"),
        ("bluetooth.bp", &["--rounds", "2", "-a", "linear_interfaces_eager"], "true\n"),
        ("peterson.bp", &["-k", "2"], "false\n"),
    ] {
        let translated = sandbox.run(&[&["translate", program], options].concat());
        assert_eq!(translated.code, 0, "{program} {options:?}: {translated:?}");
        sandbox.file("question.mu", &translated.stdout);
        let evaluated = sandbox.run(&["mu", "question.mu"]);
        assert_eq!(
            (evaluated.code, evaluated.stdout.as_str()),
            (0, truth),
            "{program} {options:?}: {evaluated:?}"
        );
    }
    let outcome = sandbox.run(&["translate", "bluetooth.bp"]);
    assert!(outcome.code == 2 && outcome.stderr.contains("a bound is needed"), "{outcome:?}");
    let outcome = sandbox.run(&["translate", "bluetooth.bp", "-k", "2", "-a", "rounds"]);
    assert!(outcome.code == 2 && outcome.stderr.contains("`rounds` counts rounds"), "{outcome:?}");
}

#[test]
fn stages_of_the_machine_can_be_shown() {
    for (stage, word) in [("ast", "thread q[2]"), ("rsm", "module main()"), ("dot", "digraph rsm {")] {
        let outcome = check(&["--show", stage], HANDOVER);
        assert_eq!(outcome.code, 0, "{stage}: {outcome:?}");
        assert!(outcome.stdout.contains(word), "{stage}: {outcome:?}");
    }
    assert_eq!(check(&["--show", "reduced", "-k", "1"], HANDOVER).code, 0);
    assert_eq!(check(&["--show", "rsm"], STARTED).code, 0);
}

//! The other commands about programs: what they print, and what they refuse.

mod harness;

use harness::{Outcome, Sandbox, root, run};
use std::path::Path;

/// Runs a command with a program on stdin.
fn command(arguments: &[&str], program: &str) -> Outcome {
    run(Path::new(env!("CARGO_TARGET_TMPDIR")), arguments, program)
}

#[track_caller]
fn prints(arguments: &[&str], program: &str, code: i32, expected: &str) {
    let outcome = command(arguments, program);
    assert_eq!(outcome.stdout, expected, "{arguments:?}: {}", outcome.stderr);
    assert_eq!(outcome.code, code, "{arguments:?}: {}", outcome.stderr);
}

#[track_caller]
fn refuses(arguments: &[&str], program: &str, words: &[&str]) {
    let outcome = command(arguments, program);
    assert_eq!(outcome.code, 2, "{arguments:?}: {outcome:?}");
    for word in words {
        assert!(outcome.stderr.contains(word), "`{word}` in {}", outcome.stderr);
    }
}

/// What `run` is tried on.
const PROGRAM: &str = "decl g;
bool f(a) begin
  decl l;
  l := a & *;
  return l;
end
void main() begin
  decl x;
  x := f(g);
  goto A, B;
  A: assert(x);
  B: skip;
end
";

#[test]
fn a_run_follows_its_script() {
    let expected = "step  line  statement       effect
            (initially)     g = T, x = F
   1     9  x := f(g)       f(a = T), l = F
   2     4    l := a & *    l = F [* = F]
   3     5    return l      back in main: x = F
   4    10  goto A, B       to A
        11  assert(x)       assertion fails
ended: an assertion fails
";
    prints(&["run", "--choices", "T,F,F,F,0", "-"], PROGRAM, 10, expected);
}

#[test]
fn a_run_ends_for_one_of_four_reasons() {
    let last = |arguments: &[&str], program: &str| {
        let outcome = command(&[&["run"], arguments, &["-"]].concat(), program);
        assert_ne!(outcome.code, 2, "{outcome:?}");
        (outcome.code, outcome.stdout.lines().last().unwrap_or_default().to_owned())
    };
    let ended = |code: i32, why: &str| (code, format!("ended: {why}"));
    assert_eq!(last(&[], "void main() begin skip; end"), ended(0, "main has returned"));
    assert_eq!(last(&[], "void main() begin assume(F); end"), ended(0, "no step can be taken"));
    assert_eq!(last(&[], "void main() begin assert(F); end"), ended(10, "an assertion fails"));
    let forever = "void main() begin while (T) do skip; od end";
    assert_eq!(last(&["--steps", "7"], forever), ended(0, "there were as many steps as allowed"));
    let none = "decl x; init x & !x; void main() begin skip; end";
    assert!(last(&[], none).1.starts_with("ended: no run can start"));
}

#[test]
fn a_run_is_the_same_for_the_same_seed_and_for_the_choices_it_tells() {
    let first = command(&["run", "--seed", "5", "-"], PROGRAM);
    assert_eq!(first.stdout, command(&["run", "--seed", "5", "-"], PROGRAM).stdout);
    let (_, choices) = first.stderr.trim_end().split_once("--choices ").expect("a script to repeat the run");
    assert_eq!(first.stdout, command(&["run", "--choices", choices, "-"], PROGRAM).stdout);
}

#[test]
fn a_script_that_cannot_be_followed_is_an_error() {
    refuses(&["run", "--choices", "T,7", "-"], PROGRAM, &["choice 2", "`7`"]);
    refuses(&["run", "--steps", "many", "-"], PROGRAM, &["many"]);
    let outcome = command(&["run", "--choices", "T", "-"], "void main() begin skip; end");
    assert!(outcome.stderr.contains("choices that were not used: 1"), "{outcome:?}");
}

#[test]
fn formatting_prints_checks_and_writes() {
    let canonical = "decl x;\n\nvoid main()\nbegin\n  x := T; // why\nend\n";
    prints(&["fmt", "-"], "decl x; void main() begin x:=T; // why\n end", 0, canonical);
    let sandbox = Sandbox::new();
    sandbox.file("a.bp", "decl x; void main() begin x:=T; // why\n end");
    let checked = sandbox.run(&["fmt", "--check", "a.bp"]);
    assert_eq!((checked.code, checked.stdout.as_str()), (10, "a.bp: not in canonical form\n"), "{checked:?}");
    assert_eq!(sandbox.run(&["fmt", "--write", "a.bp"]).code, 0);
    assert_eq!(sandbox.read("a.bp"), canonical);
    let checked = sandbox.run(&["fmt", "--check", "a.bp"]);
    assert_eq!((checked.code, checked.stdout.as_str()), (0, ""), "{checked:?}");
    refuses(&["fmt", "--write", "-"], "", &["stdin cannot be written"]);
    refuses(&["fmt", "-"], "void main() begin", &["error: "]);
    refuses(&["fmt", "--check", "--write", "-"], "", &["cannot be used with"]);
}

#[test]
fn algorithms_are_listed_and_printed() {
    let list = command(&["algorithms"], "");
    assert_eq!(list.code, 0);
    for name in ["hybrid", "summary", "entry_forward_opt", "exit_backward", "(default)"] {
        assert!(list.stdout.contains(name), "{list:?}");
    }
    let file =
        std::fs::read_to_string(root().join("algorithms/summary.mu")).expect("an algorithm is readable");
    prints(&["algorithms", "--print", "summary"], "", 0, &file);
    refuses(&["algorithms", "--print", "sumary"], "", &["there is no algorithm `sumary`"]);
}

#[test]
fn words_are_listed_with_their_sorts_and_documented() {
    let list = command(&["algorithms", "--words"], "");
    assert_eq!(list.code, 0, "{list:?}");
    let documented = std::fs::read_to_string(root().join("algorithms/README.md")).expect("readable");
    let entries = list.stdout.lines().filter(|line| line.starts_with("  "));
    let (notes, words): (Vec<&str>, Vec<&str>) = entries.partition(|line| line.trim().starts_with('#'));
    assert!(words.len() > 20 && notes.len() == 4, "{words:?} {notes:?}");
    for note in notes.iter().filter_map(|note| note.split_whitespace().next()) {
        assert!(documented.contains(&format!("| `{note} ")), "algorithms/README.md says nothing of {note}");
    }
    for word in words {
        let (used, about) = word.trim().split_once(")  ").unwrap_or_else(|| panic!("`{word}` says nothing"));
        let (name, params) = used.split_once('(').unwrap_or_else(|| panic!("`{word}` has no parameters"));
        let names: Vec<&str> =
            params.split(", ").filter_map(|param| Some(param.split_once(' ')?.1)).collect();
        let entry = format!("`{name}({})`", names.join(", "));
        assert!(documented.contains(&entry), "algorithms/README.md says nothing of {entry}");
        assert!(!about.trim().is_empty(), "`{word}` says nothing");
    }
    for line in ["In programs with threads:", "Return(State x, State z, State v)", "EnteredTwice(Module m)"] {
        assert!(list.stdout.contains(line), "{list:?}");
    }
    // What is listed is what a formula file sees.
    let program = "void main() begin ERROR: skip; end";
    let formula = command(&["check", "--show", "relations", "-"], program).stdout;
    for word in ["ProgramInt(State x, State v)", "EnteredTwice(Module m)"] {
        assert!(formula.contains(word), "{formula}");
    }
    refuses(&["algorithms", "--words", "--print", "summary"], "", &["cannot be used with"]);
}

#[test]
fn families_are_generated_and_checked() {
    let program = command(&["gen", "t1", "--n", "4"], "");
    assert_eq!(program.code, 0, "{program:?}");
    assert_eq!(command(&["check", "-"], &program.stdout).code, 10);
    assert_eq!(command(&["check", "-"], &command(&["gen", "t1", "-n", "5"], "").stdout).code, 0);
    refuses(&["gen", "t9", "--n", "4"], "", &["no family is called `t9`", "t1"]);
    refuses(&["gen", "t1", "--n", "0"], "", &["`t1` needs n from 1"]);
    refuses(&["gen", "t1", "--n", "4", "--fixed"], "", &["`t1` has no option `--fixed`"]);
    refuses(&["gen", "t1"], "", &["--n"]);
    assert!(command(&["gen", "--help"], "").stdout.contains("terminator"));
}

#[test]
fn questions_are_translated_into_horn_clauses() {
    let outcome = command(&["translate", "--chc", "-"], PROGRAM);
    assert_eq!(outcome.code, 0, "{outcome:?}");
    assert!(outcome.stdout.contains("(set-logic HORN)"), "{outcome:?}");
    assert!(outcome.stdout.ends_with("(check-sat)\n"), "{outcome:?}");
    refuses(&["translate", "--chc", "--mucke", "-"], PROGRAM, &["cannot be used with"]);
    refuses(&["translate", "--chc", "-t", "C", "-"], PROGRAM, &["there is no label `C`"]);
}

#[test]
fn a_translation_evaluates_to_the_verdict() {
    for (target, truth) in [("L", "true\n"), ("M", "false\n")] {
        let program = "decl x; void main() begin x := T; if (x) then L: skip; else M: skip; fi end";
        for options in [&[][..], &["-a", "summary"], &["--mucke"]] {
            let arguments = [&["translate", "-t", target], options, &["-"]].concat();
            let formula = command(&arguments, program);
            assert_eq!(formula.code, 0, "{arguments:?}: {formula:?}");
            prints(&["mu", "-"], &formula.stdout, 0, truth);
        }
    }
    refuses(&["translate", "-a", "missing.mu", "-"], PROGRAM, &["`missing.mu` does not exist"]);
}

#[test]
fn a_certificate_is_accepted_for_its_program_only() {
    let sandbox = Sandbox::new();
    let safe = std::fs::read_to_string(root().join("examples/safe_lock.bp")).expect("an example is readable");
    sandbox.file("safe.bp", &safe).file("bad.bp", safe.replace("  locked := F;\n", ""));
    for algorithm in ["hybrid", "summary", "exit_backward"] {
        let arguments = ["check", "safe.bp", "-a", algorithm, "--certificate", "proof"];
        assert_eq!(sandbox.run(&arguments).code, 0, "{algorithm}");
        let accepted = sandbox.run(&["validate", "safe.bp", "proof"]);
        let expected = "ACCEPTED\nno run reaches assert\n";
        assert_eq!((accepted.code, accepted.stdout.as_str()), (0, expected), "{algorithm}: {accepted:?}");
        let refused = sandbox.run(&["validate", "bad.bp", "proof"]);
        assert_eq!(refused.code, 10, "{algorithm}: {refused:?}");
        assert!(refused.stdout.starts_with("REFUSED: "), "{algorithm}: {refused:?}");
    }
    let refused = sandbox.run(&["validate", "safe.bp", "proof", "-t", "nowhere"]);
    assert_eq!(refused.code, 2, "{refused:?}");
}

#[test]
fn a_certificate_about_labels_that_are_not_there_is_refused() {
    let sandbox = Sandbox::new();
    sandbox
        .file("a.bp", "void main() begin assume(F); L: skip; end")
        .file("b.bp", "void main() begin skip; end");
    assert_eq!(sandbox.run(&["check", "a.bp", "-t", "L", "--certificate", "proof"]).code, 0);
    assert_eq!(sandbox.run(&["validate", "a.bp", "proof"]).code, 0);
    let refused = sandbox.run(&["validate", "b.bp", "proof"]);
    assert_eq!(refused.code, 10, "{refused:?}");
    assert!(refused.stdout.starts_with("REFUSED: there is no label `"), "{refused:?}");
    let unwritable = sandbox.run(&["check", "a.bp", "-t", "L", "--certificate", "nowhere/proof"]);
    assert_eq!(unwritable.code, 2, "{unwritable:?}");
    assert!(unwritable.stderr.contains("cannot write `nowhere/proof`"), "{unwritable:?}");
}

#[test]
fn bad_input_is_an_error_of_every_command() {
    let sandbox = Sandbox::new();
    sandbox
        .file("directory/inside.bp", "")
        .file("binary.bp", b"decl x;\n\xff")
        .file("empty.bp", "")
        .file("no_main.bp", "\r\nvoid f() begin end\r\n")
        .file("proof", "");
    for arguments in [&["check"][..], &["run"], &["fmt"], &["translate", "--chc"], &["validate"]] {
        for (file, words) in [
            ("missing.bp", "`missing.bp` does not exist"),
            ("directory", "`directory` is a directory"),
            ("binary.bp", "byte 0xff at position 8"),
            ("empty.bp", "empty.bp:1:1"),
            ("no_main.bp", "no function `main`"),
        ] {
            let proof: &[&str] = if arguments == ["validate"] { &["proof"] } else { &[] };
            let outcome = sandbox.run(&[arguments, &[file], proof].concat());
            assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{arguments:?} {file}: {outcome:?}");
            assert!(outcome.stderr.contains(words), "{arguments:?} {file}: {outcome:?}");
        }
    }
}

#[test]
fn nesting_is_bounded_by_memory_only() {
    let depth = 10_000;
    let conditions = format!(
        "decl x; void main() begin {} ERROR: skip; {} end",
        "if (x) then ".repeat(depth),
        "fi; ".repeat(depth)
    );
    let brackets =
        format!("decl x; void main() begin assert({}x{}); end", "!(".repeat(depth), ")".repeat(depth));
    for program in [&conditions, &brackets] {
        for options in [&["--trace", "none"][..], &["--engine", "twin"]] {
            let outcome = command(&[&["check"], options, &["-"]].concat(), program);
            assert_eq!(outcome.code, 10, "{options:?}: {}", outcome.stderr);
        }
        for arguments in [&["translate", "--chc", "-"][..], &["run", "--choices", "F", "-"]] {
            assert_ne!(command(arguments, program).code, 101, "{arguments:?}");
        }
    }
    assert_eq!(command(&["fmt", "-"], &brackets).code, 0);
}

#[test]
fn certificates_that_cannot_be_read_are_errors() {
    let sandbox = Sandbox::new();
    sandbox.file("a.bp", "void main() begin assert(T); end").file("proof", "this is no certificate\n");
    let outcome = sandbox.run(&["validate", "a.bp", "proof"]);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{outcome:?}");
    assert!(outcome.stderr.contains("error: proof:1: "), "{outcome:?}");
    let outcome = sandbox.run(&["validate", "a.bp", "nowhere"]);
    assert!(outcome.code == 2 && outcome.stderr.contains("`nowhere` does not exist"), "{outcome:?}");
}

//! Several files, files in the wrong place, and files that are written.

use crate::harness::program::command;
use crate::harness::{Outcome, Sandbox, mu, run};
use std::path::Path;

const BAD: &str = "decl x;\ninit !x;\nvoid main() begin\n  x := T;\n  assert(!x);\nend\n";
const GOOD: &str = "void main()\nbegin\n  assert(T);\nend\n";

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.file("bad.bp", BAD).file("good.bp", GOOD).file("wrong.bp", "void main() begin x := T; end\n");
    sandbox.file("formula.mu", "true;\nexists bool x. x;\n").file("program.c", "int main() { return 0; }\n");
    sandbox
}

const MONITOR: &str = "monitor m\nbegin\n  initial target state s:\n    on T goto s; // always\nend\n";

#[track_caller]
fn ends(outcome: &Outcome, code: i32, stdout: &str, stderr: &str) {
    assert_eq!((outcome.code, outcome.stdout.as_str(), outcome.stderr.as_str()), (code, stdout, stderr));
}

#[test]
fn each_of_several_programs_has_its_name_before_its_answer() {
    let sandbox = sandbox();
    let outcome = sandbox.run(&["check", "good.bp", "bad.bp"]);
    let expected = "good.bp:
UNREACHABLE
no assertion can fail

bad.bp:
REACHABLE
1 step

step  line  statement    effect
   1     4  x := T       x = T
         5  assert(!x)   assertion fails
            (finally)    x = T
";
    assert_eq!(words(&outcome.stdout), words(expected), "{outcome:?}");
    assert_eq!((outcome.code, outcome.stderr.as_str()), (10, ""));
}

/// The words of a text, line by line, however they are aligned.
fn words(text: &str) -> Vec<Vec<&str>> {
    text.lines().map(|line| line.split_whitespace().collect()).collect()
}

#[test]
fn the_status_of_several_programs_is_the_strongest() {
    let sandbox = sandbox();
    // The twin does not look at so many states.
    sandbox.file(
        "large.bp",
        "decl x: int<40>, y: int<40>; void main() begin while x != y do x := x + y; od; assert(T); end",
    );
    for (files, code) in [
        (&["good.bp", "good.bp"][..], 0),
        (&["good.bp", "large.bp", "good.bp"], 5),
        (&["large.bp", "bad.bp", "good.bp"], 10),
        (&["bad.bp", "wrong.bp", "good.bp"], 2),
        (&["missing.bp", "bad.bp"], 2),
    ] {
        let outcome = sandbox.run(&[&["check", "--engine", "twin", "-q"], files].concat());
        assert_eq!(outcome.code, code, "{files:?}: {outcome:?}");
        let headers = outcome.stdout.lines().filter(|line| line.ends_with(".bp:")).count();
        assert_eq!(headers, files.len(), "{outcome:?}");
    }
}

#[test]
fn stdin_is_one_of_several_files_and_only_once() {
    let here = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let outcome = run(here, &["check", "-", "-"], GOOD);
    ends(&outcome, 2, "", "error: `-` is given twice, but stdin can be read once only\n");
    let sandbox = sandbox();
    sandbox.file("one.bp", GOOD);
    let outcome = sandbox.run_with(&["check", "one.bp", "-"], GOOD);
    let answer = "UNREACHABLE\nno assertion can fail\n";
    ends(&outcome, 0, &format!("one.bp:\n{answer}\n<stdin>:\n{answer}"), "");
    // It may have a name, which is not read.
    let named = sandbox.run_with(&["check", "one.bp", "-", "--stdin-name", "two.bp"], GOOD);
    ends(&named, 0, &format!("one.bp:\n{answer}\ntwo.bp:\n{answer}"), "");
    for (files, message) in
        [(&["one.bp", "-"][..], "is the name of another program"), (&["one.bp"], "no program is `-`")]
    {
        let outcome = sandbox.run_with(&[&["check", "--stdin-name", "one.bp"], files].concat(), GOOD);
        assert!(outcome.code == 2 && outcome.stderr.contains(message), "{outcome:?}");
    }
    let wrong = sandbox.run_with(&["check", "-", "--stdin-name", "two.bp"], "void main() begin x; end");
    assert!(wrong.code == 2 && wrong.stderr.contains("two.bp:1:"), "{wrong:?}");
    let outcome = sandbox.run_with(&["fmt", "-", "-"], GOOD);
    ends(&outcome, 2, "", "error: `-` is given twice, but stdin can be read once only\n");
}

#[test]
fn several_files_are_formatted() {
    let sandbox = sandbox();
    let canonical = sandbox.run(&["fmt", "bad.bp"]).stdout;
    let outcome = sandbox.run(&["fmt", "good.bp", "bad.bp"]);
    ends(&outcome, 0, &format!("good.bp:\n{GOOD}\nbad.bp:\n{canonical}"), "");
    let outcome = sandbox.run(&["fmt", "--check", "good.bp", "bad.bp"]);
    ends(&outcome, 10, "bad.bp: not in canonical form\n", "");
    let outcome = sandbox.run(&["fmt", "--write", "wrong.bp", "bad.bp", "good.bp"]);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{outcome:?}");
    assert_eq!((sandbox.read("bad.bp"), sandbox.read("good.bp")), (canonical, GOOD.to_owned()));
}

#[test]
fn a_file_in_the_wrong_place_is_told_the_right_command() {
    let sandbox = sandbox();
    sandbox.file("watch.mon", MONITOR).file("model.pml", "active proctype P() { skip }\n");
    let program = "`good.bp` is a Boolean program: `getafix check good.bp` checks it";
    let formula = "`formula.mu` is a file of the calculus: `getafix mu formula.mu` evaluates it";
    let c = "`program.c` is a program in C: `getafix check program.c` checks it";
    for (arguments, advice) in [
        (&["good.bp"][..], program),
        (&["formula.mu"], formula),
        (&["program.c"], c),
        (&["mu", "good.bp"], program),
        (&["check", "formula.mu"], formula),
        (&["run", "formula.mu"], formula),
        (&["fmt", "program.c"], c),
        (&["mu", "program.c"], c),
        (
            &["check", "watch.mon"],
            "`watch.mon` is a monitor: `getafix check PROGRAM --monitor watch.mon` asks about it",
        ),
        (
            &["check", "model.pml"],
            "`model.pml` is a model in Promela, the language of Spin, which cannot be read; docs/language.md says what a Boolean program is",
        ),
    ] {
        ends(&sandbox.run(arguments), 2, "", &format!("error: {advice}\n"));
    }
    // What a file is called is no reason to refuse it.
    sandbox.file("program.mu", GOOD).file("formula.bp", "true;");
    assert_eq!(sandbox.run(&["check", "program.mu"]).code, 0);
    assert_eq!(sandbox.run(&["mu", "formula.bp"]).stdout, "true\n");
    sandbox.file("noname", GOOD);
    let advice = "error: `noname` is no command; `getafix check noname` checks a program\n";
    ends(&sandbox.run(&["noname"]), 2, "", advice);
    let outcome = sandbox.run(&["chekc", "good.bp"]);
    assert!(outcome.code == 2 && outcome.stderr.contains("check"), "{outcome:?}");
}

#[test]
fn help_about_a_command_is_its_help() {
    let sandbox = sandbox();
    for name in ["check", "mu", "gen"] {
        let (help, long) = (sandbox.run(&["help", name]), sandbox.run(&[name, "--help"]));
        assert_eq!((help.code, &help.stdout), (0, &long.stdout), "{help:?}");
    }
}

#[test]
fn a_certificate_on_stdout_stands_alone() {
    let sandbox = sandbox();
    let to_file = sandbox.run(&["check", "good.bp", "--certificate", "good.cert"]);
    let to_stdout = sandbox.run(&["check", "good.bp", "--certificate", "-"]);
    ends(&to_stdout, 0, &sandbox.read("good.cert"), &to_file.stdout);
    let validated = sandbox.run_with(&["validate", "good.bp", "-"], &to_stdout.stdout);
    ends(&validated, 0, "ACCEPTED\nno run reaches assert\n", "");
    let outcome = sandbox.run(&["check", "bad.bp", "--certificate", "-"]);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (10, ""), "{outcome:?}");
    assert!(outcome.stderr.starts_with("REACHABLE\n"), "{outcome:?}");
    for arguments in [&["good.bp", "--json"][..], &["good.bp", "bad.bp"]] {
        let outcome = sandbox.run(&[&["check", "--certificate", "-"], arguments].concat());
        assert_eq!(outcome.code, 2, "{outcome:?}");
        assert!(outcome.stderr.contains("--certificate"), "{outcome:?}");
    }
}

#[test]
fn of_very_many_mistakes_twenty_are_shown() {
    let statements = |n: usize| (0..n).map(|n| format!("x{n} := T;\n")).collect::<String>();
    let program = |n: usize| format!("void main() begin {} end", statements(n));
    let formula = |n: usize| "P(1);\n".repeat(n);
    for (n, more) in [(20, None), (21, Some(1)), (51, Some(31))] {
        for outcome in [command(&["check", "-"], &program(n)), mu(&[], &formula(n))] {
            assert_eq!(outcome.code, 2, "{outcome:?}");
            assert_eq!(outcome.stderr.matches("error: ").count(), n.min(20), "{}", outcome.stderr);
            let last = outcome.stderr.lines().last();
            match more {
                Some(more) => assert_eq!(last, Some(format!("… and {more} more").as_str())),
                None => assert!(!outcome.stderr.contains('…'), "{}", outcome.stderr),
            }
        }
    }
    let outcome = command(&["check", "--json", "-"], &program(51));
    assert_eq!(outcome.stdout.matches("\"severity\": \"error\"").count(), 51);
}

#[test]
fn a_dump_is_written_whole_or_not_at_all() {
    let sandbox = sandbox();
    sandbox.file("dump.mu", "bool P(bool x) x;\n#dump P;\n");
    assert_eq!(sandbox.run(&["mu", "dump.mu"]).code, 0);
    let whole = sandbox.read("P.dddmp");
    assert_eq!(
        sandbox.names(),
        ["P.dddmp", "bad.bp", "dump.mu", "formula.mu", "good.bp", "program.c", "wrong.bp"]
    );
    // A directory in the place of the file: it cannot be renamed, and nothing is left behind.
    sandbox.file("Q.dddmp/inside", "").file("dump.mu", "bool Q(bool x) x;\n#dump Q;\n");
    let outcome = sandbox.run(&["mu", "dump.mu"]);
    assert!(outcome.code == 2 && outcome.stderr.contains("cannot write `Q.dddmp`"), "{outcome:?}");
    assert!(sandbox.names().iter().all(|name| !name.starts_with('.')), "{:?}", sandbox.names());
    // A file that others hold on to keeps its text: it is replaced, not overwritten.
    sandbox.link("P.dddmp", "held");
    sandbox.file("dump.mu", "bool P(bool x) !x;\n#dump P;\n");
    assert_eq!(sandbox.run(&["mu", "dump.mu"]).code, 0);
    assert_eq!(sandbox.read("held"), whole);
    assert_ne!(sandbox.read("P.dddmp"), whole);
}

#[test]
fn completions_know_algorithms_families_and_reductions() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = command(&["completions", shell], "").stdout;
        // Elvish and PowerShell complete no values of options.
        let knows_values = !["elvish", "powershell"].contains(&shell);
        for name in
            ["entry_forward_split", "bounded_contexts", "readers_writers", "live-variables", "early-stop"]
        {
            assert!(!knows_values || script.contains(name), "{shell}: {name}");
        }
        assert!(script.contains("sequentialize"), "{shell}");
    }
}

/// So many globals that nothing mentions.
fn with_globals(n: usize, rest: &str) -> String {
    let decls: String = (0..n).map(|n| format!("decl forgotten{n}: int<3>;\n")).collect();
    format!("decl x;\n{decls}init !x;\n{rest}")
}

const SEQUENTIAL: &str =
    "void f() begin x := !x; end\nvoid main() begin while * do f(); od; if x then ERROR: skip; fi end\n";
const THREADS: &str = "thread p begin decl y; void main() begin x := T; end end\n\
                       thread q begin void main() begin assume(x); ERROR: skip; end end\n";

#[test]
fn what_is_declared_and_not_mentioned_costs_nothing() {
    for (rest, options) in [
        (SEQUENTIAL, &[][..]),
        (SEQUENTIAL, &["--shortest"]),
        (SEQUENTIAL, &["--without", "all"]),
        (SEQUENTIAL, &["--algorithm", "summary", "--no-explicit"]),
        (THREADS, &["-k", "2", "--engine", "symbolic"]),
        (THREADS, &["--rounds", "2", "--engine", "symbolic"]),
    ] {
        let figures = |n: usize| {
            let arguments = [&["check", "--stats", "--trace", "none"], options, &["-"]].concat();
            let outcome = command(&arguments, &with_globals(n, rest));
            assert_eq!(outcome.code, 10, "{n} globals, {options:?}: {}", outcome.stderr);
            let last = outcome.stderr.lines().last().expect("figures").to_owned();
            last.split_once(" variables").expect("a number of variables").0.to_owned()
        };
        assert_eq!(figures(3000), figures(0), "{options:?}");
    }
}

#[test]
fn every_engine_takes_many_globals() {
    let program = with_globals(3000, SEQUENTIAL);
    for options in [&["--engine", "twin"][..], &["--engine", "compare"], &["--shortest"]] {
        let outcome = command(&[&["check"], options, &["-"]].concat(), &program);
        assert_eq!(outcome.code, 10, "{options:?}: {}", outcome.stderr);
        assert!(outcome.stdout.ends_with("(finally)    x = T\n"), "{options:?}: {}", outcome.stdout);
        assert!(!outcome.stderr.contains("not compared"), "{}", outcome.stderr);
    }
    let threads = command(&["check", "--engine", "compare", "-k", "2", "-"], &with_globals(3000, THREADS));
    assert_eq!(threads.code, 10, "{}", threads.stderr);
    let safe = with_globals(3000, "void main() begin assert(!x); end");
    let outcome = command(&["check", "--certificate", "-", "-"], &safe);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
}

#[test]
fn a_hundred_thousand_globals_are_no_reason_to_refuse() {
    let outcome = command(&["check", "-"], &with_globals(100_000, SEQUENTIAL));
    assert_eq!(outcome.code, 10, "{}", outcome.stderr);
}

#[test]
fn a_text_in_another_language_is_told_so_at_its_first_sign() {
    let sandbox = Sandbox::new();
    let form = "note: a Boolean program looks like `decl x; void main() begin x := T; assert(x); end`\n";
    for (name, text, message, place) in [
        (
            "a.bp",
            "int n;\nint main(void) {\n  return 0;\n}\n",
            "this is a program in C, not a Boolean program: call it `a.c`, and `getafix check a.c` checks it",
            "a.bp:2:16\n 2 | int main(void) {\n   |                ^",
        ),
        (
            "b.bp",
            "// R\nmu bool R(bool x) x;\n",
            "this is a file of the calculus, not a Boolean program: `getafix mu b.bp` evaluates it",
            "b.bp:2:1\n 2 | mu bool R(bool x) x;\n   | ^^",
        ),
        (
            "c",
            MONITOR,
            "this is a monitor, not a Boolean program: `getafix check PROGRAM --monitor c` asks about it",
            "c:1:1\n 1 | monitor m\n   | ^^^^^^^",
        ),
        (
            "d.bp",
            "mtype = { a };\nactive proctype P() { skip }\n",
            "this is a model in Promela, the language of Spin, not a Boolean program: it cannot be read",
            "d.bp:1:1\n 1 | mtype = { a };\n   | ^^^^^",
        ),
    ] {
        sandbox.file(name, text);
        let expected = format!("error: {message}\n  --> {place}\n{form}");
        for command in ["check", "run", "fmt"] {
            ends(&sandbox.run(&[command, name]), 2, "", &expected);
        }
    }
    let outcome = command(&["check", "-"], "#include <assert.h>\nint main() { return 0; }\n");
    assert!(
        outcome.stderr.contains("a program in C") && outcome.stderr.contains("<stdin>:1:1"),
        "{outcome:?}"
    );
    // A mistake in a Boolean program is none of another language.
    let outcome = command(&["check", "-"], "void main() begin if (x) { skip; } end\n");
    assert!(outcome.stderr.contains("a block is `begin … end`"), "{outcome:?}");
}

#[test]
fn monitors_are_formatted() {
    let sandbox = Sandbox::new();
    sandbox
        .file("m.mon", MONITOR)
        .file("n.mon", MONITOR.replace("  ", " "))
        .file("wrong.mon", "monitor m begin state s on T; end");
    ends(&sandbox.run(&["fmt", "--check", "m.mon"]), 0, "", "");
    ends(&sandbox.run(&["fmt", "--check", "n.mon"]), 10, "n.mon: not in canonical form\n", "");
    ends(&sandbox.run(&["fmt", "n.mon"]), 0, MONITOR, "");
    let outcome = sandbox.run(&["fmt", "wrong.mon"]);
    assert!(outcome.code == 2 && outcome.stderr.contains("wrong.mon:1:25"), "{outcome:?}");
}

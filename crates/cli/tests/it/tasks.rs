//! Many checks: a project's list, programs side by side, what is written about all of them, and what is wrong with a list.

use crate::harness::{Outcome, Sandbox, root, schema};
use serde_json::Value;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use testing::Counts;

const BAD: &str = "decl x; void main() begin x := *; assert(x); end";
const GOOD: &str = "decl x; void main() begin x := T; assert(x); end";
const WRONG: &str = "void main() begin y := T; end";
/// A search that nobody finishes.
const ENDLESS: &str = "decl a: int<32>, b: int<32>; void main() begin while (*) do a, b := a * b, b + a; od; assert(a * a != 17 | b * b != 9); end";

/// A folder with a program of each kind.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.file("bad.bp", BAD).file("good.bp", GOOD).file("wrong.bp", WRONG).file("endless.bp", ENDLESS);
    sandbox
}

/// Checks a list.
#[track_caller]
fn listed(sandbox: &Sandbox, list: &str, options: &[&str]) -> Outcome {
    sandbox.file("getafix.toml", list);
    sandbox.run(&[&["check", "--tasks", "getafix.toml"], options].concat())
}

#[test]
fn what_becomes_of_a_list_is_a_table_and_a_status() {
    let sandbox = sandbox();
    let good = "[[check]]\nfile = 'good.bp'\n";
    let expected = "[[check]]\nfile = 'bad.bp'\nexpect = 'reachable'\n";
    let other = "[[check]]\nname = 'other'\nfile = 'bad.bp'\n";
    let unknown = "[[check]]\nfile = 'endless.bp'\ntimeout = 0.3\n";
    let rejected = "[[check]]\nfile = 'wrong.bp'\n";
    let all = [(0, good), (0, expected), (10, other), (5, unknown), (2, rejected)];
    // The worst counts, in the order 0, 5, 10, 2.
    let rank = |status: i32| [0, 5, 10, 2].iter().position(|other| *other == status);
    let mut counts = Counts::default();
    for chosen in 1_usize..32 {
        let parts = (0..5).filter(|n| chosen & (1 << n) != 0).map(|n| all[n]);
        // Each is asked once with others; what takes its time is not in all of them.
        if chosen & 8 != 0 && chosen % 3 != 0 {
            continue;
        }
        let (statuses, texts): (Vec<i32>, Vec<&str>) = parts.unzip();
        let worst = statuses.into_iter().max_by_key(|status| rank(*status)).unwrap_or_default();
        let outcome = listed(&sandbox, &texts.concat(), &["--quiet"]);
        assert_eq!(outcome.code, worst, "{}\n{}{}", texts.concat(), outcome.stdout, outcome.stderr);
        counts.count(["status 0", "status 5", "status 10", "status 2"][rank(worst).expect("a status")]);
    }
    counts.at_least(&[("status 0", 3), ("status 5", 1), ("status 10", 3), ("status 2", 6)]);
    let everything: String = all.iter().map(|(_, text)| *text).collect();
    let outcome = listed(&sandbox, &everything, &["--quiet", "--jobs", "3"]);
    let lines: Vec<&str> = outcome.stdout.lines().collect();
    assert_eq!(
        lines[..6],
        [
            "check       verdict      expected",
            "good.bp     unreachable  no error   as expected",
            "bad.bp      reachable    reachable  as expected",
            "other       reachable    no error   ANOTHER VERDICT",
            "endless.bp  unknown      no error   UNKNOWN",
            "wrong.bp    error        no error   REJECTED",
        ],
        "{}",
        outcome.stdout
    );
    assert!(outcome.stdout.contains("other: REACHABLE, and no error is expected\n  getafix check bad.bp\n"));
    let end = "5 checks: 2 as expected, 1 another verdict, 1 unknown, 1 rejected\n";
    assert!(outcome.stdout.ends_with(end), "{}", outcome.stdout);
    assert!(outcome.stderr.contains("wrong.bp:1:19"), "what is wrong is told: {}", outcome.stderr);
}

#[test]
fn the_list_of_the_examples_is_as_expected_from_anywhere() {
    let sandbox = Sandbox::new();
    let list = root().join("examples/getafix.toml");
    let outcome = sandbox.run(&["check", "--tasks", &list.to_string_lossy(), "--jobs", "2"]);
    assert_eq!(outcome.code, 0, "{}{}", outcome.stdout, outcome.stderr);
    assert!(outcome.stdout.ends_with("8 checks: 8 as expected\n"), "{}", outcome.stdout);
    assert_eq!(outcome.stderr.lines().count(), 8, "each is told when it is done: {}", outcome.stderr);
}

#[test]
fn two_runs_write_the_same_whatever_the_number_of_jobs() {
    let sandbox = sandbox();
    let list: String =
        ["good", "bad", "wrong"].map(|name| format!("[[check]]\nfile = '{name}.bp'\n")).concat();
    let run = |jobs: &str| {
        let options = ["--quiet", "--junit", "all.xml", "--sarif", "all.sarif", "--jobs", jobs];
        let outcome = listed(&sandbox, &list, &options);
        (outcome.stdout, sandbox.read("all.xml"), sandbox.read("all.sarif"))
    };
    let first = run("1");
    assert!(first == run("3") && first == run("2"));
}

/// The elements of a document in XML that is ours: each with its attributes.
fn elements(xml: &str) -> Vec<&str> {
    xml.split('<').skip(1).filter_map(|part| part.split('>').next()).collect()
}

#[test]
fn junit_has_a_case_for_each_check() {
    let sandbox = sandbox();
    let list = "[[check]]\nname = 'a < \"b\" & c'\nfile = 'bad.bp'\n\
                [[check]]\nfile = 'good.bp'\n[[check]]\nfile = 'wrong.bp'\n[[check]]\nfile = 'endless.bp'\ntimeout = 0.2\n";
    let outcome = listed(&sandbox, list, &["--junit", "all.xml", "--quiet"]);
    assert_eq!(outcome.code, 2);
    let xml = sandbox.read("all.xml");
    let elements = elements(&xml);
    assert!(elements.contains(&"testsuites tests=\"4\" failures=\"1\" errors=\"2\""), "{xml}");
    let case = "testcase name=\"a &lt; &quot;b&quot; &amp; c\" classname=\"bad.bp\" file=\"bad.bp\"";
    assert!(elements.contains(&case), "{xml}");
    assert!(elements.contains(&"testcase name=\"good.bp\" classname=\"good.bp\" file=\"good.bp\"/"), "{xml}");
    assert!(
        xml.contains("<failure type=\"another verdict\" message=\"REACHABLE, and no error is expected\">")
    );
    assert!(xml.contains("x := *"), "the run is told: {xml}");
    assert!(xml.contains("<error type=\"rejected\" message=\"error in line 1: "), "{xml}");
    assert!(xml.contains("<error type=\"unknown\" message=\"UNKNOWN: "), "{xml}");
    listed(&sandbox, list, &["--junit", "all.xml", "--quiet", "--stats"]);
    assert!(sandbox.read("all.xml").contains(" time=\""));
}

#[test]
fn sarif_of_a_list_has_what_nobody_expected() {
    let sandbox = sandbox();
    sandbox.file("sub/bad.bp", BAD);
    let list = "[[check]]\nname = 'fine'\nfile = 'bad.bp'\nexpect = 'reachable'\n[[check]]\nname = 'news'\nfile = 'sub/bad.bp'\n\
                [[check]]\nname = 'repaired'\nfile = 'good.bp'\nexpect = 'reachable'\n";
    let outcome = listed(&sandbox, list, &["--sarif", "-", "--quiet"]);
    assert_eq!(outcome.code, 10);
    let document: Value = serde_json::from_str(&outcome.stdout).expect("stdout is the document");
    let run = &document["runs"][0];
    assert_eq!(run["results"].as_array().map(Vec::len), Some(1));
    let place = &run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
    assert_eq!((place["uri"].as_str(), place["index"].as_u64()), (Some("sub/bad.bp"), Some(1)));
    assert_eq!(run["artifacts"][1]["location"]["uri"], "sub/bad.bp");
    let remark = &run["invocations"][0]["toolExecutionNotifications"][0];
    assert_eq!(remark["message"]["text"], "repaired: UNREACHABLE, and reachable is expected");
    // Of programs of the command line all runs are there.
    let outcome = sandbox.run(&["check", "--jobs", "2", "bad.bp", "sub/bad.bp", "--sarif", "all.sarif"]);
    assert_eq!(outcome.code, 10);
    let document: Value = serde_json::from_str(&sandbox.read("all.sarif")).expect("a document");
    assert_eq!(document["runs"][0]["results"].as_array().map(Vec::len), Some(2));
}

/// A list, and the message about it with its line and column.
const MALFORMED: [(&str, &str, &str); 30] = [
    ("[[check]\n", "1:", ""),
    ("[[check]]\nfile = 'a\n", "2:", ""),
    ("[[check]]\nfile = 'good.bp'\nfile = 'bad.bp'\n", "3:1", "duplicate key"),
    ("", "1:1", "has no `[[check]]`"),
    ("[[chekc]]\nfile = 'good.bp'\n", "1:3", "there is no key `chekc`; did you mean `check`?"),
    ("jobs = 3\n[[check]]\nfile = 'good.bp'\n", "1:1", "there is no key `jobs`"),
    ("[check]\nfile = 'good.bp'\n", "1:1", "`[[check]]`"),
    ("defaults = 3\n", "1:12", "`[defaults]`"),
    ("[defaults]\nfile = 'good.bp'\n[[check]]\nfile = 'good.bp'\n", "2:1", "there is no key `file`"),
    ("[[check]]\nexpect = 'holds'\n", "1:1", "has no `file`"),
    ("[[check]]\nfile = 3\n", "2:8", "`file` is a text in quotes, and not a number"),
    ("[[check]]\nfile = ''\n", "2:8", "`file` is empty"),
    ("[[check]]\nfile = 'good.bp'\nfiles = ['bad.bp']\n", "3:9", "and not both"),
    ("[[check]]\nfiles = ['no*.bp']\n", "2:10", "no file matches `no*.bp`"),
    ("[[check]]\nfile = 'none.bp'\n", "2:8", "`none.bp` does not exist\n"),
    ("[[check]]\nfile = 'good.bp'\nmonitor = 'none.mon'\n", "3:11", "`none.mon` does not exist\n"),
    ("[[check]]\nfile = 'good.bp'\nalgorithm = 'none.mu'\n", "3:13", "`none.mu` does not exist\n"),
    ("[[check]]\nfile = 'good.bp'\nproperty = 'none.prp'\n", "3:12", "`none.prp` does not exist\n"),
    ("[[check]]\nfile = 'good.bp'\nlink = ['bad.bp', 'π.c']\n", "3:19", "`π.c` does not exist\n"),
    ("[defaults]\nlibrary = 'none.c'\n[[check]]\nfile = 'good.bp'\n", "2:11", "`none.c` does not exist\n"),
    ("[[check]]\nfile = '-'\n", "1:1", "a list reads files, and not stdin\n"),
    ("[[check]]\nfile = 'good.bp'\nexpect = 'reachible'\n", "3:10", "did you mean `reachable`?"),
    ("[[check]]\nfile = 'good.bp'\nexpect = { ERROR = 'deadlock' }\n", "3:20", "`deadlock` is no verdict"),
    ("[[check]]\nfile = 'good.bp'\nnonterm = 'yes'\n", "3:11", "`nonterm` is true or false, and not a text"),
    ("[[check]]\nfile = 'good.bp'\nk = 99\n", "3:5", "at most 64 context switches"),
    ("[[check]]\nfile = 'good.bp'\nengine = 'diesel'\n", "3:10", "invalid value 'diesel'"),
    ("[[check]]\nfile = 'good.bp'\nnonterm = true\nltl = 'G x'\n", "", "cannot be used with"),
    ("[[check]]\nfile = 'good.bp'\nnonterm = true\ntarget = 'A'\n", "4:10", "cannot be used with: --"),
    ("[[check]]\nfile = 'good.bp'\nsarif = 'x'\n", "3:1", "an option of the command that reads the list"),
    ("[[check]]\nfile = 'good.bp'\n[[check]]\nfile = 'good.bp'\n", "3:1", "two checks are called `good.bp`"),
];

#[test]
fn what_is_wrong_with_a_list_is_told_with_its_place() {
    let sandbox = sandbox();
    for (list, place, message) in MALFORMED {
        let outcome = listed(&sandbox, list, &[]);
        let all = format!("{list}\n{}", outcome.stderr);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{all}");
        assert!(outcome.stderr.starts_with("error: ") && outcome.stderr.contains(message), "{all}");
        assert!(outcome.stderr.contains(&format!("--> getafix.toml:{place}")), "{place}: {all}");
    }
    // All that is wrong is told.
    let outcome = listed(&sandbox, "a = 1\n[[check]]\nfile = 'good.bp'\nb = 1\nc = 1\n", &[]);
    assert_eq!(outcome.stderr.matches("error: ").count(), 3, "{}", outcome.stderr);
    for (arguments, message) in [
        (&["check", "--tasks", "none.toml"][..], "`none.toml`"),
        (&["check", "--tasks", "getafix.toml", "-k", "3"], "`-k` is about one check"),
        (&["check", "--tasks", "getafix.toml", "good.bp"], "none is named beside it"),
        (&["check", "--jobs", "0", "good.bp"], "expected a number from 1 to 1024"),
        (&["check", "--jobs", "2", "-"], "stdin is read once"),
        (&["check", "--jobs", "2", "good.bp", "--certificate", "c"], "go with one program"),
        (&["check", "--jobs", "2", "good.bp", "--junit", "good.bp"], "would be written over what is read"),
    ] {
        let outcome = sandbox.run(arguments);
        assert!(outcome.code == 2 && outcome.stderr.contains(message), "{arguments:?}: {}", outcome.stderr);
    }
}

#[test]
fn any_text_is_a_list_or_an_error_with_a_place() {
    let sandbox = sandbox();
    let words = [
        "[[check]]\n",
        "[defaults]\n",
        "file",
        "=",
        "'good.bp'",
        "\n",
        "expect",
        "{",
        "}",
        "[",
        "]",
        ",",
        "true",
        "3",
        "π",
        "\"",
        "#",
    ];
    let mut counts = Counts::default();
    for seed in testing::seeds(0..60) {
        let mut random = base::Random::new(seed);
        let n = 1 + random.below(12);
        let list: String = (0..n).map(|_| words[random.below(words.len() as u64) as usize]).collect();
        let outcome = listed(&sandbox, &list, &["--quiet"]);
        assert!([0, 2].contains(&outcome.code), "seed {seed}: {list}\n{}", outcome.stderr);
        if outcome.code == 2 {
            assert!(outcome.stderr.contains("--> getafix.toml:"), "seed {seed}: {list}\n{}", outcome.stderr);
        }
        counts.count(if outcome.code == 0 { "list" } else { "error" });
    }
    counts.at_least(&[("error", 50)]);
}

#[test]
fn every_question_can_be_a_key() {
    let sandbox = Sandbox::new();
    sandbox
        .file("m.mon", std::fs::read_to_string(root().join("examples/double_lock.mon")).expect("an example"));
    sandbox.file("lock.bp", std::fs::read_to_string(root().join("examples/lock.bp")).expect("an example"));
    sandbox
        .file("own.mu", std::fs::read_to_string(root().join("algorithms/summary.mu")).expect("an algorithm"));
    sandbox.file(
        "threads.bp",
        "decl m; init !m; thread p[2] begin void main() begin atomic begin assume(!m); m := T; end end end",
    );
    sandbox.file(
        "p.c",
        "void reach_error(void); int main(void) { int x = 3; if (x > 2) reach_error(); return 0; }",
    );
    let keys = [
        ("lock.bp", "target = ['ERROR', 'assert']\nexpect = 'reachable'"),
        ("lock.bp", "target = 'assert'\nexpect = 'unreachable'"),
        ("lock.bp", "monitor = 'm.mon'\nexpect = 'reachable'"),
        ("lock.bp", "algorithm = 'own.mu'\nexpect = 'reachable'"),
        ("lock.bp", "nonterm = true\nexpect = 'infinite run'"),
        ("lock.bp", "engine = 'explicit'\nsearch = 'bfs'\nshortest = true\nexpect = { ERROR = 'reachable' }"),
        ("lock.bp", "without = ['cone', 'localise']\ntarget = 'ERROR'\nexpect = 'reachable'"),
        ("threads.bp", "deadlock = true\nexpect = 'deadlock'"),
        ("p.c", "int = 'math'\nexpect = 'reachable'"),
        ("p.c", "property = 'unreach-call'\nexpect = 'reachable'"),
    ];
    let check = |(n, (file, keys)): (usize, &(&str, &str))| {
        format!("[[check]]\nname = '{n}'\nfile = '{file}'\n{keys}\n")
    };
    let list: String = keys.iter().enumerate().map(check).collect();
    let outcome = listed(&sandbox, &list, &["--jobs", "2", "--quiet"]);
    assert_eq!(outcome.code, 0, "{}{}", outcome.stdout, outcome.stderr);
}

#[test]
fn programs_side_by_side_are_told_one_by_one() {
    let sandbox = sandbox();
    let outcome = sandbox.run(&["check", "--jobs", "1", "good.bp", "bad.bp", "wrong.bp"]);
    let lines: Vec<&str> = outcome.stdout.lines().collect();
    assert_eq!(lines[..2], ["good.bp: UNREACHABLE", "bad.bp: REACHABLE"]);
    assert!(lines[2].starts_with("wrong.bp: error in line 1: "), "{}", lines[2]);
    assert_eq!(lines[3..], ["3 programs: 1 reachable, 1 unreachable, 1 rejected"]);
    assert_eq!(outcome.code, 2);
    let sorted = |outcome: &Outcome| {
        let mut lines: Vec<String> = outcome.stdout.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let other = sandbox.run(&["check", "wrong.bp", "bad.bp", "--jobs", "3", "good.bp"]);
    assert_eq!((sorted(&outcome), outcome.code), (sorted(&other), other.code));
}

#[cfg(unix)]
#[test]
fn a_line_is_one_line_whatever_a_file_is_called() {
    let sandbox = sandbox();
    let (good, hostile) = (sandbox.read("good.bp"), "a\nb: REACHABLE\x1b[31m %s$(x)\".bp");
    sandbox.file(hostile, good);
    let outcome = sandbox.run(&["check", "--jobs", "1", "good.bp", hostile]);
    let lines: Vec<&str> = outcome.stdout.lines().collect();
    let shown = "a\\nb: REACHABLE\\u{1b}[31m %s$(x)\".bp: UNREACHABLE";
    assert_eq!(lines, ["good.bp: UNREACHABLE", shown, "2 programs: 2 unreachable"]);
}

#[test]
fn objects_are_lines_and_as_the_schema_says() {
    let sandbox = sandbox();
    let outcome = sandbox
        .run(&["check", "--jobs", "2", "--json", "good.bp", "bad.bp", "wrong.bp", "--target", "assert"]);
    let text = std::fs::read_to_string(root().join("docs/output.schema.json")).expect("the schema");
    let rules: Value = serde_json::from_str(&text).expect("it is JSON");
    let mut seen = Vec::new();
    for line in outcome.stdout.lines() {
        let object: Value = serde_json::from_str(line).expect("an object");
        schema::validate(&rules, &object).unwrap_or_else(|problem| panic!("{problem}: {line}"));
        assert_eq!(object["task"]["asked"], serde_json::json!(["--target=assert"]));
        seen.push(format!("{} {} {}", object["file"], object["verdict"], object["task"]["status"]));
    }
    seen.sort();
    assert_eq!(
        seen,
        ["\"bad.bp\" \"reachable\" 10", "\"good.bp\" \"unreachable\" 0", "\"wrong.bp\" \"error\" 2"]
    );
    assert!(
        outcome.stderr.ends_with("3 programs: 1 reachable, 1 unreachable, 1 rejected\n"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn sets_of_tasks_are_taken_apart_and_compared_with_what_they_expect() {
    let sandbox = Sandbox::new();
    let program = |x: u32| {
        format!(
            "void reach_error(void); int main(void) {{ int x = {x}; if (x > 2) reach_error(); return 0; }}"
        )
    };
    let task = |file: &str, verdict: bool| {
        format!(
            "format_version: '2.0'\ninput_files: '{file}'\nproperties:\n  - property_file: ../p.prp\n    expected_verdict: {verdict}\n"
        )
    };
    sandbox.file("p.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    sandbox.file("t/a.c", program(3)).file("t/b.c", program(1)).file("t/c.c", program(1));
    sandbox
        .file("t/a.yml", task("a.c", false))
        .file("t/b.yml", task("b.c", true))
        .file("t/c.yml", task("c.c", false));
    sandbox.file("all.set", "# all of them\n\nt/a.yml\nt/*.yml\n");
    let outcome = sandbox.run(&["check", "all.set", "--jobs", "1"]);
    let lines: Vec<&str> = outcome.stdout.lines().collect();
    assert_eq!(
        lines,
        [
            "t/a.yml: REACHABLE",
            "t/b.yml: UNREACHABLE",
            "t/c.yml: UNREACHABLE, and false is expected",
            "3 programs: 1 reachable, 2 unreachable",
            "1 not as the task expects"
        ],
        "{}",
        outcome.stderr
    );
    assert_eq!(outcome.code, 10);
    // An earlier answer is about the program that the task names, too.
    let resumed = || sandbox.run(&["check", "t/b.yml", "--jobs", "1", "--resume", "answers"]).stdout;
    assert!(resumed().starts_with("t/b.yml: UNREACHABLE\n"));
    assert!(resumed().starts_with("t/b.yml: UNREACHABLE\n"));
    assert_eq!(sandbox.read("answers").lines().count(), 1);
    sandbox.file("t/b.c", program(4));
    assert!(resumed().starts_with("t/b.yml: REACHABLE, and true is expected\n"));
    sandbox.file("t/b.c", program(1));
    sandbox.file("wrong.set", "t/a.yml\nt/none*.yml\n");
    let outcome = sandbox.run(&["check", "wrong.set"]);
    assert!(
        outcome.code == 2 && outcome.stderr.contains("wrong.set:2: no file matches `t/none*.yml`"),
        "{}",
        outcome.stderr
    );
    // In a list, too, a task says what is expected.
    let outcome = listed(&sandbox, "[[check]]\nfiles = 't/[ab].yml'\n", &["--quiet"]);
    assert_eq!(outcome.code, 0, "{}{}", outcome.stdout, outcome.stderr);
}

#[test]
fn an_earlier_output_is_not_asked_again_unless_something_has_changed() {
    let sandbox = sandbox();
    let run = |more: &[&str]| {
        sandbox.run(&[&["check", "--jobs", "1", "--resume", "answers", "good.bp", "bad.bp"], more].concat())
    };
    let n_lines = || sandbox.read("answers").lines().count();
    let first = run(&[]);
    assert_eq!((first.code, n_lines()), (10, 2), "{}", first.stderr);
    let again = run(&[]);
    assert_eq!((again.code, &again.stdout, n_lines()), (10, &first.stdout, 2));
    // Another limit is another question; so is another program.
    run(&["--timeout", "100"]);
    assert_eq!(n_lines(), 4);
    sandbox.file("bad.bp", GOOD);
    let changed = run(&[]);
    assert_eq!((changed.code, n_lines()), (0, 5), "{}", changed.stdout);
    // What was being written when somebody killed us is cut off.
    let text = sandbox.read("answers");
    let whole: Vec<&str> = text.lines().collect();
    sandbox.file("answers", format!("{}\n{}", whole[..4].join("\n"), &whole[4][..40]));
    assert_eq!((run(&[]).code, n_lines()), (0, 5));
    // An output of `--json` will do, and what is no output is left alone.
    let lines = sandbox.run(&["check", "--jobs", "2", "--json", "good.bp", "bad.bp"]).stdout;
    sandbox.file("answers", lines);
    assert_eq!((run(&[]).code, n_lines()), (0, 2));
    for other in ["precious\n", "{\"a\": 1}\n", "no end"] {
        sandbox.file("answers", other);
        let outcome = run(&[]);
        assert!(outcome.code == 2 && outcome.stderr.contains("is no answer of"), "{}", outcome.stderr);
        assert_eq!(sandbox.read("answers"), other);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_told() {
    let sandbox = sandbox();
    let outcome = sandbox.run(&["check", "--jobs", "1", "--resume", "/dev/full", "good.bp", "bad.bp"]);
    assert_eq!(outcome.code, 2, "{}", outcome.stderr);
    assert!(outcome.stderr.contains("`--resume /dev/full`: "), "{}", outcome.stderr);
}

#[test]
fn pages_about_many_have_one_that_leads_to_them() {
    let sandbox = sandbox();
    sandbox.file("sub/getafix.toml", "[[check]]\nfile = '../good.bp'\n[[check]]\nfile = '../bad.bp'\n");
    let outcome = sandbox.run(&["check", "--tasks", "sub/getafix.toml", "--html", "all.html", "--quiet"]);
    assert_eq!(outcome.code, 10, "{}", outcome.stderr);
    let index = sandbox.read("all.html");
    assert!(index.contains("href=\"all-1.html\"") && index.contains("href=\"all-2.html\""), "{index}");
    assert!(sandbox.read("all-2.html").contains("REACHABLE"));
}

/// The processes whose command line has this word.
#[cfg(target_os = "linux")]
fn processes(word: &str) -> usize {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let lines = entries.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    lines.filter(|line| String::from_utf8_lossy(line).contains(word)).count()
}

#[test]
#[cfg(target_os = "linux")]
fn whoever_interrupts_or_kills_a_batch_ends_all_of_it() {
    for signal in ["-INT", "-KILL"] {
        let sandbox = sandbox();
        let name = format!("endless-{}{signal}.bp", std::process::id());
        sandbox.file(&name, ENDLESS);
        let mut child = Command::new(env!("CARGO_BIN_EXE_getafix"))
            .args([
                "check",
                "--jobs",
                "3",
                "--resume",
                "answers",
                "good.bp",
                &name,
                &format!("./{name}"),
                "bad.bp",
            ])
            .current_dir(sandbox.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let begun = Instant::now();
        let wait = |what: &str, is_so: &mut dyn FnMut() -> bool| {
            while !is_so() {
                assert!(begun.elapsed() < Duration::from_secs(120), "{what}");
                std::thread::sleep(Duration::from_millis(10));
            }
        };
        let is_answered = || {
            std::fs::read_to_string(sandbox.path().join("answers"))
                .is_ok_and(|text| text.lines().count() == 2)
        };
        wait("two are answered and two at work", &mut || is_answered() && processes(&name) == 3);
        let kill = Command::new("kill").arg(signal).arg(child.id().to_string()).status();
        assert!(kill.is_ok_and(|status| status.success()));
        let status = child.wait().expect("it ends");
        wait("nobody is left", &mut || processes(&name) == 0);
        assert_eq!(sandbox.read("answers").lines().count(), 2, "what was interrupted is no answer");
        if signal == "-INT" {
            assert_eq!(status.code(), Some(10), "bad.bp is reachable; the others are unknown");
        }
    }
}

/// Runs a shell in a folder where `getafix` is the program.
fn shell(sandbox: &Sandbox, script: &str) -> Outcome {
    let folder = std::path::Path::new(env!("CARGO_BIN_EXE_getafix")).parent().expect("a folder").to_owned();
    let path = std::env::join_paths(
        std::iter::once(folder).chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())),
    );
    let mut command = Command::new("sh");
    command.args(["-e", "-c", script]).current_dir(sandbox.path()).env("PATH", path.expect("a path"));
    // No configuration of whoever runs the tests.
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("HOME", sandbox.path());
    command.output().expect("there is a shell").into()
}

#[test]
fn the_job_for_ci_does_what_it_says() {
    let job = std::fs::read_to_string(root().join("contrib/ci/github.yml")).expect("the job");
    let commands: Vec<&str> = job.lines().filter_map(|line| line.trim().strip_prefix("run: ")).collect();
    assert_eq!(commands.len(), 3, "{commands:?}");
    // The first one installs what is tested here.
    assert_eq!(commands[0], "pip install getafix");
    let sandbox = sandbox();
    for (program, code) in [("good.bp", 0), ("bad.bp", 10)] {
        sandbox.file("getafix.toml", format!("[[check]]\nfile = '{program}'\n"));
        let outcome = shell(&sandbox, &commands[1..].join("\n"));
        assert_eq!(outcome.code, code, "{}{}", outcome.stdout, outcome.stderr);
        assert!(
            sandbox.read("getafix.xml").contains("<testsuites")
                && sandbox.read("getafix.sarif").contains("2.1.0")
        );
    }
    let config =
        std::fs::read_to_string(root().join("contrib/ci/pre-commit-config.yaml")).expect("the configuration");
    let hook = std::fs::read_to_string(root().join("contrib/ci/pre-commit")).expect("the hook");
    let entry = config.lines().find_map(|line| line.trim().strip_prefix("entry: ")).expect("an entry");
    assert!(hook.ends_with(&format!("exec {entry}\n")), "both do the same");
}

#[test]
fn the_hook_lets_no_commit_pass_that_is_not_as_expected() {
    if Command::new("git").arg("--version").output().is_err() {
        eprintln!("SKIPPED: there is no git");
        return;
    }
    let sandbox = sandbox();
    sandbox.file("getafix.toml", "[[check]]\nfile = 'program.bp'\n");
    let hook = root().join("contrib/ci/pre-commit");
    let set_up = format!(
        "git init -q . && git config user.name n && git config user.email e && cp '{}' .git/hooks/pre-commit",
        hook.display()
    );
    assert_eq!(shell(&sandbox, &set_up).code, 0);
    for (program, passes) in [(GOOD, true), (BAD, false), (WRONG, false)] {
        sandbox.file("program.bp", program);
        let outcome = shell(&sandbox, "git add program.bp getafix.toml && git commit -q -m change");
        assert_eq!(outcome.code == 0, passes, "{program}: {}{}", outcome.stdout, outcome.stderr);
    }
    assert_eq!(shell(&sandbox, "git log --oneline | wc -l").stdout.trim(), "1");
}

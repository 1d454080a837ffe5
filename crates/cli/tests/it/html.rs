//! `--html`: the page, its replay of the run, and what a browser makes of it.
//!
//! The script's replay runs in node, and the page in Chromium, where these are installed; elsewhere a line says that they are not.

use crate::harness::{Sandbox, root, run};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Questions with a run: of one thread and of several, with an end and without, in C.
const QUESTIONS: [&[&str]; 7] = [
    &["examples/lock.bp"],
    &["examples/recursion.bp"],
    &["examples/traffic_light.bp"],
    &["examples/bluetooth.bp", "-k", "3"],
    &["examples/peterson.bp", "--nonterm"],
    &["examples/lock.bp", "--monitor", "examples/double_lock.mon"],
    &["examples/change.c"],
];

/// Goes through a run forwards, backwards and by jumps, and prints the state at the end.
const WALK: &str = r"
const { Replay } = require(process.argv[2]);
const trace = JSON.parse(require('fs').readFileSync(process.argv[3], 'utf8')).trace;
const told = (state) => JSON.stringify({
  shared: [...state.shared],
  monitor: state.monitor,
  threads: [...state.threads].map(([name, t]) => [name, [...t.private], t.stack.map((f) => [f.fn, [...f.locals]])]),
});
const n = trace.steps.length;
const forwards = [];
const replay = new Replay(trace);
for (let i = 0; i <= n; i++) forwards.push(told(replay.at(i)));
for (let i = n; i >= 0; i--) if (told(replay.at(i)) !== forwards[i]) throw new Error(`backwards, at ${i}`);
const other = new Replay(trace);
for (let i = 0, at = 0; i < 200; i++, at = (at * 7919 + 13) % (n + 1)) if (told(other.at(at)) !== forwards[at]) throw new Error(`a jump to ${at}`);
console.log(forwards[n]);
";

fn has(program: &str) -> bool {
    let is_there =
        Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
    if !is_there {
        eprintln!("note: {program} is not installed, so pages are not tried with it");
    }
    is_there
}

#[test]
fn the_replay_of_the_page_ends_where_the_run_does() {
    if !has("node") {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.file("report.js", include_str!("../../../present/src/html/report.js")).file("walk.js", WALK);
    let mut n_compared = 0;
    for question in QUESTIONS {
        let arguments = [&["check"], question, &["--json"]].concat();
        let answer = run(root(), &arguments, "").stdout;
        let json: Value = serde_json::from_str(&answer).expect("an object");
        let trace = &json["trace"];
        assert!(trace.is_object(), "{question:?}");
        sandbox.file("answer.json", answer);
        let output = Command::new("node")
            .current_dir(sandbox.path())
            .args(["walk.js", "./report.js", "answer.json"])
            .output()
            .expect("node starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{question:?}: {stderr}");
        let state: Value = serde_json::from_slice(&output.stdout).expect("a state");
        for assignment in trace["globals_at_end"].as_array().expect("globals") {
            let shared = state["shared"].as_array().expect("a list");
            let is_it = |pair: &&Value| pair[0] == assignment["name"];
            let found = shared.iter().find(is_it).map(|pair| &pair[1]);
            assert_eq!(found, Some(&assignment["value"]), "{question:?}: {assignment}");
            n_compared += 1;
        }
        for (thread, shown) in trace["threads"]
            .as_array()
            .expect("threads")
            .iter()
            .zip(state["threads"].as_array().expect("threads"))
        {
            let stack = thread["stack"].as_array().expect("a stack");
            if question[0].ends_with(".c") {
                continue;
            }
            assert_eq!(
                stack.len(),
                shown[2].as_array().map_or(0, Vec::len),
                "{question:?}: {thread} {shown}"
            );
            n_compared += stack.len();
        }
    }
    assert!(n_compared > 15, "{n_compared} values");
}

/// What a browser has in the document at last.
fn dumped(page: &Path, step: &str) -> String {
    let address = format!("file://{}#{step}", page.display());
    let options = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--window-size=1400,900",
        "--virtual-time-budget=4000",
        "--dump-dom",
    ];
    let output = Command::new("chromium").args(options).arg(address).output().expect("chromium starts");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_browser_shows_the_page() {
    if !has("chromium") {
        return;
    }
    let sandbox = Sandbox::new();
    let page = sandbox.path().join("page.html");
    let to = page.to_str().expect("a name");
    run(root(), &["check", "examples/bluetooth.bp", "-k", "3", "--html", to], "");
    let dom = dumped(&page, "9");
    for part in ["step 9 of 21", "2 → 1", "stopper[1]", "ERROR is reached", "never started: adder[1]"] {
        assert!(dom.contains(part), "no `{part}` in {dom}");
    }
    assert!(dom.matches("<div").count() < 1000, "too much is in the document");
}

#[test]
fn hostile_text_is_text() {
    let sandbox = Sandbox::new();
    let name = "</script><img src=x onerror=alert(1)>.bp";
    let program =
        "// </script><script>document.title='bad'</script><!--\nvoid main() begin ERROR: skip; end\n";
    let name = name.replace('/', "|");
    sandbox.file(&name, program);
    let outcome = sandbox.run(&["check", &name, "--html", "page.html"]);
    assert_eq!(outcome.code, 10, "{outcome:?}");
    let html = sandbox.read("page.html");
    assert_eq!((html.matches("<script").count(), html.matches("<img").count()), (2, 0));
    if has("chromium") {
        let dom = dumped(&sandbox.path().join("page.html"), "0");
        assert!(dom.contains("REACHABLE") && !dom.contains("<title>bad"), "{dom}");
    }
}

#[test]
fn every_verdict_and_several_programs_have_pages() {
    let sandbox = Sandbox::new();
    sandbox.file("yes.bp", "void main() begin ERROR: skip; end");
    sandbox.file("no.bp", "void main() begin if (F) then ERROR: skip; fi end");
    sandbox.file("bad.bp", "void main() begin x := T; end");
    let outcome = sandbox.run(&["check", "yes.bp", "no.bp", "bad.bp", "--html", "all.html"]);
    assert_eq!(outcome.code, 2, "{outcome:?}");
    let all = sandbox.read("all.html");
    for part in [
        "href=\"all-1.html\">yes.bp",
        "href=\"all-2.html\">no.bp",
        "UNREACHABLE",
        "href=\"all-3.html\">bad.bp",
    ] {
        assert!(all.contains(part), "no `{part}` in {all}");
    }
    let (first, again) =
        (sandbox.read("all-1.html"), sandbox.run(&["check", "yes.bp", "--html", "again.html"]));
    assert_eq!(again.code, 10);
    assert_eq!(first, sandbox.read("again.html"), "the same bytes");
    let json = sandbox.run(&["check", "no.bp", "--html", "n.html", "--json", "--trace", "none"]);
    assert!(json.stdout.contains("\"verdict\": \"unreachable\""), "{json:?}");
    assert!(sandbox.read("n.html").contains("UNREACHABLE"));
}

#[test]
fn a_page_that_cannot_be_written_does_not_lose_the_verdict() {
    let sandbox = Sandbox::new();
    sandbox.file("no.bp", "void main() begin if (F) then ERROR: skip; fi end");
    let outcome = sandbox.run(&["check", "no.bp", "--html", "."]);
    assert!(outcome.code == 2 && outcome.stdout.starts_with("UNREACHABLE\n"), "{outcome:?}");
    assert!(outcome.stderr.contains("cannot write `.`"), "{outcome:?}");
    let outcome = sandbox.run(&["check", "no.bp", "--html", "-"]);
    assert!(
        outcome.stdout.starts_with("<!DOCTYPE html>") && outcome.stderr.contains("UNREACHABLE\n"),
        "{outcome:?}"
    );
    let outcome = sandbox.run(&["check", "no.bp", "--html", "-", "--json"]);
    assert!(outcome.code == 2 && outcome.stderr.contains("both need stdout"), "{outcome:?}");
}

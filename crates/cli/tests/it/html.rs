//! `--html`: the page, its replay of the run, and what a browser makes of it.
//!
//! The script's replay runs in node, and pages in Chromium, where these are installed; elsewhere a line says that they are not.

use crate::harness::{Sandbox, root, run};
use serde_json::{Value, json};
use std::process::Command;

/// Questions with a run: of one thread and of several, with an end and without, in C, with a monitor, into a deadlock; and one with two runs.
const QUESTIONS: [&[&str]; 12] = [
    &["examples/lock.bp"],
    &["examples/recursion.bp"],
    &["examples/traffic_light.bp"],
    &["examples/bluetooth.bp", "-k", "3"],
    &["examples/peterson.bp", "--nonterm"],
    &["examples/lock.bp", "--monitor", "examples/double_lock.mon"],
    &["examples/change.c"],
    &["examples/list.c"],
    &["examples/peterson.bp", "--ltl", "G F at(CRITICAL)"],
    &["examples/lock.bp", "--ltl", "G !at(ERROR)"],
    &["crates/cli/tests/browser/forks.bp", "--deadlock"],
    &["crates/cli/tests/browser/guess.bp", "-a", "crates/cli/tests/browser/agree.mu"],
];

const REPLAY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../present/src/html/replay.js");

const BROWSER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/browser/report.js");

/// Text that would do harm if it were markup.
const HOSTILE: &str = "</script><script>window.bad=1;document.title='bad';alert(1)</script><img src=x onerror=alert(2)><!-- \u{2028}\u{2029}\u{202e} &amp; \"'";

/// The same as names of a global, a local and a label.
const HOSTILE_NAMES: [&str; 3] =
    ["{</script><svg/onload=alert(3)>}", "{<img/src=x/onerror=alert(4)>}", "{<b/onclick=alert(5)>}"];

/// Goes through a run forwards, backwards and by jumps, and prints the state at the end, and the steps as the page unpacks them.
const WALK: &str = r"
const { Replay, unpacked } = require(process.argv[2]);
const fs = require('fs');
const trace = JSON.parse(fs.readFileSync(process.argv[3], 'utf8')).trace;
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
const page = fs.readFileSync(process.argv[4], 'utf8').match(/<script id=.data. type=.application\/json.>([^]*?)<\/script>/)[1];
const flat = ({ of, ...step }) => JSON.stringify(Object.entries({ ...of, ...step, key: undefined }).sort((a, b) => (a[0] < b[0] ? -1 : 1)));
const shown = unpacked(JSON.parse(page).answer.trace);
if (shown.steps.length !== n) throw new Error(`${shown.steps.length} steps`);
shown.steps.forEach((step, i) => { if (flat(step) !== flat(trace.steps[i])) throw new Error(`step ${i}: ${flat(step)}`); });
console.log(forwards[n]);
";

/// Pages without a run, what they say and what holds in them: every other verdict.
const STILL: [(&[&str], &[&str], &[&str]); 9] = [
    (&["examples/safe_lock.bp"], &["UNREACHABLE", "Every run starts"], &["◂ !locked"]),
    (&["examples/bluetooth.bp", "-k", "2"], &["UNREACHABLE within 2"], &[]),
    (&["examples/traffic_light.bp", "--show", "states"], &["states"], &[]),
    (
        &["examples/peterson.bp", "--ltl", "G !at(ERROR)"],
        &["HOLDS for every schedule", "holds before it in every run, whatever the schedule"],
        &[],
    ),
    (&["examples/peterson.bp", "--deadlock"], &["NO DEADLOCK", "whatever the schedule"], &[]),
    (&["examples/collatz.c", "--target", "memory"], &["no run misuses memory"], &[]),
    (&["examples/locked.c"], &["UNREACHABLE"], &[]),
    (&["crates/cli/tests/browser/spiral.bp"], &["UNREACHABLE"], &[]),
    (
        &["examples/bluetooth.bp", "-k", "3", "--memory", "1K"],
        &["UNKNOWN: out of memory", "What to try", "--memory"],
        &[],
    ),
];

/// What the figures of the first example say of its formula.
const DRAWN: &[&str] = &["The formula, line by line", "hybrid.mu:", "Summary(u, x) & ProgramInt(x, v)"];

/// The programs that are shipped as examples.
fn examples() -> Vec<String> {
    let folder = root().join("examples");
    let of = |ending| testing::expected::names(&folder, ending).into_iter();
    let all: Vec<String> = of(".bp").chain(of(".c")).map(|name| format!("examples/{name}")).collect();
    assert!(all.len() >= 10, "{all:?}");
    all
}

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
    sandbox.file("walk.js", WALK);
    let mut n_compared = 0;
    for question in QUESTIONS {
        let page = sandbox.path().join("page.html");
        let arguments =
            [&["check"], question, &["--json", "--html", page.to_str().expect("a name")]].concat();
        let answer = run(root(), &arguments, "").stdout;
        let json: Value = serde_json::from_str(&answer).expect("an object");
        let trace = &json["trace"];
        assert!(trace.is_object(), "{question:?}");
        sandbox.file("answer.json", answer);
        let output = Command::new("node")
            .current_dir(sandbox.path())
            .args(["walk.js", REPLAY, "answer.json", "page.html"])
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
        let threads = trace["threads"].as_array().expect("threads");
        for (thread, shown) in threads.iter().zip(state["threads"].as_array().expect("threads")) {
            let stack = thread["stack"].as_array().expect("a stack");
            if question[0].ends_with(".c") {
                continue;
            }
            let n_frames = shown[2].as_array().map_or(0, Vec::len);
            assert_eq!(stack.len(), n_frames, "{question:?}: {thread} {shown}");
            n_compared += stack.len();
        }
    }
    assert!(n_compared > 15, "{n_compared} values");
}

/// A program whose text and names are as bad as a lexer lets them be, with a line of a megabyte and a name of 10,000 letters.
fn hostile() -> String {
    let (long, name) = ("x".repeat(1 << 20), "n".repeat(10_000));
    let [global, local, label] = HOSTILE_NAMES;
    format!(
        "// {HOSTILE}\n// {long}\ndecl {name}, {global};\nvoid main() begin\n  decl {local};\n  {name} := T;\n  {global} := T;\n  {local} := F;\n  {label}: skip;\nend\n"
    )
}

/// The same as names of enumerators, threads, their functions and private variables.
const HOSTILE_THREADS: &str =
    "decl s: enum { {</script><svg/onload=alert(6)>}, {<img/src=x/onerror=alert(7)>} };
init s = {</script><svg/onload=alert(6)>};
thread {<b/onclick=alert(8)>}[2] begin
  decl {</script><svg/onload=alert(3)>};
  void {</style><u/onclick=alert(9)>}() begin
    s := {<img/src=x/onerror=alert(7)>};
  end
  void main() begin
    // <script>window.bad=1 <img src=x
    {</script><svg/onload=alert(3)>} := T;
    {</style><u/onclick=alert(9)>}();
    if (s = {<img/src=x/onerror=alert(7)>}) then ERROR: skip; fi
  end
end
";

#[test]
fn a_browser_shows_every_step_and_nothing_else_happens() {
    if !has("node") || !has("chromium") {
        return;
    }
    let sandbox = Sandbox::new();
    let mut plan = Vec::new();
    let path = |name: &str| sandbox.path().join(name).to_str().expect("a name").to_owned();
    for (n, question) in QUESTIONS.iter().enumerate() {
        let page = path(&format!("{n}.html"));
        let arguments = [&["check"], *question, &["--json", "--html", &page]].concat();
        sandbox.file(&format!("{n}.json"), run(root(), &arguments, "").stdout);
        plan.push(json!({ "page": page, "answer": path(&format!("{n}.json")) }));
    }
    for (n, (question, texts, holds)) in STILL.iter().enumerate() {
        let page = path(&format!("still-{n}.html"));
        run(root(), &[&["check"], *question, &["--html", &page]].concat(), "");
        plan.push(json!({ "page": page, "texts": texts, "holds": holds }));
    }
    for (n, example) in examples().iter().enumerate() {
        let page = path(&format!("example-{n}.html"));
        let options: &[&str] = if example.ends_with(".bp") { &["-k", "3", "--stats"] } else { &["--stats"] };
        let answer =
            run(root(), &[&["check", example, "--json", "--html", &page], options].concat(), "").stdout;
        let has_run = serde_json::from_str::<Value>(&answer).expect("an object")["trace"].is_object();
        sandbox.file(&format!("example-{n}.json"), answer);
        let drawn: &[&str] = if example.ends_with("/lock.bp") { DRAWN } else { &[] };
        let answer = has_run.then(|| path(&format!("example-{n}.json")));
        plan.push(json!({ "page": page, "answer": answer, "drawn": drawn }));
    }
    let name = HOSTILE.replace('/', "|") + ".bp";
    sandbox.file(&name, hostile());
    let formula = std::fs::read_to_string(root().join("algorithms/summary.mu")).expect("a formula");
    sandbox.file("own.mu", format!("// {HOSTILE}\n{formula}"));
    let label = HOSTILE_NAMES[2];
    let holds = format!("G !at({label})");
    sandbox.file("threads.bp", HOSTILE_THREADS);
    let waits = "G F s = {<img/src=x/onerror=alert(7)>}";
    let hostile: [(&[&str], i32); 7] = [
        (&[&name, "-t", label], 10),
        (&[&name, "-t", label, "-a", "own.mu"], 10),
        (&[&name, "--ltl", &holds], 0),
        (&["threads.bp"], 10),
        (&["threads.bp", "-k", "2", "--stats"], 10),
        (&["threads.bp", "--deadlock"], 0),
        (&["threads.bp", "--ltl", waits], 0),
    ];
    for (n, (question, code)) in hostile.iter().enumerate() {
        let page = format!("hostile-{n}.html");
        // What turns the direction of text is named.
        let turned = if question[0] == name { "⟨U+202E⟩" } else { "" };
        let texts = ["<script>window.bad=1", "<img src=x", HOSTILE_NAMES[0], turned];
        let outcome = sandbox.run(&[&["check", "--html", &page], *question].concat());
        assert_eq!(outcome.code, *code, "{outcome:?}");
        plan.push(json!({ "page": path(&page), "texts": texts }));
        // The escaping is taken out: what ends the data is markup then.
        let bare = format!("unescaped-{n}.html");
        sandbox.file(&bare, sandbox.read(&page).replace("\\u003c", "<"));
        plan.push(json!({ "page": path(&bare), "kind": "unescaped" }));
    }
    sandbox.file("plan.json", json!(plan).to_string());
    let output = Command::new("node")
        .args([BROWSER, "chromium", &path("plan.json")])
        .env("REPLAY", REPLAY)
        .output()
        .expect("node starts");
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{stderr}");
    let counts: Value = serde_json::from_str(&stdout).expect("counts");
    let at_least = |what: &str, least: u64| {
        assert!(counts[what].as_u64().is_some_and(|count| count >= least), "{what}: {counts}");
    };
    at_least("pages", plan.len() as u64);
    at_least("steps", 160);
    at_least("views", 30);
    at_least("drawn", 3);
    at_least("further", 1);
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
        "<h1>3 answers</h1>",
        "href=\"all-1.html\">yes.bp</a></td><td class=\"bad\">REACHABLE<",
        "href=\"all-2.html\">no.bp</a></td><td class=\"good\">UNREACHABLE<",
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
    assert!(!json.stdout.contains("certificate"), "nobody has asked for one: {json:?}");
    assert!(sandbox.read("n.html").contains("UNREACHABLE"));
}

/// What a page says holds, as `line: clauses`.
fn holds(page: &str) -> Vec<String> {
    let data =
        page.split("type=\"application/json\">").nth(1).and_then(|rest| rest.split("</script>").next());
    let data: Value = serde_json::from_str(data.expect("there is data")).expect("an object");
    let clauses = |entry: &Value| {
        let clauses = entry["clauses"].as_array().expect("clauses").iter();
        clauses.map(|clause| clause.as_str().expect("a text")).collect::<Vec<_>>().join(" & ")
    };
    let all = data["invariants"].as_array().expect("a list").iter();
    all.map(|entry| format!("{}: {}", entry["line"], clauses(entry))).collect()
}

#[test]
fn a_page_without_a_run_says_what_holds_in_the_language_of_the_program() {
    let sandbox = Sandbox::new();
    sandbox.file(
        "count.bp",
        "decl n : int<4>, done;\ninit n = 0; init !done;\nvoid main() begin\n  while (n < 9) do\n    n := n + 1;\n  od\n  done := T;\n  assert(n = 9);\nend\n",
    );
    let outcome = sandbox.run(&["check", "count.bp", "--html", "page.html", "--certificate", "proof"]);
    assert!(outcome.code == 0 && outcome.stdout.starts_with("UNREACHABLE\n"), "{outcome:?}");
    let told = holds(&sandbox.read("page.html"));
    for expected in ["4: !done & n <= 9", "5: !done & n <= 8", "7: n = 9 & !done", "8: n = 9"] {
        assert!(told.iter().any(|line| line == expected), "no `{expected}` in {told:?}");
    }
    let judged = sandbox.run(&["validate", "count.bp", "proof", "--html", "judged.html"]);
    assert!(judged.code == 0 && judged.stdout.starts_with("ACCEPTED\n"), "{judged:?}");
    assert_eq!(holds(&sandbox.read("judged.html")), told, "the same proof");
    let endless = sandbox.run(&["check", "count.bp", "--nonterm", "--html", "ends.html"]);
    assert_eq!(endless.code, 0, "{endless:?}");
    let page = sandbox.read("ends.html");
    assert!(page.contains("every step leads to a smaller number"), "{page}");
    assert!(holds(&page).iter().any(|line| line == "7: n = 9"), "{:?}", holds(&page));
}

#[test]
fn threads_have_what_holds_whatever_the_schedule() {
    let sandbox = Sandbox::new();
    sandbox.file(
        "lock.bp",
        "decl lock, inside; init !lock; init !inside;\nthread worker[2] begin\n  void main() begin\n    while (T) do\n      atomic begin assume(!lock); lock := T; end;\n      assert(!inside);\n      inside := T;\n      inside := F;\n      lock := F;\n    od\n  end\nend\n",
    );
    let outcome = sandbox.run(&["check", "lock.bp", "--html", "page.html"]);
    assert!(outcome.code == 0 && outcome.stdout.starts_with("UNREACHABLE"), "{outcome:?}");
    let told = holds(&sandbox.read("page.html"));
    for expected in ["4: !lock => !inside", "6: lock & !inside", "8: lock & inside", "9: lock & !inside"] {
        assert!(told.iter().any(|line| line == expected), "no `{expected}` in {told:?}");
    }
    assert!(
        !told.iter().any(|line| line.ends_with(": F")),
        "what is within an atomic region is not told: {told:?}"
    );
    // Questions about other things than targets have it, too.
    for question in [&["--deadlock"][..], &["--ltl", "G (inside -> F !inside)"], &["-k", "2"]] {
        let outcome = sandbox.run(&[&["check", "lock.bp", "--html", "page.html"], question].concat());
        let page = sandbox.read("page.html");
        assert!(outcome.code == 0 && page.contains("whatever the schedule"), "{question:?}: {outcome:?}");
        assert!(holds(&page).iter().any(|line| line == "6: lock & !inside"), "{question:?}: {page}");
    }
}

#[test]
fn a_page_that_cannot_be_written_does_not_lose_the_verdict() {
    let sandbox = Sandbox::new();
    let program = "void main() begin if (F) then ERROR: skip; fi end";
    sandbox.file("no.bp", program);
    let outcome = sandbox.run(&["check", "no.bp", "--html", "."]);
    assert!(outcome.code == 2 && outcome.stdout.starts_with("UNREACHABLE\n"), "{outcome:?}");
    assert!(outcome.stderr.contains("cannot write `.`"), "{outcome:?}");
    let outcome = sandbox.run(&["check", "no.bp", "--html", "missing/page.html"]);
    assert!(outcome.code == 2 && outcome.stdout.starts_with("UNREACHABLE\n"), "{outcome:?}");
    let outcome = sandbox.run(&["check", "no.bp", "--html", "-"]);
    assert!(
        outcome.stdout.starts_with("<!DOCTYPE html>") && outcome.stderr.contains("UNREACHABLE\n"),
        "{outcome:?}"
    );
    let outcome = sandbox.run(&["check", "no.bp", "--html", "-", "--json"]);
    assert!(outcome.code == 2 && outcome.stderr.contains("both need stdout"), "{outcome:?}");
    for arguments in [&["check", "no.bp", "--html", "./no.bp"], &["check", "no.bp", "--sarif", "no.bp"]] {
        let outcome = sandbox.run(arguments);
        assert!(outcome.code == 2 && outcome.stderr.contains("written over what is read"), "{outcome:?}");
        assert_eq!(sandbox.read("no.bp"), program);
    }
    assert_eq!(sandbox.names(), ["no.bp"], "nothing is left half written");
}

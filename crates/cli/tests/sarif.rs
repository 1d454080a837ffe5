//! SARIF 2.1.0: the keys that the schema requires are there, and say what the answer says.
//!
//! Checked are those that the schema of OASIS lists as `required`, or asks for by `anyOf`, in what is written here: a log has `version` and `runs`, a run has
//! `tool`, which has a `driver`, which has a `name`; a rule has an `id`; an invocation has `executionSuccessful`; a notification and a result have a `message`, a message
//! has a `text`; an artifact location has a `uri`; a region begins at a line and a column from 1; a code flow has `threadFlows`, of which each has `locations`, of which there is
//! one at least; places of a flow have a `nestingLevel` and an `executionOrder`, which are not negative, and a `state` that maps to messages.

mod harness;

use harness::Sandbox;
use serde_json::Value;

fn text(message: &Value) -> &str {
    message["text"].as_str().expect("a message has a text")
}

#[track_caller]
fn is_location(location: &Value) {
    let physical = &location["physicalLocation"];
    assert!(physical["artifactLocation"]["uri"].is_string(), "{location}");
    if let Some(region) = physical.get("region") {
        assert!(region["startLine"].as_u64() >= Some(1), "{location}");
        assert!(region.get("startColumn").is_none_or(|column| column.as_u64() >= Some(1)), "{location}");
    }
}

/// The results of a document whose shape is right.
#[track_caller]
fn results(document: &str) -> Vec<Value> {
    let log: Value = serde_json::from_str(document).expect("JSON");
    assert_eq!(log["version"], "2.1.0");
    let [run] = &log["runs"].as_array().expect("runs")[..] else { panic!("one run") };
    let driver = &run["tool"]["driver"];
    assert_eq!(driver["name"], "getafix");
    assert!(driver["informationUri"].as_str().is_some_and(|uri| uri.starts_with("https://")));
    let artifacts = run["artifacts"].as_array().expect("artifacts");
    let rules = driver["rules"].as_array().expect("rules");
    assert!(rules.iter().all(|rule| rule["id"].is_string() && !text(&rule["shortDescription"]).is_empty()));
    for invocation in run["invocations"].as_array().expect("invocations") {
        assert!(invocation["executionSuccessful"].is_boolean());
        invocation["toolExecutionNotifications"]
            .as_array()
            .expect("a list")
            .iter()
            .for_each(|n| _ = text(&n["message"]));
    }
    let results = run["results"].as_array().expect("results").clone();
    for result in &results {
        let index = result["ruleIndex"].as_u64().expect("a rule") as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(!text(&result["message"]).is_empty());
        result["locations"].as_array().expect("places").iter().for_each(is_location);
        let file = &result["locations"][0]["physicalLocation"]["artifactLocation"];
        let artifact = &artifacts[file["index"].as_u64().expect("an index") as usize];
        assert_eq!(artifact["location"]["uri"], file["uri"]);
        assert!(result["partialFingerprints"].as_object().is_some_and(|prints| !prints.is_empty()));
        for flow in result["codeFlows"].as_array().into_iter().flatten() {
            let threads = flow["threadFlows"].as_array().expect("threads");
            assert!(!threads.is_empty());
            let mut orders: Vec<u64> = Vec::new();
            for place in threads.iter().flat_map(|thread| thread["locations"].as_array().expect("places")) {
                is_location(&place["location"]);
                assert!(!text(&place["location"]["message"]).is_empty(), "{place}");
                assert!(place["nestingLevel"].is_u64(), "{place}");
                orders.push(place["executionOrder"].as_u64().expect("an order"));
                place
                    .get("state")
                    .and_then(Value::as_object)
                    .into_iter()
                    .flatten()
                    .for_each(|(_, value)| _ = text(value));
            }
            orders.sort_unstable();
            assert!(orders.windows(2).all(|pair| pair[0] < pair[1]), "each place has its own order");
        }
    }
    results
}

fn check(name: &str, program: &str, options: &[&str]) -> Vec<Value> {
    let sandbox = Sandbox::new();
    sandbox.file(name, program);
    let outcome =
        sandbox.run(&[&["check", name, "--sarif", "out.sarif", "--trace", "none"], options].concat());
    assert!(matches!(outcome.code, 0 | 5 | 10), "{}", outcome.stderr);
    assert!(!outcome.stdout.contains("step  line"), "no trace was asked for");
    let document = sandbox.read("out.sarif");
    sandbox.run(&[&["check", name, "--sarif", "again.sarif"], options].concat());
    assert_eq!(sandbox.read("again.sarif"), document, "two runs give the same bytes");
    results(&document)
}

const C: &str = "extern void reach_error(void);
extern int nondet_int(void);
int g;
int twice(int x) {
  g = x;
  return 2 * x;
}
int main(void) {
  int x = nondet_int();
  if (twice(x) == 14)
    reach_error();
  return 0;
}
";

#[test]
fn a_program_in_c() {
    let results = check("p q.c", C, &[]);
    let [result] = &results[..] else { panic!("{results:?}") };
    assert_eq!(result["ruleId"], "reachable");
    assert_eq!(text(&result["message"]), "reach_error can be reached");
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "p%20q.c");
    assert_eq!((&place["region"]["startLine"], &place["region"]["startColumn"]), (&11.into(), &5.into()));
    let flow = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().expect("places");
    let told: Vec<(&str, u64)> = flow
        .iter()
        .map(|place| (text(&place["location"]["message"]), place["nestingLevel"].as_u64().expect("a level")))
        .collect();
    assert_eq!(
        told,
        [
            ("x = nondet_int(): x = 7", 0),
            ("twice(x): calls twice(x = 7)", 0),
            ("g = x: g = 7", 1),
            ("return 2 * x: back in main: twice() = 14", 1),
            ("if twice(x) == 14: true", 0),
            ("reach_error is called", 0),
        ]
    );
    assert_eq!(text(&flow[0]["state"]["g"]), "0", "the globals are known at the start");
    assert_eq!(text(&flow[2]["state"]["g"]), "7");
}

#[test]
fn a_boolean_program() {
    let program = "decl g;
void main() begin
  g := *;
  call f();
  assert(!g);
end
void f() begin
  if (g) then
    ERROR: skip;
  fi
end
";
    let results = check("p.bp", program, &[]);
    let rules: Vec<&str> = results.iter().filter_map(|result| result["ruleId"].as_str()).collect();
    assert_eq!(rules, ["assertion", "reachable"]);
    let n_told = results.iter().filter(|result| result.get("codeFlows").is_some()).count();
    assert_eq!(n_told, 1, "there is one run");
}

#[test]
fn threads_have_flows_of_their_own() {
    let program = std::fs::read_to_string(harness::root().join("examples/bluetooth.bp")).expect("an example");
    let results = check("b.bp", &program, &["-k", "3"]);
    let flows = results[0]["codeFlows"][0]["threadFlows"].as_array().expect("threads");
    assert!(flows.len() > 1, "{flows:?}");
}

#[test]
fn a_run_without_end() {
    let results =
        check("p.c", "int main(void) { int x = 1; while (x) x = 3 - x; return 0; }\n", &["--nonterm"]);
    assert_eq!(results[0]["ruleId"], "infinite-run");
    assert!(text(&results[0]["codeFlows"][0]["message"]).ends_with("are taken again and again"));
}

#[test]
fn a_violated_formula_is_in_the_message() {
    let program = "decl locked; void main() begin locked := T; while (T) do skip; od end\n";
    let results = check("p.bp", program, &["--ltl", "G (locked -> F !locked)"]);
    let [result] = &results[..] else { panic!("{results:?}") };
    assert_eq!(result["ruleId"], "property");
    assert_eq!(text(&result["message"]), "an infinite run violates G (locked -> F !locked)");
}

#[test]
fn a_formula_that_threads_violate_is_in_the_message() {
    let program = "decl a; init !a;
thread p begin void main() begin while (T) do a := !a; od end end
thread q begin void main() begin while (T) do skip; od end end
";
    let results = check("p.bp", program, &["--ltl", "F G a"]);
    let [result] = &results[..] else { panic!("{results:?}") };
    assert_eq!(result["ruleId"], "property");
    assert_eq!(text(&result["message"]), "an infinite run violates F G a");
}

#[test]
fn a_deadlock_names_what_is_waited_for() {
    let program = "decl a; init !a;
thread p begin void main() begin assume(a); end end
thread q[2] begin void main() begin assume(a & *); end end
";
    let results = check("p.bp", program, &["--deadlock"]);
    let [result] = &results[..] else { panic!("{results:?}") };
    assert_eq!(result["ruleId"], "deadlock");
    assert!(
        text(&result["message"]).starts_with("no thread can go on: p[0] waits for assume(a) (a = F); q[0]")
    );
    assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startLine"], 2);
    assert_eq!(result["relatedLocations"].as_array().map(Vec::len), Some(2));
}

#[test]
fn several_programs_are_in_one_document() {
    let sandbox = Sandbox::new();
    sandbox.file("a.bp", "void main() begin ERROR: skip; end\n");
    sandbox.file("b.bp", "void main() begin assert(T); end\n");
    sandbox.file("c.bp", "decl x; void main() begin assert(x); end\n");
    let files = ["check", "a.bp", "b.bp", "c.bp"];
    let outcome = sandbox.run(&[&files[..], &["--sarif", "all.sarif", "--trace", "none"]].concat());
    assert_eq!(outcome.code, 10, "{}", outcome.stderr);
    let results = results(&sandbox.read("all.sarif"));
    let found: Vec<(&str, &str)> = results
        .iter()
        .map(|result| {
            let place = &result["locations"][0]["physicalLocation"]["artifactLocation"];
            (place["uri"].as_str().expect("a file"), result["ruleId"].as_str().expect("a rule"))
        })
        .collect();
    assert_eq!(found, [("a.bp", "reachable"), ("c.bp", "assertion")]);
    let refused = sandbox.run(&[&files[..], &["--sarif", "-"]].concat());
    assert_eq!(refused.code, 2, "{}", refused.stdout);
}

#[test]
fn nothing_is_found() {
    let right = C.replace("== 14", "== 15");
    assert_eq!(check("p.c", &right, &[]), Vec::<Value>::new());
    let unknown = C.replace("== 14", "== g * g * g + 1").replace("2 * x", "x ^ 5");
    assert_eq!(check("p.c", &unknown, &[]), Vec::<Value>::new());
}

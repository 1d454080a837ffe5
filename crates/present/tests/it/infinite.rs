//! Runs without an end as text, as marked program and as JSON.

use base::{Gauge, Sources, Stop};
use explicit::{Answer, Limits, Settings};
use present::trace::Story;
use rsm::{Concurrent, Goal, ModuleId, NodeId, Rsm};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The places with the label `AGAIN`.
fn again(rsm: &Rsm) -> Vec<Goal> {
    let of_module = |(m, module): (usize, &rsm::Module)| {
        let has = |node: &usize| module.nodes[*node].labels.iter().any(|label| label == "AGAIN");
        let nodes: Vec<usize> = (0..module.nodes.len()).filter(has).collect();
        nodes.into_iter().map(move |node| Goal::At(ModuleId::new(m), NodeId::new(node)))
    };
    rsm.modules.iter().enumerate().flat_map(of_module).collect()
}

/// Tells the infinite run that passes the label `AGAIN` for ever; any if there is no such label.
fn told<T>(text: &str, tell: impl FnOnce(&Story) -> T) -> T {
    let mut sources = Sources::default();
    let (checked, _) = bp::load(&mut sources, "test.bp", text).expect("the program has no mistakes");
    let rsm = bp::lower(&checked).expect("the program has no mistakes");
    let goals = again(&rsm);
    let (stop, gauge) = (Stop::default(), Gauge::default());
    let limits =
        Limits { max_bytes: 1 << 26, max_states: 1 << 20, max_steps: 1 << 16, stop: &stop, gauge: &gauge };
    let settings = Settings::default();
    let outcome = match goals.is_empty() {
        true => explicit::infinite(&rsm, settings, &limits),
        false => explicit::repeat(&rsm, &goals, settings, &limits),
    };
    let Answer::Infinite(Some(trace)) = outcome.answer else { panic!("{:?}", outcome.answer) };
    let program = Concurrent::sequential(rsm);
    let goals: Vec<_> = goals.into_iter().map(Into::into).collect();
    trace.replay(&program, &goals).expect("the run is one");
    tell(&Story::new(&program, &sources, &trace))
}

#[track_caller]
fn check_text(text: &str, expected: &str) {
    let found = told(text, |story| story.text());
    assert!(found == expected, "{found}");
}

#[track_caller]
fn check_margin(text: &str, expected: &str) {
    let found = told(text, |story| story.margin());
    assert!(found == expected, "{found}");
}

const LOOP: &str = "decl x;
void main() begin
    x := T;
    while (x) do
        skip;
        AGAIN: x := *;
    od
end
";

const POLL: &str = "decl full;
void again() begin
    AGAIN: full := *;
    if (!full) then again(); fi
end
void main() begin
    full := F;
    again();
end
";

const CALLEE: &str = "decl x;
bool flip(p) begin
    skip;
    return !p;
end
void main() begin
    x := flip(F);
    while (T) do
        x := flip(F);
        assume(x);
    od
end
";

const TICK: &str = "void tick() begin
    skip;
    tock();
end
void tock() begin
    skip;
end
void main() begin
    tick();
    AGAIN: tick();
    goto AGAIN;
end
";

#[test]
fn a_loop() {
    check_text(
        LOOP,
        "1 step, then 3 steps for ever

step  line  statement  effect
   1     3  x := T     x = T
   2     4  while x    T       ┐ for ever
   3     5  skip               │
   4     6  x := *     x = T   ┘
",
    );
}

#[test]
fn recursion_that_never_returns() {
    check_text(
        POLL,
        "2 steps, then 3 steps for ever; each time one call more is open

step  line  statement    effect
   1     7  full := F    full = F
   2     8  again()      again()
   3     3    full := *  full = F  ┐ for ever
   4     4    if !full   T         │
   5     4    again()    again()   ┘
",
    );
}

#[test]
fn a_callee_that_returns_in_every_round() {
    check_text(
        CALLEE,
        "3 steps, then 5 steps for ever

step  line  statement     effect
   1     7  x := flip(F)  flip(p = F)
   2     3    skip
   3     4    return !p   back in main: x = T
   4     8  while T       T                    ┐ for ever
   5     9  x := flip(F)  flip(p = F)          │
   6     3    skip                             │
   7     4    return !p   back in main: x = T  │
   8    10  assume(x)                          ┘
",
    );
}

#[test]
fn a_call_of_the_cycle_that_has_been_told() {
    check_text(
        TICK,
        "6 steps, then 7 steps for ever

step  line  statement         effect
   1     9  tick()            tick()
   2     2    skip
   3     3    tock()          tock()
   4     6      skip
   5     7      end           back in tick
   6     4    end             back in main
   7    10  tick()            tick()        ┐ for ever
  12          … as steps 2–6  back in main  │
  13    11  goto AGAIN                      ┘
",
    );
}

#[test]
fn a_way_that_is_longer_than_can_be_counted() {
    let mut text =
        "void main() begin f130(); AGAIN: skip; goto AGAIN; end void f0() begin skip; end ".to_owned();
    for n in 1..=130 {
        text += &format!("void f{n}() begin f{0}(); f{0}(); end ", n - 1);
    }
    let told = told(&text, |story| story.text());
    assert_eq!(told.lines().next(), Some("more than 10^38 steps, then 2 steps for ever"), "{told}");
    assert!(told.lines().count() < 1000);
}

#[test]
fn one_step_from_the_first_on() {
    check_text(
        "void main() begin AGAIN: goto AGAIN; end",
        "1 step for ever

step  line  statement   effect
   1     1  goto AGAIN          ] for ever
",
    );
}

#[test]
fn two_functions_that_call_each_other() {
    let text = "void main() begin f(); end void f() begin g(); end void g() begin f(); end";
    check_text(
        text,
        "1 step, then 2 steps for ever; each time 2 calls more are open

step  line  statement  effect
   1     1  f()        f()
   2     1    g()      g()     ┐ for ever
   3     1      f()    f()     ┘
",
    );
}

#[test]
fn the_lines_of_the_cycle_are_marked() {
    check_margin(
        POLL,
        "first  times
                      | 1  decl full;
                      | 2  void again() begin
    3      ∞          | 3      AGAIN: full := *;
    4      ∞          | 4      if (!full) then again(); fi
                      | 5  end
                      | 6  void main() begin
    1      1          | 7      full := F;
    2      1          | 8      again();
                      | 9  end
2 steps, then 3 steps for ever; each time one call more is open
",
    );
    check_margin(
        TICK,
        "first  times
                      |  1  void tick() begin
    2      ∞          |  2      skip;
    3      ∞          |  3      tock();
    6      ∞          |  4  end
                      |  5  void tock() begin
    4      ∞          |  6      skip;
    5      ∞          |  7  end
                      |  8  void main() begin
    1      1          |  9      tick();
    7      ∞          | 10      AGAIN: tick();
   13      ∞          | 11      goto AGAIN;
                      | 12  end
6 steps, then 7 steps for ever
",
    );
}

#[test]
fn an_object_says_which_steps_are_taken_again() {
    let object = told(POLL, |story| story.object());
    assert_eq!(object["cycle"], json!({ "first": 3, "last": 5, "growth": 1 }));
    assert_eq!((&object["goal"], &object["n_steps"]), (&json!(null), &json!(5)));
    assert_eq!(object["steps"].as_array().map(Vec::len), Some(5));
    let object = told(LOOP, |story| story.object());
    assert_eq!(object["cycle"], json!({ "first": 2, "last": 4, "growth": 0 }));
}

#[test]
fn the_schema_names_what_the_object_has() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/output.schema.json");
    let schema = std::fs::read_to_string(path).expect("the schema is in docs");
    let schema: Value = serde_json::from_str(&schema).expect("the schema is JSON");
    let trace = &schema["$defs"]["trace"];
    let object = told(POLL, |story| story.object());
    for (rule, part) in [(trace, &object), (&trace["properties"]["cycle"], &object["cycle"])] {
        let required: BTreeSet<&str> =
            rule["required"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
        let keys: BTreeSet<&str> = part.as_object().expect("an object").keys().map(String::as_str).collect();
        assert_eq!(keys, required);
    }
}

#[test]
fn a_run_that_is_watched_reaches_nothing() {
    let mut sources = Sources::default();
    let text = "decl x; init !x; void main() begin x := T; L: skip; end";
    let (checked, _) = bp::load(&mut sources, "test.bp", text).expect("the program has no mistakes");
    let monitor = "monitor m begin initial state a: on x goto b; on !x goto a; target state b: end";
    let monitor =
        bp::monitor::parse(&mut sources, "test.mon", monitor, &checked).expect("it has no mistakes");
    let rsm = bp::lower(&checked).expect("the program has no mistakes");
    let product = bp::product(&rsm, &monitor);
    let limits = rsm::explicit::Limits { max_states: 1000, max_outcomes: 1000 };
    let found = rsm::explicit::shortest(&product.rsm, &product.goals, limits, &Stop::default());
    let trace = found.expect("the program is small").expect("the monitor gets there");
    let trace = product.back(&trace).expect("main begins").trace;
    let program = Concurrent::sequential(rsm);
    trace.replay(&program, &[]).expect("the run is one");
    let story = Story::new(&program, &sources, &trace);
    assert_eq!(
        story.text(),
        "2 steps

step  line  statement  effect
   1     1  x := T     x = T
   2     1  skip
            (finally)  x = T
"
    );
    assert_eq!((&story.object()["goal"], &story.object()["cycle"]), (&json!(null), &json!(null)));
}

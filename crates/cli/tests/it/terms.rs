//! What formula files ask beside their verdict, and what answers rest on, in terms of the program: lists, witnesses, derivations, labels in
//! traces, several runs, plays.

use crate::formulas::GATE;
use crate::harness::{Outcome, Sandbox, mu, root, schema};
use serde_json::{Value, json};

const SUMMARY: &str = "mu bool Summary(State u, State v)
    (Init(u) & u = v)
  | (exists State x. Summary(u, x) & ProgramInt(x, v))
  | (exists State w, State x. Summary(w, x) & IntoCall(x, u) & u = v)
  | (exists State x, State y, State z.
       Summary(u, x) & IntoCall(x, y) & Summary(y, z) & Exit(z) & Return(x, z, v));
";

/// Checks a program with a formula file.
fn asked(program: &str, formula: &str, options: &[&str]) -> Outcome {
    let sandbox = Sandbox::new();
    sandbox.file("p.bp", program).file("f.mu", formula);
    sandbox.run(&[&["check", "p.bp", "--algorithm", "f.mu"], options].concat())
}

/// The lines of stdout behind the verdict and its trace. How many tuples there are depends on bits that nobody sees.
fn answers(outcome: &Outcome) -> String {
    let lines = outcome.stdout.lines().filter(|line| line.starts_with('#'));
    let uncounted = |line: &str| {
        let words = line.split(' ').collect::<Vec<&str>>();
        match words[..] {
            ["#list", relation, _, "tuples" | "tuples,", ..] => {
                format!("#list {relation} N {}\n", words[3..].join(" "))
            }
            _ => format!("{line}\n"),
        }
    };
    lines.map(uncounted).collect()
}

/// The object that `--json` prints.
#[track_caller]
fn object(program: &str, formula: &str, options: &[&str]) -> Value {
    let outcome = asked(program, formula, &[options, &["--json"]].concat());
    let object: Value = serde_json::from_str(&outcome.stdout).expect("stdout is one JSON value");
    let text = std::fs::read_to_string(root().join("docs/output.schema.json")).expect("it is in docs");
    let described: Value = serde_json::from_str(&text).expect("the schema is JSON");
    if let Err(problem) = schema::validate(&described, &object) {
        panic!("{problem} in {object:#}");
    }
    object
}

#[test]
fn derivations_and_witnesses_speak_of_the_program() {
    let formula = format!(
        "{SUMMARY}#explain exists State u, State v. Summary(u, v) & Exit(v);\n\
         #wit exists State u, State v. Summary(u, v) & Exit(v);\n#cex forall State u. !Init(u);\n\
         exists State u, State v. Summary(u, v) & Target(v);\n"
    );
    let outcome = asked(GATE, &formula, &["--target", "W", "--trace", "none"]);
    assert_eq!(
        answers(&outcome),
        "#explain 1. Summary(work, line 6; work, line 10 (exit)) by clause 2 (f.mu:3:6), with x = work, line 10, from 2, since ProgramInt(work, line 10; work, line 10 (exit))\n\
         #explain 2. Summary(work, line 6; work, line 10) by clause 2 (f.mu:3:6), with x = work, line 7, from 3, since ProgramInt(work, line 7; work, line 10)\n\
         #explain 3. Summary(work, line 6; work, line 7) by clause 2 (f.mu:3:6), with x = work, line 6, from 4, since ProgramInt(work, line 6; work, line 7)\n\
         #explain 4. Summary(work, line 6; work, line 6) by clause 3 (f.mu:4:6), with w = main, line 14: open = F; x = main, line 17, from 5, since IntoCall(main, line 17; work, line 6)\n\
         #explain 5. Summary(main, line 14: open = F; main, line 17) by clause 2 (f.mu:3:6), with x = main, line 14: open = F, from 6, since ProgramInt(main, line 14: open = F; main, line 17)\n\
         #explain 6. Summary(main, line 14: open = F; main, line 14: open = F) by clause 1 (f.mu:2:6), since Init(main, line 14: open = F)\n\
         #explain 7. Exit(work, line 10 (exit)), a fact about the program\n\
         #wit u = work, line 6; v = work, line 10 (exit)\n\
         #cex u = main, line 14: open = F\n"
    );
    let object = object(GATE, &formula, &["--target", "W"]);
    let steps = &object["answers"][0]["derivation"];
    assert_eq!(steps[0]["place"], "f.mu:3:6");
    assert_eq!(steps[6]["clause"], Value::Null);
    let state =
        json!({ "function": "main", "line": 14, "column": 7, "values": [{ "name": "open", "value": "F" }] });
    assert_eq!(object["answers"][2]["valuation"][0]["state"], state);
}

#[test]
fn lists_are_tables_of_places_and_values() {
    let formula = format!(
        "{SUMMARY}#list Summary;\n#list Exit;\n#list ProgramInt 2;\n\
         exists State u, State v. Summary(u, v) & Target(v);\n"
    );
    let expected = "#list Summary N tuples in 9 rows
#list Summary u                        v
#list Summary work, line 6             work, line 6
#list Summary work, line 6             work, line 7
#list Summary work, line 6             work, line 8
#list Summary work, line 6             work, line 10
#list Summary work, line 6             work, line 10 (exit)
#list Summary main, line 14: open = F  main, line 14: open = F
#list Summary main, line 14: open = F  main, line 17
#list Summary main, line 14: open = F  main, line 18
#list Summary main, line 14: open = F  main, line 19
#list Exit N tuples in 2 rows
#list Exit z
#list Exit work, line 10 (exit)
#list Exit main, line 19
#list ProgramInt N tuples, the first 2 rows
#list ProgramInt x             v
#list ProgramInt work, line 6  work, line 7
#list ProgramInt work, line 7  work, line 8
";
    for options in [&[][..], &["--no-explicit"]] {
        let outcome = asked(GATE, &formula, &[&["--target", "W"], options].concat());
        assert_eq!(answers(&outcome), expected, "{}", outcome.stderr);
    }
    let object = object(GATE, &formula, &["--target", "W"]);
    let list = &object["answers"][2]["list"];
    assert_eq!(list["columns"], json!(["x", "v"]));
    assert_eq!(list["is_complete"], json!(false));
    assert!(list["n_tuples"].as_u64() > Some(2), "{list}");
    assert_eq!(list["rows"][0][1]["line"], 7);
}

/// A word that only a directive names is one of the program: what it says was empty once.
#[test]
fn directives_alone_may_name_words_of_the_program() {
    let formula = "#ons Exit;\nexists State u. Init(u) & Target(u);\n";
    let outcome = asked(GATE, formula, &["--target", "W"]);
    assert!(!answers(&outcome).contains("#ons Exit 0"), "{outcome:?}");
    let sandbox = Sandbox::new();
    sandbox.file("p.bp", GATE).file("f.mu", "#list Exit;\nexists State u. Init(u) & Target(u);\n");
    let translated = sandbox.run(&["translate", "p.bp", "--target", "W", "--algorithm", "f.mu"]);
    let evaluated = mu(&[], &translated.stdout);
    assert!(answers(&evaluated).starts_with("#list Exit N tuples in 2 rows\n"), "{evaluated:?}");
    let mucke = sandbox.run(&["translate", "--mucke", "p.bp", "--target", "W", "--algorithm", "f.mu"]);
    assert_eq!(mucke.code, 0, "{mucke:?}");
    assert!(!mucke.stdout.contains("#list"), "{mucke:?}");
}

#[test]
fn a_variable_whose_value_does_not_matter_is_not_shown() {
    let program = "void main()\nbegin\n  decl n : int<3>, e : enum { red, green, blue }, b;\n  n := 5;\n  e := *;\n  b := *;\n  \
                   L: assert(n = 5 & e != red & b);\nend\n";
    let formula = "#label L = \"main:L\";\nmu bool Reach(State v)\n    Init(v)\n  | (exists State x. Reach(x) & ProgramInt(x, v));\n\
                   bool At(State v) Reach(v) & L(v);\n#list At;\n#list L;\n#verdict reachable;\nexists State v. At(v);\n";
    let outcome = asked(program, formula, &["--trace", "none"]);
    assert_eq!(
        answers(&outcome),
        "#list At N tuples in 1 row\n#list At v\n#list At main, line 7: n = 5\n\
         #list L N tuples in 1 row\n#list L v\n#list L main, line 7\n",
        "{outcome:?}"
    );
}

#[test]
fn every_sort_is_told_in_its_own_words() {
    let threads = "decl x;\ninit !x;\nthread p[2]\nbegin\n  void main() begin\n    x := T;\n  end\nend\nthread q\nbegin\n  void main() begin\n    \
                   assert(!x);\n  end\nend\n";
    let shipped = std::fs::read_to_string(root().join("algorithms/bounded_contexts.mu")).expect("a file");
    let formula = shipped.replace("#exact;", "#list Runs;\n#list Switch 2;\n#list Start;\n#exact;");
    let outcome = asked(threads, &formula, &["-k", "1", "--trace", "none"]);
    assert_eq!(
        answers(&outcome),
        "#list Runs N tuples\n#list Runs t     r\n#list Runs p[0]  p[0]\n#list Runs p[1]  p[1]\n#list Runs q     q\n\
         #list Switch N tuples, the first 2 rows\n#list Switch c  G[0]  G[1]   T[0]  T[1]\n\
         #list Switch 1  *     x = F  p[0]  *\n#list Switch 1  *     x = F  q     *\n\
         #list Start N tuples in 3 rows\n#list Start t     u\n#list Start p[0]  main, line 6\n\
         #list Start p[1]  main, line 6\n#list Start q     main, line 12\n",
        "{outcome:?}"
    );
    let formula = "class Pair { State from; Module to; };\nbool Calls(Pair p) exists State y. IntoCall(p.from, y) & p.to = y.mod;\n\
                   #list Calls;\n#list Recursive;\nexists State u. Init(u) & Target(u);\n";
    let outcome = asked(GATE, formula, &["--target", "W", "--trace", "none"]);
    assert_eq!(
        answers(&outcome),
        "#list Calls N tuples in 2 rows\n#list Calls p.from         p.to\n#list Calls work, line 8   work\n\
         #list Calls main, line 17  work\n#list Recursive 1 tuple\n#list Recursive m\n#list Recursive work\n",
        "{outcome:?}"
    );
}

#[test]
fn lists_of_plain_systems_do_not_depend_on_how_values_are_stored() {
    let text = "enum Room { gate, hall, cellar };\nclass S { Room at; bool lamp[2]; };\nbool Lit(S s, Room t) s.lamp[0] & t = s.at;\n\
                bool None(Room a) false;\nbool Fact() true;\nbool Some(Room a, Room b) a != hall;\n\
                #list Lit;\n#list None;\n#list Fact;\n#list Some 1;\n#list Some 0;\n";
    let expected = "#list Lit 6 tuples in 3 rows
#list Lit s.at    s.lamp[0]  s.lamp[1]  t
#list Lit gate    true       *          gate
#list Lit hall    true       *          hall
#list Lit cellar  true       *          cellar
#list None 0 tuples
#list Fact 1 tuple
#list Some 6 tuples, the first row
#list Some a     b
#list Some gate  *
#list Some 6 tuples
";
    for options in [&[][..], &["--symbolic"], &["--twin"]] {
        assert_eq!(mu(options, text).stdout, expected, "{options:?}");
        assert_eq!(mu(options, &format!("#explicit Room, bool;\n{text}")).stdout, expected, "{options:?}");
    }
}

#[test]
fn mistakes_in_lists_and_depths_have_places() {
    let outcome = mu(&[], "bool Reach() true;\n#list Raech;\n");
    assert_eq!(
        outcome.stderr,
        "error: there is no relation `Raech`; did you mean `Reach`?\n  --> <stdin>:2:7\n 2 | #list Raech;\n   |       ^^^^^\n"
    );
    let outcome = mu(&[], "#depth 1;\n#depth 2;\n");
    assert_eq!(
        outcome.stderr,
        "error: the depth is chosen twice, and differently\n  --> <stdin>:2:8\n 2 | #depth 2;\n   |        ^\n"
    );
    let formatted = Sandbox::new();
    formatted.file("f.mu", "#list   R  20 ;\n#depth  4;\n");
    assert_eq!(formatted.run(&["fmt", "f.mu"]).stdout, "#list R 20;\n#depth 4;\n");
}

#[test]
fn labels_of_the_formula_are_marked_where_a_run_passes_them() {
    let sandbox = Sandbox::new();
    sandbox.file("p.bp", GATE);
    let options = ["check", "p.bp", "--target", "END", "--algorithm", "after", "--label", "First=W"];
    assert_eq!(
        sandbox.run(&options).stdout,
        "REACHABLE
the target after First
5 steps

step  line  statement  effect        label
   1    14  if *       F, chosen
   2    17  work()     work()
   3     6    skip                   First
   4     7    if *     F, chosen
   5    10    end      back in main
        18  skip       END reached
            (finally)  open = F
"
    );
    let outcome = sandbox.run(&[&options[..], &["--json"]].concat());
    let object: Value = serde_json::from_str(&outcome.stdout).expect("stdout is one JSON value");
    let steps = object["trace"]["steps"].as_array().expect("steps");
    let labels: Vec<&Value> = steps.iter().map(|step| &step["labels"]).collect();
    assert_eq!(labels, [&Value::Null, &Value::Null, &json!(["First"]), &Value::Null, &Value::Null]);
}

const GUESS: &str = "bool guess(hint)
begin
  decl answer;
  if (hint) then
    answer := *;
  else
    answer := F;
  fi;
  DONE: return answer;
end

void main()
begin
  decl x;
  x := guess(HINT);
end
";

/// Two runs from one entry; the formula may say so in the query or in a relation.
fn two_runs() -> [String; 2] {
    let head = "#label Done = \"guess:DONE\";\n#where Yes = \"guess: answer\";\n#verdict violated \"two answers\";\n";
    let both = "Summary(u, y) & Done(y) & Yes(y) & Summary(u, z) & Done(z) & !Yes(z)";
    [
        format!("{head}{SUMMARY}exists State u, State y, State z. {both};\n"),
        format!(
            "{head}{SUMMARY}bool Two(State u) exists State y, State z. {both};\nexists State u. Two(u);\n"
        ),
    ]
}

#[test]
fn an_answer_about_two_runs_shows_both() {
    for formula in two_runs() {
        let program = GUESS.replace("HINT", "T");
        let outcome = asked(&program, &formula, &[]);
        let end = |value: &str| {
            format!(
                "step  line  statement        effect           label
   1    15  x := guess(T)    guess(hint = T)
   2     4    if hint        T
   3     5    answer := *    answer = {value}
         9    return answer                   Done
            (finally)        hint = T, answer = {value}
"
            )
        };
        let expected = format!(
            "VIOLATED\ntwo answers\nrun 1 of 2: 3 steps\n\n{}\nrun 2 of 2: 3 steps\n\n{}",
            end("T"),
            end("F")
        );
        assert_eq!(outcome.stdout, expected, "{}", outcome.stderr);
        let object = object(&program, &formula, &[]);
        let value = |trace: &Value| trace["steps"][2]["changes"][0]["value"].clone();
        assert_eq!(value(&object["trace"]), "T");
        assert_eq!(object["further_traces"].as_array().map(Vec::len), Some(1));
        assert_eq!(value(&object["further_traces"][0]), "F");
        assert_eq!(object["further_traces"][0]["labels_at_end"], json!(["Done"]));
        let source = asked(&program, &formula, &["--trace", "source"]).stdout;
        assert!(source.contains("\nrun 1 of 2\nfirst  times\n"), "{source}");
        let outcome = asked(&GUESS.replace("HINT", "F"), &formula, &[]);
        assert_eq!(outcome.stdout, "HOLDS\nno run: two answers\n");
    }
}

#[test]
fn one_run_is_not_counted() {
    let formula = format!("{SUMMARY}exists State u, State v. Summary(u, v) & Target(v);\n");
    let outcome = asked(GATE, &formula, &["--target", "W"]);
    assert!(outcome.stdout.starts_with("REACHABLE\n2 steps\n"), "{outcome:?}");
    assert_eq!(object(GATE, &formula, &["--target", "W"]).get("further_traces"), None);
}

const LIFT: &str = "decl called, open;
init !called & !open;

void main()
begin
  while (T) do
    ENV: called := *;
    CTL: open := *;
    BODY
    STOP: skip;
  od
end
";

const PLAYERS: &str =
    "#label Ctl = \"main:CTL\";\n#label Stop = \"main:STOP\";\n#where Shut = \"main: called & !open\";\n";

/// The same game seen from both sides: what the environment can force, and what the controller can hold.
fn games() -> [(&'static str, String); 2] {
    let forced = "mu bool Lost(State s)\n    (Stop(s) & Shut(s))\n  | (!Ctl(s) & (exists State v. ProgramInt(s, v) & Lost(v)))\n  \
                  | (Ctl(s) & (forall State v. ProgramInt(s, v) -> Lost(v)));\n#verdict violated \"lost\";\n\
                  exists State u. Init(u) & Lost(u);\n";
    let held = "nu bool Safe(State s)\n    !(Stop(s) & Shut(s))\n  & (Ctl(s) | (forall State v. ProgramInt(s, v) -> Safe(v)))\n  \
                & (!Ctl(s) | (exists State v. ProgramInt(s, v) & Safe(v)));\n#verdict holds \"lost\";\n\
                forall State u. Init(u) -> Safe(u);\n";
    [("Lost", format!("{PLAYERS}{forced}")), ("!Safe", format!("{PLAYERS}{held}"))]
}

#[test]
fn a_game_that_is_lost_shows_a_play() {
    let lost = LIFT.replace("BODY", "if (called) then open := F; fi;");
    for (name, formula) in games() {
        let outcome = asked(&lost, &formula, &[]);
        assert_eq!(outcome.code, 10, "{outcome:?}");
        let (run, play) = outcome.stdout.split_once("because\n").expect("a play");
        assert!(run.starts_with("VIOLATED\nlost\n2 steps\n"), "{run}");
        let at = |line: &str| format!("{name}(main, line {line})");
        let chosen = format!(
            "  4. {}, since Ctl(s)\n       if v = main, line 9:9: called = T, open = F, from 5\n       \
             if v = main, line 9:9: called = T, open = T, from ",
            at("8: called = T, open = F")
        );
        assert!(play.contains(&chosen), "{play}");
        assert!(
            play.contains(&format!("{}, since Stop(s); Shut(s)\n", at("10: called = T, open = F"))),
            "{play}"
        );
        let lines = object(&lost, &formula, &[])["derivation"].as_array().map(Vec::len);
        assert_eq!(lines, Some(play.lines().count()));
        let won = LIFT.replace("BODY", "skip;");
        assert_eq!(asked(&won, &formula, &[]).stdout, "HOLDS\nno run: lost\n");
    }
}

#[test]
fn a_play_is_as_deep_as_the_file_says() {
    let lost = LIFT.replace("BODY", "open := F;").replace("!called & !open", "T");
    // The environment has to win three times in a row.
    let formula = format!(
        "{PLAYERS}enum Count {{ 0..3 }};\nmu bool Lost(State s, Count n)\n    n = 0\n  \
         | (!Ctl(s) & !(Stop(s) & Shut(s)) & (exists State v. ProgramInt(s, v) & Lost(v, n)))\n  \
         | (Stop(s) & Shut(s) & (exists Count m. n = m + 1 & (exists State v. ProgramInt(s, v) & Lost(v, m))))\n  \
         | (Ctl(s) & (forall State v. ProgramInt(s, v) -> Lost(v, n)));\n#verdict violated;\n\
         exists State u. Init(u) & Lost(u, 3);\n"
    );
    let n_choices = |depth: u32| {
        let outcome = asked(&lost, &format!("#depth {depth};\n{formula}"), &[]);
        outcome.stdout.lines().filter(|line| line.starts_with("       if v = ")).count()
    };
    assert_eq!(n_choices(0), 0);
    assert_eq!(n_choices(1), 2);
    assert!(n_choices(2) > n_choices(1));
    assert!(n_choices(3) > n_choices(2));
}

#[test]
fn explanations_follow_choices() {
    let text = "enum Node { a, b, c, d };\nbool Edge(Node s, Node v) (s = a & v = b) | (s = a & v = c) | (s = b & v = d) | (s = c & v = d);\n\
                mu bool Wins(Node s)\n    s = d\n  | (forall Node v. Edge(s, v) -> Wins(v));\n#explain Wins(a);\n";
    assert_eq!(
        mu(&[], text).stdout,
        "#explain 1. Wins(a) by clause 2 (<stdin>:5:6), since forall Node v. !Edge(s, v) | Wins(v) where s = a
#explain      if v = b, from 2
#explain      if v = c, from 3
#explain 2. Wins(b) by clause 2 (<stdin>:5:6), since forall Node v. !Edge(s, v) | Wins(v) where s = b
#explain      if v = d, from 4
#explain 3. Wins(c) by clause 2 (<stdin>:5:6), since forall Node v. !Edge(s, v) | Wins(v) where s = c
#explain      if v = d, from 4
#explain 4. Wins(d) by clause 1 (<stdin>:4:5)
"
    );
    let shallow = mu(&[], &format!("#depth 0;\n{text}")).stdout;
    assert_eq!(shallow.lines().count(), 1, "{shallow}");
    let object: Value = serde_json::from_str(&mu(&["--json"], text).stdout).expect("JSON");
    let step = &object["answers"][0]["derivation"][0];
    assert_eq!(step["choices"][1]["choice"], json!([{ "name": "v", "value": "c" }]));
    assert_eq!(step["choices"][1]["uses"], json!([3]));
}

//! Formula files about a program: names of its functions and variables, states that are told apart, certificates, and mistakes in notes, each at its
//! place.

mod harness;

use harness::formula::{check, says, shipped};
use harness::{Sandbox, root, schema};
use serde_json::Value;

/// A function that is deterministic and uses fewer variables than the other one; each is called.
const TWO: &str = "\
decl hits, spare;

bool twice(p)
begin
  decl once;
  once := !p;
  return !once;
end

bool guess(p, q)
begin
  decl a, b, c;
  a := p;
  b, c := q, a;
  if (*) then
    hits := T;
  fi;
  return c;
end

void main()
begin
  decl x;
  x := twice(T);
  x := guess(x, T);
  L: assert(x);
end
";

/// Summaries of all entries.
const SUM: &str = "
mu bool Sum(State u, State v)
    (Entry(u) & u = v)
  | (exists State x. Sum(u, x) & ProgramInt(x, v))
  | (exists State x, State y, State z. Sum(u, x) & IntoCall(x, y) & Sum(y, z) & Exit(z) & Return(x, z, v));
mu bool Reach(State u)
    Init(u) | (exists State w, State x. Reach(w) & Sum(w, x) & IntoCall(x, u));
";

/// The answers of a query about each of the two functions, with all reductions and without; and translated.
#[track_caller]
fn asks(query: &str, twice: bool, guess: bool) {
    for (function, is_true) in [("twice", twice), ("guess", guess)] {
        let formula = format!("#function F;{SUM}#verdict violated;\n{query}");
        let name = format!("F={function}");
        for without in [&[][..], &["--without", "all"], &["--without", "live-variables"], &["--no-explicit"]]
        {
            let options = [&["--trace", "none", "--function", &name], without].concat();
            let first = if is_true { "VIOLATED" } else { "HOLDS" };
            says(TWO, &formula, &options, if is_true { 10 } else { 0 }, &[first]);
        }
        let sandbox = Sandbox::new();
        sandbox.file("p.bp", TWO).file("f.mu", &formula);
        let text = sandbox.run(&["translate", "p.bp", "--algorithm", "f.mu", "--function", &name]);
        sandbox.file("t.mu", &text.stdout);
        let outcome = sandbox.run(&["mu", "t.mu"]);
        assert_eq!(outcome.stdout, format!("{is_true}\n"), "{query} of {function}: {outcome:?}");
    }
}

#[test]
fn bits_that_nobody_uses_are_no_difference() {
    let exits = "F(u.mod) & Sum(u, y) & Exit(y) & Sum(u, z) & Exit(z)";
    asks(&format!("exists State u, State y, State z. {exits} & (y.L != z.L | y.G != z.G);"), false, true);
    asks(&format!("exists State u, State y, State z. {exits} & y != z;"), false, true);
    asks(&format!("!(forall State u, State y, State z. {exits} -> y = z);"), false, true);
    asks(&format!("exists State u, State y, State z. {exits} & y.L != z.L;"), false, false);
    asks("exists State u, State y. F(u.mod) & Sum(u, y) & Exit(y) & u.G != y.G;", false, true);
}

#[test]
fn a_parameter_that_nobody_reads_is_part_of_an_entry() {
    let program = TWO.replace("b, c := q, a;", "b, c := a, a;");
    let query = "exists State u, State w, State y. F(u.mod) & Sum(u, y) & Exit(y) & Sum(w, y) & u != w;";
    let formula = format!("#function F = \"guess\";{SUM}#verdict violated;\n{query}");
    says(&program, &formula, &["--trace", "none"], 10, &["VIOLATED"]);
    asks(query, false, true);
}

#[test]
fn a_dead_global_changes() {
    // Nobody reads it, so a formula about runs need not look at it.
    let program = "decl g; void f() begin g := !g; end void main() begin f(); L: skip; end";
    let query = "exists State u, State y. F(u.mod) & Reach(u) & Sum(u, y) & Exit(y) & u.G";
    let formula = |end: &str| format!("#function F = \"f\";{SUM}#verdict violated;\n{query} {end};");
    says(program, &formula("!= y.G"), &[], 10, &["VIOLATED"]);
    says(program, &formula("= y.G"), &[], 0, &["HOLDS"]);
}

#[test]
fn states_are_counted_once() {
    // Entry, and for each value of the parameter a state before and one after the step, and the exit.
    let program = "bool f(p) begin return !p; end void main() begin decl x, y, z; x := f(T); end";
    let formula =
        format!("#function F = \"f\";{SUM}bool Of(State u, State v) F(u.mod) & Sum(u, v); #ons Of; true;");
    for without in ["straight-lines", "all"] {
        let outcome = check(program, &formula, &["--without", without]);
        assert!(outcome.stdout.ends_with("#ons Of 6\n"), "{outcome:?}");
    }
}

#[test]
fn queries_beside_the_verdict_see_the_same_states() {
    let beside =
        "exists State u, State y, State z. F(u.mod) & Sum(u, y) & Exit(y) & Sum(u, z) & Exit(z) & y != z;";
    let formula = format!("#function F = \"twice\";{SUM}{beside}\nexists State u. Init(u);");
    let outcome = says(TWO, &formula, &["--trace", "none"], 0, &["the query is true"]);
    assert!(outcome.stdout.ends_with("\nfalse\n"), "{outcome:?}");
}

#[test]
fn a_run_is_shown_of_states_that_are_told_apart() {
    let query = "exists State u, State y, State v. Reach(u) & Sum(u, y) & u.G != y.G & F(u.mod);";
    let formula = format!("#function F = \"main\";{SUM}#verdict violated;\n{query}");
    let outcome = says(TWO, &formula, &[], 10, &["VIOLATED"]);
    assert!(outcome.stdout.contains("hits := T") && outcome.stdout.contains("hits = T"), "{outcome:?}");
}

#[test]
fn functions_and_variables_have_names() {
    let formula = format!(
        "#function F = \"twice, guess\";\n#variable X = \"guess:c\", H = \"hits\";{SUM}#verdict violated;
         exists State u, State x, State v, Variable a. F(u.mod) & Sum(u, x) & ProgramInt(x, v) & Writes(x, v, a)
           & (X(a) | H(a));"
    );
    says(TWO, &formula, &["--trace", "none"], 10, &["VIOLATED"]);
    says(TWO, &formula, &["--trace", "none", "--function", "F=twice"], 0, &["HOLDS"]);
    let options = ["--trace", "none", "--function", "F=twice", "--variable", "X=twice:once"];
    says(TWO, &formula, &options, 10, &["VIOLATED"]);
    let outcome = check(TWO, &formula, &["--show", "labels"]);
    let expected =
        "F = twice, Module 0\nF = guess, Module 1\nX = guess.c, Variable 8\nH = hits, Variable 0\n";
    assert!(outcome.stdout.starts_with(expected), "{outcome:?}");
    let object = json(&check(TWO, &formula, &["--show", "labels", "--json"]).stdout);
    assert_eq!(object["answers"][0]["directive"], "labels");
}

#[test]
fn functions_of_threads_have_names() {
    let program =
        "decl g; init !g; thread p begin void work() begin g := T; end void main() begin work(); end end
        thread q begin void main() begin assert(!g); end end";
    let formula = format!("#function F = \"work\";\n{}", shipped("bounded_contexts"));
    let formula = formula.replace("Target(t, v)", "Target(t, v) & !F(v.mod)");
    says(program, &formula, &["-k", "2", "--trace", "none"], 10, &["REACHABLE within 1 context switch"]);
    let outcome = check(program, "#variable X = \"g\"; #param k = 1; true;", &["-k", "1"]);
    let message = "error: `#variable` is for sequential programs, and this one has threads\n  --> f.mu:1:1\n";
    assert!(outcome.code == 2 && outcome.stderr.starts_with(message), "{outcome:?}");
}

/// The object follows the schema.
fn json(text: &str) -> Value {
    let object: Value = serde_json::from_str(text).expect("stdout is one JSON value");
    let schema =
        std::fs::read_to_string(root().join("docs/output.schema.json")).expect("the schema is in docs");
    let schema: Value = serde_json::from_str(&schema).expect("the schema is JSON");
    schema::validate(&schema, &object).unwrap_or_else(|problem| panic!("{problem} in {object:#}"));
    object
}

/// The formula is refused: the first line, and the place if there is one.
#[track_caller]
fn refused(formula: &str, options: &[&str], place: Option<&str>, message: &str) {
    let outcome = check(TWO, formula, options);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{outcome:?}");
    let mut lines = outcome.stderr.lines();
    assert_eq!(lines.next(), Some(format!("error: {message}").as_str()), "{outcome:?}");
    let expected = place.map(|place| format!("  --> f.mu:{place}"));
    assert_eq!(lines.next().map(str::to_owned), expected, "{outcome:?}");
}

#[test]
fn mistakes_in_names_have_places() {
    refused("#function F; true;", &[], Some("1:11"), "which function is `F`? The file leaves it open");
    refused("#variable X; true;", &[], Some("1:11"), "which variable is `X`? The file leaves it open");
    refused(
        "#function F = \"twize\"; true;",
        &[],
        Some("1:15"),
        "there is no function `twize`; did you mean `twice`?",
    );
    refused("#variable X = \"onec\"; true;", &[], Some("1:15"), "there is no global `onec`");
    refused(
        "#variable X = \"once\"; true;",
        &[],
        Some("1:15"),
        "there is no global `once`; did you mean `twice:once`?",
    );
    refused(
        "#variable X = \"twice:onec\"; true;",
        &[],
        Some("1:15"),
        "`twice` has no parameter and no local `onec`; did you mean `once`?",
    );
    refused(
        "#function F = \"twice\"; true;",
        &["--function", "F=none"],
        None,
        "`--function F=none`: there is no function `none`",
    );
    refused(
        "#function F = \"twice\"; true;",
        &["--function", "G=twice"],
        None,
        "the formula has no name `G`; its names are: `F`",
    );
    refused(
        "#function F = twice; true;",
        &[],
        Some("1:15"),
        "expected a function in quotes, as in `\"f\"`, found `twice`",
    );
    refused(
        "#function F = \"twice\"; #variable F = \"hits\"; true;",
        &[],
        Some("1:34"),
        "`F` is a function already",
    );
    refused(
        "#function F = \"twice\"; bool F(Module m) true; true;",
        &[],
        Some("1:11"),
        "`F` is a function and a relation; choose another name for one of them",
    );
    let message = "`Init` is a word of the program already; choose another name";
    refused("#function Init = \"twice\"; true;", &[], Some("1:11"), message);
}

#[test]
fn mistakes_in_conditions_are_inside_the_text() {
    let cases = [
        ("twice: once & onec", "1:27", "`onec` is not declared; did you mean `once`?"),
        ("hits & none", "1:20", "`none` is not declared"),
        (" twize : hits", "1:14", "there is no function `twize`"),
        ("twice: hits &", "1:26", "the condition is not complete"),
        ("hits & *", "1:20", "a condition about a state has no `*`"),
    ];
    for (condition, place, message) in cases {
        refused(&format!("#where A = \"{condition}\"; true;"), &[], Some(place), message);
    }
}

#[test]
fn a_note_ends_with_a_semicolon() {
    for (note, query, found) in [
        ("#verdict violated", "exists State u. Init(u);", "`exists`"),
        ("#verdict violated \"so\"", "!(exists State u. Init(u));", "`!`"),
        ("#verdict reachable", "R(true);", "`R`"),
        ("#exact", "#verdict violated;", "`#verdict`"),
        ("#label A = \"main:L\"", "mu bool R(State x) Init(x);", "`mu`"),
    ] {
        let place = format!("1:{}", note.len());
        let word = note.split(' ').next().unwrap_or_default();
        let message = format!("expected `;` at the end of `{word}`, found {found}");
        refused(&format!("{note}\n{query}\n"), &[], Some(&place), &message);
    }
    refused("#verdict violated true;", &[], Some("1:19"), "expected `;`, found `true`");
}

#[test]
fn a_name_that_hides_a_parameter_is_a_warning() {
    let formula = "bool R(State x)\n  exists State x. Init(x);\nexists State u. R(u);";
    let outcome = says(TWO, formula, &["--trace", "none"], 0, &["the query is true"]);
    let warning = "warning: `x` hides the parameter of this name\n  --> f.mu:2:16\n";
    assert!(outcome.stderr.starts_with(warning), "{outcome:?}");
    // What is unrolled is one text, and a name that is quantified twice hides no parameter.
    let formula = "bool R(State x) forall i in 0..2. exists State x. Init(x);\nexists State u. R(u) & (exists State u. Init(u));";
    let outcome = check(TWO, formula, &["--trace", "none"]);
    assert_eq!(outcome.stderr.matches("warning").count(), 1, "{outcome:?}");
}

#[test]
fn relations_are_certified_beside_an_answer() {
    let formula = format!(
        "{SUM}#certify Reach;\n#certify Init;\nexists State u, State v. Reach(u) & Sum(u, v) & Target(v);"
    );
    for options in [&[][..], &["--no-explicit"], &["--without", "all"]] {
        let outcome = says(TWO, &formula, &[&["--trace", "none"], options].concat(), 0, &["UNREACHABLE"]);
        let lines: Vec<&str> = outcome.stdout.lines().collect();
        assert!(
            lines[2].starts_with("#certify Reach holds: ") && lines[2].contains("Init given"),
            "{lines:?}"
        );
        assert!(lines[2].contains("Sum 3 clauses") && lines[2].contains("Reach 2 clauses"), "{lines:?}");
        assert_eq!(lines[3], "#certify Init holds: Init given");
    }
    let object = json(&check(TWO, &formula, &["--json", "--trace", "none"]).stdout);
    assert_eq!(object["answers"][0]["certificate"]["holds"], true);
}

#[test]
fn words_of_reachability_cost_nothing() {
    let program = TWO.replace("L: assert(x);", "L: skip; assert(x | !x);");
    let negated = "#load \"summary.mu\";\n#verdict unreachable;\n!(exists State u, State v. Reach(u) & Summary(u, v) & Target(v));";
    for formula in [format!("#verdict reachable;\n{}", shipped("summary")), negated.to_owned()] {
        let sandbox = Sandbox::new();
        sandbox.file("p.bp", &program).file("f.mu", &formula);
        let check = ["check", "p.bp", "--algorithm", "f.mu", "--target", "assert", "--certificate", "c.cert"];
        let outcome = sandbox.run(&check);
        assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""), "{outcome:?}");
        assert_eq!(outcome.stdout, "UNREACHABLE\nno assertion can fail\n");
        let outcome = sandbox.run(&["validate", "p.bp", "c.cert", "--target", "assert"]);
        assert_eq!(outcome.code, 0, "{outcome:?}");
        let outcome = sandbox.run(&["check", "p.bp", "--algorithm", "f.mu", "--target", "L", "--shortest"]);
        assert_eq!((outcome.code, outcome.stderr.as_str()), (10, ""), "{outcome:?}");
    }
    // What is asked is something else: there is no certificate for it.
    let otherwise = format!("#verdict reachable \"in a strange way\";\n{}", shipped("summary"));
    let sandbox = Sandbox::new();
    sandbox.file("p.bp", &program).file("f.mu", &otherwise);
    let outcome = sandbox.run(&[
        "check",
        "p.bp",
        "--algorithm",
        "f.mu",
        "--target",
        "assert",
        "--certificate",
        "c.cert",
    ]);
    assert!(outcome.stdout.contains("there is no certificate"), "{outcome:?}");
}

#[test]
fn a_formula_that_tells_states_apart_has_the_certificate_of_another() {
    let program = "decl g; void main() begin g := T; assert(g); end";
    let formula = format!(
        "{SUM}#certificate Sum, Reach;\n#verdict reachable;
         exists State u, State v, State w. Reach(u) & Sum(u, v) & Target(v) & Init(w) & (w = u | w != u);"
    );
    let sandbox = Sandbox::new();
    sandbox.file("p.bp", program).file("f.mu", &formula);
    let outcome = sandbox.run(&["check", "p.bp", "--algorithm", "f.mu", "--certificate", "c.cert"]);
    let note = "note: the certificate is that of hybrid.mu, since f.mu tells states apart\n";
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, note), "{outcome:?}");
    assert_eq!(sandbox.run(&["validate", "p.bp", "c.cert"]).code, 0);
}

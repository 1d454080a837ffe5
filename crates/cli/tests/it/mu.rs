//! Queries and directives of small files, on the solver and on the twin.

use crate::harness::{Sandbox, check, check_everywhere, mu};

/// A line of four rooms, of which the last one is reached in three steps.
const LINE: &str = "
    enum Room { a, b, c, d };
    bool Door(Room p, Room q) p = a & q = b | p = b & q = c | p = c & q = d;
    mu bool Reach(Room r) r = b | (exists Room q. Reach(q) & Door(q, r));
";

fn line(rest: &str) -> String {
    format!("{LINE}{rest}")
}

#[test]
fn queries_print_their_truth_value() {
    check_everywhere(
        "true; false; 1; 0; !true; true & false; true | false;",
        "true\nfalse\ntrue\nfalse\nfalse\nfalse\ntrue\n",
    );
    check_everywhere(&line("Reach(d); Reach(a); exists Room r. !Reach(r);"), "true\nfalse\ntrue\n");
}

/// Numbers count up and down, with keys, with bits and on the twin; a sum outside the range makes its atom false.
#[test]
fn numbers_have_successors() {
    for storage in ["", "#explicit N;"] {
        let head = format!("enum N {{ 0..9 }}; {storage}");
        let third = "mu bool T(N i) i = 0 | (exists N j. T(j) & i = j + 3); #ons T; T(9); T(8); exists N i. T(i + 1);";
        check_everywhere(&format!("{head} {third}"), "#ons T 4\ntrue\nfalse\ntrue\n");
        let down = "mu bool D(N i) i = 7 | (exists N j. j - 2 = i & D(j)); #ons D; forall N i. i - 1 < i; !(exists N i. 9 < i + 1);";
        check_everywhere(&format!("{head} {down}"), "#ons D 4\nfalse\ntrue\n");
    }
}

#[test]
fn directives_print_lines_that_begin_with_them() {
    check_everywhere(&line("#ons Reach; #onsetsize Door;"), "#ons Reach 3\n#ons Door 3\n");
    check_everywhere(&line("#wit exists Room r. !Reach(r);"), "#wit r = a\n");
    check_everywhere(&line("#wit exists Room r. Door(r, r);"), "#wit none\n");
    check_everywhere(&line("#cex forall Room r. Reach(r);"), "#cex r = a\n");
    check_everywhere(&line("#cex forall Room r. r = r;"), "#cex none\n");
    check_everywhere("#print \"hello, world\"; #print; #print true;", "hello, world\n\ntrue\n");
}

#[test]
fn a_witness_of_a_record_names_its_parts() {
    let text = "class S { bool bit[2]; }; #wit exists S s. s.bit[0] & !s.bit[1];";
    check_everywhere(text, "#wit s.bit[0] = true, s.bit[1] = false\n");
}

#[test]
fn quit_ends_the_run() {
    check_everywhere("true; #quit; false;", "true\n");
}

#[test]
fn reset_forgets_but_answers_stay() {
    check_everywhere(
        &line("Reach(d); #reset Reach; Reach(d); #reset all; #ons Reach;"),
        "true\ntrue\n#ons Reach 3\n",
    );
}

#[test]
fn parameters_come_from_the_command_line() {
    let text = "#param k = 2; enum E { 0 .. k }; bool All(E e) true; #ons All;";
    check(&[], text, "#ons All 3\n");
    check(&["--param", "k=6"], text, "#ons All 7\n");
    check(&["--twin", "--param", "k=6"], text, "#ons All 7\n");
    let unknown = mu(&["--param", "missing=6"], text);
    assert_eq!(unknown.code, 2, "{unknown:?}");
}

#[test]
fn times_go_to_stderr() {
    let outcome = mu(&["--stats"], &line("#timer go; Reach(d); #timer; #timer stop; #verbose;"));
    assert_eq!((outcome.code, outcome.stdout.as_str()), (0, "true\n"));
    assert!(outcome.stderr.contains("#timer "), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("relation"), "{}", outcome.stderr);
}

#[test]
fn what_needs_the_solver_is_skipped_by_the_twin() {
    let text = line(
        "#size Reach; #plan Reach; #vis Reach; #dump Reach; #explain Reach(d); #certify Reach; Reach(d);",
    );
    let outcome = mu(&["--twin"], &text);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (0, "true\n"));
    for directive in ["#size", "#plan", "#vis", "#dump", "#explain", "#certify"] {
        assert!(outcome.stderr.contains(&format!("`{directive}` needs the solver")), "{}", outcome.stderr);
    }
    assert_eq!(mu(&["--twin", "--quiet"], &text).stderr, "");
}

#[test]
fn certificates_and_derivations_are_readable() {
    let outcome = mu(&[], &line("#certify Reach; #explain Reach(c); #explain Reach(a);"));
    assert_eq!(outcome.code, 0, "{outcome:?}");
    let lines: Vec<&str> = outcome.stdout.lines().collect();
    assert!(
        lines[0].starts_with("#certify Reach holds: ") && lines[0].ends_with("Reach 2 clauses"),
        "{lines:?}"
    );
    assert!(lines[1].starts_with("#explain 1. Reach(c) by clause 2 (<stdin>:4:"), "{lines:?}");
    assert!(lines[1].contains("q = b"), "{lines:?}");
    assert!(
        lines.iter().any(|l| l.starts_with("#explain") && l.contains("Reach(b) by clause 1")),
        "{lines:?}"
    );
    assert_eq!(lines.last(), Some(&"#explain none"));
}

#[test]
fn diagrams_are_written_and_read_back() {
    let sandbox = Sandbox::new();
    sandbox.file("dump.mu", line("#dump Reach; #vis Reach; #size Reach;"));
    sandbox.file("undump.mu", line("#undump Reach; #ons Reach; Reach(d);"));
    let dumped = sandbox.run(&["mu", "dump.mu"]);
    assert_eq!(dumped.code, 0, "{dumped:?}");
    assert!(
        dumped.stdout.starts_with("#dump Reach Reach.dddmp\n#vis Reach Reach.dot\n#size Reach "),
        "{dumped:?}"
    );
    assert!(sandbox.read("Reach.dot").contains("digraph"));
    let undumped = sandbox.run(&["mu", "undump.mu"]);
    assert_eq!(undumped.stdout, "#undump Reach Reach.dddmp\n#ons Reach 3\ntrue\n", "{undumped:?}");
}

#[test]
fn a_dump_that_is_missing_or_broken_is_an_error() {
    let sandbox = Sandbox::new();
    sandbox.file("a.mu", line("#undump Reach; true;"));
    for _ in 0..2 {
        let outcome = sandbox.run(&["mu", "a.mu"]);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (2, "true\n"), "{outcome:?}");
        assert!(outcome.stderr.contains("Reach.dddmp"), "{outcome:?}");
        sandbox.file("Reach.dddmp", "nonsense");
    }
}

#[test]
fn stages_are_shown_and_the_formula_parses_back() {
    let text = line("Reach(d); #ons Reach;");
    let shown = mu(&["--show", "formula"], &text);
    assert_eq!(shown.code, 0, "{shown:?}");
    check_everywhere(&shown.stdout, "true\n#ons Reach 3\n");
    assert_eq!(mu(&["--show", "formula"], &shown.stdout).stdout, shown.stdout);
    for stage in ["plan", "order"] {
        let outcome = mu(&["--show", stage], &text);
        assert_eq!(outcome.code, 0, "{outcome:?}");
        assert_ne!(outcome.stdout, "", "{stage}");
    }
}

#[test]
fn a_plan_names_its_relation_once_at_its_head() {
    let outcome = mu(&["--show", "plan"], &line("Reach(d);"));
    let heads: Vec<&str> = outcome.stdout.lines().filter(|line| !line.starts_with(' ')).collect();
    let is_head =
        |name: &str| heads.iter().filter(|head| head.starts_with(&format!("{name}: keys "))).count();
    assert_eq!((heads.len(), is_head("Door"), is_head("Reach")), (2, 1, 1), "{}", outcome.stdout);
}

#[test]
fn a_system_that_runs_in_circles_is_unknown_and_the_rest_is_answered() {
    for options in [&[][..], &["--twin"]] {
        let outcome = mu(options, "mu bool Liar(bool x) !Liar(x);\nexists bool x. Liar(x);\ntrue;\n");
        assert_eq!(outcome.code, 5, "{outcome:?}");
        let lines: Vec<&str> = outcome.stdout.lines().collect();
        assert!(lines[0].starts_with("unknown: `Liar` never stabilises"), "{outcome:?}");
        assert_eq!(lines[1..], ["true"], "{outcome:?}");
        assert!(outcome.stderr.contains("warning: "), "{outcome:?}");
        assert!(!mu(&[options, &["--quiet"]].concat(), "mu bool L() !L(); true;").stderr.contains("warning"));
    }
}

//! Claims about small programs: which are proofs, and what is wrong with the others.

use base::{Sources, Stop};
use integers::Program;
use proof::{Claim, Draft, Reason, Refused, Rule, Statement, check, subject};
use smt::{Answer, Pipe, Recorded, Why};
use std::cell::RefCell;

fn translate(text: &str) -> (Program, Sources) {
    let mut sources = Sources::default();
    let file =
        sources.add("test.c", format!("void reach_error(void); void abort(void); int nondet(void);\n{text}"));
    let translation = c::translate(&sources, file, &c::Options::default());
    (translation.unwrap_or_else(|_| panic!("{text}")).program, sources)
}

thread_local! {
    /// One solver a test.
    static SOLVER: RefCell<Pipe> = {
        let program = smt::find(None).unwrap_or_else(|missing| panic!("{missing}"));
        RefCell::new(Pipe::new(&program, Stop::default()))
    };
}

fn solved(program: &Program, claim: &Claim) -> Result<(), Refused> {
    SOLVER.with_borrow_mut(|solver| check(program, claim, solver)).map(|_| ())
}

/// Reads a claim that is written without its beginning.
fn claim(program: &Program, statement: &str, formulas: &str) -> Claim {
    let text = format!("getafix claim 1; program 0; integers math; {statement} {formulas}");
    let mut sources = Sources::default();
    let file = sources.add("claim", text);
    let read = || {
        let draft = Draft::read(&sources, file)?;
        let subject = subject(program, &draft.header.statement);
        draft.finish(&subject)
    };
    read().unwrap_or_else(|error| panic!("{}", base::render(&sources, &error)))
}

fn checked(program: &str, statement: &str, formulas: &str) -> Result<(), Refused> {
    let (program, _) = translate(program);
    let claim = claim(&program, statement, formulas);
    solved(&program, &claim)
}

#[track_caller]
fn accepts(program: &str, statement: &str, formulas: &str) {
    assert_eq!(checked(program, statement, formulas), Ok(()));
}

/// The rule, without its edge, and whether it was shown to fail.
#[track_caller]
fn refuses(program: &str, statement: &str, formulas: &str, rule: &str) -> String {
    let refused = checked(program, statement, formulas).expect_err("it is no proof");
    let name = match refused.rule {
        Rule::Start => "start",
        Rule::Enter(_) => "enter",
        Rule::Step(_) => "step",
        Rule::Return(_) => "return",
        Rule::Target => "target",
        Rule::Measure(_) => "measure",
        Rule::Nested(_) => "nested",
    };
    assert_eq!(name, rule, "{refused:?}");
    refused.reason.to_string()
}

const UNREACHABLE: &str = "unreachable reach_error;";

const LOOP: &str = "int main(void) { int i = 0; int n = nondet(); while (i < n) i = i + 1; if (n > 0 && i != n) reach_error(); }";

#[test]
fn a_loop_is_proved_by_its_invariant() {
    accepts(LOOP, UNREACHABLE, "main @entry: true; main @2: n < 0 || i <= n; main @exit: true;");
    let reason = refuses(LOOP, UNREACHABLE, "main @entry: true; main @2: i <= 7; main @exit: true;", "step");
    assert!(reason.starts_with("it does not hold, for example with i = 7"), "{reason}");
    refuses(LOOP, UNREACHABLE, "main @2: true; main @exit: true;", "start");
    refuses(LOOP, UNREACHABLE, "main @entry: true; main @exit: true;", "step");
    refuses(LOOP, UNREACHABLE, "main @entry: true; main @2: true; main @exit: true;", "step");
    let anywhere = "main @entry: true; main @2: true; main @5: n > 0 && i != n; main @exit: true;";
    refuses(LOOP, UNREACHABLE, anywhere, "target");
}

const SUM: &str = "int g; int sum(int n) { g = g + 1; if (n <= 0) return 0; int r = sum(n - 1); return r + 1; }
    int main(void) { int n = nondet(); if (n < 1) return 0; g = 5; int s = sum(n); if (s < n || g < 6) reach_error(); }";

const SUMMARY: &str =
    "main @entry: true; main @4: n >= 1 && g == 5; main @5: s >= n && g >= 6; main @exit: true;
    sum @entry: g == g$0; sum @3: g == g$0 + 1 && n > 0; sum @4: r >= n - 1 && r >= 0 && g > g$0; sum @exit: $ret >= n && $ret >= 0 && g > g$0;";

#[test]
fn a_recursive_function_is_proved_by_its_summary() {
    accepts(SUM, UNREACHABLE, SUMMARY);
    let with = |old: &str, new: &str| {
        assert!(SUMMARY.contains(old), "{old}");
        SUMMARY.replace(old, new)
    };
    refuses(SUM, UNREACHABLE, &with("sum @exit: $ret >= n &&", "sum @exit:"), "return");
    refuses(SUM, UNREACHABLE, &with("sum @entry: g == g$0", "sum @entry: g == g$0 && n > 0"), "enter");
    refuses(SUM, UNREACHABLE, &with("g == 5", "g == 6"), "step");
    refuses(SUM, UNREACHABLE, &with("g > g$0", "g > 5"), "step");
}

/// What the callee's other variables hold at its exit is nothing that its caller knows.
#[test]
fn what_a_function_changes_is_not_what_it_was_started_with() {
    let program = "int f(int n) { int k = 3; n = n + k; return n; }
        int main(void) { int x = nondet(); int y = f(x); if (y == x) reach_error(); }";
    let main = "main @entry: true; main @1: true; main @2: y == x + 3; main @exit: true;";
    accepts(program, UNREACHABLE, &format!("{main} f @entry: n == n$0; f @exit: $ret == n$0 + 3;"));
    // At the exit `n` is no more what was passed, and `k` is not 0 as at the entry.
    refuses(program, UNREACHABLE, &format!("{main} f @entry: n == n$0; f @exit: $ret == n;"), "return");
    let zero = main.replace("y == x + 3", "y == x");
    refuses(program, UNREACHABLE, &format!("{zero} f @entry: n == n$0; f @exit: $ret == n$0 + k;"), "return");
}

#[test]
fn a_main_that_is_called_is_a_function_like_others() {
    let program = "int g; int main(void) { if (g == 0) { g = 1; main(); if (g == 2) reach_error(); } g = 2; return 0; }";
    let old = "main @entry: g == g$0; main @2: g == 1; main @3: g == 1; main @exit: g == 1 || g == 2;";
    refuses(program, UNREACHABLE, old, "return");
}

/// Everything is possible but at ends, and nothing there.
fn everywhere(program: &Program) -> Claim {
    let subject = subject(program, &Statement::Endless(Vec::new()));
    let mut claim = Claim::nowhere(Statement::Endless(Vec::new()), &subject);
    for (function, formulas) in subject.program.functions.iter().zip(&mut claim.formulas) {
        for (node, formula) in function.nodes.iter().zip(formulas) {
            *formula = integers::Expr::truth(node.role == integers::Role::Plain);
        }
    }
    claim
}

const ENDLESS: &str = "endless;";

#[test]
fn a_run_without_end_is_one_that_reaches_no_end() {
    let program = "int main(void) { int x = nondet(); while (x > 0) x = x + 1; return 0; }";
    accepts(program, "endless; input 0 = 1;", "main @entry: true; main @1: x > 0;");
    let ended = "main @entry: true; main @1: true; main @exit: true;";
    refuses(program, "endless; input 0 = 1;", ended, "target");
    refuses(program, "endless; input 0 = 0;", "main @entry: true; main @1: x > 0;", "step");
    refuses(program, ENDLESS, "main @entry: true; main @1: x > 0;", "step");
    // Something that does not fit into the type of the input is nothing that the environment can choose.
    let reason =
        refuses(program, "endless; input 0 = 99999999999;", "main @entry: true; main @1: x > 0;", "start");
    assert_eq!(reason, "99999999999 is none of the numbers of input 0, of type int32");
    refuses(program, "endless; input 1 = 5;", "main @entry: true; main @1: x > 0;", "start");
    refuses(program, "endless; input 0 = 1; input 0 = 1;", "main @entry: true; main @1: x > 0;", "start");
}

#[test]
fn a_run_that_stops_in_whatever_way_has_an_end() {
    for body in [
        "while (1) { x = x + 1; if (x > 5) abort(); }",
        "while (1) { x = x + 1; __VERIFIER_assume(x < 5); }",
        "while (1) { x = x + 1; y = 10 / (7 - x); }",
        "while (1) { x = x + 1; if (10 / (7 - x) == 3) y = 1; }",
        "while (1) { x = x + 1; f(10 / (7 - x)); }",
        "while (1) { x = x + 1; if (x > 5) reach_error(); }",
        "while (x < 9) { x = x + 1; }",
        "while (1) { x = x + 1; y = 10 % (x - 9); }",
    ] {
        let text = format!(
            "void __VERIFIER_assume(int); int f(int a) {{ return a; }} int main(void) {{ int x = 0; int y = 0; {body} return 0; }}"
        );
        let (program, _) = translate(&text);
        let refused = solved(&program, &everywhere(&program)).expect_err(body);
        assert!(matches!(refused.reason, Reason::Fails(_)), "{body}: {refused:?}");
    }
}

#[test]
fn runs_without_end_go_through_calls() {
    let recursion = "int f(int n) { return f(n + 1); } int main(void) { f(0); return 0; }";
    accepts(recursion, ENDLESS, "main @entry: true; f @entry: true;");
    let main = "int g; int main(void) { g = g + 1; main(); return 0; }";
    accepts(main, ENDLESS, "$run @entry: true; main @entry: true; main @1: true;");
    let ends = "int g; int main(void) { g = g + 1; if (g < 3) main(); return 0; }";
    let all = "$run @entry: true; main @entry: true; main @2: true; main @3: true; main @exit: true; ";
    refuses(ends, ENDLESS, all, "return");
}

#[test]
fn what_is_not_known_must_not_matter() {
    let program = "double d; int main(void) { int x = nondet() + (int)d; while (x != 3) { } return 0; }";
    refuses(program, "endless; input 0 = 1;", "main @entry: true; main @1: true; main @2: x != 3;", "step");
    let other =
        "double d; int main(void) { int x = nondet() + (int)d; while (1) { if (x) x = 0; } return 0; }";
    let (program, _) = translate(other);
    assert!(!program.unknowns.is_empty());
    assert_eq!(solved(&program, &everywhere(&program)), Ok(()));
}

#[test]
fn what_the_solver_does_not_know_is_not_confirmed() {
    let (program, _) = translate(LOOP);
    let good = claim(&program, UNREACHABLE, "main @entry: true; main @2: n < 0 || i <= n; main @exit: true;");
    let reason =
        |solver: &mut Recorded| check(&program, &good, solver).expect_err("nobody confirmed it").reason;
    let mut forgetful = Recorded::default();
    assert_eq!(reason(&mut forgetful).to_string(), "not confirmed: the SMT solver does not know");
    let failed = Why::Failed("it is gone".to_owned());
    let answers = [Answer::Unsat, Answer::Unknown(failed.clone())].into();
    let mut failing = Recorded { answers, ..Recorded::default() };
    assert_eq!(reason(&mut failing), Reason::NotConfirmed(failed));
    let mut sure = Recorded { answers: vec![Answer::Unsat; 100].into(), ..Recorded::default() };
    let figures = check(&program, &good, &mut sure).expect("everything is confirmed");
    assert!(figures.n_queries == sure.asked.len() && figures.n_rules >= figures.n_queries, "{figures:?}");
}

#[test]
fn a_claim_of_another_program_is_refused() {
    let (program, _) = translate(LOOP);
    let (other, _) = translate(SUM);
    let foreign = claim(&other, UNREACHABLE, SUMMARY);
    let refused = check(&program, &foreign, &mut Recorded::default()).expect_err("it has other functions");
    assert_eq!(refused.reason, Reason::Malformed("it is about other functions".to_owned()));
    let mut strange = claim(&program, UNREACHABLE, "");
    strange.formulas[0][0] = integers::Expr::read(integers::Place::Local(99)).is_nonzero();
    assert!(matches!(
        check(&program, &strange, &mut Recorded::default()),
        Err(Refused { reason: Reason::Malformed(_), .. })
    ));
}

const TERMINATING: &str = "terminating;";

const DOWN: &str = "int main(void) { int x = nondet(); int y = nondet(); if (y <= 0) return 0; while (x > 0) x = x - y; return 0; }";

#[test]
fn a_loop_ends_if_something_decreases() {
    let down = |rest: &str| format!("main @entry: true; main @exit: true; main @4: {rest}");
    accepts(DOWN, TERMINATING, &down("y > 0; main decreases x on 2;"));
    let reason = refuses(DOWN, TERMINATING, &down("true; main decreases x on 2;"), "measure");
    assert!(reason.starts_with("it does not hold, for example with x = "), "{reason}");
    // It decreases, but it is not bounded; it is bounded, but it does not decrease; it is not there.
    refuses(DOWN, TERMINATING, &down("y > 0; main decreases x - 2 on 2;"), "measure");
    refuses(DOWN, TERMINATING, &down("y > 0; main decreases y on 2;"), "measure");
    assert_eq!(refuses(DOWN, TERMINATING, &down("y > 0;"), "measure"), "nothing decreases on a cycle");
    // An edge that is on no cycle needs no measure, and gets none.
    refuses(DOWN, TERMINATING, &down("y > 0; main decreases x on 1, 3;"), "measure");
    accepts(DOWN, TERMINATING, &down("y > 0; main decreases x on 1, 2, 3;"));
    refuses(DOWN, TERMINATING, &down("y > 0; main decreases 10 / x on 2;"), "start");
    // What holds where is to be right as well.
    refuses(DOWN, TERMINATING, &down("y > 1; main decreases x on 2;"), "step");
    refuses(DOWN, TERMINATING, "main @entry: true; main @exit: true;", "step");
}

const NESTED: &str = "int main(void) { int i = nondet(); int j = 0;
    while (i > 0) { j = nondet(); while (j > 0) j = j - 1; i = i - 1; } return 0; }";

#[test]
fn what_decreases_first_may_be_forgotten_behind() {
    let (program, _) = translate(NESTED);
    let subject = subject(&program, &Statement::Terminating(Vec::new()));
    let function = &subject.program.functions[0];
    let inner = function.edges.iter().position(|edge| edge.from == edge.to).expect("the inner loop");
    let node = function.edges[inner].from.0;
    let outer: Vec<usize> = (0..function.edges.len())
        .filter(|&n| n != inner && function.edges[n].from.0 == node && function.edges[n].to != function.exit)
        .collect();
    let [outer] = outer[..] else { panic!("{}", integers::show(&subject.program)) };
    let head = function.edges[outer].to.0;
    let points = format!("main @entry: true; main @exit: true; main @{head}: true; main @{node}: i > 0;");
    let on = |term: &str, edge: usize| format!("main decreases {term} on {edge};");
    accepts(NESTED, TERMINATING, &format!("{points} {} {}", on("i", outer), on("j", inner)));
    // The outer loop makes `j` greater, so that it does not come first.
    refuses(NESTED, TERMINATING, &format!("{points} {} {}", on("j", inner), on("i", outer)), "measure");
    refuses(NESTED, TERMINATING, &format!("{points} {}", on("i", outer)), "measure");
}

const EVEN: &str = "int odd(int n); int even(int n) { if (n <= 0) return 1; return odd(n - 1); }
    int odd(int n) { if (n <= 0) return 0; return even(n); } int main(void) { even(nondet()); return 0; }";

#[test]
fn calls_inside_calls_end_if_what_they_are_started_with_decreases() {
    let (program, _) = translate(EVEN);
    let subject = subject(&program, &Statement::Terminating(Vec::new()));
    let call = |name: &str| {
        let function = subject.program.functions.iter().find(|function| function.name == name).expect(name);
        let is_call = |edge: &integers::Edge| matches!(edge.action, integers::Action::Call { .. });
        let n = function.edges.iter().position(is_call).expect("a call");
        (n, function.point(function.edges[n].from), function.point(function.edges[n].to))
    };
    let mut points = String::new();
    for (name, before) in [("even", "n > 0"), ("odd", "n > 0"), ("main", "true")] {
        let (_, from, to) = call(name);
        points += &format!("{name} @entry: true; {name} @exit: true; {name} @{from}: {before}; ");
        if to != "exit" {
            points += &format!("{name} @{to}: true; ");
        }
    }
    let (even, odd) = (call("even").0, call("odd").0);
    accepts(EVEN, TERMINATING, &format!("{points} calls decrease even: n, odd: n on even {even};"));
    accepts(
        EVEN,
        TERMINATING,
        &format!("{points} calls decrease even: 2 * n, odd: 2 * n + 1 on even {even}, odd {odd};"),
    );
    refuses(EVEN, TERMINATING, &format!("{points} calls decrease even: n, odd: n on odd {odd};"), "nested");
    refuses(EVEN, TERMINATING, &format!("{points} calls decrease even: n on even {even};"), "start");
    assert_eq!(refuses(EVEN, TERMINATING, &points, "nested"), "nothing decreases on a cycle");
    let anything = points.replace("n > 0", "true");
    refuses(
        EVEN,
        TERMINATING,
        &format!("{anything} calls decrease even: n, odd: n on even {even};"),
        "nested",
    );
}

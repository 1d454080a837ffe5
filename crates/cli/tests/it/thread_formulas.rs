//! Formula files about programs with threads: labels, verdicts, bounds, reductions.

use crate::harness::Sandbox;
use crate::harness::formula::{check, example, says, shipped};

/// The formula for contexts, asked for a label or with another verdict.
fn contexts(note: &str, exact: &str, query: &str) -> String {
    let text = shipped("bounded_contexts");
    let (head, _) = text.split_once("#exact;").expect("the file is exact");
    format!("{head}{note}\n{exact}\n#contexts c, t, T, G;\n{query}")
}

#[test]
fn labels_and_verdicts_in_programs_with_threads() {
    let program = example("bluetooth.bp");
    let binders = "exists Context c, Thread t, Context e, State u, State v, Global G[k + 1], Turn T[k + 1].";
    let reach = "Reach(t, e, c, u, v, G, T)";
    let at = format!("{binders} {reach} & A(t, v);");
    let label = ["--label", "A=ERROR"];
    let with = |k: &'static str| [&["-k", k][..], &label].concat();
    let violated = contexts("#label A;\n#verdict violated \"an error\";", "", &at);
    says(&program, &violated, &with("3"), 10, &["VIOLATED within 3 context switches", "an error"]);
    says(&program, &violated, &with("2"), 0, &["HOLDS within 2 context switches", "no run: an error"]);
    let holds =
        contexts("#label A;\n#verdict holds \"an error\";", "", &format!("!({});", at.trim_end_matches(';')));
    let holds = holds.replace("#contexts c, t, T, G;", "");
    says(&program, &holds, &with("3"), 10, &["VIOLATED within 3 context switches", "an error"]);
    says(&program, &holds, &with("2"), 0, &["HOLDS within 2 context switches", "no run: an error"]);
    let reachable = contexts("#label A;\n#verdict reachable;", "#exact;", &at);
    says(
        &program,
        &reachable,
        &[&with("3")[..], &["--trace", "none"]].concat(),
        10,
        &["REACHABLE within 3 context switches"],
    );
    let outcome = says(&program, &reachable, &with("3"), 10, &["REACHABLE within 3 context switches"]);
    assert!(outcome.stderr.contains("in programs with threads runs lead to targets"), "{outcome:?}");
    says(&program, &reachable, &with("2"), 0, &["UNREACHABLE within 2 context switches"]);
    let unclaimed = contexts("#label A;\n#verdict reachable;", "", &at);
    says(
        &program,
        &unclaimed,
        &with("3"),
        5,
        &["UNKNOWN: the formula says reachable, which is not confirmed: no run was found"],
    );
    // Beside a target a label restricts, and the run is one to the target.
    let both = contexts(
        "#label A;\n#verdict reachable;",
        "",
        &format!("{binders} {reach} & A(t, v) & Target(t, v);"),
    );
    let outcome = says(&program, &both, &with("3"), 10, &["REACHABLE within 3 context switches"]);
    assert!(outcome.stdout.contains("ERROR reached"), "{outcome:?}");
    let elsewhere = [&["-k", "3", "--label"][..], &["A=stopper.main:ERROR"]].concat();
    let outcome = check(&program, &both, &elsewhere);
    assert!(outcome.code == 2 && outcome.stderr.contains("there is no label"), "{outcome:?}");
}

#[test]
fn reductions_of_programs_with_threads_may_be_left_out() {
    let program = example("bluetooth.bp");
    let text = shipped("bounded_contexts");
    let first = ["REACHABLE within 3 context switches", "21 steps, 3 context switches"];
    says(&program, &format!("#without all;\n{text}"), &["-k", "3"], 10, &first);
    let outcome = check(&program, &format!("#without nothing;\n{text}"), &["-k", "3"]);
    assert!(outcome.code == 2 && outcome.stderr.contains("--> f.mu:1:10"), "{outcome:?}");
}

/// Those of a loaded file are its own business, and in programs with threads they are answered within the bound.
#[test]
fn questions_of_loaded_files_are_not_answered() {
    let sandbox = Sandbox::new();
    sandbox.file("p.bp", example("peterson.bp"));
    let query = "exists Context c, Thread t, Context e, State u, State v, Global G[k + 1], Turn T[k + 1].
                   Reach(t, e, c, u, v, G, T) & Target(t, v);";
    let text = format!(
        "#load \"bounded_contexts.mu\";\nexists Thread t. Star(t);\n#exact;\n#contexts c, t, T, G;\n{query}"
    );
    sandbox.file("f.mu", text);
    let outcome = sandbox.run(&["check", "p.bp", "-k", "2", "-a", "f.mu", "--without", "every-bound"]);
    let expected =
        "UNREACHABLE within 2 context switches\nno run within 2 context switches reaches ERROR\nfalse\n";
    assert_eq!((outcome.code, outcome.stdout.as_str()), (0, expected), "{outcome:?}");
    let outcome = sandbox.run(&["check", "p.bp", "-k", "2", "-a", "f.mu"]);
    assert!(outcome.stdout.ends_with("\nfalse\n"), "{outcome:?}");
}

/// What a file of the user counts, it says itself: it is refused as an algorithm that comes with the program is.
#[test]
fn a_bound_of_another_kind_is_refused() {
    let inlined = "#param k = 1; #bound k rounds; exists Thread t, State v. Target(t, v);";
    let outcome = check(&example("bluetooth.bp"), inlined, &["-k", "2"]);
    let message = "error: `f.mu` counts rounds, which `--rounds` bounds; use bounded_contexts\n";
    assert_eq!((outcome.code, outcome.stderr.as_str()), (2, message));
    let outcome = check(&example("bluetooth.bp"), &inlined.replace("rounds", "switches"), &["--rounds", "2"]);
    let message = "error: `f.mu` counts context switches, which `-k` bounds; use rounds\n";
    assert_eq!((outcome.code, outcome.stderr.as_str()), (2, message));
    let outcome = check("void main() begin W: skip; end", inlined, &["-t", "W"]);
    assert!(outcome.code == 2 && outcome.stderr.contains("`f.mu` is for concurrent programs"), "{outcome:?}");
}

/// A thread that blocks is seen with all reductions and with none.
#[test]
fn a_question_about_threads_sees_runs_that_block() {
    let program = "decl x; init !x;
        thread p begin void main() begin if (*) then skip; assume(x); fi; END: skip; end end";
    let formula = "#param k = 0;
        mu bool Alone(Thread t, State u, State v)
            (Start(t, u) & Init(u.G) & u = v)
          | (exists State x. Alone(t, u, x) & ProgramInt(x, v));
        #verdict violated \"a thread is stuck\";
        exists Thread t, State u, State v. Alone(t, u, v) & !Exit(v) & (forall State w. !ProgramInt(v, w));";
    for without in [&[][..], &["--without", "straight-lines"], &["--without", "all"]] {
        let lines = ["VIOLATED within 0 context switches", "a thread is stuck"];
        says(program, formula, &[&["-k", "0"], without].concat(), 10, &lines);
        let free = program.replace("assume(x);", "");
        let lines = ["HOLDS within 0 context switches", "no run: a thread is stuck"];
        says(&free, formula, &[&["-k", "0"], without].concat(), 0, &lines);
    }
}

/// A label of one copy of a thread is not one of the other copies, also where copies would take turns in order.
#[test]
fn a_label_may_name_a_copy() {
    let program = "decl x; init !x;
        thread p[2] begin void main() begin A: x := T; B: skip; end end";
    let binders = "exists Context c, Thread t, Context e, State u, State v, Global G[k + 1], Turn T[k + 1].";
    let formula = contexts(
        "#label L;\n#verdict reachable;",
        "#exact;",
        &format!("{binders} Reach(t, e, c, u, v, G, T) & L(t, v);"),
    );
    for copy in ["0", "1"] {
        let label = format!("L=p[{copy}].main:B");
        let options = ["-k", "0", "--trace", "none", "--label", &label];
        says(program, &formula, &options, 10, &["REACHABLE within 0 context switches"]);
    }
}

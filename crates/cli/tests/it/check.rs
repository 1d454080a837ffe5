//! `getafix check`: verdicts, targets, traces, algorithms and engines.

use crate::harness::program::{check, prints, refuses};
use crate::harness::{Sandbox, root, run};

/// Two labels, one of which is reachable, one in dead code.
const LABELS: &str = "decl x;
void main() begin
  x := T;
  if (!x) then L: skip; fi;
  M: x := F;
  return;
  N: skip;
end
";

/// A program without anything to ask for by default.
const NOTHING: &str = "void main() begin L: skip; end";

#[test]
fn an_assertion_that_holds_is_unreachable() {
    prints(&[], "void main() begin assert(T); end", 0, "UNREACHABLE\nno assertion can fail\n");
}

#[test]
fn a_trace_ends_in_the_assertion_that_fails() {
    let program = "decl x;\nvoid main()\nbegin\n  x := *;\n  assert(x);\nend\n";
    let expected = "REACHABLE
1 step

step  line  statement  effect
   1     4  x := *     x = F
         5  assert(x)  assertion fails
            (finally)  x = F
";
    prints(&[], program, 10, expected);
}

#[test]
fn a_trace_shows_calls_with_arguments_and_results() {
    let program = "decl g;
<bool, int<2>> f(a, n : int<2>) begin
  decl l;
  g := l;
  return !a, n + 1;
end
void main() begin
  decl x, y : int<2>;
  x, y := f(g, 2);
  if (x & y = 3 & g) then
    ERROR: skip;
  fi
end
";
    let expected = "REACHABLE
4 steps

step  line  statement           effect
            (initially)         g = F
   1     9  x, y := f(g, 2)     f(a = F, n = 2), l = T
   2     4    g := l            g = T
   3     5    return !a, n + 1  back in main: x = T, y = 3
   4    10  if x & y = 3 & g    T
        11  skip                ERROR reached
            (finally)           g = T, x = T, y = 3
";
    prints(&[], program, 10, expected);
}

#[test]
fn a_trace_tells_what_was_chosen() {
    let program = "decl x, y;
void main() begin
  x := T;
  goto A, B;
  A: assume(F);
  B: y := x & *;
  if (*) then assert(!y); fi
end
";
    let expected = "REACHABLE
4 steps

step  line  statement   effect
   1     3  x := T      x = T
   2     4  goto A, B   to B
   3     6  y := x & *  y = T [* = T]
   4     7  if *        T, chosen
         7  assert(!y)  assertion fails
            (finally)   x = T, y = T
";
    prints(&[], program, 10, expected);
}

#[test]
fn a_run_that_occurs_twice_is_told_once() {
    let program = "decl g;
void f() begin g := T; g := T; end
void main() begin
  g := T;
  f(); f();
  assert(F);
end
";
    let expected = "REACHABLE
9 steps

step  line  statement         effect
   1     4  g := T            g = T
   2     5  f()               f()
   3     2    g := T          g = T
   4     2    g := T          g = T
   5     2    end             back in main
   6     5  f()               f()
   9          … as steps 3–5  back in main
         6  assert(F)         assertion fails
            (finally)         g = T
";
    prints(&["--without", "all"], program, 10, expected);
    prints(&["--engine", "twin"], program, 10, expected);
}

#[test]
fn a_trace_of_very_many_steps_is_short() {
    let mut program = "decl g;\nvoid f0() begin g := T; end\n".to_owned();
    for n in 1..=100 {
        program.push_str(&format!("void f{n}() begin f{0}(); f{0}(); end\n", n - 1));
    }
    program.push_str("void main() begin g := T; f100(); assert(!g); end\n");
    let outcome = check(&["--without", "all"], &program);
    assert_eq!(outcome.code, 10, "{}", outcome.stderr);
    assert!(outcome.stdout.lines().count() < 1000, "{}", outcome.stdout);
    assert!(outcome.stdout.contains("\n6338253001141147007483516026879 steps\n"), "{}", outcome.stdout);
    let source = check(&["--without", "all", "--trace", "source"], &program);
    assert!(source.stdout.contains("  103  2535301200456458802993406410752"), "{}", source.stdout);
}

#[test]
fn deep_recursion_is_indented_up_to_a_limit() {
    let program = "void f(n : int<6>) begin if (n = 0) then ERROR: skip; fi; f(n - 1); end
void main() begin f(63); end
";
    let outcome = check(&[], program);
    assert!(outcome.stdout.contains("                        (64) skip"), "{}", outcome.stdout);
}

#[test]
fn the_source_form_marks_what_is_executed() {
    let program =
        "decl x;\nvoid main() begin\n  x := F;\n  while (!x) do\n    x := *;\n  od\n  ERROR: skip;\nend\n";
    let expected = "REACHABLE
first  times
                      | 1  decl x;
                      | 2  void main() begin
    1      1          | 3    x := F;
    2      2          | 4    while (!x) do
    3      1          | 5      x := *;
                      | 6    od
              reached | 7    ERROR: skip;
                      | 8  end
finally: x = T
";
    prints(&["--trace", "source", "--shortest"], program, 10, expected);
}

#[test]
fn a_trace_can_be_left_out() {
    prints(&["--trace", "none"], "void main() begin assert(F); end", 10, "REACHABLE\n");
}

#[test]
fn a_shortest_trace_is_as_short_as_that_of_the_twin() {
    let program = "decl g, h;
bool f(a) begin
  decl l;
  if (a & l) then g := !a; elsif (*) then skip; skip; fi;
  while (g) do goto A, B; A: skip; B: g := F; od
  return l;
end
void main() begin
  h := f(h);
  if (*) then h := f(h); fi;
  ERROR: skip;
end
";
    let steps = |options: &[&str]| {
        let outcome = check(options, program);
        assert_eq!(outcome.code, 10, "{options:?}: {outcome:?}");
        outcome.stdout.lines().nth(1).map(str::to_owned)
    };
    assert_eq!(steps(&["--shortest"]), Some("6 steps".to_owned()));
    assert_eq!(steps(&["--shortest", "-a", "summary"]), Some("6 steps".to_owned()));
    assert_eq!(steps(&["--engine", "twin"]), Some("6 steps".to_owned()));
}

#[test]
fn several_targets_are_answered_in_one_run() {
    let expected = "REACHABLE\nL: unreachable\nmain:M: reachable\n";
    for engine in ["symbolic", "twin", "compare"] {
        let options = ["--target", "L", "-t", "main:M", "--trace", "none", "--engine", engine];
        prints(&options, LABELS, 10, expected);
    }
    prints(&["-t", "L", "-t", "N"], LABELS, 0, "UNREACHABLE\nL: unreachable\nN: unreachable\n");
}

#[test]
fn a_target_in_dead_code_is_said_to_be_so() {
    let outcome = prints(&["-t", "L", "-t", "N"], LABELS, 0, "UNREACHABLE\nL: unreachable\nN: unreachable\n");
    assert!(outcome.stderr.contains("note: `N` is in dead code"), "{}", outcome.stderr);
    assert!(!outcome.stderr.contains("`L`"), "{}", outcome.stderr);
}

#[test]
fn asking_for_assertions_where_there_are_none_is_no_error() {
    let outcome = prints(&["-t", "assert"], NOTHING, 0, "UNREACHABLE\nno assertion can fail\n");
    assert!(outcome.stderr.contains("the program has no assertion"), "{}", outcome.stderr);
    prints(
        &["-t", "assert", "--engine", "compare", "-q"],
        NOTHING,
        0,
        "UNREACHABLE\nno assertion can fail\n",
    );
}

#[test]
fn targets_that_do_not_exist_are_errors() {
    refuses(&["-t", "K"], LABELS, &["there is no label `K`", "`L`", "`M`", "`N`"]);
    refuses(&["-t", "man:M"], LABELS, &["there is no label `man:M`", "`main:M`"]);
    refuses(&["-t", "p.main:M"], LABELS, &["names a thread"]);
    refuses(&["-t", "p[1].main:M"], LABELS, &["names a thread"]);
    refuses(&[], NOTHING, &["nothing to check", "--target"]);
}

#[test]
fn every_way_to_ask_gives_the_same_verdict() {
    for algorithm in
        ["hybrid", "summary", "entry_forward", "entry_forward_split", "entry_forward_opt", "exit_backward"]
    {
        for options in [&[][..], &["--no-explicit"], &["--without", "all"], &["--without", "cone,dead-code"]]
        {
            let options = [&["-a", algorithm, "--trace", "text"], options].concat();
            let path = "examples/recursion.bp";
            let outcome = run(root(), &[&["check", path], &options[..]].concat(), "");
            assert_eq!(outcome.code, 10, "{options:?}: {outcome:?}");
            assert!(outcome.stdout.contains("assertion fails"), "{options:?}: {outcome:?}");
            let outcome = run(root(), &[&["check", "examples/safe_lock.bp"], &options[..]].concat(), "");
            assert_eq!(outcome.code, 0, "{options:?}: {outcome:?}");
        }
    }
}

#[test]
fn a_formula_of_the_user_may_be_an_algorithm() {
    let sandbox = Sandbox::new();
    let own = run(root(), &["algorithms", "--print", "summary"], "").stdout;
    sandbox.file("own.mu", own).file("a.bp", LABELS);
    let outcome = sandbox.run(&["check", "a.bp", "-t", "M", "-a", "own.mu"]);
    assert_eq!(outcome.code, 10, "{outcome:?}");
    let outcome = sandbox.run(&["check", "a.bp", "-t", "L", "-a", "own.mu"]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""), "{outcome:?}");
}

#[test]
fn a_formula_that_is_wrong_is_not_believed() {
    let sandbox = Sandbox::new();
    sandbox.file("anything.mu", "exists State u. Target(u);\n").file("a.bp", LABELS);
    for trace in ["text", "none"] {
        let outcome = sandbox.run(&["check", "a.bp", "-t", "L", "-a", "anything.mu", "--trace", trace]);
        assert_eq!(outcome.code, 5, "{outcome:?}");
        assert!(outcome.stdout.starts_with("UNKNOWN: the formula says reachable, but"), "{outcome:?}");
    }
}

#[test]
fn mistakes_in_a_formula_point_into_its_file() {
    let sandbox = Sandbox::new();
    sandbox.file("bad.mu", "mu bool R(State u)\n  Inti(u);\nexists State u. R(u);\n").file("a.bp", LABELS);
    let outcome = sandbox.run(&["check", "a.bp", "-t", "L", "-a", "bad.mu"]);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{outcome:?}");
    assert!(outcome.stderr.contains("bad.mu:2:3"), "{outcome:?}");
    sandbox.file("mute.mu", "bool R(State u) Init(u);\n");
    let outcome = sandbox.run(&["check", "a.bp", "-t", "L", "-a", "mute.mu"]);
    assert_eq!(outcome.code, 2, "{outcome:?}");
    assert!(outcome.stderr.contains("`mute.mu` asks nothing"), "{outcome:?}");
}

#[test]
fn options_that_make_no_sense_are_errors() {
    refuses(&["-a", "sumary"], LABELS, &["there is no algorithm `sumary`", "summary"]);
    refuses(&["-a", "missing.mu"], LABELS, &["`missing.mu` does not exist"]);
    refuses(&["--without", "everything"], LABELS, &["`everything` is no reduction", "symmetry"]);
    refuses(&["--engine", "twin", "-a", "summary"], LABELS, &["`--algorithm`"]);
    refuses(&["--engine", "nobody"], LABELS, &["nobody"]);
    refuses(&["--trace", "drawn"], LABELS, &["drawn"]);
    refuses(&["--show", "nothing"], LABELS, &["nothing"]);
}

#[test]
fn every_stage_can_be_shown() {
    for (stage, word) in [
        ("ast", "  M: x := F;\n"),
        ("rsm", "module main(), main"),
        ("dot", "digraph rsm {"),
        ("reduced", "main: touched {x}"),
        ("relations", "bool ProgramInt("),
        ("formula", "mu bool Summary(State u, State v)"),
        ("plan", "least fixed point"),
        ("order", "0 "),
    ] {
        let outcome = check(&["--show", stage, "-t", "L"], LABELS);
        assert_eq!(outcome.code, 0, "{stage}: {outcome:?}");
        assert!(outcome.stdout.contains(word), "{stage}: {outcome:?}");
    }
    assert_eq!(check(&["--show", "ast"], "thread p begin void main() begin end end").code, 0);
}

//! Programs in C that use memory rightly and wrongly: the verdict is what a compiler with sanitizers says, in words for each kind of error.

use crate::harness::{Outcome, Sandbox};
use serde_json::Value;
use std::process::Command;
use testing::{Counts, Folder};

const DECLARATIONS: &str = "void *malloc(unsigned long); void free(void *); void reach_error(void);\n";

/// What each program does wrong, if anything, and the program; `CASE` is `main`, and the beginning of names.
const CASES: &[(Option<&str>, &str)] = &[
    (
        None,
        "int CASE(void) { int a[3] = {1, 2, 3}, s = 0; for (int i = 0; i < 3; i++) s += a[i]; return s - 6; }",
    ),
    (
        None,
        "int CASE(void) { int a[3]; int *end = a + 3, *p = a; while (p < end) *p++ = 7; return end - a - 3; }",
    ),
    (
        None,
        "struct CASE_n { int v; struct CASE_n *next; };
int CASE(void) {
  struct CASE_n *l = 0;
  for (int i = 0; i < 4; i++) { struct CASE_n *n = malloc(sizeof *n); n->v = i; n->next = l; l = n; }
  while (l) { struct CASE_n *n = l->next; free(l); l = n; }
  return 0; }",
    ),
    (
        None,
        "static void CASE_swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
int CASE(void) { int x = 1, y = 2; CASE_swap(&x, &y); free(0); return x - 2; }",
    ),
    (
        Some("an access is outside its object"),
        "int CASE(void) { int n = 3; int a[3] = {0}; a[n] = 1; return 0; }",
    ),
    (
        Some("an access is outside its object"),
        "int CASE(void) { int a[3] = {0}; int *p = a; p += 3; return *p; }",
    ),
    (
        Some("an access is outside its object"),
        "int CASE(void) { int *p = malloc(2 * sizeof(int)); p[0] = p[1] = 0; int x = p[2]; free(p); return x; }",
    ),
    (
        Some("an access is outside its object"),
        "struct CASE_s { int b[2]; int after[2]; }; static struct CASE_s CASE_g;
static int CASE_at(struct CASE_s *s, int i) { return s->b[i]; }
int CASE(void) { return CASE_at(&CASE_g, 0) + CASE_at(&CASE_g, 2); }",
    ),
    (Some("a null pointer is followed"), "static int *CASE_p; int CASE(void) { return *CASE_p; }"),
    (
        Some("a null pointer is followed"),
        "struct CASE_n { int v; struct CASE_n *next; };
int CASE(void) { struct CASE_n a = {1, 0}; return a.next->v; }",
    ),
    (
        Some("an object is used that is no longer there"),
        "int CASE(void) { int *p = malloc(sizeof *p); *p = 1; free(p); return *p; }",
    ),
    (
        Some("an object is used that is no longer there"),
        "int CASE(void) { int *p = 0; { int x = 3; p = &x; } return *p; }",
    ),
    (
        Some("an object is used that is no longer there"),
        "static int *CASE_keep; static void CASE_f(int x) { int y[2] = {x, x}; CASE_keep = y; }
int CASE(void) { CASE_f(2); return CASE_keep[0]; }",
    ),
    (
        Some("an object is freed twice"),
        "int CASE(void) { int *p = malloc(sizeof *p), *q = p; free(p); free(q); return 0; }",
    ),
    (
        Some("something is freed that was not allocated"),
        "int CASE(void) { int *p = malloc(4 * sizeof *p); free(p + 1); return 0; }",
    ),
    (
        Some("something is freed that was not allocated"),
        "static int CASE_x; int CASE(void) { int *p = &CASE_x; free(p); return 0; }",
    ),
];

fn check(options: &[&str], program: &str) -> Outcome {
    let sandbox = Sandbox::new();
    sandbox.file("p.c", format!("{DECLARATIONS}{program}\n"));
    sandbox.run(&[&["check", "p.c"], options].concat())
}

#[test]
fn errors_are_those_that_sanitizers_find() {
    let mut counts = Counts::default();
    let binary = testing::has_c_compiler().then(compiled);
    for (n, (wrong, text)) in CASES.iter().enumerate() {
        let program = text.replace("CASE", "main");
        let outcome = check(&["--target", "memory"], &program);
        let (first, second) = (outcome.stdout.lines().next(), outcome.stdout.lines().nth(1));
        match wrong {
            None => {
                assert_eq!((outcome.code, first), (0, Some("UNREACHABLE")), "{program}\n{}", outcome.stdout);
                assert_eq!(second, Some("no run misuses memory"), "{program}");
            }
            Some(wrong) => {
                assert_eq!(
                    (outcome.code, first),
                    (10, Some("REACHABLE")),
                    "{program}\n{}{}",
                    outcome.stdout,
                    outcome.stderr
                );
                assert!(second.is_some_and(|line| line.ends_with(wrong)), "{program}\n{}", outcome.stdout);
            }
        }
        counts.count(if wrong.is_some() { "wrong" } else { "right" });
        if let Some((path, _)) = &binary {
            let mut command = Command::new(path);
            command.arg(n.to_string()).env("ASAN_OPTIONS", "detect_stack_use_after_return=1:detect_leaks=0");
            let status = command.output().expect("the program starts").status;
            // What a function returns is no error.
            assert_eq!(status.code() == Some(0), wrong.is_none(), "the sanitizers say otherwise\n{program}");
            counts.count("compared");
        }
    }
    counts.at_least(&[("right", 4), ("wrong", 12)]);
}

/// All programs as one that is told which to run, with sanitizers.
fn compiled() -> (std::path::PathBuf, Folder) {
    let mut file = "#include <stdlib.h>\n".to_owned();
    let mut cases = String::new();
    for (n, (_, text)) in CASES.iter().enumerate() {
        file += &(text.replace("CASE", &format!("case{n}")) + "\n");
        cases += &format!("case {n}: case{n}(); break;\n");
    }
    file +=
        &format!("int main(int argc, char **argv) {{ switch (atoi(argv[1])) {{\n{cases}}}\nreturn 0; }}\n");
    let folder = Folder::temporary();
    let options = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-O0", "-w"];
    (testing::compile_c(folder.path(), &file, &options), folder)
}

const LOST: &str = "int main(void) { int *p = malloc(sizeof *p); p = 0; return 0; }";
const KEPT: &str = "static int *keep; int main(void) { keep = malloc(sizeof *keep); return 0; }";
const FREED: &str = "int main(void) { int *p = malloc(sizeof *p); free(p); return 0; }";

#[test]
fn what_is_left_at_the_end_is_asked_for_by_properties() {
    let answer = |property: &str, program: &str| {
        let outcome = check(&["--property", property], program);
        (outcome.code, outcome.stdout.lines().take(2).map(str::to_owned).collect::<Vec<String>>())
    };
    let said = |lines: [&str; 2]| lines.map(str::to_owned).to_vec();
    let lost = "valid-memtrack: line 2, `malloc(sizeof *p)`: nothing points to an object that was allocated and not freed";
    assert_eq!(answer("valid-memsafety", LOST), (10, said(["REACHABLE", lost])));
    assert_eq!(
        answer("valid-memsafety", KEPT),
        (0, said(["UNREACHABLE", "no run misuses memory or loses it"]))
    );
    assert_eq!(answer("valid-memsafety", FREED).0, 0);
    let left = "valid-memcleanup: line 2, `malloc(sizeof *keep)`: an object is not freed";
    assert_eq!(answer("valid-memcleanup", KEPT), (10, said(["REACHABLE", left])));
    assert_eq!(
        answer("valid-memcleanup", FREED),
        (0, said(["UNREACHABLE", "every run frees what it allocates"]))
    );
}

/// Pointers that are counted with are kept in memory: of these nobody knows where their objects begin.
const DOUBTFUL: &str =
    "int nondet(void); void *calloc(unsigned long, unsigned long); int *t[1000]; int main(void) {
  int n = nondet();
  if (n < 0 || n > 1000) return 0;
  for (int i = 0; i < n; i++) { t[i] = calloc(2, sizeof(int)); t[i][1] = 1; }
  for (int i = 0; i < n; i++) if (t[i][1] > 1) reach_error();
  return 0; }";

#[test]
fn an_answer_depends_on_memory_unless_somebody_says_otherwise() {
    let misused = "int nondet(void); int main(void) {
  int a[3] = {0}; int i = nondet();
  a[i] = 1;
  if (a[0] > 1) reach_error();
  return 0; }";
    let outcome = check(&[], misused);
    let first = outcome.stdout.lines().next().unwrap_or_default();
    assert_eq!(
        (outcome.code, first),
        (5, "UNREACHABLE unless memory is misused"),
        "{}{}",
        outcome.stdout,
        outcome.stderr
    );
    let known = "memory is misused in some run at line 4, `a[i] = 1`: an access is outside its object; `--target memory` shows it";
    assert!(outcome.stdout.contains(known), "{}", outcome.stdout);
    let outcome = check(&["--assume", "defined"], misused);
    assert_eq!((outcome.code, outcome.stdout.lines().next()), (0, Some("UNREACHABLE")), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("as `--assume defined` says"), "{}", outcome.stdout);
    let json: Value = serde_json::from_str(&check(&["--json"], misused).stdout).expect("it is JSON");
    assert_eq!((&json["verdict"], &json["integers"]["misused"]["line"]), (&"unknown".into(), &4.into()));
    let outcome = check(&[], DOUBTFUL);
    assert_eq!(outcome.code, 5, "{}", outcome.stdout);
    let outcome = check(&["--target", "memory", "--target", "reach_error"], misused);
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("`memory` is asked for alone"), "{}", outcome.stderr);
}

#[test]
fn traces_name_objects() {
    let program = "struct node { int v; struct node *next; };
int main(void) {
  int x = 0, *p = &x;
  struct node *l = malloc(sizeof *l);
  l->v = 1;
  l->next = 0;
  *p = l->v + 1;
  free(l);
  if (x == 2) reach_error();
  return 0; }";
    let outcome = check(&["--trace", "text"], program);
    assert_eq!(outcome.code, 10, "{}{}", outcome.stdout, outcome.stderr);
    for part in [
        "p = &x",
        "node 1 = new",
        "l = node 1",
        "node 1.v = 1",
        "node 1.next = null",
        "x = 2",
        "node 1 = freed",
    ] {
        assert!(outcome.stdout.contains(part), "{part} is missing in\n{}", outcome.stdout);
    }
    let json: Value = serde_json::from_str(&check(&["--json"], program).stdout).expect("it is JSON");
    assert_eq!(json["trace"]["objects_at_end"].as_array().map(Vec::len), Some(2), "{json}");
}

/// Large arrays cost what is used of them, and long runs of which there is only one are executed to their end.
#[test]
fn large_arrays_and_long_runs_are_executed() {
    let cases = [
        ("static int a[1000000000]; int main(void) { int i = 5; a[i] = 3; if (a[5] + a[6] == 3) reach_error(); return 0; }", "REACHABLE"),
        (
            "static int a[1000000000000000] = {1, 2}; int main(void) { int *p = &a[1]; for (int i = 1; i < 4; i++) p[i] = a[i - 1]; if (a[3] != 2 || a[4] != 1 || a[9]) reach_error(); return 0; }",
            "UNREACHABLE",
        ),
        (
            "int main(void) { for (int i = 0; i < 3; i++) { int l[1000000000]; l[i] = i; if (l[i] != i) reach_error(); } return 0; }",
            "UNREACHABLE",
        ),
        (
            "static int a[64]; int main(void) { unsigned s = 0; for (int i = 0; i < 1500000; i++) { a[i % 64] = i; s += a[(i + 7) % 64] % 3; }
             if (s == 12345) reach_error(); return 0; }",
            "UNREACHABLE",
        ),
    ];
    for (text, verdict) in cases {
        let sandbox = Sandbox::new();
        sandbox.file("p.c", format!("{DECLARATIONS}{text}"));
        let outcome = sandbox.run(&["check", "p.c", "--timeout", "100", "--trace", "none"]);
        assert_eq!(outcome.stdout.lines().next(), Some(verdict), "{text}\n{}", outcome.stdout);
    }
}

/// Inputs that are in order are tried, since random ones never are: an array of which all elements but the first are 0 is not sorted.
#[test]
fn arrays_of_regular_numbers_are_tried() {
    let sandbox = Sandbox::new();
    let text = "int main(void) { int a[20000]; int changed = 1;
  while (changed) { changed = 0; for (int i = 1; i < 20000; i++) if (a[i - 1] < a[i]) { int t = a[i]; a[i] = a[i - 1]; a[i - 1] = t; changed = 1; } }
  for (int x = 1; x < 20000; x++) if (a[x - 1] > a[x]) reach_error();
  return 0; }";
    sandbox.file("p.c", format!("{DECLARATIONS}{text}"));
    let outcome = sandbox.run(&["check", "p.c", "--timeout", "100"]);
    assert_eq!(outcome.code, 10, "{}{}", outcome.stdout, outcome.stderr);
}

#[test]
fn members_are_where_the_compiler_puts_them() {
    let sandbox = Sandbox::new();
    let text = "struct p { char c; int x; short s[3]; }; struct o { struct p a, b[2]; union { long l; char t; }; struct { char u; int v; } in; };
int main(void) {
  if (__builtin_offsetof(struct p, x) != 4 || __builtin_offsetof(struct p, s[2]) != 12 || __builtin_offsetof(struct o, b[1].s) != 40) reach_error();
  if (__builtin_offsetof(struct o, t) != 48 || __builtin_offsetof(struct o, in.v) != 60 || sizeof(struct o) != 64) reach_error();
  return 0; }";
    sandbox.file("p.c", format!("{DECLARATIONS}{text}"));
    assert!(sandbox.run(&["check", "p.c"]).stdout.starts_with("UNREACHABLE\n"));
    if testing::has_c_compiler() {
        let folder = Folder::temporary();
        let whole = format!("#include <stdlib.h>\nvoid reach_error(void) {{ exit(1); }}\n{text}");
        let binary = testing::compile_c(folder.path(), &whole, &[]);
        assert!(Command::new(binary).status().expect("the program starts").success());
    }
}

#[test]
fn memory_is_used_rightly_whatever_becomes_of_results_that_do_not_fit() {
    let products = "int nondet_int(void);
int main(void) {
  int n = nondet_int();
  if (n < 1 || n > 1000) return 0;
  int a[n], product = 1;
  for (int i = 0; i < n; i++) { a[i] = nondet_int(); product = product * a[i] + i; }
  return product != 0;
}";
    let outcome = check(&["--property", "valid-memsafety", "--timeout", "100"], products);
    assert_eq!((outcome.code, outcome.stdout.lines().next()), (0, Some("UNREACHABLE")), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("and the same holds with results that wrap"), "{}", outcome.stdout);
    let wraps = "int nondet_int(void);
int a[20];
int main(void) {
  int n = nondet_int();
  if (n < 0) return 0;
  int k = n + 5;
  if (k < 0) a[25] = 1;
  return 0;
}";
    let outcome = check(&["--property", "valid-memsafety", "--timeout", "100"], wraps);
    let first = outcome.stdout.lines().next();
    assert_eq!(
        (outcome.code, first),
        (5, Some("UNREACHABLE unless a result overflows")),
        "{}",
        outcome.stdout
    );
}

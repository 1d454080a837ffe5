//! Programs of several files, and what they call of the library.

use base::{FileId, Sources, render};
use c::{File, LIBRARY, Options, Translation};
use integers::Goal;
use integers::explore::{Budget, execute};
use integers::trace::End;

fn linked(texts: &[&str], library: &[&str]) -> Result<Translation, String> {
    let mut sources = Sources::default();
    let name = |n: usize| format!("{}.c", ["a", "b", "d"][n]);
    let files: Vec<File> = texts
        .iter()
        .enumerate()
        .map(|(n, text)| File { id: sources.add(name(n), *text), preprocessed: None })
        .collect();
    let mut ids: Vec<FileId> = library.iter().map(|text| sources.add("own.c", *text)).collect();
    ids.extend(LIBRARY.map(|(name, text)| sources.add(name, text)));
    let options = Options { library: ids, ..Options::default() };
    c::translate_linked(&mut sources, &files, &options)
        .map_err(|errors| errors.iter().map(|error| render(&sources, error)).collect())
}

/// What the global `r` holds when the program has ended, with inputs from a list.
#[track_caller]
fn check(texts: &[&str], library: &[&str], inputs: &[i128], expected: i128) {
    let program = linked(texts, library).unwrap_or_else(|errors| panic!("{errors}")).program;
    let r = program.globals.iter().position(|global| global.variable.name == "r").expect("a global");
    let mut inputs = inputs.iter();
    let execution = execute(&program, &mut |_| inputs.next().copied(), Goal::Any, &Budget::default());
    assert_eq!(execution.end, End::Returned);
    assert_eq!(execution.globals[r], Some(expected));
}

#[track_caller]
fn check_error(texts: &[&str], expected: &str) {
    let errors = linked(texts, &[]).map(|_| ()).expect_err("it is wrong");
    assert_eq!(errors, expected);
}

#[test]
fn names_have_one_meaning_in_all_files() {
    check(
        &[
            "extern int n; int add(int); int r; int main(void) { n = 3; r = add(4) + n; return 0; }",
            "int n = 7; int add(int x) { n++; return n + x; }",
        ],
        &[],
        &[],
        12,
    );
    // A tentative definition, and a call of what is not declared.
    check(
        &[
            "int n; int r; int main(void) { r = next() + n; return 0; }",
            "int n; int next(void) { return n += 5; }",
        ],
        &[],
        &[],
        10,
    );
    check(
        &[
            "int r; int f(void); int main(void) { r = f(); return 0; }",
            "int f(void) { return g(2); }",
            "int g(int x) { return 3 * x; }",
        ],
        &[],
        &[],
        6,
    );
}

#[test]
fn what_is_static_is_there_for_each_file() {
    let a = "static int n = 1; static int f(void) { return n; } int other(void); int r;
        int main(void) { n++; r = 100 * f() + other(); return 0; }";
    let b = "static int n = 5; static int f(void) { return 2 * n; } int other(void) { return f() + n; }";
    check(&[a, b], &[], &[], 215);
    let program = linked(&[a, b], &[]).expect("it is right").program;
    let names: Vec<&str> = program.functions.iter().map(|function| function.name.as_str()).collect();
    assert_eq!(names, ["f", "other", "main", "f.2"]);
    let globals: Vec<&str> = program.globals.iter().map(|global| global.variable.name.as_str()).collect();
    assert_eq!(globals, ["n", "r", "n.2"]);
}

#[test]
fn conflicts_have_both_places() {
    check_error(
        &["long f(int); int main(void) { return f(1); }", "int f(int x) { return x; }"],
        "error: `f` was declared with another type before\n  --> b.c:1:5\n 1 | int f(int x) { return x; }\n   |     ^\nnote: first here\n  --> a.c:1:6\n 1 | long f(int); int main(void) { return f(1); }\n   |      ^\n",
    );
    check_error(
        &["int main(void) { return 0; }", "int main(void) { return 1; }"],
        "error: `main` is defined twice\n  --> b.c:1:5\n 1 | int main(void) { return 1; }\n   |     ^^^^\nnote: first here\n  --> a.c:1:5\n 1 | int main(void) { return 0; }\n   |     ^^^^\n",
    );
    check_error(
        &["int n = 1; int main(void) { return n; }", "int n = 2;"],
        "error: `n` has got an initial value before\n  --> b.c:1:7\n 1 | int n = 2;\n   |       ^\nnote: first here\n  --> a.c:1:5\n 1 | int n = 1; int main(void) { return n; }\n   |     ^^^^^\n",
    );
    check_error(
        &["extern int n; int main(void) { return n; }", "int n(void) { return 2; }"],
        "error: `n` was declared as a variable before\n  --> b.c:1:5\n 1 | int n(void) { return 2; }\n   |     ^\nnote: first here\n  --> a.c:1:12\n 1 | extern int n; int main(void) { return n; }\n   |            ^\n",
    );
    check_error(
        &["int n(void); int main(void) { return n(); }", "unsigned n;"],
        "error: `n` was declared as a function before\n  --> b.c:1:10\n 1 | unsigned n;\n   |          ^\nnote: first here\n  --> a.c:1:5\n 1 | int n(void); int main(void) { return n(); }\n   |     ^\n",
    );
}

#[test]
fn structures_of_headers_are_one_and_others_are_not() {
    let header =
        "struct p { int x; struct p *next; }; typedef struct { int a[2]; } q; int f(struct p *, q *);";
    let a = format!("{header} int r; int main(void) {{ r = f(0, 0); return 0; }}");
    let b = format!("{header} int f(struct p *p, q *q) {{ return 4; }}");
    check(&[&a, &b], &[], &[], 4);
    // Named before it is defined, in the other file, too.
    check(
        &[
            "struct s; int f(struct s *); int r; int main(void) { r = f(0); return 0; }",
            "struct s { int x; }; int f(struct s *s) { return 5; }",
        ],
        &[],
        &[],
        5,
    );
    // Each file has its own.
    check(
        &[
            "struct s { int x; }; int f(void); int r; int main(void) { r = f() + sizeof(struct s); return 0; }",
            "struct s { char x[9]; struct s *s; }; int f(void) { return sizeof(struct s); }",
        ],
        &[],
        &[],
        28,
    );
    check_error(
        &[
            "struct s { int x; }; int f(struct s *); int main(void) { return f(0); }",
            "struct s { long x; }; int f(struct s *s) { return 0; }",
        ],
        "error: `f` was declared with another type before\n  --> b.c:1:27\n 1 | struct s { long x; }; int f(struct s *s) { return 0; }\n   |                           ^\nnote: first here\n  --> a.c:1:26\n 1 | struct s { int x; }; int f(struct s *); int main(void) { return f(0); }\n   |                          ^\n",
    );
}

#[test]
fn functions_of_the_library_are_there_if_they_are_called() {
    let text = "int abs(int); int isalnum(int); int toupper(int); int r;
        int main(void) { r = abs(-3) + 10 * isalnum('x') + 100 * toupper('b'); return 0; }";
    check(&[text], &[], &[], 6613);
    let program = linked(&[text], &[]).expect("it is right").program;
    let mut names: Vec<&str> = program.functions.iter().map(|function| function.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["abs", "isalnum", "isalpha", "isdigit", "islower", "isupper", "main", "toupper"]);
    // What is not declared is meant, too, and inputs are inputs.
    check(
        &["int r; int main(void) { r = getchar() + rand(); return 0; }"],
        &[],
        &[0, 65, -1],
        65 + 2_147_483_647,
    );
}

#[test]
fn the_program_and_the_user_know_better_than_the_library() {
    check(&["int abs(int x) { return 7; } int r; int main(void) { r = abs(-3); return 0; }"], &[], &[], 7);
    let text = "int abs(int); int twice(int); int r; int main(void) { r = abs(-3) + twice(4); return 0; }";
    check(&[text], &["int abs(int x) { return 50; } int twice(int x) { return 2 * x; }"], &[], 58);
    // A function of another type is another function, and an empty one stays.
    let other =
        linked(&["long abs(long); int r; int main(void) { return abs(1); }"], &[]).expect("it is right");
    assert_eq!(other.program.functions.len(), 1);
    let empty = linked(&["void f(void) { rand(); } int main(void) {}"], &[]).expect("it is right");
    assert_eq!(empty.program.functions.len(), 3);
}

#[test]
fn the_library_is_c() {
    let all = "int main(void) { abs(1); labs(1); llabs(1); atoi(0); atol(0); atoll(0); rand(); random(); srand(1); srandom(1);
        isdigit(1); isxdigit(1); islower(1); isupper(1); isalpha(1); isalnum(1); isspace(1); isblank(1); iscntrl(1); isprint(1); isgraph(1);
        ispunct(1); toupper(1); tolower(1); getchar(); return 0; }";
    for (name, text) in LIBRARY {
        let mut sources = Sources::default();
        let file = sources.add(name, format!("{text}\nint main(void) {{ return 0; }}"));
        let made = c::translate(&sources, file, &Options::default());
        made.unwrap_or_else(|errors| panic!("{}", render(&sources, &errors[0])));
    }
    linked(&[all], &[]).unwrap_or_else(|errors| panic!("{errors}"));
}

#[test]
fn letters_are_those_of_the_compiler() {
    if !testing::has_c_compiler() {
        return;
    }
    let functions = [
        "isdigit", "isxdigit", "islower", "isupper", "isalpha", "isalnum", "isspace", "isblank", "iscntrl",
        "isprint", "isgraph", "ispunct", "toupper", "tolower",
    ];
    let calls =
        |name: &str| if name.starts_with("to") { format!("{name}(c)") } else { format!("({name}(c) != 0)") };
    let sum: Vec<String> =
        functions.iter().map(|name| format!("r = r * 31 % 1000003 + {};", calls(name))).collect();
    let body = format!("for (int c = 0; c < 128; c++) {{ {} }}", sum.join(" "));
    let theirs = format!(
        "#include <stdio.h>\n#include <ctype.h>\nint main(void) {{ long r = 0; {body} printf(\"%ld\", r); return 0; }}"
    );
    let folder = testing::Folder::temporary();
    let binary = testing::compile_c(folder.path(), &theirs, &[]);
    let output = std::process::Command::new(binary).output().expect("it runs");
    let expected: i128 = String::from_utf8_lossy(&output.stdout).parse().expect("a number");
    let declarations: String = functions.iter().map(|name| format!("int {name}(int);")).collect();
    check(&[&format!("{declarations} long r; int main(void) {{ {body} return 0; }}")], &[], &[], expected);
}

/// What a function that is not there stores is not known, and neither is what depends on it.
#[test]
fn what_others_store_is_not_known() {
    let calls = [
        "char b[4]; b[0] = 0; sprintf(b, \"x\"); if (b[0]) r = 1;",
        "char b[4]; b[0] = 0; scanf(\"%3s\", b); if (b[0]) r = 1;",
        "int n = 1; scanf(\"%5d\", &n); if (n != 1) r = 1;",
        "int n = 1; printf(\"x%n\", &n); if (n != 1) r = 1;",
        "char b[4]; b[0] = 0; fgets(b, 4, 0); if (b[0]) r = 1;",
        "long n = 1; time(&n); if (n != 1) r = 1;",
        "int n = 1, *p = &n; h(p); if (n != 1) r = 1;",
        "char b[4]; b[0] = 0; __builtin___strcpy_chk(b, \"x\", 4); if (b[0]) r = 1;",
        "int n = 1; __VERIFIER_nondet_memory(&n, sizeof n); if (n != 1) r = 1;",
    ];
    for call in calls {
        let program = linked(&[&format!("int r; int main(void) {{ {call} return 0; }}")], &[]);
        let program = program.unwrap_or_else(|errors| panic!("{call}: {errors}")).program;
        let execution = execute(&program, &mut |_| Some(0), Goal::Any, &Budget::default());
        assert!(matches!(execution.end, End::Unknown(_)), "{call}: {:?}", execution.end);
    }
    // What only prints changes nothing, and a format that is written down says what is stored.
    check(
        &["int r = 3; int main(void) { int n = 1; printf(\"%d %s\", n, \"x\"); r += n; return 0; }"],
        &[],
        &[],
        4,
    );
    let scan = "int r; int main(void) { int n = 1; long m; if (scanf(\"%d,%ld\", &n, &m) == 2) r = n + m; return 0; }";
    check(&[scan], &[], &[0, 20, 0, 30], 50);
    check(&[scan], &[], &[0, 20, 1], 0);
}

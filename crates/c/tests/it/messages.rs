//! What a user reads who made a mistake, and where: file, line, column, excerpt, what was expected.

use base::{Sources, render};
use c::{Options, Property, Task};

fn messages(text: &str) -> String {
    let mut sources = Sources::default();
    let file = sources.add("test.c", text);
    let diagnostics = match c::translate(&sources, file, &Options::default()) {
        Ok(translation) => translation.warnings,
        Err(errors) => errors,
    };
    diagnostics.iter().map(|diagnostic| render(&sources, diagnostic)).collect()
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(messages(text).trim_end(), expected.trim_end());
}

/// Only the first line of the first message, which begins with this.
#[track_caller]
fn check_first(text: &str, expected: &str) {
    let messages = messages(text);
    let found = messages.lines().take(2).collect::<Vec<_>>().join(" ");
    assert!(found.starts_with(expected), "{found}");
}

#[test]
fn something_else_was_expected() {
    check(
        "int main(void) {\n  int x = 1\n  return x;\n}\n",
        "error: expected `;`, found `return`\n  --> test.c:3:3\n 3 |   return x;\n   |   ^^^^^^",
    );
    check_first("int main(void) { x = ; }", "error: expected an expression, found `;`   --> test.c:1:22");
    check_first("int main(void) { ", "error: expected `}`, found the end of the file");
    check_first("int main(void) { if x; }", "error: expected `(`, found `x`");
    check_first("int main(void) { 1 + (2; }", "error: expected `)`, found `;`");
    check_first("int main(void) { else; }", "error: this `else` has no `if`");
    check_first("foo bar;", "error: expected a type, found `foo`");
    check_first("int foo bar;", "error: expected `;`, found `bar`");
    check_first("int main(void) { int char; @ }", "error: this character has no meaning in C");
    check_first("int main(void) { /* open }", "error: this comment has no end");
    check_first("int main(void) { char *s = \"open; }", "error: the quote is not closed on its line");
    check_first("int main(void) { return 12ab; }", "error: `12ab` is no number of C");
}

/// An error that begins with this, at this place.
#[track_caller]
fn refused(text: &str, message: &str, place: &str) {
    check_first(text, &format!("error: {message}   --> test.c:{place}"));
}

#[test]
fn implicit_int_is_said_to_be_missing() {
    let missing = |name: &str| format!("the type of `{name}` is missing: since 1999 C has no implicit `int`");
    let taken = "warning: a type is missing here, and `int` is taken: since 1999 C has no implicit `int`";
    check_first("main() { return 0; }", &format!("{taken}   --> test.c:1:1"));
    check_first("static s; int main(void) { return s; }", &format!("{taken}   --> test.c:1:8"));
    check_first("const k = 3; int main(void) { return k; }", &format!("{taken}   --> test.c:1:7"));
    check_first("int main(void) { auto y = 4; return y; }", &format!("{taken}   --> test.c:1:23"));
    refused("x = 5; int main(void) { return x; }", &missing("x"), "1:1");
    refused("int f(const a) { return a; } int main(void) { return f(1); }", &missing("a"), "1:13");
}

#[test]
fn words_that_are_no_type_together() {
    let words = "these words are no type of C together";
    for ty in ["long long long", "int char", "unsigned float", "short long", "signed unsigned", "void int"] {
        refused(&format!("{ty} x; int main(void) {{ return 0; }}"), words, "1:1");
    }
    refused("static extern int x; int main(void) { }", "there is another storage class before", "1:8");
    refused("struct s { int a; } int x; int main(void) { }", words, "1:1");
    for ty in ["unsigned", "long int unsigned", "short", "signed char", "long double", "long long", "_Bool"] {
        check(&format!("{ty} x; int main(void) {{ return 0; }}"), "");
    }
}

#[test]
fn nothing_is_stored_in_what_is_constant() {
    let main = |text: &str| format!("int main(void) {{ {text} return 0; }}");
    let is_const = "nothing can be stored in `c`: it is `const`";
    refused(&main("const int c = 1; c = 2;"), is_const, "1:35");
    refused(&main("int const c = 1; c += 2;"), is_const, "1:35");
    refused(&main("const int c = 1; c++;"), is_const, "1:35");
    refused(&main("const int c = 1; --c;"), is_const, "1:37");
    refused(&main("typedef const int K; K c = 1; c = 2;"), is_const, "1:48");
    refused("const int c = 1; int main(void) { c = 2; }", is_const, "1:35");
    refused("void f(const int c) { c = 2; } int main(void) { f(1); }", is_const, "1:23");
    refused(&main("int *const c = 0; c = 0;"), is_const, "1:36");
    refused(&main("struct s { const int m; } c; struct s d; c = d;"), is_const, "1:59");
    let here = "nothing can be stored here: it is `const`";
    refused(&main("int x; const int *p = &x; *p = 1;"), here, "1:44");
    refused(&main("const int a[2] = {1, 2}; a[0] = 1;"), here, "1:43");
    refused(&main("typedef int A[2]; const A a = {1, 2}; a[0] = 1;"), here, "1:56");
    refused(&main("const struct { int m; } s; s.m = 1;"), here, "1:45");
    refused(&main("struct { const int m; } s; s.m = 1;"), here, "1:45");
    refused(&main("const int x = 1; *&x = 2;"), here, "1:35");
    // What is pointed to may change, or the pointer, or what is not constant.
    check(&main("int x; int *const p = &x; *p = 1; const int *q; q = p; const int *const *r; r = 0;"), "");
    check(&main("struct { const int m; int n; } s; s.n = 1;"), "");
}

#[test]
fn nothing_is_stored_in_a_value() {
    let main = |text: &str| {
        format!("struct s {{ int m; }} f(void); int main(void) {{ int x, y, a[2]; {text} return 0; }}")
    };
    let value = "nothing can be stored in a value; expected a variable, an element, a member or what a pointer points to";
    for (text, column) in [
        ("5 = 3;", 63),
        ("x + 1 = 2;", 63),
        ("(x + 1)++;", 64),
        ("x++ = 1;", 63),
        ("++x++;", 65),
        ("(x, y) = 2;", 64),
        ("(1 ? x : y) = 2;", 64),
        ("(int) x = 2;", 63),
        ("-x = 2;", 63),
        ("x = 1 = 2;", 67),
        ("f() = f();", 63),
        ("f().m = 2;", 63),
        ("sizeof x = 2;", 63),
    ] {
        refused(&main(text), value, &format!("1:{column}"));
    }
    refused(&main("a = 0;"), "nothing can be stored in an array as a whole", "1:63");
    refused(&main("f = 0;"), "nothing can be stored in a function", "1:63");
    refused(&main("&5;"), "this is a value, and has no address", "1:64");
    refused(&main("&x++;"), "this is a value, and has no address", "1:64");
    refused("enum { A }; int main(void) { A = 1; }", value, "1:30");
    check(
        "struct s { int m; }; int f(void); int main(void) { int x, a[2]; struct s v, *p = &v; (x) = 1; a[0] = 1; 1[a] = 2; *a = 1; v.m = 1; p->m++; (*p).m = 2; (struct s) {1}.m = 3; &f; &a; return 0; }",
        "",
    );
}

#[test]
fn a_name_is_declared_once() {
    let main = |text: &str| format!("int main(void) {{ {text} return 0; }}");
    let twice = |name: &str| format!("`{name}` is declared twice here");
    check(
        &main("int a;\n  long a;"),
        "error: `a` is declared twice here
  --> test.c:2:8
 2 |   long a; return 0; }
   |        ^
note: first here
  --> test.c:1:22
 1 | int main(void) { int a;
   |                      ^",
    );
    refused(&main("int a, a;"), &twice("a"), "1:25");
    refused(&main("int a; extern int a;"), &twice("a"), "1:36");
    refused(&main("static int a; int a;"), &twice("a"), "1:36");
    refused(&main("typedef int a; int a;"), &twice("a"), "1:37");
    refused(&main("enum { a, b }; int b;"), &twice("b"), "1:37");
    refused(&main("enum { a, a };"), &twice("a"), "1:28");
    refused("int f(int a) { int a = 1; return a; } int main(void) { }", &twice("a"), "1:20");
    refused("int f(int a, int a) { return a; } int main(void) { }", &twice("a"), "1:18");
    refused("int f(int a, int a); int main(void) { }", &twice("a"), "1:18");
    refused("int f(void); int f; int main(void) { }", &twice("f"), "1:18");
    refused("typedef int T; typedef unsigned T; int main(void) { }", &twice("T"), "1:33");
    refused("struct s { int a; int a; }; int main(void) { }", "there is another member `a`", "1:23");
    // Blocks, loops, functions and tags are scopes.
    check(
        &main(
            "int a; { long a; { int a; } } for (int a = 0; a < 2; a++) { int a = 3; } struct a { int a; };",
        ),
        "",
    );
    check(
        "typedef int T; typedef int T; int f(int T) { return T; } int main(void) { int T = f(1); return T; }",
        "",
    );
    check(
        "int f(int n, int a[n]); int f(int, int *); int main(void) { extern int g; extern int g; int f(int, int *); return 0; }",
        "",
    );
}

#[test]
fn declarations_agree() {
    let main = |text: &str| format!("{text} int main(void) {{ return 0; }}");
    let other = |name: &str| format!("`{name}` was declared with another type before");
    refused(&main("int x; long x;"), &other("x"), "1:13");
    refused(&main("extern int x; unsigned x;"), &other("x"), "1:24");
    refused(&main("int x; const int x;"), &other("x"), "1:18");
    refused(&main("long x; long long x;"), &other("x"), "1:19");
    refused(&main("char *x; signed char *x;"), &other("x"), "1:23");
    refused(&main("int a[2]; int a[3];"), &other("a"), "1:15");
    refused(&main("int f(int); int f(long);"), &other("f"), "1:17");
    refused(&main("int f(int); int f(int, int);"), &other("f"), "1:17");
    refused(&main("int f(void); long f(void) { return 1; }"), &other("f"), "1:19");
    refused(&main("int f(); int f(char c) { return c; }"), &other("f"), "1:14");
    refused(&main("int x; static int x;"), "`x` was declared without `static` before", "1:19");
    refused(&main("static int x; int x;"), "`x` was declared as `static` before", "1:19");
    refused(
        &main("int f(void); static int f(void) { return 1; }"),
        "`f` was declared without `static` before",
        "1:25",
    );
    refused(&main("int x = 1; int x = 2;"), "`x` has got an initial value before", "1:18");
    refused(
        "int main(void) { return g(1); } long g(int x) { return x; }",
        "`g` was declared by a call, as a function that gives an `int`, before",
        "1:38",
    );
    refused(&main("struct s { int a; }; struct s { int a; };"), "`s` is defined twice", "1:29");
    refused(&main("enum e { A }; enum e { B };"), "`e` is defined twice", "1:20");
    refused(&main("struct e { int a; }; enum e x;"), "`e` is the tag of something else", "1:27");
    refused(&main("struct e { int a; }; union e *x;"), "`e` is the tag of something else", "1:28");
    refused(&main("enum e x;"), "the type of `x` is not defined", "1:8");
    refused(
        "int main(void) { enum e { A }; { enum e; enum e x; } }",
        "the type of `x` is not defined here",
        "1:49",
    );
    refused("int main(void) { struct s x; }", "the type of `x` is not defined here", "1:27");
    refused("int main(void) { void x; }", "`x` cannot be `void`", "1:23");
    refused(&main("_Static_assert(sizeof(int) == 2, \"small\");"), "this static assertion fails", "1:16");
    for right in [
        "extern int x; int x; int x = 1; extern int x;",
        "int a[]; int a[2]; extern int a[];",
        "static int f(void); int f(void) { return 1; }",
        "int f(); int f(int, long); int f(int a, long b) { return a; }",
        "struct s; struct s *p; struct s { int a; }; struct s *f(void);",
        "enum e; int f(enum e x); enum e { A = -1 }; int f(enum e x) { return x; }",
        "enum e x; enum e { A };",
        "int (f)(int a) { return a; } int ((g))(void) { return f(1); } int (*h(void))(int) { return f; }",
        "_Static_assert(sizeof(long) == 8, \"large\");",
    ] {
        check(&main(right), "");
    }
    check("int main(void) { later(1); return 0; } void later(int x) { }", "");
}

#[test]
fn a_choice_by_type_is_made_or_refused() {
    let choose = |choices: &str| format!("int main(void) {{ long x = 1; return _Generic(x, {choices}); }}");
    check(&choose("int: 1, long: 2"), "");
    check(&choose("default: 1, int: 2"), "");
    refused(
        &choose("int: 1, long long: 2"),
        "no choice is for the type of the expression, and there is no `default`",
        "1:37",
    );
    refused(&choose("long: 1, default: 2, default: 3"), "there is another `default` before", "1:70");
    refused(&choose("long: 1, long int: 2"), "there is another choice for this type before", "1:58");
}

#[test]
fn old_style_definitions_name_their_parameters() {
    check("int f(a, b)\n  int a; char b;\n{ return a + b; }\nint main(void) { return f(1, 2); }\n", "");
    check_first(
        "int f(a) int b; { return a; } int main(void) { return 0; }",
        "error: this is no parameter of the function",
    );
    check_first(
        "int f(a, ) { return a; } int main(void) { return 0; }",
        "error: expected the name of a parameter",
    );
}

#[test]
fn a_program_starts_somewhere() {
    check_first("int f(void) { return 1; }", "error: there is no function `main`, in which runs start");
    check_first("", "error: there is no function `main`");
}

#[test]
fn names_that_are_not_there() {
    check_first("int main(void) { goto out; }", "error: there is no label `out` in this function");
    check_first("int main(void) { a: a: return 0; }", "error: the label `a` is there twice");
    check_first("int main(void) { break; }", "error: there is no loop or `switch` to leave here");
    check_first("int main(void) { continue; }", "error: there is no loop to continue here");
    check_first("int main(void) { case 1: ; }", "error: there is no `switch` around this case");
    check_first(
        "int main(int x, char **y) { switch (x) { case 1: case 1: ; } }",
        "error: there is another case for this value",
    );
    check_first("int main(void) { return LIMIT; }", "warning: `LIMIT` is not declared; its value is unknown");
    check_first(
        "int main(void) { return LARGE_INT; }",
        "warning: `LARGE_INT` is not declared; it is taken to be 1000000",
    );
    check_first(
        "int f(int x) { return x; } int main(void) { return f(); }",
        "error: `f` takes 1 argument, but this call passes 0",
    );
    check_first("int f(void) { } int f(void) { } int main(void) { }", "error: `f` is defined twice");
}

#[test]
fn an_order_that_c_leaves_open_is_said() {
    let order = "warning: C leaves open in which order the operands are evaluated, and";
    check_first("int main(void) { int i = 1; return i++ + i; }", &format!("{order} `i` is changed"));
    check_first("int main(void) { int i = 1; i = i++; return i; }", &format!("{order} `i` is changed"));
    let both = "int g; int f(void) { return g++; } int h(void) { return g; } int main(void) ";
    check_first(&format!("{both} {{ return f() + h(); }}"), &format!("{order} `g` is changed"));
    check_first(&format!("{both} {{ return g + f(); }}"), &format!("{order} `g` is changed"));
    check_first(&format!("{both} {{ g += f(); return 0; }}"), &format!("{order} `g` is changed"));
    for harmless in ["f() && h()", "f(), h()", "f() ? h() : g", "h() + g", "f() + 1"] {
        check(&format!("{both} {{ return {harmless}; }}"), "");
    }
    check("int main(void) { int i = 1, j = i++ + 2; i = i + 1; i = (j++, i); return j; }", "");
}

#[test]
fn nesting_is_limited() {
    let deep = |left: &str, inner: &str, right: &str| {
        format!(
            "int main(void) {{ int x = 1; {}{inner}{}; return x; }}",
            left.repeat(100_000),
            right.repeat(100_000)
        )
    };
    for text in [
        deep("(", "x", ")"),
        deep("- ", "x", ""),
        deep("{", "x", "}"),
        deep("if (x) ", "x", ""),
        deep("while (x) ", "x", ""),
        deep("x = ", "x", ""),
        deep("x ? x : ", "x", ""),
        deep("(int) ", "x", ""),
        deep("x[", "x", "]"),
        deep("sizeof ", "x", ""),
        deep("l: if (x) ", "x", ""),
        deep("", "x", "[1]"),
        format!("int {}x{}; int main(void) {{}}", "(*".repeat(100_000), ")".repeat(100_000)),
        format!("int a = {}1{}; int main(void) {{}}", "{".repeat(100_000), "}".repeat(100_000)),
        format!("{} x; int main(void) {{}}", "struct {".repeat(100_000)),
    ] {
        check_first(&text, "error: ");
    }
    // Deep, but not too deep.
    let blocks = |left: &str, right: &str, depth: usize| {
        format!(
            "int main(void) {{ int x = 1; {}x = 2;{} return x; }}",
            left.repeat(depth),
            right.repeat(depth)
        )
    };
    for (left, right) in [
        ("{", "}"),
        ("if (x) ", ""),
        ("if (x) { int y = x; ", "}"),
        ("while (x) { ", "}"),
        ("for (int i = 0; i < x; i++) ", ""),
        ("do ", " while (x--);"),
        ("switch (x) { case 1: ", "}"),
    ] {
        check(&blocks(left, right, 250), "");
    }
    check(&blocks("{", "}", 990), "");
    check(&blocks("while (x) {", "}", 990), "");
    let brackets = |depth: usize| {
        format!("int main(void) {{ int x = 1; x = {}x{}; return x; }}", "(".repeat(depth), ")".repeat(depth))
    };
    check(&brackets(190), "");
    check_first(&brackets(210), "error: this is nested too deeply");
    check_first(&blocks("{", "}", 1010), "error: statements are nested too deeply: at most 1000 levels");
    // Long is not deep.
    let chain = |operator: &str| {
        format!(
            "int f(void) {{ return 1; }} int main(void) {{ int x = 1; return 1{}; }}",
            operator.repeat(4_000)
        )
    };
    for text in [chain(" + x"), chain(" - f()"), chain(" && x"), chain(" || f()"), chain(", x")] {
        check(&text, "");
    }
    let arms = "if (x) x = 2; else ".repeat(5_000);
    check(&format!("int main(void) {{ int x = 1; {arms} x = 3; return x; }}"), "");
}

#[test]
fn places_are_those_of_the_source() {
    let source = "#define TWICE(x) ((x) + (x))\n#include \"h.h\"\nint main(void) {\n  int y = TWICE(1);\n  return TWICE(y) +;\n}\n";
    let preprocessed = "# 0 \"test.c\"\n# 1 \"test.c\"\n# 1 \"h.h\" 1\nint helper(int);\n# 3 \"test.c\" 2\nint main(void) {\n  int y = ((1) + (1));\n  return ((y) + (y)) +;\n}\n";
    let mut sources = Sources::default();
    let file = sources.add("test.c", source);
    assert!(c::has_directives(source) && !c::has_directives(preprocessed));
    let errors =
        c::translate_preprocessed(&mut sources, file, preprocessed, &Options::default()).unwrap_err();
    assert_eq!(
        render(&sources, &errors[0]),
        "error: expected an expression, found `;`\n  --> test.c:5:20\n 5 |   return TWICE(y) +;\n   |                    ^\n"
    );
    let broken = preprocessed.replace("int helper(int);", "int helper(;");
    let errors = c::translate_preprocessed(&mut sources, file, &broken, &Options::default()).unwrap_err();
    assert!(render(&sources, &errors[0]).contains("h.h:1:12"), "{}", render(&sources, &errors[0]));
}

#[test]
fn properties_are_read() {
    let read = |text: &str| {
        let mut sources = Sources::default();
        let file = sources.add("p.prp", text);
        c::read_property(&sources, file).map_err(|error| render(&sources, &error))
    };
    let call = |name: &str| Ok(Property::UnreachCall(name.to_owned()));
    assert_eq!(read("CHECK( init(main()), LTL(G ! call(reach_error())) )\n"), call("reach_error"));
    assert_eq!(read("CHECK( init(main()), LTL(G ! call(__VERIFIER_error())) )\n"), call("__VERIFIER_error"));
    assert_eq!(read("CHECK( init(main()), LTL(F end) )"), Ok(Property::Termination));
    assert_eq!(read("\nCHECK( init(main()), LTL(G ! overflow) )\n\n"), Ok(Property::NoOverflow));
    let error = read("CHECK( init(main()), LTL(G valid-free) )\n").unwrap_err();
    assert!(error.starts_with("error: this property is not supported\n  --> p.prp:1:1\n"), "{error}");
}

#[test]
fn tasks_are_read() {
    let read = |text: &str| {
        let mut sources = Sources::default();
        let file = sources.add("t.yml", text);
        c::read_task(&sources, file).map_err(|error| render(&sources, &error))
    };
    let task = read(
        "# a comment\nformat_version: '2.0'\n\ninput_files: 'a b.c' # the program\n\nproperties:\n  - property_file: ../p/unreach-call.prp\n    expected_verdict: false\n  - property_file: \"termination.prp\"\n\noptions:\n  language: C\n  data_model: ILP32\n",
    );
    let properties =
        vec![("../p/unreach-call.prp".to_owned(), Some(false)), ("termination.prp".to_owned(), None)];
    let data_model = Some(c::DataModel::Ilp32);
    assert_eq!(task, Ok(Task { inputs: vec!["a b.c".to_owned()], properties, data_model }));
    let task = read("input_files:\n  - a.i\n  - 'b.i'\n").unwrap();
    assert_eq!(task.inputs, ["a.i", "b.i"]);
    assert_eq!(read("input_files: [a.c, 'b.c']\n").unwrap().inputs, ["a.c", "b.c"]);
    assert!(read("format_version: '2.0'\n").unwrap_err().contains("names no `input_files`"));
    assert!(read("input_files: a.c\noptions:\n  data_model: LP32\n").unwrap_err().contains("t.yml:3:3"));
    assert!(read("input_files: a.c\nnonsense\n").unwrap_err().contains("expected `key: value`"));
}

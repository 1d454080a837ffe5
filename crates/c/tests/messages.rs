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

#[test]
fn old_style_definitions_are_named() {
    check(
        "int f(a, b)\n  int a; int b;\n{ return a + b; }\nint main(void) { return f(1, 2); }\n",
        "error: the types of the parameters are missing: K&R declarations are not supported
  --> test.c:1:5
 1 | int f(a, b)
   |     ^
note: write them between the parentheses, as in `int f(int x)`",
    );
}

#[test]
fn a_program_starts_somewhere() {
    check_first("int f(void) { return 1; }", "error: there is no function `main`, in which runs start");
    check_first("", "error: there is no function `main`");
}

#[test]
fn calls_through_pointers_are_refused() {
    check(
        "int f(void) { return 1; }\nint main(void) {\n  int (*p)(void) = f;\n  return p();\n}\n",
        "error: calls through pointers are not supported\n  --> test.c:4:10\n 4 |   return p();\n   |          ^",
    );
    check_first(
        "void start(void (*)(void)); void f(void) { } int main(void) { start(f); }",
        "error: `start` may call this function: calls through pointers are not supported",
    );
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
fn assembly_and_the_like_are_refused() {
    check_first("int main(void) { asm(\"nop\"); }", "error: assembly is not supported");
    check_first(
        "int main(void) { void *p; goto *p; }",
        "error: jumps to computed addresses are not supported",
    );
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

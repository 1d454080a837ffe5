//! Texts outside the grammar: what is reported, where, and how reading goes on.

mod harness;

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(harness::complaints(text), expected, "{text}");
}

#[test]
fn a_missing_semicolon_is_reported_and_the_rest_is_read() {
    check(
        "void main() begin skip skip; x y; goto; assert; end_thread skip end",
        &[
            "1:24: expected `;`, found `skip`",
            "1:32: expected `:=`, `,`, `(` or `:`, found `y`",
            "1:39: expected a label, found `;`",
            "1:47: expected an expression, found `;`",
            "1:60: expected `;`, found `skip`",
        ],
    );
}

#[test]
fn every_statement_with_an_error_is_reported_once() {
    check(
        "void main() begin x := ; y = 2; z := (a & b; skip; end",
        &[
            "1:24: expected an expression, found `;`",
            "1:28: expected `:=`, found `=`: an assignment is `y := …`, and `=` compares",
            "1:44: expected an operator or `)`, found `;`",
            "  1:38: the parenthesis is opened here",
        ],
    );
}

#[test]
fn blocks_that_are_not_closed_name_their_beginning() {
    check(
        "void main() begin if T then while T do skip; end",
        &["1:46: expected `od`, found `end`", "  1:29: the block begins here"],
    );
}

#[test]
fn closing_words_without_a_beginning_are_errors() {
    check(
        "void main() begin fi; od; else elsif T then skip; end",
        &[
            "1:19: `fi` without `if`",
            "1:23: `od` without `while`",
            "1:27: `else` without `if`",
            "1:32: `elsif` without `if`",
        ],
    );
}

#[test]
fn else_is_the_last_part() {
    check(
        "void main() begin if T then else skip; elsif T then else fi end",
        &[
            "1:40: expected `fi`, found `elsif`: `else` is the last part of an `if`",
            "  1:19: the `if` is here",
            "1:53: expected `fi`, found `else`: `else` is the last part of an `if`",
            "  1:19: the `if` is here",
        ],
    );
}

#[test]
fn a_function_without_end_does_not_swallow_the_next() {
    check(
        "void main() begin skip; void f() begin x end",
        &[
            "1:25: expected a statement or `end`, found `void`",
            "  1:1: the function begins here",
            "1:42: expected `:=`, `,`, `(` or `:`, found `end`",
        ],
    );
}

#[test]
fn values_brackets_and_statements_like_calls_are_no_names() {
    check(
        "decl end, x; void assert(y) begin skip; end void main() begin while: skip; end",
        &[
            "1:6: expected the name of a variable, found `end`, which is a reserved word",
            "1:19: expected the name of a function, found `assert`, which is a reserved word",
            "1:68: expected an expression, found `:`",
            "1:76: expected `od`, found `end`",
            "  1:63: the block begins here",
        ],
    );
    check(
        "decl T; void main() begin end",
        &["1:6: expected the name of a variable, found `T`, which is a reserved word"],
    );
    check(
        "void main() begin x := init; end",
        &["1:24: expected an expression, found `init`", "1:24: expected a statement, found `init`"],
    );
}

#[test]
fn underscore_cannot_be_declared() {
    check("decl _; void main() begin end", &["1:6: `_` cannot be declared"]);
}

#[test]
fn stray_characters_are_errors() {
    check(
        "void main() begin x := @@ y; # end",
        &["1:24: the character `@@` belongs to no token", "1:30: the character `#` belongs to no token"],
    );
}

#[test]
fn an_open_comment_is_an_error() {
    check(
        "void main() begin end /* open",
        &["1:23: this comment is not closed: expected `*/`, found the end of the file"],
    );
}

#[test]
fn an_open_brace_is_an_error() {
    check(
        "void main() begin x := {a b}; end",
        &[
            "1:24: this name in braces is not closed: expected `}`, found white space (a block is `begin … end`, `then … fi` or `do … od`, and a list of values `enum { … }`)",
            "1:28: expected `;`, found `}`",
        ],
    );
}

#[test]
fn names_do_not_begin_with_digits() {
    check(
        "void main() begin x := 1a; y := 99999999999999999999; end",
        &[
            "1:24: expected a number or a name, found `1a`: names do not begin with a digit",
            "1:33: this number is larger than 18446744073709551615",
        ],
    );
}

#[test]
fn declarations_stand_first() {
    check(
        "void main() begin skip; decl x; enforce T; end decl y; init T;",
        &[
            "1:25: declarations stand before the statements of a function",
            "1:33: `enforce` stands once, between the declarations and the statements",
            "1:48: declarations and initial conditions stand before the functions and threads",
            "1:56: declarations and initial conditions stand before the functions and threads",
        ],
    );
}

#[test]
fn a_call_is_no_expression() {
    check(
        "void main() begin x := !f(y); return g(); x := f(y), T; end",
        &[
            "1:25: a call stands alone: `f(…)` cannot be part of an expression",
            "1:38: a call stands alone: `g(…)` cannot be part of an expression",
            "1:52: expected `;`, found `,`",
        ],
    );
}

#[test]
fn functions_and_threads_do_not_mix() {
    check(
        "void f() begin end thread p begin void main() begin end end",
        &[
            "1:6: a program consists of functions or of threads, not of both: this function belongs into a thread",
        ],
    );
}

#[test]
fn a_thread_needs_its_end() {
    check(
        "thread p[x] begin end thread q begin void main() begin end",
        &[
            "1:10: expected a number of threads or `*`, found `x`",
            "1:19: expected a declaration, a function or a thread, found `end`",
            "1:59: expected `end`, found the end of the file",
            "  1:23: the thread begins here",
        ],
    );
}

#[test]
fn types_are_as_the_grammar_says() {
    check(
        "decl x: int, y: bool<2>, z: enum {}; void main() begin end",
        &["1:9: expected the width of the integer, `int<N>`, found `,`: the values of `int<3>` are 0 to 7"],
    );
}

#[test]
fn sync_is_refused_by_name() {
    check(
        "void main() begin sync; sync(x); end",
        &["1:19: `sync` is not supported: there is no statement that synchronises threads"],
    );
}

#[test]
fn a_missing_then_keeps_the_block() {
    check(
        "void main() begin if x y skip; fi; while do od end",
        &["1:24: expected an operator or `then`, found `y`", "1:42: expected an expression, found `do`"],
    );
}

#[test]
fn statements_outside_functions_are_errors() {
    check(
        "x := y; void main() begin end skip;",
        &[
            "1:1: expected a declaration, a function or a thread, found `x`",
            "1:31: expected a declaration, a function or a thread, found `skip`",
        ],
    );
}

#[test]
fn the_empty_text_has_no_main() {
    check("", &["1:1: the program has no function `main`, where execution starts"]);
}

#[test]
fn an_empty_statement_is_an_error() {
    check("void main() begin skip;; ; end", &["1:24: expected a statement, found `;`"]);
}

#[test]
fn conditionals_need_both_parts() {
    check(
        "void main() begin x := a ? b; y := schoose[a]; z := (a ? b); end",
        &["1:29: expected `:`, found `;`", "1:45: expected `,`, found `]`", "1:59: expected `:`, found `)`"],
    );
}

#[test]
fn what_other_languages_write_is_told_what_to_write() {
    check(
        "decl int<3> n; decl bool b, enum {u, v} e;\nvoid f(int<2> p, q) begin end\nvoid main() begin decl int<3> l; skip; end",
        &[
            "1:6: the type of a variable stands behind its name: `n: int<3>`",
            "1:21: the type of a variable stands behind its name: `b: bool`",
            "1:29: the type of a variable stands behind its name: `e: enum {u, v}`",
            "2:8: the type of a variable stands behind its name: `p: int<2>`",
            "3:24: the type of a variable stands behind its name: `l: int<3>`",
        ],
    );
    check(
        "decl n: int; decl int m; decl a[3]; decl b = T; decl c: bool := F; void main() begin end",
        &[
            "1:9: expected the width of the integer, `int<N>`, found `;`: the values of `int<3>` are 0 to 7",
            "1:19: expected the width of the integer, `int<N>`, found `m`: the values of `int<3>` are 0 to 7",
            "1:32: there are no arrays: a variable is `bool`, `int<N>` or `enum { … }`",
            "1:44: a declaration gives no value: a global has one by `init b = …;`, a local by a statement `b := …;`",
            "1:62: a declaration gives no value: a global has one by `init c = …;`, a local by a statement `c := …;`",
        ],
    );
    check(
        "bool g; int<3> h, k; void main() begin end",
        &[
            "1:1: expected `(`, found `;`: a variable is declared by `decl g: TYPE;`, or without a type if it is Boolean",
            "1:9: expected `(`, found `,`: a variable is declared by `decl h: TYPE;`, or without a type if it is Boolean",
        ],
    );
    check(
        "void main() begin x == T; x++; x -= 1; break; continue; end",
        &[
            "1:21: expected `:=`, found `==`: an assignment is `x := …`, and `=` compares",
            "1:28: expected `:=`, found `+`: an assignment is `x := x + …`",
            "1:34: expected `:=`, found `-`: an assignment is `x := x - …`",
            "1:45: there is no `break`: `goto` and a label lead out of a loop",
            "1:55: there is no `continue`: `goto` and a label lead out of a loop",
        ],
    );
    // Variables may be called like types.
    check(
        "decl int, bool; decl enum: bool; void f(bool, int: int<2>) begin end void main() begin f(bool, 1); end",
        &[],
    );
}

#[test]
fn values_are_no_labels() {
    check(
        "void main() begin F: skip; L: T: skip; goto F, L; true: start_thread goto false; end",
        &[
            "1:19: `F` is the value false and cannot be a label: call the label something else, such as `L_F`",
            "1:31: `T` is the value true and cannot be a label: call the label something else, such as `L_T`",
            "1:45: `F` is the value false and cannot be a label: call the label something else, such as `L_F`",
            "1:51: `true` is the value true and cannot be a label: call the label something else, such as `L_true`",
            "1:75: `false` is the value false and cannot be a label: call the label something else, such as `L_false`",
        ],
    );
}

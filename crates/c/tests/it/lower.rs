//! Every construct of C: the text of a function, and the integer program that it becomes.

use base::{Sources, render};
use c::{DataModel, Options, TargetSelection, Translation};

fn translate(text: &str, options: &Options) -> Result<Translation, String> {
    let mut sources = Sources::default();
    let file = sources.add("test.c", text);
    let result = c::translate(&sources, file, options);
    result.map_err(|errors| errors.iter().map(|error| render(&sources, error)).collect())
}

/// The program, line by line without indentation, up to the first function that is not asked for.
#[track_caller]
fn check(text: &str, expected: &str) {
    check_with(text, &Options::default(), expected);
}

#[track_caller]
fn check_with(text: &str, options: &Options, expected: &str) {
    let translation = translate(text, options).unwrap_or_else(|errors| panic!("{errors}"));
    let lines = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
    };
    let shown = integers::show(&translation.program);
    assert_eq!(lines(&shown), lines(expected), "\n{shown}");
}

/// The body of `main`, whose variables are `int x, y` and the unsigned `u`; only its edges are compared.
#[track_caller]
fn check_body(body: &str, expected: &str) {
    let text = format!("int x, y; unsigned u; int f(int); int nondet(void); int main(void) {{ {body} }}");
    let translation = translate(&text, &Options::default()).unwrap_or_else(|errors| panic!("{errors}"));
    let shown = integers::show(&translation.program);
    let edges = |text: &str| -> Vec<String> {
        let is_edge = |line: &&str| line.starts_with(|c: char| c.is_ascii_digit());
        text.lines().map(str::trim).filter(is_edge).map(str::to_owned).collect()
    };
    assert_eq!(edges(&shown), edges(expected), "\n{shown}");
}

#[test]
fn a_program_has_globals_functions_and_results() {
    check(
        "int g = 3; static unsigned u = 4000000000u; char c = 300;
         int f(int a, long b) { if (a > b) return a; return b; }
         int main(void) { int x = 1; unsigned y; long z = x; y = u + 1; c = x; g = f(x, y); return x; }",
        "global g: int32 = 3
         global u: uint32 = 4000000000
         global c: int8 = 44
         function f(a: int32, b: int64) -> $ret
         local $ret: int32
         entry 0, exit 3
         0 -[assume a > b]-> 1
         0 -[assume a <= b]-> 2
         1 -[$ret := a]-> 3
         2 -[$ret := int32(b)]-> 3
         function main() -> $ret, main
         local $ret: int32
         local x: int32
         local y: uint32
         local z: int64
         entry 0, exit 7
         0 -[x := 1]-> 1
         1 -[skip]-> 2
         2 -[z := x]-> 3
         3 -[y := uint32(u + 1)]-> 4
         4 -[c := int8(x)]-> 5
         5 -[g := f(x, y)]-> 6
         6 -[$ret := x]-> 7",
    );
}

#[test]
fn loops() {
    check_body(
        "for (x = 0; x < 3; x++) { if (x == 1) continue; if (y) break; y += x; }",
        "0 -[x := 0]-> 1
         1 -[assume x < 3]-> 2
         1 -[assume x >= 3]-> 6
         2 -[assume x == 1]-> 5
         2 -[assume x != 1]-> 3
         3 -[assume y != 0]-> 6
         3 -[assume y == 0]-> 4
         4 -[y := y + x]-> 5
         5 -[x := x + 1]-> 1
         6 -[$ret := 0]-> 7",
    );
    check_body(
        "do x--; while (x > 0); while (y) y = y - 1;",
        "0 -[x := x - 1]-> 1
         1 -[assume x > 0]-> 0
         1 -[assume x <= 0]-> 2
         2 -[assume y != 0]-> 3
         2 -[assume y == 0]-> 4
         3 -[y := y - 1]-> 2
         4 -[$ret := 0]-> 5",
    );
    check_body("for (;;) { x = 1; }", "0 -[skip]-> 1\n1 -[x := 1]-> 0");
}

#[test]
fn conditions_without_effects_are_formulas() {
    check_body(
        "x = x ? y : 5; if (x < 3 && y > 1 || !x) y = x > y; return -x * (y + 1) / 2 % 7;",
        "0 -[x := x != 0 ? y : 5]-> 1
         1 -[assume x < 3 && y > 1 || x == 0]-> 2
         1 -[assume !(x < 3 && y > 1 || x == 0)]-> 3
         2 -[y := x > y]-> 3
         3 -[$ret := -x * (y + 1) / 2 % 7]-> 4",
    );
}

#[test]
fn conditions_with_effects_are_branches() {
    check_body(
        "if (x && nondet() || y) x = nondet() ? x++ : 7;",
        "0 -[assume x != 0]-> 1
         0 -[assume x == 0]-> 3
         1 -[$1 := input int32]-> 2
         2 -[assume $1 != 0]-> 4
         2 -[assume $1 == 0]-> 3
         3 -[assume y != 0]-> 4
         3 -[assume y == 0]-> 11
         4 -[$2 := input int32]-> 5
         5 -[assume $2 != 0]-> 6
         5 -[assume $2 == 0]-> 9
         6 -[$2 := x]-> 7
         7 -[x := x + 1]-> 8
         8 -[$1 := $2]-> 10
         9 -[$1 := 7]-> 10
         10 -[x := $1]-> 11
         11 -[$ret := 0]-> 12",
    );
}

#[test]
fn switches_fall_through() {
    check_body(
        "switch (x) { case 1: y = 2; case 2 ... 5: y = 4; break; default: y = 6; }",
        "0 -[$1 := x]-> 4
         1 -[y := 2]-> 2
         2 -[y := 4]-> 5
         3 -[y := 6]-> 5
         4 -[assume $1 == 1]-> 1
         4 -[assume $1 >= 2 && $1 <= 5]-> 2
         4 -[assume $1 != 1 && !($1 >= 2 && $1 <= 5)]-> 3
         5 -[$ret := 0]-> 6",
    );
}

#[test]
fn jumps() {
    check_body(
        "again: if (x > 0) { x--; goto again; } goto end; y = 1; end: return x;",
        "0 -[skip]-> 1
         1 -[assume x > 0]-> 2
         1 -[assume x <= 0]-> 3
         2 -[x := x - 1]-> 1
         3 -[$ret := x]-> 4",
    );
}

#[test]
fn operands_are_kept_from_what_follows() {
    check(
        "int g; int f(int a) { g = a; return a; } int main(void) { int x = 2; return g + x + f(x++) + (g = 4); }",
        "global g: int32 = 0
         function f(a: int32) -> $ret
         local $ret: int32
         entry 0, exit 2
         0 -[g := a]-> 1
         1 -[$ret := a]-> 2
         function main() -> $ret, main
         local $ret: int32
         local x: int32
         local $1: int32
         local $2: int32
         local $3: int32
         entry 0, exit 7
         0 -[x := 2]-> 1
         1 -[$1 := g + x]-> 2
         2 -[$2 := x]-> 3
         3 -[x := x + 1]-> 4
         4 -[$3 := f($2)]-> 5
         5 -[g := 4]-> 6
         6 -[$ret := $1 + $3 + g]-> 7",
    );
}

#[test]
fn unsigned_arithmetic_wraps_and_conversions_are_made() {
    check_body(
        "u = -u * 3 + x; x = u < x; u++; u /= 2; y = (signed char)x + (_Bool)u; x = -1 < 0u;",
        "0 -[u := uint32(uint32(uint32(-u) * 3) + x)]-> 1
         1 -[x := u < uint32(x)]-> 2
         2 -[u := uint32(u + 1)]-> 3
         3 -[u := u / 2]-> 4
         4 -[y := int8(x) + (u != 0)]-> 5
         5 -[x := 0]-> 6
         6 -[$ret := 0]-> 7",
    );
}

#[test]
fn widths_are_those_of_the_data_model() {
    let text = "long a; unsigned long b = -1; int main(void) { a = 3000000000; return sizeof(long) + sizeof(char *); }";
    let options = Options { data_model: DataModel::Ilp32, ..Options::default() };
    check_with(
        text,
        &options,
        "global a: int32 = 0
         global b: uint32 = 4294967295
         function main() -> $ret, main
         local $ret: int32
         entry 0, exit 2
         0 -[a := -1294967296]-> 1
         1 -[$ret := 8]-> 2",
    );
    check(
        text,
        "global a: int64 = 0
         global b: uint64 = 18446744073709551615
         function main() -> $ret, main
         local $ret: int32
         entry 0, exit 2
         0 -[a := 3000000000]-> 1
         1 -[$ret := 16]-> 2",
    );
}

#[test]
fn what_is_not_represented_is_unknown_and_named() {
    check(
        "static struct s { int m; } st; static int *p; static int a[3]; double d; int h(int); static int t; int g;
         int main(int argc, char **argv) {
           int x = a[1], y;
           p = &y; y = 3; x = y; x = *p; x = st.m; x = d; x = x & 3; x = 1 << 3 | 2; x <<= 1; t = h(x); if (p) x = argc;
           return sizeof st; }",
        "global p: pointer = 0
         global t: int32 = 0
         global g: int32 = 0
         function main(argc: int32) -> $ret
         local $ret: int32
         local x: int32
         entry 0, exit 16
         0 -[x := a[&a + 1]]-> 1
         1 -[begin y]-> 2
         2 -[p := &y]-> 3
         3 -[y[&y] := 3]-> 4
         4 -[x := y[&y]]-> 5
         5 -[x := y[p]]-> 6
         6 -[x := st.m[&st]]-> 7
         7 -[x := unknown (a floating-point number)]-> 8
         8 -[x := x & 3]-> 9
         9 -[x := 10]-> 10
         10 -[x := x << 1]-> 11
         11 -[g := unknown (what the undefined function `h` changes)]-> 12
         12 -[t := unknown (the result of the undefined function `h`)]-> 13
         13 -[assume p != 0]-> 14
         13 -[assume p == 0]-> 15
         14 -[x := argc]-> 15
         15 -[$ret := 4]-> 16
         function $start(), main
         local argc: int32
         entry 0, exit 2
         0 -[assume input int32 >= 0; argc := input int32]-> 1
         1 -[main(argc)]-> 2",
    );
}

#[test]
fn targets_and_ends() {
    check(
        "void reach_error(void) { } void abort(void); enum e { A, B = 5, C }; _Bool flag;
         int main() { enum e v = C; flag = 7; if (v == 6) { ERROR: ; } assert(flag); __VERIFIER_assume(v > A);
           if (!flag) abort(); reach_error(); return 1; }",
        "global flag: uint1 = 0
         function main() -> $ret, main
         local $ret: int32
         local v: uint32
         entry 0, exit 10
         0 -[v := 6]-> 1
         1 -[flag := 1]-> 2
         2 -[assume v == 6]-> 3
         2 -[assume v != 6]-> 4
         3: target, label ERROR
         3 -[skip]-> 4
         4 -[assume flag != 0]-> 6
         4 -[assume flag == 0]-> 5
         5: target, failed assert
         6 -[assume v > 0]-> 7
         7 -[assume flag != 0]-> 9
         7 -[assume flag == 0]-> 8
         8: stop
         9: target, call of reach_error",
    );
    let options = Options { targets: TargetSelection::Call("oops".to_owned()), ..Options::default() };
    check_with(
        "void oops(void); int main() { int x = nondet_short(); if (x) { ERROR: oops(); } assert(x); }",
        &options,
        "function main() -> $ret, main
         local $ret: int32
         local x: int32
         entry 0, exit 7
         0 -[x := input int32]-> 1
         1 -[assume x != 0]-> 2
         1 -[assume x == 0]-> 4
         2 -[skip]-> 3
         3: target, call of oops
         4 -[assume x != 0]-> 6
         4 -[assume x == 0]-> 5
         5: stop
         6 -[$ret := 0]-> 7",
    );
}

#[test]
fn inputs_have_types_and_names() {
    let options = Options { inputs: vec!["sensor".to_owned()], ..Options::default() };
    check_with(
        "unsigned char __VERIFIER_nondet_uchar(void); short sensor(int); extern int read(void);
         int main() { int x = __VERIFIER_nondet_uchar(), y = sensor(3), z = read(), w = __VERIFIER_nondet_ushort(), v; return x + v; }",
        &options,
        "function main() -> $ret, main
         local $ret: int32
         local x: int32
         local $1: uint8
         local y: int32
         local $2: int16
         local z: int32
         local w: int32
         local $3: uint16
         local v: int32
         entry 0, exit 9
         0 -[$1 := input uint8]-> 1
         1 -[x := $1]-> 2
         2 -[$2 := input int16]-> 3
         3 -[y := $2]-> 4
         4 -[z := input int32]-> 5
         5 -[$3 := input uint16]-> 6
         6 -[w := $3]-> 7
         7 -[v := input int32]-> 8
         8 -[$ret := x + v]-> 9",
    );
}

#[test]
fn a_jump_around_a_declaration_leaves_the_variable_open() {
    check(
        "int main() { goto in; { int x = 1; in: return x; } }",
        "function main() -> $ret, main
         local $ret: int32
         local x: int32
         entry 0, exit 3
         0 -[skip]-> 2
         1 -[$ret := x]-> 3
         2 -[x := input int32]-> 1",
    );
}

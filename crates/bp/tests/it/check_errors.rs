//! Programs that break a rule about names or types.

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(crate::harness::complaints(text), expected, "{text}");
}

#[test]
fn unknown_names_are_reported_once_with_a_suggestion() {
    check(
        "decl flag; void main() begin flga := flag; flga := zzz; zzz := T; end",
        &["1:30: `flga` is not declared; did you mean `flag`?", "1:52: `zzz` is not declared"],
    );
}

#[test]
fn main_must_exist() {
    check("void f() begin end", &["1:1: the program has no function `main`, where execution starts"]);
}

#[test]
fn main_takes_no_parameters_and_is_not_called() {
    check(
        "void main(a) begin main(T); f(); end void f() begin start_thread main(T); end",
        &[
            "1:11: `main` takes no parameters",
            "1:20: `main` cannot be called: execution starts there, once",
            "1:66: `main` cannot be called: execution starts there, once",
        ],
    );
}

#[test]
fn each_thread_has_its_own_main() {
    check(
        "thread p begin void f() begin end end thread p[0] begin void main() begin end end",
        &[
            "1:8: the thread `p` has no function `main`",
            "1:39: a thread needs at least one copy, found `[0]`",
            "1:46: the thread `p` is declared twice",
            "  1:8: the first declaration is here",
        ],
    );
}

#[test]
fn no_name_is_declared_twice_in_a_scope() {
    check(
        "decl x, x; decl y: enum {a, a}; void f(p, p) begin decl q, p; end void f() begin end void main() begin end",
        &[
            "1:9: the variable `x` is declared twice",
            "  1:6: the first declaration is here",
            "1:29: the value `a` is declared twice",
            "  1:26: the first declaration is here",
            "1:43: the variable `p` is declared twice",
            "  1:40: the first declaration is here",
            "1:60: the variable `p` is declared twice",
            "  1:40: the first declaration is here",
            "1:72: the function `f` is declared twice",
            "  1:38: the first declaration is here",
        ],
    );
}

#[test]
fn calls_fit_the_function() {
    check(
        "bool<2> f(a, b) begin return; end void g() begin end void main() begin decl x, y; f(x); x := f(x, y); x := g(); x, y := f(T, F); call h(x); fg(); end",
        &[
            "1:83: `f` takes 2 arguments, but this call passes 1",
            "1:89: `f` has 2 results, but 1 variable stands to the left of `:=`",
            "1:103: `g` has no results, but 1 variable stands to the left of `:=`",
            "1:135: there is no function `h`",
            "1:141: there is no function `fg`; did you mean `f`?",
        ],
    );
}

#[test]
fn calls_fit_the_types() {
    check(
        "<int<3>, bool> f(a: int<2>) begin return 7, T; end void main() begin decl x: int<2>, y; x, y := f(x); _, y := f(4); end",
        &[
            "1:89: the result has type `int<3>`, but the variable has type `int<2>`",
            "1:113: the number 4 does not fit: `int<2>` goes from 0 to 3",
        ],
    );
}

#[test]
fn returns_fit_the_function() {
    check(
        "bool f() begin return T, F; end void g() begin return T; end <bool, int<2>> h() begin return 1, 4; end void main() begin return; end",
        &[
            "1:16: the function has 1 result, but this statement returns 2",
            "1:48: the function has no results, but this statement returns 1",
            "1:97: the number 4 does not fit: `int<2>` goes from 0 to 3",
        ],
    );
}

#[test]
fn both_sides_of_an_assignment_have_as_many_parts() {
    check(
        "decl x, y; void main() begin x, y := T; x := T, F; x, x := T, F; dead y, y; end",
        &[
            "1:30: 2 variables on the left of `:=`, but 1 value on the right",
            "1:41: 1 variable on the left of `:=`, but 2 values on the right",
            "1:55: `x` is assigned twice",
            "  1:52: the first time is here",
            "1:74: `y` is assigned twice",
            "  1:71: the first time is here",
        ],
    );
}

#[test]
fn labels_are_known_and_on_one_statement() {
    check(
        "void main() begin L: skip; L: L: skip; goto M, L; K: K: skip; start_thread goto N; end",
        &[
            "1:28: the label `L` stands on two statements",
            "  1:19: the first is here",
            "1:31: the label `L` stands on two statements",
            "  1:19: the first is here",
            "1:45: there is no label `M` in this function",
            "1:81: there is no label `N` in this function",
        ],
    );
}

#[test]
fn integers_have_their_types() {
    check(
        "decl x: int<3>, y: int<4>, b; void main() begin x := y; x := 8; b := x; x := b; b := x + 1; x := x + y; x := -b; b := x < b; b := 2 < 3; b := 1 + 1; b := (* + 1) = *; b := 2; end",
        &[
            "1:54: expected `int<3>`, found `int<4>`",
            "1:62: the number 8 does not fit: `int<3>` goes from 0 to 7",
            "1:70: expected `bool`, found `int<3>`",
            "1:78: expected `int<3>`, found `bool`",
            "1:86: expected `bool`, found `int<3>`",
            "1:102: expected `int<3>`, found `int<4>`",
            "1:110: `-` takes integers, found `bool`",
            "1:123: expected `int<3>`, found `bool`",
            "1:131: nothing says which integers `<` compares: neither side has a type",
            "1:143: expected `bool`, found an integer: the result of `+`",
            "1:156: expected `bool`, found an integer: the result of `+`",
            "1:173: the number 2 does not fit: `bool` goes from 0 to 1",
        ],
    );
}

#[test]
fn widths_are_from_1_to_64() {
    check(
        "decl x: int<0>, y: int<65>, z: int<64>; bool<0> f() begin end void main() begin z := 18446744073709551615; end",
        &[
            "1:9: an integer has 1 to 64 bits, found 0",
            "1:20: an integer has 1 to 64 bits, found 65",
            "1:41: a function has 1 to 65536 results, found 0",
        ],
    );
}

#[test]
fn enums_have_their_types() {
    check(
        "decl c: enum {red, green}, d: enum {red, dark}, b; void main() begin c := red; d := red; c := dark; c := 1; c := c + c; b := c < c; b := red = red; b := green = red; red := red; b := dark; d := green; b := d = c; end",
        &[
            "1:95: expected `enum {red, green}`, found `enum {red, dark}`",
            "1:106: expected `enum {red, green}`, found the number 1",
            "1:114: `+` takes integers, found `enum {red, green}`",
            "1:126: `<` compares integers, found `enum {red, green}`",
            "1:138: `red` is a value of several enums, and nothing says which is meant",
            "1:144: `red` is a value of several enums, and nothing says which is meant",
            "1:167: `red` is a value of an enum, which cannot be assigned",
            "1:184: expected `bool`, found `enum {red, dark}`",
            "1:195: expected `enum {red, dark}`, found `enum {red, green}`",
            "1:211: expected `enum {red, dark}`, found `enum {red, green}`",
        ],
    );
}

#[test]
fn booleans_are_booleans() {
    check(
        "decl x: int<3>, b; void main() begin b := b & x; b := !x; b := x => b; b := b <=> x; assume x; if x then fi while 2 do od; b := schoose[x, b]; b := b ? x : b; x := b ? 1 : 9; b := b + b; end",
        &[
            "1:47: expected `bool`, found `int<3>`",
            "1:56: expected `bool`, found `int<3>`",
            "1:64: expected `bool`, found `int<3>`",
            "1:83: expected `bool`, found `int<3>`",
            "1:93: expected `bool`, found `int<3>`",
            "1:99: expected `bool`, found `int<3>`",
            "1:115: the number 2 does not fit: `bool` goes from 0 to 1",
            "1:137: expected `bool`, found `int<3>`",
            "1:149: expected `bool`, found `int<3>`",
            "1:157: expected `int<3>`, found `bool`",
            "1:173: the number 9 does not fit: `int<3>` goes from 0 to 7",
            "1:181: `+` takes integers, found `bool`",
        ],
    );
}

#[test]
fn primes_stand_in_constrain_only() {
    check(
        "decl x; init x'; void main() begin x := x'; assume('x); x := * constrain x' & y'; constrain x'; end",
        &[
            "1:14: `x'` is a new value, which only the `constrain` of an assignment can read",
            "1:41: `x'` is a new value, which only the `constrain` of an assignment can read",
            "1:53: `x'` is a new value, which only the `constrain` of an assignment can read",
            "1:79: `y` is not declared",
            "1:93: `x'` is a new value, which only the `constrain` of an assignment can read",
        ],
    );
}

#[test]
fn passive_copies_are_not_assigned() {
    check(
        "decl x, x$, y$; bool f() begin end void main() begin x$ := T; y$ := T; dead x$; x$ := f(); end",
        &[
            "1:54: `x$` is another thread's copy of a variable, which cannot be assigned",
            "1:77: `x$` is another thread's copy of a variable, which cannot be assigned",
            "1:81: `x$` is another thread's copy of a variable, which cannot be assigned",
        ],
    );
}

#[test]
fn a_private_name_is_not_seen_elsewhere() {
    check(
        "decl g; thread p begin decl x; init x & g; void main() begin x := q; f(); end end thread q begin void f() begin end void main() begin x := g; end end",
        &["1:67: `q` is not declared", "1:70: there is no function `f`", "1:135: `x` is not declared"],
    );
}

#[test]
fn a_local_is_not_seen_elsewhere() {
    check(
        "void f() begin decl x, c: enum {only}; c := only; end void main() begin x := T; print(only); end",
        &["1:73: `x` is not declared", "1:87: `only` is not declared"],
    );
}

#[test]
fn concurrency_is_refused_by_lowering() {
    check(
        "void f() begin end void main() begin skip; start_thread f(); end_thread; end",
        &["1:44: this program is concurrent: it starts a thread here"],
    );
}

#[test]
fn a_message_shows_the_place() {
    let mut sources = base::Sources::default();
    let text = "bool swap(a, b)\nbegin\n  return a;\nend\n\nvoid main()\nbegin\n  x := swap(y);\nend\n";
    let diagnostics = bp::load(&mut sources, "demo.bp", text).err().unwrap_or_default();
    let rendered: String = diagnostics.iter().map(|diagnostic| base::render(&sources, diagnostic)).collect();
    assert_eq!(
        rendered,
        "\
error: `x` is not declared
  --> demo.bp:8:3
 8 |   x := swap(y);
   |   ^
error: `swap` takes 2 arguments, but this call passes 1
  --> demo.bp:8:8
 8 |   x := swap(y);
   |        ^^^^
error: `y` is not declared
  --> demo.bp:8:13
 8 |   x := swap(y);
   |             ^
"
    );
}

//! Text in, checked system or errors out: what every construct means, and what is refused.

use base::{Diagnostic, Sources, render};
use calculus::system::{Action, Storage, System, VarId};

type Checked = Result<(System, Vec<Diagnostic>), Vec<Diagnostic>>;

fn checked(text: &str, params: &[(&str, u64)]) -> (Sources, Checked) {
    let mut sources = Sources::default();
    let file = sources.add("demo.mu", text);
    let (tree, diagnostics) = calculus::parse(&sources, file);
    assert_eq!(diagnostics, [], "{text}");
    let params: Vec<(String, u64)> =
        params.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    let result = calculus::check(&tree, &params);
    (sources, result)
}

fn listed(sources: &Sources, diagnostics: &[Diagnostic]) -> String {
    let place = |span| match span {
        Some(span) => {
            let (line, column) = sources.line_column(span);
            format!("{line}:{column}: ")
        }
        None => String::new(),
    };
    let mut out = String::new();
    for diagnostic in diagnostics {
        out.push_str(&format!("{}{}\n", place(diagnostic.span), diagnostic.message));
        for (note, span) in &diagnostic.notes {
            out.push_str(&format!("  {}{note}\n", place(*span)));
        }
    }
    out
}

fn system_with(text: &str, params: &[(&str, u64)]) -> System {
    let (sources, result) = checked(text, params);
    result.unwrap_or_else(|errors| panic!("{text}\n{}", listed(&sources, &errors))).0
}

/// The relation `R` of a text as a formula.
#[track_caller]
fn check_core(text: &str, expected: &str) {
    check_core_with(text, &[], expected);
}

#[track_caller]
fn check_core_with(text: &str, params: &[(&str, u64)], expected: &str) {
    let system = system_with(text, params);
    let relation = system.relations.iter().find(|r| r.name == "R").expect("the text defines `R`");
    assert_eq!(calculus::print_formula(&system, relation.body), expected, "{text}");
}

/// The errors, as `line:column: message`.
#[track_caller]
fn check_errors(text: &str, expected: &str) {
    let (sources, result) = checked(text, &[]);
    let errors = result.expect_err("the text is wrong");
    assert_eq!(listed(&sources, &errors), expected, "{text}");
}

/// One error without notes in the text of a body over these types.
#[track_caller]
fn check_body_error(body: &str, expected: &str) {
    let types = "enum S { red, green }; enum T { blue }; enum P { 1..3 }; class C { S s; bool x[2]; P p; };";
    let text = format!("{types}\nbool R(C c, S s, P p, bool b) {body};");
    let (sources, result) = checked(&text, &[]);
    let errors = result.expect_err("the body is wrong");
    let listed = listed(&sources, &errors);
    assert_eq!(
        listed.split_once(": ").map(|(_, message)| message),
        Some(format!("{expected}\n").as_str()),
        "{body}"
    );
}

#[test]
fn records_and_arrays_are_compared_leaf_by_leaf() {
    let types = "enum S { a, b }; class C { S s; bool x[2]; }; class D { C c[2]; };";
    check_core(&format!("{types} bool R(C u, C v) u = v;"), "u.s = v.s & u.x[0] = v.x[0] & u.x[1] = v.x[1]");
    check_core(&format!("{types} bool R(C u, C v) u.x != v.x;"), "!(u.x[0] = v.x[0] & u.x[1] = v.x[1])");
    check_core(
        &format!("{types} bool R(D d, C v) d.c[1] = v & d.c[0].x[1];"),
        "(d.c[1].s = v.s & d.c[1].x[0] = v.x[0] & d.c[1].x[1] = v.x[1]) & d.c[0].x[1]",
    );
    check_core("class N { }; bool R(N m, N n, bool x) m = n & (exists N o. x);", "true & x");
}

#[test]
fn comparisons() {
    check_core(
        "enum P { 2..5 }; bool R(P p, P q) p > q & p >= 3 & 4 > p & p != q & p <= q & 2 <= p;",
        "q < p & 3 <= p & p < 4 & p != q & p <= q & 2 <= p",
    );
    check_core(
        "bool R(bool x, bool y) x = 0 & 1 = y & x = true & x != y;",
        "x = false & y = true & x = true & x != y",
    );
    check_core("bool R(bool x, bool y) (x & y) = x & x != (y | x);", "(x & y <-> x) & !(x <-> y | x)");
    check_core("bool R() 1 = 1 & 2 < 1 & 0 = false & true != true;", "true & false & true & false");
}

#[test]
fn an_enumerator_has_the_type_that_is_expected() {
    let types = "enum S { a, b }; enum T { b, c };";
    check_core(
        &format!("{types} bool R(S s, T t) s = b & b = t & R2(b, b); bool R2(T t, S s) true;"),
        "s = b & t = b & R2(b, b)",
    );
    check_core(&format!("{types} bool R() a = b & b = b & b != c;"), "false & true & true");
    let system = system_with(&format!("{types} bool R(S s, T t) s = b | t = b;"), &[]);
    assert!(format!("{:?}", system.formulas).contains("Var(VarId(0)), Value(1)"));
    assert!(format!("{:?}", system.formulas).contains("Var(VarId(1)), Value(0)"));
}

#[test]
fn a_variable_hides_an_enumerator_and_an_outer_variable() {
    check_core(
        "enum S { a, b }; bool R(S a) a = b & (exists S b. a = b) & (exists S a. a = b);",
        "a = b & (exists S b. a = b) & (exists S a. a = b)",
    );
}

#[test]
fn sugar() {
    check_core(
        "bool R(bool x, bool y) (x -> y) & (x <- y) & (x <+> y) & (x <-> y);",
        "(!x | y) & (x | !y) & !(x <-> y) & (x <-> y)",
    );
    check_core("bool R(bool x, bool y) (if (x) y) & (if (x) y else x);", "(!x | y) & (x & y | !x & x)");
    check_core("bool R(bool x, bool y) (x assume y) & (x cofactor y);", "x & y & x & y");
    check_core(
        "bool R(bool x, bool y, bool z) case x : y; y : z; 1 : x; esac;",
        "x & y | !x & y & z | !x & !y & x",
    );
    check_core(
        "enum S { a, b }; bool R(S s, bool x) case s = a : x; s = b : !x; x : 0; esac;",
        "s = a & x | s = b & !x | s != a & s != b & x & false",
    );
}

#[test]
fn a_long_case_is_nested() {
    let arms: String = (0..70).map(|n| format!("x[{n}] : y[{n}]; ")).collect();
    let system = system_with(&format!("bool R(bool x[70], bool y[70]) case {arms} esac;"), &[]);
    let text = calculus::print_formula(&system, system.relations[0].body);
    assert!(text.starts_with("x[0] & y[0] | !x[0] & x[1] & y[1] | "));
    assert!(text.ends_with("& !x[68] & x[69] & y[69])"), "{text}");
    assert!(text.contains("& !x[63] & (x[64] & y[64] | !x[64] & x[65] & y[65] |"), "{text}");
}

#[test]
fn boolean_arguments() {
    let q = "bool Q(bool a, bool b) a;";
    check_core(&format!("{q} bool R(bool x) Q(!x, x);"), "exists bool $1. ($1 <-> !x) & Q($1, x)");
    check_core(&format!("{q} bool R(bool x) Q(1, (false));"), "Q(true, false)");
    check_core(
        &format!("{q} bool R(bool x) Q(Q(x, 0), x & x);"),
        "exists bool $1, bool $2. ($1 <-> Q(x, false)) & ($2 <-> x & x) & Q($1, $2)",
    );
}

#[test]
fn positions() {
    let t = "#param k = 2; enum C { 0..k };";
    check_core(
        &format!("{t} bool R(C c[k+1]) exists i in 0..k-1. c[i] = c[i+1];"),
        "c[0] = c[1] | c[1] = c[2]",
    );
    check_core(
        &format!("{t} bool R(C c) forall i in 0..k. c = i -> i < 2;"),
        "(c != 0 | true) & (c != 1 | true) & (c != 2 | false)",
    );
    check_core(
        &format!("{t} bool R(C c) exists i in 1..k. forall j in 0..i-1. c != j;"),
        "c != 0 | c != 0 & c != 1",
    );
    check_core(
        &format!("{t} bool R(C c) (exists i in 1..0. c = i) | (forall i in 1..0. c = i);"),
        "false | true",
    );
    // A position outside the array or the range makes its atom false, except that it differs from every value.
    check_core(&format!("{t} bool R(C c[2]) exists i in 1..2. c[i] = 0;"), "c[1] = 0 | false");
    check_core(
        &format!("{t} bool R(C c) exists i in 2..3. c = i & c < i & c != i & Q(i); bool Q(C c) true;"),
        "c = 2 & c < 2 & c != 2 & Q(2) | false & true & true & false",
    );
}

#[test]
fn positions_bind_fresh_variables_each_time() {
    check_core(
        "bool R(bool x[2]) exists i in 0..1. exists bool y. x[i] = y;",
        "(exists bool y. x[0] = y) | (exists bool y. x[1] = y)",
    );
}

#[test]
fn computed_indices_split_the_smallest_atom() {
    let t = "enum C { 0..2 }; enum T { 0..1 };";
    check_core(
        &format!("{t} bool R(T t[3], C c, T x) t[c] = x;"),
        "c = 0 & t[0] = x | c = 1 & t[1] = x | c = 2 & t[2] = x",
    );
    check_core(
        &format!("{t} bool R(T t[3], C c) t[c-1] != t[c];"),
        "c = 1 & t[0] != t[1] | c = 2 & t[1] != t[2]",
    );
    check_core(
        &format!("{t} bool R(bool t[3], C c, bool x) x & !t[c+1];"),
        "x & !(c = 0 & t[1] | c = 1 & t[2])",
    );
    check_core(&format!("{t} bool Q(bool b, C c) b; bool R(bool t[2], C c) Q(t[c], c) | Q(!t[c], 0);"),
        "c = 0 & Q(t[0], c) | c = 1 & Q(t[1], c) | (exists bool $1. ($1 <-> !(c = 0 & t[0] | c = 1 & t[1])) & Q($1, 0))"
            .replace("c = 0 & Q(t[0], c) | c = 1 & Q(t[1], c)", "(c = 0 & Q(t[0], c) | c = 1 & Q(t[1], c))").as_str());
    check_core(&format!("{t} bool R(T t[9], C c) t[c+8] = 1;"), "c = 0 & t[8] = 1");
    check_core(&format!("{t} bool R(T t[3], C c) t[c+3] = 1;"), "false");
}

#[test]
fn several_computed_indices_in_one_atom() {
    let t = "enum B { 1..2 }; class D { B b; };";
    check_core(
        &format!("{t} bool R(bool x[2], D c, B d) x[c.b-1] = x[d-1];"),
        "c.b = 1 & d = 1 & x[0] = x[0] | c.b = 1 & d = 2 & x[0] = x[1] | \
         c.b = 2 & d = 1 & x[1] = x[0] | c.b = 2 & d = 2 & x[1] = x[1]",
    );
    check_core(
        &format!("{t} bool R(B t[2], bool x[2], B c) x[t[c-1]-1];"),
        "c = 1 & t[0] = 1 & x[0] | c = 1 & t[0] = 2 & x[1] | c = 2 & t[1] = 1 & x[0] | c = 2 & t[1] = 2 & x[1]",
    );
    check_core(
        &format!("{t} bool R(D g[2], D v, B c) g[c-1] = v;"),
        "c = 1 & g[0].b = v.b | c = 2 & g[1].b = v.b",
    );
}

#[test]
fn params_can_be_overridden() {
    let text = "#param k = 1; enum C { 0..k }; bool R(bool x[k]) exists i in 0..k-1. x[i] & i < k;";
    check_core(text, "x[0] & true");
    check_core_with(text, &[("k", 2)], "x[0] & true | x[1] & true");
    let (sources, result) = checked("#param length = 1;", &[("lenght", 2), ("zz", 1)]);
    assert_eq!(
        listed(&sources, &result.expect_err("no such parameters")),
        "the file declares no `#param lenght`; did you mean `length`?\nthe file declares no `#param zz`\n"
    );
}

#[test]
fn brackets_stay() {
    check_core("bool R(bool x, bool y) x & (y & x) & y | (x | y);", "x & (y & x) & y | (x | y)");
}

#[test]
fn leaves_and_binders_keep_their_names() {
    let system =
        system_with("class C { bool x[2]; }; bool R(C c[2], bool b) (exists C d. d = c[0]) & b;", &[]);
    let names: Vec<String> = (0..system.vars.len()).map(|n| system.var_name(VarId::new(n))).collect();
    assert_eq!(names, ["c[0].x[0]", "c[0].x[1]", "c[1].x[0]", "c[1].x[1]", "b", "d.x[0]", "d.x[1]"]);
    let types: Vec<&str> = system.binders.iter().map(|b| b.type_name.as_str()).collect();
    assert_eq!(types, ["C[2]", "bool", "C"]);
    assert_eq!(
        calculus::print_formula(&system, system.relations[0].body),
        "(exists C d. d.x[0] = c[0].x[0] & d.x[1] = c[0].x[1]) & b"
    );
}

fn constraints(text: &str) -> String {
    let system = system_with(text, &[]);
    let names = |vars: &[VarId]| vars.iter().map(|v| system.var_name(*v)).collect::<Vec<_>>().join(" ");
    let lines = system
        .constraints
        .iter()
        .map(|c| format!("{:?}: {} / {}\n", c.kind, names(&c.left), names(&c.right)));
    lines.collect()
}

#[test]
fn allocation_constraints_are_expanded_to_leaves() {
    assert_eq!(
        constraints(
            "class C { bool x[2]; bool y; }; bool R(C c, C d) c ~+ d, c.y < d.x, c.x[0] > d, ~- c true;"
        ),
        "Interleaved: c.x[0] c.x[1] c.y / d.x[0] d.x[1] d.y\nBefore: c.y / d.x[0] d.x[1]\n\
         Before: d.x[0] d.x[1] d.y / c.x[0]\nSeparate: c.x[0] c.x[1] c.y / c.x[0] c.x[1] c.y\n"
    );
}

#[test]
fn constraints_of_a_class_hold_for_every_value_of_it() {
    assert_eq!(
        constraints(
            "class C { bool x, y; } y < x; class D { bool z; C c[2]; } c[0] < c[1]; exists D d. d.z; bool R(C e) e.x;"
        ),
        "Before: e.y / e.x\nBefore: d.c[0].x d.c[0].y / d.c[1].x d.c[1].y\n\
         Before: d.c[0].y / d.c[0].x\nBefore: d.c[1].y / d.c[1].x\n"
    );
    check_errors(
        "enum P { 0..1 }; class C { bool x[2]; P p; } x < z, x[p] < p, x[2] < p;",
        "1:50: there is no variable or enumerator `z`\n\
         1:53: expected a constant index in an allocation constraint, found a variable\n\
         1:65: the index 2 is outside the array `bool[2]`\n",
    );
}

#[test]
fn a_constraint_with_a_position_holds_for_every_position() {
    assert_eq!(
        constraints("#param k = 2; bool R(bool G[k + 1], bool h) G[i + 1] < G[i], G[i - 1] ~+ h true;"),
        "Before: G[1] / G[0]\nBefore: G[2] / G[1]\nInterleaved: G[0] / h\nInterleaved: G[1] / h\n\
         Interleaved: G[2] / h\n"
    );
    assert_eq!(
        constraints("#param k = 2; bool R(bool G[k + 1], bool h) G[i + 1] < G[i], G ~- h true;"),
        "Before: G[1] / G[0]\nBefore: G[2] / G[1]\nSeparate: G[0] G[1] G[2] / h\n"
    );
    assert_eq!(constraints("bool R(bool G[1]) G[i + 1] < G[i] true;"), "");
    check_errors("bool R(bool G[2]) G[i] < H[i] true;", "1:26: there is no variable or enumerator `H`\n");
}

#[test]
fn strata_are_the_values_of_one_sort() {
    let system = system_with("enum A { 0..3 }; #strata A; bool R(A a) a < 2;", &[]);
    let strata = system.strata.map(|sort| system.sorts[sort.index()].name.clone());
    assert_eq!(strata.as_deref(), Some("A"));
    check_errors(
        "enum A { a }; enum B { b }; class C { A a; }; #strata A; #strata A; #strata B; #strata C; #strata D;",
        "1:77: the strata are chosen twice, and differently\n\
         1:88: the strata are the values of an enumeration or a range, not of a class\n\
         1:99: there is no type `D`\n",
    );
}

#[test]
fn storage_is_chosen_by_enum_or_class_wherever_it_is_written() {
    let chosen = |text: &str| -> Vec<String> {
        let system = system_with(text, &[]);
        system.sorts.iter().filter(|s| s.storage == Storage::Explicit).map(|s| s.name.clone()).collect()
    };
    let types = "enum A { a }; enum B { 0..3 }; class C { bool x; B b[2]; D d; }; class D { A a; };";
    assert_eq!(chosen(&format!("#explicit B; {types}")), ["B"]);
    assert_eq!(chosen(&format!("{types} #explicit C;")), ["A", "B"]);
    assert_eq!(chosen(&format!("#symbolic A; {types} #explicit C, bool;")), ["bool", "B"]);
    assert_eq!(chosen(&format!("{types} #symbolic C; #explicit A;")), ["A"]);
    check_errors(
        "enum A { a }; #explicit A; #symbolic A; #explicit E;",
        "1:38: the storage of `A` is chosen twice, and differently\n  1:25: the other choice is here\n1:51: there is no type `E`\n",
    );
}

#[test]
fn actions_in_order() {
    let text = "enum S { a, b }; bool Q(S s) s = a; #wit exists S s. exists S t. Q(s) & Q(t); #cex forall S s. Q(s); \
        #explain Q(a); #print Q(b); #print Q(x) | x; exists S s. Q(s); #size Q; #print \"t\"; #print; #reset all; \
        #timer go; #frontier on; #verbose; #print statistics; #quit; Q(c);";
    let system = system_with(text, &[]);
    let show = |action: &Action| match action {
        Action::Query(f) | Action::PrintFormula(f) => calculus::print_formula(&system, *f),
        Action::Witness(b, f) | Action::Counterexample(b, f) | Action::Explain(b, f) => {
            let names: Vec<&str> = b.iter().map(|b| system.binders[b.index()].name.as_str()).collect();
            format!("{} | {}", names.join(" "), calculus::print_formula(&system, *f))
        }
        action => format!("{action:?}"),
    };
    let shown: Vec<String> = system.items.iter().map(|item| show(&item.action)).collect();
    assert_eq!(
        shown,
        [
            "s t | Q(s) & Q(t)",
            "s | Q(s)",
            " | Q(a)",
            "Q(b)",
            "Print(\"Q(x) | x\")",
            "exists S s. Q(s)",
            "Size(RelationId(0))",
            "Print(\"t\")",
            "Print(\"\")",
            "ResetAll",
            "Timer(Go)",
            "Frontier",
            "Verbose(true)",
            "Statistics",
        ]
    );
}

#[test]
fn prototypes_rank_their_relation() {
    let system = system_with(
        "mu bool A(bool x); nu bool B(bool x) A(x); mu bool A(bool y) B(y) | C(y); bool C(bool x) x;",
        &[],
    );
    let ranks: Vec<(&str, u32)> = system.relations.iter().map(|r| (r.name.as_str(), r.position)).collect();
    assert_eq!(ranks, [("B", 1), ("A", 0), ("C", 3)]);
    check_errors(
        "nu bool A(bool x); mu bool A(bool x) x; bool B(bool x); bool B(bool x, bool y) x; mu bool C(); C();",
        "1:28: prototype and definition of `A` disagree on `mu` or `nu`\n  1:9: the other one is here\n\
         1:62: prototype and definition of `B` disagree on the types of the parameters\n  1:46: the other one is here\n\
         1:96: the relation `C` has a prototype but no definition\n  1:91: its prototype is here\n",
    );
    system_with("mu bool Unused(bool x); true;", &[]);
}

#[test]
fn a_cycle_of_definitions_is_shown() {
    check_errors(
        "bool A(bool x) B(x);\nbool B(bool x) M(x) | A(x);\nmu bool M(bool x) N(x); bool N(bool x) M(x);\nbool S() S();",
        "1:6: the definition of `A` needs itself, and no `mu` or `nu` is on the way\n  1:16: `A` applies `B` here\n  \
         2:23: `B` applies `A` here\n\
         4:6: the definition of `S` needs itself, and no `mu` or `nu` is on the way\n  4:10: `S` applies `S` here\n",
    );
}

#[test]
fn a_negated_occurrence_is_a_warning() {
    let warnings = |text| {
        let (sources, result) = checked(text, &[]);
        listed(&sources, &result.expect("accepted").1)
    };
    assert_eq!(
        warnings("mu bool A(bool x) x | !B(x);\nbool B(bool x) A(x);\nmu bool C(bool x) x & !A(x);"),
        "1:24: not positive: `B` occurs negated in the definition of `A`, on which it depends\n  \
         the value is what the iteration gives, outermost relation first; it may not stabilise\n"
    );
    assert_eq!(warnings("mu bool A(bool x) !!A(x); nu bool B(bool x) !A(x);"), "");
}

#[test]
fn types_that_are_wrong() {
    check_errors(
        "enum S { a, b, a };\nenum S { c };\nenum P { 3..1 };\nenum Q { 0..9999999999 };\nenum N { 0..m };",
        "1:16: the enumerator `a` is declared twice\n  1:10: it is first declared here\n\
         2:6: the type `S` is declared twice\n  1:6: it is first declared here\n\
         3:10: the enum `P` has no values: 3 is larger than 1\n\
         4:10: the values 0..9999999999 of `Q` are not at most 2^32 natural numbers\n\
         5:13: expected a number or a `#param`, found `m`\n",
    );
    check_errors(
        "class C { bool s; bool s; Sat t; D d; };\nclass D { C c; };\nenum State { a };",
        "1:24: the member `s` is declared twice\n  1:16: it is first declared here\n\
         1:27: there is no type `Sat`\n2:13: the class `C` contains itself\n",
    );
    check_errors(
        "#param k = 3; #param k = 4; enum S { k };",
        "1:8: `k` is both a `#param` and an enumerator\n1:22: the parameter `k` is declared twice\n  1:8: it is first declared here\n",
    );
    check_errors(
        "class A { bool x[10000]; }; class B { A a[10000]; }; bool R(B b) true; #param k = 0; bool Q(bool x[k-1]) true;",
        "1:61: a value of `B` has 100000000 parts, more than 1000000\n1:100: the length -1 of an array is negative\n",
    );
}

#[test]
fn bodies_that_are_wrong() {
    check_body_error("s = rad", "there is no variable or enumerator `rad`; did you mean `red`?");
    check_body_error("s = blue", "expected `S`, found `blue` of `T`");
    check_body_error("2 = s", "`S` has no value number 2: they are 0..1");
    check_body_error("p = 4", "the number 4 is outside `P`, which is 1..3");
    check_body_error("p = red", "expected `P`, found `red` of `S`");
    check_body_error("c = s", "cannot compare `C` with `S`: expected the same type on both sides");
    check_body_error("c = 1", "expected `C`, found the number 1");
    check_body_error("c.s.t", "`S` is not a class and has no member `t`");
    check_body_error("c.x.s", "expected an index, found member `s` of the array `bool[2]`");
    check_body_error("c.x", "expected `bool`, found `bool[2]`");
    check_body_error("2", "expected `bool`, found the number 2");
    check_body_error("red", "expected `bool`, found `red` of `S`");
    check_body_error("s < s", "expected a range type around an ordering, found `S`");
    check_body_error("(b & b) < b", "expected a range type around an ordering, found `bool`");
    check_body_error("true < false", "expected a range type around an ordering, found `bool`");
    check_body_error("c.x[2]", "the index 2 is outside the array `bool[2]`");
    check_body_error("c.x[s]", "expected a number or a variable of range type as index, found `S`");
    check_body_error("c.x[red]", "expected a number or a variable of range type as index");
    check_body_error("s[1] = s", "the index 1 is outside `S`, whose values have 1 bit");
    check_body_error("red.x", "`red` is a constant and has no parts");
    check_body_error(
        "1 = red",
        "cannot compare the number 1 with `red` of `S`: expected the same type on both sides",
    );
    check_body_error(
        "red = blue",
        "cannot compare `red` of `S` with `blue` of `T`: expected the same type on both sides",
    );
    check_body_error("s = (b | b)", "expected `bool`, found `S`");
    check_body_error("R", "`R` is a relation: expected its arguments in brackets behind it");
    check_body_error("exists i in 0..n. b", "expected a number or a `#param`, found `n`");
    check_body_error("exists i in 0..9999999. b", "the positions 0..9999999 are more than 1000000");
    check_body_error("Rr(c, s)", "there is no relation `Rr`; did you mean `R`?");
}

#[test]
fn applications_that_are_wrong() {
    check_errors(
        "enum S { a }; class C { S s; };\nbool R(C c, S s) true;\nbool Q(C c, S s) R(c) | R(s, c) | R(c, !s) | R(c, 3);",
        "3:18: `R` takes 2 arguments, but this application passes 1\n  2:6: it is declared here\n\
         3:27: expected `C`, found `S`\n3:30: expected `S`, found `C`\n\
         3:40: expected `S`, found `bool`\n3:41: expected `bool`, found `S`\n3:51: `S` has no value number 3: they are 0..0\n",
    );
    check_errors(
        "class C { bool aa; }; bool R(C c, C c) c.ab;",
        "1:37: the variable `c` is declared twice\n  1:32: it is first declared here\n\
         1:42: the class `C` has no member `ab`; did you mean `aa`?\n  1:7: it is declared here\n",
    );
    check_errors(
        "bool R(bool x) x; bool R(bool x) !x; R(y); #size Q;",
        "1:24: the relation `R` is declared twice\n  1:6: it is first declared here\n\
         1:40: there is no variable or enumerator `y`\n1:50: there is no relation `Q`\n",
    );
}

#[test]
fn a_wrong_type_is_reported_once_and_not_for_every_use() {
    check_errors("mu bool R(Foo f) f.x = 1 & R(f) & f[2]; R(1);", "1:11: there is no type `Foo`\n");
    check_errors(
        "bool R(bool x[2]) exists i in 0..1. x[i] = y;",
        "1:44: there is no variable or enumerator `y`\n",
    );
}

#[test]
fn the_rest_of_a_partial_file_is_checked() {
    let mut sources = Sources::default();
    let text = "enum S { a b };\nbool R(bool x) Q(x) & y = c;\nbool T(bool x, S s) R(x, x);\nbool Q( x;";
    let file = sources.add("demo.mu", text);
    let (tree, diagnostics) = calculus::parse(&sources, file);
    assert_eq!(
        listed(&sources, &diagnostics),
        "1:12: expected `}`, found `b`\n4:10: expected a name behind the type, found `;`\n"
    );
    let errors = calculus::check(&tree, &[]).expect_err("a partial file is never accepted");
    let expected = "3:21: `R` takes 1 argument, but this application passes 2\n  2:6: it is declared here\n";
    assert_eq!(listed(&sources, &errors), expected);
    let file = sources.add("broken.mu", "true; )");
    assert!(calculus::check(&calculus::parse(&sources, file).0, &[]).is_err());
}

#[test]
fn combinations_of_indices_are_bounded() {
    let names: Vec<String> = (0..40).map(|n| format!("P p{n}")).collect();
    let uses: Vec<String> = (0..40).map(|n| format!("x[p{n}]")).collect();
    let text = format!(
        "enum P {{ 0..1 }}; bool Q(bool x[2], {}) Q2({}); bool Q2({}) true;",
        names.join(", "),
        uses.join(", "),
        names.join(", ").replace('P', "bool")
    );
    let (sources, result) = checked(&text, &[]);
    let listed = listed(&sources, &result.expect_err("too many"));
    assert!(listed.contains("more than"), "{listed}");
}

#[test]
fn an_error_shows_the_place() {
    let (sources, result) = checked("bool R(bool x) x;\nexists bool y. R(y, y);\n", &[]);
    let rendered: String = result.expect_err("wrong").iter().map(|d| render(&sources, d)).collect();
    assert_eq!(
        rendered,
        "error: `R` takes 1 argument, but this application passes 2\n  --> demo.mu:2:16\n \
        2 | exists bool y. R(y, y);\n   |                ^\nnote: it is declared here\n  --> demo.mu:1:6\n \
        1 | bool R(bool x) x;\n   |      ^\n"
    );
}

// Sizes. The test threads have 2 MB of stack.

#[test]
fn large_enums() {
    let names: Vec<String> = (0..1_000_000).map(|n| format!("v{n}")).collect();
    let text = format!(
        "enum E {{ {} }}; enum P {{ 0..999999 }}; bool R(E e, P p) e = v999999 & p = 999999;",
        names.join(", ")
    );
    check_core(&text, "e = v999999 & p = 999999");
    let (sources, result) = checked(&text.replace("e = v999999", "e = w999999"), &[]);
    assert!(listed(&sources, &result.expect_err("wrong")).contains("did you mean `v999999`?"));
}

#[test]
fn long_and_deep_formulas() {
    let n = 100_000;
    let wrap = |body: String| system_with(&format!("enum P {{ 0..1 }}; mu bool R(bool x, P p) {body};"), &[]);
    assert_eq!(wrap(format!("{}x", "x & ".repeat(n))).formulas.len(), n + 2);
    assert_eq!(wrap(format!("{}x", "p = 1 | ".repeat(n))).formulas.len(), n + 2);
    let deep = wrap(format!("{}x", "!".repeat(n)));
    assert_eq!(calculus::print_formula(&deep, deep.relations[0].body).len(), n + 1);
    assert_eq!(wrap(format!("{}x", "exists bool x. ".repeat(n))).binders.len(), n + 2);
    wrap(format!("{}x{}", "x & (x | ".repeat(n), ")".repeat(n)));
    wrap(format!("{}x{}", "R(".repeat(n), ", p)".repeat(n)));
    wrap(format!("{}x", "if (x) x else ".repeat(n)));
    wrap(format!("case {} esac", "x : x; ".repeat(n)));
    wrap(format!("{}x{}", "(x -> ".repeat(n), ")".repeat(n)));
    wrap(format!("exists P y[2]. y[{}p{}] = p", "y[".repeat(6), "]".repeat(6)));
}

#[test]
fn deep_classes_and_many_relations() {
    let classes: String = (1..1000).map(|n| format!("class C{n} {{ C{} c; }};", n - 1)).collect();
    let system =
        system_with(&format!("class C0 {{ bool x; }}; {classes} bool R(C999 a, C999 b) a = b;"), &[]);
    assert_eq!(system.vars.len(), 2);
    let relations: String = (1..50_000).map(|n| format!("bool R{n}(bool x) R{}(x);", n - 1)).collect();
    assert_eq!(
        system_with(&format!("{relations} bool R0(bool x) x; R49999(1);"), &[]).relations.len(),
        50_000
    );
}

#[test]
fn unrolling_is_bounded() {
    let text = "exists i in 0..9999. exists j in 0..9999. exists k in 0..9999. i = j;";
    let (sources, result) = checked(text, &[]);
    let listed = listed(&sources, &result.expect_err("too large"));
    assert!(listed.contains("the file expands to more than 10000000 formulas"), "{listed}");
}

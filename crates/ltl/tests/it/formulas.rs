//! Formulas as text: how they are understood, what is wrong with them, and the monitors they become.

use base::Sources;
use ltl::{Formula, FormulaId, Node};

/// A formula with every bracket, in prefix form.
fn show(formula: &Formula, sources: &Sources, id: FormulaId) -> String {
    let of = |id| show(formula, sources, id);
    match formula.node(id) {
        Node::Constant(value) => (if value { "T" } else { "F" }).to_owned(),
        Node::Proposition(n) => sources.text(formula.propositions[n as usize]).to_owned(),
        Node::Not(a) => format!("!{}", of(a)),
        Node::Next(a) => format!("X {}", of(a)),
        Node::And(a, b) => format!("[{} & {}]", of(a), of(b)),
        Node::Or(a, b) => format!("[{} | {}]", of(a), of(b)),
        Node::Until(a, b) => format!("[{} U {}]", of(a), of(b)),
        Node::Release(a, b) => format!("[{} R {}]", of(a), of(b)),
    }
}

fn lines(sources: &Sources, diagnostics: &[base::Diagnostic]) -> Vec<String> {
    let line = |d: &base::Diagnostic| {
        let (line, column) = d.span.map_or((0, 0), |span| sources.line_column(span));
        format!("{line}:{column}: {}", d.message)
    };
    diagnostics.iter().map(line).collect()
}

#[track_caller]
fn check(text: &str, expected: &str) {
    let mut sources = Sources::default();
    let file = sources.add("formula", text);
    let shown = match ltl::parse(&sources, file) {
        Ok(formula) => show(&formula, &sources, formula.root()),
        Err(diagnostics) => lines(&sources, &diagnostics).join("; "),
    };
    assert_eq!(shown, expected, "{text}");
}

#[test]
fn operators_bind_as_usual() {
    check("a U b & c | d -> e", "[![[[a U b] & c] | d] | e]");
    check("a U b U c", "[a U [b U c]]");
    check("a & b & c", "[[a & b] & c]");
    check("!a U b", "[!a U b]");
    check("G a -> F b", "[![F R a] | [T U b]]");
    check("a -> b -> c", "[!a | [!b | c]]");
    check("a W b", "[b R [a | b]]");
    check("[] (a => <> b)", "[F R [!a | [T U b]]]");
    check("a <-> b", "[[a & b] | ![a | b]]");
    check("GF a", "[F R [T U a]]");
    check("X X a R b", "[X X a R b]");
}

#[test]
fn propositions_are_expressions() {
    check("G (at(lock) -> F at(f:unlock))", "[F R [!at(lock) | [T U at(f:unlock)]]]");
    check("x + 1 < y & b", "[x + 1 < y & b]");
    check("(x + 1) < y", "(x + 1) < y");
    check("G ((x + 1) * 2 != y)", "[F R (x + 1) * 2 != y]");
    check("x = !y U z", "[x = !y U z]");
    check("f.x = 3 | {a>b}", "[f.x = 3 | {a>b}]");
    check("(a)", "a");
    check("x ^ y", "x ^ y");
}

#[test]
fn letters_are_operators_where_an_operand_follows() {
    check("F", "F");
    check("T U F", "[T U F]");
    check("F & a", "[F & a]");
    check("F F", "[T U F]");
    check("F (a)", "[T U a]");
    check("X = 3", "X = 3");
    check("U = 3 U b", "[U = 3 U b]");
    check("a U U", "[a U U]");
    check("X < 2 & G", "[X < 2 & G]");
}

#[test]
fn mistakes_have_a_place() {
    check("", "1:1: expected a formula, found the end of the formula");
    check("G (a -> ", "1:9: expected a formula, found the end of the formula");
    check("G (a", "1:5: expected `)`, found the end of the formula");
    check("a b", "1:3: expected an operator such as `&`, `->` or `U`, found `b`");
    check("a)", "1:2: expected an operator such as `&`, `->` or `U`, found `)`");
    check("a & & b", "1:5: expected a formula, found `&`");
    check("a\n  @ b", "2:3: the character `@` belongs to no formula");
    check("a U", "1:4: expected a formula, found the end of the formula");
}

#[test]
fn deep_formulas_need_no_stack_of_the_host() {
    let text = format!("{}a{}", "(X ".repeat(100_000), ")".repeat(100_000));
    let mut sources = Sources::default();
    let file = sources.add("formula", text);
    assert_eq!(ltl::parse(&sources, file).expect("it is right").nodes.len(), 100_001);
}

const PROGRAM: &str = "decl lock, n: int<3>;
    void main() begin decl z; while (*) do acquire: lock := T; f(z); release: lock := F; od end
    void f(x) begin skip; end";

fn violations(text: &str) -> Result<String, Vec<String>> {
    let mut sources = Sources::default();
    let (program, _) = bp::load(&mut sources, "test.bp", PROGRAM).expect("the program is right");
    let translated = ltl::violations(&mut sources, "formula", text, &program);
    translated.map(|translated| translated.text).map_err(|diagnostics| lines(&sources, &diagnostics))
}

#[test]
fn a_formula_becomes_a_small_monitor() {
    let expected = "monitor ltl\nbegin\n  initial state s0:\n    on T goto s0;\n    on at(acquire) & !at(release) goto s1;\n  \
                    target state s1:\n    on !at(release) goto s1;\nend\n";
    assert_eq!(violations("G (at(acquire) -> F at(release))").unwrap(), expected);
}

#[test]
fn a_negation_over_locals_holds_where_their_function_is_not_on_top() {
    let text = violations("F f.x").unwrap();
    let expected =
        "monitor ltl\nbegin\n  initial target state s0:\n    on !in(f) goto s0;\n    on !f.x goto s0;\nend\n";
    assert_eq!(text, expected);
}

#[test]
fn propositions_that_name_nothing_are_errors() {
    let texts = [
        "G at(aquire)",
        "F n",
        "F (n = 9)",
        "G (lok -> F lock)",
        "G (* -> F lock)",
        "G in(g)",
        "n + 1 U lock",
    ];
    let errors: Vec<String> = texts.iter().map(|text| violations(text).unwrap_err().join("; ")).collect();
    let expected = [
        "1:6: there is no label `aquire`; did you mean `acquire`?",
        "1:3: expected `bool`, found `int<3>`",
        "1:8: the number 9 does not fit: `int<3>` goes from 0 to 7",
        "1:4: `lok` is not declared; did you mean `lock`?",
        "1:4: a proposition has one truth value in each state: `*` and `schoose` have none",
        "1:6: there is no function `g`",
        "1:1: expected `bool`, found `int<3>`",
    ];
    assert_eq!(errors, expected);
}

#[test]
fn a_formula_may_be_too_large() {
    let many: Vec<String> =
        (0..18).map(|n| format!("F ({}lock & X {}at(acquire))", "X ".repeat(n), "X ".repeat(n))).collect();
    let error = violations(&format!("!({})", many.join(" & "))).unwrap_err();
    assert!(error[0].contains("too large"), "{error:?}");
}

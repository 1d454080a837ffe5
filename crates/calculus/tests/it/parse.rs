//! Text in, canonical text or errors out: the grammar, recovery, and sizes beyond any stack.

use base::{Diagnostic, Sources, render};

fn parse(text: &str) -> (Sources, calculus::syntax::File, Vec<Diagnostic>) {
    let mut sources = Sources::default();
    let file = sources.add("demo.mu", text);
    let (tree, diagnostics) = calculus::parse(&sources, file);
    (sources, tree, diagnostics)
}

/// Every error as `line:column: message`, notes indented.
fn errors(text: &str) -> String {
    let (sources, _, diagnostics) = parse(text);
    let mut out = String::new();
    for diagnostic in &diagnostics {
        let (line, column) = sources.line_column(diagnostic.span.expect("a syntax error has a place"));
        out.push_str(&format!("{line}:{column}: {}\n", diagnostic.message));
        for (note, span) in &diagnostic.notes {
            match span.map(|span| sources.line_column(span)) {
                Some((line, column)) => out.push_str(&format!("  {line}:{column}: {note}\n")),
                None => out.push_str(&format!("  {note}\n")),
            }
        }
    }
    out
}

#[test]
fn doubled_operators_get_a_hint() {
    check_errors("1 == 1;", "1:4: expected an expression, found `=`\n  equality is written `=`\n");
    check_errors("1 && 1;", "1:4: expected an expression, found `&`\n  conjunction is written `&`\n");
    check_errors("1 || 1;", "1:4: expected an expression, found `|`\n  disjunction is written `|`\n");
    check_errors("1 & & 1;", "1:5: expected an expression, found `&`\n");
}

#[track_caller]
fn check_print(text: &str, expected: &str) {
    let (sources, tree, diagnostics) = parse(text);
    let rendered: String = diagnostics.iter().map(|d| render(&sources, d)).collect();
    assert_eq!(rendered, "", "{text}");
    assert_eq!(calculus::print(&tree), expected, "{text}");
}

#[track_caller]
fn check_errors(text: &str, expected: &str) {
    assert_eq!(errors(text), expected, "{text}");
}

#[test]
fn an_empty_file_is_a_file() {
    check_print("", "");
    check_print(" \n\t// nothing\n/* at * all */", "");
}

#[test]
fn declarations() {
    check_print("enum S{a,b , c};", "enum S { a, b, c };\n");
    check_print(
        "enum P{0 .. 7};enum Q{1..k+1};enum R{k..9};",
        "enum P { 0..7 };\nenum Q { 1..k+1 };\nenum R { k..9 };\n",
    );
    check_print(
        "class C { bool a, b[2]; S s; S t[k - 1]; }; struct D { };",
        "class C { bool a, b[2]; S s, t[k-1]; };\nclass D { };\n",
    );
    check_print(
        "class C { P a, b, c; } a < b, b > c, a ~+ c, a.x[1] ~- b, ~+ a, ~- b;",
        "class C { P a, b, c; } a < b, b > c, a ~+ c, a.x[1] ~- b, ~+ a, ~- b;\n",
    );
    check_print("mu bool R(S s, bool b[3]); nu bool Q();", "mu bool R(S s, bool b[3]);\nnu bool Q();\n");
    check_print("bool R() 1;", "bool R()\n  1;\n");
}

#[test]
fn names_may_contain_quotes_and_dollars_and_in() {
    check_print("exists S x'. x' = $y'z$;", "exists S x'. x' = $y'z$;\n");
    check_print("exists T in. in;", "exists T in. in;\n");
    check_print("exists T in, T in2. in & in2;", "exists T in, T in2. in & in2;\n");
}

#[test]
fn operators_bind_as_the_grammar_says() {
    check_print("a|b&c|d;", "a | b & c | d;\n");
    check_print("(a|b)&(c|d);", "(a | b) & (c | d);\n");
    check_print("!a=b&!c;", "!a = b & !c;\n");
    check_print("(!a)=b;", "(!a) = b;\n");
    check_print("!!a&!(a&b);", "!!a & !(a & b);\n");
    check_print("a&b->c|d;", "a & b -> c | d;\n");
    check_print("(a->b)->c;", "(a -> b) -> c;\n");
    check_print("a<->b; a<+>b; a<-b; a->b;", "a <-> b;\na <+> b;\na <- b;\na -> b;\n");
    check_print("a=b; a!=b; a<b; a<=b; a>b; a>=b;", "a = b;\na != b;\na < b;\na <= b;\na > b;\na >= b;\n");
    check_print("a assume b = c cofactor d;", "a assume b = c cofactor d;\n");
    check_print("(a assume b) assume (c = d);", "(a assume b) assume (c = d);\n");
    check_print("R(a, b & c, exists S s. s = t, Q());", "R(a, b & c, exists S s. s = t, Q());\n");
}

#[test]
fn brackets_are_the_plan() {
    check_print("a & b & c;", "a & b & c;\n");
    check_print("a & (b & c);", "a & (b & c);\n");
    check_print("((a & b)) & c;", "(a & b) & c;\n");
    check_print("(a | b) | (c);", "(a | b) | c;\n");
}

#[test]
fn quantifiers_extend_to_the_right() {
    check_print("exists S s, bool b[2]: s = t & b[0];", "exists S s, bool b[2]. s = t & b[0];\n");
    check_print("a & exists S s. b & c | d;", "a & (exists S s. b & c | d);\n");
    check_print("(a & exists S s. b) & c;", "(a & (exists S s. b)) & c;\n");
    check_print("!forall S s. a -> b;", "!(forall S s. a -> b);\n");
    check_print("exists i in 0..k-1. G[i+1];", "exists i in 0..k-1. G[i+1];\n");
    check_print("forall i in j+1..3: G[i];", "forall i in j+1..3. G[i];\n");
    check_print("exists S s. forall S t. s = t;", "exists S s. forall S t. s = t;\n");
}

#[test]
fn if_and_case() {
    check_print("if (a) b else c & d;", "if (a) b else c & d;\n");
    check_print("if (a) if (b) c else d;", "if (a) if (b) c else d;\n");
    check_print("if (a) (if (b) c) else d;", "if (a) (if (b) c) else d;\n");
    check_print("if (a) b & if (c) d else e else f;", "if (a) b & (if (c) d else e) else f;\n");
    check_print("if (a) exists S s. if (b) c else d;", "if (a) exists S s. if (b) c else d;\n");
    check_print(
        "case a : b; c = d : e | f; 1 : 0; esac & g;",
        "case a : b; c = d : e | f; 1 : 0; esac & g;\n",
    );
    check_print(
        "case case a:b; esac : case c:d; esac; esac;",
        "case case a : b; esac : case c : d; esac; esac;\n",
    );
}

#[test]
fn paths() {
    check_print("a.b[0].c[i].d;", "a.b[0].c[i].d;\n");
    check_print("a[b.c[d[e - 2] + 1]].f;", "a[b.c[d[e-2]+1]].f;\n");
}

#[test]
fn directives() {
    let text = "#print; #print \"two\nlines\"; #print statistics; #print statistics & a; #print (statistics);\n\
        #size R; #ons R; #onsetsize R; #vis R; #dump R; #undump R; #certify R; #plan R; #reset R; #reset all;\n\
        #wit exists S s. R(s); #cex R(a); #explain R(a); #timer; #timer go; #timer stop; #timer reset;\n\
        #frontier; #frontier on; #frontier off; #verbose; #explicit S, bool; #symbolic T; #strata S; #param k = 3;\n\
        #load ../a/b.mu; #load \"c d\"; #load /* x */ e;";
    let expected = "#print;\n#print \"two\nlines\";\n#print statistics;\n#print statistics & a;\n#print (statistics);\n\
        #size R;\n#ons R;\n#ons R;\n#vis R;\n#dump R;\n#undump R;\n#certify R;\n#plan R;\n#reset R;\n#reset all;\n\
        #wit exists S s. R(s);\n#cex R(a);\n#explain R(a);\n#timer;\n#timer go;\n#timer stop;\n#timer reset;\n\
        #frontier;\n#frontier on;\n#frontier off;\n#verbose;\n#explicit S, bool;\n#symbolic T;\n#strata S;\n#param k = 3;\n\
        #load \"../a/b.mu\";\n#load \"c d\";\n#load \"e\";\n";
    check_print(text, expected);
}

#[test]
fn nothing_after_quit_is_read() {
    check_print("#quit; this is ( not @ a file", "#quit;\n");
    check_errors("@ #quit; @", "1:1: the character `@` belongs to no token\n");
}

#[test]
fn constraints_or_body() {
    check_print("bool R(P a, P b) a < b;", "bool R(P a, P b)\n  a < b;\n");
    check_print("bool R(P a, P b) a < b & a = b;", "bool R(P a, P b)\n  a < b & a = b;\n");
    check_print("bool R(P a, P b) a < b a = b;", "bool R(P a, P b) a < b\n  a = b;\n");
    check_print("bool R(P a, P b) a > b (a = b);", "bool R(P a, P b) a > b\n  a = b;\n");
    check_print("bool R(P a, P b) a < b, a ~+ b a < b;", "bool R(P a, P b) a < b, a ~+ b\n  a < b;\n");
    check_print("bool R(P a, P b) a.x[1] < b.y a <-> b;", "bool R(P a, P b) a.x[1] < b.y\n  a <-> b;\n");
    check_print("bool R(P a, P b) ~+ a, ~- b !a;", "bool R(P a, P b) ~+ a, ~- b\n  !a;\n");
    check_print("bool R(P a) (a < b(c));", "bool R(P a)\n  (a < b(c));\n");
    check_print("bool R(P a) a[i + 1] = b;", "bool R(P a)\n  a[i+1] = b;\n");
}

#[test]
fn constraints_need_a_body() {
    check_errors("bool R(P a, P b) a ~+ b;", "1:24: expected an expression, found `;`\n");
    check_errors("bool R(P a, P b) a < b, b < a;", "1:30: expected an expression, found `;`\n");
    check_errors("bool R(P a, P b) a ~+ 1 a;", "1:23: expected a path, found `1`\n");
    check_errors("class C { P a; } a;", "1:19: expected `<`, `>`, `~+` or `~-`, found `;`\n");
}

#[test]
fn all_errors_at_once() {
    let text = "enum S { a, };\nbool R(S s) s = ;\nbool Q(S s) (s = a;\n#prin 1;\nbool P() case a : b; c ) ; esac;\n1 = 2 = 3;\nbool T() true bool U() x y;\ntrue;";
    let expected = "\
1:13: expected an enumerator, found `}`
2:17: expected an expression, found `;`
3:19: expected `)` or an operator, found `;`
  3:13: it would close what begins here
4:1: there is no directive `#prin`; did you mean `#print`?
5:24: expected `:` or an operator, found `)`
  5:10: it would close what begins here
6:7: a second `=` needs brackets: comparisons do not chain
7:15: expected `;`, found `bool`
7:26: expected `;`, found `y`
";
    check_errors(text, expected);
}

#[test]
fn an_error_shows_the_place() {
    let (sources, _, diagnostics) = parse("bool R(S s)\n  s.a & = b;\n");
    let rendered: String = diagnostics.iter().map(|d| render(&sources, d)).collect();
    let expected =
        "error: expected an expression, found `=`\n  --> demo.mu:2:9\n 2 |   s.a & = b;\n   |         ^\n";
    assert_eq!(rendered, expected);
}

#[test]
fn what_does_not_chain() {
    check_errors(
        "a -> b -> c;",
        "1:8: a second `->` needs brackets: `->`, `<-`, `<->`, `<+>` do not chain\n",
    );
    check_errors("a assume b assume c;", "1:12: a second `assume` needs brackets: it does not chain\n");
    check_errors("a = !b;", "1:5: `!` needs brackets behind a comparison or `assume`\n");
    check_errors("a = exists S s. b;", "1:5: `exists` needs brackets behind a comparison or `assume`\n");
    check_errors("a else b;", "1:3: this `else` has no `if`\n");
    check_errors("(if (a) b) else c;", "1:12: this `else` has no `if`\n");
}

#[test]
fn characters_that_belong_nowhere() {
    check_errors("a \0 & b;", "1:3: the character `\\u{0}` belongs to no token\n");
    check_errors("a & ü@b;", "1:5: the character `\\u{fc}@` belongs to no token\n");
    check_errors("a ~ b;", "1:3: the character `~` belongs to no token\n1:5: expected `;`, found `b`\n");
    check_errors(
        "a & 2x;",
        "1:5: expected a number or a name, found `2x`: names do not begin with a digit\n",
    );
    check_errors("99999999999999999999;", "1:1: this number is larger than 18446744073709551615\n");
    check_errors("a; /* b", "1:4: this comment is not closed: expected `*/`, found the end of the file\n");
    check_errors(
        "#print \"a;\nb;",
        "1:8: this text is not closed: expected `\"`, found the end of the file\n2:1: expected `;`, found `b`\n",
    );
}

#[test]
fn what_else_is_missing() {
    check_errors("a", "1:2: expected `;`, found the end of the file\n");
    check_errors(")", "1:1: expected an expression, found `)`\n");
    check_errors("a[];", "1:3: expected a number or a variable as index, found `]`\n");
    check_errors("a[1+2];", "1:4: expected `]`, found `+`\n");
    check_errors("a.1;", "1:3: expected the name of a member, found `1`\n");
    check_errors("exists S. a;", "1:9: expected a name behind the type, found `.`\n");
    check_errors("exists S s a;", "1:12: expected `.`, `:` or `,`, found `a`\n");
    check_errors("mu R(S s) a;", "1:4: expected `bool`, found `R`\n");
    check_errors("enum E { };", "1:10: expected an enumerator or a number, found `}`\n");
    check_errors("#timer start;", "1:8: expected `go`, `stop`, `reset` or `;`, found `start`\n");
    check_errors("#param k;", "1:9: expected `=`, found `;`\n");
    check_errors("R(a,);", "1:5: expected an expression, found `)`\n");
    check_errors("if a b;", "1:4: expected `(`, found `a`\n");
}

// Sizes. The test threads have 2 MB of stack.

#[track_caller]
fn check_size(text: &str) {
    let (_, tree, diagnostics) = parse(text);
    assert_eq!(diagnostics, [], "{}", &text[..60]);
    let printed = calculus::print(&tree);
    let (_, again, diagnostics) = parse(&printed);
    assert_eq!(diagnostics, [], "{}", &printed[..60]);
    assert_eq!(calculus::print(&again), printed, "{}", &text[..60]);
}

#[test]
fn a_million_brackets() {
    let n = 1_000_000;
    let text = format!("{}a{};", "(".repeat(n), ")".repeat(n));
    check_print(&text, "a;\n");
    let open = errors(&format!("{}a", "(".repeat(n)));
    assert_eq!(
        open.lines().next(),
        Some("1:1000002: expected `)` or an operator, found the end of the file")
    );
}

#[test]
fn deep_nesting_of_everything() {
    let n = 100_000;
    check_size(&format!("{}a;", "!".repeat(n)));
    check_size(&format!("{}a;", "exists S s. ".repeat(n)));
    check_size(&format!("{}a{};", "a & (b | ".repeat(n), ")".repeat(n)));
    check_size(&format!("{}a{};", "R(".repeat(n), ")".repeat(n)));
    check_size(&format!("{}a{};", "a[".repeat(n), "]".repeat(n)));
    check_size(&format!("{}a;", "if (a) b else ".repeat(n)));
    check_size(&format!("{}a{};", "if (".repeat(n), ") b".repeat(n)));
    check_size(&format!("{}a : b; esac{};", "case ".repeat(n), " : b; esac".repeat(n - 1)));
    check_size(&format!("{}a{};", "(a -> ".repeat(n), ")".repeat(n)));
}

#[test]
fn long_lists_of_everything() {
    let n = 100_000;
    check_size(&format!("{}a;", "a & ".repeat(n)));
    check_size(&format!("{}a;", "a | ".repeat(n)));
    check_size(&format!("R({}a);", "a, ".repeat(n)));
    check_size(&format!("case {} esac;", "a : b; ".repeat(n)));
    check_size(&format!("enum E {{ {}a }};", "a, ".repeat(n)));
    check_size(&"bool R() true;\n".repeat(n));
}

#[test]
fn many_errors_take_linear_time() {
    assert_eq!(parse(&"a & ;\n".repeat(100_000)).2.len(), 100_000);
    assert_eq!(parse(&"case a : ) ;\n".repeat(100_000)).2.len(), 1);
}

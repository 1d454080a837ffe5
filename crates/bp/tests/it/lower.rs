//! From programs to machines: nodes, edges and code.

use rsm::{Action, Expr, Module, Operation, Place, Rsm};

fn place(machine: &Rsm, module: Option<&Module>, place: Place) -> String {
    match (place, module) {
        (Place::Global(n), _) => machine.globals[n as usize].name.clone(),
        (Place::Local(n), Some(module)) => module.locals[n as usize].name.clone(),
        (Place::Local(n), None) => format!("local {n}"),
    }
}

/// Postfix code, operations with blanks between them.
fn code(machine: &Rsm, module: Option<&Module>, expr: &Expr) -> String {
    let operation = |term: &rsm::Term| match term.operation {
        Operation::Constant(value) => term.ty.value_name(value),
        Operation::Read(variable) => place(machine, module, variable),
        Operation::ReadNext(variable) => format!("{}'", place(machine, module, variable)),
        Operation::Choice(_) => "*".to_owned(),
        Operation::Binary(operator) => format!("{operator:?}"),
        other => format!("{other:?}"),
    };
    expr.code.iter().map(operation).collect::<Vec<_>>().join(" ")
}

fn action(machine: &Rsm, module: &Module, action: &Action) -> String {
    let code = |expr: &Expr| code(machine, Some(module), expr);
    let list = |list: &[Expr]| list.iter().map(code).collect::<Vec<_>>().join(", ");
    let variable = |variable: &Place| place(machine, Some(module), *variable);
    match action {
        Action::Skip => "skip".to_owned(),
        Action::Assume(condition) => format!("assume {}", code(condition)),
        Action::Assert(condition) => format!("assert {}", code(condition)),
        Action::Assign { targets, values, constrain } => {
            let targets = targets.iter().map(variable).collect::<Vec<_>>().join(", ");
            let constrain = constrain.as_ref().map_or(String::new(), |c| format!(" constrain {}", code(c)));
            format!("{targets} := {}{constrain}", list(values))
        }
        Action::Call { callee, args, results } => {
            let results: Vec<String> =
                results.iter().map(|result| result.as_ref().map_or("_".to_owned(), variable)).collect();
            format!("[{}] := {}({})", results.join(", "), machine.module(*callee).name, list(args))
        }
        Action::Return { values } => format!("return {}", list(values)).trim_end().to_owned(),
    }
}

/// One line for each edge; labels and `atomic` stand at the first edge of their node.
fn describe(text: &str) -> String {
    let program = crate::harness::correct(text);
    let machine = bp::lower(&program).expect("the program is sequential");
    let mut lines = Vec::new();
    for init in &machine.init {
        lines.push(format!("init {}", code(&machine, None, init)));
    }
    for module in &machine.modules {
        lines.push(format!("{}:", module.name));
        if let Some(enforce) = &module.enforce {
            lines.push(format!("  enforce {}", code(&machine, Some(module), enforce)));
        }
        for edge in &module.edges {
            let node = module.node(edge.from);
            let labels: String = node.labels.iter().map(|label| format!("{label}: ")).collect();
            let atomic = if node.in_atomic { "atomic " } else { "" };
            let to = if edge.to == module.exit { "exit".to_owned() } else { edge.to.0.to_string() };
            let action = action(&machine, module, &edge.action);
            lines.push(format!("  {} {labels}{atomic}{action} -> {to}", edge.from.0));
        }
        assert_eq!(module.entry.0, 0);
        assert_eq!(module.exit.index() + 1, module.nodes.len());
        assert!(module.edges.is_sorted_by_key(|edge| edge.from));
    }
    lines.join("\n")
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(describe(text).lines().collect::<Vec<_>>(), expected, "{text}");
}

/// The steps of `main` in a program whose globals are `x`, `y` (Booleans) and `n`, `m` (three bits).
#[track_caller]
fn check_main(body: &str, expected: &[&str]) {
    let text = format!("decl x, y, n: int<3>, m: int<3>; void main() begin {body} end");
    let described = describe(&text);
    assert_eq!(described.lines().skip(1).map(str::trim_start).collect::<Vec<_>>(), expected, "{body}");
}

#[test]
fn an_empty_function_returns() {
    check("void main() begin end", &["main:", "  0 return -> exit"]);
}

#[test]
fn falling_off_the_end_returns_anything() {
    let expected = ["main:", "  0 return *, * -> exit", "  1 return *, * -> exit"];
    check("<bool, int<2>> main() begin return; end", &expected);
}

#[test]
fn each_statement_is_a_step() {
    check_main(
        "skip; print(x, 3, *); assert x; assume(y); constrain(x); dead x, n; atomic_begin; atomic_end;",
        &[
            "0 skip -> 1",
            "1 skip -> 2",
            "2 assert x -> 3",
            "3 assume y -> 4",
            "4 assume x -> 5",
            "5 x, n := *, * -> 6",
            "6 skip -> 7",
            "7 skip -> 8",
            "8 return -> exit",
        ],
    );
}

#[test]
fn tests_are_steps_and_fi_is_none() {
    check_main(
        "if x then skip; elsif y then elsif n = 1 then skip else x := F fi; skip",
        &[
            "0 assume x -> 1",
            "0 assume x Not -> 2",
            "1 skip -> 6",
            "2 assume y -> 6",
            "2 assume y Not -> 3",
            "3 assume n 1 Equal -> 4",
            "3 assume n 1 Equal Not -> 5",
            "4 skip -> 6",
            "5 x := F -> 6",
            "6 skip -> 7",
            "7 return -> exit",
        ],
    );
}

#[test]
fn a_loop_goes_back_to_its_test() {
    check_main(
        "W: while (*) do if x then fi while y do od od",
        &[
            "0 W: assume * -> 1",
            "0 W: assume * Not -> 3",
            "1 assume x -> 2",
            "1 assume x Not -> 2",
            "2 assume y -> 2",
            "2 assume y Not -> 0",
            "3 return -> exit",
        ],
    );
}

#[test]
fn entering_an_atomic_block_is_a_step() {
    check_main(
        "A: atomic begin B: x := y; atomic begin end if x then skip; fi end goto B;",
        &[
            "0 A: skip -> 1",
            "1 B: atomic x := y -> 2",
            "2 atomic skip -> 3",
            "3 atomic assume x -> 4",
            "3 atomic assume x Not -> 5",
            "4 atomic skip -> 5",
            "5 skip -> 1",
            "6 return -> exit",
        ],
    );
}

#[test]
fn labels_name_steps_even_without_a_statement() {
    check_main(
        "L: L: M: goto L, N, O, P; if x then N: else O: fi P: end void f() begin L: skip;",
        &[
            "0 L: M: skip -> 0",
            "0 L: M: skip -> 2",
            "0 L: M: skip -> 3",
            "0 L: M: skip -> 4",
            "1 assume x -> 2",
            "1 assume x Not -> 3",
            "2 N: skip -> 4",
            "3 O: skip -> 4",
            "4 P: skip -> 5",
            "5 return -> exit",
            "f:",
            "0 L: skip -> 1",
            "1 return -> exit",
        ],
    );
}

#[test]
fn assignments_drop_what_nobody_keeps() {
    check_main(
        "x, _, n := y, 300 + 1, 2; _ := T; _ := * constrain x'; _, x := *, * constrain x' | !'y;",
        &[
            "0 x, n := y, 2 -> 1",
            "1 skip -> 2",
            "2 assume x -> 3",
            "3 x := * constrain x' y Not Or -> 4",
            "4 return -> exit",
        ],
    );
}

#[test]
fn calls_keep_the_positions_of_results() {
    check(
        "<bool, int<2>> f(a, b: int<2>) begin decl c; return !a, b + 1; end
         void main() begin decl r: int<2>; _, r := f(T, r); f(*, 3); call g(); end void g() begin end",
        &[
            "f:",
            "  0 return a Not, b 1 Add -> exit",
            "  1 return *, * -> exit",
            "main:",
            "  0 [_, r] := f(T, r) -> 1",
            "  1 [_, _] := f(*, 3) -> 2",
            "  2 [] := g() -> 3",
            "  3 return -> exit",
            "g:",
            "  0 return -> exit",
        ],
    );
}

#[test]
fn inner_declarations_hide_outer_ones() {
    check(
        "decl x: int<2>, red; init x = 3 & red; void main() begin decl x: enum {red, green}, y;
         enforce x != green; x := green; y := red; end",
        &[
            "init x 3 Equal red And",
            "main:",
            "  enforce x green NotEqual",
            "  0 x := green -> 1",
            "  1 y := red -> 2",
            "  2 return -> exit",
        ],
    );
}

#[test]
fn greater_is_less_with_swapped_operands() {
    check_main(
        "x := n > m + 1; x := n >= 2; x := (n > (m >= 1 ? 2 : m)) & y;",
        &[
            "0 x := m 1 Add n Less -> 1",
            "1 x := 2 n LessEqual -> 2",
            "2 x := 1 m LessEqual 2 m Conditional n Less y And -> 3",
            "3 return -> exit",
        ],
    );
}

#[test]
fn operators_bind_as_the_table_says() {
    check_main(
        "x := !x = y & y ^ x | y => x => y <=> x ? x : y ? y : x; n := -n + 2 * m - 1 * * * *; x := n + 1 < m = y;
         x := x => y & (x => y); x := ? ? ? : ?; x := ~x && x || x == x; y := choose[x, 0] != schoose[1, y];",
        &[
            "0 x := x Not y Equal y And x Xor y Or x y Implies Implies x Equal x y y x Conditional Conditional -> 1",
            "1 n := n Negate 2 m Multiply Add 1 * Multiply * Multiply Subtract -> 2",
            "2 x := n 1 Add m Less y Equal -> 3",
            "3 x := x y x y Implies And Implies -> 4",
            "4 x := * * * Conditional -> 5",
            "5 x := x Not x And x x Equal Or -> 6",
            "6 y := x F Schoose T y Schoose NotEqual -> 7",
            "7 return -> exit",
        ],
    );
}

#[test]
fn types_flow_between_operands_and_from_the_place() {
    check(
        "decl c: enum {red, green}, d: enum {red, dark}, n: int<3>, b;
         void f(e: enum {dark, light}) begin end
         void main() begin b := red = d; b := (* ? red : green) = c; f(dark); b := 1 + * = n; b := * = 1; b := 0;
         print(red, 300, 1 + 1, * ? 7 : *, *); end",
        &[
            "f:",
            "  0 return -> exit",
            "main:",
            "  0 b := red d Equal -> 1",
            "  1 b := * red green Conditional c Equal -> 2",
            "  2 [] := f(dark) -> 3",
            "  3 b := 1 * Add n Equal -> 4",
            "  4 b := * T Equal -> 5",
            "  5 b := F -> 6",
            "  6 skip -> 7",
            "  7 return -> exit",
        ],
    );
}

#[test]
fn names_may_be_predicates() {
    check(
        "decl {x>0}, a$b.c, _z; void main() begin {x>0}, _z := !{x>0}, a$b.c constrain {x>0}' = 'a$b.c; end",
        &[
            "main:",
            "  0 {x>0}, _z := {x>0} Not, a$b.c constrain {x>0}' a$b.c Equal -> 1",
            "  1 return -> exit",
        ],
    );
}

#[test]
fn places_cover_the_statement_without_labels() {
    let mut sources = base::Sources::default();
    let text = "void main() begin L: if (T | F) then M: skip; fi goto L; atomic begin end end";
    let (program, _) = bp::load(&mut sources, "test.bp", text).expect("the program is correct");
    let machine = bp::lower(&program).expect("the program is sequential");
    let nodes = &machine.module(machine.main).nodes;
    let texts: Vec<&str> = nodes.iter().map(|node| sources.text(node.span)).collect();
    assert_eq!(texts, ["T | F", "skip", "goto L", "atomic begin", "end", "end"]);
}

#[test]
fn an_enforce_that_demands_nothing_is_left_out() {
    let has_enforce = |condition: &str| {
        let text = format!(
            "decl g, n: int<2>, m: int<64>, c: enum {{a, b, c}};
             void main() begin enforce {condition}; end"
        );
        let machine = bp::lower(&crate::harness::correct(&text)).expect("the program has no mistakes");
        machine.modules[0].enforce.is_some()
    };
    let nothing = [
        "T",
        "!F",
        "(T)",
        "g | T",
        "F => g",
        "*",
        "g | *",
        "g | !g",
        "n < 0 | n >= 0",
        "n + 1 - 1 = n",
        "1 = 1 | m = 7",
        "c = a | c = b | c = c",
        "g ? T : !g",
        "schoose[g, F]",
    ];
    nothing.iter().for_each(|condition| assert!(!has_enforce(condition), "{condition}"));
    let something = ["F", "g", "g | n = 0", "n != 3", "c != b", "m != 7", "T & g", "schoose[F, g]", "g & *"];
    something.iter().for_each(|condition| assert!(has_enforce(condition), "{condition}"));
}

//! Printing and parsing again gives the same tree.

use base::Random;
use base::Sources;
use calculus::random::Shape;
use calculus::syntax::{ExprId, ExprKind, File};

fn parse(text: &str) -> File {
    let mut sources = Sources::default();
    let file = sources.add("demo.mu", text);
    let (tree, diagnostics) = calculus::parse(&sources, file);
    assert_eq!(diagnostics, [], "{text}");
    tree
}

/// The tree without places. Brackets make no nodes, so equal trees have equal arenas.
fn shape(file: &File) -> String {
    let exprs: Vec<String> = (0..file.n_exprs()).map(|n| expr_shape(file, ExprId::new(n))).collect();
    let text = format!("{:?} {exprs:?}", file.items);
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some(start) = rest.find("Span {") {
        out.push_str(&rest[..start]);
        rest = &rest[start..][rest[start..].find('}').expect("a span is closed") + 1..];
    }
    out + rest
}

fn expr_shape(file: &File, expr: ExprId) -> String {
    let kind = file.expr(expr).kind;
    match kind {
        ExprKind::Path(_) => calculus::print_expr(file, expr),
        ExprKind::Apply(_, operands)
        | ExprKind::And(operands)
        | ExprKind::Or(operands)
        | ExprKind::Case(operands) => format!("{kind:?} {:?}", file.operands(operands)),
        ExprKind::Quantified(_, bounds, _) => format!("{kind:?} {:?}", file.bounds(bounds)),
        ExprKind::Positions(_, positions, _) => format!("{kind:?} {:?}", file.positions(positions)),
        _ => format!("{kind:?}"),
    }
}

#[track_caller]
fn check_round_trip(text: &str) {
    let tree = parse(text);
    let printed = calculus::print(&tree);
    let again = parse(&printed);
    assert_eq!(shape(&again), shape(&tree), "{text}\nprinted as\n{printed}");
    assert_eq!(calculus::print(&again), printed, "{text}");
}

/// A random expression in which every construct may stand wherever brackets allow it.
fn expression(random: &mut Random, depth: u32) -> String {
    let name = |random: &mut Random| {
        (*random.pick(&["a", "b", "s.x", "t[1]", "u[i+1].y", "v[w[2]-3]", "in"])).to_owned()
    };
    if depth == 0 {
        return match random.below(4) {
            0 => random.below(3).to_string(),
            1 => (*random.pick(&["true", "false"])).to_owned(),
            _ => name(random),
        };
    }
    let operand = |random: &mut Random| {
        let inner = expression(random, depth - 1);
        if random.chance(70) { format!("({inner})") } else { format!("({inner} & {})", name(random)) }
    };
    let (a, b, c) = (operand(random), operand(random), operand(random));
    match random.below(16) {
        0 => format!("!{a}"),
        1 => format!("!!{a} & !{b}"),
        2 => format!("{a} & {b} & {c}"),
        3 => format!("{a} | {b} & {c} | {a}"),
        4 => format!("{a} {} {b}", random.pick(&["->", "<-", "<->", "<+>"])),
        5 => format!("{a} {} {b}", random.pick(&["=", "!=", "<", "<=", ">", ">="])),
        6 => format!("{a} {} {b}", random.pick(&["assume", "cofactor"])),
        7 => format!("{a} | {} S s, bool t[k+1]. {b} & {c}", random.pick(&["exists", "forall"])),
        8 => format!("{} i in j-1..3: {b} | {c}", random.pick(&["exists", "forall"])),
        9 => format!("if ({a}) {b} else {c}"),
        10 => format!("if ({a}) {b}"),
        11 => format!("if ({a}) if ({b}) {c} else {a}"),
        12 => format!("case {a} : {b}; {c} : {a} | {b}; esac"),
        13 => format!("R({a}, {b}, Q())"),
        14 => format!("{a} assume {b} = {c} & !{a} != {b}"),
        _ => format!("if ({a}) (exists S s. if ({b}) {c}) else {b}"),
    }
}

#[test]
fn random_expressions() {
    for seed in 0..3000 {
        let mut random = Random::new(seed);
        let depth = 1 + random.below(4) as u32;
        let (a, b) = (expression(&mut random, depth), expression(&mut random, depth));
        check_round_trip(&format!(
            "{a}; bool R(S s) {b}; bool Q(S s) s < t, ~+ s {b}; #wit {a}; #print {b};"
        ));
    }
}

#[test]
fn random_systems_mean_the_same_when_printed() {
    for seed in 0..200 {
        let text = calculus::random::system(seed, &Shape::default());
        check_round_trip(&text);
        let system = |text: &str| {
            let (system, _) = calculus::check(&parse(text), &[]).expect("random systems are well-formed");
            format!("{:?} {:?} {:?}", system.formulas, system.vars, system.sorts)
        };
        assert_eq!(system(&calculus::print(&parse(&text))), system(&text), "seed {seed}");
    }
}

#[test]
fn a_comparison_with_an_application_is_no_constraint() {
    check_round_trip("bool R(S a) (a < b(c));");
    check_round_trip("bool R(S a) (a < b(c) & d -> e);");
    check_round_trip("bool R(S a) (a > b() assume c | d);");
    check_round_trip("bool R(S a) a < b b(c);");
}

#[test]
fn long_bodies_are_broken_at_the_outermost_connective() {
    let operand = "(abcdefghijklmnopqrstuvwxyz | abcdefghijklmnopqrstuvwxyz)";
    let tree = parse(&format!("bool R() {operand} & {operand};"));
    assert_eq!(calculus::print(&tree), format!("bool R()\n  {operand} &\n  {operand};\n"));
    check_round_trip(&format!("bool R() {operand} & {operand}; {operand} | {operand} | {operand};"));
}

//! From the syntax tree and from checked formulas back to text.
//!
//! Contract: the text of a file parses back to the same tree, with no bracket that the tree does not need;
//! the text of a checked formula is for people. Nothing recurses over formulas.

mod formula;

pub use formula::print_formula;

use crate::level::{AND, BASIC, COMPARE, CONNECT, Level, NOT, OPEN, OR, SIMPLIFY};
use crate::syntax::*;

/// A body longer than this is broken at its outermost `&` or `|`.
const WIDTH: usize = 100;

/// The canonical text of a file.
pub fn print(file: &File) -> String {
    let mut out = String::new();
    for item in &file.items {
        print_item(file, item, &mut out);
        out.push_str(";\n");
    }
    out
}

/// The text of one expression.
pub fn print_expr(file: &File, expr: ExprId) -> String {
    let mut out = String::new();
    write_expr(file, Piece::Expr(expr, OPEN), &mut out);
    out
}

pub(crate) fn print_item(file: &File, item: &Item, out: &mut String) {
    match &item.kind {
        ItemKind::Enum(name, values) => {
            let values = match values {
                Values::Named(names) => {
                    let names: Vec<&str> = names.iter().map(|name| file.text(*name)).collect();
                    names.join(", ")
                }
                Values::Range(low, high) => format!("{}..{}", constant(file, low), constant(file, high)),
            };
            out.push_str(&format!("enum {} {{ {values} }}", file.text(*name)));
        }
        ItemKind::Class { name, members, constraints } => {
            out.push_str(&format!("class {} {{", file.text(*name)));
            print_members(file, members, out);
            out.push_str(" }");
            print_constraints(file, constraints, out);
        }
        ItemKind::Function { kind, name, params, constraints, body } => {
            print_head(file, *kind, *name, params, out);
            print_constraints(file, constraints, out);
            if let Some(body) = body {
                out.push_str("\n  ");
                let is_ambiguous = constraints.is_empty() && reads_as_constraint(file, *body);
                out.push_str(if is_ambiguous { "(" } else { "" });
                print_body(file, *body, out);
                out.push_str(if is_ambiguous { ")" } else { "" });
            }
        }
        ItemKind::Query(expr) => print_body(file, *expr, out),
        ItemKind::Directive(directive) => print_directive(file, directive, out),
    }
}

/// A type, or the head of a relation, if the item declares one of this name, or any if no name is given.
pub(crate) fn print_declaration(file: &File, item: &Item, symbol: Option<Symbol>) -> Option<String> {
    let name = match &item.kind {
        ItemKind::Enum(name, _) | ItemKind::Class { name, .. } | ItemKind::Function { name, .. } => name,
        ItemKind::Query(_) | ItemKind::Directive(_) => return None,
    };
    if symbol.is_some_and(|symbol| symbol != name.symbol) {
        return None;
    }
    let mut out = String::new();
    match &item.kind {
        ItemKind::Function { kind, name, params, .. } => print_head(file, *kind, *name, params, &mut out),
        _ => print_item(file, item, &mut out),
    }
    out.push(';');
    Some(out)
}

fn print_head(file: &File, kind: Kind, name: Name, params: &[Declaration], out: &mut String) {
    out.push_str(match kind {
        Kind::Definition => "bool ",
        Kind::Mu => "mu bool ",
        Kind::Nu => "nu bool ",
    });
    out.push_str(&format!("{}({})", file.text(name), declarations(file, params)));
}

/// Whether a body would be taken for a constraint with a body: `a < b (c)` instead of `a < b(c)`.
fn reads_as_constraint(file: &File, mut expr: ExprId) -> bool {
    loop {
        expr = match file.expr(expr).kind {
            ExprKind::And(operands) | ExprKind::Or(operands) => file.operands(operands)[0],
            ExprKind::Connect(_, left, _) => left,
            ExprKind::Compare(Relational::Less | Relational::Greater, left, right) => {
                let right = match file.expr(right).kind {
                    ExprKind::Simplify(_, left, _) => left,
                    _ => right,
                };
                return matches!(file.expr(left).kind, ExprKind::Path(_))
                    && matches!(file.expr(right).kind, ExprKind::Apply(..));
            }
            _ => return false,
        }
    }
}

/// On one line if it fits, otherwise one line for each operand of the outermost connective.
fn print_body(file: &File, body: ExprId, out: &mut String) {
    let (operands, separator) = match file.expr(body).kind {
        ExprKind::And(operands) => (operands, " &\n  "),
        ExprKind::Or(operands) => (operands, " |\n  "),
        _ => return out.push_str(&print_expr(file, body)),
    };
    let start = out.len();
    write_expr(file, Piece::Expr(body, OPEN), out);
    if out.len() - start <= WIDTH {
        return;
    }
    out.truncate(start);
    let needed = level(file.expr(body).kind) + 1;
    for (at, operand) in file.operands(operands).iter().enumerate() {
        if at > 0 {
            out.push_str(separator);
        }
        write_expr(file, Piece::Expr(*operand, needed), out);
    }
}

/// Neighbours of one type share a line, as in `bool a, b;`.
fn print_members(file: &File, members: &[Declaration], out: &mut String) {
    let mut last: Option<&str> = None;
    for member in members {
        let type_name = type_text(file, member.type_name);
        match last {
            Some(last) if last == type_name => out.push_str(", "),
            Some(_) => out.push_str(&format!("; {type_name} ")),
            None => out.push_str(&format!(" {type_name} ")),
        }
        out.push_str(&declared(file, member));
        last = Some(type_name);
    }
    if last.is_some() {
        out.push(';');
    }
}

fn print_constraints(file: &File, constraints: &[Constraint], out: &mut String) {
    for (at, constraint) in constraints.iter().enumerate() {
        out.push_str(if at == 0 { " " } else { ", " });
        if let Some(left) = constraint.left {
            out.push_str(&print_expr(file, left));
            out.push(' ');
        }
        out.push_str(match constraint.demand {
            Demand::Before => "< ",
            Demand::After => "> ",
            Demand::Interleaved => "~+ ",
            Demand::Separate => "~- ",
        });
        out.push_str(&print_expr(file, constraint.right));
    }
}

fn print_directive(file: &File, directive: &Directive, out: &mut String) {
    let text = match directive {
        Directive::Load(name, _) if name.contains('"') => format!("#load {name}"),
        Directive::Load(name, _) => format!("#load \"{name}\""),
        Directive::Print(Printed::Nothing) => "#print".to_owned(),
        Directive::Print(Printed::Text(text)) => format!("#print \"{text}\""),
        Directive::Print(Printed::Statistics) => "#print statistics".to_owned(),
        Directive::Print(Printed::Expr(expr)) => {
            let text = print_expr(file, *expr);
            if text == "statistics" { format!("#print ({text})") } else { format!("#print {text}") }
        }
        Directive::Relation(what, name) => {
            let word = match what {
                OnRelation::Size => "#size",
                OnRelation::Count => "#ons",
                OnRelation::Visualise => "#vis",
                OnRelation::Dump => "#dump",
                OnRelation::Undump => "#undump",
                OnRelation::Reset => "#reset",
                OnRelation::Certify => "#certify",
                OnRelation::Plan => "#plan",
            };
            format!("{word} {}", file.text(*name))
        }
        Directive::List(name, None) => format!("#list {}", file.text(*name)),
        Directive::List(name, Some(most)) => format!("#list {} {most}", file.text(*name)),
        Directive::Expr(what, expr) => {
            let word = match what {
                OnExpr::Witness => "#wit",
                OnExpr::Counterexample => "#cex",
                OnExpr::Explain => "#explain",
            };
            format!("{word} {}", print_expr(file, *expr))
        }
        Directive::ResetAll => "#reset all".to_owned(),
        Directive::Timer(Timer::Go) => "#timer go".to_owned(),
        Directive::Timer(Timer::Stop) => "#timer stop".to_owned(),
        Directive::Timer(Timer::Reset) => "#timer reset".to_owned(),
        Directive::Timer(Timer::Show) => "#timer".to_owned(),
        Directive::Frontier(None) => "#frontier".to_owned(),
        Directive::Frontier(Some(true)) => "#frontier on".to_owned(),
        Directive::Frontier(Some(false)) => "#frontier off".to_owned(),
        Directive::Verbose(None) => "#verbose".to_owned(),
        Directive::Verbose(Some(true)) => "#verbose on".to_owned(),
        Directive::Verbose(Some(false)) => "#verbose off".to_owned(),
        Directive::Quit => "#quit".to_owned(),
        Directive::Storage(storage, types) => {
            let word = match storage {
                Storage::Explicit => "#explicit",
                Storage::Symbolic => "#symbolic",
            };
            let types: Vec<&str> = types.iter().map(|t| type_text(file, *t)).collect();
            format!("{word} {}", types.join(", "))
        }
        Directive::Strata(sort) => format!("#strata {}", type_text(file, *sort)),
        Directive::Depth(number, _) => format!("#depth {number}"),
        Directive::Param(name, value) => format!("#param {} = {value}", file.text(*name)),
        Directive::Note(note) => note_text(note),
    };
    out.push_str(&text);
}

/// A note with single blanks, none before a comma.
fn note_text(note: &Note) -> String {
    let mut out = note.word.to_owned();
    for part in &note.parts {
        match part.kind {
            NoteKind::Text => out.push_str(&format!(" \"{}\"", part.text)),
            NoteKind::Mark if part.text == "," => out.push(','),
            _ => out.push_str(&format!(" {}", part.text)),
        }
    }
    out
}

fn type_text(file: &File, type_name: TypeName) -> &str {
    match type_name {
        TypeName::Bool(_) => "bool",
        TypeName::Named(name) => file.text(name),
    }
}

fn declarations(file: &File, declarations: &[Declaration]) -> String {
    let texts: Vec<String> = declarations
        .iter()
        .map(|declaration| {
            format!("{} {}", type_text(file, declaration.type_name), declared(file, declaration))
        })
        .collect();
    texts.join(", ")
}

/// A member, a parameter or a quantified name with its type: `P s[6]`.
pub(crate) fn print_declared(file: &File, declaration: &Declaration) -> String {
    declarations(file, std::slice::from_ref(declaration))
}

fn declared(file: &File, declaration: &Declaration) -> String {
    let name = file.text(declaration.name);
    match &declaration.length {
        Some(length) => format!("{name}[{}]", constant(file, length)),
        None => name.to_owned(),
    }
}

fn constant(file: &File, constant: &Const) -> String {
    let base = match constant.base {
        ConstBase::Number(number) => number.to_string(),
        ConstBase::Param(name) => file.text(name).to_owned(),
    };
    format!("{base}{}", offset(constant.offset))
}

fn offset(offset: i64) -> String {
    match offset {
        0 => String::new(),
        1.. => format!("+{offset}"),
        _ => format!("-{}", offset.unsigned_abs()),
    }
}

fn level(kind: ExprKind) -> Level {
    match kind {
        ExprKind::Quantified(..) | ExprKind::Positions(..) | ExprKind::If(..) | ExprKind::IfElse(..) => OPEN,
        ExprKind::Connect(..) => CONNECT,
        ExprKind::Or(_) => OR,
        ExprKind::And(_) => AND,
        ExprKind::Not(_) => NOT,
        ExprKind::Compare(..) => COMPARE,
        ExprKind::Simplify(..) => SIMPLIFY,
        _ => BASIC,
    }
}

/// What is still to be written.
enum Piece {
    Text(&'static str),
    Owned(String),
    /// An expression, in brackets if it binds less tightly than its place demands.
    Expr(ExprId, Level),
    /// A path.
    Path(PathId),
}

fn write_expr(file: &File, root: Piece, out: &mut String) {
    let mut stack = vec![root];
    let mut pieces = Vec::new();
    while let Some(piece) = stack.pop() {
        match piece {
            Piece::Text(text) => out.push_str(text),
            Piece::Owned(text) => out.push_str(&text),
            Piece::Path(path) => {
                path_parts(file, path, &mut pieces);
                stack.extend(pieces.drain(..).rev());
            }
            Piece::Expr(expr, needed) if level(file.expr(expr).kind) < needed => {
                out.push('(');
                stack.extend([Piece::Text(")"), Piece::Expr(expr, OPEN)]);
            }
            Piece::Expr(expr, _) => {
                parts(file, file.expr(expr).kind, &mut pieces);
                stack.extend(pieces.drain(..).rev());
            }
        }
    }
}

/// The text of an expression in terms of its operands.
fn parts(file: &File, kind: ExprKind, out: &mut Vec<Piece>) {
    match kind {
        ExprKind::Constant(true) => out.push(Piece::Text("true")),
        ExprKind::Constant(false) => out.push(Piece::Text("false")),
        ExprKind::Number(number) => out.push(Piece::Owned(number.to_string())),
        ExprKind::Path(path) => out.push(Piece::Path(path)),
        ExprKind::Sum(operand, added) => {
            let text = format!(" {} {}", if added < 0 { '-' } else { '+' }, added.unsigned_abs());
            out.extend([Piece::Expr(operand, BASIC), Piece::Owned(text)]);
        }
        ExprKind::Apply(name, arguments) => {
            out.push(Piece::Owned(format!("{}(", file.names.text(name))));
            list(file.operands(arguments), ", ", OPEN, out);
            out.push(Piece::Text(")"));
        }
        ExprKind::Not(operand) => out.extend([Piece::Text("!"), Piece::Expr(operand, NOT)]),
        ExprKind::And(operands) => list(file.operands(operands), " & ", AND + 1, out),
        ExprKind::Or(operands) => list(file.operands(operands), " | ", OR + 1, out),
        ExprKind::Connect(connective, left, right) => {
            let operator = match connective {
                Connective::Iff => " <-> ",
                Connective::Xor => " <+> ",
                Connective::Implies => " -> ",
                Connective::ImpliedBy => " <- ",
            };
            list(&[left, right], operator, CONNECT + 1, out);
        }
        ExprKind::Compare(relational, left, right) => {
            let operator = match relational {
                Relational::Equal => " = ",
                Relational::NotEqual => " != ",
                Relational::Less => " < ",
                Relational::LessEqual => " <= ",
                Relational::Greater => " > ",
                Relational::GreaterEqual => " >= ",
            };
            list(&[left, right], operator, COMPARE + 1, out);
        }
        ExprKind::Simplify(simplifier, left, right) => {
            let operator = match simplifier {
                Simplifier::Assume => " assume ",
                Simplifier::Cofactor => " cofactor ",
            };
            list(&[left, right], operator, SIMPLIFY + 1, out);
        }
        ExprKind::Quantified(quantifier, bounds, body) => {
            let text =
                format!("{} {}. ", quantifier_word(quantifier), declarations(file, file.bounds(bounds)));
            out.extend([Piece::Owned(text), Piece::Expr(body, OPEN)]);
        }
        ExprKind::Positions(quantifier, positions, body) => {
            let Positions { name, low, high } = file.positions(positions);
            let (word, name) = (quantifier_word(quantifier), file.text(name));
            let text = format!("{word} {name} in {}..{}. ", constant(file, &low), constant(file, &high));
            out.extend([Piece::Owned(text), Piece::Expr(body, OPEN)]);
        }
        ExprKind::If(condition, then) => {
            out.extend([Piece::Text("if ("), Piece::Expr(condition, OPEN), Piece::Text(") ")]);
            out.push(Piece::Expr(then, OPEN));
        }
        ExprKind::IfElse(condition, then, otherwise) => {
            out.extend([Piece::Text("if ("), Piece::Expr(condition, OPEN), Piece::Text(") ")]);
            // An `else` belongs to the nearest `if`, so what could take it away needs brackets.
            out.extend([Piece::Expr(then, CONNECT), Piece::Text(" else "), Piece::Expr(otherwise, OPEN)]);
        }
        ExprKind::Case(arms) => {
            out.push(Piece::Text("case "));
            for arm in file.operands(arms).chunks_exact(2) {
                out.extend([Piece::Expr(arm[0], OPEN), Piece::Text(" : ")]);
                out.extend([Piece::Expr(arm[1], OPEN), Piece::Text("; ")]);
            }
            out.push(Piece::Text("esac"));
        }
    }
}

fn quantifier_word(quantifier: Quantifier) -> &'static str {
    match quantifier {
        Quantifier::Exists => "exists",
        Quantifier::Forall => "forall",
    }
}

fn list(operands: &[ExprId], separator: &'static str, needed: Level, out: &mut Vec<Piece>) {
    for (at, operand) in operands.iter().enumerate() {
        if at > 0 {
            out.push(Piece::Text(separator));
        }
        out.push(Piece::Expr(*operand, needed));
    }
}

fn path_parts(file: &File, path: PathId, out: &mut Vec<Piece>) {
    for (at, segment) in file.paths.segments(path).iter().enumerate() {
        let dot = if at > 0 { "." } else { "" };
        out.push(Piece::Owned(format!("{dot}{}", file.names.text(segment.symbol))));
        let Some(index) = segment.index else { continue };
        out.push(Piece::Text("["));
        out.push(match index.base {
            IndexBase::Number(number) => Piece::Owned(number.to_string()),
            IndexBase::Path(path) => Piece::Path(path),
        });
        out.push(Piece::Owned(format!("{}]", offset(index.offset))));
    }
}

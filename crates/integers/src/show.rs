//! The text of an integer program, for `--show cfg`, and of its parts, for traces and drawings.

use crate::bits::Bitwise;
use crate::expr::{Expr, Op, Relation};
use crate::memory::{ClassId, Manage, RegionId, Storage};
use crate::program::{Action, Function, FunctionId, Place, Program, Role, Start, Step, TargetKind, Variable};
use std::fmt::Write;

/// The whole program: variables, then each function with its nodes and edges.
pub fn show(program: &Program) -> String {
    let mut out = String::new();
    for global in &program.globals {
        let start = match global.start {
            Start::Number(number) => number.to_string(),
            Start::Pointer(object, offset) => {
                format!("&{} + {offset}", program.memory.objects[object.index()].name)
            }
            Start::Unknown(unknown) => {
                format!("unknown ({})", program.unknowns[unknown.index()].construct)
            }
        };
        line(format_args!("global {} = {start}", declaration(&global.variable)), &mut out);
    }
    for n in 0..program.functions.len() {
        if !out.is_empty() {
            out.push('\n');
        }
        show_function(program, FunctionId::new(n), &mut out);
    }
    out
}

fn show_function(program: &Program, id: FunctionId, out: &mut String) {
    let function = program.function(id);
    line(format_args!("{}", signature(program, id)), out);
    for local in &function.locals[function.n_params..] {
        line(format_args!("  local {}", declaration(local)), out);
    }
    line(format_args!("  entry {}, exit {}", function.entry.0, function.exit.0), out);
    let mut edges = function.edges.iter().peekable();
    for (n, node) in function.nodes.iter().enumerate() {
        if let Some(role) = show_role(program, node.role) {
            line(format_args!("  {n}: {role}"), out);
        }
        while let Some(edge) = edges.next_if(|edge| edge.from.index() == n) {
            line(format_args!("  {n} -[{}]-> {}", show_action(program, id, &edge.action), edge.to.0), out);
        }
    }
}

fn signature(program: &Program, id: FunctionId) -> String {
    let function = program.function(id);
    let params: Vec<String> = function.locals[..function.n_params].iter().map(declaration).collect();
    let result = function.result.map(|n| format!(" -> {}", function.locals[n as usize].name));
    let main = if id == program.main { ", main" } else { "" };
    format!("function {}({}){}{main}", function.name, params.join(", "), result.unwrap_or_default())
}

/// What is special about a node, in words.
pub(crate) fn show_role(program: &Program, role: Role) -> Option<String> {
    match role {
        Role::Plain => None,
        Role::Stop => Some("stop".to_owned()),
        Role::Target(target) => {
            let target = &program.targets[target.index()];
            let kind = match target.kind {
                TargetKind::Call => "call of ",
                TargetKind::Label => "label ",
                TargetKind::Assertion => "failed ",
                TargetKind::Overflow => "",
                TargetKind::Undefined => "undefined",
            };
            Some(format!("target, {kind}{}", target.name))
        }
    }
}

/// What is done to objects.
fn show_manage(program: &Program, function: FunctionId, manage: &Manage) -> String {
    let memory = &program.memory;
    let text = |expr: &Expr| show_expr(program, function, expr, None);
    let class = |class: &ClassId| memory.classes[class.index()].name.as_str();
    let name = |place: &Place| program.variable(function, *place).name.as_str();
    match manage {
        Manage::Begin(object) => format!("begin {}", memory.objects[object.index()].name),
        Manage::End(object) => format!("end {}", memory.objects[object.index()].name),
        Manage::Allocate { class: of, count, is_zeroed, storage, result } => {
            let zeroed = if *is_zeroed { "zeroed " } else { "" };
            let frame = if *storage == Storage::Frame { " in the frame" } else { "" };
            format!("{} := new {zeroed}{}[{}]{frame}", name(result), class(of), text(count))
        }
        Manage::Reallocate { class: of, pointer, count, result } => {
            format!("{} := {} as {}[{}]", name(result), text(pointer), class(of), text(count))
        }
        Manage::Release { pointer, storage: Storage::Heap } => format!("free {}", text(pointer)),
        Manage::Release { pointer, storage: Storage::Frame } => format!("release {}", text(pointer)),
        Manage::Fill { class: of, pointer, count, value } => {
            format!("fill {}[{}] at {} with {}", class(of), text(count), text(pointer), text(value))
        }
        Manage::Copy { class: of, to, from, count } => {
            format!("copy {}[{}] from {} to {}", class(of), text(count), text(from), text(to))
        }
    }
}

/// What an edge of a function does.
pub fn show_action(program: &Program, function: FunctionId, action: &Action) -> String {
    match action {
        Action::Step(step) => show_step(program, function, step),
        Action::Manage(manage) => show_manage(program, function, manage),
        Action::Call { callee, args, result } => {
            let args: Vec<String> = args.iter().map(|arg| show_expr(program, function, arg, None)).collect();
            let call = format!("{}({})", program.function(*callee).name, args.join(", "));
            match result {
                Some(place) => format!("{} := {call}", program.variable(function, *place).name),
                None => call,
            }
        }
    }
}

fn show_step(program: &Program, function: FunctionId, step: &Step) -> String {
    let mut parts = Vec::new();
    if step.guard.as_truth() != Some(true) {
        parts.push(format!("assume {}", show_expr(program, function, &step.guard, Some(step))));
    }
    if !step.updates.is_empty() {
        let name = |place| program.variable(function, place).name.as_str();
        let targets: Vec<&str> = step.updates.iter().map(|&(place, _)| name(place)).collect();
        let value = |value| show_expr(program, function, value, Some(step));
        let values: Vec<String> = step.updates.iter().map(|(_, expr)| value(expr)).collect();
        parts.push(format!("{} := {}", targets.join(", "), values.join(", ")));
    }
    for (region, pointer, value) in &step.stores {
        let value = show_expr(program, function, value, Some(step));
        let pointer = show_expr(program, function, pointer, Some(step));
        parts.push(format!("{}[{pointer}] := {value}", program.memory.regions[region.index()].name));
    }
    if parts.is_empty() {
        return "skip".to_owned();
    }
    parts.join("; ")
}

/// An expression, with the parentheses it needs. Inputs and unknowns of a step are named after where they come from.
pub fn show_expr(program: &Program, function: FunctionId, expr: &Expr, step: Option<&Step>) -> String {
    let leaf = |op| match op {
        Op::Read(place) => program.variable(function, place).name.clone(),
        Op::Input(n) => match step {
            Some(step) if step.inputs.len() == 1 => {
                format!("input {}", program.input(step.inputs[n as usize]).ty)
            }
            Some(step) => format!("input#{n} {}", program.input(step.inputs[n as usize]).ty),
            None => format!("input#{n}"),
        },
        Op::Unknown(n) => match step {
            Some(step) => {
                let unknown = &program.unknowns[step.unknowns[n as usize].index()];
                format!("unknown ({})", unknown.construct)
            }
            None => format!("unknown#{n}"),
        },
        Op::Object(object) => format!("&{}", program.memory.objects[object.index()].name),
        Op::Misuse(misuse) => format!("misuse ({misuse})"),
        _ => unreachable!("{op:?} has a text of its own"),
    };
    let region = |region: RegionId| program.memory.regions[region.index()].name.clone();
    written(expr, leaf, region, Style::Short)
}

/// How parentheses are set.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// As C needs them.
    Short,
    /// Comparisons of comparisons have them, too, so that nobody has to know how C reads those.
    Exact,
}

/// An expression without loads, with the parentheses it needs; `leaf` names variables, inputs and unknowns.
pub(crate) fn text(expr: &Expr, leaf: impl Fn(Op) -> String, style: Style) -> String {
    written(expr, leaf, |region| unreachable!("region {} has no name here", region.0), style)
}

/// An expression; `region` names what is loaded from.
fn written(
    expr: &Expr,
    leaf: impl Fn(Op) -> String,
    region: impl Fn(RegionId) -> String,
    style: Style,
) -> String {
    let (text, _) = expr.fold(|op, operands: Vec<(String, u8)>| match op {
        // A negative number behind an operator is put in parentheses.
        Op::Constant(number) => (number.to_string(), if number < 0 { UNARY } else { LEAF }),
        Op::Truth(value) => (value.to_string(), LEAF),
        _ if operands.is_empty() => (leaf(op), LEAF),
        Op::Load(from) => (format!("{}[{}]", region(from), operands[0].0), LEAF),
        Op::Member(stride, start) => (format!("part({}, {stride}, {start})", operands[0].0), LEAF),
        Op::Initialised => (format!("initialised({})", operands[0].0), LEAF),
        Op::Difference => (format!("distance({}, {})", operands[0].0, operands[1].0), LEAF),
        _ => infix(op, operands, style),
    });
    text
}

const LEAF: u8 = 13;
const UNARY: u8 = 12;
const SHIFT: u8 = 9;

/// How tightly a binary operator binds, and its sign.
fn operator(op: Op) -> Option<(u8, &'static str)> {
    Some(match op {
        Op::Multiply => (11, "*"),
        Op::Divide => (11, "/"),
        Op::Remainder(_) => (11, "%"),
        Op::Add => (10, "+"),
        Op::Subtract => (10, "-"),
        Op::ShiftLeft(_) => (SHIFT, "<<"),
        Op::ShiftRight(_) => (SHIFT, ">>"),
        Op::Compare(Relation::Equal) => (7, "=="),
        Op::Compare(Relation::NotEqual) => (7, "!="),
        Op::Compare(Relation::Less) => (8, "<"),
        Op::Compare(Relation::LessEqual) => (8, "<="),
        Op::Compare(Relation::Greater) => (8, ">"),
        Op::Compare(Relation::GreaterEqual) => (8, ">="),
        Op::And => (3, "&&"),
        Op::Or => (2, "||"),
        _ => return None,
    })
}

/// The text of an operation and how tightly it binds, from those of the operands.
fn infix(op: Op, operands: Vec<(String, u8)>, style: Style) -> (String, u8) {
    // How far a shift may go has to be told unless it is plain that it does not go too far.
    let distance = operands.last().and_then(|(text, _)| text.parse::<u8>().ok());
    let mut operands = operands.into_iter();
    let mut next = |least: u8| {
        let (text, binding) = operands.next().expect("the operation has this operand");
        if binding < least { format!("({text})") } else { text }
    };
    let is_plain = match op {
        Op::ShiftLeft(ty) | Op::ShiftRight(ty) => ty.bits == 64 || distance.is_some_and(|n| n < ty.bits),
        _ => true,
    };
    if let Some((binding, sign)) = operator(op).filter(|_| is_plain) {
        let (least, most) = match op {
            // Everybody knows how sums are read, but not how shifts of them are.
            Op::ShiftLeft(_) | Op::ShiftRight(_) => (UNARY, UNARY),
            Op::Compare(_) if style == Style::Exact => (SHIFT, SHIFT),
            _ => (binding, binding + 1),
        };
        let mut text = next(least);
        let right = next(most);
        text.push(' ');
        text.push_str(sign);
        text.push(' ');
        text.push_str(&right);
        return (text, binding);
    }
    match op {
        Op::Negate => (format!("-{}", next(LEAF)), UNARY),
        Op::Not => (format!("!{}", next(UNARY)), UNARY),
        Op::Wrap(ty) => (format!("{ty}({})", next(0)), LEAF),
        Op::BitsWith(bitwise, number) => {
            let text = format!("{} {} {}", next(SHIFT), bitwise.sign(), number);
            (text, binding_of(bitwise))
        }
        Op::Bits(bitwise, ty) => {
            let (left, right) = (next(SHIFT), next(SHIFT));
            // A number stands behind.
            let is_number = left.parse::<i128>().is_ok();
            let (left, right) = if is_number { (right, left) } else { (left, right) };
            (format!("{ty}({left} {} {right})", bitwise.sign()), LEAF)
        }
        Op::ShiftLeft(ty) | Op::ShiftRight(ty) => {
            let word = if matches!(op, Op::ShiftLeft(_)) { "shl" } else { "shr" };
            (format!("{word}{}({}, {})", ty.bits, next(0), next(0)), LEAF)
        }
        Op::Within(_) | Op::Number => operands.next().expect("it has one operand"),
        Op::Choose => {
            let (condition, yes, no) = (next(2), next(2), next(1));
            (format!("{condition} ? {yes} : {no}"), 1)
        }
        _ => unreachable!("{op:?} is a leaf or an operator"),
    }
}

fn binding_of(bitwise: Bitwise) -> u8 {
    match bitwise {
        Bitwise::Or => 4,
        Bitwise::Xor => 5,
        Bitwise::And => 6,
    }
}

fn declaration(variable: &Variable) -> String {
    format!("{}: {}", variable.name, variable.ty)
}

fn line(text: std::fmt::Arguments<'_>, out: &mut String) {
    out.write_fmt(text).expect("writing to a string succeeds");
    out.push('\n');
}

/// The name of a function with its parameters, for drawings.
pub(crate) fn title(function: &Function) -> String {
    let params: Vec<&str> =
        function.locals[..function.n_params].iter().map(|param| param.name.as_str()).collect();
    format!("{}({})", function.name, params.join(", "))
}

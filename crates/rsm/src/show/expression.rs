//! The text of an expression from its postfix code.
//!
//! Operands are found by one pass over the code; the text is then written from left to right with a list of what is still
//! to be written.

use crate::expr::{Binary, Expr, Operation};
use crate::machine::{ModuleId, Place, Rsm};
use crate::values::n_operands;

/// How tightly an operator binds; the tightest have the largest numbers. An operand that binds less tightly than its
/// place asks for stands in parentheses.
type Binding = u8;

/// Binds least: the place of a whole expression.
const WHOLE: Binding = 0;
const CONDITIONAL: Binding = 1;
const UNARY: Binding = 10;
/// Variables and constants, which never need parentheses.
const ATOM: Binding = 11;

/// What is still to be written.
enum Task {
    Text(&'static str),
    /// The operation at a position, in a place that asks for some binding.
    Operation(usize, Binding),
}

/// An expression of a module as the user writes it.
pub fn show_expr(rsm: &Rsm, module: ModuleId, expr: &Expr) -> String {
    let operands = operands(expr);
    let mut out = String::new();
    let mut todo = vec![Task::Operation(expr.code.len() - 1, WHOLE)];
    while let Some(task) = todo.pop() {
        let (at, asked) = match task {
            Task::Text(text) => {
                out.push_str(text);
                continue;
            }
            Task::Operation(at, asked) => (at, asked),
        };
        let term = &expr.code[at];
        let name = |place: Place| rsm.variable(module, place).name.as_str();
        match term.operation {
            Operation::Constant(value) => out.push_str(&term.ty.value_name(value)),
            Operation::Read(place) => out.push_str(name(place)),
            Operation::ReadNext(place) => {
                out.push_str(name(place));
                out.push('\'');
            }
            Operation::Choice(_) => out.push('*'),
            operation => {
                let mut tasks = layout(operation, &operands[at]);
                if binding(operation) < asked {
                    tasks.insert(0, Task::Text("("));
                    tasks.push(Task::Text(")"));
                }
                todo.extend(tasks.into_iter().rev());
            }
        }
    }
    out
}

/// The positions of the operands of each operation, in order.
fn operands(expr: &Expr) -> Vec<Vec<usize>> {
    let mut stack: Vec<usize> = Vec::new();
    let mut operands = Vec::with_capacity(expr.code.len());
    for (at, term) in expr.code.iter().enumerate() {
        operands.push(stack.split_off(stack.len() - n_operands(term.operation)));
        stack.push(at);
    }
    operands
}

/// An operator with its operands, from left to right.
fn layout(operation: Operation, operands: &[usize]) -> Vec<Task> {
    let own = binding(operation);
    match (operation, operands) {
        (Operation::Not, [operand]) => vec![Task::Text("!"), Task::Operation(*operand, own)],
        // Two minus signs in a row are hard to read.
        (Operation::Negate, [operand]) => vec![Task::Text("-"), Task::Operation(*operand, own + 1)],
        (Operation::Binary(operator), [left, right]) => {
            let (asked_left, asked_right) =
                if operator == Binary::Implies { (own + 1, own) } else { (own, own + 1) };
            let text = Task::Text(symbol(operator));
            vec![Task::Operation(*left, asked_left), text, Task::Operation(*right, asked_right)]
        }
        (Operation::Conditional, [condition, yes, no]) => vec![
            Task::Operation(*condition, own + 1),
            Task::Text(" ? "),
            Task::Operation(*yes, own + 1),
            Task::Text(" : "),
            Task::Operation(*no, own),
        ],
        (Operation::Schoose, [positive, negative]) => vec![
            Task::Text("schoose["),
            Task::Operation(*positive, WHOLE),
            Task::Text(", "),
            Task::Operation(*negative, WHOLE),
            Task::Text("]"),
        ],
        _ => unreachable!("an operation has the operands it asks for"),
    }
}

fn binding(operation: Operation) -> Binding {
    match operation {
        Operation::Conditional => CONDITIONAL,
        Operation::Not | Operation::Negate => UNARY,
        Operation::Binary(operator) => match operator {
            Binary::Implies => 2,
            Binary::Or => 3,
            Binary::Xor => 4,
            Binary::And => 5,
            Binary::Equal | Binary::NotEqual => 6,
            Binary::Less | Binary::LessEqual => 7,
            Binary::Add | Binary::Subtract => 8,
            Binary::Multiply => 9,
        },
        _ => ATOM,
    }
}

fn symbol(operator: Binary) -> &'static str {
    match operator {
        Binary::And => " & ",
        Binary::Or => " | ",
        Binary::Xor => " ^ ",
        Binary::Implies => " => ",
        Binary::Equal => " = ",
        Binary::NotEqual => " != ",
        Binary::Less => " < ",
        Binary::LessEqual => " <= ",
        Binary::Add => " + ",
        Binary::Subtract => " - ",
        Binary::Multiply => " * ",
    }
}

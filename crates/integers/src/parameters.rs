//! Large numbers of a program as parameters, while a proof is looked for.
//!
//! A proof that holds for every bound of a loop is often short where one for 100000 is not found. So a number that is compared by its size becomes a global that nothing
//! stores in and of which only little is known: `$n >= 50`. What holds of the program with parameters holds for the numbers that were there, so a
//! claim about it is one about the program once they are put back; that is checked as always. What does not hold with
//! parameters may hold with numbers: whoever asks has to ask again.
//!
//! Numbers that multiply, divide or reduce stay, and so do those that limit a type. Numbers close to each other share a parameter, `$n` and `$n + 1`.

use crate::effects::Effects;
use crate::expr::{Expr, Op, Relation};
use crate::ghosts::Ghosted;
use crate::number::Type;
use crate::program::{Action, Global, Place, Program, Start, Unknown, UnknownId, Variable};
use std::collections::BTreeSet;

/// A program with parameters.
#[derive(Clone, Debug)]
pub struct Parametrised {
    /// The program. All variables keep their places; parameters come behind the other globals.
    pub ghosted: Ghosted,
    /// What is known of parameters, from the start on.
    pub assumed: Expr,
    /// The parameters, and the numbers that they stand for.
    parameters: Vec<(Place, i128)>,
}

/// Smaller numbers stay.
const LEAST: i128 = 50;

/// Numbers that are no further apart share a parameter.
const CLOSE: i128 = 8;

/// With more parameters nothing becomes easier.
const MOST: usize = 6;

impl Parametrised {
    /// Makes parameters of large numbers, if there are some.
    pub fn new(ghosted: &Ghosted) -> Option<Self> {
        let groups = groups(&ghosted.program);
        if groups.is_empty() || groups.len() > MOST {
            return None;
        }
        let first = ghosted.program.globals.len() as u32;
        let parameters: Vec<(Place, i128)> =
            groups.iter().zip(first..).map(|(group, n)| (Place::Global(n), group.least)).collect();
        let mut program = ghosted.program.clone();
        declare(&mut program, parameters.len());
        let stands_for = |number: i128| {
            let at = groups.iter().position(|group| (group.least..=group.greatest).contains(&number))?;
            let distance = Expr::constant(number - groups[at].least);
            let parameter = Expr::read(parameters[at].0);
            Some(if number == groups[at].least { parameter } else { parameter.binary(Op::Add, distance) })
        };
        for edge in program.functions.iter_mut().flat_map(|function| &mut function.edges) {
            match &mut edge.action {
                Action::Step(step) => {
                    step.guard = replaced(&step.guard, &stands_for);
                    for (_, value) in &mut step.updates {
                        *value = replaced(value, &stands_for);
                    }
                }
                Action::Call { args, .. } => {
                    args.iter_mut().for_each(|arg| *arg = replaced(arg, &stands_for));
                }
                Action::Manage(_) => {}
            }
        }
        let effects = Effects::new(&program);
        let Ghosted { ghosts, is_called, .. } = ghosted.clone();
        let ghosted = Ghosted { program, ghosts, effects, is_called };
        Some(Self { ghosted, assumed: assumed(&groups, &parameters), parameters })
    }

    /// A formula about the program with parameters as one about the program with its numbers.
    #[must_use]
    pub fn with_numbers(&self, formula: &Expr) -> Expr {
        let number = |place: Place| self.parameters.iter().find(|(other, _)| *other == place);
        let put_back = formula.substitute(|op| match op {
            Op::Read(place) => number(place).map(|(_, number)| Expr::constant(*number)),
            _ => None,
        });
        put_back.simplified()
    }
}

/// Numbers that share a parameter.
#[derive(Clone, Copy, Debug)]
struct Group {
    least: i128,
    greatest: i128,
}

/// The groups one of whose numbers is compared by its size.
fn groups(program: &Program) -> Vec<Group> {
    let (mut all, mut compared) = (BTreeSet::new(), BTreeSet::new());
    for function in &program.functions {
        for edge in &function.edges {
            let exprs: Vec<&Expr> = match &edge.action {
                Action::Step(step) => step.exprs().collect(),
                Action::Call { args, .. } => args.iter().collect(),
                Action::Manage(_) => Vec::new(),
            };
            exprs.into_iter().for_each(|expr| find(expr, &mut all, &mut compared));
        }
    }
    let mut groups: Vec<Group> = Vec::new();
    for number in all {
        match groups.last_mut() {
            Some(group) if number - group.greatest <= CLOSE => group.greatest = number,
            _ => groups.push(Group { least: number, greatest: number }),
        }
    }
    groups.retain(|group| compared.range(group.least..=group.greatest).next().is_some());
    groups
}

/// The numbers of an expression that may become parameters, and those of them that are compared by their size.
fn find(expr: &Expr, all: &mut BTreeSet<i128>, compared: &mut BTreeSet<i128>) {
    let free = free(expr);
    all.extend(free.iter().map(|(_, number)| *number));
    let code = expr.code();
    for (at, number) in &free {
        let is_by_size = |op: Option<&Op>| {
            use Relation::{Greater, GreaterEqual, Less, LessEqual};
            matches!(op, Some(Op::Compare(Less | LessEqual | Greater | GreaterEqual)))
        };
        // It is the last operand, or the first and the other is one leaf.
        let is_first = code.get(at + 1).is_some_and(|op| op.n_operands() == 0);
        if is_by_size(code.get(at + 1)) || is_first && is_by_size(code.get(at + 2)) {
            compared.insert(*number);
        }
    }
}

/// The positions of constants that may become parameters.
fn free(expr: &Expr) -> Vec<(usize, i128)> {
    /// A part of the expression: where its constants are, and whether it is one.
    struct Part {
        constants: Vec<(usize, i128)>,
        is_constant: bool,
    }
    let mut at = 0;
    let whole = expr.fold(|op, operands: Vec<Part>| {
        let here = at;
        at += 1;
        if let Op::Constant(number) = op {
            let is_large = number >= LEAST && !is_limit(number);
            let constants = is_large.then_some((here, number)).into_iter().collect();
            return Part { constants, is_constant: true };
        }
        let keeps = |part: &Part| match op {
            Op::Multiply => !part.is_constant,
            Op::Add | Op::Subtract | Op::Negate | Op::Choose | Op::Within(_) | Op::Wrap(_) => true,
            Op::Compare(_) | Op::Not | Op::And | Op::Or | Op::Number => true,
            _ => false,
        };
        let constants = operands.iter().filter(|part| keeps(part)).flat_map(|part| &part.constants);
        Part { constants: constants.copied().collect(), is_constant: false }
    });
    whole.constants
}

/// It is the least or greatest number of a type, or one beside it.
fn is_limit(number: i128) -> bool {
    let near = |power: u32| ((1i128 << power) - 1..=1i128 << power).contains(&number);
    [7, 8, 15, 16, 31, 32, 63, 64].into_iter().any(near)
}

/// The expression with parameters.
fn replaced(expr: &Expr, stands_for: &dyn Fn(i128) -> Option<Expr>) -> Expr {
    let free = free(expr);
    if free.is_empty() {
        return expr.clone();
    }
    let mut at = 0;
    expr.fold(|op, operands: Vec<Expr>| {
        let here = at;
        at += 1;
        match op {
            Op::Constant(number) if free.iter().any(|(known, _)| *known == here) => {
                stands_for(number).unwrap_or_else(|| Expr::leaf(op))
            }
            _ => Expr::of(op, &operands),
        }
    })
}

/// New globals of which nothing is known.
fn declare(program: &mut Program, n: usize) {
    let span = program.function(program.main).span;
    for n in 0..n {
        let name = if n == 0 { "$n".to_owned() } else { format!("$n{}", n + 1) };
        let unknown = UnknownId::new(program.unknowns.len());
        program.unknowns.push(Unknown { construct: "a parameter".to_owned(), span });
        let variable = Variable { name, ty: Type::signed(64), span };
        program.globals.push(Global { variable, start: Start::Unknown(unknown) });
    }
}

/// They are large, and in the order of the numbers.
fn assumed(groups: &[Group], parameters: &[(Place, i128)]) -> Expr {
    let mut formula = Expr::truth(true);
    let mut least = Expr::constant(LEAST);
    for (group, (place, _)) in groups.iter().zip(parameters) {
        let parameter = Expr::read(*place);
        formula = formula.and(parameter.clone().compare(Relation::GreaterEqual, least));
        least = parameter.binary(Op::Add, Expr::constant(group.greatest - group.least + CLOSE + 1));
    }
    formula
}

//! Overflows and what is undefined as targets: a program whose mathematical runs are the machine's, up to where one overflows, or does something undefined. A negative number
//! that is shifted to the left overflows, too.

use crate::expr::{Expr, Op, Relation};
use crate::faults::Faults;
use crate::number::Type;
use crate::program::{
    Action, Edge, Function, Node, NodeId, Program, Role, Step, Target, TargetId, TargetKind,
};
use base::Span;

/// The same program, in which every result that does not fit its type leads to a target.
pub fn checked(program: &Program) -> Program {
    with_targets(program, &Check { kind: TargetKind::Overflow, condition: &fits })
}

/// The same program, in which every step that computes something undefined leads to a target. Memory is not asked: it is for programs without loads and stores.
pub fn guarded(program: &Program, faults: Faults) -> Program {
    let counts = |op: Op| match op {
        Op::Misuse(_) | Op::Initialised => faults.memory,
        _ => faults.arithmetic,
    };
    let condition = |exprs: &[Expr]| {
        let defined = exprs.iter().map(|expr| expr.defined_as_to(counts));
        defined.reduce(Expr::and).unwrap_or_else(|| Expr::truth(true))
    };
    with_targets(program, &Check { kind: TargetKind::Undefined, condition: &condition })
}

/// What leads to a target.
struct Check<'a> {
    kind: TargetKind,
    /// The condition under which these expressions do not.
    condition: &'a dyn Fn(&[Expr]) -> Expr,
}

fn with_targets(program: &Program, check: &Check) -> Program {
    let mut checked = program.clone();
    for function in &mut checked.functions {
        check_function(function, &mut checked.targets, check);
    }
    checked
}

/// The condition under which all results in these expressions fit their types.
pub fn fits(exprs: &[Expr]) -> Expr {
    let mut fits = Fits::default();
    exprs.iter().for_each(|expr| fits.require(expr));
    fits.all()
}

fn check_function(function: &mut Function, targets: &mut Vec<Target>, check: &Check) {
    let edges = std::mem::take(&mut function.edges);
    // The last conditions under which guards overflowed, and from where: the edges of a node share them.
    let mut seen: (NodeId, Vec<Expr>) = (function.entry, Vec::new());
    for edge in edges {
        if seen.0 != edge.from {
            seen = (edge.from, Vec::new());
        }
        match edge.action {
            Action::Step(ref step) => {
                let in_guard = (check.condition)(std::slice::from_ref(&step.guard));
                let values: Vec<Expr> = step.exprs().skip(1).cloned().collect();
                let in_values = (check.condition)(&values);
                if in_guard.as_truth() != Some(true) && !seen.1.contains(&in_guard) {
                    let guard = in_guard.clone().not();
                    failure(function, targets, &edge, guard, (step, check.kind));
                    seen.1.push(in_guard.clone());
                }
                let guard = in_guard.and(step.guard.clone());
                if in_values.as_truth() != Some(true) {
                    let guard = guard.clone().and(in_values.clone().not());
                    failure(function, targets, &edge, guard, (step, check.kind));
                }
                let step = Step { guard: guard.and(in_values), ..step.clone() };
                function.edges.push(Edge { action: Action::Step(step), ..edge });
            }
            Action::Call { ref args, .. } => {
                let in_args = (check.condition)(args);
                check_call(function, targets, in_args, edge, check.kind);
            }
            Action::Manage(ref manage) => {
                let exprs: Vec<Expr> = manage.exprs().into_iter().cloned().collect();
                check_call(function, targets, (check.condition)(&exprs), edge, check.kind);
            }
        }
    }
    function.sort_edges();
}

fn check_call(function: &mut Function, targets: &mut Vec<Target>, fits: Expr, edge: Edge, kind: TargetKind) {
    if fits.as_truth() == Some(true) {
        function.edges.push(edge);
        return;
    }
    let nothing = Step::new(Expr::truth(true), Vec::new());
    failure(function, targets, &edge, fits.clone().not(), (&nothing, kind));
    let before = node(function, Role::Plain, edge.span);
    let action = Action::Step(Step::new(fits, Vec::new()));
    function.edges.push(Edge { from: edge.from, to: before, action, span: edge.span });
    function.edges.push(Edge { from: before, ..edge });
}

/// An edge to a new target.
fn failure(
    function: &mut Function,
    targets: &mut Vec<Target>,
    edge: &Edge,
    guard: Expr,
    (step, kind): (&Step, TargetKind),
) {
    let target = TargetId::new(targets.len());
    let name = if kind == TargetKind::Overflow { "overflow" } else { "undefined" }.to_owned();
    targets.push(Target { kind, name, function: function.name.clone(), span: edge.span });
    let to = node(function, Role::Target(target), edge.span);
    let step = Step { guard, updates: Vec::new(), stores: Vec::new(), ..step.clone() };
    function.edges.push(Edge { from: edge.from, to, action: Action::Step(step), span: edge.span });
}

fn node(function: &mut Function, role: Role, span: Span) -> NodeId {
    function.nodes.push(Node { role, span });
    NodeId::new(function.nodes.len() - 1)
}

/// Conditions under which all results fit.
#[derive(Default)]
struct Fits(Vec<Expr>);

impl Fits {
    fn all(self) -> Expr {
        self.0.into_iter().reduce(Expr::and).unwrap_or_else(|| Expr::truth(true))
    }

    /// Adds those for an expression. What need not be computed need not fit.
    fn require(&mut self, expr: &Expr) {
        let machine = |op: &Op| {
            matches!(op, Op::Within(_) | Op::Remainder(_) | Op::ShiftLeft(Type { signed: true, .. }))
        };
        if !expr.code().iter().any(machine) {
            return;
        }
        let (_, fits) = expr.fold(|op, operands: Vec<(Expr, Expr)>| part(op, operands));
        if fits.as_truth() != Some(true) && !self.0.contains(&fits) {
            self.0.push(fits);
        }
    }
}

/// An operation on operands, each with the condition under which it fits.
fn part(op: Op, operands: Vec<(Expr, Expr)>) -> (Expr, Expr) {
    let mut operands = operands.into_iter();
    let mut next = || operands.next().expect("the operation has this operand");
    match op.n_operands() {
        0 => (Expr::leaf(op), Expr::truth(true)),
        1 => {
            let (operand, mut fits) = next();
            if let Op::Within(ty) = op {
                fits = fits.and(within(&operand, ty));
            }
            (operand.unary(op), fits)
        }
        2 => {
            let ((left, fits), (right, right_fits)) = (next(), next());
            let needed = match op {
                Op::And => implied(left.clone(), right_fits),
                Op::Or => implied(left.clone().not(), right_fits),
                Op::Remainder(ty) => right_fits.and(quotient_fits(&left, &right, ty)),
                Op::ShiftLeft(ty) if ty.signed => {
                    right_fits.and(left.clone().compare(Relation::GreaterEqual, Expr::constant(0)))
                }
                _ => right_fits,
            };
            (left.binary(op, right), fits.and(needed))
        }
        _ => {
            let ((condition, fits), (yes, yes_fits), (no, no_fits)) = (next(), next(), next());
            let needed = implied(condition.clone(), yes_fits).and(implied(condition.clone().not(), no_fits));
            (Expr::choose(condition, yes, no), fits.and(needed))
        }
    }
}

fn implied(condition: Expr, fits: Expr) -> Expr {
    match fits.as_truth() {
        Some(true) => fits,
        _ => condition.not().binary(Op::Or, fits),
    }
}

fn within(term: &Expr, ty: Type) -> Expr {
    let at_least = term.clone().compare(Relation::GreaterEqual, Expr::constant(ty.min()));
    at_least.and(term.clone().compare(Relation::LessEqual, Expr::constant(ty.max())))
}

/// The only quotient that does not fit is that of the least number and -1.
fn quotient_fits(left: &Expr, right: &Expr, ty: Type) -> Expr {
    let least = left.clone().compare(Relation::NotEqual, Expr::constant(ty.min()));
    match right.as_constant() {
        Some(number) if number != -1 => Expr::truth(true),
        _ if !ty.signed => Expr::truth(true),
        _ => least.binary(Op::Or, right.clone().compare(Relation::NotEqual, Expr::constant(-1))),
    }
}

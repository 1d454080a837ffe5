//! From a checked program to a recursive state machine.
//!
//! Contract: a node for each statement and each test, in the order of the text, then one for the function's `end` and
//! the exit; an edge for each step, in the same order. Function n of the program is module n.

mod code;
mod flow;

use crate::ast::{Function, Statement, StatementKind};
use crate::check::{Checked, CheckedFunction, CheckedUnit, Variable};
use base::Diagnostic;
pub(crate) use code::code;
use flow::Flow;
use rsm::{Action, Edge, Expr, Module, ModuleId, Node, NodeId, Rsm};
use rustc_hash::FxHashSet;

/// The machine of a sequential program. A concurrent one is refused, with the first place that makes it so.
pub fn lower(checked: &Checked) -> Result<Rsm, Vec<Diagnostic>> {
    if let Some(diagnostic) = concurrency(checked) {
        return Err(vec![diagnostic]);
    }
    let unit = &checked.units[0];
    let functions = checked.program().unit.functions.iter().zip(&unit.functions);
    Ok(Rsm {
        globals: variables(checked, &checked.shared.variables),
        init: checked.shared.init.iter().map(|condition| checked.code(*condition)).collect(),
        modules: functions
            .map(|(tree, function)| Lowering { checked, unit, tree, function }.module())
            .collect(),
        main: ModuleId(unit.main),
    })
}

/// What makes a program concurrent.
fn concurrency(checked: &Checked) -> Option<Diagnostic> {
    let program = checked.program();
    if let Some(thread) = program.threads.first() {
        return Some(Diagnostic::error(thread.head, "this program is concurrent: it has threads"));
    }
    let starts = |kind: &StatementKind| {
        matches!(
            kind,
            StatementKind::StartThread(_) | StatementKind::StartThreadGoto(_) | StatementKind::EndThread
        )
    };
    let mut statements = program.unit.functions.iter().flat_map(|function| &function.body);
    let statement = statements.find(|statement| starts(&statement.kind))?;
    let what = if matches!(statement.kind, StatementKind::EndThread) { "ends" } else { "starts" };
    Some(Diagnostic::error(statement.span, format!("this program is concurrent: it {what} a thread here")))
}

fn variables(checked: &Checked, variables: &[Variable]) -> Vec<rsm::Variable> {
    let lower = |variable: &Variable| rsm::Variable {
        name: checked.program().text(variable.name).to_owned(),
        ty: checked.types.lower(variable.ty),
        span: variable.name.span,
    };
    variables.iter().map(lower).collect()
}

/// One function.
struct Lowering<'c> {
    checked: &'c Checked,
    unit: &'c CheckedUnit,
    tree: &'c Function,
    function: &'c CheckedFunction,
}

impl Lowering<'_> {
    fn module(&self) -> Module {
        let flow = Flow::new(&self.tree.body);
        let end = NodeId::new(flow.n_nodes);
        let exit = NodeId::new(flow.n_nodes + 1);
        let mut edges = Vec::new();
        for position in 0..self.tree.body.len() {
            self.steps(position, &flow, exit, &mut edges);
        }
        edges.push(Edge { from: end, to: exit, action: self.any_results(), span: self.tree.end });
        Module {
            name: self.checked.program().text(self.tree.name).to_owned(),
            span: self.tree.name.span,
            locals: variables(self.checked, &self.function.locals),
            n_params: self.function.n_params,
            results: self.function.results.iter().map(|ty| self.checked.types.lower(*ty)).collect(),
            enforce: self.tree.enforce.map(|(condition, _)| self.checked.code(condition)),
            nodes: self.nodes(),
            edges,
            entry: NodeId(0),
            exit,
        }
    }

    /// The nodes of the statements, of the `end` and of the exit.
    fn nodes(&self) -> Vec<Node> {
        let program = self.checked.program();
        let mut nodes = Vec::new();
        let mut n_atomic = 0;
        for statement in &self.tree.body {
            match statement.kind {
                StatementKind::EndAtomic => n_atomic -= 1,
                StatementKind::Else | StatementKind::Fi | StatementKind::Od => {}
                _ => {
                    let labels = self.labels(statement);
                    let span = match statement.kind {
                        StatementKind::If(test) | StatementKind::Elsif(test) | StatementKind::While(test) => {
                            program.expression(test).span
                        }
                        _ => statement.span,
                    };
                    nodes.push(Node { labels, span, in_atomic: n_atomic > 0 });
                    n_atomic += usize::from(matches!(statement.kind, StatementKind::Atomic));
                }
            }
        }
        let end = Node { labels: Vec::new(), span: self.tree.end, in_atomic: false };
        nodes.extend([end.clone(), end]);
        nodes
    }

    /// The labels of a statement, each once.
    fn labels(&self, statement: &Statement) -> Vec<String> {
        let mut known = FxHashSet::default();
        let labels = statement.labels.iter().filter(|label| known.insert(label.symbol));
        labels.map(|label| self.checked.program().text(*label).to_owned()).collect()
    }

    /// The edges of the statement at a position.
    fn steps(&self, position: usize, flow: &Flow, exit: NodeId, edges: &mut Vec<Edge>) {
        let statement = &self.tree.body[position];
        let from = flow.node[position];
        let next = flow.after(position);
        let mut step = |to, action, span| edges.push(Edge { from, to, action, span });
        match &statement.kind {
            StatementKind::Else | StatementKind::Fi | StatementKind::Od | StatementKind::EndAtomic => {}
            StatementKind::If(test) | StatementKind::Elsif(test) | StatementKind::While(test) => {
                let span = self.checked.program().expression(*test).span;
                let condition = self.checked.code(*test);
                let negated = condition.negated();
                step(next, Action::Assume(condition), span);
                step(flow.otherwise[position], Action::Assume(negated), span);
            }
            StatementKind::Goto(labels) => {
                for label in labels {
                    let target = self.function.labels[&label.symbol] as usize;
                    step(flow.node[target], Action::Skip, statement.span);
                }
            }
            StatementKind::Return(_) => step(exit, self.action(&statement.kind), statement.span),
            kind => step(next, self.action(kind), statement.span),
        }
    }

    /// What a statement does that leads to one place.
    fn action(&self, kind: &StatementKind) -> Action {
        let code = |id: &crate::ast::ExprId| self.checked.code(*id);
        let place = |symbol| self.checked.place(self.unit, self.function, symbol);
        match kind {
            StatementKind::Assign { targets, values, constrain } => {
                let stored = targets
                    .iter()
                    .zip(values)
                    .filter_map(|(target, value)| Some((place(target.symbol?), code(value))));
                let (targets, values): (Vec<_>, Vec<_>) = stored.unzip();
                let constrain = constrain.map(|condition| self.checked.constraint(condition, &targets));
                assignment(targets, values, constrain)
            }
            StatementKind::Dead(names) => {
                let targets: Vec<_> = names.iter().map(|name| place(name.symbol)).collect();
                let variable = |target| self.checked.ty(self.function, target);
                let values = targets.iter().map(|target| Expr::choice(variable(*target))).collect();
                assignment(targets, values, None)
            }
            StatementKind::Call { targets, call } => {
                let callee = self.unit.by_name[&call.callee.symbol];
                let n_results = self.unit.functions[callee as usize].results.len();
                let results = match targets.len() {
                    0 => vec![None; n_results],
                    _ => targets.iter().map(|target| target.symbol.map(place)).collect(),
                };
                Action::Call { callee: ModuleId(callee), args: call.args.iter().map(code).collect(), results }
            }
            StatementKind::Return(values) if values.is_empty() => self.any_results(),
            StatementKind::Return(values) => Action::Return { values: values.iter().map(code).collect() },
            StatementKind::Assert(condition) => Action::Assert(code(condition)),
            StatementKind::Assume(condition) | StatementKind::Constrain(condition) => {
                Action::Assume(code(condition))
            }
            _ => Action::Skip,
        }
    }

    /// Returning without saying what.
    fn any_results(&self) -> Action {
        let results = self.function.results.iter();
        Action::Return { values: results.map(|ty| Expr::choice(self.checked.types.lower(*ty))).collect() }
    }
}

/// An assignment; one that stores nothing is a condition, or nothing at all.
fn assignment(targets: Vec<rsm::Place>, values: Vec<Expr>, constrain: Option<Expr>) -> Action {
    match constrain {
        Some(condition) if targets.is_empty() => Action::Assume(condition),
        None if targets.is_empty() => Action::Skip,
        constrain => Action::Assign { targets, values, constrain },
    }
}

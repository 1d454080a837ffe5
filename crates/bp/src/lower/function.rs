//! One function as a module.
//!
//! Contract: a node for each statement and each test, in the order of the text, then one for the function's `end`, those
//! right behind starts of threads (see `behind`), and the exit; an edge for each step, in the same order. A function that
//! ends threads has one node more, behind the exit: nothing leads away from it, and it lies in no atomic block.

use super::behind::{self, Behind};
use super::concurrency::Started;
use super::flow::Flow;
use super::setting::Setting;
use super::start::Beginning;
use super::variables;
use crate::ast::{ExprId, Function, Name, Statement, StatementKind, Symbol};
use crate::check::{Checked, CheckedFunction, CheckedUnit, Variable};
use rsm::{Action, Edge, Expr, Module, Node, NodeId, Operation, Place, Term, Type};
use rustc_hash::FxHashSet;

/// One function.
pub(super) struct Lowering<'c> {
    pub(super) checked: &'c Checked,
    pub(super) unit: &'c CheckedUnit,
    pub(super) tree: &'c Function,
    pub(super) function: &'c CheckedFunction,
    /// Its position in the unit.
    pub(super) number: u32,
    pub(super) setting: &'c Setting<'c>,
}

/// The nodes of a function.
struct Places {
    flow: Flow,
    /// In the order of the text.
    behind: Vec<Behind>,
    exit: NodeId,
}

impl Places {
    /// Where the statement at a position leads once it has started a thread.
    fn after_start(&self, position: usize) -> NodeId {
        match self.behind.binary_search_by_key(&position, |start| start.position) {
            Ok(found) => self.behind[found].node,
            Err(_) => self.flow.after(position),
        }
    }
}

impl Lowering<'_> {
    pub(super) fn module(&self) -> Module {
        let places = self.places();
        let (end, exit) = (NodeId::new(places.flow.n_nodes), places.exit);
        let mut edges = Vec::new();
        for position in 0..self.tree.body.len() {
            self.steps(position, &places, &mut edges);
        }
        edges.push(Edge { from: end, to: exit, action: self.any_results(), span: self.tree.end });
        for start in &places.behind {
            let (to, span) = (places.flow.after(start.position), self.tree.body[start.position].span);
            edges.push(Edge { from: start.node, to, action: Action::Skip, span });
        }
        // A machine stays as it is for as long as a question is asked about it.
        edges.shrink_to_fit();
        Module {
            name: self.checked.program().text(self.tree.name).to_owned(),
            span: self.tree.name.span,
            locals: variables(self.checked, &self.function.locals),
            n_params: self.function.n_params,
            results: self.function.results.iter().map(|ty| self.checked.types.lower(*ty)).collect(),
            enforce: self.enforce(),
            nodes: self.nodes(&places),
            edges,
            entry: NodeId(0),
            exit,
        }
    }

    /// What the function demands of its states. Tools print `enforce T;` into every function: what demands nothing is left out,
    /// since steps merge only where nothing is demanded.
    fn enforce(&self) -> Option<Expr> {
        let (condition, _) = self.tree.enforce?;
        Some(self.code(condition)).filter(|condition| !rsm::values::holds_always(condition))
    }

    fn places(&self) -> Places {
        let flow = Flow::new(&self.tree.body);
        let behind = match self.setting.starts {
            Some(starts) => behind::find(self.checked, starts, self.number, &flow),
            None => Vec::new(),
        };
        let exit = NodeId::new(flow.n_nodes + 1 + behind.len());
        Places { flow, behind, exit }
    }

    /// The code of an expression.
    fn code(&self, expression: ExprId) -> Expr {
        self.setting.expression(self.checked.code(expression))
    }

    /// The place of a variable.
    fn place(&self, symbol: Symbol) -> Place {
        self.setting.place(self.checked.variable(self.unit, self.function, symbol).0)
    }

    /// The nodes of the statements, of the `end`, behind starts, of the exit, and the one where threads end.
    fn nodes(&self, places: &Places) -> Vec<Node> {
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
        let ends_thread = |statement: &Statement| matches!(statement.kind, StatementKind::EndThread);
        let n_ends = if self.tree.body.iter().any(ends_thread) { 2 } else { 1 };
        nodes.push(end.clone());
        for start in &places.behind {
            let span = self.tree.body[start.position].span;
            let in_atomic = nodes[places.flow.after(start.position).index()].in_atomic;
            nodes.push(Node { labels: Vec::new(), span, in_atomic });
        }
        nodes.extend(std::iter::repeat_n(end, n_ends));
        nodes.shrink_to_fit();
        nodes
    }

    /// The labels of a statement, each once.
    fn labels(&self, statement: &Statement) -> Vec<String> {
        let mut known = FxHashSet::default();
        let labels = statement.labels.iter().filter(|label| known.insert(label.symbol));
        labels.map(|label| self.checked.program().text(*label).to_owned()).collect()
    }

    /// The edges of the statement at a position.
    fn steps(&self, position: usize, places: &Places, edges: &mut Vec<Edge>) {
        let Places { flow, exit, .. } = places;
        let statement = &self.tree.body[position];
        let from = flow.node[position];
        let next = flow.after(position);
        let mut step = |to, action, span| edges.push(Edge { from, to, action, span });
        if let Some(actions) = self.start(statement) {
            let behind = places.after_start(position);
            actions.into_iter().for_each(|action| step(behind, action, statement.span));
            return;
        }
        match &statement.kind {
            StatementKind::Else | StatementKind::Fi | StatementKind::Od | StatementKind::EndAtomic => {}
            StatementKind::If(test) | StatementKind::Elsif(test) | StatementKind::While(test) => {
                let span = self.checked.program().expression(*test).span;
                let condition = self.code(*test);
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
            StatementKind::Return(_) => step(*exit, self.action(&statement.kind), statement.span),
            // See `Module::ends_thread`.
            StatementKind::EndThread => step(NodeId(exit.0 + 1), Action::Skip, statement.span),
            kind => step(next, self.action(kind), statement.span),
        }
    }

    /// The ways in which a statement starts a thread, if it does.
    fn start(&self, statement: &Statement) -> Option<Vec<Action>> {
        let starts = self.setting.starts?;
        let started = starts.started(self.checked.program(), statement)?;
        let begin = Beginning::new(self.checked, self.number, &started);
        let values = match started {
            Started::Function(call) => call.args.iter().map(|arg| self.code(*arg)).collect(),
            Started::Goto(_) => self.locals(),
        };
        Some(starts.actions(begin, &values))
    }

    /// The values of all locals.
    fn locals(&self) -> Vec<Expr> {
        let locals = self.function.locals.iter().zip(0..);
        let read = |(local, n): (&Variable, u32)| Term {
            operation: Operation::Read(Place::Local(n)),
            ty: self.checked.types.lower(local.ty),
        };
        locals.map(|local| Expr { code: Box::new([read(local)]) }).collect()
    }

    /// What a statement does that leads to one place.
    fn action(&self, kind: &StatementKind) -> Action {
        let code = |id: &ExprId| self.code(*id);
        let place = |symbol| self.place(symbol);
        match kind {
            StatementKind::Assign { targets, values, constrain } => {
                let stored = targets
                    .iter()
                    .zip(values)
                    .filter_map(|(target, value)| Some((place(target.symbol?), code(value))));
                let (mut targets, mut values): (Vec<_>, Vec<_>) = stored.unzip();
                targets.shrink_to_fit();
                values.shrink_to_fit();
                let constrain = constrain.map(|condition| self.constraint(condition, &targets));
                assignment(targets, values, constrain)
            }
            StatementKind::Dead(names) => {
                let choice = |name: &Name| {
                    let (_, ty) = self.checked.variable(self.unit, self.function, name.symbol);
                    Expr::choice(self.checked.types.lower(ty))
                };
                let targets = names.iter().map(|name| place(name.symbol)).collect();
                assignment(targets, names.iter().map(choice).collect(), None)
            }
            StatementKind::Call { targets, call } => {
                let callee = self.unit.by_name[&call.callee.symbol];
                let n_results = self.unit.functions[callee as usize].results.len();
                let results = match targets.len() {
                    0 => vec![None; n_results],
                    _ => targets.iter().map(|target| target.symbol.map(place)).collect(),
                };
                Action::Call {
                    callee: self.setting.module(callee),
                    args: call.args.iter().map(code).collect(),
                    results,
                }
            }
            StatementKind::Return(values) if values.is_empty() => self.any_results(),
            StatementKind::Return(values) => Action::Return { values: values.iter().map(code).collect() },
            StatementKind::Assert(condition) => Action::Assert(code(condition)),
            StatementKind::Assume(condition) | StatementKind::Constrain(condition) => {
                Action::Assume(code(condition))
            }
            StatementKind::AtomicBegin => self.set_flag(1),
            StatementKind::AtomicEnd => self.set_flag(0),
            _ => Action::Skip,
        }
    }

    /// The condition of an assignment: the new value of a variable that is not assigned is its old one.
    fn constraint(&self, condition: ExprId, targets: &[Place]) -> Expr {
        let mut expr = self.code(condition);
        let mut assigned = targets.to_vec();
        assigned.sort_unstable();
        for term in &mut expr.code {
            if let Operation::ReadNext(place) = term.operation
                && assigned.binary_search(&place).is_err()
            {
                term.operation = Operation::Read(place);
            }
        }
        expr
    }

    /// `atomic_begin` and `atomic_end`.
    fn set_flag(&self, value: u64) -> Action {
        let flag = self.setting.flag.map(Place::Global);
        let values = flag.iter().map(|_| Expr::constant(value, Type::Bool)).collect();
        assignment(flag.into_iter().collect(), values, None)
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

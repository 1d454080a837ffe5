//! A module as a function: a label for each node, a statement for each edge.
//!
//! At a node where the thread is outside atomic regions it may first leave its context: a local variable remembers the
//! node, and a part at the end of the function, see `leave`, comes back to it. Then, if the node is a goal and this is the
//! context that counts, the thread says so. Then it takes one of its steps. When a call comes back because the thread stops,
//! its caller returns at once, whatever the results are.
//!
//! An `enforce` of the program restricts the function in the same way: it has to hold after each step, and when a thread
//! goes on in another context. While a thread stops, its states are those of nobody, and nothing has to hold.

use crate::Scheme;
use crate::invariant::invariant;
use crate::leave::{back_at, declare_place, leave, leave_at};
use crate::plan::{Order, Plan, Steps};
use crate::text::{Text, line};
use rsm::{Action, Edge, EdgeId, Goal, Module, ModuleId, NodeId, show_action, show_expr, show_type};
use std::collections::BTreeSet;

/// The functions of all modules that threads may run.
pub(crate) fn functions(plan: &Plan, text: &mut Text) {
    let is_needed = reachable(plan);
    let can_stop = can_stop(plan);
    for n in (0..is_needed.len()).filter(|n| is_needed[*n]) {
        let id = ModuleId::new(n);
        let module = plan.program.machine.module(id);
        text.blank();
        Function { plan, id, module, can_stop: &can_stop }.print(text);
    }
}

fn callee(edge: &Edge) -> Option<ModuleId> {
    match edge.action {
        Action::Call { callee, .. } => Some(callee),
        _ => None,
    }
}

/// The modules that threads start with and, if there are steps, those that they call.
fn reachable(plan: &Plan) -> Vec<bool> {
    let machine = &plan.program.machine;
    let mut is_reachable = vec![false; machine.modules.len()];
    let mut rest: Vec<ModuleId> = plan.program.blocks.iter().map(|block| block.main).collect();
    while let Some(id) = rest.pop() {
        if !std::mem::replace(&mut is_reachable[id.index()], true) && plan.steps == Steps::All {
            rest.extend(machine.module(id).edges.iter().filter_map(callee));
        }
    }
    is_reachable
}

/// The modules in which, or in a callee of which, a thread may stop.
fn can_stop(plan: &Plan) -> Vec<bool> {
    let modules = &plan.program.machine.modules;
    let mut callers: Vec<Vec<ModuleId>> = vec![Vec::new(); modules.len()];
    for (n, module) in modules.iter().enumerate() {
        module.edges.iter().filter_map(callee).for_each(|id| callers[id.index()].push(ModuleId::new(n)));
    }
    let is_free = |id: &ModuleId| modules[id.index()].nodes.iter().any(|node| !node.in_atomic);
    let mut rest: Vec<ModuleId> = (0..modules.len()).map(ModuleId::new).filter(is_free).collect();
    if plan.scheme == Scheme::Eager {
        rest.extend(plan.goals.keys().map(|goal| goal.module()));
    }
    let mut can_stop = vec![false; modules.len()];
    while let Some(id) = rest.pop() {
        if !std::mem::replace(&mut can_stop[id.index()], true) {
            rest.extend(&callers[id.index()]);
        }
    }
    can_stop
}

/// One module.
struct Function<'p> {
    plan: &'p Plan,
    id: ModuleId,
    module: &'p Module,
    can_stop: &'p [bool],
}

impl Function<'_> {
    fn print(&self, text: &mut Text) {
        let declare = |local: &rsm::Variable| format!("{}: {}", local.name, show_type(&local.ty));
        let (params, locals) = self.module.locals.split_at(self.module.n_params);
        let params: Vec<String> = params.iter().map(declare).collect();
        line!(text, "{} {}({})", self.results(), self.module.name, params.join(", "));
        text.block(format_args!("begin"), "end", |text| {
            for local in locals {
                line!(text, "decl {};", declare(local));
            }
            declare_place(self.plan, self.module.nodes.len(), text);
            if let Some(enforce) = &self.module.enforce {
                line!(text, "enforce {} | ({});", self.plan.words.stop, self.show(enforce));
            }
            let nodes = self.nodes();
            let left: Vec<usize> = nodes.iter().filter(|n| self.is_free(**n)).map(|n| n.index()).collect();
            line!(text, "assume({});", invariant(self.plan));
            if nodes.first() != Some(&self.module.entry) {
                line!(text, "goto {};", label(self.module.entry));
            }
            for (position, node) in nodes.iter().enumerate() {
                self.node(*node, nodes.get(position + 1).copied(), text);
            }
            leave(self.plan, &left, text);
        });
    }

    /// The nodes that become statements.
    fn nodes(&self) -> Vec<NodeId> {
        match self.plan.steps {
            Steps::None => vec![self.module.entry],
            Steps::All => {
                let nodes = (0..self.module.nodes.len()).map(NodeId::new);
                nodes.filter(|node| *node != self.module.exit).collect()
            }
        }
    }

    fn results(&self) -> String {
        let types: Vec<String> = self.module.results.iter().map(show_type).collect();
        match &types[..] {
            [] => "void".to_owned(),
            [ty] => ty.clone(),
            _ => format!("<{}>", types.join(", ")),
        }
    }

    fn show(&self, expr: &rsm::Expr) -> String {
        show_expr(&self.plan.program.machine, self.id, expr)
    }

    /// A node; `next` is the one that is printed behind it.
    fn node(&self, node: NodeId, next: Option<NodeId>, text: &mut Text) {
        let names = self.module.node(node).labels.join(", ");
        let comment = if names.is_empty() { String::new() } else { format!(" // {names}") };
        line!(text, "{}:{comment}", label(node));
        if self.is_free(node) {
            let flag = self.plan.block_of(self.id).and_then(|block| self.plan.flag(block));
            let flag = flag.map(|flag| format!("!{flag} & ")).unwrap_or_default();
            line!(text, "  if ({flag}*) then {} fi", leave_at(self.plan, node.index()));
            line!(text, "{}:", back_at(node.index()));
        }
        self.goals(node, text);
        match self.plan.steps {
            Steps::All => self.steps(node, next, text),
            Steps::None => line!(text, "  assume(F);"),
        }
    }

    /// The thread may leave its context here, unless its flag is set.
    fn is_free(&self, node: NodeId) -> bool {
        self.plan.steps == Steps::All && !self.module.node(node).in_atomic
    }

    /// Says so if a goal is reached at the node.
    fn goals(&self, node: NodeId, text: &mut Text) {
        if let Some(threads) = self.plan.goals.get(&Goal::At(self.id, node)) {
            self.goal(threads.as_deref(), None, text);
        }
        for (id, edge) in self.module.edges_from(node) {
            if let Action::Assert(condition) = &edge.action
                && let Some(threads) = self.plan.goals.get(&Goal::Failure(self.id, id))
            {
                self.goal(threads.as_deref(), Some(self.show(&condition.negated())), text);
            }
        }
    }

    /// A goal is reached by one of the threads, if the condition can hold.
    fn goal(&self, threads: Option<&[usize]>, condition: Option<String>, text: &mut Text) {
        let words = &self.plan.words;
        let mut guards = Vec::new();
        match (self.plan.scheme, self.plan.order) {
            (Scheme::Lazy, _) => guards.push(format!("{} = {}", words.context, words.target)),
            // An earlier goal would need fewer contexts; then the first ones are nobody's.
            (Scheme::Eager, Order::Free) => {
                guards.push(format!("{} = {}", words.context, self.plan.n_contexts - 1));
            }
            // The turns that come later may be empty.
            (Scheme::Eager, Order::Rounds) => {}
        }
        if let Some(threads) = threads {
            let is_one: Vec<String> = threads.iter().map(|n| format!("{} = {n}", words.active)).collect();
            guards.push(format!("({})", is_one.join(" | ")));
        }
        let mut say = match self.plan.scheme {
            Scheme::Eager => format!("{}, {} := T, T; return;", words.hit, words.stop),
            Scheme::Lazy => format!("{}();", words.reached),
        };
        if let Some(condition) = condition {
            guards.push("*".to_owned());
            say = format!("assume({condition}); {say}");
        }
        match guards.is_empty() {
            true => line!(text, "  {say}"),
            false => line!(text, "  if ({}) then {say} fi", guards.join(" & ")),
        }
    }

    /// The steps that start at a node.
    fn steps(&self, node: NodeId, next: Option<NodeId>, text: &mut Text) {
        let edges: Vec<(EdgeId, &Edge)> = self.module.edges_from(node).collect();
        match &edges[..] {
            [] => line!(text, "  assume(F);"),
            [(_, edge)] => self.step(edge, next, text),
            [(_, yes), (_, no)] if is_test(yes, no) => {
                let Action::Assume(condition) = &yes.action else { unreachable!("a test has a condition") };
                let (yes, no) = (label(yes.to), label(no.to));
                line!(text, "  if ({}) then goto {yes}; else goto {no}; fi", self.show(condition));
            }
            _ => {
                let way = |edge: &Edge, number: usize| match edge.action {
                    Action::Skip => label(edge.to),
                    _ => format!("{}.{number}", label(node)),
                };
                let ways = (1..).zip(&edges).map(|(number, (_, edge))| way(edge, number));
                let ways: Vec<String> = ways.collect::<BTreeSet<_>>().into_iter().collect();
                line!(text, "  goto {};", ways.join(", "));
                for (number, (_, edge)) in (1..).zip(&edges) {
                    if !matches!(edge.action, Action::Skip) {
                        line!(text, "{}:", way(edge, number));
                        self.step(edge, None, text);
                    }
                }
            }
        }
    }

    /// One step; `next` is the node that follows in the text.
    fn step(&self, edge: &Edge, next: Option<NodeId>, text: &mut Text) {
        let shown = |action| show_action(&self.plan.program.machine, self.id, action);
        match &edge.action {
            Action::Skip => {}
            Action::Assume(condition) | Action::Assert(condition) => {
                line!(text, "  assume({});", self.show(condition));
            }
            Action::Assign { .. } => line!(text, "  {};", shown(&edge.action)),
            Action::Call { callee, .. } => {
                let stop = &self.plan.words.stop;
                let back = if self.can_stop[callee.index()] {
                    format!(" if ({stop}) then return; fi")
                } else {
                    String::new()
                };
                line!(text, "  {};{back}", shown(&edge.action));
            }
            Action::Return { .. } => {
                line!(text, "  {};", shown(&edge.action));
                return;
            }
        }
        if next != Some(edge.to) {
            line!(text, "  goto {};", label(edge.to));
        }
    }
}

/// The label of a node.
fn label(node: NodeId) -> String {
    format!("N{}", node.0)
}

/// The edges are the two outcomes of a test.
fn is_test(yes: &Edge, no: &Edge) -> bool {
    match (&yes.action, &no.action) {
        (Action::Assume(condition), Action::Assume(negated)) => *negated == condition.negated(),
        _ => false,
    }
}

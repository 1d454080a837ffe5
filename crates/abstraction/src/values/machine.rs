//! The machine: its variables are the numbers of parts.
//!
//! A module is a function; its locals are the parameters that are followed, then other locals that are, then what comes from outside in a step and has to be remembered within it, and arguments of calls. Globals are globals.

use super::parts::{Holder, Partition, Parts};
use super::relation::{Known, Leaf, boolean, code, tree};
use crate::Back;
use base::Span;
use integers::ghosts::Ghosted;
use integers::{Action, EdgeId, Expr, FunctionId, NodeId, Op, Place, Relation, Start, Step};
use rsm::{Binary, Freedom, ModuleId, Operation, Rsm, Term, Type, Variable};
use rustc_hash::FxHashMap;

/// A machine about the parts of variables, and the way back.
#[derive(Clone, Debug)]
pub struct ValueMachine {
    /// The machine. Its modules are the functions of the program, in order.
    pub rsm: Rsm,
    /// For each module and each of its edges.
    pub back: Vec<Vec<Back>>,
    /// For each module and each of its nodes, the node of the program.
    pub nodes: Vec<Vec<Option<NodeId>>>,
    /// For each global of the machine the variable of the program, and its parts.
    pub globals: Vec<(Place, Parts)>,
    /// For each module and each of its locals that is one the variable of the program, and its parts.
    pub locals: Vec<Vec<(Place, Parts)>>,
}

/// The machine of a program about the sets that are followed, if nobody calls `main`.
pub fn value_machine(ghosted: &Ghosted, partition: &Partition) -> Option<ValueMachine> {
    let program = &ghosted.program;
    if ghosted.is_called[program.main.index()] {
        return None;
    }
    let mut global_places = FxHashMap::default();
    let (mut globals, mut variables, mut init) = (Vec::new(), Vec::new(), Vec::new());
    for (n, global) in (0..).zip(&program.globals) {
        let Some((_, parts)) = partition.of(Holder::Global(n)) else { continue };
        let place = rsm::Place::Global(globals.len() as u32);
        global_places.insert(n, place);
        let ty = type_of(parts);
        if let Start::Number(number) = global.start {
            let is_first = [
                Term { operation: Operation::Read(place), ty: ty.clone() },
                Term { operation: Operation::Constant(parts.of(number) as u64), ty: ty.clone() },
                boolean(Operation::Binary(Binary::Equal)),
            ];
            init.push(rsm::Expr { code: is_first.into() });
        }
        let (name, span) = (global.variable.name.clone(), global.variable.span);
        variables.push(Variable { name, ty, span });
        globals.push((Place::Global(n), parts.clone()));
    }
    let maker = Maker { ghosted, partition, globals: global_places };
    let ids = (0..program.functions.len()).map(FunctionId::new);
    let views: Vec<View> = ids.map(|id| maker.view(id)).collect();
    let mut machine = ValueMachine {
        rsm: Rsm { globals: variables, init, modules: Vec::new(), main: ModuleId::new(program.main.index()) },
        back: Vec::new(),
        nodes: Vec::new(),
        globals,
        locals: Vec::new(),
    };
    for n in 0..views.len() {
        let (module, back, nodes) = maker.module(&views, n);
        machine.rsm.modules.push(module);
        machine.back.push(back);
        machine.nodes.push(nodes);
        machine.locals.push(views[n].followed.clone());
    }
    Some(machine)
}

/// The type of the numbers of parts.
fn type_of(parts: &Parts) -> Type {
    let most = parts.count() as u64 - 1;
    Type::Int((64 - most.leading_zeros()).max(1) as u8)
}

/// The locals of a module.
struct View {
    id: FunctionId,
    places: FxHashMap<u32, rsm::Place>,
    followed: Vec<(Place, Parts)>,
    n_params: usize,
}

struct Maker<'a> {
    ghosted: &'a Ghosted,
    partition: &'a Partition,
    globals: FxHashMap<u32, rsm::Place>,
}

/// A module under construction.
struct Builder<'v> {
    view: &'v View,
    module: rsm::Module,
    points: Vec<Option<NodeId>>,
    edges: Vec<(rsm::Edge, Back)>,
    /// Locals that hold something within a step, by type, and how many are in use.
    scratch: FxHashMap<Type, (Vec<rsm::Place>, usize)>,
}

/// New values, under construction.
#[derive(Default)]
struct Change {
    targets: Vec<rsm::Place>,
    values: Vec<rsm::Expr>,
    constrain: Vec<Term>,
}

impl Change {
    fn assign(&mut self, place: rsm::Place, value: rsm::Expr) {
        self.targets.push(place);
        self.values.push(value);
    }

    fn require(&mut self, condition: Vec<Term>) {
        if let [Term { operation: Operation::Constant(1), .. }] = condition[..] {
            return;
        }
        let is_first = self.constrain.is_empty();
        self.constrain.extend(condition);
        if !is_first {
            self.constrain.push(boolean(Operation::Binary(Binary::And)));
        }
    }

    fn finish(self) -> rsm::Action {
        let constrain = (!self.constrain.is_empty()).then(|| rsm::Expr { code: self.constrain.into() });
        match (self.targets.is_empty(), constrain) {
            (true, None) => rsm::Action::Skip,
            (true, Some(condition)) => rsm::Action::Assume(condition),
            (false, constrain) => {
                rsm::Action::Assign { targets: self.targets, values: self.values, constrain }
            }
        }
    }
}

impl Builder<'_> {
    fn node(&mut self, span: Span, stands_for: Option<NodeId>) -> rsm::NodeId {
        self.points.push(stands_for);
        let labels = stands_for.map(|node| format!("n{}", node.0)).into_iter().collect();
        self.module.nodes.push(rsm::Node { labels, span, in_atomic: false });
        rsm::NodeId::new(self.module.nodes.len() - 1)
    }

    fn edge(&mut self, (from, to): (rsm::NodeId, rsm::NodeId), action: rsm::Action, span: Span, back: Back) {
        self.edges.push((rsm::Edge { from, to, action, span }, back));
    }

    /// A local for something within a step.
    fn scratch(&mut self, ty: &Type, span: Span) -> rsm::Place {
        let (all, used) = self.scratch.entry(ty.clone()).or_default();
        if *used == all.len() {
            let place = rsm::Place::Local(self.module.locals.len() as u32);
            let name = format!("${}", self.module.locals.len());
            self.module.locals.push(Variable { name, ty: ty.clone(), span });
            all.push(place);
        }
        *used += 1;
        all[*used - 1]
    }

    fn release(&mut self) {
        self.scratch.values_mut().for_each(|(_, used)| *used = 0);
    }

    fn finish(mut self) -> (rsm::Module, Vec<Back>, Vec<Option<NodeId>>) {
        self.edges.sort_by_key(|(edge, _)| edge.from);
        let (edges, back) = self.edges.into_iter().unzip();
        self.module.edges = edges;
        (self.module, back, self.points)
    }
}

impl<'a> Maker<'a> {
    fn view(&self, id: FunctionId) -> View {
        let function = self.ghosted.program.function(id);
        let (mut places, mut followed, mut n_params) = (FxHashMap::default(), Vec::new(), 0);
        for n in 0..function.locals.len() as u32 {
            let Some((_, parts)) = self.partition.of(Holder::Local(id, n)) else { continue };
            places.insert(n, rsm::Place::Local(followed.len() as u32));
            followed.push((Place::Local(n), parts.clone()));
            n_params += usize::from((n as usize) < function.n_params);
        }
        View { id, places, followed, n_params }
    }

    /// The variable of the machine for one of the program, its set and its parts.
    fn place(&self, view: &View, place: Place) -> Option<(rsm::Place, usize, &'a Parts)> {
        let (set, parts) = self.partition.of(Holder::at(view.id, place))?;
        let place = match place {
            Place::Global(n) => self.globals.get(&n).copied(),
            Place::Local(n) => view.places.get(&n).copied(),
        };
        Some((place?, set, parts))
    }

    fn module(&self, views: &[View], n: usize) -> (rsm::Module, Vec<Back>, Vec<Option<NodeId>>) {
        let view = &views[n];
        let function = self.ghosted.program.function(view.id);
        let local = |(place, parts): &(Place, Parts)| {
            let variable = self.ghosted.program.variable(view.id, *place);
            Variable { name: variable.name.clone(), ty: type_of(parts), span: variable.span }
        };
        let result = function.result.and_then(|local| self.place(view, Place::Local(local)));
        let module = rsm::Module {
            name: function.name.clone(),
            span: function.span,
            locals: view.followed.iter().map(local).collect(),
            n_params: view.n_params,
            results: result.iter().map(|(.., parts)| type_of(parts)).collect(),
            enforce: None,
            nodes: Vec::new(),
            edges: Vec::new(),
            entry: rsm::NodeId::new(0),
            exit: rsm::NodeId::new(0),
        };
        let mut builder =
            Builder { view, module, points: Vec::new(), edges: Vec::new(), scratch: FxHashMap::default() };
        let mut place = vec![None; function.nodes.len()];
        for node in function.used_nodes() {
            place[node.index()] = Some(builder.node(function.node(node).span, Some(node)));
        }
        let at = |node: NodeId| place[node.index()].expect("an edge ends at a node that is used");
        builder.module.entry = at(function.entry);
        for (n, edge) in function.edges.iter().enumerate() {
            let (id, ends) = (EdgeId::new(n), (at(edge.from), at(edge.to)));
            match &edge.action {
                Action::Manage(_) => unreachable!("the program has variables only"),
                Action::Step(step) => {
                    let action = self.step(&mut builder, id, step, edge.span);
                    builder.edge(ends, action, edge.span, Back::Step(id));
                }
                Action::Call { callee, args, result } => {
                    let callee = &views[callee.index()];
                    self.call(&mut builder, callee, (id, ends, edge.span), args, *result);
                }
            }
            builder.release();
        }
        let exit = builder.node(function.node(function.exit).span, None);
        builder.module.exit = exit;
        let read = |(place, _, parts): (rsm::Place, usize, &Parts)| rsm::Expr::read(place, type_of(parts));
        let action = rsm::Action::Return { values: result.map(read).into_iter().collect() };
        let span = function.node(function.exit).span;
        builder.edge((at(function.exit), exit), action, span, Back::Return);
        builder.finish()
    }

    /// What a step does.
    fn step(&self, builder: &mut Builder, id: EdgeId, step: &Step, span: Span) -> rsm::Action {
        let mut change = Change::default();
        let mut outside: FxHashMap<Op, rsm::Place> = FxHashMap::default();
        let types = step.inputs.iter().map(|input| Some(self.ghosted.program.input(*input).ty));
        let inputs = (0..).map(Op::Input).zip(types);
        let unknowns = (0..step.unknowns.len() as u32).map(|n| (Op::Unknown(n), None));
        for (op, ty) in inputs.chain(unknowns) {
            let Some((_, parts)) =
                self.partition.of(Holder::of(builder.view.id, id, op).expect("it holds a number"))
            else {
                continue;
            };
            let place = builder.scratch(&type_of(parts), span);
            outside.insert(op, place);
            change.assign(place, choice(parts));
            let range = ty.map_or((0, parts.count() - 1), |ty| (parts.of(ty.min()), parts.of(ty.max())));
            let mut inside = Vec::new();
            within(place, parts, range, &mut inside);
            change.require(inside);
        }
        let context = Context { maker: self, view: builder.view, edge: id, outside };
        change.require(context.condition(&step.guard));
        for (place, value) in &step.updates {
            if let Some((to, set, parts)) = self.place(builder.view, *place) {
                context.store(&mut change, (to, set, parts), value);
            }
        }
        change.finish()
    }

    /// A call: arguments are chosen first, if they are not there already.
    fn call(
        &self,
        builder: &mut Builder,
        callee: &View,
        (id, (from, to), span): (EdgeId, (rsm::NodeId, rsm::NodeId), Span),
        args: &[Expr],
        result: Option<Place>,
    ) {
        let mut change = Change::default();
        let context = Context { maker: self, view: builder.view, edge: id, outside: FxHashMap::default() };
        let mut passed = Vec::new();
        for (param, parts) in callee.followed.iter().take(callee.n_params) {
            let Place::Local(n) = *param else { unreachable!("parameters are locals") };
            let (_, set, parts) =
                self.place(callee, *param).unwrap_or((rsm::Place::Local(n), usize::MAX, parts));
            let arg = &args[n as usize];
            passed.push(match context.plain(arg, set, parts) {
                Some(value) => value,
                None => {
                    let place = builder.scratch(&type_of(parts), span);
                    context.store(&mut change, (place, set, parts), arg);
                    rsm::Expr::read(place, type_of(parts))
                }
            });
        }
        let before = if change.targets.is_empty() {
            from
        } else {
            let before = builder.node(span, None);
            builder.edge((from, before), change.finish(), span, Back::Enter(id));
            before
        };
        let function = self.ghosted.program.function(callee.id);
        let returns = function.result.and_then(|local| self.place(callee, Place::Local(local))).is_some();
        let stored = result.and_then(|place| self.place(builder.view, place)).map(|(place, ..)| place);
        let action = rsm::Action::Call {
            callee: ModuleId::new(callee.id.index()),
            args: passed,
            results: returns.then_some(stored).into_iter().collect(),
        };
        builder.edge((before, to), action, span, Back::Call(id));
    }
}

/// Where expressions are translated.
struct Context<'c, 'a> {
    maker: &'c Maker<'a>,
    view: &'c View,
    edge: EdgeId,
    /// What comes from outside, and where the step keeps it.
    outside: FxHashMap<Op, rsm::Place>,
}

impl<'a> Context<'_, 'a> {
    /// How the machine reads a leaf, its set, and its parts.
    fn leaf(&self, op: Op) -> Option<(Term, usize, &'a Parts)> {
        if let Op::Read(place) = op {
            let (place, set, parts) = self.maker.place(self.view, place)?;
            return Some((Term { operation: Operation::Read(place), ty: type_of(parts) }, set, parts));
        }
        let place = *self.outside.get(&op)?;
        let (set, parts) = self.maker.partition.of(Holder::of(self.view.id, self.edge, op)?)?;
        Some((Term { operation: Operation::ReadNext(place), ty: type_of(parts) }, set, parts))
    }

    fn leaves(&self, expr: &Expr) -> Vec<Leaf<'a>> {
        let mut leaves: Vec<Leaf> = Vec::new();
        for &op in expr.code() {
            if !leaves.iter().any(|leaf| leaf.op == op)
                && let Some((read, _, parts)) = self.leaf(op)
            {
                leaves.push(Leaf { op, read, parts });
            }
        }
        leaves
    }

    /// A value that needs no choice: a number, or a variable with the same parts.
    fn plain(&self, value: &Expr, set: usize, parts: &Parts) -> Option<rsm::Expr> {
        if let Some(number) = value.as_constant() {
            return Some(rsm::Expr::constant(parts.of(number) as u64, type_of(parts)));
        }
        match self.leaf(unmarked(value)?)? {
            (Term { operation: Operation::Read(place), ty }, other, _) if other == set => {
                Some(rsm::Expr::read(place, ty))
            }
            _ => None,
        }
    }

    /// A variable gets a value.
    fn store(&self, change: &mut Change, (to, set, parts): (rsm::Place, usize, &Parts), value: &Expr) {
        if let Some(value) = self.plain(value, set, parts) {
            return change.assign(to, value);
        }
        change.assign(to, choice(parts));
        let next = Term { operation: Operation::ReadNext(to), ty: type_of(parts) };
        if let Some((read, other, _)) = unmarked(value).and_then(|op| self.leaf(op))
            && other == set
        {
            return change.require(vec![next, read, boolean(Operation::Binary(Binary::Equal))]);
        }
        let mut leaves = self.leaves(value);
        let tree = tree(value, &mut leaves);
        let mut condition = Vec::new();
        let known = |known: Known, out: &mut Vec<Term>| {
            let range = match known {
                Known::Number(Some((least, most))) => (parts.of(least), parts.of(most)),
                _ => (0, parts.count() - 1),
            };
            within(to, parts, range, out);
        };
        code(&tree, &leaves, &known, &mut condition);
        change.require(condition);
    }

    /// A formula; what parts do not tell may hold or not.
    fn condition(&self, formula: &Expr) -> Vec<Term> {
        let mut stack: Vec<(Expr, Vec<Term>)> = Vec::new();
        for &op in formula.code() {
            let operands = stack.split_off(stack.len() - op.n_operands());
            let exprs: Vec<Expr> = operands.iter().map(|(expr, _)| expr.clone()).collect();
            let whole = Expr::of(op, &exprs);
            let codes = operands.into_iter().map(|(_, code)| code);
            let code = match op {
                Op::Truth(value) => vec![truth(value)],
                Op::Not => codes.flatten().chain([boolean(Operation::Not)]).collect(),
                Op::And => codes.flatten().chain([boolean(Operation::Binary(Binary::And))]).collect(),
                Op::Or => codes.flatten().chain([boolean(Operation::Binary(Binary::Or))]).collect(),
                Op::Compare(relation) => self.comparison(&whole, relation, &exprs),
                _ => Vec::new(),
            };
            stack.push((whole, code));
        }
        stack.pop().expect("an expression leaves one value").1
    }

    fn comparison(&self, whole: &Expr, relation: Relation, sides: &[Expr]) -> Vec<Term> {
        let leaf = |n: usize| unmarked(&sides[n]).and_then(|op| self.leaf(op));
        if let (Relation::Equal | Relation::NotEqual, Some((left, one, parts)), Some((right, other, _))) =
            (relation, leaf(0), leaf(1))
            && one == other
        {
            return equality(relation, left, right, parts);
        }
        let mut leaves = self.leaves(whole);
        let tree = tree(whole, &mut leaves);
        let mut out = Vec::new();
        let known = |known: Known, out: &mut Vec<Term>| {
            out.push(match known {
                Known::Truth(Some(value)) => truth(value),
                _ => maybe(),
            });
        };
        code(&tree, &leaves, &known, &mut out);
        out
    }
}

/// The leaf that an expression is, but for marks.
fn unmarked(expr: &Expr) -> Option<Op> {
    match expr.code() {
        [op, marks @ ..] if marks.iter().all(|mark| matches!(mark, Op::Within(_))) => Some(*op),
        _ => None,
    }
}

/// Two variables with the same parts are equal, or not: in the same part they need not be equal, unless that is one number.
fn equality(relation: Relation, left: Term, right: Term, parts: &Parts) -> Vec<Term> {
    let is_equal = [left.clone(), right, boolean(Operation::Binary(Binary::Equal))];
    // Where the part is one number.
    let mut single = vec![truth(false)];
    for part in 0..parts.count() {
        if let (Some(least), Some(most)) = parts.bounds(part)
            && least == most
        {
            single.push(left.clone());
            single.push(Term { operation: Operation::Constant(part as u64), ty: left.ty.clone() });
            single.push(boolean(Operation::Binary(Binary::Equal)));
            single.push(boolean(Operation::Binary(Binary::Or)));
        }
    }
    let mut out: Vec<Term> = is_equal.into();
    out.extend(single);
    out.push(maybe());
    out.push(boolean(Operation::Binary(Binary::Or)));
    out.push(boolean(Operation::Binary(Binary::And)));
    if relation == Relation::NotEqual {
        out.push(boolean(Operation::Not));
    }
    out
}

fn truth(value: bool) -> Term {
    boolean(Operation::Constant(value.into()))
}

fn maybe() -> Term {
    boolean(Operation::Choice(Freedom::Ignorance))
}

/// Any part.
fn choice(parts: &Parts) -> rsm::Expr {
    rsm::Expr { code: [Term { operation: Operation::Choice(Freedom::Ignorance), ty: type_of(parts) }].into() }
}

/// The new value of a variable is one of these parts.
fn within(place: rsm::Place, parts: &Parts, (first, last): (usize, usize), out: &mut Vec<Term>) {
    let next = || Term { operation: Operation::ReadNext(place), ty: type_of(parts) };
    let constant = |part: usize| Term { operation: Operation::Constant(part as u64), ty: type_of(parts) };
    if first == last {
        out.extend([next(), constant(first), boolean(Operation::Binary(Binary::Equal))]);
        return;
    }
    out.push(truth(true));
    if first > 0 {
        out.extend([constant(first), next(), boolean(Operation::Binary(Binary::LessEqual))]);
        out.push(boolean(Operation::Binary(Binary::And)));
    }
    if last + 1 < parts.count() {
        out.extend([next(), constant(last), boolean(Operation::Binary(Binary::LessEqual))]);
        out.push(boolean(Operation::Binary(Binary::And)));
    }
}

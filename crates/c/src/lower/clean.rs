//! After all functions: what is not initialised and never read is no input, and what jumps leave uninitialised is one.

use base::Span;
use integers::{
    Action, Edge, Effects, Expr, Function, FunctionId, Input, InputId, InputKind, Live, Node, NodeId, Op,
    Place, Program, Relation, Role, Step,
};

/// Goes through all functions.
pub(crate) fn clean(program: &mut Program) {
    let effects = Effects::new(program);
    let has_result = results_read(program);
    for (n, has_result) in has_result.into_iter().enumerate() {
        let id = FunctionId::new(n);
        let places = candidates(program, id);
        let function = program.function(id);
        let at_exit: Vec<Place> =
            function.result.filter(|_| has_result).map(Place::Local).into_iter().collect();
        let live = Live::new(program, &effects, id, &places, &at_exit);
        drop_unread(program, id, &live);
        enter_uninitialised(program, id, &places, &live);
    }
    drop_inputs(program);
}

/// For each function whether somebody reads its result.
fn results_read(program: &Program) -> Vec<bool> {
    let mut is_read = vec![false; program.functions.len()];
    for edge in program.functions.iter().flat_map(|function| &function.edges) {
        if let Action::Call { callee, result: Some(_), .. } = edge.action {
            is_read[callee.index()] = true;
        }
    }
    is_read
}

/// Variables that may hold something that nobody stored: those of the text, and the result.
fn candidates(program: &Program, id: FunctionId) -> Vec<Place> {
    let function = program.function(id);
    let others = function.n_params..function.locals.len();
    let is_temporary = |n: &usize| function.locals[*n].name.starts_with('$');
    let named = others.filter(|n| !is_temporary(n) || function.result == Some(*n as u32));
    named.map(|n| Place::Local(n as u32)).collect()
}

fn is_uninitialised(program: &Program, input: InputId) -> bool {
    program.input(input).kind == InputKind::Uninitialised
}

/// Declarations whose variables nobody reads before storing in them choose nothing.
fn drop_unread(program: &mut Program, id: FunctionId, live: &Live) {
    let mut edges = std::mem::take(&mut program.functions[id.index()].edges);
    for edge in &mut edges {
        if let Action::Step(step) = &mut edge.action
            && let [input] = step.inputs[..]
            && is_uninitialised(program, input)
            && let [(place, _)] = step.updates[..]
            && !live.is_live(edge.to, place)
        {
            *step = Step::new(Expr::truth(true), Vec::new());
        }
    }
    program.functions[id.index()].edges = edges;
}

/// A variable that matters at the entry is read on a way around its declaration.
fn enter_uninitialised(program: &mut Program, id: FunctionId, places: &[Place], live: &Live) {
    let entry = program.function(id).entry;
    for &place in places.iter().rev() {
        if !live.is_live(entry, place) {
            continue;
        }
        let variable = program.variable(id, place).clone();
        let input = InputId::new(program.inputs.len());
        let kind = InputKind::Uninitialised;
        program.inputs.push(Input { name: variable.name, ty: variable.ty, kind, span: variable.span });
        let step = Step {
            inputs: vec![input],
            ..Step::new(Expr::truth(true), vec![(place, Expr::leaf(Op::Input(0)))])
        };
        before_entry(&mut program.functions[id.index()], step, variable.span);
    }
}

/// A step before all others.
fn before_entry(function: &mut Function, step: Step, span: Span) {
    let old = function.entry;
    function.nodes.push(Node { role: Role::Plain, span });
    function.entry = NodeId::new(function.nodes.len() - 1);
    function.edges.push(Edge { from: function.entry, to: old, action: Action::Step(step), span });
    function.sort_edges();
}

/// Forgets inputs that no step reads any more.
fn drop_inputs(program: &mut Program) {
    let mut new: Vec<Option<InputId>> = vec![None; program.inputs.len()];
    let mut kept = Vec::new();
    for edge in program.functions.iter_mut().flat_map(|function| &mut function.edges) {
        let Action::Step(step) = &mut edge.action else { continue };
        for input in &mut step.inputs {
            let number = *new[input.index()].get_or_insert_with(|| {
                kept.push(program.inputs[input.index()].clone());
                InputId::new(kept.len() - 1)
            });
            *input = number;
        }
    }
    program.inputs = kept;
}

/// A function that calls `main` with numbers that the environment chooses.
pub(crate) fn start(program: &mut Program, main: FunctionId) -> FunctionId {
    let function = program.function(main);
    let (span, n_params) = (function.span, function.n_params);
    let locals = function.locals[..n_params].to_vec();
    let node = |_| Node { role: Role::Plain, span };
    let mut edges = Vec::new();
    for (n, local) in locals.iter().enumerate() {
        let input = InputId::new(program.inputs.len());
        let kind = InputKind::Read;
        program.inputs.push(Input { name: local.name.clone(), ty: local.ty, kind, span: local.span });
        let updates = vec![(Place::Local(n as u32), Expr::leaf(Op::Input(0)))];
        // The number of arguments is not negative.
        let number = Expr::leaf(Op::Input(0));
        let guard = if n == 0 {
            number.compare(Relation::GreaterEqual, Expr::constant(0))
        } else {
            Expr::truth(true)
        };
        let step = Step { inputs: vec![input], ..Step::new(guard, updates) };
        edges.push(Edge { from: NodeId::new(n), to: NodeId::new(n + 1), action: Action::Step(step), span });
    }
    let args = (0..n_params).map(|n| Expr::read(Place::Local(n as u32))).collect();
    let action = Action::Call { callee: main, args, result: None };
    edges.push(Edge { from: NodeId::new(n_params), to: NodeId::new(n_params + 1), action, span });
    program.functions.push(Function {
        name: "$start".to_owned(),
        span,
        locals,
        n_params: 0,
        result: None,
        nodes: (0..n_params + 2).map(node).collect(),
        edges,
        entry: NodeId(0),
        exit: NodeId::new(n_params + 1),
    });
    FunctionId::new(program.functions.len() - 1)
}

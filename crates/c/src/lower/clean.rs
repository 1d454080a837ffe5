//! After all functions: what is not initialised and never read is no input, and what jumps leave uninitialised is one.

use base::Span;
use integers::memory::WILD;
use integers::{
    Action, Edge, Effects, Expr, Function, FunctionId, Input, InputId, InputKind, Live, Node, NodeId, Op,
    Place, Program, Relation, Role, Step, Type,
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
        mark_wild(program, id);
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
            && let [(place, ref value)] = step.updates[..]
            && (is_wild(value) || matches!(step.inputs[..], [input] if is_uninitialised(program, input)))
            && !live.is_live(edge.to, place)
        {
            *step = Step::new(Expr::truth(true), Vec::new());
        }
    }
    program.functions[id.index()].edges = edges;
}

/// A pointer that nothing was stored in.
fn is_wild(value: &Expr) -> bool {
    value.as_constant() == Some(WILD)
}

/// Pointers that may hold nothing that was stored must not be compared.
fn mark_wild(program: &mut Program, id: FunctionId) {
    let function = &mut program.functions[id.index()];
    let mut wild: Vec<Place> = Vec::new();
    for edge in &function.edges {
        if let Action::Step(step) = &edge.action {
            wild.extend(step.updates.iter().filter(|(_, value)| is_wild(value)).map(|(place, _)| *place));
        }
    }
    if wild.is_empty() {
        return;
    }
    let marked = |expr: &mut Expr| {
        if expr.reads().any(|place| wild.contains(&place)) {
            *expr = expr.fold(|op, operands: Vec<Expr>| {
                let is_read =
                    |operand: &Expr| matches!(operand.code(), [Op::Read(place)] if wild.contains(place));
                if !matches!(op, Op::Compare(_) | Op::Add | Op::Subtract) {
                    return Expr::of(op, &operands);
                }
                let mark = |operand: Expr| match is_read(&operand) {
                    true => operand.unary(Op::Initialised),
                    false => operand,
                };
                Expr::of(op, &operands.into_iter().map(mark).collect::<Vec<_>>())
            });
        }
    };
    for edge in &mut function.edges {
        if let Action::Step(step) = &mut edge.action {
            marked(&mut step.guard);
            step.updates.iter_mut().for_each(|(_, value)| marked(value));
            step.stores.iter_mut().flat_map(|(_, pointer, value)| [pointer, value]).for_each(marked);
        }
    }
}

/// A variable that matters at the entry is read on a way around its declaration.
fn enter_uninitialised(program: &mut Program, id: FunctionId, places: &[Place], live: &Live) {
    let entry = program.function(id).entry;
    for &place in places.iter().rev() {
        if !live.is_live(entry, place) {
            continue;
        }
        let variable = program.variable(id, place).clone();
        if variable.ty == Type::POINTER {
            let step = Step::new(Expr::truth(true), vec![(place, Expr::constant(WILD))]);
            before_entry(&mut program.functions[id.index()], step, variable.span);
            continue;
        }
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
    for region in &mut program.memory.regions {
        let Some(input) = &mut region.uninitialised else { continue };
        kept.push(program.inputs[input.index()].clone());
        *input = InputId::new(kept.len() - 1);
    }
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

//! What is allocated at most once, or once in each activation of a function, as an object that begins there.
//!
//! Contract: the same runs, but for the numbers of objects. Of what is allocated in a frame there is never more than one if its function does not call itself and the allocation is on no cycle of the
//! function: it begins anew with each activation. What is on the heap stays behind, so a run may come to the allocation only once, and nothing may be released.

use crate::expr::{Expr, Op};
use crate::memory::{self, Lifetime, Manage, ObjectId, Storage};
use crate::program::{Action, Edge, Function, FunctionId, Node, NodeId, Place, Program, Role, Step};
use base::{Adjacency, Components};

/// How often a function is entered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Entered {
    /// Once at most.
    Once,
    /// Not before its last activation is over.
    InTurn,
    /// Who knows.
    Anyhow,
}

/// The program with such objects: where one was allocated it begins, and then its pointer is stored, in a step of its own.
pub(crate) fn once(program: &Program) -> Program {
    let mut result = program.clone();
    let is_released = |storage: Storage| {
        let mut edges = program.functions.iter().flat_map(|function| &function.edges);
        edges.any(
            |edge| matches!(&edge.action, Action::Manage(Manage::Release { storage: of, .. }) if *of == storage),
        )
    };
    let is_fixed = [Storage::Heap, Storage::Frame].map(|storage| !is_released(storage));
    let entered = entered(program);
    for (n, function) in program.functions.iter().enumerate() {
        let id = FunctionId::new(n);
        let on_cycle = cyclic(function);
        for (at, edge) in function.edges.iter().enumerate() {
            let Action::Manage(Manage::Allocate { class, count, is_zeroed: false, storage, result: place }) =
                &edge.action
            else {
                continue;
            };
            let Some(count) = count.as_constant().and_then(|count| u64::try_from(count).ok()) else {
                continue;
            };
            let owner = match (storage, entered[n]) {
                (Storage::Heap, Entered::Once) if is_fixed[0] => program.main,
                (Storage::Frame, Entered::Once | Entered::InTurn) if is_fixed[1] => id,
                _ => continue,
            };
            if on_cycle[edge.from.index()] {
                continue;
            }
            let object = ObjectId::new(result.memory.objects.len());
            let name = format!("{} {}", program.memory.classes[class.index()].name, object.index() + 1);
            result.memory.objects.push(memory::Object {
                name,
                class: *class,
                count,
                lifetime: Lifetime::Local(owner),
                cells: Vec::new(),
                is_constant: false,
                span: edge.span,
            });
            begin(&mut result.functions[n], at, object, *place);
        }
        result.functions[n].sort_edges();
    }
    result
}

/// An object begins on an edge, and behind it a pointer to it is stored.
fn begin(function: &mut Function, at: usize, object: ObjectId, place: Place) {
    let Edge { to, span, .. } = function.edges[at];
    let middle = NodeId::new(function.nodes.len());
    function.nodes.push(Node { role: Role::Plain, span });
    function.edges[at] =
        Edge { to: middle, action: Action::Manage(Manage::Begin(object)), ..function.edges[at].clone() };
    let pointer = Expr::leaf(Op::Object(object));
    // Mostly it is handed on at once.
    if !function.edges.iter().any(|edge| edge.to == to) {
        let is_it = |op: Op| (op == Op::Read(place)).then(|| pointer.clone());
        for edge in function.edges.iter_mut().filter(|edge| edge.from == to) {
            if let Action::Step(step) = &mut edge.action {
                step.updates.iter_mut().for_each(|(_, value)| *value = value.substitute(is_it));
            }
        }
    }
    let step = Step::new(Expr::truth(true), vec![(place, pointer)]);
    function.edges.push(Edge { from: middle, to, action: Action::Step(step), span });
}

/// How often each function is entered.
fn entered(program: &Program) -> Vec<Entered> {
    let n = program.functions.len();
    let mut calls: Vec<(u32, u32)> = Vec::new();
    let mut is_repeated = vec![false; n];
    for (caller, function) in (0u32..).zip(&program.functions) {
        let on_cycle = cyclic(function);
        for edge in &function.edges {
            let Action::Call { callee, .. } = edge.action else { continue };
            is_repeated[callee.index()] |= on_cycle[edge.from.index()];
            calls.push((caller, callee.0));
        }
    }
    let graph = Adjacency::new(n, calls.iter().copied());
    let components = Components::new(n).list(0..n as u32, |id| graph.of(id), |to| Some(*to));
    let mut entered = vec![Entered::Anyhow; n];
    // Callers come behind those that they call.
    for component in components.iter().rev() {
        let id = component[0];
        if component.len() > 1 || graph.of(id).contains(&id) {
            continue;
        }
        let callers: Vec<u32> = calls.iter().filter(|(_, to)| *to == id).map(|(from, _)| *from).collect();
        let is_main = program.main.0 == id;
        let is_single = match callers[..] {
            [] => true,
            [only] => !is_main && !is_repeated[id as usize] && entered[only as usize] == Entered::Once,
            _ => false,
        };
        entered[id as usize] = if is_single { Entered::Once } else { Entered::InTurn };
    }
    entered
}

/// For each node whether a run may come back to it.
fn cyclic(function: &Function) -> Vec<bool> {
    let n = function.nodes.len();
    let graph = Adjacency::new(n, function.edges.iter().map(|edge| (edge.from.0, edge.to.0)));
    let components = Components::new(n).list(0..n as u32, |node| graph.of(node), |to| Some(*to));
    let mut is_cyclic = vec![false; n];
    for component in components.iter().filter(|component| component.len() > 1) {
        component.iter().for_each(|node| is_cyclic[*node as usize] = true);
    }
    let own = |edge: &&Edge| edge.from == edge.to;
    function.edges.iter().filter(own).for_each(|edge| is_cyclic[edge.from.index()] = true);
    is_cyclic
}

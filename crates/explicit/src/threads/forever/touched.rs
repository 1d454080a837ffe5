//! What threads touch of the shared variables, now and from now on, and what an observer may see of it.
//!
//! Variables are bits of a word, several to a bit if there are many of them: what seems to be touched may not be, but nothing is missing.
//! What a thread comes to touch depends on values: who waits until a variable is F does not touch it while it is T, nor what is behind.
//! That is asked of each variable by itself, for as long as nobody else touches it.

use base::{Adjacency, Components};
use rsm::interleave::ThreadState;
use rsm::observe::{Letter, Observed, Observer};
use rsm::values::n_operands;
use rsm::{Action, Binary, Concurrent, Edge, Expr, ModuleId, NodeId, Operation, Place, Type};

/// Shared variables that are read and written, and bits of the observer that may change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Touched {
    pub(super) reads: u64,
    pub(super) writes: u64,
    pub(super) sees: Letter,
}

impl Touched {
    #[must_use]
    pub(super) fn with(self, other: Self) -> Self {
        Self {
            reads: self.reads | other.reads,
            writes: self.writes | other.writes,
            sees: self.sees | other.sees,
        }
    }
}

/// The same from now on, if each variable is 0 or F as long as nobody else touches it, and if it is anything else.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Future {
    by_value: [Touched; 2],
}

impl Future {
    #[must_use]
    fn with(self, other: Self) -> Self {
        Self { by_value: [0, 1].map(|n| self.by_value[n].with(other.by_value[n])) }
    }

    /// Whatever the values are.
    fn always(touched: Touched) -> Self {
        Self { by_value: [touched; 2] }
    }

    /// Without what is touched only behind a condition that is false. What is seen stays.
    #[must_use]
    fn unless(mut self, is_false: [u64; 2]) -> Self {
        for (touched, is_false) in self.by_value.iter_mut().zip(is_false) {
            touched.reads &= !is_false;
            touched.writes &= !is_false;
        }
        self
    }

    /// With these values.
    pub(super) fn given(self, values: u64) -> Touched {
        let [zero, one] = self.by_value;
        Touched {
            reads: zero.reads & !values | one.reads & values,
            writes: zero.writes & !values | one.writes & values,
            sees: zero.sees | one.sees,
        }
    }
}

/// What threads may touch from each place on.
pub(super) struct Reach {
    n_shared: usize,
    /// By function and node: from there to its end, with the functions that it calls.
    from: Vec<Vec<Future>>,
    /// The shared variables that are observed.
    pub(super) observed: u64,
}

impl Reach {
    pub(super) fn new(program: &Concurrent, observer: &Observer) -> Self {
        let machine = &program.machine;
        let n_shared = program.n_shared;
        let mut from: Vec<Vec<Future>> =
            machine.modules.iter().map(|module| vec![Future::default(); module.nodes.len()]).collect();
        let modules = || (0..).map(ModuleId).zip(&machine.modules);
        // What an edge touches itself, and for which values it is not taken.
        let of_edge = |module: ModuleId, edge: &Edge| {
            let sees = seen_by(program, observer, module, edge);
            let is_false = match &edge.action {
                Action::Assume(condition) => certainly_false(program, condition),
                _ => [0; 2],
            };
            (Future::always(Touched { sees, ..touched(n_shared, edge) }), is_false)
        };
        let edges: Vec<Vec<_>> =
            modules().map(|(m, module)| module.edges.iter().map(|edge| of_edge(m, edge)).collect()).collect();
        let mut is_new = true;
        while is_new {
            is_new = false;
            for (m, module) in modules() {
                for (edge, (own, is_false)) in module.edges.iter().zip(&edges[m.index()]).rev() {
                    let mut behind = from[m.index()][edge.to.index()].with(*own);
                    if let Action::Call { callee, .. } = &edge.action {
                        behind = behind.with(from[callee.index()][machine.module(*callee).entry.index()]);
                    }
                    let here = &mut from[m.index()][edge.from.index()];
                    let with = here.with(behind.unless(*is_false));
                    is_new |= std::mem::replace(here, with) != with;
                }
            }
        }
        let globals = observer.globals();
        let observed = globals.iter().fold(0, |all, global| all | bit(n_shared, Place::Global(*global)));
        Self { n_shared, from, observed }
    }

    /// Which of the shared variables are not 0 or F.
    pub(super) fn values(&self, shared: &[u64]) -> u64 {
        let values = shared.iter().take(u64::BITS as usize).enumerate();
        values.fold(0, |all, (n, value)| all | u64::from(*value != 0) << n)
    }

    /// What a thread may touch from where it is.
    pub(super) fn future(&self, program: &Concurrent, thread: &ThreadState) -> Future {
        thread.stack.iter().fold(Future::default(), |all, frame| {
            let of = |node: NodeId| self.from[frame.module.index()][node.index()];
            let Some(call) = frame.call else { return all.with(of(frame.node)) };
            let call = program.machine.module(frame.module).edge(call);
            let sees = of(frame.node).given(0).sees;
            let stores = Future::always(Touched { sees, ..touched(self.n_shared, call) });
            all.with(of(call.to)).with(stores)
        })
    }

    /// What the next step of a thread touches, whichever it takes and whether it can or not; a call that is one step with all inside.
    pub(super) fn next(&self, program: &Concurrent, thread: &ThreadState, is_through_call: bool) -> Touched {
        let Some(top) = thread.stack.last() else { return Touched::default() };
        let module = program.machine.module(top.module);
        let edges = module.edges_from(top.node).map(|(_, edge)| touched(self.n_shared, edge));
        let mut all = edges.fold(Touched::default(), Touched::with);
        if is_through_call {
            let inside = self.from[top.module.index()][top.node.index()].by_value;
            all = all.with(inside[0]).with(inside[1]);
        }
        // A return stores in the caller.
        if let [.., caller, _] = &thread.stack[..]
            && let Some(call) = caller.call
        {
            all = all.with(touched(self.n_shared, program.machine.module(caller.module).edge(call)));
        }
        all
    }
}

fn bit(n_shared: usize, place: Place) -> u64 {
    match place {
        Place::Global(n) if (n as usize) < n_shared => 1 << (n % u64::BITS),
        _ => 0,
    }
}

/// The shared variables that an edge reads and writes, those of a call when it has returned.
fn touched(n_shared: usize, edge: &Edge) -> Touched {
    let read = edge.action.expressions().flat_map(|expr| expr.reads().chain(expr.reads_next()));
    Touched {
        reads: read.fold(0, |all, place| all | bit(n_shared, place)),
        writes: edge.action.stores().fold(0, |all, place| all | bit(n_shared, place)),
        sees: 0,
    }
}

/// Of each variable whether a condition cannot hold while it is F, and while it is T, whatever the others are. Says nothing if variables
/// share bits.
fn certainly_false(program: &Concurrent, condition: &Expr) -> [u64; 2] {
    if program.n_shared > u64::BITS as usize {
        return [0; 2];
    }
    [0, 1].map(|value| {
        // Of each operand the variables whose value makes it true, and false.
        let mut stack: Vec<(u64, u64)> = Vec::new();
        for term in &condition.code {
            let operands = stack.split_off(stack.len() - n_operands(term.operation));
            stack.push(match (term.operation, &operands[..]) {
                (Operation::Constant(0), _) => (0, u64::MAX),
                (Operation::Constant(_), _) => (u64::MAX, 0),
                (Operation::Read(place), _) if term.ty == Type::Bool => {
                    let bit = bit(program.n_shared, place);
                    if value == 0 { (0, bit) } else { (bit, 0) }
                }
                (Operation::Not, [(is_true, is_false)]) => (*is_false, *is_true),
                (Operation::Binary(operator), [left, right]) => of_both(operator, *left, *right, &term.ty),
                _ => (0, 0),
            });
        }
        stack.pop().unwrap_or_default().1
    })
}

/// What is known of an operator with two operands.
fn of_both(operator: Binary, left: (u64, u64), right: (u64, u64), ty: &Type) -> (u64, u64) {
    match operator {
        Binary::And if *ty == Type::Bool => (left.0 & right.0, left.1 | right.1),
        Binary::Or if *ty == Type::Bool => (left.0 | right.0, left.1 & right.1),
        Binary::Implies => (left.1 | right.0, left.0 & right.1),
        _ => (0, 0),
    }
}

/// Of each function the nodes to which a thread may come back without doing something that is seen for sure, where these bits are about it.
pub(super) fn unseen_loops(program: &Concurrent, observer: &Observer, bits: Letter) -> Vec<Vec<bool>> {
    let observed = observer.globals();
    let is_seen = |module: ModuleId, edge: &Edge| {
        let writes = |place: Place| matches!(place, Place::Global(n) if (n as usize) < program.n_shared && observed.contains(&n));
        let enters_or_leaves = |places: &[(ModuleId, NodeId)]| {
            let is_in = |node: NodeId| places.contains(&(module, node));
            is_in(edge.from) != is_in(edge.to)
        };
        let is_plain = !matches!(edge.action, Action::Call { .. } | Action::Return { .. });
        is_plain
            && (edge.action.stores().any(writes)
                || observer.observations.iter().any(|seen| match &seen.what {
                    Observed::At(_, places) => seen.field() & bits != 0 && enters_or_leaves(places),
                    _ => false,
                }))
    };
    let of_module = |(m, module): (usize, &rsm::Module)| {
        let n = module.nodes.len();
        let unseen = module.edges.iter().filter(|edge| !is_seen(ModuleId::new(m), edge));
        let by_source = Adjacency::new(n, unseen.map(|edge| (edge.from.0, edge.to.0)));
        let components =
            Components::new(n).list(0..n as u32, |node| by_source.of(node), |to: &u32| Some(*to));
        let mut returns = vec![false; n];
        for members in components {
            let is_loop = members.len() > 1 || by_source.of(members[0]).contains(&members[0]);
            members.iter().for_each(|member| returns[*member as usize] = is_loop);
        }
        returns
    };
    program.machine.modules.iter().enumerate().map(of_module).collect()
}

/// What the observer may see of a thread that takes an edge, whatever thread it is; shared variables aside.
fn seen_by(program: &Concurrent, observer: &Observer, module: ModuleId, edge: &Edge) -> Letter {
    let ends = [(module, edge.from), (module, edge.to)];
    let stores = |place: Place| edge.action.stores().any(|stored| stored == place);
    let is_private = |place: &Place| matches!(place, Place::Global(n) if *n as usize >= program.n_shared);
    // What a function has for itself may change with every step of it, and when it is called or returns.
    let of_function = |modules: &[ModuleId]| match &edge.action {
        Action::Call { callee, .. } => modules.contains(callee) || modules.contains(&module),
        _ => modules.contains(&module),
    };
    observer.observations.iter().fold(0, |all, seen| {
        let is_so = match (&seen.what, &edge.action) {
            (Observed::At(_, places), _) => ends.iter().any(|end| places.contains(end)),
            (Observed::Private { modules, expr, .. }, _) => {
                of_function(modules) || expr.reads().filter(is_private).any(stores)
            }
            (Observed::Call(_, modules), Action::Call { callee, .. }) => modules.contains(callee),
            (Observed::Return(_, modules), Action::Return { .. }) => modules.contains(&module),
            _ => false,
        };
        if is_so { all | seen.field() } else { all }
    })
}

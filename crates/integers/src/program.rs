//! The integer program: functions over integer variables, with one graph each.
//!
//! A node is a point of the program, an edge one way on from there. The edges of a node are either one call, or steps; of steps
//! without inputs at most one can be taken. A point without edges is where a run ends: the exit of `main`, a point where the program
//! stops itself, or a target; at any other point where no step can be taken a run is *blocked* and does not count.
//!
//! Two kinds of things are not known beforehand, and they are kept apart. An *input* is chosen by the environment, anew each
//! time; some run exists for each choice. An *unknown* stands for something the program computes in a way that is not
//! represented here: it has one value, but nobody knows which, so only what holds for every value can be claimed.
//!
//! A program may have memory ([`crate::memory`]). As a front end makes it, a step that loads from memory has the guard `true` and is the only edge of its node, no load is
//! within `And`, `Or` or `Choose`, and a node from which something is done to objects has no other edge. Programs that are made of others need not be like that.

use crate::expr::Expr;
use crate::memory::{self, Manage, Memory, ObjectId, RegionId};
use crate::number::Type;
use base::Span;
pub use base::{EdgeId, NodeId, Place};

base::index_type! {
    /// A function of a [`Program`].
    FunctionId;
    /// A place where the program reads an input: a position in [`Program::inputs`].
    InputId;
    /// Something the program computes that is not represented: a position in [`Program::unknowns`].
    UnknownId;
    /// A position in [`Program::targets`].
    TargetId;
}

/// A variable; its type is what a machine can keep in it.
pub type Variable = base::Variable<Type>;

/// One way on from a node. A call is one edge, up to and including the return.
pub type Edge = base::Edge<Action>;

/// What a global variable holds at first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    /// A number.
    Number(i128),
    /// A pointer to a static object, with its offset.
    Pointer(ObjectId, i64),
    /// A number nobody knows.
    Unknown(UnknownId),
}

impl Start {
    /// The number, if it is known.
    pub fn number(self) -> Option<i128> {
        match self {
            Start::Number(number) => Some(number),
            Start::Pointer(object, offset) => Some(memory::first(object) + i128::from(offset)),
            Start::Unknown(_) => None,
        }
    }
}

/// A global variable.
#[derive(Clone, Debug)]
pub struct Global {
    /// The variable.
    pub variable: Variable,
    /// What it holds at first.
    pub start: Start,
}

/// Why the environment chooses a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InputKind {
    /// The program asks for it.
    Read,
    /// A variable is read that nothing was stored in.
    Uninitialised,
}

/// A place where the environment chooses a number.
#[derive(Clone, Debug)]
pub struct Input {
    /// The function that is asked, or the variable.
    pub name: String,
    /// The numbers to choose from.
    pub ty: Type,
    /// Why.
    pub kind: InputKind,
    /// Where.
    pub span: Span,
}

/// Something that the program computes and that is not represented.
#[derive(Clone, Debug)]
pub struct Unknown {
    /// What it is, in the words of the language.
    pub construct: String,
    /// Where.
    pub span: Span,
}

/// The kinds of targets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TargetKind {
    /// A function is called whose call is the error.
    Call,
    /// A label.
    Label,
    /// An assertion fails.
    Assertion,
    /// A result does not fit its type.
    Overflow,
}

/// What a run may reach.
#[derive(Clone, Debug)]
pub struct Target {
    /// Its kind.
    pub kind: TargetKind,
    /// The function or label.
    pub name: String,
    /// The name of the function that it is in.
    pub function: String,
    /// Where it is.
    pub span: Span,
}

/// The targets at which a run is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// All of them.
    Any,
    /// One.
    Target(TargetId),
    /// None: the run goes on where the program does.
    Never,
}

impl Goal {
    /// Whether a run is over at this target.
    pub fn includes(self, target: TargetId) -> bool {
        match self {
            Goal::Any => true,
            Goal::Target(wanted) => wanted == target,
            Goal::Never => false,
        }
    }
}

/// What is special about a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Nothing.
    Plain,
    /// A run that is here has reached a target.
    Target(TargetId),
    /// The program stops itself here.
    Stop,
}

/// A point of the program.
#[derive(Clone, Debug)]
pub struct Node {
    /// What is special about it.
    pub role: Role,
    /// What comes next in the text.
    pub span: Span,
}

/// What a step does, all at once: the guard and the new values are about the state before it.
#[derive(Clone, Debug)]
pub struct Step {
    /// The step can be taken where this formula holds.
    pub guard: Expr,
    /// What is stored; each place occurs once.
    pub updates: Vec<(Place, Expr)>,
    /// What is stored in memory, in order: the region, the pointer, and the value. All are about the state before the step.
    pub stores: Vec<(RegionId, Expr, Expr)>,
    /// What the environment chooses for it.
    pub inputs: Vec<InputId>,
    /// What is not known about it.
    pub unknowns: Vec<UnknownId>,
}

impl Step {
    /// A step without stores, inputs and unknowns.
    pub fn new(guard: Expr, updates: Vec<(Place, Expr)>) -> Self {
        Self { guard, updates, stores: Vec::new(), inputs: Vec::new(), unknowns: Vec::new() }
    }

    /// Its guard, the values that it stores, and where in memory it stores them.
    pub fn exprs(&self) -> impl Iterator<Item = &Expr> {
        let stores = self.stores.iter().flat_map(|(_, pointer, value)| [pointer, value]);
        std::iter::once(&self.guard).chain(self.updates.iter().map(|(_, value)| value)).chain(stores)
    }

    /// Whether it reads or writes memory.
    pub fn uses_memory(&self) -> bool {
        !self.stores.is_empty() || self.exprs().any(Expr::has_loads)
    }
}

/// What an edge does.
#[derive(Clone, Debug)]
pub enum Action {
    /// A step.
    Step(Step),
    /// A call, up to and including the return.
    Call {
        /// The function.
        callee: FunctionId,
        /// One for each parameter; they have neither inputs nor unknowns nor loads.
        args: Vec<Expr>,
        /// Where the result is stored, if it is.
        result: Option<Place>,
    },
    /// Something is done to objects.
    Manage(Manage),
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Where its name stands.
    pub span: Span,
    /// Parameters first, then the other variables, which hold 0 at first.
    pub locals: Vec<Variable>,
    /// How many of them are parameters.
    pub n_params: usize,
    /// The local that holds the result at the exit.
    pub result: Option<u32>,
    /// The points.
    pub nodes: Vec<Node>,
    /// The ways between them, sorted by where they start.
    pub edges: Vec<Edge>,
    /// Where it begins.
    pub entry: NodeId,
    /// Where it returns. It has no edges.
    pub exit: NodeId,
}

impl Function {
    /// A node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// An edge.
    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.index()]
    }

    /// The edges of a node, in order.
    pub fn edges_from(&self, node: NodeId) -> impl Iterator<Item = (EdgeId, &Edge)> {
        base::edges_from(&self.edges, node)
    }

    /// The name of a node: `entry`, `exit`, or its number.
    pub fn point(&self, node: NodeId) -> String {
        match node {
            _ if node == self.entry => "entry".to_owned(),
            _ if node == self.exit => "exit".to_owned(),
            _ => node.0.to_string(),
        }
    }

    /// The nodes that edges start or end at, the entry and the exit, in order. A composed program has others, too.
    pub fn used_nodes(&self) -> impl Iterator<Item = NodeId> + use<> {
        let mut is_used = vec![false; self.nodes.len()];
        is_used[self.entry.index()] = true;
        is_used[self.exit.index()] = true;
        for edge in &self.edges {
            is_used[edge.from.index()] = true;
            is_used[edge.to.index()] = true;
        }
        is_used.into_iter().enumerate().filter(|(_, is_used)| *is_used).map(|(n, _)| NodeId::new(n))
    }

    /// Sorts the edges by where they start; those of one node stay in order.
    pub fn sort_edges(&mut self) {
        self.edges.sort_by_key(|edge| edge.from);
    }
}

/// A whole program.
#[derive(Clone, Debug)]
pub struct Program {
    /// The global variables.
    pub globals: Vec<Global>,
    /// The functions.
    pub functions: Vec<Function>,
    /// Where a run starts. The parameters of this function hold 0.
    pub main: FunctionId,
    /// The places where it reads inputs.
    pub inputs: Vec<Input>,
    /// What it computes in ways that are not represented.
    pub unknowns: Vec<Unknown>,
    /// What a run may reach.
    pub targets: Vec<Target>,
    /// What is not in variables.
    pub memory: Memory,
}

impl Program {
    /// A function.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.index()]
    }

    /// A variable, as seen from a function.
    pub fn variable(&self, function: FunctionId, place: Place) -> &Variable {
        match place {
            Place::Global(n) => &self.globals[n as usize].variable,
            Place::Local(n) => &self.function(function).locals[n as usize],
        }
    }

    /// Whether it uses memory. Only [`crate::step`] and what executes programs understand one that does; for others memory is made variables first.
    pub fn uses_memory(&self) -> bool {
        self.functions.iter().flat_map(|function| &function.edges).any(|edge| match &edge.action {
            Action::Step(step) => step.uses_memory(),
            Action::Call { .. } => false,
            Action::Manage(_) => true,
        })
    }

    /// What must be known of an input.
    pub fn input(&self, id: InputId) -> &Input {
        &self.inputs[id.index()]
    }

    /// Keeps the targets that are wanted. At the others a run goes on, if it can, and stops otherwise.
    pub fn select_targets(&mut self, is_wanted: impl Fn(TargetId, &Target) -> bool) {
        for function in &mut self.functions {
            let mut goes_on = vec![false; function.nodes.len()];
            function.edges.iter().for_each(|edge| goes_on[edge.from.index()] = true);
            for (node, goes_on) in function.nodes.iter_mut().zip(goes_on) {
                if let Role::Target(target) = node.role
                    && !is_wanted(target, &self.targets[target.index()])
                {
                    node.role = if goes_on { Role::Plain } else { Role::Stop };
                }
            }
        }
    }

    /// The target at a node, if it is one.
    pub fn target_at(&self, function: FunctionId, node: NodeId) -> Option<TargetId> {
        match self.function(function).node(node).role {
            Role::Target(target) => Some(target),
            Role::Plain | Role::Stop => None,
        }
    }
}

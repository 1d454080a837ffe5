//! The predicates of a function and what their arguments stand for.

use crate::effects::Effects;
use crate::live::Live;
use crate::program::{Action, FunctionId, NodeId, Place, Program};

/// One predicate for each point of a function that has edges or ends them.
pub(super) struct Predicates<'p> {
    program: &'p Program,
    id: FunctionId,
    /// What the function is started with that matters: parameters, and globals that it uses. Sorted.
    pub(super) ghosts: Vec<Place>,
    /// All variables that may have arguments for what they hold now. Sorted.
    variables: Vec<Place>,
    live: Live,
}

impl<'p> Predicates<'p> {
    /// Chooses the arguments.
    pub(super) fn new(program: &'p Program, effects: &Effects, id: FunctionId) -> Self {
        let function = program.function(id);
        let globals = (0..program.globals.len() as u32)
            .filter(|&n| effects.may_read(id, n) || effects.may_write(id, n));
        let globals: Vec<Place> = globals.map(Place::Global).collect();
        let params = (0..function.n_params as u32).map(Place::Local);
        let is_main = id == program.main;
        let ghosts: Vec<Place> =
            if is_main { Vec::new() } else { globals.iter().copied().chain(params).collect() };
        let assigned = assigned(program, id);
        let is_steady = |place: &Place| match *place {
            Place::Global(n) => !effects.may_write(id, n),
            Place::Local(n) => !assigned[n as usize],
        };
        let locals = (0..function.locals.len() as u32).map(Place::Local);
        let all: Vec<Place> = globals.iter().copied().chain(locals).collect();
        let variables: Vec<Place> =
            all.iter().copied().filter(|place| !(ghosts.contains(place) && is_steady(place))).collect();
        // What the caller may read after the return matters at the exit.
        let mut at_exit: Vec<Place> = Vec::new();
        if !is_main {
            at_exit = globals;
            at_exit.extend(function.result.map(Place::Local));
        }
        let live = Live::new(program, effects, id, &all, &at_exit);
        Self { program, id, ghosts, variables, live }
    }

    /// The function never changes it.
    pub(super) fn is_steady(&self, ghost: Place) -> bool {
        self.variables.binary_search(&ghost).is_err()
    }

    /// The variables whose present numbers are arguments at a point.
    pub(super) fn current(&self, node: NodeId) -> impl Iterator<Item = Place> {
        self.variables.iter().copied().filter(move |&place| self.live.is_live(node, place))
    }

    /// The symbol of a point.
    pub(super) fn at(&self, node: NodeId) -> String {
        let function = self.program.function(self.id);
        let point = match node {
            _ if node == function.entry => "entry".to_owned(),
            _ if node == function.exit => "exit".to_owned(),
            _ => node.0.to_string(),
        };
        symbol(&function.name, '@', &point)
    }

    /// Declares the predicates of all points that are used.
    pub(super) fn declare(&self, out: &mut String) {
        let function = self.program.function(self.id);
        let mut is_used = vec![false; function.nodes.len()];
        is_used[function.entry.index()] = true;
        is_used[function.exit.index()] = true;
        for edge in &function.edges {
            is_used[edge.from.index()] = true;
            is_used[edge.to.index()] = true;
        }
        for node in (0..function.nodes.len()).filter(|&n| is_used[n]).map(NodeId::new) {
            let arity = self.ghosts.len() + self.current(node).count();
            let sorts = vec!["Int"; arity].join(" ");
            out.push_str(&format!("(declare-fun {} ({sorts}) Bool)\n", self.at(node)));
        }
    }
}

/// For each local whether some edge stores in it.
fn assigned(program: &Program, id: FunctionId) -> Vec<bool> {
    let function = program.function(id);
    let mut assigned = vec![false; function.locals.len()];
    let mut store = |place: Place| {
        if let Place::Local(n) = place {
            assigned[n as usize] = true;
        }
    };
    for edge in &function.edges {
        match &edge.action {
            Action::Step(step) => step.updates.iter().for_each(|(place, _)| store(*place)),
            Action::Call { result, .. } => result.iter().copied().for_each(&mut store),
        }
    }
    assigned
}

/// A predicate with its arguments.
pub(super) fn application(predicate: &str, arguments: &[String]) -> String {
    if arguments.is_empty() {
        return predicate.to_owned();
    }
    format!("({predicate} {})", arguments.join(" "))
}

/// A name of the program as a symbol that meets neither another one nor a word of SMT-LIB.
pub(super) fn symbol(name: &str, mark: char, suffix: &str) -> String {
    let is_simple = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    if !name.is_empty() && name.chars().all(is_simple) && !name.starts_with(|c: char| c.is_ascii_digit()) {
        return format!("{name}{mark}{suffix}");
    }
    let name = name.replace(['|', '\\'], "/");
    format!("|{name}{mark}{suffix}|")
}

//! The predicates of a function and what their arguments stand for.

use crate::ghosts::Ghosted;
use crate::live::Live;
use crate::program::{FunctionId, NodeId, Place};

/// One predicate for each point of a function that has edges or ends them.
pub(super) struct Predicates<'p> {
    ghosted: &'p Ghosted,
    id: FunctionId,
    /// What the function was started with that matters: parameters, and globals that it uses; ghosts of those that it changes.
    start: Vec<Place>,
    /// All variables that may have arguments for what they hold now. Sorted.
    variables: Vec<Place>,
    live: Live,
}

impl<'p> Predicates<'p> {
    /// Chooses the arguments.
    pub(super) fn new(ghosted: &'p Ghosted, id: FunctionId) -> Self {
        let Ghosted { program, effects, .. } = ghosted;
        let function = program.function(id);
        let ghosts = &ghosted.ghosts[id.index()];
        let globals = (0..program.globals.len() as u32)
            .filter(|&n| effects.may_read(id, n) || effects.may_write(id, n));
        let globals: Vec<Place> = globals.map(Place::Global).collect();
        let is_called = ghosted.is_called[id.index()];
        let mut start: Vec<Place> = Vec::new();
        if is_called {
            let params = (0..function.n_params as u32).map(Place::Local);
            let kept = |place: Place| match ghosts.iter().find(|ghost| ghost.of == place) {
                Some(ghost) => Place::Local(ghost.local),
                None => place,
            };
            start = globals.iter().copied().chain(params).map(kept).collect();
        }
        let n_locals = (function.locals.len() - ghosts.len()) as u32;
        let all: Vec<Place> = globals.iter().copied().chain((0..n_locals).map(Place::Local)).collect();
        let variables: Vec<Place> = all.iter().copied().filter(|place| !start.contains(place)).collect();
        // What the caller may read after the return matters at the exit.
        let mut at_exit: Vec<Place> = Vec::new();
        if is_called {
            at_exit = globals;
            at_exit.extend(function.result.map(Place::Local));
        }
        let live = Live::new(program, effects, id, &all, &at_exit);
        Self { ghosted, id, start, variables, live }
    }

    /// The variables that the predicate of a point is about.
    pub(super) fn arguments(&self, node: NodeId) -> impl Iterator<Item = Place> {
        let current = self.variables.iter().copied().filter(move |&place| self.live.is_live(node, place));
        self.start.iter().copied().chain(current)
    }

    /// The symbol of a point.
    pub(super) fn at(&self, node: NodeId) -> String {
        let function = self.ghosted.program.function(self.id);
        symbol(&function.name, '@', &function.point(node))
    }

    /// The points that are used: a composed program has nodes that nothing leads to.
    pub(super) fn used(&self) -> impl Iterator<Item = NodeId> + use<> {
        self.ghosted.program.function(self.id).used_nodes()
    }
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

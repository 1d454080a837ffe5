//! What a program does on one edge, as a query under construction.

use crate::encode::{Encoding, Meaning, Meant, now};
use integers::ghosts::Ghosted;
use integers::{Action, Edge, EdgeId, Expr, FunctionId, NodeId, Place, Step};
use smt::Query;

/// A program, and for each function and node what is supposed to hold there.
#[derive(Clone, Copy)]
pub struct Rules<'a> {
    /// The program.
    pub subject: &'a Ghosted,
    /// The formulas.
    pub formulas: &'a [Vec<Expr>],
}

/// What an edge does to some variables, where it is taken in a state in which the formula before it holds: all that satisfies the query.
#[derive(Clone, Debug)]
pub struct Transition {
    /// The query.
    pub query: Query,
    /// What stands for the variables before, in the order in which they were asked for.
    pub before: Vec<String>,
    /// And after.
    pub after: Vec<String>,
    pub(crate) meanings: Vec<Meaning>,
}

impl<'a> Rules<'a> {
    /// What holds at a node.
    pub fn at(&self, function: FunctionId, node: NodeId) -> &'a Expr {
        &self.formulas[function.index()][node.index()]
    }

    /// What an edge does to variables of its function; a call is over then.
    pub fn taken(&self, id: FunctionId, edge: EdgeId, places: &[Place]) -> Transition {
        let edge = self.subject.program.function(id).edge(edge);
        match &edge.action {
            Action::Step(step) => self.stepped(id, edge, step, places),
            Action::Call { callee, args, result } => {
                let mut encoding = self.before_call(id, edge, args);
                let exit = self.subject.program.function(*callee).exit;
                encoding.holds(self.at(*callee, exit), &|place| self.left(*callee, place));
                let then = |place| self.come_back(*callee, *result, place);
                transition(encoding, (places, &now), (places, &then))
            }
            Action::Manage(_) => unreachable!("the program has variables only"),
        }
    }

    fn stepped(&self, id: FunctionId, edge: &Edge, step: &Step, places: &[Place]) -> Transition {
        let mut encoding = Encoding::default();
        encoding.holds(self.at(id, edge.from), &now);
        for (n, &input) in (0..).zip(&step.inputs) {
            let ty = self.subject.program.input(input).ty;
            encoding.between(Meaning::Input(n), ty.min(), ty.max());
        }
        encoding.holds(&step.guard, &now);
        for (place, value) in &step.updates {
            let is_wanted = places.contains(place);
            encoding.value(value, &now, is_wanted.then_some(Meaning::Then(*place)));
        }
        let then = |place| match step.updates.iter().any(|(other, _)| *other == place) {
            true => Meant::Variable(Meaning::Then(place)),
            false => now(place),
        };
        transition(encoding, (places, &now), (places, &then))
    }

    /// A call, up to the entry of the callee: variables of the caller before, and of the callee after.
    ///
    /// # Panics
    /// If the edge is no call.
    pub fn entered(&self, id: FunctionId, edge: EdgeId, own: &[Place], theirs: &[Place]) -> Transition {
        let edge = self.subject.program.function(id).edge(edge);
        let Action::Call { callee, args, .. } = &edge.action else { panic!("only a call enters a function") };
        let encoding = self.before_call(id, edge, args);
        transition(encoding, (own, &now), (theirs, &|place| self.passed(*callee, place)))
    }

    /// What a variable of the caller holds behind a call, of which the formula at the callee's exit tells.
    pub(crate) fn come_back(&self, callee: FunctionId, result: Option<Place>, place: Place) -> Meant {
        match place {
            _ if result == Some(place) => {
                let function = self.subject.program.function(callee);
                let returned = function.result.expect("only functions with results are asked for them");
                self.left(callee, Place::Local(returned))
            }
            Place::Global(_) => self.left(callee, place),
            Place::Local(_) => now(place),
        }
    }

    /// What a variable of the callee holds at its exit.
    pub(crate) fn left(&self, callee: FunctionId, place: Place) -> Meant {
        match place {
            _ if self.is_kept(callee, place) => self.passed(callee, place),
            _ => Meant::Variable(Meaning::Left(place)),
        }
    }

    /// The claim before a call, and the arguments.
    pub(crate) fn before_call(&self, id: FunctionId, edge: &Edge, args: &[Expr]) -> Encoding {
        let mut encoding = Encoding::default();
        encoding.holds(self.at(id, edge.from), &now);
        for (n, arg) in (0..).zip(args) {
            encoding.value(arg, &now, Some(Meaning::Passed(n)));
        }
        encoding
    }

    /// Whether a variable holds at the exit of a function what it held at the entry: ghosts, and what the function never changes. Of
    /// other variables only the claim at the exit tells anything.
    pub fn is_kept(&self, id: FunctionId, place: Place) -> bool {
        let ghosts = &self.subject.ghosts[id.index()];
        match place {
            Place::Global(n) => !self.subject.effects.may_write(id, n),
            Place::Local(n) if ghosts.iter().any(|ghost| ghost.local == n) => true,
            Place::Local(n) => {
                let is_changed = ghosts.iter().any(|ghost| ghost.of == place);
                (n as usize) < self.subject.program.function(id).n_params && !is_changed
            }
        }
    }

    /// The variable whose number at the entry this one holds there.
    pub(crate) fn began(&self, id: FunctionId, place: Place) -> Place {
        let ghosts = &self.subject.ghosts[id.index()];
        ghosts.iter().find(|ghost| Place::Local(ghost.local) == place).map_or(place, |ghost| ghost.of)
    }

    /// What a variable of the callee holds at its entry.
    pub(crate) fn passed(&self, callee: FunctionId, place: Place) -> Meant {
        match self.began(callee, place) {
            Place::Global(n) => now(Place::Global(n)),
            Place::Local(n) if (n as usize) < self.subject.program.function(callee).n_params => {
                Meant::Variable(Meaning::Passed(n))
            }
            Place::Local(_) => Meant::Number(0),
        }
    }
}

/// Variables before and after an edge, as names in its query.
type Seen<'f> = (&'f [Place], &'f dyn Fn(Place) -> Meant);

fn transition(mut encoding: Encoding, before: Seen<'_>, after: Seen<'_>) -> Transition {
    let mut names =
        |(places, mean): Seen<'_>| places.iter().map(|place| encoding.meant(mean(*place))).collect();
    let (before, after) = (names(before), names(after));
    Transition { query: encoding.query, before, after, meanings: encoding.meanings }
}

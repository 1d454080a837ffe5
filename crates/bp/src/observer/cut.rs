//! Cuts a condition into observations.
//!
//! From its operands to its operators: an expression is about shared variables only, about the private variables of one thread only, about
//! the locals of one of its functions only, a constant, or neither. Where an operator has operands of different kinds, each that is of one kind becomes an observation.

use super::whose::Private;
use rsm::ModuleId;
use rsm::observe::Observed;
use rsm::values::n_operands;
use rsm::{Expr, Operation, Place, Term};

/// What an expression is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum About<'a> {
    Nothing,
    Shared,
    /// A block, a copy, and the function, as it is in the machine, if it is about its locals.
    Thread(u32, u32, &'a [ModuleId]),
    /// Observations, or choices.
    Several,
}

impl About<'_> {
    fn with(self, other: Self) -> Self {
        match (self, other) {
            (Self::Nothing, about) | (about, Self::Nothing) => about,
            _ if self == other => self,
            _ => Self::Several,
        }
    }
}

/// Cuts conditions.
pub(super) struct Cutter<'a> {
    n_shared: u32,
    /// For each atom its observation.
    atoms: &'a [Option<u32>],
    /// Private variables, and locals.
    private: &'a [Private],
}

impl<'a> Cutter<'a> {
    pub(super) fn new(n_shared: u32, atoms: &'a [Option<u32>], private: &'a [Private]) -> Self {
        Self { n_shared, atoms, private }
    }

    /// The condition over observations, each of which is given a place.
    pub(super) fn cut(&mut self, condition: &Expr, place: &mut impl FnMut(Observed) -> Place) -> Expr {
        let mut stack: Vec<(About<'a>, Vec<Term>)> = Vec::new();
        for term in &condition.code {
            let operands = stack.split_off(stack.len() - n_operands(term.operation));
            let leaf = self.leaf(term);
            let about = operands.iter().fold(leaf.0, |about, operand| about.with(operand.0));
            let mut code = Vec::new();
            for (own, operand) in operands {
                match about {
                    About::Several => code.extend(sealed(own, operand, place)),
                    _ => code.extend(operand),
                }
            }
            code.push(leaf.1);
            stack.push((about, code));
        }
        let (about, code) = stack.pop().expect("code leaves one value");
        Expr { code: sealed(about, code, place).into() }
    }

    /// What an operation is about by itself, and the operation as it is read in an observation.
    fn leaf(&self, term: &Term) -> (About<'a>, Term) {
        let read = |place: Place| Term { operation: Operation::Read(place), ..term.clone() };
        match term.operation {
            Operation::Read(Place::Global(n)) if n < self.n_shared => (About::Shared, term.clone()),
            Operation::Read(Place::Global(n)) => {
                let observation = self.atoms[(n - self.n_shared) as usize].unwrap_or_default();
                (About::Several, read(Place::Global(observation)))
            }
            Operation::Read(Place::Local(n)) => {
                let Private { block, copy, modules, place, .. } = &self.private[n as usize];
                (About::Thread(*block, *copy, modules), read(*place))
            }
            Operation::Choice(_) | Operation::Schoose => (About::Several, term.clone()),
            _ => (About::Nothing, term.clone()),
        }
    }
}

/// The code, or that which reads it as an observation.
fn sealed(about: About<'_>, code: Vec<Term>, place: &mut impl FnMut(Observed) -> Place) -> Vec<Term> {
    let expr = Expr { code: code.into() };
    let ty = expr.ty().clone();
    let what = match about {
        About::Nothing | About::Several => return expr.code.into_vec(),
        About::Shared => Observed::Shared(expr),
        About::Thread(block, copy, modules) => {
            Observed::Private { block, copy, modules: modules.to_vec(), expr }
        }
    };
    Expr::read(place(what), ty).code.into_vec()
}

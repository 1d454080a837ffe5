//! What holds where, as formulas over the variables of the program: the states in which runs of an abstraction may be.

use abstraction::{Abstraction, Predicates};
use checker::abstraction::{Bit, Region};
use integers::ghosts::{Ghost, Ghosted};
use integers::normal::{Atom, Literal, normal};
use integers::{Expr, FunctionId, NodeId, Op, Place};

/// Longer formulas are given up.
const LONGEST: usize = 1 << 16;

/// How much of a region is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Detail {
    /// Single predicates that hold, or do not.
    Predicates,
    /// How they depend on each other.
    All,
}

/// For each function and each of its nodes a formula that holds whenever a run is there; `None` if one would be too long.
pub(crate) fn invariants(
    ghosted: &Ghosted,
    predicates: &Predicates,
    abstraction: &Abstraction,
    regions: &[Region],
    detail: Detail,
) -> Option<Vec<Vec<Expr>>> {
    let nothing = |function: &integers::Function| vec![Expr::truth(false); function.nodes.len()];
    let mut formulas: Vec<Vec<Expr>> = ghosted.program.functions.iter().map(nothing).collect();
    for region in regions {
        let Some(points) = abstraction.nodes.get(region.module.index()) else { continue };
        // What starts a program whose `main` is called is none of its functions.
        let Some(Some(node)) =
            points.get(region.node.index()).filter(|_| region.module.index() < formulas.len())
        else {
            continue;
        };
        let function = FunctionId::new(region.module.index());
        let reader = Reader { ghosted, predicates, abstraction, function, node: *node };
        formulas[function.index()][node.index()] = match detail {
            Detail::Predicates => reader.literals(region),
            Detail::All => reader.formula(region)?,
        };
    }
    Some(formulas)
}

/// Reads decisions about bits as formulas.
struct Reader<'a> {
    ghosted: &'a Ghosted,
    predicates: &'a Predicates,
    abstraction: &'a Abstraction,
    function: FunctionId,
    node: NodeId,
}

impl Reader<'_> {
    fn formula(&self, region: &Region) -> Option<Expr> {
        let mut known = vec![Expr::truth(false), Expr::truth(true)];
        for &(bit, no, yes) in &region.states.nodes {
            let (no, yes) = (known[no as usize].clone(), known[yes as usize].clone());
            let formula = match self.meaning(bit) {
                Some(condition) => decide(condition, yes, no),
                None => either(yes, no),
            };
            if formula.code().len() > LONGEST {
                return None;
            }
            known.push(formula);
        }
        Some(known[region.states.root as usize].clone())
    }

    /// The bits that have one value in all states of the region.
    fn literals(&self, region: &Region) -> Expr {
        let mut bits: Vec<Bit> = Vec::new();
        for &(bit, ..) in &region.states.nodes {
            if !bits.contains(&bit) {
                bits.push(bit);
            }
        }
        let mut formula = Expr::truth(is_possible(region, None));
        for bit in bits {
            let Some(meaning) = self.meaning(bit) else { continue };
            if !is_possible(region, Some((bit, false))) {
                formula = formula.and(meaning);
            } else if !is_possible(region, Some((bit, true))) {
                formula = formula.and(meaning.not());
            }
        }
        formula
    }

    /// What a bit says, if it is kept here.
    fn meaning(&self, bit: Bit) -> Option<Expr> {
        let bits = &self.abstraction.bits[self.function.index()];
        let n = bits.iter().position(|local| rsm::Place::Local(*local) == bit.place)?;
        let entry = self.ghosted.program.function(self.function).entry;
        let at = if bit.at_entry { entry } else { self.node };
        self.abstraction.kept[self.function.index()][at.index()].binary_search(&n).ok()?;
        let formula = &self.predicates.of(self.function)[n].formula;
        if !bit.at_entry {
            return Some(formula.clone());
        }
        // What is about variables that the function never changes is told once.
        let entered = self.entered(formula);
        let is_kept =
            self.abstraction.kept[self.function.index()][self.node.index()].binary_search(&n).is_ok();
        (entered != *formula || !is_kept).then_some(entered)
    }

    /// A formula about the entry, in terms of ghosts.
    fn entered(&self, formula: &Expr) -> Expr {
        let ghosts = &self.ghosted.ghosts[self.function.index()];
        let n_params = self.ghosted.program.function(self.function).n_params;
        formula.substitute(|op| match op {
            Op::Read(place) => {
                match ghosts.iter().find(|ghost| ghost.of == place || is_ghost(ghost, place)) {
                    Some(ghost) => Some(Expr::read(Place::Local(ghost.local))),
                    // What is not a parameter holds 0 there.
                    None => match place {
                        Place::Local(n) if n as usize >= n_params => Some(Expr::constant(0)),
                        _ => None,
                    },
                }
            }
            _ => None,
        })
    }
}

/// Some state of the region has this value of a bit.
fn is_possible(region: &Region, fixed: Option<(Bit, bool)>) -> bool {
    let mut known = vec![false, true];
    for &(bit, no, yes) in &region.states.nodes {
        let (no, yes) = (known[no as usize], known[yes as usize]);
        known.push(match fixed {
            Some((other, value)) if other == bit => {
                if value {
                    yes
                } else {
                    no
                }
            }
            _ => no || yes,
        });
    }
    known[region.states.root as usize]
}

fn is_ghost(ghost: &Ghost, place: Place) -> bool {
    place == Place::Local(ghost.local)
}

fn decide(condition: Expr, yes: Expr, no: Expr) -> Expr {
    if yes == no {
        return yes;
    }
    match (yes.as_truth(), no.as_truth()) {
        (Some(true), _) => condition.binary(Op::Or, no),
        (Some(false), _) => condition.not().and(no),
        (_, Some(true)) => condition.not().binary(Op::Or, yes),
        (_, Some(false)) => condition.and(yes),
        _ => condition.clone().and(yes).binary(Op::Or, condition.not().and(no)),
    }
}

fn either(yes: Expr, no: Expr) -> Expr {
    match normal(&yes.clone().binary(Op::Or, no.clone())) {
        Literal { atom: Atom::True, holds: true } => Expr::truth(true),
        _ if yes == no => yes,
        _ => yes.binary(Op::Or, no),
    }
}

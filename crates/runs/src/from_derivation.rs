//! The run that a derivation describes, with its facts in the order in which they are used.
//!
//! Each tuple of a derivation has strands: paths on which the states in its columns are marks. A clause glues the strands of its premises
//! where they share a moment. What lies between two marks is always used; what a premise knows of the time before its first mark only
//! where the clause itself does not say how that state is reached, and what it knows of the time after its last only where the clause does
//! not go on from there. A tuple that is used again, as those of greatest fixed points are, is a way on that is not known yet: the run
//! that follows it comes back to where it was, and is infinite.
//!
//! A query may be about several runs: each of its strands that begins with the start is one. And where a clause, or the query, goes on from a
//! moment in two ways, or gets to one in two, the second way makes another run.
//!
//! Nothing is known of the formula: neither its relations, nor which columns are the present, nor a direction.

mod glue;
mod path;
mod walk;

use crate::known_steps::{KnownSteps, StateId, TemplateState};
use crate::way::Way;
use calculus::system::{RelationId, System, Term, VarId};
use glue::{Gluing, Use};
use path::{Few, Path, PathId, Paths, Strand, few};
use solver::{DerivationStep, Explanation, Links, Premise};
use std::rc::Rc;
use std::sync::Arc;
use templates::{Role, Templates, Vocabulary};
use walk::Walk;

/// Why a derivation describes no way.
pub enum NoWay {
    /// Nothing in it is a run.
    NoRun,
    /// What it describes is no run, and why.
    Wrong(String),
}

impl From<String> for NoWay {
    fn from(reason: String) -> Self {
        Self::Wrong(reason)
    }
}

/// The ways of a derivation: one, and others if it is about several runs.
pub struct Ways {
    /// The one that is told.
    pub first: Way,
    /// The others.
    pub further: Vec<Way>,
}

/// So many ways are followed at most.
const MOST: usize = 4;

/// A place where the strands of a clause, or of the query, leave one of them out: the step, and the number of the strand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Fork {
    step: Option<usize>,
    strand: usize,
}

/// The ways of a derivation.
pub fn follow(
    system: &System,
    words: &Vocabulary,
    templates: &Templates,
    derivation: &Explanation,
    known: &mut KnownSteps,
) -> Result<Ways, NoWay> {
    let states =
        (0..system.relations.len()).map(|at| states(system, RelationId::new(at)).into()).collect::<Vec<_>>();
    let mut taking = |fork: Option<Fork>| {
        let width = 2 + (templates.slots.n_locals + templates.slots.n_globals) as usize;
        let strands = vec![Rc::default(); derivation.steps.len()];
        let (paths, forks) = (Paths::default(), Vec::new());
        let mut follower = Follower {
            system,
            words,
            templates,
            derivation,
            known,
            states: &states,
            width,
            paths,
            strands,
            fork,
            forks,
        };
        for at in (0..derivation.steps.len()).rev() {
            follower.strands[at] = follower.strands_of(at).into();
        }
        let ways = follower.ways();
        ways.map(|ways| (ways, follower.forks))
    };
    let (mut ways, forks) = taking(None)?;
    // What the query itself leaves out comes first.
    for fork in forks.into_iter().rev() {
        if ways.len() >= MOST {
            break;
        }
        let others = taking(Some(fork)).map_or_else(|_| Vec::new(), |found| found.0);
        let new: Vec<Way> = others.into_iter().filter(|other| !ways.contains(other)).collect();
        ways.extend(new);
    }
    ways.truncate(MOST);
    let first = ways.remove(0);
    // A run that does nothing shows nothing.
    ways.retain(|way| way.n_steps() > 0);
    Ok(Ways { first, further: ways })
}

struct Follower<'f> {
    system: &'f System,
    words: &'f Vocabulary,
    templates: &'f Templates<'f>,
    derivation: &'f Explanation,
    known: &'f mut KnownSteps,
    /// For each relation the positions of its states among its columns, each with the first of its variables.
    states: &'f [Rc<[(usize, VarId)]>],
    /// The columns of a state.
    width: usize,
    paths: Paths,
    /// Those of each step of the derivation.
    strands: Vec<Rc<[Strand]>>,
    /// The strand that is taken where it would be left out.
    fork: Option<Fork>,
    /// What was left out, the query last.
    forks: Vec<Fork>,
}

/// The positions of a relation's states among its columns, each with the first of its variables.
fn states(system: &System, relation: RelationId) -> Vec<(usize, VarId)> {
    let (mut at, mut found) = (0, Vec::new());
    for binder in &system.relation(relation).params {
        let binder = &system.binders[binder.index()];
        if binder.type_name == "State" {
            found.push((at, binder.leaves[0]));
        }
        at += binder.leaves.len();
    }
    found
}

impl Follower<'_> {
    fn state(&mut self, step: &DerivationStep, at: usize) -> StateId {
        self.known.number(TemplateState::new(&step.tuple[at..at + self.width], self.templates))
    }

    fn strands_of(&mut self, at: usize) -> Vec<Strand> {
        let step = &self.derivation.steps[at];
        match self.words.of_relation(step.relation) {
            Some(template) if template.others.is_empty() && !step.is_absent => self.fact(step, template.role),
            Some(_) => Vec::new(),
            None => {
                let uses = self.uses(step.premises.iter(), &step.links);
                let heads: Few<VarId> =
                    self.states[step.relation.index()].iter().map(|state| state.1).collect();
                self.glue(Some(at), &uses, &heads, &step.links)
            }
        }
    }

    /// What a fact about the program is in a run.
    fn fact(&mut self, step: &DerivationStep, role: Role) -> Vec<Strand> {
        let positions = self.states[step.relation.index()].clone();
        let states: Few<StateId> = positions.iter().map(|state| self.state(step, state.0)).collect();
        let (marks, path) = match (role, &states[..]) {
            (Role::Step, &[x, v]) => ([0, 1], Path::Step(x, v)),
            (Role::Call, &[x, y]) => ([0, 1], Path::Call(x, y)),
            (Role::Return, &[x, z, v]) => ([1, 2], Path::Return { call: Some(x), exit: z, after: v }),
            (Role::Return, &[z, v]) => ([0, 1], Path::Return { call: None, exit: z, after: v }),
            (Role::Start, &[u]) => {
                let before = Some(self.paths.add(Path::Start(u)));
                return vec![Strand { marks: few([0]), before, ..Strand::default() }];
            }
            _ => return Vec::new(),
        };
        vec![Strand { marks: few(marks), gaps: few([self.paths.add(path)]), ..Strand::default() }]
    }

    /// The tuples that a clause, or the query, uses.
    fn uses<'p>(&self, premises: impl Iterator<Item = &'p Premise>, links: &Links) -> Vec<Use> {
        let of = |(premise, terms): (&Premise, &Arc<[Term]>)| match premise {
            Premise::Step(step) => Some(self.use_of(*step, terms, false)),
            Premise::Again(step) => Some(self.use_of(*step, terms, true)),
            Premise::Fact(_) => None,
        };
        premises.zip(&links.terms).filter_map(of).collect()
    }

    fn use_of(&self, step: usize, terms: &[Term], is_again: bool) -> Use {
        let states = &self.states[self.derivation.steps[step].relation.index()];
        let vars = states.iter().map(|&(at, _)| match terms[at] {
            Term::Var(var) => Some(var),
            Term::Value(_) => None,
        });
        Use { step, vars: vars.collect(), is_again }
    }

    fn glue(&mut self, at: Option<usize>, uses: &[Use], heads: &[VarId], links: &Links) -> Vec<Strand> {
        let preferred = self.fork.filter(|fork| fork.step == at).map(|fork| fork.strand);
        let head = at.map(|at| &self.derivation.steps[at]);
        let own = |var: VarId| {
            let columns = &self.system.relation(head?.relation).columns;
            columns.iter().position(|column| *column == var).map(|at| head.expect("a step").tuple[at])
        };
        let mut gluing = Gluing::new(self.system, &mut self.paths, preferred);
        for used in uses {
            gluing.add(used, &self.strands[used.step]);
        }
        gluing.equate(links, own);
        let (strands, left_out) = gluing.strands(heads);
        self.forks.extend(left_out.into_iter().map(|strand| Fork { step: at, strand }));
        strands
    }

    /// The runs of the query.
    fn ways(&mut self) -> Result<Vec<Way>, NoWay> {
        let derivation = self.derivation;
        let roots: Vec<Premise> = derivation.roots.iter().map(|root| Premise::Step(*root)).collect();
        let uses = self.uses(roots.iter(), &derivation.links);
        let strands = self.glue(None, &uses, &[], &derivation.links);
        let mut ways: Vec<Way> = Vec::new();
        for path in strands.into_iter().filter_map(|strand| strand.before) {
            match self.walk(path) {
                Ok(way) if !ways.contains(&way) => ways.push(way),
                Err(problem) if ways.is_empty() => return Err(problem),
                Ok(_) | Err(_) => {}
            }
        }
        if ways.is_empty() { Err(NoWay::NoRun) } else { Ok(ways) }
    }

    /// A path as a way, perhaps with a cycle.
    fn walk(&self, path: PathId) -> Result<Way, NoWay> {
        let mut walk = Walk::new(&self.paths);
        let mut tail = walk.take(path)?;
        while let Some(to) = tail {
            if let Some(way) = walk.visit(to)? {
                return Ok(way);
            }
            let strand = self.strands[to.step].iter().find(|strand| strand.marks.contains(&to.column));
            let after = strand.and_then(|strand| strand.after);
            let after = after.ok_or_else(|| "the infinite run does not go on".to_owned())?;
            tail = walk.take(after)?;
        }
        Ok(walk.finish())
    }
}

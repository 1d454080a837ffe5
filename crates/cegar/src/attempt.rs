//! An attempt to prove that no target is reached, stage by stage, each with more effort than the one before.

use crate::candidates::{Candidate, preconditions};
use crate::control::controlled;
use crate::prover::{EFFORTS, Proof, Prover, add};
use crate::task::Task;
use abstraction::Predicates;
use integers::cells::has_memory;
use integers::ghosts::Ghosted;
use integers::normal::Atom;
use integers::{Expr, FunctionId, Op, Parametrised, Place, Program};
use proof::Statement;
use refine::invariants::Search;

/// A program with so many steps may be one that is control and little else. What is shorter is soon proved by predicates, which say in fewer words why.
const CONTROL: usize = 48;

fn is_control(program: &Program) -> bool {
    program.functions.iter().map(|function| function.edges.len()).sum::<usize>() >= CONTROL
}

/// A program, what is to be proved of it, and what has been tried.
pub struct Attempt {
    task: Task,
    predicates: Predicates,
    /// The predicates were given, and no others are used.
    is_given: bool,
    /// The solver's engine for clauses is asked before predicates are tried: of a program with memory guards do not tell much, and there are many.
    clauses_first: bool,
    /// It is asked about the program as it is before it is asked about one with parameters: of results that fit their types numbers tell more.
    numbers_first: bool,
    next: usize,
    last: Proof,
}

/// So many paths that cannot be taken are explained in a stage.
const PATHS: usize = 6;

/// So often predicates are refined before anybody is waited for.
const ROUNDS: usize = 3;

/// With more predicates in a function they are not refined again without other ideas.
const FEW: usize = 6;

/// So many steps back what given predicates ask of variables that the text does not have is added.
const HIDDEN: usize = 3;

/// The number of stages.
pub const STAGES: usize = EFFORTS.len() + 1;

impl Attempt {
    /// Nothing has been tried yet. For [`Statement::Unreachable`] the targets of the program are those that are not to be reached.
    pub fn new(program: Program, statement: Statement, given: Option<&[Candidate]>) -> Self {
        let task = match given {
            None => Task::new(program, statement).knowing_bounds(),
            Some(_) => Task::new(program, statement),
        };
        let ghosted = &task.ghosted;
        let predicates = match given {
            Some(given) => {
                let mut predicates = Predicates::new(ghosted);
                add(&mut predicates, ghosted, given.to_vec());
                // Results of calls inside expressions have no names that people know.
                for _ in 0..HIDDEN {
                    let hidden = preconditions(ghosted, &predicates)
                        .into_iter()
                        .filter(|(function, formula)| is_hidden(ghosted, *function, formula));
                    let hidden = hidden.collect();
                    add(&mut predicates, ghosted, hidden);
                }
                predicates
            }
            None => Predicates::of_guards(ghosted),
        };
        let clauses_first = given.is_none() && has_memory(&task.program);
        let is_given = given.is_some();
        Self { task, predicates, is_given, clauses_first, numbers_first: false, next: 0, last: Proof::Open }
    }

    /// Nothing has been tried yet. These predicates are known to help with a similar program; those of the guards and what it takes beside are found.
    pub fn with_ideas(program: Program, statement: Statement, ideas: Vec<Candidate>) -> Self {
        let task = Task::new(program, statement).knowing_bounds();
        let mut predicates = Predicates::new(&task.ghosted);
        add(&mut predicates, &task.ghosted, ideas);
        let guards = Predicates::of_guards(&task.ghosted);
        for id in (0..task.program.functions.len()).map(FunctionId::new) {
            let guards = guards.of(id).iter().map(|predicate| (id, predicate.formula.clone())).collect();
            add(&mut predicates, &task.ghosted, guards);
        }
        let clauses_first = has_memory(&task.program);
        let (is_given, numbers_first) = (false, false);
        Self { task, predicates, is_given, clauses_first, numbers_first, next: 0, last: Proof::Open }
    }

    /// The same, of a program whose overflows are targets.
    #[must_use]
    pub fn about_numbers(self) -> Self {
        Self { numbers_first: true, ..self }
    }

    /// The same, of a program whose overflows are targets, or wrap: that variables hold numbers of their types is part of every proof.
    #[must_use]
    pub fn knowing_types(self) -> Self {
        let mut predicates = Predicates::new(&self.task.ghosted);
        for id in (0..self.task.program.functions.len()).map(FunctionId::new) {
            let open = self.predicates.of(id).iter();
            let open = open.filter(|predicate| !is_decided(&self.task.ghosted.program, id, &predicate.atom));
            let open = open.map(|predicate| (id, predicate.formula.clone())).collect();
            add(&mut predicates, &self.task.ghosted, open);
        }
        Self { task: self.task.knowing_types(), predicates, clauses_first: false, ..self }
    }

    /// The program with ghosts that predicates are about.
    pub fn ghosted(&self) -> &Ghosted {
        &self.task.ghosted
    }

    /// The predicates that have been used.
    pub fn predicates(&self) -> &Predicates {
        &self.predicates
    }

    /// Tries all stages up to one.
    pub fn advance(&mut self, up_to: usize, prover: &mut Prover) -> &Proof {
        while self.next < up_to.min(STAGES) && self.is_open() && prover.limits.stop.requested().is_none() {
            self.last = match self.next {
                0 => self.first(prover),
                1 if self.is_given => match self.followed(0, prover) {
                    Proof::Open if self.is_forced(prover) => Proof::Refuted,
                    proof => proof,
                },
                _ if self.is_given => break,
                stage => self.searched(stage - 1, prover),
            };
            self.next += 1;
        }
        &self.last
    }

    /// What costs least: what the parts of variables tell, if it is not said which predicates are to be used; then what predicates do, or clauses.
    fn first(&mut self, prover: &mut Prover) -> Proof {
        if !self.is_given && is_control(&self.task.program) {
            let proof = controlled(&self.task, prover);
            if !is_open(&proof) {
                return proof;
            }
        }
        match self.clauses_first {
            true => self.solved(EFFORTS[0], prover),
            false => prover.unreachable(&self.task, &self.predicates),
        }
    }

    /// More may be found out.
    fn is_open(&self) -> bool {
        is_open(&self.last)
    }

    /// However the program goes on, a target is reached, if inputs are chosen well.
    fn is_forced(&self, prover: &mut Prover) -> bool {
        if self.task.statement != Statement::Unreachable {
            return false;
        }
        let analysis = prover.analysis(&self.task.ghosted, &self.predicates, true);
        analysis.must_reach(prover.limits).unwrap_or(false)
    }

    /// The path to a target that the abstraction has.
    fn followed(&mut self, n_rounds: usize, prover: &mut Prover) -> Proof {
        prover.followed(&self.task, &mut self.predicates, n_rounds)
    }

    /// The solver's own engine works on the clauses of the program, while the abstraction is refined here. It is asked about a program with parameters first.
    fn searched(&mut self, stage: usize, prover: &mut Prover) -> Proof {
        let mut last;
        if self.clauses_first {
            // It has been asked with the least effort already.
            last = match stage {
                0 => Proof::Open,
                _ => self.solved(EFFORTS[stage], prover),
            };
            if is_open(&last) {
                last = self.refined(stage, prover);
            }
        } else {
            let parametrised = Parametrised::new(&self.task.ghosted);
            let manners = self.manners(parametrised.as_ref());
            let searches = prover.searches(&self.task, manners[0], EFFORTS[stage]);
            last = self.refined(stage, prover);
            last = self.awaited(searches, last, prover);
            if let (Some(manner), true) = (manners.get(1), is_open(&last)) {
                let searches = prover.searches(&self.task, *manner, EFFORTS[stage]);
                last = self.awaited(searches, last, prover);
            }
        }
        if stage > 0 && is_open(&last) {
            match self.followed(PATHS, prover) {
                Proof::Open => {}
                done => last = done,
            }
        }
        last
    }

    /// What the solver's engine finds with some effort, with parameters and without.
    fn solved(&mut self, effort: u64, prover: &mut Prover) -> Proof {
        let mut last = Proof::Open;
        let parametrised = Parametrised::new(&self.task.ghosted);
        for manner in self.manners(parametrised.as_ref()) {
            if is_open(&last) {
                let searches = prover.searches(&self.task, manner, effort);
                last = self.awaited(searches, last, prover);
            }
        }
        last
    }

    /// With parameters, if there are any, and without.
    fn manners<'p>(&self, parametrised: Option<&'p Parametrised>) -> Vec<Option<&'p Parametrised>> {
        match parametrised {
            None => vec![None],
            Some(_) if self.numbers_first => vec![None, parametrised],
            Some(_) => vec![parametrised, None],
        }
    }

    /// Refines while there is something new and little of it, so that nobody has to be waited for where that is enough.
    fn refined(&mut self, stage: usize, prover: &mut Prover) -> Proof {
        let mut last = Proof::Open;
        for _ in 0..ROUNDS {
            let n_before = self.predicates.len();
            last = prover.refined(&self.task, &mut self.predicates, stage);
            let n_functions = self.task.program.functions.len();
            let most = (0..n_functions).map(|n| self.predicates.of(FunctionId::new(n)).len()).max();
            let is_done = self.predicates.len() == n_before || most > Some(FEW);
            if is_done || !is_open(&last) || prover.limits.stop.requested().is_some() {
                break;
            }
        }
        last
    }

    /// What searches find, one after the other.
    fn awaited(&mut self, searches: Vec<Search>, mut last: Proof, prover: &mut Prover) -> Proof {
        for mut search in searches {
            if !is_open(&last) {
                break;
            }
            let found = prover.found(&self.task, &mut search, &mut self.predicates);
            if !matches!(found, Proof::Open) {
                last = found;
            }
        }
        last
    }
}

/// The types of variables say whether it holds.
fn is_decided(program: &Program, id: FunctionId, atom: &Atom) -> bool {
    let (Atom::AtMost(sum, number) | Atom::Equal(sum, number)) = atom else { return false };
    let [(term, 1)] = &sum[..] else { return false };
    let Op::Read(place) = term.root() else { return false };
    let ty = program.variable(id, place).ty;
    match atom {
        Atom::AtMost(..) => !ty.contains(*number) || *number == ty.max(),
        _ => !ty.contains(*number),
    }
}

/// A formula is about a variable that the text does not have, other than the result.
fn is_hidden(ghosted: &Ghosted, id: FunctionId, formula: &Expr) -> bool {
    let function = ghosted.program.function(id);
    formula.reads().any(|place| match place {
        Place::Local(n) => function.result != Some(n) && function.locals[n as usize].name.starts_with('$'),
        Place::Global(_) => false,
    })
}

/// More may be found out.
fn is_open(proof: &Proof) -> bool {
    !matches!(proof, Proof::Claimed(_) | Proof::Refuted | Proof::Depends | Proof::Run(_))
}

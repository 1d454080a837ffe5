//! Whether a claim is a proof: one query for each rule.
//!
//! ```text
//! START   the claim at the entry of main holds for what globals hold at first.
//! ENTER   if the claim holds before a call, it holds at the entry of the callee, which begins with the arguments.
//! STEP    if the claim holds before a step that can be taken, it holds behind it.
//! RETURN  if it holds before a call, and at the exit of the callee for what that was started with, it holds behind the call.
//! TARGET  it does not hold at a target.
//! ```
//!
//! A claim that every run ends has rules of its own beside these: [`crate::decrease`].
//!
//! A claim that holds at every node of every run follows by induction on the steps of the run. Unknowns may have any value, like inputs. What the
//! solver does not know is refused: not because it is wrong, but because it is not confirmed.

use crate::claim::{Claim, Statement, asked, subject_with};
use crate::decrease;
use crate::encode::{Encoding, Meaning, Meant, now};
use crate::rules::Rules;
use integers::cells::{Choice, has_memory};
use integers::ghosts::Ghosted;
use integers::{
    Action, Edge, EdgeId, Expr, FunctionId, InputId, Names, NodeId, Op, Place, Program, Role, Start, Step,
};
use rustc_hash::FxHashSet;
use smt::{Answer, Model, Query, Solver, Why};
use std::fmt;

/// The rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// Where runs begin.
    Start,
    /// A call, up to the entry of the callee.
    Enter(EdgeId),
    /// A step.
    Step(EdgeId),
    /// A call, up to and including the return.
    Return(EdgeId),
    /// A target.
    Target,
    /// What a measure says of an edge of a function.
    Measure(EdgeId),
    /// What a measure says of a call inside calls.
    Nested(EdgeId),
}

/// Why a claim is no proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The rule does not keep it; an example, if there is one, of what variables hold before.
    Fails(Vec<(String, i128)>),
    /// Nobody knows whether the rule keeps it.
    NotConfirmed(Why),
    /// The edge is part of a cycle, and nothing decreases along it.
    Cycle,
    /// It is none about this program.
    Malformed(String),
}

/// Where and why a claim is no proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    /// The function.
    pub function: FunctionId,
    /// The node that the rule begins at.
    pub node: NodeId,
    /// The rule.
    pub rule: Rule,
    /// What is wrong.
    pub reason: Reason,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Malformed(how) => write!(f, "{how}"),
            Reason::Cycle => write!(f, "nothing decreases on a cycle"),
            Reason::NotConfirmed(why) => write!(f, "not confirmed: {why}"),
            Reason::Fails(example) if example.is_empty() => write!(f, "it does not hold"),
            Reason::Fails(example) => {
                let values: Vec<String> =
                    example.iter().map(|(name, value)| format!("{name} = {value}")).collect();
                write!(f, "it does not hold, for example with {}", values.join(", "))
            }
        }
    }
}

/// What a check took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Figures {
    /// Rules that were looked at.
    pub n_rules: usize,
    /// Different questions that the solver answered.
    pub n_queries: usize,
}

/// Checks a claim about a program. For [`Statement::Unreachable`] its targets are those that are not to be reached.
pub fn check(program: &Program, claim: &Claim, solver: &mut dyn Solver) -> Result<Figures, Refused> {
    let choice = Choice::natural(&asked(program, &claim.statement));
    check_with(program, &choice, claim, solver)
}

/// The same, where a claim is about other cells of memory than the natural ones.
pub fn check_with(
    program: &Program,
    choice: &Choice,
    claim: &Claim,
    solver: &mut dyn Solver,
) -> Result<Figures, Refused> {
    if let Statement::Endless(inputs) = &claim.statement {
        well_chosen(program, inputs)?;
        if has_memory(program) {
            // A run ends where memory is misused, and nobody looks for that.
            let how = "a claim that no run ends is none about a program with memory".to_owned();
            return Err(malformed(program.main, how));
        }
    }
    check_about(&subject_with(program, &claim.statement, choice), claim, solver)
}

/// Checks a claim about a program as it is, none of whose targets is to be reached.
pub fn check_about(subject: &Ghosted, claim: &Claim, solver: &mut dyn Solver) -> Result<Figures, Refused> {
    well_formed(&subject.program, claim)?;
    let mut checker = Checker {
        rules: Rules { subject, formulas: &claim.formulas },
        program: &subject.program,
        claim,
        solver,
        confirmed: FxHashSet::default(),
        n_rules: 0,
    };
    if let Statement::Terminating(measures) = &claim.statement {
        decrease::well_formed(&checker.rules, measures)?;
    }
    checker.start()?;
    for n in 0..subject.program.functions.len() {
        checker.function(FunctionId::new(n))?;
    }
    if let Statement::Terminating(measures) = &claim.statement {
        checker.decreases(measures)?;
    }
    Ok(Figures { n_rules: checker.n_rules, n_queries: checker.confirmed.len() })
}

/// What is fixed are inputs of the program, each once, and numbers of their types.
fn well_chosen(program: &Program, inputs: &[(InputId, i128)]) -> Result<(), Refused> {
    for (n, (id, number)) in inputs.iter().enumerate() {
        let how = match program.inputs.get(id.index()) {
            None => format!("the program has no input {}", id.0),
            Some(input) if !input.ty.contains(*number) => {
                format!("{number} is none of the numbers of input {}, of type {}", id.0, input.ty)
            }
            Some(_) if inputs[..n].iter().any(|(other, _)| other == id) => {
                format!("input {} is fixed twice", id.0)
            }
            Some(_) => continue,
        };
        return Err(malformed(program.main, how));
    }
    Ok(())
}

pub(crate) fn malformed(function: FunctionId, how: String) -> Refused {
    Refused { function, node: NodeId(0), rule: Rule::Start, reason: Reason::Malformed(how) }
}

/// There is a formula for each node, over variables of its function.
fn well_formed(program: &Program, claim: &Claim) -> Result<(), Refused> {
    if claim.formulas.len() != program.functions.len() {
        return Err(malformed(program.main, "it is about other functions".to_owned()));
    }
    for (n, (function, formulas)) in program.functions.iter().zip(&claim.formulas).enumerate() {
        if formulas.len() != function.nodes.len() {
            return Err(malformed(FunctionId::new(n), format!("`{}` has other points", function.name)));
        }
        let is_there = |op: &Op| match *op {
            Op::Read(Place::Global(n)) => (n as usize) < program.globals.len(),
            Op::Read(Place::Local(n)) => (n as usize) < function.locals.len(),
            Op::Input(_) | Op::Unknown(_) => false,
            _ => true,
        };
        if !formulas.iter().all(|formula| formula.is_formula() && formula.code().iter().all(is_there)) {
            let how =
                format!("there is something in `{}` that is no formula over its variables", function.name);
            return Err(malformed(FunctionId::new(n), how));
        }
    }
    Ok(())
}

pub(crate) struct Checker<'a> {
    pub(crate) rules: Rules<'a>,
    pub(crate) program: &'a Program,
    pub(crate) claim: &'a Claim,
    solver: &'a mut dyn Solver,
    /// The queries that cannot be satisfied.
    confirmed: FxHashSet<Query>,
    n_rules: usize,
}

impl Checker<'_> {
    /// START
    fn start(&mut self) -> Result<(), Refused> {
        let main = self.program.main;
        let entry = self.program.function(main).entry;
        let global = |n: u32| match self.program.globals[n as usize].start {
            Start::Number(number) => Meant::Number(number),
            Start::Pointer(..) => unreachable!("the program has variables only"),
            Start::Unknown(_) => now(Place::Global(n)),
        };
        let mut encoding = Encoding::default();
        encoding.fails(self.claim.at(main, entry), &|place| match self.rules.began(main, place) {
            Place::Global(n) => global(n),
            Place::Local(_) => Meant::Number(0),
        });
        self.ask(main, entry, Rule::Start, encoding)
    }

    /// All other rules of a function.
    fn function(&mut self, id: FunctionId) -> Result<(), Refused> {
        let function = self.program.function(id);
        for (n, edge) in function.edges.iter().enumerate() {
            // What is claimed never to be there does not go on.
            if self.claim.at(id, edge.from).as_truth() == Some(false) {
                self.n_rules += 1;
                continue;
            }
            let edge_id = EdgeId::new(n);
            match &edge.action {
                Action::Step(step) => self.step(id, edge_id, edge, step)?,
                Action::Call { callee, args, result } => {
                    self.enter(id, edge_id, edge, *callee, args)?;
                    self.comeback(id, edge_id, edge, (*callee, args, *result))?;
                }
                Action::Manage(_) => unreachable!("the program has variables only"),
            }
        }
        for (n, node) in function.nodes.iter().enumerate() {
            let (node, is_target) = (NodeId::new(n), matches!(node.role, Role::Target(_)));
            if is_target && self.claim.at(id, node).as_truth() != Some(false) {
                let mut encoding = Encoding::default();
                encoding.holds(self.claim.at(id, node), &now);
                self.ask(id, node, Rule::Target, encoding)?;
            }
        }
        Ok(())
    }

    /// STEP
    fn step(&mut self, id: FunctionId, edge_id: EdgeId, edge: &Edge, step: &Step) -> Result<(), Refused> {
        let behind = self.claim.at(id, edge.to);
        let mut encoding = Encoding::default();
        encoding.holds(self.claim.at(id, edge.from), &now);
        for (n, &input) in (0..).zip(&step.inputs) {
            let ty = self.program.input(input).ty;
            encoding.between(Meaning::Input(n), ty.min(), ty.max());
        }
        encoding.holds(&step.guard, &now);
        for (place, value) in &step.updates {
            let is_read = behind.reads().any(|other| other == *place);
            encoding.value(value, &now, is_read.then_some(Meaning::Then(*place)));
        }
        encoding.fails(behind, &|place| match step.updates.iter().any(|(other, _)| *other == place) {
            true => Meant::Variable(Meaning::Then(place)),
            false => now(place),
        });
        self.ask(id, edge.from, Rule::Step(edge_id), encoding)
    }

    /// ENTER
    fn enter(
        &mut self,
        id: FunctionId,
        edge_id: EdgeId,
        edge: &Edge,
        callee: FunctionId,
        args: &[Expr],
    ) -> Result<(), Refused> {
        let mut encoding = self.rules.before_call(id, edge, args);
        let entry = self.program.function(callee).entry;
        encoding.fails(self.claim.at(callee, entry), &|place| self.rules.passed(callee, place));
        self.ask(id, edge.from, Rule::Enter(edge_id), encoding)
    }

    /// RETURN
    fn comeback(
        &mut self,
        id: FunctionId,
        edge_id: EdgeId,
        edge: &Edge,
        (callee, args, result): (FunctionId, &[Expr], Option<Place>),
    ) -> Result<(), Refused> {
        let function = self.program.function(callee);
        let mut encoding = self.rules.before_call(id, edge, args);
        encoding.holds(self.claim.at(callee, function.exit), &|place| self.rules.left(callee, place));
        encoding.fails(self.claim.at(id, edge.to), &|place| self.rules.come_back(callee, result, place));
        self.ask(id, edge.from, Rule::Return(edge_id), encoding)
    }

    fn ask(&mut self, id: FunctionId, node: NodeId, rule: Rule, encoding: Encoding) -> Result<(), Refused> {
        self.confirm((id, node, rule), encoding.query, &encoding.meanings)
    }

    /// The query cannot be satisfied, or the claim is refused. What its variables mean is told in an example.
    pub(crate) fn confirm(
        &mut self,
        (id, node, rule): (FunctionId, NodeId, Rule),
        query: Query,
        meanings: &[Meaning],
    ) -> Result<(), Refused> {
        self.n_rules += 1;
        if self.confirmed.contains(&query) {
            return Ok(());
        }
        let refused = |reason| Err(Refused { function: id, node, rule, reason });
        match self.solver.check(&query, &[Vec::new()]).pop() {
            Some(Answer::Unsat) => {
                self.confirmed.insert(query);
                Ok(())
            }
            Some(Answer::Sat) => refused(Reason::Fails(self.example(id, &query, meanings))),
            Some(Answer::Unknown(why)) => refused(Reason::NotConfirmed(why)),
            None => refused(Reason::NotConfirmed(Why::Failed("it gives no answer".to_owned()))),
        }
    }

    /// What variables hold before, where the rule does not keep the claim.
    fn example(&mut self, id: FunctionId, query: &Query, meanings: &[Meaning]) -> Vec<(String, i128)> {
        let names = Names::new(self.program, id);
        let told = meanings.iter().zip(&query.variables).filter_map(|(meaning, variable)| match meaning {
            Meaning::Now(place) => Some((names.name(*place).to_owned(), variable.clone())),
            _ => None,
        });
        let (names, variables): (Vec<String>, Vec<String>) = told.unzip();
        match self.solver.model(query, &variables) {
            Model::Sat(numbers) => names.into_iter().zip(numbers).collect(),
            Model::Unsat | Model::Unknown(_) => Vec::new(),
        }
    }
}

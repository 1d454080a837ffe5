//! Proofs that answers rest on: the claim, which program it is about, and how it is written down.

use super::{Arithmetic, IntegerGoal, IntegerProgram};
use crate::outcome::Unknown;
use crate::problem::Problem;
use crate::target::Target;
use base::Sources;
use integers::Program;
use integers::cells::Choice;
use integers::ghosts::Ghosted;
use proof::{Claim, Header, Statement, Types, subject};

/// What is known of a proof.
#[derive(Clone, Debug, Default)]
pub struct Proved {
    /// The proof, if the answer rests on one: a claim that has been checked.
    pub claim: Option<Claim>,
    /// The integers that it is about. If they are [`Arithmetic::Checked`] although something else was asked, overflows are among its targets.
    pub arithmetic: Arithmetic,
    /// If it shows beside the answer that no result overflows: the part that is about mathematical integers, which is the one to read.
    pub part: Option<Claim>,
    /// Why there is no proof, if one was looked for.
    pub unproved: Option<Unknown>,
}

impl Proved {
    /// The claim that tells a person most, in the words of the program, and what it is about. If no result leaves its type, types are not told.
    pub fn readable(&self, problem: &Problem<IntegerProgram>) -> Option<(Claim, Ghosted)> {
        let part = self.part.as_ref().map(|claim| (claim, Arithmetic::Mathematical));
        let (claim, arithmetic) = part.or(self.claim.as_ref().map(|claim| (claim, self.arithmetic)))?;
        let subject = subject(&claimed(problem, claim, arithmetic), &claim.statement);
        let types = match self.arithmetic {
            Arithmetic::Machine | Arithmetic::Mathematical => Types::Told,
            Arithmetic::Checked | Arithmetic::Wrapping => Types::Granted,
        };
        Some((claim.plain(&subject, types), subject))
    }

    /// The text of the claim.
    pub fn certificate(&self, problem: &Problem<IntegerProgram>, sources: &Sources) -> Option<String> {
        let claim = self.claim.as_ref()?;
        let program = claimed(problem, claim, self.arithmetic);
        let integers = match self.arithmetic {
            Arithmetic::Machine | Arithmetic::Mathematical => "math",
            Arithmetic::Checked => "checked",
            Arithmetic::Wrapping => "wrap",
        };
        let asked = proof::asked(&program, &claim.statement);
        let header = Header {
            integers: integers.to_owned(),
            cells: proof::told(&asked, &Choice::natural(&asked), sources),
            targets: targets(problem, self.arithmetic).into_iter().map(|target| target.name).collect(),
            statement: claim.statement.clone(),
        };
        Some(proof::write(&header, claim, &subject(&program, &claim.statement), sources))
    }
}

/// The program that a claim about these integers tells of, before it is composed.
fn claimed(problem: &Problem<IntegerProgram>, claim: &Claim, arithmetic: Arithmetic) -> Program {
    let executed = arithmetic.program(problem.program);
    let mut program = executed.clone();
    if claim.statement == Statement::Unreachable {
        let targets = targets(problem, arithmetic);
        program.select_targets(|id, _| targets.iter().any(|target| target.includes(&executed, id)));
    }
    program
}

/// What a claim says is not reached. One that shows more than was asked, since overflows decide whether the answer is right, says that no result overflows.
fn targets(problem: &Problem<IntegerProgram>, arithmetic: Arithmetic) -> Vec<Target<IntegerGoal>> {
    let is_more = arithmetic == Arithmetic::Checked && problem.program.arithmetic != Arithmetic::Checked;
    problem.targets.iter().cloned().chain(is_more.then(Target::overflow)).collect()
}

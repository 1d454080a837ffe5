//! A concurrent problem as a sequential program that asks the same.

use super::{Asker, Engine, Failure, Limits, Symbolic};
use crate::formula::Formula;
use crate::outcome::{Finding, Missing, Outcome, Unknown};
use crate::problem::{Bound, Problem, Question, Wanted};
use crate::target;
use base::Sources;
use rsm::Concurrent;
use sequentialize::{Scheme, sequentialize};

/// More memory than this is not spent on a comparison.
const CHEAP: u64 = 128 << 20;

/// Makes a sequential program of a concurrent one, and checks that. What it knows is about all targets together.
#[derive(Clone, Copy, Debug)]
pub struct Sequentialized {
    /// How the program is made.
    pub scheme: Scheme,
    /// How it is called.
    pub name: &'static str,
}

impl Sequentialized {
    /// Both schemes.
    pub const ALL: [Self; 2] = [
        Self { scheme: Scheme::Eager, name: "eager sequential program" },
        Self { scheme: Scheme::Lazy, name: "lazy sequential program" },
    ];
}

impl Engine for Sequentialized {
    fn name(&self) -> &str {
        self.name
    }

    fn answer(&self, problem: &Problem, limits: &Limits, _: &mut Asker) -> Result<Outcome, Failure> {
        let all = |finding: Finding| {
            let findings = vec![finding.clone(); problem.targets.len()];
            Ok(Outcome::new(finding, findings))
        };
        let because = |reason: String| Finding::unknown(Unknown::Because(reason));
        let bound = match problem.bound {
            Some(Bound::Switches(number)) => sequentialize::Bound::Switches(number),
            Some(Bound::Rounds(number)) => sequentialize::Bound::Rounds(number),
            Some(Bound::Every) => {
                let unknown = Finding::unknown(Unknown::because("a sequential program asks within a bound"));
                return Ok(Outcome::new(unknown.clone(), vec![unknown; problem.targets.len()]));
            }
            None => return all(because("the program is sequential already".to_owned())),
        };
        let text = match sequentialize(problem.program, &problem.goals(), bound, self.scheme) {
            Ok(text) => text,
            Err(error) => return all(because(error.to_string())),
        };
        let mut sources = Sources::default();
        let (checked, _) = bp::load(&mut sources, "<sequential>", text).expect("the program is correct");
        let machine = bp::lower(&checked).expect("the program is sequential");
        let targets = [target::find_target(&machine, "ERROR").expect("the program has the label")];
        let program = Concurrent::sequential(machine);
        let memory = Some(limits.memory.map_or(CHEAP, |memory| memory.min(CHEAP)));
        let limits = Limits { memory, gauge: Default::default(), ..limits.clone() };
        let (question, wanted) = (Question::Reach, Wanted::default());
        let asked = Problem {
            program: &program,
            question,
            targets: &targets,
            bound: None,
            watch: Default::default(),
            wanted,
        };
        let mut silent = |_: &Outcome, _: Option<Missing>| {};
        let mut asker = Asker { sources: &mut sources, known: &mut silent };
        let found = Symbolic::new(Formula::default()).answer(&asked, &limits, &mut asker)?.finding;
        all(match found.verdict.is_unknown() {
            true => because("it is too large for a comparison".to_owned()),
            false => found,
        })
    }
}

//! The question within a bound, put to the sequential programs that ask the same.

use super::super::ask::Verdict;
use super::ask::{Finding, Question};
use crate::formula::{self, Formula};
use base::Sources;
use checker::Bound;
use sequentialize::{Scheme, sequentialize};

/// More memory than this is not spent on a comparison.
const CHEAP: u64 = 128 << 20;

/// The schemes and their names.
const SCHEMES: [(&str, Scheme); 2] = [("eager", Scheme::Eager), ("lazy", Scheme::Lazy)];

impl Question<'_> {
    /// How the answer of a sequential program differs from this one, if it does.
    pub fn compare_sequential(&self, found: &Finding) -> Option<String> {
        if matches!(found.verdict, Verdict::Unknown(_)) {
            return None;
        }
        for (name, scheme) in SCHEMES {
            match self.ask_sequential(scheme) {
                Ok(verdict) if verdict == found.verdict => {}
                Ok(verdict) => {
                    let (word, other) = (found.verdict.word(), verdict.word());
                    return Some(format!(
                        "the formula says {word}, the {name} sequential program says {other}"
                    ));
                }
                Err(reason) => {
                    self.job
                        .console
                        .note(&format!("not compared with the {name} sequential program: {reason}"));
                }
            }
        }
        None
    }

    /// Checks the sequential program of a scheme, within the memory for comparisons.
    fn ask_sequential(&self, scheme: Scheme) -> Result<Verdict, String> {
        let bound = match self.bound {
            Bound::Switches(number) => sequentialize::Bound::Switches(number),
            Bound::Rounds(number) => sequentialize::Bound::Rounds(number),
        };
        let text =
            sequentialize(self.program, &self.goals(), bound, scheme).map_err(|error| error.to_string())?;
        let mut sources = Sources::default();
        let (checked, _) = bp::load(&mut sources, "<sequential>", text).expect("the program is correct");
        let machine = bp::lower(&checked).expect("the program is sequential");
        let target = checker::find_target(&machine, "ERROR").expect("the program has the label");
        let memory = Some(self.job.options.memory.map_or(CHEAP, |memory| memory.min(CHEAP)));
        let options = checker::Options { memory, ..formula::options(self.job) };
        let report = Formula::default().with_file(&[], |file| {
            checker::check(&machine, std::slice::from_ref(&target), file, &options, &mut sources)
        });
        let too_much = || "it is too large for a comparison".to_owned();
        match report.map_err(|_| too_much())?.verdict {
            checker::Verdict::Reachable => Ok(Verdict::Reachable),
            checker::Verdict::Unreachable => Ok(Verdict::Unreachable),
            checker::Verdict::Unknown(_) => Err(too_much()),
        }
    }
}

//! Answers about integer programs, in the form of all other answers: the verdict, which integers it is about, each target, the run.

mod margin;
mod object;
mod teller;
mod text;

pub use teller::Teller;

use crate::answer::{Conclusion, TraceStyle, missing_line};
use crate::reason::LimitsSet;
use base::Sources;
use checker::{
    About, Arithmetic, Finding, IntegerOutcome, IntegerProblem, IntegerTarget, Missing, Question, Verdict,
};
use integers::{EdgeId, FunctionId, Undefined};
use serde_json::{Value, json};

/// Puts outcomes about integer programs into words.
#[derive(Clone, Copy)]
pub struct IntegerAnswer<'a> {
    /// What was asked.
    pub problem: &'a IntegerProblem<'a>,
    /// What came out.
    pub outcome: &'a IntegerOutcome,
    /// The limits that were set.
    pub limits: LimitsSet,
}

impl IntegerAnswer<'_> {
    /// The conclusion, with the run in this style; places refer to the sources.
    pub fn conclusion(&self, sources: &Sources, style: TraceStyle) -> Conclusion {
        let teller = Teller { program: self.problem.program, sources };
        let (text, trace) = match (&self.outcome.account, style) {
            (None, _) | (_, TraceStyle::None) => (String::new(), json!(null)),
            (Some(account), TraceStyle::Margin) => (teller.margin(account), json!(null)),
            (Some(account), TraceStyle::Object) => (String::new(), teller.object(account)),
            (Some(account), TraceStyle::Text) => (teller.text(account), json!(null)),
        };
        let unfinished: Vec<(Missing, String)> =
            self.outcome.unfinished.iter().map(|(what, why)| (*what, self.limits.reason(why))).collect();
        let missing: String = unfinished.iter().map(|(what, why)| missing_line(*what, why)).collect();
        let finding = &self.outcome.finding;
        let (headline, details) = (self.headline(), self.details());
        let about = self.about(&teller).map_or_else(String::new, |line| line + "\n");
        Conclusion {
            text: format!("{headline}\n{details}{about}{text}{missing}"),
            verdict: self.outcome.words.of(&finding.verdict),
            reason: self.reason(finding),
            targets: self.pairs().map(|pair| self.entry(pair)).collect(),
            trace,
            about: None,
            within: None,
            integers: Some(self.integers(&teller)),
            engine: None,
            finite_runs: None,
            derivation: Vec::new(),
            unfinished,
        }
    }

    fn pairs(&self) -> impl Iterator<Item = (&IntegerTarget, &Finding)> {
        self.problem.targets.iter().zip(&self.outcome.findings)
    }

    fn reason(&self, finding: &Finding) -> Option<String> {
        match &finding.verdict {
            Verdict::Unknown(reason) => Some(self.limits.reason(reason)),
            _ => None,
        }
    }

    /// The first line.
    fn headline(&self) -> String {
        let verdict = &self.outcome.finding.verdict;
        let word = self.outcome.words.of(verdict).to_uppercase();
        match (verdict, self.outcome.about) {
            (Verdict::Unknown(_), _) => {
                format!("UNKNOWN: {}", self.reason(&self.outcome.finding).unwrap_or_default())
            }
            (_, About::Mathematics(..)) => format!("{word} over the integers only"),
            (_, About::Wrapping) => format!("{word} with integers that wrap"),
            (_, About::Both | About::Nothing | About::Assumed) => word,
        }
    }

    /// What is known of each target.
    fn details(&self) -> String {
        let line = |(target, finding): (&IntegerTarget, &Finding)| {
            format!("{}: {}\n", target.name, self.outcome.words.of(&finding.verdict))
        };
        match (self.problem.targets, &self.outcome.findings[..]) {
            ([target], [Finding { verdict: Verdict::No, .. }]) => match target.name.as_str() {
                "assert" => "no assertion can fail\n".to_owned(),
                "overflow" => "no result overflows\n".to_owned(),
                name => format!("no run reaches {name}\n"),
            },
            ([_], _) => String::new(),
            _ => self.pairs().map(line).collect(),
        }
    }

    /// Which integers the verdict is about.
    fn about(&self, teller: &Teller) -> Option<String> {
        let is_run = self.outcome.finding.is_yes();
        Some(match (self.outcome.about, self.problem.arithmetic) {
            (About::Nothing, _) => return None,
            (About::Both, Arithmetic::Checked) if is_run => {
                "with the integers of C: an overflow ends a run".to_owned()
            }
            (About::Both, _) if is_run => "with the integers of C: no result overflows on the way".to_owned(),
            (About::Both, _) if self.problem.question == Question::Reach && self.is_trivial() => {
                "there is no such place in the program".to_owned()
            }
            (About::Both, _) => "with the integers of C: no result overflows in any run".to_owned(),
            (About::Assumed, _) => {
                "with mathematical integers; whether a result overflows in C is not known".to_owned()
            }
            (About::Wrapping, _) => "every result keeps the low bits that its type has".to_owned(),
            (About::Mathematics(why, function, edge), _) => {
                let statement = teller.statement_of(function, edge);
                format!("in C the run is undefined at line {}, `{}`: {why}", statement.line, statement.text)
            }
        })
    }

    /// There is nothing that could be reached.
    fn is_trivial(&self) -> bool {
        self.outcome.figures.n_runs == 0
    }

    /// The same for JSON.
    fn integers(&self, teller: &Teller) -> Value {
        let place = |why: Undefined, function: FunctionId, edge: EdgeId| {
            let statement = teller.statement_of(function, edge);
            json!({
                "function": self.problem.program.function(function).name,
                "line": statement.line,
                "column": statement.column,
                "statement": statement.text,
                "reason": why.to_string(),
            })
        };
        match self.outcome.about {
            About::Nothing => json!(null),
            About::Both => json!({ "about": "both", "undefined": null }),
            About::Assumed => json!({ "about": "assumed", "undefined": null }),
            About::Wrapping => json!({ "about": "wrapping", "undefined": null }),
            About::Mathematics(why, function, edge) => {
                json!({ "about": "mathematical", "undefined": place(why, function, edge) })
            }
        }
    }

    fn entry(&self, (target, finding): (&IntegerTarget, &Finding)) -> Value {
        let (verdict, reason) = (self.outcome.words.of(&finding.verdict), self.reason(finding));
        json!({ "target": target.name, "verdict": verdict, "reason": reason })
    }
}

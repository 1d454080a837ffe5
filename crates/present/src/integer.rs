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
use proof::Invariant;
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
    /// What the answer rests on, if it rests on a proof.
    pub proof: Option<&'a Outlined>,
}

/// A proof, as far as people want to read it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outlined {
    /// What the environment chooses each time: the name of the input, its line, the number.
    pub inputs: Vec<(String, usize, i128)>,
    /// What holds where.
    pub invariants: Vec<Invariant>,
}

impl Outlined {
    /// A line for each.
    fn text(&self) -> String {
        let mut out = String::new();
        for (name, line, number) in self.inputs.iter().take(MOST_LINES) {
            out += &format!("{name} (line {line}) is {number} each time\n");
        }
        if !self.invariants.is_empty() {
            out += "proved by what holds at loops and at the ends of functions:\n";
        }
        let width = self.invariants.iter().map(|at| at.line.to_string().len()).max().unwrap_or(0);
        for at in self.invariants.iter().take(MOST_LINES) {
            let end = if at.at_exit { " at its end" } else { "" };
            let formula = match at.formula.char_indices().nth(LONGEST_LINE) {
                Some((cut, _)) => format!("{} …", &at.formula[..cut]),
                None => at.formula.clone(),
            };
            out += &format!("  line {:width$}  {}{end}: {formula}\n", at.line, at.function);
        }
        let n_more = self.invariants.len().saturating_sub(MOST_LINES);
        if n_more > 0 {
            out += &format!("  and {n_more} more, which `--certificate FILE` writes\n");
        }
        out
    }

    /// The same for JSON.
    fn object(&self) -> Value {
        let input = |(name, line, number): &(String, usize, i128)| json!({ "name": name, "line": line, "number": number.to_string() });
        let invariant = |at: &Invariant| json!({ "function": at.function, "line": at.line, "at_exit": at.at_exit, "formula": at.formula });
        json!({
            "inputs": self.inputs.iter().map(input).collect::<Vec<Value>>(),
            "invariants": self.invariants.iter().map(invariant).collect::<Vec<Value>>(),
        })
    }
}

/// More lines of a proof are only counted.
const MOST_LINES: usize = 10;

/// Longer formulas are cut.
const LONGEST_LINE: usize = 120;

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
        let proof = match style {
            TraceStyle::None => String::new(),
            _ => self.proof.map(Outlined::text).unwrap_or_default(),
        };
        Conclusion {
            text: format!("{headline}\n{details}{about}{proof}{text}{missing}"),
            proof: self.proof.map(Outlined::object),
            verdict: self.outcome.words.of(&finding.verdict),
            reason: self.reason(finding),
            targets: self.pairs().map(|pair| self.entry(pair)).collect(),
            trace,
            about: None,
            within: None,
            integers: Some(self.integers(&teller)),
            engine: None,
            finite_runs: None,
            further: Vec::new(),
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

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
    About, Arithmetic, Finding, IntegerOutcome, IntegerProblem, IntegerTarget, Missing, Question, Unknown,
    Verdict,
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
            let start = format!("  line {:width$}  {}{end}: ", at.line, at.function);
            out += &folded(&start, &at.formula);
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

/// What is known of a target that is not reached.
fn sentence(target: &str) -> String {
    match target {
        "assert" => "no assertion can fail".to_owned(),
        "overflow" => "no result overflows".to_owned(),
        name => format!("no run reaches {name}"),
    }
}

/// More lines of a proof are only counted.
const MOST_LINES: usize = 10;

/// Longer lines are folded.
const LONGEST_LINE: usize = 120;

/// A formula behind the start of its line. What does not fit goes on below, at a conjunct.
fn folded(start: &str, formula: &str) -> String {
    const JOINT: &str = " && ";
    let (mut out, mut width) = (start.to_owned(), start.chars().count());
    for (n, part) in formula.split_inclusive(JOINT).enumerate() {
        let length = part.trim_end().chars().count();
        if n > 0 && width + length > LONGEST_LINE {
            out.truncate(out.trim_end().len());
            out += "\n      ";
            width = 6;
        }
        out += part;
        width += part.chars().count();
    }
    out + "\n"
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
            Verdict::Unknown(reason) => Some(self.limits.reason_in(reason, self.outcome.words)),
            _ => None,
        }
    }

    /// The first line.
    fn headline(&self) -> String {
        let verdict = &self.outcome.finding.verdict;
        let word = self.outcome.words.of(verdict).to_uppercase();
        match (verdict, self.outcome.about) {
            (Verdict::Unknown(Unknown::UnlessOverflow(_)), _) => {
                format!("{} unless a result overflows", self.outcome.words.of(&Verdict::No).to_uppercase())
            }
            (Verdict::Unknown(_), _) => {
                format!("UNKNOWN: {}", self.reason(&self.outcome.finding).unwrap_or_default())
            }
            (_, About::Mathematics(..)) => format!("{word} over the integers only"),
            (_, About::Wrapping) => format!("{word} with integers that wrap"),
            (_, About::Both | About::Either | About::Nothing | About::Assumed) => word,
        }
    }

    /// What is known of each target.
    fn details(&self) -> String {
        let line = |(target, finding): (&IntegerTarget, &Finding)| {
            let word = match &finding.verdict {
                Verdict::Unknown(Unknown::UnlessOverflow(_)) => "unreachable unless a result overflows",
                verdict => self.outcome.words.of(verdict),
            };
            format!("{}: {word}\n", target.name)
        };
        match (self.problem.targets, &self.outcome.findings[..]) {
            ([target], [Finding { verdict: Verdict::No, .. }]) => sentence(&target.name) + "\n",
            ([target], [Finding { verdict: Verdict::Unknown(Unknown::UnlessOverflow(_)), .. }]) => {
                format!("with mathematical integers {}\n", sentence(&target.name))
            }
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
            (About::Either, _) => {
                let may = self.overflow(teller).unwrap_or_else(|| "a result may overflow".to_owned());
                format!("with the integers of C: {may}, and the same holds with results that wrap")
            }
            (About::Assumed, Arithmetic::Machine) if !is_run => self.doubt(teller),
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

    /// The result that is known to overflow.
    fn overflow(&self, teller: &Teller) -> Option<String> {
        let (_, function, edge) = self.outcome.overflow?;
        let statement = teller.statement_of(function, edge);
        Some(format!("a result overflows in some run at line {}, `{}`", statement.line, statement.text))
    }

    /// Why what holds for mathematical integers may not hold in C.
    fn doubt(&self, teller: &Teller) -> String {
        let why = match (self.overflow(teller), &self.outcome.finding.verdict) {
            (Some(overflow), _) => format!("in C {overflow}; `--int checked` shows it"),
            (None, Verdict::Unknown(Unknown::UnlessOverflow(why))) => {
                format!("whether a result overflows in C is not known: {}", self.limits.reason(why))
            }
            (None, _) => "whether a result overflows in C is not known".to_owned(),
        };
        format!("{why}\n`--int math` asks about mathematical integers only")
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
        let known = || self.outcome.overflow.map(|(why, function, edge)| place(why, function, edge));
        match self.outcome.about {
            About::Nothing => json!(null),
            About::Both => json!({ "about": "both", "undefined": null }),
            About::Either => json!({ "about": "either", "undefined": known() }),
            About::Assumed => json!({ "about": "assumed", "undefined": known() }),
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

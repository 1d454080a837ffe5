//! Answers about integer programs, in the form of all other answers: the verdict, which integers it is about, each target, the run.

mod margin;
mod memory;
mod object;
mod objects;
mod teller;
mod text;

pub use teller::Teller;

use crate::answer::{Answer, Conclusion, Told, TraceStyle};
use crate::reason::unless;
use base::Sources;
use checker::{
    About, Arithmetic, Finding, IntegerGoal, IntegerProgram, Misuses, Question, Target, Unknown, Verdict,
};
use integers::{EdgeId, Fault, FunctionId, InputId, Misuse, Undefined};
use proof::{Invariant, Statement};
use serde_json::{Value, json};

/// A proof, as far as people want to read it.
struct Outlined {
    /// What the environment chooses each time: the name of the input, its line, the number.
    inputs: Vec<(String, usize, i128)>,
    /// What holds where.
    invariants: Vec<Invariant>,
}

impl Outlined {
    /// What a person reads of the claim that an answer rests on.
    fn new(answer: &Answer<IntegerProgram>, sources: &Sources) -> Option<Self> {
        let (claim, subject) = answer.outcome.integers.proof.readable(answer.problem)?;
        let invariants = proof::outline(&claim, &subject, sources);
        let fixed = match &claim.statement {
            Statement::Endless(inputs) => &inputs[..],
            Statement::Unreachable | Statement::Terminating(_) => &[],
        };
        let input = |(id, number): &(InputId, i128)| {
            let input = answer.problem.program.input(*id);
            (input.name.clone(), sources.line_column(input.span).0, *number)
        };
        Some(Self { inputs: fixed.iter().map(input).collect(), invariants })
    }

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

/// Who tells of an answer.
fn teller<'a>(answer: &'a Answer<IntegerProgram>, sources: &'a Sources) -> Teller<'a> {
    let objects = answer.outcome.integers.account.as_ref().map(|account| &account.last.objects);
    Teller { program: answer.problem.program, sources, objects }
}

/// What is known of a target that is not reached.
fn sentence(target: &str) -> String {
    match target {
        "assert" => "no assertion can fail".to_owned(),
        "overflow" => "no result overflows".to_owned(),
        "memory" => "no run misuses memory".to_owned(),
        "undefined" => "no run does anything undefined".to_owned(),
        "valid-memsafety" => "no run misuses memory or loses it".to_owned(),
        "valid-memcleanup" => "every run frees what it allocates".to_owned(),
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

impl Told for IntegerProgram {
    fn run(answer: &Answer<Self>, sources: &Sources, style: TraceStyle) -> (String, Value) {
        let teller = teller(answer, sources);
        match (&answer.outcome.integers.account, style) {
            (None, _) | (_, TraceStyle::None) => (String::new(), json!(null)),
            (Some(account), TraceStyle::Margin) => (teller.margin(account), json!(null)),
            (Some(account), TraceStyle::Object) => (String::new(), teller.object(account)),
            (Some(account), TraceStyle::Text) => (teller.text(account), json!(null)),
        }
    }

    fn scope(answer: &Answer<Self>) -> String {
        match answer.outcome.integers.about {
            About::Mathematics(..) => " over the integers only".to_owned(),
            About::Wrapping => " with integers that wrap".to_owned(),
            About::Both | About::Either | About::Nothing | About::Assumed | About::Defined => String::new(),
        }
    }

    fn details(answer: &Answer<Self>) -> String {
        let line = |(target, finding): (&Target<IntegerGoal>, &Finding)| {
            let word = match &finding.verdict {
                Verdict::Unknown(unknown) => match unless(unknown) {
                    Some(unless) => format!("unreachable {unless}"),
                    None => "unknown".to_owned(),
                },
                verdict => answer.outcome.asked.words.of(verdict).to_owned(),
            };
            format!("{}: {word}\n", target.name)
        };
        match (answer.problem.targets, &answer.outcome.findings[..]) {
            ([target], [Finding { verdict: Verdict::No, .. }]) => sentence(&target.name) + "\n",
            ([target], [Finding { verdict: Verdict::Unknown(Unknown::UnlessOverflow(_)), .. }]) => {
                format!("with mathematical integers {}\n", sentence(&target.name))
            }
            ([target], [Finding { verdict: Verdict::Unknown(Unknown::UnlessMisused(inner)), .. }]) => {
                let integers = match **inner {
                    Unknown::UnlessOverflow(_) => "with mathematical integers, and ",
                    _ => "",
                };
                format!("{integers}as long as memory is not misused, {}\n", sentence(&target.name))
            }
            ([_], _) => String::new(),
            _ => answer.pairs().map(line).collect(),
        }
    }

    fn remarks(answer: &Answer<Self>, sources: &Sources, style: TraceStyle) -> String {
        let teller = teller(answer, sources);
        let lines = [answer.fault(&teller), answer.about(&teller), answer.misuse(&teller)];
        let about: String = lines.into_iter().flatten().map(|line| line + "\n").collect();
        match style {
            TraceStyle::None => about,
            _ => about + &Outlined::new(answer, sources).map_or_else(String::new, |proof| proof.text()),
        }
    }

    fn complete(answer: &Answer<Self>, sources: &Sources, _: TraceStyle, conclusion: &mut Conclusion) {
        let teller = teller(answer, sources);
        conclusion.integers = Some(answer.integers(&teller));
        conclusion.proof = Outlined::new(answer, sources).map(|proof| proof.object());
    }
}

impl Answer<'_, IntegerProgram> {
    /// Which integers the verdict is about.
    fn about(&self, teller: &Teller) -> Option<String> {
        let is_run = self.outcome.finding.is_yes();
        Some(match (self.outcome.integers.about, self.problem.program.arithmetic) {
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
            (About::Defined, _) => {
                "if nothing undefined happens, as `--assume defined` says: no result overflows, memory is not misused, \
                 nothing is divided by zero or shifted out of range"
                    .to_owned()
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
        let (_, function, edge) = self.outcome.integers.overflow?;
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
            (None, Verdict::Unknown(Unknown::UnlessMisused(both))) => match &**both {
                Unknown::UnlessOverflow(why) => {
                    format!("whether a result overflows in C is not known: {}", self.limits.reason(why))
                }
                _ => "whether a result overflows in C is not known".to_owned(),
            },
            (None, _) => "whether a result overflows in C is not known".to_owned(),
        };
        format!("{why}\n`--int math` asks about mathematical integers only")
    }

    /// What goes wrong in the run that is shown.
    fn fault(&self, teller: &Teller) -> Option<String> {
        let fault = self.outcome.integers.fault?;
        let (function, edge) = fault.edge();
        let statement = teller.statement_of(function, edge);
        let property = match fault {
            Fault::Undefined(Undefined::Memory(Misuse::DoubleFree | Misuse::BadFree), ..) => "valid-free: ",
            Fault::Undefined(Undefined::Memory(_), ..) => "valid-deref: ",
            Fault::Undefined(..) => "",
            Fault::Lost(..) => "valid-memtrack: ",
            Fault::Unfreed(..) => "valid-memcleanup: ",
        };
        Some(format!("{property}line {}, `{}`: {fault}", statement.line, statement.text))
    }

    /// Whether memory is misused, where the answer depends on it.
    fn misuse(&self, teller: &Teller) -> Option<String> {
        let Verdict::Unknown(Unknown::UnlessMisused(why)) = &self.outcome.finding.verdict else {
            return None;
        };
        let known = match (self.outcome.integers.misuses, &**why) {
            (Misuses::Known(fault), _) => {
                let (function, edge) = fault.edge();
                let statement = teller.statement_of(function, edge);
                let (line, text) = (statement.line, statement.text);
                format!(
                    "memory is misused in some run at line {line}, `{text}`: {fault}; `--target memory` shows it"
                )
            }
            (_, Unknown::UnlessOverflow(_)) => "whether memory is misused is not known".to_owned(),
            (_, why) => format!("whether memory is misused is not known: {}", self.limits.reason(why)),
        };
        Some(format!("{known}\n`--assume defined` asks about runs in which nothing undefined happens"))
    }

    /// There is nothing that could be reached.
    fn is_trivial(&self) -> bool {
        self.outcome.figures.executed.n_runs == 0
    }

    /// The same for JSON.
    fn integers(&self, teller: &Teller) -> Value {
        let place = |why: String, function: FunctionId, edge: EdgeId| {
            let statement = teller.statement_of(function, edge);
            json!({
                "function": self.problem.program.function(function).name,
                "line": statement.line,
                "column": statement.column,
                "statement": statement.text,
                "reason": why,
            })
        };
        let known = || {
            self.outcome.integers.overflow.map(|(why, function, edge)| place(why.to_string(), function, edge))
        };
        let (about, undefined) = match self.outcome.integers.about {
            About::Nothing => return json!(null),
            About::Both => ("both", None),
            About::Either => ("either", known()),
            About::Assumed => ("assumed", known()),
            About::Defined => ("defined", known()),
            About::Wrapping => ("wrapping", None),
            About::Mathematics(why, function, edge) => {
                ("mathematical", Some(place(why.to_string(), function, edge)))
            }
        };
        let faulty = |fault: Fault| {
            let (function, edge) = fault.edge();
            place(fault.to_string(), function, edge)
        };
        let misused = match self.outcome.integers.misuses {
            Misuses::Known(fault) => Some(faulty(fault)),
            Misuses::Open | Misuses::None => None,
        };
        let fault = self.outcome.integers.fault.map(faulty);
        json!({ "about": about, "undefined": undefined, "misused": misused, "fault": fault })
    }
}

//! The answer to a problem in words and as JSON.
//!
//! The first line is the verdict of all targets together: `REACHABLE`, `UNREACHABLE` or `UNKNOWN: reason`, in threads with what it holds
//! within, or the words of another question; with several targets a line for each follows, then the trace, then what is missing.

use crate::reason::{LimitsSet, unless};
use crate::trace::{Passed, Story, Watch, thread_name};
use crate::units::amount;
use base::Sources;
use bp::monitor::Monitor;
use bp::product::Product;
use checker::{
    Bound, EveryBound, Finding, FiniteRuns, Missing, Outcome, Problem, Question, Schedule, Subject, Target,
    Unknown, Verdict, Words,
};
use rsm::interleave::{Scheduler, ThreadId};
use rsm::trace::Trace;
use rsm::{Concurrent, interleave};
use serde_json::{Value, json};

/// An answer is not about a number of threads that somebody chose.
const OF_ANY_NUMBER: &str = " of any number of threads";

/// The answer of a command about a program.
#[derive(Clone, Debug)]
pub struct Conclusion {
    /// For the text form: all lines.
    pub text: String,
    /// `reachable`, `unreachable`, `infinite run`, `no infinite run`, `violated`, `holds`, `deadlock`, `no deadlock`, `the query is true`, `the query is false`, `unknown`,
    /// `accepted` or `refused`.
    pub verdict: &'static str,
    /// Why it is unknown or refused.
    pub reason: Option<String>,
    /// An entry for each target.
    pub targets: Vec<Value>,
    /// The trace, or null.
    pub trace: Value,
    /// Of an answer about several runs: the traces of the others.
    pub further: Vec<Value>,
    /// What the runs do that are looked for, if the formula says so.
    pub about: Option<String>,
    /// Within what the answer holds: of concurrent programs, and of formulas that count.
    pub within: Option<Within>,
    /// Of programs over integers: which integers the verdict is about.
    pub integers: Option<Value>,
    /// The same: the proof that the answer rests on.
    pub proof: Option<Value>,
    /// If the answer rests on no run: its derivation.
    pub derivation: Vec<String>,
    /// What is missing, and why.
    pub unfinished: Vec<(Missing, String)>,
    /// Who gave the answer.
    pub engine: Option<String>,
    /// Where that matters: whether some runs are finite.
    pub finite_runs: Option<Value>,
}

impl Conclusion {
    /// A verdict and what is said about it, and nothing else.
    pub fn bare(verdict: &'static str, text: String, reason: Option<String>, targets: Vec<Value>) -> Self {
        Self {
            text,
            verdict,
            reason,
            targets,
            trace: Value::Null,
            further: Vec::new(),
            about: None,
            within: None,
            integers: None,
            proof: None,
            derivation: Vec::new(),
            unfinished: Vec::new(),
            engine: None,
            finite_runs: None,
        }
    }
}

impl Conclusion {
    /// A proof was accepted, which shows this: targets with these names are not reached.
    pub fn accepted(what: &str, names: &[String]) -> Self {
        Self::bare("accepted", format!("ACCEPTED\n{what}\n"), None, judged(names, "unreachable"))
    }

    /// A proof was refused, for this reason. Nothing is known of the targets.
    pub fn refused(reason: String, names: &[String]) -> Self {
        Self::bare("refused", format!("REFUSED: {reason}\n"), Some(reason), judged(names, "unknown"))
    }
}

fn judged(names: &[String], verdict: &str) -> Vec<Value> {
    names.iter().map(|name| json!({ "target": name, "verdict": verdict, "reason": null })).collect()
}

/// What an answer is bounded by.
#[derive(Clone, Debug)]
pub struct Within {
    /// `switches` or `rounds`, or the units of the formula.
    pub kind: String,
    /// So many; none if every schedule counts.
    pub number: Option<u32>,
    /// The least number that reaches a target.
    pub least: Option<u32>,
    /// Why the answer holds for every bound, if it is known to.
    pub every_bound: Option<Value>,
    /// So many do not reach a target of which nothing else is known.
    pub unreachable_within: Option<u32>,
}

/// How a run is to be shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TraceStyle {
    /// Not at all.
    None,
    /// As a table of steps.
    Text,
    /// As the program with the executed lines marked.
    Margin,
    /// As JSON.
    Object,
}

/// One word, for JSON.
pub fn missing_word(missing: Missing) -> &'static str {
    match missing {
        Missing::Trace => "trace",
        Missing::Certificate => "certificate",
        Missing::Comparison => "comparison",
        Missing::Overflow => "overflow",
        Missing::Misuse => "misuse",
    }
}

/// A line for people.
pub fn missing_line(missing: Missing, reason: &str) -> String {
    match missing {
        Missing::Trace => format!("there is no trace: {reason}\n"),
        Missing::Certificate => format!("there is no certificate: {reason}\n"),
        Missing::Comparison => format!("not compared: {reason}\n"),
        Missing::Overflow => format!("whether a result overflows was not found out: {reason}\n"),
        Missing::Misuse => format!("whether memory is misused was not found out: {reason}\n"),
    }
}

/// Puts outcomes of a problem into words.
pub struct Answer<'a, S: Subject = Concurrent> {
    /// What was asked.
    pub problem: &'a Problem<'a, S>,
    /// What came out.
    pub outcome: &'a Outcome,
    /// The limits that were set.
    pub limits: LimitsSet,
    /// If the problem is about a program and its monitor: what they were before they became one machine.
    pub watching: Option<Watching<'a>>,
    /// If the problem is about threads that somebody watches: who that is.
    pub observing: Option<Observing<'a>>,
}

/// Somebody who watches threads.
#[derive(Clone, Copy)]
pub struct Observing<'a> {
    /// The monitor, unless it is a formula.
    pub monitor: Option<&'a Monitor>,
    /// The states of the observer in words, if it is that of a formula.
    pub words: &'a [String],
}

/// A program and its monitor.
#[derive(Clone, Copy)]
pub struct Watching<'a> {
    /// The program.
    pub program: &'a Concurrent,
    /// The monitor.
    pub monitor: &'a Monitor,
    /// Both as one machine, which the problem is about.
    pub product: &'a Product,
    /// The states of the monitor in words, if it is that of a formula.
    pub words: &'a [String],
}

/// What is told of an answer in the terms of its subject.
pub trait Told: Subject + Sized {
    /// The run, if there is one: as text, and as JSON.
    fn run(answer: &Answer<Self>, sources: &Sources, style: TraceStyle) -> (String, Value);

    /// What the first line says behind the word for the verdict.
    fn scope(answer: &Answer<Self>) -> String;

    /// What is known of each target.
    fn details(answer: &Answer<Self>) -> String;

    /// What else there is to say before the run.
    fn remarks(answer: &Answer<Self>, sources: &Sources, style: TraceStyle) -> String;

    /// Adds to a conclusion what only such subjects have.
    fn complete(answer: &Answer<Self>, sources: &Sources, style: TraceStyle, conclusion: &mut Conclusion);
}

impl<S: Told> Answer<'_, S> {
    /// The conclusion, with the run in this style; places refer to the sources.
    pub fn conclusion(&self, sources: &Sources, style: TraceStyle) -> Conclusion {
        let (run, trace) = S::run(self, sources, style);
        let unfinished: Vec<(Missing, String)> =
            self.outcome.unfinished.iter().map(|(what, why)| (*what, self.limits.reason(why))).collect();
        let missing: String = unfinished.iter().map(|(what, why)| missing_line(*what, why)).collect();
        let finding = &self.outcome.finding;
        let (headline, details) = (self.headline(), S::details(self));
        let (remarks, derivation) = (S::remarks(self, sources, style), self.derivation());
        let text = format!("{headline}\n{details}{remarks}{run}{derivation}{missing}");
        let verdict = self.outcome.asked.words.of(&finding.verdict);
        let targets = self.pairs().map(|pair| self.entry(pair)).collect();
        let mut conclusion = Conclusion {
            derivation: self.outcome.formula.derivation.clone(),
            trace,
            about: self.outcome.asked.about.clone(),
            unfinished,
            engine: self.outcome.by.clone(),
            ..Conclusion::bare(verdict, text, self.reason(finding), targets)
        };
        S::complete(self, sources, style, &mut conclusion);
        conclusion
    }

    /// The targets and what is known of them.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&Target<S::Goals>, &Finding)> {
        self.problem.targets.iter().zip(&self.outcome.findings)
    }

    /// Why a finding is unknown; if it is known how far the search got, that too.
    fn reason(&self, finding: &Finding) -> Option<String> {
        let Verdict::Unknown(reason) = &finding.verdict else { return None };
        let words = self.limits.reason_in(reason, self.outcome.asked.words);
        Some(match (self.problem.bound, self.outcome.safe_within, reason) {
            (Some(bound), Some(number), Unknown::Stopped(..) | Unknown::Because(_) | Unknown::Each(_)) => {
                format!("{words}; unreachable within {}", amount(bound, number))
            }
            _ => words,
        })
    }

    /// The first line.
    fn headline(&self) -> String {
        let words = self.outcome.asked.words;
        match &self.outcome.finding.verdict {
            Verdict::Unknown(unknown) => match unless(unknown) {
                Some(unless) => format!("{} {unless}", words.headline(&Verdict::No)),
                None => format!("UNKNOWN: {}", self.reason(&self.outcome.finding).unwrap_or_default()),
            },
            verdict => words.headline(verdict) + &S::scope(self),
        }
    }

    /// Why the answer is so, if no run shows it.
    fn derivation(&self) -> String {
        let lines = &self.outcome.formula.derivation;
        let lines: String = lines.iter().map(|line| format!("  {line}\n")).collect();
        if lines.is_empty() { lines } else { format!("because\n{lines}") }
    }

    /// An entry of `targets` of the JSON object.
    fn entry(&self, (target, finding): (&Target<S::Goals>, &Finding)) -> Value {
        let (verdict, reason) = (self.outcome.asked.words.of(&finding.verdict), self.reason(finding));
        let mut entry = json!({ "target": target.name, "verdict": verdict, "reason": reason });
        if self.problem.bound.is_some() || self.outcome.asked.within.is_some() {
            entry["least"] = json!(finding.least);
        }
        entry
    }
}

impl Told for Concurrent {
    fn run(answer: &Answer<Self>, sources: &Sources, style: TraceStyle) -> (String, Value) {
        match (&answer.outcome.trace, style) {
            (None, _) | (_, TraceStyle::None) => (String::new(), json!(null)),
            (Some(trace), style) => match answer.watching {
                None => answer.first(sources, trace, style),
                Some(Watching { program, monitor, product, words }) => {
                    let watched =
                        product.back(trace).expect("a run to a goal of the product begins with main");
                    let watch = Watch { monitor: Some(monitor), states: Passed::ByRun(&watched), words };
                    shown(&Story::watched(program, sources, &watched.trace, watch), style)
                }
            },
        }
    }

    fn scope(answer: &Answer<Self>) -> String {
        answer.scope()
    }

    fn details(answer: &Answer<Self>) -> String {
        answer.details()
    }

    fn remarks(answer: &Answer<Self>, _: &Sources, _: TraceStyle) -> String {
        answer.forgotten()
    }

    fn complete(answer: &Answer<Self>, sources: &Sources, style: TraceStyle, conclusion: &mut Conclusion) {
        let Answer { problem, outcome, .. } = answer;
        let further = outcome.run.further.iter().filter(|_| style == TraceStyle::Object);
        conclusion.further = further.map(|trace| answer.story(sources, trace).object()).collect();
        conclusion.within = problem.bound.map(|bound| answer.within(bound)).or_else(|| answer.within_units());
        conclusion.finite_runs = outcome.finite_runs.map(|finite| {
            let known = |is_so: bool| (is_so || finite.is_complete).then_some(is_so);
            let mut entry = json!({ "ends": known(finite.ends), "blocks": known(finite.blocks) });
            if !problem.program.is_sequential() {
                entry["deadlocks"] = json!(known(finite.deadlocks));
            }
            entry
        });
    }
}

impl Answer<'_> {
    /// The run, and in a text those behind it, each with a title.
    fn first(&self, sources: &Sources, trace: &Trace, style: TraceStyle) -> (String, Value) {
        let (text, object) = shown(&self.story(sources, trace), style);
        let total = 1 + self.outcome.run.further.len();
        if total == 1 || style == TraceStyle::Object {
            return (text, object);
        }
        let others = self.outcome.run.further.iter().map(|trace| shown(&self.story(sources, trace), style).0);
        let titled = (1..).zip(std::iter::once(text).chain(others)).map(|(n, text)| match style {
            TraceStyle::Margin => format!("run {n} of {total}\n{text}"),
            _ => format!("run {n} of {total}: {text}"),
        });
        (titled.collect::<Vec<String>>().join("\n"), object)
    }

    /// A run, with the labels of the formula, and what threads do for ever.
    fn story<'s>(&'s self, sources: &'s Sources, trace: &'s Trace) -> Story<'s> {
        let program = self.problem.program;
        let story = match self.observing {
            Some(Observing { monitor, words }) if !self.outcome.run.observed.is_empty() => {
                let watch = Watch { monitor, states: Passed::InOrder(&self.outcome.run.observed), words };
                Story::watched(program, sources, trace, watch)
            }
            _ => Story::new(program, sources, trace),
        };
        let story = story.naming(&self.outcome.asked.labels);
        match &self.outcome.run.schedule {
            Some(schedule) => story.scheduled(&schedule.cycle),
            None => story,
        }
    }

    fn every_bound(&self) -> Option<EveryBound> {
        self.outcome.every_bound.filter(|_| self.outcome.finding.verdict == Verdict::No)
    }

    /// Within what the answer holds.
    fn scope(&self) -> String {
        let Finding { verdict, least } = &self.outcome.finding;
        let within = match self.problem.bound {
            None => self.counted(*least),
            Some(_) if self.problem.is_watched() => {
                let is_of_any = *verdict == Verdict::No && self.problem.program.is_parameterised();
                format!("{}{}", self.scheduled(verdict), if is_of_any { OF_ANY_NUMBER } else { "" })
            }
            Some(bound @ Bound::Every) => match (verdict, least.or(self.needed(bound))) {
                (Verdict::Yes, Some(number)) => format!(" within {}", amount(bound, number)),
                (Verdict::Yes, None) => String::new(),
                _ if self.problem.program.is_parameterised() => format!(" for every schedule{OF_ANY_NUMBER}"),
                _ => " for every schedule".to_owned(),
            },
            Some(bound) => {
                let shown =
                    self.needed(bound).filter(|run| self.outcome.finding.is_yes() && *run <= bound.number());
                format!(" within {}", amount(bound, least.or(shown).unwrap_or(bound.number())))
            }
        };
        match verdict {
            Verdict::No if self.problem.bound != Some(Bound::Every) => within + &always(self.every_bound()),
            _ => within,
        }
    }

    /// Which schedules the answer is about.
    fn scheduled(&self, verdict: &Verdict) -> &'static str {
        match (verdict, self.problem.watch.scheduler) {
            (Verdict::Yes, Scheduler::Any) => "",
            (Verdict::Yes, Scheduler::Weak) => " by a weakly fair schedule",
            (Verdict::Yes, Scheduler::Strong) => " by a strongly fair schedule",
            (_, Scheduler::Any) => " for every schedule",
            (_, Scheduler::Weak) => " for every weakly fair schedule",
            (_, Scheduler::Strong) => " for every strongly fair schedule",
        }
    }

    /// Whom a schedule forgets, and what the answer is if it must not.
    fn forgotten(&self) -> String {
        let Some(Schedule { cycle, otherwise: Some((scheduler, verdict)) }) = &self.outcome.run.schedule
        else {
            return String::new();
        };
        let trace = self.outcome.trace.as_ref();
        let name = |thread: &ThreadId| {
            trace.map_or_else(String::new, |trace| thread_name(self.problem.program, trace, *thread))
        };
        let names: Vec<String> = cycle.forgotten(*scheduler).iter().map(name).collect();
        let (option, could) = match scheduler {
            Scheduler::Any | Scheduler::Weak => ("weak", "it always could"),
            Scheduler::Strong => ("strong", "it could again and again"),
        };
        let answer = match (verdict, self.outcome.asked.words) {
            (Verdict::Unknown(_), _) => "such schedules do not count".to_owned(),
            (Verdict::No, Words::Violated) => "the formula holds".to_owned(),
            (Verdict::Yes, Words::Violated) => "the formula is violated, too".to_owned(),
            (Verdict::No, _) => "there is no such run".to_owned(),
            (Verdict::Yes, _) => "there is such a run, too".to_owned(),
        };
        let could = if names.len() == 1 { could.to_owned() } else { could.replacen("it", "they", 1) };
        let names = listed(&names);
        format!("the schedule never lets {names} run, though {could}; with `--scheduler {option}` {answer}\n")
    }

    /// Within what an answer holds, in the units of the formula: the least number, or all that were looked at.
    fn counted(&self, least: Option<u32>) -> String {
        let Some((most, unit)) = &self.outcome.asked.within else { return String::new() };
        let number = least.unwrap_or(*most);
        let unit = if number == 1 { unit.strip_suffix('s').unwrap_or(unit) } else { unit };
        format!(" within {number} {unit}")
    }

    /// How many switches or rounds the run takes that is shown.
    fn needed(&self, bound: Bound) -> Option<u32> {
        let trace = self.outcome.trace.as_ref()?;
        let number = match bound {
            Bound::Switches(_) | Bound::Every => Some(trace.n_switches()),
            Bound::Rounds(_) => trace.n_rounds(&interleave::declaration_order(&trace.counts())),
        };
        number.and_then(|number| u32::try_from(number).ok())
    }

    /// What is known of each target.
    fn details(&self) -> String {
        let within = match (self.problem.bound, self.every_bound()) {
            (Some(Bound::Every), _) | (Some(_), Some(_)) => String::new(),
            (Some(bound), None) => format!(" within {}", amount(bound, bound.number())),
            (None, _) => self.counted(None),
        };
        let about = match (&self.outcome.asked.about, &self.outcome.finding.verdict) {
            (None, _) | (_, Verdict::Unknown(_)) => String::new(),
            (Some(about), _) if self.outcome.asked.has_run => format!("{about}\n"),
            (Some(about), _) => format!("no run: {about}\n"),
        };
        match (self.problem.targets, &self.outcome.findings[..]) {
            ([] | [_], _) if self.outcome.asked.otherwise => about,
            ([target], [Finding { verdict: Verdict::No, .. }]) => self.never(target, &within),
            ([], _) if self.problem.question == Question::Deadlock => match self.outcome.finding.verdict {
                Verdict::No => format!("no run{within} ends in a deadlock\n"),
                Verdict::Yes => "some run ends in a deadlock\n".to_owned(),
                Verdict::Unknown(_) => String::new(),
            },
            ([formula], _) if self.is_violated() => format!("an infinite run violates {}\n", formula.name),
            ([], _) if self.outcome.finding.verdict == Verdict::No => "no run goes on for ever\n".to_owned(),
            ([_] | [], _) => String::new(),
            _ => about + &self.pairs().map(|pair| self.line(pair)).collect::<String>(),
        }
    }

    /// The question was about a formula, and some run violates it.
    fn is_violated(&self) -> bool {
        let (words, verdict) = (self.outcome.asked.words, &self.outcome.finding.verdict);
        self.watching.is_some() && words == Words::Violated && *verdict == Verdict::Yes
    }

    /// What cannot happen.
    fn never(&self, target: &Target, within: &str) -> String {
        let (name, question, words) = (&target.name, self.problem.question, self.outcome.asked.words);
        let is_watched = self.watching.is_some() || self.problem.watch.observer.is_some();
        match (question, self.watching, name.as_str()) {
            _ if words == Words::Violated => {
                format!("every infinite run satisfies it{}\n", self.outcome.finite_runs.map_or("", finite))
            }
            (Question::Reach, _, _) if is_watched => format!("no run takes {name} to a target state\n"),
            (_, _, _) if is_watched => {
                format!("no infinite run is in target states of {name} again and again\n")
            }
            (Question::Reach, _, "assert") => format!("no assertion can fail{within}\n"),
            (Question::Reach, _, _) => format!("no run{within} reaches {name}\n"),
            (_, _, _) => format!("no infinite run is at {name} again and again\n"),
        }
    }

    /// `ERROR: reachable within 3 context switches`.
    fn line(&self, (target, finding): (&Target, &Finding)) -> String {
        let within = match (self.problem.bound, finding.least) {
            (Some(bound), Some(least)) => format!(" within {}", amount(bound, least)),
            (None, Some(least)) => self.counted(Some(least)),
            (_, None) => String::new(),
        };
        // A limit that ended the search for some of them, where the first line does not say so.
        let is_cut = matches!(
            finding.verdict,
            Verdict::Unknown(Unknown::Stopped(..) | Unknown::Each(_) | Unknown::Hindered(..))
        );
        let why = match is_cut && !self.outcome.finding.verdict.is_unknown() {
            true => self.reason(finding).map_or(String::new(), |reason| format!(": {reason}")),
            false => String::new(),
        };
        format!("{}: {}{within}{why}\n", target.name, self.outcome.asked.words.of(&finding.verdict))
    }

    fn within(&self, bound: Bound) -> Within {
        let kind = match bound {
            Bound::Switches(_) | Bound::Every => "switches",
            Bound::Rounds(_) => "rounds",
        };
        let every_bound = self.every_bound().map(|reason| match reason {
            EveryBound::AnySchedule => json!({ "reason": "any_schedule" }),
            EveryBound::AllStates => json!({ "reason": "all_states" }),
        });
        let kind = kind.to_owned();
        let number = (bound != Bound::Every).then(|| bound.number());
        let unreachable_within = self.outcome.safe_within;
        Within { kind, number, least: self.outcome.finding.least, every_bound, unreachable_within }
    }

    /// The same for a formula that counts something itself.
    fn within_units(&self) -> Option<Within> {
        let (number, kind) = self.outcome.asked.within.clone()?;
        let least = self.outcome.finding.least;
        Some(Within { kind, number: Some(number), least, every_bound: None, unreachable_within: None })
    }
}

fn shown(story: &Story, style: TraceStyle) -> (String, Value) {
    match style {
        TraceStyle::Margin => (story.margin(), json!(null)),
        TraceStyle::Object => (String::new(), story.object()),
        TraceStyle::Text | TraceStyle::None => (story.text(), json!(null)),
    }
}

/// `p`, `p and q`, `p, q and r`.
fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [name] => name.clone(),
        [names @ .., last] => format!("{} and {last}", names.join(", ")),
    }
}

/// A formula says nothing about runs that are finite: whether there are some.
fn finite(finite: FiniteRuns) -> &'static str {
    match finite {
        FiniteRuns { deadlocks: true, ends: true, .. } => "; but some runs end in a deadlock, and some end",
        FiniteRuns { deadlocks: true, .. } => "; but some runs end in a deadlock",
        FiniteRuns { ends: true, blocks: true, .. } => "; some runs end, and some cannot go on",
        FiniteRuns { ends: true, .. } => "; some runs end",
        FiniteRuns { blocks: true, .. } => "; some runs cannot go on",
        FiniteRuns { is_complete: false, .. } => "; whether some runs end or cannot go on was not found out",
        FiniteRuns { .. } => "",
    }
}

/// Why a larger bound would not change the answer.
fn always(every_bound: Option<EveryBound>) -> String {
    match every_bound {
        Some(EveryBound::AllStates) => ", and for every bound: all states were looked at".to_owned(),
        Some(EveryBound::AnySchedule) => {
            ", and for every bound: not even under any values that others may leave".to_owned()
        }
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Known;
    use checker::{Question, Wanted, WantedTrace};

    fn early(known: Known, is_believed: bool) -> Option<(String, Option<Missing>)> {
        let mut sources = Sources::default();
        let text = "thread p begin void main() begin ERROR: skip; end end";
        let (checked, _) = bp::load(&mut sources, "p.bp", text).expect("the program has no mistakes");
        let options = bp::ThreadOptions { slots: 1, async_labels: false };
        let program = bp::lower_threads(&checked, options).expect("the program has no mistakes");
        let targets = checker::default_thread_targets(&program).expect("there is a label");
        let wanted = Wanted { trace: WantedTrace::Any, certificate: false };
        let bound = Some(Bound::Switches(9));
        let problem = Problem { bound, wanted, ..Problem::new(&program, Question::Reach, &targets) };
        let outcome = Outcome::from_known(&problem, known, Unknown::because("timeout"), is_believed)?;
        let answer = Answer {
            problem: &problem,
            outcome: &outcome,
            limits: LimitsSet::default(),
            watching: None,
            observing: None,
        };
        let text = answer.conclusion(&sources, TraceStyle::Text).text;
        Some((text.lines().next().unwrap_or_default().to_owned(), outcome.lacks(&problem)))
    }

    #[test]
    fn what_is_known_while_an_engine_works_is_an_answer() {
        let say = |line: &str, missing| Some((line.to_owned(), missing));
        assert_eq!(early(Known::Nothing, true), None);
        let line = "UNKNOWN: timeout; unreachable within 5 context switches";
        assert_eq!(early(Known::SafeWithin(5), true), say(line, None));
        let line = "UNREACHABLE within 9 context switches";
        assert_eq!(early(Known::Unreachable, true), say(line, None));
        let reachable = Known::Reachable { least: Some(3) };
        let line = "REACHABLE within 3 context switches";
        assert_eq!(early(reachable, true), say(line, Some(Missing::Trace)));
        let line = "UNKNOWN: the formula says reachable, which is not confirmed: timeout";
        assert_eq!(early(reachable, false), say(line, None));
    }
}

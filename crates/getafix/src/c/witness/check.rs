//! `getafix witness`: is what somebody else found out about a program in C right?

use super::map;
use crate::answer::{Subject, Value};
use crate::c::{Loaded, Wanted, is_c, load, only, property};
use crate::formula;
use crate::input::{READ_TWICE, is_read_twice};
use crate::job::Job;
use crate::options::{COptions, DataModelName, WitnessOptions};
use crate::status::Status;
use base::{Diagnostic, FileId, Sources};
use c::Property;
use cegar::{Attempt, Cegar, Proof, Prover, STAGES};
use checker::{
    About, Arithmetic, Asker, Engine, Execution, IntegerGoal, IntegerProgram, Outcome, Problem, Question,
    Target, Verdict, Wanted as WantedEvidence, WantedTrace,
};
use integers::trace::End;
use integers::{Program, TargetId};
use present::answer::Conclusion;
use present::integer::Teller;
use proof::Statement;
use std::path::PathBuf;
use witness::follow::{Followed, Follower};
use witness::product::{Mismatch, Product};
use witness::{Content, Entry, Fact, Segment, WaypointKind};

/// Attempts to follow a witness that leaves inputs open.
const ATTEMPTS: u64 = 400;

/// Steps of the first attempt, and of all others together.
const STEPS: u64 = 20_000_000;

/// Steps after which a run is worth a proof that it has no end.
const MANY_STEPS: u64 = 50_000;

/// What was found out.
enum Judgement {
    /// It is right: what it shows.
    Accepted(String),
    /// It is wrong: why, and the run that shows it.
    Refused(String, String),
    /// Nobody knows, and why.
    Unknown(String),
}

/// Checks a witness against a program.
pub fn run(options: &WitnessOptions, job: &Job) -> Status {
    job.record.begin(Subject::program());
    judge(options, job).map_or_else(
        |status| status,
        |judgement| match judgement {
            Judgement::Accepted(what) => {
                job.record.conclude(Conclusion::accepted(&what, &[]));
                Status::Evaluated
            }
            Judgement::Refused(why, run) => {
                let mut conclusion = Conclusion::refused(why, &[]);
                conclusion.text += &run;
                job.record.conclude(conclusion);
                Status::Violated
            }
            Judgement::Unknown(why) => {
                let why = match job.stop.requested() {
                    Some(stop) => with_stop(why, &job.stopped(stop)),
                    None => why,
                };
                job.record.answer(&Value::Unknown(why));
                Status::Unknown
            }
        },
    )
}

/// A reason that is not the end of the time, and that end. An engine that was stopped has said so.
fn with_stop(why: String, stopped: &str) -> String {
    let is_said = stopped.split(" (").next().is_some_and(|what| why.contains(what));
    if is_said { why } else { format!("{why}; {stopped}") }
}

fn judge(options: &WitnessOptions, job: &Job) -> Result<Judgement, Status> {
    let rejected = |message: String| {
        job.record.error(&message);
        Status::Rejected
    };
    if !is_c(&options.file, &options.c) {
        return Err(rejected(only("witness")));
    }
    if is_read_twice(&[&options.file, &options.witness]) {
        return Err(rejected(READ_TWICE.to_owned()));
    }
    let (name, text) = job.read(&options.witness)?;
    let mut sources = Sources::default();
    let file = sources.add(name.clone(), text.clone());
    let diagnosed = |sources: &Sources, error: Diagnostic| {
        job.record.diagnose_all(sources, &[error]);
        Status::Rejected
    };
    let entries = witness::read(&sources, file).map_err(|error| diagnosed(&sources, error))?;
    let metadata = &entries[0].metadata;
    let property = stated(&mut sources, &entries[0]).map_err(|error| diagnosed(&sources, *error))?;
    if let Some(path) = &options.c.property {
        let asked = property::read(path, job, c::read_property)?;
        if asked != property {
            let why = format!("it is about another property: `{}`", metadata.specification.value);
            return Ok(Judgement::Refused(why, String::new()));
        }
    }
    if matches!(property, Property::MemorySafety | Property::MemoryCleanup) {
        return Ok(Judgement::Unknown("witnesses about memory are not checked".to_owned()));
    }
    let model = if metadata.data_model.value == "ILP32" { DataModelName::Ilp32 } else { DataModelName::Lp64 };
    let data_model = options.c.data_model.or(Some(model));
    let c = COptions { property: None, data_model, ..options.c.clone() };
    let wanted = Wanted {
        path: &options.file,
        options: &c,
        targets: &[],
        property: Some(property.clone()),
        needs_target: false,
    };
    let mut loaded = load(&wanted, job)?;
    is_same_program(&loaded, &entries, job);
    // Places in the witness are shown beside those of the program.
    let moved = loaded.sources.add(name, text);
    let entries = witness::read(&loaded.sources, moved).map_err(|error| diagnosed(&loaded.sources, error))?;
    let validator = Validator { options, loaded: &loaded, property, job, witness: moved };
    let judged = match &entries[0].content {
        Content::Violation(segments) => validator.violation(segments),
        Content::Correctness(_) => validator.correctness(&facts(&entries)),
    };
    match judged {
        Ok(judgement) => Ok(judgement),
        Err(Mismatch::Malformed(error)) => Err(diagnosed(&loaded.sources, *error)),
        Err(Mismatch::Missing(what)) => Ok(Judgement::Refused(what, String::new())),
        Err(Mismatch::Unrepresented(what)) => Ok(Judgement::Unknown(what)),
    }
}

/// The property that a witness is about.
fn stated(sources: &mut Sources, entry: &Entry) -> Result<Property, Box<Diagnostic>> {
    let specification = &entry.metadata.specification;
    let name = format!("the specification `{}`", specification.value);
    let file = sources.add(name, specification.value.clone());
    c::read_property(sources, file).map_err(|mut error| {
        error.span = specification.span.or(error.span);
        Box::new(error)
    })
}

fn facts(entries: &[Entry]) -> Vec<Fact> {
    let all = entries.iter().filter_map(|entry| match &entry.content {
        Content::Correctness(facts) => Some(facts.clone()),
        Content::Violation(_) => None,
    });
    all.flatten().collect()
}

/// Says if the witness was written for another program.
fn is_same_program(loaded: &Loaded, entries: &[Entry], job: &Job) {
    let hash = witness::sha256(&loaded.bytes);
    let hashes: Vec<&str> = entries
        .iter()
        .flat_map(|entry| &entry.metadata.files)
        .filter_map(|(_, hash)| Some(&hash.as_ref()?.value[..]))
        .collect();
    if !hashes.is_empty() && !hashes.contains(&&hash[..]) {
        job.record.note("the witness was written for another program, or for another version of this one");
    }
}

struct Validator<'a> {
    options: &'a WitnessOptions,
    loaded: &'a Loaded,
    property: Property,
    job: &'a Job,
    witness: FileId,
}

impl Validator<'_> {
    fn violation(&self, segments: &[Segment]) -> Result<Judgement, Mismatch> {
        let map = map(self.loaded);
        let mut product = Product::of_violation(&map, segments)?;
        let last = segments.last().and_then(|segment| segment.waypoints.last());
        let target = last.filter(|waypoint| waypoint.kind == WaypointKind::Target);
        let is_endless = self.property == Property::Termination;
        match target {
            Some(_) if is_endless => {
                return Ok(refused("a run without end has a cycle, and no target"));
            }
            None if !is_endless => {
                return Ok(refused("the property is violated at a target, and it has none"));
            }
            Some(waypoint) => {
                if self.property == Property::NoOverflow {
                    product.program = Arithmetic::Checked.program(&product.program);
                }
                if !product.aim(&map, &waypoint.location, segments.len()) {
                    let line = waypoint.location.line;
                    return Ok(refused(&format!("the property cannot be violated on line {line}")));
                }
            }
            None => {}
        }
        let follower = Follower::new(&map, &product, segments)?;
        let n = segments.len();
        let mut last = None;
        for attempt in 0..ATTEMPTS {
            if self.job.stop.requested().is_some() {
                break;
            }
            let max_steps = match attempt {
                _ if is_endless => MANY_STEPS,
                0 => STEPS,
                _ => STEPS / ATTEMPTS,
            };
            match follower.run(attempt, max_steps) {
                Followed::Reached(inputs) => return Ok(Judgement::Accepted(self.reached(&inputs, n))),
                Followed::Endless(inputs) => {
                    return Ok(Judgement::Accepted(format!(
                        "{} goes around the cycle for ever",
                        run_with(&inputs)
                    )));
                }
                Followed::GoingOn(inputs) => return Ok(self.endless(inputs)),
                Followed::Lost { n_passed, end, is_free: false } => {
                    return Ok(self.lost(n_passed, n, end, &product));
                }
                lost @ Followed::Lost { .. } => last = last.or(Some(lost)),
            }
        }
        if is_endless {
            return Ok(Judgement::Unknown("no run was found that goes around the cycle for ever".to_owned()));
        }
        Ok(self.searched(&product, n))
    }

    fn reached(&self, inputs: &[i128], n_segments: usize) -> String {
        let what = match &self.property {
            Property::UnreachCall(name) => format!("calls {name}"),
            _ => "overflows".to_owned(),
        };
        let passes = match n_segments {
            1 => String::new(),
            2 => "passes its waypoint and ".to_owned(),
            n => format!("passes its {} waypoints and ", n - 1),
        };
        format!("{} {passes}{what}", run_with(inputs))
    }

    /// The only run that the witness allows does something else.
    fn lost(&self, n_passed: usize, n_segments: usize, end: End, product: &Product) -> Judgement {
        let teller = Teller { program: &product.program, sources: &self.loaded.sources, objects: None };
        let why = match end {
            End::Returned => "main returns".to_owned(),
            End::Stopped => "the program ends itself".to_owned(),
            End::StepLimit | End::NoInput(_) => {
                return Judgement::Unknown("the run is too long to be followed".to_owned());
            }
            End::Unknown(id) => {
                let construct = &product.program.unknowns[id.index()].construct;
                return Judgement::Unknown(format!("how the run goes on depends on {construct}"));
            }
            End::Blocked(function, node) => {
                let span = product.program.function(function).node(node).span;
                let line = self.loaded.sources.line_column(span).0;
                match span.file == self.witness {
                    true => format!("what the witness says on line {line} does not hold"),
                    false => format!("it ends on line {line}, where an assumption does not hold"),
                }
            }
            End::Undefined(why, function, edge) => {
                let statement = teller.statement_of(function, edge);
                format!("it is undefined on line {}, `{}`: {why}", statement.line, statement.text)
            }
            End::Target(_) => "it reaches the target before".to_owned(),
        };
        refused(&format!("the run that it tells of passes {n_passed} of {n_segments} segments; then {why}"))
    }

    /// Asks the engine for a run along the witness.
    fn searched(&self, product: &Product, n_segments: usize) -> Judgement {
        let all = (0..product.program.targets.len()).map(TargetId::new).collect();
        let target = Target { name: "target".to_owned(), goals: IntegerGoal::Places(all) };
        let outcome = self.ask(&product.program, &[target], Question::Reach, Arithmetic::Mathematical);
        match (&outcome.finding.verdict, &outcome.integers.account) {
            (Verdict::Yes, Some(account)) if outcome.integers.about == About::Both => {
                Judgement::Accepted(self.reached(&account.inputs, n_segments))
            }
            (Verdict::Yes, _) => Judgement::Unknown("there is such a run over the integers only".to_owned()),
            (Verdict::No, _) => refused("no run that passes its waypoints violates the property"),
            (Verdict::Unknown(why), _) => Judgement::Unknown(self.reason(why)),
        }
    }

    /// A run that goes on for long: a proof that it has no end.
    fn endless(&self, inputs: Option<Vec<(integers::InputId, i128)>>) -> Judgement {
        let open =
            || Judgement::Unknown("the run goes on for long; whether it ever ends is not known".to_owned());
        let (Some(inputs), Ok(path)) = (inputs, self.job.outside.solver(self.options.solver.path.as_deref()))
        else {
            return open();
        };
        let limits = formula::limits(self.job);
        let mut prover = Prover::new(path, &limits);
        let statement = Statement::Endless(inputs.clone());
        match Attempt::new(self.loaded.program.program.clone(), statement, None).advance(STAGES, &mut prover)
        {
            Proof::Claimed(_) => {
                let numbers: Vec<i128> = inputs.iter().map(|(_, number)| *number).collect();
                Judgement::Accepted(format!("{} never ends, as a proof shows", run_with(&numbers)))
            }
            _ => open(),
        }
    }

    fn correctness(&self, facts: &[Fact]) -> Result<Judgement, Mismatch> {
        let product = Product::of_facts(&map(self.loaded), facts)?;
        for what in &product.unchecked {
            self.job.record.note(&format!("not checked: {what}"));
        }
        let each = |&(id, _): &(TargetId, usize)| Target {
            name: product.program.targets[id.index()].name.clone(),
            goals: IntegerGoal::Places(vec![id]),
        };
        let targets: Vec<Target<IntegerGoal>> =
            self.loaded.targets.iter().cloned().chain(product.targets.iter().map(each)).collect();
        if self.property == Property::Termination {
            let outcome =
                self.ask(&self.loaded.program, &[], Question::Infinite, self.loaded.program.arithmetic);
            match &outcome.finding.verdict {
                Verdict::Yes => return Ok(refused("there is a run without end")),
                Verdict::Unknown(why) => return Ok(Judgement::Unknown(self.reason(why))),
                Verdict::No => {}
            }
        }
        if targets.is_empty() {
            return Ok(self.holds(facts, &product, "what it is about cannot happen"));
        }
        let outcome = self.ask(&product.program, &targets, Question::Reach, self.loaded.program.arithmetic);
        Ok(match &outcome.finding.verdict {
            Verdict::Yes => self.violated(&outcome, &product, facts),
            Verdict::Unknown(checker::Unknown::UnlessOverflow(_)) => Judgement::Unknown(
                "the property and the invariants hold unless a result overflows; `--int math` asks about mathematical integers only"
                    .to_owned(),
            ),
            Verdict::Unknown(why) => Judgement::Unknown(self.reason(why)),
            Verdict::No => {
                let about = match outcome.integers.about {
                    About::Either => "with the integers of C, also if results wrap",
                    About::Assumed => {
                        "with mathematical integers; whether a result overflows in C is not known"
                    }
                    _ => "with the integers of C",
                };
                self.holds(facts, &product, about)
            }
        })
    }

    fn holds(&self, facts: &[Fact], product: &Product, about: &str) -> Judgement {
        if !product.unchecked.is_empty() {
            let n = product.unchecked.len();
            return Judgement::Unknown(format!(
                "the property holds, but {n} of {} entries are not checked",
                facts.len()
            ));
        }
        let what = match facts.len() {
            0 => "the property holds; the witness says nothing else".to_owned(),
            1 => "the property holds, and so does the invariant".to_owned(),
            n => format!("the property holds, and so do {n} invariants"),
        };
        Judgement::Accepted(format!("{what}\n{about}"))
    }

    /// A run violates an invariant, or the property.
    fn violated(&self, outcome: &Outcome, product: &Product, facts: &[Fact]) -> Judgement {
        let teller = Teller { program: &product.program, sources: &self.loaded.sources, objects: None };
        let Some(account) = &outcome.integers.account else { return refused("the property does not hold") };
        let fact = match account.end {
            End::Target(id) => {
                product.targets.iter().find(|(target, _)| *target == id).map(|(_, n)| &facts[*n])
            }
            _ => None,
        };
        let why = match fact {
            Some(Fact::Invariant { location, value, .. }) => {
                format!("line {}: `{}` does not always hold", location.line, value.value)
            }
            Some(Fact::Contract { location, .. }) => {
                format!("line {}: the contract is violated", location.line)
            }
            Some(Fact::Other(_)) | None => "the property does not hold".to_owned(),
        };
        Judgement::Refused(why, teller.text(account))
    }

    fn ask(
        &self,
        program: &Program,
        targets: &[Target<IntegerGoal>],
        question: Question,
        arithmetic: Arithmetic,
    ) -> Outcome {
        let path: Option<PathBuf> = self.job.outside.solver(self.options.solver.path.as_deref()).ok();
        if path.is_none() {
            self.job.record.note("nothing is proved: there is no SMT solver");
        }
        let effort = if self.job.limits.timeout.is_some() { None } else { Execution::default().effort };
        let execution = Execution { seed: 0, effort };
        let engine = Cegar {
            execution,
            solver: path,
            given: None,
            stages: cegar::STAGES,
            assumes_defined: false,
            jobs: 1,
        };
        let wanted = WantedEvidence { trace: WantedTrace::Any, certificate: false };
        let program = &IntegerProgram { program: program.clone(), arithmetic };
        let problem = Problem { wanted, ..Problem::new(program, question, targets) };
        let mut asker = Asker { sources: &mut self.loaded.sources.clone(), known: &mut |_, _| {} };
        let answered = engine.answer(&problem, &formula::limits(self.job), &mut asker);
        answered.expect("there is no formula that could be wrong")
    }

    fn reason(&self, why: &checker::Unknown) -> String {
        self.job.limits_set().reason(why)
    }
}

fn refused(why: &str) -> Judgement {
    Judgement::Refused(why.to_owned(), String::new())
}

/// A run, by its inputs.
fn run_with(inputs: &[i128]) -> String {
    let shown: Vec<String> = inputs.iter().take(8).map(i128::to_string).collect();
    match inputs.len() {
        0 => "a run without inputs".to_owned(),
        1..=8 => format!("the run with the inputs {}", shown.join(", ")),
        n => format!("the run with {n} inputs, {}, …,", shown.join(", ")),
    }
}

//! `getafix mu`: the queries and directives of a file, answered in order.
//!
//! Contract: one line on stdout per query; a directive's lines begin with the directive. A question without an answer is
//! `unknown` and the next one is asked, unless the run was told to stop.

mod engine;
mod input;
mod timer;

use crate::answer::{Subject, Value};
use crate::job::Job;
use crate::json::{self, Times};
use crate::lines::Lines;
use crate::options::{MuOptions, Stage};
use crate::render;
use crate::status::Status;
use base::Diagnostic;
use calculus::system::{Action, Item, RelationId, System};
use engine::{Engine, Twin};
use input::Input;
use solver::{Halt, Settings, Solver};
use std::path::Path;
use timer::Stopwatch;

/// Evaluates the file, or shows one of its stages.
pub fn run(options: &MuOptions, job: &Job) -> Status {
    let Ok(input) = input::load(options, job) else { return Status::Rejected };
    if options.show == Some(Stage::Formula) {
        job.record.show("formula", &input.canonical);
        return Status::Evaluated;
    }
    let system = &input.system;
    // The twin orders no bits, but constraints that contradict each other are an error of the file whoever evaluates it.
    let mut engine = match Solver::new(system, settings(options, job, system)) {
        Ok(_) if options.twin => Engine::Twin(Twin::new(system, job.stop.clone())),
        Ok(solver) => Engine::Solver(Box::new(solver)),
        Err(diagnostics) => {
            job.record.diagnose_all(&input.sources, &diagnostics);
            return Status::Rejected;
        }
    };
    if let (Some(stage), Some(solver)) = (options.show, engine.solver()) {
        show(stage, solver, system, job);
        return Status::Evaluated;
    }
    let mut run = Run {
        input: &input,
        job,
        engine,
        stopwatch: Stopwatch::default(),
        lines: Lines::default(),
        verbose: job.output.stats,
        status: Status::Evaluated,
    };
    run.items();
    run.statistics();
    run.status
}

/// What the solver is told. Derivations are recorded only where one will be asked for.
fn settings(options: &MuOptions, job: &Job, system: &System) -> Settings {
    Settings {
        symbolic: options.symbolic,
        record: system.items.iter().any(|item| matches!(item.action, Action::Explain(..))),
        collect_from: solver::COLLECT_FROM,
        memory: job.memory_of_diagrams(),
        stop: job.stop.clone(),
        gauge: job.gauge.clone(),
        clock: job.clock(),
    }
}

/// A stage of the solver instead of its answers.
fn show(stage: Stage, solver: &mut Solver<'_>, system: &System, job: &Job) {
    match stage {
        Stage::Formula => {}
        Stage::Order => job.record.show("order", &solver.order()),
        Stage::Plan => {
            for (index, relation) in system.relations.iter().enumerate() {
                let plan = solver
                    .plan(RelationId::new(index))
                    .unwrap_or_else(|halt| format!("{}\n  unknown: {halt:?}\n", relation.name));
                job.record.show("plan", &plan);
            }
        }
    }
}

/// The state of one evaluation.
struct Run<'s> {
    input: &'s Input,
    job: &'s Job,
    engine: Engine<'s>,
    stopwatch: Stopwatch,
    lines: Lines,
    verbose: bool,
    status: Status,
}

/// Why an item has no value.
enum Failure {
    /// There is no answer.
    Halt(Halt),
    /// Only the solver can do this.
    NeedsSolver,
    /// A file cannot be read or written, or makes no sense.
    File(String),
}

impl From<Halt> for Failure {
    fn from(halt: Halt) -> Self {
        Failure::Halt(halt)
    }
}

impl<'s> Run<'s> {
    /// Answers the items in order.
    fn items(&mut self) {
        for item in &self.input.system.items {
            let subject = self.subject(item);
            let directive = subject.directive;
            self.job.record.begin(subject);
            match self.answer(item) {
                Ok(Some(value)) => self.job.record.answer(&value),
                Ok(None) => {}
                Err(Failure::NeedsSolver) => {
                    self.job.record.note(&format!("`{directive}` needs the solver; the twin skips it"));
                }
                Err(Failure::File(message)) => {
                    let error = Diagnostic::error(item.span, message);
                    self.job.record.diagnose(&self.input.sources, &error);
                    self.status = self.status.max(Status::Rejected);
                }
                Err(Failure::Halt(halt)) => {
                    let reason = self.job.limits_set().reason(&halt.into());
                    self.job.record.answer(&Value::Unknown(reason));
                    self.status = self.status.max(Status::Unknown);
                }
            }
            if self.status != Status::Evaluated && self.job.stop.requested().is_some() {
                return;
            }
        }
    }

    /// What an item asks.
    fn subject(&mut self, item: &Item) -> Subject {
        let sources = &self.input.sources;
        Subject {
            directive: item.action.word(),
            relation: item.action.relation().map(|relation| self.name(relation)),
            place: (sources.file(item.span.file).name.clone(), self.lines.line(sources, item.span)),
        }
    }

    /// The value of an item; none if it prints nothing on stdout.
    fn answer(&mut self, item: &Item) -> Result<Option<Value>, Failure> {
        let value = match &item.action {
            Action::Query(formula) => Value::Truth(self.engine.query(*formula)?),
            Action::Print(text) => Value::Text(text.clone()),
            Action::PrintFormula(formula) => Value::Text(self.engine.query(*formula)?.to_string()),
            Action::Count(relation) => Value::Number(self.engine.count(*relation)?),
            Action::List(relation, most) => {
                let found = self.engine.list(*relation, usize::try_from(*most).unwrap_or(usize::MAX))?;
                let n_tuples = self.engine.count(*relation)?;
                Value::List(render::list(&self.input.system, *relation, &found, n_tuples))
            }
            Action::Witness(binders, formula) => {
                Value::Valuation(self.engine.witness(binders, *formula, true)?.map(render::valuation))
            }
            Action::Counterexample(binders, formula) => {
                Value::Valuation(self.engine.witness(binders, *formula, false)?.map(render::valuation))
            }
            Action::Reset(relation) => return Ok(self.quietly(|engine| engine.reset(*relation))),
            Action::ResetAll => return Ok(self.quietly(Engine::reset_all)),
            Action::Timer(word) => {
                if let Some(line) = self.stopwatch.turn(*word, (self.job.clock())()) {
                    self.job.record.remark(&line);
                }
                return Ok(None);
            }
            Action::Frontier => return Ok(None),
            Action::Verbose(on) => {
                self.verbose = *on;
                return Ok(None);
            }
            _ => return self.solver_answer(item).map(Some),
        };
        Ok(Some(value))
    }

    /// The value of an item that only the solver can answer.
    fn solver_answer(&mut self, item: &Item) -> Result<Value, Failure> {
        let (system, sources) = (&self.input.system, &self.input.sources);
        let solver = self.engine.solver().ok_or(Failure::NeedsSolver)?;
        let file = |relation: &RelationId, ending| format!("{}.{ending}", system.relation(*relation).name);
        Ok(match &item.action {
            Action::Statistics => Value::Lines(render::figures(&solver.statistics())),
            Action::Size(relation) => Value::Number(solver.size(*relation)?.to_string()),
            Action::Certify(relation) => Value::Certificate(solver.certify(*relation)?.relations),
            Action::Plan(relation) => Value::Lines(solver.plan(*relation)?),
            Action::Explain(binders, formula) => {
                solver.follow_choices(system.depth(), None);
                let found = solver.explain(binders, *formula)?;
                let reasons = found.map(|derivation| checker::plain_reasons(system, &derivation));
                Value::Derivation(reasons.map(|reasons| render::reasons(sources, &reasons)))
            }
            Action::Visualise(relation) => written(file(relation, "dot"), &solver.dot(*relation)?, self.job)?,
            Action::Dump(relation) => written(file(relation, "dddmp"), &solver.dump(*relation)?, self.job)?,
            Action::Undump(relation) => {
                let name = file(relation, "dddmp");
                let failure = |problem: String| Failure::File(format!("`{name}` {problem}"));
                let text = self.job.texts.text(name.as_ref()).map_err(failure)?;
                solver
                    .undump(*relation, &text)?
                    .map_err(|message| Failure::File(format!("`{name}`: {message}")))?;
                Value::File(name)
            }
            other => unreachable!("`{other:?}` is answered without the solver"),
        })
    }

    /// Does something that prints nothing.
    fn quietly(&mut self, act: impl FnOnce(&mut Engine<'s>)) -> Option<Value> {
        act(&mut self.engine);
        None
    }

    /// The figures at the end.
    fn statistics(&mut self) {
        let Some(solver) = self.engine.solver() else { return };
        if !self.verbose && !self.job.output.json {
            return;
        }
        let statistics = solver.statistics();
        let times = if self.job.output.stats { Times::Shown } else { Times::Hidden };
        let clauses = checker::clauses(&statistics, &self.input.sources);
        self.job.record.statistics(json::statistics(&statistics, &clauses, times));
        if self.verbose {
            self.job.record.remark(&render::table(&statistics, &clauses));
        }
    }

    fn name(&self, relation: RelationId) -> String {
        self.input.system.relation(relation).name.clone()
    }
}

/// Writes a file: all of it, or nothing.
fn written(name: String, text: &str, job: &Job) -> Result<Value, Failure> {
    match job.outside.write(Path::new(&name), text) {
        Ok(()) => Ok(Value::File(name)),
        Err(error) => Err(Failure::File(format!("cannot write `{name}`: {error}"))),
    }
}

//! `getafix run`: one run of a program, step by step.

use crate::answer::{Subject, Value};
use crate::args::ExecuteOptions;
use crate::c;
use crate::program;
use crate::render;
use crate::status::Status;
use crate::told::{self, Script, Step, Telling};
use crate::watch::Job;
use present::trace::{Moment, Narrator, Row, Table};
use rsm::run::{End, Event, Options, Rest, Run, RunError};
use rsm::step::{Choice, Configuration};
use rsm::{Action, EdgeId, ModuleId, Place, Rsm};

/// The option that repeats a run.
const CHOICES: &str = "--choices ";

/// Executes the program.
pub fn run(options: &ExecuteOptions, job: &Job) -> Status {
    job.console.begin(Subject::program());
    if c::is_c(&options.file, &options.c) {
        return c::execute::run(options, job);
    }
    if let Some(option) = options.c.given().or((!options.inputs.is_empty()).then_some("--inputs")) {
        job.console.error(&c::only(option));
        return Status::Rejected;
    }
    let Ok(program) = program::load(&options.file, job) else { return Status::Rejected };
    let Ok(rsm) = program.machine("run", job) else { return Status::Rejected };
    let narrator = Narrator { rsm: &rsm, sources: &program.sources };
    let table = table(&narrator, options.steps);
    let started = Run::start(
        &rsm,
        Options {
            choices: options.choices.clone(),
            rest: Rest::Seed(options.seed),
            max_steps: options.steps,
        },
    );
    match started {
        Err(error) => failed(&error, job),
        Ok(None) => {
            let why = "no run can start, since `init` or `enforce` excludes all values".to_owned();
            let script =
                Script { option: CHOICES, word: "choices", chosen: &[], n_unused: options.choices.len() };
            let end = told::End { kind: "never started", why, row: None, n_steps: 0, script };
            Telling::new(job, table, &rsm.module(rsm.main).name).end(end);
            Status::Evaluated
        }
        Ok(Some((run, choices))) => {
            let script = choices.iter().map(|choice| choice.text(&rsm)).collect();
            let telling = Telling::new(job, table, &rsm.module(rsm.main).name);
            Execution { narrator, telling, run, script, n_steps: 0, job }.all()
        }
    }
}

fn failed(error: &RunError, job: &Job) -> Status {
    match error {
        RunError::Choice { .. } => {
            job.console.error(&error.to_string());
            Status::Rejected
        }
        RunError::TooLarge => {
            job.console.answer(&Value::Unknown(error.to_string()));
            Status::Unknown
        }
    }
}

/// Columns wide enough for every statement of the program, since the steps are printed as they come.
fn table(narrator: &Narrator, n_steps: u64) -> Table {
    let mut n_lines = 0;
    let mut width = 0;
    for (m, module) in narrator.rsm.modules.iter().enumerate() {
        for e in 0..module.edges.len() {
            let statement = narrator.statement(ModuleId::new(m), EdgeId::new(e));
            n_lines = n_lines.max(statement.line);
            width = width.max(statement.text.chars().count() + 4);
        }
    }
    Table::for_program(n_steps, n_lines, width)
}

/// The part of a configuration that a step may change.
struct Before {
    globals: Vec<u64>,
    locals: Vec<u64>,
    depth: usize,
    /// The caller and its call.
    caller: Option<(ModuleId, EdgeId)>,
}

impl Before {
    fn new(configuration: &Configuration) -> Self {
        let caller = configuration.stack.iter().rev().nth(1);
        Self {
            globals: configuration.globals.clone(),
            locals: configuration.top().map_or_else(Vec::new, |top| top.locals.clone()),
            depth: configuration.stack.len().saturating_sub(1),
            caller: caller.and_then(|frame| Some((frame.module, frame.call?))),
        }
    }

    fn moment(&self) -> Moment<'_> {
        Moment { globals: &self.globals, locals: &self.locals }
    }
}

struct Execution<'a> {
    narrator: Narrator<'a>,
    telling: Telling<'a>,
    run: Run<'a>,
    script: Vec<String>,
    n_steps: u128,
    job: &'a Job,
}

impl Execution<'_> {
    fn all(mut self) -> Status {
        self.start();
        loop {
            if let Some(reason) = self.job.stop.requested() {
                let reason = render::stopped(reason, &self.job.gauge, &self.job.options);
                self.job.console.answer(&Value::Unknown(reason));
                return Status::Unknown;
            }
            let before = Before::new(self.run.configuration());
            match self.run.step() {
                Err(error) => return failed(&error, self.job),
                Ok(Event::Step { module, edge, choices }) => {
                    self.remember(&choices);
                    self.step(module, edge, &before);
                }
                Ok(Event::End(end)) => return self.end(end, before.depth),
            }
        }
    }

    fn start(&mut self) {
        let rsm = self.narrator.rsm;
        let before = Before::new(self.run.configuration());
        let globals = (0..rsm.globals.len() as u32).map(Place::Global);
        let locals = (0..rsm.module(rsm.main).locals.len() as u32).map(Place::Local);
        let globals = self.narrator.valuation(rsm.main, globals, before.moment());
        self.telling.start(&globals, &self.narrator.valuation(rsm.main, locals, before.moment()));
    }

    fn remember(&mut self, choices: &[Choice]) {
        if self.script.len() <= self.telling.longest_script() {
            self.script.extend(choices.iter().map(|choice| choice.text(self.narrator.rsm)));
        }
    }

    fn step(&mut self, module: ModuleId, edge: EdgeId, before: &Before) {
        self.n_steps += 1;
        let rsm: &Rsm = self.narrator.rsm;
        let configuration = self.run.configuration();
        let locals = configuration.top().map_or(&[][..], |top| &top.locals);
        let after = Moment { globals: &configuration.globals, locals };
        let effect = match (&rsm.module(module).edge(edge).action, before.caller) {
            (Action::Call { callee, .. }, _) => {
                let callee = rsm.module(*callee);
                let told: Vec<u32> = (callee.n_params as u32..callee.locals.len() as u32).collect();
                self.narrator.call((module, edge), before.moment(), after, &told)
            }
            (Action::Return { .. }, Some(caller)) => {
                self.narrator.back((module, edge), before.moment(), caller, after)
            }
            _ => self.narrator.within(module, edge, before.moment(), after),
        };
        self.telling.step(Step {
            number: self.n_steps,
            function: &rsm.module(module).name,
            depth: before.depth,
            statement: self.narrator.statement(module, edge),
            effect,
        });
    }

    fn end(mut self, end: End, depth: usize) -> Status {
        let mut row = None;
        let (kind, why) = match end {
            End::Returned => ("returned", "main has returned"),
            End::Blocked => ("blocked", "no step can be taken"),
            End::StepLimit => ("step limit", "there were as many steps as allowed"),
            End::Failure { module, edge, ref choices } => {
                self.remember(choices);
                let statement = self.narrator.statement(module, edge);
                let (line, statement) = (Some(statement.line), statement.text);
                let effect = "assertion fails".to_owned();
                row = Some(Row { line, depth, statement, effect, ..Row::default() });
                ("assertion", "an assertion fails")
            }
        };
        let n_unused = self.run.n_unused_choices();
        let script = Script { option: CHOICES, word: "choices", chosen: &self.script, n_unused };
        let n_steps = self.n_steps;
        self.telling.end(told::End { kind, why: why.to_owned(), row, n_steps, script });
        if matches!(end, End::Failure { .. }) { Status::Violated } else { Status::Evaluated }
    }
}

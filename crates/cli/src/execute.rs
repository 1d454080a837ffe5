//! `getafix run`: one run of a program, step by step.

use crate::answer::{Subject, Value};
use crate::args::ExecuteOptions;
use crate::c;
use crate::program;
use crate::render;
use crate::status::Status;
use crate::watch::Job;
use present::trace::{Moment, Narrator, Row, Table, list};
use rsm::run::{End, Event, Options, Rest, Run, RunError};
use rsm::step::{Choice, Configuration};
use rsm::{Action, EdgeId, ModuleId, Place, Rsm};

/// The longest script that is offered for repeating a run.
const LONGEST_SCRIPT: usize = 100;

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
            job.console.print("ended: no run can start, since `init` or `enforce` excludes all values\n");
            Status::Evaluated
        }
        Ok(Some((run, choices))) => {
            let script = choices.iter().map(|choice| choice.text(&rsm)).collect();
            Execution { narrator, table, run, script, n_steps: 0, job }.all()
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
    table: Table,
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
                let reason = render::stopped(reason, &self.job.gauge.read(), &self.job.options);
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

    fn start(&self) {
        self.job.console.print(&self.table.head());
        let rsm = self.narrator.rsm;
        let before = Before::new(self.run.configuration());
        let globals = (0..rsm.globals.len() as u32).map(Place::Global);
        let locals = (0..rsm.module(rsm.main).locals.len() as u32).map(Place::Local);
        let effect = list(&self.narrator.valuation(rsm.main, globals.chain(locals), before.moment()));
        if !effect.is_empty() {
            let row = Row { statement: "(initially)".to_owned(), effect, ..Row::default() };
            self.job.console.print(&self.table.row(&row));
        }
    }

    fn remember(&mut self, choices: &[Choice]) {
        if self.script.len() <= LONGEST_SCRIPT {
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
        self.row(Some(self.n_steps), module, edge, before.depth, effect.text());
    }

    fn row(&self, number: Option<u128>, module: ModuleId, edge: EdgeId, depth: usize, effect: String) {
        let statement = self.narrator.statement(module, edge);
        let (line, statement) = (Some(statement.line), statement.text);
        let row = Row { number, line, depth, statement, effect, ..Row::default() };
        self.job.console.print(&self.table.row(&row));
    }

    fn end(mut self, end: End, depth: usize) -> Status {
        let why = match end {
            End::Returned => "main has returned",
            End::Blocked => "no step can be taken",
            End::StepLimit => "there were as many steps as allowed",
            End::Failure { module, edge, ref choices } => {
                self.remember(choices);
                self.row(None, module, edge, depth, "assertion fails".to_owned());
                "an assertion fails"
            }
        };
        self.job.console.print(&format!("ended: {why}\n"));
        if self.run.n_unused_choices() > 0 {
            self.job.console.note(&format!("choices that were not used: {}", self.run.n_unused_choices()));
        }
        if !self.script.is_empty() && self.script.len() <= LONGEST_SCRIPT {
            self.job.console.note(&format!("the same run: --choices {}", self.script.join(",")));
        }
        if matches!(end, End::Failure { .. }) { Status::Violated } else { Status::Evaluated }
    }
}

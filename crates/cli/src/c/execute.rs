//! `getafix run` of a program in C: one run, step by step.

use super::{Wanted, load};
use crate::answer::Value;
use crate::args::ExecuteOptions;
use crate::render;
use crate::status::Status;
use crate::watch::Job;
use base::Random;
use checker::Arithmetic;
use integers::account::{Numbering, Passage};
use integers::step::Configuration;
use integers::trace::{End, Manner, walk_from};
use integers::{EdgeId, FunctionId, Goal, Input, Integers, Program, TargetKind, Type};
use present::integer::Teller;
use present::trace::{Row, Table, list};
use std::cell::RefCell;
use std::ops::ControlFlow;

/// The longest list of inputs that is offered for repeating a run.
const LONGEST_SCRIPT: usize = 100;

/// Executes the program.
pub fn run(options: &ExecuteOptions, job: &Job) -> Status {
    if !options.choices.is_empty() {
        job.console.error("`--choices` is about Boolean programs; `--inputs` says what a program in C reads");
        return Status::Rejected;
    }
    let wanted = Wanted {
        path: &options.file,
        options: &options.c,
        targets: &[],
        property: None,
        needs_target: false,
    };
    let Ok(loaded) = load(&wanted, job) else { return Status::Rejected };
    let (program, integers) = match loaded.arithmetic {
        Arithmetic::Machine | Arithmetic::Mathematical => (loaded.program.clone(), Integers::Mathematical),
        Arithmetic::Checked => (loaded.program.clone(), Integers::Machine),
        Arithmetic::Wrapping => (integers::wrapped(&loaded.program), Integers::Mathematical),
    };
    let teller = Teller { program: &program, sources: &loaded.sources };
    Run { teller, table: table(&teller, options.steps), job }.all(options, integers)
}

/// Columns wide enough for every statement of the program, since the steps are printed as they come.
fn table(teller: &Teller, n_steps: u64) -> Table {
    let (mut n_lines, mut width) = (0, 0);
    for (f, function) in teller.program.functions.iter().enumerate() {
        for e in 0..function.edges.len() {
            let statement = teller.statement_of(FunctionId::new(f), EdgeId::new(e));
            n_lines = n_lines.max(statement.line);
            width = width.max(statement.text.chars().count() + 4);
        }
    }
    Table::for_program(n_steps, n_lines, width)
}

struct Run<'a> {
    teller: Teller<'a>,
    table: Table,
    job: &'a Job,
}

/// Where inputs come from: a list, and then random numbers.
struct Source<'a> {
    listed: std::slice::Iter<'a, i128>,
    random: Random,
    chosen: Vec<i128>,
    /// A number of the list that is none of the type that is read.
    misfit: Option<(i128, Type)>,
}

impl Source<'_> {
    fn choose(&mut self, input: &Input) -> Option<i128> {
        let number = match self.listed.next() {
            Some(number) if !input.ty.contains(*number) => {
                self.misfit = Some((*number, input.ty));
                return None;
            }
            Some(number) => *number,
            None => self.random_number(input.ty),
        };
        if self.chosen.len() <= LONGEST_SCRIPT {
            self.chosen.push(number);
        }
        Some(number)
    }

    /// Mostly a small one.
    fn random_number(&mut self, ty: Type) -> i128 {
        let number = match self.random.below(8) {
            0 => i128::from(self.random.draw()),
            1 => i128::from(self.random.below(2001)) - 1000,
            _ => i128::from(self.random.below(21)) - 10,
        };
        ty.wrap(number)
    }
}

impl Run<'_> {
    fn all(&self, options: &ExecuteOptions, integers: Integers) -> Status {
        let program = self.teller.program;
        let mut configuration = Configuration::start(program);
        self.start(&configuration);
        let source = RefCell::new(Source {
            listed: options.inputs.iter(),
            random: Random::new(options.seed),
            chosen: Vec::new(),
            misfit: None,
        });
        let mut numbering = Numbering::new(program);
        // Some steps are not in the text, and do not count.
        let max_steps = options.steps.saturating_mul(64).saturating_add(1000);
        let manner = Manner { integers, goal: Goal::Any, max_steps };
        let mut choose = |input: &Input| source.borrow_mut().choose(input);
        let end = walk_from(program, &mut configuration, &mut choose, manner, &mut |step, after| {
            if let Some(told) = numbering.tell(&step, after) {
                self.job.console.print(&self.table.row(&self.teller.row(&Passage::Step(told))));
            }
            let is_over = numbering.n_steps() >= options.steps || self.job.stop.requested().is_some();
            if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if let Some(told) = numbering.finish() {
            self.job.console.print(&self.table.row(&self.teller.row(&Passage::Step(told))));
        }
        self.end(end, &configuration, &source.into_inner())
    }

    fn start(&self, configuration: &Configuration) {
        self.job.console.print(&self.table.head());
        let effect = list(&self.teller.globals(&configuration.globals));
        if !effect.is_empty() {
            let row = Row { statement: "(initially)".to_owned(), effect, ..Row::default() };
            self.job.console.print(&self.table.row(&row));
        }
    }

    fn end(&self, end: End, configuration: &Configuration, source: &Source) -> Status {
        let console = &self.job.console;
        if let Some((number, ty)) = source.misfit {
            console.error(&format!("the input {number} does not fit its type, {ty}"));
            return Status::Rejected;
        }
        if let Some(reason) = self.job.stop.requested() {
            let reason = render::stopped(reason, &self.job.gauge.read(), &self.job.options);
            console.answer(&Value::Unknown(reason));
            return Status::Unknown;
        }
        let depth = configuration.frames.len().saturating_sub(1);
        if let Some(row) = self.teller.end(end, depth) {
            console.print(&self.table.row(&row));
        }
        console.print(&format!("ended: {}\n", self.why(end)));
        if source.listed.len() > 0 {
            console.note(&format!("inputs that were not used: {}", source.listed.len()));
        }
        if !source.chosen.is_empty() && source.chosen.len() <= LONGEST_SCRIPT {
            let script: Vec<String> = source.chosen.iter().map(i128::to_string).collect();
            console.note(&format!("the same run: --inputs={}", script.join(",")));
        }
        match end {
            End::Target(_) | End::Undefined(..) => Status::Violated,
            End::Unknown(_) => Status::Unknown,
            End::Returned | End::Stopped | End::Blocked(..) | End::NoInput(_) | End::StepLimit => {
                Status::Evaluated
            }
        }
    }

    fn why(&self, end: End) -> String {
        let Program { targets, unknowns, .. } = self.teller.program;
        match end {
            End::Returned => "main has returned".to_owned(),
            End::Stopped => "the program ends itself".to_owned(),
            End::Blocked(..) => "an assumption does not hold".to_owned(),
            End::StepLimit => "there were as many steps as allowed".to_owned(),
            End::NoInput(_) => "there is no input left".to_owned(),
            End::Undefined(undefined, ..) => undefined.to_string(),
            End::Unknown(unknown) => {
                format!("how it goes on depends on {}", unknowns[unknown.index()].construct)
            }
            End::Target(target) => match &targets[target.index()] {
                target if target.kind == TargetKind::Assertion => "an assertion fails".to_owned(),
                target if target.kind == TargetKind::Label => format!("{} is reached", target.name),
                target => format!("{} is called", target.name),
            },
        }
    }
}

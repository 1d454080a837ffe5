//! `getafix run` of a program in C: one run, step by step.

use super::{Wanted, load};
use crate::answer::Value;
use crate::job::Job;
use crate::options::ExecuteOptions;
use crate::status::Status;
use crate::told::{self, Script, Step, Telling};
use base::Random;
use checker::Arithmetic;
use integers::account::{Numbering, Told};
use integers::step::Configuration;
use integers::trace::{End, Manner, walk_from};
use integers::{EdgeId, FunctionId, Goal, Input, Integers, Program, TargetKind, Type};
use present::integer::Teller;
use present::trace::Table;
use std::cell::RefCell;
use std::ops::ControlFlow;

/// Executes the program.
pub fn run(options: &ExecuteOptions, job: &Job) -> Status {
    if !options.choices.is_empty() {
        job.record.error("`--choices` is about Boolean programs; `--inputs` says what a program in C reads");
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
    let (program, integers) = match loaded.program.arithmetic {
        Arithmetic::Machine | Arithmetic::Mathematical => {
            (loaded.program.program.clone(), Integers::Mathematical)
        }
        Arithmetic::Checked => (loaded.program.program.clone(), Integers::Machine),
        Arithmetic::Wrapping => (integers::wrapped(&loaded.program), Integers::Mathematical),
    };
    let teller = Teller { program: &program, sources: &loaded.sources, objects: None };
    let telling = Telling::new(job, table(&teller, options.steps), &program.function(program.main).name);
    Run { teller, telling, job }.all(options, integers)
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
    telling: Telling<'a>,
    job: &'a Job,
}

/// Where inputs come from: a list, and then random numbers.
struct Source<'a> {
    listed: std::slice::Iter<'a, i128>,
    random: Random,
    chosen: Vec<i128>,
    /// So many of those that were chosen are remembered, and one more.
    n_remembered: usize,
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
        if self.chosen.len() <= self.n_remembered {
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
    fn all(mut self, options: &ExecuteOptions, integers: Integers) -> Status {
        let program = self.teller.program;
        let mut configuration = Configuration::start(program);
        self.telling.start(&self.teller.globals(&configuration.globals), &[]);
        let source = RefCell::new(Source {
            listed: options.inputs.iter(),
            random: Random::new(options.seed),
            chosen: Vec::new(),
            n_remembered: self.telling.longest_script(),
            misfit: None,
        });
        let mut numbering = Numbering::new(program);
        // Some steps are not in the text, and do not count.
        let max_steps = options.steps.saturating_mul(64).saturating_add(1000);
        let manner = Manner { integers, goal: Goal::Any, max_steps };
        let mut choose = |input: &Input| source.borrow_mut().choose(input);
        let end = walk_from(program, &mut configuration, &mut choose, manner, &mut |step, after| {
            if let Some(told) = numbering.tell(&step, after) {
                self.step(&told, after);
            }
            let is_over = numbering.n_steps() >= options.steps || self.job.stop.requested().is_some();
            if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if let Some(told) = numbering.finish() {
            self.step(&told, &configuration);
        }
        let n_steps = numbering.n_steps().into();
        self.end(end, &configuration, &source.into_inner(), n_steps)
    }

    fn step(&mut self, told: &Told, after: &Configuration) {
        let teller = Teller { objects: Some(&after.objects), ..self.teller };
        self.telling.step(Step {
            number: told.number.into(),
            function: &self.teller.program.function(told.step.function).name,
            depth: told.step.depth,
            statement: teller.statement(told),
            effect: teller.effect(told),
        });
    }

    fn end(self, end: End, configuration: &Configuration, source: &Source, n_steps: u128) -> Status {
        let record = &self.job.record;
        if let Some((number, ty)) = source.misfit {
            record.error(&format!("the input {number} does not fit its type, {ty}"));
            return Status::Rejected;
        }
        if let Some(reason) = self.job.stop.requested() {
            let reason = self.job.stopped(reason);
            record.answer(&Value::Unknown(reason));
            return Status::Unknown;
        }
        let depth = configuration.frames.len().saturating_sub(1);
        let chosen: Vec<String> = source.chosen.iter().map(i128::to_string).collect();
        let n_unused = source.listed.len();
        let script = Script { option: "--inputs=", word: "inputs", chosen: &chosen, n_unused };
        let (kind, why, row) = (kind(end), self.why(end), self.teller.end(end, depth));
        self.telling.end(told::End { kind, why, row, n_steps, script });
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

/// How a run ended, for programs.
fn kind(end: End) -> &'static str {
    match end {
        End::Returned => "returned",
        End::Stopped => "exit",
        End::Blocked(..) => "blocked",
        End::StepLimit => "step limit",
        End::NoInput(_) => "no input",
        End::Undefined(..) => "undefined",
        End::Unknown(_) => "unknown",
        End::Target(_) => "target",
    }
}

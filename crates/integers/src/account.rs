//! A run as it is told to people: what is in the text, and no more than can be read.
//!
//! Input: a program and what the environment chooses. Output: the steps of the run, by the meaning of the program ([`crate::step`]).
//! Steps that are not in the text, which store nothing but variables whose names begin with `$`, are neither told nor counted. A call
//! that goes on exactly as an earlier one is told once. Of a long run the beginning and the end are told. A run without end is told up to
//! where it begins again.

mod difference;
mod lasso;
mod numbering;
mod recorder;
mod visible;

pub use difference::{Became, Difference, Stack, Standing, TOLD_CELLS, whole};
pub use lasso::Cycle;
pub use numbering::Numbering;

use crate::evaluate::Value;
use crate::program::{EdgeId, FunctionId, InputId, Program};
use crate::step::Configuration;
use crate::trace::{End, Manner, TraceStep, walk_from};
use lasso::Lasso;
use recorder::Recorder;
use std::ops::ControlFlow;

/// A part of a run that is told in one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Passage {
    /// A step.
    Step(Told),
    /// A call goes on as an earlier one, up to and including its return.
    Again {
        /// The number of the first step of that one.
        first: u64,
        /// The number of its last step.
        last: u64,
        /// The return.
        back: Told,
    },
    /// Steps that are left out.
    Omitted {
        /// The number of the first.
        first: u64,
        /// The number of the last.
        last: u64,
        /// Where the functions stand then.
        stack: Stack,
    },
}

/// A step that is told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Told {
    /// Its number, from 1.
    pub number: u64,
    /// The step.
    pub step: TraceStep,
    /// For a return: the edge that led to the exit, if that is told together with the return.
    pub by: Option<EdgeId>,
    /// For a return: the function that goes on.
    pub caller: Option<FunctionId>,
}

/// A run, told.
#[derive(Clone, Debug)]
pub struct Account {
    /// What the globals hold at first.
    pub start: Vec<Value>,
    /// What happens.
    pub passages: Vec<Passage>,
    /// What is different after each passage, as many as there are passages.
    pub differences: Vec<Difference>,
    /// How many steps the run has that are in the text; those that are taken again and again count once.
    pub n_steps: u64,
    /// Why it is over; for a run without end, [`End::StepLimit`].
    pub end: End,
    /// What is taken again and again.
    pub cycle: Option<Cycle>,
    /// What the environment chose, one after the other.
    pub inputs: Vec<i128>,
    /// The places where it was asked, each once.
    pub asked: Vec<InputId>,
    /// When each edge was taken for the first time, and how often, in the order of the first times. Those that are told with a return
    /// count as the return.
    pub visits: Vec<Visit>,
    /// Where the run is at the end.
    pub last: Configuration,
}

/// How often an edge was taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Visit {
    /// The function.
    pub function: FunctionId,
    /// The edge.
    pub edge: EdgeId,
    /// The number of the first step by it.
    pub first: u64,
    /// The number of the last step by it.
    pub last: u64,
    /// How many steps there are.
    pub n_times: u64,
}

/// What the environment chooses.
#[derive(Clone, Copy, Debug)]
pub struct Script<'s> {
    /// These numbers, one after the other.
    pub inputs: &'s [i128],
    /// For a run without end: those from this position on again and again.
    pub repeats_from: Option<usize>,
}

/// Tells a run. If its inputs are repeated, it is told up to where a state comes back.
pub fn account(program: &Program, script: Script, manner: Manner) -> Account {
    let mut configuration = Configuration::start(program);
    configuration.objects.watch();
    let start = configuration.globals.clone();
    let mut recorder = Recorder::new(program, &configuration);
    let mut lasso = script.repeats_from.map(|_| Lasso::new(program, &configuration));
    let mut cycle = None;
    let (mut inputs, mut asked) = (Vec::new(), Vec::new());
    let mut numbers = choices(script);
    let end =
        walk_from(program, &mut configuration, &mut |_| numbers.next(), manner, &mut |mut step, after| {
            let touched = std::mem::take(&mut step.touched);
            for (input, number) in &step.inputs {
                inputs.push(*number);
                if !asked.contains(input) {
                    asked.push(*input);
                }
            }
            recorder.tell(&step, touched, after);
            cycle = lasso.as_mut().and_then(|lasso| lasso.look(&step, after, recorder.n_steps()));
            if cycle.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
    let n_steps = recorder.finish(&configuration);
    let visits = recorder.visits();
    let (passages, differences) = recorder.passages();
    Account { start, passages, differences, n_steps, end, cycle, inputs, asked, visits, last: configuration }
}

/// The numbers of a script, one after the other.
fn choices(script: Script<'_>) -> Box<dyn Iterator<Item = i128> + '_> {
    let inputs = script.inputs.iter().copied();
    match script.repeats_from.and_then(|from| script.inputs.get(from..)) {
        Some(again) => Box::new(inputs.chain(again.iter().copied().cycle())),
        None => Box::new(inputs),
    }
}

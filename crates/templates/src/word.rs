//! A word of formulas: a relation about the program, how it is declared, what it says, and who makes its rows.

use crate::parameter::Changed;
use crate::target::goal_rows;
use crate::{StateParameter, Template, Templates, Vocabulary};
use dd::{Exhausted, Manager};
use encode::Encoder;
use rsm::ThreadGoal;
use rustc_hash::FxHashMap;
use solver::{FrameId, Given, Solver};
use std::borrow::Cow;
use std::rc::Rc;

/// What a fact of a relation is in a run. States are named as in the list of words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// A run may start at u.
    Start,
    /// A step inside a function leads from x to v.
    Step,
    /// A call leads from x to the entry y.
    Call,
    /// A call is left at the exit z and goes on at v; if there are three states, the first is the call x.
    Return,
    /// The caller's half of a return: from the call x to v, where some `Return` from an exit to v ends.
    Around,
    /// v is what the question asks for. Its rows are given with each question.
    Target,
    /// It restricts states, and is no part of a run.
    Plain,
}

/// What the rows of a word are made of.
pub struct Making<'m, 'r, 's> {
    /// The program, and how formulas speak of it.
    pub templates: &'m Templates<'r>,
    /// All words.
    pub words: &'m Vocabulary,
    /// This word.
    pub template: &'m Template,
    /// The states among its parameters.
    pub states: Vec<StateParameter>,
    /// What the question asks for.
    pub goals: &'m [ThreadGoal],
    /// Makes diagrams of expressions.
    pub encoder: &'m mut Encoder,
    /// Keeps the diagrams.
    pub solver: &'m mut Solver<'s>,
    /// What was made of changes between two of the states.
    pub(crate) frames: FxHashMap<(Changed, [usize; 2]), FrameId>,
}

impl Making<'_, '_, '_> {
    /// The columns that are equal in two of the states.
    pub(crate) fn frame(&mut self, changed: Changed, states: [usize; 2]) -> FrameId {
        let key = (changed, states);
        if let Some(frame) = self.frames.get(&key) {
            return *frame;
        }
        let [before, after] = states.map(|state| &self.states[state]);
        let frame = self.solver.frame(key.0.frame(before, after));
        self.frames.insert(key, frame);
        frame
    }

    /// What makes diagrams, and what keeps them.
    pub fn tools(&mut self) -> (&mut Encoder, &mut Manager) {
        (self.encoder, self.solver.diagrams())
    }
}

/// What a maker makes.
pub type Rows = Result<Vec<Given>, Exhausted>;

/// Makes the rows of a word.
type Maker = dyn Fn(&mut Making) -> Rows;

/// A template relation: how it is declared, what it says, and its rows.
#[derive(Clone)]
pub struct Word {
    /// Its name.
    pub name: Cow<'static, str>,
    /// The sort and the name of each parameter.
    pub params: &'static [(&'static str, &'static str)],
    /// What it says.
    pub about: Cow<'static, str>,
    /// What its facts are in a run.
    pub role: Role,
    pub(crate) rows: Rc<Maker>,
}

impl Word {
    /// A word that is no part of runs.
    pub fn new(
        name: impl Into<Cow<'static, str>>,
        params: &'static [(&'static str, &'static str)],
        about: impl Into<Cow<'static, str>>,
        rows: impl Fn(&mut Making) -> Rows + 'static,
    ) -> Self {
        Self { name: name.into(), params, about: about.into(), role: Role::Plain, rows: Rc::new(rows) }
    }

    /// A word that holds at a label of the program, in programs with threads for each thread that is meant.
    pub fn label(name: String, label: &str, goals: Vec<ThreadGoal>, has_threads: bool) -> Self {
        let params: &[(&str, &str)] =
            if has_threads { &[("Thread", "t"), ("State", "v")] } else { &[("State", "v")] };
        let about = format!("v is at the label {label}");
        Self::new(name, params, about, move |making| goal_rows(making, &goals))
    }

    /// The same word with a role in runs.
    #[must_use]
    pub fn with_role(self, role: Role) -> Self {
        Self { role, ..self }
    }

    /// The parameters as they are declared.
    pub fn declared(&self) -> String {
        let params: Vec<String> = self.params.iter().map(|(sort, name)| format!("{sort} {name}")).collect();
        params.join(", ")
    }
}

//! What is asked: texts, a question, and limits, as plain data.

use crate::options::{
    AbstractOptions, CheckOptions, ExecuteOptions, FormatOptions, LanguageName, MuOptions,
    SequentializeOptions, TranslateOptions, ValidateOptions, WitnessOptions,
};
use present::reason::LimitsSet;
use std::time::Duration;

/// A question.
#[derive(Clone, Debug)]
pub struct Request {
    /// Texts by their names. What is named and not among them is asked for from outside.
    pub sources: Vec<Source>,
    /// What is asked, about which text.
    pub question: Question,
    /// When to give up.
    pub limits: Limits,
    /// In which forms the answer is wanted.
    pub output: Output,
}

/// A text and its name.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its name, which messages use. Its ending says what it is, if no option does.
    pub name: String,
    /// What it says.
    pub text: Vec<u8>,
}

/// What is asked.
#[derive(Clone, Debug)]
pub enum Question {
    /// Can a run of the program reach a target, or what else is asked?
    Check(Box<CheckOptions>),
    /// Is a certificate right?
    Validate(ValidateOptions),
    /// Is a witness of another tool right?
    Witness(WitnessOptions),
    /// What happens, step by step?
    Run(ExecuteOptions),
    /// What is the canonical form?
    Format(FormatOptions),
    /// What is the question in the language of another solver?
    Translate(TranslateOptions),
    /// What do predicates see of a program in C?
    Abstract(AbstractOptions),
    /// What sequential program asks the same?
    Sequentialize(SequentializeOptions),
    /// What are the values of formulas?
    Evaluate(MuOptions),
}

/// When to give up.
#[derive(Clone, Copy, Default, Debug)]
pub struct Limits {
    /// After so much time, as the clock that is handed to the answer tells it.
    pub timeout: Option<Duration>,
    /// Above so many bytes: counted in decision diagrams and tables of states.
    pub memory: Option<u64>,
}

impl Limits {
    /// For messages about them.
    pub(crate) fn set(self) -> LimitsSet {
        LimitsSet { timeout: self.timeout, memory: self.memory }
    }
}

/// The forms in which an answer is wanted. Each takes some time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Output {
    /// As text.
    pub text: bool,
    /// As a JSON object.
    pub json: bool,
    /// For SARIF.
    pub sarif: bool,
    /// For a page.
    pub html: bool,
    /// With the figures of the run, times among them: then no two runs say the same.
    pub stats: bool,
}

impl Default for Output {
    fn default() -> Self {
        Self { text: true, json: true, sarif: true, html: true, stats: false }
    }
}

impl Source {
    /// A text.
    pub fn new(name: impl Into<String>, text: impl Into<Vec<u8>>) -> Self {
        Self { name: name.into(), text: text.into() }
    }
}

impl Request {
    /// A question about texts, without limits, answered in every form.
    pub fn new(question: Question, sources: Vec<Source>) -> Self {
        Self { sources, question, limits: Limits::default(), output: Output::default() }
    }

    /// Can a run of this program reach an error? The name says what it is written in: `.c` and `.i` are programs in C, and others are Boolean programs.
    pub fn check(name: &str, text: &str) -> Self {
        Self::check_with(name, text, CheckOptions::default())
    }

    /// The same with options. Which program it is about, is not one of them.
    pub fn check_with(name: &str, text: &str, options: CheckOptions) -> Self {
        let options = CheckOptions { file: name.into(), ..options };
        Self::new(Question::Check(Box::new(options)), vec![Source::new(name, text)])
    }

    /// What are the values of the formulas of this file?
    pub fn evaluate(name: &str, text: &str) -> Self {
        let options = MuOptions { file: name.into(), ..MuOptions::default() };
        Self::new(Question::Evaluate(options), vec![Source::new(name, text)])
    }
}

/// What a program is written in: for [`crate::options::COptions::language`].
pub type Language = LanguageName;

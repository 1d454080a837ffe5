//! A solver behind a pipe that is kept open.
//!
//! Contract: an answer is what the solver said about this query, between two marks that belong to it. A solver that dies, is silent or
//! talks nonsense is started anew and asked again, a few times; then the answer is unknown. It is given so many units of its own work for each
//! question, not so much time, so that it gives up at the same point on every machine; the patience of whoever waits is there
//! for solvers that hang.

use crate::find::OLDEST;
use crate::process::{Process, Trouble};
use crate::query::{Answer, Assumption, Cubes, Model, Query, Solver, Why};
use crate::sexpr::{Sexpr, read};
use base::Stop;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How a solver is treated.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How much of its own work it may do for a question: z3's `rlimit`.
    pub effort: u64,
    /// How long it may be silent.
    pub patience: Duration,
    /// How much memory it may use, in megabytes.
    pub memory: u64,
    /// How many seconds each process may live, even if nobody is there to end it; without a number, as long as we do.
    pub seconds: Option<u64>,
    /// How many times a question is asked again when the solver fails.
    pub n_retries: u32,
    /// How many times in all it is started anew.
    pub n_restarts: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            effort: 4_000_000,
            patience: Duration::from_secs(120),
            memory: 2048,
            seconds: None,
            n_retries: 2,
            n_restarts: 100,
        }
    }
}

/// A z3 that is kept open.
pub struct Pipe {
    program: PathBuf,
    settings: Settings,
    stop: Stop,
    process: Option<Process>,
    /// The query that the process knows.
    loaded: Option<Query>,
    /// Why no more processes are started.
    broken: Option<String>,
    n_started: u32,
    n_asked: u64,
    n_marks: u64,
}

impl Pipe {
    /// A solver at a place that [`crate::find`] has found. It is started when it is asked something.
    pub fn new(program: &Path, stop: Stop) -> Self {
        Self::with(program, stop, Settings::default())
    }

    /// The same, treated in some way.
    pub fn with(program: &Path, stop: Stop, settings: Settings) -> Self {
        Self {
            program: program.to_owned(),
            settings,
            stop,
            process: None,
            loaded: None,
            broken: None,
            n_started: 0,
            n_asked: 0,
            n_marks: 0,
        }
    }

    /// Starts the solver, and says what is wrong with it if something is.
    pub fn open(&mut self) -> Result<(), Why> {
        self.ask(|_| Ok(()))
    }

    /// How many times a process was started.
    pub fn n_started(&self) -> u32 {
        self.n_started
    }

    /// Asks until there is an answer, or no hope for one.
    fn ask<T>(&mut self, talk: impl Fn(&mut Self) -> Result<T, Trouble>) -> Result<T, Why> {
        let mut n_failed = 0;
        loop {
            if let Some(how) = &self.broken {
                return Err(Why::Failed(how.clone()));
            }
            let is_stopped = self.stop.requested_after(0).is_some();
            let answer =
                if is_stopped { Err(Trouble::Stopped) } else { self.started().and_then(|()| talk(self)) };
            let trouble = match answer {
                Ok(answer) => return Ok(answer),
                Err(trouble) => trouble,
            };
            // Nothing is known about its state any more.
            self.process = None;
            self.loaded = None;
            let how = match trouble {
                Trouble::Stopped => return Err(Why::Stopped),
                Trouble::Silent => return Err(Why::TimedOut),
                // It would need as much when it is asked again.
                Trouble::Memory => return Err(Why::OutOfMemory(self.settings.memory)),
                Trouble::Died => format!("`{}` ended unexpectedly", self.program.display()),
                Trouble::Nonsense(what) => format!("`{}` said {what}", self.program.display()),
                Trouble::Unusable(how) => {
                    self.broken = Some(how.clone());
                    return Err(Why::Failed(how));
                }
            };
            if self.n_started > self.settings.n_restarts {
                self.broken = Some(how.clone());
            }
            n_failed += 1;
            if n_failed > self.settings.n_retries {
                return Err(Why::Failed(how));
            }
        }
    }

    /// Makes sure that there is a process, and that it is one that can be used.
    fn started(&mut self) -> Result<(), Trouble> {
        if self.process.is_some() {
            return Ok(());
        }
        let memory = format!("-memory:{}", self.settings.memory);
        let mut arguments = vec!["-in".to_owned(), "-smt2".to_owned(), memory];
        arguments.extend(self.settings.seconds.map(|seconds| format!("-T:{seconds}")));
        self.n_started += 1;
        self.process = Some(Process::start(&self.program, &arguments)?);
        self.send(format!(
            "(set-option :rlimit {})\n(get-info :name)\n(get-info :version)\n",
            self.settings.effort
        ));
        let greeting = self.marked()?;
        usable(&greeting).map_err(|how| Trouble::Unusable(format!("`{}` {how}", self.program.display())))
    }

    fn send(&mut self, text: String) {
        if let Some(process) = &mut self.process {
            process.send(text);
        }
    }

    /// A line that only this question makes the solver print.
    fn mark(&mut self) -> String {
        self.n_marks += 1;
        format!("getafix {}", self.n_marks)
    }

    /// Everything that the solver has to say about what was sent.
    fn marked(&mut self) -> Result<Vec<Sexpr>, Trouble> {
        let mark = self.mark();
        self.send(format!("(echo \"{mark}\")\n"));
        self.until(&mark)
    }

    fn until(&mut self, mark: &str) -> Result<Vec<Sexpr>, Trouble> {
        let process = self.process.as_mut().ok_or(Trouble::Died)?;
        let text = process.receive(mark, &self.stop, self.settings.patience)?;
        read(&text).ok_or_else(|| nonsense(&text))
    }

    /// Makes the query known, in a scope of its own.
    fn load(&mut self, query: &Query) {
        if self.loaded.as_ref() == Some(query) {
            return;
        }
        let mut text = String::new();
        if self.loaded.take().is_some() {
            text.push_str("(pop 1)\n");
        }
        text.push_str("(push 1)\n");
        for variable in &query.variables {
            writeln!(text, "(declare-const {variable} Int)").expect("a string takes everything");
        }
        for assert in &query.asserts {
            writeln!(text, "(assert {assert})").expect("a string takes everything");
        }
        for (n, atom) in query.atoms.iter().enumerate() {
            let name = name(n);
            writeln!(text, "(declare-const {name} Bool)\n(assert (= {name} {atom}))")
                .expect("a string takes everything");
        }
        self.send(text);
        self.loaded = Some(query.clone());
    }

    /// One answer of the solver.
    fn answered(&mut self, said: &[Sexpr]) -> Result<Answer, Trouble> {
        match said {
            [Sexpr::Atom(word)] if word == "sat" => Ok(Answer::Sat),
            [Sexpr::Atom(word)] if word == "unsat" => Ok(Answer::Unsat),
            [Sexpr::Atom(word)] if word == "unknown" => Ok(Answer::Unknown(Why::GaveUp)),
            _ => Err(unexpected(said)),
        }
    }

    fn try_check(&mut self, query: &Query, assumptions: &[Vec<Assumption>]) -> Result<Vec<Answer>, Trouble> {
        self.load(query);
        let mut text = String::new();
        let mut marks = Vec::new();
        for list in assumptions {
            let literals: Vec<String> = list.iter().map(|assumption| literal(*assumption)).collect();
            let question = match &literals[..] {
                [] => "(check-sat)".to_owned(),
                literals => format!("(check-sat-assuming ({}))", literals.join(" ")),
            };
            let mark = self.mark();
            writeln!(text, "{question}\n(echo \"{mark}\")").expect("a string takes everything");
            marks.push(mark);
        }
        self.send(text);
        let mut answers = Vec::new();
        for mark in marks {
            let said = self.until(&mark)?;
            answers.push(self.answered(&said)?);
        }
        Ok(answers)
    }

    fn try_cubes(&mut self, query: &Query, most: usize) -> Result<Cubes, Trouble> {
        self.load(query);
        self.send("(push 1)\n".to_owned());
        let names: Vec<String> = (0..query.atoms.len()).map(name).collect();
        let mut cubes: Vec<Vec<bool>> = Vec::new();
        let found = loop {
            self.n_asked += 1;
            self.send("(check-sat)\n".to_owned());
            let said = self.marked()?;
            match self.answered(&said)? {
                Answer::Unsat => break None,
                Answer::Unknown(why) => break Some(Cubes::Unknown(why)),
                Answer::Sat if cubes.len() == most => break Some(Cubes::TooMany),
                Answer::Sat if names.is_empty() => {
                    cubes.push(Vec::new());
                    break None;
                }
                Answer::Sat => {}
            }
            self.send(format!("(get-value ({}))\n", names.join(" ")));
            let said = self.marked()?;
            let cube = values(&said, names.len(), truth_value).ok_or_else(|| unexpected(&said))?;
            if cubes.contains(&cube) {
                return Err(Trouble::Nonsense("the same valuation twice".to_owned()));
            }
            let other = |(n, &holds): (usize, &bool)| literal(Assumption { atom: n, holds: !holds });
            let others: Vec<String> = cube.iter().enumerate().map(other).collect();
            self.send(format!("(assert (or {}))\n", others.join(" ")));
            cubes.push(cube);
        };
        self.send("(pop 1)\n".to_owned());
        cubes.sort_unstable();
        Ok(found.unwrap_or(Cubes::All(cubes)))
    }

    fn try_model(&mut self, query: &Query, terms: &[String]) -> Result<Model, Trouble> {
        self.load(query);
        self.send("(check-sat)\n".to_owned());
        let said = self.marked()?;
        match self.answered(&said)? {
            Answer::Unsat => return Ok(Model::Unsat),
            Answer::Unknown(why) => return Ok(Model::Unknown(why)),
            Answer::Sat if terms.is_empty() => return Ok(Model::Sat(Vec::new())),
            Answer::Sat => {}
        }
        self.send(format!("(get-value ({}))\n", terms.join(" ")));
        let said = self.marked()?;
        let numbers =
            values(&said, terms.len(), |value| Some(value.clone())).ok_or_else(|| unexpected(&said))?;
        if !numbers.iter().all(is_numeral) {
            return Err(unexpected(&said));
        }
        let numbers: Option<Vec<i128>> = numbers.iter().map(Sexpr::number).collect();
        Ok(numbers.map_or(Model::Unknown(Why::GaveUp), Model::Sat))
    }
}

impl Solver for Pipe {
    fn check(&mut self, query: &Query, assumptions: &[Vec<Assumption>]) -> Vec<Answer> {
        if assumptions.is_empty() {
            return Vec::new();
        }
        self.n_asked += assumptions.len() as u64;
        match self.ask(|pipe| pipe.try_check(query, assumptions)) {
            Ok(answers) => answers,
            // One question that brings the solver down leaves the others their answers.
            Err(Why::Failed(_)) if assumptions.len() > 1 && self.broken.is_none() => {
                let (some, others) = assumptions.split_at(assumptions.len() / 2);
                self.n_asked -= assumptions.len() as u64;
                let mut answers = self.check(query, some);
                answers.extend(self.check(query, others));
                answers
            }
            Err(why) => vec![Answer::Unknown(why); assumptions.len()],
        }
    }

    fn cubes(&mut self, query: &Query, most: usize) -> Cubes {
        self.ask(|pipe| pipe.try_cubes(query, most)).unwrap_or_else(Cubes::Unknown)
    }

    fn model(&mut self, query: &Query, terms: &[String]) -> Model {
        self.n_asked += 1;
        self.ask(|pipe| pipe.try_model(query, terms)).unwrap_or_else(Model::Unknown)
    }

    fn n_asked(&self) -> u64 {
        self.n_asked
    }
}

/// Whether the solver is one that is understood, by what it says of itself.
pub(crate) fn usable(greeting: &[Sexpr]) -> Result<(), String> {
    let about = |keyword: &str| {
        greeting.iter().find_map(|said| match said.list()? {
            [Sexpr::Atom(word), Sexpr::Atom(value)] if word == keyword => {
                Some(value.trim_matches('"').to_owned())
            }
            _ => None,
        })
    };
    let (Some(name), Some(version)) = (about(":name"), about(":version")) else {
        return Err("does not say which solver it is".to_owned());
    };
    let [major, minor, patch] = OLDEST;
    if !name.eq_ignore_ascii_case("z3") {
        return Err(format!("is {name} {version}; z3 {major}.{minor}.{patch} or later is needed"));
    }
    let numbers: Vec<u32> = version.split('.').map_while(|part| part.parse().ok()).collect();
    if numbers < OLDEST.to_vec() {
        return Err(format!("is version {version} of z3; {major}.{minor}.{patch} or later is needed"));
    }
    Ok(())
}

fn nonsense(text: &str) -> Trouble {
    let line = text.lines().next().unwrap_or_default();
    let short: String = line.chars().take(200).collect();
    Trouble::Nonsense(format!("`{}`", short.trim()))
}

fn unexpected(said: &[Sexpr]) -> Trouble {
    if let Some([Sexpr::Atom(word), Sexpr::Atom(message)]) = said.first().and_then(Sexpr::list)
        && word == "error"
    {
        return Trouble::Nonsense(format!("`{}`", message.trim_matches('"')));
    }
    match said {
        [] => Trouble::Nonsense("nothing".to_owned()),
        said => nonsense(&format!("{said:?}")),
    }
}

/// The name of an atom.
fn name(atom: usize) -> String {
    format!("atom!{atom}")
}

fn literal(assumption: Assumption) -> String {
    let name = name(assumption.atom);
    if assumption.holds { name } else { format!("(not {name})") }
}

/// The values of a `get-value`, in order.
fn values<T>(said: &[Sexpr], n: usize, value: impl Fn(&Sexpr) -> Option<T>) -> Option<Vec<T>> {
    let [Sexpr::List(pairs)] = said else { return None };
    let values = pairs.iter().map(|pair| match pair.list()? {
        [_, said] => value(said),
        _ => None,
    });
    let values: Vec<T> = values.collect::<Option<_>>()?;
    (values.len() == n).then_some(values)
}

fn truth_value(said: &Sexpr) -> Option<bool> {
    match said.atom()? {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

/// A number of any size.
fn is_numeral(value: &Sexpr) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
    match value {
        Sexpr::Atom(text) => digits(text),
        Sexpr::List(list) => {
            matches!(&list[..], [Sexpr::Atom(minus), Sexpr::Atom(text)] if minus == "-" && digits(text))
        }
    }
}

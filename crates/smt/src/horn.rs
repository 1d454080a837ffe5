//! The solver's engine for Horn clauses, in a process of its own.
//!
//! It is started at once, or when it is awaited where there is no room for more processes, and whoever started it looks at it when it suits. What it finds is not believed: a model is to be checked, and is good for
//! ideas if it fails. It is given an amount of its own work, like the solver behind a pipe.

use crate::pipe::usable;
use crate::process::{Process, Trouble};
use crate::query::Why;
use crate::sexpr::{Sexpr, read};
use base::Stop;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How it looks for a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Manner {
    /// It generalises over what it has learned everywhere: good for counters, bad for deep constants.
    pub global: bool,
    /// How much work it may do: z3's `rlimit`. A million is half a second or so.
    pub effort: u64,
    /// How many seconds it may live, even if nobody is there to end it.
    pub seconds: u64,
    /// How much memory it may use, in megabytes.
    pub memory: u64,
    /// When it begins.
    pub begins: Begins,
}

/// When a process begins to work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Begins {
    /// Beside whatever else is done.
    AtOnce,
    /// When somebody waits for it.
    WhenAwaited,
}

impl Default for Manner {
    fn default() -> Self {
        Self { global: false, effort: 40_000_000, seconds: 600, memory: 2048, begins: Begins::AtOnce }
    }
}

/// What it found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Solution {
    /// The clauses have a model: what `get-model` says.
    Sat(Vec<Sexpr>),
    /// They have none.
    Unsat,
    /// Nobody knows.
    Unknown(Why),
}

/// A process that looks for a model. It ends with this value at the latest.
pub struct Horn {
    /// What is asked, and of whom.
    program: PathBuf,
    clauses: String,
    manner: Manner,
    has_begun: bool,
    process: Option<Process>,
    solution: Option<Solution>,
}

/// Without these models speak of fewer points than there are, or have quantifiers.
const KEEP: [&str; 4] = ["fp.xform.inline_eager", "fp.xform.inline_linear", "fp.xform.slice", "fp.xform.coi"];

/// The manner that generalises.
const GLOBAL: [&str; 2] = ["fp.spacer.global", "fp.spacer.use_euf_gen"];

impl Horn {
    /// A solver that works on declarations and clauses.
    pub fn start(program: &Path, clauses: &str, manner: Manner) -> Self {
        let (program, clauses) = (program.to_owned(), clauses.to_owned());
        let mut horn = Self { program, clauses, manner, has_begun: false, process: None, solution: None };
        if manner.begins == Begins::AtOnce {
            horn.begin();
        }
        horn
    }

    /// Starts the process, if that has not been done.
    fn begin(&mut self) {
        if std::mem::replace(&mut self.has_begun, true) {
            return;
        }
        let Manner { global, effort, seconds, memory, .. } = self.manner;
        let arguments = ["-in".into(), "-smt2".into(), format!("-T:{seconds}"), format!("-memory:{memory}")];
        let mut process = match Process::start(&self.program, &arguments) {
            Ok(process) => process,
            Err(trouble) => return self.end(Solution::Unknown(why(trouble))),
        };
        let kept: String = KEEP.iter().map(|option| format!("(set-option :{option} false)\n")).collect();
        let options = if global { &GLOBAL[..] } else { &[] };
        let global: String = options.iter().map(|option| format!("(set-option :{option} true)\n")).collect();
        let clauses = std::mem::take(&mut self.clauses);
        process.send(format!(
            "(get-info :name)\n(get-info :version)\n{kept}{global}(set-option :rlimit {effort})\n(set-logic HORN)\n{clauses}\
             (check-sat)\n(get-model)\n(exit)\n"
        ));
        process.finish();
        self.process = Some(process);
    }

    /// What it found, if it is done.
    pub fn poll(&mut self) -> Option<&Solution> {
        if self.solution.is_none()
            && let Some(said) = self.process.as_mut().and_then(Process::ended)
        {
            self.end(self.solution(said));
        }
        self.solution.as_ref()
    }

    /// Waits until it is done, or a stop is requested.
    pub fn wait(&mut self, stop: &Stop) -> &Solution {
        self.begin();
        if self.solution.is_none() {
            let patience = Duration::from_secs(self.manner.seconds.saturating_add(1));
            let said = self.process.as_mut().map(|process| process.all(stop, patience));
            self.end(self.solution(said.unwrap_or(Err(Trouble::Died))));
        }
        self.solution.as_ref().expect("it has just been set")
    }

    fn solution(&self, said: Result<String, Trouble>) -> Solution {
        match said {
            Ok(text) => solution(&text),
            Err(Trouble::Memory) => Solution::Unknown(Why::OutOfMemory(self.manner.memory)),
            Err(trouble) => Solution::Unknown(why(trouble)),
        }
    }

    fn end(&mut self, solution: Solution) {
        self.solution = Some(solution);
        self.process = None;
    }
}

fn why(trouble: Trouble) -> Why {
    match trouble {
        Trouble::Stopped => Why::Stopped,
        Trouble::Silent => Why::TimedOut,
        Trouble::Died | Trouble::Memory => {
            Why::Failed("the engine for Horn clauses ended unexpectedly".to_owned())
        }
        Trouble::Nonsense(what) => Why::Failed(format!("the engine for Horn clauses said {what}")),
        Trouble::Unusable(how) => Why::Failed(how),
    }
}

/// What all of its output says.
fn solution(text: &str) -> Solution {
    let failed = |how: String| Solution::Unknown(Why::Failed(how));
    let Some(said) = read(text) else {
        return failed("the engine for Horn clauses did not finish its answer".to_owned());
    };
    let [_, _, rest @ ..] = &said[..] else { return Solution::Unknown(why(Trouble::Died)) };
    if let Err(how) = usable(&said[..2]) {
        return failed(format!("the solver {how}"));
    }
    match rest {
        [] => Solution::Unknown(why(Trouble::Died)),
        // A refutation has no model, which it says.
        [Sexpr::Atom(word), rest @ ..] if word == "unsat" && rest.len() <= 1 => Solution::Unsat,
        [Sexpr::Atom(word), Sexpr::List(model)] if word == "sat" && !is_error(model) => {
            Solution::Sat(model.clone())
        }
        [Sexpr::Atom(word), ..] if word == "unknown" => Solution::Unknown(Why::GaveUp),
        [Sexpr::Atom(word), ..] if word == "timeout" => Solution::Unknown(Why::TimedOut),
        other => {
            let short: String = format!("{other:?}").chars().take(200).collect();
            failed(format!("the engine for Horn clauses said {short}"))
        }
    }
}

fn is_error(list: &[Sexpr]) -> bool {
    list.first().and_then(Sexpr::atom) == Some("error")
}

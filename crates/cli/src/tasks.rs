//! Many checks side by side: a project's own list (`--tasks`), or the programs of the command line (`--jobs`).
//!
//! Contract: what is written about all of them, the table, JUnit and SARIF, is in the order of the list and the same in every run. Lines that tell an answer as soon as it is there come in the order
//! of the answers, which is that of the list with one job only. The exit status is the worst: of a list what became of its checks, of programs their answers.

mod answer;
pub mod child;
mod expected;
mod journal;
mod junit;
mod list;
mod runner;
mod sarif;
mod set;
mod table;
mod task;

use crate::args::CheckOptions;
use crate::console::{self, Console};
use crate::several::{self, is_stdin, rejected, write_file};
use crate::{memory, watch};
use answer::Answer;
use expected::{Expected, Standing};
use getafix::{Outside, READ_TWICE, Reply, Status, System, shown};
use journal::Journal;
use present::html::Listed;
use runner::{PageFiles, Runner};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use task::Task;

/// Options that are about the whole, and not about one of the checks.
const OF_ALL: [&str; 10] =
    ["tasks", "jobs", "resume", "junit", "sarif", "html", "json", "quiet", "trace", "as-task"];

/// Options that a list may be given for all of its checks.
const FOR_LISTS: [&str; 4] = ["timeout", "memory", "solver", "stats"];

/// The options mean many checks.
pub fn is_wanted(options: &CheckOptions) -> bool {
    options.many.is_many() || options.files.iter().any(|file| set::is_set(file))
}

/// Checks all of them.
pub fn check(options: &CheckOptions) -> Status {
    let tasks = match tasks(options) {
        Ok(tasks) => tasks,
        Err(Some(problem)) => return rejected(&options.run, &problem),
        Err(None) => return Status::Rejected,
    };
    if let Some(problem) = problem(options, &tasks) {
        return rejected(&options.run, &problem);
    }
    let journal = match options.many.resume.as_deref().map(Journal::open).transpose() {
        Ok(journal) => journal,
        Err(problem) => return rejected(&options.run, &problem),
    };
    let answers = tasks.iter().map(|_| None).collect();
    let mut checks = Checks { options, tasks, answers, journal, failure: None };
    checks.run();
    checks.tell()
}

/// The checks, in order. If there is no message with what is wrong, it has been told.
fn tasks(options: &CheckOptions) -> Result<Vec<Task>, Option<String>> {
    let given = task::given();
    let Some(path) = &options.many.tasks else { return programs(options, &given).map_err(Some) };
    if let Some((name, _)) =
        given.iter().find(|(name, _)| !OF_ALL.contains(&&**name) && !FOR_LISTS.contains(&&**name))
    {
        let dashes = if name.len() == 1 { "-" } else { "--" };
        return Err(Some(format!(
            "`{dashes}{name}` is about one check, so it is a key of the list, `{name} = …`"
        )));
    }
    if !options.files.is_empty() {
        return Err(Some(
            "`--tasks` reads the names of programs from the list, so none is named beside it".to_owned(),
        ));
    }
    let unreadable = |error: &dyn std::fmt::Display| Some(format!("`{}` {error}", path.display()));
    let bytes = System.read(path).map_err(|error| unreadable(&error))?;
    let text = String::from_utf8(bytes).map_err(|_| unreadable(&"is not text"))?;
    let mut common: Vec<(String, Vec<OsString>)> =
        given.into_iter().filter(|(name, _)| FOR_LISTS.contains(&name.as_str())).collect();
    // Checks run in the folder of the list, and a name on the command line is one from here.
    if let (Some(solver), Some((_, words))) =
        (&options.proof.solver.path, common.iter_mut().find(|(name, _)| name == "solver"))
        && solver.components().count() > 1
    {
        *words =
            task::words("solver", std::path::absolute(solver).unwrap_or_else(|_| solver.clone()).as_os_str());
    }
    list::read(path, &text, &common).map_err(|(sources, diagnostics)| {
        let console = Console::new(&options.run);
        console.hear(getafix::Said::Diagnostics(&sources, &diagnostics));
        None
    })
}

/// The programs of the command line, sets taken apart, with the options of the command line.
fn programs(options: &CheckOptions, given: &[(String, Vec<OsString>)]) -> Result<Vec<Task>, String> {
    if options.files.iter().any(|file| is_stdin(file)) {
        return Err("stdin is read once, and not by programs that are checked side by side".to_owned());
    }
    let of_each = given.iter().filter(|(name, _)| !OF_ALL.contains(&name.as_str()));
    let words: Vec<OsString> = of_each.flat_map(|(_, words)| words.clone()).collect();
    let mut files: Vec<PathBuf> = Vec::new();
    for file in &options.files {
        match set::is_set(file) {
            true => files.extend(set::tasks(file)?),
            false => files.push(file.clone()),
        }
    }
    let task = |file: PathBuf| Task {
        name: on_one_line(&shown(&file)),
        file,
        folder: None,
        options: words.clone(),
        expected: Expected::Anything,
    };
    Ok(files.into_iter().map(task).collect())
}

/// A name as it stands in a line of its own, whatever a file is called.
fn on_one_line(name: &str) -> String {
    let shown = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    name.chars().map(shown).collect()
}

/// What does not go together.
fn problem(options: &CheckOptions, tasks: &[Task]) -> Option<String> {
    let many = &options.many;
    let written = [
        ("--sarif", &options.answer.sarif),
        ("--html", &options.answer.html),
        ("--junit", &many.junit),
        ("--resume", &many.resume),
    ];
    let given = || written.iter().filter_map(|(option, path)| Some((*option, path.as_ref()?)));
    let mut read: Vec<PathBuf> = tasks.iter().map(Task::path).collect();
    read.extend(many.tasks.iter().cloned());
    let read: Vec<&Path> = read.iter().map(PathBuf::as_path).collect();
    let n_on_stdout = given().filter(|(_, path)| is_stdin(path)).count();
    if options.answer.certificate.is_some() || options.proof.witness.is_some() {
        return Some("`--certificate` and `--witness` name one file, so they go with one program".to_owned());
    }
    if options.answer.show.is_some() {
        return Some("`--show` prints a stage of one program; ask for it without `--jobs`".to_owned());
    }
    match several::overwritten(given(), &read) {
        Some(problem) => Some(problem),
        None if many.resume.is_some()
            && (options.answer.sarif.is_some() || options.answer.html.is_some()) =>
        {
            Some("`--sarif` and `--html` need all answers anew, so they do not go with `--resume`".to_owned())
        }
        None if n_on_stdout > 1 => Some(READ_TWICE.replace("read", "written")),
        None if given().any(|(option, path)| is_stdin(path) && ["--html", "--resume"].contains(&option)) => {
            Some("`--html` and `--resume` of many programs name a file".to_owned())
        }
        None if n_on_stdout == 1 && options.run.json => {
            Some("stdout is for `--json`; name a file for the other".to_owned())
        }
        None => None,
    }
}

/// All checks, and their answers as far as they are there.
struct Checks<'o> {
    options: &'o CheckOptions,
    tasks: Vec<Task>,
    answers: Vec<Option<(Answer, Standing)>>,
    journal: Option<Journal>,
    /// What became of a file that was to be written.
    failure: Option<String>,
}

impl Checks<'_> {
    fn run(&mut self) {
        watch::listen();
        let many = &self.options.many;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let tasks = std::mem::take(&mut self.tasks);
        let mut numbers = Vec::new();
        for (number, task) in tasks.iter().enumerate() {
            match self.journal.as_ref().and_then(|journal| journal.answer(task)) {
                Some(answer) => {
                    let _ = self.done(number, task, answer, Source::Journal);
                }
                None => numbers.push(number),
            }
        }
        let jobs = many.jobs.unwrap_or(cores);
        let at_once = jobs.min(numbers.len()).max(1);
        let memory = self.options.run.memory.or_else(|| Some(memory::default_limit()? / at_once as u64));
        let pages = self.options.answer.html.clone().map(PageFiles);
        let runner = Runner { jobs: at_once, stages: jobs / at_once, memory, pages };
        runner.run(&tasks, &numbers, |number, answer| {
            self.done(number, &tasks[number], answer, Source::Process)
        });
        self.tasks = tasks;
    }

    /// An answer is there.
    fn done(&mut self, number: usize, task: &Task, answer: Answer, source: Source) -> ControlFlow<()> {
        let standing = task.expected.judge(&answer);
        let mut flow = ControlFlow::Continue(());
        if !answer.is_interrupted {
            let object = object(task, &answer, standing);
            let line = format!("{object}\n");
            if self.options.run.json {
                console::stdout(line.as_bytes());
            }
            if let (Some(journal), Source::Process) = (&mut self.journal, source)
                && let Err(problem) = journal.add(&line)
            {
                self.failure = Some(problem);
                flow = ControlFlow::Break(());
            }
        }
        if matches!(answer.status, Status::Rejected | Status::Bug) {
            console::stderr_line(&answer.errors);
        }
        self.tell_one(task, &answer, standing);
        self.answers[number] = Some((answer, standing));
        flow
    }

    /// The line about one, as soon as it is there: of programs it is the answer, of a list it is progress.
    fn tell_one(&self, task: &Task, answer: &Answer, standing: Standing) {
        let options = self.options;
        if options.run.json {
            return;
        }
        let expected = match standing {
            Standing::Another => format!(", and {} is expected", task.expected.shown(answer)),
            _ => String::new(),
        };
        let line = format!("{}: {}{expected}\n", task.name, answer.told());
        if options.many.tasks.is_none() && !self.is_on_stdout() {
            console::stdout(line.as_bytes());
        } else if !options.run.quiet {
            console::stderr_line(&line);
        }
    }

    /// Stdout is for a file that was asked for.
    fn is_on_stdout(&self) -> bool {
        [&self.options.answer.sarif, &self.options.many.junit]
            .iter()
            .any(|path| path.as_deref().is_some_and(is_stdin))
    }

    /// What is said at the end; the exit status.
    fn tell(mut self) -> Status {
        let console = Console::new(&self.options.run);
        let mut reply = Reply::default();
        if let Some(problem) = self.failure.take() {
            console.complain(&mut reply, &problem, Status::Rejected);
        }
        self.write_files(&console, &mut reply);
        let text = match self.options.many.tasks {
            Some(_) => table::of_list(&self.tasks, &self.answers),
            None => table::summary(&self.answers),
        };
        match self.options.run.json || self.is_on_stdout() {
            true => console::stderr_line(&text),
            false => console::stdout(text.as_bytes()),
        }
        let is_list = self.options.many.tasks.is_some();
        let status = |answer: &Option<(Answer, Standing)>| match answer {
            // What was not asked is not known.
            None => Status::Unknown,
            Some((_, standing)) if is_list => standing.status(),
            Some((answer, _)) => answer.status,
        };
        self.answers.iter().map(status).max().unwrap_or_default().max(reply.status)
    }

    /// Writes what is asked for about all of them.
    fn write_files(&self, console: &Console, reply: &mut Reply) {
        let Self { options, tasks, answers, .. } = self;
        let suite = options.many.tasks.as_deref().map_or_else(|| "getafix".to_owned(), shown);
        if let Some(path) = &options.many.junit {
            let times = if options.run.stats { junit::Times::Written } else { junit::Times::LeftOut };
            write_file(path, &junit::document(&suite, tasks, answers, times), console, reply);
        }
        if let Some(path) = &options.answer.sarif {
            let which = match options.many.tasks {
                Some(_) => sarif::Which::Unexpected,
                None => sarif::Which::All,
            };
            write_file(path, &format!("{:#}\n", sarif::document(tasks, answers, which)), console, reply);
        }
        if let Some(path) = &options.answer.html {
            let pages = PageFiles(path.clone());
            let known = tasks.iter().zip(answers).enumerate();
            let of_each = known.filter_map(|(number, (task, answer))| {
                let page = pages.page(number);
                let (answer, _) = answer.as_ref().filter(|_| page.is_file())?;
                let page = page.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let (name, headline) = (task.name.clone(), answer.told());
                Some(Listed { name, headline, status: answer.status.code(), page })
            });
            write_file(path, &present::html::index(&of_each.collect::<Vec<_>>()), console, reply);
        }
    }
}

/// Where an answer is from.
enum Source {
    Process,
    Journal,
}

/// An answer as an object with what was asked.
fn object(task: &Task, answer: &Answer, standing: Standing) -> Value {
    let mut object = answer.object.clone();
    object["file"] = json!(shown(&task.file));
    let asked: Vec<String> = task.options.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    object["task"] = json!({
        "name": task.name,
        "asked": asked,
        "fingerprint": task.fingerprint(),
        "status": answer.status.code(),
        "headline": answer.told(),
        "expected": task.expected.shown(answer),
        "standing": standing.word(),
    });
    object
}

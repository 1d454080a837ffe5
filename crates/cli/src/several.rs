//! `getafix check` of one file or several: each is a question of its own, and the strongest status is that of all.
//!
//! Contract: one file is answered as if there were no others to think of. With several, each answer has the name of its file
//! before it, and in JSON each object is one line. Limits are those of the whole command. What is asked for beside the answer is written to its file
//! here, when the answer is there.

use crate::args::{CheckOptions, RunOptions, Stdout};
use crate::console::Console;
use crate::files::Files;
use crate::network::{Network, Problem};
use crate::pages::Pages;
use crate::{tasks, watch};
use getafix::options::TraceForm;
use getafix::{
    Output, Outside, READ_TWICE, Reply, Said, Status, System, is_read_twice, sarif_document, shown,
};
use present::sarif::Part;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Checks every file.
pub fn check(mut options: CheckOptions) -> Status {
    // A trace in JSON would be half a document beside a verdict in words.
    options.run.json |= options.answer.trace == TraceForm::Json;
    if tasks::is_wanted(&options) && !options.many.as_task {
        return tasks::check(&options);
    }
    // Files that are linked are one program, which goes by the name of the first.
    if options.files.is_empty() {
        options.files.push(options.c.link.remove(0));
    }
    if let Some(problem) = problem(&options) {
        return rejected(&options.run, &problem);
    }
    if options.many.as_task {
        return tasks::child::answer(&options);
    }
    if let Some(name) = &options.answer.stdin_name {
        options.files.iter_mut().filter(|file| is_stdin(file)).for_each(|file| file.clone_from(name));
    }
    let files = match network(&options) {
        Ok(network) => {
            Files { network: network.map(Arc::new), stdin_name: options.answer.stdin_name.clone() }
        }
        Err(status) => return status,
    };
    let RunOptions { json, stats, .. } = options.run;
    let html = options.answer.html.is_some();
    let output = Output { text: !json, json, sarif: options.answer.sarif.is_some(), html, stats };
    let written =
        [&options.answer.certificate, &options.proof.witness, &options.answer.sarif, &options.answer.html];
    let is_on_stdout = written.iter().any(|path| path.as_deref().is_some_and(is_stdin));
    let (mut status, mut parts) = (Status::Evaluated, Vec::new());
    let mut pages = Pages::new(&options);
    for (n, file) in options.files.iter().enumerate() {
        let mut run = options.run.clone();
        run.stdout = match options.files.len() {
            1 if is_on_stdout => Stdout::File,
            1 => Stdout::Answer,
            _ => Stdout::Answers { file: shown(file), is_first: n == 0 },
        };
        let (console, mut reply) = watch::ask_with(files.clone(), &run, output, options.question(file));
        write(&options, n, &console, &mut reply, &mut parts);
        pages.write(file, &console, &mut reply);
        console.finish(&reply);
        status = status.max(reply.status);
    }
    if let Some(network) = &files.network {
        network.close();
    }
    status
}

/// Those who search together with this process.
fn network(options: &CheckOptions) -> Result<Option<Network>, Status> {
    if options.engine.sharing.hosts.is_some() && options.files.len() > 1 {
        return Err(rejected(&options.run, "`--hosts` goes with one program"));
    }
    Network::read(&options.engine.sharing).map_err(|problem| match problem {
        Problem::Message(message) => rejected(&options.run, &message),
        Problem::InFile(sources, diagnostic) => {
            let (console, mut reply) = (Console::new(&options.run), Reply::default());
            console.hear(Said::Diagnostics(&sources, &[diagnostic]));
            reply.status = Status::Rejected;
            console.finish(&reply);
            Status::Rejected
        }
    })
}

/// What does not go together.
fn problem(options: &CheckOptions) -> Option<String> {
    let written = [
        ("--certificate", &options.answer.certificate),
        ("--witness", &options.proof.witness),
        ("--sarif", &options.answer.sarif),
        ("--html", &options.answer.html),
    ];
    let given = || written.iter().filter_map(|(option, path)| Some((*option, path.as_ref()?)));
    let on_stdout: Vec<&str> = given().filter(|(_, path)| is_stdin(path)).map(|(option, _)| option).collect();
    // SARIF and pages are about any number of programs.
    let is_about_one = |option: &&str| !["--sarif", "--html"].contains(option);
    let about_one = given().map(|(option, _)| option).find(is_about_one);
    let files: Vec<&Path> = options.files.iter().map(PathBuf::as_path).collect();
    match (about_one, files.len()) {
        _ if is_read_twice(&files) => Some(READ_TWICE.to_owned()),
        _ if overwritten(given(), &files).is_some() => overwritten(given(), &files),
        _ if options.answer.stdin_name.is_some() && !files.iter().any(|file| is_stdin(file)) => {
            Some("`--stdin-name` is what the program `-` is called, and no program is `-`".to_owned())
        }
        _ if options.answer.stdin_name.as_ref().is_some_and(|name| options.files.contains(name)) => {
            Some("`--stdin-name` is the name of another program".to_owned())
        }
        _ if is_monitor_on_stdin(options) => {
            Some("`--monitor -` reads stdin once, so the program is one file with a name".to_owned())
        }
        (_, 2..) if !on_stdout.is_empty() => {
            Some(format!("`{} -` would mix with the answers of several programs; name a file", on_stdout[0]))
        }
        (Some(option), 2..) => Some(format!("`{option}` names one file, so it goes with one program")),
        _ => match &on_stdout[..] {
            [option] if options.run.json => Some(format!(
                "`{option} -` and `--json` both need stdout; name a file for the {}",
                option.trim_start_matches('-')
            )),
            [one, other, ..] => {
                Some(format!("`{one} -` and `{other} -` both need stdout; name a file for one of them"))
            }
            _ => None,
        },
    }
}

/// What would be written over a text that is read.
pub fn overwritten<'p>(
    mut written: impl Iterator<Item = (&'static str, &'p PathBuf)>,
    read: &[&Path],
) -> Option<String> {
    let real = |path: &Path| path.canonicalize().ok();
    let is_read = |path: &Path| {
        real(path).is_some_and(|path| read.iter().any(|read| real(read).as_ref() == Some(&path)))
    };
    let (option, path) = written.find(|(_, path)| is_read(path))?;
    Some(format!("`{option} {}` would be written over what is read", path.display()))
}

/// `-`: stdin where a text is read, stdout where one is written.
pub fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The monitor is on stdin, and so is the program, or there are several programs for it.
fn is_monitor_on_stdin(options: &CheckOptions) -> bool {
    let is_one = options.files.len() == 1 && !options.files.iter().any(|file| is_stdin(file));
    options.question.monitor.as_deref().is_some_and(is_stdin) && !is_one
}

/// Writes what is asked for beside the answer.
fn write(options: &CheckOptions, n: usize, console: &Console, reply: &mut Reply, parts: &mut Vec<Part>) {
    let mut files = Vec::new();
    let wanted =
        [(&options.answer.certificate, &reply.certificate), (&options.proof.witness, &reply.witness)];
    for (path, text) in wanted {
        files.extend(path.as_ref().zip(text.clone()));
    }
    if let Some(path) = &options.answer.sarif {
        let names: Vec<String> = options.files.iter().map(|file| shown(file)).collect();
        if let Some(part) = reply.sarif_part(&names, n) {
            parts.push(part);
            // Each answer completes the document, so that what is known is there however the command ends.
            files.push((path, format!("{:#}\n", sarif_document(parts, &names))));
        }
    }
    for (path, text) in files {
        write_file(path, &text, console, reply);
    }
}

/// Writes a file that the command line names; `-` is stdout.
pub fn write_file(path: &Path, text: &str, console: &Console, reply: &mut Reply) {
    if is_stdin(path) {
        console.print(text);
    } else if let Err(error) = System.write(path, text) {
        console.complain(reply, &format!("cannot write `{}`: {error}", path.display()), Status::Rejected);
    }
}

/// Refuses what was asked.
pub fn rejected(options: &RunOptions, message: &str) -> Status {
    let (console, mut reply) = (Console::new(options), Reply::default());
    console.complain(&mut reply, message, Status::Rejected);
    console.finish(&reply);
    Status::Rejected
}

//! One of many programs, in a process of its own: it says everything in one line, and stops when whoever asked is gone.

use super::answer::Answer;
use crate::args::{CheckOptions, Stdout};
use crate::pages::Pages;
use crate::{console, watch};
use getafix::{Output, Status, shown};
use std::io::Read;

/// Checks the program.
pub fn answer(options: &CheckOptions) -> Status {
    std::thread::spawn(until_stdin_ends);
    let [file] = &options.files[..] else { return Status::Rejected };
    let mut run = options.run.clone();
    (run.stdout, run.json) = (Stdout::Nothing, false);
    let output =
        Output { text: true, json: true, sarif: true, html: options.answer.html.is_some(), stats: run.stats };
    let (console, mut reply) = watch::ask(&run, output, options.question(file));
    Pages::new(options).write(file, &console, &mut reply);
    console::stdout(Answer::line(&reply, &shown(file)).as_bytes());
    reply.status
}

/// Whoever asked keeps our stdin open for as long as the answer is wanted.
fn until_stdin_ends() {
    let mut buffer = [0; 64];
    while std::io::stdin().read(&mut buffer).is_ok_and(|n| n > 0) {}
    watch::interrupt();
}

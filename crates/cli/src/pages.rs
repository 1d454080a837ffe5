//! `--html`: the answer as a page, or a page for each program and one that leads to them.

use crate::args::{CheckOptions, Stdout, ValidateOptions};
use crate::console::Console;
use crate::several::{is_stdin, overwritten, rejected, write_file};
use crate::watch;
use getafix::{Output, Reply, Status, shown};
use present::html::Listed;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Judges a certificate, and writes the page of it, if one is wanted.
pub fn validate(options: ValidateOptions) -> Status {
    let (mut run, html, program) = (options.run.clone(), options.html.clone(), options.file.clone());
    let read = [options.file.as_path(), options.certificate.as_path()];
    if let Some(problem) = overwritten(html.iter().map(|path| ("--html", path)), &read) {
        return rejected(&run, &problem);
    }
    if html.as_deref().is_some_and(is_stdin) {
        if run.json {
            return rejected(&run, "`--html -` and `--json` both need stdout; name a file for the html");
        }
        run.stdout = Stdout::File;
    }
    let output =
        Output { text: !run.json, json: run.json, sarif: false, html: html.is_some(), stats: run.stats };
    let (console, mut reply) = watch::ask(&run, output, options.into());
    if let Some(to) = html {
        let page = reply.html(&shown(&program));
        write_file(&to, &page, &console, &mut reply);
    }
    console.finish(&reply);
    reply.status
}

/// Where pages go, and those that are there.
pub struct Pages {
    /// The file that the options name.
    to: Option<PathBuf>,
    /// The page of the only program is that file.
    is_only: bool,
    /// The programs so far.
    programs: Vec<Listed>,
}

impl Pages {
    /// As the options want it.
    pub fn new(options: &CheckOptions) -> Self {
        let is_only = options.files.len() == 1;
        Self { to: options.answer.html.clone(), is_only, programs: Vec::new() }
    }

    /// Writes the page of an answer.
    pub fn write(&mut self, program: &Path, console: &Console, reply: &mut Reply) {
        let Some(to) = self.to.clone() else { return };
        let name = shown(program);
        let html = reply.html(&name);
        if self.is_only {
            return write_file(&to, &html, console, reply);
        }
        let page = self.page(&to);
        let relative = page.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let headline = reply.headline().to_owned();
        self.programs.push(Listed { name, headline, status: reply.status.code(), page: relative });
        write_file(&page, &html, console, reply);
        // Each answer completes the list, so that what is known is there however the command ends.
        write_file(&to, &present::html::index(&self.programs), console, reply);
    }

    /// The page of the next program: `FILE-1.html` beside `FILE.html`.
    fn page(&self, to: &Path) -> PathBuf {
        let mut name: OsString = to.file_stem().unwrap_or_default().to_owned();
        name.push(format!("-{}.html", self.programs.len() + 1));
        to.with_file_name(name)
    }
}

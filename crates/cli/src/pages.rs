//! `--html`: the answer as a page, or a page for each program and one that leads to them.

use crate::args::CheckOptions;
use crate::console::Console;
use crate::several::write_file;
use getafix::{Reply, shown};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Where pages go, and those that are there.
pub struct Pages {
    /// The file that the options name.
    to: Option<PathBuf>,
    /// The page of the only program is that file.
    is_only: bool,
    /// Of each program so far: its name, its verdict, its page.
    programs: Vec<(String, String, String)>,
}

impl Pages {
    /// As the options want it.
    pub fn new(options: &CheckOptions) -> Self {
        let is_only = options.files.len() == 1;
        Self { to: options.html.clone(), is_only, programs: Vec::new() }
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
        self.programs.push((name, reply.headline().to_owned(), relative));
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

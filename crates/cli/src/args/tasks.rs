//! The options of many checks at once.

use super::heading;
use crate::units;
use clap::Args;
use std::path::PathBuf;

/// Which checks there are, how many run side by side, and what is written about all of them.
#[derive(Args, Clone, Default, Debug)]
#[command(next_help_heading = heading::LIMITS)]
pub struct TaskOptions {
    /// Check a project's own list: programs, questions, verdicts
    ///
    /// A file in TOML, usually getafix.toml: a table [[check]] for each check, with its file, the options of this command as keys, and the verdict that is expected. Its
    /// files are beside it. A table at the end says what is as expected. Status 0: everything; 10: some verdict is another one; 5: some are unknown; 2: a check
    /// is rejected, or the list is. If several apply, the first of 2, 10, 5 counts.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub tasks: Option<PathBuf>,

    /// So many programs side by side, each within the limits
    ///
    /// Each is checked by a process of its own, and told in one line when it is done; a summary follows. With --json each is an object on a line. Files .set list
    /// tasks, as those of BenchExec do. Without --memory each may take its part of what the system grants. With --tasks the default is the number of cores. With fewer
    /// programs, stages of a proof about C that do not wait for each other run side by side; the answers are the same.
    #[arg(long, value_name = "N", value_parser = units::jobs, hide_short_help = true)]
    pub jobs: Option<usize>,

    /// Skip what this file answers already, and add to it
    ///
    /// Each answer is added to the file as soon as it is there, as an object on a line. What an earlier run with this option, or with --json into this file, has answered is not
    /// asked again if program, options and limits are the same. Means --jobs.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub resume: Option<PathBuf>,

    /// Write what became of all checks as JUnit XML (`-` for stdout)
    ///
    /// For CI: a verdict that is not the expected one is a failure; what is unknown or rejected is an error. Goes with --tasks and --jobs.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub junit: Option<PathBuf>,

    /// Answer for whoever checks many programs: one line with everything, until stdin ends.
    #[arg(long, hide = true)]
    pub as_task: bool,
}

impl TaskOptions {
    /// Many programs are checked by processes of their own.
    pub fn is_many(&self) -> bool {
        self.tasks.is_some() || self.jobs.is_some() || self.resume.is_some() || self.junit.is_some()
    }
}

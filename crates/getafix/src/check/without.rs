//! `--without`: what is left out of what makes answers quicker.

use checker::Scheduling;
use rsm::Reductions;

/// What stays.
#[derive(Clone, Copy)]
pub struct Without {
    /// Of the reductions of every program.
    pub reductions: Reductions,
    /// Of what is about threads only.
    pub scheduling: Scheduling,
    /// The first values of a thread are chosen when it first runs.
    pub lazy_start: bool,
    /// Threads that are started at run time need no slots.
    pub native_start: bool,
    /// A call of a recursive function that other threads do not notice is one step.
    pub summaries: bool,
    /// Threads are left out that need not move.
    pub stubborn_sets: bool,
    /// Views of a sequential program that know less of it are asked, too.
    pub localise: bool,
}

/// The name of what is about views.
const LOCALISE: &str = "localise";

/// The names of what is about threads.
const OF_THREADS: [&str; 10] = [
    "symmetry",
    "visibility",
    "early-stop",
    "order",
    "deepening",
    "every-bound",
    "lazy-start",
    "native-start",
    "summaries",
    "stubborn-sets",
];

/// The names of everything that can be left out.
pub fn reductions() -> Vec<&'static str> {
    let of_all = Reductions::LIST.iter().map(|reduction| reduction.name).chain([LOCALISE]);
    of_all.chain(OF_THREADS).chain(["all"]).collect()
}

impl Without {
    /// Everything but these.
    pub fn read(names: &[String]) -> Result<Self, String> {
        let mut stays = Self {
            reductions: Reductions::ALL,
            scheduling: Scheduling::default(),
            lazy_start: true,
            native_start: true,
            summaries: true,
            stubborn_sets: true,
            localise: true,
        };
        for name in names.iter().flat_map(|names| names.split(',')) {
            stays.leave_out(name.trim())?;
        }
        Ok(stays)
    }

    fn leave_out(&mut self, name: &str) -> Result<(), String> {
        let scheduling = &mut self.scheduling;
        match name {
            "all" => {
                self.reductions = Reductions::NONE;
                *scheduling = Scheduling::NONE;
                self.lazy_start = false;
                self.native_start = false;
                self.summaries = false;
                self.stubborn_sets = false;
                self.localise = false;
            }
            LOCALISE => self.localise = false,
            "symmetry" => scheduling.symmetry = false,
            "visibility" => scheduling.visibility = false,
            "early-stop" => scheduling.early_stop = false,
            "order" => scheduling.order = false,
            "deepening" => scheduling.deepening = None,
            "lazy-start" => self.lazy_start = false,
            "summaries" => self.summaries = false,
            "stubborn-sets" => self.stubborn_sets = false,
            "native-start" => self.native_start = false,
            "every-bound" => scheduling.every_bound = false,
            _ => {
                let unknown =
                    |error| format!("{error}, {LOCALISE}; for threads also {}", OF_THREADS.join(", "));
                *self.reductions.switch(name).map_err(unknown)? = false;
            }
        }
        Ok(())
    }
}

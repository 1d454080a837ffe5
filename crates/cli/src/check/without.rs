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
}

/// The names of what is about threads.
const OF_THREADS: [&str; 6] = ["symmetry", "visibility", "early-stop", "order", "deepening", "every-bound"];

/// The names of everything that can be left out.
pub fn reductions() -> Vec<&'static str> {
    Reductions::LIST.iter().map(|reduction| reduction.name).chain(OF_THREADS).chain(["all"]).collect()
}

impl Without {
    /// Everything but these.
    pub fn read(names: &[String]) -> Result<Self, String> {
        let mut stays = Self { reductions: Reductions::ALL, scheduling: Scheduling::default() };
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
            }
            "symmetry" => scheduling.symmetry = false,
            "visibility" => scheduling.visibility = false,
            "early-stop" => scheduling.early_stop = false,
            "order" => scheduling.order = false,
            "deepening" => scheduling.deepening = None,
            "every-bound" => scheduling.every_bound = false,
            _ => {
                let unknown = |error| format!("{error}; for threads also {}", OF_THREADS.join(", "));
                *self.reductions.switch(name).map_err(unknown)? = false;
            }
        }
        Ok(())
    }
}

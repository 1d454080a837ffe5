//! The algorithms that come with the program: the formula files at the root of the repository.

/// A formula file.
#[derive(Clone, Copy, Debug)]
pub struct Algorithm {
    /// Its name, which is also that of its file.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

impl Algorithm {
    /// What it computes: the first line of its text.
    pub fn about(&self) -> &'static str {
        let line = self.text.lines().next().unwrap_or_default();
        line.split_once(": ").map_or(line, |(_, about)| about)
    }
}

macro_rules! algorithms {
    ($($name:literal),+ $(,)?) => {
        [$(Algorithm { name: $name, text: include_str!(concat!("../../../algorithms/", $name, ".mu")) }),+]
    };
}

/// All of them.
pub const ALGORITHMS: [Algorithm; 6] = algorithms![
    "hybrid",
    "summary",
    "entry_forward",
    "entry_forward_split",
    "entry_forward_opt",
    "exit_backward",
];

/// The one that is used if nothing is said.
pub const DEFAULT: &str = "hybrid";

/// An algorithm by its name.
pub fn algorithm(name: &str) -> Option<Algorithm> {
    ALGORITHMS.into_iter().find(|algorithm| algorithm.name == name)
}

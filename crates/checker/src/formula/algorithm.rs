//! The algorithms that come with the program: the formula files at the root of the repository.

/// A formula file.
#[derive(Clone, Copy, Debug)]
pub struct Algorithm {
    /// Its name, which is also that of its file.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
    /// What it is about.
    pub programs: Programs,
}

/// The programs that an algorithm is about, and what bounds it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Programs {
    /// Sequential programs: are targets reachable?
    Sequential,
    /// Sequential programs, and another question.
    Questions,
    /// Programs behind abstractions: what they surely do.
    Abstractions,
    /// Threads, within a number of context switches.
    Switches,
    /// The same, and another question.
    SwitchQuestions,
    /// Threads whose number is known, within a number of rounds.
    Rounds,
    /// Any number of threads, within a number of rounds.
    AnyNumber,
}

impl Algorithm {
    /// What it computes: the first line of its text.
    pub fn about(&self) -> &'static str {
        let line = self.text.lines().next().unwrap_or_default();
        line.split_once(": ").map_or(line, |(_, about)| about)
    }
}

macro_rules! algorithms {
    ($($name:literal: $programs:ident),+ $(,)?) => {
        [$(Algorithm {
            name: $name,
            text: include_str!(concat!("../../algorithms/", $name, ".mu")),
            programs: Programs::$programs,
        }),+]
    };
}

/// All of them.
pub const ALGORITHMS: [Algorithm; 20] = algorithms![
    "hybrid": Sequential,
    "summary": Sequential,
    "entry_forward": Sequential,
    "entry_forward_split": Sequential,
    "entry_forward_opt": Sequential,
    "exit_backward": Sequential,
    "after": Questions,
    "dominators": Questions,
    "depth": Questions,
    "non_termination": Questions,
    "fair_cycle": Questions,
    "all_paths": Questions,
    "uninitialised": Questions,
    "u_ef": Abstractions,
    "u_eg": Abstractions,
    "bounded_contexts": Switches,
    "starvation": SwitchQuestions,
    "rounds": Rounds,
    "linear_interfaces_lazy": AnyNumber,
    "linear_interfaces_eager": AnyNumber,
];

/// The files that are no algorithms of their own: what these have in common and load, and an upper bound.
const PARTS: [(&str, &str); 3] = [
    ("any_schedule.mu", include_str!("../../algorithms/any_schedule.mu")),
    ("turns.mu", include_str!("../../algorithms/turns.mu")),
    ("masks.mu", include_str!("../../algorithms/masks.mu")),
];

/// The text of a file that is no algorithm of its own, by its name.
pub fn part(name: &str) -> Option<&'static str> {
    PARTS.iter().find(|part| part.0 == name).map(|part| part.1)
}

/// The one that is used for sequential programs if nothing is said.
pub const DEFAULT: &str = "hybrid";

/// The same for infinite runs that are at targets again and again.
pub const DEFAULT_FOR_REPEAT: &str = "fair_cycle";

/// The same for infinite runs of any kind.
pub const DEFAULT_FOR_INFINITE: &str = "non_termination";

/// The same for threads within a number of context switches.
pub const DEFAULT_FOR_SWITCHES: &str = "bounded_contexts";

/// The same within a number of rounds.
pub const DEFAULT_FOR_ROUNDS: &str = "rounds";

/// The same if there is any number of threads.
pub const DEFAULT_FOR_ROUNDS_OF_ANY: &str = "linear_interfaces_lazy";

/// An algorithm by its name.
pub fn algorithm(name: &str) -> Option<Algorithm> {
    ALGORITHMS.into_iter().find(|algorithm| algorithm.name == name)
}

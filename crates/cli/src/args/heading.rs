//! The groups of options in help, in the order in which they are shown.

/// What is asked.
pub const QUESTION: &str = "Question";

/// Programs with threads.
pub const THREADS: &str = "Threads";

/// How the answer is found.
pub const FORMULA: &str = "Formula and engine";

/// What the answer consists of.
pub const ANSWER: &str = "Answer";

/// Programs in C.
pub const C: &str = "Programs in C";

/// What every command that computes something has.
pub const LIMITS: &str = "Limits and output";

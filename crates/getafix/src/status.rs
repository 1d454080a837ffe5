//! How a question ended, as an exit status.

/// How a question ended. Later variants win when several apply.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub enum Status {
    /// Everything was answered, and no run of the program reaches a target.
    #[default]
    Evaluated,
    /// Something could not be answered.
    Unknown,
    /// A target is reachable, an assertion failed, a certificate was refused, a file is not as it should be.
    Violated,
    /// The input or the usage was rejected.
    Rejected,
    /// A bug in this program.
    Bug,
}

impl Status {
    /// The number the shell sees.
    pub fn code(self) -> u8 {
        match self {
            Status::Evaluated => 0,
            Status::Unknown => 5,
            Status::Violated => 10,
            Status::Rejected => 2,
            Status::Bug => 101,
        }
    }
}

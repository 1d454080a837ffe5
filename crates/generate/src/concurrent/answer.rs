//! What is known about `ERROR`, as comments.

/// The answer, with its reasons.
pub enum Answer<'a> {
    /// Whatever the bound.
    Never {
        /// Why.
        because: &'a str,
    },
    /// From these bounds on.
    From {
        /// The least number of context switches, at least 1.
        switches: u32,
        /// The least number of rounds.
        rounds: u32,
        /// Why fewer do not suffice.
        not_before: &'a str,
        /// A run that needs no more.
        because: &'a str,
    },
}

impl Answer<'_> {
    /// The lines `// expect…`.
    pub fn lines(&self) -> String {
        match self {
            Self::Never { because } => format!("// expect: unreachable, because {because}\n"),
            Self::From { switches, rounds, not_before, because } => {
                let mut lines = format!(
                    "// expect(-k {}): unreachable, because {not_before}
// expect(-k {switches}): reachable, because {because}
",
                    switches - 1
                );
                // Nothing but first statements is reached in no rounds, which is no question anybody asks.
                if *rounds > 1 {
                    lines += &format!(
                        "// expect(--rounds {}): unreachable, because the run takes more\n",
                        rounds - 1
                    );
                }
                lines += &format!("// expect(--rounds {rounds}): reachable, because the run takes no more\n");
                lines
            }
        }
    }
}

//! The options of commands that are about programs in C.

use super::names::named;
use std::path::PathBuf;

/// How a program in C is read.
#[derive(Clone, Default, Debug)]
pub struct COptions {
    /// The language of the program: c or bp
    pub language: Option<LanguageName>,
    /// which integers: math, checked or wrap
    pub int: Option<IntegersName>,
    /// a further function whose results are inputs (repeatable)
    pub input: Vec<String>,
    /// do not run the preprocessor
    pub no_cpp: bool,
    /// how large types are: lp64 or ilp32
    pub data_model: Option<DataModelName>,
    /// the question: a name, or a file .prp of the competition
    pub property: Option<PathBuf>,
    /// what is taken for granted: defined
    pub assume: Option<AssumptionName>,
    /// further files of the program
    pub link: Vec<PathBuf>,
    /// files with functions that the program may call (repeatable)
    pub library: Vec<PathBuf>,
}

/// How a program in C is proved.
#[derive(Clone, Default, Debug)]
pub struct ProofOptions {
    /// prove with the predicates in this file
    pub predicates: Option<PathBuf>,
    /// a witness for other tools is wanted
    pub witness: bool,
    /// how many stages may run side by side
    pub jobs: usize,
    /// Who is asked.
    pub solver: SolverOptions,
}

impl ProofOptions {
    /// An option that was given, for programs of another kind.
    pub fn given(&self) -> Option<&'static str> {
        let all = [
            ("--predicates", self.predicates.is_some()),
            ("--witness", self.witness),
            ("--solver", self.solver.path.is_some()),
        ];
        all.iter().find(|(_, is_given)| *is_given).map(|(name, _)| *name)
    }
}

/// Which SMT solver is asked.
#[derive(Clone, Default, Debug)]
pub struct SolverOptions {
    /// the SMT solver that is asked
    pub path: Option<PathBuf>,
}

named! {
    /// What a program is written in.
    pub enum LanguageName {
        /// C
        C = "c",
        /// The language of Boolean programs
        Bp = "bp",
    }
}

named! {
    /// Which integers are meant.
    pub enum IntegersName {
        /// Those of mathematics
        Math = "math",
        /// Those of C; an overflow is an error
        Checked = "checked",
        /// Those of a machine; an overflow keeps the low bits
        Wrap = "wrap",
    }
}

named! {
    /// What is taken for granted.
    pub enum AssumptionName {
        /// Nothing undefined happens
        Defined = "defined",
    }
}

named! {
    /// How large types are.
    pub enum DataModelName {
        /// `long` has 64 bits
        Lp64 = "lp64",
        /// `long` has 32 bits
        Ilp32 = "ilp32",
    }
}

impl COptions {
    /// An option that was given, for commands that are about something else.
    pub fn given(&self) -> Option<&'static str> {
        let all = [
            ("--int", self.int.is_some()),
            ("--input", !self.input.is_empty()),
            ("--no-cpp", self.no_cpp),
            ("--data-model", self.data_model.is_some()),
            ("--property", self.property.is_some()),
            ("--assume", self.assume.is_some()),
            ("--link", !self.link.is_empty()),
            ("--library", !self.library.is_empty()),
        ];
        all.iter().find(|(_, is_given)| *is_given).map(|(name, _)| *name)
    }
}

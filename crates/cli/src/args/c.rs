//! The options of commands that are about programs in C.

use super::heading;
use super::known::one_of;
use clap::Args;
use getafix::options::{AssumptionName, DataModelName, IntegersName, LanguageName};
use std::path::PathBuf;

/// How a program in C is read.
#[derive(Args, Clone, Default, Debug)]
#[command(next_help_heading = heading::C)]
pub struct COptions {
    /// The language of the program: c or bp
    ///
    /// Without this option it is the name of the file that says so: `.c`, `.h` and `.i` are programs in C, `.yml` are tasks about one, and all
    /// others are Boolean programs, as is what comes from stdin.
    #[arg(long, value_name = "NAME", value_parser = one_of::<LanguageName>(), hide_possible_values = true, hide_short_help = true)]
    pub language: Option<LanguageName>,

    /// C: which integers: math, checked or wrap
    ///
    /// Without this option those of C: what is not reached with mathematical integers counts if no result overflows, or if it is not reached with results that
    /// wrap either; otherwise the answer is `UNREACHABLE unless a result overflows`. math: those of mathematics. checked: a result that does not fit its type is
    /// an error, the target `overflow`. wrap: such a result keeps its low bits.
    #[arg(long, value_name = "NAME", value_parser = one_of::<IntegersName>(), hide_possible_values = true)]
    pub int: Option<IntegersName>,

    /// C: a further function whose results are inputs (repeatable)
    ///
    /// Undefined functions without arguments whose names are `nondet`, `nondet_…`, `__VERIFIER_nondet_…` or `read` are known.
    #[arg(long = "input", value_name = "NAME", hide_short_help = true)]
    pub input: Vec<String>,

    /// C: do not run the preprocessor
    ///
    /// Directives are skipped then. Without this option `cc -E` reads the file first, if it has directives.
    #[arg(long, hide_short_help = true)]
    pub no_cpp: bool,

    /// C: how large types are: lp64 or ilp32
    ///
    /// With lp64, the default, `long` has 64 bits, with ilp32 it has 32. A task says it itself.
    #[arg(long, value_name = "NAME", value_parser = one_of::<DataModelName>(), hide_possible_values = true, hide_short_help = true)]
    pub data_model: Option<DataModelName>,

    /// C: the question: a name, or a file .prp
    ///
    /// Files .prp are those of the competition on software verification. `CHECK( init(main()), LTL(G ! call(NAME())) )` asks whether the function is ever called, `LTL(F end)` whether there is a run
    /// without end, `LTL(G ! overflow)` whether a result overflows, `LTL(G valid-memcleanup)` whether memory is not freed, and `LTL(G valid-deref)`, `LTL(G valid-free)` and
    /// `LTL(G valid-memtrack)` together whether it is misused or lost. Their names are unreach-call (of `reach_error`), termination, no-overflow, valid-memcleanup and valid-memsafety.
    /// Of a task, FILE.yml, the first property of such a kind is asked for if this option is not given.
    #[arg(long, value_name = "NAME|FILE")]
    pub property: Option<PathBuf>,

    /// C: what is taken for granted: defined
    ///
    /// defined: nothing undefined happens, no result overflows, memory is not misused, nothing is divided by zero or shifted out of range. Without this option the answer is `UNREACHABLE unless …` where
    /// that is not known.
    #[arg(long, value_name = "NAME", value_parser = one_of::<AssumptionName>(), hide_possible_values = true, hide_short_help = true)]
    pub assume: Option<AssumptionName>,

    /// C: the files of one program, linked by names
    ///
    /// What is not `static` has one meaning in all of them; what does not agree is reported with both places. If another file is named before, these are added to it.
    #[arg(long, value_name = "FILE", num_args = 1.., hide_short_help = true)]
    pub link: Vec<PathBuf>,

    /// C: functions that the program may call (repeatable)
    ///
    /// What a program calls and does not define is looked for in this file in C, then in the library that comes with getafix.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub library: Vec<PathBuf>,
}

/// How a program in C is proved.
#[derive(Args, Clone, Default, Debug)]
#[command(next_help_heading = heading::C)]
pub struct ProofOptions {
    /// C: prove with the predicates in this file
    ///
    /// A list of `f: x > 0, x = x$0 + 1;` for the functions of the program, with `*` for all functions in which the names mean something;
    /// `x$0` is what x held when the function was entered, `$ret` its result. Without this option predicates are found.
    #[arg(long, value_name = "FILE")]
    pub predicates: Option<PathBuf>,

    /// C: write a witness for other tools (`-` for stdout)
    ///
    /// In the YAML format of the competition on software verification: the inputs of a run that violates the property, or invariants of one that
    /// holds. `getafix witness` checks such files.
    #[arg(long, value_name = "FILE")]
    pub witness: Option<PathBuf>,

    /// Who is asked.
    #[command(flatten)]
    pub solver: SolverOptions,
}

/// Which SMT solver is asked.
#[derive(Args, Clone, Default, Debug)]
#[command(next_help_heading = heading::C)]
pub struct SolverOptions {
    /// C: the SMT solver that is asked
    ///
    /// z3 4.11.2 or later. Without this option it is what the environment names in GETAFIX_SOLVER, or `z3` beside the program, on the path, or where Python puts
    /// programs; `pip install z3-solver` installs one, and `getafix doctor` says what is found.
    #[arg(long = "solver", value_name = "PATH", hide_short_help = true)]
    pub path: Option<PathBuf>,
}

impl From<COptions> for getafix::options::COptions {
    fn from(options: COptions) -> Self {
        let COptions { language, int, input, no_cpp, data_model, property, assume, link, library } = options;
        Self { language, int, input, no_cpp, data_model, property, assume, link, library }
    }
}

impl From<ProofOptions> for getafix::options::ProofOptions {
    fn from(options: ProofOptions) -> Self {
        let ProofOptions { predicates, witness, solver } = options;
        Self { predicates, witness: witness.is_some(), jobs: 1, solver: solver.into() }
    }
}

impl From<SolverOptions> for getafix::options::SolverOptions {
    fn from(SolverOptions { path }: SolverOptions) -> Self {
        Self { path }
    }
}

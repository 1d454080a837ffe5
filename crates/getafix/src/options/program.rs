//! What can be said with each question about a program, and with a file of formulas.

use super::names::named;
use super::{COptions, EngineName, ProofOptions, QuestionOptions, SearchName, SolverOptions};
use std::num::NonZeroU8;
use std::path::PathBuf;

/// The options of `getafix check`.
#[derive(Clone, Default, Debug)]
pub struct CheckOptions {
    /// The program that is being checked.
    pub file: PathBuf,
    /// What to reach: L, f:L or assert (repeatable)
    pub targets: Vec<String>,
    /// What else is asked.
    pub question: QuestionOptions,
    /// The bound of a concurrent program.
    pub bound: BoundOptions,
    /// The formula, and how it is evaluated.
    pub formula: FormulaOptions,
    /// Who answers: symbolic, explicit, portfolio, …
    pub engine: Option<EngineName>,
    /// Order of the explicit search: dfs, bfs or widen
    pub search: Option<SearchName>,
    /// Who searches side by side.
    pub sharing: SharingOptions,
    /// Leave out a reduction, or `all` (repeatable)
    pub without: Vec<String>,
    /// Print a stage of the program instead of checking
    pub show: Option<ProgramStage>,
    /// Form of the trace: text, json, source or none
    pub trace: TraceForm,
    /// Find a trace with as few steps as possible
    pub shortest: bool,
    /// A certificate is wanted, should the answer be that nothing is reached
    pub certificate: bool,
    /// C: where random inputs begin
    pub seed: Option<u64>,
    /// Programs in C.
    pub c: COptions,
    /// Proofs about programs in C.
    pub proof: ProofOptions,
}

/// A formula, and how it is evaluated.
#[derive(Clone, Default, Debug)]
pub struct FormulaOptions {
    /// The formula: a name (see `algorithms`) or FILE.mu
    pub algorithm: Option<String>,
    /// Set a parameter of the formula (repeatable)
    pub params: Vec<(String, u64)>,
    /// Which label, function or variable a name is (repeatable)
    pub labels: Vec<(String, String)>,
    /// Store every sort as bits of diagrams
    pub no_explicit: bool,
}

/// Who searches side by side.
#[derive(Clone, Default, Debug)]
pub struct SharingOptions {
    /// Threads of this process
    pub workers: Option<NonZeroU8>,
    /// Other processes search, too; the world outside knows them
    pub hosts: bool,
}

impl SharingOptions {
    /// The option that was given, if one was.
    pub fn given(&self) -> Option<&'static str> {
        self.hosts.then_some("--hosts").or(self.workers.map(|_| "--workers"))
    }
}

/// How often the threads of a concurrent program may take turns.
#[derive(Clone, Default, Debug)]
pub struct BoundOptions {
    /// Threads: at most so many context switches
    pub switches: Option<u32>,
    /// Threads: at most so many rounds
    pub rounds: Option<u32>,
    /// Threads: the least number of context switches, up to K
    pub up_to: Option<u32>,
    /// Calls with a label ASYNC_… start threads
    pub async_labels: bool,
}

named! {
    /// A stage of a program that `--show` prints.
    pub enum ProgramStage {
        /// The program in canonical form, as `fmt` prints it
        Ast = "ast",
        /// The recursive state machine
        Rsm = "rsm",
        /// The recursive state machine, or of a program in C the integer program, as a drawing for Graphviz
        Dot = "dot",
        /// The states of a small program, at most 200, and the steps between them; with --html as a drawing
        States = "states",
        /// Of a program in C: the integer program
        Cfg = "cfg",
        /// Of a program in C: the predicates that its guards, or --predicates, name
        Predicates = "predicates",
        /// What the reductions leave of it
        Reduced = "reduced",
        /// The relations that formulas are about
        Relations = "relations",
        /// The formula in canonical form
        Formula = "formula",
        /// The evaluation plan of every relation
        Plan = "plan",
        /// The order of the diagram variables
        Order = "order",
        /// Which label of the program each label of the formula is
        Labels = "labels",
        /// The monitor as a .mon file
        Monitor = "monitor",
        /// The monitor as a drawing for Graphviz
        MonitorDot = "monitor-dot",
    }
}

named! {
    /// The form of a trace.
    #[derive(Default)]
    pub enum TraceForm {
        /// A table of steps
        #[default]
        Text = "text",
        /// A JSON object
        Json = "json",
        /// The program with the lines that are executed marked
        Source = "source",
        /// No trace
        None = "none",
    }
}

/// The options of `getafix validate`.
#[derive(Clone, Default, Debug)]
pub struct ValidateOptions {
    /// The program
    pub file: PathBuf,
    /// The certificate
    pub certificate: PathBuf,
    /// What must not be reachable: L, f:L or assert (repeatable)
    pub targets: Vec<String>,
    /// How a program in C is read.
    pub c: COptions,
    /// Which SMT solver is asked.
    pub solver: SolverOptions,
}

/// The options of `getafix witness`.
#[derive(Clone, Default, Debug)]
pub struct WitnessOptions {
    /// The witness, in YAML
    pub witness: PathBuf,
    /// The program in C, or a task about it
    pub file: PathBuf,
    /// How the program is read.
    pub c: COptions,
    /// Which SMT solver is asked.
    pub solver: SolverOptions,
}

/// The options of `getafix run`.
#[derive(Clone, Debug)]
pub struct ExecuteOptions {
    /// The program
    pub file: PathBuf,
    /// Decides what the script of choices leaves open
    pub seed: u64,
    /// What to choose, in order: T,F,3,red,0
    pub choices: Vec<String>,
    /// What a program in C reads, in order: 3,-1
    pub inputs: Vec<i128>,
    /// Stop after so many steps
    pub steps: u64,
    /// Programs in C.
    pub c: COptions,
}

impl Default for ExecuteOptions {
    fn default() -> Self {
        let (file, choices, inputs) = (PathBuf::new(), Vec::new(), Vec::new());
        Self { file, seed: 0, choices, inputs, steps: 1000, c: COptions::default() }
    }
}

/// The options of `getafix fmt`.
#[derive(Clone, Default, Debug)]
pub struct FormatOptions {
    /// The program, FILE.mu or FILE.mon
    pub file: PathBuf,
}

/// The options of `getafix abstract`.
#[derive(Clone, Default, Debug)]
pub struct AbstractOptions {
    /// The program in C
    pub file: PathBuf,
    /// What to reach: L, f:L or assert (repeatable)
    pub targets: Vec<String>,
    /// The predicates.
    pub proof: ProofOptions,
    /// How the program is read.
    pub c: COptions,
}

/// The options of `getafix translate`.
#[derive(Clone, Default, Debug)]
pub struct TranslateOptions {
    /// The program
    pub file: PathBuf,
    /// What to reach: L, f:L or assert (repeatable)
    pub targets: Vec<String>,
    /// The formula: a name (see `algorithms`) or FILE.mu
    pub algorithm: Option<String>,
    /// Set a parameter of the formula (repeatable)
    pub params: Vec<(String, u64)>,
    /// Say which label, function or variable of the program a name of the formula is (repeatable)
    pub labels: Vec<(String, String)>,
    /// The bound of a concurrent program.
    pub bound: BoundOptions,
    /// In MUCKE's own language, which `mu` reads as well
    pub mucke: bool,
    /// Constrained Horn clauses in SMT-LIB, for Z3 and others
    pub chc: bool,
    /// Programs in C.
    pub c: COptions,
}

/// The options of `getafix sequentialize`.
#[derive(Clone, Default, Debug)]
pub struct SequentializeOptions {
    /// The program
    pub file: PathBuf,
    /// What to reach: L, f:L or assert (repeatable)
    pub targets: Vec<String>,
    /// The bound.
    pub bound: BoundOptions,
    /// How shared values are found: eager or lazy
    pub scheme: SchemeName,
}

named! {
    /// How a sequential program finds the shared values at the beginnings of contexts.
    #[derive(Default)]
    pub enum SchemeName {
        /// They are guessed
        #[default]
        Eager = "eager",
        /// They are computed
        Lazy = "lazy",
    }
}

named! {
    /// A stage that `--show` prints.
    pub enum Stage {
        /// The evaluation plan of every relation
        Plan = "plan",
        /// The order of the diagram variables
        Order = "order",
        /// The formula in canonical form; it parses back
        Formula = "formula",
    }
}

/// The options of `getafix mu`.
#[derive(Clone, Default, Debug)]
pub struct MuOptions {
    /// The file to evaluate
    pub file: PathBuf,
    /// Use the textbook twin instead of the solver
    pub twin: bool,
    /// Store every sort symbolically, whatever `#explicit` says
    pub symbolic: bool,
    /// Set a parameter of the file (repeatable)
    pub params: Vec<(String, u64)>,
    /// Print a stage instead of evaluating
    pub show: Option<Stage>,
}

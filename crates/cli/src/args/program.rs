//! The options of the commands that are about programs.

use super::heading;
use super::known::{Known, one_of};
use super::{COptions, LimitOptions, ProofOptions, QuestionOptions, RunOptions, SolverOptions, TaskOptions};
use crate::units;
use clap::{ArgAction, Args};
use generate::concurrent::Count;
use getafix::Question;
use getafix::options::{self, EngineName, ProgramStage, SchemeName, SearchName, TraceForm};
use std::num::NonZeroU8;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The options of `getafix check`.
#[derive(Args, Clone, Debug)]
#[command(disable_help_flag = true)]
pub struct CheckOptions {
    /// The program, or several; `-` reads stdin
    ///
    /// With several, the name of each stands before its answer, and the exit status is the strongest of all, in the order
    /// 0, 5, 10, 2, 101. With --link they are one.
    #[arg(value_name = "FILE", required_unless_present_any = ["link", "tasks"])]
    pub files: Vec<PathBuf>,

    /// What to reach: L, f:L or assert (repeatable)
    ///
    /// `L` is the label L of any function, `f:L` that of function f, `assert` any failing assertion. In
    /// programs with threads also `thread.f:L` and `thread[1].f:L`. Several targets are
    /// answered in one run; the first line and the exit status say whether one of them is reachable.
    /// Default: failing assertions and the labels ERROR, ERR and SLIC_ERROR.
    #[arg(short, long = "target", value_name = "TARGET", conflicts_with = "question")]
    #[arg(help_heading = heading::QUESTION)]
    pub targets: Vec<String>,

    /// What else is asked.
    #[command(flatten)]
    pub question: QuestionOptions,

    /// The bound of a concurrent program.
    #[command(flatten)]
    pub bound: BoundOptions,

    /// Who answers, and how.
    #[command(flatten)]
    pub engine: EngineOptions,

    /// What is made of the answer.
    #[command(flatten)]
    pub answer: AnswerOptions,

    /// C: where random inputs begin
    #[arg(long, value_name = "N", hide_short_help = true, help_heading = heading::C)]
    pub seed: Option<u64>,

    /// Programs in C.
    #[command(flatten)]
    pub c: COptions,

    /// Proofs about programs in C.
    #[command(flatten)]
    pub proof: ProofOptions,

    /// Limits and output.
    #[command(flatten)]
    pub run: RunOptions,

    /// Many checks at once.
    #[command(flatten)]
    pub many: TaskOptions,

    /// Print this; `--help` says everything
    #[arg(short, long, action = ArgAction::Help, help_heading = heading::LIMITS)]
    pub help: Option<bool>,
}

impl CheckOptions {
    /// What is asked about one of the programs.
    pub fn question(&self, file: &Path) -> Question {
        Question::Check(Box::new(options::CheckOptions {
            file: file.to_owned(),
            targets: self.targets.clone(),
            question: self.question.clone().into(),
            bound: self.bound.clone().into(),
            formula: options::FormulaOptions {
                algorithm: self.engine.algorithm.clone(),
                params: self.engine.params.clone(),
                labels: self.engine.labels.clone(),
                no_explicit: self.engine.no_explicit,
            },
            engine: self.engine.engine,
            search: self.engine.search,
            sharing: options::SharingOptions {
                workers: self.engine.sharing.workers,
                hosts: self.engine.sharing.hosts.is_some(),
            },
            without: self.engine.without.clone(),
            show: self.answer.show,
            trace: self.answer.trace,
            shortest: self.answer.shortest,
            certificate: self.answer.certificate.is_some(),
            seed: self.seed,
            c: self.c.clone().into(),
            proof: options::ProofOptions { jobs: self.many.jobs.unwrap_or(1), ..self.proof.clone().into() },
        }))
    }
}

/// Who answers, and how: a formula, an engine, what is left out.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = heading::FORMULA)]
pub struct EngineOptions {
    /// The formula: a name (see `algorithms`) or FILE.mu
    ///
    /// A file may be anybody's own formula over the relations of the program. If its answer is reachable and its
    /// derivation is no run of the program, the verdict is UNKNOWN.
    #[arg(short, long, value_name = "NAME", value_parser = Known::ALGORITHMS, hide_possible_values = true)]
    pub algorithm: Option<String>,

    /// Set a parameter of the formula (repeatable)
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = units::param)]
    pub params: Vec<(String, u64)>,

    /// Which label, function or variable a name is
    ///
    /// A formula file names labels by `#label A;` or `#label A = "f:L";`, functions by `#function F = "f";` and variables by `#variable X = "f:x";`,
    /// and this option says, or overrides, which they are: `--label A=f:L`, `--function F=f`, `--variable X=f:x`.
    #[arg(long = "label", aliases = ["function", "variable"])]
    #[arg(value_name = "NAME=LABEL", value_parser = units::label, hide_short_help = true)]
    pub labels: Vec<(String, String)>,

    /// Who answers: symbolic, explicit, portfolio, …
    ///
    /// symbolic (the default if a target is to be reached in a sequential program): the formula, evaluated by the solver; if none is named, also formulas about views of the program
    /// that know less of it, as soon as it takes long. explicit: states one by one, on the fly.
    /// portfolio (the default of programs with threads, and of other questions): explicit first, then both side by side, the first answer counts, and which of the two it
    /// is depends on counts of work, not on time. twin: tables of concrete states, without a formula, for small programs; its traces are as short as can be.
    /// compare: all of them, which must agree; for concurrent programs also the sequential programs that `sequentialize` prints, where they are cheap.
    #[arg(long, value_name = "NAME", value_parser = one_of::<EngineName>(), hide_possible_values = true)]
    pub engine: Option<EngineName>,

    /// Order of the explicit search: dfs, bfs or widen
    ///
    /// dfs (the default): what was found last. bfs: what takes the fewest steps from the start of the program, so that a run to a target is
    /// as short as possible. widen: the same, but the more values of a choice have been tried, the longer the others wait. Means --engine explicit.
    #[arg(long, value_name = "ORDER", value_parser = one_of::<SearchName>(), hide_possible_values = true, hide_short_help = true)]
    pub search: Option<SearchName>,

    /// Who searches side by side.
    #[command(flatten)]
    pub sharing: SharingOptions,

    /// Store every sort as bits of diagrams
    ///
    /// This is the evaluation of the paper: every relation is one decision diagram. The answers
    /// are the same.
    #[arg(long, hide_short_help = true)]
    pub no_explicit: bool,

    /// Leave out a reduction, or `all` (repeatable)
    ///
    /// The reductions are dead-code, jump-chains, straight-lines, live-variables and cone; localise (views of a sequential program that read variables and high
    /// bits that may not matter as any value are asked beside the program, by several formulas in turn); in concurrent programs also symmetry
    /// (copies of a thread take their first turns in order), visibility (a thread goes on only where others could notice), early-stop
    /// (nothing is computed once a target is reached), order (diagram variables as the formula file suggests), deepening (smaller
    /// bounds are asked for first), every-bound (whether the answer holds for every bound), lazy-start (a thread chooses its first values when it first
    /// runs), summaries (a call of a recursive function that other threads do not notice is one step), native-start (threads that are started at run time need no slots)
    /// and stubborn-sets (threads that need not move are left out). They change how long the answer
    /// takes, never the verdict.
    #[arg(long, value_name = "NAME", value_parser = Known::REDUCTIONS, hide_possible_values = true)]
    #[arg(hide_short_help = true)]
    pub without: Vec<String>,
}

/// What is made of the answer.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = heading::ANSWER)]
pub struct AnswerOptions {
    /// Print a stage of the program instead of checking
    ///
    /// ast: the program in canonical form. rsm: the recursive state machine. cfg: of a program in C, the integer program. predicates: of a program in C, those of --predicates or of its guards. dot: the
    /// same as a drawing for Graphviz. reduced: what the reductions leave of it. relations: the relations that formulas are about. formula: the formula in canonical form.
    /// plan: the evaluation plan of every relation. order: the order of the diagram variables. labels: which label, function or variable of the program each name
    /// of the formula is, the point and the line of labels, and the bits of variables. monitor: the monitor of --monitor or --ltl as
    /// a .mon file. monitor-dot: the same as a drawing for Graphviz.
    #[arg(long, value_name = "STAGE", value_parser = one_of::<ProgramStage>(), hide_possible_values = true)]
    pub show: Option<ProgramStage>,

    /// Form of the trace: text, json, source or none
    ///
    /// text (the default): a table of steps. json: the whole answer as one JSON object, the same as --json. source: the program, with
    /// the lines that are executed marked.
    #[arg(long, value_name = "FORM", value_parser = one_of::<TraceForm>(), hide_possible_values = true, default_value = "text")]
    #[arg(hide_default_value = true)]
    pub trace: TraceForm,

    /// What the program `-` is called in messages and pages
    ///
    /// For editors and scripts that hand over a text by stdin: a name of a file, which is not read.
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    pub stdin_name: Option<PathBuf>,

    /// Find a trace with as few steps as possible
    #[arg(long)]
    pub shortest: bool,

    /// Write a certificate if there is no such run
    ///
    /// If the answer is UNREACHABLE, NO INFINITE RUN or HOLDS. `getafix validate` checks it. With `-` it goes to stdout, and the answer to stderr.
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,

    /// Write what is found in SARIF 2.1.0 (`-` for stdout)
    ///
    /// For editors and code hosts: a result for each target that is reached, with the run as a code flow. Several programs are in one document.
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,

    /// Write the answer as a page for the browser
    ///
    /// One file that needs nothing beside it: the program beside the run, the state after each step, keys to walk. With several programs FILE leads to a page for each, beside it.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

/// Who searches side by side.
#[derive(Args, Clone, Default, Debug)]
#[command(next_help_heading = heading::FORMULA)]
pub struct SharingOptions {
    /// So many threads of this machine search
    ///
    /// Of a sequential program the entries of functions are dealt to them, of a program with threads the configurations. It pays for searches of seconds and more; verdicts and least
    /// bounds are the same, the run may be another one, and is the same in every run with as many workers. Means --engine explicit.
    #[arg(long, value_name = "W", value_parser = units::workers, hide_short_help = true)]
    pub workers: Option<NonZeroU8>,

    /// Search together with the processes that FILE lists
    ///
    /// FILE has a line `address:port` for each process; all are started with the same program and options, and each with its own --host. Their memory adds up. See docs/machines.md. Means
    /// --engine explicit.
    #[arg(long, value_name = "FILE", requires_all = ["host", "key"], hide_short_help = true)]
    pub hosts: Option<PathBuf>,

    /// Which line of --hosts this process is, from 0 on
    ///
    /// The first one tells the run.
    #[arg(long, value_name = "I", requires = "hosts", hide_short_help = true)]
    pub host: Option<u8>,

    /// The file with the secret that all processes of --hosts know
    ///
    /// At least 16 bytes, in a file that only its owner may read. Who does not know it is sent away.
    #[arg(long, value_name = "FILE", requires = "hosts", hide_short_help = true)]
    pub key: Option<PathBuf>,

    /// How long to wait for the processes of --hosts: 30, 2m
    #[arg(long, value_name = "TIME", value_parser = units::duration, requires = "hosts", default_value = "30", hide_short_help = true)]
    pub connect_timeout: Duration,
}

/// How often the threads of a concurrent program may take turns.
#[derive(Args, Clone, Default, Debug)]
#[command(next_help_heading = heading::THREADS)]
pub struct BoundOptions {
    /// Threads: at most so many context switches
    ///
    /// A context is a stretch of steps by one thread; with K switches there are K + 1 contexts, of any threads. The answer names
    /// the least number of switches that suffices.
    #[arg(short = 'k', value_name = "K", value_parser = units::switches, allow_negative_numbers = true)]
    #[arg(group = "bound")]
    pub switches: Option<u32>,

    /// Threads: at most so many rounds
    ///
    /// In each round the threads run in the order of the text, each at most once. Where some thread is `[*]`, in any order that is the
    /// same in all rounds. The answer names the least number of rounds that suffices.
    #[arg(long, value_name = "R", value_parser = units::rounds, allow_negative_numbers = true)]
    #[arg(group = "bound")]
    pub rounds: Option<u32>,

    /// Threads: the least number of context switches, up to K
    ///
    /// The same as -k, and a formula that does not count the switches is noted.
    #[arg(long, value_name = "K", value_parser = units::switches, allow_negative_numbers = true)]
    #[arg(group = "bound", hide_short_help = true)]
    pub up_to: Option<u32>,

    /// Calls with a label ASYNC_… start threads
    ///
    /// This is the convention of SLAM and Boppo.
    #[arg(long, hide_short_help = true)]
    pub async_labels: bool,
}

impl From<BoundOptions> for options::BoundOptions {
    fn from(options: BoundOptions) -> Self {
        let BoundOptions { switches, rounds, up_to, async_labels } = options;
        Self { switches, rounds, up_to, async_labels }
    }
}

/// The options of `getafix validate`.
#[derive(Args, Debug)]
pub struct ValidateOptions {
    /// The program; `-` reads stdin
    pub file: PathBuf,

    /// The certificate; `-` reads stdin
    pub certificate: PathBuf,

    /// What must not be reachable: L, f:L or assert (repeatable)
    ///
    /// Default: what the certificate claims to be unreachable. A certificate about infinite runs says itself what it claims.
    #[arg(short, long = "target", value_name = "TARGET")]
    pub targets: Vec<String>,

    /// Write the verdict and the proof as a page for the browser
    ///
    /// What the certificate says holds before each line, in the language of the program.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// How a program in C is read.
    #[command(flatten)]
    pub c: COptions,

    /// Which SMT solver is asked.
    #[command(flatten)]
    pub solver: SolverOptions,

    /// Limits and output.
    #[command(flatten)]
    pub run: RunOptions,
}

impl From<ValidateOptions> for Question {
    fn from(options: ValidateOptions) -> Self {
        let ValidateOptions { file, certificate, targets, c, solver, html: _, run: _ } = options;
        let (c, solver) = (c.into(), solver.into());
        Question::Validate(options::ValidateOptions { file, certificate, targets, c, solver })
    }
}

/// The options of `getafix witness`.
#[derive(Args, Debug)]
pub struct WitnessOptions {
    /// The witness, in YAML; `-` reads stdin
    pub witness: PathBuf,

    /// The program in C, or a task about it
    pub file: PathBuf,

    /// How the program is read.
    #[command(flatten)]
    pub c: COptions,

    /// Which SMT solver is asked.
    #[command(flatten)]
    pub solver: SolverOptions,

    /// Limits and output.
    #[command(flatten)]
    pub run: RunOptions,
}

impl From<WitnessOptions> for Question {
    fn from(options: WitnessOptions) -> Self {
        let WitnessOptions { witness, file, c, solver, run: _ } = options;
        let (c, solver) = (c.into(), solver.into());
        Question::Witness(options::WitnessOptions { witness, file, c, solver })
    }
}

/// The options of `getafix run`.
#[derive(Args, Debug)]
pub struct ExecuteOptions {
    /// The program; `-` reads stdin
    pub file: PathBuf,

    /// Decides what the script of choices leaves open
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// What to choose, in order: T,F,3,red,0
    ///
    /// At the start the value of each global, then of each local of main; before a step that is one of several,
    /// its number from 0; then each `*` of its values; for a call the value of each local of the callee that
    /// is no parameter. When the list is used up, random values follow.
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub choices: Vec<String>,

    /// What a program in C reads, in order: 3,-1
    ///
    /// When the list is used up, random numbers follow.
    #[arg(long, value_name = "LIST", value_delimiter = ',', allow_hyphen_values = true)]
    pub inputs: Vec<i128>,

    /// Stop after so many steps
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub steps: u64,

    /// Print one JSON object instead of lines
    ///
    /// Its schema is docs/output.schema.json; the run is in its key `run`.
    #[arg(long)]
    pub json: bool,

    /// Programs in C.
    #[command(flatten)]
    pub c: COptions,

    /// Limits.
    #[command(flatten)]
    pub limits: LimitOptions,
}

impl From<ExecuteOptions> for Question {
    fn from(options: ExecuteOptions) -> Self {
        let ExecuteOptions { file, seed, choices, inputs, steps, json: _, c, limits: _ } = options;
        Question::Run(options::ExecuteOptions { file, seed, choices, inputs, steps, c: c.into() })
    }
}

/// The options of `getafix fmt`.
#[derive(Args, Debug)]
pub struct FormatOptions {
    /// The program, FILE.mu or FILE.mon, or several; `-` reads a program
    ///
    /// If several are printed, the name of each stands before it.
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,

    /// Print nothing; status 10 if a file is not in canonical form
    #[arg(long, conflicts_with = "write")]
    pub check: bool,

    /// Write the file instead of printing
    #[arg(long)]
    pub write: bool,
}

/// The options of `getafix algorithms`.
#[derive(Args, Debug)]
pub struct AlgorithmsOptions {
    /// Print the formula file of this algorithm
    #[arg(long, value_name = "NAME", value_parser = Known::ALGORITHMS, hide_possible_values = true)]
    pub print: Option<String>,

    /// List the relations by which formulas speak of a program
    #[arg(long, conflicts_with = "print")]
    pub words: bool,
}

/// The options of `getafix abstract`.
#[derive(Args, Clone, Debug)]
pub struct AbstractOptions {
    /// The program in C
    pub file: PathBuf,

    /// What to reach: L, f:L or assert (repeatable)
    ///
    /// Default: what `check` asks for.
    #[arg(short, long = "target", value_name = "TARGET")]
    pub targets: Vec<String>,

    /// Where the Boolean program goes; without this option to stdout
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// The predicates.
    #[command(flatten)]
    pub proof: ProofOptions,

    /// How the program is read.
    #[command(flatten)]
    pub c: COptions,

    /// Limits.
    #[command(flatten)]
    pub limits: LimitOptions,
}

impl From<AbstractOptions> for Question {
    fn from(options: AbstractOptions) -> Self {
        let AbstractOptions { file, targets, output: _, proof, c, limits: _ } = options;
        let (proof, c) = (proof.into(), c.into());
        Question::Abstract(options::AbstractOptions { file, targets, proof, c })
    }
}

/// The options of `getafix translate`.
#[derive(Args, Debug)]
pub struct TranslateOptions {
    /// The program; `-` reads stdin
    pub file: PathBuf,

    /// What to reach: L, f:L or assert (repeatable)
    ///
    /// Default: failing assertions and the labels ERROR, ERR and SLIC_ERROR.
    #[arg(short, long = "target", value_name = "TARGET")]
    pub targets: Vec<String>,

    /// The formula: a name (see `algorithms`) or FILE.mu
    #[arg(short, long, value_name = "NAME", conflicts_with = "chc")]
    #[arg(value_parser = Known::ALGORITHMS, hide_possible_values = true)]
    pub algorithm: Option<String>,

    /// Set a parameter of the formula (repeatable)
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = units::param, conflicts_with = "chc")]
    pub params: Vec<(String, u64)>,

    /// Say which label, function or variable of the program a name of the formula is (repeatable)
    #[arg(long = "label", aliases = ["function", "variable"])]
    #[arg(value_name = "NAME=LABEL", value_parser = units::label, conflicts_with = "chc")]
    pub labels: Vec<(String, String)>,

    /// The bound of a concurrent program.
    #[command(flatten)]
    pub bound: BoundOptions,

    /// In MUCKE's own language, which `mu` reads as well
    #[arg(long, conflicts_with = "chc")]
    pub mucke: bool,

    /// Constrained Horn clauses in SMT-LIB, for Z3 and others
    ///
    /// The clauses are unsatisfiable if and only if the target is reachable.
    #[arg(long)]
    pub chc: bool,

    /// Programs in C.
    #[command(flatten)]
    pub c: COptions,

    /// Limits.
    #[command(flatten)]
    pub limits: LimitOptions,
}

impl From<TranslateOptions> for Question {
    fn from(options: TranslateOptions) -> Self {
        let TranslateOptions { file, targets, algorithm, params, labels, bound, mucke, chc, c, limits: _ } =
            options;
        let (bound, c) = (bound.into(), c.into());
        Question::Translate(options::TranslateOptions {
            file,
            targets,
            algorithm,
            params,
            labels,
            bound,
            mucke,
            chc,
            c,
        })
    }
}

/// The options of `getafix sequentialize`.
#[derive(Args, Debug)]
pub struct SequentializeOptions {
    /// The program; `-` reads stdin
    pub file: PathBuf,

    /// What to reach: L, f:L or assert (repeatable)
    ///
    /// In programs with threads also `thread.f:L` and `thread[1].f:L`.
    /// Default: failing assertions and the labels ERROR, ERR and SLIC_ERROR.
    #[arg(short, long = "target", value_name = "TARGET")]
    pub targets: Vec<String>,

    /// The bound.
    #[command(flatten)]
    pub bound: BoundOptions,

    /// How shared values are found: eager or lazy
    ///
    /// eager (the default): the shared values at the beginning of each context are guessed first. lazy: they are computed, and for
    /// each context its thread runs again from its start.
    #[arg(long, value_name = "NAME", value_parser = one_of::<SchemeName>(), hide_possible_values = true, default_value = "eager")]
    #[arg(hide_default_value = true)]
    pub scheme: SchemeName,

    /// Limits.
    #[command(flatten)]
    pub limits: LimitOptions,
}

impl From<SequentializeOptions> for Question {
    fn from(options: SequentializeOptions) -> Self {
        let SequentializeOptions { file, targets, bound, scheme, limits: _ } = options;
        let bound = bound.into();
        Question::Sequentialize(options::SequentializeOptions { file, targets, bound, scheme })
    }
}

/// The options of `getafix gen`.
#[derive(Args, Debug)]
pub struct GenerateOptions {
    /// The family
    #[arg(value_parser = Known::FAMILIES, hide_possible_values = true)]
    pub family: String,

    /// The size
    ///
    /// Families that come in one size, or have numbers of their own, need none.
    #[arg(long, short, value_name = "N")]
    pub n: Option<u32>,

    /// bluetooth: so many threads that use the driver, or `*`
    #[arg(long, value_name = "A")]
    pub adders: Option<Count>,

    /// bluetooth: so many threads that stop the driver, or `*`
    #[arg(long, value_name = "S")]
    pub stoppers: Option<Count>,

    /// readers_writers: so many readers, or `*`
    #[arg(long, value_name = "R")]
    pub readers: Option<Count>,

    /// readers_writers: so many writers, or `*`
    #[arg(long, value_name = "W")]
    pub writers: Option<Count>,

    /// Without the bug that the family is known for
    #[arg(long)]
    pub fixed: bool,

    /// The variant whose ERROR is reachable
    #[arg(long)]
    pub reachable: bool,

    /// So many more globals, written at random
    #[arg(long, value_name = "K", default_value_t = 0)]
    pub globals: u32,

    /// Decides everything random
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
}

/// The names of the families, for `gen -h`.
pub fn families() -> String {
    let names: Vec<&str> = generate::FAMILIES.iter().map(|family| family.name).collect();
    format!("Families: {}", names.join(", "))
}

/// The families with what they are and which options they know, for `gen --help`.
pub fn families_at_length() -> String {
    let mut out = "Families:".to_owned();
    for family in generate::FAMILIES {
        let (least, most) = family.range;
        let options: String = family.options.iter().map(|option| format!(", --{option}")).collect();
        let size = match least == most {
            true => String::new(),
            false => format!("n from {least} to {most}"),
        };
        let counts: String =
            crate::families::counts_of(family.name).map(|name| format!(", --{name}")).collect();
        let known = format!("{size}{options}{counts}");
        let known = known.trim_start_matches(", ");
        out.push_str(&format!("\n  {:<15} {}\n{:18}{known}", family.name, family.about, ""));
    }
    out
}

//! The table of options: `-h`, `--help`, the completions and the manual page all come from here.

mod c;
mod heading;
mod known;
mod program;
mod question;
mod tasks;

pub use c::{COptions, ProofOptions, SolverOptions};
pub use program::{
    AbstractOptions, AlgorithmsOptions, CheckOptions, ExecuteOptions, FormatOptions, GenerateOptions,
    SequentializeOptions, SharingOptions, TranslateOptions, ValidateOptions, WitnessOptions,
};
pub use question::QuestionOptions;
pub use tasks::TaskOptions;

use crate::units;
use clap::{Args, Parser, Subcommand, builder::styling::Styles};
use getafix::Question;
use getafix::options::{self, Stage};
use known::one_of;
use std::path::PathBuf;
use std::time::Duration;

/// What `--help` adds below the options.
const EXIT_STATUS: &str = "\
Exit status:
  0   unreachable, no infinite run, holds, the query is true, accepted, or evaluated
  10  reachable, infinite run, violated, the query is false, refused, an assertion failed, or not formatted
  5   unknown: out of time or memory, interrupted, or without a value
  2   the input or the usage was rejected; stderr says why
  101 a bug in getafix

Environment:
  NO_COLOR  if set and not empty, neither verdicts nor diagnostics are coloured
  COLUMNS   the width at which lines before contexts fold on a terminal, if it is not that of the terminal";

/// The options that only `--help` describes, for the end of `-h`.
fn more<T: Args>() -> String {
    let table = T::augment_args(clap::Command::new("table"));
    let hidden = table.get_arguments().filter(|option| option.is_hide_short_help_set());
    let names: Vec<String> = hidden.filter_map(|option| Some(format!("--{}", option.get_long()?))).collect();
    if names.is_empty() {
        String::new()
    } else {
        format!("More, which --help describes: {}", names.join(", "))
    }
}

/// Model checking where the algorithm is a formula.
///
/// Getafix checks Boolean programs by evaluating formulas of a fixed-point calculus over decision
/// diagrams, and programs in C by executing them and by proofs. The answer goes to stdout; progress, statistics and diagnostics go to stderr.
#[derive(Parser, Debug)]
#[command(name = "getafix", version, after_long_help = EXIT_STATUS, styles = Styles::plain())]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Check whether a program, Boolean or in C, can reach an error
    ///
    /// The first line is REACHABLE, UNREACHABLE or UNKNOWN: and a reason; then come a verdict for each
    /// target, if there are several, and the trace. --repeat, --nonterm, --monitor and --ltl ask something else. Without --target the targets are failing
    /// assertions and the labels ERROR, ERR and SLIC_ERROR. For a concurrent program -k or --rounds is a bound,
    /// within which the answer holds; without one every schedule counts. Programs in C, files .c and .i, and tasks .yml about them, are executed.
    #[command(after_help = more::<CheckOptions>(), after_long_help = EXIT_STATUS)]
    Check(Box<CheckOptions>),
    /// Check a certificate that a program cannot reach an error
    ///
    /// Or that it has no infinite run of a kind. Prints ACCEPTED and what is proved, or REFUSED: and the reason. The certificate is one that `check --certificate` has
    /// written; it is checked against the program as it stands, without formulas or reductions.
    #[command(after_help = more::<ValidateOptions>(), after_long_help = EXIT_STATUS)]
    Validate(ValidateOptions),
    /// Check a witness of another tool about a program in C
    ///
    /// Prints ACCEPTED, or REFUSED: and the reason. The witness is a file in YAML, versions 2.0 and 2.1 of the format of the competition on software
    /// verification: for a violation a run is looked for that passes its waypoints, for correctness the property and all invariants are
    /// proved.
    #[command(after_help = more::<WitnessOptions>(), after_long_help = EXIT_STATUS)]
    Witness(WitnessOptions),
    /// Execute a program, Boolean or in C, step by step
    ///
    /// Prints each step, what it changes and what was chosen, and why the run ended.
    #[command(after_help = more::<ExecuteOptions>(), after_long_help = EXIT_STATUS)]
    Run(ExecuteOptions),
    /// Print a program, a formula file or a monitor in canonical form
    #[command(after_long_help = EXIT_STATUS)]
    Fmt(FormatOptions),
    /// List algorithms or the words of formulas, or print an algorithm
    Algorithms(AlgorithmsOptions),
    /// Translate the question about a program for other solvers
    ///
    /// Prints one formula file that needs no program any more: `getafix mu` evaluates it. A program in C becomes Horn
    /// clauses, --chc.
    #[command(after_help = more::<TranslateOptions>(), after_long_help = EXIT_STATUS)]
    Translate(TranslateOptions),
    /// Make a Boolean program of a program in C, through predicates
    ///
    /// Its states are what the predicates see; a label of a target is reachable in it if the program may reach the target, as far as the predicates
    /// tell.
    #[command(after_help = more::<AbstractOptions>(), after_long_help = EXIT_STATUS)]
    Abstract(AbstractOptions),
    /// Make a sequential program of a concurrent one
    ///
    /// The label ERROR of the sequential program is reachable if and only if the concurrent one reaches a target within the bound.
    #[command(after_help = more::<SequentializeOptions>(), after_long_help = EXIT_STATUS)]
    Sequentialize(SequentializeOptions),
    /// Print a program of a family
    #[command(after_help = program::families(), after_long_help = program::families_at_length())]
    Gen(GenerateOptions),
    /// Evaluate a file of the fixed-point calculus
    ///
    /// Prints one line, `true` or `false`, for each query of the file, in order. A directive prints
    /// lines that begin with its own name, such as `#ons Reachable 40320`.
    #[command(after_long_help = EXIT_STATUS)]
    Mu(MuOptions),
    /// Say which other programs are found, and how to install them
    ///
    /// Getafix itself needs nothing. Proofs about programs in C ask an SMT solver, `#include` in programs in C needs a compiler, and a browser shows reports.
    Doctor,
    /// Serve an editor: mistakes, names, formatting, checks at a click
    ///
    /// Speaks the Language Server Protocol on stdin and stdout, about Boolean programs, formula files, monitors and programs in C. Editors start it; docs/editors.md says how
    /// they are told to. Reads nothing but what the editor sends and what `#load` names inside the folders that he has open. Ends with status 0 after
    /// `shutdown` and `exit`, otherwise with 1, also when the editor is gone.
    Lsp {
        /// Talk on stdin and stdout, as always
        ///
        /// For editors that say so to every server.
        #[arg(long)]
        stdio: bool,
    },
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page (roff)
    Man,
}

/// The options of `getafix mu`.
#[derive(Args, Debug)]
pub struct MuOptions {
    /// The file to evaluate; `-` reads stdin
    pub file: PathBuf,

    /// Use the textbook twin instead of the solver
    ///
    /// The twin evaluates the formula on plain sets of tuples, exactly as the definition reads. It
    /// is slow, and it is what the solver is tested against. `#size`, `#plan`, `#vis`, `#dump`,
    /// `#undump`, `#explain`, `#certify` and `#print statistics` need the solver.
    #[arg(long, conflicts_with = "symbolic")]
    pub twin: bool,

    /// Store every sort symbolically, whatever `#explicit` says
    ///
    /// This is the evaluation of the paper: every relation is one decision diagram. The answers
    /// are the same.
    #[arg(long)]
    pub symbolic: bool,

    /// Set a parameter of the file (repeatable)
    ///
    /// Overrides the value that `#param NAME = VALUE` gives in the file.
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = units::param)]
    pub params: Vec<(String, u64)>,

    /// Print a stage instead of evaluating
    #[arg(long, value_name = "STAGE", value_parser = one_of::<Stage>(), conflicts_with = "twin")]
    pub show: Option<Stage>,

    /// Limits and output.
    #[command(flatten)]
    pub run: RunOptions,
}

impl From<MuOptions> for Question {
    fn from(options: MuOptions) -> Self {
        let MuOptions { file, twin, symbolic, params, show, run: _ } = options;
        Question::Evaluate(options::MuOptions { file, twin, symbolic, params, show })
    }
}

/// The limits of commands that print text only.
#[derive(Args, Clone, Default, Debug)]
#[command(next_help_heading = heading::LIMITS)]
pub struct LimitOptions {
    /// Give up after this time: 30, 0.5, 30s, 2m, 1h
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub timeout: Option<Duration>,

    /// Give up above this much memory: 500M, 2G
    ///
    /// Without this option, four fifths of what the system or its control group grants.
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    pub memory: Option<u64>,

    /// Nothing but errors on stderr
    ///
    /// No progress, warnings or notes.
    #[arg(short, long)]
    pub quiet: bool,
}

impl From<LimitOptions> for RunOptions {
    fn from(limits: LimitOptions) -> Self {
        let LimitOptions { timeout, memory, quiet } = limits;
        Self { timeout, memory, quiet, ..Self::default() }
    }
}

/// The options that every command which computes something shares.
#[derive(Args, Clone, Default, Debug)]
#[command(next_help_heading = heading::LIMITS)]
pub struct RunOptions {
    /// Give up after this time: 30, 0.5, 30s, 2m, 1h
    ///
    /// The question being answered is then `unknown`, with how far it came, and the run ends
    /// with status 5.
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub timeout: Option<Duration>,

    /// Give up above this much memory: 500M, 2G
    ///
    /// Bytes, or with K, M, G, T the powers of 1024. Counts all processes of the run where the system tells, and the
    /// decision diagrams everywhere. Without this option, four fifths of what the system or its control group grants.
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    pub memory: Option<u64>,

    /// Print one JSON object instead of lines
    ///
    /// Its schema is docs/output.schema.json.
    #[arg(long)]
    pub json: bool,

    /// Print figures per relation to stderr
    ///
    /// Rounds, keys, nodes and time. With `--json` the times are in the object as well.
    #[arg(long)]
    pub stats: bool,

    /// Nothing but errors on stderr
    ///
    /// No progress, warnings or notes.
    #[arg(short, long)]
    pub quiet: bool,

    /// What stdout is used for.
    #[arg(skip)]
    pub stdout: Stdout,
}

/// What stdout is used for.
#[derive(Clone, Default, Debug)]
pub enum Stdout {
    /// The answer, of the only file.
    #[default]
    Answer,
    /// The answers about several files, one after the other: this is the present file.
    Answers {
        /// Its name.
        file: String,
        /// It is the first one.
        is_first: bool,
    },
    /// A file such as a certificate; then the answer goes to stderr.
    File,
    /// Nothing: the answer goes into a file.
    Nothing,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_table_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn short_help_fits_one_screen() {
        let mut root = Cli::command().term_width(80);
        root.build();
        for command in root.get_subcommands_mut() {
            let lines = command.render_help().to_string().lines().count();
            let most = if command.get_name() == "check" { 52 } else { 32 };
            assert!(lines <= most, "`getafix {} -h` has {lines} lines", command.get_name());
        }
        assert!(root.render_help().to_string().lines().count() <= 25);
    }

    #[test]
    fn short_help_names_every_option_and_long_help_describes_it() {
        let mut root = Cli::command().term_width(80);
        root.build();
        let mut n_options = 0;
        for command in root.get_subcommands_mut().filter(|command| command.get_name() != "help") {
            let (short, long) = (command.render_help().to_string(), command.render_long_help().to_string());
            let shown = command.get_arguments().filter(|option| !option.is_hide_set());
            for option in shown.filter_map(clap::Arg::get_long) {
                let name = format!("--{option}");
                let is_named = short
                    .split(|letter: char| letter.is_whitespace() || letter == ',')
                    .any(|word| word == name);
                assert!(is_named, "`getafix {} -h` lacks {name}", command.get_name());
                assert!(long.contains(&format!("{name}\n")) || long.contains(&format!("{name} <")), "{name}");
                n_options += 1;
            }
        }
        assert!(n_options > 100, "{n_options} options");
    }

    #[test]
    fn the_options_of_check_have_headings() {
        let mut root = Cli::command().term_width(80);
        root.build();
        let check = root.find_subcommand("check").expect("a command");
        let is_bare = |option: &&clap::Arg| !option.is_positional() && option.get_help_heading().is_none();
        assert_eq!(check.get_arguments().find(is_bare).map(clap::Arg::get_id), None);
        let page = String::from_utf8(crate::manual::page()).expect("text");
        for heading in
            ["Question", "Threads", "Formula and engine", "Answer", "Programs in C", "Limits and output"]
        {
            assert!(page.contains(heading), "the manual page lacks {heading}");
        }
    }
}

//! What a question can be told, as plain data: nothing here knows a command line.
//!
//! Contract: a value of each type with everything left out is [`Default`], and means what the command line means without options. Messages about
//! options name them as the command line spells them, whoever asks.

mod c;
mod names;
mod program;
mod question;

pub use c::{
    AssumptionName, COptions, DataModelName, IntegersName, LanguageName, ProofOptions, SolverOptions,
};
pub use names::Named;
pub use program::{
    AbstractOptions, BoundOptions, CheckOptions, ExecuteOptions, FormatOptions, FormulaOptions, MuOptions,
    ProgramStage, SchemeName, SequentializeOptions, SharingOptions, Stage, TraceForm, TranslateOptions,
    ValidateOptions, WitnessOptions,
};
pub use question::{EngineName, QuestionOptions, SchedulerName, SearchName};

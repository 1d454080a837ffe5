//! What a user can say about a C program that is not in its text.

use crate::types::DataModel;
use base::FileId;

/// Which points of the program are targets.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum TargetSelection {
    /// Calls of `reach_error` and `__VERIFIER_error`, labels `ERROR`, failing assertions.
    #[default]
    Usual,
    /// Calls of this function.
    Call(String),
    /// What these names say: `L` a label or a function that is called, `f:L` a label of a function, `assert` failing assertions.
    Named(Vec<String>),
    /// Nothing.
    None,
}

impl TargetSelection {
    /// Failing assertions are targets.
    pub(crate) fn has_assertions(&self) -> bool {
        match self {
            Self::Usual => true,
            Self::Named(names) => names.iter().any(|name| name == "assert"),
            Self::Call(_) | Self::None => false,
        }
    }

    /// Calls of a function are targets.
    pub(crate) fn has_call(&self, function: &str) -> bool {
        match self {
            Self::Usual => matches!(function, "reach_error" | "__VERIFIER_error"),
            Self::Call(wanted) => function == wanted,
            Self::Named(names) => names.iter().any(|name| name == function && name != "assert"),
            Self::None => false,
        }
    }

    /// A label of a function is a target.
    pub(crate) fn has_label(&self, function: &str, label: &str) -> bool {
        match self {
            Self::Usual => label == "ERROR",
            Self::Named(names) => names.iter().any(|name| match name.split_once(':') {
                Some((f, l)) => f == function && l == label,
                None => name == label,
            }),
            Self::Call(_) | Self::None => false,
        }
    }
}

/// How a program is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// How large the types are.
    pub data_model: DataModel,
    /// Further functions that give inputs.
    pub inputs: Vec<String>,
    /// What names stand for that the text does not declare. Tasks of the competition on software verification come with a header
    /// of their own that defines `LARGE_INT`; without that header the name has this value, and a warning says so.
    pub constants: Vec<(String, i64)>,
    /// What is looked for.
    pub targets: TargetSelection,
    /// Files with functions that the program may call without defining them; earlier ones count.
    pub library: Vec<FileId>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            data_model: DataModel::default(),
            inputs: Vec::new(),
            constants: vec![("LARGE_INT".to_owned(), 1_000_000)],
            targets: TargetSelection::default(),
            library: Vec::new(),
        }
    }
}

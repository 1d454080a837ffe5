//! What a step does, in words and as JSON.

use super::narrator::{Assignment, Holder};
use serde_json::{Value, json};

/// What a step does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing that would be worth a word.
    None,
    /// A condition is looked at.
    Test {
        /// What it is.
        value: bool,
        /// The environment decided.
        is_chosen: bool,
    },
    /// The run goes on at one of several labels.
    Jump {
        /// That one.
        label: String,
    },
    /// Variables change.
    Assign {
        /// Their new values.
        changes: Vec<Assignment>,
        /// What each `*` was, where the values alone do not tell.
        chosen: Vec<String>,
    },
    /// A function is called.
    Call {
        /// That one.
        function: String,
        /// The values of its parameters.
        arguments: Vec<Assignment>,
        /// The values of its other locals, as far as they matter.
        locals: Vec<Assignment>,
        /// As in `Assign`.
        chosen: Vec<String>,
    },
    /// A function returns.
    Return {
        /// To this one.
        function: String,
        /// What that one stores.
        changes: Vec<Assignment>,
        /// As in `Assign`.
        chosen: Vec<String>,
    },
    /// `main` of a sequential program returns.
    ProgramEnds,
    /// The first function of a thread returns.
    ThreadEnds,
    /// Another thread is started; none is named if it takes no step.
    Starts {
        /// Its name.
        thread: Option<String>,
    },
}

/// Names and values: `x = T, y = 3`.
pub fn list(assignments: &[Assignment]) -> String {
    let parts: Vec<String> = assignments.iter().map(|a| format!("{} = {}", a.name, a.value)).collect();
    parts.join(", ")
}

/// The same as JSON. A local says whose it is.
pub fn valuation(assignments: &[Assignment]) -> Value {
    let entry = |assignment: &Assignment| {
        let Assignment { name, value, function, of, to } = assignment;
        let mut entry = json!({ "name": name, "value": value, "function": function });
        match of {
            Holder::Variable => {}
            Holder::Declared(place) => entry["declared"] = json!(place),
            Holder::Memory => entry["holder"] = json!("memory"),
            Holder::Nothing => entry["holder"] = json!("nothing"),
        }
        if let Some(object) = to {
            entry["to"] = json!(object);
        }
        entry
    };
    assignments.iter().map(entry).collect()
}

/// ` [* = T, * = 3]`, or nothing.
fn stars(chosen: &[String]) -> String {
    let parts: Vec<String> = chosen.iter().map(|value| format!("* = {value}")).collect();
    if parts.is_empty() { String::new() } else { format!(" [{}]", parts.join(", ")) }
}

impl Effect {
    /// The effect in a few words.
    pub fn text(&self) -> String {
        match self {
            Self::None => String::new(),
            Self::Test { value, is_chosen } => {
                let value = if *value { "T" } else { "F" };
                if *is_chosen { format!("{value}, chosen") } else { value.to_owned() }
            }
            Self::Jump { label } => format!("to {label}"),
            Self::Assign { changes, chosen } => list(changes) + &stars(chosen),
            Self::Call { function, arguments, locals, chosen } => {
                let comma = if locals.is_empty() { "" } else { ", " };
                format!("{function}({}){comma}{}{}", list(arguments), list(locals), stars(chosen))
            }
            Self::Return { function, changes, chosen } => {
                let colon = if changes.is_empty() { "" } else { ": " };
                format!("back in {function}{colon}{}{}", list(changes), stars(chosen))
            }
            Self::ProgramEnds => "the program ends".to_owned(),
            Self::ThreadEnds => "the thread ends".to_owned(),
            Self::Starts { thread: Some(name) } => format!("starts {name}"),
            Self::Starts { thread: None } => "starts a thread that takes no step".to_owned(),
        }
    }

    /// Writes the effect into the entry of its step.
    pub fn fill(&self, entry: &mut Value) {
        let mut put = |key: &str, value: Value| entry[key] = value;
        match self {
            Self::None => put("kind", json!("step")),
            Self::Test { value, is_chosen } => {
                put("kind", json!("test"));
                put("value", json!(value));
                put("is_chosen", json!(is_chosen));
            }
            Self::Jump { label } => {
                put("kind", json!("jump"));
                put("label", json!(label));
            }
            Self::Assign { changes, chosen } => {
                put("kind", json!("assign"));
                put("changes", valuation(changes));
                put("chosen", json!(chosen));
            }
            Self::Call { function, arguments, locals, chosen } => {
                put("kind", json!("call"));
                put("callee", json!(function));
                put("arguments", valuation(arguments));
                put("locals", valuation(locals));
                put("chosen", json!(chosen));
            }
            Self::Return { function, changes, chosen } => {
                put("kind", json!("return"));
                put("caller", json!(function));
                put("changes", valuation(changes));
                put("chosen", json!(chosen));
            }
            Self::ProgramEnds | Self::ThreadEnds => put("kind", json!("end")),
            Self::Starts { thread } => {
                put("kind", json!("start"));
                put("starts", json!(thread));
            }
        }
    }
}

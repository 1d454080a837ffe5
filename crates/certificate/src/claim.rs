//! What a certificate claims of infinite runs, as it was asked.
//!
//! ```text
//! claim nonterm                no run goes on for ever
//! claim repeat L f:M           no infinite run is at one of these labels again and again
//! claim ltl G\20;F\20;x        every infinite run satisfies the formula
//! claim monitor TEXT           no run takes the monitor to a target state
//! claim monitor fair TEXT      no infinite run keeps it in target states again and again
//! ```
//!
//! The text of a monitor is all of its file, so that a certificate needs no other file than the program.

use crate::names::{escape, unescape};
use crate::text::shown;

/// What is claimed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claim {
    /// No run goes on for ever.
    Nonterm,
    /// No infinite run is at one of these labels again and again.
    Repeat(Vec<String>),
    /// Every infinite run satisfies the formula.
    Ltl(String),
    /// No run takes the monitor with this text to a target state.
    Monitor(String),
    /// No infinite run keeps the monitor with this text in target states again and again.
    Fair(String),
}

impl Claim {
    /// The line of the text.
    pub(crate) fn line(&self) -> String {
        match self {
            Self::Nonterm => "claim nonterm".to_owned(),
            Self::Repeat(labels) => {
                let labels: String = labels.iter().map(|label| format!(" {}", escape(label))).collect();
                format!("claim repeat{labels}")
            }
            Self::Ltl(formula) => format!("claim ltl {}", escape(formula)),
            Self::Monitor(text) => format!("claim monitor {}", escape(text)),
            Self::Fair(text) => format!("claim monitor fair {}", escape(text)),
        }
    }

    /// The claim that the words behind `claim` spell.
    pub(crate) fn read(words: &[&str]) -> Result<Self, String> {
        let name = |word: &str| {
            unescape(word).ok_or_else(|| format!("`{}` has a `\\` without a character code", shown(word)))
        };
        match words {
            ["nonterm"] => Ok(Self::Nonterm),
            ["repeat", labels @ ..] if !labels.is_empty() => {
                Ok(Self::Repeat(labels.iter().map(|label| name(label)).collect::<Result<_, _>>()?))
            }
            ["ltl", formula] => Ok(Self::Ltl(name(formula)?)),
            ["monitor", "fair", text] => Ok(Self::Fair(name(text)?)),
            ["monitor", text] => Ok(Self::Monitor(name(text)?)),
            _ => Err("expected `nonterm`, `repeat`, `ltl` or `monitor`, and what it is about".to_owned()),
        }
    }
}

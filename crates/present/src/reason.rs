//! Why something is not known, in words.

use crate::units;
use base::{Reading, Searched, StopReason};
use checker::{Unknown, Verdict, Words};
use std::time::Duration;

/// The limits that were set, for messages about them.
#[derive(Clone, Copy, Debug, Default)]
pub struct LimitsSet {
    /// Of time.
    pub timeout: Option<Duration>,
    /// Of memory, in bytes.
    pub memory: Option<u64>,
}

/// How far a search came: `1024 states, 3 entries, 64.0 KB, all runs of fewer than 12 steps`.
pub fn searched(search: &Searched) -> String {
    let Searched { states, entries, shorter_than, bytes } = search;
    let counted = |n: u64, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
    let mut parts = vec![
        counted(*states, "state", "states"),
        counted(*entries, "entry", "entries"),
        units::bytes(*bytes),
    ];
    parts.extend(shorter_than.map(|n| format!("all runs of fewer than {n} steps")));
    parts.join(", ")
}

impl LimitsSet {
    /// Why something is not known.
    pub fn reason(&self, unknown: &Unknown) -> String {
        self.reason_in(unknown, Words::Reachable)
    }

    /// The same about a question that is answered in these words.
    pub fn reason_in(&self, unknown: &Unknown, words: Words) -> String {
        let yes = words.of(&Verdict::Yes);
        match unknown {
            Unknown::Stopped(reason, reading) => self.stopped(*reason, reading),
            Unknown::Unconfirmed(inner) => {
                format!("the formula says {yes}, which is not confirmed: {}", self.reason_in(inner, words))
            }
            Unknown::NoRun(reason) => {
                format!("the formula says {yes}, but its derivation is no run of the program: {reason}")
            }
            Unknown::UnlessOverflow(inner) => {
                let no = words.of(&Verdict::No);
                format!("{no} unless a result overflows; {}", self.reason_in(inner, words))
            }
            Unknown::Each(reasons) => {
                let said = reasons.iter().map(|(engine, why)| format!("{engine}: {}", self.reason(why)));
                said.collect::<Vec<String>>().join("; ")
            }
            Unknown::Because(words) => words.clone(),
        }
    }

    /// Why a run was stopped and how far it came.
    pub fn stopped(&self, reason: StopReason, reading: &Reading) -> String {
        let why = match reason {
            StopReason::Interrupt => "interrupted".to_owned(),
            StopReason::Time => match self.timeout {
                Some(limit) => format!("timeout after {}", units::duration(limit)),
                None => "timeout".to_owned(),
            },
            StopReason::Work => "the work that was granted is done".to_owned(),
            StopReason::Memory => match self.memory {
                Some(limit) => format!("out of memory, limit {}", units::bytes(limit)),
                None => "out of memory".to_owned(),
            },
        };
        if *reading == Reading::default() {
            return why;
        }
        if let Some(search) = &reading.search {
            return format!("{why} ({})", searched(search));
        }
        if reading.steps > 0 {
            return format!("{why} ({})", units::executed(reading.runs, reading.steps));
        }
        let (nodes, bytes) = (reading.nodes, units::bytes(reading.bytes));
        if reading.relation.is_empty() {
            return format!("{why} (before the first relation, {nodes} nodes, {bytes})");
        }
        let Reading { relation, rounds, keys, .. } = reading;
        format!("{why} (in `{relation}`, round {rounds}, {keys} keys, {nodes} nodes, {bytes})")
    }
}

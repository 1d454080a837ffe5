//! Why something is not known, in words.

use crate::units;
use base::{Gauge, Reading, Searched, StopReason};
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

/// What has to happen for something that is not found all the same, if that is why it is not known.
pub fn unless(unknown: &Unknown) -> Option<&'static str> {
    match unknown {
        Unknown::UnlessOverflow(_) => Some("unless a result overflows"),
        Unknown::UnlessMisused(inner) if matches!(**inner, Unknown::UnlessOverflow(_)) => {
            Some("unless a result overflows or memory is misused")
        }
        Unknown::UnlessMisused(_) => Some("unless memory is misused"),
        _ => None,
    }
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
            Unknown::UnlessMisused(inner) => {
                let inner = if let Unknown::UnlessOverflow(inner) = &**inner { inner } else { inner };
                let (no, unless) = (words.of(&Verdict::No), unless(unknown).unwrap_or_default());
                format!("{no} {unless}; {}", self.reason_in(inner, words))
            }
            Unknown::Each(reasons) => self.each(reasons),
            Unknown::Hindered(obstacle, inner) => {
                format!("{obstacle}; {}", self.reason_in(inner, words))
            }
            Unknown::Because(words) => words.clone(),
        }
    }

    /// What each of several engines says. If all were stopped for the same reason, it is said once.
    fn each(&self, reasons: &[(&'static str, Unknown)]) -> String {
        let list = |said: Vec<String>| said.join("; ");
        let stop = |(_, why): &(&'static str, Unknown)| match why {
            Unknown::Stopped(reason, _) => Some(*reason),
            _ => None,
        };
        let first = reasons.first().and_then(stop);
        let Some(reason) = first.filter(|_| reasons.iter().all(|one| stop(one) == first)) else {
            let said = reasons.iter().map(|(engine, why)| format!("{engine}: {}", self.reason(why)));
            return list(said.collect());
        };
        let came = reasons.iter().filter_map(|(engine, why)| match why {
            Unknown::Stopped(_, reading) => Some(format!("{engine}: {}", figures(reading)?)),
            _ => None,
        });
        let came: Vec<String> = came.collect();
        let why = self.why(reason);
        if came.is_empty() { why } else { format!("{why} ({})", list(came)) }
    }

    /// Why something is not known that was stopped, given how far it came.
    pub fn halted(&self, reason: StopReason, gauge: &Gauge) -> String {
        let stopped = match &gauge.parts()[..] {
            [] => Unknown::Stopped(reason, gauge.read()),
            [(_, reading)] => Unknown::Stopped(reason, reading.clone()),
            parts => Unknown::Each(
                parts
                    .iter()
                    .map(|(name, reading)| (*name, Unknown::Stopped(reason, reading.clone())))
                    .collect(),
            ),
        };
        self.reason(&match gauge.obstacle() {
            Some(obstacle) => Unknown::Hindered(obstacle, Box::new(stopped)),
            None => stopped,
        })
    }

    /// Why a run was stopped and how far it came.
    pub fn stopped(&self, reason: StopReason, reading: &Reading) -> String {
        let why = self.why(reason);
        figures(reading).map_or(why.clone(), |figures| format!("{why} ({figures})"))
    }

    /// Why a run was stopped.
    fn why(&self, reason: StopReason) -> String {
        match reason {
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
        }
    }
}

/// How far a computation came, if it had begun.
fn figures(reading: &Reading) -> Option<String> {
    if *reading == Reading::default() {
        return None;
    }
    if let Some(search) = &reading.search {
        return Some(searched(search));
    }
    if reading.steps > 0 {
        return Some(units::executed(reading.runs, reading.steps));
    }
    let (nodes, bytes) = (units::counted(reading.nodes, "node"), units::bytes(reading.bytes));
    if reading.relation.is_empty() {
        return Some(format!("before the first relation, {nodes}, {bytes}"));
    }
    let Reading { relation, rounds, keys, .. } = reading;
    let keys = units::counted(*keys, "key");
    Some(format!("in `{relation}`, round {rounds}, {keys}, {nodes}, {bytes}"))
}

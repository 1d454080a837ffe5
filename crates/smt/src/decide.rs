//! One question about bits, to a solver of its own.
//!
//! A solver that is asked once may simplify everything beforehand; one that is kept open may not. So each question has a process.

use crate::horn::Manner;
use crate::pipe::usable;
use crate::process::{Process, Trouble};
use crate::query::Why;
use crate::sexpr::{Sexpr, read};
use base::Stop;
use std::path::Path;
use std::time::Duration;

/// Whether declarations and assertions can be satisfied.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Bits {
    /// They can: the values of the terms that were asked for, which have at most 128 bits.
    Sat(Vec<u128>),
    /// They cannot.
    Unsat,
    /// Nobody knows.
    Unknown(Why),
}

/// Asks about declarations and assertions over bit-vectors, and for the values of terms.
pub fn decide(program: &Path, script: &str, terms: &[String], manner: Manner, stop: &Stop) -> Bits {
    let Manner { effort, seconds, memory, .. } = manner;
    let arguments = ["-in".into(), "-smt2".into(), format!("-T:{seconds}"), format!("-memory:{memory}")];
    let mut process = match Process::start(program, &arguments) {
        Ok(process) => process,
        Err(trouble) => return Bits::Unknown(why(trouble, memory)),
    };
    let values =
        if terms.is_empty() { String::new() } else { format!("(get-value ({}))\n", terms.join(" ")) };
    process.send(format!(
        "(get-info :name)\n(get-info :version)\n(set-option :rlimit {effort})\n(set-logic QF_BV)\n{script}(check-sat)\n{values}(exit)\n"
    ));
    process.finish();
    match process.all(stop, Duration::from_secs(seconds.saturating_add(1))) {
        Ok(text) => answer(&text, terms.len()),
        Err(trouble) => Bits::Unknown(why(trouble, memory)),
    }
}

fn why(trouble: Trouble, memory: u64) -> Why {
    match trouble {
        Trouble::Stopped => Why::Stopped,
        Trouble::Silent => Why::TimedOut,
        Trouble::Memory => Why::OutOfMemory(memory),
        Trouble::Died => Why::Failed("the solver for bits ended unexpectedly".to_owned()),
        Trouble::Nonsense(what) => Why::Failed(format!("the solver for bits said {what}")),
        Trouble::Unusable(how) => Why::Failed(how),
    }
}

/// What all of its output says.
fn answer(text: &str, n_terms: usize) -> Bits {
    let failed = |how: &str| Bits::Unknown(Why::Failed(how.to_owned()));
    let Some(said) = read(text) else { return failed("the solver for bits did not finish its answer") };
    let [name, version, rest @ ..] = &said[..] else { return failed("the solver for bits said nothing") };
    if let Err(how) = usable(&[name.clone(), version.clone()]) {
        return failed(&format!("the solver {how}"));
    }
    match rest {
        [Sexpr::Atom(word), rest @ ..] if word == "unsat" && rest.len() <= 1 => Bits::Unsat,
        [Sexpr::Atom(word)] if word == "sat" && n_terms == 0 => Bits::Sat(Vec::new()),
        [Sexpr::Atom(word), Sexpr::List(values)] if word == "sat" && values.len() == n_terms => {
            let values: Option<Vec<u128>> = values.iter().map(value).collect();
            values.map_or_else(|| failed("the solver for bits gave no values"), Bits::Sat)
        }
        [Sexpr::Atom(word), ..] if word == "unknown" => Bits::Unknown(Why::GaveUp),
        [Sexpr::Atom(word), ..] if word == "timeout" => Bits::Unknown(Why::TimedOut),
        other => {
            let short: String = format!("{other:?}").chars().take(200).collect();
            failed(&format!("the solver for bits said {short}"))
        }
    }
}

/// The value in `(term value)`.
fn value(pair: &Sexpr) -> Option<u128> {
    let [_, Sexpr::Atom(value)] = pair.list()? else { return None };
    match value.strip_prefix("#x") {
        Some(digits) => u128::from_str_radix(digits, 16).ok(),
        None => u128::from_str_radix(value.strip_prefix("#b")?, 2).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GREETING: &str = "(:name \"Z3\")\n(:version \"4.13.0\")\n";

    #[test]
    fn answers_are_read() {
        let said = |text: &str, n_terms| answer(&format!("{GREETING}{text}"), n_terms);
        assert_eq!(said("unsat\n(error \"no model\")\n", 1), Bits::Unsat);
        assert_eq!(said("sat\n((i0 #x0f) ((ite b1 #b1 #b0) #b1))\n", 2), Bits::Sat(vec![15, 1]));
        assert!(matches!(said("sat\n((i0 #x0f))\n", 2), Bits::Unknown(Why::Failed(_))));
        assert!(matches!(said("sat\n((i0 x))\n", 1), Bits::Unknown(Why::Failed(_))));
        assert_eq!(said("unknown\n", 0), Bits::Unknown(Why::GaveUp));
        assert!(matches!(said("(error \"line 3\")\nsat\n", 0), Bits::Unknown(Why::Failed(_))));
        assert!(matches!(answer("", 0), Bits::Unknown(Why::Failed(_))));
    }
}

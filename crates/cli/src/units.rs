//! The values that options take: times, sizes, bounds and parameter settings.

use std::num::NonZeroU8;
use std::time::Duration;

/// More context switches than this are refused.
const MOST_SWITCHES: u32 = 64;

/// More rounds than this are refused: each has two copies of the shared variables.
const MOST_ROUNDS: u32 = 32;

/// More processes at once than this are refused.
const MOST_JOBS: usize = 1024;

/// `30`, `0.5`, `30s`, `250ms`, `2m`, `1h`.
pub fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text);
    let seconds = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("unknown unit of time `{unit}`; expected ms, s, m or h")),
    };
    Duration::try_from_secs_f64(decimal(number)? * seconds).map_err(|_| "too long".to_owned())
}

/// `500`, `64K`, `1.5M`, `2G`, `2GiB`: bytes in powers of 1024.
pub fn bytes(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text);
    let exponent = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 1,
        "m" | "mb" | "mib" => 2,
        "g" | "gb" | "gib" => 3,
        "t" | "tb" | "tib" => 4,
        _ => return Err(format!("unknown unit of memory `{unit}`; expected K, M, G or T")),
    };
    let value = decimal(number)? * 1024f64.powi(exponent);
    if value >= 2f64.powi(63) {
        return Err("too large".to_owned());
    }
    Ok(value as u64)
}

/// `4`: workers of a search.
pub fn workers(text: &str) -> Result<NonZeroU8, String> {
    text.parse().map_err(|_| "expected a number from 1 to 255".to_owned())
}

/// `k=3`.
pub fn param(text: &str) -> Result<(String, u64), String> {
    let (name, value) = named(text, "VALUE")?;
    let value = value.parse().map_err(|_| format!("`{value}` is not a natural number"))?;
    Ok((name.to_owned(), value))
}

/// `A=f:L`.
pub fn label(text: &str) -> Result<(String, String), String> {
    let (name, label) = named(text, "LABEL")?;
    if label.is_empty() {
        return Err("the label is missing".to_owned());
    }
    Ok((name.to_owned(), label.to_owned()))
}

/// A name of a formula, and what is said of it.
fn named<'t>(text: &'t str, what: &str) -> Result<(&'t str, &'t str), String> {
    let (name, value) = text.split_once('=').ok_or_else(|| format!("expected NAME={what}"))?;
    let (name, value) = (name.trim(), value.trim());
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '\'' | '$');
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) || !name.chars().all(is_name) {
        return Err(format!("`{name}` is not a name"));
    }
    Ok((name, value))
}

/// A number of context switches.
pub fn switches(text: &str) -> Result<u32, String> {
    bound(text, MOST_SWITCHES, "context switches")
}

/// A number of rounds.
pub fn rounds(text: &str) -> Result<u32, String> {
    bound(text, MOST_ROUNDS, "rounds")
}

/// A number of processes at once.
pub fn jobs(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=MOST_JOBS).contains(number));
    number.ok_or_else(|| format!("expected a number from 1 to {MOST_JOBS}"))
}

fn bound(text: &str, most: u32, what: &str) -> Result<u32, String> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number {
        return Err(format!("expected a number of {what} from 0 to {most}"));
    }
    match text.parse::<u32>() {
        Ok(number) if number <= most => Ok(number),
        _ => Err(format!(
            "at most {most} {what} can be looked at, since each needs copies of all shared variables"
        )),
    }
}

/// The number at the start and what follows it.
fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    (&text[..end], text[end..].trim())
}

/// A number that is finite and not negative; `split` admits neither sign nor exponent.
fn decimal(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| "expected a number, with an optional unit".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        let seconds = |text| duration(text).map(|d| d.as_secs_f64());
        assert_eq!(seconds("30"), Ok(30.0));
        assert_eq!(seconds("0.5"), Ok(0.5));
        assert_eq!(seconds("2m"), Ok(120.0));
        assert_eq!(seconds("1h"), Ok(3600.0));
        assert_eq!(seconds("250ms"), Ok(0.25));
        for wrong in ["", "s", "-1", "3 days", "1e400", "nan", "99999999999999999999999"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes_are_powers_of_1024() {
        assert_eq!(bytes("500"), Ok(500));
        assert_eq!(bytes("2G"), Ok(2 << 30));
        assert_eq!(bytes("1.5k"), Ok(1536));
        for wrong in ["", "G", "-2G", "2X", "99999999999999T"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn parameters_are_names_and_numbers() {
        assert_eq!(param("k=3"), Ok(("k".to_owned(), 3)));
        for wrong in ["k", "k=", "=3", "3=3", "k=-1", "k=x"] {
            assert!(param(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn bounds_are_small_numbers() {
        assert_eq!((switches("0"), switches("64"), rounds("32")), (Ok(0), Ok(64), Ok(32)));
        for wrong in ["", "-1", "+1", "x", "1.5", "65", "99999999999999999999"] {
            assert!(switches(wrong).is_err(), "{wrong}");
        }
        assert!(rounds("33").is_err_and(|message| message.starts_with("at most 32 rounds")));
    }
}

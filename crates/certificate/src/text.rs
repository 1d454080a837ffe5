//! The text of certificates, as far as it is the same for all of them: a line with the version, then lines of words; remarks, names, numbers.

use crate::names::unescape;
use std::fmt;
use std::str::FromStr;

/// What is wrong with a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    /// The line, from 1.
    pub line: usize,
    /// What was expected.
    pub message: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ReadError {}

/// Hands on the words of each line behind the first, which says the version. An error comes with its line.
pub(crate) fn each_line<E: From<String>>(
    text: &str,
    version: &str,
    mut read: impl FnMut(&[&str]) -> Result<(), E>,
) -> Result<(), (usize, E)> {
    let (mut has_version, mut last) = (false, 1);
    for (n, line) in (1..).zip(text.lines()) {
        last = n;
        let words = words(line);
        if words.is_empty() {
            continue;
        }
        match has_version {
            true => read(&words),
            false => is_version(&words, version).map_err(E::from),
        }
        .map_err(|error| (n, error))?;
        has_version = true;
    }
    if has_version { Ok(()) } else { Err((last, expected(version).into())) }
}

/// The words of a line, without the remark at its end.
pub(crate) fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().take_while(|word| !word.starts_with('#')).collect()
}

/// The line says what the versions of such a certificate have in common.
pub(crate) fn is_of_kind(line: &[&str], version: &str) -> bool {
    line.starts_with(kind(&words(version)))
}

/// What a version says but for its number.
fn kind<'a, 'w>(version: &'a [&'w str]) -> &'a [&'w str] {
    version.split_last().map_or(&[], |(_, kind)| kind)
}

pub(crate) fn is_version(line: &[&str], version: &str) -> Result<(), String> {
    let known = words(version);
    match line {
        _ if line == known => Ok(()),
        [first @ .., other] if first == kind(&known) => {
            Err(format!("certificates of version `{}` are not known", shown(other)))
        }
        _ => Err(expected(version)),
    }
}

fn expected(version: &str) -> String {
    format!("expected `{version}`")
}

/// Nothing but digits.
pub(crate) fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// A number that the type can hold.
pub(crate) fn number<N: FromStr>(word: &str) -> Result<N, String> {
    if !is_number(word) {
        return Err(format!("expected a number, found `{}`", shown(word)));
    }
    word.parse().map_err(|_| format!("the number `{}` is too large", shown(word)))
}

/// A name as it is in the program.
pub(crate) fn name(word: &str) -> Result<String, String> {
    unescape(word).ok_or_else(|| format!("`{}` has a `\\` without a character code", shown(word)))
}

/// As much of a word as a message shows.
pub(crate) fn shown(word: &str) -> String {
    const LONGEST: usize = 40;
    if word.chars().nth(LONGEST).is_none() {
        return word.to_owned();
    }
    word.chars().take(LONGEST).chain(['…']).collect()
}

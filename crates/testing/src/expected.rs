//! Output that is compared with what a file says it should be: lines `//> …` of the file, in which `...` stands for anything.

use std::path::Path;

/// The lines that a file announces: those behind `//>`.
pub fn announced(text: &str) -> Vec<&str> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("//>"));
    lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect()
}

/// The names of the files in a folder with this ending, in order.
#[track_caller]
pub fn names(folder: &Path, ending: &str) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("a readable folder").file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(ending))
        .collect();
    names.sort();
    names
}

/// Whether lines fit patterns, in which `...` alone stands for any number of lines.
pub fn lines_match(patterns: &[&str], lines: &[&str]) -> bool {
    match (patterns, lines) {
        ([], []) => true,
        (["...", rest @ ..], _) => (0..=lines.len()).any(|skipped| lines_match(rest, &lines[skipped..])),
        ([pattern, patterns @ ..], [line, lines @ ..]) => {
            line_matches(pattern, line) && lines_match(patterns, lines)
        }
        _ => false,
    }
}

/// Whether a line fits a pattern, in which `...` stands for anything.
pub fn line_matches(pattern: &str, line: &str) -> bool {
    match pattern.split_once("...") {
        None => pattern == line,
        Some((start, rest)) => line.strip_prefix(start).is_some_and(|tail| {
            (0..=tail.len()).filter(|&at| tail.is_char_boundary(at)).any(|at| line_matches(rest, &tail[at..]))
        }),
    }
}

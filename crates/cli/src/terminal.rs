//! What an answer looks like on a terminal: the verdict has a colour, and the lines before contexts are folded.
//!
//! Contract: where stdout is no terminal, every byte stays as it is.

use std::io::IsTerminal;

/// The terminal that stdout is, if it is one.
#[derive(Clone, Copy, Default)]
pub struct Terminal {
    paints: bool,
    /// Its width in characters; none if lines are not folded.
    width: Option<usize>,
}

/// Lines that are folded begin so.
const HEADER: &str = "-- context ";

/// What is folded goes on behind so many blanks.
const INDENT: usize = 14;

impl Terminal {
    /// That of stdout. `COLUMNS` says how wide it is if the user knows better, `NO_COLOR` that there are no colours.
    pub fn of_stdout() -> Self {
        if !std::io::stdout().is_terminal() {
            return Self::default();
        }
        let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        let size =
            || terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| usize::from(width.0));
        Self {
            paints: !is_set("NO_COLOR") && !is_dumb,
            width: columns.filter(|width| *width > 0).or_else(size),
        }
    }

    /// An answer, whose first line begins with the verdict, as it is shown.
    pub fn shown(&self, text: &str, verdict: &str) -> String {
        let text = match self.width {
            Some(width) => text.split_inclusive('\n').map(|line| folded(line, width)).collect(),
            None => text.to_owned(),
        };
        let word = verdict.to_uppercase();
        match text.strip_prefix(&word) {
            Some(rest) if self.paints => format!("\x1b[{}m{word}\x1b[0m{rest}", colour(verdict)),
            _ => text,
        }
    }
}

/// Red for what was looked for and found, green for what there is not, yellow where nothing is known.
fn colour(verdict: &str) -> &'static str {
    match verdict {
        "unreachable" | "no infinite run" | "holds" | "no deadlock" | "accepted" => "1;32",
        "unknown" => "1;33",
        _ => "1;31",
    }
}

/// A line in pieces that fit, if it is one before a context; a value that is too wide by itself stays whole.
fn folded(line: &str, width: usize) -> String {
    if !line.starts_with(HEADER) {
        return line.to_owned();
    }
    let mut out = String::new();
    let mut n_used = 0;
    for part in line.trim_end_matches('\n').split_inclusive(", ") {
        // The blank at the end of a line takes no room.
        let n_needed = part.trim_end().chars().count();
        if n_used > INDENT && n_used + n_needed > width {
            out.truncate(out.trim_end().len());
            out.push('\n');
            out.push_str(&" ".repeat(INDENT));
            n_used = INDENT;
        }
        out.push_str(part);
        n_used += part.chars().count();
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "REACHABLE within 1 context switch\n-- context 1: p (shared: first = T, second = F, third = T)\n   1  x := T, y\n";

    #[test]
    fn without_a_terminal_nothing_changes() {
        assert_eq!(Terminal::default().shown(TEXT, "reachable"), TEXT);
    }

    #[test]
    fn the_verdict_is_painted_and_nothing_else() {
        let paints = Terminal { paints: true, width: None };
        let expected = TEXT.replace("REACHABLE", "\x1b[1;31mREACHABLE\x1b[0m");
        assert_eq!(paints.shown(TEXT, "reachable"), expected);
        assert_eq!(paints.shown("UNREACHABLE\n", "unreachable"), "\x1b[1;32mUNREACHABLE\x1b[0m\n");
        assert_eq!(paints.shown("UNKNOWN: timeout\n", "unknown"), "\x1b[1;33mUNKNOWN\x1b[0m: timeout\n");
    }

    #[test]
    fn headers_of_contexts_are_folded_between_values() {
        let narrow = Terminal { paints: false, width: Some(46) };
        let folded = "-- context 1: p (shared: first = T, second = F,\n              third = T)\n";
        let expected = TEXT.replace("-- context 1: p (shared: first = T, second = F, third = T)\n", folded);
        assert_eq!(Terminal { width: Some(47), ..narrow }.shown(TEXT, "reachable"), expected);
        let wide = Terminal { width: Some(200), ..narrow };
        assert_eq!(wide.shown(TEXT, "reachable"), TEXT);
        for width in 1..80 {
            let shown = Terminal { width: Some(width), ..narrow }.shown(TEXT, "reachable");
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<String>>();
            assert_eq!(words(&shown), words(TEXT), "nothing is lost");
        }
    }
}

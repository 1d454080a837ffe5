//! The documents are true: their commands print what they show, and their links lead to files.
//!
//! A line `**name**` before a fenced block makes the block a file of that name. In a block of the kind `console` the lines that
//! begin with `$ ` are commands, and what follows is what they print, stdout before stderr; a line `…` stands for
//! any number of lines. In a block of the kind `sh` a command that runs getafix must not be rejected. Commands run in a directory
//! of their own, which has copies of the examples and of the algorithms.

use crate::harness::{Outcome, Sandbox, root};

/// The pages of the book, whose commands are run and whose links are followed: those that its table of contents names.
fn pages() -> Vec<String> {
    let table = read("docs/SUMMARY.md");
    let plain = |link: &str| link.strip_prefix("../").map_or_else(|| format!("docs/{link}"), str::to_owned);
    let pages: Vec<String> = links(&table).into_iter().map(plain).collect();
    assert!(pages.len() > 25, "{pages:?}");
    pages
}

/// Ways to say `getafix` before it is installed.
const CARGO_RUN: [&str; 2] = ["cargo run --quiet -- ", "cargo run -- "];

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The names in a directory of the repository that end so, sorted.
fn names(directory: &str, endings: &[&str]) -> Vec<String> {
    let entries = std::fs::read_dir(root().join(directory)).expect("a directory of the repository");
    let names =
        entries.map(|entry| entry.expect("a readable entry").file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> =
        names.filter(|name| endings.iter().any(|ending| name.ends_with(ending))).collect();
    names.sort();
    names
}

/// A fenced block.
struct Block {
    /// The line of the page it begins on.
    line: usize,
    /// The word after the fence.
    kind: String,
    /// The name in the last line before it, if that names a file.
    file: Option<String>,
    lines: Vec<String>,
}

/// The fenced blocks of a page.
fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    let mut last = "";
    for (number, line) in (1..).zip(page.lines()) {
        match (line.strip_prefix("```"), open.take()) {
            (Some(_), Some(block)) => {
                blocks.push(block);
                last = "";
            }
            (Some(kind), None) => {
                let name = last.strip_prefix("**").and_then(|rest| rest.strip_suffix("**"));
                let file = name.map(str::to_owned);
                open = Some(Block { line: number, kind: kind.to_owned(), file, lines: Vec::new() });
            }
            (None, Some(mut block)) => {
                block.lines.push(line.to_owned());
                open = Some(block);
            }
            (None, None) if !line.is_empty() => last = line,
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a fence is not closed");
    blocks
}

/// The words of a command, those in single quotes whole.
fn words(command: &str) -> Vec<&str> {
    let parts = command.split('\'').enumerate();
    parts
        .flat_map(|(n, part)| if n % 2 == 1 { vec![part] } else { part.split_whitespace().collect() })
        .collect()
}

/// The directory that a page is tried out in.
struct Reader {
    sandbox: Sandbox,
    /// The status of the last command.
    status: i32,
}

impl Reader {
    fn new() -> Self {
        let sandbox = Sandbox::new();
        for (directory, ending) in
            [("examples", &[".bp", ".c", ".mu", ".mon", ".toml"][..]), ("algorithms", &[".mu"])]
        {
            for name in names(directory, ending) {
                let path = format!("{directory}/{name}");
                sandbox.file(&path, read(&path));
            }
        }
        Self { sandbox, status: 0 }
    }

    /// Runs getafix; its arguments contain no blanks outside quotes.
    fn getafix(&mut self, arguments: &str) -> Outcome {
        let outcome = self.sandbox.run(&words(arguments));
        self.status = outcome.code;
        outcome
    }

    /// What a command prints: `getafix`, with or without `> FILE` or `< FILE`; `cat FILE`; `echo $?`.
    fn execute(&mut self, command: &str) -> String {
        let (command, file) = match command.split_once(" > ") {
            Some((command, file)) => (command, Some(file)),
            None => (command, None),
        };
        if command == "echo $?" {
            return format!("{}\n", self.status);
        }
        if let Some(name) = command.strip_prefix("cat ") {
            return self.sandbox.read(name);
        }
        let arguments = getafix_arguments(command).unwrap_or_else(|| panic!("unknown command `{command}`"));
        let outcome = match arguments.split_once(" < ") {
            Some((arguments, input)) => {
                let outcome = self.sandbox.run_with(&words(arguments), &self.sandbox.read(input));
                self.status = outcome.code;
                outcome
            }
            None => self.getafix(arguments),
        };
        if let Some(file) = file {
            self.sandbox.file(file, outcome.stdout);
            return outcome.stderr;
        }
        outcome.stdout + &outcome.stderr
    }

    /// Runs the commands of a block and compares what they print.
    fn console(&mut self, at: &str, lines: &[String]) {
        let mut rest = lines;
        while let Some((first, tail)) = rest.split_first() {
            let command = first.strip_prefix("$ ").unwrap_or_else(|| panic!("{at}: no command: {first}"));
            let n_shown = tail.iter().position(|line| line.starts_with("$ ")).unwrap_or(tail.len());
            let (shown, next) = tail.split_at(n_shown);
            let printed = self.execute(command);
            let printed: Vec<&str> = printed.lines().map(str::trim_end).collect();
            let shown: Vec<&str> = shown.iter().map(|line| line.trim_end()).collect();
            assert!(
                matches(&shown, &printed),
                "{at}: `{command}` prints\n{}\ninstead of\n{}",
                printed.join("\n"),
                shown.join("\n")
            );
            rest = next;
        }
    }

    /// Runs those commands of a block that run getafix.
    fn shell(&mut self, at: &str, lines: &[String]) {
        for line in lines {
            // What other programs do with the output is their business, and so are comments.
            let command = [" | ", " > ", " && ", "  # "]
                .iter()
                .filter_map(|mark| line.split(mark).next())
                .min_by_key(|part| part.len());
            if let Some(arguments) = command.and_then(getafix_arguments) {
                let outcome = self.getafix(arguments);
                assert!([0, 10].contains(&outcome.code), "{at}: `{line}` fails: {}", outcome.stderr);
                // A file in this folder may be asked about next.
                let file = line.split_once(" > ").map(|(_, file)| file);
                if let Some(file) = file.filter(|file| !file.contains([' ', '~', '/'])) {
                    self.sandbox.file(file, outcome.stdout);
                }
            }
        }
    }
}

/// The arguments of a command that runs getafix.
fn getafix_arguments(command: &str) -> Option<&str> {
    let run = CARGO_RUN.iter().find_map(|prefix| command.strip_prefix(prefix));
    run.or_else(|| command.strip_prefix("getafix "))
}

/// The lines are those shown, where `…` stands for any number of them.
fn matches(shown: &[&str], printed: &[&str]) -> bool {
    let mut parts = shown.split(|line| *line == "…");
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = printed.strip_prefix(first) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts.filter(|part| !part.is_empty()) {
        let Some(at) = rest.windows(part.len()).position(|window| window == part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

#[test]
fn commands_print_what_the_pages_show() {
    for page in pages() {
        let mut reader = Reader::new();
        for block in blocks(&read(&page)) {
            let at = format!("{page}:{}", block.line);
            match (&block.file, block.kind.as_str()) {
                (Some(name), _) => {
                    reader.sandbox.file(name, block.lines.join("\n") + "\n");
                }
                (None, "console") => reader.console(&at, &block.lines),
                (None, "sh") => reader.shell(&at, &block.lines),
                (None, _) => {}
            }
        }
    }
}

/// The targets of the links of a page, without their fragments.
fn links(page: &str) -> Vec<&str> {
    let targets = page.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let local = targets.filter(|target| !target.contains("://") && !target.starts_with('#'));
    local.map(|target| target.split('#').next().unwrap_or(target)).collect()
}

#[test]
fn links_lead_to_files() {
    let decisions = names("docs/decisions", &[".md"]);
    let decisions = decisions.iter().map(|name| format!("docs/decisions/{name}"));
    for path in pages().into_iter().chain(decisions) {
        let page = read(&path);
        let directory = root().join(&path).parent().expect("a file is in a directory").to_owned();
        for link in links(&page) {
            assert!(directory.join(link).exists(), "{path}: `{link}` leads nowhere");
        }
    }
}

/// Files that are no algorithms are parts: `algorithms --print` knows them all the same.
#[test]
fn every_algorithm_is_in_the_table() {
    let page = read("algorithms/README.md");
    let linked = links(&page);
    let listed = Reader::new().getafix("algorithms").stdout;
    let algorithms: Vec<&str> = listed.lines().filter_map(|line| line.split(' ').next()).collect();
    for name in &algorithms {
        assert!(linked.contains(&format!("{name}.mu").as_str()), "`{name}` is not in the table");
    }
    for name in names("algorithms", &[".mu"]) {
        let is_listed = algorithms.iter().any(|algorithm| name == format!("{algorithm}.mu"));
        let is_known = Reader::new().getafix(&format!("algorithms --print {name}")).stdout
            == read(&format!("algorithms/{name}"));
        assert!(is_listed || is_known, "`{name}` is neither an algorithm nor a part");
        assert!(linked.contains(&name.as_str()), "`{name}` is not mentioned");
    }
}

#[test]
fn an_ellipsis_stands_for_any_number_of_lines() {
    assert!(matches(&["a", "b"], &["a", "b"]));
    assert!(!matches(&["a"], &["a", "b"]));
    assert!(matches(&["a", "…"], &["a"]));
    assert!(matches(&["…", "b", "…", "d"], &["a", "b", "c", "d"]));
    assert!(!matches(&["…", "d", "…", "b"], &["a", "b", "c", "d"]));
}

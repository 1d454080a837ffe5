//! What the documents say about the program: every option, every algorithm, and files in canonical form.

mod harness;

use harness::{root, run};

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).expect("a file of the repository is readable")
}

/// The files of a directory of the repository with these endings.
fn files(directory: &str, endings: &[&str]) -> Vec<String> {
    let entries = std::fs::read_dir(root().join(directory)).expect("a directory of the repository");
    let names =
        entries.map(|entry| entry.expect("a readable entry").file_name().to_string_lossy().into_owned());
    let is_wanted = |name: &String| endings.iter().any(|ending| name.ends_with(ending));
    let mut files: Vec<String> = names.filter(is_wanted).map(|name| format!("{directory}/{name}")).collect();
    files.sort();
    files
}

/// The long options that the help of a command lists.
fn options(command: &str) -> Vec<String> {
    let help = run(root(), &[command, "--help"], "").stdout;
    let option = |line: &str| {
        let line = line.trim_start();
        let at = if line.starts_with("--") { Some(0) } else { line.find(", --").map(|at| at + 2) };
        let rest = &line[at.filter(|at| *at <= 4)?..];
        Some(rest.split([' ', ',']).next().unwrap_or(rest).to_owned())
    };
    help.lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("         "))
        .filter_map(option)
        .collect()
}

/// The commands that the help lists.
fn commands() -> Vec<String> {
    let help = run(root(), &["--help"], "").stdout;
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names =
        list.take_while(|line| line.starts_with("  ")).filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

/// A text mentions an option, and not only one that begins like it.
fn mentions(text: &str, option: &str) -> bool {
    text.match_indices(option).any(|(at, _)| {
        let after = text[at + option.len()..].chars().next();
        after.is_none_or(|letter| !letter.is_ascii_alphanumeric() && letter != '-')
    })
}

#[test]
fn every_option_is_in_the_document_about_the_command_line() {
    let text = read("docs/cli.md");
    let (mut n_options, mut missing) = (0, Vec::new());
    let commands = commands();
    assert!(commands.len() >= 13, "{commands:?}");
    for command in commands {
        assert!(text.contains(&format!("getafix {command}")), "docs/cli.md lacks `getafix {command}`");
        for option in options(&command) {
            n_options += 1;
            if !mentions(&text, &option) {
                missing.push(format!("{command} {option}"));
            }
        }
    }
    assert!(n_options > 100, "{n_options} options");
    assert_eq!(missing, [""; 0]);
}

#[test]
fn every_verdict_and_key_of_json_is_in_the_document_about_the_command_line() {
    let text = read("docs/cli.md");
    let schema: serde_json::Value = serde_json::from_str(&read("docs/output.schema.json")).expect("JSON");
    let keys = schema["properties"].as_object().expect("an object").keys();
    let missing: Vec<&String> = keys.filter(|key| !text.contains(&format!("`{key}`"))).collect();
    assert_eq!(missing, [""; 0]);
    for verdict in schema["properties"]["verdict"]["enum"].as_array().expect("a list") {
        let verdict = verdict.as_str().expect("a text");
        assert!(text.contains(&format!("`{verdict}`")), "{verdict}");
    }
}

#[test]
fn the_readme_counts_the_algorithms() {
    let listed = run(root(), &["algorithms"], "").stdout;
    let names: Vec<&str> = listed.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.len() >= 19, "{names:?}");
    let text = read("README.md");
    let sentence = format!("The {} algorithms that come with the program", names.len());
    assert!(text.contains(&sentence), "README.md lacks: {sentence}");
    let (document, files) = (read("algorithms/README.md"), files("algorithms", &[".mu"]));
    for name in names {
        assert!(files.contains(&format!("algorithms/{name}.mu")), "{name} has no file");
        assert!(document.contains(name), "algorithms/README.md lacks {name}");
    }
}

#[test]
fn every_example_is_in_the_readme() {
    let text = read("README.md");
    for file in files("examples", &[".bp", ".c", ".mu", ".mon"]) {
        assert!(text.contains(&format!("({file})")), "README.md lacks {file}");
    }
}

#[test]
fn all_that_is_shipped_is_canonical() {
    let examples = files("examples", &[".bp", ".mu", ".mon"]);
    let algorithms = files("algorithms", &[".mu"]);
    for (ending, least) in [(".bp", 6), (".mu", 4), (".mon", 2)] {
        assert!(examples.iter().filter(|name| name.ends_with(ending)).count() >= least, "{examples:?}");
    }
    assert!(algorithms.len() >= 22, "{algorithms:?}");
    let all: Vec<&str> = examples.iter().chain(&algorithms).map(String::as_str).collect();
    let outcome = run(root(), &[&["fmt", "--check"], &all[..]].concat(), "");
    assert_eq!((outcome.code, outcome.stdout.as_str(), outcome.stderr.as_str()), (0, "", ""));
}

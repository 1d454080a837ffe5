//! No privileged names: an algorithm under another name, with other names for its relations and variables, gives the same answers,
//! runs and certificates.

mod harness;

use harness::{Sandbox, root};
use std::collections::BTreeSet;

/// The algorithm that is not monotone: a copy of it has no derivation that would confirm its answers.
const NOT_MONOTONE: &str = "entry_forward_opt";

/// The text of a formula file with what it loads put in.
fn inlined(name: &str) -> String {
    let text = std::fs::read_to_string(root().join("algorithms").join(name)).expect("the file is there");
    let line = |line: &str| match line.strip_prefix("#load \"").and_then(|rest| rest.strip_suffix("\";")) {
        Some(part) => inlined(part),
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

/// The text in pieces: names, and what stands between them. Comments are left out.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    for line in text.lines().map(|line| line.split("//").next().unwrap_or_default()) {
        let mut was_name = false;
        for letter in line.chars().chain(['\n']) {
            let is_name = letter.is_alphanumeric() || letter == '_';
            match pieces.last_mut() {
                Some(last) if is_name == was_name && !last.is_empty() => last.push(letter),
                _ => pieces.push(letter.to_string()),
            }
            was_name = is_name;
        }
    }
    pieces
}

/// The names that a file gives: of its relations, and of parameters and quantified variables.
fn own_names(pieces: &[String]) -> BTreeSet<String> {
    // Members of classes keep their names, as fields of states do.
    let mut depth = 0;
    let outside = |piece: &&str| {
        let was_outside = depth == 0;
        depth += piece.matches('{').count();
        depth -= piece.matches('}').count();
        was_outside && !piece.is_empty()
    };
    let words: Vec<&str> = pieces.iter().map(|piece| piece.trim()).filter(outside).collect();
    let sorts = ["State", "Thread", "Context", "Round", "Global", "Turn", "Mask", "bool"];
    let mut names = BTreeSet::new();
    for pair in words.windows(2) {
        let is_name = pair[1].chars().all(|letter| letter.is_alphanumeric() || letter == '_');
        if sorts.contains(&pair[0]) && is_name {
            names.insert(pair[1].to_owned());
        }
    }
    names
}

/// The same formula with other names. Fields, which are those of the program's states, keep theirs.
fn renamed(name: &str) -> String {
    let pieces = pieces(&inlined(name));
    let names = own_names(&pieces);
    let mut out = String::new();
    for piece in &pieces {
        if names.contains(piece) && !out.ends_with('.') {
            out.push_str(&format!("other_{piece}"));
        } else {
            out.push_str(piece);
        }
    }
    out
}

/// What stdout and the status are, with the algorithm and with its copy.
#[track_caller]
fn same(algorithm: &str, program: &str, options: &[&str]) {
    let sandbox = Sandbox::new();
    let text = std::fs::read_to_string(root().join("examples").join(program)).expect("an example");
    sandbox.file(program, &text);
    sandbox.file("copy.mu", renamed(&format!("{algorithm}.mu")));
    let every_bound = if options.contains(&"-k") || options.contains(&"--rounds") {
        &["--without", "every-bound"][..]
    } else {
        &[]
    };
    let run = |algorithm: &str| {
        sandbox.run(&[&["check", program, "--algorithm", algorithm], options, every_bound].concat())
    };
    let (original, copy) = (run(algorithm), run("copy.mu"));
    assert_eq!((original.code, &original.stdout), (copy.code, &copy.stdout), "{algorithm}: {}", copy.stderr);
    assert!([0, 10].contains(&copy.code), "{algorithm} on {program}: {copy:?}");
}

#[test]
fn names_of_sequential_algorithms_are_free() {
    for algorithm in ["hybrid", "summary", "entry_forward", "entry_forward_split", "exit_backward"] {
        assert_ne!(algorithm, NOT_MONOTONE);
        same(algorithm, "lock.bp", &[]);
        same(algorithm, "recursion.bp", &[]);
        same(algorithm, "safe_lock.bp", &["--certificate", "proof"]);
    }
}

#[test]
fn names_of_algorithms_for_threads_are_free() {
    same("bounded_contexts", "bluetooth.bp", &["-k", "3"]);
    same("bounded_contexts", "peterson.bp", &["-k", "2"]);
    same("rounds", "bluetooth.bp", &["--rounds", "2"]);
    for algorithm in ["linear_interfaces_lazy", "linear_interfaces_eager"] {
        same(algorithm, "bluetooth.bp", &["--rounds", "2"]);
    }
}

//! No privileged names: an algorithm under another name, with other names for its relations and variables, gives the same answers,
//! runs and certificates.

use crate::harness::{Sandbox, root};
use std::collections::BTreeSet;

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
    let sorts =
        ["State", "Thread", "Context", "Round", "Global", "Turn", "Mask", "Depth", "Variable", "bool"];
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

/// What stdout, stderr and the status are, with the algorithm and with its copy.
#[track_caller]
fn same(algorithm: &str, program: &str, options: &[&str]) {
    let sandbox = Sandbox::new();
    let text = std::fs::read_to_string(root().join("examples").join(program)).expect("an example");
    sandbox.file(program, &text);
    let copy = renamed(&format!("{algorithm}.mu"));
    let n_other = copy.matches("other_").count();
    assert!(n_other > 10, "{algorithm}: only {n_other} names are others");
    // Messages name the file, so the copy has a name of the same length.
    let name = format!("{}.mu", "z".repeat(algorithm.len()));
    sandbox.file(&name, copy);
    let run =
        |algorithm: &str| sandbox.run(&[&["check", program, "--algorithm", algorithm], options].concat());
    let (original, copy) = (run(algorithm), run(&name));
    let copy = crate::harness::Outcome { stdout: copy.stdout.replace("other_", ""), ..copy };
    let said = copy
        .stderr
        .replace(&name, &format!("{algorithm}.mu"))
        .replace(name.trim_end_matches(".mu"), algorithm);
    assert_eq!((original.code, &original.stdout), (copy.code, &copy.stdout), "{algorithm}: {}", copy.stderr);
    assert_eq!(original.stderr, without_warning(&said), "{algorithm}");
    assert!([0, 10].contains(&copy.code), "{algorithm} on {program}: {copy:?}");
}

/// What is not positive is warned of, in files of the user only; the warning is the first thing on stderr.
fn without_warning(stderr: &str) -> &str {
    let last = "it may not stabilise\n";
    match stderr.strip_prefix("warning: not positive").and_then(|rest| rest.split_once(last)) {
        Some((_, rest)) => rest,
        None => stderr,
    }
}

/// The copy as it is, with what goes to stderr, as JSON, without a trace, on bits alone, and compared.
#[track_caller]
fn same_in_every_way(algorithm: &str, program: &str, options: &[&str]) {
    for how in [&[][..], &["--json"], &["--trace", "none"], &["--no-explicit"], &["--engine", "compare"]] {
        same(algorithm, program, &[options, how].concat());
    }
}

#[test]
fn names_of_sequential_algorithms_are_free() {
    for algorithm in
        ["hybrid", "summary", "entry_forward", "entry_forward_split", "entry_forward_opt", "exit_backward"]
    {
        match algorithm {
            "entry_forward_opt" => same(algorithm, "lock.bp", &["--engine", "compare"]),
            _ => same_in_every_way(algorithm, "lock.bp", &[]),
        }
        same(algorithm, "recursion.bp", &[]);
        same(algorithm, "recursion.bp", &["--shortest"]);
        same(algorithm, "safe_lock.bp", &["--certificate", "proof"]);
    }
}

#[test]
fn names_of_other_questions_are_free() {
    let label = |name: &'static str| ["--target", "ERROR", "--label", name];
    same_in_every_way("after", "lock.bp", &label("First=ERROR"));
    same_in_every_way("dominators", "lock.bp", &label("Gate=ERROR"));
    for algorithm in ["depth", "fair_cycle", "all_paths"] {
        same_in_every_way(algorithm, "lock.bp", &["--target", "ERROR"]);
    }
    same_in_every_way("uninitialised", "recursion.bp", &[]);
    same("fair_cycle", "lock.bp", &["--repeat", "ERROR"]);
    same("fair_cycle", "lock.bp", &["--repeat", "ERROR", "--engine", "compare"]);
    same("depth", "recursion.bp", &["--param", "d=12"]);
    for options in [&[][..], &["--nonterm"], &["--nonterm", "--engine", "compare"]] {
        same("non_termination", "lock.bp", options);
        same("non_termination", "recursion.bp", options);
    }
}

#[test]
fn names_of_algorithms_for_threads_are_free() {
    same_in_every_way("bounded_contexts", "peterson.bp", &["-k", "2"]);
    same("bounded_contexts", "bluetooth.bp", &["-k", "3"]);
    same("bounded_contexts", "bluetooth.bp", &["-k", "12", "--trace", "none"]);
    same("rounds", "bluetooth.bp", &["--rounds", "2"]);
    same_in_every_way("starvation", "peterson.bp", &["-k", "4", "--target", "p0.main:CRITICAL"]);
    for algorithm in ["linear_interfaces_lazy", "linear_interfaces_eager"] {
        same(algorithm, "bluetooth.bp", &["--rounds", "2"]);
        same(algorithm, "peterson.bp", &["--rounds", "1", "--engine", "compare"]);
    }
}

/// Those that are asked about programs in C are tried where abstractions are tested.
const OF_ABSTRACTIONS: [&str; 2] = ["u_ef", "u_eg"];

/// Every algorithm that comes with the program is tried under another name.
#[test]
fn no_algorithm_is_forgotten() {
    let text = include_str!("renamed.rs");
    let listed = Sandbox::new().run(&["algorithms"]).stdout;
    for name in listed.lines().filter_map(|line| line.split(' ').next()) {
        let is_elsewhere = OF_ABSTRACTIONS.contains(&name);
        assert!(
            is_elsewhere || text.contains(&format!("\"{name}\"")),
            "`{name}` is not tried under another name"
        );
    }
}

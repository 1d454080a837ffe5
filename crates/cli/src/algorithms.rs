//! `getafix algorithms`: the formula files that come with the program, and the words they are written in.

use crate::args::AlgorithmsOptions;
use crate::status::Status;
use crate::watch::Job;
use checker::{
    ALGORITHMS, DEFAULT, DEFAULT_FOR_ROUNDS, DEFAULT_FOR_ROUNDS_OF_ANY, DEFAULT_FOR_SWITCHES, Programs, Word,
    words,
};

/// The names of all algorithms.
pub fn names() -> String {
    ALGORITHMS.map(|algorithm| algorithm.name).join(", ")
}

/// The names of the algorithms for some programs, to choose from.
pub fn names_for(programs: Programs) -> String {
    let fits = |algorithm: &&checker::Algorithm| algorithm.programs == programs;
    let names: Vec<&str> = ALGORITHMS.iter().filter(fits).map(|algorithm| algorithm.name).collect();
    names.join(" or ")
}

/// When an algorithm is used without being named.
fn default_for(name: &str) -> &'static str {
    match name {
        DEFAULT => " (default)",
        DEFAULT_FOR_SWITCHES => " (default with -k)",
        DEFAULT_FOR_ROUNDS => " (default with --rounds)",
        DEFAULT_FOR_ROUNDS_OF_ANY => " (default with --rounds and `[*]`)",
        _ => "",
    }
}

/// The words that a formula file declares by notes, and what each says.
const DECLARED: [(&str, &str); 4] = [
    ("#label A = \"f:L\";", "A(State v): v is at the label; in programs with threads A(Thread t, State v)"),
    ("#where C = \"f: x\";", "C(State v): in v, a state of f, the condition holds"),
    ("#function F = \"f\";", "F(Module m): m is the function"),
    ("#variable X = \"f:x\";", "X(Variable a): a is the variable; in sequential programs"),
];

/// The words of formulas: name, parameters with their sorts, and what each says.
fn list_words(job: &Job) {
    let lists = [
        ("In every program:", words::common()),
        ("In sequential programs:", words::sequential()),
        ("In sequential programs, about their variables:", words::variables()),
        ("About programs in C, through predicates:", words::game()),
        ("In programs with threads:", words::concurrent()),
    ];
    let used = |word: &Word| format!("{}({})", word.name, word.declared());
    let all = lists.iter().flat_map(|(_, list)| list);
    let width = all.map(|word| used(word).len()).max().unwrap_or(0);
    for (n, (heading, list)) in lists.iter().enumerate() {
        job.console.print(&format!("{}{heading}\n", if n == 0 { "" } else { "\n" }));
        for word in list {
            job.console.print(&format!("  {:width$}  {}\n", used(word), word.about));
        }
    }
    job.console.print("\nDeclared by the formula file:\n");
    for (note, about) in DECLARED {
        job.console.print(&format!("  {note:width$}  {about}\n"));
    }
}

/// Lists the algorithms or the words of formulas, or prints an algorithm.
pub fn run(options: &AlgorithmsOptions, job: &Job) -> Status {
    if options.words {
        list_words(job);
        return Status::Evaluated;
    }
    let Some(name) = &options.print else {
        let width = ALGORITHMS.iter().map(|algorithm| algorithm.name.len()).max().unwrap_or(0);
        for algorithm in ALGORITHMS {
            let default = default_for(algorithm.name);
            job.console.print(&format!("{:width$}  {}{default}\n", algorithm.name, algorithm.about()));
        }
        return Status::Evaluated;
    };
    let text = checker::algorithm(name).map(|algorithm| algorithm.text).or_else(|| checker::part(name));
    match text {
        Some(text) => {
            job.console.print(text);
            Status::Evaluated
        }
        None => {
            job.console.error(&format!("there is no algorithm `{name}`; there are {}", names()));
            Status::Rejected
        }
    }
}

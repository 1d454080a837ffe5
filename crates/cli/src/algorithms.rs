//! `getafix algorithms`: the formula files that come with the program, and the words they are written in.

use crate::args::{AlgorithmsOptions, RunOptions};
use crate::console::stdout;
use crate::several::rejected;
use checker::{
    ALGORITHMS, DEFAULT, DEFAULT_FOR_ROUNDS, DEFAULT_FOR_ROUNDS_OF_ANY, DEFAULT_FOR_SWITCHES, Word, words,
};
use getafix::Status;

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
fn list_words() {
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
        print(&format!("{}{heading}\n", if n == 0 { "" } else { "\n" }));
        for word in list {
            print(&format!("  {:width$}  {}\n", used(word), word.about));
        }
    }
    print("\nDeclared by the formula file:\n");
    for (note, about) in DECLARED {
        print(&format!("  {note:width$}  {about}\n"));
    }
}

/// Lists the algorithms or the words of formulas, or prints an algorithm.
pub fn run(options: &AlgorithmsOptions) -> Status {
    if options.words {
        list_words();
        return Status::Evaluated;
    }
    let Some(name) = &options.print else {
        let width = ALGORITHMS.iter().map(|algorithm| algorithm.name.len()).max().unwrap_or(0);
        for algorithm in ALGORITHMS {
            let default = default_for(algorithm.name);
            print(&format!("{:width$}  {}{default}\n", algorithm.name, algorithm.about()));
        }
        return Status::Evaluated;
    };
    let text = checker::algorithm(name).map(|algorithm| algorithm.text).or_else(|| checker::part(name));
    match text {
        Some(text) => {
            print(text);
            Status::Evaluated
        }
        None => {
            let names = getafix::algorithm_names();
            rejected(&RunOptions::default(), &format!("there is no algorithm `{name}`; there are {names}"))
        }
    }
}

fn print(text: &str) {
    stdout(text.as_bytes());
}

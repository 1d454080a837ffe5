//! The words of formulas about programs: what stands before a formula file that `check -a` would read, where there is no program, and what each word says.
//!
//! Contract: a file gets declarations only if it uses a type or a relation of the vocabulary that it does not declare. The sorts are as large as the file needs; which numbers a program has is not known here.

use calculus::syntax::{Directive, ExprKind, File, ItemKind, NoteKind, Symbol, TypeName};
use checker::{Word, words};
use std::collections::HashSet;
use std::fmt::Write;

/// The sorts of every program, and those of programs with threads alone.
const SORTS: [&str; 7] = ["State", "Module", "PrCount", "Local", "Global", "Variable", "Move"];
const THREAD_SORTS: [&str; 3] = ["Thread", "Turn", "Private"];

/// More numbers than programs in files have.
const LAST: u32 = 99_999;

/// What a word says, and how it is declared.
pub struct Entry {
    /// The word.
    pub name: String,
    /// `bool ProgramInt(State x, State v)`
    pub declared: String,
    /// What it says.
    pub about: String,
}

fn entry(word: &Word) -> Entry {
    let name = word.name.to_string();
    Entry { declared: format!("bool {name}({})", word.declared()), name, about: word.about.to_string() }
}

/// The relations of sequential programs, or of those with threads.
pub fn relations(has_threads: bool) -> Vec<Entry> {
    let lists = match has_threads {
        true => vec![words::common(), words::concurrent()],
        false => vec![words::common(), words::sequential(), words::variables(), words::game()],
    };
    lists.iter().flatten().map(entry).collect()
}

/// What a word says, in programs with threads or in others.
pub fn about(name: &str, has_threads: bool) -> Option<Entry> {
    relations(has_threads).into_iter().chain(relations(!has_threads)).find(|entry| entry.name == name)
}

/// What a sort is, if it is one of programs.
pub fn sort(name: &str) -> Option<&'static str> {
    Some(match name {
        "State" => {
            "a state of the program: `mod` the function, `pc` the place in it, `L` the locals, `G` the globals, in programs with threads `P` the private ones"
        }
        "Module" => "a function of the program",
        "PrCount" => "a place in a function; 0 is the entry",
        "Local" => "the values of the locals of a function",
        "Global" => "the values of the globals; in programs with threads of the shared ones",
        "Private" => "the values of a thread's own globals",
        "Variable" => "a variable of a sequential program",
        "Move" => "a move of the program behind an abstraction",
        "Thread" => "a thread of the program",
        "Turn" => "a thread, in a schedule",
        _ => return None,
    })
}

/// A file is about programs with threads.
pub fn has_threads(tree: &File) -> bool {
    let own: Vec<Word> = words::concurrent();
    let other: HashSet<String> = words::sequential().iter().map(|word| word.name.to_string()).collect();
    let alone = own.iter().filter(|word| !other.contains(&*word.name));
    let used = used(tree);
    let is_used = |name: &str| used.contains(name);
    let has_bound = notes(tree).any(|note| matches!(note.word, "#bound" | "#contexts" | "#rounds"));
    has_bound
        || THREAD_SORTS.iter().any(|sort| is_used(sort))
        || alone.into_iter().any(|word| is_used(&word.name))
}

/// The types and relations that a file uses.
fn used(tree: &File) -> HashSet<&str> {
    let mut found = HashSet::new();
    let mut of_type = |name: TypeName| {
        if let TypeName::Named(name) = name {
            found.insert(tree.text(name));
        }
    };
    for item in &tree.items {
        match &item.kind {
            ItemKind::Function { params, .. } => params.iter().for_each(|param| of_type(param.type_name)),
            ItemKind::Class { members, .. } => members.iter().for_each(|member| of_type(member.type_name)),
            _ => {}
        }
    }
    for n in 0..tree.n_exprs() {
        match tree.expr(calculus::syntax::ExprId::new(n)).kind {
            ExprKind::Apply(symbol, _) => {
                found.insert(tree.names.text(symbol));
            }
            ExprKind::Quantified(_, bounds, _) => {
                for bound in tree.bounds(bounds) {
                    if let TypeName::Named(name) = bound.type_name {
                        found.insert(tree.text(name));
                    }
                }
            }
            _ => {}
        }
    }
    found
}

/// The types and relations that a file declares.
fn declared(tree: &File) -> HashSet<&str> {
    let name = |item: &calculus::syntax::Item| match &item.kind {
        ItemKind::Enum(name, _) | ItemKind::Class { name, .. } | ItemKind::Function { name, .. } => {
            Some(*name)
        }
        _ => None,
    };
    tree.items.iter().filter_map(name).map(|name| tree.text(name)).collect()
}

fn notes(tree: &File) -> impl Iterator<Item = &calculus::syntax::Note> {
    tree.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Directive(Directive::Note(note)) => Some(note),
        _ => None,
    })
}

/// The largest number behind a letter among the names of a file, such as 7 in `g7`.
fn largest(tree: &File, letter: char) -> u32 {
    let names = (0..tree.names.len()).map(|n| tree.names.text(Symbol::new(n)));
    let number = |name: &str| name.strip_prefix(letter).and_then(|rest| rest.parse::<u32>().ok());
    names.filter_map(number).filter(|number| *number < 4096).max().unwrap_or(0)
}

/// What has to stand before a file, with what it loads; nothing if it speaks of no program.
pub fn prelude(tree: &File) -> Option<String> {
    let (used, declared) = (used(tree), declared(tree));
    let known: HashSet<String> =
        relations(true).into_iter().chain(relations(false)).map(|entry| entry.name).collect();
    let is_ours = |name: &str| SORTS.contains(&name) || THREAD_SORTS.contains(&name) || known.contains(name);
    if declared.contains("State") || !used.iter().any(|name| is_ours(name) && !declared.contains(name)) {
        return None;
    }
    let has_threads = has_threads(tree);
    let mut out = sorts(tree, has_threads);
    // Some words are there only for files that use them; others may have relations of these names.
    let rare: Vec<Entry> = words::variables().iter().chain(&words::game()).map(entry).collect();
    for entry in relations(has_threads) {
        let is_own = declared.contains(&*entry.name) && rare.iter().any(|rare| rare.name == entry.name);
        if !is_own {
            let _ = writeln!(out, "{} false;", entry.declared);
        }
    }
    for note in notes(tree) {
        let params = match (note.word, has_threads) {
            ("#label", true) => "Thread t, State v",
            ("#label" | "#where", _) => "State v",
            ("#function", _) => "Module m",
            ("#variable", false) => "Variable a",
            _ => continue,
        };
        let mut told = HashSet::new();
        for part in note.parts.iter().filter(|part| part.kind == NoteKind::Name) {
            if told.insert(&part.text) && !known.contains(&part.text) {
                let _ = writeln!(out, "bool {}({params}) false;", part.text);
            }
        }
    }
    Some(out)
}

fn sorts(tree: &File, has_threads: bool) -> String {
    let bits = |letter: char| -> String {
        (0..=largest(tree, letter)).map(|n| format!(" bool {letter}{n};")).collect()
    };
    let mut out = format!("enum Module {{ 0..{LAST} }};\nenum PrCount {{ 0..{LAST} }};\n");
    let _ = writeln!(out, "class Local {{{} }};\nclass Global {{{} }};", bits('l'), bits('g'));
    let members = match has_threads {
        true => {
            let _ = writeln!(out, "class Private {{{} }};\n#param threads = 3;", bits('g'));
            out.push_str(
                "enum Thread { 0..threads - 1 };\nenum Turn { 0..threads - 1 };\n#explicit Thread;\n",
            );
            "Module mod; PrCount pc; Local L; Private P; Global G;"
        }
        false => {
            let _ = writeln!(
                out,
                "enum Variable {{ 0..{LAST} }};\nenum Move {{ 0..{LAST} }};\n#explicit Variable, Move;"
            );
            "Module mod; PrCount pc; Local L; Global G;"
        }
    };
    let _ = writeln!(out, "class State {{ {members} }};\n#explicit Module, PrCount;");
    out
}

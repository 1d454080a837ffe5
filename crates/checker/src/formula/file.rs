//! Formula files as values: whose they are, the way to what they load, and what their text says before any program is known.

use super::algorithm::{
    DEFAULT, DEFAULT_FOR_INFINITE, DEFAULT_FOR_REPEAT, DEFAULT_FOR_ROUNDS, DEFAULT_FOR_ROUNDS_OF_ANY,
    DEFAULT_FOR_SWITCHES, Programs, algorithm, part,
};
use super::notes::{self, Counts};
use crate::outcome::Words;
use crate::problem::{Bound, Problem, Question};
use base::{Diagnostic, Sources};
use calculus::syntax::{Directive, ItemKind, Note};
use std::sync::Arc;

/// Reads a file that another one loads, by its path.
type Loader = Arc<dyn Fn(&str) -> Result<String, String> + Send + Sync>;

/// A formula as a value, and whose it is.
#[derive(Clone)]
pub struct Formula {
    /// The name shown in diagnostics.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The algorithm of the list, if it is one.
    pub shipped: Option<&'static str>,
    /// Its author claims that each run that it speaks of exists.
    pub is_exact: bool,
    /// The words of its answer, if it says so.
    pub words: Option<Words>,
    load: Loader,
}

impl std::fmt::Debug for Formula {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Formula").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Default for Formula {
    /// The algorithm that is used for sequential programs if nothing is said.
    fn default() -> Self {
        Self::shipped(DEFAULT).expect("the default algorithm is in the list")
    }
}

/// Formula files that come with the program are found without their files.
fn shipped_text(path: &str) -> Option<String> {
    let name = path.rsplit(['/', '\\']).next()?;
    let text = part(name).or_else(|| Some(algorithm(name.strip_suffix(".mu")?)?.text));
    text.map(str::to_owned)
}

impl Formula {
    /// An algorithm of the list.
    pub fn shipped(name: &str) -> Option<Self> {
        let found = algorithm(name)?;
        let load = |path: &str| shipped_text(path).ok_or_else(|| format!("`{path}` is not there"));
        let (name, text) = (format!("{}.mu", found.name), found.text.to_owned());
        let (is_exact, words) = claims(&text);
        Some(Self { is_exact, words, name, text, shipped: Some(found.name), load: Arc::new(load) })
    }

    /// A formula of the user. What it loads is read by `load`; where that finds nothing, the files that come with the program are
    /// looked through.
    pub fn own(
        name: impl Into<String>,
        text: impl Into<String>,
        load: impl Fn(&str) -> Result<String, String> + Send + Sync + 'static,
    ) -> Self {
        let load = move |path: &str| load(path).or_else(|error| shipped_text(path).ok_or(error));
        let (name, text) = (name.into(), text.into());
        let (is_exact, words) = claims(&text);
        Self { is_exact, words, name, text, shipped: None, load: Arc::new(load) }
    }

    /// Some relation of the file, or of one that it loads, is about targets; so it is, too, if that cannot be told.
    pub fn asks_for_targets(&self) -> bool {
        let (tree, errors) = self.tree();
        !errors.is_empty() || tree.names.find("Target").is_some()
    }

    /// It asks whether targets are reachable, as far as its notes say, and nothing about labels.
    pub fn is_plain(&self) -> bool {
        let (tree, _) = self.tree();
        let has_names = notes_of(&tree).any(notes::names_program);
        let home = tree.items.last().map(|item| item.span.file);
        let is_otherwise = |note: &&Note| note.word == "#verdict" && Some(note.span.file) == home;
        let says_otherwise = notes_of(&tree).filter(is_otherwise).any(|note| !notes::is_bare_reachable(note));
        !says_otherwise && !has_names && tree.names.find("Target").is_some()
    }

    /// It asks something beside its verdict.
    pub fn asks_beside(&self) -> bool {
        let (tree, _) = self.tree();
        let Some(home) = tree.items.last().map(|item| item.span.file) else { return false };
        let asks = |item: &&calculus::syntax::Item| match &item.kind {
            ItemKind::Query(_) => true,
            ItemKind::Directive(directive) => {
                matches!(
                    directive,
                    Directive::Print(_) | Directive::Relation(..) | Directive::List(..) | Directive::Expr(..)
                )
            }
            _ => false,
        };
        tree.items.iter().filter(|item| item.span.file == home).filter(asks).count() > 1
    }

    /// The one that is used for a problem if nothing is said.
    pub fn for_problem(problem: &Problem) -> Self {
        let name = match problem.bound {
            None => return Self::for_question(problem.question),
            Some(Bound::Switches(_) | Bound::Every) => DEFAULT_FOR_SWITCHES,
            Some(Bound::Rounds(_)) if problem.program.is_parameterised() => DEFAULT_FOR_ROUNDS_OF_ANY,
            Some(Bound::Rounds(_)) => DEFAULT_FOR_ROUNDS,
        };
        Self::shipped(name).expect("the default algorithms are in the list")
    }

    /// The one that is used for a question about a sequential program if nothing is said.
    pub fn for_question(question: Question) -> Self {
        let name = match question {
            Question::Reach | Question::Deadlock => DEFAULT,
            Question::Repeat => DEFAULT_FOR_REPEAT,
            Question::Infinite => DEFAULT_FOR_INFINITE,
        };
        Self::shipped(name).expect("the default algorithms are in the list")
    }

    /// What it is about: an algorithm of the list is known, and any file says by `#bound` what it counts.
    pub fn programs(&self) -> Option<Programs> {
        if let Some(name) = self.shipped {
            return Some(algorithm(name)?.programs);
        }
        let bound = notes::bound(notes_of(&self.tree().0)).ok()??;
        Some(match bound.counts {
            Counts::Switches => Programs::Switches,
            Counts::Rounds => Programs::Rounds,
            Counts::AnyOrder => Programs::AnyNumber,
        })
    }

    /// The name by which people speak of it.
    pub fn short_name(&self) -> &str {
        self.shipped.unwrap_or(&self.name)
    }

    /// The file with what it loads, and the mistakes in it.
    fn tree(&self) -> (calculus::syntax::File, Vec<Diagnostic>) {
        let mut read = |path: &str| (self.load)(path);
        calculus::load(&mut Sources::default(), &self.name, self.text.clone(), &mut read)
    }

    /// Hands the formula on, with the way to the files that it loads.
    pub fn with_file<T>(
        &self,
        params: &[(String, u64)],
        labels: &[(String, String)],
        ask: impl FnOnce(FormulaFile) -> T,
    ) -> T {
        let mut read = |path: &str| (self.load)(path);
        ask(FormulaFile { name: &self.name, text: &self.text, read: &mut read, params, labels })
    }
}

/// Whether the text of a formula file says that it is exact, and what it says about the words of its answer.
fn claims(text: &str) -> (bool, Option<Words>) {
    let mut nothing = |_: &str| Ok(String::new());
    let (tree, _) = calculus::load(&mut Sources::default(), "", text, &mut nothing);
    let words = notes_of(&tree).find(|note| note.word == "#verdict").and_then(notes::words);
    (notes_of(&tree).any(|note| note.word == "#exact"), words)
}

/// A formula file and the way to what it loads.
pub struct FormulaFile<'f> {
    /// The name shown in diagnostics; loaded files are looked for beside it.
    pub name: &'f str,
    /// Its text.
    pub text: &'f str,
    /// Reads a loaded file.
    pub read: &'f mut dyn FnMut(&str) -> Result<String, String>,
    /// Values for its parameters.
    pub params: &'f [(String, u64)],
    /// Labels of the program for those that it names.
    pub labels: &'f [(String, String)],
}

impl FormulaFile<'_> {
    /// The notes in it and in what it loads, and what else it speaks of. Mistakes are told when it is checked.
    pub(crate) fn notes(&mut self, sources: &mut Sources) -> (Vec<Note>, Mentions) {
        let (tree, _) = calculus::load(sources, self.name, self.text, &mut *self.read);
        let mentions =
            |words: Vec<templates::Word>| words.iter().any(|word| tree.names.find(&word.name).is_some());
        let mentions = Mentions {
            variables: mentions(templates::words::variables()),
            game: mentions(templates::words::game()),
        };
        (notes_of(&tree).cloned().collect(), mentions)
    }
}

/// The words that a file uses beside those that every program has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Mentions {
    /// Those about variables.
    pub variables: bool,
    /// Those about the program behind an abstraction.
    pub game: bool,
}

/// The notes of a file.
pub(super) fn notes_of(tree: &calculus::syntax::File) -> impl Iterator<Item = &Note> {
    tree.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Directive(Directive::Note(note)) => Some(note),
        _ => None,
    })
}

//! Formula files: a page of calculus, checked together with the declarations of a program's templates.

use crate::algorithm::{
    DEFAULT, DEFAULT_FOR_INFINITE, DEFAULT_FOR_REPEAT, DEFAULT_FOR_ROUNDS, DEFAULT_FOR_ROUNDS_OF_ANY,
    DEFAULT_FOR_SWITCHES, Programs, algorithm, part,
};
use crate::apart::{self, Asked, Claimed};
use crate::names;
use crate::nature::Nature;
use crate::notes::{self, Counts, Notes, VerdictNote};
use crate::outcome::Words;
use crate::problem::{Bound, Problem, Question};
use base::{Diagnostic, FileId, Severity, Sources, Span};
use calculus::syntax::{Directive, ItemKind, Note, NoteKind, TypeName};
use calculus::system::{self, Action, BinderId, FormulaId, System};
use std::sync::Arc;
use templates::{Role, Templates, Vocabulary};

/// The name of the declarations that stand before every formula file.
const PRELUDE: &str = "templates";

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
fn notes_of(tree: &calculus::syntax::File) -> impl Iterator<Item = &Note> {
    tree.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Directive(Directive::Note(note)) => Some(note),
        _ => None,
    })
}

/// A formula file that is ready to be evaluated for a program.
pub(crate) struct Checked {
    pub system: System,
    /// The last query.
    pub query: FormulaId,
    pub warnings: Vec<Diagnostic>,
    /// The formula without the declarations of the templates, in canonical form.
    pub text: String,
    /// What it says about its tuples.
    pub notes: Notes,
    /// What a true query means.
    pub verdict: VerdictNote,
    /// A query that is true has a run, otherwise one that is false.
    pub true_has_run: bool,
    /// It depends on targets.
    pub is_about_targets: bool,
    /// It can tell a run that blocks from one that is not there.
    pub sees_blocked_runs: bool,
    /// It tells states apart that mean the same to runs.
    pub tells_states_apart: bool,
    /// No relation may lose tuples on the way.
    pub is_monotone: bool,
}

/// A query without its outermost existential quantifiers, and these.
fn matrix(system: &System, query: FormulaId) -> (Vec<BinderId>, FormulaId) {
    let (mut binders, mut formula) = (Vec::new(), query);
    while let system::Formula::Exists(vars, inner) = system.formula(formula) {
        for var in vars {
            let binder = system.vars[var.index()].binder;
            if !binders.contains(&binder) {
                binders.push(binder);
            }
        }
        formula = *inner;
    }
    (binders, formula)
}

impl Checked {
    /// The query without its outermost existential quantifiers, and these.
    pub fn matrix(&self) -> (Vec<BinderId>, FormulaId) {
        matrix(&self.system, self.query)
    }
}

impl Checked {
    /// A true answer is believed only with a run.
    pub fn needs_run(&self) -> bool {
        self.notes.exact.is_none() && self.verdict.words.needs_run()
    }

    /// Drops the allocation constraints of the formula file; those of the declarations stay.
    pub fn forget_order(&mut self, sources: &Sources) {
        self.system.constraints.retain(|constraint| sources.file(constraint.span.file).name == PRELUDE);
    }
}

/// The parameter that bounds a question: the one of `#bound`, or `k`.
fn parameter(tree: &calculus::syntax::File) -> Result<String, Diagnostic> {
    let bound = notes::bound(notes_of(tree))?;
    Ok(bound.map_or_else(|| "k".to_owned(), |bound| bound.parameter))
}

/// The relations of a program have diagrams over the bits of states.
fn explicit_bits(tree: &calculus::syntax::File) -> Diagnostic {
    let chosen = tree.items.iter().rev().find_map(|item| match &item.kind {
        ItemKind::Directive(Directive::Storage(system::Storage::Explicit, types)) => types
            .iter()
            .find(|name| matches!(name, TypeName::Bool(_)))
            .or(types.first())
            .map(|name| name.span()),
        _ => None,
    });
    let message = "`bool` cannot be explicit in a formula about programs: states consist of bits";
    let note = "a type of your own can, such as `enum Flag { no, yes };`";
    let span = chosen.unwrap_or(Span::new(FileId::new(0), 0..0));
    Diagnostic::error(span, message).note(note, None)
}

/// Labels and conditions that have the name of a relation which the file defines.
fn clashes(tree: &calculus::syntax::File, sources: &Sources) -> impl Iterator<Item = Diagnostic> {
    let defined = |word: &str| {
        tree.items.iter().find_map(|item| match &item.kind {
            ItemKind::Function { name, .. } if sources.file(item.span.file).name != PRELUDE => {
                (tree.names.text(name.symbol) == word).then_some(name.span)
            }
            _ => None,
        })
    };
    let named = notes_of(tree).flat_map(|note| {
        let what = match note.word {
            "#where" => Some("condition"),
            _ => names::kind(note).map(|kind| kind.what),
        };
        let names = note.parts.iter().filter(|part| part.kind == NoteKind::Name);
        what.into_iter().flat_map(move |what| names.clone().map(move |name| (what, name)))
    });
    named.filter_map(move |(what, name)| {
        let text = &name.text;
        let message = format!("`{text}` is a {what} and a relation; choose another name for one of them");
        Some(Diagnostic::error(name.span, message).note("the relation is defined here", Some(defined(text)?)))
    })
}

/// Checks a formula file together with the templates of a program. A bound is the value of the parameter that counts.
pub(crate) fn check(
    sources: &mut Sources,
    templates: &Templates,
    file: &mut FormulaFile,
    bound: Option<Bound>,
) -> Result<Checked, Vec<Diagnostic>> {
    let root = format!("{}#load \"{}\";\n", templates.prelude(), file.name);
    let (name, text) = (file.name, file.text);
    let read = &mut file.read;
    let mut first = true;
    let mut give = |path: &str| {
        // The first thing that is read is the formula file itself.
        if std::mem::take(&mut first) { Ok(text.to_owned()) } else { read(path) }
    };
    let (mut tree, mut errors) = calculus::load(sources, PRELUDE, root, &mut give);
    let mut params = file.params.to_vec();
    if let Some(bound) = bound {
        params.push((parameter(&tree).map_err(|error| vec![error])?, u64::from(bound.number())));
    }
    let clashes: Vec<Diagnostic> = clashes(&tree, sources).collect();
    if !clashes.is_empty() {
        return Err(clashes);
    }
    let is_word = |name: &str| templates.words().iter().any(|word| word.name == name);
    let is_relative = calculus::is_relative(&tree, "State", is_word);
    if templates.tells_states_apart() {
        calculus::relativise(&mut tree, "State", templates::PROPER, is_word);
    }
    let checked = calculus::check(&tree, &params);
    let (system, warnings) = match checked {
        Ok(checked) if errors.is_empty() => checked,
        Ok(_) => return Err(errors),
        Err(more) => {
            errors.extend(more);
            return Err(errors);
        }
    };
    if system.sorts[system::BOOL.index()].storage == system::Storage::Explicit {
        return Err(vec![explicit_bits(&tree)]);
    }
    let query = system.items.iter().rev().find_map(|item| match item.action {
        Action::Query(query) => Some(query),
        _ => None,
    });
    let Some(query) = query else { return Err(asks_nothing(&system, &tree, name)) };
    tree.items.retain(|item| sources.file(item.span.file).name != PRELUDE);
    set_params(&mut tree, &params);
    let text = calculus::print(&tree);
    let notes = notes::read(&system, system.span(query).file, &matrix(&system, query).0)?;
    let words = Vocabulary::new(&system, templates);
    let nature = Nature::new(&system, &words, query);
    let is_about_targets = nature.depends_on(words.with_role(Role::Target).relation);
    let verdict = notes.verdict.clone().unwrap_or_else(|| default_verdict(&nature, is_about_targets));
    let true_has_run = verdict.true_is_yes || (!verdict.words.needs_run() && !is_universal(&system, query));
    // What is exact is about runs, however it is computed.
    let claims_runs = notes.exact.is_some() && verdict.words.needs_run();
    let is_about_runs = nature.is_about_runs() || claims_runs;
    let beside = Asked::beside(&system, query);
    let blocks_matter = |asked: &Asked| !Nature::new(&system, &words, asked.formula).is_about_runs();
    let sees_blocked_runs = !is_about_runs || beside.iter().any(blocks_matter);
    let is_monotone = nature.is_monotone();
    let claimed = if claims_runs { Claimed::Runs } else { Claimed::Nothing };
    let tells_states_apart = templates.threads.is_none()
        && (!is_relative || apart::tells_states_apart(&system, &words, (query, claimed), &beside));
    Ok(Checked {
        system,
        query,
        warnings,
        text,
        notes,
        verdict,
        true_has_run,
        is_about_targets,
        sees_blocked_runs,
        tells_states_apart,
        is_monotone,
    })
}

/// Writes values of parameters into a file.
fn set_params(tree: &mut calculus::syntax::File, params: &[(String, u64)]) {
    for item in &mut tree.items {
        if let ItemKind::Directive(Directive::Param(name, value)) = &mut item.kind
            && let Some(given) = params.iter().find(|param| param.0 == tree.names.text(name.symbol))
        {
            *value = given.1;
        }
    }
}

/// The file has no query, or a `;` is missing, so that the query is a part of a note.
fn asks_nothing(system: &System, tree: &calculus::syntax::File, name: &str) -> Vec<Diagnostic> {
    let home = tree.items.last().map_or(FileId::new(0), |item| item.span.file);
    if let Err(errors) = notes::read(system, home, &[]) {
        return errors;
    }
    let message = format!("`{name}` asks nothing: its last query is the verdict");
    // The formula file is read right after the declarations.
    let declarations = tree.items.first().map(|item| item.span.file.index());
    let place = declarations.map(|file| Span::new(FileId::new(file + 1), 0..0));
    vec![Diagnostic { severity: Severity::Error, message, span: place, notes: Vec::new() }]
}

/// What a true query means if the file does not say so: that there is an infinite run if it asks for runs by a greatest fixed point,
/// that a target is reachable if it asks for runs to targets. Otherwise it is just true: nobody but its author knows whether that is good.
fn default_verdict(nature: &Nature, asks_for_targets: bool) -> VerdictNote {
    let words = match nature.asks_for_runs() {
        true if nature.is_infinite() => Words::InfiniteRun,
        true if asks_for_targets => Words::Reachable,
        _ => Words::Query,
    };
    VerdictNote { words, true_is_yes: words != Words::Query, about: None, within: None }
}

/// A formula says that something is so of everything: a false one has a counterexample.
fn is_universal(system: &System, query: FormulaId) -> bool {
    matches!(system.formula(query), system::Formula::Not(_) | system::Formula::Forall(..))
}

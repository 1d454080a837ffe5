//! A formula file, checked together with the declarations of a program's templates: what it asks of that program, and what the answer depends on.

use super::file::{FormulaFile, notes_of};
use super::names;
use super::notes::{self, Notes, VerdictNote};
use super::query_class::QueryClass;
use super::states_apart::{self, Beside, Claimed};
use crate::outcome::Words;
use crate::problem::Bound;
use base::{Diagnostic, FileId, Severity, Sources, Span};
use calculus::syntax::{Directive, ItemKind, NoteKind, TypeName};
use calculus::system::{self, Action, BinderId, FormulaId, System};
use templates::{Role, Templates, Vocabulary};

/// The name of the declarations that stand before every formula file.
const PRELUDE: &str = "templates";

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
    let class = QueryClass::new(&system, &words, query);
    let is_about_targets = class.depends_on(words.with_role(Role::Target).relation);
    let verdict = notes.verdict.clone().unwrap_or_else(|| default_verdict(&class, is_about_targets));
    let true_has_run = verdict.true_is_yes || (!verdict.words.needs_run() && !is_universal(&system, query));
    // What is exact is about runs, however it is computed.
    let claims_runs = notes.exact.is_some() && verdict.words.needs_run();
    let is_about_runs = class.is_about_runs() || claims_runs;
    let beside = Beside::of_query(&system, query);
    let blocks_matter = |asked: &Beside| !QueryClass::new(&system, &words, asked.formula).is_about_runs();
    let sees_blocked_runs = !is_about_runs || beside.iter().any(blocks_matter);
    let is_monotone = class.is_monotone();
    let claimed = if claims_runs { Claimed::Runs } else { Claimed::Nothing };
    let tells_states_apart = templates.threads.is_none()
        && (!is_relative || states_apart::tells_states_apart(&system, &words, (query, claimed), &beside));
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

/// What is wrong with the notes of a system about programs, as far as that can be told without one.
pub fn note_errors(system: &System) -> Vec<Diagnostic> {
    let query = system.items.iter().rev().find_map(|item| match item.action {
        Action::Query(query) => Some(query),
        _ => None,
    });
    let Some(query) = query else { return Vec::new() };
    notes::read(system, system.span(query).file, &matrix(system, query).0).err().unwrap_or_default()
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
fn default_verdict(class: &QueryClass, asks_for_targets: bool) -> VerdictNote {
    let words = match class.asks_for_runs() {
        true if class.is_infinite() => Words::InfiniteRun,
        true if asks_for_targets => Words::Reachable,
        _ => Words::Query,
    };
    VerdictNote { words, true_is_yes: words != Words::Query, about: None, within: None }
}

/// A formula says that something is so of everything: a false one has a counterexample.
fn is_universal(system: &System, query: FormulaId) -> bool {
    matches!(system.formula(query), system::Formula::Not(_) | system::Formula::Forall(..))
}

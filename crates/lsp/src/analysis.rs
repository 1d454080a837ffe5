//! A text as its front end reads it: the tree, what is wrong, and what each name means.
//!
//! Contract: everything is found out from the text and what it loads, anew each time. A formula file that speaks of programs is read behind the declarations of the vocabulary.

use crate::document::{Document, Language};
use crate::program;
use crate::uri;
use crate::vocabulary;
use crate::workspace::Workspace;
use base::{Diagnostic, FileId, NameTable, Severity, Sources, Span};
use std::path::{Path, PathBuf};

/// The name of the declarations of the vocabulary.
const PRELUDE: &str = "templates";

/// So much work is put into a formula file while somebody types.
const MAX_WORK: usize = 3_000_000;

/// What a text is.
pub enum Tree {
    /// A Boolean program.
    Program(Box<bp::ast::Program>),
    /// A formula file, with what it loads.
    Formula(Box<calculus::syntax::File>),
    /// A monitor.
    Monitor(Box<bp::monitor::Alone>),
    /// A program in C.
    C,
}

/// A text that was read.
pub struct Analysis {
    /// All texts that were read.
    pub sources: Sources,
    /// The text itself.
    pub file: FileId,
    /// The declarations of the vocabulary, if they were needed.
    pub prelude: Option<FileId>,
    /// What it is.
    pub tree: Tree,
    /// What is wrong with how it is written.
    pub errors: Vec<Diagnostic>,
    uri: String,
    folder: Option<PathBuf>,
}

impl Analysis {
    /// Reads a text; nothing, if it is not ours or too large.
    pub fn new(document: &Document, workspace: &Workspace) -> Option<Self> {
        let language = document.language.filter(|_| !document.is_too_large())?;
        let name = document
            .path
            .as_deref()
            .and_then(Path::file_name)
            .map(|name| name.to_string_lossy().into_owned());
        // The name stands between quotes where declarations are put before the text.
        let name = name.unwrap_or_else(|| "document".to_owned()).replace(['"', '\n', '/'], "_");
        let mut analysis = Self {
            sources: Sources::default(),
            file: FileId(0),
            prelude: None,
            tree: Tree::C,
            errors: Vec::new(),
            uri: document.uri.clone(),
            folder: document.path.as_deref().and_then(Path::parent).map(Path::to_path_buf),
        };
        match language {
            Language::Formula => analysis.formula(&name, document, workspace),
            Language::Program => {
                analysis.file = analysis.sources.add(name, document.text());
                let (program, errors) = bp::parse(&analysis.sources, analysis.file);
                (analysis.tree, analysis.errors) = (Tree::Program(Box::new(program)), errors);
            }
            Language::Monitor => {
                analysis.file = analysis.sources.add(name, document.text());
                let mut alone = bp::monitor::alone(&analysis.sources, analysis.file);
                analysis.errors = std::mem::take(&mut alone.diagnostics);
                analysis.tree = Tree::Monitor(Box::new(alone));
            }
            Language::C => analysis.file = analysis.sources.add(name, document.text()),
        }
        Some(analysis)
    }

    fn formula(&mut self, name: &str, document: &Document, workspace: &Workspace) {
        let folder = self.folder.clone();
        let read = |path: &str| -> Result<String, String> {
            let shipped = || shipped(path).ok_or_else(|| "is not open, and has no folder".to_owned());
            let Some(folder) = &folder else { return shipped() };
            workspace.read(&folder.join(path)).or_else(|error| shipped().map_err(|_| error))
        };
        let mut alone = read;
        let (tree, errors) = calculus::load(&mut self.sources, name, document.text(), &mut alone);
        let Some(prelude) = vocabulary::prelude(&tree) else {
            (self.tree, self.errors) = (Tree::Formula(Box::new(tree)), errors);
            return;
        };
        self.sources = Sources::default();
        let mut is_first = true;
        let mut behind = |path: &str| match std::mem::take(&mut is_first) {
            true => Ok(document.text().to_owned()),
            false => read(path),
        };
        let root = format!("{prelude}#load \"{name}\";\n");
        let (tree, errors) = calculus::load(&mut self.sources, PRELUDE, root, &mut behind);
        // The declarations are read first, then the text.
        (self.prelude, self.file) = (Some(FileId(0)), FileId(1));
        (self.tree, self.errors) = (Tree::Formula(Box::new(tree)), errors);
    }

    /// What the names mean.
    pub fn names(&self) -> NameTable {
        match &self.tree {
            Tree::Program(program) => bp::references(program),
            Tree::Formula(file) => calculus::references(file),
            Tree::Monitor(alone) => alone.names.clone(),
            Tree::C => NameTable::default(),
        }
    }

    /// The path of a file that was read; nothing for the declarations of the vocabulary, and for what comes with the program.
    pub fn path(&self, file: FileId) -> Option<PathBuf> {
        if Some(file) == self.prelude {
            return None;
        }
        Some(crate::workspace::normal(&self.folder.as_ref()?.join(&self.sources.file(file).name)))
    }

    /// The name of a file that was read, as the editor writes it; nothing if it is none that he can open.
    pub fn uri(&self, file: FileId, workspace: &Workspace) -> Option<String> {
        if file == self.file {
            return Some(self.uri.clone());
        }
        self.path(file).filter(|path| workspace.may_change(path)).map(|path| uri::of_path(&path))
    }

    /// Everything that is wrong with the text. What is wrong with a text that it loads stands where that is loaded.
    pub fn diagnostics(self) -> (Sources, Vec<Diagnostic>) {
        let (file, prelude) = (self.file, self.prelude);
        let loads = self.loads();
        let Self { mut sources, tree, errors, .. } = self;
        let found = match tree {
            Tree::Program(program) if errors.is_empty() => program::mistakes(*program),
            Tree::Formula(tree) => of_formula(&tree, errors, prelude.is_some(), file),
            Tree::C => crate::directives::mistakes(&mut sources, file),
            Tree::Program(_) | Tree::Monitor(_) => errors,
        };
        let placed =
            found.into_iter().filter_map(|diagnostic| placed(diagnostic, file, prelude, &loads, &sources));
        let placed = placed.collect();
        (sources, placed)
    }

    /// Where the text loads others.
    fn loads(&self) -> Vec<Span> {
        let Tree::Formula(_) = self.tree else { return Vec::new() };
        let (tree, _) = calculus::parse(&self.sources, self.file);
        let load = |item: &calculus::syntax::Item| match item.kind {
            calculus::syntax::ItemKind::Directive(calculus::syntax::Directive::Load(_, span)) => Some(span),
            _ => None,
        };
        tree.items.iter().filter_map(load).collect()
    }
}

/// A formula file that comes with the program.
fn shipped(path: &str) -> Option<String> {
    let name = path.rsplit('/').next()?;
    let text = checker::part(name).or_else(|| Some(checker::algorithm(name.strip_suffix(".mu")?)?.text));
    text.map(str::to_owned)
}

fn of_formula(
    tree: &calculus::syntax::File,
    mut errors: Vec<Diagnostic>,
    is_about_programs: bool,
    file: FileId,
) -> Vec<Diagnostic> {
    match calculus::check_briefly(tree, MAX_WORK) {
        None => {
            let message = "this file expands to too much to be looked at here; `getafix mu` and `getafix check` may take it";
            errors.push(Diagnostic::warning(Span::new(file, 0..0), message));
        }
        Some(Err(more)) => errors.extend(more),
        Some(Ok((system, warnings))) => {
            errors.extend(warnings);
            if is_about_programs {
                errors.extend(checker::note_errors(&system));
            }
        }
    }
    errors
}

/// A mistake as one of the text itself; those of the vocabulary are nobody's.
fn placed(
    diagnostic: Diagnostic,
    file: FileId,
    prelude: Option<FileId>,
    loads: &[Span],
    sources: &Sources,
) -> Option<Diagnostic> {
    let Some(span) = diagnostic.span else {
        return Some(Diagnostic { span: Some(Span::new(file, 0..0)), ..diagnostic });
    };
    if span.file == file {
        return Some(diagnostic);
    }
    if Some(span.file) == prelude || diagnostic.severity == Severity::Warning {
        return None;
    }
    let (line, column) = sources.line_column(span);
    let message = format!("{}:{line}:{column}: {}", sources.file(span.file).name, diagnostic.message);
    let place = loads.first().copied().unwrap_or(Span::new(file, 0..0));
    Some(Diagnostic::error(place, message).note("it is here", Some(span)))
}

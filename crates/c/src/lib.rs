//! C programs as integer programs.
//!
//! - In: the text of a C file, preprocessed where it has directives.
//! - Out: an [`integers::Program`] that does what the C program does with integers, and says *unknown* where it does something else; or diagnostics with places in the user's file.
//! - Never: read a file, start a preprocessor, panic on any text.

#![forbid(unsafe_code)]

mod options;
mod task;

mod places;

mod preprocess;

mod token;

mod lex;

mod types;

mod syntax;

mod parse;

mod layout;

mod library;

mod typing;

mod constant;

mod sites;

mod points;

mod lower;

mod condition;

pub use condition::{Meaning, condition};
pub use library::LIBRARY;
pub use options::{Options, TargetSelection};
pub use preprocess::{Preprocessed, preprocess};
pub use sites::{Outcome, Site, SiteKind, Sites, Spot, Visible};
pub use task::{Property, Task, read_property, read_task};
pub use types::DataModel;

use base::{Diagnostic, FileId, Sources};
use integers::Program;
use places::Places;
use token::Names;

/// A C file as an integer program.
#[derive(Debug)]
pub struct Translation {
    /// The program.
    pub program: Program,
    /// Where in the text its points are.
    pub sites: Sites,
    /// What the user should know.
    pub warnings: Vec<Diagnostic>,
}

/// Whether a text has directives that the preprocessor has to follow; line markers and pragmas need none.
pub fn has_directives(text: &str) -> bool {
    lex::directives(text).iter().any(|word| {
        !matches!(word.as_str(), "" | "pragma" | "line" | "ident")
            && !word.starts_with(|c: char| c.is_ascii_digit())
    })
}

/// A file of a program.
#[derive(Clone, Debug)]
pub struct File {
    /// What the user wrote.
    pub id: FileId,
    /// What the preprocessor made of it, where it has directives.
    pub preprocessed: Option<String>,
}

/// Translates a file whose text has no directives.
pub fn translate(sources: &Sources, file: FileId, options: &Options) -> Result<Translation, Vec<Diagnostic>> {
    let text = Text { text: &sources.file(file).text, places: Places::own(file), file };
    read(sources, vec![text], options)
}

/// Translates a file from what the preprocessor made of it. Places are those of the file, by the line markers.
pub fn translate_preprocessed(
    sources: &mut Sources,
    file: FileId,
    preprocessed: &str,
    options: &Options,
) -> Result<Translation, Vec<Diagnostic>> {
    let places = Places::preprocessed(sources, file, preprocessed);
    read(sources, vec![Text { text: preprocessed, places, file }], options)
}

/// Translates files as one program: what is not `static` has one meaning in all of them.
pub fn translate_linked(
    sources: &mut Sources,
    files: &[File],
    options: &Options,
) -> Result<Translation, Vec<Diagnostic>> {
    let mut places = Vec::new();
    for file in files {
        places.push(match &file.preprocessed {
            Some(text) => Places::preprocessed(sources, file.id, text),
            None => Places::own(file.id),
        });
    }
    let text = |file: &'_ File| match &file.preprocessed {
        Some(text) => text.clone(),
        None => sources.file(file.id).text.clone(),
    };
    let texts: Vec<String> = files.iter().map(text).collect();
    let all = texts.iter().zip(places).zip(files);
    let all = all.map(|((text, places), file)| Text { text, places, file: file.id });
    read(sources, all.collect(), options)
}

/// A text that is read.
struct Text<'t> {
    text: &'t str,
    places: Places,
    file: FileId,
}

/// The tree of a program so far.
#[derive(Default)]
struct Tree {
    unit: syntax::Unit,
    linked: parse::Linked,
    names: Names,
    warnings: Vec<Diagnostic>,
}

fn read(sources: &Sources, files: Vec<Text<'_>>, options: &Options) -> Result<Translation, Vec<Diagnostic>> {
    let main = files.first().expect("a program has a file").file;
    let mut tree = Tree::default();
    for file in files {
        tree = parsed(tree, &file, options)?;
    }
    let tree = library::added(sources, tree, options)?;
    let Tree { unit, names, mut warnings, .. } = tree;
    let (program, sites, more) = lower::lower(&unit, &names, options, main)?;
    warnings.extend(more);
    Ok(Translation { program, sites, warnings })
}

/// Reads one more file.
fn parsed(tree: Tree, file: &Text<'_>, options: &Options) -> Result<Tree, Vec<Diagnostic>> {
    let Tree { unit, linked, mut names, mut warnings } = tree;
    let Text { text, places, file } = file;
    if u32::try_from(text.len()).is_err() {
        let span = base::Span::new(*file, 0..0);
        return Err(vec![Diagnostic::error(span, "the file is larger than 4 GB")]);
    }
    let tokens = lex::lex(text, &mut names, places).map_err(|error| vec![error])?;
    let (unit, linked, more) = parse::parse((unit, linked), text, &tokens, &mut names, places, options)
        .map_err(|error| vec![*error])?;
    warnings.extend(more);
    Ok(Tree { unit, linked, names, warnings })
}

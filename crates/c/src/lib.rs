//! C programs as integer programs.
//!
//! - In: the text of a C file, preprocessed where it has directives.
//! - Out: an [`integers::Program`] that does what the C program does with integers, and says *unknown* where it does something else; or diagnostics with places in the user's file.
//! - Never: read a file, start a preprocessor, panic on any text.

#![forbid(unsafe_code)]

mod options;
mod task;

mod places;

mod token;

mod lex;

mod types;

mod syntax;

mod parse;

mod layout;

mod typing;

mod constant;

mod sites;

mod points;

mod lower;

mod condition;

pub use condition::{Meaning, condition};
pub use options::{Options, TargetSelection};
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

/// Translates a file whose text has no directives.
pub fn translate(sources: &Sources, file: FileId, options: &Options) -> Result<Translation, Vec<Diagnostic>> {
    let text = &sources.file(file).text;
    read(text, &Places::own(file), file, options)
}

/// Translates a file from what the preprocessor made of it. Places are those of the file, by the line markers.
pub fn translate_preprocessed(
    sources: &mut Sources,
    file: FileId,
    preprocessed: &str,
    options: &Options,
) -> Result<Translation, Vec<Diagnostic>> {
    let places = Places::preprocessed(sources, file, preprocessed);
    read(preprocessed, &places, file, options)
}

fn read(
    text: &str,
    places: &Places,
    file: FileId,
    options: &Options,
) -> Result<Translation, Vec<Diagnostic>> {
    let mut names = Names::default();
    if u32::try_from(text.len()).is_err() {
        let span = base::Span::new(file, 0..0);
        return Err(vec![Diagnostic::error(span, "the file is larger than 4 GB")]);
    }
    let tokens = lex::lex(text, &mut names, places).map_err(|error| vec![error])?;
    let (unit, mut warnings) =
        parse::parse(text, &tokens, &mut names, places, options).map_err(|error| vec![*error])?;
    let (program, sites, more) = lower::lower(&unit, &names, options, file)?;
    warnings.extend(more);
    Ok(Translation { program, sites, warnings })
}

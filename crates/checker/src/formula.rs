//! Formula files: a page of calculus, checked together with the declarations of a program's templates.

use base::{Diagnostic, FileId, Severity, Sources, Span};
use calculus::system::{Action, BinderId, Formula, FormulaId, System};
use templates::Templates;

/// The name of the declarations that stand before every formula file.
const PRELUDE: &str = "templates";

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
}

/// A formula file that is ready to be evaluated for a program.
pub(crate) struct Checked {
    pub system: System,
    /// The last query.
    pub query: FormulaId,
    pub warnings: Vec<Diagnostic>,
    /// The formula without the declarations of the templates, in canonical form.
    pub text: String,
}

impl Checked {
    /// The query without its outermost existential quantifiers, and these.
    pub fn matrix(&self) -> (Vec<BinderId>, FormulaId) {
        let (mut binders, mut formula) = (Vec::new(), self.query);
        while let Formula::Exists(vars, inner) = self.system.formula(formula) {
            for var in vars {
                let binder = self.system.vars[var.index()].binder;
                if !binders.contains(&binder) {
                    binders.push(binder);
                }
            }
            formula = *inner;
        }
        (binders, formula)
    }
}

impl Checked {
    /// Drops the allocation constraints of the formula file; those of the declarations stay.
    pub fn forget_order(&mut self, sources: &Sources) {
        self.system.constraints.retain(|constraint| sources.file(constraint.span.file).name == PRELUDE);
    }
}

/// Checks a formula file together with the templates of a program.
pub(crate) fn check(
    sources: &mut Sources,
    templates: &Templates,
    file: &mut FormulaFile,
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
    let checked = calculus::check(&tree, file.params);
    let (system, warnings) = match checked {
        Ok(checked) if errors.is_empty() => checked,
        Ok(_) => return Err(errors),
        Err(more) => {
            errors.extend(more);
            return Err(errors);
        }
    };
    let query = system.items.iter().rev().find_map(|item| match item.action {
        Action::Query(query) => Some(query),
        _ => None,
    });
    let Some(query) = query else {
        let message = format!("`{name}` asks nothing: its last query is the verdict");
        // The formula file is read right after the declarations.
        let declarations = tree.items.first().map(|item| item.span.file.index());
        let place = declarations.map(|file| Span::new(FileId::new(file + 1), 0..0));
        return Err(vec![Diagnostic { severity: Severity::Error, message, span: place, notes: Vec::new() }]);
    };
    tree.items.retain(|item| sources.file(item.span.file).name != PRELUDE);
    let text = calculus::print(&tree);
    Ok(Checked { system, query, warnings, text })
}

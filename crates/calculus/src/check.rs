//! From the syntax tree to a checked [`System`]: names, types, and the meaning of sugar.
//!
//! Contract: the result is well-sorted by construction (see [`crate::system`]), or every error of the file
//! is reported. Names are global, so declarations may stand in any order. No pass recurses over formulas.

mod actions;
mod atom;
mod binders;
mod bits;
mod constraints;
mod cycles;
mod lower;
mod place;
mod relations;
mod sink;
mod types;
mod unfold;

use crate::syntax::{Const, ConstBase, Directive, File, ItemKind, Name, Symbol};
use crate::system::{Formula, FormulaId, RelationId, System};
use base::{Diagnostic, Severity, Span};
use binders::Scope;
use relations::Signature;
use rustc_hash::FxHashMap;
use sink::Sink;
use types::Types;

/// More formulas than this come from unrolling that nobody wants to wait for.
const MAX_FORMULAS: usize = 10_000_000;

/// More work than this comes from unrolling too: a copy need not leave a formula behind.
const MAX_WORK: usize = 100_000_000;

/// The system with warnings, or errors.
pub type Checked = Result<(System, Vec<Diagnostic>), Vec<Diagnostic>>;

/// Checks a file. `overrides` gives values to its `#param`s. Returns the system with warnings, or errors.
///
/// A partial file is an error in any case. Its syntax errors are reported already; here are those of the rest,
/// perhaps none. A name that is declared nowhere is not among them: the declaration may be in the missing part.
pub fn check(file: &File, overrides: &[(String, u64)]) -> Checked {
    checked(Checker::new(file), overrides, &mut false)
}

/// The same for somebody who waits: nothing, if that takes more than so many steps of work.
pub fn check_briefly(file: &File, steps: usize) -> Option<Checked> {
    let mut is_given_up = false;
    let checker = Checker { most_work: steps, ..Checker::new(file) };
    let checked = checked(checker, &[], &mut is_given_up);
    (!is_given_up).then_some(checked)
}

/// Whether the work was too much is told, too.
fn checked(mut checker: Checker<'_>, overrides: &[(String, u64)], is_given_up: &mut bool) -> Checked {
    let file = checker.file;
    file.remarks.iter().for_each(|remark| checker.sink.push(remark.clone()));
    checker.params(overrides);
    checker.types();
    checker.class_constraints();
    checker.storage();
    checker.strata();
    checker.signatures();
    checker.definitions();
    checker.actions();
    checker.definition_cycles();
    *is_given_up = checker.is_exhausted;
    if file.is_partial || checker.sink.has_errors() {
        return Err(checker.sink.into_diagnostics());
    }
    checker.negative_cycles();
    checker.unfold_restrictions();
    checker.acyclic_fixed_points();
    checker.system.formulas.shrink_to_fit();
    checker.system.spans.shrink_to_fit();
    Ok((checker.system, checker.sink.into_diagnostics()))
}

/// What is known while a file is being checked.
struct Checker<'f> {
    file: &'f File,
    sink: Sink,
    params: FxHashMap<Symbol, u64>,
    /// Where each `#param` is declared.
    param_places: FxHashMap<Symbol, Span>,
    types: Types,
    relations: FxHashMap<Symbol, Signature>,
    scope: Scope,
    system: System,
    /// The relations that the body being checked applies, and where.
    uses: Vec<(RelationId, Span)>,
    /// The uses of each relation's body.
    uses_of: Vec<Vec<(RelationId, Span)>>,
    /// Set when an undefined variable is not an error but makes the expression open, as in `#print e`.
    open: Option<bool>,
    /// How many bound variables for Boolean arguments there are.
    fresh: usize,
    /// How much was done so far: expressions visited, terms and names made, indices tried.
    work: usize,
    /// How much may be done.
    most_work: usize,
    /// Set when unrolling went beyond all bounds; the rest of the work is skipped.
    is_exhausted: bool,
}

impl<'f> Checker<'f> {
    fn new(file: &'f File) -> Self {
        Self {
            file,
            sink: Sink::default(),
            params: FxHashMap::default(),
            param_places: FxHashMap::default(),
            types: Types::default(),
            relations: FxHashMap::default(),
            scope: Scope::new(file.names.len()),
            system: System::default(),
            uses: Vec::new(),
            uses_of: Vec::new(),
            open: None,
            fresh: 0,
            work: 0,
            most_work: MAX_WORK,
            is_exhausted: false,
        }
    }

    fn text(&self, symbol: Symbol) -> &'f str {
        self.file.names.text(symbol)
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.sink.push(Diagnostic::error(span, message));
    }

    /// Adds a formula to the arena.
    fn formula(&mut self, formula: Formula, span: Span) -> FormulaId {
        let system = &mut self.system;
        let id = FormulaId::new(system.formulas.len());
        system.formulas.push(formula);
        system.spans.push(span);
        if id.index() == MAX_FORMULAS {
            self.exhaust(span, format!("{MAX_FORMULAS} formulas"));
        }
        id
    }

    /// Counts so many steps of work at a place and says whether there may be more.
    fn work(&mut self, steps: usize, span: Span) -> bool {
        self.work = self.work.saturating_add(steps);
        if self.work > self.most_work {
            self.exhaust(span, format!("{} parts", self.most_work));
        }
        !self.is_exhausted
    }

    /// Gives up: the file expands to more than anybody wants.
    fn exhaust(&mut self, span: Span, than: String) {
        if !std::mem::replace(&mut self.is_exhausted, true) {
            self.error(span, format!("the file expands to more than {than}; this is where it happens"));
        }
    }

    fn constant(&mut self, value: bool, span: Span) -> FormulaId {
        self.formula(Formula::Constant(value), span)
    }

    fn not(&mut self, operand: FormulaId, span: Span) -> FormulaId {
        self.formula(Formula::Not(operand), span)
    }

    /// The conjunction; of one operand, the operand.
    fn and(&mut self, operands: Vec<FormulaId>, span: Span) -> FormulaId {
        match operands[..] {
            [] => self.constant(true, span),
            [operand] => operand,
            _ => self.formula(Formula::And(operands.into()), span),
        }
    }

    /// The disjunction; of one operand, the operand.
    fn or(&mut self, operands: Vec<FormulaId>, span: Span) -> FormulaId {
        match operands[..] {
            [] => self.constant(false, span),
            [operand] => operand,
            _ => self.formula(Formula::Or(operands.into()), span),
        }
    }

    /// Collects the `#param`s and gives them the values asked for.
    fn params(&mut self, overrides: &[(String, u64)]) {
        for item in &self.file.items {
            let ItemKind::Directive(Directive::Param(name, value)) = item.kind else { continue };
            match self.param_places.get(&name.symbol) {
                Some(&first) => self.duplicate("parameter", name, Some(first)),
                None => {
                    self.param_places.insert(name.symbol, name.span);
                    self.params.insert(name.symbol, value);
                }
            }
        }
        for (name, value) in overrides {
            let known = self.file.names.find(name).and_then(|symbol| self.params.get_mut(&symbol));
            match known {
                Some(param) => *param = *value,
                None => self.unknown_override(name),
            }
        }
    }

    fn unknown_override(&mut self, name: &str) {
        if self.file.is_partial {
            return;
        }
        let file = self.file;
        let known = self.params.keys().map(|symbol| file.names.text(*symbol));
        let near = self.sink.suggestion(name, known);
        let message = format!("the file declares no `#param {name}`{near}");
        self.sink.push(Diagnostic { severity: Severity::Error, message, span: None, notes: Vec::new() });
    }

    fn duplicate(&mut self, what: &str, name: Name, first: Option<Span>) {
        let message = format!("the {what} `{}` is declared twice", self.text(name.symbol));
        self.sink.push(Diagnostic::error(name.span, message).note("it is first declared here", first));
    }

    /// The number a size or bound stands for; it may be negative, as `k - 1` for `k = 0`.
    fn number(&mut self, constant: Const) -> Option<i128> {
        let base = match constant.base {
            ConstBase::Number(number) => i128::from(number),
            ConstBase::Param(name) => match self.scope.position(name.symbol) {
                Some(position) => position,
                None => self.param(name)?,
            },
        };
        Some(base + i128::from(constant.offset))
    }

    fn param(&mut self, name: Name) -> Option<i128> {
        if let Some(value) = self.params.get(&name.symbol) {
            return Some(i128::from(*value));
        }
        let (file, text) = (self.file, self.text(name.symbol));
        if file.is_partial {
            return None;
        }
        let near = self.sink.suggestion(text, self.params.keys().map(|symbol| file.names.text(*symbol)));
        self.error(name.span, format!("expected a number or a `#param`, found `{text}`{near}"));
        None
    }
}

//! What a formula file asks beside its verdict: earlier queries, and directives that print something.
//!
//! Those of files that it loads are their own business, as their last queries are.

use crate::formula::Checked;
use crate::outcome::Unknown;
use base::{Diagnostic, Span};
use calculus::system::{Action, Item, RelationId, System};
use runs::{Cell, Facts, Reason, Tell, Terms};
use solver::{Certified, Halt, Solver, Statistics};

/// A question of a formula file, and its answer.
#[derive(Clone, Debug)]
pub struct SideAnswer {
    /// `query`, or the directive.
    pub directive: &'static str,
    /// The relation it is about.
    pub relation: Option<String>,
    /// Where it stands.
    pub span: Span,
    /// What was found out.
    pub said: Result<Said, Unknown>,
}

/// What a question of a formula file may be answered with.
#[derive(Clone, Debug)]
pub enum Said {
    /// The truth value of a query.
    Truth(bool),
    /// A number of nodes or tuples, in decimal.
    Number(String),
    /// A text, printed as it is.
    Text(String),
    /// A plan.
    Plan(String),
    /// Figures.
    Statistics(Statistics),
    /// Names and values, if there are such.
    Valuation(Option<Vec<(String, Cell)>>),
    /// What is known of each relation.
    Certificate(Vec<Certified>),
    /// Why something is so, if it is.
    Derivation(Option<Vec<Reason>>),
    /// The tuples of a relation.
    List(List),
}

/// The tuples of a relation, or the first of them.
#[derive(Clone, Debug)]
pub struct List {
    /// The names of the columns.
    pub head: Vec<String>,
    /// The rows. Each tuple is in one of them.
    pub rows: Vec<Vec<Cell>>,
    /// What any value stands for, of columns where some row has it: all values, if they are not too many to be told.
    pub values: Vec<Option<Vec<String>>>,
    /// There are more rows.
    pub is_cut: bool,
    /// The number of tuples, in decimal.
    pub n_tuples: String,
}

/// The items of the file itself, without the query that is the verdict.
fn items(checked: &Checked) -> impl Iterator<Item = &Item> {
    let home = checked.system.span(checked.query).file;
    let is_verdict = |item: &Item| matches!(item.action, Action::Query(query) if query == checked.query);
    checked.system.items.iter().filter(move |item| item.span.file == home && !is_verdict(item))
}

/// Some question needs derivations.
pub(crate) fn need_derivations(checked: &Checked) -> bool {
    items(checked).any(|item| matches!(item.action, Action::Explain(..)))
}

/// Answers what is asked beside the verdict. The solver has been given everything.
pub(crate) fn answer(checked: &Checked, terms: &Terms, solver: &mut Solver) -> Vec<SideAnswer> {
    let mut answers = Vec::new();
    for item in items(checked) {
        let said = match said(&item.action, terms, solver) {
            Ok(Some(said)) => Ok(said),
            Ok(None) => continue,
            Err(halt) => Err(halt.into()),
        };
        let relation = item.action.relation().map(|relation| name(&checked.system, relation));
        answers.push(SideAnswer { directive: item.action.word(), relation, span: item.span, said });
    }
    answers
}

/// Warnings about what is not answered here.
pub(crate) fn warnings(checked: &Checked) -> Vec<Diagnostic> {
    let is_file =
        |item: &&Item| matches!(item.action, Action::Visualise(_) | Action::Dump(_) | Action::Undump(_));
    let warning = |item: &Item| {
        let message = format!("`{}` is answered by `getafix mu` only", item.action.word());
        Diagnostic::warning(item.span, message).note("`getafix translate` makes a file for it", None)
    };
    items(checked).filter(is_file).map(warning).collect()
}

fn said(action: &Action, terms: &Terms, solver: &mut Solver) -> Result<Option<Said>, Halt> {
    Ok(Some(match action {
        Action::Query(formula) => Said::Truth(solver.query(*formula)?),
        Action::Print(text) => Said::Text(text.clone()),
        Action::PrintFormula(formula) => Said::Text(solver.query(*formula)?.to_string()),
        Action::Statistics => Said::Statistics(solver.statistics()),
        Action::Size(relation) => Said::Number(solver.size(*relation)?.to_string()),
        Action::Count(relation) => Said::Number(solver.count(*relation)?.to_string()),
        Action::Witness(binders, formula) => {
            let found = solver.witness_values(binders, *formula, true)?;
            Said::Valuation(found.map(|values| terms.valuation(&values)))
        }
        Action::Counterexample(binders, formula) => {
            let found = solver.witness_values(binders, *formula, false)?;
            Said::Valuation(found.map(|values| terms.valuation(&values)))
        }
        Action::List(relation, most) => Said::List(list(*relation, *most, terms, solver)?),
        Action::Certify(relation) => Said::Certificate(solver.certify(*relation)?.relations),
        Action::Explain(binders, formula) => {
            solver.follow_choices(terms.system.depth(), Some(terms.relevance()));
            let found = solver.explain(binders, *formula);
            solver.follow_choices(0, None);
            let found = found?;
            Said::Derivation(found.map(|derivation| runs::reasons(terms, &derivation, Facts::Reasons)))
        }
        Action::Plan(relation) => Said::Plan(solver.plan(*relation)?),
        Action::Visualise(_)
        | Action::Dump(_)
        | Action::Undump(_)
        | Action::Reset(_)
        | Action::ResetAll
        | Action::Timer(_)
        | Action::Frontier
        | Action::Verbose(_) => return Ok(None),
    }))
}

/// The first rows of a relation, in terms of the program.
fn list(relation: RelationId, most: u64, terms: &Terms, solver: &mut Solver) -> Result<List, Halt> {
    let n_tuples = solver.count(relation)?.to_string();
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let found = solver.list(relation, most, &mut |from, row| terms.columns(relation, from, row))?;
    let rows = terms.rows(relation, &found.rows);
    Ok(List { head: terms.head(relation), rows, values: Vec::new(), is_cut: found.is_cut, n_tuples })
}

fn name(system: &System, relation: RelationId) -> String {
    system.relation(relation).name.clone()
}

//! What lies between a program and its verdict, as text: the relations, the formula, the plan, the order of variables.

use crate::engine::Failure;
use crate::formula::FormulaFile;
use crate::session::{Options, Session, with_session};
use crate::target::Target;
use base::{Diagnostic, Severity, Sources};
use calculus::Mucke;
use calculus::system::RelationId;
use rsm::Rsm;
use solver::Halt;

/// A stage that can be printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// The templates that the formula uses, as definitions of the calculus.
    Relations,
    /// The formula in canonical form.
    Formula,
    /// The evaluation plan of every relation of the formula.
    Plan,
    /// The order of the diagram variables.
    Order,
}

/// Whose language a translation is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// All of the calculus.
    Calculus,
    /// Only what MUCKE has.
    Mucke,
}

/// The text of a stage.
pub fn show(
    rsm: &Rsm,
    targets: &[Target],
    file: FormulaFile,
    options: &Options,
    sources: &mut Sources,
    stage: Stage,
) -> Result<String, Failure> {
    let text = with_session(rsm, targets, file, options, sources, |session, _| match stage {
        Stage::Relations => definitions(session, None),
        Stage::Formula => Ok(session.checked.text.clone()),
        Stage::Plan => plan(session),
        Stage::Order => Ok(session.solver.order()),
    })?;
    text.map_err(|halt| Failure::Stopped(halt.into()))
}

/// One self-contained file that evaluates to the verdict: its last query is true if a target is reachable.
pub fn translate(
    rsm: &Rsm,
    targets: &[Target],
    file: FormulaFile,
    options: &Options,
    sources: &mut Sources,
    dialect: Dialect,
) -> Result<String, Failure> {
    with_session(rsm, targets, file, options, sources, |session, _| {
        let names: Vec<&str> = targets.iter().map(|target| target.name.as_str()).collect();
        let head = format!("// Is one of these reachable: {}? The last query says so.\n", names.join(", "));
        let text = match dialect {
            Dialect::Calculus => calculus(session)?,
            Dialect::Mucke => mucke(session)?,
        };
        Ok(head + &text)
    })?
}

fn calculus(session: &mut Session) -> Result<String, Failure> {
    let mut out = String::new();
    session.templates.declare_sorts(&mut out);
    out.push('\n');
    out.push_str(&definitions(session, None).map_err(|halt| Failure::Stopped(halt.into()))?);
    out.push_str(&session.checked.text);
    Ok(out)
}

fn mucke(session: &mut Session) -> Result<String, Failure> {
    let system = &session.checked.system;
    let mucke =
        Mucke::new(system, |relation| session.words.of_relation(relation).is_some()).map_err(|message| {
            let error = Diagnostic { severity: Severity::Error, message, span: None, notes: Vec::new() };
            Failure::Formula(vec![error])
        })?;
    let templates = definitions(session, Some(&mucke)).map_err(|halt| Failure::Stopped(halt.into()))?;
    Ok([mucke.types(), "\n".to_owned(), templates, mucke.relations(), mucke.queries()].concat())
}

fn definitions(session: &mut Session, mucke: Option<&Mucke>) -> Result<String, Halt> {
    let (system, words) = (&session.checked.system, &session.words);
    session.templates.definitions(system, words, &mut session.solver, session.goals, mucke)
}

/// Plans look at the sizes of tables, so the templates are given first.
fn plan(session: &mut Session) -> Result<String, Halt> {
    let system = &session.checked.system;
    session.templates.give(system, &session.words, &mut session.solver)?;
    session.templates.give_target(session.goals, &session.words, &mut session.solver)?;
    let mut out = String::new();
    for relation in (0..system.relations.len()).map(RelationId::new) {
        if session.words.of_relation(relation).is_none() {
            out.push_str(&session.solver.plan(relation)?);
        }
    }
    Ok(out)
}

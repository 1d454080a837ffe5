//! What lies between a program and its verdict, as text: the relations, the formula, the plan, the order of variables.

use crate::formula::FormulaFile;
use crate::session::{Failure, Options, Session, with_session};
use crate::target::Target;
use base::{Diagnostic, Severity, Sources};
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
        Stage::Relations => definitions(session),
        Stage::Formula => Ok(session.checked.text.clone()),
        Stage::Plan => plan(session),
        Stage::Order => Ok(session.solver.order()),
    })?;
    text.map_err(Failure::Stopped)
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
    let name = file.name.to_owned();
    with_session(rsm, targets, file, options, sources, |session, _| {
        if dialect == Dialect::Mucke
            && let Some(word) = beyond_mucke(&session.checked.text)
        {
            let message = format!("`{name}` uses `{word}`, which MUCKE does not have");
            let error = Diagnostic { severity: Severity::Error, message, span: None, notes: Vec::new() };
            return Err(Failure::Formula(vec![error]));
        }
        let names: Vec<&str> = targets.iter().map(|target| target.name.as_str()).collect();
        let mut out =
            format!("// Is one of these reachable: {}? The last query says so.\n", names.join(", "));
        let mut sorts = String::new();
        session.templates.declare_sorts(&mut sorts);
        if dialect == Dialect::Mucke {
            sorts = sorts
                .lines()
                .filter(|line| !line.starts_with('#'))
                .fold(String::new(), |all, line| all + line + "\n");
        }
        out.push_str(&sorts);
        out.push('\n');
        out.push_str(&definitions(session).map_err(Failure::Stopped)?);
        out.push_str(&session.checked.text);
        Ok(out)
    })?
}

/// The first word of a formula that MUCKE does not know.
fn beyond_mucke(text: &str) -> Option<&str> {
    let ours = ["#explicit", "#symbolic", "#param", "#certify", "#explain", "#plan"];
    text.split(|c: char| c.is_whitespace() || c == ';').find(|word| ours.contains(word))
}

fn definitions(session: &mut Session) -> Result<String, Halt> {
    let (system, words) = (&session.checked.system, &session.words);
    session.templates.definitions(system, words, &mut session.solver, session.goals)
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

//! What lies between a program and its verdict, as text: the relations, the formula, the plan, the order of variables.

use super::session::{Arranged, Options, Session, with_session};
use crate::formula::labels::{self, Label};
use crate::formula::names::{self, NamedSet};
use crate::formula::{Checked, FormulaFile};
use crate::problem::Failure;
use crate::target::Target;
use crate::threads::AskedOfThreads;
use base::{Diagnostic, Severity, Sources};
use calculus::Mucke;
use calculus::system::RelationId;
use rsm::{Rsm, ThreadGoal};
use solver::{Halt, Solver};
use templates::{Templates, Vocabulary};

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
    /// Which label of the program each label of the formula is.
    Labels,
    /// What the reductions leave for this question.
    Reduced,
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
    with_session(Arranged::by(rsm, None), targets, file, options, sources, |session, sources| {
        Staged::of(session).show(stage, sources)
    })?
}

/// The text of a stage of a question about threads.
pub fn show_threads(
    asked: AskedOfThreads,
    file: FormulaFile,
    options: &Options,
    sources: &mut Sources,
    stage: Stage,
) -> Result<String, Failure> {
    asked.with(file, options, sources, |staged, sources| staged.show(stage, sources))?
}

/// One self-contained file that evaluates to the verdict: its last query is the formula's.
pub fn translate(
    rsm: &Rsm,
    targets: &[Target],
    file: FormulaFile,
    options: &Options,
    sources: &mut Sources,
    dialect: Dialect,
) -> Result<String, Failure> {
    with_session(Arranged::by(rsm, None), targets, file, options, sources, |session, _| {
        Staged::of(session).translate(targets, dialect)
    })?
}

/// The same of a question about threads.
pub fn translate_threads(
    asked: AskedOfThreads,
    file: FormulaFile,
    options: &Options,
    sources: &mut Sources,
    dialect: Dialect,
) -> Result<String, Failure> {
    asked.with(file, options, sources, |mut staged, _| staged.translate(asked.targets, dialect))?
}

/// A question on its way to an answer, with threads or without.
pub(crate) struct Staged<'a, 's, 'r> {
    pub templates: &'a Templates<'r>,
    pub words: &'a Vocabulary,
    pub checked: &'s Checked,
    pub solver: &'a mut Solver<'s>,
    pub labels: &'a [Label],
    pub sets: &'a [NamedSet],
    pub goals: Vec<ThreadGoal>,
}

impl<'a, 's, 'r> Staged<'a, 's, 'r> {
    fn of(session: &'a mut Session<'_, 's, 'r>) -> Self {
        let goals = session.goals.iter().copied().map(ThreadGoal::from).collect();
        let Session { templates, words, checked, solver, labels, sets, .. } = session;
        Self { templates, words, checked, solver, labels, sets, goals }
    }

    fn show(mut self, stage: Stage, sources: &Sources) -> Result<String, Failure> {
        let text = match stage {
            Stage::Relations => self.definitions(None),
            Stage::Formula => Ok(self.checked.text.clone()),
            Stage::Plan => self.plan(),
            Stage::Order => Ok(self.templates.with_occupants(&self.solver.order())),
            Stage::Labels => {
                let labels = labels::show(self.labels, self.templates, sources);
                let sets = names::show(self.sets, self.templates);
                Ok([labels, sets, self.templates.show_variables()].concat())
            }
            Stage::Reduced => Ok(self.templates.reduced.show(self.templates.rsm)),
        };
        text.map_err(|halt| Failure::Stopped(halt.into()))
    }

    fn translate(&mut self, targets: &[Target], dialect: Dialect) -> Result<String, Failure> {
        let names: Vec<&str> = targets.iter().map(|target| target.name.as_str()).collect();
        let head = match names.is_empty() {
            true => "// The last query is the question.\n".to_owned(),
            false => format!("// Is one of these reachable: {}? The last query says so.\n", names.join(", ")),
        };
        let text = match dialect {
            Dialect::Calculus => self.calculus()?,
            Dialect::Mucke => self.mucke()?,
        };
        Ok(head + &text)
    }

    fn calculus(&mut self) -> Result<String, Failure> {
        let mut out = String::new();
        self.templates.declare_sorts(&mut out);
        out.push('\n');
        out.push_str(&self.definitions(None).map_err(|halt| Failure::Stopped(halt.into()))?);
        out.push_str(&self.checked.text);
        Ok(out)
    }

    fn mucke(&mut self) -> Result<String, Failure> {
        let system = &self.checked.system;
        let is_word = |relation| self.words.of_relation(relation).is_some();
        let mucke = Mucke::new(system, is_word).map_err(|message| {
            let error = Diagnostic { severity: Severity::Error, message, span: None, notes: Vec::new() };
            Failure::Formula(vec![error])
        })?;
        let templates = self.definitions(Some(&mucke)).map_err(|halt| Failure::Stopped(halt.into()))?;
        Ok([mucke.types(), "\n".to_owned(), templates, mucke.relations(), mucke.queries()].concat())
    }

    fn definitions(&mut self, mucke: Option<&Mucke>) -> Result<String, Halt> {
        let system = &self.checked.system;
        self.templates.definitions(system, self.words, self.solver, &self.goals, mucke)
    }

    /// Plans look at the sizes of tables, so the templates are given first.
    fn plan(&mut self) -> Result<String, Halt> {
        let system = &self.checked.system;
        self.templates.give(system, self.words, self.solver)?;
        self.templates.give_thread_target(&self.goals, self.words, self.solver)?;
        let mut out = String::new();
        for relation in (0..system.relations.len()).map(RelationId::new) {
            if self.words.of_relation(relation).is_none() {
                out.push_str(&self.solver.plan(relation)?);
            }
        }
        Ok(out)
    }
}

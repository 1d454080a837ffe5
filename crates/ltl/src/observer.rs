//! From a formula about a program with threads to an observer of the runs that violate it.
//!
//! Each proposition is a condition over observations; an edge of the automaton asks for some of them and for the negation of others. One
//! mark for each `U` keeps the automaton small. Where that would be too many marks, a counter takes their place.

use crate::automaton::{
    Literal, Marked, MarkedEdge, Told, ToldMarked, TooLarge, told, told_marked, translate,
};
use crate::formula::Formula;
use crate::words::words;
use crate::write::Written;
use crate::{NO_CHOICE, in_one_line, parse, too_large};
use base::{Diagnostic, Sources, Span};
use bp::Checked;
use bp::observer::Observations;
use rsm::observe::{MOST_MARKS, Marks, Observation, Observer, ObserverEdge, ObserverState};
use rsm::{Binary, Concurrent, Expr, Operation, Term, Type};

/// An observer and its text.
#[derive(Clone, Debug)]
pub struct Watched {
    /// The observer.
    pub observer: Observer,
    /// As it is written in a `.mon` file.
    pub text: String,
    /// Its states in words: what the formula waits for in each.
    pub words: Vec<String>,
}

/// The observer of the runs of a program with threads that violate a formula.
pub fn violations_of_threads(
    sources: &mut Sources,
    name: &str,
    text: &str,
    program: &Checked,
    threads: &Concurrent,
) -> Result<Watched, Vec<Diagnostic>> {
    let file = sources.add(name, text);
    let mut formula = parse(sources, file)?;
    formula.negate();
    let mut observations = Observations::new(program, threads);
    let (mut conditions, mut diagnostics) = (Vec::new(), Vec::new());
    for span in &formula.propositions {
        match observations.proposition(sources, *span) {
            Ok(condition) if condition.has_choice() => diagnostics.push(Diagnostic::error(*span, NO_CHOICE)),
            Ok(condition) => conditions.push(condition),
            Err(found) => diagnostics.extend(found),
        }
    }
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    let observations = observations.finish(Span::new(file, 0..text.len()))?;
    let told = marked(&formula).map_err(|TooLarge| too_large(sources, file))?;
    let propositions: Vec<String> =
        formula.propositions.iter().map(|span| in_one_line(sources.text(*span))).collect();
    let in_words = |obligations: &Vec<_>| words(&told.normals, obligations, &propositions);
    let words = told.obligations.iter().map(in_words).collect();
    let observer = watching(&formula, told.automaton, &conditions, observations);
    let written: Vec<Written> =
        formula.propositions.iter().map(|span| Written::plain(sources.text(*span))).collect();
    let automaton = translate(&formula).map_err(|TooLarge| too_large(sources, file))?;
    Ok(Watched { observer, text: automaton.write(&written), words })
}

/// The observer of the runs that satisfy a formula whose propositions are these conditions over observations.
pub fn observer(
    formula: &Formula,
    conditions: &[Expr],
    observations: Vec<Observation>,
) -> Result<Observer, TooLarge> {
    Ok(watching(formula, marked(formula)?.automaton, conditions, observations))
}

/// The automaton, with few marks.
fn marked(formula: &Formula) -> Result<ToldMarked, TooLarge> {
    told_marked(formula, MOST_MARKS).or_else(|TooLarge| counted(formula))
}

fn watching(
    formula: &Formula,
    Marked { states, n_marks }: Marked,
    conditions: &[Expr],
    observations: Vec<Observation>,
) -> Observer {
    let state = |edges: Vec<MarkedEdge>| ObserverState {
        is_target: false,
        edges: (edges.into_iter())
            .map(|edge| ObserverEdge {
                guard: guard(&edge.literals, conditions),
                to: edge.to as u32,
                marks: edge.marks as Marks,
            })
            .collect(),
    };
    let states = states.into_iter().map(state).collect();
    let ignores_repetition = formula.ignores_repetition();
    Observer { observations, states, initial: vec![0], n_marks, ignores_repetition }
}

/// With one mark, which every step out of a target state has.
fn counted(formula: &Formula) -> Result<ToldMarked, TooLarge> {
    let Told { automaton, normals, obligations } = told(formula)?;
    let states = automaton.states.into_iter().map(|state| {
        let marks = u64::from(state.is_target);
        state.edges.into_iter().map(|(literals, to)| MarkedEdge { literals, to, marks }).collect()
    });
    let automaton = Marked { states: states.collect(), n_marks: 1 };
    Ok(ToldMarked { automaton, normals, obligations })
}

/// All literals hold.
fn guard(literals: &[Literal], conditions: &[Expr]) -> Expr {
    let term = |operation| Term { operation, ty: Type::Bool };
    let mut code: Vec<Term> = Vec::new();
    for (n, literal) in literals.iter().enumerate() {
        code.extend(conditions[literal.proposition as usize].code.iter().cloned());
        code.extend((!literal.value).then(|| term(Operation::Not)));
        code.extend((n > 0).then(|| term(Operation::Binary(Binary::And))));
    }
    match code.is_empty() {
        true => Expr::constant(1, Type::Bool),
        false => Expr { code: code.into() },
    }
}

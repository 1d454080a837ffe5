//! Words for what the engines answer: reasons, derivations, statistics.

use crate::answer::Step;
use crate::args::RunOptions;
use base::{Gauge, Sources, StopReason};
use calculus::system::{RelationId, System, VarId};
use checker::SearchFigures;
use present::reason::LimitsSet;
use present::units;
use solver::{Explanation, Halt, Premise, Statistics};
use std::fmt::Write;

/// Why a question has no answer.
pub fn halt(halt: &Halt, options: &RunOptions) -> String {
    limits_set(options).reason(&halt.clone().into())
}

/// Why a run was stopped and how far it came.
pub fn stopped(reason: StopReason, gauge: &Gauge, options: &RunOptions) -> String {
    limits_set(options).halted(reason, gauge)
}

/// The limits of a run, for messages about them.
pub fn limits_set(options: &RunOptions) -> LimitsSet {
    LimitsSet { timeout: options.timeout, memory: options.memory }
}

/// A derivation with names and places.
pub fn derivation(system: &System, sources: &Sources, explanation: &Explanation) -> Vec<Step> {
    let steps = explanation.steps.iter().map(|step| {
        let (line, column) = sources.line_column(step.span);
        let mut out = Step {
            fact: match step.is_absent {
                true => format!("!{}", fact(system, step.relation, &step.tuple)),
                false => fact(system, step.relation, &step.tuple),
            },
            clause: step.clause,
            place: format!("{}:{line}:{column}", sources.file(step.span.file).name),
            choice: step.choice.clone(),
            uses: Vec::new(),
            again: Vec::new(),
            facts: Vec::new(),
        };
        for premise in &step.premises {
            match premise {
                Premise::Step(index) => out.uses.push(index + 1),
                Premise::Again(index) => out.again.push(index + 1),
                Premise::Fact(text) => out.facts.push(text.clone()),
            }
        }
        out
    });
    steps.collect()
}

/// `Reach(goal)`, or with records `Reach(s.pc = 3, s.x = true)`.
fn fact(system: &System, relation: RelationId, tuple: &[u32]) -> String {
    let relation = system.relation(relation);
    let is_scalar = |path: &str| path.is_empty();
    let scalar = relation.columns.iter().all(|&column| is_scalar(&system.vars[column.index()].path));
    let argument = |(&column, &value): (&VarId, &u32)| {
        let value = system.sort_of(column).value_name(value);
        if scalar { value } else { format!("{} = {value}", system.var_name(column)) }
    };
    let arguments: Vec<String> = relation.columns.iter().zip(tuple).map(argument).collect();
    format!("{}({})", relation.name, arguments.join(", "))
}

/// The figures of `#print statistics`: only what two runs share.
pub fn figures(statistics: &Statistics) -> String {
    let mut out = String::new();
    for relation in &statistics.relations {
        let _ = writeln!(
            out,
            "{}: rounds {}, keys {}, nodes {}",
            relation.relation, relation.rounds, relation.keys, relation.nodes
        );
    }
    let _ = writeln!(
        out,
        "total: variables {}, nodes {}, peak {}",
        statistics.variables, statistics.nodes, statistics.peak_nodes
    );
    out
}

/// The figures of a search of states, for `--stats`.
pub fn searched(search: &SearchFigures) -> String {
    let figures = &search.figures;
    let mut parts =
        vec![present::reason::searched(&figures.searched()), format!("{:.3}s", search.time.as_secs_f64())];
    parts.extend(search.states_per_second().map(|rate| format!("{rate:.0} states/s")));
    parts.push(format!("{:.1} bytes/state", search.bytes_per_state()));
    if figures.checks > 0 {
        parts.push(format!("{} edges, looked through {} times", figures.edges, figures.checks));
    }
    parts.join(", ") + "\n"
}

/// The table of `--stats`.
pub fn table(statistics: &Statistics) -> String {
    let rows = &statistics.relations;
    let name = rows.iter().map(|row| row.relation.chars().count()).max().unwrap_or(0).max("relation".len());
    let mut out =
        format!("{:name$} {:>10} {:>10} {:>10} {:>10}\n", "relation", "rounds", "keys", "nodes", "time");
    for row in rows {
        let time = format!("{:.3}s", row.time.as_secs_f64());
        let _ = writeln!(
            out,
            "{:name$} {:>10} {:>10} {:>10} {:>10}",
            row.relation, row.rounds, row.keys, row.nodes, time
        );
    }
    let _ = writeln!(
        out,
        "{} variables, {} nodes, at most {}, {}, {} collections",
        statistics.variables,
        statistics.nodes,
        statistics.peak_nodes,
        units::bytes(statistics.bytes),
        statistics.collections
    );
    out
}

//! The JSON form of a run; `docs/output.schema.json` describes it.

use crate::answer::{self, Step, Subject, Value};
use base::{Diagnostic, Severity, Sources};
use checker::{
    Basis, Cell, ClauseFigures, Ground, List, LocalisedFigures, Missing, Reply, SearchFigures, SharedBy,
    Sharing, Situation,
};
use present::answer::{Conclusion, Within, missing_word};
use present::json::number;
use serde_json::{Map, json};
use solver::{Certified, Statistics};

/// The version of the format.
const FORMAT: u32 = 3;

/// What a run has said so far.
#[derive(Default)]
pub struct Report {
    /// The answers, in order.
    pub answers: Vec<serde_json::Value>,
    /// Errors and warnings.
    pub diagnostics: Vec<serde_json::Value>,
    /// Why something is unknown; the first reason stays.
    pub reason: Option<String>,
    /// The figures of the run.
    pub stats: Option<serde_json::Value>,
    /// The figures of a search of states.
    pub search: Option<serde_json::Value>,
    /// A run that was executed.
    pub run: Option<serde_json::Value>,
    /// What is known about a program.
    pub conclusion: Option<Conclusion>,
}

impl Report {
    /// The one object that is printed. The verdict is that of the conclusion if there is one.
    pub fn object(&self, verdict: &str) -> serde_json::Value {
        let mut object = self.without_trace(verdict);
        if let Some(conclusion) = &self.conclusion {
            object["trace"] = conclusion.trace.clone();
        }
        object
    }

    /// The same, but for the run, of which there may be much.
    pub fn without_trace(&self, verdict: &str) -> serde_json::Value {
        let mut object = json!({
            "version": FORMAT,
            "tool": concat!("getafix ", env!("CARGO_PKG_VERSION")),
            "verdict": verdict,
            "targets": [],
            "trace": null,
            "answers": self.answers,
            "stats": self.stats,
            "reason": self.reason,
            "diagnostics": self.diagnostics,
        });
        if let Some(search) = &self.search {
            object["search"] = search.clone();
        }
        if let Some(run) = &self.run {
            object["run"] = run.clone();
            if verdict == "unknown" {
                object["reason"] = run["ended"]["why"].clone();
            }
        }
        if let Some(conclusion) = &self.conclusion {
            object["targets"] = json!(conclusion.targets);
            let entry =
                |(what, reason): &(Missing, String)| json!({ "what": missing_word(*what), "reason": reason });
            object["unfinished"] = conclusion.unfinished.iter().map(entry).collect();
            if !conclusion.further.is_empty() {
                object["further_traces"] = json!(conclusion.further);
            }
            if !conclusion.derivation.is_empty() {
                object["derivation"] = json!(conclusion.derivation);
            }
            if let Some(engine) = &conclusion.engine {
                object["engine"] = json!(engine);
            }
            if let Some(finite_runs) = &conclusion.finite_runs {
                object["finite_runs"] = finite_runs.clone();
            }
            if let Some(Within { kind, number, least, every_bound, unreachable_within }) = &conclusion.within
            {
                object["bound"] = json!({ "kind": kind, "number": number });
                object["least"] = json!(least);
                object["every_bound"] = json!(every_bound);
                object["unreachable_within"] = json!(unreachable_within);
            }
            if let Some(about) = &conclusion.about {
                object["about"] = json!(about);
            }
            if let Some(integers) = &conclusion.integers {
                object["integers"] = integers.clone();
                object["proof"] = conclusion.proof.clone().unwrap_or_default();
            }
            if verdict != "error" {
                object["verdict"] = json!(conclusion.verdict);
                object["reason"] = json!(conclusion.reason);
            }
        }
        object
    }
}

/// One entry of `answers`; commands about programs have none.
pub fn answer(subject: &Subject, value: &Value) -> Option<serde_json::Value> {
    if subject.directive == answer::PROGRAM {
        return None;
    }
    let mut entry = Map::new();
    entry.insert("directive".to_owned(), json!(subject.directive.trim_start_matches('#')));
    if let Some(relation) = &subject.relation {
        entry.insert("relation".to_owned(), json!(relation));
    }
    entry.insert("file".to_owned(), json!(subject.place.0));
    entry.insert("line".to_owned(), json!(subject.place.1));
    let (key, value) = match value {
        Value::Truth(truth) => ("value", json!(truth)),
        Value::Number(digits) => ("value", number(digits)),
        Value::Text(text) | Value::Lines(text) => ("text", json!(text)),
        Value::File(name) => ("file_name", json!(name)),
        Value::Valuation(valuation) => ("valuation", valuation.as_deref().map_or(json!(null), pairs)),
        Value::Certificate(relations) => ("certificate", certificate(relations)),
        Value::Derivation(steps) => {
            ("derivation", steps.as_ref().map_or(json!(null), |s| s.iter().map(step).collect()))
        }
        Value::List(list) => ("list", table(list)),
        Value::Unknown(reason) => ("unknown", json!(reason)),
    };
    entry.insert(key.to_owned(), value);
    Some(serde_json::Value::Object(entry))
}

/// One entry of `diagnostics`.
pub fn diagnostic(sources: &Sources, diagnostic: &Diagnostic) -> serde_json::Value {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let place = |span: Option<base::Span>| match span {
        Some(span) => {
            let (line, column) = sources.line_column(span);
            json!({ "file": sources.file(span.file).name, "line": line, "column": column })
        }
        None => json!(null),
    };
    let notes: Vec<_> = diagnostic
        .notes
        .iter()
        .map(|(text, span)| json!({ "message": text, "place": place(*span) }))
        .collect();
    json!({
        "severity": severity,
        "message": diagnostic.message,
        "place": place(diagnostic.span),
        "notes": notes,
    })
}

/// The figures of a run; times only if asked for, since they differ between two runs.
///
/// What clauses have cost is told where figures are asked for.
pub fn statistics(statistics: &Statistics, clauses: &[ClauseFigures], times: Times) -> serde_json::Value {
    let relations: Vec<_> = statistics
        .relations
        .iter()
        .map(|relation| {
            let mut entry = json!({
                "relation": relation.relation,
                "rounds": relation.rounds,
                "keys": relation.keys,
                "nodes": relation.nodes,
            });
            if times == Times::Shown {
                entry["seconds"] = json!(relation.time.as_secs_f64());
            }
            entry
        })
        .collect();
    let mut object = json!({
        "relations": relations,
        "variables": statistics.variables,
        "nodes": statistics.nodes,
        "peak_nodes": statistics.peak_nodes,
        "collections": statistics.collections,
    });
    if times == Times::Shown {
        object["clauses"] = clauses.iter().map(clause).collect();
    }
    object
}

fn clause(of: &ClauseFigures) -> serde_json::Value {
    let ClauseFigures { relation, place: (file, line, column), text, runs, work } = of;
    json!({ "relation": relation, "file": file, "line": line, "column": column, "text": text, "runs": runs, "work": work })
}

/// What a view that has the answer knows of the program.
pub fn localised(figures: &LocalisedFigures) -> serde_json::Value {
    json!({
        "algorithm": figures.formula,
        "rounds": figures.n_rounds,
        "kept": figures.n_kept,
        "variables": figures.n_variables,
        "bits": figures.bits,
    })
}

/// The figures of a search of states.
pub fn searched(search: &SearchFigures, times: Times) -> serde_json::Value {
    let figures = &search.figures;
    let mut entry = json!({
        "states": figures.states,
        "entries": figures.entries,
        "edges": figures.edges,
        "checks": figures.checks,
        "words": figures.words,
        "bytes": figures.bytes,
    });
    if times == Times::Shown {
        entry["seconds"] = json!(search.time.as_secs_f64());
    }
    if let Some(sharing) = &figures.sharing {
        entry["sharing"] = shared(sharing);
    }
    entry
}

/// How a search was shared.
fn shared(sharing: &Sharing) -> serde_json::Value {
    json!({
        "workers": sharing.workers,
        "by": dealt(sharing),
        "rounds": sharing.rounds,
        "side_by_side": sharing.side_by_side,
        "letters": sharing.letters,
        "times_as_fast_at_most": sharing.at_most(),
    })
}

/// What was dealt to workers; nothing if one looked alone.
pub fn dealt(sharing: &Sharing) -> Option<&'static str> {
    (sharing.rounds > 0).then_some(match sharing.by {
        SharedBy::Entry => "entry",
        SharedBy::State => "state",
        SharedBy::Configuration => "configuration",
    })
}

/// Whether times are part of the statistics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Times {
    /// `--stats` was given.
    Shown,
    /// Two runs must print the same bytes.
    Hidden,
}

/// Names and values. That of a state is told in words, and part by part.
pub fn pairs(valuation: &[(String, Cell)]) -> serde_json::Value {
    let entry = |(name, value): &(String, Cell)| {
        let mut entry = json!({ "name": name, "value": value.to_string() });
        if let Cell::State(state) = value {
            entry["state"] = situation(state);
        }
        entry
    };
    valuation.iter().map(entry).collect()
}

/// The rows of a relation.
fn table(list: &List) -> serde_json::Value {
    let cell = |cell: &Cell| match cell {
        Cell::Any => json!(null),
        Cell::Value(value) => json!(value),
        Cell::State(state) => situation(state),
    };
    let row = |row: &Vec<Cell>| row.iter().map(cell).collect::<Vec<_>>();
    let mut table = json!({
        "columns": list.head,
        "rows": list.rows.iter().map(row).collect::<Vec<_>>(),
        "is_complete": !list.is_cut,
        "n_tuples": number(&list.n_tuples),
    });
    if list.values.iter().any(Option::is_some) {
        table["values"] = json!(list.values);
    }
    table
}

/// Where a state is, and the values of variables.
fn situation(state: &Situation) -> serde_json::Value {
    let values: Vec<_> =
        state.values.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect();
    let place = state.place.as_ref();
    json!({
        "function": place.map(|place| &place.function),
        "line": place.map(|place| place.line),
        "column": place.map(|place| place.column),
        "values": values,
    })
}

fn certificate(relations: &[Certified]) -> serde_json::Value {
    let holds = Certified::holds;
    let entry = |certified: &Certified| json!({ "relation": certified.relation, "clauses": certified.clauses, "holds": holds(certified) });
    let (holds, relations) = (relations.iter().all(holds), relations.iter().map(entry).collect::<Vec<_>>());
    json!({ "holds": holds, "relations": relations })
}

/// A step of a derivation.
pub fn step(step: &Step) -> serde_json::Value {
    json!({
        "fact": step.fact,
        "clause": step.clause.as_ref().map(|clause| clause.0),
        "place": step.clause.as_ref().map(|clause| &clause.1),
        "choice": pairs(&step.choice),
        "uses": step.basis.uses,
        "again": step.basis.again,
        "facts": step.basis.facts.iter().map(Ground::full_text).collect::<Vec<_>>(),
        "choices": choices(&step.basis),
    })
}

/// What is said of all values of some variables, for the first that matter.
fn choices(basis: &Basis) -> Vec<serde_json::Value> {
    let replies =
        basis.facts.iter().enumerate().flat_map(|(n, fact)| fact.replies.iter().map(move |reply| (n, reply)));
    let choice = |(fact, reply): (usize, &Reply)| {
        json!({
            "fact": fact,
            "choice": pairs(&reply.choice),
            "answer": pairs(&reply.answer),
            "uses": reply.basis.uses,
            "again": reply.basis.again,
            "facts": reply.basis.facts.iter().map(Ground::full_text).collect::<Vec<_>>(),
            "choices": choices(&reply.basis),
        })
    };
    replies.map(choice).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_object_has_every_key_even_when_empty() {
        let object = Report::default().object("evaluated");
        for key in ["version", "verdict", "targets", "trace", "stats", "reason", "answers"] {
            assert!(object.get(key).is_some(), "{key}");
        }
    }
}

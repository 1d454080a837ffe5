//! A run of an integer program as JSON: the shape of all runs, and its inputs.

use super::teller::Teller;
use crate::json::number;
use crate::trace::valuation;
use integers::account::{Account, Difference, Passage, Standing};
use integers::step::Frame;
use integers::trace::End;
use integers::{Place, TargetKind, Undefined};
use serde_json::{Value, json};

impl Teller<'_> {
    /// The object that `docs/output.schema.json` calls `trace`.
    pub fn object(&self, account: &Account) -> Value {
        let main = &self.program.function(self.program.main).name;
        let stack: Vec<Value> = account.last.frames.iter().map(|frame| self.frame(frame)).collect();
        let cycle = account.cycle.map(|cycle| {
            json!({
                "first": number(&cycle.first.to_string()),
                "last": number(&cycle.last.to_string()),
                "growth": cycle.growth,
            })
        });
        let passages = account.passages.iter().zip(&account.differences);
        let steps = passages.map(|(passage, difference)| self.entry(passage, difference, main));
        let mut object = json!({
            "n_steps": number(&account.n_steps.to_string()),
            "n_switches": 0,
            "inputs": account.inputs.iter().map(i128::to_string).collect::<Vec<String>>(),
            "globals": valuation(&self.globals(&account.start)),
            "threads": [{
                "thread": main, "copy": 0, "started_with": null, "private": [], "locals": [], "stack": stack,
            }],
            "not_started": [],
            "steps": steps.collect::<Vec<Value>>(),
            "cycle": cycle,
            "monitor": null,
            "goal": self.goal(account, main),
            "globals_at_end": valuation(&self.globals(&account.last.globals)),
            "objects_at_end": valuation(&self.last_objects(account)),
        });
        let objects = self.first_objects();
        if !objects.is_empty() {
            object["objects"] = Value::Array(objects);
        }
        object
    }

    /// A part of the run, with what is different after it.
    fn entry(&self, passage: &Passage, difference: &Difference, main: &str) -> Value {
        let mut entry = self.told(passage, main);
        let memory = self.became(difference);
        if !memory.is_empty() {
            entry["memory"] = Value::Array(memory);
        }
        if !matches!(passage, Passage::Step(_)) {
            let globals = difference.globals.iter().map(|(n, value)| (Place::Global(*n), *value));
            entry["globals"] = valuation(&self.valuation(self.program.main, globals));
        }
        if let Passage::Omitted { stack, .. } = passage {
            entry["stack"] = stack.0.iter().map(|standing| self.standing(standing)).collect();
        }
        entry
    }

    /// Where a function stands behind steps that are left out.
    fn standing(&self, of: &Standing) -> Value {
        let body = self.program.function(of.function);
        let span = of.edge.map_or(body.node(body.entry).span, |edge| body.edge(edge).span);
        let locals = of.locals.iter().map(|(n, value)| (Place::Local(*n), *value));
        json!({
            "function": body.name,
            "line": self.sources.line_column(span).0,
            "locals": valuation(&self.valuation(of.function, locals)),
        })
    }

    fn told(&self, passage: &Passage, main: &str) -> Value {
        let entry = |step: u64, depth: usize| {
            json!({
                "step": number(&step.to_string()), "thread": main, "copy": 0, "context": 1, "depth": depth,
            })
        };
        let span = |entry: &mut Value, kind: &str, first: u64, last: u64| {
            entry["kind"] = json!(kind);
            entry["first"] = number(&first.to_string());
            entry["last"] = number(&last.to_string());
        };
        match passage {
            Passage::Step(told) => {
                let mut entry = entry(told.number, told.step.depth);
                let statement = self.statement(told);
                entry["function"] = json!(self.program.function(told.step.function).name);
                entry["line"] = json!(statement.line);
                entry["column"] = json!(statement.column);
                entry["statement"] = json!(statement.text);
                self.effect(told).fill(&mut entry);
                entry
            }
            Passage::Again { first, last, back } => {
                let mut entry = entry(back.number, back.step.depth);
                self.effect(back).fill(&mut entry);
                span(&mut entry, "repeat", *first, *last);
                entry
            }
            Passage::Omitted { first, last, .. } => {
                let mut entry = entry(*last, 0);
                span(&mut entry, "omitted", *first, *last);
                entry
            }
        }
    }

    /// Where a function stands at the end.
    fn frame(&self, frame: &Frame) -> Value {
        let body = self.program.function(frame.function);
        let span = frame.calling.map_or(body.node(frame.node).span, |call| body.edge(call).span);
        let locals = (0..).map(Place::Local).zip(frame.locals.iter().copied());
        json!({
            "function": body.name,
            "line": self.sources.line_column(span).0,
            "locals": valuation(&self.valuation(frame.function, locals)),
        })
    }

    /// What is reached.
    fn goal(&self, account: &Account, main: &str) -> Value {
        let (kind, labels, span) = match account.end {
            End::Target(target) => {
                let target = &self.program.targets[target.index()];
                let (kind, labels) = match target.kind {
                    TargetKind::Label => ("label", vec![target.name.clone()]),
                    TargetKind::Assertion => ("assert", Vec::new()),
                    TargetKind::Call => ("call", vec![target.name.clone()]),
                    TargetKind::Overflow => ("overflow", Vec::new()),
                    TargetKind::Undefined => ("undefined", Vec::new()),
                };
                (kind, labels, target.span)
            }
            End::Undefined(why, function, edge) => {
                let kind = match why {
                    Undefined::Memory(_) => "memory",
                    Undefined::Overflow(_) => "overflow",
                    _ => "undefined",
                };
                (kind, Vec::new(), self.program.function(function).edge(edge).span)
            }
            _ => return json!(null),
        };
        let (line, column) = self.sources.line_column(span);
        let function = account.last.frames.last().map(|frame| &self.program.function(frame.function).name);
        json!({
            "kind": kind, "thread": main, "copy": 0, "function": function, "labels": labels,
            "line": line, "column": column,
        })
    }
}

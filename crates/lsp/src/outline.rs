//! What a text consists of.

use crate::analysis::{Analysis, Tree};
use crate::answer::Asked;
use crate::document::Document;
use base::{Span, cut};
use bp::ast::{Declaration, Function, Program, Unit};
use calculus::syntax::{Directive, File, ItemKind, Values};
use serde_json::{Value, json};

/// The numbers by which the protocol knows things in an outline.
mod kind {
    pub const MODULE: u32 = 2;
    pub const CLASS: u32 = 5;
    pub const FIELD: u32 = 8;
    pub const ENUM: u32 = 10;
    pub const FUNCTION: u32 = 12;
    pub const VARIABLE: u32 = 13;
    pub const CONSTANT: u32 = 14;
    pub const KEY: u32 = 20;
    pub const MEMBER: u32 = 22;
    pub const EVENT: u32 = 24;
}

/// `textDocument/documentSymbol`
pub fn outline(asked: &Asked) -> Value {
    let Some(analysis) = Analysis::new(asked.document, asked.workspace) else { return json!([]) };
    let page = Page { document: asked.document };
    json!(match &analysis.tree {
        Tree::Program(program) => page.program(program),
        Tree::Formula(_) => page.formula(&calculus::parse(&analysis.sources, analysis.file).0),
        Tree::Monitor(alone) => page.monitor(alone),
        Tree::C => Vec::new(),
    })
}

struct Page<'d> {
    document: &'d Document,
}

impl Page<'_> {
    /// A thing, its whole stretch, and its name, which is inside.
    fn symbol(&self, name: &str, kind: u32, whole: Span, at: Span, children: Vec<Value>) -> Value {
        // A thing without a name is shown as such, for the protocol wants one.
        let name = if name.is_empty() { "?" } else { name };
        let (range, place) = (self.document.span(whole.to(at)), self.document.span(at));
        json!({ "name": name, "kind": kind, "range": range, "selectionRange": place, "children": children })
    }

    fn program(&self, program: &Program) -> Vec<Value> {
        let mut found = self.unit(program, &program.unit);
        for thread in &program.threads {
            let whole = thread.head.to(thread.end);
            let children = self.unit(program, &thread.unit);
            found.push(self.symbol(
                program.text(thread.name),
                kind::MODULE,
                whole,
                thread.name.span,
                children,
            ));
        }
        found
    }

    fn unit(&self, program: &Program, unit: &Unit) -> Vec<Value> {
        let variables = unit.declarations.iter().filter_map(|declaration| match declaration {
            Declaration::Variables(variables) => Some(&variables.variables),
            Declaration::Init { .. } => None,
        });
        let variable = |variable: &bp::ast::Variable| {
            let name = variable.name;
            self.symbol(program.text(name), kind::VARIABLE, name.span, name.span, Vec::new())
        };
        let mut found: Vec<Value> = variables.flatten().map(variable).collect();
        found.extend(unit.functions.iter().map(|function| self.function(program, function)));
        found
    }

    fn function(&self, program: &Program, function: &Function) -> Value {
        let whole = function.head.to(function.end);
        let labels = function
            .body
            .iter()
            .flat_map(|statement| statement.labels.iter().map(move |label| (label, statement)));
        let label = |(label, statement): (&bp::ast::Name, &bp::ast::Statement)| {
            self.symbol(
                program.text(*label),
                kind::KEY,
                label.span.to(statement.span),
                label.span,
                Vec::new(),
            )
        };
        let children = labels.map(label).collect();
        self.symbol(program.text(function.name), kind::FUNCTION, whole, function.name.span, children)
    }

    fn formula(&self, file: &File) -> Vec<Value> {
        let mut found = Vec::new();
        for item in &file.items {
            let mut add = |name: calculus::syntax::Name, kind: u32, children: Vec<Value>| {
                found.push(self.symbol(file.text(name), kind, item.span, name.span, children));
            };
            match &item.kind {
                ItemKind::Enum(name, values) => {
                    let list = if let Values::Named(list) = values { &list[..] } else { &[] };
                    let child = |value: &calculus::syntax::Name| {
                        self.symbol(file.text(*value), kind::MEMBER, value.span, value.span, Vec::new())
                    };
                    add(*name, kind::ENUM, list.iter().map(child).collect());
                }
                ItemKind::Class { name, members, .. } => {
                    let child = |member: &calculus::syntax::Declaration| {
                        let whole = member.type_name.span().to(member.name.span);
                        self.symbol(file.text(member.name), kind::FIELD, whole, member.name.span, Vec::new())
                    };
                    add(*name, kind::CLASS, members.iter().map(child).collect());
                }
                ItemKind::Function { name, .. } => add(*name, kind::FUNCTION, Vec::new()),
                ItemKind::Directive(Directive::Param(name, _)) => add(*name, kind::CONSTANT, Vec::new()),
                ItemKind::Query(_) => {
                    let text = &self.document.text()
                        [item.span.start as usize..(item.span.end as usize).min(self.document.text().len())];
                    let shown: Vec<&str> = text.split_whitespace().take(30).collect();
                    found.push(self.symbol(
                        &cut(shown.join(" ").trim_end_matches(';')),
                        kind::EVENT,
                        item.span,
                        item.span,
                        Vec::new(),
                    ));
                }
                ItemKind::Directive(_) => {}
            }
        }
        found
    }

    fn monitor(&self, alone: &bp::monitor::Alone) -> Vec<Value> {
        let text = |span: Span| &self.document.text()[span.start as usize..span.end as usize];
        let states = alone
            .states
            .iter()
            .map(|(name, whole)| self.symbol(text(*name), kind::KEY, *whole, *name, Vec::new()));
        let states: Vec<Value> = states.collect();
        let monitor = alone.names.occurrences().first();
        let whole = alone.states.iter().map(|state| state.1).reduce(Span::to);
        monitor.map_or_else(Vec::new, |name| {
            let whole = whole.map_or(name.span, |whole| name.span.to(whole));
            vec![self.symbol(text(name.span), kind::MODULE, whole, name.span, states)]
        })
    }
}

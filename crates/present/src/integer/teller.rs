//! What a step of an integer program does, in the words of the text that it comes from.

use super::memory::parts;
use crate::trace::{Assignment, Effect, Holder, Row, Statement};
use base::{Sources, Span};
use integers::account::Told;
use integers::objects::Objects;
use integers::trace::{End, Event, TraceStep};
use integers::{
    Action, Edge, EdgeId, Effects, Expr, Function, FunctionId, Input, InputKind, Op, Place, Program,
    Relation, Step, TargetKind, Type, Value, Variable, show_expr,
};

/// Knows a program and its text.
#[derive(Clone, Copy)]
pub struct Teller<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its text.
    pub sources: &'a Sources,
    /// The objects of a run, if there is one, for their names.
    pub objects: Option<&'a Objects>,
}

impl Teller<'_> {
    /// The statement of an edge.
    pub fn statement_of(&self, function: FunctionId, edge: EdgeId) -> Statement {
        let body = self.program.function(function);
        let edge = body.edge(edge);
        let keyword = if is_test(body, edge) { self.keyword(edge.span) } else { None };
        self.statement_at(edge.span, keyword)
    }

    /// The statement at a place, without its semicolon; of a `switch` only what it is about.
    fn statement_at(&self, span: Span, keyword: Option<&str>) -> Statement {
        let text = self.sources.text(span);
        let shown = match text.find('{') {
            Some(at) if text.starts_with("switch") => &text[..at],
            _ => text.trim_end_matches(';'),
        };
        let shown = Span::new(span.file, span.start as usize..span.start as usize + shown.len());
        Statement::at(self.sources, shown, keyword)
    }

    /// The statement of a step.
    pub fn statement(&self, told: &Told) -> Statement {
        let function = told.step.function;
        let edge = match told.step.event {
            Event::Taken(edge) => Some(edge),
            Event::Returned => told.by,
        };
        let body = self.program.function(function);
        let at_exit = || self.statement_at(body.node(body.exit).span, None);
        edge.map_or_else(at_exit, |edge| self.statement_of(function, edge))
    }

    /// What a step does.
    pub fn effect(&self, told: &Told) -> Effect {
        let step = &told.step;
        let Event::Taken(id) = step.event else { return self.back(told) };
        let body = self.program.function(step.function);
        let edge = body.edge(id);
        match &edge.action {
            Action::Manage(manage) => {
                let mut changes = self.managed(manage, step);
                changes.extend(self.valuation(step.function, step.stored.iter().copied()));
                if changes.is_empty() { Effect::None } else { Effect::Assign { changes, chosen: Vec::new() } }
            }
            Action::Call { callee, .. } => Effect::Call {
                function: self.program.function(*callee).name.clone(),
                arguments: self.valuation(*callee, step.stored.iter().copied()),
                locals: Vec::new(),
                chosen: Vec::new(),
            },
            Action::Step(_) if is_test(body, edge) => self.test(step.function, body, id),
            Action::Step(action) => {
                let mut changes = self.inputs(step, action);
                changes.extend(self.stores(step));
                changes.extend(self.valuation(step.function, step.stored.iter().copied()));
                if changes.is_empty() { Effect::None } else { Effect::Assign { changes, chosen: Vec::new() } }
            }
        }
    }

    /// One of several ways.
    fn test(&self, function: FunctionId, body: &Function, id: EdgeId) -> Effect {
        let edge = body.edge(id);
        let ways: Vec<EdgeId> = body.edges_from(edge.from).map(|(id, _)| id).collect();
        if let [yes, _] = ways[..] {
            return Effect::Test { value: yes == id, is_chosen: false };
        }
        let Action::Step(step) = &edge.action else { return Effect::None };
        let label = match step.guard.code() {
            [Op::Read(_), Op::Constant(number), Op::Compare(Relation::Equal)] => format!("case {number}"),
            _ if ways.last() == Some(&id) => "default".to_owned(),
            _ => show_expr(self.program, function, &step.guard, Some(step)),
        };
        Effect::Jump { label }
    }

    /// The effect of a return: what the caller stores, or the result, if it goes on being computed with.
    fn back(&self, told: &Told) -> Effect {
        let Some(caller) = told.caller else { return Effect::None };
        let step = &told.step;
        let mut changes = self.valuation(caller, step.stored.iter().copied());
        if let ([], [(_, value)]) = (&changes[..], &step.stored[..]) {
            let callee = self.program.function(step.function);
            let name = format!("{}()", callee.name);
            let ty = callee.result.map_or(Type::signed(64), |n| callee.locals[n as usize].ty);
            let value = self.value(ty, *value);
            changes.push(Assignment { name, value, function: None, of: Holder::Nothing, to: None });
        }
        let function = self.program.function(caller).name.clone();
        Effect::Return { function, changes, chosen: Vec::new() }
    }

    /// What was chosen, where no variable shows it.
    fn inputs(&self, step: &TraceStep, action: &Step) -> Vec<Assignment> {
        let is_told = |n: u32| {
            let stored = action.updates.iter().find(|(_, value)| *value == Expr::leaf(Op::Input(n)));
            stored.is_some_and(|(place, _)| self.is_named(step.function, *place))
        };
        let hidden = step.inputs.iter().zip(0..).filter(|(_, n)| !is_told(*n));
        let assignment = |((input, number), _): (&(integers::InputId, i128), u32)| {
            let Input { name, kind, .. } = self.program.input(*input);
            let name = match kind {
                InputKind::Read => format!("{name}()"),
                InputKind::Uninitialised => name.clone(),
            };
            Assignment { name, value: number.to_string(), function: None, of: Holder::Nothing, to: None }
        };
        hidden.map(assignment).collect()
    }

    /// Variables of the text with their values.
    pub fn valuation(
        &self,
        function: FunctionId,
        stored: impl Iterator<Item = (Place, Value)>,
    ) -> Vec<Assignment> {
        let named = stored.filter(|(place, _)| self.is_named(function, *place));
        let assignment = |(place, value): (Place, Value)| Assignment {
            name: self.program.variable(function, place).name.clone(),
            value: self.value(self.program.variable(function, place).ty, value),
            function: matches!(place, Place::Local(_)).then(|| self.program.function(function).name.clone()),
            of: self.holder(function, place),
            to: pointed(self.program.variable(function, place).ty, value),
        };
        named.map(assignment).collect()
    }

    /// Which of several variables of one name it is.
    fn holder(&self, function: FunctionId, place: Place) -> Holder {
        let variables = |places: u32, of: fn(u32) -> Place| {
            (0..places).map(move |n| self.program.variable(function, of(n)))
        };
        let (own, all): (u32, Vec<&Variable>) = match place {
            Place::Local(n) => {
                (n, variables(self.program.function(function).locals.len() as u32, Place::Local).collect())
            }
            Place::Global(n) => (n, variables(self.program.globals.len() as u32, Place::Global).collect()),
        };
        let variable = all[own as usize];
        let others = (0..).zip(&all).filter(|(n, other)| *n != own && other.name == variable.name);
        let others: Vec<(usize, usize)> =
            others.map(|(_, other)| self.sources.line_column(other.span)).collect();
        let (line, column) = self.sources.line_column(variable.span);
        match () {
            () if others.is_empty() => Holder::Variable,
            () if others.iter().all(|other| other.0 != line) => Holder::Declared(line.to_string()),
            () if !others.contains(&(line, column)) => Holder::Declared(format!("{line}:{column}")),
            () => Holder::Declared(format!("{line}:{column}, {own}")),
        }
    }

    /// The globals that the program uses, with these values.
    pub fn globals(&self, values: &[Value]) -> Vec<Assignment> {
        let (main, effects) = (self.program.main, Effects::new(self.program));
        let is_used = |n: u32| effects.may_read(main, n) || effects.may_write(main, n);
        let places = (0..).zip(values).filter(|(n, _)| is_used(*n));
        self.valuation(main, places.map(|(n, value)| (Place::Global(n), *value)))
    }

    fn is_named(&self, function: FunctionId, place: Place) -> bool {
        !self.program.variable(function, place).name.starts_with('$')
    }

    /// The row of what a run ends with, unless that is the end of `main`.
    pub fn end(&self, end: End, depth: usize) -> Option<Row> {
        let (span, effect) = match end {
            End::Target(target) => {
                let target = &self.program.targets[target.index()];
                let effect = match target.kind {
                    TargetKind::Call => format!("{} is called", target.name),
                    TargetKind::Label => format!("{} reached", target.name),
                    TargetKind::Assertion => "assertion fails".to_owned(),
                    TargetKind::Overflow => "overflow".to_owned(),
                    TargetKind::Undefined => "undefined".to_owned(),
                };
                (target.span, effect)
            }
            End::Undefined(undefined, function, edge) => {
                (self.program.function(function).edge(edge).span, undefined.to_string())
            }
            End::Unknown(unknown) => {
                let unknown = &self.program.unknowns[unknown.index()];
                (unknown.span, format!("{} is unknown", unknown.construct))
            }
            End::NoInput(input) => (self.program.input(input).span, "there is no input left".to_owned()),
            End::Blocked(function, node) => {
                (self.program.function(function).node(node).span, "no step can be taken".to_owned())
            }
            End::Returned | End::Stopped | End::StepLimit => return None,
        };
        let Statement { file, line, text, .. } = self.statement_at(span, None);
        Some(Row { file, line: Some(line), depth, statement: text, effect, ..Row::default() })
    }

    /// The word before a condition.
    fn keyword(&self, span: Span) -> Option<&'static str> {
        let before = self.sources.file(span.file).text.get(..span.start as usize)?;
        // A condition may have brackets of its own.
        let is_bracket = |letter: char| letter == '(' || letter.is_whitespace();
        let before = before.trim_end().strip_suffix('(')?.trim_end_matches(is_bracket);
        let word = ["if", "while", "switch"].into_iter().find(|word| before.ends_with(word))?;
        let rest = &before[..before.len() - word.len()];
        (!rest.ends_with(|letter: char| letter.is_alphanumeric() || letter == '_')).then_some(word)
    }
}

/// The number of the object that a value points to.
fn pointed(ty: Type, value: Value) -> Option<i64> {
    match value {
        Value::Number(number) if ty == Type::POINTER => Some(parts(number).0).filter(|object| *object > 0),
        _ => None,
    }
}

/// One of several ways on from a point.
fn is_test(body: &Function, edge: &Edge) -> bool {
    matches!(&edge.action, Action::Step(step) if step.guard.as_truth() != Some(true))
        && body.edges_from(edge.from).nth(1).is_some()
}

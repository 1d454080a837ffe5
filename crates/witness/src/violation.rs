//! A run as waypoints: what each input was, and where the property is violated.
//!
//! Inputs decide everything, so that no other waypoints are needed. A run without end passes those of its cycle again and again.

use crate::model::{Action, Location, Segment, Text, Waypoint, WaypointKind};
use crate::place::Map;
use base::Span;
use c::{SiteKind, Spot};
use integers::account::{Account, Cycle, Numbering};
use integers::step::Configuration;
use integers::trace::{End, Event, Manner, TraceStep, walk_from};
use integers::{Action as Doing, EdgeId, FunctionId, Goal, InputKind, Integers, NodeId, Place};
use std::collections::HashMap;
use std::ops::ControlFlow;

/// The run that a witness tells of.
#[derive(Clone, Debug)]
pub enum Run<'a> {
    /// One that was told.
    Told(&'a Account),
    /// One that goes on for ever if each input is the same number each time: the numbers.
    Endless(&'a [(integers::InputId, i128)]),
}

/// More waypoints than these are left out: a witness with fewer is right as well.
const MOST: usize = 5_000;

/// Steps of a run without end that are looked at for a place it comes back to.
const LOOKED_AT: u64 = 20_000;

/// The segments of a run; nothing if there is no place to name.
pub fn violation(map: &Map, run: &Run) -> Option<Vec<Segment>> {
    let (max_steps, cycle) = match run {
        Run::Told(account) => (u64::MAX, account.cycle),
        Run::Endless(_) => (LOOKED_AT, None),
    };
    let mut story = Story::new(map, cycle);
    let mut configuration = Configuration::start(map.program);
    let mut numbers = match run {
        Run::Told(account) => account.inputs.clone(),
        Run::Endless(_) => Vec::new(),
    }
    .into_iter();
    let mut choose = |input: &integers::Input| match run {
        Run::Told(_) => numbers.next(),
        Run::Endless(fixed) => {
            let same = |(id, _): &&(integers::InputId, i128)| std::ptr::eq(map.program.input(*id), input);
            fixed.iter().find(same).map(|(_, number)| *number)
        }
    };
    // The machine's run is the same up to where it overflows, and that is what may be looked for.
    let manner = Manner { integers: Integers::Machine, goal: Goal::Any, max_steps };
    let end = walk_from(map.program, &mut configuration, &mut choose, manner, &mut |step, after| {
        story.hear(&step, after);
        let is_over = cycle.is_some_and(|cycle| story.numbering.n_steps() >= cycle.last);
        if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    match (run, end) {
        (Run::Endless(_), _) => story.recurring(),
        (Run::Told(_), _) if cycle.is_some() => story.lasso(),
        (Run::Told(_), End::Target(target)) => {
            let target = &map.program.targets[target.index()];
            let function = configuration.frames.last()?.function;
            Some(story.to(map.location(map.statement_around(target.span), function)))
        }
        (Run::Told(_), End::Undefined(_, function, edge)) => {
            let span = map.program.function(function).edge(edge).span;
            Some(story.to(map.location(map.statement_around(span), function)))
        }
        _ => None,
    }
}

struct Story<'a> {
    map: &'a Map<'a>,
    numbering: Numbering<'a>,
    cycle: Option<Cycle>,
    /// What was passed, and by which step.
    passed: Vec<(u64, Waypoint)>,
    /// Variables that nothing was stored in, as they are from here on, up to a statement at which they have a name: how many functions wait for theirs,
    /// the variable, the number.
    pending: Vec<(usize, Place, i128)>,
    /// Statements by the edges and nodes at which they begin.
    behind: HashMap<(FunctionId, EdgeId), Span>,
    at: HashMap<(FunctionId, NodeId), Span>,
    /// Statements that begin, the last ones, with the number of the step.
    begun: Vec<(u64, FunctionId, Span)>,
}

impl<'a> Story<'a> {
    fn new(map: &'a Map<'a>, cycle: Option<Cycle>) -> Self {
        let (mut behind, mut at) = (HashMap::new(), HashMap::new());
        for site in &map.sites.all {
            match &site.kind {
                SiteKind::Statement(Spot::Behind(edges)) => {
                    edges.iter().for_each(|edge| _ = behind.insert((site.function, *edge), site.span));
                }
                SiteKind::Statement(Spot::Node(node)) => _ = at.insert((site.function, *node), site.span),
                _ => {}
            }
        }
        let numbering = Numbering::new(map.program);
        Self { map, numbering, cycle, passed: Vec::new(), pending: Vec::new(), behind, at, begun: Vec::new() }
    }

    fn hear(&mut self, step: &TraceStep, after: &Configuration) {
        self.numbering.tell(step, after);
        let number = self.numbering.n_steps();
        let Event::Taken(edge) = step.event else {
            self.pending.retain(|(depth, ..)| *depth < step.depth);
            return;
        };
        self.pending.retain(|(depth, place, _)| {
            *depth != step.depth || !step.stored.iter().any(|(stored, _)| stored == place)
        });
        for &(input, value) in &step.inputs {
            self.input(number, step, edge, input, value);
        }
        let node = after.frames.last().map(|frame| (frame.function, frame.node));
        let begins = self.behind.get(&(step.function, edge)).map(|span| (step.function, *span));
        let begins = begins.or_else(|| node.and_then(|key| self.at.get(&key).map(|span| (key.0, *span))));
        if let Some((function, span)) = begins {
            self.begin(number, function, span, after);
        }
    }

    fn input(&mut self, number: u64, step: &TraceStep, edge: EdgeId, input: integers::InputId, value: i128) {
        let asked = self.map.program.input(input);
        let function = self.map.program.function(step.function);
        let Doing::Step(action) = &function.edge(edge).action else { return };
        let Some((place, _)) = action.updates.first() else { return };
        // The arguments of `main` are those of the first function of the text.
        let is_start = function.name.starts_with('$');
        if asked.kind == InputKind::Uninitialised || is_start {
            self.pending.push((step.depth + usize::from(is_start), *place, value));
            return;
        }
        let closing = Span { start: asked.span.end.saturating_sub(1).max(asked.span.start), ..asked.span };
        let constraint = Some(Text::new(format!("\\result == {}", literal(value))));
        self.pass(
            number,
            WaypointKind::FunctionReturn,
            self.map.location(closing, step.function),
            constraint,
        );
    }

    /// A statement begins.
    fn begin(&mut self, number: u64, function: FunctionId, span: Span, after: &Configuration) {
        let depth = after.frames.len().saturating_sub(1);
        let mut known = Vec::new();
        self.pending.retain(|&(waiting, place, value)| {
            let name = (waiting == depth).then(|| self.map.name(function, span, place)).flatten();
            known.extend(name.as_ref().map(|(name, _)| format!("{name} == {}", literal(value))));
            name.is_none()
        });
        if !known.is_empty() {
            let constraint = Some(Text::new(known.join(" && ")));
            self.pass(number, WaypointKind::Assumption, self.map.location(span, function), constraint);
        }
        self.begun.push((number, function, span));
        if self.begun.len() > 2 * LOOKED_AT as usize {
            self.begun.drain(..LOOKED_AT as usize);
        }
    }

    fn pass(&mut self, number: u64, kind: WaypointKind, location: Location, constraint: Option<Text>) {
        if self.passed.len() < MOST {
            self.passed.push((number, Waypoint { kind, action: Action::Follow, location, constraint }));
        }
    }

    fn to(self, location: Location) -> Vec<Segment> {
        let target =
            Waypoint { kind: WaypointKind::Target, action: Action::Follow, location, constraint: None };
        let passed = self.passed.into_iter().map(|(_, waypoint)| waypoint).chain([target]);
        passed.map(|waypoint| Segment { waypoints: vec![waypoint] }).collect()
    }

    /// The waypoints before the cycle, and those of it; if it has none, a statement of it.
    fn lasso(mut self) -> Option<Vec<Segment>> {
        let first = self.cycle?.first;
        if !self.passed.iter().any(|(number, _)| *number >= first) {
            let (number, function, span) = *self.begun.iter().rev().find(|(number, ..)| *number >= first)?;
            let location = self.map.location(span, function);
            self.pass(number, WaypointKind::Assumption, location, Some(Text::new("1")));
        }
        Some(segments(self.passed, first))
    }

    /// A run of which no cycle is known: the inputs up to where it is inside of what it does for ever, and a statement that it comes back to.
    fn recurring(mut self) -> Option<Vec<Segment>> {
        let half = self.begun.len() / 2;
        let late = self.begun.get(half..)?;
        let often = |span: Span| late.iter().filter(|(.., other)| *other == span).count();
        let &(number, function, span) = late.iter().take(64).max_by_key(|(.., span)| often(*span))?;
        // Inputs are the same each time: those of the first times tell them all.
        let mut seen: Vec<(u32, Option<u32>)> = Vec::new();
        self.passed.retain(|(_, waypoint)| {
            let at = (waypoint.location.line, waypoint.location.column);
            let is_new = !seen.contains(&at);
            seen.push(at);
            is_new
        });
        let location = self.map.location(span, function);
        self.passed.truncate(MOST - 1);
        self.pass(number, WaypointKind::Assumption, location, Some(Text::new("1")));
        let last = self.passed.len() - 1;
        self.passed[last].0 = u64::MAX;
        Some(segments(self.passed, u64::MAX))
    }
}

fn segments(passed: Vec<(u64, Waypoint)>, first: u64) -> Vec<Segment> {
    let segment = |(number, mut waypoint): (u64, Waypoint)| {
        if number >= first {
            waypoint.action = Action::Cycle;
        }
        Segment { waypoints: vec![waypoint] }
    };
    passed.into_iter().map(segment).collect()
}

/// A number as C writes it.
fn literal(number: i128) -> String {
    match number {
        n if n == i128::from(i64::MIN) => "(-9223372036854775807 - 1)".to_owned(),
        n if i64::try_from(n).is_ok() => n.to_string(),
        n => format!("{n}ULL"),
    }
}

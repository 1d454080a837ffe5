//! What a witness says, as part of the program.
//!
//! [`Product::of_violation`] counts the segments that a run has passed, in a variable of its own, and lets it reach the target where all of them are.
//! [`Product::of_facts`] has a target for each invariant, which is reached where it does not hold.

use crate::contract::contract;
use crate::hooks::{Point, Way, add, sort};
use crate::model::{Action, Fact, Location, Segment, Text, Waypoint, WaypointKind};
use crate::place::Map;
use base::{Diagnostic, Span};
use c::{Meaning, Outcome, SiteKind, condition};
use integers::{
    Action as Doing, Expr, FunctionId, Global, Op, Place, Program, Relation, Role, Start, Target, TargetId,
    TargetKind, Type, Variable,
};
use std::collections::BTreeMap;

/// Why a witness does not become part of the program.
#[derive(Clone, Debug)]
pub enum Mismatch {
    /// An expression is none.
    Malformed(Box<Diagnostic>),
    /// There is nothing of the kind in the program: what, and where.
    Missing(String),
    /// It is there, but not represented: what, and where.
    Unrepresented(String),
}

/// A program that follows a witness.
#[derive(Clone, Debug)]
pub struct Product {
    /// The program.
    pub program: Program,
    /// The variable that counts the segments that have been passed.
    pub count: Option<u32>,
    /// The targets: each with the fact that it violates, by position.
    pub targets: Vec<(TargetId, usize)>,
    /// Facts that are not checked, with the reason.
    pub unchecked: Vec<String>,
}

/// What a waypoint asks at a point.
#[derive(Clone, Debug)]
struct Hook {
    segment: usize,
    action: Action,
    formula: Expr,
    span: Span,
}

impl Product {
    /// The product with the segments of a violation. It reaches no target by itself: see [`Product::aim`].
    pub fn of_violation(map: &Map, segments: &[Segment]) -> Result<Self, Mismatch> {
        let mut hooks: BTreeMap<Point, Vec<Hook>> = BTreeMap::new();
        for (n, segment) in segments.iter().enumerate() {
            for waypoint in segment.waypoints.iter().filter(|waypoint| waypoint.kind != WaypointKind::Target)
            {
                for (point, formula) in points(map, waypoint)? {
                    let span =
                        waypoint.constraint.as_ref().and_then(|text| text.span).or(waypoint.location.span);
                    let span = span.unwrap_or(map.program.function(point.function()).span);
                    hooks.entry(point).or_default().push(Hook {
                        segment: n,
                        action: waypoint.action,
                        formula,
                        span,
                    });
                }
            }
        }
        let mut program = map.program.clone();
        let count = program.globals.len() as u32;
        let span = program.function(program.main).span;
        let variable = Variable { name: "$segment".to_owned(), ty: Type::signed(32), span };
        program.globals.push(Global { variable, start: Start::Number(0) });
        let is_cycle =
            |segment: &Segment| segment.waypoints.iter().any(|waypoint| waypoint.action == Action::Cycle);
        let first = segments.iter().position(is_cycle);
        let next = |n: usize| if n + 1 == segments.len() { first.unwrap_or(n + 1) } else { n + 1 };
        for (point, hooks) in hooks {
            add(&mut program, point, ways(count, &hooks, &next));
        }
        sort(&mut program);
        Ok(Self { program, count: Some(count), targets: Vec::new(), unchecked: Vec::new() })
    }

    /// The targets at a location count, for runs that have passed all segments but the last; others end a run. Overflows may have been made targets
    /// before.
    pub fn aim(&mut self, map: &Map, location: &Location, n_segments: usize) -> bool {
        let Some(count) = self.count else { return false };
        let is_meant: Vec<bool> =
            self.program.targets.iter().map(|target| map.is_at(location, target.span)).collect();
        let mut points = Vec::new();
        for (f, function) in self.program.functions.iter_mut().enumerate() {
            let mut goes_on = vec![false; function.nodes.len()];
            function.edges.iter().for_each(|edge| goes_on[edge.from.index()] = true);
            for (n, node) in function.nodes.iter_mut().enumerate() {
                let Role::Target(target) = node.role else { continue };
                node.role = if goes_on[n] { Role::Plain } else { Role::Stop };
                if is_meant[target.index()] {
                    points.push((Point::At(FunctionId::new(f), integers::NodeId::new(n)), target, node.span));
                }
            }
        }
        let passed = |relation| {
            Expr::read(Place::Global(count)).compare(relation, Expr::constant(n_segments as i128 - 1))
        };
        for &(point, target, span) in &points {
            let reached = Way {
                guard: passed(Relation::Equal),
                updates: Vec::new(),
                end: Some(Role::Target(target)),
                span,
            };
            let not_yet = Way { guard: passed(Relation::NotEqual), updates: Vec::new(), end: None, span };
            add(&mut self.program, point, vec![reached, not_yet]);
        }
        sort(&mut self.program);
        !points.is_empty()
    }

    /// The program with a target for each fact.
    pub fn of_facts(map: &Map, facts: &[Fact]) -> Result<Self, Mismatch> {
        let mut product =
            Self { program: map.program.clone(), count: None, targets: Vec::new(), unchecked: Vec::new() };
        let mut checks: BTreeMap<Point, Vec<(TargetId, Expr, Span)>> = BTreeMap::new();
        let mut added: Vec<(Point, Vec<Way>)> = Vec::new();
        for (n, fact) in facts.iter().enumerate() {
            let target = TargetId::new(product.program.targets.len());
            let location = match fact {
                Fact::Invariant { is_loop, location, value } => {
                    match invariant_points(map, *is_loop, location, value) {
                        Ok(points) => {
                            let span = value.span.unwrap_or(map.program.function(map.program.main).span);
                            for (point, formula) in points {
                                checks.entry(point).or_default().push((target, formula, span));
                            }
                        }
                        Err(Mismatch::Unrepresented(what)) => {
                            product.unchecked.push(what);
                            continue;
                        }
                        Err(mismatch) => return Err(mismatch),
                    }
                    location
                }
                Fact::Contract { location, requires, ensures } => {
                    added.extend(contract(map, &mut product.program, location, (requires, ensures), target)?);
                    location
                }
                Fact::Other(kind) => {
                    product.unchecked.push(format!("what is of the type `{}`", kind.value));
                    continue;
                }
            };
            product.add_target(map, location, target, n);
        }
        checks.into_iter().for_each(|(point, checks)| added.push((point, check(checks))));
        added.into_iter().for_each(|(point, ways)| add(&mut product.program, point, ways));
        sort(&mut product.program);
        Ok(product)
    }

    fn add_target(&mut self, map: &Map, location: &Location, target: TargetId, fact: usize) {
        let function = location.function.clone().unwrap_or_default();
        let span = location.span.unwrap_or(map.program.function(map.program.main).span);
        let name = format!("what is said about line {}", location.line);
        self.program.targets.push(Target { kind: TargetKind::Assertion, name, function, span });
        self.targets.push((target, fact));
    }
}

/// Where formulas hold a run goes on; the first that does not hold is the one that is violated.
fn check(checks: Vec<(TargetId, Expr, Span)>) -> Vec<Way> {
    let mut holds = Expr::truth(true);
    let mut ways = Vec::new();
    for (target, formula, span) in checks {
        let guard = holds.clone().and(formula.clone().not());
        ways.push(Way { guard, updates: Vec::new(), end: Some(Role::Target(target)), span });
        holds = holds.and(formula);
    }
    let span = ways[0].span;
    ways.insert(0, Way { guard: holds, updates: Vec::new(), end: None, span });
    ways
}

/// What a run may do at a point, by the number of segments that it has passed.
fn ways(count: u32, hooks: &[Hook], next: &dyn Fn(usize) -> usize) -> Vec<Way> {
    let counted = || Expr::read(Place::Global(count));
    let mut segments: Vec<usize> = hooks.iter().map(|hook| hook.segment).collect();
    segments.sort_unstable();
    segments.dedup();
    let span = hooks[0].span;
    let mut ways = Vec::new();
    let mut others = Expr::truth(true);
    for segment in segments {
        let is_here = |relation| counted().compare(relation, Expr::constant(segment as i128));
        others = others.and(is_here(Relation::NotEqual));
        let mut guard = is_here(Relation::Equal);
        let mut updates = Vec::new();
        let mut shown = span;
        for hook in hooks.iter().filter(|hook| hook.segment == segment) {
            shown = hook.span;
            match hook.action {
                Action::Avoid => guard = guard.and(hook.formula.clone().not()),
                Action::Follow | Action::Cycle => {
                    guard = guard.and(hook.formula.clone());
                    updates = vec![(Place::Global(count), Expr::constant(next(segment) as i128))];
                }
            }
        }
        ways.push(Way { guard, updates, end: None, span: shown });
    }
    ways.push(Way { guard: others, updates: Vec::new(), end: None, span });
    ways
}

fn missing(what: &str, location: &Location) -> Mismatch {
    let column = location.column.map_or_else(String::new, |column| format!(", column {column}"));
    Mismatch::Missing(format!("there is no {what} on line {}{column}", location.line))
}

/// The same of something that a sign tells of: if the sign is there, it is not represented.
fn missing_sign(map: &Map, what: &str, location: &Location, sign: char) -> Mismatch {
    let line = map.sources.file(map.file).text.lines().nth(location.line as usize - 1).unwrap_or("");
    let is_there = match location.column {
        Some(column) => line.chars().nth(column as usize - 1) == Some(sign),
        None => line.contains(sign),
    };
    if is_there { unrepresented(what, location) } else { missing(what, location) }
}

fn unrepresented(what: &str, location: &Location) -> Mismatch {
    Mismatch::Unrepresented(format!("the {what} on line {} is no point of the program", location.line))
}

/// A formula of C at some places of a function.
fn formula(
    map: &Map,
    text: &Text,
    function: FunctionId,
    at: &[Span],
    result: Option<(Place, Type)>,
) -> Result<Expr, Mismatch> {
    let place = text.span.unwrap_or(map.program.function(function).span);
    let words = text.value.replace("\\result", "$result");
    let mut meaning = |name: &str| match (name, result) {
        ("$result", Some((place, ty))) => Meaning::Variable(place, ty),
        _ => map.meaning(function, at, name),
    };
    match words.trim() {
        "true" => return Ok(Expr::truth(true)),
        "false" => return Ok(Expr::truth(false)),
        _ => {}
    }
    condition(&words, place, map.model, &mut meaning).map_err(|error| Mismatch::Malformed(Box::new(error)))
}

/// Where a waypoint is evaluated, and when it is passed.
fn points(map: &Map, waypoint: &Waypoint) -> Result<Vec<(Point, Expr)>, Mismatch> {
    let Waypoint { kind, location, constraint, .. } = waypoint;
    let always = Text::new("1");
    let text = constraint.as_ref().unwrap_or(&always);
    let mut found = Vec::new();
    match kind {
        WaypointKind::Target => {}
        WaypointKind::Assumption => {
            let sites = map.sites_at(location, |kind| matches!(kind, SiteKind::Statement(_)));
            if sites.is_empty() {
                return Err(missing("statement", location));
            }
            for site in sites {
                let SiteKind::Statement(spot) = &site.kind else { continue };
                let formula = formula(map, text, site.function, &[site.span], None)?;
                let points =
                    Point::of(site.function, spot).ok_or_else(|| unrepresented("statement", location))?;
                found.extend(points.into_iter().map(|point| (point, formula.clone())));
            }
        }
        WaypointKind::Branching => {
            let sites = map.sites_at(location, |kind| matches!(kind, SiteKind::Branch(_)));
            if sites.is_empty() {
                return Err(missing_sign(map, "decision", location, '?'));
            }
            for site in sites {
                let SiteKind::Branch(ways) = &site.kind else { continue };
                for (outcome, edge) in ways {
                    let passes = Expr::truth(is_outcome(*outcome, text)?);
                    found.push((Point::Behind(site.function, *edge), passes));
                }
            }
        }
        WaypointKind::FunctionEnter | WaypointKind::FunctionReturn => {
            let calls = map.calls_at(location);
            if calls.is_empty() {
                return Err(missing_sign(map, "call", location, ')'));
            }
            for (function, edge, span) in calls {
                let from = map.program.function(function).edge(edge).from;
                if *kind == WaypointKind::FunctionEnter {
                    found.push((Point::At(function, from), Expr::truth(true)));
                    continue;
                }
                let formula = formula(map, text, function, &[span], result(map.program, function, edge))?;
                found.push((Point::Behind(function, edge), formula));
            }
        }
    }
    Ok(found)
}

/// What an assumption says that variables hold, by name.
pub(crate) fn equations(map: &Map, waypoint: &Waypoint) -> Result<Vec<(String, i128)>, Mismatch> {
    let mut found = Vec::new();
    for (point, formula) in points(map, waypoint)? {
        for part in integers::normal::conjuncts(&formula) {
            if let [Op::Read(place), Op::Constant(number), Op::Compare(Relation::Equal)] = part.code() {
                found.push((map.program.variable(point.function(), *place).name.clone(), *number));
            }
        }
    }
    Ok(found)
}

/// What calls at a waypoint return: for each its place in the text, the variable, and the formula that is to hold.
pub(crate) fn returned(map: &Map, waypoint: &Waypoint) -> Result<Vec<(Span, Place, Expr)>, Mismatch> {
    let always = Text::new("1");
    let text = waypoint.constraint.as_ref().unwrap_or(&always);
    let mut found = Vec::new();
    for (function, edge, span) in map.calls_at(&waypoint.location) {
        let result = result(map.program, function, edge);
        let formula = formula(map, text, function, &[span], result)?;
        found.extend(result.map(|(place, _)| (span, place, formula)));
    }
    Ok(found)
}

/// Where the result of a call is kept.
fn result(program: &Program, function: FunctionId, edge: integers::EdgeId) -> Option<(Place, Type)> {
    let place = match &program.function(function).edge(edge).action {
        Doing::Manage(manage) => manage.result()?,
        Doing::Step(step) => step.updates.first().map(|(place, _)| *place)?,
        Doing::Call { result, .. } => (*result)?,
    };
    Some((place, program.variable(function, place).ty))
}

/// Whether a decision has come to what a constraint says.
fn is_outcome(outcome: Outcome, text: &Text) -> Result<bool, Mismatch> {
    let value = text.value.trim();
    let number = value.parse::<i128>().ok();
    match (outcome, value, number) {
        (Outcome::Truth(truth), "true", _) => Ok(truth),
        (Outcome::Truth(truth), "false", _) => Ok(!truth),
        (Outcome::Truth(truth), _, Some(number)) => Ok(truth == (number != 0)),
        (Outcome::Case(from, to), _, Some(number)) => Ok(from <= number && number <= to),
        (Outcome::Case(..), "default", _) | (Outcome::Default, _, Some(_)) => Ok(false),
        (Outcome::Default, "default", _) => Ok(true),
        _ => {
            let message = "expected `true` or `false`, or for a `switch` a number or `default`";
            let error = match text.span {
                Some(span) => Diagnostic::error(span, message),
                None => return Err(Mismatch::Missing(message.to_owned())),
            };
            Err(Mismatch::Malformed(Box::new(error)))
        }
    }
}

/// Where an invariant is to hold.
fn invariant_points(
    map: &Map,
    is_loop: bool,
    location: &Location,
    value: &Text,
) -> Result<Vec<(Point, Expr)>, Mismatch> {
    let (what, is_wanted): (&str, fn(&SiteKind) -> bool) = match is_loop {
        true => ("loop", |kind| matches!(kind, SiteKind::Loop(..))),
        false => ("statement", |kind| matches!(kind, SiteKind::Statement(_))),
    };
    let sites = map.sites_at(location, is_wanted);
    if sites.is_empty() {
        return Err(missing(what, location));
    }
    let mut found = Vec::new();
    for site in sites {
        let (spot, inside) = match &site.kind {
            SiteKind::Loop(spot, inside) => (spot, *inside),
            SiteKind::Statement(spot) => (spot, site.span),
            SiteKind::Branch(_) | SiteKind::Call(_) => continue,
        };
        let formula = formula(map, value, site.function, &[site.span, inside], None)?;
        let points = Point::of(site.function, spot).ok_or_else(|| unrepresented(what, location))?;
        found.extend(points.into_iter().map(|point| (point, formula.clone())));
    }
    Ok(found)
}

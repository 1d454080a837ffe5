//! A claim as invariants: what C can say of it, at loops and statements, and of functions that are called.
//!
//! What a claim says of values at the entry of a function, or of intermediate results, has no words in C; such parts are left out. What is left
//! holds nevertheless.

use crate::express::express;
use crate::model::{Fact, Location, Text};
use crate::place::Map;
use base::Span;
use c::SiteKind;
use integers::ghosts::Ghosted;
use integers::normal::conjuncts;
use integers::{Expr, FunctionId, NodeId, Op, Place, Type};
use proof::Claim;

/// A longer formula is left out.
const LONGEST: usize = 4_000;

/// The facts of a claim about a subject.
pub fn invariants(map: &Map, claim: &Claim, subject: &Ghosted) -> Vec<Fact> {
    let mut facts = Vec::new();
    let mut told: Vec<(FunctionId, NodeId)> = Vec::new();
    let loops = map.sites.all.iter().filter(|site| matches!(site.kind, SiteKind::Loop(..)));
    let statements = map.sites.all.iter().filter(|site| matches!(site.kind, SiteKind::Statement(..)));
    for site in loops.chain(statements) {
        let (SiteKind::Loop(spot, _) | SiteKind::Statement(spot)) = &site.kind else { continue };
        let Some(node) = spot.node(map.program, site.function) else { continue };
        let key = (site.function, node);
        if told.contains(&key) || site.span.file != map.file || !is_kept(subject, key) {
            continue;
        }
        told.push(key);
        let value = at_node(map, claim.at(site.function, node), subject, site.function, site.span);
        let is_loop = matches!(site.kind, SiteKind::Loop(..));
        // That nothing comes to a statement follows from what holds at loops.
        if let Some(value) = value.filter(|value| is_loop || value != "0") {
            let location = map.location(site.span, site.function);
            facts.push(Fact::Invariant { is_loop, location, value: Text::new(value) });
        }
    }
    let ids = (0..map.program.functions.len()).map(FunctionId::new);
    facts.extend(ids.filter_map(|id| contract(map, claim, subject, id)));
    facts
}

/// The claim says something about the node: it is a point of the composed program.
fn is_kept(subject: &Ghosted, (function, node): (FunctionId, NodeId)) -> bool {
    let function = subject.program.function(function);
    node == function.entry || function.edges.iter().any(|edge| edge.to == node || edge.from == node)
}

/// The parts of a formula that can be said, in one expression; nothing if none says anything.
fn said(formula: &Expr, name: &mut dyn FnMut(Op) -> Option<(String, Type)>) -> Option<String> {
    if formula.as_truth() == Some(false) {
        return Some("0".to_owned());
    }
    let mut parts: Vec<String> = Vec::new();
    for part in conjuncts(formula) {
        let is_whole = part.root() != Op::Or;
        let Some(text) = express(&part, name) else { continue };
        let text = if is_whole { text } else { format!("({text})") };
        if !parts.contains(&text) {
            parts.push(text);
        }
    }
    let text = match &parts[..] {
        [] => return None,
        [one] => one
            .strip_prefix('(')
            .and_then(|one| one.strip_suffix(')'))
            .filter(|one| is_closed(one))
            .unwrap_or(one)
            .to_owned(),
        several => several.join(" && "),
    };
    (text.len() <= LONGEST).then_some(text)
}

/// Every bracket is closed again, behind where it was opened.
fn is_closed(text: &str) -> bool {
    let mut depth = 0;
    text.chars().all(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth >= 0
    })
}

fn at_node(map: &Map, formula: &Expr, subject: &Ghosted, function: FunctionId, at: Span) -> Option<String> {
    let n_locals = map.program.function(function).locals.len();
    let mut name = |op: Op| match op {
        Op::Read(Place::Local(n)) if n as usize >= n_locals => None,
        Op::Read(place) => map.name(function, at, place),
        _ => None,
    };
    let is_entry = map.program.function(function).entry == subject.program.function(function).entry;
    debug_assert!(is_entry, "composing keeps entries");
    said(formula, &mut name)
}

/// What is known when a function is called, and when it returns.
fn contract(map: &Map, claim: &Claim, subject: &Ghosted, id: FunctionId) -> Option<Fact> {
    let function = map.program.function(id);
    if !subject.is_called[id.index()] || function.name.starts_with('$') || function.span.file != map.file {
        return None;
    }
    let ghost =
        |n: u32| subject.ghosts[id.index()].iter().find(|ghost| ghost.local == n).map(|ghost| ghost.of);
    let variable = |place: Place| {
        let variable = subject.program.variable(id, place);
        let is_named = !variable.name.starts_with('$') && !variable.name.contains(['.', '#']);
        is_named.then(|| (variable.name.clone(), variable.ty))
    };
    // A local or parameter of the same name hides a global.
    let is_hidden = |place: Place| {
        let Place::Global(n) = place else { return false };
        let name = &map.program.globals[n as usize].variable.name;
        function.locals.iter().any(|local| local.name == *name)
    };
    let is_parameter = |place: Place| matches!(place, Place::Local(n) if (n as usize) < function.n_params);
    let mut at_entry = |op: Op| {
        let Op::Read(place) = op else { return None };
        let place = if let Place::Local(n) = place { ghost(n).unwrap_or(place) } else { place };
        let is_given = (matches!(place, Place::Global(_)) && !is_hidden(place)) || is_parameter(place);
        if is_given { variable(place) } else { None }
    };
    let requires = said(claim.at(id, function.entry), &mut at_entry);
    let old = |place: Place| {
        let (name, ty) = variable(place).filter(|_| !is_hidden(place))?;
        Some((format!("\\at({name}, Old)"), ty))
    };
    let mut at_exit = |op: Op| match op {
        Op::Read(Place::Local(n)) if function.result == Some(n) => {
            Some(("\\result".to_owned(), function.locals[n as usize].ty))
        }
        Op::Read(Place::Local(n)) => match ghost(n) {
            Some(of) => old(of),
            // A parameter that is never changed; a changed one has no name any more.
            None if is_parameter(Place::Local(n))
                && !subject.ghosts[id.index()].iter().any(|g| g.of == Place::Local(n)) =>
            {
                old(Place::Local(n))
            }
            None => None,
        },
        Op::Read(place) if !is_hidden(place) => variable(place),
        _ => None,
    };
    let ensures = said(claim.at(id, function.exit), &mut at_exit);
    if requires.is_none() && ensures.is_none() {
        return None;
    }
    let text = |text: Option<String>| Text::new(text.unwrap_or_else(|| "1".to_owned()));
    let location = Location { column: None, ..map.location(function.span, id) };
    Some(Fact::Contract { location, requires: text(requires), ensures: text(ensures) })
}

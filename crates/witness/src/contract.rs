//! Contracts of functions as part of the program: what is required is checked where a function is entered, what is ensured where it returns, and
//! what was there at its entry is kept in variables of its own.

use crate::hooks::{Point, Way};
use crate::model::{Location, Text};
use crate::place::Map;
use crate::product::Mismatch;
use base::Span;
use c::{Meaning, condition};
use integers::{Expr, FunctionId, Place, Program, Role, TargetId, Variable};

/// The ways at the entry and at the exit of a function, with one target for what does not hold. The program gets the variables.
pub fn contract(
    map: &Map,
    program: &mut Program,
    location: &Location,
    parts: (&Text, &Text),
    target: TargetId,
) -> Result<Vec<(Point, Vec<Way>)>, Mismatch> {
    let id = function(map, location)?;
    let (requires, ensures) = parts;
    let span = |text: &Text| text.span.unwrap_or(map.program.function(id).span);
    let required = read(map, requires, span(requires), |name| given(map, id, name))?;
    let words = olds(&ensures.value);
    let mut kept: Vec<(Place, u32)> = Vec::new();
    let ensured = read(map, &Text { value: words, span: ensures.span }, span(ensures), |name| {
        let (name, is_old) = name.strip_prefix("$old_").map_or((name, false), |name| (name, true));
        if name == "$result" {
            let result = map.program.function(id).result.map(Place::Local);
            return result.map_or(Meaning::Nothing, |place| {
                Meaning::Variable(place, map.program.variable(id, place).ty)
            });
        }
        let Meaning::Variable(place, ty) = given(map, id, name) else { return given(map, id, name) };
        if matches!(place, Place::Global(_)) && !is_old {
            return Meaning::Variable(place, ty);
        }
        Meaning::Variable(keep(program, id, &mut kept, place), ty)
    })?;
    let fails = |formula: &Expr, span: Span| Way {
        guard: formula.clone().not(),
        updates: Vec::new(),
        end: Some(Role::Target(target)),
        span,
    };
    let holds = |formula: Expr, updates: Vec<(Place, Expr)>, span: Span| Way {
        guard: formula,
        updates,
        end: None,
        span,
    };
    let updates = kept.iter().map(|(of, local)| (Place::Local(*local), Expr::read(*of))).collect();
    let exit = Point::At(id, map.program.function(id).exit);
    Ok(vec![
        (
            Point::Entry(id),
            vec![holds(required.clone(), updates, span(requires)), fails(&required, span(requires))],
        ),
        (exit, vec![holds(ensured.clone(), Vec::new(), span(ensures)), fails(&ensured, span(ensures))]),
    ])
}

/// The function that a contract is about: by its name, or by the line that its name is on.
fn function(map: &Map, location: &Location) -> Result<FunctionId, Mismatch> {
    let ids = || (0..map.program.functions.len()).map(FunctionId::new);
    let is_meant = |id: &FunctionId| {
        let function = map.program.function(*id);
        match &location.function {
            Some(name) => function.name == *name,
            None => map.sources.line_column(function.span).0 as u32 == location.line,
        }
    };
    ids()
        .find(is_meant)
        .ok_or_else(|| Mismatch::Missing(format!("there is no function on line {}", location.line)))
}

/// A parameter, or a global.
fn given(map: &Map, id: FunctionId, name: &str) -> Meaning {
    let function = map.program.function(id);
    let local = function.locals[..function.n_params].iter().position(|local| local.name == name);
    let global = || map.program.globals.iter().position(|global| global.variable.name == name);
    match (local, local.map_or_else(global, |_| None)) {
        (Some(n), _) => Meaning::Variable(Place::Local(n as u32), function.locals[n].ty),
        (None, Some(n)) => Meaning::Variable(Place::Global(n as u32), map.program.globals[n].variable.ty),
        (None, None) => Meaning::Nothing,
    }
}

/// The variable that holds what another one held at the entry.
fn keep(program: &mut Program, id: FunctionId, kept: &mut Vec<(Place, u32)>, of: Place) -> Place {
    if let Some((_, local)) = kept.iter().find(|(place, _)| *place == of) {
        return Place::Local(*local);
    }
    let Variable { name, ty, span } = program.variable(id, of).clone();
    let locals = &mut program.functions[id.index()].locals;
    let local = locals.len() as u32;
    locals.push(Variable { name: format!("$old {name}"), ty, span });
    kept.push((of, local));
    Place::Local(local)
}

fn read(
    map: &Map,
    text: &Text,
    place: Span,
    mut meaning: impl FnMut(&str) -> Meaning,
) -> Result<Expr, Mismatch> {
    let words = text.value.replace("\\result", "$result");
    match condition(&words, place, map.model, &mut meaning) {
        Ok(formula) => Ok(formula),
        Err(error) => Err(Mismatch::Malformed(Box::new(error))),
    }
}

/// The text with `$old_x` for `\at(x, Old)` and `\at(x, Pre)`.
fn olds(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("\\at(") {
        let inside = &rest[at + 4..];
        let parts = inside.find(')').and_then(|end| Some((inside[..end].split_once(',')?, end)));
        let parts = parts.filter(|((_, when), _)| matches!(when.trim(), "Old" | "Pre"));
        let Some(((name, _), end)) = parts else { break };
        out.push_str(&rest[..at]);
        out.push_str("$old_");
        out.push_str(name.trim());
        rest = &inside[end + 1..];
    }
    out.push_str(rest);
    out
}

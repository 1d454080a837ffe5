//! Cycles: which relations become one, and which stay as they are.
//!
//! MUCKE evaluates what is inside a cycle afresh for each value of what is outside, the relation that it meets first being
//! outermost. It refuses a relation that would be inside in one place and outside in another, and plain definitions on cycles.

use crate::dependencies::{Dependencies, is_mixed};
use crate::system::{Kind, RelationId, System};

/// Relations that are written as one, with the word before `bool`.
pub(super) struct Written {
    pub(super) relations: Vec<RelationId>,
    pub(super) kind: &'static str,
    /// Relations that are announced before.
    pub(super) announced: Vec<RelationId>,
}

/// How the relations of a component are written, in order; `asked` are those of the queries. An error says why they cannot be.
pub(super) fn written(
    system: &System,
    uses: &Dependencies,
    component: &[RelationId],
    asked: &[RelationId],
) -> Result<Vec<Written>, String> {
    let has = |kind| component.iter().any(|member| system.relation(*member).kind == kind);
    let is_mixed = is_mixed(system, component);
    let is_negative = uses.negative_use(component).is_some();
    if component.len() == 1 || !is_mixed && !is_negative {
        let kind = match uses.is_recursive(component, &[]) {
            true if has(Kind::Nu) => "nu ",
            true => "mu ",
            false => "",
        };
        return Ok(vec![Written { relations: component.to_vec(), kind, announced: Vec::new() }]);
    }
    if let Some(outermost) = outermost(system, uses, component, asked)
        && (!is_mixed || component.iter().all(|r| position(system, outermost) <= position(system, *r)))
    {
        return Ok(nested(system, component, outermost));
    }
    let names: Vec<String> = component.iter().map(|r| format!("`{}`", system.relation(*r).name)).collect();
    let why = if is_mixed { "are a cycle of `mu` and `nu`" } else { "use each other below a negation" };
    Err(format!("{} {why} that MUCKE would refuse or understand in another way", names.join(", ")))
}

fn position(system: &System, relation: RelationId) -> u32 {
    system.relation(relation).position
}

/// The relation by which alone the component is entered, if without it no cycle of several relations is left.
fn outermost(
    system: &System,
    uses: &Dependencies,
    component: &[RelationId],
    asked: &[RelationId],
) -> Option<RelationId> {
    let others = (0..system.relations.len()).map(RelationId::new).filter(|r| !component.contains(r));
    let used = others.flat_map(|other| uses.uses(other)).map(|used| used.relation);
    let mut entries = used.chain(asked.iter().copied()).filter(|r| component.contains(r));
    let first = entries.next()?;
    let mut fixed = vec![false; system.relations.len()];
    fixed[first.index()] = true;
    let is_flat = || uses.order(component, &fixed).iter().all(|inner| inner.len() == 1);
    (entries.all(|entry| entry == first) && is_flat()).then_some(first)
}

/// Each relation by itself, all of them announced first, the outermost one before the others.
fn nested(system: &System, component: &[RelationId], outermost: RelationId) -> Vec<Written> {
    let mut members = component.to_vec();
    members.sort_by_key(|member| (*member != outermost, position(system, *member)));
    let written = members.iter().enumerate().map(|(at, member)| Written {
        relations: vec![*member],
        kind: if system.relation(*member).kind == Kind::Nu { "nu " } else { "mu " },
        announced: if at == 0 { members.clone() } else { Vec::new() },
    });
    written.collect()
}

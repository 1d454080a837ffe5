//! Variables as the user writes them: a record where all of its leaves are meant, its parts where some are.

use calculus::system::{System, VarId};
use rustc_hash::FxHashMap;

/// The names of variables; leaves that make up a whole record or array are named by that.
pub(super) fn folded(system: &System, vars: &[VarId]) -> Vec<String> {
    let mut names = Vec::new();
    let mut rest = vars;
    while let Some(&first) = rest.first() {
        let binder = system.vars[first.index()].binder;
        let of_binder = rest.iter().take_while(|v| system.vars[v.index()].binder == binder).count();
        let (run, others) = rest.split_at(of_binder);
        let name = &system.binders[binder.index()].name;
        names.extend(prefixes(system, run).into_iter().map(|prefix| format!("{name}{prefix}")));
        rest = others;
    }
    names
}

/// Equalities between variables; those between all leaves of two records are one between the records.
pub(super) fn folded_equalities(system: &System, pairs: &[(VarId, VarId)]) -> Vec<String> {
    let mut texts = Vec::new();
    let mut rest = pairs;
    let var = |v: VarId| &system.vars[v.index()];
    while let Some(&(a, b)) = rest.first() {
        let alike = |&&(x, y): &&(VarId, VarId)| {
            (var(x).binder, var(y).binder) == (var(a).binder, var(b).binder) && var(x).path == var(y).path
        };
        let n = rest.iter().take_while(alike).count();
        let (run, others) = rest.split_at(n.max(1));
        if n == 0 {
            texts.push(format!("{} = {}", system.var_name(a), system.var_name(b)));
        } else {
            let left: Vec<VarId> = run.iter().map(|pair| pair.0).collect();
            let name = |v: VarId| &system.binders[var(v).binder.index()].name;
            let both = |prefix: &str| format!("{}{prefix} = {}{prefix}", name(a), name(b));
            texts.extend(prefixes(system, &left).into_iter().map(both));
        }
        rest = others;
    }
    texts
}

/// The shortest paths whose leaves are all among some leaves of one binder.
fn prefixes<'s>(system: &'s System, leaves: &[VarId]) -> Vec<&'s str> {
    let path = |v: &VarId| system.vars[v.index()].path.as_str();
    let Some(first) = leaves.first() else { return Vec::new() };
    let all = &system.binders[system.vars[first.index()].binder.index()].leaves;
    let mut missing: FxHashMap<&str, i64> = FxHashMap::default();
    for (leaf, weight) in all.iter().map(|leaf| (leaf, 1)).chain(leaves.iter().map(|leaf| (leaf, -1))) {
        for prefix in steps(path(leaf)) {
            *missing.entry(prefix).or_default() += weight;
        }
    }
    let mut found: Vec<&str> = Vec::new();
    for leaf in leaves {
        let whole = steps(path(leaf)).find(|prefix| missing[prefix] == 0).unwrap_or(path(leaf));
        if !found.contains(&whole) {
            found.push(whole);
        }
    }
    found
}

/// A path's beginnings, the shortest first: ``, `.L` and `.L.x` of `.L.x`.
fn steps(path: &str) -> impl Iterator<Item = &str> {
    let ends = path.char_indices().filter(|(_, c)| matches!(c, '.' | '[')).map(|(at, _)| at);
    ends.chain([path.len()]).map(|end| &path[..end])
}

#[cfg(test)]
mod tests {
    use super::steps;

    #[test]
    fn a_path_begins_with_the_whole() {
        assert_eq!(steps(".L.x").collect::<Vec<_>>(), ["", ".L", ".L.x"]);
        assert_eq!(steps("[2].pc").collect::<Vec<_>>(), ["", "[2]", "[2].pc"]);
        assert_eq!(steps("").collect::<Vec<_>>(), [""]);
    }
}

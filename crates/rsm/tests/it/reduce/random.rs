//! Random machines, as text, from a seed. `GETAFIX_SEED=17` runs one seed.

use base::Random;
use rsm::{Action, EdgeId, Goal, ModuleId, NodeId, Rsm};
use std::fmt::Write;

/// Selections of reductions worth trying on their own.
pub const SELECTIONS: [&str; 9] = [
    "none",
    "dead-code",
    "jump-chains",
    "straight-lines",
    "live-variables",
    "cone",
    "jump-chains,straight-lines",
    "dead-code,live-variables",
    "all",
];

/// Every node, and the failure of every assertion.
pub fn all_goals(rsm: &Rsm) -> Vec<Goal> {
    let mut goals = Vec::new();
    for (index, module) in rsm.modules.iter().enumerate() {
        let id = ModuleId::new(index);
        goals.extend((0..module.nodes.len() - 1).map(|node| Goal::At(id, NodeId::new(node))));
        let is_assert = |edge: &usize| matches!(module.edges[*edge].action, Action::Assert(_));
        let asserts = (0..module.edges.len()).filter(is_assert);
        goals.extend(asserts.map(|edge| Goal::Failure(id, EdgeId::new(edge))));
    }
    goals
}

/// What a module is called with and returns.
struct Signature {
    name: String,
    n_params: usize,
    n_results: usize,
}

/// A machine of up to three modules with two globals and two locals each.
pub fn machine(seed: u64) -> String {
    let random = &mut Random::new(seed);
    let mut text = "globals g h\n".to_owned();
    if random.index(4) == 0 {
        writeln!(text, "init {}", expr(random, &["g", "h"], 3)).expect("text");
    }
    let signature = |index: usize, random: &mut Random| Signature {
        name: if index == 0 { "main".to_owned() } else { format!("f{index}") },
        n_params: if index == 0 { 0 } else { random.index(3) },
        n_results: if index == 0 { 0 } else { random.index(3) },
    };
    let signatures: Vec<Signature> = (0..1 + random.index(3)).map(|index| signature(index, random)).collect();
    for index in 0..signatures.len() {
        module(random, &signatures, index, &mut text);
    }
    text
}

fn module(random: &mut Random, signatures: &[Signature], index: usize, text: &mut String) {
    let this = &signatures[index];
    let locals = ["x", "y"];
    writeln!(text, "module {}", this.name).expect("text");
    if this.n_params > 0 {
        writeln!(text, "params {}", locals[..this.n_params].join(" ")).expect("text");
    }
    if this.n_params < 2 {
        writeln!(text, "locals {}", locals[this.n_params..].join(" ")).expect("text");
    }
    writeln!(text, "results {}", this.n_results).expect("text");
    let places = ["g", "h", "x", "y"];
    if random.index(5) == 0 {
        writeln!(text, "enforce {}", expr(random, &places, 3)).expect("text");
    }
    let exit = 3 + random.index(6);
    // Known values at the start, so that tests later on decide something.
    let known = if index == 0 { &places[..] } else { &locals[this.n_params..] };
    let values: Vec<&str> = known.iter().map(|_| *random.pick(&["T", "F"])).collect();
    if known.is_empty() {
        writeln!(text, "0 1 skip").expect("text");
    } else {
        writeln!(text, "0 1 {} := {}", known.join(", "), values.join(", ")).expect("text");
    }
    for node in 1..exit {
        for _ in 0..1 + random.index(5) / 4 {
            edges(random, signatures, this, (node, exit), text);
        }
    }
    // The exit has to exist even if nothing else leads there.
    let values = exprs(random, &places, this.n_results);
    writeln!(text, "{} {exit} return {values}", exit - 1).expect("text");
}

/// Adds what leaves a node: a return, a call, both outcomes of a test, or something simple.
fn edges(
    random: &mut Random,
    signatures: &[Signature],
    this: &Signature,
    (node, exit): (usize, usize),
    text: &mut String,
) {
    let places = ["g", "h", "x", "y"];
    // Mostly the next node, so that there are lines to be followed.
    let next =
        |random: &mut Random| if random.index(3) > 0 { (node + 1).min(exit - 1) } else { random.index(exit) };
    let (to, other) = (next(random), next(random));
    let text = match random.index(10) {
        0 => writeln!(text, "{node} {exit} return {}", exprs(random, &places, this.n_results)),
        1..=3 if signatures.len() > 1 => {
            let callee = &signatures[1 + random.index(signatures.len() - 1)];
            writeln!(text, "{node} {to} {}", call(random, callee))
        }
        4..=6 => {
            let test = expr(random, &places, 3);
            writeln!(text, "{node} {to} assume {test}\n{node} {other} assume {test} !")
        }
        _ => writeln!(text, "{node} {to} {}", simple(random, &places)),
    };
    text.expect("text");
}

fn simple(random: &mut Random, places: &[&str]) -> String {
    match random.index(8) {
        0..=1 => "skip".to_owned(),
        2 => format!("assume {}", expr(random, places, 3)),
        3..=4 => format!("assert {}", expr(random, places, 3)),
        5 => {
            let constrain = ["x'", "x' y =", "g' x' |", "h g' ^"];
            format!("x, g := {} constrain {}", exprs(random, places, 2), random.pick(&constrain))
        }
        6 => format!("y, h := {}", exprs(random, places, 2)),
        _ => format!("{} := {}", random.pick(places), expr(random, places, 3)),
    }
}

fn call(random: &mut Random, callee: &Signature) -> String {
    let args = exprs(random, &["g", "h", "x", "y"], callee.n_params);
    let targets = [["_", "_"], ["x", "g"], ["g", "_"], ["_", "y"], ["y", "x"]][random.index(5)];
    let arrow = if callee.n_results > 0 { " -> " } else { "" };
    format!("call {} {args}{arrow}{}", callee.name, targets[..callee.n_results].join(", "))
}

fn exprs(random: &mut Random, places: &[&str], n: usize) -> String {
    (0..n).map(|_| expr(random, places, 3)).collect::<Vec<_>>().join(", ")
}

/// An expression in postfix with at most so many leaves.
fn expr(random: &mut Random, places: &[&str], max_leaves: usize) -> String {
    let leaf = |random: &mut Random| match random.index(12) {
        0 => "*".to_owned(),
        1 => random.pick(&["T", "F"]).to_string(),
        _ => random.pick(places).to_string(),
    };
    let mut text = leaf(random);
    for _ in 0..random.index(max_leaves) {
        text = format!("{text} {} {}", leaf(random), random.pick(&["&", "|", "^", "=", "schoose"]));
    }
    if random.index(4) == 0 { text + " !" } else { text }
}

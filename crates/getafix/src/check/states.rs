//! The states of a small program, and the steps between them: what `--show states` prints and a page draws.
//!
//! Contract: states are those of the concrete semantics, told apart by all their values, in the order in which a search by breadth finds them; steps are those that
//! a thread may take there, whatever the schedule. There are at most [`MOST`] of them, and it is said if there are more.

use base::Sources;
use rsm::interleave::{ThreadId, ThreadState, World, initials, is_allowed, is_free, successors};
use rsm::values::TooLarge;
use rsm::{Concurrent, Copies, EdgeId, ModuleId, ThreadGoal, interleave};
use rustc_hash::FxHashMap;
use serde_json::{Value, json};
use std::fmt::Write;

/// The most states.
pub const MOST: usize = 200;

/// Values that are tried for one step.
const MOST_OUTCOMES: usize = 1 << 12;

/// States and steps.
pub struct States {
    nodes: Vec<Node>,
    /// From where, to where, by which statement.
    edges: Vec<(usize, usize, String)>,
    /// There are more.
    pub is_cut: bool,
}

struct Node {
    /// Where the threads are.
    place: String,
    /// The line of the first thread.
    line: Option<usize>,
    values: Vec<(String, String)>,
    is_start: bool,
    is_goal: bool,
}

/// The states of a program, and which of them are at a goal; none if one step alone has too many outcomes, or if there may be any number of threads.
pub fn find(program: &Concurrent, goals: &[ThreadGoal], sources: &Sources) -> Option<States> {
    let count = |copies: &Copies| match copies {
        Copies::Number(number) => Some(*number),
        Copies::Any => None,
    };
    let counts: Vec<u32> = program.blocks.iter().map(|block| count(&block.copies)).collect::<Option<_>>()?;
    search(program, &counts, goals, sources).ok()
}

fn search(
    program: &Concurrent,
    counts: &[u32],
    goals: &[ThreadGoal],
    sources: &Sources,
) -> Result<States, TooLarge> {
    let mut found = States { nodes: Vec::new(), edges: Vec::new(), is_cut: false };
    let (mut numbers, mut worlds): (FxHashMap<World, usize>, Vec<World>) = Default::default();
    let mut add = |found: &mut States, worlds: &mut Vec<World>, world: World, is_start: bool| {
        if let Some(number) = numbers.get(&world) {
            return Ok(Some(*number));
        }
        if worlds.len() == MOST {
            found.is_cut = true;
            return Ok(None);
        }
        found.nodes.push(node(program, &world, goals, sources, is_start)?);
        numbers.insert(world.clone(), worlds.len());
        worlds.push(world);
        Ok(Some(worlds.len() - 1))
    };
    for world in initials(program, counts, MOST_OUTCOMES)? {
        // Where what functions enforce does not hold, nobody can run.
        let mut threads = (0..world.threads.len()).map(ThreadId::new);
        if threads.any(|thread| is_allowed(program, &world, thread).unwrap_or(false)) {
            add(&mut found, &mut worlds, world, true)?;
        }
    }
    let mut at = 0;
    while at < worlds.len() {
        for (thread, edge, after) in steps(program, &worlds[at].clone())? {
            let before = &worlds[at].threads[thread.index()];
            let text = statement(program, before, edge, sources);
            if let Some(to) = add(&mut found, &mut worlds, after, false)? {
                found.edges.push((at, to, text));
            }
        }
        at += 1;
    }
    found.edges.sort();
    found.edges.dedup();
    Ok(found)
}

/// The steps that threads may take.
fn steps(program: &Concurrent, world: &World) -> Result<Vec<(ThreadId, EdgeId, World)>, TooLarge> {
    let mut all = Vec::new();
    for thread in (0..world.threads.len()).map(ThreadId::new) {
        let mut others = world.threads.iter().enumerate().filter(|(n, _)| *n != thread.index());
        let may_run = others.all(|(_, other)| is_free(program, other));
        if may_run && is_allowed(program, world, thread)? {
            let next = successors(program, world, thread, MOST_OUTCOMES)?;
            all.extend(next.into_iter().map(|(edge, after)| (thread, edge, after)));
        }
    }
    Ok(all)
}

/// The statement of a step.
fn statement(program: &Concurrent, thread: &ThreadState, edge: EdgeId, sources: &Sources) -> String {
    let Some(top) = thread.stack.last() else { return String::new() };
    let edge = program.machine.module(top.module).edge(edge);
    let text: Vec<&str> = sources.text(edge.span).split_whitespace().collect();
    let text = text.join(" ");
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn node(
    program: &Concurrent,
    world: &World,
    goals: &[ThreadGoal],
    sources: &Sources,
    is_start: bool,
) -> Result<Node, TooLarge> {
    let is_only = world.threads.len() == 1;
    let mut values: Vec<(String, String)> = Vec::new();
    let mut tell = |of: &str, variable: &rsm::Variable, value: u64| {
        if !variable.name.starts_with('$') {
            values.push((format!("{of}{}", variable.name), variable.ty.value_name(value)));
        }
    };
    for (variable, value) in program.machine.globals.iter().zip(&world.shared) {
        tell("", variable, *value);
    }
    let (mut places, mut line, mut is_goal) = (Vec::new(), None, false);
    for (n, thread) in world.threads.iter().enumerate() {
        let block = &program.blocks[thread.block as usize];
        let name = match block.copies {
            Copies::Number(1) => block.name.clone(),
            _ => format!("{}[{}]", block.name, thread.copy),
        };
        let of = if is_only { String::new() } else { format!("{name}.") };
        for (global, value) in block.private.iter().zip(&thread.private) {
            tell(&of, &program.machine.globals[*global as usize], *value);
        }
        let Some(top) = thread.stack.last() else {
            places.push(if is_only { "ended".to_owned() } else { format!("{name} ended") });
            continue;
        };
        let shape = program.machine.module(top.module);
        for (variable, value) in shape.locals.iter().zip(&top.locals) {
            tell(&of, variable, *value);
        }
        let at = sources.line_column(shape.node(top.node).span).0;
        line = line.or(Some(at));
        let deep =
            if thread.stack.len() > 1 { format!(" ({} calls)", thread.stack.len()) } else { String::new() };
        let place = format!("{} line {at}{deep}", name_of(program, top.module));
        places.push(if is_only { place } else { format!("{name}: {place}") });
        for goal in goals {
            is_goal |= interleave::is_at(program, world, ThreadId::new(n), *goal)?;
        }
    }
    Ok(Node { place: places.join("; "), line, values, is_start, is_goal })
}

fn name_of(program: &Concurrent, module: ModuleId) -> &str {
    &program.machine.module(module).name
}

impl States {
    /// The states and steps as lines.
    pub fn text(&self) -> String {
        let mut out = String::new();
        let n = self.nodes.len();
        let _ = match self.is_cut {
            true => writeln!(out, "the first {n} states; there are more"),
            false => writeln!(out, "{}", if n == 1 { "1 state".to_owned() } else { format!("{n} states") }),
        };
        for (number, node) in self.nodes.iter().enumerate() {
            let values: Vec<String> =
                node.values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            let kind = match (node.is_start, node.is_goal) {
                (_, true) => ", a target",
                (true, false) => ", a start",
                (false, false) => "",
            };
            let values = if values.is_empty() { String::new() } else { format!(": {}", values.join(", ")) };
            let _ = writeln!(out, "{number}  {}{kind}{values}", node.place);
            let own = self.edges.partition_point(|(from, ..)| *from < number);
            for (_, to, text) in self.edges[own..].iter().take_while(|(from, ..)| *from == number) {
                let _ = writeln!(out, "     {text} -> {to}");
            }
        }
        out
    }

    /// The same for a page.
    pub fn object(&self) -> Value {
        let node = |node: &Node| {
            let values: Vec<String> =
                node.values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            json!({ "title": node.place, "line": node.line, "text": values, "start": node.is_start, "goal": node.is_goal })
        };
        let edge = |(from, to, text): &(usize, usize, String)| json!([from, to, text]);
        json!({
            "nodes": self.nodes.iter().map(node).collect::<Vec<Value>>(),
            "edges": self.edges.iter().map(edge).collect::<Vec<Value>>(),
            "cut": self.is_cut,
        })
    }
}

/// Who calls whom, for a page: functions with their lines, and calls by how many statements.
pub fn calls(program: &Concurrent, sources: &Sources) -> Value {
    let modules = &program.machine.modules;
    let function = |module: &rsm::Module| (module.name.clone(), sources.line_column(module.span).0);
    let mut calls = Vec::new();
    for (from, module) in modules.iter().enumerate() {
        for edge in &module.edges {
            if let rsm::Action::Call { callee, .. } = edge.action {
                calls.push((from, callee.index()));
            }
        }
    }
    let roots: Vec<usize> = program.blocks.iter().map(|block| block.main.index()).collect();
    call_graph(&modules.iter().map(function).collect::<Vec<_>>(), calls, &roots)
}

/// The same of functions by their names and lines.
pub fn call_graph(functions: &[(String, usize)], mut calls: Vec<(usize, usize)>, roots: &[usize]) -> Value {
    // A drawing of more is none.
    if functions.len() > MOST || functions.len() < 2 {
        return Value::Null;
    }
    calls.sort_unstable();
    let mut edges: Vec<(usize, usize, usize)> = Vec::new();
    for (from, to) in calls {
        match edges.last_mut() {
            Some(last) if (last.0, last.1) == (from, to) => last.2 += 1,
            _ => edges.push((from, to, 1)),
        }
    }
    let node = |(n, (name, line)): (usize, &(String, usize))| json!({ "title": name, "line": line, "text": [], "start": roots.contains(&n), "goal": false });
    let edge = |(from, to, n): &(usize, usize, usize)| {
        json!([from, to, if *n > 1 { format!("{n}×") } else { String::new() }])
    };
    json!({
        "nodes": functions.iter().enumerate().map(node).collect::<Vec<Value>>(),
        "edges": edges.iter().map(edge).collect::<Vec<Value>>(),
        "cut": false,
    })
}

//! What pages say is so: what they print as holding holds in every state that the concrete semantics reaches, and the states that their script rebuilds are those of a run.

use base::Sources;
use generate::random::{ConcurrentShape, Shape, Threads, concurrent, program, seeds};
use getafix::options::{BoundOptions, CheckOptions};
use getafix::{Events, Reply, Request, answer};
use rsm::interleave::{ThreadId, World, initials, is_allowed, is_free, successors};
use rsm::values::{View, can_hold};
use rsm::{Concurrent, Copies, Expr, Rsm};
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::process::Command;
use testing::{Counts, Folder, is_chosen};

const REPLAY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../present/src/html/replay.js");

/// The most states of a program that are looked at, and the most values for one step.
const MOST: usize = 4000;

/// The program of a text, with its threads.
fn lowered(text: &str) -> (Concurrent, Sources) {
    let mut sources = Sources::default();
    let (checked, _) = bp::load(&mut sources, "random.bp", text).expect("random programs have no mistakes");
    let machine = match bp::lower(&checked) {
        Ok(rsm) => Concurrent::sequential(rsm),
        Err(_) => {
            let options = bp::ThreadOptions { slots: 1, async_labels: false };
            bp::lower_threads(&checked, options).expect("it has threads")
        }
    };
    (machine, sources)
}

fn asked(text: &str, bound: BoundOptions) -> Reply {
    let options = CheckOptions { bound, ..CheckOptions::default() };
    answer(&Request::check_with("random.bp", text, options), &mut Events::sealed())
}

/// The data of a page.
fn data(page: &str) -> Value {
    let data =
        page.split("type=\"application/json\">").nth(1).and_then(|rest| rest.split("</script>").next());
    serde_json::from_str(data.expect("there is data")).expect("an object")
}

fn counts(program: &Concurrent) -> Option<Vec<u32>> {
    let count = |copies: &Copies| match copies {
        Copies::Number(number) => Some(*number),
        Copies::Any => None,
    };
    program.blocks.iter().map(|block| count(&block.copies)).collect()
}

/// The worlds that runs get to, as far as there are not too many.
fn reached(program: &Concurrent) -> Option<Vec<World>> {
    let mut worlds = initials(program, &counts(program)?, MOST).ok()?;
    let mut known: HashSet<World> = worlds.iter().cloned().collect();
    let mut at = 0;
    while at < worlds.len().min(MOST) {
        let world = worlds[at].clone();
        for thread in (0..world.threads.len()).map(ThreadId::new) {
            let is_alone = |(n, other): (usize, _)| n == thread.index() || is_free(program, other);
            if !world.threads.iter().enumerate().all(is_alone) || !is_allowed(program, &world, thread).ok()? {
                continue;
            }
            for (_, after) in successors(program, &world, thread, MOST).ok()? {
                if known.insert(after.clone()) {
                    worlds.push(after);
                }
            }
        }
        at += 1;
    }
    Some(worlds)
}

/// Parses clauses about what a thread of a block sees, and evaluates them.
struct Clauses<'p> {
    program: &'p Concurrent,
    parsed: HashMap<(u32, u32, String), Expr>,
}

impl Clauses<'_> {
    /// Whether a clause holds for a thread.
    fn holds(&mut self, world: &World, thread: usize, clause: &str) -> bool {
        let of = &world.threads[thread];
        let top = of.stack.last().expect("it runs");
        let machine = &self.program.machine;
        let block = &self.program.blocks[of.block as usize];
        let is_named = |name: &str| !name.starts_with('$');
        let shared = (0..self.program.n_shared).zip(&world.shared).map(|(n, value)| (n, *value));
        let private = block.private.iter().zip(&of.private).map(|(n, value)| (*n as usize, *value));
        // What is private hides what is shared.
        let name = |n: usize| machine.globals[n].name.as_str();
        let is_hidden = |n: usize| {
            n < self.program.n_shared && block.private.iter().any(|own| name(*own as usize) == name(n))
        };
        let seen = shared.chain(private).filter(|(n, _)| is_named(name(*n)) && !is_hidden(*n));
        let (places, globals): (Vec<usize>, Vec<u64>) = seen.unzip();
        let locals = machine.module(top.module).locals.iter().zip(&top.locals);
        let locals: Vec<u64> =
            locals.filter(|(local, _)| is_named(&local.name)).map(|(_, value)| *value).collect();
        let key = (of.block, top.module.0, clause.to_owned());
        let expr = self.parsed.entry(key).or_insert_with(|| {
            let mut cut: Rsm = machine.clone();
            cut.globals = places.iter().map(|n| machine.globals[*n].clone()).collect();
            cut.modules[top.module.index()].locals.retain(|local| is_named(&local.name));
            bp::condition(&cut, Some(top.module), clause)
                .unwrap_or_else(|error| panic!("`{clause}` does not parse: {error:?}"))
        });
        can_hold(expr, &View::new(&globals, &locals)).expect("small sets")
    }
}

#[test]
fn what_a_page_says_holds_in_every_state() {
    let (least, mut n) = (if is_chosen() { 0 } else { 1 }, Counts::default());
    for seed in seeds(0..36) {
        for text in
            [program(seed, &Shape::small()), concurrent(seed, &ConcurrentShape::small(Threads::Fixed))]
        {
            let reply = asked(&text, BoundOptions::default());
            if reply.verdict() != "unreachable" {
                continue;
            }
            let (program, sources) = lowered(&text);
            let told = data(&reply.html("random.bp"))["invariants"].clone();
            let Some(worlds) = reached(&program) else { continue };
            let kind = if program.is_sequential() { "sequential" } else { "threads" };
            let mut places: HashMap<(u64, u64), Vec<String>> = HashMap::new();
            for entry in told.as_array().expect("a list").iter().filter(|entry| entry["end"] == false) {
                let clauses = entry["clauses"].as_array().expect("clauses").iter();
                let clauses = clauses.map(|clause| clause.as_str().expect("a text").to_owned()).collect();
                let at = |name: &str| entry[name].as_u64().expect("a number");
                places.insert((at("line"), at("column")), clauses);
            }
            n.add(
                if kind == "threads" { "programs with threads" } else { "sequential programs" },
                u64::from(!places.is_empty()),
            );
            let mut clauses = Clauses { program: &program, parsed: HashMap::new() };
            for world in &worlds {
                for (t, thread) in world.threads.iter().enumerate() {
                    let Some(top) = thread.stack.last() else { continue };
                    let shape = program.machine.module(top.module);
                    let is_inside = world.threads.iter().any(|thread| !is_free(&program, thread));
                    // Where what a function enforces does not hold, there is no state.
                    let may_run = is_allowed(&program, world, ThreadId::new(t)).expect("small sets");
                    if shape.ends_thread(top.node) || !may_run || !program.is_sequential() && is_inside {
                        continue;
                    }
                    let (line, column) = sources.line_column(shape.node(top.node).span);
                    for clause in places.get(&(line as u64, column as u64)).into_iter().flatten() {
                        assert!(
                            clauses.holds(world, t, clause),
                            "seed {seed}, {kind}: `{clause}` at {line}:{column} does not hold in {world:?}\n{text}"
                        );
                        n.count(if kind == "threads" { "clauses of threads" } else { "clauses" });
                    }
                }
            }
        }
    }
    n.at_least(&[
        ("clauses", 1000 * least),
        ("clauses of threads", 1000 * least),
        ("sequential programs", 3 * least),
        ("programs with threads", 3 * least),
    ]);
}

/// The states that the script rebuilds, after each row of each run.
const STATES: &str = r"
const { Replay, unpacked } = require(process.argv[2]);
const traces = JSON.parse(require('fs').readFileSync(process.argv[3], 'utf8'));
const map = (of) => Object.fromEntries(of);
const told = ({ shared, threads }) => ({ shared: map(shared), threads: map([...threads].map(([key, t]) => [key, { private: map(t.private), stack: t.stack.map((f) => [f.fn, map(f.locals)]) }])) });
console.log(JSON.stringify(traces.map((packed) => {
  const trace = unpacked(packed);
  const [replay, other] = [new Replay(trace), new Replay(trace)];
  const n = trace.steps.length;
  const states = Array.from({ length: n + 1 }, (_, row) => told(replay.at(row)));
  const same = (row, way) => { if (JSON.stringify(told(other.at(row))) !== JSON.stringify(states[row])) throw new Error(`${way} to ${row}`); };
  for (let i = 0, row = 5 % (n + 1); i < 60; i++, row = (row * 7919 + 13) % (n + 1)) same(row, 'a jump');
  for (let row = n; row >= 0; row--) same(row, 'backwards');
  return states;
})));
";

/// A world looks as the page shows it.
fn is_shown(program: &Concurrent, world: &World, state: &Value) -> bool {
    let machine = &program.machine;
    let is = |shown: &Value, variable: &rsm::Variable, value: u64| {
        variable.name.starts_with('$')
            || shown.get(&variable.name).is_none_or(|shown| *shown == variable.ty.value_name(value).as_str())
    };
    let globals = machine.globals.iter().zip(&world.shared);
    let mut all = globals.map(|(variable, value)| is(&state["shared"], variable, *value));
    all.all(|is_so| is_so)
        && world.threads.iter().all(|thread| {
            let block = &program.blocks[thread.block as usize];
            let shown = &state["threads"][format!("{}[{}]", block.name, thread.copy)];
            let Some(stack) = shown["stack"].as_array() else { return true };
            let private = block.private.iter().zip(&thread.private);
            let mut private =
                private.map(|(n, value)| is(&shown["private"], &machine.globals[*n as usize], *value));
            let frames = thread.stack.iter().zip(stack);
            let mut frames = frames.map(|(frame, shown)| {
                let shape = machine.module(frame.module);
                let has_name = shown[0].is_null() || shown[0] == shape.name.as_str();
                let mut locals = shape.locals.iter().zip(&frame.locals);
                has_name && locals.all(|(local, value)| is(&shown[1], local, *value))
            });
            stack.len() == thread.stack.len() && private.all(|is_so| is_so) && frames.all(|is_so| is_so)
        })
}

/// The most steps that the page does not tell between two that it does.
const HIDDEN: usize = 6;

/// Worlds that a thread gets to from others, by so many steps at most, and that look as the page shows them after its row. A row that stands for one step is
/// over as soon as they do.
fn followed(
    program: &Concurrent,
    from: &[World],
    thread: ThreadId,
    state: &Value,
    most: usize,
) -> Vec<World> {
    let (mut found, mut layer): (HashSet<World>, Vec<World>) = (HashSet::new(), from.to_vec());
    for _ in 0..most {
        let mut next = HashSet::new();
        for world in &layer {
            let after = successors(program, world, thread, MOST).expect("small sets");
            next.extend(after.into_iter().map(|(_, after)| after));
        }
        found.extend(next.iter().filter(|world| is_shown(program, world, state)).cloned());
        layer = next.into_iter().take(2000).collect();
        if !found.is_empty() && most == HIDDEN {
            break;
        }
    }
    found.into_iter().collect()
}

/// How many steps a row stands for that tells of a call again; 0 for any other.
fn n_repeated(step: &Value) -> usize {
    let number = |name: &str| step[name].as_u64().unwrap_or(0) as usize;
    if step["kind"] == "repeat" { number("last") + 1 - number("first") } else { 0 }
}

#[test]
fn the_states_of_a_page_are_those_of_a_run() {
    if !Command::new("node").arg("--version").output().is_ok_and(|output| output.status.success()) {
        eprintln!("note: node is not installed, so the script of pages is not tried with it");
        return;
    }
    let (least, mut n) = (if is_chosen() { 0 } else { 1 }, Counts::default());
    let mut runs = Vec::new();
    for seed in seeds(0..60) {
        let switches = BoundOptions { switches: Some(2), ..BoundOptions::default() };
        for (text, bound) in [
            (program(seed, &Shape::small()), BoundOptions::default()),
            (concurrent(seed, &ConcurrentShape::small(Threads::Fixed)), switches),
        ] {
            let reply = asked(&text, bound);
            let is_whole = |trace: &Value| {
                let steps = trace["steps"].as_array().expect("steps");
                steps.iter().all(|step| step["kind"] != "omitted" && n_repeated(step) <= 40)
            };
            let Some(trace) = reply.trace().filter(|trace| is_whole(trace)).cloned() else { continue };
            let packed = data(&reply.html("random.bp"))["answer"]["trace"].clone();
            runs.push((seed, text, trace, packed));
        }
    }
    let folder = Folder::temporary();
    let packed: Vec<&Value> = runs.iter().map(|(.., packed)| packed).collect();
    folder.file("traces.json", Value::from(packed.into_iter().cloned().collect::<Vec<Value>>()).to_string());
    folder.file("states.js", STATES);
    let output = Command::new("node")
        .current_dir(folder.path())
        .args(["states.js", REPLAY, "traces.json"])
        .output()
        .expect("node starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let states: Vec<Vec<Value>> = serde_json::from_slice(&output.stdout).expect("states");
    for ((seed, text, trace, _), states) in runs.iter().zip(&states) {
        let (program, _) = lowered(text);
        let Some(Ok(starts)) = counts(&program).map(|counts| initials(&program, &counts, 1 << 16)) else {
            continue;
        };
        let mut worlds: Vec<World> =
            starts.into_iter().filter(|world| is_shown(&program, world, &states[0])).collect();
        assert!(!worlds.is_empty(), "seed {seed}: no run starts as the page shows it\n{text}");
        worlds.truncate(200);
        for (row, step) in trace["steps"].as_array().expect("steps").iter().enumerate() {
            let is_it = |thread: &rsm::interleave::ThreadState| {
                program.blocks[thread.block as usize].name == step["thread"].as_str().unwrap_or_default()
                    && u64::from(thread.copy) == step["copy"].as_u64().unwrap_or_default()
            };
            let thread = worlds[0].threads.iter().position(is_it).expect("the thread is there");
            let repeated = n_repeated(step);
            n.add("calls told again", u64::from(repeated > 0));
            let most = if repeated == 0 { HIDDEN } else { 2 * repeated + HIDDEN + 1 };
            worlds = followed(&program, &worlds, ThreadId::new(thread), &states[row + 1], most);
            assert!(
                !worlds.is_empty(),
                "seed {seed}, after step {}: {}\n{text}",
                step["step"],
                states[row + 1]
            );
            worlds.truncate(200);
            n.count(if program.is_sequential() { "steps" } else { "steps of threads" });
        }
    }
    n.at_least(&[("steps", 60 * least), ("steps of threads", 60 * least), ("calls told again", 2 * least)]);
}

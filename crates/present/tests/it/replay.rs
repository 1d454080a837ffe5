//! What a page shows of a run of C is the run: after each row, the script's state is the configuration of the semantics, with variables, calls and objects.
//!
//! `GETAFIX_SEED=7` or `GETAFIX_SEED=100..200` chooses the programs. Without node nothing is compared, and a note says so.

use base::{Random, Sources};
use c::Options;
use integers::account::{Numbering, Script, TOLD_CELLS, account};
use integers::objects::Object;
use integers::step::Configuration;
use integers::trace::{Event, Manner, TraceStep, walk_from};
use integers::{Action, Goal, Input, Integers, Place, Program, Type, Value as Number};
use present::html::{Page, Proof};
use present::integer::Teller;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::process::Command;
use testing::{Counts, Folder, is_chosen};

const REPLAY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/html/replay.js");

const DECLARATIONS: &str = "
int __VERIFIER_nondet_int(void); unsigned __VERIFIER_nondet_uint(void); short __VERIFIER_nondet_short(void);
unsigned char __VERIFIER_nondet_uchar(void); long long __VERIFIER_nondet_longlong(void);
void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void *realloc(void *, unsigned long); void free(void *);
void *memset(void *, int, unsigned long); void *memcpy(void *, const void *, unsigned long);
long long observed; void observe(long long v) { observed = v; }
";

/// The states that the script rebuilds after each row: forwards, and the same backwards and by jumps.
const STATES: &str = r"
const { Replay, unpacked } = require(process.argv[2]);
const traces = JSON.parse(require('fs').readFileSync(process.argv[3], 'utf8'));
const pairs = (values, links) => [...values].map(([name, value]) => [name, value, links.has(name) ? links.get(name) : null]);
const told = ({ shared, links, threads, objects }) => ({
  globals: pairs(shared, links),
  stack: [...threads.values()][0].stack.map((f) => [f.fn, pairs(f.locals, f.links)]),
  objects: Object.fromEntries([...objects.values()].filter((o) => o.alive).map((o) => [o.number, pairs(o.cells, o.links)])),
});
console.log(JSON.stringify(traces.map((packed) => {
  const trace = unpacked(packed);
  const n = trace.steps.length;
  const [replay, other] = [new Replay(trace), new Replay(trace)];
  const states = Array.from({ length: n + 1 }, (_, row) => told(replay.at(row)));
  const same = (row, way) => { if (JSON.stringify(told(other.at(row))) !== JSON.stringify(states[row])) throw new Error(`${way} to ${row}`); };
  for (let i = 0, row = 5 % (n + 1); i < 60; i++, row = (row * 7919 + 13) % (n + 1)) same(row, 'a jump');
  for (let row = n; row >= 0; row--) same(row, 'backwards');
  return states;
})));
";

/// A configuration, and which variables were stored in each activation.
#[derive(Clone)]
struct Moment {
    configuration: Configuration,
    stored: Vec<BTreeSet<u32>>,
}

struct Case {
    seed: u64,
    text: String,
    program: Program,
    trace: Value,
    packed: Value,
    /// What is there at first, and after each step that is told.
    moments: BTreeMap<u64, Moment>,
}

/// The variables that a step stores.
fn follow(program: &Program, stored: &mut Vec<BTreeSet<u32>>, step: &TraceStep) {
    match step.event {
        Event::Returned => drop(stored.pop()),
        Event::Taken(edge) => {
            if let Action::Call { .. } = program.function(step.function).edge(edge).action {
                stored.push(BTreeSet::new());
            }
        }
    }
    let Some(top) = stored.last_mut() else { return };
    top.extend(step.stored.iter().filter_map(|(place, _)| match place {
        Place::Local(n) => Some(*n),
        Place::Global(_) => None,
    }));
}

fn case(seed: u64, body: &str, repeat: &str) -> Case {
    let text = format!("{DECLARATIONS}{body}int main(void) {{ {repeat} p{seed}_main(); return 0; }}\n");
    let mut sources = Sources::default();
    let file = sources.add("random.c", &text);
    let program =
        c::translate(&sources, file, &Options::default()).expect("random programs are right").program;
    let program = integers::promote(&program).filter(|_| seed % 2 == 1).unwrap_or(program);
    let manner = Manner { integers: Integers::Machine, goal: Goal::Never, max_steps: 6000 };
    let (mut random, mut inputs) = (Random::new(seed), Vec::new());
    let mut choose = |input: &Input| {
        let number = input.ty.wrap(i128::from(random.below(12)) - 2);
        inputs.push(number);
        Some(number)
    };
    let mut numbering = Numbering::new(&program);
    let mut configuration = Configuration::start(&program);
    let mut stored = vec![BTreeSet::new()];
    let first = Moment { configuration: configuration.clone(), stored: stored.clone() };
    let mut moments = BTreeMap::from([(0, first)]);
    walk_from(&program, &mut configuration, &mut choose, manner, &mut |step, after| {
        follow(&program, &mut stored, &step);
        if let Some(told) = numbering.tell(&step, after) {
            moments.insert(told.number, Moment { configuration: after.clone(), stored: stored.clone() });
        }
        ControlFlow::Continue(())
    });
    numbering.finish();
    // What is not told goes with the last step.
    moments.insert(numbering.n_steps(), Moment { configuration, stored });
    let told = account(&program, Script { inputs: &inputs, repeats_from: None }, manner);
    assert_eq!(told.n_steps, numbering.n_steps(), "GETAFIX_SEED={seed}");
    let teller = Teller { program: &program, sources: &sources, objects: Some(&told.last.objects) };
    let trace = teller.object(&told);
    let packed = packed(&trace);
    Case { seed, text, program, trace, packed, moments }
}

/// The run as a page has it.
fn packed(trace: &Value) -> Value {
    let page = Page {
        name: "random.c",
        source: None,
        status: 10,
        text: "",
        answer: &json!({}),
        trace,
        further: &[],
        notes: &[],
        proof: &Proof::default(),
        reasons: &[],
        pictures: &Value::Null,
        figures: "",
    };
    let html = page.html();
    let data =
        html.split("type=\"application/json\">").nth(1).and_then(|rest| rest.split("</script>").next());
    serde_json::from_str::<Value>(data.expect("there is data")).expect("an object")["answer"]["trace"].clone()
}

/// The object that a value points to, if it is a pointer to one.
fn pointed(value: Number) -> Option<i64> {
    let Number::Number(number) = value else { return None };
    let object = (number + (1 << 63)) >> 64;
    i64::try_from(object).ok().filter(|object| *object > 0)
}

/// A value is shown as what it is: a number by its digits, a pointer by its object.
fn is_value(shown: &Value, is_pointer: bool, value: Number) -> bool {
    match value {
        _ if is_pointer => shown[2].as_i64() == pointed(value),
        Number::Number(number) => shown[1] == number.to_string().as_str(),
        _ => shown[1].is_string(),
    }
}

fn is_named(shown: &Value, name: &str) -> bool {
    let own = shown[0].as_str().unwrap_or_default();
    own == name || own.strip_prefix(name).is_some_and(|rest| rest.starts_with(" (line "))
}

impl Case {
    /// The variables are those that are named, were stored, and have these values.
    fn has(&self, shown: &Value, variables: &[(&str, Type, Number)]) -> bool {
        let shown = shown.as_array().expect("a list");
        let named: Vec<_> = variables.iter().filter(|(name, ..)| !name.starts_with('$')).collect();
        let is_there = |(name, ty, value): &&(&str, Type, Number)| {
            shown.iter().any(|entry| is_named(entry, name) && is_value(entry, *ty == Type::POINTER, *value))
        };
        shown.len() == named.len() && named.iter().all(is_there)
    }

    /// The cells of an object, in their order, as many as are told at first.
    fn has_cells(&self, shown: &Value, object: &Object) -> bool {
        let class = &self.program.memory.classes[object.class.index()];
        let shown = shown.as_array().expect("cells");
        let mut n = 0;
        for element in 0..object.count {
            for field in &class.fields {
                for position in 0..field.n_cells() {
                    if n == TOLD_CELLS {
                        return shown.len() >= n;
                    }
                    let is_pointer = matches!(
                        self.program.memory.regions[field.region.index()].content,
                        integers::Content::Pointer(_)
                    );
                    let held = object.read(field.region, field.offset(element, position));
                    let is_it = match (shown.get(n), held) {
                        (None, _) => false,
                        (Some(cell), None) => cell[1] == "?",
                        (Some(cell), Some(value)) => {
                            let is_function = self.program.memory.regions[field.region.index()].content
                                == integers::Content::Function;
                            is_function || is_value(cell, is_pointer, value)
                        }
                    };
                    if !is_it {
                        return false;
                    }
                    n += 1;
                }
            }
        }
        shown.len() == n
    }

    /// What the page shows after a row is what the semantics has there; what is not so, otherwise.
    fn difference(&self, state: &Value, moment: &Moment, n: &mut Counts) -> Option<String> {
        let Moment { configuration, stored } = moment;
        for shown in state["globals"].as_array().expect("globals") {
            let mut globals = self.program.globals.iter().zip(&configuration.globals);
            let is_it = globals.any(|(global, value)| {
                let variable = &global.variable;
                is_named(shown, &variable.name) && is_value(shown, variable.ty == Type::POINTER, *value)
            });
            if !is_it {
                return Some(format!("global {shown}"));
            }
            n.count("globals");
        }
        let stack = state["stack"].as_array().expect("a stack");
        // `main` has returned, and stays as it was.
        let frames = if configuration.frames.is_empty() { 1 } else { configuration.frames.len() };
        if stack.len() != frames {
            return Some(format!("{} calls instead of {frames}", stack.len()));
        }
        for ((frame, stored), shown) in configuration.frames.iter().zip(stored).zip(stack) {
            let body = self.program.function(frame.function);
            let locals: Vec<(&str, Type, Number)> = stored
                .iter()
                .map(|n| {
                    (
                        body.locals[*n as usize].name.as_str(),
                        body.locals[*n as usize].ty,
                        frame.locals[*n as usize],
                    )
                })
                .collect();
            if !shown[0].is_null() && shown[0] != body.name.as_str() || !self.has(&shown[1], &locals) {
                return Some(format!("{} has {locals:?} and not {shown}", body.name));
            }
            n.add("locals", locals.len() as u64);
        }
        let objects = state["objects"].as_object().expect("objects");
        let alive = configuration.objects.iter().filter(|(_, object)| object.is_alive);
        let mut n_alive = 0;
        for (number, object) in alive {
            n_alive += 1;
            match objects.get(&number.to_string()) {
                Some(shown) if self.has_cells(shown, object) => n.count("objects"),
                shown => return Some(format!("object {number} is {object:?} and not {shown:?}")),
            }
        }
        (objects.len() != n_alive).then(|| format!("{} objects instead of {n_alive}", objects.len()))
    }
}

/// The states of all runs, by the script.
fn states(cases: &[Case]) -> Vec<Vec<Value>> {
    let folder = Folder::temporary();
    let packed: Vec<Value> = cases.iter().map(|case| case.packed.clone()).collect();
    folder.file("traces.json", Value::from(packed).to_string());
    folder.file("states.js", STATES);
    let output = Command::new("node")
        .current_dir(folder.path())
        .args(["states.js", REPLAY, "traces.json"])
        .output()
        .expect("node starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("states")
}

#[test]
fn a_page_about_c_shows_the_configurations_of_the_run() {
    if !Command::new("node").arg("--version").output().is_ok_and(|output| output.status.success()) {
        eprintln!("note: node is not installed, so the script of pages is not tried with it");
        return;
    }
    let (least, mut n) = (if is_chosen() { 0 } else { 1 }, Counts::default());
    let mut cases = Vec::new();
    for seed in generate::random::seeds(0..12) {
        let memory = testing::random_memory_c::program(&mut Random::new(seed), seed);
        let plain = testing::random_c::program(&mut Random::new(seed), seed);
        let often = "for (int i = 0; i < 40; i++)";
        cases.push(case(seed, &memory, ""));
        cases.push(case(seed, if seed % 3 == 0 { &memory } else { &plain }, often));
    }
    for (case, states) in cases.iter().zip(states(&cases)) {
        let steps = case.trace["steps"].as_array().expect("steps");
        assert_eq!(states.len(), steps.len() + 1);
        for (row, state) in states.iter().enumerate() {
            let number = row.checked_sub(1).map_or(0, |row| steps[row]["step"].as_u64().expect("a number"));
            let difference = case.difference(state, &case.moments[&number], &mut n);
            assert_eq!(difference, None, "GETAFIX_SEED={}, after step {number}\n{}", case.seed, case.text);
            n.count("rows");
        }
        let of = |kind: &str| steps.iter().filter(|step| step["kind"] == kind).count() as u64;
        n.add("calls told again", of("repeat"));
        n.add("parts left out", of("omitted"));
    }
    n.at_least(&[
        ("rows", 1500 * least),
        ("globals", 1500 * least),
        ("locals", 1500 * least),
        ("objects", 1000 * least),
        ("calls told again", 5 * least),
        ("parts left out", 2 * least),
    ]);
}

//! The answers of a generated program, computed state by state without the calculus.
//!
//! A set of data values is a word, one bit for each of at most 64 values. Modules are recomputed until no set
//! of exits changes.

use super::generate::{Call, Module, Program, Statement, Value};

/// For each module, entry value and program counter, the data values that are reached.
type Summaries = Vec<Vec<Vec<u64>>>;

/// The answers of the file, in order: summaries, entries and states reached, and whether the last module
/// exits with global 0 set.
pub fn answers(program: &Program) -> Vec<String> {
    let images: Vec<Images> = program.modules.iter().map(|code| images(program, code)).collect();
    let summaries = summaries(program, &images);
    let n_summaries: u32 = summaries.iter().flatten().flatten().map(|set| set.count_ones()).sum();
    let entered = entered(program, &images, &summaries);
    let n_entered: u32 = entered.iter().map(|set| set.count_ones()).sum();
    let reached = |module: usize, pc: usize| {
        values(entered[module]).fold(0, |set, entry| set | summaries[module][entry][pc])
    };
    let modules = program.modules.len();
    let places = (0..modules).flat_map(|module| (0..program.pcs).map(move |pc| (module, pc)));
    let n_reached: u32 = places.map(|(module, pc)| reached(module, pc).count_ones()).sum();
    let target = values(reached(modules - 1, program.pcs - 1)).any(|data| data & 1 == 1);
    vec![n_summaries.to_string(), n_entered.to_string(), n_reached.to_string(), target.to_string()]
}

/// What the statements and calls of a module make of each data value.
struct Images {
    statements: Vec<Vec<u64>>,
    calls: Vec<Vec<u64>>,
}

fn images(program: &Program, code: &Module) -> Images {
    let table = |image: &dyn Fn(usize) -> u64| (0..1 << program.bits()).map(image).collect::<Vec<u64>>();
    let entries = |call: &Call, data| evaluate(program, data, |bit| call.passed(program, bit));
    Images {
        statements: code
            .statements
            .iter()
            .map(|statement| table(&|data| step(program, statement, data)))
            .collect(),
        calls: code.calls.iter().map(|call| table(&|data| entries(call, data))).collect(),
    }
}

fn summaries(program: &Program, images: &[Images]) -> Summaries {
    let n_values = 1 << program.bits();
    let mut summaries: Summaries = vec![vec![vec![0; program.pcs]; n_values]; program.modules.len()];
    let mut is_open = vec![true; program.modules.len()];
    // Callees mostly have larger numbers than their callers.
    while let Some(module) = is_open.iter().rposition(|open| *open) {
        is_open[module] = false;
        let mut exits_grew = false;
        for entry in 0..n_values {
            let mut sets = summaries[module][entry].clone();
            sets[0] |= 1 << entry;
            close(program, &program.modules[module], &images[module], &summaries, &mut sets);
            exits_grew |= sets[program.pcs - 1] != summaries[module][entry][program.pcs - 1];
            summaries[module][entry] = sets;
        }
        if exits_grew {
            for (caller, code) in program.modules.iter().enumerate() {
                is_open[caller] |= code.calls.iter().any(|call| call.callee == module);
            }
        }
    }
    summaries
}

/// Adds what the statements and calls of a module reach, given the summaries so far.
fn close(program: &Program, code: &Module, images: &Images, summaries: &Summaries, sets: &mut [u64]) {
    // Globals and the first local are the callee's, the other locals the caller's.
    let from_callee = (1 << (program.globals + 1)) - 1;
    loop {
        let before = sets.to_vec();
        for (statement, image) in code.statements.iter().zip(&images.statements) {
            sets[statement.to] |= values(sets[statement.from]).fold(0, |set, data| set | image[data]);
        }
        for (call, image) in code.calls.iter().zip(&images.calls) {
            for data in values(sets[call.at]) {
                let exits = |entry: usize| summaries[call.callee][entry][program.pcs - 1];
                for exit in values(values(image[data]).fold(0, |set, entry| set | exits(entry))) {
                    sets[call.at + 1] |= 1 << (exit & from_callee | data & !from_callee);
                }
            }
        }
        if before == sets {
            return;
        }
    }
}

/// For each module, the entry values that occur in a run.
fn entered(program: &Program, images: &[Images], summaries: &Summaries) -> Vec<u64> {
    let mut entered = vec![0; program.modules.len()];
    let mut open: Vec<(usize, usize)> = (0..1 << program.globals).map(|globals| (0, globals)).collect();
    entered[0] = open.iter().fold(0, |set, (_, entry)| set | 1 << entry);
    while let Some((module, entry)) = open.pop() {
        for (call, image) in program.modules[module].calls.iter().zip(&images[module].calls) {
            let data = values(summaries[module][entry][call.at]);
            let new = data.fold(0, |set, data| set | image[data]) & !entered[call.callee];
            entered[call.callee] |= new;
            open.extend(values(new).map(|entry| (call.callee, entry)));
        }
    }
    entered
}

fn step(program: &Program, statement: &Statement, data: usize) -> u64 {
    match statement.guard {
        Some((bit, value)) if (data >> bit & 1 == 1) != value => 0,
        _ => evaluate(program, data, |bit| statement.value_of(bit)),
    }
}

/// The data values in which every bit has its value computed from `data`.
fn evaluate(program: &Program, data: usize, value_of: impl Fn(usize) -> Value) -> u64 {
    let at = |bit: usize| data >> bit & 1;
    let mut results = vec![0];
    for bit in 0..program.bits() {
        let choices = match value_of(bit) {
            Value::Any => vec![0, 1],
            Value::Constant(value) => vec![usize::from(value)],
            Value::Copy(a) => vec![at(a)],
            Value::Not(a) => vec![1 - at(a)],
            Value::Xor(a, b) => vec![at(a) ^ at(b)],
        };
        results = results.iter().flat_map(|result| choices.iter().map(move |c| result | c << bit)).collect();
    }
    results.iter().fold(0, |set, value: &usize| set | 1 << value)
}

/// The members of a set.
fn values(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let value = set.trailing_zeros() as usize;
        (value < 64).then(|| {
            set &= set - 1;
            value
        })
    })
}

//! Relations in factors against the definition: each pair of cubes asked for by itself. `GETAFIX_SEED=17` or `GETAFIX_SEED=0..100` chooses
//! the programs.

use abstraction::{Abstraction, Back, Cache, Predicates, abstraction};
use base::{Random, Stop};
use generate::random::seeds;
use integers::compose::compose;
use integers::ghosts::Ghosted;
use integers::random::{Kinds, program};
use integers::smtlib::text;
use integers::{Action, Expr, FunctionId, Op, Place, Step};
use rsm::step::{Configuration, Frame, successors};
use smt::{Answer, Pipe, Query, Solver};

/// Whether some state of one cube takes the step to some state of another, by one query without factors.
struct Twin<'a> {
    ghosted: &'a Ghosted,
    predicates: &'a Predicates,
    function: FunctionId,
    pipe: &'a mut Pipe,
}

impl Twin<'_> {
    fn can(&mut self, step: &Step, before: &[(usize, bool)], after: &[(usize, bool)]) -> bool {
        let name = |op: Op| match op {
            Op::Read(Place::Global(n)) => format!("g{n}"),
            Op::Read(Place::Local(n)) => format!("l{n}"),
            Op::Input(n) => format!("i{n}"),
            Op::Unknown(n) => format!("u{n}"),
            _ => unreachable!("a leaf"),
        };
        let signed = |text: String, holds: bool| if holds { text } else { format!("(not {text})") };
        let formula = |n: usize| self.predicates.of(self.function)[n].formula.clone();
        let stored = |expr: &Expr| {
            expr.substitute(|op| match op {
                Op::Read(place) => {
                    step.updates.iter().find(|(other, _)| *other == place).map(|(_, value)| value.clone())
                }
                _ => None,
            })
        };
        let mut asserts = vec![text(&step.guard, name).holds()];
        asserts.extend(step.updates.iter().filter_map(|(_, value)| text(value, name).defined));
        asserts.extend(before.iter().map(|(n, holds)| signed(text(&formula(*n), name).text, *holds)));
        asserts.extend(after.iter().map(|(n, holds)| signed(text(&stored(&formula(*n)), name).text, *holds)));
        let program = &self.ghosted.program;
        for (n, id) in step.inputs.iter().enumerate() {
            let ty = program.input(*id).ty;
            asserts.push(format!("(and (>= i{n} (- {})) (<= i{n} {}))", -ty.min(), ty.max()));
        }
        let mut variables: Vec<String> = (0..program.globals.len()).map(|n| format!("g{n}")).collect();
        variables.extend((0..program.function(self.function).locals.len()).map(|n| format!("l{n}")));
        variables.extend((0..step.inputs.len()).map(|n| format!("i{n}")));
        variables.extend((0..step.unknowns.len()).map(|n| format!("u{n}")));
        let query = Query { variables, asserts, atoms: Vec::new() };
        self.pipe.check(&query, &[Vec::new()]) == [Answer::Sat]
    }
}

/// All valuations of some predicates.
fn cubes(kept: &[usize]) -> Vec<Vec<(usize, bool)>> {
    let value = |bits: usize, n: usize| bits >> n & 1 == 1;
    let cube = |bits| kept.iter().enumerate().map(|(at, n)| (*n, value(bits, at))).collect();
    (0..1usize << kept.len()).map(cube).collect()
}

/// Whether the machine has the step between two cubes; bits that are not kept are 0.
fn has_step(
    machine: &Abstraction,
    function: FunctionId,
    edge: rsm::EdgeId,
    before: &[(usize, bool)],
    after: &[(usize, bool)],
) -> bool {
    let module = rsm::ModuleId::new(function.index());
    let bits = &machine.bits[function.index()];
    let mut locals = vec![0; machine.rsm.module(module).locals.len()];
    before.iter().for_each(|(n, holds)| locals[bits[*n] as usize] = u64::from(*holds));
    let from = machine.rsm.module(module).edge(edge).from;
    let configuration = Configuration { globals: Vec::new(), stack: vec![Frame::new(module, from, locals)] };
    let next = successors(&machine.rsm, &configuration, 1 << 16).expect("there are few successors");
    next.iter().filter(|(taken, _)| *taken == edge).any(|(_, next)| {
        let locals = &next.stack[0].locals;
        after.iter().all(|(n, holds)| locals[bits[*n] as usize] == u64::from(*holds))
    })
}

#[test]
fn factors_and_pairs_of_cubes() {
    let solver = smt::find(None).expect("there is a solver");
    let (mut pipe, mut other) = (Pipe::new(&solver, Stop::default()), Pipe::new(&solver, Stop::default()));
    let mut cache = Cache::default();
    let (mut n_steps, mut n_pairs) = (0, 0);
    for seed in seeds(0..25) {
        let mut random = Random::new(seed);
        let program = program(&mut random, Kinds { unknowns: true, divisions: false, memory: false });
        let ghosted = Ghosted::new(&compose(&program).program);
        let predicates = Predicates::of_guards(&ghosted);
        let machine = abstraction(&ghosted, &predicates, false, &mut cache, &mut pipe);
        assert_eq!(machine.statistics.n_inexact, 0, "GETAFIX_SEED={seed}");
        for function in (0..ghosted.program.functions.len()).map(FunctionId::new) {
            for (n, back) in machine.back[function.index()].iter().enumerate() {
                let Back::Step(id) = *back else { continue };
                let edge = ghosted.program.function(function).edge(id);
                let Action::Step(step) = &edge.action else { continue };
                let kept = &machine.kept[function.index()];
                let (from, to) = (&kept[edge.from.index()], &kept[edge.to.index()]);
                if from.len() + to.len() > 6 {
                    continue;
                }
                n_steps += 1;
                let mut twin =
                    Twin { ghosted: &ghosted, predicates: &predicates, function, pipe: &mut other };
                // A cube that no state is in has no meaning.
                let nothing = Step::new(Expr::truth(true), Vec::new());
                for before in
                    cubes(from).into_iter().filter(|cube| twin.can(&nothing, cube, &[])).collect::<Vec<_>>()
                {
                    for after in cubes(to) {
                        let expected = twin.can(step, &before, &after);
                        let found = has_step(&machine, function, rsm::EdgeId::new(n), &before, &after);
                        n_pairs += 1;
                        assert_eq!(
                            found,
                            expected,
                            "GETAFIX_SEED={seed}: {} from {before:?} to {after:?}",
                            integers::show_action(&ghosted.program, function, &edge.action)
                        );
                    }
                }
            }
        }
    }
    eprintln!("{n_steps} steps, {n_pairs} pairs");
    if !testing::is_chosen() {
        assert!(n_steps >= 100 && n_pairs >= 500 && cache.n_hits > 0);
    }
}

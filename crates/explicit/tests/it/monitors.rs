//! Monitors: the product against the definition, and what is shown of it.

use crate::harness::watched::Watched;
use crate::harness::{check_lasso, check_trace, reach, repeat, with};
use base::Sources;
use bp::monitor::{Monitor, StateId};
use bp::{Product, product};
use explicit::{Answer, Order};
use generate::dice::Dice;
use generate::random::{Shape, program, seeds};
use rsm::trace::Step;
use rsm::{Concurrent, Rsm};

struct Case {
    rsm: Rsm,
    monitor: Monitor,
    product: Product,
}

fn case(text: &str, monitor: &str) -> Case {
    let mut sources = Sources::default();
    let (checked, _) = bp::load(&mut sources, "test.bp", text).expect("the program is right");
    let monitor = bp::monitor::parse(&mut sources, "test.mon", monitor, &checked);
    let monitor = monitor.unwrap_or_else(|d| panic!("{}\n{text}", base::render(&sources, &d[0])));
    let rsm = bp::lower(&checked).unwrap();
    let product = product(&rsm, &monitor);
    Case { rsm, monitor, product }
}

/// The states of the monitor at the start and after each step, those of finished calls written out.
fn one_by_one(watched: &bp::product::Watched) -> Vec<StateId> {
    fn add(
        watched: &bp::product::Watched,
        steps: &[Step],
        during: &bp::product::States,
        all: &mut Vec<StateId>,
    ) {
        assert_eq!(steps.len(), during.after.len());
        all.push(during.start);
        for (step, after) in steps.iter().zip(&during.after) {
            match step.run {
                Some(run) => add(watched, &watched.trace.runs[run].steps, &watched.runs[run], all),
                None => all.push(*after),
            }
        }
    }
    let mut all = Vec::new();
    add(watched, &watched.trace.contexts[0].steps, &watched.states, &mut all);
    all
}

impl Case {
    /// A target state is reached; the run is shown to the program, and has the states of the monitor.
    #[track_caller]
    fn reaches(&self, order: Order, text: &str) -> bool {
        let outcome = reach(&self.product.rsm, &self.product.goals, with(order));
        match outcome.answer {
            Answer::Reached(_, Some(trace)) => {
                check_trace(&self.product.rsm, &trace, text);
                let watched = self.product.back(&trace).expect("it begins with main");
                let replayed = watched.trace.replay(&Concurrent::sequential(self.rsm.clone()), &[]);
                replayed.unwrap_or_else(|fault| panic!("{fault}\n{text}"));
                let states = one_by_one(&watched);
                let states: Vec<_> = states.iter().map(|state| &self.monitor.states[state.index()]).collect();
                assert_eq!(states.len() as u128, watched.trace.n_steps() + 1);
                assert!(states[0].is_initial && states[states.len() - 1].is_target, "{text}");
                let first = states.iter().position(|state| state.is_target);
                assert!(order != Order::Bfs || first == Some(states.len() - 1), "{text}");
                true
            }
            Answer::No => false,
            other => panic!("{other:?}\n{text}"),
        }
    }

    #[track_caller]
    fn repeats(&self, order: Order, text: &str) -> bool {
        match repeat(&self.product.rsm, &self.product.goals, with(order)).answer {
            Answer::Infinite(Some(lasso)) => {
                check_lasso(&self.product.rsm, &lasso, &self.product.goals, text);
                let watched = self.product.back(&lasso).expect("it begins with main");
                check_lasso(&self.rsm, &watched.trace, &[], text);
                let states = one_by_one(&watched);
                assert_eq!(states.len() as u128, watched.trace.n_steps() + 1);
                let cycle = &states[watched.trace.n_stem() as usize..];
                assert!(cycle.iter().any(|state| self.monitor.states[state.index()].is_target), "{text}");
                true
            }
            Answer::No => false,
            other => panic!("{other:?}\n{text}"),
        }
    }
}

#[track_caller]
fn check(text: &str, monitor: &str, reaches: bool, repeats: bool) {
    let case = case(text, monitor);
    for order in crate::harness::ORDERS {
        assert_eq!(case.reaches(order, text), reaches, "{order:?} {text} {monitor}");
        assert_eq!(case.repeats(order, text), repeats, "{order:?} {text} {monitor}");
    }
}

const TWICE: &str = "monitor twice begin
    initial state free: on at(LOCK) goto held; on !at(LOCK) goto free;
    state held: on at(UNLOCK) goto free; on at(LOCK) goto broken; on !at(LOCK) & !at(UNLOCK) goto held;
    target state broken: on T goto broken; end";

#[test]
fn the_same_lock_twice_in_a_row() {
    let fine = "void lock() begin LOCK: skip; end void unlock() begin UNLOCK: skip; end
                void main() begin while (*) do lock(); unlock(); od end";
    check(fine, TWICE, false, false);
    let wrong = "void lock() begin LOCK: skip; end void unlock() begin UNLOCK: skip; end
                 void main() begin lock(); if (*) then unlock(); fi lock(); end";
    check(wrong, TWICE, true, false);
}

/// A file of the examples.
fn example(name: &str) -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/").to_owned() + name;
    std::fs::read_to_string(path).expect("the example is there")
}

#[test]
fn the_monitors_of_the_examples_tell_the_right_lock_from_the_wrong_one() {
    let (lock, safe) = (example("lock.bp"), example("safe_lock.bp"));
    let answers = |text: &str, monitor: &str| {
        let case = case(text, &example(monitor));
        (case.reaches(Order::Dfs, monitor), case.repeats(Order::Dfs, monitor))
    };
    assert_eq!(answers(&lock, "double_lock.mon"), (true, true));
    assert_eq!(answers(&safe, "double_lock.mon"), (false, false));
    assert!(answers(&lock, "never_released.mon").1);
    assert!(!answers(&safe, "never_released.mon").1);
}

#[test]
fn a_step_that_blocks_does_not_move_the_monitor() {
    let monitor = "monitor m begin initial state a: on at(L) goto b; on !at(L) goto a; target state b: end";
    check("void main() begin L: assume(F); end", monitor, false, false);
    check(
        "decl x; void main() begin L: f(); end void f() begin decl y; enforce y & !y; skip; end",
        monitor,
        false,
        false,
    );
    check("decl x; void main() begin L: x := * constrain x' & !x'; end", monitor, false, false);
    check("void main() begin L: skip; end", monitor, true, false);
}

#[test]
fn the_return_of_main_is_a_step() {
    let monitor =
        "monitor m begin initial state a: on ret(main) goto b; on !ret(main) goto a; target state b: end";
    check("void main() begin skip; end", monitor, true, false);
    check("void main() begin while (T) do od end", monitor, false, false);
}

#[test]
fn an_initial_state_may_be_a_target() {
    let monitor = "monitor m begin initial target state a: on in(main) goto a; end";
    check("void main() begin skip; end", monitor, true, false);
    check("void main() begin L: goto L; end", monitor, true, true);
    check("void main() begin while (T) do f(); od end void f() begin skip; end", monitor, true, false);
}

#[test]
fn monitors_block_and_guess() {
    let monitor = "monitor m begin initial state a: on T goto a; on at(L) goto b; target state b: on !at(L) goto b; end";
    check("void main() begin L: skip; while (T) do skip; od end", monitor, true, true);
    check("void main() begin while (T) do L: skip; od end", monitor, true, false);
}

#[test]
fn guards_read_locals_of_the_function_on_top() {
    let monitor = "monitor m begin initial state a: on f.x = 3 goto b; on T goto a; target state b: end";
    check("void main() begin f(2); end void f(x: int<2>) begin skip; end", monitor, false, false);
    check("void main() begin f(3); end void f(x: int<2>) begin skip; end", monitor, true, false);
}

/// A random monitor of a program.
fn monitor(dice: &mut Dice, rsm: &Rsm) -> String {
    let labels: Vec<String> =
        rsm.modules.iter().flat_map(|module| &module.nodes).flat_map(|node| node.labels.clone()).collect();
    let functions: Vec<&str> = rsm.modules.iter().map(|module| module.name.as_str()).collect();
    let globals = rsm.globals.iter().filter(|global| global.ty == rsm::Type::Bool);
    let globals: Vec<&str> = globals.map(|global| global.name.as_str()).collect();
    let mut text = String::from("monitor random begin\n");
    let n_states = 1 + dice.below(3);
    for state in 0..n_states {
        let initial = if state == 0 || dice.chance(20) { "initial " } else { "" };
        let target = if state + 1 == n_states || dice.chance(20) { "target " } else { "" };
        text += &format!("{initial}{target}state s{state}:\n");
        for _ in 0..1 + dice.below(3) {
            let mut guard = String::new();
            for n in 0..1 + dice.below(2) {
                guard += if n > 0 { dice.pick(&[" & ", " | "]) } else { "" };
                guard += dice.pick(&["", "", "!"]);
                guard += &match dice.below(8) {
                    0 => "T".to_owned(),
                    1 => format!("in({})", dice.pick(&functions)),
                    2 => format!("call({})", dice.pick(&functions)),
                    3 => format!("ret({})", dice.pick(&functions)),
                    4 | 5 if !globals.is_empty() => dice.pick(&globals).to_owned(),
                    6 => "*".to_owned(),
                    _ => format!("at({})", labels[dice.below(labels.len())]),
                };
            }
            text += &format!("  on {guard} goto s{};\n", dice.below(n_states));
        }
    }
    text + "end\n"
}

#[test]
fn random_monitors_of_random_programs() {
    let (mut n_compared, mut n_reached, mut n_repeated) = (0, 0, 0);
    for seed in seeds(0..250) {
        let text = program(seed, &Shape { n_statements: 4, ..Shape::small() });
        let mut dice = Dice::new(seed);
        let written = monitor(&mut dice, &crate::harness::machine(&text));
        let case = case(&text, &written);
        let Some(expected) = Watched::new(&case.rsm, &case.monitor) else { continue };
        let about = format!("seed {seed}\n{text}\n{written}");
        let order = crate::harness::ORDERS[(seed % 3) as usize];
        assert_eq!(case.reaches(order, &about), expected.reaches(), "{about}");
        assert_eq!(case.repeats(order, &about), expected.repeats(), "{about}");
        n_compared += 1;
        n_reached += u32::from(expected.reaches());
        n_repeated += u32::from(expected.repeats());
    }
    let enough = n_compared > 80 && n_reached > 40 && n_reached < n_compared && n_repeated > 10;
    assert!(enough || testing::is_chosen(), "{n_compared} {n_reached} {n_repeated}");
}

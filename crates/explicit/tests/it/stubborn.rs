//! Threads that are left out, on programs that are small enough to have many of them: few steps, few variables, no other reduction in the way.
//!
//! Each condition of `threads::forever::stubborn` matters to some of these programs: who reads what somebody writes, who waits for whom, who is
//! seen, who is never let go on because others can always move. `GETAFIX_SEED=7` or `GETAFIX_SEED=100..200` chooses the programs.

use crate::forever::{counts, lower};
use crate::harness::threads::within;
use base::{Random, Sources};
use explicit::threads::Settings;
use explicit::threads::forever::{Answer, Wanted, find, stops};
use generate::random::seeds;
use rsm::Concurrent;
use rsm::interleave::{AllRuns, Limits, Scheduler};
use rsm::observe::Observer;
use std::fmt::Write;

const TWIN: Limits = Limits { max_worlds: 400, max_depth: 2, max_outcomes: 64 };

const VARIABLES: [&str; 3] = ["x", "y", "z"];

/// What the test has seen.
#[derive(Default, Debug)]
struct Seen {
    compared: usize,
    /// Questions with a run, and without.
    found: [usize; 2],
    /// Searches in which threads were left out.
    smaller: usize,
    deadlocks: usize,
    too_large: usize,
}

struct Writer {
    random: Random,
    text: String,
    n_labels: usize,
}

impl Writer {
    fn variable(&mut self) -> &'static str {
        VARIABLES[self.random.below(3) as usize]
    }

    fn statement(&mut self, depth: usize) {
        let (a, b) = (self.variable(), self.variable());
        let _ = match self.random.below(if depth == 0 { 9 } else { 12 }) {
            0 => write!(self.text, "{a} := !{a}; "),
            1 => write!(self.text, "{a} := T; "),
            2 => write!(self.text, "{a} := F; "),
            3 => write!(self.text, "{a} := {b}; "),
            4 => write!(self.text, "assume({a}); "),
            5 => write!(self.text, "assume(!{a}); "),
            6 => write!(self.text, "atomic begin assume({a}); {b} := !{b}; end "),
            7 | 8 => {
                self.n_labels += 1;
                write!(self.text, "L{}: skip; ", self.n_labels)
            }
            9 => write!(self.text, "while (*) do skip; od "),
            n => {
                let condition = if n == 10 { "*" } else { a };
                let _ = write!(self.text, "if ({condition}) then ");
                self.statement(depth - 1);
                write!(self.text, "fi ")
            }
        };
    }

    fn thread(&mut self, n: usize) {
        let copies = if self.random.chance(20) { "[2]" } else { "" };
        let _ = write!(self.text, "thread t{n}{copies} begin void main() begin ");
        let is_endless = self.random.chance(70);
        self.text.push_str(if is_endless { "while (T) do " } else { "" });
        for _ in 0..=self.random.below(2) {
            self.statement(1);
        }
        self.text.push_str(if is_endless { "od end end\n" } else { "end end\n" });
    }

    fn proposition(&mut self) -> String {
        let not = if self.random.chance(50) { "!" } else { "" };
        match self.n_labels {
            n if n > 0 && self.random.chance(50) => format!("{not}at(L{})", self.random.below(n as u64) + 1),
            _ => format!("{not}{}", self.variable()),
        }
    }

    fn formula(&mut self) -> String {
        let (a, b) = (self.proposition(), self.proposition());
        match self.random.below(9) {
            0 => format!("G F {a}"),
            1 => format!("F G {a}"),
            2 => format!("G {a}"),
            3 => format!("F {a}"),
            4 => format!("G ({a} -> F {b})"),
            5 => format!("{a} U {b}"),
            6 => format!("G F {a} -> G F {b}"),
            7 => format!("F ({a} & F {b})"),
            _ => format!("G ({a} | F G {b})"),
        }
    }
}

fn program(seed: u64) -> Writer {
    let mut writer =
        Writer { random: Random::new(seed ^ 0x57ab), text: "decl x, y, z;\n".to_owned(), n_labels: 0 };
    if writer.random.chance(70) {
        writer.text.push_str("init !x & !y & !z;\n");
    }
    for n in 0..2 + writer.random.below(2) as usize {
        writer.thread(n);
    }
    writer
}

/// Whether there is a run; with threads left out, and without.
fn compare(program: &Concurrent, observer: &Observer, what: &str, seen: &mut Seen) {
    let Ok(twin) = AllRuns::new(program, &counts(program), observer, TWIN) else {
        seen.too_large += 1;
        return;
    };
    seen.compared += 1;
    let has = twin.has(Scheduler::Any, observer);
    seen.found[usize::from(!has)] += 1;
    let mut n_states = Vec::new();
    for stubborn_sets in [true, false] {
        let settings = Settings { stubborn_sets, ..Settings::default() };
        let any = Wanted::Run(Scheduler::Any);
        let found = within(|limits| find(program, observer, any, settings, limits)).expect("they are few");
        match found.answer {
            Answer::Yes(Some(trace)) => {
                assert!(has, "there is none\n{what}");
                trace.thread_cycle(program, observer).unwrap_or_else(|error| panic!("{error}\n{what}"));
            }
            Answer::No => assert!(!has, "there is one, stubborn sets: {stubborn_sets}\n{what}"),
            other => panic!("{other:?}\n{what}"),
        }
        n_states.push(found.figures.states);
    }
    seen.smaller += usize::from(n_states[0] < n_states[1]);
}

/// Whether some run comes to a deadlock, and whether one ends.
fn compare_stops(program: &Concurrent, what: &str, seen: &mut Seen) {
    let Ok(twin) = AllRuns::new(program, &counts(program), &Observer::of_everything(), TWIN) else { return };
    let found = within(|limits| stops(program, Settings::default(), limits));
    assert_eq!(found, Some(twin.stops()), "{what}");
    seen.deadlocks += usize::from(twin.stops().deadlock);
}

#[test]
fn nothing_is_lost_where_threads_are_left_out() {
    let mut seen = Seen::default();
    for seed in seeds(0..400) {
        let mut writer = program(seed);
        let (checked, threads) = lower(&writer.text);
        let formulas = [(); 4].map(|()| writer.formula());
        for formula in &formulas {
            let what = format!("seed {seed}, {formula}\n{}", writer.text);
            let watched =
                ltl::violations_of_threads(&mut Sources::default(), "ltl", formula, &checked, &threads);
            let observer = watched.unwrap_or_else(|errors| panic!("{errors:?}\n{what}")).observer;
            compare(&threads, &observer, &what, &mut seen);
        }
        compare_stops(&threads, &format!("seed {seed}\n{}", writer.text), &mut seen);
    }
    println!("{seen:#?}");
    if !testing::is_chosen() {
        assert!(seen.compared > 1_000 && seen.found.iter().all(|n| *n > 300), "{seen:#?}");
        assert!(seen.smaller > 80 && seen.deadlocks > 40, "{seen:#?}");
    }
}

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

const TWIN: Limits = Limits { max_worlds: 400, max_depth: 4, max_outcomes: 64 };

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
    /// Searches of programs with functions in which threads were left out.
    with_calls: usize,
}

struct Writer {
    random: Random,
    text: String,
    n_labels: usize,
    /// The thread has functions `f`, which returns nothing, and `g`.
    has_functions: bool,
}

impl Writer {
    fn variable(&mut self) -> &'static str {
        VARIABLES[self.random.below(3) as usize]
    }

    fn statement(&mut self, depth: usize) {
        let (a, b, c) = (self.variable(), self.variable(), self.variable());
        let n_shapes = if depth == 0 { 14 } else { 17 };
        let _ = match self.random.below(n_shapes) {
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
            // What is seen may change twice.
            9 => write!(self.text, "atomic begin {a} := !{a}; {b} := {c}; end "),
            10 => {
                self.n_labels += 1;
                write!(self.text, "atomic begin L{}: skip; {a} := {c}; {b} := !{b}; end ", self.n_labels)
            }
            11 => {
                let conditions = [format!("{a} | {b}"), format!("{a} & !{b}"), format!("!({a} & {b})")];
                write!(self.text, "assume({}); ", conditions[self.random.below(3) as usize])
            }
            12 | 13 if self.has_functions => {
                let calls =
                    ["f(); ".to_owned(), format!("{a} := g(); "), "atomic begin f(); end ".to_owned()];
                self.text.push_str(&calls[self.random.below(3) as usize]);
                return;
            }
            12 => self.text.write_str("x, y := y, x; "),
            13 => write!(self.text, "{a} := *; "),
            14 => write!(self.text, "while (*) do skip; od "),
            n => {
                let condition = if n == 15 { "*" } else { a };
                let _ = write!(self.text, "if ({condition}) then ");
                self.statement(depth - 1);
                write!(self.text, "fi ")
            }
        };
    }

    fn thread(&mut self, n: usize) {
        let copies = if self.random.chance(20) { "[2]" } else { "" };
        let _ = write!(self.text, "thread t{n}{copies} begin ");
        if self.random.chance(30) {
            for head in ["void f()", "bool g()"] {
                let _ = write!(self.text, "{head} begin ");
                self.statement(0);
                let returned = if head.starts_with("bool") { self.variable() } else { "" };
                let _ = write!(self.text, "return {returned}; end ");
            }
            self.has_functions = true;
        }
        self.text.push_str("void main() begin ");
        if self.random.chance(10) {
            let (a, b) = (self.variable(), self.variable());
            let _ = write!(self.text, "enforce {a} | !{b}; ");
        }
        let is_endless = self.random.chance(70);
        self.text.push_str(if is_endless { "while (T) do " } else { "" });
        for _ in 0..=self.random.below(2) {
            self.statement(1);
        }
        self.text.push_str(if is_endless { "od end end\n" } else { "end end\n" });
        self.has_functions = false;
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
    let (random, text) = (Random::new(seed ^ 0x57ab), "decl x, y, z;\n".to_owned());
    let mut writer = Writer { random, text, n_labels: 0, has_functions: false };
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
    let is_smaller = n_states[0] < n_states[1];
    seen.smaller += usize::from(is_smaller);
    seen.with_calls += usize::from(is_smaller && what.contains("g()"));
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
        assert!(seen.with_calls > 20, "{seen:#?}");
    }
}

/// Asks about one program, in which a run is lost by a search that leaves out the wrong thread.
#[track_caller]
fn check(text: &str, formula: &str) {
    let (checked, program) = lower(text);
    let watched = ltl::violations_of_threads(&mut Sources::default(), "ltl", formula, &checked, &program);
    let observer = watched.unwrap_or_else(|errors| panic!("{errors:?}")).observer;
    let mut seen = Seen::default();
    compare(&program, &observer, text, &mut seen);
    assert_eq!(seen.found, [1, 0], "there is a run");
}

#[test]
fn who_waits_needs_whoever_lets_it_go_on() {
    // The first thread comes to L only if it is last.
    check(
        "decl x, y, z;
init !x & !y & !z;
thread a begin void main() begin y := x; if (y) then L: skip; fi while (T) do skip; od end end
thread b begin void main() begin assume(z); x := T; end end
thread c begin void main() begin z := T; end end
",
        "G !at(L)",
    );
}

#[test]
fn who_can_always_go_on_does_not_keep_others_from_being_seen() {
    check(
        "decl x, y;
init !x & !y;
thread a begin void main() begin while (T) do y := !y; od end end
thread b begin void main() begin x := T; end end
",
        "G !x",
    );
}

#[test]
fn who_writes_what_another_reads_is_not_left_out() {
    check(
        "decl x, y;
init !x & !y;
thread a begin void main() begin x := T; while (T) do skip; od end end
thread b begin void main() begin y := x; if (!y) then L: skip; fi end end
",
        "G !at(L)",
    );
}

#[test]
fn if_one_is_seen_all_who_are_seen_count() {
    // The third thread has to be first, though the others have to do with each other and not with it.
    check(
        "decl x, y, z;
init !x & !y & !z;
thread a begin void main() begin z := T; end end
thread b begin void main() begin x := !z; end end
thread c begin void main() begin y := T; while (T) do skip; od end end
",
        "G !(y & !x & F x)",
    );
}

#[test]
fn nobody_is_let_into_an_atomic_region_that_somebody_else_has_to_open() {
    // What is seen changes twice inside, so that the first thread would stop there, before it waits; the others have nothing to do with
    // what it has done so far.
    let opens = |others: &str| {
        format!(
            "decl x, y, z, w, v;
init !x & !y & !z & w;
thread a begin void main() begin atomic begin assume(!z); y := T; y := F; assume(x = w); end M: while (T) do skip; od end end
{others}
thread q begin void main() begin x := T; end end
"
        )
    };
    check(&opens("thread r begin void main() begin z := T; end end"), "G !at(M) | G !y");
    check(&opens("thread r[2] begin void main() begin while (T) do v := !v; od end end"), "G !at(M) | G !y");
}

/// The first thread comes to L only if the other one writes before it reads.
#[track_caller]
fn check_reader(declared: &str, writer: &str) {
    let reader =
        "thread u begin void main() begin c := x; if (c) then L: skip; fi while (T) do skip; od end end";
    check(&format!("{declared}\n{reader}\nthread t begin {writer} end\n"), "G !at(L)");
}

#[test]
fn who_waits_for_one_of_two_conditions_does_not_wait_if_one_holds() {
    // Somebody might write what it waits for, so that it stops there.
    let others =
        "decl c, x, y, z; init !c & !x & y & !z; thread v begin void main() begin assume(z); y := F; end end";
    check_reader(others, "void main() begin assume(x | y); x := T; end");
    check_reader(others, "void main() begin assume(!(!x & !y)); x := T; end");
}

#[test]
fn what_a_thread_comes_to_in_other_functions_counts() {
    let others =
        "decl c, x, y; init !c & !x & !y; thread v begin void main() begin assume(y); y := F; end end";
    // Behind the function that it is in.
    check_reader(others, "void f() begin y := !y; y := !y; end void main() begin f(); x := T; end");
    // In a function that it is going to call.
    check_reader(others, "void f() begin x := T; end void main() begin y := !y; f(); end");
}

#[test]
fn what_a_return_stores_counts() {
    check(
        "decl c, x;
init !c & !x;
thread t begin bool g() begin return T; end void main() begin x := g(); while (T) do skip; od end end
thread u begin void main() begin c := x; if (!c) then L: skip; fi end end
",
        "G !at(L)",
    );
}

#[test]
fn what_a_call_touches_that_is_one_step_counts() {
    check(
        "decl w, x, z;
init !w & !x & z;
thread a
begin
  void r() begin if (z) then z := F; r(); fi w := x; end
  void main() begin atomic begin r(); end if (w) then L: skip; fi while (T) do skip; od end
end
thread b begin void main() begin x := T; end end
",
        "G !at(L)",
    );
}

#[test]
fn who_is_kept_away_by_an_enforced_condition_needs_whoever_writes_it() {
    check(
        "decl x, y;
init !x & !y;
thread a begin void main() begin enforce x; y := T; L: skip; end end
thread b begin void main() begin x := T; x := F; while (T) do skip; od end end
",
        "G !at(L)",
    );
}

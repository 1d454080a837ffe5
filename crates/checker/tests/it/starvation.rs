//! `starvation.mu` against the explicit engine: a run in which from some moment on nobody is at a label.
//!
//! What the formula finds the explicit engine has to find, too. Where a run that the explicit engine shows is one that the formula looks
//! for, since one thread goes on alone after few switches, the formula has to find one. `GETAFIX_SEED=7` or `GETAFIX_SEED=100..200` chooses
//! the programs.

use base::Sources;
use checker::{
    Asker, Bound, Engine, Explicit, Formula, Limits, Outcome, Problem, Question, Symbolic, Target, Verdict,
    Wanted, WantedTrace, Watch,
};
use generate::random::{looping, seeds};
use rsm::Concurrent;
use rsm::observe::Observer;
use rsm::trace::{End, Trace};

fn lower(text: &str) -> (bp::Checked, Concurrent) {
    let loaded = bp::load(&mut Sources::default(), "random.bp", text);
    let (checked, _) = loaded.unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let options = bp::ThreadOptions { slots: 0, async_labels: true };
    let threads = bp::lower_threads(&checked, options).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    (checked, threads)
}

fn ask(engine: &dyn Engine, problem: &Problem) -> Outcome {
    let mut asker = Asker { sources: &mut Sources::default(), known: &mut |_, _| {} };
    engine
        .answer(problem, &Limits::default(), &mut asker)
        .unwrap_or_else(|failure| panic!("{}: {failure:?}", engine.name()))
}

/// What the formula says within so many switches.
fn by_formula(program: &Concurrent, target: &Target, switches: u32) -> bool {
    let formula = Formula::shipped("starvation").expect("it comes with the program");
    let problem = Problem {
        program,
        question: Question::Reach,
        targets: std::slice::from_ref(target),
        bound: Some(Bound::Switches(switches)),
        wanted: Wanted::default(),
        watch: Watch::default(),
    };
    match ask(&Symbolic::new(formula), &problem).finding.verdict {
        Verdict::Yes => true,
        Verdict::No => false,
        Verdict::Unknown(reason) => panic!("{reason:?}"),
    }
}

/// What the explicit engine says; a run if there is one. Nothing if it does not know.
fn by_states(program: &Concurrent, observer: &Observer) -> Option<Option<Trace>> {
    let problem = Problem {
        program,
        question: Question::Infinite,
        targets: &[],
        bound: Some(Bound::Every),
        wanted: Wanted { trace: WantedTrace::Any, certificate: false },
        watch: Watch { observer: Some(observer), ..Watch::default() },
    };
    let outcome = ask(&Explicit::default(), &problem);
    match outcome.finding.verdict {
        Verdict::Yes => Some(Some(outcome.trace.expect("the run is short"))),
        Verdict::No => Some(None),
        Verdict::Unknown(_) => None,
    }
}

/// After at most so many switches one thread goes on alone, and no calls are left open.
fn goes_on_alone(program: &Concurrent, trace: &Trace, observer: &Observer, switches: usize) -> bool {
    let End::Cycle { first } = trace.end else { return false };
    let lengths: Vec<usize> = trace.contexts.iter().map(|context| context.steps.len()).collect();
    let before_last: usize = lengths[..lengths.len() - 1].iter().sum();
    let is_flat = trace
        .thread_cycle(program, observer)
        .is_ok_and(|cycle| cycle.growth.iter().all(|growth| *growth == 0));
    first >= before_last && lengths.len() <= switches + 1 && is_flat
}

#[derive(Default, Debug)]
struct Seen {
    compared: usize,
    /// Both find a run.
    both: usize,
    /// Only the explicit engine does: rounds are longer.
    longer: usize,
    neither: usize,
}

#[test]
fn whoever_starves_by_the_formula_starves() {
    let mut seen = Seen::default();
    for seed in seeds(0..70) {
        let program = looping(seed);
        let (checked, threads) = lower(&program.text);
        for label in program.labels.iter().take(2) {
            let what = format!("seed {seed}, {label}\n{}", program.text);
            let formula = format!("G F at({label})");
            let watched =
                ltl::violations_of_threads(&mut Sources::default(), "ltl", &formula, &checked, &threads);
            let observer = watched.unwrap_or_else(|errors| panic!("{errors:?}\n{what}")).observer;
            let Some(expected) = by_states(&threads, &observer) else { continue };
            let target = checker::find_thread_target(&threads, label).expect("there is such a label");
            let switches = 1 + (seed % 2) as u32;
            let is_found = by_formula(&threads, &target, switches);
            seen.compared += 1;
            match (is_found, expected) {
                (true, None) => panic!("there is no such run\n{what}"),
                (true, Some(_)) => seen.both += 1,
                (false, Some(trace)) => {
                    let is_alone = goes_on_alone(&threads, &trace, &observer, switches as usize);
                    assert!(!is_alone, "the formula misses a run within {switches} switches\n{what}");
                    seen.longer += 1;
                }
                (false, None) => seen.neither += 1,
            }
        }
    }
    eprintln!("{seen:?}");
    if std::env::var_os("GETAFIX_SEED").is_none() {
        assert!(seen.compared >= 60 && seen.both >= 20 && seen.neither >= 5, "{seen:?}");
    }
}

const TOGGLED: &str = "decl x;
init !x;
thread p begin void main() begin while (T) do atomic begin assume(!x); x := T; end od end end
thread q begin void main() begin while (T) do atomic begin assume(x); x := F; end od end end
thread r begin void main() begin while (T) do assume(!x); M: assume(x); od end end
";

/// Two threads that need each other go round, and the third is forgotten: a round takes two contexts, after one of each.
#[test]
fn a_round_of_several_threads_is_found() {
    let (_, threads) = lower(TOGGLED);
    let target = checker::find_thread_target(&threads, "M").expect("there is such a label");
    assert!(!by_formula(&threads, &target, 3));
    assert!(by_formula(&threads, &target, 4));
}

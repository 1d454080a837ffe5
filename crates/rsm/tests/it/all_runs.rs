//! Runs of threads that never end, and those that nobody can continue, program by program.

use crate::interleave::{counts, program};
use rsm::interleave::{AllRuns, Limits, Scheduler, Stops, initials, is_deadlock, is_unstarted};
use rsm::observe::{Observer, Who};
use rsm::{Concurrent, ModuleId, NodeId, Slot};

fn all(program: &Concurrent, observer: &Observer) -> AllRuns {
    AllRuns::new(program, &counts(program), observer, Limits::default())
        .unwrap_or_else(|_| panic!("the program is small"))
}

/// Whether some run goes on for ever, under any, a weakly fair and a strongly fair schedule.
fn goes_on(text: &str) -> [bool; 3] {
    let (program, observer) = (program(text), Observer::of_everything());
    let all = all(&program, &observer);
    assert!(!all.reaches());
    Scheduler::ALL.map(|scheduler| all.has(scheduler, &observer))
}

/// The same for runs in which somebody is at the label again and again.
fn comes_back(text: &str) -> [bool; 3] {
    let program = program(text);
    let modules = program.machine.modules.iter().enumerate();
    let places = modules.flat_map(|(m, module)| {
        let nodes = module.nodes.iter().enumerate().filter(|(_, node)| !node.labels.is_empty());
        nodes.map(move |(n, _)| (ModuleId::new(m), NodeId::new(n)))
    });
    let observer = Observer::of_places(Who { block: None, copy: None }, places.collect());
    let all = all(&program, &observer);
    Scheduler::ALL.map(|scheduler| all.has(scheduler, &observer))
}

fn stops(text: &str) -> Stops {
    let program = program(text);
    all(&program, &Observer::of_everything()).stops()
}

/// `f` runs while the flag is not set, `main` sets it.
const WAITS: &str = "global done
init done !
thread a 1 main
thread b 1 f
module main
0 1 set done := done done ! |
1 2 return
module f
label 1 L
0 1 assume done !
0 2 assume done
1 0 skip
2 3 return";

/// `main` can end it every other time only.
const EVERY_OTHER: &str = "global done even
init done ! even &
thread a 1 main
thread b 1 f
module main
0 1 assume even
1 2 set done := done done ! |
2 3 return
module f
0 1 set even := even !
1 2 set even := even !
2 0 assume done !
2 3 assume done
3 4 return";

#[test]
fn who_can_always_go_on_does_under_a_fair_schedule() {
    assert_eq!(Scheduler::ALL, [Scheduler::Any, Scheduler::Weak, Scheduler::Strong]);
    assert_eq!(goes_on(WAITS), [true, false, false]);
    assert_eq!(goes_on(EVERY_OTHER), [true, true, false]);
    let alone = "thread a 1 main\nmodule main\n0 0 skip\n0 1 return";
    assert_eq!(goes_on(alone), [true, true, true]);
    assert_eq!(goes_on("thread a 2 main\nmodule main\n0 1 skip\n1 2 return"), [false; 3]);
}

#[test]
fn what_is_passed_again_and_again() {
    assert_eq!(comes_back(WAITS), [true, false, false]);
    let once = "thread a 1 main\nmodule main\nlabel 0 L\n0 1 skip\n1 1 skip\n1 2 return";
    assert_eq!(goes_on(once), [true; 3]);
    assert_eq!(comes_back(once), [false; 3]);
    assert_eq!(comes_back(&once.replace("label 0 L", "label 1 L")), [true; 3]);
}

#[test]
fn how_runs_stop() {
    assert_eq!(stops(WAITS), Stops { ended: true, deadlock: false });
    let crossed = "global a b
init a ! b ! &
thread p 1 main
thread q 1 g
module main
0 1 assume b
1 2 return
module g
0 1 assume a
1 2 return";
    assert_eq!(stops(crossed), Stops { ended: false, deadlock: true });
    // One of them may be let go, and the other one waits for ever.
    let one = crossed.replace("init a ! b ! &", "init a ! b &");
    assert_eq!(stops(&one), Stops { ended: false, deadlock: true });
    assert_eq!(
        stops(&crossed.replace("init a ! b ! &", "init a b &")),
        Stops { ended: true, deadlock: false }
    );
}

#[test]
fn the_thread_of_a_slot_that_nobody_has_taken_waits_for_nothing() {
    let text = "global a taken\ninit a ! taken ! &\nthread p 1 main\nthread q 1 g\nmodule main\n0 1 skip\n1 2 return\nmodule g\n0 1 assume a\n1 2 return";
    let mut program = program(text);
    let world = |program: &Concurrent| initials(program, &counts(program), 1 << 10).expect("few").remove(0);
    let before = world(&program);
    assert!(!is_unstarted(&program, &before.shared, &before.threads[1]));
    assert_eq!(all(&program, &Observer::of_everything()).stops(), Stops { ended: false, deadlock: true });
    program.slots.push(Slot { block: 1, variables: vec![1] });
    let mut world = world(&program);
    assert!(is_unstarted(&program, &world.shared, &world.threads[1]));
    assert!(!is_unstarted(&program, &world.shared, &world.threads[0]));
    assert_eq!(is_deadlock(&program, &world, 1 << 10), Ok(false));
    // It has been taken, and its thread waits for `a`; the other one has ended.
    world.shared[1] = 1;
    assert!(!is_unstarted(&program, &world.shared, &world.threads[1]));
    world.threads[0].stack.clear();
    assert_eq!(is_deadlock(&program, &world, 1 << 10), Ok(true));
}

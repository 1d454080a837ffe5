//! Concurrent programs: which bounds their goals need, and which runs are runs.
//!
//! Threads are written in the notation of the harness, with these lines more:
//!
//! ```text
//! thread a 2 main p q       so many copies (`*`: any number), where they start, their private globals
//! flag a q                  the flag of a block
//! start a p q !=            a condition for the private globals at the start
//! atomic f 1 2              nodes in an atomic block
//! ```
//!
//! All other lines describe the machine. Private globals are declared after the shared ones.

use crate::harness::{code, machine, on_a_small_stack};
use base::{FileId, Span, Stop, StopReason};
use rsm::interleave::{
    Bound, Closure, Least, Limits, ThreadId, Unfinished, World, closes, declaration_order, find_run,
    initials, is_initial, least_rounds, least_switches,
};
use rsm::step::Frame;
use rsm::trace::{Context, End, Trace};
use rsm::{Action, Concurrent, Copies, EdgeId, Goal, ModuleId, NodeId, Rsm, ThreadBlock, ThreadGoal};

/// The program a text describes.
pub fn program(text: &str) -> Concurrent {
    let is_ours = |line: &&str| {
        let first = line.split_whitespace().next();
        matches!(first, Some("thread" | "flag" | "start" | "atomic"))
    };
    let (ours, rest): (Vec<&str>, Vec<&str>) = text.lines().partition(is_ours);
    let mut machine = machine(&rest.join("\n"));
    let mut blocks: Vec<ThreadBlock> = Vec::new();
    for line in ours {
        let words: Vec<&str> = line.split_whitespace().collect();
        let block = blocks.iter().position(|block| block.name == words[1]);
        match (words[0], block) {
            ("thread", _) => blocks.push(new_block(&machine, &words)),
            ("atomic", _) => {
                let module = module_named(&machine, words[1]);
                for node in &words[2..] {
                    let node: usize = node.parse().unwrap();
                    machine.modules[module.index()].nodes[node].in_atomic = true;
                }
            }
            ("flag", Some(block)) => blocks[block].flag = Some(global_named(&machine, words[2])),
            ("start", Some(block)) => blocks[block].init.push(code(&machine, &words[2..].join(" "))),
            _ => panic!("cannot read {line}"),
        }
    }
    let first_private = blocks.iter().flat_map(|block| &block.private).min();
    let n_shared = first_private.map_or(machine.globals.len(), |first| *first as usize);
    Concurrent { machine, n_shared, blocks, is_whole: true, slots: Vec::new(), starts: Vec::new() }
}

fn new_block(machine: &Rsm, words: &[&str]) -> ThreadBlock {
    ThreadBlock {
        name: words[1].to_owned(),
        span: Span { file: FileId(0), start: 0, end: 0 },
        copies: words[2].parse().map_or(Copies::Any, Copies::Number),
        main: module_named(machine, words[3]),
        modules: (0..machine.modules.len()).map(ModuleId::new).collect(),
        private: words[4..].iter().map(|name| global_named(machine, name)).collect(),
        init: Vec::new(),
        flag: None,
    }
}

fn module_named(machine: &Rsm, name: &str) -> ModuleId {
    ModuleId::new(machine.modules.iter().position(|module| module.name == name).unwrap())
}

fn global_named(machine: &Rsm, name: &str) -> u32 {
    machine.globals.iter().position(|variable| variable.name == name).unwrap() as u32
}

/// The number of copies of each block, for programs that say it.
pub fn counts(program: &Concurrent) -> Vec<u32> {
    let count = |block: &ThreadBlock| match block.copies {
        Copies::Number(number) => number,
        Copies::Any => panic!("{} has any number of copies", block.name),
    };
    program.blocks.iter().map(count).collect()
}

/// Every label and every assertion that may fail, with its name.
fn goals(program: &Concurrent) -> Vec<(String, ThreadGoal)> {
    let mut goals = Vec::new();
    for (n, module) in program.machine.modules.iter().enumerate() {
        let id = ModuleId::new(n);
        let mut add = |name: String, goal| goals.push((name, ThreadGoal { goal, copy: None }));
        for (node, labels) in module.nodes.iter().map(|node| &node.labels).enumerate() {
            labels.iter().for_each(|label| add(label.clone(), Goal::At(id, NodeId::new(node))));
        }
        for (n, edge) in module.edges.iter().enumerate() {
            if matches!(edge.action, Action::Assert(_)) {
                add(format!("{}!{}", module.name, edge.from.0), Goal::Failure(id, EdgeId::new(n)));
            }
        }
    }
    goals
}

/// The least number of context switches to every goal.
#[track_caller]
fn check_switches(text: &str, expected: &str) {
    let program = program(text);
    check_bound(&program, &counts(&program), expected, Bound::Switches(20));
}

/// The least number of rounds to every goal, in the order of the text.
#[track_caller]
fn check_rounds(text: &str, expected: &str) {
    let program = program(text);
    let counts = counts(&program);
    let order = declaration_order(&counts);
    check_bound(&program, &counts, expected, Bound::Rounds { rounds: 20, order: &order });
}

/// The least bound for every goal; there is a run within it, and none within less.
#[track_caller]
fn check_bound(program: &Concurrent, counts: &[u32], expected: &str, bound: Bound<'_>) {
    let (names, goals): (Vec<String>, Vec<ThreadGoal>) = goals(program).into_iter().unzip();
    let Least { least, is_cut } = least(program, counts, &goals, bound, Limits::default());
    assert!(!is_cut, "stacks are too deep");
    let answer = |(name, least): (&String, &Option<u32>)| {
        least.map_or_else(|| format!("{name} never"), |least| format!("{name} {least}"))
    };
    assert_eq!(names.len(), least.len());
    let answers: Vec<String> = names.iter().zip(&least).map(answer).collect();
    assert_eq!(answers.join(", "), expected);
    for (goal, least) in goals.iter().zip(least) {
        let goals = &[*goal];
        let run =
            |bound| find_run(program, counts, goals, bound, Limits::default(), &Stop::default()).unwrap();
        let found = run(bound);
        assert_eq!(found.is_some(), least.is_some());
        let (Some(found), Some(least)) = (found, least) else { continue };
        assert_eq!(found.replay(program, goals), Ok(()));
        assert!(found.fits(with(bound, least)));
        if least > 0 {
            assert!(!found.fits(with(bound, least - 1)));
            assert_eq!(run(with(bound, least - 1)), None);
        }
    }
}

/// The bound with another number.
fn with(bound: Bound<'_>, number: u32) -> Bound<'_> {
    match bound {
        Bound::Switches(_) => Bound::Switches(number),
        Bound::Rounds { order, .. } => Bound::Rounds { rounds: number, order },
    }
}

/// The least numbers for goals.
fn least(
    program: &Concurrent,
    counts: &[u32],
    goals: &[ThreadGoal],
    bound: Bound<'_>,
    limits: Limits,
) -> Least {
    let stop = &Stop::default();
    match bound {
        Bound::Switches(number) => least_switches(program, counts, goals, number, limits, stop).unwrap(),
        Bound::Rounds { rounds, order } => {
            least_rounds(program, counts, goals, order, rounds, limits, stop).unwrap()
        }
    }
}

#[test]
fn a_first_statement_needs_neither_switches_nor_rounds() {
    let text = "thread a 1 main\nthread b 1 other\nmodule main\nlabel 0 A\nlabel 1 A1\n0 1 skip\n1 2 return\n\
                module other\nlabel 0 B\nlabel 1 B1\n0 1 skip\n1 2 return";
    check_switches(text, "A 0, A1 0, B 0, B1 0");
    check_rounds(text, "A 0, A1 1, B 0, B1 1");
}

#[test]
fn every_switch_counts_and_a_round_follows_the_order() {
    let text = "global g h\ninit g h | !\nthread a 1 main\nthread b 1 other\n\
                module main\n0 1 assume g\n1 2 set h := T\nlabel 2 A\n2 3 return\n\
                module other\n0 1 set g := T\n1 2 assume h\nlabel 2 B\n2 3 return";
    check_switches(text, "A 1, B 2");
    check_rounds(text, "A 2, B 2");
    // In the other order the first round is enough for A.
    let program = program(text);
    let order = [ThreadId(1), ThreadId(0)];
    check_bound(&program, &[1, 1], "A 1, B 2", Bound::Rounds { rounds: 9, order: &order });
}

/// Two threads that increment a number, and one that looks at it when they are done.
const INCREMENTS: &str = "global i:2 n:2\ninit i 0:2 = n 0:2 = &\nthread a 2 main\nthread b 1 look\n\
    module main ; x:2\n0 1 skip\n1 2 set x := i\n2 3 set i := x 1:2 +\n3 4 set n := n 1:2 +\n4 5 return\n\
    module look\n0 1 assume n 2:2 =\n1 2 assert i 2:2 =\n2 3 return\n";

#[test]
fn an_increment_in_two_steps_gets_lost() {
    check_switches(INCREMENTS, "look!1 3");
    check_rounds(INCREMENTS, "look!1 2");
}

#[test]
fn nobody_interferes_with_an_atomic_block() {
    check_switches(&format!("{INCREMENTS}atomic main 2"), "look!1 never");
    check_rounds(&format!("{INCREMENTS}atomic main 2"), "look!1 never");
}

/// A thread that sets `a` for a while, in a callee, and one that looks at it.
const CALLEE: &str = "global a\ninit a !\nthread a 1 main\nthread b 1 look\n\
    module main\n0 1 call f ( )\n1 2 return\nmodule f\n0 1 set a := T\n1 2 set a := F\n2 3 return\n\
    module look\n0 1 assert a !\n1 2 return\n";

#[test]
fn a_callee_of_atomic_code_is_atomic() {
    check_switches(CALLEE, "look!0 1");
    let text = CALLEE.replace("0 1 call f ( )\n1 2", "0 1 skip\n1 2 call f ( )\n2 3");
    check_switches(&format!("{text}atomic main 1"), "look!0 never");
}

/// A thread that tells another one to go on while its flag is set.
const FLAG: &str = "global g p\ninit g !\nthread a 1 main p\nflag a p\nstart a p !\nthread b 1 wait\n\
    module wait\n0 1 assume g\nlabel 1 L\n1 2 return\n\
    module main\n0 1 set p := T\n1 2 set g := T\n";

#[test]
fn nobody_else_runs_while_the_flag_is_set() {
    check_switches(&format!("{FLAG}2 3 set g := F\n3 4 set p := F\n4 5 return"), "L never");
    check_switches(&format!("{FLAG}2 3 skip\n3 4 set p := F\n4 5 return"), "L 1");
}

#[test]
fn a_thread_that_ends_with_its_flag_set_stops_all() {
    check_switches(&format!("{FLAG}2 3 return"), "L never");
}

/// A thread that tells another one to go on from node 1, which is atomic.
const BLOCK: &str = "global g\ninit g !\nthread a 1 main\nthread b 1 wait\natomic main 1\n\
    module wait\n0 1 assume g\nlabel 1 L\n1 2 return\n\
    module main\n0 1 skip\n1 2 set g := T\n";

#[test]
fn leaving_the_block_by_any_way_ends_it() {
    check_switches(&format!("{BLOCK}2 3 return"), "L 1");
    // The same if `main` returns from inside.
    check_switches(&format!("{BLOCK}2 3 return\natomic main 2"), "L 1");
}

#[test]
fn a_thread_that_blocks_inside_stops_all() {
    check_switches(&format!("{BLOCK}2 3 assume F\n3 4 return\natomic main 2"), "L never");
}

#[test]
fn a_recursion_goes_on_after_a_switch() {
    let text = "global g h i:3\ninit g h | !\ninit i 0:3 =\nthread a 1 main\nthread b 1 other\n\
                module main\n0 1 call f ( 3:2 )\n1 2 assume i 4:3 =\nlabel 2 L\n2 3 return\n\
                module f p:2\n0 1 assume p 0:2 !=\n1 3 call f ( p 1:2 - )\n0 2 assume p 0:2 =\n\
                2 5 set h := T\n5 3 assume g\n3 4 set i := i 1:3 +\n4 6 return\n\
                module other\n0 1 assume h\n1 2 set g := T\n2 3 return";
    check_switches(text, "L 2");
    check_rounds(text, "L 2");
}

/// A thread that runs only where `g` holds, and one that may change it.
const ENFORCE: &str = "global g\nthread a 1 main\nthread b 1 other\n\
    module main\nenforce g\nlabel 0 S\n0 1 assert g\nlabel 1 L\n1 2 return\n\
    module other\n0 1 set g := g !\n1 2 return\n";

#[test]
fn a_thread_waits_where_its_enforce_fails() {
    check_switches(&format!("{ENFORCE}init g"), "S 0, L 0, main!0 never");
    check_switches(&format!("{ENFORCE}init g !"), "S 1, L 1, main!0 never");
    check_rounds(&format!("{ENFORCE}init g !"), "S 2, L 2, main!0 never");
}

#[test]
fn the_other_thread_may_break_it() {
    let text = format!("{ENFORCE}init g").replace("enforce g\n", "");
    check_switches(&text, "S 0, L 0, main!0 1");
}

#[test]
fn a_suspended_caller_is_not_restricted() {
    let text = "global g\ninit g\nthread a 1 main\nmodule main\nenforce g\n0 1 call f ( )\nlabel 1 L\n1 2 return\n\
                module f\n0 1 set g := F\nlabel 1 M\n1 2 set g := *\n2 3 return";
    check_switches(text, "L 0, M 0");
}

#[test]
fn every_copy_has_private_values_of_its_own() {
    let text = "global p\nthread a 2 main p\nstart a p !\n\
                module main\n0 1 set p := T\n1 3 return\n0 2 assume p\nlabel 2 L\n2 3 return";
    check_switches(text, "L never");
}

#[test]
fn private_values_start_with_those_of_the_shared_ones() {
    // Nobody changes `s`.
    let text = "global s g p\nthread a 1 main p\nstart a p s =\nthread b 1 other\n\
                module main\n0 1 assert p s =\n1 2 return\nmodule other\n0 1 set g := *\n1 2 return";
    check_switches(text, "main!0 never");
    let program = program(text);
    assert_eq!(initials(&program, &[1, 1], 100).unwrap().len(), 4);
}

#[test]
fn a_goal_may_be_that_of_one_copy() {
    let program = program(
        "global g\ninit g !\nthread a 2 main\nmodule main\n0 1 set g := T\n1 3 return\n\
         0 2 assume g\n2 3 return",
    );
    let goal = |copy| ThreadGoal { goal: Goal::At(ModuleId(0), NodeId(2)), copy: Some(copy) };
    let order = declaration_order(&[2]);
    let bound = Bound::Rounds { rounds: 9, order: &order };
    let least = least(&program, &[2], &[goal(0), goal(1), goal(2)], bound, Limits::default()).least;
    assert_eq!(least, [Some(2), Some(1), None]);
}

#[test]
fn a_block_may_have_no_copies() {
    let text = BLOCK.replace("thread a 1", "thread a *").replace("thread b 1", "thread b *");
    let program = program(&format!("{text}2 3 return"));
    check_bound(&program, &[0, 2], "L never", Bound::Switches(9));
    check_bound(&program, &[2, 0], "L never", Bound::Switches(9));
    check_bound(&program, &[0, 0], "L never", Bound::Switches(9));
    check_bound(&program, &[1, 1], "L 1", Bound::Switches(9));
}

#[test]
fn what_enforce_says_does_not_restrict_the_start() {
    let program = program(ENFORCE);
    let worlds = initials(&program, &[1, 1], 100).unwrap();
    assert_eq!(worlds.iter().map(|world| world.shared[0]).collect::<Vec<_>>(), [0, 1]);
    for world in &worlds {
        assert_eq!(is_initial(&program, &[1, 1], world), Ok(true));
        assert_eq!(is_initial(&program, &[1, 2], world), Ok(false));
    }
    let spoilt: [fn(&mut World); 4] = [
        |world| world.threads[1].stack.push(Frame::new(ModuleId(1), NodeId(0), Vec::new())),
        |world| world.shared.push(0),
        |world| world.shared[0] = 2,
        |world| world.threads.swap(0, 1),
    ];
    for spoil in spoilt {
        let mut world = worlds[0].clone();
        spoil(&mut world);
        assert_eq!(is_initial(&program, &[1, 1], &world), Ok(false), "{world:?}");
    }
}

/// Whether the runs of a program, with these limits, have all been tried.
fn closure(text: &str, limits: Limits) -> Closure {
    let program = program(text);
    closes(&program, &counts(&program), &[], limits, &Stop::default())
}

#[test]
fn a_finite_program_closes() {
    // The last thing that happens is that the first thread goes on and ends.
    let text = "global g h\ninit g h | !\nthread a 1 main\nthread b 1 other\n\
                module main\n0 1 set h := T\n1 2 assume g\n2 3 return\n\
                module other\n0 1 assume h\n1 2 set g := T\n2 3 return";
    assert_eq!(closure(text, Limits::default()), Closure::Closed { switches: 3, is_reached: false });
    assert_eq!(
        closure("thread a 1 main\nmodule main\n0 1 return", Limits::default()),
        Closure::Closed { switches: 0, is_reached: false }
    );
}

#[test]
fn running_out_is_an_answer() {
    let recursion = "thread a 1 main\nmodule main\n0 1 call f ( )\n1 2 return\nmodule f\n0 1 call f ( )\n\
                     label 1 L\n1 2 return";
    assert_eq!(closure(recursion, Limits::default()), Closure::Open(Unfinished::Depth));
    let few = Limits { max_worlds: 2, ..Limits::default() };
    assert_eq!(closure(INCREMENTS, few), Closure::Open(Unfinished::Worlds));
    let program = program(recursion);
    let goals: Vec<ThreadGoal> = goals(&program).into_iter().map(|(_, goal)| goal).collect();
    let answer = least(&program, &[1], &goals, Bound::Switches(1), Limits::default());
    assert_eq!(answer, Least { least: vec![None], is_cut: true });
    let find = |stop: &Stop| {
        let found = find_run(&program, &[1], &goals, Bound::Switches(1), Limits::default(), stop);
        found.map(|run| run.is_some())
    };
    assert_eq!(find(&Stop::default()), Err(Unfinished::Depth));
    let stop = Stop::default();
    stop.request(StopReason::Interrupt);
    assert_eq!(find(&stop), Err(Unfinished::Stopped(StopReason::Interrupt)));
}

#[test]
fn a_deep_recursion_is_no_problem() {
    on_a_small_stack(|| {
        let program = program(
            "global g h\ninit g h | !\nthread a 1 main\nthread b 1 other\n\
             module main\n0 1 call f ( 10000:14 )\nlabel 1 L\n1 2 return\n\
             module f p:14\n0 1 assume p 0:14 !=\n1 4 call f ( p 1:14 - )\n0 2 assume p 0:14 =\n\
             2 3 set h := T\n3 4 assume g\n4 5 return\n\
             module other\n0 1 assume h\n1 2 set g := T\n2 3 return",
        );
        let goals = [goals(&program)[0].1];
        let limits = Limits { max_depth: 20_000, ..Limits::default() };
        let bound = Bound::Switches(2);
        let run = find_run(&program, &[1, 1], &goals, bound, limits, &Stop::default()).unwrap().unwrap();
        assert_eq!(run.n_switches(), 2);
        assert_eq!(run.replay(&program, &goals), Ok(()));
    });
}

/// A run to the last goal, and this goal.
fn run(program: &Concurrent) -> (Trace, [ThreadGoal; 1]) {
    let goals = [goals(program).pop().unwrap().1];
    let bound = Bound::Switches(9);
    let found = find_run(program, &counts(program), &goals, bound, Limits::default(), &Stop::default());
    (found.unwrap().unwrap(), goals)
}

/// What replay says about a run after it has been changed.
#[track_caller]
fn check_replay(text: &str, change: impl FnOnce(&mut Trace), expected: &str) {
    let program = program(text);
    let (mut run, goals) = run(&program);
    assert_eq!(run.replay(&program, &goals), Ok(()));
    change(&mut run);
    assert_eq!(run.replay(&program, &goals).unwrap_err().to_string(), expected);
}

/// What a program that differs from the text only in what restricts its runs says about a run to the last goal.
#[track_caller]
fn check_restricted(text: &str, restricted: &str, expected: &str) {
    let [free, restricted] = [text, restricted].map(program);
    let (run, goals) = run(&free);
    assert_eq!(run.replay(&restricted, &goals).unwrap_err().to_string(), expected);
}

#[test]
fn a_replay_notices_what_is_wrong() {
    check_replay(INCREMENTS, |run| run.start.shared[0] = 1, "the program does not start like this");
    check_replay(INCREMENTS, |run| drop(run.start.threads.pop()), "the program does not start like this");
    let another = |run: &mut Trace| {
        let goal = run.goal().expect("the run reaches a goal");
        run.end = End::Goal(ThreadGoal { copy: Some(1), ..goal });
    };
    check_replay(INCREMENTS, another, "the run does not end in a goal");
    check_replay(INCREMENTS, |run| run.end = End::Here, "the run does not end in a goal");
    let observed = "whether a cycle of threads passes goals an observer says";
    check_replay(INCREMENTS, |run| run.end = End::Cycle { first: 0 }, observed);
    let turn = |thread| Context { thread: ThreadId(thread), steps: Vec::new() };
    check_replay(INCREMENTS, |run| run.contexts.push(turn(3)), "step 10: there is no thread 3");
    check_replay(INCREMENTS, |run| run.contexts.push(turn(0)), "the run does not end in a goal");
    check_replay(INCREMENTS, |run| run.contexts.push(turn(2)), "step 10: a thread takes over from itself");
    check_replay(INCREMENTS, |run| run.contexts.clear(), "the run has no context");
    let wrong = "step 2: the program cannot take this step";
    check_replay(INCREMENTS, |run| run.contexts[0].steps[1].edge = EdgeId(0), wrong);
    check_replay(INCREMENTS, |run| run.contexts[0].steps[1].after.globals[0] = 3, wrong);
    check_replay(INCREMENTS, |run| run.contexts[0].steps[1].after.locals.clear(), wrong);
    check_replay(INCREMENTS, |run| run.contexts[0].steps[1].after.globals.clear(), wrong);
    let none = "step 2: there is no run 0 to call here";
    check_replay(INCREMENTS, |run| run.contexts[0].steps[1].run = Some(0), none);
}

#[test]
fn a_replay_notices_switches_that_are_not_allowed() {
    let left = "step 3: the thread that is left is in an atomic region";
    check_restricted(CALLEE, &format!("{CALLEE}atomic main 0"), left);
    check_restricted(CALLEE, &format!("{CALLEE}atomic f 1"), left);
    let flag = format!("{FLAG}2 3 return");
    check_restricted(&flag.replace("flag a p\n", ""), &flag, left);
    let enforce = format!("{ENFORCE}init g");
    let fails = "step 2: the thread cannot become active where its `enforce` fails";
    check_restricted(&enforce.replace("enforce g\n", ""), &enforce, fails);
}

/// A driver that adds clients while it is being stopped.
const DRIVER: &str = "\
global pending:3 stopping event stopped
init pending 1:3 =
init stopping event stopped | | !
thread adder * main
thread stopper * stop
module main ; status
0 1 call status := increment ( )
1 2 assume status
1 4 assume status !
2 3 assume stopped
2 4 assume stopped !
label 3 ERROR
3 4 skip
4 5 call decrement ( )
5 6 return
module increment ; ; bool
atomic increment 1
0 1 skip
1 2 set pending := pending 1:3 +
2 3 assume stopping
2 5 assume stopping !
3 4 call decrement ( )
4 6 return F
5 6 return T
module decrement ; last
atomic decrement 1 2
0 1 skip
1 2 set pending := pending 1:3 -
2 3 set last := pending 0:3 =
3 4 assume last
3 5 assume last !
4 5 set event := T
5 6 return
module stop
0 1 set stopping := T
1 2 call decrement ( )
2 3 assume event
3 4 set stopped := T
4 5 return";

#[track_caller]
fn check_driver(counts: [u32; 2], switches: &str, rounds: &str) {
    let program = program(DRIVER);
    let order = declaration_order(&counts);
    check_bound(&program, &counts, switches, Bound::Switches(20));
    check_bound(&program, &counts, rounds, Bound::Rounds { rounds: 20, order: &order });
}

#[test]
fn one_of_each_is_safe_whatever_the_bound() {
    check_driver([1, 1], "ERROR never", "ERROR never");
    let program = program(DRIVER);
    let goals: Vec<ThreadGoal> = goals(&program).into_iter().map(|(_, goal)| goal).collect();
    let closure = closes(&program, &[1, 1], &goals, Limits::default(), &Stop::default());
    assert!(matches!(closure, Closure::Closed { is_reached: false, .. }), "{closure:?}");
    let closure = closes(&program, &[1, 2], &goals, Limits::default(), &Stop::default());
    assert!(matches!(closure, Closure::Closed { is_reached: true, .. }), "{closure:?}");
}

#[test]
fn two_stoppers_need_three_switches_or_two_rounds() {
    check_driver([1, 2], "ERROR 3", "ERROR 2");
}

#[test]
fn two_adders_need_four_switches_or_three_rounds() {
    check_driver([2, 1], "ERROR 4", "ERROR 3");
}

#[test]
fn two_of_each_need_three_switches_or_two_rounds() {
    check_driver([2, 2], "ERROR 3", "ERROR 2");
}

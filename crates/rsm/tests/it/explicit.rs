//! The textbook twin against the exploration of configurations.

use crate::harness::{machine, random, show};
use base::Random;
use base::{Stop, StopReason};
use rsm::explicit::{Limits, Unfinished, reachable, shortest};
use rsm::step::{Configuration, Frame, fails_assertion, initials, is_initial, is_step, successors};
use rsm::trace::{Step, Trace, Visit};
use rsm::{Action, Concurrent, EdgeId, Goal, ModuleId, NodeId, Rsm};
use std::collections::{HashMap, VecDeque};

const LIMIT: usize = 1 << 16;

/// Every node and every assertion.
fn all_goals(rsm: &Rsm) -> Vec<Goal> {
    let mut goals = Vec::new();
    for (n, module) in rsm.modules.iter().enumerate() {
        let id = ModuleId::new(n);
        goals.extend((0..module.nodes.len()).map(|node| Goal::At(id, NodeId::new(node))));
        let edges = module.edges.iter().enumerate();
        let assertions = edges.filter(|(_, edge)| matches!(edge.action, Action::Assert(_)));
        goals.extend(assertions.map(|(edge, _)| Goal::Failure(id, EdgeId::new(edge))));
    }
    goals
}

/// The goals that are reached, as text.
#[track_caller]
fn check(text: &str, expected: &str) {
    let rsm = machine(text);
    let goals = all_goals(&rsm);
    let found = reachable(&rsm, &goals, Limits::default(), &Stop::default()).unwrap();
    let name = |goal: &Goal| match *goal {
        Goal::At(module, node) => format!("{}@{}", rsm.module(module).name, node.0),
        Goal::Failure(module, edge) => format!("{}!{}", rsm.module(module).name, edge.0),
    };
    assert_eq!(goals.len(), found.len());
    let reached = goals.iter().zip(&found).filter(|(_, found)| **found).map(|(goal, _)| name(goal));
    assert_eq!(reached.collect::<Vec<_>>().join(" "), expected);
}

#[test]
fn the_exit_is_no_state_of_its_own() {
    check("module main\n0 1 skip\n1 2 return", "main@0 main@1");
}

#[test]
fn a_callee_returns_to_its_own_caller() {
    // Only the second call passes F, so only node 2 can follow with `a` false.
    let text = "global a\ninit a\nmodule main\n0 1 call f ( T )\n1 2 call f ( F )\n1 3 assume a !\n2 4 assume a !\n\
                3 5 return\n4 5 return\nmodule f p\n0 1 set a := p\n1 2 return";
    check(text, "main@0 main@1 main@2 main@4 f@0 f@1");
}

#[test]
fn a_recursion_that_never_ends_does_not_return() {
    check("module main\n0 1 call f ( )\n1 2 return\nmodule f\n0 1 call f ( )\n1 2 return", "main@0 f@0");
}

#[test]
fn a_recursion_may_end_at_any_depth() {
    let text = "global i:2\ninit i 0:2 =\nmodule main\n0 1 call f ( )\n1 2 assume i 3:2 =\n2 3 return\n\
                module f\n0 3 assume *\n0 1 set i := i 1:2 +\n1 2 call f ( )\n2 3 skip\n3 4 return";
    check(text, "main@0 main@1 main@2 f@0 f@1 f@2 f@3");
}

#[test]
fn an_assertion_that_can_fail_is_a_goal() {
    check("module main\n0 1 assert *\n1 2 assert T\n2 3 return", "main@0 main@1 main@2 main!0");
}

#[test]
fn running_out_is_an_answer() {
    let rsm = machine("global i:16\ninit i 0:16 =\nmodule main\n0 0 set i := i 1:16 +\n0 1 return");
    let goals = [Goal::At(rsm.main, NodeId(1))];
    let limits = Limits { max_states: 100, max_outcomes: 100 };
    assert_eq!(reachable(&rsm, &goals, limits, &Stop::default()), Err(Unfinished::States));
    let stop = Stop::default();
    stop.request(StopReason::Interrupt);
    let stopped = reachable(&rsm, &goals, Limits::default(), &stop);
    assert_eq!(stopped, Err(Unfinished::Stopped(StopReason::Interrupt)));
    let rsm = machine("global i:16\nmodule main\n0 1 assume i 5:16 =\n1 2 return");
    assert_eq!(reachable(&rsm, &goals, limits, &Stop::default()), Err(Unfinished::TooLarge));
}

#[test]
fn what_nothing_reads_is_not_tried() {
    // Of 64 locals of each function and 64 globals all but one are written before they are read, or never read.
    let many = |kind: &str| (0..64).map(|n| format!("{kind}{n}")).collect::<Vec<_>>();
    let globals: String = many("g").iter().map(|name| format!("global {name}\n")).collect();
    let locals = |name: &str| format!("module {name} p ; {}\n", many("x").join(" "));
    let text = format!(
        "{globals}{}0 1 call f ( * )\n1 2 return\n{}0 1 set x0 := x1\n1 2 set x2 := x0\n2 3 assume x2\n\
         3 4 set g0 := g1\n4 5 return",
        locals("main").replace(" p ;", " ;"),
        locals("f"),
    );
    let rsm = machine(&text);
    let goals = all_goals(&rsm);
    let limits = Limits { max_states: 100, max_outcomes: 100 };
    let found = reachable(&rsm, &goals, limits, &Stop::default()).expect("little has to be tried");
    // All but the exits.
    assert_eq!(found.iter().filter(|found| !**found).count(), 2);
}

#[test]
fn a_shortest_trace_goes_through_the_cheaper_callee() {
    let rsm = machine(
        "global a\ninit a !\nmodule main\n0 1 call f ( )\n0 1 call g ( )\n1 2 return\n\
         module f\n0 1 skip\n1 2 set a := T\n2 3 return\nmodule g\n0 1 set a := T\n1 2 return",
    );
    let trace = shortest(&rsm, &[Goal::At(rsm.main, NodeId(1))], Limits::default(), &Stop::default());
    let trace = trace.unwrap().unwrap();
    let text: Vec<String> =
        configurations(&rsm, &trace).skip(1).map(|(_, after)| show(&rsm, &after)).collect();
    assert_eq!(text, ["a=F | main@0 | g@0", "a=T | main@0 | g@1", "a=T | main@1"]);
}

#[test]
fn a_trace_that_is_too_long_is_not_written_down() {
    let mut text = "module main\n0 1 call f0 ( )\n1 2 return\n".to_owned();
    for n in 0..60 {
        text.push_str(&format!("module f{n}\n0 1 call f{0} ( )\n1 2 call f{0} ( )\n2 3 return\n", n + 1));
    }
    text.push_str("module f60\n0 1 return");
    let rsm = machine(&text);
    let found = shortest(&rsm, &[Goal::At(rsm.main, NodeId(1))], Limits::default(), &Stop::default());
    assert_eq!(found, Err(Unfinished::Length));
}

/// The distance of every configuration whose stack is not too deep.
fn distances(rsm: &Rsm, max_depth: usize) -> Option<HashMap<Configuration, usize>> {
    let mut distances = HashMap::new();
    let mut queue: VecDeque<(Configuration, usize)> =
        initials(rsm, LIMIT).unwrap().into_iter().map(|start| (start, 0)).collect();
    while let Some((configuration, distance)) = queue.pop_front() {
        if distances.contains_key(&configuration) || configuration.stack.len() > max_depth {
            continue;
        }
        if distances.len() > 30_000 {
            return None;
        }
        let next = successors(rsm, &configuration, LIMIT).unwrap();
        queue.extend(next.into_iter().map(|(_, after)| (after, distance + 1)));
        distances.insert(configuration, distance);
    }
    Some(distances)
}

fn is_reached(rsm: &Rsm, goal: Goal, configuration: &Configuration) -> bool {
    let Some(top) = configuration.top() else { return false };
    match goal {
        Goal::At(module, node) => top.module == module && top.node == node,
        Goal::Failure(module, edge) => {
            top.module == module && fails_assertion(rsm, configuration, edge).unwrap()
        }
    }
}

/// Where a run starts, and where each of its steps leads; no edge leads to the start.
fn configurations<'t>(
    rsm: &'t Rsm,
    trace: &'t Trace,
) -> impl Iterator<Item = (Option<EdgeId>, Configuration)> + 't {
    let start =
        Configuration { globals: trace.start.shared.clone(), stack: trace.start.threads[0].stack.clone() };
    let mut at = start.clone();
    let after = move |Visit { module, edge, after, .. }: Visit<'t>| {
        let taken = rsm.module(module).edges.get(edge.index());
        at.globals = after.globals.clone();
        match taken.map(|taken| &taken.action) {
            Some(Action::Call { callee, .. }) => {
                at.stack.last_mut().unwrap().call = Some(edge);
                at.stack.push(Frame::new(*callee, rsm.module(*callee).entry, after.locals.clone()));
            }
            Some(Action::Return { .. }) => {
                at.stack.pop();
                if let Some(top) = at.stack.last_mut() {
                    let call = top.call.unwrap();
                    *top = Frame::new(top.module, rsm.module(top.module).edge(call).to, after.locals.clone());
                }
            }
            _ => {
                let top = at.stack.last_mut().unwrap();
                *top = Frame::new(module, taken.map_or(top.node, |taken| taken.to), after.locals.clone());
            }
        }
        (Some(edge), at.clone())
    };
    [(None, start)].into_iter().chain(trace.walk(rsm).map(after))
}

/// The definition of a run, step by step.
fn is_run(rsm: &Rsm, trace: &Trace) -> bool {
    let mut before: Option<Configuration> = None;
    for (edge, after) in configurations(rsm, trace) {
        let follows = match (&before, edge) {
            (Some(before), Some(edge)) => is_step(rsm, before, edge, &after),
            _ => is_initial(rsm, &after),
        };
        if !follows.unwrap() {
            return false;
        }
        before = Some(after);
    }
    before.is_some_and(|last| is_reached(rsm, trace.goal().expect("the run reaches a goal").goal, &last))
}

/// The largest stack of a trace.
fn depth(rsm: &Rsm, trace: &Trace) -> usize {
    configurations(rsm, trace).map(|(_, configuration)| configuration.stack.len()).max().unwrap()
}

/// Changes a value somewhere in a run.
fn spoil(trace: &mut Trace, random: &mut Random) {
    let steps: Vec<&mut Step> = trace
        .runs
        .iter_mut()
        .flat_map(|run| {
            // What the last step of a run leads to is told by its callers.
            let n = run.steps.len();
            run.steps.iter_mut().take(n - 1)
        })
        .chain(trace.contexts.iter_mut().flat_map(|context| &mut context.steps))
        .collect();
    let n = steps.len() as u64;
    if n == 0 || random.below(8) == 0 {
        let frame = &mut trace.start.threads[0].stack[0];
        let values = if random.below(2) == 0 { &mut frame.locals } else { &mut trace.start.shared };
        if let Some(value) = values.first_mut() {
            *value ^= 1;
        }
        return;
    }
    let step = steps.into_iter().nth(random.below(n) as usize).unwrap();
    let values = if random.below(2) == 0 { &mut step.after.locals } else { &mut step.after.globals };
    let n = values.len() as u64;
    if n > 0 {
        values[random.below(n) as usize] ^= 1;
    }
}

#[test]
fn the_twin_agrees_with_the_exploration_of_configurations() {
    let seed = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    println!("seed {seed}");
    let mut random = Random::new(seed);
    let (mut n_found, mut n_not_found, mut n_refused, mut n_calls) = (0, 0, 0, 0);
    const MAX_DEPTH: usize = 4;
    let limits = Limits { max_states: 5000, ..Limits::default() };
    for _ in 0..40 {
        let text = random::machine_text(&mut random);
        let rsm = machine(&text);
        let Some(distances) = distances(&rsm, MAX_DEPTH) else {
            continue;
        };
        let goals = all_goals(&rsm);
        let found = match reachable(&rsm, &goals, limits, &Stop::default()) {
            Err(Unfinished::States) => continue,
            found => found.unwrap(),
        };
        assert_eq!(goals.len(), found.len(), "{text}");
        for (goal, found) in goals.iter().zip(found) {
            let at_goal =
                distances.iter().filter(|(configuration, _)| is_reached(&rsm, *goal, configuration));
            let distance = at_goal.map(|(_, distance)| *distance).min();
            assert!(found || distance.is_none(), "{goal:?} of\n{text}");
            n_found += u32::from(found);
            n_not_found += u32::from(!found);
            if random.below(2) > 0 {
                continue;
            }
            let trace = shortest(&rsm, &[*goal], limits, &Stop::default());
            if trace == Err(Unfinished::States) {
                continue;
            }
            let trace = trace.unwrap();
            assert_eq!(found, trace.is_some(), "{goal:?} of\n{text}");
            let Some(trace) = trace else { continue };
            assert!(is_run(&rsm, &trace), "{goal:?} of\n{text}");
            let program = Concurrent::sequential(rsm.clone());
            assert_eq!(trace.replay(&program, &[(*goal).into()]), Ok(()), "{goal:?} of\n{text}");
            let n_steps = trace.n_steps() as usize;
            assert!(distance.is_none_or(|distance| n_steps <= distance), "{goal:?} of\n{text}");
            if depth(&rsm, &trace) <= MAX_DEPTH {
                assert_eq!(distance, Some(n_steps), "{goal:?} of\n{text}");
            }
            for _ in 0..4 {
                let mut spoilt = trace.clone();
                spoil(&mut spoilt, &mut random);
                let replayed = spoilt.replay(&program, &[(*goal).into()]);
                assert_eq!(replayed.is_ok(), is_run(&rsm, &spoilt), "{replayed:?}: {spoilt:?} of\n{text}");
                n_refused += u32::from(replayed.is_err());
            }
            n_calls += trace.runs.len();
        }
    }
    println!(
        "{n_found} goals found, {n_not_found} not; {n_calls} calls are over; {n_refused} spoilt runs refused"
    );
    assert!(n_found > 50 && n_not_found > 50 && n_calls > 4 && n_refused > 50);
}

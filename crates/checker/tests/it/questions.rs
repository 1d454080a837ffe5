//! Formulas that ask something else than whether a target is reachable: their answers are those of brute force, with all
//! reductions and with none, and their runs do what the formula says.
//!
//! `GETAFIX_SEED=7` or `GETAFIX_SEED=100..200` chooses the programs.

mod graph;

use base::Sources;
use checker::{
    Asker, Engine, Formula, Limits, Outcome, Problem, Question, Symbolic, Target, Verdict, Wanted,
    WantedTrace,
};
use generate::random::{Shape, program, seeds};
use graph::{Answer, Graph};
use rsm::trace::{End, Trace};
use rsm::{Action, Concurrent, Goal, ModuleId, NodeId, Place, Reductions, Rsm, Type};
use std::collections::BTreeMap;
use testing::lower;

/// "The target after First" with a bit for what has been passed, forward, and nothing claimed.
const AFTER_BY_A_BIT: &str = "
    #label First;
    mu bool Seen(bool b, State u, bool c, State v)
        (Entry(u) & u = v & (c <-> (b | First(v))))
      | (exists bool d, State x. Seen(b, u, d, x) & ProgramInt(x, v) & (c <-> (d | First(v))))
      | (exists bool d, State x, bool e, State y, State z. Seen(b, u, d, x) & IntoCall(x, y) & Seen(d, y, e, z)
           & Exit(z) & Return(x, z, v) & (c <-> (e | First(v))));
    mu bool Way(bool b, State u)
        (Init(u) & !b)
      | (exists bool a, State w, State x. Way(a, w) & Seen(a, w, b, x) & IntoCall(x, u));
    #verdict reachable;
    exists bool b, State u, State v. Way(b, u) & Seen(b, u, true, v) & Target(v);";

/// The same from the target back, columns reversed.
const AFTER_BACKWARD: &str = "
    #label First;
    mu bool Sum(State v, State u)
        (Entry(u) & u = v)
      | (exists State x. Sum(x, u) & ProgramInt(x, v))
      | (exists State x, State y, State z. Sum(x, u) & IntoCall(x, y) & Sum(z, y) & Exit(z) & Return(x, z, v));
    mu bool To(State s)
        Target(s)
      | (exists State v. ProgramInt(s, v) & To(v))
      | (exists State y. IntoCall(s, y) & To(y))
      | (exists State y, State z, State v. IntoCall(s, y) & Sum(z, y) & Exit(z) & Return(s, z, v) & To(v));
    mu bool Late(State v, State u)
        (Sum(v, u) & First(v))
      | (exists State x. Late(x, u) & ProgramInt(x, v))
      | (exists State x, State y, State z. Late(x, u) & IntoCall(x, y) & Sum(z, y) & Exit(z) & Return(x, z, v))
      | (exists State x, State y, State z. Sum(x, u) & IntoCall(x, y) & Late(z, y) & Exit(z) & Return(x, z, v));
    mu bool Start(State u)
        Init(u)
      | (exists State w, State x. Start(w) & Sum(x, w) & IntoCall(x, u));
    #verdict reachable;
    exists State u, State v. Start(u) & Late(v, u) & To(v);";

/// All runs reach the target, by a least fixed point; for programs without calls.
const ALWAYS: &str = "
    mu bool Always(State s)
        Target(s)
      | ((exists State v. ProgramInt(s, v)) & (forall State v. ProgramInt(s, v) -> Always(v)));
    #verdict holds;
    forall State u. Init(u) -> Always(u);";

/// There is an infinite run, by one greatest fixed point, and nothing claimed.
const FOREVER: &str = "
    mu bool Sum(State u, State v)
        (Entry(u) & u = v)
      | (exists State x. Sum(u, x) & ProgramInt(x, v))
      | (exists State x. Sum(u, x) & Over(x, v));
    bool Over(State x, State v)
        exists State y, State z. IntoCall(x, y) & Sum(y, z) & Exit(z) & Return(x, z, v);
    nu bool Forever(State s)
        (exists State v. ProgramInt(s, v) & Forever(v))
      | (exists State v. IntoCall(s, v) & Forever(v))
      | (exists State v. Over(s, v) & Forever(v));
    exists State u. Init(u) & Forever(u);";

/// The labels of a program, as they are named.
fn labels(rsm: &Rsm) -> Vec<(String, Goal)> {
    let mut found = Vec::new();
    for (m, module) in rsm.modules.iter().enumerate() {
        for (n, node) in module.nodes.iter().enumerate() {
            let goal = Goal::At(ModuleId::new(m), NodeId::new(n));
            found.extend(node.labels.first().map(|label| (format!("{}:{label}", module.name), goal)));
        }
    }
    found
}

/// A formula, put to a program.
struct Asking<'a> {
    program: &'a Concurrent,
    formula: Formula,
    labels: Vec<(String, String)>,
    target: Option<&'a (String, Goal)>,
    context: String,
}

impl Asking<'_> {
    fn ask(&self, reductions: Reductions) -> Outcome {
        let targets: Vec<Target> =
            self.target.iter().map(|(name, goal)| Target::new(name.clone(), [*goal])).collect();
        let wanted = Wanted { trace: WantedTrace::Any, certificate: false };
        let question = Question::Reach;
        let problem = Problem {
            program: self.program,
            question,
            targets: &targets,
            bound: None,
            watch: Default::default(),
            wanted,
        };
        let engine =
            Symbolic { labels: self.labels.clone(), reductions, ..Symbolic::new(self.formula.clone()) };
        let mut sources = Sources::default();
        let mut asker = Asker { sources: &mut sources, known: &mut |_, _| {} };
        let outcome = engine.answer(&problem, &Limits::default(), &mut asker);
        outcome.unwrap_or_else(|failure| panic!("{failure:?}, {}", self.context))
    }

    /// Asks with all reductions and with none; hands the run to a check.
    fn compare(&self, expected: Answer, tally: &mut Tally, check: impl Fn(&Trace) -> Result<(), String>) {
        for reductions in [Reductions::ALL, Reductions::NONE] {
            let outcome = self.ask(reductions);
            let context = format!("{reductions:?}, {outcome:?}, {}", self.context);
            let is_yes = match &outcome.finding.verdict {
                Verdict::Yes => true,
                Verdict::No => false,
                Verdict::Unknown(reason) => panic!("{reason:?}, {context}"),
            };
            if expected != Answer::Unclear {
                assert_eq!(is_yes, expected == Answer::Yes, "{context}");
                tally.count(&self.formula.name, is_yes);
            }
            if is_yes {
                let trace = outcome.trace.as_ref().unwrap_or_else(|| panic!("no run, {context}"));
                check(trace).unwrap_or_else(|problem| panic!("{problem}, {context}"));
            }
        }
    }
}

/// How often each formula was right about a yes and about a no.
#[derive(Default)]
struct Tally(BTreeMap<String, [u32; 2]>);

impl Tally {
    fn count(&mut self, formula: &str, is_yes: bool) {
        self.0.entry(formula.to_owned()).or_default()[usize::from(is_yes)] += 1;
    }

    /// Fails if something was compared too rarely. Only the usual seeds are many enough.
    fn check(&self, least: u32) {
        println!("{:?}", self.0);
        if !testing::is_chosen() {
            let is_enough = |counts: &[u32; 2]| counts.iter().all(|count| *count >= least);
            assert!(!self.0.is_empty() && self.0.values().all(is_enough), "{:?}", self.0);
        }
    }
}

/// The places at which a run is, in order; of a lasso those of one round. The number of the first on the cycle.
fn places(rsm: &Rsm, trace: &Trace) -> Vec<Goal> {
    let visits = trace.walk(rsm).map(|visit| {
        let node = rsm.module(visit.module).edge(visit.edge).from;
        Goal::At(visit.module, node)
    });
    let mut places: Vec<Goal> = visits.collect();
    if let End::Goal(goal) = trace.end {
        places.push(goal.goal);
    }
    places
}

fn passes(rsm: &Rsm, trace: &Trace, goal: Goal) -> bool {
    places(rsm, trace).contains(&goal)
}

fn wanted(holds: bool, what: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what.to_owned()) }
}

/// The most calls that are nested on a run.
fn depth(rsm: &Rsm, trace: &Trace) -> usize {
    let depth = trace.walk(rsm).map(|visit| {
        let is_call = matches!(rsm.module(visit.module).edge(visit.edge).action, Action::Call { .. });
        visit.depth + usize::from(is_call)
    });
    depth.max().unwrap_or(0)
}

fn own(name: &str, text: &str) -> Formula {
    Formula::own(name, text, |path| Err(format!("`{path}` is not there")))
}

fn shipped(name: &str) -> Formula {
    Formula::shipped(name).expect("an algorithm of the list")
}

/// Each random program that is small enough, with its graph.
fn each(range: std::ops::Range<u64>, shape: &Shape, mut ask: impl FnMut(u64, &Concurrent, &Graph, &str)) {
    for seed in seeds(range) {
        let text = program(seed, shape);
        let rsm = lower(&text);
        let Some(graph) = Graph::new(&rsm) else { continue };
        ask(seed, &Concurrent::sequential(rsm), &graph, &text);
    }
}

/// Some pairs of labels of a program, differently many apart.
fn pairs(rsm: &Rsm, seed: u64) -> Vec<((String, Goal), (String, Goal))> {
    let labels = labels(rsm);
    let n = labels.len();
    let pair = |k: usize| {
        (labels[(seed as usize + 3 * k) % n].clone(), labels[(seed as usize * 7 + 5 * k) % n].clone())
    };
    if n == 0 { Vec::new() } else { (0..3).map(pair).collect() }
}

#[test]
fn one_label_after_another() {
    let mut tally = Tally::default();
    each(0..40, &Shape::small(), |seed, program, graph, text| {
        for (first, then) in pairs(&program.machine, seed) {
            let expected = graph.after(first.1, then.1);
            let formulas = [shipped("after"), own("a bit", AFTER_BY_A_BIT)];
            for formula in formulas {
                let labels = vec![("First".to_owned(), first.0.clone())];
                let context = format!("{} after {}, seed {seed}, {}\n{text}", then.0, first.0, formula.name);
                let asking = Asking { program, formula, labels, target: Some(&then), context };
                asking.compare(expected, &mut tally, |trace| {
                    wanted(passes(&program.machine, trace, first.1), "the run does not pass First")?;
                    wanted(trace.goal().is_some_and(|goal| goal.goal == then.1), "it ends elsewhere")
                });
            }
        }
    });
    tally.check(20);
}

#[test]
fn one_label_after_another_from_the_end() {
    let mut tally = Tally::default();
    each(0..40, &Shape::small(), |seed, program, graph, text| {
        for (first, then) in pairs(&program.machine, seed) {
            // Only runs on which the function of the first label is still open when the target is reached are meant.
            let labels = vec![("First".to_owned(), first.0.clone())];
            let formula = own("backward", AFTER_BACKWARD);
            let context = format!("{} after {}, seed {seed}\n{text}", then.0, first.0);
            let asking = Asking { program, formula, labels, target: Some(&then), context };
            let outcome = asking.ask(Reductions::ALL);
            assert_eq!(
                outcome.finding.verdict,
                asking.ask(Reductions::NONE).finding.verdict,
                "{}",
                asking.context
            );
            let is_yes = outcome.finding.verdict == Verdict::Yes;
            tally.count("backward", is_yes);
            if is_yes {
                assert_ne!(graph.after(first.1, then.1), Answer::No, "{}", asking.context);
                let trace = outcome.trace.expect("a run comes with the answer");
                assert!(passes(&program.machine, &trace, first.1), "{}", asking.context);
            }
        }
    });
    tally.check(10);
}

#[test]
fn every_run_passes_a_label() {
    let mut tally = Tally::default();
    each(0..40, &Shape::small(), |seed, program, graph, text| {
        for (gate, then) in pairs(&program.machine, seed) {
            let expected = graph.without(gate.1, then.1);
            let labels = vec![("Gate".to_owned(), gate.0.clone())];
            let context = format!("{} without {}, seed {seed}\n{text}", then.0, gate.0);
            let asking =
                Asking { program, formula: shipped("dominators"), labels, target: Some(&then), context };
            asking.compare(expected, &mut tally, |trace| {
                wanted(!passes(&program.machine, trace, gate.1), "the run passes Gate")?;
                wanted(trace.goal().is_some_and(|goal| goal.goal == then.1), "it ends elsewhere")
            });
        }
    });
    tally.check(20);
}

#[test]
fn the_least_depth_of_calls() {
    let mut tally = Tally::default();
    each(0..40, &Shape::small(), |seed, program, graph, text| {
        for (_, target) in pairs(&program.machine, seed).into_iter().take(2) {
            let context = format!("{}, seed {seed}\n{text}", target.0);
            let (formula, labels) = (shipped("depth"), Vec::new());
            let asking = Asking { program, formula, labels, target: Some(&target), context };
            let outcome = asking.ask(Reductions::ALL);
            let least = outcome.finding.least.map(|least| least as usize);
            if let Some(expected) = graph.depth(target.1) {
                assert_eq!(least, Some(expected), "{}", asking.context);
            }
            let is_yes = outcome.finding.verdict == Verdict::Yes;
            tally.count("depth", is_yes);
            if is_yes {
                let trace = outcome.trace.expect("a run comes with the answer");
                assert_eq!(Some(depth(&program.machine, &trace)), least, "{}", asking.context);
            }
        }
    });
    tally.check(10);
}

#[test]
fn infinite_runs() {
    let mut tally = Tally::default();
    each(0..60, &Shape::small(), |seed, program, graph, text| {
        let expected = graph.infinite(None);
        for formula in [shipped("non_termination"), own("forever", FOREVER)] {
            let context = format!("seed {seed}, {}\n{text}", formula.name);
            let asking = Asking { program, formula, labels: Vec::new(), target: None, context };
            asking.compare(expected, &mut tally, |trace| wanted(trace.cycle().is_some(), "the run ends"));
        }
        for (_, often) in pairs(&program.machine, seed) {
            let expected = graph.infinite(Some(often.1));
            let context = format!("{} for ever, seed {seed}\n{text}", often.0);
            let (formula, labels) = (shipped("fair_cycle"), Vec::new());
            let asking = Asking { program, formula, labels, target: Some(&often), context };
            asking.compare(expected, &mut tally, |trace| {
                let round = trace.round(program, &[often.1.into()]);
                round.map(|_| ()).map_err(|problem| problem.to_string())
            });
        }
    });
    tally.check(8);
}

#[test]
fn all_runs_reach_a_label() {
    let mut tally = Tally::default();
    // A caller that does not allow a return is among the second.
    for range in [0..40, 3345..3350] {
        each(range, &Shape::small(), |seed, program, graph, text| {
            for (_, target) in pairs(&program.machine, seed) {
                let expected = graph.misses(target.1);
                let context = format!("{} sooner or later, seed {seed}\n{text}", target.0);
                let (formula, labels) = (shipped("all_paths"), Vec::new());
                let asking = Asking { program, formula, labels, target: Some(&target), context };
                asking.compare(expected, &mut tally, |trace| {
                    wanted(!passes(&program.machine, trace, target.1), "the run reaches the target")
                });
            }
        });
    }
    tally.check(4);
}

#[test]
fn all_runs_of_main_reach_a_label() {
    let mut tally = Tally::default();
    let shape = Shape { n_functions: 0, ..Shape::small() };
    each(0..80, &shape, |seed, program, graph, text| {
        for (_, target) in pairs(&program.machine, seed) {
            let expected = graph.misses(target.1);
            let context = format!("{} always, seed {seed}\n{text}", target.0);
            let (formula, labels) = (own("always", ALWAYS), Vec::new());
            let asking = Asking { program, formula, labels, target: Some(&target), context };
            asking.compare(expected, &mut tally, |trace| {
                wanted(!passes(&program.machine, trace, target.1), "the run reaches the target")
            });
        }
    });
    tally.check(4);
}

#[test]
fn conditions_on_variables() {
    let mut tally = Tally::default();
    // A function that cannot be entered in some states is among the second.
    for range in [0..60, 1113..1117] {
        each(range, &Shape::small(), |seed, program, graph, text| {
            let rsm = &program.machine;
            for (m, module) in rsm.modules.iter().enumerate().take(2) {
                let globals = rsm.globals.iter().enumerate().map(|(n, v)| (Place::Global(n as u32), v));
                let locals = module.locals.iter().enumerate().map(|(n, v)| (Place::Local(n as u32), v));
                for (place, variable) in globals.chain(locals).filter(|(_, v)| v.ty == Type::Bool).take(4) {
                    let is_hidden = matches!(place, Place::Global(_))
                        && module.locals.iter().any(|local| local.name == variable.name);
                    if is_hidden {
                        continue;
                    }
                    let condition = format!("{}: {}", module.name, variable.name);
                    let formula = format!(
                    "#where Holds = \"{condition}\";
                     mu bool Sum(State u, State v)
                         (Entry(u) & u = v)
                       | (exists State x. Sum(u, x) & ProgramInt(x, v))
                       | (exists State x, State y, State z. Sum(u, x) & IntoCall(x, y) & Sum(y, z) & Exit(z) & Return(x, z, v));
                     mu bool Reach(State u)
                         Init(u) | (exists State w, State x. Reach(w) & Sum(w, x) & IntoCall(x, u));
                     #verdict violated;
                     exists State u, State v. Reach(u) & Sum(u, v) & Holds(v);"
                );
                    let expected = graph.holds(ModuleId::new(m), place);
                    let context = format!("{condition}, seed {seed}\n{text}");
                    let (formula, labels) = (own("where", &formula), Vec::new());
                    let asking = Asking { program, formula, labels, target: None, context };
                    asking.compare(expected, &mut tally, |_| Ok(()));
                }
            }
        });
    }
    tally.check(10);
}

#[test]
fn locals_that_are_read_before_they_were_written() {
    let mut tally = Tally::default();
    each(0..60, &Shape::small(), |seed, program, graph, text| {
        let expected = graph.reads_unwritten(&program.machine);
        let context = format!("seed {seed}\n{text}");
        let (formula, labels) = (shipped("uninitialised"), Vec::new());
        let asking = Asking { program, formula, labels, target: None, context };
        asking.compare(expected, &mut tally, |_| Ok(()));
    });
    tally.check(4);
}

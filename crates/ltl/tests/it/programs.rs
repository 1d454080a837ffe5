//! Formulas about programs: the answers, and that a lasso that is shown violates the formula by definition.

use base::{Gauge, Sources, Stop};
use bp::product;
use explicit::{Answer, Limits, Settings};
use generate::dice::Dice;
use generate::random::{Shape, program, seeds};
use rsm::step::{Configuration, Frame, State, initials, successors};
use rsm::trace::Trace;
use rsm::{Concurrent, Rsm, ThreadGoal};
use std::collections::HashMap;

/// An infinite run that violates a formula, if there is one.
fn violated(text: &str, formula: &str) -> (Rsm, Option<Trace>) {
    let mut sources = Sources::default();
    let (checked, _) = bp::load(&mut sources, "test.bp", text).expect("the program is right");
    let rsm = bp::lower(&checked).unwrap();
    let translated = ltl::violations(&mut sources, "formula", formula, &checked)
        .unwrap_or_else(|d| panic!("{}\n{text}", base::render(&sources, &d[0])));
    let product = product(&rsm, &translated.monitor);
    let (stop, gauge) = (Stop::default(), Gauge::default());
    let limits =
        Limits { max_bytes: 1 << 26, max_states: 1 << 20, max_steps: 1 << 16, stop: &stop, gauge: &gauge };
    let outcome = explicit::repeat(&product.rsm, &product.goals, Settings::default(), &limits);
    let lasso = match outcome.answer {
        Answer::Infinite(Some(lasso)) => Some(lasso),
        Answer::No => None,
        other => panic!("{other:?}"),
    };
    let lasso = lasso.map(|lasso| {
        let goals: Vec<ThreadGoal> = product.goals.iter().map(|goal| (*goal).into()).collect();
        let replayed = lasso.replay(&Concurrent::sequential(product.rsm.clone()), &goals);
        replayed.expect("the lasso of the product is one");
        let watched = product.back(&lasso).expect("it begins with main").trace;
        let replayed = watched.replay(&Concurrent::sequential(rsm.clone()), &[]);
        replayed.unwrap_or_else(|fault| panic!("{fault}\n{text}\n{formula}"));
        watched
    });
    (rsm, lasso)
}

#[track_caller]
fn check(text: &str, formula: &str, holds: bool) {
    assert_eq!(violated(text, formula).1.is_none(), holds, "{formula}\n{text}");
}

const LOCKS: &str = "decl held; init !held;
    void acquire() begin LOCK: held := T; end
    void release() begin UNLOCK: held := F; end
    void main() begin while (T) do acquire(); WORK: skip; release(); od end";

#[test]
fn every_lock_is_released() {
    check(LOCKS, "G (at(LOCK) -> F at(UNLOCK))", true);
    check(LOCKS, "GF held", true);
    check(LOCKS, "FG held", false);
    check(LOCKS, "G (call(acquire) -> X in(acquire))", true);
    check(LOCKS, "G (ret(acquire) -> X at(WORK))", true);
    check(LOCKS, "G !(held & at(LOCK))", true);
    check(LOCKS, "(!held) U at(LOCK)", true);
    check(&LOCKS.replace("release();", "if (*) then release(); fi"), "G (at(LOCK) -> F at(UNLOCK))", false);
    check(&LOCKS.replace("release();", "if (*) then release(); fi"), "G !(held & at(LOCK))", false);
}

#[test]
fn runs_that_end_or_block_violate_nothing() {
    check("void main() begin L: skip; end", "G !at(L)", true);
    check("void main() begin L: assume(F); end", "F F", true);
    check("void main() begin L: skip; while (T) do od end", "G !at(L)", false);
    check("void main() begin skip; end", "F", true);
}

#[test]
fn recursion_that_never_ends_is_infinite() {
    let text = "void main() begin f(); end void f() begin L: skip; f(); M: skip; end";
    check(text, "GF at(L)", true);
    check(text, "G !at(M)", true);
    check(text, "FG in(f)", true);
    check(text, "F at(M)", false);
}

#[test]
fn locals_are_looked_at_where_their_function_is_on_top() {
    let text = "void main() begin while (T) do f(T); g(F); od end void f(x) begin skip; end void g(x) begin skip; end";
    check(text, "GF f.x", true);
    check(text, "G (in(f) -> f.x)", true);
    check(text, "G !g.x", true);
    check(text, "G f.x", false);
    check(text, "G !(f.x & g.x)", true);
}

/// The truth of `at(label)` and of globals that are Boolean, along the steps of a run.
fn letter(rsm: &Rsm, configuration: &Configuration, proposition: &str) -> bool {
    let top = configuration.top().expect("something runs");
    match proposition.strip_prefix("at(").and_then(|rest| rest.strip_suffix(')')) {
        Some(label) => rsm.module(top.module).node(top.node).labels.iter().any(|l| l == label),
        None => {
            let n = rsm.globals.iter().position(|global| global.name == proposition).expect("it is a global");
            configuration.globals[n] == 1
        }
    }
}

/// A random formula over two propositions: its text, and what it says of a word.
fn formula(dice: &mut Dice, depth: usize, propositions: &[String]) -> String {
    if depth == 0 {
        return propositions[dice.below(propositions.len())].clone();
    }
    let part = |dice: &mut Dice| {
        let below = dice.below(depth);
        formula(dice, below, propositions)
    };
    match dice.below(7) {
        0 => format!("!({})", part(dice)),
        1 => format!("(({}) & ({}))", part(dice), part(dice)),
        2 => format!("X ({})", part(dice)),
        3 => format!("F ({})", part(dice)),
        4 => format!("G ({})", part(dice)),
        5 => format!("(({}) U ({}))", part(dice), part(dice)),
        _ => format!("(({}) -> ({}))", part(dice), part(dice)),
    }
}

/// The configurations of a run before each step, as far as the function on top.
fn configurations(rsm: &Rsm, trace: &Trace) -> Vec<Configuration> {
    let start = &trace.start;
    let mut before =
        State { globals: start.shared.clone(), locals: start.threads[0].stack[0].locals.clone() };
    let mut all = Vec::new();
    for visit in trace.walk(rsm) {
        let State { globals, locals } = std::mem::replace(&mut before, visit.after.clone());
        let node = rsm.module(visit.module).edge(visit.edge).from;
        all.push(Configuration { globals, stack: vec![Frame::new(visit.module, node, locals)] });
    }
    all
}

/// The definition: whether a formula holds at the start of a word that goes on at `back` behind its end.
fn holds(text: &str, letters: &[HashMap<String, bool>], back: usize) -> bool {
    let mut sources = Sources::default();
    let file = sources.add("formula", text);
    let formula = ltl::parse(&sources, file).expect("the formula is right");
    let n = letters.len();
    let next = |at: usize| if at + 1 < n { at + 1 } else { back };
    let mut values: Vec<Vec<bool>> = Vec::new();
    for node in &formula.nodes {
        let of = |id: ltl::FormulaId, at: usize| values[id.index()][at];
        // From the end of the word backwards, often enough that what holds round the cycle is known.
        let fixed_point = |start: bool, step: &dyn Fn(usize, bool) -> bool| {
            let mut value = vec![start; n];
            for _ in 0..=n {
                for at in (0..n).rev() {
                    value[at] = step(at, value[next(at)]);
                }
            }
            value
        };
        let value = (0..n).map(|at| match *node {
            ltl::Node::Constant(value) => value,
            ltl::Node::Proposition(p) => letters[at][sources.text(formula.propositions[p as usize])],
            ltl::Node::Not(a) => !of(a, at),
            ltl::Node::And(a, b) => of(a, at) && of(b, at),
            ltl::Node::Or(a, b) => of(a, at) || of(b, at),
            ltl::Node::Next(a) => of(a, next(at)),
            ltl::Node::Until(a, b) => fixed_point(false, &|at, later| of(b, at) || (of(a, at) && later))[at],
            ltl::Node::Release(a, b) => fixed_point(true, &|at, later| of(b, at) && (of(a, at) || later))[at],
        });
        let value = value.collect();
        values.push(value);
    }
    values[formula.root().index()][0]
}

/// Some lassos of a program whose configurations are few: random walks until a configuration comes back.
fn walks(rsm: &Rsm, dice: &mut Dice) -> Vec<(Vec<Configuration>, usize)> {
    let mut lassos = Vec::new();
    let Ok(starts) = initials(rsm, 1 << 12) else { return lassos };
    for _ in 0..if starts.is_empty() { 0 } else { 30 } {
        let mut walk = vec![starts[dice.below(starts.len())].clone()];
        while walk.len() < 60 {
            let Ok(next) = successors(rsm, &walk[walk.len() - 1], 1 << 12) else { break };
            if next.is_empty() {
                break;
            }
            let after = next[dice.below(next.len())].1.clone();
            if let Some(back) = walk.iter().position(|before| *before == after) {
                lassos.push((walk, back));
                break;
            }
            walk.push(after);
        }
    }
    lassos
}

#[test]
fn random_formulas_about_random_programs() {
    let (mut n_violated, mut n_holds, mut n_walks) = (0, 0, 0);
    for seed in seeds(0..250) {
        let text = program(seed, &Shape { n_statements: 4, ..Shape::small() });
        let mut dice = Dice::new(seed);
        let mut sources = Sources::default();
        let (checked, _) = bp::load(&mut sources, "test.bp", &text[..]).expect("the program is right");
        let rsm = bp::lower(&checked).unwrap();
        let labels = rsm.modules.iter().flat_map(|module| &module.nodes).flat_map(|node| &node.labels);
        let labels: Vec<String> = labels.map(|label| format!("at({label})")).collect();
        let globals = rsm.globals.iter().filter(|global| global.ty == rsm::Type::Bool);
        let mut propositions: Vec<String> = globals.map(|global| global.name.clone()).take(1).collect();
        propositions.extend((0..2).map(|_| labels[dice.below(labels.len())].clone()));
        let written = formula(&mut dice, 3, &propositions);
        let about = format!("seed {seed} {written}\n{text}");
        let word = |configurations: &[Configuration]| -> Vec<HashMap<String, bool>> {
            let letters = configurations.iter().map(|configuration| {
                propositions.iter().map(|p| (p.clone(), letter(&rsm, configuration, p))).collect()
            });
            letters.collect()
        };
        let walks = walks(&rsm, &mut dice);
        let has_violation = walks.iter().any(|(walk, back)| !holds(&written, &word(walk), *back));
        n_walks += walks.len();
        match violated(&text, &written).1 {
            Some(lasso) => {
                let all = configurations(&rsm, &lasso);
                assert!(!holds(&written, &word(&all), lasso.n_stem() as usize), "{about}");
                n_violated += 1;
            }
            None => {
                assert!(!has_violation, "{about}");
                n_holds += 1;
            }
        }
    }
    let enough = n_violated > 30 && n_holds > 30 && n_walks > 500;
    assert!(enough || testing::is_chosen(), "{n_violated} {n_holds} {n_walks}");
}

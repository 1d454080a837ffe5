//! Random programs: exact summaries are accepted exactly if no goal is reachable, whichever points they leave out; without any one pair
//! they are refused.

use crate::program::{Program, load};
use crate::summaries::{Summaries, certificate, certificate_about, exact, inner_points, reaches};
use base::Random;
use certificate::Point;
use encode::Slot;
use rsm::{Action, Expr, ModuleId, Place, Rsm};

/// How many programs each test looks at.
const N_PROGRAMS: u64 = 60;

const LEAVES: [&str; 7] = ["g", "h", "x", "y", "T", "*", "e = b"];

fn expression(random: &mut Random) -> String {
    let (a, b) = (random.pick(&LEAVES), random.pick(&LEAVES));
    match random.index(6) {
        0 => format!("(!({a}))"),
        1 => format!("(({a}) & ({b}))"),
        2 => format!("(({a}) ^ ({b}))"),
        3 => format!("schoose[{a}, {b}]"),
        _ => format!("({a})"),
    }
}

/// A statement of a function that returns `result`.
fn statement(random: &mut Random, result: &str) -> String {
    let (e, f) = (expression(random), expression(random));
    let variable = random.pick(&["g", "h", "x", "y"]);
    let function = random.pick(&["p", "q"]);
    match random.index(12) {
        0 | 1 => format!("{variable} := {e};"),
        2 => format!("x, y := {e}, {f} constrain x' | !y';"),
        3 => format!("e := {};", random.pick(&["a", "b", "c", "*"])),
        4 => format!("assume {e};"),
        5 => format!("if {e} then {variable} := {f}; else skip; fi"),
        6 => format!("while {e} do {variable} := {f}; od"),
        7 => format!("{variable} := {function}({e}, {f});"),
        8 => format!("x, g := r({e});"),
        9 => format!("{function}({e}, {f});"),
        10 => "skip;".to_owned(),
        _ => format!("if {e} then return {result}; fi"),
    }
}

fn body(random: &mut Random, result: &str) -> String {
    let n = 1 + random.index(4);
    let lines: Vec<String> = (0..n).map(|_| statement(random, result)).collect();
    lines.join("\n  ")
}

/// The text of a program with two globals, recursion and all kinds of statements.
pub fn program(seed: u64) -> String {
    let mut random = Random::new(seed);
    let init =
        if random.index(2) == 0 { format!("init !g | {};", random.pick(&["h", "F"])) } else { String::new() };
    let enforce = if random.index(3) == 0 { "enforce g | x;" } else { "" };
    let error = expression(&mut random);
    let [main, p, q, r] = ["", "x", "!y & *", "y, *"].map(|result| body(&mut random, result));
    format!(
        "decl g, h;\n{init}\nvoid main() begin\n decl x, y; decl e: enum {{ a, b, c }};\n  {main}\n  \
         if ({error}) & x & !h then ERROR: skip; fi\nend\n\
         bool p(x, y) begin\n decl e: enum {{ a, b, c }};\n {enforce}\n  {p}\n  return {};\nend\n\
         bool q(x, y) begin\n decl e: enum {{ a, b, c }};\n  {q}\nend\n\
         bool<2> r(x) begin\n decl y; decl e: enum {{ a, b, c }};\n  {r}\n  return x, {};\nend\n",
        expression(&mut random),
        expression(&mut random),
    )
}

fn is_reachable(program: &Program, summaries: &Summaries) -> bool {
    program.goals().into_iter().any(|goal| reaches(&program.rsm, summaries, goal))
}

/// Leaves out some points; they are recomputed.
pub fn thinned(program: &Program, summaries: &Summaries, random: &mut Random) -> Summaries {
    let mut thin = summaries.clone();
    for (module, node) in inner_points(&program.rsm, summaries) {
        if random.index(3) > 0 {
            thin.remove(&(module, Point::Node(node)));
        }
    }
    for module in 0..program.rsm.modules.len() {
        if random.index(3) == 0 {
            let module = ModuleId::new(module);
            thin.remove(&(module, Point::Node(program.rsm.module(module).exit)));
        }
    }
    thin
}

#[test]
fn exact_summaries_are_accepted_exactly_if_no_goal_is_reachable() {
    let mut n_accepted = 0;
    for seed in 0..N_PROGRAMS {
        let program = load(&program(seed));
        let summaries = exact(&program.rsm);
        let is_reachable = is_reachable(&program, &summaries);
        let mut random = Random::new(seed);
        for summaries in [thinned(&program, &summaries, &mut random), summaries] {
            let verdict = program.verdict(&certificate(&program, &summaries));
            assert_eq!(verdict != "accepted", is_reachable, "seed {seed}: {verdict}");
            n_accepted += usize::from(verdict == "accepted");
        }
    }
    assert!(n_accepted > 10, "too few programs without a reachable goal: {n_accepted}");
}

#[test]
fn summaries_that_lack_a_pair_are_refused() {
    for seed in 0..N_PROGRAMS {
        let program = load(&program(seed));
        let summaries = exact(&program.rsm);
        let mut random = Random::new(seed);
        for key in summaries.keys().copied().collect::<Vec<_>>() {
            let mut wrong = summaries.clone();
            let pairs = wrong.get_mut(&key).expect("the key is one of them");
            let nth = random.index(pairs.len());
            let pair = pairs.iter().nth(nth).expect("it is not empty").clone();
            pairs.remove(&pair);
            let verdict = program.verdict(&certificate(&program, &wrong));
            assert_ne!(verdict, "accepted", "seed {seed}: {key:?} without {pair:?}");
        }
    }
}

/// For each module and global, whether the module or one that it calls reads or writes it.
fn touched(rsm: &Rsm) -> Vec<Vec<bool>> {
    let mut touched = vec![vec![false; rsm.globals.len()]; rsm.modules.len()];
    for _ in 0..=rsm.modules.len() {
        for (row, module) in rsm.modules.iter().enumerate() {
            let mut places: Vec<Place> = module.enforce.iter().flat_map(Expr::reads).collect();
            for edge in &module.edges {
                let (exprs, stored): (Vec<&Expr>, Vec<Place>) = match &edge.action {
                    Action::Skip => continue,
                    Action::Assume(condition) | Action::Assert(condition) => (vec![condition], Vec::new()),
                    Action::Assign { targets, values, constrain } => {
                        (values.iter().chain(constrain).collect(), targets.clone())
                    }
                    Action::Return { values } => (values.iter().collect(), Vec::new()),
                    Action::Call { callee, args, results } => {
                        let callee = touched[callee.index()].clone();
                        touched[row].iter_mut().zip(callee).for_each(|(flag, other)| *flag |= other);
                        (args.iter().collect(), results.iter().flatten().copied().collect())
                    }
                };
                places.extend(
                    exprs.iter().flat_map(|expr| expr.reads().chain(expr.reads_next())).chain(stored),
                );
            }
            for place in places {
                if let Place::Global(global) = place {
                    touched[row][global as usize] = true;
                }
            }
        }
    }
    touched
}

#[test]
fn summaries_that_forget_globals_which_are_not_touched_are_as_good() {
    let mut n_forgotten = 0;
    for seed in 0..3 * N_PROGRAMS {
        let program = load(&program(seed));
        let summaries = exact(&program.rsm);
        let touched = touched(&program.rsm);
        n_forgotten += summaries
            .keys()
            .filter(|key| key.1 == Point::Entry && key.0 != program.rsm.main)
            .filter(|key| touched[key.0.index()].contains(&false))
            .count();
        let text = certificate_about(&program, &summaries, |module, slot| match slot {
            Slot::Place(Place::Global(global)) => {
                module == program.rsm.main || touched[module.index()][global as usize]
            }
            _ => true,
        });
        let verdict = program.verdict(&text);
        assert_eq!(verdict != "accepted", is_reachable(&program, &summaries), "seed {seed}: {verdict}");
    }
    assert!(n_forgotten > 20, "too few functions that leave a global alone: {n_forgotten}");
}

#[test]
fn goals_that_are_reachable_are_never_proved_unreachable() {
    for seed in 0..N_PROGRAMS {
        let program = load(&program(seed));
        let summaries = exact(&program.rsm);
        if !is_reachable(&program, &summaries) {
            continue;
        }
        // Whatever a certificate says at some points, the rest is recomputed.
        let mut random = Random::new(seed);
        for _ in 0..10 {
            let mut wrong = thinned(&program, &summaries, &mut random);
            for pairs in wrong.values_mut() {
                let keep = random.index(4);
                pairs.retain(|_| random.index(4) >= keep);
            }
            assert_ne!(program.verdict(&certificate(&program, &wrong)), "accepted", "seed {seed}");
        }
    }
}

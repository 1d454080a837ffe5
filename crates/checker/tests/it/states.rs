//! Formulas that tell states apart see those of the program: their answers, and how many states there are, are those of brute force, whatever is
//! reduced and however states are stored.
//!
//! `GETAFIX_SEED=7` or `GETAFIX_SEED=100..200` chooses the programs.

mod table;

use crate::translate::evaluate;
use base::Sources;
use checker::{
    ALGORITHMS, Algorithm, Asker, Dialect, Engine, Formula, FormulaFile, Limits, Options, Outcome, Problem,
    Programs, Question, Said, Symbolic, Verdict, Wanted, WantedTrace,
};
use generate::random::{Shape, program, seeds};
use rsm::{Concurrent, ModuleId, Reductions, Rsm};
use std::collections::{BTreeMap, BTreeSet};
use table::{Point, State, Table};
use testing::lower;

/// What all formulas have in common.
const COMMON: &str = "
    mu bool Sum(State u, State v)
        (Entry(u) & u = v)
      | (exists State x. Sum(u, x) & ProgramInt(x, v))
      | (exists State x, State y, State z. Sum(u, x) & IntoCall(x, y) & Sum(y, z) & Exit(z) & Return(x, z, v));
    mu bool Reach(State u)
        Init(u) | (exists State w, State x. Reach(w) & Sum(w, x) & IntoCall(x, u));
    bool At(State v) exists State u. Reach(u) & Sum(u, v);
    #verdict violated;
";

/// What is asked of a function, and its answer by brute force.
struct Asked {
    name: &'static str,
    query: &'static str,
    answer: fn(&Facts) -> bool,
}

/// What brute force knows of a program and one of its functions.
struct Facts<'t> {
    table: &'t Table<'t>,
    entries: BTreeSet<State>,
    /// All states in which a run is.
    at: BTreeSet<State>,
    function: ModuleId,
}

impl Facts<'_> {
    /// The entries of the function, with any values, and what they lead to.
    fn any(&self) -> impl Iterator<Item = (&State, &BTreeSet<State>)> {
        self.table.reached.iter().filter(|(entry, _)| entry.module == self.function)
    }

    /// Only those that runs get to.
    fn real(&self) -> impl Iterator<Item = (&State, &BTreeSet<State>)> {
        self.any().filter(|(entry, _)| self.entries.contains(entry))
    }

    /// All states of the function.
    fn proper(&self) -> Vec<State> {
        let points = self.table.points(self.function).into_iter();
        points.flat_map(|point| self.table.at(self.function, point).expect("they are few")).collect()
    }
}

fn exits(reached: &BTreeSet<State>) -> Vec<&State> {
    reached.iter().filter(|state| state.point == Point::Exit).collect()
}

/// The states of a function of which steps never change globals, by a greatest fixed point.
fn quiet(facts: &Facts) -> BTreeSet<State> {
    let mut quiet: BTreeSet<State> = facts.proper().into_iter().collect();
    loop {
        let stays = |state: &&State| {
            let next = facts.table.steps(state).expect("they are few");
            next.iter().all(|next| next.globals == state.globals && quiet.contains(next))
        };
        let fewer: BTreeSet<State> = quiet.iter().filter(stays).cloned().collect();
        if fewer.len() == quiet.len() {
            return quiet;
        }
        quiet = fewer;
    }
}

fn asked() -> Vec<Asked> {
    [about_exits(), about_states()].into_iter().flatten().collect()
}

fn about_exits() -> Vec<Asked> {
    vec![
        Asked {
            name: "two exits from one entry",
            query: "exists State u, State y, State z. F(u.mod) & Reach(u) & Sum(u, y) & Exit(y) & Sum(u, z) & Exit(z)
                      & (y.L != z.L | y.G != z.G);",
            answer: |facts| facts.real().any(|(_, reached)| exits(reached).len() > 1),
        },
        Asked {
            name: "two exits from any entry",
            query: "exists State u, State y, State z. F(u.mod) & Sum(u, y) & Exit(y) & Sum(u, z) & Exit(z) & y != z;",
            answer: |facts| facts.any().any(|(_, reached)| exits(reached).len() > 1),
        },
        Asked {
            name: "not all exits are one",
            query: "!(forall State u, State y, State z.
                       (F(u.mod) & Sum(u, y) & Exit(y) & Sum(u, z) & Exit(z)) -> y = z);",
            answer: |facts| facts.any().any(|(_, reached)| exits(reached).len() > 1),
        },
        Asked {
            name: "two results",
            query: "bool Same(Local a, Local b) a = b;
                    exists State u, State y, State z. F(u.mod) & Reach(u) & Sum(u, y) & Exit(y) & Sum(u, z) & Exit(z)
                      & !Same(y.L, z.L);",
            answer: |facts| {
                facts.real().any(|(_, reached)| {
                    exits(reached).iter().any(|exit| exit.values != exits(reached)[0].values)
                })
            },
        },
    ]
}

fn about_states() -> Vec<Asked> {
    vec![
        Asked {
            name: "two steps from one state",
            query: "exists State x, State y, State z. F(x.mod) & At(x) & ProgramInt(x, y) & ProgramInt(x, z) & y != z;",
            answer: |facts| {
                let is_one = |state: &State| {
                    let next: BTreeSet<State> = facts.table.steps(state).unwrap().into_iter().collect();
                    next.len() <= 1
                };
                facts.at.iter().any(|state| state.module == facts.function && !is_one(state))
            },
        },
        Asked {
            name: "two entries to one exit",
            query: "exists State u, State w, State y. F(u.mod) & Sum(u, y) & Exit(y) & Sum(w, y) & u != w;",
            answer: |facts| {
                let all = facts.any().flat_map(|(_, reached)| exits(reached));
                let mut seen = BTreeSet::new();
                all.into_iter().any(|exit| !seen.insert(exit))
            },
        },
        Asked {
            name: "a global changes",
            query: "exists State u, State y. F(u.mod) & Reach(u) & Sum(u, y) & Exit(y) & u.G != y.G;",
            answer: |facts| {
                facts.real().any(|(u, reached)| exits(reached).iter().any(|exit| exit.globals != u.globals))
            },
        },
        Asked {
            name: "the globals stay",
            query: "exists State u, State y. F(u.mod) & Reach(u) & Sum(u, y) & Exit(y) & u.G = y.G;",
            answer: |facts| {
                facts.real().any(|(u, reached)| exits(reached).iter().any(|exit| exit.globals == u.globals))
            },
        },
        Asked {
            name: "an exit that is not reached",
            query: "exists State z. F(z.mod) & Exit(z) & !At(z);",
            answer: |facts| {
                let exits = facts.table.at(facts.function, Point::Exit).expect("they are few");
                exits.iter().any(|exit| !facts.at.contains(exit))
            },
        },
        Asked {
            name: "an entry that is not reached",
            query: "!(forall State u. (Entry(u) & F(u.mod)) -> Reach(u));",
            answer: |facts| facts.any().count() > facts.real().count(),
        },
        Asked {
            name: "a state that is not reached",
            query: "exists State x. F(x.mod) & !At(x);",
            answer: |facts| facts.proper().iter().any(|state| !facts.at.contains(state)),
        },
        Asked {
            name: "a state from one entry alone",
            query: "exists State u, State w, State x. F(u.mod) & Reach(u) & Reach(w) & u.mod = w.mod & x.pc != u.pc
                      & Sum(u, x) & !Sum(w, x);",
            answer: |facts| {
                facts.real().any(|(_, here)| {
                    let own = |state: &&State| state.point != Point::Entry;
                    facts.real().any(|(_, there)| here.iter().filter(own).any(|state| !there.contains(state)))
                })
            },
        },
        Asked {
            name: "quiet from the beginning",
            query: "nu bool Quiet(State s) forall State v. ProgramInt(s, v) -> (s.G = v.G & Quiet(v));
                    exists State u. F(u.mod) & Reach(u) & Quiet(u);",
            answer: |facts| {
                let quiet = quiet(facts);
                facts.real().any(|(u, _)| quiet.contains(u))
            },
        },
    ]
}

/// Random programs that are small enough, with what is known of them; every other one has a variable that nobody uses.
fn each(range: std::ops::Range<u64>, mut ask: impl FnMut(u64, &Concurrent, &Table, &str)) {
    let shape = Shape { global_bits: 2, n_statements: 4, ..Shape::small() };
    for seed in seeds(range) {
        let spare = if seed.is_multiple_of(2) { "decl spare;\n" } else { "" };
        let text = format!("{spare}{}", program(seed, &shape));
        let rsm = lower(&text);
        if let Some(table) = Table::new(&rsm) {
            ask(seed, &Concurrent::sequential(rsm.clone()), &table, &text);
        }
    }
}

fn facts<'t>(table: &'t Table<'t>, function: ModuleId) -> Option<Facts<'t>> {
    let entries = table.entries()?;
    let at = entries.iter().flat_map(|entry| table.reached[entry].iter().cloned()).collect();
    Some(Facts { table, entries, at, function })
}

/// How a formula is evaluated.
#[derive(Clone, Copy, Debug)]
struct How {
    reductions: Reductions,
    only_bits: bool,
}

const HOW: [How; 4] = [
    How { reductions: Reductions::ALL, only_bits: false },
    How { reductions: Reductions::NONE, only_bits: false },
    How { reductions: Reductions { live_variables: true, ..Reductions::NONE }, only_bits: true },
    How { reductions: Reductions { live_variables: false, ..Reductions::ALL }, only_bits: false },
];

fn answer(program: &Concurrent, text: &str, how: How, context: &str) -> Outcome {
    let wanted = Wanted { trace: WantedTrace::None, certificate: false };
    let problem = Problem {
        program,
        question: Question::Reach,
        targets: &[],
        bound: None,
        wanted,
        watch: Default::default(),
    };
    let formula = Formula::own("states.mu", text, |path| Err(format!("`{path}` is not there")));
    let How { reductions, only_bits } = how;
    let engine = Symbolic { reductions, only_bits, ..Symbolic::new(formula) };
    let mut sources = Sources::default();
    let mut asker = Asker { sources: &mut sources, known: &mut |_, _| {} };
    let outcome = engine.answer(&problem, &Limits::default(), &mut asker);
    outcome.unwrap_or_else(|failure| panic!("{failure:?}, {context}"))
}

/// The answer of the formula and the program as one text.
fn translated(rsm: &Rsm, text: &str) -> bool {
    let mut read = |_: &str| Err("nothing is loaded".to_owned());
    let file = FormulaFile { name: "states.mu", text, read: &mut read, params: &[], labels: &[] };
    let text =
        checker::translate(rsm, &[], file, &Options::default(), &mut Sources::default(), Dialect::Calculus)
            .unwrap_or_else(|failure| panic!("{failure:?}"));
    evaluate(&text)
}

#[test]
fn states_are_those_of_the_program() {
    let mut tally: BTreeMap<&str, [u32; 2]> = BTreeMap::new();
    let (mut n_programs, mut n_odd, mut n_restricted) = (0, 0, 0);
    each(0..60, |seed, program, table, text| {
        let rsm = &program.machine;
        n_programs += 1;
        let is_odd = |ty: &rsm::Type| !(ty.max() + 1).is_power_of_two();
        let mut types = rsm.modules.iter().flat_map(|module| &module.locals).chain(&rsm.globals);
        n_odd += u32::from(types.any(|variable| is_odd(&variable.ty)));
        n_restricted += u32::from(rsm.modules.iter().any(|module| module.enforce.is_some()));
        for (n, asked) in asked().into_iter().enumerate() {
            let modules: Vec<ModuleId> = table.modules().collect();
            let function = modules[(seed as usize + n) % modules.len()];
            let Some(facts) = facts(table, function) else { continue };
            let is_true = (asked.answer)(&facts);
            let name = &rsm.module(function).name;
            let formula = format!("#function F = \"{name}\";{COMMON}{}", asked.query);
            let how = HOW[(seed as usize + n) % HOW.len()];
            let context = format!("{} of {name}, {how:?}, seed {seed}\n{text}", asked.name);
            for how in [HOW[0], how] {
                let outcome = answer(program, &formula, how, &context);
                let expected = if is_true { Verdict::Yes } else { Verdict::No };
                assert_eq!(outcome.finding.verdict, expected, "{how:?}: {context}");
            }
            if (seed as usize + n).is_multiple_of(5) {
                assert_eq!(translated(rsm, &formula), is_true, "translated: {context}");
            }
            tally.entry(asked.name).or_default()[usize::from(is_true)] += 1;
        }
    });
    println!("{n_programs} programs, {n_odd} with odd types, {n_restricted} with restrictions: {tally:?}");
    if !testing::is_chosen() {
        assert!(n_odd >= 5 && n_restricted >= 5, "{n_odd} and {n_restricted} programs");
        assert_eq!(tally.len(), asked().len());
        assert!(tally.values().all(|counts| counts.iter().all(|count| *count >= 2)), "{tally:?}");
    }
}

#[test]
fn states_are_counted_as_the_program_has_them() {
    let mut n_compared = 0;
    each(100..140, |seed, program, table, text| {
        let Some(facts) = facts(table, program.machine.main) else { return };
        let proper = |m| {
            let points = table.points(m).into_iter();
            points.map(|point| table.at(m, point).expect("they are few").len()).sum::<usize>()
        };
        let n_proper: usize = table.modules().map(proper).sum();
        let expected = [
            ("Sum", table.reached.values().map(BTreeSet::len).sum()),
            ("Reach", facts.entries.len()),
            ("At", facts.at.len()),
            ("Not", n_proper - facts.at.len()),
        ];
        let text_of = format!(
            "{COMMON} bool Not(State v) !At(v); #ons Sum; #ons Reach; #ons At; #ons Not; exists State u. Init(u);"
        );
        for how in HOW {
            let outcome = answer(program, &text_of, how, text);
            let counted: Vec<String> =
                outcome.formula.side_answers.iter().map(|answer| format!("{:?}", answer.said)).collect();
            let wanted: Vec<String> = expected
                .iter()
                .map(|(_, n)| format!("{:?}", Ok::<Said, ()>(Said::Number(n.to_string()))))
                .collect();
            assert_eq!(counted, wanted, "{how:?}, seed {seed}\n{text}");
            n_compared += counted.len();
        }
    });
    assert!(testing::is_chosen() || n_compared >= 200, "{n_compared}");
}

/// What comes with the program asks for runs, so all reductions may be used.
#[test]
fn shipped_algorithms_tell_no_states_apart() {
    let rsm = lower(
        "decl a, spare; void f(p, q) begin a := p; end void main() begin decl x; f(x, T); assert(a); end",
    );
    let targets = checker::default_targets(&rsm).expect("an assertion");
    let mut n_compared = 0;
    let is_meant = |a: &&Algorithm| matches!(a.programs, Programs::Sequential | Programs::Questions);
    for algorithm in ALGORITHMS.iter().filter(is_meant) {
        let mut read = |_: &str| Err("nothing is loaded".to_owned());
        let labels: Vec<(String, String)> = ["First", "Gate"]
            .iter()
            .filter(|label| algorithm.text.contains(&format!("#label {label};")))
            .map(|label| ((*label).to_owned(), "assert".to_owned()))
            .collect();
        let file = FormulaFile {
            name: "shipped.mu",
            text: algorithm.text,
            read: &mut read,
            params: &[],
            labels: &labels,
        };
        let sources = &mut Sources::default();
        let shown = checker::show(&rsm, &targets, file, &Options::default(), sources, checker::Stage::Labels);
        let shown = shown.unwrap_or_else(|failure| panic!("{}: {failure:?}", algorithm.name));
        // A variable that nobody mentions has bits where states are told apart.
        assert!(shown.contains("not looked at\n"), "{}: {shown}", algorithm.name);
        n_compared += 1;
    }
    assert!(n_compared >= 10, "{n_compared}");
}

//! Views that know less of a program have the same answers as the program, their runs replay on it, and their certificates are accepted on it.
//!
//! `GETAFIX_SEED=7` or `GETAFIX_SEED=100..200` chooses the programs.

use base::{Random, Sources, Stop};
use checker::{
    Asker, Engine, Failure, Formula, Limits, Localised, LocalisedFigures, Outcome, Problem, Question,
    Symbolic, Target, Verdict, Views, Wanted, WantedTrace,
};
use generate::random::{Shape, program, seeds};
use generate::{Options, family};
use rsm::{Concurrent, Goal, Reductions, Rsm, explicit};

/// Many variables, of which few matter to a target.
fn wide() -> Shape {
    Shape { n_functions: 3, n_statements: 8, global_bits: 7, local_bits: 5, depth: 2 }
}

/// What the tests have met.
#[derive(Default, Debug)]
struct Counts {
    n_programs: usize,
    n_compared: usize,
    n_questions: usize,
    n_reachable: usize,
    n_certificates: usize,
    /// Answers that needed another view than the first.
    n_refined: usize,
    /// Answers of views that do not know every variable, or not every bit.
    n_spared_variables: usize,
    n_spared_bits: usize,
    /// Answers that needed the whole program.
    n_whole: usize,
    most_rounds: u32,
    n_rounds: u32,
    n_by_exit_backward: usize,
    /// Programs in which variables differ by a constant, and that is of use.
    n_with_differences: usize,
    /// Targets that can be reached for several reasons.
    n_split: usize,
}

impl Counts {
    fn note(&mut self, figures: &LocalisedFigures) {
        self.n_refined += usize::from(figures.n_rounds > 1);
        self.n_spared_variables += usize::from(figures.n_kept < figures.n_variables);
        self.n_spared_bits += usize::from(figures.bits < figures.widest);
        self.n_whole += usize::from(figures.n_kept == figures.n_variables && figures.bits == figures.widest);
        self.most_rounds = self.most_rounds.max(figures.n_rounds);
        self.n_rounds += figures.n_rounds;
        self.n_by_exit_backward += usize::from(figures.formula == "exit_backward");
    }
}

fn lower(text: &str) -> Concurrent {
    let loaded = bp::load(&mut Sources::default(), "p.bp", text);
    let (checked, _) = loaded.unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    Concurrent::sequential(bp::lower(&checked).unwrap_or_else(|errors| panic!("{errors:?}\n{text}")))
}

/// Every label and every assertion is a target of its own.
pub fn all_targets(rsm: &Rsm) -> Vec<Target> {
    testing::all_goals(rsm).into_iter().map(|(name, goal)| Target::new(name, [goal])).collect()
}

fn expected(rsm: &Rsm, targets: &[Target]) -> Option<Vec<Verdict>> {
    let goals: Vec<Goal> = targets.iter().flat_map(Target::places).collect();
    let limits = explicit::Limits { max_states: 100_000, ..explicit::Limits::default() };
    let found = explicit::reachable(rsm, &goals, limits, &Stop::default()).ok()?;
    Some(found.into_iter().map(|found| if found { Verdict::Yes } else { Verdict::No }).collect())
}

fn answer(engine: &dyn Engine, program: &Concurrent, targets: &[Target], text: &str) -> (Outcome, Sources) {
    asked(engine, program, targets, text, true)
}

fn asked(
    engine: &dyn Engine,
    program: &Concurrent,
    targets: &[Target],
    text: &str,
    certificate: bool,
) -> (Outcome, Sources) {
    let wanted = Wanted { trace: WantedTrace::Any, certificate };
    let question = Question::Reach;
    let problem = Problem { program, question, targets, bound: None, watch: Default::default(), wanted };
    let mut sources = Sources::default();
    sources.add("p.bp", text);
    let mut asker = Asker { sources: &mut sources, known: &mut |_, _| {} };
    let outcome = engine.answer(&problem, &Limits::default(), &mut asker);
    let outcome = outcome.unwrap_or_else(|failure| panic!("{failure:?}\n{text}"));
    (outcome, sources)
}

/// Far more work than any question here takes: views that learn nothing come to an end.
fn views() -> Views {
    Views { reductions: Reductions::ALL, most: 200_000 }
}

/// The evidence for an answer stands on the program itself.
fn check_evidence(
    outcome: &Outcome,
    program: &Concurrent,
    targets: &[Target],
    sources: &Sources,
    context: &str,
) {
    match outcome.finding.verdict {
        Verdict::Yes => {
            let trace = outcome.trace.as_ref().unwrap_or_else(|| panic!("no run, {context}"));
            let goals: Vec<_> = targets.iter().flat_map(|target| target.goals.iter().copied()).collect();
            trace.replay(program, &goals).unwrap_or_else(|error| panic!("{error}, {context}"));
        }
        Verdict::No => {
            let text = outcome.certificate.as_ref().unwrap_or_else(|| panic!("no certificate, {context}"));
            let read = certificate::read(text).unwrap_or_else(|error| panic!("{error}, {context}"));
            let goals: Vec<Goal> = targets.iter().flat_map(Target::places).collect();
            let stop = Stop::default();
            let valid = certificate::validate(&program.machine, sources, &goals, &read, &stop, None);
            let is_accepted = matches!(valid, Ok(certificate::Outcome::Accepted(_)));
            assert!(is_accepted, "{valid:?}, {context}\n{text}");
        }
        Verdict::Unknown(_) => panic!("{:?}, {context}", outcome.finding),
    }
}

/// Some expression is another one.
fn reads_otherwise(rsm: &Rsm, used: &Rsm) -> bool {
    let pairs = rsm.modules.iter().zip(&used.modules).flat_map(|(a, b)| a.edges.iter().zip(&b.edges));
    pairs.into_iter().any(|(a, b)| !a.action.expressions().eq(b.action.expressions()))
}

/// Each target alone, and all of them together.
fn compare(seed: u64, shape: &Shape, counts: &mut Counts) {
    let text = program(seed, shape);
    let program = lower(&text);
    let targets = all_targets(&program.machine);
    counts.n_programs += 1;
    let Some(expected) = expected(&program.machine, &targets) else { return };
    if targets.is_empty() {
        return;
    }
    counts.n_compared += 1;
    let used = rsm::with_known_differences(&program.machine);
    counts.n_with_differences += usize::from(reads_otherwise(&program.machine, &used));
    assert_eq!(self::expected(&used, &targets).as_ref(), Some(&expected), "differences, seed {seed}\n{text}");
    let context = |name: &str| format!("{name}, seed {seed}\n{text}");
    for (target, expected) in targets.iter().zip(&expected) {
        let targets = std::slice::from_ref(target);
        if let Some(split) = rsm::split_goals(&program.machine, &target.places().collect::<Vec<_>>()) {
            counts.n_split += 1;
            let parts = [Target::new(&target.name[..], split.goals.iter().flatten().copied())];
            let alone: Vec<Target> = parts[0].places().map(|goal| Target::new("part", [goal])).collect();
            let found =
                self::expected(&split.machine, &alone).is_some_and(|found| found.contains(&Verdict::Yes));
            assert_eq!(found, *expected == Verdict::Yes, "{}", context("split"));
            let (outcome, _) = asked(&views(), &program, targets, &text, false);
            assert_eq!(outcome.finding.verdict, *expected, "{}", context("split"));
            if let Some(trace) = &outcome.trace {
                let goals: Vec<_> = target.goals.clone();
                trace
                    .replay(&program, &goals)
                    .unwrap_or_else(|error| panic!("{error}, {}", context("its run")));
            }
            assert_eq!(outcome.trace.is_some(), *expected == Verdict::Yes, "{}", context("split"));
        }
        let (outcome, sources) = answer(&views(), &program, targets, &text);
        assert_eq!(outcome.finding.verdict, *expected, "{}", context(&target.name));
        check_evidence(&outcome, &program, targets, &sources, &context(&target.name));
        counts.n_questions += 1;
        counts.n_reachable += usize::from(*expected == Verdict::Yes);
        counts.n_certificates += usize::from(outcome.certificate.is_some());
        counts.note(&outcome.figures.localised.expect("the answer is that of a view"));
    }
    // Without certificates differences are used.
    let (outcome, _) = asked(&views(), &program, &targets, &text, false);
    let found: Vec<Verdict> = outcome.findings.iter().map(|finding| finding.verdict.clone()).collect();
    assert_eq!(found, expected, "{}", context("with differences"));
    if let Some(trace) = &outcome.trace {
        let goals: Vec<_> = targets.iter().flat_map(|target| target.goals.iter().copied()).collect();
        trace.replay(&program, &goals).unwrap_or_else(|error| panic!("{error}, {}", context("its run")));
    }
    let whole = Symbolic::new(Formula::default());
    for engine in [&views() as &dyn Engine, &Localised { whole: &whole }] {
        let (outcome, sources) = answer(engine, &program, &targets, &text);
        let found: Vec<Verdict> = outcome.findings.iter().map(|finding| finding.verdict.clone()).collect();
        assert_eq!(found, expected, "{}", context("all together"));
        check_evidence(&outcome, &program, &targets, &sources, &context("all together"));
    }
}

#[test]
fn views_agree_with_the_twin_on_random_programs() {
    let mut counts = Counts::default();
    for seed in seeds(0..60) {
        compare(seed, &wide(), &mut counts);
        compare(seed, &Shape::small(), &mut counts);
    }
    println!("{counts:?}");
    if testing::is_chosen() {
        return;
    }
    assert!(2 * counts.n_compared >= counts.n_programs, "{counts:?}");
    assert!(5 * counts.n_reachable >= counts.n_questions, "{counts:?}");
    assert!(counts.n_certificates >= 100, "{counts:?}");
    assert!(counts.n_refined >= 100 && counts.most_rounds >= 3, "{counts:?}");
    assert!(counts.n_spared_variables >= 100 && counts.n_spared_bits >= 20, "{counts:?}");
    assert!(counts.n_with_differences >= 20 && counts.n_split >= 20, "{counts:?}");
    assert!(10 * counts.n_whole <= counts.n_questions, "{counts:?}");
}

/// Few variables and few bits have the answer, be it that there is a run or that there is none.
#[track_caller]
fn answered(name: &str, n: u32, options: &Options, most_kept: usize, most_bits: u8) {
    let text = family(name, n, options).expect("a program");
    let program = lower(&text);
    let targets = [checker::find_target(&program.machine, "ERROR").expect("a label")];
    let (outcome, sources) = answer(&views(), &program, &targets, &text);
    let expected = if options.reachable { Verdict::Yes } else { Verdict::No };
    assert_eq!(outcome.finding.verdict, expected, "{name} {n}");
    check_evidence(&outcome, &program, &targets, &sources, name);
    let figures = outcome.figures.localised.expect("the answer is that of a view");
    assert!(figures.n_kept <= most_kept && figures.bits <= most_bits, "{name} {n}: {figures:?}");
}

#[test]
fn what_does_not_matter_is_not_looked_at() {
    let plain = Options::default();
    let reachable = Options { reachable: true, ..Options::default() };
    answered("irrelevant", 60, &plain, 1, 1);
    answered("irrelevant", 20, &reachable, 21, 1);
    answered("nested", 3, &plain, 4, 1);
    answered("nested", 3, &reachable, 4, 8);
    answered("parity", 32, &plain, 1, 1);
    answered("copied", 8, &plain, 16, 1);
    answered("permuted", 8, &reachable, 16, 1);
    answered("driver", 5, &Options { globals: 14, ..Options::default() }, 40, 1);
    answered("driver", 5, &Options { globals: 14, reachable: true, ..Options::default() }, 40, 1);
}

#[test]
fn counters_in_step_are_known_before_anything_is_encoded() {
    // A loop in a function that is called would take as many rounds as there are values.
    let text = "decl c : int<40>, d : int<40>; decl e : int<40>;\ninit c = d & e = 3;\n\
        void main() begin while (*) do step(); od; if (c != d | e != d - c + 3) then ERROR: skip; fi end\n\
        void step() begin while (c != 0) do c := c + 7; d := d + 7; if (*) then return; fi od end\n";
    let program = lower(text);
    let targets = [checker::find_target(&program.machine, "ERROR").expect("a label")];
    let few = Views { most: 5_000, ..views() };
    let (outcome, _) = asked(&few, &program, &targets, text, false);
    assert_eq!(outcome.finding.verdict, Verdict::No);
}

#[test]
fn what_is_near_is_found_beside_what_takes_very_long() {
    // No test bounds the recursion, so it takes as many rounds as there are values; a difference is there after one call.
    let text = "decl x : int<32>, y : int<32>;\ninit x = y;\n\
        void main() begin while (*) do step(); od; if (x != y) then ERROR: skip; fi end\n\
        int<32> sum(a : int<32>) begin decl b : int<32>; if (*) then b := sum(a); return b + 1; fi return a; end\n\
        void step() begin if (*) then x := sum(y); else y := sum(x); fi end\n";
    let program = lower(text);
    let targets = [checker::find_target(&program.machine, "ERROR").expect("a label")];
    let whole = Symbolic::new(Formula::default());
    let (outcome, _) = asked(&whole, &program, &targets, text, false);
    assert_eq!(outcome.finding.verdict, Verdict::Yes);
}

#[test]
fn what_has_little_in_common_is_looked_at_apart() {
    for seed in 0..6 {
        let text = family("mixed", 12, &Options { seed, ..Options::default() }).expect("a program");
        let program = lower(&text);
        let targets = [checker::find_target(&program.machine, "ERROR").expect("a label")];
        let few = Views { most: 60_000, ..views() };
        let (outcome, _) = asked(&few, &program, &targets, &text, false);
        assert_eq!(outcome.finding.verdict, Verdict::No, "seed {seed}");
    }
}

#[test]
fn a_program_that_computes_with_few_values_needs_no_diagrams_of_its_products() {
    let text = "decl x : int<32>, y : int<32>, n : int<4>;\n\
        void main() begin x, n := 1, 0; if (*) then y := 2; else y := 10; fi\n\
        while (n != 9) do x, n := x * y, n + 1; od\n\
        if (x != 512 & x != 1000000000) then ERROR: skip; fi end\n";
    let program = lower(text);
    let targets = [checker::find_target(&program.machine, "ERROR").expect("a label")];
    let whole = Symbolic::new(Formula::default());
    let (outcome, _) = asked(&Localised { whole: &whole }, &program, &targets, text, false);
    assert_eq!((outcome.finding.verdict, outcome.by.as_deref()), (Verdict::No, Some("explicit")));
}

/// A program that multiplies two unknown words, and what it does with its target.
fn multiplying(width: u32, [before, between, after]: [&str; 3]) -> String {
    format!(
        "decl x : int<{width}>, y : int<{width}>, z : int<{width}>;\n\
         void main() begin x, y := *, *; if ({before}) then z := x * y; \
         if ({between} & {after}) then ERROR: skip; fi fi end\n"
    )
}

#[test]
fn products_of_unknown_words_are_constrained_before_they_are_built() {
    let cases = [
        (["T", "T", "z = 391"], Verdict::Yes),
        (["x < 10 & y < 10", "T", "z > 100"], Verdict::No),
        (["x < 10 & y < 12", "T", "z = 99"], Verdict::Yes),
        (["x = y", "T", "(z = 7 | z = 1002)"], Verdict::No),
    ];
    for (conditions, expected) in cases {
        let text = multiplying(32, conditions);
        let program = lower(&text);
        let targets = [checker::find_target(&program.machine, "ERROR").expect("a label")];
        let whole = Symbolic::new(Formula::default());
        let (outcome, _) = asked(&Localised { whole: &whole }, &program, &targets, &text, false);
        assert_eq!(outcome.finding.verdict, expected, "{text}");
        if let Some(trace) = &outcome.trace {
            trace.replay(&program, &targets[0].goals).unwrap_or_else(|error| panic!("{error}\n{text}"));
        }
    }
}

type Comparison = fn(u64, u64) -> bool;

#[test]
fn products_under_tests_agree_with_their_values_one_by_one() {
    const WIDTH: u32 = 7;
    let (mut n_reachable, mut n_unreachable) = (0, 0);
    // What is equal is the harder question, so half of the tests ask for it.
    let operators: [(&str, Comparison); 4] =
        [("=", |a, b| a == b), ("=", |a, b| a == b), ("<", |a, b| a < b), ("!=", |a, b| a != b)];
    for seed in seeds(0..24) {
        let mut random = Random::new(seed);
        let mut test = |name: &'static str| {
            let (text, holds) = operators[random.index(operators.len())];
            let constant = random.below(1 << WIDTH);
            (format!("{name} {text} {constant}"), move |value: u64| holds(value, constant))
        };
        let [(before, x_holds), (between, y_holds), (after, z_holds)] = ["x", "y", "z"].map(&mut test);
        let values = || 0..1u64 << WIDTH;
        let is_reached = values()
            .filter(|x| x_holds(*x))
            .any(|x| values().filter(|y| y_holds(*y)).any(|y| z_holds(x * y % (1 << WIDTH))));
        let text = multiplying(WIDTH, [&before, &between, &after]);
        let program = lower(&text);
        let targets = [checker::find_target(&program.machine, "ERROR").expect("a label")];
        let expected = if is_reached { Verdict::Yes } else { Verdict::No };
        let whole = Symbolic::new(Formula::default());
        for engine in [&views() as &dyn Engine, &whole] {
            let (outcome, sources) = answer(engine, &program, &targets, &text);
            assert_eq!(outcome.finding.verdict, expected, "{}, seed {seed}\n{text}", engine.name());
            check_evidence(&outcome, &program, &targets, &sources, &text);
        }
        n_reachable += usize::from(is_reached);
        n_unreachable += usize::from(!is_reached);
    }
    assert!(
        (n_reachable >= 5 && n_unreachable >= 2) || testing::is_chosen(),
        "{n_reachable} {n_unreachable}"
    );
}

#[test]
fn views_that_take_turns_with_the_program_come_to_the_same() {
    let (mut n_views, mut n_whole) = (0, 0);
    let driver = Options { globals: 14, ..Options::default() };
    let cases =
        [("irrelevant", 40, Options::default()), ("driver", 5, driver), ("nested", 2, Options::default())];
    let families = cases.map(|(name, n, options)| family(name, n, &options).expect("a program"));
    for text in families.into_iter().chain(seeds(0..10).map(|seed| program(seed, &wide()))) {
        let program = lower(&text);
        let targets = all_targets(&program.machine);
        if targets.is_empty() {
            continue;
        }
        let whole = Symbolic::new(Formula::default());
        let engine = Localised { whole: &whole };
        let (beside, _) = asked(&engine, &program, &targets, &text, false);
        let (turns, _) = asked(&InTurns(engine), &program, &targets, &text, false);
        let told = |outcome: &Outcome| (outcome.findings.clone(), outcome.trace.clone());
        assert_eq!(told(&beside), told(&turns), "{text}");
        let is_of_views = |outcome: &Outcome| outcome.figures.localised.is_some();
        assert_eq!(is_of_views(&beside), is_of_views(&turns), "{text}");
        n_views += usize::from(is_of_views(&beside));
        n_whole += usize::from(!is_of_views(&beside));
    }
    assert!((n_views > 0 && n_whole > 3) || testing::is_chosen(), "{n_views} {n_whole}");
}

/// As where no thread can be started.
struct InTurns<'e>(Localised<'e>);

impl Engine for InTurns<'_> {
    fn name(&self) -> &str {
        "in turns"
    }

    fn answer(&self, problem: &Problem, limits: &Limits, asker: &mut Asker) -> Result<Outcome, Failure> {
        self.0.in_turns(problem, limits, asker)
    }
}

/// What views begin without, and a path of the program has to know: a program, and a value with which its target is not reached.
const DEMANDS: [(&str, &str); 9] = [
    // After an assignment, a call, a return, and at the start.
    ("void main() begin enforce !x; BRANCHES x := VALUE; ERROR: skip; end", "T"),
    ("void main() begin BRANCHES f(VALUE); end void f(a) begin enforce !a; ERROR: skip; end", "T"),
    (
        "void main() begin enforce !x; BRANCHES x := f(); ERROR: skip; end bool f() begin return VALUE; end",
        "T",
    ),
    ("void main() begin enforce x = VALUE; BRANCHES ERROR: skip; end", "T"),
    ("void main() begin BRANCHES if (x = VALUE) then ERROR: skip; fi end", "T"),
    // What is assigned may be, what an assertion says, what a function returns, and parameters in order.
    ("void main() begin BRANCHES x := * constrain 'x = VALUE; if (x) then ERROR: skip; fi end", "F"),
    ("void main() begin BRANCHES x := VALUE; ERROR: assert(x); end", "T"),
    (
        "void main() begin BRANCHES x := f(); if (x) then ERROR: skip; fi end bool f() begin return VALUE; end",
        "F",
    ),
    ("void main() begin BRANCHES f(T, VALUE); end void f(a, b) begin if (b) then ERROR: skip; fi end", "F"),
];

#[test]
fn paths_are_tried_with_everything_that_the_program_demands() {
    for (body, value) in DEMANDS {
        let other = if value == "T" { "F" } else { "T" };
        for (value, verdict) in [(value, Verdict::No), (other, Verdict::Yes)] {
            // Branches that a path passes, of which none is a reason.
            let branches = "if (p & !q) then r := s; fi if (r | p) then q := s; fi";
            let body = body.replace("BRANCHES", branches).replace("VALUE", value);
            let text = format!("decl x, p, q, r, s; init !x; {body}");
            let program = lower(&text);
            let goals = testing::all_goals(&program.machine);
            let (name, goal) = goals.last().expect("a label or an assertion");
            let targets = [Target::new(&name[..], [*goal])];
            // Where a certificate is wanted, no difference is used.
            for certificate in [false, true] {
                let (outcome, _) = asked(&views(), &program, &targets, &text, certificate);
                assert_eq!(outcome.finding.verdict, verdict, "{text}");
                if let Some(trace) = &outcome.trace {
                    trace
                        .replay(&program, &targets[0].goals)
                        .unwrap_or_else(|error| panic!("{error}\n{text}"));
                }
                let figures = outcome.figures.localised.expect("the answer is that of a view");
                assert!(verdict == Verdict::Yes || figures.n_kept <= 2, "{text}\n{figures:?}");
            }
        }
    }
}

#[test]
fn the_certificate_of_a_view_is_about_all_targets() {
    let text = "decl x, y; init !x & !y;\n\
        void main() begin while (*) do skip; od if (x) then A: skip; fi if (y) then B: skip; fi end\n";
    let program = lower(text);
    let targets = all_targets(&program.machine);
    assert_eq!(targets.len(), 2);
    let (outcome, sources) = answer(&views(), &program, &targets, text);
    assert_eq!(outcome.finding.verdict, Verdict::No);
    check_evidence(&outcome, &program, &targets, &sources, "two targets");
}

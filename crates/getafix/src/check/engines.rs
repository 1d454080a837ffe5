//! Who answers: the engine that the options name, or the one that is better at the question.

use super::bound;
use super::without::Without;
use crate::job::Job;
use crate::options::{CheckOptions, EngineName, SearchName};
use checker::{
    Bound, Budget, Compare, Engine, Explicit, Localised, Order, Portfolio, Problem, Question, Scheduling,
    Sequentialized, Symbolic, ThreadViews, Twin, Views,
};
use std::num::NonZeroU8;

/// The most states that the explicit engine looks at for the sake of a comparison.
const COMPARED: u64 = 1 << 22;

/// The most work that views of a program take for the same.
const COMPARED_WORK: u64 = 400_000;

/// The engine that is asked.
pub fn name(options: &CheckOptions, question: Question, bound: Option<Bound>) -> EngineName {
    match (options.engine, options.search) {
        (Some(engine), _) => engine,
        (None, Some(_)) => EngineName::Explicit,
        (None, None) if options.sharing.given().is_some() => EngineName::Explicit,
        (None, None) if question == Question::Deadlock => EngineName::Explicit,
        // Certificates about infinite runs are those of one engine.
        (None, None) if options.certificate && question != Question::Reach => EngineName::Explicit,
        (None, None) if bound.is_some() && !bound::asks_formula(options) => EngineName::Portfolio,
        (None, None) if question == Question::Reach => EngineName::Symbolic,
        (None, None) if options.formula.algorithm.is_some() => EngineName::Symbolic,
        (None, None) => EngineName::Portfolio,
    }
}

/// As it is written on the command line.
pub fn shown(engine: EngineName) -> &'static str {
    match engine {
        EngineName::Symbolic => "symbolic",
        EngineName::Explicit => "explicit",
        EngineName::Portfolio => "portfolio",
        EngineName::Twin => "twin",
        EngineName::Compare => "compare",
    }
}

/// Options that are about one engine do not go with another.
pub fn consistent(options: &CheckOptions, question: Question) -> Result<(), String> {
    let engine = name(options, question, None);
    if !COMPARES && matches!(engine, EngineName::Twin | EngineName::Compare) {
        return Err(format!("`--engine {}` is not there in a browser", shown(engine)));
    }
    if question == Question::Deadlock && engine != EngineName::Explicit {
        let engine = shown(engine);
        return Err(format!(
            "deadlocks are looked for by the explicit engine, and `--engine {engine}` is another one"
        ));
    }
    let of_the_solver = [
        ("--algorithm", options.formula.algorithm.is_some()),
        ("--param", !options.formula.params.is_empty()),
        ("--label", !options.formula.labels.is_empty()),
        ("--no-explicit", options.formula.no_explicit),
        ("--without", !options.without.is_empty() && engine == EngineName::Twin),
    ];
    let given = of_the_solver.iter().find(|(_, is_given)| *is_given);
    match (engine, given) {
        (EngineName::Twin | EngineName::Explicit, Some((option, _))) => {
            let engine = shown(engine);
            return Err(format!("`{option}` is about the solver, but `--engine {engine}` does without it"));
        }
        (EngineName::Portfolio, Some((option, _))) => {
            return Err(format!("`{option}` is about the solver; pass `--engine symbolic`"));
        }
        _ => {}
    }
    shares(options, engine)?;
    match options.search {
        Some(_) if engine != EngineName::Explicit => {
            let engine = shown(engine);
            Err(format!("`--search` is about the explicit engine, and `--engine {engine}` is another one"))
        }
        Some(SearchName::Dfs | SearchName::Widen) if options.shortest => {
            Err("`--shortest` needs `--search bfs`: other orders find other runs first".to_owned())
        }
        _ => Ok(()),
    }
}

/// Who searches side by side searches sequential programs depth first.
fn shares(options: &CheckOptions, engine: EngineName) -> Result<(), String> {
    let Some(option) = options.sharing.given() else { return Ok(()) };
    match options.search {
        _ if engine != EngineName::Explicit => Err(format!(
            "`{option}` is about the explicit engine, and `--engine {}` is another one",
            shown(engine)
        )),
        Some(SearchName::Bfs | SearchName::Widen) => {
            Err(format!("`{option}` is about a search depth first, and `--search` names another order"))
        }
        _ if options.shortest => {
            Err(format!("`--shortest` needs `--search bfs`, which `{option}` does not go with"))
        }
        _ => Ok(()),
    }
}

/// Who is asked can give the evidence that is wanted: certificates of sequential programs are the solver's, and of programs with
/// threads they are the search's, as are shortest runs.
pub fn gives_evidence(
    options: &CheckOptions,
    question: Question,
    bound: Option<Bound>,
) -> Result<(), String> {
    let engine = name(options, question, bound);
    let shown = shown(engine);
    if bound.is_some() && options.question.option().is_some() && engine == EngineName::Symbolic {
        return Err(format!(
            "infinite runs of threads are looked for by the explicit engine, and `--engine {shown}` is another one"
        ));
    }
    let of_search = match options.shortest {
        true => "shortest runs of",
        false => "certificates for",
    };
    match (engine, bound) {
        (EngineName::Symbolic | EngineName::Twin | EngineName::Compare, Some(_))
            if options.shortest || options.certificate =>
        {
            Err(format!(
                "{of_search} programs with threads are those of the explicit engine, and `--engine {shown}` is another one"
            ))
        }
        _ if !options.certificate => Ok(()),
        (_, None) if options.sharing.given().is_some() => Err(format!(
            "certificates of sequential programs are written by one worker; leave `{}` out",
            options.sharing.given().unwrap_or_default()
        )),
        (EngineName::Explicit, None) if question != Question::Reach => Ok(()),
        (_, None) if question != Question::Reach => Err(format!(
            "certificates about infinite runs are those of the explicit engine, and `--engine {shown}` is another one"
        )),
        (_, None) if options.question.option().is_some() => Err(
            "there is no certificate that no run takes a monitor to a target state, except for programs with threads; pass `--fair` or ask for a label"
                .to_owned(),
        ),
        (EngineName::Twin | EngineName::Explicit, None) => {
            Err(format!("`--certificate` is about the solver, but `--engine {shown}` does without it"))
        }
        (EngineName::Portfolio, None) => {
            Err("`--certificate` is about the solver; pass `--engine symbolic`".to_owned())
        }
        _ => Ok(()),
    }
}

/// The explicit engine as the options want it.
pub fn explicit(options: &CheckOptions, without: &Without) -> Explicit {
    let order = match options.search {
        None | Some(SearchName::Dfs) => Order::Dfs,
        Some(SearchName::Bfs) => Order::Bfs,
        Some(SearchName::Widen) => Order::Widen,
    };
    let Without { reductions, lazy_start, summaries, native_start, stubborn_sets, .. } = *without;
    let Scheduling { symmetry, visibility, .. } = without.scheduling;
    let max_states = Explicit::default().max_states;
    Explicit {
        order,
        reductions,
        max_states,
        symmetry,
        visibility,
        lazy_start,
        summaries,
        native_start,
        stubborn_sets,
        workers: options.sharing.workers.unwrap_or(NonZeroU8::MIN),
    }
}

/// The engines that a question can be put to, as the options want them.
#[derive(Clone, Copy)]
pub struct Engines<'e> {
    /// A formula.
    pub symbolic: &'e Symbolic,
    /// A search of states.
    pub explicit: Explicit,
    /// Views of the program may be asked beside the formula, which nobody has named.
    pub localise: bool,
}

/// Engines that are there to be compared with others are no part of a module for browsers, which is loaded before it answers.
const COMPARES: bool = !cfg!(target_family = "wasm");

/// Calls something with the engine.
pub fn with<T>(
    options: &CheckOptions,
    problem: &Problem,
    Engines { symbolic, explicit, localise }: Engines,
    job: &Job,
    ask: impl FnOnce(&dyn Engine) -> T,
) -> T {
    let localised = Localised { whole: symbolic };
    let formula: &dyn Engine = if localise { &localised } else { symbolic };
    match name(options, problem.question, problem.bound) {
        EngineName::Symbolic => ask(formula),
        EngineName::Explicit => ask(&explicit),
        EngineName::Portfolio => ask(&Portfolio { explicit, formula, first: Budget::default(), localise }),
        EngineName::Twin | EngineName::Compare if !COMPARES => ask(formula),
        EngineName::Twin => ask(&Twin),
        EngineName::Compare if bound::orders_freely(&symbolic.formula, problem) => {
            job.record.note("not compared: the rounds of the others have the order of the text");
            ask(symbolic)
        }
        EngineName::Compare if problem.bound == Some(Bound::Every) => {
            // The twin starts no more threads than the machine has slots for.
            let others: Vec<&dyn Engine> = if problem.program.is_whole { vec![&Twin] } else { Vec::new() };
            ask(&Compare { first: &explicit, others, together: Vec::new() })
        }
        EngineName::Compare => {
            let explicit = Explicit { max_states: COMPARED, ..explicit };
            let sequentialized: &[Sequentialized] =
                if problem.bound.is_some() { &Sequentialized::ALL } else { &[] };
            let together = sequentialized.iter().map(|engine| engine as &dyn Engine).collect();
            let mut others: Vec<&dyn Engine> = vec![&Twin];
            let views = Views { reductions: symbolic.reductions, most: COMPARED_WORK };
            if localise && localised.applies(problem) {
                others.push(&views);
            }
            let of_threads = ThreadViews::of_search(explicit);
            if localise && ThreadViews::applies(problem) {
                others.push(&of_threads);
            }
            let is_free = problem.program.is_parameterised();
            if !(is_free && matches!(problem.bound, Some(Bound::Rounds(_)))) {
                others.push(&explicit);
            }
            ask(&Compare { first: symbolic, others, together })
        }
    }
}

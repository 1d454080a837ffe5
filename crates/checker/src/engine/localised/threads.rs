//! The search of states of programs with threads, or a formula about them, and beside it the same about views that know less.
//!
//! Of a variable that a view does not know no value is stored, so threads whose values only steer branches have few states there. *Unreachable* stands, within a bound as for
//! every schedule. A run of a view is tried on the program along the same edges and switches ([`Unrolled`]): if the program has it, the least
//! bound of the view is that of the program; if not, the next view knows the variables of the reason. The program itself goes first, alone, for a
//! share of work, and then views follow it, one unit for nine, as in [`super`].

use super::backward::{Backward, Way};
use super::levels::Arrangement;
use super::reason::{Reason, Variable};
use super::unrolled::Unrolled;
use super::{MEMORY_SHARE, concrete, has_few_addresses, unknown};
use crate::engine::{Asker, Engine, Explicit, Failure, Limits, Symbolic};
use crate::outcome::{Finding, LocalisedFigures, Missing, Outcome, Unknown, Verdict};
use crate::problem::{Bound, Problem, Question, Wanted, WantedTrace};
use base::{Reading, Stop};
use dd::Exhausted;
use rsm::trace::Trace;
use rsm::{Kept, localise_threads};
use std::sync::Arc;

/// What the program itself is given before anything else is tried.
const FIRST: u64 = 20_000;

/// So many units of work on the program go with one on views.
const TIMES: u64 = 9;

/// To try a run on the program takes so much work beside that on diagrams, and at most so much on these.
const TRIAL: u64 = 200;
const MOST_WORK: u64 = 20_000;

/// To reduce, arrange and plan a view for a formula takes so much work, which is not counted as it is done.
const BEGINNING: u64 = 3_000;

/// Views of a program with threads, and who is asked about them.
#[derive(Clone, Copy)]
pub struct ThreadViews<E> {
    engine: E,
    /// What is said to have the answer.
    name: &'static str,
    /// So much work it takes to begin with a view.
    beginning: u64,
}

impl ThreadViews<Explicit> {
    /// Each of them is searched.
    pub fn of_search(engine: Explicit) -> Self {
        Self { engine, name: "the explicit search", beginning: 0 }
    }
}

impl ThreadViews<Symbolic> {
    /// A formula is asked about each of them.
    pub fn of_formula(engine: Symbolic) -> Self {
        Self { engine, name: "the formula", beginning: BEGINNING }
    }
}

/// What became of the run of a view.
enum Tried {
    /// The program has it.
    Run(Box<Trace>),
    /// The next view knows more.
    Refined,
    /// That cannot be told, and why.
    Unclear(Unknown),
}

impl<E: Engine> Engine for ThreadViews<E> {
    fn name(&self) -> &str {
        "localisation"
    }

    fn answer(&self, problem: &Problem, limits: &Limits, asker: &mut Asker) -> Result<Outcome, Failure> {
        let program = problem.program;
        let mut kept = Kept::of_threads(program);
        // What is certain of a view is not certain of the program, and other processes search the program.
        let limits = Limits { gauge: Arc::default(), peers: None, ..limits.clone() };
        let wanted = Wanted { trace: WantedTrace::Any, certificate: false };
        let mut n_rounds = 0;
        loop {
            n_rounds += 1;
            if let Some(reason) = limits.stop.requested_after(self.beginning) {
                return Ok(unknown(problem, Unknown::Stopped(reason, Reading::default())));
            }
            let view = localise_threads(program, &kept);
            let asked = Problem { program: &view, wanted, ..problem.clone() };
            let mut quiet = Asker { sources: asker.sources, known: &mut |_, _| {} };
            let mut outcome = self.engine.answer(&asked, &limits, &mut quiet)?;
            outcome.figures.localised = Some(self.figures(problem, &kept, n_rounds));
            if outcome.findings.iter().all(|finding| finding.verdict == Verdict::No) {
                return Ok(outcome);
            }
            let Some(trace) = outcome.trace.take() else { return Ok(unknown(problem, reason(&outcome))) };
            match tried(problem, &limits, &mut kept, &trace) {
                Tried::Run(trace) => return Ok(reached(problem, outcome, *trace)),
                Tried::Unclear(reason) => return Ok(unknown(problem, reason)),
                Tried::Refined => {}
            }
        }
    }
}

/// The outcome of a view whose run the program has: no run takes fewer switches in the program than in the view. It says nothing of other targets that the
/// view reaches.
fn reached(problem: &Problem, outcome: Outcome, trace: Trace) -> Outcome {
    let is_of_switches = !matches!(problem.bound, Some(Bound::Rounds(_)));
    if is_of_switches && outcome.finding.least.is_some_and(|least| trace.n_switches() > least as usize) {
        return unknown(problem, Unknown::because("the run of a view of the program takes more switches"));
    }
    if problem.targets.len() > 1 {
        return unknown(problem, Unknown::because("a view of the program reaches one of several targets"));
    }
    let trace = Some(trace).filter(|_| problem.wants_trace());
    Outcome { trace, unfinished: Vec::new(), ..outcome }
}

fn reason(outcome: &Outcome) -> Unknown {
    match &outcome.finding.verdict {
        Verdict::Unknown(reason) => reason.clone(),
        _ => Unknown::because("a view of the program has a run that is too long to be tried"),
    }
}

/// Tries the run of a view on the program.
fn tried(problem: &Problem, limits: &Limits, kept: &mut Kept, trace: &Trace) -> Tried {
    let unclear = |why: &str| Tried::Unclear(Unknown::because(why));
    let Some(unrolled) = Unrolled::of(problem.program, trace) else {
        return unclear("a view of the program has a run that is too long to be tried");
    };
    if let Some(reason) = limits.stop.requested_after(TRIAL) {
        return Tried::Unclear(Unknown::Stopped(reason, Default::default()));
    }
    let (machine, path) = (&unrolled.machine, unrolled.path());
    let arrangement = Arrangement::of(machine, &symbolic::line(machine));
    let backward = || {
        let stop = limits.stop.part();
        stop.grant(MOST_WORK);
        Backward::new(machine, &arrangement, &path, stop, limits.memory)
    };
    let found = match with_few_tests(&unrolled, kept, &mut backward()) {
        Ok(Some(reason)) => Ok((None, Some(reason))),
        Ok(None) => along(problem, &unrolled, &mut backward()),
        Err(exhausted) => Err(exhausted),
    };
    match found {
        Ok((Some(run), _)) => Tried::Run(Box::new(run)),
        Ok((None, Some(reason))) => {
            let [places, read] = unrolled.variables(&reason);
            match add(kept, places) || add(kept, read) {
                true => Tried::Refined,
                false => {
                    unclear("a run of a view of the program is impossible for no reason that a view can know")
                }
            }
        }
        Ok((None, None)) => {
            unclear("the run of a view of the program cannot be told from one of the program")
        }
        Err(Exhausted(reason)) => Tried::Unclear(Unknown::Stopped(reason, Default::default())),
    }
}

/// The run along the path of a view that the program has, or why it has none.
fn along(
    problem: &Problem,
    unrolled: &Unrolled,
    backward: &mut Backward,
) -> Result<(Option<Trace>, Option<Reason>), Exhausted> {
    let known = |trace: &Trace| trace.replay(problem.program, &problem.goals()).is_ok();
    match backward.go(0, |_| true)? {
        Way::Possible(sets) => {
            let run = concrete::run(backward, &sets)?;
            Ok((run.and_then(|run| unrolled.told(&run)).filter(known), None))
        }
        Way::Impossible(at) => Ok((None, Some(backward.reason(at)?))),
    }
}

/// Why the program has no run along the path of a view, if few tests say so. Branches that read what no other thread sees contradict each other somewhere on most paths, which
/// says nothing of the target; so of tests that read private variables the view does not know only the last is looked at, then the last two, four and so on.
fn with_few_tests(
    unrolled: &Unrolled,
    kept: &Kept,
    backward: &mut Backward,
) -> Result<Option<Reason>, Exhausted> {
    let is_near = |n: usize| backward.tested(n).all(|variable| unrolled.is_shared_or(variable, kept));
    let n_events = backward.path.events.len();
    let (mut near, others): (Vec<usize>, Vec<usize>) = (0..n_events).partition(|n| is_near(*n));
    let mut others = others.into_iter().rev();
    for n_more in std::iter::successors(Some(1), |n| Some(2 * n)) {
        if let Way::Impossible(at) = backward.go(0, |n| near.binary_search(&n).is_ok())? {
            return Ok(Some(backward.reason_among(at, |n| near.binary_search(&n).is_ok())?));
        }
        if others.len() == 0 {
            break;
        }
        near.extend(others.by_ref().take(n_more));
        near.sort_unstable();
    }
    Ok(None)
}

/// The next view knows these variables; whether that is news.
fn add(kept: &mut Kept, variables: impl IntoIterator<Item = Variable>) -> bool {
    let mut is_news = false;
    for (module, place) in variables {
        is_news |= kept.add(module, place);
    }
    is_news
}

impl<E> ThreadViews<E> {
    fn figures(&self, problem: &Problem, kept: &Kept, n_rounds: u32) -> LocalisedFigures {
        let machine = &problem.program.machine;
        LocalisedFigures {
            formula: self.name.to_owned(),
            n_rounds,
            n_kept: kept.n_variables(),
            n_variables: Kept::all(machine).n_variables(),
            bits: 1,
            widest: 1,
        }
    }
}

impl ThreadViews<()> {
    /// The question is whether targets can be reached, in threads that are all there from the beginning. Evidence that is about all states, or all runs, is the
    /// program's.
    pub fn applies(problem: &Problem) -> bool {
        let program = problem.program;
        problem.question == Question::Reach
            && problem.bound.is_some()
            && !problem.is_watched()
            && !problem.targets.is_empty()
            && program.is_whole
            && program.slots.is_empty()
            && !problem.wanted.certificate
            && problem.wanted.trace != WantedTrace::Shortest
    }
}

impl<E: Engine + Sync> ThreadViews<E> {
    /// The answer about the program or a view beside it, and after how much work on the program there is one.
    pub fn beside(
        &self,
        problem: &Problem,
        limits: &Limits,
        asker: &mut Asker,
    ) -> Result<(Outcome, u64), Failure> {
        let alone = |asker: &mut Asker| Ok((self.engine.answer(problem, limits, asker)?, limits.stop.work()));
        if has_few_addresses() {
            return alone(asker);
        }
        let memory = limits.memory.map(|bytes| bytes / MEMORY_SHARE);
        let of_views = Limits { memory, stop: limits.stop.part(), ..limits.clone() };
        let memory = limits.memory.map(|bytes| bytes - bytes / MEMORY_SHARE);
        let of_whole = Limits { memory, stop: limits.stop.part(), ..limits.clone() };
        let (views, whole) = (&of_views.stop, &of_whole.stop);
        views.follow(whole, FIRST, TIMES);
        let mut sources = asker.sources.clone();
        let search = dd::memory::for_thread(|| {
            if let Some(reason) = views.requested() {
                return Ok((unknown(problem, Unknown::Stopped(reason, Default::default())), u64::MAX));
            }
            let mut quiet = Asker { sources: &mut sources, known: &mut |_, _| {} };
            let outcome = self.answer(problem, &of_views, &mut quiet)?;
            let work = views.clock();
            if is_answer(problem, &outcome) {
                whole.grant_until(work);
            }
            Ok((outcome, work))
        });
        std::thread::scope(|scope| {
            let Ok(searching) = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, search)
            else {
                return alone(asker);
            };
            let _released = Released(views);
            let evaluated = self.engine.answer(problem, &of_whole, asker);
            stop_following(views, whole, problem, &evaluated);
            let searched = searching.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            let ((searched, work), evaluated) = (searched?, evaluated?);
            let of_whole = is_answer(problem, &evaluated);
            match is_answer(problem, &searched) && (!of_whole || work < whole.work()) {
                true => Ok((searched, work)),
                false => Ok((evaluated, whole.work())),
            }
        })
    }
}

/// Whoever waits for the work of another need not wait any more, however that ends.
struct Released<'s>(&'s Stop);

impl Drop for Released<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.grant_until(0);
        }
        self.0.release();
    }
}

/// How much stack views may use.
const STACK: usize = 1 << 26;

/// The search of the program is over: views go on if it has no answer, and otherwise as far as they could have come before.
fn stop_following(views: &Stop, whole: &Stop, problem: &Problem, evaluated: &Result<Outcome, Failure>) {
    match evaluated {
        Ok(outcome) if !is_answer(problem, outcome) => {}
        Ok(_) => views.grant_until(whole.work()),
        Err(_) => views.grant_until(0),
    }
    views.release();
}

/// Everything that was asked is known, least bounds included, and the run is there that is wanted.
fn is_answer(problem: &Problem, outcome: &Outcome) -> bool {
    let is_known =
        |finding: &Finding| !finding.verdict.is_unknown() && (!finding.is_yes() || finding.least.is_some());
    is_known(&outcome.finding)
        && outcome.findings.iter().all(is_known)
        && outcome.lacks(problem) != Some(Missing::Trace)
}

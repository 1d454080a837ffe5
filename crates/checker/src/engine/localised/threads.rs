//! The search of states of programs with threads, and beside it searches of views that know less.
//!
//! Of a variable that a view does not know no value is stored, so threads whose values only steer branches have few states there. *Unreachable* stands, within a bound as for
//! every schedule. A run of a view is tried on the program along the same edges and switches ([`Unrolled`]): if the program has it, the least
//! bound of the view is that of the program; if not, the next view knows the variables of the reason. The search of the program itself goes first, alone, for a
//! share of work, and then views follow it, one unit for nine, as in [`super`].

use super::backward::{Backward, Way};
use super::levels::Arrangement;
use super::reason::Variable;
use super::unrolled::Unrolled;
use super::{MEMORY_SHARE, concrete, has_few_addresses, unknown};
use crate::engine::{Asker, Engine, Explicit, Failure, Limits};
use crate::outcome::{Finding, LocalisedFigures, Missing, Outcome, Unknown, Verdict};
use crate::problem::{Bound, Problem, Question, Wanted, WantedTrace};
use base::Stop;
use dd::Exhausted;
use rsm::trace::Trace;
use rsm::{Kept, localise_threads};
use std::sync::Arc;

/// What the search of the program is given before anything else is tried.
const FIRST: u64 = 20_000;

/// So many units of work on the program go with one on views.
const TIMES: u64 = 9;

/// To try a run on the program takes so much work beside that on diagrams, and at most so much on these.
const TRIAL: u64 = 200;
const MOST_WORK: u64 = 20_000;

/// Searches of views of a program with threads.
#[derive(Clone, Copy)]
pub struct ThreadViews {
    /// How each of them is searched.
    pub search: Explicit,
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

impl Engine for ThreadViews {
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
            let view = localise_threads(program, &kept);
            let asked = Problem { program: &view, wanted, ..problem.clone() };
            let mut quiet = Asker { sources: asker.sources, known: &mut |_, _| {} };
            let mut outcome = self.search.answer(&asked, &limits, &mut quiet)?;
            outcome.figures.localised = Some(figures(problem, &kept, n_rounds));
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

fn figures(problem: &Problem, kept: &Kept, n_rounds: u32) -> LocalisedFigures {
    let machine = &problem.program.machine;
    LocalisedFigures {
        formula: "the explicit search".to_owned(),
        n_rounds,
        n_kept: kept.n_variables(),
        n_variables: Kept::all(machine).n_variables(),
        bits: 1,
        widest: 1,
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
    let stop = limits.stop.part();
    stop.grant(MOST_WORK);
    let mut backward = Backward::new(machine, &arrangement, &path, stop, limits.memory);
    let known = |trace: &Trace| trace.replay(problem.program, &problem.goals()).is_ok();
    let found = backward.go(0, |_| true).and_then(|way| match way {
        Way::Possible(sets) => {
            let run = concrete::run(&mut backward, &sets)?;
            Ok((run.and_then(|run| unrolled.told(&run)).filter(known), None))
        }
        Way::Impossible(at) => Ok((None, Some(backward.reason(at)?))),
    });
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
        Ok((None, None)) => unclear("the run of a view of the program cannot be replayed"),
        Err(Exhausted(reason)) => Tried::Unclear(Unknown::Stopped(reason, Default::default())),
    }
}

/// The next view knows these variables; whether that is news.
fn add(kept: &mut Kept, variables: impl IntoIterator<Item = Variable>) -> bool {
    let mut is_news = false;
    for (module, place) in variables {
        is_news |= kept.add(module, place);
    }
    is_news
}

/// The search of a program with threads, and of views of it beside that.
#[derive(Clone, Copy)]
pub struct LocalisedSearch {
    /// How both are searched.
    pub search: Explicit,
}

impl LocalisedSearch {
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

    /// The answer, and after how much work on the program there is one.
    pub fn answer(
        &self,
        problem: &Problem,
        limits: &Limits,
        asker: &mut Asker,
    ) -> Result<(Outcome, u64), Failure> {
        let alone = |asker: &mut Asker| Ok((self.search.answer(problem, limits, asker)?, limits.stop.work()));
        if has_few_addresses() {
            return alone(asker);
        }
        let memory = limits.memory.map(|bytes| bytes / MEMORY_SHARE);
        let of_views = Limits { memory, stop: limits.stop.part(), ..limits.clone() };
        let memory = limits.memory.map(|bytes| bytes - bytes / MEMORY_SHARE);
        let of_whole = Limits { memory, stop: limits.stop.part(), ..limits.clone() };
        let (views, whole) = (&of_views.stop, &of_whole.stop);
        views.follow(whole, FIRST, TIMES);
        let (engine, mut sources) = (ThreadViews { search: self.search }, asker.sources.clone());
        let search = dd::memory::for_thread(|| {
            if let Some(reason) = views.requested() {
                return Ok((unknown(problem, Unknown::Stopped(reason, Default::default())), u64::MAX));
            }
            let mut quiet = Asker { sources: &mut sources, known: &mut |_, _| {} };
            let outcome = engine.answer(problem, &of_views, &mut quiet)?;
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
            let evaluated = self.search.answer(problem, &of_whole, asker);
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

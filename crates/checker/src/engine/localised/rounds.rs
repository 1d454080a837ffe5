//! Views that know more and more, until one of them has the answer.
//!
//! Contract: *unreachable* in a view is unreachable in the program. A run of a view is tried on the program: either the program has one along the same
//! edges, which is replayed, or there is a reason why not, and the next view knows the variables of it. Every view knows more than the
//! one before, so the last one is the program.

use super::backward::{Backward, Way};
use super::concrete;
use super::copies::Copies;
use super::levels::Arrangement;
use super::path::Path;
use super::reason::Reason;
use crate::engine::{Failure, Limits};
use crate::evaluation::{self, Arranged, CertificateReport, Options, Report, TraceReport};
use crate::formula::Formula;
use crate::outcome::{Finding, LocalisedFigures, Missing, Outcome, Unknown, Verdict};
use crate::problem::Problem;
use crate::target::Target;
use base::{Reading, Sources, Stop, StopReason};
use dd::Exhausted;
use rsm::trace::Trace;
use rsm::{Kept, Place, Reductions, Rsm, localise};
use std::collections::BTreeSet;
use std::sync::Arc;
use symbolic::Line;

/// The formulas that are asked about each view, in turn.
const FORMULAS: [&str; 2] = ["hybrid", "exit_backward"];

/// The only one that is asked about the program itself: the other is asked beside.
const LAST: &str = "exit_backward";

/// What each formula may do before the other is asked, and so much more for each edge of a view; then it is four times as much.
const SHARE: u64 = 500;
const SHARE_OF_AN_EDGE: u64 = 4;

/// To reduce and plan is so much work, so many units for each variable of a state, and one for so many edges of a view. This is what it takes in
/// instructions, compared with the work on diagrams that is counted as it is done: 75,000 of them are a unit.
const BEGINNING: u64 = 100;
const UNITS_OF_A_WORD: u64 = 20;
pub const EDGES_OF_A_UNIT: u64 = 3;

/// A path may take as much work as its round, and so much more.
const PATH_SHARE: u64 = 2_000;

/// A run with products is first looked for where the second operand has so many bits.
const NARROW: usize = 3;

/// The most steps of a path.
const MOST_STEPS: usize = 200_000;

/// After so many rounds in a row that found nothing but locals, all of them are kept.
const ROUNDS_OF_LOCALS: u32 = 2;

/// If all locals but one in so many are kept, the rest follows.
const PART_OF_LOCALS: usize = 8;

/// What views are views of.
#[derive(Clone, Copy)]
pub struct Viewed<'a> {
    /// What is asked.
    pub problem: &'a Problem<'a>,
    /// The machine of the problem, or one with the same runs.
    pub rsm: &'a Rsm,
    /// Its bits, arranged once for all views.
    pub line: &'a Line,
    /// What all views together may take.
    pub limits: &'a Limits,
    /// What is left out of each view before it is looked at.
    pub reductions: Reductions,
}

/// A search by views. It can be interrupted, and goes on with the view that it was at.
pub struct Rounds<'a> {
    problem: &'a Problem<'a>,
    limits: &'a Limits,
    /// What it may do until it is interrupted.
    stop: Stop,
    reductions: Reductions,
    rsm: &'a Rsm,
    kept: Kept,
    copies: Option<Copies>,
    line: &'a Line,
    arrangement: Option<Arrangement>,
    /// The pace of a view that knows everything.
    pace: u64,
    /// How many bits the states of such a view have.
    n_bits: u64,
    /// The widest integer.
    widest: u8,
    /// The formulas, the one with the last answer first.
    formulas: Vec<Formula>,
    n_rounds: u32,
    /// Rounds in a row that found nothing but locals.
    n_of_locals: u32,
    /// What is known of each target.
    findings: Vec<Option<Finding>>,
    /// The first run that was found.
    trace: Option<Trace>,
}

/// What views know at first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Beginning {
    /// All tests, and no variable.
    Tests,
    /// No test, either. Backwards from the target this finds what holds whatever the guards of loops are.
    Nothing,
    /// Everything: the formula that goes backwards is asked about the program itself.
    Everything,
}

/// What became of the run of a view.
enum Tried {
    /// The program has it.
    Run(Box<Trace>),
    /// The next view knows more.
    Refined,
}

/// What was found on a path.
enum Found {
    /// The program has this run along it.
    Run(Box<Trace>),
    /// The program has none, from this step on, and why.
    Reason(usize, Reason),
    /// That cannot be told.
    Nothing,
}

/// How many bits of the integers a machine has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Width {
    /// All: it is the program.
    Full,
    /// Fewer.
    Cut,
}

/// Why there is no answer.
pub enum NoAnswer {
    /// For this reason.
    Unknown(Unknown),
    /// The question cannot be asked.
    Failure(Failure),
}

impl From<Failure> for NoAnswer {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl From<Unknown> for NoAnswer {
    fn from(unknown: Unknown) -> Self {
        Self::Unknown(unknown)
    }
}

impl<'a> Rounds<'a> {
    /// Nothing is known. The less a view knows, the quicker it follows; one that knows everything has this pace.
    pub fn new(viewed: Viewed<'a>, beginning: Beginning, pace: u64) -> Self {
        let Viewed { problem, rsm, line, limits, reductions } = viewed;
        let locals = rsm.modules.iter().flat_map(|module| &module.locals);
        let widths = rsm.globals.iter().chain(locals).map(|variable| variable.ty.n_bits() as u8);
        let formula = |name: &&str| Formula::shipped(name).expect("these algorithms are in the list");
        let mut kept = Kept::nothing(rsm);
        let formulas = match beginning {
            Beginning::Tests => &FORMULAS[..],
            Beginning::Nothing => {
                kept.tests = Some(BTreeSet::new());
                // With few bits the guard of a loop is a reason before what is behind it.
                kept.bits = Kept::all(rsm).bits;
                &[LAST]
            }
            Beginning::Everything => {
                kept = Kept::all(rsm);
                &[LAST]
            }
        };
        Self {
            problem,
            limits,
            stop: limits.stop.clone(),
            reductions,
            rsm,
            kept,
            copies: None,
            line,
            arrangement: None,
            pace,
            n_bits: Kept::all(rsm).n_bits(rsm),
            widest: widths.max().unwrap_or(1).max(1),
            formulas: formulas.iter().map(formula).collect(),
            n_rounds: 0,
            n_of_locals: 0,
            findings: vec![None; problem.targets.len()],
            trace: None,
        }
    }

    /// The answer about all targets, if so much work leads to it.
    pub fn answer(&mut self, share: u64, sources: &mut Sources) -> Result<Outcome, NoAnswer> {
        self.stop = self.limits.stop.part();
        // A round that has begun is worth more than one that is to begin.
        self.stop.grant(share.saturating_mul(2));
        let mut outcome = Outcome::new(Finding::new(Verdict::No), Vec::new());
        let targets = self.problem.targets;
        loop {
            let pairs = targets.iter().zip(&self.findings);
            let open: Vec<&Target> = pairs.filter(|pair| pair.1.is_none()).map(|pair| pair.0).collect();
            if open.is_empty() {
                break;
            }
            if self.stop.work() > share {
                return Err(Unknown::Stopped(StopReason::Work, Reading::default()).into());
            }
            let goals = open.iter().flat_map(|target| target.places());
            let names: Vec<&str> = open.iter().map(|target| &target.name[..]).collect();
            let (report, formula) = self.round(&Target::new(names.join(", "), goals), sources)?;
            outcome.figures.statistics = Some(report.statistics.clone());
            outcome.figures.clauses.clone_from(&report.clauses);
            outcome.figures.localised = Some(self.figures(&formula));
            if *report.verdict() == Verdict::No {
                if self.problem.wanted.certificate && self.trace.is_none() {
                    self.certify(&open, report, &mut outcome, sources)?;
                }
                let findings = self.findings.iter_mut();
                findings.for_each(|finding| _ = finding.get_or_insert(Finding::new(Verdict::No)));
                break;
            }
            if let Tried::Run(trace) = self.try_run(report.trace)? {
                for (target, finding) in targets.iter().zip(&mut self.findings) {
                    if target.is_reached_by(&trace) {
                        *finding = Some(Finding::new(Verdict::Yes));
                    }
                }
                self.trace.get_or_insert(*trace);
            }
        }
        outcome.findings = self.findings.iter().flatten().cloned().collect();
        outcome.finding = Finding::any(&outcome.findings);
        outcome.asked.has_run = outcome.finding.is_yes();
        outcome.trace = self.trace.take().filter(|_| self.problem.wants_trace());
        Ok(outcome)
    }

    fn figures(&self, formula: &Formula) -> LocalisedFigures {
        let n_variables = Kept::all(self.rsm).n_variables();
        LocalisedFigures {
            formula: formula.short_name().to_owned(),
            n_rounds: self.n_rounds,
            n_kept: self.kept.n_variables(),
            n_variables,
            bits: self.kept.bits.min(self.widest),
            widest: self.widest,
        }
    }

    /// The view is the program.
    fn is_whole(&self) -> bool {
        let n_variables = Kept::all(self.rsm).n_variables();
        self.kept.n_variables() == n_variables && self.kept.bits >= self.widest && self.kept.tests.is_none()
    }

    /// Asks the formulas about the present view, in turn, with growing shares of work.
    fn round(&mut self, target: &Target, sources: &mut Sources) -> Result<(Report, Formula), NoAnswer> {
        self.n_rounds += 1;
        let mut view = None;
        let formulas: Vec<Formula> = match self.is_whole() {
            true => self.formulas.iter().filter(|formula| formula.shipped == Some(LAST)).cloned().collect(),
            false => self.formulas.clone(),
        };
        // Only who has to leave a turn to another one stops before the end.
        let mut share = match formulas.len() {
            1 => u64::MAX,
            _ => SHARE + SHARE_OF_AN_EDGE * n_edges(self.rsm),
        };
        loop {
            let mut n_without_memory = 0;
            for formula in &formulas {
                self.begin()?;
                let view = view.get_or_insert_with(|| localise(self.rsm, &self.kept));
                let report = self.ask(view, target, formula, share, sources)?;
                let reason = match (&report.finding.verdict, &report.trace) {
                    (Verdict::Unknown(reason), _) => reason.clone(),
                    (Verdict::Yes, TraceReport::Stopped(reason)) => reason.clone(),
                    _ => {
                        self.formulas.sort_by_key(|other| other.shipped != formula.shipped);
                        return Ok((report, formula.clone()));
                    }
                };
                match reason {
                    Unknown::Stopped(StopReason::Work, _) if self.stop.is_requested().is_none() => {}
                    Unknown::Stopped(StopReason::Memory, _) => n_without_memory += 1,
                    reason => return Err(reason.into()),
                }
                if n_without_memory == formulas.len() {
                    return Err(reason_of(&report).into());
                }
            }
            share = share.saturating_mul(4);
        }
    }

    /// The units of work that it takes to reduce, arrange and plan.
    pub fn beginning(&self) -> u64 {
        self.of_edges() + self.of_words()
    }

    /// Those that the size of the program takes, and those that what is known takes.
    fn of_edges(&self) -> u64 {
        n_edges(self.rsm) / EDGES_OF_A_UNIT
    }

    fn of_words(&self) -> u64 {
        BEGINNING + UNITS_OF_A_WORD * self.kept.n_words()
    }

    /// A round begins. What it takes for the size of the program is paid as by a view that knows everything, and the rest by what the view knows: a program of which everything matters
    /// has views that know much.
    fn begin(&self) -> Result<(), Unknown> {
        let stop = &self.limits.stop;
        stop.change_pace(self.pace);
        let of_edges = self.stop.requested_after(self.of_edges());
        if self.kept.tests.is_none() {
            let (n_kept, n_bits) = (self.kept.n_bits(self.rsm), self.n_bits.max(1));
            stop.change_pace((self.pace * n_kept * n_kept / (n_bits * n_bits)).max(1));
        }
        match of_edges.or_else(|| self.stop.requested_after(self.of_words())) {
            Some(reason) => Err(Unknown::Stopped(reason, Reading::default())),
            None => Ok(()),
        }
    }

    fn ask(
        &self,
        view: &Rsm,
        target: &Target,
        formula: &Formula,
        share: u64,
        sources: &mut Sources,
    ) -> Result<Report, Failure> {
        let stop = self.stop.part();
        stop.grant(share);
        let options = Options { stop, ..self.options() };
        let (program, before) = (Arranged::by(view, Some(self.line)), self.stop.work());
        let report = formula.with_file(&[], &[], |file| {
            evaluation::check_along(program, std::slice::from_ref(target), file, &options, sources)
        })?;
        // To find the run takes about as much as to find that there is one, and little of it is work on diagrams.
        if report.finding.is_yes() {
            let _ = self.stop.requested_after(self.stop.work() - before);
        }
        Ok(report)
    }

    fn options(&self) -> Options {
        Options {
            reductions: self.reductions,
            trace: true,
            certificate: self.problem.wanted.certificate,
            memory: self.limits.memory,
            stop: self.stop.clone(),
            clock: self.limits.clock,
            // What is certain of a view is not certain of the program.
            gauge: Arc::default(),
            ..Options::default()
        }
    }

    /// The certificate of a view proves the same of the program, and is tried on it before anybody sees it.
    fn certify(
        &mut self,
        open: &[&Target],
        report: Report,
        outcome: &mut Outcome,
        sources: &mut Sources,
    ) -> Result<(), NoAnswer> {
        let targets: Vec<Target> = open.iter().map(|target| (*target).clone()).collect();
        let view = localise(self.rsm, &self.kept);
        let report = match report.certificate {
            // It names the targets, and they were asked for as one.
            CertificateReport::Written(_) | CertificateReport::NoSummaries => {
                Formula::default().with_file(&[], &[], |file| {
                    let program = Arranged::by(&view, Some(self.line));
                    evaluation::check_along(program, &targets, file, &self.options(), sources)
                })?
            }
            _ => report,
        };
        let text = match report.certificate {
            CertificateReport::Written(text) => text,
            CertificateReport::Stopped(reason) => {
                outcome.unfinished.push((Missing::Certificate, reason));
                return Ok(());
            }
            _ => {
                outcome.unfinished.push((Missing::Certificate, reason_of(&report)));
                return Ok(());
            }
        };
        let goals: Vec<_> = targets.iter().flat_map(Target::places).collect();
        let (stop, memory) = (&self.stop, self.limits.memory);
        let refused = match certificate::read(&text) {
            Err(error) => error.to_string(),
            Ok(read) => match certificate::validate(self.rsm, sources, &goals, &read, stop, memory) {
                Ok(certificate::Outcome::Accepted(_)) => {
                    outcome.certificate = Some(text);
                    return Ok(());
                }
                Ok(certificate::Outcome::Refused(reason)) => reason,
                Err(reason) => {
                    let reason = Unknown::Stopped(reason, Reading::default());
                    outcome.unfinished.push((Missing::Certificate, reason));
                    return Ok(());
                }
            },
        };
        panic!("the certificate of a view is none of the program: {refused}")
    }

    /// Tries the run of a view on the program.
    fn try_run(&mut self, report: TraceReport) -> Result<Tried, NoAnswer> {
        let trace = match report {
            TraceReport::Replayed(trace) if self.is_whole() && self.replays(&trace) => {
                return Ok(Tried::Run(trace));
            }
            TraceReport::Replayed(trace) if !self.is_whole() => trace,
            _ if self.is_whole() => return Err(Unknown::because("its run was not found").into()),
            // What a view allows may be too much to be replayed on it; the program itself is asked then.
            _ => {
                self.kept = Kept::all(self.rsm);
                return Ok(Tried::Refined);
            }
        };
        let Some(path) = Path::of(self.rsm, &trace, MOST_STEPS) else {
            return Err(Unknown::because("its run leads to no target").into());
        };
        let rsm = self.rsm;
        let arrangement = self.arrangement.take().unwrap_or_else(|| Arrangement::of(rsm, self.line));
        let tried = self.along(&path, &arrangement);
        self.arrangement = Some(arrangement);
        tried
    }

    /// Goes back along a path with as many bits of all integers as the view has, then with more. If more are needed, the reason that is nearest to the target is
    /// taken, and among those that are equally near the one with the fewest bits: what is far back is a matter of this path, not of the target.
    fn along(&mut self, path: &Path, arrangement: &Arrangement) -> Result<Tried, NoAnswer> {
        let mut nearest: Option<(usize, u8, Reason)> = None;
        let mut bits = self.kept.bits.min(self.widest);
        loop {
            let mut every = Kept::all(self.rsm);
            every.bits = bits;
            let cut = (bits < self.widest).then(|| localise(self.rsm, &every));
            let machine = cut.as_ref().unwrap_or(self.rsm);
            let stop = self.stop.part();
            stop.grant(PATH_SHARE.max(self.limits.stop.work() / u64::from(self.n_rounds + 1)));
            let mut backward = Backward::new(machine, arrangement, path, stop, self.limits.memory);
            let is_last = bits >= self.widest;
            let beyond = nearest.as_ref().map(|(at, ..)| *at);
            let width = if is_last { Width::Full } else { Width::Cut };
            match self.with_bits(&mut backward, width, beyond) {
                Ok(Found::Run(trace)) => return Ok(Tried::Run(trace)),
                Ok(Found::Reason(at, reason)) => nearest = Some((at, bits, reason)),
                Ok(Found::Nothing) if !is_last || nearest.is_some() => {}
                Err(Exhausted(reason)) if !self.may_go_on(reason) => {
                    return Err(Unknown::Stopped(reason, Reading::default()).into());
                }
                Err(_) if nearest.is_some() => {}
                // It is too long or too large to be looked at: whatever is read on it may be the reason.
                Ok(Found::Nothing) | Err(_) => {
                    if backward.has_products()
                        && let Some(trace) = self.with_narrow_products(path, arrangement)?
                    {
                        return Ok(Tried::Run(trace));
                    }
                    self.add(backward.everything_read(), bits);
                    return Ok(Tried::Refined);
                }
            }
            if is_last || (nearest.is_some() && bits == self.kept.bits) {
                break;
            }
            bits = bits.saturating_mul(2).min(self.widest);
        }
        if let Some((_, bits, reason)) = nearest {
            self.add(reason, bits);
        }
        Ok(Tried::Refined)
    }

    /// A run along a path on which no product has a large second operand, if there is one and it is found soon.
    fn with_narrow_products(
        &self,
        path: &Path,
        arrangement: &Arrangement,
    ) -> Result<Option<Box<Trace>>, NoAnswer> {
        let stop = self.stop.part();
        stop.grant(PATH_SHARE);
        let mut backward = Backward::new(self.rsm, arrangement, path, stop, self.limits.memory);
        backward.narrow_products(NARROW);
        let found = match backward.go(0, |_| true) {
            Ok(Way::Possible(sets)) if path.is_whole => concrete::run(&mut backward, &sets),
            Ok(_) => return Ok(None),
            Err(exhausted) => Err(exhausted),
        };
        match found {
            Ok(trace) => Ok(trace.filter(|trace| self.replays(trace)).map(Box::new)),
            Err(Exhausted(reason)) if self.may_go_on(reason) => Ok(None),
            Err(Exhausted(reason)) => Err(Unknown::Stopped(reason, Reading::default()).into()),
        }
    }

    /// A run is one of the program.
    fn replays(&self, trace: &Trace) -> bool {
        trace.replay(self.problem.program, &self.problem.goals()).is_ok()
    }

    /// Only the work on a path, or the memory for it, is used up.
    fn may_go_on(&self, reason: StopReason) -> bool {
        matches!(reason, StopReason::Work | StopReason::Memory) && self.stop.is_requested().is_none()
    }

    /// Goes back along a path; if its machine is not the program itself, that it is possible says nothing. Only a reason is of interest that is nearer
    /// than one that is known.
    fn with_bits(
        &self,
        backward: &mut Backward,
        width: Width,
        known: Option<usize>,
    ) -> Result<Found, Exhausted> {
        match backward.go(0, |_| true)? {
            Way::Impossible(at) if known.is_some_and(|known| at <= known) => Ok(Found::Nothing),
            Way::Impossible(at) => Ok(Found::Reason(at, backward.reason(at)?)),
            Way::Possible(_) if width == Width::Cut || !backward.path.is_whole => Ok(Found::Nothing),
            Way::Possible(sets) => {
                let trace = concrete::run(backward, &sets)?;
                let replayed = trace.filter(|trace| self.replays(trace));
                Ok(replayed.map_or(Found::Nothing, |trace| Found::Run(Box::new(trace))))
            }
        }
    }

    /// The next view knows what a reason says, what is read on the way if that is no news, and so many bits; or it is the program.
    fn add(&mut self, reason: Reason, bits: u8) {
        let mut is_news = bits > self.kept.bits;
        self.kept.bits = self.kept.bits.max(bits);
        let mut has_others = is_news;
        if let Some(tests) = &mut self.kept.tests {
            let n_known = tests.len();
            tests.extend(reason.tests);
            has_others |= tests.len() > n_known;
        }
        for (module, place) in reason.places {
            let is_new = self.kept.add(module, place);
            is_news |= is_new;
            match place {
                Place::Global(_) => has_others |= is_new,
                Place::Local(local) => {
                    let copies = self.copies.get_or_insert_with(|| Copies::of(self.rsm));
                    for (module, local) in copies.of_local(module, local) {
                        is_news |= self.kept.add(*module, Place::Local(*local));
                    }
                }
            }
        }
        is_news |= has_others;
        if !is_news {
            for (module, place) in reason.read {
                is_news |= self.kept.add(module, place);
                has_others |= matches!(place, Place::Global(_));
            }
        }
        if !is_news {
            self.kept = Kept::all(self.rsm);
        }
        self.n_of_locals = if has_others { 0 } else { self.n_of_locals + 1 };
        let (n_kept, n_locals) = self.kept.n_locals();
        if self.n_of_locals >= ROUNDS_OF_LOCALS || n_kept * PART_OF_LOCALS > n_locals * (PART_OF_LOCALS - 1) {
            self.kept.add_locals();
        }
    }
}

pub fn n_edges(rsm: &Rsm) -> u64 {
    rsm.modules.iter().map(|module| module.edges.len() as u64).sum()
}

/// Why a report has no answer.
fn reason_of(report: &Report) -> Unknown {
    match &report.finding.verdict {
        Verdict::Unknown(reason) => reason.clone(),
        _ => Unknown::because("it was not found"),
    }
}

//! A question about threads, by increasing bounds, up to the report.
//!
//! Each bound has copies of the shared variables, and of threads that there is any number of; so a bound much larger than needed
//! costs much more. Where a smaller bound allows less, small ones are asked for first, each twice the one before. After a bound
//! that reaches nothing, a share of the work it took goes into the question whether any bound would; little goes into it before the first. All shares are counted in
//! units of work, not in time, so that two runs do the same.

use super::any_schedule::Trial;
use super::question::{Asked, Inquiry};
use super::{Bound, Scheduling};
use crate::evaluation::Options;
use crate::evaluation::{Asks, Report, TraceReport};
use crate::formula::FormulaFile;
use crate::outcome::{Finding, Verdict};
use crate::problem::Failure;
use crate::target::Target;
use base::{Known, Sources};
use rsm::Concurrent;

/// Answers whether some run within a bound reaches the targets.
pub fn check_threads(
    program: &Concurrent,
    targets: &[Target],
    bound: Bound,
    file: FormulaFile,
    scheduling: Scheduling,
    options: &Options,
    sources: &mut Sources,
) -> Result<Report, Failure> {
    let FormulaFile { name, text, read, params, labels } = file;
    let mut formula = |ask: &mut dyn FnMut(FormulaFile) -> Result<Asked, Failure>| {
        ask(FormulaFile { name, text, read: &mut *read, params, labels })
    };
    let mut inquiry = Inquiry {
        program,
        targets,
        bound,
        scheduling,
        options,
        keeps_shared: false,
        traces: false,
        tells: true,
        granted: u64::MAX,
    };
    inquiry.traces = options.trace && !inquiry.lacks_values();
    let Asked { mut report, mut open, .. } =
        deepen(&inquiry, &mut |inquiry| formula(&mut |file| inquiry.ask(file, sources)))?;
    inquiry.tells = false;
    // An early answer leaves targets open that may be reached later. They are asked for together, one by one if that decides none.
    let mut together = open.len();
    let mut within: Option<Option<u32>> = None;
    while !open.is_empty() {
        let asked: Vec<usize> = open.drain(..together.min(open.len())).collect();
        let others: Vec<Target> = asked.iter().map(|n| targets[*n].clone()).collect();
        let inquiry = Inquiry { targets: &others, traces: false, ..inquiry };
        let found = deepen(&inquiry, &mut |inquiry| formula(&mut |file| inquiry.ask(file, sources)))?;
        assert_eq!(asked.len(), found.report.findings.len(), "every target is answered");
        if found.report.findings.iter().any(|finding| finding.verdict.is_unknown()) {
            within =
                Some(within.map_or(found.report.safe_within, |other| other.min(found.report.safe_within)));
        }
        for (n, found) in asked.iter().zip(found.report.findings) {
            report.findings[*n] = found;
        }
        together = if found.open.len() < asked.len() { targets.len() } else { 1 };
        open.extend(found.open.into_iter().map(|n| asked[n]));
    }
    if let Some(within) = within {
        report.safe_within = within;
    }
    if let (true, Some(least)) = (options.trace && !inquiry.traces, report.finding.least) {
        let inquiry = Inquiry { bound: bound.of(least), keeps_shared: true, traces: true, ..inquiry };
        let again = formula(&mut |file| inquiry.ask(file, sources))?.report;
        report.trace = match again.finding.verdict {
            Verdict::Unknown(reason) => TraceReport::Stopped(reason),
            _ => again.trace,
        };
    }
    Ok(report)
}

/// Where every bound counts, the largest that a formula is asked about.
const MOST_SWITCHES: u32 = 64;

/// Asks for one bound after the other, until one decides.
fn deepen(
    inquiry: &Inquiry,
    ask: &mut dyn FnMut(&Inquiry) -> Result<Asked, Failure>,
) -> Result<Asked, Failure> {
    let (tries, gauge) = (inquiry.scheduling.every_bound, &inquiry.options.gauge);
    let mut trial = Trial::new(inquiry);
    if tries && let Some(reason) = trial.attempt(0) {
        let unreachable = Finding::new(Verdict::No);
        let findings = vec![unreachable.clone(); inquiry.targets.len()];
        let asks = Asks { is_monotone: true, is_plain: true, ..Asks::default() };
        let report = Report { every_bound: Some(reason), ..Report::new(asks, unreachable, findings) };
        return Ok(Asked { report, open: Vec::new(), work: 0 });
    }
    let most = match inquiry.bound {
        Bound::Every => MOST_SWITCHES,
        bound => bound.number(),
    };
    let mut work = 0;
    let mut safe_within = None;
    for number in inquiry.scheduling.bounds(most) {
        let mut asked = ask(&Inquiry { bound: inquiry.bound.of(number), ..*inquiry })?;
        work += asked.work;
        asked.work = work;
        let report = &mut asked.report;
        match report.finding.verdict {
            Verdict::No => {
                let is_last = number == most;
                if inquiry.tells {
                    let is_all = is_last && inquiry.bound != Bound::Every;
                    gauge.tell(if is_all { Known::Unreachable } else { Known::SafeWithin(number) });
                }
                if tries {
                    report.every_bound = trial.attempt(work);
                }
                safe_within = Some(number);
                if report.every_bound.is_none() && is_last && inquiry.bound == Bound::Every {
                    report.leave_open(number);
                }
                if is_last || report.every_bound.is_some() {
                    return Ok(asked);
                }
            }
            Verdict::Yes => {
                // What a smaller bound does not reach, a larger one may.
                let beyond = |n: &usize| number < most && report.findings[*n].verdict != Verdict::Yes;
                asked.open.extend((0..inquiry.targets.len()).filter(beyond));
                return Ok(asked);
            }
            Verdict::Unknown(_) => {
                report.safe_within = report.safe_within.max(safe_within);
                return Ok(asked);
            }
        }
    }
    unreachable!("the last bound decides")
}

//! What a search of threads looked at, as a certificate.

use crate::problem::Problem;
use ::explicit::threads::{Counted, Everything, Number, Standing};
use base::Sources;
use certificate::threads::{ClosedSet, Configuration, Count, Group, Kept, Local};

/// The text of a certificate that no schedule reaches the targets of a problem.
pub(super) fn certificate(problem: &Problem, everything: Everything, sources: &Sources) -> String {
    let Everything { stops_everywhere, shared_kept, points, waits, groups, shared, states, configurations } =
        everything;
    let kept = Kept {
        shared: shared_kept,
        points: points.into_iter().collect(),
        waits: waits.into_iter().collect(),
        watched: Vec::new(),
    };
    let configuration = |(shared, threads): (u32, Vec<Counted>)| Configuration {
        shared,
        threads: threads.iter().map(|group| counted(group)).collect(),
    };
    let closed = ClosedSet {
        targets: problem.targets.iter().map(|target| target.name.clone()).collect(),
        kept,
        stops_everywhere,
        groups: groups.into_iter().map(|(block, copy)| Group { block, copy }).collect(),
        shared,
        states,
        configurations: configurations.into_iter().map(configuration).collect(),
    };
    certificate::threads::write(problem.program, sources, &closed)
}

/// How many threads are in each state.
fn counted(threads: &[(Standing, Number)]) -> Vec<(Local, Count)> {
    let local = |standing: Standing| match standing {
        Standing::Start => Local::Start,
        Standing::Done => Local::Done,
        Standing::At(n) => Local::At(n),
    };
    let count = |number: Number| match number {
        Number::AtMost(number) => Count::Number(number),
        Number::Any => Count::Any,
    };
    threads.iter().map(|(standing, number)| (local(*standing), count(*number))).collect()
}

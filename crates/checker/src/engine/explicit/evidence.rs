//! Why a search found no infinite run, as a certificate.

use crate::problem::Problem;
use crate::target::Target;
use ::explicit::threads::forever::{self, Evidence};
use ::explicit::{RankedEntry, RankedState, Ranks};
use base::Sources;
use certificate::ranked::{Entry, Function, Point, Ranked, State};
use certificate::threads::Kept;
use certificate::threads::forever::{Class, Endless, Standing, write};

/// The text of a certificate about these targets.
pub(super) fn certificate(
    problem: &Problem,
    targets: &[Target],
    evidence: Evidence,
    sources: &Sources,
) -> String {
    let kept = Kept {
        shared: evidence.shared_kept,
        points: evidence.points.into_iter().collect(),
        waits: evidence.waits.into_iter().collect(),
        watched: watched(problem),
    };
    let classes = (0..).zip(evidence.classes);
    let is_special = |(_, class): &(u32, forever::Class)| class.around.is_some() || !class.starved.is_empty();
    let class =
        |(n, class): (u32, forever::Class)| (n, Class { around: class.around, starved: class.starved });
    let endless = Endless {
        claim: problem.claim(targets),
        scheduler: problem.watch.scheduler,
        stops_everywhere: evidence.stops_everywhere,
        kept,
        groups: evidence.groups,
        shared: evidence.shared,
        states: evidence.states.into_iter().map(|(block, known)| (block, standing(known))).collect(),
        configurations: evidence.configurations,
        class_of: evidence.class_of,
        classes: classes.filter(is_special).map(class).collect(),
    };
    write(problem.program, sources, &endless)
}

/// The text of a certificate about a sequential program.
pub(super) fn of_sequential(problem: &Problem, ranks: Ranks, sources: &Sources) -> String {
    let Ranks { points, functions, entries, states, values } = ranks;
    let state =
        |RankedState { entry, point, passed, number, first }| State { entry, point, passed, number, first };
    let ranked = Ranked {
        claim: problem.claim(problem.targets),
        points: points.into_iter().map(|(module, node, places)| Point { module, node, places }).collect(),
        functions: functions.into_iter().map(|(module, places)| Function { module, places }).collect(),
        entries: entries
            .into_iter()
            .map(|RankedEntry { function, first }| Entry { function, first })
            .collect(),
        states: states.into_iter().map(state).collect(),
        values,
    };
    certificate::ranked::write(&problem.program.machine, sources, &ranked)
}

/// What the observer reads has values wherever a thread is.
fn watched(problem: &Problem) -> Vec<u32> {
    problem.watch.observer.map_or_else(Vec::new, rsm::observe::Observer::globals)
}

fn standing(known: forever::Standing) -> Standing {
    match known {
        forever::Standing::At(state) => Standing::At(state),
        forever::Standing::Done { bits, has_ended } => Standing::Done { bits, has_ended },
        forever::Standing::Spin { bits, is_inside } => Standing::Spin { bits, is_inside },
    }
}

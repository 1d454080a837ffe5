//! Witnesses of random programs: what is written is followed, what is changed is found out, and invariants are violated where they are false.
//!
//! The twin reads the waypoints off a run of the program itself.

use base::{FileId, Random, Sources};
use c::{DataModel, Options, SiteKind, Spot, TargetSelection, Translation};
use integers::account::{Script, account};
use integers::explore::{Budget, Quest, explore};
use integers::step::Configuration;
use integers::trace::{End, Event, Manner, walk, walk_from};
use integers::{Goal, Input, Integers, Value};
use std::ops::ControlFlow;
use witness::follow::{Followed, Follower};
use witness::product::Product;
use witness::{Content, Entry, Fact, Location, Map, Metadata, Run, Segment, Text, WaypointKind, violation};

const DECLARATIONS: &str = "
int __VERIFIER_nondet_int(void); unsigned __VERIFIER_nondet_uint(void); short __VERIFIER_nondet_short(void);
unsigned char __VERIFIER_nondet_uchar(void); long long __VERIFIER_nondet_longlong(void);
void reach_error(void); long long observed;
void observe(long long v) { observed = v; if (v == 3) reach_error(); }
";

struct Subject {
    sources: Sources,
    file: FileId,
    translation: Translation,
}

impl Subject {
    fn new(seed: u64) -> Self {
        let text = testing::random_c::program(&mut Random::new(seed), seed);
        let whole = format!("{DECLARATIONS}{text}int main(void) {{ p{seed}_main(); return 0; }}\n");
        let mut sources = Sources::default();
        let file = sources.add("random.c", whole);
        let options =
            Options { targets: TargetSelection::Call("reach_error".to_owned()), ..Options::default() };
        let translation = c::translate(&sources, file, &options).expect("random programs are right");
        Self { sources, file, translation }
    }

    fn map(&self) -> Map<'_> {
        Map {
            program: &self.translation.program,
            sites: &self.translation.sites,
            sources: &self.sources,
            file: self.file,
            model: DataModel::Lp64,
        }
    }
}

fn through_text(subject: &mut Subject, segments: Vec<Segment>) -> Vec<Segment> {
    let metadata = Metadata {
        format_version: Text::new("2.0"),
        creation_time: "2024-01-01T00:00:00Z".to_owned(),
        producer: ("test".to_owned(), "1".to_owned()),
        files: vec![(Text::new("random.c"), Some(Text::new("00")))],
        specification: Text::new("CHECK( init(main()), LTL(G ! call(reach_error())) )"),
        data_model: Text::new("LP64"),
    };
    let text = witness::write(&Entry { metadata, content: Content::Violation(segments) });
    let file = subject.sources.add("w.yml", text);
    match witness::read(&subject.sources, file).expect("our own").swap_remove(0).content {
        Content::Violation(segments) => segments,
        Content::Correctness(_) => panic!("it is a violation"),
    }
}

fn followed(subject: &Subject, segments: &[Segment]) -> Option<Followed> {
    let map = subject.map();
    let mut product = Product::of_violation(&map, segments).ok()?;
    let target = &segments.last()?.waypoints.last()?.location;
    if !product.aim(&map, target, segments.len()) {
        return None;
    }
    let run = Follower::new(&map, &product, segments).ok()?.run(0, 200_000);
    Some(run)
}

/// Whether the run with these inputs reaches the target of the product.
fn is_let_through(subject: &Subject, segments: &[Segment], inputs: &[i128]) -> bool {
    let map = subject.map();
    let Ok(mut product) = Product::of_violation(&map, segments) else { return false };
    let target = &segments[segments.len() - 1].waypoints[0].location;
    let mut numbers = inputs.iter().copied();
    let manner = Manner { integers: Integers::Machine, goal: Goal::Any, max_steps: 400_000 };
    product.aim(&map, target, segments.len())
        && matches!(walk(&product.program, &mut |_| numbers.next(), manner, &mut |_| {}), End::Target(_))
}

/// The twin: whether the run with these inputs passes the waypoints, each where it is evaluated first, and then calls the function at the target.
fn passes(subject: &Subject, segments: &[Segment], inputs: &[i128]) -> bool {
    let map = subject.map();
    let program = map.program;
    let (mut next, mut is_lost) = (0, false);
    let mut numbers = inputs.iter().copied();
    let manner = Manner { integers: Integers::Machine, goal: Goal::Any, max_steps: 200_000 };
    let end = walk(program, &mut |_| numbers.next(), manner, &mut |step| {
        for (id, number) in &step.inputs {
            let span = program.input(*id).span;
            let closing = base::Span { start: span.end - 1, ..span };
            let (line, column) = map.sources.line_column(closing);
            let waypoint = &segments[next].waypoints[0];
            let location = &waypoint.location;
            let is_here = (location.line, location.column) == (line as u32, Some(column as u32));
            if waypoint.kind == WaypointKind::FunctionReturn && is_here {
                let wanted = &waypoint.constraint.as_ref().expect("a constraint").value;
                is_lost |= *wanted != format!("\\result == {number}");
                next += 1;
            }
        }
    });
    let End::Target(target) = end else { return false };
    let at = &segments[segments.len() - 1].waypoints[0].location;
    let (line, column) = map.sources.line_column(program.targets[target.index()].span);
    !is_lost && next + 1 == segments.len() && (at.line, at.column) == (line as u32, Some(column as u32))
}

#[test]
fn runs_are_followed_and_changes_found_out() {
    let (mut n_followed, mut n_waypoints, mut n_changed, mut n_refused) = (0, 0, 0, 0);
    for seed in generate::random::seeds(0..120) {
        let mut subject = Subject::new(seed);
        let budget = Budget { instructions: 200_000, runs: 200, cells: 1 << 14, ..Budget::default() };
        let found = explore(&subject.translation.program, Quest::Target(Goal::Any), &budget);
        let Some((_, run)) = found.reached else { continue };
        let manner = Manner { integers: Integers::Machine, goal: Goal::Any, max_steps: 100_000 };
        let told =
            account(&subject.translation.program, Script { inputs: &run.inputs, repeats_from: None }, manner);
        let End::Target(_) = told.end else { continue };
        let segments = violation(&subject.map(), &Run::Told(&told)).expect("a run to a target");
        let segments = through_text(&mut subject, segments);
        match followed(&subject, &segments) {
            Some(Followed::Reached(inputs)) => assert_eq!(inputs, told.inputs, "GETAFIX_SEED={seed}"),
            other => panic!("GETAFIX_SEED={seed}: {other:?}"),
        }
        assert!(is_let_through(&subject, &segments, &told.inputs), "GETAFIX_SEED={seed}");
        n_followed += 1;
        n_waypoints += segments.len() - 1;
        let is_simple = segments.iter().all(|segment| segment.waypoints[0].kind != WaypointKind::Assumption);
        for n in (0..segments.len()).filter(|_| is_simple) {
            let mut changed = segments.clone();
            let waypoint = &mut changed[n].waypoints[0];
            match &mut waypoint.constraint {
                Some(text) => {
                    *text = Text::new(if text.value.ends_with("== 3") {
                        "\\result == 4"
                    } else {
                        "\\result == 3"
                    })
                }
                None => waypoint.location.line += 1,
            }
            n_changed += 1;
            let expected = passes(&subject, &changed, &told.inputs);
            let found = is_let_through(&subject, &changed, &told.inputs);
            assert_eq!(found, expected, "GETAFIX_SEED={seed}: the run that was changed, segment {n}");
            match followed(&subject, &changed) {
                Some(Followed::Reached(inputs)) => {
                    assert!(
                        passes(&subject, &changed, &inputs),
                        "GETAFIX_SEED={seed}: accepted, segment {n}"
                    );
                }
                _ => n_refused += 1,
            }
        }
    }
    println!("{n_followed} followed, {n_waypoints} waypoints, {n_changed} changed, {n_refused} refused");
    let few = testing::is_chosen();
    assert!(
        few || n_followed > 20 && n_waypoints > 20 && n_refused > 20,
        "{n_followed}, {n_waypoints}, {n_refused}"
    );
}

fn chooser(seed: u64) -> impl FnMut(&Input) -> Option<i128> {
    let mut random = Random::new(seed);
    move |input| Some(input.ty.wrap(i128::from(random.below(9)) - 4))
}

/// The twin: the line of the first of some facts that does not hold where a run comes to it.
fn violated(subject: &Subject, facts: &[(usize, &str, i128)], seed: u64) -> Option<usize> {
    let program = &subject.translation.program;
    let mut configuration = Configuration::start(program);
    let manner = Manner { integers: Integers::Mathematical, goal: Goal::Any, max_steps: 20_000 };
    let mut first = None;
    let value_of = |name: &str, globals: &[Value]| {
        let global = program.globals.iter().position(|global| global.variable.name == name);
        match globals[global.expect("a global")] {
            Value::Number(value) => Some(value),
            _ => None,
        }
    };
    // The run begins at a place, too.
    let begins = configuration.frames.last().map(|frame| (frame.function, frame.node));
    for (n, &(site, name, bound)) in facts.iter().enumerate() {
        let site = &subject.translation.sites.all[site];
        let is_here = matches!(&site.kind, SiteKind::Statement(Spot::Node(at)) | SiteKind::Loop(Spot::Node(at), _) if begins == Some((site.function, *at)));
        if is_here
            && first.is_none()
            && value_of(name, &configuration.globals).is_some_and(|value| value > bound)
        {
            first = Some(n);
        }
    }
    if first.is_some() {
        return first;
    }
    walk_from(program, &mut configuration, &mut chooser(seed), manner, &mut |step, after| {
        let node = after.frames.last().map(|frame| (frame.function, frame.node));
        for (n, &(site, name, bound)) in facts.iter().enumerate() {
            let site = &subject.translation.sites.all[site];
            let (SiteKind::Statement(spot) | SiteKind::Loop(spot, _)) = &site.kind else { continue };
            let is_here = match (spot, &step.event) {
                (Spot::Behind(edges), Event::Taken(edge)) => {
                    step.function == site.function
                        && edges.contains(edge)
                        && !matches!(
                            program.function(step.function).edge(*edge).action,
                            integers::Action::Call { .. }
                        )
                }
                (Spot::Node(at), _) => node == Some((site.function, *at)),
                _ => false,
            };
            // A call leads here when it has returned.
            let is_back = matches!((&step.event, spot), (Event::Returned, Spot::Behind(edges))
            if after.frames.last().is_some_and(|frame| frame.function == site.function
                && edges.iter().any(|edge| {
                    let edge = program.function(frame.function).edge(*edge);
                    edge.to == frame.node && matches!(edge.action, integers::Action::Call { .. })
                })));
            let Some(value) = value_of(name, &after.globals) else { continue };
            if (is_here || is_back) && value > bound && first.is_none() {
                first = Some(n);
            }
        }
        if first.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    first
}

#[test]
fn invariants_are_violated_where_they_are_false() {
    let (mut n_violated, mut n_kept) = (0, 0);
    for seed in generate::random::seeds(0..120) {
        let subject = Subject::new(seed);
        let map = subject.map();
        let mut dice = Random::new(seed);
        let sites: Vec<usize> = (0..map.sites.all.len())
            .filter(|n| matches!(map.sites.all[*n].kind, SiteKind::Statement(_) | SiteKind::Loop(..)))
            .collect();
        // At one place, so that it does not matter which of several is looked at first.
        let site = *dice.pick(&sites);
        let bound = i128::from(dice.below(5)) - 2;
        let at = &map.sites.all[site];
        let is_loop = matches!(at.kind, SiteKind::Loop(..));
        let location = Location { function: None, ..map.location(at.span, at.function) };
        let value = Text::new(format!("observed <= {bound}"));
        let facts = [Fact::Invariant { is_loop, location, value }];
        let Ok(product) = Product::of_facts(&map, &facts) else { continue };
        if !product.unchecked.is_empty() {
            continue;
        }
        for run in 0..4 {
            let manner = Manner { integers: Integers::Mathematical, goal: Goal::Any, max_steps: 40_000 };
            let end = walk(&product.program, &mut chooser(run), manner, &mut |_| {});
            let is_refuted =
                matches!(end, End::Target(id) if product.targets.iter().any(|(target, _)| *target == id));
            let expected = violated(&subject, &[(site, "observed", bound)], run);
            if end == End::StepLimit {
                continue;
            }
            assert_eq!(is_refuted, expected.is_some(), "GETAFIX_SEED={seed}, run {run}: {facts:?}, {end:?}");
            if is_refuted { n_violated += 1 } else { n_kept += 1 }
        }
    }
    println!("{n_violated} violated, {n_kept} kept");
    let few = testing::is_chosen();
    assert!(few || n_violated > 10 && n_kept > 50, "{n_violated} violated, {n_kept} kept");
}

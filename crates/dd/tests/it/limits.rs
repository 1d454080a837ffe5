//! Stopping: by another thread in the middle of one operation, and at the memory budget.

use base::{Stop, StopReason};
use dd::{Bdd, Exhausted, Level, Manager, Map};
use std::thread;
use std::time::{Duration, Instant};

/// Pairs of variables in the functions that the order below makes exponential.
const N: Level = 40;

/// Two variables are equal.
fn same(m: &mut Manager, i: Level, j: Level) -> Result<Bdd, Exhausted> {
    let (x, y) = (m.variable(i)?, m.variable(j)?);
    m.iff(x, y)
}

/// `x0 = y0 ∧ x1 = y1 ∧ …` with all `x` above all `y`: 2^N nodes.
fn explode(m: &mut Manager) -> Result<Bdd, Exhausted> {
    let mut acc = Bdd::TRUE;
    for i in 0..N {
        let part = same(m, i, i + N)?;
        acc = m.and(acc, part)?;
    }
    Ok(acc)
}

/// Stops `operation` from another thread and checks that it ends soon.
#[track_caller]
fn check_stops(operation: impl FnOnce(&mut Manager) -> Result<Bdd, Exhausted>) {
    let stop = Stop::default();
    let mut m = Manager::new(stop.clone(), None);
    let stopper = thread::spawn(move || {
        thread::sleep(Duration::from_millis(60));
        stop.request(StopReason::Time);
        Instant::now()
    });
    let result = operation(&mut m);
    let ended = Instant::now();
    let requested = stopper.join().unwrap();
    assert_eq!(result, Err(Exhausted(StopReason::Time)));
    assert!(ended - requested < Duration::from_secs(5), "took {:?}", ended - requested);
}

#[test]
fn a_conjunction_stops_when_asked() {
    check_stops(explode);
}

/// A selector above everything chooses one of `x0 ∧ y0`, `x1 ∧ y1`, …; without it, any may hold. The operand is
/// small, the result has 2^N nodes.
#[test]
fn one_product_stops_when_asked() {
    check_stops(|m| {
        let mut f = Bdd::FALSE;
        for i in 0..N {
            let selector = (0..6).map(|bit| (bit, i >> bit & 1 == 1));
            let chosen = m.cube(selector.chain([(6 + i, true), (6 + N + i, true)]))?;
            f = m.or(f, chosen)?;
        }
        assert!(m.count_nodes([f]) < 1000);
        let none = Map::default();
        let id = m.register_product(&none, &none, &[0, 1, 2, 3, 4, 5], &none);
        m.product(f, Bdd::TRUE, id)
    });
}

#[test]
fn the_budget_is_kept_and_the_manager_stays_usable() {
    let budget = 1 << 20;
    let mut m = Manager::new(Stop::default(), Some(budget));
    let kept = same(&mut m, 0, 1).unwrap();
    for _ in 0..3 {
        assert_eq!(explode(&mut m), Err(Exhausted(StopReason::Memory)));
        assert!(m.bytes() as u64 <= budget, "{} bytes", m.bytes());
        assert!(m.n_nodes() > 10_000, "only {} nodes fit", m.n_nodes());
        m.collect([kept]);
        assert_eq!(m.n_nodes() as u64, m.count_nodes([kept]) + 1);
        assert_eq!(same(&mut m, 0, 1), Ok(kept));
        let chain = m.cube((0..N).map(|i| (i, i % 2 == 0))).unwrap();
        assert_eq!(m.and(chain, kept), Ok(Bdd::FALSE));
    }
}

#[test]
fn a_stop_requested_before_is_seen_during_a_long_operation() {
    let stop = Stop::default();
    stop.request(StopReason::Interrupt);
    let mut m = Manager::new(stop, None);
    assert_eq!(explode(&mut m), Err(Exhausted(StopReason::Interrupt)));
}

#[test]
fn the_budget_is_used_up() {
    for budget in [1 << 20, 3 << 20, 10_000_000, 17 << 20, 23 << 20] {
        let mut m = Manager::new(Stop::default(), Some(budget));
        assert_eq!(explode(&mut m), Err(Exhausted(StopReason::Memory)));
        let bytes = m.bytes() as u64;
        assert!(bytes <= budget && bytes >= budget / 10 * 9, "{bytes} of {budget} bytes");
    }
}

#[test]
fn granted_work_is_the_same_in_every_run() {
    let run = |granted: u64| {
        let mut m = Manager::new(Stop::default(), None);
        m.grant(granted);
        assert_eq!(explode(&mut m), Err(Exhausted(StopReason::Work)));
        (m.work(), m.n_nodes())
    };
    for granted in [0, 10_000, 300_000] {
        let (work, n_nodes) = run(granted);
        assert_eq!(run(granted), (work, n_nodes));
        assert!(work >= granted && work < granted + 10_000, "{work} of {granted}");
    }
}

#[test]
fn work_outside_counts() {
    let mut m = Manager::new(Stop::default(), None);
    m.grant(50_000);
    let n_units = (0..).take_while(|_| m.spend(100).is_ok()).count() * 100;
    assert!((50_000..60_000).contains(&n_units), "{n_units}");
}

//! The way to stop an engine from outside, even in the middle of one long operation.
//!
//! An engine owns no clock: it polls a [`Stop`], and whoever owns the clock, the memory meter or the
//! Ctrl-C handler requests the stop. When it polls it says how much it has done since it did last, in units that do not depend on
//! time, so that work can be compared and granted. Where several work side by side, one of them can be the first to stop when memory becomes scarce,
//! and what one of them leaves can be lent to another. One can follow another at a pace: it waits until the other has done so much more work, and its own work is
//! counted on the clock of the other, so that it is a matter of counts who is first.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// How long nobody looks whether a unit of work that is waited for has been done, and how long it is at least and at most. It does not matter to any count.
const WAIT: Duration = Duration::from_micros(2);
const LEAST_WAIT: Duration = Duration::from_millis(1);
const MOST_WAIT: Duration = Duration::from_millis(20);

/// Why a computation was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// The time limit passed.
    Time,
    /// The memory limit was reached.
    Memory,
    /// The user interrupted.
    Interrupt,
    /// The share of work that was granted is used up.
    Work,
}

/// A flag shared between an engine and its owner. Clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    flag: Arc<Flag>,
    /// Whoever is stopped there is stopped here.
    outer: Option<Arc<Stop>>,
}

#[derive(Debug)]
struct Flag {
    code: AtomicU8,
    /// The units of work that have been done, and that may be.
    work: AtomicU64,
    granted: AtomicU64,
    /// Bytes that may be used beyond those that were granted at first.
    lent: AtomicU64,
    /// Who stops first when memory becomes scarce.
    first: Mutex<Option<Stop>>,
    /// Whose work is waited for.
    pace: OnceLock<Pace>,
}

/// A unit of work is done only after so much work of another, whose clock tells who is ahead.
#[derive(Debug)]
struct Pace {
    /// Who is waited for; nobody if only the clock matters.
    leader: Option<Arc<Flag>>,
    /// Before anything is done.
    first: u64,
    /// For each unit that is still to come.
    times: AtomicU64,
    /// For all that have been done.
    clock: AtomicU64,
    /// Up to there work may be done.
    until: AtomicU64,
    /// Nobody waits any more.
    released: Mutex<bool>,
    news: Condvar,
}

impl Default for Flag {
    fn default() -> Self {
        Self {
            code: AtomicU8::new(0),
            work: AtomicU64::new(0),
            granted: AtomicU64::new(u64::MAX),
            lent: AtomicU64::new(0),
            first: Mutex::default(),
            pace: OnceLock::new(),
        }
    }
}

impl Stop {
    /// A flag of its own for a part of the work, which also stops when the whole does.
    pub fn part(&self) -> Self {
        Self { flag: Arc::default(), outer: Some(Arc::new(self.clone())) }
    }

    /// Asks whoever polls this flag to stop. The first reason stays.
    pub fn request(&self, reason: StopReason) {
        let code = match reason {
            StopReason::Time => 1,
            StopReason::Memory => 2,
            StopReason::Interrupt => 3,
            StopReason::Work => 4,
        };
        let _ = self.flag.code.compare_exchange(0, code, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Whoever has done more units of work than this stops when it looks next.
    pub fn grant(&self, work: u64) {
        self.flag.granted.store(work, Ordering::Relaxed);
    }

    /// Whoever looks at this flag waits until those who look at another have done `first` units of work, and then so many times as much as
    /// has been done here. Whom to follow is said once.
    pub fn follow(&self, leader: &Stop, first: u64, times: u64) {
        self.keep_pace(Some(leader.flag.clone()), first, times);
    }

    /// The same without waiting for anybody: it matters to the clock alone.
    pub fn count_on_clock(&self, first: u64, times: u64) {
        self.keep_pace(None, first, times);
    }

    fn keep_pace(&self, leader: Option<Arc<Flag>>, first: u64, times: u64) {
        let (clock, until, times) = (AtomicU64::new(0), AtomicU64::new(u64::MAX), AtomicU64::new(times));
        let (released, news) = (Mutex::default(), Condvar::new());
        let _ = self.flag.pace.set(Pace { leader, first, times, clock, until, released, news });
    }

    /// From now on so many units of work of the one that is followed go with one of whoever looks at this flag.
    pub fn change_pace(&self, times: u64) {
        if let Some(pace) = self.flag.pace.get() {
            pace.times.store(times, Ordering::Relaxed);
        }
    }

    /// How much work of the one that is followed goes with what has been done; the work itself if nobody is followed.
    pub fn clock(&self) -> u64 {
        match self.flag.pace.get() {
            Some(pace) => pace.first.saturating_add(pace.clock.load(Ordering::Relaxed)),
            None => self.work(),
        }
    }

    /// Whoever has come farther than this on the clock stops when it looks next. The least of all times counts.
    pub fn grant_until(&self, clock: u64) {
        let granted = match self.flag.pace.get() {
            Some(pace) => &pace.until,
            None => &self.flag.granted,
        };
        granted.fetch_min(clock, Ordering::Relaxed);
    }

    /// Nobody is waited for any more.
    pub fn release(&self) {
        if let Some(pace) = self.flag.pace.get() {
            *pace.released.lock().unwrap_or_else(PoisonError::into_inner) = true;
            pace.news.notify_all();
        }
    }

    /// Waits until it is this one's turn, or somebody asks it to stop.
    fn wait(&self, pace: &Pace) {
        let Some(leader) = &pace.leader else { return };
        let needed = pace.first.saturating_add(pace.clock.load(Ordering::Relaxed));
        let mut released = pace.released.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let missing = needed.saturating_sub(leader.work.load(Ordering::Relaxed));
            if *released || missing == 0 || self.is_requested().is_some() {
                break;
            }
            let wait = WAIT.saturating_mul(u32::try_from(missing).unwrap_or(u32::MAX));
            released = match pace.news.wait_timeout(released, wait.clamp(LEAST_WAIT, MOST_WAIT)) {
                Ok((released, _)) => released,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
    }

    /// More has been done than is granted, in units of its own or on the clock.
    fn is_used_up(&self, work: u64) -> bool {
        let is_late = |pace: &Pace| {
            let clock = pace.first.saturating_add(pace.clock.load(Ordering::Relaxed));
            clock > pace.until.load(Ordering::Relaxed)
        };
        work > self.flag.granted.load(Ordering::Relaxed) || self.flag.pace.get().is_some_and(is_late)
    }

    /// The request, if there is one; to look is no work.
    pub fn is_requested(&self) -> Option<StopReason> {
        let own = match self.flag.code.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(StopReason::Time),
            2 => Some(StopReason::Memory),
            3 => Some(StopReason::Interrupt),
            _ => Some(StopReason::Work),
        };
        let own = own.or(self.is_used_up(self.work()).then_some(StopReason::Work));
        own.or_else(|| self.outer.as_ref().and_then(|outer| outer.is_requested()))
    }

    /// Whoever looks at this flag may use so many more bytes.
    pub fn lend(&self, bytes: u64) {
        self.flag.lent.store(bytes, Ordering::Relaxed);
    }

    /// The bytes that have been lent.
    pub fn lent(&self) -> u64 {
        self.flag.lent.load(Ordering::Relaxed)
    }

    /// A part of the work can be done without, and stops first when memory becomes scarce; or there is no such part any more.
    pub fn stop_first(&self, part: Option<&Stop>) {
        *self.first() = part.cloned();
    }

    /// Memory is scarce: asks a part to stop that can be done without, if there is one that has not been asked. Otherwise whoever polls this flag is
    /// asked. Whether it was a part.
    pub fn relieve(&self) -> bool {
        let part = self.first().take();
        part.as_ref().unwrap_or(self).request(StopReason::Memory);
        part.is_some()
    }

    fn first(&self) -> std::sync::MutexGuard<'_, Option<Stop>> {
        self.flag.first.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The units of work that have been done by those who look at this flag.
    pub fn work(&self) -> u64 {
        self.flag.work.load(Ordering::Relaxed)
    }

    /// The request, if there is one. Whoever looks has done a unit of work.
    pub fn requested(&self) -> Option<StopReason> {
        self.requested_after(1)
    }

    /// The request, if there is one, after so many units of work. A unit is what takes a few microseconds.
    pub fn requested_after(&self, units: u64) -> Option<StopReason> {
        let work = self.flag.work.fetch_add(units, Ordering::Relaxed).saturating_add(units);
        if let Some(pace) = self.flag.pace.get() {
            let clock = units.saturating_mul(pace.times.load(Ordering::Relaxed));
            pace.clock.fetch_add(clock, Ordering::Relaxed);
            self.wait(pace);
        }
        match self.flag.code.load(Ordering::Relaxed) {
            0 => {}
            1 => return Some(StopReason::Time),
            2 => return Some(StopReason::Memory),
            3 => return Some(StopReason::Interrupt),
            _ => return Some(StopReason::Work),
        }
        if self.is_used_up(work) {
            return Some(StopReason::Work);
        }
        self.outer.as_ref().and_then(|outer| outer.requested_after(units))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_stops_with_the_whole_and_the_whole_not_with_a_part() {
        let whole = Stop::default();
        let (one, other) = (whole.part(), whole.part());
        one.request(StopReason::Work);
        assert_eq!((one.requested(), other.requested()), (Some(StopReason::Work), None));
        assert_eq!(whole.requested(), None);
        whole.request(StopReason::Time);
        assert_eq!((one.requested(), other.requested()), (Some(StopReason::Work), Some(StopReason::Time)));
    }

    #[test]
    fn who_can_be_done_without_stops_first_when_memory_is_scarce() {
        let whole = Stop::default();
        let part = whole.part();
        whole.stop_first(Some(&part));
        assert!(whole.relieve());
        assert_eq!((part.requested(), whole.requested()), (Some(StopReason::Memory), None));
        assert!(!whole.relieve());
        assert_eq!(whole.requested(), Some(StopReason::Memory));
    }

    #[test]
    fn work_is_counted_and_granted() {
        let stop = Stop::default();
        stop.grant(2);
        let found: Vec<Option<StopReason>> = (0..3).map(|_| stop.clone().requested()).collect();
        assert_eq!(found, [None, None, Some(StopReason::Work)]);
        stop.grant(10);
        assert_eq!((stop.requested_after(7), stop.requested_after(1)), (None, Some(StopReason::Work)));
        assert_eq!(stop.work(), 11);
    }

    #[test]
    fn who_follows_waits_for_the_work_of_another_until_it_is_released() {
        let (leader, follower) = (Stop::default(), Stop::default());
        follower.follow(&leader, 10, 8);
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| follower.requested_after(2));
            assert_eq!(leader.requested_after(26), None);
            assert_eq!(waiting.join().ok(), Some(None));
            let waiting = scope.spawn(|| follower.requested_after(100));
            follower.grant(5);
            follower.release();
            assert_eq!(waiting.join().ok(), Some(Some(StopReason::Work)));
        });
        assert_eq!((follower.work(), follower.is_requested()), (102, Some(StopReason::Work)));
        assert_eq!(follower.clock(), 826);
    }

    #[test]
    fn what_has_been_done_is_counted_on_the_clock_of_another_at_the_pace_of_its_time() {
        let stop = Stop::default();
        stop.count_on_clock(10, 2);
        assert_eq!((stop.requested_after(3), stop.clock()), (None, 16));
        stop.change_pace(5);
        assert_eq!((stop.requested_after(2), stop.work(), stop.clock()), (None, 5, 26));
        stop.grant_until(30);
        stop.grant_until(40);
        assert_eq!((stop.is_requested(), stop.requested_after(1)), (None, Some(StopReason::Work)));
        let alone = Stop::default();
        alone.grant_until(1);
        assert_eq!((alone.requested_after(1), alone.requested_after(1)), (None, Some(StopReason::Work)));
        assert_eq!((alone.clock(), alone.work()), (2, 2));
    }
}

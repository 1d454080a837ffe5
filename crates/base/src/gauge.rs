//! How far a computation has come, readable from another thread at any time.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Written by an engine, read by whoever shows progress or reports an unfinished run.
#[derive(Debug, Default)]
pub struct Gauge {
    relation: Mutex<String>,
    rounds: AtomicU64,
    abstractions: AtomicU32,
    predicates: AtomicU32,
    queries: AtomicU32,
    keys: AtomicU64,
    nodes: AtomicU64,
    bytes: AtomicU64,
    search: Mutex<Option<Searched>>,
    runs: AtomicU64,
    steps: AtomicU64,
    known: Mutex<Known>,
    /// Strata that are entered are those of the question whose answer [`Gauge::known`] tells.
    counts: AtomicBool,
    /// What strata are, in the user's words.
    unit: Mutex<String>,
    /// What has been found to be in the way of an answer, in words.
    obstacle: Mutex<Option<String>>,
    /// Computations side by side, each with a name.
    parts: Mutex<Vec<(&'static str, Arc<Gauge>)>>,
    /// What this is a part of.
    whole: Weak<Gauge>,
}

/// What is certain of an answer before the computation has ended. It only ever becomes more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Known {
    /// Nothing yet.
    #[default]
    Nothing,
    /// No target is reachable within this bound.
    SafeWithin(u32),
    /// No target is reachable.
    Unreachable,
    /// Some target is reachable.
    Reachable {
        /// The least bound within which one is, if bounds are counted.
        least: Option<u32>,
    },
}

/// Whether strata are those of the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// They are.
    On,
    /// They are not.
    Off,
}

/// One look at a [`Gauge`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// The relation being computed.
    pub relation: String,
    /// Rounds, or steps of the work list, so far.
    pub rounds: u64,
    /// Keys in its tables.
    pub keys: u64,
    /// Diagram nodes in use.
    pub nodes: u64,
    /// Bytes the diagrams take.
    pub bytes: u64,
    /// If states are looked at one by one, how many so far; then there are no relations.
    pub search: Option<Box<Searched>>,
    /// Runs that were executed.
    pub runs: u64,
    /// Their steps.
    pub steps: u64,
    /// Abstractions that were asked.
    pub abstractions: u16,
    /// The predicates of the last one.
    pub predicates: u16,
    /// Questions to an SMT solver.
    pub queries: u32,
}

/// How far a search of states has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Searched {
    /// Pairs of an entry and a state that is reached from it.
    pub states: u64,
    /// Entries of functions.
    pub entries: u64,
    /// If runs are looked at in the order of their lengths: all that have fewer steps have been.
    pub shorter_than: Option<u32>,
    /// Bytes that all of it takes.
    pub bytes: u64,
}

impl Gauge {
    /// A gauge for one of several computations side by side. How far they come each has for itself; what one of them knows is known. A part of the same
    /// name takes the place of the one before.
    pub fn part(self: &Arc<Self>, name: &'static str) -> Arc<Self> {
        let part = Arc::new(Self { whole: Arc::downgrade(self), ..Self::default() });
        let mut parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        parts.retain(|(other, _)| *other != name);
        parts.push((name, part.clone()));
        part
    }

    /// How far the parts have come, those that have not begun left out; nothing if there are none.
    pub fn parts(&self) -> Vec<(&'static str, Reading)> {
        let parts = self.parts.try_lock().map(|parts| parts.clone()).unwrap_or_default();
        let readings = parts.iter().map(|(name, part)| (*name, part.read()));
        readings.filter(|(_, reading)| *reading != Reading::default()).collect()
    }

    /// Says what is in the way of an answer. The first stays.
    pub fn hinder(&self, what: &str) {
        let mut obstacle = self.obstacle.lock().unwrap_or_else(PoisonError::into_inner);
        obstacle.get_or_insert_with(|| what.to_owned());
    }

    /// What has been found to be in the way of an answer.
    pub fn obstacle(&self) -> Option<String> {
        self.obstacle.try_lock().ok()?.clone()
    }

    /// Names the relation that is being computed from now on.
    pub fn enter(&self, relation: &str) {
        if let Ok(mut name) = self.relation.lock() {
            relation.clone_into(&mut name);
        }
    }

    /// Records the counters.
    pub fn set(&self, rounds: u64, keys: u64, nodes: u64, bytes: u64) {
        self.rounds.store(rounds, Ordering::Relaxed);
        self.keys.store(keys, Ordering::Relaxed);
        self.nodes.store(nodes, Ordering::Relaxed);
        self.bytes.store(bytes, Ordering::Relaxed);
    }

    /// Records how far a search has come.
    pub fn searched(&self, searched: Searched) {
        if let Ok(mut search) = self.search.lock() {
            *search = Some(searched);
        }
    }

    /// Records how far a proof has come: abstractions, the predicates of the last one, and questions to a solver.
    pub fn prove(&self, abstractions: u32, predicates: u32, queries: u32) {
        self.abstractions.store(abstractions, Ordering::Relaxed);
        self.predicates.store(predicates, Ordering::Relaxed);
        self.queries.store(queries, Ordering::Relaxed);
    }

    /// Records how many runs were executed, and how many steps they had.
    pub fn execute(&self, runs: u64, steps: u64) {
        self.runs.store(runs, Ordering::Relaxed);
        self.steps.store(steps, Ordering::Relaxed);
    }

    /// Says what strata are, in the user's words: `context switches`. Until then nobody is told about them.
    pub fn measure_in(&self, unit: &str) {
        if let Ok(mut text) = self.unit.lock() {
            unit.clone_into(&mut text);
        }
    }

    /// Within how much no target is reachable, and what that is counted in, as far as it is known and somebody said so.
    pub fn safe_within(&self) -> Option<(u32, String)> {
        let unit = self.unit.lock().ok().filter(|unit| !unit.is_empty())?.clone();
        match self.known() {
            Known::SafeWithin(number) => Some((number, unit)),
            _ => None,
        }
    }

    /// Says what has become certain. What says less than is known already changes nothing.
    pub fn tell(&self, news: Known) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let is_news = match (*known, news) {
            (Known::Nothing, _) => true,
            (Known::SafeWithin(old), Known::SafeWithin(new)) => old < new,
            (Known::SafeWithin(_), Known::Unreachable | Known::Reachable { .. }) => true,
            _ => false,
        };
        if is_news {
            *known = news;
        }
        drop(known);
        if let Some(whole) = self.whole.upgrade() {
            whole.tell(news);
        }
    }

    /// What is certain so far.
    pub fn known(&self) -> Known {
        *self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on each stratum that is entered says that no target is reachable within the one before; or not any more.
    pub fn strata_count(&self, counts: Counting) {
        self.counts.store(counts == Counting::On, Ordering::Relaxed);
    }

    /// All strata before this one are complete.
    pub fn enter_stratum(&self, stratum: u32) {
        if let Some(complete) = stratum.checked_sub(1)
            && self.counts.load(Ordering::Relaxed)
        {
            self.tell(Known::SafeWithin(complete));
        }
    }

    /// The present values.
    pub fn read(&self) -> Reading {
        Reading {
            // A computation may have been left behind while it held the lock.
            relation: self.relation.try_lock().map(|name| name.clone()).unwrap_or_default(),
            rounds: self.rounds.load(Ordering::Relaxed),
            keys: self.keys.load(Ordering::Relaxed),
            nodes: self.nodes.load(Ordering::Relaxed),
            bytes: self.bytes.load(Ordering::Relaxed),
            search: self.search.try_lock().ok().and_then(|search| search.map(Box::new)),
            runs: self.runs.load(Ordering::Relaxed),
            steps: self.steps.load(Ordering::Relaxed),
            abstractions: small(self.abstractions.load(Ordering::Relaxed)),
            predicates: small(self.predicates.load(Ordering::Relaxed)),
            queries: self.queries.load(Ordering::Relaxed),
        }
    }
}

/// A number that is shown; readings are passed around with errors, and kept small.
fn small(number: u32) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_part_knows_is_known_and_how_far_it_came_is_its_own() {
        let whole = Arc::new(Gauge::default());
        let (one, other) = (whole.part("one"), whole.part("other"));
        one.tell(Known::SafeWithin(3));
        other.tell(Known::SafeWithin(2));
        assert_eq!((whole.known(), other.known()), (Known::SafeWithin(3), Known::SafeWithin(2)));
        other.set(1, 2, 3, 4);
        assert_eq!(whole.read(), Reading::default());
        assert_eq!(whole.parts(), [("other", other.read())], "the one has not begun");
    }

    #[test]
    fn what_is_known_only_becomes_more() {
        let gauge = Gauge::default();
        gauge.enter_stratum(3);
        assert_eq!(gauge.known(), Known::Nothing);
        gauge.strata_count(Counting::On);
        gauge.enter_stratum(0);
        assert_eq!(gauge.known(), Known::Nothing);
        gauge.enter_stratum(3);
        gauge.enter_stratum(2);
        assert_eq!(gauge.known(), Known::SafeWithin(2));
        assert_eq!(gauge.safe_within(), None, "nobody has said what is counted");
        gauge.measure_in("switches");
        assert_eq!(gauge.safe_within(), Some((2, "switches".to_owned())));
        gauge.tell(Known::Reachable { least: Some(4) });
        gauge.tell(Known::Unreachable);
        gauge.enter_stratum(9);
        assert_eq!(gauge.known(), Known::Reachable { least: Some(4) });
    }
}

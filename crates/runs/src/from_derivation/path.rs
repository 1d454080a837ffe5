//! Pieces of runs, and the strands of a tuple: pieces with marks on them.

use crate::known_steps::StateId;
use smallvec::SmallVec;

/// As many as a clause mostly has, in place.
pub(super) type Few<T> = SmallVec<[T; 4]>;

/// Some of them.
pub(super) fn few<T: Copy>(all: impl AsRef<[T]>) -> Few<T> {
    Few::from_slice(all.as_ref())
}

base::index_type! {
    /// A piece of a run.
    PathId;
}

/// A tuple of a derivation, and the number of one of its states, after which a run goes on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Tail {
    pub step: usize,
    pub column: usize,
}

/// A piece of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Path {
    Empty,
    /// The run starts.
    Start(StateId),
    /// A step inside a function.
    Step(StateId, StateId),
    /// A call is entered.
    Call(StateId, StateId),
    /// A call is left; if it is known, the one at `call`.
    Return {
        call: Option<StateId>,
        exit: StateId,
        after: StateId,
    },
    /// A call that is over, and what the callee does.
    Over {
        call: StateId,
        entry: StateId,
        inner: PathId,
        exit: StateId,
        after: StateId,
    },
    Sequence(PathId, PathId),
    /// It goes on as after a state of a tuple that is not explained yet.
    Tail(Tail),
}

/// All pieces; what occurs in several places is stored once.
#[derive(Debug, Default)]
pub(super) struct Paths {
    /// Each with whether it begins with a start.
    pieces: Vec<(Path, bool)>,
}

impl Paths {
    pub fn add(&mut self, path: Path) -> PathId {
        let starts = match path {
            Path::Start(_) => true,
            Path::Sequence(first, _) => self.starts(first),
            _ => false,
        };
        self.pieces.push((path, starts));
        PathId::new(self.pieces.len() - 1)
    }

    pub fn get(&self, id: PathId) -> Path {
        self.pieces[id.index()].0
    }

    /// The piece begins with the start of the run.
    pub fn starts(&self, id: PathId) -> bool {
        self.pieces[id.index()].1
    }

    /// One piece after the other.
    pub fn sequence(&mut self, first: PathId, second: PathId) -> PathId {
        match (self.get(first), self.get(second)) {
            (Path::Empty, _) => second,
            (_, Path::Empty) => first,
            _ => self.add(Path::Sequence(first, second)),
        }
    }

    /// The same where one of them, or both, may be missing.
    pub fn join(&mut self, first: Option<PathId>, second: Option<PathId>) -> Option<PathId> {
        match (first, second) {
            (Some(first), Some(second)) => Some(self.sequence(first, second)),
            (first, second) => first.or(second),
        }
    }
}

/// A path on which some states of a tuple are marks.
#[derive(Clone, Debug, Default)]
pub(super) struct Strand {
    /// Which of the tuple's states, in the order of time.
    pub marks: Few<usize>,
    /// What lies between each and the next.
    pub gaps: Few<PathId>,
    /// What is known of the time before the first.
    pub before: Option<PathId>,
    /// What is known of the time after the last.
    pub after: Option<PathId>,
}

//! Frames: column equalities that a row carries beside its diagram.
//!
//! `x.L.i = v.L.i`, for what a statement leaves alone, never enters a diagram: a join renames the column instead.

use calculus::system::VarId;
use dd::Bdd;
use rustc_hash::FxHashMap;

/// All frames of a run, numbered; number 0 is the empty frame.
#[derive(Debug)]
pub(crate) struct Frames {
    frames: Vec<Box<[(VarId, VarId)]>>,
    numbers: FxHashMap<Box<[(VarId, VarId)]>, u32>,
    /// The equalities as diagrams, where somebody wanted them so.
    diagrams: FxHashMap<u32, Bdd>,
}

impl Default for Frames {
    fn default() -> Self {
        Self {
            frames: vec![Box::default()],
            numbers: FxHashMap::from_iter([(Box::default(), 0)]),
            diagrams: FxHashMap::default(),
        }
    }
}

impl Frames {
    /// The number of a frame.
    pub fn intern(&mut self, mut pairs: Vec<(VarId, VarId)>) -> u32 {
        for pair in &mut pairs {
            *pair = (pair.0.min(pair.1), pair.0.max(pair.1));
        }
        pairs.sort_unstable();
        pairs.dedup();
        let pairs: Box<[(VarId, VarId)]> = pairs.into();
        if let Some(&number) = self.numbers.get(&pairs) {
            return number;
        }
        let number = self.frames.len() as u32;
        self.frames.push(pairs.clone());
        self.numbers.insert(pairs, number);
        number
    }

    /// The equalities of a frame, as pairs of columns.
    pub fn pairs(&self, frame: u32) -> &[(VarId, VarId)] {
        &self.frames[frame as usize]
    }

    /// The equalities of a frame as a diagram, if it was made.
    pub fn diagram(&self, frame: u32) -> Option<Bdd> {
        self.diagrams.get(&frame).copied()
    }

    /// Remembers the diagram of a frame; it is pinned.
    pub fn set_diagram(&mut self, frame: u32, diagram: Bdd) {
        self.diagrams.insert(frame, diagram);
    }
}

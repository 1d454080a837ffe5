//! Classes of numbered things, of which any two can be put together (union-find).
//!
//! Each class is known by its root, one of its members. [`Classes::join`] keeps the least root, so that the root is the first
//! member; [`Classes::put_below`] leaves the choice to the caller. Textbook twin: naming all members anew, in `tests/it/classes.rs`.

/// A partition of the numbers below a bound.
#[derive(Clone, Debug, Default)]
pub struct Classes {
    parent: Vec<u32>,
}

impl Classes {
    /// So many numbers, each in a class of its own.
    pub fn new(n: usize) -> Self {
        Self { parent: (0..u32::try_from(n).expect("more than 2^32 entries")).collect() }
    }

    /// How many numbers there are.
    pub fn len(&self) -> usize {
        self.parent.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.parent.is_empty()
    }

    /// The root of a number's class.
    pub fn root(&self, mut number: u32) -> u32 {
        while self.parent[number as usize] != number {
            number = self.parent[number as usize];
        }
        number
    }

    /// The same as [`Classes::root`], and the way to it becomes shorter.
    pub fn find(&mut self, mut number: u32) -> u32 {
        while self.parent[number as usize] != number {
            let up = self.parent[self.parent[number as usize] as usize];
            self.parent[number as usize] = up;
            number = up;
        }
        number
    }

    /// Puts two classes together, named by any of their members; `false` if they are one already.
    pub fn join(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b) as usize] = a.min(b);
        a != b
    }

    /// Puts two classes together, named by their roots; the second stays one.
    pub fn put_below(&mut self, lower: u32, root: u32) {
        debug_assert!(self.parent[lower as usize] == lower && self.parent[root as usize] == root);
        self.parent[lower as usize] = root;
    }
}

//! The node store: growth within a budget, collection. The unique table is in `unique.rs`.
//!
//! Invariant: a node's `high` edge is never complemented, its children lie on larger levels, no two live nodes
//! are equal. Node 0 is the terminal; the edge to it is `true`, its complement `false`.

use crate::cache::Cache;
use crate::product::Product;
use crate::substitute::Substitution;
use crate::unique::{Place, Unique};
use base::{Stop, StopReason};

/// A position in the variable order; level 0 is at the top.
pub type Level = u32;

/// The level of the terminal.
pub(crate) const BOTTOM: Level = u32::MAX;

/// How many allocations or cache misses pass between two looks at the stop flag.
const POLL: u32 = 4096;

/// An operation ended before its result: out of time or memory, or interrupted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exhausted(pub StopReason);

/// A diagram: an edge, complemented if its lowest bit is set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Bdd(pub(crate) u32);

impl Bdd {
    /// The constant true.
    pub const TRUE: Bdd = Bdd(0);
    /// The constant false.
    pub const FALSE: Bdd = Bdd(1);

    /// The complement, in constant time.
    #[must_use]
    pub fn complement(self) -> Bdd {
        Bdd(self.0 ^ 1)
    }

    /// The constant.
    pub fn constant(value: bool) -> Bdd {
        if value { Self::TRUE } else { Self::FALSE }
    }

    /// True or false, whatever the variables.
    pub fn is_constant(self) -> bool {
        self.0 < 2
    }

    pub(crate) fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub(crate) fn sign(self) -> u32 {
        self.0 & 1
    }
}

/// A decision. On the free list the level is `BOTTOM` and `low` is the next free node, or 0.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Node {
    pub level: Level,
    pub low: u32,
    pub high: u32,
}

/// All diagrams of one variable order.
pub struct Manager {
    pub(crate) nodes: Vec<Node>,
    unique: Unique,
    free: u32,
    n_free: usize,
    peak: usize,
    collections: u64,
    pub(crate) cache: Cache,
    pub(crate) products: Vec<Product>,
    pub(crate) substitutions: Vec<Substitution>,
    pub(crate) next_tag: u32,
    stop: Stop,
    fuel: u32,
    budget: usize,
}

impl Manager {
    /// An empty store that polls `stop` and takes at most `budget` bytes.
    pub fn new(stop: Stop, budget: Option<u64>) -> Self {
        let terminal = Node { level: BOTTOM, low: 0, high: 0 };
        Self {
            nodes: vec![terminal],
            unique: Unique::new(1 << 10),
            free: 0,
            n_free: 0,
            peak: 1,
            collections: 0,
            cache: Cache::new(1 << 12),
            products: Vec::new(),
            substitutions: Vec::new(),
            next_tag: crate::cache::FIRST_FREE_TAG,
            stop,
            fuel: POLL,
            budget: budget.map_or(usize::MAX, |bytes| usize::try_from(bytes).unwrap_or(usize::MAX)),
        }
    }

    /// The diagram of one variable.
    pub fn variable(&mut self, level: Level) -> Result<Bdd, Exhausted> {
        self.make(level, Bdd::FALSE, Bdd::TRUE)
    }

    /// Nodes in the store, the terminal and garbage included.
    pub fn n_nodes(&self) -> usize {
        self.nodes.len() - self.n_free
    }

    /// The most nodes there ever were.
    pub fn peak_nodes(&self) -> usize {
        self.peak.max(self.n_nodes())
    }

    /// How often [`Manager::collect`] ran.
    pub fn n_collections(&self) -> u64 {
        self.collections
    }

    /// Bytes taken by nodes, unique table and cache.
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>() + self.unique.bytes() + self.cache.bytes()
    }

    /// The level of the root; `None` for constants.
    pub fn level(&self, f: Bdd) -> Option<Level> {
        (!f.is_constant()).then(|| self.nodes[f.node()].level)
    }

    /// The two children of a diagram that is not constant.
    pub fn children(&self, f: Bdd) -> (Bdd, Bdd) {
        let node = self.nodes[f.node()];
        (Bdd(node.low ^ f.sign()), Bdd(node.high ^ f.sign()))
    }

    /// The children with respect to `level`: the diagram itself twice if its root lies below.
    #[inline]
    pub(crate) fn split(&self, f: Bdd, level: Level) -> (Bdd, Bdd) {
        let node = &self.nodes[f.node()];
        if node.level == level { (Bdd(node.low ^ f.sign()), Bdd(node.high ^ f.sign())) } else { (f, f) }
    }

    #[inline]
    pub(crate) fn level_of(&self, f: Bdd) -> Level {
        self.nodes[f.node()].level
    }

    /// The unique node with these children.
    #[inline]
    pub(crate) fn make(&mut self, level: Level, low: Bdd, high: Bdd) -> Result<Bdd, Exhausted> {
        if low == high {
            return Ok(low);
        }
        let sign = high.sign();
        let node = Node { level, low: low.0 ^ sign, high: high.0 ^ sign };
        let at = match self.unique.find(&node, &self.nodes) {
            Ok(at) => at,
            Err(place) => self.insert(node, place)?,
        };
        Ok(Bdd(at << 1 | sign))
    }

    /// Puts a new node into the place that the unique table found for it.
    fn insert(&mut self, node: Node, place: Place) -> Result<u32, Exhausted> {
        self.poll()?;
        if self.free != 0 {
            let at = self.free;
            self.free = self.nodes[at as usize].low;
            self.n_free -= 1;
            self.nodes[at as usize] = node;
            self.unique.fill(place, at);
            return Ok(at);
        }
        let at = self.nodes.len() as u32;
        let place = if self.nodes.len() == self.nodes.capacity() { self.grow(&node)? } else { place };
        self.nodes.push(node);
        self.unique.fill(place, at);
        Ok(at)
    }

    /// Counts a unit of work and looks at the stop flag from time to time.
    #[inline]
    pub(crate) fn poll(&mut self) -> Result<(), Exhausted> {
        self.fuel -= 1;
        if self.fuel > 0 {
            return Ok(());
        }
        self.fuel = POLL;
        self.stop.requested().map_or(Ok(()), |reason| Err(Exhausted(reason)))
    }

    /// Enlarges the node store, and with it the unique table and the cache, within the budget. Answers where the
    /// node that did not fit belongs now.
    #[cold]
    fn grow(&mut self, node: &Node) -> Result<Place, Exhausted> {
        let old = self.nodes.capacity().max(1 << 10);
        let limit = 1usize << 30;
        for new in [old * 2, old + old / 4] {
            let slots = Unique::slots_for(new);
            let cache = self.cache.size_for(new);
            let bytes = new * size_of::<Node>() + Unique::bytes_of(slots) + Cache::bytes_of(cache);
            if new > limit || bytes > self.budget {
                continue;
            }
            self.nodes.reserve_exact(new - self.nodes.len());
            self.unique.resize(slots);
            self.cache.resize(cache);
            return Ok(self.unique.find(node, &self.nodes).expect_err("a node that is new stays new"));
        }
        Err(Exhausted(StopReason::Memory))
    }

    /// Frees every node that no root needs. All handles that are not below a root become invalid.
    pub fn collect(&mut self, roots: impl IntoIterator<Item = Bdd>) {
        self.peak = self.peak_nodes();
        self.collections += 1;
        let marks = self.mark(roots);
        let alive = |at: u32| marks[(at >> 6) as usize] >> (at & 63) & 1 != 0;
        self.cache.retain(|edge| alive(edge >> 1));
        self.unique.retain(alive);
        self.free = 0;
        self.n_free = 0;
        for at in (1..self.nodes.len()).rev() {
            if !alive(at as u32) {
                self.nodes[at] = Node { level: BOTTOM, low: self.free, high: 0 };
                self.free = at as u32;
                self.n_free += 1;
            }
        }
    }

    /// One bit for each node reachable from the roots.
    pub(crate) fn mark(&self, roots: impl IntoIterator<Item = Bdd>) -> Vec<u64> {
        let mut marks = vec![0u64; self.nodes.len() / 64 + 1];
        marks[0] = 1;
        let mut stack: Vec<u32> = Vec::new();
        for root in roots {
            stack.push(root.0 >> 1);
            while let Some(at) = stack.pop() {
                let (word, bit) = ((at >> 6) as usize, 1u64 << (at & 63));
                if marks[word] & bit == 0 {
                    marks[word] |= bit;
                    let node = &self.nodes[at as usize];
                    stack.push(node.low >> 1);
                    stack.push(node.high >> 1);
                }
            }
        }
        marks
    }
}

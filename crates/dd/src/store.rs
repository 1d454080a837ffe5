//! The node store: unique table, growth within a budget, collection.
//!
//! Invariant: a node's `high` edge is never complemented, its children lie on larger levels, no two live nodes
//! are equal. Node 0 is the terminal; the edge to it is `true`, its complement `false`.

use crate::allowance::Allowance;
use crate::cache::Cache;
use crate::memory::or_less;
use crate::product::Product;
use crate::substitute::Substitution;
use base::{Stop, StopReason};

/// A position in the variable order; level 0 is at the top.
pub type Level = u32;

/// The level of the terminal.
pub(crate) const BOTTOM: Level = u32::MAX;

/// A chain of the unique table that is longer than this asks for a wider [`Manager::bucket`].
const LONG_CHAIN: u32 = 32;

/// The most nodes: an edge has a bit for the complement.
const MOST_NODES: usize = 1 << 30;

/// What becomes of the tables beside the node store when it grows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beside {
    /// They grow as well.
    Grow,
    /// They stay as they are.
    Stay,
}

/// An operation ended before its result: out of time or memory, or interrupted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exhausted(pub StopReason);

/// An operation was stopped; the manager knows the reason. Recursions use it in place of [`Exhausted`] because a
/// result without a payload for the error travels in two registers.
#[derive(Clone, Copy)]
pub(crate) struct Halt;

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

#[derive(Clone, Copy)]
pub(crate) struct Node {
    pub level: Level,
    pub low: u32,
    pub high: u32,
    /// The next node of the same bucket, or of the free list; 0 ends the list.
    next: u32,
}

/// All diagrams of one variable order.
pub struct Manager {
    pub(crate) nodes: Vec<Node>,
    buckets: Vec<u32>,
    /// How far from its larger child a node's bucket may lie, see [`Manager::bucket`].
    spread: u32,
    free: u32,
    n_free: usize,
    peak: usize,
    collections: u64,
    pub(crate) cache: Cache,
    /// A product is absent while it runs.
    pub(crate) products: Vec<Option<Box<Product>>>,
    pub(crate) substitutions: Vec<Substitution>,
    pub(crate) next_tag: u32,
    allowance: Allowance,
}

impl Manager {
    /// An empty store that polls `stop` and takes at most `budget` bytes.
    pub fn new(stop: Stop, budget: Option<u64>) -> Self {
        let terminal = Node { level: BOTTOM, low: 0, high: 0, next: 0 };
        Self {
            nodes: vec![terminal],
            buckets: vec![0; 1 << 10],
            spread: 0x3F,
            free: 0,
            n_free: 0,
            peak: 1,
            collections: 0,
            cache: Cache::new(1 << 12),
            products: Vec::new(),
            substitutions: Vec::new(),
            next_tag: crate::cache::FIRST_FREE_TAG,
            allowance: Allowance::new(stop, budget),
        }
    }

    /// The diagram of one variable.
    pub fn variable(&mut self, level: Level) -> Result<Bdd, Exhausted> {
        self.make(level, Bdd::FALSE, Bdd::TRUE).map_err(|halt| self.explain(halt))
    }

    /// The reason of a halt, for the outside.
    #[cold]
    pub(crate) fn explain(&self, _: Halt) -> Exhausted {
        Exhausted(self.allowance.reason())
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
        self.nodes.capacity() * size_of::<Node>() + self.buckets.len() * 4 + self.cache.bytes()
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
    pub(crate) fn make(&mut self, level: Level, low: Bdd, high: Bdd) -> Result<Bdd, Halt> {
        if low == high {
            return Ok(low);
        }
        let sign = high.sign();
        let (low, high) = (low.0 ^ sign, high.0 ^ sign);
        let bucket = self.bucket(level, low, high);
        let mut at = self.buckets[bucket];
        let mut n_steps = 0;
        while at != 0 {
            let node = &self.nodes[at as usize];
            if node.level == level && node.low == low && node.high == high {
                return Ok(Bdd(at << 1 | sign));
            }
            at = node.next;
            n_steps += 1;
        }
        let at = self.insert(Node { level, low, high, next: 0 }, bucket, n_steps)?;
        Ok(Bdd(at << 1 | sign))
    }

    /// The bucket of a node lies near the number of its larger child. Recursions build parents right after their
    /// children, so buckets that are used one after the other share cache lines. `spread` bounds the distance.
    #[inline]
    fn bucket(&self, level: Level, low: u32, high: u32) -> usize {
        let (larger, other) = (low.max(high), low.min(high));
        let distance = (crate::cache::mix(level, other, larger & 1) & self.spread).wrapping_mul(16);
        (larger >> 1).wrapping_add(distance) as usize & (self.buckets.len() - 1)
    }

    fn insert(&mut self, mut node: Node, bucket: usize, n_steps: u32) -> Result<u32, Halt> {
        self.poll()?;
        let mut bucket = bucket;
        if n_steps > LONG_CHAIN && self.spread < u32::MAX {
            // Many nodes share their larger child: their buckets need more room.
            self.spread = self.spread << 2 | 3;
            self.relink();
            bucket = self.bucket(node.level, node.low, node.high);
        }
        if self.free == 0 && self.nodes.len() == self.nodes.capacity() {
            self.grow()?;
            bucket = self.bucket(node.level, node.low, node.high);
        }
        node.next = self.buckets[bucket];
        let at = if self.free != 0 {
            let at = self.free;
            self.free = self.nodes[at as usize].next;
            self.n_free -= 1;
            self.nodes[at as usize] = node;
            at
        } else {
            let at = self.nodes.len() as u32;
            self.nodes.push(node);
            at
        };
        self.buckets[bucket] = at;
        Ok(at)
    }

    /// Units of work so far: nodes that were made and results that were computed. The same in every run, unlike time.
    pub fn work(&self) -> u64 {
        self.allowance.work()
    }

    /// Operations end once so many units of work have been done in all.
    pub fn grant(&mut self, work: u64) {
        self.allowance.grant(work);
    }

    /// Counts work that is done outside.
    pub fn spend(&mut self, units: u32) -> Result<(), Exhausted> {
        self.allowance.skip(units);
        self.poll().map_err(|halt| self.explain(halt))
    }

    /// Counts a unit of work and looks at the stop flag from time to time.
    #[inline]
    pub(crate) fn poll(&mut self) -> Result<(), Halt> {
        if self.allowance.count() { self.look_around() } else { Ok(()) }
    }

    /// Lets the cache grow if it should, and looks at the stop flag.
    #[cold]
    fn look_around(&mut self) -> Result<(), Halt> {
        // While the entries move, both tables are there.
        if let Some(size) = self.cache.larger_size(self.nodes.capacity())
            && self.allowance.allows(self.bytes() + Cache::bytes_of(size))
        {
            self.cache.resize(size);
        }
        self.allowance.look()
    }

    /// Enlarges the node store, and with it the unique table and the cache, within the budget. Near the budget the store
    /// grows by less, and the tables beside it stay as they are: chains become longer and results are forgotten earlier, but the
    /// memory that is left goes to nodes.
    #[cold]
    fn grow(&mut self) -> Result<(), Halt> {
        let old = self.nodes.capacity().max(1 << 10);
        for (new, beside) in [
            (old * 2, Beside::Grow),
            (old + old / 4, Beside::Grow),
            (old + old / 4, Beside::Stay),
            (old + old / 16, Beside::Stay),
            (old + old / 64, Beside::Stay),
        ] {
            if self.grow_to(new, beside).is_some() {
                return Ok(());
            }
        }
        Err(self.allowance.halt(StopReason::Memory))
    }

    /// Enlarges the store to so many nodes; `None` if the budget or the system does not grant it, and then nothing is lost.
    fn grow_to(&mut self, n_nodes: usize, beside: Beside) -> Option<()> {
        let (buckets, cache) = match beside {
            Beside::Grow => (n_nodes.next_power_of_two(), self.cache.size_for(n_nodes)),
            Beside::Stay => (self.buckets.len(), self.cache.len()),
        };
        // While the entries of the cache move, both tables are there.
        let moving = if cache > self.cache.len() { self.cache.bytes() } else { 0 };
        let bytes = n_nodes * size_of::<Node>() + buckets * 4 + Cache::bytes_of(cache);
        if n_nodes > MOST_NODES || !self.allowance.allows(bytes + moving) {
            return None;
        }
        let more = n_nodes - self.nodes.len();
        or_less(|| self.nodes.try_reserve_exact(more)).ok()?;
        if buckets > self.buckets.len() && self.widen(buckets) {
            self.relink();
        }
        self.cache.resize(cache);
        Some(())
    }

    /// Makes room for so many buckets, which are empty then; keeps those there are if the system grants no more.
    fn widen(&mut self, n_buckets: usize) -> bool {
        let more = n_buckets - self.buckets.len();
        let is_granted = or_less(|| self.buckets.try_reserve_exact(more)).is_ok();
        if is_granted {
            self.buckets.resize(n_buckets, 0);
        }
        is_granted
    }

    /// Frees every node that no root needs. All handles that are not below a root become invalid.
    pub fn collect(&mut self, roots: impl IntoIterator<Item = Bdd>) {
        self.peak = self.peak_nodes();
        self.collections += 1;
        let marks = self.mark(roots);
        let alive = |edge: u32| marks[(edge >> 7) as usize] >> (edge >> 1 & 63) & 1 != 0;
        self.cache.retain(alive);
        self.free = 0;
        self.n_free = 0;
        for at in (1..self.nodes.len()).rev() {
            if marks[at >> 6] >> (at & 63) & 1 == 0 {
                self.nodes[at] = Node { level: BOTTOM, low: 0, high: 0, next: self.free };
                self.free = at as u32;
                self.n_free += 1;
            }
        }
        self.relink();
    }

    /// Puts every live node into its bucket again; the free list keeps its own links.
    fn relink(&mut self) {
        self.buckets.fill(0);
        for at in 1..self.nodes.len() {
            let Node { level, low, high, .. } = self.nodes[at];
            if level != BOTTOM {
                let bucket = self.bucket(level, low, high);
                self.nodes[at].next = self.buckets[bucket];
                self.buckets[bucket] = at as u32;
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

//! Which bits want to be near each other: those that meet in a sub-expression, an assignment, an argument or a result.

use crate::slots::Bit;
use rsm::{Action, Edge, Expr, Mentioned, Module, ModuleId, Operation, Place, Reduced, Rsm};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Larger sets say nothing about who is near whom.
const MOST_VARIABLES: usize = 24;

/// A variable or a result of a module, by the number of its first bit, and how many bits it has.
type Word = (u32, u32);

/// A set of words; `None` if it is too large to matter.
type Support = Option<SmallVec<[Word; 6]>>;

/// Sets of bits, each with its weight.
#[derive(Debug, Default)]
pub(crate) struct Affinity {
    sets: FxHashMap<SmallVec<[u32; 6]>, f32>,
}

/// The targets of a parallel assignment want to be near each other if they are no more than this: what is assigned together is
/// compared later, and otherwise each would be drawn to its own value, away from the others.
const MOST_TARGETS: usize = 4;

/// With more functions than this, if all their variables are Boolean, the n-th local bits of all functions count as one: that is
/// quicker to arrange and takes fewer slots, and no arrangement suits them all anyway.
const MOST_FUNCTIONS: usize = 16;

/// The numbers of all bits: those of globals first, then those of the functions.
pub(crate) struct Bits<'r> {
    pub rsm: &'r Rsm,
    /// Who has bits at all.
    mentioned: &'r Mentioned,
    globals: Vec<u32>,
    locals: Vec<Vec<u32>>,
    results: Vec<Vec<u32>>,
    /// What each number stands for.
    pub all: Vec<Bit>,
}

/// How the local bits of functions are numbered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Positions {
    /// Each has a number of its own.
    Own,
    /// The n-th of those that are mentioned count as one in all functions.
    OfMentioned,
    /// The n-th of all count as one in all functions.
    OfAll,
}

impl Positions {
    /// What suits a program.
    pub fn of(rsm: &Rsm) -> Self {
        let is_bit = |module: &Module| {
            let locals = module.locals.iter().map(|variable| &variable.ty);
            locals.chain(&module.results).all(|ty| ty.n_bits() <= 1)
        };
        match rsm.modules.len() > MOST_FUNCTIONS && rsm.modules.iter().all(is_bit) {
            true => Self::OfMentioned,
            false => Self::Own,
        }
    }
}

impl<'r> Bits<'r> {
    pub fn new(rsm: &'r Rsm, mentioned: &'r Mentioned, positions: Positions) -> Self {
        let mut this = Self { rsm, mentioned, globals: vec![], locals: vec![], results: vec![], all: vec![] };
        for variable in 0..rsm.globals.len() as u32 {
            let n_bits = this.n_bits(rsm.main, Place::Global(variable));
            let first = this.add(n_bits, |bit| Bit::Global { variable, bit });
            this.globals.push(first);
        }
        let first_local = this.all.len() as u32;
        for (m, module) in rsm.modules.iter().enumerate() {
            let m = ModuleId::new(m);
            if positions != Positions::Own {
                this.share(m, first_local, positions);
                continue;
            }
            let mut locals = Vec::with_capacity(module.locals.len());
            for variable in 0..module.locals.len() as u32 {
                let n_bits = this.n_bits(m, Place::Local(variable));
                locals.push(this.add(n_bits, |bit| Bit::Local { module: m, variable, bit }));
            }
            let mut results = Vec::with_capacity(module.results.len());
            for (n, ty) in module.results.iter().enumerate() {
                results.push(this.add(ty.n_bits(), |bit| Bit::Result { module: m, result: n as u32, bit }));
            }
            this.locals.push(locals);
            this.results.push(results);
        }
        this
    }

    /// Numbers the bits of a function's locals and results by their position in it.
    fn share(&mut self, m: ModuleId, first_local: u32, positions: Positions) {
        let module = self.rsm.module(m);
        let mut next = first_local;
        let mut number = |n_bits: u32| {
            next += n_bits;
            next - n_bits
        };
        let n_bits = |n: u32| match positions {
            Positions::OfAll => module.locals[n as usize].ty.n_bits(),
            _ => self.n_bits(m, Place::Local(n)),
        };
        let locals = (0..module.locals.len() as u32).map(|n| number(n_bits(n))).collect();
        let results = module.results.iter().map(|ty| number(ty.n_bits())).collect();
        self.locals.push(locals);
        self.results.push(results);
        for position in self.all.len() as u32..next {
            self.all.push(Bit::Shared(position - first_local));
        }
    }

    fn add(&mut self, n_bits: u32, make: impl Fn(u32) -> Bit) -> u32 {
        let first = self.all.len() as u32;
        self.all.extend((0..n_bits).map(make));
        first
    }

    /// Which numbers stand for a bit of some variable that is mentioned, or of a result.
    pub fn with_slots(&self) -> Vec<bool> {
        let mut has_slot = vec![false; self.all.len()];
        let mut note = |(first, n_bits): Word| has_slot[first as usize..][..n_bits as usize].fill(true);
        (0..self.rsm.globals.len() as u32).for_each(|n| note(self.place(self.rsm.main, Place::Global(n))));
        for (m, module) in self.rsm.modules.iter().enumerate() {
            let m = ModuleId::new(m);
            (0..module.locals.len() as u32).for_each(|n| note(self.place(m, Place::Local(n))));
            (0..module.results.len()).for_each(|n| note(self.result(m, n)));
        }
        has_slot
    }

    /// How many bits of a variable have numbers.
    pub fn n_bits(&self, module: ModuleId, place: Place) -> u32 {
        if self.mentioned.has(module, place) { self.rsm.variable(module, place).ty.n_bits() } else { 0 }
    }

    /// The number of the first bit of a variable, and how many it has.
    pub fn place(&self, module: ModuleId, place: Place) -> Word {
        let first = match place {
            Place::Global(n) => self.globals[n as usize],
            Place::Local(n) => self.locals[module.index()][n as usize],
        };
        (first, self.n_bits(module, place))
    }

    /// The same for a result.
    pub fn result(&self, module: ModuleId, n: usize) -> Word {
        (self.results[module.index()][n], self.rsm.module(module).results[n].n_bits())
    }
}

impl Affinity {
    /// Collects what the used part of a program says.
    pub fn new(bits: &Bits, reduced: &Reduced) -> Self {
        let mut this = Self::default();
        for (m, (module, part)) in bits.rsm.modules.iter().zip(&reduced.modules).enumerate() {
            let m = ModuleId::new(m);
            for block in &part.blocks {
                for &edge in &block.path {
                    this.edge(bits, m, module.edge(edge));
                }
            }
            this.whole_words(bits, m, module);
            if let Some(enforce) = &module.enforce {
                this.support(bits, m, enforce);
            }
        }
        for init in &bits.rsm.init {
            this.support(bits, bits.rsm.main, init);
        }
        for n in 0..bits.rsm.globals.len() {
            this.word(bits.place(bits.rsm.main, Place::Global(n as u32)));
        }
        this
    }

    /// The sets with their weights, in a fixed order.
    pub fn into_sets(self) -> Vec<(SmallVec<[u32; 6]>, f32)> {
        let mut sets: Vec<_> = self.sets.into_iter().collect();
        for (set, weight) in &mut sets {
            let others = set.len() as f32 - 1.0;
            *weight = weight.sqrt() / (others * others);
        }
        sets.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        sets
    }

    fn whole_words(&mut self, bits: &Bits, m: ModuleId, module: &Module) {
        for n in 0..module.locals.len() {
            self.word(bits.place(m, Place::Local(n as u32)));
        }
        for n in 0..module.results.len() {
            self.word(bits.result(m, n));
        }
    }

    /// The bits of one word, each beside the next.
    fn word(&mut self, (first, n_bits): Word) {
        for bit in 1..n_bits {
            self.add([first + bit - 1, first + bit].into_iter().collect(), 0.25);
        }
    }

    fn edge(&mut self, bits: &Bits, m: ModuleId, edge: &Edge) {
        match &edge.action {
            Action::Skip => {}
            Action::Assume(expr) | Action::Assert(expr) => {
                self.support(bits, m, expr);
            }
            Action::Assign { targets, values, constrain } => {
                if targets.len() <= MOST_TARGETS {
                    let words: SmallVec<[Word; 6]> =
                        targets.iter().map(|target| bits.place(m, *target)).collect();
                    self.meet(&words, 2.0);
                }
                for (target, value) in targets.iter().zip(values) {
                    self.stored(bits, m, bits.place(m, *target), value);
                }
                if let Some(constrain) = constrain {
                    self.support(bits, m, constrain);
                }
            }
            Action::Call { callee, args, results } => {
                for (n, arg) in args.iter().enumerate() {
                    self.stored(bits, m, bits.place(*callee, Place::Local(n as u32)), arg);
                }
                for (n, result) in results.iter().enumerate() {
                    if let Some(place) = result {
                        self.meet(&[bits.place(m, *place), bits.result(*callee, n)], 1.0);
                    }
                }
            }
            Action::Return { values } => {
                for (n, value) in values.iter().enumerate() {
                    self.stored(bits, m, bits.result(m, n), value);
                }
            }
        }
    }

    /// A value goes to a place.
    fn stored(&mut self, bits: &Bits, m: ModuleId, target: Word, value: &Expr) {
        if let Some(mut words) = self.support(bits, m, value) {
            insert(&mut words, target);
            self.meet(&words, 2.0);
        }
    }

    /// The variables of an expression; its sub-expressions are noted on the way.
    fn support(&mut self, bits: &Bits, m: ModuleId, expr: &Expr) -> Support {
        let mut stack: Vec<Support> = Vec::new();
        for term in &expr.code {
            let n_operands = match term.operation {
                Operation::Constant(_) | Operation::Choice(_) => {
                    stack.push(Some(SmallVec::new()));
                    continue;
                }
                Operation::Read(place) | Operation::ReadNext(place) => {
                    stack.push(Some([bits.place(m, place)].into_iter().collect()));
                    continue;
                }
                Operation::Not | Operation::Negate => continue,
                Operation::Binary(_) | Operation::Schoose => 2,
                Operation::Conditional => 3,
            };
            let operands = stack.split_off(stack.len() - n_operands);
            let union = operands.into_iter().reduce(union).flatten();
            if let Some(words) = &union {
                self.meet(words, 1.0);
            }
            stack.push(union);
        }
        stack.pop().flatten()
    }

    /// Words meet bit by bit; a word among Booleans is met at its lowest bit.
    fn meet(&mut self, words: &[Word], weight: f32) {
        let width = words.iter().map(|w| w.1).max().unwrap_or(0);
        for bit in 0..width {
            let set: SmallVec<[u32; 6]> =
                words.iter().filter(|w| bit < w.1).map(|(first, _)| first + bit).collect();
            self.add(set, weight);
        }
    }

    fn add(&mut self, mut set: SmallVec<[u32; 6]>, weight: f32) {
        set.sort_unstable();
        if set.len() > 1 {
            *self.sets.entry(set).or_insert(0.0) += weight;
        }
    }
}

fn insert(words: &mut SmallVec<[Word; 6]>, word: Word) {
    if !words.contains(&word) {
        words.push(word);
    }
}

fn union(a: Support, b: Support) -> Support {
    let (mut a, b) = (a?, b?);
    b.into_iter().for_each(|word| insert(&mut a, word));
    (a.len() <= MOST_VARIABLES).then_some(a)
}

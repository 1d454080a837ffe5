//! The steps between concrete states that are known to be in a program, and that a run may be made of: the facts at the leaves of a derivation,
//! or what a search has found.

use calculus::system::System;
use rsm::ModuleId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use solver::Explanation;
use templates::{Role, Templates, Vocabulary};

base::index_type! {
    /// A state of a derivation.
    StateId;
}

/// A state as the templates have it: bits that do not matter at its point have any value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct TemplateState {
    pub module: ModuleId,
    pub counter: u32,
    /// Local slots, then global slots, packed.
    bits: SmallVec<[u64; 2]>,
    n_bits: usize,
    n_locals: usize,
}

impl TemplateState {
    pub fn new(values: &[u32], templates: &Templates) -> Self {
        let n_bits = values.len() - 2;
        let mut bits: SmallVec<[u64; 2]> = SmallVec::from_elem(0, n_bits.div_ceil(64));
        for (at, value) in values[2..].iter().enumerate() {
            bits[at / 64] |= u64::from(*value == 1) << (at % 64);
        }
        let n_locals = templates.slots.n_locals as usize;
        Self { module: ModuleId(values[0]), counter: values[1], bits, n_bits, n_locals }
    }

    /// The values of its columns.
    pub fn columns(&self) -> impl Iterator<Item = u32> {
        [self.module.0, self.counter].into_iter().chain((0..self.n_bits).map(|at| u32::from(self.bit(at))))
    }

    fn bit(&self, at: usize) -> bool {
        self.bits[at / 64] >> (at % 64) & 1 == 1
    }

    /// The value in some local slots, the lowest bit first.
    pub fn local(&self, slots: &[u32]) -> u64 {
        word(slots, |slot| self.bit(slot))
    }

    /// The value in some global slots.
    pub fn global(&self, slots: &[u32]) -> u64 {
        word(slots, |slot| self.bit(self.n_locals + slot))
    }
}

fn word(slots: &[u32], bit: impl Fn(usize) -> bool) -> u64 {
    slots.iter().enumerate().map(|(n, slot)| u64::from(bit(*slot as usize)) << n).sum()
}

/// The steps that a run may be made of.
#[derive(Debug, Default)]
pub struct KnownSteps {
    states: Vec<TemplateState>,
    numbers: FxHashMap<TemplateState, StateId>,
    /// Where runs begin.
    pub(crate) initial: Vec<StateId>,
    /// Where they may lead.
    pub targets: Vec<StateId>,
    /// Steps inside a function.
    pub(crate) steps: Vec<(StateId, StateId)>,
    /// Calls and the entries they lead to.
    pub(crate) calls: Vec<(StateId, StateId)>,
    /// A call, the exit it is left at, and the state after it.
    pub(crate) returns: Vec<(StateId, StateId, StateId)>,
}

impl KnownSteps {
    /// Those that a derivation uses.
    pub fn new(system: &System, words: &Vocabulary, templates: &Templates, derivation: &Explanation) -> Self {
        let mut known = Self::default();
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for step in &derivation.steps {
            let Some(template) = words.of_relation(step.relation) else { continue };
            if !template.others.is_empty() {
                continue;
            }
            let width = 2 + (templates.slots.n_locals + templates.slots.n_globals) as usize;
            debug_assert_eq!(step.tuple.len(), system.relation(step.relation).columns.len());
            let states: SmallVec<[StateId; 3]> = step
                .tuple
                .chunks(width)
                .map(|values| known.number(TemplateState::new(values, templates)))
                .collect();
            match (template.role, &states[..]) {
                (Role::Step, &[x, v]) => known.steps.push((x, v)),
                (Role::Call, &[x, y]) => known.calls.push((x, y)),
                (Role::Return, &[x, z, v]) => known.returns.push((x, z, v)),
                (Role::Around, &[x, v]) => before.push((x, v)),
                (Role::Return, &[z, v]) => after.push((z, v)),
                (Role::Start, &[u]) => known.initial.push(u),
                (Role::Target, &[v]) => known.targets.push(v),
                _ => {}
            }
        }
        known.join_halves(&before, &after);
        known
    }

    pub(crate) fn number(&mut self, state: TemplateState) -> StateId {
        if let Some(id) = self.numbers.get(&state) {
            return *id;
        }
        let id = StateId::new(self.states.len());
        self.numbers.insert(state.clone(), id);
        self.states.push(state);
        id
    }

    /// Both halves of a return speak of the same state after it.
    fn join_halves(&mut self, before: &[(StateId, StateId)], after: &[(StateId, StateId)]) {
        let mut exits: FxHashMap<StateId, Vec<StateId>> = FxHashMap::default();
        for &(z, v) in after {
            exits.entry(v).or_default().push(z);
        }
        for &(x, v) in before {
            for &z in exits.get(&v).into_iter().flatten() {
                self.returns.push((x, z, v));
            }
        }
    }

    pub(crate) fn state(&self, id: StateId) -> &TemplateState {
        &self.states[id.index()]
    }
}

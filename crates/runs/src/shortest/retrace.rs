//! From the end of the cheapest run back to its start: concrete states out of the layers.
//!
//! A layer knows from which others it was made, so the predecessor of a pair is looked for in those only, and
//! all costs add up. Runs of a function from the same entry to the same exit are made once.

use super::layers::{LayerId, Origin};
use super::search::{End, Search};
use super::{ShortestError, Stuck};
use crate::known_steps::{KnownSteps, StateId, TemplateState};
use crate::way::{Way, WayRun, WayStep};
use dd::{Bdd, Exhausted, Level, Map, ProductId};
use rsm::ModuleId;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use symbolic::SlotIndex;
use symbolic::network::{CallId, PointId, slot_of_level};
use templates::Templates;

/// With more states than this a way is not written down.
const MAX_STATES: usize = 1 << 21;

/// The way of the cheapest run through the templates.
pub(super) struct Cheapest {
    pub cost: u128,
    pub known: KnownSteps,
    pub way: Way,
}

/// Bits with their values, sorted where they are looked up.
type Cube = Vec<(Level, bool)>;

/// A concrete pair in a layer.
struct Pair {
    point: PointId,
    layer: LayerId,
    /// The copies of the entry.
    entry: Cube,
    /// The state now.
    now: Cube,
}

/// A call with the run of the callee, found backwards.
struct Found {
    caller: Cube,
    run: usize,
}

struct Retrace<'s, 'n, 't, 'r> {
    search: &'s mut Search<'n>,
    templates: &'t Templates<'r>,
    known: KnownSteps,
    runs: Vec<Option<WayRun>>,
    /// The runs of callees, by their entry and their exit.
    numbers: FxHashMap<(StateId, StateId), usize>,
    /// Runs that are not made yet.
    pending: Vec<(usize, Pair)>,
    /// The bits that states at points are about.
    bits: FxHashMap<PointId, Rc<[Level]>>,
    /// The products that move pairs at a callee's exit to where they meet the glue of a call.
    carries: FxHashMap<CallId, ProductId>,
    n_states: usize,
}

/// The way to the end of a search.
pub(super) fn way(search: &mut Search, templates: &Templates, end: End) -> Result<Cheapest, Stuck> {
    let mut retrace = Retrace {
        search,
        templates,
        known: KnownSteps::default(),
        runs: Vec::new(),
        numbers: FxHashMap::default(),
        pending: Vec::new(),
        bits: FxHashMap::default(),
        carries: FxHashMap::default(),
        n_states: 0,
    };
    let cost = end.cost;
    let open = retrace.chain(end)?;
    while let Some((number, pair)) = retrace.pending.pop() {
        let (run, _) = retrace.run(pair)?;
        retrace.runs[number] = Some(run);
    }
    let runs = retrace.runs.into_iter().map(|run| run.expect("no run is pending")).collect();
    Ok(Cheapest { cost, known: retrace.known, way: Way { runs, open, head: None } })
}

impl Retrace<'_, '_, '_, '_> {
    /// The runs that are open at the end, from the first to the last.
    fn chain(&mut self, end: End) -> Result<Vec<usize>, Stuck> {
        let network = self.search.network;
        let goal = network.points[end.point.index()].goal;
        let mut entries = end.entries;
        let states = [goal, self.states(entries), self.states(end.pairs)];
        let picked = self.pick(&[], states)?.expect("the end of the search is reached");
        let mut pair = self.pair(end.point, end.pairs, &picked);
        let mut open = Vec::new();
        loop {
            let (run, entry) = self.run(pair)?;
            open.push(self.runs.len());
            self.runs.push(Some(run));
            match self.caller(entries, &entry)? {
                None => break,
                Some((before, caller)) => (entries, pair) = (before, caller),
            }
        }
        open.reverse();
        Ok(open)
    }

    /// The entries and the pair from which a call gets to an entry; `None` if the program starts there.
    fn caller(&mut self, entered: LayerId, entry: &Cube) -> Result<Option<(LayerId, Pair)>, Exhausted> {
        let network = self.search.network;
        for n in 0..self.search.layers[entered.index()].origins.len() {
            let origin = self.search.layers[entered.index()].origins[n];
            let Origin::Enter { call, entries, pairs } = origin else { return Ok(None) };
            let call = &network.calls[call.index()];
            let bits = &network.modules[call.callee.index()].entry_bits;
            let across = network.moves_in(call.amount);
            let wanted: Cube =
                bits.iter().map(|&(now, then)| (across.apply(then), value(entry, now))).collect();
            let states = [self.states(entries), self.states(pairs), call.arguments];
            if let Some(picked) = self.pick(&wanted, states)? {
                return Ok(Some((entries, self.pair(call.from, pairs, &picked))));
            }
        }
        panic!("an entry of a layer has an origin");
    }

    /// The run of a function to a pair, and its entry.
    fn run(&mut self, mut pair: Pair) -> Result<(WayRun, Cube), Stuck> {
        let mut steps = Vec::new();
        loop {
            self.n_states += 1;
            if self.n_states > MAX_STATES {
                return Err(ShortestError::TooManyStates.into());
            }
            self.search.collect();
            let here = self.state(pair.point, &pair.now);
            let Some((before, run)) = self.before(&pair)? else {
                steps.reverse();
                return Ok((WayRun { entry: here, steps }, pair.now));
            };
            steps.push(match run {
                None => WayStep::Step(here),
                Some(run) => WayStep::Call { run, after: here },
            });
            pair = before;
        }
    }

    /// The pair before a pair, and the run of the callee if there is a call in between; `None` at the entry.
    fn before(&mut self, pair: &Pair) -> Result<Option<(Pair, Option<usize>)>, Exhausted> {
        let network = self.search.network;
        for n in 0..self.search.layers[pair.layer.index()].origins.len() {
            match self.search.layers[pair.layer.index()].origins[n] {
                Origin::Step(step, layer) => {
                    let step = &network.steps[step.index()];
                    let still = Map::default();
                    let moves = step.image.map_or(&still, |image| network.moves_out(image));
                    let wanted = wanted(pair, |level| moves.unapply(level));
                    let states = [self.states(layer), step.relation, Bdd::TRUE];
                    if let Some(picked) = self.pick(&wanted, states)? {
                        return Ok(Some((self.pair(step.from, layer, &picked), None)));
                    }
                }
                Origin::Return { call, caller, amount } => {
                    let callee = self.search.amounts[call.index()][amount as usize].callee;
                    if let Some(Found { caller: picked, run }) = self.come_from(pair, call, caller, callee)? {
                        let call = &network.calls[call.index()];
                        return Ok(Some((self.pair(call.from, caller, &picked), Some(run))));
                    }
                }
                _ => return Ok(None),
            }
        }
        panic!("a pair of a layer has an origin");
    }

    /// The bits of the caller at a call after which it is at a pair, and the run of the callee.
    fn come_from(
        &mut self,
        pair: &Pair,
        id: CallId,
        caller: LayerId,
        callee: LayerId,
    ) -> Result<Option<Found>, Exhausted> {
        let network = self.search.network;
        let states = self.states(callee);
        let call = &network.calls[id.index()];
        let dd = &mut self.search.dd;
        let carry = *self.carries.entry(id).or_insert_with(|| network.carry(dd, call.amount));
        let carried = dd.product(Bdd::TRUE, states, carry)?;
        let wanted = wanted(pair, |level| network.moves_out(call.image).unapply(level));
        let Some(picked) = self.pick(&wanted, [self.states(caller), call.glue, carried])? else {
            return Ok(None);
        };
        let module = &network.modules[call.callee.index()];
        let across = network.moves_in(call.amount);
        let read = |level: Level| value(&picked, across.apply(level));
        let entry: Cube = module.copied.iter().map(|&level| (level, read(level))).collect();
        let start: Cube = module.entry_bits.iter().map(|&(now, then)| (now, read(then))).collect();
        let bits = self.bits(module.exit);
        let now: Cube = bits.iter().map(|&level| (level, read(level))).collect();
        let key = (self.state(module.entry, &start), self.state(module.exit, &now));
        let run = match self.numbers.get(&key) {
            Some(run) => *run,
            None => {
                let run = self.runs.len();
                self.runs.push(None);
                self.numbers.insert(key, run);
                self.pending.push((run, Pair { point: module.exit, layer: callee, entry, now }));
                run
            }
        };
        Ok(Some(Found { caller: picked, run }))
    }

    fn states(&self, layer: LayerId) -> Bdd {
        self.search.layers[layer.index()].states
    }

    /// Some values, sorted by level, that are in all sets and agree with what is wanted.
    fn pick(&mut self, wanted: &[(Level, bool)], sets: [Bdd; 3]) -> Result<Option<Cube>, Exhausted> {
        let dd = &mut self.search.dd;
        let mut found = dd.cube(wanted.iter().copied())?;
        for set in sets {
            found = dd.and(found, set)?;
        }
        Ok(dd.pick(found))
    }

    /// The pair of a layer that some values are. A value that is not among them does not matter.
    fn pair(&mut self, point: PointId, layer: LayerId, picked: &Cube) -> Pair {
        let network = self.search.network;
        let module = network.points[point.index()].module;
        let read = |levels: &[Level]| levels.iter().map(|&level| (level, value(picked, level))).collect();
        let now = read(&self.bits(point));
        Pair { point, layer, entry: read(&network.modules[module.index()].copied), now }
    }

    /// The bits that states at a point are about, sorted.
    fn bits(&mut self, point: PointId) -> Rc<[Level]> {
        let (network, templates) = (self.search.network, self.templates);
        self.bits.entry(point).or_insert_with(|| network.bits(templates, point).into()).clone()
    }

    fn state(&mut self, point: PointId, now: &Cube) -> StateId {
        let about = &self.search.network.points[point.index()];
        self.known.number(template_state(self.templates, about.module, about.counter, now))
    }
}

/// The state that some bits are; the others are false.
fn template_state(
    templates: &Templates,
    module: ModuleId,
    counter: u32,
    bits: &[(Level, bool)],
) -> TemplateState {
    let slots = &templates.slots;
    let mut values = vec![0; 2 + (slots.n_locals + slots.n_globals) as usize];
    (values[0], values[1]) = (module.0, counter);
    for &(level, value) in bits {
        let slot = match slot_of_level(slots, level) {
            SlotIndex::Local(n) => n,
            SlotIndex::Global(n) => slots.n_locals + n,
        };
        values[2 + slot as usize] = u32::from(value);
    }
    TemplateState::new(&values, templates)
}

/// A pair as it must be after a step or a call: what was assigned stands where it was assigned.
fn wanted(pair: &Pair, origin: impl Fn(Level) -> Level) -> Cube {
    let now = pair.now.iter().map(|&(level, value)| (origin(level), value));
    pair.entry.iter().copied().chain(now).collect()
}

/// The value of a bit; false if it does not matter.
fn value(bits: &[(Level, bool)], level: Level) -> bool {
    bits.binary_search_by_key(&level, |bit| bit.0).is_ok_and(|at| bits[at].1)
}

//! The search: layers of pairs and of entries in the order of their costs (Knuth's generalisation of Dijkstra's algorithm).
//!
//! All entries that runs get to start at cost 0, so the cost of a pair does not depend on how its entry is reached. What a
//! rule derives costs at least what each of its premises costs; so when something is taken from the queue everything
//! cheaper is known, and the first goal that is taken is the cheapest.
//!
//! ```text
//! START   Pair(e, e) at 0           :- Reach(e).
//! STEP    Pair(e, v) at a + length  :- Pair(e, u) at a, Within(u, v).
//! RETURN  Pair(e, v) at a + 1 + b   :- Pair(e, u) at a, Entering(u, f), Pair(f, x) at b, Returning(u, x, v).
//! CALL    Entered(f) at d + a + 1   :- Entered(e) at d, Pair(e, u) at a, Entering(u, f).
//! GOAL    Goal at d + a             :- Entered(e) at d, Pair(e, v) at a, Target(v).
//! ```
//!
//! The queue holds premises; a diagram is made only when its cost is due.

use super::layers::{Amount, Destination, Layer, LayerId, Origin};
use super::queue::Queue;
use super::{ShortestError, Stuck};
use base::{Gauge, Stop};
use dd::{Bdd, Exhausted, Manager};
use rsm::ModuleId;
use solver::Settings;
use std::sync::Arc;
use symbolic::network::{CallId, Network, PointId, StepId};

/// With more layers than this, and so many more for each point of the program, the search gives up.
const MAX_LAYERS: usize = 100_000;
const MAX_LAYERS_PER_POINT: usize = 100;

/// Below this many nodes nothing is freed.
const COLLECT_FROM: usize = 1 << 18;

/// The layers of one destination, and all that is in them.
struct Row {
    layers: Vec<LayerId>,
    known: Bdd,
}

/// The end of the cheapest run.
pub(super) struct End {
    pub cost: u128,
    pub point: PointId,
    pub entries: LayerId,
    pub pairs: LayerId,
}

pub(super) struct Search<'n> {
    pub network: &'n Network,
    pub dd: Manager,
    /// For each function the pairs of each entry that a run gets to with itself.
    starts: Vec<Bdd>,
    /// For each function: calls lead from it to a function with a goal, or it has one.
    leads_to_goal: Vec<bool>,
    pub layers: Vec<Layer>,
    /// By call.
    pub amounts: Vec<Vec<Amount>>,
    points: Vec<Row>,
    entered: Vec<Row>,
    /// For each function the layers with goals.
    hits: Vec<Vec<(PointId, LayerId)>>,
    queue: Queue,
    pace: Pace,
}

/// What the search looks at between two layers.
struct Pace {
    n_rounds: u64,
    /// With more nodes than this it frees what is dead.
    collect_at: usize,
    stop: Stop,
    gauge: Arc<Gauge>,
}

impl<'n> Search<'n> {
    /// A search from some entries.
    pub fn new(
        network: &'n Network,
        entries: Vec<Bdd>,
        mut dd: Manager,
        settings: &Settings,
    ) -> Result<Self, Exhausted> {
        let pairs = network.modules.iter().zip(entries).map(|(module, entry)| dd.and(entry, module.identity));
        let starts = pairs.collect::<Result<_, _>>()?;
        let rows = |n| (0..n).map(|_| Row { layers: Vec::new(), known: Bdd::FALSE }).collect();
        Ok(Self {
            network,
            dd,
            starts,
            leads_to_goal: leads_to_goal(network),
            layers: Vec::new(),
            amounts: vec![Vec::new(); network.calls.len()],
            points: rows(network.points.len()),
            entered: rows(network.modules.len()),
            hits: vec![Vec::new(); network.modules.len()],
            queue: Queue::default(),
            pace: Pace {
                n_rounds: 0,
                collect_at: COLLECT_FROM,
                stop: settings.stop.clone(),
                gauge: settings.gauge.clone(),
            },
        })
    }

    /// The end of the cheapest run to a goal. Some goal is reachable.
    pub fn run(&mut self) -> Result<End, Stuck> {
        for (m, module) in self.network.modules.iter().enumerate() {
            if self.starts[m] != Bdd::FALSE {
                self.queue.push(Some(0), Destination::Point(module.entry), Origin::Start)?;
            }
        }
        self.queue.push(Some(0), Destination::Entered(self.network.main), Origin::Start)?;
        while let Some((cost, to, origins)) = self.queue.pop() {
            self.pause()?;
            match to {
                Destination::Point(point) => {
                    if let Some(layer) = self.settle(cost, to, origins)? {
                        self.leave(point, layer)?;
                    }
                }
                Destination::Entered(module) => {
                    if let Some(layer) = self.settle(cost, to, origins)? {
                        self.go_on(module, layer)?;
                    }
                }
                Destination::Goal => {
                    if let Some(end) = self.finish(cost, &origins)? {
                        return Ok(end);
                    }
                }
            }
        }
        assert!(self.queue.is_cut(), "a goal that is reachable has a cost");
        Err(ShortestError::TooLong.into())
    }

    /// Looks at the limits, reports progress and frees what is no longer needed.
    fn pause(&mut self) -> Result<(), Stuck> {
        if let Some(reason) = self.pace.stop.requested() {
            return Err(Exhausted(reason).into());
        }
        if self.layers.len() > MAX_LAYERS + MAX_LAYERS_PER_POINT * self.points.len() {
            return Err(ShortestError::TooManyLengths.into());
        }
        self.pace.n_rounds += 1;
        let (keys, nodes) = (self.layers.len() as u64, self.dd.n_nodes() as u64);
        self.pace.gauge.set(self.pace.n_rounds, keys, nodes, self.dd.bytes() as u64);
        self.collect();
        Ok(())
    }

    /// Frees dead nodes if there are many. Nothing but layers, amounts and the network may be needed any more.
    pub fn collect(&mut self) {
        if self.dd.n_nodes() > self.pace.collect_at {
            let rows = self.points.iter().chain(&self.entered).map(|row| row.known);
            let layers = self.layers.iter().map(|layer| layer.states);
            let amounts = self.amounts.iter().flatten().map(|amount| amount.relation);
            let kept = self.starts.iter().copied().chain(self.network.roots());
            let roots: Vec<Bdd> = rows.chain(layers).chain(amounts).chain(kept).collect();
            self.dd.collect(roots);
            self.pace.collect_at = (self.dd.n_nodes() * 3).max(COLLECT_FROM);
        }
    }

    /// Makes a layer of what is new at a destination.
    fn settle(
        &mut self,
        cost: u128,
        to: Destination,
        origins: Vec<Origin>,
    ) -> Result<Option<LayerId>, Exhausted> {
        let mut states = Bdd::FALSE;
        let mut kept = Vec::new();
        for origin in origins {
            let found = self.derive(to, origin)?;
            if found != Bdd::FALSE {
                states = self.dd.or(states, found)?;
                kept.push(origin);
            }
        }
        let row = match to {
            Destination::Point(point) => &mut self.points[point.index()],
            Destination::Entered(module) => &mut self.entered[module.index()],
            Destination::Goal => unreachable!("a goal has no layers"),
        };
        let new = self.dd.difference(states, row.known)?;
        if new == Bdd::FALSE {
            return Ok(None);
        }
        row.known = self.dd.or(row.known, new)?;
        let id = LayerId::new(self.layers.len());
        row.layers.push(id);
        self.layers.push(Layer { cost, states: new, origins: kept.into() });
        Ok(Some(id))
    }

    /// What a rule derives.
    fn derive(&mut self, to: Destination, origin: Origin) -> Result<Bdd, Exhausted> {
        let network = self.network;
        let states = |id: LayerId| self.layers[id.index()].states;
        match origin {
            Origin::Start => Ok(match to {
                Destination::Point(point) => {
                    let module = network.points[point.index()].module;
                    self.starts[module.index()]
                }
                // Nothing is remembered of the entries of `main`, which all cost nothing.
                _ => Bdd::TRUE,
            }),
            Origin::Step(step, from) => {
                let step = &network.steps[step.index()];
                match step.image {
                    Some(image) => self.dd.product(states(from), step.relation, image.product),
                    None => self.dd.and(states(from), step.relation),
                }
            }
            Origin::Return { call, caller, amount } => {
                let relation = self.amounts[call.index()][amount as usize].relation;
                self.dd.product(states(caller), relation, network.calls[call.index()].image.product)
            }
            Origin::Enter { call, entries, pairs } => {
                let (entries, pairs) = (states(entries), states(pairs));
                let here = self.dd.and(entries, pairs)?;
                let call = &network.calls[call.index()];
                self.dd.product(here, call.arguments, call.enter.product)
            }
            Origin::Finish { point, entries, pairs } => {
                let (entries, pairs) = (states(entries), states(pairs));
                let here = self.dd.and(entries, pairs)?;
                self.dd.and(here, network.points[point.index()].goal)
            }
        }
    }

    /// Applies all rules to new pairs at a point.
    fn leave(&mut self, point: PointId, pairs: LayerId) -> Result<(), Stuck> {
        let network = self.network;
        let Layer { cost, states, .. } = self.layers[pairs.index()];
        let about = &network.points[point.index()];
        for id in network.steps_of(point).map(StepId::new) {
            let step = &network.steps[id.index()];
            let cost = cost.checked_add(u128::from(step.length));
            self.queue.push(cost, Destination::Point(step.to), Origin::Step(id, pairs))?;
        }
        for call in network.calls_of(point).map(CallId::new) {
            for amount in 0..self.amounts[call.index()].len() {
                self.push_return(call, pairs, amount)?;
            }
            for n in 0..self.entered[about.module.index()].layers.len() {
                self.push_enter(call, self.entered[about.module.index()].layers[n], pairs)?;
            }
        }
        if network.is_exit(point) {
            self.come_back(about.module, pairs)?;
        }
        if self.dd.and(states, about.goal)? != Bdd::FALSE {
            self.hits[about.module.index()].push((point, pairs));
            for n in 0..self.entered[about.module.index()].layers.len() {
                self.push_finish(point, self.entered[about.module.index()].layers[n], pairs)?;
            }
        }
        Ok(())
    }

    /// RETURN for new pairs at the exit of a callee.
    fn come_back(&mut self, callee: ModuleId, pairs: LayerId) -> Result<(), Stuck> {
        let network = self.network;
        let Layer { cost, states, .. } = self.layers[pairs.index()];
        for &id in &network.modules[callee.index()].callers {
            let call = &network.calls[id.index()];
            let relation = self.dd.product(call.glue, states, call.amount.product)?;
            if relation == Bdd::FALSE {
                continue;
            }
            let amounts = &mut self.amounts[id.index()];
            let number = amounts.len();
            amounts.push(Amount { callee: pairs, cost, relation });
            for n in 0..self.points[call.from.index()].layers.len() {
                self.push_return(id, self.points[call.from.index()].layers[n], number)?;
            }
        }
        Ok(())
    }

    /// CALL and GOAL for new entries of a function.
    fn go_on(&mut self, module: ModuleId, entries: LayerId) -> Result<(), Stuck> {
        let network = self.network;
        for &call in &network.modules[module.index()].calls {
            let from = network.calls[call.index()].from.index();
            for n in 0..self.points[from].layers.len() {
                self.push_enter(call, entries, self.points[from].layers[n])?;
            }
        }
        for n in 0..self.hits[module.index()].len() {
            let (point, pairs) = self.hits[module.index()][n];
            self.push_finish(point, entries, pairs)?;
        }
        Ok(())
    }

    fn cost(&self, layer: LayerId) -> u128 {
        self.layers[layer.index()].cost
    }

    fn push_return(&mut self, call: CallId, caller: LayerId, amount: usize) -> Result<(), Stuck> {
        let inner = self.amounts[call.index()][amount].cost;
        let cost = self.cost(caller).checked_add(inner).and_then(|cost| cost.checked_add(1));
        let origin = Origin::Return { call, caller, amount: amount as u32 };
        self.queue.push(cost, Destination::Point(self.network.calls[call.index()].to), origin)
    }

    fn push_enter(&mut self, call: CallId, entries: LayerId, pairs: LayerId) -> Result<(), Stuck> {
        let callee = self.network.calls[call.index()].callee;
        if !self.leads_to_goal[callee.index()] {
            return Ok(());
        }
        let cost = self.cost(entries).checked_add(self.cost(pairs)).and_then(|cost| cost.checked_add(1));
        self.queue.push(cost, Destination::Entered(callee), Origin::Enter { call, entries, pairs })
    }

    fn push_finish(&mut self, point: PointId, entries: LayerId, pairs: LayerId) -> Result<(), Stuck> {
        let cost = self.cost(entries).checked_add(self.cost(pairs));
        self.queue.push(cost, Destination::Goal, Origin::Finish { point, entries, pairs })
    }

    /// The first of some ways to goals that is one.
    fn finish(&mut self, cost: u128, origins: &[Origin]) -> Result<Option<End>, Exhausted> {
        for &origin in origins {
            if let Origin::Finish { point, entries, pairs } = origin
                && self.derive(Destination::Goal, origin)? != Bdd::FALSE
            {
                return Ok(Some(End { cost, point, entries, pairs }));
            }
        }
        Ok(None)
    }
}

/// The functions from which calls lead to a goal.
fn leads_to_goal(network: &Network) -> Vec<bool> {
    let with_goal = network.points.iter().filter(|point| point.goal != Bdd::FALSE);
    let mut pending: Vec<ModuleId> = with_goal.map(|point| point.module).collect();
    let mut leads = vec![false; network.modules.len()];
    while let Some(m) = pending.pop() {
        if !std::mem::replace(&mut leads[m.index()], true) {
            let callers = network.modules[m.index()].callers.iter();
            let points = callers.map(|call| network.calls[call.index()].from);
            pending.extend(points.map(|point| network.points[point.index()].module));
        }
    }
    leads
}

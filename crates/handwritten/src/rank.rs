//! The order in which the work list takes points: callees before callers; within a module steps before calls before the
//! exit, and these as execution meets them.
//!
//! What a callee amounts to is then known as far as possible before a caller asks, and a module is settled before it calls or
//! returns.

use rsm::ModuleId;
use symbolic::network::{Network, PointId};

/// The ranks of the points that something leads to.
pub(crate) struct Ranks {
    /// By point.
    pub ranks: Vec<u32>,
    /// By rank.
    pub points: Vec<PointId>,
    /// The modules that are used, callees first.
    pub callees_first: Vec<ModuleId>,
}

impl Ranks {
    pub fn new(network: &Network) -> Self {
        let callees = |m: ModuleId| {
            let calls = &network.modules[m.index()].calls;
            calls.iter().map(|call| network.calls[call.index()].callee.index()).collect()
        };
        let modules = postorder(network.main.index(), network.modules.len(), |m| callees(ModuleId::new(m)));
        let callees_first: Vec<ModuleId> = modules.into_iter().map(ModuleId::new).collect();
        let mut this = Self { ranks: vec![0; network.points.len()], points: Vec::new(), callees_first };
        for m in this.callees_first.clone() {
            this.number(network, m);
        }
        this
    }

    /// Numbers the points of a module.
    fn number(&mut self, network: &Network, m: ModuleId) {
        // The points of a module stand together.
        let first = network.modules[m.index()].entry.index();
        let leads_to = |at: usize| {
            let point = PointId::new(first + at);
            let steps = network.steps[network.steps_of(point)].iter().map(|step| step.to);
            let calls = network.calls[network.calls_of(point)].iter().map(|call| call.to);
            steps.chain(calls).map(|to| to.index() - first).collect()
        };
        let n_points = network.points[first..].partition_point(|point| point.module == m);
        let postorder = postorder(0, n_points, leads_to);
        let class = |point: PointId| match network.is_exit(point) {
            true => 2,
            false => u8::from(!network.calls_of(point).is_empty()),
        };
        let mut order: Vec<PointId> =
            postorder.into_iter().rev().map(|at| PointId::new(first + at)).collect();
        order.sort_by_key(|point| class(*point));
        for point in order {
            self.ranks[point.index()] = self.points.len() as u32;
            self.points.push(point);
        }
    }
}

/// What a number below `n` leads to, each after those it leads to for the first time.
fn postorder(start: usize, n: usize, leads_to: impl Fn(usize) -> Vec<usize>) -> Vec<usize> {
    let mut seen = vec![false; n];
    let mut order = Vec::with_capacity(n);
    let mut stack = vec![(start, leads_to(start).into_iter())];
    seen[start] = true;
    while let Some((at, rest)) = stack.last_mut() {
        match rest.next() {
            Some(to) => {
                if !std::mem::replace(&mut seen[to], true) {
                    stack.push((to, leads_to(to).into_iter()));
                }
            }
            None => {
                order.push(*at);
                stack.pop();
            }
        }
    }
    order
}

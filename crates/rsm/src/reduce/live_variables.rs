//! Live variables: at each point, those whose value can still matter.
//!
//! Only conditions matter in themselves; a value that is stored matters if the variable it is stored in does. The sets
//! are the least ones closed under the rules below; a work list holds the points whose sets have grown.
//!
//! SHARED   What other threads read or write is live everywhere, and so are the flags that keep them away.
//! ENFORCE  What `enforce` reads is live at every point of the module but its exit; what `init` reads, at the start.
//! BLOCK    What is live at the end of a block flows backward through its edges to its start.
//! AFTER    What is live after a call, the targets of its results apart, is live before it unless it is a global the
//!          callee touches; its globals are live at the callee's exit, its live targets make results needed.
//! ENTRY    Touched globals that are live at a callee's entry are live before the call, and so are the variables in
//!          the arguments of live parameters.
//!
//! The condition of an assertion that is a goal needs no rule: the edge starts at the goal's point and reads it.

use super::backward::before_edge;
use super::bits::{self, BitRows};
use super::dead_code::LiveCode;
use super::groups::Groups;
use super::pending::Pending;
use super::places::Places;
use super::shape::Shape;
use super::threads::Interference;
use super::touched::Touched;
use crate::machine::{Action, EdgeId, ModuleId, Place, Rsm};

/// The live variables of all modules.
pub(super) struct Live {
    /// For each module a set for each of its points.
    pub(super) rows: Vec<BitRows>,
    /// For each module, which of its results are needed.
    pub(super) is_needed: Vec<Vec<bool>>,
}

/// Everything is live everywhere; locals not at the exit.
pub(super) fn all(rsm: &Rsm, shapes: &[Shape], places: Places) -> Live {
    let mut live = Live::new(rsm, shapes, places);
    for (index, (module, shape)) in rsm.modules.iter().zip(shapes).enumerate() {
        for (position, &node) in shape.points.iter().enumerate() {
            let (globals, locals) = live.rows[index].row_mut(position).split_at_mut(places.global_words);
            bits::insert_below(globals, rsm.globals.len());
            if node != module.exit {
                bits::insert_below(locals, module.locals.len());
            }
        }
        live.is_needed[index].fill(!shape.points.is_empty());
    }
    live
}

/// The least sets closed under the rules.
pub(super) fn find(
    rsm: &Rsm,
    shapes: &[Shape],
    code: &LiveCode,
    touched: &Touched,
    places: Places,
    interference: Option<&Interference<'_>>,
) -> Live {
    let map = Map::new(rsm, shapes);
    let mut analysis = Analysis {
        rsm,
        shapes,
        touched,
        places,
        map: &map,
        live: Live::new(rsm, shapes, places),
        pending: Pending::everything(shapes, &map.first_point),
        after: Vec::new(),
        row: Vec::new(),
        spare: Vec::new(),
    };
    analysis.seed(code);
    if let Some(interference) = interference {
        analysis.live.share(shapes, interference);
    }
    while let Some((module, position)) = analysis.pending.pop() {
        analysis.flow_from(module, position);
    }
    analysis.live
}

impl Live {
    /// Nothing is live.
    fn new(rsm: &Rsm, shapes: &[Shape], places: Places) -> Self {
        let rows = rsm
            .modules
            .iter()
            .zip(shapes)
            .map(|(module, shape)| BitRows::new(shape.points.len(), places.n_words(module.locals.len())));
        Self {
            rows: rows.collect(),
            is_needed: rsm.modules.iter().map(|module| vec![false; module.results.len()]).collect(),
        }
    }
}

impl Live {
    /// SHARED.
    fn share(&mut self, shapes: &[Shape], interference: &Interference<'_>) {
        for (index, shape) in shapes.iter().enumerate() {
            for position in 0..shape.points.len() {
                let row = self.rows[index].row_mut(position);
                interference.always_live().for_each(|global| bits::insert(row, global));
            }
        }
    }
}

/// Numbers for the points and blocks of all modules, and what leads to what.
struct Map<'a> {
    /// For each module the number of its first point.
    first_point: Vec<usize>,
    /// For each module, which of its points is the exit.
    exits: Vec<usize>,
    /// For each point the blocks that end there.
    arrivals: Groups,
    /// For each module the blocks that call it.
    calls: Groups,
    /// All blocks.
    blocks: Vec<Way<'a>>,
}

/// A block, and where it is.
struct Way<'a> {
    module: usize,
    /// Which of the points of the module it starts at.
    from: usize,
    path: &'a [EdgeId],
}

impl<'a> Map<'a> {
    fn new(rsm: &Rsm, shapes: &'a [Shape]) -> Self {
        let (mut first_point, mut n_points, mut blocks) = (Vec::new(), 0, Vec::new());
        let (mut arrivals, mut calls) = (Vec::new(), Vec::new());
        for (index, shape) in shapes.iter().enumerate() {
            first_point.push(n_points);
            for block in &shape.blocks {
                let number = blocks.len() as u32;
                arrivals.push(((n_points + shape.position(block.to)) as u32, number));
                if let Action::Call { callee, .. } = rsm.modules[index].edge(block.path[0]).action {
                    calls.push((callee.0, number));
                }
                blocks.push(Way { module: index, from: shape.position(block.from), path: &block.path });
            }
            n_points += shape.points.len();
        }
        let arrivals = Groups::new(n_points, &arrivals);
        let exits =
            rsm.modules.iter().zip(shapes).map(|(module, shape)| shape.points.binary_search(&module.exit));
        let exits = exits.map(|found| found.unwrap_or(0)).collect();
        Self { first_point, exits, arrivals, calls: Groups::new(shapes.len(), &calls), blocks }
    }
}

/// The sets so far, and the points from which they have yet to flow.
struct Analysis<'a> {
    rsm: &'a Rsm,
    shapes: &'a [Shape],
    touched: &'a Touched,
    places: Places,
    map: &'a Map<'a>,
    live: Live,
    pending: Pending<'a>,
    /// The set of the point from which it flows.
    after: Vec<u64>,
    /// The set on its way to another point.
    row: Vec<u64>,
    /// Room for [`before_edge`].
    spare: Vec<u64>,
}

impl Analysis<'_> {
    /// ENFORCE
    fn seed(&mut self, code: &LiveCode) {
        for (index, (module, shape)) in self.rsm.modules.iter().zip(self.shapes).enumerate() {
            let Some(condition) = &module.enforce else { continue };
            for (position, &node) in shape.points.iter().enumerate() {
                if node != module.exit && code.nodes[index][node.index()] {
                    self.places.insert_reads(self.live.rows[index].row_mut(position), condition);
                }
            }
        }
        let main = self.rsm.main.index();
        let start = self.shapes[main].position(self.rsm.modules[main].entry);
        for condition in &self.rsm.init {
            self.places.insert_reads(self.live.rows[main].row_mut(start), condition);
        }
    }

    /// Sends what is live at a point on to where it comes from.
    fn flow_from(&mut self, index: usize, position: usize) {
        let map = self.map;
        self.after.clear();
        self.after.extend_from_slice(self.live.rows[index].row(position));
        for &number in map.arrivals.of(map.first_point[index] + position) {
            self.flow_through(number);
        }
        if self.shapes[index].points[position] == self.rsm.modules[index].entry {
            for &number in map.calls.of(index) {
                self.flow_out_of_entry(number);
            }
        }
    }

    /// BLOCK and AFTER: sends the set at the end of a block to its start.
    fn flow_through(&mut self, number: u32) {
        let way = &self.map.blocks[number as usize];
        let module = &self.rsm.modules[way.module];
        self.row.clone_from(&self.after);
        for (n, &id) in way.path.iter().enumerate().rev() {
            match &module.edge(id).action {
                Action::Call { callee, results, .. } => self.flow_around(*callee, results),
                action => {
                    let is_needed = &self.live.is_needed[way.module];
                    before_edge(self.places, action, is_needed, &mut self.row, &mut self.spare);
                }
            }
            if n > 0
                && let Some(condition) = &module.enforce
            {
                self.places.insert_reads(&mut self.row, condition);
            }
        }
        self.grow(way.module, way.from);
    }

    /// AFTER: turns the set after a call into what is live before it for the sake of what follows.
    fn flow_around(&mut self, callee: ModuleId, results: &[Option<Place>]) {
        let index = callee.index();
        let mut has_grown = false;
        for (position, target) in results.iter().enumerate() {
            let Some(bit) = target.map(|place| self.places.bit(place)) else { continue };
            if bits::contains(&self.row, bit) {
                has_grown |= !std::mem::replace(&mut self.live.is_needed[index][position], true);
                bits::remove(&mut self.row, bit);
            }
        }
        let exit = self.map.exits[index];
        let globals = self.places.global_words;
        has_grown |= bits::unite(&mut self.live.rows[index].row_mut(exit)[..globals], &self.row[..globals]);
        if has_grown {
            self.pending.push(index, exit);
        }
        for (word, touched) in self.row.iter_mut().zip(self.touched.touched.row(index)) {
            *word &= !touched;
        }
    }

    /// ENTRY: sends the set at the entry of a callee to a call.
    fn flow_out_of_entry(&mut self, number: u32) {
        let way = &self.map.blocks[number as usize];
        let module = &self.rsm.modules[way.module];
        let Action::Call { callee, args, .. } = &module.edge(way.path[0]).action else { return };
        self.row.clear();
        let touched = self.touched.touched.row(callee.index());
        self.row.extend(touched.iter().zip(&self.after).map(|(touched, live)| touched & live));
        self.row.resize(self.places.n_words(module.locals.len()), 0);
        for (parameter, argument) in args.iter().enumerate() {
            if bits::contains(&self.after, self.places.bit(Place::Local(parameter as u32))) {
                self.places.insert_reads(&mut self.row, argument);
            }
        }
        self.grow(way.module, way.from);
    }

    /// Adds the set on its way to that of a point.
    fn grow(&mut self, module: usize, position: usize) {
        if bits::unite(self.live.rows[module].row_mut(position), &self.row) {
            self.pending.push(module, position);
        }
    }
}

//! Why a sequential program has no infinite run of a kind: what the search has seen, with a number for each state.
//!
//! The numbers are those of the components of the graph of steps, calls and summaries: they never grow along an edge, and shrink along
//! one that counts. Contract: the states are those of the search, at the points of the machine where blocks start, with the values that
//! matter there; nothing is looked at a second time. Points that the machine does not have, before the entry of a function, are left out,
//! and so is its exit, which is no state of its own.

use crate::program::{Point, Program};
use crate::search::Search;
use crate::table::FAIR;
use base::{Adjacency, Components};
use rsm::{ModuleId, NodeId, Place};

/// Why there is no infinite run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ranks {
    /// The nodes at which states are, with the variables that have values there.
    pub points: Vec<(ModuleId, NodeId, Vec<Place>)>,
    /// The functions that are entered, with the globals and parameters that tell entries apart.
    pub functions: Vec<(ModuleId, Vec<Place>)>,
    /// For each entry its function, a position in the list.
    pub entries: Vec<RankedEntry>,
    /// What is reached from the entries, in the order of these.
    pub states: Vec<RankedState>,
    /// The values of entries and states.
    pub values: Vec<u64>,
}

/// A function and the values with which it is entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankedEntry {
    /// A position among the functions.
    pub function: u32,
    /// Where its values begin.
    pub first: u32,
}

/// A state that is reached from an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankedState {
    /// A position among the entries.
    pub entry: u32,
    /// A position among the points.
    pub point: u32,
    /// A goal has been passed since the entry.
    pub passed: bool,
    /// Its number.
    pub number: u32,
    /// Where its values begin.
    pub first: u32,
}

/// No position.
const NONE: u32 = u32::MAX;

impl<const W: usize> Search<'_, W> {
    /// What the search has seen, with numbers. It has come to its end, and found no infinite run. None if there are too many values for
    /// their positions.
    pub(crate) fn ranks(&self) -> Option<Ranks> {
        let numbers = self.component_numbers();
        let mut listing = Listing::new(self.program);
        // The root is an entry that the machine does not have.
        for entry in self.activations.entries.iter().skip(1) {
            let start = &self.states.records[entry.start as usize];
            listing.entry(entry.module, &start.key)?;
        }
        for state in self.by_entry() {
            let record = &self.states.records[state as usize];
            if let Some(point) = listing.point(record.point()) {
                let entry = record.entry() - 1;
                let (passed, number) = (record.is_fair(), numbers[state as usize]);
                let first = listing.keep(point as usize, &record.key)?;
                listing.ranks.states.push(RankedState { entry, point, passed, number, first });
            }
        }
        Some(listing.ranks)
    }

    /// All states, those of one entry together.
    fn by_entry(&self) -> impl Iterator<Item = u32> {
        let n_entries = self.activations.entries.len();
        let pairs = self.states.records.iter().zip(0u32..).map(|(record, n)| (record.entry(), n));
        let of_entries = Adjacency::new(n_entries, pairs);
        (1..n_entries as u32).flat_map(move |entry| of_entries.of(entry).to_vec())
    }

    /// For each state the number of its component.
    fn component_numbers(&self) -> Vec<u32> {
        let (n_states, edges) = (self.states.records.len(), &self.log.edges);
        let targets = edges.iter().map(|edge| (edge.0, edge.1 & !FAIR));
        let by_source = Adjacency::new(n_states, targets);
        let mut numbers = vec![0; n_states];
        let mut next = 0;
        let none: Option<()> = Components::new(n_states).search(
            0..n_states as u32,
            |state| by_source.of(state),
            |target| Some(*target),
            |component| {
                component.members.iter().for_each(|member| numbers[*member as usize] = next);
                next += 1;
                std::ops::ControlFlow::Continue(())
            },
        );
        debug_assert!(none.is_none(), "nothing ends the search");
        numbers
    }
}

/// What has been listed so far.
struct Listing<'p> {
    program: &'p Program,
    ranks: Ranks,
    /// For each point and each module of the program its position, once it has been met.
    points: Vec<u32>,
    functions: Vec<u32>,
    /// For each listed point and function where its values are.
    fields_of_points: Vec<Vec<crate::layout::Field>>,
    fields_of_functions: Vec<Vec<crate::layout::Field>>,
}

impl<'p> Listing<'p> {
    fn new(program: &'p Program) -> Self {
        Self {
            program,
            ranks: Ranks::default(),
            points: vec![NONE; program.points.len()],
            functions: vec![NONE; program.modules.len()],
            fields_of_points: Vec::new(),
            fields_of_functions: Vec::new(),
        }
    }

    /// The variables of a module that a mask covers, and where they are.
    fn covered(&self, module: u32, mask: &[u64]) -> (Vec<Place>, Vec<crate::layout::Field>) {
        let layout = &self.program.layout;
        let globals = (0..).map(Place::Global).zip(&layout.globals);
        let locals = (0..).map(Place::Local).zip(&layout.locals[module as usize]);
        let fields = globals.chain(locals).filter_map(|(place, field)| Some((place, (*field)?)));
        fields.filter(|(_, field)| field.is_in(mask)).unzip()
    }

    /// The position of a point; none of one that the machine does not have, nor of the exit.
    fn point(&mut self, n: u32) -> Option<u32> {
        if self.points[n as usize] != NONE {
            return Some(self.points[n as usize]);
        }
        let Point { module, node, ref live, .. } = self.program.points[n as usize];
        let node = node.filter(|_| self.program.modules[module as usize].exit != n)?;
        let (places, fields) = self.covered(module, live);
        let position = self.ranks.points.len() as u32;
        self.points[n as usize] = position;
        self.ranks.points.push((ModuleId(module), node, places));
        self.fields_of_points.push(fields);
        Some(position)
    }

    fn entry(&mut self, module: u32, key: &[u64]) -> Option<()> {
        if self.functions[module as usize] == NONE {
            let mask = &self.program.modules[module as usize].entry_mask;
            let (places, fields) = self.covered(module, mask);
            self.functions[module as usize] = self.ranks.functions.len() as u32;
            self.ranks.functions.push((ModuleId(module), places));
            self.fields_of_functions.push(fields);
        }
        let function = self.functions[module as usize];
        let first = u32::try_from(self.ranks.values.len()).ok()?;
        let values = self.fields_of_functions[function as usize].iter().map(|field| field.get(key));
        self.ranks.values.extend(values);
        self.ranks.entries.push(RankedEntry { function, first });
        Some(())
    }

    /// Writes down the values at a point: where they begin.
    fn keep(&mut self, point: usize, key: &[u64]) -> Option<u32> {
        let first = u32::try_from(self.ranks.values.len()).ok()?;
        self.ranks.values.extend(self.fields_of_points[point].iter().map(|field| field.get(key)));
        Some(first)
    }
}

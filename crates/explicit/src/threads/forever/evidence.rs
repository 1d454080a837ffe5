//! Why there is no such run: every configuration that was looked at, and a class for each.
//!
//! Classes are components, numbered as they were completed: no edge leads to a larger number. In a class some mark is missing; or some
//! states of threads *starve*: nobody who is in them moves inside of the class. Then the configurations that can be passed again and again
//! nevertheless are in classes within that one, numbered in the same way. Contract: what the search found, in the terms of the program;
//! numbers are positions in these lists.

use super::super::closed::{Kept, kept};
use super::graph::Graph;
use super::table::Local;
use rsm::interleave::ThreadState;
use rsm::observe::Letter;
use rsm::{EdgeId, NodeId, Place};

/// Everything that was looked at, and why there is no run among it.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// Threads are left after every step, also where nobody notices the next one.
    pub stops_everywhere: bool,
    /// Of each shared variable whether it is told apart.
    pub shared_kept: Vec<bool>,
    /// Private globals and locals that are told apart while a thread is at a node.
    pub points: Kept<NodeId>,
    /// Locals that are told apart while a function waits for a call.
    pub waits: Kept<EdgeId>,
    /// The block and the copies of each group of threads that are not told apart.
    pub groups: Vec<(u32, Vec<u32>)>,
    /// Values of the shared variables, 0 for those that are not told apart.
    pub shared: Vec<Vec<u64>>,
    /// Where threads are between their moves, with their blocks.
    pub states: Vec<(u32, Standing)>,
    /// The configurations, one behind the other: shared values, the state of each thread, the state of the observer.
    pub configurations: Vec<u32>,
    /// For each configuration its innermost class.
    pub class_of: Vec<u32>,
    /// All classes.
    pub classes: Vec<Class>,
}

/// How a thread is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Standing {
    /// It may be left here.
    At(ThreadState),
    /// It does nothing any more; the observer sees this of it.
    Done {
        /// What is seen.
        bits: Letter,
        /// It has ended, and is not only blocked.
        has_ended: bool,
    },
    /// It goes on for ever unnoticed.
    Spin {
        /// What is seen.
        bits: Letter,
        /// It is in an atomic region, and all others stand still.
        is_inside: bool,
    },
}

/// Configurations that may be passed again and again.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Class {
    /// The class around it.
    pub around: Option<u32>,
    /// States in which threads of a group starve, each with the group.
    pub starved: Vec<(u32, u32)>,
}

/// The classes as the search finds them.
#[derive(Default)]
pub(super) struct Ranks {
    class_of: Vec<u32>,
    around: Vec<Option<u32>>,
    /// A class with the states of the threads that starve in it, each with the first position of its group.
    starved: Vec<(u32, Vec<(usize, u32)>)>,
}

impl Ranks {
    /// A component is complete.
    pub(super) fn component(&mut self, members: &[u32]) {
        self.add(None, members.iter().copied());
    }

    /// A component of the rest of a class; of none, the component that was completed last.
    pub(super) fn part(&mut self, around: Option<u32>, members: impl Iterator<Item = u32>) -> u32 {
        match around {
            Some(_) => self.add(around, members),
            None => self.around.len() as u32 - 1,
        }
    }

    fn add(&mut self, around: Option<u32>, members: impl Iterator<Item = u32>) -> u32 {
        let class = self.around.len() as u32;
        self.around.push(around);
        for member in members {
            if self.class_of.len() <= member as usize {
                self.class_of.resize(member as usize + 1, 0);
            }
            self.class_of[member as usize] = class;
        }
        class
    }

    /// Threads in these states starve in a class.
    pub(super) fn starve(&mut self, class: u32, states: Vec<(usize, u32)>) {
        self.starved.push((class, states));
    }
}

impl Evidence {
    /// Writes down everything that a search looked at.
    pub(super) fn new(graph: &Graph<'_>, ranks: Ranks) -> Self {
        let (table, program) = (&graph.table, graph.table.program);
        let (points, waits) = kept(program, &table.matter);
        let (n_shared, n_locals) = table.sizes();
        let n_locals: Vec<usize> = n_locals.collect();
        let firsts: Vec<u32> =
            n_locals.iter().scan(0, |sum, n| Some(std::mem::replace(sum, *sum + *n as u32))).collect();
        let of_block = |(block, n): (u32, &usize)| {
            (0..*n as u32).map(|local| (block, standing(table.local(block, local)))).collect::<Vec<_>>()
        };
        let mut configurations = Vec::with_capacity(graph.store.len() * (graph.roles.len() + 2));
        let mut numbers = Vec::new();
        for position in 0..graph.store.len() {
            graph.store.read(position, &mut numbers);
            for (role, local) in graph.roles.iter().zip(&mut numbers[1..]) {
                *local += firsts[role.block as usize];
            }
            configurations.extend_from_slice(&numbers);
        }
        let mut classes: Vec<Class> =
            ranks.around.into_iter().map(|around| Class { around, starved: Vec::new() }).collect();
        for (class, states) in ranks.starved {
            let number = |(place, local): (usize, u32)| {
                let group = graph.groups[..place].chunk_by(|a, b| a == b).count() as u32;
                (group, firsts[graph.roles[place].block as usize] + local)
            };
            classes[class as usize].starved = states.into_iter().map(number).collect();
        }
        Self {
            stops_everywhere: !table.merges(),
            shared_kept: (0..program.n_shared)
                .map(|n| table.matter.has_shared(Place::Global(n as u32)))
                .collect(),
            points,
            waits,
            groups: groups(graph),
            shared: (0..n_shared as u32).map(|n| table.shared_values(n).to_vec()).collect(),
            states: (0..).zip(&n_locals).flat_map(of_block).collect(),
            configurations,
            class_of: ranks.class_of,
            classes,
        }
    }
}

/// The threads that are not told apart.
fn groups(graph: &Graph<'_>) -> Vec<(u32, Vec<u32>)> {
    let mut groups = Vec::new();
    let mut place = 0;
    while place < graph.roles.len() {
        let span = graph.groups[place].clone();
        place = span.end;
        let block = graph.roles[span.start].block;
        groups.push((block, graph.roles[span].iter().map(|role| role.copy).collect()));
    }
    groups
}

fn standing(local: &Local) -> Standing {
    match local.clone() {
        Local::Stop(thread) => Standing::At(thread),
        Local::Done { bits, has_ended } => Standing::Done { bits, has_ended },
        Local::Spin { bits, is_inside } => Standing::Spin { bits, is_inside },
    }
}

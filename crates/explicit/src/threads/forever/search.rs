//! Components on a path: the search for configurations that can be passed again and again as it is asked.
//!
//! Depth first; the configurations on the way that are known to be in one component are united at once, with all that is marked
//! between them (Couvreur, Gabow). Under `any`, and under `weak` where no threads change places, the search ends with the edge that
//! closes a good cycle. Otherwise `fair` judges a component when it is complete.

use super::evidence::Ranks;
use super::fair::{Part, judge};
use super::graph::{Edge, Graph, Node};
use super::stubborn::Keeps;
use crate::search::LOOK;
use crate::{Limits, Stopped};
use rsm::interleave::Scheduler;

/// The number of a configuration whose component is complete.
const CLOSED: u32 = u32::MAX;

/// What is asked of a cycle, and what is known of one.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Marked {
    /// Marks of the observer.
    marks: u16,
    /// Threads that move, or cannot somewhere.
    served: u64,
    /// Some configuration is outside atomic regions; some is inside.
    has_free: bool,
    has_inside: bool,
}

impl Marked {
    fn of_node(node: Node) -> Self {
        let served = if node.is_inside { 0 } else { node.unable };
        Self { marks: 0, served, has_free: !node.is_inside, has_inside: node.is_inside }
    }

    fn of_edge(edge: Edge) -> Self {
        Self { marks: edge.marks, served: 1 << edge.from_place, ..Self::default() }
    }

    fn with(self, other: Self) -> Self {
        Self {
            marks: self.marks | other.marks,
            served: self.served | other.served,
            has_free: self.has_free | other.has_free,
            has_inside: self.has_inside | other.has_inside,
        }
    }
}

/// A component on the way.
struct Root {
    number: u32,
    /// Inside of it.
    marked: Marked,
    /// By the edge that led to it.
    by_edge: Marked,
}

/// A configuration on the way, and its edges that have not been followed.
struct Frame {
    position: u32,
    next: usize,
    begin: usize,
}

/// What ends a search.
pub(super) enum Ending {
    /// There is nothing.
    Nothing,
    /// The configurations, among which there is a cycle as it is asked.
    Cycle(Part),
    /// The observer is in a target state, or nobody can go on, as it was asked.
    Target(u32),
}

/// What is looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Aim {
    /// A cycle.
    Cycle(Scheduler),
    /// A target state of the observer.
    Target,
    /// A configuration in which nobody can go on although somebody has not ended.
    Deadlock,
    /// Nothing: every configuration is looked at.
    Everything,
}

/// A search under way.
pub(super) struct Search<'g, 'p> {
    pub(super) graph: &'g mut Graph<'p>,
    aim: Aim,
    /// When each configuration was met, from 1; 0 if it was not.
    pub(super) met: Vec<u32>,
    /// It is on the way.
    is_on_way: Vec<bool>,
    keeps: Keeps,
    n_met: u32,
    roots: Vec<Root>,
    frames: Vec<Frame>,
    open: Vec<u32>,
    edges: Vec<Edge>,
    /// Why there is nothing, for somebody who wants to check it.
    pub(super) ranks: Option<Ranks>,
}

impl<'g, 'p> Search<'g, 'p> {
    pub(super) fn new(graph: &'g mut Graph<'p>, aim: Aim) -> Self {
        let (met, is_on_way, roots, frames, open, edges) = Default::default();
        let keeps = match aim {
            _ if !graph.is_stubborn() => Keeps::Everything,
            Aim::Cycle(Scheduler::Any) => Keeps::Words,
            Aim::Deadlock | Aim::Everything => Keeps::Deadlocks,
            Aim::Cycle(_) | Aim::Target => Keeps::Everything,
        };
        Self { graph, aim, met, is_on_way, keeps, n_met: 0, roots, frames, open, edges, ranks: None }
    }

    pub(super) fn bytes(&self) -> usize {
        self.met.capacity() * 4
            + self.is_on_way.capacity()
            + self.roots.capacity() * size_of::<Root>()
            + self.frames.capacity() * size_of::<Frame>()
            + self.open.capacity() * 4
            + self.edges.capacity() * size_of::<Edge>()
    }

    /// Looks at everything that can be reached from these, until the aim is met.
    pub(super) fn run(&mut self, starts: &[u32], limits: &Limits<'_>) -> Result<Ending, Stopped> {
        for start in starts {
            self.grow();
            if self.met[*start as usize] != 0 {
                continue;
            }
            if let Some(ending) = self.enter(*start, Marked::default(), limits)? {
                return Ok(ending);
            }
            while !self.frames.is_empty() {
                if let Some(ending) = self.go_on(limits)? {
                    return Ok(ending);
                }
            }
        }
        Ok(Ending::Nothing)
    }

    /// A configuration is met for the first time.
    fn enter(
        &mut self,
        position: u32,
        by_edge: Marked,
        limits: &Limits<'_>,
    ) -> Result<Option<Ending>, Stopped> {
        self.n_met += 1;
        if u64::from(self.n_met) % LOOK == 0 {
            let figures = self.graph.figures(self.bytes());
            if figures.states > limits.max_states {
                return Err(Stopped::States);
            }
            limits.look(|| figures)?;
        }
        let begin = self.edges.len();
        let is_on_way = &self.is_on_way;
        let closes =
            |to: u32| to == position || is_on_way.get(to as usize).is_some_and(|is_on_way| *is_on_way);
        let node = self.graph.expand_some(position, self.keeps, closes, &mut self.edges, limits)?;
        self.grow();
        self.met[position as usize] = self.n_met;
        self.is_on_way[position as usize] = true;
        if (self.aim == Aim::Target && node.is_target)
            || (self.aim == Aim::Deadlock && self.graph.stops.deadlock)
        {
            return Ok(Some(Ending::Target(position)));
        }
        self.open.push(position);
        self.roots.push(Root { number: self.n_met, marked: Marked::of_node(node), by_edge });
        self.frames.push(Frame { position, next: begin, begin });
        Ok(None)
    }

    fn grow(&mut self) {
        self.met.resize(self.graph.store.len(), 0);
        self.is_on_way.resize(self.graph.store.len(), false);
    }

    /// Follows one edge, or goes back.
    fn go_on(&mut self, limits: &Limits<'_>) -> Result<Option<Ending>, Stopped> {
        let frame = self.frames.last_mut().expect("there is a way");
        let Some(edge) = self.edges.get(frame.next).copied() else { return self.leave(limits) };
        frame.next += 1;
        match self.met[edge.to as usize] {
            0 => self.enter(edge.to, Marked::of_edge(edge), limits),
            CLOSED => Ok(None),
            number => Ok(self.close(number, Marked::of_edge(edge))),
        }
    }

    /// An edge leads back to a configuration on the way: all between are one component.
    fn close(&mut self, number: u32, by_edge: Marked) -> Option<Ending> {
        let mut marked = by_edge;
        let root = loop {
            let root = self.roots.last_mut().expect("an open configuration belongs to a component");
            if root.number <= number {
                break root;
            }
            marked = marked.with(root.marked).with(root.by_edge);
            self.roots.pop();
        };
        root.marked = root.marked.with(marked);
        let (number, marked) = (root.number, root.marked);
        self.is_good(marked).then(|| {
            let is_member = |position: &&u32| self.met[**position as usize] >= number;
            Ending::Cycle(Part { members: self.open.iter().rev().take_while(is_member).copied().collect() })
        })
    }

    /// What is marked is enough, as far as that can be said before a component is complete.
    fn is_good(&self, marked: Marked) -> bool {
        let observer = self.graph.table.observer;
        let has_all_marks = marked.marks == observer.all_marks();
        let all = u64::MAX >> (u64::BITS - self.graph.n_threads() as u32);
        match self.aim {
            Aim::Cycle(Scheduler::Any) => has_all_marks,
            Aim::Cycle(Scheduler::Weak) if !self.graph.is_symmetric() => {
                has_all_marks && (marked.served == all || !marked.has_free)
            }
            _ => false,
        }
    }

    /// A configuration has no further edges.
    fn leave(&mut self, limits: &Limits<'_>) -> Result<Option<Ending>, Stopped> {
        let frame = self.frames.pop().expect("there is a way");
        self.edges.truncate(frame.begin);
        self.is_on_way[frame.position as usize] = false;
        let number = self.met[frame.position as usize];
        if self.roots.last().is_none_or(|root| root.number != number) {
            return Ok(None);
        }
        let root = self.roots.pop().expect("there is one");
        let first = self.open.iter().rposition(|position| *position == frame.position);
        let members: Vec<u32> = self.open.drain(first.expect("an open configuration")..).collect();
        members.iter().for_each(|member| self.met[*member as usize] = CLOSED);
        if let Some(ranks) = &mut self.ranks {
            ranks.component(&members);
        }
        let Aim::Cycle(scheduler) = self.aim else { return Ok(None) };
        let has_marks = root.marked.marks == self.graph.table.observer.all_marks();
        match has_marks && self.may_be_good(root.marked, scheduler) {
            true => {
                let ranks = self.ranks.as_mut();
                Ok(judge(self.graph, scheduler, members, ranks, limits)?.map(Ending::Cycle))
            }
            false => Ok(None),
        }
    }

    /// A complete component may have a good part.
    fn may_be_good(&self, marked: Marked, scheduler: Scheduler) -> bool {
        let all = u64::MAX >> (u64::BITS - self.graph.n_threads() as u32);
        let all_served = marked.served == all || !marked.has_free;
        match scheduler {
            Scheduler::Any => false,
            // Whoever wants to know why there is nothing wants to know who starves.
            _ if self.ranks.is_some() => true,
            _ if self.graph.is_symmetric() || marked.has_inside => true,
            Scheduler::Weak => false,
            Scheduler::Strong => all_served,
        }
    }
}

//! Observers: somebody who watches the steps of all threads, and moves with each of them.
//!
//! What an observer sees of a step is a [`Letter`]: the bits of its observations, read in the world that the step leaves, and what the
//! step itself is, a call or a return. Observations are about the shared values, or about one thread: where it stands, its private
//! values, its step. Where an observation names no copy it is true if it is true of some thread; so a letter is the union of what is
//! seen of the shared values and of each thread by itself.
//!
//! An observer is an automaton over letters whose edges carry marks. A run without an end is *accepted* if the observer can go along
//! with it so that every mark comes again and again. Without marks that is every run that it can go along with.

use crate::concurrent::Concurrent;
use crate::expr::{Expr, Type};
use crate::interleave::view::join;
use crate::interleave::{ThreadId, ThreadState, World};
use crate::machine::{Action, EdgeId, ModuleId, NodeId, Place};
use crate::values::{TooLarge, View, can_hold, evaluate};

/// What is seen of a step: a field of bits for each observation.
pub type Letter = u64;

/// A set of marks.
pub type Marks = u16;

/// An observer may have so many marks.
pub const MOST_MARKS: u32 = Marks::BITS;

/// Somebody who watches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observer {
    /// What is seen.
    pub observations: Vec<Observation>,
    /// Its states.
    pub states: Vec<ObserverState>,
    /// Where it may start.
    pub initial: Vec<u32>,
    /// Marks are numbered from 0.
    pub n_marks: u32,
    /// What it accepts does not depend on how often a letter is repeated.
    pub ignores_repetition: bool,
}

/// A state of an observer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObserverState {
    /// Whether it is reached may be asked.
    pub is_target: bool,
    /// Its edges. A step that none of them allows is one with which the observer does not go along.
    pub edges: Vec<ObserverEdge>,
}

/// An edge of an observer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObserverEdge {
    /// Must be able to hold. Observation n is read as `Place::Global(n)`.
    pub guard: Expr,
    /// Where it leads.
    pub to: u32,
    /// What it marks.
    pub marks: Marks,
}

/// Something that is seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observation {
    /// What it is.
    pub what: Observed,
    /// Its first bit in a letter; it has as many as its type needs.
    pub shift: u32,
}

/// What is seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Observed {
    /// The value of an expression over the shared variables, without choices.
    Shared(Expr),
    /// The value of an expression over the private variables of one thread, without choices.
    Private {
        /// The block.
        block: u32,
        /// The copy.
        copy: u32,
        /// If there are some, what is seen is 0 unless one of these is on top of the stack.
        modules: Vec<ModuleId>,
        /// Reads globals that the block has for itself, or locals of the modules.
        expr: Expr,
    },
    /// Some thread is at one of these places.
    At(Who, Vec<(ModuleId, NodeId)>),
    /// The step calls one of these modules.
    Call(Who, Vec<ModuleId>),
    /// The step returns from one of these modules.
    Return(Who, Vec<ModuleId>),
}

/// Whom an observation is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Who {
    /// Threads of this block only.
    pub block: Option<u32>,
    /// This copy only.
    pub copy: Option<u32>,
}

impl Who {
    fn is_of(self, block: u32) -> bool {
        self.block.is_none_or(|own| own == block)
    }
}

impl Observed {
    /// The type of what is seen.
    pub fn ty(&self) -> &Type {
        match self {
            Self::Shared(expr) | Self::Private { expr, .. } => expr.ty(),
            Self::At(..) | Self::Call(..) | Self::Return(..) => &Type::Bool,
        }
    }

    /// Whom it is about; nothing if it is about shared values.
    pub fn who(&self) -> Option<Who> {
        match self {
            Self::Shared(_) => None,
            Self::Private { block, copy, .. } => Some(Who { block: Some(*block), copy: Some(*copy) }),
            Self::At(who, _) | Self::Call(who, _) | Self::Return(who, _) => Some(*who),
        }
    }
}

impl Observation {
    /// Its bits in a letter.
    pub fn field(&self) -> Letter {
        self.what.ty().max() << self.shift
    }
}

/// The value of an expression without choices.
fn value(expr: &Expr, globals: &[u64], locals: &[u64]) -> u64 {
    evaluate(expr, &View::new(globals, locals), &mut |_| unreachable!("observations have no choices"))
}

impl Observer {
    /// Nobody in particular: everything is accepted.
    pub fn of_everything() -> Self {
        let edge = ObserverEdge { guard: Expr::constant(1, Type::Bool), to: 0, marks: 0 };
        Self {
            observations: Vec::new(),
            states: vec![ObserverState { is_target: false, edges: vec![edge] }],
            initial: vec![0],
            n_marks: 0,
            ignores_repetition: true,
        }
    }

    /// Accepts the runs in which some thread is at one of these places again and again.
    pub fn of_places(who: Who, places: Vec<(ModuleId, NodeId)>) -> Self {
        let is_there = Expr::read(Place::Global(0), Type::Bool);
        let edge = |guard: Expr, marks: Marks| ObserverEdge { guard, to: 0, marks };
        let edges = vec![edge(is_there.negated(), 0), edge(is_there, 1)];
        Self {
            observations: vec![Observation { what: Observed::At(who, places), shift: 0 }],
            states: vec![ObserverState { is_target: false, edges }],
            initial: vec![0],
            n_marks: 1,
            ignores_repetition: true,
        }
    }

    /// The globals whose values are seen.
    pub fn globals(&self) -> Vec<u32> {
        let exprs = self.observations.iter().filter_map(|seen| match &seen.what {
            Observed::Shared(expr) | Observed::Private { expr, .. } => Some(expr),
            Observed::At(..) | Observed::Call(..) | Observed::Return(..) => None,
        });
        let global = |place| match place {
            Place::Global(n) => Some(n),
            Place::Local(_) => None,
        };
        exprs.flat_map(|expr| expr.reads().filter_map(global).collect::<Vec<u32>>()).collect()
    }

    /// The locals whose values are seen, of each of the modules.
    pub fn locals(&self) -> Vec<(ModuleId, u32)> {
        let mut locals = Vec::new();
        for seen in &self.observations {
            let Observed::Private { modules, expr, .. } = &seen.what else { continue };
            for place in expr.reads() {
                if let Place::Local(n) = place {
                    locals.extend(modules.iter().map(|module| (*module, n)));
                }
            }
        }
        locals
    }

    /// Every mark.
    pub fn all_marks(&self) -> Marks {
        ((1u32 << self.n_marks) - 1) as Marks
    }

    /// What is seen of the shared values.
    pub fn shared_bits(&self, shared: &[u64]) -> Letter {
        let bits = self.observations.iter().map(|seen| match &seen.what {
            Observed::Shared(expr) => value(expr, shared, &[]) << seen.shift,
            _ => 0,
        });
        bits.fold(0, |letter, bits| letter | bits)
    }

    /// What is seen of a thread of the block, were it any copy.
    pub fn thread_bits(&self, program: &Concurrent, thread: &ThreadState) -> Letter {
        let place = thread.stack.last().map(|top| (top.module, top.node));
        let bits = self.observations.iter().map(|seen| match &seen.what {
            Observed::At(who, places) if who.is_of(thread.block) => {
                u64::from(place.is_some_and(|place| places.contains(&place))) << seen.shift
            }
            Observed::Private { block, modules, expr, .. } if *block == thread.block => {
                match thread.stack.last().filter(|top| modules.contains(&top.module)) {
                    Some(top) => value(expr, &[], &top.locals) << seen.shift,
                    None if !modules.is_empty() => 0,
                    None => {
                        value(expr, &join(program, thread.block, &[], &thread.private), &[]) << seen.shift
                    }
                }
            }
            _ => 0,
        });
        bits.fold(0, |letter, bits| letter | bits)
    }

    /// What is seen of a step of a thread of the block, were it any copy.
    pub fn step_bits(&self, program: &Concurrent, thread: &ThreadState, edge: EdgeId) -> Letter {
        let Some(top) = thread.stack.last() else { return 0 };
        let action = &program.machine.module(top.module).edge(edge).action;
        let bits = self.observations.iter().map(|seen| {
            let is_so = match (&seen.what, action) {
                (Observed::Call(who, modules), Action::Call { callee, .. }) => {
                    who.is_of(thread.block) && modules.contains(callee)
                }
                (Observed::Return(who, modules), Action::Return { .. }) => {
                    who.is_of(thread.block) && modules.contains(&top.module)
                }
                _ => false,
            };
            u64::from(is_so) << seen.shift
        });
        bits.fold(0, |letter, bits| letter | bits)
    }

    /// The bits that are about a copy of a block.
    pub fn bits_of(&self, block: u32, copy: u32) -> Letter {
        let is_about = |seen: &&Observation| {
            seen.what.who().is_some_and(|who| who.is_of(block) && who.copy.is_none_or(|own| own == copy))
        };
        self.observations.iter().filter(is_about).fold(0, |letter, seen| letter | seen.field())
    }

    /// Some observation names this copy of the block.
    pub fn names(&self, block: u32, copy: u32) -> bool {
        let mut whom = self.observations.iter().filter_map(|seen| seen.what.who());
        whom.any(|who| who.is_of(block) && who.copy == Some(copy))
    }

    /// What is seen when a thread takes an edge.
    pub fn letter(&self, program: &Concurrent, world: &World, thread: ThreadId, edge: EdgeId) -> Letter {
        let mut letter = self.shared_bits(&world.shared);
        for state in &world.threads {
            letter |= self.thread_bits(program, state) & self.bits_of(state.block, state.copy);
        }
        let active = &world.threads[thread.index()];
        letter | self.step_bits(program, active, edge) & self.bits_of(active.block, active.copy)
    }

    /// Where it may go from a state with a step, and what that marks.
    pub fn moves(&self, state: u32, letter: Letter) -> Result<Vec<(u32, Marks)>, TooLarge> {
        let field = |seen: &Observation| (letter >> seen.shift) & seen.what.ty().max();
        let values: Vec<u64> = self.observations.iter().map(field).collect();
        let mut moves = Vec::new();
        for edge in &self.states[state as usize].edges {
            let to = (edge.to, edge.marks);
            if !moves.contains(&to) && can_hold(&edge.guard, &View::new(&values, &[]))? {
                moves.push(to);
            }
        }
        Ok(moves)
    }
}

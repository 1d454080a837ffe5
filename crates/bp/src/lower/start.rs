//! Starting threads at run time: hand-over through variables that all threads share.
//!
//! A slot is a thread that waits for something to run. Its variables are `$slotI`, which says what that is, and
//! `$slotI.N`, the arguments. What may be started is numbered; the arguments of different things take the same
//! variables where their types allow it. Slots are taken in order, each once, since only their number matters.

use super::ThreadOptions;
use super::concurrency::{Started, started};
use super::condition;
use super::flow::Flow;
use crate::ast::{Name, Program, Statement};
use crate::check::Checked;
use base::Span;
use rsm::{Action, Expr, NodeId, Place, Type, Variable};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A place where a thread can begin: a function, at its first statement or at that of a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Beginning {
    pub(super) function: u32,
    pub(super) position: Option<u32>,
}

/// What may be started.
pub(super) struct Startable {
    pub(super) begin: Beginning,
    /// The name of the function, or the label.
    pub(super) name: Name,
    /// The first statement that starts it.
    pub(super) statement: Span,
    /// The variables of a slot that hold its arguments.
    arguments: Vec<usize>,
}

/// The variables of a thread that waits for something to run.
pub(super) struct Slot {
    /// What it runs: 0 if nothing yet, n + 1 for startable n.
    code: u32,
    arguments: Vec<u32>,
}

/// Everything that may be started, and the slots for it.
pub(super) struct Starts {
    async_labels: bool,
    pub(super) startables: Vec<Startable>,
    numbers: FxHashMap<Beginning, usize>,
    pub(super) slots: Vec<Slot>,
    /// The type of `$slotI`.
    code: Type,
    /// The types of the arguments of a slot.
    arguments: Vec<Type>,
}

impl Starts {
    /// Finds what a program may start. The variables of the slots come behind its own.
    pub(super) fn new(checked: &Checked, options: ThreadOptions) -> Self {
        let mut starts = Self {
            async_labels: options.async_labels,
            startables: Vec::new(),
            numbers: FxHashMap::default(),
            slots: Vec::new(),
            code: Type::Bool,
            arguments: Vec::new(),
        };
        starts.find(checked);
        let names = starts.startables.iter().map(|startable| startable.shown(checked));
        starts.code = Type::Enum(std::iter::once("$free".to_owned()).chain(names).collect::<Arc<[_]>>());
        starts.place_arguments(checked);
        let n_slots = if starts.startables.is_empty() { 0 } else { options.slots };
        let mut places = checked.shared.variables.len() as u32..;
        let n_arguments = starts.arguments.len();
        let slot = |_| Slot {
            code: places.next().expect("there are places enough"),
            arguments: places.by_ref().take(n_arguments).collect(),
        };
        starts.slots = (0..n_slots).map(slot).collect();
        starts
    }

    /// What a statement starts as a thread, if it does.
    pub(super) fn started<'s>(&self, program: &Program, statement: &'s Statement) -> Option<Started<'s>> {
        started(program, statement, self.async_labels)
    }

    /// Numbers what may be started, in the order of the text.
    fn find(&mut self, checked: &Checked) {
        let program = checked.program();
        for (tree, function) in program.unit.functions.iter().zip(0..) {
            for statement in &tree.body {
                let Some(started) = self.started(program, statement) else { continue };
                let begin = Beginning::new(checked, function, &started);
                let number = self.startables.len();
                if *self.numbers.entry(begin).or_insert(number) == number {
                    let (name, statement) = (begin.name(checked, &started), statement.span);
                    self.startables.push(Startable { begin, name, statement, arguments: Vec::new() });
                }
            }
        }
    }

    /// Gives each argument a variable of its type; those of one startable have different ones.
    fn place_arguments(&mut self, checked: &Checked) {
        let mut by_type: FxHashMap<Type, Vec<usize>> = FxHashMap::default();
        for startable in &mut self.startables {
            let mut n_used: FxHashMap<Type, usize> = FxHashMap::default();
            for ty in startable.parameters(checked) {
                let known = by_type.entry(ty.clone()).or_default();
                let used = n_used.entry(ty.clone()).or_default();
                if *used == known.len() {
                    known.push(self.arguments.len());
                    self.arguments.push(ty);
                }
                startable.arguments.push(known[*used]);
                *used += 1;
            }
        }
    }

    /// The variables of all slots, in the order of their places.
    pub(super) fn variables(&self, span: Span) -> Vec<Variable> {
        let mut variables = Vec::new();
        for slot in 1..=self.slots.len() {
            variables.push(Variable { name: format!("$slot{slot}"), ty: self.code.clone(), span });
            let arguments = self.arguments.iter().zip(1..);
            variables.extend(arguments.map(|(ty, n): (_, usize)| Variable {
                name: format!("$slot{slot}.{n}"),
                ty: ty.clone(),
                span,
            }));
        }
        variables
    }

    /// The variables of each slot; its block comes behind that of `main` and those of the slots before it.
    pub(super) fn hand_over(&self) -> Vec<rsm::Slot> {
        let variables = |slot: &Slot| [&[slot.code], &slot.arguments[..]].concat();
        (1..).zip(&self.slots).map(|(block, slot)| rsm::Slot { block, variables: variables(slot) }).collect()
    }

    /// At the start all slots are free. Nobody reads arguments before they are set; that they start with one value
    /// only keeps the number of initial states small.
    pub(super) fn init(&self) -> Vec<Expr> {
        let mut init = Vec::new();
        for slot in &self.slots {
            init.push(self.runs(slot, 0));
            let arguments = slot.arguments.iter().zip(&self.arguments);
            init.extend(arguments.map(|(place, ty)| is_value(*place, 0, ty)));
        }
        init
    }

    /// The slot runs startable n, as n + 1, or nothing yet, as 0.
    fn runs(&self, slot: &Slot, code: u64) -> Expr {
        is_value(slot.code, code, &self.code)
    }

    /// The slot has been told to run a startable.
    pub(super) fn is_told(&self, slot: &Slot, startable: usize) -> Expr {
        self.runs(slot, startable as u64 + 1)
    }

    /// The arguments that a slot has been given for a startable.
    pub(super) fn given(&self, slot: &Slot, startable: usize) -> Vec<Expr> {
        let arguments = self.startables[startable].arguments.iter();
        arguments.map(|n| condition::global(slot.arguments[*n], &self.arguments[*n])).collect()
    }

    /// The ways to start a thread: it takes the first free slot, or it never runs within the bound and is forgotten.
    pub(super) fn actions(&self, begin: Beginning, values: &[Expr]) -> Vec<Action> {
        let number = self.numbers[&begin];
        let mut actions = Vec::new();
        for (n, slot) in self.slots.iter().enumerate() {
            let is_free = self.runs(slot, 0);
            let is_first = match n.checked_sub(1) {
                Some(before) => condition::and(&is_free, &self.runs(&self.slots[before], 0).negated()),
                None => is_free,
            };
            let code = Expr::constant(number as u64 + 1, self.code.clone());
            let arguments = self.startables[number].arguments.iter().map(|n| slot.arguments[*n]);
            actions.push(Action::Assign {
                targets: std::iter::once(slot.code).chain(arguments).map(Place::Global).collect(),
                values: std::iter::once(code).chain(values.iter().cloned()).collect(),
                constrain: Some(is_first),
            });
        }
        actions.push(Action::Skip);
        actions
    }
}

impl Beginning {
    /// Where a thread begins that a statement of a function starts.
    pub(super) fn new(checked: &Checked, function: u32, started: &Started<'_>) -> Self {
        let unit = &checked.units[0];
        match started {
            Started::Function(call) => Self { function: unit.by_name[&call.callee.symbol], position: None },
            Started::Goto(label) => {
                let position = unit.functions[function as usize].labels[&label.symbol];
                Self { function, position: Some(position) }
            }
        }
    }

    /// The node of its first statement, if the function goes this way.
    pub(super) fn node(self, flow: &Flow) -> NodeId {
        self.position.map_or(NodeId(0), |position| flow.node[position as usize])
    }

    /// The name of the function where it is defined, or the label on its statement.
    fn name(self, checked: &Checked, started: &Started<'_>) -> Name {
        let function = &checked.program().unit.functions[self.function as usize];
        match (self.position, started) {
            (Some(position), Started::Goto(label)) => {
                let mut labels = function.body[position as usize].labels.iter();
                *labels.find(|own| own.symbol == label.symbol).expect("a label stands on its statement")
            }
            _ => function.name,
        }
    }
}

impl Startable {
    /// The types of what it is given: parameters, or all locals if it begins at a label.
    fn parameters(&self, checked: &Checked) -> Vec<Type> {
        let function = &checked.units[0].functions[self.begin.function as usize];
        let n_given = if self.begin.position.is_some() { function.locals.len() } else { function.n_params };
        function.locals[..n_given].iter().map(|local| checked.types.lower(local.ty)).collect()
    }

    /// `f`, or `f:L`
    fn shown(&self, checked: &Checked) -> String {
        let program = checked.program();
        let function = program.text(program.unit.functions[self.begin.function as usize].name);
        match self.begin.position {
            Some(_) => format!("{function}:{}", program.text(self.name)),
            None => function.to_owned(),
        }
    }
}

fn is_value(place: u32, value: u64, ty: &Type) -> Expr {
    condition::equal(&condition::global(place, ty), &Expr::constant(value, ty.clone()))
}

//! Executes code: first with numbers of 64 bits, and when one does not fit, on from there with 128.
//!
//! Both are exact: an instruction whose result does not fit is not executed. Nothing is recursive; the depth of calls is bounded by
//! the memory that the run may use. A state that comes back makes the run infinite; it is looked for as Brent does, by comparing
//! with one remembered state, at the jumps back of which every loop has one.

mod objects;

use crate::bits::{self, Bitwise};
use crate::evaluate::Undefined;
use crate::explore::cells::Full;
use crate::explore::code::{Address, Cell, Code, Instruction};
use crate::explore::heap::Heap;
use crate::number::Type;
use crate::program::{EdgeId, FunctionId, Goal, InputId, UnknownId};
use crate::trace::End;
use base::Stop;

/// Who chooses the inputs of a run.
pub(crate) trait Choices {
    /// A number of the type, or nothing more.
    fn choose(&mut self, input: InputId) -> Option<i128>;
}

/// Why a run is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Halt {
    End(End),
    /// A state has come back; it was first there after so many inputs.
    Infinite {
        before: usize,
    },
}

/// What a run may use.
#[derive(Clone, Copy)]
pub(crate) struct Allowance<'s> {
    /// Instructions, in all.
    pub(crate) instructions: u64,
    /// Cells of memory.
    pub(crate) cells: usize,
    /// The targets at which the run is over.
    pub(crate) goal: Goal,
    /// A request to stop.
    pub(crate) stop: &'s Stop,
    /// Is told now and then how many steps were executed.
    pub(crate) tell: &'s dyn Fn(u64),
}

/// Making so many cells is as much work as an instruction.
const CELLS: u64 = 4;

/// So many instructions are executed between two looks at the request to stop.
const POLL: u64 = 1 << 20;

/// How a run went.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    pub(crate) halt: Halt,
    pub(crate) inputs: Vec<i128>,
    /// The first result that did not fit its type.
    pub(crate) overflow: Option<(Type, FunctionId, EdgeId)>,
    pub(crate) instructions: u64,
    pub(crate) n_steps: u64,
    /// What the globals hold at the end, where it is known.
    pub(crate) globals: Vec<Option<i128>>,
    /// Where the first object on the heap was allocated that is left when `main` returns, and the first of them that no pointer leads to.
    pub(crate) unfreed: Option<(FunctionId, EdgeId)>,
    pub(crate) lost: Option<(FunctionId, EdgeId)>,
    /// Whether an object on the heap is left, however the run ended.
    pub(crate) has_rest: bool,
}

/// Runs the program once.
pub(crate) fn run(code: &Code, choices: &mut dyn Choices, allowance: Allowance) -> Report {
    let small = code.fixed.iter().map(|&number| i64::try_from(number));
    // Pointers are wide.
    let outcome = match small.collect::<Result<Vec<i64>, _>>() {
        Ok(memory) if code.layouts.is_none() => Machine::new(code, memory).start(choices, allowance),
        _ => return finish(Machine::new(code, code.fixed.clone()).start(choices, allowance)),
    };
    match outcome {
        (Pause::Halt(halt), machine) => machine.report(halt),
        (Pause::Outgrown, machine) => finish(machine.widened().start(choices, allowance)),
    }
}

fn finish(outcome: (Pause, Machine<'_, i128>)) -> Report {
    match outcome {
        (Pause::Halt(halt), machine) => machine.report(halt),
        (Pause::Outgrown, machine) => {
            let (function, edge) = machine.origin();
            machine.report(Halt::End(End::Undefined(Undefined::TooLarge, function, edge)))
        }
    }
}

/// The numbers of a machine.
trait Number: Copy + Ord + Into<i128> + TryFrom<i128> {
    const ZERO: Self;
    const ONE: Self;
    fn negate(self) -> Option<Self>;
    fn add(self, other: Self) -> Option<Self>;
    fn subtract(self, other: Self) -> Option<Self>;
    fn multiply(self, other: Self) -> Option<Self>;
    /// Quotient and remainder by a number that is not 0.
    fn divide(self, other: Self) -> Option<(Self, Self)>;
    fn bits(self, bitwise: Bitwise, other: Self) -> Self;
}

macro_rules! number {
    ($($name:ident)+) => {$(
        impl Number for $name {
            const ZERO: Self = 0;
            const ONE: Self = 1;
            fn negate(self) -> Option<Self> {
                self.checked_neg()
            }
            fn add(self, other: Self) -> Option<Self> {
                self.checked_add(other)
            }
            fn subtract(self, other: Self) -> Option<Self> {
                self.checked_sub(other)
            }
            fn multiply(self, other: Self) -> Option<Self> {
                self.checked_mul(other)
            }
            fn divide(self, other: Self) -> Option<(Self, Self)> {
                let quotient = self.checked_div(other)?;
                Some((quotient, self - quotient * other))
            }
            fn bits(self, bitwise: Bitwise, other: Self) -> Self {
                match bitwise {
                    Bitwise::And => self & other,
                    Bitwise::Or => self | other,
                    Bitwise::Xor => self ^ other,
                }
            }
        }
    )+};
}

number!(i64 i128);

/// Why the machine does not go on.
enum Pause {
    Halt(Halt),
    /// The result of the next instruction does not fit.
    Outgrown,
}

/// A state that may come back.
struct Snapshot<N> {
    at: Address,
    base: usize,
    n_calls: usize,
    memory: Vec<N>,
    unknown: Vec<u32>,
    calls: Vec<(Address, usize)>,
    heap: Heap,
    n_inputs: usize,
}

/// An activation that has not returned: the function, what it was called with, and how many others wait for it.
struct Activation<N> {
    at: Address,
    n_calls: usize,
    globals: Vec<N>,
    args: Vec<N>,
    /// How often memory had changed.
    version: u64,
    n_inputs: usize,
}

struct Machine<'c, N> {
    code: &'c Code,
    memory: Vec<N>,
    /// For each cell, 0 if its number is known, and otherwise 1 more than what makes it unknown. Empty if all are known.
    unknown: Vec<u32>,
    next: Address,
    base: usize,
    /// Where to go on after a return, and with which frame.
    calls: Vec<(Address, usize)>,
    /// The objects.
    heap: Heap,
    inputs: Vec<i128>,
    overflow: Option<(Type, FunctionId, EdgeId)>,
    executed: u64,
    /// Steps of the program that are done.
    n_steps: u64,
    snapshot: Option<Snapshot<N>>,
    activation: Option<Activation<N>>,
    /// When the next activation is remembered.
    remember_call: u64,
    /// When the next state is remembered.
    remember: u64,
    /// When the limits are looked at next.
    look: u64,
}

impl<'c, N: Number> Machine<'c, N> {
    fn new(code: &'c Code, memory: Vec<N>) -> Self {
        let base = memory.len();
        let mut unknown = Vec::new();
        if code.has_unknowns {
            unknown.resize(base, 0);
            for &(cell, id) in &code.unknown_globals {
                unknown[cell] = id.0 + 1;
            }
        }
        Self {
            code,
            memory,
            unknown,
            next: code.main,
            base,
            calls: Vec::new(),
            heap: code
                .layouts
                .as_ref()
                .map(|layouts| Heap::new(layouts, code.has_unknowns))
                .unwrap_or_default(),
            inputs: Vec::new(),
            overflow: None,
            executed: 0,
            n_steps: 0,
            snapshot: None,
            activation: None,
            remember_call: 64,
            remember: 64,
            look: 0,
        }
    }

    fn start(mut self, choices: &mut dyn Choices, allowance: Allowance) -> (Pause, Self) {
        let is_too_large = self.code.layouts.as_ref().is_some_and(|layouts| layouts.is_too_large);
        let pause = if is_too_large || self.heap.limit(allowance.cells).is_err() {
            Full.into()
        } else if self.code.has_unknowns {
            self.execute::<true>(choices, allowance)
        } else {
            self.execute::<false>(choices, allowance)
        };
        (pause, self)
    }

    fn report(mut self, halt: Halt) -> Report {
        let globals = (self.code.first_global..self.code.fixed.len()).map(|cell| {
            let is_known = self.unknown.get(cell).is_none_or(|mark| *mark == 0);
            is_known.then(|| self.memory[cell].into())
        });
        let globals = globals.collect();
        let (unfreed, lost) = match halt {
            Halt::End(End::Returned) => {
                self.heap.leave(0);
                (self.heap.unfreed(), self.lost())
            }
            _ => (None, None),
        };
        let has_rest = self.heap.unfreed().is_some();
        let instructions = self.executed + self.heap.n_grown / CELLS;
        let (inputs, overflow, n_steps) = (self.inputs, self.overflow, self.n_steps);
        Report { halt, inputs, overflow, instructions, n_steps, globals, unfreed, lost, has_rest }
    }

    /// What the next instruction belongs to.
    fn origin(&self) -> (FunctionId, EdgeId) {
        self.code.origin[self.next as usize]
    }

    fn get(&self, cell: Cell) -> N {
        self.memory[cell.at(self.base)]
    }

    fn set(&mut self, cell: Cell, number: N) {
        let at = cell.at(self.base);
        self.memory[at] = number;
    }

    /// Whether one of the cells is unknown; if so, what was to be computed of them is, too.
    fn spreads(&mut self, to: Cell, from: &[Cell]) -> bool {
        let mark = from.iter().map(|cell| self.unknown[cell.at(self.base)]).find(|mark| *mark != 0);
        self.unknown[to.at(self.base)] = mark.unwrap_or(0);
        if mark.is_some() {
            self.set(to, N::ZERO);
        }
        mark.is_some()
    }

    /// Pauses if one of the cells is unknown: then nobody can say where the run goes.
    #[inline]
    fn sure<const UNKNOWNS: bool>(&self, cells: &[Cell]) -> Result<(), Pause> {
        if !UNKNOWNS {
            return Ok(());
        }
        match cells.iter().map(|cell| self.unknown[cell.at(self.base)]).find(|mark| *mark != 0) {
            Some(mark) => Err(Pause::Halt(Halt::End(End::Unknown(UnknownId(mark - 1))))),
            None => Ok(()),
        }
    }

    /// Executes instructions until there is a reason to pause. `next` is the instruction that paused.
    fn execute<const UNKNOWNS: bool>(&mut self, choices: &mut dyn Choices, allowance: Allowance) -> Pause {
        // An operation of which an operand is unknown computes nothing.
        macro_rules! compute {
            ($to:expr, [$($from:expr),+], $result:expr) => {{
                if !UNKNOWNS || !self.spreads($to, &[$($from),+]) {
                    match $result {
                        Some(number) => self.set($to, number),
                        None => return Pause::Outgrown,
                    }
                }
            }};
        }
        macro_rules! attempt {
            ($done:expr) => {
                if let Err(pause) = $done {
                    return pause;
                }
            };
        }
        macro_rules! go {
            ($to:expr) => {{
                self.next = $to;
                continue;
            }};
        }
        loop {
            self.executed += 1;
            match self.code.instructions[self.next as usize] {
                Instruction::Move(to, a) => compute!(to, [a], Some(self.get(a))),
                Instruction::Negate(to, a) => compute!(to, [a], self.get(a).negate()),
                Instruction::Add(to, a, b) => compute!(to, [a, b], self.get(a).add(self.get(b))),
                Instruction::Subtract(to, a, b) => compute!(to, [a, b], self.get(a).subtract(self.get(b))),
                Instruction::Multiply(to, a, b) => compute!(to, [a, b], self.get(a).multiply(self.get(b))),
                Instruction::MultiplyWrap(to, a, b, ty) => {
                    compute!(to, [a, b], multiply_wrap(ty, self.get(a), self.get(b)));
                }
                Instruction::Compare(relation, to, a, b) => {
                    compute!(to, [a, b], Some(truth(relation.holds(self.get(a), self.get(b)))));
                }
                Instruction::Not(to, a) => compute!(to, [a], Some(truth(self.get(a) == N::ZERO))),
                Instruction::Wrap(to, a, ty) => compute!(to, [a], wrap(ty, self.get(a))),
                Instruction::Divide(to, a, b)
                | Instruction::Remainder(to, a, b, _)
                | Instruction::ShiftLeft(to, a, b, _)
                | Instruction::ShiftRight(to, a, b, _) => {
                    if !UNKNOWNS || !self.spreads(to, &[a, b]) {
                        attempt!(self.divide(a, b).map(|number| self.set(to, number)));
                    }
                }
                Instruction::Bits(bitwise, to, a, b) => {
                    compute!(to, [a, b], Some(self.get(a).bits(bitwise, self.get(b))));
                }
                Instruction::Within(a, ty) => self.within(ty, self.get(a)),
                Instruction::Unless(relation, a, b, to) => {
                    attempt!(self.sure::<UNKNOWNS>(&[a, b]));
                    if !relation.holds(self.get(a), self.get(b)) {
                        go!(to);
                    }
                }
                Instruction::If(wanted, a, to) => {
                    attempt!(self.sure::<UNKNOWNS>(&[a]));
                    if (self.get(a) != N::ZERO) == wanted {
                        go!(to);
                    }
                }
                Instruction::Jump(to) => {
                    self.n_steps += 1;
                    go!(to);
                }
                Instruction::Skip(to) => go!(to),
                Instruction::Load(to, a, region) => attempt!(self.load::<UNKNOWNS>(to, a, region, choices)),
                Instruction::Store(a, value, region) => attempt!(self.store::<UNKNOWNS>(a, value, region)),
                rare => match self.control::<UNKNOWNS>(rare, choices, &allowance) {
                    Ok(next) => go!(next),
                    Err(pause) => return pause,
                },
            }
            self.next += 1;
        }
    }

    /// Calls, returns, loops, inputs and ends; gives the next instruction.
    fn control<const UNKNOWNS: bool>(
        &mut self,
        instruction: Instruction,
        choices: &mut dyn Choices,
        allowance: &Allowance,
    ) -> Result<Address, Pause> {
        let halt = |halt| Err(Pause::Halt(halt));
        match instruction {
            Instruction::Back(to, n_locals) => {
                self.n_steps += 1;
                self.poll(allowance)?;
                if let Some(before) = self.recurs(to, n_locals as usize) {
                    return halt(Halt::Infinite { before });
                }
                return Ok(to);
            }
            Instruction::Call(to, cells) => {
                self.poll(allowance)?;
                self.calls.push((self.next + 1, self.base));
                self.base += cells as usize;
                return Ok(to);
            }
            Instruction::Enter { cells, zero } => {
                let end = self.base + cells as usize + self.code.max_params;
                if end > allowance.cells {
                    return halt(Halt::End(End::StepLimit));
                }
                if !UNKNOWNS && let Some(before) = self.recurs_deeper(zero.0 as usize) {
                    return halt(Halt::Infinite { before });
                }
                if end > self.memory.len() {
                    self.memory.resize(end.max(2 * self.memory.len()), N::ZERO);
                }
                let zero = self.base + zero.0 as usize..self.base + zero.1 as usize;
                self.memory[zero.clone()].fill(N::ZERO);
                if UNKNOWNS {
                    self.unknown.resize(self.memory.len(), 0);
                    self.unknown[zero].fill(0);
                }
            }
            Instruction::Return => match self.calls.pop() {
                Some((next, base)) => {
                    self.n_steps += 1;
                    self.base = base;
                    self.heap.leave(self.calls.len() + 1);
                    if self.activation.as_ref().is_some_and(|old| self.calls.len() < old.n_calls) {
                        self.activation = None;
                        self.remember_call = self.executed;
                    }
                    return Ok(next);
                }
                None => return halt(Halt::End(End::Returned)),
            },
            Instruction::Input(to, input) => self.input::<UNKNOWNS>(to, input, choices)?,
            Instruction::Unknown(to, id) => {
                self.set(to, N::ZERO);
                self.unknown[to.at(self.base)] = id.0 + 1;
            }
            Instruction::Target(target) => {
                if allowance.goal.includes(target) {
                    return halt(Halt::End(End::Target(target)));
                }
            }
            Instruction::Misuse(_) | Instruction::Initialised(_) | Instruction::Member(..) => {
                self.with_pointers::<UNKNOWNS>(instruction)?;
            }
            Instruction::Difference(..) => self.with_pointers::<UNKNOWNS>(instruction)?,
            Instruction::Manage(n) => self.manage(n as usize, choices)?,
            Instruction::Stop => return halt(Halt::End(End::Stopped)),
            Instruction::Blocked(function, node) => return halt(Halt::End(End::Blocked(function, node))),
            other => unreachable!("{other:?} is executed in the main loop"),
        }
        Ok(self.next + 1)
    }

    /// The environment chooses.
    fn input<const UNKNOWNS: bool>(
        &mut self,
        to: Cell,
        input: InputId,
        choices: &mut dyn Choices,
    ) -> Result<(), Pause> {
        let Some(number) = choices.choose(input) else {
            return Err(Pause::Halt(Halt::End(End::NoInput(input))));
        };
        self.inputs.push(number);
        // The choice is kept even if it does not fit here: it is stored when the machine has been widened.
        let Ok(narrow) = N::try_from(number) else { return Err(Pause::Outgrown) };
        self.set(to, narrow);
        if UNKNOWNS {
            self.unknown[to.at(self.base)] = 0;
        }
        Ok(())
    }

    /// The run ends: the present edge computes something undefined.
    fn undefined(&self, undefined: Undefined) -> Halt {
        let (function, edge) = self.origin();
        Halt::End(End::Undefined(undefined, function, edge))
    }

    /// The quotient, the remainder or the shifted number, as the next instruction says.
    fn divide(&mut self, a: Cell, b: Cell) -> Result<N, Pause> {
        if let Instruction::ShiftLeft(.., ty) | Instruction::ShiftRight(.., ty) =
            self.code.instructions[self.next as usize]
        {
            return self.shift(a, b, ty);
        }
        let (left, right) = (self.get(a), self.get(b));
        if right == N::ZERO {
            return Err(Pause::Halt(self.undefined(Undefined::Division)));
        }
        let (quotient, remainder) = left.divide(right).ok_or(Pause::Outgrown)?;
        if let Instruction::Remainder(.., ty) = self.code.instructions[self.next as usize] {
            if !contains(ty, quotient) {
                self.note_overflow(ty);
            }
            return Ok(remainder);
        }
        Ok(quotient)
    }

    /// A shift, as the next instruction says.
    fn shift(&mut self, a: Cell, b: Cell, ty: Type) -> Result<N, Pause> {
        let (number, distance): (i128, i128) = (self.get(a).into(), self.get(b).into());
        if !bits::is_distance(ty, distance) {
            let (function, edge) = self.origin();
            return Err(Pause::Halt(Halt::End(End::Undefined(Undefined::Shift, function, edge))));
        }
        if let Instruction::ShiftRight(..) = self.code.instructions[self.next as usize] {
            return N::try_from(bits::right(number, distance)).map_err(|_| Pause::Outgrown);
        }
        if ty.signed && number < 0 {
            self.note_overflow(ty);
        }
        let shifted = bits::left(number, distance).and_then(|shifted| N::try_from(shifted).ok());
        shifted.ok_or(Pause::Outgrown)
    }

    /// Looks at the limit, and now and then at the request to stop.
    fn poll(&mut self, allowance: &Allowance) -> Result<(), Pause> {
        if self.executed < self.look {
            return Ok(());
        }
        if self.executed >= allowance.instructions || allowance.stop.requested().is_some() {
            return Err(Pause::Halt(Halt::End(End::StepLimit)));
        }
        (allowance.tell)(self.n_steps);
        self.look = allowance.instructions.min(self.executed + POLL);
        Ok(())
    }

    /// Notes an overflow, if the number does not fit.
    #[inline]
    fn within(&mut self, ty: Type, number: N) {
        if !contains(ty, number) {
            self.note_overflow(ty);
        }
    }

    #[cold]
    fn note_overflow(&mut self, ty: Type) {
        let (function, edge) = self.origin();
        self.overflow.get_or_insert((ty, function, edge));
    }

    /// Whether the state was there before; if so, after how many inputs.
    fn recurs(&mut self, at: Address, n_locals: usize) -> Option<usize> {
        let state = self.code.first_global..self.base + n_locals;
        if let Some(old) = &self.snapshot
            && old.at == at
            && old.base == self.base
            && old.n_calls == self.calls.len()
            && old.memory == self.memory[state.clone()]
            && old.unknown == *self.unknown.get(state.clone()).unwrap_or_default()
            && old.calls == self.calls
            && old.heap == self.heap
        {
            return Some(old.n_inputs);
        }
        // What is copied has been paid for by then.
        if self.executed >= self.remember.max(self.heap.n_cells as u64) {
            self.remember = 2 * self.executed;
            self.snapshot = Some(Snapshot {
                at,
                base: self.base,
                n_calls: self.calls.len(),
                memory: self.memory[state.clone()].to_vec(),
                unknown: self.unknown.get(state).unwrap_or_default().to_vec(),
                calls: self.calls.clone(),
                heap: self.heap.clone(),
                n_inputs: self.inputs.len(),
            });
        }
        None
    }
}

impl<N: Number> Machine<'_, N> {
    /// Whether a function calls itself with what it was called with, while it waits: then it does so for ever. If so, after how
    /// many inputs it began.
    fn recurs_deeper(&mut self, n_params: usize) -> Option<usize> {
        let globals = self.code.first_global..self.code.fixed.len();
        let args = self.base..self.base + n_params;
        if let Some(old) = &self.activation
            && old.at == self.next
            && old.n_calls < self.calls.len()
            && old.args == self.memory[args.clone()]
            && old.globals == self.memory[globals.clone()]
            && old.version == self.heap.version
        {
            return Some(old.n_inputs);
        }
        if self.executed >= self.remember_call && self.memory.len() >= args.end {
            self.remember_call = 2 * self.executed;
            self.activation = Some(Activation {
                at: self.next,
                n_calls: self.calls.len(),
                globals: self.memory[globals].to_vec(),
                args: self.memory[args].to_vec(),
                version: self.heap.version,
                n_inputs: self.inputs.len(),
            });
        }
        None
    }
}

impl<'c> Machine<'c, i64> {
    /// The same state with wider numbers.
    fn widened(self) -> Machine<'c, i128> {
        let mut machine = Machine {
            code: self.code,
            memory: self.memory.iter().map(|&number| number.into()).collect(),
            unknown: self.unknown,
            next: self.next,
            base: self.base,
            calls: self.calls,
            heap: self.heap,
            inputs: self.inputs,
            overflow: self.overflow,
            executed: self.executed,
            n_steps: self.n_steps,
            snapshot: None,
            activation: None,
            remember_call: 2 * self.executed,
            remember: 2 * self.executed,
            look: 0,
        };
        // An input that was too wide has been chosen already.
        if let Instruction::Input(to, _) = machine.code.instructions[machine.next as usize] {
            let number = *machine.inputs.last().expect("it was chosen");
            machine.set(to, number);
            if machine.code.has_unknowns {
                let at = to.at(machine.base);
                machine.unknown[at] = 0;
            }
            machine.next += 1;
        }
        machine
    }
}

fn truth<N: Number>(value: bool) -> N {
    if value { N::ONE } else { N::ZERO }
}

fn contains<N: Number>(ty: Type, number: N) -> bool {
    ty.contains(number.into())
}

/// The number modulo the size of the type, if it fits.
fn wrap<N: Number>(ty: Type, number: N) -> Option<N> {
    N::try_from(ty.wrap(number.into())).ok()
}

/// The product modulo the size of the type, if it fits.
fn multiply_wrap<N: Number>(ty: Type, left: N, right: N) -> Option<N> {
    let (left, right): (i128, i128) = (left.into(), right.into());
    N::try_from(ty.wrap(left.wrapping_mul(right))).ok()
}

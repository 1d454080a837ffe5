//! From a program to code: node by node, each edge a guard, the new values, and a jump.

use crate::explore::code::{Address, Cell, Code, Instruction, Managed};
use crate::explore::heap::Layouts;
use crate::expr::{Expr, Op};
use crate::memory::{self, Lifetime, Manage, ObjectId};
use crate::number::Type;
use crate::program::{
    Action, Edge, EdgeId, Function, FunctionId, NodeId, Place, Program, Role, Start, Step, UnknownId,
};
use rustc_hash::FxHashMap;

/// Compiles all functions that `main` may call.
pub(crate) fn compile(program: &Program) -> Code {
    let constants = constants(program);
    let n_constants = constants.len();
    let mut fixed = constants.clone();
    let mut unknown_globals = Vec::new();
    for (n, global) in program.globals.iter().enumerate() {
        fixed.push(match global.start {
            Start::Number(number) => number,
            Start::Pointer(object, offset) => memory::first(object) + i128::from(offset),
            Start::Unknown(unknown) => {
                unknown_globals.push((n_constants + n, unknown));
                0
            }
        });
    }
    let code = Code {
        instructions: Vec::new(),
        origin: Vec::new(),
        fixed,
        first_global: n_constants,
        unknown_globals,
        main: 0,
        max_params: program.functions.iter().map(|function| function.n_params).max().unwrap_or(0),
        has_unknowns: !program.unknowns.is_empty(),
        members: Vec::new(),
        manages: Vec::new(),
        layouts: program.uses_memory().then(|| Layouts::new(&program.memory, !program.unknowns.is_empty())),
        uninitialised: program.memory.regions.iter().map(|region| region.uninitialised).collect(),
        pointers: pointers(program, n_constants),
    };
    let constants = constants.into_iter().zip(0..).collect();
    let entries = vec![None; program.functions.len()];
    let mut compiler = Compiler { program, constants, code, entries, calls: Vec::new() };
    compiler.functions();
    compiler.code
}

/// Where the globals are that hold pointers.
fn pointers(program: &Program, first: usize) -> Vec<usize> {
    let globals = program.globals.iter().zip(first..);
    globals.filter(|(global, _)| global.variable.ty == Type::POINTER).map(|(_, cell)| cell).collect()
}

/// The numbers that occur, each once.
fn constants(program: &Program) -> Vec<i128> {
    let mut constants = vec![0, 1];
    for edge in program.functions.iter().flat_map(|function| &function.edges) {
        // Taking a guard apart computes what is constant in it.
        let parts = match &edge.action {
            Action::Step(step) => conjuncts(&step.guard),
            Action::Call { .. } | Action::Manage(_) => Vec::new(),
        };
        let exprs: Vec<&Expr> = match &edge.action {
            Action::Step(step) => step.exprs().chain(&parts).collect(),
            Action::Call { args, .. } => args.iter().collect(),
            Action::Manage(manage) => manage.exprs(),
        };
        for op in exprs.iter().flat_map(|expr| expr.code()) {
            match op {
                Op::Constant(number) | Op::BitsWith(_, number) => constants.push(*number),
                Op::Object(object) => constants.push(memory::first(*object)),
                _ => {}
            }
        }
    }
    constants.sort_unstable();
    constants.dedup();
    constants
}

struct Compiler<'p> {
    program: &'p Program,
    /// Where each constant is.
    constants: FxHashMap<i128, usize>,
    code: Code,
    /// Where each function begins, if it is compiled.
    entries: Vec<Option<Address>>,
    /// Calls whose address is not known yet.
    calls: Vec<(Address, FunctionId)>,
}

impl<'p> Compiler<'p> {
    fn functions(&mut self) {
        let mut pending = vec![self.program.main];
        while let Some(id) = pending.pop() {
            if self.entries[id.index()].is_some() {
                continue;
            }
            self.entries[id.index()] = Some(self.here());
            let function = self.program.function(id);
            let n_calls = self.calls.len();
            let mut body = Body {
                id,
                function,
                addresses: vec![None; function.nodes.len()],
                jumps: Vec::new(),
                n_cells: function.locals.len(),
                edge: EdgeId(0),
            };
            self.body(&mut body);
            pending.extend(self.calls[n_calls..].iter().map(|(_, callee)| *callee));
        }
        for (at, callee) in std::mem::take(&mut self.calls) {
            let entry = self.entries[callee.index()].expect("what is called is compiled");
            if let Instruction::Call(address, _) = &mut self.code.instructions[at as usize] {
                *address = entry;
            }
        }
        self.code.main = self.entries[self.program.main.index()].expect("`main` is compiled");
    }

    fn body(&mut self, body: &mut Body<'p>) {
        let function = body.function;
        let enter = self.here();
        let n_locals = function.locals.len() as u32;
        let zero = (function.n_params as u32, n_locals);
        self.emit(body, Instruction::Enter { cells: 0, zero });
        let mut pending = vec![function.entry];
        while let Some(node) = pending.pop() {
            if body.addresses[node.index()].is_none() {
                self.node(body, node, &mut pending);
            }
        }
        for (at, node) in std::mem::take(&mut body.jumps) {
            let to = body.addresses[node.index()].expect("every node that is jumped to is compiled");
            self.retarget(at, to);
        }
        // The frame of a callee starts behind all intermediate results.
        let cells = body.n_cells as u32;
        for instruction in &mut self.code.instructions[enter as usize..] {
            match instruction {
                Instruction::Enter { cells: n, .. } => *n = cells,
                Instruction::Call(_, n) => *n = cells,
                _ => {}
            }
        }
        self.next_frame(enter, cells);
    }

    /// Cells of the next frame, which were named before the size of the present one was known, get their positions.
    fn next_frame(&mut self, first: Address, cells: u32) {
        let settle = |cell: &mut Cell| {
            if cell.0 & NEXT != 0 {
                *cell = Cell::local((cell.0 & !NEXT) as usize + cells as usize);
            }
        };
        for instruction in &mut self.code.instructions[first as usize..] {
            if let Instruction::Move(to, from) = instruction {
                settle(to);
                settle(from);
            }
        }
    }

    /// A node and whatever follows it in a line.
    fn node(&mut self, body: &mut Body<'p>, node: NodeId, pending: &mut Vec<NodeId>) {
        body.addresses[node.index()] = Some(self.here());
        if node == body.function.exit {
            self.end_locals(body);
            self.emit(body, Instruction::Return);
            return;
        }
        let edges: Vec<(EdgeId, &Edge)> = body.function.edges_from(node).collect();
        match body.function.node(node).role {
            Role::Target(target) => {
                self.emit(body, Instruction::Target(target));
                if edges.is_empty() {
                    self.emit(body, Instruction::Stop);
                }
            }
            Role::Stop if edges.is_empty() => self.emit(body, Instruction::Stop),
            Role::Stop | Role::Plain => {}
        }
        let mut is_total = false;
        for (n, (id, edge)) in edges.iter().enumerate() {
            body.edge = *id;
            let failing = match &edge.action {
                Action::Step(step) => {
                    let is_other = n == 1 && edges.len() == 2 && is_complement(edges[0].1, step);
                    is_total |= is_other;
                    self.step(body, step, is_other)
                }
                Action::Call { callee, args, result } => {
                    self.call(body, *callee, args, *result);
                    Vec::new()
                }
                Action::Manage(manage) => {
                    self.manage(body, manage);
                    Vec::new()
                }
            };
            is_total |= failing.is_empty();
            self.jump(body, edge.to, pending);
            let here = self.here();
            failing.into_iter().for_each(|at| self.retarget(at, here));
        }
        if !is_total {
            self.emit(body, Instruction::Blocked(body.id, node));
        }
    }

    /// Goes on at a node.
    fn jump(&mut self, body: &mut Body<'p>, to: NodeId, pending: &mut Vec<NodeId>) {
        let instruction = match body.addresses[to.index()] {
            Some(address) => Instruction::Back(address, body.function.locals.len() as u32),
            None => {
                body.jumps.push((self.here(), to));
                pending.push(to);
                Instruction::Jump(0)
            }
        };
        self.emit(body, instruction);
    }

    /// The guard, the new values and where they go; gives the jumps that are taken where the guard does not hold.
    fn step(&mut self, body: &mut Body<'p>, step: &Step, holds: bool) -> Vec<Address> {
        let mut symbols = Symbols { inputs: Vec::new(), step };
        let mut top = body.function.locals.len();
        for &input in &step.inputs {
            let cell = Cell::local(top);
            top += 1;
            body.n_cells = body.n_cells.max(top);
            self.emit(body, Instruction::Input(cell, input));
            symbols.inputs.push(cell);
        }
        let mut failing = Vec::new();
        if !holds {
            failing = self.guard(body, &step.guard, &symbols, top);
        }
        if let ([(place, value)], []) = (&step.updates[..], &step.stores[..]) {
            let to = self.place(*place);
            self.value(body, value, &symbols, top, Some(to));
            return failing;
        }
        // All values are computed before the first is stored.
        let mut compute = |compiler: &mut Self, value: &Expr| {
            let cell = Cell::local(top);
            top += 1;
            body.n_cells = body.n_cells.max(top);
            compiler.value(body, value, &symbols, top, Some(cell))
        };
        let values: Vec<Cell> = step.updates.iter().map(|(_, value)| compute(self, value)).collect();
        let stored: Vec<(Cell, Cell)> = step
            .stores
            .iter()
            .map(|(_, pointer, value)| (compute(self, pointer), compute(self, value)))
            .collect();
        for ((region, ..), (pointer, value)) in step.stores.iter().zip(stored) {
            self.emit(body, Instruction::Store(pointer, value, *region));
        }
        for ((place, _), value) in step.updates.iter().zip(values) {
            let to = self.place(*place);
            self.emit(body, Instruction::Move(to, value));
        }
        failing
    }

    /// Something is done to objects.
    fn manage(&mut self, body: &mut Body<'p>, manage: &Manage) {
        let step = Step::new(Expr::truth(true), Vec::new());
        let symbols = Symbols { inputs: Vec::new(), step: &step };
        let mut top = body.function.locals.len();
        let mut operands = Vec::new();
        for expr in manage.exprs() {
            let cell = Cell::local(top);
            top += 1;
            body.n_cells = body.n_cells.max(top);
            operands.push(self.value(body, expr, &symbols, top, Some(cell)));
        }
        let result = manage.result().map(|place| self.place(place));
        self.managed(body, Managed { manage: manage.clone(), operands, result });
    }

    fn managed(&mut self, body: &Body<'p>, managed: Managed) {
        self.code.manages.push(managed);
        self.emit(body, Instruction::Manage(self.code.manages.len() as u32 - 1));
    }

    /// The function returns: its objects end.
    fn end_locals(&mut self, body: &Body<'p>) {
        if self.code.layouts.is_none() {
            return;
        }
        for (n, object) in self.program.memory.objects.iter().enumerate() {
            if object.lifetime == Lifetime::Local(body.id) {
                let manage = Manage::End(ObjectId::new(n));
                self.managed(body, Managed { manage, operands: Vec::new(), result: None });
            }
        }
    }

    /// Jumps away where the formula does not hold.
    fn guard(&mut self, body: &mut Body<'p>, guard: &Expr, symbols: &Symbols, top: usize) -> Vec<Address> {
        let mut failing = Vec::new();
        for conjunct in conjuncts(guard) {
            let code = conjunct.code();
            match code {
                [Op::Truth(true)] => {}
                // A comparison of leaves is one instruction.
                [left, right, Op::Compare(relation)] if is_leaf(*left) && is_leaf(*right) => {
                    let left = self.leaf(body, *left, symbols, top);
                    let right = self.leaf(body, *right, symbols, top + 1);
                    failing.push(self.here());
                    self.emit(body, Instruction::Unless(*relation, left, right, 0));
                }
                _ => {
                    let cell = self.value(body, &conjunct, symbols, top, None);
                    failing.push(self.here());
                    self.emit(body, Instruction::If(false, cell, 0));
                }
            }
        }
        failing
    }

    fn call(&mut self, body: &mut Body<'p>, callee: FunctionId, args: &[Expr], result: Option<Place>) {
        let step = Step::new(Expr::truth(true), Vec::new());
        let symbols = Symbols { inputs: Vec::new(), step: &step };
        let top = body.function.locals.len();
        for (n, arg) in args.iter().enumerate() {
            // Arguments are not read by anything before the call, so they can go where they belong at once.
            let cell = self.value(body, arg, &symbols, top, None);
            self.emit(body, Instruction::Move(Cell(n as u32 | NEXT), cell));
        }
        self.calls.push((self.here(), callee));
        self.emit(body, Instruction::Call(0, 0));
        if let Some(place) = result {
            let position = self.program.function(callee).result.expect("a function with a result");
            let to = self.place(place);
            self.emit(body, Instruction::Move(to, Cell(position | NEXT)));
        }
    }

    /// Computes a value, into a cell if one is given, and says where it is. Cells of the frame from `top` on are free.
    fn value(
        &mut self,
        body: &mut Body<'p>,
        expr: &Expr,
        symbols: &Symbols,
        top: usize,
        into: Option<Cell>,
    ) -> Cell {
        let last = expr.code().len() - 1;
        let is_check = matches!(expr.root(), Op::Within(_) | Op::Number | Op::Initialised);
        let mut stack: Vec<Cell> = Vec::new();
        let mut waiting: Vec<Vec<Lazy>> = lazy(expr);
        let mut jumps: FxHashMap<usize, Vec<Address>> = FxHashMap::default();
        for (position, &op) in expr.code().iter().enumerate() {
            let first = stack.len() - op.n_operands();
            let free = Cell::local(top + first);
            body.n_cells = body.n_cells.max(top + first + 1);
            // The target may be read by the expression, so only its last operation stores there.
            let reduced = match expr.code().get(position + 1) {
                Some(Op::Wrap(ty)) if op == Op::Multiply => Some(*ty),
                _ => None,
            };
            let is_last = position == last || (position + 1 == last && (is_check || reduced.is_some()));
            let to = into.filter(|_| is_last).unwrap_or(free);
            let cell = match op {
                _ if is_leaf(op) => self.leaf(body, op, symbols, top + first),
                Op::And | Op::Or | Op::Choose => free,
                // The product has been reduced already.
                Op::Wrap(_) if expr.code()[position - 1] == Op::Multiply => stack[first],
                _ => {
                    match reduced {
                        Some(ty) => {
                            let product = Instruction::MultiplyWrap(to, stack[first], stack[first + 1], ty);
                            self.emit(body, product);
                        }
                        None => self.operation(body, op, to, &stack[first..]),
                    }
                    if matches!(op, Op::Within(_) | Op::Number | Op::Initialised) { stack[first] } else { to }
                }
            };
            stack.truncate(first);
            stack.push(cell);
            let here = self.here();
            for at in jumps.remove(&position).unwrap_or_default() {
                self.retarget(at, here);
            }
            for lazy in std::mem::take(&mut waiting[position]) {
                let slot = Cell::local(top + lazy.slot);
                self.lazy(body, &lazy, slot, stack[stack.len() - 1], &mut jumps);
            }
        }
        let cell = stack.pop().expect("an expression leaves one value");
        match into {
            Some(to) if to != cell => {
                self.emit(body, Instruction::Move(to, cell));
                to
            }
            _ => cell,
        }
    }

    /// What happens behind an operand of an operation that need not compute all of them.
    fn lazy(
        &mut self,
        body: &mut Body<'p>,
        lazy: &Lazy,
        slot: Cell,
        cell: Cell,
        jumps: &mut FxHashMap<usize, Vec<Address>>,
    ) {
        let keep = |compiler: &mut Self, body: &mut Body<'p>| {
            if cell != slot {
                compiler.emit(body, Instruction::Move(slot, cell));
            }
        };
        let (jump, to) = match lazy.after {
            After::Left(Op::And) => (Instruction::If(false, slot, 0), lazy.to),
            After::Left(_) => (Instruction::If(true, slot, 0), lazy.to),
            After::Condition => (Instruction::If(false, cell, 0), lazy.to),
            After::Yes => (Instruction::Skip(0), lazy.to),
            After::Last => {
                keep(self, body);
                return;
            }
        };
        if !matches!(lazy.after, After::Condition) {
            keep(self, body);
        }
        jumps.entry(to).or_default().push(self.here());
        self.emit(body, jump);
        // Where the condition fails, the other branch begins here.
        if matches!(lazy.after, After::Yes) {
            let here = self.here();
            for at in jumps.remove(&lazy.begins).unwrap_or_default() {
                self.retarget(at, here);
            }
        }
    }

    /// An operation on cells.
    fn operation(&mut self, body: &mut Body<'p>, op: Op, to: Cell, operands: &[Cell]) {
        let instruction = match (op, operands) {
            (Op::Negate, &[a]) => Instruction::Negate(to, a),
            (Op::Add, &[a, b]) => Instruction::Add(to, a, b),
            (Op::Subtract, &[a, b]) => Instruction::Subtract(to, a, b),
            (Op::Multiply, &[a, b]) => Instruction::Multiply(to, a, b),
            (Op::Divide, &[a, b]) => Instruction::Divide(to, a, b),
            (Op::Remainder(ty), &[a, b]) => Instruction::Remainder(to, a, b, ty),
            (Op::BitsWith(bitwise, number), &[a]) => Instruction::Bits(bitwise, to, a, self.constant(number)),
            (Op::Bits(bitwise, ty), &[a, b]) => {
                self.emit(body, Instruction::Bits(bitwise, to, a, b));
                Instruction::Wrap(to, to, ty)
            }
            (Op::ShiftLeft(ty), &[a, b]) => Instruction::ShiftLeft(to, a, b, ty),
            (Op::ShiftRight(ty), &[a, b]) => Instruction::ShiftRight(to, a, b, ty),
            (Op::Within(ty), &[a]) => Instruction::Within(a, ty),
            (Op::Wrap(ty), &[a]) => Instruction::Wrap(to, a, ty),
            (Op::Compare(relation), &[a, b]) => Instruction::Compare(relation, to, a, b),
            (Op::Not, &[a]) => Instruction::Not(to, a),
            (Op::Number, _) => return,
            (Op::Load(region), &[a]) => Instruction::Load(to, a, region),
            (Op::Initialised, &[a]) => Instruction::Initialised(a),
            (Op::Difference, &[a, b]) => Instruction::Difference(to, a, b),
            (Op::Member(stride, start), &[a]) => {
                self.code.members.push((stride, start));
                Instruction::Member(to, a, self.code.members.len() as u32 - 1)
            }
            _ => unreachable!("{op:?} is compiled elsewhere"),
        };
        self.emit(body, instruction);
    }

    /// The cell of an operation without operands. An unknown is put into the free cell.
    fn leaf(&mut self, body: &mut Body<'p>, op: Op, symbols: &Symbols, free: usize) -> Cell {
        match op {
            Op::Constant(number) => self.constant(number),
            Op::Truth(value) => self.constant(value.into()),
            Op::Read(place) => self.place(place),
            Op::Input(n) => symbols.inputs[n as usize],
            Op::Object(object) => self.constant(memory::first(object)),
            Op::Misuse(misuse) => {
                self.emit(body, Instruction::Misuse(misuse));
                self.constant(0)
            }
            Op::Unknown(n) => {
                body.n_cells = body.n_cells.max(free + 1);
                self.emit(body, Instruction::Unknown(Cell::local(free), symbols.unknown(n)));
                Cell::local(free)
            }
            _ => unreachable!("{op:?} has operands"),
        }
    }

    fn constant(&self, number: i128) -> Cell {
        Cell::fixed(self.constants[&number])
    }

    fn place(&self, place: Place) -> Cell {
        match place {
            Place::Global(n) => Cell::fixed(self.code.first_global + n as usize),
            Place::Local(n) => Cell::local(n as usize),
        }
    }

    fn here(&self) -> Address {
        Address::try_from(self.code.instructions.len()).expect("the code has less than 2^32 instructions")
    }

    fn emit(&mut self, body: &Body<'p>, instruction: Instruction) {
        self.code.instructions.push(instruction);
        self.code.origin.push((body.id, body.edge));
    }

    fn retarget(&mut self, at: Address, to: Address) {
        match &mut self.code.instructions[at as usize] {
            Instruction::Jump(address)
            | Instruction::Skip(address)
            | Instruction::Unless(.., address)
            | Instruction::If(_, _, address) => *address = to,
            other => unreachable!("{other:?} is no jump forward"),
        }
    }
}

/// Marks a cell of the frame that starts behind the present one, until the size of the present one is known.
const NEXT: u32 = 1 << 30;

/// A function that is being compiled.
struct Body<'p> {
    id: FunctionId,
    function: &'p Function,
    addresses: Vec<Option<Address>>,
    /// Jumps to nodes that were not compiled yet.
    jumps: Vec<(Address, NodeId)>,
    /// The size of a frame, so far.
    n_cells: usize,
    /// The edge that is being compiled.
    edge: EdgeId,
}

/// What the symbols of a step stand for.
struct Symbols<'s> {
    inputs: Vec<Cell>,
    step: &'s Step,
}

impl Symbols<'_> {
    fn unknown(&self, n: u32) -> UnknownId {
        self.step.unknowns[n as usize]
    }
}

/// Something to do behind an operand.
struct Lazy {
    after: After,
    /// Where on the stack of values the result will be.
    slot: usize,
    /// The operation behind which a jump ends; for a condition, a key under which its jump waits.
    to: usize,
    /// The key of the condition.
    begins: usize,
}

/// Which operand has just been computed.
enum After {
    Left(Op),
    Condition,
    Yes,
    Last,
}

/// For each position of the code, what to do when the value there has been computed.
fn lazy(expr: &Expr) -> Vec<Vec<Lazy>> {
    let mut waiting: Vec<Vec<Lazy>> = (0..expr.code().len()).map(|_| Vec::new()).collect();
    // The position of the operation that made each value, and where the values lie.
    let mut stack: Vec<usize> = Vec::new();
    for (position, &op) in expr.code().iter().enumerate() {
        let operands = stack.split_off(stack.len() - op.n_operands());
        let slot = stack.len();
        let mut at = |operand: usize, after, to, begins| {
            waiting[operands[operand]].push(Lazy { after, slot, to, begins });
        };
        // A condition's jump waits under a key that no operation has.
        let key = usize::MAX - position;
        match op {
            Op::And | Op::Or => {
                at(0, After::Left(op), position, 0);
                at(1, After::Last, position, 0);
            }
            Op::Choose => {
                at(0, After::Condition, key, 0);
                at(1, After::Yes, position, key);
                at(2, After::Last, position, 0);
            }
            _ => {}
        }
        stack.push(position);
    }
    waiting
}

fn is_leaf(op: Op) -> bool {
    op.n_operands() == 0
}

/// Whether a step can be taken exactly where another one, the first of the node, cannot.
fn is_complement(first: &Edge, step: &Step) -> bool {
    let Action::Step(first) = &first.action else { return false };
    first.inputs.is_empty()
        && step.inputs.is_empty()
        && first.unknowns.is_empty()
        && step.unknowns.is_empty()
        && step.guard == first.guard.clone().not()
}

/// The formulas that all have to hold, in order.
fn conjuncts(guard: &Expr) -> Vec<Expr> {
    guard.fold(|op, operands: Vec<Vec<Expr>>| match op {
        Op::And => operands.into_iter().flatten().collect(),
        _ if is_leaf(op) => vec![Expr::leaf(op)],
        _ => vec![whole(op, operands)],
    })
}

/// An operation whose operands may have been taken apart.
fn whole(op: Op, operands: Vec<Vec<Expr>>) -> Expr {
    let mut operands = operands
        .into_iter()
        .map(|parts| parts.into_iter().reduce(Expr::and).expect("every operand has at least one part"));
    let mut next = || operands.next().expect("the operation has this operand");
    match op.n_operands() {
        1 => next().unary(op),
        2 => next().binary(op, next()),
        _ => Expr::choose(next(), next(), next()),
    }
}

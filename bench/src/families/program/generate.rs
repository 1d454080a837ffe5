//! A random recursive program over a few bits.
//!
//! Program counter 0 of a module is its entry, the last its exit. Modules call later ones freely; a call back
//! (recursion) can be bypassed, so that every module has a way to its exit. Local 0 carries the
//! result of a call.

use base::Random;

/// A program.
pub struct Program {
    /// Its modules; a run starts in the first.
    pub modules: Vec<Module>,
    /// Program counters of a module.
    pub pcs: usize,
    /// Global bits.
    pub globals: usize,
    /// Local bits.
    pub locals: usize,
}

impl Program {
    /// Bits of data in a state.
    pub fn bits(&self) -> usize {
        self.globals + self.locals
    }
}

/// A module.
#[derive(Default)]
pub struct Module {
    /// Steps inside the module.
    pub statements: Vec<Statement>,
    /// Calls.
    pub calls: Vec<Call>,
}

/// A value computed from the bits of a state.
#[derive(Clone, Copy)]
pub enum Value {
    Any,
    Constant(bool),
    Copy(usize),
    Not(usize),
    Xor(usize, usize),
}

/// A guarded assignment.
pub struct Statement {
    pub from: usize,
    pub to: usize,
    /// A bit and the value it must have.
    pub guard: Option<(usize, bool)>,
    /// The bits that change.
    pub assigned: Vec<(usize, Value)>,
}

impl Statement {
    /// What a bit becomes.
    pub fn value_of(&self, bit: usize) -> Value {
        self.assigned.iter().find(|(target, _)| *target == bit).map_or(Value::Copy(bit), |(_, value)| *value)
    }
}

/// A call; it returns to the next program counter.
pub struct Call {
    pub at: usize,
    pub callee: usize,
    /// The first local of the callee, its only parameter; other locals start false.
    pub argument: Value,
}

impl Call {
    /// What a bit is at the callee's entry.
    pub fn passed(&self, program: &Program, bit: usize) -> Value {
        match bit.checked_sub(program.globals) {
            None => Value::Copy(bit),
            Some(0) => self.argument,
            Some(_) => Value::Constant(false),
        }
    }
}

/// The program of `n` modules.
pub fn program(n: usize) -> Program {
    let mut random = Random::new(n as u64 ^ 0xbead);
    // Small programs have less of everything, so that the textbook evaluation can follow.
    let (pcs, globals, locals) = match n {
        1 => (4, 1, 1),
        2 => (3, 1, 1),
        _ => (12, 3, 3),
    };
    let mut program = Program { modules: Vec::new(), pcs, globals, locals };
    for module in 0..n {
        let code = code(&mut random, &program, module, n);
        program.modules.push(code);
    }
    program
}

fn code(random: &mut Random, program: &Program, module: usize, n: usize) -> Module {
    let mut code = Module::default();
    for pc in 0..program.pcs - 1 {
        match random.below(10) {
            0..3 => call(random, program, &mut code, (module, pc), n),
            // The first module mostly calls, so that a run gets about.
            3..7 if module == 0 => call(random, program, &mut code, (module, pc), n),
            3..5 => branch(random, program, &mut code, pc),
            _ => {
                let statement = assignment(random, program, pc);
                code.statements.push(statement);
            }
        }
    }
    code
}

fn assignment(random: &mut Random, program: &Program, pc: usize) -> Statement {
    let mut assigned: Vec<(usize, Value)> = Vec::new();
    for _ in 0..1 + random.below(2) {
        let target = random.index(program.bits());
        if assigned.iter().all(|(other, _)| *other != target) {
            assigned.push((target, value(random, program.bits())));
        }
    }
    Statement { from: pc, to: pc + 1, guard: None, assigned }
}

fn value(random: &mut Random, bits: usize) -> Value {
    let (a, b) = (random.index(bits), random.index(bits));
    match random.below(8) {
        0 => Value::Any,
        1 => Value::Constant(true),
        2 => Value::Constant(false),
        3..5 => Value::Copy(a),
        5 => Value::Not(a),
        _ => Value::Xor(a, b),
    }
}

/// A bit decides between the next program counter and a later one; now and then a loop instead. A loop
/// can be left at any time, so that no data value is caught in it.
fn branch(random: &mut Random, program: &Program, code: &mut Module, pc: usize) {
    let bit = random.index(program.bits());
    let (other, leave) = match random.chance(20) {
        true => (random.index(pc + 1), None),
        false => (pc + 1 + random.index(program.pcs - pc - 1), Some((bit, true))),
    };
    for (to, guard) in [(pc + 1, leave), (other, Some((bit, false)))] {
        code.statements.push(Statement { from: pc, to, guard, assigned: Vec::new() });
    }
}

fn call(random: &mut Random, program: &Program, code: &mut Module, (module, pc): (usize, usize), n: usize) {
    let later = n - module - 1;
    let is_back = later == 0 || random.chance(20);
    let callee = if is_back { random.index(module + 1) } else { module + 1 + random.index(later.min(8)) };
    if is_back {
        let bypass = Statement { from: pc, to: pc + 1, guard: None, assigned: Vec::new() };
        code.statements.push(bypass);
    }
    code.calls.push(Call { at: pc, callee, argument: value(random, program.bits()) });
}

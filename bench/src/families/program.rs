//! Summaries of a synthetic recursive program: the application of the calculus in miniature.
//!
//! A state is a module, a program counter, local and global bits. The relations of the program are
//! disjunctions of facts, one for a statement; control is explicit and data symbolic. `Summary(u, v)` holds if v is
//! reached from the entry u of its module, calls included; `Entered` holds the entries that happen
//! in a run from the start of module 0, where the globals have any value.
//! Paper: PLDI09 §4.1.

mod generate;
mod interpret;

use super::{each, file};
use generate::{Call, Program, Statement, Value};

/// The program of `n` modules, at least 1.
pub fn text(n: usize) -> String {
    let program = generate::program(n.max(1));
    let (modules, pcs) = (program.modules.len(), program.pcs);
    let body = format!(
        "enum Module {{ 0 .. {} }};\nenum PrCount {{ 0 .. {} }};\n\n#explicit Module, PrCount;\n\n\
         class Local {{ bool l[{}]; }};\nclass Global {{ bool g[{}]; }};\n\
         class State {{ Module mod; PrCount pc; Local L; Global G; }};\n\n\
         bool Entry(State u)\n  u.pc = 0;\n\nbool Exit(State u)\n  u.pc = {};\n\n\
         bool Init(State u)\n  u.mod = 0 & u.pc = 0 & {};\n\n{}{RULES}\
         exists State v. Reach(v) & v.mod = {} & Exit(v) & v.G.g[0];\n",
        modules - 1,
        pcs - 1,
        program.locals,
        program.globals,
        pcs - 1,
        each(program.locals, " & ", |local| format!("!u.L.l[{local}]")),
        relations(&program),
        modules - 1,
    );
    file(&format!("A recursive program of {modules} modules."), &interpret::answers(&program), &body)
}

/// `ProgramInt`, `IntoCall` and `Return`.
fn relations(program: &Program) -> String {
    let mut internal = Vec::new();
    let mut into_call = Vec::new();
    let mut returns = Vec::new();
    for (module, code) in program.modules.iter().enumerate() {
        internal.extend(code.statements.iter().map(|statement| internal_fact(program, module, statement)));
        into_call.extend(code.calls.iter().map(|call| call_fact(program, module, call)));
        returns.extend(code.calls.iter().map(|call| return_fact(program, module, call)));
    }
    format!(
        "bool ProgramInt(State u, State v) u ~+ v\n  {};\n\n\
         bool IntoCall(State u, State v) u ~+ v\n  {};\n\n\
         // The call at u, ended by the exit x, continues at v.\n\
         bool Return(State u, State x, State v) u ~+ v, x ~+ v\n  {};\n\n",
        internal.join(" |\n  "),
        into_call.join(" |\n  "),
        returns.join(" |\n  ")
    )
}

/// The name of a data bit of a state: globals first, then locals.
fn name(program: &Program, state: &str, bit: usize) -> String {
    match bit.checked_sub(program.globals) {
        None => format!("{state}.G.g[{bit}]"),
        Some(local) => format!("{state}.L.l[{local}]"),
    }
}

fn place(state: &str, module: usize, pc: usize) -> String {
    format!("{state}.mod = {module} & {state}.pc = {pc}")
}

/// The bit `target` of `to` gets a value computed in `from`; nothing is said about any value.
fn equation(program: &Program, to: &str, target: usize, from: &str, value: Value) -> Option<String> {
    let left = name(program, to, target);
    match value {
        Value::Any => None,
        Value::Constant(true) => Some(left),
        Value::Constant(false) => Some(format!("!{left}")),
        Value::Copy(bit) => Some(format!("{left} = {}", name(program, from, bit))),
        Value::Not(bit) => Some(format!("{left} != {}", name(program, from, bit))),
        Value::Xor(a, b) => {
            Some(format!("({left} <-> ({} <+> {}))", name(program, from, a), name(program, from, b)))
        }
    }
}

fn internal_fact(program: &Program, module: usize, statement: &Statement) -> String {
    let mut parts = vec![place("u", module, statement.from), place("v", module, statement.to)];
    if let Some((bit, value)) = statement.guard {
        parts.push(format!("{}{}", if value { "" } else { "!" }, name(program, "u", bit)));
    }
    for bit in 0..program.bits() {
        parts.extend(equation(program, "v", bit, "u", statement.value_of(bit)));
    }
    parts.join(" & ")
}

fn call_fact(program: &Program, module: usize, call: &Call) -> String {
    let mut parts = vec![place("u", module, call.at), place("v", call.callee, 0)];
    for bit in 0..program.bits() {
        parts.extend(equation(program, "v", bit, "u", call.passed(program, bit)));
    }
    parts.join(" & ")
}

fn return_fact(program: &Program, module: usize, call: &Call) -> String {
    let mut parts = vec![
        place("u", module, call.at),
        place("x", call.callee, program.pcs - 1),
        place("v", module, call.at + 1),
    ];
    for bit in 0..program.bits() {
        // Globals and the result come from the callee's exit, other locals from the call.
        let from = if bit <= program.globals { "x" } else { "u" };
        parts.extend(equation(program, "v", bit, from, Value::Copy(bit)));
    }
    parts.join(" & ")
}

const RULES: &str = "\
mu bool Summary(State u, State v) u ~+ v
  Entry(u) & u = v |
  (exists State x. Summary(u, x) & ProgramInt(x, v)) |
  (exists State x, State y, State z.
    (Summary(u, x) & IntoCall(x, y)) & (Summary(y, z) & Exit(z)) & Return(x, z, v));

mu bool Entered(State u)
  Init(u) |
  (exists State w, State x. Entered(w) & Summary(w, x) & IntoCall(x, u));

bool Reach(State v)
  exists State u. Entered(u) & Summary(u, v);

#ons Summary;

#ons Entered;

#ons Reach;

";

//! A view of a machine that knows less: variables outside a set, and the high bits of integers, are read as any value, and tests outside a set are passed by
//! every state.
//!
//! Contract: the view has the same nodes and edges, numbered alike, and every run of the machine is a run of the view with the values
//! cut to the bits that are kept. So what no run of the view reaches, no run of the machine reaches; a run of the view may be none of
//! the machine. Stores stay as they are: what nobody reads is not live, and the reductions, which come after, leave it out.

use crate::concurrent::Concurrent;
use crate::expr::{Binary, Expr, Freedom, Operation, Term, Type};
use crate::machine::{Action, EdgeId, ModuleId, Place, Rsm, Variable};
use std::collections::BTreeSet;

/// What a view knows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kept {
    globals: Vec<bool>,
    locals: Vec<Vec<bool>>,
    /// So many low bits of each integer.
    pub bits: u8,
    /// These tests only, if there is such a set. Assertions are never left out.
    pub tests: Option<BTreeSet<(ModuleId, EdgeId)>>,
}

/// As many bits as the widest integer has.
const ALL_BITS: u8 = 64;

impl Kept {
    /// Everything.
    pub fn all(rsm: &Rsm) -> Self {
        Self::each(rsm, true, ALL_BITS)
    }

    /// Of a program with threads what is not in its text: flags, what threads are told when they start. All bits of the integers that are to come.
    pub fn of_threads(program: &Concurrent) -> Self {
        let machine = &program.machine;
        let mut kept = Self::each(machine, false, ALL_BITS);
        for (global, known) in machine.globals.iter().zip(&mut kept.globals) {
            *known = global.name.starts_with('$');
        }
        for (module, known) in machine.modules.iter().zip(&mut kept.locals) {
            let locals = module.locals.iter().zip(known);
            locals.for_each(|(local, known)| *known = local.name.starts_with('$'));
        }
        program
            .blocks
            .iter()
            .filter_map(|block| block.flag)
            .for_each(|flag| kept.globals[flag as usize] = true);
        kept
    }

    /// No variable, and one bit of the integers that are to come.
    pub fn nothing(rsm: &Rsm) -> Self {
        Self::each(rsm, false, 1)
    }

    fn each(rsm: &Rsm, is_kept: bool, bits: u8) -> Self {
        let locals = rsm.modules.iter().map(|module| vec![is_kept; module.locals.len()]);
        Self { globals: vec![is_kept; rsm.globals.len()], locals: locals.collect(), bits, tests: None }
    }

    /// A variable is known.
    pub fn has(&self, module: ModuleId, place: Place) -> bool {
        match place {
            Place::Global(n) => self.globals[n as usize],
            Place::Local(n) => self.locals[module.index()][n as usize],
        }
    }

    /// A variable becomes known; whether that is news.
    pub fn add(&mut self, module: ModuleId, place: Place) -> bool {
        let known = match place {
            Place::Global(n) => &mut self.globals[n as usize],
            Place::Local(n) => &mut self.locals[module.index()][n as usize],
        };
        !std::mem::replace(known, true)
    }

    /// All locals of all functions become known; whether that is news.
    pub fn add_locals(&mut self) -> bool {
        let mut unknown = self.locals.iter_mut().flatten().filter(|known| !**known).peekable();
        let is_news = unknown.peek().is_some();
        unknown.for_each(|known| *known = true);
        is_news
    }

    /// How many variables a state has of what is known: globals, and the locals of the function that has most.
    pub fn n_words(&self) -> u64 {
        let n_known = |known: &[bool]| known.iter().filter(|known| **known).count() as u64;
        n_known(&self.globals) + self.locals.iter().map(|known| n_known(known)).max().unwrap_or(0)
    }

    /// How many bits of what is known a state has, counted alike.
    pub fn n_bits(&self, rsm: &Rsm) -> u64 {
        let n_known = |variables: &[Variable], known: &[bool]| -> u64 {
            let known = variables.iter().zip(known).filter(|(_, known)| **known);
            known.map(|(variable, _)| u64::from(variable.ty.n_bits().min(self.bits.into()))).sum()
        };
        let of_locals =
            rsm.modules.iter().zip(&self.locals).map(|(module, known)| n_known(&module.locals, known));
        n_known(&rsm.globals, &self.globals) + of_locals.max().unwrap_or(0)
    }

    /// How many locals are known, and how many there are.
    pub fn n_locals(&self) -> (usize, usize) {
        let locals = || self.locals.iter().flatten();
        (locals().filter(|known| **known).count(), locals().count())
    }

    /// How many variables are known.
    pub fn n_variables(&self) -> usize {
        self.globals.iter().chain(self.locals.iter().flatten()).filter(|known| **known).count()
    }
}

/// The view of a machine that knows this and no more.
pub fn localise(rsm: &Rsm, kept: &Kept) -> Rsm {
    let mut view = rsm.clone();
    let main = rsm.main;
    view.globals.iter_mut().for_each(|global| cut(&mut global.ty, kept.bits));
    view.init.iter_mut().for_each(|init| *init = seen(init, main, kept));
    for (m, module) in view.modules.iter_mut().enumerate() {
        let m = ModuleId::new(m);
        module.locals.iter_mut().for_each(|local| cut(&mut local.ty, kept.bits));
        module.results.iter_mut().for_each(|result| cut(result, kept.bits));
        module.enforce.iter_mut().for_each(|enforce| *enforce = seen(enforce, m, kept));
        for (n, edge) in module.edges.iter_mut().enumerate() {
            let is_passed = kept.tests.as_ref().is_some_and(|tests| !tests.contains(&(m, EdgeId::new(n))));
            if is_passed && matches!(edge.action, Action::Assume(_)) {
                edge.action = Action::Skip;
            }
            edge.action.expressions_mut().for_each(|expr| *expr = seen(expr, m, kept));
        }
    }
    view
}

/// The same of a program with threads: the view has the same threads, which take the same turns.
pub fn localise_threads(program: &Concurrent, kept: &Kept) -> Concurrent {
    let mut view = Concurrent { machine: localise(&program.machine, kept), ..program.clone() };
    for block in &mut view.blocks {
        block.init.iter_mut().for_each(|init| *init = seen(init, block.main, kept));
    }
    view
}

/// A type with at most so many bits, if it is one of integers.
fn cut(ty: &mut Type, bits: u8) {
    if let Type::Int(width) = ty {
        *width = (*width).min(bits);
    }
}

fn unknown(ty: Type) -> Term {
    Term { operation: Operation::Choice(Freedom::Ignorance), ty }
}

/// An expression whose possible values include those that the original can have, cut to the bits that are kept.
fn seen(expr: &Expr, module: ModuleId, kept: &Kept) -> Expr {
    let mut code: Vec<Term> = Vec::with_capacity(expr.code.len());
    // Of each operand where its code begins, and whether high bits are cut off its values.
    let mut operands: Vec<(usize, bool)> = Vec::new();
    for term in &expr.code {
        let is_cut = matches!(term.ty, Type::Int(width) if width > kept.bits);
        let mut ty = term.ty.clone();
        cut(&mut ty, kept.bits);
        let n_operands = n_operands(term.operation);
        let start = operands.len() - n_operands;
        let begins = operands.get(start).map_or(code.len(), |operand| operand.0);
        let compares_cut = operands[start..].iter().any(|operand| operand.1);
        operands.truncate(start);
        operands.push((begins, is_cut));
        match term.operation {
            Operation::Constant(value) if is_cut => {
                code.push(Term { operation: Operation::Constant(value & ty.max()), ty });
            }
            Operation::Read(place) | Operation::ReadNext(place) if !kept.has(module, place) => {
                code.push(unknown(ty));
            }
            Operation::Binary(Binary::Less | Binary::LessEqual) if compares_cut => {
                code.truncate(begins);
                code.push(unknown(ty));
            }
            // Values that agree in their low bits may be different.
            Operation::Binary(Binary::Equal) if compares_cut => {
                code.push(term.clone());
                code.push(unknown(Type::Bool));
                code.push(Term { operation: Operation::Binary(Binary::And), ty });
            }
            Operation::Binary(Binary::NotEqual) if compares_cut => {
                code.push(term.clone());
                code.push(unknown(Type::Bool));
                code.push(Term { operation: Operation::Binary(Binary::Or), ty });
            }
            operation => code.push(Term { operation, ty }),
        }
    }
    Expr { code: code.into() }
}

fn n_operands(operation: Operation) -> usize {
    match operation {
        Operation::Constant(_) | Operation::Read(_) | Operation::ReadNext(_) | Operation::Choice(_) => 0,
        Operation::Not | Operation::Negate => 1,
        Operation::Binary(_) | Operation::Schoose => 2,
        Operation::Conditional => 3,
    }
}

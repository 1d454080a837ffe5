//! A concurrent program whose names can stand in one sequential program.
//!
//! Contract: only names differ. Afterwards the enumerators of different enums are different, so that each says its type;
//! globals are different from one another and from enumerators; locals from those and from the other locals of their module;
//! modules from one another and from `main`. So `rsm::show_expr` and its like print what the language reads, and nothing
//! hides anything.

use crate::names::{Names, joined};
use rsm::{Action, Concurrent, Expr, Module, Rsm, Type, Variable};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A program with new names, and the names that are taken.
pub(crate) struct Renamed {
    /// The program.
    pub(crate) program: Concurrent,
    /// The names of variables, local ones included, and of enumerators.
    pub(crate) variables: Names,
    /// The names of functions.
    pub(crate) functions: Names,
}

/// Gives new names where it must.
pub(crate) fn rename(program: &Concurrent) -> Renamed {
    let mut program = program.clone();
    let mut variables = Names::default();
    rename_enums(&mut program, &mut variables);
    for global in &mut program.machine.globals {
        global.name = variables.take(&global.name);
    }
    let mut local_names = Vec::new();
    for module in &mut program.machine.modules {
        let mut own = Names::default();
        for local in &mut module.locals {
            local.name = own.take_beside(&local.name, &variables);
            local_names.push(local.name.clone());
        }
    }
    local_names.iter().for_each(|name| variables.reserve(name));
    let functions = rename_modules(&mut program);
    Renamed { program, variables, functions }
}

/// A function keeps its name if no other has it, and is named after its block as well otherwise.
fn rename_modules(program: &mut Concurrent) -> Names {
    let mut n_with: FxHashMap<String, usize> = FxHashMap::default();
    for module in &program.machine.modules {
        *n_with.entry(module.name.clone()).or_default() += 1;
    }
    let mut block_of = vec![None; program.machine.modules.len()];
    for (number, block) in program.blocks.iter().enumerate().rev() {
        block.modules.iter().for_each(|module| block_of[module.index()] = Some(number));
    }
    let mut functions = Names::default();
    functions.reserve("main");
    for (module, block) in program.machine.modules.iter_mut().zip(block_of) {
        let is_alone = n_with[&module.name] == 1 && module.name != "main";
        module.name = match block {
            Some(block) if !is_alone => functions.take(&joined(&program.blocks[block].name, &module.name)),
            _ => functions.take(&module.name),
        };
    }
    functions
}

/// Gives the enumerators of each enum names of their own.
fn rename_enums(program: &mut Concurrent, names: &mut Names) {
    let mut enums = Enums { names, known: FxHashMap::default() };
    enums.machine(&mut program.machine);
    for condition in program.blocks.iter_mut().flat_map(|block| &mut block.init) {
        enums.expression(condition);
    }
}

/// The enums that have their new names.
struct Enums<'n> {
    names: &'n mut Names,
    known: FxHashMap<Arc<[String]>, Type>,
}

impl Enums<'_> {
    fn ty(&mut self, ty: &mut Type) {
        let Type::Enum(list) = &*ty else { return };
        if let Some(known) = self.known.get(list) {
            *ty = known.clone();
            return;
        }
        let renamed = Type::Enum(list.iter().map(|name| self.names.take(name)).collect());
        self.known.insert(list.clone(), renamed.clone());
        *ty = renamed;
    }

    fn expression(&mut self, expr: &mut Expr) {
        expr.code.iter_mut().for_each(|term| self.ty(&mut term.ty));
    }

    fn variables(&mut self, variables: &mut [Variable]) {
        variables.iter_mut().for_each(|variable| self.ty(&mut variable.ty));
    }

    fn machine(&mut self, machine: &mut Rsm) {
        self.variables(&mut machine.globals);
        machine.init.iter_mut().for_each(|condition| self.expression(condition));
        machine.modules.iter_mut().for_each(|module| self.module(module));
    }

    fn module(&mut self, module: &mut Module) {
        self.variables(&mut module.locals);
        module.results.iter_mut().for_each(|ty| self.ty(ty));
        module.enforce.iter_mut().for_each(|condition| self.expression(condition));
        for edge in &mut module.edges {
            match &mut edge.action {
                Action::Skip => {}
                Action::Assume(condition) | Action::Assert(condition) => self.expression(condition),
                Action::Assign { values, constrain, .. } => {
                    values.iter_mut().chain(constrain).for_each(|expr| self.expression(expr));
                }
                Action::Call { args: values, .. } | Action::Return { values } => {
                    values.iter_mut().for_each(|expr| self.expression(expr));
                }
            }
        }
    }
}

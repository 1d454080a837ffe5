//! Declarations: variables, types, functions, threads, and the rules about `main`.

use super::expression::Expressions;
use super::scope::{Scope, Variable};
use super::types::{Owner, Ty, Types};
use super::{CheckedFunction, CheckedUnit, Globals};
use crate::ast::{self, Copies, Declaration, Function, Name, Program, Results, Symbol, TypeKind, Unit};
use base::{Diagnostic, Span};
use rsm::Place;
use rustc_hash::FxHashMap;

/// More results than this are refused: `bool<N>` is short to write, and every one of them takes room.
const MAX_RESULTS: u64 = 65_536;

/// Collects what is declared; what is wrong goes to the expressions' list.
pub(super) struct Declarations<'p> {
    pub(super) expressions: Expressions<'p>,
}

const SHARED: Owner = Owner { unit: None, function: None };

impl<'p> Declarations<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        Self { expressions: Expressions::new(program, Types::default()) }
    }

    /// The shared declarations and the units.
    pub(super) fn program(&mut self) -> (Globals, Vec<CheckedUnit>) {
        let program = self.expressions.tree;
        let shared = self.globals(&program.unit, 0, SHARED);
        let n_shared = shared.variables.len();
        if program.threads.is_empty() {
            let unit = self.unit(&program.unit, Globals::default(), SHARED);
            self.check_main(&program.unit, &unit, None);
            return (shared, vec![unit]);
        }
        self.check_threads();
        let mut units = Vec::new();
        for (number, thread) in program.threads.iter().enumerate() {
            let owner = Owner { unit: Some(number as u32), function: None };
            let private = self.globals(&thread.unit, n_shared, owner);
            let unit = self.unit(&thread.unit, private, owner);
            self.check_main(&thread.unit, &unit, Some(thread.name));
            units.push(unit);
        }
        (shared, units)
    }

    fn check_threads(&mut self) {
        let mut known = FxHashMap::default();
        for thread in &self.expressions.tree.threads {
            if let Some(first) = known.insert(thread.name.symbol, thread.name.span) {
                self.twice("the thread", thread.name, first);
            }
            if thread.copies == Copies::Fixed(0) {
                self.expressions.error(thread.head, "a thread needs at least one copy, found `[0]`");
            }
        }
    }

    /// The variables and initial conditions of a unit; `offset` variables come before them.
    fn globals(&mut self, unit: &Unit, offset: usize, owner: Owner) -> Globals {
        let mut globals = Globals::default();
        for declaration in &unit.declarations {
            match declaration {
                Declaration::Variables(declared) => {
                    for variable in &declared.variables {
                        let place = Place::Global((offset + globals.variables.len()) as u32);
                        self.variable(variable, place, owner, &mut globals.scope, &mut globals.variables);
                    }
                }
                Declaration::Init { condition, .. } => globals.init.push(*condition),
            }
        }
        globals
    }

    fn variable(
        &mut self,
        declared: &ast::Variable,
        place: Place,
        owner: Owner,
        scope: &mut Scope,
        variables: &mut Vec<Variable>,
    ) {
        let name = declared.name;
        let ty = declared.ty.as_ref().map_or(Ty::Bool, |ty| self.ty(ty, owner));
        if let Some((first, _)) = scope.places.get(&name.symbol) {
            let back = position(place) - position(*first);
            self.twice("the variable", name, variables[variables.len() - back].name.span);
            return;
        }
        scope.places.insert(name.symbol, (place, ty));
        variables.push(Variable { name, ty });
    }

    fn twice(&mut self, what: &str, name: Name, first: Span) {
        let shown = self.expressions.tree.names.shown(name.symbol);
        let diagnostic = Diagnostic::error(name.span, format!("{what} `{shown}` is declared twice"))
            .note("the first declaration is here", Some(first));
        self.expressions.diagnostics.push(diagnostic);
    }

    fn ty(&mut self, ty: &ast::Type, owner: Owner) -> Ty {
        match &ty.kind {
            TypeKind::Bool => Ty::Bool,
            TypeKind::Int(width @ 1..=64) => Ty::Int(*width as u8),
            TypeKind::Int(width) => {
                let message = format!("an integer has 1 to 64 bits, found {width}");
                self.expressions.error(ty.span, message);
                Ty::Unknown
            }
            TypeKind::Enum(names) => {
                let mut known = FxHashMap::default();
                let mut is_correct = true;
                for name in names {
                    if let Some(first) = known.insert(name.symbol, name.span) {
                        self.twice("the value", *name, first);
                        is_correct = false;
                    }
                }
                if !is_correct {
                    return Ty::Unknown;
                }
                Ty::Enum(self.expressions.types.declare(&self.expressions.tree.names, names, owner))
            }
        }
    }

    fn unit(&mut self, unit: &Unit, private: Globals, owner: Owner) -> CheckedUnit {
        let mut by_name: FxHashMap<Symbol, u32> = FxHashMap::default();
        let mut functions = Vec::new();
        for (number, function) in unit.functions.iter().enumerate() {
            let number = number as u32;
            if let Some(first) = by_name.get(&function.name.symbol) {
                self.twice("the function", function.name, unit.functions[*first as usize].name.span);
            } else {
                by_name.insert(function.name.symbol, number);
            }
            functions.push(self.function(function, owner, number));
        }
        let main = self.expressions.tree.names.find("main").and_then(|main| by_name.get(&main).copied());
        CheckedUnit { private, functions, by_name, main: main.unwrap_or(0) }
    }

    /// The signature, the locals and the labels of a function.
    fn function(&mut self, function: &Function, owner: Owner, number: u32) -> CheckedFunction {
        let mut scope = Scope::default();
        let mut locals = Vec::new();
        // Callers see the types of parameters and results, so their enumerators are theirs too.
        for param in &function.params {
            let place = Place::Local(locals.len() as u32);
            self.variable(param, place, owner, &mut scope, &mut locals);
        }
        let n_params = locals.len();
        let results = self.results(&function.results, owner);
        let inside = Owner { function: Some(number), ..owner };
        for variable in function.locals.iter().flat_map(|declared| &declared.variables) {
            let place = Place::Local(locals.len() as u32);
            self.variable(variable, place, inside, &mut scope, &mut locals);
        }
        CheckedFunction { locals, n_params, results, scope, labels: self.labels(function) }
    }

    fn results(&mut self, results: &Results, owner: Owner) -> Vec<Ty> {
        match results {
            Results::Void => Vec::new(),
            Results::Bools(n @ 1..=MAX_RESULTS, _) => vec![Ty::Bool; *n as usize],
            Results::Bools(n, span) => {
                let message = format!("a function has 1 to {MAX_RESULTS} results, found {n}");
                self.expressions.error(*span, message);
                Vec::new()
            }
            Results::One(ty) => vec![self.ty(ty, owner)],
            Results::Many(types) => types.iter().map(|ty| self.ty(ty, owner)).collect(),
        }
    }

    /// The statements that labels name. A label may stand on its statement more than once.
    fn labels(&mut self, function: &Function) -> FxHashMap<Symbol, u32> {
        let mut labels: FxHashMap<Symbol, (u32, Span)> = FxHashMap::default();
        for (position, statement) in function.body.iter().enumerate() {
            for label in &statement.labels {
                let (first, span) = *labels.entry(label.symbol).or_insert((position as u32, label.span));
                if first != position as u32 {
                    let shown = self.expressions.tree.names.shown(label.symbol);
                    let message = format!("the label `{shown}` stands on two statements");
                    let diagnostic =
                        Diagnostic::error(label.span, message).note("the first is here", Some(span));
                    self.expressions.diagnostics.push(diagnostic);
                }
            }
        }
        labels.into_iter().map(|(symbol, (position, _))| (symbol, position)).collect()
    }

    /// There is a `main`, and it takes no parameters.
    fn check_main(&mut self, tree: &Unit, unit: &CheckedUnit, thread: Option<Name>) {
        let main = tree.functions.get(unit.main as usize);
        let names = &self.expressions.tree.names;
        match main.filter(|main| names.text(main.name.symbol) == "main") {
            Some(main) => {
                if let Some(param) = main.params.first() {
                    self.expressions.error(param.name.span, "`main` takes no parameters");
                }
            }
            None => {
                let diagnostic = match thread {
                    Some(thread) => {
                        let message =
                            format!("the thread `{}` has no function `main`", names.shown(thread.symbol));
                        Diagnostic::error(thread.span, message)
                    }
                    None => {
                        let end = Span::new(self.expressions.tree.file, 0..0);
                        Diagnostic::error(end, "the program has no function `main`, where execution starts")
                    }
                };
                self.expressions.diagnostics.push(diagnostic);
            }
        }
    }
}

fn position(place: Place) -> usize {
    let (Place::Global(position) | Place::Local(position)) = place;
    position as usize
}

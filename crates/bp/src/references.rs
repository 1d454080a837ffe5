//! Which declaration each name of a program means.
//!
//! Input: the syntax tree of a program, with or without mistakes. Output: a table of what is declared and of all names that mean something. The rules are those of `check`, which is
//! asked: a value of an enumeration belongs to the type that its place wants, and enumerations that list the same names are one.

use crate::ast::{
    Call, Declaration, ExprId, ExprKind, Function, Name, Program, Results, Statement, StatementKind, Symbol,
    Target, Thread, Type, TypeKind, Unit, Variable, Variables,
};
use crate::check::{EnumId, Owner, Resolved, Ty, resolve};
use base::{Declared, DeclaredId, NameKind, NameTable, Role, Span};
use rustc_hash::FxHashMap;

/// The table of a program.
pub fn references(program: &Program) -> NameTable {
    let resolved = resolve(program);
    let mut walk =
        Walk { program, resolved: &resolved, table: NameTable::default(), values: FxHashMap::default() };
    walk.program();
    walk.table.finish()
}

/// What names mean that are declared together.
type Names = FxHashMap<Symbol, DeclaredId>;

struct Walk<'p> {
    program: &'p Program,
    resolved: &'p Resolved,
    table: NameTable,
    values: FxHashMap<(EnumId, Symbol), DeclaredId>,
}

/// What a program without threads, or a thread, declares.
struct UnitNames {
    private: Names,
    functions: Names,
    /// The locals and the labels of each function.
    inside: Vec<(Names, Names)>,
}

/// What is seen from inside of a function, or where none is.
struct View<'v> {
    owner: Owner,
    /// The variables, innermost first.
    scopes: &'v [&'v Names],
    functions: &'v Names,
    labels: &'v Names,
}

/// Whose declarations are collected, for the table.
struct Whose<'w> {
    owner: String,
    kind: NameKind,
    scope: Option<Span>,
    into: &'w mut Names,
}

impl Walk<'_> {
    fn program(&mut self) {
        let program = self.program;
        let mut shared = Names::default();
        let owner = if program.threads.is_empty() { "global" } else { "shared" };
        self.globals(&program.unit, owner.to_owned(), None, &mut shared);
        // Values of enumerations may be used before the function whose parameter has the type: everything is declared first.
        let mut units = Vec::new();
        if program.threads.is_empty() {
            units.push((Owner { unit: None, function: None }, &program.unit, self.unit(&program.unit, None)));
        }
        for (number, thread) in program.threads.iter().enumerate() {
            let owner = Owner { unit: Some(number as u32), function: None };
            units.push((owner, &thread.unit, self.unit(&thread.unit, Some(thread))));
        }
        let none = Names::default();
        let owner = Owner { unit: None, function: None };
        self.conditions(&program.unit, &View { owner, scopes: &[&shared], functions: &none, labels: &none });
        for (owner, unit, names) in &units {
            self.uses(unit, *owner, names, &shared);
        }
    }

    // What is declared.

    fn globals(&mut self, unit: &Unit, owner: String, scope: Option<Span>, into: &mut Names) {
        let mut whose = Whose { owner, kind: NameKind::Variable, scope, into };
        for declaration in &unit.declarations {
            if let Declaration::Variables(variables) = declaration {
                self.variables(variables, &mut whose);
            }
        }
    }

    fn variables(&mut self, variables: &Variables, whose: &mut Whose) {
        variables.variables.iter().for_each(|variable| self.variable(variable, whose));
    }

    fn variable(&mut self, variable: &Variable, whose: &mut Whose) {
        if let Some(ty) = &variable.ty {
            self.ty(ty);
        }
        let name = self.program.text(variable.name);
        let known = whose.into.get(&variable.name.symbol).copied();
        let id = known.unwrap_or_else(|| {
            let detail = format!("{name}: {}", self.shown(variable.ty.as_ref()));
            self.table.declare(declared(whose.kind, name, detail, whose.owner.clone(), whose.scope))
        });
        whose.into.insert(variable.name.symbol, id);
        self.table.occurs(variable.name.span, id, Role::Declares);
    }

    /// A type as it is written, on one line.
    fn shown(&self, ty: Option<&Type>) -> String {
        match ty.map(|ty| &ty.kind) {
            None | Some(TypeKind::Bool) => "bool".to_owned(),
            Some(TypeKind::Int(width)) => format!("int<{width}>"),
            Some(TypeKind::Enum(names)) => {
                let names: Vec<&str> = names.iter().map(|name| self.program.text(*name)).collect();
                format!("enum {{{}}}", names.join(", "))
            }
        }
    }

    /// The values that a type names.
    fn ty(&mut self, ty: &Type) {
        let TypeKind::Enum(names) = &ty.kind else { return };
        let Some(list) = self.resolved.types.listing(names) else { return };
        for name in names {
            let (text, detail) = (self.program.text(*name), self.shown(Some(ty)));
            let table = &mut self.table;
            let declare = || table.declare(declared(NameKind::Value, text, detail, String::new(), None));
            let id = *self.values.entry((list, name.symbol)).or_insert_with(declare);
            self.table.occurs(name.span, id, Role::Declares);
        }
    }

    fn signature(&self, function: &Function) -> String {
        let shown = |ty: &Type| self.shown(Some(ty));
        let results = match &function.results {
            Results::Void => "void".to_owned(),
            Results::Bools(n, _) => format!("bool<{n}>"),
            Results::One(ty) => shown(ty),
            Results::Many(types) => format!("<{}>", types.iter().map(shown).collect::<Vec<_>>().join(", ")),
        };
        let param = |param: &Variable| match &param.ty {
            None => self.program.text(param.name).to_owned(),
            ty => format!("{}: {}", self.program.text(param.name), self.shown(ty.as_ref())),
        };
        let params: Vec<String> = function.params.iter().map(param).collect();
        format!("{results} {}({})", self.program.text(function.name), params.join(", "))
    }

    /// What a unit declares.
    fn unit(&mut self, unit: &Unit, thread: Option<&Thread>) -> UnitNames {
        let program = self.program;
        let scope = thread.map(|thread| thread.head.to(thread.end));
        let mut private = Names::default();
        let mut owner = String::new();
        if let Some(thread) = thread {
            let name = program.text(thread.name);
            let detail = format!("thread {name}");
            let id = self.table.declare(declared(NameKind::Thread, name, detail, String::new(), None));
            self.table.occurs(thread.name.span, id, Role::Declares);
            self.globals(unit, format!("private to thread {name}"), scope, &mut private);
            owner = format!("of thread {name}");
        }
        let mut functions = Names::default();
        for function in &unit.functions {
            let (name, detail) = (program.text(function.name), self.signature(function));
            let table = &mut self.table;
            let declare = || table.declare(declared(NameKind::Function, name, detail, owner.clone(), scope));
            let id = *functions.entry(function.name.symbol).or_insert_with(declare);
            self.table.occurs(function.name.span, id, Role::Declares);
        }
        let inside = unit.functions.iter().map(|function| self.inside(function)).collect();
        UnitNames { private, functions, inside }
    }

    /// The parameters, locals and labels of a function.
    fn inside(&mut self, function: &Function) -> (Names, Names) {
        let name = self.program.text(function.name);
        let scope = Some(function.head.to(function.end));
        let (mut locals, mut labels) = (Names::default(), Names::default());
        let (owner, kind) = (format!("parameter of {name}"), NameKind::Parameter);
        let mut whose = Whose { owner, kind, scope, into: &mut locals };
        function.params.iter().for_each(|param| self.variable(param, &mut whose));
        match &function.results {
            Results::One(ty) => self.ty(ty),
            Results::Many(types) => types.iter().for_each(|ty| self.ty(ty)),
            Results::Void | Results::Bools(..) => {}
        }
        let (owner, kind) = (format!("local of {name}"), NameKind::Variable);
        let mut whose = Whose { owner, kind, scope, into: &mut locals };
        function.locals.iter().for_each(|variables| self.variables(variables, &mut whose));
        for label in function.body.iter().flat_map(|statement| &statement.labels) {
            let (text, table) = (self.program.text(*label), &mut self.table);
            let (detail, owner) = (format!("{text}:"), format!("of {name}"));
            let declare = || table.declare(declared(NameKind::Label, text, detail, owner, scope));
            let id = *labels.entry(label.symbol).or_insert_with(declare);
            self.table.occurs(label.span, id, Role::Declares);
        }
        (locals, labels)
    }

    // What is used.

    /// The names in a unit.
    fn uses(&mut self, unit: &Unit, owner: Owner, names: &UnitNames, shared: &Names) {
        let UnitNames { private, functions, inside } = names;
        let none = Names::default();
        if owner.unit.is_some() {
            let scopes = [private, shared];
            self.conditions(unit, &View { owner, scopes: &scopes, functions, labels: &none });
        }
        for (number, (function, (locals, labels))) in unit.functions.iter().zip(inside).enumerate() {
            let owner = Owner { function: Some(number as u32), ..owner };
            let scopes = [locals, private, shared];
            let view = View { owner, scopes: &scopes, functions, labels };
            if let Some((condition, _)) = function.enforce {
                self.expression(condition, &view);
            }
            function.body.iter().for_each(|statement| self.statement(statement, &view));
        }
    }

    fn conditions(&mut self, unit: &Unit, view: &View) {
        for declaration in &unit.declarations {
            if let Declaration::Init { condition, .. } = declaration {
                self.expression(*condition, view);
            }
        }
    }

    fn statement(&mut self, statement: &Statement, view: &View) {
        match &statement.kind {
            StatementKind::Assign { targets, values, constrain } => {
                self.targets(targets, view);
                self.expressions(values, view);
                constrain.iter().for_each(|condition| self.expression(*condition, view));
            }
            StatementKind::Call { targets, call } => {
                self.targets(targets, view);
                self.call(call, view);
            }
            StatementKind::StartThread(call) => self.call(call, view),
            StatementKind::Return(values) | StatementKind::Print(values) => self.expressions(values, view),
            StatementKind::Goto(labels) => labels.iter().for_each(|label| self.name(*label, view.labels)),
            StatementKind::StartThreadGoto(label) => self.name(*label, view.labels),
            StatementKind::Dead(names) => {
                for name in names {
                    self.variable_at(name.symbol, name.span, Role::Assigns, view);
                }
            }
            StatementKind::Assert(condition)
            | StatementKind::Assume(condition)
            | StatementKind::Constrain(condition)
            | StatementKind::If(condition)
            | StatementKind::Elsif(condition)
            | StatementKind::While(condition) => self.expression(*condition, view),
            StatementKind::Skip
            | StatementKind::EndThread
            | StatementKind::AtomicBegin
            | StatementKind::AtomicEnd
            | StatementKind::Else
            | StatementKind::Fi
            | StatementKind::Od
            | StatementKind::Atomic
            | StatementKind::EndAtomic => {}
        }
    }

    fn targets(&mut self, targets: &[Target], view: &View) {
        for target in targets {
            if let Some(symbol) = target.symbol {
                self.variable_at(symbol, target.span, Role::Assigns, view);
            }
        }
    }

    fn call(&mut self, call: &Call, view: &View) {
        self.name(call.callee, view.functions);
        self.expressions(&call.args, view);
    }

    fn name(&mut self, name: Name, known: &Names) {
        if let Some(id) = known.get(&name.symbol) {
            self.table.occurs(name.span, *id, Role::Uses);
        }
    }

    fn expressions(&mut self, roots: &[ExprId], view: &View) {
        roots.iter().for_each(|root| self.expression(*root, view));
    }

    fn expression(&mut self, root: ExprId, view: &View) {
        let first = self.program.expression(root).first;
        for position in first.index()..=root.index() {
            let expr = &self.program.expressions[position];
            let (ExprKind::Name(symbol) | ExprKind::Next(symbol)) = expr.kind else { continue };
            // The mark of a new value is no part of the name.
            let length = self.program.names.text(symbol).len() as u32;
            let span = Span { end: expr.span.start + length, ..expr.span };
            if self.variable_at(symbol, span, Role::Uses, view) {
                continue;
            }
            let of = match self.resolved.terms[position].ty {
                Ty::Enum(id) => Some(id),
                _ => match *self.resolved.types.enums_with(symbol, view.owner) {
                    [id] => Some(id),
                    _ => None,
                },
            };
            if let Some(id) = of.and_then(|id| self.values.get(&(id, symbol))) {
                self.table.occurs(span, *id, Role::Uses);
            }
        }
    }

    /// A name as a variable, if it is one.
    fn variable_at(&mut self, symbol: Symbol, span: Span, role: Role, view: &View) -> bool {
        let found = view.scopes.iter().find_map(|scope| scope.get(&symbol));
        found.iter().for_each(|id| self.table.occurs(span, **id, role));
        found.is_some()
    }
}

fn declared(kind: NameKind, name: &str, detail: String, owner: String, scope: Option<Span>) -> Declared {
    Declared { kind, name: name.to_owned(), detail, owner, scope }
}

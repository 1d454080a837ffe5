//! From the tree of a file to an integer program.
//!
//! A variable of the program is an integer of C that nothing changes through a pointer. Everything else is *unknown* where it is read: the
//! program says so, with the construct and its place, and does not guess.
//!
//! Arithmetic on signed types is marked with the type in which C computes it; that on unsigned types wraps, as C says; conversions that
//! change a value keep its low bits, as all compilers do.

mod bits;
mod body;
mod call;
mod clean;
mod expression;
mod order;
mod statement;

use crate::constant;
use crate::options::Options;
use crate::sites::Sites;
use crate::syntax::{ExprId, FnId, Init, Storage, Unit, VarId};
use crate::token::Names;
use crate::types::Integer;
use base::{Diagnostic, FileId, Span};
use body::Builder;
use integers::{
    FunctionId, Global, Input, InputId, Place, Program, Start, Target, TargetId, TargetKind, Unknown,
    UnknownId, Variable,
};
use order::Conflict;
use rustc_hash::FxHashMap;

/// The state of a translation.
pub(crate) struct Lowering<'u> {
    pub(crate) unit: &'u Unit,
    pub(crate) names: &'u Names,
    pub(crate) options: &'u Options,
    pub(crate) program: Program,
    /// Where global variables are kept.
    pub(crate) globals: FxHashMap<VarId, u32>,
    /// The functions that have bodies.
    pub(crate) functions: FxHashMap<FnId, FunctionId>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Pairs of operands whose order may matter.
    pub(crate) conflicts: Vec<Conflict>,
    /// Where things are in the text.
    pub(crate) sites: Sites,
}

/// Makes a program, with warnings; or says what is wrong.
pub(crate) fn lower(
    unit: &Unit,
    names: &Names,
    options: &Options,
    file: FileId,
) -> Result<(Program, Sites, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut lowering = Lowering::new(unit, names, options);
    lowering.number_functions(file)?;
    lowering.globals();
    let bodies: Vec<FnId> = (0..unit.functions.len()).map(FnId::new).collect();
    for id in bodies {
        if !lowering.functions.contains_key(&id) {
            continue;
        }
        let function = Builder::function(&mut lowering, id);
        lowering.program.functions.push(function);
    }
    if lowering.has_errors() {
        return Err(lowering.diagnostics);
    }
    lowering.arguments_of_main();
    clean::clean(&mut lowering.program);
    integers::narrow(&mut lowering.program);
    lowering.report_conflicts();
    Ok((lowering.program, lowering.sites, lowering.diagnostics))
}

/// An expression by itself, as a formula over variables that are elsewhere; nothing, if the program would have to do something for it.
pub(crate) fn formula(
    unit: &Unit,
    names: &Names,
    options: &Options,
    expr: ExprId,
    places: &[(VarId, Place)],
) -> Option<integers::Expr> {
    let mut lowering = Lowering::new(unit, names, options);
    for &(var, place) in places {
        if let Place::Global(n) = place {
            lowering.globals.insert(var, n);
        }
    }
    let mut builder = Builder::new(&mut lowering, "", FunctionId(0));
    for &(var, place) in places {
        if let Place::Local(n) = place {
            builder.place.insert(var, n);
        }
    }
    let node = builder.node(unit.expr(expr).span);
    builder.point = body::Point::At(node);
    let formula = builder.truth(expr);
    (builder.edges.is_empty() && !lowering.has_errors()).then_some(formula)
}

impl<'u> Lowering<'u> {
    /// Nothing is translated yet.
    fn new(unit: &'u Unit, names: &'u Names, options: &'u Options) -> Self {
        let program = Program {
            globals: Vec::new(),
            functions: Vec::new(),
            main: FunctionId(0),
            inputs: Vec::new(),
            unknowns: Vec::new(),
            targets: Vec::new(),
            memory: integers::Memory::default(),
        };
        Self {
            unit,
            names,
            options,
            program,
            globals: FxHashMap::default(),
            functions: FxHashMap::default(),
            diagnostics: Vec::new(),
            conflicts: Vec::new(),
            sites: Sites::default(),
        }
    }
}

impl Lowering<'_> {
    /// Functions with bodies get numbers, so that calls can name them before they are translated.
    fn number_functions(&mut self, file: FileId) -> Result<(), Vec<Diagnostic>> {
        let mut main = None;
        for (n, function) in self.unit.functions.iter().enumerate() {
            if function.body.is_some() && !self.is_error_function(FnId::new(n)) {
                let id = FunctionId::new(self.functions.len());
                self.functions.insert(FnId::new(n), id);
                if self.names.text(function.name) == "main" {
                    main = Some(id);
                }
            }
        }
        match main {
            Some(main) => {
                self.program.main = main;
                Ok(())
            }
            None => {
                let message = "there is no function `main`, in which runs start";
                Err(vec![Diagnostic::error(Span::new(file, 0..0), message)])
            }
        }
    }

    /// A call of it is the error, whatever its body does.
    pub(crate) fn is_error_function(&self, id: FnId) -> bool {
        self.options.targets.has_call(self.names.text(self.unit.function(id).name))
    }

    fn globals(&mut self) {
        for &id in &self.unit.globals {
            let var = self.unit.var(id);
            let Some(integer) = self.represented(id) else { continue };
            let name = match var.storage {
                Storage::StaticLocal(function) => {
                    let function = self.names.text(self.unit.function(function).name);
                    self.unused(&format!("{function}.{}", self.names.text(var.name)))
                }
                _ => self.names.text(var.name).to_owned(),
            };
            let start = self.start(id, integer, &name);
            let variable = Variable { name, ty: integer.ty, span: var.span };
            self.globals.insert(id, self.program.globals.len() as u32);
            self.program.globals.push(Global { variable, start });
        }
    }

    /// A name that no global has yet: blocks of a function may have static variables of the same name.
    fn unused(&self, name: &str) -> String {
        let is_free = |name: &String| self.program.globals.iter().all(|global| global.variable.name != *name);
        let numbered = (2..).map(|n| format!("{name}.{n}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        names.find(is_free).expect("there are more numbers than globals")
    }

    /// What a global holds at first.
    fn start(&mut self, id: VarId, integer: Integer, name: &str) -> Start {
        let var = self.unit.var(id);
        let unknown = match (&var.storage, &var.init) {
            (Storage::Undeclared, _) => format!("`{name}`, which is not declared"),
            (Storage::Extern, _) => format!("`{name}`, which is defined elsewhere"),
            (_, None) => return Start::Number(0),
            (_, Some(init)) => {
                let value = match init {
                    Init::Value(value) => Some(value),
                    Init::List(values) => values.first(),
                };
                let Some(value) = value else { return Start::Number(0) };
                if let Some((value, _)) = constant::evaluate(self.unit, *value, self.options.data_model) {
                    return Start::Number(constant::converted(value, integer));
                }
                format!("the initial value of `{name}`")
            }
        };
        Start::Unknown(self.unknown(unknown, var.span))
    }

    /// The integer type of a variable that the program has: one that nothing changes behind its back.
    pub(crate) fn represented(&self, id: VarId) -> Option<Integer> {
        let var = self.unit.var(id);
        var.ty.integer().filter(|_| !var.is_addressed && !var.is_volatile)
    }

    pub(crate) fn unknown(&mut self, construct: String, span: Span) -> UnknownId {
        self.program.unknowns.push(Unknown { construct, span });
        UnknownId::new(self.program.unknowns.len() - 1)
    }

    pub(crate) fn input(&mut self, input: Input) -> InputId {
        self.program.inputs.push(input);
        InputId::new(self.program.inputs.len() - 1)
    }

    pub(crate) fn target(&mut self, kind: TargetKind, name: String, function: &str, span: Span) -> TargetId {
        self.program.targets.push(Target { kind, name, function: function.to_owned(), span });
        TargetId::new(self.program.targets.len() - 1)
    }

    pub(crate) fn error(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(span, message));
    }

    fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity == base::Severity::Error)
    }

    /// The environment chooses the arguments of `main`.
    fn arguments_of_main(&mut self) {
        let main = self.program.main;
        let function = self.program.function(main);
        if function.n_params > 0 {
            let start = clean::start(&mut self.program, main);
            self.program.main = start;
        }
    }

    /// The place of a variable, as seen from a function with these locals.
    pub(crate) fn global(&self, id: VarId) -> Option<Place> {
        self.globals.get(&id).map(|n| Place::Global(*n))
    }
}

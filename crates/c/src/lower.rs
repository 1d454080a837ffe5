//! From the tree of a file to an integer program.
//!
//! A variable of the program is an integer or a pointer of C that nothing changes through a pointer. Arrays, structures and what pointers point to are objects in memory, in regions that a points-to analysis tells
//! apart ([`crate::points`]). Everything else is *unknown* where it is read: the program says so, with the construct and its place, and does not guess.
//!
//! Arithmetic on signed types is marked with the type in which C computes it; that on unsigned types wraps, as C says; conversions that
//! change a value keep its low bits, as all compilers do.

mod anything;
mod assignment;
mod bits;
mod body;
pub(crate) mod call;
mod clean;
mod expression;
mod memory;
mod object;
mod order;
mod scope;
mod statement;

use crate::constant;
use crate::options::Options;
use crate::points::constraints::analyse;
use crate::points::regions::{Context, Regions};
use crate::points::{PointId, Points, is_in_memory};
use crate::sites::Sites;
use crate::syntax::{ExprId, ExprKind, FnId, Storage, Unary, Unit, VarId};
use crate::token::{Name, Names};
use crate::types::Ty;
use base::{Diagnostic, FileId, Span};
use body::Builder;
use integers::{
    ClassId, FunctionId, Global, Input, InputId, ObjectId, Op, Place, Program, RegionId, Start, Target,
    TargetId, TargetKind, Type, Unknown, UnknownId, Variable,
};
use memory::{Home, Scalar};
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
    /// What pointers point to.
    pub(crate) points: Points,
    /// The classes and regions that are used so far.
    pub(crate) regions: Regions,
    /// Where variables are that are objects from the beginning.
    pub(crate) homes: FxHashMap<VarId, Home>,
    /// The objects of texts and compound literals.
    pub(crate) literals: FxHashMap<ExprId, ObjectId>,
    /// The objects that structures are passed in, by parameter.
    pub(crate) passed: FxHashMap<VarId, ObjectId>,
    /// The objects that structures are returned in.
    pub(crate) returned: FxHashMap<FnId, ObjectId>,
    /// Functions of which there may be several activations at once.
    is_recursive: Vec<bool>,
    /// Expressions that are more than arithmetic on variables.
    pub(crate) touches: Vec<bool>,
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
    lowering.analyse(file);
    lowering.objects();
    lowering.globals();
    lowering.initial_cells();
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
    let node = builder.node_at(unit.expr(expr).span);
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
            points: Points::default(),
            regions: Regions::default(),
            homes: FxHashMap::default(),
            literals: FxHashMap::default(),
            passed: FxHashMap::default(),
            returned: FxHashMap::default(),
            is_recursive: vec![false; unit.functions.len()],
            touches: Vec::new(),
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
            let Some(scalar) = self.represented(id) else { continue };
            let name = match var.storage {
                Storage::StaticLocal(function) => {
                    let function = self.names.text(self.unit.function(function).name);
                    self.unused(&format!("{function}.{}", self.names.text(var.name)))
                }
                _ => self.names.text(var.name).to_owned(),
            };
            let start = self.start(id, &scalar, &name);
            let variable = Variable { name, ty: scalar.ty(), span: var.span };
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
    fn start(&mut self, id: VarId, scalar: &Scalar, name: &str) -> Start {
        let var = self.unit.var(id);
        let unknown = match (&var.storage, &var.init) {
            (Storage::Undeclared, _) => format!("`{name}`, which is not declared"),
            (Storage::Extern, _) => format!("`{name}`, which is defined elsewhere"),
            (_, None) => return Start::Number(0),
            (_, Some(init)) => {
                let values = init.values();
                let Some(&value) = values.first() else { return Start::Number(0) };
                let known = constant::evaluate(self.unit, value, self.options.data_model);
                match (known, scalar) {
                    (Some((value, _)), Scalar::Integer(integer)) => {
                        return Start::Number(constant::converted(value, *integer));
                    }
                    (_, Scalar::Pointer(_)) => {
                        if let Some(start) = self.start_pointer(value, scalar) {
                            return start;
                        }
                    }
                    _ => {}
                }
                format!("the initial value of `{name}`")
            }
        };
        Start::Unknown(self.unknown(unknown, var.span))
    }

    /// A global pointer that points somewhere at first.
    fn start_pointer(&mut self, value: ExprId, scalar: &Scalar) -> Option<Start> {
        let number = self.constant_value(value, scalar)?;
        if scalar.ty() != Type::POINTER || number == 0 {
            return Some(Start::Number(number));
        }
        let (object, offset) = integers::memory::unpack(number);
        Some(Start::Pointer(ObjectId::new(usize::try_from(object - 1).ok()?), offset))
    }

    /// What a variable holds that the program has: one that nothing changes behind its back.
    pub(crate) fn represented(&self, id: VarId) -> Option<Scalar> {
        let is_alone = !is_in_memory(self.unit, id) && !self.unit.var(id).is_volatile;
        self.scalar(id).filter(|_| is_alone)
    }

    /// What a variable holds, wherever it is, if it is a number or a pointer whose object is known.
    pub(crate) fn scalar(&self, id: VarId) -> Option<Scalar> {
        let ty = crate::typing::resolved(self.unit, self.unit.var(id).ty.clone());
        self.scalar_of(ty, self.points.var(id))
    }

    /// What an object of this type at a node holds.
    pub(crate) fn scalar_of(&self, ty: Ty, node: Option<PointId>) -> Option<Scalar> {
        match ty {
            Ty::Int(integer) => Some(Scalar::Integer(integer)),
            Ty::Pointer(_) => {
                let content = self.points.known_content(node?);
                let is_lost = content.is_some_and(|content| self.points.lost(content).is_some());
                (memory::is_function(&ty) || !is_lost).then_some(Scalar::Pointer(ty))
            }
            _ => None,
        }
    }

    /// What a parameter is passed as, if it is a number or a pointer.
    pub(crate) fn passed_scalar(&self, id: VarId) -> Option<Scalar> {
        let is_lost = self.points.var(id).is_none_or(|node| self.points.lost(node).is_some());
        let is_object = is_in_memory(self.unit, id);
        let is_kept = if is_object { !is_lost } else { !self.unit.var(id).is_volatile };
        self.scalar(id).filter(|_| is_kept)
    }

    /// What a function gives, if it is a number or a pointer.
    pub(crate) fn result_scalar(&self, id: FnId) -> Option<Scalar> {
        let ty = crate::typing::resolved(self.unit, self.unit.function(id).signature.result.clone());
        self.scalar_of(ty, self.points.result(id))
    }

    /// The object that a structure is passed in.
    pub(crate) fn passed_object(&mut self, param: VarId) -> Option<ObjectId> {
        if let Some(&known) = self.passed.get(&param) {
            return Some(known);
        }
        let var = self.unit.var(param);
        let node = self.points.var(param).filter(|node| self.points.lost(*node).is_none())?;
        if !matches!(var.ty, Ty::Record(_)) {
            return None;
        }
        let object = self.carrier(node, &format!("${}", self.names.text(var.name)), var.span);
        self.passed.insert(param, object);
        Some(object)
    }

    /// The object that a structure is returned in, and its node.
    pub(crate) fn returned_object(&mut self, function: FnId) -> Option<(ObjectId, PointId)> {
        let declared = self.unit.function(function);
        let node = self.points.result(function).filter(|node| self.points.lost(*node).is_none())?;
        if !matches!(declared.signature.result, Ty::Record(_)) {
            return None;
        }
        if let Some(&known) = self.returned.get(&function) {
            return Some((known, node));
        }
        let object = self.carrier(node, &format!("{}()", self.names.text(declared.name)), declared.span);
        self.returned.insert(function, object);
        Some((object, node))
    }

    /// The number that stands for a function.
    pub(crate) fn function_number(&self, function: FnId) -> i128 {
        match self.functions.get(&function) {
            Some(id) => i128::from(id.0) + 1,
            // Those that are elsewhere come after all others.
            None => (self.unit.functions.len() + function.index()) as i128 + 1,
        }
    }

    /// An object of one element that structures are put in.
    fn carrier(&mut self, node: PointId, name: &str, span: Span) -> ObjectId {
        self.object(node, name, 1, integers::memory::Lifetime::Static, false, span)
    }

    /// Why a variable is not represented.
    pub(crate) fn unrepresented(&self, id: VarId) -> String {
        let var = self.unit.var(id);
        let node = self.points.var(id);
        let content = node.and_then(|node| self.points.known_content(node));
        let lost = [node, content].into_iter().flatten().find_map(|node| self.points.lost(node));
        match lost {
            Some(lost) => lost.construct.clone(),
            None => format!("`{}`, {}", self.names.text(var.name), var.ty.describe()),
        }
    }

    /// Finds out what pointers point to.
    fn analyse(&mut self, file: FileId) {
        self.points = analyse(self.unit, self.names, self.options);
        self.is_recursive = object::recursive(self.unit, &self.points.taken, self.options.data_model);
        self.touches = touches(self.unit);
        // Where members cannot be told apart by numbers, nothing is known of the structure.
        let span = Span::new(file, 0..0);
        let mut tried = Regions::default();
        let (mut memory, mut inputs) = (integers::Memory::default(), Vec::new());
        let mut context = Context {
            unit: self.unit,
            names: self.names,
            points: &self.points,
            memory: &mut memory,
            inputs: &mut inputs,
            span,
        };
        let unsound: Vec<PointId> =
            self.points.records().filter(|node| !tried.is_sound(&mut context, *node)).collect();
        for node in unsound {
            self.points.forget(node, "members of a structure that one pointer may point to", span);
        }
    }

    fn with_context<T>(&mut self, ask: impl FnOnce(&mut Regions, &mut Context<'_>) -> T) -> T {
        let span = self.unit.functions.first().map_or_else(
            || self.unit.exprs.first().map_or(Span::new(FileId(0), 0..0), |expr| expr.span),
            |function| function.span,
        );
        let mut context = Context {
            unit: self.unit,
            names: self.names,
            points: &self.points,
            memory: &mut self.program.memory,
            inputs: &mut self.program.inputs,
            span,
        };
        ask(&mut self.regions, &mut context)
    }

    /// The class of a node.
    pub(crate) fn class(&mut self, node: PointId) -> ClassId {
        self.with_context(|regions, context| regions.class(context, node))
    }

    /// The region of a node whose elements are numbers or pointers.
    pub(crate) fn region(&mut self, node: PointId) -> RegionId {
        self.with_context(|regions, context| regions.region(context, node))
    }

    /// The pointer to a member of what a pointer points to.
    pub(crate) fn part(&mut self, pointer: integers::Expr, node: PointId, name: Name) -> integers::Expr {
        match self.with_context(|regions, context| regions.member(context, node, name)) {
            (1, 0) => pointer,
            (stride, start) => match pointer.as_constant() {
                // An offset by itself.
                Some(offset) if pointer.code().len() == 1 => {
                    integers::Expr::constant(offset * i128::from(stride) + i128::from(start))
                }
                _ => pointer.unary(Op::Member(stride, start)),
            },
        }
    }

    /// Whether there may be several activations of a function at once.
    pub(crate) fn is_recursive(&self, function: FnId) -> bool {
        self.is_recursive.get(function.index()).copied().unwrap_or(true)
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

/// For each expression whether it does or reads more than variables.
fn touches(unit: &Unit) -> Vec<bool> {
    let mut touches: Vec<bool> = Vec::with_capacity(unit.exprs.len());
    for expr in &unit.exprs {
        // Operands come first.
        let of = |id: &ExprId| touches.get(id.index()).copied().unwrap_or(true);
        let is_touched = match &expr.kind {
            _ if expr.has_effects => true,
            ExprKind::Var(var) => is_in_memory(unit, *var),
            ExprKind::Unary(Unary::Deref | Unary::Address, _)
            | ExprKind::Index(..)
            | ExprKind::Member(..)
            | ExprKind::Text(_)
            | ExprKind::Compound(..) => true,
            ExprKind::Unary(_, operand) | ExprKind::Cast(_, operand) => of(operand),
            ExprKind::Binary(_, left, right) => of(left) || of(right),
            ExprKind::Conditional(condition, yes, no) => {
                of(condition) || yes.as_ref().is_some_and(of) || of(no)
            }
            _ => false,
        };
        touches.push(is_touched);
    }
    touches
}

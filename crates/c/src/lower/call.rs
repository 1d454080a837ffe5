//! Calls: of functions of the program, of those that verification tasks agree on, of the library, and of the unknown.

use super::body::Builder;
use super::body::Loose;
use super::expression::Value;
use super::memory::Scalar;
use crate::options::Options;
use crate::points::constraints::{ALLOCATORS, candidates};
use crate::sites::SiteKind;
use crate::syntax::{ExprId, ExprKind, FnId, Unary, Unit, VarId};
use crate::token::Names;
use crate::types::{Integer, Ty};
use crate::typing;
use base::Span;
use integers::{
    Action, Expr, FunctionId, Input, InputKind, Op, Place, Relation, Role, Step, TargetKind, Type,
};

/// Where the result of a call is wanted.
#[derive(Clone, Copy)]
pub(crate) enum Wanted {
    Nothing,
    Anywhere,
    /// In a variable of a type, by a statement.
    At(Place, Type, Span),
}

/// Functions without a body that end the program: those of the library, and those that say that something is wrong, if nobody asks for them.
const ENDS: [&str; 11] = [
    "abort",
    "exit",
    "_exit",
    "_Exit",
    "quick_exit",
    "__builtin_abort",
    "__builtin_trap",
    "__builtin_exit",
    "__builtin_unreachable",
    "reach_error",
    "__VERIFIER_error",
];

/// What a failed assertion calls.
const FAILURES: [&str; 5] = ["__assert_fail", "__assert_rtn", "__assert_func", "__assert", "_assert"];

const ASSERTIONS: [&str; 2] = ["assert", "__VERIFIER_assert"];

const ASSUMPTIONS: [&str; 4] = ["__VERIFIER_assume", "assume", "assume_abort_if_not", "__CPROVER_assume"];

/// Functions of the library that change nothing that the program can see.
const HARMLESS: [&str; 23] = [
    "puts", "fputs", "putchar", "putc", "fputc", "fflush", "perror", "malloc", "calloc", "realloc", "free",
    "alloca", "memcmp", "strlen", "strcmp", "strncmp", "rand", "srand", "abs", "labs", "getchar", "usleep",
    "sleep",
];

/// Those that print: they change nothing unless they are told where to store how much they have printed.
const PRINTS: [&str; 5] = ["printf", "fprintf", "vprintf", "dprintf", "printk"];

/// Those that store something where their arguments point to, and change nothing else.
const STORES: [&str; 26] = [
    "__VERIFIER_nondet_memory",
    "sprintf",
    "snprintf",
    "vsprintf",
    "vsnprintf",
    "scanf",
    "fscanf",
    "sscanf",
    "__isoc99_scanf",
    "__isoc99_fscanf",
    "__isoc99_sscanf",
    "memset",
    "memcpy",
    "memmove",
    "mempcpy",
    "strcpy",
    "strncpy",
    "stpcpy",
    "strcat",
    "strncat",
    "time",
    "fgets",
    "gets",
    "fread",
    "strtol",
    "strtoul",
];

impl Builder<'_, '_> {
    /// A call and the value of its result.
    pub(crate) fn call(&mut self, id: ExprId, function: ExprId, args: &[ExprId], wanted: Wanted) -> Value {
        let span = self.low.unit.expr(id).span;
        let Some(callee) = self.callee(function) else {
            return self.indirect(id, function, args, span);
        };
        self.named(id, callee, args, wanted, span)
    }

    /// A call of a function by its name.
    fn named(&mut self, id: ExprId, callee: FnId, args: &[ExprId], wanted: Wanted, span: Span) -> Value {
        if self.low.is_error_function(callee) {
            return self.failure(TargetKind::Call, callee, args, span);
        }
        if let Some(&defined) = self.low.functions.get(&callee) {
            return self.defined(callee, defined, args, wanted, span);
        }
        let name = self.low.names.text(self.low.unit.function(callee).name);
        let is_target = self.low.options.targets.has_assertions();
        if ENDS.contains(&name) {
            args.iter().for_each(|arg| self.effect(*arg));
            self.end(Role::Stop, span);
            return nothing();
        }
        if FAILURES.contains(&name) {
            if is_target {
                return self.failure(TargetKind::Assertion, callee, args, span);
            }
            self.end(Role::Stop, span);
            return nothing();
        }
        match args {
            [condition] if ASSERTIONS.contains(&name) => self.assertion(callee, *condition, is_target, span),
            [condition] if ASSUMPTIONS.contains(&name) => {
                let condition = self.truth(*condition);
                self.act(Action::Step(Step::new(condition, Vec::new())), span);
                nothing()
            }
            [value, ..] if name.starts_with("__builtin_expect") => self.value(*value),
            [pointer] if matches!(name, "free" | "kfree") => {
                self.release_heap(*pointer, span);
                nothing()
            }
            _ => match self.memory_function(id, name, args, span) {
                Some(value) => value,
                None => self.environment(callee, args, wanted, span),
            },
        }
    }

    /// Functions that allocate, fill and copy.
    fn memory_function(&mut self, id: ExprId, name: &str, args: &[ExprId], span: Span) -> Option<Value> {
        if ALLOCATORS.contains(&name) || name == "realloc" {
            return self.allocation(id, name, args, span);
        }
        let name = name.strip_prefix("__builtin_").unwrap_or(name);
        matches!(name, "memset" | "memcpy" | "memmove").then(|| self.bulk(name, args, span)).flatten()
    }

    /// A function without a body: it gives an input, or nobody knows what it does.
    fn environment(&mut self, callee: FnId, args: &[ExprId], wanted: Wanted, span: Span) -> Value {
        match self.input_type(callee, args) {
            Some(ty) => self.input(callee, ty, wanted, span),
            None => self.undefined(callee, args, span),
        }
    }

    /// The function that is called, if it is called by its name.
    fn callee(&self, function: ExprId) -> Option<FnId> {
        let mut at = function;
        loop {
            match self.low.unit.expr(at).kind {
                ExprKind::Function(function) => return Some(function),
                ExprKind::Unary(Unary::Deref | Unary::Address, operand) => at = operand,
                _ => return None,
            }
        }
    }

    /// The call is a target, and the end of the run.
    fn failure(&mut self, kind: TargetKind, callee: FnId, args: &[ExprId], span: Span) -> Value {
        args.iter().for_each(|arg| self.effect(*arg));
        // A target that no path leads to is one nevertheless: it can be asked for.
        let name = self.low.names.text(self.low.unit.function(callee).name).to_owned();
        let target = self.low.target(kind, name, self.name, span);
        if self.is_reachable() {
            self.end(Role::Target(target), span);
        }
        nothing()
    }

    fn assertion(&mut self, callee: FnId, condition: ExprId, is_target: bool, span: Span) -> Value {
        let (holds, fails) = self.branch(condition);
        self.go_on(fails);
        if is_target {
            self.failure(TargetKind::Assertion, callee, &[], span);
        } else {
            self.end(Role::Stop, span);
        }
        self.go_on(holds);
        nothing()
    }

    /// A function of the program.
    fn defined(
        &mut self,
        callee: FnId,
        id: FunctionId,
        args: &[ExprId],
        wanted: Wanted,
        span: Span,
    ) -> Value {
        let unit = self.low.unit;
        let function = unit.function(callee);
        let body = function.body.as_ref().expect("it is defined");
        let is_right = args.len() == body.params.len()
            || (args.len() > body.params.len() && function.signature.is_variadic);
        if !is_right {
            let (name, expected) = (self.low.names.text(function.name), body.params.len());
            let plural = if expected == 1 { "" } else { "s" };
            let message =
                format!("`{name}` takes {expected} argument{plural}, but this call passes {}", args.len());
            let error =
                base::Diagnostic::error(span, message).note("it is defined here", Some(function.span));
            self.low.diagnostics.push(error);
            return nothing();
        }
        self.low.unordered(args, span);
        let mut values: Vec<Value> = Vec::new();
        for &arg in args {
            values = values.into_iter().map(|value| self.protected(value, arg)).collect();
            let value = self.value(arg);
            values.push(value);
        }
        let passed = self.passed(values, &body.params, span);
        let result = self.low.result_scalar(callee);
        let (place, at) = match (wanted, &result) {
            (Wanted::Nothing, _) | (_, None) => (None, span),
            (Wanted::At(place, ty, at), Some(result)) if ty == result.ty() => (Some(place), at),
            (Wanted::At(_, _, at), Some(result)) => (Some(self.temporary(result.ty(), span)), at),
            (Wanted::Anywhere, Some(result)) => (Some(self.temporary(result.ty(), span)), span),
        };
        if self.is_reachable() {
            self.act(Action::Call { callee: id, args: passed, result: place }, at);
            self.site(span, SiteKind::Call(integers::EdgeId::new(self.edges.len() - 1)));
        }
        match (place, result, self.low.returned_object(callee)) {
            (Some(place), Some(Scalar::Integer(ty)), _) => Value::Integer(Expr::read(place), ty),
            (Some(place), Some(Scalar::Pointer(ty)), _) => Value::Pointer(Expr::read(place), ty),
            (_, _, Some((object, node))) => Value::Record(Expr::leaf(Op::Object(object)), node),
            _ => Value::Unknown(function.signature.result.clone(), "the result of a call".to_owned()),
        }
    }

    /// What parameters get: numbers and pointers as arguments, structures in objects of their own.
    fn passed(&mut self, values: Vec<Value>, params: &[VarId], span: Span) -> Vec<Expr> {
        let mut passed = Vec::new();
        let mut records = Vec::new();
        for (value, &param) in values.into_iter().zip(params) {
            if let Some(scalar) = self.low.passed_scalar(param) {
                match self.converted(value, &scalar) {
                    Ok(expr) => passed.push(expr),
                    Err(construct) => {
                        let place = self.temporary(scalar.ty(), span);
                        self.forget(&[place], construct, span);
                        passed.push(Expr::read(place));
                    }
                }
            } else if let (Some(object), Value::Record(from, node)) = (self.low.passed_object(param), value) {
                records.push((object, node, from));
            }
        }
        // Arguments are evaluated before anything is put into the objects.
        let passed = passed.into_iter().map(|expr| self.settled(expr, span)).collect();
        for (object, node, from) in records {
            self.copy(node, Expr::leaf(Op::Object(object)), from, span);
        }
        passed
    }

    /// A call through a pointer: of one of the functions whose address is taken.
    fn indirect(&mut self, id: ExprId, function: ExprId, args: &[ExprId], span: Span) -> Value {
        let ty = self.type_of(id);
        let model = self.low.options.data_model;
        let candidates = candidates(self.low.unit, &self.low.points.taken, function, args.len(), model);
        let number = match self.value(function) {
            Value::Pointer(number, _) => {
                let number = self.settled(number, span);
                self.kept(number, Type::unsigned(64), span)
            }
            // Nobody knows which function it is; it may be one that the program does not have.
            value => {
                let construct = match value {
                    Value::Unknown(_, construct) => construct,
                    _ => "a number as a function".to_owned(),
                };
                self.anything(&construct, span);
                let place = self.temporary(Type::unsigned(64), span);
                self.forget(&[place], construct, span);
                Expr::read(place)
            }
        };
        let scalar = self.low.scalar_of(ty.clone(), self.low.points.literal(id));
        let result = scalar.map(|scalar| (self.temporary(scalar.ty(), span), scalar));
        let pointer = matches!(ty, Ty::Record(_)).then(|| self.temporary(Type::POINTER, span));
        let (mut ends, mut others) = (Loose::new(), Expr::truth(true));
        let Some(node) = self.here(span) else { return Value::Unknown(ty, "a call".to_owned()) };
        for candidate in candidates {
            let chosen = Expr::constant(self.low.function_number(candidate));
            let is_it = number.clone().compare(Relation::Equal, chosen);
            others = others.and(is_it.clone().not());
            let edge = self.edge(node, Action::Step(Step::new(is_it, Vec::new())), span);
            self.go_on(vec![edge]);
            let value = self.named(id, candidate, args, Wanted::Anywhere, span);
            match (&result, pointer, value) {
                (Some((place, scalar)), _, value) => match self.converted(value, scalar) {
                    Ok(expr) => self.store(*place, expr, span),
                    Err(construct) => self.forget(&[*place], construct, span),
                },
                (_, Some(place), Value::Record(from, _)) => self.store(place, from, span),
                _ => {}
            }
            ends.extend(self.leave(span));
        }
        // No other function can be meant: null, or a pointer that is wrong.
        let wrong =
            Expr::leaf(Op::Misuse(integers::Misuse::Null)).compare(Relation::Equal, Expr::constant(0));
        let edge = self.edge(node, Action::Step(Step::new(others.and(wrong), Vec::new())), span);
        let end = self.node_at(span);
        self.nodes[end.index()].role = Role::Stop;
        self.lead(vec![edge], end);
        self.go_on(ends);
        match (result, pointer, self.low.points.literal(id)) {
            (Some((place, Scalar::Integer(integer))), ..) => Value::Integer(Expr::read(place), integer),
            (Some((place, Scalar::Pointer(ty))), ..) => Value::Pointer(Expr::read(place), ty),
            (_, Some(place), Some(node)) => Value::Record(Expr::read(place), node),
            _ => Value::Unknown(ty, "a call through a pointer".to_owned()),
        }
    }

    fn input_type(&self, callee: FnId, args: &[ExprId]) -> Option<Integer> {
        input_type(self.low.unit, self.low.names, self.low.options, callee, args.len())
    }

    /// The environment chooses.
    fn input(&mut self, callee: FnId, ty: Integer, wanted: Wanted, span: Span) -> Value {
        let name = self.low.names.text(self.low.unit.function(callee).name).to_owned();
        let (place, at) = match wanted {
            Wanted::Nothing => return nothing(),
            Wanted::At(place, wanted, at) if wanted == ty.ty => (place, at),
            Wanted::At(_, _, at) => (self.temporary(ty.ty, span), at),
            Wanted::Anywhere => (self.temporary(ty.ty, span), span),
        };
        self.read_input(place, Input { name, ty: ty.ty, kind: InputKind::Read, span }, at);
        Value::Integer(Expr::read(place), ty)
    }

    /// A function about which nothing is known.
    fn undefined(&mut self, callee: FnId, args: &[ExprId], span: Span) -> Value {
        let unit = self.low.unit;
        let function = unit.function(callee);
        let name = self.low.names.text(function.name).to_owned();
        self.low.unordered(args, span);
        let mut is_called_back = false;
        for &arg in args {
            let ty = typing::type_of(unit, arg, self.low.options.data_model).decayed();
            if matches!(&ty, Ty::Pointer(inner) if matches!(inner.bare, Ty::Function(_))) {
                is_called_back = true;
            }
            self.effect(arg);
        }
        if is_called_back {
            self.anything(&format!("what `{name}` does with a function that it may call"), span);
        }
        let is_harmless = is_harmless(unit, self.low.names, self.low.options, callee, args);
        if !is_harmless && !STORES.contains(&plain(&name)) {
            let visible = self.visible_globals();
            self.forget(&visible, format!("what the undefined function `{name}` changes"), span);
        }
        let result = function.signature.result.clone();
        Value::Unknown(result, format!("the result of the undefined function `{name}`"))
    }
}

/// Whether a function fails, or does so where its argument is false.
pub(crate) fn is_assertion(name: &str) -> bool {
    FAILURES.contains(&name) || ASSERTIONS.contains(&name)
}

/// The value of a call that gives none.
fn nothing() -> Value {
    Value::Unknown(Ty::Void, "a call that gives nothing".to_owned())
}

/// The type of the numbers that a function without a body gives, if it stands for the environment.
fn input_type(unit: &Unit, names: &Names, options: &Options, callee: FnId, n_args: usize) -> Option<Integer> {
    let function = unit.function(callee);
    let name = names.text(function.name);
    let agreed = name.strip_prefix("__VERIFIER_nondet_");
    let is_input = agreed.is_some()
        || (n_args == 0 && (name == "nondet" || name.starts_with("nondet_") || name == "read"))
        || options.inputs.iter().any(|input| input == name);
    if !is_input {
        return None;
    }
    let word = options.data_model.word();
    let is_declared =
        function.signature.params.is_some() || function.signature.result != Ty::Int(Integer::INT);
    let by_name = match agreed {
        Some("char") => Some(Integer::signed(8)),
        Some("uchar" | "u8") => Some(Integer::unsigned(8)),
        Some("short") => Some(Integer::signed(16)),
        Some("ushort" | "u16") => Some(Integer::unsigned(16)),
        Some("uint" | "u32" | "unsigned") => Some(Integer::unsigned(32)),
        Some("long" | "loff_t") => Some(Integer::signed(word)),
        Some("ulong" | "size_t" | "sector_t") => Some(Integer::unsigned(word)),
        Some("longlong") => Some(Integer::signed(64)),
        Some("ulonglong") => Some(Integer::unsigned(64)),
        Some("bool") => Some(Integer::BOOL),
        Some("float" | "double" | "pointer" | "pchar") => return None,
        _ => None,
    };
    if is_declared { function.signature.result.integer() } else { by_name.or(Some(Integer::INT)) }
}

/// The name of a function that compilers have under another name.
fn plain(name: &str) -> &str {
    let inner = name.strip_prefix("__builtin_").unwrap_or(name);
    let inner = inner.strip_prefix("__").filter(|_| inner.ends_with("_chk")).unwrap_or(inner);
    inner.strip_suffix("_chk").unwrap_or(inner)
}

/// Whether a function without a body changes nothing that the program can see, as far as it is known.
pub(crate) fn is_harmless(
    unit: &Unit,
    names: &Names,
    options: &Options,
    callee: FnId,
    args: &[ExprId],
) -> bool {
    let function = unit.function(callee);
    let name = names.text(function.name);
    if STORES.contains(&plain(name)) {
        return false;
    }
    // `%n` stores.
    let is_number = |arg: &ExprId| match typing::type_of(unit, *arg, options.data_model).decayed() {
        Ty::Pointer(inner) => {
            let is_letter = inner.bare == Ty::Int(Integer::PLAIN_CHAR);
            matches!(inner.bare, Ty::Int(_)) && !is_letter && !inner.is_const
        }
        _ => false,
    };
    if PRINTS.contains(&plain(name)) {
        return !args.iter().any(is_number);
    }
    let lists: [&[&str]; 5] = [&HARMLESS, &ENDS, &FAILURES, &ASSERTIONS, &ASSUMPTIONS];
    lists.iter().any(|list| list.contains(&name))
        || function.is_pure
        || options.targets.has_call(name)
        || ["__builtin_", "__VERIFIER_"].iter().any(|prefix| name.starts_with(prefix))
        || input_type(unit, names, options, callee, args.len()).is_some()
}

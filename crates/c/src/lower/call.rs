//! Calls: of functions of the program, of those that verification tasks agree on, of the library, and of the unknown.

use super::body::Builder;
use super::expression::{Value, convert};
use crate::sites::SiteKind;
use crate::syntax::{ExprId, ExprKind, FnId, Unary};
use crate::types::{Integer, Ty};
use crate::typing;
use base::Span;
use integers::{Action, Expr, FunctionId, Input, InputKind, Place, Role, Step, TargetKind};

/// Where the result of a call is wanted.
#[derive(Clone, Copy)]
pub(crate) enum Wanted {
    Nothing,
    Anywhere,
    /// In a variable of a type, by a statement.
    At(Place, Integer, Span),
}

/// Functions of the library that end the program.
const ENDS: [&str; 9] = [
    "abort",
    "exit",
    "_exit",
    "_Exit",
    "quick_exit",
    "__builtin_abort",
    "__builtin_trap",
    "__builtin_exit",
    "__builtin_unreachable",
];

/// What a failed assertion calls.
const FAILURES: [&str; 5] = ["__assert_fail", "__assert_rtn", "__assert_func", "__assert", "_assert"];

const ASSERTIONS: [&str; 2] = ["assert", "__VERIFIER_assert"];

const ASSUMPTIONS: [&str; 4] = ["__VERIFIER_assume", "assume", "assume_abort_if_not", "__CPROVER_assume"];

/// Functions of the library that change no variable whose address they do not get.
const HARMLESS: [&str; 40] = [
    "printf",
    "fprintf",
    "sprintf",
    "snprintf",
    "vprintf",
    "puts",
    "fputs",
    "putchar",
    "putc",
    "fputc",
    "fflush",
    "perror",
    "printk",
    "malloc",
    "calloc",
    "realloc",
    "free",
    "alloca",
    "__builtin_alloca",
    "memset",
    "memcpy",
    "memmove",
    "memcmp",
    "strlen",
    "strcpy",
    "strncpy",
    "strcmp",
    "strncmp",
    "strcat",
    "time",
    "rand",
    "srand",
    "abs",
    "labs",
    "scanf",
    "getchar",
    "usleep",
    "sleep",
    "__builtin_object_size",
    "__builtin_memset",
];

impl Builder<'_, '_> {
    /// A call and the value of its result.
    pub(crate) fn call(&mut self, id: ExprId, function: ExprId, args: &[ExprId], wanted: Wanted) -> Value {
        let span = self.low.unit.expr(id).span;
        let Some(callee) = self.callee(function) else {
            self.low.error(self.low.unit.expr(function).span, "calls through pointers are not supported");
            return Value::Unknown(Ty::Int(Integer::INT), "a call through a pointer".to_owned());
        };
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
            _ => match self.input_type(callee, args) {
                Some(ty) => self.input(callee, ty, wanted, span),
                None => self.undefined(callee, args, span),
            },
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
        let mut passed = Vec::new();
        for (value, &param) in values.into_iter().zip(&body.params) {
            if let Some(ty) = self.low.represented(param) {
                let (expr, from) = self.as_integer(value, span);
                passed.push(convert(expr, from, ty));
            }
        }
        let result = function.signature.result.integer();
        let (place, at) = match (wanted, result) {
            (Wanted::Nothing, _) | (_, None) => (None, span),
            (Wanted::At(place, ty, at), Some(result)) if ty.ty == result.ty => (Some(place), at),
            (Wanted::At(_, _, at), Some(result)) => (Some(self.temporary(result.ty, span)), at),
            (Wanted::Anywhere, Some(result)) => (Some(self.temporary(result.ty, span)), span),
        };
        if self.is_reachable() {
            self.act(Action::Call { callee: id, args: passed, result: place }, at);
            self.site(span, SiteKind::Call(integers::EdgeId::new(self.edges.len() - 1)));
        }
        match (place, result) {
            (Some(place), Some(ty)) => Value::Integer(Expr::read(place), ty),
            _ => Value::Unknown(function.signature.result.clone(), "the result of a call".to_owned()),
        }
    }

    /// The type of the numbers that a function without a body gives, if it stands for the environment.
    fn input_type(&self, callee: FnId, args: &[ExprId]) -> Option<Integer> {
        let function = self.low.unit.function(callee);
        let name = self.low.names.text(function.name);
        let agreed = name.strip_prefix("__VERIFIER_nondet_");
        let is_input = agreed.is_some()
            || (args.is_empty() && (name == "nondet" || name.starts_with("nondet_") || name == "read"))
            || self.low.options.inputs.iter().any(|input| input == name);
        if !is_input {
            return None;
        }
        let word = self.low.options.data_model.word();
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

    /// The environment chooses.
    fn input(&mut self, callee: FnId, ty: Integer, wanted: Wanted, span: Span) -> Value {
        let name = self.low.names.text(self.low.unit.function(callee).name).to_owned();
        let (place, at) = match wanted {
            Wanted::Nothing => return nothing(),
            Wanted::At(place, wanted, at) if wanted.ty == ty.ty => (place, at),
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
        for &arg in args {
            let ty = typing::type_of(unit, arg, self.low.options.data_model).decayed();
            if matches!(&ty, Ty::Pointer(inner) if matches!(inner.bare, Ty::Function(_))) {
                let at = unit.expr(arg).span;
                self.low.error(
                    at,
                    format!("`{name}` may call this function: calls through pointers are not supported"),
                );
            }
            self.effect(arg);
        }
        let is_harmless = HARMLESS.contains(&name.as_str())
            || function.is_pure
            || ["__builtin_", "__VERIFIER_"].iter().any(|prefix| name.starts_with(prefix));
        if !is_harmless {
            let visible = self.visible_globals();
            self.forget(&visible, format!("what the undefined function `{name}` changes"), span);
        }
        let result = function.signature.result.clone();
        Value::Unknown(result, format!("the result of the undefined function `{name}`"))
    }
}

/// The value of a call that gives none.
fn nothing() -> Value {
    Value::Unknown(Ty::Void, "a call that gives nothing".to_owned())
}

//! What the text of a program says about pointers.

use super::initial::{self, Into, Leaf};
use super::{Lost, PointId, Points, is_in_memory};
use crate::constant;
use crate::lower::call::is_harmless;
use crate::options::Options;
use crate::syntax::{
    Arm, Binary, ExprId, ExprKind, FnId, Init, Label, Stmt, StmtKind, Storage, Unary, Unit, VarId,
};
use crate::token::Names;
use crate::types::{DataModel, Ty};
use crate::typing::{self, type_of};
use base::Span;

/// Functions that allocate.
pub(crate) const ALLOCATORS: [&str; 6] =
    ["malloc", "calloc", "alloca", "__builtin_alloca", "kmalloc", "kzalloc"];

/// Analyses a whole program.
pub(crate) fn analyse(unit: &Unit, names: &Names, options: &Options) -> Points {
    let mut walk = Walk {
        unit,
        names,
        options,
        points: Points::default(),
        exposed: Vec::new(),
        universe: None,
        function: None,
        arguments: unit
            .functions
            .iter()
            .filter(|function| names.text(function.name) == "main")
            .filter_map(|function| function.body.as_ref())
            .flat_map(|body| body.params.clone())
            .collect(),
    };
    walk.points.taken = taken(unit);
    for id in (0..unit.vars.len()).map(VarId::new) {
        walk.variable(id);
    }
    for id in (0..unit.functions.len()).map(FnId::new) {
        walk.result(id);
    }
    for (n, function) in unit.functions.iter().enumerate() {
        let Some(body) = &function.body else { continue };
        walk.function = Some(FnId::new(n));
        walk.statements(&body.block);
    }
    walk.finish();
    walk.points
}

/// The functions whose addresses are taken: those that are named other than to be called.
fn taken(unit: &Unit) -> Vec<FnId> {
    let mut is_called = vec![false; unit.exprs.len()];
    for expr in &unit.exprs {
        if let ExprKind::Call(function, _) = &expr.kind {
            let mut at = *function;
            while let ExprKind::Unary(Unary::Deref | Unary::Address, operand) = unit.expr(at).kind {
                at = operand;
            }
            is_called[at.index()] = true;
        }
    }
    let mut taken: Vec<FnId> = (unit.exprs.iter().zip(is_called))
        .filter_map(|(expr, is_called)| match expr.kind {
            ExprKind::Function(function) if !is_called => Some(function),
            _ => None,
        })
        .collect();
    taken.sort_unstable();
    taken.dedup();
    taken
}

struct Walk<'u> {
    unit: &'u Unit,
    names: &'u Names,
    options: &'u Options,
    points: Points,
    /// Pointers that became integers.
    exposed: Vec<PointId>,
    /// What integers that become pointers point to.
    universe: Option<PointId>,
    function: Option<FnId>,
    /// The parameters of `main`.
    arguments: Vec<VarId>,
}

impl Walk<'_> {
    fn span(&self, id: ExprId) -> Span {
        self.unit.expr(id).span
    }

    fn type_of(&self, id: ExprId) -> Ty {
        type_of(self.unit, id, self.options.data_model)
    }

    fn unify(&mut self, one: PointId, two: PointId, span: Span) {
        self.points.unify(self.unit, one, two, span);
    }

    fn lost(&mut self, construct: &str, span: Span) -> PointId {
        let node = self.points.fresh();
        self.points.lose(node, construct, span);
        node
    }

    fn finish(&mut self) {
        if let Some(universe) = self.universe {
            let lost = self.points.lost(universe).cloned();
            for node in std::mem::take(&mut self.exposed) {
                lost.iter().for_each(|lost: &Lost| self.points.spread(node, lost));
            }
        }
    }

    /// A variable, and what it holds at first.
    fn variable(&mut self, id: VarId) {
        let var = self.unit.var(id);
        let node = self.points.fresh();
        self.points.vars.insert(id, node);
        self.points.set_type(self.unit, node, &var.ty, var.span);
        let name = self.names.text(var.name);
        if self.is_argument(id) {
            let content = self.points.content(node);
            self.points.lose(content, "the arguments of the program", var.span);
        }
        if var.is_volatile {
            self.points.lose(node, &format!("the volatile variable `{name}`"), var.span);
        }
        match var.storage {
            Storage::Extern => {
                self.points.lose(node, &format!("`{name}`, which is defined elsewhere"), var.span);
            }
            Storage::Undeclared => {
                self.points.lose(node, &format!("`{name}`, which is not declared"), var.span);
            }
            _ => {}
        }
        if let Some(init) = &var.init
            && !matches!(var.storage, Storage::Local)
        {
            self.init(node, &var.ty, init, var.span);
        }
    }

    /// Whether it is a parameter of `main` that is a pointer.
    fn is_argument(&self, id: VarId) -> bool {
        matches!(self.unit.var(id).ty, Ty::Pointer(_)) && self.arguments.contains(&id)
    }

    /// What an object is given at first.
    fn init(&mut self, node: PointId, ty: &Ty, init: &Init, span: Span) {
        match initial::leaves(self.unit, ty, init, self.options.data_model) {
            Some(leaves) => leaves.iter().for_each(|leaf| self.leaf(node, leaf)),
            None => {
                init.values().into_iter().for_each(|value| _ = self.value(value));
                self.points.lose(node, "an initial value in braces", span);
            }
        }
    }

    fn leaf(&mut self, node: PointId, leaf: &Leaf) {
        let mut at = node;
        for into in &leaf.path {
            if let Into::Member(name) = into {
                at = self.points.field(self.unit, at, *name, self.span(leaf.value));
            }
        }
        if matches!(leaf.ty, Ty::Array(..)) {
            return;
        }
        self.assigned(at, &leaf.ty, leaf.value);
        // `static long x = (long)&y;`
        let is_number = matches!(leaf.ty, Ty::Int(integer) if !integer.is_bool());
        if is_number && self.value(leaf.value).is_some() {
            self.points.lose(at, "a pointer as a number", self.span(leaf.value));
        }
    }

    /// An object of this type is given the value of an expression.
    fn assigned(&mut self, node: PointId, ty: &Ty, value: ExprId) {
        let span = self.span(value);
        match ty {
            Ty::Record(_) => {
                let from = self.place(value);
                self.unify(node, from, span);
            }
            Ty::Pointer(inner) if !matches!(inner.bare, Ty::Function(_)) => {
                let to = self.points.content(node);
                self.points.set_type(self.unit, to, &inner.bare, span);
                match self.value(value) {
                    Some(from) => self.unify(to, from, span),
                    None => self.pointer_of_integer(to, value),
                }
            }
            _ => {
                if let Some(pointer) = self.value(value)
                    && !matches!(ty, Ty::Int(integer) if integer.is_bool())
                {
                    self.exposed.push(pointer);
                }
            }
        }
    }

    /// A number becomes a pointer: null, or nobody knows what it points to.
    fn pointer_of_integer(&mut self, node: PointId, value: ExprId) {
        let is_null = constant::evaluate(self.unit, value, self.options.data_model)
            .is_some_and(|(number, _)| number == 0);
        let null = |ty: &Ty| matches!(ty, Ty::Pointer(_));
        if is_null || (null(&self.type_of(value)) && self.is_null_cast(value)) {
            return;
        }
        let span = self.span(value);
        self.points.lose(node, "an integer as a pointer", span);
        match self.universe {
            Some(universe) => self.unify(universe, node, span),
            None => self.universe = Some(node),
        }
    }

    fn is_null_cast(&self, value: ExprId) -> bool {
        let mut at = value;
        while let ExprKind::Cast(_, operand) = self.unit.expr(at).kind {
            at = operand;
        }
        constant::evaluate(self.unit, at, self.options.data_model).is_some_and(|(number, _)| number == 0)
    }

    fn statements(&mut self, statements: &[Stmt]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Empty
            | StmtKind::Goto(..)
            | StmtKind::Assembly
            | StmtKind::Break
            | StmtKind::Continue => {}
            StmtKind::Expr(expr) | StmtKind::Computed(expr) => _ = self.value(*expr),
            StmtKind::Declare(vars) => vars.iter().for_each(|var| self.declare(*var)),
            StmtKind::Block(block) => self.statements(block),
            StmtKind::If(arms, otherwise) => {
                for Arm { condition, body, .. } in arms {
                    self.value(*condition);
                    self.statement(body);
                }
                otherwise.iter().for_each(|otherwise| self.statement(otherwise));
            }
            StmtKind::While(condition, body) | StmtKind::Do(body, condition) => {
                self.value(*condition);
                self.statement(body);
            }
            StmtKind::For(start, condition, step, body) => {
                start.iter().for_each(|start| self.statement(start));
                condition.iter().chain(step).for_each(|expr| _ = self.value(*expr));
                self.statement(body);
            }
            StmtKind::Switch(value, body) => {
                self.value(*value);
                self.statement(body);
            }
            StmtKind::Labelled(labels, body) => {
                for label in labels {
                    if let Label::Case(from, to) = label {
                        self.value(*from);
                        to.iter().for_each(|to| _ = self.value(*to));
                    }
                }
                self.statement(body);
            }
            StmtKind::Return(None) => {}
            StmtKind::Return(Some(value)) => {
                let function = self.function.expect("only functions have statements");
                let ty = self.unit.function(function).signature.result.clone();
                let result = self.result(function);
                self.assigned(result, &ty, *value);
            }
        }
    }

    fn declare(&mut self, id: VarId) {
        let var = self.unit.var(id);
        var.length.iter().for_each(|length| _ = self.value(*length));
        if let (Some(init), Storage::Local) = (&var.init, var.storage) {
            let node = self.points.vars[&id];
            self.init(node, &var.ty, init, var.span);
        }
    }

    fn result(&mut self, function: FnId) -> PointId {
        if let Some(&known) = self.points.results.get(&function) {
            return known;
        }
        let node = self.points.fresh();
        let declared = self.unit.function(function);
        if declared.signature.result != Ty::Void {
            self.points.set_type(self.unit, node, &declared.signature.result, declared.span);
        }
        self.points.results.insert(function, node);
        node
    }

    /// What an expression's value points to, if it is a pointer to objects.
    fn value(&mut self, id: ExprId) -> Option<PointId> {
        if let Some(&known) = self.points.values.get(&id) {
            return known;
        }
        let node = self.new_value(id);
        self.points.values.insert(id, node);
        node
    }

    fn new_value(&mut self, id: ExprId) -> Option<PointId> {
        let unit = self.unit;
        let span = self.span(id);
        match &unit.expr(id).kind {
            ExprKind::Integer(..)
            | ExprKind::Float
            | ExprKind::Function(_)
            | ExprKind::SizeOf(_)
            | ExprKind::SizeOfUnknown => None,
            ExprKind::Other(..) => {
                matches!(self.type_of(id), Ty::Pointer(_)).then(|| self.lost("a builtin function", span))
            }
            ExprKind::Text(_)
            | ExprKind::Var(_)
            | ExprKind::Unary(Unary::Deref, _)
            | ExprKind::Index(..)
            | ExprKind::Member(..)
            | ExprKind::Compound(..) => {
                let ty = self.type_of(id);
                if matches!(ty, Ty::Function(_)) {
                    // `*f`, where `f` is a function or a pointer to one.
                    if let ExprKind::Unary(_, operand) = unit.expr(id).kind {
                        self.value(operand);
                    }
                    return None;
                }
                let place = self.place(id);
                self.held(place, &ty)
            }
            ExprKind::Unary(Unary::Address, operand) => {
                if matches!(self.type_of(*operand), Ty::Function(_)) {
                    self.value(*operand);
                    return None;
                }
                Some(self.place(*operand))
            }
            ExprKind::Unary(_, operand) => {
                self.value(*operand);
                None
            }
            ExprKind::Binary(..) => self.operators(id),
            ExprKind::Assign(operator, left, right) => {
                let place = self.place(*left);
                let ty = self.type_of(*left);
                match operator {
                    None => self.assigned(place, &ty, *right),
                    Some(_) => _ = self.value(*right),
                }
                self.held(place, &ty)
            }
            ExprKind::Step { operand, .. } => {
                let place = self.place(*operand);
                let ty = self.type_of(*operand);
                self.held(place, &ty)
            }
            ExprKind::Conditional(condition, yes, no) => self.choice(id, *condition, *yes, *no),
            ExprKind::Call(function, args) => self.call(id, *function, args),
            ExprKind::Cast(ty, operand) => self.cast(ty, *operand, span),
            ExprKind::Block(statements) => {
                let (last, others) = statements.split_last()?;
                self.statements(others);
                match last.kind {
                    StmtKind::Expr(expr) => self.value(expr),
                    _ => {
                        self.statement(last);
                        None
                    }
                }
            }
        }
    }

    /// `?:`, whose value points to what either branch points to.
    fn choice(&mut self, id: ExprId, condition: ExprId, yes: Option<ExprId>, no: ExprId) -> Option<PointId> {
        let condition = self.value(condition);
        let yes = yes.map_or(condition, |yes| self.value(yes));
        let no = self.value(no);
        if matches!(self.type_of(id), Ty::Record(_)) {
            self.place(id);
        }
        if let (Some(yes), Some(no)) = (yes, no) {
            self.unify(yes, no, self.span(id));
        }
        yes.or(no)
    }

    /// What the value of an object of this type points to.
    fn held(&mut self, place: PointId, ty: &Ty) -> Option<PointId> {
        match ty {
            Ty::Array(..) => Some(place),
            Ty::Pointer(inner) if !matches!(inner.bare, Ty::Function(_)) => Some(self.points.content(place)),
            _ => None,
        }
    }

    /// A chain of binary operators, from left to right.
    fn operators(&mut self, id: ExprId) -> Option<PointId> {
        let mut rights = Vec::new();
        let mut at = id;
        while let ExprKind::Binary(operator, left, right) = &self.unit.expr(at).kind {
            rights.push((*operator, *right, self.span(at)));
            at = *left;
        }
        let mut left = self.value(at);
        while let Some((operator, right, span)) = rights.pop() {
            let right = self.value(right);
            left = match (operator, left, right) {
                (Binary::Comma, ..) => right,
                (Binary::Compare(_) | Binary::Subtract, Some(one), Some(two)) => {
                    self.unify(one, two, span);
                    None
                }
                (Binary::Add | Binary::Subtract, left, right) => left.or(right),
                _ => None,
            };
        }
        left
    }

    fn cast(&mut self, ty: &Ty, operand: ExprId, span: Span) -> Option<PointId> {
        let from = self.value(operand);
        match ty {
            Ty::Pointer(inner) if matches!(inner.bare, Ty::Function(_)) => {
                self.exposed.extend(from);
                None
            }
            Ty::Pointer(inner) => match from {
                Some(node) => {
                    self.points.set_type(self.unit, node, &inner.bare, span);
                    Some(node)
                }
                None if self.is_null_cast(operand) => None,
                None => {
                    let node = self.points.fresh();
                    self.pointer_of_integer(node, operand);
                    Some(node)
                }
            },
            Ty::Int(integer) if !integer.is_bool() => {
                self.exposed.extend(from);
                None
            }
            _ => None,
        }
    }

    /// The objects that an expression is.
    fn place(&mut self, id: ExprId) -> PointId {
        if let Some(&known) = self.points.places.get(&id) {
            return known;
        }
        let node = self.new_place(id);
        self.points.places.insert(id, node);
        node
    }

    fn new_place(&mut self, id: ExprId) -> PointId {
        let unit = self.unit;
        let span = self.span(id);
        match &unit.expr(id).kind {
            ExprKind::Var(var) => self.points.vars[var],
            ExprKind::Unary(Unary::Deref, operand) => {
                let node = self.value(*operand);
                self.followed(node, id)
            }
            ExprKind::Index(array, index) => {
                let nodes = (self.value(*array), self.value(*index));
                self.followed(nodes.0.or(nodes.1), id)
            }
            ExprKind::Member(record, name, is_arrow) => {
                let base = if *is_arrow {
                    let node = self.value(*record);
                    node.unwrap_or_else(|| self.lost("a number as a pointer", span))
                } else {
                    self.place(*record)
                };
                let ty = self.type_of(*record);
                let ty = if *is_arrow { crate::typing::pointed(ty).bare } else { ty };
                self.points.set_type(unit, base, &ty, span);
                self.points.field(unit, base, *name, span)
            }
            ExprKind::Text(_) | ExprKind::Compound(..) => {
                let node = self.points.fresh();
                self.points.literals.insert(id, node);
                let ty = self.type_of(id);
                self.points.set_type(unit, node, &ty, span);
                if let ExprKind::Compound(_, parts) = &unit.expr(id).kind {
                    self.init(node, &ty, &Init::List(parts.clone()), span);
                }
                node
            }
            ExprKind::Assign(_, left, _) => {
                self.value(id);
                self.place(*left)
            }
            ExprKind::Conditional(condition, yes, no) => {
                self.value(*condition);
                let yes = self.place(yes.unwrap_or(*condition));
                let no = self.place(*no);
                self.unify(yes, no, span);
                yes
            }
            ExprKind::Call(function, _) => {
                self.value(id);
                match self.callee(*function) {
                    Some(callee) => self.result(callee),
                    None => self.indirect_result(id),
                }
            }
            ExprKind::Binary(Binary::Comma, left, right) => {
                self.value(*left);
                self.place(*right)
            }
            ExprKind::Cast(_, operand) => self.place(*operand),
            ExprKind::Block(statements) => match statements.split_last() {
                Some((Stmt { kind: StmtKind::Expr(last), .. }, others)) => {
                    self.statements(others);
                    self.place(*last)
                }
                _ => self.lost("a block", span),
            },
            _ => {
                self.value(id);
                self.lost("a value that is no object", span)
            }
        }
    }

    /// A pointer to a node is followed to an expression's object.
    fn followed(&mut self, node: Option<PointId>, id: ExprId) -> PointId {
        let span = self.span(id);
        let node = node.unwrap_or_else(|| self.lost("a number as a pointer", span));
        let ty = self.type_of(id);
        self.points.set_type(self.unit, node, &ty, span);
        if crate::typing::is_volatile(self.unit, id, self.options.data_model) {
            self.points.lose(node, "a volatile object", span);
        }
        node
    }

    /// The function that is called, if it is called by its name.
    fn callee(&self, function: ExprId) -> Option<FnId> {
        let mut at = function;
        loop {
            match self.unit.expr(at).kind {
                ExprKind::Function(function) => return Some(function),
                ExprKind::Unary(Unary::Deref | Unary::Address, operand) => at = operand,
                _ => return None,
            }
        }
    }

    fn call(&mut self, id: ExprId, function: ExprId, args: &[ExprId]) -> Option<PointId> {
        let ty = self.type_of(id);
        let Some(callee) = self.callee(function) else {
            self.value(function);
            let result = self.indirect_result(id);
            let model = self.options.data_model;
            for candidate in candidates(self.unit, &self.points.taken, function, args.len(), model) {
                self.passed(candidate, args);
                let other = self.result(candidate);
                if matches!(ty, Ty::Record(_) | Ty::Pointer(_)) {
                    self.unify(result, other, self.span(id));
                }
            }
            return self.held(result, &ty);
        };
        if self.unit.function(callee).body.is_some() {
            self.passed(callee, args);
            let result = self.result(callee);
            return self.held(result, &ty);
        }
        self.library(id, callee, args, &ty)
    }

    /// What a call through a pointer gives.
    fn indirect_result(&mut self, id: ExprId) -> PointId {
        if let Some(&known) = self.points.literals.get(&id) {
            return known;
        }
        let node = self.points.fresh();
        self.points.literals.insert(id, node);
        let ty = self.type_of(id);
        if ty != Ty::Void {
            self.points.set_type(self.unit, node, &ty, self.span(id));
        }
        node
    }

    fn passed(&mut self, callee: FnId, args: &[ExprId]) {
        let unit = self.unit;
        let Some(body) = &unit.function(callee).body else {
            self.unknown_call(callee, args);
            return;
        };
        for (&arg, &param) in args.iter().zip(&body.params) {
            let node = self.points.vars[&param];
            self.assigned(node, &unit.var(param).ty, arg);
        }
        args.iter().skip(body.params.len()).for_each(|arg| _ = self.value(*arg));
    }

    /// A function without a body.
    fn library(&mut self, id: ExprId, callee: FnId, args: &[ExprId], ty: &Ty) -> Option<PointId> {
        let span = self.span(id);
        let name = self.names.text(self.unit.function(callee).name);
        if ALLOCATORS.contains(&name) {
            args.iter().for_each(|arg| _ = self.value(*arg));
            let node = self.points.fresh();
            self.points.literals.insert(id, node);
            return Some(node);
        }
        let nodes: Vec<Option<PointId>> = args.iter().map(|arg| self.value(*arg)).collect();
        match (name, &nodes[..]) {
            ("realloc", [Some(node), ..]) => {
                self.points.literals.insert(id, *node);
                return Some(*node);
            }
            ("realloc", _) => {
                let node = self.points.fresh();
                self.points.literals.insert(id, node);
                return Some(node);
            }
            ("memcpy" | "memmove" | "__builtin_memcpy" | "__builtin_memmove", [Some(to), Some(from), ..]) => {
                let (to, from) = (*to, *from);
                self.unify(to, from, span);
                return Some(to);
            }
            ("memset" | "__builtin_memset", [Some(node), ..]) => return Some(*node),
            _ if is_harmless(self.unit, self.names, self.options, callee, args) => {}
            _ => self.unknown_call(callee, args),
        }
        if matches!(ty, Ty::Record(_)) {
            let result = self.result(callee);
            self.points.lose(result, &format!("the result of the undefined function `{name}`"), span);
        }
        matches!(ty, Ty::Pointer(_)).then(|| self.lost(&format!("the result of `{name}`"), span))
    }

    /// Whatever a function that is not known gets hold of, it may change.
    fn unknown_call(&mut self, callee: FnId, args: &[ExprId]) {
        let name = self.names.text(self.unit.function(callee).name);
        let construct = format!("what the undefined function `{name}` changes");
        for &arg in args {
            let node = match self.type_of(arg) {
                Ty::Record(_) => Some(self.place(arg)),
                _ => self.value(arg),
            };
            if let Some(node) = node {
                self.points.lose(node, &construct, self.span(arg));
            }
        }
        let visible: Vec<VarId> = self.unit.globals.clone();
        for var in visible {
            let declared = self.unit.var(var);
            let is_pointer = matches!(declared.ty, Ty::Pointer(_));
            if declared.storage == Storage::Global && (is_in_memory(self.unit, var) || is_pointer) {
                let node = self.points.vars[&var];
                self.points.lose(node, &construct, self.unit.function(callee).span);
            }
        }
    }
}

/// The functions that an expression may be that is called with so many arguments: those whose address is taken, and whose parameters are of the same kinds. To call one of another kind is undefined.
pub(crate) fn candidates(
    unit: &Unit,
    taken: &[FnId],
    function: ExprId,
    n_args: usize,
    model: DataModel,
) -> Vec<FnId> {
    let called = match typing::pointed(typing::type_of(unit, function, model)).bare {
        Ty::Function(signature) => Some(signature),
        _ => None,
    };
    let kinds = |params: &Option<Vec<Ty>>| {
        let params = params.as_ref()?;
        Some(params.iter().map(|param| kind(&typing::resolved(unit, param.clone()))).collect::<Vec<_>>())
    };
    let wanted = called.as_ref().and_then(|signature| kinds(&signature.params));
    let is_one = |id: &FnId| {
        let declared = unit.function(*id);
        let n_params = match &declared.body {
            Some(body) => Some(body.params.len()),
            None => declared.signature.params.as_ref().map(Vec::len),
        };
        let is_long_enough =
            n_params.is_none_or(|n| n == n_args || n < n_args && declared.signature.is_variadic);
        let is_alike = match (&wanted, kinds(&declared.signature.params)) {
            (Some(wanted), Some(own)) => *wanted == own,
            _ => true,
        };
        is_long_enough && is_alike
    };
    taken.iter().copied().filter(is_one).collect()
}

/// What kind of value a type has.
fn kind(ty: &Ty) -> u8 {
    match ty {
        Ty::Int(_) | Ty::Enum(_) => 0,
        Ty::Pointer(_) | Ty::Array(..) | Ty::Function(_) => 1,
        Ty::Record(_) => 2,
        Ty::Float(_) => 3,
        Ty::Void | Ty::Other => 4,
    }
}

//! The tree of a C file: names are resolved, types are known, expressions lie in one list.

use crate::token::Name;
use crate::types::{EnumId, Integer, Record, RecordId, Signature, Ty};
use base::Span;
use std::rc::Rc;

base::index_type! {
    /// An expression of a [`Unit`].
    ExprId;
    /// A variable of a [`Unit`].
    VarId;
    /// A function of a [`Unit`].
    FnId;
}

/// A file.
#[derive(Default)]
pub(crate) struct Unit {
    pub(crate) exprs: Vec<Expr>,
    pub(crate) vars: Vec<Var>,
    pub(crate) functions: Vec<Function>,
    /// The global variables, in order.
    pub(crate) globals: Vec<VarId>,
    /// The structures and unions.
    pub(crate) records: Vec<Record>,
    /// The enumerations that were named before they were defined: what they are, as soon as that is known.
    pub(crate) enums: Vec<Option<Integer>>,
}

/// How long a variable lives and who sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Storage {
    Local,
    Parameter,
    /// In a function, but as long as the program.
    StaticLocal(FnId),
    /// Other files see it.
    Global,
    /// Only this file sees it.
    StaticGlobal,
    /// Declared, and perhaps defined elsewhere.
    Extern,
    /// Used, but not declared.
    Undeclared,
}

/// A variable.
pub(crate) struct Var {
    pub(crate) name: Name,
    pub(crate) ty: Ty,
    pub(crate) storage: Storage,
    /// Something may change it through a pointer.
    pub(crate) is_addressed: bool,
    pub(crate) is_volatile: bool,
    /// The program does not change it.
    pub(crate) is_const: bool,
    pub(crate) init: Option<Init>,
    /// How many elements an array has whose length is not constant.
    pub(crate) length: Option<ExprId>,
    /// Somebody asks how large it is.
    pub(crate) is_measured: bool,
    /// Its name.
    pub(crate) span: Span,
    /// Its name and its initial value, with what is around them.
    pub(crate) whole: Span,
}

/// What a variable holds at first.
#[derive(Clone, Debug)]
pub(crate) enum Init {
    Value(ExprId),
    /// In braces.
    List(Vec<Part>),
}

/// A part of an initial value in braces.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// Where it belongs, if that is said.
    pub(crate) at: Vec<Designator>,
    pub(crate) init: Init,
}

/// Where a part of an initial value belongs.
#[derive(Clone, Debug)]
pub(crate) enum Designator {
    Member(Name),
    /// From one element to another; nothing, if they are not constant.
    Elements(Option<(u64, u64)>),
}

impl Init {
    /// The expressions in it.
    pub(crate) fn values(&self) -> Vec<ExprId> {
        match self {
            Init::Value(value) => vec![*value],
            Init::List(parts) => parts.iter().flat_map(|part| part.init.values()).collect(),
        }
    }
}

/// A function.
pub(crate) struct Function {
    pub(crate) name: Name,
    pub(crate) signature: Rc<Signature>,
    pub(crate) span: Span,
    pub(crate) body: Option<Body>,
    /// Its declaration says that it changes nothing.
    pub(crate) is_pure: bool,
    /// How it came to be known.
    pub(crate) linkage: Linkage,
}

/// How a function came to be known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Linkage {
    /// It is called, and nothing has declared it.
    Implicit,
    /// Other files see it.
    Declared,
    /// Only this file sees it.
    Static,
}

/// The body of a function.
pub(crate) struct Body {
    pub(crate) params: Vec<VarId>,
    pub(crate) block: Vec<Stmt>,
    /// The closing brace.
    pub(crate) end: Span,
    /// Its expressions.
    pub(crate) exprs: std::ops::Range<usize>,
    /// The variables that are declared in it, with their scopes.
    pub(crate) scopes: Vec<(VarId, Span)>,
}

/// An expression.
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) span: Span,
    /// Whether it calls functions or changes variables.
    pub(crate) has_effects: bool,
    /// How deeply other expressions are nested in it. A chain of binary operators counts once.
    pub(crate) depth: u16,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    Integer(i128, Integer),
    Float,
    /// A text, with the bytes of its array, if they are known.
    Text(Option<Rc<[u8]>>),
    Var(VarId),
    Function(FnId),
    Unary(Unary, ExprId),
    Binary(Binary, ExprId, ExprId),
    Assign(Option<Binary>, ExprId, ExprId),
    /// Adds 1 or -1; the value is the new one, or the old.
    Step {
        by: i8,
        is_prefix: bool,
        operand: ExprId,
    },
    Conditional(ExprId, Option<ExprId>, ExprId),
    Call(ExprId, Vec<ExprId>),
    Cast(Ty, ExprId),
    SizeOf(ExprId),
    /// The size of a type that has none here.
    SizeOfUnknown,
    Index(ExprId, ExprId),
    Member(ExprId, Name, bool),
    /// A block in parentheses.
    Block(Vec<Stmt>),
    /// A value in braces behind a type.
    Compound(Ty, Vec<Part>),
    /// Something that is no integer, with what it is called.
    Other(&'static str, Ty),
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unary {
    Plus,
    Minus,
    Not,
    Complement,
    Address,
    Deref,
}

/// Operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Binary {
    Multiply,
    Divide,
    Remainder,
    Add,
    Subtract,
    ShiftLeft,
    ShiftRight,
    Compare(integers::Relation),
    BitAnd,
    BitXor,
    BitOr,
    And,
    Or,
    Comma,
}

/// A statement.
#[derive(Clone, Debug)]
pub(crate) struct Stmt {
    pub(crate) kind: StmtKind,
    pub(crate) span: Span,
}

/// What a statement is.
#[derive(Clone, Debug)]
pub(crate) enum StmtKind {
    Empty,
    Expr(ExprId),
    Declare(Vec<VarId>),
    Block(Vec<Stmt>),
    /// Conditions with what follows them, and what follows if none holds.
    If(Vec<Arm>, Option<Box<Stmt>>),
    While(ExprId, Box<Stmt>),
    Do(Box<Stmt>, ExprId),
    For(Option<Box<Stmt>>, Option<ExprId>, Option<ExprId>, Box<Stmt>),
    Switch(ExprId, Box<Stmt>),
    Labelled(Vec<Label>, Box<Stmt>),
    Goto(Name, Span),
    /// A jump to an address; it may lead to any label.
    Computed(ExprId),
    /// Assembly that does something.
    Assembly,
    Break,
    Continue,
    Return(Option<ExprId>),
}

/// `if` and what follows it.
#[derive(Clone, Debug)]
pub(crate) struct Arm {
    /// From the word `if` to the end of the body.
    pub(crate) span: Span,
    pub(crate) condition: ExprId,
    pub(crate) body: Stmt,
}

/// What stands before a colon.
#[derive(Clone, Debug)]
pub(crate) enum Label {
    Name(Name, Span),
    /// From one value to another.
    Case(ExprId, Option<ExprId>),
    Default(Span),
}

impl Unit {
    pub(crate) fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.index()]
    }

    pub(crate) fn var(&self, id: VarId) -> &Var {
        &self.vars[id.index()]
    }

    pub(crate) fn function(&self, id: FnId) -> &Function {
        &self.functions[id.index()]
    }

    pub(crate) fn record(&self, id: RecordId) -> &Record {
        &self.records[id.index()]
    }

    /// What an enumeration is, if it is defined by now.
    pub(crate) fn enumeration(&self, id: EnumId) -> Option<Integer> {
        self.enums[id.index()]
    }
}

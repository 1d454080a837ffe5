//! The syntax tree: a program as it is written, every part with its place.
//!
//! Nothing here is nested in memory: expressions lie in one vector, operands before operators, and a function's body is
//! one list in which `if … fi`, `while … od` and `atomic begin … end` are brackets. Every pass is a loop, and dropping
//! a program is cheap, however deeply the text nests.
//!
//! Invariant (of programs that parse without errors): brackets are balanced, and `elsif` and `else` stand between an
//! `if` and its `fi`.

pub use crate::names::{Names, Symbol};
use base::{FileId, Margin, Span};

base::index_type! {
    /// An expression: a position in [`Program::expressions`].
    ExprId;
}

/// A whole program.
#[derive(Clone, Debug)]
pub struct Program {
    /// The file it was read from.
    pub file: FileId,
    /// The texts of its names.
    pub names: Names,
    /// All expressions, operands before operators.
    pub expressions: Vec<Expr>,
    /// The declarations before everything else, and the functions of a program without threads.
    pub unit: Unit,
    /// The threads.
    pub threads: Vec<Thread>,
    /// The comments, in the order of the text.
    pub comments: Vec<Comment>,
    /// The places that follow a blank line, in the order of the text.
    pub paragraphs: Vec<u32>,
}

impl Program {
    /// An expression.
    pub fn expression(&self, id: ExprId) -> &Expr {
        &self.expressions[id.index()]
    }

    /// The text of a name.
    pub fn text(&self, name: Name) -> &str {
        self.names.text(name.symbol)
    }
}

/// An occurrence of a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Name {
    /// Which name.
    pub symbol: Symbol,
    /// Where it stands.
    pub span: Span,
}

/// A comment.
#[derive(Clone, Debug)]
pub struct Comment {
    /// Where it stands.
    pub span: Span,
    /// Its text with the marks around it.
    pub text: Box<str>,
    /// Only blanks stand before it on its line.
    pub is_own_line: bool,
    /// Its column, if it ends a line that begins with something else.
    pub margin: Option<Margin>,
}

/// Declarations and the functions that see them.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// The declarations and initial conditions, in the order of the text.
    pub declarations: Vec<Declaration>,
    /// The functions.
    pub functions: Vec<Function>,
}

/// A thread, or a template of threads.
#[derive(Clone, Debug)]
pub struct Thread {
    /// Its name.
    pub name: Name,
    /// How many copies there are.
    pub copies: Copies,
    /// Its own declarations and functions.
    pub unit: Unit,
    /// From the word `thread` to `begin`.
    pub head: Span,
    /// The word `end`.
    pub end: Span,
}

/// How many copies of a thread there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Copies {
    /// Nothing is said: one thread, without a number.
    Single,
    /// `[N]`
    Fixed(u64),
    /// `[*]`: any number.
    Any,
}

/// A declaration before the functions.
#[derive(Clone, Debug)]
pub enum Declaration {
    /// `decl …;`
    Variables(Variables),
    /// `init e;`
    Init {
        /// The condition.
        condition: ExprId,
        /// From `init` to the semicolon.
        span: Span,
    },
}

/// `decl …;`
#[derive(Clone, Debug)]
pub struct Variables {
    /// What is declared.
    pub variables: Vec<Variable>,
    /// From `decl` to the semicolon.
    pub span: Span,
}

/// The declaration of a variable or a parameter.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: Name,
    /// Its type; without one, `bool`.
    pub ty: Option<Type>,
}

/// A type as it is written.
#[derive(Clone, Debug)]
pub struct Type {
    /// What it says.
    pub kind: TypeKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of types.
#[derive(Clone, Debug)]
pub enum TypeKind {
    /// `bool`
    Bool,
    /// `int<N>`
    Int(u64),
    /// `enum { … }`
    Enum(Vec<Name>),
}

/// What a function returns, as it is written.
#[derive(Clone, Debug)]
pub enum Results {
    /// `void`
    Void,
    /// `bool<N>`, and the place of it.
    Bools(u64, Span),
    /// One type.
    One(Type),
    /// `<` types `>`
    Many(Vec<Type>),
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// What it returns.
    pub results: Results,
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<Variable>,
    /// From the type of the results to `begin`.
    pub head: Span,
    /// The declarations of its locals.
    pub locals: Vec<Variables>,
    /// `enforce e;`: the condition and the place of the whole.
    pub enforce: Option<(ExprId, Span)>,
    /// Its statements.
    pub body: Vec<Statement>,
    /// The word `end`.
    pub end: Span,
}

/// A statement, or a bracket of one.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The labels before it; brackets that close have none.
    pub labels: Vec<Name>,
    /// What it does.
    pub kind: StatementKind,
    /// Where it stands, without its labels and the semicolon; of `if` and `while` the part up to `then` and `do`.
    pub span: Span,
}

/// What a call starts.
#[derive(Clone, Debug)]
pub struct Call {
    /// The function.
    pub callee: Name,
    /// The arguments.
    pub args: Vec<ExprId>,
}

/// Where a value is stored.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The variable; nothing for `_`.
    pub symbol: Option<Symbol>,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of statements and brackets.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// `skip`, or labels with no statement behind them.
    Skip,
    /// `return …`
    Return(Vec<ExprId>),
    /// `goto …`
    Goto(Vec<Name>),
    /// `… := … constrain …`
    Assign {
        /// The left side.
        targets: Vec<Target>,
        /// The right side.
        values: Vec<ExprId>,
        /// The condition on old and new values.
        constrain: Option<ExprId>,
    },
    /// `… := f(…)`
    Call {
        /// The left side; empty if there is none.
        targets: Vec<Target>,
        /// What is called.
        call: Call,
    },
    /// `assert e`
    Assert(ExprId),
    /// `assume e`
    Assume(ExprId),
    /// `constrain e`
    Constrain(ExprId),
    /// `dead …`
    Dead(Vec<Name>),
    /// `print(…)`
    Print(Vec<ExprId>),
    /// `start_thread f(…)`
    StartThread(Call),
    /// `start_thread goto L`
    StartThreadGoto(Name),
    /// `end_thread`
    EndThread,
    /// `atomic_begin`
    AtomicBegin,
    /// `atomic_end`
    AtomicEnd,
    /// `if e then`
    If(ExprId),
    /// `elsif e then`
    Elsif(ExprId),
    /// `else`
    Else,
    /// `fi`
    Fi,
    /// `while e do`
    While(ExprId),
    /// `od`
    Od,
    /// `atomic begin`
    Atomic,
    /// The `end` of an atomic block.
    EndAtomic,
}

/// An expression. The expressions from `first` up to its own position are exactly its parts.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Its operator, or what it reads.
    pub kind: ExprKind,
    /// The first of its parts in [`Program::expressions`].
    pub first: ExprId,
    /// Where it stands, without parentheses around it.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExprKind {
    /// `*` or `?`
    Choice,
    /// `T` or `F`
    Truth(bool),
    /// A number.
    Number(u64),
    /// A variable or an enumerator.
    Name(Symbol),
    /// `x'`
    Next(Symbol),
    /// `!`
    Not(ExprId),
    /// Unary `-`
    Negate(ExprId),
    /// An operator with two operands.
    Binary(Binary, ExprId, ExprId),
    /// `c ? a : b`
    Conditional(ExprId, ExprId, ExprId),
    /// `schoose[p, n]`
    Schoose(ExprId, ExprId),
    /// An atom of a monitor's guard, by its number; no program has it.
    Atom(u32),
}

/// The operators with two operands, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binary {
    /// `<=>`
    Iff,
    /// `=>`
    Implies,
    /// `|`
    Or,
    /// `^`
    Xor,
    /// `&`
    And,
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
}

impl Binary {
    /// How tightly it binds; a larger number binds more tightly.
    pub(crate) fn level(self) -> u8 {
        match self {
            Binary::Iff => 1,
            Binary::Implies => 2,
            Binary::Or => 3,
            Binary::Xor => 4,
            Binary::And => 5,
            Binary::Equal | Binary::NotEqual => 6,
            Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual => 7,
            Binary::Add | Binary::Subtract => 8,
            Binary::Multiply => 9,
        }
    }

    /// The operator as it is written.
    pub fn text(self) -> &'static str {
        match self {
            Binary::Iff => "<=>",
            Binary::Implies => "=>",
            Binary::Or => "|",
            Binary::Xor => "^",
            Binary::And => "&",
            Binary::Equal => "=",
            Binary::NotEqual => "!=",
            Binary::Less => "<",
            Binary::LessEqual => "<=",
            Binary::Greater => ">",
            Binary::GreaterEqual => ">=",
            Binary::Add => "+",
            Binary::Subtract => "-",
            Binary::Multiply => "*",
        }
    }
}

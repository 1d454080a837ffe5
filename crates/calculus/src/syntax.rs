//! The syntax tree of the calculus, as written: brackets are gone, sugar is not.
//!
//! Contract: expressions live in one arena and operands stand before the expression that uses them, so a
//! tree of any depth is dropped, walked and printed without recursion. `a & b & c` is one node with three
//! operands; a bracketed conjunction inside a conjunction is a node of its own, because brackets are the
//! writer's evaluation plan. The same holds for `|`.

use base::Span;
use rustc_hash::FxHashMap;

pub use crate::system::{Kind, Storage, Timer};

base::index_type! {
    /// An identifier, interned.
    Symbol;
    /// An expression of the arena.
    ExprId;
}

/// The identifiers of a file, each stored once.
#[derive(Clone, Debug, Default)]
pub struct Names {
    texts: Vec<Box<str>>,
    ids: FxHashMap<Box<str>, Symbol>,
}

impl Names {
    /// The symbol of a text.
    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(&symbol) = self.ids.get(text) {
            return symbol;
        }
        let symbol = Symbol::new(self.texts.len());
        self.texts.push(text.into());
        self.ids.insert(text.into(), symbol);
        symbol
    }

    /// The symbol of a text that occurs somewhere.
    pub fn find(&self, text: &str) -> Option<Symbol> {
        self.ids.get(text).copied()
    }

    /// The text of a symbol.
    pub fn text(&self, symbol: Symbol) -> &str {
        &self.texts[symbol.index()]
    }

    /// How many symbols there are.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there is no symbol.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }
}

/// An identifier at a place.
#[derive(Clone, Copy, Debug)]
pub struct Name {
    /// Which identifier.
    pub symbol: Symbol,
    /// Where it is written.
    pub span: Span,
}

/// A number that a size, a bound or a position is made of: `3`, `k`, `k + 1`.
#[derive(Clone, Copy, Debug)]
pub struct Const {
    /// The number or the `#param`.
    pub base: ConstBase,
    /// What is added.
    pub offset: i64,
    /// Where it is written.
    pub span: Span,
}

/// The first part of a [`Const`].
#[derive(Clone, Copy, Debug)]
pub enum ConstBase {
    /// A literal.
    Number(u64),
    /// A `#param`.
    Param(Name),
}

/// A type as written.
#[derive(Clone, Copy, Debug)]
pub enum TypeName {
    /// `bool`
    Bool(Span),
    /// An enum or a class.
    Named(Name),
}

impl TypeName {
    /// Where it is written.
    pub fn span(self) -> Span {
        match self {
            TypeName::Bool(span) => span,
            TypeName::Named(name) => name.span,
        }
    }
}

/// A member, a parameter or a quantified name: `P s[6]`.
#[derive(Clone, Copy, Debug)]
pub struct Declaration {
    /// The type of the value or of the array's elements.
    pub type_name: TypeName,
    /// The name.
    pub name: Name,
    /// The length, if it is an array.
    pub length: Option<Const>,
}

/// One step of a path: `bit[0]`.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    /// The variable or member.
    pub name: Name,
    /// The element, if one is selected.
    pub index: Option<Index>,
}

/// What selects an element of an array.
#[derive(Clone, Copy, Debug)]
pub enum Index {
    /// A literal.
    Number(u64, Span),
    /// A variable, a position or a `#param`, plus a number.
    Path {
        /// A [`ExprKind::Path`].
        path: ExprId,
        /// What is added.
        offset: i64,
    },
}

/// `exists` or `forall`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantifier {
    /// `exists`
    Exists,
    /// `forall`
    Forall,
}

/// The connectives of lowest precedence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Connective {
    /// `<->`
    Iff,
    /// `<+>`
    Xor,
    /// `->`
    Implies,
    /// `<-`
    ImpliedBy,
}

/// Comparisons as written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relational {
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
}

/// `assume` or `cofactor`: a conjunction whose right operand may be used to simplify the left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Simplifier {
    /// `assume`
    Assume,
    /// `cofactor`
    Cofactor,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it is written, without its brackets.
    pub span: Span,
}

/// The forms of expression.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// `true`, `false`
    Constant(bool),
    /// A number.
    Number(u64),
    /// A variable, part of a variable, enumerator, position or `#param`.
    Path(Box<[Segment]>),
    /// `R(a, b)`
    Apply(Name, Box<[ExprId]>),
    /// `!a`
    Not(ExprId),
    /// `a & b & c`
    And(Box<[ExprId]>),
    /// `a | b | c`
    Or(Box<[ExprId]>),
    /// `a <-> b` and the like.
    Connect(Connective, ExprId, ExprId),
    /// `a = b` and the like.
    Compare(Relational, ExprId, ExprId),
    /// `a assume b`
    Simplify(Simplifier, ExprId, ExprId),
    /// `exists State s. a`
    Quantified(Quantifier, Box<[Declaration]>, ExprId),
    /// `exists i in 0..k. a`
    Positions {
        /// Some position, or all.
        quantifier: Quantifier,
        /// The name of the position.
        name: Name,
        /// First position.
        low: Const,
        /// Last position.
        high: Const,
        /// What is said of it.
        body: ExprId,
    },
    /// `if (a) b else c`
    If(ExprId, ExprId, Option<ExprId>),
    /// `case a : b; c : d; esac`
    Case(Box<[(ExprId, ExprId)]>),
}

/// What an allocation constraint demands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Demand {
    /// `<`
    Before,
    /// `>`
    After,
    /// `~+`
    Interleaved,
    /// `~-`
    Separate,
}

/// An allocation constraint as written.
#[derive(Clone, Copy, Debug)]
pub struct Constraint {
    /// What is demanded.
    pub demand: Demand,
    /// The left operand, a [`ExprKind::Path`]; absent in `~+ a` and `~- a`.
    pub left: Option<ExprId>,
    /// The right operand.
    pub right: ExprId,
    /// Where it is written.
    pub span: Span,
}

/// The values of an enum.
#[derive(Clone, Debug)]
pub enum Values {
    /// Enumerators.
    Named(Vec<Name>),
    /// `0 .. 7`
    Range(Const, Const),
}

/// What `#print` prints.
#[derive(Clone, Debug)]
pub enum Printed {
    /// An empty line.
    Nothing,
    /// A text.
    Text(String),
    /// `statistics`
    Statistics,
    /// A truth value.
    Expr(ExprId),
}

/// Directives that name one relation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnRelation {
    /// `#size`
    Size,
    /// `#ons`, `#onsetsize`
    Count,
    /// `#vis`
    Visualise,
    /// `#dump`
    Dump,
    /// `#undump`
    Undump,
    /// `#reset R`
    Reset,
    /// `#certify`
    Certify,
    /// `#plan`
    Plan,
}

/// Directives that take an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnExpr {
    /// `#wit`
    Witness,
    /// `#cex`
    Counterexample,
    /// `#explain`
    Explain,
}

/// A directive.
#[derive(Clone, Debug)]
pub enum Directive {
    /// `#load file`, with the place of the file's name.
    Load(String, Span),
    /// `#print …`
    Print(Printed),
    /// `#size R` and the like.
    Relation(OnRelation, Name),
    /// `#wit e` and the like.
    Expr(OnExpr, ExprId),
    /// `#reset all`
    ResetAll,
    /// `#timer …`
    Timer(Timer),
    /// `#frontier`, with `on` or `off` if written.
    Frontier(Option<bool>),
    /// `#verbose`
    Verbose,
    /// `#quit`
    Quit,
    /// `#explicit A, B` or `#symbolic A, B`
    Storage(Storage, Vec<TypeName>),
    /// `#param k = 3`
    Param(Name, u64),
}

/// The forms of item.
#[derive(Clone, Debug)]
pub enum ItemKind {
    /// `enum S { a, b };`
    Enum(Name, Values),
    /// `class S { … } constraints;`
    Class {
        /// Its name.
        name: Name,
        /// Its members.
        members: Vec<Declaration>,
        /// Allocation constraints between members.
        constraints: Vec<Constraint>,
    },
    /// `mu bool R(…) constraints body;` or a prototype.
    Function {
        /// Definition, `mu` or `nu`.
        kind: Kind,
        /// Its name.
        name: Name,
        /// Its parameters.
        params: Vec<Declaration>,
        /// Allocation constraints between parameters.
        constraints: Vec<Constraint>,
        /// The right-hand side; absent in a prototype.
        body: Option<ExprId>,
    },
    /// `expr;`
    Query(ExprId),
    /// `#… ;`
    Directive(Directive),
}

/// An item at a place.
#[derive(Clone, Debug)]
pub struct Item {
    /// What it is.
    pub kind: ItemKind,
    /// Where it is written.
    pub span: Span,
}

impl Item {
    /// Whether the item declares something, rather than doing something when its turn comes.
    pub fn is_declaration(&self) -> bool {
        match &self.kind {
            ItemKind::Enum(..) | ItemKind::Class { .. } | ItemKind::Function { .. } => true,
            ItemKind::Directive(directive) => {
                matches!(directive, Directive::Param(..) | Directive::Storage(..))
            }
            ItemKind::Query(_) => false,
        }
    }
}

/// A parsed file, or several merged by [`crate::load`].
#[derive(Clone, Debug, Default)]
pub struct File {
    /// Its items in order.
    pub items: Vec<Item>,
    /// The arena of expressions.
    pub exprs: Vec<Expr>,
    /// The identifiers.
    pub names: Names,
    /// Some of the text is missing here because it could not be read. Such a file is never accepted, but the
    /// rest of it can be checked.
    pub is_partial: bool,
}

impl File {
    /// An expression of the arena.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.index()]
    }

    /// The text of an identifier.
    pub fn text(&self, name: Name) -> &str {
        self.names.text(name.symbol)
    }
}

//! The syntax tree of the calculus, as written: brackets are gone, sugar is not.
//!
//! Contract: expressions live in one arena and operands stand before the expression that uses them, so a
//! tree of any depth is dropped, walked and printed without recursion. `a & b & c` is one node with three
//! operands; a bracketed conjunction inside a conjunction is a node of its own, because brackets are the
//! writer's evaluation plan. The same holds for `|`.
//!
//! Files of many megabytes are written by programs, so a node is small: lists of operands are stretches of
//! one vector, and a path that is written alike in many places is stored once.

use base::{Diagnostic, Span};
use rustc_hash::FxHashMap;
use std::sync::Arc;

pub use crate::system::{Kind, Storage, Timer};

base::index_type! {
    /// An identifier, interned.
    Symbol;
    /// An expression of the arena.
    ExprId;
    /// A path, interned.
    PathId;
}

/// The identifiers of a file, each stored once.
#[derive(Clone, Debug, Default)]
pub struct Names {
    texts: Vec<Arc<str>>,
    ids: FxHashMap<Arc<str>, Symbol>,
}

impl Names {
    /// The symbol of a text.
    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(&symbol) = self.ids.get(text) {
            return symbol;
        }
        let symbol = Symbol::new(self.texts.len());
        let text: Arc<str> = text.into();
        self.texts.push(text.clone());
        self.ids.insert(text, symbol);
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

/// One step of a path: `bit[0]`. Places are counted from the beginning of the path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Segment {
    /// The variable or member.
    pub symbol: Symbol,
    /// Its first byte.
    pub start: u32,
    /// One past the last byte of the name or of the bracket behind it.
    pub end: u32,
    /// The element, if one is selected.
    pub index: Option<Index>,
}

/// What selects an element of an array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Index {
    /// The number or the path.
    pub base: IndexBase,
    /// What is added.
    pub offset: i64,
    /// The first byte of the base.
    pub start: u32,
    /// One past its last byte.
    pub end: u32,
}

/// The first part of an [`Index`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IndexBase {
    /// A literal.
    Number(u64),
    /// A variable, a position or a `#param`.
    Path(PathId),
}

/// The paths of a file, each way of writing one stored once.
#[derive(Clone, Debug, Default)]
pub struct Paths {
    segments: Vec<Arc<[Segment]>>,
    ids: FxHashMap<Arc<[Segment]>, PathId>,
}

impl Paths {
    /// The id of a path.
    pub fn intern(&mut self, segments: &[Segment]) -> PathId {
        if let Some(&id) = self.ids.get(segments) {
            return id;
        }
        let id = PathId::new(self.segments.len());
        let segments: Arc<[Segment]> = segments.into();
        self.segments.push(segments.clone());
        self.ids.insert(segments, id);
        id
    }

    /// The segments of a path, at least one.
    pub fn segments(&self, id: PathId) -> &[Segment] {
        &self.segments[id.index()]
    }
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
#[derive(Clone, Copy, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it is written, without its brackets.
    pub span: Span,
}

/// A stretch of operands; see [`File::operands`].
#[derive(Clone, Copy, Debug)]
pub struct Operands {
    first: u32,
    count: u32,
}

/// A stretch of declarations; see [`File::bounds`].
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    first: u32,
    count: u32,
}

base::index_type! {
    /// What is said behind `exists` or `forall` about positions.
    PositionsId;
}

/// `i in 0..k`
#[derive(Clone, Copy, Debug)]
pub struct Positions {
    /// The name of the position.
    pub name: Name,
    /// First position.
    pub low: Const,
    /// Last position.
    pub high: Const,
}

/// The forms of expression.
#[derive(Clone, Copy, Debug)]
pub enum ExprKind {
    /// `true`, `false`
    Constant(bool),
    /// A number.
    Number(u64),
    /// A variable, part of a variable, enumerator, position or `#param`.
    Path(PathId),
    /// `i + 1`, `i - 1`; the expression is a path or a number.
    Sum(ExprId, i64),
    /// `R(a, b)`; the expression begins with the name.
    Apply(Symbol, Operands),
    /// `!a`
    Not(ExprId),
    /// `a & b & c`
    And(Operands),
    /// `a | b | c`
    Or(Operands),
    /// `a <-> b` and the like.
    Connect(Connective, ExprId, ExprId),
    /// `a = b` and the like.
    Compare(Relational, ExprId, ExprId),
    /// `a assume b`
    Simplify(Simplifier, ExprId, ExprId),
    /// `exists State s. a`
    Quantified(Quantifier, Bounds, ExprId),
    /// `exists i in 0..k. a`
    Positions(Quantifier, PositionsId, ExprId),
    /// `if (a) b`
    If(ExprId, ExprId),
    /// `if (a) b else c`
    IfElse(ExprId, ExprId, ExprId),
    /// `case a : b; c : d; esac`, conditions and values in turn.
    Case(Operands),
}

// Large files consist of these.
const _: () = assert!(size_of::<ExprKind>() == 16);

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
    /// `#list R`, with the most rows to show if that is written.
    List(Name, Option<u64>),
    /// `#wit e` and the like.
    Expr(OnExpr, ExprId),
    /// `#reset all`
    ResetAll,
    /// `#timer …`
    Timer(Timer),
    /// `#frontier`, with `on` or `off` if written.
    Frontier(Option<bool>),
    /// `#verbose`, with `on` or `off` if written.
    Verbose(Option<bool>),
    /// `#quit`
    Quit,
    /// `#explicit A, B` or `#symbolic A, B`
    Storage(Storage, Vec<TypeName>),
    /// `#strata A`
    Strata(TypeName),
    /// `#depth 3`, with the place of the number.
    Depth(u64, Span),
    /// `#param k = 3`
    Param(Name, u64),
    /// `#certificate R, S` and the like.
    Note(Note),
}

/// The words of notes, with their sign.
pub const NOTES: [&str; 11] = [
    "#bound",
    "#contexts",
    "#rounds",
    "#certificate",
    "#label",
    "#function",
    "#variable",
    "#where",
    "#verdict",
    "#exact",
    "#without",
];

/// What a file says about itself to whoever asks its queries about something, such as a program. The calculus keeps notes and
/// does not read them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// One of [`NOTES`].
    pub word: &'static str,
    /// Where it is written, as a whole.
    pub span: Span,
    /// What follows the word.
    pub parts: Vec<NotePart>,
}

/// A part of a note.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotePart {
    /// What it is.
    pub kind: NoteKind,
    /// A name, a number or a mark as it is written; of a quoted text what stands between the quotes.
    pub text: String,
    /// Where it is written.
    pub span: Span,
}

/// The kinds of parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoteKind {
    /// A name, or a word of the language.
    Name,
    /// A number.
    Number,
    /// A quoted text.
    Text,
    /// An operator or punctuation.
    Mark,
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
                use Directive::{Depth, Note, Param, Storage, Strata};
                matches!(directive, Param(..) | Storage(..) | Strata(_) | Depth(..) | Note(_))
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
    /// The identifiers.
    pub names: Names,
    /// The paths.
    pub paths: Paths,
    /// Some of the text is missing here because it could not be read. Such a file is never accepted, but the
    /// rest of it can be checked.
    pub is_partial: bool,
    /// What was read and will not be heeded.
    pub remarks: Vec<Diagnostic>,
    /// The arena of expressions, and where each is written.
    kinds: Vec<ExprKind>,
    spans: Vec<Span>,
    /// The operands of all expressions that have any number of them.
    operands: Vec<ExprId>,
    /// The declarations behind all quantifiers.
    bounds: Vec<Declaration>,
    positions: Vec<Positions>,
}

impl File {
    /// An expression of the arena.
    pub fn expr(&self, id: ExprId) -> Expr {
        Expr { kind: self.kinds[id.index()], span: self.spans[id.index()] }
    }

    /// How many expressions there are.
    pub fn n_exprs(&self) -> usize {
        self.kinds.len()
    }

    /// The operands of a list.
    pub fn operands(&self, operands: Operands) -> &[ExprId] {
        &self.operands[operands.first as usize..][..operands.count as usize]
    }

    /// The declarations behind a quantifier.
    pub fn bounds(&self, bounds: Bounds) -> &[Declaration] {
        &self.bounds[bounds.first as usize..][..bounds.count as usize]
    }

    /// The name and the bounds of a position quantifier.
    pub fn positions(&self, id: PositionsId) -> Positions {
        self.positions[id.index()]
    }

    /// The text of an identifier.
    pub fn text(&self, name: Name) -> &str {
        self.names.text(name.symbol)
    }

    /// The identifier that stands so many bytes behind the beginning of an expression.
    pub fn name_at(&self, symbol: Symbol, expr: Span, start: u32) -> Name {
        let start = expr.start.saturating_add(start);
        let length = u32::try_from(self.names.text(symbol).len()).unwrap_or(u32::MAX);
        Name { symbol, span: Span { start, end: start.saturating_add(length), ..expr } }
    }

    /// Adds an expression.
    pub(crate) fn push(&mut self, kind: ExprKind, span: Span) -> ExprId {
        let id = ExprId::new(self.kinds.len());
        self.kinds.push(kind);
        self.spans.push(span);
        id
    }

    /// Forgets the expressions behind the first so many.
    pub(crate) fn truncate(&mut self, n_exprs: usize) {
        self.kinds.truncate(n_exprs);
        self.spans.truncate(n_exprs);
    }

    /// Stores a list of operands.
    pub(crate) fn push_operands(&mut self, operands: impl ExactSizeIterator<Item = ExprId>) -> Operands {
        let (first, count) = (ExprId::new(self.operands.len()).0, ExprId::new(operands.len()).0);
        self.operands.extend(operands);
        Operands { first, count }
    }

    /// Stores what a quantifier declares.
    pub(crate) fn push_bounds(&mut self, bounds: &[Declaration]) -> Bounds {
        let (first, count) = (ExprId::new(self.bounds.len()).0, ExprId::new(bounds.len()).0);
        self.bounds.extend(bounds);
        Bounds { first, count }
    }

    /// Stores the name and the bounds of a position quantifier.
    pub(crate) fn push_positions(&mut self, positions: Positions) -> PositionsId {
        let id = PositionsId::new(self.positions.len());
        self.positions.push(positions);
        id
    }
}

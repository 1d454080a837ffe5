//! A checked system: the fixed-point equations after names, types and sugar are gone.
//!
//! Contract: every variable is scalar (records and arrays are flattened to one variable per leaf),
//! every formula is well-sorted, every relation application has one term per column, and a formula's
//! operands have smaller ids than the formula, so a pass over the arena in order is bottom-up.
//! Only [`crate::check`] makes a `System`; the twin, the solver and the explanations read it.

use crate::syntax::Note;
use base::Span;

base::index_type! {
    /// A scalar sort.
    SortId;
    /// A scalar variable: a column of a relation or a quantified leaf.
    VarId;
    /// What a variable is a leaf of: one parameter or one quantified name.
    BinderId;
    /// A relation: definition, least or greatest fixed point.
    RelationId;
    /// A formula of the arena.
    FormulaId;
}

/// How the values of a sort are stored by the solver; without influence on meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// As bits of decision diagrams.
    Symbolic,
    /// As keys of tables.
    Explicit,
}

/// The values of a sort; they are numbered 0, 1, … in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SortKind {
    /// `false` and `true`.
    Bool,
    /// Named values.
    Enum(Vec<String>),
    /// The numbers from `low` to `high`, both included; value 0 is `low`.
    Range {
        /// Smallest number.
        low: u64,
        /// Largest number.
        high: u64,
    },
}

/// A scalar sort.
#[derive(Clone, Debug)]
pub struct Sort {
    /// Its name in the text; `bool` for the Booleans.
    pub name: String,
    /// Its values.
    pub kind: SortKind,
    /// Chosen by `#explicit` and `#symbolic`; symbolic if nothing is said.
    pub storage: Storage,
}

impl Sort {
    /// The number of values, at least 1.
    pub fn size(&self) -> u64 {
        match &self.kind {
            SortKind::Bool => 2,
            SortKind::Enum(values) => values.len() as u64,
            SortKind::Range { low, high } => high - low + 1,
        }
    }

    /// A value as the user writes it.
    pub fn value_name(&self, value: u32) -> String {
        match &self.kind {
            SortKind::Bool => (if value == 0 { "false" } else { "true" }).to_owned(),
            SortKind::Enum(values) => values[value as usize].clone(),
            SortKind::Range { low, .. } => (low + u64::from(value)).to_string(),
        }
    }
}

/// A scalar variable.
#[derive(Clone, Debug)]
pub struct Var {
    /// The path from the binder to this leaf: `` (a scalar binder), `.bit[0]`, `[2].pc`.
    pub path: String,
    /// Its sort.
    pub sort: SortId,
    /// The parameter or quantified name it is a leaf of.
    pub binder: BinderId,
}

/// A parameter or a quantified name with its leaves.
#[derive(Clone, Debug)]
pub struct Binder {
    /// The name in the text.
    pub name: String,
    /// The type as written, array bounds included: `State`, `P[6]`.
    pub type_name: String,
    /// Its leaves in declaration order (consecutive ids).
    pub leaves: Vec<VarId>,
    /// Where it is bound.
    pub span: Span,
}

/// How a relation is defined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A plain definition, or a relation written with `mu` or `nu` that does not need itself.
    Definition,
    /// A least fixed point.
    Mu,
    /// A greatest fixed point.
    Nu,
}

/// A relation with its equation.
#[derive(Clone, Debug)]
pub struct Relation {
    /// Its name.
    pub name: String,
    /// Definition, `mu` or `nu`.
    pub kind: Kind,
    /// Its parameters.
    pub params: Vec<BinderId>,
    /// The leaves of its parameters, in order.
    pub columns: Vec<VarId>,
    /// The right-hand side.
    pub body: FormulaId,
    /// Where its definition stands.
    pub span: Span,
    /// The rank of its prototype or definition in the file, whichever stands first: smaller is outer.
    pub position: u32,
}

/// An argument or an operand of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    /// The value of a variable.
    Var(VarId),
    /// A constant of the sort the place demands.
    Value(u32),
}

/// Comparisons between terms of one sort; the orderings only on ranges.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
}

/// A formula. What is missing here is written with what is there: `!=`, `>`, `->`, `<+>`, `if`,
/// `case`, `assume` (conjunction), orderings, record equality, positions, computed indices.
#[derive(Clone, PartialEq, Debug)]
pub enum Formula {
    /// `true` or `false`.
    Constant(bool),
    /// A variable of sort `bool` is true.
    Variable(VarId),
    /// A comparison.
    Compare(Comparison, Term, Term),
    /// A relation holds of its arguments, one for each column.
    Apply(RelationId, Box<[Term]>),
    /// Negation.
    Not(FormulaId),
    /// Conjunction of any number of operands. A bracketed conjunction inside a conjunction stays an
    /// operand of its own: brackets are the writer's plan.
    And(Box<[FormulaId]>),
    /// Disjunction; brackets likewise.
    Or(Box<[FormulaId]>),
    /// Both or neither.
    Iff(FormulaId, FormulaId),
    /// Some values of the variables make the operand true.
    Exists(Box<[VarId]>, FormulaId),
    /// All values of the variables make the operand true.
    Forall(Box<[VarId]>, FormulaId),
}

/// What an allocation constraint says about the order of the bits of two groups of leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Allocation {
    /// The left before the right: all bits of it, or bit by bit where the two are interleaved.
    Before,
    /// Interleaved, of each pair the left one first.
    Interleaved,
    /// Not interleaved, in any order.
    Separate,
}

/// An allocation constraint, expanded to leaves. Constraints of a class stand once for every binder that
/// contains a value of the class. The one-operand forms have the same leaves on both sides: interleave the
/// parts of the operand with each other, or keep them apart.
#[derive(Clone, Debug)]
pub struct AllocationConstraint {
    /// What is demanded.
    pub kind: Allocation,
    /// The left operand's leaves.
    pub left: Vec<VarId>,
    /// The right operand's leaves.
    pub right: Vec<VarId>,
    /// Where it is written.
    pub span: Span,
}

/// `#timer` with its word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Timer {
    /// `#timer go`
    Go,
    /// `#timer stop`
    Stop,
    /// `#timer reset`
    Reset,
    /// `#timer`: print the time.
    Show,
}

/// A query or a directive that acts when its turn comes.
#[derive(Clone, Debug)]
pub enum Action {
    /// A bare expression: print its truth value.
    Query(FormulaId),
    /// `#print "text"`, or an empty line.
    Print(String),
    /// `#print e`: the truth value of a closed expression; otherwise the text of the expression.
    PrintFormula(FormulaId),
    /// `#print statistics`
    Statistics,
    /// `#size R`
    Size(RelationId),
    /// `#ons R`, `#onsetsize R`
    Count(RelationId),
    /// `#wit e`; the leaves of the outermost existential variables (none if there are none) and the matrix.
    Witness(Vec<BinderId>, FormulaId),
    /// `#cex e`; the leaves of the outermost universal variables (none if there are none) and the matrix.
    Counterexample(Vec<BinderId>, FormulaId),
    /// `#vis R`
    Visualise(RelationId),
    /// `#dump R`
    Dump(RelationId),
    /// `#undump R`
    Undump(RelationId),
    /// `#reset R`
    Reset(RelationId),
    /// `#reset all`
    ResetAll,
    /// `#timer …`
    Timer(Timer),
    /// `#frontier [on|off]`: accepted; evaluation is semi-naive anyway.
    Frontier,
    /// `#verbose [on|off]`
    Verbose(bool),
    /// `#certify R`
    Certify(RelationId),
    /// `#explain e`: the binders of its outermost existential variables (none for `R(constants)`), and the
    /// matrix, whose conjuncts are explained.
    Explain(Vec<BinderId>, FormulaId),
    /// `#plan R`
    Plan(RelationId),
    /// `#list R`, and at most so many rows of it.
    List(RelationId, u64),
}

/// So many rows `#list` shows if nothing is said.
pub const LISTED: u64 = 100;

impl Action {
    /// `query`, or the directive.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Query(_) => "query",
            Self::Print(_) | Self::PrintFormula(_) => "#print",
            Self::Statistics => "#print statistics",
            Self::Size(_) => "#size",
            Self::Count(_) => "#ons",
            Self::Witness(..) => "#wit",
            Self::Counterexample(..) => "#cex",
            Self::Visualise(_) => "#vis",
            Self::Dump(_) => "#dump",
            Self::Undump(_) => "#undump",
            Self::Reset(_) => "#reset",
            Self::ResetAll => "#reset all",
            Self::Timer(_) => "#timer",
            Self::Frontier => "#frontier",
            Self::Verbose(_) => "#verbose",
            Self::Certify(_) => "#certify",
            Self::Explain(..) => "#explain",
            Self::Plan(_) => "#plan",
            Self::List(..) => "#list",
        }
    }

    /// The relation that a directive names.
    pub fn relation(&self) -> Option<RelationId> {
        match *self {
            Self::Size(relation)
            | Self::Count(relation)
            | Self::Visualise(relation)
            | Self::Dump(relation)
            | Self::Undump(relation)
            | Self::Reset(relation)
            | Self::Certify(relation)
            | Self::Plan(relation)
            | Self::List(relation, _) => Some(relation),
            _ => None,
        }
    }
}

/// An action and the text it came from.
#[derive(Clone, Debug)]
pub struct Item {
    /// What to do.
    pub action: Action,
    /// Where it is written.
    pub span: Span,
}

/// A checked system.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// Scalar sorts; the first is `bool`.
    pub sorts: Vec<Sort>,
    /// Scalar variables.
    pub vars: Vec<Var>,
    /// Parameters and quantified names.
    pub binders: Vec<Binder>,
    /// Relations in order of definition.
    pub relations: Vec<Relation>,
    /// The arena of formulas.
    pub formulas: Vec<Formula>,
    /// Where each formula is written.
    pub spans: Vec<Span>,
    /// Chosen by `#strata`: rows are worked off by increasing values of this sort. A hint, never about meaning.
    pub strata: Option<SortId>,
    /// Chosen by `#depth`: so many choices derivations follow.
    pub depth: Option<u32>,
    /// What the file says about itself, in order.
    pub notes: Vec<Note>,
    /// Allocation constraints.
    pub constraints: Vec<AllocationConstraint>,
    /// Queries and directives in order; `#quit` ends the list.
    pub items: Vec<Item>,
}

/// So many choices derivations follow if nothing is said.
pub const DEPTH: u32 = 3;

/// The sort `bool` of every system.
pub const BOOL: SortId = SortId(0);

impl System {
    /// So many choices derivations follow.
    pub fn depth(&self) -> u32 {
        self.depth.unwrap_or(DEPTH)
    }

    /// A formula of the arena.
    pub fn formula(&self, id: FormulaId) -> &Formula {
        &self.formulas[id.index()]
    }

    /// Where a formula is written.
    pub fn span(&self, id: FormulaId) -> Span {
        self.spans[id.index()]
    }

    /// A relation.
    pub fn relation(&self, id: RelationId) -> &Relation {
        &self.relations[id.index()]
    }

    /// The sort of a variable.
    pub fn sort_of(&self, var: VarId) -> &Sort {
        &self.sorts[self.vars[var.index()].sort.index()]
    }

    /// A variable as the user writes it: `s.bit[0]`.
    pub fn var_name(&self, var: VarId) -> String {
        let var = &self.vars[var.index()];
        format!("{}{}", self.binders[var.binder.index()].name, var.path)
    }
}

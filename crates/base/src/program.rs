//! What every kind of program has: variables, places where values are kept, points and the ways between them.
//!
//! Contract: what a variable holds and what a way does are matters of the crates that define programs; a graph's ways are sorted by where
//! they start.

use crate::Span;

crate::index_type! {
    /// A point of a function.
    NodeId;
    /// A way on from a point of a function.
    EdgeId;
}

/// Where a value is kept, as seen from one function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Place {
    /// A global variable: a position in the program's list.
    Global(u32),
    /// A local variable: a position in the function's list, parameters first.
    Local(u32),
}

/// A variable that holds values of a type `T`.
#[derive(Clone, Debug)]
pub struct Variable<T> {
    /// Its name. Those that the text does not have begin with `$`.
    pub name: String,
    /// What it holds.
    pub ty: T,
    /// Where it is declared.
    pub span: Span,
}

/// One way on from a point, which does `A`.
#[derive(Clone, Debug)]
pub struct Edge<A> {
    /// Where it starts.
    pub from: NodeId,
    /// Where it leads: for a call the point after it.
    pub to: NodeId,
    /// What it does.
    pub action: A,
    /// The statement or condition in the text.
    pub span: Span,
}

/// The ways that leave a point, in order, of a list that is sorted by where they start.
pub fn edges_from<A>(edges: &[Edge<A>], node: NodeId) -> impl Iterator<Item = (EdgeId, &Edge<A>)> {
    let first = edges.partition_point(|edge| edge.from < node);
    let leaving = edges[first..].iter().take_while(move |edge| edge.from == node);
    leaving.enumerate().map(move |(n, edge)| (EdgeId::new(first + n), edge))
}

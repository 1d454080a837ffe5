//! Points of a program at which something is added: behind an edge, or at a node.
//!
//! Nothing is added until all points are known, so that edges keep their numbers meanwhile.

use base::Span;
use c::Spot;
use integers::{Action, Edge, EdgeId, Expr, Function, FunctionId, Node, NodeId, Place, Program, Role, Step};

/// A point of a program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Point {
    /// A run has just taken an edge; of a call, it has come back.
    Behind(FunctionId, EdgeId),
    /// A run is at a node.
    At(FunctionId, NodeId),
    /// A function has been entered.
    Entry(FunctionId),
}

impl Point {
    /// The function that it is in.
    pub fn function(self) -> FunctionId {
        match self {
            Point::Behind(function, _) | Point::At(function, _) | Point::Entry(function) => function,
        }
    }

    /// The points of a spot; `None` if the program has no such point.
    pub fn of(function: FunctionId, spot: &Spot) -> Option<Vec<Point>> {
        match spot {
            Spot::Nowhere => Some(Vec::new()),
            Spot::Node(node) => Some(vec![Point::At(function, *node)]),
            Spot::Behind(edges) => Some(edges.iter().map(|edge| Point::Behind(function, *edge)).collect()),
            Spot::Unrepresented => None,
        }
    }
}

/// One way on from a point: where a formula holds, what is stored, and where it leads.
pub struct Way {
    /// Where it can be taken.
    pub guard: Expr,
    /// What is stored.
    pub updates: Vec<(Place, Expr)>,
    /// Where it leads: on, or to a new node of this kind.
    pub end: Option<Role>,
    /// What is shown for it.
    pub span: Span,
}

/// Adds ways at a point: a run takes one of them, or is blocked. Edges are sorted afterwards, by whoever adds.
pub fn add(program: &mut Program, point: Point, ways: Vec<Way>) {
    let function = &mut program.functions[point.function().index()];
    let span = ways.first().map_or(function.span, |way| way.span);
    let (from, to) = match point {
        Point::Behind(_, edge) => {
            let from = node(function, Role::Plain, span);
            let edge = &mut function.edges[edge.index()];
            (from, std::mem::replace(&mut edge.to, from))
        }
        Point::At(_, at) => {
            let (role, place) = (function.nodes[at.index()].role, function.nodes[at.index()].span);
            let to = node(function, role, place);
            function.nodes[at.index()].role = Role::Plain;
            function.edges.iter_mut().filter(|edge| edge.from == at).for_each(|edge| edge.from = to);
            if function.exit == at {
                function.exit = to;
            }
            (at, to)
        }
        Point::Entry(_) => {
            let from = node(function, Role::Plain, span);
            (from, std::mem::replace(&mut function.entry, from))
        }
    };
    for Way { guard, updates, end, span } in ways {
        let to = match end {
            None => to,
            Some(role) => node(function, role, span),
        };
        let action = Action::Step(Step::new(guard, updates));
        function.edges.push(Edge { from, to, action, span });
    }
}

fn node(function: &mut Function, role: Role, span: Span) -> NodeId {
    function.nodes.push(Node { role, span });
    NodeId::new(function.nodes.len() - 1)
}

/// Puts the edges of all functions in order.
pub fn sort(program: &mut Program) {
    program.functions.iter_mut().for_each(Function::sort_edges);
}

//! In which order the points of a function are visited, so that ways that part come together again before anybody goes on.
//!
//! Points are in nested components, each with a head: whoever comes back comes back to the head of a component that he is in, and begins another round of it; every
//! other edge leads forward. (A weak topological order.) A place in an unrolled graph is a list: for each component the round, then the point.

use integers::{Function, NodeId};

/// The order of the points of a function.
#[derive(Debug)]
pub struct Order {
    /// The position of each node.
    position: Vec<u32>,
    /// The heads of the components that a node is in, outer ones first, by their positions.
    components: Vec<Vec<u32>>,
}

/// A place in an unrolled function: positions with rounds, in the order in which places are visited.
pub type Rounds = Vec<(u32, u32)>;

impl Order {
    /// Of a function.
    pub fn new(function: &Function) -> Self {
        let n = function.nodes.len();
        let mut successors = vec![Vec::new(); n];
        for edge in &function.edges {
            successors[edge.from.index()].push(edge.to.index());
        }
        let mut search =
            Search { successors, number: vec![0; n], count: 0, stack: Vec::new(), elements: Vec::new() };
        let mut elements = search.partition(function.entry.index());
        elements.reverse();
        let mut order = Self { position: vec![u32::MAX; n], components: vec![Vec::new(); n] };
        let mut next = 0;
        order.place(&elements, &mut Vec::new(), &mut next);
        order
    }

    fn place(&mut self, elements: &[Element], around: &mut Vec<u32>, next: &mut u32) {
        for element in elements {
            let (node, inner) = match element {
                Element::Node(node) => (*node, None),
                Element::Component(head, inner) => (*head, Some(inner)),
            };
            self.position[node] = *next;
            if inner.is_some() {
                around.push(*next);
            }
            *next += 1;
            self.components[node].clone_from(around);
            if let Some(inner) = inner {
                self.place(inner, around, next);
                around.pop();
            }
        }
    }

    /// The place of a node in its first rounds.
    pub fn first(&self, node: NodeId) -> Rounds {
        let components = &self.components[node.index()];
        components.iter().map(|head| (*head, 0)).chain([(self.position[node.index()], 0)]).collect()
    }

    /// The place that an edge leads to from a place of its start, and whether a round begins.
    pub fn next(&self, place: &[(u32, u32)], from: NodeId, to: NodeId) -> (Rounds, Option<u32>) {
        let (old, new) = (&self.components[from.index()], &self.components[to.index()]);
        let position = self.position[to.index()];
        let mut rounds = Rounds::with_capacity(new.len() + 1);
        let mut begun = None;
        for (n, &head) in new.iter().enumerate() {
            let is_same = old.get(n) == Some(&head);
            let mut round = if is_same { place[n].1 } else { 0 };
            if is_same && head == position {
                round += 1;
                begun = Some(round);
            }
            rounds.push((head, round));
        }
        rounds.push((position, 0));
        (rounds, begun)
    }
}

/// A node, or a component with its head and what else is in it.
enum Element {
    Node(usize),
    Component(usize, Vec<Element>),
}

/// Bourdoncle's search for a weak topological order, without recursion along edges.
struct Search {
    successors: Vec<Vec<usize>>,
    /// When a node was found; the greatest number when it is done.
    number: Vec<u32>,
    count: u32,
    stack: Vec<usize>,
    elements: Vec<Vec<Element>>,
}

const DONE: u32 = u32::MAX;

/// A visit that has not come to its end.
struct Visit {
    node: usize,
    next: usize,
    head: u32,
    is_loop: bool,
}

impl Search {
    /// The elements that are found from a node on, the last one first.
    fn partition(&mut self, from: usize) -> Vec<Element> {
        self.elements.push(Vec::new());
        self.visit(from);
        self.elements.pop().expect("it was pushed")
    }

    fn visit(&mut self, from: usize) {
        let mut visits = vec![self.begin(from)];
        while let Some(visit) = visits.last_mut() {
            let node = visit.node;
            if let Some(&to) = self.successors[node].get(visit.next) {
                visit.next += 1;
                match self.number[to] {
                    0 => {
                        let begun = self.begin(to);
                        visits.push(begun);
                    }
                    number => {
                        let visit = visits.last_mut().expect("it is being visited");
                        if number <= visit.head {
                            visit.head = number;
                            visit.is_loop = true;
                        }
                    }
                }
                continue;
            }
            let visit = visits.pop().expect("there is one");
            let head = self.end(&visit);
            if let Some(before) = visits.last_mut()
                && head <= before.head
            {
                before.head = head;
                before.is_loop = true;
            }
        }
    }

    fn begin(&mut self, node: usize) -> Visit {
        self.stack.push(node);
        self.count += 1;
        self.number[node] = self.count;
        Visit { node, next: 0, head: self.count, is_loop: false }
    }

    /// All ways from a node have been seen; the earliest node that they come back to.
    fn end(&mut self, visit: &Visit) -> u32 {
        let Visit { node, head, is_loop, .. } = *visit;
        if head != self.number[node] {
            return head;
        }
        self.number[node] = DONE;
        let mut last = self.stack.pop().expect("the node is on the stack");
        if is_loop {
            while last != node {
                self.number[last] = 0;
                last = self.stack.pop().expect("the node is on the stack");
            }
            let inner = self.component(node);
            self.elements.last_mut().expect("there is a list").push(Element::Component(node, inner));
        } else {
            self.elements.last_mut().expect("there is a list").push(Element::Node(node));
        }
        head
    }

    /// What is in the component of a head, in order. Components are as deep as loops are nested.
    fn component(&mut self, head: usize) -> Vec<Element> {
        self.elements.push(Vec::new());
        for n in 0..self.successors[head].len() {
            let to = self.successors[head][n];
            if self.number[to] == 0 {
                self.visit(to);
            }
        }
        let mut inner = self.elements.pop().expect("it was pushed");
        inner.reverse();
        inner
    }
}

//! Strongly connected components of a graph whose vertices are numbers, by Tarjan's algorithm.
//!
//! Input: where to start, for each vertex a list of edges, and where an edge leads. Output: the components of all that is reached,
//! each after those that it leads to. The search keeps its own stack, so depth costs memory and no host recursion, and its
//! lists are used again by the next search. Textbook twin: mutual reachability, in `tests/it/components.rs`.

use std::ops::ControlFlow;

/// Edges by their source: for each vertex a list of numbers, in the order in which they were given.
#[derive(Clone, Debug)]
pub struct Adjacency {
    /// For each vertex the first of its items, and at last their number.
    first: Vec<u32>,
    items: Vec<u32>,
}

impl Adjacency {
    /// Sorts pairs of a source and a number, which is a target, or says where to find it.
    pub fn new(n_vertices: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut first = vec![0u32; n_vertices + 1];
        let mut n_items = 0;
        for (source, _) in pairs.clone() {
            first[source as usize + 1] += 1;
            n_items += 1;
        }
        for vertex in 0..n_vertices {
            first[vertex + 1] += first[vertex];
        }
        let mut items = vec![0; n_items];
        // Filling moves each beginning to the end of its list, which is the beginning of the next.
        for (source, item) in pairs {
            let at = &mut first[source as usize];
            items[*at as usize] = item;
            *at += 1;
        }
        first.rotate_right(1);
        first[0] = 0;
        Self { first, items }
    }

    /// What was given for a vertex.
    pub fn of(&self, vertex: u32) -> &[u32] {
        &self.items[self.first[vertex as usize] as usize..self.first[vertex as usize + 1] as usize]
    }
}

/// What a search remembers of the vertices; one value serves many searches.
#[derive(Clone, Debug)]
pub struct Components {
    /// When each vertex was met; up to `start`, that was in an earlier search.
    number: Vec<u32>,
    /// The least number that is known to be reached; [`DONE`] once the component is complete.
    low: Vec<u32>,
    n_met: u32,
    start: u32,
    /// The vertices whose components are not complete, as they were met.
    open: Vec<u32>,
    /// The vertices on the way to the present one, each with the number of edges that have been followed.
    way: Vec<(u32, u32)>,
}

const DONE: u32 = u32::MAX;

/// A component that has just been completed.
#[derive(Clone, Copy, Debug)]
pub struct Component<'c> {
    /// Its vertices as they were met; the first is the one by which the search came.
    pub members: &'c [u32],
    search: &'c Components,
}

impl Component<'_> {
    /// Whether a vertex to which one of the members leads is a member.
    pub fn contains(&self, vertex: u32) -> bool {
        let first = self.search.number[self.members[0] as usize];
        self.search.number[vertex as usize] >= first && self.search.low[vertex as usize] != DONE
    }
}

impl Components {
    /// For graphs with so many vertices.
    pub fn new(n_vertices: usize) -> Self {
        let (number, low) = (vec![0; n_vertices], vec![0; n_vertices]);
        Self { number, low, n_met: 0, start: 0, open: Vec::new(), way: Vec::new() }
    }

    /// The components of all that the roots reach, each after those that it leads to. An edge without a target is left aside.
    pub fn list<'e, E: 'e>(
        &mut self,
        roots: impl IntoIterator<Item = u32>,
        edges: impl Fn(u32) -> &'e [E],
        target: impl Fn(&E) -> Option<u32>,
    ) -> Vec<Vec<u32>> {
        let mut components = Vec::new();
        let _: Option<()> = self.search(roots, edges, target, |component| {
            components.push(component.members.to_vec());
            ControlFlow::Continue(())
        });
        components
    }

    /// Like [`Components::list`], but hands out each component as soon as it is complete, until one of them breaks the search.
    pub fn search<'e, E: 'e, B>(
        &mut self,
        roots: impl IntoIterator<Item = u32>,
        edges: impl Fn(u32) -> &'e [E],
        target: impl Fn(&E) -> Option<u32>,
        mut close: impl FnMut(Component<'_>) -> ControlFlow<B>,
    ) -> Option<B> {
        self.start = self.n_met;
        self.open.clear();
        self.way.clear();
        for root in roots {
            if self.is_new(root) {
                self.meet(root);
            }
            while let Some((vertex, next)) = self.way.last_mut() {
                let vertex = *vertex;
                let Some(edge) = edges(vertex).get(*next as usize) else {
                    if let ControlFlow::Break(found) = self.leave(vertex, &mut close) {
                        return Some(found);
                    }
                    continue;
                };
                *next += 1;
                match target(edge) {
                    Some(to) if self.is_new(to) => self.meet(to),
                    // What belongs to a complete component has the greatest number.
                    Some(to) => self.lower(vertex, self.low[to as usize]),
                    None => {}
                }
            }
        }
        None
    }

    fn is_new(&self, vertex: u32) -> bool {
        self.number[vertex as usize] <= self.start
    }

    fn meet(&mut self, vertex: u32) {
        self.n_met += 1;
        self.number[vertex as usize] = self.n_met;
        self.low[vertex as usize] = self.n_met;
        self.open.push(vertex);
        self.way.push((vertex, 0));
    }

    fn lower(&mut self, vertex: u32, low: u32) {
        let known = &mut self.low[vertex as usize];
        *known = low.min(*known);
    }

    /// All edges of the last vertex on the way have been followed; if it reaches nothing before it, a component is complete.
    fn leave<B>(
        &mut self,
        vertex: u32,
        close: &mut impl FnMut(Component<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.way.pop();
        let low = self.low[vertex as usize];
        if let Some(&(before, _)) = self.way.last() {
            self.lower(before, low);
        }
        if low == self.number[vertex as usize] {
            let from = self.open.iter().rposition(|v| *v == vertex).expect("an unfinished vertex is open");
            close(Component { members: &self.open[from..], search: self })?;
            for member in self.open.drain(from..) {
                self.low[member as usize] = DONE;
            }
        }
        ControlFlow::Continue(())
    }
}

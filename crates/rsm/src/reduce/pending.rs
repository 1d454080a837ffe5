//! The points whose turn it is: module by module, so that a module is looked at as a whole, and within a module the
//! last point first, since liveness flows backward.

use super::shape::Shape;
use std::collections::{BinaryHeap, VecDeque};

/// A work list of points, each at most once.
pub(super) struct Pending<'a> {
    /// The modules with pending points, each once; the first one is being looked at.
    modules: VecDeque<u32>,
    /// For each module its pending points.
    positions: Vec<BinaryHeap<u32>>,
    /// For each module the number of its first point in the list of all points.
    first_point: &'a [usize],
    is_pending: Vec<bool>,
}

impl<'a> Pending<'a> {
    /// Every point of every module.
    pub(super) fn everything(shapes: &[Shape], first_point: &'a [usize]) -> Self {
        let n_points = shapes.iter().map(|shape| shape.points.len()).sum();
        let all = |shape: &Shape| (0..shape.points.len() as u32).collect();
        Self {
            modules: (0..shapes.len() as u32).rev().collect(),
            positions: shapes.iter().map(all).collect(),
            first_point,
            is_pending: vec![true; n_points],
        }
    }

    /// Adds a point of a module.
    pub(super) fn push(&mut self, module: usize, position: usize) {
        if std::mem::replace(&mut self.is_pending[self.first_point[module] + position], true) {
            return;
        }
        if self.positions[module].is_empty() && self.modules.front() != Some(&(module as u32)) {
            self.modules.push_back(module as u32);
        }
        self.positions[module].push(position as u32);
    }

    /// Takes the next point.
    pub(super) fn pop(&mut self) -> Option<(usize, usize)> {
        while let Some(&module) = self.modules.front() {
            let module = module as usize;
            if let Some(position) = self.positions[module].pop() {
                let position = position as usize;
                self.is_pending[self.first_point[module] + position] = false;
                return Some((module, position));
            }
            self.modules.pop_front();
        }
        None
    }
}

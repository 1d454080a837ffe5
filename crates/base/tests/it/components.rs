//! Components against mutual reachability, on random graphs. `GETAFIX_SEED=17` chooses one.

use base::{Adjacency, Components, Random};
use std::ops::ControlFlow;

/// The edges of a graph with up to 24 vertices, from almost none to many.
fn graph(random: &mut Random) -> (usize, Vec<(u32, u32)>) {
    let n = 1 + random.index(24);
    let n_edges = random.index(2 * n + 4);
    let vertex = |random: &mut Random| random.index(n) as u32;
    (n, (0..n_edges).map(|_| (vertex(random), vertex(random))).collect())
}

/// For each vertex the vertices that it reaches, itself included, among those that are allowed.
fn reached(n: usize, edges: &[(u32, u32)], is_allowed: &[bool]) -> Vec<Vec<bool>> {
    let mut reached: Vec<Vec<bool>> = (0..n).map(|v| (0..n).map(|w| v == w).collect()).collect();
    for row in &mut reached {
        while let Some(&(_, to)) = edges.iter().find(|&&(from, to)| {
            row[from as usize] && !row[to as usize] && is_allowed[from as usize] && is_allowed[to as usize]
        }) {
            row[to as usize] = true;
        }
    }
    reached
}

fn seeds() -> std::ops::Range<u64> {
    let Ok(seed) = std::env::var("GETAFIX_SEED") else { return 0..2000 };
    let seed = seed.parse().expect("GETAFIX_SEED is a number");
    seed..seed + 1
}

#[test]
fn components_are_what_reaches_each_other() {
    let (mut n_large, mut n_partial, mut n_again) = (0, 0, 0);
    for seed in seeds() {
        let random = &mut Random::new(seed);
        let (n, edges) = graph(random);
        let adjacency = Adjacency::new(n, edges.iter().copied());
        let mut search = Components::new(n);
        // The second search has to forget the first, which may have been broken off.
        for round in 0..2 {
            let is_allowed: Vec<bool> = (0..n).map(|_| round == 0 || random.chance(80)).collect();
            let mut roots: Vec<u32> = (0..n as u32).filter(|v| is_allowed[*v as usize]).collect();
            random.shuffle(&mut roots);
            roots.truncate(1 + random.index(n));
            let edges_of = |vertex: u32| adjacency.of(vertex);
            let target = |to: &u32| is_allowed[*to as usize].then_some(*to);
            if random.chance(50) {
                let first = search
                    .search(roots.iter().copied(), edges_of, target, |c| ControlFlow::Break(c.members[0]));
                assert_eq!(first.is_none(), roots.is_empty(), "GETAFIX_SEED={seed}");
                n_again += 1;
            }
            let found = search.list(roots.iter().copied(), edges_of, target);
            let reached = reached(n, &edges, &is_allowed);
            check(&found, &roots, &reached, seed);
            n_large += found.iter().filter(|component| component.len() > 1).count();
            n_partial += usize::from(found.iter().map(Vec::len).sum::<usize>() < n);
        }
    }
    let enough = n_large > 1000 && n_partial > 1000 && n_again > 1000;
    assert!(enough || testing::is_chosen(), "{n_large} {n_partial} {n_again}");
}

fn check(found: &[Vec<u32>], roots: &[u32], reached: &[Vec<bool>], seed: u64) {
    let n = reached.len();
    let mut place = vec![usize::MAX; n];
    for (at, component) in found.iter().enumerate() {
        for &member in component {
            let before = std::mem::replace(&mut place[member as usize], at);
            assert_eq!(before, usize::MAX, "GETAFIX_SEED={seed}: {member} is in two components");
        }
    }
    for v in 0..n {
        let is_reached = roots.iter().any(|root| reached[*root as usize][v]);
        assert_eq!(place[v] != usize::MAX, is_reached, "GETAFIX_SEED={seed}: {v} in {found:?}");
        for w in (0..n).filter(|w| is_reached && reached[v][*w]) {
            assert_eq!(place[v] == place[w], reached[w][v], "GETAFIX_SEED={seed}: {v} and {w} in {found:?}");
            assert!(place[w] <= place[v], "GETAFIX_SEED={seed}: {w} comes after {v} in {found:?}");
        }
    }
}

#[test]
fn a_complete_component_knows_its_members() {
    let mut n_inside = 0;
    for seed in seeds() {
        let (n, edges) = graph(&mut Random::new(seed));
        let adjacency = Adjacency::new(n, edges.iter().copied());
        let (edges_of, target) = (|vertex: u32| adjacency.of(vertex), |to: &u32| Some(*to));
        let _: Option<()> = Components::new(n).search(0..n as u32, edges_of, target, |component| {
            for &to in component.members.iter().flat_map(|&member| adjacency.of(member)) {
                let is_member = component.members.contains(&to);
                assert_eq!(component.contains(to), is_member, "GETAFIX_SEED={seed}: {to} in {component:?}");
                n_inside += usize::from(is_member);
            }
            ControlFlow::Continue(())
        });
    }
    assert!(n_inside > 1000 || testing::is_chosen(), "{n_inside}");
}

#[test]
fn a_long_way_needs_no_host_stack() {
    let n = 1_000_000;
    let ring = Adjacency::new(n as usize, (0..n).map(|vertex| (vertex, (vertex + 1) % n)));
    let found = Components::new(n as usize).list([0], |vertex| ring.of(vertex), |to| Some(*to));
    assert_eq!(found.len(), 1);
}

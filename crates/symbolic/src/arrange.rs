//! The order of bits: a linear arrangement in which bits that meet stand near each other.
//!
//! FORCE: every set pulls its members to its centre of gravity, again and again, from several starts; then neighbours are
//! swapped while that helps. Paper: none of ours; the idea is Aloul, Markov and Sakallah's (GLSVLSI 2003). Measured to matter
//! more than anything else on programs with many locals.

use base::Shuffler;
use smallvec::SmallVec;

/// A set of bits and its weight.
pub(crate) type Set = (SmallVec<[u32; 6]>, f32);

/// An arrangement replaces the one it started from only if it costs less than this part of it.
const WORTHWHILE: f64 = 0.8;

/// So many set members are looked at in all.
pub(crate) const BUDGET: usize = 6_000_000;

/// Most starts, and most rounds from each.
const STARTS: usize = 24;
const ROUNDS: usize = 80;

/// Arranges the numbers below `n`, starting from `seed`. About so many set members are looked at.
pub(crate) fn arrange(seed: Vec<u32>, sets: &[Set], budget: usize) -> Vec<u32> {
    let members: usize = sets.iter().map(|set| set.0.len()).sum();
    if members == 0 {
        return seed;
    }
    let mut work = budget / members.max(1);
    let first = cost(&seed, sets);
    let (mut best, mut best_cost) = (seed.clone(), first);
    let mut random = Shuffler::default();
    for start in 0..STARTS {
        let mut order = seed.clone();
        if start > 0 {
            random.shuffle(&mut order);
        }
        let (found, found_cost) = force(order, sets, &mut work);
        if found_cost < best_cost {
            (best, best_cost) = (found, found_cost);
        }
        if work == 0 {
            break;
        }
    }
    swap_neighbours(&mut best, sets, &mut work);
    if cost(&best, sets) < first * WORTHWHILE { best } else { seed }
}

fn positions(order: &[u32]) -> Vec<u32> {
    let mut at = vec![0; order.len()];
    for (position, &item) in order.iter().enumerate() {
        at[item as usize] = position as u32;
    }
    at
}

fn span(set: &[u32], at: &[u32]) -> f64 {
    let (mut low, mut high) = (u32::MAX, 0);
    for &item in set {
        low = low.min(at[item as usize]);
        high = high.max(at[item as usize]);
    }
    f64::from(high - low)
}

fn cost(order: &[u32], sets: &[Set]) -> f64 {
    let at = positions(order);
    sets.iter().map(|(set, weight)| f64::from(*weight) * span(set, &at)).sum()
}

/// Rounds of pulling until nothing improves for a while.
fn force(mut order: Vec<u32>, sets: &[Set], work: &mut usize) -> (Vec<u32>, f64) {
    let mut best_cost = cost(&order, sets);
    let mut best = order.clone();
    let mut since = 0;
    for _ in 0..ROUNDS {
        if *work == 0 || since > 8 {
            break;
        }
        *work = work.saturating_sub(2);
        let at = positions(&order);
        let mut pull = vec![(0.0f64, 0.0f64); order.len()];
        for (set, weight) in sets {
            let total: f64 = set.iter().map(|&item| f64::from(at[item as usize])).sum();
            let centre = total / set.len() as f64;
            for &item in set {
                let pulled = &mut pull[item as usize];
                pulled.0 += centre * f64::from(*weight);
                pulled.1 += f64::from(*weight);
            }
        }
        let wish = |item: u32| {
            let (sum, weight) = pull[item as usize];
            if weight == 0.0 { f64::from(at[item as usize]) } else { sum / weight }
        };
        let mut wishes: Vec<(f64, u32, u32)> =
            order.iter().map(|&item| (wish(item), at[item as usize], item)).collect();
        wishes.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        order = wishes.into_iter().map(|w| w.2).collect();
        let now = cost(&order, sets);
        if now < best_cost {
            (best, best_cost, since) = (order.clone(), now, 0);
        } else {
            since += 1;
        }
    }
    (best, best_cost)
}

/// Swaps neighbours while that lowers the cost.
fn swap_neighbours(order: &mut [u32], sets: &[Set], work: &mut usize) {
    let mut sets_of: Vec<Vec<u32>> = vec![Vec::new(); order.len()];
    for (n, (set, _)) in sets.iter().enumerate() {
        set.iter().for_each(|&item| sets_of[item as usize].push(n as u32));
    }
    let mut at = positions(order);
    let mut improved = true;
    while improved && *work > 0 {
        improved = false;
        *work = work.saturating_sub(2);
        for left in 0..order.len().saturating_sub(1) {
            let (a, b) = (order[left], order[left + 1]);
            let near = |at: &[u32]| -> f64 {
                let touched = sets_of[a as usize].iter().chain(&sets_of[b as usize]);
                touched.map(|&n| f64::from(sets[n as usize].1) * span(&sets[n as usize].0, at)).sum()
            };
            let before = near(&at);
            at.swap(a as usize, b as usize);
            if near(&at) < before - 1e-9 {
                order.swap(left, left + 1);
                improved = true;
            } else {
                at.swap(a as usize, b as usize);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(items: &[u32]) -> Set {
        (items.iter().copied().collect(), 1.0)
    }

    #[test]
    fn pairs_that_meet_come_together() {
        let sets: Vec<Set> = (0..8).map(|n| set(&[n, n + 8])).collect();
        let order = arrange((0..16).collect(), &sets, BUDGET);
        assert_eq!(cost(&order, &sets), 8.0, "{order:?}");
    }

    #[test]
    fn an_order_that_is_good_stays() {
        let sets: Vec<Set> = (0..7).map(|n| set(&[n, n + 1])).collect();
        assert_eq!(arrange((0..8).collect(), &sets, BUDGET), (0..8).collect::<Vec<u32>>());
    }
}

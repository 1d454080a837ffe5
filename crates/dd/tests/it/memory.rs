//! Memory: what is written into a block stays until it is given back, on whatever thread, and blocks are taken again.
#![allow(unsafe_code, reason = "an allocator is asked directly")]

use base::Random;
use dd::memory::{Memory, for_thread};
use std::alloc::{GlobalAlloc, Layout};
use std::collections::HashSet;

/// Sizes on both sides of the largest that is kept in lists.
const MOST: usize = 700;

/// A block in use: its address, its layout, and what all of its bytes are.
struct Used(usize, Layout, u8);

fn layout(random: &mut Random) -> Layout {
    let align = 1 << if random.index(20) == 0 { random.index(8) } else { random.index(5) };
    Layout::from_size_align(1 + random.index(MOST), align).expect("small enough")
}

fn take(random: &mut Random) -> Used {
    let (layout, byte) = (layout(random), random.below(256) as u8);
    let is_zeroed = random.index(2) == 0;
    // SAFETY: the layout is not empty, and the block is filled as far as it goes.
    let block = unsafe {
        let block = if is_zeroed { Memory.alloc_zeroed(layout) } else { Memory.alloc(layout) };
        assert!(!block.is_null() && block.addr().is_multiple_of(layout.align()), "{layout:?}");
        assert!(!is_zeroed || (0..layout.size()).all(|at| *block.add(at) == 0), "{layout:?}");
        block.write_bytes(byte, layout.size());
        block
    };
    Used(block.expose_provenance(), layout, byte)
}

fn address(used: &Used) -> *mut u8 {
    std::ptr::with_exposed_provenance_mut(used.0)
}

fn check(used: &Used, size: usize) {
    let block = address(used);
    // SAFETY: the block has this size.
    let is_whole = unsafe { (0..size).all(|at| *block.add(at) == used.2) };
    assert!(is_whole, "{:?} of {}", used.1, used.2);
}

fn resize(used: &mut Used, random: &mut Random) {
    let size = 1 + random.index(MOST);
    // SAFETY: the block is in use, and has this layout.
    let block = unsafe { Memory.realloc(address(used), used.1, size) };
    used.0 = block.expose_provenance();
    check(used, size.min(used.1.size()));
    used.1 = Layout::from_size_align(size, used.1.align()).expect("small enough");
    // SAFETY: it has the new size now.
    unsafe { block.write_bytes(used.2, size) };
}

fn give_back(used: Used) {
    check(&used, used.1.size());
    // SAFETY: the block is in use, has this layout, and is not looked at any more.
    unsafe { Memory.dealloc(address(&used), used.1) };
}

#[test]
fn blocks_in_use_never_overlap() {
    let (mut n_again, mut n_inherited) = (0, 0);
    let mut used: Vec<Used> = Vec::new();
    let mut given_back: HashSet<usize> = HashSet::new();
    for seed in 0..30 {
        let before = std::mem::take(&mut used);
        let work = for_thread(move || {
            let (mut random, mut used) = (Random::new(seed), before);
            let (mut taken, mut back) = (HashSet::new(), HashSet::new());
            for _ in 0..3000 {
                match random.index(100) {
                    0..46 => {
                        used.push(take(&mut random));
                        taken.insert(used[used.len() - 1].0);
                    }
                    46..60 if !used.is_empty() => {
                        let at = random.index(used.len());
                        resize(&mut used[at], &mut random);
                    }
                    _ if !used.is_empty() => {
                        let block = used.swap_remove(random.index(used.len()));
                        back.insert(block.0);
                        give_back(block);
                    }
                    _ => {}
                }
            }
            (used, taken, back)
        });
        let (rest, taken, back) = std::thread::spawn(work).join().expect("no block is damaged");
        n_again += taken.intersection(&back).count();
        n_inherited += taken.intersection(&given_back).count();
        given_back.extend(back);
        used = rest;
    }
    used.into_iter().for_each(give_back);
    assert!(n_again > 1000 && n_inherited > 200, "taken again {n_again}, from another thread {n_inherited}");
}

//! Small blocks of memory: what a thread gives back it gets again.
//!
//! Contract: a block that [`fits`] comes from a chunk of the system's memory, and goes to a list of the thread that gives it back, one for each
//! size. Threads touch nobody else's lists, so nothing is locked. Chunks are never returned. A thread that ends leaves its lists to the others
//! by [`hand_over`]; what it keeps is lost until the program ends.

#![allow(unsafe_code, reason = "blocks that nobody uses hold the lists themselves")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

/// Sizes are multiples of this, and so are addresses.
const STEP: usize = 16;

/// The largest block.
const LARGEST: usize = 512;

const N_SIZES: usize = LARGEST / STEP;

/// What is asked of the system at once.
const CHUNK: Layout = match Layout::from_size_align(1 << 16, STEP) {
    Ok(layout) => layout,
    Err(_) => panic!("a chunk is well-formed"),
};

/// A block that nobody uses: it says which is next.
struct Block {
    next: *mut Block,
}

/// What a thread keeps.
struct Lists {
    first: [Cell<*mut Block>; N_SIZES],
    /// The rest of the last chunk, and its size.
    rest: Cell<*mut u8>,
    left: Cell<usize>,
}

thread_local! {
    // Without a destructor, an allocator may use it at any time.
    static LISTS: Lists = const {
        Lists {
            first: [const { Cell::new(null_mut()) }; N_SIZES],
            rest: Cell::new(null_mut()),
            left: Cell::new(0),
        }
    };
}

/// What threads have left behind.
static LEFT_BEHIND: [AtomicPtr<Block>; N_SIZES] = [const { AtomicPtr::new(null_mut()) }; N_SIZES];

/// The block is one of those that are kept in lists. Its size and alignment alone decide.
#[inline]
pub(super) fn fits(layout: Layout) -> bool {
    layout.size() <= LARGEST && layout.align() <= STEP
}

/// The list for blocks of a size, which is not 0.
#[inline]
fn number(size: usize) -> usize {
    (size - 1) / STEP
}

/// Two sizes are those of the same list.
#[inline]
pub(super) fn are_alike(one: usize, other: usize) -> bool {
    number(one) == number(other)
}

/// A block; null if the system gives no more.
#[inline]
pub(super) fn take(size: usize) -> *mut u8 {
    LISTS.with(|lists| {
        let number = number(size);
        let block = lists.first[number].get();
        if block.is_null() {
            return lists.fresh(number);
        }
        // SAFETY: blocks in lists belong to this thread, and say which is next.
        lists.first[number].set(unsafe { (*block).next });
        block.cast()
    })
}

/// Takes a block back.
///
/// # Safety
/// It was taken with the same list, and nobody uses it.
#[inline]
pub(super) unsafe fn put(block: *mut u8, size: usize) {
    LISTS.with(|lists| lists.push(block.cast(), number(size)));
}

/// Leaves what this thread keeps to the others. It can go on, and begins anew.
pub(super) fn hand_over() {
    LISTS.with(|lists| {
        for (list, left) in lists.first.iter().zip(&LEFT_BEHIND) {
            let first = list.replace(null_mut());
            let mut last = first;
            // SAFETY: blocks in lists belong to this thread until the first is in `left`.
            unsafe {
                while !last.is_null() && !(*last).next.is_null() {
                    last = (*last).next;
                }
                while !last.is_null() {
                    let known = left.load(Ordering::Relaxed);
                    (*last).next = known;
                    if left.compare_exchange(known, first, Ordering::Release, Ordering::Relaxed).is_ok() {
                        break;
                    }
                }
            }
        }
    });
}

impl Lists {
    #[inline]
    fn push(&self, block: *mut Block, number: usize) {
        // SAFETY: nobody uses the block, and the smallest has room for an address.
        unsafe { (*block).next = self.first[number].get() };
        self.first[number].set(block);
    }

    /// A block for an empty list: cut from the chunk, left behind by a thread, or from a new chunk.
    #[cold]
    fn fresh(&self, number: usize) -> *mut u8 {
        let size = (number + 1) * STEP;
        if self.left.get() < size {
            let block = LEFT_BEHIND[number].swap(null_mut(), Ordering::Acquire);
            if !block.is_null() {
                // SAFETY: the whole list belongs to this thread now.
                self.first[number].set(unsafe { (*block).next });
                return block.cast();
            }
            // SAFETY: a chunk is not empty.
            let chunk = unsafe { System.alloc(CHUNK) };
            if chunk.is_null() {
                return chunk;
            }
            // What the old chunk has left is a block, too.
            if self.left.get() > 0 {
                self.push(self.rest.get().cast(), self::number(self.left.get()));
            }
            self.rest.set(chunk);
            self.left.set(CHUNK.size());
        }
        let block = self.rest.get();
        self.left.set(self.left.get() - size);
        self.rest.set(block.wrapping_add(size));
        block
    }
}

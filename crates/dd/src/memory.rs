//! The memory of a program: quick where blocks are small, and what happens when the system refuses more.
//!
//! Contract: [`Memory`] keeps small blocks in lists (`small`) and passes all other requests on to the system. A program that makes [`Memory`] its allocator is not aborted when an allocation fails on a thread that has called
//! [`wait_if_refused`]: the thread stops where it is, for good, and [`is_refused`] tells the others, who have a reserve to
//! say so. [`or_less`] is for code that can do with less memory than it asks for.

mod addresses;
mod small;

pub use addresses::{address_space, address_space_in};

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// So many bytes are kept for those who tell that there are no more.
const RESERVE: usize = 4 << 20;

static REFUSED: AtomicBool = AtomicBool::new(false);
static KEPT: Mutex<Vec<u8>> = Mutex::new(Vec::new());

thread_local! {
    /// This thread waits where memory is refused.
    static WAITS: Cell<bool> = const { Cell::new(false) };
}

/// The system's memory, watched, with lists of small blocks.
pub struct Memory;

/// From now on this thread stops for good where an allocation fails.
pub fn wait_if_refused() {
    if let Ok(mut kept) = KEPT.lock()
        && kept.capacity() == 0
    {
        // A system that refuses memory counts what was asked for, whether anything is written there or not.
        *kept = Vec::with_capacity(RESERVE);
    }
    WAITS.set(true);
}

/// Work for a thread that this one starts: where memory is refused it stops if this one does, and in the end its small blocks go to the others.
pub fn for_thread<T>(work: impl FnOnce() -> T) -> impl FnOnce() -> T {
    let waits = WAITS.get();
    move || {
        if waits {
            wait_if_refused();
        }
        let result = work();
        small::hand_over();
        result
    }
}

/// Some thread waits since it was refused memory.
pub fn is_refused() -> bool {
    REFUSED.load(Ordering::Acquire)
}

/// Does something that may fail for lack of memory and can go on without it.
pub fn or_less<T>(ask: impl FnOnce() -> T) -> T {
    let waits = WAITS.replace(false);
    let result = ask();
    WAITS.set(waits);
    result
}

/// Memory was refused to this thread. Returns if the thread does not wait.
#[cold]
fn refused() {
    if !WAITS.try_with(Cell::get).unwrap_or(false) {
        return;
    }
    // The lock is free: it is held only in `wait_if_refused`, before this thread waits for anything.
    if let Ok(mut kept) = KEPT.try_lock() {
        *kept = Vec::new();
    }
    REFUSED.store(true, Ordering::Release);
    loop {
        std::thread::sleep(Duration::from_secs(1));
    }
}

/// What an allocation returned, once it is known whether it was refused.
#[inline]
fn watched(block: *mut u8) -> *mut u8 {
    if block.is_null() {
        refused();
    }
    block
}

#[allow(unsafe_code, reason = "an allocator is unsafe by its trait")]
// SAFETY: whether a block is one of the lists or the system's is decided by its size and alignment, which are the same when it is asked for
// and when it is given back.
unsafe impl GlobalAlloc for Memory {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match small::fits(layout) {
            true => watched(small::take(layout.size())),
            // SAFETY: the caller keeps the contract of `alloc`, which is that of `System`.
            false => watched(unsafe { System.alloc(layout) }),
        }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if !small::fits(layout) {
            // SAFETY: as for `alloc`.
            return watched(unsafe { System.alloc_zeroed(layout) });
        }
        let block = watched(small::take(layout.size()));
        if !block.is_null() {
            // SAFETY: the block has this size, and it is nobody else's.
            unsafe { block.write_bytes(0, layout.size()) };
        }
        block
    }

    #[inline]
    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller promises that the size is one that a layout may have.
        let new = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        match (small::fits(layout), small::fits(new)) {
            (true, true) if small::are_alike(layout.size(), size) => old,
            // SAFETY: as for `alloc`.
            (false, false) => watched(unsafe { System.realloc(old, layout, size) }),
            _ => {
                // SAFETY: the new block is not the old one, and both have so many bytes.
                unsafe {
                    let block = self.alloc(new);
                    if !block.is_null() {
                        old.copy_to_nonoverlapping(block, layout.size().min(size));
                        self.dealloc(old, layout);
                    }
                    block
                }
            }
        }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        match small::fits(layout) {
            // SAFETY: the block was taken with this size, and nobody uses it any more.
            true => unsafe { small::put(block, layout.size()) },
            // SAFETY: as for `alloc`.
            false => unsafe { System.dealloc(block, layout) },
        }
    }
}

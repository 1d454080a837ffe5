//! What happens when the system refuses memory.
//!
//! Contract: a program that makes [`Memory`] its allocator is not aborted when an allocation fails on a thread that has called
//! [`wait_if_refused`]: the thread stops where it is, for good, and [`is_refused`] tells the others, who have a reserve to
//! say so. [`or_less`] is for code that can do with less memory than it asks for.

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

/// The system's memory, watched.
pub struct Memory;

/// From now on this thread stops for good where an allocation fails.
pub fn wait_if_refused() {
    if let Ok(mut kept) = KEPT.lock()
        && kept.is_empty()
    {
        *kept = vec![1; RESERVE];
    }
    WAITS.set(true);
}

/// This thread stops where an allocation fails. One that it starts should do the same, and has to say so itself.
pub fn waits() -> bool {
    WAITS.get()
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

#[allow(
    unsafe_code,
    reason = "an allocator is unsafe by its trait; this one passes everything on to the system's"
)]
// SAFETY: every request goes to `System` as it is, and its answer comes back as it is, or not at all.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc`, which is that of `System`.
        let pointer = unsafe { System.alloc(layout) };
        if pointer.is_null() {
            refused();
        }
        pointer
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as for `alloc`.
        let pointer = unsafe { System.alloc_zeroed(layout) };
        if pointer.is_null() {
            refused();
        }
        pointer
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as for `alloc`.
        let pointer = unsafe { System.realloc(old, layout, size) };
        if pointer.is_null() {
            refused();
        }
        pointer
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as for `alloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

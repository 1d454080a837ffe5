//! Programs with threads whose answers are known.
//!
//! Contract: a function of this module returns the text of a program whose label `ERROR` is the question. Its first lines
//! say what the program does; lines `// expect…: …, because …` give the answer and its reason. Without a bound the answer
//! is the one for every bound; otherwise the least bounds that suffice are named, and the greatest that do not.
//!
//! | program | parameters | `ERROR` is reached if | switches | rounds |
//! |---|---|---|---|---|
//! | `bluetooth` | 1 adder, 1 stopper | somebody works on a stopped device | never | never |
//! | | 1 adder, 2 or more stoppers | | 3 | 2 |
//! | | 2 or more adders, 1 stopper | | 4 | 3 |
//! | | 2 or more adders, 2 or more stoppers | | 3 | 2 |
//! | | `*` counts as 2 or more | | as above | as above |
//! | | any, correct | | never | never |
//! | `dekker`, `peterson` | correct | two threads are in the critical section | never | never |
//! | | broken | | 2 | 2 |
//! | `szymanski` | 1 thread; any number, correct | two threads are in the critical section | never | never |
//! | | 2 or more threads, broken | | 2 | 2 |
//! | `lock_free_stack` | 1 thread; any number, correct | a node that has an owner is popped | never | never |
//! | | 2 or more threads, broken | | 2 | 2 |
//! | `readers_writers` | 1 reader; any, correct | somebody is in the room besides a writer | never | never |
//! | | 2 or more readers, broken | | 2 | 2 |
//! | | the same, with `*` anywhere, broken | | 2 | 1 |
//! | `ticket_lock` | correct | somebody is inside whose number is not called | never | never |
//! | | broken | | 3 | 2 |
//! | `bounded_buffer` | correct | there is more in the buffer than fits | never | never |
//! | | broken | | 2 | 2 |
//! | `philosophers` | any | somebody eats without a fork | never | never |
//!
//! Switches and rounds are the least that suffice, rounds in the order of declaration; where some block has any number of
//! copies, in the best order, which makes the difference in the last line.

mod answer;
mod bluetooth;
mod bounded_buffer;
mod count;
mod dekker;
mod exclusion;
mod lock_free_stack;
mod peterson;
mod philosophers;
mod readers_writers;
mod szymanski;
mod ticket_lock;

pub use bluetooth::bluetooth;
pub use bounded_buffer::bounded_buffer;
pub use count::{Count, NoCount};
pub use dekker::dekker;
pub use lock_free_stack::lock_free_stack;
pub use peterson::peterson;
pub use philosophers::philosophers;
pub use readers_writers::readers_writers;
pub use szymanski::szymanski;
pub use ticket_lock::ticket_lock;

/// Whether the mistake that a program is known for is in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variant {
    /// Without the mistake: `ERROR` is unreachable.
    Correct,
    /// With the mistake: `ERROR` is reachable if there are threads enough.
    Broken,
}

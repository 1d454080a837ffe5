//! How many addresses the system grants to a process.
//!
//! Contract: where the system does not tell, there is no limit. Stacks and the memory of threads take addresses long before anybody writes there, so where they are
//! limited a thread costs more than what it uses.

use std::path::Path;
use std::sync::OnceLock;

/// The bytes of addresses that this process may use, if they are limited. It is asked once.
pub fn address_space() -> Option<u64> {
    static BYTES: OnceLock<Option<u64>> = OnceLock::new();
    *BYTES.get_or_init(|| address_space_in(Path::new("/")))
}

/// The same, from the files below a root.
pub fn address_space_in(root: &Path) -> Option<u64> {
    let text = std::fs::read_to_string(root.join("proc/self/limits")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

//! The names of the formula files that come with the library, for messages.

use checker::{ALGORITHMS, Programs};

/// The names of all algorithms.
pub fn names() -> String {
    ALGORITHMS.map(|algorithm| algorithm.name).join(", ")
}

/// The names of the algorithms for some programs, to choose from.
pub fn names_for(programs: Programs) -> String {
    let fits = |algorithm: &&checker::Algorithm| algorithm.programs == programs;
    let names: Vec<&str> = ALGORITHMS.iter().filter(fits).map(|algorithm| algorithm.name).collect();
    names.join(" or ")
}

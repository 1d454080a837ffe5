//! The benchmark systems: families of `.mu` texts, each with a size.
//!
//! A text begins with a comment that names it and lists the expected answers in order of output,
//! `// expect: true` or `// expect: 40320`; `// expect: ?` stands for an answer nobody has computed
//! otherwise. Apart from `#explicit` lines the texts keep to MUCKE's language.

mod permutation;

mod counter;
mod counter_alternating;
mod cube;
mod dme;
mod graph;
mod graph_pairs;
mod peterson;
mod pigeonhole;
mod program;
mod ring_puzzle;
mod scheduler;
mod token_ring;

#[cfg(test)]
mod tests;

/// A family of systems.
pub struct Family {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// The sizes of the default suite.
    pub sizes: &'static [usize],
    /// The text of a size; sizes below the smallest sensible one give the smallest.
    pub text: fn(usize) -> String,
}

/// All families, puzzles first, programs last.
pub const FAMILIES: &[Family] = &[
    Family {
        name: "ring-puzzle",
        about: "n beads on a ring, turned, swapped and reversed; all n! orders",
        sizes: &[6, 7],
        text: ring_puzzle::text,
    },
    Family {
        name: "cube",
        about: "corners of the 2x2x2 cube, n of its 6 faces turn",
        sizes: &[3, 6],
        text: cube::text,
    },
    Family {
        name: "token-ring",
        about: "mutual exclusion of n stations by a token",
        sizes: &[8, 16],
        text: token_ring::text,
    },
    Family {
        name: "dme",
        about: "distributed mutual exclusion circuit of n cells, gate by gate",
        sizes: &[4, 6],
        text: dme::text,
    },
    Family {
        name: "pigeonhole",
        about: "n pigeons in n-1 holes, a closed formula",
        sizes: &[6, 8],
        text: pigeonhole::text,
    },
    Family {
        name: "scheduler",
        about: "Milner's scheduler of n cyclers",
        sizes: &[8, 16],
        text: scheduler::text,
    },
    Family { name: "counter", about: "n-bit counter, 2^n rounds", sizes: &[10, 13], text: counter::text },
    Family {
        name: "counter-alternating",
        about: "n-bit counter that is zero infinitely often, mu inside nu",
        sizes: &[8, 11],
        text: counter_alternating::text,
    },
    Family {
        name: "peterson",
        about: "Peterson's filter lock for n processes",
        sizes: &[3, 4],
        text: peterson::text,
    },
    Family {
        name: "graph",
        about: "reachability in a sparse graph of n explicit nodes with data bits",
        sizes: &[1_000, 20_000],
        text: graph::text,
    },
    Family {
        name: "graph-pairs",
        about: "transitive closure of a sparse graph of n explicit nodes",
        sizes: &[50, 200],
        text: graph_pairs::text,
    },
    Family {
        name: "program",
        about: "summaries of a recursive program of n modules",
        sizes: &[10, 100],
        text: program::text,
    },
];

/// The family of a name.
pub fn find(name: &str) -> Option<&'static Family> {
    FAMILIES.iter().find(|family| family.name == name)
}

/// A file: title, expected answers, body.
fn file(title: &str, expected: &[String], body: &str) -> String {
    let mut text = format!("// {title}\n");
    for answer in expected {
        text.push_str(&format!("// expect: {answer}\n"));
    }
    text.push('\n');
    text.push_str(body);
    text
}

/// The expected answer for a count that may be unknown.
fn count(known: Option<usize>) -> String {
    known.map_or("?".to_owned(), |count| count.to_string())
}

/// The parts that `part` gives for 0, 1, … below `n`, joined.
fn each(n: usize, separator: &str, part: impl FnMut(usize) -> String) -> String {
    (0..n).map(part).collect::<Vec<_>>().join(separator)
}

/// `s.NAME[j] = t.NAME[j]` for every position but those in `moving`; `true` if none is left.
fn frame(n: usize, name: &str, moving: &[usize]) -> String {
    let kept: Vec<String> =
        (0..n).filter(|j| !moving.contains(j)).map(|j| format!("t.{name}[{j}] = s.{name}[{j}]")).collect();
    if kept.is_empty() { "true".to_owned() } else { kept.join(" & ") }
}

/// Pairwise exclusion: no two of the `n` conditions hold.
fn exclusive(n: usize, condition: impl Fn(usize) -> String) -> String {
    let mut pairs = Vec::new();
    for i in 0..n {
        for j in i + 1..n {
            pairs.push(format!("!({} & {})", condition(i), condition(j)));
        }
    }
    pairs.join(" &\n  ")
}

/// The forward search every transition system here ends with.
const REACHABLE: &str = "\
mu bool Reachable(State s)
  Start(s) |
  (exists State r. Reachable(r) & Trans(r, s));

#ons Reachable;
";

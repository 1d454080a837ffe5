//! The front end accepts whatever is generated.

use generate::random::{self, ConcurrentShape, Shape, Threads};
use generate::{FAMILIES, Options, family};

#[track_caller]
fn check_accepted(name: &str, text: &str) {
    let mut sources = base::Sources::default();
    if let Err(diagnostics) = bp::load(&mut sources, name, text) {
        let messages: String =
            diagnostics.iter().map(|diagnostic| base::render(&sources, diagnostic)).collect();
        panic!("{messages}");
    }
}

#[test]
fn every_family_is_accepted_in_every_variant() {
    for one in FAMILIES {
        for n in [one.range.0, 10.min(one.range.1)] {
            let plain = Options::default();
            check_accepted(one.name, &family(one.name, n, &plain).expect("a program"));
            for &option in one.options {
                let mut options = plain.clone();
                match option {
                    "fixed" => options.fixed = true,
                    "reachable" => options.reachable = true,
                    "globals" => options.globals = 5,
                    _ => panic!("nobody knows the option `{option}`"),
                }
                check_accepted(one.name, &family(one.name, n, &options).expect("a program"));
            }
        }
    }
}

#[test]
fn random_programs_are_accepted() {
    for seed in 0..300 {
        let name = format!("seed {seed}");
        check_accepted(&name, &random::program(seed, &Shape::small()));
        check_accepted(&name, &random::program(seed, &Shape::medium()));
    }
}

#[test]
fn random_programs_with_threads_are_accepted() {
    for threads in [Threads::Fixed, Threads::Parameterised, Threads::Started] {
        for seed in 0..300 {
            let name = format!("{threads:?}, seed {seed}");
            check_accepted(&name, &random::concurrent(seed, &ConcurrentShape::small(threads)));
        }
    }
}

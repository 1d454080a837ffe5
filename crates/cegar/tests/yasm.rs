//! The programs of YASM 2008 with the paper's predicates.

use abstraction::{Cache, Predicates};
use base::{Gauge, Sources, Stop};
use c::Options;
use cegar::Analysis;
use checker::Limits;
use integers::compose::compose;
use integers::ghosts::Ghosted;
use integers::{Expr, FunctionId, Place, Relation};
use smt::{Pipe, Solver};
use std::sync::Arc;

fn limits() -> Limits {
    Limits {
        memory: None,
        stop: Stop::default(),
        gauge: Arc::new(Gauge::default()),
        clock: || std::time::Duration::ZERO,
    }
}

struct Asked {
    ghosted: Ghosted,
    predicates: Predicates,
    cache: Cache,
    solver: Pipe,
}

impl Asked {
    fn new(text: &str) -> Self {
        let mut sources = Sources::default();
        let file = sources.add("test.c", text);
        let options = Options::default();
        let program = c::translate(&sources, file, &options).expect("the program is right").program;
        let ghosted = Ghosted::new(&compose(&program).program);
        let predicates = Predicates::new(&ghosted);
        let program = smt::find(None).expect("there is a solver");
        Self { ghosted, predicates, cache: Cache::default(), solver: Pipe::new(&program, Stop::default()) }
    }

    /// `left relation right`, over names or numbers.
    fn with(mut self, function: &str, left: &str, relation: Relation, right: &str) -> Self {
        let program = &self.ghosted.program;
        let f = program.functions.iter().position(|f| f.name == function).expect("a function");
        let term = |name: &str| {
            if let Ok(number) = name.parse() {
                return Expr::constant(number);
            }
            let local = program.functions[f].locals.iter().position(|local| local.name == name);
            let global = program.globals.iter().position(|global| global.variable.name == name);
            Expr::read(match (local, global) {
                (Some(n), _) => Place::Local(n as u32),
                (_, Some(n)) => Place::Global(n as u32),
                _ => panic!("{name} is no variable"),
            })
        };
        let formula = term(left).compare(relation, term(right));
        self.predicates.add(&self.ghosted, FunctionId::new(f), &formula);
        self
    }

    fn analysis(&mut self) -> Analysis {
        Analysis::new(&self.ghosted, &self.predicates, true, &mut self.cache, &mut self.solver)
    }
}

#[test]
fn ack_runs_for_ever() {
    let mut asked = Asked::new(include_str!("programs/ack.c"))
        .with("ack", "x", Relation::Greater, "0")
        .with("ack", "y", Relation::Greater, "0")
        .with("ack", "n", Relation::Greater, "0")
        .with("main", "mx", Relation::Greater, "0")
        .with("main", "my", Relation::Greater, "0");
    eprintln!("{}", integers::show(&asked.ghosted.program));
    let analysis = asked.analysis();
    eprintln!("{}", rsm::show(&analysis.abstraction.rsm));
    eprintln!("{:#?}", analysis.abstraction.game);
    let (infinite, _) = analysis.runs_for_ever(&limits()).unwrap();
    assert!(infinite);
    eprintln!("{:?} {}", analysis.abstraction.statistics, asked.solver.n_asked());
}

fn levels(n: usize, innermost: &str) -> String {
    let mut text = String::from("extern int nondet(void);\nint g;\n");
    for i in 1..=n {
        text += &format!("void level_{i}(void);\n");
    }
    for i in 1..=n {
        let inner = if i == n {
            innermost.replace("SELF", &format!("level_{n}"))
        } else {
            format!("level_{0}(); g = -1 * g; level_{0}();", i + 1)
        };
        text += &format!(
            "void level_{i}(void) {{ int t = 0; g = -1 * g; if (g <= 0) {{ t = t + 1; }} else {{ {inner} }} g = -1 * g; }}\n"
        );
    }
    text + "void main(void) { g = nondet(); level_1(); if (g < 0) { ERROR: ; } END: ; }\n"
}

#[test]
fn levels_of_calls() {
    for (n, inner, may, must, infinite) in [
        (4, "g = -1 * g;", true, true, false),
        (5, "g = -1 * g;", false, false, false),
        (4, "SELF(); g = -1 * g; SELF();", false, false, true),
        (500, "g = -1 * g;", true, true, false),
        (500, "SELF(); g = -1 * g; SELF();", false, false, true),
    ] {
        let mut asked = Asked::new(&levels(n, inner)).with("main", "g", Relation::Less, "0").with(
            "main",
            "g",
            Relation::LessEqual,
            "0",
        );
        let start = std::time::Instant::now();
        let analysis = asked.analysis();
        eprintln!("{n} {inner}: {:?} {:?}", analysis.abstraction.statistics, start.elapsed());
        let limits = limits();
        let (reached, _) = analysis.may_reach(&limits).unwrap();
        eprintln!("may {:?}", start.elapsed());
        let must_reached = analysis.must_reach(&limits).unwrap();
        eprintln!("must {:?}", start.elapsed());
        let (for_ever, _) = analysis.runs_for_ever(&limits).unwrap();
        eprintln!("ever {:?}", start.elapsed());
        assert_eq!((reached, must_reached, for_ever), (may, must, infinite), "{n} {inner}");
    }
}

//! Broken texts: no panic, no endless loop, never a rejection without a reason, and what is accepted prints and means
//! the same. A failure names its seed; `SEED=n cargo test fuzz` repeats one.

use base::Random;
use base::{Sources, render};

const PROGRAM: &str = "
    decl a, b, {x>0}; decl n: int<3>, c: enum { red, green }; init a & n = 1; // one
    <bool, int<3>> f(p, q: int<3>) begin decl l, c: enum {red, dark}; enforce p | n != 2; /* two */
      L: M: if (p) then l := T elsif c = dark then return; else while * do n := n + 1; N: od; fi
      a, _ := schoose[a, b], * constrain a' => 'b; return l ? p : F, q - 1 * 2;
    end
    void main() begin decl r: int<3>; K: a, r := f(!a ^ b, r); call f(*, 3); goto K, H;
      atomic begin H: assert(a <=> b); assume n >= 2; constrain {x>0}; dead a, r; end
      print(a, red, 300); atomic_begin; atomic_end; skip; return;
    end
";

const THREADS: &str = "
    decl g; thread p[2] begin decl x; init x; bool h(y) begin return !y; end
      void main() begin x := h(g); L: atomic begin x := h(x); end goto L; end_thread; end end
    thread q[*] begin decl x: int<2>; init g; void main() begin atomic_begin; dead x; atomic_end; end end
";

const RUN_TIME: &str = "
    decl g, h; void f(a, n: int<2>) begin decl b; K: b := a; atomic begin e(); end atomic_begin; g := b; atomic_end; end
    void e() begin enforce g | h; if g then end_thread; fi ASYNC_1: f(g, 2); end
    void main() begin decl x; start_thread f(x, 1); M: e(); start_thread goto M; atomic begin e(); h := x; end end
";

const MONITOR: &str = "
    monitor m begin initial state s: on at(L) & !at(main:K) goto t; on call(f) | ret(f) | in(main) goto s;
    target state t: on f.p = (n > 2) ? T : main.r = 1 goto s; on T goto t; end
";

/// Words and marks, with blanks between those that would join.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let length = match rest.find(|c: char| !is_word(c)) {
            Some(0) => first.len_utf8(),
            Some(end) => end,
            None => rest.len(),
        };
        pieces.push(&rest[..length]);
        rest = &rest[length..];
    }
    pieces
}

/// A text with some pieces removed, doubled, exchanged or replaced.
fn mutate(text: &str, random: &mut Random) -> String {
    const STRANGE: [&str; 14] = [
        "/*",
        "*/",
        "//",
        "{",
        "}",
        "'",
        "\"",
        "é",
        "\0",
        "99999999999999999999",
        "sync",
        "x$",
        "int<65>",
        "\r",
    ];
    let mut pieces = pieces(text);
    for _ in 0..=random.below(6) {
        let at = random.index(pieces.len());
        match random.below(6) {
            0 if pieces.len() > 1 => drop(pieces.remove(at)),
            1 => pieces.insert(at, pieces[at]),
            2 => {
                let other = random.index(pieces.len());
                pieces.swap(at, other);
            }
            3 => {
                let other = random.index(pieces.len());
                pieces[at] = pieces[other];
            }
            4 => pieces.insert(at, *random.pick(&STRANGE)),
            _ => pieces.truncate(at.max(1)),
        }
    }
    pieces.concat()
}

/// Runs every stage; all that is asked is a coherent answer.
fn survive(text: &str) {
    let mut sources = Sources::default();
    let file = sources.add("fuzz.bp", text);
    let (program, diagnostics) = bp::parse(&sources, file);
    diagnostics.iter().for_each(|diagnostic| assert!(!render(&sources, diagnostic).is_empty()));
    let printed = bp::print(&program);
    if !diagnostics.is_empty() {
        return;
    }
    let mut again = Sources::default();
    let file = again.add("printed.bp", printed.as_str());
    let (parsed, problems) = bp::parse(&again, file);
    assert_eq!(crate::harness::lines(&again, &problems), [""; 0], "{printed}");
    assert_eq!(bp::print(&parsed), printed, "the canonical text is its own canonical text");
    match bp::check(program) {
        Ok((program, _)) => {
            let (parsed, _) = bp::check(parsed).expect("the canonical text is as correct as the original");
            let lowered = bp::lower(&program).map(|machine| describe(&machine));
            let expected = bp::lower(&parsed).map(|machine| describe(&machine));
            assert_eq!(lowered.ok(), expected.ok(), "the canonical text means the same");
            survive_threads(&program, &parsed);
        }
        Err(diagnostics) => {
            assert!(!diagnostics.is_empty());
            diagnostics.iter().for_each(|diagnostic| assert!(!render(&sources, diagnostic).is_empty()));
        }
    }
}

/// The same for lowering with threads.
fn survive_threads(program: &bp::Checked, printed: &bp::Checked) {
    for (slots, async_labels) in [(0, false), (2, true)] {
        let options = bp::ThreadOptions { slots, async_labels };
        match (bp::lower_threads(program, options), bp::lower_threads(printed, options)) {
            (Ok(lowered), Ok(expected)) => {
                crate::harness::assert_coherent(&lowered);
                assert_eq!(
                    crate::harness::describe_threads(&lowered),
                    crate::harness::describe_threads(&expected)
                );
            }
            (Err(diagnostics), Err(_)) => assert!(!diagnostics.is_empty()),
            _ => panic!("the canonical text means the same"),
        }
    }
}

/// The actions and shapes of a machine, without places in the text.
fn describe(machine: &rsm::Rsm) -> Vec<String> {
    let edges = machine.modules.iter().flat_map(|module| &module.edges);
    edges.map(|edge| format!("{:?} {:?} {:?}", edge.from, edge.action, edge.to)).collect()
}

fn seeds() -> std::ops::Range<u64> {
    match std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()) {
        Some(seed) => seed..seed + 1,
        None => 0..3000,
    }
}

/// Says which seed is running if the test panics.
struct Named(u64);

impl Drop for Named {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the seed was {}", self.0);
        }
    }
}

#[test]
fn broken_programs_are_survived() {
    for seed in seeds() {
        let _named = Named(seed);
        let mut random = Random::new(seed);
        let text = [THREADS, PROGRAM, RUN_TIME][(seed % 3) as usize];
        survive(&mutate(text, &mut random));
    }
}

#[test]
fn broken_monitors_are_survived() {
    let program = crate::harness::correct(PROGRAM);
    for seed in seeds() {
        let _named = Named(seed);
        let mut random = Random::new(seed);
        let mut sources = Sources::default();
        match bp::monitor::parse(&mut sources, "fuzz.mon", mutate(MONITOR, &mut random), &program) {
            Ok(monitor) => assert!(monitor.states.iter().any(|state| state.is_initial)),
            Err(diagnostics) => {
                assert!(!diagnostics.is_empty());
                diagnostics.iter().for_each(|diagnostic| assert!(!render(&sources, diagnostic).is_empty()));
            }
        }
    }
}

#[test]
fn the_texts_are_correct_before_they_are_broken() {
    survive(PROGRAM);
    survive(THREADS);
    survive(RUN_TIME);
    for text in [THREADS, RUN_TIME] {
        let options = bp::ThreadOptions { slots: 1, async_labels: true };
        assert!(bp::lower_threads(&crate::harness::correct(text), options).is_ok());
    }
    assert_eq!(crate::harness::complaints(PROGRAM), [""; 0]);
    let program = crate::harness::correct(PROGRAM);
    let mut sources = Sources::default();
    assert!(bp::monitor::parse(&mut sources, "fuzz.mon", MONITOR, &program).is_ok());
}

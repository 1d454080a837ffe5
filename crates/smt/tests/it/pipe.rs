//! Answers of a real solver, against enumeration.

use base::{Random, Stop};
use generate::random::seeds;
use smt::{Answer, Assumption, Cubes, Model, Pipe, Query, Settings, Solver, Why};

fn solver() -> Pipe {
    let program = smt::find(None).unwrap_or_else(|missing| panic!("{missing}"));
    Pipe::new(&program, Stop::default())
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

fn query(variables: &[&str], asserts: &[&str], atoms: &[&str]) -> Query {
    Query { variables: texts(variables), asserts: texts(asserts), atoms: texts(atoms) }
}

fn assume(literals: &[(usize, bool)]) -> Vec<Assumption> {
    literals.iter().map(|&(atom, holds)| Assumption { atom, holds }).collect()
}

#[test]
fn a_batch_is_answered_in_order() {
    let mut solver = solver();
    let query = query(&["x", "y"], &["(< x y)"], &["(> x 5)", "(< y 3)"]);
    let lists = [
        assume(&[(0, true), (1, true)]),
        assume(&[(0, true)]),
        assume(&[]),
        assume(&[(0, false), (1, true)]),
    ];
    assert_eq!(solver.check(&query, &lists), [Answer::Unsat, Answer::Sat, Answer::Sat, Answer::Sat]);
    assert_eq!(solver.check(&query, &[]), []);
    assert_eq!((solver.n_asked(), solver.n_started()), (4, 1));
}

#[test]
fn a_query_knows_nothing_of_the_one_before() {
    let mut solver = solver();
    let first = query(&["x"], &["(> x 5)"], &["(= x 7)"]);
    assert_eq!(solver.check(&first, &[assume(&[(0, true)])]), [Answer::Sat]);
    let second = query(&["x", "z"], &["(< x 5)"], &["(= x z)"]);
    assert_eq!(solver.check(&second, &[assume(&[(0, true)])]), [Answer::Sat]);
    assert_eq!(solver.cubes(&second, 10), Cubes::All(vec![vec![false], vec![true]]));
    assert_eq!(solver.check(&second, &[assume(&[(0, true)])]), [Answer::Sat]);
    assert_eq!(solver.check(&first, &[assume(&[])]), [Answer::Sat]);
}

#[test]
fn numbers_of_any_sign_and_size() {
    let mut solver = solver();
    let least = "(- 170141183460469231731687303715884105728)";
    let query = query(&["x", "|a b|"], &["(= x (- 5))", &format!("(= |a b| {least})")], &[]);
    assert_eq!(solver.model(&query, &texts(&["x", "(* x x)", "|a b|"])), Model::Sat(vec![-5, 25, i128::MIN]));
    assert_eq!(solver.model(&query, &texts(&["(- |a b| 1)"])), Model::Unknown(Why::GaveUp));
    assert_eq!(solver.model(&query, &[]), Model::Sat(Vec::new()));
    let never = Query { asserts: texts(&["(> x 0)", "(< x 0)"]), ..query };
    assert_eq!(solver.model(&never, &texts(&["x"])), Model::Unsat);
}

#[test]
fn cubes_are_capped() {
    let mut solver = solver();
    let query = query(&["x"], &[], &["(> x 0)", "(> x 1)", "(> x 2)"]);
    assert_eq!(solver.cubes(&query, 3), Cubes::TooMany);
    let Cubes::All(cubes) = solver.cubes(&query, 4) else { panic!("there are four") };
    assert_eq!(cubes.len(), 4);
    assert_eq!(solver.cubes(&Query { atoms: Vec::new(), ..query }, 4), Cubes::All(vec![Vec::new()]));
}

#[test]
fn a_question_that_is_too_hard_is_given_up() {
    let program = smt::find(None).unwrap_or_else(|missing| panic!("{missing}"));
    let settings = Settings { effort: 10_000, ..Settings::default() };
    let mut solver = Pipe::with(&program, Stop::default(), settings);
    let cubic = "(= (+ (* x x x) (* y y y) (* z z z)) 42)";
    let hard = query(&["x", "y", "z"], &[cubic, "(> x 1000)", "(< y (- 1000))"], &["(> x y)"]);
    assert_eq!(solver.check(&hard, &[assume(&[(0, true)])]), [Answer::Unknown(Why::GaveUp)]);
    assert_eq!(solver.cubes(&hard, 10), Cubes::Unknown(Why::GaveUp));
    let easy = query(&["x"], &["(> x 0)"], &[]);
    assert_eq!(solver.check(&easy, &[assume(&[])]), [Answer::Sat]);
}

#[test]
fn a_batch_larger_than_any_pipe_is_answered() {
    let mut solver = solver();
    let query = query(&["x"], &[], &["(> x 0)", "(< x 0)"]);
    let list = [assume(&[(0, true), (1, true)]), assume(&[(1, true)])];
    let lists: Vec<Vec<Assumption>> = (0..20_000).map(|n| list[n % 2].clone()).collect();
    let answers = solver.check(&query, &lists);
    let expected = [Answer::Unsat, Answer::Sat];
    assert!(answers.iter().enumerate().all(|(n, answer)| *answer == expected[n % 2]));
    assert_eq!(answers.len(), lists.len());
}

/// A comparison of a linear term with a constant, and what it says about two numbers.
struct Atom {
    text: String,
    of: [i64; 3],
    relation: usize,
}

fn random_atom(random: &mut Random) -> Atom {
    let mut number = |width: u64| random.below(2 * width + 1) as i64 - width as i64;
    let of = [number(2), number(2), number(3)];
    let relation = random.below(3) as usize;
    let smt = |n: i64| if n < 0 { format!("(- {})", -n) } else { n.to_string() };
    let word = ["<=", "=", "<"][relation];
    let text = format!("({word} (+ (* {} x) (* {} y)) {})", smt(of[0]), smt(of[1]), smt(of[2]));
    Atom { text, of, relation }
}

impl Atom {
    fn holds(&self, x: i64, y: i64) -> bool {
        let left = self.of[0] * x + self.of[1] * y;
        [left <= self.of[2], left == self.of[2], left < self.of[2]][self.relation]
    }
}

#[test]
fn cubes_are_those_that_enumeration_finds() {
    let mut solver = solver();
    let (mut n_cubes, mut n_missing) = (0, 0);
    for seed in seeds(0..40) {
        let mut random = Random::new(seed);
        let atoms: Vec<Atom> = (0..1 + random.below(5)).map(|_| random_atom(&mut random)).collect();
        let asserts = texts(&["(<= (- 3) x 3)", "(<= (- 3) y 3)"]);
        let atom_texts = atoms.iter().map(|atom| atom.text.clone()).collect();
        let query = Query { variables: texts(&["x", "y"]), asserts, atoms: atom_texts };
        let mut expected: Vec<Vec<bool>> = Vec::new();
        for (x, y) in (-3..=3).flat_map(|x| (-3..=3).map(move |y| (x, y))) {
            expected.push(atoms.iter().map(|atom| atom.holds(x, y)).collect());
        }
        expected.sort_unstable();
        expected.dedup();
        n_cubes += expected.len();
        n_missing += (1 << atoms.len()) - expected.len();
        // Each cube is also one question whether it can be satisfied.
        let all: Vec<Vec<bool>> = (0..1u32 << atoms.len())
            .map(|bits| (0..atoms.len()).map(|n| bits >> n & 1 == 1).collect())
            .collect();
        let lists: Vec<Vec<Assumption>> =
            all.iter().map(|cube| assume(&cube.iter().copied().enumerate().collect::<Vec<_>>())).collect();
        for (cube, answer) in all.iter().zip(solver.check(&query, &lists)) {
            let is_there = expected.binary_search(cube).is_ok();
            assert_eq!(
                answer,
                if is_there { Answer::Sat } else { Answer::Unsat },
                "GETAFIX_SEED={seed}: {query:?} {cube:?}"
            );
        }
        assert_eq!(solver.cubes(&query, 32), Cubes::All(expected), "GETAFIX_SEED={seed}: {query:?}");
    }
    assert!(n_cubes > 0 && n_missing > 0, "{n_cubes} cubes, {n_missing} that are none");
}

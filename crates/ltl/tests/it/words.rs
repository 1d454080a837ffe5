//! Random formulas on random words that repeat themselves, against the definition.

use base::{FileId, Span};
use generate::dice::Dice;
use generate::random::seeds;
use ltl::{Automaton, Formula, FormulaId, Node, translate};

/// A word: letters, each with a truth value for each proposition; behind the last comes the letter at `back` again.
struct Word {
    letters: Vec<Vec<bool>>,
    back: usize,
}

impl Word {
    fn next(&self, at: usize) -> usize {
        if at + 1 < self.letters.len() { at + 1 } else { self.back }
    }
}

fn random_formula(dice: &mut Dice, n_propositions: u32) -> Formula {
    let mut nodes: Vec<Node> = (0..n_propositions).map(Node::Proposition).collect();
    nodes.push(Node::Constant(dice.chance(50)));
    for _ in 0..1 + dice.below(9) {
        let n = nodes.len();
        // Later nodes are used more often, so that formulas are deep.
        let mut pick = || FormulaId::new(dice.below(n).max(dice.below(n)));
        let (a, b) = (pick(), pick());
        nodes.push(match dice.below(9) {
            0 => Node::Not(a),
            1 | 2 => Node::And(a, b),
            3 => Node::Or(a, b),
            4 => Node::Next(a),
            5 | 6 => Node::Until(a, b),
            _ => Node::Release(a, b),
        });
    }
    Formula { nodes, propositions: vec![Span::new(FileId(0), 0..0); n_propositions as usize] }
}

fn random_word(dice: &mut Dice, n_propositions: u32) -> Word {
    let n = 1 + dice.below(6);
    let letters = (0..n).map(|_| (0..n_propositions).map(|_| dice.chance(50)).collect()).collect();
    Word { letters, back: dice.below(n) }
}

/// The definition: for each letter of the word whether the formula holds there.
fn holds(formula: &Formula, word: &Word) -> Vec<bool> {
    let n = word.letters.len();
    let mut values: Vec<Vec<bool>> = Vec::new();
    for node in &formula.nodes {
        let of = |id: &FormulaId| &values[id.index()];
        let each = |holds: &dyn Fn(usize) -> bool| (0..n).map(holds).collect::<Vec<bool>>();
        values.push(match node {
            Node::Constant(value) => vec![*value; n],
            Node::Proposition(p) => each(&|at| word.letters[at][*p as usize]),
            Node::Not(a) => each(&|at| !of(a)[at]),
            Node::And(a, b) => each(&|at| of(a)[at] && of(b)[at]),
            Node::Or(a, b) => each(&|at| of(a)[at] || of(b)[at]),
            Node::Next(a) => each(&|at| of(a)[word.next(at)]),
            // Every letter from here on has been seen after as many steps as there are letters.
            Node::Until(a, b) => each(&|start| {
                let mut at = start;
                for _ in 0..=n {
                    if of(b)[at] {
                        return true;
                    }
                    if !of(a)[at] {
                        return false;
                    }
                    at = word.next(at);
                }
                false
            }),
            Node::Release(a, b) => each(&|start| {
                let mut at = start;
                for _ in 0..=n {
                    if !of(b)[at] {
                        return false;
                    }
                    if of(a)[at] {
                        return true;
                    }
                    at = word.next(at);
                }
                true
            }),
        });
    }
    values.pop().expect("a formula has nodes")
}

/// The automaton accepts the word: some target can be reached, and from there reached again.
fn accepts(automaton: &Automaton, word: &Word) -> bool {
    let successors = |(at, state): (usize, usize)| {
        let edges = automaton.states[state].edges.iter();
        let fits = move |literals: &Vec<ltl::Literal>| {
            literals.iter().all(|literal| word.letters[at][literal.proposition as usize] == literal.value)
        };
        edges.filter(move |(literals, _)| fits(literals)).map(move |(_, to)| (word.next(at), *to))
    };
    let reached = |starts: Vec<(usize, usize)>| {
        let mut seen = std::collections::HashSet::new();
        let mut todo = starts;
        while let Some(pair) = todo.pop() {
            if seen.insert(pair) {
                todo.extend(successors(pair));
            }
        }
        seen
    };
    let all = reached(vec![(0, 0)]);
    let targets = all.into_iter().filter(|(_, state)| automaton.states[*state].is_target);
    targets.into_iter().any(|pair| reached(successors(pair).collect()).contains(&pair))
}

#[test]
fn automata_accept_the_words_that_satisfy_the_formula() {
    let (mut n_accepted, mut n_refused, mut n_states) = (0, 0, 0);
    for seed in seeds(0..1500) {
        let mut dice = Dice::new(seed);
        let formula = random_formula(&mut dice, 3);
        let automaton = translate(&formula).expect("the formula is small");
        n_states += automaton.states.len();
        for _ in 0..10 {
            let word = random_word(&mut dice, 3);
            let expected = holds(&formula, &word)[0];
            assert_eq!(accepts(&automaton, &word), expected, "seed {seed} {formula:?} {:?}", word.letters);
            *(if expected { &mut n_accepted } else { &mut n_refused }) += 1;
        }
    }
    let enough = n_accepted > 2000 && n_refused > 2000 && n_states < 1500 * 8;
    assert!(enough || testing::is_chosen(), "{n_accepted} {n_refused} {n_states}");
}

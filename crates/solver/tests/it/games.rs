//! Random games: derivations with choices are winning strategies. Whoever is explained to win has one move where it moves, and an answer to
//! every move of the other; no play of a reachability game goes round, and none leaves a lost safety game before the goal.
//!
//! `GETAFIX_SEED=17` selects a seed; a failure prints the seed and the text.

use crate::common::{load, settings};
use base::{Random, Stop};
use calculus::naive::Naive;
use calculus::system::{Action, System};
use solver::{Explanation, Premise, Settings, Solver};
use std::fmt::Write;

/// A game on a graph: whose turn it is at each node, where it may go on, and what the first player wants to reach.
struct Game {
    is_first: Vec<bool>,
    is_goal: Vec<bool>,
    edges: Vec<Vec<usize>>,
}

impl Game {
    fn random(random: &mut Random) -> Self {
        let n = 3 + random.below(6) as usize;
        let edges = (0..n).map(|_| {
            let mut to: Vec<usize> = (0..random.below(4)).map(|_| random.below(n as u64) as usize).collect();
            to.sort_unstable();
            to.dedup();
            to
        });
        Self {
            edges: edges.collect(),
            is_first: (0..n).map(|_| random.chance(50)).collect(),
            is_goal: (0..n).map(|_| random.chance(20)).collect(),
        }
    }

    /// The nodes from which the first player gets to the goal.
    fn won(&self) -> Vec<bool> {
        let mut won = self.is_goal.clone();
        loop {
            let mut next = won.clone();
            for (node, to) in self.edges.iter().enumerate() {
                let wins = match self.is_first[node] {
                    true => to.iter().any(|to| won[*to]),
                    false => !to.is_empty() && to.iter().all(|to| won[*to]),
                };
                next[node] |= wins;
            }
            if next == won {
                return won;
            }
            won = next;
        }
    }

    /// The game as a system; `Wins` is what the first player wins, `Holds` what the second one does.
    fn text(&self, explicit: &str) -> String {
        let set = |is_in: &[bool]| {
            let nodes = is_in.iter().enumerate().filter(|(_, is_in)| **is_in);
            nodes.fold("false".to_owned(), |text, (node, _)| format!("{text} | s = {node}"))
        };
        let mut edges = "false".to_owned();
        for (from, to) in self.edges.iter().enumerate() {
            to.iter().for_each(|to| write!(edges, " | (s = {from} & v = {to})").expect("a string"));
        }
        format!(
            "enum Node {{ 0..{} }};\n{explicit}\nbool Edge(Node s, Node v) {edges};\nbool First(Node s) {};\nbool Goal(Node s) {};\n\
             mu bool Wins(Node s)\n    Goal(s)\n  | (First(s) & (exists Node v. Edge(s, v) & Wins(v)))\n  \
             | (!First(s) & (exists Node v. Edge(s, v)) & (forall Node v. Edge(s, v) -> Wins(v)));\n\
             nu bool Holds(Node s)\n    !Goal(s)\n  & (First(s) -> (forall Node v. Edge(s, v) -> Holds(v)))\n  \
             & (First(s) | !(exists Node v. Edge(s, v)) | (exists Node v. Edge(s, v) & Holds(v)));\n\
             Wins(0);\nHolds(0);\n",
            self.edges.len() - 1,
            set(&self.is_first),
            set(&self.is_goal),
        )
    }
}

#[derive(Default, Debug)]
struct Tally {
    won: u64,
    lost: u64,
    held: u64,
    choices: u64,
}

/// The nodes that a step about a node leads to: by its own premises, and by choices.
fn moves(system: &System, derivation: &Explanation, step: usize, name: &str) -> (Vec<usize>, Vec<usize>) {
    let node = |premise: &Premise| match premise {
        Premise::Step(to) | Premise::Again(to) => {
            let to = &derivation.steps[*to];
            (system.relation(to.relation).name == name).then_some(to.tuple[0] as usize)
        }
        Premise::Fact(_) => None,
    };
    let (mut own, mut chosen) = (Vec::new(), Vec::new());
    for premise in &derivation.steps[step].premises {
        own.extend(node(premise));
        if let Premise::Fact(fact) = premise {
            assert!(!fact.is_cut);
            chosen.extend(fact.choices.iter().flat_map(|choice| choice.premises.iter().filter_map(node)));
        }
    }
    (own, chosen)
}

/// The derivation is a strategy of one of the players, who moves at the nodes that `moves` says.
fn check(
    system: &System,
    derivation: &Explanation,
    game: &Game,
    (name, is_mover): (&str, &dyn Fn(usize) -> bool),
    tally: &mut Tally,
    context: &str,
) {
    for (at, step) in derivation.steps.iter().enumerate() {
        if system.relation(step.relation).name != name {
            continue;
        }
        let node = step.tuple[0] as usize;
        let (own, chosen) = moves(system, derivation, at, name);
        match is_mover(node) {
            _ if game.is_goal[node] => assert!(own.is_empty() && chosen.is_empty(), "{node}, {context}"),
            true => {
                assert!(chosen.is_empty() && own.len() == 1, "{node}, {context}");
                assert!(game.edges[node].contains(&own[0]), "{node}, {context}");
            }
            false => {
                assert!(own.is_empty(), "{node}, {context}");
                assert_eq!(chosen, game.edges[node], "{node}, {derivation:#?}, {context}");
                tally.choices += chosen.len() as u64;
            }
        }
    }
}

/// No step rests on itself by way of others, choices included; they stand behind it.
fn check_order(derivation: &Explanation, context: &str) {
    for (at, step) in derivation.steps.iter().enumerate() {
        let uses = step.premises.iter().flat_map(Premise::steps);
        uses.for_each(|to| assert!(to > at, "step {at} uses {to}, {context}"));
        let again = step.premises.iter().any(|premise| matches!(premise, Premise::Again(_)));
        assert!(!again, "{context}");
    }
}

fn play(seed: u64, tally: &mut Tally) {
    let mut random = Random::new(seed);
    let game = Game::random(&mut random);
    let explicit = if random.chance(50) { "#explicit Node;" } else { "" };
    let text = game.text(explicit);
    let context = format!("seed {seed}, in\n{text}");
    let (_, system) = load(&text);
    let mut solver = Solver::new(&system, Settings { record: true, collect_from: 0, ..settings(false) })
        .expect("no contradiction");
    let mut twin = Naive::new(&system, Stop::default());
    let queries: Vec<_> = system
        .items
        .iter()
        .filter_map(|item| match item.action {
            Action::Query(query) => Some(query),
            _ => None,
        })
        .collect();
    let is_won = game.won()[0];
    assert_eq!(twin.holds(queries[0]), Ok(is_won), "{context}");
    assert_eq!(twin.holds(queries[1]), Ok(!is_won), "{context}");
    let first = |node: usize| game.is_first[node];
    solver.follow_choices(100, None);
    if is_won {
        let derivation = solver.explain(&[], queries[0]).expect("no limits").expect("it is won");
        check_order(&derivation, &context);
        check(&system, &derivation, &game, ("Wins", &first), tally, &context);
        let derivation = solver.refute(queries[1]).expect("no limits").expect("it is lost");
        assert!(derivation.steps.iter().any(|step| step.is_absent), "{context}");
        check_order(&derivation, &context);
        check(&system, &derivation, &game, ("Holds", &first), tally, &context);
        tally.won += 1;
    } else {
        // The second player may go round for ever, or be stuck, and wins.
        let second = |node: usize| !game.is_first[node] && !game.edges[node].is_empty();
        let derivation = solver.refute(queries[0]).expect("no limits").expect("it is lost");
        check(&system, &derivation, &game, ("Wins", &second), tally, &context);
        tally.lost += 1;
        let derivation = solver.explain(&[], queries[1]).expect("no limits").expect("it is held");
        check(&system, &derivation, &game, ("Holds", &second), tally, &context);
        tally.held += 1;
    }
    for (query, wanted) in queries.iter().zip([is_won, !is_won]) {
        assert_eq!(solver.query(*query), Ok(wanted), "the values are as before, {context}");
    }
}

#[test]
fn derivations_with_choices_are_strategies() {
    let mut tally = Tally::default();
    testing::seeds(0..400).for_each(|seed| play(seed, &mut tally));
    println!("{tally:?}");
    if !testing::is_chosen() {
        assert!(tally.won >= 50 && tally.lost >= 50 && tally.choices >= 300, "too little was played");
    }
}

#[test]
fn a_depth_bounds_how_many_choices_are_followed() {
    let text = "enum Node { 0..9 }; bool Edge(Node s, Node v) v = s + 1;\n\
                mu bool Wins(Node s) s = 9 | (forall Node v. Edge(s, v) -> Wins(v));\nWins(0);";
    let (_, system) = load(text);
    let Action::Query(query) = system.items[0].action else { panic!("a query") };
    let mut solver =
        Solver::new(&system, Settings { record: true, ..settings(false) }).expect("no contradiction");
    for (depth, n_steps) in [(0, 1), (1, 2), (3, 4), (20, 10)] {
        solver.follow_choices(depth, None);
        let derivation = solver.explain(&[], query).expect("no limits").expect("it is won");
        assert_eq!(derivation.steps.len(), n_steps, "{derivation:#?}");
    }
}

//! The list of words is consistent, and others can add to it.

use base::{Gauge, Sources, Stop};
use calculus::system::{Action, System};
use rsm::{Goal, ModuleId, NodeId, Reductions, Rsm};
use solver::{Settings, Solver};
use std::sync::Arc;
use std::time::Duration;
use templates::{Role, Templates, Vocabulary, Word, words};
use testing::lower;

const PROGRAM: &str = "
decl g;
void main() begin g := F; f(); A: skip; if (g) then B: skip; fi end
void f() begin if (*) then g := T; fi if (!g) then g := !g; fi return; end";

fn label(rsm: &Rsm, name: &str) -> Goal {
    let nodes = rsm.modules[rsm.main.index()].nodes.iter();
    let at = nodes.enumerate().find(|(_, node)| node.labels.iter().any(|label| label == name));
    Goal::At(ModuleId(rsm.main.0), NodeId::new(at.expect("a label of main").0))
}

fn check(templates: &Templates, formula: &str) -> System {
    let text = format!("{}{formula}", templates.prelude());
    let (tree, errors) = calculus::load(&mut Sources::default(), "test.mu", text, &mut |_| unreachable!());
    assert!(errors.is_empty(), "{errors:?}");
    calculus::check(&tree, &[]).unwrap_or_else(|errors| panic!("{errors:?}")).0
}

/// Whether the last query holds, these goals being the target.
fn answer(templates: &Templates, system: &System, goals: &[Goal]) -> bool {
    let settings = Settings {
        symbolic: false,
        record: false,
        collect_from: solver::COLLECT_FROM,
        memory: None,
        stop: Stop::default(),
        gauge: Arc::new(Gauge::default()),
        clock: || Duration::ZERO,
    };
    let mut solver = Solver::new(system, settings).unwrap_or_else(|errors| panic!("{errors:?}"));
    let vocabulary = Vocabulary::new(system, templates);
    templates.give(system, &vocabulary, &mut solver).expect("nothing runs out");
    templates.give_target(goals, &vocabulary, &mut solver).expect("nothing runs out");
    let query = system.items.iter().rev().find_map(|item| match item.action {
        Action::Query(query) => Some(query),
        _ => None,
    });
    solver.query(query.expect("the formula asks something")).expect("nothing runs out")
}

/// A word for the states at a label, as a question might want it.
fn at_label(name: &'static str, goal: Goal) -> Word {
    Word::new(name, &[("State", "v")], "v is at the label", move |making| {
        let program = making.templates;
        let Some((m, node, assertion)) = program.goal(goal) else { return Ok(Vec::new()) };
        let at = (m, program.counter(m, node));
        let view = making.states[0].view(&program.slots, m);
        let (encoder, dd) = making.tools();
        let diagram = program.goal_states(encoder, dd, &view, at, assertion)?;
        Ok(vec![solver::Given::new(making.states[0].key(at.0, at.1), diagram)])
    })
}

#[test]
fn a_word_that_is_added_means_what_its_rows_say() {
    let rsm = lower(PROGRAM);
    let formula = include_str!("../../../../algorithms/summary.mu").replace("Target", "AtLabel");
    for (name, text, expected) in [("A", PROGRAM, true), ("B", PROGRAM, true), ("B", "", false)] {
        // Without the choice and the second test nobody makes g true.
        let changed = PROGRAM.replace("g := T", "skip").replace("g := !g", "g := g");
        let rsm = if text.is_empty() { lower(&changed) } else { rsm.clone() };
        let goal = label(&rsm, name);
        let reduced = rsm::reduce(&rsm, &[goal], Reductions::ALL);
        let mut templates = Templates::new(&rsm, &reduced);
        templates.add(at_label("AtLabel", goal));
        assert!(templates.prelude().contains("bool AtLabel(State v) false;  // v is at the label"));
        let system = check(&templates, &formula);
        assert_eq!(answer(&templates, &system, &[]), expected, "{name}");
        let usual = check(&templates, include_str!("../../../../algorithms/summary.mu"));
        assert_eq!(answer(&templates, &usual, &[goal]), expected, "{name}");
    }
}

#[test]
#[should_panic(expected = "has a meaning already")]
fn a_word_has_one_meaning() {
    let rsm = lower(PROGRAM);
    let goal = label(&rsm, "A");
    let reduced = rsm::reduce(&rsm, &[goal], Reductions::ALL);
    Templates::new(&rsm, &reduced).add(at_label("Entry", goal));
}

#[test]
fn every_word_says_something_and_runs_have_their_roles() {
    for own in [words::sequential(), words::concurrent()] {
        let all = [words::common(), own].concat();
        for (n, word) in all.iter().enumerate() {
            assert!(!word.about.is_empty() && !word.params.is_empty(), "{}", word.name);
            assert!(all[n + 1..].iter().all(|other| other.name != word.name), "{} is there twice", word.name);
        }
        for role in [Role::Start, Role::Step, Role::Call, Role::Return, Role::Around, Role::Target] {
            assert!(all.iter().any(|word| word.role == role), "no word has the role {role:?}");
        }
    }
}

//! Lists of random relations: whatever is stored as keys or as bits, the solver's rows are those of the textbook version, and they are the
//! relation, each tuple once.
//!
//! `GETAFIX_SEED=17` selects a seed; a failure prints the seed and the text.

use crate::common::{load, settings};
use base::Stop;
use calculus::listing::{self, Listing};
use calculus::naive::{Naive, Tuples};
use calculus::random::{self, Shape};
use calculus::system::{RelationId, System};
use solver::{Columns, Shown, Solver};

/// The columns of a row one by one, each with a value or any.
fn list(solver: &mut Solver, relation: RelationId, most: usize) -> Listing {
    let mut alone = |at: usize, _: &[Option<u32>]| vec![Columns { at: vec![at], shown: Shown::Value }];
    solver.list(relation, most, &mut alone).expect("limits do not apply")
}

/// The tuples that rows stand for, in the order of the rows.
fn expanded(system: &System, relation: RelationId, listing: &Listing) -> Vec<Vec<u32>> {
    let columns = &system.relation(relation).columns;
    let mut tuples = Vec::new();
    for row in &listing.rows {
        let mut of_row: Vec<Vec<u32>> = vec![Vec::new()];
        for (column, value) in columns.iter().zip(row) {
            let all = 0..system.sort_of(*column).size() as u32;
            let values: Vec<u32> = value.map_or_else(|| all.collect(), |value| vec![value]);
            let longer = of_row
                .iter()
                .flat_map(|tuple| values.iter().map(move |value| [&tuple[..], &[*value]].concat()));
            of_row = longer.collect();
        }
        tuples.extend(of_row);
    }
    tuples
}

#[derive(Default, Debug)]
struct Tally {
    relations: u64,
    rows: u64,
    free: u64,
    cut: u64,
}

fn compare(seed: u64, shape: &Shape, tally: &mut Tally) {
    let text = random::system(seed, shape);
    let (_, system) = load(&text);
    let mut twin = Naive::new(&system, Stop::default());
    for symbolic in [false, true] {
        let mut solver = Solver::new(&system, settings(symbolic)).expect("no contradiction");
        for relation in (0..system.relations.len()).map(RelationId::new) {
            let Ok(tuples) = twin.relation(relation) else { continue };
            let context = format!("seed {seed}, {}, in\n{text}", system.relation(relation).name);
            let whole = listing::list(&system, relation, &tuples, usize::MAX);
            assert!(!whole.is_cut, "{context}");
            let once = expanded(&system, relation, &whole);
            assert_eq!(once.len(), tuples.len(), "{context}");
            assert_eq!(once.into_iter().collect::<Tuples>(), *tuples, "{context}");
            for most in [0, 1, 3, usize::MAX] {
                let want = listing::list(&system, relation, &tuples, most);
                assert_eq!(want.rows, whole.rows[..most.min(whole.rows.len())], "{context}");
                assert_eq!(want.is_cut, most < whole.rows.len(), "{context}");
                assert_eq!(list(&mut solver, relation, most), want, "symbolic {symbolic}, {context}");
                tally.cut += u64::from(want.is_cut);
            }
            tally.relations += 1;
            tally.rows += whole.rows.len() as u64;
            tally.free += whole.rows.iter().filter(|row| row.contains(&None)).count() as u64;
        }
    }
}

#[test]
fn lists_are_those_of_the_twin() {
    let mut tally = Tally::default();
    for seed in testing::seeds(0..120) {
        let explicit_percent = [0, 50, 90][seed as usize % 3];
        compare(seed, &Shape { explicit_percent, ..Shape::default() }, &mut tally);
    }
    println!("{tally:?}");
    if !testing::is_chosen() {
        let Tally { relations, rows, free, cut } = tally;
        assert!(relations >= 1000 && rows >= 5000 && free >= 500 && cut >= 500, "too little was compared");
    }
}

fn listed(
    text: &str,
    name: &str,
    most: usize,
    mut grouping: impl FnMut(usize, &[Option<u32>]) -> Vec<Columns>,
) -> Listing {
    let (_, system) = load(text);
    let at = system.relations.iter().position(|relation| relation.name == name).expect("it is there");
    let mut solver = Solver::new(&system, settings(false)).expect("no contradiction");
    solver.list(RelationId::new(at), most, &mut grouping).expect("limits do not apply")
}

#[test]
fn columns_are_taken_together_and_left_out() {
    // The number is 4 n[2] + 2 n[1] + n[0]; values 5 to 7 do not occur.
    let text = "class S { bool n[3], dead; }; \
                bool R(S s) !(s.n[2] & (s.n[1] | s.n[0])); \
                bool Odd(S s) R(s) & s.n[0] & (s.dead | s.n[1]);";
    let number = |shown| {
        move |_: usize, _: &[Option<u32>]| {
            vec![Columns { at: vec![3], shown: Shown::Not }, Columns { at: vec![0, 1, 2], shown }]
        }
    };
    let any = vec![None, None, None, None];
    assert_eq!(listed(text, "R", 9, number(Shown::UpTo(4))).rows, [any]);
    assert_eq!(listed(text, "R", 9, number(Shown::Each)).rows.len(), 5);
    let odd = [Some(1), Some(0), Some(0), None];
    let three = [Some(1), Some(1), Some(0), None];
    assert_eq!(listed(text, "Odd", 9, number(Shown::UpTo(4))).rows, [odd.to_vec(), three.to_vec()]);
}

#[test]
fn a_huge_relation_is_not_enumerated() {
    let text = "class S { bool b[200]; }; bool R(S s, S t) s.b[0] & t.b[199];";
    let found = listed(text, "R", 2, |at, _| vec![Columns { at: vec![at], shown: Shown::Each }]);
    assert!(found.is_cut);
    assert_eq!(found.rows.len(), 2);
}
